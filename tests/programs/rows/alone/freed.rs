//! Programs that free their buffers themselves: with `bufferization.dealloc` of entries that may be each other or what
//! memory holds, with owners that travel apart from their buffers, and with plain frees between which others begin.

use super::Text;

const TY: &str = "memref<4xi32>";
const OWNER: &str = "!deallocation.ownership";

/// Buffers, owners and truths that are at hand.
#[derive(Default)]
struct Hand {
    buffers: Vec<String>,
    owners: Vec<String>,
    truths: Vec<String>,
}

impl Text {
    /// One kind of them.
    pub(super) fn freed_buffers(&mut self) {
        self.buffers_flow = true;
        self.frees_itself = true;
        match self.rng.below(18) {
            0..6 => self.deallocs(),
            6 | 7 => self.deallocs_of_many(),
            8..12 => self.travelling_owners(),
            12 => self.stacked(),
            _ => self.frees_in_between(),
        }
    }

    fn filled(&mut self, ty: &str) -> String {
        let name = self.def(format!("memref.alloc() : {ty}"));
        let number = self.rng.range(1, 90);
        let value = self.def(format!("arith.constant {number} : i32"));
        self.line(format!(
            "linalg.fill ins({value} : i32) outs({name} : {ty})"
        ));
        name
    }

    /// A truth that only who runs the program knows, or anybody.
    fn some_truth(&mut self) -> String {
        match self.rng.chance(30) {
            true => {
                let word = if self.rng.chance(70) { "true" } else { "false" };
                self.def(format!("arith.constant {word}"))
            }
            false => {
                let number = self.rng.below(6) as i64;
                let (x, y) = (self.opaque(number), self.index(3));
                self.def(format!("arith.cmpi slt, {x}, {y} : index"))
            }
        }
    }

    fn picked(&mut self, list: &[String], n: usize) -> Vec<String> {
        (0..n).map(|_| self.rng.pick(list).clone()).collect()
    }

    /// Deallocs of some entries that retain some others.
    fn deallocs(&mut self) {
        let mut hand = Hand::default();
        let number = self.fresh();
        let i = format!("%i{}", &number[1..]);
        // Iterations that run at the same time have all of it for themselves.
        let is_parallel = self.rng.chance(25);
        let truths = "memref<4x12xi1>";
        let mut shown = String::new();
        if is_parallel {
            shown = self.def(format!("memref.alloc() : {truths}"));
            let c = self.some_truth();
            self.line(format!(
                "linalg.fill ins({c} : i1) outs({shown} : {truths})"
            ));
            let (zero, one, end) = (self.index(0), self.index(1), self.index(4));
            self.line(format!(
                "scf.parallel ({i}) = ({zero}) to ({end}) step ({one}) {{"
            ));
            self.indent += 1;
        }
        for _ in 0..self.rng.range(2, 4) {
            let new = self.filled(TY);
            hand.buffers.push(new);
        }
        let made = hand.buffers.clone();
        for _ in 0..self.rng.range(1, 4) {
            let name = self.other_name(&hand.buffers, !is_parallel);
            hand.buffers.push(name);
        }
        // Conditions say who is responsible: of each buffer that is made, one true one.
        let mut left: Vec<String> = made;
        for _ in 0..self.rng.range(1, 3) {
            let n = self.rng.range(1, 3);
            let mut entries = Vec::new();
            let mut conditions = Vec::new();
            for _ in 0..n {
                let (entry, condition) = match self.rng.below(3) {
                    0 if !left.is_empty() => {
                        let at = self.rng.below(left.len());
                        let condition = match hand.truths.is_empty() || self.rng.chance(60) {
                            true => self.some_truth(),
                            false => self.rng.pick(&hand.truths).clone(),
                        };
                        (left.remove(at), condition)
                    }
                    1 if !hand.truths.is_empty() => {
                        let at = self.rng.below(hand.truths.len());
                        let entry = self.rng.pick(&hand.buffers).clone();
                        (entry, hand.truths[at].clone())
                    }
                    _ => {
                        let word = if self.rng.chance(30) { "true" } else { "false" };
                        let condition = self.def(format!("arith.constant {word}"));
                        (self.rng.pick(&hand.buffers).clone(), condition)
                    }
                };
                entries.push(entry);
                conditions.push(condition);
            }
            let n_retained = self.rng.range(usize::from(hand.truths.is_empty()), 3);
            let retained = self.picked(&hand.buffers, n_retained);
            let types = |n: usize| vec![TY; n].join(", ");
            let mut text = format!(
                "bufferization.dealloc ({} : {}) if ({})",
                entries.join(", "),
                types(n),
                conditions.join(", ")
            );
            if n_retained == 0 {
                self.line(text);
                continue;
            }
            text += &format!(" retain ({} : {})", retained.join(", "), types(n_retained));
            let number = self.fresh();
            let name = format!("%d{}", &number[1..]);
            self.line(format!("{name}:{n_retained} = {text}"));
            for at in 0..n_retained {
                let truth = format!("{name}#{at}");
                if is_parallel {
                    let place = self.index(hand.truths.len() as i64);
                    self.line(format!(
                        "memref.store {truth}, {shown}[{i}, {place}] : {truths}"
                    ));
                } else {
                    self.results.push((truth.clone(), "i1".to_owned()));
                }
                hand.truths.push(truth);
            }
        }
        if is_parallel {
            self.line("scf.reduce");
            self.indent -= 1;
            self.line("}");
            self.results.push((shown, truths.to_owned()));
        }
        for before in ["", "canonicalize,"] {
            self.pipelines
                .push(format!("{before}buffer-deallocation-simplification"));
        }
        let lowering = *self.rng.pick(&["auto", "generic", "specialized"]);
        self.pipelines.push(format!(
            "bufferization-lower-deallocations{{lowering={lowering}}}"
        ));
    }

    /// One dealloc of many entries, some of them twice, at the ends of what tables of the runtime hold.
    fn deallocs_of_many(&mut self) {
        // Those of hundreds take as long as many others.
        let n = match self.rng.below(10) {
            0 => *self.rng.pick(&[256, 257, 257]),
            _ => *self.rng.pick(&[12, 20, 33, 64, 65]),
        };
        let percent = self.rng.range(10, 60);
        let mut entries: Vec<String> = Vec::new();
        while entries.len() < n {
            match !entries.is_empty() && self.rng.chance(percent) {
                true => {
                    // An entry that is there is no other buffer, whatever its name is.
                    let again = self.rng.pick(&entries).clone();
                    let c = self.some_truth();
                    let name = self.def(format!("arith.select {c}, {again}, {again} : {TY}"));
                    entries.push(if self.rng.chance(50) { again } else { name });
                }
                false => {
                    let new = self.def(format!("memref.alloc() : {TY}"));
                    entries.push(new);
                }
            }
        }
        let [yes, no] = ["true", "false"].map(|word| self.def(format!("arith.constant {word}")));
        // The last one has the greatest number.
        let first = match self.rng.chance(50) {
            true => entries[n - 1].clone(),
            false => self.rng.pick(&entries).clone(),
        };
        let held = self.filled(TY);
        let (c, zero) = (self.some_truth(), self.index(0));
        // Which of the two is retained, who runs the program knows.
        let retained = self.def(format!("arith.select {c}, {first}, {held} : {TY}"));
        let conditions: Vec<&str> = (0..n)
            .map(|_| {
                if self.rng.chance(95) {
                    yes.as_str()
                } else {
                    no.as_str()
                }
            })
            .collect();
        let number = self.fresh();
        let name = format!("%d{}", &number[1..]);
        self.line(format!(
            "{name} = bufferization.dealloc ({} : {}) if ({}) retain ({retained} : {TY})",
            entries.join(", "),
            vec![TY; n].join(", "),
            conditions.join(", "),
        ));
        let x = self.def(format!("memref.load {held}[{zero}] : {TY}"));
        self.results.push((x, "i32".to_owned()));
        self.results.push((name, "i1".to_owned()));
        self.words.push("dealloc-lowering=runtime");
    }

    /// Another name of one of these buffers: what a region or a block hands on, a view, or what memory holds.
    fn other_name(&mut self, buffers: &[String], with_blocks: bool) -> String {
        let [a, b] = [0, 1].map(|_| self.rng.pick(buffers).clone());
        let c = self.some_truth();
        let number = self.fresh();
        let number = number[1..].to_owned();
        match self.rng.below(6) {
            0 => self.def(format!("arith.select {c}, {a}, {b} : {TY}")),
            1 => {
                let name = format!("%w{number}");
                self.line(format!("{name} = scf.if {c} -> ({TY}) {{"));
                self.inside(|t| t.line(format!("scf.yield {a} : {TY}")));
                self.line("} else {");
                self.inside(|t| t.line(format!("scf.yield {b} : {TY}")));
                self.line("}");
                name
            }
            2 if with_blocks => {
                let (label, name) = (format!("^b{number}"), format!("%w{number}"));
                self.line(format!(
                    "cf.cond_br {c}, {label}({a} : {TY}), {label}({b} : {TY})"
                ));
                self.line(format!("{label}({name}: {TY}):"));
                name
            }
            3 => {
                let open = self.def(format!("memref.cast {a} : {TY} to memref<?xi32>"));
                self.def(format!("memref.cast {open} : memref<?xi32> to {TY}"))
            }
            _ => {
                // What memory holds may be any of them.
                let holder = format!("memref<2x{TY}>");
                let held = self.def(format!("memref.alloca() : {holder}"));
                let (zero, one) = (self.index(0), self.index(1));
                self.line(format!("memref.store {a}, {held}[{zero}] : {holder}"));
                self.line(format!("memref.store {b}, {held}[{one}] : {holder}"));
                let place = self.rng.below(2) as i64;
                let place = self.opaque(place);
                self.def(format!("memref.load {held}[{place}] : {holder}"))
            }
        }
    }

    /// Owners that loops, branches and blocks hand on, in another order than their buffers, or beside others.
    fn travelling_owners(&mut self) {
        let mut hand = Hand::default();
        for _ in 0..self.rng.range(2, 4) {
            let new = self.filled(TY);
            let owner = self.def(format!("deallocation.own {new} : {TY}"));
            hand.buffers.push(new);
            hand.owners.push(owner);
        }
        if self.rng.chance(25) {
            let null = self.def("deallocation.null");
            hand.owners.insert(0, null);
        }
        let kept = self.filled(TY);
        for _ in 0..self.rng.range(2, 4) {
            self.travel(&mut hand);
            let read = self.rng.pick(&hand.buffers).clone();
            self.add_first(&read, &kept);
        }
        // All of them are freed but those whose buffers are retained.
        let n_retained = self.rng.below(3);
        if n_retained > 0 && self.rng.chance(35) {
            let retained = self.picked(&hand.buffers, n_retained);
            let number = self.fresh();
            let name = format!("%r{}", &number[1..]);
            let n = self.rng.range(1, hand.owners.len());
            let owners: Vec<String> = hand.owners.drain(..n).collect();
            let types = vec![OWNER; n].join(", ");
            self.line(format!(
                "{name}:{n_retained} = deallocation.retain({}) of({}) : ({}, {types}) -> ({})",
                retained.join(", "),
                owners.join(", "),
                vec![TY; n_retained].join(", "),
                vec![OWNER; n_retained].join(", "),
            ));
            for buffer in &retained {
                self.add_first(buffer, &kept);
            }
            (hand.owners).extend((0..n_retained).map(|at| format!("{name}#{at}")));
        }
        for owner in std::mem::take(&mut hand.owners) {
            if self.rng.chance(90) {
                self.line(format!(
                    "deallocation.retain() of({owner}) : ({OWNER}) -> ()"
                ));
            }
            // One that another owner has.
            if self.rng.chance(45) {
                let read = self.rng.pick(&hand.buffers).clone();
                self.add_first(&read, &kept);
            }
        }
        self.results.push((kept, TY.to_owned()));
        for pipeline in [
            "hlo-deallocation-simplification",
            "hlo-deallocation-simplification,hlo-deallocation-to-scf",
            "canonicalize,hlo-deallocation-simplification,hlo-buffer-reuse",
        ] {
            self.pipelines.push(pipeline.to_owned());
        }
    }

    /// Adds the first element of a buffer to that of another one.
    fn add_first(&mut self, from: &str, to: &str) {
        let zero = self.index(0);
        let ty = TY;
        let x = self.def(format!("memref.load {from}[{zero}] : {ty}"));
        let y = self.def(format!("memref.load {to}[{zero}] : {ty}"));
        let sum = self.mixed(&y, &x, "i32");
        self.line(format!("memref.store {sum}, {to}[{zero}] : {ty}"));
    }

    fn shuffled(&mut self, mut list: Vec<String>) -> Vec<String> {
        for at in (1..list.len()).rev() {
            if self.rng.chance(40) {
                let other = self.rng.below(at + 1);
                list.swap(at, other);
            }
        }
        list
    }

    /// Buffers and their owners in another order, most often the same for both.
    fn turned(
        &mut self,
        buffers: &[String],
        owners: &[String],
        all: &[String],
    ) -> (Vec<String>, Vec<String>) {
        let (mut buffers, mut owners) = (buffers.to_vec(), owners.to_vec());
        let by = self.rng.below(owners.len());
        buffers.rotate_left(by);
        owners.rotate_left(by);
        match self.rng.below(6) {
            0 => buffers = self.picked(all, buffers.len()),
            1 => owners = self.shuffled(owners),
            _ => {}
        }
        (buffers, owners)
    }

    /// A loop, a branch or a block that hands on some buffers and owners: each owner once, each buffer as often as it
    /// likes.
    fn travel(&mut self, hand: &mut Hand) {
        let most = hand.owners.len().min(hand.buffers.len()).min(3);
        let n_owners = self.rng.range(2, most);
        let n_buffers = n_owners;
        // The last buffers are those of the owners, in their order, unless some were mixed up.
        if self.rng.chance(30) {
            hand.owners = self.shuffled(std::mem::take(&mut hand.owners));
        }
        let owners: Vec<String> = hand.owners.split_off(hand.owners.len() - n_owners);
        let buffers = hand.buffers[hand.buffers.len() - n_buffers..].to_vec();
        let n = n_buffers + n_owners;
        let types = [vec![TY; n_buffers], vec![OWNER; n_owners]].concat();
        let list = types.join(", ");
        let number = self.fresh();
        let number = number[1..].to_owned();
        let name = format!("%w{number}");
        let all = hand.buffers.clone();
        let results: Vec<String> = match self.rng.below(5) {
            0..3 => {
                let c = self.some_truth();
                self.line(format!("{name}:{n} = scf.if {c} -> ({list}) {{"));
                let mut ways = Vec::new();
                for at in 0..2 {
                    let (yielded, owners) = self.turned(&buffers, &owners, &all);
                    ways.push(yielded.clone());
                    self.inside(|t| {
                        let values = [yielded, owners].concat().join(", ");
                        t.line(format!("scf.yield {values} : {list}"));
                    });
                    self.line(if at == 0 { "} else {" } else { "}" });
                }
                let mut results: Vec<String> = (0..n).map(|at| format!("{name}#{at}")).collect();
                if self.rng.chance(60) {
                    // Buffers that go the same ways under another condition.
                    let c = self.some_truth();
                    let list = vec![TY; n_buffers].join(", ");
                    self.line(format!("{name}x:{n_buffers} = scf.if {c} -> ({list}) {{"));
                    for (at, yielded) in ways.into_iter().enumerate() {
                        let values = yielded.join(", ");
                        self.inside(|t| t.line(format!("scf.yield {values} : {list}")));
                        self.line(if at == 0 { "} else {" } else { "}" });
                    }
                    for (at, result) in results.iter_mut().enumerate().take(n_buffers) {
                        *result = format!("{name}x#{at}");
                    }
                }
                results
            }
            3 => {
                let trips = self.rng.below(4) as i64;
                let (zero, one, end) = (self.index(0), self.index(1), self.opaque(trips));
                let carried: Vec<String> = (0..n).map(|at| format!("%a{number}_{at}")).collect();
                let inits = [buffers.clone(), owners].concat();
                let pairs: Vec<String> = (carried.iter().zip(&inits))
                    .map(|(to, from)| format!("{to} = {from}"))
                    .collect();
                self.line(format!(
                    "{name}:{n} = scf.for %i{number} = {zero} to {end} step {one} iter_args({}) -> ({list}) {{",
                    pairs.join(", ")
                ));
                self.inside(|t| {
                    let inner = [all.clone(), carried[..n_buffers].to_vec()].concat();
                    let yielded = match t.rng.chance(50) {
                        true => t.shuffled(carried[..n_buffers].to_vec()),
                        false => t.picked(&inner, n_buffers),
                    };
                    let owners = t.shuffled(carried[n_buffers..].to_vec());
                    let values = [yielded, owners].concat().join(", ");
                    t.line(format!("scf.yield {values} : {list}"));
                });
                self.line("}");
                (0..n).map(|at| format!("{name}#{at}")).collect()
            }
            _ => {
                let c = self.some_truth();
                let label = format!("^b{number}");
                let ways: Vec<String> = (0..2)
                    .map(|_| {
                        let (yielded, owners) = self.turned(&buffers, &owners, &all);
                        format!(
                            "{label}({} : {list})",
                            [yielded, owners].concat().join(", ")
                        )
                    })
                    .collect();
                self.line(format!("cf.cond_br {c}, {}", ways.join(", ")));
                let arguments: Vec<String> = (0..n).map(|at| format!("%a{number}_{at}")).collect();
                let typed: Vec<String> = (arguments.iter().zip(&types))
                    .map(|(name, ty)| format!("{name}: {ty}"))
                    .collect();
                self.line(format!("{label}({}):", typed.join(", ")));
                arguments
            }
        };
        hand.buffers.extend_from_slice(&results[..n_buffers]);
        hand.owners.extend_from_slice(&results[n_buffers..]);
    }

    /// Buffers of two sizes that begin and end one after the other, in blocks and in loops that hand one on, between
    /// loops, and with copies.
    fn frees_in_between(&mut self) {
        let kept = self.filled(TY);
        let mut there: Vec<(String, i64)> = Vec::new();
        let n = self.rng.range(4, 12);
        self.frees(&kept, &mut there, n, 0);
        while let Some((name, size)) = there.pop() {
            let ty = format!("memref<{size}xi32>");
            if self.rng.chance(30) {
                self.results.push((name, ty));
            } else {
                self.line(format!("memref.dealloc {name} : {ty}"));
            }
        }
        self.results.push((kept, TY.to_owned()));
        self.pipelines
            .push("hlo-buffer-reuse,reuse-loop-buffers{always=true}".to_owned());
        for pass in [
            "reuse-loop-buffers",
            "fuse-loops",
            "merge-alloc{never-grow=true}",
        ] {
            self.promised.push(["cse".to_owned(), pass.to_owned()]);
        }
    }

    /// Buffers that begin and end as on a stack, all of other sizes but for some of one size: what is freed may be the
    /// next one of that size unless others come and go in between.
    fn stacked(&mut self) {
        let kept = self.filled(TY);
        let mut there: Vec<(String, i64)> = Vec::new();
        for at in 0..self.rng.range(6, 14) {
            if !there.is_empty() && self.rng.chance(55) {
                self.free_last(&kept, &mut there);
                continue;
            }
            let size = if self.rng.chance(50) {
                8
            } else {
                9 + at as i64
            };
            let new = self.filled(&format!("memref<{size}xi32>"));
            there.push((new, size));
        }
        while !there.is_empty() {
            self.free_last(&kept, &mut there);
        }
        self.results.push((kept, TY.to_owned()));
        let reuse = "hlo-buffer-reuse{max-stack-bytes=0}";
        self.promised.push(["cse".to_owned(), reuse.to_owned()]);
        self.pipelines.push("hlo-buffer-reuse".to_owned());
    }

    /// Reads the last buffer and frees it.
    fn free_last(&mut self, kept: &str, there: &mut Vec<(String, i64)>) {
        if let Some((name, size)) = there.pop() {
            let ty = format!("memref<{size}xi32>");
            let place = self.rng.below(size as usize) as i64;
            let (zero, place) = (self.index(0), self.index(place));
            let x = self.def(format!("memref.load {name}[{place}] : {ty}"));
            let y = self.def(format!("memref.load {kept}[{zero}] : {TY}"));
            let sum = self.mixed(&y, &x, "i32");
            self.line(format!("memref.store {sum}, {kept}[{zero}] : {TY}"));
            self.line(format!("memref.dealloc {name} : {ty}"));
        }
    }

    /// The one that is freed next.
    fn next_freed(&mut self, there: &mut Vec<(String, i64)>) -> (String, i64) {
        let at = self.rng.below(there.len());
        there.remove(at)
    }

    fn frees(&mut self, kept: &str, there: &mut Vec<(String, i64)>, n: usize, depth: usize) {
        let sizes = [4, 4, 8, 16, 32];
        for _ in 0..n {
            match self.rng.below(13) {
                0..3 => {
                    let size = *self.rng.pick(&sizes);
                    let ty = format!("memref<{size}xi32>");
                    let name = match self.rng.below(3) {
                        0 => self.numbered(size, "i32"),
                        _ => self.filled(&ty),
                    };
                    there.push((name, size));
                }
                3..6 if !there.is_empty() => {
                    let (name, size) = self.next_freed(there);
                    let ty = format!("memref<{size}xi32>");
                    if self.rng.chance(30) {
                        // A copy of it or of another one comes first.
                        let same: Vec<String> = (there.iter())
                            .filter(|other| other.1 == size)
                            .map(|other| other.0.clone())
                            .chain([name.clone()])
                            .collect();
                        let from = self.rng.pick(&same).clone();
                        let to = self.def(format!("memref.alloc() : {ty}"));
                        self.line(format!("memref.copy {from}, {to} : {ty} to {ty}"));
                        there.push((to, size));
                    }
                    self.line(format!("memref.dealloc {name} : {ty}"));
                }
                6..8 if !there.is_empty() => {
                    let (name, size) = self.rng.pick(there).clone();
                    let ty = format!("memref<{size}xi32>");
                    let (zero, end) = (self.index(0), self.index(size));
                    match self.rng.below(3) {
                        0 => {
                            let place = self.rng.below(size as usize) as i64;
                            let place = self.index(place);
                            let x = self.def(format!("memref.load {name}[{place}] : {ty}"));
                            let y = self.def(format!("memref.load {kept}[{zero}] : {TY}"));
                            let sum = self.mixed(&y, &x, "i32");
                            self.line(format!("memref.store {sum}, {kept}[{zero}] : {TY}"));
                        }
                        kind => {
                            // Loops of one length come after one another.
                            let from = there.iter().rfind(|other| other.1 == size);
                            let from = from.cloned().unwrap_or((name.clone(), size)).0;
                            let by = self.constant("i32");
                            self.for_loop(&zero, &end, |t, i| {
                                let x = match kind {
                                    1 => t.def(format!("memref.load {from}[{i}] : {ty}")),
                                    _ => t.number_of(i, "i32"),
                                };
                                let value = t.mixed(&x, &by, "i32");
                                t.line(format!("memref.store {value}, {name}[{i}] : {ty}"));
                            });
                        }
                    }
                }
                8 if depth < 2 => {
                    let trips = self.rng.below(4) as i64;
                    let (zero, end) = (self.index(0), self.number(trips, 60));
                    let n = self.rng.range(2, 5);
                    let kept = kept.to_owned();
                    self.for_loop(&zero, &end, |t, _| {
                        let mut inner = Vec::new();
                        t.frees(&kept, &mut inner, n, depth + 1);
                        for (name, size) in inner {
                            t.line(format!("memref.dealloc {name} : memref<{size}xi32>"));
                        }
                    });
                }
                9 if depth < 2 && !there.is_empty() => {
                    let at = self.rng.below(there.len());
                    let carried = there.remove(at);
                    let name = self.handed_on(kept, carried.clone(), depth);
                    there.push((name, carried.1));
                }
                12 if depth < 2 && !there.is_empty() => {
                    // Each way frees it, or hands it on to what is behind.
                    let (name, size) = self.next_freed(there);
                    let ty = format!("memref<{size}xi32>");
                    let c = self.some_truth();
                    let zero = self.index(0);
                    self.line(format!("scf.if {c} {{"));
                    for at in 0..2 {
                        self.inside(|t| {
                            if t.rng.chance(50) {
                                let x = t.def(format!("memref.load {name}[{zero}] : {ty}"));
                                let y = t.def(format!("memref.load {kept}[{zero}] : {TY}"));
                                let sum = t.mixed(&y, &x, "i32");
                                t.line(format!("memref.store {sum}, {kept}[{zero}] : {TY}"));
                            }
                            t.line(format!("memref.dealloc {name} : {ty}"));
                        });
                        self.line(if at == 0 { "} else {" } else { "}" });
                    }
                }
                10 | 11 if !there.is_empty() => self.loops_in_a_row(kept, there),
                _ => {}
            }
        }
    }

    /// Loops of one length, between which buffers end and others begin.
    fn loops_in_a_row(&mut self, kept: &str, there: &mut Vec<(String, i64)>) {
        let size = *self.rng.pick(&[4, 8, 16]);
        let (zero, end) = (self.index(0), self.index(size));
        for _ in 0..self.rng.range(2, 4) {
            let fits: Vec<(String, i64)> =
                there.iter().filter(|it| it.1 >= size).cloned().collect();
            let (to, to_size) = match fits.is_empty() || self.rng.chance(50) {
                true => {
                    // The loop writes all of it.
                    let new = self.def(format!("memref.alloc() : memref<{size}xi32>"));
                    there.push((new.clone(), size));
                    (new, size)
                }
                false => self.rng.pick(&fits).clone(),
            };
            let from = fits.last().cloned();
            let by = self.constant("i32");
            self.for_loop(&zero, &end, |t, i| {
                let x = match &from {
                    Some((from, n)) => t.def(format!("memref.load {from}[{i}] : memref<{n}xi32>")),
                    None => t.number_of(i, "i32"),
                };
                let value = t.mixed(&x, &by, "i32");
                t.line(format!(
                    "memref.store {value}, {to}[{i}] : memref<{to_size}xi32>"
                ));
            });
            if self.rng.chance(60) && !there.is_empty() {
                let (name, size) = self.next_freed(there);
                let ty = format!("memref<{size}xi32>");
                if self.rng.chance(40) {
                    let place = self.index(size - 1);
                    let x = self.def(format!("memref.load {name}[{place}] : {ty}"));
                    let y = self.def(format!("memref.load {kept}[{zero}] : {TY}"));
                    let sum = self.mixed(&y, &x, "i32");
                    self.line(format!("memref.store {sum}, {kept}[{zero}] : {TY}"));
                }
                self.line(format!("memref.dealloc {name} : {ty}"));
            }
        }
        for (name, size) in there.iter().rev().take(3) {
            if self.rng.chance(50) {
                let ty = format!("memref<{size}xi32>");
                let x = self.def(format!("memref.load {name}[{zero}] : {ty}"));
                let y = self.def(format!("memref.load {kept}[{zero}] : {TY}"));
                let sum = self.mixed(&y, &x, "i32");
                self.line(format!("memref.store {sum}, {kept}[{zero}] : {TY}"));
            }
        }
    }

    /// A loop that frees the buffer that it is given and hands a new one on.
    fn handed_on(&mut self, kept: &str, (init, size): (String, i64), depth: usize) -> String {
        let ty = format!("memref<{size}xi32>");
        let [name, a] = self.begin_carrying(&init, &ty);
        self.inside(|t| {
            let mut inner = Vec::new();
            let is_early = t.rng.chance(50);
            let n = t.rng.below(3);
            t.frees(kept, &mut inner, n, depth + 1);
            let zero = t.index(0);
            let x = t.def(format!("memref.load {a}[{zero}] : {ty}"));
            if is_early {
                t.line(format!("memref.dealloc {a} : {ty}"));
                let n = t.rng.below(4);
                t.frees(kept, &mut inner, n, depth + 1);
            }
            let new = t.filled(&ty);
            if !is_early {
                let n = t.rng.below(3);
                t.frees(kept, &mut inner, n, depth + 1);
                t.line(format!("memref.dealloc {a} : {ty}"));
            }
            let value = t.mixed(&x, &x, "i32");
            t.line(format!("memref.store {value}, {new}[{zero}] : {ty}"));
            for (name, size) in inner {
                t.line(format!("memref.dealloc {name} : memref<{size}xi32>"));
            }
            t.line(format!("scf.yield {new} : {ty}"));
        });
        self.line("}");
        name
    }
}
