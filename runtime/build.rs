//! Tells the build script of the code generator where the source of the runtime is.

use std::env;

fn main() {
    let package = env::var("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR");
    println!("cargo::metadata=source={package}/src");
    println!("cargo::rerun-if-changed=build.rs");
}
