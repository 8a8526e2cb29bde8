//! The random numbers of MLIR's C runner library: the standard 32-bit Mersenne Twister, drawn
//! from as GNU's C++ library does, so that programs see the same numbers.
//!
//! The generator is `std::mt19937` of the C++ standard. How a range is drawn from it and how a
//! shuffle uses it the standard leaves open; there we follow what libstdc++ computes.

use core::num::NonZeroU64;

use crate::memref::View;
use crate::sys;

const LENGTH: usize = 624;
const MIDDLE: usize = 397;

/// A `std::mt19937`.
#[repr(C)]
pub struct Generator {
    state: [u32; LENGTH],
    /// Words of the state already handed out.
    used: u64,
}

impl Generator {
    fn word(&mut self, index: usize) -> &mut u32 {
        debug_assert!(index < LENGTH);
        // SAFETY: every index in use here is below the length.
        unsafe { self.state.get_unchecked_mut(index) }
    }

    fn seed(&mut self, seed: u64) {
        *self.word(0) = seed as u32;
        let mut index = 1;
        while index < LENGTH {
            let previous = *self.word(index - 1);
            let mixed = (previous ^ (previous >> 30)).wrapping_mul(1_812_433_253);
            *self.word(index) = mixed.wrapping_add(index as u32);
            index += 1;
        }
        self.used = LENGTH as u64;
    }

    fn refill(&mut self) {
        let mut index = 0;
        while index < LENGTH {
            let next = if index + 1 < LENGTH { index + 1 } else { 0 };
            let far = if index + MIDDLE < LENGTH {
                index + MIDDLE
            } else {
                index + MIDDLE - LENGTH
            };
            let joined = (*self.word(index) & 0x8000_0000) | (*self.word(next) & 0x7fff_ffff);
            let twist = if joined & 1 != 0 { 0x9908_b0df } else { 0 };
            *self.word(index) = *self.word(far) ^ (joined >> 1) ^ twist;
            index += 1;
        }
        self.used = 0;
    }

    fn next(&mut self) -> u64 {
        if self.used >= LENGTH as u64 {
            self.refill();
        }
        let index = self.used as usize;
        self.used += 1;
        let mut word = *self.word(index);
        word ^= word >> 11;
        word ^= (word << 7) & 0x9d2c_5680;
        word ^= (word << 15) & 0xefc6_0000;
        u64::from(word ^ (word >> 18))
    }

    /// A number from 0 to `largest`, both included.
    fn up_to(&mut self, largest: u64) -> u64 {
        const LARGEST_DRAW: u64 = u32::MAX as u64;
        if largest == LARGEST_DRAW {
            return self.next();
        }
        if largest > LARGEST_DRAW {
            // The upper half within its own range, and again if the sum is out of range.
            loop {
                let upper = self.up_to(largest >> 32) << 32;
                let (sum, overflow) = upper.overflowing_add(self.next());
                if !overflow && sum <= largest {
                    return sum;
                }
            }
        }
        // Lemire's method: the upper half of a product, unless the lower half shows a bias.
        let range = largest as u32 + 1;
        let mut product = self.next() * u64::from(range);
        if (product as u32) < range {
            let threshold = match NonZeroU64::new(u64::from(range)) {
                Some(divisor) => (u64::from(range.wrapping_neg()) % divisor) as u32,
                None => 0,
            };
            while (product as u32) < threshold {
                product = self.next() * u64::from(range);
            }
        }
        product >> 32
    }
}

/// A new generator; [`rtdrand`] deletes it.
#[unsafe(no_mangle)]
pub extern "C" fn rtsrand(seed: u64) -> *mut Generator {
    let size = size_of::<Generator>() as u64;
    let generator: *mut Generator = crate::count::allocate(size, 8, core::ptr::null()).cast();
    // SAFETY: the block is large enough and aligned, and zeroed before it is used.
    unsafe {
        generator.write_bytes(0, 1);
        (*generator).seed(seed);
    }
    generator
}

/// A random number from 0 to `largest`, both included.
///
/// # Safety
/// `generator` is one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtrand(generator: *mut Generator, largest: u64) -> u64 {
    // SAFETY: by the caller's promise.
    unsafe { (*generator).up_to(largest) }
}

/// Deletes a generator.
///
/// # Safety
/// `generator` came from [`rtsrand`] and is not used any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtdrand(generator: *mut Generator) {
    // SAFETY: by the caller's promise.
    unsafe { sys::free(generator.cast()) };
}

/// Fills a memref of rank one with the numbers below its size in random order.
///
/// # Safety
/// `descriptor` is a ranked descriptor of rank one with 64-bit elements, one after the other;
/// `generator` is one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn _mlir_ciface_shuffle(descriptor: *const u8, generator: *mut Generator) {
    // SAFETY: by the caller's promise; all indices stay below the size.
    unsafe {
        let view = View::ranked(1, descriptor);
        let (values, generator) = (view.data.cast::<u64>(), &mut *generator);
        let size = view.size(0) as u64;
        let Some(count) = NonZeroU64::new(size) else {
            return;
        };
        let mut index = 0;
        while index < size {
            *values.add(index as usize) = index;
            index += 1;
        }
        let swap = |a: u64, b: u64| values.add(a as usize).swap(values.add(b as usize));
        let mut index = 1;
        if u64::from(u32::MAX) / count < size {
            while index < size {
                swap(index, generator.up_to(index));
                index += 1;
            }
            return;
        }
        // One draw serves two positions as long as the product of their ranges fits.
        if size.is_multiple_of(2) {
            swap(1, generator.up_to(1));
            index = 2;
        }
        while index < size {
            let range = index + 1;
            let Some(next_range) = NonZeroU64::new(range + 1) else {
                return;
            };
            let both = generator.up_to(range * next_range.get() - 1);
            swap(index, both / next_range);
            swap(index + 1, both % next_range);
            index += 2;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ten_thousandth_number_is_the_standards() {
        // The C++ standard requires this value of a default-seeded mt19937.
        let generator = rtsrand(5489);
        // SAFETY: `generator` lives until `rtdrand`.
        unsafe {
            let mut last = 0;
            for _ in 0..10_000 {
                last = rtrand(generator, u64::from(u32::MAX));
            }
            assert_eq!(last, 4_123_659_995);
            for largest in [0, 1, 6, 1 << 31, 1 << 32, u64::MAX] {
                assert!(rtrand(generator, largest) <= largest);
            }
            rtdrand(generator);
        }
    }
}
