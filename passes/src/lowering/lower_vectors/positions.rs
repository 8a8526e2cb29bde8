//! Parts of vectors at positions that turn out when the program runs: they are loaded from memory of the function, and
//! stored to it. An element at a known position outside, as -1, is poison.

use freehold_frontend::dialects::vector::{self, numbers, sizes_of, vector_type};
use freehold_frontend::dialects::{affine, arith, memref, scf, ub};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Block, Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::op_def::Traits;
use freehold_frontend::ir::types::{DYNAMIC, MemRefType, Type};

use super::combine::extension;
use super::shape_cast;

/// Lowers an `extract` or `insert` whose position is not known, or outside.
pub(super) fn lower(ir: &mut Ir, op: Op) -> Option<()> {
    let operands = ir.operands(op).to_vec();
    let is_insert = ir.is(op, &vector::INSERT);
    let (whole, dynamic) = operands[usize::from(is_insert)..].split_first()?;
    let (sizes, statics) = (sizes_of(ir, *whole), numbers(ir, op, Name::STATIC_POSITION));
    let known = |&at: &Value| i64::try_from(arith::as_constant_int(ir, at)?).ok();
    let mut known_dynamic = dynamic.iter().map(known);
    let known = statics.iter().map(|&at| match at {
        DYNAMIC => known_dynamic.next()?,
        at => Some(at),
    });
    let context = ir.context().clone();
    if let Some(known) = known.collect::<Option<Vec<i64>>>() {
        let is_inside = |(&at, &size): (&i64, &usize)| (0..size as i64).contains(&at);
        if !known.iter().zip(&sizes).all(is_inside) {
            let (ty, value) = (ir.value_type(ir.result(op, 0)), ub::poison_attr(&context));
            let mut builder = Builder::before(ir, op);
            let poison = builder.value_with_attr(&ub::POISON, &[], ty, Name::VALUE, value);
            ir.replace_op(op, &[poison]);
        }
        return None;
    }
    let element = context.element_type_or_self(ir.value_type(*whole));
    extension(&context, element, element)?;
    let n: usize = sizes.iter().product();
    let n_part: usize = sizes[statics.len()..].iter().product();
    let entry = ir.first_op(home(ir, op)?)?;
    let memory = context.memref_type(MemRefType::identity(&[n as i64], element));
    let memory = Builder::before(ir, entry).value(&memref::ALLOCA, &[], memory);
    let b = &mut Builder::before(ir, op);
    let zero = arith::constant_index(b, 0);
    let flat = shape_cast(b, *whole, &[n as i64]);
    b.op(&vector::STORE, &[flat, memory, zero], &[]);
    // The number of the first element.
    let (mut number, mut dynamic, mut stride) = (zero, dynamic.iter().rev(), n_part as i64);
    for (&at, &size) in statics.iter().zip(&sizes).rev() {
        let at = match at {
            // What is outside is poison, which may be there and not matter: it must not reach other memory.
            DYNAMIC => {
                let (at, last) = (*dynamic.next()?, arith::constant_index(b, size as i64 - 1));
                b.value(&arith::MINUI, &[at, last], Type::INDEX)
            }
            at => arith::constant_index(b, at),
        };
        let factor = arith::constant_index(b, stride);
        let distance = b.value(&arith::MULI, &[at, factor], Type::INDEX);
        number = b.value(&arith::ADDI, &[number, distance], Type::INDEX);
        stride *= size as i64;
    }
    let part = match is_insert {
        true => operands[0],
        false => b.ir.result(op, 0),
    };
    let ty = b.ir.value_type(part);
    let is_row = vector::is_vector(&context, ty);
    let row = vector_type(&context, &[n_part as i64], element);
    let value = if is_insert {
        let (def, part) = match is_row {
            true => (&vector::STORE, shape_cast(b, part, &[n_part as i64])),
            false => (&memref::STORE, part),
        };
        b.op(def, &[part, memory, number], &[]);
        let ty = b.ir.value_type(flat);
        b.value(&vector::LOAD, &[memory, zero], ty)
    } else {
        let (def, ty) = match is_row {
            true => (&vector::LOAD, row),
            false => (&memref::LOAD, ty),
        };
        b.value(def, &[memory, number], ty)
    };
    let value = match vector::is_vector(&context, b.ir.value_type(value)) {
        true => {
            let sizes = sizes_of(b.ir, b.ir.result(op, 0)).into_iter();
            let sizes: Vec<i64> = sizes.map(|size| size as i64).collect();
            shape_cast(b, value, &sizes)
        }
        false => value,
    };
    ir.replace_op(op, &[value]);
    Some(())
}

/// The block that has memory for `op`: that of the function, or of a loop around it whose iterations run at once.
fn home(ir: &Ir, op: Op) -> Option<Block> {
    let mut block = ir.block_of(op)?;
    loop {
        let parent = ir.block_parent_op(block)?;
        if parent == ir.root() {
            return ir.root_block();
        }
        let is_in_order = ir.is(parent, &scf::FOR) || ir.is(parent, &affine::FOR);
        if ir.has_trait(parent, Traits::AUTOMATIC_ALLOCATION_SCOPE) && !is_in_order {
            return Some(block);
        }
        block = ir.block_of(parent)?;
    }
}
