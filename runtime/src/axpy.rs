//! Adding a multiple of one vector to another one: what `convert-loops-to-library-calls` makes of loops.
//!
//! Products and sums are rounded one after the other, as the loop does it, so only the registers are
//! wider than those of the code generator. Vectors begin anywhere; they need not be aligned.

/// A function for elements of one type, and its parts: in 256-bit registers if there are any.
macro_rules! axpy {
    ($name:ident, $wide:ident, $in_order:ident, $float:ty, $lanes:literal,
     $set1:ident $load:ident $store:ident $mul:ident $add:ident) => {
        /// Adds to each of the `n` numbers from `to` on the one from `from` on times `factor`.
        ///
        /// # Safety
        /// Both vectors are in memory that nothing else accesses meanwhile, and do not overlap.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(
            to: *mut $float,
            from: *const $float,
            n: usize,
            factor: $float,
        ) {
            #[cfg(target_arch = "x86_64")]
            if crate::processor::has_avx() {
                // SAFETY: by the caller's promise; the processor has the instructions.
                return unsafe { $wide(to, from, n, factor) };
            }
            // SAFETY: by the caller's promise.
            unsafe { $in_order(to, from, n, factor) };
        }

        /// # Safety
        /// As for the function of all processors, and this one has 256-bit registers.
        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "avx")]
        unsafe fn $wide(
            mut to: *mut $float,
            mut from: *const $float,
            mut n: usize,
            factor: $float,
        ) {
            use core::arch::x86_64::{$add, $load, $mul, $set1, $store};
            let factors = $set1(factor);
            // SAFETY: by the caller's promise, as long as there are this many numbers.
            unsafe {
                while n >= 4 * $lanes {
                    let sum = |i: usize| {
                        let product = $mul($load(from.add($lanes * i)), factors);
                        $add(product, $load(to.add($lanes * i)))
                    };
                    let sums = [sum(0), sum(1), sum(2), sum(3)];
                    $store(to, sums[0]);
                    $store(to.add($lanes), sums[1]);
                    $store(to.add(2 * $lanes), sums[2]);
                    $store(to.add(3 * $lanes), sums[3]);
                    to = to.add(4 * $lanes);
                    from = from.add(4 * $lanes);
                    n -= 4 * $lanes;
                }
                $in_order(to, from, n, factor);
            }
        }

        /// # Safety
        /// As for the function of all processors.
        #[inline(always)]
        unsafe fn $in_order(to: *mut $float, from: *const $float, n: usize, factor: $float) {
            let mut i = 0;
            while i < n {
                // SAFETY: by the caller's promise.
                unsafe {
                    let product = from.add(i).read_unaligned() * factor;
                    let sum = product + to.add(i).read_unaligned();
                    to.add(i).write_unaligned(sum);
                }
                i += 1;
            }
        }
    };
}

axpy!(
    freehold_axpy_f32, axpy_f32_avx, axpy_f32_in_order, f32, 8,
    _mm256_set1_ps _mm256_loadu_ps _mm256_storeu_ps _mm256_mul_ps _mm256_add_ps
);
axpy!(
    freehold_axpy_f64, axpy_f64_avx, axpy_f64_in_order, f64, 4,
    _mm256_set1_pd _mm256_loadu_pd _mm256_storeu_pd _mm256_mul_pd _mm256_add_pd
);

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec::Vec;

    #[test]
    fn sums_are_those_of_a_loop() {
        for n in (0..150).chain([1000]) {
            for offset in [0, 1, 3] {
                let from: Vec<f32> = (0..offset + n).map(|i| 1.0 / (i as f32 + 3.0)).collect();
                let old: Vec<f32> = (0..n + 9).map(|i| (i as f32).sqrt()).collect();
                let mut to = old.clone();
                // SAFETY: both have this many numbers.
                unsafe { freehold_axpy_f32(to.as_mut_ptr(), from.as_ptr().add(offset), n, 0.7) };
                for i in 0..n {
                    let expected = from[offset + i] * 0.7 + old[i];
                    assert!(to[i].to_bits() == expected.to_bits(), "{n} {offset} {i}");
                }
                assert!(to[n..] == old[n..]);
            }
            let from: Vec<f64> = (0..n).map(|i| 1.0 / (i as f64 + 3.0)).collect();
            let mut to = std::vec![0.1; n];
            // SAFETY: both have this many numbers.
            unsafe { freehold_axpy_f64(to.as_mut_ptr(), from.as_ptr(), n, -1.3) };
            for (from, to) in from.iter().zip(&to) {
                assert!(to.to_bits() == (from * -1.3 + 0.1f64).to_bits(), "{n}");
            }
        }
    }
}
