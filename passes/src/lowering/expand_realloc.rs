//! `expand-realloc`: turns `memref.realloc` into allocation and copy where the
//! buffer must grow, and a view of the old one where it need not.
//!
//! Before:
//! ```mlir
//! %r = memref.realloc %m(%n) : memref<?xf32> to memref<?xf32>
//! ```
//! After:
//! ```mlir
//! %old = memref.dim %m, %c0 : memref<?xf32>
//! %grows = arith.cmpi ult, %old, %n : index
//! %r = scf.if %grows -> (memref<?xf32>) {
//!   %new = memref.alloc(%n) : memref<?xf32>
//!   %part = memref.subview %new[0] [%old] [1] : memref<?xf32> to memref<?xf32, strided<[1]>>
//!   memref.copy %m, %part : memref<?xf32> to memref<?xf32, strided<[1]>>
//!   memref.dealloc %m : memref<?xf32>
//!   scf.yield %new : memref<?xf32>
//! } else {
//!   %view = memref.reinterpret_cast %m to offset: [0], sizes: [%n], strides: [1]
//!     : memref<?xf32> to memref<?xf32>
//!   scf.yield %view : memref<?xf32>
//! }
//! ```
//!
//! With `emit-deallocs=false` the old buffer is left for a deallocation pass. A program that frees
//! itself some of the buffers that a value may be answers for all of them, and counts on
//! `memref.realloc` to free those that it replaces; so with `keep-freed` the operation stays where
//! the program frees what comes of it, for that pass to see one free and one new buffer.

use cranelift_entity::SecondaryMap;
use freehold_frontend::dialects::arith::CmpIPredicate;
use freehold_frontend::dialects::memref::{self, MixedIndex, OffsetSizeStride, build};
use freehold_frontend::dialects::{arith, scf};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::effects::EffectKind;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::{DYNAMIC, Type};

use crate::analysis::flow::{Origin, ValueFlow};
use crate::analysis::union_find::UnionFind;
use crate::manage::options::pass_options;
use crate::manage::pass::{Anchor, PassContext, PassDef};

pass_options! {
    /// Options of the pass.
    pub struct Options {
        /// free the old buffer where it is replaced
        "emit-deallocs" emit_deallocs: bool = true,
        /// keep realloc where the program itself frees its result
        "keep-freed" keep_freed: bool = false,
    }
}

impl Options {
    /// For passes that see to the old buffer like to any other.
    pub const BEFORE_DEALLOCATION: Self = Self {
        emit_deallocs: false,
        keep_freed: true,
    };
}

/// The pass.
pub static PASS: PassDef<Options> = PassDef {
    name: "expand-realloc",
    summary: "expand memref.realloc into allocation, copy and (optionally) deallocation",
    anchor: Anchor::Function,
    run,
};

fn run(ir: &mut Ir, context: &mut PassContext<'_, Options>) -> Result<(), Failed> {
    let emit_deallocs = context.options.emit_deallocs;
    let mut reallocs = ir.collect_ops(ir.root());
    reallocs.retain(|&op| ir.is(op, &memref::REALLOC));
    if context.options.keep_freed {
        remove_freed(ir, &mut reallocs);
    }
    for op in reallocs {
        expand(ir, op, emit_deallocs);
    }
    Ok(())
}

/// Removes those of `reallocs` whose source or result, or what these may become, the program frees
/// by another operation.
fn remove_freed(ir: &Ir, reallocs: &mut Vec<Op>) {
    if reallocs.is_empty() {
        return;
    }
    let flow = ValueFlow::new(ir);
    let bases = flow.bases();
    let mut index_of: SecondaryMap<Value, usize> = SecondaryMap::new();
    for (index, &base) in bases.iter().enumerate() {
        index_of[base] = index;
    }
    let mut families = UnionFind::new(bases.len());
    // What belongs to others connects nothing: two buffers are not one because either may be it.
    let is_external = |base: Value| flow.origin(base) == Origin::External;
    for &base in bases.iter().filter(|&&base| !is_external(base)) {
        let flows = flow.flows_out(base).iter();
        let targets = flows.flat_map(|&id| flow.flow(id).targets.iter());
        for &other in flow.merges(base).iter().chain(targets) {
            families.join(index_of[base], index_of[other]);
        }
    }
    let base_of = |value: Value| flow.base(value).expect("operands of realloc are buffers");
    for &op in reallocs.iter() {
        let (source, result) = (base_of(ir.operand(op, 0)), base_of(ir.result(op, 0)));
        if !is_external(source) {
            families.join(index_of[source], index_of[result]);
        }
    }
    let mut is_freed = vec![false; bases.len()];
    for op in ir
        .walk(ir.root())
        .filter(|&op| !ir.is(op, &memref::REALLOC))
    {
        let effects = ir.own_effects(op);
        let frees = effects.iter().flat_map(|effects| effects.iter());
        for effect in frees.filter(|effect| effect.kind == EffectKind::Free) {
            if let Some(base) = effect.value.and_then(|value| flow.base(value)) {
                is_freed[families.root(index_of[base])] = true;
            }
        }
    }
    reallocs.retain(|&op| !is_freed[families.root(index_of[base_of(ir.result(op, 0))])]);
}

/// A size: a value for the operations that take one, and as subview and
/// reinterpret_cast take it.
struct Size {
    value: Value,
    mixed: MixedIndex,
}

fn size(
    builder: &mut Builder<'_>,
    size: i64,
    dynamic: impl FnOnce(&mut Builder<'_>) -> Value,
) -> Size {
    if size == DYNAMIC {
        let value = dynamic(builder);
        Size {
            value,
            mixed: MixedIndex::Value(value),
        }
    } else {
        Size {
            value: arith::constant_index(builder, size),
            mixed: MixedIndex::Constant(size),
        }
    }
}

fn expand(ir: &mut Ir, op: Op, emit_deallocs: bool) {
    let context = std::sync::Arc::clone(ir.context());
    let source = ir.operand(op, 0);
    let result_type = ir.value_type(ir.result(op, 0));
    let requested = ir.operand_group(op, 1).first().copied();
    let alignment = ir.attr(op, Name::ALIGNMENT);
    let static_size = |ty: Type| context.shape(ty).map_or(DYNAMIC, |shape| shape[0]);
    let source_type = ir.value_type(source);

    let mut builder = Builder::before(ir, op);
    let b = &mut builder;
    let old = size(b, static_size(source_type), |b| {
        let zero = arith::constant_index(b, 0);
        build::dim(b, source, zero)
    });
    let new = size(b, static_size(result_type), |_| {
        requested.expect("a realloc to a dynamic size names it")
    });
    let grows = arith::compare(b, CmpIPredicate::Ult, old.value, new.value);
    let spec = b
        .spec(&scf::IF)
        .operands(&[grows])
        .results(&[result_type])
        .regions(2);
    let if_op = b.create(spec);

    let region = b.ir.region(if_op, 0);
    let then_block = b.ir.append_block(region, &[]);
    b.set_to_end(then_block);
    let sizes = match new.mixed {
        MixedIndex::Value(value) => vec![value],
        MixedIndex::Constant(_) => Vec::new(),
    };
    let allocation = build::alloc(b, result_type, &sizes);
    if let (Some(alignment), Some(alloc)) = (alignment, b.ir.defining_op(allocation)) {
        b.ir.set_attr(alloc, Name::ALIGNMENT, alignment);
    }
    let part = OffsetSizeStride {
        offsets: vec![MixedIndex::Constant(0)],
        sizes: vec![old.mixed],
        strides: vec![MixedIndex::Constant(1)],
    };
    let part = build::subview(b, allocation, &part, None);
    build::copy(b, source, part);
    if emit_deallocs {
        build::dealloc(b, source);
    }
    scf::build_yield(b, &[allocation]);

    let region = b.ir.region(if_op, 1);
    let else_block = b.ir.append_block(region, &[]);
    b.set_to_end(else_block);
    let view = build::reinterpret_cast(
        b,
        source,
        MixedIndex::Constant(0),
        &[new.mixed],
        &[MixedIndex::Constant(1)],
        result_type,
    );
    scf::build_yield(b, &[view]);
    let result = ir.result(if_op, 0);
    ir.replace_op(op, &[result]);
}
