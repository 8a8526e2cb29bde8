//! The operations that combine what the iterations of a loop compute, in any order, and what loops add up.

use freehold_frontend::dialects::arith::FastMathFlags;
use freehold_frontend::dialects::vector::CombiningKind;
use freehold_frontend::dialects::{affine, arith, math, scf};
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::op_def::OpDef;
use freehold_frontend::ir::types::Type;
use smallvec::SmallVec;

use super::loop_memory::{self, Access};

/// A value that a loop carries, and how it is combined with something in each iteration.
#[derive(Clone, Copy)]
pub(crate) struct Reduction {
    /// What combines two values of it.
    pub(crate) def: &'static OpDef,
    pub(crate) kind: CombiningKind,
    /// What changes nothing. `None` if values may be combined with the same one again and again, so
    /// that all lanes can start from it.
    pub(crate) neutral: Option<i64>,
    /// Whether neighbours are added to one lane: registers have an instruction for products of 16-bit
    /// numbers that does so.
    pub(crate) adds_pairs: bool,
}

/// The operations whose order does not matter.
static REDUCTIONS: &[Reduction] = &[
    Reduction::new(&arith::MAXIMUMF, CombiningKind::MaximumF, None),
    Reduction::new(&arith::MINIMUMF, CombiningKind::MinimumF, None),
    Reduction::new(&arith::MAXSI, CombiningKind::MaxSI, None),
    Reduction::new(&arith::MAXUI, CombiningKind::MaxUI, None),
    Reduction::new(&arith::MINSI, CombiningKind::MinSI, None),
    Reduction::new(&arith::MINUI, CombiningKind::MinUI, None),
    Reduction::new(&arith::ADDI, CombiningKind::Add, Some(0)),
    Reduction::new(&arith::MULI, CombiningKind::Mul, Some(1)),
    Reduction::new(&arith::ANDI, CombiningKind::And, None),
    Reduction::new(&arith::ORI, CombiningKind::Or, None),
    Reduction::new(&arith::XORI, CombiningKind::Xor, Some(0)),
];

/// Those of floats, whose order matters unless they may be regrouped.
static REGROUPED: &[Reduction] = &[
    Reduction::new(&arith::ADDF, CombiningKind::Add, Some(0)),
    Reduction::new(&arith::MULF, CombiningKind::Mul, Some(1)),
];

/// What adds a product to a sum.
static FUSED: Reduction = Reduction::new(&arith::ADDF, CombiningKind::Add, Some(0));

impl Reduction {
    const fn new(def: &'static OpDef, kind: CombiningKind, neutral: Option<i64>) -> Self {
        Self {
            def,
            kind,
            neutral,
            adds_pairs: false,
        }
    }

    /// How `op` combines two values, if it does not matter in which order many are combined.
    pub(crate) fn of_op(ir: &Ir, op: Op) -> Option<Self> {
        let mut known = REDUCTIONS.iter().filter(|known| ir.is(op, known.def));
        known.next().copied()
    }

    /// The same, or where flags say that the order does not matter: results may depend on it.
    pub(crate) fn in_any_order(ir: &Ir, op: Op) -> Option<Self> {
        let regrouped = || {
            let may_regroup = FastMathFlags::of(ir, op).contains(FastMathFlags::REASSOC);
            let mut known = REGROUPED.iter().filter(|known| ir.is(op, known.def));
            let fused = ir.is(op, &math::FMA).then_some(&FUSED);
            known.next().or(fused).copied().filter(|_| may_regroup)
        };
        Self::of_op(ir, op).or_else(regrouped)
    }

    /// How the affine loop `op` combines the value that it carries at this place with another one, and the operation that
    /// does.
    pub(crate) fn of_affine(ir: &Ir, op: Op, index: usize) -> Option<(Self, Op)> {
        let view = affine::For(op);
        let carried = *view.iter_args(ir).get(index)?;
        let body = view.body(ir);
        let next = ir.operand(ir.terminator(body)?, index);
        let combine = ir.defining_op(next)?;
        let is_reduction = ir.block_of(combine) == Some(body)
            && ir.operands(combine).len() == 2
            && ir.operands(combine).contains(&carried)
            && ir.has_one_use(carried)
            && ir.has_one_use(next);
        let known = Self::in_any_order(ir, combine).filter(|_| is_reduction)?;
        Some((known, combine))
    }

    /// How the loop `op` combines the value that it carries at this place.
    pub(crate) fn of(ir: &Ir, op: Op, index: usize) -> Option<Self> {
        let view = scf::For(op);
        let carried = view.iter_args(ir)[index];
        let next = ir.operand(view.yield_op(ir), index);
        let combine = ir.defining_op(next)?;
        let is_reduction = ir.block_of(combine) == Some(view.body(ir))
            && match ir.is(combine, &math::FMA) {
                true => ir.operand(combine, 2) == carried,
                false => ir.operands(combine).contains(&carried),
            }
            && ir.has_one_use(carried)
            && ir.has_one_use(next);
        let known = Self::in_any_order(ir, combine).filter(|_| is_reduction)?;
        let adds_pairs = known.kind == CombiningKind::Add && {
            let mut operands = ir.operands(combine).iter();
            ir.value_type(next) == Type::I32
                && operands.any(|&operand| is_product_of_narrow(ir, operand))
        };
        Some(Self {
            adds_pairs,
            ..known
        })
    }
}

/// Whether a number is the product of two that were extended from 8 bits, or as signed from 16.
fn is_product_of_narrow(ir: &Ir, value: Value) -> bool {
    let is_narrow = |&factor: &Value| {
        ir.defining_op(factor).is_some_and(|op| {
            let is_signed = ir.is(op, &arith::EXTSI);
            let source = |ty| ir.value_type(ir.operand(op, 0)) == ty;
            (is_signed || ir.is(op, &arith::EXTUI)) && source(Type::I8)
                || is_signed && source(Type::I16)
        })
    };
    ir.defined_by(value, &arith::MULI)
        .is_some_and(|op| ir.operands(op).iter().all(is_narrow))
}

/// Whether a loop adds something up, and in any order: then it runs in vectors once that is in registers.
pub(crate) fn adds_up_in_any_order(ir: &Ir, op: Op) -> bool {
    Sum::of(ir, op).is_some_and(|sum| !sum.is_ordered)
}

/// What a loop adds up.
pub(crate) struct Sum {
    /// Whether each addition must wait for the one before; sums of integers are computed in parts.
    pub(crate) is_ordered: bool,
    /// The loads from other places in each iteration.
    pub(crate) loads: Vec<Value>,
}

impl Sum {
    pub(crate) fn of(ir: &Ir, op: Op) -> Option<Self> {
        let accesses = loop_memory::accesses(ir, op)?;
        let is_fixed = |access: &Access| {
            let mut values = std::iter::once(&access.buffer).chain(access.indices(ir));
            values.all(|&value| loop_memory::is_outside(ir, value, op))
        };
        let mut sums: SmallVec<[Value; 2]> = SmallVec::new();
        let mut loads = Vec::new();
        for access in &accesses {
            let is_same_place = |other: &Access| {
                let mut both = other.indices(ir).iter().zip(access.indices(ir));
                other.is_store
                    && other.buffer == access.buffer
                    && both.all(|(&a, &b)| loop_memory::is_same_number(ir, a, b))
            };
            if access.is_store {
                continue;
            }
            match accesses.iter().find(|other| is_same_place(other)) {
                Some(store) if is_fixed(access) => sums.push(store.value(ir)),
                _ => loads.push(access.value(ir)),
            }
        }
        let carried = ir.operands(scf::For(op).yield_op(ir));
        sums.extend_from_slice(carried);
        if sums.is_empty() {
            return None;
        }
        let is_ordered = |&value: &Value| {
            let combine = ir.defining_op(value);
            combine.is_none_or(|op| Reduction::in_any_order(ir, op).is_none())
        };
        Some(Self {
            is_ordered: sums.iter().any(is_ordered),
            loads,
        })
    }
}
