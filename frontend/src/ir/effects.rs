//! Memory effects: what an operation reads, writes, allocates and frees.
//!
//! An operation whose row has no `effects` function and is not recursive has
//! *unknown* effects: it may do anything.

use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use crate::ir::data::Ir;
use crate::ir::entities::{Op, Value};
use crate::ir::op_def::Traits;

/// An effect on memory.
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
    /// The effect.
    pub kind: EffectKind,
    /// To what; `None`: to memory not named by a value.
    pub value: Option<Value>,
    /// To which memory.
    pub resource: Resource,
}

/// The list that [`EffectsFn`](crate::ir::op_def::EffectsFn) fills.
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
        self.find_inside(op, &mut |inner, effects| {
            effects.is_none_or(|effects| !effects.iter().all(|effect| accept(inner, effect)))
        })
        .is_none()
    }

    /// The first operation among `op` and those inside whose own effects
    /// (`None`: unknown) are as wanted.
    fn find_inside(
        &self,
        op: Op,
        is_wanted: &mut dyn FnMut(Op, Option<&Effects>) -> bool,
    ) -> Option<Op> {
        let mut walk = self.walk(op);
        while let Some(inner) = walk.next() {
            if is_wanted(inner, self.own_effects(inner).as_ref()) {
                return Some(inner);
            }
            if !self.has_trait(inner, Traits::RECURSIVE_EFFECTS) {
                walk.skip_regions(inner);
            }
        }
        None
    }

    /// Whether `op` may be erased when its results are unused: it does nothing
    /// but read, or allocate what it returns and write to that. Not even that
    /// if the context [keeps](crate::ir::context::Context::keeps_memory_operations)
    /// such operations.
    pub fn would_be_trivially_dead(&self, op: Op) -> bool {
        self.reason_to_keep(op).is_none()
    }

    /// The first operation among `op` and those inside that forbids erasing `op` even if its
    /// results are unused.
    pub fn reason_to_keep(&self, op: Op) -> Option<Op> {
        if self.has_trait(op, Traits::TERMINATOR) || self.has_trait(op, Traits::SYMBOL) {
            return Some(op);
        }
        // What the walk has seen being allocated. Inside of `op` it may still be written, which is
        // harmless because it is never read later.
        let mut allocated: FxHashSet<Value> = FxHashSet::default();
        let keeps_all = self.context().keeps_memory_operations();
        self.find_inside(op, &mut |inner, effects| {
            let Some(effects) = effects else { return true };
            if keeps_all && effects.iter().next().is_some() {
                return true;
            }
            allocated.extend(effects.allocated_by(self, inner));
            effects.outlast(self, inner, |value| allocated.contains(&value))
        })
    }

    /// Whether `inner`, which is `op` or inside of it, is itself a reason to
    /// keep `op`.
    pub fn is_reason_to_keep(&self, op: Op, inner: Op) -> bool {
        self.own_effects(inner).is_none_or(|effects| {
            if self.context().keeps_memory_operations() {
                return effects.iter().next().is_some();
            }
            effects.outlast(self, inner, |value| {
                self.defining_op(value).is_some_and(|def| {
                    (def == inner || (def != op && self.is_ancestor(op, def)))
                        && self
                            .own_effects(def)
                            .is_some_and(|e| e.has(EffectKind::Allocate, value))
                })
            })
        })
    }
}

impl Effects {
    /// The results of `op`, whose effects these are, that it allocates.
    fn allocated_by(&self, ir: &Ir, op: Op) -> impl Iterator<Item = Value> {
        self.iter()
            .filter(|effect| effect.kind == EffectKind::Allocate)
            .filter_map(|effect| effect.value)
            .filter(move |&value| ir.defining_op(value) == Some(op))
    }

    /// Whether an effect of `op`, whose effects these are, can be seen later if its results are
    /// unused and nothing else uses the buffers that are `inside`.
    fn outlast(&self, ir: &Ir, op: Op, inside: impl Fn(Value) -> bool) -> bool {
        self.iter().any(|effect| match effect.kind {
            EffectKind::Read => false,
            EffectKind::Allocate => effect.value.is_none_or(|v| ir.defining_op(v) != Some(op)),
            EffectKind::Write => !effect.value.is_some_and(&inside),
            EffectKind::Free => true,
        })
    }
}
