//! Data of tensors in files beside the model. A file is opened once, and tensors share its bytes.

use std::fs::File;
use std::io;
use std::path::{Component, Path, PathBuf};

use freehold_frontend::ir::bytes::Bytes;
use rustc_hash::FxHashMap;

use crate::proto::Entry;

/// The files beside a model.
pub(crate) struct Files {
    /// Where they are; nothing for a model that comes from no file.
    folder: Option<PathBuf>,
    open: Open,
    opened: FxHashMap<String, Bytes>,
}

/// How the bytes of a file are got at.
pub type Open = fn(&File) -> io::Result<Bytes>;

impl Files {
    pub(crate) fn new(folder: Option<PathBuf>, open: Open) -> Self {
        Self {
            folder,
            open,
            opened: FxHashMap::default(),
        }
    }

    /// The `expected` bytes that these entries name.
    ///
    /// # Errors
    /// If there are no such bytes in the folder of the model.
    pub(crate) fn bytes(&mut self, entries: &[Entry], expected: usize) -> Result<Bytes, String> {
        let get = |key: &str| {
            let found = entries.iter().find(|entry| entry.key == key);
            found.map(|entry| entry.value.as_str())
        };
        let number = |key: &str| match get(key) {
            None => Ok(None),
            Some(text) => match text.parse::<usize>() {
                Ok(number) => Ok(Some(number)),
                Err(_) => Err(format!("external data has the {key} '{text}'")),
            },
        };
        let location = get("location").ok_or("external data has no location")?;
        let (offset, length) = (number("offset")?.unwrap_or(0), number("length")?);
        let file = self.file(location)?;
        let available = file.len().checked_sub(offset);
        let length = match (length, available) {
            (Some(length), Some(available)) if length <= available => length,
            // Without a length, the file may go on behind the tensor only as far as the tensor goes.
            (None, Some(available)) => available,
            (length, _) => {
                let n = file.len();
                let end = offset.saturating_add(length.unwrap_or(0));
                return Err(format!(
                    "external data ends at byte {end}, but '{location}' has {n} bytes"
                ));
            }
        };
        match length == expected {
            true => Ok(file.slice(offset..offset + length)),
            false => Err(format!(
                "expected {expected} bytes of external data, but there are {length}"
            )),
        }
    }

    fn file(&mut self, location: &str) -> Result<Bytes, String> {
        if let Some(bytes) = self.opened.get(location) {
            return Ok(bytes.clone());
        }
        let path = self.path(location)?;
        let failed = |error: io::Error| format!("cannot open external data '{location}': {error}");
        let file = File::open(&path).map_err(failed)?;
        let is_file = file.metadata().map_err(failed)?.is_file();
        if !is_file {
            return Err(format!("external data '{location}' is no file"));
        }
        let bytes = (self.open)(&file).map_err(failed)?;
        self.opened.insert(location.to_owned(), bytes.clone());
        Ok(bytes)
    }

    /// The file of this name below the folder of the model.
    fn path(&self, location: &str) -> Result<PathBuf, String> {
        let Some(folder) = &self.folder else {
            return Err(format!(
                "external data '{location}' is looked for beside a file, but the model is none"
            ));
        };
        let outside = || format!("external data '{location}' is not in the folder of the model");
        let is_inside =
            |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
        if location.is_empty() || !Path::new(location).components().all(is_inside) {
            return Err(outside());
        }
        let path = folder.join(location);
        let failed = |error: io::Error| format!("cannot open external data '{location}': {error}");
        // A link may leave the folder as well.
        let folder = match folder.as_os_str().is_empty() {
            true => Path::new("."),
            false => folder,
        };
        let (real, root) = (
            path.canonicalize().map_err(failed)?,
            folder.canonicalize().map_err(failed)?,
        );
        match real.starts_with(root) {
            true => Ok(real),
            false => Err(outside()),
        }
    }
}
