//! Where arenas are in a workspace.

use freehold_frontend::dialects::arith;
use freehold_frontend::dialects::arith::constant_index;
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::types::Type;

use super::sizes::hoist_sizes;

/// An arena of a function: a part of its workspace.
pub(super) struct Arena {
    pub(super) value: Value,
    pub(super) alignment: u64,
    /// Its size, if that is a number.
    pub(super) bytes: Option<u64>,
}

/// Where the arenas of a function are in its workspace: those of known size first.
pub(super) struct Layout {
    /// Offsets that are numbers.
    offsets: Vec<u64>,
    /// Those that are not.
    of_run_time: Vec<Option<Value>>,
    /// The bytes of all arenas of known size.
    pub(super) bytes: u64,
    /// The bytes of all, if that is not a number.
    pub(super) total: Option<Value>,
}

impl Layout {
    pub(super) fn of(ir: &mut Ir, arenas: &[Arena]) -> Self {
        let mut layout = Self {
            offsets: vec![0; arenas.len()],
            of_run_time: vec![None; arenas.len()],
            bytes: 0,
            total: None,
        };
        for (i, arena) in arenas.iter().enumerate() {
            if let Some(size) = arena.bytes {
                layout.offsets[i] = layout.bytes.next_multiple_of(arena.alignment);
                layout.bytes = layout.offsets[i] + size;
            }
        }
        if arenas.iter().all(|arena| arena.bytes.is_some()) {
            return layout;
        }
        let next = hoist_sizes(ir).expect("the block has a terminator, which computes no size");
        for (i, arena) in arenas.iter().enumerate() {
            let Some(alloc) = ir
                .defining_op(arena.value)
                .filter(|_| arena.bytes.is_none())
            else {
                continue;
            };
            let size = ir.operand(alloc, 0);
            let mut builder = Builder::before(ir, next);
            let bytes = layout.bytes as i64;
            let end = layout
                .total
                .unwrap_or_else(|| constant_index(&mut builder, bytes));
            let alignment = arena.alignment as i64;
            let less = constant_index(&mut builder, alignment - 1);
            let end = builder.value(&arith::ADDI, &[end, less], Type::INDEX);
            let mask = constant_index(&mut builder, -alignment);
            let offset = builder.value(&arith::ANDI, &[end, mask], Type::INDEX);
            layout.of_run_time[i] = Some(offset);
            layout.total = Some(builder.value(&arith::ADDI, &[offset, size], Type::INDEX));
        }
        layout
    }

    /// Puts slices of the workspace in the place of the arenas.
    pub(super) fn put(&self, ir: &mut Ir, arenas: &[Arena], workspace: Value) {
        for (i, arena) in arenas.iter().enumerate() {
            let Some(alloc) = ir.defining_op(arena.value) else {
                continue;
            };
            let views: Vec<Op> = ir.uses(arena.value).iter().map(|u| u.op).collect();
            for view in views {
                let mut builder = Builder::before(ir, view);
                let start = match self.of_run_time[i] {
                    Some(start) => Some(start),
                    None if self.offsets[i] == 0 => None,
                    None => Some(constant_index(&mut builder, self.offsets[i] as i64)),
                };
                if let Some(start) = start {
                    let offset = builder.ir.operand(view, 1);
                    let sum = builder.value(&arith::ADDI, &[start, offset], Type::INDEX);
                    ir.set_operand(view, 1, sum);
                }
                ir.set_operand(view, 0, workspace);
            }
            ir.erase_op(alloc);
        }
    }
}
