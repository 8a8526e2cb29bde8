//! The function that a program calls `main`, as others are to call it: C has a `main` of its own.

use freehold_frontend::dialects::func;
use freehold_frontend::ir::attrs::{Attr, AttrKind};
use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::{Diagnostics, Failed};
use freehold_frontend::ir::entities::Op;
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::TypeKind;
use freehold_passes::rewrite::functions;

/// What programs call it.
const MAIN: &str = "main";

/// The function of this name.
fn find(module: &Ir, name: &str) -> Option<Op> {
    let stubs = functions::functions(module);
    stubs
        .into_iter()
        .find(|&stub| module.symbol_name(stub) == Some(name))
}

/// Makes the function `name` public to unknown callers.
pub(crate) fn publish(module: &mut Ir, name: &str) {
    if let Some(function) = find(module, name).and_then(|stub| module.nested_mut(stub))
        && function.root_block().is_some()
    {
        let root = function.root();
        function.remove_attr(root, Name::SYM_VISIBILITY);
    }
}

/// Whether the function is one that C's `main` cannot be: it takes arguments, or returns more than an exit status.
fn is_unlike_main(function: &Ir) -> bool {
    let context = function.context();
    let ty = function.function_type(function.root());
    let Some(TypeKind::Function { inputs, results }) = ty.map(|ty| context.type_kind(ty)) else {
        return false;
    };
    let is_status = match results[..] {
        [] => true,
        [result] => matches!(context.type_kind(result), TypeKind::Integer { .. }),
        _ => false,
    };
    !inputs.is_empty() || !is_status
}

/// Renames `@main` to `name` and gives it an interface for C. Without a name that was asked for, that happens to
/// functions that cannot be C's, which get the name of the file.
pub(crate) fn rename(
    module: &mut Ir,
    name: &str,
    file: Option<&str>,
    diagnostics: &mut Diagnostics,
) -> Result<(), Failed> {
    let main = find(module, MAIN);
    let found = main.and_then(|stub| module.nested(stub));
    let Some(found) = found.filter(|function| function.root_block().is_some()) else {
        if name.is_empty() {
            return Ok(());
        }
        let loc = module.loc(module.root());
        return Err(diagnostics.error(loc, "--entry-name: the program has no function 'main'"));
    };
    let name = match (name, file) {
        ("", Some(file)) if is_unlike_main(found) => identifier(file),
        ("", _) => return Ok(()),
        (name, _) => name.to_owned(),
    };
    let loc = found.loc(found.root());
    if name != MAIN
        && let Some(taken) = symbol(module, &name)
    {
        // Programs of JAX have private functions of the names of its own: `jax.numpy.fft.fft` is one.
        if !is_private_definition(module, taken) {
            let message =
                format!("'main' cannot be called '{name}': there is such a symbol already");
            let hint = "--entry-name names another one";
            return Err(diagnostics.error(loc, format!("{message}; {hint}")));
        }
        let mut others = (0u32..).map(|i| format!("{name}_{i}"));
        let other = others.find(|other| symbol(module, other).is_none());
        replace_symbol(module, &name, &other.expect("there are fewer symbols"));
    }
    let main = find(module, MAIN);
    replace_symbol(module, MAIN, &name);
    if let Some(function) = main.and_then(|stub| module.nested_mut(stub)) {
        let root = function.root();
        function.set_attr(root, Name::EMIT_C_INTERFACE, Attr::UNIT);
        function.remove_attr(root, Name::SYM_VISIBILITY);
    }
    Ok(())
}

/// The operation of the module that this is the name of.
fn symbol(module: &Ir, name: &str) -> Option<Op> {
    let mut ops = module.ops_in(module.root_block()?);
    ops.find(|&op| {
        let own = module.nested(op).map(|nested| (nested, nested.root()));
        let (ir, op) = own.unwrap_or((module, op));
        ir.symbol_name(op) == Some(name)
    })
}

/// Whether others cannot know what this function is called.
fn is_private_definition(module: &Ir, op: Op) -> bool {
    let function = module.nested(op).filter(|_| module.is(op, &func::FUNC));
    function.is_some_and(|ir| ir.is_private(ir.root()) && ir.root_block().is_some())
}

/// Gives a function another name, and everything that refers to it.
fn replace_symbol(module: &mut Ir, old: &str, new: &str) {
    let context = module.context().clone();
    let references = (context.symbol_ref_attr(old), context.symbol_ref_attr(new));
    for stub in functions::functions(module) {
        let is_it = module.symbol_name(stub) == Some(old);
        let Some(function) = module.nested_mut(stub) else {
            continue;
        };
        let root = function.root();
        for op in function.collect_ops(root) {
            for (key, value) in context.dict(function.attrs(op)).to_vec() {
                let renamed = replace_references(&context, value, references);
                if renamed != value {
                    function.set_attr(op, key, renamed);
                }
            }
        }
        if is_it {
            function.set_attr(root, Name::SYM_NAME, context.string_attr(new));
        }
    }
}

/// An attribute with the second of `references` where the first was.
fn replace_references(context: &Context, attr: Attr, references: (Attr, Attr)) -> Attr {
    match context.attr_kind(attr) {
        _ if attr == references.0 => references.1,
        AttrKind::Array(elements) => {
            let elements = elements.iter();
            let elements: Vec<Attr> = elements
                .map(|&element| replace_references(context, element, references))
                .collect();
            context.array_attr(&elements)
        }
        _ => attr,
    }
}

/// The name of a file as one of C.
fn identifier(file: &str) -> String {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut name: String = file
        .chars()
        .map(|c| if is_word(c) { c } else { '_' })
        .collect();
    if name.is_empty() || name == MAIN || name.starts_with(|c: char| c.is_ascii_digit()) {
        name.insert_str(0, "model_");
    }
    name
}

#[cfg(test)]
mod tests {
    use super::identifier;

    #[test]
    fn names_of_files_become_names_of_c() {
        for (file, name) in [
            ("model", "model"),
            ("my-model.v2", "my_model_v2"),
            ("2layers", "model_2layers"),
            ("main", "model_main"),
            ("größe", "gr__e"),
        ] {
            assert_eq!(identifier(file), name);
        }
    }
}
