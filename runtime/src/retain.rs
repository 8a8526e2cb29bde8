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
//! Both are answered by one question per operand: which operand is the first with its pointer?
//! A few operands look through all earlier ones; more go through a hash table of operand numbers
//! on the stack or, if there are very many, in scratch memory. `malloc` is never called.

use core::mem::MaybeUninit;
use core::ptr;

use crate::{out_of_memory, scratch};

/// The operands of one operation: first the retained buffers, then the entries.
#[derive(Clone, Copy)]
struct Operands {
    /// Their allocated pointers. They are overwritten.
    pointers: *mut usize,
    /// Of each entry its condition, then whether to free it; of each retained buffer, afterwards,
    /// whether the caller owns it.
    flags: *mut u8,
    n_retained: usize,
    total: usize,
}

/// Up to this many operands looking through all earlier ones is faster than a table.
const FEW_OPERANDS: usize = 12;

/// Marks a retained buffer that is the same as an earlier one, until the end.
const REPEATED: u8 = 2;

/// A number of an operand, as a table holds it.
trait Number: Copy {
    fn new(number: usize) -> Self;
    fn get(self) -> usize;
}

macro_rules! numbers {
    ($($ty:ty)*) => {
        $(impl Number for $ty {
            #[inline(always)]
            fn new(number: usize) -> Self {
                number as $ty
            }

            #[inline(always)]
            fn get(self) -> usize {
                self as usize
            }
        })*
    };
}

numbers! { u8 u16 u32 }

/// Answers for all operands. `first` gives the number of the first operand with the pointer of
/// the operand it is asked about; it is asked about retained buffers and entries whose
/// conditions hold, about each once and in their order.
///
/// Why this is right: if the first one is a retained buffer, an entry is not freed but makes it
/// owned. If it is another entry, that one was freed already. If it is the entry itself, that is
/// freed. In all three cases the flag of the first one becomes true. A retained buffer that
/// repeats one before takes over the answer about that in the end, or has none if only the first
/// owns.
///
/// Until then it holds the inverted number of that one instead of its pointer, and an entry whose
/// condition does not hold its own: nobody must find these, and nobody does, as no allocation
/// is that near the end of the address space.
///
/// # Safety
/// The arrays have `total` elements, and what `first` returns is not larger than what it is given.
#[inline(always)]
unsafe fn decide(operands: Operands, only_first_owns: bool, mut first: impl FnMut(usize) -> usize) {
    let Operands {
        pointers,
        flags,
        n_retained,
        total,
    } = operands;
    let mut any_repeated = false;
    let mut i = 0;
    // SAFETY: all numbers are below `total`: `i` counts to it, and what `first` returns is
    // not larger. What stands for a repeated buffer's pointer was returned by it.
    unsafe {
        while i < n_retained {
            let original = first(i);
            *flags.add(i) = 0;
            if original != i {
                *flags.add(i) = REPEATED;
                *pointers.add(i) = !original;
                any_repeated = true;
            }
            i += 1;
        }
        while i < total {
            let flag = flags.add(i);
            if *flag & 1 != 0 {
                *flag = 0;
                *flags.add(first(i)) = 1;
            } else {
                *flag = 0;
                *pointers.add(i) = !i;
            }
            i += 1;
        }
        let mut i = 0;
        while any_repeated && i < n_retained {
            if *flags.add(i) == REPEATED {
                let original = !*pointers.add(i);
                *flags.add(i) = if only_first_owns {
                    0
                } else {
                    *flags.add(original)
                };
            }
            i += 1;
        }
    }
}

/// Looks through all earlier operands.
///
/// # Safety
/// The arrays have `total` elements.
unsafe fn by_comparison(operands: Operands, only_first_owns: bool) {
    // SAFETY: by the caller's promise, and the search ends at the operand itself.
    unsafe {
        decide(operands, only_first_owns, |i| {
            let pointer = *operands.pointers.add(i);
            let mut first = 0;
            while *operands.pointers.add(first) != pointer {
                first += 1;
            }
            first
        });
    }
}

/// Looks pointers up in a table of `1 << bits` numbers of operands.
///
/// An empty slot holds zero, which is also the number of the first operand: whoever comes to
/// an empty slot compares with that one, too. So it needs no slot of its own, and no slot needs a
/// mark that says it is empty.
///
/// # Safety
/// The arrays have `total` elements, which is less than the number of slots. `table` has room for
/// those; it need not be initialized. `N` holds all numbers below `total`.
#[inline(always)]
unsafe fn by_table<N: Number>(operands: Operands, only_first_owns: bool, table: *mut N, bits: u32) {
    let mask = (1usize << bits) - 1;
    let pointers = operands.pointers;
    // SAFETY: slots are below `1 << bits` and hold numbers of operands. The search ends because
    // there are more slots than operands.
    unsafe {
        ptr::write_bytes(table, 0, mask + 1);
        decide(operands, only_first_owns, |i| {
            let pointer = *pointers.add(i);
            // This spreads equally spaced addresses evenly over the high bits.
            let hash = (pointer as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let mut slot = (hash >> (64 - bits)) as usize;
            loop {
                let known = (*table.add(slot)).get();
                // Branches are better here than selecting: which way they go is mostly the same
                // each time an operation is executed, and the next search need not wait.
                if *pointers.add(known) == pointer {
                    return known;
                }
                if known == 0 {
                    *table.add(slot) = N::new(i);
                    return i;
                }
                slot = (slot + 1) & mask;
            }
        });
    }
}

/// [`by_table`] with a table on the stack.
///
/// # Safety
/// As for [`by_table`], and `SLOTS` are at least as many as it wants room for.
#[inline(never)]
unsafe fn by_table_on_stack<N: Number, const SLOTS: usize>(
    operands: Operands,
    only_first_owns: bool,
    bits: u32,
) {
    let mut table = [const { MaybeUninit::<N>::uninit() }; SLOTS];
    // SAFETY: by the caller's promise.
    unsafe { by_table::<N>(operands, only_first_owns, table.as_mut_ptr().cast(), bits) };
}

/// [`by_table`] with a table in scratch memory.
///
/// # Safety
/// The arrays have `total` elements.
#[cold]
unsafe fn by_table_in_scratch<N: Number>(operands: Operands, only_first_owns: bool) {
    let bits = usize::BITS - operands.total.leading_zeros() + 1;
    let bytes = size_of::<N>() << bits;
    let table = scratch::take(bytes);
    // SAFETY: by the caller's promise; the memory is large enough and ours alone until we return
    // it.
    unsafe {
        if table.is_null() {
            // Slow is better than wrong.
            by_comparison(operands, only_first_owns);
        } else {
            by_table::<N>(operands, only_first_owns, table.cast(), bits);
            scratch::give_back(table, bytes);
        }
    }
}

/// Answers in the way that suits the number of operands.
///
/// # Safety
/// The arrays have `total` elements.
#[inline(always)]
unsafe fn answer(operands: Operands, only_first_owns: bool) {
    let total = operands.total;
    // SAFETY: by the caller's promise; a table has at least twice as many slots as there are
    // operands.
    unsafe {
        if total <= FEW_OPERANDS {
            by_comparison(operands, only_first_owns);
        } else if total <= 64 {
            by_table_on_stack::<u8, 256>(operands, only_first_owns, 8);
        } else if total <= 128 {
            by_table_on_stack::<u8, 512>(operands, only_first_owns, 9);
        } else if total <= 256 {
            by_table_on_stack::<u8, 1024>(operands, only_first_owns, 10);
        } else if total <= 2048 {
            let bits = usize::BITS - total.leading_zeros() + 1;
            by_table_on_stack::<u16, 8192>(operands, only_first_owns, bits);
        } else if total <= 0x1_0000 {
            by_table_in_scratch::<u16>(operands, only_first_owns);
        } else {
            // More than four thousand million pointers would take more than 32 GB.
            by_table_in_scratch::<u32>(operands, only_first_owns);
        }
    }
}

/// Decides a `bufferization.dealloc` of many operands. `pointers` holds the allocated pointers of
/// the retained buffers, then those of the entries, and is overwritten. After as many bytes as
/// there are retained buffers, `flags` holds the conditions of the entries, zero or one. They are
/// replaced by whether to free each entry, the bytes before by whether the caller owns each
/// retained buffer.
///
/// # Safety
/// The arrays have these lengths and do not overlap.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn freehold_dealloc_helper(
    pointers: *mut usize,
    n_retained: u64,
    n_entries: u64,
    flags: *mut u8,
) {
    let operands = Operands {
        pointers,
        flags,
        n_retained: n_retained as usize,
        total: n_retained.wrapping_add(n_entries) as usize,
    };
    // SAFETY: by the caller's promise.
    unsafe { answer(operands, false) };
}

/// Flags of this many operands are on the stack.
const STACK_FLAGS: usize = 2048;

/// `deallocation.retain`: `pointers` holds the allocated pointers of `n_retained` buffers and then
/// `n_owners` owners. Replaces each of the former by its owner, or null, and each owner that
/// must not be freed by null: those given to a retained buffer, and repeated ones. The caller
/// frees the owners that are left.
///
/// # Safety
/// The array has this length.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn freehold_retain(pointers: *mut usize, n_retained: u64, n_owners: u64) {
    let (n_retained, n_owners) = (n_retained as usize, n_owners as usize);
    let total = n_retained.wrapping_add(n_owners);
    if total <= STACK_FLAGS {
        let mut flags = [0; STACK_FLAGS];
        // SAFETY: there are as many flags as operands.
        unsafe { retain(pointers, flags.as_mut_ptr(), n_retained, total) };
        return;
    }
    let flags = scratch::take(total);
    if flags.is_null() {
        out_of_memory(total as u64, ptr::null());
    }
    // SAFETY: the memory is large enough and ours alone until we return it.
    unsafe {
        retain(pointers, flags, n_retained, total);
        scratch::give_back(flags, total);
    }
}

/// [`freehold_retain`] with memory for as many flags as there are operands.
///
/// # Safety
/// The arrays have `total` elements.
unsafe fn retain(pointers: *mut usize, flags: *mut u8, n_retained: usize, total: usize) {
    let operands = Operands {
        pointers,
        flags,
        n_retained,
        total,
    };
    // SAFETY: all numbers are below `total`.
    unsafe {
        ptr::write_bytes(flags.add(n_retained), 1, total - n_retained);
        answer(operands, true);
        let mut i = 0;
        while i < total {
            if *flags.add(i) == 0 {
                *pointers.add(i) = 0;
            }
            i += 1;
        }
    }
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
    #[derive(Clone, Copy, Debug, PartialEq)]
    enum Way {
        /// What suits the sizes.
        Sized,
        Comparison,
        Table,
    }

    const WAYS: [Way; 3] = [Way::Sized, Way::Comparison, Way::Table];

    /// # Safety
    /// The arrays have `total` elements.
    unsafe fn decide_in(way: Way, operands: Operands, only_first_owns: bool) {
        // SAFETY: by the caller's promise; there is room for all slots.
        unsafe {
            match way {
                Way::Sized => answer(operands, only_first_owns),
                Way::Comparison => by_comparison(operands, only_first_owns),
                Way::Table => {
                    let bits = (operands.total + 2).next_power_of_two().trailing_zeros();
                    let mut table: Vec<u32> = Vec::with_capacity(1 << bits);
                    by_table(operands, only_first_owns, table.as_mut_ptr(), bits);
                }
            }
        }
    }

    /// Runs the operation: for each operand its pointer and its flag.
    fn run_on(
        way: Way,
        only_first_owns: bool,
        entries: &[usize],
        conditions: &[u8],
        retained: &[usize],
    ) -> (Vec<usize>, Vec<u8>) {
        let mut pointers = [retained, entries].concat();
        let mut flags = [&vec![9; retained.len()], conditions].concat();
        let operands = Operands {
            pointers: pointers.as_mut_ptr(),
            flags: flags.as_mut_ptr(),
            n_retained: retained.len(),
            total: pointers.len(),
        };
        // SAFETY: the vectors have this length.
        unsafe { decide_in(way, operands, only_first_owns) };
        (pointers, flags)
    }

    fn run(way: Way, entries: &[usize], conditions: &[u8], retained: &[usize]) -> Result {
        let (_, mut flags) = run_on(way, false, entries, conditions, retained);
        let should_free = flags.split_off(retained.len());
        (should_free, flags)
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
            found.map_or(0, std::mem::take)
        });
        let given = given.collect();
        (given, left)
    }

    /// `deallocation.retain`.
    fn run_retain(owners: &[usize], retained: &[usize]) -> (Vec<usize>, Vec<usize>) {
        let mut pointers = [retained, owners].concat();
        let (n_retained, n_owners) = (retained.len() as u64, owners.len() as u64);
        // SAFETY: the vector has this length.
        unsafe { freehold_retain(pointers.as_mut_ptr(), n_retained, n_owners) };
        let left = pointers.split_off(retained.len());
        (pointers, left)
    }

    fn agree(entries: &[usize], conditions: &[u8], retained: &[usize]) {
        let expected = reference(entries, conditions, retained);
        for way in WAYS {
            let found = run(way, entries, conditions, retained);
            assert_eq!(
                found, expected,
                "{way:?}: {entries:?} {conditions:?} {retained:?}"
            );
        }
        let (given, left) = retain_reference(entries, retained);
        let expected: Vec<u8> = given
            .iter()
            .chain(&left)
            .map(|&pointer| u8::from(pointer != 0))
            .collect();
        // Null does not tell whether it is left over.
        if !entries.contains(&0) {
            let all_true = vec![1; entries.len()];
            for way in WAYS {
                let (_, flags) = run_on(way, true, entries, &all_true, retained);
                assert_eq!(flags, expected, "{way:?}: {entries:?} {retained:?}");
            }
        }
        let found = run_retain(entries, retained);
        assert_eq!(found, (given, left), "{entries:?} {retained:?}");
    }

    #[test]
    fn compiled_code_passes_two_arrays() {
        let (mut pointers, mut flags) = ([32usize, 16, 16, 32], [9u8, 1, 1, 1]);
        // SAFETY: two arrays of one retained buffer and three entries.
        unsafe { freehold_dealloc_helper(pointers.as_mut_ptr(), 1, 3, flags.as_mut_ptr()) };
        assert_eq!(flags, [1, 1, 0, 0]);
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
        for (most, rounds) in [(8, 2000), (40, 400), (180, 60), (700, 30), (3000, 4)] {
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
    fn large_operations_take_little_stack() {
        let test = || {
            let entries: Vec<usize> = (1..=70_000).map(|index| index * 64).collect();
            for count in [1000, 2000, 60_000, entries.len()] {
                let entries = &entries[..count];
                let found = run(Way::Sized, entries, &vec![1; count], &entries[..9]);
                assert_eq!(found.0.iter().position(|&free| free == 1), Some(9));
                let (given, left) = run_retain(entries, &entries[1..9]);
                assert_eq!(left.iter().filter(|&&owner| owner != 0).count(), count - 8);
                assert_eq!(given, &entries[1..9]);
            }
        };
        let thread = std::thread::Builder::new().stack_size(64 << 10);
        thread.spawn(test).unwrap().join().unwrap();
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
        // A second or so without optimization; 2^39 comparisons take minutes.
        assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
    }
}
