//! The versions of MLIR whose text is known. All of them are read, whatever
//! mixture; one of them is printed.

use super::data::Ir;

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

    /// The version of those who read the program `ir` as bytecode, if no other is asked for: that of what was read, or 22
    /// for StableHLO, whose readers follow upstream's newest.
    pub fn of_readers(ir: &Ir) -> Self {
        match has_stablehlo(ir) {
            true => Self::V22,
            false => ir.context().version_read(),
        }
    }

    /// All of them in a sentence.
    pub fn list() -> String {
        Self::ALL.map(|(name, _)| name).join(" and ")
    }
}

/// Whether a program has operations of StableHLO's dialects.
pub(crate) fn has_stablehlo(ir: &Ir) -> bool {
    ir.walk(ir.root()).any(|op| {
        ["chlo", "stablehlo", "vhlo"].contains(&ir.def(op).dialect())
            || ir.nested(op).is_some_and(has_stablehlo)
    })
}
