//! Tensors as tiles: `pack` and `unpack`.

use crate::dialects::arith::as_constant_index;
use crate::dialects::shared::assembly::i64_array;
use crate::ir::constraints::{ANY, I64_DENSE_ARRAY_ATTR, INDEX, RANKED_TENSOR};
use crate::ir::data::Ir;
use crate::ir::entities::{Op, Value};
use crate::ir::names::Name;
use crate::ir::op_def::{AttrSpec, OpDef, OpError, ValueSpec};
use crate::ir::types::{DYNAMIC, TypeKind};
use crate::op_view;
use crate::syntax::printer::type_to_string;

use super::elements::{element_of, shape_of};

static ATTRIBUTES: &[AttrSpec] = &[
    AttrSpec::optional(Name::OUTER_DIMS_PERM, &I64_DENSE_ARRAY_ATTR),
    AttrSpec::required(Name::INNER_DIMS_POS, &I64_DENSE_ARRAY_ATTR),
    AttrSpec::required(Name::STATIC_INNER_TILES, &I64_DENSE_ARRAY_ATTR),
];

/// `tensor.pack`: a tensor cut into tiles.
pub static PACK: OpDef = const {
    OpDef {
        name: "tensor.pack",
        name_22: Some("linalg.pack"),
        operands: &[
            ValueSpec::one("source", &RANKED_TENSOR),
            ValueSpec::one("dest", &RANKED_TENSOR),
            ValueSpec::optional("padding_value", &ANY),
            ValueSpec::variadic("inner_tiles", &INDEX),
        ],
        results: &[ValueSpec::one("result", &RANKED_TENSOR)],
        attributes: ATTRIBUTES,
        verify: |ir, op| {
            let pack = Pack(op);
            let tiling = Tiling::of(ir, op, pack.source(ir), pack.dest(ir), pack.inner_tiles(ir))?;
            verify(ir, op, &tiling)?;
            let padding = pack.padding_value(ir).first().copied();
            verify_padding(ir, padding, &tiling)
        },
        result_names: Some(|ir, op, name| name(ir.result(op, 0), "pack")),
        ..OpDef::PURE
    }
}
.with_format(
    "$source (`padding_value` `(` $padding_value^ `:` type($padding_value) `)`)? \
     (`outer_dims_perm` `=` $outer_dims_perm^)? \
     `inner_dims_pos` `=` $inner_dims_pos \
     `inner_tiles` `=` mixed-list($inner_tiles, $static_inner_tiles) `into` $dest attr-dict \
     `:` type($source) `->` type($dest) where $result = type($dest)",
);
op_view!(
    /// View of [`PACK`].
    Pack, PACK { source: one = 0, dest: one = 1, padding_value: many = 2, inner_tiles: many = 3 }
);

/// `tensor.unpack`: the tensor that [`PACK`] cut.
pub static UNPACK: OpDef = const {
    OpDef {
        name: "tensor.unpack",
        name_22: Some("linalg.unpack"),
        operands: &[
            ValueSpec::one("source", &RANKED_TENSOR),
            ValueSpec::one("dest", &RANKED_TENSOR),
            ValueSpec::variadic("inner_tiles", &INDEX),
        ],
        results: &[ValueSpec::one("result", &RANKED_TENSOR)],
        attributes: ATTRIBUTES,
        verify: |ir, op| {
            let unpack = Unpack(op);
            let (unpacked, packed) = (unpack.dest(ir), unpack.source(ir));
            let tiling = Tiling::of(ir, op, unpacked, packed, unpack.inner_tiles(ir))?;
            verify(ir, op, &tiling)
        },
        result_names: Some(|ir, op, name| name(ir.result(op, 0), "unpack")),
        ..OpDef::PURE
    }
}
.with_format(
    "$source (`outer_dims_perm` `=` $outer_dims_perm^)? \
     `inner_dims_pos` `=` $inner_dims_pos \
     `inner_tiles` `=` mixed-list($inner_tiles, $static_inner_tiles) `into` $dest attr-dict \
     `:` type($source) `->` type($dest) where $result = type($dest)",
);
op_view!(
    /// View of [`UNPACK`].
    Unpack, UNPACK { source: one = 0, dest: one = 1, inner_tiles: many = 2 }
);

/// How a tensor is cut, in the same words for both operations.
struct Tiling {
    unpacked: Value,
    packed: Value,
    /// Sizes, [`DYNAMIC`] where they are not known.
    tiles: Vec<i64>,
    /// Which dimensions are cut.
    inner_dims: Vec<i64>,
    /// In which order the tiles of the packed tensor stand; empty: as they are.
    outer_permutation: Vec<i64>,
}

impl Tiling {
    fn of(
        ir: &Ir,
        op: Op,
        unpacked: Value,
        packed: Value,
        inner_tiles: &[Value],
    ) -> Result<Self, OpError> {
        Ok(Self {
            unpacked,
            packed,
            tiles: tiles(ir, op, inner_tiles)?,
            inner_dims: i64_array(ir, op, Name::INNER_DIMS_POS),
            outer_permutation: i64_array(ir, op, Name::OUTER_DIMS_PERM),
        })
    }
}

/// The sizes of tiles; those that are constants are known.
fn tiles(ir: &Ir, op: Op, operands: &[Value]) -> Result<Vec<i64>, OpError> {
    let mut tiles = i64_array(ir, op, Name::STATIC_INNER_TILES);
    let mut operands = operands.iter();
    for tile in tiles.iter_mut().filter(|tile| **tile == DYNAMIC) {
        let Some(&operand) = operands.next() else {
            return Err("expected a value for every dynamic inner tile".into());
        };
        *tile = as_constant_index(ir, operand).unwrap_or(DYNAMIC);
    }
    if operands.next().is_some() {
        return Err("expected a dynamic inner tile for every value".into());
    }
    Ok(tiles)
}

/// Whether `dims` names dimensions of a tensor of this rank, none twice.
fn are_distinct_dims(dims: &[i64], rank: usize) -> bool {
    let mut seen = vec![false; rank];
    dims.iter().all(|&dim| {
        usize::try_from(dim)
            .ok()
            .and_then(|dim| seen.get_mut(dim))
            .is_some_and(|seen| !std::mem::replace(seen, true))
    })
}

/// What both operations require. Upstream does not name the operation in these.
fn verify(ir: &Ir, op: Op, tiling: &Tiling) -> Result<(), OpError> {
    let error = |message: &str| Err(OpError::bare(message));
    if ir.value_type(ir.result(op, 0)) != ir.value_type(ir.operand(op, 1)) {
        return Err("failed to verify that result type matches type of dest".into());
    }
    let Tiling {
        tiles,
        inner_dims,
        outer_permutation,
        ..
    } = tiling;
    let unpacked = shape_of(ir, tiling.unpacked);
    let packed = shape_of(ir, tiling.packed);
    if tiles.contains(&0) {
        return error("invalid zero tile factor");
    }
    if !are_distinct_dims(inner_dims, unpacked.len()) {
        return error("invalid inner_dims_pos vector");
    }
    if !are_distinct_dims(outer_permutation, unpacked.len()) {
        return error("invalid outer_dims_perm vector");
    }
    if !outer_permutation.is_empty() && outer_permutation.len() != unpacked.len() {
        return error("outer_dims_perm must be a permutation or empty");
    }
    if tiles.len() > unpacked.len() {
        return error(
            "tiling factors must be less than or equal to the input rank for pack or output rank \
             for unpack",
        );
    }
    if tiles.len() != inner_dims.len() {
        return error("tiling factors must equal the number of dimensions to tile");
    }
    if packed.len() != unpacked.len() + tiles.len() {
        return error("packed rank must equal unpacked rank + tiling factors");
    }
    let expected = packed_shape(ir, op, tiling);
    let is_in_bounds = |(&expected, &found): (&i64, &i64)| {
        [expected, found].contains(&DYNAMIC) || expected <= found
    };
    if !expected.iter().zip(packed).all(is_in_bounds) {
        let context = ir.context();
        let expected = context.intern_type(TypeKind::RankedTensor {
            shape: expected.into(),
            element: element_of(ir, tiling.unpacked),
            encoding: None,
        });
        return error(&format!(
            "the shape of output is not large enough to hold the packed data. Expected at least \
             '{}', got '{}'",
            type_to_string(context, expected),
            type_to_string(context, ir.value_type(tiling.packed))
        ));
    }
    let fits = |(&tile, &size): (&i64, &i64)| size == DYNAMIC || tile == size;
    if !tiles.iter().zip(&packed[unpacked.len()..]).all(fits) {
        return error(
            "mismatch in inner tile sizes specified and shaped of tiled dimension in the packed type",
        );
    }
    Ok(())
}

/// The least sizes a packed tensor has: tiles per dimension, then the tiles
/// that are written as numbers.
fn packed_shape(ir: &Ir, op: Op, tiling: &Tiling) -> Vec<i64> {
    let written = i64_array(ir, op, Name::STATIC_INNER_TILES);
    let mut outer = shape_of(ir, tiling.unpacked).to_vec();
    for (&dim, &tile) in tiling.inner_dims.iter().zip(&written) {
        let size = &mut outer[dim as usize];
        if *size != DYNAMIC {
            *size = match tile {
                DYNAMIC => DYNAMIC,
                1.. => *size / tile + i64::from(*size % tile != 0),
                // No tensor is too small; the tile itself is refused later.
                _ => 0,
            };
        }
    }
    let permutation = &tiling.outer_permutation;
    let mut shape: Vec<i64> = if permutation.is_empty() {
        outer
    } else {
        permutation.iter().map(|&dim| outer[dim as usize]).collect()
    };
    shape.extend(written);
    shape
}

/// What `pack` requires besides: the right padding, or tiles that need none.
fn verify_padding(ir: &Ir, padding: Option<Value>, tiling: &Tiling) -> Result<(), OpError> {
    let context = ir.context();
    let element = element_of(ir, tiling.unpacked);
    if let Some(padding) = padding {
        let ty = ir.value_type(padding);
        if ty == element {
            return Ok(());
        }
        let (element, ty) = (
            type_to_string(context, element),
            type_to_string(context, ty),
        );
        return Err(format!("expected padding_value has '{element}' but got: '{ty}'").into());
    }
    let unpacked = shape_of(ir, tiling.unpacked);
    let packed = shape_of(ir, tiling.packed);
    let n_tiles = |dim: i64| {
        let at = tiling.outer_permutation.iter().position(|&d| d == dim);
        packed[at.unwrap_or(dim as usize)]
    };
    let is_partial = |(&dim, &tile): (&i64, &i64)| {
        let size = unpacked[dim as usize];
        // Tiles of unknown size must make a whole number of tiles at least.
        let divisor = if tile == DYNAMIC { n_tiles(dim) } else { tile };
        size != DYNAMIC && divisor != DYNAMIC && size.checked_rem(divisor) != Some(0)
    };
    if tiling.inner_dims.iter().zip(&tiling.tiles).any(is_partial) {
        return Err(
            "invalid tile factor or output size provided. Only full tiles are supported \
                    when padding_value is not set"
                .into(),
        );
    }
    Ok(())
}
