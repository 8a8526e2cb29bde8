//! llvm.

use crate::table::Rows;

pub(crate) const ROWS: Rows = &[];
