//! `vector.transfer_read` and `vector.transfer_write`: boxes of memory as vectors.
//!
//! The permutation map says which dimension of memory each dimension of the
//! vector runs along; a result `0` repeats one element along that dimension.
//! Where `in_bounds` is not `true`, elements beyond the edge of memory are not
//! accessed: reads give the padding value instead.

use super::attributes::BOOL_ARRAY_ATTR;
use super::{Coordinates, TRANSFER_READ, is_vector, scalable_of, scalable_vector_type, shape_of};
use crate::dialects::shared::assembly::{
    Operands, parse_indices, parse_type_of_kind, print_indices,
};
use crate::ir::affine::{AffineExpr, AffineMap};
use crate::ir::asm::{OpAsmParser, OpAsmPrinter};
use crate::ir::attrs::Attr;
use crate::ir::constraints;
use crate::ir::context::Context;
use crate::ir::data::Ir;
use crate::ir::diag::Failed;
use crate::ir::edit::OpSpec;
use crate::ir::entities::{Op, Value};
use crate::ir::names::Name;
use crate::ir::op_def::{AttrSpec, OpError};
use crate::ir::types::Type;

pub(super) const ATTRIBUTES: &[AttrSpec] = &[
    AttrSpec::required(Name::PERMUTATION_MAP, &constraints::AFFINE_MAP_ATTR),
    AttrSpec::required(Name::IN_BOUNDS, &BOOL_ARRAY_ATTR),
];

/// A transfer, with what reads and writes call the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Transfer(pub Op);

impl Transfer {
    fn is_read(self, ir: &Ir) -> bool {
        ir.is(self.0, &TRANSFER_READ)
    }

    /// The memory: a memref or tensor.
    pub fn source(self, ir: &Ir) -> Value {
        ir.operand(self.0, usize::from(!self.is_read(ir)))
    }

    /// Where the box begins.
    pub fn indices(self, ir: &Ir) -> &[Value] {
        ir.operand_group(self.0, if self.is_read(ir) { 1 } else { 2 })
    }

    /// The value read beyond the edge; none for writes.
    pub fn padding(self, ir: &Ir) -> Option<Value> {
        self.is_read(ir).then(|| ir.operand_group(self.0, 2)[0])
    }

    /// Which elements are transferred, if not all. Its dimensions are those of
    /// memory that the vector runs along, in the order of memory.
    pub fn mask(self, ir: &Ir) -> Option<Value> {
        ir.operand_group(self.0, 3).first().copied()
    }

    /// The type of its mask.
    pub fn mask_type(self, ir: &Ir) -> Option<Type> {
        let map = permutation_map(ir, self.0)?;
        Some(mask_type(
            ir.context(),
            &map,
            ir.value_type(self.vector(ir)),
        ))
    }

    /// The value written, or the result of the read.
    pub fn vector(self, ir: &Ir) -> Value {
        if self.is_read(ir) {
            ir.result(self.0, 0)
        } else {
            ir.operand(self.0, 0)
        }
    }

    /// For each dimension of the vector the dimension of memory that it runs
    /// along, or none where elements repeat.
    pub fn dims(self, ir: &Ir) -> Vec<Option<usize>> {
        let map = permutation_map(ir, self.0);
        map.map_or_else(Vec::new, |map| map_dims(&map))
    }

    /// The dimensions of memory that the vector runs along, if those are in the order of memory and stay within it.
    pub fn plain_dims(self, ir: &Ir) -> Option<Coordinates> {
        let dims: Coordinates = self.dims(ir).into_iter().collect::<Option<_>>()?;
        let is_plain = dims.is_sorted() && (0..dims.len()).all(|dim| self.is_in_bounds(ir, dim));
        is_plain.then_some(dims)
    }

    /// Whether dimension `dim` of the vector stays within memory.
    pub fn is_in_bounds(self, ir: &Ir, dim: usize) -> bool {
        let in_bounds = ir.attr(self.0, Name::IN_BOUNDS);
        let in_bounds = in_bounds.and_then(|attr| ir.context().attr_array(attr));
        in_bounds.is_some_and(|all| all.get(dim) == Some(&Attr::TRUE))
    }
}

fn permutation_map(ir: &Ir, op: Op) -> Option<AffineMap> {
    let attr = ir.attr(op, Name::PERMUTATION_MAP)?;
    ir.context()
        .attr_affine_map(attr)
        .map(|map| AffineMap::clone(map))
}

fn map_dims(map: &AffineMap) -> Vec<Option<usize>> {
    let dim = |expr: &AffineExpr| match expr {
        AffineExpr::Dim(dim) => Some(*dim as usize),
        _ => None,
    };
    map.results.iter().map(dim).collect()
}

/// The rank of the vector type `ty` without the dimensions that elements of
/// the memory, which may be vectors themselves, have.
fn transfer_rank(context: &Context, memory: Type, ty: Type) -> usize {
    let element = context.element_type_or_self(memory);
    shape_of(context, ty).len()
        - shape_of(context, element)
            .len()
            .min(shape_of(context, ty).len())
}

/// `(d0, d1, d2) -> (d1, d2)`: the innermost dimensions in order.
fn minor_identity(n_dims: usize, n_results: usize) -> AffineMap {
    let first = n_dims.saturating_sub(n_results);
    let mut map = AffineMap::identity(n_dims);
    map.results = (first..n_dims)
        .map(|dim| AffineExpr::Dim(dim as u32))
        .collect();
    map
}

/// The type of the mask of a transfer along these dimensions.
fn mask_type(context: &Context, map: &AffineMap, vector: Type) -> Type {
    let sizes = (shape_of(context, vector).iter()).zip(scalable_of(context, vector));
    let mut used: Vec<(usize, i64, bool)> = (map_dims(map).into_iter().zip(sizes))
        .filter_map(|(dim, (&size, &scalable))| Some((dim?, size, scalable)))
        .collect();
    if used.is_empty() {
        used.push((0, 1, false));
    }
    used.sort_by_key(|&(dim, ..)| dim);
    let (sizes, scalable): (Vec<i64>, Vec<bool>) = (used.iter())
        .map(|&(_, size, scalable)| (size, scalable))
        .unzip();
    scalable_vector_type(context, &sizes, &scalable, Type::I1)
}

/// `%m[%i], %padding[, %mask] {attrs} : memory type, vector type`
pub(super) fn parse_read(p: &mut dyn OpAsmParser<'_>, spec: &mut OpSpec) -> Result<(), Failed> {
    let source = p.parse_operand()?;
    let indices = parse_indices(p)?;
    p.parse_token(",")?;
    let padding = p.parse_operand()?;
    let mut mask = Operands::new();
    if p.parse_opt_token(",") {
        mask.push(p.parse_operand()?);
    }
    p.parse_opt_attr_dict(spec)?;
    let loc = p.loc();
    let types = p.parse_colon_type_list()?;
    let [memory, vector] = types[..] else {
        return Err(p.error(loc, "requires two types"));
    };
    let map = complete(p, spec, memory, vector)?;
    let element = p.context().element_type_or_self(memory);
    spec.results.push(vector);
    p.resolve(&source, memory, spec)?;
    p.resolve_all(&indices, Type::INDEX, spec)?;
    p.resolve(&padding, element, spec)?;
    let mask_ty = mask_type(p.context(), &map, vector);
    p.resolve_all(&mask, mask_ty, spec)?;
    set_segments(p, spec, [1, indices.len(), 1, mask.len()]);
    Ok(())
}

/// `%v, %m[%i][, %mask] {attrs} : vector type, memory type`
pub(super) fn parse_write(p: &mut dyn OpAsmParser<'_>, spec: &mut OpSpec) -> Result<(), Failed> {
    let value = p.parse_operand()?;
    p.parse_token(",")?;
    let source = p.parse_operand()?;
    let indices = parse_indices(p)?;
    let mut mask = Operands::new();
    if p.parse_opt_token(",") {
        mask.push(p.parse_operand()?);
    }
    p.parse_opt_attr_dict(spec)?;
    p.parse_token(":")?;
    let vector = parse_type_of_kind(p, is_vector)?;
    p.parse_token(",")?;
    let memory = p.parse_type()?;
    let map = complete(p, spec, memory, vector)?;
    if !p.context().is_memref(memory) {
        spec.results.push(memory);
    }
    p.resolve(&value, vector, spec)?;
    p.resolve(&source, memory, spec)?;
    p.resolve_all(&indices, Type::INDEX, spec)?;
    let mask_ty = mask_type(p.context(), &map, vector);
    p.resolve_all(&mask, mask_ty, spec)?;
    set_segments(p, spec, [1, 1, indices.len(), mask.len()]);
    Ok(())
}

fn set_segments(p: &dyn OpAsmParser<'_>, spec: &mut OpSpec, sizes: [usize; 4]) {
    let sizes = p.context().i32_array_attr(&sizes.map(|n| n as i32));
    spec.set_attr(Name::OPERAND_SEGMENT_SIZES, sizes);
}

/// Adds the attributes that were left out; returns the permutation map.
fn complete(
    p: &mut dyn OpAsmParser<'_>,
    spec: &mut OpSpec,
    memory: Type,
    vector: Type,
) -> Result<AffineMap, Failed> {
    let context = std::sync::Arc::clone(p.context());
    let Some(shape) = context
        .shape(memory)
        .filter(|_| !is_vector(&context, memory))
    else {
        return Err(p.error(p.name_loc(), "requires memref or ranked tensor type"));
    };
    if !is_vector(&context, vector) {
        return Err(p.error(p.name_loc(), "requires vector type"));
    }
    let rank = transfer_rank(&context, memory, vector);
    let map = match spec.get_attr(Name::PERMUTATION_MAP) {
        Some(attr) => match context.attr_affine_map(attr) {
            Some(map) => AffineMap::clone(map),
            None => return Err(p.error(p.name_loc(), "expected permutation_map attribute")),
        },
        None if shape.len() < rank => {
            let message =
                "expected a custom permutation_map when rank(source) != rank(destination)";
            return Err(p.error(p.name_loc(), message));
        }
        None => minor_identity(shape.len(), rank),
    };
    spec.set_attr(Name::PERMUTATION_MAP, context.affine_map_attr(map.clone()));
    // Dimensions along which an element repeats cannot leave memory: MLIR 19 wants that said, MLIR 22 does not.
    let given = spec.get_attr(Name::IN_BOUNDS);
    let all = match given.map(|attr| context.attr_array(attr)) {
        None => Some(vec![Attr::FALSE; map.results.len()]),
        Some(given) => given.map(<[Attr]>::to_vec),
    };
    if let Some(mut all) = all {
        for (flag, expr) in all.iter_mut().zip(&map.results) {
            if matches!(expr, AffineExpr::Constant(_)) {
                *flag = Attr::TRUE;
            }
        }
        spec.set_attr(Name::IN_BOUNDS, context.array_attr(&all));
    }
    Ok(map)
}

/// Prints what [`parse_read`] and [`parse_write`] read.
pub(super) fn print(p: &mut dyn OpAsmPrinter, ir: &Ir, op: Op) {
    let view = Transfer(op);
    let (source, vector) = (view.source(ir), view.vector(ir));
    p.text(" ");
    if !view.is_read(ir) {
        p.value(vector);
        p.text(", ");
    }
    p.value(source);
    print_indices(p, view.indices(ir));
    for operand in [view.padding(ir), view.mask(ir)].into_iter().flatten() {
        p.text(", ");
        p.value(operand);
    }
    let (memory_ty, vector_ty) = (ir.value_type(source), ir.value_type(vector));
    let context = ir.context();
    let mut hidden = vec![Name::OPERAND_SEGMENT_SIZES];
    let map = permutation_map(ir, op);
    let rank = context.shape(memory_ty).map_or(0, <[i64]>::len);
    let n_results = transfer_rank(context, memory_ty, vector_ty);
    if map.is_some_and(|map| map == minor_identity(rank, n_results)) {
        hidden.push(Name::PERMUTATION_MAP);
    }
    let in_bounds = ir.attr(op, Name::IN_BOUNDS);
    let in_bounds = in_bounds.and_then(|attr| context.attr_array(attr));
    if in_bounds.is_some_and(|all| all.iter().all(|&a| a == Attr::FALSE)) {
        hidden.push(Name::IN_BOUNDS);
    }
    p.opt_attr_dict(ir, op, &hidden);
    p.text(" : ");
    match view.is_read(ir) {
        true => p.types(&[memory_ty, vector_ty]),
        false => p.types(&[vector_ty, memory_ty]),
    }
}

pub(super) fn verify(ir: &Ir, op: Op) -> Result<(), OpError> {
    let view = Transfer(op);
    let context = ir.context();
    let (memory, vector) = (
        ir.value_type(view.source(ir)),
        ir.value_type(view.vector(ir)),
    );
    let rank = context.shape(memory).map_or(0, <[i64]>::len);
    let map = permutation_map(ir, op).ok_or("requires attribute 'permutation_map'")?;
    if view.indices(ir).len() != rank {
        return Err(format!("requires {rank} indices").into());
    }
    let element = context.element_type_or_self(memory);
    let vector_element = context.element_type_or_self(vector);
    let n_results = transfer_rank(context, memory, vector);
    if is_vector(context, element) {
        let inner = shape_of(context, element);
        if !shape_of(context, vector).ends_with(inner)
            || context.element_type_or_self(element) != vector_element
        {
            return Err(
                "requires the bitwidth of the minor 1-D vector to be an integral multiple of the \
                 bitwidth of the minor 1-D vector of the source"
                    .into(),
            );
        }
    } else if element != vector_element {
        return Err(
            "requires the bitwidth of the minor 1-D vector to be an integral multiple of the \
             bitwidth of the source element type"
                .into(),
        );
    }
    if map.n_symbols != 0 {
        return Err("requires permutation_map without symbols".into());
    }
    if map.n_dims as usize != rank {
        return Err(
            "requires a permutation_map with input dims of the same rank as the source type".into(),
        );
    }
    if map.results.len() != n_results {
        return Err(
            "requires a permutation_map with result dims of the same rank as the vector type"
                .into(),
        );
    }
    let mut seen = vec![false; rank];
    for expr in &map.results {
        match expr {
            AffineExpr::Constant(0) => {}
            AffineExpr::Constant(_) => {
                return Err(
                    "requires a projected permutation_map (at most one dim or the zero constant \
                     can appear in each result)"
                        .into(),
                );
            }
            AffineExpr::Dim(dim) => {
                if std::mem::replace(&mut seen[*dim as usize], true) {
                    return Err(
                        "requires a permutation_map that is a permutation (found one dim used \
                         more than once)"
                            .into(),
                    );
                }
            }
            _ => {
                return Err(
                    "requires a projected permutation_map (at most one dim or the zero constant \
                     can appear in each result)"
                        .into(),
                );
            }
        }
    }
    let in_bounds = ir.attr(op, Name::IN_BOUNDS);
    let n_flags = in_bounds
        .and_then(|attr| context.attr_array(attr))
        .map_or(0, <[Attr]>::len);
    if n_flags != map.results.len() {
        return Err(format!(
            "expects the in_bounds attr of same rank as permutation_map results: {} vs inBounds \
             of size: {n_flags}",
            map.results.len()
        )
        .into());
    }
    if let Some(mask) = view.mask(ir)
        && ir.value_type(mask) != mask_type(context, &map, vector)
    {
        return Err("inferred mask type and mask operand type don't match".into());
    }
    match view.padding(ir) {
        Some(padding) if ir.value_type(padding) != element => {
            Err("requires formal padding and source of the same elemental type".into())
        }
        None if !map.is_projected_permutation() => {
            Err("should not have broadcast dimensions".into())
        }
        _ => Ok(()),
    }
}
