//! The IR: entity ids, interned types and attributes, the arena that owns
//! them, and the only functions that change it.
//!
//! Reading order: [`entities`] (the ids), [`types`] and [`attrs`] (interned
//! data), [`context`] (who owns the interned data), [`data`] (the arena),
//! [`edit`] (every mutation), [`cloning`], [`walk`] and [`builder`] (conveniences).

pub mod affine;
pub mod attrs;
pub mod builder;
pub mod cloning;
pub mod context;
pub mod data;
pub mod dominance;
pub mod edit;
pub mod entities;
mod integrity;
mod interner;
pub mod layout;
pub mod location;
pub mod names;
pub mod rewriter;
pub mod symbols;
pub mod types;
pub mod walk;
