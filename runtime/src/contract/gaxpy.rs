//! Sums of multiples of vectors (gaxpy), with partial sums that are the same on all processors.

use super::kernels::{Number, Register, add_product};

/// Partial sums of each element: one register of sums would wait for itself.
const PARTIAL: usize = 4;
/// Registers of neighbours whose sums are kept at once.
const VECTORS: usize = 2;

/// Vectors of neighbours, a multiple of each of which is added: what [`Kernels::gaxpy`](super::kernels::Kernels::gaxpy)
/// works on.
pub(super) struct Gaxpy<T> {
    /// How many vectors.
    pub(super) inner: usize,
    /// As in [`Task`](super::kernels::Task).
    pub(super) is_new: bool,
    /// What the vectors are multiplied by, and how far the next factor is.
    pub(super) factors: *const T,
    pub(super) factor_step: isize,
    pub(super) vectors: *const T,
    pub(super) vector_step: isize,
    /// Elements of each vector.
    pub(super) n: usize,
    pub(super) result: *mut T,
}

/// Adds the vectors: number `i` goes to partial sum `i` modulo [`PARTIAL`], and then halves of these are added until one is
/// left.
///
/// # Safety
/// All elements are in memory; the processor has `R`'s instructions, and so has the caller.
#[inline(always)]
pub(super) unsafe fn gaxpy<T: Number, R: Register<T>, const FUSED: bool>(task: &Gaxpy<T>) {
    let mut first = 0;
    // SAFETY: by the caller's promise; there are this many elements from the first on.
    unsafe {
        while task.n - first >= VECTORS * R::LANES {
            some::<T, R, VECTORS, true, FUSED>(task, first, R::LANES);
            first += VECTORS * R::LANES;
        }
        let left = task.n - first;
        if left > R::LANES {
            some::<T, R, VECTORS, false, FUSED>(task, first, left - R::LANES);
        } else if left > 0 {
            some::<T, R, 1, false, FUSED>(task, first, left);
        }
    }
}

/// The same for some registers from element number `first` on, with `last` elements in the last one, or `WHOLE` ones.
///
/// # Safety
/// As for [`gaxpy`].
#[inline(always)]
unsafe fn some<
    T: Number,
    R: Register<T>,
    const VECTORS: usize,
    const WHOLE: bool,
    const FUSED: bool,
>(
    task: &Gaxpy<T>,
    first: usize,
    last: usize,
) {
    // SAFETY: by the caller's promise; pointers into arrays count to their lengths.
    unsafe {
        let load = |from: *const T, v: usize| match WHOLE || v + 1 < VECTORS {
            true => R::load(from.wrapping_add(v * R::LANES)),
            false => R::load_first(from.wrapping_add(v * R::LANES), last),
        };
        let mut sums = [[R::splat(T::ZERO); VECTORS]; PARTIAL];
        let sums = sums.as_mut_ptr().cast::<R>();
        let mut factor = task.factors;
        let mut vector = task.vectors.wrapping_add(first);
        let mut left = task.inner;
        let mut add = |partial: usize| {
            let x = R::splat(factor.read_unaligned());
            let mut v = 0;
            while v < VECTORS {
                let sum = sums.add(partial * VECTORS + v);
                sum.write(add_product::<T, R, FUSED>(sum.read(), x, load(vector, v)));
                v += 1;
            }
            factor = factor.wrapping_offset(task.factor_step);
            vector = vector.wrapping_offset(task.vector_step);
        };
        while left >= PARTIAL {
            let mut partial = 0;
            while partial < PARTIAL {
                add(partial);
                partial += 1;
            }
            left -= PARTIAL;
        }
        // A counter that does not depend on their number leaves the sums in registers.
        let mut partial = 0;
        while partial < PARTIAL - 1 {
            if partial < left {
                add(partial);
            }
            partial += 1;
        }
        let mut half = PARTIAL / 2;
        while half > 0 {
            let mut i = 0;
            while i < half * VECTORS {
                let sum = sums.add(i);
                sum.write(sum.read().add(sums.add(half * VECTORS + i).read()));
                i += 1;
            }
            half /= 2;
        }
        let to = task.result.wrapping_add(first);
        let mut v = 0;
        while v < VECTORS {
            let mut sum = sums.add(v).read();
            if !task.is_new {
                sum = load(to, v).add(sum);
            }
            let to = to.wrapping_add(v * R::LANES);
            match WHOLE || v + 1 < VECTORS {
                true => sum.store(to),
                false => sum.store_first(to, last),
            }
            v += 1;
        }
    }
}
