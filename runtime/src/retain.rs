//! The library forms of `bufferization.dealloc` and `deallocation.retain`.
//!
//! The operation has *entries*, buffers with a condition each, and *retained* buffers. An
//! entry is freed if its condition holds, no retained buffer has the same allocated pointer,
//! and no earlier entry with the same pointer is freed by the same operation. The caller ends
//! up owning a retained buffer if the condition of any entry with its pointer holds. Null is
//! a pointer like any other, as freeing it does nothing.
//!
//! `deallocation.retain` is the same on owners: every entry's condition holds, and of the
//! retained buffers that are one allocation the first alone gets its owner.
//!
//! Few pointers are compared with each other; more go through a hash table on the stack or,
//! if there are very many, in scratch memory. `malloc` is never called.

use core::mem::{self, MaybeUninit};
use core::ptr;

use crate::scratch;

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

/// Up to this many comparisons are faster than a table.
const FEW_COMPARISONS: usize = 64;

/// Where the operands of one operation are read and its answers written.
///
/// An answer may overwrite the operand that it is about: answers for retained buffers are
/// final before the first answer for an entry is given or, in a table, after the last.
trait Lists {
    /// Whether of several retained buffers with one pointer only the first is owned.
    const FIRST_OWNS: bool;
    fn n_entries(&self) -> usize;
    fn n_retained(&self) -> usize;
    fn entry(&self, index: usize) -> usize;
    fn condition(&self, index: usize) -> bool;
    fn retained(&self, index: usize) -> usize;
    fn set_should_free(&self, index: usize, value: bool);
    fn set_ownership(&self, index: usize, value: bool);
}

/// The lists of a `bufferization.dealloc`.
struct Dealloc {
    entries: *const usize,
    conditions: *const u8,
    n_entries: usize,
    retained: *const usize,
    n_retained: usize,
    should_free: *mut u8,
    ownership: *mut u8,
}

impl Lists for Dealloc {
    const FIRST_OWNS: bool = false;

    // SAFETY of all accessors: the index is below the number of entries or retained buffers,
    // and whoever makes the lists vouches for arrays of those lengths.

    #[inline]
    fn n_entries(&self) -> usize {
        self.n_entries
    }

    #[inline]
    fn n_retained(&self) -> usize {
        self.n_retained
    }

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
}

/// The lists of a `deallocation.retain`. A pointer whose answer is no becomes null.
struct Retain {
    owners: *mut usize,
    n_owners: usize,
    retained: *mut usize,
    n_retained: usize,
}

impl Lists for Retain {
    const FIRST_OWNS: bool = true;

    // SAFETY of all accessors: as for `Dealloc`.

    #[inline]
    fn n_entries(&self) -> usize {
        self.n_owners
    }

    #[inline]
    fn n_retained(&self) -> usize {
        self.n_retained
    }

    #[inline]
    fn entry(&self, index: usize) -> usize {
        debug_assert!(index < self.n_owners);
        // SAFETY: see above.
        unsafe { *self.owners.add(index) }
    }

    #[inline]
    fn condition(&self, _: usize) -> bool {
        true
    }

    #[inline]
    fn retained(&self, index: usize) -> usize {
        debug_assert!(index < self.n_retained);
        // SAFETY: see above.
        unsafe { *self.retained.add(index) }
    }

    #[inline]
    fn set_should_free(&self, index: usize, value: bool) {
        debug_assert!(index < self.n_owners);
        if !value {
            // SAFETY: see above.
            unsafe { *self.owners.add(index) = 0 };
        }
    }

    #[inline]
    fn set_ownership(&self, index: usize, value: bool) {
        debug_assert!(index < self.n_retained);
        if !value {
            // SAFETY: see above.
            unsafe { *self.retained.add(index) = 0 };
        }
    }
}

/// Compares each pointer with each other.
///
/// Where answers overwrite pointers, a null left behind changes nothing: it stands for a
/// buffer that is not owned, like those equal to it, or that an earlier one stands for.
fn by_comparison<L: Lists>(lists: &L) {
    let mut index = 0;
    while index < lists.n_retained() {
        let pointer = lists.retained(index);
        let mut owned = false;
        let mut entry = 0;
        while !owned && entry < lists.n_entries() {
            owned = lists.entry(entry) == pointer && lists.condition(entry);
            entry += 1;
        }
        let mut earlier = 0;
        while L::FIRST_OWNS && owned && earlier < index {
            owned = lists.retained(earlier) != pointer;
            earlier += 1;
        }
        lists.set_ownership(index, owned);
        index += 1;
    }
    let mut index = 0;
    while index < lists.n_entries() {
        let pointer = lists.entry(index);
        let mut free = lists.condition(index);
        let mut other = 0;
        while free && other < lists.n_retained() {
            free = lists.retained(other) != pointer;
            other += 1;
        }
        let mut earlier = 0;
        while free && earlier < index {
            free = lists.entry(earlier) != pointer || !lists.condition(earlier);
            earlier += 1;
        }
        lists.set_should_free(index, free);
        index += 1;
    }
}

/// Looks pointers up in a table of `capacity` slots, a power of two larger than the number
/// of pointers.
///
/// # Safety
/// `slots` has room for that many, at least two; they need not be initialized.
unsafe fn by_table<L: Lists>(lists: &L, slots: *mut Slot, capacity: usize) {
    // SAFETY: by the caller's promise. All-zero slots are not in use.
    unsafe { ptr::write_bytes(slots, 0, capacity) };
    // Multiplying by this spreads equally spaced addresses evenly over the high bits.
    let shift = (capacity as u64).leading_zeros() + 1;
    let hash = |pointer: usize| (pointer as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> shift;
    let find = |pointer: usize| {
        let mut index = hash(pointer) as usize;
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
    while index < lists.n_retained() {
        // SAFETY: `find` returns a slot of the table.
        unsafe { (*find(lists.retained(index))).flags |= RETAINED };
        index += 1;
    }
    let mut index = 0;
    while index < lists.n_entries() {
        let mut free = false;
        if lists.condition(index) {
            // SAFETY: `find` returns a slot of the table.
            let slot = unsafe { &mut *find(lists.entry(index)) };
            free = slot.flags == USED;
            slot.flags |= OWNED;
        }
        lists.set_should_free(index, free);
        index += 1;
    }
    let mut index = 0;
    while index < lists.n_retained() {
        // SAFETY: `find` returns a slot of the table.
        let slot = unsafe { &mut *find(lists.retained(index)) };
        lists.set_ownership(index, slot.flags & OWNED != 0);
        if L::FIRST_OWNS {
            slot.flags &= !OWNED;
        }
        index += 1;
    }
}

#[inline(never)]
fn by_table_on_stack<L: Lists>(lists: &L, capacity: usize) {
    let mut slots = [const { MaybeUninit::<Slot>::uninit() }; STACK_SLOTS];
    // SAFETY: the caller asks for no more than `STACK_SLOTS`.
    unsafe { by_table(lists, slots.as_mut_ptr().cast(), capacity) };
}

fn decide<L: Lists>(lists: &L) {
    let total = lists.n_entries().saturating_add(lists.n_retained());
    if lists.n_entries().saturating_mul(total) <= FEW_COMPARISONS || total > 1 << 48 {
        by_comparison(lists);
        return;
    }
    // A third of the slots stay free.
    let capacity = 1usize << (usize::BITS - (total + total / 2).leading_zeros());
    if capacity <= STACK_SLOTS {
        by_table_on_stack(lists, capacity);
        return;
    }
    let bytes = capacity * mem::size_of::<Slot>();
    let slots = scratch::take(bytes);
    if slots.is_null() {
        // Slow is better than wrong.
        by_comparison(lists);
        return;
    }
    // SAFETY: the memory is large enough and ours alone until we return it.
    unsafe {
        by_table(lists, slots.cast(), capacity);
        scratch::give_back(slots, bytes);
    }
}

/// `@dealloc_helper` of `bufferization-lower-deallocations` for many operands. It takes the
/// same memrefs, fields one by one as the calling convention has them: `memref<?xindex>`
/// entries and retained buffers, `memref<?xi1>` conditions, and as results `memref<?xi1>`
/// whether to free each entry and whether the caller owns each retained buffer.
///
/// # Safety
/// The memrefs are contiguous without offset, those about entries have equal lengths and so
/// have those about retained buffers; the results overlap nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn freehold_dealloc_helper(
    _: *const usize,
    entries: *const usize,
    _: u64,
    n_entries: u64,
    _: u64,
    _: *const usize,
    retained: *const usize,
    _: u64,
    n_retained: u64,
    _: u64,
    _: *const u8,
    conditions: *const u8,
    _: u64,
    _: u64,
    _: u64,
    _: *const u8,
    should_free: *mut u8,
    _: u64,
    _: u64,
    _: u64,
    _: *const u8,
    ownership: *mut u8,
    _: u64,
    _: u64,
    _: u64,
) {
    decide(&Dealloc {
        entries,
        conditions,
        n_entries: n_entries as usize,
        retained,
        n_retained: n_retained as usize,
        should_free,
        ownership,
    });
}

/// `deallocation.retain`: replaces each of the `n_retained` allocated pointers at `retained` by
/// its owner, or null, and each of the `n_owners` pointers at `owners` that must not be freed by
/// null: those given to a retained buffer, and repeated ones. The caller frees what is left
/// of `owners`.
///
/// # Safety
/// The arrays have these lengths and do not overlap.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn freehold_retain(
    owners: *mut usize,
    n_owners: u64,
    retained: *mut usize,
    n_retained: u64,
) {
    decide(&Retain {
        owners,
        n_owners: n_owners as usize,
        retained,
        n_retained: n_retained as usize,
    });
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
            let free = condition == 1 && !retained.contains(&pointer) && !freed.contains(&pointer);
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
        /// What suits the sizes.
        Sized,
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
            Way::Sized => decide(&dealloc),
            Way::Comparison => by_comparison(&dealloc),
            Way::Table => {
                let capacity = (entries.len() + retained.len() + 2).next_power_of_two();
                let mut slots: Vec<Slot> = Vec::with_capacity(capacity);
                // SAFETY: there is room for `capacity` slots.
                unsafe { by_table(&dealloc, slots.as_mut_ptr(), capacity) };
            }
        }
        (should_free, ownership)
    }

    /// `deallocation.retain`, word for word: owners handed out, and owners left over.
    fn retain_reference(owners: &[usize], retained: &[usize]) -> (Vec<usize>, Vec<usize>) {
        let mut left = Vec::new();
        for &owner in owners {
            let is_first = !left.contains(&owner);
            left.push(if is_first { owner } else { 0 });
        }
        let given = retained.iter().map(|pointer| {
            let found = left.iter_mut().find(|owner| *owner == pointer);
            found.map_or(0, mem::take)
        });
        let given = given.collect();
        (given, left)
    }

    fn retain(way: Way, owners: &[usize], retained: &[usize]) -> (Vec<usize>, Vec<usize>) {
        let (mut left, mut given) = (owners.to_vec(), retained.to_vec());
        let (n_owners, n_retained) = (left.len(), given.len());
        let lists = Retain {
            owners: left.as_mut_ptr(),
            n_owners,
            retained: given.as_mut_ptr(),
            n_retained,
        };
        match way {
            // SAFETY: two separate arrays of these lengths.
            Way::Sized => unsafe {
                freehold_retain(
                    lists.owners,
                    n_owners as u64,
                    lists.retained,
                    n_retained as u64,
                );
            },
            Way::Comparison => by_comparison(&lists),
            Way::Table => {
                let capacity = (n_owners + n_retained + 2).next_power_of_two();
                let mut slots: Vec<Slot> = Vec::with_capacity(capacity);
                // SAFETY: there is room for `capacity` slots.
                unsafe { by_table(&lists, slots.as_mut_ptr(), capacity) };
            }
        }
        (given, left)
    }

    fn agree(entries: &[usize], conditions: &[u8], retained: &[usize]) {
        let expected = reference(entries, conditions, retained);
        for way in [Way::Sized, Way::Comparison, Way::Table] {
            let found = run(way, entries, conditions, retained);
            assert_eq!(found, expected, "{entries:?} {conditions:?} {retained:?}");
        }
        let expected = retain_reference(entries, retained);
        for way in [Way::Sized, Way::Comparison, Way::Table] {
            let found = retain(way, entries, retained);
            assert_eq!(found, expected, "{entries:?} {retained:?}");
        }
    }

    #[test]
    fn takes_memrefs_field_by_field() {
        let (entries, conditions, retained) = ([16usize, 16, 32], [1u8, 1, 1], [32usize]);
        let (mut should_free, mut ownership) = ([9u8; 3], [9u8; 1]);
        let none = ptr::null();
        // SAFETY: five contiguous memrefs of lengths 3, 1, 3, 3 and 1.
        unsafe {
            #[rustfmt::skip]
            freehold_dealloc_helper(
                none, entries.as_ptr(), 0, 3, 1,
                none, retained.as_ptr(), 0, 1, 1,
                none.cast(), conditions.as_ptr(), 0, 3, 1,
                none.cast(), should_free.as_mut_ptr(), 0, 3, 1,
                none.cast(), ownership.as_mut_ptr(), 0, 1, 1,
            );
        }
        assert_eq!((should_free, ownership), ([1, 0, 0], [1]));
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
        assert_eq!(run(Way::Sized, &[16, 16, 16], &[0, 1, 1], &[]).0, [0, 1, 0]);
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
                        let found = run(Way::Sized, &entries, &conditions, &entries[..7]);
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
        let (should_free, ownership) = run(Way::Sized, &entries, &conditions, &entries);
        assert!(should_free.iter().all(|&free| free == 0));
        assert!(ownership.iter().all(|&owned| owned == 1));
        // A second or so without optimization; 2^37 comparisons take minutes.
        assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
    }
}
