//! Bytes of attributes: shared, and taken over from where they were made.

use std::ops::Deref;
use std::sync::Arc;

/// Bytes that are not copied when they are made of a vector, unlike an `Arc<[u8]>`: a constant may be most of
/// the memory there is.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
pub struct Bytes(Arc<Vec<u8>>);

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl From<Vec<u8>> for Bytes {
    fn from(bytes: Vec<u8>) -> Self {
        Self(Arc::new(bytes))
    }
}

impl From<&[u8]> for Bytes {
    fn from(bytes: &[u8]) -> Self {
        bytes.to_vec().into()
    }
}

impl FromIterator<u8> for Bytes {
    fn from_iter<I: IntoIterator<Item = u8>>(bytes: I) -> Self {
        bytes.into_iter().collect::<Vec<u8>>().into()
    }
}
