//! Makes functions around random named operations that add products up.

use std::fmt::Write as _;
use std::ops::Range;

use freehold::frontend::dialects::linalg::description::{Index, NamedOp};
use freehold::frontend::dialects::linalg::named::TABLE;

use crate::support::generator::rng::Rng;

/// Products of one function.
const MAX_WORK: usize = 1 << 17;
/// So few stay loops (`convert-linalg-to-library-calls`).
const MIN_WORK: usize = 4096;
/// Elements of one operand.
const MAX_ELEMENTS: usize = 1 << 14;

/// Elements of the result and of both factors.
const ELEMENTS: [[&str; 3]; 16] = [
    ["f32"; 3],
    ["f32"; 3],
    ["f32"; 3],
    ["f64"; 3],
    ["i32"; 3],
    ["i64"; 3],
    ["i8"; 3],
    ["i32", "i8", "i8"],
    ["i32", "i8", "i8"],
    ["i32", "i16", "i8"],
    ["i16", "i8", "i8"],
    ["f32", "f16", "f16"],
    ["f32", "bf16", "bf16"],
    ["f32", "f32", "bf16"],
    ["f32", "f32", "i8"],
    ["f64", "f32", "f32"],
];

/// A program with a function per seed.
pub(super) fn module(seeds: Range<u64>, is_exact: bool) -> String {
    let mut text =
        String::from("func.func private @printI64(i64)\nfunc.func private @printNewline()\n");
    let mut calls = String::new();
    for seed in seeds {
        let mut function = Function {
            rng: Rng::new(seed),
            text: String::new(),
            n_values: 0,
            is_exact,
        };
        function.build();
        let _ = write!(
            text,
            "func.func @f{seed}() {{\n{}  return\n}}\n",
            function.text
        );
        let _ = writeln!(calls, "  call @f{seed}() : () -> ()");
    }
    let _ = write!(text, "func.func @main() {{\n{calls}  return\n}}\n");
    text
}

struct Function {
    rng: Rng,
    text: String,
    n_values: usize,
    /// Whether all floats are small integers.
    is_exact: bool,
}

/// How the dimension of an operand follows from loops.
fn dim_size(index: Index, sizes: &[usize], windows: &[[usize; 2]; 3]) -> usize {
    let window = |outer: usize, stride: usize, inner: usize, dilation: usize| {
        (outer - 1) * stride + (inner - 1) * dilation + 1
    };
    match index {
        Index::D(counter) => sizes[counter as usize],
        Index::Sum(a, b) => window(sizes[a as usize], 1, sizes[b as usize], 1),
        Index::Window(a, b, number) => {
            let [stride, dilation] = windows[number as usize];
            window(sizes[a as usize], stride, sizes[b as usize], dilation)
        }
    }
}

/// The operations that multiply two tensors, and four more with their zero points.
fn operations() -> Vec<&'static NamedOp> {
    let names = ["conv", "matmul", "matvec", "vecmat", "mmt4d", "linalg.dot"];
    let is_product = |op: &&NamedOp| names.iter().any(|name| op.def.name.contains(name));
    TABLE.iter().filter(is_product).collect()
}

impl Function {
    fn value(&mut self, rest: &str) -> String {
        let name = format!("%v{}", self.n_values);
        self.n_values += 1;
        let _ = writeln!(self.text, "  {name} = {rest}");
        name
    }

    fn build(&mut self) {
        let mut all = operations();
        // There are many more convolutions.
        if self.rng.chance(40) {
            all.retain(|op| op.def.name.contains("matmul"));
        }
        let op = *self.rng.pick(&all);
        let maps: Vec<Vec<Index>> = op.indices.maps().map(<[Index]>::to_vec).collect();
        let is_quantized = maps.len() > 3;
        let elements = match is_quantized {
            true => ["i32", "i8", "i8"],
            false if self.rng.chance(30) => ["f32"; 3],
            false => *self.rng.pick(&ELEMENTS),
        };
        // As many products as the library takes, mostly.
        let least = match self.rng.chance(80) {
            true => MIN_WORK,
            false => 0,
        };
        let windows = [(); 3].map(|()| [self.rng.range(1, 3), self.rng.range(1, 2)]);
        let shapes_of = |sizes: &[usize]| -> Vec<Vec<usize>> {
            let dims = |map: &[Index]| {
                let dims = map.iter().map(|&index| dim_size(index, sizes, &windows));
                dims.collect()
            };
            maps.iter().map(|map| dims(map)).collect()
        };
        let tries = 20;
        let found = (0..tries).find_map(|_| {
            let sizes = self.sizes(op, &maps);
            let shapes = shapes_of(&sizes);
            let fits = |shape: &Vec<usize>| shape.iter().product::<usize>() <= MAX_ELEMENTS;
            let is_good = sizes.iter().product::<usize>() >= least && shapes.iter().all(fits);
            is_good.then_some(shapes)
        });
        // The least ones, for operations that cannot have as many products.
        let n_loops = op.indices.n_loops().unwrap_or(0);
        let shapes = found.unwrap_or_else(|| shapes_of(&vec![2; n_loops]));
        let n_spatial = maps[0]
            .iter()
            .filter(|index| matches!(index, Index::Window(..)))
            .count();
        let attributes = match n_spatial {
            0 => String::new(),
            n => {
                let list = |which: usize| {
                    let numbers: Vec<String> = windows[..n]
                        .iter()
                        .map(|window| window[which].to_string())
                        .collect();
                    format!("dense<[{}]> : tensor<{n}xi64>", numbers.join(", "))
                };
                format!(" {{dilations = {}, strides = {}}}", list(1), list(0))
            }
        };
        let is_window = |index: &Index| !matches!(index, Index::D(_));
        let image = self.operand(
            &shapes[0],
            &maps[0].iter().map(is_window).collect::<Vec<_>>(),
            elements[1],
        );
        let other = self.operand(&shapes[1], &vec![false; shapes[1].len()], elements[2]);
        let mut operands = vec![image, other];
        let mut types = vec![
            tensor(&shapes[0], elements[1]),
            tensor(&shapes[1], elements[2]),
        ];
        for _ in 2..maps.len() - 1 {
            let number = self.rng.below(255) as i64 - 128;
            operands.push(self.value(&format!("arith.constant {number} : i32")));
            types.push("i32".to_owned());
        }
        let shape = &shapes[maps.len() - 1];
        let init = self.initial(shape, elements[0]);
        let ty = tensor(shape, elements[0]);
        let result = self.value(&format!(
            "{}{attributes} ins({} : {}) outs({init} : {ty}) -> {ty}",
            op.def.name,
            operands.join(", "),
            types.join(", ")
        ));
        let result = self.with_epilogue(result, shape, elements[0]);
        self.print_hash(&result, shape, elements[0]);
        if self.rng.chance(20) {
            self.print_hash(&init, shape, elements[0]);
        }
    }

    /// How often each loop runs.
    fn sizes(&mut self, op: &NamedOp, maps: &[Vec<Index>]) -> Vec<usize> {
        let n_loops = op.indices.n_loops().unwrap_or(0);
        let in_windows = |counter: usize| {
            let mut all = maps.iter().flatten();
            all.any(|index| match *index {
                Index::D(_) => false,
                Index::Sum(a, b) | Index::Window(a, b, _) => [a, b].contains(&(counter as u8)),
            })
        };
        let mut work = 1;
        let mut sizes = vec![1; n_loops];
        if (0..n_loops).all(|counter| !in_windows(counter)) && self.rng.chance(60) {
            return self.sizes_of_dots(op, n_loops);
        }
        for _ in 0..n_loops {
            // In any order, so that none always gets what is left.
            let free: Vec<usize> = (0..n_loops).filter(|&i| sizes[i] == 1).collect();
            let counter = *self.rng.pick(&free);
            let most = match in_windows(counter) && !op.indices.is_parallel(counter) {
                true => 5,
                false => 67,
            };
            let size = match self.rng.below(10) {
                0 if !in_windows(counter) && self.rng.chance(30) => 0,
                0..4 => self.rng.range(1, 6),
                _ => self.rng.range(1, most),
            };
            let size = size.min(most).min((MAX_WORK / work).max(1));
            sizes[counter] = size;
            work *= size.max(1);
        }
        sizes
    }

    /// Sizes of products with long sums for few rows or columns, which the library takes as dot products.
    fn sizes_of_dots(&mut self, op: &NamedOp, n_loops: usize) -> Vec<usize> {
        let is_parallel = |counter: usize| op.indices.is_parallel(counter);
        let mut work = 1;
        let mut sizes = vec![1; n_loops];
        // The sums first, since they are to be long.
        let (parallel, sums): (Vec<usize>, Vec<usize>) =
            (0..n_loops).partition(|&counter| is_parallel(counter));
        let few = parallel.last().copied().filter(|_| self.rng.chance(60));
        let few = few.unwrap_or_else(|| self.rng.below(n_loops));
        for counter in [sums, parallel].concat() {
            let most = match is_parallel(counter) {
                false => 600,
                true if counter == few || self.rng.chance(20) => 11,
                true => 40,
            };
            let size = self.rng.range(1, most);
            sizes[counter] = size.min((MAX_WORK / work).max(1));
            work *= sizes[counter];
        }
        sizes
    }

    /// A tensor, maybe a padded, transposed or cut one.
    fn operand(&mut self, shape: &[usize], may_pad: &[bool], element: &str) -> String {
        let ty = tensor(shape, element);
        match self.rng.below(6) {
            0 | 1 if may_pad.contains(&true) => {
                let mut amounts = [vec![0; shape.len()], vec![0; shape.len()]];
                let mut inner = shape.to_vec();
                for dim in (0..shape.len()).filter(|&dim| may_pad[dim]) {
                    for amounts in &mut amounts {
                        let amount = self.rng.below(3).min(inner[dim] - 1);
                        amounts[dim] = amount;
                        inner[dim] -= amount;
                    }
                }
                let source = self.filled(&inner, element);
                let zero = match element.starts_with('i') {
                    true => "0",
                    false => "0.0",
                };
                let zero = self.value(&format!("arith.constant {zero} : {element}"));
                let indices: Vec<String> =
                    (0..shape.len()).map(|i| format!("%i{i}: index")).collect();
                self.value(&format!(
                    "tensor.pad {source} low[{}] high[{}] {{\n  ^bb0({}):\n    tensor.yield {zero} : {element}\n  }} : {} to {ty}",
                    list(&amounts[0]),
                    list(&amounts[1]),
                    indices.join(", "),
                    tensor(&inner, element)
                ))
            }
            2 if shape.len() > 1 => {
                let mut order: Vec<usize> = (0..shape.len()).collect();
                for i in (1..order.len()).rev() {
                    order.swap(i, self.rng.below(i + 1));
                }
                let mut outer = vec![0; shape.len()];
                for (i, &from) in order.iter().enumerate() {
                    outer[from] = shape[i];
                }
                let source = self.filled(&outer, element);
                let init = self.value(&format!("tensor.empty() : {ty}"));
                if self.rng.chance(50) {
                    let mut read = vec![0; order.len()];
                    for (i, &from) in order.iter().enumerate() {
                        read[from] = i;
                    }
                    let read: Vec<String> = read.iter().map(|i| format!("d{i}")).collect();
                    let dims = dims(shape.len());
                    return self.value(&format!(
                        "linalg.generic {{indexing_maps = [affine_map<({dims}) -> ({})>, affine_map<({dims}) -> ({dims})>], iterator_types = [{}]}} ins({source} : {}) outs({init} : {ty}) {{\n  ^bb0(%in: {element}, %out: {element}):\n    linalg.yield %in : {element}\n  }} -> {ty}",
                        read.join(", "),
                        iterators(shape.len(), "parallel"),
                        tensor(&outer, element)
                    ));
                }
                self.value(&format!(
                    "linalg.transpose ins({source} : {}) outs({init} : {ty}) permutation = [{}]",
                    tensor(&outer, element),
                    list(&order)
                ))
            }
            3 if !shape.is_empty() => {
                let mut parts = [Vec::new(), Vec::new(), Vec::new()];
                for &size in shape {
                    let (offset, stride) = (self.rng.below(3), self.rng.range(1, 2));
                    let end = offset + size.saturating_sub(1) * stride + 1 + self.rng.below(2);
                    for (part, number) in parts.iter_mut().zip([offset, stride, end]) {
                        part.push(number);
                    }
                }
                let [offsets, strides, ends] = parts;
                let source = self.filled(&ends, element);
                self.value(&format!(
                    "tensor.extract_slice {source}[{}] [{}] [{}] : {} to {ty}",
                    list(&offsets),
                    list(shape),
                    list(&strides),
                    tensor(&ends, element)
                ))
            }
            _ => self.filled(shape, element),
        }
    }

    /// What products are added to: mostly zeros, as models have it.
    fn initial(&mut self, shape: &[usize], element: &str) -> String {
        let number = match self.rng.below(8) {
            0..2 => return self.filled(shape, element),
            2 => "-0.0",
            3 => "3.0",
            _ => "0.0",
        };
        let number = match element.starts_with('i') {
            true => number.trim_end_matches(".0").replace("-0", "-1"),
            false => number.to_owned(),
        };
        let ty = tensor(shape, element);
        let number = self.value(&format!("arith.constant {number} : {element}"));
        let init = self.value(&format!("tensor.empty() : {ty}"));
        self.value(&format!(
            "linalg.fill ins({number} : {element}) outs({init} : {ty}) -> {ty}"
        ))
    }

    /// A tensor of numbers that depend on their places.
    fn filled(&mut self, shape: &[usize], element: &str) -> String {
        let ty = tensor(shape, element);
        let init = self.value(&format!("tensor.empty() : {ty}"));
        let seed = self.rng.below(1 << 20);
        let mut body = format!(
            "    %h0 = arith.constant {seed} : i64\n    %k = arith.constant 2654435761 : i64\n"
        );
        for dim in 0..shape.len() {
            let next = dim + 1;
            let _ = write!(
                body,
                "    %i{dim} = linalg.index {dim} : index\n    %n{dim} = arith.index_cast %i{dim} : index to i64\n    %a{dim} = arith.addi %h{dim}, %n{dim} : i64\n    %h{next} = arith.muli %a{dim}, %k : i64\n"
            );
        }
        let last = shape.len();
        let _ = write!(
            body,
            "    %s = arith.constant 23 : i64\n    %r = arith.shrsi %h{last}, %s : i64\n"
        );
        if element.starts_with('i') {
            body.push_str(&match element {
                "i64" => "    %x = arith.addi %r, %k : i64\n".to_owned(),
                _ => format!("    %x = arith.trunci %r : i64 to {element}\n"),
            });
        } else {
            // From -4 to 4, or anything up to that.
            let _ = write!(
                body,
                "    %m = arith.constant 9 : i64\n    %o = arith.constant 4 : i64\n    %u = arith.remui %r, %m : i64\n    %c = arith.subi %u, %o : i64\n    %f = arith.sitofp %c : i64 to f32\n"
            );
            let number = match self.is_exact {
                true => "%f",
                false => {
                    body.push_str("    %t = arith.constant 0.37 : f32\n    %w = arith.remui %r, %k : i64\n    %z = arith.sitofp %w : i64 to f32\n    %y = arith.constant 4.0e-10 : f32\n    %p = arith.mulf %z, %y : f32\n    %q = arith.mulf %f, %t : f32\n    %g = arith.addf %p, %q : f32\n");
                    "%g"
                }
            };
            body.push_str(&match element {
                "f32" => format!("    %one = arith.constant 1.0 : f32\n    %x = arith.mulf {number}, %one : f32\n"),
                "f64" => format!("    %x = arith.extf {number} : f32 to f64\n"),
                _ => format!("    %x = arith.truncf {number} : f32 to {element}\n"),
            });
        }
        let dims = dims(shape.len());
        self.value(&format!(
            "linalg.generic {{indexing_maps = [affine_map<({dims}) -> ({dims})>], iterator_types = [{}]}} outs({init} : {ty}) {{\n  ^bb0(%old: {element}):\n{body}    linalg.yield %x : {element}\n  }} -> {ty}",
            iterators(shape.len(), "parallel")
        ))
    }

    /// What is done to the result: nothing, or a bias is added, and what is negative becomes zero.
    fn with_epilogue(&mut self, result: String, shape: &[usize], element: &str) -> String {
        if shape.is_empty() || self.rng.chance(50) {
            return result;
        }
        let dim = self.rng.below(shape.len());
        let bias = self.filled(&shape[dim..=dim], element);
        let [add, most, zero] = match element.starts_with('i') {
            true => ["addi", "maxsi", "0"],
            false => ["addf", "maximumf", "0.0"],
        };
        let ty = tensor(shape, element);
        let zero = self.value(&format!("arith.constant {zero} : {element}"));
        let init = self.value(&format!("tensor.empty() : {ty}"));
        let dims = dims(shape.len());
        self.value(&format!(
            "linalg.generic {{indexing_maps = [affine_map<({dims}) -> ({dims})>, affine_map<({dims}) -> (d{dim})>, affine_map<({dims}) -> ({dims})>], iterator_types = [{}]}} ins({result}, {bias} : {ty}, {}) outs({init} : {ty}) {{\n  ^bb0(%a: {element}, %b: {element}, %old: {element}):\n    %c = arith.{add} %a, %b : {element}\n    %d = arith.{most} %c, {zero} : {element}\n    linalg.yield %d : {element}\n  }} -> {ty}",
            iterators(shape.len(), "parallel"),
            tensor(&shape[dim..=dim], element)
        ))
    }

    fn print_hash(&mut self, result: &str, shape: &[usize], element: &str) {
        let bits = match element {
            "f32" => {
                "    %b = arith.bitcast %x : f32 to i32\n    %w = arith.extui %b : i32 to i64\n"
            }
            "f64" => "    %w = arith.bitcast %x : f64 to i64\n",
            "i64" => "    %w = arith.addi %x, %k : i64\n",
            _ => &format!("    %w = arith.extui %x : {element} to i64\n"),
        };
        let init = self.value("arith.constant dense<0> : tensor<i64>");
        let dims = dims(shape.len());
        let hash = self.value(&format!(
            "linalg.generic {{indexing_maps = [affine_map<({dims}) -> ({dims})>, affine_map<({dims}) -> ()>], iterator_types = [{}]}} ins({result} : {}) outs({init} : tensor<i64>) {{\n  ^bb0(%x: {element}, %h: i64):\n    %k = arith.constant 6364136223846793005 : i64\n{bits}    %m = arith.muli %h, %k : i64\n    %s = arith.addi %m, %w : i64\n    linalg.yield %s : i64\n  }} -> tensor<i64>",
            iterators(shape.len(), "reduction"),
            tensor(shape, element)
        ));
        let number = self.value(&format!("tensor.extract {hash}[] : tensor<i64>"));
        self.print(&number);
    }

    fn print(&mut self, number: &str) {
        let _ = write!(
            self.text,
            "  call @printI64({number}) : (i64) -> ()\n  call @printNewline() : () -> ()\n"
        );
    }
}

fn tensor(shape: &[usize], element: &str) -> String {
    let sizes: String = shape.iter().map(|size| format!("{size}x")).collect();
    format!("tensor<{sizes}{element}>")
}

fn list(numbers: &[usize]) -> String {
    let numbers: Vec<String> = numbers.iter().map(usize::to_string).collect();
    numbers.join(", ")
}

fn dims(n: usize) -> String {
    let dims: Vec<String> = (0..n).map(|i| format!("d{i}")).collect();
    dims.join(", ")
}

fn iterators(n: usize, kind: &str) -> String {
    vec![format!("\"{kind}\""); n].join(", ")
}
