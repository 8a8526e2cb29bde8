//! `convert-declared-to-calls`: operations of `--irdl-file` become calls of the C functions that stand for them.
//!
//! Before, where the file says `freehold.c_function = "norm_{kind}"` of `demo.norm`:
//! ```text
//! %0 = "demo.norm"(%m) {kind = "max"} : (memref<?xf32>) -> f32
//! ```
//! After:
//! ```text
//! %0 = call @norm_max(%m) : (memref<?xf32>) -> f32
//! ```
//!
//! Types with `freehold.as` become what that says, wherever they are. A result that is an operand
//! (`freehold.same`) is no result of the function, and an operation that does nothing but hand on operands goes. What else
//! has no function stays, for another tool or an error of the code generator.

use std::sync::Arc;

use freehold_frontend::dialects::{arith, func};
use freehold_frontend::ir::attrs::{Attr, AttrKind};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::declared::{CFunction, CallArgument, Declared, string_attribute};
use freehold_frontend::ir::diag::{Diagnostics, Failed};
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::symbols::SymbolTable;
use freehold_frontend::ir::types::{Type, TypeKind};
use freehold_frontend::syntax::declared::representation;
use freehold_frontend::syntax::printer::type_to_string;
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use crate::manage::pass::{Anchor, PassDef};
use crate::rewrite::functions;
use crate::rewrite::runtime_function::declare_private;
use crate::rewrite::signature::Signature;

/// The pass.
pub static PASS: PassDef = PassDef {
    name: "convert-declared-to-calls",
    summary: "call the C functions that a file of declarations names for operations",
    anchor: Anchor::Module,
    run: |ir, context| run_on_module(ir, &mut context.diagnostics),
};

/// Functions that are called, with their types.
type Called = IndexMap<String, Type, FxBuildHasher>;

fn run_on_module(ir: &mut Ir, diagnostics: &mut Diagnostics) -> Result<(), Failed> {
    let context = Arc::clone(ir.context());
    if !context
        .dialects()
        .iter()
        .any(|dialect| dialect.declared.is_some())
    {
        return Ok(());
    }
    for stub in functions::nested_modules(ir) {
        if let Some(nested) = ir.nested_mut(stub) {
            run_on_module(nested, diagnostics)?;
        }
    }
    let outcomes = functions::map_functions(ir, |function| {
        let (mut called, mut diagnostics) = (Called::default(), Diagnostics::new());
        let outcome = convert_function(function, &mut called, &mut diagnostics);
        represent(function);
        (outcome.map(|()| called), diagnostics)
    });
    let mut all = Called::default();
    let mut result = Ok(());
    for (outcome, reports) in outcomes {
        diagnostics.append(reports);
        match outcome {
            Ok(called) => all.extend(called),
            Err(failed) => result = Err(failed),
        }
    }
    for stub in functions::functions(ir) {
        if let Some(function) = ir.nested_mut(stub) {
            represent_signature(function);
        }
    }
    result?;
    let symbols = SymbolTable::of(ir);
    let unknown: Vec<(String, Type)> = all
        .into_iter()
        .filter(|(name, _)| symbols.get(name).is_none())
        .collect();
    for (name, ty) in unknown {
        declare_private(ir, &name, ty);
    }
    Ok(())
}

fn convert_function(
    ir: &mut Ir,
    called: &mut Called,
    diagnostics: &mut Diagnostics,
) -> Result<(), Failed> {
    for op in ir.collect_ops(ir.root()) {
        let Some(declared) = ir.def(op).declared else {
            continue;
        };
        if let Some(function) = &declared.function {
            convert(ir, op, declared, function, called)
                .map_err(|message| diagnostics.error(ir.loc(op), message))?;
        } else if let Some(results) = handed_on(ir, op, declared) {
            ir.replace_op(op, &results);
        } else if is_represented(ir, op) {
            let name = ir.op_name(op);
            let message = format!(
                "'{name}' op has values of declared types and no function: its declaration needs \
                 'freehold.c_function', or 'freehold.effects = {{}}' with 'freehold.same' for all results"
            );
            return Err(diagnostics.error(ir.loc(op), message));
        }
    }
    Ok(())
}

/// Whether values of `op` get other types.
fn is_represented(ir: &Ir, op: Op) -> bool {
    let mut values = ir.operands(op).iter().chain(ir.results(op));
    values.any(|&value| representation(ir.context(), ir.value_type(value)).is_some())
}

/// The operands that are the results of `op`, if it does nothing but hand them on.
fn handed_on(ir: &Ir, op: Op, declared: &Declared) -> Option<Vec<Value>> {
    let does_nothing = declared.effects.as_ref().is_some_and(Vec::is_empty);
    if !does_nothing || declared.results.is_empty() || !ir.regions(op).is_empty() {
        return None;
    }
    let mut values = Vec::new();
    for group in 0..declared.results.len() {
        let &(_, operand) = declared.same.iter().find(|(result, _)| *result == group)?;
        values.extend_from_slice(ir.operand_group(op, operand));
    }
    Some(values)
}

fn convert(
    ir: &mut Ir,
    op: Op,
    declared: &'static Declared,
    function: &CFunction,
    called: &mut Called,
) -> Result<(), String> {
    let context = Arc::clone(ir.context());
    let wrong = |what: String| format!("'{}' op {what}", ir.op_name(op));
    let symbol = symbol(ir, op, &function.symbol).map_err(wrong)?;
    // What has to be there when the call is: constants come before it.
    let mut arguments: Vec<Value> = Vec::new();
    for argument in &function.arguments {
        match argument {
            CallArgument::Operand(group) => arguments.extend(ir.operand_group(op, *group)),
            CallArgument::Constant(number) => {
                arguments.push(constant(ir, op, context.declared_attr(*number))?);
            }
            CallArgument::Attribute(name) => {
                // Without it, those behind it would take its place.
                let attr = ir.attr(op, context.intern_name(name)).ok_or_else(|| {
                    let op = ir.op_name(op);
                    format!(
                        "'{op}' op has no operand or attribute '{name}', which '{symbol}' takes"
                    )
                })?;
                arguments.push(constant(ir, op, attr)?);
            }
        }
    }
    let mut results: Vec<Option<Value>> = Vec::new();
    for group in 0..declared.results.len() {
        let same = declared.same.iter().find(|(result, _)| *result == group);
        let range = ir.result_group_range(op, group);
        match same {
            Some(&(_, operand)) => {
                results.extend(ir.operand_group(op, operand).iter().copied().map(Some));
            }
            None => results.extend(range.map(|_| None)),
        }
    }
    let own: Vec<Type> = (ir.results(op).iter().zip(&results))
        .filter(|(_, same)| same.is_none())
        .map(|(&result, _)| ir.value_type(result))
        .collect();
    let represented = |ty: &Type| representation(&context, *ty).unwrap_or(*ty);
    let inputs: Vec<Type> = arguments
        .iter()
        .map(|&value| represented(&ir.value_type(value)))
        .collect();
    let outputs: Vec<Type> = own.iter().map(represented).collect();
    let ty = context.function_type(&inputs, &outputs);
    if let Some(other) = called.get(&symbol)
        && *other != ty
    {
        return Err(format!(
            "'{}' op calls '{symbol}' as a '{}', and another operation as a '{}'",
            ir.op_name(op),
            type_to_string(&context, ty),
            type_to_string(&context, *other)
        ));
    }
    called.insert(symbol.clone(), ty);
    let loc = ir.loc(op);
    let mut builder = Builder::before(ir, op);
    builder.set_loc(loc);
    let call = func::build_call(&mut builder, &symbol, &own, &arguments);
    let mut of_call = ir.results(call).to_vec().into_iter();
    let replacements: Vec<Value> = results
        .into_iter()
        .filter_map(|same| same.or_else(|| of_call.next()))
        .collect();
    ir.replace_op(op, &replacements);
    Ok(())
}

/// The name of the function, in which `{x}` stands for the string in attribute `x`.
fn symbol(ir: &Ir, op: Op, pattern: &str) -> Result<String, String> {
    let mut symbol = String::new();
    let mut rest = pattern;
    while let Some((before, after)) = rest.split_once('{') {
        symbol.push_str(before);
        let (name, after) = after
            .split_once('}')
            .ok_or_else(|| format!("has no '}}' in 'freehold.c_function = \"{pattern}\"'"))?;
        let text = string_attribute(ir, op, name).ok_or_else(|| {
            format!("has no string '{name}', which its C function is named after")
        })?;
        symbol.push_str(&text);
        rest = after;
    }
    symbol.push_str(rest);
    Ok(symbol)
}

/// The number in an attribute, before `op`.
fn constant(ir: &mut Ir, op: Op, attr: Attr) -> Result<Value, String> {
    let context = Arc::clone(ir.context());
    let ty = match context.attr_kind(attr) {
        AttrKind::Integer { ty, .. } | AttrKind::Float { ty, .. } => *ty,
        // A flag that is there.
        AttrKind::Unit => {
            let mut builder = Builder::before(ir, op);
            return Ok(builder.value_with_attr(
                &arith::CONSTANT,
                &[],
                Type::I1,
                Name::VALUE,
                Attr::TRUE,
            ));
        }
        _ => {
            return Err(format!(
                "'{}' op hands on an attribute that is no number",
                ir.op_name(op)
            ));
        }
    };
    let mut builder = Builder::before(ir, op);
    Ok(builder.value_with_attr(&arith::CONSTANT, &[], ty, Name::VALUE, attr))
}

/// Gives all values of the function the types that stand for declared ones.
fn represent(ir: &mut Ir) {
    let context = Arc::clone(ir.context());
    let mut values: Vec<Value> = Vec::new();
    for op in ir.walk(ir.root()) {
        values.extend(ir.results(op));
        for &region in ir.regions(op) {
            for block in ir.blocks_in(region) {
                values.extend(ir.block_args(block));
            }
        }
    }
    for value in values {
        if let Some(ty) = representation(&context, ir.value_type(value)) {
            ir.set_value_type(value, ty);
        }
    }
    represent_signature(ir);
}

fn represent_signature(ir: &mut Ir) {
    let context: Arc<Context> = Arc::clone(ir.context());
    let root = ir.root();
    let Some(TypeKind::Function { inputs, results }) =
        ir.function_type(root).map(|ty| context.type_kind(ty))
    else {
        return;
    };
    let mut types = inputs.iter().chain(results);
    if !types.any(|&ty| representation(&context, ty).is_some()) {
        return;
    }
    if let Some(mut signature) = Signature::of(ir, root) {
        for (ty, _) in signature.inputs.iter_mut().chain(&mut signature.results) {
            *ty = representation(&context, *ty).unwrap_or(*ty);
        }
        signature.store(ir, root);
    }
}
