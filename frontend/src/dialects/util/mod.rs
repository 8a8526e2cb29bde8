//! The part of IREE's `util` dialect that models are wrapped in. Its functions
//! are those of `func` by other names, and are read as such; globals go away
//! with `strip-model-wrappers`.

use crate::dialects::func;
use crate::ir::asm::OpAsmParser;
use crate::ir::attrs::Attr;
use crate::ir::constraints::{ANY, ANY_ATTR, STRING_ATTR, SYMBOL_REF_ATTR, TYPE_ATTR, UNIT_ATTR};
use crate::ir::diag::Failed;
use crate::ir::edit::OpSpec;
use crate::ir::names::Name;
use crate::ir::op_def::{AttrSpec, DialectDef, OpDef, Traits, ValueSpec};

/// `util.null`: no object of a type.
pub static NULL: OpDef = OpDef {
    name: "util.null",
    results: &[ValueSpec::one("result", &ANY)],
    parse: Some(|p, spec| {
        p.parse_opt_attr_dict(spec)?;
        let ty = p.parse_colon_type()?;
        spec.results.push(ty);
        Ok(())
    }),
    ..OpDef::PURE
};

/// `util.global`: a value that lives as long as the program.
pub static GLOBAL: OpDef = OpDef {
    name: "util.global",
    traits: Traits::SYMBOL,
    attributes: &[
        AttrSpec::required(Name::SYM_NAME, &STRING_ATTR),
        AttrSpec::optional(Name::SYM_VISIBILITY, &STRING_ATTR),
        AttrSpec::optional(Name::IS_MUTABLE, &UNIT_ATTR),
        AttrSpec::required(Name::TYPE, &TYPE_ATTR),
        AttrSpec::optional(Name::INITIAL_VALUE, &ANY_ATTR),
    ],
    parse: Some(|p, spec| {
        parse_global_name(p, spec)?;
        p.parse_opt_attr_dict(spec)?;
        let context = p.context();
        if !p.parse_opt_token("=") {
            let ty = p.parse_colon_type()?;
            spec.set_attr(Name::TYPE, context.type_attr(ty));
            return Ok(());
        }
        let loc = p.loc();
        let value = p.parse_attr(None)?;
        let Some(ty) = context.attr_carried_type(value) else {
            return Err(p.error(loc, "expected a value with a type"));
        };
        spec.set_attr(Name::INITIAL_VALUE, value);
        spec.set_attr(Name::TYPE, context.type_attr(ty));
        Ok(())
    }),
    ..OpDef::BASE
};

/// `util.global.load`: the value of a global.
pub static GLOBAL_LOAD: OpDef = OpDef {
    name: "util.global.load",
    results: &[ValueSpec::one("result", &ANY)],
    attributes: &[
        AttrSpec::required(Name::GLOBAL, &SYMBOL_REF_ATTR),
        AttrSpec::optional(Name::IS_IMMUTABLE, &UNIT_ATTR),
    ],
    parse: Some(|p, spec| {
        if p.parse_opt_keyword("immutable") {
            spec.set_attr(Name::IS_IMMUTABLE, Attr::UNIT);
        }
        let global = p.parse_symbol_ref()?;
        spec.set_attr(Name::GLOBAL, global);
        p.parse_opt_attr_dict(spec)?;
        let ty = p.parse_colon_type()?;
        spec.results.push(ty);
        Ok(())
    }),
    ..OpDef::BASE
};

/// The dialect, as far as models need it.
pub static DIALECT: DialectDef = DialectDef {
    namespace: "util",
    ops: &[&GLOBAL, &GLOBAL_LOAD, &NULL],
    aliases: &[
        ("util.call", &func::CALL),
        ("util.func", &func::FUNC),
        ("util.return", &func::RETURN),
    ],
    ..DialectDef::BASE
};

/// `private mutable @name`
pub(crate) fn parse_global_name(
    p: &mut dyn OpAsmParser<'_>,
    spec: &mut OpSpec,
) -> Result<(), Failed> {
    let context = p.context();
    for visibility in ["public", "private", "nested"] {
        if p.parse_opt_keyword(visibility) {
            spec.set_attr(Name::SYM_VISIBILITY, context.string_attr(visibility));
            break;
        }
    }
    if p.parse_opt_keyword("mutable") {
        spec.set_attr(Name::IS_MUTABLE, Attr::UNIT);
    }
    let name = p.parse_symbol_name()?;
    spec.set_attr(Name::SYM_NAME, context.string_attr(&name));
    Ok(())
}
