//! Runs a [`Program`] on every path at once.
//!
//! A state is the fate of the tracked allocation and the values of the live atoms. All pairs of
//! node and state that can be reached are visited, breadth first, so the first path to an error is
//! a shortest one. Where something depends on an `i1` that is not known, the state splits in two.
//! States are finite, so loops need nothing special: *one* instance of an allocation is tracked,
//! any of those that a loop makes, and all others are just other memory.
//!
//! Where flags of many buffers are made of unknown comparisons, splitting is exponential. So the first run
//! ([`Rigour::Coarse`]) does not split for what an edge assigns to an `i1`, or for conditions that are made of several:
//! they may be anything, and what they are for others does not count. That adds paths and takes none away, so if none
//! is wrong, all is proved; only otherwise the second run is exact.

use freehold_frontend::ir::entities::Op;
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;
use smallvec::SmallVec;

use super::flow::{EdgeId, Flow};
use super::program::{
    Action, Alias, AtomId, Entry, Expr, ExprId, HelperKind, Program, ProgramNode, Retained,
    Returned,
};
use super::state::{Known, Phase, State, Value, combine};

/// Something that happened on a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Event {
    /// This edge was taken.
    Edge(EdgeId),
    /// The operation depends on an `i1`, which is this.
    Assumed(Op, AtomId, bool),
    /// Freed.
    Freed(Op),
}

/// The error.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Problem {
    /// Nothing refers to the allocation after this operation, and it is not freed.
    Leaked(Op),
    /// It is freed a second time.
    FreedAgain(Op),
    /// It is used after it was freed.
    UsedAfterFree(Op),
    /// It is returned after it was freed.
    ReturnedAfterFree(Op),
    /// Memory that the function does not own is freed.
    FreedForeign(Op),
    /// Memory that the function does not own is handed to the caller.
    ReturnedForeign(Op),
}

/// Why there is neither a proof nor an error.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Doubt {
    /// A reference is stored where it cannot be followed.
    Escapes(Op),
    /// An error would depend on loaded values.
    Loaded(Problem),
    /// Its address is compared after it was freed: then the other one may be
    /// a buffer that got the same address again.
    ComparedAfterFree(Op),
    /// An error would depend on who frees a result of this operation, which alone knows.
    Undecided(Op),
    /// There are too many cases.
    TooManyStates,
}

/// A problem and the path to it.
pub(super) struct Finding {
    pub(super) problem: Problem,
    pub(super) path: Vec<Event>,
}

/// What there is to say of a program.
#[derive(Default)]
pub(super) struct Outcome {
    /// The first problem of each kind.
    pub(super) findings: Vec<Finding>,
    /// The first doubt.
    pub(super) doubt: Option<Doubt>,
    /// Number of pairs of node and state.
    pub(super) n_states: usize,
    /// How many steps, atoms and expressions were looked at.
    pub(super) work: u64,
}

impl Outcome {
    /// Whether there is nothing wrong for sure.
    pub(super) fn is_proof(&self) -> bool {
        self.findings.is_empty() && self.doubt.is_none()
    }
}

/// Where a state came from.
struct Link {
    from: u32,
    events: SmallVec<[Event; 2]>,
}

const NO_LINK: u32 = u32::MAX;

/// A state inside of a node.
struct Thread {
    state: State,
    /// A step of the node, or past them an edge.
    at: usize,
    events: SmallVec<[Event; 2]>,
}

/// What happens to a thread.
enum Next {
    /// It goes on.
    On,
    /// It ends here.
    End,
    /// It must know this `i1` first.
    Split(AtomId),
    /// It goes on as one of these.
    Either(Vec<State>),
}

/// Treatment of an `i1` made of unknown ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Rigour {
    /// Where it is assigned or decides about a branch, it may be anything: finds no proof for some right
    /// programs, and problems that are none.
    Coarse,
    /// The state splits.
    Exact,
}

struct Explorer<'a> {
    flow: &'a Flow,
    program: &'a Program,
    may_leak: bool,
    rigour: Rigour,
    states: IndexSet<(u32, State), FxBuildHasher>,
    links: Vec<Link>,
    /// How much more may be looked at: steps, atoms and expressions.
    work_left: u64,
    outcome: Outcome,
    scratch: Scratch,
}

/// The values of expressions in the state at hand.
#[derive(Default)]
struct Scratch {
    values: Vec<Value>,
    /// The evaluation that wrote each value.
    written: Vec<u32>,
    evaluation: u32,
    stack: Vec<ExprId>,
}

/// Runs `program`. `foreign` says that it tracks memory that is not to be freed.
/// Gives up after looking at `work` steps, atoms and expressions.
pub(super) fn explore(
    flow: &Flow,
    program: &Program,
    foreign: bool,
    may_leak: bool,
    rigour: Rigour,
    work: u64,
) -> Outcome {
    let mut explorer = Explorer {
        flow,
        program,
        may_leak,
        rigour,
        states: IndexSet::default(),
        links: Vec::new(),
        work_left: work,
        outcome: Outcome::default(),
        scratch: Scratch {
            values: vec![Value::Outside(None); program.exprs.len()],
            written: vec![0; program.exprs.len()],
            ..Scratch::default()
        },
    };
    if let Some(start) = program.start {
        let phase = if foreign {
            Phase::Foreign
        } else {
            Phase::Before
        };
        let state = State {
            phase,
            guessed: false,
            known: SmallVec::new(),
        };
        explorer.visit(start, state, NO_LINK, SmallVec::new());
    }
    let mut next = 0;
    while next < explorer.states.len() {
        if explorer.work_left == 0 {
            explorer.doubt(Doubt::TooManyStates);
            break;
        }
        explorer.run_node(next);
        next += 1;
    }
    explorer.outcome.n_states = explorer.states.len();
    explorer.outcome.work = work - explorer.work_left;
    explorer.outcome
}

impl Explorer<'_> {
    fn visit(&mut self, node: u32, state: State, from: u32, events: SmallVec<[Event; 2]>) {
        if self.states.insert((node, state)) {
            self.links.push(Link { from, events });
        }
    }

    fn spend(&mut self, work: usize) {
        self.work_left = self.work_left.saturating_sub(work as u64);
    }

    fn doubt(&mut self, doubt: Doubt) {
        self.outcome.doubt.get_or_insert(doubt);
    }

    /// Reports `problem` at the end of `thread`, which began in state `from`.
    fn report(&mut self, problem: Problem, thread: &Thread, from: u32) {
        if thread.state.guessed {
            self.doubt(Doubt::Loaded(problem));
            return;
        }
        let kind = std::mem::discriminant(&problem);
        let mut known = self.outcome.findings.iter();
        if known.any(|finding| std::mem::discriminant(&finding.problem) == kind) {
            return;
        }
        let mut path: Vec<Event> = thread.events.iter().rev().copied().collect();
        let mut current = from;
        while let Some(link) = self.links.get(current as usize) {
            path.extend(link.events.iter().rev());
            current = link.from;
        }
        path.reverse();
        self.outcome.findings.push(Finding { problem, path });
    }

    /// Runs everything that begins with state number `number`.
    fn run_node(&mut self, number: usize) {
        let (node_number, state) = self.states[number].clone();
        let from = number as u32;
        let program = self.program;
        let node = &program.nodes[node_number as usize];
        let n_steps = node.steps.len();
        let mut threads = vec![Thread {
            state,
            at: 0,
            events: SmallVec::new(),
        }];
        while let Some(mut thread) = threads.pop() {
            // This bounds splitting within a node as well.
            self.spend(1 + thread.state.known.len());
            if self.work_left == 0 {
                self.doubt(Doubt::TooManyStates);
                return;
            }
            if thread.at == n_steps && node.edges.is_empty() {
                self.finish(&thread, node, from);
                continue;
            }
            if thread.at == n_steps {
                // Last first, so that edges are visited in order.
                for edge in (1..node.edges.len()).rev() {
                    let (state, events) = (thread.state.clone(), thread.events.clone());
                    threads.push(Thread {
                        state,
                        at: n_steps + edge + 1,
                        events,
                    });
                }
                thread.at += 1;
            }
            let next = if thread.at < n_steps {
                let step = &node.steps[thread.at];
                self.run_step(step.op, &step.action, &mut thread, from)
            } else {
                self.run_edge(node_number, thread.at - n_steps - 1, &mut thread, from)
            };
            match next {
                Next::End => {}
                Next::On => {
                    thread.at += 1;
                    threads.push(thread);
                }
                Next::Either(states) => {
                    for state in states.into_iter().rev() {
                        let events = thread.events.clone();
                        threads.push(Thread {
                            state,
                            at: thread.at + 1,
                            events,
                        });
                    }
                }
                Next::Split(atom) => {
                    let op = match node.steps.get(thread.at) {
                        Some(step) => Some(step.op),
                        None => {
                            // That a branch depends on its condition goes
                            // without saying.
                            let edge = &node.edges[thread.at - n_steps - 1];
                            let asked = edge.condition.map(|c| program.exprs[c.0 as usize]);
                            (asked != Some(Expr::BoolAtom(atom)))
                                .then(|| self.flow.edges[edge.flow as usize].op)
                        }
                    };
                    for value in [false, true] {
                        let mut state = thread.state.clone();
                        state.set(atom, Some(Known::bool(value)));
                        state.guessed |= program.atoms[atom as usize].opaque;
                        let mut events = thread.events.clone();
                        events.extend(op.map(|op| Event::Assumed(op, atom, value)));
                        threads.push(Thread {
                            state,
                            at: thread.at,
                            events,
                        });
                    }
                }
            }
        }
    }

    /// The end of a node from which nothing goes on.
    fn finish(&mut self, thread: &Thread, node: &ProgramNode, from: u32) {
        let flow = &self.flow.nodes[node.flow as usize];
        if thread.state.phase == Phase::Owned
            && flow.goes_on
            && !self.may_leak
            && let Some(last) = flow.last
        {
            self.report(Problem::Leaked(last), thread, from);
        }
    }

    fn run_edge(&mut self, node: u32, index: usize, thread: &mut Thread, from: u32) -> Next {
        let program = self.program;
        let edge = &program.nodes[node as usize].edges[index];
        if let Some((condition, expected)) = edge.condition {
            let is_compound = !matches!(program.exprs[condition as usize], Expr::BoolAtom(_));
            match self.eval(condition, &thread.state) {
                // Both ways are taken.
                Value::Depends(_) if is_compound && self.rigour == Rigour::Coarse => {}
                Value::Depends(atom) => return Next::Split(atom),
                value if value != Value::Bool(expected) => return Next::End,
                _ => {}
            }
        }
        let target = edge.target.map(|target| &program.nodes[target as usize]);
        let is_live =
            |atom: AtomId| target.is_some_and(|target| target.live_in.binary_search(&atom).is_ok());
        let assigned = |atom: AtomId| {
            let found = edge
                .assignments
                .binary_search_by_key(&atom, |known| known.target);
            found.is_ok()
        };
        self.spend(1 + thread.state.known.len() + edge.assignments.len());
        let kept = thread.state.known.iter().copied();
        let mut state = State {
            known: kept
                .filter(|&(atom, _)| is_live(atom) && !assigned(atom))
                .collect(),
            ..thread.state
        };
        self.scratch.evaluation += 1;
        for assignment in edge
            .assignments
            .iter()
            .filter(|known| is_live(known.target))
        {
            let known = match self.eval_on(assignment.source, &thread.state) {
                // Whatever it is, nothing else tells, or that does not count.
                Value::Depends(_) if assignment.is_alone => None,
                Value::Depends(_) if assignment.is_bool && self.rigour == Rigour::Coarse => None,
                Value::Depends(atom) => return Next::Split(atom),
                Value::Bool(value) => Some(Known::bool(value)),
                Value::Inside => Some(Known::Inside),
                Value::InsideShifted => Some(Known::InsideShifted),
                Value::Null => Some(Known::Null),
                Value::Outside(_) => None,
            };
            state
                .known
                .extend(known.map(|known| (assignment.target, known)));
        }
        state.known.sort_unstable_by_key(|known| known.0);
        let flow_edge = &self.flow.edges[edge.flow as usize];
        let is_inside =
            |known: &(AtomId, Known)| matches!(known.1, Known::Inside | Known::InsideShifted);
        let is_lost = !state.known.iter().any(is_inside);
        let goes_on = match state.phase {
            Phase::Before => target.is_some_and(|target| target.allocates_later),
            Phase::Owned if is_lost => {
                let may_be_missed = self.flow.nodes[flow_edge.to as usize].goes_on;
                if may_be_missed && !self.may_leak {
                    thread.events.push(Event::Edge(edge.flow));
                    self.report(Problem::Leaked(flow_edge.op), thread, from);
                }
                false
            }
            Phase::Freed => !is_lost,
            Phase::Owned | Phase::Foreign => true,
        };
        if let Some(target) = edge.target
            && goes_on
        {
            let mut events = std::mem::take(&mut thread.events);
            events.push(Event::Edge(edge.flow));
            self.visit(target, state, from, events);
        }
        Next::End
    }

    /// Frees the tracked allocation.
    fn free(&mut self, op: Op, thread: &mut Thread, from: u32) -> Next {
        match thread.state.phase {
            Phase::Before => Next::On,
            Phase::Owned => {
                thread.state.phase = Phase::Freed;
                thread.events.push(Event::Freed(op));
                Next::On
            }
            Phase::Freed => {
                self.report(Problem::FreedAgain(op), thread, from);
                Next::End
            }
            Phase::Foreign => {
                self.report(Problem::FreedForeign(op), thread, from);
                Next::End
            }
        }
    }

    fn run_step(&mut self, op: Op, action: &Action, thread: &mut Thread, from: u32) -> Next {
        let phase = thread.state.phase;
        match action {
            Action::Assert(condition) => match self.eval(*condition, &thread.state) {
                Value::Bool(false) => Next::End,
                Value::Depends(atom) => Next::Split(atom),
                _ => Next::On,
            },
            Action::Allocate {
                memory,
                owned,
                same,
            } => allocate(&thread.state, memory, *owned, same),
            Action::Compare {
                lhs,
                rhs,
                negated,
                same_root,
                result,
            } => {
                let equal = match same_root {
                    true => Ok(Some(true)),
                    false => self.compare(op, *lhs, *rhs, &thread.state),
                };
                match equal {
                    Err(atom) => Next::Split(atom),
                    Ok(equal) => {
                        let holds = equal.map(|equal| Known::bool(equal != *negated));
                        thread.state.set(*result, holds);
                        Next::On
                    }
                }
            }
            _ if phase == Phase::Before => Next::On,
            Action::Alias(aliases) => self.alias(aliases, &thread.state),
            Action::Free(memory) => match self.eval(*memory, &thread.state) {
                Value::Depends(atom) => Next::Split(atom),
                value if value.is_inside() => self.free(op, thread, from),
                _ => Next::On,
            },
            Action::Dealloc {
                entries,
                retained,
                others,
            } => match self.dealloc(op, entries, retained, *others, &mut thread.state) {
                Err(atom) => Next::Split(atom),
                Ok(true) => self.free(op, thread, from),
                Ok(false) => Next::On,
            },
            Action::Decide {
                entries,
                retained,
                others,
                kind,
            } => match self.decide(op, entries, retained, *others, *kind, &mut thread.state) {
                Err(atom) => Next::Split(atom),
                Ok(()) => Next::On,
            },
            Action::Retain { retained, owners } => self.retain(op, retained, owners, thread, from),
            Action::Address(..) | Action::Use(_) if phase != Phase::Freed => Next::On,
            Action::Address(lhs, rhs) => match self.compare(op, *lhs, *rhs, &thread.state) {
                Err(atom) => Next::Split(atom),
                Ok(_) => Next::On,
            },
            Action::Use(exprs) => match self.any_inside(exprs, &thread.state) {
                Err(atom) => Next::Split(atom),
                Ok(false) => Next::On,
                Ok(true) => {
                    self.report(Problem::UsedAfterFree(op), thread, from);
                    Next::End
                }
            },
            Action::Escape(_) if phase == Phase::Foreign => Next::On,
            Action::Escape(exprs) => match self.any_inside(exprs, &thread.state) {
                Err(atom) => Next::Split(atom),
                Ok(false) => Next::On,
                Ok(true) => {
                    self.doubt(Doubt::Escapes(op));
                    Next::End
                }
            },
            Action::Return { memrefs, owners } => {
                match self.returned(memrefs, owners.as_deref(), &thread.state) {
                    Err(atom) => return Next::Split(atom),
                    Ok(Some(Returns::Freed)) => {
                        self.report(Problem::ReturnedAfterFree(op), thread, from);
                    }
                    Ok(Some(Returns::Foreign)) => {
                        self.report(Problem::ReturnedForeign(op), thread, from);
                    }
                    Ok(Some(Returns::Nothing)) if !self.may_leak => {
                        self.report(Problem::Leaked(op), thread, from);
                    }
                    Ok(_) => {}
                }
                Next::End
            }
        }
    }

    /// Whether two addresses are equal, if that is known.
    fn compare(
        &mut self,
        op: Op,
        lhs: ExprId,
        rhs: ExprId,
        state: &State,
    ) -> Result<Option<bool>, AtomId> {
        let (lhs, rhs) = (self.memory(lhs, state)?, self.memory(rhs, state)?);
        Ok(match (lhs, rhs) {
            (Value::Outside(Some(lhs)), Value::Outside(Some(rhs))) if lhs == rhs => Some(true),
            (Value::Null, Value::Null) => Some(true),
            (Value::Null, other) | (other, Value::Null) if other.is_inside() => Some(false),
            (lhs, rhs) if lhs.is_inside() != rhs.is_inside() => {
                if state.phase == Phase::Freed {
                    self.doubt(Doubt::ComparedAfterFree(op));
                    return Ok(None);
                }
                // Of the other one the same is asked when it is tracked.
                Some(false)
            }
            (Value::Inside, Value::Inside) if state.phase != Phase::Foreign => Some(true),
            _ => None,
        })
    }

    fn any_inside(&mut self, exprs: &[ExprId], state: &State) -> Result<bool, AtomId> {
        for &expr in exprs {
            match self.eval(expr, state) {
                Value::Depends(atom) => return Err(atom),
                value if value.is_inside() => return Ok(true),
                _ => {}
            }
        }
        Ok(false)
    }

    fn memory(&mut self, expr: ExprId, state: &State) -> Result<Value, AtomId> {
        match self.eval(expr, state) {
            Value::Depends(atom) => Err(atom),
            value => Ok(value),
        }
    }

    fn bool(&mut self, expr: ExprId, state: &State) -> Result<bool, AtomId> {
        match self.eval(expr, state) {
            Value::Depends(atom) => Err(atom),
            value => Ok(value == Value::Bool(true)),
        }
    }

    fn alias(&mut self, aliases: &[Alias], state: &State) -> Next {
        let mut states = vec![state.clone()];
        for alias in aliases {
            match self.any_inside(&alias.sources, state) {
                Err(atom) => return Next::Split(atom),
                Ok(false) => {}
                Ok(true) => {
                    let mut state = state.clone();
                    state.set(alias.result, Some(Known::Inside));
                    if let Some(flag) = alias.flag {
                        state.set(flag, Some(Known::False));
                    }
                    states.push(state);
                }
            }
        }
        Next::Either(states)
    }

    /// Whether an entry cannot be said not to hold: it may refer to the same
    /// memory as something else that is outside.
    fn may_hold(&mut self, entry: &Entry, state: &State) -> bool {
        self.eval(entry.condition, state) != Value::Bool(false)
    }

    /// Answers who owns the retained buffers. Gives whether the tracked memory is freed.
    fn dealloc(
        &mut self,
        op: Op,
        entries: &[Entry],
        retained: &[Retained],
        others: bool,
        state: &mut State,
    ) -> Result<bool, AtomId> {
        // The entries inside that hold.
        let mut holding: SmallVec<[u32; 4]> = SmallVec::new();
        let mut others = others;
        for (i, entry) in (0..).zip(entries) {
            if !self.memory(entry.memory, state)?.is_inside() {
                others |= self.may_hold(entry, state);
            } else if self.bool(entry.condition, state)? {
                holding.push(i);
            }
        }
        let is_foreign = state.phase == Phase::Foreign;
        let mut is_protected = false;
        let mut answers: SmallVec<[Option<bool>; 4]> = SmallVec::new();
        for retained in retained {
            if !self.memory(retained.memory, state)?.is_inside() {
                answers.push(if others { None } else { Some(false) });
                continue;
            }
            if state.phase == Phase::Freed {
                self.doubt(Doubt::ComparedAfterFree(op));
            }
            let covers = holding.iter().any(|i| retained.same_root.contains(i));
            answers.push(match holding.is_empty() {
                true => Some(false),
                // There is more than one piece of foreign memory.
                false if is_foreign && !covers => None,
                false => Some(true),
            });
            is_protected |= !is_foreign || covers;
        }
        for (retained, answer) in retained.iter().zip(answers) {
            state.set_bools(&retained.owned, answer);
        }
        Ok(!holding.is_empty() && !is_protected)
    }

    /// Answers which entries to free, and who owns the retained buffers.
    fn decide(
        &mut self,
        op: Op,
        entries: &[Entry],
        retained: &[Retained],
        others: bool,
        kind: HelperKind,
        state: &mut State,
    ) -> Result<(), AtomId> {
        let mut others = others;
        // Memory and, if inside, whether the condition holds.
        let mut facts: Vec<(Value, bool)> = Vec::new();
        for entry in entries {
            let memory = self.memory(entry.memory, state)?;
            let holds = memory.is_inside() && self.bool(entry.condition, state)?;
            others |= !memory.is_inside() && self.may_hold(entry, state);
            facts.push((memory, holds));
        }
        let mut kept = Vec::new();
        for retained in retained {
            let memory = self.memory(retained.memory, state)?;
            if memory.is_inside() && state.phase == Phase::Freed {
                self.doubt(Doubt::ComparedAfterFree(op));
            }
            kept.push(memory);
        }
        let is_foreign = state.phase == Phase::Foreign;
        // A helper compares addresses: a shifted view looks like other memory.
        let mut decided: SmallVec<[Value; 2]> = SmallVec::new();
        for (i, (entry, &(memory, holds))) in (0..).zip(entries.iter().zip(&facts)) {
            let answer = if !memory.is_inside() {
                None
            } else if is_foreign {
                let mut retained = retained.iter();
                Some(holds && !retained.any(|retained| retained.same_root.contains(&i)))
            } else if kept.contains(&memory) || decided.contains(&memory) {
                Some(false)
            } else {
                if holds || kind == HelperKind::FirstEntry {
                    decided.push(memory);
                }
                Some(holds)
            };
            state.set_bools(&entry.free, answer);
        }
        for (retained, &memory) in retained.iter().zip(&kept) {
            let holds = |i: &u32| facts[*i as usize].1;
            let answer = if !memory.is_inside() {
                if others { None } else { Some(false) }
            } else if facts
                .iter()
                .all(|&(other, holds)| other != memory || !holds)
            {
                Some(false)
            } else if is_foreign && !retained.same_root.iter().any(holds) {
                None
            } else {
                Some(true)
            };
            state.set_bools(&retained.owned, answer);
        }
        Ok(())
    }

    fn retain(
        &mut self,
        op: Op,
        retained: &[(ExprId, Option<AtomId>)],
        owners: &[ExprId],
        thread: &mut Thread,
        from: u32,
    ) -> Next {
        let mut n_owners = 0;
        for &owner in owners {
            match self.memory(owner, &thread.state) {
                Err(atom) => return Next::Split(atom),
                Ok(memory) => n_owners += u32::from(memory.is_inside()),
            }
        }
        let mut kept = Vec::new();
        for &(memory, _) in retained {
            match self.memory(memory, &thread.state) {
                Err(atom) => return Next::Split(atom),
                Ok(memory) => kept.push(memory.is_inside()),
            }
        }
        for (&(_, result), is_inside) in retained.iter().zip(kept) {
            let takes = is_inside && n_owners > 0;
            n_owners -= u32::from(takes);
            if let Some(result) = result {
                thread.state.set(result, takes.then_some(Known::Inside));
            }
        }
        for _ in 0..n_owners {
            if let Next::End = self.free(op, thread, from) {
                return Next::End;
            }
        }
        Next::On
    }

    fn returned(
        &mut self,
        memrefs: &[Returned],
        owners: Option<&[ExprId]>,
        state: &State,
    ) -> Result<Option<Returns>, AtomId> {
        let mut is_returned = false;
        let mut is_given = false;
        for memref in memrefs {
            if self.memory(memref.memory, state)?.is_inside() {
                is_returned = true;
                is_given |= match memref.owned {
                    Some(flag) => self.bool(flag, state)?,
                    None => owners.is_none(),
                };
            }
        }
        for &owner in owners.unwrap_or_default() {
            is_given |= self.memory(owner, state)?.is_inside();
        }
        Ok(match state.phase {
            Phase::Freed if is_returned || is_given => Some(Returns::Freed),
            Phase::Foreign if is_given => Some(Returns::Foreign),
            Phase::Owned if !is_given => Some(Returns::Nothing),
            _ => None,
        })
    }

    /// What `expr` is in `state`.
    fn eval(&mut self, expr: ExprId, state: &State) -> Value {
        self.scratch.evaluation += 1;
        self.eval_on(expr, state)
    }

    /// The same, if the last evaluation was in this state as well.
    fn eval_on(&mut self, expr: ExprId, state: &State) -> Value {
        let exprs = &self.program.exprs;
        let scratch = &mut self.scratch;
        let evaluation = scratch.evaluation;
        scratch.stack.push(expr);
        while let Some(&id) = scratch.stack.last() {
            if scratch.written[id as usize] == evaluation {
                scratch.stack.pop();
                continue;
            }
            let n_before = scratch.stack.len();
            for operand in exprs[id as usize].operands() {
                if scratch.written[operand as usize] != evaluation {
                    scratch.stack.push(operand);
                }
            }
            if scratch.stack.len() == n_before {
                self.work_left = self.work_left.saturating_sub(1);
                scratch.values[id as usize] = combine(exprs[id as usize], &scratch.values, state);
                scratch.written[id as usize] = evaluation;
                scratch.stack.pop();
            }
        }
        scratch.values[expr as usize]
    }
}

/// The error of a return.
enum Returns {
    Freed,
    Foreign,
    /// The tracked allocation is owned and stays behind.
    Nothing,
}

/// An allocation is made: the tracked one or another one.
fn allocate(
    state: &State,
    memory: &[AtomId],
    owned: Option<AtomId>,
    same: &[(AtomId, Option<AtomId>)],
) -> Next {
    let mut other = state.clone();
    for &atom in memory.iter().chain(same.iter().map(|(atom, _)| atom)) {
        other.set(atom, None);
    }
    if state.phase != Phase::Before {
        return Next::Either(vec![other]);
    }
    let mut tracked = other.clone();
    tracked.phase = Phase::Owned;
    for &atom in memory {
        tracked.set(atom, Some(Known::Inside));
    }
    if let Some(owned) = owned {
        tracked.set(owned, Some(Known::True));
    }
    let mut states = vec![tracked.clone()];
    for &(atom, flag) in same {
        let mut state = tracked.clone();
        state.set(atom, Some(Known::Inside));
        if let Some(flag) = flag {
            state.set(flag, Some(Known::False));
        }
        states.push(state);
    }
    states.push(other);
    Next::Either(states)
}
