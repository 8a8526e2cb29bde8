//! cargo-fuzz: any text through every pass and the code generator.
#![no_main]

/// What the checks need of the tests' own code.
#[path = "../../../support"]
mod support {
    pub(crate) mod in_process;
    pub(crate) mod stream;
    pub(crate) mod test_dialect;
}

#[path = "../checks.rs"]
mod checks;

libfuzzer_sys::fuzz_target!(|text: &str| {
    checks::whole_pipeline(text);
});
