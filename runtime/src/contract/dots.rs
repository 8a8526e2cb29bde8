//! Dot products, with partial sums that are the same on all processors.

use super::kernels::{Number, Register, add_product};

/// Partial sums of a dot product: four registers of the widest kind.
const PARTIAL_BYTES: usize = 256;
/// Vectors that are multiplied by one at once, which is loaded once for all of them.
pub(super) const DOTS: usize = 4;

/// Vectors, all of as many neighbours, that are multiplied by each other: what [`Kernels::dots`](super::kernels::Kernels::dots)
/// works on.
pub(super) struct Dots<T> {
    /// Elements of each vector.
    pub(super) inner: usize,
    /// As in [`Task`](super::kernels::Task).
    pub(super) is_new: bool,
    /// Many vectors pass by; the few stay in cache.
    pub(super) many: *const T,
    pub(super) many_steps: *const isize,
    pub(super) n_many: usize,
    pub(super) few: *const T,
    pub(super) few_steps: *const isize,
    pub(super) n_few: usize,
    pub(super) result: *mut T,
    /// How much further the result is for each of the many and each of the few.
    pub(super) result_of_many: *const isize,
    pub(super) result_of_few: *const isize,
}

/// Adds the sums of products of each of many vectors and each of a few: number `i` goes to partial sum `i` modulo their number,
/// and then halves of these are added until one is left.
///
/// # Safety
/// All elements and tables are in memory; the processor has `R`'s instructions, and so has the caller.
#[inline(always)]
pub(super) unsafe fn dots<T: Number, R: Register<T>, const REGISTERS: usize, const FUSED: bool>(
    task: &Dots<T>,
) {
    // 32 registers hold the sums of four vectors and the factors; 16 hold those of one.
    let mut first = 0;
    if R::LANES * size_of::<T>() == 64 {
        while task.n_many - first >= DOTS {
            // SAFETY: by the caller's promise.
            unsafe { dots_at_once::<T, R, REGISTERS, DOTS, FUSED>(task, first) };
            first += DOTS;
        }
    }
    while first < task.n_many {
        // SAFETY: by the caller's promise.
        unsafe { dots_at_once::<T, R, REGISTERS, 1, FUSED>(task, first) };
        first += 1;
    }
}

/// # Safety
/// As for [`dots`]; there are `MANY` vectors from the first on.
#[inline(always)]
unsafe fn dots_at_once<
    T: Number,
    R: Register<T>,
    const REGISTERS: usize,
    const MANY: usize,
    const FUSED: bool,
>(
    task: &Dots<T>,
    first: usize,
) {
    // SAFETY: by the caller's promise; pointers into arrays count to their lengths.
    unsafe {
        let mut vectors = [task.many; MANY];
        let vectors = vectors.as_mut_ptr();
        let mut v = 0;
        while v < MANY {
            let step = task.many_steps.add(first + v).read();
            vectors.add(v).write(task.many.wrapping_offset(step));
            v += 1;
        }
        let mut number = 0;
        while number < task.n_few {
            let one = task.few.wrapping_offset(task.few_steps.add(number).read());
            let mut sums = [T::ZERO; MANY];
            let sums = sums.as_mut_ptr();
            sums_of_products::<T, R, REGISTERS, MANY, FUSED>(task.inner, one, vectors, sums);
            let to = task
                .result
                .wrapping_offset(task.result_of_few.add(number).read());
            v = 0;
            while v < MANY {
                let to = to.wrapping_offset(task.result_of_many.add(first + v).read());
                let before = match task.is_new {
                    true => T::ZERO,
                    false => to.read_unaligned(),
                };
                to.write_unaligned(before.add(sums.add(v).read()));
                v += 1;
            }
            number += 1;
        }
    }
}

/// # Safety
/// All vectors have `n` elements; `to` has room for `MANY`; the rest as for [`dots`].
#[inline(always)]
unsafe fn sums_of_products<
    T: Number,
    R: Register<T>,
    const REGISTERS: usize,
    const MANY: usize,
    const FUSED: bool,
>(
    n: usize,
    one: *const T,
    many: *const *const T,
    to: *mut T,
) {
    let partial = REGISTERS * R::LANES;
    debug_assert!(partial * size_of::<T>() == PARTIAL_BYTES);
    // SAFETY: by the caller's promise; pointers into arrays count to their lengths.
    unsafe {
        let mut sums = [[R::splat(T::ZERO); REGISTERS]; MANY];
        let sums = sums.as_mut_ptr().cast::<R>();
        let mut done = 0;
        while n - done >= partial {
            let mut i = 0;
            while i < REGISTERS {
                let at = done + i * R::LANES;
                let x = R::load(one.add(at));
                let mut v = 0;
                while v < MANY {
                    let sum = sums.add(v * REGISTERS + i);
                    let y = R::load(many.add(v).read().add(at));
                    sum.write(add_product::<T, R, FUSED>(sum.read(), x, y));
                    v += 1;
                }
                i += 1;
            }
            done += partial;
        }
        // Lanes behind the end would add zeros to sums, none of which is a negative zero. A counter of registers that
        // does not depend on `n` leaves the sums in them.
        let mut i = 0;
        while i < REGISTERS {
            let at = done + i * R::LANES;
            if at < n {
                let part = n - at;
                let load = |from: *const T| match part >= R::LANES {
                    true => R::load(from.add(at)),
                    false => R::load_first(from.add(at), part),
                };
                let x = load(one);
                let mut v = 0;
                while v < MANY {
                    let sum = sums.add(v * REGISTERS + i);
                    let y = load(many.add(v).read());
                    sum.write(add_product::<T, R, FUSED>(sum.read(), x, y));
                    v += 1;
                }
            }
            i += 1;
        }
        let mut v = 0;
        while v < MANY {
            let sums = sums.add(v * REGISTERS);
            let mut half = REGISTERS / 2;
            while half > 0 {
                let mut i = 0;
                while i < half {
                    let sum = sums.add(i);
                    sum.write(sum.read().add(sums.add(half + i).read()));
                    i += 1;
                }
                half /= 2;
            }
            v += 1;
        }
        R::sums_of_lanes::<MANY>(sums, REGISTERS, to);
    }
}
