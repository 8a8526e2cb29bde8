//! The helper functions of `bufferization.dealloc` and the arrays that they work on.
//!
//! They compare pointers and free nothing themselves. The one built here belongs to
//! the module and takes `(entry pointers, retained pointers, conditions, out
//! frees, out ownership)` as one-dimensional memrefs. The runtime library has one
//! that is not quadratic and has few arguments: the addresses of two arrays, the
//! pointers of retained buffers and entries and a flag for each, and how many of
//! both there are. The flags of entries are their conditions, then whether
//! to free them; those of retained buffers say who owns them.

use std::sync::Arc;

use freehold_frontend::dialects::arith::CmpIPredicate;
use freehold_frontend::dialects::{arith, func, memref, scf};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::location::Loc;
use freehold_frontend::ir::types::{DYNAMIC, MemRefType, Type};

use crate::runtime_function::{RuntimeFunction, private_function};

/// What the helper of a module is called if that name is free.
pub(super) const NAME: &str = "dealloc_helper";

/// Arrays of a function that take more than this do not go on the stack if the
/// runtime is there to ask. Less stays far below what the code generator puts
/// in a frame.
pub(super) const MAX_STACK_BYTES: usize = 64 << 10;

/// The helper.
pub(super) static RUNTIME_HELPER: RuntimeFunction = RuntimeFunction {
    name: "freehold_dealloc_helper",
    signature: |_| (vec![Type::INDEX; 4], Vec::new()),
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
pub(super) static RUNTIME_FUNCTIONS: [&RuntimeFunction; 3] =
    [&RUNTIME_HELPER, &TAKE_SCRATCH, &RETURN_SCRATCH];

/// Which function decides.
#[derive(Clone, Copy, Debug)]
pub(super) enum Helper<'a> {
    /// That of the module, of this name.
    Module(&'a str),
    Runtime,
}

/// A part of an array, or all of it.
#[derive(Clone, Copy)]
pub(super) struct List {
    array: Value,
    offset: usize,
}

impl List {
    /// The index of element `i`.
    pub(super) fn index(self, builder: &mut Builder<'_>, i: usize) -> Value {
        arith::constant_index(builder, (self.offset + i) as i64)
    }

    pub(super) fn store(self, builder: &mut Builder<'_>, index: Value, value: Value) {
        memref::build::store(builder, value, self.array, &[index]);
    }

    pub(super) fn load(self, builder: &mut Builder<'_>, i: usize) -> Value {
        let index = self.index(builder, i);
        memref::build::load(builder, self.array, &[index])
    }
}

/// The lists of one call of a helper. The module's has an array for each.
pub(super) struct Arrays {
    pub(super) entries: List,
    pub(super) retained: List,
    pub(super) conditions: List,
    /// Whether to free each entry.
    pub(super) frees: List,
    /// Whether the caller owns each retained buffer.
    pub(super) ownership: List,
    /// What to give back to the runtime.
    borrowed: Option<Value>,
}

impl Arrays {
    /// Bytes for `n` entries and `m` retained buffers.
    pub(super) fn bytes(helper: Helper<'_>, n: usize, m: usize) -> usize {
        let per_entry = match helper {
            Helper::Module(_) => 10,
            Helper::Runtime => 9,
        };
        n.saturating_mul(per_entry)
            .saturating_add(m.saturating_mul(9))
    }

    fn with(
        helper: Helper<'_>,
        n: usize,
        m: usize,
        mut array: impl FnMut(usize, Type) -> Value,
    ) -> Self {
        let list = |array, offset| List { array, offset };
        match helper {
            Helper::Module(_) => Self {
                entries: list(array(n, Type::INDEX), 0),
                retained: list(array(m, Type::INDEX), 0),
                conditions: list(array(n, Type::I1), 0),
                frees: list(array(n, Type::I1), 0),
                ownership: list(array(m, Type::I1), 0),
                borrowed: None,
            },
            Helper::Runtime => {
                let (pointers, flags) = (array(n + m, Type::INDEX), array(n + m, Type::I1));
                Self {
                    entries: list(pointers, m),
                    retained: list(pointers, 0),
                    conditions: list(flags, m),
                    frees: list(flags, m),
                    ownership: list(flags, 0),
                    borrowed: None,
                }
            }
        }
    }

    /// Arrays on the stack of the function around `op`: taken once per call,
    /// not once per iteration of a loop.
    pub(super) fn on_stack(ir: &mut Ir, op: Op, helper: Helper<'_>, n: usize, m: usize) -> Self {
        let entry = ir.root_block().expect("the function has a body");
        let loc = ir.loc(op);
        let mut builder = Builder::at_start(ir, entry);
        builder.set_loc(loc);
        Self::with(helper, n, m, |size, element| {
            let ty = array_type(&builder.context(), size, element);
            memref::build::alloca(&mut builder, ty, &[])
        })
    }

    /// Arrays in memory that the runtime lends, before `op`.
    pub(super) fn of_runtime(ir: &mut Ir, op: Op, helper: Helper<'_>, n: usize, m: usize) -> Self {
        let mut builder = Builder::before(ir, op);
        let size = arith::constant_index(&mut builder, Self::bytes(helper, n, m) as i64);
        let bytes = bytes_type(&builder.context());
        let call = func::build_call(&mut builder, TAKE_SCRATCH.name, &[bytes], &[size]);
        let memory = builder.ir.result(call, 0);
        let mut offset = 0;
        let mut arrays = Self::with(helper, n, m, |size, element| {
            let ty = array_type(&builder.context(), size, element);
            let at = arith::constant_index(&mut builder, offset);
            offset += size as i64 * if element == Type::INDEX { 8 } else { 1 };
            builder.value(&memref::VIEW, &[memory, at], ty)
        });
        arrays.borrowed = Some(memory);
        arrays
    }

    /// Calls the helper.
    pub(super) fn call(&self, builder: &mut Builder<'_>, helper: Helper<'_>, n: usize, m: usize) {
        match helper {
            Helper::Module(name) => {
                let lists = [
                    self.entries,
                    self.retained,
                    self.conditions,
                    self.frees,
                    self.ownership,
                ];
                let inputs = helper_inputs(&builder.context());
                let arguments: Vec<Value> = lists
                    .iter()
                    .zip(inputs)
                    .map(|(list, ty)| memref::build::cast(builder, list.array, ty))
                    .collect();
                func::build_call(builder, name, &[], &arguments);
            }
            Helper::Runtime => {
                let address = |builder: &mut Builder<'_>, list: List| {
                    let op = &memref::EXTRACT_ALIGNED_POINTER_AS_INDEX;
                    builder.value(op, &[list.array], Type::INDEX)
                };
                let arguments = [
                    address(builder, self.entries),
                    arith::constant_index(builder, m as i64),
                    arith::constant_index(builder, n as i64),
                    address(builder, self.frees),
                ];
                func::build_call(builder, RUNTIME_HELPER.name, &[], &arguments);
            }
        }
    }

    /// Gives back what the runtime lent.
    pub(super) fn give_back(&self, builder: &mut Builder<'_>) {
        if let Some(memory) = self.borrowed {
            func::build_call(builder, RETURN_SCRATCH.name, &[], &[memory]);
        }
    }
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
pub(super) fn build(context: &Arc<Context>, loc: Loc, name: &str) -> Ir {
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
