//! `bufferization-lower-deallocations`: turns every `bufferization.dealloc`
//! into `memref.dealloc`s under conditions.
//!
//! Before:
//! ```mlir
//! %0 = bufferization.dealloc (%m : memref<2xf32>) if (%cond) retain (%r : memref<?xf32>)
//! ```
//! After:
//! ```mlir
//! %pm = deallocation.get_buffer %m : memref<2xf32>
//! %pr = deallocation.get_buffer %r : memref<?xf32>
//! %ne = arith.cmpi ne, %pm, %pr : index
//! %free = arith.andi %ne, %cond : i1
//! scf.if %free {
//!   memref.dealloc %m : memref<2xf32>
//! }
//! %eq = arith.xori %ne, %true : i1
//! %0 = arith.andi %eq, %cond : i1
//! ```
//!
//! Entry `i` is freed iff its condition holds, nothing retained is its buffer
//! and no earlier entry with a true condition is. A retained value is owned
//! afterwards iff an entry with a true condition is its buffer. Buffers are
//! told apart by their *allocated* pointers, so shifted views count as the
//! buffer they view.
//!
//! Small operations compare inline. Larger ones store pointers and conditions
//! on the stack and call `@dealloc_helper`, one function per module, which
//! upstream calls with heap arrays. Upstream's helper drops an entry if an
//! earlier one has its pointer even when that one's condition is false, and so
//! leaks; ours does not.

use std::sync::Arc;

use freehold_frontend::diag::Failed;
use freehold_frontend::dialects::arith::CmpIPredicate;
use freehold_frontend::dialects::{arith, bufferization, deallocation, func, memref, scf};
use freehold_frontend::ir::attrs::Attr;
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::edit::OpSpec;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::location::Loc;
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::symbols::SymbolTable;
use freehold_frontend::ir::types::{DYNAMIC, MemRefType, Type};

use crate::greedy::constant_value;
use crate::manager;
use crate::pass::{Anchor, OptionDef, OptionKind, PassContext, PassDef};

const OPTIONS: &[OptionDef] = &[OptionDef {
    name: "lowering",
    kind: OptionKind::Choice(&["auto", "generic", "specialized"]),
    default: "auto",
    help: "compare inline always (specialized), never (generic), or where it is smaller (auto)",
}];

/// The pass.
pub static PASS: PassDef = PassDef {
    name: "bufferization-lower-deallocations",
    summary: "lower bufferization.dealloc to memref.dealloc under run-time conditions",
    anchor: Anchor::Module,
    options: OPTIONS,
    run,
};

/// Upstream's older name of the pass.
pub static ALIAS: PassDef = PassDef {
    name: "lower-deallocations",
    ..copy_of_pass()
};

const fn copy_of_pass() -> PassDef {
    PassDef {
        name: "",
        summary: "the same as bufferization-lower-deallocations",
        anchor: Anchor::Module,
        options: OPTIONS,
        run,
    }
}

/// How to lower operations with several entries or retained values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lowering {
    /// Inline up to [`MAX_INLINE_COMPARISONS`].
    Auto,
    /// Always through the helper, but for single entries without retained values.
    Generic,
    /// Always inline.
    Specialized,
}

/// Most pointer comparisons made inline by [`Lowering::Auto`].
pub const MAX_INLINE_COMPARISONS: usize = 16;

const HELPER: &str = "dealloc_helper";

fn run(ir: &mut Ir, context: &mut PassContext<'_>) -> Result<(), Failed> {
    let lowering = match context.text("lowering") {
        "generic" => Lowering::Generic,
        "specialized" => Lowering::Specialized,
        _ => Lowering::Auto,
    };
    let n_lowered = lower_module(ir, lowering);
    context.count("deallocs lowered", n_lowered);
    Ok(())
}

/// Lowers everything in a module and in those inside; returns how many operations.
pub fn lower_module(ir: &mut Ir, lowering: Lowering) -> u64 {
    let helper = SymbolTable::of(ir).unique_name(HELPER);
    let outcomes =
        manager::map_functions(ir, |function| lower_function(function, lowering, &helper));
    let needs_helper = outcomes.iter().any(|outcome| outcome.calls_helper);
    if needs_helper {
        let body = build_helper(ir.context(), ir.loc(ir.root()), &helper);
        let stub = ir.create_nested(body);
        let block = ir.root_block().expect("modules have a body");
        ir.append_op(block, stub);
    }
    let mut n_lowered = outcomes.iter().map(|outcome| outcome.n_lowered).sum();
    for stub in manager::nested_modules(ir) {
        if let Some(nested) = ir.nested_mut(stub) {
            n_lowered += lower_module(nested, lowering);
        }
    }
    n_lowered
}

struct Outcome {
    n_lowered: u64,
    calls_helper: bool,
}

fn lower_function(ir: &mut Ir, lowering: Lowering, helper: &str) -> Outcome {
    let mut outcome = Outcome {
        n_lowered: 0,
        calls_helper: false,
    };
    for op in ir.collect_ops(ir.root()) {
        if ir.is_erased(op) || !ir.is(op, &bufferization::DEALLOC) {
            continue;
        }
        let dealloc = Dealloc {
            op,
            entries: ir.operand_group(op, 0).to_vec(),
            conditions: ir.operand_group(op, 1).to_vec(),
            retained: ir.operand_group(op, 2).to_vec(),
        };
        let (n, m) = (dealloc.entries.len(), dealloc.retained.len());
        let n_comparisons = n * m + n * n.saturating_sub(1) / 2;
        let inline = match lowering {
            Lowering::Auto => n_comparisons <= MAX_INLINE_COMPARISONS || n <= 1,
            Lowering::Generic => n == 0 || (n == 1 && m == 0),
            Lowering::Specialized => true,
        };
        let results = if inline {
            dealloc.lower_inline(ir)
        } else {
            outcome.calls_helper = true;
            dealloc.lower_to_helper(ir, helper)
        };
        ir.replace_op(op, &results);
        outcome.n_lowered += 1;
    }
    outcome
}

/// One operation to lower.
struct Dealloc {
    op: Op,
    entries: Vec<Value>,
    conditions: Vec<Value>,
    retained: Vec<Value>,
}

impl Dealloc {
    /// Comparisons inline, without branches but for the frees.
    fn lower_inline(&self, ir: &mut Ir) -> Vec<Value> {
        let mut builder = Builder::before(ir, self.op);
        let compares = self.entries.len() > 1 || !self.retained.is_empty();
        let pointers = |builder: &mut Builder<'_>, values: &[Value]| -> Vec<Value> {
            values
                .iter()
                .map(|&value| buffer_pointer(builder, value))
                .collect()
        };
        let entry_pointers = if compares {
            pointers(&mut builder, &self.entries)
        } else {
            Vec::new()
        };
        let retained_pointers = if self.entries.is_empty() {
            Vec::new()
        } else {
            pointers(&mut builder, &self.retained)
        };
        let mut ownership: Vec<Option<Value>> = vec![None; self.retained.len()];
        let mut frees = Vec::new();
        for (i, &condition) in self.conditions.iter().enumerate() {
            let mut free = condition;
            for (j, &retained) in retained_pointers.iter().enumerate() {
                let differs = compare(&mut builder, CmpIPredicate::Ne, entry_pointers[i], retained);
                free = builder.value(&arith::ANDI, &[free, differs], Type::I1);
                let true_value = arith::constant_bool(&mut builder, true);
                let same = builder.value(&arith::XORI, &[differs, true_value], Type::I1);
                let owned = builder.value(&arith::ANDI, &[same, condition], Type::I1);
                ownership[j] = Some(match ownership[j] {
                    Some(before) => builder.value(&arith::ORI, &[before, owned], Type::I1),
                    None => owned,
                });
            }
            for earlier in 0..i {
                // Kept back if the earlier entry is the same buffer and was to be freed.
                let differs = compare(
                    &mut builder,
                    CmpIPredicate::Ne,
                    entry_pointers[i],
                    entry_pointers[earlier],
                );
                let keeps = match constant_value(builder.ir, self.conditions[earlier]) {
                    Some(Attr::TRUE) => differs,
                    _ => {
                        let true_value = arith::constant_bool(&mut builder, true);
                        let not_freed = builder.value(
                            &arith::XORI,
                            &[self.conditions[earlier], true_value],
                            Type::I1,
                        );
                        builder.value(&arith::ORI, &[differs, not_freed], Type::I1)
                    }
                };
                free = builder.value(&arith::ANDI, &[free, keeps], Type::I1);
            }
            frees.push(free);
        }
        // All comparisons come before the first free.
        for (&entry, &free) in self.entries.iter().zip(&frees) {
            free_if(&mut builder, free, entry);
        }
        ownership
            .into_iter()
            .map(|owned| owned.unwrap_or_else(|| arith::constant_bool(&mut builder, false)))
            .collect()
    }

    /// Pointers and conditions in stack arrays, compared by the helper.
    fn lower_to_helper(&self, ir: &mut Ir, helper: &str) -> Vec<Value> {
        let (n, m) = (self.entries.len(), self.retained.len());
        // Stack space is taken once per call, not once per iteration.
        let entry = ir.root_block().expect("the function has a body");
        let loc = ir.loc(self.op);
        let mut builder = Builder::at_start(ir, entry);
        builder.set_loc(loc);
        let mut array = |size: usize, element: Type| {
            let context = builder.context();
            let ty = context.memref_type(MemRefType::identity(&[size as i64], element));
            memref::build::alloca(&mut builder, ty, &[])
        };
        let pointers = array(n, Type::INDEX);
        let conditions = array(n, Type::I1);
        let retained = array(m, Type::INDEX);
        let frees = array(n, Type::I1);
        let ownership = array(m, Type::I1);

        let mut builder = Builder::before(ir, self.op);
        for (i, (&value, &condition)) in self.entries.iter().zip(&self.conditions).enumerate() {
            let index = arith::constant_index(&mut builder, i as i64);
            let pointer = buffer_pointer(&mut builder, value);
            builder.op(&memref::STORE, &[pointer, pointers, index], &[]);
            builder.op(&memref::STORE, &[condition, conditions, index], &[]);
        }
        for (i, &value) in self.retained.iter().enumerate() {
            let index = arith::constant_index(&mut builder, i as i64);
            let pointer = buffer_pointer(&mut builder, value);
            builder.op(&memref::STORE, &[pointer, retained, index], &[]);
        }
        let [indices, bools] = helper_types(&builder.context());
        let arguments: Vec<Value> = [
            (pointers, indices),
            (retained, indices),
            (conditions, bools),
            (frees, bools),
            (ownership, bools),
        ]
        .into_iter()
        .map(|(array, ty)| builder.value(&memref::CAST, &[array], ty))
        .collect();
        func::build_call(&mut builder, helper, &[], &arguments);
        for (i, &value) in self.entries.iter().enumerate() {
            let index = arith::constant_index(&mut builder, i as i64);
            let free = builder.value(&memref::LOAD, &[frees, index], Type::I1);
            free_if(&mut builder, free, value);
        }
        (0..m)
            .map(|i| {
                let index = arith::constant_index(&mut builder, i as i64);
                builder.value(&memref::LOAD, &[ownership, index], Type::I1)
            })
            .collect()
    }
}

/// `arith.cmpi` of two numbers of type index.
fn compare(builder: &mut Builder<'_>, predicate: CmpIPredicate, lhs: Value, rhs: Value) -> Value {
    let predicate = predicate.to_attr(&builder.context());
    builder.value_with_attr(
        &arith::CMPI,
        &[lhs, rhs],
        Type::I1,
        Name::PREDICATE,
        predicate,
    )
}

/// The allocated pointer of a buffer, as a number.
fn buffer_pointer(builder: &mut Builder<'_>, value: Value) -> Value {
    builder.value(&deallocation::GET_BUFFER, &[value], Type::INDEX)
}

/// `scf.if %condition { memref.dealloc %value }`, folded if the condition is constant.
fn free_if(builder: &mut Builder<'_>, condition: Value, value: Value) {
    match constant_value(builder.ir, condition) {
        Some(Attr::FALSE) => {}
        Some(Attr::TRUE) => {
            builder.op(&memref::DEALLOC, &[value], &[]);
        }
        _ => {
            let after = builder.insert_point();
            let spec = builder.spec(&scf::IF).operands(&[condition]).regions(2);
            let op = builder.create(spec);
            let region = builder.ir.region(op, 0);
            let block = builder.ir.append_block(region, &[]);
            builder.set_to_end(block);
            builder.op(&memref::DEALLOC, &[value], &[]);
            builder.op(&scf::YIELD, &[], &[]);
            builder.set_insert_point(after);
        }
    }
}

/// `memref<?xindex>` and `memref<?xi1>`.
fn helper_types(context: &Context) -> [Type; 2] {
    [Type::INDEX, Type::I1]
        .map(|element| context.memref_type(MemRefType::identity(&[DYNAMIC], element)))
}

/// The helper: `(entry pointers, retained pointers, conditions, out frees, out
/// ownership)`. Quadratic; the code generator replaces calls of many entries
/// by the runtime's, which is not.
fn build_helper(context: &Arc<Context>, loc: Loc, name: &str) -> Ir {
    let [indices, bools] = helper_types(context);
    let inputs = [indices, indices, bools, bools, bools];
    let spec = OpSpec::new(&func::FUNC, loc)
        .attr(Name::SYM_NAME, context.string_attr(name))
        .attr(Name::SYM_VISIBILITY, context.string_attr("private"))
        .attr(
            Name::FUNCTION_TYPE,
            context.type_attr(context.function_type(&inputs, &[])),
        )
        .regions(1);
    let mut ir = Ir::new(Arc::clone(context), spec);
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
            let same = compare(b, CmpIPredicate::Eq, other, pointer);
            let before = b.value(&memref::LOAD, &[ownership, j], Type::I1);
            let owned = b.value(&arith::ANDI, &[same, condition], Type::I1);
            let updated = b.value(&arith::ORI, &[before, owned], Type::I1);
            b.op(&memref::STORE, &[updated, ownership, j], &[]);
            let differs = b.value(&arith::XORI, &[same, true_value], Type::I1);
            vec![b.value(&arith::ANDI, &[carried[0], differs], Type::I1)]
        });
        let free = for_loop(b, zero, i, one, &not_retained, |b, j, carried| {
            let other = b.value(&memref::LOAD, &[entries, j], Type::INDEX);
            let differs = compare(b, CmpIPredicate::Ne, other, pointer);
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
