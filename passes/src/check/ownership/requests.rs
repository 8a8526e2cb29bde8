//! Requests: each is waited for exactly once on every path, and its buffer is not accessed before.
//!
//! One instance of a request is followed forward from where it is started: which values stand for it, whether it was
//! waited for, and known conditions. That its buffer is not freed before the wait follows from the rules for
//! allocations: a request refers to its buffer, and to wait is to use it.
//!
//! Whoever gets a request as an argument, or from a call, has to wait for it or to hand it on; so a function that is
//! given one, or gives one out, is checked at both ends.

use freehold_frontend::dialects::{arith, mpi};
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Diagnostics;
use freehold_frontend::ir::effects::EffectKind;
use freehold_frontend::ir::entities::{Op, Value, ValueDef};
use freehold_frontend::ir::interfaces::Request;
use freehold_frontend::ir::location::Loc;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::flow::{NodeId, returns};
use super::function::Function;
use super::{Options, Verdict, values};

/// States that are looked at per request before it is given up.
const MAX_STATES: usize = 20_000;

/// Where something is wrong, and what.
enum Finding {
    /// A path ends here without a wait.
    Lost(Op),
    /// It is waited for once more.
    Again(Op),
    /// Its buffer is read or written.
    Touched(Op, &'static str),
}

/// The state at one point of the program.
#[derive(Clone, PartialEq, Eq, Hash)]
struct State {
    node: NodeId,
    /// The operation to come; none: those of the node are over.
    next: Option<Op>,
    /// The values that stand for the request, sorted.
    names: SmallVec<[Value; 4]>,
    /// The values that are its buffer, sorted; views of them are found from there.
    buffers: SmallVec<[Value; 2]>,
    is_over: bool,
    /// Conditions that are known, sorted.
    known: SmallVec<[(Value, bool); 2]>,
}

/// A request and its beginning.
struct Tracked {
    request: Value,
    /// Its buffer, and whether that is written, where it is started.
    buffer: Option<(Value, bool)>,
    loc: Loc,
    /// Where control is when it is there.
    node: NodeId,
    next: Option<Op>,
}

/// Whether a request that is not waited for is an error.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Lost {
    Error,
    Allowed,
}

/// Checks all requests of a function.
pub(super) fn check(
    function: &Function<'_>,
    options: &Options,
    lost: Lost,
    diagnostics: &mut Diagnostics,
) -> Verdict {
    let ir = function.ir;
    let tracked = requests(function);
    if tracked.is_empty() {
        return Verdict::Clean;
    }
    let first = first_ops(function);
    let mut verdict = Verdict::Clean;
    for request in &tracked {
        let (mut found, doubt) = explore(function, &first, request, lost);
        found.retain(|finding| lost == Lost::Error || !matches!(finding, Finding::Lost(_)));
        for finding in &found {
            report(ir, request, finding, diagnostics);
            verdict = Verdict::Errors;
        }
        if let Some(op) = doubt.filter(|_| found.is_empty()) {
            let message = "cannot tell whether this request is waited for on every path";
            if options.strict {
                diagnostics.error(request.loc, message);
                verdict = Verdict::Errors;
            } else {
                diagnostics.remark(request.loc, message);
                verdict = verdict.max(Verdict::Unknown);
            }
            diagnostics.note(ir.loc(op), "because of this operation");
        }
    }
    verdict
}

fn report(ir: &Ir, request: &Tracked, finding: &Finding, diagnostics: &mut Diagnostics) {
    match *finding {
        Finding::Lost(op) => {
            diagnostics.error(
                request.loc,
                "request started here is not waited for on every path",
            );
            diagnostics.note(ir.loc(op), "it is lost here");
        }
        Finding::Again(op) => {
            diagnostics.error(ir.loc(op), "request is waited for a second time");
            diagnostics.note(request.loc, "it is started here");
        }
        Finding::Touched(op, how) => {
            let message = format!("buffer is {how} before its request was waited for");
            diagnostics.error(ir.loc(op), message);
            diagnostics.note(request.loc, "the request is started here");
        }
    }
}

/// Everything that begins to stand for a request.
fn requests(function: &Function<'_>) -> Vec<Tracked> {
    let ir = function.ir;
    let is_request = |value: Value| mpi::is_request(ir.context(), ir.value_type(value));
    let mut all = Vec::new();
    for &argument in ir
        .root_block()
        .into_iter()
        .flat_map(|block| ir.block_args(block))
    {
        if is_request(argument) {
            all.push(Tracked {
                request: argument,
                buffer: None,
                loc: ir.value_loc(argument),
                node: function.flow.entry,
                next: ir.root_block().and_then(|block| ir.first_op(block)),
            });
        }
    }
    for op in ir.walk(ir.root()) {
        let of = |request, buffer| Tracked {
            request,
            buffer,
            loc: ir.loc(op),
            node: function.flow.result_node(op),
            next: following(function, op),
        };
        if let Some(Request::Started {
            request,
            buffer,
            is_written,
        }) = ir.request(op)
        {
            all.push(of(request, Some((buffer, is_written))));
        } else if ir.def(op).call.is_some() {
            let results = ir.results(op).iter().copied();
            all.extend(
                results
                    .filter(|&value| is_request(value))
                    .map(|value| of(value, None)),
            );
        }
    }
    all
}

/// The next operation of the same node.
fn following(function: &Function<'_>, op: Op) -> Option<Op> {
    let nodes = &function.flow.node_of;
    let next = function.ir.next_op(op)?;
    (nodes[next] == nodes[op]).then_some(next)
}

/// The first operation of each node.
fn first_ops(function: &Function<'_>) -> FxHashMap<NodeId, Op> {
    let flow = &function.flow;
    let mut first: FxHashMap<NodeId, Op> = FxHashMap::default();
    for op in function.ir.walk(function.ir.root()) {
        if op == function.ir.root() {
            continue;
        }
        let place = first.entry(flow.node_of[op]).or_insert(op);
        if flow.position[op] < flow.position[*place] {
            *place = op;
        }
    }
    first
}

/// Follows a request. Returns errors, and an operation that it cannot be followed through.
fn explore(
    function: &Function<'_>,
    first: &FxHashMap<NodeId, Op>,
    tracked: &Tracked,
    lost: Lost,
) -> (Vec<Finding>, Option<Op>) {
    let (ir, flow) = (function.ir, &function.flow);
    let mut seen: FxHashSet<State> = FxHashSet::default();
    let mut found: Vec<Finding> = Vec::new();
    let mut doubt = None;
    let mut pending = vec![State {
        node: tracked.node,
        next: tracked.next,
        names: SmallVec::from_slice(&[tracked.request]),
        buffers: tracked.buffer.iter().map(|buffer| buffer.0).collect(),
        is_over: false,
        known: SmallVec::new(),
    }];
    'states: while let Some(mut state) = pending.pop() {
        let is_final =
            |finding: &Finding| lost == Lost::Error || !matches!(finding, Finding::Lost(_));
        if found.iter().any(is_final) {
            break;
        }
        if !seen.insert(state.clone()) {
            continue;
        }
        if seen.len() > MAX_STATES {
            doubt = doubt.or(ir.defining_op(tracked.request)).or(state.next);
            break;
        }
        while let Some(op) = state.next {
            match step(function, tracked, &mut state, op) {
                Step::On => {}
                Step::End => continue 'states,
                Step::Found(finding) => {
                    found.push(finding);
                    continue 'states;
                }
                Step::Doubt => {
                    doubt = doubt.or(Some(op));
                    continue 'states;
                }
            }
            state.next = following(function, op);
        }
        for &edge in &flow.nodes[state.node as usize].edges {
            let way = &flow.edges[edge as usize];
            let mut next = state.clone();
            if let Some((condition, expected)) = way.condition {
                match state.known.iter().find(|known| known.0 == condition) {
                    Some(&(_, value)) if value != expected => continue,
                    Some(_) => {}
                    None => next.known.push((condition, expected)),
                }
            }
            let assignments = flow.assignments_of(edge);
            for &(target, _) in assignments {
                forget(&mut next, target);
            }
            for &(target, source) in assignments {
                if state.names.contains(&source) {
                    next.names.push(target);
                }
                // Only whole buffers: others may be views of other elements.
                if state.buffers.contains(&source) {
                    next.buffers.push(target);
                }
                let known = state.known.iter().find(|known| known.0 == source);
                next.known.extend(known.map(|&(_, value)| (target, value)));
            }
            next.node = way.to;
            next.next = first.get(&way.to).copied();
            // A value that is defined anew is another one; so are conditions.
            next.names.sort_unstable();
            next.names.dedup();
            next.buffers.sort_unstable();
            next.buffers.dedup();
            next.known.sort_unstable();
            next.known.dedup();
            if next.names.is_empty() {
                if !next.is_over {
                    found.push(Finding::Lost(way.op));
                }
                continue;
            }
            pending.push(next);
        }
    }
    (found, doubt)
}

/// What an operation does with a request.
enum Step {
    On,
    End,
    Found(Finding),
    Doubt,
}

fn step(function: &Function<'_>, tracked: &Tracked, state: &mut State, op: Op) -> Step {
    let ir = function.ir;
    let def = ir.def(op);
    if !state.is_over
        && let Some((_, is_written)) = tracked.buffer
        && let Some(how) =
            (state.buffers.iter()).find_map(|&buffer| touch(ir, op, buffer, is_written))
    {
        return Step::Found(Finding::Touched(op, how));
    }
    let uses = ir
        .operands(op)
        .iter()
        .any(|operand| state.names.contains(operand));
    if uses {
        match ir.request(op) {
            Some(Request::Awaited(_)) if state.is_over => {
                return Step::Found(Finding::Again(op));
            }
            Some(Request::Awaited(_)) => state.is_over = true,
            _ if state.is_over => {}
            // Whoever gets it goes on with it.
            _ if def.call.is_some() || returns(ir, op) => return Step::End,
            _ if def.branch.is_some()
                || def.region_branch.is_some()
                || def.region_terminator.is_some() => {}
            _ => return Step::Doubt,
        }
    }
    if returns(ir, op) {
        return match state.is_over {
            true => Step::End,
            false => Step::Found(Finding::Lost(op)),
        };
    }
    for &result in ir.results(op) {
        forget(state, result);
    }
    match (state.names.is_empty(), state.is_over) {
        (true, true) => Step::End,
        (true, false) => Step::Found(Finding::Lost(op)),
        (false, _) => Step::On,
    }
}

fn forget(state: &mut State, value: Value) {
    state.names.retain(|name| *name != value);
    state.buffers.retain(|buffer| *buffer != value);
    state.known.retain(|known| known.0 != value);
}

/// How an operation touches a buffer by its own name, or through a view of that, while a transfer goes on.
fn touch(ir: &Ir, op: Op, buffer: Value, is_written: bool) -> Option<&'static str> {
    let effects = ir.own_effects(op)?;
    effects.iter().find_map(|effect| {
        let value = effect
            .value
            .filter(|&value| is_view_of(ir, value, buffer))?;
        // An allocation begins another instance.
        match effect.kind {
            EffectKind::Read if is_written && ir.defining_op(value) != Some(op) => Some("read"),
            EffectKind::Write => Some("written"),
            _ => None,
        }
    })
}

fn is_view_of(ir: &Ir, mut value: Value, buffer: Value) -> bool {
    loop {
        if value == buffer {
            return true;
        }
        match values::derivation(ir, value) {
            values::Derivation::View { source, .. } => value = source,
            _ => return false,
        }
        if let ValueDef::Result(op, _) = ir.value_def(value)
            && ir.is(op, &arith::CONSTANT)
        {
            return false;
        }
    }
}
