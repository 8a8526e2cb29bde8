//! Contractions by tiles against the loops they stand for.

use std::vec::Vec;

use super::dots::Dots;
use super::gaxpy::Gaxpy;
use super::kernels::Number;
use super::*;
use crate::processor::for_each_level;

mod narrow;

/// Numbers of a sequence that depends on `seed`.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = crate::sys::mix(self.0.wrapping_add(0x9e37_79b9_7f4a_7c15));
        self.0
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() >> 33) as usize % n
    }

    fn numbers(&mut self, n: usize) -> Vec<f32> {
        let number = |_| (self.next() >> 40) as f32 / (1 << 23) as f32 - 1.0;
        (0..n).map(number).collect()
    }
}

/// With these flags, or in the order in which they are written.
///
/// # Safety
/// The loops' factors and result are as large as their sizes say.
unsafe fn run<T: Sum>(loops: &Loops<T>, flags: Option<u64>) {
    let [left, right] = loops.factors;
    // SAFETY: by the caller's promise.
    unsafe {
        match flags {
            Some(flags) => loops.run(flags),
            None => loops.run_in_order(0, loops.result, left, right),
        }
    }
}

/// Loops and where their operands begin in one memory.
#[derive(Debug)]
struct Case {
    sizes: Vec<i64>,
    strides: [Vec<isize>; 3],
    offsets: [usize; 3],
    len: usize,
}

impl Case {
    /// Operands apart from each other, with room for backward strides.
    fn apart(sizes: Vec<i64>, strides: [Vec<isize>; 3]) -> Self {
        let mut offsets = [0; 3];
        let mut len = 0;
        for (strides, offset) in strides.iter().zip(&mut offsets) {
            let reach = |of: &dyn Fn(isize) -> isize| -> usize {
                let steps = sizes.iter().map(|&size| (size - 1).max(0) as isize);
                let reach = strides.iter().zip(steps).map(|(&s, n)| of(s).max(0) * n);
                reach.sum::<isize>() as usize
            };
            *offset = len + reach(&|stride| -stride);
            len = *offset + reach(&|stride| stride) + 1;
        }
        Self {
            sizes,
            strides,
            offsets,
            len,
        }
    }

    /// Where elements of the result are; also if nothing is added to them.
    fn result_places(&self) -> Vec<usize> {
        let mut places = vec![self.offsets[0] as isize];
        for (&size, &stride) in self.sizes.iter().zip(&self.strides[0]) {
            let n = match stride {
                0 => 1,
                _ => size as isize,
            };
            let steps = places
                .iter()
                .flat_map(|&at| (0..n).map(move |i| at + i * stride));
            places = steps.collect();
        }
        places.into_iter().map(|at| at as usize).collect()
    }

    fn run(&self, memory: &mut [f32], flags: Option<u64>) {
        assert!(self.len <= memory.len());
        let first = memory.as_mut_ptr();
        let mut numbers = self.sizes.clone();
        for strides in &self.strides {
            numbers.extend(strides.iter().map(|&stride| stride as i64));
        }
        let n = self.sizes.len();
        let [result, left, right] = self.offsets.map(|offset| first.wrapping_add(offset));
        let loops = Loops {
            result,
            factors: [left, right].map(|factor| Factor::new(factor, Kind::Same, 0)),
            n,
            sizes: numbers.as_ptr(),
            strides: numbers.as_ptr().wrapping_add(n).cast(),
        };
        // SAFETY: the memory was made for these loops.
        unsafe { run(&loops, flags) };
    }

    /// The same bits without flags, and nearly the same numbers with them.
    fn check(&self, seed: u64) {
        for_each_level(|| self.check_here(seed));
    }

    fn check_here(&self, seed: u64) {
        let memory = Random(seed).numbers(self.len);
        self.check_from(&memory, 0);
        self.check_from(&memory, NEW);
    }

    /// The same with more flags.
    fn check_from(&self, memory: &[f32], more: u64) {
        let after = |flags: Option<u64>| {
            let mut memory = memory.to_vec();
            if flags.is_none() && more & NEW != 0 {
                for place in self.result_places() {
                    memory[place] = 0.0;
                }
            }
            self.run(&mut memory, flags.map(|flags| flags | more));
            memory
        };
        let expected = after(None);
        let strict = after(Some(0));
        let wrong = (strict.iter().zip(&expected)).position(|(x, y)| x.to_bits() != y.to_bits());
        assert!(wrong.is_none(), "{self:?}, {more}: {wrong:?}");
        let inner: i64 = (self.sizes.iter().zip(&self.strides[0]))
            .filter(|(_, stride)| **stride == 0)
            .map(|(size, _)| *size)
            .product();
        let bound = inner as f32 * f32::EPSILON * 2.0;
        for flags in [FUSED, ANY_ORDER, FUSED | ANY_ORDER] {
            let all = after(Some(flags));
            for (x, y) in all.iter().zip(&expected) {
                // Numbers are at most one, and so are products.
                let size = inner as f32;
                assert!(
                    (x - y).abs() <= bound * size.sqrt().max(1.0),
                    "{self:?}, {more}: {x} {y}"
                );
            }
        }
    }
}

/// Strides of row-major operands of `a` by `b`.
fn row_major(columns: i64) -> [isize; 2] {
    [columns as isize, 1]
}

/// A product of matrices; each may be transposed.
fn product([m, n, k]: [i64; 3], transposed: [bool; 3]) -> Case {
    let strides = |rows: i64, columns: i64, transposed: bool| match transposed {
        false => row_major(columns),
        true => {
            let [far, near] = row_major(rows);
            [near, far]
        }
    };
    let [c, a, b] = transposed;
    let [c_m, c_n] = strides(m, n, c);
    let [a_m, a_k] = strides(m, k, a);
    let [b_k, b_n] = strides(k, n, b);
    let strides = [vec![c_m, c_n, 0], vec![a_m, 0, a_k], vec![0, b_n, b_k]];
    Case::apart(vec![m, n, k], strides)
}

use std::vec;

#[test]
fn products_of_matrices() {
    let sizes = [
        [1, 1, 1],
        [4, 16, 8],
        [5, 17, 9],
        [3, 200, 7],
        [130, 33, 260],
        [64, 64, 64],
        [8, 32, 100],
        [12, 16, 300],
        // More bytes on the right than rest in a cache.
        [17, 1100, 250],
        [1, 700, 400],
        [2, 700, 390],
        [68, 16, 70],
        [7, 800, 3],
        [1, 300, 70],
        [2, 300, 70],
        [300, 1, 70],
        [300, 2, 520],
        [1, 1, 700],
        [240, 600, 10],
        [29, 35, 1],
        // Few of one side, dot products that read what is there or copies of it.
        [300, 4, 70],
        [40, 10, 300],
        [33, 3, 32],
        [31, 4, 64],
        [9, 300, 48],
        [2, 35, 33],
        // Sums of multiples of vectors: as many as go by these, and more.
        [1, 32, 500],
        [1, 33, 9],
        [3, 40, 8],
        [5, 5, 101],
        [4, 32, 33],
        [4, 33, 33],
        [1, 128, 10],
        [1, 129, 10],
        // As many elements as are copied, and more.
        [3, 2, 21504],
        [3, 2, 21505],
    ];
    for (seed, sizes) in sizes.into_iter().enumerate() {
        for transposed in 0..8 {
            let transposed = [1, 2, 4].map(|bit| transposed & bit != 0);
            product(sizes, transposed).check(seed as u64);
        }
    }
}

/// What `run` computes with kernels for one column and for many, on processors of all levels: the same bits.
fn same_bits(fused: bool, run: impl Fn(usize) -> Vec<f32>) -> Vec<f32> {
    let mut results: Vec<Vec<f32>> = Vec::new();
    let mut both = || results.extend([1, usize::MAX].map(&run));
    // Processors that cannot fuse round twice.
    match fused {
        false => for_each_level(both),
        true => both(),
    }
    let bits = |result: &[f32]| result.iter().map(|x| x.to_bits()).collect::<Vec<u32>>();
    assert!(
        results
            .iter()
            .all(|result| bits(result) == bits(&results[0]))
    );
    results.swap_remove(0)
}

/// Sums of dot products are the same bits with registers of any width.
#[test]
fn dot_products_of_any_width() {
    let mut random = Random(11);
    let (n_many, n_few) = (7, 3);
    for inner in (1..70).chain([100, 128, 193, 517]) {
        let many = random.numbers(n_many * inner);
        let few = random.numbers(n_few * inner);
        let before = random.numbers(n_many * n_few);
        let steps =
            |n: usize, step: usize| -> Vec<isize> { (0..n).map(|i| (i * step) as isize).collect() };
        let (many_steps, few_steps) = (steps(n_many, inner), steps(n_few, inner));
        let (result_of_many, result_of_few) = (steps(n_many, n_few), steps(n_few, 1));
        for (is_new, fused) in [(false, false), (true, false), (false, true)] {
            let result = same_bits(fused, |columns| {
                let mut result = before.clone();
                let task = Dots {
                    inner,
                    is_new,
                    many: many.as_ptr(),
                    many_steps: many_steps.as_ptr(),
                    n_many,
                    few: few.as_ptr(),
                    few_steps: few_steps.as_ptr(),
                    n_few,
                    result: result.as_mut_ptr(),
                    result_of_many: result_of_many.as_ptr(),
                    result_of_few: result_of_few.as_ptr(),
                };
                // SAFETY: all vectors and results are in memory, and the processor has what it offers.
                unsafe { (f32::kernels(fused, [n_many, columns]).dots)(&task) };
                result
            });
            // Numbers are at most one.
            for m in 0..n_many {
                for f in 0..n_few {
                    let exact: f64 = (0..inner)
                        .map(|i| f64::from(many[m * inner + i]) * f64::from(few[f * inner + i]))
                        .sum();
                    let start = match is_new {
                        true => 0.0,
                        false => f64::from(before[m * n_few + f]),
                    };
                    let ours = f64::from(result[m * n_few + f]);
                    assert!((ours - start - exact).abs() < 1e-6 * inner as f64 + 1e-6);
                }
            }
        }
    }
}

/// Sums of multiples of vectors are the same bits with registers of any width, and nothing else is written.
#[test]
fn sums_of_multiples_of_any_width() {
    let mut random = Random(12);
    for (n, inner) in (1..40).flat_map(|n| [1, 2, 3, 4, 7, 64].map(|inner| (n, inner))) {
        let factors = random.numbers(2 * inner);
        let vectors = random.numbers(inner * (n + 3));
        let before = random.numbers(n + 1);
        for (is_new, fused) in [(false, false), (true, false), (false, true)] {
            let result = same_bits(fused, |columns| {
                let mut result = before.clone();
                let task = Gaxpy {
                    inner,
                    is_new,
                    factors: factors.as_ptr(),
                    factor_step: 2,
                    vectors: vectors.as_ptr(),
                    vector_step: n as isize + 3,
                    n,
                    result: result.as_mut_ptr(),
                };
                // SAFETY: all vectors and results are in memory, and the processor has what it offers.
                unsafe { (f32::kernels(fused, [1, columns]).gaxpy)(&task) };
                result
            });
            assert_eq!(result[n].to_bits(), before[n].to_bits());
            for column in 0..n {
                let exact: f64 = (0..inner)
                    .map(|i| {
                        let vector = vectors[i * (n + 3) + column];
                        f64::from(factors[2 * i]) * f64::from(vector)
                    })
                    .sum();
                let start = if is_new {
                    0.0
                } else {
                    f64::from(before[column])
                };
                let ours = f64::from(result[column]);
                assert!((ours - start - exact).abs() < 1e-6 * inner as f64 + 1e-6);
            }
        }
    }
}

#[test]
fn convolutions() {
    let mut random = Random(7);
    for seed in 0..40 {
        random_convolution(&mut random, seed % 2 == 0).check(seed);
    }
}

/// n h w f, kh kw c: image and result by rows of pixels, or plane by plane.
fn random_convolution(random: &mut Random, by_pixels: bool) -> Case {
    let [n, h, w, f] = [
        1 + random.below(2),
        1 + random.below(9),
        1 + random.below(20),
        1 + random.below(40),
    ];
    let [kh, kw, c] = [
        1 + random.below(3),
        1 + random.below(5),
        1 + random.below(20),
    ];
    let [step, apart] = [1 + random.below(2), 1 + random.below(2)];
    let height = (h - 1) * step + (kh - 1) * apart + 1;
    let width = (w - 1) * step + (kw - 1) * apart + 1;
    let sizes = [n, h, w, f, kh, kw, c].map(|size| size as i64).to_vec();
    let strides = match by_pixels {
        true => [
            vec![h * w * f, w * f, f, 1, 0, 0, 0],
            vec![
                height * width * c,
                step * width * c,
                step * c,
                0,
                apart * width * c,
                apart * c,
                1,
            ],
            vec![0, 0, 0, 1, kw * c * f, c * f, f],
        ],
        false => [
            vec![f * h * w, w, 1, h * w, 0, 0, 0],
            vec![
                c * height * width,
                step * width,
                step,
                0,
                apart * width,
                apart,
                height * width,
            ],
            vec![0, 0, 0, c * kh * kw, kw, 1, kh * kw],
        ],
    };
    let strides = strides.map(|strides| strides.iter().map(|&s| s as isize).collect());
    Case::apart(sizes, strides)
}

#[test]
fn batches_that_are_neighbours() {
    // h w c, kh kw: depthwise, with a multiplier for some.
    let mut random = Random(3);
    for seed in 0..40 {
        let [h, w, c, f] = [
            1 + random.below(6),
            1 + random.below(9),
            1 + random.below(70),
            1 + random.below(2),
        ];
        let [kh, kw] = [1 + random.below(3), 1 + random.below(3)];
        let width = w + kw - 1;
        let sizes = [h, w, c, f, kh, kw].map(|size| size as i64).to_vec();
        let strides = [
            vec![w * c * f, c * f, f, 1, 0, 0],
            vec![width * c, c, 1, 0, width * c, c],
            vec![0, 0, f, 1, kw * c * f, c * f],
        ];
        let strides = strides.map(|strides| strides.iter().map(|&s| s as isize).collect());
        Case::apart(sizes, strides).check(seed);
    }
}

#[test]
fn any_strides() {
    let mut random = Random(1);
    for seed in 0..200 {
        random_strides(&mut random, seed % 4 != 0).check(seed);
    }
}

/// Operands of any strides; with `apart`, elements of the result are at different places.
fn random_strides(random: &mut Random, apart: bool) -> Case {
    let n = 1 + random.below(5);
    let sizes: Vec<i64> = (0..n).map(|_| 1 + random.below(9) as i64).collect();
    let mut strides = [vec![0; n], vec![0; n], vec![0; n]];
    for strides in &mut strides {
        for stride in strides.iter_mut() {
            *stride = random.below(40) as isize - 8;
            if random.below(2) == 0 {
                *stride = 0;
            }
        }
    }
    // Few of these keep elements of the result apart.
    if apart {
        let mut distance = 1;
        for (stride, size) in strides[0].iter_mut().zip(&sizes) {
            if *stride != 0 {
                *stride = distance * (1 - 2 * random.below(2) as isize);
                distance *= *size as isize + random.below(2) as isize;
            }
        }
    }
    Case::apart(sizes, strides)
}

#[test]
fn results_that_overlap_are_computed_in_order() {
    for (seed, distance) in (0..40).enumerate() {
        let check = |offsets, strides: [[isize; 2]; 3]| {
            let [[c_m, c_n], [a_m, a_k], [b_k, b_n]] = strides;
            let strides = [vec![c_m, c_n, 0], vec![a_m, 0, a_k], vec![0, b_n, b_k]];
            let case = Case {
                sizes: vec![10, 20, 20],
                strides,
                offsets,
                len: 3000,
            };
            let memory = Random(seed as u64).numbers(case.len);
            for flags in [FUSED | ANY_ORDER, NEW] {
                let (mut expected, mut all) = (memory.clone(), memory.clone());
                if flags & NEW != 0 {
                    for place in case.result_places() {
                        expected[place] = 0.0;
                    }
                }
                case.run(&mut expected, None);
                case.run(&mut all, Some(flags));
                let is_same = |(x, y): (&f32, &f32)| x.to_bits() == y.to_bits();
                assert!(all.iter().zip(&expected).all(is_same), "{case:?}, {flags}");
            }
        };
        let row_major = [20, 1];
        check([0, distance, 900], [row_major; 3]);
        check([distance, 900, 0], [row_major; 3]);
        // Rows of the result that share elements.
        check([0, 900, 1800], [[3, 1], row_major, row_major]);
        // Backwards.
        check([399, 200, 1800], [[-20, -1], row_major, row_major]);
    }
}

#[test]
fn threads_compute_the_same_bits() {
    let depthwise = Case::apart(
        vec![60, 60, 64, 3, 3],
        [
            vec![60 * 64, 64, 1, 0, 0],
            vec![62 * 64, 64, 1, 62 * 64, 64],
            vec![0, 0, 1, 3 * 64, 64],
        ],
    );
    let mut batch = product([40, 50, 60], [false; 3]);
    batch.sizes.push(20);
    for (strides, stride) in batch.strides.iter_mut().zip([2000, 2400, 3000]) {
        strides.push(stride);
    }
    let cases = [
        product([300, 70, 100], [false; 3]),
        product([33, 500, 100], [false, true, true]),
        product([2, 2000, 300], [false, false, true]),
        Case::apart(batch.sizes, batch.strides),
        depthwise,
    ];
    for (seed, case) in cases.iter().enumerate() {
        let memory = Random(seed as u64).numbers(case.len);
        for flags in [0, FUSED | ANY_ORDER, NEW] {
            let after = |threads: u64| {
                let mut memory = memory.clone();
                case.run(&mut memory, Some(flags | threads << THREADS_SHIFT));
                memory.iter().map(|x| x.to_bits()).collect::<Vec<_>>()
            };
            let expected = after(0);
            for threads in [1, 2, 3, 7, 1000] {
                assert!(after(threads) == expected, "{threads} threads: {case:?}");
            }
        }
    }
}

#[test]
fn dot_products_are_the_same_bits_on_all_processors() {
    // Four vectors at once and what is left, of either factor.
    for (inner, sizes) in
        (32..150).flat_map(|inner| [(inner, [1, 23]), (inner, [23, 1]), (inner.max(64), [2, 7])])
    {
        let case = product([sizes[0], sizes[1], inner], [false, false, true]);
        case.check(inner as u64);
        let memory = Random(inner as u64).numbers(case.len);
        let mut all: Vec<Vec<u32>> = Vec::new();
        for_each_level(|| {
            let mut memory = memory.clone();
            case.run(&mut memory, Some(ANY_ORDER));
            all.push(memory.iter().map(|x| x.to_bits()).collect());
        });
        assert!(all.windows(2).all(|pair| pair[0] == pair[1]), "{case:?}");
    }
}

#[test]
fn empty_loops_add_nothing() {
    for sizes in [[0, 9, 90], [9, 0, 90], [90, 9, 0]] {
        let case = Case {
            len: 9000,
            ..product(sizes, [false; 3])
        };
        case.check(0);
    }
}

#[test]
fn f64_agrees() {
    let mut random = Random(5);
    for [m, n, k] in [
        [30, 40, 50],
        [1, 100, 300],
        [100, 1, 300],
        [3, 9, 400],
        [64, 64, 64],
    ] {
        let numbers = [
            m as i64, n as i64, k as i64, n as i64, 1, 0, k as i64, 0, 1, 0, 1, n as i64,
        ];
        let mut doubles =
            |n: usize| -> Vec<f64> { random.numbers(n).iter().map(|&x| x.into()).collect() };
        let (mut a, mut b, c) = (doubles(m * k), doubles(k * n), doubles(m * n));
        for flags in [0, FUSED | ANY_ORDER] {
            let mut all = c.clone();
            // SAFETY: the vectors are as large as the numbers say.
            unsafe {
                freehold_contract_f64(
                    all.as_mut_ptr(),
                    a.as_mut_ptr(),
                    b.as_mut_ptr(),
                    flags,
                    numbers.as_ptr(),
                    numbers.as_ptr(),
                    0,
                    12,
                    1,
                );
            }
            for i in 0..m {
                for j in 0..n {
                    let product = |sum, l: usize| sum + a[i * k + l] * b[l * n + j];
                    let expected = (0..k).fold(c[i * n + j], product);
                    let found = all[i * n + j];
                    match flags {
                        0 => assert_eq!(found.to_bits(), expected.to_bits()),
                        _ => assert!((found - expected).abs() < 1e-12),
                    }
                }
            }
        }
    }
}
