//! Random programs on tensors with four elements, or two: what is done in place, and what is not.

use super::{MAX_SHOWN, Sample};
use crate::support::generator::rng::Rng;

/// Elements of every whole tensor; slices have half of them.
const SIZE: usize = 4;
/// Statements of a program, more or less.
const STATEMENTS: usize = 24;

/// A tensor variable: its number and how many elements it has.
#[derive(Clone, Copy, Debug)]
struct Var(usize, usize);

/// What branches depend on, and where elements go.
#[derive(Clone, Copy, Debug)]
enum Scalar {
    /// An argument of the program.
    Known(usize),
    /// The counter of the loop with this number, at most 3.
    Counter(usize),
}

#[derive(Debug)]
enum Op {
    Splat(i32),
    Constant(Vec<i32>),
    Insert(i32, Var, Scalar),
    Slice(Var, usize),
    InsertSlice(Var, Var, usize),
    /// a + b, into c.
    Add(Var, Var, Var),
    Fill(i32, Var),
    /// Adds a backwards to b.
    Reverse(Var, Var),
    /// Adds the first element of a, which the body reads as a whole, to b.
    Captured(Var, Var),
    Select(Scalar, Var, Var),
    Cast(Var),
    Reshape(Var),
    Copy(Var),
    Materialize(Var, Var),
    /// Calls a function with two arguments.
    Call(Function, Var, Var),
    If(Scalar, [Body; 2]),
    For(usize, usize, Vec<Var>, Body),
    While(usize, usize, Vec<Var>, Body),
    /// A loop of blocks.
    Blocks(usize, usize, Vec<Var>, Body),
    /// Iterations put elements of the second in the place of those of the first, in reverse.
    Forall(Var, Option<Var>),
    /// Takes a slice out, changes it and puts it back; between that an element
    /// of the whole may be read, which makes the second result.
    Tile(Var, usize, i32, Option<usize>),
    /// Iterations double their elements, or triple them.
    Multiply(Var, bool),
    Show(Var),
}

/// Functions that every program has.
#[derive(Clone, Copy, Debug)]
enum Function {
    /// Returns its first argument.
    First,
    /// Writes to its first argument, which it may not.
    Write,
    /// The same where it may.
    WriteOwn,
}

/// Statements of a region, what they see of what it carries, and what they pass on.
#[derive(Debug)]
struct Body {
    carried: Vec<Var>,
    statements: Vec<(Vec<Var>, Op)>,
    yields: Vec<Var>,
}

struct Generator<'a> {
    rng: &'a mut Rng,
    n_vars: usize,
    n_loops: usize,
    budget: usize,
    /// The tensors that can be seen.
    scope: Vec<Var>,
    counters: Vec<usize>,
}

impl Generator<'_> {
    fn new_var(&mut self, size: usize) -> Var {
        self.n_vars += 1;
        Var(self.n_vars, size)
    }

    /// A tensor of this size; newer ones are more likely.
    fn pick(&mut self, size: usize) -> Option<Var> {
        let vars: Vec<Var> = self.scope.iter().copied().filter(|v| v.1 == size).collect();
        if vars.is_empty() {
            return None;
        }
        let back = self.rng.below(vars.len()).min(self.rng.below(vars.len()));
        Some(vars[vars.len() - 1 - back])
    }

    fn scalar(&mut self) -> Scalar {
        match self.counters.last() {
            Some(&counter) if self.rng.chance(60) => Scalar::Counter(counter),
            _ => Scalar::Known(self.rng.below(3)),
        }
    }

    /// Statements that see `carried` and yield tensors of the sizes of `like`.
    fn body(&mut self, carried: Vec<Var>, like: &[Var], depth: usize) -> Body {
        let outside = self.scope.len();
        self.scope.extend(&carried);
        let mut statements = Vec::new();
        for _ in 0..self.rng.range(1, 5) {
            if self.budget == 0 {
                break;
            }
            self.budget -= 1;
            self.statement(&mut statements, depth);
        }
        let yields = like.iter().map(|v| self.pick(v.1).unwrap()).collect();
        self.scope.truncate(outside);
        Body {
            carried,
            statements,
            yields,
        }
    }

    fn statement(&mut self, out: &mut Vec<(Vec<Var>, Op)>, depth: usize) {
        let whole = self.pick(SIZE).unwrap();
        let other = self.pick(SIZE).unwrap();
        let n = self.rng.below(90) as i32;
        let at = self.rng.below(3);
        let half = self.pick(SIZE / 2);
        let kind = self.rng.below(if depth < 3 { 27 } else { 20 });
        let (sizes, op) = match (kind, half) {
            (0, _) => (vec![SIZE], Op::Splat(n)),
            (1, _) => (vec![SIZE], Op::Constant((n..n + SIZE as i32).collect())),
            (2..=4, _) => (vec![SIZE], Op::Insert(n, whole, self.scalar())),
            (5, _) | (6, None) => (vec![SIZE / 2], Op::Slice(whole, at)),
            (6, Some(half)) => (vec![SIZE], Op::InsertSlice(half, whole, at)),
            (7, Some(half)) => (vec![SIZE / 2], Op::Fill(n, half)),
            (7 | 8, _) => {
                let dest = *self.rng.pick(&[whole, other]);
                (vec![SIZE], Op::Add(whole, other, dest))
            }
            (9, _) => (vec![SIZE], Op::Reverse(whole, other)),
            (10, _) => (vec![SIZE], Op::Captured(whole, other)),
            (11, _) => (vec![SIZE], Op::Select(self.scalar(), whole, other)),
            (12, _) => (vec![SIZE], Op::Cast(whole)),
            (13, _) => (vec![SIZE], Op::Reshape(whole)),
            (14, _) => (vec![SIZE], Op::Copy(whole)),
            (15, _) => (vec![SIZE], Op::Materialize(whole, other)),
            (16, _) => {
                let functions = [Function::First, Function::Write, Function::WriteOwn];
                let function = *self.rng.pick(&functions);
                (vec![SIZE], Op::Call(function, whole, other))
            }
            (17, _) => {
                let from = self.rng.chance(50).then_some(other);
                (vec![SIZE], Op::Forall(whole, from))
            }
            (18, _) => {
                let peek = self.rng.chance(50).then(|| self.rng.below(SIZE));
                (vec![SIZE; 2], Op::Tile(whole, at, n, peek))
            }
            (19, _) => (vec![SIZE], Op::Multiply(whole, self.rng.chance(50))),
            (20..=22, _) => {
                let results: Vec<Var> = (0..self.rng.range(1, 2)).map(|_| whole).collect();
                let condition = self.scalar();
                let bodies = [0, 1].map(|_| self.body(Vec::new(), &results, depth + 1));
                (vec![SIZE; results.len()], Op::If(condition, bodies))
            }
            _ => self.repetition(kind, depth),
        };
        let results: Vec<Var> = sizes.into_iter().map(|size| self.new_var(size)).collect();
        self.scope.extend(&results);
        out.push((results.clone(), op));
        if self.rng.chance(40) {
            let size = *self.rng.pick(&[SIZE, SIZE / 2]);
            let shown = self.pick(size).unwrap_or(whole);
            out.push((Vec::new(), Op::Show(shown)));
        }
    }

    fn repetition(&mut self, kind: usize, depth: usize) -> (Vec<usize>, Op) {
        let inits: Vec<Var> = (0..self.rng.range(1, 3))
            .map(|_| self.pick(SIZE).unwrap())
            .collect();
        self.n_loops += 1;
        let (id, trips) = (self.n_loops, self.rng.below(4));
        let carried = inits.iter().map(|v| self.new_var(v.1)).collect();
        self.counters.push(id);
        let body = self.body(carried, &inits, depth + 1);
        self.counters.pop();
        let sizes = vec![SIZE; inits.len()];
        let op = match kind {
            23 => Op::While(id, trips, inits, body),
            24 => Op::Blocks(id, trips, inits, body),
            _ => Op::For(id, trips, inits, body),
        };
        (sizes, op)
    }
}

/// A random program: the statements of a function with two arguments.
fn generate(rng: &mut Rng) -> Body {
    let mut generator = Generator {
        rng,
        n_vars: 2,
        n_loops: 0,
        budget: STATEMENTS,
        scope: vec![Var(1, SIZE), Var(2, SIZE)],
        counters: Vec::new(),
    };
    let mut statements = Vec::new();
    while generator.budget > 0 {
        generator.budget -= 1;
        generator.statement(&mut statements, 0);
    }
    for var in generator.scope.clone() {
        statements.push((Vec::new(), Op::Show(var)));
    }
    Body {
        carried: Vec::new(),
        statements,
        yields: Vec::new(),
    }
}

/// The interpreter: what is known and what was shown.
struct Machine {
    tensors: Vec<Vec<i32>>,
    counters: Vec<usize>,
    known: [usize; 3],
    shown: Vec<i32>,
}

impl Machine {
    fn scalar(&self, scalar: Scalar) -> usize {
        match scalar {
            Scalar::Known(at) => self.known[at],
            Scalar::Counter(id) => self.counters[id],
        }
    }

    fn run(&mut self, body: &Body) -> Vec<Vec<i32>> {
        for (results, op) in &body.statements {
            let values = self.compute(op);
            for (result, value) in results.iter().zip(values) {
                self.set(*result, value);
            }
        }
        body.yields.iter().map(|&v| self.get(v)).collect()
    }

    fn get(&self, var: Var) -> Vec<i32> {
        self.tensors[var.0].clone()
    }

    fn set(&mut self, var: Var, value: Vec<i32>) {
        if self.tensors.len() <= var.0 {
            self.tensors.resize(var.0 + 1, Vec::new());
        }
        self.tensors[var.0] = value;
    }

    fn compute(&mut self, op: &Op) -> Vec<Vec<i32>> {
        let add = |a: i32, b: i32| a.wrapping_add(b);
        let value = match *op {
            Op::Splat(n) => vec![n; SIZE],
            Op::Constant(ref elements) => elements.clone(),
            Op::Insert(n, dest, at) => {
                let mut value = self.get(dest);
                value[self.scalar(at)] = n;
                value
            }
            Op::Slice(from, at) => self.get(from)[at..at + SIZE / 2].to_vec(),
            Op::InsertSlice(part, dest, at) => {
                let mut value = self.get(dest);
                value[at..at + SIZE / 2].copy_from_slice(&self.get(part));
                value
            }
            Op::Add(a, b, _) => {
                let (a, b) = (self.get(a), self.get(b));
                a.iter().zip(b).map(|(&a, b)| add(a, b)).collect()
            }
            Op::Fill(n, dest) => vec![n; dest.1],
            Op::Reverse(a, b) => {
                let (a, b) = (self.get(a), self.get(b));
                a.iter().rev().zip(b).map(|(&a, b)| add(a, b)).collect()
            }
            Op::Captured(a, b) => {
                let first = self.get(a)[0];
                self.get(b).into_iter().map(|b| add(first, b)).collect()
            }
            Op::Select(condition, a, b) => self.get(match self.scalar(condition) % 2 {
                1 => a,
                _ => b,
            }),
            Op::Cast(a) | Op::Reshape(a) | Op::Copy(a) | Op::Materialize(a, _) => self.get(a),
            Op::Call(Function::First, a, _) => self.get(a),
            Op::Call(_, a, b) => {
                let mut value = self.get(a);
                value[1] = add(self.get(b)[0], 1);
                value
            }
            Op::If(condition, ref bodies) => {
                return self.run(&bodies[usize::from(self.scalar(condition) % 2 != 1)]);
            }
            Op::For(id, trips, ref inits, ref body)
            | Op::While(id, trips, ref inits, ref body)
            | Op::Blocks(id, trips, ref inits, ref body) => {
                let mut carried: Vec<Vec<i32>> = inits.iter().map(|&v| self.get(v)).collect();
                for i in 0..trips {
                    if self.counters.len() <= id {
                        self.counters.resize(id + 1, 0);
                    }
                    self.counters[id] = i;
                    for (&var, value) in body.carried.iter().zip(carried) {
                        self.set(var, value);
                    }
                    carried = self.run(body);
                }
                return carried;
            }
            Op::Forall(dest, from) => {
                let from = from.unwrap_or(dest);
                let mut value = self.get(from);
                value.reverse();
                value
            }
            Op::Tile(dest, at, n, peek) => {
                let mut value = self.get(dest);
                let seen = peek.map_or(n, |peek| value[peek]);
                value[at..at + SIZE / 2].fill(add(n, n));
                return vec![value, vec![seen; SIZE]];
            }
            Op::Multiply(dest, three) => {
                let factor = if three { 3 } else { 2 };
                let value = self.get(dest).into_iter();
                value.map(|e| e.wrapping_mul(factor)).collect()
            }
            Op::Show(var) => {
                let value = self.get(var);
                self.shown.extend(value);
                return Vec::new();
            }
        };
        vec![value]
    }
}

/// Writes programs as MLIR.
#[derive(Default)]
struct Writer {
    text: String,
    n_names: usize,
}

fn ty(var: Var) -> String {
    format!("tensor<{}xi32>", var.1)
}

fn names(vars: &[Var]) -> String {
    let names: Vec<String> = vars.iter().map(|v| format!("%t{}", v.0)).collect();
    names.join(", ")
}

fn types(vars: &[Var]) -> String {
    vars.iter().map(|&v| ty(v)).collect::<Vec<_>>().join(", ")
}

impl Writer {
    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn name(&mut self, prefix: &str) -> String {
        self.n_names += 1;
        format!("%{prefix}{}", self.n_names)
    }

    fn constant(&mut self, n: i32) -> String {
        let name = self.name("n");
        self.line(&format!("{name} = arith.constant {n} : i32"));
        name
    }

    fn scalar(&mut self, scalar: Scalar) -> String {
        match scalar {
            Scalar::Known(at) => format!("%known{at}"),
            Scalar::Counter(id) => format!("%i{id}"),
        }
    }

    /// Whether a scalar is odd.
    fn condition(&mut self, scalar: Scalar) -> String {
        let (scalar, name) = (self.scalar(scalar), self.name("cond"));
        self.line(&format!("{name} = arith.index_cast {scalar} : index to i1"));
        name
    }

    fn statements(&mut self, body: &Body) {
        for (results, op) in &body.statements {
            self.op(results, op);
        }
    }

    /// `scf.yield` of what the body yields.
    fn yields(&mut self, body: &Body) {
        let (values, types) = (names(&body.yields), types(&body.yields));
        self.line(&format!("scf.yield {values} : {types}"));
    }

    fn generic(&mut self, result: &str, inputs: Option<Var>, dest: Var, from: &str, body: &str) {
        let maps = match inputs {
            Some(_) => format!("affine_map<(i) -> ({from})>, affine_map<(i) -> (i)>"),
            None => "affine_map<(i) -> (i)>".to_owned(),
        };
        let ins = inputs.map_or(String::new(), |v| {
            format!("ins({} : {})", names(&[v]), ty(v))
        });
        let arguments = if inputs.is_some() {
            "%a: i32, %b: i32"
        } else {
            "%b: i32"
        };
        self.line(&format!(
            "{result} = linalg.generic {{indexing_maps = [{maps}], iterator_types = [\"parallel\"]}} \
             {ins} outs({} : {}) {{\n^bb0({arguments}):\n{body}\nlinalg.yield %s : i32\n}} -> {}",
            names(&[dest]),
            ty(dest),
            ty(dest)
        ));
    }

    fn op(&mut self, results: &[Var], op: &Op) {
        let result = names(results);
        let name = |v: Var| names(&[v]);
        match *op {
            Op::Splat(n) => {
                let n = self.constant(n);
                self.line(&format!("{result} = tensor.splat {n} : {}", ty(results[0])));
            }
            Op::Constant(ref elements) => self.line(&format!(
                "{result} = arith.constant dense<{elements:?}> : {}",
                ty(results[0])
            )),
            Op::Insert(n, dest, at) => {
                let (n, at) = (self.constant(n), self.scalar(at));
                self.line(&format!(
                    "{result} = tensor.insert {n} into {}[{at}] : {}",
                    name(dest),
                    ty(dest)
                ));
            }
            Op::Slice(from, at) => self.line(&format!(
                "{result} = tensor.extract_slice {}[{at}] [2] [1] : {} to {}",
                name(from),
                ty(from),
                ty(results[0])
            )),
            Op::InsertSlice(part, dest, at) => self.line(&format!(
                "{result} = tensor.insert_slice {} into {}[{at}] [2] [1] : {} into {}",
                name(part),
                name(dest),
                ty(part),
                ty(dest)
            )),
            Op::Add(a, b, dest) => self.line(&format!(
                "{result} = linalg.add ins({} : {}) outs({} : {}) -> {}",
                names(&[a, b]),
                types(&[a, b]),
                name(dest),
                ty(dest),
                ty(dest)
            )),
            Op::Fill(n, dest) => {
                let n = self.constant(n);
                self.line(&format!(
                    "{result} = linalg.fill ins({n} : i32) outs({} : {}) -> {}",
                    name(dest),
                    ty(dest),
                    ty(dest)
                ));
            }
            Op::Reverse(a, b) => {
                self.generic(&result, Some(a), b, "3 - i", "%s = arith.addi %a, %b : i32");
            }
            Op::Captured(a, b) => {
                let body = format!(
                    "%z = arith.constant 0 : index\n%f = tensor.extract {}[%z] : {}\n\
                     %s = arith.addi %f, %b : i32",
                    name(a),
                    ty(a)
                );
                self.generic(&result, None, b, "i", &body);
            }
            Op::Select(condition, a, b) => {
                let condition = self.condition(condition);
                self.line(&format!(
                    "{result} = arith.select {condition}, {} : {}",
                    names(&[a, b]),
                    ty(a)
                ));
            }
            Op::Cast(a) => {
                let middle = self.name("m");
                self.line(&format!(
                    "{middle} = tensor.cast {} : {} to tensor<?xi32>\n\
                     {result} = tensor.cast {middle} : tensor<?xi32> to {}",
                    name(a),
                    ty(a),
                    ty(a)
                ));
            }
            Op::Reshape(a) => {
                let middle = self.name("m");
                self.line(&format!(
                    "{middle} = tensor.expand_shape {} [[0, 1]] output_shape [2, 2] : {} into tensor<2x2xi32>\n\
                     {result} = tensor.collapse_shape {middle} [[0, 1]] : tensor<2x2xi32> into {}",
                    name(a),
                    ty(a),
                    ty(a)
                ));
            }
            Op::Copy(a) => self.line(&format!(
                "{result} = bufferization.alloc_tensor() copy({}) : {}",
                name(a),
                ty(a)
            )),
            Op::Materialize(a, dest) => self.line(&format!(
                "{result} = bufferization.materialize_in_destination {} in {} : ({}) -> {}",
                name(a),
                name(dest),
                types(&[a, dest]),
                ty(dest)
            )),
            Op::Call(function, a, b) => {
                let function = match function {
                    Function::First => "first",
                    Function::Write => "write",
                    Function::WriteOwn => "write_own",
                };
                self.line(&format!(
                    "{result} = func.call @{function}({}) : ({}) -> {}",
                    names(&[a, b]),
                    types(&[a, b]),
                    ty(a)
                ));
            }
            Op::If(condition, ref bodies) => {
                let condition = self.condition(condition);
                self.line(&format!(
                    "{result} = scf.if {condition} -> ({}) {{",
                    types(results)
                ));
                self.statements(&bodies[0]);
                self.yields(&bodies[0]);
                self.line("} else {");
                self.statements(&bodies[1]);
                self.yields(&bodies[1]);
                self.line("}");
            }
            Op::For(id, trips, ref inits, ref body) => {
                let assignments = assignments(&body.carried, inits);
                self.line(&format!(
                    "{result} = scf.for %i{id} = %c0 to %c{trips} step %c1 iter_args({assignments}) -> ({}) {{",
                    types(results)
                ));
                self.statements(body);
                self.yields(body);
                self.line("}");
            }
            Op::While(id, trips, ref inits, ref body) => {
                self.write_while(results, id, trips, inits, body)
            }
            Op::Blocks(id, trips, ref inits, ref body) => {
                self.write_blocks(results, id, trips, inits, body)
            }
            Op::Forall(dest, from) => {
                let (i, o, j, s) = (
                    self.name("iv"),
                    self.name("o"),
                    self.name("j"),
                    self.name("s"),
                );
                let from = from.map_or_else(|| o.clone(), name);
                self.line(&format!(
                    "{result} = scf.forall ({i}) in (4) shared_outs({o} = {}) -> ({}) {{
{j} = arith.subi %c3, {i} : index
{s} = tensor.extract_slice {from}[{j}] [1] [1] : tensor<4xi32> to tensor<1xi32>
scf.forall.in_parallel {{
tensor.parallel_insert_slice {s} into {o}[{i}] [1] [1] : tensor<1xi32> into tensor<4xi32>
}}
}}",
                    name(dest),
                    ty(dest)
                ));
            }
            Op::Tile(dest, at, n, peek) => {
                let n = self.constant(n);
                let (slice, full, part) = (self.name("s"), self.name("s"), self.name("s"));
                self.line(&format!(
                    "{slice} = tensor.extract_slice {}[{at}] [2] [1] : tensor<4xi32> to tensor<2xi32>\n\
                     {full} = linalg.fill ins({n} : i32) outs({slice} : tensor<2xi32>) -> tensor<2xi32>",
                    name(dest)
                ));
                let seen = match peek {
                    Some(peek) => {
                        let seen = self.name("e");
                        self.line(&format!(
                            "{seen} = tensor.extract {}[%c{peek}] : tensor<4xi32>",
                            name(dest)
                        ));
                        seen
                    }
                    None => n,
                };
                self.line(&format!(
                    "{part} = linalg.add ins({full}, {full} : tensor<2xi32>, tensor<2xi32>) outs({full} : tensor<2xi32>) -> tensor<2xi32>\n\
                     {} = tensor.insert_slice {part} into {}[{at}] [2] [1] : tensor<2xi32> into tensor<4xi32>\n\
                     {} = tensor.splat {seen} : tensor<4xi32>",
                    name(results[0]),
                    name(dest),
                    name(results[1])
                ));
            }
            Op::Multiply(dest, three) => {
                let (i, o, s, t) = (
                    self.name("iv"),
                    self.name("o"),
                    self.name("s"),
                    self.name("s"),
                );
                let (again, last) = match three {
                    true => {
                        let last = self.name("s");
                        let again = format!(
                            "{last} = linalg.add ins({t}, {s} : tensor<1xi32>, tensor<1xi32>) outs({t} : tensor<1xi32>) -> tensor<1xi32>"
                        );
                        (again, last)
                    }
                    false => (String::new(), t.clone()),
                };
                self.line(&format!(
                    "{result} = scf.forall ({i}) in (4) shared_outs({o} = {}) -> (tensor<4xi32>) {{
{s} = tensor.extract_slice {o}[{i}] [1] [1] : tensor<4xi32> to tensor<1xi32>
{t} = linalg.add ins({s}, {s} : tensor<1xi32>, tensor<1xi32>) outs({s} : tensor<1xi32>) -> tensor<1xi32>
{again}
scf.forall.in_parallel {{
tensor.parallel_insert_slice {last} into {o}[{i}] [1] [1] : tensor<1xi32> into tensor<4xi32>
}}
}}",
                    name(dest)
                ));
            }
            Op::Show(var) => {
                for at in 0..var.1 {
                    let e = self.name("e");
                    self.line(&format!(
                        "{e} = tensor.extract {}[%c{at}] : {}\n\
                         func.call @show({e}, %shown) : (i32, memref<{MAX_SHOWN}xi32>) -> ()",
                        name(var),
                        ty(var)
                    ));
                }
            }
        }
    }

    fn write_while(
        &mut self,
        results: &[Var],
        id: usize,
        trips: usize,
        inits: &[Var],
        body: &Body,
    ) {
        let (counted, more) = (self.name("w"), self.name("w"));
        let carried = types(results);
        let inner: Vec<String> = body
            .carried
            .iter()
            .map(|v| format!("%t{}: {}", v.0, ty(*v)))
            .collect();
        let before: Vec<String> = inits.iter().map(|_| self.name("w")).collect();
        let starts: Vec<String> = before
            .iter()
            .zip(inits)
            .map(|(b, v)| format!("{b} = %t{}", v.0))
            .collect();
        let last = self.name("w");
        self.line(&format!(
            "{last}, {} = scf.while ({counted} = %c0, {}) : (index, {carried}) -> (index, {carried}) {{
{more} = arith.cmpi slt, {counted}, %c{trips} : index
scf.condition({more}) {counted}, {} : index, {carried}
}} do {{
^bb0(%i{id}: index, {}):",
            names(results),
            starts.join(", "),
            before.join(", "),
            inner.join(", ")
        ));
        self.statements(body);
        let next = self.name("w");
        self.line(&format!(
            "{next} = arith.addi %i{id}, %c1 : index\nscf.yield {next}, {} : index, {}\n}}",
            names(&body.yields),
            types(&body.yields)
        ));
    }

    fn write_blocks(
        &mut self,
        results: &[Var],
        id: usize,
        trips: usize,
        inits: &[Var],
        body: &Body,
    ) {
        let carried = types(results);
        let parameters: Vec<String> = body
            .carried
            .iter()
            .map(|v| format!("%t{}: {}", v.0, ty(*v)))
            .collect();
        let more = self.name("w");
        self.line(&format!(
            "{} = scf.execute_region -> ({carried}) {{
cf.br ^head{id}(%c0, {} : index, {carried})
^head{id}(%i{id}: index, {}):
{more} = arith.cmpi slt, %i{id}, %c{trips} : index
cf.cond_br {more}, ^body{id}, ^exit{id}
^body{id}:",
            names(results),
            names(inits),
            parameters.join(", ")
        ));
        self.statements(body);
        let next = self.name("w");
        self.line(&format!(
            "{next} = arith.addi %i{id}, %c1 : index
cf.br ^head{id}({next}, {} : index, {carried})
^exit{id}:
scf.yield {} : {carried}
}}",
            names(&body.yields),
            names(&body.carried)
        ));
    }
}

fn assignments(inner: &[Var], outer: &[Var]) -> String {
    let pairs = inner.iter().zip(outer);
    let pairs: Vec<String> = pairs
        .map(|(a, b)| format!("%t{} = %t{}", a.0, b.0))
        .collect();
    pairs.join(", ")
}

/// The whole module. The first number of `%shown` counts those behind it.
fn module(body: &Body) -> String {
    let mut writer = Writer::default();
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
}}
func.func private @first(%a: tensor<4xi32>, %b: tensor<4xi32>) -> tensor<4xi32> {{
return %a : tensor<4xi32>
}}"
    ));
    for (name, attrs) in [
        ("write", ""),
        ("write_own", " {bufferization.writable = true}"),
    ] {
        writer.line(&format!(
            "func.func private @{name}(%a: tensor<4xi32>{attrs}, %b: tensor<4xi32>) -> tensor<4xi32> {{
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%one = arith.constant 1 : i32
%early = tensor.extract %b[%c1] : tensor<4xi32>
%early1 = arith.addi %early, %one : i32
%r = tensor.insert %early1 into %a[%c1] : tensor<4xi32>
%e = tensor.extract %b[%c0] : tensor<4xi32>
%e1 = arith.addi %e, %one : i32
%s = tensor.insert %e1 into %r[%c1] : tensor<4xi32>
return %s : tensor<4xi32>
}}"
        ));
    }
    writer.line(&format!(
        "func.func private @program(%t1: tensor<4xi32>, %t2: tensor<4xi32>, %known0: index, %known1: index, %known2: index, %shown: memref<{MAX_SHOWN}xi32>) {{"
    ));
    for n in 0..SIZE {
        writer.line(&format!("%c{n} = arith.constant {n} : index"));
    }
    writer.statements(body);
    writer.line(&format!(
        "return
}}
func.func @kernel(%known0: index, %known1: index, %known2: index, %shown: memref<{MAX_SHOWN}xi32>) {{
%t1 = arith.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
call @program(%t1, %t1, %known0, %known1, %known2, %shown) : (tensor<4xi32>, tensor<4xi32>, index, index, index, memref<{MAX_SHOWN}xi32>) -> ()
return
}}"
    ));
    writer.text
}

/// A random program and what it shows; `None` if that is too much.
pub(crate) fn sample(rng: &mut Rng) -> Option<Sample> {
    let body = generate(rng);
    let known = [rng.below(SIZE), rng.below(SIZE), rng.below(SIZE)];
    let mut machine = Machine {
        tensors: vec![vec![1, 2, 3, 4]; 3],
        counters: Vec::new(),
        known,
        shown: Vec::new(),
    };
    machine.run(&body);
    (machine.shown.len() < MAX_SHOWN).then(|| Sample {
        text: module(&body),
        known: known.to_vec(),
        shown: machine.shown,
    })
}
