//! What goes into the interpreter and what comes out, as the command line has it.

use std::io;

use freehold_backend::jit::ElementType;
use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Diagnostics;
use freehold_frontend::ir::location::Loc;
use freehold_frontend::ir::types::{Type, TypeKind};
use freehold_frontend::syntax::printer::type_to_string;
use freehold_interpret::{Fault, FaultKind, Outcome, Passed, Shape, function_types};
use freehold_passes::analysis::only_read::only_read_arguments;

use crate::cli::io::Io;
use crate::cli::session;
use crate::cli::values::Array;

/// The message of a fault with its kind.
pub(crate) fn message(fault: &Fault) -> String {
    match fault.kind {
        FaultKind::Undefined | FaultKind::Memory => {
            format!("undefined behaviour: {}", fault.message)
        }
        FaultKind::Assertion | FaultKind::Unsupported | FaultKind::Limit => fault.message.clone(),
    }
}

/// Reports a fault at its operation.
pub(crate) fn report(fault: &Fault, context: &Context, io: &mut Io) -> io::Result<()> {
    let mut diagnostics = Diagnostics::new();
    diagnostics.error(fault.loc.unwrap_or(Loc::UNKNOWN), message(fault));
    for (loc, note) in &fault.notes {
        diagnostics.note(*loc, note.clone());
    }
    session::report(&diagnostics, context, io)
}

/// Arrays as arguments of these types.
pub(crate) fn inputs(
    context: &Context,
    arrays: Vec<Array>,
    types: &[Type],
) -> Result<Vec<Passed>, String> {
    let mut passed = Vec::new();
    for (index, array) in arrays.into_iter().enumerate() {
        let declared = types.get(index).map(|&ty| context.element_type_or_self(ty));
        let array = match declared.and_then(|ty| element_type(context, ty)) {
            Some(element) => array.read_as(element)?,
            None => array,
        };
        let Some(element) = array.element() else {
            return Err(format!("input #{index} has elements of no known type"));
        };
        let fits = declared
            .and_then(|ty| element_type(context, ty))
            .is_some_and(|declared| declared.accepts(element));
        let Some(declared) = declared.filter(|_| fits) else {
            let declared = types
                .get(index)
                .map_or(String::new(), |&ty| type_to_string(context, ty));
            return Err(format!(
                "argument #{index} is {declared}, which {element} does not fit"
            ));
        };
        passed.push(Passed {
            element: declared,
            sizes: array.sizes().iter().map(|&size| size as i64).collect(),
            bytes: array.bytes().to_vec(),
            undefined: Vec::new(),
        });
    }
    Ok(passed)
}

fn element_type(context: &Context, ty: Type) -> Option<ElementType> {
    ElementType::from_name(&type_to_string(context, ty))
}

/// Results, and arguments that the function may have written to, as arrays.
pub(crate) fn shown(
    module: &Ir,
    entry: &str,
    outcome: &Outcome,
) -> Vec<(&'static str, usize, Result<Array, String>)> {
    let context = module.context();
    let types = function_types(module, entry).map_or(Vec::new(), |(arguments, _)| arguments);
    let only_read = module.root_block().and_then(|block| {
        let mut functions = module.ops_in(block).filter_map(|op| module.nested(op));
        let named = |function: &&Ir| function.symbol_name(function.root()) == Some(entry);
        functions.find(named).map(only_read_arguments)
    });
    let only_read = only_read.unwrap_or_default();
    let mut shown: Vec<_> = outcome
        .results
        .iter()
        .enumerate()
        .map(|(index, shape)| ("result", index, array(context, shape)))
        .collect();
    for (index, (shape, &ty)) in outcome.arguments.iter().zip(&types).enumerate() {
        let is_buffer = matches!(
            context.type_kind(ty),
            TypeKind::MemRef(_) | TypeKind::UnrankedMemRef { .. }
        );
        if is_buffer && !only_read.get(index).copied().unwrap_or(false) {
            shown.push(("argument", index, array(context, shape)));
        }
    }
    shown
}

/// What came out as an array.
pub(crate) fn array(context: &Context, shape: &Shape) -> Result<Array, String> {
    let passed = match shape {
        Shape::Value(passed) => passed,
        Shape::Other(ty) => {
            return Err(format!(
                "{}, which cannot be shown",
                type_to_string(context, *ty)
            ));
        }
    };
    let Some(element) = element_type(context, passed.element) else {
        return Err(format!(
            "elements of type {}, which cannot be shown",
            type_to_string(context, passed.element)
        ));
    };
    let sizes: Vec<usize> = passed.sizes.iter().map(|&size| size as usize).collect();
    Array::of_bytes(element, &sizes, &passed.bytes)
}
