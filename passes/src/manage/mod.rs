//! What a [`pass`] is and what it may be told ([`options`]), what a [`pipeline`] of them is, how it is written as [`text`],
//! and the [`manager`] that runs it. [`fp_policy`] is what several passes are told. Knows no pass.

pub mod fp_policy;
pub mod manager;
pub mod options;
pub mod pass;
pub mod pipeline;
pub mod suggestion;
pub mod text;
