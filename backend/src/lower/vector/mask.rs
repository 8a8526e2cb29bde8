//! `vector.mask`: an operation on some of the elements.
//!
//! The operation inside is lowered where it stands, with the mask at hand: a transfer leaves elements out
//! as one with a mask of its own does, and a reduction keeps its total where the mask is not set.

use freehold_frontend::dialects::shared::const_fold::float;
use freehold_frontend::dialects::vector::{self, CombiningKind};
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::{Op, Value};

use crate::lower::function::Lowering;
use crate::lower::function::LoweringTable;
use crate::lower::held::{ActiveMask, Elements};
use crate::program::unsupported_op;
use crate::repr::{Scalar, low_bits};

pub(super) static TABLE: LoweringTable = &[(&vector::MASK, lower_mask)];

impl Lowering<'_, '_> {
    /// A vector of `i1` as a mask.
    pub(super) fn mask_of(&mut self, mask: Value) -> Result<ActiveMask, Failed> {
        Ok(ActiveMask {
            bits: self.elements(mask)?,
            shape: self.vector_shape(mask)?,
        })
    }

    /// The mask around `op`, which works on so many elements.
    pub(super) fn mask_around(&mut self, op: Op, n: usize) -> Result<Option<ActiveMask>, Failed> {
        let mask = self.vector.active_mask.clone();
        match mask.as_ref().is_some_and(|mask| mask.bits.len() != n) {
            true => Err(unsupported_op(self.ir, op, self.diagnostics)),
            false => Ok(mask),
        }
    }
}

/// What a masked reduction without a number to start from starts from: it changes nothing.
pub(super) fn neutral_bits(kind: CombiningKind, scalar: Scalar) -> Option<u128> {
    use CombiningKind::{
        Add, And, MaxNumF, MaxSI, MaxUI, MaximumF, MinNumF, MinSI, MinUI, MinimumF, Mul, Or, Xor,
    };
    let neutral = |value: f64| match scalar {
        Scalar::Float(kind) => {
            float::encode(kind, value).and_then(|(bits, exact)| exact.then_some(bits))
        }
        _ => None,
    };
    let Scalar::Int(width) = scalar else {
        return match kind {
            Add => neutral(0.0),
            Mul => neutral(1.0),
            MaximumF => neutral(f64::NEG_INFINITY),
            MinimumF => neutral(f64::INFINITY),
            MaxNumF | MinNumF => neutral(f64::NAN),
            _ => None,
        };
    };
    match kind {
        Add | Or | Xor | MaxUI => Some(0),
        Mul => Some(1),
        And | MinUI => Some(low_bits(width)),
        MaxSI => Some(1 << (width - 1)),
        MinSI => Some(low_bits(width) >> 1),
        _ => None,
    }
}

/// Whether the lowering of `op` looks at the mask around it.
fn is_maskable(cx: &Lowering<'_, '_>, op: Op) -> bool {
    let known = [
        &vector::CONTRACT,
        &vector::GATHER,
        &vector::MULTI_REDUCTION,
        &vector::REDUCTION,
        &vector::SCATTER,
        &vector::TRANSFER_READ,
        &vector::TRANSFER_WRITE,
    ];
    known.iter().any(|&def| cx.ir.is(op, def))
}

fn lower_mask(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    let ir = cx.ir;
    let body = ir.entry_block(ir.region(op, 0));
    let body = body.expect("the verifier wants a terminator in the region");
    let mask = cx.mask_of(ir.operand(op, 0))?;
    for inner in ir.ops_in(body) {
        if ir.is(inner, &vector::YIELD) {
            for (&result, &value) in ir.results(op).iter().zip(ir.operands(inner)) {
                let lowered = cx.get(value)?.clone();
                cx.set(result, lowered);
            }
            continue;
        }
        let lower = (cx.lowerings.of(ir.def(inner))).filter(|_| is_maskable(cx, inner));
        let Some(lower) = lower else {
            return Err(unsupported_op(ir, inner, cx.diagnostics));
        };
        cx.vector.active_mask = Some(mask.clone());
        let outcome = lower(cx, inner);
        cx.vector.active_mask = None;
        outcome?;
    }
    if let Some(&passthru) = ir.operands(op).get(1) {
        return merge(cx, op, &mask, passthru);
    }
    Ok(())
}

/// Puts elements of `passthru` in the result where the mask is not set.
fn merge(
    cx: &mut Lowering<'_, '_>,
    op: Op,
    mask: &ActiveMask,
    passthru: Value,
) -> Result<(), Failed> {
    let (new, old) = (cx.elements(cx.ir.result(op, 0))?, cx.elements(passthru)?);
    if new.len() != mask.bits.len() {
        // Of a reduction, the mask tells nothing about the result.
        return Err(unsupported_op(cx.ir, op, cx.diagnostics));
    }
    let pairs = new.iter().zip(&old).zip(&mask.bits);
    let merged: Elements = pairs
        .map(|((&new, &old), &bit)| cx.select_value(bit, new, old))
        .collect();
    cx.set_elements(op, &merged)
}
