//! What functions are to their callers, recorded before passes change them.

use freehold_backend::{Declaration, Label};
use freehold_frontend::ir::attrs::{Attr, AttrKind};
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::TypeKind;
use freehold_frontend::syntax::printer::type_to_string;
use freehold_passes::analysis::only_read::only_read_arguments;
use freehold_passes::ownership::donated_arguments::donated_arguments;
use freehold_passes::rewrite::functions;

/// What the functions of a module are to those who call them, by name. With `donate`, they write to what callers donate.
pub(crate) fn of(module: &Ir, donate: bool) -> Vec<(String, Declaration)> {
    let stubs = functions::functions(module).into_iter();
    let functions = stubs.filter_map(|stub| module.nested(stub));
    functions
        .filter_map(|function| {
            let context = function.context();
            let name = function.symbol_name(function.root())?;
            let ty = function.function_type(function.root())?;
            let TypeKind::Function { inputs, results } = context.type_kind(ty) else {
                return None;
            };
            let text = |&ty| type_to_string(context, ty);
            let mut only_read = only_read_arguments(function);
            if donate {
                let donated = donated_arguments(function);
                for (is_only_read, is_donated) in only_read.iter_mut().zip(donated) {
                    *is_only_read &= !is_donated;
                }
            }
            let declaration = Declaration {
                arguments: inputs.iter().map(text).zip(only_read).collect(),
                results: results.iter().map(text).collect(),
                argument_labels: labels(function, Name::ARG_ATTRS),
                result_labels: labels(function, Name::RES_ATTRS),
            };
            Some((name.to_owned(), declaration))
        })
        .collect()
}

/// What a function calls its arguments or results; nothing if it has no names for them.
fn labels(function: &Ir, attrs: Name) -> Vec<Label> {
    let context = function.context();
    let list = function.attr(function.root(), attrs);
    let list = list.and_then(|list| context.attr_array(list));
    let [name, dims] = ["onnx.name", "onnx.dim_params"].map(|name| context.intern_name(name));
    let label = |&attr: &Attr| {
        let AttrKind::Dictionary(dict) = *context.attr_kind(attr) else {
            return Label::default();
        };
        let text = |name| {
            let found = context.dict_get(dict, name);
            let text = found.and_then(|attr| context.attr_string(attr));
            text.unwrap_or_default().to_owned()
        };
        Label {
            name: text(name),
            dims: text(dims),
        }
    };
    let labels: Vec<Label> = list.unwrap_or_default().iter().map(label).collect();
    match labels.iter().all(|label| label.name.is_empty()) {
        true => Vec::new(),
        false => labels,
    }
}
