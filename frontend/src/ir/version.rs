//! The versions of MLIR whose text is known. All of them are read, whatever
//! mixture; one of them is printed.

/// A version of MLIR.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MlirVersion {
    /// 19
    V19,
    /// 22
    V22,
}

impl MlirVersion {
    /// All of them, as users write them.
    pub const ALL: [(&'static str, MlirVersion); 2] = [("19", Self::V19), ("22", Self::V22)];

    /// All of them in a sentence.
    pub fn list() -> String {
        Self::ALL.map(|(name, _)| name).join(" and ")
    }
}
