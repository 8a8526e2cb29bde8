//! Hands on where the objects of the runtime are, which that crate's build script made.

use std::env;

fn main() {
    let objects =
        env::var("DEP_FREEHOLD_RUNTIME_OBJECTS").expect("the runtime says where they are");
    println!("cargo::rustc-env=FREEHOLD_RUNTIME_OBJECTS={objects}");
    println!("cargo::rerun-if-changed=build.rs");
}
