//! `buffer-deallocation-simplification`: makes `bufferization.dealloc`
//! operations small, so that less is compared at run time.
//!
//! Before:
//! ```mlir
//! %a = memref.alloc() : memref<2xf32>
//! %b = memref.alloc() : memref<2xf32>
//! %0 = bufferization.dealloc (%a, %b : memref<2xf32>, memref<2xf32>) if (%c, %d)
//!      retain (%arg : memref<2xf32>)
//! ```
//! After:
//! ```mlir
//! bufferization.dealloc (%a : memref<2xf32>) if (%c)
//! bufferization.dealloc (%b : memref<2xf32>) if (%d)
//! // %0 is false
//! ```
//!
//! The operands of an operation are grouped so that values of different groups
//! never share memory, by where they may come from; each group gets an
//! operation of its own. So the work is linear in the operands, not quadratic.
//! Within a group, an entry that certainly is every retained value is never
//! freed: its condition is the result.

use cranelift_entity::EntitySet;
use freehold_frontend::diag::Failed;
use freehold_frontend::dialects::{arith, bufferization, memref};
use freehold_frontend::effects::{EffectKind, Resource};
use freehold_frontend::ir::attrs::Attr;
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::edit::OpSpec;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::Type;
use rustc_hash::FxHashMap;

use super::flow::{Origin, ValueFlow};
use super::union_find::UnionFind;
use crate::canonicalize::region_simplify::erase_unreachable_blocks;
use crate::greedy::{self, Config, constant_value};
use crate::pass::{Anchor, PassContext, PassDef};

/// The pass.
pub static PASS: PassDef = PassDef {
    name: "buffer-deallocation-simplification",
    summary: "split and simplify bufferization.dealloc where buffers cannot be the same",
    anchor: Anchor::Function,
    options: &[],
    run,
};

fn run(ir: &mut Ir, context: &mut PassContext<'_>) -> Result<(), Failed> {
    let deallocs = |ir: &Ir| -> Vec<Op> {
        ir.walk(ir.root())
            .filter(|&op| ir.is(op, &bufferization::DEALLOC))
            .collect()
    };
    if deallocs(ir).is_empty() {
        return Ok(());
    }
    erase_unreachable_blocks(ir);
    greedy::run_on(ir, &deallocs(ir), Config::default());
    let all = deallocs(ir);
    let mut origins = Origins {
        flow: ValueFlow::new(ir),
        cache: FxHashMap::default(),
    };
    let plans: Vec<(Op, Vec<Group>)> = all
        .into_iter()
        .map(|op| (op, group_operands(ir, op, &mut origins)))
        .collect();
    for (op, groups) in plans {
        context.count("deallocs made", groups.len() as u64);
        split(ir, op, groups);
    }
    let rest = deallocs(ir);
    greedy::run_on(ir, &rest, Config::default());
    Ok(())
}

/// Most origins of one value that are told apart; one with more may be anything.
const MAX_ORIGINS: usize = 32;

/// Where the buffer of a value may come from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Source {
    /// This allocation, or anything this call may return or has been given.
    Allocation(Op),
    /// Stack memory or a global, by the operation that names it.
    Own(Op),
    /// Arguments and whatever else is not known.
    Anything,
}

struct Origins {
    flow: ValueFlow,
    cache: FxHashMap<Value, Vec<Source>>,
}

impl Origins {
    /// All possible sources of the buffer of `value`.
    fn of(&mut self, ir: &Ir, value: Value) -> Vec<Source> {
        let Some(base) = self.flow.base(value) else {
            return vec![Source::Anything];
        };
        if let Some(known) = self.cache.get(&base) {
            return known.clone();
        }
        let mut sources = Vec::new();
        let mut seen: EntitySet<Value> = EntitySet::new();
        let mut stack = vec![base];
        while let Some(base) = stack.pop() {
            if !seen.insert(base) {
                continue;
            }
            match self.flow.origin(base) {
                Origin::Phi => {
                    stack.extend(
                        self.flow
                            .flows_in(base)
                            .iter()
                            .map(|&id| self.flow.flow_base(id)),
                    );
                }
                Origin::Merge => stack.extend_from_slice(self.flow.merge_sources(base)),
                Origin::Fresh | Origin::External => {
                    let source = source_of(ir, base);
                    if !sources.contains(&source) {
                        sources.push(source);
                    }
                }
            }
            if sources.len() + stack.len() > MAX_ORIGINS {
                sources = vec![Source::Anything];
                break;
            }
        }
        self.cache.insert(base, sources.clone());
        sources
    }
}

fn source_of(ir: &Ir, base: Value) -> Source {
    let Some(op) = ir.defining_op(base) else {
        return Source::Anything;
    };
    if ir.is(op, &memref::GET_GLOBAL) {
        return Source::Anything;
    }
    let allocation = ir.own_effects(op).and_then(|effects| {
        effects
            .iter()
            .find(|e| e.kind == EffectKind::Allocate && e.value == Some(base))
    });
    match allocation {
        Some(effect) if effect.resource == Resource::Default => Source::Allocation(op),
        Some(_) => Source::Own(op),
        None if ir.def(op).call.is_some() => Source::Allocation(op),
        None => Source::Anything,
    }
}

/// Operands that may be one buffer, as indices of the operand groups.
#[derive(Default, Debug)]
struct Group {
    entries: Vec<usize>,
    retained: Vec<usize>,
}

/// Groups the operands of a dealloc by shared sources.
fn group_operands(ir: &Ir, op: Op, origins: &mut Origins) -> Vec<Group> {
    let entries = ir.operand_group(op, 0);
    let retained = ir.operand_group(op, 2);
    let n_entries = entries.len();
    let mut sets = UnionFind::new(n_entries + retained.len());
    let mut first_with: FxHashMap<Source, usize> = FxHashMap::default();
    for (index, &value) in entries.iter().chain(retained).enumerate() {
        for source in origins.of(ir, value) {
            let mut join = |source: Source, sets: &mut UnionFind| {
                let first = *first_with.entry(source).or_insert(index);
                sets.join(first, index);
            };
            join(source, &mut sets);
            // A call may hand back what it was given, if its author broke the
            // rules: keep both together.
            if let Source::Allocation(call) = source
                && ir.def(call).call.is_some()
            {
                for &argument in ir.operands(call) {
                    if ir.is_memref(argument) {
                        for given in origins.of(ir, argument) {
                            join(given, &mut sets);
                        }
                    }
                }
            }
        }
    }
    let mut groups: Vec<Group> = Vec::new();
    let mut group_of: FxHashMap<usize, usize> = FxHashMap::default();
    for index in 0..n_entries + retained.len() {
        let root = sets.root(index);
        let group = *group_of.entry(root).or_insert_with(|| {
            groups.push(Group::default());
            groups.len() - 1
        });
        if index < n_entries {
            groups[group].entries.push(index);
        } else {
            groups[group].retained.push(index - n_entries);
        }
    }
    groups
}

/// Replaces a dealloc by one per group.
fn split(ir: &mut Ir, op: Op, groups: Vec<Group>) {
    let entries: Vec<Value> = ir.operand_group(op, 0).to_vec();
    let conditions: Vec<Value> = ir.operand_group(op, 1).to_vec();
    let retained: Vec<Value> = ir.operand_group(op, 2).to_vec();
    let mut builder = Builder::before(ir, op);
    let mut results: Vec<Option<Value>> = vec![None; retained.len()];
    for group in &groups {
        if group.entries.is_empty() {
            continue;
        }
        // One entry that certainly is every retained value is kept.
        if let [entry] = group.entries[..]
            && !group.retained.is_empty()
            && group.retained.iter().all(|&r| {
                view_root(builder.ir, retained[r]) == view_root(builder.ir, entries[entry])
            })
        {
            for &index in &group.retained {
                results[index] = Some(conditions[entry]);
            }
            continue;
        }
        let pick = |all: &[Value], indices: &[usize]| -> Vec<Value> {
            indices.iter().map(|&index| all[index]).collect()
        };
        let part = [
            pick(&entries, &group.entries),
            pick(&conditions, &group.entries),
            pick(&retained, &group.retained),
        ];
        let segments = [part[0].len(), part[1].len(), part[2].len()].map(|n| n as i32);
        let segments = builder.context().i32_array_attr(&segments);
        let spec = OpSpec::new(&bufferization::DEALLOC, builder.loc())
            .operands(&part.concat())
            .results(&vec![Type::I1; part[2].len()])
            .attr(Name::OPERAND_SEGMENT_SIZES, segments);
        let new = builder.create(spec);
        // Every retained value that certainly is an entry with a true
        // condition is owned, whatever the comparison of others says.
        for (position, &index) in group.retained.iter().enumerate() {
            let root = view_root(builder.ir, retained[index]);
            let certain = group.entries.iter().any(|&entry| {
                view_root(builder.ir, entries[entry]) == root
                    && constant_value(builder.ir, conditions[entry]) == Some(Attr::TRUE)
            });
            results[index] = Some(if certain {
                arith::constant_bool(&mut builder, true)
            } else {
                builder.ir.result(new, position)
            });
        }
    }
    let results: Vec<Value> = results
        .into_iter()
        .map(|result| result.unwrap_or_else(|| arith::constant_bool(&mut builder, false)))
        .collect();
    ir.replace_op(op, &results);
}

/// What the chain of views of `value` starts at.
fn view_root(ir: &Ir, mut value: Value) -> Value {
    while let Some(op) = ir.defining_op(value)
        && let Some(source) = ir.def(op).view_source
    {
        value = source(ir, op);
    }
    value
}
