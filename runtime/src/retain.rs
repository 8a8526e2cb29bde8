//! The library form of `bufferization.dealloc`.
//!
//! The operation has *entries*, buffers with a condition each, and *retained* buffers. An
//! entry is freed if its condition holds, no retained buffer has the same allocated pointer,
//! and no earlier entry with the same pointer is freed by the same operation. The caller ends
//! up owning a retained buffer if the condition of any entry with its pointer holds.
//!
//! Few pointers are compared with each other; more go through a hash table on the stack or,
//! if there are very many, in pages of its own. `malloc` is never called.

use core::mem::{self, MaybeUninit};
use core::ptr;
use core::sync::atomic::{AtomicPtr, Ordering};

use crate::sys;

/// What is known of one pointer.
#[derive(Clone, Copy)]
struct Slot {
    pointer: usize,
    /// A set of the bits below; zero marks a slot that is not in use.
    flags: usize,
}

const USED: usize = 1;
const RETAINED: usize = 2;
/// Some entry's condition holds.
const OWNED: usize = 4;

/// Slots of the table on the stack: 32 KiB.
const STACK_SLOTS: usize = 2048;

/// Slots of the largest table that is kept for the next operation: 1 MiB.
const KEPT_SLOTS: usize = 1 << 16;

/// A table of [`KEPT_SLOTS`] slots that no operation is using, or null. Its pages are mapped
/// once, instead of once per operation.
static KEPT: AtomicPtr<Slot> = AtomicPtr::new(ptr::null_mut());

/// Up to this many comparisons are faster than a table.
const FEW_COMPARISONS: usize = 512;

/// The arguments of one operation.
struct Dealloc {
    entries: *const usize,
    conditions: *const u8,
    n_entries: usize,
    retained: *const usize,
    n_retained: usize,
    should_free: *mut u8,
    ownership: *mut u8,
}

impl Dealloc {
    // SAFETY of all accessors: the index is below the number of entries or retained buffers,
    // and `freehold_dealloc_helper` asks for arrays of those lengths.

    #[inline]
    fn entry(&self, index: usize) -> usize {
        debug_assert!(index < self.n_entries);
        // SAFETY: see above.
        unsafe { *self.entries.add(index) }
    }

    #[inline]
    fn condition(&self, index: usize) -> bool {
        debug_assert!(index < self.n_entries);
        // SAFETY: see above.
        unsafe { *self.conditions.add(index) & 1 != 0 }
    }

    #[inline]
    fn retained(&self, index: usize) -> usize {
        debug_assert!(index < self.n_retained);
        // SAFETY: see above.
        unsafe { *self.retained.add(index) }
    }

    #[inline]
    fn set_should_free(&self, index: usize, value: bool) {
        debug_assert!(index < self.n_entries);
        // SAFETY: see above.
        unsafe { *self.should_free.add(index) = u8::from(value) };
    }

    #[inline]
    fn set_ownership(&self, index: usize, value: bool) {
        debug_assert!(index < self.n_retained);
        // SAFETY: see above.
        unsafe { *self.ownership.add(index) = u8::from(value) };
    }

    /// Compares each pointer with each other.
    fn by_comparison(&self) {
        let mut index = 0;
        while index < self.n_entries {
            let pointer = self.entry(index);
            let mut free = pointer != 0 && self.condition(index);
            let mut earlier = 0;
            while free && earlier < index {
                free = self.entry(earlier) != pointer || !self.condition(earlier);
                earlier += 1;
            }
            let mut other = 0;
            while free && other < self.n_retained {
                free = self.retained(other) != pointer;
                other += 1;
            }
            self.set_should_free(index, free);
            index += 1;
        }
        let mut index = 0;
        while index < self.n_retained {
            let pointer = self.retained(index);
            let mut owned = false;
            let mut entry = 0;
            while !owned && entry < self.n_entries {
                owned = self.entry(entry) == pointer && self.condition(entry);
                entry += 1;
            }
            self.set_ownership(index, owned);
            index += 1;
        }
    }

    /// Looks pointers up in a table of `capacity` slots, a power of two larger than the number
    /// of pointers.
    ///
    /// # Safety
    /// `slots` has room for that many; they need not be initialized.
    unsafe fn by_table(&self, slots: *mut Slot, capacity: usize) {
        // SAFETY: by the caller's promise. All-zero slots are not in use.
        unsafe { ptr::write_bytes(slots, 0, capacity) };
        let find = |pointer: usize| {
            let mut index = sys::mix(pointer as u64) as usize & (capacity - 1);
            loop {
                // SAFETY: the index is masked, and the slots are initialized by now. The loop
                // ends because there are more slots than pointers.
                let slot = unsafe { &mut *slots.add(index) };
                if slot.flags == 0 {
                    slot.pointer = pointer;
                    slot.flags = USED;
                    return slots.wrapping_add(index);
                }
                if slot.pointer == pointer {
                    return slots.wrapping_add(index);
                }
                index = (index + 1) & (capacity - 1);
            }
        };
        let mut index = 0;
        while index < self.n_retained {
            // SAFETY: `find` returns a slot of the table.
            unsafe { (*find(self.retained(index))).flags |= RETAINED };
            index += 1;
        }
        let mut index = 0;
        while index < self.n_entries {
            let pointer = self.entry(index);
            let mut free = false;
            if self.condition(index) {
                // SAFETY: `find` returns a slot of the table.
                let slot = unsafe { &mut *find(pointer) };
                free = pointer != 0 && slot.flags == USED;
                slot.flags |= OWNED;
            }
            self.set_should_free(index, free);
            index += 1;
        }
        let mut index = 0;
        while index < self.n_retained {
            // SAFETY: `find` returns a slot of the table.
            let flags = unsafe { (*find(self.retained(index))).flags };
            self.set_ownership(index, flags & OWNED != 0);
            index += 1;
        }
    }

    #[inline(never)]
    fn by_table_on_stack(&self, capacity: usize) {
        let mut slots = [const { MaybeUninit::<Slot>::uninit() }; STACK_SLOTS];
        // SAFETY: the caller asks for no more than `STACK_SLOTS`.
        unsafe { self.by_table(slots.as_mut_ptr().cast(), capacity) };
    }

    fn run(&self) {
        let total = self.n_entries.saturating_add(self.n_retained);
        if self.n_entries.saturating_mul(total) <= FEW_COMPARISONS || total > 1 << 48 {
            self.by_comparison();
            return;
        }
        // A third of the slots stay free.
        let capacity = 1usize << (usize::BITS - (total + total / 2).leading_zeros());
        if capacity <= STACK_SLOTS {
            self.by_table_on_stack(capacity);
            return;
        }
        let slots = if capacity <= KEPT_SLOTS {
            KEPT.swap(ptr::null_mut(), Ordering::Acquire)
        } else {
            ptr::null_mut()
        };
        let mapped = if capacity <= KEPT_SLOTS {
            KEPT_SLOTS
        } else {
            capacity
        };
        let bytes = mapped * mem::size_of::<Slot>();
        let slots = if slots.is_null() {
            sys::map_zeroed(bytes).cast()
        } else {
            slots
        };
        if slots.is_null() {
            // Slow is better than wrong.
            self.by_comparison();
            return;
        }
        // SAFETY: the mapping is large enough, and no other operation has it.
        unsafe { self.by_table(slots, capacity) };
        let unused = if mapped == KEPT_SLOTS {
            KEPT.swap(slots, Ordering::AcqRel)
        } else {
            slots
        };
        // SAFETY: a mapping of that size: ours, or one that another thread kept meanwhile.
        unsafe { sys::unmap(unused.cast(), bytes) };
    }
}

/// Decides which of `n_entries` buffers to free and which of `n_retained` buffers the caller
/// owns afterwards. Null is never freed. Conditions and results are 0 or 1.
///
/// # Safety
/// `entries`, `conditions` and `should_free` have `n_entries` elements, `retained` and
/// `ownership` have `n_retained`; the results overlap nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn freehold_dealloc_helper(
    entries: *const usize,
    conditions: *const u8,
    n_entries: u64,
    retained: *const usize,
    n_retained: u64,
    should_free: *mut u8,
    ownership: *mut u8,
) {
    let (n_entries, n_retained) = (n_entries as usize, n_retained as usize);
    Dealloc {
        entries,
        conditions,
        n_entries,
        retained,
        n_retained,
        should_free,
        ownership,
    }
    .run();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Random;
    use std::time::Instant;
    use std::vec;
    use std::vec::Vec;

    type Result = (Vec<u8>, Vec<u8>);

    /// The definition, word for word.
    fn reference(entries: &[usize], conditions: &[u8], retained: &[usize]) -> Result {
        let mut freed = Vec::new();
        let mut should_free = Vec::new();
        for (&pointer, &condition) in entries.iter().zip(conditions) {
            let free = condition == 1
                && pointer != 0
                && !retained.contains(&pointer)
                && !freed.contains(&pointer);
            should_free.push(u8::from(free));
            freed.extend(free.then_some(pointer));
        }
        let owns = |pointer| {
            entries
                .iter()
                .zip(conditions)
                .any(|(e, &c)| e == pointer && c == 1)
        };
        (
            should_free,
            retained
                .iter()
                .map(|pointer| u8::from(owns(pointer)))
                .collect(),
        )
    }

    /// How to run the operation.
    #[derive(Clone, Copy, PartialEq)]
    enum Way {
        Exported,
        Comparison,
        Table,
    }

    fn run(way: Way, entries: &[usize], conditions: &[u8], retained: &[usize]) -> Result {
        let mut should_free = vec![9; entries.len()];
        let mut ownership = vec![9; retained.len()];
        let dealloc = Dealloc {
            entries: entries.as_ptr(),
            conditions: conditions.as_ptr(),
            n_entries: entries.len(),
            retained: retained.as_ptr(),
            n_retained: retained.len(),
            should_free: should_free.as_mut_ptr(),
            ownership: ownership.as_mut_ptr(),
        };
        match way {
            Way::Exported => dealloc.run(),
            Way::Comparison => dealloc.by_comparison(),
            Way::Table => {
                let capacity = (entries.len() + retained.len() + 1).next_power_of_two();
                let mut slots: Vec<Slot> = Vec::with_capacity(capacity);
                // SAFETY: there is room for `capacity` slots.
                unsafe { dealloc.by_table(slots.as_mut_ptr(), capacity) };
            }
        }
        (should_free, ownership)
    }

    fn agree(entries: &[usize], conditions: &[u8], retained: &[usize]) {
        let expected = reference(entries, conditions, retained);
        for way in [Way::Exported, Way::Comparison, Way::Table] {
            let found = run(way, entries, conditions, retained);
            assert_eq!(found, expected, "{entries:?} {conditions:?} {retained:?}");
        }
    }

    /// All lists of `length` numbers below `bound`.
    fn lists(length: usize, bound: usize) -> impl Iterator<Item = Vec<usize>> {
        (0..bound.pow(length as u32)).map(move |code| {
            (0..length)
                .map(|digit| code / bound.pow(digit as u32) % bound)
                .collect()
        })
    }

    #[test]
    fn all_small_operations() {
        // Pointers 0 (null) to 3, up to four entries and two retained buffers.
        for n_entries in 0..=4 {
            for n_retained in 0..=2 {
                for entries in lists(n_entries, 4) {
                    for conditions in lists(n_entries, 2) {
                        let conditions: Vec<u8> = conditions.iter().map(|&c| c as u8).collect();
                        for retained in lists(n_retained, 4) {
                            agree(&entries, &conditions, &retained);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn random_operations_of_all_sizes() {
        let mut random = Random::new(11);
        for (most, rounds) in [(8, 2000), (40, 400), (700, 30), (3000, 4)] {
            for _ in 0..rounds {
                let different = random.below(most) + 1;
                let mut pointers = |n: u64| -> Vec<usize> {
                    (0..n)
                        .map(|_| random.below(different) as usize * 16)
                        .collect()
                };
                let (entries, retained) = (pointers(most), pointers(most / 3));
                let conditions: Vec<u8> = entries
                    .iter()
                    .map(|_| u8::from(random.below(3) != 0))
                    .collect();
                agree(&entries, &conditions, &retained);
            }
        }
    }

    #[test]
    fn a_false_earlier_entry_does_not_hide_a_true_later_one() {
        assert_eq!(
            run(Way::Exported, &[16, 16, 16], &[0, 1, 1], &[]).0,
            [0, 1, 0]
        );
    }

    #[test]
    fn threads_do_not_share_tables() {
        std::thread::scope(|scope| {
            for seed in 0..4 {
                scope.spawn(move || {
                    let mut random = Random::new(seed);
                    for _ in 0..20 {
                        let count = 1500 + random.below(3000) as usize;
                        let entries: Vec<usize> =
                            (0..count).map(|_| random.below(1 << 16) as usize).collect();
                        let conditions = vec![1; count];
                        let found = run(Way::Exported, &entries, &conditions, &entries[..7]);
                        assert_eq!(found, run(Way::Table, &entries, &conditions, &entries[..7]));
                    }
                });
            }
        });
    }

    #[test]
    fn large_operations_do_not_compare_each_with_each() {
        let count = 1 << 19;
        let entries: Vec<usize> = (1..=count).map(|index| index * 64).collect();
        let conditions = vec![1; count];
        let start = Instant::now();
        let (should_free, ownership) = run(Way::Exported, &entries, &conditions, &entries);
        assert!(should_free.iter().all(|&free| free == 0));
        assert!(ownership.iter().all(|&owned| owned == 1));
        // A second or so without optimization; 2^37 comparisons take minutes.
        assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
    }
}
