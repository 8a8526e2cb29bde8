//! The affine dialect: loops, conditions and memory accesses whose bounds,
//! conditions and subscripts are affine functions of loop counters and sizes.
//!
//! One file per kind of operation; [`compose`] brings maps and their operands
//! into canonical form, [`validity`] says which values may be dimensions and
//! symbols.

mod apply;
pub mod compose;
mod for_loop;
mod if_op;
pub mod index;
mod memory;
mod parallel;
mod simplify;
pub mod validity;

pub use compose::{MapAndOperands, canonical_set};
pub use for_loop::{FOR, For, build_for};
pub use if_op::{IF, If, YIELD, build_if};
pub use index::{DELINEARIZE_INDEX, LINEARIZE_INDEX};
pub use memory::{build_load, build_store, dma_memrefs};
pub use parallel::{PARALLEL, Parallel, build_parallel};
pub use validity::{is_valid_dim, is_valid_symbol};

use crate::dialects::arith::as_constant_index;
use crate::dialects::memref::constraints::{IS_DATA_CACHE, IS_WRITE, LOCALITY_HINT};
use crate::ir::affine::AffineMap;
use crate::ir::asm::{Delimiter, OpAsmParser, OpAsmPrinter};
use crate::ir::constraints::{self, ANY, INDEX, MEMREF, VECTOR};
use crate::ir::data::Ir;
use crate::ir::diag::Failed;
use crate::ir::edit::OpSpec;
use crate::ir::entities::{Op, Value};
use crate::ir::interfaces::Request;
use crate::ir::names::Name;
use crate::ir::op_def::{AttrSpec, DialectDef, OpDef, Pattern, ValueSpec, keeps_nothing};
use crate::ir::types::Type;

const MAP: AttrSpec = AttrSpec::required(Name::MAP, &constraints::AFFINE_MAP_ATTR);

/// `affine.apply`: the value of an affine map with one result.
pub static APPLY: OpDef = const {
    OpDef {
        name: "affine.apply",
        operands: &[ValueSpec::variadic("mapOperands", &INDEX)],
        results: &[ValueSpec::one("", &INDEX)],
        attributes: &[MAP],
        infer_results: Some(apply::infer_apply),
        verify: apply::verify_apply,
        fold: Some(apply::fold_apply),
        canonicalize: &[Pattern {
            name: "affine-apply",
            apply: apply::canonicalize_map,
        }],
        ..OpDef::PURE
    }
}
.with_format("affine-operands($mapOperands, $map) attr-dict");

const MIN_MAX: OpDef = OpDef {
    operands: &[ValueSpec::variadic("operands", &INDEX)],
    results: &[ValueSpec::one("", &INDEX)],
    attributes: &[MAP],
    verify: apply::verify_min_max,
    fold: Some(apply::fold_min_max),
    canonicalize: &[
        Pattern {
            name: "affine-min-max-of-one",
            apply: apply::single_result,
        },
        Pattern {
            name: "affine-min-max-redundant",
            apply: apply::drop_redundant_results,
        },
        Pattern {
            name: "affine-min-max-nested",
            apply: apply::merge_nested,
        },
        Pattern {
            name: "affine-min-max",
            apply: apply::canonicalize_map,
        },
    ],
    ..OpDef::PURE
};

/// `affine.min`: the smallest result of an affine map.
pub static MIN: OpDef = const {
    OpDef {
        name: "affine.min",
        ..MIN_MAX
    }
}
.with_format("affine-operands($operands, $map) attr-dict");

/// `affine.max`: the largest result of an affine map.
pub static MAX: OpDef = const {
    OpDef {
        name: "affine.max",
        ..MIN_MAX
    }
}
.with_format("affine-operands($operands, $map) attr-dict");

const LOAD_BASE: OpDef = OpDef {
    operands: &[
        ValueSpec::one("memref", &MEMREF),
        ValueSpec::variadic("indices", &INDEX),
    ],
    attributes: &[MAP],
    effects: Some(|ir, op, out| out.read(ir.operand(op, 0))),
    canonicalize: LOAD_PATTERNS,
    ..OpDef::BASE
};
const LOAD_PATTERNS: &[Pattern] = &[
    Pattern {
        name: "affine-access-indices",
        apply: |rw, op| memory::canonicalize_indices(rw, op, 1),
    },
    Pattern {
        name: "affine-access-cast",
        apply: memory::look_through_casts,
    },
];
const STORE_BASE: OpDef = OpDef {
    attributes: &[MAP],
    effects: Some(|ir, op, out| out.write(ir.operand(op, 1))),
    canonicalize: &[
        Pattern {
            name: "affine-access-indices",
            apply: |rw, op| memory::canonicalize_indices(rw, op, 2),
        },
        Pattern {
            name: "affine-access-cast",
            apply: memory::look_through_casts,
        },
    ],
    ..OpDef::BASE
};

/// `affine.load`
pub static LOAD: OpDef = const { OpDef {
    name: "affine.load",
    keeps_operand: keeps_nothing,
    results: &[ValueSpec::one("result", &ANY)],
    verify: memory::verify_load,
    ..LOAD_BASE
} }
.with_format("$memref affine-subscripts($indices, $map) attr-dict `:` type($memref) where $result = element($memref)");

/// `affine.store`
pub static STORE: OpDef = const { OpDef {
    name: "affine.store",
    operands: &[
        ValueSpec::one("value", &ANY),
        ValueSpec::one("memref", &MEMREF),
        ValueSpec::variadic("indices", &INDEX),
    ],
    verify: memory::verify_store,
    ..STORE_BASE
} }
.with_format("$value `,` $memref affine-subscripts($indices, $map) attr-dict `:` type($memref) where $value = element($memref)");

/// `affine.vector_load`: contiguous elements as a vector.
pub static VECTOR_LOAD: OpDef = const {
    OpDef {
        name: "affine.vector_load",
        keeps_operand: keeps_nothing,
        results: &[ValueSpec::one("result", &VECTOR)],
        verify: memory::verify_vector_load,
        ..LOAD_BASE
    }
}
.with_format(
    "$memref affine-subscripts($indices, $map) attr-dict `:` type($memref) `,` type($result)",
);

/// `affine.vector_store`: contiguous elements from a vector.
pub static VECTOR_STORE: OpDef = const { OpDef {
    name: "affine.vector_store",
    operands: &[
        ValueSpec::one("value", &VECTOR),
        ValueSpec::one("memref", &MEMREF),
        ValueSpec::variadic("indices", &INDEX),
    ],
    verify: memory::verify_vector_store,
    ..STORE_BASE
} }
.with_format("$value `,` $memref affine-subscripts($indices, $map) attr-dict `:` type($memref) `,` type($value)");

/// `affine.prefetch`: a hint that an element is about to be used.
pub static PREFETCH: OpDef = const { OpDef {
    name: "affine.prefetch",
    operands: &[
        ValueSpec::one("memref", &MEMREF),
        ValueSpec::variadic("indices", &INDEX),
    ],
    attributes: &[
        AttrSpec::required(Name::IS_WRITE, &IS_WRITE),
        AttrSpec::required(Name::LOCALITY_HINT, &LOCALITY_HINT),
        AttrSpec::required(Name::IS_DATA_CACHE, &IS_DATA_CACHE),
        MAP,
    ],
    verify: memory::verify_prefetch,
    canonicalize: LOAD_PATTERNS,
    ..OpDef::BASE
} }
.with_format("$memref affine-subscripts($indices, $map) `,` $isWrite `,` `locality` `<` $localityHint `>` `,` $isDataCache attr-dict `:` type($memref)");

/// `affine.dma_start`: begins to copy between memories.
pub static DMA_START: OpDef = OpDef {
    name: "affine.dma_start",
    operands: &[ValueSpec::variadic("", &ANY)],
    parse: Some(memory::parse_dma_start),
    print: Some(memory::print_dma_start),
    verify: memory::verify_dma_start,
    effects: Some(|ir, op, out| {
        if let Some([source, destination, tag]) = dma_memrefs(ir, op) {
            out.read(source);
            out.write(destination);
            out.read(tag);
        }
    }),
    request: Some(|ir, op| dma_memrefs(ir, op).map(|[.., tag]| Request::Tagged(tag))),
    canonicalize: &[Pattern {
        name: "affine-access-cast",
        apply: memory::look_through_casts,
    }],
    ..OpDef::BASE
};

/// `affine.dma_wait`: waits until a copy is done.
pub static DMA_WAIT: OpDef = OpDef {
    name: "affine.dma_wait",
    operands: &[ValueSpec::variadic("", &ANY)],
    parse: Some(memory::parse_dma_wait),
    print: Some(memory::print_dma_wait),
    verify: memory::verify_dma_wait,
    // To wait is more than to read: who does may not be removed.
    effects: Some(|ir, op, out| {
        out.read(ir.operand(op, 0));
        out.write(ir.operand(op, 0));
    }),
    canonicalize: &[Pattern {
        name: "affine-access-cast",
        apply: memory::look_through_casts,
    }],
    ..OpDef::BASE
};

/// The dialect.
pub static DIALECT: DialectDef = DialectDef {
    namespace: "affine",
    ops: &[
        &APPLY,
        &DELINEARIZE_INDEX,
        &LINEARIZE_INDEX,
        &DMA_START,
        &DMA_WAIT,
        &FOR,
        &IF,
        &LOAD,
        &MAX,
        &MIN,
        &PARALLEL,
        &PREFETCH,
        &STORE,
        &VECTOR_LOAD,
        &VECTOR_STORE,
        &YIELD,
    ],
    ..DialectDef::BASE
};

/// The affine map that attribute `name` of `op` holds.
pub fn map_of(ir: &Ir, op: Op, name: Name) -> Option<&AffineMap> {
    ir.context()
        .attr_affine_map(ir.attr(op, name)?)
        .map(|map| &**map)
}

/// The map in attribute `name` with the operands of `op` from `first` on;
/// `None` if their numbers disagree.
pub fn map_and_operands(ir: &Ir, op: Op, name: Name, first: usize) -> Option<MapAndOperands> {
    let map = map_of(ir, op, name)?;
    let operands = ir.operands(op).get(first..)?;
    if (map.n_dims + map.n_symbols) as usize != operands.len() {
        return None;
    }
    Some(MapAndOperands::new(map.clone(), operands))
}

/// The number that `value` is a constant of.
fn constant_index_of(ir: &Ir, value: Value) -> Option<i64> {
    as_constant_index(ir, value)
}

/// `(%dims)[%symbols]`, resolved; returns the number of dimensions.
fn parse_dims_and_symbols(p: &mut dyn OpAsmParser<'_>, spec: &mut OpSpec) -> Result<usize, Failed> {
    let dims = p.parse_operand_list(Delimiter::Paren)?;
    let symbols = p.parse_operand_list(Delimiter::OptionalSquare)?;
    p.resolve_all(&dims, Type::INDEX, spec)?;
    p.resolve_all(&symbols, Type::INDEX, spec)?;
    Ok(dims.len())
}

/// `(%dims)[%symbols]`
fn print_dims_and_symbols(p: &mut dyn OpAsmPrinter, operands: &[Value], n_dims: usize) {
    let (dims, symbols) = operands.split_at(n_dims.min(operands.len()));
    p.text("(");
    p.values(dims);
    p.text(")");
    if !symbols.is_empty() {
        p.text("[");
        p.values(symbols);
        p.text("]");
    }
}
