//! Makes random programs.

use crate::support::generator::rng::Rng;

use super::{At, Body, Function, N_KNOWN, Op, Part, Program, Ty, Var};

/// Statements of a function, more or less.
const STATEMENTS: usize = 12;
/// Elements of a tensor.
const MAX_ELEMENTS: usize = 48;

/// The types of what a function takes and returns.
struct Signature {
    takes: Vec<Ty>,
    returns: Vec<Ty>,
}

struct Generator<'a> {
    rng: &'a mut Rng,
    known: [usize; N_KNOWN],
    /// Sizes that many tensors of the program have.
    shapes: Vec<Vec<usize>>,
    /// The functions that can be called.
    signatures: Vec<Signature>,
    n_vars: usize,
    n_loops: usize,
    budget: usize,
    depth: usize,
    /// The function that is being made.
    open: Option<usize>,
    /// Whether the function may call itself here.
    may_recurse: bool,
    /// The tensors that can be seen.
    scope: Vec<Var>,
    /// The loops around, and how often they run.
    counters: Vec<(usize, usize)>,
    out: Vec<(Vec<Var>, Op)>,
}

/// A random program.
pub(crate) fn generate(rng: &mut Rng) -> Program {
    let known = [0, 1, 2, 3].map(|n| if n < 2 { n } else { rng.below(4) });
    let n_functions = rng.range(1, 3);
    let mut generator = Generator {
        rng,
        known,
        shapes: Vec::new(),
        signatures: Vec::new(),
        n_vars: 0,
        n_loops: 0,
        budget: 0,
        depth: 0,
        open: None,
        may_recurse: false,
        scope: Vec::new(),
        counters: Vec::new(),
        out: Vec::new(),
    };
    for _ in 0..4 {
        let shape = generator.shape();
        generator.shapes.push(shape);
    }
    let mut functions = Vec::new();
    for _ in 0..n_functions {
        let function = generator.function();
        functions.push(function);
    }
    let body = generator.main();
    functions.push(Function {
        body,
        is_public: false,
        writable: Vec::new(),
    });
    Program { functions, known }
}

impl Generator<'_> {
    fn function(&mut self) -> Function {
        let takes: Vec<Ty> = (0..self.rng.range(1, 3)).map(|_| self.ty()).collect();
        let returns = (0..self.rng.range(1, 2))
            .map(|_| match self.rng.chance(60) {
                true => self.rng.pick(&takes).clone(),
                false => self.ty(),
            })
            .collect();
        let writable = takes
            .iter()
            .map(|ty| ty.ranked && self.rng.chance(20))
            .collect();
        self.signatures.push(Signature { takes, returns });
        self.budget = STATEMENTS;
        self.may_recurse = self.rng.chance(30);
        let at = self.signatures.len() - 1;
        self.open = Some(at);
        let carried = self.signatures[at].takes.clone();
        let carried = carried.into_iter().map(|ty| self.var(ty)).collect();
        let yields = self.signatures[at].returns.clone();
        let body = self.body(carried, &yields);
        Function {
            body,
            is_public: self.rng.chance(40),
            writable,
        }
    }

    /// Calls every function at least once, and shows what there is in the end.
    fn main(&mut self) -> Body {
        self.budget = STATEMENTS;
        self.open = None;
        for _ in 0..2 {
            self.fresh();
        }
        for function in 0..self.signatures.len() {
            self.statements();
            self.call(function);
        }
        self.statements();
        for var in self.scope.clone() {
            self.out.push((Vec::new(), Op::Show(var)));
        }
        Body {
            statements: std::mem::take(&mut self.out),
            ..Body::default()
        }
    }

    fn size(&mut self) -> usize {
        *self.rng.pick(&[1, 1, 2, 2, 2, 3, 3, 4, 4, 5])
    }

    fn shape(&mut self) -> Vec<usize> {
        let rank = *self.rng.pick(&[0, 1, 1, 1, 2, 2, 2, 3]);
        let mut shape: Vec<usize> = (0..rank).map(|_| self.size()).collect();
        if self.rng.chance(7) && rank > 0 {
            shape[0] = 0;
        }
        while shape.iter().product::<usize>() > MAX_ELEMENTS {
            shape.pop();
        }
        shape
    }

    /// A type of a tensor with these sizes.
    fn ty_of(&mut self, sizes: &[usize]) -> Ty {
        let kind = self.rng.below(10);
        let known = sizes
            .iter()
            .map(|_| kind < 5 || kind < 8 && self.rng.chance(50))
            .collect();
        match kind {
            9 => Ty::unranked(sizes.to_vec()),
            _ => Ty::new(sizes.to_vec(), known),
        }
    }

    /// The type of what functions take and return and branches yield. Its rank is known: not every
    /// way to free buffers takes those of which it is not from where they meet.
    fn ty(&mut self) -> Ty {
        let shape = self.rng.pick(&self.shapes).clone();
        match self.ty_of(&shape) {
            ty if ty.ranked => ty,
            ty => Ty::new(ty.sizes, ty.known),
        }
    }

    fn var(&mut self, ty: Ty) -> Var {
        self.n_vars += 1;
        Var {
            id: self.n_vars,
            ty,
        }
    }

    fn emit(&mut self, ty: Ty, op: Op) -> Var {
        let var = self.var(ty);
        self.out.push((vec![var.clone()], op));
        self.scope.push(var.clone());
        var
    }

    fn number(&mut self) -> i32 {
        self.rng.below(900) as i32
    }

    /// A new tensor of one of the usual sizes.
    fn fresh(&mut self) -> Var {
        let sizes = self.rng.pick(&self.shapes).clone();
        self.fresh_of(&sizes)
    }

    fn fresh_of(&mut self, sizes: &[usize]) -> Var {
        let n = self.number();
        let mut ty = self.ty_of(sizes);
        if !ty.ranked {
            ty = Ty::fixed(sizes.to_vec());
        }
        let elements = || (0..ty.n_elements() as i32).map(|i| n + i).collect();
        let is_fixed = ty.known.iter().all(|&known| known);
        let op = match self.rng.below(6) {
            0 if is_fixed => Op::Constant(elements()),
            1 if is_fixed => Op::FromElements(elements()),
            2 => Op::Splat(n),
            3 => Op::FillEmpty(n),
            _ => Op::Generate(n),
        };
        self.emit(ty, op)
    }

    /// A tensor that can be seen; newer ones are more likely.
    fn pick(&mut self, wanted: impl Fn(&Ty) -> bool) -> Option<Var> {
        let vars: Vec<&Var> = self.scope.iter().filter(|var| wanted(&var.ty)).collect();
        if vars.is_empty() {
            return None;
        }
        let back = self.rng.below(vars.len()).min(self.rng.below(vars.len()));
        Some(vars[vars.len() - 1 - back].clone())
    }

    fn pick_ranked(&mut self) -> Var {
        match self.pick(|ty| ty.ranked) {
            Some(var) => var,
            None => self.fresh(),
        }
    }

    /// A tensor of this type, cast if need be.
    fn of_type(&mut self, ty: &Ty) -> Var {
        let like = match self.rng.chance(60) {
            true => self.pick(|found| found == ty),
            false => None,
        };
        let source = match like.or_else(|| self.pick(|found| found.sizes == ty.sizes)) {
            Some(source) => source,
            None => self.fresh_of(&ty.sizes),
        };
        match source.ty == *ty {
            true => source,
            false => self.emit(ty.clone(), Op::Cast(source)),
        }
    }

    fn at(&mut self, n: usize) -> At {
        let known = self.known.iter().position(|&known| known == n);
        match known {
            Some(known) if self.rng.chance(50) => At::Known(known),
            _ => At::Constant(n),
        }
    }

    /// An index of at most `last`.
    fn up_to(&mut self, last: usize) -> At {
        if let Some(&(id, trips)) = self.counters.last()
            && trips <= last + 1
            && self.rng.chance(60)
        {
            return At::Counter(id);
        }
        let n = self.rng.below(last + 1);
        self.at(n)
    }

    fn condition(&mut self) -> At {
        match self.counters.last() {
            Some(&(id, _)) if self.rng.chance(60) => At::Counter(id),
            _ => At::Known(self.rng.below(N_KNOWN)),
        }
    }

    fn position(&mut self, sizes: &[usize]) -> Vec<At> {
        sizes.iter().map(|&size| self.up_to(size - 1)).collect()
    }

    /// A part of a tensor of these sizes, and the type of a slice that it can be.
    fn part(&mut self, whole: &[usize]) -> (Part, Ty) {
        let mut part = Part {
            offsets: Vec::new(),
            sizes: Vec::new(),
            strides: Vec::new(),
            dropped: Vec::new(),
        };
        let (mut sizes, mut known) = (Vec::new(), Vec::new());
        // Upstream tells dropped dimensions from others by their strides, and refuses slices of which
        // single elements are taken in several different steps.
        let may_drop = self.rng.chance(60);
        for &size in whole {
            let taken = match self.rng.below(4) {
                0 => size,
                1 => size.min(1),
                _ => self.rng.below(size + 1).max(size.min(1)),
            };
            let least = if may_drop { 2 } else { 1 };
            let stride = match taken >= least && (taken - 1) * 2 < size && self.rng.chance(30) {
                true => 2,
                false => 1,
            };
            let last = taken.saturating_sub(1) * stride;
            let offset = match taken {
                0 => At::Constant(0),
                _ => self.up_to(size - 1 - last),
            };
            let dropped = may_drop && taken == 1 && self.rng.chance(60);
            part.offsets.push(offset);
            part.sizes.push(taken);
            part.strides.push(stride);
            part.dropped.push(dropped);
            if !dropped {
                sizes.push(taken);
                known.push(self.rng.chance(70));
            }
        }
        (part, Ty::new(sizes, known))
    }

    /// Statements that see `carried` and yield tensors of these types.
    fn body(&mut self, carried: Vec<Var>, yields: &[Ty]) -> Body {
        let outside = self.scope.len();
        let outer = std::mem::take(&mut self.out);
        self.scope.extend(carried.iter().cloned());
        self.depth += 1;
        self.statements();
        let yields = yields.iter().map(|ty| self.of_type(ty)).collect();
        self.depth -= 1;
        self.scope.truncate(outside);
        Body {
            carried,
            statements: std::mem::replace(&mut self.out, outer),
            yields,
        }
    }

    fn statements(&mut self) {
        for _ in 0..self.rng.range(2, 6) {
            if self.budget == 0 {
                break;
            }
            self.budget -= 1;
            self.statement();
        }
    }

    fn statement(&mut self) {
        let var = self.pick_ranked();
        let sizes = var.ty.sizes.clone();
        let n = self.number();
        match self.rng.below(if self.depth < 3 { 37 } else { 29 }) {
            0 => {
                self.fresh();
            }
            1 | 2 => {
                let ty = self.ty_of(&sizes);
                if ty != var.ty {
                    self.emit(ty, Op::Cast(var));
                }
            }
            3..=6 => {
                let (part, ty) = self.part(&sizes);
                self.emit(ty, Op::Slice(var, part));
            }
            7..=9 => {
                let (part, ty) = self.part(&sizes);
                let inner = self.of_type(&ty);
                self.emit(var.ty.clone(), Op::InsertSlice(inner, var, part));
            }
            10 | 11 if var.ty.n_elements() > 0 => {
                let position = self.position(&sizes);
                self.emit(var.ty.clone(), Op::Insert(n, var, position));
            }
            12 | 13 => {
                let (a, b) = (self.of_type(&var.ty), self.of_type(&var.ty));
                let into = self.rng.chance(60).then_some(var.clone());
                self.emit(var.ty, Op::Add(a, b, into));
            }
            14 => {
                self.emit(var.ty.clone(), Op::Fill(n, var));
            }
            15 | 16 => self.collapse(var),
            17 => self.expand(var),
            18 => self.reshape(var),
            19 => self.pad(var),
            20 => self.concat(var),
            21 => self.gather(var),
            22 => self.transfer(var),
            23 => {
                let any = self.pick(|_| true).unwrap_or(var);
                let (a, b) = (self.of_type(&any.ty), self.of_type(&any.ty));
                let condition = self.condition();
                self.emit(any.ty, Op::Select(condition, a, b));
            }
            24 => {
                let source = self.pick(|_| true).unwrap_or(var);
                self.emit(source.ty.clone(), Op::Copy(source));
            }
            25 => {
                let source = self.of_type(&var.ty);
                self.emit(var.ty.clone(), Op::Materialize(source, var));
            }
            26 => {
                let source = self.pick(|_| true).unwrap_or(var);
                let can_change = source.ty.ranked && source.ty.n_elements() > 0;
                let change = (can_change && self.rng.chance(60))
                    .then(|| (n, self.position(&source.ty.sizes)));
                if self.rng.chance(50) {
                    let sign = if self.rng.chance(50) { "u" } else { "s" };
                    let op = Op::OtherSign {
                        source: source.clone(),
                        change,
                        sign,
                    };
                    self.emit(source.ty, op);
                    return;
                }
                let any_layout = self.rng.chance(40);
                self.emit(
                    source.ty.clone(),
                    Op::Buffer {
                        source,
                        change,
                        any_layout,
                    },
                );
            }
            27 => {
                let source = self.pick(|_| true).unwrap_or(var);
                self.emit(source.ty.clone(), Op::Clone(source));
            }
            28 if !self.signatures.is_empty() => {
                let function = self.rng.below(self.signatures.len());
                match self.open == Some(function) {
                    false => self.call(function),
                    true if self.may_recurse && self.counters.is_empty() => self.recurse(function),
                    true => {}
                }
            }
            29 | 30 => {
                let types: Vec<Ty> = (0..self.rng.range(1, 2)).map(|_| self.ty()).collect();
                let condition = self.condition();
                let bodies = [0, 1].map(|_| self.body(Vec::new(), &types));
                self.results(types, Op::If(condition, bodies));
            }
            31..=33 => self.repetition(),
            34..=36 => self.cut_rows(var),
            _ => {}
        }
        if self.rng.chance(25)
            && let Some(shown) = self.pick(|_| true)
        {
            let op = match self.rng.below(4) {
                0 if shown.ty.rank() > 0 => {
                    let dim = self.rng.below(shown.ty.rank());
                    Op::ShowSize(shown, dim)
                }
                1 => Op::ShowRank(shown),
                _ => Op::Show(shown),
            };
            self.out.push((Vec::new(), op));
        }
    }

    fn results(&mut self, types: Vec<Ty>, op: Op) {
        let results: Vec<Var> = types.into_iter().map(|ty| self.var(ty)).collect();
        self.scope.extend(results.iter().cloned());
        self.out.push((results, op));
    }

    fn repetition(&mut self) {
        let inits: Vec<Var> = (0..self.rng.range(1, 2))
            .map(|_| self.pick_ranked())
            .collect();
        let types: Vec<Ty> = inits.iter().map(|var| var.ty.clone()).collect();
        self.n_loops += 1;
        let (id, trips) = (self.n_loops, self.rng.below(4));
        let carried = types.iter().map(|ty| self.var(ty.clone())).collect();
        self.counters.push((id, trips));
        let body = self.body(carried, &types);
        self.counters.pop();
        let op = match self.rng.chance(70) {
            true => Op::For(id, trips, inits, body),
            false => Op::Blocks(id, trips, inits, body),
        };
        self.results(types, op);
    }

    fn call(&mut self, function: usize) {
        let Signature { takes, returns } = &self.signatures[function];
        let (takes, returns) = (takes.clone(), returns.clone());
        let arguments = takes.iter().map(|ty| self.of_type(ty)).collect();
        let depth = self.rng.below(3);
        self.results(returns, Op::Call(function, arguments, depth));
    }

    fn recurse(&mut self, function: usize) {
        self.may_recurse = false;
        let Signature { takes, returns } = &self.signatures[function];
        let (takes, returns) = (takes.clone(), returns.clone());
        let arguments = takes.iter().map(|ty| self.of_type(ty)).collect();
        let others = returns.iter().map(|ty| self.of_type(ty)).collect();
        self.results(returns, Op::Recurse(arguments, others));
    }

    fn collapse(&mut self, var: Var) {
        let Ty { sizes, known, .. } = &var.ty;
        if sizes.is_empty() {
            return;
        }
        if sizes.iter().all(|&size| size == 1) && known.iter().all(|&known| known) {
            self.emit(Ty::fixed(Vec::new()), Op::Collapse(var, Vec::new()));
            return;
        }
        let mut groups = vec![1];
        for _ in 1..sizes.len() {
            match groups.last_mut() {
                Some(last) if self.rng.chance(60) => *last += 1,
                _ => groups.push(1),
            }
        }
        let mut ty = Ty::fixed(Vec::new());
        let mut first = 0;
        for &n in &groups {
            ty.sizes.push(sizes[first..first + n].iter().product());
            ty.known
                .push(known[first..first + n].iter().all(|&known| known));
            first += n;
        }
        self.emit(ty, Op::Collapse(var, groups));
    }

    /// The first parts of rows, of a length that no type knows, which a branch hands on, as one row.
    fn cut_rows(&mut self, var: Var) {
        let rank = var.ty.rank();
        let mut sizes = var.ty.sizes.clone();
        let Some(last) = sizes.last_mut().filter(|&&mut size| rank > 1 && size > 1) else {
            return;
        };
        *last = self.rng.range(1, *last - 1);
        let part = Part {
            offsets: vec![At::Constant(0); rank],
            sizes: sizes.clone(),
            strides: vec![1; rank],
            dropped: vec![false; rank],
        };
        let n = sizes.iter().product();
        let ty = Ty::new(sizes, vec![false; rank]);
        let other = self.of_type(&ty);
        let cut = self.emit(ty.clone(), Op::Slice(var, part));
        let bodies = [cut, other].map(|var| Body {
            yields: vec![var],
            ..Body::default()
        });
        let condition = self.condition();
        let handed_on = self.emit(ty, Op::If(condition, bodies));
        let row = Ty::new(vec![n], vec![false]);
        let row = self.emit(row, Op::Collapse(handed_on, vec![rank]));
        self.out.push((Vec::new(), Op::Show(row)));
    }

    fn expand(&mut self, var: Var) {
        if var.ty.rank() == 0 {
            let n = self.rng.range(1, 2);
            self.emit(Ty::fixed(vec![1; n]), Op::Expand(var, Vec::new()));
            return;
        }
        let mut ty = Ty::fixed(Vec::new());
        let mut groups = Vec::new();
        for (&size, &known) in var.ty.sizes.iter().zip(&var.ty.known) {
            let mut factors = match (size, self.rng.below(4)) {
                (_, 0) => vec![size],
                (_, 1) => vec![1, size],
                (4, _) => vec![2, 2],
                (0, _) => vec![size],
                _ => vec![size, 1],
            };
            if ty.rank() + factors.len() > 4 {
                factors = vec![size];
            }
            let unknown = match known {
                true => factors.len(),
                false => factors.iter().position(|&f| f == size).unwrap_or(0),
            };
            groups.push(factors.len());
            ty.known.extend((0..factors.len()).map(|at| at != unknown));
            ty.sizes.extend(factors);
        }
        self.emit(ty, Op::Expand(var, groups));
    }

    fn reshape(&mut self, ranked: Var) {
        let var = self.pick(|ty| !ty.ranked).unwrap_or(ranked);
        let n = var.ty.n_elements();
        let shapes: Vec<Vec<usize>> = vec![vec![n], vec![1, n], vec![n, 1], var.ty.sizes.clone()];
        let sizes = self.rng.pick(&shapes).clone();
        if sizes.is_empty() {
            return;
        }
        let ty = self.ty_of(&sizes);
        self.emit(ty, Op::Reshape(var));
    }

    fn pad(&mut self, var: Var) {
        let (mut low, mut high) = (Vec::new(), Vec::new());
        let mut ty = var.ty.clone();
        for dim in 0..ty.rank() {
            let [below, above] = [0, 1].map(|_| *self.rng.pick(&[0, 0, 1, 2]));
            low.push(self.at(below));
            high.push(self.at(above));
            ty.sizes[dim] += below + above;
            ty.known[dim] &= matches!((low[dim], high[dim]), (At::Constant(_), At::Constant(_)));
        }
        if ty.n_elements() <= MAX_ELEMENTS {
            let n = self.number();
            self.emit(ty, Op::Pad(n, var, low, high));
        }
    }

    fn concat(&mut self, var: Var) {
        if var.ty.rank() == 0 || 2 * var.ty.n_elements() > MAX_ELEMENTS {
            return;
        }
        let dim = self.rng.below(var.ty.rank());
        let others = var.ty.clone();
        let fits = |ty: &Ty| {
            let mut sizes = ty.sizes.clone();
            sizes.len() == others.rank() && ty.ranked && {
                sizes[dim] = others.sizes[dim];
                sizes == others.sizes && ty.n_elements() * 2 <= MAX_ELEMENTS
            }
        };
        let other = self.pick(fits).unwrap_or_else(|| var.clone());
        let mut ty = var.ty.clone();
        ty.sizes[dim] += other.ty.sizes[dim];
        for at in 0..ty.rank() {
            ty.known[at] = match at == dim {
                true => ty.known[at] && other.ty.known[at],
                false => ty.known[at] || other.ty.known[at],
            };
        }
        self.emit(ty, Op::Concat(dim, vec![var, other]));
    }

    fn gather(&mut self, var: Var) {
        if var.ty.rank() == 0 || var.ty.sizes[0] == 0 {
            return;
        }
        let n = self.rng.range(1, 3);
        let rows = (0..n).map(|_| self.rng.below(var.ty.sizes[0])).collect();
        let mut ty = var.ty.clone();
        (ty.sizes[0], ty.known[0]) = (n, true);
        if ty.n_elements() <= MAX_ELEMENTS {
            self.emit(ty, Op::Gather(var, rows));
        }
    }

    fn transfer(&mut self, to: Var) {
        let Some(from) = self.pick(|ty| ty.ranked && ty.rank() > 0 && ty.n_elements() > 0) else {
            return;
        };
        let (Some(&a), Some(&b)) = (from.ty.sizes.last(), to.ty.sizes.last()) else {
            return;
        };
        if to.ty.n_elements() == 0 {
            return;
        }
        let n = self.rng.range(1, a.min(b));
        let mut start = |var: &Var| {
            let rank = var.ty.rank();
            let mut at = self.position(&var.ty.sizes[..rank - 1]);
            let first = self.rng.below(var.ty.sizes[rank - 1] - n + 1);
            at.push(self.at(first));
            at
        };
        let (from_at, to_at) = (start(&from), start(&to));
        let n_written = self.rng.chance(40).then(|| self.rng.below(n + 1));
        let ty = to.ty.clone();
        self.emit(
            ty,
            Op::Transfer {
                from: (from, from_at),
                to: (to, to_at),
                n,
                n_written,
            },
        );
    }
}
