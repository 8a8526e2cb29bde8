//! `outline-equal-loops`: loops that a program has several times, but for the buffers and numbers they work on,
//! become one function, which is called instead. Twenty-four layers of a model have the same ones: code is
//! generated for those of one layer.
//!
//! Before:
//! ```mlir
//! func.func @f(%a: memref<8xf32>, %b: memref<8xf32>) {
//!   scf.for %i = %c0 to %c8 step %c1 {
//!     ... memref.store %x, %a[%i] : memref<8xf32>
//!   }
//!   scf.for %i = %c0 to %c8 step %c1 {
//!     ... memref.store %x, %b[%i] : memref<8xf32>
//!   }
//!   return
//! }
//! ```
//! After:
//! ```mlir
//! func.func @f(%a: memref<8xf32>, %b: memref<8xf32>) {
//!   call @f_loops_0(%a) : (memref<8xf32>) -> ()
//!   call @f_loops_0(%b) : (memref<8xf32>) -> ()
//!   return
//! }
//! func.func private @f_loops_0(%m: memref<8xf32>) {
//!   scf.for %i = %c0 to %c8 step %c1 {
//!     ... memref.store %x, %m[%i] : memref<8xf32>
//!   }
//!   return
//! }
//! ```
//!
//! Two are equal if they consist of the same operations with the same attributes and types in the same order, each on
//! the corresponding values; constants are among the operations. Where they come from makes no difference. Only
//! operations of a function's own blocks that have loops inside are looked at, and only such as use and return buffers
//! and scalars, and neither allocate nor free. A call knows less of its buffers than a loop, for example that they do not overlap, so
//! the pass belongs behind those that want to know.

use std::hash::{Hash, Hasher};

use freehold_frontend::dialects::{cf, memref};
use freehold_frontend::ir::attrs::Dict;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::op_def::{OpDef, Traits};
use freehold_frontend::ir::symbols::SymbolTable;
use freehold_frontend::ir::types::{Type, TypeKind};
use rustc_hash::{FxHashMap, FxHasher};

use crate::manage::options::pass_options;
use crate::manage::pass::{Anchor, PassContext, PassDef};
use crate::rewrite::functions;
use crate::rewrite::outline::{self, Captures, Names};

pass_options! {
    /// Options of the pass.
    pub struct Options {
        /// keep loops unless outlining removes this many operations
        "min-saved-ops" min_saved_ops: u64 = 400,
    }
}

/// The pass.
pub static PASS: PassDef<Options> = PassDef {
    name: "outline-equal-loops",
    summary: "outline equal loops into functions",
    anchor: Anchor::Module,
    run,
};

/// Loops of fewer operations stay. Chosen by counting: a call that passes two or three buffers has as many instructions.
const MIN_OPS: usize = 8;

/// Memory of the stack would be gone when the new function returns; the others say in messages and statistics where
/// they are.
static STAYING: [&OpDef; 5] = [
    &memref::ALLOCA,
    &memref::ALLOC,
    &memref::REALLOC,
    &memref::DEALLOC,
    &cf::ASSERT,
];

fn run(ir: &mut Ir, context: &mut PassContext<'_, Options>) -> Result<(), Failed> {
    let n_replaced = outline_in_module(ir, context.options.min_saved_ops);
    context.count("loops replaced by calls", n_replaced);
    Ok(())
}

/// Loops of one form.
struct Form {
    description: Box<[Word]>,
    /// How many operations there are in each.
    n_ops: usize,
    /// Where they are: functions and operations in them.
    places: Vec<(Op, Op)>,
}

/// Outlines the loops of all functions of a module; returns how many.
fn outline_in_module(ir: &mut Ir, min_saved_ops: u64) -> u64 {
    let mut n_replaced = 0;
    for stub in functions::nested_modules(ir) {
        if let Some(nested) = ir.nested_mut(stub) {
            n_replaced += outline_in_module(nested, min_saved_ops);
        }
    }
    let Some(block) = ir.root_block() else {
        return n_replaced;
    };
    let symbols = SymbolTable::of(ir);
    let mut names = Names::new(&symbols, "loops");
    for form in forms(ir) {
        let n_copies = form.places.len() as u64 - 1;
        if n_copies == 0 || n_copies.saturating_mul(form.n_ops as u64) < min_saved_ops {
            continue;
        }
        let mut name = None;
        for (stub, op) in form.places {
            let Some(function) = ir.nested_mut(stub) else {
                continue;
            };
            let captures = Captures::of(function, op, &[]);
            let name = name.get_or_insert_with(|| {
                let base = function.symbol_name(function.root()).unwrap_or("f");
                let name = names.name(base);
                let outlined = outline::function(function, op, &name, &captures);
                (name, Some(outlined))
            });
            outline::replace_by_call(function, op, &name.0, &captures);
            n_replaced += 1;
            if let Some(outlined) = name.1.take() {
                let stub = ir.create_nested(outlined);
                ir.append_op(block, stub);
            }
        }
    }
    n_replaced
}

/// All forms of loops in the functions of a module, in the order of their first ones.
fn forms(ir: &Ir) -> Vec<Form> {
    let mut forms: Vec<Form> = Vec::new();
    let mut by_hash: FxHashMap<u64, Vec<usize>> = FxHashMap::default();
    let mut description = Description::default();
    for stub in functions::functions(ir) {
        let Some(function) = ir.nested(stub) else {
            continue;
        };
        let regions = function.regions(function.root()).iter();
        let blocks = regions.flat_map(|&region| function.blocks_in(region));
        for op in blocks.flat_map(|block| function.ops_in(block)) {
            let Some(n_ops) = description.describe(function, op) else {
                continue;
            };
            let mut hasher = FxHasher::default();
            description.words.hash(&mut hasher);
            let alike = by_hash.entry(hasher.finish()).or_default();
            let is_equal = |&&form: &&usize| *forms[form].description == description.words[..];
            match alike.iter().find(is_equal) {
                Some(&form) => forms[form].places.push((stub, op)),
                None => {
                    alike.push(forms.len());
                    forms.push(Form {
                        description: description.words.as_slice().into(),
                        n_ops,
                        places: vec![(stub, op)],
                    });
                }
            }
        }
    }
    forms
}

/// One thing that is the same in equal operations.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Word {
    /// An operation with its attributes.
    Op(*const OpDef, Dict),
    /// A constant from outside that has not been used before.
    Constant(*const OpDef, Dict, Type),
    /// Another value from outside that has not been used before.
    Captured(Type),
    /// A use of a value, by its number.
    Use(u32),
    /// A value is defined.
    Definition(Type),
    /// The end of a list of words.
    End,
}

/// What an operation is, as words that are the same for equal ones.
#[derive(Default)]
struct Description {
    words: Vec<Word>,
    /// Numbers of values, in the order in which they came up.
    numbers: FxHashMap<Value, u32>,
}

impl Description {
    /// Describes `op` and returns how many operations it consists of. `None` if it may not become a function, or is
    /// too small.
    fn describe(&mut self, ir: &Ir, op: Op) -> Option<usize> {
        if ir.regions(op).is_empty() || ir.has_trait(op, Traits::OWNS_ARENA) {
            return None;
        }
        self.words.clear();
        self.numbers.clear();
        let mut n_ops = 0;
        let mut has_loop = false;
        self.op(ir, op, &mut n_ops, &mut has_loop)?;
        let is_wanted = has_loop && n_ops >= MIN_OPS;
        let passed = |&value: &Value| is_passed(ir, ir.value_type(value));
        (is_wanted && ir.results(op).iter().all(passed)).then_some(n_ops)
    }

    fn op(&mut self, ir: &Ir, op: Op, n_ops: &mut usize, has_loop: &mut bool) -> Option<()> {
        let def = ir.def(op);
        let stays = STAYING.iter().any(|def| ir.is(op, def));
        if stays || def.is_unregistered() || !ir.successors(op).is_empty() {
            return None;
        }
        *n_ops += 1;
        *has_loop |= def.loop_like.is_some();
        self.words.push(Word::Op(def, ir.attrs(op)));
        for &operand in ir.operands(op) {
            self.operand(ir, operand)?;
        }
        self.words.push(Word::End);
        self.define(ir, ir.results(op));
        for &region in ir.regions(op) {
            // Regions of operations that may become functions have a block at most.
            let Some(block) = ir.entry_block(region) else {
                self.words.push(Word::End);
                continue;
            };
            ir.single_block(region)?;
            self.define(ir, ir.block_args(block));
            for inner in ir.ops_in(block) {
                self.op(ir, inner, n_ops, has_loop)?;
            }
            self.words.push(Word::End);
        }
        Some(())
    }

    fn define(&mut self, ir: &Ir, values: &[Value]) {
        for &value in values {
            self.number(value);
            self.words.push(Word::Definition(ir.value_type(value)));
        }
        self.words.push(Word::End);
    }

    fn number(&mut self, value: Value) -> u32 {
        let next = self.numbers.len() as u32;
        *self.numbers.entry(value).or_insert(next)
    }

    fn operand(&mut self, ir: &Ir, value: Value) -> Option<()> {
        if !self.numbers.contains_key(&value) {
            let ty = ir.value_type(value);
            self.words.push(match outline::constant(ir, value) {
                Some(op) => Word::Constant(ir.def(op), ir.attrs(op), ty),
                None if is_passed(ir, ty) => Word::Captured(ty),
                None => return None,
            });
        }
        let number = self.number(value);
        self.words.push(Word::Use(number));
        Some(())
    }
}

/// Whether functions take and return values of this type without more ado: memrefs and scalars.
fn is_passed(ir: &Ir, ty: Type) -> bool {
    use TypeKind::{Float, Index, Integer, MemRef};
    let kind = ir.context().type_kind(ty);
    matches!(kind, MemRef(_) | Index | Integer { .. } | Float(_))
}
