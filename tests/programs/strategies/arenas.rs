//! Chains of operations on whole buffers, as a formula makes them: each result is a buffer of its own, of
//! which most can share bytes. Branches, loops that run or do not, loops that exchange buffers, bodies of
//! parallel loops, recursion, sizes of run time, alignment, empty buffers, memory spaces, layouts and buffers
//! whose address is looked at come in between. Functions may return buffers, which are shown where they are called.

use std::fmt::Write as _;

use crate::support::generator::rng::Rng;

/// What all programs share.
const PRELUDE: &str = "\
func.func private @printI64(i64)
func.func private @printNewline()
func.func @show(%m: memref<?xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %base = arith.constant 31 : i64
  %n = memref.dim %m, %c0 : memref<?xi64>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (i64) {
    %x = memref.load %m[%i] : memref<?xi64>
    %shifted = arith.muli %s, %base : i64
    %next = arith.addi %shifted, %x : i64
    scf.yield %next : i64
  }
  call @printI64(%sum) : (i64) -> ()
  call @printNewline() : () -> ()
  return
}
func.func @digest(%m: memref<?xi64>, %sum: memref<1xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %base = arith.constant 31 : i64
  %n = memref.dim %m, %c0 : memref<?xi64>
  scf.for %i = %c0 to %n step %c1 {
    %s = memref.load %sum[%c0] : memref<1xi64>
    %x = memref.load %m[%i] : memref<?xi64>
    %shifted = arith.muli %s, %base : i64
    %next = arith.addi %shifted, %x : i64
    memref.store %next, %sum[%c0] : memref<1xi64>
  }
  return
}
func.func @count(%m: memref<?xi64>, %first: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %m, %c0 : memref<?xi64>
  scf.for %i = %c0 to %n step %c1 {
    %x = arith.index_cast %i : index to i64
    %y = arith.addi %x, %first : i64
    memref.store %y, %m[%i] : memref<?xi64>
  }
  return
}
";

/// The program with this seed.
pub(crate) fn generate(seed: u64) -> String {
    let mut rng = Rng::new(seed);
    let length = *rng.pick(&[3, 16, 100, 500]);
    let is_dynamic = rng.chance(40);
    let mut maker = Maker {
        rng,
        text: String::from(PRELUDE),
        next: 0,
        ty: match is_dynamic {
            true => "memref<?xi64>".into(),
            false => format!("memref<{length}xi64>"),
        },
        size: if is_dynamic { "%n" } else { "" },
        function: 0,
        results: Vec::new(),
    };
    let functions = maker.rng.range(1, 2);
    let mut results = Vec::new();
    for function in 0..functions {
        maker.function = function;
        maker.function();
        results.push(maker.results.clone());
    }
    maker.line(0, "func.func @main() {");
    maker.line(1, "%yes = arith.constant true");
    maker.line(1, "%no = arith.constant false");
    for (function, results) in results.into_iter().enumerate() {
        maker.results = results;
        for _ in 0..maker.rng.range(1, 2) {
            let (n, times) = (maker.name(), maker.name());
            let size = match is_dynamic {
                true => *maker.rng.pick(&[0, 3, 16, 200]),
                false => length,
            };
            maker.line(1, &format!("{n} = arith.constant {size} : index"));
            let count = *maker.rng.pick(&[0, 1, 3]);
            maker.line(1, &format!("{times} = arith.constant {count} : index"));
            let flags = [(); 2].map(|()| *maker.rng.pick(&["%yes", "%no"]));
            let arguments = format!("{n}, {times}, {}, {}", flags[0], flags[1]);
            for (name, ty) in maker.call(1, function, &arguments) {
                let cast = maker.name();
                maker.line(
                    1,
                    &format!("{cast} = memref.cast {name} : {ty} to memref<?xi64>"),
                );
                maker.line(
                    1,
                    &format!("func.call @show({cast}) : (memref<?xi64>) -> ()"),
                );
            }
        }
    }
    maker.text + "  return\n}\n"
}

struct Maker {
    rng: Rng,
    text: String,
    next: usize,
    /// The type of most buffers.
    ty: String,
    /// Its sizes of run time.
    size: &'static str,
    function: usize,
    /// The types of its results.
    results: Vec<String>,
}

impl Maker {
    fn line(&mut self, depth: usize, line: &str) {
        let _ = writeln!(self.text, "{:1$}{line}", "", 2 * depth);
    }

    fn name(&mut self) -> String {
        self.next += 1;
        format!("%v{}", self.next)
    }

    fn function(&mut self) {
        let attributes = *self
            .rng
            .pick(&["", " attributes {passthrough = [\"noinline\"]}"]);
        let name = self.function;
        let other = format!("memref<{}xi64>", self.rng.pick(&[1, 40, 1000]));
        self.results = match self.rng.below(4) {
            0 | 1 => Vec::new(),
            2 => vec![self.ty.clone()],
            _ => vec![self.ty.clone(), other.clone()],
        };
        let results = self.results.join(", ");
        self.line(
            0,
            &format!(
                "func.func @f{name}(%n: index, %times: index, %p: i1, %q: i1) -> ({results}){attributes} {{"
            ),
        );
        for constant in [
            "%c0 = arith.constant 0",
            "%c1 = arith.constant 1",
            "%c3 = arith.constant 3",
            "%c4 = arith.constant 4",
        ] {
            self.line(1, &format!("{constant} : index"));
        }
        self.line(1, "%number = arith.constant 7 : i64");
        let mut buffers = Vec::new();
        for _ in 0..self.rng.range(1, 5) {
            let buffer = self.alloc(1);
            let cast = self.cast(1, &buffer);
            self.line(
                1,
                &format!("call @count({cast}, %number) : (memref<?xi64>, i64) -> ()"),
            );
            buffers.push(buffer);
        }
        let steps = self.rng.range(4, 30);
        let before = self.rng.below(steps);
        self.steps(&mut buffers, before, 1);
        if self.results.len() == 2 {
            self.line(1, &format!("%other = memref.alloc() : {other}"));
            self.line(
                1,
                &format!("linalg.fill ins(%number : i64) outs(%other : {other})"),
            );
        }
        self.steps(&mut buffers, steps - before, 1);
        let returned = [self.rng.pick(&buffers).clone(), "%other".to_owned()];
        match self.results.len() {
            0 => self.line(1, "return"),
            n => self.line(
                1,
                &format!("return {} : {results}", returned[..n].join(", ")),
            ),
        }
        self.line(0, "}");
    }

    /// A call of `@f0` or another one; gives the names and types of its results.
    fn call(&mut self, depth: usize, function: usize, arguments: &str) -> Vec<(String, String)> {
        let results = self.results.clone();
        let name = self.name();
        let defined = match results.len() {
            0 => String::new(),
            n => format!("{name}:{n} = "),
        };
        let types = results.join(", ");
        self.line(
            depth,
            &format!(
                "{defined}func.call @f{function}({arguments}) : (index, index, i1, i1) -> ({types})"
            ),
        );
        let names = (0..).map(|number| format!("{name}#{number}"));
        names.zip(results).collect()
    }

    /// Some operations, the last of which shows a buffer.
    fn steps(&mut self, buffers: &mut Vec<String>, steps: usize, depth: usize) {
        for _ in 0..steps {
            match self.rng.below(if depth < 3 { 22 } else { 14 }) {
                0..=11 => self.elementwise(buffers, depth),
                12 => self.show(buffers, depth),
                13 => self.oddity(depth),
                14 | 15 => {
                    let condition = *self.rng.pick(&["%p", "%q"]);
                    self.nested(buffers, depth, &format!("scf.if {condition} {{"));
                }
                16 | 17 => {
                    let (i, end) = (self.name(), *self.rng.pick(&["%c3", "%times", "%c0"]));
                    self.nested(
                        buffers,
                        depth,
                        &format!("scf.for {i} = %c0 to {end} step %c1 {{"),
                    );
                }
                18 => self.exchange(buffers, depth),
                19 | 20 => self.panels(buffers, depth),
                _ if self.rng.chance(50) => self.recursion(depth),
                _ => self.parallel(buffers, depth),
            }
        }
        self.show(buffers, depth);
    }

    fn nested(&mut self, buffers: &[String], depth: usize, head: &str) {
        self.line(depth, head);
        let steps = self.rng.range(1, 5);
        self.steps(&mut buffers.to_vec(), steps, depth + 1);
        self.line(depth, "}");
    }

    fn alloc(&mut self, depth: usize) -> String {
        let name = self.name();
        let alignment = match self.rng.below(10) {
            0 => " {alignment = 64 : i64}",
            1 => " {alignment = 4096 : i64}",
            2 => " {alignment = 1 : i64}",
            _ => "",
        };
        self.line(
            depth,
            &format!(
                "{name} = memref.alloc({}){alignment} : {}",
                self.size, self.ty
            ),
        );
        name
    }

    fn cast(&mut self, depth: usize, buffer: &str) -> String {
        let name = self.name();
        self.line(
            depth,
            &format!(
                "{name} = memref.cast {buffer} : {} to memref<?xi64>",
                self.ty
            ),
        );
        name
    }

    fn show(&mut self, buffers: &[String], depth: usize) {
        let recent = &buffers[buffers.len().saturating_sub(3)..];
        let buffer = self.rng.pick(recent).clone();
        let cast = self.cast(depth, &buffer);
        self.line(
            depth,
            &format!("func.call @show({cast}) : (memref<?xi64>) -> ()"),
        );
    }

    fn elementwise(&mut self, buffers: &mut Vec<String>, depth: usize) {
        let out = self.alloc(depth);
        let recent = &buffers[buffers.len().saturating_sub(4)..];
        let (a, b) = (
            self.rng.pick(recent).clone(),
            self.rng.pick(buffers).clone(),
        );
        let ty = self.ty.clone();
        let line = match self.rng.below(10) {
            0 => format!("linalg.fill ins(%number : i64) outs({out} : {ty})"),
            1 | 2 => format!("linalg.copy ins({a} : {ty}) outs({out} : {ty})"),
            3 => format!("memref.copy {a}, {out} : {ty} to {ty}"),
            _ => {
                let name = self.rng.pick(&["add", "sub", "mul", "max"]);
                format!("linalg.{name} ins({a}, {b} : {ty}, {ty}) outs({out} : {ty})")
            }
        };
        self.line(depth, &line);
        buffers.push(out);
    }

    /// A loop that hands two buffers on and replaces one of them.
    fn exchange(&mut self, buffers: &mut Vec<String>, depth: usize) {
        let ty = self.ty.clone();
        let [a, b] = [(); 2].map(|()| {
            let buffer = self.alloc(depth);
            self.line(
                depth,
                &format!("linalg.fill ins(%number : i64) outs({buffer} : {ty})"),
            );
            buffer
        });
        let [r, i, x, y] = [(); 4].map(|()| self.name());
        let end = *self.rng.pick(&["%c3", "%times"]);
        self.line(
            depth,
            &format!(
                "{r}:2 = scf.for {i} = %c0 to {end} step %c1 iter_args({x} = {a}, {y} = {b}) -> ({ty}, {ty}) {{"
            ),
        );
        let new = self.alloc(depth + 1);
        self.line(
            depth + 1,
            &format!("linalg.add ins({x}, {y} : {ty}, {ty}) outs({new} : {ty})"),
        );
        let order = match self.rng.chance(50) {
            true => format!("{new}, {x}"),
            false => format!("{y}, {new}"),
        };
        self.line(depth + 1, &format!("scf.yield {order} : {ty}, {ty}"));
        self.line(depth, "}");
        buffers.push(format!("{r}#0"));
        buffers.push(format!("{r}#1"));
    }

    /// A loop with buffers whose sizes depend on its counter, among others.
    fn panels(&mut self, buffers: &[String], depth: usize) {
        let [i, end, step, left, rest, sum] = [(); 6].map(|()| self.name());
        self.line(depth, &format!("{sum} = memref.alloc() : memref<1xi64>"));
        self.line(
            depth,
            &format!("memref.store %number, {sum}[%c0] : memref<1xi64>"),
        );
        // What prints may allocate, for all that is known.
        let is_silent = self.rng.chance(70);
        let (last, by) = *self.rng.pick(&[(7, 3), (5, 1), (8, 4), (300, 1)]);
        let last_used = if self.rng.chance(80) { &end } else { "%times" };
        self.line(depth, &format!("{end} = arith.constant {last} : index"));
        self.line(depth, &format!("{step} = arith.constant {by} : index"));
        let head = format!("scf.for {i} = %c0 to {last_used} step {step} {{");
        self.line(depth, &head);
        self.line(
            depth + 1,
            &format!("{rest} = arith.subi {end}, {i} : index"),
        );
        self.line(
            depth + 1,
            &format!("{left} = arith.minsi {rest}, %c3 : index"),
        );
        let mut inner = buffers.to_vec();
        let mut panels = Vec::new();
        for _ in 0..self.rng.range(1, 3) {
            let size = self.name();
            let formula = *self.rng.pick(&[
                "arith.addi i, %c1",
                "arith.addi i, %c4",
                "arith.addi rest, %c1",
                "arith.muli left, i",
                "arith.muli left, left",
                "arith.maxsi rest, %c3",
                "arith.addi rest, %times",
            ]);
            let formula = formula.replace("left", &left).replace("rest", &rest);
            let formula = formula.replace(" i", &format!(" {i}"));
            self.line(depth + 1, &format!("{size} = {formula} : index"));
            let panel = self.name();
            let alignment = *self.rng.pick(&["", "", " {alignment = 64 : i64}"]);
            let ty = "memref<?xi64>";
            for line in [
                format!("{panel} = memref.alloc({size}){alignment} : {ty}"),
                format!("func.call @count({panel}, %number) : ({ty}, i64) -> ()"),
                format!("func.call @digest({panel}, {sum}) : ({ty}, memref<1xi64>) -> ()"),
            ] {
                self.line(depth + 1, &line);
            }
            panels.push(panel.clone());
            if self.rng.chance(50) {
                self.elementwise(&mut inner, depth + 1);
            }
            if !is_silent && self.rng.chance(50) {
                self.line(
                    depth + 1,
                    &format!("func.call @show({panel}) : ({ty}) -> ()"),
                );
            }
        }
        for panel in panels {
            // Until here, or freed before.
            if self.rng.chance(70) {
                let line = format!(
                    "func.call @digest({panel}, {sum}) : (memref<?xi64>, memref<1xi64>) -> ()"
                );
                self.line(depth + 1, &line);
            }
        }
        if !is_silent {
            self.show(&inner, depth + 1);
        }
        self.line(depth, "}");
        let cast = self.name();
        self.line(
            depth,
            &format!("{cast} = memref.cast {sum} : memref<1xi64> to memref<?xi64>"),
        );
        self.line(
            depth,
            &format!("func.call @show({cast}) : (memref<?xi64>) -> ()"),
        );
    }

    /// Every iteration has buffers of its own and writes one element of a common one.
    fn parallel(&mut self, buffers: &mut Vec<String>, depth: usize) {
        let (ty, out, i) = (self.ty.clone(), self.alloc(depth), self.name());
        self.line(
            depth,
            &format!("linalg.fill ins(%number : i64) outs({out} : {ty})"),
        );
        let end = self.name();
        self.line(depth, &format!("{end} = memref.dim {out}, %c0 : {ty}"));
        self.line(
            depth,
            &format!("scf.parallel ({i}) = (%c0) to ({end}) step (%c1) {{"),
        );
        let source = self.rng.pick(buffers).clone();
        let [a, b, x, y] = [(); 4].map(|()| self.name());
        let small = "memref<2xi64>";
        for line in [
            format!("{a} = memref.alloc() : {small}"),
            format!("{x} = memref.load {source}[{i}] : {ty}"),
            format!("linalg.fill ins({x} : i64) outs({a} : {small})"),
            format!("{b} = memref.alloc() : {small}"),
            format!("linalg.add ins({a}, {a} : {small}, {small}) outs({b} : {small})"),
            format!("{y} = memref.load {b}[%c1] : {small}"),
            format!("memref.store {y}, {out}[{i}] : {ty}"),
        ] {
            self.line(depth + 1, &line);
        }
        self.line(depth, "}");
        buffers.push(out);
    }

    /// The same function with one iteration less, unless there is none left.
    fn recursion(&mut self, depth: usize) {
        let [less, goes_on] = [(); 2].map(|()| self.name());
        self.line(
            depth,
            &format!("{goes_on} = arith.cmpi eq, %times, %c1 : index"),
        );
        self.line(depth, &format!("{less} = arith.subi %times, %c1 : index"));
        self.line(depth, &format!("scf.if {goes_on} {{"));
        // Its results are not used.
        self.call(depth + 1, self.function, &format!("%n, {less}, %q, %p"));
        self.line(depth, "}");
    }

    /// Matrices whose elements are in any order, each made of the one before.
    fn layouts(&mut self, depth: usize) {
        const LAYOUTS: [&str; 7] = [
            "",
            ", strided<[4, 1]>",
            ", strided<[1, 3]>",
            ", affine_map<(d0, d1) -> (d1, d0)>",
            // With holes, an offset or elements that share memory.
            ", strided<[5, 1]>",
            ", strided<[1, 3], offset: 2>",
            ", strided<[0, 1]>",
        ];
        // Of operations in parallel, each writes an element of its own.
        let types = [0, 1, 1].map(|shared| {
            let layout = self.rng.pick(&LAYOUTS[..LAYOUTS.len() - shared]);
            format!("memref<3x4xi64{layout}>")
        });
        let [a, b, c, i, j, x, y, z] = [(); 8].map(|()| self.name());
        let [sum, row, s, t, next] = [(); 5].map(|()| self.name());
        let step = |rng: &mut Rng, from: usize, input: &str, output: &str| {
            let (ty, out) = (&types[from], &types[from + 1]);
            match rng.below(3) {
                0 => format!("memref.copy {input}, {output} : {ty} to {out}"),
                1 => format!("linalg.copy ins({input} : {ty}) outs({output} : {out})"),
                _ => {
                    format!("linalg.add ins({input}, {input} : {ty}, {ty}) outs({output} : {out})")
                }
            }
        };
        let lines = [
            format!("{a} = memref.alloc() : {}", types[0]),
            format!("scf.for {i} = %c0 to %c3 step %c1 {{"),
            format!("  scf.for {j} = %c0 to %c4 step %c1 {{"),
            format!("    {x} = arith.muli {i}, %c4 : index"),
            format!("    {y} = arith.addi {x}, {j} : index"),
            format!("    {z} = arith.index_cast {y} : index to i64"),
            format!("    memref.store {z}, {a}[{i}, {j}] : {}", types[0]),
            "  }".into(),
            "}".into(),
            format!("{b} = memref.alloc() : {}", types[1]),
            step(&mut self.rng, 0, &a, &b),
            format!("{c} = memref.alloc() : {}", types[2]),
            step(&mut self.rng, 1, &b, &c),
            format!(
                "{sum} = scf.for {i} = %c0 to %c3 step %c1 iter_args({s} = %number) -> (i64) {{"
            ),
            format!("  {row} = scf.for {j} = %c0 to %c4 step %c1 iter_args({t} = {s}) -> (i64) {{"),
            format!("    {x} = memref.load {c}[{i}, {j}] : {}", types[2]),
            format!("    {y} = arith.muli {t}, %number : i64"),
            format!("    {next} = arith.addi {y}, {x} : i64"),
            format!("    scf.yield {next} : i64"),
            "  }".into(),
            format!("  scf.yield {row} : i64"),
            "}".into(),
            format!("func.call @printI64({sum}) : (i64) -> ()"),
            "func.call @printNewline() : () -> ()".into(),
        ];
        for line in lines {
            self.line(depth, &line);
        }
    }

    /// A buffer that is in use between others: empty, in another space, or looked at by its address; or several with
    /// layouts.
    fn oddity(&mut self, depth: usize) {
        if self.rng.chance(50) {
            return self.layouts(depth);
        }
        let [a, b, x, y, z, same] = [(); 6].map(|()| self.name());
        let lines = match self.rng.below(3) {
            0 => {
                self.text.push_str(&format!(
                    "{:1$}{a} = memref.alloc() : memref<0xi64>\n",
                    "",
                    2 * depth
                ));
                vec![
                    format!("{b} = memref.cast {a} : memref<0xi64> to memref<?xi64>"),
                    format!("func.call @show({b}) : (memref<?xi64>) -> ()"),
                ]
            }
            1 => vec![
                format!("{a} = memref.alloc() : memref<5xi64, 1>"),
                format!("memref.store %number, {a}[%c3] : memref<5xi64, 1>"),
                format!("{x} = memref.load {a}[%c3] : memref<5xi64, 1>"),
                format!("{b} = memref.alloc() : memref<4xi64, 1>"),
                format!("memref.store {x}, {b}[%c0] : memref<4xi64, 1>"),
                format!("{y} = memref.load {b}[%c0] : memref<4xi64, 1>"),
                format!("func.call @printI64({y}) : (i64) -> ()"),
                "func.call @printNewline() : () -> ()".into(),
            ],
            // Two buffers that are both in use are at different addresses.
            _ => vec![
                format!("{a} = memref.alloc() : memref<6xi64>"),
                format!(
                    "{x} = memref.extract_aligned_pointer_as_index {a} : memref<6xi64> -> index"
                ),
                format!("{b} = memref.alloc() : memref<6xi64>"),
                format!("linalg.fill ins(%number : i64) outs({b} : memref<6xi64>)"),
                format!(
                    "{y} = memref.extract_aligned_pointer_as_index {b} : memref<6xi64> -> index"
                ),
                format!("linalg.fill ins(%number : i64) outs({a} : memref<6xi64>)"),
                format!("{same} = arith.cmpi eq, {x}, {y} : index"),
                format!("{z} = arith.extui {same} : i1 to i64"),
                format!("func.call @printI64({z}) : (i64) -> ()"),
                "func.call @printNewline() : () -> ()".into(),
            ],
        };
        for line in lines {
            self.line(depth, &line);
        }
    }
}
