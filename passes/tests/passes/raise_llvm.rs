//! The rows that `raise-llvm` knows.

use freehold_frontend::dialects::{cf, ub};
use freehold_frontend::ir::op_def::OpDef;

use freehold_passes::lowering::raise_llvm::rows;

/// Rows that are kept for what they say of control are among them.
#[test]
fn rows_are_raised_once() {
    let mut seen = Vec::new();
    for (from, to) in rows::SAME {
        assert!(!seen.contains(&from.name), "{}", from.name);
        assert_eq!(from.results.len(), to.results.len(), "{}", from.name);
        seen.push(from.name);
    }
    let by_hand: [&OpDef; 3] = [&cf::BR, &ub::UNREACHABLE, &cf::SWITCH];
    assert!(
        by_hand
            .iter()
            .all(|row| rows::SAME.iter().any(|(_, to)| to.name == row.name))
    );
}
