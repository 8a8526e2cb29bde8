//! The transforms of Winograd's convolution F(m x m, r x r), which computes m x m results at a time from (m + r - 1) x
//! (m + r - 1) inputs. MLIR 22 has them.
//!
//! ```text
//! result = A^T [(G filter G^T) * (B^T input B)] A
//! ```
//!
//! Along a dimension in which the filter has one element nothing is transformed.

use crate::dialects::arith::assembly::parse_enum_keyword;
use crate::ir::attrs::AttrKind;
use crate::ir::constraints;
use crate::ir::context::Context;
use crate::ir::data::Ir;
use crate::ir::entities::{Op, Value};
use crate::ir::names::Name;
use crate::ir::op_def::{
    AttrConstraint, AttrSpec, AttrText, CustomAttrText, OpDef, OpError, TypeConstraint, ValueSpec,
};
use crate::ir::types::{DYNAMIC, Type, TypeKind};

use super::interface::{element_type, shape};

/// How many results from how large a filter: m and r.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fmr {
    keyword: &'static str,
    /// m
    pub output: i64,
    /// r
    pub filter: i64,
}

const ALL: &[Fmr] = &[
    Fmr {
        keyword: "F_2_3",
        output: 2,
        filter: 3,
    },
    Fmr {
        keyword: "F_4_3",
        output: 4,
        filter: 3,
    },
    Fmr {
        keyword: "F_2_5",
        output: 2,
        filter: 5,
    },
];

impl Fmr {
    /// Those of an operation.
    pub fn of(ir: &Ir, op: Op) -> Option<Self> {
        let number = ir.context().attr_integer(ir.attr(op, Name::FMR)?)?;
        ALL.get(usize::try_from(number).ok()?).copied()
    }

    /// m + r - 1, the elements of the transformed tiles.
    pub fn input(self) -> i64 {
        self.output + self.filter - 1
    }
}

static FMR_ATTR: AttrConstraint = AttrConstraint {
    description: "allowed 32-bit signless integer cases: 0, 1, 2",
    accepts: |context, attr| {
        matches!(context.attr_kind(attr), AttrKind::Integer { ty, value }
            if *ty == Type::I32 && (0..ALL.len() as i128).contains(value))
    },
    text: AttrText::Custom(&CustomAttrText {
        parse: |p| {
            let fmr = parse_enum_keyword(p, "fmr", ALL, |fmr| fmr.keyword)?;
            let number = ALL.iter().position(|&other| other == fmr).unwrap_or(0);
            Ok(Some(p.context().integer_attr(Type::I32, number as i128)))
        },
        print: |p, context, attr| {
            let number = context
                .attr_integer(attr)
                .and_then(|n| usize::try_from(n).ok());
            let fmr = number.and_then(|number| ALL.get(number));
            p.text(fmr.map_or("", |fmr| fmr.keyword));
        },
    }),
};

fn has_rank(context: &Context, ty: Type, rank: usize) -> bool {
    matches!(context.type_kind(ty), TypeKind::RankedTensor { shape, .. } if shape.len() == rank)
}

static TENSOR_4D: TypeConstraint = TypeConstraint {
    description: "4D tensor of any type values",
    accepts: |context, ty| has_rank(context, ty, 4),
    kind: constraints::RANKED_TENSOR.kind,
    ..TypeConstraint::BASE
};
static TENSOR_6D: TypeConstraint = TypeConstraint {
    description: "6D tensor of any type values",
    accepts: |context, ty| has_rank(context, ty, 6),
    kind: constraints::RANKED_TENSOR.kind,
    ..TypeConstraint::BASE
};

const ATTRIBUTES: &[AttrSpec] = &[AttrSpec::required(Name::FMR, &FMR_ATTR)];

/// `G filter G^T`: from `[f, h, w, c]` to `[h, w, c, f]`.
pub static FILTER_TRANSFORM: OpDef = const {
    OpDef {
        name: "linalg.winograd_filter_transform",
        operands: &[
            ValueSpec::one("filter", &TENSOR_4D),
            ValueSpec::one("output", &TENSOR_4D),
        ],
        results: &[ValueSpec::one("result", &TENSOR_4D)],
        attributes: ATTRIBUTES,
        verify: verify_filter,
        ..OpDef::PURE
    }
}
.with_format(
    "attr-dict `fmr` `(` $fmr `)` `ins` `(` $filter `:` type($filter) `)` `outs` `(` $output `:` \
     type($output) `)` `->` type($result)",
);

/// `B^T input B` of each tile: from `[n, h, w, c]` to `[h, w, tiles, tiles, n, c]`.
pub static INPUT_TRANSFORM: OpDef = const {
    OpDef {
        name: "linalg.winograd_input_transform",
        operands: &[
            ValueSpec::one("input", &TENSOR_4D),
            ValueSpec::one("output", &TENSOR_6D),
        ],
        results: &[ValueSpec::one("result", &TENSOR_6D)],
        attributes: ATTRIBUTES,
        verify: verify_input,
        ..OpDef::PURE
    }
}
.with_format(
    "attr-dict `fmr` `(` $fmr `)` `ins` `(` $input `:` type($input) `)` `outs` `(` $output `:` \
     type($output) `)` `->` type($result)",
);

/// `A^T value A` of each tile: from `[h, w, tiles, tiles, n, f]` to `[n, h, w, f]`, added to the contents of the output.
pub static OUTPUT_TRANSFORM: OpDef = const {
    OpDef {
        name: "linalg.winograd_output_transform",
        operands: &[
            ValueSpec::one("value", &TENSOR_6D),
            ValueSpec::one("output", &TENSOR_4D),
        ],
        results: &[ValueSpec::one("result", &TENSOR_4D)],
        attributes: ATTRIBUTES,
        verify: verify_output,
        ..OpDef::PURE
    }
}
.with_format(
    "attr-dict `fmr` `(` $fmr `)` `ins` `(` $value `:` type($value) `)` `outs` `(` $output `:` \
     type($output) `)` `->` type($result)",
);

fn same_elements(ir: &Ir, op: Op, names: &str) -> Result<(), OpError> {
    let of = |value: Value| element_type(ir, value);
    match of(ir.operand(op, 0)) == of(ir.operand(op, 1)) {
        true => Ok(()),
        false => Err(OpError::from(format!(
            "failed to verify that all of {{{names}}} have same element type"
        ))),
    }
}

/// Whether sizes are as expected, as far as they are known.
fn expect_shape(found: &[i64], expected: &[i64]) -> Result<(), OpError> {
    let fits = |(&found, &expected): (&i64, &i64)| {
        found == expected || found == DYNAMIC || expected == DYNAMIC
    };
    match found.iter().zip(expected).all(fits) {
        true => Ok(()),
        false => Err("the output shape is not expected".into()),
    }
}

fn fmr_of(ir: &Ir, op: Op) -> Result<Fmr, OpError> {
    Fmr::of(ir, op).ok_or_else(|| "requires attribute 'fmr'".into())
}

fn verify_filter(ir: &Ir, op: Op) -> Result<(), OpError> {
    same_elements(ir, op, "filter, output")?;
    let fmr = fmr_of(ir, op)?;
    let &[f, h, w, c] = shape(ir, ir.operand(op, 0)) else {
        return Err("requires four dimensions".into());
    };
    for (size, name) in [(h, "height"), (w, "width")] {
        if size != fmr.filter && size != 1 {
            return Err(OpError::from(format!(
                "expect filter {name} either equals to r or 1"
            )));
        }
    }
    if h == 1 && w == 1 {
        return Err("expect either filter height or width equals to r".into());
    }
    let transformed = |size| if size == 1 { 1 } else { fmr.input() };
    let expected = [transformed(h), transformed(w), c, f];
    expect_shape(shape(ir, ir.operand(op, 1)), &expected)
}

fn verify_input(ir: &Ir, op: Op) -> Result<(), OpError> {
    same_elements(ir, op, "input, output")?;
    let fmr = fmr_of(ir, op)?;
    let output = shape(ir, ir.operand(op, 1));
    let (&[n, h, w, c], &[tile_h, tile_w, ..]) = (shape(ir, ir.operand(op, 0)), output) else {
        return Err("requires four and six dimensions".into());
    };
    // How many tiles there are: as many as fit.
    let tiles = |size: i64, tile: i64| match (size, tile) {
        (DYNAMIC, _) | (_, DYNAMIC) => DYNAMIC,
        (size, 1) => size,
        (size, _) => (size - (fmr.filter - 1)) / fmr.output,
    };
    let tile = |tile: i64| if tile == 1 { 1 } else { fmr.input() };
    let expected = [
        tile(tile_h),
        tile(tile_w),
        tiles(h, tile_h),
        tiles(w, tile_w),
        n,
        c,
    ];
    expect_shape(output, &expected)
}

fn verify_output(ir: &Ir, op: Op) -> Result<(), OpError> {
    same_elements(ir, op, "value, output")?;
    let fmr = fmr_of(ir, op)?;
    let &[tile_h, tile_w, tiles_h, tiles_w, n, f] = shape(ir, ir.operand(op, 0)) else {
        return Err("requires six dimensions".into());
    };
    for (tile, name) in [(tile_h, "height"), (tile_w, "width")] {
        if tile != fmr.input() && tile != 1 && tile != DYNAMIC {
            return Err(OpError::from(format!(
                "expect input {name} equals to input tile size"
            )));
        }
    }
    let size = |tiles: i64, tile: i64| match (tiles, tile) {
        (DYNAMIC, _) | (_, DYNAMIC) => DYNAMIC,
        (tiles, 1) => tiles,
        (tiles, _) => tiles.saturating_mul(fmr.output),
    };
    let expected = [n, size(tiles_h, tile_h), size(tiles_w, tile_w), f];
    expect_shape(shape(ir, ir.operand(op, 1)), &expected)
}
