//! Reading, writing and copying: `load`, `store`, `copy`, and the hints
//! `prefetch`, `assume_alignment` and `distinct_objects`.

use crate::ir::attrs::Attr;
use crate::ir::constraints::{ANY, BOOL_ATTR, INDEX, MEMREF, RANKED_OR_UNRANKED_MEMREF};
use crate::ir::data::Ir;
use crate::ir::effects::{EffectKind, Effects, Resource};
use crate::ir::entities::{Op, Value};
use crate::ir::interfaces::CopyInterface;
use crate::ir::names::Name;
use crate::ir::op_def::{
    AttrSpec, FoldResult, Generic22, OpDef, OpError, ValueSpec, keeps_nothing,
};
use crate::op_view;

use super::constraints::{IS_DATA_CACHE, IS_WRITE, LOCALITY_HINT, POSITIVE_I32};
use super::{patterns, types};
use crate::dialects::shared::assembly;

static ACCESS_ATTRIBUTES: &[AttrSpec] =
    &[AttrSpec::optional(Name::NONTEMPORAL, &BOOL_ATTR).eliding(Attr::FALSE)];

/// `memref.load`
pub static LOAD: OpDef = const {
    OpDef {
        name: "memref.load",
        keeps_operand: keeps_nothing,
        operands: &[
            ValueSpec::one("memref", &MEMREF),
            ValueSpec::variadic("indices", &INDEX),
        ],
        results: &[ValueSpec::one("result", &ANY)],
        attributes: ACCESS_ATTRIBUTES,
        verify: verify_load,
        effects: Some(|ir, op, effects| effects.read(ir.operand(op, 0))),
        canonicalize: patterns::USES_MEMREF_FIRST,
        ..OpDef::BASE
    }
}
.with_format(
    "$memref `[` $indices `]` attr-dict `:` type($memref) where $result = element($memref)",
);
op_view!(
    /// View of [`LOAD`].
    Load, LOAD { memref: one = 0, indices: many = 1 }
);

/// `memref.store`
pub static STORE: OpDef = const {
    OpDef {
        name: "memref.store",
        operands: &[
            ValueSpec::one("value", &ANY),
            ValueSpec::one("memref", &MEMREF),
            ValueSpec::variadic("indices", &INDEX),
        ],
        attributes: ACCESS_ATTRIBUTES,
        verify: verify_store,
        effects: Some(|ir, op, effects| effects.write(ir.operand(op, 1))),
        canonicalize: patterns::USES_MEMREF_SECOND,
        ..OpDef::BASE
    }
}
.with_format(
    "$value `,` $memref `[` $indices `]` attr-dict `:` type($memref) where $value = \
     element($memref)",
);
op_view!(
    /// View of [`STORE`].
    Store, STORE { value: one = 0, memref: one = 1, indices: many = 2 }
);

fn verify_load(ir: &Ir, op: Op) -> Result<(), OpError> {
    let memref = assembly::memref_of(ir, ir.operand(op, 0));
    if memref.element != ir.value_type(ir.result(op, 0)) {
        return Err("failed to verify that result type matches element type of 'memref'".into());
    }
    let n_indices = ir.operands(op).len() - 1;
    if n_indices != memref.rank() {
        return Err(format!(
            "incorrect number of indices for load, expected {} but got {n_indices}",
            memref.rank()
        )
        .into());
    }
    Ok(())
}

fn verify_store(ir: &Ir, op: Op) -> Result<(), OpError> {
    let memref = assembly::memref_of(ir, ir.operand(op, 1));
    if memref.element != ir.value_type(ir.operand(op, 0)) {
        return Err(
            "failed to verify that type of 'value' matches element type of 'memref'".into(),
        );
    }
    if ir.operands(op).len() - 2 != memref.rank() {
        return Err("store index operand count not equal to memref rank".into());
    }
    Ok(())
}

/// `memref.copy`: all elements of one buffer to another of the same shape.
pub static COPY: OpDef = const {
    OpDef {
        name: "memref.copy",
        operands: &[
            ValueSpec::one("source", &RANKED_OR_UNRANKED_MEMREF),
            ValueSpec::one("target", &RANKED_OR_UNRANKED_MEMREF),
        ],
        verify: verify_copy,
        effects: Some(|ir, op, effects| {
            effects.read(ir.operand(op, 0));
            effects.write(ir.operand(op, 1));
        }),
        copy: Some(&CopyInterface {
            source: |ir, op| ir.operand(op, 0),
            target: |ir, op| ir.operand(op, 1),
        }),
        canonicalize: patterns::COPY,
        ..OpDef::BASE
    }
}
.with_format("$source `,` $target attr-dict `:` type($source) `to` type($target)");
op_view!(
    /// View of [`COPY`].
    Copy, COPY { source: one = 0, target: one = 1 }
);

fn verify_copy(ir: &Ir, op: Op) -> Result<(), OpError> {
    let context = ir.context();
    let (source, target) = (
        ir.value_type(ir.operand(op, 0)),
        ir.value_type(ir.operand(op, 1)),
    );
    if context.element_type_or_self(source) != context.element_type_or_self(target) {
        return Err("requires the same element type for all operands".into());
    }
    if let (Some(a), Some(b)) = (context.shape(source), context.shape(target)) {
        let agree = |(&a, &b): (&i64, &i64)| types::is_compatible(a, b);
        if a.len() != b.len() || !a.iter().zip(b).all(agree) {
            return Err("requires the same shape for all operands".into());
        }
    }
    Ok(())
}

/// Writing [`Resource::Hint`] keeps an operation from being erased as dead and
/// does not stand in the way of anything that touches memory. Upstream leaves
/// these effects unknown.
fn hint(effects: &mut Effects) {
    effects.add(EffectKind::Write, None, Resource::Hint);
}

/// `memref.prefetch`: brings memory into the cache.
pub static PREFETCH: OpDef = const { OpDef {
    name: "memref.prefetch",
    operands: &[
        ValueSpec::one("memref", &MEMREF),
        ValueSpec::variadic("indices", &INDEX),
    ],
    attributes: &[
        AttrSpec::required(Name::IS_DATA_CACHE, &IS_DATA_CACHE),
        AttrSpec::required(Name::IS_WRITE, &IS_WRITE),
        AttrSpec::required(Name::LOCALITY_HINT, &LOCALITY_HINT),
    ],
    verify: |ir, op| {
        let rank = assembly::memref_of(ir, ir.operand(op, 0)).rank();
        if ir.operands(op).len() == 1 + rank {
            Ok(())
        } else {
            Err("too few indices".into())
        }
    },
    effects: Some(|ir, op, effects| {
        effects.read(ir.operand(op, 0));
        hint(effects);
    }),
    canonicalize: patterns::USES_MEMREF_FIRST,
    ..OpDef::BASE
} }
.with_format("$memref `[` $indices `]` `,` $isWrite `,` `locality` `<` $localityHint `>` `,` $isDataCache attr-dict `:` type($memref)");
op_view!(
    /// View of [`PREFETCH`].
    Prefetch, PREFETCH { memref: one = 0, indices: many = 1 }
);

/// `memref.assume_alignment`: promises how the memory is aligned.
pub static ASSUME_ALIGNMENT: OpDef = const {
    OpDef {
        name: "memref.assume_alignment",
        operands: &[ValueSpec::one("memref", &MEMREF)],
        attributes: &[AttrSpec::required(Name::ALIGNMENT, &POSITIVE_I32)],
        verify: |ir, op| {
            let alignment = ir
                .attr(op, Name::ALIGNMENT)
                .and_then(|attr| ir.context().attr_integer(attr));
            if alignment.is_some_and(|value| value.count_ones() == 1) {
                Ok(())
            } else {
                Err("alignment must be power of 2".into())
            }
        },
        effects: Some(|_, _, effects| hint(effects)),
        canonicalize: patterns::USES_MEMREF_FIRST,
        generic_22: Generic22 {
            returns_operand: true,
            ..Generic22::NOTHING
        },
        ..OpDef::BASE
    }
}
.with_format("$memref `,` $alignment attr-dict `:` type($memref)");
op_view!(
    /// View of [`ASSUME_ALIGNMENT`].
    AssumeAlignment, ASSUME_ALIGNMENT { memref: one = 0 }
);

/// `memref.distinct_objects`: promises that the operands are in different allocations; the results are the operands.
/// MLIR 22 has it.
pub static DISTINCT_OBJECTS: OpDef = const {
    OpDef {
        name: "memref.distinct_objects",
        operands: &[ValueSpec::variadic("operands", &MEMREF)],
        results: &[ValueSpec::variadic("results", &MEMREF)],
        verify: |ir, op| {
            let types = |values: &[Value]| -> Vec<_> {
                values.iter().map(|&value| ir.value_type(value)).collect()
            };
            if ir.operands(op).is_empty() {
                return Err("expected at least one operand".into());
            }
            match types(ir.operands(op)) == types(ir.results(op)) {
                true => Ok(()),
                false => Err("operand types and result types must match".into()),
            }
        },
        infer_results: Some(|_, _, parts| Ok(parts.types.iter().map(|entry| entry.1).collect())),
        // The promise is not made use of.
        fold: Some(|ir, op, _| {
            let operands = ir.operands(op).iter();
            operands
                .map(|&operand| FoldResult::Value(operand))
                .collect()
        }),
        ..OpDef::PURE
    }
}
.with_format("$operands attr-dict `:` type($operands)");

/// The memref and the indices that `op`, a load or store, accesses.
pub fn accessed_element(ir: &Ir, op: Op) -> Option<(Value, &[Value])> {
    let at = if ir.is(op, &LOAD) {
        0
    } else if ir.is(op, &STORE) {
        1
    } else {
        return None;
    };
    Some((ir.operand(op, at), &ir.operands(op)[at + 1..]))
}
