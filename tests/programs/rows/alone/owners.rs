//! Buffers that control flow hands on: conditions and their opposites that say who owns one, flags beside them, what a
//! region yields under a condition of its own, owners of which some own nothing, loops that hand buffers round, and
//! several that a function returns.

use super::Text;

struct Kind {
    ty: String,
    /// The sizes of new ones.
    size: String,
    other_size: String,
    global: String,
    kept: String,
    n: i64,
}

impl Text {
    /// Some statements on buffers of one type.
    pub(super) fn owned_buffers(&mut self) {
        self.buffers_flow = true;
        let n = *self.rng.pick(&[2, 4, 3]);
        let is_open = self.rng.chance(40);
        self.globals +=
            &format!("memref.global \"private\" @shared : memref<{n}xi32> = dense<5>\n");
        let kept = self.numbered(8, "i32");
        let fixed = format!("memref<{n}xi32>");
        let mut global = self.def(format!("memref.get_global @shared : {fixed}"));
        let ty = if is_open {
            "memref<?xi32>".to_owned()
        } else {
            fixed.clone()
        };
        let (mut size, mut other_size) = (String::new(), String::new());
        if is_open {
            global = self.def(format!("memref.cast {global} : {fixed} to {ty}"));
            size = self.opaque(n);
            other_size = self.opaque(n + 3);
        }
        let kind = Kind {
            ty,
            size,
            other_size,
            global,
            kept,
            n,
        };
        for _ in 0..self.rng.range(1, 2) {
            match self.rng.below(7) {
                0 | 1 => self.conditions(&kind),
                2 => self.flags(&kind),
                3 => self.yielded_under_conditions(&kind),
                4 => self.handed_round(&kind),
                5 => self.returned(&kind),
                _ => self.one_after_another(&kind),
            }
        }
        self.results
            .push((kind.kept.clone(), "memref<8xi32>".to_owned()));
        const PIPELINES: [&str; 9] = [
            "hlo-deallocation-pipeline",
            "hlo-deallocate,hlo-deallocation-simplification,hlo-deallocation-to-scf",
            "buffer-deallocation-pipeline{borrowed-results=true}",
            "buffer-deallocation-pipeline{borrowed-results=true},reuse-loop-buffers{always=true}",
            "buffer-deallocation-pipeline{borrowed-results=true},merge-alloc",
            "buffer-deallocation-pipeline{borrowed-results=true},merge-alloc{never-grow=true}",
            "hlo-deallocation-pipeline,reuse-loop-buffers{always=true}",
            "hlo-deallocation-pipeline,use-workspace",
            "buffer-deallocation-pipeline{borrowed-results=true private-function-dynamic-ownership=true}",
        ];
        for _ in 0..3 {
            self.pipelines.push((*self.rng.pick(&PIPELINES)).to_owned());
        }
    }

    fn new_buffer(&mut self, kind: &Kind) -> String {
        let ty = &kind.ty;
        let name = self.def(format!("memref.alloc({}) : {ty}", kind.size));
        let number = self.rng.range(1, 90);
        let value = self.def(format!("arith.constant {number} : i32"));
        self.line(format!(
            "linalg.fill ins({value} : i32) outs({name} : {ty})"
        ));
        name
    }

    /// One that is new, or one that is there, as a word says.
    fn some_buffer(&mut self, kind: &Kind, there: &[&str]) -> String {
        match self.rng.chance(50) || there.is_empty() {
            true => self.new_buffer(kind),
            false => (*self.rng.pick(there)).to_owned(),
        }
    }

    /// Adds an element of a buffer to what is kept.
    fn read_owned(&mut self, kind: &Kind, name: &str) {
        let (at, last) = (
            self.rng.below(8) as i64,
            self.rng.below(kind.n as usize) as i64,
        );
        let (at, last, three) = (
            self.index(at),
            self.index(last),
            self.def("arith.constant 3 : i32"),
        );
        let x = self.def(format!("memref.load {name}[{last}] : {}", kind.ty));
        let old = self.def(format!("memref.load {}[{at}] : memref<8xi32>", kind.kept));
        let more = self.def(format!("arith.muli {old}, {three} : i32"));
        let sum = self.def(format!("arith.addi {more}, {x} : i32"));
        self.line(format!(
            "memref.store {sum}, {}[{at}] : memref<8xi32>",
            kind.kept
        ));
    }

    /// A truth, or the opposite of one.
    fn chosen_truth(&mut self) -> String {
        let number = self.rng.below(9) as i64;
        let (x, y) = (self.opaque(number), self.index(4));
        self.def(format!("arith.cmpi slt, {x}, {y} : index"))
    }

    fn opposite(&mut self, c: &str) -> String {
        let truth = self.def("arith.constant true");
        self.def(format!("arith.xori {c}, {truth} : i1"))
    }

    fn branch(
        &mut self,
        kind: &Kind,
        c: &str,
        ways: [&mut dyn FnMut(&mut Self) -> String; 2],
    ) -> String {
        let number = self.fresh();
        let name = format!("%w{}", &number[1..]);
        self.line(format!("{name} = scf.if {c} -> ({}) {{", kind.ty));
        for (at, way) in ways.into_iter().enumerate() {
            self.inside(|t| {
                let yielded = way(t);
                t.line(format!("scf.yield {yielded} : {}", kind.ty));
            });
            self.line(if at == 0 { "} else {" } else { "}" });
        }
        name
    }

    /// A new buffer in one of both cases, and in the other one that nobody owns.
    fn new_or_global(&mut self, kind: &Kind, c: &str, is_new: bool) -> String {
        let buffer = |t: &mut Self, is_new| match is_new {
            true => t.new_buffer(kind),
            false => kind.global.clone(),
        };
        self.branch(
            kind,
            c,
            [&mut |t| buffer(t, is_new), &mut |t| buffer(t, !is_new)],
        )
    }

    /// Branches on a condition or its opposite, behind one that decides whether a buffer is new.
    fn conditions(&mut self, kind: &Kind) {
        let c = self.chosen_truth();
        let d = self.opposite(&c);
        let any = |t: &mut Self| {
            if t.rng.chance(50) {
                c.clone()
            } else {
                d.clone()
            }
        };
        let first = any(self);
        let is_new = self.rng.chance(50);
        let mut there = self.new_or_global(kind, &first, is_new);
        for _ in 0..self.rng.range(1, 2) {
            let again = any(self);
            let before = there.clone();
            let moves = self.rng.below(4);
            there = self.branch(
                kind,
                &again,
                [
                    &mut |t| {
                        if t.rng.chance(50) {
                            t.read_owned(kind, &before);
                        }
                        if moves != 1 {
                            before.clone()
                        } else {
                            t.some_buffer(kind, &[&kind.global])
                        }
                    },
                    &mut |t| {
                        if moves != 0 {
                            before.clone()
                        } else {
                            t.some_buffer(kind, &[&kind.global])
                        }
                    },
                ],
            );
            self.read_owned(kind, &there);
        }
    }

    /// A loop with a buffer and a flag that says who owns it, or the opposite.
    fn flags(&mut self, kind: &Kind) {
        let senses = [self.rng.chance(50), self.rng.chance(50)];
        let pair = |t: &mut Self, sense: bool| {
            let c = t.chosen_truth();
            let is_new = t.rng.chance(50);
            let buffer = t.new_or_global(kind, &c, is_new);
            let flag = if is_new == sense { c } else { t.opposite(&c) };
            (buffer, flag)
        };
        let (init, flag) = pair(self, senses[0]);
        let number = self.fresh();
        let [name, i, carried, beside] =
            ["w", "i", "a", "b"].map(|letter| format!("%{letter}{}", &number[1..]));
        let (zero, one, trips) = (self.index(0), self.index(1), self.rng.below(4) as i64);
        let (end, ty) = (self.opaque(trips), &kind.ty);
        self.line(format!(
            "{name}:2 = scf.for {i} = {zero} to {end} step {one} iter_args({carried} = {init}, {beside} = {flag}) -> ({ty}, i1) {{"
        ));
        self.inside(|t| {
            t.read_owned(kind, &carried);
            let (next, flag) = pair(t, senses[1]);
            t.line(format!("scf.yield {next}, {flag} : {ty}, i1"));
        });
        self.line("}");
        self.read_owned(kind, &format!("{name}#0"));
    }

    /// A region that yields what a condition of its own decides over.
    fn yielded_under_conditions(&mut self, kind: &Kind) {
        let ty = &kind.ty;
        let number = self.fresh();
        let [name, x, a, y, b] =
            ["w", "x", "a", "y", "b"].map(|letter| format!("%{letter}{}", &number[1..]));
        let made = |t: &mut Self, there: &str| {
            let c = t.chosen_truth();
            let is_new = t.rng.chance(50);
            t.branch(
                kind,
                &c,
                [
                    &mut |t| {
                        if is_new {
                            t.new_buffer(kind)
                        } else {
                            there.to_owned()
                        }
                    },
                    &mut |t| {
                        if is_new {
                            there.to_owned()
                        } else {
                            t.new_buffer(kind)
                        }
                    },
                ],
            )
        };
        if self.rng.chance(40) {
            self.line(format!("{name} = scf.execute_region -> {ty} {{"));
            self.inside(|t| {
                // Blocks stay, so that the region does.
                let c = t.chosen_truth();
                let label = |at: usize| format!("^b{}_{at}", &number[1..]);
                t.line(format!("cf.cond_br {c}, {}, {}", label(0), label(1)));
                t.line(format!("{}:", label(0)));
                t.line(format!("cf.br {}", label(1)));
                t.line(format!("{}:", label(1)));
                let yielded = made(t, &kind.global);
                t.line(format!("scf.yield {yielded} : {ty}"));
            });
            self.line("}");
            return self.read_owned(kind, &name);
        }
        let init = self.some_buffer(kind, &[&kind.global]);
        let (zero, one, trips) = (self.index(0), self.index(1), self.rng.below(4) as i64);
        let end = self.opaque(trips);
        self.line(format!(
            "{name}:2 = scf.while ({x} = {zero}, {a} = {init}) : (index, {ty}) -> (index, {ty}) {{"
        ));
        self.inside(|t| {
            let handed = if t.rng.chance(70) {
                made(t, &a)
            } else {
                t.some_buffer(kind, &[&a])
            };
            let c = t.def(format!("arith.cmpi slt, {x}, {end} : index"));
            t.line(format!("scf.condition({c}) {x}, {handed} : index, {ty}"));
        });
        self.line("} do {");
        self.line(format!("^bb0({y}: index, {b}: {ty}):"));
        self.inside(|t| {
            t.read_owned(kind, &b);
            let next = t.def(format!("arith.addi {y}, {one} : index"));
            let handed = if t.rng.chance(40) {
                made(t, &b)
            } else {
                t.some_buffer(kind, &[&b])
            };
            t.line(format!("scf.yield {next}, {handed} : index, {ty}"));
        });
        self.line("}");
        self.read_owned(kind, &format!("{name}#1"));
    }

    /// A loop that carries several buffers, makes new ones and hands old ones to each other's places.
    fn handed_round(&mut self, kind: &Kind) {
        let ty = &kind.ty;
        let n = *self.rng.pick(&[1, 2, 3, 1, 2, 17]);
        let types = vec![ty.as_str(); n].join(", ");
        let number = self.fresh();
        let (name, i) = (format!("%w{}", &number[1..]), format!("%i{}", &number[1..]));
        let carried: Vec<String> = (0..n)
            .map(|at| format!("%a{}_{at}", &number[1..]))
            .collect();
        let mut last = kind.global.clone();
        let mut pairs = Vec::new();
        for argument in &carried {
            let init = match self.rng.below(3) {
                0 => last.clone(),
                1 => kind.global.clone(),
                _ => self.new_buffer(kind),
            };
            pairs.push(format!("{argument} = {init}"));
            last = init;
        }
        let (zero, one, trips) = (self.index(0), self.index(1), self.rng.below(4) as i64);
        let end = self.opaque(trips);
        let other_sizes = !kind.size.is_empty() && self.rng.chance(60);
        if other_sizes {
            let freed = *self.rng.pick(&[
                "hlo-deallocation-pipeline",
                "buffer-deallocation-pipeline{borrowed-results=true},reuse-loop-buffers{always=true}",
            ]);
            self.pipelines.push(freed.to_owned());
        }
        let shift = self.rng.below(n);
        self.line(format!(
            "{name}:{n} = scf.for {i} = {zero} to {end} step {one} iter_args({}) -> ({types}) {{",
            pairs.join(", ")
        ));
        self.inside(|t| {
            // What lives for one iteration, in front or behind.
            if t.rng.chance(30) {
                let name = t.new_buffer(kind);
                t.read_owned(kind, &name);
            }
            let mut yielded: Vec<String> =
                (0..n).map(|at| carried[(at + shift) % n].clone()).collect();
            for argument in carried.iter().take(3) {
                t.read_owned(kind, argument);
            }
            for at in 0..n {
                if t.rng.chance(if n > 3 { 10 } else { 45 }) {
                    let new = match other_sizes && t.rng.chance(50) {
                        true => {
                            let new = t.def(format!("memref.alloc({}) : {ty}", kind.other_size));
                            let value = t.def("arith.constant 77 : i32");
                            t.line(format!("linalg.fill ins({value} : i32) outs({new} : {ty})"));
                            // An element that others have not.
                            let place = t.index(kind.n + 2);
                            t.line(format!("memref.store {value}, {new}[{place}] : {ty}"));
                            new
                        }
                        false => t.new_buffer(kind),
                    };
                    // Made of the last one.
                    let zero = t.index(0);
                    let x = t.def(format!("memref.load {}[{zero}] : {ty}", carried[at]));
                    let more = t.def(format!("arith.addi {x}, {x} : i32"));
                    t.line(format!("memref.store {more}, {new}[{zero}] : {ty}"));
                    yielded[at] = new;
                    // The last one as well, behind the new one.
                    if t.rng.chance(40) {
                        t.read_owned(kind, &carried[at]);
                    }
                }
            }
            t.line(format!("scf.yield {} : {types}", yielded.join(", ")));
        });
        self.line("}");
        for at in 0..n.min(4) {
            self.read_owned(kind, &format!("{name}#{at}"));
        }
    }

    /// A function with several ways out, each of which returns other buffers.
    fn returned(&mut self, kind: &Kind) {
        let ty = &kind.ty;
        let number = self.fresh();
        let callee = format!("@f{}", &number[1..]);
        let inner = Kind {
            ty: ty.clone(),
            size: if kind.size.is_empty() {
                String::new()
            } else {
                "%n".to_owned()
            },
            other_size: String::new(),
            global: "%a".to_owned(),
            kept: "%kept".to_owned(),
            n: kind.n,
        };
        let visibility = if self.rng.chance(60) { "private " } else { "" };
        let with_new = self.rng.chance(70);
        let writes = self.rng.chance(40);
        let hlo = "hlo-deallocation-pipeline{keep-public-signatures=true}";
        if writes {
            (self.pipelines).retain(|pipeline| !pipeline.starts_with("buffer-results"));
            self.pipelines.push(hlo.to_owned());
        } else if !self.pipelines.iter().any(|pipeline| pipeline == hlo) && self.rng.chance(70) {
            // Results that become arguments are copies.
            let pipeline = "buffer-results-to-out-params{hoist-static-allocs=true hoist-dynamic-allocs=true modify-public-functions=false}";
            self.pipelines.push(pipeline.to_owned());
        }
        let order: Vec<usize> = (0..4).map(|_| self.rng.below(4)).collect();
        self.function(
            &format!("func.func {visibility}{callee}(%a: {ty}, %b: {ty}, %c: i1, %n: index, %kept: memref<8xi32>) -> ({ty}, {ty})"),
            |t| {
                let early = t.new_buffer(&inner);
                t.line("cf.cond_br %c, ^x, ^y");
                for (at, label) in ["^x", "^y"].into_iter().enumerate() {
                    t.line(format!("{label}:"));
                    let mut there =
                        vec!["%a".to_owned(), early.clone(), "%b".to_owned(), early.clone()];
                    if with_new && t.rng.chance(70) {
                        let late = t.new_buffer(&inner);
                        there.push(late);
                    }
                    t.read_owned(&inner, &early);
                    let pick = |place: usize| there[order[place] % there.len()].clone();
                    t.line(format!("return {}, {} : {ty}, {ty}", pick(2 * at), pick(2 * at + 1)));
                }
            },
        );
        let size = match kind.size.is_empty() {
            true => self.index(kind.n),
            false => kind.size.clone(),
        };
        for _ in 0..self.rng.range(1, 2) {
            let (a, c) = (self.some_buffer(kind, &[&kind.global]), self.chosen_truth());
            let b = self.some_buffer(kind, &[&a, &kind.global]);
            let number = self.fresh();
            let name = format!("%w{}", &number[1..]);
            self.line(format!(
                "{name}:2 = func.call {callee}({a}, {b}, {c}, {size}, {}) : ({ty}, {ty}, i1, index, memref<8xi32>) -> ({ty}, {ty})",
                kind.kept
            ));
            if writes {
                // What is written to one name shows under another one.
                let (zero, value) = (self.index(0), self.def("arith.constant 71 : i32"));
                let place = self.rng.below(2);
                self.line(format!(
                    "memref.store {value}, {name}#{place}[{zero}] : {ty}"
                ));
                self.read_owned(kind, &a);
                self.read_owned(kind, &b);
            }
            for place in 0..2 {
                self.read_owned(kind, &format!("{name}#{place}"));
            }
            if self.rng.chance(50) {
                self.read_owned(kind, &a);
            }
        }
    }

    /// Buffers that end before others begin, of one size or of two, written and read at both ends, copied and viewed.
    fn one_after_another(&mut self, kind: &Kind) {
        let ty = &kind.ty;
        let mut last = self.new_buffer(kind);
        let first = last.clone();
        for _ in 0..self.rng.range(2, 4) {
            let new = match !kind.size.is_empty() && self.rng.chance(40) {
                true => {
                    let new = self.def(format!("memref.alloc({}) : {ty}", kind.other_size));
                    let value = self.def("arith.constant 33 : i32");
                    self.line(format!("linalg.fill ins({value} : i32) outs({new} : {ty})"));
                    let place = self.index(kind.n + 2);
                    self.line(format!("memref.store {value}, {new}[{place}] : {ty}"));
                    new
                }
                false => {
                    let new = self.new_buffer(kind);
                    if kind.size.is_empty() && self.rng.chance(60) {
                        self.line(format!("memref.copy {last}, {new} : {ty} to {ty}"));
                        // Either of them may change behind that.
                        let changed = match self.rng.below(3) {
                            0 => last.clone(),
                            1 => new.clone(),
                            _ => kind.global.clone(),
                        };
                        let (zero, value) = (self.index(0), self.def("arith.constant 13 : i32"));
                        if changed != kind.global {
                            self.line(format!("memref.store {value}, {changed}[{zero}] : {ty}"));
                        }
                    }
                    new
                }
            };
            if self.rng.chance(70) {
                self.read_owned(kind, &last);
            }
            self.read_owned(kind, &new);
            if self.rng.chance(30) {
                self.read_owned(kind, &first);
            }
            last = new;
        }
    }
}
