//! Sizes of tensors and buffers, as sums of products of numbers that the function is called with or computes.
//!
//! Two sizes are the same if their sums are. Numbers wrap around, so sizes that are equal here are equal at run time whatever
//! overflows. Operations are looked at in textual order, each once; a result that is not understood is an unknown of its own.
//!
//! ```mlir
//! func.func @f(%a: tensor<?xf32>) {
//!   %n = tensor.dim %a, %c0 : tensor<?xf32>           // dim(%a, 0)
//!   %m = arith.muli %n, %c2 : index                   // dim(%a, 0) * 2
//!   %e = tensor.empty(%m) : tensor<?xf32>             // dim(%e, 0) is dim(%a, 0) * 2
//! ```

use freehold_frontend::dialects::func::preconditions::Known;
use freehold_frontend::dialects::linalg::interface;
use freehold_frontend::dialects::memref::{MixedIndex, OffsetSizeStride};
use freehold_frontend::dialects::{affine, arith, bufferization, linalg, memref, scf, tensor};
use freehold_frontend::ir::affine::{AffineExpr, AffineOp};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Op, Value, ValueDef};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::op_def::{OpDef, Traits};
use freehold_frontend::ir::types::{DYNAMIC, Type, TypeKind};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Sums of more terms, and products of more factors, are unknowns. Far more than programs have, and few enough to
/// compare them all.
const MAX_TERMS: usize = 16;

/// The number of an [`Atom`].
type AtomId = u32;

/// A sum of atoms with factors, and a number.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
pub(crate) struct Sum {
    constant: i64,
    /// Sorted by atom, without zeros.
    terms: SmallVec<[(AtomId, i64); 2]>,
}

impl Sum {
    /// The number.
    pub(crate) fn constant(constant: i64) -> Self {
        Self {
            constant,
            terms: SmallVec::new(),
        }
    }

    fn atom(atom: AtomId) -> Self {
        Self {
            constant: 0,
            terms: smallvec::smallvec![(atom, 1)],
        }
    }

    /// The number that it is, if there is nothing else.
    pub(crate) fn as_constant(&self) -> Option<i64> {
        self.terms.is_empty().then_some(self.constant)
    }

    fn as_atom(&self) -> Option<AtomId> {
        match *self.terms {
            [(atom, 1)] if self.constant == 0 => Some(atom),
            _ => None,
        }
    }

    fn add_term(&mut self, atom: AtomId, factor: i64) {
        match self.terms.binary_search_by_key(&atom, |&(atom, _)| atom) {
            Ok(at) => {
                let sum = self.terms[at].1.wrapping_add(factor);
                match sum {
                    0 => drop(self.terms.remove(at)),
                    _ => self.terms[at].1 = sum,
                }
            }
            Err(_) if factor == 0 => {}
            Err(at) => self.terms.insert(at, (atom, factor)),
        }
    }

    /// `self + factor * other`
    pub(crate) fn plus(&self, other: &Self, factor: i64) -> Self {
        let mut sum = self.clone();
        sum.constant = sum
            .constant
            .wrapping_add(other.constant.wrapping_mul(factor));
        for &(atom, times) in &other.terms {
            sum.add_term(atom, times.wrapping_mul(factor));
        }
        sum
    }

    /// `self + constant`
    pub(crate) fn plus_constant(&self, constant: i64) -> Self {
        self.plus(&Self::constant(constant), 1)
    }

    /// `self * factor`
    pub(crate) fn times(&self, factor: i64) -> Self {
        Self::default().plus(self, factor)
    }
}

/// Arithmetic on two numbers that is no sum and no product.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Kind {
    FloorDiv,
    CeilDiv,
    /// The remainder of floor division.
    Mod,
    DivU,
    RemU,
    DivS,
    RemS,
    MinS,
    MaxS,
    MinU,
    MaxU,
    /// A product that would be too long multiplied out.
    Mul,
}

/// The operations of these kinds; a remainder of floor division has none.
static KINDS: [(&OpDef, Kind); 11] = [
    (&arith::FLOORDIVSI, Kind::FloorDiv),
    (&arith::CEILDIVSI, Kind::CeilDiv),
    (&arith::DIVUI, Kind::DivU),
    (&arith::REMUI, Kind::RemU),
    (&arith::DIVSI, Kind::DivS),
    (&arith::REMSI, Kind::RemS),
    (&arith::MINSI, Kind::MinS),
    (&arith::MAXSI, Kind::MaxS),
    (&arith::MINUI, Kind::MinU),
    (&arith::MAXUI, Kind::MaxU),
    (&arith::MULI, Kind::Mul),
];

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Atom {
    /// A size of a value that says no more about it.
    Dim(Value, usize),
    /// A number of type index.
    Number(Value),
    /// The number of dimensions of a value whose type does not say it.
    Rank(Value),
    /// Two factors or more, sorted; none is a product.
    Product(SmallVec<[AtomId; 4]>),
    Computed(Kind, Sum, Sum),
}

/// The known sizes in a function so far.
#[derive(Default)]
pub(crate) struct Sizes {
    atoms: Vec<Atom>,
    ids: FxHashMap<Atom, AtomId>,
    /// Sizes that are no unknowns.
    dims: FxHashMap<(Value, usize), Sum>,
    /// Numbers that are no unknowns.
    numbers: FxHashMap<Value, Sum>,
    /// Atoms that are equal to something else in the whole function.
    equal: FxHashMap<AtomId, Sum>,
}

impl Sizes {
    fn intern(&mut self, atom: Atom) -> AtomId {
        if let Some(&id) = self.ids.get(&atom) {
            return id;
        }
        let id = self.atoms.len() as AtomId;
        self.atoms.push(atom.clone());
        self.ids.insert(atom, id);
        id
    }

    fn sum_of(&mut self, atom: Atom) -> Sum {
        Sum::atom(self.intern(atom))
    }

    /// The size of `value` in dimension `dim`.
    pub(crate) fn size(&mut self, ir: &Ir, value: Value, dim: usize) -> Sum {
        match shape(ir, value).get(dim) {
            Some(&size) if size != DYNAMIC => Sum::constant(size),
            _ => match self.dims.get(&(value, dim)) {
                Some(sum) => sum.clone(),
                None => self.sum_of(Atom::Dim(value, dim)),
            },
        }
    }

    /// The number that `value` is, of an integer type.
    pub(crate) fn number(&mut self, ir: &Ir, value: Value) -> Sum {
        if let Some(sum) = self.numbers.get(&value) {
            return sum.clone();
        }
        match arith::as_constant_index(ir, value) {
            Some(number) => Sum::constant(number),
            None => self.sum_of(Atom::Number(value)),
        }
    }

    /// The number of dimensions of `value`, whose type does not say it.
    pub(crate) fn rank(&mut self, value: Value) -> Sum {
        self.sum_of(Atom::Rank(value))
    }

    /// The lesser one.
    pub(crate) fn minimum(&mut self, a: Sum, b: Sum) -> Sum {
        self.computed(Kind::MinS, a, b)
    }

    /// The number that `index` is.
    pub(crate) fn index(&mut self, ir: &Ir, index: MixedIndex) -> Sum {
        match index {
            MixedIndex::Value(value) => self.number(ir, value),
            MixedIndex::Constant(number) => Sum::constant(number),
        }
    }

    /// `a * b`
    pub(crate) fn product(&mut self, a: &Sum, b: &Sum) -> Sum {
        if let Some(factor) = a.as_constant() {
            return b.times(factor);
        }
        if let Some(factor) = b.as_constant() {
            return a.times(factor);
        }
        match self.multiplied_out(a, b) {
            Some(product) => product,
            None => self.computed(Kind::Mul, a.clone(), b.clone()),
        }
    }

    /// The product of all terms with each other; nothing if that is too long.
    fn multiplied_out(&mut self, a: &Sum, b: &Sum) -> Option<Sum> {
        if a.terms.len() * b.terms.len() > MAX_TERMS {
            return None;
        }
        let mut product = a.times(b.constant).plus(&b.times(a.constant), 1);
        product.constant = a.constant.wrapping_mul(b.constant);
        for &(x, times_x) in &a.terms {
            for &(y, times_y) in &b.terms {
                let mut factors: SmallVec<[AtomId; 4]> = SmallVec::new();
                for atom in [x, y] {
                    match &self.atoms[atom as usize] {
                        Atom::Product(inner) => factors.extend_from_slice(inner),
                        _ => factors.push(atom),
                    }
                }
                if factors.len() > MAX_TERMS {
                    return None;
                }
                factors.sort_unstable();
                let atom = self.intern(Atom::Product(factors));
                product.add_term(atom, times_x.wrapping_mul(times_y));
            }
        }
        (product.terms.len() <= MAX_TERMS).then_some(product)
    }

    fn computed(&mut self, kind: Kind, a: Sum, b: Sum) -> Sum {
        if let (Some(a), Some(b)) = (a.as_constant(), b.as_constant())
            && a >= 0
            && b > 0
        {
            return Sum::constant(match kind {
                Kind::FloorDiv | Kind::DivU | Kind::DivS => a / b,
                Kind::CeilDiv => a / b + i64::from(a % b != 0),
                Kind::Mod | Kind::RemU | Kind::RemS => a % b,
                Kind::MinS | Kind::MinU => a.min(b),
                Kind::MaxS | Kind::MaxU => a.max(b),
                Kind::Mul => a.wrapping_mul(b),
            });
        }
        // Of numbers that are not negative, all kinds of division are the same.
        let kind = match kind {
            Kind::DivU | Kind::DivS if self.is_size(&a) && self.is_size(&b) => Kind::FloorDiv,
            Kind::RemU | Kind::RemS if self.is_size(&a) && self.is_size(&b) => Kind::Mod,
            kind => kind,
        };
        self.sum_of(Atom::Computed(kind, a, b))
    }

    /// Whether `sum` adds up numbers that are never negative.
    pub(crate) fn is_size(&self, sum: &Sum) -> bool {
        let is_size = |atom: AtomId| matches!(self.atoms[atom as usize], Atom::Dim(..));
        sum.constant >= 0
            && sum.terms.iter().all(|&(atom, times)| {
                times > 0
                    && match &self.atoms[atom as usize] {
                        Atom::Product(factors) => factors.iter().all(|&atom| is_size(atom)),
                        _ => is_size(atom),
                    }
            })
    }

    /// The value of an affine expression; nothing if it has more dimensions or symbols than are given.
    pub(crate) fn apply(
        &mut self,
        expr: &AffineExpr,
        dims: &[Sum],
        symbols: &[Sum],
    ) -> Option<Sum> {
        Some(match expr {
            AffineExpr::Dim(at) => dims.get(*at as usize)?.clone(),
            AffineExpr::Symbol(at) => symbols.get(*at as usize)?.clone(),
            AffineExpr::Constant(number) => Sum::constant(*number),
            AffineExpr::Binary(op, sides) => {
                let left = self.apply(&sides.0, dims, symbols)?;
                let right = self.apply(&sides.1, dims, symbols)?;
                match op {
                    AffineOp::Add => left.plus(&right, 1),
                    AffineOp::Mul => self.product(&left, &right),
                    AffineOp::FloorDiv => self.computed(Kind::FloorDiv, left, right),
                    AffineOp::CeilDiv => self.computed(Kind::CeilDiv, left, right),
                    AffineOp::Mod => self.computed(Kind::Mod, left, right),
                }
            }
        })
    }

    /// From now on, these two are the same in the whole function.
    pub(crate) fn equate(&mut self, a: &Sum, b: &Sum) {
        let (a, b) = (self.resolved(a), self.resolved(b));
        match (a.as_atom(), b.as_atom(), b.as_constant()) {
            (Some(a), Some(other), _) if a != other => {
                self.equal.insert(a.max(other), Sum::atom(a.min(other)));
            }
            (Some(a), None, Some(_)) => {
                self.equal.insert(a, b);
            }
            _ => {}
        }
    }

    /// The same sum, of fewer different atoms.
    pub(crate) fn resolved(&mut self, sum: &Sum) -> Sum {
        if self.equal.is_empty() {
            return sum.clone();
        }
        let mut resolved = Sum::constant(sum.constant);
        for &(atom, times) in &sum.terms {
            let known = match &self.atoms[atom as usize] {
                Atom::Product(factors) => {
                    let mut product = Sum::constant(1);
                    for factor in factors.clone() {
                        let factor = self.resolved_atom(factor);
                        product = self.product(&product, &factor);
                    }
                    product
                }
                _ => self.resolved_atom(atom),
            };
            resolved = resolved.plus(&known, times);
        }
        resolved
    }

    fn resolved_atom(&self, atom: AtomId) -> Sum {
        let mut sum = Sum::atom(atom);
        while let Some(known) = sum.as_atom().and_then(|atom| self.equal.get(&atom)) {
            sum = known.clone();
        }
        sum
    }

    /// `sum` as an expression of numbers that callers of the function `ir` know, which are put into `symbols`.
    pub(crate) fn expression(
        &self,
        ir: &Ir,
        sum: &Sum,
        symbols: &mut Vec<Known>,
    ) -> Option<AffineExpr> {
        let mut expr = AffineExpr::Constant(0);
        for &(atom, times) in &sum.terms {
            let factors = match &self.atoms[atom as usize] {
                Atom::Product(factors) => factors.as_slice(),
                _ => &[atom],
            };
            let mut product = AffineExpr::Constant(times);
            for &factor in factors {
                product = product.mul(self.atom_expression(ir, factor, symbols)?);
            }
            expr = expr.add(product);
        }
        Some(expr.add(AffineExpr::Constant(sum.constant)))
    }

    fn atom_expression(
        &self,
        ir: &Ir,
        atom: AtomId,
        symbols: &mut Vec<Known>,
    ) -> Option<AffineExpr> {
        let argument = |value: Value| match ir.value_def(value) {
            ValueDef::Argument(block, index) if Some(block) == ir.root_block() => {
                Some(index as usize)
            }
            _ => None,
        };
        let known = match &self.atoms[atom as usize] {
            // What is passed for other types has its sizes elsewhere.
            Atom::Dim(value, dim) if *dim < shape(ir, *value).len() => Known {
                argument: argument(*value)?,
                dim: Some(*dim),
            },
            Atom::Number(value) if is_word(ir.value_type(*value)) => Known {
                argument: argument(*value)?,
                dim: None,
            },
            Atom::Computed(kind, a, b) => {
                let a = self.expression(ir, a, symbols)?;
                let b = self.expression(ir, b, symbols)?;
                return match kind {
                    Kind::FloorDiv => Some(a.floor_div(b)),
                    Kind::CeilDiv => Some(a.ceil_div(b)),
                    Kind::Mod => Some(a.modulo(b)),
                    Kind::Mul => Some(a.mul(b)),
                    _ => None,
                };
            }
            Atom::Dim(..) | Atom::Number(_) | Atom::Rank(_) | Atom::Product(_) => return None,
        };
        let at = symbols.iter().position(|&other| other == known);
        let at = at.unwrap_or_else(|| {
            symbols.push(known);
            symbols.len() - 1
        });
        Some(AffineExpr::Symbol(at as u32))
    }

    /// Computes `sum`, of which everything is defined where the builder stands.
    pub(crate) fn materialize(&self, builder: &mut Builder<'_>, sum: &Sum) -> Value {
        let mut value = None;
        let mut add = |builder: &mut Builder<'_>, term: Value| {
            value = Some(match value {
                Some(sum) => builder.value(&arith::ADDI, &[sum, term], Type::INDEX),
                None => term,
            });
        };
        for &(atom, times) in &sum.terms {
            let mut term = self.materialize_atom(builder, atom);
            if times != 1 {
                let times = arith::constant_index(builder, times);
                term = builder.value(&arith::MULI, &[term, times], Type::INDEX);
            }
            add(builder, term);
        }
        if sum.constant != 0 || sum.terms.is_empty() {
            let constant = arith::constant_index(builder, sum.constant);
            add(builder, constant);
        }
        value.expect("a sum has terms or a number")
    }

    fn materialize_atom(&self, builder: &mut Builder<'_>, atom: AtomId) -> Value {
        match &self.atoms[atom as usize] {
            &Atom::Dim(value, dim) => {
                let index = arith::constant_index(builder, dim as i64);
                let def = match builder.ir.is_memref(value) {
                    true => &memref::DIM,
                    false => &tensor::DIM,
                };
                builder.value(def, &[value, index], Type::INDEX)
            }
            &Atom::Rank(value) => {
                let def = match builder.ir.is_memref(value) {
                    true => &memref::RANK,
                    false => &tensor::RANK,
                };
                builder.value(def, &[value], Type::INDEX)
            }
            &Atom::Number(value) => match builder.ir.value_type(value) {
                Type::INDEX => value,
                _ => builder.value(&arith::INDEX_CAST, &[value], Type::INDEX),
            },
            Atom::Product(factors) => {
                let mut factors = factors.iter();
                let first = *factors.next().expect("a product has factors");
                let first = self.materialize_atom(builder, first);
                factors.fold(first, |product, &factor| {
                    let factor = self.materialize_atom(builder, factor);
                    builder.value(&arith::MULI, &[product, factor], Type::INDEX)
                })
            }
            Atom::Computed(kind, a, b) => {
                let a = self.materialize(builder, a);
                let b = self.materialize(builder, b);
                let op = KINDS.iter().find(|(_, known)| known == kind);
                match op {
                    Some((def, _)) => builder.value(def, &[a, b], Type::INDEX),
                    None => {
                        let quotient = builder.value(&arith::FLOORDIVSI, &[a, b], Type::INDEX);
                        let whole = builder.value(&arith::MULI, &[quotient, b], Type::INDEX);
                        builder.value(&arith::SUBI, &[a, whole], Type::INDEX)
                    }
                }
            }
        }
    }

    fn set_dim(&mut self, ir: &Ir, value: Value, dim: usize, sum: Option<Sum>) {
        if let Some(sum) = sum
            && shape(ir, value).get(dim) == Some(&DYNAMIC)
            && sum.terms.len() <= MAX_TERMS
        {
            self.dims.insert((value, dim), sum);
        }
    }

    /// `value` has the sizes of `other`.
    fn same_sizes(&mut self, ir: &Ir, value: Value, other: Value) {
        if shape(ir, other).len() == shape(ir, value).len() {
            for dim in 0..shape(ir, value).len() {
                let sum = self.size(ir, other, dim);
                self.set_dim(ir, value, dim, Some(sum));
            }
        }
    }

    /// The dynamic sizes of `value` are these numbers, in order.
    fn sizes_from(&mut self, ir: &Ir, value: Value, numbers: &[Value]) {
        let mut numbers = numbers.iter();
        for dim in 0..shape(ir, value).len() {
            if shape(ir, value)[dim] == DYNAMIC
                && let Some(&number) = numbers.next()
            {
                let sum = self.number(ir, number);
                self.set_dim(ir, value, dim, Some(sum));
            }
        }
    }

    /// What follows from entering the regions of `op`.
    pub(crate) fn enter(&mut self, ir: &Ir, op: Op) {
        let Some(for_loop) = scf::For::cast(ir, op) else {
            return;
        };
        for (at, &carried) in for_loop.iter_args(ir).iter().enumerate() {
            if is_dynamic(ir, carried) && keeps_sizes(ir, op, at) {
                let init = for_loop.init_args(ir)[at];
                self.same_sizes(ir, carried, init);
            }
        }
    }

    /// Takes note of what `op` computes, whose operands and regions have been looked at.
    pub(crate) fn leave(&mut self, ir: &Ir, op: Op) {
        if let [result] = *ir.results(op)
            && is_word(ir.value_type(result))
        {
            if let Some(sum) = self.number_of(ir, op) {
                self.numbers.insert(result, sum);
            }
            return;
        }
        if ir.results(op).iter().any(|&result| is_dynamic(ir, result)) {
            self.sizes_of_results(ir, op);
        }
    }

    fn number_of(&mut self, ir: &Ir, op: Op) -> Option<Sum> {
        if ir.is(op, &tensor::DIM) || ir.is(op, &memref::DIM) {
            let dim = arith::as_constant_index(ir, ir.operand(op, 1))?;
            let dim = usize::try_from(dim).ok()?;
            let source = ir.operand(op, 0);
            return (dim < shape(ir, source).len()).then(|| self.size(ir, source, dim));
        }
        let is_cast = ir.is(op, &arith::INDEX_CAST) || ir.is(op, &arith::INDEX_CASTUI);
        if is_cast {
            // Of 64 bits as well: others are extended.
            let operand = ir.operand(op, 0);
            return is_word(ir.value_type(operand)).then(|| self.number(ir, operand));
        }
        if ir.is(op, &affine::APPLY) {
            let applied = affine::map_and_operands(ir, op, Name::MAP, 0)?;
            let operands: Vec<Sum> = (applied.operands.iter())
                .map(|&value| self.number(ir, value))
                .collect();
            let (dims, symbols) = operands.split_at_checked(applied.map.n_dims as usize)?;
            return self.apply(applied.map.results.first()?, dims, symbols);
        }
        if ir.operands(op).len() != 2 {
            return None;
        }
        let (a, b) = (ir.operand(op, 0), ir.operand(op, 1));
        if !is_word(ir.value_type(a)) || !is_word(ir.value_type(b)) {
            return None;
        }
        let kind = KINDS.iter().find(|(def, _)| ir.is(op, def));
        let is_sum = [&arith::ADDI, &arith::SUBI];
        if kind.is_none() && !is_sum.iter().any(|def| ir.is(op, def)) {
            return None;
        }
        let (a, b) = (self.number(ir, a), self.number(ir, b));
        let sum = match kind {
            Some((_, Kind::Mul)) => self.product(&a, &b),
            Some(&(_, kind)) => self.computed(kind, a, b),
            None if ir.is(op, &arith::SUBI) => a.plus(&b, -1),
            None => a.plus(&b, 1),
        };
        (sum.terms.len() <= MAX_TERMS).then_some(sum)
    }

    fn sizes_of_results(&mut self, ir: &Ir, op: Op) {
        if let Some(sources) = destinations(ir, op) {
            for (at, source) in sources.into_iter().enumerate() {
                self.same_sizes(ir, ir.result(op, at), source);
            }
            return;
        }
        let result = ir.result(op, 0);
        if ir.is(op, &tensor::EMPTY)
            || ir.is(op, &memref::ALLOC)
            || ir.is(op, &memref::ALLOCA)
            || ir.is(op, &bufferization::ALLOC_TENSOR)
            || ir.is(op, &tensor::GENERATE)
        {
            match bufferization::AllocTensor::cast(ir, op).and_then(|op| op.copy(ir)) {
                Some(copy) => self.same_sizes(ir, result, copy),
                None => self.sizes_from(ir, result, ir.operand_group(op, 0)),
            }
        } else if ir.is(op, &tensor::SPLAT) {
            self.sizes_from(ir, result, ir.operand_group(op, 1));
        } else if ir.is(op, &memref::VIEW) {
            self.sizes_from(ir, result, ir.operand_group(op, 2));
        } else if ir.is(op, &tensor::EXPAND_SHAPE) || ir.is(op, &memref::EXPAND_SHAPE) {
            self.sizes_from(ir, result, ir.operand_group(op, 1));
        } else if ir.is(op, &tensor::COLLAPSE_SHAPE) || ir.is(op, &memref::COLLAPSE_SHAPE) {
            let source = ir.operand(op, 0);
            for (dim, group) in reassociation(ir, op).into_iter().enumerate() {
                let size = self.size_of_group(ir, source, &group);
                self.set_dim(ir, result, dim, size);
            }
        } else if ir.is(op, &tensor::EXTRACT_SLICE) || ir.is(op, &memref::SUBVIEW) {
            let Some(lists) = OffsetSizeStride::of(ir, op) else {
                return;
            };
            let kept = kept_dims(&lists.sizes, shape(ir, result));
            for (dim, at) in kept.into_iter().flatten().enumerate() {
                let size = self.index(ir, lists.sizes[at]);
                self.set_dim(ir, result, dim, Some(size));
            }
        } else if let Some(pad) = tensor::Pad::cast(ir, op) {
            let (low, high) = pad.margins(ir);
            for (dim, (low, high)) in low.into_iter().zip(high).enumerate() {
                let margins = self.index(ir, low).plus(&self.index(ir, high), 1);
                let size = self.size(ir, ir.operand(op, 0), dim).plus(&margins, 1);
                self.set_dim(ir, result, dim, Some(size));
            }
        } else if ir.is(op, &tensor::CONCAT) {
            let along = ir.attr(op, Name::DIM);
            let along = along.and_then(|attr| ir.context().attr_integer(attr));
            for dim in 0..shape(ir, result).len() {
                let inputs = ir.operands(op);
                let size = match along == Some(dim as i128) {
                    true => inputs.iter().fold(Sum::default(), |sum, &input| {
                        sum.plus(&self.size(ir, input, dim), 1)
                    }),
                    false => self.size(ir, inputs[0], dim),
                };
                self.set_dim(ir, result, dim, Some(size));
            }
        } else if let Some(transpose) = memref::Transpose::cast(ir, op) {
            for (dim, at) in transpose.permutation(ir).into_iter().enumerate() {
                let size = self.size(ir, ir.operand(op, 0), at);
                self.set_dim(ir, result, dim, Some(size));
            }
        } else if let Some(reshape) = tensor::Reshape::cast(ir, op) {
            let elements = ir.defined_by(reshape.shape(ir), &tensor::FROM_ELEMENTS);
            for (dim, &number) in elements
                .map_or(&[][..], |op| ir.operands(op))
                .iter()
                .enumerate()
            {
                if is_word(ir.value_type(number)) {
                    let size = self.number(ir, number);
                    self.set_dim(ir, result, dim, Some(size));
                }
            }
        } else if let Some(op) = scf::If::cast(ir, op) {
            let Some(other) = op.else_yield(ir) else {
                return;
            };
            let pairs = ir
                .operands(op.then_yield(ir))
                .iter()
                .zip(ir.operands(other));
            for (&result, (&a, &b)) in ir.results(op.0).iter().zip(pairs) {
                for dim in 0..shape(ir, result).len() {
                    let (a, b) = (self.size(ir, a, dim), self.size(ir, b, dim));
                    // The same on both ways is nothing that one of them defines.
                    self.set_dim(ir, result, dim, (a == b).then_some(a));
                }
            }
        } else if let Some(for_loop) = scf::For::cast(ir, op) {
            for at in 0..ir.results(op).len() {
                let result = ir.result(op, at);
                if is_dynamic(ir, result) && keeps_sizes(ir, op, at) {
                    self.same_sizes(ir, result, for_loop.init_args(ir)[at]);
                }
            }
        }
    }

    /// The product of the sizes of `value` in these dimensions.
    pub(crate) fn size_of_group(&mut self, ir: &Ir, value: Value, dims: &[i64]) -> Option<Sum> {
        let mut product = Sum::constant(1);
        for &dim in dims {
            let size = self.size(ir, value, usize::try_from(dim).ok()?);
            product = self.product(&product, &size);
        }
        Some(product)
    }
}

/// The sizes in the type of a tensor or buffer; none of other values.
pub(crate) fn shape(ir: &Ir, value: Value) -> &[i64] {
    match ir.context().type_kind(ir.value_type(value)) {
        TypeKind::Vector { .. } => &[],
        _ => ir.context().shape(ir.value_type(value)).unwrap_or_default(),
    }
}

fn is_dynamic(ir: &Ir, value: Value) -> bool {
    shape(ir, value).contains(&DYNAMIC)
}

/// Whether values of this type are numbers as sizes are.
fn is_word(ty: Type) -> bool {
    ty == Type::INDEX || ty == Type::I64
}

/// The operand that each result has the sizes of.
fn destinations(ir: &Ir, op: Op) -> Option<Vec<Value>> {
    if interface::is_structured(ir, op) || ir.is(op, &linalg::SOFTMAX) {
        return Some(interface::outputs(ir, op).to_vec());
    }
    let first = [
        &tensor::CAST,
        &memref::CAST,
        &memref::MEMORY_SPACE_CAST,
        &bufferization::CLONE,
        &bufferization::TO_TENSOR,
        &bufferization::TO_MEMREF,
    ];
    if first.iter().any(|def| ir.is(op, def)) {
        return Some(vec![ir.operand(op, 0)]);
    }
    let second = [
        &tensor::INSERT,
        &tensor::INSERT_SLICE,
        &bufferization::MATERIALIZE_IN_DESTINATION,
    ];
    if second.iter().any(|def| ir.is(op, def)) {
        return Some(vec![ir.operand(op, 1)]);
    }
    if let Some(for_all) = scf::Forall::cast(ir, op) {
        return Some(for_all.outputs(ir).to_vec());
    }
    let is_elementwise = ir.has_trait(op, Traits::ELEMENTWISE) && ir.results(op).len() == 1;
    let rank = shape(ir, *ir.results(op).first()?).len();
    let same = |&&value: &&Value| shape(ir, value).len() == rank;
    match ir.operands(op).iter().find(same) {
        Some(&operand) if is_elementwise => Some(vec![operand]),
        _ => None,
    }
}

/// Whether each iteration of a loop leaves carried value number `at` with the sizes that it got.
fn keeps_sizes(ir: &Ir, op: Op, at: usize) -> bool {
    // Loops inside are asked about what they carry, so each level is walked once for each value.
    let Some(for_loop) = scf::For::cast(ir, op) else {
        return false;
    };
    let carried = for_loop.iter_args(ir)[at];
    let mut value = ir.operand(for_loop.yield_op(ir), at);
    while value != carried {
        let ValueDef::Result(inner, index) = ir.value_def(value) else {
            return false;
        };
        let index = index as usize;
        value = match (scf::For::cast(ir, inner), destinations(ir, inner)) {
            (Some(inner_loop), _) if keeps_sizes(ir, inner, index) => {
                inner_loop.init_args(ir)[index]
            }
            (None, Some(sources)) => match sources.get(index) {
                Some(&source) => source,
                None => return false,
            },
            _ => return false,
        };
    }
    true
}

/// The dimensions that become one, or that one becomes.
pub(crate) fn reassociation(ir: &Ir, op: Op) -> Vec<Vec<i64>> {
    let expand = tensor::ExpandShape::cast(ir, op).map(|view| view.reassociation(ir));
    let collapse = || tensor::CollapseShape::cast(ir, op).map(|view| view.reassociation(ir));
    let expand_buffer = || memref::ExpandShape::cast(ir, op).map(|view| view.reassociation(ir));
    let collapse_buffer = || memref::CollapseShape::cast(ir, op).map(|view| view.reassociation(ir));
    (expand
        .or_else(collapse)
        .or_else(expand_buffer)
        .or_else(collapse_buffer))
    .unwrap_or_default()
}

/// Which dimensions of the source a slice of these sizes keeps that has this shape: as many as there are, and all but
/// sizes of one. Nothing if that leaves a choice that matters.
pub(crate) fn kept_dims(sizes: &[MixedIndex], shape: &[i64]) -> Option<Vec<usize>> {
    let mut kept = Vec::with_capacity(shape.len());
    let mut left = sizes.len() - shape.len().min(sizes.len());
    for (at, size) in sizes.iter().enumerate() {
        let known = size.static_value();
        let wanted = shape.get(kept.len());
        if left > 0 && known == 1 && wanted != Some(&1) {
            left -= 1;
        } else if wanted == Some(&known) {
            kept.push(at);
        } else if left > 0 && known == 1 {
            left -= 1;
        } else {
            return None;
        }
    }
    (kept.len() == shape.len()).then_some(kept)
}
