//! Which operations are made: every row that the interpreter knows, or a reason.

use std::collections::BTreeSet;

use freehold::frontend::dialects;
use freehold_interpret::table::is_interpreted;

use super::program::Program;
use super::table::{NOT_FROM_ROWS, Table};

/// How many programs are looked at.
const PROGRAMS: u64 = 600;

/// Rows that are interpreted and stand in no program, and why.
const NOT_MADE: &[(&str, &str)] = &[];

/// Holds the lists against the rows.
pub(super) fn test() -> Result<(), String> {
    let table = Table::new();
    let mut written: BTreeSet<String> = BTreeSet::new();
    for seed in 0..PROGRAMS {
        written.extend(Program::new(seed, &table).operations);
    }
    // Custom forms leave out the dialect of what ends a function, and of what stands behind a mask.
    let from_rows: BTreeSet<&str> = table.rows.iter().map(|row| row.name).collect();
    let reasons: BTreeSet<&str> = NOT_MADE.iter().map(|(name, _)| *name).collect();
    let mut complaints = Vec::new();
    for row in dialects::ALL.iter().flat_map(|dialect| dialect.ops) {
        let is_made = from_rows.contains(row.name) || written.contains(row.name);
        match (is_made, reasons.contains(row.name)) {
            (false, false) if is_interpreted(row) => complaints.push(format!("{} is not made", row.name)),
            (true, true) => complaints.push(format!("{} is made, and there is a reason why it is not", row.name)),
            _ => {}
        }
    }
    let rows: BTreeSet<&str> = dialects::ALL.iter().flat_map(|dialect| dialect.ops).map(|row| row.name).collect();
    let lists = NOT_MADE.iter().chain(NOT_FROM_ROWS);
    complaints.extend(lists.filter(|(name, _)| !rows.contains(name)).map(|(name, _)| format!("there is no row {name}")));
    match complaints.is_empty() {
        true => Ok(()),
        false => Err(complaints.join("\n")),
    }
}
