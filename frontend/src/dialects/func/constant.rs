//! `func.constant`: a function as a value.

use crate::ir::constraints::{ANY, FLAT_SYMBOL_REF_ATTR};
use crate::ir::data::Ir;
use crate::ir::entities::Op;
use crate::ir::names::Name;
use crate::ir::op_def::{AttrSpec, OpDef, OpError, Traits, ValueSpec};
use crate::ir::symbols::SymbolTable;
use crate::op_view;

use super::FUNC;

/// `func.constant`
pub static CONSTANT: OpDef = const {
    OpDef {
        name: "func.constant",
        traits: Traits::CONSTANT_LIKE.and(Traits::SPECULATABLE),
        results: &[ValueSpec::one("result", &ANY)],
        attributes: &[AttrSpec::required(Name::VALUE, &FLAT_SYMBOL_REF_ATTR)],
        verify_symbols: Some(verify_symbols),
        result_names: Some(|ir, op, name| name(ir.result(op, 0), "f")),
        ..OpDef::PURE
    }
}
.with_format("attr-dict $value `:` type($result)");

op_view! {
    /// `func.constant`
    Constant, CONSTANT {}
}

impl Constant {
    /// The name of the function.
    pub fn function_name(self, ir: &Ir) -> &str {
        ir.attr(self.0, Name::VALUE)
            .and_then(|attr| ir.context().attr_flat_symbol(attr))
            .unwrap_or_default()
    }
}

fn verify_symbols(ir: &Ir, op: Op, symbols: &SymbolTable) -> Result<(), OpError> {
    let name = Constant(op).function_name(ir);
    let function_type = symbols
        .get(name)
        .filter(|symbol| std::ptr::eq(symbol.def, &FUNC))
        .ok_or_else(|| format!("reference to undefined function '{name}'"))?
        .function_type;
    if function_type != Some(ir.value_type(ir.result(op, 0))) {
        return Err("reference to function with mismatched type".into());
    }
    Ok(())
}
