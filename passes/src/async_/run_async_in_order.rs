//! `run-async-in-order`: bodies of `async.execute` run where they stand.
//!
//! Before:
//! ```mlir
//! func.func @f(%m: memref<4xf32>, %i: index) -> f32 {
//!   %token, %value = async.execute -> !async.value<f32> {
//!     %x = memref.load %m[%i] : memref<4xf32>
//!     async.yield %x : f32
//!   }
//!   %y = async.await %value : !async.value<f32>
//!   return %y : f32
//! }
//! ```
//! After:
//! ```mlir
//! func.func @f(%m: memref<4xf32>, %i: index) -> f32 {
//!   %x = memref.load %m[%i] : memref<4xf32>
//!   return %x : f32
//! }
//! ```
//!
//! A body may run at once: all that it depends on is there. Tokens become `i1`, values what they hold, groups counters:
//! a group that gets more than was said, or is waited for with less in it, ends the program.
//!
//! With `threads` above one, bodies stay that may run on other threads (`outline-async-bodies`). What they yield goes
//! through memory. A body runs in order all the same if it yields or takes buffers or tensors, which need an owner,
//! if it has tensors or unranked memrefs inside, or frees buffers that it did not allocate. Where a token is handed on to other blocks or
//! functions, it is waited for before. A token that nothing in its block waits for is waited for at the end of the block, as
//! is one that is only in a group, unless that is waited for where it is made and no buffers begin to live in between. So
//! buffers that a body uses are there until it has ended, whoever frees them.
//!
//! In programs that ask for errors of bodies, all run in order (`errors.rs`).

use freehold_frontend::dialects::arith::{self, CmpIPredicate};
use freehold_frontend::dialects::memref::build;
use freehold_frontend::dialects::{async_, cf};
use freehold_frontend::ir::attrs::AttrKind;
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::{Diagnostics, Failed};
use freehold_frontend::ir::effects::EffectKind;
use freehold_frontend::ir::entities::{Op, Use, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::op_def::Traits;
use freehold_frontend::ir::types::{MemRefType, Type, TypeKind};
use rustc_hash::FxHashSet;

use crate::analysis::awaits::Awaited;
use crate::manage::options::pass_options;
use crate::manage::pass::{Anchor, PassContext, PassDef};
use crate::rewrite::functions;
use crate::rewrite::stack_memory::stack_block;

use super::errors;

pass_options! {
    /// Options of the pass.
    pub struct Options {
        /// number of threads that bodies may run on
        "threads" threads: u64 = 1,
    }
}

/// The pass.
pub static PASS: PassDef<Options> = PassDef {
    name: "run-async-in-order",
    summary: "run bodies of async.execute where they stand, but for those that several threads may run",
    anchor: Anchor::Module,
    run: |ir, context: &mut PassContext<'_, Options>| {
        let mode = match errors::are_asked_for(ir) {
            true => Mode {
                threads: 1,
                has_errors: true,
            },
            false => Mode {
                threads: context.options.threads,
                has_errors: false,
            },
        };
        let counts = convert_module(ir, mode, &mut context.diagnostics)?;
        context.count("bodies run in place", counts.in_place);
        context.count("bodies for other threads", counts.elsewhere);
        Ok(())
    },
};

#[derive(Clone, Copy)]
struct Mode {
    threads: u64,
    has_errors: bool,
}

#[derive(Clone, Copy, Default)]
struct Counts {
    in_place: u64,
    elsewhere: u64,
}

fn convert_module(
    ir: &mut Ir,
    mode: Mode,
    diagnostics: &mut Diagnostics,
) -> Result<Counts, Failed> {
    let mut counts = Counts::default();
    for stub in functions::stubs(ir, |ir, op| ir.nested(op).is_some()) {
        let is_module = ir.has_trait(stub, Traits::SYMBOL_TABLE);
        let Some(nested) = ir.nested_mut(stub) else {
            continue;
        };
        let more = match is_module {
            true => convert_module(nested, mode, diagnostics)?,
            false => convert_function(nested, mode, diagnostics)?,
        };
        counts.in_place += more.in_place;
        counts.elsewhere += more.elsewhere;
    }
    Ok(counts)
}

fn convert_function(
    ir: &mut Ir,
    mode: Mode,
    diagnostics: &mut Diagnostics,
) -> Result<Counts, Failed> {
    if !has_async(ir) {
        return Ok(Counts::default());
    }
    let Mode {
        threads,
        has_errors,
    } = mode;
    let mut ops = ir.collect_ops(ir.root());
    refuse(ir, &ops, diagnostics)?;
    let executes: Vec<Op> = (ops.iter().copied())
        .filter(|&op| ir.is(op, &async_::EXECUTE))
        .collect();
    if has_errors {
        errors::run_bodies(ir, diagnostics)?;
        ops = ir.collect_ops(ir.root());
    }
    let kept: Vec<Op> = (executes.iter().copied())
        .filter(|&op| threads > 1 && may_run_elsewhere(ir, op))
        .collect();
    let groups = match (threads > 1, has_errors) {
        (true, _) => Groups::Kept,
        (false, true) => Groups::WithErrors,
        (false, false) => Groups::Counters,
    };
    let conversion = Conversion {
        kept: kept.iter().copied().collect(),
        groups,
        threads,
    };
    let mut sharing = FxHashSet::default();
    for &op in &kept {
        conversion.pass_values_in_memory(ir, op, &mut sharing);
        conversion.wait_before_handing_on(ir, op);
    }
    conversion.convert_types(ir, &ops);
    for &op in &ops {
        conversion.convert_op(ir, op);
    }
    let awaited = Awaited::but_for(ir, &sharing);
    for &op in &kept {
        if !awaited.contains(op) {
            let token = async_::Execute(op).token(ir);
            let block = ir.block_of(op).expect("the operation is in a block");
            let end = ir.last_op(block).expect("the block has a terminator");
            Builder::before(ir, end).op(&async_::AWAIT, &[token], &[]);
        }
    }
    Ok(Counts {
        in_place: (executes.len() - kept.len()) as u64,
        elsewhere: kept.len() as u64,
    })
}

/// Whether a function has anything of the dialect.
fn has_async(ir: &Ir) -> bool {
    let context = ir.context();
    let changes = |ty: Type| converted(ir, ty, Groups::Counters) != ty;
    let is_async = |&value: &Value| changes(ir.value_type(value));
    let ty = ir.function_type(ir.root());
    ty.is_some_and(changes)
        || ir.walk(ir.root()).any(|op| {
            let blocks = ir
                .regions(op)
                .iter()
                .flat_map(|&region| ir.blocks_in(region));
            let mut arguments = blocks.flat_map(|block| ir.block_args(block));
            ir.def(op).dialect() == async_::DIALECT.namespace
                || ir.results(op).iter().any(is_async)
                || arguments.any(is_async)
        })
        || ir.attr(ir.root(), Name::FUNCTION_TYPE).is_some_and(
            |attr| matches!(context.attr_kind(attr), AttrKind::Type(ty) if changes(*ty)),
        )
}

/// Reports what cannot be converted.
fn refuse(ir: &Ir, ops: &[Op], diagnostics: &mut Diagnostics) -> Result<(), Failed> {
    let context = ir.context();
    for &op in ops {
        let is_group = |&value: &Value| async_::is_group(context, ir.value_type(value));
        let message = if ir.is(op, &async_::CALL) || ir.is(op, &async_::FUNC) {
            "has to be lowered by '--async-func-to-async-runtime' before"
        } else if ir.has_trait(op, Traits::TERMINATOR) && ir.operands(op).iter().any(is_group) {
            "hands on an async group, which stays where it is made"
        } else if is_of_coroutines(ir, op) {
            "is what is left of a body in a coroutine: programs run as they are before '--async-to-async-runtime' of MLIR"
        } else {
            continue;
        };
        let message = format!("'{}' op {message}", ir.op_name(op));
        return Err(diagnostics.error(ir.loc(op), message));
    }
    Ok(())
}

/// Whether `op` is of the runtime or of coroutines, and not one that programs have themselves.
fn is_of_coroutines(ir: &Ir, op: Op) -> bool {
    let known = [
        &async_::IS_ERROR,
        &async_::LOAD,
        &async_::NUM_WORKER_THREADS,
        &async_::RUNTIME_AWAIT,
    ];
    let name = ir.op_name(op);
    (name.starts_with("async.runtime.") || name.starts_with("async.coro."))
        && !known.iter().any(|&row| ir.is(op, row))
}

/// Whether a type is not a buffer or a tensor, and may lie in memory.
fn is_plain(ir: &Ir, ty: Type) -> bool {
    match ir.context().type_kind(ty) {
        TypeKind::Integer { .. } | TypeKind::Index | TypeKind::Float(_) | TypeKind::Complex(_) => {
            true
        }
        TypeKind::Vector { scalable, .. } => !scalable.contains(&true),
        _ => false,
    }
}

/// Whether the body of `execute` may run later, on another thread.
fn may_run_elsewhere(ir: &Ir, execute: Op) -> bool {
    let context = ir.context();
    let view = async_::Execute(execute);
    let mut passed = view.body_operands(ir).iter().chain(view.body_results(ir));
    let is_plain_value = |&value: &Value| {
        async_::held_type(context, ir.value_type(value)).is_some_and(|ty| is_plain(ir, ty))
    };
    if !passed.all(is_plain_value) {
        return false;
    }
    // An unranked memref is passed as the address of a descriptor in the caller's frame.
    let stays = |&value: &Value| {
        matches!(
            context.type_kind(ir.value_type(value)),
            TypeKind::RankedTensor { .. }
                | TypeKind::UnrankedTensor(_)
                | TypeKind::UnrankedMemRef { .. }
        )
    };
    let is_outside = |value: Value| {
        let owner = (ir.value_block(value)).and_then(|block| ir.block_parent_op(block));
        !owner.is_some_and(|owner| ir.is_ancestor(execute, owner))
    };
    ir.walk(execute).skip(1).all(|op| {
        let mut values = ir.operands(op).iter().chain(ir.results(op));
        let effects = ir.own_effects(op);
        let mut effects = effects.iter().flat_map(|effects| effects.iter());
        !values.any(stays)
            && !effects.any(|effect| {
                effect.kind == EffectKind::Free && effect.value.is_none_or(is_outside)
            })
    })
}

/// What groups become.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Groups {
    Kept,
    /// How many a group is for, and how many are in it.
    Counters,
    /// These, and how many of them have an error.
    WithErrors,
}

/// What a type of the dialect, or one with such types in it, becomes.
fn converted(ir: &Ir, ty: Type, groups: Groups) -> Type {
    let context = ir.context();
    if async_::is_token(context, ty) {
        return Type::I1;
    }
    if groups != Groups::Kept && async_::is_group(context, ty) {
        return counter_type(ir, groups);
    }
    if let Some(held) = async_::held_type(context, ty) {
        return converted(ir, held, groups);
    }
    let all = |types: &[Type]| -> Vec<Type> {
        types.iter().map(|&ty| converted(ir, ty, groups)).collect()
    };
    match context.type_kind(ty) {
        TypeKind::Function { inputs, results } => {
            context.function_type(&all(inputs), &all(results))
        }
        TypeKind::Tuple(members) => context.intern_type(TypeKind::Tuple(all(members).into())),
        TypeKind::MemRef(memref) => context.memref_type(MemRefType {
            element: converted(ir, memref.element, groups),
            ..memref.clone()
        }),
        _ => ty,
    }
}

fn counter_type(ir: &Ir, groups: Groups) -> Type {
    let n_words = if groups == Groups::WithErrors { 3 } else { 2 };
    let counter = MemRefType::identity(&[n_words], Type::INDEX);
    ir.context().memref_type(counter)
}

struct Conversion {
    /// The bodies that may run later.
    kept: FxHashSet<Op>,
    groups: Groups,
    threads: u64,
}

impl Conversion {
    fn is_kept(&self, op: Op) -> bool {
        self.kept.contains(&op)
    }

    /// Lets what a body yields go through stack memory, so that only its token is left. The next iteration of a loop uses
    /// the same memory: bodies that are `sharing` it have to end before.
    fn pass_values_in_memory(&self, ir: &mut Ir, execute: Op, sharing: &mut FxHashSet<Op>) {
        let view = async_::Execute(execute);
        let token = view.token(ir);
        let end = ir.last_op(view.body(ir)).expect("a body has a terminator");
        let yielded = ir.operands(end).to_vec();
        let results = view.body_results(ir).to_vec();
        ir.set_operands(end, &[]);
        for (&value, &result) in yielded.iter().zip(&results) {
            let uses = ir.uses(result).to_vec();
            if uses.iter().all(|u| ir.is(u.op, &async_::ADD_TO_GROUP)) {
                for u in uses {
                    ir.set_operand(u.op, 0, token);
                }
                continue;
            }
            sharing.insert(execute);
            for u in &uses {
                let mut op = Some(u.op);
                while let Some(user) = op.filter(|&op| !ir.is_ancestor(op, execute)) {
                    if self.is_kept(user) {
                        sharing.insert(user);
                    }
                    op = ir.parent_op(user);
                }
            }
            let held = ir.value_type(value);
            let ty = ir.context().memref_type(MemRefType::identity(&[], held));
            let block = stack_block(ir, execute);
            let mut builder = Builder::at_start(ir, block);
            let place = build::alloca(&mut builder, ty, &[]);
            build::store(&mut Builder::before(ir, end), value, place, &[]);
            for u in uses {
                self.use_from_memory(ir, u, token, place);
            }
        }
        for index in (1..=results.len()).rev() {
            ir.remove_result(execute, index);
        }
    }

    /// One use of a value that lies at `place` when `token` was waited for.
    fn use_from_memory(&self, ir: &mut Ir, u: Use, token: Value, place: Value) {
        let op = u.op;
        if ir.is(op, &async_::ADD_TO_GROUP) {
            ir.set_operand(op, 0, token);
            return;
        }
        if ir.is(op, &async_::EXECUTE) && self.is_kept(op) {
            let view = async_::Execute(op);
            let index = u.index as usize - view.dependencies(ir).len();
            let mut operands = view.body_operands(ir).to_vec();
            operands.remove(index);
            let mut dependencies = view.dependencies(ir).to_vec();
            dependencies.push(token);
            let body = view.body(ir);
            let argument = ir.block_args(body)[index];
            let value = build::load(&mut Builder::at_start(ir, body), place, &[]);
            ir.replace_all_uses(argument, value);
            ir.remove_block_arg(body, index);
            ir.set_operand_group(op, 1, &operands);
            ir.set_operand_group(op, 0, &dependencies);
            return;
        }
        let mut builder = Builder::before(ir, op);
        builder.op(&async_::AWAIT, &[token], &[]);
        let value = build::load(&mut builder, place, &[]);
        if ir.is(op, &async_::AWAIT) {
            ir.replace_op(op, &[value]);
        } else {
            ir.set_operand(op, u.index as usize, value);
        }
    }

    /// Waits for the token of a body before it gets to where it is not known to stand for this body.
    fn wait_before_handing_on(&self, ir: &mut Ir, execute: Op) {
        let token = async_::Execute(execute).token(ir);
        for u in ir.uses(token).to_vec() {
            let is_wait = ir.is(u.op, &async_::AWAIT) || ir.is(u.op, &async_::ADD_TO_GROUP);
            if is_wait || ir.is(u.op, &async_::EXECUTE) && self.is_kept(u.op) {
                continue;
            }
            let mut builder = Builder::before(ir, u.op);
            builder.op(&async_::AWAIT, &[token], &[]);
            let done = arith::constant_bool(&mut builder, false);
            ir.set_operand(u.op, u.index as usize, done);
        }
    }

    /// Tokens, values and maybe groups become what they stand for, but for tokens of bodies that stay.
    fn convert_types(&self, ir: &mut Ir, ops: &[Op]) {
        let live: Vec<Op> = (ops.iter().copied())
            .filter(|&op| !ir.is_erased(op))
            .collect();
        for op in live {
            let blocks = ir
                .regions(op)
                .iter()
                .flat_map(|&region| ir.blocks_in(region));
            let arguments = blocks.flat_map(|block| ir.block_args(block));
            let results = ir.results(op).iter().filter(|_| !self.is_kept(op));
            let defined: Vec<Value> = results.chain(arguments).copied().collect();
            for value in defined {
                let ty = ir.value_type(value);
                let new = converted(ir, ty, self.groups);
                if new != ty {
                    ir.set_value_type(value, new);
                }
            }
            for (name, attr) in ir.context().dict(ir.attrs(op)).to_vec() {
                if let AttrKind::Type(ty) = *ir.context().attr_kind(attr) {
                    let new = converted(ir, ty, self.groups);
                    if new != ty {
                        let new = ir.context().type_attr(new);
                        ir.set_attr(op, name, new);
                    }
                }
            }
        }
    }

    fn convert_op(&self, ir: &mut Ir, op: Op) {
        if ir.is_erased(op) {
            return;
        }
        if ir.is(op, &async_::EXECUTE) {
            match self.is_kept(op) {
                true => capture_operands(ir, op),
                false => run_in_place(ir, op, None),
            }
        } else if ir.is(op, &async_::AWAIT) {
            let operand = ir.operand(op, 0);
            if async_::is_token(ir.context(), ir.value_type(operand)) {
                return;
            }
            match ir.results(op).is_empty() {
                true => ir.erase_op(op),
                false => ir.replace_op(op, &[operand]),
            }
        } else if ir.is(op, &async_::NUM_WORKER_THREADS) {
            let threads = i64::try_from(self.threads.max(1)).unwrap_or(i64::MAX);
            let value = arith::constant_index(&mut Builder::before(ir, op), threads);
            ir.replace_op(op, &[value]);
        } else if ir.is(op, &async_::LOAD) {
            let value = ir.operand(op, 0);
            ir.replace_op(op, &[value]);
        } else if self.groups == Groups::Kept {
            if ir.is(op, &async_::ADD_TO_GROUP) {
                self.add_token(ir, op);
            }
        } else if ir.is(op, &async_::CREATE_GROUP) {
            create_counter(ir, op, self.groups);
        } else if ir.is(op, &async_::ADD_TO_GROUP) {
            count(ir, op, self.groups);
        } else if ir.is(op, &async_::AWAIT_ALL) {
            check_counter(ir, op);
        } else if ir.is(op, &async_::RUNTIME_AWAIT) {
            match ir.is_memref(ir.operand(op, 0)) {
                true => check_counter(ir, op),
                false => ir.erase_op(op),
            }
        } else if ir.is(op, &async_::IS_ERROR) {
            let operand = ir.operand(op, 0);
            let error = match ir.is_memref(operand) {
                true => has_error(ir, op, operand),
                false => operand,
            };
            ir.replace_op(op, &[error]);
        }
    }

    /// Members of groups are tokens. That of a body which has run is one of a body that does nothing.
    fn add_token(&self, ir: &mut Ir, op: Op) {
        let operand = ir.operand(op, 0);
        if async_::is_token(ir.context(), ir.value_type(operand)) {
            return;
        }
        let mut builder = Builder::before(ir, op);
        let done = async_::build_execute(&mut builder, &[]);
        let loc = builder.loc();
        let body = async_::Execute(done).body(ir);
        let mut builder = Builder::at_end(ir, body);
        builder.set_loc(loc);
        builder.op(&async_::YIELD, &[], &[]);
        let token = async_::Execute(done).token(ir);
        Builder::before(ir, op).op(&async_::AWAIT, &[token], &[]);
        ir.set_operand(op, 0, token);
    }
}

/// Dependencies and operands that are there already: a body that stays uses them as other values.
fn capture_operands(ir: &mut Ir, execute: Op) {
    let view = async_::Execute(execute);
    let context = ir.context().clone();
    let dependencies: Vec<Value> = (view.dependencies(ir).iter().copied())
        .filter(|&value| async_::is_token(&context, ir.value_type(value)))
        .collect();
    let operands = view.body_operands(ir).to_vec();
    let body = view.body(ir);
    let arguments = ir.block_args(body).to_vec();
    for (&argument, &operand) in arguments.iter().zip(&operands) {
        ir.replace_all_uses(argument, operand);
    }
    for index in (0..arguments.len()).rev() {
        ir.remove_block_arg(body, index);
    }
    ir.set_operand_group(execute, 1, &[]);
    ir.set_operand_group(execute, 0, &dependencies);
}

/// Replaces an `async.execute`, whose dependencies and operands are there, by its body. Its token becomes `failed`.
pub(super) fn run_in_place(ir: &mut Ir, execute: Op, failed: Option<Value>) {
    let view = async_::Execute(execute);
    let body = view.body(ir);
    let arguments = ir.block_args(body).to_vec();
    let operands = view.body_operands(ir).to_vec();
    for (&argument, &operand) in arguments.iter().zip(&operands) {
        ir.replace_all_uses(argument, operand);
    }
    let end = ir.last_op(body).expect("a body has a terminator");
    let yielded = ir.operands(end).to_vec();
    ir.erase_op(end);
    ir.move_block_contents_before(body, execute);
    let token = view.token(ir);
    if !ir.has_no_uses(token) {
        let failed = failed
            .unwrap_or_else(|| arith::constant_bool(&mut Builder::before(ir, execute), false));
        ir.replace_all_uses(token, failed);
    }
    for (result, value) in view.body_results(ir).to_vec().into_iter().zip(yielded) {
        ir.replace_all_uses(result, value);
    }
    ir.erase_op(execute);
}

/// A group becomes two numbers in stack memory.
fn create_counter(ir: &mut Ir, op: Op, groups: Groups) {
    let size = ir.operand(op, 0);
    let ty = counter_type(ir, groups);
    let block = stack_block(ir, op);
    let mut builder = Builder::at_start(ir, block);
    let counter = build::alloca(&mut builder, ty, &[]);
    let mut builder = Builder::before(ir, op);
    let zero = arith::constant_index(&mut builder, 0);
    let one = arith::constant_index(&mut builder, 1);
    build::store(&mut builder, size, counter, &[zero]);
    build::store(&mut builder, zero, counter, &[one]);
    if groups == Groups::WithErrors {
        let two = arith::constant_index(&mut builder, 2);
        build::store(&mut builder, zero, counter, &[two]);
    }
    ir.replace_op(op, &[counter]);
}

/// How many a group is for and how many are in it, where a group is used, and the constant one.
fn load_counter(builder: &mut Builder<'_>, counter: Value) -> (Value, Value, Value) {
    let zero = arith::constant_index(builder, 0);
    let one = arith::constant_index(builder, 1);
    let size = build::load(builder, counter, &[zero]);
    let added = build::load(builder, counter, &[one]);
    (size, added, one)
}

pub(super) fn require(builder: &mut Builder<'_>, condition: Value, message: &str) {
    let message = builder.context().string_attr(message);
    let spec = (builder.spec(&cf::ASSERT))
        .operands(&[condition])
        .attr(Name::MSG, message);
    builder.create(spec);
}

/// Whether something with an error is in a group.
fn has_error(ir: &mut Ir, op: Op, counter: Value) -> Value {
    let mut builder = Builder::before(ir, op);
    let two = arith::constant_index(&mut builder, 2);
    let n_errors = build::load(&mut builder, counter, &[two]);
    let zero = arith::constant_index(&mut builder, 0);
    arith::compare(&mut builder, CmpIPredicate::Ne, n_errors, zero)
}

/// Counts the members of a group.
fn count(ir: &mut Ir, op: Op, groups: Groups) {
    let (failed, counter) = (ir.operand(op, 0), ir.operand(op, 1));
    let mut builder = Builder::before(ir, op);
    let (size, added, one) = load_counter(&mut builder, counter);
    let fits = arith::compare(&mut builder, CmpIPredicate::Slt, added, size);
    require(&mut builder, fits, FULL);
    let more = builder.value(&arith::ADDI, &[added, one], Type::INDEX);
    build::store(&mut builder, more, counter, &[one]);
    if groups == Groups::WithErrors {
        let two = arith::constant_index(&mut builder, 2);
        let before = build::load(&mut builder, counter, &[two]);
        let failed = builder.value(&arith::INDEX_CASTUI, &[failed], Type::INDEX);
        let after = builder.value(&arith::ADDI, &[before, failed], Type::INDEX);
        build::store(&mut builder, after, counter, &[two]);
    }
    ir.replace_op(op, &[added]);
}

/// Everything that is in a group is done. That there will be more is out of the question.
fn check_counter(ir: &mut Ir, op: Op) {
    let counter = ir.operand(op, 0);
    let mut builder = Builder::before(ir, op);
    let (size, added, _) = load_counter(&mut builder, counter);
    let is_full = arith::compare(&mut builder, CmpIPredicate::Eq, added, size);
    require(&mut builder, is_full, NOT_FULL);
    ir.erase_op(op);
}

/// What a program ends with that puts too much into a group.
const FULL: &str = "async.add_to_group: more is added to the group than its size says";
/// What a program ends with that would wait forever.
const NOT_FULL: &str = "async.await_all: less is added to the group than its size says";
