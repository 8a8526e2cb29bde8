//! `fuse-loops`: loops one after the other over the same range become one loop.
//!
//! Before:
//! ```mlir
//! scf.for %i = %c0 to %n step %c1 {
//!   %x = memref.load %a[%i] : memref<?xf32>
//!   %y = arith.mulf %x, %x : f32
//!   memref.store %y, %b[%i] : memref<?xf32>
//! }
//! scf.for %i = %c0 to %n step %c1 {
//!   %x = memref.load %b[%i] : memref<?xf32>
//!   %y = arith.addf %x, %f : f32
//!   memref.store %y, %b[%i] : memref<?xf32>
//! }
//! ```
//! After, if `%a` and `%b` are known to be apart; otherwise this is one branch of a `scf.if` which
//! compares their addresses, and the loops as they were are the other one:
//! ```mlir
//! scf.for %i = %c0 to %n step %c1 {
//!   %x = memref.load %a[%i] : memref<?xf32>
//!   %y = arith.mulf %x, %x : f32
//!   %z = arith.addf %y, %f : f32
//!   memref.store %z, %b[%i] : memref<?xf32>
//! }
//! ```
//! A stored element that is loaded again there becomes a value as in `forward-stores`; a buffer that is only
//! stored to then goes away.
//!
//! # Why this is right
//!
//! Let A(i) and B(i) be the iterations of two loops. A(0) A(1) ... B(0) B(1) ... becomes
//! A(0) B(0) A(1) B(1) ..., so B(j) comes before A(i) where j < i, and all other pairs stay in order.
//! The bounds and steps are the same numbers, so there are as many of both. Nothing can tell, if no B(j)
//! with j < i accesses what A(i) accesses and one of both stores there:
//!
//! - Different buffers are known to be apart, or are compared at run time.
//! - Of the same buffer, there is a dimension in which both have the counter plus the same number as
//!   their subscript, so in different iterations they differ in it. So does the address if the layout is
//!   row-major, or if all other subscripts are the same numbers and the stride is known and not zero.
//!   A subscript out of bounds is undefined behaviour; so no two elements have the same address.
//! - Values that a loop carries are its own: the second loop must not use what the first one results in.
//! - Nothing inside of both loops but loads and stores may have effects: no calls, no allocations, no
//!   operations that are not known. So it is not seen either that a division by zero, which is undefined
//!   behaviour, ends the program at another time.
//!
//! What stands between both loops is moved before the first one if it does not use its results and is
//! free of effects, allocates, or loads or stores where the first loop has no effect on it; so is a loop that only
//! fills memory, unless nothing comes of that. The rest
//! stays, behind the new loop: those are frees, and values that are made of the first loop's results. An
//! allocation that moves up over a free could raise the peak; it does so only if a buffer that is at least as large has the
//! counter of both loops as its first subscript and no other uses: `contract-buffers` then leaves one part of it.
//!
//! # Profitability
//!
//! Loops that share a buffer, and not more buffers than there are registers. A loop that can run in
//! vectors, once elementary functions are arithmetic, is not fused with one that cannot; but one that fills a new buffer
//! is fused with the loop around a sum that adds to it, which then starts with a value and not with a load. Around inner
//! loops, each access must be in the row of the counter, or of something small: fusing two loops that go through all of
//! a matrix in each iteration makes the cache hold both.
//!
//! A loop is compared with the one that those before it became, whose size is limited; so a chain
//! of loops takes time in proportion to its length.

use freehold_frontend::dialects::{arith, memref, scf};
use freehold_frontend::ir::attrs::{Attr, Dict};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::cloning::IrMap;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::{Block, Op, Value};
use freehold_frontend::ir::names::Name;
use rustc_hash::FxHashSet;

use super::forward_stores::{erase_unread, forward_in};
use super::guards::{build_branches, carry_more};
use super::marks::{disjoint_name, is_disjoint, is_marked_disjoint};
use super::vector_plan::{Later, Plan};
use crate::analysis::loop_memory::{self, Access, Pairs};
use crate::analysis::reductions::Sum;
use crate::manage::pass::{Anchor, PassContext, PassDef};

/// The pass.
pub static PASS: PassDef = PassDef {
    name: "fuse-loops",
    summary: "fuse loops over the same range",
    anchor: Anchor::Function,
    run,
};

/// The largest number of operations in a fused loop: half of the bound of the later passes
/// ([`loop_memory::MAX_ACCESSES`]), so that a fused loop is never too large for them.
const MAX_OPS: usize = 128;
/// The same if the original loops are kept for buffers that overlap: bounds the
/// code, which is there twice then.
const MAX_COPIED_OPS: usize = 64;
/// The largest number of buffers that it accesses, all views of one together: bounds the pairs that are compared. The
/// `elementwise chain` rows (benches/results, generated code) have fewer.
const MAX_BUFFERS: usize = 8;
/// The largest buffer that stays in the cache in any order of accesses, in bytes: an eighth of a
/// first-level cache of 32 kB, so that a few such buffers fit in it at once.
const SMALL_BYTES: u64 = 4096;
/// Loops that certainly have fewer iterations are not worth a comparison of addresses, which
/// costs about as much as an iteration or two: above this it adds at most an eighth.
const MIN_COMPARED: i64 = 16;

fn run(ir: &mut Ir, context: &mut PassContext<'_>) -> Result<(), Failed> {
    let fused = fused_name(ir);
    // Outer loops first: that brings inner ones together.
    let mut blocks: Vec<Block> = inner_blocks(ir, ir.root()).collect();
    while let Some(block) = blocks.pop() {
        let n = fuse_in(ir, block);
        context.count("loops fused", n);
        for op in ir.ops_in(block) {
            if !ir.has_attr(op, fused) {
                blocks.extend(inner_blocks(ir, op));
            }
        }
    }
    Ok(())
}

fn inner_blocks(ir: &Ir, op: Op) -> impl Iterator<Item = Block> + '_ {
    let regions = ir.regions(op).iter();
    regions.flat_map(|&region| ir.blocks_in(region))
}

/// The attribute of the loops that were kept besides the one that they became.
fn fused_name(ir: &Ir) -> Name {
    ir.context().intern_name("freehold.fused")
}

/// Fuses the loops of a block; returns how many became part of another one.
fn fuse_in(ir: &mut Ir, block: Block) -> u64 {
    let mut n_fused = 0;
    let mut group: Option<Group> = None;
    // Nothing moves up over their deallocations.
    let allocs: Vec<Op> = (ir.ops_in(block))
        .filter(|&op| ir.is(op, &memref::ALLOC))
        .collect();
    erase_unread(ir, &allocs);
    for alloc in allocs {
        n_fused += u64::from(!ir.is_erased(alloc) && start_reduction(ir, alloc));
    }
    let ops: Vec<Op> = ir.ops_in(block).collect();
    let mut at = 0;
    // A loop that was passed over, which is the next to look at if nothing came of that.
    let mut passed_over: Option<usize> = None;
    loop {
        let Some(&op) = ops.get(at) else {
            if let Some(done) = group.take() {
                done.finish(ir);
            }
            match passed_over.take() {
                Some(back) => at = back,
                None => return n_fused,
            }
            continue;
        };
        at += 1;
        // Buffers without reads go away with their deallocations.
        if ir.is_erased(op) {
            continue;
        }
        let ends_group = match &mut group {
            None => true,
            Some(group) if !ir.is(op, &scf::FOR) => !group.pass_over(ir, op),
            Some(group) => {
                if group.include(ir, op) {
                    n_fused += 1;
                    passed_over = None;
                    false
                } else if passed_over.is_none() && group.pass_over_fill(ir, op) {
                    passed_over = Some(at - 1);
                    false
                } else {
                    true
                }
            }
        };
        if !ends_group {
            continue;
        }
        if let Some(done) = group.take() {
            done.finish(ir);
        }
        if let Some(back) = passed_over.take() {
            at = back;
        } else if ir.is(op, &scf::FOR) {
            group = Group::of(ir, op);
        }
    }
}

/// Makes the loop that fills a new buffer part of the loop behind it that adds to each element in one inner loop: the
/// sum then starts with a value. Products are left as they are, whose accumulators are tiles.
fn start_reduction(ir: &mut Ir, alloc: Op) -> bool {
    let Some((fill, reduction)) = filled_and_reduced(ir, alloc) else {
        return false;
    };
    let Some(mut group) = Group::of(ir, fill) else {
        return false;
    };
    let buffer = ir.result(alloc, 0);
    let is_fill = |access: &Access| access.is_store && access.buffer == buffer;
    if !group.accesses.iter().all(is_fill) {
        return false;
    }
    // Where the elements of a sum lie apart and those of several sums do not, several sums are better computed at once.
    let accesses = loop_memory::accesses(ir, reduction);
    let counter = scf::For(reduction).induction_variable(ir);
    let is_of_several_sums = |access: &Access| {
        let indices = access.indices(ir);
        let is_outer = |&index: &Value| depends_on(ir, index, counter, loop_memory::MAX_DEPTH);
        indices.len() > 1 && indices.last().is_some_and(is_outer)
    };
    if accesses.is_none_or(|accesses| accesses.iter().any(is_of_several_sums)) {
        return false;
    }
    group.is_fill = true;
    ir.move_op_before(fill, reduction);
    let is_started = group.include(ir, reduction);
    group.finish(ir);
    is_started
}

/// The first two users of a new buffer, if they are an innermost loop and one around innermost loops.
fn filled_and_reduced(ir: &Ir, alloc: Op) -> Option<(Op, Op)> {
    let block = ir.block_of(alloc)?;
    let [mut first, mut second]: [Option<Op>; 2] = [None, None];
    for used in ir.uses(ir.result(alloc, 0)) {
        let user = ir.ancestor_in_block(used.op, block)?;
        let is_before = |other: Option<Op>| other.is_none_or(|op| ir.is_before_in_block(user, op));
        if first == Some(user) || second == Some(user) {
            continue;
        }
        if is_before(first) {
            second = first.replace(user);
        } else if is_before(second) {
            second = Some(user);
        }
    }
    let (fill, reduction) = (first?, second?);
    // A large loop may be the second user of many buffers.
    let is_loop = |op: Op| ir.is(op, &scf::FOR) && ir.walk(op).nth(MAX_OPS).is_none();
    let levels = [fill, reduction].map(|op| is_loop(op).then(|| n_levels(ir, op)));
    let has_only_loops = |op: Op| {
        let mut inside = ir.walk(op);
        inside.all(|inner| ir.regions(inner).is_empty() || ir.is(inner, &scf::FOR))
    };
    let is_sum = levels == [Some(1), Some(2)] && [fill, reduction].into_iter().all(has_only_loops);
    is_sum.then_some((fill, reduction))
}

/// A loop which those behind it may become part of.
struct Group {
    op: Op,
    accesses: Vec<Access>,
    n_ops: usize,
    /// Whether it fills what the loop behind it adds to, as which it runs then.
    is_fill: bool,
    /// What stands behind the loop and goes before it as soon as another loop becomes part of it.
    early: Vec<Op>,
    /// Values that are made of the results of the loop, and these.
    late: FxHashSet<Value>,
    /// Frees that stand behind it, and the bytes of what is allocated behind these.
    frees: Vec<Op>,
    lifted_bytes: u64,
    /// What must be compared at run time.
    pairs: Pairs,
    /// The loops as they were, if there is something to compare.
    originals: Vec<Op>,
}

impl Group {
    fn of(ir: &Ir, op: Op) -> Option<Self> {
        if ir.attrs(op) != Dict::EMPTY {
            return None;
        }
        let accesses = loop_memory::accesses(ir, op)?;
        Some(Self {
            op,
            accesses,
            n_ops: ir.walk(op).count(),
            is_fill: false,
            early: Vec::new(),
            late: ir.results(op).iter().copied().collect(),
            frees: Vec::new(),
            lifted_bytes: 0,
            pairs: Pairs::new(),
            originals: Vec::new(),
        })
    }

    /// Whether loops behind `op` may still become part of this one.
    fn pass_over(&mut self, ir: &Ir, op: Op) -> bool {
        if ir.is(op, &memref::DEALLOC) {
            self.frees.push(op);
            return true;
        }
        if !ir.regions(op).is_empty() {
            return false;
        }
        let is_late = ir.operands(op).iter().any(|v| self.late.contains(v));
        let is_pure = ir.is_memory_effect_free(op);
        if is_late {
            self.late.extend(ir.results(op));
            return is_pure;
        }
        let can_move = || match Access::of(ir, op) {
            Some(access) => self.accesses.iter().all(|other| {
                !access.is_store && !other.is_store
                    || loop_memory::are_distinct(ir, access.buffer, other.buffer)
            }),
            None => loop_memory::is_alloc(ir, op),
        };
        let is_early = is_pure || can_move();
        if is_early {
            self.early.push(op);
            let is_lifted =
                loop_memory::is_alloc(ir, op) && self.frees.iter().any(|&free| !ir.is_erased(free));
            if is_lifted {
                let bytes = bytes_of(ir, ir.result(op, 0)).unwrap_or(u64::MAX);
                self.lifted_bytes = self.lifted_bytes.saturating_add(bytes);
            }
        }
        is_early
    }

    /// Whether a loop may go before this one that does nothing but store to memory of its own: what a loop
    /// behind it, which may become part of this one, adds to.
    fn pass_over_fill(&mut self, ir: &Ir, op: Op) -> bool {
        let Some(accesses) = loop_memory::accesses(ir, op) else {
            return false;
        };
        let is_apart = |access: &Access| {
            let mut others = self.accesses.iter();
            access.is_store
                && others.all(|other| loop_memory::are_distinct(ir, access.buffer, other.buffer))
        };
        let is_fill = !accesses.is_empty()
            && accesses.iter().all(is_apart)
            && ir.results(op).is_empty()
            && !self.is_late_for(ir, op);
        if is_fill {
            self.early.push(op);
        }
        is_fill
    }

    /// Makes a loop part of this one, if that is right and worth it.
    fn include(&mut self, ir: &mut Ir, op: Op) -> bool {
        let Some(pairs) = self.apart_from(ir, op) else {
            return false;
        };
        let is_compared = !pairs.is_empty();
        if is_compared && self.originals.is_empty() {
            self.originals = vec![ir.clone_op(self.op, &mut IrMap::default())];
        }
        if is_compared {
            let copy = ir.clone_op(op, &mut IrMap::default());
            self.originals.push(copy);
        }
        self.pairs = pairs;
        for op in self.early.drain(..) {
            ir.move_op_before(op, self.op);
        }
        self.lifted_bytes = 0;
        self.op = merge(ir, self.op, op);
        self.late.extend(ir.results(self.op));
        // What the first loop alone says is not about the second one.
        let is_marked = |around| is_marked_disjoint(ir, around);
        let is_disjoint = is_compared || ir.parent_op(self.op).is_some_and(is_marked);
        let forwarded = forward_in(ir, scf::For(self.op).body(ir), is_disjoint);
        erase_unread(ir, &forwarded.buffers);
        let accesses = loop_memory::accesses(ir, self.op);
        self.accesses = accesses.expect("there are no more operations than were allowed");
        self.n_ops = ir.walk(self.op).count();
        true
    }

    /// The buffers that must be apart for the loop `second` to become part of this one, if it can.
    fn apart_from(&self, ir: &Ir, second: Op) -> Option<Pairs> {
        let other = Self::of(ir, second)?;
        let loops = [self.op, second];
        let counters = loops.map(|op| scf::For(op).induction_variable(ir));
        let bound = |op, i| ir.operand(op, i);
        let is_same_range = ir.value_type(counters[0]) == ir.value_type(counters[1])
            && (0..3).all(|i| loop_memory::is_same_number(ir, bound(self.op, i), bound(second, i)));
        if !is_same_range
            || self.n_ops + other.n_ops > ir.capped(MAX_OPS)
            || self.is_late_for(ir, second)
            || self.lifted_bytes > 0
                && (self.contracted_bytes(ir, &other) < self.lifted_bytes
                    || !inner_are_alike(ir, loops))
        {
            return None;
        }
        let mut has_unknown_pairs = false;
        let mut shares_buffer = false;
        for &a in &self.accesses {
            for &b in &other.accesses {
                let is_same_buffer = a.buffer == b.buffer;
                shares_buffer |= is_same_buffer;
                if !a.is_store && !b.is_store {
                    continue;
                }
                if is_same_buffer {
                    if !loop_memory::iterations_are_apart(ir, loops, a, b) {
                        return None;
                    }
                } else if !has_unknown_pairs {
                    has_unknown_pairs = !loop_memory::are_distinct(ir, a.buffer, b.buffer);
                }
            }
        }
        let accesses = [&self.accesses[..], &other.accesses].concat();
        let is_worth_it = shares_buffer
            && n_buffers(ir, &accesses) <= ir.capped(MAX_BUFFERS)
            && loops
                .iter()
                .zip([&self.accesses, &other.accesses])
                .all(|(&op, accesses)| accesses.iter().all(|&access| is_in_row(ir, op, access)))
            && (self.is_fill || are_alike(ir, loops) && keeps_blocks(ir, loops));
        if !is_worth_it {
            return None;
        }
        let mut pairs = self.pairs.clone();
        let is_told = |around| is_disjoint(ir, around, &accesses);
        let is_told = ir.parent_op(self.op).is_some_and(is_told);
        if has_unknown_pairs && !is_told || !pairs.is_empty() {
            loop_memory::add_unknown_pairs(ir, &loops, &accesses, &mut pairs)?;
            if self.n_ops + other.n_ops > ir.capped(MAX_COPIED_OPS)
                || !is_worth_comparing(ir, second)
            {
                return None;
            }
        }
        Some(pairs)
    }

    /// The bytes that buffers of which each iteration needs a part of its own are smaller by once `second` is part of this
    /// loop.
    fn contracted_bytes(&self, ir: &Ir, second: &Self) -> u64 {
        let mut seen: Vec<Value> = Vec::new();
        let mut bytes: u64 = 0;
        for access in &second.accesses {
            let buffer = access.buffer;
            if seen.contains(&buffer) {
                continue;
            }
            seen.push(buffer);
            let n_parts = [self, second].map(|group| {
                let counter = scf::For(group.op).induction_variable(ir);
                let accesses = group.accesses.iter().filter(|a| a.buffer == buffer);
                let is_of_iteration = |a: &Access| a.indices(ir).first() == Some(&counter);
                accesses
                    .clone()
                    .all(is_of_iteration)
                    .then(|| accesses.count())
            });
            let ([Some(first), Some(second)], Some(alloc)) = (n_parts, ir.defining_op(buffer))
            else {
                continue;
            };
            let is_freed =
                |op: Op| ir.is(op, &memref::DEALLOC) && ir.block_of(op) == ir.block_of(self.op);
            let n_frees = ir
                .uses(buffer)
                .iter()
                .filter(|used| is_freed(used.op))
                .count();
            let has_others = ir.uses(buffer).len() > first + second + n_frees;
            let n_iterations = ir
                .context()
                .shape(ir.value_type(buffer))
                .and_then(|shape| shape.first());
            if first > 0
                && n_frees > 0
                && !has_others
                && loop_memory::is_alloc(ir, alloc)
                && let (Some(all), Some(&n)) = (bytes_of(ir, buffer), n_iterations)
            {
                bytes += all - all / n.max(1) as u64;
            }
        }
        bytes
    }

    /// Whether a loop needs values computed from the results of this one.
    fn is_late_for(&self, ir: &Ir, op: Op) -> bool {
        let is_late = |op: Op| ir.operands(op).iter().any(|v| self.late.contains(v));
        !self.late.is_empty() && ir.walk(op).any(is_late)
    }

    /// Puts comparisons around the loop if it needs them.
    fn finish(self, ir: &mut Ir) {
        let mut builder = Builder::before(ir, self.op);
        if let Some(guard) = loop_memory::build_disjoint(&mut builder, &self.pairs) {
            let fused = fused_name(ir);
            for &op in &self.originals {
                ir.set_attr(op, fused, Attr::UNIT);
            }
            build_branches(ir, self.op, guard, &self.originals);
        }
    }
}

/// How many buffers there are, of which some may be accessed by several views.
fn n_buffers(ir: &Ir, accesses: &[Access]) -> usize {
    let buffers = accesses
        .iter()
        .map(|access| loop_memory::viewed(ir, access.buffer));
    buffers.collect::<FxHashSet<Value>>().len()
}

/// Whether neither of two loops loses its vectors when they become one. Those with lanes that are apart, or from different
/// rows, are worth less than what fusion saves, the latter unless the other one has more loops inside (`k_means`).
fn are_alike(ir: &Ir, loops: [Op; 2]) -> bool {
    let later = loops.map(|op| Plan::later(ir, op));
    later[0] == later[1]
        || match later.contains(&Later::Rows) {
            true => later.contains(&Later::Apart),
            false => n_levels(ir, loops[0]) == n_levels(ir, loops[1]),
        }
}

/// Whether the loops inside of two that are next to each other once both are one may become one as well, if the second one adds
/// up: a row that is added up by itself waits for each addition (`sinkhorn`, benches/models).
fn inner_are_alike(ir: &Ir, loops: [Op; 2]) -> bool {
    match inner_neighbours(ir, loops) {
        (_, Some(second)) if Sum::of(ir, second).is_none() => true,
        (_, None) => true,
        (Some(first), Some(second)) => may_become_one(ir, [first, second]),
        (None, Some(_)) => false,
    }
}

/// Whether a nest that is transposed block by block stays one: it does by itself, or where the loops inside become one as
/// well. Rows of it are columns of what it reads, which have no vectors.
fn keeps_blocks(ir: &Ir, loops: [Op; 2]) -> bool {
    let (Some(first), Some(second)) = inner_neighbours(ir, loops) else {
        return true;
    };
    let inner = [first, second];
    let mut nests = loops.into_iter().zip(inner);
    !nests.any(|(outer, inner)| is_transposed(ir, outer, inner)) || may_become_one(ir, inner)
}

/// Whether the loop `inner` stores rows of what it has no vectors for, and the loop `outer` around it has them.
fn is_transposed(ir: &Ir, outer: Op, inner: Op) -> bool {
    let counter = scf::For(inner).induction_variable(ir);
    let stores_rows = |accesses: Vec<Access>| {
        let mut stores = accesses.iter().filter(|access| access.is_store);
        stores.all(|store| {
            let mut indices = store.indices(ir).iter();
            indices.any(|&index| depends_on(ir, index, counter, loop_memory::MAX_DEPTH))
        })
    };
    Plan::later(ir, outer) == Later::Columns
        && Plan::later(ir, inner) == Later::Scalar
        && ir.results(inner).is_empty()
        && loop_memory::accesses(ir, inner).is_some_and(stores_rows)
}

/// The loops inside of two that are next to each other once both are one.
fn inner_neighbours(ir: &Ir, loops: [Op; 2]) -> (Option<Op>, Option<Op>) {
    let inner = |op: Op| {
        ir.ops_in(scf::For(op).body(ir))
            .filter(|&op| ir.is(op, &scf::FOR))
    };
    (inner(loops[0]).last(), inner(loops[1]).next())
}

/// Whether two loops have the same bounds and keep their vectors as one.
fn may_become_one(ir: &Ir, loops: [Op; 2]) -> bool {
    let mut bounds = (0..3).map(|i| loops.map(|op| ir.operand(op, i)));
    bounds.all(|[a, b]| loop_memory::is_same_number(ir, a, b)) && are_alike(ir, loops)
}

/// How many loops are around the innermost operation of a loop, itself included.
fn n_levels(ir: &Ir, op: Op) -> usize {
    let inside = ir.walk(op).filter(|&inner| ir.is(inner, &scf::FOR));
    let levels = inside.map(|inner| {
        let parents = std::iter::successors(Some(inner), |&op| ir.parent_op(op));
        parents.take_while(|&parent| parent != op).count() + 1
    });
    levels.max().unwrap_or_default()
}

/// Whether loops like this one may be kept besides what they become.
fn is_worth_comparing(ir: &Ir, op: Op) -> bool {
    let bound = |i| arith::as_constant_index(ir, ir.operand(op, i));
    let is_long = match (bound(0), bound(1), bound(2)) {
        (Some(lower), Some(upper), Some(step)) => {
            upper.saturating_sub(lower) >= MIN_COMPARED.saturating_mul(step)
        }
        _ => true,
    };
    // A loop around runs in vectors only if there is no branch in it.
    let is_alone = ir
        .parent_op(op)
        .is_none_or(|parent| !ir.is(parent, &scf::FOR) || Plan::later(ir, parent) != Later::Rows);
    is_long && is_alone
}

/// Whether an access is near to those of the next iteration of the loop `op`, or one of few, or all are near.
fn is_in_row(ir: &Ir, op: Op, access: Access) -> bool {
    let counter = scf::For(op).induction_variable(ir);
    let parents = std::iter::successors(ir.parent_op(access.op), |&op| ir.parent_op(op));
    let n_loops = parents
        .take_while(|&parent| parent != op)
        .filter(|&parent| ir.is(parent, &scf::FOR))
        .count();
    let mut indices = access.indices(ir).iter();
    n_loops < 2
        || is_small(ir, access.buffer)
        || indices.any(|&index| depends_on(ir, index, counter, loop_memory::MAX_DEPTH))
}

fn is_small(ir: &Ir, buffer: Value) -> bool {
    bytes_of(ir, buffer).is_some_and(|bytes| bytes <= SMALL_BYTES)
}

/// The size of a buffer, if it is known.
fn bytes_of(ir: &Ir, buffer: Value) -> Option<u64> {
    let context = ir.context();
    let memref = context.as_memref(ir.value_type(buffer))?;
    let mut bytes = context.element_byte_size(memref.element)?;
    for &size in &memref.shape {
        bytes = bytes.checked_mul(u64::try_from(size).ok()?)?;
    }
    Some(bytes)
}

fn depends_on(ir: &Ir, value: Value, counter: Value, depth: u32) -> bool {
    value == counter
        || depth != 0
            && ir.defining_op(value).is_some_and(|op| {
                let mut operands = ir.operands(op).iter();
                operands.any(|&operand| depends_on(ir, operand, counter, depth - 1))
            })
}

/// Appends the body of the second loop to that of the first one; returns the loop that replaces both.
fn merge(ir: &mut Ir, first: Op, second: Op) -> Op {
    let name = disjoint_name(ir);
    ir.remove_attr(first, name);
    let inits: Vec<Value> = ir.operands(second)[3..].to_vec();
    let fused = match inits.is_empty() {
        true => first,
        false => carry_more(ir, first, &inits),
    };
    let (body, second_body) = (scf::For(fused).body(ir), scf::For(second).body(ir));
    let n_carried = ir.results(fused).len() - inits.len();
    let arguments: Vec<Value> = ir.block_args(second_body).to_vec();
    let counter = ir.block_args(body)[0];
    ir.replace_all_uses(arguments[0], counter);
    for (i, &argument) in arguments[1..].iter().enumerate() {
        let carried = ir.block_args(body)[1 + n_carried + i];
        ir.replace_all_uses(argument, carried);
    }
    let (end, second_end) = (scf::For(fused).yield_op(ir), scf::For(second).yield_op(ir));
    let yielded: Vec<Value> = ir.operands(second_end).to_vec();
    ir.insert_operands(end, n_carried, &yielded);
    ir.erase_op(second_end);
    ir.move_block_contents_before(second_body, end);
    let results: Vec<Value> = ir.results(fused)[n_carried..].to_vec();
    ir.replace_op(second, &results);
    fused
}
