//! `expand-unranked-copies`: copies of buffers of any rank without the runtime library.
//!
//! Before:
//! ```text
//! memref.copy %a, %b : memref<*xf32> to memref<*xf32>
//! ```
//! After, for every rank up to eight:
//! ```text
//! %rank = memref.rank %a : memref<*xf32>
//! %is_0 = arith.cmpi eq, %rank, %c0 : index
//! scf.if %is_0 {
//!   %a0 = memref.cast %a : memref<*xf32> to memref<f32, strided<[], offset: ?>>
//!   %b0 = memref.cast %b : memref<*xf32> to memref<f32, strided<[], offset: ?>>
//!   memref.copy %a0, %b0 : ...
//! } else { ... }
//! ```
//!
//! A copy of more dimensions fails an assertion. The library's function, which objects would have to be linked with, takes
//! any rank.

use std::sync::Arc;

use freehold_frontend::dialects::arith::CmpIPredicate;
use freehold_frontend::dialects::{arith, cf, memref, scf};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::{DYNAMIC, MemRefType, Type, TypeKind};

use crate::manage::pass::{Anchor, PassDef};

/// The pass.
pub static PASS: PassDef = PassDef {
    name: "expand-unranked-copies",
    summary: "copy buffers of any rank, up to eight, without the runtime library",
    anchor: Anchor::Function,
    run: |ir, context| {
        let copies: Vec<Op> = ir
            .walk(ir.root())
            .filter(|&op| ir.is(op, &memref::COPY) && is_unranked_copy(ir, op))
            .collect();
        context.count("copies", copies.len() as u64);
        for op in copies {
            expand(ir, op);
        }
        Ok(())
    },
};

/// The most dimensions that are expanded: nests of loops for each number of them.
const MAX_RANK: usize = 8;

fn is_unranked_copy(ir: &Ir, op: Op) -> bool {
    let context = ir.context();
    ir.operands(op)
        .iter()
        .any(|&value| context.as_memref(ir.value_type(value)).is_none())
}

fn expand(ir: &mut Ir, op: Op) {
    let (from, to) = (ir.operand(op, 0), ir.operand(op, 1));
    let rank_of = |value: Value| {
        let memref = ir.context().as_memref(ir.value_type(value));
        memref.map(MemRefType::rank)
    };
    let known = rank_of(from).or(rank_of(to));
    let loc = ir.loc(op);
    let mut builder = Builder::before(ir, op);
    builder.set_loc(loc);
    match known {
        Some(rank) => copy_of_rank(&mut builder, from, to, rank),
        None => {
            let rank = builder.value(&memref::RANK, &[from], Type::INDEX);
            choose(&mut builder, from, to, rank);
        }
    }
    ir.erase_op(op);
}

/// One choice per rank, each in the other branch of the one before.
fn choose(builder: &mut Builder<'_>, from: Value, to: Value, rank: Value) {
    for at in 0..=MAX_RANK {
        let this = arith::constant_index(builder, at as i64);
        let is_this = arith::compare(builder, CmpIPredicate::Eq, rank, this);
        let choice = scf::build_if(builder, is_this, &[], true);
        let view = scf::If(choice);
        let ends = [
            Some(view.then_yield(builder.ir)),
            view.else_yield(builder.ir),
        ];
        let [then_end, else_end] = ends.map(|end| end.expect("both branches are there"));
        builder.set_before(then_end);
        copy_of_rank(builder, from, to, at);
        // What comes next stands in the other branch.
        builder.set_before(else_end);
        if at == MAX_RANK {
            let never = arith::constant_bool(builder, false);
            let message =
                format!("memref.copy of more than {MAX_RANK} dimensions without the runtime");
            let message = builder.ir.context().string_attr(&message);
            let spec = builder
                .spec(&cf::ASSERT)
                .operands(&[never])
                .attr(Name::MSG, message);
            builder.create(spec);
        }
    }
}

fn copy_of_rank(builder: &mut Builder<'_>, from: Value, to: Value, rank: usize) {
    let ranked = [from, to].map(|value| {
        let context = Arc::clone(builder.ir.context());
        let ty = builder.ir.value_type(value);
        let TypeKind::UnrankedMemRef { element, space } = *context.type_kind(ty) else {
            return value;
        };
        let shape = vec![DYNAMIC; rank];
        let ty = memref::types::strided_memref(&context, &shape, element, DYNAMIC, &shape, space);
        let ty = context.memref_type(ty);
        memref::build::cast(builder, value, ty)
    });
    memref::build::copy(builder, ranked[0], ranked[1]);
}
