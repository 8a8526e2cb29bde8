//! Random valid programs.
//!
//! ```ignore
//! let text = generator::generate(42, &Shape::MIXED);
//! let small = minimize(grow(42, &Shape::MIXED), |text| fails(text));
//! println!("{}", generator::render(&small));
//! ```
//!
//! A program has a `@main` without arguments that prints a checksum with `printI64` after each of its
//! statements. It terminates after a few thousand steps, never reads an element that it has not
//! written, never misuses memory as long as nothing is freed too early, and frees nothing itself
//! unless the [`Shape`] says so. What it reads depends on what it wrote before through every alias,
//! so a buffer that is freed too early, or copied where it must not be, shows in the checksum.
//!
//! [`tree::grow`] makes a tree of statements, [`render`] writes it as text and [`shrink::minimize`]
//! takes away what is not needed to make a test fail. Equal seeds give equal programs.

mod buffers;
mod control;
mod emitter;
mod functions;
mod loops;
mod prelude;
pub(crate) mod rng;
pub(crate) mod shape;
pub(crate) mod shrink;
mod statements;
pub(crate) mod tree;
mod types;
mod views;

use std::collections::BTreeSet;
use std::fmt::Write as _;

use shape::Shape;
use tree::{Program, grow};

/// The text of the program with this seed.
pub(crate) fn generate(seed: u64, shape: &Shape) -> String {
    render(&grow(seed, shape))
}

/// The text of a program.
pub(crate) fn render(program: &Program) -> String {
    let mut helpers = BTreeSet::new();
    let mut summaries = vec![None; program.functions.len()];
    let mut functions = String::new();
    // Callees first: callers want to know about them.
    for position in (0..program.functions.len()).rev() {
        let (text, summary) =
            functions::write_function(program, position, &summaries, &mut helpers);
        functions.push_str(&text);
        summaries[position] = Some(summary);
    }
    let mut text = prelude::text(&helpers);
    for (number, global) in program.globals.iter().enumerate() {
        let constant = if global.constant { "constant " } else { "" };
        let ty = &global.ty;
        let value = if ty.element.is_float() { "3.0" } else { "3" };
        let _ = writeln!(
            text,
            "memref.global \"private\" {constant}@g{number} : {ty} = dense<{value}>"
        );
    }
    text + &functions
}
