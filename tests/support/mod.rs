//! Shared code of the integration tests. Each test binary includes all of it and uses a part.
#![allow(dead_code, reason = "every test binary uses a part of this module")]

pub(crate) mod batch;
pub(crate) mod filecheck;
pub(crate) mod generator;
pub(crate) mod in_process;
pub(crate) mod linalg_programs;
pub(crate) mod native;
pub(crate) mod needs;
pub(crate) mod peer;
pub(crate) mod process;
pub(crate) mod runner;
pub(crate) mod shrinking;
pub(crate) mod stream;
pub(crate) mod tensor_programs;
pub(crate) mod test_dialect;

/// Whether executables for AArch64 have a runtime.
pub(crate) fn has_aarch64_runtime() -> bool {
    let target = needs::AARCH64
        .parse()
        .expect("the triple is one that targets know");
    freehold::backend::link::runtime_object(&target).is_some()
}

/// How many random programs a test tries that usually tries `usual`.
pub(crate) fn n_programs(usual: u64) -> u64 {
    environment_number("FREEHOLD_PROGRAMS").unwrap_or_else(|| usual * effort())
}

/// How many times as much is tried as on every change.
pub(crate) fn effort() -> u64 {
    environment_number("FREEHOLD_EFFORT").unwrap_or(1)
}

/// The seed of the first random program.
pub(crate) fn first_seed() -> u64 {
    environment_number("FREEHOLD_SEED").unwrap_or(0)
}

/// The number that an environment variable holds.
pub(crate) fn environment_number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}
