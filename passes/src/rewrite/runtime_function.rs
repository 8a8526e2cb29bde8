//! Functions of the runtime library that passes call, and how modules declare them.

use std::sync::Arc;

use freehold_frontend::dialects::func;
use freehold_frontend::ir::attrs::Attr;
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::Value;
use freehold_frontend::ir::location::Loc;
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::symbols::SymbolTable;
use freehold_frontend::ir::types::{Type, TypeKind};

use crate::rewrite::functions;

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
    /// Whether a module may refer to it: its name is free, or declared the same way.
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

/// Lets `convert` put calls of `functions` into all functions of a module and of those inside of it; it
/// is told which of them the module may refer to, what the module defines, and says how often it called each. They
/// are declared where they are called. Returns the number of calls.
pub(crate) fn call_runtime<const N: usize>(
    ir: &mut Ir,
    functions: &'static [RuntimeFunction; N],
    convert: &(impl Fn(&mut Ir, [bool; N], &SymbolTable) -> [u64; N] + Sync),
) -> u64 {
    let symbols = SymbolTable::of(ir);
    let context = Arc::clone(ir.context());
    let callable = functions
        .each_ref()
        .map(|function| function.is_declarable(&context, &symbols));
    let calls = functions::map_functions(ir, |function| convert(function, callable, &symbols));
    for (i, function) in functions.iter().enumerate() {
        if calls.iter().any(|calls| calls[i] != 0) && symbols.get(function.name).is_none() {
            function.declare(ir);
        }
    }
    let mut n_calls = calls.iter().flatten().sum();
    for stub in functions::nested_modules(ir) {
        if let Some(nested) = ir.nested_mut(stub) {
            n_calls += call_runtime(nested, functions, convert);
        }
    }
    n_calls
}

/// Calls a function that uses the addresses it is given only until it returns. The call says so
/// (`freehold.keeps_nothing`), so whose addresses they are may be freed behind it.
pub(crate) fn build_borrowing_call(builder: &mut Builder<'_>, name: &str, arguments: &[Value]) {
    let call = func::build_call(builder, name, &[], arguments);
    builder.ir.set_attr(call, Name::KEEPS_NOTHING, Attr::UNIT);
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

/// Declares a private function of this type at the end of the module `ir`.
pub(crate) fn declare_private(ir: &mut Ir, name: &str, ty: Type) {
    let context = Arc::clone(ir.context());
    let TypeKind::Function { inputs, results } = context.type_kind(ty) else {
        unreachable!("it is the type of a function");
    };
    let declaration = private_function(&context, ir.loc(ir.root()), name, inputs, results);
    let block = ir.root_block().expect("modules have a body");
    let stub = ir.create_nested(declaration);
    ir.append_op(block, stub);
}
