//! What users know of a function, whatever passes made of it.

/// What a function was before passes changed it: its types as users know them, and what it does to its
/// arguments. Whoever compiles vouches for it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Declaration {
    /// Types of arguments, and whether each is only read.
    pub arguments: Vec<(String, bool)>,
    /// Types of results.
    pub results: Vec<String>,
}
