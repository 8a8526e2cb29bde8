//! Compiles the runtime to one object file per target, for programs that stand
//! alone, and tells the build script of the code generator where they are: that
//! crate has features, and with each set of them its own script would run again.
//!
//! The compiler is `$RUNTIME_RUSTC_X86_64` or `$RUNTIME_RUSTC_AARCH64` if set, else
//! the one that builds this crate, which has a core library for other targets
//! than the host only if it was installed. Where there is none, an object that
//! came with the package (`prebuilt/`, made by `.ci/package`) takes its place.
//! Without either, programs for that target can be compiled but not linked; set
//! `FREEHOLD_RUNTIME_WARNINGS` to see why.

use std::env;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const ARCHITECTURES: [(&str, &str); 2] = [
    ("X86_64", "x86_64-unknown-linux-gnu"),
    ("AARCH64", "aarch64-unknown-linux-gnu"),
];

fn main() {
    let package = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src");
    // A path that is not there would count as changed, every time.
    if Path::new("prebuilt").exists() {
        println!("cargo::rerun-if-changed=prebuilt");
    }
    println!("cargo::rerun-if-env-changed=FREEHOLD_RUNTIME_WARNINGS");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let mut code = String::new();
    for (arch, target) in ARCHITECTURES {
        let variable = format!("RUNTIME_RUSTC_{arch}");
        println!("cargo::rerun-if-env-changed={variable}");
        let rustc = env::var_os(&variable)
            .filter(|rustc| !rustc.is_empty())
            .or_else(|| env::var_os("RUSTC"))
            .unwrap_or_else(|| "rustc".into());
        let object = out.join(format!("runtime-{arch}.o"));
        let outcome = Command::new(rustc)
            .args(["--edition", "2024", "--crate-type", "lib"])
            .args(["--crate-name", "freehold_runtime", "--emit", "obj"])
            .args(["-Copt-level=3", "-Cpanic=abort", "-Cforce-unwind-tables=no"])
            .args(["-Crelocation-model=pic", "-Ccodegen-units=1"])
            // Lints are checked where the crate itself is built.
            .args(["--cap-lints", "allow", "--target", target])
            .arg(package.join("src/lib.rs"))
            .arg("-o")
            .arg(&object)
            // Cargo's wrappers and flags are meant for the host.
            .env_remove("RUSTFLAGS")
            .output();
        let failure = match outcome {
            Ok(outcome) if outcome.status.success() && object.exists() => None,
            Ok(outcome) => Some(String::from_utf8_lossy(&outcome.stderr).into_owned()),
            Err(error) => Some(error.to_string()),
        };
        let prebuilt = package.join(format!("prebuilt/runtime-{arch}.o"));
        let value = match (&failure, prebuilt.exists()) {
            (None, _) => format!("Some(include_bytes!({object:?}))"),
            (Some(_), true) => format!("Some(include_bytes!({prebuilt:?}))"),
            (Some(_), false) => "None".to_owned(),
        };
        // Writing to a string cannot fail.
        let _ = writeln!(code, "static RUNTIME_{arch}: Option<&[u8]> = {value};");
        if let Some(failure) = failure
            && !prebuilt.exists()
            && env::var_os("FREEHOLD_RUNTIME_WARNINGS").is_some()
        {
            let reason = failure.lines().next().unwrap_or("no reason given");
            println!("cargo::warning=no runtime object for {target}: {reason}");
        }
    }
    let objects = out.join("runtime_objects.rs");
    fs::write(&objects, code).expect("OUT_DIR is writable");
    println!("cargo::metadata=objects={}", objects.display());
}
