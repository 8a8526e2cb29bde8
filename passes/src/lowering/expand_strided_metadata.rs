//! `expand-strided-metadata`: makes explicit how views compute offsets, sizes
//! and strides.
//!
//! Before:
//! ```mlir
//! %v = memref.subview %m[%o, 2] [%n, 4] [1, 1] : memref<?x8xf32> to memref<?x4xf32, ...>
//! ```
//! After:
//! ```mlir
//! %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %m : ...
//! %first = affine.apply affine_map<()[s0] -> (s0 * 8 + 2)>()[%o]
//! %v = memref.reinterpret_cast %base to offset: [%first], sizes: [%n, 4], strides: [8, 1] : ...
//! ```
//!
//! `memref.expand_shape` and `memref.collapse_shape` become reinterpret_casts
//! in the same way. Sizes of merged dimensions, metadata and aligned pointers of views, allocations and globals come
//! from their sources.
//!
//! One walk suffices: a view is visited before its users, and afterwards is a
//! `memref.reinterpret_cast`, which says everything about itself.

use freehold_frontend::dialects::affine;
use freehold_frontend::dialects::arith;
use freehold_frontend::dialects::memref::{self, MixedIndex, OffsetSizeStride, build};
use freehold_frontend::ir::affine::AffineExpr;
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::types::{DYNAMIC, MemRefType};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::manage::pass::{Anchor, PassContext, PassDef};
use crate::rewrite::indices::{apply, compose, map_op, product};

/// The pass.
pub static PASS: PassDef = PassDef {
    name: "expand-strided-metadata",
    summary: "expand views into explicit computations of offset, sizes and strides",
    anchor: Anchor::Function,
    run,
};

fn run(ir: &mut Ir, _: &mut PassContext<'_>) -> Result<(), Failed> {
    let mut expansion = Expansion::default();
    for op in ir.collect_ops(ir.root()) {
        expansion.visit(ir, op);
    }
    // Uses come after definitions, so the last may free the ones before.
    for op in expansion.created.into_iter().rev() {
        if ir.is_unused(op) {
            ir.erase_op(op);
        }
    }
    Ok(())
}

/// What a memref descriptor holds.
struct Metadata {
    /// The allocation as a memref of rank 0.
    base: Value,
    offset: MixedIndex,
    sizes: Vec<MixedIndex>,
    strides: Vec<MixedIndex>,
}

impl Metadata {
    /// With what the type of `cast`, which has the same metadata, says.
    fn refined(mut self, b: &Builder<'_>, cast: Value) -> Self {
        let context = b.context();
        let memref = context.as_memref(b.ir.value_type(cast));
        let Some((memref, (strides, offset))) =
            memref.and_then(|memref| Some((memref, context.memref_strides(memref)?)))
        else {
            return self;
        };
        let indices = [&mut self.offset]
            .into_iter()
            .chain(&mut self.sizes)
            .chain(&mut self.strides);
        let statics = [offset].into_iter().chain(memref.shape.iter().copied());
        for (index, number) in indices.zip(statics.chain(strides)) {
            if number != DYNAMIC {
                *index = number.into();
            }
        }
        self
    }
}

#[derive(Default)]
struct Expansion {
    /// For a reinterpret_cast, what it and those below it reinterpret.
    origins: FxHashMap<Value, Value>,
    /// For a cast between strided memrefs, what it and those below it cast.
    uncast: FxHashMap<Value, Value>,
    /// Allocations that were made memrefs of rank 0.
    bases: FxHashSet<Value>,
    /// For a view, the memref whose aligned pointer it has.
    pointers: FxHashMap<Value, Value>,
    /// Operations without effects that may turn out to be unused.
    created: Vec<Op>,
}

impl Expansion {
    fn visit(&mut self, ir: &mut Ir, op: Op) {
        if ir.is(op, &memref::EXTRACT_ALIGNED_POINTER_AS_INDEX) {
            let source = ir.operand(op, 0);
            if let Some(&pointer) = self.pointers.get(&source) {
                ir.set_operand(op, 0, pointer);
            }
            return;
        }
        if ir.is(op, &memref::DIM) {
            forward_dim(ir, op);
            return;
        }
        self.remember_view(ir, op);
        if ir.is(op, &memref::EXTRACT_STRIDED_METADATA) {
            self.forward(ir, op);
            return;
        }
        let expand: fn(&mut Builder<'_>, Op, Metadata) -> Metadata = if ir.is(op, &memref::SUBVIEW)
        {
            subview
        } else if ir.is(op, &memref::EXPAND_SHAPE) {
            expand_shape
        } else if ir.is(op, &memref::COLLAPSE_SHAPE) {
            collapse_shape
        } else {
            return;
        };
        let result = ir.result(op, 0);
        let result_type = ir.value_type(result);
        let source = ir.operand(op, 0);
        let mut b = Builder::before(ir, op);
        let metadata = self.metadata(&mut b, source);
        let Metadata {
            base,
            offset,
            sizes,
            strides,
        } = expand(&mut b, op, metadata);
        let cast = build::reinterpret_cast(&mut b, base, offset, &sizes, &strides, result_type);
        self.origins.insert(cast, base);
        if let Some(pointer) = self.pointers.remove(&result) {
            self.pointers.insert(cast, pointer);
        }
        ir.replace_op(op, &[cast]);
    }

    /// Records what a view that stays is a view of.
    fn remember_view(&mut self, ir: &Ir, op: Op) {
        // The aligned pointer of a `memref.view` is one of its own, and offset and strides of a
        // `memref.bitcast` count other elements.
        if ir.is(op, &memref::VIEW) || ir.is(op, &memref::BITCAST) {
            return;
        }
        let Some(view_source) = ir.def(op).view_source else {
            return;
        };
        let (source, result) = (view_source(ir, op), ir.result(op, 0));
        let pointer = self.pointers.get(&source).copied().unwrap_or(source);
        self.pointers.insert(result, pointer);
        let map = if ir.is(op, &memref::REINTERPRET_CAST) {
            &mut self.origins
        } else if ir.is(op, &memref::CAST) {
            &mut self.uncast
        } else {
            return;
        };
        if is_strided(ir, source) && is_strided(ir, result) {
            let origin = map.get(&source).copied().unwrap_or(source);
            map.insert(result, origin);
        }
    }

    /// Replaces the results of an extract_strided_metadata by known values.
    fn forward(&mut self, ir: &mut Ir, op: Op) {
        let extract = memref::ExtractStridedMetadata(op);
        let source = extract.source(ir);
        let is_origin = !self.origins.contains_key(&source)
            && !self.uncast.contains_key(&source)
            && !is_made_here(ir, source);
        let mut b = Builder::before(ir, op);
        let metadata = if is_origin {
            known(&b, extract)
        } else {
            self.metadata(&mut b, source)
        };
        let mut results = vec![metadata.base];
        let indices = [metadata.offset]
            .into_iter()
            .chain(metadata.sizes)
            .chain(metadata.strides);
        for (position, index) in indices.enumerate() {
            let old = b.ir.result(op, 1 + position);
            results.push(if b.ir.has_no_uses(old) {
                old
            } else {
                index.materialize(&mut b)
            });
        }
        for (position, &new) in results.iter().enumerate() {
            let old = ir.result(op, position);
            if old != new {
                ir.replace_all_uses(old, new);
            }
        }
        if ir.is_unused(op) && !is_origin {
            ir.erase_op(op);
        }
    }

    /// Offset, sizes and strides of a strided memref at the insertion point.
    fn metadata(&mut self, b: &mut Builder<'_>, memref: Value) -> Metadata {
        match self.uncast.get(&memref) {
            Some(&source) => self.metadata_of_uncast(b, source).refined(b, memref),
            None => self.metadata_of_uncast(b, memref),
        }
    }

    fn metadata_of_uncast(&mut self, b: &mut Builder<'_>, memref: Value) -> Metadata {
        if let Some(&origin) = self.origins.get(&memref)
            && let Some(op) = b.ir.defining_op(memref)
            && let Some(lists) = memref::known_lists(b.ir, op)
        {
            let OffsetSizeStride {
                offsets,
                sizes,
                strides,
            } = lists;
            return Metadata {
                base: self.base(b, origin),
                offset: offsets[0],
                sizes,
                strides,
            };
        }
        if is_made_here(b.ir, memref)
            && let Some(op) = b.ir.defining_op(memref)
        {
            let (sizes, strides) = sizes_and_strides_of_allocation(b, op);
            return Metadata {
                base: self.base(b, memref),
                offset: MixedIndex::Constant(0),
                sizes,
                strides,
            };
        }
        let extract = build::extract_strided_metadata(b, memref);
        self.created.push(extract.0);
        known(b, extract)
    }

    /// The allocation of `origin`, which is no reinterpret_cast, as a memref of
    /// rank 0.
    fn base(&mut self, b: &mut Builder<'_>, origin: Value) -> Value {
        let defining = b.ir.defining_op(origin);
        if defining.is_some_and(|op| b.ir.is(op, &memref::EXTRACT_STRIDED_METADATA))
            || self.bases.contains(&origin)
        {
            return origin;
        }
        if !is_made_here(b.ir, origin) {
            let extract = build::extract_strided_metadata(b, origin);
            self.created.push(extract.0);
            return extract.base_buffer(b.ir);
        }
        let context = b.context();
        let ty = b.ir.value_type(origin);
        let Some(memref) = context.as_memref(ty) else {
            return origin;
        };
        let base_type = context.memref_type(MemRefType {
            shape: [].into(),
            layout: None,
            ..memref.clone()
        });
        if base_type == ty {
            return origin;
        }
        let zero = MixedIndex::Constant(0);
        let base = build::reinterpret_cast(b, origin, zero, &[], &[], base_type);
        self.created.extend(b.ir.defining_op(base));
        self.bases.insert(base);
        base
    }
}

/// Replaces a size of a reinterpret_cast by what that was given: where the size of a subview is a symbol of affine
/// operations, that of a reinterpret_cast is none.
fn forward_dim(ir: &mut Ir, op: Op) -> Option<()> {
    let source = ir.operand(op, 0);
    let dim = arith::as_constant_index(ir, ir.operand(op, 1))?;
    let dim = usize::try_from(dim).ok()?;
    let known = *ir.context().shape(ir.value_type(source))?.get(dim)?;
    let mut view = ir.defining_op(source)?;
    while ir.is(view, &memref::CAST) {
        view = ir.defining_op(ir.operand(view, 0))?;
    }
    if !ir.is(view, &memref::REINTERPRET_CAST) {
        return None;
    }
    let size = match known {
        DYNAMIC => *memref::known_lists(ir, view)?.sizes.get(dim)?,
        known => known.into(),
    };
    let size = size.materialize(&mut Builder::before(ir, op));
    ir.replace_op(op, &[size]);
    Some(())
}

fn is_strided(ir: &Ir, memref: Value) -> bool {
    let context = ir.context();
    context
        .as_memref(ir.value_type(memref))
        .is_some_and(|memref| context.memref_strides(memref).is_some())
}

/// Whether `memref` is row-major memory right from where it comes from.
fn is_made_here(ir: &Ir, memref: Value) -> bool {
    let Some(op) = ir.defining_op(memref) else {
        return false;
    };
    let context = ir.context();
    let makes_memory =
        [&memref::ALLOC, &memref::ALLOCA, &memref::GET_GLOBAL].map(|def| ir.is(op, def));
    makes_memory.contains(&true)
        && context
            .as_memref(ir.value_type(memref))
            .is_some_and(|memref| memref::has_identity_layout(context, memref))
}

/// The results of `extract`, or the numbers they are known to be.
fn known(b: &Builder<'_>, extract: memref::ExtractStridedMetadata) -> Metadata {
    let rank = extract.rank(b.ir);
    let known = memref::known_metadata(b.ir, extract);
    Metadata {
        base: extract.base_buffer(b.ir),
        offset: known[0],
        sizes: known[1..=rank].to_vec(),
        strides: known[1 + rank..].to_vec(),
    }
}

fn sizes_and_strides_of_allocation(
    b: &mut Builder<'_>,
    op: Op,
) -> (Vec<MixedIndex>, Vec<MixedIndex>) {
    let context = b.context();
    let ty = b.ir.value_type(b.ir.result(op, 0));
    let dynamic_sizes = if b.ir.is(op, &memref::GET_GLOBAL) {
        &[]
    } else {
        b.ir.operand_group(op, 0)
    };
    let shape = context.shape(ty).unwrap_or_default();
    let sizes = memref::offset_size_stride::mix(shape, dynamic_sizes);
    let mut strides = vec![MixedIndex::Constant(1); sizes.len()];
    for dim in (1..sizes.len()).rev() {
        strides[dim - 1] = product(b, &[strides[dim], sizes[dim]]);
    }
    (sizes, strides)
}

fn subview(b: &mut Builder<'_>, op: Op, source: Metadata) -> Metadata {
    let lists = OffsetSizeStride::of(b.ir, op).expect("a verified subview has its lists");
    let dropped = memref::views::subview_dropped_dims(b.ir, op);
    let mut operands = vec![source.offset];
    let mut first = AffineExpr::Symbol(0);
    let mut strides = Vec::new();
    for (dim, &stride) in source.strides.iter().enumerate() {
        strides.push(product(b, &[lists.strides[dim], stride]));
        let symbol = operands.len() as u32;
        operands.extend([lists.offsets[dim], stride]);
        first = first.add(AffineExpr::Symbol(symbol).mul(AffineExpr::Symbol(symbol + 1)));
    }
    let kept = |list: Vec<MixedIndex>| -> Vec<MixedIndex> {
        let kept = list.into_iter().zip(&dropped);
        kept.filter(|&(_, &dropped)| !dropped)
            .map(|(index, _)| index)
            .collect()
    };
    Metadata {
        base: source.base,
        offset: apply(b, first, &operands),
        sizes: kept(lists.sizes),
        strides: kept(strides),
    }
}

/// Each dimension of a group strides over those behind it.
fn expand_shape(b: &mut Builder<'_>, op: Op, source: Metadata) -> Metadata {
    let view = memref::ExpandShape(op);
    let sizes = view.mixed_output_shape(b.ir);
    let mut strides = vec![MixedIndex::Constant(1); sizes.len()];
    for (group, &stride) in view.reassociation(b.ir).iter().zip(&source.strides) {
        let mut factors = vec![stride];
        for &dim in group.iter().rev() {
            strides[dim as usize] = product(b, &factors);
            factors.push(sizes[dim as usize]);
        }
    }
    Metadata {
        sizes,
        strides,
        ..source
    }
}

fn collapse_shape(b: &mut Builder<'_>, op: Op, source: Metadata) -> Metadata {
    let context = b.context();
    let result_type = b.ir.value_type(b.ir.result(op, 0));
    let result = context
        .as_memref(result_type)
        .expect("a collapse_shape is verified to make a memref");
    let (result_strides, _) = context
        .memref_strides(result)
        .expect("a collapse_shape is verified to make a strided memref");
    let groups = memref::CollapseShape(op).reassociation(b.ir);
    let (mut sizes, mut strides) = (Vec::new(), Vec::new());
    for (group, &stride) in groups.iter().zip(&result_strides) {
        let dims = || group.iter().map(|&dim| dim as usize);
        let factors: Vec<MixedIndex> = dims().map(|dim| source.sizes[dim]).collect();
        sizes.push(product(b, &factors));
        // The stride of a dimension of size 1 may be any number.
        let group_strides: Vec<MixedIndex> = dims()
            .filter(|&dim| source.sizes[dim] != MixedIndex::Constant(1))
            .map(|dim| source.strides[dim])
            .collect();
        strides.push(if group_strides.is_empty() {
            let any_dynamic = dims()
                .map(|dim| source.strides[dim])
                .find(|stride| matches!(stride, MixedIndex::Value(_)));
            match any_dynamic {
                Some(dynamic) if stride == DYNAMIC => dynamic,
                Some(_) | None if stride == DYNAMIC => MixedIndex::Constant(1),
                Some(_) | None => stride.into(),
            }
        } else {
            // The dimensions are contiguous, so the smallest is the innermost; without elements it can be another.
            match minimum(b, &group_strides) {
                MixedIndex::Constant(_) if stride != DYNAMIC => stride.into(),
                least => least,
            }
        });
    }
    Metadata {
        sizes,
        strides,
        ..source
    }
}

fn minimum(b: &mut Builder<'_>, indices: &[MixedIndex]) -> MixedIndex {
    if let [index] = indices {
        return *index;
    }
    let numbers: Option<Vec<i64>> = indices.iter().map(|index| index.constant(b.ir)).collect();
    if let Some(least) = numbers.and_then(|numbers| numbers.into_iter().min()) {
        return least.into();
    }
    let symbols = (0..indices.len() as u32).map(AffineExpr::Symbol);
    let composed = compose(b, symbols.collect(), indices);
    map_op(b, &affine::MIN, composed)
}
