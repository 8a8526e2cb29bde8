//! Cholesky, triangular solves, and the custom calls of linear algebra.

use super::stablehlo_legalize_to_linalg::Row;

pub(super) const ROWS: &[Row] = &[];

/// Custom calls by their targets.
pub(super) const CUSTOM_CALLS: &[(&str, super::stablehlo_legalize_to_linalg::Lower)] = &[];
