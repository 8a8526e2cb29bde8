//! What `one-shot-bufferize{test-analysis-only}` writes down instead of making buffers: which operands are used in place,
//! what was in the way of others, and which tensors share buffers.
//!
//! The attributes are upstream's. A conflict is the first one that this analysis finds, where upstream may report another
//! read and write of the same conflict.

use freehold_frontend::dialects::{linalg, scf};
use freehold_frontend::ir::attrs::Attr;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Op, Value, ValueDef};
use freehold_frontend::ir::interfaces::RegionPoint;
use freehold_frontend::syntax::printer::ValueNames;
use rustc_hash::FxHashMap;

use super::in_place::{
    Decisions, Obstacle, is_select_of_tensors, is_tensor, is_view_of, single_destination,
};
use super::one_shot_bufferize::Environment;

/// The numbers of conflicts and of values without writes that have been named.
#[derive(Default)]
pub(super) struct Counters {
    conflicts: usize,
    not_writable: usize,
}

/// Says of each operand that is a tensor whether it is used in place, and what else was asked for.
pub(super) fn annotate(
    ir: &mut Ir,
    environment: &Environment,
    decisions: &Decisions,
    counters: &mut Counters,
) {
    let context = ir.context().clone();
    let name = context.intern_name("__inplace_operands_attr__");
    for op in ir.collect_ops(ir.root()) {
        let mut operands = ir.operands(op).iter();
        if op == ir.root() || !operands.any(|&operand| is_tensor(ir, operand)) {
            continue;
        }
        let words = (0..ir.operands(op).len()).map(|index| {
            let word = match is_tensor(ir, ir.operand(op, index)) {
                false => "none",
                true if is_in_place(ir, environment, decisions, op, index) => "true",
                true => "false",
            };
            context.string_attr(word)
        });
        let words: Vec<Attr> = words.collect();
        ir.set_attr(op, name, context.array_attr(&words));
    }
    // From the last operation to the first one, as upstream decides.
    for &(op, index, obstacle) in decisions.obstacles.iter().rev() {
        if !decisions.takes(op, index) {
            name_obstacle(ir, op, index, obstacle, counters);
        }
    }
    if environment.dumps_alias_sets {
        dump_alias_sets(ir, environment, decisions);
    }
}

fn is_in_place(
    ir: &Ir,
    environment: &Environment,
    decisions: &Decisions,
    op: Op,
    index: usize,
) -> bool {
    let mut consumed = decisions.of(op).iter();
    !environment.is_unknown(ir, op) && !consumed.any(|c| c.index == index && !c.takes)
}

fn name_obstacle(ir: &mut Ir, op: Op, index: usize, obstacle: Obstacle, counters: &mut Counters) {
    let mark = |ir: &mut Ir, op: Op, text: String| {
        let name = ir.context().intern_name(&text);
        ir.set_attr(op, name, Attr::UNIT);
    };
    match obstacle {
        Obstacle::NotWritable(value) => {
            let (definer, place) = definition(ir, value);
            let text = format!("W_{}[NOT-WRITABLE: {place}]", counters.not_writable);
            counters.not_writable += 1;
            mark(ir, definer, text);
        }
        Obstacle::Read {
            user,
            index: read,
            definition: value,
        } => {
            let id = format!("C_{}", counters.conflicts);
            counters.conflicts += 1;
            let (definer, place) = definition(ir, value);
            mark(ir, op, format!("{id}[CONFL-WRITE: {index}]"));
            mark(ir, user, format!("{id}[READ: {read}]"));
            mark(ir, definer, format!("{id}[DEF: {place}]"));
        }
    }
}

/// The operation that makes `value` or holds its block, and what it is there.
fn definition(ir: &Ir, value: Value) -> (Op, String) {
    match ir.value_def(value) {
        ValueDef::Result(op, index) => (op, format!("result {index}")),
        ValueDef::Argument(block, index) => {
            let parent = ir.block_parent_op(block).unwrap_or(ir.root());
            (parent, format!("bbArg {index}"))
        }
    }
}

/// Disjoint sets of tensors, each in the order in which they were joined.
#[derive(Default)]
struct Sets {
    of: FxHashMap<Value, usize>,
    members: Vec<Vec<Value>>,
}

impl Sets {
    fn of(&mut self, value: Value) -> usize {
        *self.of.entry(value).or_insert_with(|| {
            self.members.push(vec![value]);
            self.members.len() - 1
        })
    }

    fn join(&mut self, first: Value, second: Value) {
        let (first, second) = (self.of(first), self.of(second));
        if first == second {
            return;
        }
        let moved = std::mem::take(&mut self.members[second]);
        for &value in &moved {
            self.of.insert(value, first);
        }
        self.members[first].extend(moved);
    }
}

/// Names, at each operation with tensors as results or block arguments, the tensors that may be in the same buffers.
fn dump_alias_sets(ir: &mut Ir, environment: &Environment, decisions: &Decisions) {
    let mut sets = Sets::default();
    let ops = ir.collect_ops(ir.root());
    for &op in ops.iter().rev() {
        for index in 0..ir.operands(op).len() {
            if is_tensor(ir, ir.operand(op, index))
                && is_in_place(ir, environment, decisions, op, index)
            {
                for result in same_buffer(ir, op, index) {
                    sets.join(result, ir.operand(op, index));
                }
            }
        }
    }
    let context = ir.context().clone();
    let names = ValueNames::of(ir);
    let result_name = context.intern_name("__opresult_alias_set_attr__");
    let argument_name = context.intern_name("__bbarg_alias_set_attr__");
    let mut set_text = |value| {
        let set = sets.of(value);
        let texts = sets.members[set].iter();
        let texts: Vec<Attr> = texts
            .map(|&member| context.string_attr(&names.text(member)))
            .collect();
        context.array_attr(&texts)
    };
    for op in ops {
        let mut sets_of = |ir: &Ir, values: &[Value]| -> Vec<Attr> {
            let tensors = values.iter().filter(|&&value| is_tensor(ir, value));
            tensors.map(|&value| set_text(value)).collect()
        };
        let results = sets_of(ir, ir.results(op));
        if !results.is_empty() {
            ir.set_attr(op, result_name, context.array_attr(&results));
        }
        let mut has_tensor = false;
        let mut regions = Vec::new();
        for &region in ir.regions(op) {
            let mut blocks = Vec::new();
            for block in ir.blocks_in(region) {
                let arguments = sets_of(ir, ir.block_args(block));
                has_tensor |= !arguments.is_empty();
                blocks.push(context.array_attr(&arguments));
            }
            regions.push(context.array_attr(&blocks));
        }
        if has_tensor {
            ir.set_attr(op, argument_name, context.array_attr(&regions));
        }
    }
}

/// The results that are in the buffer of operand `index` of `op` if that is used in place.
fn same_buffer(ir: &Ir, op: Op, index: usize) -> Vec<Value> {
    if is_view_of(ir, op, index)
        || is_select_of_tensors(ir, op) && index > 0
        || single_destination(ir, op) == Some(index)
    {
        return ir.results(op).first().copied().into_iter().collect();
    }
    let outputs = if linalg::is_structured(ir, op) {
        Some(ir.operand_group_range(op, 1))
    } else if ir.is(op, &scf::FORALL) {
        Some(ir.operand_group_range(op, 3))
    } else {
        None
    };
    if let Some(outputs) = outputs {
        let at = outputs.contains(&index).then(|| index - outputs.start);
        let result = at.and_then(|at| ir.results(op).get(at));
        return result.copied().into_iter().collect();
    }
    if let Some(interface) = ir.def(op).region_branch {
        let entry = (interface.entry_operands)(ir, op, RegionPoint::Parent);
        let inputs = ir.region_successor_inputs(op, RegionPoint::Parent);
        let at = entry.clone().position(|operand| operand == index);
        return at
            .and_then(|at| inputs.get(at))
            .copied()
            .into_iter()
            .collect();
    }
    let parent = ir.parent_op(op);
    let (Some(interface), Some(parent)) = (ir.def(op).region_terminator, parent) else {
        return Vec::new();
    };
    // What a loop yields is equivalent to what it carries, and not in the same set.
    let region = ir.parent_region(op);
    let at = ir.regions(parent).iter().position(|&r| Some(r) == region);
    let Some(at) = at.filter(|_| ir.def(parent).region_branch.is_some()) else {
        return Vec::new();
    };
    let to_region = |to: &RegionPoint| matches!(to, RegionPoint::Region(_));
    let successors = ir.region_successors(parent, RegionPoint::Region(at));
    if successors.iter().any(to_region) {
        return Vec::new();
    }
    let operands = (interface.operands)(ir, op, RegionPoint::Parent);
    let inputs = ir.region_successor_inputs(parent, RegionPoint::Parent);
    let found = operands.zip(inputs).find(|&(operand, _)| operand == index);
    found.map(|(_, &input)| input).into_iter().collect()
}
