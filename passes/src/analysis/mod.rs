//! Facts about a program: pure functions from IR to a result, which import nothing else of this
//! crate.
//!
//! `flow` says where buffers come from and go to, `derived` other values made of them,
//! `frees` what the program frees itself, `liveness` where values are needed, `aliases` what becomes of
//! an allocation under all its names, `travels` what goes round branches and loops, `alignment` how buffers are
//! aligned, `truths` how wide truth values are best. `call_order` sorts functions, `nest` and `block_loops` are about control that comes back,
//! `stack_budget` is how much of the stack a function may take, `lost_writes` finds what copies of buffers would change, `loop_memory` and `reductions` are about what iterations do
//! to memory and to what they carry, `contraction`
//! about loops that add up products, `awaits` about bodies that run later, `affine_memory` about affine subscripts, `affine_regions` about the boxes that they reach, `speculation` about what may run where it would not have, `tensor_reads` about uses that only read a tensor.

pub(crate) mod affine_memory;
pub(crate) mod affine_regions;
pub(crate) mod aliases;
pub(crate) mod alignment;
pub(crate) mod awaits;
pub(crate) mod block_loops;
pub mod call_order;
pub(crate) mod constants;
pub(crate) mod contraction;
pub(crate) mod dead_code;
pub(crate) mod derived;
pub(crate) mod flow;
pub(crate) mod frees;
pub mod liveness;
pub(crate) mod loop_memory;
pub(crate) mod lost_writes;
pub(crate) mod nest;
pub mod only_read;
pub(crate) mod reductions;
pub(crate) mod sizes;
pub(crate) mod speculation;
pub(crate) mod stack_budget;
pub(crate) mod symbol_uses;
pub(crate) mod tensor_reads;
pub(crate) mod travels;
pub(crate) mod truths;
pub(crate) mod union_find;
