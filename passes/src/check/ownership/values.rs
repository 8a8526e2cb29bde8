//! How values come about, as far as the checker understands it: which memory a
//! value refers to, and what an `i1` is made of. Everything else is a leaf.

use freehold_frontend::dialects::arith::{self, CmpIPredicate};
use freehold_frontend::dialects::{bufferization, deallocation, index, memref};
use freehold_frontend::ir::builtin;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::effects::{EffectKind, Resource};
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::{Type, TypeKind};

/// Which address of an allocation a pointer holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Address {
    /// The same as that of the source.
    Same,
    /// One that may lie inside the allocation: `memref.view` moves the
    /// aligned pointer by its byte shift.
    Shifted,
    /// The allocated pointer, however the source was shifted.
    Allocated,
}

/// How a value comes about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Derivation {
    /// A constant `i1`.
    Bool(bool),
    /// Does not hold.
    Not(Value),
    /// Both hold.
    And(Value, Value),
    /// One of them holds.
    Or(Value, Value),
    /// They differ, or (negated) they are equal.
    Xor {
        lhs: Value,
        rhs: Value,
        negated: bool,
    },
    /// One of two values.
    Select {
        condition: Value,
        on_true: Value,
        on_false: Value,
    },
    /// Two integers are equal, or (negated) they differ. If they are
    /// addresses, so are the allocations.
    Equal {
        lhs: Value,
        rhs: Value,
        negated: bool,
    },
    /// Refers to the memory of another value.
    View { source: Value, address: Address },
    /// Refers to no memory.
    Null,
    /// Whatever: an argument, something read, the result of an operation
    /// that is looked at elsewhere.
    Leaf,
}

/// How `value` comes about.
pub(super) fn derivation(ir: &Ir, value: Value) -> Derivation {
    let Some(op) = ir.defining_op(value) else {
        return Derivation::Leaf;
    };
    let is_bool = ir.value_type(value) == Type::I1;
    let operands = ir.operands(op);
    let is = |def| ir.is(op, def);
    if is(&arith::SELECT) && ir.value_type(operands[0]) == Type::I1 {
        return Derivation::Select {
            condition: operands[0],
            on_true: operands[1],
            on_false: operands[2],
        };
    }
    if is_bool {
        return bool_derivation(ir, op);
    }
    if is(&deallocation::NULL) || is(&arith::CONSTANT) || is(&index::CONSTANT) {
        return Derivation::Null;
    }
    let is_allocated_pointer =
        is(&memref::EXTRACT_ALIGNED_POINTER_AS_INDEX) && ir.has_attr(op, Name::ALLOCATED);
    if is(&deallocation::GET_BUFFER) || is_allocated_pointer {
        return Derivation::View {
            source: operands[0],
            address: Address::Allocated,
        };
    }
    let is_cast = is(&memref::EXTRACT_ALIGNED_POINTER_AS_INDEX)
        || is(&deallocation::OWN)
        || is(&arith::INDEX_CAST)
        || is(&arith::INDEX_CASTUI)
        || is(&index::CASTS)
        || is(&index::CASTU)
        || (is(&builtin::UNREALIZED_CONVERSION_CAST) && operands.len() == 1);
    if is_cast {
        return Derivation::View {
            source: operands[0],
            address: Address::Same,
        };
    }
    // Of several results (base buffer, offset, sizes) only the memref is a view.
    if let Some(view_source) = ir.def(op).view_source
        && ir.is_memref(value)
    {
        let source = view_source(ir, op);
        let shifted = is(&memref::VIEW) && constant_index(ir, operands[1]) != Some(0);
        let address = if shifted {
            Address::Shifted
        } else {
            Address::Same
        };
        return Derivation::View { source, address };
    }
    Derivation::Leaf
}

fn bool_derivation(ir: &Ir, op: Op) -> Derivation {
    let is = |def| ir.is(op, def);
    if is(&arith::CONSTANT) || is(&index::BOOL_CONSTANT) {
        let value = ir
            .attr(op, Name::VALUE)
            .and_then(|attr| ir.context().attr_integer(attr));
        return value.map_or(Derivation::Leaf, |value| Derivation::Bool(value != 0));
    }
    let [lhs, rhs] = *ir.operands(op) else {
        return Derivation::Leaf;
    };
    if is(&arith::ANDI) {
        return Derivation::And(lhs, rhs);
    }
    if is(&arith::ORI) {
        return Derivation::Or(lhs, rhs);
    }
    if is(&arith::XORI) {
        return Derivation::Xor {
            lhs,
            rhs,
            negated: false,
        };
    }
    let negated = match comparison_predicate(ir, op) {
        Some(CmpIPredicate::Eq) => false,
        Some(CmpIPredicate::Ne) => true,
        _ => return Derivation::Leaf,
    };
    if ir.value_type(lhs) == Type::I1 {
        Derivation::Xor {
            lhs,
            rhs,
            negated: !negated,
        }
    } else {
        Derivation::Equal { lhs, rhs, negated }
    }
}

/// What `op` asks of its two operands, if it compares integers.
fn comparison_predicate(ir: &Ir, op: Op) -> Option<CmpIPredicate> {
    if ir.is(op, &arith::CMPI) {
        CmpIPredicate::of(ir, op)
    } else if ir.is(op, &index::CMP) {
        index::cmp_predicate(ir, op)
    } else {
        None
    }
}

/// [`comparison_predicate`] of two numbers, neither truth values nor vectors.
pub(super) fn comparison(ir: &Ir, op: Op) -> Option<CmpIPredicate> {
    let predicate = comparison_predicate(ir, op)?;
    let is_number = ir.value_type(ir.operand(op, 0)) != Type::I1;
    let is_scalar = ir.value_type(ir.result(op, 0)) == Type::I1;
    (is_number && is_scalar).then_some(predicate)
}

/// Whether `value` is certainly the address zero.
pub(super) fn is_null(ir: &Ir, value: Value) -> bool {
    ir.defined_by(value, &deallocation::NULL).is_some() || constant_index(ir, value) == Some(0)
}

/// The value of a constant of type `index`.
pub(super) fn constant_index(ir: &Ir, value: Value) -> Option<i128> {
    let op = ir.defining_op(value)?;
    if !ir.is(op, &arith::CONSTANT) && !ir.is(op, &index::CONSTANT) {
        return None;
    }
    ir.context().attr_integer(ir.attr(op, Name::VALUE)?)
}

/// The value that `value` is a view of, through any number of views.
pub(super) fn root(ir: &Ir, mut value: Value) -> Value {
    while let Derivation::View { source, .. } = derivation(ir, value) {
        value = source;
    }
    value
}

/// [`root`], but only through views of the same address.
pub(super) fn address_root(ir: &Ir, mut value: Value) -> Value {
    while let Derivation::View {
        source,
        address: Address::Same,
    } = derivation(ir, value)
    {
        value = source;
    }
    value
}

/// Whether two values are one address: the same, or the allocated pointers of
/// views of the same memory.
pub(super) fn is_same_address(ir: &Ir, a: Value, b: Value) -> bool {
    let (a, b) = (address_root(ir, a), address_root(ir, b));
    let allocated = |value| match derivation(ir, value) {
        Derivation::View {
            source,
            address: Address::Allocated,
        } => Some(memory_root(ir, source)),
        _ => None,
    };
    a == b || allocated(a).is_some_and(|root| allocated(b) == Some(root))
}

/// What a chain of views of `value` starts at.
fn memory_root(ir: &Ir, mut value: Value) -> Value {
    while let Derivation::View { source, .. } = derivation(ir, value) {
        value = source;
    }
    value
}

/// Whether a value of this type may refer to memory: memrefs, integers, which may hold an address,
/// and what other dialects have (owners, pointers, tokens to wait for).
pub(super) fn may_refer(ir: &Ir, value: Value) -> bool {
    let context = ir.context();
    let ty = ir.value_type(value);
    match context.type_kind(ty) {
        TypeKind::MemRef(_) | TypeKind::UnrankedMemRef { .. } | TypeKind::Index => true,
        TypeKind::Integer { width, .. } => *width > 1,
        TypeKind::Dialect { .. } => true,
        _ => false,
    }
}

/// What a memref that an operation returns refers to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Memory {
    /// A new heap allocation, which someone has to free.
    Heap,
    /// Memory that this function must not free.
    Foreign(Foreign),
    /// Memory that one of the operands refers to, or unknown memory.
    OperandOrUnknown,
    /// Not a result that this is the question for: a view, a value handed on
    /// by control flow, or no memref.
    None,
}

/// Kinds of memory that a function must neither free nor return.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Foreign {
    /// What an argument refers to belongs to the caller.
    Argument,
    /// Released at the end of a scope.
    Stack,
    /// A global variable, or what belongs to a tensor.
    Static,
}

/// What result `value` of `op` refers to. Calls are looked at elsewhere.
pub(super) fn result_memory(ir: &Ir, op: Op, value: Value) -> Memory {
    if !ir.is_memref(value) || derivation(ir, value) != Derivation::Leaf {
        return Memory::None;
    }
    let def = ir.def(op);
    if def.call.is_some() || def.region_branch.is_some() {
        return Memory::None;
    }
    let allocates = |effect: &freehold_frontend::ir::effects::Effect| {
        effect.kind == EffectKind::Allocate && effect.value == Some(value)
    };
    if let Some(effects) = ir.own_effects(op)
        && let Some(effect) = effects.iter().find(allocates)
    {
        return match effect.resource {
            Resource::AutomaticAllocationScope => Memory::Foreign(Foreign::Stack),
            Resource::Default | Resource::Hint => Memory::Heap,
        };
    }
    if ir.is(op, &memref::GET_GLOBAL) || ir.is(op, &bufferization::TO_MEMREF) {
        return Memory::Foreign(Foreign::Static);
    }
    Memory::OperandOrUnknown
}
