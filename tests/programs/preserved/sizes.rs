//! Programs on tensors whose sizes are known to some operations and not to others, which ask for sizes, and whose loops
//! take parts of tensors out and put them back.

use std::fmt::Write as _;

use crate::support::generator::rng::Rng;

/// A size, and whether the type says it.
#[derive(Clone, Copy)]
struct Dim {
    size: usize,
    is_static: bool,
}

#[derive(Clone)]
struct Tensor {
    name: String,
    dims: Vec<Dim>,
}

impl Tensor {
    fn ty(&self) -> String {
        ty(&self.dims)
    }

    fn sizes(&self) -> Vec<usize> {
        self.dims.iter().map(|dim| dim.size).collect()
    }
}

fn ty(dims: &[Dim]) -> String {
    let sizes = dims.iter().map(|dim| match dim.is_static {
        true => format!("{}x", dim.size),
        false => "?x".to_owned(),
    });
    format!("tensor<{}i32>", sizes.collect::<String>())
}

/// A part of a tensor: per dimension the first element and the number of elements, as texts and as numbers.
#[derive(Clone)]
struct Part {
    offsets: Vec<String>,
    sizes: Vec<String>,
    dims: Vec<Dim>,
}

impl Part {
    fn list(&self) -> String {
        let ones = vec!["1"; self.dims.len()];
        format!(
            "[{}] [{}] [{}]",
            self.offsets.join(", "),
            self.sizes.join(", "),
            ones.join(", ")
        )
    }
}

struct Writer {
    rng: Rng,
    text: String,
    n_names: usize,
    tensors: Vec<Tensor>,
    /// Values of type index, with the numbers that they are.
    indices: Vec<(String, usize)>,
}

/// The largest size.
const MOST: usize = 9;

/// The program with this seed.
pub(super) fn generate(seed: u64) -> String {
    let mut writer = Writer {
        rng: Rng::new(seed),
        text: String::new(),
        n_names: 0,
        tensors: Vec::new(),
        indices: Vec::new(),
    };
    writer.program();
    writer.text
}

impl Writer {
    fn program(&mut self) {
        self.text
            .push_str("func.func private @printMemrefI32(tensor<*xi32>)\n");
        let mut parameters = Vec::new();
        let mut constants = Vec::new();
        for number in 0..2 {
            let rank = self.rng.range(1, 2);
            let dims: Vec<Dim> = (0..rank)
                .map(|_| Dim {
                    size: self.rng.range(2, 5),
                    is_static: self.rng.chance(25),
                })
                .collect();
            let tensor = Tensor {
                name: format!("%t{number}"),
                dims,
            };
            constants.push(self.constant(&tensor.sizes()));
            parameters.push(format!("{}: {}", tensor.name, tensor.ty()));
            self.tensors.push(tensor);
        }
        let numbers: Vec<usize> = (0..3).map(|_| self.rng.range(0, 4)).collect();
        for (at, &number) in numbers.iter().enumerate() {
            parameters.push(format!("%n{at}: index"));
            self.indices.push((format!("%n{at}"), number));
        }
        let arguments = self.tensors.clone();
        let _ = writeln!(
            self.text,
            "func.func private @work({}) {{",
            parameters.join(", ")
        );
        for _ in 0..self.rng.range(4, 12) {
            self.statement();
        }
        for tensor in self.tensors.clone() {
            self.print(&tensor);
        }
        self.text.push_str("  return\n}\nfunc.func @main() {\n");
        let (mut names, mut types) = (Vec::new(), Vec::new());
        for (tensor, constant) in arguments.iter().zip(constants) {
            let fixed: Vec<Dim> = (tensor.dims.iter())
                .map(|dim| Dim {
                    is_static: true,
                    ..*dim
                })
                .collect();
            let (fixed, ty) = (ty(&fixed), tensor.ty());
            let mut name = self.value(&format!("arith.constant dense<{constant}> : {fixed}"));
            if fixed != ty {
                name = self.value(&format!("tensor.cast {name} : {fixed} to {ty}"));
            }
            names.push(name);
            types.push(ty);
        }
        for number in numbers {
            names.push(self.value(&format!("arith.constant {number} : index")));
            types.push("index".to_owned());
        }
        self.line(&format!(
            "call @work({}) : ({}) -> ()",
            names.join(", "),
            types.join(", ")
        ));
        self.text.push_str("  return\n}\n");
    }

    fn constant(&mut self, sizes: &[usize]) -> String {
        match sizes.split_first() {
            None => (self.rng.below(19) as i64 - 9).to_string(),
            Some((&size, inner)) => {
                let rows: Vec<String> = (0..size).map(|_| self.constant(inner)).collect();
                format!("[{}]", rows.join(", "))
            }
        }
    }

    fn name(&mut self) -> String {
        self.n_names += 1;
        format!("%{}", self.n_names)
    }

    fn line(&mut self, what: &str) {
        let _ = writeln!(self.text, "  {what}");
    }

    fn value(&mut self, what: &str) -> String {
        let name = self.name();
        self.line(&format!("{name} = {what}"));
        name
    }

    fn define(&mut self, dims: Vec<Dim>, what: &str) -> Tensor {
        let name = self.value(what);
        let tensor = Tensor { name, dims };
        self.tensors.push(tensor.clone());
        tensor
    }

    fn print(&mut self, tensor: &Tensor) {
        let ty = tensor.ty();
        let cast = self.value(&format!(
            "tensor.cast {} : {ty} to tensor<*xi32>",
            tensor.name
        ));
        self.line(&format!(
            "call @printMemrefI32({cast}) : (tensor<*xi32>) -> ()"
        ));
    }

    fn pick(&mut self) -> Tensor {
        let n = self.tensors.len();
        let back = self.rng.below(n).min(self.rng.below(n));
        self.tensors[n - 1 - back].clone()
    }

    fn number(&mut self) -> String {
        let number = self.rng.below(9);
        self.value(&format!("arith.constant {number} : i32"))
    }

    fn constant_index(&mut self, number: usize) -> String {
        self.value(&format!("arith.constant {number} : index"))
    }

    /// A value that is `number`: one that is there, if there is one.
    fn index(&mut self, number: usize) -> String {
        let same: Vec<String> = (self.indices.iter())
            .filter(|(_, other)| *other == number)
            .map(|(name, _)| name.clone())
            .collect();
        match same.is_empty() || self.rng.chance(15) {
            true => self.constant_index(number),
            false => self.rng.pick(&same).clone(),
        }
    }

    /// Such a value, or the number.
    fn mixed(&mut self, number: usize, percent_static: usize) -> (String, bool) {
        match self.rng.chance(percent_static) {
            true => (number.to_string(), true),
            false => (self.index(number), false),
        }
    }

    /// Sizes for a new tensor, and the values of those that its type does not say.
    fn dims(&mut self) -> (Vec<Dim>, Vec<String>) {
        let rank = self.rng.range(1, 2);
        let mut values = Vec::new();
        let mut dims = Vec::new();
        for _ in 0..rank {
            let indices = self.indices.clone();
            let (name, size) = self.rng.pick(&indices).clone();
            let is_static = self.rng.chance(30);
            if !is_static {
                values.push(name);
            }
            dims.push(Dim { size, is_static });
        }
        (dims, values)
    }

    fn statement(&mut self) {
        match self.rng.below(20) {
            0 => self.filled(),
            1 => self.generated(),
            2 => self.splat(),
            3 | 4 => self.pad(),
            5 | 6 => self.concat(),
            7 => self.extract_slice(),
            8 => self.insert_slice(),
            9 => self.elementwise(),
            10 => self.cast(),
            11 => self.reshape(),
            12 => self.insert(),
            13..=15 => self.dim(),
            _ => self.repetition(),
        }
    }

    fn filled(&mut self) {
        let (dims, values) = self.dims();
        let (ty, number) = (ty(&dims), self.number());
        let empty = self.value(&format!("tensor.empty({}) : {ty}", values.join(", ")));
        self.define(
            dims,
            &format!("linalg.fill ins({number} : i32) outs({empty} : {ty}) -> {ty}"),
        );
    }

    fn generated(&mut self) {
        let (dims, values) = self.dims();
        let ty = ty(&dims);
        let counters: Vec<String> = dims.iter().map(|_| self.name()).collect();
        let result = self.name();
        let arguments: Vec<String> = counters
            .iter()
            .map(|name| format!("{name}: index"))
            .collect();
        self.line(&format!(
            "{result} = tensor.generate {} {{",
            values.join(", ")
        ));
        self.line(&format!("^bb0({}):", arguments.join(", ")));
        let number = self.value(&format!("arith.index_cast {} : index to i32", counters[0]));
        let number = match counters.get(1) {
            Some(other) => {
                let other = self.value(&format!("arith.index_cast {other} : index to i32"));
                let three = self.value("arith.constant 3 : i32");
                let other = self.value(&format!("arith.muli {other}, {three} : i32"));
                self.value(&format!("arith.addi {number}, {other} : i32"))
            }
            None => number,
        };
        self.line(&format!("tensor.yield {number} : i32"));
        self.line(&format!("}} : {ty}"));
        self.tensors.push(Tensor { name: result, dims });
    }

    fn splat(&mut self) {
        let (dims, values) = self.dims();
        let (ty, number) = (ty(&dims), self.number());
        let values = match values.is_empty() {
            true => String::new(),
            false => format!("[{}]", values.join(", ")),
        };
        self.define(dims, &format!("tensor.splat {number}{values} : {ty}"));
    }

    fn pad(&mut self) {
        let source = self.pick();
        let (mut low, mut high, mut dims) = (Vec::new(), Vec::new(), Vec::new());
        for dim in &source.dims {
            let mut size = dim.size;
            let mut is_known = dim.is_static;
            for list in [&mut low, &mut high] {
                let margin = self.rng.range(0, 2);
                // A constant that the operation does not show, now and then.
                let (text, is_static) = match self.rng.chance(30) {
                    true => (self.constant_index(margin), false),
                    false => self.mixed(margin, 60),
                };
                is_known &= is_static;
                size += margin;
                list.push(text);
            }
            if size > MOST {
                return;
            }
            let is_static = is_known || self.rng.chance(10);
            dims.push(Dim { size, is_static });
        }
        let number = self.number();
        let arguments: Vec<String> = (0..dims.len())
            .map(|_| format!("{}: index", self.name()))
            .collect();
        let from = source.ty();
        let to = ty(&dims);
        self.define(
            dims,
            &format!(
                "tensor.pad {} low[{}] high[{}] {{\n  ^bb0({}):\n  tensor.yield {number} : i32\n  }} : {from} to {to}",
                source.name,
                low.join(", "),
                high.join(", "),
                arguments.join(", ")
            ),
        );
    }

    fn concat(&mut self) {
        let first = self.pick();
        let rank = first.dims.len();
        let along = self.rng.below(rank);
        let mut parts = vec![first.clone()];
        for _ in 0..self.rng.range(1, 3) {
            let fitting: Vec<Tensor> = (self.tensors.iter())
                .filter(|other| other.dims.len() == rank)
                .filter(|other| {
                    (0..rank).all(|at| at == along || other.dims[at].size == first.dims[at].size)
                })
                .cloned()
                .collect();
            parts.push(self.rng.pick(&fitting).clone());
        }
        let mut dims = Vec::new();
        for at in 0..rank {
            let size = match at == along {
                true => parts.iter().map(|part| part.dims[at].size).sum(),
                false => first.dims[at].size,
            };
            let is_known = match at == along {
                true => parts.iter().all(|part| part.dims[at].is_static),
                false => parts.iter().any(|part| part.dims[at].is_static),
            };
            if size > MOST {
                return;
            }
            // The type need not say what is known.
            let is_static = is_known && self.rng.chance(40);
            dims.push(Dim { size, is_static });
        }
        let names: Vec<String> = parts.iter().map(|part| part.name.clone()).collect();
        let types: Vec<String> = parts.iter().map(Tensor::ty).collect();
        let to = ty(&dims);
        self.define(
            dims,
            &format!(
                "tensor.concat dim({along}) {} : ({}) -> {to}",
                names.join(", "),
                types.join(", ")
            ),
        );
    }

    /// Some part of a tensor of these sizes.
    fn part(&mut self, sizes: &[usize], percent_static: usize) -> Part {
        let mut part = Part {
            offsets: Vec::new(),
            sizes: Vec::new(),
            dims: Vec::new(),
        };
        for &whole in sizes {
            let size = match self.rng.chance(50) {
                true => whole.min(self.rng.range(1, 2)),
                false => self.rng.range(whole.min(1), whole),
            };
            let offset = self.rng.below(whole - size + 1);
            let (text, _) = self.mixed(offset, percent_static);
            part.offsets.push(text);
            let (text, is_static) = self.mixed(size, percent_static);
            part.sizes.push(text);
            part.dims.push(Dim { size, is_static });
        }
        part
    }

    fn extract_slice(&mut self) {
        let source = self.pick();
        let part = self.part(&source.sizes(), 40);
        let mut dims = part.dims.clone();
        if dims.len() == 2 && dims[0].is_static && dims[0].size == 1 && self.rng.chance(60) {
            dims.remove(0);
        }
        let (from, to) = (source.ty(), ty(&dims));
        let list = part.list();
        self.define(
            dims,
            &format!(
                "tensor.extract_slice {}{list} : {from} to {to}",
                source.name
            ),
        );
    }

    fn insert_slice(&mut self) {
        let (source, destination) = (self.pick(), self.pick());
        let fits = source.dims.len() == destination.dims.len()
            && (source.dims.iter().zip(&destination.dims)).all(|(a, b)| a.size <= b.size);
        if !fits {
            return;
        }
        let (mut offsets, mut sizes) = (Vec::new(), Vec::new());
        for (a, b) in source.dims.iter().zip(&destination.dims) {
            let offset = self.rng.below(b.size - a.size + 1);
            offsets.push(self.mixed(offset, 50).0);
            sizes.push(match a.is_static {
                true => a.size.to_string(),
                false => self.index(a.size),
            });
        }
        let part = Part {
            offsets,
            sizes,
            dims: source.dims.clone(),
        };
        let (from, to) = (source.ty(), destination.ty());
        self.define(
            destination.dims.clone(),
            &format!(
                "tensor.insert_slice {} into {}{} : {from} into {to}",
                source.name,
                destination.name,
                part.list()
            ),
        );
    }

    fn elementwise(&mut self) {
        let destination = self.pick();
        let fitting: Vec<Tensor> = (self.tensors.iter())
            .filter(|other| other.sizes() == destination.sizes())
            .cloned()
            .collect();
        let source = self.rng.pick(&fitting).clone();
        let name = self.sum(&source, &destination, None);
        self.tensors.push(Tensor {
            name,
            dims: destination.dims,
        });
    }

    /// Sums of elements, and of a number if there is one.
    fn sum(&mut self, a: &Tensor, b: &Tensor, number: Option<&str>) -> String {
        let loops: Vec<String> = (0..b.dims.len()).map(|dim| format!("d{dim}")).collect();
        let loops = loops.join(", ");
        let map = format!("affine_map<({loops}) -> ({loops})>");
        let kinds = vec!["\"parallel\""; b.dims.len()].join(", ");
        let result = self.name();
        let (x, y) = (self.name(), self.name());
        self.line(&format!(
            "{result} = linalg.generic {{indexing_maps = [{map}, {map}], iterator_types = [{kinds}]}} ins({} : {}) outs({} : {}) {{",
            a.name,
            a.ty(),
            b.name,
            b.ty()
        ));
        self.line(&format!("^bb0({x}: i32, {y}: i32):"));
        let mut sum = self.value(&format!("arith.addi {x}, {y} : i32"));
        if let Some(number) = number {
            sum = self.value(&format!("arith.xori {sum}, {number} : i32"));
        }
        self.line(&format!("linalg.yield {sum} : i32"));
        self.line(&format!("}} -> {}", b.ty()));
        result
    }

    fn cast(&mut self) {
        let source = self.pick();
        let mut dims = source.dims.clone();
        for dim in &mut dims {
            dim.is_static ^= self.rng.chance(60);
        }
        let (from, to) = (source.ty(), ty(&dims));
        if from != to {
            self.define(
                dims,
                &format!("tensor.cast {} : {from} to {to}", source.name),
            );
        }
    }

    fn reshape(&mut self) {
        let source = self.pick();
        let from = source.ty();
        match source.dims[..] {
            [a, b] if a.size * b.size <= MOST => {
                let dim = Dim {
                    size: a.size * b.size,
                    is_static: a.is_static && b.is_static,
                };
                let to = ty(&[dim]);
                let what = format!(
                    "tensor.collapse_shape {} [[0, 1]] : {from} into {to}",
                    source.name
                );
                self.define(vec![dim], &what);
            }
            [a] => {
                let by: Vec<usize> = [1, 2, 3].into_iter().filter(|n| a.size % n == 0).collect();
                let by = *self.rng.pick(&by);
                let inner = Dim {
                    size: a.size / by,
                    is_static: a.is_static,
                };
                let outer = Dim {
                    size: by,
                    is_static: true,
                };
                let size = match a.is_static {
                    true => inner.size.to_string(),
                    false => self.index(inner.size),
                };
                let dims = vec![outer, inner];
                let to = ty(&dims);
                let what = format!(
                    "tensor.expand_shape {} [[0, 1]] output_shape [{by}, {size}] : {from} into {to}",
                    source.name
                );
                self.define(dims, &what);
            }
            _ => {}
        }
    }

    fn insert(&mut self) {
        let destination = self.pick();
        if destination.sizes().contains(&0) {
            return;
        }
        let number = self.number();
        let mut subscripts = Vec::new();
        for size in destination.sizes() {
            let at = self.rng.below(size);
            subscripts.push(self.index(at));
        }
        let ty = destination.ty();
        let what = format!(
            "tensor.insert {number} into {}[{}] : {ty}",
            destination.name,
            subscripts.join(", ")
        );
        self.define(destination.dims, &what);
    }

    fn dim(&mut self) {
        let tensor = self.pick();
        let at = self.rng.below(tensor.dims.len());
        let index = self.constant_index(at);
        let name = self.value(&format!(
            "tensor.dim {}, {index} : {}",
            tensor.name,
            tensor.ty()
        ));
        self.line(&format!("vector.print {name} : index"));
        self.indices.push((name, tensor.dims[at].size));
    }

    /// A loop that works on parts of a tensor that it carries.
    fn repetition(&mut self) {
        let tensor = self.pick();
        if tensor.sizes().contains(&0) {
            return;
        }
        let sizes = tensor.sizes();
        let n = self.rng.below(4);
        let mut parts = [(); 2].map(|()| self.part(&sizes, 75));
        if n == 0 && self.rng.chance(50) {
            // What never runs may ask for what is not there.
            let far = self.constant_index(100);
            for part in &mut parts {
                part.offsets.fill(far.clone());
            }
        }
        let place = self.place(&sizes);
        let (name, sum) = self.nest(&tensor, &parts, &place, n, 0);
        self.line(&format!("vector.print {sum} : i32"));
        self.tensors.push(Tensor {
            name,
            dims: tensor.dims,
        });
    }

    /// The tensor and a number behind a loop.
    fn nest(
        &mut self,
        tensor: &Tensor,
        parts: &[Part; 2],
        place: &[String; 2],
        n: usize,
        depth: usize,
    ) -> (String, String) {
        let (zero, one) = (self.constant_index(0), self.constant_index(1));
        let bound = match self.rng.chance(50) {
            true => self.constant_index(n),
            false => self.index(n),
        };
        let start = self.value("arith.constant 0 : i32");
        let [counter, carried, sum, result] = [(); 4].map(|()| self.name());
        let ty = tensor.ty();
        self.line(&format!(
            "{result}:2 = scf.for {counter} = {zero} to {bound} step {one} iter_args({carried} = {}, {sum} = {start}) -> ({ty}, i32) {{",
            tensor.name
        ));
        let number = self.value(&format!("arith.index_cast {counter} : index to i32"));
        let mut current = Tensor {
            name: carried,
            dims: tensor.dims.clone(),
        };
        let mut sum = sum;
        for _ in 0..self.rng.range(1, 3) {
            let part = self.rng.pick(parts).clone();
            match self.rng.below(10) {
                0..=4 => {
                    let taken = self.take(&current, &part);
                    let changed = self.sum(&taken, &taken, Some(&number));
                    current.name = self.put(&changed, &current, &part);
                }
                5 => {
                    let taken = self.take(&current, &part);
                    let at: Vec<String> = taken.dims.iter().map(|_| zero.clone()).collect();
                    let element = self.value(&format!(
                        "tensor.extract {}[{}] : {}",
                        taken.name,
                        at.join(", "),
                        taken.ty()
                    ));
                    sum = self.value(&format!("arith.addi {sum}, {element} : i32"));
                }
                6 => {
                    let empty = self.take(&current, &part);
                    let ty = empty.ty();
                    let filled = self.value(&format!(
                        "linalg.fill ins({number} : i32) outs({} : {ty}) -> {ty}",
                        empty.name
                    ));
                    current.name = self.put(&filled, &current, &part);
                }
                7 | 8 => current.name = self.transfer(&current, place, &number),
                _ if depth == 0 => {
                    let inner = self.rng.below(4);
                    let (name, inner) = self.nest(&current, parts, place, inner, 1);
                    current.name = name;
                    sum = self.value(&format!("arith.addi {sum}, {inner} : i32"));
                }
                _ => {}
            }
        }
        self.line(&format!("scf.yield {}, {sum} : {ty}, i32", current.name));
        self.line("}");
        (format!("{result}#0"), format!("{result}#1"))
    }

    fn take(&mut self, tensor: &Tensor, part: &Part) -> Tensor {
        let (from, to) = (tensor.ty(), ty(&part.dims));
        let name = self.value(&format!(
            "tensor.extract_slice {}{} : {from} to {to}",
            tensor.name,
            part.list()
        ));
        Tensor {
            name,
            dims: part.dims.clone(),
        }
    }

    fn put(&mut self, source: &str, tensor: &Tensor, part: &Part) -> String {
        let (from, to) = (ty(&part.dims), tensor.ty());
        self.value(&format!(
            "tensor.insert_slice {source} into {}{} : {from} into {to}",
            tensor.name,
            part.list()
        ))
    }

    /// Where a vector of two elements begins, and whether it is inside; behind the end now and then.
    fn place(&mut self, sizes: &[usize]) -> [String; 2] {
        let mut subscripts = Vec::new();
        for &size in sizes {
            let at = self.rng.below(size);
            subscripts.push(self.index(at));
        }
        let last = *sizes.last().expect("it has a dimension");
        let is_inside = last >= 2 && self.rng.chance(70);
        if is_inside {
            let at = self.rng.below(last - 1);
            *subscripts.last_mut().expect("it has a dimension") = self.index(at);
        }
        [
            format!("[{}]", subscripts.join(", ")),
            format!("{{in_bounds = [{is_inside}]}}"),
        ]
    }

    /// Takes a vector out and puts it back.
    fn transfer(&mut self, tensor: &Tensor, place: &[String; 2], number: &str) -> String {
        let ty = tensor.ty();
        let [subscripts, in_bounds] = place;
        let padding = self.number();
        let read = self.value(&format!(
            "vector.transfer_read {}{subscripts}, {padding} {in_bounds} : {ty}, vector<2xi32>",
            tensor.name
        ));
        let numbers = self.value(&format!("vector.broadcast {number} : i32 to vector<2xi32>"));
        let changed = self.value(&format!("arith.addi {read}, {numbers} : vector<2xi32>"));
        self.value(&format!(
            "vector.transfer_write {changed}, {}{subscripts} {in_bounds} : vector<2xi32>, {ty}",
            tensor.name
        ))
    }
}
