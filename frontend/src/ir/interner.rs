//! An append-only interner shared by threads: equal contents get equal ids.
//!
//! Reading an id takes no lock: items live in chunks of doubling size that
//! never move. Interning takes a read lock when the item is known already and
//! a write lock on one of several shards otherwise.

use std::hash::{Hash, Hasher};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{OnceLock, PoisonError, RwLock};

use rustc_hash::{FxHashMap, FxHasher};
use smallvec::SmallVec;

const FIRST_CHUNK_BITS: u32 = 8;
const N_CHUNKS: usize = (32 - FIRST_CHUNK_BITS) as usize;
const N_SHARDS: usize = 16;

type Chunk<T> = Box<[OnceLock<T>]>;
type Shard = RwLock<FxHashMap<u64, SmallVec<[u32; 1]>>>;

/// Maps values of `T` to dense `u32` ids and back.
pub(super) struct Interner<T> {
    chunks: [OnceLock<Chunk<T>>; N_CHUNKS],
    shards: [Shard; N_SHARDS],
    len: AtomicU32,
}

/// The chunk and the offset in it where item `id` lives.
fn locate(id: u32) -> (usize, usize) {
    let biased = u64::from(id) + (1 << FIRST_CHUNK_BITS);
    let chunk = 63 - biased.leading_zeros() - FIRST_CHUNK_BITS;
    let offset = biased - (1 << (chunk + FIRST_CHUNK_BITS));
    (chunk as usize, offset as usize)
}

impl<T: Eq + Hash> Interner<T> {
    pub(super) fn new() -> Self {
        Self {
            chunks: [const { OnceLock::new() }; N_CHUNKS],
            shards: std::array::from_fn(|_| Shard::default()),
            len: AtomicU32::new(0),
        }
    }

    /// The item with this id, which this interner must have handed out.
    pub(super) fn get(&self, id: u32) -> &T {
        let (chunk, offset) = locate(id);
        self.chunks[chunk]
            .get()
            .and_then(|chunk| chunk[offset].get())
            .expect("interned ids are written before they are handed out")
    }

    /// The items interned so far, those just being stored possibly left out.
    pub(super) fn iter(&self) -> impl Iterator<Item = &T> {
        let len = self.len.load(Ordering::Acquire);
        (0..len).filter_map(|id| {
            let (chunk, offset) = locate(id);
            self.chunks[chunk].get()?[offset].get()
        })
    }

    /// The id of `item`, which is stored when it is new.
    pub(super) fn intern(&self, item: T) -> u32 {
        let hash = hash_of(&item);
        let shard = &self.shards[(hash >> 60) as usize % N_SHARDS];
        let find = |ids: Option<&SmallVec<[u32; 1]>>| {
            ids.and_then(|ids| ids.iter().copied().find(|&id| *self.get(id) == item))
        };
        {
            let table = shard.read().unwrap_or_else(PoisonError::into_inner);
            if let Some(id) = find(table.get(&hash)) {
                return id;
            }
        }
        let mut table = shard.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(id) = find(table.get(&hash)) {
            return id;
        }
        let id = self.len.fetch_add(1, Ordering::Relaxed);
        assert!(id < u32::MAX - 1, "too many interned items");
        let (chunk, offset) = locate(id);
        let chunk = self.chunks[chunk].get_or_init(|| {
            let size = 1usize << (chunk as u32 + FIRST_CHUNK_BITS);
            std::iter::repeat_with(OnceLock::new).take(size).collect()
        });
        let stored = chunk[offset].set(item);
        assert!(stored.is_ok(), "an interned id is written once");
        table.entry(hash).or_default().push(id);
        id
    }
}

fn hash_of<T: Hash>(item: &T) -> u64 {
    let mut hasher = FxHasher::default();
    item.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_items_share_an_id_across_chunks() {
        let interner = Interner::new();
        let ids: Vec<u32> = (0..5000u32).map(|i| interner.intern(i)).collect();
        for (i, &id) in ids.iter().enumerate() {
            assert_eq!(*interner.get(id), i as u32);
            assert_eq!(interner.intern(i as u32), id);
        }
    }

    #[test]
    fn chunk_layout_is_dense() {
        assert_eq!(locate(0), (0, 0));
        assert_eq!(locate(255), (0, 255));
        assert_eq!(locate(256), (1, 0));
        assert_eq!(locate(u32::MAX - 512).0, N_CHUNKS - 1);
    }
}
