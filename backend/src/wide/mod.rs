//! Vectors of 256 and 512 bits on x86-64, which Cranelift does not have.
//!
//! [`regions`] finds loops on vectors wider than 128 bits. [`select`] turns such a loop into instructions on
//! virtual registers ([`code`], by the tables of [`forms`]), [`allocate`] chooses registers, and [`assemble`] makes
//! bytes. The result, a
//! kernel, is a function of its own that is called where the loop stood, through memory with what is live
//! into it and out of it, as [`crate::split`] does it for parts of large functions.
//!
//! **Invariant.** A kernel computes the bits that Cranelift's code for the same operations computes. What is
//! not known to, or has no row here, makes [`select`] refuse the loop, and it stays Cranelift's.

mod allocate;
mod assemble;
mod code;
mod constants;
pub(crate) mod encodings;
mod forms;
pub(crate) mod level;
mod refusal;
pub(crate) mod regions;
mod select;

pub(crate) use assemble::{ALIGNMENT, Assembled};
pub(crate) use refusal::{Reason, Refusal};

use freehold_frontend::ir::data::Ir;

use self::assemble::Failure;
use self::code::Size;
use self::level::Level;
use crate::split::Part;
use crate::vector::sums::is_in_order;

/// Compiles the blocks of a part.
pub(crate) fn compile(ir: &Ir, part: &Part, level: Level) -> Result<Assembled, Refusal> {
    let mut level = level;
    let mut ops = part.blocks.iter().flat_map(|&block| ir.ops_in(block));
    if ops.any(|op| is_in_order(ir, op)) {
        // That takes as long in registers of any size, and instructions on 512 bits take one of two units for additions
        // away: 410 million in 0.33 s instead of 0.21 s.
        level.widest = level.widest.min(Size::Y);
    }
    let lir = select::select(ir, part, level)?;
    assemble::assemble(&lir, level).map_err(|failure| {
        // Slow code would hide a mistake of ours.
        debug_assert_eq!(failure, Failure::Registers, "a kernel does not assemble");
        Refusal {
            op: ir.first_op(part.blocks[0]).unwrap_or(ir.root()),
            why: match failure {
                Failure::Registers => Reason::Registers,
                Failure::Allocation(_) => Reason::Allocation,
                Failure::Encoding(_) => Reason::Encoding,
            },
        }
    })
}
