//! Which blocks of a function become kernels.
//!
//! A loop can if control comes to its header only, and leaves it to one block only. The outermost loops are
//! tried first: what surrounds a loop on vectors is then no longer in between two calls. Of blocks in no such
//! loop, those can that do enough on wide vectors to be worth a call (the pass `isolate-vectors` makes blocks
//! of it). A kernel that goes on to another one becomes one with it.

use cranelift_entity::SecondaryMap;
use freehold_frontend::dialects::{arith, vector};
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::dominance::reverse_postorder;
use freehold_frontend::ir::entities::{Block, Op, Value};
use freehold_frontend::target::Element;
use indexmap::IndexSet;
use rayon::prelude::*;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use super::code::Size;
use super::level::Level;
use super::{Assembled, Refusal, compile};
use crate::repr::{Repr, dynamic_fields};
use crate::split::Part;

/// A loop that is a function of its own.
pub(crate) struct Kernel {
    /// Its blocks, its live-ins and live-outs.
    pub(crate) part: Part,
    /// Its code.
    pub(crate) code: Assembled,
}

/// Loops of more blocks or operations are not tried as a whole: bounds compile time where many loops are
/// around each other, each of which would be tried with all that is inside. In loops this large a call per inner loop is
/// cheap, and those are tried next.
const MAX_BLOCKS: usize = 64;
const MAX_OPS: usize = 4000;

/// What a call of a kernel costs, in operations on registers, besides two for each place of an input or output: an
/// estimate of call, return and saved registers. It only decides whether a block that belongs to no loop with a kernel is
/// called by itself: results are the same, and loops, where the time goes, do not ask.
const CALL: usize = 24;

/// How many operations on floats of 16 bits take in software, per lane: converted to `f32` and back, at least. Elements of
/// vectors of 128 bits are such (27,000 instructions for one block of `gelu`, 32 lanes).
const OPS_OF_HALF: usize = 10;

/// Kernels, and why other loops are none.
type Found = (Vec<Kernel>, Vec<Refusal>);

/// The kernels of a function, and why other loops and blocks on wide vectors are none.
pub(crate) fn kernels(ir: &Ir, level: Level) -> (Vec<Kernel>, Vec<Refusal>) {
    let Some(entry) = ir.root_block() else {
        return (Vec::new(), Vec::new());
    };
    let order = reverse_postorder(ir, entry);
    let loops = loops(ir, &order);
    // What is tried of one outermost loop depends on no other one.
    let found: Vec<Found> = nests(&loops)
        .into_par_iter()
        .map(|nest| kernels_of_nest(ir, level, &loops, nest))
        .collect();
    let (mut kernels, mut refusals) = (Vec::new(), Vec::new());
    for (of_nest, why) in found {
        kernels.extend(of_nest);
        refusals.extend(why);
    }
    let mut taken: FxHashSet<Block> = FxHashSet::default();
    let blocks_of = |kernel: &Kernel| kernel.part.blocks.clone();
    taken.extend(kernels.iter().flat_map(blocks_of));
    // The first block has the arguments of the function.
    let others = order.iter().skip(1).filter(|block| !taken.contains(block));
    let others: Vec<Block> = others.copied().collect();
    let found: Vec<_> = (others.into_par_iter())
        .map(|block| candidate(ir, level, block))
        .collect();
    let mut candidates: Vec<Candidate> = (kernels.into_iter())
        .map(|Kernel { part, code }| Candidate {
            part,
            code: Some(code),
        })
        .collect();
    for (of_block, why) in found {
        candidates.extend(of_block);
        refusals.extend(why);
    }
    let mut position: SecondaryMap<Block, u32> = SecondaryMap::new();
    for (index, &block) in (0..).zip(&order) {
        position[block] = index;
    }
    candidates.sort_unstable_by_key(|candidate| position[candidate.part.blocks[0]]);
    (joined(ir, level, candidates), refusals)
}

/// Blocks that may be part of a kernel.
struct Candidate {
    part: Part,
    /// None if they are not worth a call of their own.
    code: Option<Assembled>,
}

/// Kernels of which those that only go on to the next one are one with it.
fn joined(ir: &Ir, level: Level, candidates: Vec<Candidate>) -> Vec<Kernel> {
    let mut result: Vec<Candidate> = Vec::new();
    for next in candidates {
        let whole = result.last().and_then(|before| {
            let is_next = before.part.exit == next.part.blocks[0];
            let is_worth = before.code.is_some() || next.code.is_some();
            let blocks = before.part.blocks.iter().chain(&next.part.blocks);
            let is_small = blocks.clone().count() <= MAX_BLOCKS;
            if !is_next || !is_worth || !is_small {
                return None;
            }
            let part = part(ir, blocks.copied().collect())?;
            let code = Some(compile(ir, &part, level).ok()?);
            Some(Candidate { part, code })
        });
        if whole.is_some() {
            result.pop();
        }
        result.push(whole.unwrap_or(next));
    }
    let kernels = result
        .into_iter()
        .filter_map(|Candidate { part, code }| Some(Kernel { part, code: code? }));
    kernels.collect()
}

/// A block with operations on wide vectors, with its code if that pays by itself.
fn candidate(ir: &Ir, level: Level, block: Block) -> (Option<Candidate>, Option<Refusal>) {
    let part = match has_wide_vectors(ir, &[block]) {
        true => part(ir, vec![block]),
        false => None,
    };
    let Some(part) = part else {
        return (None, None);
    };
    let values = part.inputs.iter().chain(&part.outputs);
    let places: usize = values.map(|&value| n_places(ir, value)).sum();
    if saved_by_width(ir, block) <= CALL + 2 * places {
        return (Some(Candidate { part, code: None }), None);
    }
    match compile(ir, &part, level) {
        Ok(code) => {
            let code = Some(code);
            (Some(Candidate { part, code }), None)
        }
        Err(refusal) => (None, Some(refusal)),
    }
}

/// The number of memory slots of a live-in or live-out value of a kernel.
fn n_places(ir: &Ir, value: Value) -> usize {
    match Repr::of(ir.context(), ir.value_type(value)) {
        Some(Repr::MemRef(layout)) => dynamic_fields(&layout).filter(|&dynamic| dynamic).count(),
        Some(Repr::Vector(vector)) => vector.n_parts(),
        _ => 1,
    }
}

/// By how many the operations on wide vectors of a block are fewer than those on vectors of 128 bits, or on
/// elements where there are none for these.
fn saved_by_width(ir: &Ir, block: Block) -> usize {
    let saved = ir.ops_in(block).map(|op| {
        let values = ir.operands(op).iter().chain(ir.results(op));
        let Some(&widest) = values.max_by_key(|&&value| bytes_of(ir, value)) else {
            return 0;
        };
        if !is_on_wide_vectors(ir, op) {
            return 0;
        }
        let ty = ir.value_type(widest);
        let element = Element::of(ir.context(), ir.context().element_type_or_self(ty));
        match element {
            Some(element) if element.is_half() => {
                bytes_of(ir, widest) as usize / element.bytes() * OPS_OF_HALF
            }
            _ => n_places(ir, widest) - n_places(ir, widest).div_ceil(4),
        }
    });
    saved.sum()
}

/// The numbers of loops that share blocks, in the order of the outermost ones.
fn nests(loops: &[Vec<Block>]) -> Vec<Vec<usize>> {
    let mut nest_of: FxHashMap<Block, usize> = FxHashMap::default();
    let mut nests: Vec<Vec<usize>> = Vec::new();
    for (number, blocks) in loops.iter().enumerate() {
        // Outer loops come first, and all of their blocks are known then.
        let nest = nest_of.get(&blocks[0]).copied().unwrap_or_else(|| {
            nests.push(Vec::new());
            nests.len() - 1
        });
        nests[nest].push(number);
        nest_of.extend(blocks.iter().map(|&block| (block, nest)));
    }
    nests
}

/// The kernels among some loops.
fn kernels_of_nest(ir: &Ir, level: Level, loops: &[Vec<Block>], nest: Vec<usize>) -> Found {
    let (mut kernels, mut refusals) = (Vec::new(), Vec::new());
    let mut taken: FxHashSet<Block> = FxHashSet::default();
    for number in nest {
        let blocks = &loops[number];
        let is_taken = blocks.iter().any(|block| taken.contains(block));
        if is_taken || !has_wide_vectors(ir, blocks) {
            continue;
        }
        let Some(part) = part(ir, blocks.clone()) else {
            continue;
        };
        match compile(ir, &part, level) {
            Ok(code) => {
                taken.extend(&part.blocks);
                kernels.push(Kernel { part, code });
            }
            Err(refusal) => refusals.push(refusal),
        }
    }
    // A loop around a kernel may have been refused because of something else in it.
    refusals.retain(|refusal| {
        let block = ir.block_of(refusal.op);
        block.is_some_and(|block| !taken.contains(&block))
    });
    (kernels, refusals)
}

/// The blocks of each loop, headers first, outer loops before those inside.
fn loops(ir: &Ir, order: &[Block]) -> Vec<Vec<Block>> {
    let mut position: SecondaryMap<Block, u32> = SecondaryMap::with_default(u32::MAX);
    for (index, &block) in (0..).zip(order) {
        position[block] = index;
    }
    let mut loops = Vec::new();
    for &header in order {
        let latches: Vec<Block> = (ir.predecessors(header))
            .filter(|&block| position[block] != u32::MAX && position[block] >= position[header])
            .collect();
        if latches.is_empty() {
            continue;
        }
        let mut blocks: FxHashSet<Block> = FxHashSet::default();
        blocks.insert(header);
        let mut work = latches;
        while let Some(block) = work.pop() {
            if blocks.len() > MAX_BLOCKS {
                break;
            }
            if blocks.insert(block) {
                let known = |&block: &Block| position[block] != u32::MAX;
                work.extend(ir.predecessors(block).filter(known));
            }
        }
        // What comes before the header is no part of a loop with one way in.
        let is_natural = blocks.len() <= MAX_BLOCKS
            && (blocks.iter()).all(|&block| position[block] >= position[header]);
        if is_natural {
            let mut blocks: Vec<Block> = blocks.into_iter().collect();
            blocks.sort_by_key(|&block| position[block]);
            loops.push(blocks);
        }
    }
    loops
}

fn has_wide_vectors(ir: &Ir, blocks: &[Block]) -> bool {
    let ops = || blocks.iter().flat_map(|&block| ir.ops_in(block));
    ops().count() <= MAX_OPS && ops().any(|op| is_on_wide_vectors(ir, op))
}

fn is_on_wide_vectors(ir: &Ir, op: Op) -> bool {
    let mut values = ir.operands(op).iter().chain(ir.results(op));
    values.any(|&value| bytes_of(ir, value) > Size::X.bytes() as u64)
}

fn bytes_of(ir: &Ir, value: Value) -> u64 {
    vector::bytes_of_elements(ir.context(), ir.value_type(value))
}

/// A loop with its live-ins and live-outs, if it has a single exit block.
fn part(ir: &Ir, blocks: Vec<Block>) -> Option<Part> {
    let inside: FxHashSet<Block> = blocks.iter().copied().collect();
    let mut exits: IndexSet<Block, FxBuildHasher> = IndexSet::default();
    let mut inputs: IndexSet<Value, FxBuildHasher> = IndexSet::default();
    let mut outputs: IndexSet<Value, FxBuildHasher> = IndexSet::default();
    let is_outside = |block: Option<Block>| block.is_none_or(|block| !inside.contains(&block));
    for &block in &blocks {
        // Nothing comes to other blocks than the header from outside.
        let is_header = block == blocks[0];
        if !is_header && ir.predecessors(block).any(|from| !inside.contains(&from)) {
            return None;
        }
        let ways_out = ir.block_successors(block).iter();
        exits.extend(ways_out.filter(|to| !inside.contains(to)));
        for op in ir.ops_in(block) {
            if !ir.regions(op).is_empty() {
                return None;
            }
            for &operand in ir.operands(op) {
                let is_constant = ir.defined_by(operand, &arith::CONSTANT).is_some();
                if is_outside(ir.value_block(operand)) && !is_constant {
                    inputs.insert(operand);
                }
            }
        }
        let results = ir.ops_in(block).flat_map(|op| ir.results(op));
        for &value in results.chain(ir.block_args(block)) {
            let mut users = ir.uses(value).iter();
            if users.any(|user| is_outside(ir.block_of(user.op))) {
                outputs.insert(value);
            }
        }
    }
    let (Some(&exit), 1) = (exits.first(), exits.len()) else {
        return None;
    };
    Some(Part {
        blocks,
        exit,
        inputs: inputs.into_iter().collect(),
        constants: Vec::new(),
        outputs: outputs.into_iter().collect(),
    })
}
