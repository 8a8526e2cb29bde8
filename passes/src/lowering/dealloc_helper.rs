//! The helper functions of `bufferization.dealloc` and the arrays that they work on.
//!
//! They compare pointers and free nothing themselves. The one built here belongs to the module and
//! takes `(entry pointers, retained pointers, conditions, out frees, out ownership)` as
//! one-dimensional memrefs. The runtime library has one that is not quadratic. It takes one array
//! of pointers, those of retained buffers and then those of the entries whose conditions hold, and
//! how many there are of the former and of both. It replaces the entries by those to be freed,
//! returns their end, and fills a second array with the owners of each retained buffer.

use std::sync::Arc;

use freehold_frontend::dialects::arith::CmpIPredicate;
use freehold_frontend::dialects::{arith, func, memref, scf};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::location::Loc;
use freehold_frontend::ir::types::{DYNAMIC, MemRefType, Type};

use crate::rewrite::runtime_function::{RuntimeFunction, private_function};
use crate::rewrite::stack_memory::stack_block;

/// What the helper of a module is called if that name is free.
pub(crate) const NAME: &str = "dealloc_helper";

/// Arrays of a function that take more than this do not go on the stack if the
/// runtime is there to ask.
pub(crate) const MAX_STACK_BYTES: usize = 128 << 10;
/// The same if the runtime may not be there. The code generator takes frames of twice
/// the size.
pub(crate) const MAX_STACK_BYTES_ALONE: usize = 256 << 10;
/// The longest array of pointers that the code generator puts in a frame.
pub(crate) const MAX_STACK_POINTERS: usize = 8 << 10;

/// The helper.
pub(crate) static RUNTIME_HELPER: RuntimeFunction = RuntimeFunction {
    name: "freehold_dealloc_helper",
    signature: |_| (vec![Type::INDEX; 4], vec![Type::INDEX]),
    c_interface: false,
};
/// Lends memory of a size in bytes.
static TAKE_SCRATCH: RuntimeFunction = RuntimeFunction {
    name: "freehold_take_scratch",
    signature: |context| (vec![Type::INDEX], vec![bytes_type(context)]),
    c_interface: true,
};
/// Takes it back.
static RETURN_SCRATCH: RuntimeFunction = RuntimeFunction {
    name: "freehold_return_scratch",
    signature: |context| (vec![bytes_type(context)], Vec::new()),
    c_interface: true,
};

/// All of them: the helper, then those that lend memory.
pub(crate) static RUNTIME_FUNCTIONS: [&RuntimeFunction; 3] =
    [&RUNTIME_HELPER, &TAKE_SCRATCH, &RETURN_SCRATCH];

/// Where arrays of one operation are.
pub(crate) enum Memory {
    /// On the stack of the function, once per call or per iteration of a parallel loop.
    Stack,
    /// In bytes that the runtime lends for this operation, and how many it uses.
    Borrowed { bytes: Value, used: usize },
}

impl Memory {
    /// Borrows `size` bytes before `op`.
    pub(crate) fn borrow(ir: &mut Ir, op: Op, size: usize) -> Self {
        let mut builder = Builder::before(ir, op);
        let size = arith::constant_index(&mut builder, size as i64);
        let bytes = bytes_type(&builder.context());
        let call = func::build_call(&mut builder, TAKE_SCRATCH.name, &[bytes], &[size]);
        let bytes = builder.ir.result(call, 0);
        Self::Borrowed { bytes, used: 0 }
    }

    /// An array of `size` elements, there before `op`.
    pub(crate) fn array(&mut self, ir: &mut Ir, op: Op, size: usize, element: Type) -> Value {
        let ty = array_type(ir.context(), size, element);
        match self {
            Self::Stack => {
                let block = stack_block(ir, op);
                let loc = ir.loc(op);
                let mut builder = Builder::at_start(ir, block);
                builder.set_loc(loc);
                memref::build::alloca(&mut builder, ty, &[])
            }
            Self::Borrowed { bytes, used } => {
                let mut builder = Builder::before(ir, op);
                let at = arith::constant_index(&mut builder, *used as i64);
                *used += size * if element == Type::INDEX { 8 } else { 1 };
                builder.value(&memref::VIEW, &[*bytes, at], ty)
            }
        }
    }

    /// Gives back what the runtime lent.
    pub(crate) fn give_back(self, builder: &mut Builder<'_>) {
        if let Self::Borrowed { bytes, .. } = self {
            func::build_call(builder, RETURN_SCRATCH.name, &[], &[bytes]);
        }
    }
}

/// Bytes of the arrays for the helper of a module.
pub(crate) fn module_bytes(n: usize, m: usize) -> usize {
    n.saturating_mul(10).saturating_add(m.saturating_mul(9))
}

/// Bytes of the arrays for the helper of the runtime.
pub(crate) fn runtime_bytes(n: usize, m: usize) -> usize {
    n.saturating_mul(8).saturating_add(m.saturating_mul(9))
}

/// Calls the helper of the module, called `name`, with its five arrays.
pub(crate) fn call_module(builder: &mut Builder<'_>, name: &str, arrays: [Value; 5]) {
    let inputs = helper_inputs(&builder.context());
    let arguments: Vec<Value> = arrays
        .into_iter()
        .zip(inputs)
        .map(|(array, ty)| memref::build::cast(builder, array, ty))
        .collect();
    func::build_call(builder, name, &[], &arguments);
}

/// Calls the helper of the runtime with two arrays, how many pointers are those of retained buffers
/// and how many there are; returns where those to be freed end.
pub(crate) fn call_runtime(
    builder: &mut Builder<'_>,
    [pointers, owned]: [Value; 2],
    n_retained: Value,
    n_operands: Value,
) -> Value {
    let [pointers, owned] = [pointers, owned].map(|array| {
        let op = &memref::EXTRACT_ALIGNED_POINTER_AS_INDEX;
        builder.value(op, &[array], Type::INDEX)
    });
    let arguments = [pointers, n_retained, n_operands, owned];
    let call = func::build_call(builder, RUNTIME_HELPER.name, &[Type::INDEX], &arguments);
    builder.ir.result(call, 0)
}

fn array_type(context: &Context, size: usize, element: Type) -> Type {
    context.memref_type(MemRefType::identity(&[size as i64], element))
}

/// `memref<?xi8>`
fn bytes_type(context: &Context) -> Type {
    context.memref_type(MemRefType::identity(&[DYNAMIC], context.integer_type(8)))
}

/// The types of a helper's parameters.
fn helper_inputs(context: &Context) -> [Type; 5] {
    [Type::INDEX, Type::INDEX, Type::I1, Type::I1, Type::I1]
        .map(|element| context.memref_type(MemRefType::identity(&[DYNAMIC], element)))
}

/// The helper function, called `name`. It compares each with each.
pub(crate) fn build(context: &Arc<Context>, loc: Loc, name: &str) -> Ir {
    let inputs = helper_inputs(context);
    let mut ir = private_function(context, loc, name, &inputs, &[]);
    let region = ir.region(ir.root(), 0);
    let entry = ir.append_block(region, &inputs);
    let arguments = ir.block_args(entry).to_vec();
    let [entries, retained, conditions, frees, ownership] = arguments[..] else {
        unreachable!("the helper has five arguments")
    };
    let mut builder = Builder::at_end(&mut ir, entry);
    builder.set_loc(loc);
    let b = &mut builder;
    let zero = arith::constant_index(b, 0);
    let one = arith::constant_index(b, 1);
    let true_value = arith::constant_bool(b, true);
    let false_value = arith::constant_bool(b, false);
    let n_entries = b.value(&memref::DIM, &[entries, zero], Type::INDEX);
    let n_retained = b.value(&memref::DIM, &[retained, zero], Type::INDEX);
    for_loop(b, zero, n_retained, one, &[], |b, j, _| {
        b.op(&memref::STORE, &[false_value, ownership, j], &[]);
        Vec::new()
    });
    for_loop(b, zero, n_entries, one, &[], |b, i, _| {
        let pointer = b.value(&memref::LOAD, &[entries, i], Type::INDEX);
        let condition = b.value(&memref::LOAD, &[conditions, i], Type::I1);
        let not_retained = for_loop(b, zero, n_retained, one, &[condition], |b, j, carried| {
            let other = b.value(&memref::LOAD, &[retained, j], Type::INDEX);
            let same = arith::compare(b, CmpIPredicate::Eq, other, pointer);
            let before = b.value(&memref::LOAD, &[ownership, j], Type::I1);
            let owned = b.value(&arith::ANDI, &[same, condition], Type::I1);
            let updated = b.value(&arith::ORI, &[before, owned], Type::I1);
            b.op(&memref::STORE, &[updated, ownership, j], &[]);
            let differs = b.value(&arith::XORI, &[same, true_value], Type::I1);
            vec![b.value(&arith::ANDI, &[carried[0], differs], Type::I1)]
        });
        let free = for_loop(b, zero, i, one, &not_retained, |b, j, carried| {
            let other = b.value(&memref::LOAD, &[entries, j], Type::INDEX);
            let differs = arith::compare(b, CmpIPredicate::Ne, other, pointer);
            let other_condition = b.value(&memref::LOAD, &[conditions, j], Type::I1);
            let not_freed = b.value(&arith::XORI, &[other_condition, true_value], Type::I1);
            let keeps = b.value(&arith::ORI, &[differs, not_freed], Type::I1);
            vec![b.value(&arith::ANDI, &[carried[0], keeps], Type::I1)]
        });
        b.op(&memref::STORE, &[free[0], frees, i], &[]);
        Vec::new()
    });
    b.op(&func::RETURN, &[], &[]);
    ir
}

/// `scf.for` from `lower` to `upper` carrying `i1`s; returns its results.
fn for_loop(
    builder: &mut Builder<'_>,
    lower: Value,
    upper: Value,
    step: Value,
    inits: &[Value],
    body: impl FnOnce(&mut Builder<'_>, Value, &[Value]) -> Vec<Value>,
) -> Vec<Value> {
    let after = builder.insert_point();
    let types = vec![Type::I1; inits.len()];
    let spec = builder
        .spec(&scf::FOR)
        .operands(&[lower, upper, step])
        .operands(inits)
        .results(&types)
        .regions(1);
    let op = builder.create(spec);
    let region = builder.ir.region(op, 0);
    let argument_types: Vec<Type> = std::iter::once(Type::INDEX).chain(types).collect();
    let block = builder.ir.append_block(region, &argument_types);
    let arguments = builder.ir.block_args(block).to_vec();
    builder.set_to_end(block);
    let yielded = body(builder, arguments[0], &arguments[1..]);
    builder.op(&scf::YIELD, &yielded, &[]);
    builder.set_insert_point(after);
    builder.ir.results(op).to_vec()
}
