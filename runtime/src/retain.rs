//! The library forms of `bufferization.dealloc` and `deallocation.retain`.
//!
//! The operation has *entries*, buffers with a condition each, and *retained* buffers. An
//! entry is freed if its condition holds, no retained buffer has the same allocated pointer,
//! and no earlier entry with the same pointer is freed by the same operation. The caller ends
//! up owning a retained buffer if the condition of any entry with its pointer holds. Null is
//! a pointer like any other, as freeing it does nothing.
//!
//! Entries whose condition does not hold mean nothing, so the caller leaves them out. An entry is
//! freed if it is the first of all equal ones and no retained buffer equals it, and a retained
//! buffer is owned if an entry equals it. `deallocation.retain` is the same on owners, but of the
//! retained buffers that are one allocation the first alone gets its owner.
//!
//! Entries go into a hash table of their numbers on the stack or, if there are very many, in
//! scratch memory; retained buffers are only looked up. `malloc` is never called.

use core::mem::MaybeUninit;
use core::ptr;

use crate::output::out_of_memory;
use crate::scratch;

/// The operands of one operation.
#[derive(Clone, Copy)]
struct Operation {
    /// The allocated pointers of the retained buffers.
    retained: *const usize,
    n_retained: usize,
    /// Those of the entries. Afterwards those that are to be freed come first.
    entries: *mut usize,
    n_entries: usize,
    /// Afterwards: whether the caller owns each retained buffer.
    owned: *mut u8,
    /// Whether that is so only for the first of equal retained buffers.
    only_first_owns: bool,
}

/// Up to this many entries, facts about them fit in one word.
const FEW_ENTRIES: usize = 64;

/// A number of an entry, as a table holds it.
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

/// Decides about at most [`FEW_ENTRIES`] entries, at least one, with a table of `1 << BITS`.
///
/// Every pointer has one place in the table. An empty place holds zero, which is the number of the first entry, too:
/// whoever comes there compares with that one, and no place needs a mark that says it is empty. An entry whose place is
/// taken by another pointer is *displaced*. That is rare, and such entries are compared with everything afterwards, so
/// that nothing but placing entries depends on unpredictable branches.
///
/// # Safety
/// The lists of the operation are as long as it says.
#[inline(never)]
unsafe fn decide_few<const BITS: u32, const SLOTS: usize>(operation: Operation) -> usize {
    const { assert!(SLOTS == 1 << BITS) };
    let Operation {
        retained,
        n_retained,
        entries,
        n_entries,
        owned,
        only_first_owns,
    } = operation;
    let mut table = [0u8; SLOTS];
    let table = table.as_mut_ptr();
    // The lower halves of pointers are enough: those of one program hardly differ above.
    let place = |pointer: usize| {
        let hash = (pointer as u32).wrapping_mul(0x9e37_79b1);
        (hash >> (u32::BITS - BITS)) as usize
    };
    // Sets of numbers of entries: those that no earlier entry equals, and of these the displaced ones
    // and those that a retained buffer equals.
    let mut first = 1u64;
    let mut displaced = 0u64;
    let mut kept = 0u64;
    // SAFETY: places are below the size of the table, which holds numbers below `n_entries`; all
    // other numbers are below the lengths of the lists.
    unsafe {
        let place_of_first = place(*entries);
        let mut i = 1;
        while i < n_entries {
            let pointer = *entries.add(i);
            let place = place(pointer);
            let known = usize::from(*table.add(place));
            if *entries.add(known) != pointer {
                if known == 0 && place != place_of_first {
                    *table.add(place) = i as u8;
                    first |= 1 << i;
                } else if !any_is(entries, displaced, pointer) {
                    displaced |= 1 << i;
                    first |= 1 << i;
                }
            }
            i += 1;
        }
        let mut answer = |i: usize| {
            let pointer = *retained.add(i);
            let known = *table.add(place(pointer));
            let mut same = u64::from(*entries.add(usize::from(known)) == pointer);
            if only_first_owns {
                same &= !(kept >> known);
            }
            kept |= same << known;
            same
        };
        let mut i = 0;
        // Writing eight answers at once takes much less time.
        while i + 8 <= n_retained {
            let mut answers = 0;
            let mut byte = 0;
            while byte < 8 {
                answers |= answer(i + byte) << (8 * byte);
                byte += 1;
            }
            owned.add(i).cast::<u64>().write_unaligned(answers.to_le());
            i += 8;
        }
        while i < n_retained {
            *owned.add(i) = answer(i) as u8;
            i += 1;
        }
        while displaced != 0 {
            let entry = displaced.trailing_zeros();
            displaced &= displaced - 1;
            let pointer = *entries.add(entry as usize);
            let mut any = 0;
            let mut i = 0;
            while i < n_retained {
                let mut same = u8::from(*retained.add(i) == pointer);
                if only_first_owns {
                    same &= !any;
                }
                any |= same;
                *owned.add(i) |= same;
                i += 1;
            }
            kept |= u64::from(any) << entry;
        }
        let mut frees = first & !kept;
        let mut n_frees = 0;
        while frees != 0 {
            *entries.add(n_frees) = *entries.add(frees.trailing_zeros() as usize);
            frees &= frees - 1;
            n_frees += 1;
        }
        n_frees
    }
}

/// Whether any entry whose number is in `set` has this pointer.
///
/// # Safety
/// All of them are in the list.
#[cold]
unsafe fn any_is(entries: *const usize, mut set: u64, pointer: usize) -> bool {
    while set != 0 {
        // SAFETY: by the caller's promise.
        if unsafe { *entries.add(set.trailing_zeros() as usize) } == pointer {
            return true;
        }
        set &= set - 1;
    }
    false
}

/// Decides about any number of entries but zero with a table of `1 << bits` of their numbers.
/// As in [`decide_few`], zero stands for nothing and for the first entry at once, and that entry's
/// place may be taken: who looks for it goes on to one that is empty.
///
/// # Safety
/// The lists of the operation are as long as it says. The table has more slots than there are
/// entries, `kept` room for one more than those; neither need be initialized. `N` holds all their
/// numbers.
#[inline(always)]
unsafe fn decide_many<N: Number>(
    operation: Operation,
    table: *mut N,
    bits: u32,
    kept: *mut u8,
) -> usize {
    let Operation {
        retained,
        n_retained,
        entries,
        n_entries,
        owned,
        only_first_owns,
    } = operation;
    let mask = (1usize << bits) - 1;
    // SAFETY: slots are below `1 << bits` and hold numbers of entries; all other numbers are below
    // the lengths of the lists.
    unsafe {
        ptr::write_bytes(table, 0, mask + 1);
        // The slot of a pointer, the entry in there, and whether it is that pointer; if not, the
        // slot is empty. The search ends because there are more slots than entries.
        let find = |pointer: usize| {
            // This spreads equally spaced addresses evenly over the high bits.
            let hash = (pointer as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let mut slot = (hash >> (u64::BITS - bits)) as usize;
            loop {
                let known = (*table.add(slot)).get();
                let same = *entries.add(known) == pointer;
                if same || known == 0 {
                    return (table.add(slot), known, same);
                }
                slot = (slot + 1) & mask;
            }
        };
        *kept = 0;
        let mut i = 1;
        while i < n_entries {
            let (slot, known, same) = find(*entries.add(i));
            *slot = N::new(if same { known } else { i });
            *kept.add(i) = u8::from(same);
            i += 1;
        }
        let mut i = 0;
        while i < n_retained {
            let (_, known, mut same) = find(*retained.add(i));
            if only_first_owns {
                same &= *kept.add(known) == 0;
            }
            *owned.add(i) = u8::from(same);
            // What belongs to no entry goes behind all of them.
            *kept.add(if same { known } else { n_entries }) = 1;
            i += 1;
        }
        let mut n_frees = 0;
        let mut i = 0;
        while i < n_entries {
            *entries.add(n_frees) = *entries.add(i);
            n_frees += usize::from(*kept.add(i) == 0);
            i += 1;
        }
        n_frees
    }
}

/// [`decide_many`] with a table on the stack.
///
/// # Safety
/// As for [`decide_many`]; `SLOTS` are at least as many as it wants room for, and more than twice
/// as many as there are entries.
#[inline(never)]
unsafe fn decide_on_stack<N: Number, const SLOTS: usize>(operation: Operation, bits: u32) -> usize {
    let mut table = [const { MaybeUninit::<N>::uninit() }; SLOTS];
    let mut kept = [const { MaybeUninit::<u8>::uninit() }; SLOTS];
    let (table, kept) = (table.as_mut_ptr().cast(), kept.as_mut_ptr().cast());
    // SAFETY: by the caller's promise.
    unsafe { decide_many::<N>(operation, table, bits, kept) }
}

/// [`decide_many`] with a table in scratch memory.
///
/// # Safety
/// The lists of the operation are as long as it says.
#[cold]
unsafe fn decide_in_scratch<N: Number>(operation: Operation) -> usize {
    let bits = table_bits(operation.n_entries);
    let table_bytes = size_of::<N>() << bits;
    let bytes = table_bytes + operation.n_entries + 1;
    let memory = scratch::take(bytes);
    if memory.is_null() {
        out_of_memory(bytes as u64, ptr::null());
    }
    // SAFETY: by the caller's promise; the memory is large enough and ours alone until we return
    // it.
    unsafe {
        let kept = memory.add(table_bytes);
        let n_frees = decide_many::<N>(operation, memory.cast(), bits, kept);
        scratch::give_back(memory, bytes);
        n_frees
    }
}

/// For this many entries a table has `1 << table_bits` slots: more than twice as many.
#[inline(always)]
fn table_bits(n_entries: usize) -> u32 {
    usize::BITS - n_entries.leading_zeros() + 1
}

/// Decides in the way that suits the number of entries; returns how many pointers are to be freed,
/// which are the first ones in the list of entries then.
///
/// # Safety
/// The lists of the operation are as long as it says.
#[inline(always)]
unsafe fn decide(operation: Operation) -> usize {
    let n_entries = operation.n_entries;
    let bits = table_bits(n_entries);
    // SAFETY: by the caller's promise.
    unsafe {
        if n_entries == 0 {
            ptr::write_bytes(operation.owned, 0, operation.n_retained);
            0
        } else if n_entries <= 8 {
            decide_few::<7, 128>(operation)
        } else if n_entries <= FEW_ENTRIES {
            decide_few::<9, 512>(operation)
        } else if n_entries <= 256 {
            decide_on_stack::<u8, 1024>(operation, bits)
        } else if n_entries < 2048 {
            decide_on_stack::<u16, 4096>(operation, bits)
        } else if n_entries <= 0x1_0000 {
            decide_in_scratch::<u16>(operation)
        } else {
            // More than four thousand million pointers would take more than 32 GB.
            decide_in_scratch::<u32>(operation)
        }
    }
}

/// Decides a `bufferization.dealloc` of many operands. `pointers` holds the allocated pointers of
/// `n_retained` retained buffers, then those of the entries whose conditions hold, and has
/// `n_operands` in all. `owned` receives whether the caller owns each retained buffer. The
/// pointers to be freed replace those of entries, and where they end is returned.
///
/// # Safety
/// The arrays have these lengths and do not overlap.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn freehold_dealloc_helper(
    pointers: *mut usize,
    n_retained: u64,
    n_operands: u64,
    owned: *mut u8,
) -> u64 {
    // SAFETY: by the caller's promise.
    unsafe {
        let operation = Operation {
            retained: pointers,
            n_retained: n_retained as usize,
            entries: pointers.add(n_retained as usize),
            n_entries: n_operands.wrapping_sub(n_retained) as usize,
            owned,
            only_first_owns: false,
        };
        n_retained.wrapping_add(decide(operation) as u64)
    }
}

/// Flags of this many retained buffers are on the stack; bounds the frame to half a page.
const STACK_FLAGS: usize = 2048;

/// `deallocation.retain`: `pointers` holds the allocated pointers of `n_retained` buffers and then
/// `n_owners` owners. Replaces each of the former by its owner, or null. The owners that were not handed out,
/// each once, replace all owners, and where they end is returned: the caller frees them.
///
/// # Safety
/// The array has this length.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn freehold_retain(
    pointers: *mut usize,
    n_retained: u64,
    n_owners: u64,
) -> u64 {
    let (n_retained, n_owners) = (n_retained as usize, n_owners as usize);
    let on_stack = n_retained <= STACK_FLAGS;
    let mut flags = [const { MaybeUninit::<u8>::uninit() }; STACK_FLAGS];
    let owned = if on_stack {
        flags.as_mut_ptr().cast()
    } else {
        scratch::take(n_retained)
    };
    if owned.is_null() {
        out_of_memory(n_retained as u64, ptr::null());
    }
    // SAFETY: the lists have these lengths; scratch memory is ours alone until we return it.
    unsafe {
        let n_frees = decide(Operation {
            retained: pointers,
            n_retained,
            entries: pointers.add(n_retained),
            n_entries: n_owners,
            owned,
            only_first_owns: true,
        });
        let mut i = 0;
        while i < n_retained {
            if *owned.add(i) == 0 {
                *pointers.add(i) = 0;
            }
            i += 1;
        }
        if !on_stack {
            scratch::give_back(owned, n_retained);
        }
        n_retained.wrapping_add(n_frees) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Random;
    use std::time::Instant;
    use std::vec;
    use std::vec::Vec;

    /// The pointers that are freed, and which retained buffers are owned.
    type Result = (Vec<usize>, Vec<u8>);

    /// The definition, word for word.
    fn reference(entries: &[usize], conditions: &[u8], retained: &[usize]) -> Result {
        let mut freed = Vec::new();
        for (&pointer, &condition) in entries.iter().zip(conditions) {
            if condition == 1 && !retained.contains(&pointer) && !freed.contains(&pointer) {
                freed.push(pointer);
            }
        }
        let owns = |pointer| {
            entries
                .iter()
                .zip(conditions)
                .any(|(e, &c)| e == pointer && c == 1)
        };
        let owned = retained.iter().map(|pointer| u8::from(owns(pointer)));
        (freed, owned.collect())
    }

    /// How to run the operation.
    #[derive(Clone, Copy, Debug, PartialEq)]
    enum Way {
        /// What suits the sizes.
        Sized,
        /// A table that is as full as it may be.
        Table,
    }

    const WAYS: [Way; 2] = [Way::Sized, Way::Table];

    /// Runs the operation on entries whose conditions hold.
    fn run_on(way: Way, only_first_owns: bool, entries: &[usize], retained: &[usize]) -> Result {
        let mut entries = entries.to_vec();
        let mut owned = vec![9; retained.len()];
        let operation = Operation {
            retained: retained.as_ptr(),
            n_retained: retained.len(),
            entries: entries.as_mut_ptr(),
            n_entries: entries.len(),
            owned: owned.as_mut_ptr(),
            only_first_owns,
        };
        // SAFETY: the vectors have these lengths; there is room for all slots.
        let n_frees = unsafe {
            match way {
                Way::Table if !entries.is_empty() => {
                    let bits = (entries.len() + 1).next_power_of_two().trailing_zeros();
                    let mut table: Vec<u32> = Vec::with_capacity(1 << bits);
                    let mut kept = Vec::with_capacity(entries.len() + 1);
                    decide_many(operation, table.as_mut_ptr(), bits, kept.as_mut_ptr())
                }
                _ => decide(operation),
            }
        };
        entries.truncate(n_frees);
        (entries, owned)
    }

    fn run(way: Way, entries: &[usize], conditions: &[u8], retained: &[usize]) -> Result {
        let entries: Vec<usize> = entries
            .iter()
            .zip(conditions)
            .filter_map(|(&pointer, &condition)| (condition == 1).then_some(pointer))
            .collect();
        run_on(way, false, &entries, retained)
    }

    /// `deallocation.retain`, word for word: owners handed out, and owners left over.
    fn retain_reference(owners: &[usize], retained: &[usize]) -> (Vec<usize>, Vec<usize>) {
        let mut left: Vec<usize> = Vec::new();
        for &owner in owners {
            if !left.contains(&owner) {
                left.push(owner);
            }
        }
        let given = retained.iter().map(|pointer| {
            let found = left.iter().position(|owner| owner == pointer);
            found.map_or(0, |found| left.remove(found))
        });
        let given = given.collect();
        (given, left)
    }

    /// `deallocation.retain`.
    fn run_retain(owners: &[usize], retained: &[usize]) -> (Vec<usize>, Vec<usize>) {
        let mut pointers = [retained, owners].concat();
        let (n_retained, n_owners) = (retained.len() as u64, owners.len() as u64);
        // SAFETY: the vector has this length.
        let end = unsafe { freehold_retain(pointers.as_mut_ptr(), n_retained, n_owners) };
        pointers.truncate(end as usize);
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
        // Null does not tell whether it was given.
        if !entries.contains(&0) {
            let owned = given.iter().map(|&pointer| u8::from(pointer != 0));
            let expected = (left.clone(), owned.collect());
            for way in WAYS {
                let found = run_on(way, true, entries, retained);
                assert_eq!(found, expected, "{way:?}: {entries:?} {retained:?}");
            }
        }
        let found = run_retain(entries, retained);
        assert_eq!(found, (given, left), "{entries:?} {retained:?}");
    }

    #[test]
    fn compiled_code_passes_two_arrays() {
        let (mut pointers, mut owned) = ([32usize, 16, 16, 32], [9u8]);
        // SAFETY: two arrays of one retained buffer and three entries.
        let end =
            unsafe { freehold_dealloc_helper(pointers.as_mut_ptr(), 1, 4, owned.as_mut_ptr()) };
        assert_eq!((end, pointers[1], owned), (2, 16, [1]));
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
        let found = run(Way::Sized, &[16, 16, 16], &[0, 1, 1], &[]);
        assert_eq!(found, (vec![16], vec![]));
    }

    /// Their places in the small table are the same.
    #[test]
    fn pointers_that_differ_in_their_upper_halves() {
        let mut random = Random::new(5);
        for n_entries in [2, 9, 64, 65] {
            for _ in 0..40 {
                let mut pointers = |n: u64| -> Vec<usize> {
                    let one = |_| (random.below(24) << 32 | random.below(2) << 4) as usize;
                    (0..n).map(one).collect()
                };
                let (entries, retained) = (pointers(n_entries), pointers(21));
                agree(&entries, &vec![1; entries.len()], &retained);
            }
        }
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
                assert_eq!(found.0, &entries[9..]);
                let (given, left) = run_retain(entries, &entries[1..9]);
                assert_eq!(left.len(), count - 8);
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
        let (freed, owned) = run(Way::Sized, &entries, &conditions, &entries);
        assert!(freed.is_empty());
        assert!(owned.iter().all(|&owned| owned == 1));
        // A second or so without optimization; 2^39 comparisons take minutes.
        assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
    }
}
