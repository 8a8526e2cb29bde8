//! `affine-data-copy-generate`: what affine loops touch of a buffer is copied into a buffer of its own, which may lie in
//! faster memory, and back.
//!
//! Before:
//! ```mlir
//! affine.for %i = 0 to 32 {
//!   affine.for %j = 0 to 32 {
//!     %x = affine.load %m[%j + 4] : memref<64xf32>
//!     ...
//!   }
//! }
//! ```
//! After:
//! ```mlir
//! %fast = memref.alloc() : memref<32xf32, 1>
//! affine.for %k = 4 to 36 {
//!   %x = affine.load %m[%k] : memref<64xf32>
//!   affine.store %x, %fast[%k - 4] : memref<32xf32, 1>
//! }
//! affine.for %i = 0 to 32 {
//!   affine.for %j = 0 to 32 {
//!     %x = affine.load %fast[%j] : memref<32xf32, 1>
//!     ...
//!   }
//! }
//! memref.dealloc %fast : memref<32xf32, 1>
//! ```
//!
//! The outermost loop whose buffers fit `fast-mem-capacity` is taken; a copy moves out of loops that it does not depend on.
//! Unlike upstream's, a box of which a store may leave out elements is filled before, so that what is copied back is what
//! was there; a buffer that another one may overlap stays, and so does one that something else touches meanwhile.

use freehold_frontend::dialects::affine::{self, MapAndOperands};
use freehold_frontend::dialects::memref;
use freehold_frontend::ir::affine::{AffineExpr, AffineMap};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::effects::EffectKind;
use freehold_frontend::ir::entities::{Block, Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::op_def::{OpDef, Traits};
use freehold_frontend::ir::types::MemRefType;
use rustc_hash::FxHashSet;

use crate::analysis::affine_memory::{Linear, are_apart, subscripts};
use crate::analysis::affine_regions::{Piece, Region, Side, region};
use crate::analysis::loop_memory::{has_distinct_elements, is_outside, viewed};
use crate::manage::options::{OptionKind, OptionValue, pass_options};
use crate::manage::pass::{Anchor, PassContext, PassDef};

/// A choice that cannot be made here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoDma;

impl OptionValue for NoDma {
    const KIND: OptionKind =
        OptionKind::Other("false: operations of DMA are not compiled, loops copy elements");

    fn read(text: &str) -> Option<Self> {
        matches!(text, "false" | "False" | "FALSE" | "0").then_some(Self)
    }

    fn text(&self) -> String {
        "false".to_owned()
    }
}

pass_options! {
    /// Options of the pass.
    pub struct Options {
        /// KiB that the copies of one loop nest may take; 0 for any number
        "fast-mem-capacity" capacity: u64 = 0,
        /// memory space of the copies
        "fast-mem-space" fast_space: u32 = 1,
        /// copy by DMA
        "generate-dma" dma: NoDma = NoDma,
        /// accepted: it is for DMA
        "min-dma-transfer" min_transfer: u32 = 1024,
        /// copy for the outermost loops with step 1, whatever fits
        "skip-non-unit-stride-loops" skip_strided: bool = false,
        /// memory space of what is copied
        "slow-mem-space" slow_space: u32 = 0,
        /// accepted: it is for DMA
        "tag-mem-space" tag_space: u32 = 0,
    }
}

/// The pass.
pub static PASS: PassDef<Options> = PassDef {
    name: "affine-data-copy-generate",
    summary: "copy what affine loops touch into buffers of its size",
    anchor: Anchor::Function,
    run,
};

fn run(ir: &mut Ir, context: &mut PassContext<'_, Options>) -> Result<(), Failed> {
    let copier = Copier {
        options: context.options,
    };
    let mut n_copied = 0;
    for region in ir.regions(ir.root()).to_vec() {
        for block in ir.blocks_in(region).collect::<Vec<_>>() {
            copier.run_on_block(ir, block, &mut n_copied);
        }
    }
    context.count("buffers copied", n_copied);
    Ok(())
}

struct Copier<'a> {
    options: &'a Options,
}

impl Copier<'_> {
    fn run_on_block(&self, ir: &mut Ir, block: Block, n_copied: &mut u64) {
        let mut run: Vec<Op> = Vec::new();
        for op in ir.ops_in(block).collect::<Vec<_>>() {
            let is_for = ir.is(op, &affine::FOR);
            if is_for || touched(ir, op).is_none() || ir.has_trait(op, Traits::TERMINATOR) {
                self.copy(ir, &std::mem::take(&mut run), n_copied);
            } else {
                run.push(op);
                continue;
            }
            if !is_for {
                continue;
            }
            if self.looks_inside(ir, op) {
                let body = affine::For(op).body(ir);
                self.run_on_block(ir, body, n_copied);
            } else {
                self.copy(ir, &[op], n_copied);
            }
        }
    }

    /// Whether the copies are for parts of a loop.
    fn looks_inside(&self, ir: &Ir, op: Op) -> bool {
        if self.options.skip_strided {
            return affine::For(op).step(ir) != 1;
        }
        let ops = [op];
        let Some(regions) = self.regions(ir, Piece { ops: &ops }) else {
            return true;
        };
        let bytes = regions.iter().map(|region| region.n_bytes(ir));
        let sum = bytes.fold(0, u64::saturating_add);
        self.options.capacity != 0 && sum > self.options.capacity.saturating_mul(1024)
    }

    /// What a piece touches of buffers that can be copied; `None` if it has other effects.
    fn regions(&self, ir: &Ir, piece: Piece<'_>) -> Option<Vec<Region>> {
        let mut touches = Vec::new();
        for &op in piece.ops {
            touches.extend(touched(ir, op)?);
        }
        let mut memrefs: Vec<Value> = Vec::new();
        for touch in &touches {
            if !memrefs.contains(&touch.memref) {
                memrefs.push(touch.memref);
            }
        }
        let mut regions: Vec<Region> = memrefs
            .iter()
            .filter(|&&memref| self.can_be_copied(ir, piece, memref, &touches))
            .filter_map(|&memref| {
                let own = touches.iter().filter(|touch| touch.memref == memref);
                let own: Vec<Op> = own.map(|touch| touch.op).collect();
                region(ir, piece, memref, &own)
            })
            .collect();
        regions.sort_by_key(|region| region.is_written);
        Some(regions)
    }

    fn can_be_copied(&self, ir: &Ir, piece: Piece<'_>, memref: Value, touches: &[Touch]) -> bool {
        let context = ir.context();
        let Some(ty) = context.as_memref(ir.value_type(memref)) else {
            return false;
        };
        let space = ty
            .space
            .map_or(Some(0), |space| context.attr_integer(space));
        let is_written = |touch: &Touch| touch.memref == memref && touch.writes;
        let is_written = touches.iter().any(is_written);
        space == Some(self.options.slow_space.into())
            && piece.is_outside(ir, memref)
            && (!is_written || has_distinct_elements(ir, memref))
            && touches.iter().all(|touch| match touch.memref == memref {
                true => touch.is_affine,
                false => !(touch.writes || is_written) || are_apart(ir, touch.memref, memref),
            })
    }

    /// Has a piece work on copies.
    fn copy(&self, ir: &mut Ir, ops: &[Op], n_copied: &mut u64) {
        let (Some(&first), Some(&last)) = (ops.first(), ops.last()) else {
            return;
        };
        let piece = Piece { ops };
        let regions = self.regions(ir, piece).unwrap_or_default();
        let plans: Vec<(Region, Vec<Op>)> = (regions.into_iter())
            .map(|region| {
                let around = loops_to_leave(ir, piece, &region);
                (region, around)
            })
            .filter(|(region, around)| {
                let before = around.last().copied().unwrap_or(first);
                region.is_certain && around.iter().all(|&op| has_iterations(ir, op))
                    || !may_be_freed_before(ir, before, region.memref)
            })
            .collect();
        for (region, around) in plans {
            let outermost = around.last().copied();
            let is_filled = !region.is_covered || !around.iter().all(|&op| has_iterations(ir, op));
            let (before, after) = (outermost.unwrap_or(first), outermost.unwrap_or(last));
            let fast = self.allocate(ir, before, &region);
            if is_filled {
                copy_elements(
                    &mut Builder::before(ir, before),
                    &region,
                    region.memref,
                    fast,
                );
            }
            for &op in &region.accesses {
                redirect(ir, op, &region.sides, fast);
            }
            let mut b = Builder::after(ir, after);
            if region.is_written {
                copy_elements(&mut b, &region, fast, region.memref);
            }
            b.op(&memref::DEALLOC, &[fast], &[]);
            *n_copied += 1;
        }
    }

    fn allocate(&self, ir: &mut Ir, before: Op, region: &Region) -> Value {
        let context = ir.context().clone();
        let element = context.element_type_or_self(ir.value_type(region.memref));
        let shape: Vec<i64> = region.sides.iter().map(|side| side.size).collect();
        let space = self.options.fast_space;
        let ty = context.memref_type(MemRefType {
            space: (space != 0).then(|| context.i64_attr(space.into())),
            ..MemRefType::identity(&shape, element)
        });
        let mut b = Builder::before(ir, before);
        let sizes = context.i32_array_attr(&[0, 0]);
        b.value_with_attr(&memref::ALLOC, &[], ty, Name::OPERAND_SEGMENT_SIZES, sizes)
    }
}

/// A buffer that an operation reads or writes.
struct Touch {
    op: Op,
    memref: Value,
    writes: bool,
    /// Whether it is a load or a store of one element whose place is known to be affine.
    is_affine: bool,
}

/// What an operation and those inside of it touch; `None` if they have other effects.
fn touched(ir: &Ir, op: Op) -> Option<Vec<Touch>> {
    let mut touches = Vec::new();
    for inner in ir.walk(op) {
        let is_affine = ir.is(inner, &affine::LOAD) || ir.is(inner, &affine::STORE);
        for effect in ir.own_effects(inner)?.iter() {
            let writes = match effect.kind {
                EffectKind::Allocate => continue,
                EffectKind::Read => false,
                EffectKind::Write => true,
                EffectKind::Free => return None,
            };
            let memref = effect.value.filter(|&value| ir.is_memref(value))?;
            touches.push(Touch {
                op: inner,
                memref,
                writes,
                is_affine,
            });
        }
    }
    Some(touches)
}

fn has_iterations(ir: &Ir, op: Op) -> bool {
    affine::For(op).trip_count(ir).is_some_and(|n| n > 0)
}

/// Whether a buffer may be gone where `op` begins: it is not if all that may free it stands behind, in the block in which
/// the buffer is made.
fn may_be_freed_before(ir: &Ir, op: Op, memref: Value) -> bool {
    let may_free = |other: Op| {
        let effects = ir.own_effects(other);
        effects.is_none_or(|effects| {
            effects.iter().any(|effect| {
                let is_apart = |value| ir.is_memref(value) && are_apart(ir, value, memref);
                effect.kind == EffectKind::Free && !effect.value.is_some_and(is_apart)
            })
        })
    };
    let block = ir.value_block(viewed(ir, memref));
    let place = |op| block.and_then(|block| ir.ancestor_in_block(op, block));
    let is_behind = |other: Op| match (place(op), place(other)) {
        (Some(op), Some(other)) => ir.is_before_in_block(op, other),
        _ => false,
    };
    let mut inside = ir.walk(ir.root()).filter(|&other| other != ir.root());
    inside.any(|other| may_free(other) && !is_behind(other))
}

/// The loops around a piece, from the inside, which its copy can leave: they change neither the box nor its elements.
fn loops_to_leave(ir: &Ir, piece: Piece<'_>, region: &Region) -> Vec<Op> {
    let mut loops = Vec::new();
    let inside: FxHashSet<Op> = piece.ops.iter().flat_map(|&op| ir.walk(op)).collect();
    let mut current = piece.ops[0];
    while let Some(parent) = ir.parent_op(current).filter(|&op| ir.is(op, &affine::FOR)) {
        let mut values = region.sides.iter().flat_map(|side| side.low.terms());
        let is_same = is_outside(ir, region.memref, parent)
            && values.all(|(value, _)| is_outside(ir, value, parent))
            && (has_iterations(ir, parent) || !region.is_assumed);
        let leaves_alone = |op: Op| {
            inside.contains(&op)
                || ir.own_effects(op).is_some_and(|effects| {
                    effects.iter().all(|effect| {
                        let is_harmless = match effect.kind {
                            EffectKind::Allocate => true,
                            EffectKind::Read => !region.is_written,
                            EffectKind::Write | EffectKind::Free => false,
                        };
                        is_harmless
                            || effect.value.is_some_and(|value| {
                                ir.is_memref(value) && are_apart(ir, value, region.memref)
                            })
                    })
                })
        };
        if !is_same || !ir.walk(parent).all(leaves_alone) {
            break;
        }
        loops.push(parent);
        current = parent;
    }
    loops
}

/// A sum of multiples of values as an expression of dimensions that come after `values`, to which missing ones are added.
fn expr_of(linear: &Linear, values: &mut Vec<Value>) -> AffineExpr {
    let mut expr = AffineExpr::Constant(linear.as_number());
    for (value, factor) in linear.terms() {
        let dim = values.len() as u32;
        values.push(value);
        expr = AffineExpr::Dim(dim)
            .mul(AffineExpr::Constant(factor))
            .add(expr);
    }
    expr
}

fn map_of(values: &[Value], results: Vec<AffineExpr>, ir: &Ir) -> MapAndOperands {
    let map = AffineMap {
        n_dims: values.len() as u32,
        n_symbols: 0,
        results,
    };
    MapAndOperands::new(map, values).canonical(ir)
}

/// Loops that copy a box; one of the buffers is the one of the region, the other has its size.
fn copy_elements(b: &mut Builder<'_>, region: &Region, from: Value, to: Value) {
    let mut counters = Vec::new();
    let after = b.insert_point();
    for side in &region.sides {
        let mut values = Vec::new();
        let low = expr_of(&side.low, &mut values);
        if side.size == 1 && side.limit.is_none() {
            counters.push(None);
            continue;
        }
        let end = low.clone().add(AffineExpr::Constant(side.size));
        let (mut lows, mut ends) = (vec![low], vec![end]);
        if let Some(limit) = side.limit {
            lows.push(AffineExpr::Constant(0));
            ends.push(AffineExpr::Constant(limit));
        }
        let low = map_of(&values, lows, b.ir);
        let end = map_of(&values, ends, b.ir);
        let op = affine::build_for(b, &low, &end, 1, &[]);
        counters.push(Some(affine::For(op).induction_variable(b.ir)));
        let body = affine::For(op).body(b.ir);
        let first = b.ir.first_op(body).expect("the loop ends");
        b.set_before(first);
    }
    let (mut values, mut whole, mut part) = (Vec::new(), Vec::new(), Vec::new());
    for (side, counter) in region.sides.iter().zip(counters) {
        match counter {
            Some(counter) => {
                let at = AffineExpr::Dim(values.len() as u32);
                values.push(counter);
                let low = expr_of(&side.low, &mut values);
                whole.push(at.clone());
                part.push(at.sub(low));
            }
            None => {
                whole.push(expr_of(&side.low, &mut values));
                part.push(AffineExpr::Constant(0));
            }
        }
    }
    let (whole, part) = (map_of(&values, whole, b.ir), map_of(&values, part, b.ir));
    let (source, target) = match from == region.memref {
        true => (&whole, &part),
        false => (&part, &whole),
    };
    let element = b.context().element_type_or_self(b.ir.value_type(from));
    let loaded = access(b, &affine::LOAD, &[from], source);
    b.ir.set_value_type(b.ir.result(loaded, 0), element);
    let loaded = b.ir.result(loaded, 0);
    access(b, &affine::STORE, &[loaded, to], target);
    b.set_insert_point(after);
}

fn access(b: &mut Builder<'_>, def: &'static OpDef, operands: &[Value], at: &MapAndOperands) -> Op {
    let context = b.context();
    let mut spec = b.spec(def).operands(operands).operands(&at.operands);
    spec.set_attr(Name::MAP, context.affine_map_attr(at.map.clone()));
    if std::ptr::eq(def, &affine::LOAD) {
        let ty = b.ir.value_type(operands[0]);
        spec = spec.results(&[context.element_type_or_self(ty)]);
    }
    b.create(spec)
}

/// Has a load or a store of one element take it from the copy.
fn redirect(ir: &mut Ir, op: Op, sides: &[Side], fast: Value) {
    let (_, place) = subscripts(ir, op).expect("the access was understood");
    let (dims, symbols) = place.operands.split_at(place.map.n_dims as usize);
    let mut values = Vec::new();
    let lows: Vec<AffineExpr> = (sides.iter())
        .map(|side| expr_of(&side.low, &mut values))
        .collect();
    let first = values.len() as u32;
    let shifted: Vec<AffineExpr> = (0..place.map.n_dims)
        .map(|dim| AffineExpr::Dim(first + dim))
        .collect();
    let same: Vec<AffineExpr> = (0..place.map.n_symbols).map(AffineExpr::Symbol).collect();
    let minus_one = || AffineExpr::Constant(-1);
    let map = AffineMap {
        n_dims: first + place.map.n_dims,
        n_symbols: place.map.n_symbols,
        results: (place.map.results.iter().zip(lows))
            .map(|(expr, low)| low.mul(minus_one()).add(expr.replace(&shifted, &same)))
            .collect(),
    };
    values.extend_from_slice(dims);
    values.extend_from_slice(symbols);
    let at = MapAndOperands::new(map, &values).canonical(ir);
    let mut operands = match ir.is(op, &affine::STORE) {
        true => vec![ir.operand(op, 0), fast],
        false => vec![fast],
    };
    operands.extend_from_slice(&at.operands);
    let map = ir.context().affine_map_attr(at.map);
    ir.set_operands(op, &operands);
    ir.set_attr(op, Name::MAP, map);
}
