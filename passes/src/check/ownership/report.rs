//! Diagnostics: an error at the allocation, or at the offending operation, and notes along the path
//! that leads there.

use freehold_frontend::ir::diag::{Diagnostic, Diagnostics, Severity};
use freehold_frontend::ir::entities::{Op, Value, ValueDef};
use freehold_frontend::ir::location::Loc;

use super::explore::{Doubt, Event, Finding, Problem};
use super::flow::{EdgeId, Way};
use super::function::Function;
use super::program::{AtomId, Program};
use super::slice::{Allocation, Tracked};
use super::values::{self, Foreign};

/// Notes about one path that are shown; the first ones and the last ones.
const MAX_NOTES: usize = 24;

/// Reports an error found in `program`, that of `tracked`.
pub(super) fn error(
    function: &Function<'_>,
    tracked: &Tracked<'_>,
    program: &Program,
    finding: &Finding,
    diagnostics: &mut Diagnostics,
) {
    let ir = function.ir;
    let (loc, message) = match tracked {
        Tracked::Allocation(allocation) => (
            ir.loc(allocation.op),
            allocation_message(function, allocation, program, finding),
        ),
        &Tracked::Foreign(op, operand) => {
            let value = ir.operand(op, operand as usize);
            let message = foreign_message(function, value, finding);
            (ir.loc(op), message)
        }
    };
    let mut notes = path_notes(function, program, &finding.path);
    let last = match finding.problem {
        Problem::Leaked(op) => Some((op, "no reference to the buffer is left after this")),
        Problem::FreedAgain(op) => Some((op, "freed again here")),
        Problem::UsedAfterFree(op) => Some((op, "used here")),
        Problem::ReturnedAfterFree(op) => Some((op, "returned here")),
        Problem::FreedForeign(_) | Problem::ReturnedForeign(_) => None,
    };
    notes.extend(last.map(|(op, text)| (ir.loc(op), text.to_owned())));
    if let &Tracked::Foreign(op, operand) = tracked
        && let Some((origin, kind)) = origin(function, ir.operand(op, operand as usize))
    {
        let text = match kind {
            Foreign::Argument => "the memory belongs to the caller of this function",
            Foreign::Stack => "the memory is on the stack",
            Foreign::Static => "the memory comes from here",
        };
        notes.push((origin, text.to_owned()));
    }
    diagnostics.push(Diagnostic {
        severity: Severity::Error,
        loc,
        message,
        notes,
    });
}

fn allocation_message(
    function: &Function<'_>,
    allocation: &Allocation,
    program: &Program,
    finding: &Finding,
) -> String {
    let is_call = function.ir.def(allocation.op).call.is_some();
    let subject = if is_call {
        "buffer returned by this call"
    } else {
        "buffer allocated here"
    };
    let is_returned_twice = !allocation.same.is_empty();
    let predicate = match finding.problem {
        Problem::Leaked(_) if program.has_frees => "is not freed on every path",
        Problem::Leaked(_) => "is never freed",
        Problem::FreedAgain(_) if is_returned_twice => {
            "is freed twice; two results may be the same buffer"
        }
        Problem::FreedAgain(_) => "is freed twice",
        Problem::UsedAfterFree(_) => "is used after it is freed",
        Problem::ReturnedAfterFree(_) => "is returned after it is freed",
        Problem::FreedForeign(_) | Problem::ReturnedForeign(_) => "is not owned",
    };
    format!("{subject} {predicate}")
}

fn foreign_message(function: &Function<'_>, value: Value, finding: &Finding) -> String {
    let what = match origin(function, value) {
        Some((_, Foreign::Argument)) => "an argument",
        Some((_, Foreign::Stack)) => "stack memory",
        Some((_, Foreign::Static)) => "memory of static duration",
        None => "memory that the function does not own",
    };
    match finding.problem {
        Problem::ReturnedForeign(_) => format!("{what} is returned, but the caller frees results"),
        _ => format!("{what} is freed"),
    }
}

/// Where `value` gets its memory from, if that is clear without a path.
fn origin(function: &Function<'_>, value: Value) -> Option<(Loc, Foreign)> {
    let root = values::root(function.ir, value);
    let kind = function.foreign(root)?;
    Some((function.ir.value_loc(root), kind))
}

/// Reports that nothing was proved. That is an error if `strict`.
pub(super) fn doubt(
    function: &Function<'_>,
    tracked: &Tracked<'_>,
    doubt: Doubt,
    strict: bool,
    diagnostics: &mut Diagnostics,
) {
    let ir = function.ir;
    let (loc, message) = match tracked {
        Tracked::Allocation(allocation) => (
            ir.loc(allocation.op),
            "could not prove that the buffer allocated here is freed exactly once",
        ),
        &Tracked::Foreign(op, _) => (
            ir.loc(op),
            "could not prove that only what the function owns is given away here",
        ),
    };
    let note = match doubt {
        Doubt::Escapes(op) => (
            ir.loc(op),
            "a reference is stored where it cannot be followed".to_owned(),
        ),
        Doubt::Loaded(problem) => {
            let op = problem.op();
            (
                ir.loc(op),
                "what happens here depends on a flag loaded from memory".to_owned(),
            )
        }
        Doubt::ComparedAfterFree(op) => (
            ir.loc(op),
            "its address is compared here after it was freed, and may belong to another buffer"
                .to_owned(),
        ),
        Doubt::Undecided(op) => (
            ir.loc(op),
            "only this operation knows whether its results are to be freed".to_owned(),
        ),
        Doubt::TooManyStates => (loc, "there are too many cases".to_owned()),
    };
    let severity = if strict {
        Severity::Error
    } else {
        Severity::Remark
    };
    diagnostics.push(Diagnostic {
        severity,
        loc,
        message: message.to_owned(),
        notes: vec![note],
    });
}

impl Problem {
    /// The operation at which it shows.
    fn op(self) -> Op {
        match self {
            Self::Leaked(op)
            | Self::FreedAgain(op)
            | Self::UsedAfterFree(op)
            | Self::ReturnedAfterFree(op)
            | Self::FreedForeign(op)
            | Self::ReturnedForeign(op) => op,
        }
    }
}

fn path_notes(function: &Function<'_>, program: &Program, path: &[Event]) -> Vec<(Loc, String)> {
    let mut notes: Vec<(Loc, String)> = Vec::new();
    for &event in path {
        let note = match event {
            Event::Edge(edge) => edge_note(function, edge),
            Event::Assumed(op, atom, value) => {
                Some(assumed_note(function, program, op, atom, value))
            }
            Event::Freed(op) => Some((function.ir.loc(op), "freed here".to_owned())),
        };
        notes.extend(note);
    }
    if notes.len() > MAX_NOTES {
        let n_left_out = notes.len() - MAX_NOTES;
        let at = MAX_NOTES / 2;
        let loc = notes[at].0;
        let text = format!("{n_left_out} more steps of the path are not shown");
        notes.splice(at..at + n_left_out, [(loc, text)]);
    }
    notes
}

fn edge_note(function: &Function<'_>, edge: EdgeId) -> Option<(Loc, String)> {
    let ir = function.ir;
    let edge = &function.flow.edges[edge as usize];
    let is_entry = ir.def(edge.op).region_branch.is_some();
    let around = if is_entry {
        Some(edge.op)
    } else {
        ir.parent_op(edge.op)
    };
    let is_loop = around.is_some_and(|op| ir.def(op).loop_like.is_some());
    let text = match edge.way {
        Way::Only => return None,
        Way::Condition(true) => "branch taken here: condition is true".to_owned(),
        Way::Condition(false) => "branch taken here: condition is false".to_owned(),
        Way::Successor(index) => format!("branch taken here: successor #{index}"),
        Way::Into(_) if is_loop && is_entry => "the loop is entered here".to_owned(),
        Way::Into(_) if is_loop => "the loop goes on here".to_owned(),
        Way::Past if is_loop && is_entry => "the loop does not run here".to_owned(),
        Way::Past if is_loop => "the loop ends here".to_owned(),
        Way::Into(index) => format!("region #{index} runs next"),
        Way::Past => "no region runs next".to_owned(),
    };
    Some((ir.loc(edge.op), text))
}

fn assumed_note(
    function: &Function<'_>,
    program: &Program,
    op: Op,
    atom: AtomId,
    value: bool,
) -> (Loc, String) {
    let ir = function.ir;
    let condition = program.atoms[atom as usize].value;
    let what = match ir.value_def(condition) {
        ValueDef::Argument(_, index) => format!("block argument #{index}"),
        ValueDef::Result(def, _) => format!("the result of '{}'", ir.op_name(def)),
    };
    (ir.loc(op), format!("{what} is {value} here"))
}
