//! Operations around each other that patterns and analyses ask for, and almost: branches in branches, sums of constants,
//! halves of products, variables in blocks, buffers that are new on one way and a global on the other, tensors that are
//! read in between.

use super::build::{Gen, Value};
use super::edges::View;
use super::types::{Dim, Elem, Mem, Ty};

impl Gen<'_> {
    pub(super) fn small_edge(&mut self) {
        match self.rng.below(13) {
            10 => self.twin_blocks(),
            11 | 12 => self.not_entered(),
            0 => self.branch_in_branch(),
            1 => self.constants_added(),
            2 => self.half_of_product(),
            3 => self.narrow_loop(),
            4 => self.compared_again(),
            5 if self.parallel.is_none() => self.changed_slice(),
            6 if self.parallel.is_none() => self.tensor_edge(),
            7 if self.parallel.is_none() => self.tensor_edge(),
            _ => self.loaded_before(),
        }
    }

    /// A buffer that is new on one way and a global on the other, and branches on the same condition or its opposite.
    pub(super) fn new_or_global(&mut self) {
        let n = *self.rng.pick(&[4, 3, 8]);
        let elem = self.elem();
        let (scalar, mem) = (Ty::Scalar(elem), Mem::new(vec![Dim::fixed(n)], elem));
        let ty = Ty::MemRef(mem.clone()).text();
        let contents = self.dense(&[n], elem);
        let name = self.own_global(&ty, &contents);
        let global = self.fresh();
        self.line(format!("{global} = memref.get_global {name} : {ty}"));
        self.buffers_flow = true;
        let number = self.rng.below(8) as i64;
        let (x, y) = (self.opaque(number).name, self.index(3).name);
        let condition = self
            .define(Ty::BOOL, format!("arith.cmpi slt, {x}, {y} : index"))
            .name;
        let truth = self.define(Ty::BOOL, "arith.constant true").name;
        let mut conditions = vec![condition];
        for _ in 0..2 {
            let last = conditions[conditions.len() - 1].clone();
            let text = format!("arith.xori {last}, {truth} : i1");
            conditions.push(self.define(Ty::BOOL, text).name);
        }
        let mut last = global.clone();
        for round in 0..self.rng.range(2, 3) {
            let condition = conditions[self.rng.below(3)].clone();
            let result = self.fresh();
            let new_first = self.rng.chance(50);
            self.line(format!("{result} = scf.if {condition} -> ({ty}) {{"));
            for way in [true, false] {
                self.scope(|g| {
                    let yielded = match way == new_first {
                        true => {
                            let value = g.allocate(mem.clone(), true);
                            let filler = g.value_of(&scalar);
                            g.line(format!(
                                "linalg.fill ins({filler} : {}) outs({} : {ty})",
                                scalar.text(),
                                value.name
                            ));
                            value.name
                        }
                        false if round == 0 => global.clone(),
                        false => last.clone(),
                    };
                    g.line(format!("scf.yield {yielded} : {ty}"));
                });
                self.line(if way { "} else {" } else { "}" });
            }
            let view = View {
                name: result.clone(),
                ty: ty.clone(),
            };
            let at = self.subscript(n);
            self.load_from(&view, elem, std::slice::from_ref(&at));
            if self.rng.chance(40) {
                let value = self.value_of(&scalar);
                self.store_to(&value, &view, std::slice::from_ref(&at));
            }
            last = result;
        }
        // One that a loop hands on, with a flag beside it.
        if self.rng.chance(50) {
            let (result, carried, flag, counter) =
                (self.fresh(), self.fresh(), self.fresh(), self.fresh());
            let (zero, end, one) = (self.index(0).name, self.number(3).name, self.index(1).name);
            let init = conditions[self.rng.below(3)].clone();
            self.line(format!(
                "{result}:2 = scf.for {counter} = {zero} to {end} step {one} iter_args({carried} = {last}, {flag} = {init}) -> ({ty}, i1) {{"
            ));
            self.scope(|g| {
                let view = View {
                    name: carried.clone(),
                    ty: ty.clone(),
                };
                g.load_from(&view, elem, std::slice::from_ref(&zero));
                let (next, other) = (
                    g.fresh(),
                    g.define(Ty::BOOL, format!("arith.xori {flag}, {truth} : i1"))
                        .name,
                );
                g.line(format!("{next} = scf.if {flag} -> ({ty}) {{"));
                g.scope(|g| {
                    let value = g.allocate(mem.clone(), true);
                    let filler = g.value_of(&scalar);
                    g.line(format!(
                        "linalg.fill ins({filler} : {}) outs({} : {ty})",
                        scalar.text(),
                        value.name
                    ));
                    g.line(format!("scf.yield {} : {ty}", value.name));
                });
                g.line("} else {");
                g.line(format!("  scf.yield {carried} : {ty}"));
                g.line("}");
                let handed = if g.rng.chance(50) {
                    flag.clone()
                } else {
                    other
                };
                g.line(format!("scf.yield {next}, {handed} : {ty}, i1"));
            });
            self.line("}");
            let view = View {
                name: format!("{result}#0"),
                ty,
            };
            self.load_from(&view, elem, std::slice::from_ref(&zero));
        }
    }

    /// A variable of blocks, some of which read it before they write it.
    pub(super) fn variable(&mut self) {
        self.passes.insert("mem2reg");
        let elem = self.elem();
        let scalar = Ty::Scalar(elem);
        let text = scalar.text();
        let n = self.rng.range(2, 5) as i64;
        let init = self.value_of(&scalar);
        let (zero, end, one) = (self.index(0).name, self.number(n).name, self.index(1).name);
        let labels: Vec<String> = (0..5).map(|_| self.fresh().replace("%v", "^b")).collect();
        let (result, counter, next, goes_on) =
            (self.fresh(), self.fresh(), self.fresh(), self.fresh());
        self.line(format!("{result} = scf.execute_region -> {text} {{"));
        self.scope(|g| {
            let view = View {
                name: g.fresh(),
                ty: format!("memref<{text}>"),
            };
            g.line(format!("{} = memref.alloca() : {}", view.name, view.ty));
            g.store_to(&init, &view, &[]);
            g.line(format!("cf.br {}({zero} : index)", labels[0]));
            let uses = |g: &mut Self| {
                for _ in 0..g.rng.range(0, 3) {
                    let value = match g.rng.chance(50) {
                        true => g.load_from(&view, elem, &[]),
                        false => g.value_of(&scalar),
                    };
                    if g.rng.chance(60) {
                        let other = g.value_of(&scalar);
                        let value = g.combined(&value, &other, elem);
                        g.store_to(&value, &view, &[]);
                    }
                }
            };
            g.line(format!("{}({counter}: index):", labels[0]));
            g.scope(|g| {
                g.counter(&counter, (0, n), false);
                uses(g);
                let condition = g.value_of(&Ty::BOOL);
                g.line(format!(
                    "cf.cond_br {condition}, {}, {}",
                    labels[1], labels[2]
                ));
                for side in [1, 2] {
                    g.line(format!("{}:", labels[side]));
                    g.scope(uses);
                    g.line(format!("cf.br {}", labels[3]));
                }
                g.line(format!("{}:", labels[3]));
                uses(g);
                g.line(format!("{next} = arith.addi {counter}, {one} : index"));
                g.line(format!("{goes_on} = arith.cmpi slt, {next}, {end} : index"));
                g.line(format!(
                    "cf.cond_br {goes_on}, {}({next} : index), {}",
                    labels[0], labels[4]
                ));
                g.line(format!("{}:", labels[4]));
                let value = g.load_from(&view, elem, &[]);
                g.line(format!("scf.yield {value} : {text}"));
            });
        });
        self.line("}");
        let value = self.value(result, scalar);
        self.values.push(value);
    }

    /// A branch in a branch, with the same value on both other ways or two.
    fn branch_in_branch(&mut self) {
        let elem = self.elem();
        let scalar = Ty::Scalar(elem);
        let text = scalar.text();
        let conditions = [0, 1].map(|_| self.value_of(&Ty::BOOL));
        let values = [0, 1, 2].map(|_| self.value_of(&scalar));
        let last = &values[self.rng.range(1, 2)];
        let (outer, inner) = (self.fresh(), self.fresh());
        let [first, second] = conditions;
        self.line(format!("{outer} = scf.if {first} -> ({text}) {{"));
        self.line(format!("  {inner} = scf.if {second} -> ({text}) {{"));
        self.line(format!("    scf.yield {} : {text}", values[0]));
        self.line("  } else {");
        self.line(format!("    scf.yield {} : {text}", values[1]));
        self.line("  }");
        self.line(format!("  scf.yield {inner} : {text}"));
        self.line("} else {");
        self.line(format!("  scf.yield {last} : {text}"));
        self.line("}");
        let value = self.value(outer, scalar);
        self.values.push(value);
    }

    /// A number of which two constants are taken, or to which they are added, as far as that fits: promises hold.
    fn constants_added(&mut self) {
        let width = *self.rng.pick(&[8, 16, 32, 12]);
        let scalar = Ty::Scalar(Elem::Int(width));
        let ty = scalar.text();
        let (least, most) = (-(1i64 << (width - 1)), (1i64 << (width - 1)) - 1);
        let any = |g: &mut Self| match g.rng.chance(60) {
            true => least + g.rng.below((most - least + 1) as usize) as i64,
            false => g.rng.below(11) as i64 - 5,
        };
        let mut number = any(self);
        let memory = format!("memref<1x{ty}>");
        let name = self.own_global(&memory, &format!("dense<{number}>"));
        let view = View {
            name: self.fresh(),
            ty: memory,
        };
        self.line(format!(
            "{} = memref.get_global {name} : {}",
            view.name, view.ty
        ));
        let zero = self.index(0).name;
        let mut value = self.load_from(&view, Elem::Int(width), &[zero]);
        for _ in 0..self.rng.range(2, 3) {
            let by = any(self);
            let constant = self
                .define(scalar.clone(), format!("arith.constant {by} : {ty}"))
                .name;
            let (what, a, b, found) = match self.rng.below(4) {
                0 => ("addi", &value, &constant, number + by),
                1 => ("subi", &constant, &value, by - number),
                _ => ("subi", &value, &constant, number - by),
            };
            let fits = (least..=most).contains(&found);
            let promise = if fits && self.rng.chance(70) {
                " overflow<nsw>"
            } else {
                ""
            };
            let text = format!("arith.{what} {a}, {b}{promise} : {ty}");
            let shift = 64 - width;
            number = found << shift >> shift;
            value = self.define(scalar.clone(), text).name;
        }
    }

    /// The upper bits of a product of extended numbers, which may have lost some.
    fn half_of_product(&mut self) {
        let width = *self.rng.pick(&[8u32, 16, 32, 4]);
        let wide = match self.rng.chance(50) {
            true => 2 * width,
            false => self.rng.range(width as usize + 1, 2 * width as usize + 4) as u32,
        };
        let (narrow, wide) = (Ty::Scalar(Elem::Int(width)), Ty::Scalar(Elem::Int(wide)));
        let (from, to) = (narrow.text(), wide.text());
        let what = *self.rng.pick(&["extsi", "extui"]);
        let factors = [0, 1].map(|_| {
            let factor = self.value_of(&narrow);
            self.define(
                wide.clone(),
                format!("arith.{what} {factor} : {from} to {to}"),
            )
            .name
        });
        let product = self.define(
            wide.clone(),
            format!("arith.muli {}, {} : {to}", factors[0], factors[1]),
        );
        let by = self.define(wide.clone(), format!("arith.constant {width} : {to}"));
        let shift = *self.rng.pick(&["shrui", "shrui", "shrsi"]);
        let upper = self.define(
            wide,
            format!("arith.{shift} {}, {} : {to}", product.name, by.name),
        );
        self.define(
            narrow,
            format!("arith.trunci {} : {to} to {from}", upper.name),
        );
    }

    /// A loop over narrow numbers, whose upper bound may have wrapped around.
    fn narrow_loop(&mut self) {
        let (ty, sum) = ("i8", Ty::Scalar(Elem::Int(32)));
        let number = self.rng.range(30, 63) as i64;
        let low = self.opaque(number).name;
        let low = self.define(
            Ty::Scalar(Elem::Int(8)),
            format!("arith.index_cast {low} : index to {ty}"),
        );
        let by = *self.rng.pick(&[70, 90, 100, 3, 1]);
        // Where the loop runs, its counter must not pass the greatest number.
        let wraps = number + by > 127;
        let step = *self
            .rng
            .pick(if wraps { &[100, 127, 2] } else { &[1, 2, 3] });
        let [by, step] = [by, step].map(|number| {
            self.define(
                Ty::Scalar(Elem::Int(8)),
                format!("arith.constant {number} : {ty}"),
            )
            .name
        });
        let high = self.define(
            Ty::Scalar(Elem::Int(8)),
            format!("arith.addi {}, {by} : {ty}", low.name),
        );
        let (init, result, old, counter, wide, new) = (
            self.value_of(&sum),
            self.fresh(),
            self.fresh(),
            self.fresh(),
            self.fresh(),
            self.fresh(),
        );
        self.line(format!(
            "{result} = scf.for {counter} = {} to {} step {step} iter_args({old} = {init}) -> (i32) : {ty} {{",
            low.name, high.name
        ));
        self.line(format!("  {wide} = arith.extsi {counter} : {ty} to i32"));
        self.line(format!("  {new} = arith.xori {old}, {wide} : i32"));
        self.line(format!("  scf.yield {new} : i32"));
        self.line("}");
        let value = self.value(result, sum);
        self.values.push(value);
    }

    /// A number that is loaded before its place is written, and that one branch alone needs, or the same place again.
    fn loaded_before(&mut self) {
        let Some(buffer) = self.writable(0).filter(|buffer| self.can_read(buffer)) else {
            return;
        };
        let Some(mem) = buffer.ty.as_mem().cloned() else {
            return;
        };
        let sizes: Vec<i64> = mem.dims.iter().map(|dim| dim.size).collect();
        let at = self.subscripts(&sizes);
        let scalar = Ty::Scalar(mem.elem);
        let text = scalar.text();
        let loaded = |g: &mut Self, buffer: &Value| {
            g.load_at(buffer, &at);
            g.last_name()
        };
        self.passes.insert("control-flow-sink");
        let old = loaded(self, &buffer);
        let new = self.value_of(&scalar);
        if self.rng.chance(30) {
            // A store that not every way comes to.
            let condition = self.value_of(&Ty::BOOL);
            self.line(format!("scf.if {condition} {{"));
            self.scope(|g| g.store_at(&new, &buffer, &at));
            self.line("}");
        } else {
            self.store_at(&new, &buffer, &at);
        }
        if self.rng.chance(50) {
            let again = loaded(self, &buffer);
            self.combined(&old, &again, mem.elem);
            return;
        }
        let condition = self.value_of(&Ty::BOOL);
        let result = self.fresh();
        self.line(format!("{result} = scf.if {condition} -> ({text}) {{"));
        self.scope(|g| {
            let other = g.value_of(&scalar);
            let value = g.combined(&old, &other, mem.elem);
            g.line(format!("scf.yield {value} : {text}"));
        });
        self.line("} else {");
        self.line(format!("  scf.yield {new} : {text}"));
        self.line("}");
        let value = self.value(result, scalar);
        self.values.push(value);
    }

    /// Two blocks, or branches, with the same operations but for an attribute, or with nothing else.
    fn twin_blocks(&mut self) {
        let ty = Ty::Scalar(Elem::Int(*self.rng.pick(&[8, 32, 64])));
        let text = ty.text();
        let (x, y, condition) = (
            self.value_of(&ty),
            self.value_of(&ty),
            self.value_of(&Ty::BOOL),
        );
        let predicates = ["slt", "sge", "ult", "eq"];
        let [first, mut second] =
            [(); 2].map(|()| (*self.rng.pick(&predicates), self.rng.below(4)));
        if self.rng.chance(30) {
            second = first;
        }
        let result = self.fresh();
        let is_region = self.rng.chance(70);
        let labels: Vec<String> = (0..3).map(|_| self.fresh().replace("%v", "^b")).collect();
        self.line(match is_region {
            true => format!("{result} = scf.execute_region -> {text} {{"),
            false => format!("{result} = scf.if {condition} -> ({text}) {{"),
        });
        self.scope(|g| {
            if is_region {
                g.line(format!(
                    "cf.cond_br {condition}, {}, {}",
                    labels[0], labels[1]
                ));
            }
            for (at, (predicate, number)) in [first, second].into_iter().enumerate() {
                match (is_region, at) {
                    (true, _) => g.line(format!("{}:", labels[at])),
                    (false, 0) => {}
                    (false, _) => g.line("} else {"),
                }
                let [c, k, chosen] = [(); 3].map(|()| g.fresh());
                g.line(format!("{c} = arith.cmpi {predicate}, {x}, {y} : {text}"));
                g.line(format!("{k} = arith.constant {number} : {text}"));
                g.line(format!("{chosen} = arith.select {c}, {k}, {x} : {text}"));
                g.line(match is_region {
                    true => format!("cf.br {}({chosen} : {text})", labels[2]),
                    false => format!("scf.yield {chosen} : {text}"),
                });
            }
            if is_region {
                let last = g.fresh();
                g.line(format!("{}({last}: {text}):", labels[2]));
                g.line(format!("scf.yield {last} : {text}"));
            }
        });
        self.line("}");
        let value = self.value(result, ty);
        self.values.push(value);
    }

    /// A loop or a branch that is not entered, with what must not run without it: a division by zero, an element that
    /// is not there; or what does run, and stores of what is loaded there.
    fn not_entered(&mut self) {
        let Some(buffer) = self.writable(1).filter(|buffer| self.can_read(buffer)) else {
            return;
        };
        let Some(mem) = buffer.ty.as_mem().cloned() else {
            return;
        };
        const PASSES: [&str; 3] = [
            "loop-invariant-code-motion",
            "control-flow-sink",
            "hoist-loop-loads",
        ];
        let pass = *self.rng.pick(&PASSES);
        self.passes.insert(pass);
        let runs = self.rng.chance(40);
        let trips = if runs { self.rng.range(1, 3) as i64 } else { 0 };
        // What is good where the loop runs, and what never is.
        let divisor = self.opaque(if runs { 3 } else { 0 }).name;
        let far = self.opaque(63).name;
        let (zero, end, one) = (
            self.index(0).name,
            self.opaque(trips).name,
            self.index(1).name,
        );
        let counter = self.fresh();
        let sizes: Vec<i64> = mem.dims.iter().map(|dim| dim.size).collect();
        let at = self.subscripts(&sizes);
        let mut beyond = at.clone();
        if !runs && let Some(first) = beyond.first_mut() {
            *first = far;
        }
        let is_loop = self.rng.chance(70);
        if is_loop {
            self.line(format!("scf.for {counter} = {zero} to {end} step {one} {{"));
        } else {
            let condition = self.fresh();
            self.line(format!(
                "{condition} = arith.cmpi sgt, {end}, {zero} : index"
            ));
            self.line(format!("scf.if {condition} {{"));
        }
        self.scope(|g| {
            let scalar = Ty::Scalar(mem.elem);
            let what = *g.rng.pick(&["divsi", "remui", "divui", "ceildivsi"]);
            let quotient = g.define(Ty::INDEX, format!("arith.{what} {one}, {divisor} : index"));
            g.load_at(&buffer, &beyond);
            let loaded = g.last_name();
            let value = match mem.elem {
                Elem::Complex(_) => loaded,
                elem => {
                    let number = g.number_of(&quotient.name, elem);
                    match elem {
                        Elem::Int(1) => {
                            let text = format!("arith.xori {loaded}, {number} : i1");
                            g.define(scalar, text).name
                        }
                        elem => g.combined(&loaded, &number, elem),
                    }
                }
            };
            g.store_at(&value, &buffer, &at);
        });
        self.line("}");
    }

    /// A loop whose condition compares what its body compares again, with the same number or another one.
    fn compared_again(&mut self) {
        self.passes.insert("remove-dead-values");
        let n = self.rng.range(1, 6) as i64;
        let (from, end) = (self.opaque(0).name, self.opaque(n).name);
        let other = match self.rng.chance(40) {
            true => end.clone(),
            false => {
                let number = self.rng.below(6) as i64;
                self.opaque(number).name
            }
        };
        let one = self.index(1).name;
        let predicate = *self.rng.pick(&["slt", "ult", "ne"]);
        let again = *self.rng.pick(&["slt", "sge", "ult", "uge", "eq"]);
        let names: Vec<String> = (0..8).map(|_| self.fresh()).collect();
        let [result, x, c, y, d, z, w, next] = &names[..] else {
            return;
        };
        let init = self.value_of(&Ty::INDEX);
        let old = self.fresh();
        let (kept, carried) = (self.fresh(), self.fresh());
        self.line(format!(
            "{result}:2 = scf.while ({x} = {from}, {old} = {init}) : (index, index) -> (index, index) {{"
        ));
        self.line(format!(
            "  {c} = arith.cmpi {predicate}, {x}, {end} : index"
        ));
        self.line(format!("  scf.condition({c}) {x}, {old} : index, index"));
        self.line("} do {");
        self.line(format!("^bb0({y}: index, {carried}: index):"));
        self.line(format!("  {d} = arith.cmpi {again}, {y}, {other} : index"));
        self.line(format!("  {z} = arith.addi {carried}, {y} : index"));
        self.line(format!("  {w} = arith.select {d}, {z}, {carried} : index"));
        self.line(format!("  {kept} = arith.addi {w}, {one} : index"));
        self.line(format!("  {next} = arith.addi {y}, {one} : index"));
        self.line(format!("  scf.yield {next}, {kept} : index, index"));
        self.line("}");
        let value = self.value(format!("{result}#1"), Ty::INDEX);
        self.values.push(value);
    }

    /// An operation of linalg on tensors of one dimension with the number of the output in it.
    fn changed(&mut self, input: &str, output: &str, ty: &Ty) -> String {
        let (text, elem) = (ty.text(), ty.elem());
        let scalar = Ty::Scalar(elem).text();
        let [result, a, b] = [0, 1, 2].map(|_| self.fresh());
        self.line(format!(
            "{result} = linalg.generic {{indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], \
             iterator_types = [\"parallel\"]}} ins({input} : {text}) outs({output} : {text}) {{"
        ));
        self.scope(|g| {
            g.line(format!("^bb0({a} : {scalar}, {b} : {scalar}):"));
            let new = g.combined(&a, &b, elem);
            g.line(format!("linalg.yield {new} : {scalar}"));
        });
        self.line(format!("}} -> {text}"));
        let value = self.value(result.clone(), ty.clone());
        self.values.push(value);
        result
    }

    /// A slice that is changed twice and put back, with others that read what was in between.
    fn changed_slice(&mut self) {
        let (n, k) = (*self.rng.pick(&[8, 12, 9]), *self.rng.pick(&[4, 3, 1]));
        let elem = self.elem();
        let whole = Ty::Tensor(vec![Dim::fixed(n)], elem);
        let part = Ty::Tensor(vec![Dim::fixed(k)], elem);
        let (tensor, at) = (self.value_of(&whole), self.rng.below((n - k + 1) as usize));
        let (text, part_text) = (whole.text(), part.text());
        let slice = self
            .define(
                part.clone(),
                format!("tensor.extract_slice {tensor}[{at}] [{k}] [1] : {text} to {part_text}"),
            )
            .name;
        let input = self.value_of(&part);
        let first = self.changed(&input, &slice, &part);
        let second = self.changed(&input, &first, &part);
        let reads = self.rng.below(4);
        let read = |g: &mut Self| {
            let zero = g.index(0).name;
            let from = if g.rng.chance(70) { &first } else { &slice };
            g.define(
                Ty::Scalar(elem),
                format!("tensor.extract {from}[{zero}] : {part_text}"),
            );
        };
        if reads == 0 {
            read(self);
        }
        self.define(
            whole,
            format!("tensor.insert_slice {second} into {tensor}[{at}] [{k}] [1] : {part_text} into {text}"),
        );
        if reads == 1 {
            read(self);
        }
        if reads == 2 {
            self.changed(&input, &first, &part);
        }
    }

    /// Operations that fuse but for what they read of their outputs; parts of a tensor that a slice was put into, at its
    /// borders.
    fn tensor_edge(&mut self) {
        let elem = self.elem();
        let n = *self.rng.pick(&[4, 5, 8]);
        let row = Ty::Tensor(vec![Dim::fixed(n)], elem);
        if self.rng.chance(40) {
            let [x, out, other] = [0, 1, 2].map(|_| self.value_of(&row));
            let first = self.changed(&x, &out, &row);
            self.changed(&first, &other, &row);
            if self.rng.chance(30) {
                self.changed(&other, &first, &row);
            }
            return;
        }
        let rows = self.rng.range(3, 6) as i64;
        let (k, text) = (self.rng.range(1, 2) as i64, row.text());
        let at = self.rng.below((rows - k + 1) as usize) as i64;
        let whole = Ty::Tensor(vec![Dim::fixed(rows), Dim::fixed(n)], elem);
        let part = Ty::Tensor(vec![Dim::fixed(k), Dim::fixed(n)], elem);
        let (tensor, slice) = (self.value_of(&whole), self.value_of(&part));
        let put = self.define(
            whole.clone(),
            format!(
                "tensor.insert_slice {slice} into {tensor}[{at}, 0] [{k}, {n}] [1, 1] : {} into {}",
                part.text(),
                whole.text()
            ),
        );
        let read = *self.rng.pick(&[at - 1, at, at + k - 1, at + k]);
        let read = read.clamp(0, rows - 1);
        let out = self.value_of(&row);
        let scalar = Ty::Scalar(elem).text();
        let [result, a, b] = [0, 1, 2].map(|_| self.fresh());
        self.line(format!(
            "{result} = linalg.generic {{indexing_maps = [affine_map<(d0) -> ({read}, d0)>, affine_map<(d0) -> (d0)>], \
             iterator_types = [\"parallel\"]}} ins({} : {}) outs({out} : {text}) {{",
            put.name,
            whole.text()
        ));
        self.scope(|g| {
            g.line(format!("^bb0({a} : {scalar}, {b} : {scalar}):"));
            let new = g.combined(&a, &a, elem);
            g.line(format!("linalg.yield {new} : {scalar}"));
        });
        self.line(format!("}} -> {text}"));
        let value = self.value(result, row);
        self.values.push(value);
    }
}
