//! Instances for tests and measurements, the same for the same seed everywhere.
//!
//! * [`small`] - a few buffers with small numbers, for comparison with trying everything.
//! * [`packed`] - buffers cut out of a full rectangle of time and memory. The best peak is known:
//!   the height of the rectangle. Greedy rules are far from it.
//! * [`chain`] - the buffers of a long network: each layer reads the one before, some read an
//!   early one again. Here the number of buffers is the difficulty.
//! * [`brief`] - buffers that live about a hundredth of the time: about as many at any time.
//! * [`simultaneous`] - buffers that are all live at one time: any plan without holes is optimal.

use super::instance::Buffer;

/// A stream of numbers that look random (SplitMix64).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The stream of a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next number.
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `bound`, which is not zero.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.number() % bound
    }
}

/// Up to `n` buffers with sizes and times of one digit; some occupy nothing.
pub fn small(seed: u64, n: u64) -> Vec<Buffer> {
    let mut random = Random::new(seed);
    let n = 1 + random.below(n);
    let alignments: &[u64] = if random.below(2) == 0 {
        &[1]
    } else {
        &[1, 2, 3, 4]
    };
    let mut buffer = || {
        let lower = random.below(9) as i64;
        let upper = lower + random.below(6) as i64;
        let alignment = alignments[random.below(alignments.len() as u64) as usize];
        Buffer::new(lower, upper, random.below(9)).aligned(alignment)
    };
    (0..n).map(|_| buffer()).collect()
}

/// A rectangle in time and memory.
#[derive(Clone, Copy)]
struct Block {
    lower: u64,
    upper: u64,
    size: u64,
}

/// Time and memory of [`packed`] instances, and what all sizes and times are multiples of.
const EXTENT: u64 = 1 << 20;
const GRAIN: u64 = 1 << 10;

/// `n` buffers that fill `EXTENT` bytes over the whole time, but for `percent_missing` of them
/// that were taken out.
///
/// The rectangle is cut in two again and again, and now and then in five, four of which wind around
/// the fifth: no straight cut separates those.
pub fn packed(seed: u64, n: usize, percent_missing: u64) -> Vec<Buffer> {
    let mut random = Random::new(seed);
    let whole = Block {
        lower: 0,
        upper: EXTENT,
        size: EXTENT,
    };
    let mut blocks = vec![whole];
    while blocks.len() < n {
        let area = |b: &Block| u128::from(b.upper - b.lower) * u128::from(b.size);
        // A large one of a few: areas end up of many orders of magnitude.
        let picks = (0..3).map(|_| random.below(blocks.len() as u64) as usize);
        let Some(picked) = picks.max_by_key(|&i| area(&blocks[i])) else {
            break;
        };
        let block = blocks[picked];
        let (width, height) = ((block.upper - block.lower) / GRAIN, block.size / GRAIN);
        if width >= 3 && height >= 3 && blocks.len() + 4 <= n && random.below(3) == 0 {
            // Two cuts in each direction; the corners belong to the blocks of the pinwheel.
            let left = block.lower + GRAIN * (1 + random.below(width - 2));
            let right = left + GRAIN * (1 + random.below((block.upper - left) / GRAIN - 1));
            let low = GRAIN * (1 + random.below(height - 2));
            let high = low + GRAIN * (1 + random.below((block.size - low) / GRAIN - 1));
            let part = |lower, upper, size| Block { lower, upper, size };
            blocks[picked] = part(block.lower, left, high);
            blocks.push(part(left, block.upper, low));
            blocks.push(part(right, block.upper, block.size - low));
            blocks.push(part(block.lower, right, block.size - high));
            blocks.push(part(left, right, high - low));
        } else if width >= 2 && (random.below(2) == 0 || height < 2) {
            let cut = block.lower + GRAIN * (1 + random.below(width - 1));
            blocks[picked].upper = cut;
            blocks.push(Block {
                lower: cut,
                ..block
            });
        } else if height >= 2 {
            let cut = GRAIN * (1 + random.below(height - 1));
            blocks[picked].size = cut;
            blocks.push(Block {
                size: block.size - cut,
                ..block
            });
        }
    }
    blocks.retain(|_| random.below(100) >= percent_missing);
    // Forget the order of the cuts.
    blocks.sort_by_cached_key(|_| random.number());
    let buffer = |b: &Block| Buffer::new(b.lower as i64, b.upper as i64, b.size);
    blocks.iter().map(buffer).collect()
}

/// About `n` buffers of a network: activations of many sizes, a scratch buffer in some layers, and
/// shortcuts that keep an activation alive for several layers.
pub fn chain(seed: u64, n: usize) -> Vec<Buffer> {
    let mut random = Random::new(seed);
    let mut buffers = Vec::with_capacity(n + 1);
    let mut time = 0;
    while buffers.len() < n {
        let size = 64 * (1 << random.below(10)) * (1 + random.below(3));
        let reach = match random.below(8) {
            0 => 2 + random.below(12) as i64,
            _ => 2,
        };
        buffers.push(Buffer::new(time, time + reach, size).aligned(64));
        if random.below(4) == 0 {
            let scratch = 64 * (1 + random.below(512));
            buffers.push(Buffer::new(time, time + 1, scratch).aligned(64));
        }
        time += 1;
    }
    buffers
}

/// `n` buffers of random sizes, each live at a random hundredth of the time, more or less.
pub fn brief(seed: u64, n: usize) -> Vec<Buffer> {
    let mut random = Random::new(seed);
    let time = 100 * n as u64;
    let mut buffer = || {
        let duration = 1 + random.below(time / 50);
        let lower = random.below(time);
        let size = 64 * (1 + random.below(4096));
        Buffer::new(lower as i64, (lower + duration) as i64, size).aligned(64)
    };
    (0..n).map(|_| buffer()).collect()
}

/// `n` buffers of random sizes, all live at time `n`.
pub fn simultaneous(seed: u64, n: usize) -> Vec<Buffer> {
    let mut random = Random::new(seed);
    let time = n as u64;
    let mut buffer = || {
        let (lower, upper) = (random.below(time), time + 1 + random.below(time));
        Buffer::new(lower as i64, upper as i64, 64 * (1 + random.below(4096)))
    };
    (0..n).map(|_| buffer()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_buffers_fill_the_rectangle() {
        for seed in 0..20 {
            let buffers = packed(seed, 150, 0);
            assert_eq!(buffers.len(), 150);
            let area = |b: &Buffer| u128::from(b.width()) * u128::from(b.size);
            let sum: u128 = buffers.iter().map(area).sum();
            assert_eq!(sum, u128::from(EXTENT) * u128::from(EXTENT));
            assert!(buffers.iter().all(|b| b.size > 0 && b.width() > 0));
        }
    }
}
