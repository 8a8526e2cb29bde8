//! Intrinsics that are several operations, or none.

use freehold_frontend::dialects::arith::CmpIPredicate;
use freehold_frontend::dialects::memref::AtomicRmwKind;
use freehold_frontend::dialects::shared::const_fold::splat_attr;
use freehold_frontend::dialects::vector::CombiningKind;
use freehold_frontend::dialects::{arith, llvm, math, memref, vector};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::builtin;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::op_def::OpDef;
use freehold_frontend::ir::types::{MemRefType, Type};

use super::Raise;

/// Reductions, and how they combine.
static REDUCTIONS: &[(&OpDef, CombiningKind)] = &[
    (&llvm::REDUCE_ADD, CombiningKind::Add),
    (&llvm::REDUCE_AND, CombiningKind::And),
    (&llvm::REDUCE_FADD, CombiningKind::Add),
    (&llvm::REDUCE_FMAX, CombiningKind::MaxNumF),
    (&llvm::REDUCE_FMAXIMUM, CombiningKind::MaximumF),
    (&llvm::REDUCE_FMIN, CombiningKind::MinNumF),
    (&llvm::REDUCE_FMINIMUM, CombiningKind::MinimumF),
    (&llvm::REDUCE_FMUL, CombiningKind::Mul),
    (&llvm::REDUCE_MUL, CombiningKind::Mul),
    (&llvm::REDUCE_OR, CombiningKind::Or),
    (&llvm::REDUCE_SMAX, CombiningKind::MaxSI),
    (&llvm::REDUCE_SMIN, CombiningKind::MinSI),
    (&llvm::REDUCE_UMAX, CombiningKind::MaxUI),
    (&llvm::REDUCE_UMIN, CombiningKind::MinUI),
    (&llvm::REDUCE_XOR, CombiningKind::Xor),
    (&llvm::VP_REDUCE_ADD, CombiningKind::Add),
    (&llvm::VP_REDUCE_AND, CombiningKind::And),
    (&llvm::VP_REDUCE_FADD, CombiningKind::Add),
    (&llvm::VP_REDUCE_FMAX, CombiningKind::MaxNumF),
    (&llvm::VP_REDUCE_FMIN, CombiningKind::MinNumF),
    (&llvm::VP_REDUCE_FMUL, CombiningKind::Mul),
    (&llvm::VP_REDUCE_MUL, CombiningKind::Mul),
    (&llvm::VP_REDUCE_OR, CombiningKind::Or),
    (&llvm::VP_REDUCE_SMAX, CombiningKind::MaxSI),
    (&llvm::VP_REDUCE_SMIN, CombiningKind::MinSI),
    (&llvm::VP_REDUCE_UMAX, CombiningKind::MaxUI),
    (&llvm::VP_REDUCE_UMIN, CombiningKind::MinUI),
    (&llvm::VP_REDUCE_XOR, CombiningKind::Xor),
];

/// Operations on the lanes that a mask and a length leave: those of arith, on integers or on floats.
static LANES: &[(&OpDef, &OpDef, bool)] = &[
    (&llvm::VP_ADD, &arith::ADDI, false),
    (&llvm::VP_AND, &arith::ANDI, false),
    (&llvm::VP_ASHR, &arith::SHRSI, false),
    (&llvm::VP_FADD, &arith::ADDF, true),
    (&llvm::VP_FDIV, &arith::DIVF, true),
    (&llvm::VP_FMUL, &arith::MULF, true),
    (&llvm::VP_FNEG, &arith::NEGF, true),
    (&llvm::VP_FREM, &arith::REMF, true),
    (&llvm::VP_FSUB, &arith::SUBF, true),
    (&llvm::VP_LSHR, &arith::SHRUI, false),
    (&llvm::VP_MUL, &arith::MULI, false),
    (&llvm::VP_OR, &arith::ORI, false),
    (&llvm::VP_SDIV, &arith::DIVSI, false),
    (&llvm::VP_SHL, &arith::SHLI, false),
    (&llvm::VP_SMAX, &arith::MAXSI, false),
    (&llvm::VP_SMIN, &arith::MINSI, false),
    (&llvm::VP_SREM, &arith::REMSI, false),
    (&llvm::VP_SUB, &arith::SUBI, false),
    (&llvm::VP_UDIV, &arith::DIVUI, false),
    (&llvm::VP_UMAX, &arith::MAXUI, false),
    (&llvm::VP_UMIN, &arith::MINUI, false),
    (&llvm::VP_UREM, &arith::REMUI, false),
    (&llvm::VP_XOR, &arith::XORI, false),
    (&llvm::VP_FMA, &math::FMA, true),
    (&llvm::VP_FMULADD, &math::FMA, true),
];

/// Conversions of such lanes.
static CONVERSIONS: &[(&OpDef, &OpDef)] = &[
    (&llvm::VP_FPEXT, &arith::EXTF),
    (&llvm::VP_FPTOSI, &arith::FPTOSI),
    (&llvm::VP_FPTOUI, &arith::FPTOUI),
    (&llvm::VP_FPTRUNC, &arith::TRUNCF),
    (&llvm::VP_SEXT, &arith::EXTSI),
    (&llvm::VP_SITOFP, &arith::SITOFP),
    (&llvm::VP_TRUNC, &arith::TRUNCI),
    (&llvm::VP_UITOFP, &arith::UITOFP),
    (&llvm::VP_ZEXT, &arith::EXTUI),
];

/// Those that divide: a divisor may be zero where the mask leaves it out.
static DIVISIONS: &[&OpDef] = &[
    &llvm::VP_SDIV,
    &llvm::VP_SREM,
    &llvm::VP_UDIV,
    &llvm::VP_UREM,
];

/// Hints without a meaning here, and operations whose effect happens anyway.
static ERASED: &[&OpDef] = &[
    &llvm::ASSUME,
    &llvm::LIFETIME_END,
    &llvm::LIFETIME_START,
    &llvm::PREFETCH,
    // Stack memory of a function lives until it returns.
    &llvm::STACK_RESTORE,
];

/// Raises `op` if it is one of these.
pub(super) fn raise(raise: &mut Raise<'_>, op: Op) -> bool {
    let def = raise.ir.def(op);
    let is = |row: &OpDef| std::ptr::eq(row, def);
    if ERASED.iter().any(|row| is(row)) {
        raise.ir.erase_op(op);
        return true;
    }
    if is(&llvm::EXPECT) {
        let value = raise.ir.operand(op, 0);
        raise.ir.replace_op(op, &[value]);
        return true;
    }
    if let Some(&(_, kind)) = REDUCTIONS.iter().find(|(row, _)| is(row)) {
        return reduction(raise, op, kind);
    }
    if is(&llvm::FSHL) || is(&llvm::FSHR) {
        return funnel_shift(raise, op, is(&llvm::FSHL));
    }
    lanes(raise, op).is_some()
        || with_overflow(raise, op).is_some()
        || saturating(raise, op).is_some()
        || lane_mask(raise, op).is_some()
        || masked_access(raise, op).is_some()
        || atomic(raise, op).is_some()
}

/// Sums and differences that stop at the least and the largest number.
fn saturating(raise: &mut Raise<'_>, op: Op) -> Option<()> {
    let def = raise.ir.def(op);
    let is = |row: &OpDef| std::ptr::eq(row, def);
    let is_sum = is(&llvm::SADD_SAT) || is(&llvm::UADD_SAT);
    let is_signed = is(&llvm::SADD_SAT) || is(&llvm::SSUB_SAT);
    (is_sum || is_signed || is(&llvm::USUB_SAT)).then_some(())?;
    let [x, y] = [0, 1].map(|i| raise.ir.operand(op, i));
    let ty = raise.ir.value_type(x);
    let width = raise
        .context
        .integer_width(raise.context.element_type_or_self(ty))?;
    let all = u128::MAX >> (128 - width.clamp(1, 128));
    let constants = [0, u128::from(width) - 1, all >> 1, all];
    let constants = constants.map(|bits| splat_attr(raise.context, ty, bits));
    let [Some(zero), Some(top), Some(largest), Some(all)] = constants else {
        return None;
    };
    let mut builder = Builder::before(raise.ir, op);
    let b = &mut builder;
    let zero = arith::constant_attr(b, zero);
    let row = if is_sum { &arith::ADDI } else { &arith::SUBI };
    let plain = b.value(row, &[x, y], ty);
    let (overflows, limit) = if is_signed {
        // The sign is not that of the first number, where it should be.
        let other = if is_sum { plain } else { y };
        let first = b.value(&arith::XORI, &[x, other], ty);
        let last = if is_sum { y } else { x };
        let second = b.value(&arith::XORI, &[last, plain], ty);
        let both = b.value(&arith::ANDI, &[first, second], ty);
        let overflows = arith::compare(b, CmpIPredicate::Slt, both, zero);
        let [top, largest] = [top, largest].map(|attr| arith::constant_attr(b, attr));
        let sign = b.value(&arith::SHRSI, &[x, top], ty);
        (overflows, b.value(&arith::XORI, &[sign, largest], ty))
    } else if is_sum {
        let overflows = arith::compare(b, CmpIPredicate::Ult, plain, x);
        (overflows, arith::constant_attr(b, all))
    } else {
        (arith::compare(b, CmpIPredicate::Ult, x, y), zero)
    };
    let result = b.value(&arith::SELECT, &[overflows, limit, plain], ty);
    raise.ir.replace_op(op, &[result]);
    Some(())
}

/// Lanes whose number is below a limit: as many as there are from the first number to that.
fn lane_mask(raise: &mut Raise<'_>, op: Op) -> Option<()> {
    raise.ir.is(op, &llvm::ACTIVE_LANE_MASK).then_some(())?;
    let [base, n] = [0, 1].map(|i| raise.ir.operand(op, i));
    let ty = raise.ir.value_type(base);
    let mask = raise.ir.value_type(raise.ir.result(op, 0));
    let mut builder = Builder::before(raise.ir, op);
    let b = &mut builder;
    let n = b.value(&arith::MAXUI, &[base, n], ty);
    let n = b.value(&arith::SUBI, &[n, base], ty);
    let lanes = b.context().shape(mask)?.iter().product::<i64>();
    // As an index the number may be less than zero.
    let lanes = arith::constant_int(b, ty, i128::from(lanes));
    let n = b.value(&arith::MINUI, &[n, lanes], ty);
    let n = b.value(&arith::INDEX_CASTUI, &[n], Type::INDEX);
    let result = b.value(&vector::CREATE_MASK, &[n], mask);
    raise.ir.replace_op(op, &[result]);
    Some(())
}

/// What `atomicrmw` does that `memref.atomic_rmw` does too.
fn atomic(raise: &mut Raise<'_>, op: Op) -> Option<()> {
    let kind = llvm::atomic_operation(raise.ir, op)?;
    let kind = match kind {
        "xchg" => AtomicRmwKind::Assign,
        "add" | "sub" => AtomicRmwKind::Addi,
        "_and" => AtomicRmwKind::Andi,
        "_or" => AtomicRmwKind::Ori,
        "max" => AtomicRmwKind::Maxs,
        "min" => AtomicRmwKind::Mins,
        "umax" => AtomicRmwKind::Maxu,
        "umin" => AtomicRmwKind::Minu,
        "fadd" | "fsub" => AtomicRmwKind::Addf,
        "fmax" => AtomicRmwKind::Maxnumf,
        "fmin" => AtomicRmwKind::Minnumf,
        _ => return None,
    };
    let is_difference = matches!(llvm::atomic_operation(raise.ir, op), Some("sub" | "fsub"));
    let [pointer, mut value] = [0, 1].map(|i| raise.ir.operand(op, i));
    let ty = raise.ir.value_type(value);
    let memory = raise.context.memref_type(MemRefType::identity(&[], ty));
    let mut builder = Builder::before(raise.ir, op);
    let b = &mut builder;
    if is_difference && kind == AtomicRmwKind::Addf {
        value = b.value(&arith::NEGF, &[value], ty);
    } else if is_difference {
        let zero = arith::constant_int(b, ty, 0);
        value = b.value(&arith::SUBI, &[zero, value], ty);
    }
    let memory = b.value(&builtin::UNREALIZED_CONVERSION_CAST, &[pointer], memory);
    let spec = b
        .spec(&memref::ATOMIC_RMW)
        .operands(&[value, memory])
        .results(&[ty]);
    let kind = raise.context.i64_attr(kind.value());
    let spec = spec.attr(Name::KIND, kind);
    raise.replace(op, spec);
    Some(())
}

/// Accesses under masks are those of `vector`, to memory that is as large as the vector.
fn masked_access(raise: &mut Raise<'_>, op: Op) -> Option<()> {
    let def = raise.ir.def(op);
    let is = |row: &OpDef| std::ptr::eq(row, def);
    let operands = raise.ir.operands(op).to_vec();
    let (to, address, mask, vector) = if is(&llvm::MASKED_LOAD) {
        (
            &vector::MASKED_LOAD,
            operands[0],
            operands[1],
            operands.get(2).copied(),
        )
    } else if is(&llvm::EXPAND_LOAD) {
        (
            &vector::EXPAND_LOAD,
            operands[0],
            operands[1],
            operands.get(2).copied(),
        )
    } else if is(&llvm::MASKED_STORE) {
        (
            &vector::MASKED_STORE,
            operands[1],
            operands[2],
            Some(operands[0]),
        )
    } else if is(&llvm::COMPRESS_STORE) {
        (
            &vector::COMPRESS_STORE,
            operands[1],
            operands[2],
            Some(operands[0]),
        )
    } else {
        return None;
    };
    let types = raise.result_types(op);
    let ty = vector.map_or_else(|| types.first().copied(), |v| Some(raise.ir.value_type(v)))?;
    let memory = MemRefType::identity(
        raise.context.shape(ty)?,
        raise.context.element_type_or_self(ty),
    );
    let memory = raise.context.memref_type(memory);
    let mut b = Builder::before(raise.ir, op);
    let memory = b.value(&builtin::UNREALIZED_CONVERSION_CAST, &[address], memory);
    let first = arith::constant_index(&mut b, 0);
    let vector = match vector {
        Some(vector) => vector,
        None => b.value(&llvm::UNDEF, &[], ty),
    };
    let spec = b
        .spec(to)
        .operands(&[memory, first, mask, vector])
        .results(&types);
    raise.replace(op, spec);
    Some(())
}

/// A reduction is one of `vector`; what its mask leaves out becomes what changes nothing.
fn reduction(raise: &mut Raise<'_>, op: Op, kind: CombiningKind) -> bool {
    let operands = raise.ir.operands(op).to_vec();
    let result = raise.ir.value_type(raise.ir.result(op, 0));
    let (start, mut values) = match operands[..] {
        [values] => (None, values),
        [start, values, ..] => (Some(start), values),
        [] => return false,
    };
    if let [_, _, mask, length] = operands[..] {
        let ty = raise.ir.value_type(values);
        let neutral = kind.neutral(raise.context, result);
        let neutral = neutral.and_then(|bits| splat_attr(raise.context, ty, bits));
        let Some(neutral) = neutral else { return false };
        let mut b = Builder::before(raise.ir, op);
        let neutral = arith::constant_attr(&mut b, neutral);
        let mask = shortened(&mut b, mask, length);
        values = b.value(&arith::SELECT, &[mask, values, neutral], ty);
    }
    let mut spec = raise.spec(op, &vector::REDUCTION);
    spec.operands = [values].into_iter().chain(start).collect();
    spec.set_attr(Name::KIND, kind.to_attr(raise.context));
    raise.replace(op, spec);
    true
}

/// The lanes of a mask that are no further than a length.
fn shortened(b: &mut Builder<'_>, mask: Value, length: Value) -> Value {
    let ty = b.ir.value_type(mask);
    let length = b.value(&arith::INDEX_CASTUI, &[length], Type::INDEX);
    let first = b.value(&vector::CREATE_MASK, &[length], ty);
    b.value(&arith::ANDI, &[mask, first], ty)
}

/// Lanes that are left out are poison: they are computed like the others.
fn lanes(raise: &mut Raise<'_>, op: Op) -> Option<()> {
    let def = raise.ir.def(op);
    let is = |row: &OpDef| std::ptr::eq(row, def);
    let operands = raise.ir.operands(op).to_vec();
    let ty = raise.ir.value_type(*raise.ir.results(op).first()?);
    let types: Vec<Type> = (operands.iter())
        .map(|&operand| raise.ir.value_type(operand))
        .collect();
    let context = raise.context;
    let is_int = |ty| {
        let element = context.element_type_or_self(ty);
        element != Type::INDEX && context.integer_width(element).is_some()
    };
    let is_float = |ty| {
        context
            .float_kind(context.element_type_or_self(ty))
            .is_some()
    };
    if is(&llvm::VP_SELECT) || is(&llvm::VP_MERGE) {
        let [condition, yes, no, length] = operands[..] else {
            return None;
        };
        let flags = context.with_element_type(ty, Type::I1);
        (types[..3] == [flags, ty, ty]).then_some(())?;
        let mut b = Builder::before(raise.ir, op);
        let condition = match is(&llvm::VP_MERGE) {
            true => shortened(&mut b, condition, length),
            false => condition,
        };
        let result = b.value(&arith::SELECT, &[condition, yes, no], ty);
        raise.ir.replace_op(op, &[result]);
        return Some(());
    }
    let (&length, rest) = operands.split_last()?;
    let (&mask, values) = rest.split_last()?;
    if let Some(&(_, row)) = CONVERSIONS.iter().find(|(from, _)| is(from)) {
        let [from] = types[..values.len()] else {
            return None;
        };
        let shape = context.shape(from)?;
        (context.shape(ty)? == shape && context.shape(types[1])? == shape).then_some(())?;
        let widths = [from, ty].map(|ty| {
            let element = context.element_type_or_self(ty);
            let float = context.float_kind(element).map(|kind| kind.width());
            context.integer_width(element).or(float)
        });
        let (before, after) = (widths[0]?, widths[1]?);
        let fits = if is(&llvm::VP_FPEXT) {
            is_float(from) && is_float(ty) && before < after
        } else if is(&llvm::VP_FPTRUNC) {
            is_float(from) && is_float(ty) && before > after
        } else if is(&llvm::VP_SEXT) || is(&llvm::VP_ZEXT) {
            is_int(from) && is_int(ty) && before < after
        } else if is(&llvm::VP_TRUNC) {
            is_int(from) && is_int(ty) && before > after
        } else if is(&llvm::VP_FPTOSI) || is(&llvm::VP_FPTOUI) {
            is_float(from) && is_int(ty)
        } else {
            is_int(from) && is_float(ty)
        };
        fits.then_some(())?;
        let mut b = Builder::before(raise.ir, op);
        let result = b.value(row, values, ty);
        raise.ir.replace_op(op, &[result]);
        return Some(());
    }
    let &(_, row, on_floats) = LANES.iter().find(|(from, ..)| is(from))?;
    let flags = context.with_element_type(ty, Type::I1);
    let same = types[..values.len()].iter().all(|&operand| operand == ty);
    let fits = if on_floats { is_float(ty) } else { is_int(ty) };
    (same && fits && types[values.len()] == flags).then_some(())?;
    let mut values = values.to_vec();
    let one = splat_attr(context, ty, 1).filter(|_| DIVISIONS.iter().any(|row| is(row)));
    let mut b = Builder::before(raise.ir, op);
    if let Some(one) = one {
        let one = arith::constant_attr(&mut b, one);
        let mask = shortened(&mut b, mask, length);
        values[1] = b.value(&arith::SELECT, &[mask, values[1], one], ty);
    }
    let result = b.value(row, &values, ty);
    raise.ir.replace_op(op, &[result]);
    Some(())
}

/// The high or the low part of two integers, one after the other, after a shift by less than a width.
fn funnel_shift(raise: &mut Raise<'_>, op: Op, is_left: bool) -> bool {
    let ty = raise.ir.value_type(raise.ir.result(op, 0));
    let [high, low, by] = [0, 1, 2].map(|i| raise.ir.operand(op, i));
    let element = raise.context.element_type_or_self(ty);
    let Some(width) = raise.context.integer_width(element) else {
        return false;
    };
    let numbers = [u128::from(width), u128::from(width) - 1, 1];
    let numbers = numbers.map(|number| splat_attr(raise.context, ty, number));
    let [Some(width), Some(last), Some(one)] = numbers else {
        return false;
    };
    let mut b = Builder::before(raise.ir, op);
    let [width, last, one] = [width, last, one].map(|attr| arith::constant_attr(&mut b, attr));
    let by = b.value(&arith::REMUI, &[by, width], ty);
    let rest = b.value(&arith::SUBI, &[last, by], ty);
    // A shift by the whole width is one by 1 and one by the rest.
    let (high, low) = if is_left {
        let high = b.value(&arith::SHLI, &[high, by], ty);
        let low = b.value(&arith::SHRUI, &[low, one], ty);
        (high, b.value(&arith::SHRUI, &[low, rest], ty))
    } else {
        let high = b.value(&arith::SHLI, &[high, one], ty);
        let high = b.value(&arith::SHLI, &[high, rest], ty);
        (high, b.value(&arith::SHRUI, &[low, by], ty))
    };
    let result = b.value(&arith::ORI, &[high, low], ty);
    raise.ir.replace_op(op, &[result]);
    true
}

/// Arithmetic and whether it overflowed, as a struct of both.
fn with_overflow(raise: &mut Raise<'_>, op: Op) -> Option<()> {
    let def = raise.ir.def(op);
    let is = |row: &OpDef| std::ptr::eq(row, def);
    let rows = [
        &llvm::UADD_WITH_OVERFLOW,
        &llvm::SADD_WITH_OVERFLOW,
        &llvm::USUB_WITH_OVERFLOW,
        &llvm::SSUB_WITH_OVERFLOW,
        &llvm::UMUL_WITH_OVERFLOW,
        &llvm::SMUL_WITH_OVERFLOW,
    ];
    rows.iter().any(|row| is(row)).then_some(())?;
    let [x, y] = [0, 1].map(|i| raise.ir.operand(op, i));
    let ty = raise.ir.value_type(x);
    let result_type = raise.ir.value_type(raise.ir.result(op, 0));
    let flag = raise.context.with_element_type(ty, Type::I1);
    let width = raise
        .context
        .integer_width(raise.context.element_type_or_self(ty))?;
    let zero = splat_attr(raise.context, ty, 0)?;
    let top = splat_attr(raise.context, ty, u128::from(width) - 1)?;
    let mut builder = Builder::before(raise.ir, op);
    let b = &mut builder;
    let compare =
        |b: &mut Builder<'_>, predicate, x: Value, y: Value| arith::compare(b, predicate, x, y);
    let zero = arith::constant_attr(b, zero);
    let (number, overflows) = if is(&llvm::UADD_WITH_OVERFLOW) {
        let sum = b.value(&arith::ADDI, &[x, y], ty);
        (sum, compare(b, CmpIPredicate::Ult, sum, x))
    } else if is(&llvm::USUB_WITH_OVERFLOW) {
        let difference = b.value(&arith::SUBI, &[x, y], ty);
        (difference, compare(b, CmpIPredicate::Ult, x, y))
    } else if is(&llvm::SADD_WITH_OVERFLOW) {
        // The sign of the sum is another one than both signs.
        let sum = b.value(&arith::ADDI, &[x, y], ty);
        let [dx, dy] = [x, y].map(|term| b.value(&arith::XORI, &[term, sum], ty));
        let both = b.value(&arith::ANDI, &[dx, dy], ty);
        (sum, compare(b, CmpIPredicate::Slt, both, zero))
    } else if is(&llvm::SSUB_WITH_OVERFLOW) {
        let difference = b.value(&arith::SUBI, &[x, y], ty);
        let signs = b.value(&arith::XORI, &[x, y], ty);
        let changed = b.value(&arith::XORI, &[x, difference], ty);
        let both = b.value(&arith::ANDI, &[signs, changed], ty);
        (difference, compare(b, CmpIPredicate::Slt, both, zero))
    } else {
        let is_signed = is(&llvm::SMUL_WITH_OVERFLOW);
        let row = match is_signed {
            true => &arith::MULSI_EXTENDED,
            false => &arith::MULUI_EXTENDED,
        };
        let product = b.op(row, &[x, y], &[ty, ty]);
        let [low, high] = [0, 1].map(|i| b.ir.result(product, i));
        let mut expected = zero;
        if is_signed {
            let top = arith::constant_attr(b, top);
            expected = b.value(&arith::SHRSI, &[low, top], ty);
        }
        (low, compare(b, CmpIPredicate::Ne, high, expected))
    };
    debug_assert_eq!(b.ir.value_type(overflows), flag);
    let both = b.value(&llvm::UNDEF, &[], result_type);
    let context = b.context();
    let [first, second] = [0, 1].map(|i| context.i64_array_attr(&[i]));
    let row = &llvm::INSERT_VALUE;
    let both = b.value_with_attr(row, &[both, number], result_type, Name::POSITION, first);
    let both = b.value_with_attr(row, &[both, overflows], result_type, Name::POSITION, second);
    raise.ir.replace_op(op, &[both]);
    Some(())
}
