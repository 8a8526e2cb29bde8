//! Runs modules given as text: in this process, as a program of this machine,
//! and as an AArch64 program in an emulator.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Arc;

use freehold_backend::isa::Target;
use freehold_backend::jit::{Jit, compile_to_jit};
use freehold_backend::link::{LinkOptions, link_executable};
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

    /// Runs `@main` as an AArch64 program.
    pub(crate) fn run_aarch64(&self, name: &str) -> Output {
        let path = self.executable(&Options::new(aarch64()), name);
        Command::new("qemu-aarch64").arg(path).output().unwrap()
    }

    /// Expects `@main` to return 0: on this machine in this process at each level and as a program.
    pub(crate) fn expect_zero(&self, machine: Machine, name: &str) {
        if machine == Machine::Host {
            for options in host_options() {
                let results = self.jit(&options).call("main", &[]).unwrap();
                assert_eq!(results[0].as_int(), Some(0), "{:?}", options.opt_level);
            }
        }
        self.expect_program_to_return_zero(machine, name);
    }

    /// Expects `@main` to return 0 as a program.
    pub(crate) fn expect_program_to_return_zero(&self, machine: Machine, name: &str) {
        let output = match machine {
            Machine::Host => self.run_native(&Options::host(), name),
            Machine::AArch64 => self.run_aarch64(name),
        };
        assert_eq!(output.status.code(), Some(0), "{machine:?}");
    }
}

/// Where a program runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Machine {
    Host,
    /// In an emulator.
    AArch64,
}

/// Trials of functions of this module that take a machine, one on each.
macro_rules! everywhere {
    ($($test:ident),+ $(,)?) => {{
        use $crate::common::Machine;
        let mut trials = Vec::new();
        $(
            let name = $crate::needs::name(concat!(module_path!(), "::", stringify!($test)));
            trials.push($crate::needs::trial(name, &[], || {
                $test(Machine::Host);
                Ok(())
            }));
            let name = format!("{name} (AArch64)");
            trials.push($crate::needs::trial(name, &["aarch64"], || {
                $test(Machine::AArch64);
                Ok(())
            }));
        )+
        trials
    }};
}
pub(crate) use everywhere;

/// A file that tests may write.
pub(crate) fn scratch(name: &str) -> PathBuf {
    let name = format!("{}-{name}", env!("CARGO_CRATE_NAME"));
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

pub(crate) fn aarch64() -> Target {
    crate::needs::AARCH64.parse().unwrap()
}

/// Options for the host at each level worth testing.
pub(crate) fn host_options() -> [Options; 2] {
    [OptLevel::None, OptLevel::Default].map(|opt_level| Options {
        opt_level,
        ..Options::host()
    })
}
