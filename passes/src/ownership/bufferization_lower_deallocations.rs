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
//! Small operations compare inline, without branches but for the frees. Larger
//! ones store pointers and conditions on the stack and call `@dealloc_helper`,
//! one function per module, which upstream calls with heap arrays. Upstream's
//! helper drops an entry if an earlier one has its pointer even when that one's
//! condition is false, and so leaks; ours does not. Where the result will be
//! linked with the runtime (`use-runtime`) they call `@freehold_dealloc_helper`
//! in there instead, which does not compare each with each, and take arrays that would not fit on the stack from it.
//!
//! All lowerings free the same: a null pointer is compared like any other, and
//! freeing it does nothing.

use freehold_frontend::diag::Failed;
use freehold_frontend::dialects::arith::CmpIPredicate;
use freehold_frontend::dialects::{arith, bufferization, deallocation, func, memref, scf};
use freehold_frontend::ir::attrs::Attr;
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::symbols::SymbolTable;
use freehold_frontend::ir::types::Type;

use super::dealloc_helper::{self, Scratch};
use crate::greedy::constant_value;
use crate::manager;
use crate::pass::{Anchor, OptionDef, OptionKind, PassContext, PassDef};

/// The options of the pass.
pub(super) const OPTIONS: &[OptionDef] = &[
    OptionDef {
        name: "lowering",
        kind: OptionKind::Choice(LOWERINGS),
        default: "auto",
        help: "compare inline (specialized), in a function of the module (generic) or of the \
               runtime library (runtime), or what suits the number of operands (auto)",
    },
    OptionDef {
        name: "use-runtime",
        kind: OptionKind::Bool,
        default: "false",
        help: "auto may choose the runtime library, with which the program is then linked",
    },
];

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

/// The names of [`Lowering`]s.
const LOWERINGS: &[&str] = &["auto", "generic", "specialized", "runtime"];

/// How to lower operations with several entries or retained values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lowering {
    /// What suits the number of operands.
    Auto {
        /// Whether the runtime library will be there.
        use_runtime: bool,
    },
    /// Through the helper function of the module.
    Generic,
    /// Inline.
    Specialized,
    /// Through the helper function of the runtime library.
    Runtime,
}

/// Most pointer comparisons made inline by [`Lowering::Auto`].
pub const MAX_INLINE_COMPARISONS: usize = 48;

/// How to lower one operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Form {
    Inline,
    Helper,
    Runtime,
}

impl Lowering {
    /// The form for an operation with `n` entries and `m` retained values.
    fn form(self, n: usize, m: usize) -> Form {
        // Then nothing is compared.
        if n == 0 || (n == 1 && m == 0) {
            return Form::Inline;
        }
        let n_comparisons = n.saturating_mul(m).saturating_add(n * (n - 1) / 2);
        match self {
            Self::Specialized => Form::Inline,
            Self::Generic => Form::Helper,
            Self::Runtime => Form::Runtime,
            // Of one entry the code is as long as the lists that another form would fill.
            Self::Auto { .. } if n == 1 || n_comparisons <= MAX_INLINE_COMPARISONS => Form::Inline,
            Self::Auto { use_runtime: true } => Form::Runtime,
            Self::Auto { use_runtime: false } => Form::Helper,
        }
    }
}

fn run(ir: &mut Ir, context: &mut PassContext<'_>) -> Result<(), Failed> {
    let lowering = match context.text("lowering") {
        "generic" => Lowering::Generic,
        "specialized" => Lowering::Specialized,
        "runtime" => Lowering::Runtime,
        _ => Lowering::Auto {
            use_runtime: context.flag("use-runtime"),
        },
    };
    let n_lowered = lower_module(ir, lowering);
    context.count("deallocs lowered", n_lowered);
    Ok(())
}

/// Lowers everything in a module and in those inside; returns how many operations.
pub fn lower_module(ir: &mut Ir, lowering: Lowering) -> u64 {
    let symbols = SymbolTable::of(ir);
    let helper = symbols.unique_name(dealloc_helper::NAME);
    // Where the program has other functions of these names it gets its own helper.
    let has_runtime = dealloc_helper::RUNTIME_FUNCTIONS
        .iter()
        .all(|function| function.is_declarable(ir.context(), &symbols));
    let outcomes = manager::map_functions(ir, |function| {
        let mut lowerer = Lowerer {
            lowering,
            helper: &helper,
            has_runtime,
            outcome: Outcome::default(),
            stack_used: 0,
        };
        lowerer.function(function);
        lowerer.outcome
    });
    if outcomes.iter().any(|outcome| outcome.calls_helper) {
        let block = ir.root_block().expect("modules have a body");
        let body = dealloc_helper::build(ir.context(), ir.loc(ir.root()), &helper);
        let stub = ir.create_nested(body);
        ir.append_op(block, stub);
    }
    for (i, function) in dealloc_helper::RUNTIME_FUNCTIONS.iter().enumerate() {
        let is_called = outcomes.iter().any(|outcome| outcome.calls_runtime[i]);
        if is_called && symbols.get(function.name).is_none() {
            function.declare(ir);
        }
    }
    let mut n_lowered = outcomes.iter().map(|outcome| outcome.n_lowered).sum();
    for stub in manager::nested_modules(ir) {
        if let Some(nested) = ir.nested_mut(stub) {
            n_lowered += lower_module(nested, lowering);
        }
    }
    n_lowered
}

/// What was done to a function.
#[derive(Default)]
struct Outcome {
    n_lowered: u64,
    calls_helper: bool,
    /// Which of the runtime's functions it calls now.
    calls_runtime: [bool; dealloc_helper::RUNTIME_FUNCTIONS.len()],
}

/// Lowers the operations of one function.
struct Lowerer<'a> {
    lowering: Lowering,
    /// The name of the helper function of the module.
    helper: &'a str,
    has_runtime: bool,
    outcome: Outcome,
    /// Bytes of arrays on the stack so far.
    stack_used: usize,
}

impl Lowerer<'_> {
    fn function(&mut self, ir: &mut Ir) {
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
            let results = match self.lowering.form(n, m) {
                Form::Inline => dealloc.lower_inline(ir),
                Form::Runtime if self.has_runtime => {
                    let [calls_helper, scratch @ ..] = &mut self.outcome.calls_runtime;
                    *calls_helper = true;
                    let bytes = Scratch::bytes(n, m);
                    let on_stack =
                        self.stack_used.saturating_add(bytes) <= dealloc_helper::MAX_STACK_BYTES;
                    if on_stack {
                        self.stack_used += bytes;
                    } else {
                        *scratch = [true; 2];
                    }
                    dealloc.lower_to_helper(ir, dealloc_helper::RUNTIME_HELPER.name, on_stack)
                }
                Form::Helper | Form::Runtime => {
                    self.outcome.calls_helper = true;
                    dealloc.lower_to_helper(ir, self.helper, true)
                }
            };
            ir.replace_op(op, &results);
            self.outcome.n_lowered += 1;
        }
    }
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
                let differs =
                    arith::compare(&mut builder, CmpIPredicate::Ne, entry_pointers[i], retained);
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
                let differs = arith::compare(
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

    /// Pointers and conditions in arrays, compared by the function called
    /// `helper`. The arrays are on the stack or the runtime's.
    fn lower_to_helper(&self, ir: &mut Ir, helper: &str, on_stack: bool) -> Vec<Value> {
        let (n, m) = (self.entries.len(), self.retained.len());
        let scratch = if on_stack {
            Scratch::on_stack(ir, self.op, n, m)
        } else {
            Scratch::of_runtime(ir, self.op, n, m)
        };
        let mut builder = Builder::before(ir, self.op);
        for (i, (&value, &condition)) in self.entries.iter().zip(&self.conditions).enumerate() {
            let index = arith::constant_index(&mut builder, i as i64);
            let pointer = buffer_pointer(&mut builder, value);
            memref::build::store(&mut builder, pointer, scratch.entries, &[index]);
            memref::build::store(&mut builder, condition, scratch.conditions, &[index]);
        }
        for (i, &value) in self.retained.iter().enumerate() {
            let index = arith::constant_index(&mut builder, i as i64);
            let pointer = buffer_pointer(&mut builder, value);
            memref::build::store(&mut builder, pointer, scratch.retained, &[index]);
        }
        let arguments = scratch.arguments(&mut builder);
        func::build_call(&mut builder, helper, &[], &arguments);
        let answer = |builder: &mut Builder<'_>, array: Value, i: usize| {
            let index = arith::constant_index(builder, i as i64);
            memref::build::load(builder, array, &[index])
        };
        for (i, &value) in self.entries.iter().enumerate() {
            let free = answer(&mut builder, scratch.frees, i);
            free_if(&mut builder, free, value);
        }
        let ownership = (0..m)
            .map(|i| answer(&mut builder, scratch.ownership, i))
            .collect();
        scratch.give_back(&mut builder);
        ownership
    }
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
