//! Buffers some of which end where others begin, in loops made of blocks and in loops that read beside what they write.

use super::Text;

impl Text {
    /// One of them.
    pub(super) fn meeting_memory(&mut self) {
        match self.rng.below(4) {
            0 => self.blocks_in_a_circle(),
            1 => self.handed_on_by_blocks(),
            2 => self.shifted_elements(),
            _ => self.elements_of_steps(),
        }
        const PIPELINES: [&str; 5] = [
            "buffer-deallocation-pipeline,merge-alloc",
            "buffer-deallocation-pipeline,merge-alloc{never-grow=true}",
            "buffer-deallocation-pipeline,use-workspace",
            "hlo-deallocation-pipeline,merge-alloc",
            "buffer-deallocation-pipeline,merge-alloc,lower-affine",
        ];
        for _ in 0..3 {
            self.pipelines.push((*self.rng.pick(&PIPELINES)).to_owned());
        }
    }

    /// Fills a buffer with what another one has and a number.
    fn made_of(&mut self, from: &str, to: &str, n: i64) {
        let ty = format!("memref<{n}xi32>");
        let (zero, end, by) = (self.index(0), self.index(n), self.constant("i32"));
        self.for_loop(&zero, &end, |t, i| {
            let x = t.def(format!("memref.load {from}[{i}] : {ty}"));
            let value = t.mixed(&x, &by, "i32");
            t.line(format!("memref.store {value}, {to}[{i}] : {ty}"));
        });
    }

    /// One or two blocks that go round, which read what was made before them and make buffers behind that.
    fn blocks_in_a_circle(&mut self) {
        let n = *self.rng.pick(&[4, 8, 5]);
        let ty = format!("memref<{n}xi32>");
        let first = self.numbered(n, "i32");
        let read = self.def(format!("memref.alloc() : {ty}"));
        self.made_of(&first, &read, n);
        let kept = self.numbered(n, "i32");
        let trips = self.rng.range(2, 4) as i64;
        let (zero, one, end) = (self.index(0), self.index(1), self.opaque(trips));
        let number = self.fresh();
        let label = |at: usize| format!("^b{}_{at}", &number[1..]);
        let i = format!("%i{}", &number[1..]);
        let (n_blocks, n_new) = (self.rng.range(1, 2), self.rng.range(1, 3));
        // Without loops inside the block branches to itself.
        let is_short = self.rng.chance(60);
        self.line("scf.execute_region {");
        self.inside(|t| {
            t.line(format!("cf.br {}({zero} : index)", label(0)));
            t.line(format!("{}({i}: index):", label(0)));
            let mut last = read.clone();
            for _ in 0..n_new {
                let new = t.def(format!("memref.alloc() : {ty}"));
                match is_short {
                    true => {
                        let by = t.constant("i32");
                        t.line(format!("linalg.generic {{indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = [\"parallel\"]}} ins({last} : {ty}) outs({new} : {ty}) {{"));
                        t.inside(|t| {
                            let [x, y] = ["x", "y"].map(|letter| format!("{new}{letter}"));
                            t.line(format!("^bb0({x}: i32, {y}: i32):"));
                            let value = t.mixed(&x, &by, "i32");
                            t.line(format!("linalg.yield {value} : i32"));
                        });
                        t.line("}");
                    }
                    false => t.made_of(&last, &new, n),
                }
                last = new;
            }
            let place = t.rng.below(n as usize) as i64;
            let place = t.index(place);
            let x = t.def(format!("memref.load {last}[{place}] : {ty}"));
            let old = t.def(format!("memref.load {kept}[{place}] : {ty}"));
            let sum = t.mixed(&old, &x, "i32");
            t.line(format!("memref.store {sum}, {kept}[{place}] : {ty}"));
            let next = t.def(format!("arith.addi {i}, {one} : index"));
            let c = t.def(format!("arith.cmpi slt, {next}, {end} : index"));
            if n_blocks == 2 {
                t.line(format!("cf.br {}", label(1)));
                t.line(format!("{}:", label(1)));
            }
            t.line(format!("cf.cond_br {c}, {}({next} : index), {}", label(0), label(2)));
            t.line(format!("{}:", label(2)));
            t.line("scf.yield");
        });
        self.line("}");
        self.results.push((kept, ty));
    }

    /// A block that goes round with a buffer and makes the next one of it, beside buffers that it alone uses.
    fn handed_on_by_blocks(&mut self) {
        let n = *self.rng.pick(&[4, 8, 5]);
        let ty = format!("memref<{n}xi32>");
        let init = self.numbered(n, "i32");
        let kept = self.numbered(n, "i32");
        let trips = self.rng.range(2, 4) as i64;
        let (zero, one, end) = (self.index(0), self.index(1), self.opaque(trips));
        let number = self.fresh();
        let label = |at: usize| format!("^b{}_{at}", &number[1..]);
        let [i, a] = ["i", "a"].map(|letter| format!("%{letter}{}", &number[1..]));
        let n_blocks = self.rng.range(1, 2);
        let n_beside = self.rng.below(3);
        let is_outside = self.rng.chance(50);
        if !is_outside {
            self.line("scf.execute_region {");
        }
        let last = |t: &mut Self, from: &str, to: &str| {
            let by = t.constant("i32");
            let maps = "affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>";
            t.line(format!("linalg.generic {{indexing_maps = [{maps}], iterator_types = [\"parallel\"]}} ins({from} : {ty}) outs({to} : {ty}) {{"));
            t.inside(|t| {
                let [x, y] = ["x", "y"].map(|letter| format!("{to}{letter}"));
                t.line(format!("^bb0({x}: i32, {y}: i32):"));
                let value = t.mixed(&x, &by, "i32");
                t.line(format!("linalg.yield {value} : i32"));
            });
            t.line("}");
        };
        self.inside(|t| {
            t.line(format!("cf.br {}({zero}, {init} : index, {ty})", label(0)));
            t.line(format!("{}({i}: index, {a}: {ty}):", label(0)));
            let mut from = a.clone();
            let is_early = t.rng.chance(50);
            let next = t.def(format!("memref.alloc() : {ty}"));
            if is_early {
                last(t, &a, &next);
            }
            for _ in 0..n_beside {
                let new = t.def(format!("memref.alloc() : {ty}"));
                last(t, &from, &new);
                from = new;
            }
            if !is_early {
                last(t, &from, &next);
            }
            let place = t.rng.below(n as usize) as i64;
            let place = t.index(place);
            let read = if t.rng.chance(50) { &a } else { &from };
            let x = t.def(format!("memref.load {read}[{place}] : {ty}"));
            let old = t.def(format!("memref.load {kept}[{place}] : {ty}"));
            let sum = t.mixed(&old, &x, "i32");
            t.line(format!("memref.store {sum}, {kept}[{place}] : {ty}"));
            let more = t.def(format!("arith.addi {i}, {one} : index"));
            let c = t.def(format!("arith.cmpi slt, {more}, {end} : index"));
            if n_blocks == 2 {
                t.line(format!("cf.br {}", label(1)));
                t.line(format!("{}:", label(1)));
            }
            t.line(format!(
                "cf.cond_br {c}, {}({more}, {next} : index, {ty}), {}",
                label(0),
                label(2)
            ));
            t.line(format!("{}:", label(2)));
            if t.rng.chance(40) {
                let x = t.def(format!("memref.load {next}[{place}] : {ty}"));
                t.line(format!("memref.store {x}, {kept}[{place}] : {ty}"));
            }
            if !is_outside {
                t.line("scf.yield");
            }
        });
        if !is_outside {
            self.line("}");
        }
        self.results.push((kept, ty));
    }

    /// A loop of some step from one buffer to another one that nothing was in, of which only what it wrote is read.
    fn elements_of_steps(&mut self) {
        let n = *self.rng.pick(&[8, 12, 9, 16]);
        let ty = format!("memref<{n}xi32>");
        let first = self.numbered(n, "i32");
        let kept = self.numbered(n, "i32");
        let from = self.def(format!("memref.alloc() : {ty}"));
        self.made_of(&first, &from, n);
        let to = self.def(format!("memref.alloc() : {ty}"));
        let step = self.rng.range(1, 4) as i64;
        let (zero, by) = (self.index(0), self.index(step));
        let last = self.rng.range(4, n as usize - 3) as i64;
        let end = self.number(last, 40);
        // Subscripts beside the counter.
        let beside = |t: &mut Self| t.rng.below(step.min(3) as usize + 1) as i64;
        let written: Vec<i64> = (0..self.rng.range(1, 2)).map(|_| beside(self)).collect();
        let read: Vec<i64> = (0..self.rng.range(1, 2)).map(|_| beside(self)).collect();
        let at = |t: &mut Self, i: &str, by: i64| match by {
            0 => i.to_owned(),
            _ => {
                let by = t.index(by);
                t.def(format!("arith.addi {i}, {by} : index"))
            }
        };
        let n_vector = if self.rng.chance(20) { 2 } else { 1 };
        for is_back in [false, true] {
            let number = self.fresh();
            let i = format!("%i{}", &number[1..]);
            self.line(format!("scf.for {i} = {zero} to {end} step {by} {{"));
            self.inside(|t| {
                if is_back {
                    for &by in &written {
                        let at = at(t, &i, by);
                        let x = t.def(format!("memref.load {to}[{at}] : {ty}"));
                        t.line(format!("memref.store {x}, {kept}[{at}] : {ty}"));
                    }
                    return;
                }
                let vector = format!("vector<{n_vector}xi32>");
                let mut value = match n_vector {
                    1 => t.constant("i32"),
                    _ => t.def(format!("arith.constant dense<3> : {vector}")),
                };
                for &by in &read {
                    let at = at(t, &i, by);
                    value = match n_vector {
                        1 => {
                            let x = t.def(format!("memref.load {from}[{at}] : {ty}"));
                            t.mixed(&value, &x, "i32")
                        }
                        _ => {
                            let x = t.def(format!("vector.load {from}[{at}] : {ty}, {vector}"));
                            t.def(format!("arith.addi {value}, {x} : {vector}"))
                        }
                    };
                }
                for &by in &written {
                    let at = at(t, &i, by);
                    match n_vector {
                        1 => t.line(format!("memref.store {value}, {to}[{at}] : {ty}")),
                        _ => t.line(format!("vector.store {value}, {to}[{at}] : {ty}, {vector}")),
                    }
                }
            });
            self.line("}");
        }
        self.results.push((kept, ty));
    }

    /// A loop from one buffer to another one of its size, at places beside the counter, some elements at a time.
    fn shifted_elements(&mut self) {
        let n = *self.rng.pick(&[8, 12, 9]);
        let (ty, wide) = (format!("memref<{n}xi32>"), n - 3);
        let first = self.numbered(n, "i32");
        let from = self.def(format!("memref.alloc() : {ty}"));
        self.made_of(&first, &from, n);
        let to = self.def(format!("memref.alloc() : {ty}"));
        let kept = self.numbered(n, "i32");
        let by_constant = self.constant("i32");
        let step = *self.rng.pick(&[1, 1, 2, 3]);
        if self.rng.chance(80) {
            self.line(format!(
                "linalg.fill ins({by_constant} : i32) outs({to} : {ty})"
            ));
        } else {
            self.made_of(&first, &to, n);
        }
        let (zero, end, by) = (self.index(0), self.number(wide, 30), self.index(step));
        let number = self.fresh();
        let i = format!("%i{}", &number[1..]);
        self.line(format!("scf.for {i} = {zero} to {end} step {by} {{"));
        self.inside(|t| {
            let place = |t: &mut Self| match t.rng.below(4) {
                0 | 1 => i.clone(),
                by => {
                    let by = t.index(by as i64 - 1);
                    t.def(format!("arith.addi {i}, {by} : index"))
                }
            };
            for _ in 0..t.rng.range(1, 2) {
                let mut value = t.constant("i32");
                for _ in 0..t.rng.range(1, 2) {
                    let at = place(t);
                    let x = t.def(format!("memref.load {from}[{at}] : {ty}"));
                    value = t.mixed(&value, &x, "i32");
                }
                let at = place(t);
                t.line(format!("memref.store {value}, {to}[{at}] : {ty}"));
            }
        });
        self.line("}");
        self.made_of(&to, &kept, n);
        self.results.push((kept, ty));
    }
}
