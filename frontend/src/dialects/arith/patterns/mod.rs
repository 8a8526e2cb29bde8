//! Canonicalization patterns of arith: rewrites that need new operations,
//! where folding does not. The notation in comments is that of upstream.

mod cast;
mod compare;
mod integer;

use super::attributes::OverflowFlags;
use super::constants::{as_constant_attr, constant_attr};
use crate::dialects::shared::const_fold::{Int, splat_attr, splat_int};
use crate::ir::data::Ir;
use crate::ir::edit::OpSpec;
use crate::ir::entities::{Op, Value};
use crate::ir::names::Name;
use crate::ir::op_def::{OpDef, Pattern};
use crate::ir::rewriter::Rewriter;
use crate::ir::types::Type;

/// `addi`
pub(super) const ADDI: &[Pattern] = &[
    Pattern {
        name: "addi-constants",
        apply: integer::combine_added_constants,
    },
    Pattern {
        name: "addi-of-negated",
        apply: integer::add_negated,
    },
];
/// `subi`
pub(super) const SUBI: &[Pattern] = &[
    Pattern {
        name: "subi-constants",
        apply: integer::combine_subtracted_constants,
    },
    Pattern {
        name: "subi-of-same",
        apply: integer::subtract_own_minuend,
    },
];
/// `muli`
pub(super) const MULI: &[Pattern] = &[Pattern {
    name: "muli-constants",
    apply: integer::combine_factors,
}];
/// `addui_extended`
pub(super) const ADDUI_EXTENDED: &[Pattern] = &[Pattern {
    name: "addui-extended-without-overflow",
    apply: |rw, op| integer::drop_unused_half(rw, op, &super::ADDI),
}];
/// `mulsi_extended`
pub(super) const MULSI_EXTENDED: &[Pattern] = &[
    Pattern {
        name: "mulsi-extended-without-high",
        apply: |rw, op| integer::drop_unused_half(rw, op, &super::MULI),
    },
    Pattern {
        name: "mulsi-extended-by-one",
        apply: integer::mulsi_extended_by_one,
    },
];
/// `mului_extended`
pub(super) const MULUI_EXTENDED: &[Pattern] = &[Pattern {
    name: "mului-extended-without-high",
    apply: |rw, op| integer::drop_unused_half(rw, op, &super::MULI),
}];
/// `andi` and `ori`
pub(super) const BITWISE: &[Pattern] = &[Pattern {
    name: "bitwise-of-extensions",
    apply: cast::sink_extensions,
}];
/// `xori`
pub(super) const XORI: &[Pattern] = &[
    Pattern {
        name: "xori-of-cmpi",
        apply: compare::invert_cmpi,
    },
    Pattern {
        name: "bitwise-of-extensions",
        apply: cast::sink_extensions,
    },
];
/// `mulf` and `divf`
pub(super) const MULF_DIVF: &[Pattern] = &[Pattern {
    name: "negations-cancel",
    apply: cancel_negations,
}];
/// `extui`
pub(super) const EXTUI: &[Pattern] = &[Pattern {
    name: "extui-of-extui",
    apply: |rw, op| cast::look_through(rw, op, &super::EXTUI),
}];
/// `extsi`
pub(super) const EXTSI: &[Pattern] = &[
    Pattern {
        name: "extsi-of-extsi",
        apply: |rw, op| cast::look_through(rw, op, &super::EXTSI),
    },
    Pattern {
        name: "extsi-of-extui",
        apply: |rw, op| cast::replace_with_cast_of_source(rw, op, &super::EXTUI, &super::EXTUI),
    },
];
/// `trunci`
pub(super) const TRUNCI: &[Pattern] = &[
    Pattern {
        name: "trunci-of-extension",
        apply: cast::trunci_of_extension,
    },
    Pattern {
        name: "trunci-of-trunci",
        apply: |rw, op| cast::look_through(rw, op, &super::TRUNCI),
    },
    Pattern {
        name: "trunci-of-shrsi",
        apply: cast::trunci_of_shrsi,
    },
    Pattern {
        name: "trunci-of-wide-product",
        apply: cast::trunci_of_wide_product,
    },
];
/// `index_cast`
pub(super) const INDEX_CAST: &[Pattern] = &[Pattern {
    name: "index-cast-of-extsi",
    apply: |rw, op| cast::look_through(rw, op, &super::EXTSI),
}];
/// `index_castui`
pub(super) const INDEX_CASTUI: &[Pattern] = &[Pattern {
    name: "index-castui-of-extui",
    apply: |rw, op| cast::look_through(rw, op, &super::EXTUI),
}];
/// `bitcast`
pub(super) const BITCAST: &[Pattern] = &[Pattern {
    name: "bitcast-of-bitcast",
    apply: |rw, op| cast::look_through(rw, op, &super::BITCAST),
}];
/// `cmpi`
pub(super) const CMPI: &[Pattern] = &[
    Pattern {
        name: "cmpi-constant-to-the-right",
        apply: compare::constant_to_the_right,
    },
    Pattern {
        name: "cmpi-of-extensions",
        apply: compare::cmpi_of_extensions,
    },
];
/// `cmpf`
pub(super) const CMPF: &[Pattern] = &[Pattern {
    name: "cmpf-of-converted-integer",
    apply: compare::cmpf_of_converted_integer,
}];
/// `select`
pub(super) const SELECT: &[Pattern] = &[
    Pattern {
        name: "select-of-select",
        apply: compare::redundant_select,
    },
    Pattern {
        name: "select-by-not",
        apply: compare::select_by_not,
    },
    Pattern {
        name: "select-of-booleans",
        apply: compare::select_of_constants,
    },
];

/// mulf(negf(x), negf(y)) -> mulf(x, y), and so divf
fn cancel_negations(rw: &mut Rewriter<'_>, op: Op) -> bool {
    let sides = [0, 1].map(|index| {
        let neg = rw.ir.defined_by(rw.ir.operand(op, index), &super::NEGF)?;
        Some(rw.ir.operand(neg, 0))
    });
    let [Some(x), Some(y)] = sides else {
        return false;
    };
    rw.set_operands(op, &[x, y]);
    true
}

/// The constant that `value` is, if it is one number of a type that can be folded.
fn constant_number(ir: &Ir, value: Value) -> Option<Int> {
    splat_int(ir.context(), as_constant_attr(ir, value))
}

/// Makes the constant of type `ty` whose numbers are all `bits`, before `op`.
fn make_constant(rw: &mut Rewriter<'_>, op: Op, ty: Type, bits: u128) -> Option<Value> {
    let attr = splat_attr(rw.ir.context(), ty, bits)?;
    Some(rw.build_before(op, |builder| constant_attr(builder, attr)))
}

/// Replaces `op` by `def` of `operands` with overflow flags and the same type.
fn replace_with_binary(
    rw: &mut Rewriter<'_>,
    op: Op,
    def: &'static OpDef,
    operands: [Value; 2],
    flags: OverflowFlags,
) {
    let ty = rw.ir.value_type(rw.ir.result(op, 0));
    let mut spec = OpSpec::new(def, rw.ir.loc(op))
        .operands(&operands)
        .results(&[ty]);
    if let Some(attr) = flags.to_attr(rw.ir.context()) {
        spec.set_attr(Name::OVERFLOW_FLAGS, attr);
    }
    rw.replace_op_with(op, spec);
}
