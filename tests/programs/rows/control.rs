//! Loops and branches.

use super::build::{Gen, Parallel};
use super::types::{Elem, Mem, Ty};

/// Most runs of a body.
pub(super) const MOST_REPEATS: i64 = 2500;

impl Gen<'_> {
    /// Types of values that loops and branches hand on.
    fn flowing(&mut self, least: usize) -> Vec<Ty> {
        if self.parallel.is_none() && self.rng.chance(3) {
            // Many buffers of one type.
            let dims = vec![self.dim(30)];
            let ty = Ty::MemRef(Mem::new(dims, self.elem()));
            self.buffers_flow = true;
            return vec![ty; self.rng.range(4, 20)];
        }
        if self.parallel.is_none() && self.rng.chance(6) {
            // Buffers that change places, and a number.
            let dims = vec![self.dim(30)];
            let ty = Ty::MemRef(Mem::new(dims, self.elem()));
            self.buffers_flow = true;
            let mut types = vec![ty; self.rng.range(2, 3)];
            types.push(self.flowing_type());
            return types;
        }
        let n = self.rng.range(least, 3);
        (0..n).map(|_| self.flowing_type()).collect()
    }

    pub(super) fn flowing_type(&mut self) -> Ty {
        let elem = self.elem();
        match self.rng.below(10) {
            0..5 => Ty::Scalar(elem),
            5 => Ty::INDEX,
            6 => Ty::Vector(vec![self.vector_size()], self.vector_elem()),
            7 | 8 => match self.pick(|value| matches!(value.ty, Ty::Tensor(..))) {
                Some(tensor) => tensor.ty,
                None => Ty::Scalar(elem),
            },
            _ if self.parallel.is_none() => {
                let roots: Vec<bool> = (self.roots.iter())
                    .map(|root| root.is_writable && !root.is_freed && root.is_handed)
                    .collect();
                let buffer = self.pick(|value| {
                    value.ty.as_mem().is_some_and(Self::has_type_to_hand_on)
                        && (value.root == 0 || roots[value.root])
                });
                match buffer {
                    Some(buffer) => {
                        self.buffers_flow = true;
                        buffer.ty
                    }
                    None => Ty::Scalar(elem),
                }
            }
            _ => Ty::Scalar(elem),
        }
    }

    /// A value of a type to hand on. Of a buffer: one that nobody frees by hand.
    pub(super) fn handed(&mut self, ty: &Ty) -> String {
        let Ty::MemRef(mem) = ty else {
            return self.value_of(ty);
        };
        let roots: Vec<bool> = (self.roots.iter())
            .map(|root| root.is_writable && !root.is_freed && root.is_handed)
            .collect();
        let found = self.pick(|value| value.ty == *ty && (value.root == 0 || roots[value.root]));
        match found {
            Some(found) if self.rng.chance(80) => found.name,
            _ => {
                let scalar = Ty::Scalar(mem.elem);
                let filler = self.value_of(&scalar);
                let value = self.allocate(mem.clone(), true);
                self.line(format!(
                    "linalg.fill ins({filler} : {}) outs({} : {})",
                    scalar.text(),
                    value.name,
                    ty.text()
                ));
                value.name
            }
        }
    }

    pub(super) fn handed_all(&mut self, types: &[Ty]) -> Vec<String> {
        types.iter().map(|ty| self.handed(ty)).collect()
    }

    pub(super) fn type_list(types: &[Ty]) -> String {
        let texts: Vec<String> = types.iter().map(Ty::text).collect();
        texts.join(", ")
    }

    /// `%a:2 = ` and the names of its parts, which are not in scope yet.
    pub(super) fn results(&mut self, n: usize) -> (String, Vec<String>) {
        let name = self.fresh();
        match n {
            0 => (String::new(), Vec::new()),
            1 => (format!("{name} = "), vec![name]),
            _ => {
                let parts = (0..n).map(|at| format!("{name}#{at}")).collect();
                (format!("{name}:{n} = "), parts)
            }
        }
    }

    pub(super) fn push_all(&mut self, names: Vec<String>, types: &[Ty]) {
        for (name, ty) in names.into_iter().zip(types) {
            let value = self.value(name, ty.clone());
            self.values.push(value);
        }
    }

    pub(super) fn yield_line(&mut self, what: &str, names: &[String], types: &[Ty]) {
        match names.is_empty() {
            true => self.line(what),
            false => self.line(format!(
                "{what} {} : {}",
                names.join(", "),
                Self::type_list(types)
            )),
        }
    }

    /// A trip count that does not make the program slow.
    pub(super) fn trips(&mut self) -> i64 {
        let most = (MOST_REPEATS / self.repeats).clamp(1, 24);
        let n = *self.rng.pick(&[4, 8, 3, 5, 16, 2, 7, 1, 0, 17, 9, 24, 12]);
        n.min(most)
    }

    /// Statements that run this often.
    pub(super) fn repeated(&mut self, n: i64, budget: usize) {
        let before = self.repeats;
        self.repeats *= n.max(1);
        self.statements(budget);
        self.repeats = before;
    }

    pub(super) fn counter(&mut self, name: &str, range: (i64, i64), is_dim: bool) {
        let mut value = self.value(name.to_owned(), Ty::INDEX);
        value.range = Some((range.0, range.1.max(range.0)));
        value.is_dim = is_dim;
        self.values.push(value);
    }

    pub(super) fn control(&mut self, budget: usize) {
        match self.rng.below(21) {
            0..5 => self.scf_for(budget),
            5..8 => self.affine_for(budget),
            8 => self.scf_while(budget),
            9..11 => self.parallel_loop(budget),
            11..13 => self.scf_if(budget),
            13 => self.index_switch(budget),
            14 => self.execute_region(budget),
            15 => self.affine_if(budget),
            16 => self.forall_tensor(budget),
            17 => self.reducing_loop(),
            18 => self.alloca_scope(budget),
            19 => self.call(budget),
            _ => self.recursive_call(budget),
        }
    }

    fn scf_for(&mut self, budget: usize) {
        let n = self.trips();
        let step = *self.rng.pick(&[1, 1, 1, 2, 3, 4]);
        let low = *self.rng.pick(&[0, 0, 0, 1, 2, 5]);
        let high = if n == 0 {
            low
        } else {
            low + (n - 1) * step + 1 + self.rng.below(step as usize) as i64
        };
        let types = self.flowing(0);
        let inits = self.handed_all(&types);
        let ints = self.rng.chance(15);
        let (from, to, by) = (
            self.number(low).name,
            self.number(high).name,
            self.number(step).name,
        );
        let (from, to, by) = match ints {
            true => {
                let mut cast = |name: &str| {
                    self.define(
                        Ty::Scalar(Elem::Int(32)),
                        format!("arith.index_cast {name} : index to i32"),
                    )
                    .name
                };
                (cast(&from), cast(&to), cast(&by))
            }
            false => (from, to, by),
        };
        let (head, results) = self.results(types.len());
        let counter = self.fresh();
        let names: Vec<String> = types.iter().map(|_| self.fresh()).collect();
        let args = match types.is_empty() {
            true => String::new(),
            false => {
                let pairs: Vec<String> = names
                    .iter()
                    .zip(&inits)
                    .map(|(name, init)| format!("{name} = {init}"))
                    .collect();
                format!(
                    " iter_args({}) -> ({})",
                    pairs.join(", "),
                    Self::type_list(&types)
                )
            }
        };
        let kind = if ints { " : i32" } else { "" };
        self.line(format!(
            "{head}scf.for {counter} = {from} to {to} step {by}{args}{kind} {{"
        ));
        self.scope(|g| {
            let range = (low, low + (n - 1).max(0) * step);
            match ints {
                true => {
                    let value = g.value(counter.clone(), Ty::Scalar(Elem::Int(32)));
                    g.values.push(value);
                    g.define_index(range, format!("arith.index_cast {counter} : i32 to index"));
                }
                false => g.counter(&counter, range, false),
            }
            g.push_all(names.clone(), &types);
            g.repeated(n, budget);
            let mut yielded = g.yielded(&types);
            g.exchange(&mut yielded, &names, &types);
            g.yield_line("scf.yield", &yielded, &types);
        });
        self.line("}");
        self.push_all(results, &types);
    }

    /// Has buffers of one type change places, two or all of them in a circle.
    fn exchange(&mut self, yielded: &mut [String], names: &[String], types: &[Ty]) {
        let places: Vec<usize> = (0..types.len())
            .filter(|&at| types[at] == types[0] && types[at].as_mem().is_some())
            .collect();
        if places.len() < 2 || !self.rng.chance(50) {
            return;
        }
        let n = self.rng.range(2, places.len());
        for (at, &place) in places[..n].iter().enumerate() {
            yielded[place].clone_from(&names[places[(at + 1) % n]]);
        }
    }

    /// What a body hands on: what was computed last, more often than not.
    fn yielded(&mut self, types: &[Ty]) -> Vec<String> {
        types
            .iter()
            .map(|ty| match ty {
                Ty::Scalar(elem) if self.rng.chance(60) => {
                    let (a, b) = (self.value_of(ty), self.value_of(ty));
                    self.combined(&a, &b, *elem)
                }
                _ => self.handed(ty),
            })
            .collect()
    }

    fn affine_for(&mut self, budget: usize) {
        let n = self.trips();
        let step = *self.rng.pick(&[1, 1, 1, 2, 3]);
        let low = *self.rng.pick(&[0, 0, 1, 3]);
        let high = low + n * step
            - if step > 1 && n > 0 {
                self.rng.below(step as usize) as i64
            } else {
                0
            };
        let types: Vec<Ty> = self
            .flowing(0)
            .into_iter()
            .filter(|ty| !matches!(ty, Ty::MemRef(_)))
            .collect();
        let inits = self.handed_all(&types);
        // Bounds that depend on other loops: at least some runs, no more than `n`.
        let outer = self.pick(|value| {
            value.is_dim && value.range.is_some_and(|(low, high)| low >= 0 && high < 30)
        });
        let (mut from, mut to) = (low.to_string(), high.to_string());
        if let Some(outer) = outer {
            match self.rng.below(4) {
                0 => {
                    to = format!(
                        "min affine_map<(d0) -> (d0 + {low}, {high})>({})",
                        outer.name
                    )
                }
                1 => from = format!("max affine_map<(d0) -> (d0, {low})>({})", outer.name),
                2 if n > 0 => {
                    let (_, most) = outer.range.unwrap_or_default();
                    if most <= 12 {
                        to = format!("affine_map<(d0) -> (d0 + {low})>({})", outer.name);
                    }
                }
                _ => {}
            }
        }
        let most = self.rng.below(2);
        let (head, results) = self.results(types.len());
        let counter = self.fresh();
        let names: Vec<String> = types.iter().map(|_| self.fresh()).collect();
        let args = match types.is_empty() {
            true => String::new(),
            false => {
                let pairs: Vec<String> = names
                    .iter()
                    .zip(&inits)
                    .map(|(name, init)| format!("{name} = {init}"))
                    .collect();
                format!(
                    " iter_args({}) -> ({})",
                    pairs.join(", "),
                    Self::type_list(&types)
                )
            }
        };
        let by = if step > 1 || most == 0 {
            format!(" step {step}")
        } else {
            String::new()
        };
        let last = (high - 1).max(low);
        let last = if to.starts_with("affine_map") {
            low + 12
        } else {
            last
        };
        let most_low = if from.starts_with("max") {
            last.max(30)
        } else {
            last
        };
        self.line(format!(
            "{head}affine.for {counter} = {from} to {to}{by}{args} {{"
        ));
        self.scope(|g| {
            g.counter(&counter, (low, last.max(most_low.min(last))), true);
            g.push_all(names, &types);
            g.repeated(n.max(if last > high { 12 } else { 1 }), budget);
            let yielded = g.yielded(&types);
            g.yield_line("affine.yield", &yielded, &types);
        });
        self.line("}");
        self.push_all(results, &types);
    }

    fn scf_while(&mut self, budget: usize) {
        let n = self.trips();
        let types: Vec<Ty> = self.flowing(1);
        let inits = self.handed_all(&types);
        let (from, to, one) = (self.number(0).name, self.number(n).name, self.index(1).name);
        let mut all = vec![Ty::INDEX];
        all.extend(types.iter().cloned());
        let list = Self::type_list(&all);
        let (head, results) = self.results(all.len());
        let counter = self.fresh();
        let names: Vec<String> = types.iter().map(|_| self.fresh()).collect();
        let mut pairs = vec![format!("{counter} = {from}")];
        pairs.extend(
            names
                .iter()
                .zip(&inits)
                .map(|(name, init)| format!("{name} = {init}")),
        );
        self.line(format!(
            "{head}scf.while ({}) : ({list}) -> ({list}) {{",
            pairs.join(", ")
        ));
        let after = self.fresh();
        let after_names: Vec<String> = types.iter().map(|_| self.fresh()).collect();
        self.scope(|g| {
            g.counter(&counter, (0, n), false);
            g.push_all(names.clone(), &types);
            if g.rng.chance(30) {
                g.repeated(n + 1, 1);
            }
            let goes_on = g
                .define(Ty::BOOL, format!("arith.cmpi slt, {counter}, {to} : index"))
                .name;
            let mut handed = vec![counter.clone()];
            handed.extend(
                types
                    .iter()
                    .zip(&names)
                    .map(|(ty, name)| match g.rng.chance(60) {
                        true => name.clone(),
                        false => g.handed(ty),
                    }),
            );
            g.line(format!(
                "scf.condition({goes_on}) {} : {list}",
                handed.join(", ")
            ));
        });
        self.line("} do {");
        self.scope(|g| {
            let mut arguments = vec![format!("{after} : index")];
            arguments.extend(
                after_names
                    .iter()
                    .zip(&types)
                    .map(|(name, ty)| format!("{name} : {}", ty.text())),
            );
            g.line(format!("^bb0({}):", arguments.join(", ")));
            g.counter(&after, (0, (n - 1).max(0)), false);
            g.push_all(after_names.clone(), &types);
            g.repeated(n, budget);
            let next = g
                .define(Ty::INDEX, format!("arith.addi {after}, {one} : index"))
                .name;
            let mut handed = vec![next];
            let mut yielded = g.yielded(&types);
            g.exchange(&mut yielded, &after_names, &types);
            handed.extend(yielded);
            g.line(format!("scf.yield {} : {list}", handed.join(", ")));
        });
        self.line("}");
        self.push_all(results, &all);
    }

    fn scf_if(&mut self, budget: usize) {
        let condition = self.value_of(&Ty::BOOL);
        let types = self.flowing(0);
        let (head, results) = self.results(types.len());
        let list = if types.is_empty() {
            String::new()
        } else {
            format!(" -> ({})", Self::type_list(&types))
        };
        self.line(format!("{head}scf.if {condition}{list} {{"));
        let arm = |g: &mut Self| {
            g.scope(|g| {
                g.statements(budget / 2 + 1);
                let yielded = g.handed_all(&types);
                if !types.is_empty() {
                    g.yield_line("scf.yield", &yielded, &types);
                }
            });
        };
        arm(self);
        if !types.is_empty() || self.rng.chance(60) {
            self.line("} else {");
            arm(self);
        }
        self.line("}");
        self.push_all(results, &types);
    }

    fn index_switch(&mut self, budget: usize) {
        let on = self.subscript(4);
        let types = self.flowing(0);
        let (head, results) = self.results(types.len());
        let list = if types.is_empty() {
            String::new()
        } else {
            format!(" -> {}", Self::type_list(&types))
        };
        self.line(format!("{head}scf.index_switch {on}{list}"));
        let mut cases: Vec<String> = vec!["case 0 {".into(), "case 2 {".into()];
        cases.truncate(self.rng.range(1, 2));
        cases.push("default {".into());
        for case in cases {
            self.line(case);
            self.scope(|g| {
                g.statements(budget / 3 + 1);
                let yielded = g.handed_all(&types);
                g.yield_line("scf.yield", &yielded, &types);
            });
            self.line("}");
        }
        self.push_all(results, &types);
    }

    fn affine_if(&mut self, budget: usize) {
        let Some(on) = self.pick(|value| value.is_dim && value.range.is_some()) else {
            return;
        };
        let types: Vec<Ty> = self
            .flowing(0)
            .into_iter()
            .filter(|ty| !matches!(ty, Ty::MemRef(_)))
            .collect();
        let (head, results) = self.results(types.len());
        let list = match types.len() {
            0 => String::new(),
            1 => format!(" -> {}", types[0].text()),
            _ => format!(" -> ({})", Self::type_list(&types)),
        };
        let k = self.rng.below(6);
        let set = match self.rng.below(4) {
            0 => format!("d0 - {k} >= 0"),
            1 => format!("d0 mod 2 == 0, {k} - d0 >= 0"),
            2 => format!("d0 - {k} == 0"),
            _ => format!("-d0 + {k} >= 0, d0 - 1 >= 0"),
        };
        self.line(format!(
            "{head}affine.if affine_set<(d0) : ({set})>({}){list} {{",
            on.name
        ));
        let arm = |g: &mut Self| {
            g.scope(|g| {
                g.statements(budget / 2 + 1);
                let yielded = g.handed_all(&types);
                if !types.is_empty() {
                    g.yield_line("affine.yield", &yielded, &types);
                }
            });
        };
        arm(self);
        if !types.is_empty() || self.rng.chance(50) {
            self.line("} else {");
            arm(self);
        }
        self.line("}");
        self.push_all(results, &types);
    }

    fn alloca_scope(&mut self, budget: usize) {
        let types: Vec<Ty> = self
            .flowing(0)
            .into_iter()
            .filter(|ty| !matches!(ty, Ty::MemRef(_)))
            .collect();
        let (head, results) = self.results(types.len());
        let list = if types.is_empty() {
            String::new()
        } else {
            format!(" -> ({})", Self::type_list(&types))
        };
        self.line(format!("{head}memref.alloca_scope{list} {{"));
        self.scope(|g| {
            let mem = g.some_mem();
            if mem.n() <= 200 {
                let scalar = Ty::Scalar(mem.elem);
                let filler = g.value_of(&scalar);
                let value = g.allocate(mem, false);
                g.line(format!(
                    "linalg.fill ins({filler} : {}) outs({} : {})",
                    scalar.text(),
                    value.name,
                    value.ty.text()
                ));
            }
            g.statements(budget / 2 + 1);
            let yielded = g.handed_all(&types);
            g.yield_line("memref.alloca_scope.return", &yielded, &types);
        });
        self.line("}");
        self.push_all(results, &types);
    }

    /// Blocks with branches: a choice, and a loop around it more often than not.
    fn execute_region(&mut self, budget: usize) {
        let types = self.flowing(1);
        let n = self.trips().min(6);
        let (head, results) = self.results(types.len());
        let inits = self.handed_all(&types);
        let list = Self::type_list(&types);
        let (zero, end, one) = (self.index(0).name, self.number(n).name, self.index(1).name);
        let labels: Vec<String> = (0..5).map(|_| self.fresh().replace("%v", "^b")).collect();
        let [top, left, right, join, out] = &labels[..] else {
            return;
        };
        self.line(format!("{head}scf.execute_region -> ({list}) {{"));
        let arguments = |names: &[String]| -> String {
            let all: Vec<String> = names
                .iter()
                .zip(&types)
                .map(|(name, ty)| format!("{name} : {}", ty.text()))
                .collect();
            all.join(", ")
        };
        let names: Vec<Vec<String>> = (0..4)
            .map(|_| types.iter().map(|_| self.fresh()).collect())
            .collect();
        let (counter, counter2) = (self.fresh(), self.fresh());
        self.scope(|g| {
            g.line(format!("cf.br {top}({zero}, {} : index, {list})", inits.join(", ")));
            g.indent -= 1;
            g.line(format!("{top}({counter} : index, {}):", arguments(&names[0])));
            g.indent += 1;
            g.scope(|g| {
                g.indent -= 1;
                g.counter(&counter, (0, n), false);
                g.push_all(names[0].clone(), &types);
                g.repeated(n + 1, budget / 2);
                let handed = g.handed_all(&types);
                let condition = g.value_of(&Ty::BOOL);
                if g.rng.chance(30) {
                    let flag = match g.rng.chance(30) {
                        true => g.define(Ty::BOOL, "arith.constant true").name,
                        false => condition.clone(),
                    };
                    let cast = g.fresh();
                    let (what, ty, case) =
                        *g.rng.pick(&[("extui", "i32", 1), ("extsi", "i8", -1), ("extsi", "i8", 255), ("extsi", "i64", -1)]);
                    g.line(format!("{cast} = arith.{what} {flag} : i1 to {ty}"));
                    g.line(format!(
                        "cf.switch {cast} : {ty}, [default: {left}({0} : {list}), {case}: {right}({0} : {list})]",
                        handed.join(", ")
                    ));
                } else {
                    g.line(format!("cf.cond_br {condition}, {left}({0} : {list}), {right}({0} : {list})", handed.join(", ")));
                }
                for (label, names) in [(left, &names[1]), (right, &names[2])] {
                    g.indent -= 1;
                    g.line(format!("{label}({}):", arguments(names)));
                    g.indent += 1;
                    g.scope(|g| {
                        g.indent -= 1;
                        g.push_all(names.clone(), &types);
                        g.repeated(n + 1, budget / 3);
                        let handed = g.handed_all(&types);
                        g.line(format!("cf.br {join}({} : {list})", handed.join(", ")));
                        g.indent += 1;
                    });
                }
                g.indent -= 1;
                g.line(format!("{join}({}):", arguments(&names[3])));
                g.indent += 1;
                g.push_all(names[3].clone(), &types);
                g.line(format!("{counter2} = arith.addi {counter}, {one} : index"));
                let goes_on = g.fresh();
                g.line(format!("{goes_on} = arith.cmpi slt, {counter2}, {end} : index"));
                let handed = g.handed_all(&types);
                let left_with = g.handed_all(&types);
                let last: Vec<String> = types.iter().map(|_| g.fresh()).collect();
                g.line(format!(
                    "cf.cond_br {goes_on}, {top}({counter2}, {} : index, {list}), {out}({} : {list})",
                    handed.join(", "),
                    left_with.join(", ")
                ));
                g.indent -= 1;
                g.line(format!("{out}({}):", arguments(&last)));
                g.indent += 1;
                g.line(format!("scf.yield {} : {list}", last.join(", ")));
                g.indent += 1;
            });
        });
        self.line("}");
        self.push_all(results, &types);
    }

    /// A parallel loop on buffers: each iteration writes its own elements of one buffer.
    fn parallel_loop(&mut self, budget: usize) {
        if self.parallel.is_some() {
            return self.scf_for(budget);
        }
        let n_counters = self.rng.range(1, 2);
        let trips: Vec<i64> = (0..n_counters).map(|_| self.trips().min(9)).collect();
        let step = *self.rng.pick(&[1, 1, 2]);
        let low = *self.rng.pick(&[0, 0, 1]);
        let highs: Vec<i64> = trips.iter().map(|n| low + n * step).collect();
        // Element at the counters, in any order, with what is between them left alone.
        let order = self.permutation(n_counters);
        let elem = self.elem();
        let dims: Vec<_> = order
            .iter()
            .map(|&at| super::types::Dim::fixed(highs[at].max(1)))
            .collect();
        let mut mem = Mem::new(dims, elem);
        if self.rng.chance(30) {
            let more = self.dim(20);
            if more.size > 0 {
                mem.dims.push(more);
            }
        }
        let target = self.allocated(mem.clone());
        let kind = self.rng.below(3);
        let counters: Vec<String> = trips.iter().map(|_| self.fresh()).collect();
        let numbers = |g: &mut Self, all: &[i64]| -> String {
            let names: Vec<String> = all.iter().map(|&number| g.number(number).name).collect();
            names.join(", ")
        };
        let reduces = kind == 0 && self.rng.chance(40);
        let sum_elem = Elem::Int(*self.rng.pick(&[64, 32]));
        let sum = Ty::Scalar(sum_elem);
        let init = self.value_of(&sum);
        let lows = vec![low; n_counters];
        let steps = vec![step; n_counters];
        let n_sums = if reduces { self.rng.range(1, 2) } else { 0 };
        let (head, results) = self.results(n_sums);
        let list = counters.join(", ");
        match kind {
            0 => {
                let (from, to, by) = (
                    numbers(self, &lows),
                    numbers(self, &highs),
                    numbers(self, &steps),
                );
                let init = if reduces {
                    let (inits, types) = (vec![init; n_sums], vec![sum.text(); n_sums]);
                    match n_sums {
                        1 => format!(" init ({}) -> {}", inits[0], types[0]),
                        _ => format!(" init ({}) -> ({})", inits.join(", "), types.join(", ")),
                    }
                } else {
                    String::new()
                };
                self.line(format!(
                    "{head}scf.parallel ({list}) = ({from}) to ({to}) step ({by}){init} {{"
                ));
            }
            1 => {
                let (from, to, by) = (
                    numbers(self, &lows),
                    numbers(self, &highs),
                    numbers(self, &steps),
                );
                self.line(format!(
                    "scf.forall ({list}) = ({from}) to ({to}) step ({by}) {{"
                ));
            }
            _ => {
                let join = |all: &[i64]| {
                    all.iter()
                        .map(i64::to_string)
                        .collect::<Vec<_>>()
                        .join(", ")
                };
                self.line(format!(
                    "affine.parallel ({list}) = ({}) to ({}) step ({}) {{",
                    join(&lows),
                    join(&highs),
                    join(&steps)
                ));
            }
        }
        self.scope(|g| {
            for (counter, n) in counters.iter().zip(&trips) {
                g.counter(counter, (low, low + (n - 1).max(0) * step), kind == 2);
            }
            let mut at: Vec<String> = order
                .iter()
                .map(|&number| counters[number].clone())
                .collect();
            if mem.rank() > n_counters {
                let size = mem.dims[n_counters].size;
                at.push(g.subscript(size));
            }
            g.parallel = Some(Parallel {
                first_root: g.roots.len(),
                target: Some((target.clone(), at)),
            });
            let n = trips.iter().product();
            g.repeated(n, budget);
            g.store_statement();
            if reduces {
                let values: Vec<String> = (0..n_sums).map(|_| g.value_of(&sum)).collect();
                let ty = sum.text();
                g.line(format!(
                    "scf.reduce({} : {}) {{",
                    values.join(", "),
                    vec![ty.as_str(); n_sums].join(", ")
                ));
                for at in 0..n_sums {
                    const SUMS: [&str; 7] = [
                        "arith.addi",
                        "arith.xori",
                        "arith.maxsi",
                        "arith.muli",
                        "arith.minui",
                        "arith.andi",
                        "arith.ori",
                    ];
                    let what = *g.rng.pick(&SUMS);
                    let (a, b, c) = (g.fresh(), g.fresh(), g.fresh());
                    g.line(format!("^bb0({a}: {ty}, {b}: {ty}):"));
                    g.line(format!("  {c} = {what} {a}, {b} : {ty}"));
                    g.line(format!("  scf.reduce.return {c} : {ty}"));
                    g.line(if at + 1 < n_sums { "}, {" } else { "}" });
                }
            }
            g.parallel = None;
        });
        self.line("}");
        self.push_all(results, &[sum.clone(), sum]);
    }

    /// `scf.forall` on tensors: each iteration puts a slice into one or two.
    fn forall_tensor(&mut self, budget: usize) {
        if self.parallel.is_some() {
            return;
        }
        let n = self.trips().clamp(1, 8);
        let n_outs = self.rng.range(1, 2);
        let mut widths = Vec::new();
        let mut types = Vec::new();
        let mut pairs = Vec::new();
        let mut outs = Vec::new();
        for _ in 0..n_outs {
            let width = self.rng.range(1, 4) as i64;
            let dim = super::types::Dim {
                size: n * width,
                is_open: self.rng.chance(20) && n * width < 60,
            };
            let ty = Ty::Tensor(vec![dim], self.elem());
            let (into, out) = (self.value_of(&ty), self.fresh());
            pairs.push(format!("{out} = {into}"));
            outs.push(out);
            types.push(ty);
            widths.push(width);
        }
        let counter = self.fresh();
        let end = self.number(n).name;
        let (head, results) = self.results(n_outs);
        self.line(format!(
            "{head}scf.forall ({counter}) in ({end}) shared_outs({}) -> ({}) {{",
            pairs.join(", "),
            Self::type_list(&types)
        ));
        self.scope(|g| {
            g.counter(&counter, (0, n - 1), false);
            g.parallel = Some(Parallel {
                first_root: g.roots.len(),
                target: None,
            });
            g.repeated(n, budget / 2);
            let mut inserts = Vec::new();
            for ((width, ty), out) in widths.iter().zip(&types).zip(&outs) {
                let text = ty.text();
                let slice = Ty::Tensor(vec![super::types::Dim::fixed(*width)], ty.elem());
                let at = format!("affine.apply affine_map<(d0) -> (d0 * {width})>({counter})");
                let at = g.define(Ty::INDEX, at).name;
                let part = format!("[{at}] [{width}] [1] : ");
                let value = match g.rng.chance(50) {
                    true => {
                        let old =
                            format!("tensor.extract_slice {out}{part}{text} to {}", slice.text());
                        let old = g.define(slice.clone(), old);
                        g.mapped_tensor(&old)
                    }
                    false => g.value_of(&slice),
                };
                inserts.push(format!(
                    "  tensor.parallel_insert_slice {value} into {out}{part}{} into {text}",
                    slice.text()
                ));
            }
            g.line("scf.forall.in_parallel {");
            for insert in inserts {
                g.line(insert);
            }
            g.line("}");
            g.parallel = None;
        });
        self.line("}");
        self.push_all(results, &types);
    }

    /// A nest that adds up, or writes, what it reads at subscripts of its counters.
    fn reducing_loop(&mut self) {
        let Some(source) = self.readable(1) else {
            return;
        };
        let elem = source.ty.elem();
        let scalar = Ty::Scalar(elem);
        let n = self.rng.range(1, 2);
        let ends: Vec<i64> = (0..n).map(|_| self.trips().max(1)).collect();
        let zero = self.value_of(&scalar);
        let sums = self.allocate(
            Mem::new(vec![super::types::Dim::fixed(ends[0])], elem),
            true,
        );
        self.line(format!(
            "linalg.fill ins({zero} : {}) outs({} : {})",
            scalar.text(),
            sums.name,
            sums.ty.text()
        ));
        let before = self.repeats;
        self.nest(&ends, |g, at| {
            let value = g.load(&source);
            let text = format!("memref.load {}[{}] : {}", sums.name, at[0], sums.ty.text());
            let old = g.define(scalar.clone(), text).name;
            let new = g.combined(&old, &value, elem);
            g.line(format!(
                "memref.store {new}, {}[{}] : {}",
                sums.name,
                at[0],
                sums.ty.text()
            ));
        });
        self.repeats = before;
    }
}
