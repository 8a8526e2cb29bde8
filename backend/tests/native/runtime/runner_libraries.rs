//! What the runtime prints is what MLIR's runner libraries print, to the byte.

use std::ffi::OsString;
use std::process::Command;

use libtest_mimic::Trial;

use super::{compile_c, host_object, run};
use crate::needs::{self, trials};

/// The first line in which two outputs differ, with its number.
fn first_difference(ours: &[u8], theirs: &[u8]) -> String {
    let mut pairs = ours
        .split(|&byte| byte == b'\n')
        .zip(theirs.split(|&byte| byte == b'\n'));
    match pairs
        .by_ref()
        .enumerate()
        .find(|(_, (ours, theirs))| ours != theirs)
    {
        Some((line, (ours, theirs))) => format!(
            "line {}:\n  ours   {}\n  theirs {}",
            line + 1,
            ours.escape_ascii(),
            theirs.escape_ascii()
        ),
        None => format!("lengths {} and {}", ours.len(), theirs.len()),
    }
}

fn output_is_the_same() {
    let libraries = needs::RUNNER_LIBRARIES
        .map(|name| needs::find(name).expect("the test says that it needs it"));
    let folder = libraries[0]
        .parent()
        .expect("a library is in a folder")
        .display();
    let mut arguments: Vec<OsString> = vec![format!("-Wl,-rpath,{folder}").into()];
    arguments.extend(libraries.iter().map(OsString::from));
    let ours = compile_c("cc", "print_driver", "ours", &[host_object().into()]);
    let theirs = compile_c("cc", "print_driver", "theirs", &arguments);
    let (ours, theirs) = (run(&mut Command::new(ours)), run(&mut Command::new(theirs)));
    assert!(ours.stdout.len() > 1_000_000, "the driver stopped early");
    assert!(ours.stderr.len() > 10_000, "the driver stopped early");
    for (name, ours, theirs) in [
        ("stdout", &ours.stdout, &theirs.stdout),
        ("stderr", &ours.stderr, &theirs.stderr),
    ] {
        assert!(ours == theirs, "{name}, {}", first_difference(ours, theirs));
    }
}

/// The tests of this module.
pub(crate) fn tests() -> Vec<Trial> {
    trials![
        output_is_the_same needs ["cc", "mlir-runner-libraries"],
    ]
}
