//! What operations require of sizes that are known at run time only. Static sizes are the verifier's business.

use freehold_frontend::dialects::func::preconditions::{Precondition, Relation};
use freehold_frontend::dialects::linalg::interface;
use freehold_frontend::dialects::memref::{MixedIndex, OffsetSizeStride};
use freehold_frontend::dialects::{bufferization, iree_linalg_ext, linalg, memref, tensor};
use freehold_frontend::ir::affine::{AffineExpr, AffineMap, AffineOp};
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::op_def::OpDef;
use freehold_frontend::ir::types::DYNAMIC;

use crate::analysis::sizes::{Sizes, Sum, kept_dims, reassociation, shape};
use crate::rewrite::size_checks::SizeCheck;

/// A relation that must hold for an operation to stay inside of its operands.
pub(super) struct Requirement {
    /// Nothing is accessed if a count is not positive.
    pub(super) check: SizeCheck,
    /// The place that does not fit if it does not hold.
    pub(super) misfit: Misfit,
    /// Where it is checked if callers cannot know: subscripts of slices are not, as those of loads are not.
    pub(super) place: Place,
}

/// Where a requirement can be checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Place {
    /// By callers only.
    Callers,
    /// Before the operation, if callers cannot know.
    Before,
    /// After the operation, which computes a size itself.
    After,
}

/// A dimension of an operand, and what it does not fit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Misfit {
    operand: usize,
    dim: usize,
    other: Option<(usize, usize)>,
}

impl Requirement {
    /// What a call has to ensure whose callee has this precondition on these numbers; nothing if that is too long.
    pub(super) fn of_call(
        precondition: &Precondition,
        symbols: &[Sum],
        sizes: &mut Sizes,
    ) -> Option<Self> {
        let known = precondition.symbols.first();
        let mut sum = |expr: &AffineExpr| sizes.apply(expr, &[], symbols);
        Some(Self {
            check: SizeCheck {
                relation: precondition.relation,
                left: sum(&precondition.left)?,
                right: sum(&precondition.right)?,
                counts: (precondition.counts.iter())
                    .map(&mut sum)
                    .collect::<Option<_>>()?,
            },
            misfit: Misfit::of(
                known.map_or(0, |known| known.argument),
                known.and_then(|known| known.dim).unwrap_or(0),
            ),
            place: Place::Before,
        })
    }
}

impl Misfit {
    /// A dimension of an operand, whatever it does not fit.
    fn of(operand: usize, dim: usize) -> Self {
        Self {
            operand,
            dim,
            other: None,
        }
    }

    /// In words, for `op`.
    pub(super) fn describe(self, ir: &Ir, op: Op) -> String {
        let name = ir.op_name(op);
        let dimension =
            |operand: usize, dim: usize| format!("dimension #{dim} of operand #{operand}");
        let this = dimension(self.operand, self.dim);
        match self.other {
            Some((operand, dim)) => {
                let other = dimension(operand, dim);
                format!("{this} of '{name}' is incompatible with {other}")
            }
            None => format!("{this} of '{name}' has an incompatible size"),
        }
    }
}

/// Collects what operations require.
pub(super) struct Requirements<'a> {
    pub(super) ir: &'a Ir,
    pub(super) sizes: Sizes,
    /// Of the operation that was looked at last.
    pub(super) found: Vec<Requirement>,
}

impl Requirements<'_> {
    /// What `op` requires.
    pub(super) fn of(&mut self, op: Op) {
        let ir = self.ir;
        self.found.clear();
        if interface::is_structured(ir, op) {
            self.structured(op);
        } else if let Some(copy) = ir.def(op).copy {
            let index = |value| ir.operands(op).iter().position(|&other| other == value);
            let (source, target) = ((copy.source)(ir, op), (copy.target)(ir, op));
            if let (Some(source), Some(target)) = (index(source), index(target)) {
                self.same_shape(op, target, source);
            }
        } else if ir.is(op, &linalg::SOFTMAX)
            || ir.is(op, &bufferization::MATERIALIZE_IN_DESTINATION)
        {
            self.same_shape(op, 0, 1);
        } else if ir.is(op, &tensor::CAST) || ir.is(op, &memref::CAST) {
            self.cast(op);
        } else if ir.is(op, &tensor::EXPAND_SHAPE) || ir.is(op, &memref::EXPAND_SHAPE) {
            self.expand_shape(op);
        } else if ir.is(op, &tensor::RESHAPE) || ir.is(op, &memref::RESHAPE) {
            self.reshape(op);
        } else if ir.is(op, &tensor::CONCAT) {
            let along = self.integer(op, Name::DIM);
            for at in 1..ir.operands(op).len() {
                self.same_but(op, at, 0, along);
            }
        } else if ir.is(op, &memref::VIEW) {
            self.view(op);
        } else if ir.is(op, &tensor::EXTRACT_SLICE) || ir.is(op, &memref::SUBVIEW) {
            self.slice(op, 0);
        } else if ir.is(op, &tensor::INSERT_SLICE) || ir.is(op, &tensor::PARALLEL_INSERT_SLICE) {
            self.inserted(op);
            self.slice(op, 1);
        } else {
            self.linalg_ext(op);
        }
    }

    fn size(&mut self, op: Op, operand: usize, dim: usize) -> Sum {
        let value = self.ir.operand(op, operand);
        self.sizes.size(self.ir, value, dim)
    }

    fn rank(&self, op: Op, operand: usize) -> usize {
        shape(self.ir, self.ir.operand(op, operand)).len()
    }

    fn integer(&self, op: Op, name: Name) -> Option<usize> {
        let attr = self.ir.attr(op, name)?;
        usize::try_from(self.ir.context().attr_integer(attr)?).ok()
    }

    fn require(&mut self, relation: Relation, left: Sum, right: Sum, misfit: Misfit) {
        self.found.push(Requirement {
            check: SizeCheck {
                relation,
                left,
                right,
                counts: Vec::new(),
            },
            misfit,
            place: Place::Before,
        });
    }

    /// Two dimensions of operands are equal.
    fn equal(&mut self, op: Op, (operand, dim): (usize, usize), other: (usize, usize)) {
        let left = self.size(op, operand, dim);
        let right = self.size(op, other.0, other.1);
        let misfit = Misfit {
            operand,
            dim,
            other: Some(other),
        };
        self.require(Relation::Equal, left, right, misfit);
    }

    fn same_shape(&mut self, op: Op, operand: usize, other: usize) {
        self.same_but(op, operand, other, None);
    }

    /// Two operands have the same shape but for one dimension.
    fn same_but(&mut self, op: Op, operand: usize, other: usize, except: Option<usize>) {
        let rank = self.rank(op, operand);
        if rank == self.rank(op, other) {
            for dim in (0..rank).filter(|&dim| Some(dim) != except) {
                self.equal(op, (operand, dim), (other, dim));
            }
        }
    }

    /// `operand` has the shape of `other` without one dimension.
    fn without(&mut self, op: Op, operand: usize, other: usize, left_out: usize) {
        let kept = (0..self.rank(op, other)).filter(|&dim| dim != left_out);
        let kept: Vec<usize> = kept.collect();
        if self.rank(op, operand) == kept.len() {
            for (dim, at) in kept.into_iter().enumerate() {
                self.equal(op, (operand, dim), (other, at));
            }
        }
    }

    /// Every loop runs as often as the first dimension says that it subscripts alone. Other dimensions that it
    /// subscripts alone are equal to that, those with other subscripts are large enough for the last one.
    fn structured(&mut self, op: Op) {
        let ir = self.ir;
        let operands = ir.operands(op);
        if !(operands.iter()).any(|&operand| shape(ir, operand).contains(&DYNAMIC)) {
            return;
        }
        let maps = interface::indexing_maps(ir, op);
        let first: Vec<_> = interface::loop_sizes(ir, op)
            .into_iter()
            .map(|found| {
                let (value, dim) = found?;
                Some((operands.iter().position(|&other| other == value)?, dim))
            })
            .collect();
        let mut loops = Vec::with_capacity(first.len());
        for place in &first {
            let Some((operand, dim)) = *place else {
                return;
            };
            loops.push(self.size(op, operand, dim));
        }
        for (operand, map) in maps.iter().enumerate() {
            for (dim, result) in map.results.iter().enumerate() {
                if let AffineExpr::Dim(at) = result {
                    let Some(Some(other)) = first.get(*at as usize) else {
                        continue;
                    };
                    if *other != (operand, dim) {
                        self.equal(op, (operand, dim), *other);
                    }
                } else {
                    self.window(op, operand, dim, map, &loops);
                }
            }
        }
    }

    /// A dimension is large enough for the last subscript, and none is negative.
    fn window(&mut self, op: Op, operand: usize, dim: usize, map: &AffineMap, loops: &[Sum]) {
        let never_runs = |size: &Sum| size.as_constant().is_some_and(|size| size <= 0);
        if loops.iter().any(never_runs) {
            return;
        }
        let subscript = &map.results[dim];
        let last: Vec<Sum> = loops.iter().map(|size| size.plus_constant(-1)).collect();
        let Some((least, most)) = self.bounds(subscript, &last) else {
            return;
        };
        let size = self.size(op, operand, dim);
        let misfit = Misfit::of(operand, dim);
        let counts: Vec<Sum> = (loops.iter())
            .filter(|size| size.as_constant().is_none())
            .cloned()
            .collect();
        let ends = [(size, most.plus_constant(1)), (least, Sum::default())];
        for (left, right) in ends {
            self.require(Relation::AtLeast, left, right, misfit);
            if let Some(requirement) = self.found.last_mut() {
                requirement.check.counts.clone_from(&counts);
            }
        }
    }

    /// The least and the largest value of a subscript while each dimension runs from 0 to the last one.
    fn bounds(&mut self, expr: &AffineExpr, last: &[Sum]) -> Option<(Sum, Sum)> {
        Some(match expr {
            AffineExpr::Dim(at) => (Sum::default(), last.get(*at as usize)?.clone()),
            AffineExpr::Constant(number) => (Sum::constant(*number), Sum::constant(*number)),
            AffineExpr::Symbol(_) => return None,
            AffineExpr::Binary(op, sides) => {
                let (least, most) = self.bounds(&sides.0, last)?;
                if *op == AffineOp::Add {
                    let (other_least, other_most) = self.bounds(&sides.1, last)?;
                    return Some((least.plus(&other_least, 1), most.plus(&other_most, 1)));
                }
                let by = sides.1.as_constant()?;
                match op {
                    AffineOp::Mul if by >= 0 => (least.times(by), most.times(by)),
                    AffineOp::Mul => (most.times(by), least.times(by)),
                    AffineOp::FloorDiv | AffineOp::CeilDiv if by > 0 => {
                        let mut divided = |sum: Sum| {
                            let expr = AffineExpr::Dim(0);
                            let by = AffineExpr::Constant(by);
                            let expr = match op {
                                AffineOp::FloorDiv => expr.floor_div(by),
                                _ => expr.ceil_div(by),
                            };
                            self.sizes.apply(&expr, &[sum], &[])
                        };
                        (divided(least)?, divided(most)?)
                    }
                    // Few iterations do not get to the largest remainder. What begins below zero may, at once.
                    AffineOp::Mod if by > 0 => {
                        let largest = Sum::constant(by - 1);
                        let most = match least.as_constant() {
                            Some(0..) => self.sizes.minimum(most, largest),
                            _ => largest,
                        };
                        (Sum::default(), most)
                    }
                    _ => return None,
                }
            }
        })
    }

    /// A size that becomes static is what the type says.
    fn cast(&mut self, op: Op) {
        let ir = self.ir;
        let (source, result) = (ir.operand(op, 0), ir.result(op, 0));
        if !self.is_ranked(source) && self.is_ranked(result) {
            self.ranked_cast(op);
            return;
        }
        let pairs = shape(ir, source).iter().zip(shape(ir, result)).enumerate();
        for (dim, (&from, &to)) in pairs {
            if from == DYNAMIC && to != DYNAMIC {
                let misfit = Misfit::of(0, dim);
                let size = self.size(op, 0, dim);
                self.require(Relation::Equal, size, Sum::constant(to), misfit);
            }
        }
    }

    fn is_ranked(&self, value: Value) -> bool {
        let context = self.ir.context();
        context.shape(self.ir.value_type(value)).is_some()
    }

    /// The rank, and sizes that become static, are what the type says.
    fn ranked_cast(&mut self, op: Op) {
        let ir = self.ir;
        let (source, result) = (ir.operand(op, 0), ir.result(op, 0));
        let misfit = |dim| Misfit::of(0, dim);
        let rank = self.sizes.rank(source);
        let wanted = Sum::constant(shape(ir, result).len() as i64);
        self.require(Relation::Equal, rank, wanted, misfit(0));
        for (dim, &size) in shape(ir, result).iter().enumerate() {
            if size != DYNAMIC {
                let found = self.size(op, 0, dim);
                self.require(Relation::Equal, found, Sum::constant(size), misfit(dim));
            }
        }
    }

    /// The parts of a dimension make up the whole of it.
    fn expand_shape(&mut self, op: Op) {
        let ir = self.ir;
        let result = ir.result(op, 0);
        for (dim, group) in reassociation(ir, op).into_iter().enumerate() {
            let Some(parts) = self.sizes.size_of_group(ir, result, &group) else {
                continue;
            };
            let size = self.size(op, 0, dim);
            let misfit = Misfit::of(0, dim);
            self.require(Relation::Equal, size, parts, misfit);
        }
    }

    /// There are as many elements as before.
    fn reshape(&mut self, op: Op) {
        let ir = self.ir;
        let all = |value: Value| -> Option<Vec<i64>> {
            let is_ranked = ir.context().shape(ir.value_type(value)).is_some();
            is_ranked.then(|| (0..shape(ir, value).len() as i64).collect())
        };
        let (source, result) = (ir.operand(op, 0), ir.result(op, 0));
        let (Some(before), Some(after)) = (all(source), all(result)) else {
            return;
        };
        let before = self.sizes.size_of_group(ir, source, &before);
        let after = self.sizes.size_of_group(ir, result, &after);
        if let (Some(before), Some(after)) = (before, after) {
            let misfit = Misfit::of(0, 0);
            self.require(Relation::Equal, before, after, misfit);
            if let Some(requirement) = self.found.last_mut() {
                requirement.place = Place::After;
            }
        }
    }

    /// The bytes of a view are there.
    fn view(&mut self, op: Op) {
        let ir = self.ir;
        let result = ir.result(op, 0);
        let context = ir.context();
        let element = context.element_type_or_self(ir.value_type(result));
        let Some(bytes) = context.element_byte_size(element) else {
            return;
        };
        let dims: Vec<i64> = (0..shape(ir, result).len() as i64).collect();
        let Some(elements) = self.sizes.size_of_group(ir, result, &dims) else {
            return;
        };
        let shift = self.sizes.number(ir, ir.operand(op, 1));
        let end = elements.times(bytes as i64).plus(&shift, 1);
        let size = self.size(op, 0, 0);
        let misfit = Misfit::of(0, 0);
        self.require(Relation::AtLeast, size, end, misfit);
    }

    /// The slice that operand `of` is taken from, or put into, is inside of it.
    fn slice(&mut self, op: Op, of: usize) {
        let ir = self.ir;
        let Some(lists) = OffsetSizeStride::of(ir, op) else {
            return;
        };
        let counts: Vec<Sum> = (lists.sizes.iter())
            .map(|&size| self.sizes.index(ir, size))
            .collect();
        for dim in 0..lists.offsets.len() {
            let MixedIndex::Constant(stride) = lists.strides[dim].simplified(ir) else {
                continue;
            };
            let offset = self.sizes.index(ir, lists.offsets[dim]);
            let span = counts[dim].plus_constant(-1).times(stride);
            let (first, last) = match stride < 0 {
                true => (offset.plus(&span, 1), offset),
                false => (offset.clone(), offset.plus(&span, 1)),
            };
            let whole = self.size(op, of, dim);
            let misfit = Misfit::of(of, dim);
            let ends = [(whole, last.plus_constant(1)), (first, Sum::default())];
            for (left, right) in ends {
                self.require(Relation::AtLeast, left, right, misfit);
                if let Some(requirement) = self.found.last_mut() {
                    requirement.check.counts.clone_from(&counts);
                    requirement.place = Place::Callers;
                }
            }
        }
    }

    /// An inserted tensor has the size of its place.
    fn inserted(&mut self, op: Op) {
        let ir = self.ir;
        let Some(lists) = OffsetSizeStride::of(ir, op) else {
            return;
        };
        let kept = kept_dims(&lists.sizes, shape(ir, ir.operand(op, 0)));
        for (dim, at) in kept.into_iter().flatten().enumerate() {
            let place = self.sizes.index(ir, lists.sizes[at]);
            let size = self.size(op, 0, dim);
            let misfit = Misfit::of(0, dim);
            self.require(Relation::Equal, size, place, misfit);
        }
    }

    fn linalg_ext(&mut self, op: Op) {
        let ir = self.ir;
        let is = |def: &'static OpDef| ir.is(op, def);
        let n = ir.operands(op).len();
        let along = self.integer(op, Name::DIMENSION).unwrap_or(usize::MAX);
        let of_group = |group: usize| {
            let range = ir.operand_group_range(op, group);
            (!range.is_empty()).then_some(range.start)
        };
        if is(&iree_linalg_ext::SORT) {
            (1..n).for_each(|at| self.same_shape(op, at, 0));
        } else if is(&iree_linalg_ext::REVERSE) {
            self.same_shape(op, 1, 0);
        } else if is(&iree_linalg_ext::SCAN) {
            self.same_shape(op, 1, 0);
            self.without(op, 2, 0, along);
        } else if is(&iree_linalg_ext::FFT) {
            self.same_shape(op, n - 1, n - 2);
        } else if is(&iree_linalg_ext::TOPK) {
            if let Some(indices) = of_group(1) {
                self.same_shape(op, indices, 0);
            }
            self.same_but(op, n - 2, 0, Some(along));
            self.same_shape(op, n - 1, n - 2);
        } else if is(&iree_linalg_ext::ARG_COMPARE) {
            if let Some(indices) = of_group(1) {
                self.same_shape(op, indices, 0);
            }
            for output in [2, 3].into_iter().filter_map(of_group) {
                self.without(op, output, 0, along);
            }
        } else if is(&iree_linalg_ext::GATHER) {
            self.positions(op, 2, 0);
        } else if is(&iree_linalg_ext::SCATTER) {
            self.positions(op, 0, 2);
        }
    }

    /// There is a position (operand 1) for each of the `slices`, which are not larger than the `whole`.
    fn positions(&mut self, op: Op, slices: usize, whole: usize) {
        let depth = self.ir.attr(op, Name::DIMENSION_MAP);
        let depth = depth.and_then(|attr| self.ir.context().attr_i64_array(attr));
        let depth = depth.map_or(0, |map| map.len());
        let (rank, whole_rank) = (self.rank(op, slices), self.rank(op, whole));
        let Some(n_batch) = (rank + depth).checked_sub(whole_rank) else {
            return;
        };
        for dim in 0..n_batch.min(self.rank(op, 1)) {
            self.equal(op, (slices, dim), (1, dim));
        }
        for (dim, at) in (n_batch..rank).zip(depth..whole_rank) {
            self.equal(op, (slices, dim), (whole, at));
        }
    }
}
