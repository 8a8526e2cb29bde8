//! Analyses and transformations over the Freehold IR.
