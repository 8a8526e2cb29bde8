//! Bytes of attributes: shared, and taken over from where they were made.

use std::hash::{Hash, Hasher};
use std::ops::{Deref, Range};
use std::sync::Arc;

/// Bytes that are not copied when they are made of a vector, unlike an `Arc<[u8]>`: a constant may be most of
/// the memory there is. They may be a part of a larger whole (a file), which then stays.
#[derive(Clone)]
pub struct Bytes {
    whole: Arc<dyn AsRef<[u8]> + Send + Sync>,
    start: usize,
    len: usize,
}

/// Longer bytes are hashed by samples: a hash need not read all the memory there is.
const MAX_HASHED: usize = 1 << 16;

/// How many samples, and of how many bytes.
const N_SAMPLES: usize = 64;
const SAMPLE_BYTES: usize = 64;

impl Bytes {
    /// Bytes that something else holds, like a file that is mapped.
    pub fn from_owner(owner: impl AsRef<[u8]> + Send + Sync + 'static) -> Self {
        let len = owner.as_ref().len();
        let whole = Arc::new(owner);
        Self {
            whole,
            start: 0,
            len,
        }
    }

    /// A part of these bytes, which share their memory.
    ///
    /// # Panics
    /// If there are fewer bytes.
    #[must_use]
    pub fn slice(&self, range: Range<usize>) -> Self {
        assert!(range.start <= range.end && range.end <= self.len);
        Self {
            whole: Arc::clone(&self.whole),
            start: self.start + range.start,
            len: range.len(),
        }
    }
}

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &(*self.whole).as_ref()[self.start..self.start + self.len]
    }
}

impl PartialEq for Bytes {
    fn eq(&self, other: &Self) -> bool {
        let is_same = Arc::ptr_eq(&self.whole, &other.whole)
            && (self.start, self.len) == (other.start, other.len);
        is_same || **self == **other
    }
}

impl Eq for Bytes {}

impl Hash for Bytes {
    fn hash<H: Hasher>(&self, state: &mut H) {
        if self.len <= MAX_HASHED {
            (**self).hash(state);
            return;
        }
        self.len.hash(state);
        let step = (self.len - SAMPLE_BYTES) / (N_SAMPLES - 1);
        for i in 0..N_SAMPLES {
            state.write(&self[i * step..i * step + SAMPLE_BYTES]);
        }
    }
}

impl std::fmt::Debug for Bytes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        (**self).fmt(f)
    }
}

impl Default for Bytes {
    fn default() -> Self {
        Self::from(Vec::<u8>::new())
    }
}

impl From<Vec<u8>> for Bytes {
    fn from(bytes: Vec<u8>) -> Self {
        Self::from_owner(bytes)
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
