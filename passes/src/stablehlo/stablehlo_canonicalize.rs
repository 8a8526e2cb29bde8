//! `stablehlo-canonicalize`: operations whose sizes are operands that are known become those that have them as attributes,
//! and what changes nothing is left out.
//!
//! Before:
//! ```mlir
//! %sizes = stablehlo.constant dense<[4, 2]> : tensor<2xi64>
//! %0 = stablehlo.dynamic_broadcast_in_dim %x, %sizes, dims = [1] : (tensor<2xf32>, tensor<2xi64>) -> tensor<4x2xf32>
//! %1 = stablehlo.transpose %0, dims = [0, 1] : (tensor<4x2xf32>) -> tensor<4x2xf32>
//! ```
//! After:
//! ```mlir
//! %0 = stablehlo.broadcast_in_dim %x, dims = [1] : (tensor<2xf32>) -> tensor<4x2xf32>
//! ```
//!
//! Floats keep their bits: `x + 0.0` is another number for -0.0 and stays.

use freehold_frontend::dialects::arith;
use freehold_frontend::dialects::stablehlo::{elementwise as rows, indexing, products, shapes};
use freehold_frontend::ir::attrs::{Attr, AttrKind, DenseElements};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::op_def::OpDef;
use freehold_frontend::ir::types::{DYNAMIC, Type, TypeKind};

use super::build::{element, shape, tensor_type};
use super::moves::list;
use super::products::numbers_of;
use crate::manage::pass::{Anchor, PassContext, PassDef};

/// The pass.
pub static PASS: PassDef = PassDef {
    name: "stablehlo-canonicalize",
    summary: "turn StableHLO's operations of sizes at run time that are known into those of static sizes, and leave out what changes nothing",
    anchor: Anchor::Function,
    run,
};

/// Operations that take lists as operands, those that have them as attributes, and which these are: the last operands in
/// order. No name is a list that the type of the result says.
static STATIC: &[(&OpDef, &OpDef, &[Option<Name>])] = &[
    (
        &shapes::DYNAMIC_BROADCAST_IN_DIM,
        &shapes::BROADCAST_IN_DIM,
        &[None],
    ),
    (&shapes::DYNAMIC_IOTA, &shapes::IOTA, &[None]),
    (&shapes::DYNAMIC_RESHAPE, &shapes::RESHAPE, &[None]),
    (
        &indexing::DYNAMIC_GATHER,
        &indexing::GATHER,
        &[Some(Name::SLICE_SIZES)],
    ),
    (
        &products::DYNAMIC_CONV,
        &products::CONVOLUTION,
        &[Some(Name::PADDING)],
    ),
    (
        &shapes::DYNAMIC_PAD,
        &shapes::PAD,
        &[
            Some(Name::EDGE_PADDING_LOW),
            Some(Name::EDGE_PADDING_HIGH),
            Some(Name::INTERIOR_PADDING),
        ],
    ),
    (
        &shapes::REAL_DYNAMIC_SLICE,
        &shapes::SLICE,
        &[
            Some(Name::START_INDICES),
            Some(Name::LIMIT_INDICES),
            Some(Name::STRIDES),
        ],
    ),
];

/// Attributes that only the dynamic operation has.
const OF_DYNAMIC: [Name; 2] = [
    Name::KNOWN_EXPANDING_DIMENSIONS,
    Name::KNOWN_NONEXPANDING_DIMENSIONS,
];

fn run(ir: &mut Ir, context: &mut PassContext<'_>) -> Result<(), Failed> {
    let mut n_simplified = 0;
    loop {
        let ops: Vec<Op> = ir.walk(ir.root()).collect();
        let before = n_simplified;
        for op in ops {
            if !ir.op_name(op).starts_with("stablehlo.") {
                continue;
            }
            let value = match in_place(ir, op) {
                Some(value) => Some(value),
                None => simplified(&mut Builder::before(ir, op), op),
            };
            // Types may know more of sizes on one side.
            let is_same = |value: &Value| ir.value_type(*value) == ir.value_type(ir.result(op, 0));
            if let Some(value) = value.filter(is_same) {
                ir.replace_op(op, &[value]);
                n_simplified += 1;
            }
        }
        if n_simplified == before {
            break;
        }
    }
    // Results that have become unused.
    let ops: Vec<Op> = ir.walk(ir.root()).collect();
    for op in ops.into_iter().rev() {
        let is_ours = ir.op_name(op).starts_with("stablehlo.");
        if is_ours && ir.is_unused(op) && ir.is_memory_effect_free(op) && !ir.results(op).is_empty()
        {
            ir.erase_op(op);
        }
    }
    context.count("operations simplified", n_simplified);
    Ok(())
}

fn has_known_sizes(ir: &Ir, value: Value) -> bool {
    ir.context()
        .shape(ir.value_type(value))
        .is_some_and(|shape| !shape.contains(&DYNAMIC))
}

/// The numbers of a constant list of integers.
fn numbers(ir: &Ir, value: Value) -> Option<Vec<i64>> {
    let attr = arith::as_constant_attr(ir, value)?;
    let wide = matches!(
        ir.context().type_kind(element(ir, value)),
        TypeKind::Integer { width: 32 | 64, .. }
    );
    wide.then(|| numbers_of(ir.context(), attr))?
}

/// The value that an operation gives unchanged.
fn in_place(ir: &Ir, op: Op) -> Option<Value> {
    let (&first, &[result]) = (ir.operands(op).first()?, ir.results(op)) else {
        return None;
    };
    let is = |row: &'static OpDef| ir.is(op, row);
    let is_same = ir.value_type(first) == ir.value_type(result) && has_known_sizes(ir, first);
    let in_order = |name| {
        let dims = list(ir, op, name);
        dims.iter().enumerate().all(|(i, &dim)| i as i64 == dim)
    };
    let zeros = |name| list(ir, op, name).iter().all(|&number| number == 0);
    if is_same {
        let changes_nothing = is(&shapes::RESHAPE)
            || is(&rows::CONVERT)
            || is(&shapes::BITCAST_CONVERT)
            || (is(&shapes::TRANSPOSE) && in_order(Name::PERMUTATION))
            || (is(&shapes::BROADCAST_IN_DIM) && in_order(Name::BROADCAST_DIMENSIONS))
            || (is(&shapes::REVERSE) && list(ir, op, Name::DIMENSIONS).is_empty())
            || (is(&shapes::SLICE) && list(ir, op, Name::STRIDES).iter().all(|&step| step == 1))
            || (is(&shapes::CONCATENATE) && ir.operands(op).len() == 1)
            || (is(&shapes::PAD)
                && [
                    Name::EDGE_PADDING_LOW,
                    Name::EDGE_PADDING_HIGH,
                    Name::INTERIOR_PADDING,
                ]
                .into_iter()
                .all(zeros));
        if changes_nothing {
            return Some(first);
        }
    }
    if is(&rows::REAL) || is(&rows::IMAG) {
        let parts = ir.defined_by(first, &rows::COMPLEX)?;
        return Some(ir.operand(parts, usize::from(is(&rows::IMAG))));
    }
    if is(&rows::SELECT) {
        let (yes, no) = (ir.operand(op, 1), ir.operand(op, 2));
        let truth = splat_integer(ir, first);
        return match truth {
            Some(0) => Some(no),
            Some(_) => Some(yes),
            None => (yes == no).then_some(yes),
        };
    }
    let &[x, y] = ir.operands(op) else {
        return None;
    };
    let same =
        ir.value_type(x) == ir.value_type(result) && ir.value_type(y) == ir.value_type(result);
    if !same {
        return None;
    }
    if x == y
        && [&rows::AND, &rows::OR, &rows::MAXIMUM, &rows::MINIMUM]
            .into_iter()
            .any(is)
    {
        return Some(x);
    }
    let neutral = |value: Value| {
        let number = splat_integer(ir, value)?;
        let is_zero = [&rows::ADD, &rows::OR, &rows::XOR].into_iter().any(is) && number == 0;
        let is_one = is(&rows::MULTIPLY) && number == 1;
        (is_zero || is_one).then_some(())
    };
    let shifts = [
        &rows::SHIFT_LEFT,
        &rows::SHIFT_RIGHT_ARITHMETIC,
        &rows::SHIFT_RIGHT_LOGICAL,
        &rows::SUBTRACT,
    ];
    if neutral(y).is_some() || (shifts.into_iter().any(is) && splat_integer(ir, y) == Some(0)) {
        return Some(x);
    }
    neutral(x).map(|()| y)
}

/// The integer that all elements of a constant are; truth values are 0 and not 0.
fn splat_integer(ir: &Ir, value: Value) -> Option<i128> {
    let context = ir.context();
    let TypeKind::Integer { width, .. } = *context.type_kind(element(ir, value)) else {
        return None;
    };
    let dense = context.attr_dense(arith::as_constant_attr(ir, value)?)?;
    let n: i64 = context.shape(dense.ty)?.iter().product();
    if !dense.splat && n != 1 {
        return None;
    }
    // i1 may be packed: 0xFF is true everywhere.
    let mut all = [0; 16];
    all.get_mut(..dense.bytes.len())?
        .copy_from_slice(&dense.bytes);
    let bits = u128::from_le_bytes(all);
    Some((bits & (u128::MAX >> (128 - width.min(128)))) as i128)
}

/// A simpler operation in the place of one.
fn simplified(b: &mut Builder<'_>, op: Op) -> Option<Value> {
    let context = b.context();
    let &[result] = b.ir.results(op) else {
        return None;
    };
    let ty = b.ir.value_type(result);
    let operands = b.ir.operands(op).to_vec();
    if let Some(&(_, row, lists)) = STATIC.iter().find(|(row, ..)| b.ir.is(op, row)) {
        let n_kept = operands.len().checked_sub(lists.len())?;
        if !operands[..n_kept]
            .iter()
            .chain([&result])
            .all(|&value| has_known_sizes(b.ir, value))
        {
            return None;
        }
        let mut spec = b.spec(row).operands(&operands[..n_kept]).results(&[ty]);
        for &(name, attr) in context.dict(b.ir.attrs(op)) {
            if !OF_DYNAMIC.contains(&name) {
                spec = spec.attr(name, attr);
            }
        }
        for (&operand, name) in operands[n_kept..].iter().zip(lists) {
            let Some(name) = *name else {
                continue;
            };
            let numbers = numbers(b.ir, operand)?;
            let attr = match name == Name::PADDING {
                true => matrix(b, &numbers),
                false => context.i64_array_attr(&numbers),
            };
            spec = spec.attr(name, attr);
        }
        // Bounds that are no slice of the operand end the program when it runs.
        if std::ptr::eq(row, &shapes::SLICE) {
            let limits = numbers(b.ir, operands[2])?;
            let starts = numbers(b.ir, operands[1])?;
            let strides = numbers(b.ir, operands[3])?;
            let sizes = shape(b.ir, operands[0]);
            let found = shape(b.ir, result);
            let fits = (0..sizes.len()).all(|dim| {
                let (start, limit, stride) = (starts[dim], limits[dim], strides[dim]);
                let is_part = 0 <= start && start <= limit && limit <= sizes[dim] && stride > 0;
                is_part && (limit - start + stride - 1) / stride == found[dim]
            });
            if !fits {
                return None;
            }
        }
        let made = b.create(spec);
        return Some(b.ir.result(made, 0));
    }
    if b.ir.is(op, &shapes::GET_DIMENSION_SIZE) {
        let dim =
            b.ir.attr(op, Name::DIMENSION)
                .and_then(|attr| context.attr_integer(attr))?;
        let size = *shape(b.ir, operands[0]).get(usize::try_from(dim).ok()?)?;
        if size == DYNAMIC {
            return None;
        }
        let scalar = tensor_type(&context, &[], Type::I32);
        let value = context.intern_attr(AttrKind::DenseElements(DenseElements {
            ty: scalar,
            splat: true,
            bytes: i32::try_from(size).ok()?.to_le_bytes().to_vec().into(),
        }));
        return Some(b.value_with_attr(&rows::CONSTANT, &[], ty, Name::VALUE, value));
    }
    if b.ir.is(op, &shapes::RESHAPE) && has_known_sizes(b.ir, result) {
        if let Some(inner) = b.ir.defined_by(operands[0], &shapes::RESHAPE) {
            let source = b.ir.operand(inner, 0);
            return has_known_sizes(b.ir, source).then(|| b.value(&shapes::RESHAPE, &[source], ty));
        }
        return reshaped_constant(b, operands[0], ty);
    }
    if b.ir.is(op, &shapes::TRANSPOSE) {
        let inner = b.ir.defined_by(operands[0], &shapes::TRANSPOSE)?;
        let (outer, before) = (
            list(b.ir, op, Name::PERMUTATION),
            list(b.ir, inner, Name::PERMUTATION),
        );
        let both: Option<Vec<i64>> = outer
            .iter()
            .map(|&dim| before.get(dim as usize).copied())
            .collect();
        let both = context.i64_array_attr(&both?);
        let source = b.ir.operand(inner, 0);
        return Some(b.value_with_attr(&shapes::TRANSPOSE, &[source], ty, Name::PERMUTATION, both));
    }
    None
}

/// A constant of another shape.
fn reshaped_constant(b: &mut Builder<'_>, source: Value, ty: Type) -> Option<Value> {
    let context = b.context();
    let constant = b.ir.defined_by(source, &rows::CONSTANT)?;
    let dense = context.attr_dense(b.ir.attr(constant, Name::VALUE)?)?;
    let value = context.intern_attr(AttrKind::DenseElements(DenseElements {
        ty,
        splat: dense.splat,
        bytes: dense.bytes.clone(),
    }));
    Some(b.value_with_attr(&rows::CONSTANT, &[], ty, Name::VALUE, value))
}

/// Pairs of numbers as a constant of `i64`.
fn matrix(b: &Builder<'_>, numbers: &[i64]) -> Attr {
    let context = b.ir.context();
    let ty = tensor_type(context, &[numbers.len() as i64 / 2, 2], Type::I64);
    context.intern_attr(AttrKind::DenseElements(DenseElements {
        ty,
        splat: false,
        bytes: numbers
            .iter()
            .flat_map(|number| number.to_le_bytes())
            .collect::<Vec<u8>>()
            .into(),
    }))
}
