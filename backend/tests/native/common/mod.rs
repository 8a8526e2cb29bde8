//! Runs modules given as text: in this process, as a program of this machine,
//! and as an AArch64 program in an emulator.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Arc;

use freehold_backend::isa::Target;
use freehold_backend::jit::{Jit, compile_to_jit};
use freehold_backend::link::{LinkOptions, link_executable, runtime_object};
use freehold_backend::object::{compile_to_executable_object, compile_to_object};
use freehold_backend::{OptLevel, Options};
use freehold_frontend::dialects;
use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Diagnostics;
use freehold_frontend::syntax::parser::parse_source;
use freehold_frontend::verify::verify;

/// A verified module.
pub(crate) struct Module {
    pub(crate) context: Arc<Context>,
    pub(crate) ir: Ir,
}

impl Module {
    /// Parses and verifies; panics with the diagnostics if that fails.
    pub(crate) fn parse(text: &str) -> Self {
        let context = Arc::new(dialects::context().allow_unregistered_dialects(true));
        let mut diagnostics = Diagnostics::new();
        let file = context.add_source("test.mlir", text, 1).unwrap();
        let ir = parse_source(&context, &file, &mut diagnostics)
            .and_then(|ir| verify(&ir, &mut diagnostics).map(|()| ir))
            .unwrap_or_else(|_| panic!("{}", diagnostics.render_plain(&context)));
        Self { context, ir }
    }

    /// Compiles for this process; panics with the diagnostics if that fails.
    pub(crate) fn jit(&self, options: &Options) -> Jit {
        let mut diagnostics = Diagnostics::new();
        compile_to_jit(&self.ir, options, &mut diagnostics)
            .unwrap_or_else(|_| panic!("{}", diagnostics.render_plain(&self.context)))
    }

    /// What compiling for this process reports.
    pub(crate) fn jit_errors(&self) -> String {
        let mut diagnostics = Diagnostics::new();
        let result = compile_to_jit(&self.ir, &Options::host(), &mut diagnostics);
        assert!(result.is_err(), "compiles without an error");
        diagnostics.render_plain(&self.context)
    }

    /// An object file.
    pub(crate) fn object(&self, options: &Options) -> Vec<u8> {
        let mut diagnostics = Diagnostics::new();
        compile_to_object(&self.ir, &[], options, &mut diagnostics)
            .unwrap_or_else(|_| panic!("{}", diagnostics.render_plain(&self.context)))
    }

    /// Links an executable that runs `@main`.
    pub(crate) fn executable(&self, options: &Options, name: &str) -> PathBuf {
        let mut diagnostics = Diagnostics::new();
        let object =
            compile_to_executable_object(&self.ir, &[], options, "main", &[], &mut diagnostics)
                .unwrap_or_else(|_| panic!("{}", diagnostics.render_plain(&self.context)));
        let arch = options.target.triple().architecture;
        let path = scratch(&format!("{name}-{arch}"));
        let link = LinkOptions {
            static_executable: !options.target.is_host(),
            ..LinkOptions::default()
        };
        link_executable(&object, &path, &options.target, &link).unwrap();
        path
    }

    /// Runs `@main` as a program of this machine.
    pub(crate) fn run_native(&self, options: &Options, name: &str) -> Output {
        Command::new(self.executable(options, name))
            .output()
            .unwrap()
    }

    /// Runs `@main` as an AArch64 program, if there are the tools to do so.
    pub(crate) fn run_aarch64(&self, name: &str) -> Option<Output> {
        let emulator = aarch64_emulator()?;
        let path = self.executable(&Options::new(aarch64()), name);
        Some(Command::new(emulator).arg(path).output().unwrap())
    }

    /// Expects `@main` to return 0 in this process at each level, as a program
    /// of this machine and as an AArch64 program.
    pub(crate) fn expect_zero_everywhere(&self, name: &str) {
        for options in host_options() {
            let results = self.jit(&options).call("main", &[]).unwrap();
            assert_eq!(results[0].as_int(), Some(0), "{:?}", options.opt_level);
        }
        let native = self.run_native(&Options::host(), name);
        assert_eq!(native.status.code(), Some(0));
        if let Some(aarch64) = self.run_aarch64(name) {
            assert_eq!(aarch64.status.code(), Some(0), "AArch64");
        }
    }
}

/// A file that tests may write.
pub(crate) fn scratch(name: &str) -> PathBuf {
    let name = format!("{}-{name}", env!("CARGO_CRATE_NAME"));
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

pub(crate) fn aarch64() -> Target {
    "aarch64-unknown-linux-gnu".parse().unwrap()
}

/// Whether a tool can be started.
pub(crate) fn works(tool: &str) -> bool {
    let output = Command::new(tool).arg("--version").output();
    output.is_ok_and(|output| output.status.success())
}

/// The emulator, if AArch64 programs can be linked and run here.
pub(crate) fn aarch64_emulator() -> Option<&'static str> {
    let reason = if !works("aarch64-linux-gnu-gcc") {
        "aarch64-linux-gnu-gcc does not run"
    } else if !works("qemu-aarch64") {
        "qemu-aarch64 does not run"
    } else if runtime_object(&aarch64()).is_none() {
        "the runtime was not built for AArch64"
    } else {
        return Some("qemu-aarch64");
    };
    eprintln!("SKIPPED: {reason}");
    None
}

/// Options for the host at each level worth testing.
pub(crate) fn host_options() -> [Options; 2] {
    [OptLevel::None, OptLevel::Default].map(|opt_level| Options {
        opt_level,
        ..Options::host()
    })
}
