//! The part of llvm that computes numbers, branches, calls, and accesses single values in memory.

use freehold_frontend::dialects::arith::{CmpFPredicate, CmpIPredicate};
use freehold_frontend::dialects::llvm::{self, GepIndex, gep_indices, types};
use freehold_frontend::ir::entities::Op;
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::Type;

use super::arith::{
    self, constant, convert, division, floats, overflow, quotient, shift_right, shli,
};
use super::control::{branch, poison};
use crate::elementwise::map;
use crate::float;
use crate::integer::{self, poisoned};
use crate::machine::{Frame, Machine, Res, undefined, unsupported};
use crate::memory::Origin;
use crate::table::Rows;
use crate::value::{Kind, Scalar, Value, mask, n_elements, signed};

pub(crate) const ROWS: Rows = &[
    (&llvm::ADD, |m, f, op| overflow(m, f, op, &integer::ADD)),
    (&llvm::SUB, |m, f, op| overflow(m, f, op, &integer::SUB)),
    (&llvm::MUL, |m, f, op| overflow(m, f, op, &integer::MUL)),
    (&llvm::SHL, shli),
    (&llvm::UDIV, |m, f, op| {
        quotient(m, f, op, |a, b, _| integer::divui(a, b))
    }),
    (&llvm::SDIV, |m, f, op| quotient(m, f, op, integer::divsi)),
    (&llvm::UREM, |m, f, op| {
        division(m, f, op, |a, b, _| integer::remui(a, b))
    }),
    (&llvm::SREM, |m, f, op| division(m, f, op, integer::remsi)),
    (&llvm::AND, |m, f, op| map(m, f, op, |n| Ok(n[0] & n[1]))),
    (&llvm::OR, or),
    (&llvm::XOR, |m, f, op| map(m, f, op, |n| Ok(n[0] ^ n[1]))),
    (&llvm::LSHR, |m, f, op| shift_right(m, f, op, integer::shru)),
    (&llvm::ASHR, |m, f, op| shift_right(m, f, op, integer::shrs)),
    (&llvm::FADD, |m, f, op| floats(m, f, op, arith::add)),
    (&llvm::FSUB, |m, f, op| floats(m, f, op, arith::sub)),
    (&llvm::FMUL, |m, f, op| floats(m, f, op, arith::mul)),
    (&llvm::FDIV, |m, f, op| floats(m, f, op, arith::div)),
    (&llvm::FREM, |m, f, op| floats(m, f, op, arith::rem)),
    (&llvm::FNEG, |m, f, op| {
        let kind = arith::float_kind(m, f.operand_type(op, 0))?;
        map(m, f, op, |n| Ok(float::negate(kind, n[0])))
    }),
    (&llvm::BITCAST, arith::bitcast),
    (&llvm::SEXT, |m, f, op| {
        convert(m, f, op, arith::sign_extend)
    }),
    (&llvm::ZEXT, |m, f, op| {
        convert(m, f, op, |bits, _, _| Ok(bits))
    }),
    (&llvm::TRUNC, arith::trunci),
    (&llvm::SITOFP, |m, f, op| convert(m, f, op, arith::sitofp)),
    (&llvm::UITOFP, |m, f, op| convert(m, f, op, arith::uitofp)),
    (&llvm::FPTOSI, |m, f, op| {
        convert(m, f, op, |bits, from, to| {
            arith::fptoi(bits, from, to, true)
        })
    }),
    (&llvm::FPTOUI, |m, f, op| {
        convert(m, f, op, |bits, from, to| {
            arith::fptoi(bits, from, to, false)
        })
    }),
    (&llvm::FPEXT, |m, f, op| {
        convert(m, f, op, arith::float_to_float)
    }),
    (&llvm::FPTRUNC, |m, f, op| {
        convert(m, f, op, arith::float_to_float)
    }),
    (&llvm::ICMP, icmp),
    (&llvm::FCMP, fcmp),
    (&llvm::SELECT, arith::select),
    (&llvm::FREEZE, freeze),
    (&llvm::BR, |_, f, op| {
        branch(f, op, 0);
        Ok(())
    }),
    (&llvm::COND_BR, |m, f, op| {
        let taken = m.condition(f.operand(op, 0))?;
        branch(f, op, usize::from(!taken));
        Ok(())
    }),
    (&llvm::UNREACHABLE, |_, _, _| {
        undefined("what may not be reached is reached")
    }),
    (&llvm::CALL, call),
    (&llvm::CONSTANT, constant),
    (&llvm::ZERO, |m, f, op| {
        let ty = f.result_type(op, 0);
        m.kind(ty)?;
        let value = match m.context.shape(ty) {
            Some(shape) => Value::array(shape.to_vec(), vec![Scalar::Bits(0); n_elements(shape)]),
            None => Value::bits(0),
        };
        f.set(op, 0, value);
        Ok(())
    }),
    (&llvm::UNDEF, |m, f, op| {
        let value = poison(m, f, f.result_type(op, 0), "llvm.mlir.undef")?;
        f.set(op, 0, value);
        Ok(())
    }),
    (&llvm::POISON, |m, f, op| {
        let value = poison(m, f, f.result_type(op, 0), "llvm.mlir.poison")?;
        f.set(op, 0, value);
        Ok(())
    }),
    (&llvm::ALLOCA, alloca),
    (&llvm::LOAD, |m, f, op| {
        let address = address(m, f, op, 0)?;
        check_alignment(m, f, op, f.result_type(op, 0), address)?;
        let value = m.load_anywhere(f.result_type(op, 0), address, f.loc)?;
        f.set(op, 0, value);
        Ok(())
    }),
    (&llvm::STORE, |m, f, op| {
        let address = address(m, f, op, 1)?;
        let (ty, value) = (f.operand_type(op, 0), f.operand(op, 0).clone());
        check_alignment(m, f, op, ty, address)?;
        m.store_anywhere(ty, address, &value, f.loc)
    }),
    (&llvm::GEP, gep),
];

fn address(m: &Machine<'_>, f: &Frame<'_>, op: Op, operand: usize) -> Res<u64> {
    Ok(m.defined(f.scalar(op, operand)?, "a pointer")? as u64)
}

/// An access promises how its address is aligned, by an attribute or by its type.
fn check_alignment(m: &Machine<'_>, f: &Frame<'_>, op: Op, ty: Type, address: u64) -> Res {
    let Some(alignment) = f.int_attr(op, Name::ALIGNMENT) else {
        return m.check_alignment(ty, address);
    };
    let alignment = alignment.max(1) as u64;
    match address % alignment {
        0 => Ok(()),
        _ => undefined(format!("memory is not aligned to {alignment} bytes")),
    }
}

fn or(m: &mut Machine<'_>, f: &mut Frame<'_>, op: Op) -> Res {
    let is_disjoint = f.attr(op, Name::IS_DISJOINT).is_some();
    map(m, f, op, |n| match is_disjoint && n[0] & n[1] != 0 {
        true => poisoned(format!("{} | {} is not disjoint", n[0], n[1])),
        false => Ok(n[0] | n[1]),
    })
}

fn icmp(m: &mut Machine<'_>, f: &mut Frame<'_>, op: Op) -> Res {
    let width = m.kind(f.operand_type(op, 0))?.width();
    let number = f.int_attr(op, Name::PREDICATE);
    let Some(predicate) = number.and_then(CmpIPredicate::from_integer) else {
        return unsupported("this predicate is not interpreted");
    };
    map(m, f, op, |n| {
        Ok(arith::compare(predicate, n[0], n[1], width).into())
    })
}

fn fcmp(m: &mut Machine<'_>, f: &mut Frame<'_>, op: Op) -> Res {
    let kind = arith::float_kind(m, f.operand_type(op, 0))?;
    let number = f.int_attr(op, Name::PREDICATE);
    let Some(predicate) = number.and_then(CmpFPredicate::from_integer) else {
        return unsupported("this predicate is not interpreted");
    };
    map(m, f, op, |n| {
        let (x, y) = (float::decode(kind, n[0]), float::decode(kind, n[1]));
        Ok(arith::compare_floats(predicate, x, y).into())
    })
}

/// Some number where there is none: zero.
fn freeze(_: &mut Machine<'_>, f: &mut Frame<'_>, op: Op) -> Res {
    let defined = |scalar: Scalar| Scalar::Bits(scalar.bits().unwrap_or(0));
    let value = match f.operand(op, 0).clone() {
        Value::Scalar(scalar) => Value::Scalar(defined(scalar)),
        Value::Array(array) => Value::array(
            array.shape.clone(),
            array
                .elements
                .iter()
                .map(|&element| defined(element))
                .collect(),
        ),
        value => value,
    };
    f.set(op, 0, value);
    Ok(())
}

fn call<'a>(m: &mut Machine<'a>, f: &mut Frame<'a>, op: Op) -> Res {
    let attr = f.attr(op, Name::CALLEE);
    let Some(name) = attr.and_then(|attr| m.context.attr_flat_symbol(attr)) else {
        return unsupported("calls of addresses are not interpreted");
    };
    let arguments: Vec<Value> = f.ir.operands(op).iter().map(|&id| f.get(id)).collect();
    let results = m.call(name, &arguments, f.loc)?;
    f.set_all(op, results);
    Ok(())
}

fn element_type(m: &Machine<'_>, f: &Frame<'_>, op: Op) -> Res<Type> {
    let attr = f.attr(op, Name::ELEM_TYPE);
    match attr.and_then(|attr| m.context.attr_type(attr)) {
        Some(ty) => Ok(ty),
        None => unsupported("a type is expected"),
    }
}

fn size_of(m: &Machine<'_>, ty: Type) -> Res<u64> {
    match types::layout(m.context, ty) {
        Some(layout) => Ok(layout.size),
        None => unsupported("a type without a size"),
    }
}

fn alloca(m: &mut Machine<'_>, f: &mut Frame<'_>, op: Op) -> Res {
    let ty = element_type(m, f, op)?;
    let n = m.defined(f.scalar(op, 0)?, "a size")? as u64;
    let bytes = size_of(m, ty)?.saturating_mul(n);
    let natural = types::layout(m.context, ty).map_or(1, |layout| layout.alignment);
    let alignment = f.int_attr(op, Name::ALIGNMENT).unwrap_or(0) as u64;
    let address = m.allocate(bytes, alignment.max(natural), Origin::Stack, f.loc)?;
    f.set(op, 0, Value::bits(address.into()));
    Ok(())
}

fn gep(m: &mut Machine<'_>, f: &mut Frame<'_>, op: Op) -> Res {
    let mut address = address(m, f, op, 0)?;
    let mut ty = element_type(m, f, op)?;
    for (level, index) in gep_indices(f.ir, op).into_iter().enumerate() {
        let index = match index {
            GepIndex::Constant(index) => i64::from(index),
            GepIndex::Value(id) => {
                let kind = m.kind(f.ir.value_type(id))?;
                let scalar = crate::machine::as_scalar(f.see(id))?;
                signed(m.defined(scalar, "an index")?, kind.width()) as i64
            }
        };
        let distance = if level == 0 {
            index.wrapping_mul(size_of(m, ty)? as i64)
        } else {
            let (member, distance) = member_at(m, ty, index)?;
            ty = member;
            distance
        };
        address = address.wrapping_add(distance as u64);
    }
    f.set(
        op,
        0,
        Value::bits(u128::from(address) & mask(Kind::Pointer.width())),
    );
    Ok(())
}

/// The type of a part of a type, and how far behind its beginning it lies.
fn member_at(m: &Machine<'_>, ty: Type, index: i64) -> Res<(Type, i64)> {
    let context = m.context;
    match types::of(context, ty) {
        Some(types::LlvmType::Array(_, element)) => {
            let size = size_of(m, element)? as i64;
            Ok((element, index.wrapping_mul(size)))
        }
        Some(types::LlvmType::Struct {
            packed,
            members: Some(members),
            ..
        }) => {
            let offsets = types::struct_layout(context, &members, packed);
            let at = usize::try_from(index).ok().filter(|&at| at < members.len());
            match (offsets, at) {
                (Some((offsets, _)), Some(at)) => Ok((members[at], offsets[at] as i64)),
                _ => unsupported("a member that is not there"),
            }
        }
        _ => unsupported("a part of this type"),
    }
}
