//! What is known about the buffers of a function while it is written: which allocations a value may
//! be based on, and what may still be done with them.
//!
//! A pass may put a copy in place of a buffer at certain points (see [`super::shape::Writes`]). At
//! such a point all allocations behind the value are *frozen*: nothing writes to them any more. In a
//! loop the point is reached again after the rest of the body has run, so a loop that is entered
//! decides for each allocation from outside whether its body may write to it or freeze it, but not
//! both.

use super::types::MemRefType;

/// An allocation, or what an argument stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Base {
    pub(super) state: State,
    /// It has been freed.
    pub(super) dead: bool,
    /// The automatic allocation scope that ends its life, for `memref.alloca`.
    pub(super) scope: Option<usize>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum State {
    /// May be written to and may be frozen.
    Free,
    /// May be written to.
    Pinned,
    /// May be frozen.
    Unwritten,
    /// Neither.
    ReadOnly,
    /// May have been copied.
    Frozen,
}

/// What is going to be done with a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Need {
    Read,
    Write,
    /// Reaching a point where it may be copied.
    Freeze,
    /// Writing first, and then that.
    WriteAndFreeze,
}

impl Need {
    pub(super) fn freezes(self) -> bool {
        matches!(self, Self::Freeze | Self::WriteAndFreeze)
    }
}

/// The number of a [`Base`].
pub(super) type BaseId = usize;

/// A value of memref type. All elements of it have been written.
#[derive(Clone, Debug)]
pub(super) struct Buffer {
    pub(super) name: String,
    pub(super) ty: MemRefType,
    /// The sizes at run time where they are known, static ones always.
    pub(super) actual: Vec<Option<u64>>,
    /// The allocations it may be based on, sorted.
    pub(super) bases: Vec<BaseId>,
    /// Decides together with the seed of a statement whether the statement takes this value.
    pub(super) key: u64,
    /// The statement list with the allocation whose result this is.
    pub(super) allocated_in: Option<usize>,
}

impl Buffer {
    /// Whether all sizes are known and there is an element.
    pub(super) fn has_elements(&self) -> bool {
        self.actual
            .iter()
            .all(|size| size.is_some_and(|size| size > 0))
    }

    /// The number of elements if known.
    pub(super) fn count(&self) -> Option<u64> {
        self.actual
            .iter()
            .copied()
            .try_fold(1, |product, size| Some(product * size?))
    }
}

/// The allocations of a function.
#[derive(Default, Debug)]
pub(super) struct Bases(Vec<Base>);

impl Bases {
    pub(super) fn add(&mut self, state: State) -> BaseId {
        self.0.push(Base {
            state,
            dead: false,
            scope: None,
        });
        self.0.len() - 1
    }

    pub(super) fn get(&self, base: BaseId) -> Base {
        self.0[base]
    }

    pub(super) fn get_mut(&mut self, base: BaseId) -> &mut Base {
        &mut self.0[base]
    }

    /// Whether `buffer` may be used as `need` says.
    pub(super) fn allow(&self, buffer: &Buffer, need: Need) -> bool {
        buffer.bases.iter().all(|&base| {
            let Base { state, dead, .. } = self.0[base];
            !dead
                && match need {
                    Need::Read => true,
                    Need::Write => matches!(state, State::Free | State::Pinned),
                    Need::Freeze => {
                        matches!(state, State::Free | State::Unwritten | State::Frozen)
                    }
                    Need::WriteAndFreeze => state == State::Free,
                }
        })
    }

    /// Whether a value based on `bases` outlives the automatic allocation scope `scope`.
    pub(super) fn outlives(&self, buffer: &Buffer, scope: usize) -> bool {
        buffer
            .bases
            .iter()
            .all(|&base| self.0[base].scope != Some(scope))
    }

    pub(super) fn is_frozen(&self, buffer: &Buffer) -> bool {
        buffer
            .bases
            .iter()
            .any(|&base| self.0[base].state == State::Frozen)
    }

    pub(super) fn freeze(&mut self, buffer: &Buffer) {
        for &base in &buffer.bases {
            self.0[base].state = State::Frozen;
        }
    }

    pub(super) fn kill(&mut self, buffer: &Buffer) {
        for &base in &buffer.bases {
            self.0[base].dead = true;
        }
    }

    /// Enters a loop: `choose` says of each allocation from outside, given its state, what it is in
    /// the loop. Gives what [`Bases::leave_loop`] needs.
    pub(super) fn enter_loop(
        &mut self,
        mut choose: impl FnMut(BaseId, State) -> State,
    ) -> Vec<State> {
        let outer = self.0.iter().map(|base| base.state).collect();
        for (id, base) in self.0.iter_mut().enumerate() {
            base.state = choose(id, base.state);
        }
        outer
    }

    pub(super) fn leave_loop(&mut self, outer: Vec<State>) {
        for (base, state) in self.0.iter_mut().zip(outer) {
            if base.state != State::Frozen {
                base.state = state;
            }
        }
    }
}

/// The union of sorted lists, sorted.
pub(super) fn union<'a>(lists: impl IntoIterator<Item = &'a Vec<BaseId>>) -> Vec<BaseId> {
    let mut all: Vec<_> = lists.into_iter().flatten().copied().collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// What `values` are based on once the arguments of a loop, which `links` names with the bases of
/// everything that is passed for them, are replaced by what they stand for.
pub(super) fn resolve(values: &[BaseId], links: &[(BaseId, Vec<BaseId>)]) -> Vec<BaseId> {
    let mut found: Vec<BaseId> = Vec::new();
    let mut pending = values.to_vec();
    while let Some(base) = pending.pop() {
        if !found.contains(&base) {
            found.push(base);
            let passed = links.iter().filter(|link| link.0 == base);
            pending.extend(passed.flat_map(|link| link.1.iter().copied()));
        }
    }
    found.retain(|base| !links.iter().any(|link| link.0 == *base));
    found.sort_unstable();
    found
}
