//! `convert-mpi-to-calls`: operations of the `mpi` dialect become calls of the C interface of an implementation of MPI.
//!
//! Before:
//! ```mlir
//! func.func @f(%m: memref<4xf32>, %tag: i32, %to: i32) {
//!   %comm = mpi.comm_world : !mpi.comm
//!   mpi.send(%m, %tag, %to, %comm) : memref<4xf32>, i32, i32
//!   return
//! }
//! ```
//! After:
//! ```mlir
//! func.func @f(%m: memref<4xf32>, %tag: i32, %to: i32) {
//!   %world = arith.constant 1140850688 : i32
//!   %0 = arith.extui %world : i32 to i64
//!   %comm = builtin.unrealized_conversion_cast %0 : i64 to !mpi.comm
//!   %base = memref.extract_aligned_pointer_as_index %m : memref<4xf32> -> index
//!   %c0 = arith.constant 0 : i64
//!   %pointer = arith.index_cast %base : index to i64
//!   %c4 = arith.constant 4 : i32
//!   %float = arith.constant 1275069450 : i32
//!   %number = builtin.unrealized_conversion_cast %comm : !mpi.comm to i64
//!   %handle = arith.trunci %number : i64 to i32
//!   %1 = call @MPI_Send(%pointer, %c4, %float, %to, %tag, %handle) : (i64, i32, i32, i32, i32, i32) -> i32
//!   return
//! }
//! func.func private @MPI_Send(i64, i32, i32, i32, i32, i32) -> i32
//! ```
//!
//! That is MPICH, whose handles are numbers; those of Open MPI are the addresses of objects.
//!
//! Communicators and requests are 64 bits, in which handles of both implementations fit; MPICH uses the low half, which
//! is what it writes where a call hands out one. Buffers with gaps are sent with a type of MPI made for the call, so
//! nothing is packed and a message that arrives later needs no unpacking; reductions, which want numbers one behind the
//! other, are packed. Elements that MPI does not know (`f16`, vectors, odd integers) are sent as bytes; reductions of
//! `f16` and `bf16` are done in `f32`.
//!
//! As long as the program does not look at a return value, errors end all processes, as MPI has it. If it looks at one,
//! functions return errors. Where the program does not look at them, `MPI_Abort` ends all processes.

use std::collections::{BTreeMap, BTreeSet};

use freehold_frontend::dialects::arith::{self, CmpIPredicate};
use freehold_frontend::dialects::memref::{self, MixedIndex, build};
use freehold_frontend::dialects::mpi::{self, ErrorClass, Reduction};
use freehold_frontend::dialects::{cf, func, scf};
use freehold_frontend::ir::attrs::AttrKind;
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::builtin::UNREALIZED_CONVERSION_CAST;
use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::{Diagnostics, Failed};
use freehold_frontend::ir::edit::OpSpec;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::op_def::OpDef;
use freehold_frontend::ir::symbols::SymbolTable;
use freehold_frontend::ir::types::{DYNAMIC, MemRefType, Type};

use super::interface::{Datatype, Handle, Implementation};
use crate::manage::options::pass_options;
use crate::manage::pass::{Anchor, PassContext, PassDef};
use crate::rewrite::functions;
use crate::rewrite::index_arithmetic::product;
use crate::rewrite::library::Described;
use crate::rewrite::mpi::{ONCE, OPTIONAL_PEER, PROCESSES};
use crate::rewrite::runtime_function::private_function;

pass_options! {
    /// Options of the pass.
    pub struct Options {
        /// whose C interface is called, whatever the attribute "MPI:Implementation" of the module says
        "implementation" implementation: Option<Implementation> = None,
        /// whose it is if the module does not say; without this, MPICH's, as upstream
        "default" default: Option<Implementation> = None,
        /// the runtime library watches the buffers of transfers
        "checks" checks: bool = false,
    }
}

/// The pass.
pub static PASS: PassDef<Options> = PassDef {
    name: "convert-mpi-to-calls",
    summary: "turn operations of the mpi dialect into calls of the C interface of MPI",
    anchor: Anchor::Module,
    run,
};

fn run(ir: &mut Ir, context: &mut PassContext<'_, Options>) -> Result<(), Failed> {
    let implementation = (context.options.implementation)
        .or_else(|| wanted(ir))
        .or(context.options.default)
        .unwrap_or(Implementation::Mpich);
    let returns_errors = returns_errors(ir);
    let checks = context.options.checks;
    let outcomes = functions::map_functions(ir, |function| {
        let mut conversion = Conversion {
            implementation,
            returns_errors,
            checks,
            used: Used::default(),
            slots: BTreeMap::new(),
            diagnostics: Diagnostics::new(),
        };
        let done = conversion.convert(function);
        (conversion.used, conversion.diagnostics, done)
    });
    let mut used = Used::default();
    let mut result = Ok(());
    for (mut own, diagnostics, done) in outcomes {
        used.functions.append(&mut own.functions);
        used.runtime.append(&mut own.runtime);
        used.objects.append(&mut own.objects);
        used.n_operations += own.n_operations;
        context.diagnostics.append(diagnostics);
        result = result.and(done);
    }
    result?;
    context.count("operations converted", used.n_operations);
    used.declare(ir, &mut context.diagnostics)?;
    for stub in functions::nested_modules(ir) {
        if let Some(nested) = ir.nested_mut(stub) {
            run(nested, context)?;
        }
    }
    Ok(())
}

/// What the attribute of the module asks for, as upstream has it: an entry of a `#dlti.map`.
pub fn wanted(ir: &Ir) -> Option<Implementation> {
    let context = ir.context();
    let mut attrs = context.dict(ir.attrs(ir.root())).iter();
    attrs.find_map(|&(_, attr)| {
        let AttrKind::Dialect { dialect, body, .. } = context.attr_kind(attr) else {
            return None;
        };
        let entries = (context.name(*dialect) == "dlti").then_some(body)?;
        let (_, value) = entries.split_once("\"MPI:Implementation\"")?;
        let name = value.trim_start().strip_prefix('=')?;
        let name = name.trim_start().strip_prefix('"')?;
        Implementation::from_upstream(name.split('"').next()?)
    })
}

/// Whether processes do together what the program says of one: then each has the same results.
pub fn is_divided(ir: &Ir) -> bool {
    ir.has_attr(ir.root(), ir.context().intern_name(PROCESSES))
}

/// Whether the program looks at what a call returns, other than those that begin and end.
fn returns_errors(ir: &Ir) -> bool {
    any_operation(ir, &|function, op| {
        let is_frame = function.is(op, &mpi::INIT) || function.is(op, &mpi::FINALIZE);
        function.def(op).dialect() == "mpi"
            && !is_frame
            && mpi::retval(function, op).is_some_and(|value| !function.uses(value).is_empty())
    })
}

fn any_operation(ir: &Ir, test: &impl Fn(&Ir, Op) -> bool) -> bool {
    let Some(block) = ir.root_block() else {
        return false;
    };
    ir.ops_in(block).any(|stub| {
        ir.nested(stub).is_some_and(|nested| {
            any_operation(nested, test) || nested.walk(nested.root()).any(|op| test(nested, op))
        })
    })
}

/// What a module has to declare.
#[derive(Default)]
struct Used {
    /// Parameter types of functions that return an `i32`.
    functions: BTreeMap<&'static str, Vec<Type>>,
    /// The same of functions of the runtime library, which return an `i64`.
    runtime: BTreeMap<&'static str, Vec<Type>>,
    objects: BTreeSet<&'static str>,
    n_operations: u64,
}

impl Used {
    fn declare(&self, ir: &mut Ir, diagnostics: &mut Diagnostics) -> Result<(), Failed> {
        let context = ir.context().clone();
        let symbols = SymbolTable::of(ir);
        let loc = ir.loc(ir.root());
        let Some(block) = ir.root_block() else {
            return Ok(());
        };
        // Public ones without a value are defined elsewhere.
        for &name in &self.objects {
            if symbols.get(name).is_some() {
                continue;
            }
            let spec = OpSpec::new(&memref::GLOBAL, loc)
                .attr(Name::SYM_NAME, context.string_attr(name))
                .attr(Name::TYPE, context.type_attr(object_type(&context)));
            let global = ir.create_op(spec);
            ir.append_op(block, global);
        }
        let of_mpi = self.functions.iter().map(|row| (row, Type::I32));
        let of_runtime = self.runtime.iter().map(|row| (row, Type::I64));
        for ((name, inputs), result) in of_mpi.chain(of_runtime) {
            let ty = context.function_type(inputs, &[result]);
            if let Some(symbol) = symbols.get(name) {
                if symbol.function_type != Some(ty) || symbol.has_body {
                    let message = format!("'{name}' is not declared as MPI has it");
                    return Err(diagnostics.error(loc, message));
                }
                continue;
            }
            let declaration = private_function(&context, loc, name, inputs, &[result]);
            let stub = ir.create_nested(declaration);
            ir.append_op(block, stub);
        }
        Ok(())
    }
}

/// Only its address counts.
fn object_type(context: &Context) -> Type {
    let byte = context.integer_type(8);
    context.memref_type(MemRefType::identity(&[1], byte))
}

/// The conversion of one function.
struct Conversion {
    implementation: Implementation,
    returns_errors: bool,
    checks: bool,
    used: Used,
    /// Places on the stack for what functions hand out, by type.
    slots: BTreeMap<u32, Value>,
    diagnostics: Diagnostics,
}

/// A buffer as calls take it: where it begins, how many of which type.
struct Message {
    pointer: Value,
    /// Behind its last byte if it has no gaps, else the same.
    end: Value,
    count: Value,
    datatype: Value,
    /// Types of MPI to be freed after the call.
    made: Vec<Value>,
}

impl Conversion {
    fn convert(&mut self, ir: &mut Ir) -> Result<(), Failed> {
        for op in ir.collect_ops(ir.root()) {
            if ir.def(op).dialect() == "mpi" {
                self.convert_op(ir, op)?;
                self.used.n_operations += 1;
            }
        }
        Ok(())
    }

    fn convert_op(&mut self, ir: &mut Ir, op: Op) -> Result<(), Failed> {
        let def = ir.def(op);
        let is = |row| std::ptr::eq(def, row);
        let mut b = Builder::before(ir, op);
        if is(&mpi::COMM_WORLD) {
            let handle = self.handle(&mut b, self.implementation.comm_world());
            let number = self.widened(&mut b, handle);
            self.replace_last(&mut b, op, number);
        } else if is(&mpi::INIT) {
            let once = b.context().intern_name(ONCE);
            let code = match b.ir.has_attr(op, once) {
                true => self.init_once(&mut b),
                false => self.init(&mut b),
            };
            self.end(&mut b, op, code);
        } else if is(&mpi::FINALIZE) {
            let code = self.call(&mut b, "MPI_Finalize", &[]);
            self.end(&mut b, op, code);
        } else if is(&mpi::COMM_RANK) || is(&mpi::COMM_SIZE) {
            let name = if is(&mpi::COMM_RANK) {
                "MPI_Comm_rank"
            } else {
                "MPI_Comm_size"
            };
            let comm = self.comm(&mut b, op, 0);
            let (slot, address) = self.slot(&mut b, Type::I32);
            let code = self.call(&mut b, name, &[comm, address]);
            let number = load(&mut b, slot);
            self.replace_last(&mut b, op, number);
            self.end(&mut b, op, code);
        } else if is(&mpi::COMM_SPLIT) {
            let comm = self.comm(&mut b, op, 0);
            let (slot, address) = self.cleared_slot(&mut b);
            let (color, key) = (b.ir.operand(op, 1), b.ir.operand(op, 2));
            let code = self.call(&mut b, "MPI_Comm_split", &[comm, color, key, address]);
            let number = load(&mut b, slot);
            self.replace_last(&mut b, op, number);
            self.end(&mut b, op, code);
        } else if is(&mpi::BARRIER) {
            let comm = self.comm(&mut b, op, 0);
            let code = self.call(&mut b, "MPI_Barrier", &[comm]);
            self.end(&mut b, op, code);
        } else if is(&mpi::SEND) || is(&mpi::RECV) || is(&mpi::ISEND) || is(&mpi::IRECV) {
            self.transfer(&mut b, op)?;
        } else if is(&mpi::WAIT) {
            let request = b.ir.operand(op, 0);
            let mut number = cast(&mut b, request, Type::I64);
            if self.checks {
                number = self.runtime_call(&mut b, "freehold_check_request_end", &[number]);
            }
            let (slot, address) = self.slot(&mut b, Type::I64);
            store(&mut b, number, slot);
            let status = arith::constant_int(
                &mut b,
                Type::I64,
                self.implementation.status_ignore().into(),
            );
            let code = self.call(&mut b, "MPI_Wait", &[address, status]);
            self.end(&mut b, op, code);
        } else if is(&mpi::ALLREDUCE) || is(&mpi::ALLGATHER) || is(&mpi::REDUCE_SCATTER_BLOCK) {
            self.collective(&mut b, op)?;
        } else if is(&mpi::ERROR_CLASS) {
            let class = self.error_class(&mut b, op);
            self.replace_last(&mut b, op, class);
        } else if is(&mpi::RETVAL_CHECK) {
            let attr = b.ir.attr(op, Name::ERRCLASS);
            let wanted = attr.and_then(|attr| ErrorClass::from_attr(b.ir.context(), attr));
            let number = wanted.map_or(-1, |class| self.implementation.error_class(class));
            // Codes say more than their class, but there is only one of success.
            let found = match number {
                0 => {
                    let code = b.ir.operand(op, 0);
                    cast(&mut b, code, Type::I32)
                }
                _ => self.error_class(&mut b, op),
            };
            let number = arith::constant_int(&mut b, Type::I32, number.into());
            let equal = arith::compare(&mut b, CmpIPredicate::Eq, found, number);
            let result = b.ir.result(op, 0);
            b.ir.replace_all_uses(result, equal);
        }
        ir.erase_op(op);
        Ok(())
    }

    /// A call of a function that returns an error code.
    fn call(&mut self, b: &mut Builder<'_>, name: &'static str, arguments: &[Value]) -> Value {
        let types: Vec<Type> = arguments
            .iter()
            .map(|&value| b.ir.value_type(value))
            .collect();
        self.used.functions.insert(name, types);
        let call = func::build_call(b, name, &[Type::I32], arguments);
        b.ir.result(call, 0)
    }

    /// A call of a function of the runtime library that returns 64 bits.
    fn runtime_call(
        &mut self,
        b: &mut Builder<'_>,
        name: &'static str,
        arguments: &[Value],
    ) -> Value {
        let types: Vec<Type> = arguments
            .iter()
            .map(|&value| b.ir.value_type(value))
            .collect();
        self.used.runtime.insert(name, types);
        let call = func::build_call(b, name, &[Type::I64], arguments);
        b.ir.result(call, 0)
    }

    /// The value of a predefined handle, as calls take it.
    fn handle(&mut self, b: &mut Builder<'_>, handle: Handle) -> Value {
        match handle {
            Handle::Number(number) => arith::constant_int(b, Type::I32, number.into()),
            Handle::Object(name) => {
                self.used.objects.insert(name);
                let ty = object_type(&b.context());
                let object = build::get_global(b, name, ty);
                address_of(b, object)
            }
        }
    }

    /// A handle with 64 bits, as values of the dialect have it.
    fn widened(&self, b: &mut Builder<'_>, handle: Value) -> Value {
        match self.implementation {
            Implementation::OpenMpi => handle,
            Implementation::Mpich => b.value(&arith::EXTUI, &[handle], Type::I64),
        }
    }

    /// A number of 64 bits as a handle in calls.
    fn narrowed(&self, b: &mut Builder<'_>, number: Value) -> Value {
        match self.implementation {
            Implementation::OpenMpi => number,
            Implementation::Mpich => b.value(&arith::TRUNCI, &[number], Type::I32),
        }
    }

    /// The communicator that is an operand.
    fn comm(&self, b: &mut Builder<'_>, op: Op, index: usize) -> Value {
        let comm = b.ir.operand(op, index);
        let number = cast(b, comm, Type::I64);
        self.narrowed(b, number)
    }

    /// A place on the stack for an integer, and its address.
    fn slot(&mut self, b: &mut Builder<'_>, ty: Type) -> (Value, Value) {
        let context = b.context();
        let width = if ty == Type::I32 { 32 } else { 64 };
        let slot = *self.slots.entry(width).or_insert_with(|| {
            let entry = b.ir.root_block().expect("the function has a body");
            let loc = b.loc();
            let mut start = Builder::at_start(b.ir, entry);
            start.set_loc(loc);
            let ty = context.memref_type(MemRefType::identity(&[1], ty));
            build::alloca(&mut start, ty, &[])
        });
        (slot, address_of(b, slot))
    }

    /// A place for a handle, all bits of which are zero: MPICH writes one half.
    fn cleared_slot(&mut self, b: &mut Builder<'_>) -> (Value, Value) {
        let (slot, address) = self.slot(b, Type::I64);
        let zero = arith::constant_int(b, Type::I64, 0);
        store(b, zero, slot);
        (slot, address)
    }

    /// Puts a number in the place of the last result.
    fn replace_last(&self, b: &mut Builder<'_>, op: Op, number: Value) {
        let results = b.ir.results(op);
        let result = results[results.len() - 1];
        let ty = b.ir.value_type(result);
        let value = cast(b, number, ty);
        b.ir.replace_all_uses(result, value);
    }

    /// Hands out what a call returned, or ends all processes if that was an error.
    fn end(&mut self, b: &mut Builder<'_>, op: Op, code: Value) {
        if let Some(retval) = mpi::retval(b.ir, op)
            && !b.ir.uses(retval).is_empty()
        {
            let ty = b.ir.value_type(retval);
            let value = cast(b, code, ty);
            b.ir.replace_all_uses(retval, value);
        } else if self.returns_errors {
            self.abort_on_error(b, code);
        }
    }

    fn abort_on_error(&mut self, b: &mut Builder<'_>, code: Value) {
        let zero = arith::constant_int(b, Type::I32, 0);
        let failed = arith::compare(b, CmpIPredicate::Ne, code, zero);
        let branch = scf::build_if(b, failed, &[], false);
        let end = scf::If(branch).then_yield(b.ir);
        let after = b.insert_point();
        b.set_before(end);
        let world = self.handle(b, self.implementation.comm_world());
        self.call(b, "MPI_Abort", &[world, code]);
        b.set_insert_point(after);
    }

    /// `MPI_Init`. Programs that look at return values want to see errors.
    fn init(&mut self, b: &mut Builder<'_>) -> Value {
        let null = arith::constant_int(b, Type::I64, 0);
        let code = self.call(b, "MPI_Init", &[null, null]);
        if self.returns_errors {
            let world = self.handle(b, self.implementation.comm_world());
            let handler = self.handle(b, self.implementation.errors_return());
            self.call(b, "MPI_Comm_set_errhandler", &[world, handler]);
        }
        code
    }

    /// The same if that was not done, with `MPI_Finalize` at the end of the process.
    fn init_once(&mut self, b: &mut Builder<'_>) -> Value {
        let (slot, address) = self.slot(b, Type::I32);
        let code = self.call(b, "MPI_Initialized", &[address]);
        let is_done = load(b, slot);
        let zero = arith::constant_int(b, Type::I32, 0);
        let is_new = arith::compare(b, CmpIPredicate::Eq, is_done, zero);
        let branch = scf::build_if(b, is_new, &[], false);
        let end = scf::If(branch).then_yield(b.ir);
        let after = b.insert_point();
        b.set_before(end);
        self.init(b);
        self.used.functions.insert("MPI_Finalize", Vec::new());
        let context = b.context();
        let ty = context.function_type(&[], &[Type::I32]);
        let name = context.symbol_ref_attr("MPI_Finalize");
        let finalize = b.value_with_attr(&func::CONSTANT, &[], ty, Name::VALUE, name);
        let null = arith::constant_int(b, Type::I64, 0);
        self.call(b, "__cxa_atexit", &[finalize, null, null]);
        b.set_insert_point(after);
        code
    }

    /// The class of the code that is the first operand.
    fn error_class(&mut self, b: &mut Builder<'_>, op: Op) -> Value {
        let code = b.ir.operand(op, 0);
        let code = cast(b, code, Type::I32);
        let (slot, address) = self.slot(b, Type::I32);
        self.call(b, "MPI_Error_class", &[code, address]);
        load(b, slot)
    }

    fn transfer(&mut self, b: &mut Builder<'_>, op: Op) -> Result<(), Failed> {
        let name = [
            (&mpi::SEND, "MPI_Send"),
            (&mpi::RECV, "MPI_Recv"),
            (&mpi::ISEND, "MPI_Isend"),
            (&mpi::IRECV, "MPI_Irecv"),
        ];
        let name = name.iter().find(|row| b.ir.is(op, row.0));
        let name = name.map(|row| row.1).expect("it is one of these");
        let buffer = b.ir.operand(op, 0);
        let message = self.message(b, op, buffer)?;
        let (tag, peer) = (b.ir.operand(op, 1), b.ir.operand(op, 2));
        let peer = match b.ir.has_attr(op, b.context().intern_name(OPTIONAL_PEER)) {
            true => self.optional_peer(b, peer),
            false => peer,
        };
        let comm = self.comm(b, op, 3);
        let mut arguments = vec![
            message.pointer,
            message.count,
            message.datatype,
            peer,
            tag,
            comm,
        ];
        let mut slot = None;
        if b.ir.request(op).is_some() {
            let (place, address) = self.cleared_slot(b);
            arguments.push(address);
            slot = Some(place);
        } else if b.ir.is(op, &mpi::RECV) {
            let status = self.implementation.status_ignore();
            arguments.push(arith::constant_int(b, Type::I64, status.into()));
        }
        let code = self.call(b, name, &arguments);
        if let Some(slot) = slot {
            let mut request = load(b, slot);
            if self.checks {
                let is_written = b.ir.is(op, &mpi::IRECV);
                let is_written = arith::constant_int(b, Type::I32, is_written.into());
                let arguments = [request, message.pointer, message.end, is_written];
                request = self.runtime_call(b, "freehold_check_request_begin", &arguments);
            }
            self.replace_last(b, op, request);
        }
        // MPI keeps a type as long as a transfer needs it. The place of the request is free by now.
        for made in message.made {
            let (slot, address) = self.slot(b, Type::I64);
            store(b, made, slot);
            self.call(b, "MPI_Type_free", &[address]);
        }
        self.end(b, op, code);
        Ok(())
    }

    /// `MPI_PROC_NULL` in the place of a negative rank.
    fn optional_peer(&self, b: &mut Builder<'_>, peer: Value) -> Value {
        let zero = arith::constant_int(b, Type::I32, 0);
        let is_none = arith::compare(b, CmpIPredicate::Slt, peer, zero);
        let null = arith::constant_int(b, Type::I32, self.implementation.proc_null().into());
        b.value(&arith::SELECT, &[is_none, null, peer], Type::I32)
    }

    /// What there is in `buffer`, with a type of MPI for one that has gaps.
    fn message(&mut self, b: &mut Builder<'_>, op: Op, buffer: Value) -> Result<Message, Failed> {
        let context = b.context();
        let memref = context.as_memref(b.ir.value_type(buffer)).cloned();
        let memref = memref.ok_or_else(|| self.unsupported(b.ir, op, buffer))?;
        let datatype = self.datatype(b, op, buffer)?;
        let element_size = context.element_byte_size(memref.element);
        let element_size = element_size.ok_or_else(|| self.unsupported(b.ir, op, buffer))?;
        if context.memref_strides(&memref).is_none() {
            return Err(self.unsupported(b.ir, op, buffer));
        }
        let described = Described::of(b, buffer);
        let bytes = product(b, described.offset, (element_size as i64).into());
        let bytes = as_integer(b, bytes, Type::I64);
        let pointer = b.value(&arith::INDEX_CAST, &[described.pointer], Type::I64);
        let pointer = match arith::as_constant_int(b.ir, bytes) {
            Some(0) => pointer,
            _ => b.value(&arith::ADDI, &[pointer, bytes], Type::I64),
        };
        let sizes: Vec<MixedIndex> = (0..memref.shape.len())
            .map(|dim| size(b, buffer, &memref, dim))
            .collect();
        let n_dense = n_dense_dims(&context, &memref);
        let (outer, dense) = sizes.split_at(sizes.len() - n_dense);
        let mut block = MixedIndex::Constant(datatype.n as i64);
        for &size in dense {
            block = product(b, block, size);
        }
        let mut end = pointer;
        if self.checks && outer.is_empty() {
            let mut bytes = MixedIndex::Constant(element_size as i64);
            for &size in dense {
                bytes = product(b, bytes, size);
            }
            let bytes = as_integer(b, bytes, Type::I64);
            end = b.value(&arith::ADDI, &[pointer, bytes], Type::I64);
        }
        let block = self.count(b, op, block)?;
        let mut ty = self.handle(b, datatype.handle);
        let mut made = Vec::new();
        if outer.is_empty() {
            return Ok(Message {
                pointer,
                end,
                count: block,
                datatype: ty,
                made,
            });
        }
        let one = arith::constant_int(b, Type::I32, 1);
        let mut length = block;
        for (dim, &size) in outer.iter().enumerate().rev() {
            let size = self.count(b, op, size)?;
            let stride = product(b, described.strides[dim], (element_size as i64).into());
            let stride = as_integer(b, stride, Type::I64);
            let (slot, address) = self.cleared_slot(b);
            self.call(
                b,
                "MPI_Type_create_hvector",
                &[size, length, stride, ty, address],
            );
            let number = load(b, slot);
            made.push(number);
            ty = self.narrowed(b, number);
            length = one;
        }
        let (slot, address) = self.slot(b, Type::I64);
        store(b, made[made.len() - 1], slot);
        self.call(b, "MPI_Type_commit", &[address]);
        Ok(Message {
            pointer,
            end,
            count: one,
            datatype: ty,
            made,
        })
    }

    /// A number of elements as MPI takes it.
    fn count(&mut self, b: &mut Builder<'_>, op: Op, count: MixedIndex) -> Result<Value, Failed> {
        const TOO_MANY: &str = "more elements than MPI counts";
        match count {
            MixedIndex::Constant(n) if n > i32::MAX.into() => {
                let message = format!("'{}' op has {TOO_MANY}", b.ir.op_name(op));
                Err(self.diagnostics.error(b.loc(), message))
            }
            MixedIndex::Constant(n) => Ok(arith::constant_int(b, Type::I32, n.into())),
            MixedIndex::Value(value) => {
                let most = arith::constant_index(b, i32::MAX.into());
                let fits = arith::compare(b, CmpIPredicate::Ule, value, most);
                let text = b.context().string_attr(TOO_MANY);
                let spec = b.spec(&cf::ASSERT).operands(&[fits]).attr(Name::MSG, text);
                b.create(spec);
                Ok(b.value(&arith::INDEX_CAST, &[value], Type::I32))
            }
        }
    }

    fn datatype(&mut self, b: &Builder<'_>, op: Op, buffer: Value) -> Result<Datatype, Failed> {
        let context = b.context();
        let element = context.element_type_or_self(b.ir.value_type(buffer));
        let found = self.implementation.datatype(&context, element);
        found.ok_or_else(|| self.unsupported(b.ir, op, buffer))
    }

    fn unsupported(&mut self, ir: &Ir, op: Op, buffer: Value) -> Failed {
        let ty =
            freehold_frontend::syntax::printer::type_to_string(ir.context(), ir.value_type(buffer));
        let message = format!(
            "'{}' op cannot be done by MPI on type '{ty}'",
            ir.op_name(op)
        );
        self.diagnostics.error(ir.loc(op), message)
    }

    /// Operations between all processes, on buffers without gaps: others are packed.
    fn collective(&mut self, b: &mut Builder<'_>, op: Op) -> Result<(), Failed> {
        let (send, receive) = (b.ir.operand(op, 0), b.ir.operand(op, 1));
        let context = b.context();
        let reduction = b.ir.attr(op, Name::OP);
        let reduction = reduction.and_then(|attr| Reduction::from_attr(&context, attr));
        let mut widened = None;
        if let Some(reduction) = reduction {
            let datatype = self.datatype(b, op, send)?;
            let element = context.element_type_or_self(b.ir.value_type(send));
            if matches!(element, Type::F16 | Type::BF16) && WIDENED.contains(&reduction.word()) {
                widened = Some(Type::F32);
            } else if !datatype.is_number {
                return Err(self.unsupported(b.ir, op, send));
            }
            if self.implementation.reduction(reduction).is_none() {
                let message = format!(
                    "'{}' op cannot reduce with {}",
                    b.ir.op_name(op),
                    reduction.word()
                );
                return Err(self.diagnostics.error(b.loc(), message));
            }
        }
        let packed_send = self.packed(b, op, send, widened)?;
        let packed_receive = self.packed(b, op, receive, widened)?;
        if let Some(packed) = packed_send {
            match widened {
                Some(_) => copy_elements(b, send, packed, &arith::EXTF),
                None => {
                    build::copy(b, send, packed);
                }
            }
        }
        let sent = self.message(b, op, packed_send.unwrap_or(send))?;
        let received = self.message(b, op, packed_receive.unwrap_or(receive))?;
        let comm = self.comm(b, op, 2);
        // One buffer for both sides has a name of its own in MPI.
        let in_place = arith::constant_int(b, Type::I64, self.implementation.in_place().into());
        let is_same = arith::compare(b, CmpIPredicate::Eq, sent.pointer, received.pointer);
        let pointer = b.value(
            &arith::SELECT,
            &[is_same, in_place, sent.pointer],
            Type::I64,
        );
        let code = match reduction.and_then(|reduction| self.implementation.reduction(reduction)) {
            None => {
                let arguments = [
                    sent.pointer,
                    sent.count,
                    sent.datatype,
                    received.pointer,
                    sent.count,
                    received.datatype,
                    comm,
                ];
                self.call(b, "MPI_Allgather", &arguments)
            }
            Some(reduction) => {
                let reduction = self.handle(b, reduction);
                let is_scatter = b.ir.is(op, &mpi::REDUCE_SCATTER_BLOCK);
                let (name, count) = match is_scatter {
                    true => ("MPI_Reduce_scatter_block", received.count),
                    false => ("MPI_Allreduce", sent.count),
                };
                let arguments = [
                    pointer,
                    received.pointer,
                    count,
                    sent.datatype,
                    reduction,
                    comm,
                ];
                self.call(b, name, &arguments)
            }
        };
        if let Some(packed) = packed_receive {
            match widened {
                Some(_) => copy_elements(b, packed, receive, &arith::TRUNCF),
                None => {
                    build::copy(b, packed, receive);
                }
            }
            build::dealloc(b, packed);
        }
        if let Some(packed) = packed_send {
            build::dealloc(b, packed);
        }
        self.end(b, op, code);
        Ok(())
    }

    /// A new buffer without gaps for one that may have some, or of other elements.
    fn packed(
        &mut self,
        b: &mut Builder<'_>,
        op: Op,
        buffer: Value,
        elements: Option<Type>,
    ) -> Result<Option<Value>, Failed> {
        let context = b.context();
        let memref = context.as_memref(b.ir.value_type(buffer)).cloned();
        let memref = memref.ok_or_else(|| self.unsupported(b.ir, op, buffer))?;
        if elements.is_none() && n_dense_dims(&context, &memref) == memref.shape.len() {
            return Ok(None);
        }
        let mut dynamic = Vec::new();
        for dim in 0..memref.shape.len() {
            if let MixedIndex::Value(size) = size(b, buffer, &memref, dim) {
                dynamic.push(size);
            }
        }
        let element = elements.unwrap_or(memref.element);
        let ty = context.memref_type(MemRefType::identity(&memref.shape, element));
        Ok(Some(build::alloc(b, ty, &dynamic)))
    }
}

/// Reductions that are done on wider elements and rounded once.
const WIDENED: [&str; 4] = ["MPI_MAX", "MPI_MIN", "MPI_SUM", "MPI_PROD"];

/// Copies all elements of a buffer to one of the same shape, each through a conversion.
fn copy_elements(b: &mut Builder<'_>, from: Value, to: Value, conversion: &'static OpDef) {
    let context = b.context();
    let memref = context.as_memref(b.ir.value_type(from)).cloned();
    let memref = memref.expect("it is a buffer with a rank");
    let element = context.element_type_or_self(b.ir.value_type(to));
    let after = b.insert_point();
    let zero = arith::constant_index(b, 0);
    let one = arith::constant_index(b, 1);
    let mut indices = Vec::new();
    for dim in 0..memref.shape.len() {
        let end = match size(b, from, &memref, dim) {
            MixedIndex::Constant(size) => arith::constant_index(b, size),
            MixedIndex::Value(size) => size,
        };
        let row = scf::build_for(b, zero, end, one, &[]);
        let body = scf::For(row).body(b.ir);
        indices.push(b.ir.block_args(body)[0]);
        match b.ir.terminator(body) {
            Some(end) => b.set_before(end),
            None => b.set_to_end(body),
        }
    }
    let value = build::load(b, from, &indices);
    let value = b.value(conversion, &[value], element);
    build::store(b, value, to, &indices);
    b.set_insert_point(after);
}

/// The last dimensions, as far as it is known that they have no gaps.
fn n_dense_dims(context: &Context, memref: &MemRefType) -> usize {
    let rank = memref.shape.len();
    if memref::has_identity_layout(context, memref) {
        return rank;
    }
    let Some((strides, _)) = context.memref_strides(memref) else {
        return 0;
    };
    let mut expected = 1i64;
    let mut n = 0;
    for (&size, &stride) in memref.shape.iter().zip(&strides).rev() {
        if size != 1 && stride != expected {
            break;
        }
        n += 1;
        // Behind a size that is not known, nothing is.
        match (size, expected.checked_mul(size)) {
            (DYNAMIC, _) | (_, None) => break,
            (_, Some(next)) => expected = next,
        }
    }
    n
}

/// The size of a dimension.
fn size(b: &mut Builder<'_>, buffer: Value, memref: &MemRefType, dim: usize) -> MixedIndex {
    match memref.shape[dim] {
        DYNAMIC => {
            let dim = arith::constant_index(b, dim as i64);
            MixedIndex::Value(build::dim(b, buffer, dim))
        }
        size => MixedIndex::Constant(size),
    }
}

fn as_integer(b: &mut Builder<'_>, index: MixedIndex, ty: Type) -> Value {
    match index {
        MixedIndex::Constant(number) => arith::constant_int(b, ty, number.into()),
        MixedIndex::Value(value) => b.value(&arith::INDEX_CAST, &[value], ty),
    }
}

/// Between values of the dialect and the integers they are held in.
fn cast(b: &mut Builder<'_>, value: Value, ty: Type) -> Value {
    match b.ir.value_type(value) == ty {
        true => value,
        false => b.value(&UNREALIZED_CONVERSION_CAST, &[value], ty),
    }
}

fn address_of(b: &mut Builder<'_>, buffer: Value) -> Value {
    let def = &memref::EXTRACT_ALIGNED_POINTER_AS_INDEX;
    let pointer = b.value(def, &[buffer], Type::INDEX);
    b.value(&arith::INDEX_CAST, &[pointer], Type::I64)
}

fn load(b: &mut Builder<'_>, slot: Value) -> Value {
    let zero = arith::constant_index(b, 0);
    build::load(b, slot, &[zero])
}

fn store(b: &mut Builder<'_>, value: Value, slot: Value) {
    let zero = arith::constant_index(b, 0);
    build::store(b, value, slot, &[zero]);
}
