//! Sorting, and the greatest elements.

use super::stablehlo_legalize_to_linalg::Row;

pub(super) const ROWS: &[Row] = &[];
