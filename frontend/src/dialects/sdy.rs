//! The part of the `sdy` dialect that JAX puts around programs: meshes of devices, and which part of a tensor each
//! device has.
//!
//! Nothing of it is compiled: `drop-shardings` leaves what one device does. Operations are read and printed in generic
//! form, and attributes are kept as text.

use std::fmt::Write as _;

use crate::ir::attrs::{Attr, AttrKind};
use crate::ir::bytecode_interface::{BytecodeDialectInterface, DialectBytecodeReader, Result};
use crate::ir::constraints::{ANY, ANY_ATTR, STRING_ATTR, TENSOR};
use crate::ir::names::Name;
use crate::ir::op_def::{AttrSpec, DialectDef, OpDef, Traits, ValueSpec};

/// `sdy.mesh`: devices by the names of axes.
pub static MESH: OpDef = OpDef {
    name: "sdy.mesh",
    traits: Traits::SYMBOL,
    attributes: &[
        AttrSpec::required(Name::SYM_NAME, &STRING_ATTR),
        AttrSpec::required(Name::MESH, &ANY_ATTR),
    ],
    ..OpDef::BASE
};

const SHARDED: OpDef = OpDef {
    operands: &[ValueSpec::one("input", &TENSOR)],
    results: &[ValueSpec::one("result", &TENSOR)],
    attributes: &[AttrSpec::required(Name::SHARDING, &ANY_ATTR)],
    ..OpDef::PURE
};

/// `sdy.sharding_constraint`: a tensor, and where its parts are to be.
pub static SHARDING_CONSTRAINT: OpDef = OpDef {
    name: "sdy.sharding_constraint",
    ..SHARDED
};

/// `sdy.reshard`: a tensor whose parts go elsewhere.
pub static RESHARD: OpDef = OpDef {
    name: "sdy.reshard",
    ..SHARDED
};

/// `sdy.manual_computation`: what each device does with its parts of tensors.
pub static MANUAL_COMPUTATION: OpDef = OpDef {
    name: "sdy.manual_computation",
    operands: &[ValueSpec::variadic("tensors", &ANY)],
    results: &[ValueSpec::variadic("results", &ANY)],
    attributes: &[
        AttrSpec::required(Name::IN_SHARDINGS, &ANY_ATTR),
        AttrSpec::required(Name::OUT_SHARDINGS, &ANY_ATTR),
        AttrSpec::required(Name::MANUAL_AXES, &ANY_ATTR),
    ],
    regions: (1, 1),
    ..OpDef::BASE
};

/// `sdy.return`: the end of a manual computation.
pub static RETURN: OpDef = OpDef {
    name: "sdy.return",
    operands: &[ValueSpec::variadic("results", &ANY)],
    traits: Traits::TERMINATOR,
    ..OpDef::PURE
};

/// Attributes in bytecode have an encoding of their own. Nothing looks into them, so they are kept as bytes.
static BYTECODE: BytecodeDialectInterface = BytecodeDialectInterface {
    read_attribute,
    ..BytecodeDialectInterface::BASE
};

fn read_attribute(reader: &mut dyn DialectBytecodeReader) -> Result<Attr> {
    let mut body = "encoded<0x".to_owned();
    while reader.n_left() > 0 {
        let byte = reader.read_byte()?;
        // Writing to a string cannot fail.
        let _ = write!(body, "{byte:02X}");
    }
    body.push('>');
    let context = reader.context();
    Ok(context.intern_attr(AttrKind::Dialect {
        dialect: context.intern_name("sdy"),
        body: body.into(),
        ty: None,
    }))
}

/// The dialect.
pub static DIALECT: DialectDef = DialectDef {
    namespace: "sdy",
    ops: &[
        &MANUAL_COMPUTATION,
        &MESH,
        &RESHARD,
        &RETURN,
        &SHARDING_CONSTRAINT,
    ],
    bytecode: Some(&BYTECODE),
    ..DialectDef::BASE
};
