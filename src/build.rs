//! How the executable is linked.

use std::env;

fn main() {
    println!("cargo:rerun-if-changed=src/build.rs");
    // The loader would write the addresses of 65,000 entries of static tables into 700 pages at each start: a quarter of
    // a small compilation. At a fixed address the linker writes them.
    let target = |what| env::var(format!("CARGO_CFG_TARGET_{what}")).unwrap_or_default();
    if target("OS") == "linux" && target("ENV") == "gnu" {
        println!("cargo:rustc-link-arg-bins=-no-pie");
    }
}
