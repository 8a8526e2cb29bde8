//! `reserve-peak`: before a function allocates its large buffers one by one, it allocates as much at once and frees it.
//!
//! Before:
//! ```mlir
//! %a = memref.alloc(%n) : memref<?x1000xf32>
//! ...
//! %b = memref.alloc(%n) : memref<?x1000xf32>
//! ...
//! ```
//! After:
//! ```mlir
//! %bytes = arith.muli %n, %c8000 : index
//! %is_large = arith.cmpi sge, %bytes, %c262144 : index
//! scf.if %is_large {
//!   %most = arith.minsi %bytes, %c33488896 : index
//!   %address = func.call @malloc(%most) : (index) -> index
//!   func.call @free(%address) : (index) -> ()
//! }
//! %a = memref.alloc(%n) : memref<?x1000xf32>
//! ...
//! ```
//! glibc gives memory back to the system when more is free at the end of the heap than twice the largest block that was
//! ever mapped and freed. So a function whose buffers together are larger than that gives most of its memory back in each
//! call, and gets pages of zeros for it again. The block teaches malloc once what the function needs; from then on it is a
//! part of the heap that nothing touches. Models of sizes known at run time, whose buffers no arena holds, take up to 1.6
//! times as long without it (PP-OCR and ddddocr in benches/results/onnx.md).
//!
//! The block is as large as buffers of the function's own block that are certainly alive at one time, so the peak of the
//! program does not rise. Which time that is, is guessed with 256 for each size that is not known. Only sizes count that are computed of
//! arguments, by operations that may run at the beginning of the function.

use freehold_frontend::dialects::arith::CmpIPredicate;
use freehold_frontend::dialects::{arith, func, memref, scf};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::cloning::IrMap;
use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::{Block, Op, Value};
use freehold_frontend::ir::types::{DYNAMIC, Type};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::analysis::speculation::may_run_anywhere;
use crate::manage::options::pass_options;
use crate::manage::pass::{Anchor, PassContext, PassDef};
use crate::rewrite::runtime_function::{RuntimeFunction, call_runtime};

pass_options! {
    /// Options of the pass.
    pub struct Options {
        // Twice what glibc keeps in any case.
        /// how many bytes buffers take together at least
        "least-bytes" least_bytes: u64 = 256 << 10,
    }
}

/// The pass.
pub static PASS: PassDef<Options> = PassDef {
    name: "reserve-peak",
    summary: "let malloc keep as much memory as the buffers of a function need at one time",
    anchor: Anchor::Module,
    run,
};

static C_LIBRARY: [RuntimeFunction; 2] = [
    RuntimeFunction {
        name: "malloc",
        signature: |_: &Context| (vec![Type::INDEX], vec![Type::INDEX]),
        c_interface: false,
    },
    RuntimeFunction {
        name: "free",
        signature: |_: &Context| (vec![Type::INDEX], vec![]),
        c_interface: false,
    },
];

/// The largest block from which glibc learns is one of 32 MiB, with its header and in whole pages.
const MOST: i64 = (32 << 20) - (64 << 10);

/// What stands for a size that is not known, to compare sums with one another.
const GUESS: i64 = 256;

fn run(ir: &mut Ir, context: &mut PassContext<'_, Options>) -> Result<(), Failed> {
    let least = i64::try_from(context.options.least_bytes).unwrap_or(i64::MAX);
    call_runtime(ir, &C_LIBRARY, &|function, callable, _| {
        let is_reserved = callable == [true; 2] && reserve(function, least).is_some();
        [u64::from(is_reserved); 2]
    });
    Ok(())
}

/// A buffer of the function's block.
struct Buffer {
    /// Its sizes that are not known, and the bytes of all others together.
    factors: Vec<Value>,
    bytes: i64,
    /// The same with guesses.
    guess: i128,
    /// The positions in the block between which it is alive for certain.
    life: [usize; 2],
}

/// Puts a block of the size of all buffers that are alive at one time at the beginning of the function.
fn reserve(ir: &mut Ir, least: i64) -> Option<()> {
    let block = (ir.root_block()).filter(|_| ir.is(ir.root(), &func::FUNC))?;
    let guesses = guesses(ir, block);
    let buffers = largest(buffers(ir, block, &guesses));
    if buffers.len() < 2 {
        return None;
    }
    let first = ir.first_op(block)?;
    let loc = ir.loc(first);
    let mut map = IrMap::default();
    for op in needed(ir, &buffers) {
        let copy = ir.clone_op(op, &mut map);
        ir.insert_op_before(first, copy);
    }
    let b = &mut Builder::before(ir, first);
    b.set_loc(loc);
    let binary = |b: &mut Builder<'_>, def, lhs, rhs| b.value(def, &[lhs, rhs], Type::INDEX);
    let mut total = arith::constant_index(b, 0);
    for buffer in &buffers {
        let mut bytes = arith::constant_index(b, buffer.bytes);
        for &factor in &buffer.factors {
            bytes = binary(b, &arith::MULI, bytes, map.value(factor));
        }
        total = binary(b, &arith::ADDI, total, bytes);
    }
    let least = arith::constant_index(b, least);
    let most = arith::constant_index(b, MOST);
    // Sizes that are wrong are refused later: until then their product may be any number.
    let is_large = arith::compare(b, CmpIPredicate::Sge, total, least);
    let check = scf::build_if(b, is_large, &[], false);
    let end = scf::If(check).then_yield(b.ir);
    b.set_before(end);
    let total = binary(b, &arith::MINSI, total, most);
    let call = func::build_call(b, "malloc", &[Type::INDEX], &[total]);
    let address = b.ir.result(call, 0);
    func::build_call(b, "free", &[], &[address]);
    Some(())
}

/// Numbers that are computed of the function's arguments by operations that may run at its beginning, with 256 for
/// each size.
fn guesses(ir: &Ir, block: Block) -> FxHashMap<Value, i64> {
    let mut guesses: FxHashMap<Value, i64> = FxHashMap::default();
    for &argument in ir.block_args(block) {
        guesses.insert(argument, GUESS);
    }
    for op in ir.ops_in(block) {
        let operands = ir.operands(op).iter();
        let operands: Option<Vec<i64>> =
            operands.map(|value| guesses.get(value).copied()).collect();
        if let Some(operands) = operands
            && let [result] = *ir.results(op)
            && ir.value_type(result) == Type::INDEX
            && ir.regions(op).is_empty()
            && may_run_anywhere(ir, op)
        {
            guesses.insert(result, guess(ir, op, &operands));
        }
    }
    guesses
}

/// What an operation makes of such numbers.
fn guess(ir: &Ir, op: Op, operands: &[i64]) -> i64 {
    if let Some(number) = arith::as_constant_index(ir, ir.result(op, 0)) {
        return number;
    }
    let is = |def| ir.is(op, def);
    let found = match *operands {
        [a, b] if is(&arith::ADDI) => a.checked_add(b),
        [a, b] if is(&arith::SUBI) => a.checked_sub(b),
        [a, b] if is(&arith::MULI) => a.checked_mul(b),
        [a, b] if is(&arith::FLOORDIVSI) || is(&arith::DIVSI) || is(&arith::DIVUI) => {
            a.checked_div_euclid(b)
        }
        [a, b] if is(&arith::CEILDIVSI) || is(&arith::CEILDIVUI) => {
            (a.checked_add(b)).and_then(|sum| (sum - 1).checked_div_euclid(b))
        }
        [a, b] if is(&arith::MAXSI) || is(&arith::MAXUI) => Some(a.max(b)),
        [a, b] if is(&arith::MINSI) || is(&arith::MINUI) => Some(a.min(b)),
        [a, b] if is(&arith::SHRSI) || is(&arith::SHRUI) => {
            u32::try_from(b).ok().and_then(|b| a.checked_shr(b))
        }
        [a, b] if is(&arith::SHLI) => u32::try_from(b).ok().and_then(|b| a.checked_shl(b)),
        _ => None,
    };
    found.unwrap_or(GUESS)
}

/// The buffers that the block allocates with such sizes.
fn buffers(ir: &Ir, block: Block, guesses: &FxHashMap<Value, i64>) -> Vec<Buffer> {
    let ops: Vec<Op> = ir.ops_in(block).collect();
    let positions: FxHashMap<Op, usize> = ops.iter().copied().zip(0..).collect();
    let mut found = Vec::new();
    for (position, &op) in ops.iter().enumerate() {
        if !ir.is(op, &memref::ALLOC) {
            continue;
        }
        let buffer = ir.result(op, 0);
        let Some(memref) = ir.context().as_memref(ir.value_type(buffer)) else {
            continue;
        };
        // Where a layout puts elements takes more than their number.
        if memref.layout.is_some() || memref.space.is_some() {
            continue;
        }
        let known = memref.shape.iter().filter(|&&size| size != DYNAMIC);
        let element = (ir.context().element_byte_size(memref.element))
            .and_then(|bytes| i64::try_from(bytes).ok());
        let bytes = element.and_then(|element| {
            let mut known = known.copied();
            known.try_fold(element, |product: i64, size| product.checked_mul(size))
        });
        let factors = ir.operand_group(op, 0).to_vec();
        let sizes: Option<Vec<i64>> = factors
            .iter()
            .map(|value| guesses.get(value).copied())
            .collect();
        let (Some(bytes), Some(sizes)) = (bytes, sizes) else {
            continue;
        };
        let sizes = sizes.into_iter().map(|size| i128::from(size.max(0)));
        let guess = sizes.fold(i128::from(bytes), i128::saturating_mul);
        // What hands it on may free it.
        let ends = |user: &Op| ir.is(*user, &memref::DEALLOC) || ir.is(*user, &func::RETURN);
        let users = ir.uses(buffer).iter().map(|usage| usage.op);
        let end = (users.filter(ends)).find_map(|user| positions.get(&user).copied());
        found.push(Buffer {
            factors,
            bytes,
            guess,
            life: [position, end.unwrap_or(position + 1)],
        });
    }
    found
}

/// Those that are alive when most bytes are, by their guesses. They come in the order of their allocations.
fn largest(buffers: Vec<Buffer>) -> Vec<Buffer> {
    let mut events: Vec<(usize, i128)> = Vec::new();
    for Buffer { guess, life, .. } in &buffers {
        events.extend([(life[0], *guess), (life[1], -guess)]);
    }
    events.sort_unstable();
    let (mut sum, mut most, mut at) = (0i128, 0, 0);
    for (position, change) in events {
        sum = sum.saturating_add(change);
        if sum > most {
            (most, at) = (sum, position);
        }
    }
    let is_alive = |buffer: &Buffer| (buffer.life[0]..buffer.life[1]).contains(&at);
    buffers.into_iter().filter(is_alive).collect()
}

/// The operations that compute the sizes, in their order.
fn needed(ir: &Ir, buffers: &[Buffer]) -> Vec<Op> {
    let mut needed: FxHashSet<Op> = FxHashSet::default();
    let mut worklist: Vec<Value> = buffers
        .iter()
        .flat_map(|buffer| buffer.factors.iter().copied())
        .collect();
    while let Some(value) = worklist.pop() {
        if let Some(op) = ir.defining_op(value)
            && needed.insert(op)
        {
            worklist.extend(ir.operands(op));
        }
    }
    let block = ir.root_block().into_iter();
    let ops = block.flat_map(|block| ir.ops_in(block));
    ops.filter(|op| needed.contains(op)).collect()
}
