//! Facts at one place of a [`Program`](super::program::Program), and the values of expressions by
//! them.

use freehold_frontend::ir::entities;
use smallvec::SmallVec;

use super::program::{AtomId, Expr, ExprId};

/// The fate of the tracked allocation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Phase {
    /// Not allocated yet.
    Before,
    /// Allocated, and not freed.
    Owned,
    /// Freed.
    Freed,
    /// It was never for this function to free.
    Foreign,
}

/// What a state knows of an atom. Of an `i1` it may know nothing; memory that
/// it knows nothing of is outside.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Known {
    False,
    True,
    Inside,
    /// Inside, but with an address of its own.
    InsideShifted,
    /// The address zero.
    Null,
}

impl Known {
    pub(super) fn bool(value: bool) -> Self {
        if value { Self::True } else { Self::False }
    }
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct State {
    pub(super) phase: Phase,
    /// Whether the path to here depends on what nothing is known of.
    pub(super) guessed: bool,
    /// Sorted by atom.
    pub(super) known: SmallVec<[(AtomId, Known); 4]>,
}

impl State {
    pub(super) fn get(&self, atom: AtomId) -> Option<Known> {
        let at = self
            .known
            .binary_search_by_key(&atom, |known| known.0)
            .ok()?;
        Some(self.known[at].1)
    }

    pub(super) fn set(&mut self, atom: AtomId, value: Option<Known>) {
        match (
            self.known.binary_search_by_key(&atom, |known| known.0),
            value,
        ) {
            (Ok(at), Some(value)) => self.known[at].1 = value,
            (Ok(at), None) => {
                self.known.remove(at);
            }
            (Err(at), Some(value)) => self.known.insert(at, (atom, value)),
            (Err(_), None) => {}
        }
    }

    pub(super) fn set_bools(&mut self, atoms: &[AtomId], value: Option<bool>) {
        for &atom in atoms {
            self.set(atom, value.map(Known::bool));
        }
    }
}

/// What an expression is in a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Value {
    Bool(bool),
    /// Outside, and the same memory as this value refers to, if known.
    Outside(Option<entities::Value>),
    Inside,
    InsideShifted,
    /// The address zero.
    Null,
    /// It depends on this unknown `i1`.
    Depends(AtomId),
}

impl Value {
    pub(super) fn is_inside(self) -> bool {
        matches!(self, Self::Inside | Self::InsideShifted)
    }
}

/// The value of an expression whose operands are in `values`.
pub(super) fn combine(expr: Expr, values: &[Value], state: &State) -> Value {
    let get = |id: ExprId| values[id as usize];
    let known = |atom: AtomId| match state.get(atom) {
        Some(Known::True) => Value::Bool(true),
        Some(Known::False) => Value::Bool(false),
        _ => Value::Depends(atom),
    };
    match expr {
        Expr::Bool(value) => Value::Bool(value),
        Expr::BoolAtom(atom) => known(atom),
        Expr::Not(value) => match get(value) {
            Value::Bool(value) => Value::Bool(!value),
            depends => depends,
        },
        Expr::And(lhs, rhs) => match (get(lhs), get(rhs)) {
            (Value::Bool(false), _) | (_, Value::Bool(false)) => Value::Bool(false),
            (Value::Bool(true), rhs) => rhs,
            (lhs, _) => lhs,
        },
        Expr::Or(lhs, rhs) => match (get(lhs), get(rhs)) {
            (Value::Bool(true), _) | (_, Value::Bool(true)) => Value::Bool(true),
            (Value::Bool(false), rhs) => rhs,
            (lhs, _) => lhs,
        },
        Expr::Xor { lhs, rhs, negated } => match (get(lhs), get(rhs)) {
            (Value::Bool(lhs), Value::Bool(rhs)) => Value::Bool((lhs != rhs) != negated),
            (Value::Bool(_), rhs) => rhs,
            (lhs, _) => lhs,
        },
        Expr::Select {
            condition,
            on_true,
            on_false,
        } => match get(condition) {
            Value::Bool(true) => get(on_true),
            Value::Bool(false) => get(on_false),
            _ if get(on_true) == get(on_false) => get(on_true),
            condition => condition,
        },
        Expr::Inside => Value::Inside,
        Expr::Null => Value::Null,
        Expr::Outside(source) => Value::Outside(Some(source)),
        Expr::MemoryAtom(atom) => match state.get(atom) {
            Some(Known::Inside) => Value::Inside,
            Some(Known::InsideShifted) => Value::InsideShifted,
            Some(Known::Null) => Value::Null,
            _ => Value::Outside(None),
        },
        Expr::Shifted(source) => match get(source) {
            Value::Inside => Value::InsideShifted,
            value => value,
        },
        Expr::Allocated(source) => match get(source) {
            Value::InsideShifted => Value::Inside,
            value => value,
        },
    }
}
