//! Which bodies of `async.execute` have certainly ended where their block, or that of their group, has.
//!
//! A body may use buffers until the program has waited for it. If that happens in the block that starts the body, every
//! buffer that the body can see lives longer than the body, as long as it is not freed before the wait.

use freehold_frontend::dialects::{async_, memref};
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::{Diagnostics, Failed};
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::op_def::Traits;
use freehold_frontend::ir::types::TypeKind;
use rustc_hash::{FxHashMap, FxHashSet};

/// The bodies that have ended at the end of their block, or of that of a group that they are in, on every path, while all
/// buffers that they may use are still there.
pub(crate) struct Awaited(FxHashSet<Op>);

impl Awaited {
    /// Those of the function `ir`.
    pub(crate) fn of(ir: &Ir) -> Self {
        Self::but_for(ir, &FxHashSet::default())
    }

    /// Those of the function `ir`, but for some whose groups do not count.
    pub(crate) fn but_for(ir: &Ir, some: &FxHashSet<Op>) -> Self {
        let ops = ir.walk(ir.root());
        let executes: Vec<Op> = ops.filter(|&op| ir.is(op, &async_::EXECUTE)).collect();
        // What depends on a body stands behind it, and is looked at before.
        let mut in_block = FxHashSet::default();
        for &execute in executes.iter().rev() {
            if is_awaited_in_block(ir, execute, &in_block) {
                in_block.insert(execute);
            }
        }
        let mut groups = Groups::new(ir);
        let mut all = in_block;
        for execute in executes {
            if !all.contains(&execute) && !some.contains(&execute) && groups.hold(execute) {
                all.insert(execute);
            }
        }
        Self(all)
    }

    /// Whether the body of `execute` is one of them.
    pub(crate) fn contains(&self, execute: Op) -> bool {
        self.0.contains(&execute)
    }
}

/// Whether a wait for it, or for what depends on it, follows in the block. `known` has the answers for what follows.
fn is_awaited_in_block(ir: &Ir, execute: Op, known: &FxHashSet<Op>) -> bool {
    let follows =
        |op: Op| ir.block_of(op) == ir.block_of(execute) && ir.is_before_in_block(execute, op);
    let mut uses = ir
        .results(execute)
        .iter()
        .flat_map(|&result| ir.uses(result));
    uses.any(|u| follows(u.op) && (ir.is(u.op, &async_::AWAIT) || known.contains(&u.op)))
}

/// What was found out about groups, and operations that hold bodies.
struct Groups<'a> {
    ir: &'a Ir,
    /// The last wait for a group where it is made.
    waits: FxHashMap<Value, Option<Op>>,
    makes_buffers: FxHashMap<Op, bool>,
}

impl<'a> Groups<'a> {
    fn new(ir: &'a Ir) -> Self {
        Self {
            ir,
            waits: FxHashMap::default(),
            makes_buffers: FxHashMap::default(),
        }
    }

    /// Whether `execute` is put into a group, and a wait for that follows where the group is made.
    fn hold(&mut self, execute: Op) -> bool {
        let ir = self.ir;
        // What it yields may be needed before.
        let only_added = |&value: &Value| {
            let mut users = ir.uses(value).iter();
            users.all(|u| ir.is(u.op, &async_::ADD_TO_GROUP))
        };
        let view = async_::Execute(execute);
        if !view.body_results(ir).iter().all(only_added) {
            return false;
        }
        let mut uses = ir
            .results(execute)
            .iter()
            .flat_map(|&result| ir.uses(result));
        uses.any(|u| {
            let is_added = ir.is(u.op, &async_::ADD_TO_GROUP)
                && ir.block_of(u.op) == ir.block_of(execute)
                && ir.is_before_in_block(execute, u.op);
            is_added && self.is_awaited(execute, async_::AddToGroup(u.op).group(ir))
        })
    }

    fn is_awaited(&mut self, execute: Op, group: Value) -> bool {
        let ir = self.ir;
        let Some(home) =
            (ir.defined_by(group, &async_::CREATE_GROUP)).and_then(|op| ir.block_of(op))
        else {
            return false;
        };
        let Some(outer) = ir.ancestor_in_block(execute, home) else {
            return false;
        };
        let last = self.waits.entry(group).or_insert_with(|| {
            let waits = ir.uses(group).iter().map(|u| u.op);
            let waits =
                waits.filter(|&op| ir.is(op, &async_::AWAIT_ALL) && ir.block_of(op) == Some(home));
            waits.reduce(|a, b| if ir.is_before_in_block(a, b) { b } else { a })
        });
        if !last.is_some_and(|last| ir.is_before_in_block(outer, last)) {
            return false;
        }
        // Another body would have to end first, and buffers between here and there would be freed.
        let mut inner = execute;
        while inner != outer {
            match ir.parent_op(inner) {
                Some(parent) if !ir.has_trait(parent, Traits::RUNS_LATER) => inner = parent,
                _ => return false,
            }
        }
        // A group is memory, too.
        if uses_group_inside(ir, execute, outer) {
            return false;
        }
        let makes_buffers = self.makes_buffers.entry(outer);
        execute == outer || !*makes_buffers.or_insert_with(|| makes_buffers_in(ir, outer))
    }
}

/// Whether the body of `execute` uses a group that is made inside of `outer` before it.
fn uses_group_inside(ir: &Ir, execute: Op, outer: Op) -> bool {
    ir.walk(execute).any(|op| {
        ir.operands(op).iter().any(|&value| {
            let made = ir.defined_by(value, &async_::CREATE_GROUP);
            made.is_some_and(|made| ir.is_ancestor(outer, made) && !ir.is_ancestor(execute, made))
        })
    })
}

/// Whether buffers begin to live inside of `outer`, but for those of bodies that run later.
fn makes_buffers_in(ir: &Ir, outer: Op) -> bool {
    let mut walk = ir.walk(outer);
    while let Some(op) = walk.next() {
        if ir.has_trait(op, Traits::RUNS_LATER) {
            walk.skip_regions(op);
            continue;
        }
        let is_view = ir.def(op).view_source.is_some() || ir.is(op, &memref::GET_GLOBAL);
        let mut arguments = (ir.regions(op).iter())
            .flat_map(|&region| ir.blocks_in(region))
            .flat_map(|block| ir.block_args(block));
        if !is_view && ir.results(op).iter().any(|&result| ir.is_memref(result))
            || arguments.any(|&argument| ir.is_memref(argument))
        {
            return true;
        }
    }
    false
}

/// Whether a value of this dialect holds something whose owner would be unknown.
fn holds_buffer(ir: &Ir, value: Value) -> bool {
    let context = ir.context();
    let held = async_::held_type(context, ir.value_type(value));
    held.is_some_and(|ty| {
        matches!(
            context.type_kind(ty),
            TypeKind::MemRef(_)
                | TypeKind::UnrankedMemRef { .. }
                | TypeKind::RankedTensor { .. }
                | TypeKind::UnrankedTensor(_)
        ) || async_::is_async(context, ty)
    })
}

/// Reports what would make it unknown when buffers that bodies use may be freed. For passes that place frees.
pub(crate) fn check(ir: &Ir, diagnostics: &mut Diagnostics) -> Result<(), Failed> {
    let mut awaited = None;
    for op in ir.walk(ir.root()) {
        if ir.def(op).dialect() != async_::DIALECT.namespace {
            continue;
        }
        let mut values = ir.operands(op).iter().chain(ir.results(op));
        let problem = if ir.is(op, &async_::CALL) {
            "keeps its buffers for an unknown time: '--async-func-to-async-runtime' makes a body of it"
        } else if values.any(|&value| holds_buffer(ir, value)) {
            "hands on a buffer, which would have no owner: '--run-async-in-order' makes a program without it"
        } else if ir.is(op, &async_::EXECUTE)
            && !awaited.get_or_insert_with(|| Awaited::of(ir)).contains(op)
        {
            "may use buffers after they are freed, as nothing in its block waits for its token: \
             '--run-async-in-order' makes a program without it"
        } else {
            continue;
        };
        let message = format!("'{}' op {problem}", ir.op_name(op));
        return Err(diagnostics.error(ir.loc(op), message));
    }
    Ok(())
}
