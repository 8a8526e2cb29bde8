//! Structured operations that are contractions: nests of loops around `result += left * right`, with
//! subscripts that are sums of multiples of counters. Products of matrices are, and convolutions, whatever
//! they are called and however their operands lie in memory.
//!
//! All that matters of a loop is how far each operand moves in one iteration of it: by that it is one over
//! rows (the right factor stays where it is), over columns (the left one stays), a batch (both move) or an
//! inner one (the result stays).

use freehold_frontend::dialects::arith::{self, FastMathFlags};
use freehold_frontend::dialects::linalg;
use freehold_frontend::ir::affine::{AffineExpr, AffineOp};
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::op_def::OpDef;
use freehold_frontend::ir::types::{DYNAMIC, FloatKind, Type};
use smallvec::SmallVec;

/// Operands in this order: the accumulator, and both factors.
pub(crate) const RESULT: usize = 0;
pub(crate) const LEFT: usize = 1;
pub(crate) const RIGHT: usize = 2;

/// Types of elements: of results (`F32`, `F64` and `I32`), and of factors, which are widened to those.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Element {
    F32,
    F64,
    I32,
    I8,
    /// Extended with zeros.
    U8,
    I16,
    F16,
    Bf16,
}

impl Element {
    pub(crate) fn bytes(self) -> i64 {
        match self {
            Self::F64 => 8,
            Self::F32 | Self::I32 => 4,
            Self::I16 | Self::F16 | Self::Bf16 => 2,
            Self::I8 | Self::U8 => 1,
        }
    }

    /// `None` for types that are not multiplied, or that have another meaning widened by `cast`.
    fn of(ir: &Ir, ty: Type, cast: Option<Op>) -> Option<Self> {
        let context = ir.context();
        let is_cast = |def| cast.is_some_and(|cast| ir.is(cast, def));
        let is_unsigned = is_cast(&arith::EXTUI) || is_cast(&arith::UITOFP);
        if cast.is_some() && !is_unsigned {
            let signed = [&arith::EXTSI, &arith::SITOFP, &arith::EXTF];
            signed.into_iter().find(|&def| is_cast(def))?;
        }
        if let Some(kind) = context.float_kind(ty) {
            return match kind {
                FloatKind::F32 => Some(Self::F32),
                FloatKind::F64 => Some(Self::F64),
                FloatKind::F16 => Some(Self::F16),
                FloatKind::BF16 => Some(Self::Bf16),
                _ => None,
            };
        }
        [(32, false), (16, false), (8, false), (8, true)]
            .into_iter()
            .find(|&(width, unsigned)| ty == context.integer_type(width) && unsigned == is_unsigned)
            .filter(|&(width, _)| width < 32 || cast.is_none())
            .map(|found| match found {
                (32, _) => Self::I32,
                (16, _) => Self::I16,
                (_, false) => Self::I8,
                (_, true) => Self::U8,
            })
    }
}

/// What an operation computes.
pub(crate) struct Contraction {
    /// Of the buffers: those of factors are all that of the result, or are all widened to it.
    pub(crate) elements: [Element; 3],
    /// The buffers.
    pub(crate) operands: [Value; 3],
    /// Per factor, the `i32` that is subtracted from its elements, if one is.
    pub(crate) zeros: [Option<Value>; 2],
    /// Outermost first.
    pub(crate) loops: Vec<Loop>,
    /// Per operand and dimension, the number added to the counters.
    pub(crate) constants: [Vec<i64>; 3],
    /// Whether products need not be rounded before they are added.
    pub(crate) may_fuse: bool,
    /// Whether they may be added up in any order.
    pub(crate) any_order: bool,
}

/// A loop of a contraction.
pub(crate) struct Loop {
    /// The operand and its dimension that tell how often it runs.
    pub(crate) bound: (Value, usize),
    /// The same number, if it is known.
    pub(crate) size: i64,
    /// Per operand, its dimensions that the counter moves along, and how fast.
    pub(crate) steps: [Vec<(usize, i64)>; 3],
}

/// What a loop moves along.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    /// Result and both factors.
    Batch,
    /// Result and left factor.
    Row,
    /// Result and right factor.
    Column,
    /// Factors only.
    Inner,
}

impl Contraction {
    /// What `op` computes, if it is a contraction of buffers with strides. `allowed` and the flags of its
    /// body say how exactly.
    pub(crate) fn of(ir: &Ir, op: Op, allowed: FastMathFlags) -> Option<Self> {
        if !linalg::is_structured(ir, op) || !ir.results(op).is_empty() {
            return None;
        }
        let &[result] = linalg::outputs(ir, op) else {
            return None;
        };
        let body = Body::of(ir, op)?;
        let maps = linalg::indexing_maps(ir, op);
        let inputs = linalg::inputs(ir, op);
        let places = [inputs.len(), body.factors[0], body.factors[1]];
        let operands = [
            result,
            *inputs.get(body.factors[0])?,
            *inputs.get(body.factors[1])?,
        ];
        let elements = elements(ir, operands, &body)?;
        let mut flags = body.flags.union(allowed);
        if elements[LEFT] == Element::F16 && elements[RIGHT] == Element::F16 {
            // Products of 11 bits are not rounded in 24, nor too large or too small.
            flags = flags.union(FastMathFlags::CONTRACT);
        }
        let mut loops: Vec<Loop> = Vec::new();
        for size in linalg::loop_sizes(ir, op) {
            let bound = size?;
            loops.push(Loop {
                bound,
                size: linalg::interface::shape(ir, bound.0)[bound.1],
                steps: Default::default(),
            });
        }
        let mut constants: [Vec<i64>; 3] = Default::default();
        for operand in [RESULT, LEFT, RIGHT] {
            for (dim, subscript) in maps.get(places[operand])?.results.iter().enumerate() {
                let mut sum = vec![0; loops.len() + 1];
                add_linear(subscript, 1, &mut sum)?;
                constants[operand].push(sum.pop()?);
                for (counted, factor) in loops.iter_mut().zip(sum) {
                    if factor != 0 {
                        counted.steps[operand].push((dim, factor));
                    }
                }
            }
        }
        Some(Self {
            elements,
            operands,
            zeros: body.zeros,
            loops,
            constants,
            may_fuse: flags.contains(FastMathFlags::CONTRACT),
            any_order: flags.contains(FastMathFlags::REASSOC),
        })
    }

    /// What a loop moves along; `None` if it moves along nothing, or the result alone.
    pub(crate) fn role(&self, index: usize) -> Option<Role> {
        let steps = &self.loops[index].steps;
        let moves = |operand: usize| !steps[operand].is_empty();
        match (moves(RESULT), moves(LEFT), moves(RIGHT)) {
            (true, true, true) => Some(Role::Batch),
            (true, true, false) => Some(Role::Row),
            (true, false, true) => Some(Role::Column),
            (false, true, _) | (false, _, true) => Some(Role::Inner),
            (_, false, false) => None,
        }
    }

    /// Whether each element of the result is one that the loops come to: its subscripts are counters, each of
    /// another loop.
    pub(crate) fn computes_whole_result(&self) -> bool {
        let constants = &self.constants[RESULT];
        let steps = self.loops.iter().map(|counted| &counted.steps[RESULT]);
        let mut dims: SmallVec<[usize; 8]> = SmallVec::new();
        for steps in steps.filter(|steps| !steps.is_empty()) {
            match steps[..] {
                [(dim, 1)] if !dims.contains(&dim) => dims.push(dim),
                _ => return false,
            }
        }
        dims.len() == constants.len() && constants.iter().all(|&constant| constant == 0)
    }

    /// How many elements further an operand is in the next iteration of a loop, if that is known.
    pub(crate) fn stride(&self, ir: &Ir, index: usize, operand: usize) -> Option<i64> {
        let memref = ir
            .context()
            .as_memref(ir.value_type(self.operands[operand]))?;
        let (strides, _) = ir.context().memref_strides(memref)?;
        let mut sum = 0i64;
        for &(dim, factor) in &self.loops[index].steps[operand] {
            let stride = strides
                .get(dim)
                .copied()
                .filter(|&stride| stride != DYNAMIC)?;
            sum = sum.checked_add(stride.checked_mul(factor)?)?;
        }
        Some(sum)
    }

    /// The product of the known sizes of loops that are `counted`, and whether all of them are known.
    pub(crate) fn size(&self, counted: impl Fn(usize) -> bool) -> (i64, bool) {
        let sizes = || {
            (0..self.loops.len())
                .filter(|&i| counted(i))
                .map(|i| self.loops[i].size)
        };
        let known = sizes().filter(|&size| size != DYNAMIC);
        let product = known.fold(1, i64::saturating_mul);
        (product, sizes().all(|size| size != DYNAMIC))
    }
}

/// Adds a multiple of an expression to `sum`, which has a place for each counter and one for the constant. `None` if it
/// is no sum of multiples of counters.
pub(crate) fn add_linear(expr: &AffineExpr, factor: i64, sum: &mut [i64]) -> Option<()> {
    let (place, number) = match expr {
        AffineExpr::Dim(counter) => (*counter as usize, factor),
        AffineExpr::Constant(number) => (sum.len().checked_sub(1)?, number.checked_mul(factor)?),
        AffineExpr::Binary(AffineOp::Add, sides) => {
            add_linear(&sides.0, factor, sum)?;
            return add_linear(&sides.1, factor, sum);
        }
        AffineExpr::Binary(AffineOp::Mul, sides) => {
            let (number, other) = match (&sides.0, &sides.1) {
                (AffineExpr::Constant(number), other) => (number, other),
                (other, AffineExpr::Constant(number)) => (number, other),
                _ => return None,
            };
            return add_linear(other, factor.checked_mul(*number)?, sum);
        }
        AffineExpr::Symbol(_) | AffineExpr::Binary(..) => return None,
    };
    let entry = sum.get_mut(place)?;
    *entry = entry.checked_add(number)?;
    Some(())
}

/// Whether all that a structured operation does is to add the product of two inputs, maybe widened and less a
/// zero, to its output.
pub(crate) fn adds_up_products(ir: &Ir, op: Op) -> bool {
    Body::of(ir, op).is_some()
}

/// Whether it does what named operations do, with inputs that are not widened. Those of `i1` are no products and sums.
pub(crate) fn adds_up_plain_products(ir: &Ir, op: Op) -> bool {
    let is_plain = |body: Body| {
        let result = linalg::outputs(ir, op).first();
        let is_flag = |&result: &Value| linalg::interface::element_type(ir, result) == Type::I1;
        body.casts == [None; 2] && !result.is_some_and(is_flag)
    };
    Body::of(ir, op).is_some_and(is_plain)
}

/// What the body adds.
struct Body {
    /// Which inputs are multiplied.
    factors: [usize; 2],
    /// What widens them, if anything does.
    casts: [Option<Op>; 2],
    /// The zero point subtracted from each widened factor.
    zeros: [Option<Value>; 2],
    /// What both operations are allowed.
    flags: FastMathFlags,
}

impl Body {
    /// `None` if it does not add the product of two inputs to the output.
    fn of(ir: &Ir, op: Op) -> Option<Self> {
        let body = linalg::interface::body(ir, op)?;
        let (&sum, inputs) = ir.block_args(body).split_last()?;
        let end = ir.last_op(body)?;
        let &[result] = ir.operands(end) else {
            return None;
        };
        let defined_by = |value, defs: [&'static OpDef; 2]| {
            let mut defs = defs.into_iter();
            defs.find_map(|def| ir.defined_by(value, def))
        };
        let addition = defined_by(result, [&arith::ADDF, &arith::ADDI])?;
        let product_value = match *ir.operands(addition) {
            [first, second] if first == sum => second,
            [first, second] if second == sum => first,
            _ => return None,
        };
        let product = defined_by(product_value, [&arith::MULF, &arith::MULI])?;
        let place = |value| inputs.iter().position(|&input| input == value);
        // Operations between inputs and the product.
        let mut others: SmallVec<[Op; 4]> = SmallVec::new();
        let mut factor = |i: usize| {
            let mut value = ir.operand(product, i);
            let mut zero = None;
            if let Some(difference) = ir.defined_by(value, &arith::SUBI) {
                let [wide, less] = [0, 1].map(|i| ir.operand(difference, i));
                let scalar = linalg::inputs(ir, op)[place(less)?];
                if ir.value_type(scalar) != Type::I32 {
                    return None;
                }
                others.push(difference);
                (value, zero) = (wide, Some(scalar));
            }
            if let Some(place) = place(value) {
                return zero.is_none().then_some((place, None, None));
            }
            let cast = ir.defining_op(value)?;
            others.push(cast);
            match *ir.operands(cast) {
                [narrow] => Some((place(narrow)?, Some(cast), zero)),
                _ => None,
            }
        };
        let [
            (left, of_left, zero_of_left),
            (right, of_right, zero_of_right),
        ] = [factor(0)?, factor(1)?];
        others.sort_unstable();
        others.dedup();
        if ir.ops_in(body).count() != 3 + others.len() {
            return None;
        }
        let flags = |op| FastMathFlags::of(ir, op);
        Some(Self {
            factors: [left, right],
            casts: [of_left, of_right],
            zeros: [zero_of_left, zero_of_right],
            flags: flags(product).intersection(flags(addition)),
        })
    }
}

/// The element types of all three, if they are strided buffers.
fn elements(ir: &Ir, buffers: [Value; 3], body: &Body) -> Option<[Element; 3]> {
    let Body {
        casts: [left, right],
        zeros,
        ..
    } = *body;
    let context = ir.context();
    let element = |operand: usize, cast| {
        let memref = context.as_memref(ir.value_type(buffers[operand]))?;
        context.memref_strides(memref)?;
        Element::of(ir, memref.element, cast)
    };
    let elements = [
        element(RESULT, None)?,
        element(LEFT, left)?,
        element(RIGHT, right)?,
    ];
    let are_known = match elements[RESULT] {
        Element::F32 | Element::F64 => true,
        // Those that are widened are of at most 16 bits, also less a zero.
        Element::I32 => {
            let is_short = |(factor, zero): (&Element, Option<Value>)| {
                zero.is_none() || *factor != Element::I16
            };
            left.is_some() == right.is_some() && elements[LEFT..].iter().zip(zeros).all(is_short)
        }
        _ => false,
    };
    are_known.then_some(elements)
}
