//! `isolate-vectors`: operations on vectors wider than 128 bits in blocks of their own.
//!
//! Before:
//! ```mlir
//! func.func @f(%a: memref<16xf32>, %i: index) {
//!   %j = func.call @next(%i) : (index) -> index
//!   %x = vector.load %a[%j] : memref<16xf32>, vector<16xf32>
//!   %y = arith.addf %x, %x : vector<16xf32>
//!   vector.store %y, %a[%j] : memref<16xf32>, vector<16xf32>
//!   return
//! }
//! ```
//! After:
//! ```mlir
//! func.func @f(%a: memref<16xf32>, %i: index) {
//!   %j = func.call @next(%i) : (index) -> index
//!   cf.br ^bb1
//! ^bb1:
//!   %x = vector.load %a[%j] : memref<16xf32>, vector<16xf32>
//!   %y = arith.addf %x, %x : vector<16xf32>
//!   vector.store %y, %a[%j] : memref<16xf32>, vector<16xf32>
//!   cf.br ^bb2
//! ^bb2:
//!   return
//! }
//! ```
//! The code generator for wide vectors takes whole blocks. A block that gets none is cut in vain, which costs
//! nothing: the jumps lead to what follows. The pass belongs behind everything that merges blocks.

use freehold_frontend::dialects::{cf, memref, vector};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::{Block, Op, Value};
use freehold_frontend::ir::op_def::OpDef;
use freehold_frontend::target::Vectors;

use crate::manage::pass::{Anchor, PassContext, PassDef};

/// The pass.
pub static PASS: PassDef = PassDef {
    name: "isolate-vectors",
    summary: "put operations on wide vectors into blocks of their own",
    anchor: Anchor::Function,
    run,
};

fn run(ir: &mut Ir, context: &mut PassContext<'_>) -> Result<(), Failed> {
    let Some(region) = ir.root_block().and_then(|block| ir.region_of(block)) else {
        return Ok(());
    };
    let mut blocks: Vec<Block> = ir.blocks_in(region).collect();
    while let Some(block) = blocks.pop() {
        let Some((first, behind)) = run_of_vectors(ir, block) else {
            continue;
        };
        context.count("blocks of vectors", 1);
        // What comes behind may have another run.
        blocks.push(cut(ir, behind));
        cut(ir, first);
    }
    Ok(())
}

/// Ends the block of `op` before it; what follows is a block that comes next.
fn cut(ir: &mut Ir, op: Op) -> Block {
    let block = ir.block_of(op);
    let rest = ir.split_block(op);
    if let Some(block) = block {
        let loc = ir.loc(op);
        let mut builder = Builder::at_end(ir, block);
        builder.set_loc(loc);
        cf::build_br(&mut builder, rest, &[]);
    }
    rest
}

/// The first operation on wide vectors of a block, and what follows those that can be done together with it.
fn run_of_vectors(ir: &Ir, block: Block) -> Option<(Op, Op)> {
    let mut ops = ir.ops_in(block);
    // Masks are made for what they are used on.
    let is_first = |op| is_on_wide_vectors(ir, op) || ir.is(op, &vector::CREATE_MASK);
    let first = ops.find(|&op| is_first(op) && goes_along(ir, op))?;
    let mut last = first;
    for op in ops.take_while(|&op| goes_along(ir, op)) {
        if is_on_wide_vectors(ir, op) {
            last = op;
        }
    }
    ir.next_op(last).map(|behind| (first, behind))
}

fn is_on_wide_vectors(ir: &Ir, op: Op) -> bool {
    let is_wide = |&value: &Value| {
        vector::bytes_of_elements(ir.context(), ir.value_type(value)) > Vectors::SMALLEST
    };
    ir.operands(op).iter().chain(ir.results(op)).any(is_wide)
}

/// Whether an operation may be between others on vectors.
fn goes_along(ir: &Ir, op: Op) -> bool {
    static ACCESSES: &[&OpDef] = &[
        &memref::LOAD,
        &memref::STORE,
        &vector::LOAD,
        &vector::STORE,
        &vector::MASKED_LOAD,
        &vector::MASKED_STORE,
        &vector::GATHER,
        &vector::SCATTER,
        &vector::TRANSFER_READ,
        &vector::TRANSFER_WRITE,
    ];
    ACCESSES.iter().any(|&def| ir.is(op, def))
        || ir.regions(op).is_empty()
            && ir.successors(op).is_empty()
            && ir.is_memory_effect_free(op)
            && !ir.results(op).is_empty()
}
