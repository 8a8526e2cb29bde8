//! What users know of a function, whatever passes made of it.

/// What a function was before passes changed it: its types as users know them, and what it does to its
/// arguments. Whoever compiles vouches for it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Declaration {
    /// Types of arguments, and whether each is only read.
    pub arguments: Vec<(String, bool)>,
    /// Types of results.
    pub results: Vec<String>,
    /// What the program calls arguments, if it has names for them; else nothing.
    pub argument_labels: Vec<Label>,
    /// The same of results.
    pub result_labels: Vec<Label>,
}

/// What a program calls an argument or result, and its dimensions.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Label {
    /// Its name; empty if it has none.
    pub name: String,
    /// Dimensions with a name of their own: `0:batch,2:width`.
    pub dims: String,
}
