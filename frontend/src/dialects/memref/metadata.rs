//! What a memref value knows of itself: `dim`, `rank`,
//! `extract_strided_metadata`, `extract_aligned_pointer_as_index`.

use crate::ir::constraints::{INDEX, RANKED_OR_UNRANKED_MEMREF, STRIDED_MEMREF};
use crate::ir::data::Ir;
use crate::ir::effects::Effects;
use crate::ir::entities::{Op, Value};
use crate::ir::op_def::{OpDef, OpError, Traits, ValueSpec, keeps_nothing};
use crate::ir::types::Type;
use crate::op_view;
use crate::syntax::printer::type_to_string;

use super::constraints::{MEMREF_WITH_DIMS, STRIDED_MEMREF_0D};
use super::{fold, patterns, types};
use crate::dialects::shared::assembly;

fn no_effects(_: &Ir, _: Op, _: &mut Effects) {}

/// `memref.dim`: a size. Not speculatable: the dimension may not exist.
pub static DIM: OpDef = const {
    OpDef {
        name: "memref.dim",
        keeps_operand: keeps_nothing,
        operands: &[
            ValueSpec::one("source", &MEMREF_WITH_DIMS),
            ValueSpec::one("index", &INDEX),
        ],
        results: &[ValueSpec::one("result", &INDEX)],
        effects: Some(no_effects),
        result_names: Some(|ir, op, name| name(ir.result(op, 0), "dim")),
        fold: Some(fold::dim),
        canonicalize: patterns::DIM,
        ..OpDef::BASE
    }
}
.with_format("attr-dict $source `,` $index `:` type($source)");
op_view!(
    /// View of [`DIM`].
    Dim, DIM { source: one = 0, index: one = 1 }
);

/// `memref.rank`: the number of dimensions.
pub static RANK: OpDef = const {
    OpDef {
        name: "memref.rank",
        keeps_operand: keeps_nothing,
        operands: &[ValueSpec::one("memref", &RANKED_OR_UNRANKED_MEMREF)],
        results: &[ValueSpec::one("", &INDEX)],
        fold: Some(fold::rank),
        ..OpDef::PURE
    }
}
.with_format("$memref attr-dict `:` type($memref)");
op_view!(
    /// View of [`RANK`].
    Rank, RANK { memref: one = 0 }
);

/// `memref.extract_strided_metadata`: the allocation a memref belongs to, as a
/// memref of rank 0, and its offset, sizes and strides.
pub static EXTRACT_STRIDED_METADATA: OpDef = const {
    OpDef {
        name: "memref.extract_strided_metadata",
        keeps_operand: keeps_nothing,
        operands: &[ValueSpec::one("source", &STRIDED_MEMREF)],
        // Sizes and strides are equally many.
        results: &[
            ValueSpec::one("base_buffer", &STRIDED_MEMREF_0D),
            ValueSpec::one("offset", &INDEX),
            ValueSpec::variadic("sizes", &INDEX),
            ValueSpec::variadic("strides", &INDEX),
        ],
        verify: verify_extract_strided_metadata,
        result_names: Some(|ir, op, name| {
            let results = ir.results(op);
            let rank = (results.len() - 2) / 2;
            name(results[0], "base_buffer");
            name(results[1], "offset");
            if rank > 0 {
                name(results[2], "sizes");
                name(results[2 + rank], "strides");
            }
        }),
        view_source: Some(|ir, op| ir.operand(op, 0)),
        canonicalize: patterns::EXTRACT_STRIDED_METADATA,
        ..OpDef::PURE
    }
}
.with_format("$source `:` type($source) `->` type(results) attr-dict");
op_view!(
    /// View of [`EXTRACT_STRIDED_METADATA`].
    ExtractStridedMetadata, EXTRACT_STRIDED_METADATA { source: one = 0 }
);

impl ExtractStridedMetadata {
    /// Number of dimensions of the source.
    pub fn rank(self, ir: &Ir) -> usize {
        (ir.results(self.0).len() - 2) / 2
    }

    /// The memref of rank 0 that stands for the allocation.
    pub fn base_buffer(self, ir: &Ir) -> Value {
        ir.result(self.0, 0)
    }

    /// The offset in elements.
    pub fn offset(self, ir: &Ir) -> Value {
        ir.result(self.0, 1)
    }

    /// The sizes.
    pub fn sizes(self, ir: &Ir) -> &[Value] {
        &ir.results(self.0)[2..2 + self.rank(ir)]
    }

    /// The strides in elements.
    pub fn strides(self, ir: &Ir) -> &[Value] {
        &ir.results(self.0)[2 + self.rank(ir)..]
    }
}

fn verify_extract_strided_metadata(ir: &Ir, op: Op) -> Result<(), OpError> {
    let context = ir.context();
    let source = assembly::memref_of(ir, ir.operand(op, 0));
    let inferred = types::strided_metadata_types(context, source);
    let actual: Vec<Type> = ir.results(op).iter().map(|&v| ir.value_type(v)).collect();
    if inferred == actual {
        return Ok(());
    }
    let list = |types: &[Type]| {
        let quoted: Vec<String> = types
            .iter()
            .map(|&ty| format!("'{}'", type_to_string(context, ty)))
            .collect();
        quoted.join(", ")
    };
    Err(format!(
        "inferred type(s) {} are incompatible with return type(s) of operation {}",
        list(&inferred),
        list(&actual)
    )
    .into())
}

/// `memref.extract_aligned_pointer_as_index`: the address of the aligned pointer. With the attribute
/// `freehold.allocated`, which is unknown elsewhere, that of the allocated one.
pub static EXTRACT_ALIGNED_POINTER_AS_INDEX: OpDef = const {
    OpDef {
        name: "memref.extract_aligned_pointer_as_index",
        traits: Traits::SPECULATABLE,
        operands: &[ValueSpec::one("source", &RANKED_OR_UNRANKED_MEMREF)],
        results: &[ValueSpec::one("aligned_pointer", &INDEX)],
        result_names: Some(|ir, op, name| name(ir.result(op, 0), "intptr")),
        ..OpDef::PURE
    }
}
.with_format("$source `:` type($source) `->` type(results) attr-dict");
op_view!(
    /// View of [`EXTRACT_ALIGNED_POINTER_AS_INDEX`].
    ExtractAlignedPointerAsIndex, EXTRACT_ALIGNED_POINTER_AS_INDEX { source: one = 0 }
);
