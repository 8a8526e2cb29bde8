//! Tensors of all shapes, whose slices go through functions, loops, casts and buffers.

use crate::support::generator::rng::Rng;
use crate::support::tensor_programs::generate;
use crate::support::tensor_programs::interpret::interpret;
use crate::support::tensor_programs::write::{Output, write};

/// The program with this seed.
pub(crate) fn generate(seed: u64) -> String {
    let mut rng = Rng::new(seed);
    loop {
        let program = generate::generate(&mut rng);
        if interpret(&program).is_some() {
            return write(&program, Output::Print);
        }
    }
}
