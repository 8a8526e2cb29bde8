//! The buffers checking mode knows, ordered by address.
//!
//! A treap (search tree on addresses, heap on pseudo-random priorities) over nodes in
//! one growing mapping, so that the buffer around any address is found in logarithmic
//! time, interior pointers included. Ranges never overlap. The same nodes are threaded
//! on lists in order of arrival, which is what makes reports independent of addresses.

use core::mem;
use core::ptr;

use crate::site::AllocSite;
use crate::sys;

/// Index of a block; [`NONE`] is no block.
pub(super) type Id = u32;

/// The index that stands for "no block"; node 0 of the pool is never used.
pub(super) const NONE: Id = 0;

/// What has become of a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum State {
    /// Allocated by us, in use.
    Live,
    /// Returned by an external function, in use. Its size is not known.
    Foreign,
    /// Freed by the program; we still hold the memory, poisoned.
    Quarantined,
    /// Freed and given back to libc; kept for a while to recognize a second free.
    Released,
    /// As `Released`, for a buffer that came from an external function.
    ReleasedForeign,
}

/// One buffer: `base` is what libc gave, `start` what the program holds.
#[derive(Clone, Copy)]
pub(super) struct Block {
    pub(super) base: *mut u8,
    pub(super) start: *mut u8,
    /// Bytes the program asked for, from `start` on.
    pub(super) size: u64,
    /// Bytes from `base` to the end of the last red zone.
    pub(super) total: u64,
    pub(super) state: State,
    pub(super) alloc_site: *const AllocSite,
    pub(super) free_site: *const AllocSite,
    previous: Id,
    next: Id,
    left: Id,
    right: Id,
    priority: u32,
}

impl Block {
    pub(super) fn new(
        base: *mut u8,
        start: *mut u8,
        size: u64,
        total: u64,
        state: State,
        alloc_site: *const AllocSite,
    ) -> Self {
        Block {
            base,
            start,
            size,
            total,
            state,
            alloc_site,
            free_site: ptr::null(),
            previous: NONE,
            next: NONE,
            left: NONE,
            right: NONE,
            priority: sys::mix(base.addr() as u64) as u32,
        }
    }

    fn low(&self) -> usize {
        self.base.addr()
    }

    fn high(&self) -> usize {
        self.low().wrapping_add(self.total as usize)
    }
}

/// A list of blocks in order of arrival.
#[derive(Clone, Copy)]
pub(super) struct List {
    first: Id,
    last: Id,
    len: u64,
}

impl List {
    pub(super) const fn new() -> Self {
        List {
            first: NONE,
            last: NONE,
            len: 0,
        }
    }

    pub(super) fn first(&self) -> Id {
        self.first
    }

    pub(super) fn len(&self) -> u64 {
        self.len
    }
}

/// All blocks.
pub(super) struct Blocks {
    nodes: *mut Block,
    capacity: u32,
    /// Nodes ever used, the unused node 0 included.
    used: u32,
    /// Head of the chain of erased nodes, linked by `next`.
    erased: Id,
    root: Id,
}

/// Blocks before the tables grow for the first time, to twice their size each time.
const FIRST_CAPACITY: u32 = 512;

impl Blocks {
    pub(super) const fn new() -> Self {
        Blocks {
            nodes: ptr::null_mut(),
            capacity: 0,
            used: 1,
            erased: NONE,
            root: NONE,
        }
    }

    #[inline]
    fn node(&self, id: Id) -> *mut Block {
        debug_assert!(id != NONE && id < self.used);
        // SAFETY: ids are handed out by `allocate_node` and stay below `used`.
        unsafe { self.nodes.add(id as usize) }
    }

    /// The block of an id that [`Self::insert`] returned and [`Self::remove`] has not seen.
    #[inline]
    pub(super) fn get(&self, id: Id) -> Block {
        // SAFETY: nodes below `used` are initialized.
        unsafe { *self.node(id) }
    }

    #[inline]
    pub(super) fn get_mut(&mut self, id: Id) -> &mut Block {
        // SAFETY: nodes below `used` are initialized, and `self` is borrowed mutably.
        unsafe { &mut *self.node(id) }
    }

    fn low(&self, id: Id) -> usize {
        // SAFETY: nodes below `used` are initialized.
        unsafe { (*self.node(id)).low() }
    }

    fn priority(&self, id: Id) -> u32 {
        // SAFETY: nodes below `used` are initialized.
        unsafe { (*self.node(id)).priority }
    }

    fn left(&self, id: Id) -> *mut Id {
        // SAFETY: the node is in the mapping.
        unsafe { &raw mut (*self.node(id)).left }
    }

    fn right(&self, id: Id) -> *mut Id {
        // SAFETY: the node is in the mapping.
        unsafe { &raw mut (*self.node(id)).right }
    }

    fn allocate_node(&mut self, block: Block) -> Id {
        let id = if self.erased != NONE {
            let id = self.erased;
            self.erased = self.get(id).next;
            id
        } else {
            if self.used >= self.capacity {
                self.grow();
            }
            self.used += 1;
            self.used - 1
        };
        // SAFETY: the node is in the mapping and not in use.
        unsafe { self.node(id).write(block) };
        id
    }

    fn grow(&mut self) {
        let capacity = if self.capacity == 0 {
            FIRST_CAPACITY
        } else {
            self.capacity.wrapping_mul(2)
        };
        let bytes = capacity as usize * mem::size_of::<Block>();
        let nodes: *mut Block = if capacity == 0 {
            ptr::null_mut()
        } else {
            sys::map_zeroed(bytes).cast()
        };
        if nodes.is_null() {
            crate::output::out_of_memory(bytes as u64, ptr::null());
        }
        if self.capacity != 0 {
            // SAFETY: the new mapping is larger than the old one and apart from it; after the
            // copy nothing points into the old one.
            unsafe {
                ptr::copy_nonoverlapping(self.nodes, nodes, self.used as usize);
                sys::unmap(
                    self.nodes.cast(),
                    self.capacity as usize * mem::size_of::<Block>(),
                );
            }
        }
        self.nodes = nodes;
        self.capacity = capacity;
    }

    /// Adds a block. Its range must not overlap another one's.
    pub(super) fn insert(&mut self, block: Block) -> Id {
        let (low, priority) = (block.low(), block.priority);
        let id = self.allocate_node(block);
        // SAFETY: every link is the root or a field of a node in the mapping, which stays where
        // it is during the walk.
        unsafe {
            let mut link: *mut Id = &raw mut self.root;
            while *link != NONE && self.priority(*link) >= priority {
                link = if low < self.low(*link) {
                    self.left(*link)
                } else {
                    self.right(*link)
                };
            }
            // The new node takes this place; the subtree that was here is split around it.
            let mut rest = *link;
            *link = id;
            let (mut below, mut above) = (self.left(id), self.right(id));
            while rest != NONE {
                if self.low(rest) < low {
                    *below = rest;
                    below = self.right(rest);
                    rest = *below;
                } else {
                    *above = rest;
                    above = self.left(rest);
                    rest = *above;
                }
            }
            *below = NONE;
            *above = NONE;
        }
        id
    }

    /// Erases a block that is on no list.
    pub(super) fn remove(&mut self, id: Id) {
        let low = self.low(id);
        // SAFETY: as in `insert`.
        unsafe {
            let mut link: *mut Id = &raw mut self.root;
            while *link != id && *link != NONE {
                link = if low < self.low(*link) {
                    self.left(*link)
                } else {
                    self.right(*link)
                };
            }
            let (mut below, mut above) = (*self.left(id), *self.right(id));
            loop {
                if below == NONE {
                    *link = above;
                    break;
                }
                if above == NONE {
                    *link = below;
                    break;
                }
                if self.priority(below) >= self.priority(above) {
                    *link = below;
                    link = self.right(below);
                    below = *link;
                } else {
                    *link = above;
                    link = self.left(above);
                    above = *link;
                }
            }
        }
        self.get_mut(id).next = self.erased;
        self.erased = id;
    }

    /// The block whose range starts last among those that start at or before `address`.
    fn floor(&self, address: usize) -> Id {
        let (mut found, mut at) = (NONE, self.root);
        while at != NONE {
            if self.low(at) <= address {
                found = at;
                at = self.get(at).right;
            } else {
                at = self.get(at).left;
            }
        }
        found
    }

    /// The block with the lowest range that starts at or after `address`.
    fn ceiling(&self, address: usize) -> Id {
        let (mut found, mut at) = (NONE, self.root);
        while at != NONE {
            if self.low(at) >= address {
                found = at;
                at = self.get(at).left;
            } else {
                at = self.get(at).right;
            }
        }
        found
    }

    /// The block with `address` in its range, red zones included.
    pub(super) fn containing(&self, address: usize) -> Id {
        let id = self.floor(address);
        if id != NONE && address < self.get(id).high() {
            id
        } else {
            NONE
        }
    }

    /// A block that overlaps the `size` bytes at `low`.
    pub(super) fn overlapping(&self, low: usize, size: u64) -> Id {
        let before = self.containing(low);
        if before != NONE {
            return before;
        }
        let after = self.ceiling(low);
        if after != NONE && self.low(after) < low.wrapping_add(size as usize) {
            return after;
        }
        NONE
    }

    /// The block after `id` on its list.
    pub(super) fn next(&self, id: Id) -> Id {
        self.get(id).next
    }

    /// Appends a block that is on no list.
    pub(super) fn push(&mut self, list: &mut List, id: Id) {
        let last = list.last;
        let block = self.get_mut(id);
        block.previous = last;
        block.next = NONE;
        if last == NONE {
            list.first = id;
        } else {
            self.get_mut(last).next = id;
        }
        list.last = id;
        list.len += 1;
    }

    /// Takes a block off the list it is on.
    pub(super) fn unlink(&mut self, list: &mut List, id: Id) {
        let Block { previous, next, .. } = self.get(id);
        if previous == NONE {
            list.first = next;
        } else {
            self.get_mut(previous).next = next;
        }
        if next == NONE {
            list.last = previous;
        } else {
            self.get_mut(next).previous = previous;
        }
        list.len -= 1;
    }

    /// Forgets all blocks.
    pub(super) fn clear(&mut self) {
        // SAFETY: the mapping has exactly this size and is forgotten here.
        unsafe {
            sys::unmap(
                self.nodes.cast(),
                self.capacity as usize * mem::size_of::<Block>(),
            );
        }
        *self = Blocks::new();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Random;
    use std::collections::BTreeMap;
    use std::vec::Vec;

    fn block(low: usize, total: u64) -> Block {
        let base = ptr::without_provenance_mut(low);
        Block::new(base, base, total, total, State::Live, ptr::null())
    }

    #[test]
    fn behaves_like_an_ordered_map() {
        let mut random = Random::new(7);
        let mut blocks = Blocks::new();
        let mut reference: BTreeMap<usize, (Id, u64)> = BTreeMap::new();
        for _ in 0..40_000 {
            let low = (random.below(3_000) as usize + 1) * 32;
            match random.below(4) {
                0 | 1 if !reference.contains_key(&low) => {
                    let total = random.below(32) + 1;
                    reference.insert(low, (blocks.insert(block(low, total)), total));
                }
                2 => {
                    if let Some((id, _)) = reference.remove(&low) {
                        blocks.remove(id);
                    }
                }
                _ => {}
            }
            let address = random.below(100_000) as usize;
            let inside = |low: usize, total: u64| address < low + total as usize;
            let expected = match reference.range(..=address).next_back() {
                Some((&low, &(id, total))) if inside(low, total) => id,
                _ => NONE,
            };
            assert_eq!(blocks.containing(address), expected);
            let size = random.below(64);
            let overlap = blocks.overlapping(address, size);
            let any = expected != NONE
                || reference
                    .range(address..address + size as usize)
                    .next()
                    .is_some();
            assert_eq!(overlap != NONE, any);
        }
        blocks.clear();
        assert_eq!(blocks.containing(32), NONE);
    }

    #[test]
    fn lists_keep_order() {
        let mut blocks = Blocks::new();
        let mut list = List::new();
        let ids: Vec<Id> = (1..=1000)
            .map(|i| blocks.insert(block(i * 64, 64)))
            .collect();
        ids.iter().for_each(|&id| blocks.push(&mut list, id));
        for &id in ids.iter().filter(|&&id| id % 3 == 0) {
            blocks.unlink(&mut list, id);
        }
        let mut seen = Vec::new();
        let mut at = list.first();
        while at != NONE {
            seen.push(at);
            at = blocks.next(at);
        }
        let expected: Vec<Id> = ids.into_iter().filter(|id| id % 3 != 0).collect();
        assert_eq!(seen, expected);
        assert_eq!(list.len(), expected.len() as u64);
        blocks.clear();
    }
}
