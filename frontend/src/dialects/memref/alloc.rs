//! Allocation and release: `alloc`, `alloca`, `alloca_scope`, `dealloc`, `realloc`.

use crate::ir::constraints::{ANY, INDEX, MEMREF, RANKED_OR_UNRANKED_MEMREF};
use crate::ir::data::Ir;
use crate::ir::entities::{Op, Value};
use crate::ir::interfaces::{RegionBranchInterface, RegionPoint, RegionTerminatorInterface};
use crate::ir::names::Name;
use crate::ir::op_def::{AttrSpec, OpDef, OpError, Traits, ValueSpec};
use crate::ir::rules;
use crate::op_view;
use crate::syntax::printer::type_to_string;

use super::constraints::{MEMREF_1D, NON_NEGATIVE_I64};
use super::{patterns, types};
use crate::dialects::shared::assembly;

static ALLOC_OPERANDS: &[ValueSpec] = &[
    ValueSpec::variadic("dynamicSizes", &INDEX),
    ValueSpec::variadic("symbolOperands", &INDEX),
];
static ALLOC_ATTRIBUTES: &[AttrSpec] = &[AttrSpec::optional(Name::ALIGNMENT, &NON_NEGATIVE_I64)];

/// `memref.alloc`: heap memory, uninitialized.
pub static ALLOC: OpDef = const {
    OpDef {
        name: "memref.alloc",
        operands: ALLOC_OPERANDS,
        results: &[ValueSpec::one("memref", &MEMREF)],
        attributes: ALLOC_ATTRIBUTES,
        verify: verify_alloc_like,
        effects: Some(|ir, op, effects| effects.allocate(ir.result(op, 0))),
        result_names: Some(|ir, op, name| name(ir.result(op, 0), "alloc")),
        canonicalize: patterns::ALLOC,
        ..OpDef::BASE
    }
}
.with_format("`(` $dynamicSizes `)` (`` `[` $symbolOperands^ `]`)? attr-dict `:` type($memref)");
op_view!(
    /// View of [`ALLOC`].
    Alloc, ALLOC { dynamic_sizes: many = 0, symbol_operands: many = 1 }
);

/// `memref.alloca`: stack memory, released at the end of the scope around.
pub static ALLOCA: OpDef = const {
    OpDef {
        name: "memref.alloca",
        operands: ALLOC_OPERANDS,
        results: &[ValueSpec::one("memref", &MEMREF)],
        attributes: ALLOC_ATTRIBUTES,
        verify: verify_alloca,
        effects: Some(|ir, op, effects| effects.allocate_automatic(ir.result(op, 0))),
        result_names: Some(|ir, op, name| name(ir.result(op, 0), "alloca")),
        canonicalize: patterns::ALLOC,
        ..OpDef::BASE
    }
}
.with_format("`(` $dynamicSizes `)` (`` `[` $symbolOperands^ `]`)? attr-dict `:` type($memref)");
op_view!(
    /// View of [`ALLOCA`].
    Alloca, ALLOCA { dynamic_sizes: many = 0, symbol_operands: many = 1 }
);

fn verify_alloc_like(ir: &Ir, op: Op) -> Result<(), OpError> {
    let memref = assembly::memref_of(ir, ir.result(op, 0));
    if ir.operand_group(op, 0).len() != memref.n_dynamic_dims() {
        return Err("dimension operand count does not equal memref dynamic dimension count".into());
    }
    let n_symbols = if types::has_identity_layout(ir.context(), memref) {
        0
    } else {
        types::n_layout_symbols(ir.context(), memref)
    };
    let n_operands = ir.operand_group(op, 1).len();
    if n_operands != n_symbols {
        return Err(format!(
            "symbol operand count does not equal memref symbol count: expected {n_symbols}, \
             got {n_operands}"
        )
        .into());
    }
    Ok(())
}

fn verify_alloca(ir: &Ir, op: Op) -> Result<(), OpError> {
    let mut parent = ir.parent_op(op);
    while let Some(ancestor) = parent {
        if ir.has_trait(ancestor, Traits::AUTOMATIC_ALLOCATION_SCOPE) {
            return verify_alloc_like(ir, op);
        }
        parent = ir.parent_op(ancestor);
    }
    Err("requires an ancestor op with AutomaticAllocationScope trait".into())
}

/// `memref.dealloc`: releases what `alloc` allocated.
pub static DEALLOC: OpDef = const {
    OpDef {
        name: "memref.dealloc",
        operands: &[ValueSpec::one("memref", &RANKED_OR_UNRANKED_MEMREF)],
        effects: Some(|ir, op, effects| effects.free(ir.operand(op, 0))),
        canonicalize: patterns::USES_MEMREF_FIRST,
        ..OpDef::BASE
    }
}
.with_format("$memref attr-dict `:` type($memref)");
op_view!(
    /// View of [`DEALLOC`].
    Dealloc, DEALLOC { memref: one = 0 }
);

/// `memref.realloc`: moves the elements of a one-dimensional buffer to one of
/// another size and releases the first.
pub static REALLOC: OpDef = const {
    OpDef {
        name: "memref.realloc",
        operands: &[
            ValueSpec::one("source", &MEMREF_1D),
            ValueSpec::optional("dynamicResultSize", &INDEX),
        ],
        results: &[ValueSpec::one("", &MEMREF_1D)],
        attributes: ALLOC_ATTRIBUTES,
        verify: verify_realloc,
        effects: Some(|ir, op, effects| {
            effects.free(ir.operand(op, 0));
            effects.allocate(ir.result(op, 0));
        }),
        canonicalize: patterns::REALLOC,
        ..OpDef::BASE
    }
}
.with_format(
    "$source (`(` $dynamicResultSize^ `)`)? attr-dict `:` type($source) `to` type(results)",
);
op_view!(
    /// View of [`REALLOC`].
    Realloc, REALLOC { source: one = 0, dynamic_result_size: optional = 1 }
);

fn verify_realloc(ir: &Ir, op: Op) -> Result<(), OpError> {
    let context = ir.context();
    let (source_type, result_type) = (
        ir.value_type(ir.operand(op, 0)),
        ir.value_type(ir.result(op, 0)),
    );
    let source = assembly::memref_of(ir, ir.operand(op, 0));
    let result = assembly::memref_of(ir, ir.result(op, 0));
    let show = |ty| type_to_string(context, ty);
    let both = || {
        format!(
            "source memref type '{}' and result memref type '{}'",
            show(source_type),
            show(result_type)
        )
    };
    let has_size = ir.operands(op).len() > 1;
    let message = if !types::has_identity_layout(context, source) {
        format!(
            "unsupported layout for source memref type '{}'",
            show(source_type)
        )
    } else if !types::has_identity_layout(context, result) {
        format!(
            "unsupported layout for result memref type '{}'",
            show(result_type)
        )
    } else if source.space != result.space {
        format!("different memory spaces specified for {}", both())
    } else if source.element != result.element {
        format!("different element types specified for {}", both())
    } else if !result.has_static_shape() && !has_size {
        format!(
            "missing dimension operand for result type '{}'",
            show(result_type)
        )
    } else if result.has_static_shape() && has_size {
        format!(
            "unnecessary dimension operand for result type '{}'",
            show(result_type)
        )
    } else {
        return Ok(());
    };
    Err(OpError::bare(message))
}

/// `memref.alloca_scope`: `alloca`s inside end with it.
pub static ALLOCA_SCOPE: OpDef = const {
    OpDef {
        name: "memref.alloca_scope",
        traits: Traits::AUTOMATIC_ALLOCATION_SCOPE
            .and(Traits::RECURSIVE_EFFECTS)
            .and(Traits::SINGLE_BLOCK),
        results: &[ValueSpec::variadic("results", &ANY)],
        regions: (1, 1),
        verify: verify_alloca_scope,
        region_branch: Some(&RegionBranchInterface {
            successors: |_, _, from, successors| {
                successors.push(match from {
                    RegionPoint::Parent => RegionPoint::Region(0),
                    RegionPoint::Region(_) => RegionPoint::Parent,
                });
            },
            entry_operands: |_, _, _| 0..0,
            successor_inputs: |ir, op, to| match to {
                RegionPoint::Parent => 0..ir.results(op).len(),
                RegionPoint::Region(_) => 0..0,
            },
            forwarded_group: None,
            is_repetitive: |_, _, _| false,
        }),
        implicit_terminator: Some(&ALLOCA_SCOPE_RETURN),
        canonicalize: patterns::ALLOCA_SCOPE,
        ..OpDef::BASE
    }
}
.with_format("` ` arrow-type-list region attr-dict");
op_view!(
    /// View of [`ALLOCA_SCOPE`].
    AllocaScope, ALLOCA_SCOPE {}
);

fn verify_alloca_scope(ir: &Ir, op: Op) -> Result<(), OpError> {
    let Some(block) = ir.single_block(ir.region(op, 0)) else {
        return Err(
            "region #0 ('bodyRegion') failed to verify constraint: region with 1 blocks".into(),
        );
    };
    if !ir.block_args(block).is_empty() {
        return Err("region should have no arguments".into());
    }
    Ok(())
}

/// `memref.alloca_scope.return`: ends the scope and hands values out of it.
pub static ALLOCA_SCOPE_RETURN: OpDef = const {
    OpDef {
        name: "memref.alloca_scope.return",
        traits: Traits::TERMINATOR
            .and(Traits::RETURN_LIKE)
            .and(Traits::SPECULATABLE),
        operands: &[ValueSpec::variadic("results", &ANY)],
        verify: |ir, op| rules::expect_parent(ir, op, &[&ALLOCA_SCOPE]),
        region_terminator: Some(&RegionTerminatorInterface {
            operands: |ir, op, _| 0..ir.operands(op).len(),
        }),
        ..OpDef::PURE
    }
}
.with_format("attr-dict ($results^ `:` type($results))?");
op_view!(
    /// View of [`ALLOCA_SCOPE_RETURN`].
    AllocaScopeReturn, ALLOCA_SCOPE_RETURN { values: many = 0 }
);

/// The size operand of dimension `dim` of an allocation, if it is dynamic.
pub fn dynamic_size_of(ir: &Ir, alloc: Op, dim: usize) -> Option<Value> {
    let memref = ir.context().as_memref(ir.value_type(ir.result(alloc, 0)))?;
    let is_dynamic = |size: &i64| *size == crate::ir::types::DYNAMIC;
    if !is_dynamic(memref.shape.get(dim)?) {
        return None;
    }
    let position = memref.shape[..dim]
        .iter()
        .filter(|size| is_dynamic(size))
        .count();
    ir.operand_group(alloc, 0).get(position).copied()
}
