//! `sccp`: sparse conditional constant propagation. Values that are the same number on every path that can be taken
//! become that constant.
//!
//! Before:
//! ```mlir
//! %c = arith.constant true
//! %r = scf.if %c -> i32 {
//!   scf.yield %c1 : i32
//! } else {
//!   scf.yield %c2 : i32
//! }
//! ```
//! After: `%c1` stands for `%r`.
//!
//! A block counts only once control can come there, so constants go round loops. Control flow stays as it is; that is
//! for `canonicalize`. Arguments and results of private functions are followed where all their calls are known.

use std::sync::Arc;

use cranelift_entity::{EntitySet, SecondaryMap};
use freehold_frontend::dialects::{arith, cf, materialize, scf};
use freehold_frontend::ir::attrs::Attr;
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::{Block, Op, Value};
use freehold_frontend::ir::interfaces::RegionPoint;
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::op_def::{FoldResult, OpDef, Traits};
use freehold_frontend::ir::types::Type;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::analysis::constants::constant_value;
use crate::manage::pass::{Anchor, PassContext, PassDef};
use crate::rewrite::functions;
use crate::rewrite::signature::{callee, symbols_used_as_values};

/// The pass.
pub static PASS: PassDef = PassDef {
    name: "sccp",
    summary: "replace values that are constant on every path that can be taken",
    anchor: Anchor::ModuleOrFunction,
    run,
};

fn run(ir: &mut Ir, context: &mut PassContext<'_>) -> Result<(), Failed> {
    let n_replaced = match ir.has_trait(ir.root(), Traits::FUNCTION) {
        true => run_on_function(ir),
        false => run_on_module(ir),
    };
    context.count("values replaced", n_replaced);
    Ok(())
}

/// The lattice element of a value.
#[derive(Clone, Copy, Default, Debug)]
enum Known {
    /// Control has not come there yet.
    #[default]
    Nothing,
    /// It is this, which an operation of this row made.
    Constant(Attr, &'static OpDef),
    /// It may be different things.
    Varies,
}

impl Known {
    /// Takes in another thing that the value may be; returns whether that is new.
    fn join(&mut self, other: Known) -> bool {
        match (*self, other) {
            (_, Known::Nothing) | (Known::Varies, _) => false,
            (Known::Nothing, _) => {
                *self = other;
                true
            }
            (Known::Constant(a, _), Known::Constant(b, _)) if a == b => false,
            _ => {
                *self = Known::Varies;
                true
            }
        }
    }
}

/// The lattice elements of the functions of a module whose calls are all known.
#[derive(Default)]
struct Facts {
    /// By name, what they return.
    returned: FxHashMap<Arc<str>, Vec<Known>>,
}

/// Replaces what is known in a function, whatever its arguments are.
pub(super) fn run_on_function(ir: &mut Ir) -> u64 {
    let n_arguments = ir
        .root_block()
        .map_or(0, |block| ir.block_args(block).len());
    let arguments = vec![Known::Varies; n_arguments];
    let state = analyze(ir, &arguments, &Facts::default());
    replace(ir, &state.values, &state.live)
}

fn run_on_module(ir: &mut Ir) -> u64 {
    let mut n_replaced = 0;
    let used_as_values = symbols_used_as_values(ir);
    let stubs: Vec<Op> = functions::functions(ir)
        .into_iter()
        .filter(|&stub| {
            ir.nested(stub)
                .is_some_and(|function| function.root_block().is_some())
        })
        .collect();
    let mut facts = Facts::default();
    let mut arguments: FxHashMap<Arc<str>, Vec<Known>> = FxHashMap::default();
    let mut names: Vec<(Op, Arc<str>)> = Vec::new();
    let mut called: FxHashSet<Arc<str>> = FxHashSet::default();
    for stub in stubs {
        let (Some(name), Some(function)) = (ir.symbol_name(stub), ir.nested(stub)) else {
            continue;
        };
        let name: Arc<str> = name.into();
        let n_arguments = function
            .root_block()
            .map_or(0, |block| function.block_args(block).len());
        let is_known = ir.is_private(stub) && !used_as_values.contains(&*name);
        let start = if is_known {
            Known::Nothing
        } else {
            Known::Varies
        };
        arguments.insert(Arc::clone(&name), vec![start; n_arguments]);
        if is_known {
            facts.returned.insert(Arc::clone(&name), Vec::new());
        } else {
            called.insert(Arc::clone(&name));
        }
        names.push((stub, name));
    }
    // Until nothing is new: what is known of a value changes at most twice.
    let mut changed = true;
    while changed {
        changed = false;
        for (stub, name) in &names {
            let Some(function) = ir.nested(*stub).filter(|_| called.contains(name)) else {
                continue;
            };
            let state = analyze(function, &arguments[name], &facts);
            for (callee, passed) in state.calls {
                changed |= called.insert(Arc::clone(&callee));
                if !facts.returned.contains_key(&callee) {
                    continue;
                }
                if let Some(known) = arguments.get_mut(&callee) {
                    for (known, &passed) in known.iter_mut().zip(&passed) {
                        changed |= known.join(passed);
                    }
                }
            }
            if let Some(returned) = facts.returned.get_mut(name) {
                returned.resize(state.returned.len().max(returned.len()), Known::Nothing);
                for (known, &now) in returned.iter_mut().zip(&state.returned) {
                    changed |= known.join(now);
                }
            }
        }
    }
    for (stub, name) in &names {
        if !called.contains(name) {
            continue;
        }
        if let Some(function) = ir.nested_mut(*stub) {
            let state = analyze(function, &arguments[name], &facts);
            n_replaced += replace(function, &state.values, &state.live);
        }
    }
    for stub in functions::nested_modules(ir) {
        if let Some(nested) = ir.nested_mut(stub) {
            n_replaced += run_on_module(nested);
        }
    }
    n_replaced
}

/// What an analysis found in a function.
struct State {
    values: SecondaryMap<Value, Known>,
    /// The blocks where control may come.
    live: EntitySet<Block>,
    returned: Vec<Known>,
    /// The calls that may happen: the callee and what it is given.
    calls: Vec<(Arc<str>, Vec<Known>)>,
}

fn analyze(ir: &Ir, arguments: &[Known], facts: &Facts) -> State {
    let mut solver = Solver {
        ir,
        facts,
        state: State {
            values: SecondaryMap::new(),
            live: EntitySet::new(),
            returned: Vec::new(),
            calls: Vec::new(),
        },
        worklist: Vec::new(),
        also_uses: FxHashMap::default(),
    };
    if let Some(block) = ir.root_block() {
        for (&argument, &known) in ir.block_args(block).iter().zip(arguments) {
            solver.join(argument, known);
        }
        solver.reach(block);
    }
    while let Some(op) = solver.worklist.pop() {
        solver.visit(op);
    }
    let mut state = solver.state;
    let live = |op: Op| {
        ir.block_of(op)
            .is_some_and(|block| state.live.contains(block))
    };
    let calls = ir.walk(ir.root()).filter(|&op| live(op)).filter_map(|op| {
        let passed = ir.operands(op).iter().map(|&operand| state.values[operand]);
        Some((Arc::from(callee(ir, op)?), passed.collect()))
    });
    state.calls = calls.collect();
    state
}

struct Solver<'a> {
    ir: &'a Ir,
    facts: &'a Facts,
    state: State,
    worklist: Vec<Op>,
    /// Operations that fold to a value which is none of their operands.
    also_uses: FxHashMap<Value, Vec<Op>>,
}

impl Solver<'_> {
    /// Control may come to `block`.
    fn reach(&mut self, block: Block) {
        if self.state.live.insert(block) {
            let first = self.worklist.len();
            self.worklist.extend(self.ir.ops_in(block));
            self.worklist[first..].reverse();
        }
    }

    fn join(&mut self, value: Value, known: Known) {
        if self.state.values[value].join(known) {
            self.worklist
                .extend(self.ir.uses(value).iter().map(|u| u.op));
            if let Some(ops) = self.also_uses.get(&value) {
                self.worklist.extend_from_slice(ops);
            }
        }
    }

    fn known(&self, value: Value) -> Known {
        self.state.values[value]
    }

    fn forget(&mut self, values: &[Value]) {
        for &value in values {
            self.join(value, Known::Varies);
        }
    }

    fn visit(&mut self, op: Op) {
        let ir = self.ir;
        let Some(block) = ir
            .block_of(op)
            .filter(|&block| self.state.live.contains(block))
        else {
            return;
        };
        let def = ir.def(op);
        if !ir.successors(op).is_empty() {
            self.visit_branch(op);
        } else if def.region_branch.is_some() {
            self.visit_entry(op);
        } else if !ir.regions(op).is_empty() {
            for &region in ir.regions(op) {
                if let Some(entry) = ir.entry_block(region) {
                    self.forget(ir.block_args(entry));
                    self.reach(entry);
                }
            }
            self.forget(ir.results(op));
        } else if ir.has_trait(op, Traits::TERMINATOR) {
            self.visit_end(op, block);
        } else if let Some(returned) = callee(ir, op).and_then(|name| self.facts.returned.get(name))
        {
            for (&result, &known) in ir.results(op).iter().zip(returned) {
                self.join(result, known);
            }
        } else {
            self.visit_plain(op);
        }
    }

    fn visit_branch(&mut self, op: Op) {
        let ir = self.ir;
        let successors = ir.successors(op);
        let Some(branch) = ir.def(op).branch else {
            for &block in successors {
                self.forget(ir.block_args(block));
                self.reach(block);
            }
            self.forget(ir.results(op));
            return;
        };
        // None if it is not known yet; otherwise the only one that may be taken, or all.
        let taken = if ir.is(op, &cf::COND_BR) {
            self.integer(ir.operand(op, 0))
                .map(|condition| condition.map(|condition| usize::from(condition == 0)))
        } else if ir.is(op, &cf::SWITCH) {
            let width = ir.context().integer_width(ir.value_type(ir.operand(op, 0)));
            let is_equal = |a: i128, b: i128| match width {
                Some(width @ 1..127) => (a ^ b) & ((1 << width) - 1) == 0,
                _ => a == b,
            };
            self.integer(ir.operand(op, 0)).map(|flag| {
                let cases = cf::Switch(op).case_values(ir);
                let at = |flag: i128| cases.iter().position(|&case| is_equal(case, flag));
                flag.map(|flag| at(flag).map_or(0, |at| at + 1))
            })
        } else {
            Some(None)
        };
        let Some(only) = taken else { return };
        let ranges = (branch.all_successor_operands)(ir, op);
        for (index, &block) in successors.iter().enumerate() {
            if only.is_some_and(|only| only != index) {
                continue;
            }
            let arguments = ir.block_args(block);
            let operands = &ir.operands(op)[ranges[index].clone()];
            for (&argument, &operand) in arguments.iter().zip(operands) {
                self.join(argument, self.known(operand));
            }
            self.forget(&arguments[operands.len().min(arguments.len())..]);
            self.reach(block);
        }
        self.forget(ir.results(op));
    }

    /// The number that `value` is; none inside if it is more than one, none at all if nothing is known yet.
    fn integer(&self, value: Value) -> Option<Option<i128>> {
        match self.known(value) {
            Known::Nothing => None,
            Known::Varies => Some(None),
            Known::Constant(attr, _) => Some(self.ir.context().attr_integer(attr)),
        }
    }

    /// Control comes to an operation with regions.
    fn visit_entry(&mut self, op: Op) {
        let ir = self.ir;
        let only = if ir.is(op, &scf::IF) {
            match self.integer(ir.operand(op, 0)) {
                None => return,
                Some(condition) => condition.map(|condition| match condition {
                    // Without an else region, control goes on behind it.
                    0 if scf::If(op).else_block(ir).is_none() => RegionPoint::Parent,
                    condition => RegionPoint::Region(usize::from(condition == 0)),
                }),
            }
        } else {
            None
        };
        let inputs = ir.region_successor_inputs(op, RegionPoint::Parent);
        let others: Vec<Value> = (ir.results(op).iter().copied())
            .filter(|result| !inputs.contains(result))
            .collect();
        self.forget(&others);
        for to in ir.region_successors(op, RegionPoint::Parent) {
            if only.is_none_or(|only| only == to) {
                self.pass(op, to, ir.region_entry_operands(op, to));
            }
        }
    }

    /// Control comes to the end of a block without successors.
    fn visit_end(&mut self, op: Op, block: Block) {
        let ir = self.ir;
        let Some(region) = ir.region_of(block) else {
            return;
        };
        let parent = ir.region_owner(region);
        if parent == ir.root() {
            if self.state.returned.len() < ir.operands(op).len() {
                self.state
                    .returned
                    .resize(ir.operands(op).len(), Known::Nothing);
            }
            for (index, &operand) in ir.operands(op).iter().enumerate() {
                let known = self.known(operand);
                self.state.returned[index].join(known);
            }
            return;
        }
        if ir.def(parent).region_branch.is_none() {
            return;
        }
        let at = ir.regions(parent).iter().position(|&r| r == region);
        let Some(at) = at else { return };
        for to in ir.region_successors(parent, RegionPoint::Region(at)) {
            match ir.def(op).region_terminator {
                Some(_) => self.pass(parent, to, ir.region_terminator_operands(op, to)),
                // It does not come back that way.
                None if ir.operands(op).is_empty() && ir.results(parent).is_empty() => {
                    self.pass(parent, to, &[]);
                }
                None => {
                    self.forget(ir.results(parent));
                    self.pass(parent, to, &[]);
                }
            }
        }
    }

    /// Values travel around an operation with regions.
    fn pass(&mut self, op: Op, to: RegionPoint, values: &[Value]) {
        let ir = self.ir;
        let inputs = ir.region_successor_inputs(op, to);
        for (&input, &value) in inputs.iter().zip(values) {
            self.join(input, self.known(value));
        }
        self.forget(&inputs[values.len().min(inputs.len())..]);
        if let RegionPoint::Region(index) = to
            && let Some(entry) = ir.entry_block(ir.region(op, index))
        {
            let others: Vec<Value> = (ir.block_args(entry).iter().copied())
                .filter(|argument| !inputs.contains(argument))
                .collect();
            self.forget(&others);
            self.reach(entry);
        }
    }

    fn visit_plain(&mut self, op: Op) {
        let ir = self.ir;
        let def = ir.def(op);
        if let [result] = *ir.results(op)
            && let Some(attr) = constant_value(ir, result)
        {
            self.join(result, Known::Constant(attr, def));
            return;
        }
        let Some(fold) = def.fold else {
            self.forget(ir.results(op));
            return;
        };
        let mut constants = Vec::new();
        for &operand in ir.operands(op) {
            match self.known(operand) {
                Known::Nothing => return,
                Known::Constant(attr, _) => constants.push(Some(attr)),
                Known::Varies => constants.push(None),
            }
        }
        let folded = fold(ir, op, &constants);
        if folded.len() != ir.results(op).len() {
            self.forget(ir.results(op));
            return;
        }
        for (&result, folded) in ir.results(op).iter().zip(folded) {
            let known = match folded {
                FoldResult::Attr(attr) => Known::Constant(attr, def),
                FoldResult::Value(value) if value == result => Known::Varies,
                FoldResult::Value(value) => {
                    if !ir.operands(op).contains(&value) {
                        self.also_uses.entry(value).or_default().push(op);
                    }
                    self.known(value)
                }
            };
            self.join(result, known);
        }
    }
}

/// Replaces values that are known by constants; returns how many.
fn replace(ir: &mut Ir, values: &SecondaryMap<Value, Known>, live: &EntitySet<Block>) -> u64 {
    let mut constants = Constants::default();
    let mut n_replaced = 0;
    for block in ir.collect_blocks(ir.root()) {
        // Erased with the operation around.
        let is_erased = ir.block_parent_op(block).is_none_or(|op| ir.is_erased(op));
        if is_erased || !live.contains(block) {
            continue;
        }
        for argument in ir.block_args(block).to_vec() {
            n_replaced += u64::from(constants.replace(ir, block, argument, values[argument]));
        }
        for op in ir.ops_in(block).collect::<Vec<_>>() {
            if ir.has_trait(op, Traits::CONSTANT_LIKE) {
                continue;
            }
            let results = ir.results(op).to_vec();
            for &result in &results {
                n_replaced += u64::from(constants.replace(ir, block, result, values[result]));
            }
            let is_replaced = |&result: &Value| {
                ir.has_no_uses(result) && matches!(values[result], Known::Constant(..))
            };
            if !results.is_empty()
                && results.iter().all(is_replaced)
                && ir.would_be_trivially_dead(op)
            {
                ir.erase_op(op);
            }
        }
    }
    n_replaced
}

/// The constants that were made: one per value and type at the beginning of the outermost region around.
#[derive(Default)]
struct Constants(FxHashMap<(Block, &'static str, Attr, Type), Value>);

impl Constants {
    fn replace(&mut self, ir: &mut Ir, block: Block, value: Value, known: Known) -> bool {
        let Known::Constant(attr, from) = known else {
            return false;
        };
        if ir.has_no_uses(value) {
            return false;
        }
        let ty = ir.value_type(value);
        let Some(home) = home(ir, block) else {
            return false;
        };
        let Some(def) = materialize::constant_row(ir.context(), from, attr, ty)
            .or_else(|| materialize::constant_row(ir.context(), &arith::CONSTANT, attr, ty))
        else {
            return false;
        };
        let constant = *self.0.entry((home, def.name, attr, ty)).or_insert_with(|| {
            let loc = ir.value_loc(value);
            let mut builder = Builder::at_start(ir, home);
            builder.set_loc(loc);
            builder.value_with_attr(def, &[], ty, Name::VALUE, attr)
        });
        ir.replace_all_uses(value, constant);
        true
    }
}

/// The first block of the outermost region around `block` that is not isolated further in.
fn home(ir: &Ir, block: Block) -> Option<Block> {
    let mut region = ir.region_of(block)?;
    loop {
        let owner = ir.region_owner(region);
        if ir.has_trait(owner, Traits::ISOLATED_FROM_ABOVE) || owner == ir.root() {
            return ir.entry_block(region);
        }
        match ir.parent_region(owner) {
            Some(outer) => region = outer,
            None => return ir.entry_block(region),
        }
    }
}
