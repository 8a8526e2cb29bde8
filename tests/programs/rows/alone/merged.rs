//! Buffers of many sizes that come and go, so that it shows what merging costs: in branches, loops and calls, beside
//! results, in loops that hand them on, and in iterations that run at the same time.

use super::Text;

const KEPT: &str = "memref<8xi32>";

impl Text {
    /// One kind of them.
    pub(super) fn merged_buffers(&mut self) {
        match self.rng.below(5) {
            0 | 1 => self.memory_over_time(),
            2 => self.beside_results(),
            3 => self.concurrent_work(),
            _ => self.at_the_same_time(),
        }
    }

    fn ints(n: i64) -> String {
        format!("memref<{n}xi32>")
    }

    /// Some numbers in a buffer that was made before.
    fn fill(&mut self, name: &str, ty: &str) {
        let number = self.rng.range(1, 90);
        let value = self.def(format!("arith.constant {number} : i32"));
        self.line(format!(
            "linalg.fill ins({value} : i32) outs({name} : {ty})"
        ));
    }

    /// Adds an element of a buffer to what is kept.
    fn keep(&mut self, kept: &str, (name, size): &(String, i64)) {
        let (at, last) = (
            self.rng.below(8) as i64,
            self.rng.below(*size as usize) as i64,
        );
        let (at, last) = (self.index(at), self.index(last));
        let x = self.def(format!("memref.load {name}[{last}] : memref<{size}xi32>"));
        let old = self.def(format!("memref.load {kept}[{at}] : {KEPT}"));
        let three = self.def("arith.constant 3 : i32");
        let more = self.def(format!("arith.muli {old}, {three} : i32"));
        let sum = self.def(format!("arith.addi {more}, {x} : i32"));
        self.line(format!("memref.store {sum}, {kept}[{at}] : {KEPT}"));
    }

    /// Statements that allocate buffers of all sizes and use them a while, with functions that return some.
    fn memory_over_time(&mut self) {
        let sizes = [2, 4, 8, 16, 32];
        let makers: Vec<i64> = (0..self.rng.below(3))
            .map(|_| *self.rng.pick(&sizes))
            .collect();
        for (at, size) in makers.iter().enumerate() {
            let ty = Self::ints(*size);
            let other = *self.rng.pick(&sizes);
            self.function(
                &format!("func.func private @make{at}(%kept: {KEPT}) -> {ty}"),
                |t| {
                    if t.rng.chance(50) {
                        let (name, ty) = t.new_of(other);
                        t.fill(&name, &ty);
                        t.keep("%kept", &(name, other));
                    }
                    let new = t.def(format!("memref.alloc() : {ty}"));
                    t.fill(&new, &ty);
                    t.line(format!("return {new} : {ty}"));
                },
            );
        }
        let kept = self.numbered(8, "i32");
        let n = self.rng.range(4, 10);
        self.come_and_go(&kept, &mut Vec::new(), &makers, n, 0);
        self.results.push((kept, KEPT.to_owned()));
        const FREED: [&str; 2] = ["buffer-deallocation-pipeline", "hlo-deallocation-pipeline"];
        const MERGED: [&str; 4] = [
            "merge-alloc{never-grow=true}",
            "reuse-loop-buffers",
            "reuse-loop-buffers,merge-alloc{never-grow=true}",
            "mark-allocation-free-calls,reuse-loop-buffers,merge-alloc{never-grow=true}",
        ];
        for _ in 0..2 {
            let (freed, merged) = (*self.rng.pick(&FREED), *self.rng.pick(&MERGED));
            self.promised
                .push([freed.to_owned(), format!("{freed},{merged}")]);
        }
        self.pipelines.push(format!(
            "{},reuse-loop-buffers{{always=true}},merge-alloc",
            FREED[0]
        ));
    }

    fn new_of(&mut self, size: i64) -> (String, String) {
        let ty = Self::ints(size);
        (self.def(format!("memref.alloc() : {ty}")), ty)
    }

    fn come_and_go(
        &mut self,
        kept: &str,
        outer: &mut Vec<(String, i64)>,
        makers: &[i64],
        n: usize,
        depth: usize,
    ) {
        let sizes = [2, 4, 8, 16, 32];
        let n_outer = outer.len();
        for _ in 0..n {
            match self.rng.below(12) {
                0..4 => {
                    let size = *self.rng.pick(&sizes);
                    let (name, ty) = self.new_of(size);
                    self.fill(&name, &ty);
                    outer.push((name, size));
                }
                4 if !makers.is_empty() => {
                    let at = self.rng.below(makers.len());
                    let ty = Self::ints(makers[at]);
                    let name = self.def(format!("func.call @make{at}({kept}) : ({KEPT}) -> {ty}"));
                    outer.push((name, makers[at]));
                }
                5..8 if !outer.is_empty() => {
                    let one = self.rng.pick(outer).clone();
                    self.keep(kept, &one);
                }
                8 if depth < 2 => {
                    let number = self.rng.below(6) as i64;
                    let (x, y) = (self.opaque(number), self.index(3));
                    let c = self.def(format!("arith.cmpi slt, {x}, {y} : index"));
                    let n = self.rng.range(2, 5);
                    self.line(format!("scf.if {c} {{"));
                    self.inside(|t| t.come_and_go(kept, outer, makers, n, depth + 1));
                    if self.rng.chance(60) {
                        self.line("} else {");
                        self.inside(|t| t.come_and_go(kept, outer, makers, n, depth + 1));
                    }
                    self.line("}");
                }
                9 if depth < 2 => {
                    let trips = self.rng.below(4) as i64;
                    let (zero, end) = (self.index(0), self.number(trips, 50));
                    let n = self.rng.range(2, 5);
                    self.for_loop(&zero, &end, |t, _| {
                        t.come_and_go(kept, outer, makers, n, depth + 1);
                    });
                }
                10 | 11 if depth < 2 => self.carried(kept, outer, makers, depth),
                _ => {}
            }
        }
        if depth > 0 {
            outer.truncate(n_outer);
        }
    }

    /// A loop that carries a buffer: what it reads of it, and what it allocates in front of the next one or behind.
    fn carried(
        &mut self,
        kept: &str,
        outer: &mut Vec<(String, i64)>,
        makers: &[i64],
        depth: usize,
    ) {
        let size = *self.rng.pick(&[4, 8, 16]);
        let ty = Self::ints(size);
        let (init, _) = self.new_of(size);
        self.fill(&init, &ty);
        let [name, a] = self.begin_carrying(&init, &ty);
        self.inside(|t| {
            let old = (a.clone(), size);
            let is_read_late = t.rng.chance(40);
            t.keep(kept, &old);
            let n = t.rng.below(4);
            t.come_and_go(kept, outer, makers, n, depth + 1);
            let new = match makers.iter().position(|&made| made == size) {
                Some(at) if t.rng.chance(50) => {
                    t.def(format!("func.call @make{at}({kept}) : ({KEPT}) -> {ty}"))
                }
                _ => {
                    let (new, ty) = t.new_of(size);
                    t.fill(&new, &ty);
                    new
                }
            };
            if is_read_late {
                t.keep(kept, &old);
            }
            let n = t.rng.below(3);
            t.come_and_go(kept, outer, makers, n, depth + 1);
            t.line(format!("scf.yield {new} : {ty}"));
        });
        self.line("}");
        outer.push((name, size));
    }

    /// Results that are allocated early, and buffers that end before, where or after those are first used.
    fn beside_results(&mut self) {
        let (rows, columns) = *self.rng.pick(&[(4, 4), (2, 8), (8, 2), (3, 3)]);
        let ty = format!("memref<{rows}x{columns}xi32>");
        let turned = format!("memref<{columns}x{rows}xi32>");
        let n_results = self.rng.range(1, 2);
        let results: Vec<String> = (0..n_results)
            .map(|_| self.def(format!("memref.alloc() : {ty}")))
            .collect();
        let flat = self.numbered(rows * columns, "i32");
        let mut from: Vec<String> = Vec::new();
        for _ in 0..self.rng.range(1, 3) {
            // In the shape of the result, or the other way round.
            let new = self.def(format!("memref.alloc() : {turned}"));
            let (zero, ends) = (
                self.index(0),
                [columns, rows, columns].map(|n| self.index(n)),
            );
            let last = from.last().cloned();
            self.for_loop(&zero, &ends[0], |t, i| {
                t.for_loop(&zero, &ends[1], |t, j| {
                    let row = t.def(format!("arith.muli {j}, {} : index", ends[2]));
                    let at = t.def(format!("arith.addi {row}, {i} : index"));
                    let x = match &last {
                        Some(last) => t.def(format!("memref.load {last}[{i}, {j}] : {turned}")),
                        None => t.number_of(&at, "i32"),
                    };
                    let y = t.def(format!(
                        "memref.load {flat}[{at}] : memref<{}xi32>",
                        rows * columns
                    ));
                    let value = t.mixed(&x, &y, "i32");
                    t.line(format!("memref.store {value}, {new}[{i}, {j}] : {turned}"));
                });
            });
            from.push(new);
        }
        for result in &results {
            let source = self.rng.pick(&from).clone();
            let is_first = self.rng.chance(40);
            if is_first {
                let value = self.constant("i32");
                self.line(format!(
                    "linalg.fill ins({value} : i32) outs({result} : {ty})"
                ));
            }
            let kind = self.rng.below(5);
            let orders = match self.rng.below(4) {
                // The same order, where both are squares.
                0 if rows == columns => ("d0, d1", "d0, d1"),
                _ => ("d0, d1", "d1, d0"),
            };
            if kind == 3 {
                let view_ty = format!("memref<{rows}x{columns}xi32, strided<[1, {rows}]>>");
                let view = self.def(format!(
                    "memref.transpose {source} (d0, d1) -> (d1, d0) : {turned} to {view_ty}"
                ));
                self.line(format!("memref.copy {view}, {result} : {view_ty} to {ty}"));
                continue;
            }
            if kind == 4 {
                let number = self.fresh();
                let callee = format!("@turn{}", &number[1..]);
                self.function(
                    &format!("func.func private {callee}(%from: {turned}, %to: {ty})"),
                    |t| {
                        let (zero, ends) = (t.index(0), [rows, columns].map(|n| t.index(n)));
                        t.for_loop(&zero, &ends[0], |t, i| {
                            t.for_loop(&zero, &ends[1], |t, j| {
                                let x = t.def(format!("memref.load %from[{j}, {i}] : {turned}"));
                                t.line(format!("memref.store {x}, %to[{i}, {j}] : {ty}"));
                            });
                        });
                        t.line("return");
                    },
                );
                self.line(format!(
                    "func.call {callee}({source}, {result}) : ({turned}, {ty}) -> ()"
                ));
                continue;
            }
            if kind == 0 {
                self.line(format!(
                    "linalg.transpose ins({source} : {turned}) outs({result} : {ty}) permutation = [1, 0]"
                ));
                continue;
            }
            let number = self.fresh();
            let [x, y] = ["x", "y"].map(|letter| format!("%{letter}{}", &number[1..]));
            self.line(format!(
                "linalg.generic {{indexing_maps = [affine_map<(d0, d1) -> ({})>, affine_map<(d0, d1) -> ({})>], iterator_types = [\"parallel\", \"parallel\"]}} ins({source} : {turned}) outs({result} : {ty}) {{",
                orders.1, orders.0
            ));
            self.inside(|t| {
                t.line(format!("^bb0({x}: i32, {y}: i32):"));
                let by = if is_first {
                    y.clone()
                } else {
                    t.constant("i32")
                };
                let value = t.mixed(&x, &by, "i32");
                t.line(format!("linalg.yield {value} : i32"));
            });
            self.line("}");
        }
        for result in results {
            self.results.push((result, ty.clone()));
        }
        for freed in ["buffer-deallocation-pipeline", "hlo-deallocation-pipeline"] {
            self.promised.push([
                freed.to_owned(),
                format!("{freed},merge-alloc{{never-grow=true}}"),
            ]);
        }
    }

    /// Work that runs beside the program, and hands on buffers to it and to other work.
    fn concurrent_work(&mut self) {
        self.frees_itself = true;
        self.buffers_flow = true;
        let kept = self.numbered(8, "i32");
        // Buffers that are there, and those that are handed on: values and what they depend on.
        let mut there: Vec<(String, i64)> = Vec::new();
        let mut open: Vec<(String, String, i64)> = Vec::new();
        for _ in 0..self.rng.range(2, 5) {
            let number = self.fresh();
            let number = &number[1..];
            let (token, value) = (format!("%t{number}"), format!("%u{number}"));
            let size = *self.rng.pick(&[4, 8]);
            let ty = Self::ints(size);
            let waits = match open.is_empty() || self.rng.chance(50) {
                true => String::new(),
                false => format!("[{}] ", self.rng.pick(&open).0),
            };
            let hands_on = self.rng.chance(60);
            let read = there.last().cloned().filter(|_| self.rng.chance(40));
            match hands_on {
                true => self.line(format!(
                    "{token}, {value} = async.execute {waits}-> !async.value<{ty}> {{"
                )),
                false => self.line(format!("{token} = async.execute {waits}{{")),
            }
            self.inside(|t| {
                let (new, _) = t.new_of(size);
                t.fill(&new, &ty);
                if let Some((name, n)) = &read {
                    let zero = t.index(0);
                    let x = t.def(format!("memref.load {name}[{zero}] : memref<{n}xi32>"));
                    t.line(format!("memref.store {x}, {new}[{zero}] : {ty}"));
                }
                let other = t.rng.chance(40).then(|| t.new_of(size).0);
                if let Some(other) = &other {
                    t.line(format!("memref.copy {new}, {other} : {ty} to {ty}"));
                }
                let yielded = match other {
                    Some(other) if t.rng.chance(50) => {
                        t.line(format!("memref.dealloc {new} : {ty}"));
                        other
                    }
                    Some(other) => {
                        t.line(format!("memref.dealloc {other} : {ty}"));
                        new
                    }
                    None => new,
                };
                match hands_on {
                    true => t.line(format!("async.yield {yielded} : {ty}")),
                    false => {
                        t.line(format!("memref.dealloc {yielded} : {ty}"));
                        t.line("async.yield");
                    }
                }
            });
            self.line("}");
            match hands_on {
                true => open.push((token, value, size)),
                false => self.line(format!("async.await {token} : !async.token")),
            }
            if !open.is_empty() && self.rng.chance(50) {
                let at = self.rng.below(open.len());
                let (token, value, size) = open.remove(at);
                self.awaited(&kept, &mut there, &token, &value, size);
            }
        }
        for (token, value, size) in open {
            self.awaited(&kept, &mut there, &token, &value, size);
        }
        for (name, size) in there {
            self.line(format!("memref.dealloc {name} : memref<{size}xi32>"));
        }
        self.results.push((kept, KEPT.to_owned()));
        for pipeline in [
            "promote-buffers-to-stack",
            "run-async-in-order",
            "run-async-in-order,promote-buffers-to-stack,merge-alloc",
        ] {
            self.pipelines.push(pipeline.to_owned());
        }
    }

    fn awaited(
        &mut self,
        kept: &str,
        there: &mut Vec<(String, i64)>,
        token: &str,
        value: &str,
        size: i64,
    ) {
        let ty = Self::ints(size);
        if self.rng.chance(30) {
            self.line(format!("async.await {token} : !async.token"));
        }
        let name = self.def(format!("async.await {value} : !async.value<{ty}>"));
        self.keep(kept, &(name.clone(), size));
        there.push((name, size));
    }

    /// Iterations that run at the same time, each with buffers of its own, some of which branches decide over.
    fn at_the_same_time(&mut self) {
        let n = *self.rng.pick(&[3, 4, 8]);
        self.globals += &format!("memref.global \"private\" @kept : {KEPT} = dense<1>\n");
        let callee = self.rng.chance(40);
        let body = |t: &mut Self, kept: &str, i: &str| {
            let mut there: Vec<(String, i64)> = Vec::new();
            for _ in 0..t.rng.range(1, 4) {
                let size = *t.rng.pick(&[4, 4, 8]);
                let ty = Self::ints(size);
                let new = match t.rng.below(5) {
                    0 => {
                        // What branches decide over, so that it is compared when it is freed.
                        let number = t.rng.below(8) as i64;
                        let y = t.index(number);
                        let c = t.def(format!("arith.cmpi slt, {i}, {y} : index"));
                        let same = there.iter().find(|one| one.1 == size).cloned();
                        let (a, _) = t.new_of(size);
                        t.fill(&a, &ty);
                        let b = match same {
                            Some((b, _)) => b,
                            None => {
                                let (b, _) = t.new_of(size);
                                t.fill(&b, &ty);
                                b
                            }
                        };
                        t.def(format!("arith.select {c}, {a}, {b} : {ty}"))
                    }
                    1 => {
                        let name = t.def(format!("memref.alloca() : {ty}"));
                        t.fill(&name, &ty);
                        name
                    }
                    2 if !there.is_empty() => {
                        // A loop inside hands some on.
                        let trips = t.rng.below(3) as i64;
                        let (zero, one, end) = (t.index(0), t.index(1), t.opaque(trips));
                        let same = there.iter().find(|one| one.1 == size).cloned();
                        let init = match same {
                            Some((init, _)) => init,
                            None => {
                                let (init, _) = t.new_of(size);
                                t.fill(&init, &ty);
                                init
                            }
                        };
                        let number = t.fresh();
                        let [name, j, a] =
                            ["w", "j", "a"].map(|letter| format!("%{letter}{}", &number[1..]));
                        t.line(format!("{name} = scf.for {j} = {zero} to {end} step {one} iter_args({a} = {init}) -> ({ty}) {{"));
                        t.inside(|t| {
                            let c = t.def(format!("arith.cmpi slt, {j}, {i} : index"));
                            let (new, _) = t.new_of(size);
                            t.fill(&new, &ty);
                            let next = t.def(format!("arith.select {c}, {new}, {a} : {ty}"));
                            t.line(format!("scf.yield {next} : {ty}"));
                        });
                        t.line("}");
                        name
                    }
                    _ => {
                        let (name, ty) = t.new_of(size);
                        t.fill(&name, &ty);
                        let zero = t.index(0);
                        let x = t.number_of(i, "i32");
                        t.line(format!("memref.store {x}, {name}[{zero}] : {ty}"));
                        name
                    }
                };
                there.push((new, size));
            }
            // Each iteration has an element of its own.
            let mut sum = t.number_of(i, "i32");
            for (name, size) in &there {
                let at = t.rng.below(*size as usize) as i64;
                let at = t.index(at);
                let x = t.def(format!("memref.load {name}[{at}] : memref<{size}xi32>"));
                sum = t.mixed(&sum, &x, "i32");
            }
            t.line(format!("memref.store {sum}, {kept}[{i}] : {KEPT}"));
        };
        if callee {
            self.function(
                &format!("func.func private @work(%kept: {KEPT}, %i: index)"),
                |t| {
                    body(t, "%kept", "%i");
                    t.line("return");
                },
            );
        }
        let kept = self.def(format!("memref.get_global @kept : {KEPT}"));
        let (zero, one, end) = (self.index(0), self.index(1), self.number(n, 50));
        let number = self.fresh();
        let i = format!("%i{}", &number[1..]);
        let is_forall = self.rng.chance(25);
        match is_forall {
            true => self.line(format!("scf.forall ({i}) in ({end}) {{")),
            false => self.line(format!(
                "scf.parallel ({i}) = ({zero}) to ({end}) step ({one}) {{"
            )),
        }
        self.inside(|t| {
            match callee {
                true => t.line(format!(
                    "func.call @work({kept}, {i}) : ({KEPT}, index) -> ()"
                )),
                false => body(t, &kept, &i),
            }
            if !is_forall {
                t.line("scf.reduce");
            }
        });
        self.line("}");
        if self.rng.chance(50) {
            let (name, ty) = self.new_of(8);
            self.fill(&name, &ty);
            self.keep(&kept, &(name, 8));
        }
        // Nothing is returned that has memory, so that a workspace has it all.
        for at in 0..n {
            let at = self.index(at);
            let x = self.def(format!("memref.load {kept}[{at}] : {KEPT}"));
            self.results.push((x, "i32".to_owned()));
        }
        const FREED: [&str; 2] = ["buffer-deallocation-pipeline", "hlo-deallocation-pipeline"];
        let freed = *self.rng.pick(&FREED);
        for after in [
            "use-workspace{mode=static}",
            "bufferization-lower-deallocations,lower-deallocations",
            "merge-alloc,promote-buffers-to-stack",
        ] {
            self.pipelines.push(format!("{freed},{after}"));
        }
    }
}
