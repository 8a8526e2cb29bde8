//! `mark-allocation-free-calls`: notes at calls that the callee allocates nothing.
//!
//! `merge-alloc` sees one function at a time and has to take every call for one that may need memory
//! of its own. With the note it need not. The note is the attribute `__mergealloc_no_heap`, which
//! `merge-alloc` takes away again.
//!
//! A function allocates nothing if it has a body, no operation of it may allocate or free heap memory
//! or is unknown, it calls only such functions by name, and it returns no memref (returning one that
//! is not its own makes it copy). Recursive functions may be among them. Of functions without a
//! body, those that print numbers count, which every runner of MLIR programs provides, and those of the
//! runtime library that work on memory they are given addresses of. Calls of the latter get the attribute
//! `__mergealloc_library` as well: they do not keep the addresses.

use freehold_frontend::dialects::func;
use freehold_frontend::ir::attrs::Attr;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::effects::{EffectKind, Resource};
use freehold_frontend::ir::entities::Op;
use freehold_frontend::ir::interfaces::Callee;
use freehold_frontend::ir::op_def::Traits;
use freehold_frontend::ir::symbols::SymbolTable;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::manage::pass::{Anchor, PassContext, PassDef};
use crate::rewrite::library::{CONTRACT, FUNCTIONS};

/// The pass.
pub static PASS: PassDef = PassDef {
    name: "mark-allocation-free-calls",
    summary: "mark calls whose callee allocates nothing, for merge-alloc",
    anchor: Anchor::Module,
    run,
};

/// The attribute of calls.
pub(super) const NO_HEAP: &str = "__mergealloc_no_heap";

/// The attribute of calls of the runtime library that use addresses only while they run.
pub(super) const LIBRARY: &str = "__mergealloc_library";

/// Functions of the runner that print and nothing else.
const PRINTERS: [&str; 11] = [
    "printI64",
    "printU64",
    "printF16",
    "printBF16",
    "printF32",
    "printF64",
    "printString",
    "printOpen",
    "printClose",
    "printComma",
    "printNewline",
];

fn run(ir: &mut Ir, context: &mut PassContext<'_>) -> Result<(), Failed> {
    let Some(block) = ir.root_block() else {
        return Ok(());
    };
    let stubs: Vec<Op> = ir.ops_in(block).collect();
    let quiet = quiet_functions(ir, &stubs);
    let symbols = SymbolTable::of(ir);
    let library: FxHashSet<&str> = (CONTRACT.iter().chain(&FUNCTIONS))
        .filter(|function| {
            symbols
                .get(function.name)
                .is_some_and(|symbol| !symbol.has_body)
        })
        .map(|function| function.name)
        .collect();
    let names = [NO_HEAP, LIBRARY].map(|name| ir.context().intern_name(name));
    for stub in stubs {
        let Some(function) = ir.nested_mut(stub) else {
            continue;
        };
        if !function.is(function.root(), &func::FUNC) {
            continue;
        }
        let calls: Vec<Op> = function
            .walk(function.root())
            .filter(|&op| {
                matches!(callee(function, op), Some(Some(name))
                    if quiet.get(name).copied().unwrap_or(false))
            })
            .collect();
        context.count("calls marked", calls.len() as u64);
        for call in calls {
            let is_library = callee(function, call)
                .flatten()
                .is_some_and(|name| library.contains(name));
            function.set_attr(call, names[0], Attr::UNIT);
            if is_library {
                function.set_attr(call, names[1], Attr::UNIT);
            }
        }
    }
    Ok(())
}

/// Whether the operation is a call; and of which function, if it names one.
fn callee(ir: &Ir, op: Op) -> Option<Option<&str>> {
    let interface = ir.def(op).call?;
    Some(match (interface.callee)(ir, op) {
        Callee::Symbol(symbol) => ir.context().attr_flat_symbol(symbol),
        Callee::Value(_) => None,
    })
}

/// For each function of the module, whether it allocates nothing.
fn quiet_functions(module: &Ir, stubs: &[Op]) -> FxHashMap<String, bool> {
    let mut quiet: FxHashMap<String, bool> = FxHashMap::default();
    let mut callers: FxHashMap<String, Vec<String>> = FxHashMap::default();
    let mut worklist: Vec<String> = Vec::new();
    let mut called: Vec<String> = Vec::new();
    for &stub in stubs {
        let Some(name) = module.symbol_name(stub) else {
            continue;
        };
        let function = module
            .nested(stub)
            .filter(|function| function.is(function.root(), &func::FUNC));
        let is_quiet = match function {
            Some(function) if function.root_block().is_some() => {
                for op in function.walk(function.root()) {
                    if let Some(Some(callee)) = callee(function, op) {
                        let callers = callers.entry(callee.to_owned()).or_default();
                        if callers.is_empty() {
                            called.push(callee.to_owned());
                        }
                        callers.push(name.to_owned());
                    }
                }
                function
                    .walk(function.root())
                    .all(|op| op == function.root() || is_quiet(function, op))
            }
            _ => {
                let library = CONTRACT.iter().chain(&FUNCTIONS);
                PRINTERS.contains(&name) || library.into_iter().any(|known| known.name == name)
            }
        };
        if !is_quiet {
            worklist.push(name.to_owned());
        }
        quiet.insert(name.to_owned(), is_quiet);
    }
    // A callee without a definition here.
    worklist.extend(called.into_iter().filter(|name| !quiet.contains_key(name)));
    while let Some(name) = worklist.pop() {
        for caller in callers.remove(&name).unwrap_or_default() {
            if let Some(is_quiet) = quiet.get_mut(&caller)
                && std::mem::replace(is_quiet, false)
            {
                worklist.push(caller);
            }
        }
    }
    quiet
}

/// Whether the operation neither allocates nor frees, calls of functions by name aside.
pub(super) fn is_quiet(ir: &Ir, op: Op) -> bool {
    if ir.has_trait(op, Traits::TERMINATOR) {
        let is_return = ir.parent_op(op) == Some(ir.root());
        let hands_out = is_return && ir.operands(op).iter().any(|&v| ir.is_memref(v));
        return !ir.def(op).is_unregistered() && !hands_out;
    }
    if let Some(callee) = callee(ir, op) {
        return callee.is_some();
    }
    ir.own_effects(op).is_some_and(|effects| {
        effects.iter().all(|effect| match effect.kind {
            EffectKind::Allocate => effect.resource != Resource::Default,
            EffectKind::Free => false,
            EffectKind::Read | EffectKind::Write => true,
        })
    })
}
