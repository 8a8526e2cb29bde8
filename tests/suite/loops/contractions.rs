//! Random contractions as library calls and as fast loops against plain loops.
//!
//! Each loop of a random `linalg.generic` moves along a dimension of some of its operands, alone or together
//! with another one as windows of convolutions do. Operands are row-major or in any other order, with gaps,
//! of sizes and strides that are known or not, at random places of one memory. As written, the library must
//! leave the same bits; where products may be fused and added up in any order, numbers that are as near as
//! sums of so many rounded products are (and the same bits where the result shares memory with a factor). Fast loops
//! leave the same bits; with products that are not rounded, numbers as near. Elements of factors may be narrower than
//! those of the result.

use std::fmt::Write as _;
use std::sync::Mutex;

use freehold::backend::jit::{Argument, Buffer, Jit};
use libtest_mimic::Trial;

use super::memory::{moved, random_half};
use super::{FAST, PLAIN, ROTATED, THREADS, Vectors, compile, compile_for};
use crate::needs::trials;
use crate::support::generator::rng::Rng;
use crate::support::{first_seed, n_programs};

/// Bytes of the memory of all operands.
const MEMORY: usize = 1 << 20;
/// Products of one program.
const MAX_WORK: usize = 1 << 16;

/// Elements of the result and of the factors.
type Elements = [&'static str; 3];

const SAME: [Elements; 3] = [["f32"; 3], ["f32"; 3], ["f64"; 3]];
const MIXED: [Elements; 6] = [
    ["i32"; 3],
    ["i32", "i8", "i8"],
    ["i32", "i16", "i8"],
    ["f32", "f16", "f16"],
    ["f32", "bf16", "bf16"],
    ["f64", "f32", "f32"],
];

fn bytes(element: &str) -> usize {
    match element.trim_start_matches(|c: char| !c.is_ascii_digit()) {
        "8" => 1,
        "16" => 2,
        "32" => 4,
        _ => 8,
    }
}

/// A dimension of an operand: what its subscript adds up, counters times numbers, and a constant.
struct Dim {
    terms: Vec<(usize, usize)>,
    constant: usize,
    size: usize,
}

struct Operand {
    dims: Vec<Dim>,
    strides: Vec<usize>,
    /// Where its first element is, and how many elements it reaches over.
    offset: usize,
    reach: usize,
    /// Whether its type has its sizes and strides.
    is_static: bool,
}

impl Operand {
    /// An operand that moves along `counters`, some of them along one dimension together.
    fn random(
        rng: &mut Rng,
        sizes: &[usize],
        mut counters: Vec<usize>,
        elements: usize,
        is_regular: bool,
    ) -> Self {
        let mut dims = Vec::new();
        match is_regular {
            true => counters.reverse(),
            false => rng_shuffle(rng, &mut counters),
        }
        // Sizes must be told by somebody: windows are of operands that are no results, see `Program`.
        while let Some(counter) = counters.pop() {
            dims.push(Dim {
                terms: vec![(counter, 1)],
                constant: 0,
                size: sizes[counter],
            });
        }
        match is_regular {
            true => Self::row_major(dims),
            false => Self::of(rng, dims, elements),
        }
    }

    fn row_major(dims: Vec<Dim>) -> Self {
        let mut strides = vec![1; dims.len()];
        for dim in (1..dims.len()).rev() {
            strides[dim - 1] = strides[dim] * dims[dim].size;
        }
        let reach = dims.first().map_or(1, |dim| dim.size * strides[0]);
        Self {
            is_static: !strides.contains(&0),
            offset: 0,
            reach: reach.max(1),
            dims,
            strides,
        }
    }

    fn of(rng: &mut Rng, dims: Vec<Dim>, elements: usize) -> Self {
        let mut order: Vec<usize> = (0..dims.len()).collect();
        if rng.chance(40) {
            rng_shuffle(rng, &mut order);
        }
        let mut strides = vec![1; dims.len()];
        let mut stride = 1;
        for &dim in order.iter().rev() {
            strides[dim] = stride;
            stride *= dims[dim].size.max(1);
            if rng.chance(15) {
                stride += rng.below(4);
            }
        }
        if rng.chance(5) && !strides.is_empty() {
            let which = rng.below(strides.len());
            strides[which] = strides[which].saturating_sub(1);
        }
        let last = |(dim, stride): (&Dim, &usize)| dim.size.saturating_sub(1) * stride;
        let reach = dims.iter().zip(&strides).map(last).sum::<usize>() + 1;
        let offset = match reach < elements {
            true => rng.below(elements - reach),
            false => 0,
        };
        // Types with strides of zero are not read.
        let is_static = rng.chance(50) && !strides.contains(&0);
        Self {
            dims,
            strides,
            offset,
            reach,
            is_static,
        }
    }

    fn map(&self, n_loops: usize) -> String {
        let subscript = |dim: &Dim| {
            let term = |&(counter, factor): &(usize, usize)| format!("d{counter} * {factor}");
            let terms: Vec<String> = dim.terms.iter().map(term).collect();
            format!("{} + {}", terms.join(" + "), dim.constant)
        };
        let counters: Vec<String> = (0..n_loops).map(|i| format!("d{i}")).collect();
        let subscripts: Vec<String> = self.dims.iter().map(subscript).collect();
        format!(
            "affine_map<({}) -> ({})>",
            counters.join(", "),
            subscripts.join(", ")
        )
    }

    fn ty(&self, element: &str) -> String {
        let sizes: String = (self.dims.iter())
            .map(|dim| match self.is_static {
                true => format!("{}x", dim.size),
                false => "?x".to_owned(),
            })
            .collect();
        let (strides, offset) = match self.is_static {
            true => (list(&self.strides), self.offset.to_string()),
            false => (vec!["?"; self.dims.len()].join(", "), "?".to_owned()),
        };
        format!("memref<{sizes}{element}, strided<[{strides}], offset: {offset}>>")
    }

    /// Makes it `%v{i}`.
    fn define(&self, text: &mut String, i: usize, element: &str, elements: usize) {
        let _ = writeln!(
            text,
            "  %all{i} = memref.view %memory[%zero][] : memref<{MEMORY}xi8> to memref<{elements}x{element}>"
        );
        let mut number = |name: String, number: usize| match self.is_static {
            true => number.to_string(),
            false => {
                let _ = writeln!(text, "  {name} = arith.constant {number} : index");
                name
            }
        };
        let offset = number(format!("%offset{i}"), self.offset);
        let mut sizes = Vec::new();
        let mut strides = Vec::new();
        for (d, (dim, &stride)) in self.dims.iter().zip(&self.strides).enumerate() {
            sizes.push(number(format!("%size{i}_{d}"), dim.size));
            strides.push(number(format!("%stride{i}_{d}"), stride));
        }
        let _ = writeln!(
            text,
            "  %v{i} = memref.reinterpret_cast %all{i} to offset: [{offset}], sizes: [{}], strides: [{}] : memref<{elements}x{element}> to {}",
            sizes.join(", "),
            strides.join(", "),
            self.ty(element)
        );
    }
}

fn list(numbers: &[usize]) -> String {
    let numbers: Vec<String> = numbers.iter().map(usize::to_string).collect();
    numbers.join(", ")
}

fn rng_shuffle<T>(rng: &mut Rng, items: &mut [T]) {
    for i in (1..items.len()).rev() {
        items.swap(i, rng.below(i + 1));
    }
}

struct Program {
    text: String,
    elements: Elements,
    /// The most products that one element of the memory gets.
    inner: usize,
    /// Whether the result shares elements with a factor.
    overlaps: bool,
}

impl Program {
    /// `None` if operands do not fit the memory.
    /// With `is_regular`, one whose last loop moves along rows of row-major operands.
    fn random(rng: &mut Rng, kinds: &[Elements], is_regular: bool) -> Option<Self> {
        let elements = *rng.pick(kinds);
        let room = elements.map(|element| MEMORY / bytes(element) / 2);
        // Of each loop: does it move along the result, the left factor, the right one?
        let mut roles = Vec::new();
        let mut sizes = Vec::new();
        let n_loops = rng.range(1, 7);
        let row = match is_regular {
            true => rng.range(16, 67),
            false => 1,
        };
        let mut work = row;
        for _ in 0..n_loops {
            roles.push(*rng.pick(&[
                [true, true, false],
                [true, false, true],
                [false, true, true],
                [false, true, true],
                [true, true, true],
            ]));
            let most = (MAX_WORK / work).min(67);
            let size = match rng.below(10) {
                0 => rng.range(0, 1),
                1..5 => rng.range(1, most.clamp(1, 6)),
                _ => rng.range(1, most.max(1)),
            };
            sizes.push(size);
            work *= size.max(1);
        }
        if is_regular {
            (roles[n_loops - 1], sizes[n_loops - 1]) = ([true, false, true], row);
        }
        let counters = |operand: usize| -> Vec<usize> {
            (0..n_loops).filter(|&i| roles[i][operand]).collect()
        };
        let mut operands: Vec<Operand> = (0..3)
            .map(|operand| {
                Operand::random(rng, &sizes, counters(operand), room[operand], is_regular)
            })
            .collect();
        if !is_regular && rng.chance(50) {
            Self::add_windows(rng, &roles, &sizes, &mut operands[1], room[1]);
        }
        if is_regular || rng.chance(70) {
            // Apart from each other.
            let mut at = rng.below(3);
            for (operand, element) in operands.iter_mut().zip(elements) {
                operand.offset = at.div_ceil(bytes(element)) + rng.below(3);
                at = (operand.offset + operand.reach) * bytes(element);
            }
        }
        let mut all = operands.iter().zip(room);
        let fits = all.all(|(operand, room)| operand.offset + operand.reach <= room);
        if !fits {
            return None;
        }
        let range = |i: usize| {
            let (operand, size) = (&operands[i], bytes(elements[i]));
            operand.offset * size..(operand.offset + operand.reach) * size
        };
        let result = range(0);
        let overlaps = [1, 2]
            .map(range)
            .into_iter()
            .any(|other| other.start < result.end && result.start < other.end);
        let is_inner = |&i: &usize| !roles[i][0] || operands[0].is_folded();
        let inner = (0..n_loops).filter(is_inner).map(|i| sizes[i]).product();
        let iterators: Vec<&str> = (roles.iter())
            .map(|[is_parallel, ..]| match is_parallel {
                true => "\"parallel\"",
                false => "\"reduction\"",
            })
            .collect();
        let [result, left, right] = [0, 1, 2].map(|i: usize| operands[i].ty(elements[i]));
        let [element, of_left, of_right] = elements;
        let [extend, times, plus] = match element.starts_with('i') {
            true => ["extsi", "muli", "addi"],
            false => ["extf", "mulf", "addf"],
        };
        // Its name where the operation begins, and what makes it as wide as the result.
        let factor = |name: &str, of: &str| match of == element {
            true => (name.to_owned(), String::new()),
            false => (
                format!("{name}_narrow"),
                format!("    {name} = arith.{extend} {name}_narrow : {of} to {element}\n"),
            ),
        };
        let (a, widen_a) = factor("%a", of_left);
        let (b, widen_b) = factor("%b", of_right);
        let maps = [1, 2, 0]
            .map(|i: usize| operands[i].map(n_loops))
            .join(", ");
        let mut text = format!(
            "func.func @kernel(%memory: memref<{MEMORY}xi8>) {{
  %zero = arith.constant 0 : index
"
        );
        for (i, operand) in operands.iter().enumerate() {
            operand.define(&mut text, i, elements[i], room[i]);
        }
        let _ = write!(
            text,
            "  linalg.generic {{indexing_maps = [{maps}], iterator_types = [{}]}} ins(%v1, %v2 : {left}, {right}) outs(%v0 : {result}) {{
  ^bb0({a}: {of_left}, {b}: {of_right}, %c: {element}):
{widen_a}{widen_b}    %product = arith.{times} %a, %b : {element}
    %sum = arith.{plus} %c, %product : {element}
    linalg.yield %sum : {element}
  }}
  return
}}
",
            iterators.join(", ")
        );
        Some(Self {
            text,
            elements,
            inner,
            overlaps,
        })
    }

    /// Lets two loops of the left factor move along one dimension, if other operands tell how often each
    /// of them runs.
    fn add_windows(
        rng: &mut Rng,
        roles: &[[bool; 3]],
        sizes: &[usize],
        left: &mut Operand,
        elements: usize,
    ) {
        let told = |role: [bool; 3]| (0..roles.len()).filter(move |&i| roles[i] == role);
        let pairs: Vec<(usize, usize)> = told([true, true, false])
            .zip(told([false, true, true]))
            .collect();
        let mut dims = std::mem::take(&mut left.dims);
        for (row, inner) in pairs {
            let numbers = [rng.range(1, 3), rng.range(1, 3)];
            let terms = vec![(row, numbers[0]), (inner, numbers[1])];
            let reach =
                |(counter, factor): &(usize, usize)| sizes[*counter].saturating_sub(1) * factor;
            let constant = rng.below(2);
            let size = terms.iter().map(reach).sum::<usize>() + constant + 1;
            dims.retain(|dim| dim.terms != [(row, 1)] && dim.terms != [(inner, 1)]);
            dims.push(Dim {
                terms,
                constant,
                size,
            });
        }
        *left = Operand::of(rng, dims, elements);
    }

    /// What the memory holds afterwards.
    fn run(&self, jit: &Jit, memory: &[u8]) -> Vec<f64> {
        let mut copy = memory.to_vec();
        let buffer = Buffer::new(&mut copy, &[MEMORY]);
        jit.call("kernel", &[Argument::MemRef(&buffer)]).unwrap();
        drop(buffer);
        match self.elements[0] {
            "i32" => (copy[..MEMORY / 2].chunks_exact(4))
                .map(|bytes| i32::from_le_bytes(bytes.try_into().unwrap()).into())
                .collect(),
            "f32" => (copy[..MEMORY / 2].chunks_exact(4))
                .map(|bytes| f32::from_le_bytes(bytes.try_into().unwrap()).into())
                .collect(),
            _ => (copy[..MEMORY / 2].chunks_exact(8))
                .map(|bytes| f64::from_le_bytes(bytes.try_into().unwrap()))
                .collect(),
        }
    }
}

impl Operand {
    /// Whether elements may be at the same place.
    fn is_folded(&self) -> bool {
        let mut dims: Vec<(usize, usize)> = (self.dims.iter().zip(&self.strides))
            .map(|(dim, &stride)| (stride, dim.size))
            .filter(|&(_, size)| size > 1)
            .collect();
        dims.sort_unstable();
        let mut reach = 0;
        dims.into_iter().any(|(stride, size)| {
            let is_folded = stride <= reach;
            reach += stride * (size - 1);
            is_folded
        })
    }
}

/// Fails unless both found the same bits, or numbers that near.
fn agree(program: &Program, how: &str, found: &[f64], expected: &[f64], bound: f64) {
    for (i, (x, y)) in found.iter().zip(expected).enumerate() {
        let agrees = x.to_bits() == y.to_bits() || (x - y).abs() <= bound;
        let text = &program.text;
        assert!(agrees, "{how}: element {i} is {x} and not {y}\n{text}");
    }
}

/// How far sums may be apart that were added up in another order, or of products that were not rounded: numbers are
/// at most one, and a sum of n products is off by at most n roundings of n.
fn bound(program: &Program) -> f64 {
    let epsilon = match program.elements[0] {
        "f32" => f64::from(f32::EPSILON),
        "f64" => f64::EPSILON,
        _ => 0.0,
    };
    let n = program.inner as f64 + 1.0;
    2.0 * n * n * epsilon
}

fn contractions_compute_what_loops_do() {
    let mut rng = Rng::new(11);
    let kinds = [&SAME[..], &MIXED[..]].concat();
    let mut n_calls = 0u64;
    let programs = n_programs(75);
    for _ in 0..programs {
        let Some(program) = Program::random(&mut rng, &kinds, false) else {
            continue;
        };
        let memory = filled_memory_for(&mut rng, program.elements[1]);
        let (plain, _) = compile(&program.text, "cse", PLAIN);
        let expected = program.run(&plain, &memory);
        for fp in ["strict", "contract"] {
            let pass = format!("convert-linalg-to-library-calls{{min-products=0 fp={fp}}}");
            let (fast, printed) = compile(&program.text, &pass, PLAIN);
            n_calls += u64::from(printed.contains("call @freehold_contract"));
            let bound = match fp == "strict" || program.overlaps {
                true => 0.0,
                false => bound(&program),
            };
            agree(&program, fp, &program.run(&fast, &memory), &expected, bound);
        }
    }
    assert!(n_calls > programs / 2, "{n_calls} calls");
}

fn fast_loops_of_contractions_compute_what_plain_ones_do() {
    let mut rng = Rng::new(12 + first_seed());
    let kinds = [&SAME[..], &MIXED[..]].concat();
    let all_vectors = Vectors::all();
    let (programs, mut n_vectors, mut n_fused, mut n_others) = (n_programs(60), 0, 0, 0);
    for number in 0..programs {
        let Some(program) = Program::random(&mut rng, &kinds, number % 2 == 0) else {
            continue;
        };
        let memory = filled_memory_for(&mut rng, program.elements[1]);
        let (plain, _) = compile(&program.text, "cse", PLAIN);
        let expected = program.run(&plain, &memory);
        let vectors = all_vectors[number as usize % all_vectors.len()];
        let threading = match number as usize % THREADS.len() {
            0 => "parallelize-loops{min-work=0},outline-parallel-loops,",
            _ => "",
        };
        for (fp, fusion) in [
            ("strict", ""),
            ("contract", "fuse-multiply-add{fp=contract},"),
        ] {
            // Where results are factors, differences grow.
            if fp == "contract" && (program.overlaps || program.elements[0] == "i32") {
                continue;
            }
            let passes = format!(
                "convert-linalg-to-loops,lower-affine,canonicalize,{threading}{fusion}{FAST}"
            );
            let (fast, printed, _) = compile_for(&program.text, &passes, ROTATED, vectors);
            let found = program.run(&fast, &memory);
            n_vectors += u64::from(printed.contains("vector.store"));
            n_fused += u64::from(printed.contains("math.fma"));
            n_others += u64::from(found != expected);
            let bound = match fp {
                "strict" => 0.0,
                _ => bound(&program),
            };
            agree(&program, fp, &found, &expected, bound);
        }
    }
    assert!(
        n_vectors > programs / 8 && n_fused > programs / 8 && n_others > programs / 16,
        "{n_vectors} {n_fused} {n_others}"
    );
}

/// Random numbers of the type, no floats above one, also if they are taken for those of another type.
fn filled_memory_for(rng: &mut Rng, element: &str) -> Vec<u8> {
    static MADE: Mutex<Vec<(String, Vec<u8>)>> = Mutex::new(Vec::new());
    let key = element.to_owned();
    moved(rng.next(), &key, MEMORY / 2, &MADE, || {
        random_memory(element)
    })
}

fn random_memory(element: &str) -> Vec<u8> {
    let mut numbers = Rng::new(0);
    let mut memory = vec![0; MEMORY];
    let mut float = || (numbers.next() >> 40) as f32 / (1u64 << 23) as f32 - 1.0;
    let filled = &mut memory[..MEMORY / 2];
    match element {
        "f32" => {
            for bytes in filled.chunks_exact_mut(4) {
                bytes.copy_from_slice(&float().to_le_bytes());
            }
        }
        "f64" => {
            for bytes in filled.chunks_exact_mut(8) {
                bytes.copy_from_slice(&f64::from(float()).to_le_bytes());
            }
        }
        "f16" | "bf16" => {
            for bytes in filled.chunks_exact_mut(2) {
                bytes.copy_from_slice(&random_half(&mut numbers, element).to_le_bytes());
            }
        }
        _ => filled.fill_with(|| numbers.next() as u8),
    }
    memory
}

/// The tests of this module.
pub(super) fn tests() -> Vec<Trial> {
    trials![
        contractions_compute_what_loops_do,
        fast_loops_of_contractions_compute_what_plain_ones_do
    ]
}
