//! What several dialects share: pieces of text, folding of constants, moving
//! blocks around.

pub(crate) mod assembly;
pub mod const_fold;
pub(crate) mod moves;
