//! A hash table from addresses to small values, in pages of its own.
//!
//! Open addressing with linear probing; removal shifts the rest of the run back, so
//! there are no tombstones and lookups stay short however many buffers come and go.
//! At most half of the slots are in use. The table never calls `malloc`.

use core::mem;
use core::ptr;

use crate::sys;

/// Entries before the table grows for the first time: a page.
const FIRST_CAPACITY: usize = 256;

struct Slot<V> {
    /// Zero marks a slot that is not in use.
    key: usize,
    value: V,
}

/// A map with non-zero addresses as keys.
pub(crate) struct Table<V> {
    slots: *mut Slot<V>,
    /// A power of two, or zero before the first insertion.
    capacity: usize,
    len: usize,
}

impl<V: Copy> Table<V> {
    pub(crate) const fn new() -> Self {
        Table {
            slots: ptr::null_mut(),
            capacity: 0,
            len: 0,
        }
    }

    /// Number of keys.
    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    #[inline]
    fn home(&self, key: usize) -> usize {
        sys::mix(key as u64) as usize & (self.capacity - 1)
    }

    #[inline]
    fn slot(&self, index: usize) -> *mut Slot<V> {
        debug_assert!(index < self.capacity);
        // SAFETY: callers mask `index` with `capacity - 1`.
        unsafe { self.slots.add(index) }
    }

    #[inline]
    fn key(&self, index: usize) -> usize {
        // SAFETY: the slot is in the mapping, which starts zeroed.
        unsafe { (*self.slot(index)).key }
    }

    /// The slot of `key`, or the free slot where it belongs. The table must have slots.
    #[inline]
    fn find(&self, key: usize) -> usize {
        let mut index = self.home(key);
        loop {
            let found = self.key(index);
            if found == key || found == 0 {
                return index;
            }
            index = (index + 1) & (self.capacity - 1);
        }
    }

    /// The value of `key`.
    #[inline]
    pub(crate) fn get(&self, key: usize) -> Option<V> {
        if self.capacity == 0 || key == 0 {
            return None;
        }
        let index = self.find(key);
        if self.key(index) != key {
            return None;
        }
        // SAFETY: the value of a slot in use is initialized.
        Some(unsafe { (*self.slot(index)).value })
    }

    /// Sets the value of `key` and returns the one it had. `key` must not be zero.
    /// Aborts the program if the system is out of memory.
    pub(crate) fn insert(&mut self, key: usize, value: V) -> Option<V> {
        if key == 0 {
            return None;
        }
        if self.len * 2 >= self.capacity {
            self.grow();
        }
        let index = self.find(key);
        let slot = self.slot(index);
        let old = if self.key(index) == key {
            // SAFETY: the value of a slot in use is initialized.
            Some(unsafe { (*slot).value })
        } else {
            self.len += 1;
            None
        };
        // SAFETY: the slot is inside the mapping.
        unsafe { slot.write(Slot { key, value }) };
        old
    }

    /// Removes `key` and returns its value.
    pub(crate) fn remove(&mut self, key: usize) -> Option<V> {
        let value = self.get(key)?;
        let mut hole = self.find(key);
        let mut next = hole;
        // Close the gap: a later entry of the run moves into the hole unless its home lies
        // (cyclically) after the hole.
        loop {
            next = (next + 1) & (self.capacity - 1);
            let moved = self.key(next);
            if moved == 0 {
                break;
            }
            let home = self.home(moved);
            let distance = next.wrapping_sub(home) & (self.capacity - 1);
            let gap = next.wrapping_sub(hole) & (self.capacity - 1);
            if distance >= gap {
                // SAFETY: both slots are inside the mapping and distinct.
                unsafe { ptr::copy_nonoverlapping(self.slot(next), self.slot(hole), 1) };
                hole = next;
            }
        }
        // SAFETY: the slot is inside the mapping.
        unsafe { (*self.slot(hole)).key = 0 };
        self.len -= 1;
        Some(value)
    }

    /// Forgets everything and gives the memory back.
    pub(crate) fn clear(&mut self) {
        // SAFETY: the mapping has exactly this size, and the table forgets it here.
        unsafe { sys::unmap(self.slots.cast(), self.capacity * mem::size_of::<Slot<V>>()) };
        *self = Table::new();
    }

    fn grow(&mut self) {
        let capacity = if self.capacity == 0 {
            FIRST_CAPACITY
        } else {
            self.capacity * 2
        };
        let slots: *mut Slot<V> = sys::map_zeroed(capacity * mem::size_of::<Slot<V>>()).cast();
        if slots.is_null() {
            crate::output::out_of_memory(capacity as u64, ptr::null());
        }
        let mut old = mem::replace(
            self,
            Table {
                slots,
                capacity,
                len: self.len,
            },
        );
        for index in 0..old.capacity {
            let key = old.key(index);
            if key != 0 {
                let to = self.find(key);
                // SAFETY: the slots belong to different mappings.
                unsafe { ptr::copy_nonoverlapping(old.slot(index), self.slot(to), 1) };
            }
        }
        old.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Random;
    use std::collections::BTreeMap;

    #[test]
    fn behaves_like_a_map() {
        for (n_keys, steps) in [(16u64, 20_000), (5_000, 60_000)] {
            let mut random = Random::new(n_keys);
            let mut table = Table::new();
            let mut reference = BTreeMap::new();
            for step in 0..steps {
                // Neighbouring multiples of sixteen, as malloc hands them out.
                let key = (random.below(n_keys) as usize + 1) * 16;
                match random.below(5) {
                    0 | 1 => assert_eq!(table.insert(key, step), reference.insert(key, step)),
                    2 | 3 => assert_eq!(table.remove(key), reference.remove(&key)),
                    _ => assert_eq!(table.get(key), reference.get(&key).copied()),
                }
                assert_eq!(table.len(), reference.len());
            }
            for (&key, &value) in &reference {
                assert_eq!(table.get(key), Some(value));
            }
            table.clear();
            assert_eq!(table.get(16), None);
        }
    }

    #[test]
    fn null_is_never_a_key() {
        let mut table = Table::new();
        assert_eq!(table.insert(0, 1), None);
        assert_eq!(table.get(0), None);
        assert_eq!(table.remove(0), None);
    }
}
