//! cargo-fuzz: any text through the parser, the verifier and the printer.
#![no_main]

#[path = "../checks.rs"]
mod checks;

libfuzzer_sys::fuzz_target!(|text: &str| {
    checks::parse_verify_print(text);
});
