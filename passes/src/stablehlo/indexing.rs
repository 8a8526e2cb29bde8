//! Operations whose indices are data: gather, scatter and their kind.

use super::stablehlo_legalize_to_linalg::Row;

pub(super) const ROWS: &[Row] = &[];
