//! Contractions of factors that are widened.

use core::fmt::Debug;

use super::*;

/// All kinds of elements, as flags have them.
const KINDS: [Kind; 8] = [
    Kind::Same,
    Kind::I8,
    Kind::U8,
    Kind::I16,
    Kind::F16,
    Kind::Bf16,
    Kind::F32,
    Kind::F64,
];

/// Numbers, and random ones that a factor of these elements has: any integers, floats of moderate size.
trait Sample: Sum + PartialEq + Debug {
    const KINDS: &'static [usize];
    fn bits(self) -> u64;
}

impl Sample for i32 {
    const KINDS: &'static [usize] = &[1, 2, 3];
    fn bits(self) -> u64 {
        self as u64
    }
}

impl Sample for f32 {
    const KINDS: &'static [usize] = &[1, 2, 3, 4, 5, 6];
    fn bits(self) -> u64 {
        self.to_bits().into()
    }
}

impl Sample for f64 {
    const KINDS: &'static [usize] = &[1, 4, 5, 6, 7];
    fn bits(self) -> u64 {
        self.to_bits()
    }
}

fn random_factor(random: &mut Random, kind: Kind, n: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    for number in random.numbers(n) {
        let bits = random.next();
        match kind {
            Kind::I8 | Kind::U8 => bytes.push(bits as u8),
            // The smallest number often: its products are the largest.
            Kind::I16 => bytes.extend(match bits % 3 {
                0 => i16::MIN.to_le_bytes(),
                _ => (bits as i16).to_le_bytes(),
            }),
            // No infinities.
            Kind::F16 => bytes.extend((bits as u16 & 0xbbff).to_le_bytes()),
            Kind::Bf16 => bytes.extend(((number.to_bits() >> 16) as u16).to_le_bytes()),
            Kind::F32 | Kind::Same => bytes.extend(number.to_le_bytes()),
            Kind::F64 => bytes.extend(f64::from(number).to_le_bytes()),
        }
    }
    bytes
}

/// The same bits as in order, without flags and, for integers, with any.
fn check<T: Sample>(case: &Case, kinds: [usize; 2], zeros: [i32; 2], seed: u64) {
    let mut random = Random(seed);
    let [left, right] = kinds.map(|kind| random_factor(&mut random, KINDS[kind], case.len));
    let flags_of_kinds = (kinds[0] << 3 | kinds[1] << 6) as u64;
    assert_eq!(
        Kind::of_flags(flags_of_kinds),
        kinds.map(|kind| KINDS[kind])
    );
    let result: Vec<T> = (0..case.len)
        .map(|_| T::of_integer(random.next() as i16))
        .collect();
    let n = case.sizes.len();
    let mut numbers = case.sizes.clone();
    for strides in &case.strides {
        numbers.extend(strides.iter().map(|&stride| stride as i64));
    }
    let after = |flags: Option<u64>, is_cleared: bool| {
        let mut result = result.clone();
        if is_cleared {
            for place in case.result_places() {
                result[place] = T::ZERO;
            }
        }
        let [of_left, of_right] = kinds.map(|kind| KINDS[kind]);
        let loops = Loops {
            result: result.as_mut_ptr().wrapping_add(case.offsets[0]),
            factors: [
                Factor::new(left.as_ptr().cast::<T>(), of_left, zeros[0])
                    .moved(case.offsets[1] as isize),
                Factor::new(right.as_ptr().cast::<T>(), of_right, zeros[1])
                    .moved(case.offsets[2] as isize),
            ],
            n,
            sizes: numbers.as_ptr(),
            strides: numbers.as_ptr().wrapping_add(n).cast(),
        };
        // SAFETY: the memory was made for these loops.
        unsafe { run(&loops, flags) };
        result
    };
    let flags: &[u64] = match T::IS_FLOAT {
        true => &[0, 2 << THREADS_SHIFT, NEW],
        false => &[0, FUSED | ANY_ORDER, 3 << THREADS_SHIFT, NEW],
    };
    for &flags in flags {
        let expected = after(None, flags & NEW != 0);
        let found = after(Some(flags | flags_of_kinds), false);
        let wrong = (found.iter().zip(&expected)).position(|(x, y)| x.bits() != y.bits());
        assert!(
            wrong.is_none(),
            "{case:?}, {kinds:?}, {zeros:?}, {flags}: {wrong:?}"
        );
    }
}

fn check_all(case: &Case, seed: u64) {
    for_each_level(|| {
        let mut random = Random(seed);
        let mut pick = |kinds: &[usize]| [0, 0].map(|_| kinds[random.below(kinds.len())]);
        check::<i32>(case, [1, 1], [0, 0], seed);
        // Zeros of bytes, and others.
        let zeros = [[-128, 0], [3, -5], [255, 128], [70_000, 1]];
        check::<i32>(case, pick(&[1, 2]), zeros[seed as usize % 4], seed);
        check::<i32>(case, pick(i32::KINDS), [0, 0], seed);
        check::<f32>(case, pick(f32::KINDS), [0, 0], seed);
        check::<f64>(case, pick(f64::KINDS), [0, 0], seed);
    });
}

#[test]
fn products_of_narrow_matrices() {
    let sizes = [
        [4, 16, 8],
        [5, 17, 33],
        [3, 200, 7],
        [13, 33, 1100],
        [64, 64, 64],
        [8, 32, 1023],
        [300, 2, 520],
        [1, 1, 700],
        [24, 600, 10],
        [29, 35, 1],
    ];
    for (seed, sizes) in sizes.into_iter().enumerate() {
        // Two of the eight ways.
        for transposed in [seed, seed + 5] {
            let transposed = [1, 2, 4].map(|bit| transposed & bit != 0);
            check_all(&product(sizes, transposed), seed as u64);
        }
    }
}

#[test]
fn narrow_convolutions() {
    let mut random = Random(9);
    for seed in 0..16 {
        check_all(&random_convolution(&mut random, seed % 2 == 0), seed);
    }
}

#[test]
fn narrow_factors_with_any_strides() {
    let mut random = Random(1);
    for seed in 0..60 {
        check_all(&random_strides(&mut random, seed % 4 != 0), seed);
    }
}

/// Integers of the same width as their sum.
#[test]
fn integers_agree() {
    for (seed, [m, n, k]) in [
        [30, 40, 50],
        [1, 100, 300],
        [100, 1, 300],
        [3, 9, 400],
        [64, 64, 64],
    ]
    .into_iter()
    .enumerate()
    {
        for transposed in [[false; 3], [false, false, true], [true, false, false]] {
            let case = product([m, n, k], transposed);
            for_each_level(|| {
                let mut random = Random(seed as u64);
                let mut numbers =
                    || -> Vec<i32> { (0..case.len).map(|_| random.next() as i32).collect() };
                let mut memory = numbers();
                let mut expected = memory.clone();
                let run_on = |memory: &mut [i32], flags| {
                    let at = |i: usize| memory.as_ptr().wrapping_add(case.offsets[i]);
                    let mut all = case.sizes.clone();
                    for strides in &case.strides {
                        all.extend(strides.iter().map(|&stride| stride as i64));
                    }
                    let loops = Loops {
                        result: at(0).cast_mut(),
                        factors: [at(1), at(2)].map(|at| Factor::new(at, Kind::Same, 0)),
                        n: 3,
                        sizes: all.as_ptr(),
                        strides: all.as_ptr().wrapping_add(3).cast(),
                    };
                    // SAFETY: the memory was made for these loops.
                    unsafe { run(&loops, flags) };
                };
                run_on(&mut expected, None);
                run_on(&mut memory, Some(FUSED | ANY_ORDER));
                assert_eq!(memory, expected);
            });
        }
    }
}

#[test]
fn halves_are_widened_as_elsewhere() {
    for code in 0..=u16::MAX {
        let factor = Factor::new((&raw const code).cast::<f32>(), Kind::F16, 0);
        // SAFETY: it is there.
        let found: f32 = unsafe { factor.read() };
        let expected = crate::float_format::freehold_f32_from_f16(code);
        let quiet = if expected.is_nan() { 1 << 22 } else { 0 };
        assert_eq!(found.to_bits() | quiet, expected.to_bits(), "{code:x}");
    }
}
