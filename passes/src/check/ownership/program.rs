//! A function reduced to one allocation: a small program of booleans.
//!
//! An *atom* is a value that the state of the program speaks of: an `i1` that
//! is known to be true or false, or a memref (address, owner) that refers to
//! the tracked allocation or does not. All other values are expressions of
//! atoms. A program has a node for each node of the function's flow in which
//! something happens that matters, and edges that skip all the others.

use freehold_frontend::ir::entities::{Op, Value};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::flow::{EdgeId, NodeId};

/// How many expressions one may be made of, to be taken apart.
const MAX_EXPRS: usize = 256;

/// The number of an atom.
pub(super) type AtomId = u32;
/// The number of an [`Expr`].
pub(super) type ExprId = u32;

/// What a state may know of one value.
pub(super) struct Atom {
    pub(super) value: Value,
    /// Whether the truth comes from memory that is not modelled: a path that
    /// depends on it proves nothing.
    pub(super) opaque: bool,
}

/// An expression of atoms. Operands have smaller numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Expr {
    /// A known `i1`.
    Bool(bool),
    /// An `i1` that the state knows, or may assume to be anything.
    BoolAtom(AtomId),
    Not(ExprId),
    And(ExprId, ExprId),
    Or(ExprId, ExprId),
    Xor {
        lhs: ExprId,
        rhs: ExprId,
        negated: bool,
    },
    /// For `i1` and memory alike.
    Select {
        condition: ExprId,
        on_true: ExprId,
        on_false: ExprId,
    },
    /// Refers to the tracked allocation.
    Inside,
    /// Does not refer to the tracked allocation; what it refers to is what
    /// this value refers to.
    Outside(Value),
    /// Refers to it if the state says so.
    MemoryAtom(AtomId),
    /// The address zero.
    Null,
    /// The same memory; the address may have moved within the allocation.
    Shifted(ExprId),
    /// The same memory, by its allocated pointer.
    Allocated(ExprId),
}

impl Expr {
    /// The expressions this one is made of.
    pub(super) fn operands(self) -> SmallVec<[ExprId; 3]> {
        match self {
            Self::And(lhs, rhs) | Self::Or(lhs, rhs) => SmallVec::from_slice(&[lhs, rhs]),
            Self::Xor { lhs, rhs, .. } => SmallVec::from_slice(&[lhs, rhs]),
            Self::Select {
                condition,
                on_true,
                on_false,
            } => SmallVec::from_slice(&[condition, on_true, on_false]),
            Self::Not(source) | Self::Shifted(source) | Self::Allocated(source) => {
                SmallVec::from_slice(&[source])
            }
            Self::Bool(_)
            | Self::BoolAtom(_)
            | Self::Inside
            | Self::Null
            | Self::Outside(_)
            | Self::MemoryAtom(_) => SmallVec::new(),
        }
    }

    /// Whether it is an `i1`; a select may be one as well.
    fn is_bool(self) -> bool {
        use Expr::{And, Bool, BoolAtom, Not, Or, Xor};
        matches!(
            self,
            And(..) | Or(..) | Not(_) | Xor { .. } | Bool(_) | BoolAtom(_)
        )
    }

    /// The atom this expression asks the state for.
    pub(super) fn atom(self) -> Option<AtomId> {
        match self {
            Self::BoolAtom(atom) | Self::MemoryAtom(atom) => Some(atom),
            _ => None,
        }
    }
}

/// One listed memref of a `bufferization.dealloc` or of a call of its helper.
#[derive(Clone)]
pub(super) struct Entry {
    pub(super) memory: ExprId,
    pub(super) condition: ExprId,
    /// What the helper says: whether to free this one.
    pub(super) free: SmallVec<[AtomId; 1]>,
}

/// One retained memref of a `bufferization.dealloc` or of a call of its helper.
#[derive(Clone)]
pub(super) struct Retained {
    pub(super) memory: ExprId,
    /// Who owns it afterwards.
    pub(super) owned: SmallVec<[AtomId; 1]>,
    /// The entries that name the same value or a view of it.
    pub(super) same_root: SmallVec<[u32; 1]>,
}

/// Which entry of those that refer to one allocation the helper frees.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum HelperKind {
    /// Only ever the first, if its own condition holds.
    FirstEntry,
    /// One whose condition holds.
    AnyEntry,
}

/// A memref a function returns.
#[derive(Clone)]
pub(super) struct Returned {
    pub(super) memory: ExprId,
    /// If the function says at run time whether the caller owns it.
    pub(super) owned: Option<ExprId>,
}

/// A result that may refer to what one of `sources` refers to; then this `i1`,
/// if any, is false.
pub(super) struct Alias {
    pub(super) result: AtomId,
    pub(super) flag: Option<AtomId>,
    pub(super) sources: Vec<ExprId>,
}

/// What an operation does that matters.
pub(super) enum Action {
    /// The tracked allocation may be made here; then these refer to it and
    /// this `i1` is true. Each of `same` may refer to it too; then its `i1` is
    /// false.
    Allocate {
        memory: SmallVec<[AtomId; 2]>,
        owned: Option<AtomId>,
        same: Vec<(AtomId, Option<AtomId>)>,
    },
    /// Results that may refer to what operands refer to.
    Alias(Vec<Alias>),
    /// Frees unconditionally.
    Free(ExprId),
    /// Frees as `bufferization.dealloc` does; `others` says that there are
    /// entries that cannot refer to the tracked allocation.
    Dealloc {
        entries: Vec<Entry>,
        retained: Vec<Retained>,
        others: bool,
    },
    /// Decides what to free as `bufferization.dealloc` does.
    Decide {
        entries: Vec<Entry>,
        retained: Vec<Retained>,
        others: bool,
        kind: HelperKind,
    },
    /// `deallocation.retain`: retained memrefs with the owner they get, and owners.
    Retain {
        retained: Vec<(ExprId, Option<AtomId>)>,
        owners: Vec<ExprId>,
    },
    /// Reads or writes.
    Use(Vec<ExprId>),
    /// Compares two addresses; nothing that matters depends on the result.
    Address(ExprId, ExprId),
    /// Stores a reference where it cannot be followed.
    Escape(Vec<ExprId>),
    /// Returns; owners are those of `deallocation`.
    Return {
        memrefs: Vec<Returned>,
        owners: Option<Vec<ExprId>>,
    },
    /// Does not go on unless this holds.
    Assert(ExprId),
    /// Compares two addresses; the result is whether they are equal (negated:
    /// whether they differ).
    Compare {
        lhs: ExprId,
        rhs: ExprId,
        negated: bool,
        same_root: bool,
        result: AtomId,
    },
}

/// An action and the operation that does it.
pub(super) struct Step {
    pub(super) op: Op,
    pub(super) action: Action,
}

/// A node: steps, then a choice of edges.
pub(super) struct ProgramNode {
    pub(super) flow: NodeId,
    pub(super) steps: Vec<Step>,
    pub(super) edges: Vec<ProgramEdge>,
    /// Atoms that are asked for later on, sorted.
    pub(super) live_in: SmallVec<[AtomId; 8]>,
    /// Whether the allocation may (again) be made at or after this node.
    pub(super) allocates_later: bool,
}

/// An edge. Without a target, nothing that matters happens any more.
pub(super) struct ProgramEdge {
    pub(super) flow: EdgeId,
    /// An index into [`Program::nodes`].
    pub(super) target: Option<u32>,
    pub(super) condition: Option<(ExprId, bool)>,
    /// Sorted by target.
    pub(super) assignments: SmallVec<[Assignment; 2]>,
}

/// An atom gets a value where an edge is taken.
#[derive(Clone, Copy)]
pub(super) struct Assignment {
    pub(super) target: AtomId,
    pub(super) source: ExprId,
    /// Whether the source is an `i1` for sure.
    pub(super) is_bool: bool,
    /// Whether the source is an `i1` made of atoms that are each asked for here alone, and once: if
    /// one is unknown, the target is unknown, and nothing is lost by not asking which.
    pub(super) is_alone: bool,
}

/// See the module doc.
pub(super) struct Program {
    pub(super) atoms: Vec<Atom>,
    pub(super) exprs: Vec<Expr>,
    pub(super) nodes: Vec<ProgramNode>,
    /// Where it begins, an index into `nodes`.
    pub(super) start: Option<u32>,
    /// Whether anything frees the tracked allocation, on whatever path.
    pub(super) has_frees: bool,
}

impl ProgramNode {
    /// A node without steps and edges.
    pub(super) fn new(flow: NodeId) -> Self {
        Self {
            flow,
            steps: Vec::new(),
            edges: Vec::new(),
            live_in: SmallVec::new(),
            allocates_later: false,
        }
    }
}

impl Action {
    /// The expressions it looks at.
    fn for_each_expr(&self, mut visit: impl FnMut(ExprId)) {
        match self {
            Self::Allocate { .. } => {}
            Self::Free(expr) | Self::Assert(expr) => visit(*expr),
            Self::Address(lhs, rhs) | Self::Compare { lhs, rhs, .. } => {
                visit(*lhs);
                visit(*rhs);
            }
            Self::Alias(aliases) => {
                let sources = aliases.iter().flat_map(|alias| &alias.sources);
                sources.copied().for_each(visit);
            }
            Self::Use(exprs) | Self::Escape(exprs) => {
                exprs.iter().copied().for_each(visit);
            }
            Self::Dealloc {
                entries, retained, ..
            }
            | Self::Decide {
                entries, retained, ..
            } => {
                for entry in entries {
                    visit(entry.memory);
                    visit(entry.condition);
                }
                retained.iter().for_each(|retained| visit(retained.memory));
            }
            Self::Retain { retained, owners } => {
                retained.iter().for_each(|retained| visit(retained.0));
                owners.iter().copied().for_each(visit);
            }
            Self::Return { memrefs, owners } => {
                for memref in memrefs {
                    visit(memref.memory);
                    memref.owned.into_iter().for_each(&mut visit);
                }
                owners.iter().flatten().copied().for_each(visit);
            }
        }
    }
}

impl Program {
    /// Fills in [`ProgramNode::live_in`]. `definitions` says in which node
    /// each atom gets its value; the others get it from edges, or have it from
    /// the beginning.
    pub(super) fn find_live(&mut self, definitions: &[Option<u32>]) {
        let predecessors = self.predecessors();
        let mut users: Vec<Vec<u32>> = vec![Vec::new(); self.atoms.len()];
        let mut visited = vec![u32::MAX; self.exprs.len()];
        for (number, node) in (0..).zip(&self.nodes) {
            let mut stack = Vec::new();
            for step in &node.steps {
                step.action.for_each_expr(|expr| stack.push(expr));
            }
            for edge in &node.edges {
                stack.extend(edge.condition.map(|(expr, _)| expr));
                stack.extend(edge.assignments.iter().map(|assignment| assignment.source));
            }
            while let Some(expr) = stack.pop() {
                if std::mem::replace(&mut visited[expr as usize], number) == number {
                    continue;
                }
                let expr = self.exprs[expr as usize];
                stack.extend(expr.operands());
                if let Some(atom) = expr.atom() {
                    users[atom as usize].push(number);
                }
            }
        }
        // From each use back to the definition.
        let mut seen = vec![u32::MAX; self.nodes.len()];
        for (atom, mut pending) in (0..).zip(users) {
            let definition = definitions[atom as usize];
            while let Some(node) = pending.pop() {
                if Some(node) == definition
                    || std::mem::replace(&mut seen[node as usize], atom) == atom
                {
                    continue;
                }
                self.nodes[node as usize].live_in.push(atom);
                for &(from, edge) in &predecessors[node as usize] {
                    let edge = &self.nodes[from as usize].edges[edge];
                    if edge
                        .assignments
                        .iter()
                        .all(|assignment| assignment.target != atom)
                    {
                        pending.push(from);
                    }
                }
            }
        }
    }

    /// Fills in [`Assignment::is_bool`] and [`Assignment::is_alone`]; liveness is known. Sorts assignments by target.
    pub(super) fn find_alone(&mut self) {
        for number in 0..self.nodes.len() {
            for edge in 0..self.nodes[number].edges.len() {
                let assignments = &mut self.nodes[number].edges[edge].assignments;
                assignments.sort_unstable_by_key(|assignment| assignment.target);
                let alone = self.alone(&self.nodes[number].edges[edge]);
                let assignments = &mut self.nodes[number].edges[edge].assignments;
                for (assignment, is_alone) in assignments.iter_mut().zip(alone) {
                    assignment.is_bool = self.exprs[assignment.source as usize].is_bool();
                    assignment.is_alone = is_alone && assignment.is_bool;
                }
            }
        }
    }

    fn alone(&self, edge: &ProgramEdge) -> Vec<bool> {
        let asked: Vec<Option<Vec<AtomId>>> = (edge.assignments.iter())
            .map(|assignment| self.atoms_of(assignment.source))
            .collect();
        let mut count: FxHashMap<AtomId, usize> = FxHashMap::default();
        let target = edge.target.map(|target| &self.nodes[target as usize]);
        let assigned = |atom| edge.assignments.iter().any(|known| known.target == atom);
        let kept = target.iter().flat_map(|target| &target.live_in);
        let kept = kept.filter(|&&atom| !assigned(atom)).copied();
        let condition = edge
            .condition
            .map(|(condition, _)| self.atoms_of(condition));
        if condition == Some(None) || asked.contains(&None) {
            return vec![false; asked.len()];
        }
        let all = asked.iter().chain(&condition).flatten().flatten().copied();
        for atom in all.chain(kept) {
            *count.entry(atom).or_default() += 1;
        }
        let is_alone = |atom: &AtomId| count[atom] == 1 && !self.atoms[*atom as usize].opaque;
        (asked.iter())
            .map(|asked| asked.iter().flatten().all(is_alone))
            .collect()
    }

    /// The atoms that an expression asks for, as often as it does; `None` if it is large.
    fn atoms_of(&self, expr: ExprId) -> Option<Vec<AtomId>> {
        let mut atoms = Vec::new();
        let mut stack = vec![expr];
        for _ in 0..MAX_EXPRS {
            let Some(expr) = stack.pop() else {
                return Some(atoms);
            };
            let expr = self.exprs[expr as usize];
            stack.extend(expr.operands());
            atoms.extend(expr.atom());
        }
        None
    }

    /// Fills in [`ProgramNode::allocates_later`] for an allocation in `node`.
    pub(super) fn find_allocating(&mut self, node: u32) {
        let predecessors = self.predecessors();
        let mut pending = vec![node];
        while let Some(node) = pending.pop() {
            if !std::mem::replace(&mut self.nodes[node as usize].allocates_later, true) {
                pending.extend(predecessors[node as usize].iter().map(|&(from, _)| from));
            }
        }
    }

    /// For each node the edges that lead to it: node and position in its edges.
    fn predecessors(&self) -> Vec<SmallVec<[(u32, usize); 2]>> {
        let mut predecessors = vec![SmallVec::new(); self.nodes.len()];
        for (from, node) in (0..).zip(&self.nodes) {
            for (i, edge) in node.edges.iter().enumerate() {
                if let Some(target) = edge.target {
                    predecessors[target as usize].push((from, i));
                }
            }
        }
        predecessors
    }
}
