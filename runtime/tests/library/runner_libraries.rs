//! What the runtime prints is what MLIR's runner libraries print, to the byte.

use std::env;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;

use crate::common;

const LIBRARIES: [&str; 3] = [
    "mlir_runner_utils",
    "mlir_c_runner_utils",
    "mlir_float16_utils",
];

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

#[test]
fn output_is_the_same() {
    let directory: PathBuf = env::var_os("MLIR_RUNNER_LIBS")
        .unwrap_or_else(|| "/usr/lib/llvm-19/lib".into())
        .into();
    if let Some(missing) = LIBRARIES
        .map(|name| directory.join(format!("lib{name}.so")))
        .iter()
        .find(|path| !path.exists())
    {
        return common::skip(&format!(
            "{} does not exist (MLIR_RUNNER_LIBS)",
            missing.display()
        ));
    }
    let Some(object) = common::runtime_object() else {
        return;
    };
    let Some(ours) = common::compile_c("print_driver", "ours", &[object.into()]) else {
        return;
    };
    let mut libraries: Vec<OsString> = vec![
        format!("-L{0}", directory.display()).into(),
        format!("-Wl,-rpath,{}", directory.display()).into(),
    ];
    libraries.extend(LIBRARIES.map(|name| format!("-l{name}").into()));
    let Some(theirs) = common::compile_c("print_driver", "theirs", &libraries) else {
        return;
    };
    let (ours, theirs) = (
        common::run(&mut Command::new(ours)),
        common::run(&mut Command::new(theirs)),
    );
    assert!(ours.stdout.len() > 1_000_000, "the driver stopped early");
    assert!(ours.stderr.len() > 10_000, "the driver stopped early");
    for (name, ours, theirs) in [
        ("stdout", &ours.stdout, &theirs.stdout),
        ("stderr", &ours.stderr, &theirs.stderr),
    ] {
        assert!(ours == theirs, "{name}, {}", first_difference(ours, theirs));
    }
}
