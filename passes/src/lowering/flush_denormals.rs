//! `flush-denormals`: functions compute with zeros instead of subnormal numbers.
//!
//! Before:
//! ```mlir
//! func.func @f(%x: f32) -> f32 {
//!   %y = arith.mulf %x, %x : f32
//!   return %y : f32
//! }
//! ```
//! After:
//! ```mlir
//! func.func @f(%x: f32) -> f32 {
//!   %both = arith.constant 3 : i64
//!   %before = call @freehold_flush_denormals(%both) : (i64) -> i64
//!   %y = arith.mulf %x, %x : f32
//!   %now = call @freehold_flush_denormals(%before) : (i64) -> i64
//!   return %y : f32
//! }
//! func.func private @freehold_flush_denormals(i64) -> i64
//! ```
//! The function tells the processor to take subnormal operands as zeros of their sign (2), subnormal results (1), or both,
//! and returns what was set before. It is called where threads enter the program: in public functions, and in bodies of
//! parallel loops and of async regions. Operations may move across the calls: with flushing, a subnormal number and zero
//! are the same to a program.

use freehold_frontend::dialects::{arith, func};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::types::Type;

use crate::manage::pass::{Anchor, PassContext, PassDef};
use crate::rewrite::outline::{ASYNC_ATTR, PARALLEL_ATTR};
use crate::rewrite::runtime_function::{RuntimeFunction, call_runtime};

/// The pass.
pub static PASS: PassDef = PassDef {
    name: "flush-denormals",
    summary: "take subnormal numbers as zeros",
    anchor: Anchor::Module,
    run,
};

static FLUSH: [RuntimeFunction; 1] = [RuntimeFunction {
    name: "freehold_flush_denormals",
    signature: |_| (vec![Type::I64], vec![Type::I64]),
    c_interface: false,
}];

/// Operands and results.
const BOTH: i64 = 3;

fn run(ir: &mut Ir, context: &mut PassContext<'_>) -> Result<(), Failed> {
    let n_calls = call_runtime(ir, &FLUSH, &|function, [is_callable], _| {
        let is_entry = is_callable && is_entered(function);
        [if is_entry { surround(function) } else { 0 }]
    });
    context.count("calls inserted", n_calls);
    Ok(())
}

/// Whether threads begin with this function, or callers that this module does not know.
fn is_entered(function: &Ir) -> bool {
    let root = function.root();
    let has = |name| function.has_attr(root, function.context().intern_name(name));
    !function.is_private(root) || has(PARALLEL_ATTR) || has(ASYNC_ATTR)
}

/// Sets the mode where the function begins, and what was set before where it returns.
fn surround(function: &mut Ir) -> u64 {
    let root = function.root();
    let entry = (function.is(root, &func::FUNC))
        .then(|| function.entry_block(function.region(root, 0)))
        .flatten();
    let Some(entry) = entry else { return 0 };
    let returns: Vec<Op> = function
        .collect_ops(root)
        .into_iter()
        .filter(|&op| function.is(op, &func::RETURN))
        .collect();
    let mut b = Builder::at_start(function, entry);
    let both = arith::constant_int(&mut b, Type::I64, BOTH.into());
    let before = flush(&mut b, both);
    for &op in &returns {
        flush(&mut Builder::before(function, op), before);
    }
    1 + returns.len() as u64
}

fn flush(b: &mut Builder<'_>, mode: Value) -> Value {
    let call = func::build_call(b, FLUSH[0].name, &[Type::I64], &[mode]);
    b.ir.result(call, 0)
}
