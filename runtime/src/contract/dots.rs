//! Dot products, with partial sums that are the same on all processors.

use super::kernels::{MAX_LANES, Number, Register, add_product};

/// Partial sums of a dot product: four registers of the widest kind.
const PARTIAL_BYTES: usize = 256;
/// Vectors that are multiplied by one at once, which is loaded once for all of them.
pub(super) const DOTS: usize = 4;

/// The sums of products of one vector and each of `MANY`: number `i` goes to partial sum `i` modulo their number, and then
/// halves of these are added until one is left.
///
/// # Safety
/// All vectors have `n` elements; `sums` has room for `MANY`; the processor has `R`'s instructions, and so has the
/// caller.
#[inline(always)]
pub(super) unsafe fn dots<
    T: Number,
    R: Register<T>,
    const REGISTERS: usize,
    const MANY: usize,
    const FUSED: bool,
>(
    n: usize,
    one: *const T,
    many: *const *const T,
    sums: *mut T,
) {
    // 32 registers hold the sums of four vectors and the factors; 16 hold those of one.
    let at_once = match R::LANES * size_of::<T>() == 64 {
        true => MANY,
        false => 1,
    };
    let mut first = 0;
    while first < MANY {
        // SAFETY: by the caller's promise.
        unsafe {
            let (many, sums) = (many.add(first), sums.add(first));
            match at_once == 1 {
                true => dots_at_once::<T, R, REGISTERS, 1, FUSED>(n, one, many, sums),
                false => dots_at_once::<T, R, REGISTERS, MANY, FUSED>(n, one, many, sums),
            }
        }
        first += at_once;
    }
}

/// # Safety
/// As for [`dots`].
#[inline(always)]
unsafe fn dots_at_once<
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
            let mut all = [T::ZERO; MAX_LANES];
            let all = all.as_mut_ptr();
            sums.read().store(all);
            let mut half = R::LANES / 2;
            while half > 0 {
                let mut i = 0;
                while i < half {
                    all.add(i)
                        .write(all.add(i).read().add(all.add(half + i).read()));
                    i += 1;
                }
                half /= 2;
            }
            to.add(v).write(all.read());
            v += 1;
        }
    }
}
