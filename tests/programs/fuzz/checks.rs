//! What must hold for any text at all. Shared by the mutation test and by the
//! targets of cargo-fuzz.
#![allow(dead_code, reason = "every target uses a part of this module")]

use freehold::exit;

use crate::support::in_process::{Output, freehold};

/// What became of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Outcome {
    /// It is a valid program.
    Accepted,
    /// It got diagnostics.
    Rejected,
}

/// A text gets diagnostics, or is printed in a form that is read and printed
/// as the same text again, in both syntaxes. Generic text does not say for which
/// version of MLIR it is, so what was read from it may be spelled in another way.
///
/// # Panics
/// If that does not hold.
pub(crate) fn parse_verify_print(text: &str) -> Outcome {
    let flags = ["opt", "-", "--allow-unregistered-dialect"];
    let first = freehold(&flags, text);
    if first.status != exit::OK {
        assert_rejected(&first);
        return Outcome::Rejected;
    }
    let again = freehold(&flags, first.stdout.as_str());
    assert_eq!(again.status, exit::OK, "printed text: {}", again.stderr);
    assert_eq!(first.stdout, again.stdout, "printed again");
    let generic_flags = [flags[0], flags[1], flags[2], "--mlir-print-op-generic"];
    let generic = freehold(&generic_flags, text);
    let back = freehold(&flags, generic.stdout);
    assert_eq!(back.status, exit::OK, "generic form: {}", back.stderr);
    if first.stdout != back.stdout {
        let [first, back] = [first, back].map(|text| freehold(&generic_flags, text.stdout).stdout);
        assert_eq!(first, back, "from the generic form");
    }
    Outcome::Accepted
}

/// A text gets diagnostics, or becomes code. Every pass leaves valid IR: in
/// debug builds the manager verifies it.
///
/// # Panics
/// If that does not hold.
pub(crate) fn whole_pipeline(text: &str) -> Outcome {
    let output = freehold(&["compile", "-", "--emit=clif", "-o", "-"], text);
    if output.status == exit::OK {
        return Outcome::Accepted;
    }
    assert_rejected(&output);
    Outcome::Rejected
}

fn assert_rejected(output: &Output) {
    assert_eq!(output.status, exit::FAILURE, "{}", output.stderr);
    assert!(output.stderr.contains("error: "), "{}", output.stderr);
    assert!(
        !output.stderr.contains("internal error"),
        "{}",
        output.stderr
    );
}
