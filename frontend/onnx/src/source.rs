//! A model before it is read.

use std::path::PathBuf;

use freehold_frontend::ir::bytes::Bytes;

use crate::external::Open;
use crate::types::Sizes;

/// A model to read.
pub struct Source<'a> {
    /// What messages call it.
    pub name: &'a str,
    /// The file.
    pub bytes: &'a Bytes,
    /// Where the files with its external data are, if it comes from a file.
    pub folder: Option<PathBuf>,
    /// How these files are opened.
    pub open: Open,
    /// Sizes that the model does not say.
    pub sizes: &'a Sizes,
}

/// The bytes of the file, held for all who share them.
pub(crate) struct Whole(pub(crate) Bytes);

impl AsRef<[u8]> for Whole {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}
