//! Memory effects: what an operation reads, writes, allocates and frees.
//!
//! An operation whose row has no `effects` function and is not recursive has
//! *unknown* effects: it may do anything.

use smallvec::SmallVec;

use crate::ir::data::Ir;
use crate::ir::entities::{Op, Value};
use crate::op_def::Traits;

/// What is done to memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EffectKind {
    /// Reads.
    Read,
    /// Writes.
    Write,
    /// Allocates.
    Allocate,
    /// Frees.
    Free,
}

/// Which memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Resource {
    /// The heap and everything without an own resource.
    Default,
    /// Stack memory that ends with the scope around.
    AutomaticAllocationScope,
    /// Caches and assumptions: writing them keeps an operation alive, but no
    /// value in memory depends on them.
    Hint,
}

/// One effect.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Effect {
    /// What is done.
    pub kind: EffectKind,
    /// To what; `None`: to memory not named by a value.
    pub value: Option<Value>,
    /// To which memory.
    pub resource: Resource,
}

/// The list that [`EffectsFn`](crate::op_def::EffectsFn) fills.
#[derive(Clone, Default, Debug)]
pub struct Effects {
    list: SmallVec<[Effect; 4]>,
}

impl Effects {
    /// Adds an effect.
    pub fn add(&mut self, kind: EffectKind, value: Option<Value>, resource: Resource) {
        self.list.push(Effect {
            kind,
            value,
            resource,
        });
    }

    /// `value` is read.
    pub fn read(&mut self, value: Value) {
        self.add(EffectKind::Read, Some(value), Resource::Default);
    }

    /// `value` is written.
    pub fn write(&mut self, value: Value) {
        self.add(EffectKind::Write, Some(value), Resource::Default);
    }

    /// `value` is allocated on the heap.
    pub fn allocate(&mut self, value: Value) {
        self.add(EffectKind::Allocate, Some(value), Resource::Default);
    }

    /// `value` is allocated on the stack.
    pub fn allocate_automatic(&mut self, value: Value) {
        self.add(
            EffectKind::Allocate,
            Some(value),
            Resource::AutomaticAllocationScope,
        );
    }

    /// `value` is freed.
    pub fn free(&mut self, value: Value) {
        self.add(EffectKind::Free, Some(value), Resource::Default);
    }

    /// All effects in the order they were added.
    pub fn iter(&self) -> impl Iterator<Item = Effect> + '_ {
        self.list.iter().copied()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Whether `value` is affected in this way.
    pub fn has(&self, kind: EffectKind, value: Value) -> bool {
        self.list
            .iter()
            .any(|effect| effect.kind == kind && effect.value == Some(value))
    }

    /// Whether anything is affected in this way.
    pub fn has_any(&self, kind: EffectKind) -> bool {
        self.list.iter().any(|effect| effect.kind == kind)
    }
}

impl Ir {
    /// The effects of `op` itself, not of its regions; `None` if unknown. An
    /// operation that only has the effects of its regions has an empty list.
    pub fn own_effects(&self, op: Op) -> Option<Effects> {
        let def = self.def(op);
        let mut effects = Effects::default();
        match def.effects {
            Some(list) => list(self, op, &mut effects),
            None if def.traits.contains(Traits::RECURSIVE_EFFECTS) => {}
            None => return None,
        }
        Some(effects)
    }

    /// Whether `op` declares what it does to memory, by itself or through its regions.
    pub fn has_known_effects(&self, op: Op) -> bool {
        self.def(op).effects.is_some() || self.has_trait(op, Traits::RECURSIVE_EFFECTS)
    }

    /// Whether `op` and everything inside has no effect at all.
    pub fn is_memory_effect_free(&self, op: Op) -> bool {
        self.all_effects(op, &mut |_, _| false)
    }

    /// Whether every effect of `op` and of all inside satisfies `accept`;
    /// `false` if some effects are unknown.
    pub fn all_effects(&self, op: Op, accept: &mut dyn FnMut(Op, Effect) -> bool) -> bool {
        let mut walk = self.walk(op);
        while let Some(inner) = walk.next() {
            let Some(effects) = self.own_effects(inner) else {
                return false;
            };
            if !effects.iter().all(|effect| accept(inner, effect)) {
                return false;
            }
            if !self.has_trait(inner, Traits::RECURSIVE_EFFECTS) {
                walk.skip_regions(inner);
            }
        }
        true
    }

    /// Whether `op` may be erased when its results are unused: it does nothing
    /// but read, or allocate what it returns.
    pub fn would_be_trivially_dead(&self, op: Op) -> bool {
        if self.has_trait(op, Traits::TERMINATOR) || self.has_trait(op, Traits::SYMBOL) {
            return false;
        }
        self.all_effects(op, &mut |inner, effect| match effect.kind {
            EffectKind::Read => true,
            // What is allocated must be a result of the operation itself:
            // inside of it, someone may still write to it, which is harmless
            // only because nobody can read it later.
            EffectKind::Allocate => effect
                .value
                .is_some_and(|v| self.defining_op(v) == Some(inner)),
            EffectKind::Write => effect
                .value
                .is_some_and(|v| self.is_allocated_inside(v, op, inner)),
            EffectKind::Free => false,
        })
    }

    /// Whether `value` is allocated by an operation inside `outer` (or by `op` itself).
    fn is_allocated_inside(&self, value: Value, outer: Op, op: Op) -> bool {
        let Some(def) = self.defining_op(value) else {
            return false;
        };
        (def == op || (def != outer && self.is_ancestor(outer, def)))
            && self
                .own_effects(def)
                .is_some_and(|e| e.has(EffectKind::Allocate, value))
    }
}
