//! The decisions of `ownership-based-buffer-deallocation` in words.
//!
//! For every buffer that a function allocates or gets from a call there is a
//! remark with notes: where it is freed and whether always, where ownership
//! moves on and why a free is conditional, which values may be the same buffer,
//! and where it leaves the function. A remark at a return says why a copy is
//! returned. Nothing is decided here: this reads what `decide` and
//! `place` decided, in the form that the pass carries out.

use freehold_frontend::dialects::func;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::{Diagnostic, Diagnostics, Failed, Severity};
use freehold_frontend::ir::entities::{Value, ValueDef};
use freehold_frontend::ir::location::Loc;
use rustc_hash::FxHashSet;

use crate::analysis::flow::{EdgeKind, FlowId, Origin};
use crate::analysis::stack_budget;
use crate::deallocation::plan::decide::{Callees, Decision, Ownership};
use crate::deallocation::plan::dynamic::{self, ReturnAbi};
use crate::deallocation::plan::place::{Free, Place, place_frees};
use crate::deallocation::plan::preconditions::check_preconditions;
use crate::deallocation::plan::status::Bit;
use crate::ownership::ownership_based_buffer_deallocation::{Options, callees};

/// Explains what the pass with these `options` does to every function in `ir`,
/// a module without unreachable blocks.
///
/// # Errors
/// If the pass rejects a function; `diagnostics` says why.
pub fn explain(ir: &Ir, options: &Options, diagnostics: &mut Diagnostics) -> Result<(), Failed> {
    let mut result = Ok(());
    let mut pending = vec![ir];
    while let Some(module) = pending.pop() {
        let callees = callees(module, options, diagnostics)?;
        let nested = module
            .walk(module.root())
            .filter_map(|op| module.nested(op));
        let (functions, modules): (Vec<&Ir>, Vec<&Ir>) =
            nested.partition(|ir| ir.is(ir.root(), &func::FUNC));
        for ir in functions {
            if ir.root_block().is_some() && !dynamic::is_processed(ir) {
                result = explain_function(ir, options, &callees, diagnostics).and(result);
            }
        }
        pending.extend(modules.into_iter().rev());
    }
    result
}

fn explain_function(
    ir: &Ir,
    options: &Options,
    callees: &Callees,
    diagnostics: &mut Diagnostics,
) -> Result<(), Failed> {
    check_preconditions(ir, options.reject_unknown_effects, diagnostics)?;
    let abi = dynamic::abi_of(callees, ir);
    let mut ownership = Ownership::new(ir, abi, callees);
    let frees = place_frees(&mut ownership, diagnostics)?;
    let explainer = Explainer {
        ir,
        ownership: &ownership,
        abi,
        frees,
    };
    for &base in ownership.flow.bases() {
        if ownership.flow.origin(base) == Origin::Fresh {
            diagnostics.push(explainer.allocation(base));
        }
    }
    for id in ownership.flow.flow_ids() {
        if let Some(returned) = explainer.returned(id) {
            diagnostics.push(returned);
        }
    }
    explain_frame(ir, diagnostics);
    Ok(())
}

/// Says which buffers are on the stack of a function, if anything is or a limit was asked for.
fn explain_frame(ir: &Ir, diagnostics: &mut Diagnostics) {
    let used = stack_budget::used(ir);
    let is_bounded = stack_budget::is_bounded(ir);
    if used == 0 && !is_bounded {
        return;
    }
    let mut message = match used {
        u64::MAX => "frame: buffers of a size known at run time".to_owned(),
        bytes => format!("frame: {bytes} bytes of buffers"),
    };
    if is_bounded {
        let left = stack_budget::left(ir, u64::MAX);
        message.push_str(&format!("; passes may put {left} more on the stack"));
    }
    diagnostics.remark(ir.loc(ir.root()), message);
}

struct Explainer<'a> {
    ir: &'a Ir,
    ownership: &'a Ownership<'a>,
    abi: ReturnAbi,
    frees: Vec<Free>,
}

type Notes = Vec<(Loc, String)>;

/// What becomes of a buffer, by the name of all who hold it.
#[derive(Default)]
struct Fates {
    n_frees: usize,
    /// Frees under a condition.
    n_conditional_frees: usize,
    /// Comparisons that either free it or hand it on.
    n_comparisons: usize,
    is_returned: bool,
}

impl Fates {
    fn in_words(&self) -> String {
        let places = |n: usize| match n {
            1 => "1 place".to_owned(),
            n => format!("{n} places"),
        };
        let mut fates = Vec::new();
        if self.n_frees > 0 {
            fates.push(format!("freed in {}", places(self.n_frees)));
        }
        if self.n_conditional_frees > 0 {
            let places = places(self.n_conditional_frees);
            fates.push(format!("freed in {places} if it is owned there"));
        }
        if self.n_comparisons > 0 {
            let places = places(self.n_comparisons);
            fates.push(format!("freed or handed on in {places}, as addresses say"));
        }
        if self.is_returned {
            fates.push("handed to the caller".to_owned());
        }
        if fates.is_empty() {
            // Every path from it goes round in circles or comes to a point
            // that is never reached.
            fates.push("never freed, because no path from here ends".to_owned());
        }
        fates.join(", or ")
    }
}

impl Explainer<'_> {
    /// What happens to the buffer that comes into being as `base`.
    fn allocation(&self, base: Value) -> Diagnostic {
        let is_call = self
            .ir
            .defining_op(base)
            .is_some_and(|op| self.ir.def(op).call.is_some());
        let subject = if self.ownership.dynamic_results.contains(base) {
            "buffer returned by this call, if an i1 says that it is handed over,"
        } else if is_call {
            "buffer handed over by this call"
        } else {
            "buffer allocated here"
        };
        let mut notes = Notes::new();
        let mut fates = Fates::default();
        if self.ownership.existing.is_left_to_program(base) {
            let message = format!("{subject}: the program frees it itself");
            return self.remark(self.ir.value_loc(base), message, notes);
        }
        let mut holders = vec![base];
        let mut seen: FxHashSet<Value> = holders.iter().copied().collect();
        let mut next = 0;
        while let Some(&holder) = holders.get(next) {
            next += 1;
            self.aliases(holder, &mut notes);
            for free in self.frees.iter().filter(|free| free.holder == holder) {
                let bit = self.ownership.bit_at(holder, free.place.inside(self.ir));
                if bit == Bit::Constant(false) {
                    continue;
                }
                match bit {
                    Bit::Constant(_) => fates.n_frees += 1,
                    _ => fates.n_conditional_frees += 1,
                }
                self.free(free, bit, base, &mut notes);
            }
            for &id in self.ownership.flow.flows_out(holder) {
                let flow = self.ownership.flow.flow(id);
                let loc = self.ir.loc(flow.edge.source);
                let decision = self.ownership.decisions[id];
                if flow.edge.kind == EdgeKind::Return {
                    if matches!(decision, Decision::Move) {
                        fates.is_returned = true;
                        notes.push((loc, "returned here: the caller frees it".into()));
                    }
                    continue;
                }
                if !matches!(decision, Decision::Move | Decision::Group) {
                    continue;
                }
                for &target in &flow.targets {
                    let verb = match decision {
                        Decision::Move => "moves",
                        _ => "moves, if the addresses are equal,",
                    };
                    let target_name = self.name(target);
                    notes.push((loc, format!("ownership {verb} to {target_name} here")));
                    if let Some(target) = self.ownership.flow.base(target)
                        && seen.insert(target)
                    {
                        holders.push(target);
                    }
                }
            }
            self.groups(holder, &mut fates, &mut notes);
        }
        let message = format!("{subject} is {}", fates.in_words());
        self.remark(self.ir.value_loc(base), message, notes)
    }

    fn remark(&self, loc: Loc, message: String, notes: Notes) -> Diagnostic {
        Diagnostic {
            severity: Severity::Remark,
            loc,
            message,
            notes,
        }
    }

    /// Where `free` is, and on what it depends.
    fn free(&self, free: &Free, bit: Bit, allocation: Value, notes: &mut Notes) {
        let ir = self.ir;
        let (op, place) = match free.place {
            Place::After(op) if Some(op) == ir.defining_op(free.holder) => {
                (op, "right here, for nothing uses it".to_owned())
            }
            Place::After(op) => (op, "after this, which is the last to need it".to_owned()),
            Place::Before(op) => (
                op,
                "before this, where nothing needs it any more".to_owned(),
            ),
            Place::Start(block) => (
                ir.first_op(block).unwrap_or_else(|| free.place.inside(ir)),
                "at the beginning of this block, which does not need it".to_owned(),
            ),
            Place::Edge(op, successor) => (
                op,
                format!("on the way from here to successor #{successor}, which does not need it"),
            ),
        };
        let who = match free.holder == allocation {
            true => String::new(),
            false => format!(" as {}", self.name(free.holder)),
        };
        let condition = match bit {
            Bit::Constant(_) => String::new(),
            Bit::Condition(value, expected) => {
                let name = self.name(value);
                format!(", if {name} is {expected}")
            }
            Bit::OwnershipOf(_) | Bit::Group(..) => ", if an i1 says that it is owned".to_owned(),
        };
        notes.push((ir.loc(op), format!("freed{who} {place}{condition}")));
        if bit != Bit::Constant(true) {
            self.why_conditional(free.holder, notes);
        }
    }

    /// Why it is not known at compile time whether `holder` owns its buffer.
    fn why_conditional(&self, holder: Value, notes: &mut Notes) {
        let flow = &self.ownership.flow;
        let name = self.name(holder);
        for &id in flow.flows_in(holder) {
            let source = flow.flow(id).edge.source;
            let what = match self.ownership.flow_bit(id) {
                Bit::Constant(true) => "a buffer that is to be freed".to_owned(),
                Bit::Constant(false) => {
                    let operand = flow.flow(id).operand;
                    format!("{}, which is not to be freed", self.provenance(operand))
                }
                _ => "a buffer that may have to be freed".to_owned(),
            };
            notes.push((
                self.ir.loc(source),
                format!("conditional, because {name} may come from here: {what}"),
            ));
        }
        if flow.origin(holder) == Origin::Fresh {
            let text = if self.ownership.dynamic_results.contains(holder) {
                format!(
                    "conditional, because the function that is called says whether {name} is handed over"
                )
            } else {
                format!("conditional, because {name} may be the buffer of an earlier result")
            };
            notes.push((self.ir.value_loc(holder), text));
        }
    }

    /// Values that may be the buffer of `holder`, as far as that is not clear.
    fn aliases(&self, holder: Value, notes: &mut Notes) {
        for &merge in self.ownership.flow.merges(holder) {
            let (this, other) = (self.name(holder), self.name(merge));
            let why = match self.ownership.flow.origin(merge) {
                Origin::Merge => format!("may be the same buffer as {this}: it is needed as long"),
                _ => format!("tells when a transfer has ended: {this} is needed as long"),
            };
            notes.push((self.ir.value_loc(merge), format!("{other} {why}")));
        }
    }

    /// Where addresses are compared at run time to find out which of several
    /// holders is handed on.
    fn groups(&self, holder: Value, fates: &mut Fates, notes: &mut Notes) {
        for &index in self.ownership.groups_of_holder(holder) {
            let group = &self.ownership.groups[index];
            fates.n_comparisons += 1;
            for &id in &group.flows {
                let operand = self.ownership.flow.flow(id).operand;
                let (this, other) = (self.name(holder), self.name(operand));
                notes.push((
                    self.ir.loc(group.edge.source),
                    format!(
                        "{other} may be the same buffer as {this}: addresses are compared here, \
                         and {this} is freed if they differ"
                    ),
                ));
            }
        }
    }

    /// The value returned instead of, or with, the operand of `id`, if that is not certainly owned.
    fn returned(&self, id: FlowId) -> Option<Diagnostic> {
        let flow = &self.ownership.flow;
        let returned = flow.flow(id);
        let bit = self.ownership.flow_bit(id);
        if returned.edge.kind != EdgeKind::Return
            || bit == Bit::Constant(true)
            || self
                .ownership
                .existing
                .is_left_to_program(flow.flow_base(id))
            || self.is_certain(id)
        {
            return None;
        }
        let index = returned.operand_index;
        let message = match bit {
            Bit::Constant(_) if self.abi == ReturnAbi::Dynamic => format!(
                "operand #{index} is returned with an i1 that is false: this is {}",
                self.provenance(returned.operand)
            ),
            _ if self.abi == ReturnAbi::Dynamic => format!(
                "operand #{index} is returned with an i1 that says whether the caller owns it"
            ),
            Bit::Constant(_) => format!(
                "a copy of operand #{index} is returned: the caller frees results, and this is {}; \
                 writes to the copy do not change it",
                self.provenance(returned.operand)
            ),
            _ => format!(
                "a copy of operand #{index} is returned, unless it is owned: the caller frees \
                 results, and this may be memory that is not to be freed"
            ),
        };
        let mut notes = Notes::new();
        let base = flow.flow_base(id);
        for &id in flow.flows_in(base) {
            if self.ownership.flow_bit(id) != Bit::Constant(true) {
                let what = self.provenance(flow.flow(id).operand);
                notes.push((
                    self.ir.loc(flow.flow(id).edge.source),
                    format!("{} may come from here: {what}", self.name(base)),
                ));
            }
        }
        for &source in flow.merge_sources(base) {
            let text = format!("it may be {}", self.name(source));
            notes.push((self.ir.value_loc(source), text));
        }
        Some(self.remark(self.ir.loc(returned.edge.source), message, notes))
    }

    /// Whether a comparison at the return always finds an owner.
    fn is_certain(&self, id: FlowId) -> bool {
        self.ownership
            .group_index(id)
            .is_some_and(|index| self.ownership.groups[index].certain)
    }

    /// What kind of memory `value` is, if it is not owned.
    fn provenance(&self, value: Value) -> String {
        let Some(base) = self.ownership.flow.base(value) else {
            return self.name(value);
        };
        match (self.ownership.flow.origin(base), self.ir.value_def(base)) {
            (Origin::External, ValueDef::Argument(block, index))
                if Some(block) == self.ir.root_block() =>
            {
                format!("argument #{index}, the caller's memory")
            }
            (Origin::External, ValueDef::Result(op, _)) => {
                format!("memory of '{}'", self.ir.op_name(op))
            }
            _ => format!("{}, which others own", self.name(base)),
        }
    }

    /// What to call a value: names are not kept.
    fn name(&self, value: Value) -> String {
        match self.ir.value_def(value) {
            ValueDef::Argument(block, index) if Some(block) == self.ir.root_block() => {
                format!("argument #{index}")
            }
            ValueDef::Argument(block, index) => {
                let around = self.ir.block_parent_op(block);
                let region_op = around.filter(|&op| {
                    let mut regions = self.ir.regions(op).iter();
                    op != self.ir.root() && regions.any(|&r| self.ir.entry_block(r) == Some(block))
                });
                match region_op {
                    Some(op) => format!("region argument #{index} of '{}'", self.ir.op_name(op)),
                    None => format!("block argument #{index}"),
                }
            }
            ValueDef::Result(op, index) if self.ir.results(op).len() > 1 => {
                format!("result #{index} of '{}'", self.ir.op_name(op))
            }
            ValueDef::Result(op, _) => format!("the result of '{}'", self.ir.op_name(op)),
        }
    }
}
