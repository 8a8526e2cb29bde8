//! Random programs on tensors like those that importers of models write: structured operations one after the
//! other, with broadcasts, reductions, products, slices, pads and reshapes, and loops, branches and calls around
//! them. `@main` prints what they compute.
//!
//! Numbers are integers or floats; products of floats are with constants, so that nothing becomes infinite.

use std::fmt::Write as _;

use super::generator::rng::Rng;

/// What programs may have besides structured operations and slices.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Kind {
    /// Loops, branches and calls.
    pub(crate) control_flow: bool,
    /// Reshapes that add and remove other dimensions than those of size 1.
    pub(crate) reshapes: bool,
}

/// A tensor.
#[derive(Clone)]
struct Var {
    name: String,
    shape: Vec<usize>,
}

/// A function that can be called.
struct Function {
    takes: Vec<Vec<usize>>,
    returns: Vec<usize>,
}

struct Writer<'a> {
    rng: &'a mut Rng,
    kind: Kind,
    element: &'static str,
    scope: Vec<Var>,
    text: String,
    functions: Vec<Function>,
    n_names: usize,
    depth: usize,
}

/// Elements of a tensor.
const MAX_ELEMENTS: usize = 64;

/// The program with this seed.
pub(crate) fn generate(seed: u64, kind: Kind) -> String {
    let mut rng = Rng::new(seed);
    let element = *rng.pick(&["i32", "f32"]);
    let mut writer = Writer {
        rng: &mut rng,
        kind,
        element,
        scope: Vec::new(),
        text: String::new(),
        functions: Vec::new(),
        n_names: 0,
        depth: 0,
    };
    let n_functions = match kind.control_flow {
        true => writer.rng.range(1, 2),
        false => 1,
    };
    for _ in 0..n_functions {
        writer.function();
    }
    writer.main();
    writer.text
}

impl Writer<'_> {
    fn function(&mut self) {
        let takes: Vec<Vec<usize>> = (0..self.rng.range(1, 3)).map(|_| self.shape()).collect();
        self.scope.clear();
        let mut parameters = Vec::new();
        for shape in &takes {
            let var = self.new_var(shape);
            parameters.push(format!("{}: {}", var.name, self.ty(shape)));
            self.scope.push(var);
        }
        let outer = std::mem::take(&mut self.text);
        for _ in 0..self.rng.range(3, 12) {
            self.statement();
        }
        let result = self.scope.last().expect("there are parameters").clone();
        let body = std::mem::replace(&mut self.text, outer);
        let ty = self.ty(&result.shape);
        let _ = write!(
            self.text,
            "func.func @f{}({}) -> {ty} {{\n{body}return {} : {ty}\n}}\n",
            self.functions.len(),
            parameters.join(", "),
            result.name
        );
        self.functions.push(Function {
            takes,
            returns: result.shape,
        });
    }

    /// Calls all functions and prints what comes back.
    fn main(&mut self) {
        let print = format!("printMemref{}", self.element.to_uppercase());
        let unranked = format!("tensor<*x{}>", self.element);
        let _ = writeln!(
            self.text,
            "func.func private @{print}({unranked})\nfunc.func @main() {{"
        );
        self.scope.clear();
        for index in 0..self.functions.len() {
            for shape in self.functions[index].takes.clone() {
                let values = self.constant(&shape);
                let ty = self.ty(&shape);
                self.define(&shape, &format!("arith.constant dense<{values}> : {ty}"));
            }
            let Some(result) = self.call(index) else {
                continue;
            };
            let cast = self.name();
            let ty = self.ty(&result.shape);
            let _ = writeln!(
                self.text,
                "{cast} = tensor.cast {} : {ty} to {unranked}\ncall @{print}({cast}) : ({unranked}) -> ()",
                result.name
            );
        }
        self.text += "return\n}\n";
    }

    /// Different numbers, as text.
    fn constant(&mut self, shape: &[usize]) -> String {
        match shape.split_first() {
            None => {
                let n = self.rng.below(17) as i32 - 8;
                match self.element {
                    "i32" => n.to_string(),
                    _ => format!("{n}.5"),
                }
            }
            Some((&size, inner)) => {
                let rows: Vec<String> = (0..size).map(|_| self.constant(inner)).collect();
                format!("[{}]", rows.join(", "))
            }
        }
    }

    fn shape(&mut self) -> Vec<usize> {
        let rank = *self.rng.pick(&[0, 1, 1, 2, 2, 2, 3]);
        (0..rank)
            .map(|_| *self.rng.pick(&[1, 1, 2, 3, 4, 4]))
            .collect()
    }

    fn ty(&self, shape: &[usize]) -> String {
        let mut ty = "tensor<".to_owned();
        for size in shape {
            let _ = write!(ty, "{size}x");
        }
        ty + self.element + ">"
    }

    fn name(&mut self) -> String {
        self.n_names += 1;
        format!("%v{}", self.n_names)
    }

    fn new_var(&mut self, shape: &[usize]) -> Var {
        Var {
            name: self.name(),
            shape: shape.to_vec(),
        }
    }

    /// Defines a tensor that later statements may use.
    fn define(&mut self, shape: &[usize], definition: &str) -> Var {
        let var = self.new_var(shape);
        let _ = writeln!(self.text, "{} = {definition}", var.name);
        self.scope.push(var.clone());
        var
    }

    fn value(&mut self, definition: &str) -> String {
        let name = self.name();
        let _ = writeln!(self.text, "{name} = {definition}");
        name
    }

    fn empty(&mut self, shape: &[usize]) -> String {
        let ty = self.ty(shape);
        self.value(&format!("tensor.empty() : {ty}"))
    }

    fn number(&mut self) -> String {
        let n = self.rng.below(9) as i32 - 4;
        let suffix = if self.element == "i32" { "" } else { ".0" };
        self.value(&format!("arith.constant {n}{suffix} : {}", self.element))
    }

    fn filled(&mut self, shape: &[usize]) -> String {
        let (empty, number) = (self.empty(shape), self.number());
        let (ty, element) = (self.ty(shape), self.element);
        self.value(&format!(
            "linalg.fill ins({number} : {element}) outs({empty} : {ty}) -> {ty}"
        ))
    }

    /// A tensor that is there; later ones are more likely.
    fn pick(&mut self) -> Var {
        let n = self.scope.len();
        let back = self.rng.below(n).min(self.rng.below(n));
        self.scope[n - 1 - back].clone()
    }

    fn pick_where(&mut self, wanted: impl Fn(&[usize]) -> bool) -> Option<Var> {
        let vars: Vec<&Var> = self.scope.iter().filter(|var| wanted(&var.shape)).collect();
        if vars.is_empty() {
            return None;
        }
        Some((*self.rng.pick(&vars)).clone())
    }

    fn statement(&mut self) {
        let n_simple = 22;
        let n = match self.kind.control_flow && self.depth < 2 {
            true => n_simple + 4,
            false => n_simple,
        };
        match self.rng.below(n) {
            0..=6 => self.elementwise(),
            7..=9 => self.reduction(),
            10..=12 => self.named(),
            13 => self.product(),
            14 => self.extract_slice(),
            15 | 16 => self.insert_slice(),
            17 => self.pad(),
            18 | 19 => self.unit_reshape(),
            20 => self.concat(),
            21 => self.reshape(),
            22 => self.repetition(),
            23 | 24 => self.branch(),
            _ => {
                if self.functions.is_empty() {
                    return;
                }
                let index = self.rng.below(self.functions.len());
                self.call(index);
            }
        }
    }

    /// How a tensor of one shape may be read by loops of another: a loop or nothing for each dimension.
    fn subscripts(&mut self, shape: &[usize], loops: &[usize]) -> Option<Vec<Option<usize>>> {
        let mut is_free = vec![true; loops.len()];
        // Such as the diagonal of a matrix.
        let repeats = self.rng.chance(15);
        let mut subscripts = Vec::new();
        for &size in shape {
            let fitting: Vec<usize> = (0..loops.len())
                .filter(|&i| (is_free[i] || repeats) && loops[i] == size)
                .collect();
            if size == 1 && (fitting.is_empty() || self.rng.chance(40)) {
                subscripts.push(None);
                continue;
            }
            if fitting.is_empty() {
                return None;
            }
            // In order, as most are.
            let chosen = match self.rng.chance(70) {
                true => fitting[0],
                false => *self.rng.pick(&fitting),
            };
            is_free[chosen] = false;
            subscripts.push(Some(chosen));
        }
        Some(subscripts)
    }

    /// Tensors that loops can read, and how.
    fn inputs(&mut self, loops: &[usize], n: usize) -> Vec<(Var, String)> {
        let mut inputs = Vec::new();
        for _ in 0..n {
            let var = self.pick();
            if let Some(subscripts) = self.subscripts(&var.shape, loops) {
                inputs.push((var, affine_map(loops.len(), &subscripts)));
            }
        }
        inputs
    }

    /// Operations on numbers, and the one that is the result.
    fn expression(&mut self, mut values: Vec<String>, n_loops: usize) -> String {
        let element = self.element;
        let is_float = element == "f32";
        if n_loops > 0 && self.rng.chance(15) {
            let dim = self.rng.below(n_loops);
            let index = self.value(&format!("linalg.index {dim} : index"));
            let mut number = self.value(&format!("arith.index_cast {index} : index to i32"));
            if is_float {
                number = self.value(&format!("arith.sitofp {number} : i32 to f32"));
            }
            values.push(number);
        }
        for _ in 0..self.rng.range(1, 4) {
            // Mostly of what was computed last, so that little is for nothing.
            let [a, b] = [80, 30].map(|percent| match self.rng.chance(percent) {
                true => values[values.len() - 1].clone(),
                false => self.rng.pick(&values).clone(),
            });
            let new = if !is_float {
                let op = *self
                    .rng
                    .pick(&["addi", "subi", "muli", "maxsi", "minsi", "xori"]);
                self.value(&format!("arith.{op} {a}, {b} : {element}"))
            } else {
                match self.rng.below(9) {
                    8 => self.value(&format!("math.copysign {a}, {b} : f32")),
                    0 => {
                        let half = self.value("arith.constant 0.5 : f32");
                        self.value(&format!("arith.mulf {a}, {half} : f32"))
                    }
                    1 => {
                        let positive = self.value(&format!("math.absf {a} : f32"));
                        let negative = self.value(&format!("arith.negf {positive} : f32"));
                        self.value(&format!("math.exp {negative} : f32"))
                    }
                    2 => {
                        let positive = self.value(&format!("math.absf {b} : f32"));
                        let one = self.value("arith.constant 1.0 : f32");
                        let more = self.value(&format!("arith.addf {positive}, {one} : f32"));
                        self.value(&format!("arith.divf {a}, {more} : f32"))
                    }
                    3 => self.turn(&a),
                    n => {
                        let op = ["addf", "subf", "maximumf", "minimumf"][n - 4];
                        self.value(&format!("arith.{op} {a}, {b} : f32"))
                    }
                }
            };
            values.push(new);
        }
        values.pop().expect("there is an operation")
    }

    /// A sine, a cosine or a tangent of a double, some of which are large.
    fn turn(&mut self, a: &str) -> String {
        let wide = self.value(&format!("arith.extf {a} : f32 to f64"));
        let factor = self.value("arith.constant 3.0e+7 : f64");
        let far = self.value(&format!("arith.mulf {wide}, {factor} : f64"));
        let name = *self.rng.pick(&["cos", "sin", "tan"]);
        let turn = self.value(&format!("math.{name} {far} : f64"));
        self.value(&format!("arith.truncf {turn} : f64 to f32"))
    }

    /// A `linalg.generic`; `combine` says how the body goes on with its expression and the old element.
    fn generic(
        &mut self,
        inputs: &[(Var, String)],
        outputs: &[(Var, String)],
        iterators: &[bool],
        combine: Option<&str>,
        reads_output: bool,
    ) {
        let list = |items: Vec<String>| items.join(", ");
        let maps: Vec<String> = (inputs.iter().chain(outputs))
            .map(|(_, map)| map.clone())
            .collect();
        let kinds: Vec<String> = (iterators.iter())
            .map(|&parallel| match parallel {
                true => "\"parallel\"".to_owned(),
                false => "\"reduction\"".to_owned(),
            })
            .collect();
        let operands = |vars: &[(Var, String)], writer: &Self| {
            let names: Vec<String> = vars.iter().map(|(var, _)| var.name.clone()).collect();
            let types: Vec<String> = (vars.iter())
                .map(|(var, _)| writer.ty(&var.shape))
                .collect();
            (names.join(", "), types.join(", "))
        };
        let (in_names, in_types) = operands(inputs, self);
        let (out_names, out_types) = operands(outputs, self);
        let arguments: Vec<String> = (0..inputs.len() + outputs.len())
            .map(|_| self.name())
            .collect();
        let element = self.element;
        let block: Vec<String> = (arguments.iter())
            .map(|name| format!("{name}: {element}"))
            .collect();
        let outer = std::mem::take(&mut self.text);
        let (read, old) = arguments.split_at(inputs.len());
        let mut yields = Vec::new();
        for old in old {
            let mut values = read.to_vec();
            if reads_output && combine.is_none() {
                values.push(old.clone());
            }
            let mut value = self.expression(values, iterators.len());
            if let Some(op) = combine {
                value = self.value(&format!("arith.{op} {old}, {value} : {element}"));
            }
            yields.push(value);
        }
        let body = std::mem::replace(&mut self.text, outer);
        let results: Vec<Var> = (outputs.iter())
            .map(|(var, _)| self.new_var(&var.shape))
            .collect();
        let types = vec![element; yields.len()].join(", ");
        let first = results[0].name.clone();
        let result = match results.len() {
            1 => first.clone(),
            n => format!("{first}:{n}"),
        };
        let _ = write!(
            self.text,
            "{result} = linalg.generic {{indexing_maps = [{}], iterator_types = [{}]}} ",
            list(maps),
            list(kinds)
        );
        if !inputs.is_empty() {
            let _ = write!(self.text, "ins({in_names} : {in_types}) ");
        }
        let result_types = match results.len() {
            1 => out_types.clone(),
            _ => format!("({out_types})"),
        };
        let _ = writeln!(
            self.text,
            "outs({out_names} : {out_types}) {{\n^bb0({}):\n{body}linalg.yield {} : {types}\n}} -> {result_types}",
            list(block),
            list(yields)
        );
        let n_results = results.len();
        for (index, mut var) in results.into_iter().enumerate() {
            if n_results > 1 {
                var.name = format!("{first}#{index}");
            }
            self.scope.push(var);
        }
    }

    /// The shape of a tensor that is there, maybe in another order and with other dimensions between.
    fn shape_like_others(&mut self) -> Vec<usize> {
        let mut shape = self.pick().shape;
        if self.rng.chance(20) {
            shape.reverse();
        }
        if self.rng.chance(25) && shape.len() < 3 {
            let at = self.rng.below(shape.len() + 1);
            shape.insert(at, self.rng.range(1, 4));
        }
        while shape.iter().product::<usize>() > MAX_ELEMENTS {
            shape.pop();
        }
        shape
    }

    fn elementwise(&mut self) {
        let shape = self.shape_like_others();
        let n_inputs = self.rng.range(1, 3);
        let inputs = self.inputs(&shape, n_inputs);
        let reads_output = inputs.is_empty() || self.rng.chance(15);
        let n_outputs = if self.rng.chance(15) { 2 } else { 1 };
        let identity = affine_map(shape.len(), &(0..shape.len()).map(Some).collect::<Vec<_>>());
        let outputs: Vec<(Var, String)> = (0..n_outputs)
            .map(|_| {
                let like = self.pick_where(|other| other == shape);
                let name = match like {
                    Some(var) if reads_output => var.name,
                    _ if reads_output => self.filled(&shape),
                    _ => self.empty(&shape),
                };
                let shape = shape.clone();
                (Var { name, shape }, identity.clone())
            })
            .collect();
        let iterators = vec![true; shape.len()];
        self.generic(&inputs, &outputs, &iterators, None, reads_output);
    }

    fn reduction(&mut self) {
        let loops = self.shape_like_others();
        let mut inputs = Vec::new();
        // All loops must be the dimensions of something.
        let Some(var) = self.pick_where(|other| other == loops) else {
            return;
        };
        let identity = affine_map(loops.len(), &(0..loops.len()).map(Some).collect::<Vec<_>>());
        inputs.push((var, identity));
        if self.rng.chance(30) {
            inputs.extend(self.inputs(&loops, 1));
        }
        let iterators: Vec<bool> = loops.iter().map(|_| self.rng.chance(50)).collect();
        let kept: Vec<usize> = (0..loops.len()).filter(|&i| iterators[i]).collect();
        let shape: Vec<usize> = kept.iter().map(|&i| loops[i]).collect();
        let subscripts: Vec<Option<usize>> = kept.iter().map(|&i| Some(i)).collect();
        let output = Var {
            name: self.filled(&shape),
            shape,
        };
        let combine = match (self.element, self.rng.chance(60)) {
            ("i32", true) => "addi",
            ("i32", false) => "maxsi",
            (_, true) => "addf",
            (_, false) => "maximumf",
        };
        let outputs = [(output, affine_map(loops.len(), &subscripts))];
        self.generic(&inputs, &outputs, &iterators, Some(combine), true);
    }

    fn named(&mut self) {
        let var = self.pick();
        let (ty, shape) = (self.ty(&var.shape), var.shape.clone());
        match self.rng.below(4) {
            0 => {
                let other = self
                    .pick_where(|other| other == shape)
                    .unwrap_or(var.clone());
                let op = *self.rng.pick(match self.element {
                    "i32" => &["add", "sub", "mul"],
                    _ => &["add", "sub", "sub"],
                });
                let empty = self.empty(&shape);
                let operands = format!("{}, {} : {ty}, {ty}", var.name, other.name);
                self.define(
                    &shape,
                    &format!("linalg.{op} ins({operands}) outs({empty} : {ty}) -> {ty}"),
                );
            }
            // mlir-opt 19 crashes where there is nothing to transpose.
            1 if !shape.is_empty() => {
                let mut permutation: Vec<usize> = (0..shape.len()).collect();
                permutation.reverse();
                let turned: Vec<usize> = permutation.iter().map(|&i| shape[i]).collect();
                let (empty, to) = (self.empty(&turned), self.ty(&turned));
                let name = &var.name;
                self.define(
                    &turned,
                    &format!(
                        "linalg.transpose ins({name} : {ty}) outs({empty} : {to}) permutation = {permutation:?}"
                    ),
                );
            }
            2 if shape.len() < 3 => {
                let at = self.rng.below(shape.len() + 1);
                let mut larger = shape.clone();
                larger.insert(at, self.rng.range(1, 4));
                let (empty, to) = (self.empty(&larger), self.ty(&larger));
                let name = &var.name;
                self.define(
                    &larger,
                    &format!(
                        "linalg.broadcast ins({name} : {ty}) outs({empty} : {to}) dimensions = [{at}]"
                    ),
                );
            }
            _ => {
                let other = self
                    .pick_where(|other| other == shape)
                    .unwrap_or(var.clone());
                let op = *self.rng.pick(match self.element {
                    "i32" => &["arith.addi", "arith.subi", "arith.muli"],
                    _ => &["arith.addf", "arith.subf", "arith.maximumf"],
                });
                self.define(&shape, &format!("{op} {}, {} : {ty}", var.name, other.name));
            }
        }
    }

    /// A product of matrices.
    fn product(&mut self) {
        let is_matrix = |shape: &[usize]| shape.len() == 2;
        let Some(left) = self.pick_where(is_matrix).filter(|_| self.element == "i32") else {
            return;
        };
        let depth = left.shape[1];
        let Some(right) = self.pick_where(|shape| is_matrix(shape) && shape[0] == depth) else {
            return;
        };
        let shape = [left.shape[0], right.shape[1]];
        let filled = self.filled(&shape);
        let [a, b, c] = [&left.shape[..], &right.shape[..], &shape[..]].map(|shape| self.ty(shape));
        self.define(
            &shape,
            &format!(
                "linalg.matmul ins({}, {} : {a}, {b}) outs({filled} : {c}) -> {c}",
                left.name, right.name
            ),
        );
    }

    fn extract_slice(&mut self) {
        let var = self.pick();
        let (mut offsets, mut sizes) = (Vec::new(), Vec::new());
        for &size in &var.shape {
            let taken = self.rng.range(1, size);
            offsets.push(self.rng.below(size - taken + 1));
            sizes.push(taken);
        }
        let shape = self.reduced(&sizes);
        let strides = vec![1; sizes.len()];
        let (from, to) = (self.ty(&var.shape), self.ty(&shape));
        self.define(
            &shape,
            &format!(
                "tensor.extract_slice {}{offsets:?} {sizes:?} {strides:?} : {from} to {to}",
                var.name
            ),
        );
    }

    /// A shape, maybe without its dimensions of size 1.
    fn reduced(&mut self, sizes: &[usize]) -> Vec<usize> {
        match self.rng.chance(40) {
            true => sizes.iter().copied().filter(|&size| size != 1).collect(),
            false => sizes.to_vec(),
        }
    }

    fn insert_slice(&mut self) {
        let part = self.pick();
        let units = self.rng.below(2);
        let mut sizes = vec![1; units];
        sizes.extend(&part.shape);
        let fits = |shape: &[usize]| {
            shape.len() == sizes.len() && shape.iter().zip(&sizes).all(|(a, b)| a >= b)
        };
        let whole = match self.pick_where(fits) {
            Some(whole) => whole,
            None => {
                let shape: Vec<usize> = (sizes.iter())
                    .map(|size| size + self.rng.below(3))
                    .collect();
                if shape.iter().product::<usize>() > MAX_ELEMENTS {
                    return;
                }
                let name = match self.rng.chance(50) {
                    true => self.empty(&shape),
                    false => self.filled(&shape),
                };
                // What is empty must not be looked at.
                if self
                    .text
                    .trim_end()
                    .ends_with(&format!("tensor.empty() : {}", self.ty(&shape)))
                    && shape != sizes
                {
                    return;
                }
                Var { name, shape }
            }
        };
        let offsets: Vec<usize> = (whole.shape.iter().zip(&sizes))
            .map(|(whole, part)| self.rng.below(whole - part + 1))
            .collect();
        let strides = vec![1; sizes.len()];
        let (from, to) = (self.ty(&part.shape), self.ty(&whole.shape));
        self.define(
            &whole.shape,
            &format!(
                "tensor.insert_slice {} into {}{offsets:?} {sizes:?} {strides:?} : {from} into {to}",
                part.name, whole.name
            ),
        );
    }

    fn pad(&mut self) {
        let var = self.pick();
        let margins =
            |rng: &mut Rng| -> Vec<usize> { var.shape.iter().map(|_| rng.below(2)).collect() };
        let (low, high) = (margins(self.rng), margins(self.rng));
        let shape: Vec<usize> = (var.shape.iter().zip(low.iter().zip(&high)))
            .map(|(size, (low, high))| size + low + high)
            .collect();
        if shape.is_empty() || shape.iter().product::<usize>() > MAX_ELEMENTS {
            return;
        }
        let number = self.number();
        let block: Vec<String> = shape
            .iter()
            .map(|_| format!("{}: index", self.name()))
            .collect();
        let (from, to, element) = (self.ty(&var.shape), self.ty(&shape), self.element);
        self.define(
            &shape,
            &format!(
                "tensor.pad {} low{low:?} high{high:?} {{\n^bb0({}):\ntensor.yield {number} : {element}\n}} : {from} to {to}",
                var.name,
                block.join(", ")
            ),
        );
    }

    /// Dimensions of size 1 more, or fewer.
    fn unit_reshape(&mut self) {
        let var = self.pick();
        let from = self.ty(&var.shape);
        if var.shape.contains(&1) && self.rng.chance(50) {
            let shape: Vec<usize> = (var.shape.iter().copied())
                .filter(|&size| size != 1)
                .collect();
            let groups = unit_groups(&var.shape);
            let to = self.ty(&shape);
            self.define(
                &shape,
                &format!(
                    "tensor.collapse_shape {} {groups:?} : {from} into {to}",
                    var.name
                ),
            );
        } else if var.shape.len() < 3 && !var.shape.contains(&1) {
            let mut shape = var.shape.clone();
            let at = self.rng.below(shape.len() + 1);
            shape.insert(at, 1);
            let (groups, to) = (unit_groups(&shape), self.ty(&shape));
            self.define(
                &shape,
                &format!(
                    "tensor.expand_shape {} {groups:?} output_shape {shape:?} : {from} into {to}",
                    var.name
                ),
            );
        }
    }

    /// All dimensions become one, or one becomes two.
    fn reshape(&mut self) {
        if !self.kind.reshapes {
            return;
        }
        let var = self.pick();
        let from = self.ty(&var.shape);
        match var.shape[..] {
            [] => {}
            [4] => {
                let to = self.ty(&[2, 2]);
                self.define(
                    &[2, 2],
                    &format!(
                        "tensor.expand_shape {} [[0, 1]] output_shape [2, 2] : {from} into {to}",
                        var.name
                    ),
                );
            }
            _ => {
                let shape = [var.shape.iter().product()];
                let to = self.ty(&shape);
                let group: Vec<usize> = (0..var.shape.len()).collect();
                self.define(
                    &shape,
                    &format!(
                        "tensor.collapse_shape {} [{group:?}] : {from} into {to}",
                        var.name
                    ),
                );
            }
        }
    }

    fn concat(&mut self) {
        let a = self.pick();
        if a.shape.is_empty() {
            return;
        }
        let dim = self.rng.below(a.shape.len());
        let matches = |shape: &[usize]| {
            let same = |i: usize| i == dim || shape[i] == a.shape[i];
            shape.len() == a.shape.len() && (0..shape.len()).all(same)
        };
        let b = self.pick_where(matches).unwrap_or(a.clone());
        let mut shape = a.shape.clone();
        shape[dim] += b.shape[dim];
        if shape.iter().product::<usize>() > MAX_ELEMENTS {
            return;
        }
        let [from, other, to] = [&a.shape, &b.shape, &shape].map(|shape| self.ty(shape));
        self.define(
            &shape,
            &format!(
                "tensor.concat dim({dim}) {}, {} : ({from}, {other}) -> {to}",
                a.name, b.name
            ),
        );
    }

    /// Statements in a region, and a tensor of this shape that they compute.
    fn nested(&mut self, shape: &[usize], carried: Option<Var>) -> String {
        let outside = self.scope.len();
        self.scope.extend(carried.clone());
        self.depth += 1;
        for _ in 0..self.rng.range(1, 4) {
            self.statement();
        }
        self.depth -= 1;
        let fitting: Vec<Var> = (self.scope[outside..].iter())
            .filter(|var| var.shape == shape)
            .cloned()
            .collect();
        let result = match fitting.last() {
            Some(var) => var.name.clone(),
            None => self.filled(shape),
        };
        self.scope.truncate(outside);
        result
    }

    fn repetition(&mut self) {
        let initial = self.pick();
        let ty = self.ty(&initial.shape);
        let [zero, one] = [0, 1].map(|n| self.value(&format!("arith.constant {n} : index")));
        let n = self.rng.range(0, 3);
        let n = self.value(&format!("arith.constant {n} : index"));
        let counter = self.name();
        let carried = self.new_var(&initial.shape);
        let outer = std::mem::take(&mut self.text);
        let result = self.nested(&initial.shape, Some(carried.clone()));
        let body = std::mem::replace(&mut self.text, outer);
        self.define(
            &initial.shape,
            &format!(
                "scf.for {counter} = {zero} to {n} step {one} iter_args({} = {}) -> ({ty}) {{\n{body}scf.yield {result} : {ty}\n}}",
                carried.name, initial.name
            ),
        );
    }

    fn branch(&mut self) {
        let (shape, tested) = (self.pick().shape, self.pick());
        let zeros = vec![self.value("arith.constant 0 : index"); tested.shape.len()].join(", ");
        let ty = self.ty(&tested.shape);
        let number = self.value(&format!("tensor.extract {}[{zeros}] : {ty}", tested.name));
        let (other, element) = (self.number(), self.element);
        let compare = if element == "i32" {
            "cmpi slt"
        } else {
            "cmpf olt"
        };
        let condition = self.value(&format!("arith.{compare}, {number}, {other} : {element}"));
        let outer = std::mem::take(&mut self.text);
        let ty = self.ty(&shape);
        let [then, otherwise] = [0, 1].map(|_| {
            let result = self.nested(&shape, None);
            let body = std::mem::take(&mut self.text);
            format!("{body}scf.yield {result} : {ty}\n")
        });
        self.text = outer;
        self.define(
            &shape,
            &format!("scf.if {condition} -> ({ty}) {{\n{then}}} else {{\n{otherwise}}}"),
        );
    }

    /// A call, if there are tensors of the shapes that the function takes.
    fn call(&mut self, index: usize) -> Option<Var> {
        let takes = self.functions[index].takes.clone();
        let returns = self.functions[index].returns.clone();
        let arguments: Option<Vec<Var>> = (takes.iter())
            .map(|shape| self.pick_where(|other| other == shape))
            .collect();
        let names: Vec<String> = arguments?.into_iter().map(|var| var.name).collect();
        let types: Vec<String> = takes.iter().map(|shape| self.ty(shape)).collect();
        let definition = format!(
            "func.call @f{index}({}) : ({}) -> {}",
            names.join(", "),
            types.join(", "),
            self.ty(&returns)
        );
        Some(self.define(&returns, &definition))
    }
}

/// `affine_map<(d0, d1) -> (d0, 0)>`
fn affine_map(n_loops: usize, subscripts: &[Option<usize>]) -> String {
    let dims: Vec<String> = (0..n_loops).map(|dim| format!("d{dim}")).collect();
    let subscripts: Vec<String> = (subscripts.iter())
        .map(|subscript| subscript.map_or("0".to_owned(), |dim| format!("d{dim}")))
        .collect();
    format!(
        "affine_map<({}) -> ({})>",
        dims.join(", "),
        subscripts.join(", ")
    )
}

/// Which dimensions of a shape become one where those of size 1 go: each other one takes those behind it, the
/// first one those before it as well.
fn unit_groups(shape: &[usize]) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut before = Vec::new();
    for (dim, &size) in shape.iter().enumerate() {
        if size == 1 {
            groups.last_mut().unwrap_or(&mut before).push(dim);
        } else {
            let mut group = std::mem::take(&mut before);
            group.push(dim);
            groups.push(group);
        }
    }
    groups
}
