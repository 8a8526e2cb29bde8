//! How the executable is linked.

use std::env;

fn main() {
    println!("cargo:rerun-if-changed=src/build.rs");
    // The loader would write 65,000 addresses into 700 pages of static tables at each start: one of the nine milliseconds
    // that a small compilation takes. At a fixed address the linker writes them. Libraries, heap and stack still move.
    let target = |what| env::var(format!("CARGO_CFG_TARGET_{what}")).unwrap_or_default();
    if target("OS") == "linux" && target("ENV") == "gnu" {
        println!("cargo:rustc-link-arg-bins=-no-pie");
    }
}
