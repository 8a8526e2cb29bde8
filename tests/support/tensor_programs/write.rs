//! Writes a program as MLIR.

use super::interpret::positions;
use super::{At, Body, Function, MAX_SHOWN, N_KNOWN, Op, Part, Program, Ty, Var};

/// What becomes of the numbers that a program shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Output {
    /// `@kernel` stores them into the memory that it is called with, behind their number.
    Memory,
    /// `@main` prints them.
    Print,
}

struct Writer<'a> {
    program: &'a Program,
    output: Output,
    text: String,
    n_names: usize,
    function: usize,
}

/// `program` as a module.
pub(crate) fn write(program: &Program, output: Output) -> String {
    let mut writer = Writer {
        program,
        output,
        text: String::new(),
        n_names: 0,
        function: 0,
    };
    if output == Output::Memory {
        writer.line(&format!(
            "func.func private @show(%e: i32, %shown: memref<{MAX_SHOWN}xi32>) {{
%c0 = arith.constant 0 : index
%one = arith.constant 1 : i32
%n = memref.load %shown[%c0] : memref<{MAX_SHOWN}xi32>
%m = arith.addi %n, %one : i32
%at = arith.index_cast %m : i32 to index
memref.store %e, %shown[%at] : memref<{MAX_SHOWN}xi32>
memref.store %m, %shown[%c0] : memref<{MAX_SHOWN}xi32>
return
}}"
        ));
    }
    for (at, function) in program.functions.iter().enumerate() {
        writer.function(at, function);
    }
    writer.entry();
    writer.text
}

fn ty(ty: &Ty) -> String {
    format!("tensor<{}", shape(ty))
}

/// `2x?xi32>`
fn shape(ty: &Ty) -> String {
    if !ty.ranked {
        return "*xi32>".to_owned();
    }
    let dims = ty.sizes.iter().zip(&ty.known);
    let dims: String = dims
        .map(|(size, &known)| match known {
            true => format!("{size}x"),
            false => "?x".to_owned(),
        })
        .collect();
    format!("{dims}i32>")
}

fn name(var: &Var) -> String {
    format!("%t{}", var.id)
}

fn names(vars: &[Var]) -> String {
    vars.iter().map(name).collect::<Vec<_>>().join(", ")
}

fn types(vars: &[Var]) -> String {
    vars.iter()
        .map(|var| ty(&var.ty))
        .collect::<Vec<_>>()
        .join(", ")
}

/// `%t1: tensor<i32>, %t2: tensor<?xi32>`
fn parameters(vars: &[Var]) -> String {
    let each = vars
        .iter()
        .map(|var| format!("{}: {}", name(var), ty(&var.ty)));
    each.collect::<Vec<_>>().join(", ")
}

fn list(items: impl IntoIterator<Item = impl ToString>) -> String {
    let items: Vec<String> = items.into_iter().map(|item| item.to_string()).collect();
    format!("[{}]", items.join(", "))
}

/// The elements of a tensor of these sizes between brackets.
fn elements(sizes: &[usize], elements: &[i32]) -> String {
    match sizes {
        [] => elements[0].to_string(),
        [_, inner @ ..] => {
            let n = inner.iter().product::<usize>().max(1);
            list(elements.chunks(n).map(|chunk| self::elements(inner, chunk)))
        }
    }
}

impl Writer<'_> {
    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn new_name(&mut self) -> String {
        self.n_names += 1;
        format!("%v{}", self.n_names)
    }

    /// Defines a new name as this.
    fn define(&mut self, value: &str) -> String {
        let name = self.new_name();
        self.line(&format!("{name} = {value}"));
        name
    }

    fn number(&mut self, n: i32) -> String {
        self.define(&format!("arith.constant {n} : i32"))
    }

    fn index(&mut self, n: usize) -> String {
        self.define(&format!("arith.constant {n} : index"))
    }

    fn at(&mut self, at: At) -> String {
        match at {
            At::Constant(n) => self.index(n),
            At::Known(at) => format!("%k{at}"),
            At::Counter(id) => format!("%i{id}"),
        }
    }

    /// A number between brackets, where it may be one that is known.
    fn mixed(&mut self, at: At) -> String {
        match at {
            At::Constant(n) => n.to_string(),
            at => self.at(at),
        }
    }

    fn all_mixed(&mut self, ats: &[At]) -> String {
        list(ats.iter().map(|&at| self.mixed(at)).collect::<Vec<_>>())
    }

    fn all_at(&mut self, ats: &[At]) -> String {
        list(ats.iter().map(|&at| self.at(at)).collect::<Vec<_>>())
    }

    /// A size of which the compiler knows nothing, if possible.
    fn size(&mut self, n: usize) -> String {
        let known = self.program.known.iter().position(|&known| known == n);
        match known {
            Some(known) => format!("%k{known}"),
            None => self.index(n),
        }
    }

    /// The sizes that `ty` does not tell.
    fn sizes(&mut self, ty: &Ty) -> String {
        let dims = ty.sizes.iter().zip(&ty.known);
        let unknown: Vec<usize> = dims.filter(|dim| !dim.1).map(|dim| *dim.0).collect();
        let sizes: Vec<String> = unknown.into_iter().map(|size| self.size(size)).collect();
        sizes.join(", ")
    }

    /// Whether a number is odd.
    fn condition(&mut self, at: At) -> String {
        let at = self.at(at);
        self.define(&format!("arith.index_cast {at} : index to i1"))
    }

    /// What every function is called with besides tensors, as parameters, values and types.
    fn others(&self) -> [String; 3] {
        let each = |f: &dyn Fn(usize) -> String| (0..N_KNOWN).map(f).collect::<Vec<_>>().join(", ");
        let mut others = [
            each(&|n| format!("%k{n}: index")),
            each(&|n| format!("%k{n}")),
            each(&|_| "index".to_owned()),
        ];
        if self.output == Output::Memory {
            let memory = format!("memref<{MAX_SHOWN}xi32>");
            others[0].push_str(&format!(", %shown: {memory}"));
            others[1].push_str(", %shown");
            others[2].push_str(&format!(", {memory}"));
        }
        others
    }

    fn function(&mut self, at: usize, function: &Function) {
        self.function = at;
        let body = &function.body;
        let takes = body.carried.iter().zip(&function.writable);
        let takes: String = takes
            .map(|(var, &writable)| {
                let attrs = if writable {
                    " {bufferization.writable = true}"
                } else {
                    ""
                };
                format!("{}: {}{attrs}, ", name(var), ty(&var.ty))
            })
            .collect();
        let visibility = if function.is_public { "" } else { "private " };
        let others = self.others();
        self.line(&format!(
            "func.func {visibility}@f{at}({takes}%depth: index, {}) -> ({}) {{",
            others[0],
            types(&body.yields)
        ));
        self.line("%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index");
        self.statements(body);
        match body.yields.is_empty() {
            true => self.line("return\n}"),
            false => self.line(&format!(
                "return {} : {}\n}}",
                names(&body.yields),
                types(&body.yields)
            )),
        }
    }

    /// The function that is called from outside.
    fn entry(&mut self) {
        let others = self.others();
        let last = self.program.functions.len() - 1;
        match self.output {
            Output::Memory => self.line(&format!("func.func @kernel({}) {{", others[0])),
            Output::Print => {
                self.line("func.func @main() {");
                for (at, n) in self.program.known.iter().enumerate() {
                    self.line(&format!("%k{at} = arith.constant {n} : index"));
                }
            }
        }
        self.line("%depth = arith.constant 0 : index");
        self.line(&format!(
            "func.call @f{last}(%depth, {}) : (index, {}) -> ()\nreturn\n}}",
            others[1], others[2]
        ));
    }

    fn statements(&mut self, body: &Body) {
        for (results, op) in &body.statements {
            self.op(results, op);
        }
    }

    fn yields(&mut self, vars: &[Var]) {
        self.line(&format!("scf.yield {} : {}", names(vars), types(vars)));
    }

    fn show(&mut self, number: &str) {
        match self.output {
            Output::Memory => self.line(&format!(
                "func.call @show({number}, %shown) : (i32, memref<{MAX_SHOWN}xi32>) -> ()"
            )),
            Output::Print => self.line(&format!("vector.print {number} : i32")),
        }
    }

    fn show_index(&mut self, number: &str) {
        let number = self.define(&format!("arith.index_cast {number} : index to i32"));
        self.show(&number);
    }

    /// `[offsets] [sizes] [strides]` of a part that is a `slice`.
    fn part(&mut self, part: &Part, slice: &Ty) -> String {
        let mut known = slice.known.iter();
        let mut sizes = Vec::new();
        for (&size, &dropped) in part.sizes.iter().zip(&part.dropped) {
            let is_known = dropped || known.next().copied().unwrap_or(true);
            sizes.push(match is_known {
                true => size.to_string(),
                false => self.size(size),
            });
        }
        let offsets = self.all_mixed(&part.offsets);
        format!("{offsets} {} {}", list(sizes), list(&part.strides))
    }

    fn call(&mut self, results: &str, function: usize, arguments: &[Var], depth: &str) {
        let others = self.others();
        let mut values = names(arguments);
        let mut inputs = types(arguments);
        if !arguments.is_empty() {
            values.push_str(", ");
            inputs.push_str(", ");
        }
        let outputs = types(&self.program.functions[function].body.yields);
        self.line(&format!(
            "{results}func.call @f{function}({values}{depth}, {}) : ({inputs}index, {}) -> ({outputs})",
            others[1], others[2]
        ));
    }

    fn op(&mut self, results: &[Var], op: &Op) {
        let result = names(results);
        let result_type = types(results);
        match op {
            Op::Splat(n) => {
                let n = self.number(*n);
                let sizes = self.sizes(&results[0].ty);
                let sizes = match sizes.is_empty() {
                    true => sizes,
                    false => format!("[{sizes}]"),
                };
                self.line(&format!("{result} = tensor.splat {n}{sizes} : {result_type}"));
            }
            Op::Constant(values) => {
                let sizes = &results[0].ty.sizes;
                let values = match values.is_empty() {
                    true => String::new(),
                    false => elements(sizes, values),
                };
                self.line(&format!("{result} = arith.constant dense<{values}> : {result_type}"));
            }
            Op::Generate(n) => self.generate(&results[0], *n),
            Op::FromElements(values) => {
                let values: Vec<String> = values.iter().map(|&n| self.number(n)).collect();
                self.line(&format!(
                    "{result} = tensor.from_elements {} : {result_type}",
                    values.join(", ")
                ));
            }
            Op::FillEmpty(n) => {
                let (n, sizes) = (self.number(*n), self.sizes(&results[0].ty));
                let empty = self.define(&format!("tensor.empty({sizes}) : {result_type}"));
                self.line(&format!(
                    "{result} = linalg.fill ins({n} : i32) outs({empty} : {result_type}) -> {result_type}"
                ));
            }
            Op::Fill(n, into) => {
                let n = self.number(*n);
                self.line(&format!(
                    "{result} = linalg.fill ins({n} : i32) outs({} : {result_type}) -> {result_type}",
                    name(into)
                ));
            }
            Op::Cast(a) => self.line(&format!(
                "{result} = tensor.cast {} : {} to {result_type}",
                name(a),
                ty(&a.ty)
            )),
            Op::Slice(a, part) => {
                let part = self.part(part, &results[0].ty);
                self.line(&format!(
                    "{result} = tensor.extract_slice {}{part} : {} to {result_type}",
                    name(a),
                    ty(&a.ty)
                ));
            }
            Op::InsertSlice(a, b, part) => {
                let part = self.part(part, &a.ty);
                self.line(&format!(
                    "{result} = tensor.insert_slice {} into {}{part} : {} into {result_type}",
                    name(a),
                    name(b),
                    ty(&a.ty)
                ));
            }
            Op::Insert(n, a, position) => {
                let (n, position) = (self.number(*n), self.all_at(position));
                self.line(&format!(
                    "{result} = tensor.insert {n} into {}{position} : {result_type}",
                    name(a)
                ));
            }
            Op::Add(a, b, None) => self.line(&format!(
                "{result} = arith.addi {}, {} : {result_type}",
                name(a),
                name(b)
            )),
            Op::Add(a, b, Some(into)) => self.line(&format!(
                "{result} = linalg.add ins({}, {} : {result_type}, {result_type}) outs({} : {result_type}) -> {result_type}",
                name(a),
                name(b),
                name(into)
            )),
            Op::Collapse(a, groups) => self.line(&format!(
                "{result} = tensor.collapse_shape {} {} : {} into {result_type}",
                name(a),
                reassociation(groups),
                ty(&a.ty)
            )),
            Op::Expand(a, groups) => {
                let dims = results[0].ty.sizes.iter().zip(&results[0].ty.known);
                let sizes: Vec<String> = dims
                    .map(|(&size, &known)| match known {
                        true => size.to_string(),
                        false => self.size(size),
                    })
                    .collect();
                self.line(&format!(
                    "{result} = tensor.expand_shape {} {} output_shape {} : {} into {result_type}",
                    name(a),
                    reassociation(groups),
                    list(sizes),
                    ty(&a.ty)
                ));
            }
            Op::Reshape(a) => {
                let sizes = &results[0].ty.sizes;
                let shape_type = format!("tensor<{}xindex>", sizes.len());
                let shape =
                    self.define(&format!("arith.constant dense<{}> : {shape_type}", list(sizes)));
                self.line(&format!(
                    "{result} = tensor.reshape {}({shape}) : ({}, {shape_type}) -> {result_type}",
                    name(a),
                    ty(&a.ty)
                ));
            }
            Op::Pad(n, a, low, high) => {
                let n = self.number(*n);
                let (low, high) = (self.all_mixed(low), self.all_mixed(high));
                let block = self.index_block(a.ty.rank());
                self.line(&format!(
                    "{result} = tensor.pad {} low{low} high{high} {{\n{block}tensor.yield {n} : i32\n}} : {} to {result_type}",
                    name(a),
                    ty(&a.ty)
                ));
            }
            Op::Concat(dim, parts) => self.line(&format!(
                "{result} = tensor.concat dim({dim}) {} : ({}) -> {result_type}",
                names(parts),
                types(parts)
            )),
            Op::Gather(a, rows) => {
                let rows_type = format!("tensor<{}x1xindex>", rows.len());
                let rows = list(rows.iter().map(|row| list([row])));
                let rows = self.define(&format!("arith.constant dense<{rows}> : {rows_type}"));
                self.line(&format!(
                    "{result} = tensor.gather {}[{rows}] gather_dims([0]) : ({}, {rows_type}) -> {result_type}",
                    name(a),
                    ty(&a.ty)
                ));
            }
            Op::Transfer { from, to, n, n_written } => {
                let vector = format!("vector<{n}xi32>");
                let (padding, at) = (self.number(0), self.all_at(&from.1));
                let read = self.define(&format!(
                    "vector.transfer_read {}{at}, {padding} {{in_bounds = [true]}} : {}, {vector}",
                    name(&from.0),
                    ty(&from.0.ty)
                ));
                let at = self.all_at(&to.1);
                let write = format!(
                    "vector.transfer_write {read}, {}{at} {{in_bounds = [true]}} : {vector}, {result_type}",
                    name(&to.0)
                );
                match n_written {
                    None => self.line(&format!("{result} = {write}")),
                    Some(n_written) => {
                        let mask = format!("vector<{n}xi1>");
                        let lanes =
                            self.define(&format!("vector.constant_mask [{n_written}] : {mask}"));
                        self.line(&format!(
                            "{result} = vector.mask {lanes} {{ {write} }} : {mask} -> {result_type}"
                        ));
                    }
                }
            }
            Op::Select(condition, a, b) => {
                let condition = self.condition(*condition);
                self.line(&format!(
                    "{result} = arith.select {condition}, {}, {} : {result_type}",
                    name(a),
                    name(b)
                ));
            }
            Op::Copy(a) => self.line(&format!(
                "{result} = bufferization.alloc_tensor() copy({}) : {result_type}",
                name(a)
            )),
            Op::Materialize(a, into) => self.line(&format!(
                "{result} = bufferization.materialize_in_destination {} in {} : ({result_type}, {result_type}) -> {result_type}",
                name(a),
                name(into)
            )),
            Op::Buffer { source, change, any_layout } => {
                let memref = memref(&source.ty, *any_layout);
                let buffer = self.define(&format!(
                    "bufferization.to_memref {} : {memref}",
                    name(source)
                ));
                if let Some((n, position)) = change {
                    let (n, position) = (self.number(*n), self.all_at(position));
                    self.line(&format!("memref.store {n}, {buffer}{position} : {memref}"));
                }
                self.line(&format!(
                    "{result} = bufferization.to_tensor {buffer} restrict writable : {memref}"
                ));
            }
            Op::OtherSign { source, change, sign } => {
                let other = result_type.replace("i32", &format!("{sign}i32"));
                let cast = "builtin.unrealized_conversion_cast";
                let mut value =
                    self.define(&format!("{cast} {} : {result_type} to {other}", name(source)));
                if let Some((n, position)) = change {
                    let (n, position) = (self.number(*n), self.all_at(position));
                    let n = self.define(&format!("{cast} {n} : i32 to {sign}i32"));
                    value = self.define(&format!("tensor.insert {n} into {value}{position} : {other}"));
                }
                self.line(&format!("{result} = {cast} {value} : {other} to {result_type}"));
            }
            Op::Clone(a) => {
                let memref = memref(&a.ty, false);
                let buffer =
                    self.define(&format!("bufferization.to_memref {} : {memref}", name(a)));
                let clone =
                    self.define(&format!("bufferization.clone {buffer} : {memref} to {memref}"));
                self.line(&format!(
                    "{result} = bufferization.to_tensor {clone} restrict : {memref}"
                ));
            }
            Op::Call(function, arguments, depth) => {
                let depth = self.index(*depth);
                self.call(&format!("{result} = "), *function, arguments, &depth);
            }
            Op::Recurse(arguments, others) => {
                let again = self.define("arith.cmpi ne, %depth, %c0 : index");
                self.line(&format!("{result} = scf.if {again} -> ({result_type}) {{"));
                let depth = self.define("arith.subi %depth, %c1 : index");
                let prefix = format!("%r{}", self.n_names);
                let inner: Vec<String> =
                    (0..results.len()).map(|n| format!("{prefix}_{n}")).collect();
                let inner = inner.join(", ");
                self.call(&format!("{inner} = "), self.function, arguments, &depth);
                self.line(&format!("scf.yield {inner} : {result_type}\n}} else {{"));
                self.yields(others);
                self.line("}");
            }
            Op::If(condition, bodies) => {
                let condition = self.condition(*condition);
                self.line(&format!("{result} = scf.if {condition} -> ({result_type}) {{"));
                self.statements(&bodies[0]);
                self.yields(&bodies[0].yields);
                self.line("} else {");
                self.statements(&bodies[1]);
                self.yields(&bodies[1].yields);
                self.line("}");
            }
            Op::For(id, trips, inits, body) => {
                let trips = self.index(*trips);
                let pairs = body.carried.iter().zip(inits);
                let pairs: Vec<String> =
                    pairs.map(|(a, b)| format!("{} = {}", name(a), name(b))).collect();
                self.line(&format!(
                    "{result} = scf.for %i{id} = %c0 to {trips} step %c1 iter_args({}) -> ({result_type}) {{",
                    pairs.join(", ")
                ));
                self.statements(body);
                self.yields(&body.yields);
                self.line("}");
            }
            Op::Blocks(id, trips, inits, body) => {
                let trips = self.index(*trips);
                self.line(&format!(
                    "{result} = scf.execute_region -> ({result_type}) {{
cf.br ^head{id}(%c0, {} : index, {result_type})
^head{id}(%i{id}: index, {}):",
                    names(inits),
                    parameters(&body.carried)
                ));
                let more = self.define(&format!("arith.cmpi slt, %i{id}, {trips} : index"));
                self.line(&format!("cf.cond_br {more}, ^body{id}, ^exit{id}\n^body{id}:"));
                self.statements(body);
                let next = self.define(&format!("arith.addi %i{id}, %c1 : index"));
                self.line(&format!(
                    "cf.br ^head{id}({next}, {} : index, {result_type})
^exit{id}:
scf.yield {} : {result_type}
}}",
                    names(&body.yields),
                    names(&body.carried)
                ));
            }
            Op::Show(var) => {
                let ranked = Ty::new(var.ty.sizes.clone(), vec![false; var.ty.rank()]);
                let (mut shown, mut shown_type) = (name(var), ty(&var.ty));
                if !var.ty.ranked {
                    shown =
                        self.define(&format!("tensor.cast {shown} : {shown_type} to {}", ty(&ranked)));
                    shown_type = ty(&ranked);
                }
                for position in positions(&var.ty.sizes) {
                    let position: Vec<String> =
                        position.into_iter().map(|index| self.index(index)).collect();
                    let element =
                        self.define(&format!("tensor.extract {shown}{} : {shown_type}", list(position)));
                    self.show(&element);
                }
            }
            Op::ShowSize(var, dim) => {
                let dim = self.index(*dim);
                let size = self.define(&format!("tensor.dim {}, {dim} : {}", name(var), ty(&var.ty)));
                self.show_index(&size);
            }
            Op::ShowRank(var) => {
                let rank = self.define(&format!("tensor.rank {} : {}", name(var), ty(&var.ty)));
                self.show_index(&rank);
            }
        }
    }

    /// `^block(%a: index, %b: index):` with new names.
    fn index_block(&mut self, rank: usize) -> String {
        let names: Vec<String> = (0..rank).map(|_| self.new_name()).collect();
        self.block_of(&names)
    }

    fn block_of(&self, names: &[String]) -> String {
        let each: Vec<String> = names.iter().map(|name| format!("{name}: index")).collect();
        match names.is_empty() {
            true => String::new(),
            false => format!("^bb0({}):\n", each.join(", ")),
        }
    }

    fn generate(&mut self, result: &Var, n: i32) {
        let sizes = self.sizes(&result.ty);
        let indices: Vec<String> = (0..result.ty.rank()).map(|_| self.new_name()).collect();
        let block = self.block_of(&indices);
        let [ten, n] = [10, n].map(|n| self.number(n));
        let mut sum = self.number(0);
        self.line(&format!(
            "{} = tensor.generate {sizes} {{\n{block}",
            name(result)
        ));
        for index in indices {
            let index = self.define(&format!("arith.index_cast {index} : index to i32"));
            let tens = self.define(&format!("arith.muli {sum}, {ten} : i32"));
            sum = self.define(&format!("arith.addi {tens}, {index} : i32"));
        }
        let element = self.define(&format!("arith.addi {sum}, {n} : i32"));
        self.line(&format!(
            "tensor.yield {element} : i32\n}} : {}",
            ty(&result.ty)
        ));
    }
}

/// `[[0, 1], [2]]` of groups with so many dimensions.
fn reassociation(groups: &[usize]) -> String {
    let mut next = 0;
    list(groups.iter().map(|&n| {
        next += n;
        list(next - n..next)
    }))
}

/// The type of a buffer for a tensor.
fn memref(ty: &Ty, any_layout: bool) -> String {
    let shape = shape(ty);
    if !any_layout || !ty.ranked {
        return format!("memref<{shape}");
    }
    let strides = list(ty.sizes.iter().map(|_| "?"));
    let shape = shape.trim_end_matches('>');
    format!("memref<{shape}, strided<{strides}, offset: ?>>")
}
