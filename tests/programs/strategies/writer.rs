//! The text of a program, line by line.

use std::fmt::Write as _;

/// What was written so far.
#[derive(Default)]
pub(super) struct Writer {
    pub(super) text: String,
    /// How many values have a number for their name.
    values: usize,
}

impl Writer {
    pub(super) fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "  {line}");
    }

    /// A number that no name has.
    pub(super) fn fresh(&mut self) -> usize {
        self.values += 1;
        self.values
    }

    /// A name that nothing has.
    pub(super) fn name(&mut self) -> String {
        format!("%v{}", self.fresh())
    }

    /// Defines a value and returns its name.
    pub(super) fn value(&mut self, operation: &str) -> String {
        let name = self.name();
        self.line(&format!("{name} = {operation}"));
        name
    }

    /// Declares the functions that [`print`](Self::print) calls.
    pub(super) fn declare_print(&mut self) {
        self.text
            .push_str("func.func private @printI64(i64)\nfunc.func private @printNewline()\n");
    }

    /// Prints an `i64`.
    pub(super) fn print(&mut self, value: &str) {
        self.line(&format!("func.call @printI64({value}) : (i64) -> ()"));
        self.line("func.call @printNewline() : () -> ()");
    }
}
