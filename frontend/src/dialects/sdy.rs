//! The part of the `sdy` dialect that JAX puts around programs: meshes of devices, and which part of a tensor each
//! device has.
//!
//! Nothing of it is compiled: `drop-shardings` leaves what one device does, and `stablehlo-partition` what each of several
//! does. Operations are read in both forms and printed in the generic one, and attributes are kept as text.

use std::fmt::Write as _;

use crate::ir::asm::{Delimiter, OpAsmParser};
use crate::ir::attrs::{Attr, AttrKind};
use crate::ir::bytecode_interface::{self, BytecodeDialectInterface, DialectBytecodeReader};
use crate::ir::constraints::{ANY, ANY_ATTR, STRING_ATTR, TENSOR};
use crate::ir::diag::Failed;
use crate::ir::edit::OpSpec;
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
    parse: Some(parse_mesh),
    ..OpDef::BASE
};

/// `@name = <["x"=2]>`
fn parse_mesh(parser: &mut dyn OpAsmParser<'_>, spec: &mut OpSpec) -> Result<(), Failed> {
    let name = parser.parse_symbol_name()?;
    spec.set_attr(Name::SYM_NAME, parser.context().string_attr(&name));
    parser.parse_token("=")?;
    let mesh = parser.parse_attr_text("sdy", "mesh", "")?;
    spec.set_attr(Name::MESH, mesh);
    parser.parse_opt_attr_dict(spec)
}

const SHARDED: OpDef = OpDef {
    operands: &[ValueSpec::one("input", &TENSOR)],
    results: &[ValueSpec::one("result", &TENSOR)],
    attributes: &[AttrSpec::required(Name::SHARDING, &ANY_ATTR)],
    parse: Some(parse_sharded),
    ..OpDef::PURE
};

/// `%x <@mesh, [{"x"}]> : tensor<4xf32>`
fn parse_sharded(parser: &mut dyn OpAsmParser<'_>, spec: &mut OpSpec) -> Result<(), Failed> {
    let input = parser.parse_operand()?;
    let sharding = parser.parse_attr_text("sdy", "sharding", "")?;
    spec.set_attr(Name::SHARDING, sharding);
    parser.parse_opt_attr_dict(spec)?;
    let ty = parser.parse_colon_type()?;
    spec.results.push(ty);
    parser.resolve(&input, ty, spec)
}

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
    traits: Traits::CONTROL_FLOW,
    operands: &[ValueSpec::variadic("tensors", &ANY)],
    results: &[ValueSpec::variadic("results", &ANY)],
    attributes: &[
        AttrSpec::required(Name::IN_SHARDINGS, &ANY_ATTR),
        AttrSpec::required(Name::OUT_SHARDINGS, &ANY_ATTR),
        AttrSpec::required(Name::MANUAL_AXES, &ANY_ATTR),
    ],
    regions: (1, 1),
    parse: Some(parse_manual_computation),
    ..OpDef::BASE
};

/// `(%x) in_shardings=[<...>] out_shardings=[<...>] manual_axes={"x"} (%a: tensor<2xf32>) { ... } : (...) -> ...`
fn parse_manual_computation(
    parser: &mut dyn OpAsmParser<'_>,
    spec: &mut OpSpec,
) -> Result<(), Failed> {
    let loc = parser.loc();
    let operands = parser.parse_operand_list(Delimiter::Paren)?;
    for (keyword, name) in [
        ("in_shardings", Name::IN_SHARDINGS),
        ("out_shardings", Name::OUT_SHARDINGS),
    ] {
        parser.parse_keyword(keyword)?;
        parser.parse_token("=")?;
        let shardings = parser.parse_attr_text("sdy", "sharding_per_value<", ">")?;
        spec.set_attr(name, shardings);
    }
    parser.parse_keyword("manual_axes")?;
    parser.parse_token("=")?;
    let axes = parser.parse_attr_text("sdy", "manual_axes", "")?;
    spec.set_attr(Name::MANUAL_AXES, axes);
    let arguments = parser.parse_argument_list(Delimiter::Paren, true, false)?;
    parser.parse_region(&arguments, spec)?;
    parser.parse_opt_attr_dict(spec)?;
    parser.parse_token(":")?;
    let (inputs, results) = parser.parse_functional_type()?;
    spec.results.extend(results);
    parser.resolve_each(&operands, &inputs, loc, spec)
}

/// `sdy.return`: the end of a manual computation.
pub static RETURN: OpDef = OpDef {
    name: "sdy.return",
    operands: &[ValueSpec::variadic("results", &ANY)],
    traits: Traits::TERMINATOR,
    parse: Some(parse_return),
    ..OpDef::PURE
};

/// `%x, %y : tensor<4xf32>, i32`
fn parse_return(parser: &mut dyn OpAsmParser<'_>, spec: &mut OpSpec) -> Result<(), Failed> {
    parser.parse_opt_attr_dict(spec)?;
    let loc = parser.loc();
    if !parser.peek_operand() {
        return Ok(());
    }
    let results = parser.parse_operand_list(Delimiter::None)?;
    let types = parser.parse_colon_type_list()?;
    parser.resolve_each(&results, &types, loc, spec)
}

/// Attributes in bytecode have an encoding of their own. They become the text that they are written as.
static BYTECODE: BytecodeDialectInterface = BytecodeDialectInterface {
    read_attribute,
    ..BytecodeDialectInterface::BASE
};

fn read_attribute(reader: &mut dyn DialectBytecodeReader) -> bytecode_interface::Result<Attr> {
    let code = reader.read_var_int()?;
    let body = match decode(code, reader) {
        Ok(Some(body)) if reader.n_left() == 0 => body,
        // What nothing here looks at, and what is newer.
        _ => {
            let mut body = format!("encoded<{code}, 0x");
            while reader.n_left() > 0 {
                let byte = reader.read_byte()?;
                // Writing to a string cannot fail.
                let _ = write!(body, "{byte:02X}");
            }
            body.push('>');
            body
        }
    };
    let context = reader.context();
    Ok(context.intern_attr(AttrKind::Dialect {
        dialect: context.intern_name("sdy"),
        body: body.into(),
        ty: None,
    }))
}

/// The text of an attribute, without the name of the dialect. Parts of others are as they stand in these.
fn decode(
    code: u64,
    reader: &mut dyn DialectBytecodeReader,
) -> bytecode_interface::Result<Option<String>> {
    Ok(Some(match code {
        // Axes by their names.
        0 => format!("manual_axes{{{}}}", read_list(reader)?),
        1 => {
            let (name, size) = (reader.read_text()?, reader.read_signed_var_int()?);
            format!("\"{name}\"={size}")
        }
        2 => {
            let axes = read_list(reader)?;
            let ids: Vec<i64> = (0..reader.read_count()?)
                .map(|_| reader.read_signed_var_int())
                .collect::<bytecode_interface::Result<_>>()?;
            match ids.is_empty() {
                true => format!("mesh<[{axes}]>"),
                false => format!("mesh<[{axes}], device_ids={ids:?}>"),
            }
        }
        3 => {
            let (before, size) = (reader.read_signed_var_int()?, reader.read_signed_var_int()?);
            format!("({before}){size}")
        }
        4 => {
            let name = reader.read_text()?;
            match reader.read_optional_attribute()? {
                Some(part) => format!("\"{name}\":{}", text_of(reader, part)?),
                None => format!("\"{name}\""),
            }
        }
        5 => {
            let axes = read_list(reader)?;
            let is_closed = reader.read_byte()? != 0;
            let priority = match reader.read_var_int_with_flag()? {
                (priority, true) => format!("p{priority}"),
                _ => String::new(),
            };
            match (axes.is_empty(), is_closed) {
                (_, true) => format!("{{{axes}}}{priority}"),
                (true, false) => format!("{{?}}{priority}"),
                (false, false) => format!("{{{axes}, ?}}{priority}"),
            }
        }
        6 | 15 | 17 => {
            let mesh = reader.read_attribute()?;
            let mesh = match reader.context().attr_flat_symbol(mesh) {
                Some(name) => format!("@{name}"),
                None => text_of(reader, mesh)?,
            };
            let mut body = format!("sharding<{mesh}, [{}]", read_list(reader)?);
            let lists: &[&str] = match code {
                6 => &["replicated"],
                _ => &["replicated", "unreduced"],
            };
            for name in lists {
                let axes = read_list(reader)?;
                if !axes.is_empty() {
                    // Writing to a string cannot fail.
                    let _ = write!(body, ", {name}={{{axes}}}");
                }
            }
            if code == 17 {
                let _ = write!(body, ", reduction={}", reader.read_signed_var_int()?);
            }
            body + ">"
        }
        7 | 16 => {
            let mut shardings = Vec::new();
            for _ in 0..reader.read_count()? {
                let sharding = reader.read_attribute()?;
                let sharding = text_of(reader, sharding)?;
                shardings.push(sharding.replacen("sharding", "", 1));
            }
            format!("sharding_per_value<[{}]>", shardings.join(", "))
        }
        _ => return Ok(None),
    }))
}

/// The texts of attributes behind their number, separated by commas.
fn read_list(reader: &mut dyn DialectBytecodeReader) -> bytecode_interface::Result<String> {
    let mut texts = Vec::new();
    for _ in 0..reader.read_count()? {
        let attr = reader.read_attribute()?;
        texts.push(text_of(reader, attr)?);
    }
    Ok(texts.join(", "))
}

/// The text of a part of an attribute.
fn text_of(reader: &dyn DialectBytecodeReader, attr: Attr) -> bytecode_interface::Result<String> {
    match reader.context().attr_kind(attr) {
        AttrKind::Dialect { body, .. } => Ok(body.to_string()),
        AttrKind::String(_) => {
            let text = reader.context().attr_string(attr).unwrap_or_default();
            Ok(format!("\"{text}\""))
        }
        _ => Err("unexpected part of an attribute".into()),
    }
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
