//! The `ml_program` dialect: functions, which are those of `func` by other
//! names and are read as such, and globals of models, which go away with
//! `strip-model-wrappers`.

use crate::dialects::{func, util};
use crate::ir::constraints::{ANY, ANY_ATTR, STRING_ATTR, SYMBOL_REF_ATTR, TYPE_ATTR, UNIT_ATTR};
use crate::ir::names::Name;
use crate::ir::op_def::{AttrSpec, DialectDef, OpDef, ParseFn, Traits, ValueSpec};

/// `ml_program.global`: a value that lives as long as the program.
pub static GLOBAL: OpDef = OpDef {
    name: "ml_program.global",
    traits: Traits::SYMBOL,
    attributes: &[
        AttrSpec::required(Name::SYM_NAME, &STRING_ATTR),
        AttrSpec::required(Name::TYPE, &TYPE_ATTR),
        AttrSpec::optional(Name::IS_MUTABLE, &UNIT_ATTR),
        AttrSpec::optional(Name::VALUE, &ANY_ATTR),
        AttrSpec::optional(Name::SYM_VISIBILITY, &STRING_ATTR),
    ],
    parse: Some(|p, spec| {
        util::parse_global_name(p, spec)?;
        if p.parse_opt_token("(") {
            let value = p.parse_attr(None)?;
            spec.set_attr(Name::VALUE, value);
            p.parse_token(")")?;
        }
        let ty = p.parse_colon_type()?;
        let ty = p.context().type_attr(ty);
        spec.set_attr(Name::TYPE, ty);
        p.parse_opt_attr_dict(spec)
    }),
    ..OpDef::BASE
};

const PARSE_LOAD: ParseFn = |p, spec| {
    let global = p.parse_symbol_ref()?;
    spec.set_attr(Name::GLOBAL, global);
    let ty = p.parse_colon_type()?;
    spec.results.push(ty);
    p.parse_opt_attr_dict(spec)
};

/// `ml_program.global_load`: the value of a global.
pub static GLOBAL_LOAD: OpDef = OpDef {
    name: "ml_program.global_load",
    results: &[ValueSpec::one("result", &ANY)],
    attributes: &[AttrSpec::required(Name::GLOBAL, &SYMBOL_REF_ATTR)],
    parse: Some(PARSE_LOAD),
    ..OpDef::BASE
};

/// `ml_program.global_load_const`: the value of a global that never changes.
pub static GLOBAL_LOAD_CONST: OpDef = OpDef {
    name: "ml_program.global_load_const",
    results: &[ValueSpec::one("result", &ANY)],
    attributes: &[AttrSpec::required(Name::GLOBAL, &SYMBOL_REF_ATTR)],
    parse: Some(PARSE_LOAD),
    ..OpDef::PURE
};

/// `ml_program.global_store`: gives a global another value.
pub static GLOBAL_STORE: OpDef = OpDef {
    name: "ml_program.global_store",
    operands: &[ValueSpec::one("value", &ANY)],
    attributes: &[AttrSpec::required(Name::GLOBAL, &SYMBOL_REF_ATTR)],
    parse: Some(|p, spec| {
        let global = p.parse_symbol_ref()?;
        spec.set_attr(Name::GLOBAL, global);
        p.parse_token("=")?;
        let value = p.parse_operand()?;
        let ty = p.parse_colon_type()?;
        p.resolve(&value, ty, spec)?;
        p.parse_opt_attr_dict(spec)
    }),
    ..OpDef::BASE
};

/// The dialect, but for graphs.
pub static DIALECT: DialectDef = DialectDef {
    namespace: "ml_program",
    ops: &[&GLOBAL, &GLOBAL_LOAD, &GLOBAL_LOAD_CONST, &GLOBAL_STORE],
    aliases: &[
        ("ml_program.func", &func::FUNC),
        ("ml_program.return", &func::RETURN),
    ],
    ..DialectDef::BASE
};
