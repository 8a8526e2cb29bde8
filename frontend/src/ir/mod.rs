//! The IR: entity ids, interned types and attributes, the arena that owns
//! them, the only functions that change it, and what a row may say of an
//! operation. It imports no other folder of the crate.
//!
//! Reading order: [`entities`] (the ids), [`types`] and [`attrs`] (interned
//! data), [`context`] (who owns the interned data), [`data`] (the arena),
//! [`edit`] (every mutation), [`cloning`], [`walk`] and [`builder`] (conveniences),
//! [`op_def`] (the rows), [`interfaces`], [`effects`] and [`asm`] (what rows are
//! asked), [`constraints`] and [`rules`] (what they share), [`declared`] (rows that
//! a file declares), [`builtin`] (the one dialect that the IR itself needs).

pub mod affine;
pub mod asm;
pub mod attrs;
pub mod builder;
pub mod builtin;
pub mod bytecode_interface;
pub mod bytes;
pub mod cloning;
pub mod constraints;
pub mod context;
pub mod data;
pub mod declared;
pub mod diag;
pub mod dominance;
pub mod edit;
pub mod effects;
pub mod entities;
pub mod exported;
pub mod format;
mod integrity;
pub mod interfaces;
mod interner;
pub mod layout;
pub mod location;
pub mod names;
pub mod op_def;
pub mod rewriter;
pub mod rewrites;
pub mod rules;
pub mod source_text;
pub mod symbols;
pub mod types;
pub mod version;
pub mod walk;
