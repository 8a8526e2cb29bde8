//! Independent checkers: they prove what passes must have achieved, and share
//! no code with those passes.

pub mod memory_plan;
pub mod ownership;
pub mod returned_stack;
pub mod verify_ownership;
pub mod verify_requests;
