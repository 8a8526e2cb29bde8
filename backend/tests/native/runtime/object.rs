//! The runtime as one object file: it must stand on the C library alone, and export exactly
//! what [`freehold_runtime::SYMBOLS`] lists.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use libtest_mimic::Trial;

use super::{aarch64_object, host_object, run};
use crate::needs::trials;

/// What a C library provides, and the memory functions rustc itself calls.
const ALLOWED: &[&str] = &[
    "__errno_location",
    "abort",
    "aligned_alloc",
    "bcmp",
    "calloc",
    "clock_gettime",
    "exit",
    "fclose",
    "ferror",
    "fflush",
    "fopen",
    "fprintf",
    "fputc",
    "fputs",
    "fread",
    "free",
    "fwrite",
    "malloc",
    "memcmp",
    "memcpy",
    "memmove",
    "memset",
    "mmap",
    "munmap",
    "pthread_cond_broadcast",
    "pthread_cond_init",
    "pthread_cond_signal",
    "pthread_cond_wait",
    "pthread_create",
    "pthread_detach",
    "pthread_mutex_init",
    "pthread_mutex_lock",
    "pthread_mutex_unlock",
    "pthread_self",
    "realpath",
    "sched_yield",
    "sem_init",
    "sem_post",
    "sem_trywait",
    "sem_wait",
    "snprintf",
    "stderr",
    "stdout",
    "strerror",
    "strlen",
    "strtod",
    "strtof",
];

/// Atomic operations of AArch64, from libgcc.
const OUTLINE_ATOMICS: &str = "__aarch64_";

fn symbols(object: &Path, option: &str) -> BTreeSet<String> {
    let output = run(Command::new("nm").args(["-g", "-P", option]).arg(object));
    let text = String::from_utf8(output.stdout).expect("symbol names are ASCII");
    text.lines()
        .filter_map(|line| line.split(' ').next())
        .map(String::from)
        .collect()
}

fn check_undefined(object: &Path) {
    let undefined = symbols(object, "-u");
    assert!(undefined.contains("malloc"), "{undefined:?}");
    let unexpected: Vec<_> = undefined
        .iter()
        .filter(|name| !ALLOWED.contains(&name.as_str()) && !name.starts_with(OUTLINE_ATOMICS))
        .collect();
    assert!(unexpected.is_empty(), "undefined symbols: {unexpected:?}");
}

fn needs_nothing_but_the_c_library() {
    check_undefined(host_object());
}

fn exports_what_the_symbol_list_says() {
    let listed: BTreeSet<String> = freehold_runtime::SYMBOLS
        .iter()
        .map(|symbol| symbol.name.to_string())
        .collect();
    assert_eq!(
        listed.len(),
        freehold_runtime::SYMBOLS.len(),
        "a name is listed twice"
    );
    assert!(
        freehold_runtime::SYMBOLS
            .iter()
            .all(|symbol| !symbol.address().is_null())
    );
    let defined = symbols(host_object(), "--defined-only");
    // What Rust mangles is internal.
    let exported: BTreeSet<String> = defined
        .into_iter()
        .filter(|name| !name.starts_with("_R") && !name.starts_with("_ZN"))
        .collect();
    assert_eq!(exported, listed);
}

fn compiles_for_aarch64() {
    check_undefined(aarch64_object());
}

/// The tests of this module.
pub(crate) fn tests() -> Vec<Trial> {
    trials![
        needs_nothing_but_the_c_library needs ["nm"],
        exports_what_the_symbol_list_says needs ["nm"],
        compiles_for_aarch64 needs ["nm", "aarch64"],
    ]
}
