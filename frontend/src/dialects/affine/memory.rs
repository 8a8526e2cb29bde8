//! Loads, stores and prefetches at affine indices, and the DMA operations.

use super::compose::MapAndOperands;
use super::{LOAD, STORE, map_and_operands, map_of, validity};
use crate::dialects::memref;
use crate::ir::affine::AffineMap;
use crate::ir::asm::{Delimiter, OpAsmParser, OpAsmPrinter, UnresolvedOperand};
use crate::ir::builder::Builder;
use crate::ir::data::Ir;
use crate::ir::diag::Failed;
use crate::ir::edit::OpSpec;
use crate::ir::entities::{Op, Value};
use crate::ir::names::Name;
use crate::ir::op_def::OpError;
use crate::ir::rewriter::Rewriter;
use crate::ir::types::Type;

/// A memref with affine subscripts, as written.
struct Access {
    memref: UnresolvedOperand,
    map: AffineMap,
    indices: Vec<UnresolvedOperand>,
}

/// `%memref[%i + 1, %j]`
fn parse_access(p: &mut dyn OpAsmParser<'_>) -> Result<Access, Failed> {
    let memref = p.parse_operand()?;
    let (map, mut indices, symbols) = p.parse_affine_map_of_ssa_ids(Delimiter::Square)?;
    indices.extend(symbols);
    Ok(Access {
        memref,
        map,
        indices,
    })
}

impl Access {
    /// Adds memref, indices and map to the operation.
    fn resolve(
        self,
        p: &mut dyn OpAsmParser<'_>,
        ty: Type,
        map: Name,
        spec: &mut OpSpec,
    ) -> Result<(), Failed> {
        p.resolve(&self.memref, ty, spec)?;
        p.resolve_all(&self.indices, Type::INDEX, spec)?;
        let attr = p.context().affine_map_attr(self.map);
        spec.set_attr(map, attr);
        Ok(())
    }
}

/// `%memref[...]`
fn print_access(
    p: &mut dyn OpAsmPrinter,
    ir: &Ir,
    op: Op,
    map: Name,
    memref: Value,
    indices: &[Value],
) {
    p.value(memref);
    p.text("[");
    if let Some(map) = map_of(ir, op, map) {
        p.affine_map_of_ssa_ids(map, indices);
    }
    p.text("]");
}

/// Rules on subscripts; `first` is the number of the first index operand,
/// which follows the memref.
fn verify_indexing(ir: &Ir, op: Op, first: usize) -> Result<(), OpError> {
    let context = ir.context();
    let memref = context.as_memref(ir.value_type(ir.operand(op, first - 1)));
    let (Some(map), Some(memref)) = (map_of(ir, op, Name::MAP), memref) else {
        return Ok(());
    };
    if map.results.len() != memref.rank() {
        return Err("affine map num results must equal memref rank".into());
    }
    let indices = &ir.operands(op)[first..];
    if (map.n_dims + map.n_symbols) as usize != indices.len() {
        return Err("expects as many subscripts as affine map inputs".into());
    }
    for &index in indices {
        if !validity::is_valid_dim(ir, index) {
            return Err("index must be a valid dimension or symbol identifier".into());
        }
    }
    Ok(())
}

fn element_of(ir: &Ir, memref: Value) -> Type {
    ir.context().element_type_or_self(ir.value_type(memref))
}

pub(super) fn verify_load(ir: &Ir, op: Op) -> Result<(), OpError> {
    if ir.value_type(ir.result(op, 0)) != element_of(ir, ir.operand(op, 0)) {
        return Err("result type must match element type of memref".into());
    }
    verify_indexing(ir, op, 1)
}

pub(super) fn verify_store(ir: &Ir, op: Op) -> Result<(), OpError> {
    if ir.value_type(ir.operand(op, 0)) != element_of(ir, ir.operand(op, 1)) {
        return Err("value to store must have the same type as memref element type".into());
    }
    verify_indexing(ir, op, 2)
}

fn verify_vector(ir: &Ir, memref: Value, vector: Value) -> Result<(), OpError> {
    if element_of(ir, memref) != element_of(ir, vector) {
        return Err("requires memref and vector types of the same elemental type".into());
    }
    Ok(())
}

pub(super) fn verify_vector_load(ir: &Ir, op: Op) -> Result<(), OpError> {
    verify_indexing(ir, op, 1)?;
    verify_vector(ir, ir.operand(op, 0), ir.result(op, 0))
}

pub(super) fn verify_vector_store(ir: &Ir, op: Op) -> Result<(), OpError> {
    verify_indexing(ir, op, 2)?;
    verify_vector(ir, ir.operand(op, 1), ir.operand(op, 0))
}

pub(super) fn verify_prefetch(ir: &Ir, op: Op) -> Result<(), OpError> {
    let memref = ir.context().as_memref(ir.value_type(ir.operand(op, 0)));
    let (Some(map), Some(memref)) = (map_of(ir, op, Name::MAP), memref) else {
        return Ok(());
    };
    if map.results.len() != memref.rank() {
        return Err("affine.prefetch affine map num results must equal memref rank".into());
    }
    let indices = &ir.operands(op)[1..];
    if (map.n_dims + map.n_symbols) as usize != indices.len() {
        return Err("too few operands".into());
    }
    if !indices.iter().all(|&v| validity::is_valid_dim(ir, v)) {
        return Err("index must be a valid dimension or symbol identifier".into());
    }
    Ok(())
}

/// Composes what defines the indices into the map; `first` is the number of
/// the first index operand.
pub(super) fn canonicalize_indices(rw: &mut Rewriter<'_>, op: Op, first: usize) -> bool {
    let Some(old) = map_and_operands(rw.ir, op, Name::MAP, first) else {
        return false;
    };
    let new: MapAndOperands = old.canonical(rw.ir);
    if new == old {
        return false;
    }
    let mut operands = rw.ir.operands(op)[..first].to_vec();
    operands.extend_from_slice(&new.operands);
    let attr = rw.ir.context().affine_map_attr(new.map);
    rw.set_operands(op, &operands);
    rw.set_attr(op, Name::MAP, attr);
    true
}

/// Accesses through `memref.cast` go to its source, if that is ranked.
pub(super) fn look_through_casts(rw: &mut Rewriter<'_>, op: Op) -> bool {
    let mut changed = false;
    for index in 0..rw.ir.operands(op).len() {
        // The value that is stored is no access.
        if index == 0 && ir_stores(rw.ir, op) {
            continue;
        }
        let Some(cast) = rw.ir.defined_by(rw.ir.operand(op, index), &memref::CAST) else {
            continue;
        };
        let source = rw.ir.operand(cast, 0);
        if rw
            .ir
            .context()
            .as_memref(rw.ir.value_type(source))
            .is_some()
        {
            rw.set_operand(op, index, source);
            changed = true;
        }
    }
    changed
}

fn ir_stores(ir: &Ir, op: Op) -> bool {
    ir.is(op, &super::STORE) || ir.is(op, &super::VECTOR_STORE)
}

// DMA. Maps are discardable attributes, as upstream has them.

/// The operands of a DMA operation in groups, each a memref and its indices.
fn dma_groups<'a>(ir: &'a Ir, op: Op, maps: &[Name]) -> Option<(Vec<&'a [Value]>, &'a [Value])> {
    let mut rest = ir.operands(op);
    let mut groups = Vec::new();
    for &name in maps {
        let map = map_of(ir, op, name)?;
        let n = 1 + (map.n_dims + map.n_symbols) as usize;
        let (group, others) = rest.split_at_checked(n)?;
        groups.push(group);
        rest = others;
    }
    Some((groups, rest))
}

const DMA_MAPS: [Name; 3] = [Name::SRC_MAP, Name::DST_MAP, Name::TAG_MAP];

/// `%src[...], %dst[...], %tag[...], %n, %stride, %n_per_stride : types`
pub(super) fn parse_dma_start(
    p: &mut dyn OpAsmParser<'_>,
    spec: &mut OpSpec,
) -> Result<(), Failed> {
    let mut accesses = Vec::new();
    for _ in DMA_MAPS {
        accesses.push(parse_access(p)?);
        p.parse_token(",")?;
    }
    let n_elements = p.parse_operand()?;
    let mut strides = Vec::new();
    while p.parse_opt_token(",") {
        strides.push(p.parse_operand()?);
    }
    if !matches!(strides.len(), 0 | 2) {
        return Err(p.error(p.name_loc(), "expected two stride related operands"));
    }
    let types = p.parse_colon_type_list()?;
    if types.len() != 3 {
        return Err(p.error(p.name_loc(), "expected three types"));
    }
    for ((access, name), ty) in accesses.into_iter().zip(DMA_MAPS).zip(types) {
        access.resolve(p, ty, name, spec)?;
    }
    p.resolve(&n_elements, Type::INDEX, spec)?;
    p.resolve_all(&strides, Type::INDEX, spec)
}

/// Prints what [`parse_dma_start`] reads.
pub(super) fn print_dma_start(p: &mut dyn OpAsmPrinter, ir: &Ir, op: Op) {
    let Some((groups, rest)) = dma_groups(ir, op, &DMA_MAPS) else {
        return;
    };
    p.text(" ");
    for (group, name) in groups.iter().zip(DMA_MAPS) {
        print_access(p, ir, op, name, group[0], &group[1..]);
        p.text(", ");
    }
    p.values(rest);
    p.text(" : ");
    let memrefs: Vec<Value> = groups.iter().map(|group| group[0]).collect();
    p.types_of(ir, &memrefs);
}

pub(super) fn verify_dma_start(ir: &Ir, op: Op) -> Result<(), OpError> {
    let names = ["source", "destination", "tag"];
    let short = ["src", "dst", "tag"];
    let Some((groups, rest)) = dma_groups(ir, op, &DMA_MAPS) else {
        return Err("incorrect number of operands".into());
    };
    for (group, name) in groups.iter().zip(names) {
        if ir.context().as_memref(ir.value_type(group[0])).is_none() {
            return Err(OpError::from(format!(
                "expected DMA {name} to be of memref type"
            )));
        }
    }
    if !matches!(rest.len(), 1 | 3) {
        return Err("incorrect number of operands".into());
    }
    for (group, name) in groups.iter().zip(short) {
        verify_dma_indices(ir, &group[1..], &format!("{name} index"), "dma_start")?;
    }
    Ok(())
}

fn verify_dma_indices(
    ir: &Ir,
    indices: &[Value],
    what: &str,
    mnemonic: &str,
) -> Result<(), OpError> {
    for &index in indices {
        if ir.value_type(index) != Type::INDEX {
            return Err(OpError::from(format!(
                "{what} to {mnemonic} must have 'index' type"
            )));
        }
        if !validity::is_valid_dim(ir, index) {
            return Err(OpError::from(format!(
                "{what} must be a valid dimension or symbol identifier"
            )));
        }
    }
    Ok(())
}

/// Source, destination and tag of an `affine.dma_start`.
pub fn dma_memrefs(ir: &Ir, op: Op) -> Option<[Value; 3]> {
    let (groups, _) = dma_groups(ir, op, &DMA_MAPS)?;
    Some([groups[0][0], groups[1][0], groups[2][0]])
}

/// `%tag[...], %n : memref type`
pub(super) fn parse_dma_wait(p: &mut dyn OpAsmParser<'_>, spec: &mut OpSpec) -> Result<(), Failed> {
    let access = parse_access(p)?;
    p.parse_token(",")?;
    let n_elements = p.parse_operand()?;
    let ty = p.parse_colon_type()?;
    access.resolve(p, ty, Name::TAG_MAP, spec)?;
    p.resolve(&n_elements, Type::INDEX, spec)?;
    if p.context().as_memref(ty).is_none() {
        return Err(p.error(p.name_loc(), "expected tag to be of memref type"));
    }
    Ok(())
}

/// Prints what [`parse_dma_wait`] reads.
pub(super) fn print_dma_wait(p: &mut dyn OpAsmPrinter, ir: &Ir, op: Op) {
    let Some((groups, rest)) = dma_groups(ir, op, &[Name::TAG_MAP]) else {
        return;
    };
    p.text(" ");
    print_access(p, ir, op, Name::TAG_MAP, groups[0][0], &groups[0][1..]);
    p.text(", ");
    p.values(rest);
    p.text(" : ");
    p.ty(ir.value_type(groups[0][0]));
}

pub(super) fn verify_dma_wait(ir: &Ir, op: Op) -> Result<(), OpError> {
    let Some((groups, rest)) = dma_groups(ir, op, &[Name::TAG_MAP]) else {
        return Err("incorrect number of operands".into());
    };
    if ir
        .context()
        .as_memref(ir.value_type(groups[0][0]))
        .is_none()
    {
        return Err("expected DMA tag to be of memref type".into());
    }
    if rest.len() != 1 {
        return Err("incorrect number of operands".into());
    }
    verify_dma_indices(ir, &groups[0][1..], "index", "dma_wait")
}

/// Inserts an `affine.load` at these indices.
pub fn build_load(builder: &mut Builder<'_>, memref: Value, indices: &[Value]) -> Value {
    let context = builder.context();
    let element = context.element_type_or_self(builder.ir.value_type(memref));
    let map = context.affine_map_attr(AffineMap::identity(indices.len()));
    let operands = [&[memref], indices].concat();
    builder.value_with_attr(&LOAD, &operands, element, Name::MAP, map)
}

/// Inserts an `affine.store` at these indices.
pub fn build_store(
    builder: &mut Builder<'_>,
    value: Value,
    memref: Value,
    indices: &[Value],
) -> Op {
    let map = builder
        .context()
        .affine_map_attr(AffineMap::identity(indices.len()));
    let spec = builder
        .spec(&STORE)
        .operands(&[value, memref])
        .operands(indices)
        .attr(Name::MAP, map);
    builder.create(spec)
}
