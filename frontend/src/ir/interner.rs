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
type Table = FxHashMap<u64, SmallVec<[u32; 1]>>;
type Shard = RwLock<Table>;

/// Maps values of `T` to dense `u32` ids and back.
pub(super) struct Interner<T: 'static> {
    /// What has the first ids and is found there.
    base: Option<&'static Self>,
    base_len: u32,
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
            base: None,
            base_len: 0,
            chunks: [const { OnceLock::new() }; N_CHUNKS],
            shards: std::array::from_fn(|_| Shard::default()),
            len: AtomicU32::new(0),
        }
    }

    /// An interner that begins with the items of `base`, without copying them. Nothing may be added to that any more.
    pub(super) fn over(base: &'static Self) -> Self {
        let base_len = base.len.load(Ordering::Acquire);
        Self {
            base: Some(base),
            base_len,
            len: AtomicU32::new(base_len),
            ..Self::new()
        }
    }

    /// The item with this id, which this interner must have handed out.
    pub(super) fn get(&self, id: u32) -> &T {
        if let Some(base) = self.base
            && id < self.base_len
        {
            return base.get(id);
        }
        let (chunk, offset) = locate(id - self.base_len);
        self.chunks[chunk]
            .get()
            .and_then(|chunk| chunk[offset].get())
            .expect("interned ids are written before they are handed out")
    }

    /// The items interned so far, those just being stored possibly left out.
    pub(super) fn iter(&self) -> impl Iterator<Item = &T> {
        let len = self.len.load(Ordering::Acquire);
        let own = (self.base_len..len).filter_map(|id| {
            let (chunk, offset) = locate(id - self.base_len);
            self.chunks[chunk].get()?[offset].get()
        });
        let base = self.base.into_iter();
        base.flat_map(|base| (0..self.base_len).map(|id| base.get(id)))
            .chain(own)
    }

    /// The id of `item`, which is stored when it is new.
    pub(super) fn intern(&self, item: T) -> u32 {
        let hash = hash_of(&item);
        let known = self.base.and_then(|base| base.find(hash, &item));
        if let Some(id) = known.or_else(|| self.find(hash, &item)) {
            return id;
        }
        let shard = self.shard(hash).write();
        let mut table = shard.unwrap_or_else(PoisonError::into_inner);
        if let Some(id) = self.find_in(&table, hash, &item) {
            return id;
        }
        let id = self.len.fetch_add(1, Ordering::Relaxed);
        assert!(id < u32::MAX - 1, "too many interned items");
        let (chunk, offset) = locate(id - self.base_len);
        let chunk = self.chunks[chunk].get_or_init(|| {
            let size = 1usize << (chunk as u32 + FIRST_CHUNK_BITS);
            std::iter::repeat_with(OnceLock::new).take(size).collect()
        });
        let stored = chunk[offset].set(item);
        assert!(stored.is_ok(), "an interned id is written once");
        table.entry(hash).or_default().push(id);
        id
    }

    fn shard(&self, hash: u64) -> &Shard {
        &self.shards[(hash >> 60) as usize % N_SHARDS]
    }

    /// The id of an item with this hash among its own.
    fn find(&self, hash: u64, item: &T) -> Option<u32> {
        let table = self.shard(hash).read();
        self.find_in(&table.unwrap_or_else(PoisonError::into_inner), hash, item)
    }

    fn find_in(&self, table: &Table, hash: u64, item: &T) -> Option<u32> {
        let mut ids = table.get(&hash)?.iter().copied();
        ids.find(|&id| self.get(id) == item)
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
    fn items_of_the_base_come_first() {
        let base: &'static Interner<u32> = Box::leak(Box::new(Interner::new()));
        for i in 0..300 {
            base.intern(i * 2);
        }
        let interner = Interner::over(base);
        assert_eq!(interner.intern(10), 5);
        assert_eq!(interner.intern(1), 300);
        assert_eq!(interner.intern(1), 300);
        assert_eq!(interner.intern(598), 299);
        assert_eq!([*interner.get(299), *interner.get(300)], [598, 1]);
        assert_eq!(interner.iter().count(), 301);
        assert_eq!(interner.iter().last(), Some(&1));
    }

    #[test]
    fn chunk_layout_is_dense() {
        assert_eq!(locate(0), (0, 0));
        assert_eq!(locate(255), (0, 255));
        assert_eq!(locate(256), (1, 0));
        assert_eq!(locate(u32::MAX - 512).0, N_CHUNKS - 1);
    }
}
