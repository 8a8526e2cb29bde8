//! Which operations are made: every row that the interpreter knows, or a reason.

use std::collections::BTreeSet;

use freehold::frontend::dialects;
use freehold_interpret::table::is_interpreted;

use super::build::Gen;
use super::named;
use super::program::Program;
use super::table::{NOT_FROM_ROWS, Table};

/// How many programs are looked at.
const PROGRAMS: u64 = 2500;

/// How often an operation of one row is drawn.
const TRIES: u64 = 1000;

/// Rows that are interpreted and stand in no program, and why; a star is any rest.
const NOT_MADE: &[(&str, &str)] = &[
    ("affine.prefetch", "does nothing that shows"),
    ("affine.vector_*", "vector.load and store are made"),
    (
        "async.*",
        "`strategies` and `interpreted` have programs of that dialect",
    ),
    ("bufferization.alloc_tensor", "its elements are not defined"),
    ("bufferization.dealloc", "passes make it"),
    (
        "bufferization.dealloc_tensor",
        "its tensor may not be used any more",
    ),
    (
        "bufferization.to_tensor",
        "its buffer may not be written any more",
    ),
    ("builtin.unrealized_conversion_cast", "passes make it"),
    ("cf.assert", "would always hold"),
    ("deallocation.*", "passes make them"),
    ("iree_linalg_ext.yield", "nothing around it is interpreted"),
    ("linalg.div_unsigned", "divides by whatever is there"),
    ("linalg.elemwise_*", "not written yet"),
    ("linalg.fill_rng_2d", "not written yet"),
    ("linalg.powf", "not written yet"),
    ("linalg.select", "not written yet"),
    (
        "llvm.*",
        "passes make them; `raising` has programs of that dialect",
    ),
    (
        "memref.extract_aligned_pointer_as_index",
        "addresses are nobody's",
    ),
    ("memref.memory_space_cast", "not written yet"),
    ("memref.prefetch", "does nothing that shows"),
    ("stablehlo.return", "nothing around it is interpreted"),
    ("tensor.pack", "not written yet"),
    ("tensor.unpack", "not written yet"),
    ("vector.yield", "is not written out"),
];

/// Holds the lists against the rows.
pub(super) fn test() -> Result<(), String> {
    let table = Table::new();
    let mut made: BTreeSet<String> = named::names()
        .map(|name| format!("linalg.{name}"))
        .collect();
    for seed in 0..PROGRAMS {
        made.extend(Program::new(seed, &table).operations);
    }
    // Rows that are drawn seldom: whether they can be.
    for row in table
        .rows
        .iter()
        .filter(|row| !made.contains(row.name))
        .copied()
        .collect::<Vec<_>>()
    {
        if (0..TRIES).any(|seed| Gen::new(seed, &table).operation_of(row)) {
            made.insert(row.name.to_owned());
        }
    }
    let fits = |pattern: &str, name: &str| match pattern.strip_suffix('*') {
        Some(start) => name.starts_with(start),
        None => name == pattern,
    };
    let rows = || dialects::ALL.iter().flat_map(|dialect| dialect.ops);
    let mut complaints = Vec::new();
    for row in rows().filter(|row| is_interpreted(row)) {
        let has_reason = NOT_MADE.iter().any(|(pattern, _)| fits(pattern, row.name));
        let by_hand = NOT_FROM_ROWS.iter().any(|(name, _)| *name == row.name);
        match made.contains(row.name) {
            false if !has_reason && !by_hand => {
                complaints.push(format!("{} is not made", row.name))
            }
            true if has_reason => complaints.push(format!("{} is made", row.name)),
            _ => {}
        }
    }
    for (pattern, _) in NOT_MADE.iter().chain(NOT_FROM_ROWS) {
        if !rows().any(|row| fits(pattern, row.name)) {
            complaints.push(format!("there is no row {pattern}"));
        }
    }
    match complaints.is_empty() {
        true => Ok(()),
        false => Err(complaints.join("\n")),
    }
}
