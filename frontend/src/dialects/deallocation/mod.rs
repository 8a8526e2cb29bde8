//! The deallocation dialect of MLIR-HLO: explicit owners of allocations.
//!
//! A value of type `!deallocation.ownership` owns one allocation or nothing.
//! `retain` hands owners to the buffers that live on and frees the rest.

use crate::ir::constraints::{INDEX, RANKED_OR_UNRANKED_MEMREF};
use crate::ir::context::Context;
use crate::ir::effects::{EffectKind, Resource};
use crate::ir::op_def::{DialectDef, OpDef, TypeConstraint, ValueSpec, keeps_nothing};
use crate::ir::types::{Type, TypeKind};
use crate::op_view;

/// The dialect.
pub static DIALECT: DialectDef = DialectDef {
    namespace: "deallocation",
    ops: &[&FREE, &FROM_BUFFER, &GET_BUFFER, &NULL, &OWN, &RETAIN],
    ..DialectDef::BASE
};

/// The type `!deallocation.ownership`.
pub fn ownership_type(context: &Context) -> Type {
    context.intern_type(TypeKind::Dialect {
        dialect: context.intern_name("deallocation"),
        body: "ownership".into(),
    })
}

/// Whether `ty` is `!deallocation.ownership`.
pub fn is_ownership(context: &Context, ty: Type) -> bool {
    match context.type_kind(ty) {
        TypeKind::Dialect { dialect, body } => {
            context.name(*dialect) == "deallocation" && **body == *"ownership"
        }
        _ => false,
    }
}

static OWNERSHIP: TypeConstraint = TypeConstraint {
    description: "ownership indicator",
    accepts: is_ownership,
    only: Some(ownership_type),
    ..TypeConstraint::BASE
};
static MEMREF_OR_OWNERSHIP: TypeConstraint = TypeConstraint {
    description: "ranked or unranked memref of any type values or ownership indicator",
    accepts: |context, ty| context.is_memref(ty) || is_ownership(context, ty),
    ..TypeConstraint::BASE
};

/// `deallocation.null`: owns nothing.
pub static NULL: OpDef = const {
    OpDef {
        name: "deallocation.null",
        results: &[ValueSpec::one("result", &OWNERSHIP)],
        ..OpDef::PURE
    }
}
.with_format("attr-dict");
op_view!(
    /// View of [`NULL`].
    Null, NULL {}
);

/// `deallocation.own`: the owner of the allocation that a memref is based on.
pub static OWN: OpDef = const {
    OpDef {
        name: "deallocation.own",
        keeps_operand: keeps_nothing,
        operands: &[ValueSpec::one("memref", &RANKED_OR_UNRANKED_MEMREF)],
        results: &[ValueSpec::one("result", &OWNERSHIP)],
        ..OpDef::PURE
    }
}
.with_format("attr-dict $memref `:` type($memref)");
op_view!(
    /// View of [`OWN`].
    Own, OWN { memref: one = 0 }
);

/// `deallocation.get_buffer`: the address of an allocation.
pub static GET_BUFFER: OpDef = const {
    OpDef {
        name: "deallocation.get_buffer",
        keeps_operand: keeps_nothing,
        operands: &[ValueSpec::one("alloc", &MEMREF_OR_OWNERSHIP)],
        results: &[ValueSpec::one("result", &INDEX)],
        ..OpDef::PURE
    }
}
.with_format("attr-dict $alloc `:` type($alloc)");
op_view!(
    /// View of [`GET_BUFFER`].
    GetBuffer, GET_BUFFER { alloc: one = 0 }
);

/// `deallocation.from_buffer`: the owner of the allocation at an address, or of nothing if that
/// is zero. Upstream has no such operation: it is for lists of addresses in memory.
pub static FROM_BUFFER: OpDef = const {
    OpDef {
        name: "deallocation.from_buffer",
        keeps_operand: keeps_nothing,
        operands: &[ValueSpec::one("buffer", &INDEX)],
        results: &[ValueSpec::one("result", &OWNERSHIP)],
        ..OpDef::PURE
    }
}
.with_format("attr-dict $buffer `:` type($buffer)");
op_view!(
    /// View of [`FROM_BUFFER`].
    FromBuffer, FROM_BUFFER { buffer: one = 0 }
);

/// `deallocation.free`: frees what an owner owns, if anything.
///
/// Which memref that is, the effect cannot say: it frees some memory.
pub static FREE: OpDef = const {
    OpDef {
        name: "deallocation.free",
        operands: &[ValueSpec::one("alloc", &OWNERSHIP)],
        effects: Some(|_, _, effects| effects.add(EffectKind::Free, None, Resource::Default)),
        ..OpDef::BASE
    }
}
.with_format("attr-dict $alloc");
op_view!(
    /// View of [`FREE`].
    Free, FREE { alloc: one = 0 }
);

/// `deallocation.retain`: for each retained memref in turn the first owner
/// among `allocs`, not given away yet, of its allocation, else null; frees
/// what the owners left over own.
///
/// How many results there are is not tied to the number of retained memrefs.
pub static RETAIN: OpDef = const {
    OpDef {
        name: "deallocation.retain",
        keeps_operand: keeps_nothing,
        operands: &[
            ValueSpec::variadic("retained", &RANKED_OR_UNRANKED_MEMREF),
            ValueSpec::variadic("allocs", &OWNERSHIP),
        ],
        results: &[ValueSpec::variadic("result", &OWNERSHIP)],
        effects: Some(|_, _, effects| effects.add(EffectKind::Free, None, Resource::Default)),
        ..OpDef::BASE
    }
}
.with_format(
    "`(` $retained `)` `of` `(` $allocs `)` attr-dict `:` functional-type(operands, results)",
);
op_view!(
    /// View of [`RETAIN`].
    Retain, RETAIN { retained: many = 0, allocs: many = 1 }
);
