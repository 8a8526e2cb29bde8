//! `stablehlo-call-host`: custom calls of `freehold.host` become calls of a function of the process that runs the program.
//!
//! Before:
//! ```mlir
//! func.func @f(%x: tensor<4xf32>) -> tensor<f32> {
//!   %0 = stablehlo.custom_call @freehold.host(%x) {backend_config = "7", has_side_effect = true}
//!     : (tensor<4xf32>) -> tensor<f32>
//!   return %0 : tensor<f32>
//! }
//! ```
//! After:
//! ```mlir
//! func.func @f(%x: tensor<4xf32>) -> tensor<f32> {
//!   %m = bufferization.to_memref %x read_only : memref<4xf32>
//!   %alloc = memref.alloc() : memref<f32>
//!   call @freehold.host.0(%m, %alloc) : (memref<4xf32>, memref<f32>) -> ()
//!   %0 = bufferization.to_tensor %alloc restrict writable : memref<f32>
//!   return %0 : tensor<f32>
//! }
//! func.func private @freehold.host.0(%m: memref<4xf32>, %alloc: memref<f32>) attributes {passthrough = ["noinline"]} {
//!   // The addresses of both, in an array.
//!   call @freehold_host_call(%c7, %array) : (index, index) -> ()
//!   return
//! }
//! func.func private @freehold_host_call(index, index)
//! ```
//!
//! The function gets the number in `backend_config`, and the addresses of operands and results, which are in rows; it
//! knows their types by the number. The call stands in a function of its own, so that all passes see a call that may do
//! anything with its buffers. Calls stay in the order of the program, which is all that tokens are about: these become
//! tensors without elements.

use std::sync::Arc;

use freehold_frontend::dialects::stablehlo::elementwise::CONSTANT;
use freehold_frontend::dialects::stablehlo::{communication, is_token, regions};
use freehold_frontend::dialects::{arith, bufferization, func, memref};
use freehold_frontend::ir::attrs::{Attr, AttrKind, DenseElements};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::{Diagnostics, Failed};
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::location::Loc;
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::op_def::OpDef;
use freehold_frontend::ir::types::{MemRefType, Type};

use super::build::{as_signless, cast, shape, signless, tensor_type};
use crate::manage::pass::{Anchor, PassContext, PassDef};
use crate::rewrite::functions;
use crate::rewrite::runtime_function::{RuntimeFunction, build_borrowing_call, private_function};
use crate::rewrite::signature::Signature;

/// The pass.
pub static PASS: PassDef = PassDef {
    name: "stablehlo-call-host",
    summary: "turn custom calls of 'freehold.host' into calls of a function of the process, and drop tokens",
    anchor: Anchor::Module,
    run,
};

/// The target of custom calls.
pub const TARGET: &str = "freehold.host";

/// Added to the number of a call that one of several devices makes. The others get zeros for its results.
pub const ONCE: i64 = 1 << 62;

/// The function of the process: a number, and the address of an array of addresses.
static HOST_CALL: RuntimeFunction = RuntimeFunction {
    name: "freehold_host_call",
    signature: |_| (vec![Type::INDEX, Type::INDEX], Vec::new()),
    c_interface: false,
};

/// A function to be made, which hands buffers of these types to the host.
struct Wrapper {
    loc: Loc,
    number: i64,
    buffers: Vec<Type>,
}

/// Whether a module has anything to do for the pass.
pub fn applies(ir: &Ir) -> bool {
    let of = |ir: &Ir, op| is_host_call(ir, op) || has_token(ir, op);
    let any = |function: &Ir| function.walk(function.root()).any(|op| of(function, op));
    functions::functions(ir)
        .into_iter()
        .filter_map(|stub| ir.nested(stub))
        .any(any)
}

fn has_token(ir: &Ir, op: Op) -> bool {
    let context = ir.context();
    let mut values = ir.results(op).iter().chain(ir.operands(op));
    values.any(|&value| is_token(context, ir.value_type(value)))
}

/// Whether an operation is a custom call of the host.
pub(super) fn is_host_call(ir: &Ir, op: Op) -> bool {
    let target = ir
        .is(op, &regions::CUSTOM_CALL)
        .then(|| ir.attr(op, Name::CALL_TARGET_NAME));
    target
        .flatten()
        .and_then(|attr| ir.context().attr_string(attr))
        == Some(TARGET)
}

fn run(ir: &mut Ir, context: &mut PassContext<'_>) -> Result<(), Failed> {
    let mut wrappers = Vec::new();
    for stub in functions::functions(ir) {
        let mut function = ir.take_nested(stub);
        let outcome = convert(&mut function, &mut wrappers, &mut context.diagnostics);
        ir.put_nested(stub, function);
        outcome?;
    }
    if wrappers.is_empty() {
        return Ok(());
    }
    if !HOST_CALL.is_declarable(ir.context(), context.symbols) {
        let message = format!("'{}' is something else in this program", HOST_CALL.name);
        return Err(context.diagnostics.error(ir.loc(ir.root()), message));
    }
    let block = ir.root_block().expect("modules have a body");
    let shared = Arc::clone(ir.context());
    for (at, wrapper) in wrappers.iter().enumerate() {
        let function = make_wrapper(&shared, at, wrapper);
        let stub = ir.create_nested(function);
        ir.append_op(block, stub);
    }
    if context.symbols.get(HOST_CALL.name).is_none() {
        HOST_CALL.declare(ir);
    }
    context.count("calls of the host", wrappers.len() as u64);
    Ok(())
}

fn wrapper_name(at: usize) -> String {
    format!("{TARGET}.{at}")
}

fn convert(
    ir: &mut Ir,
    wrappers: &mut Vec<Wrapper>,
    diagnostics: &mut Diagnostics,
) -> Result<(), Failed> {
    for op in ir.collect_ops(ir.root()) {
        if is_host_call(ir, op) {
            let converted = convert_call(ir, op, wrappers);
            converted.map_err(|reason| {
                let message = format!("'stablehlo.custom_call' op is not lowered: {reason}");
                diagnostics.error(ir.loc(op), message)
            })?;
        }
    }
    // Other users of tokens would wait for effects that do not exist.
    let waits = |op: Op| has_token(ir, op) && !HANDING_ON.iter().any(|def| ir.is(op, def));
    if let Some(op) = ir.walk(ir.root()).skip(1).find(|&op| waits(op)) {
        let message = format!("'{}' op with a token is not supported", ir.op_name(op));
        return Err(diagnostics.error(ir.loc(op), message));
    }
    drop_tokens(ir);
    Ok(())
}

/// What does no more with tokens than to order things.
const HANDING_ON: &[&OpDef] = &[
    &communication::AFTER_ALL,
    &communication::CREATE_TOKEN,
    &regions::CASE,
    &regions::CUSTOM_CALL,
    &regions::IF,
    &regions::OPTIMIZATION_BARRIER,
    &regions::RETURN,
    &regions::WHILE,
    &func::CALL,
    &func::RETURN,
];

fn convert_call(ir: &mut Ir, op: Op, wrappers: &mut Vec<Wrapper>) -> Result<(), String> {
    let context = Arc::clone(ir.context());
    let number = ir
        .attr(op, Name::BACKEND_CONFIG)
        .and_then(|attr| context.attr_string(attr)?.parse::<i64>().ok())
        .ok_or("its 'backend_config' is no number")?;
    let operands = ir.operands(op).to_vec();
    let results = ir.results(op).to_vec();
    let is_static = |&value: &Value| {
        let ty = ir.value_type(value);
        is_token(&context, ty)
            || context
                .shape(ty)
                .is_some_and(|shape| shape.iter().all(|&n| n >= 0))
    };
    if !operands.iter().chain(&results).all(is_static) {
        return Err("sizes of its operands and results are not known".to_owned());
    }
    let loc = ir.loc(op);
    let mut b = Builder::before(ir, op);
    let mut token = None;
    let mut buffers = Vec::new();
    for operand in operands {
        if is_token(&context, b.ir.value_type(operand)) {
            token = Some(operand);
            continue;
        }
        let tensor = as_signless(&mut b, operand);
        let ty = buffer_type(&b, tensor);
        let read_only = [(Name::READ_ONLY, Attr::UNIT)];
        let spec = b
            .spec(&bufferization::TO_MEMREF)
            .operands(&[tensor])
            .results(&[ty]);
        let spec = read_only
            .into_iter()
            .fold(spec, |spec, (name, attr)| spec.attr(name, attr));
        let buffer = b.create(spec);
        buffers.push(b.ir.result(buffer, 0));
    }
    let mut outputs = Vec::new();
    for &result in &results {
        if !is_token(&context, b.ir.value_type(result)) {
            let ty = buffer_type(&b, result);
            let buffer = b.value(&memref::ALLOC, &[], ty);
            buffers.push(buffer);
            outputs.push(buffer);
        }
    }
    let types = buffers
        .iter()
        .map(|&buffer| b.ir.value_type(buffer))
        .collect();
    func::build_call(&mut b, &wrapper_name(wrappers.len()), &[], &buffers);
    wrappers.push(Wrapper {
        loc,
        number,
        buffers: types,
    });
    let mut outputs = outputs.into_iter();
    let mut values = Vec::new();
    for &result in &results {
        let ty = b.ir.value_type(result);
        if is_token(&context, ty) {
            values.push(match token {
                Some(token) => token,
                None => b.value(&communication::CREATE_TOKEN, &[], ty),
            });
            continue;
        }
        let buffer = outputs.next().ok_or("it has no such result")?;
        let spec = b
            .spec(&bufferization::TO_TENSOR)
            .operands(&[buffer])
            .results(&[signless(&context, ty)])
            .attr(Name::RESTRICT, Attr::UNIT)
            .attr(Name::WRITABLE, Attr::UNIT);
        let tensor = b.create(spec);
        let tensor = b.ir.result(tensor, 0);
        values.push(cast(&mut b, tensor, ty));
    }
    ir.replace_op(op, &values);
    Ok(())
}

/// The type of a buffer in rows for a tensor.
fn buffer_type(b: &Builder<'_>, tensor: Value) -> Type {
    let context = b.ir.context();
    let element = signless(
        context,
        context.element_type_or_self(b.ir.value_type(tensor)),
    );
    context.memref_type(MemRefType::identity(&shape(b.ir, tensor), element))
}

fn make_wrapper(context: &Arc<Context>, at: usize, wrapper: &Wrapper) -> Ir {
    let name = wrapper_name(at);
    let mut ir = private_function(context, wrapper.loc, &name, &wrapper.buffers, &[]);
    let root = ir.root();
    let words = context.array_attr(&[context.string_attr("noinline")]);
    ir.set_attr(root, context.intern_name("passthrough"), words);
    let region = ir.region(root, 0);
    let block = ir.append_block(region, &wrapper.buffers);
    let buffers = ir.block_args(block).to_vec();
    let mut b = Builder::at_end(&mut ir, block);
    b.set_loc(wrapper.loc);
    let array = MemRefType::identity(&[buffers.len().max(1) as i64], Type::INDEX);
    let array = b.value(&memref::ALLOCA, &[], context.memref_type(array));
    for (i, &buffer) in buffers.iter().enumerate() {
        let address = address_of(&mut b, buffer);
        let place = arith::constant_index(&mut b, i as i64);
        b.op(&memref::STORE, &[address, array, place], &[]);
    }
    let number = arith::constant_index(&mut b, wrapper.number);
    let array = address_of(&mut b, array);
    build_borrowing_call(&mut b, HOST_CALL.name, &[number, array]);
    func::build_return(&mut b, &[]);
    ir
}

fn address_of(b: &mut Builder<'_>, buffer: Value) -> Value {
    b.value(
        &memref::EXTRACT_ALIGNED_POINTER_AS_INDEX,
        &[buffer],
        Type::INDEX,
    )
}

/// Tensors without elements take the place of tokens, everywhere in a function.
fn drop_tokens(ir: &mut Ir) {
    let context = Arc::clone(ir.context());
    let nothing = tensor_type(&context, &[0], Type::I1);
    for op in ir.collect_ops(ir.root()) {
        if ir.is(op, &communication::CREATE_TOKEN) || ir.is(op, &communication::AFTER_ALL) {
            let value = match ir.operands(op).first() {
                Some(&operand) => operand,
                None => no_elements(&mut Builder::before(ir, op), nothing),
            };
            ir.replace_op(op, &[value]);
        }
    }
    let mut values: Vec<Value> = Vec::new();
    for op in ir.collect_ops(ir.root()) {
        values.extend(ir.results(op));
        for &region in ir.regions(op) {
            values.extend(ir.blocks_in(region).flat_map(|block| ir.block_args(block)));
        }
    }
    for value in values {
        if is_token(&context, ir.value_type(value)) {
            ir.set_value_type(value, nothing);
        }
    }
    let root = ir.root();
    if let Some(mut signature) = Signature::of(ir, root) {
        let types = signature.inputs.iter_mut().chain(&mut signature.results);
        let mut tokens = types.filter(|(ty, _)| is_token(&context, *ty)).peekable();
        if tokens.peek().is_some() {
            tokens.for_each(|(ty, _)| *ty = nothing);
            signature.store(ir, root);
        }
    }
}

fn no_elements(b: &mut Builder<'_>, ty: Type) -> Value {
    let value =
        b.ir.context()
            .intern_attr(AttrKind::DenseElements(DenseElements {
                ty,
                splat: false,
                bytes: Vec::new().into(),
            }));
    b.value_with_attr(&CONSTANT, &[], ty, Name::VALUE, value)
}
