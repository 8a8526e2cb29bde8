//! `bufferization-lower-deallocations`: turns every `bufferization.dealloc`
//! into `memref.dealloc`s under conditions.
//!
//! Before:
//! ```mlir
//! %0 = bufferization.dealloc (%m : memref<2xf32>) if (%cond) retain (%r : memref<?xf32>)
//! ```
//! After:
//! ```mlir
//! %pm = memref.extract_aligned_pointer_as_index %m : memref<2xf32> -> index {freehold.allocated}
//! %pr = memref.extract_aligned_pointer_as_index %r : memref<?xf32> -> index {freehold.allocated}
//! %ne = arith.cmpi ne, %pm, %pr : index
//! %free = arith.andi %cond, %ne : i1
//! %eq = arith.xori %ne, %true : i1
//! %0 = arith.andi %eq, %cond : i1
//! scf.if %free {
//!   memref.dealloc %m : memref<2xf32>
//! }
//! ```
//!
//! Entry `i` is freed iff its condition holds, nothing retained is its buffer
//! and no earlier entry with a true condition is. A retained value is owned
//! afterwards iff an entry with a true condition is its buffer. Buffers are
//! told apart by their *allocated* pointers, so shifted views count as the
//! buffer they view. No operation of upstream's dialects gives that pointer, so
//! one that gives the aligned pointer says in an attribute which is meant.
//! Upstream reads that, but not the attribute: there, as in its own lowering,
//! a `memref.view` at another byte than the first counts as another buffer.
//!
//! Small operations compare inline, without branches but for the frees. Larger
//! ones store pointers and conditions on the stack and call `@dealloc_helper`,
//! one function per module, which upstream calls with heap arrays. Upstream's
//! helper drops an entry if an earlier one has its pointer even when that one's
//! condition is false, and so leaks; ours does not. Where the result will be
//! linked with the runtime (`use-runtime`) they call `@freehold_dealloc_helper`
//! in there instead, which does not compare each with each and leaves a list of
//! addresses for a loop to free, and borrow arrays that would not fit on the
//! stack.
//!
//! All lowerings free the same: a null pointer is compared like any other, and
//! freeing it does nothing.

use std::cmp::Ordering;

use freehold_frontend::dialects::arith::CmpIPredicate;
use freehold_frontend::dialects::{arith, bufferization, deallocation, memref, scf};
use freehold_frontend::ir::attrs::Attr;
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::symbols::SymbolTable;
use freehold_frontend::ir::types::Type;
use rustc_hash::FxHashSet;

use crate::analysis::constants::constant_value;
use crate::lowering::dealloc_helper::{self, Memory};
use crate::manage::options::{option_words, pass_options};
use crate::manage::pass::{Anchor, PassContext, PassDef};
use crate::rewrite::functions;

option_words! {
    /// How to lower operations with several entries or retained values.
    pub enum Lowering {
        /// By number of operands.
        Auto = "auto",
        /// Calls a helper function in the program that compares all pairs.
        Generic = "generic",
        /// Inline.
        Specialized = "specialized",
        /// Calls the runtime library's helper, fastest for many operands.
        Runtime = "runtime",
    }
}

pass_options! {
    /// Options of the pass.
    pub struct Options {
        /// compare inline (specialized), in a function of the module (generic) or of the
        /// runtime library (runtime), or choose by the number of operands (auto)
        "lowering" lowering: Lowering = Lowering::Auto,
        /// the program is linked with the runtime library: auto may call it, and large arrays
        /// are borrowed from it
        "use-runtime" use_runtime: bool = false,
    }
}

/// The pass.
pub static PASS: PassDef<Options> = PassDef {
    name: "bufferization-lower-deallocations",
    summary: "lower bufferization.dealloc to conditional memref.dealloc",
    anchor: Anchor::Module,
    run,
};

/// Upstream's older name of the pass.
pub static ALIAS: PassDef<Options> = PassDef {
    name: "lower-deallocations",
    summary: "the same as bufferization-lower-deallocations",
    ..PASS
};

/// Most pointer comparisons made inline by [`Lowering::Auto`]. Between the rows n = 4 (22 comparisons, 17.8 ns
/// inline, 29.1 by the runtime) and n = 8 (92, 54.1 and 35.2) of "What a dealloc costs" in
/// benches/results.
pub const MAX_INLINE_COMPARISONS: usize = 48;

/// How to lower one operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Form {
    Inline,
    Helper,
    Runtime,
}

impl Options {
    /// Whether the program will be linked with the runtime library, which lends memory for large arrays.
    fn uses_runtime(&self) -> bool {
        match self.lowering {
            Lowering::Auto | Lowering::Generic => self.use_runtime,
            Lowering::Specialized => false,
            Lowering::Runtime => true,
        }
    }

    /// The form for an operation with `n` entries and `m` retained values.
    fn form(&self, n: usize, m: usize) -> Form {
        // Then nothing is compared.
        if n == 0 || (n == 1 && m == 0) {
            return Form::Inline;
        }
        let n_comparisons = n.saturating_mul(m).saturating_add(n * (n - 1) / 2);
        match self.lowering {
            Lowering::Specialized => Form::Inline,
            Lowering::Generic => Form::Helper,
            Lowering::Runtime => Form::Runtime,
            // Of one entry the code is as long as the lists that another form would fill.
            Lowering::Auto if n == 1 || n_comparisons <= MAX_INLINE_COMPARISONS => Form::Inline,
            Lowering::Auto if self.use_runtime => Form::Runtime,
            Lowering::Auto => Form::Helper,
        }
    }
}

fn run(ir: &mut Ir, context: &mut PassContext<'_, Options>) -> Result<(), Failed> {
    let n_lowered = lower_module(ir, context.options);
    context.count("deallocs lowered", n_lowered);
    Ok(())
}

/// Lowers everything in a module and in those inside; returns how many operations.
pub fn lower_module(ir: &mut Ir, options: &Options) -> u64 {
    let symbols = SymbolTable::of(ir);
    let helper = symbols.unique_name(dealloc_helper::NAME);
    // Where the program has other functions of these names it gets its own helper.
    let has_runtime = dealloc_helper::RUNTIME_FUNCTIONS
        .iter()
        .all(|function| function.is_declarable(ir.context(), &symbols));
    let outcomes = functions::map_functions(ir, |function| {
        let mut lowerer = Lowerer {
            options,
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
    for stub in functions::nested_modules(ir) {
        if let Some(nested) = ir.nested_mut(stub) {
            n_lowered += lower_module(nested, options);
        }
    }
    n_lowered
}

/// The changes to a function.
#[derive(Default)]
struct Outcome {
    n_lowered: u64,
    calls_helper: bool,
    /// Which of the runtime's functions it calls now.
    calls_runtime: [bool; dealloc_helper::RUNTIME_FUNCTIONS.len()],
}

/// Lowers the operations of one function.
struct Lowerer<'a> {
    options: &'a Options,
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
            let results = match self.options.form(n, m) {
                Form::Inline => dealloc.lower_inline(ir),
                Form::Runtime if self.has_runtime => {
                    self.outcome.calls_runtime[0] = true;
                    let memory = self.memory(ir, op, dealloc_helper::runtime_bytes(n, m), n + m);
                    dealloc.lower_to_runtime(ir, memory)
                }
                Form::Helper | Form::Runtime => {
                    self.outcome.calls_helper = true;
                    let memory = self.memory(ir, op, dealloc_helper::module_bytes(n, m), n.max(m));
                    dealloc.lower_to_module(ir, self.helper, memory)
                }
            };
            ir.replace_op(op, &results);
            self.outcome.n_lowered += 1;
        }
    }

    /// The place of `bytes` bytes for the arrays of an operation, the longest one of which has `length` pointers.
    /// Without being told that there is a runtime, they are on the stack as long as the code generator puts them there,
    /// and only longer ones need it all the same.
    fn memory(&mut self, ir: &mut Ir, op: Op, bytes: usize, length: usize) -> Memory {
        let most = match self.options.uses_runtime() {
            true => dealloc_helper::MAX_STACK_BYTES,
            false => dealloc_helper::MAX_STACK_BYTES_ALONE,
        };
        let total = self.stack_used.saturating_add(bytes);
        let fits = total <= most && length <= dealloc_helper::MAX_STACK_POINTERS;
        if fits || !self.has_runtime {
            self.stack_used = total;
            return Memory::Stack;
        }
        self.outcome.calls_runtime[1..].fill(true);
        Memory::borrow(ir, op, bytes)
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
        let b = &mut builder;
        if let ([entry], [pointer], [condition]) =
            (&*self.entries, &*entry_pointers, &*self.conditions)
        {
            let (free, ownership) = decide_one(b, *pointer, *condition, &retained_pointers);
            free_if(b, free, *entry);
            return ownership;
        }
        let both = |b: &mut Builder<'_>, x, y| b.value(&arith::ANDI, &[x, y], Type::I1);
        let either = |b: &mut Builder<'_>, before: Option<Value>, y| match before {
            Some(x) => b.value(&arith::ORI, &[x, y], Type::I1),
            None => y,
        };
        let mut ownership: Vec<Option<Value>> = vec![None; self.retained.len()];
        let mut frees = Vec::new();
        for (i, &condition) in self.conditions.iter().enumerate() {
            // Whether the entry must not be freed although its condition holds.
            let mut kept = None;
            for (owned, &retained) in ownership.iter_mut().zip(&retained_pointers) {
                let same = arith::compare(b, CmpIPredicate::Eq, entry_pointers[i], retained);
                kept = Some(either(b, kept, same));
                let passed_on = both(b, same, condition);
                *owned = Some(either(b, *owned, passed_on));
            }
            for (&earlier, &is_freed) in entry_pointers.iter().zip(&self.conditions[..i]) {
                let same = arith::compare(b, CmpIPredicate::Eq, entry_pointers[i], earlier);
                let repeats = both(b, same, is_freed);
                kept = Some(either(b, kept, repeats));
            }
            frees.push(match kept {
                Some(kept) => {
                    let true_value = arith::constant_bool(b, true);
                    let not_kept = b.value(&arith::XORI, &[kept, true_value], Type::I1);
                    both(b, condition, not_kept)
                }
                None => condition,
            });
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

    /// After which operation of the block around this one `operand` is written to an array, rather
    /// than right before this one: after that which makes it, if the array is there from the start as
    /// it is on the stack. Of hundreds of operands most would otherwise be moved to the stack there
    /// and from it to the array later.
    fn fill_after(&self, ir: &Ir, operand: Value, memory: &Memory) -> Option<Op> {
        ir.defining_op(operand).filter(|&op| {
            let is_near = ir.block_of(op) == ir.block_of(self.op);
            is_near && matches!(memory, Memory::Stack) && constant_value(ir, operand).is_none()
        })
    }

    /// Moves to after `op` or, if there is none, before this operation.
    fn set_to_fill(&self, builder: &mut Builder<'_>, op: Option<Op>) {
        match op {
            Some(op) => builder.set_after(op),
            None => builder.set_before(self.op),
        }
    }

    /// Pointers and conditions in arrays, which the helper of the module, called `helper`, answers in
    /// others.
    fn lower_to_module(&self, ir: &mut Ir, helper: &str, mut memory: Memory) -> Vec<Value> {
        let (n, m) = (self.entries.len(), self.retained.len());
        let kinds = [
            (n, Type::INDEX),
            (m, Type::INDEX),
            (n, Type::I1),
            (n, Type::I1),
            (m, Type::I1),
        ];
        let arrays = kinds.map(|(size, element)| memory.array(ir, self.op, size, element));
        let [entries, retained, conditions, frees, owned] = arrays;
        let mut builder = Builder::before(ir, self.op);
        let b = &mut builder;
        for (i, (&buffer, &condition)) in self.entries.iter().zip(&self.conditions).enumerate() {
            let places = [buffer, condition].map(|value| self.fill_after(b.ir, value, &memory));
            self.set_to_fill(b, places[0]);
            let index = store_pointer(b, buffer, entries, i);
            // Conditions are numbered like their entries.
            let index = match places {
                [None, None] => index,
                [_, after] => {
                    self.set_to_fill(b, after);
                    arith::constant_index(b, i as i64)
                }
            };
            memref::build::store(b, condition, conditions, &[index]);
        }
        for (i, &buffer) in self.retained.iter().enumerate() {
            let after = self.fill_after(b.ir, buffer, &memory);
            self.set_to_fill(b, after);
            store_pointer(b, buffer, retained, i);
        }
        b.set_before(self.op);
        dealloc_helper::call_module(b, helper, arrays);
        let retained: FxHashSet<Value> = self.retained.iter().copied().collect();
        for (i, &value) in self.entries.iter().enumerate() {
            // Retained buffers are never freed.
            if !retained.contains(&value) {
                let free = load_at(b, frees, i);
                free_if(b, free, value);
            }
        }
        let ownership = (0..m).map(|j| load_at(b, owned, j)).collect();
        memory.give_back(b);
        ownership
    }

    /// Pointers in an array; the helper of the runtime leaves those to be freed.
    ///
    /// Entries whose conditions do not hold are left out without a branch: each is written where
    /// the next one goes unless its condition holds. In which order they come means nothing, as
    /// one of equal entries is as good as another.
    fn lower_to_runtime(&self, ir: &mut Ir, mut memory: Memory) -> Vec<Value> {
        let (n, m) = (self.entries.len(), self.retained.len());
        let pointers = memory.array(ir, self.op, n + m, Type::INDEX);
        let owned = memory.array(ir, self.op, m, Type::I1);
        let mut builder = Builder::before(ir, self.op);
        let b = &mut builder;
        let mut n_filled = 0;
        for &buffer in &self.retained {
            let after = self.fill_after(b.ir, buffer, &memory);
            self.set_to_fill(b, after);
            store_pointer(b, buffer, pointers, n_filled);
            n_filled += 1;
        }
        let mut conditional = Vec::new();
        for (&buffer, &condition) in self.entries.iter().zip(&self.conditions) {
            let after = self.fill_after(b.ir, buffer, &memory);
            match constant_value(b.ir, condition) {
                Some(Attr::FALSE) => {}
                Some(Attr::TRUE) => {
                    self.set_to_fill(b, after);
                    store_pointer(b, buffer, pointers, n_filled);
                    n_filled += 1;
                }
                _ => {
                    let both = [after, self.fill_after(b.ir, condition, &memory)];
                    let last = both.into_iter().flatten().reduce(|one, other| {
                        let is_later = b.ir.is_before_in_block(one, other);
                        if is_later { other } else { one }
                    });
                    conditional.push((last, buffer, condition));
                }
            }
        }
        // The slot of an entry depends on those written before, so they are written in the order in
        // which they are made; the others come last.
        conditional.sort_by(|&(one, ..), &(other, ..)| match (one, other) {
            _ if one == other => Ordering::Equal,
            (Some(one), Some(other)) if b.ir.is_before_in_block(one, other) => Ordering::Less,
            (Some(_), None) => Ordering::Less,
            _ => Ordering::Greater,
        });
        let first = conditional.first().and_then(|&(after, ..)| after);
        self.set_to_fill(b, first);
        let mut end = arith::constant_index(b, n_filled as i64);
        let mut previous = first;
        for (after, buffer, condition) in conditional {
            if after != previous {
                self.set_to_fill(b, after);
                previous = after;
            }
            let pointer = buffer_pointer(b, buffer);
            memref::build::store(b, pointer, pointers, &[end]);
            let one_more = b.value(&arith::INDEX_CASTUI, &[condition], Type::INDEX);
            end = b.value(&arith::ADDI, &[end, one_more], Type::INDEX);
        }
        b.set_before(self.op);
        let n_retained = arith::constant_index(b, m as i64);
        let end = dealloc_helper::call_runtime(b, [pointers, owned], n_retained, end);
        // Retained buffers are never freed.
        let retained: FxHashSet<Value> = self.retained.iter().copied().collect();
        if !self.entries.iter().all(|entry| retained.contains(entry)) {
            let one = arith::constant_index(b, 1);
            let for_op = scf::build_for(b, n_retained, end, one, &[]);
            let body = scf::For(for_op).body(b.ir);
            let index = b.ir.block_args(body)[0];
            let last = b.ir.last_op(body).expect("the body is terminated");
            b.set_before(last);
            let pointer = memref::build::load(b, pointers, &[index]);
            let ty = deallocation::ownership_type(&b.context());
            let owner = b.value(&deallocation::FROM_BUFFER, &[pointer], ty);
            b.op(&deallocation::FREE, &[owner], &[]);
            b.set_before(self.op);
        }
        let ownership = (0..m).map(|j| load_at(b, owned, j)).collect();
        memory.give_back(b);
        ownership
    }
}

/// Stores the allocated pointer of a buffer as element `i` of an array; returns the index.
fn store_pointer(builder: &mut Builder<'_>, buffer: Value, array: Value, i: usize) -> Value {
    let index = arith::constant_index(builder, i as i64);
    let pointer = buffer_pointer(builder, buffer);
    memref::build::store(builder, pointer, array, &[index]);
    index
}

/// Element `i` of an array.
fn load_at(builder: &mut Builder<'_>, array: Value, i: usize) -> Value {
    let index = arith::constant_index(builder, i as i64);
    memref::build::load(builder, array, &[index])
}

/// Whether to free the only entry, and who owns which retained buffer then.
fn decide_one(
    b: &mut Builder<'_>,
    pointer: Value,
    condition: Value,
    retained: &[Value],
) -> (Value, Vec<Value>) {
    let mut free = condition;
    let mut ownership = Vec::new();
    for &other in retained {
        let differs = arith::compare(b, CmpIPredicate::Ne, pointer, other);
        free = b.value(&arith::ANDI, &[free, differs], Type::I1);
        let true_value = arith::constant_bool(b, true);
        let same = b.value(&arith::XORI, &[differs, true_value], Type::I1);
        ownership.push(b.value(&arith::ANDI, &[same, condition], Type::I1));
    }
    (free, ownership)
}

/// The allocated pointer of a buffer, as a number.
fn buffer_pointer(builder: &mut Builder<'_>, value: Value) -> Value {
    let op = &memref::EXTRACT_ALIGNED_POINTER_AS_INDEX;
    builder.value_with_attr(op, &[value], Type::INDEX, Name::ALLOCATED, Attr::UNIT)
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
