//! cargo-fuzz: any text through every pass and the code generator.
#![no_main]

#[path = "../checks.rs"]
mod checks;

libfuzzer_sys::fuzz_target!(|text: &str| {
    checks::whole_pipeline(text);
});
