//! Functions of the runtime library that passes call, and how modules declare them.

use std::sync::Arc;

use freehold_frontend::dialects::func;
use freehold_frontend::ir::attrs::Attr;
use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::location::Loc;
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::symbols::SymbolTable;
use freehold_frontend::ir::types::Type;

/// A function of the runtime library.
pub(crate) struct RuntimeFunction {
    pub(crate) name: &'static str,
    /// Types of parameters and results.
    pub(crate) signature: fn(&Context) -> (Vec<Type>, Vec<Type>),
    /// Whether it is called through its C interface: memref results are passed
    /// alike on all targets only there.
    pub(crate) c_interface: bool,
}

impl RuntimeFunction {
    /// Whether a module may refer to it: its name is free, or is declared as
    /// what it is.
    pub(crate) fn is_declarable(&self, context: &Context, symbols: &SymbolTable) -> bool {
        let (inputs, results) = (self.signature)(context);
        let ty = context.function_type(&inputs, &results);
        symbols.get(self.name).is_none_or(|symbol| {
            let c_interface = context.dict_get(symbol.attrs, Name::EMIT_C_INTERFACE);
            !symbol.has_body
                && symbol.function_type == Some(ty)
                && c_interface.is_some() == self.c_interface
        })
    }

    /// Declares it at the end of the module `ir`.
    pub(crate) fn declare(&self, ir: &mut Ir) {
        let context = Arc::clone(ir.context());
        let (inputs, results) = (self.signature)(&context);
        let loc = ir.loc(ir.root());
        let mut declaration = private_function(&context, loc, self.name, &inputs, &results);
        if self.c_interface {
            let root = declaration.root();
            declaration.set_attr(root, Name::EMIT_C_INTERFACE, Attr::UNIT);
        }
        let block = ir.root_block().expect("modules have a body");
        let stub = ir.create_nested(declaration);
        ir.append_op(block, stub);
    }
}

/// A private function without a body.
pub(crate) fn private_function(
    context: &Arc<Context>,
    loc: Loc,
    name: &str,
    inputs: &[Type],
    results: &[Type],
) -> Ir {
    let mut ir = func::function(context, loc, name, inputs, results);
    let root = ir.root();
    ir.set_attr(root, Name::SYM_VISIBILITY, context.string_attr("private"));
    ir
}
