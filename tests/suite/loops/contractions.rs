//! Random contractions as library calls against plain loops.
//!
//! Each loop of a random `linalg.generic` moves along a dimension of some of its operands, alone or together
//! with another one as windows of convolutions do. Operands are row-major or in any other order, with gaps,
//! of sizes and strides that are known or not, at random places of one memory. As written, the library must
//! leave the same bits; where products may be fused and added up in any order, numbers that are as near as
//! sums of so many rounded products are (and the same bits where the result shares memory with a factor).

use std::fmt::Write as _;

use freehold::backend::jit::{Argument, Buffer, Jit};

use super::{PLAIN, bytes, compile};
use crate::support::generator::rng::Rng;
use crate::support::n_programs;

/// Bytes of the memory of all operands.
const MEMORY: usize = 1 << 20;
/// Products of one program.
const MAX_WORK: usize = 1 << 16;

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
    fn random(rng: &mut Rng, sizes: &[usize], mut counters: Vec<usize>, elements: usize) -> Self {
        let mut dims = Vec::new();
        rng_shuffle(rng, &mut counters);
        // Sizes must be told by somebody: windows are of operands that are no results, see `Program`.
        while let Some(counter) = counters.pop() {
            dims.push(Dim {
                terms: vec![(counter, 1)],
                constant: 0,
                size: sizes[counter],
            });
        }
        Self::of(rng, dims, elements)
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
            "  %v{i} = memref.reinterpret_cast %all to offset: [{offset}], sizes: [{}], strides: [{}] : memref<{elements}x{element}> to {}",
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
    element: &'static str,
    /// The most products that one element of the memory gets.
    inner: usize,
    /// Whether the result shares elements with a factor.
    overlaps: bool,
}

impl Program {
    /// `None` if operands do not fit the memory.
    fn random(rng: &mut Rng) -> Option<Self> {
        let element = *rng.pick(&["f32", "f32", "f64"]);
        let elements = MEMORY / bytes(element) / 2;
        // Of each loop: does it move along the result, the left factor, the right one?
        let mut roles = Vec::new();
        let mut sizes = Vec::new();
        let n_loops = rng.range(1, 7);
        let mut work = 1;
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
        let counters = |operand: usize| -> Vec<usize> {
            (0..n_loops).filter(|&i| roles[i][operand]).collect()
        };
        let mut operands: Vec<Operand> = (0..3)
            .map(|operand| Operand::random(rng, &sizes, counters(operand), elements))
            .collect();
        if rng.chance(50) {
            Self::add_windows(rng, &roles, &sizes, &mut operands[1], elements);
        }
        if rng.chance(70) {
            // Apart from each other.
            let mut at = rng.below(3);
            for operand in &mut operands {
                operand.offset = at;
                at += operand.reach + rng.below(5);
            }
        }
        let fits = operands
            .iter()
            .all(|operand| operand.offset + operand.reach <= elements);
        if !fits {
            return None;
        }
        let range = |operand: &Operand| operand.offset..operand.offset + operand.reach;
        let result = range(&operands[0]);
        let overlaps = operands[1..]
            .iter()
            .map(range)
            .any(|other| other.start < result.end && result.start < other.end);
        let is_inner = |&i: &usize| !roles[i][0] || operands[0].is_folded();
        let inner = (0..n_loops).filter(is_inner).map(|i| sizes[i]).product();
        let iterators: Vec<&str> = (roles.iter())
            .map(|[is_parallel, ..]| match is_parallel {
                true => "\"parallel\"",
                false => "\"reduction\"",
            })
            .collect();
        let [result, left, right] = [0, 1, 2].map(|i: usize| operands[i].ty(element));
        let maps = [1, 2, 0]
            .map(|i: usize| operands[i].map(n_loops))
            .join(", ");
        let mut text = format!(
            "func.func @kernel(%memory: memref<{MEMORY}xi8>) {{
  %zero = arith.constant 0 : index
  %all = memref.view %memory[%zero][] : memref<{MEMORY}xi8> to memref<{elements}x{element}>
"
        );
        for (i, operand) in operands.iter().enumerate() {
            operand.define(&mut text, i, element, elements);
        }
        let _ = write!(
            text,
            "  linalg.generic {{indexing_maps = [{maps}], iterator_types = [{}]}} ins(%v1, %v2 : {left}, {right}) outs(%v0 : {result}) {{
  ^bb0(%a: {element}, %b: {element}, %c: {element}):
    %product = arith.mulf %a, %b : {element}
    %sum = arith.addf %c, %product : {element}
    linalg.yield %sum : {element}
  }}
  return
}}
",
            iterators.join(", ")
        );
        Some(Self {
            text,
            element,
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
        match self.element {
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

#[test]
fn contractions_compute_what_loops_do() {
    let mut rng = Rng::new(11);
    let mut n_calls = 0u64;
    let programs = n_programs(75);
    for _ in 0..programs {
        let Some(program) = Program::random(&mut rng) else {
            continue;
        };
        let text = &program.text;
        let memory = filled_memory_for(&mut rng, program.element);
        let (plain, _) = compile(text, "cse", PLAIN);
        let expected = program.run(&plain, &memory);
        for fp in ["strict", "contract"] {
            let pass = format!("convert-linalg-to-library-calls{{min-products=0 fp={fp}}}");
            let (fast, printed) = compile(text, &pass, PLAIN);
            n_calls += u64::from(printed.contains("call @freehold_contract"));
            let found = program.run(&fast, &memory);
            let epsilon = match program.element {
                "f32" => f64::from(f32::EPSILON),
                _ => f64::EPSILON,
            };
            // Numbers are at most one; a sum of n products is off by at most n roundings of n.
            let n = program.inner as f64 + 1.0;
            let bound = match fp == "strict" || program.overlaps {
                true => 0.0,
                false => 2.0 * n * n * epsilon,
            };
            for (i, (x, y)) in found.iter().zip(&expected).enumerate() {
                let agrees = x.to_bits() == y.to_bits() || (x - y).abs() <= bound;
                assert!(agrees, "{fp}: element {i} is {x} and not {y}\n{text}");
            }
        }
    }
    assert!(n_calls > programs, "{n_calls} calls");
}

/// Random numbers of the type, none above one.
fn filled_memory_for(rng: &mut Rng, element: &str) -> Vec<u8> {
    let mut numbers = Rng::new(rng.next());
    let mut memory = vec![0; MEMORY];
    let mut float = || (numbers.next() >> 40) as f32 / (1u64 << 23) as f32 - 1.0;
    match element {
        "f32" => {
            for bytes in memory[..MEMORY / 2].chunks_exact_mut(4) {
                bytes.copy_from_slice(&float().to_le_bytes());
            }
        }
        _ => {
            for bytes in memory[..MEMORY / 2].chunks_exact_mut(8) {
                bytes.copy_from_slice(&f64::from(float()).to_le_bytes());
            }
        }
    }
    memory
}
