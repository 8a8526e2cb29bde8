//! Buffers that control flow hands on: loops that carry some, branches that yield new ones or old ones, with flags beside
//! them that say which, or do not; sizes that are computed inside of loops that may not run; functions that return what
//! they are given; frees with allocations of the same or of other sizes behind them.

use super::build::Gen;
use super::edges::View;
use super::types::{Dim, Elem, Mem, Ty};

/// How many times a loop runs at most.
const MOST_TRIPS: usize = 4;

/// What all of these buffers are.
#[derive(Clone)]
struct Kind {
    ty: String,
    elem: Elem,
    /// The size of those that are new outside of loops, if it is not part of the type.
    size: Option<String>,
    /// What is read goes there, so that everything shows.
    kept: String,
    /// Such a buffer that nobody may free.
    global: String,
    /// How the pick of two is called, with and without new ones.
    functions: Vec<String>,
}

impl Gen<'_> {
    /// Some statements on such buffers.
    pub(super) fn flowing_buffers(&mut self) {
        if self.parallel.is_some() || self.repeats > 4 {
            return;
        }
        self.buffers_flow = true;
        self.freeing_passes();
        let elem = *self.rng.pick(&[Elem::Int(32), Elem::Int(64), Elem::Int(8)]);
        let scalar = elem.text();
        let n = *self.rng.pick(&[2, 4, 3, 16]);
        let kept = self.numbered(&[4], elem);
        let fixed = format!("memref<{n}x{scalar}>");
        let contents = self.dense(&[n], elem);
        let name = self.own_global(&fixed, &contents);
        let mut global = self.fresh();
        self.line(format!("{global} = memref.get_global {name} : {fixed}"));
        let is_open = self.rng.chance(45);
        let mut kind = Kind {
            ty: fixed.clone(),
            elem,
            size: None,
            kept: kept.name,
            global: global.clone(),
            functions: Vec::new(),
        };
        if is_open {
            kind.ty = format!("memref<?x{scalar}>");
            let cast = self.fresh();
            self.line(format!(
                "{cast} = memref.cast {global} : {fixed} to {}",
                kind.ty
            ));
            global = cast;
            kind.global = global;
            kind.size = Some(match self.rng.chance(50) {
                true => self.number(n).name,
                false => {
                    // Known only to who adds it up.
                    let (a, b) = (self.opaque(n + 1).name, self.index(1).name);
                    let text = format!("arith.subi {a}, {b} : index");
                    self.define_index((n, n), text).name
                }
            });
        }
        if self.n_functions < 3 && self.rng.chance(40) {
            self.picking_function(&mut kind);
        }
        let mut buffers = vec![kind.global.clone()];
        for _ in 0..self.rng.range(1, 2) {
            let new = self.new_flowing(&kind);
            buffers.push(new);
        }
        let budget = self.rng.range(4, 9);
        self.flow(&kind, &mut buffers, budget, 0);
        self.read_flowing(&kind, &buffers);
    }

    /// Passes that free buffers, and those that look at what these leave behind.
    fn freeing_passes(&mut self) {
        const PASSES: [&[&str]; 7] = [
            &[
                "hlo-deallocate",
                "hlo-deallocation-simplification",
                "hlo-deallocation-to-scf",
            ],
            &["hlo-deallocation-pipeline"],
            &[
                "hlo-deallocation-pipeline",
                "reuse-loop-buffers{always=true}",
            ],
            &["buffer-deallocation-pipeline", "reuse-loop-buffers"],
            &[
                "buffer-deallocation-pipeline",
                "merge-alloc{never-grow=true}",
            ],
            &["buffer-deallocation-pipeline", "merge-alloc"],
            &[
                "buffer-deallocation-pipeline",
                "reserve-peak{least-bytes=0}",
            ],
        ];
        let chosen = *self.rng.pick(&PASSES);
        self.passes.extend(chosen);
    }

    /// A function that returns one of its arguments, another one or a new buffer.
    fn picking_function(&mut self, kind: &mut Kind) {
        self.n_functions += 1;
        let (number, ty) = (self.n_functions, &kind.ty);
        let way = self.rng.below(3);
        let (yes, no) = match way {
            0 => ("%a", "%b"),
            1 => ("%a", "%n"),
            _ => ("%n", "%n"),
        };
        let visibility = if self.rng.chance(70) { "private " } else { "" };
        let zero = "  %0 = arith.constant 0 : index\n";
        let new = match (yes == "%n" || no == "%n", kind.size.is_some()) {
            (false, _) => String::new(),
            (true, false) => format!("  %n = memref.alloc() : {ty}\n"),
            (true, true) => {
                format!("  %d = memref.dim %a, %0 : {ty}\n  %n = memref.alloc(%d) : {ty}\n")
            }
        };
        let copy = match new.is_empty() {
            true => String::new(),
            false => format!("  memref.copy %b, %n : {ty} to {ty}\n"),
        };
        let text = format!(
            "func.func {visibility}@f{number}(%a: {ty}, %b: {ty}, %c: i1) -> ({ty}, {ty}) {{\n\
             {zero}{new}{copy}  %r = arith.select %c, {yes}, {no} : {ty}\n  return %r, {} : {ty}, {ty}\n}}\n",
            *self.rng.pick(&["%b", "%r", "%a", no])
        );
        self.functions += &text;
        kind.functions.push(format!("@f{number}"));
    }

    fn view_of(kind: &Kind, name: &str) -> View {
        View {
            name: name.to_owned(),
            ty: kind.ty.clone(),
        }
    }

    /// A new buffer, all of which is written.
    fn new_flowing(&mut self, kind: &Kind) -> String {
        let size = kind.size.clone().unwrap_or_default();
        self.new_of_size(kind, &size)
    }

    fn new_of_size(&mut self, kind: &Kind, size: &str) -> String {
        let (name, ty, scalar) = (self.fresh(), &kind.ty, Ty::Scalar(kind.elem));
        self.line(format!("{name} = memref.alloc({size}) : {ty}"));
        let filler = self.value_of(&scalar);
        self.line(format!(
            "linalg.fill ins({filler} : {}) outs({name} : {ty})",
            scalar.text()
        ));
        if self.rng.chance(60) {
            let zero = self.index(0).name;
            let value = self.value_of(&scalar);
            self.store_to(&value, &Self::view_of(kind, &name), &[zero]);
        }
        name
    }

    /// What no pass knows.
    fn any_condition(&mut self) -> String {
        if self.rng.chance(15) {
            return self.value_of(&Ty::BOOL);
        }
        let number = self.rng.below(8) as i64;
        let x = match self.rng.chance(50) {
            true => self.any_index(),
            false => self.opaque(number).name,
        };
        let y = self.index(3).name;
        let text = format!("arith.cmpi slt, {x}, {y} : index");
        self.define(Ty::BOOL, text).name
    }

    /// Reads each of some buffers, so that it shows what they are and whether they are there.
    fn read_flowing(&mut self, kind: &Kind, buffers: &[String]) {
        let scalar = Ty::Scalar(kind.elem);
        let kept = View {
            name: kind.kept.clone(),
            ty: format!("memref<4x{}>", scalar.text()),
        };
        for name in buffers.iter().rev().take(4) {
            let zero = self.index(0).name;
            let at = self.subscript(4);
            let value = self.load_from(&Self::view_of(kind, name), kind.elem, &[zero]);
            let old = self.load_from(&kept, kind.elem, std::slice::from_ref(&at));
            let ty = scalar.text();
            let twice = self.define(scalar.clone(), format!("arith.addi {old}, {old} : {ty}"));
            let text = format!("arith.addi {}, {value} : {ty}", twice.name);
            let sum = self.define(scalar.clone(), text).name;
            self.store_to(&sum, &kept, &[at]);
        }
    }

    fn any_of(&mut self, buffers: &[String]) -> String {
        // The last ones more often.
        let first = match self.rng.chance(50) {
            true => buffers.len().saturating_sub(2),
            false => 0,
        };
        buffers[self.rng.range(first, buffers.len() - 1)].clone()
    }

    /// Statements; what they hand on comes to `buffers`.
    fn flow(&mut self, kind: &Kind, buffers: &mut Vec<String>, budget: usize, depth: usize) {
        for _ in 0..budget {
            match self.rng.below(12) {
                0 => {
                    let new = self.new_flowing(kind);
                    buffers.push(new);
                }
                1 | 2 => {
                    let one = self.any_of(buffers);
                    self.read_flowing(kind, &[one]);
                }
                3 => {
                    // A write shows under all names.
                    let one = self.any_of(buffers);
                    let (zero, value) = (self.index(0).name, self.value_of(&Ty::Scalar(kind.elem)));
                    self.store_to(&value, &Self::view_of(kind, &one), &[zero]);
                }
                4 => {
                    let (a, b, c) = (
                        self.any_of(buffers),
                        self.any_of(buffers),
                        self.any_condition(),
                    );
                    let name = self.fresh();
                    self.line(format!("{name} = arith.select {c}, {a}, {b} : {}", kind.ty));
                    buffers.push(name);
                }
                5 if !kind.functions.is_empty() => {
                    let callee = self.rng.pick(&kind.functions).clone();
                    let (a, b, c) = (
                        self.any_of(buffers),
                        self.any_of(buffers),
                        self.any_condition(),
                    );
                    let (name, ty) = (self.fresh(), &kind.ty);
                    self.line(format!(
                        "{name}:2 = func.call {callee}({a}, {b}, {c}) : ({ty}, {ty}, i1) -> ({ty}, {ty})"
                    ));
                    buffers.extend([format!("{name}#0"), format!("{name}#1")]);
                }
                5 => self.one_behind_another(kind),
                6 if depth < 3 => self.flow_if(kind, buffers, depth),
                7 if depth < 2 => self.flow_while(kind, buffers, depth),
                8 if depth < 2 => self.flagged(kind, buffers),
                _ if depth < 3 => self.flow_for(kind, buffers, depth),
                _ => {}
            }
        }
    }

    /// A branch on a condition or its opposite.
    fn flow_if(&mut self, kind: &Kind, buffers: &mut Vec<String>, depth: usize) {
        let mut condition = self.any_condition();
        if self.rng.chance(25) {
            let truth = self.define(Ty::BOOL, "arith.constant true").name;
            let text = format!("arith.xori {condition}, {truth} : i1");
            condition = self.define(Ty::BOOL, text).name;
        }
        let n = self.rng.range(1, 2);
        let (name, types) = (self.fresh(), vec![kind.ty.as_str(); n].join(", "));
        self.line(format!("{name}:{n} = scf.if {condition} -> ({types}) {{"));
        for way in [true, false] {
            self.scope(|g| {
                let mut inner = buffers.clone();
                let budget = g.rng.below(3);
                g.flow(kind, &mut inner, budget, depth + 1);
                let mut yielded = Vec::new();
                for _ in 0..n {
                    let one = match g.rng.chance(40) {
                        true => g.new_flowing(kind),
                        false => g.any_of(&inner),
                    };
                    yielded.push(one);
                }
                g.line(format!("scf.yield {} : {types}", yielded.join(", ")));
            });
            self.line(if way { "} else {" } else { "}" });
        }
        buffers.extend((0..n).map(|at| format!("{name}#{at}")));
    }

    /// A loop that carries some buffers, and often makes one of each iteration; or it does not run.
    fn flow_for(&mut self, kind: &Kind, buffers: &mut Vec<String>, depth: usize) {
        let n = self.rng.range(1, 3);
        let trips = self.rng.below(MOST_TRIPS) as i64;
        let inits: Vec<String> = (0..n)
            .map(|_| match self.rng.chance(40) {
                true => self.new_flowing(kind),
                false => self.any_of(buffers),
            })
            .collect();
        let types = vec![kind.ty.as_str(); n].join(", ");
        let (name, counter) = (self.fresh(), self.fresh());
        let carried: Vec<String> = (0..n).map(|_| self.fresh()).collect();
        let pairs: Vec<String> = (carried.iter().zip(&inits))
            .map(|(a, b)| format!("{a} = {b}"))
            .collect();
        // One of a size that is good only where the loop runs.
        let trusts = kind.size.is_some() && self.rng.chance(40);
        let end = self.opaque(trips).name;
        let from = self.index(0).name;
        let one = self.index(1).name;
        self.line(format!(
            "{name}:{n} = scf.for {counter} = {from} to {end} step {one} iter_args({}) -> ({types}) {{",
            pairs.join(", ")
        ));
        let before = self.repeats;
        self.repeats *= MOST_TRIPS as i64;
        self.scope(|g| {
            g.counter(&counter, (0, trips.max(1) - 1), false);
            let mut inner = [buffers.as_slice(), &carried].concat();
            if trusts {
                let by = g.index(trips.max(1) - 1).name;
                let (less, size) = (g.fresh(), g.fresh());
                let base = kind.size.clone().unwrap_or_default();
                // As many more as iterations are left, and without one, fewer than none.
                let far = g.index(if trips == 0 { 40 } else { 0 }).name;
                g.line(format!("{less} = arith.subi {base}, {far} : index"));
                g.line(format!("{size} = arith.addi {less}, {by} : index"));
                let new = g.new_of_size(kind, &size);
                g.read_flowing(kind, std::slice::from_ref(&new));
                // Functions copy between buffers of one size.
                if kind.functions.is_empty() {
                    inner.push(new);
                }
            }
            let budget = g.rng.below(4);
            g.flow(kind, &mut inner, budget, depth + 1);
            let mut yielded = Vec::new();
            for (at, same) in carried.iter().enumerate() {
                let one = match g.rng.below(5) {
                    0 | 1 => {
                        let new = g.new_flowing(kind);
                        // Made of what the last one left.
                        if kind.size.is_none() && g.rng.chance(50) {
                            g.read_flowing(kind, std::slice::from_ref(same));
                            let ty = &kind.ty;
                            g.line(format!("memref.copy {same}, {new} : {ty} to {ty}"));
                        }
                        new
                    }
                    2 => carried[(at + 1) % n].clone(),
                    3 => same.clone(),
                    _ => g.any_of(&inner),
                };
                yielded.push(one);
            }
            g.line(format!("scf.yield {} : {types}", yielded.join(", ")));
        });
        self.repeats = before;
        self.line("}");
        buffers.extend((0..n).map(|at| format!("{name}#{at}")));
    }

    /// The same with a condition that is computed in front, and buffers that are made there.
    fn flow_while(&mut self, kind: &Kind, buffers: &mut Vec<String>, depth: usize) {
        let trips = self.rng.below(MOST_TRIPS) as i64;
        let (from, end, one) = (
            self.index(0).name,
            self.opaque(trips).name,
            self.index(1).name,
        );
        let init = match self.rng.chance(50) {
            true => self.new_flowing(kind),
            false => self.any_of(buffers),
        };
        let [name, x, a, c, y, b, next] = [(); 7].map(|()| self.fresh());
        let ty = &kind.ty;
        self.line(format!(
            "{name}:2 = scf.while ({x} = {from}, {a} = {init}) : (index, {ty}) -> (index, {ty}) {{"
        ));
        let before = self.repeats;
        self.repeats *= MOST_TRIPS as i64;
        let outer = buffers.clone();
        self.scope(|g| {
            g.counter(&x, (0, trips), false);
            let mut inner = [outer.as_slice(), std::slice::from_ref(&a)].concat();
            let budget = g.rng.below(3);
            g.flow(kind, &mut inner, budget, depth + 1);
            let handed = match g.rng.below(4) {
                0 => g.new_flowing(kind),
                1 => g.any_of(&inner),
                _ => a.clone(),
            };
            g.line(format!("{c} = arith.cmpi slt, {x}, {end} : index"));
            g.line(format!("scf.condition({c}) {x}, {handed} : index, {ty}"));
        });
        self.line("} do {");
        self.line(format!("^bb0({y}: index, {b}: {ty}):"));
        self.scope(|g| {
            g.counter(&y, (0, trips), false);
            let mut inner = [outer.as_slice(), std::slice::from_ref(&b)].concat();
            let budget = g.rng.below(3);
            g.flow(kind, &mut inner, budget, depth + 1);
            let handed = match g.rng.below(3) {
                0 => g.new_flowing(kind),
                1 => g.any_of(&inner),
                _ => b.clone(),
            };
            g.line(format!("{next} = arith.addi {y}, {one} : index"));
            g.line(format!("scf.yield {next}, {handed} : index, {ty}"));
        });
        self.repeats = before;
        self.line("}");
        buffers.push(format!("{name}#1"));
    }

    /// A new buffer where a condition holds and one that is no one's where not, or the other way round.
    fn new_if(&mut self, kind: &Kind, condition: &str, is_new: bool) -> String {
        let (name, ty) = (self.fresh(), kind.ty.clone());
        self.line(format!("{name} = scf.if {condition} -> ({ty}) {{"));
        for way in [true, false] {
            self.scope(|g| {
                let yielded = match way == is_new {
                    true => g.new_flowing(kind),
                    false => kind.global.clone(),
                };
                g.line(format!("scf.yield {yielded} : {ty}"));
            });
            self.line(if way { "} else {" } else { "}" });
        }
        name
    }

    /// A loop with a buffer and a flag beside it: the flag says whether it is new, or not, or something else.
    fn flagged(&mut self, kind: &Kind, buffers: &mut Vec<String>) {
        let trips = self.rng.range(1, 3) as i64;
        let truth = self.define(Ty::BOOL, "arith.constant true").name;
        // Whether a flag that holds means a new one, in the same sense or not at both places.
        let senses = match self.rng.chance(60) {
            true => [self.rng.chance(50); 2],
            false => [true, false],
        };
        let pair = |g: &mut Self, sense: bool| {
            let condition = g.any_condition();
            let is_new = g.rng.chance(50);
            let buffer = g.new_if(kind, &condition, is_new);
            let flag = match is_new == sense {
                true => condition,
                false => {
                    let text = format!("arith.xori {condition}, {truth} : i1");
                    g.define(Ty::BOOL, text).name
                }
            };
            (buffer, flag)
        };
        let (init, flag) = pair(self, senses[0]);
        let (from, end, one) = (
            self.index(0).name,
            self.opaque(trips).name,
            self.index(1).name,
        );
        let [name, counter, carried, beside] = [(); 4].map(|()| self.fresh());
        let ty = &kind.ty;
        self.line(format!(
            "{name}:2 = scf.for {counter} = {from} to {end} step {one} iter_args({carried} = {init}, {beside} = {flag}) -> ({ty}, i1) {{"
        ));
        self.scope(|g| {
            g.counter(&counter, (0, trips - 1), false);
            g.read_flowing(kind, std::slice::from_ref(&carried));
            if g.rng.chance(30) {
                // What is owned goes on, and the flag with it.
                let (next, ty) = (g.fresh(), &kind.ty);
                g.line(format!("{next} = scf.if {beside} -> ({ty}) {{"));
                g.line(format!("  scf.yield {carried} : {ty}"));
                g.line("} else {");
                g.scope(|g| {
                    let new = match g.rng.chance(50) {
                        true => g.new_flowing(kind),
                        false => kind.global.clone(),
                    };
                    g.line(format!("scf.yield {new} : {ty}"));
                });
                g.line("}");
                g.line(format!("scf.yield {next}, {beside} : {ty}, i1"));
            } else {
                let (next, flag) = pair(g, senses[1]);
                let (next, flag) = match g.rng.chance(80) {
                    true => (next, flag),
                    false => (carried.clone(), flag),
                };
                g.line(format!("scf.yield {next}, {flag} : {}, i1", kind.ty));
            }
        });
        self.line("}");
        buffers.push(format!("{name}#0"));
        let flag = self.value(format!("{name}#1"), Ty::BOOL);
        self.values.push(flag);
    }

    /// Buffers each of which ends before the next one begins, of one size or several, around one that stays.
    fn one_behind_another(&mut self, kind: &Kind) {
        let elem = kind.elem;
        let (ty, scalar) = (format!("memref<?x{}>", elem.text()), Ty::Scalar(elem));
        let sizes: Vec<String> = (0..2)
            .map(|_| {
                let size = self.rng.range(1, 20) as i64;
                self.opaque(size).name
            })
            .collect();
        let kept = View {
            name: kind.kept.clone(),
            ty: format!("memref<4x{}>", elem.text()),
        };
        let mut stays: Option<View> = None;
        for _ in 0..self.rng.range(2, 4) {
            let is_open = self.rng.chance(70);
            let view = match is_open {
                true => View {
                    name: self.fresh(),
                    ty: ty.clone(),
                },
                false => {
                    let mem = Mem::new(vec![Dim::fixed(8)], elem);
                    View {
                        name: self.fresh(),
                        ty: Ty::MemRef(mem).text(),
                    }
                }
            };
            let size = match is_open {
                true => self.rng.pick(&sizes).clone(),
                false => String::new(),
            };
            self.line(format!(
                "{} = memref.alloc({size}) : {}",
                view.name, view.ty
            ));
            let value = self.value_of(&scalar);
            self.line(format!(
                "linalg.fill ins({value} : {}) outs({} : {})",
                scalar.text(),
                view.name,
                view.ty
            ));
            // The last element shows whether there is room.
            let (zero, one) = (self.index(0).name, self.index(1).name);
            let end = self.fresh();
            self.line(format!(
                "{end} = memref.dim {}, {zero} : {}",
                view.name, view.ty
            ));
            let last = self.define(Ty::INDEX, format!("arith.subi {end}, {one} : index"));
            let value = self.load_from(&view, elem, &[last.name]);
            self.store_to(&value, &kept, &[one]);
            if stays.is_none() && self.rng.chance(40) {
                stays = Some(view);
            }
        }
        if let Some(view) = stays {
            let (zero, two) = (self.index(0).name, self.index(2).name);
            let value = self.load_from(&view, elem, &[zero]);
            self.store_to(&value, &kept, &[two]);
        }
    }
}
