//! `ub`: poison.

use cranelift_codegen::ir::InstBuilder;
use freehold_frontend::dialects::ub;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::Op;
use smallvec::SmallVec;

use super::function::LoweringTable;
use super::function::{Lowering, TRAP_UNREACHABLE};
use super::held::{Descriptor, Index, Lowered};
use crate::repr::Repr;

/// The lowerings of this dialect.
pub(super) static TABLE: LoweringTable = &[
    (&ub::POISON, lower_poison),
    (&ub::UNREACHABLE, lower_unreachable),
];

fn lower_unreachable(cx: &mut Lowering<'_, '_>, _: Op) -> Result<(), Failed> {
    cx.b.ins().trap(TRAP_UNREACHABLE);
    Ok(())
}

/// Any value will do; zero is the most predictable one.
fn lower_poison(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    let result = cx.ir.result(op, 0);
    let repr = cx.repr(result)?;
    let poison = match repr {
        Repr::Scalar(scalar) => Lowered::Constant(scalar, 0),
        Repr::Complex(part) => {
            let zero = cx.constant(part, 0);
            Lowered::Complex([zero; 2])
        }
        Repr::MemRef(layout) => {
            let zeros = SmallVec::from_elem(Index::Const(0), layout.rank());
            let mut descriptor = Descriptor::identity(Index::Const(0), zeros.clone(), zeros);
            descriptor.refine(&layout);
            Lowered::memref(descriptor)
        }
        Repr::Vector(ref vector) => {
            let zero = cx.constant(vector.scalar, 0);
            let zeros = vec![zero; vector.n_elements()];
            cx.with_elements(&repr, &zeros)
        }
        Repr::UnrankedMemRef => {
            let null = cx.b.ins().iconst(cranelift_codegen::ir::types::I64, 0);
            Lowered::Unranked {
                rank: Index::Const(0),
                descriptor: null,
            }
        }
    };
    cx.set(result, poison);
    Ok(())
}
