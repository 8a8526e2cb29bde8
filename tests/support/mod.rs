//! Shared code of the integration tests. Each test binary includes all of it and uses a part.
#![allow(dead_code, reason = "every test binary uses a part of this module")]

pub(crate) mod batch;
pub(crate) mod filecheck;
pub(crate) mod generator;
pub(crate) mod in_process;
pub(crate) mod native;
pub(crate) mod peer;
pub(crate) mod process;
pub(crate) mod runner;
pub(crate) mod shrinking;
pub(crate) mod stream;
pub(crate) mod tensor_programs;

/// The number that an environment variable holds, e.g. how many random programs a test tries.
pub(crate) fn environment_number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}
