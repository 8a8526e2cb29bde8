//! Tests of the front end that a file test cannot make, and the unit tests of its modules.
//!
//! Unit tests stand beside the code. A module is compiled here a second time, alone, among the public items of the
//! crate: so the whole crate, which takes a minute, is compiled once.

#![allow(
    clippy::unwrap_used,
    reason = "test code; functions that tests share are found outside of one"
)]
#![allow(
    dead_code,
    unreachable_pub,
    unfulfilled_lint_expectations,
    unused_imports,
    reason = "of a module, only what its tests call is used here"
)]

mod integrity;
mod syntax_tests;
mod tables;

#[path = "../../src/bytecode"]
mod bytecode {
    pub use freehold_frontend::bytecode::*;

    mod cursor;
    mod emitter;
    mod section;
}

#[path = "../../src/dialects"]
mod dialects {
    pub use freehold_frontend::dialects::*;

    #[path = "affine"]
    mod affine {
        mod simplify;
    }
    #[path = "linalg"]
    mod linalg {
        mod description;
    }
    #[path = "llvm"]
    pub mod llvm {
        pub use freehold_frontend::dialects::llvm::*;

        mod types;
    }
    #[path = "math"]
    pub mod math {
        pub mod approximations;
    }
    #[path = "memref"]
    mod memref {
        mod types;
    }
    #[path = "shared/const_fold"]
    mod const_fold {
        mod float;
    }
    #[path = "stablehlo"]
    pub mod stablehlo {
        pub mod attributes;
    }
    #[path = "vhlo"]
    mod vhlo {
        mod records;
        mod tables;
        mod version;
    }
}

#[path = "../../src/ir"]
mod ir {
    pub use freehold_frontend::ir::*;

    #[path = "affine.rs"]
    mod affine_alone;
    #[path = "diag.rs"]
    mod diag_alone;
    mod dominance;
    mod exported;
    mod interner;
    mod source_text;
}

#[path = "../../src/syntax"]
mod syntax {
    pub use freehold_frontend::syntax::*;

    mod lexer;
    #[path = "parser"]
    pub mod parser {
        pub use freehold_frontend::syntax::parser::*;

        mod dialect_text;
        pub mod numbers;
    }
    #[path = "printer"]
    pub mod printer {
        pub use freehold_frontend::syntax::printer::*;

        mod numbers;
    }
    mod wide_integers;
}
