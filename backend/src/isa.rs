//! Targets: which machines code is generated for, and Cranelift's settings.
//!
//! Unless told otherwise, code for the JIT uses what the processor at hand has
//! (SSE4.1, FMA, ...), and code for objects the baseline of the architecture, so
//! that it runs anywhere; what that lacks (rounding, fused multiply-add on x86-64)
//! becomes a call of the C library.

use std::fmt;
use std::str::FromStr;

use cranelift_codegen::isa::{self, OwnedTargetIsa};
use cranelift_codegen::settings::{self, Configurable};
use target_lexicon::{Architecture, BinaryFormat, Environment, OperatingSystem, Triple};

/// How much effort goes into the generated code.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum OptLevel {
    /// `-O0`: compile as fast as possible.
    None,
    /// `-O1`: optimize, and keep the code small.
    Less,
    /// `-O2`
    #[default]
    Default,
    /// `-O3`
    Aggressive,
}

impl OptLevel {
    /// The level that `-O<digit>` means.
    pub fn from_digit(digit: u8) -> Option<Self> {
        match digit {
            0 => Some(Self::None),
            1 => Some(Self::Less),
            2 => Some(Self::Default),
            3 => Some(Self::Aggressive),
            _ => None,
        }
    }
}

/// A machine and operating system to generate code for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Target {
    triple: Triple,
}

/// Why a target name was refused. Displays as a diagnostic message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownTarget(String);

impl fmt::Display for UnknownTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "unknown target '{}': supported are {}",
            self.0,
            Target::SUPPORTED.join(" and ")
        )
    }
}

impl std::error::Error for UnknownTarget {}

impl FromStr for Target {
    type Err = UnknownTarget;

    fn from_str(name: &str) -> Result<Self, UnknownTarget> {
        let refused = || UnknownTarget(name.to_owned());
        let mut triple = Triple::from_str(name).map_err(|_| refused())?;
        // An architecture alone is Linux on it, and Linux alone is that with GNU's C library.
        let is_unknown = triple.operating_system == OperatingSystem::Unknown
            && triple.environment == Environment::Unknown;
        if is_unknown && !name.contains('-') {
            triple.operating_system = OperatingSystem::Linux;
            triple.binary_format = BinaryFormat::Elf;
        }
        if triple.operating_system == OperatingSystem::Linux
            && triple.environment == Environment::Unknown
        {
            triple.environment = Environment::Gnu;
        }
        let target = Self { triple };
        if target != Self::host() {
            target.arch().ok_or_else(refused)?;
            if target.triple.operating_system != OperatingSystem::Linux {
                return Err(refused());
            }
        }
        Ok(target)
    }
}

/// The architectures whose calling convention [`crate::abi`] knows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arch {
    /// x86-64 with the System V calling convention.
    X86_64,
    /// AArch64 with AAPCS64.
    AArch64,
}

impl Target {
    /// What [`Target::from_str`] accepts besides the host, in full.
    pub const SUPPORTED: [&'static str; 2] =
        ["x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu"];

    /// The machine this process runs on.
    pub fn host() -> Self {
        Self {
            triple: Triple::host(),
        }
    }

    /// The name, `x86_64-unknown-linux-gnu`.
    pub fn triple(&self) -> &Triple {
        &self.triple
    }

    /// The architecture, if it is a supported one.
    pub fn arch(&self) -> Option<Arch> {
        match self.triple.architecture {
            Architecture::X86_64 => Some(Arch::X86_64),
            Architecture::Aarch64(_) => Some(Arch::AArch64),
            _ => None,
        }
    }

    /// Whether code for this target runs in this process.
    pub fn is_host(&self) -> bool {
        let host = Triple::host();
        self.triple.architecture == host.architecture
            && self.triple.operating_system == host.operating_system
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.triple.fmt(f)
    }
}

/// What the code is for; decides which processor features and relocations it may use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Purpose {
    /// Runs in this process.
    Jit,
    /// Goes into an object file.
    Object {
        /// See [`crate::options::Options::position_independent`].
        position_independent: bool,
    },
}

/// Cranelift's names of the features of the processor at hand.
pub(crate) fn native_settings() -> Result<Vec<&'static str>, String> {
    let builder = cranelift_native::builder().map_err(str::to_owned)?;
    let isa = builder
        .finish(settings::Flags::new(settings::builder()))
        .map_err(|error| error.to_string())?;
    let enabled = isa.isa_flags().into_iter();
    let enabled = enabled.filter(|setting| setting.as_bool() == Some(true));
    Ok(enabled.map(|setting| setting.name).collect())
}

/// Cranelift's description of the machine, whose processor has these features, by Cranelift's names; the
/// message of an error is a diagnostic.
pub(crate) fn build(
    target: &Target,
    features: Option<&[&'static str]>,
    opt_level: OptLevel,
    purpose: Purpose,
) -> Result<OwnedTargetIsa, String> {
    let is_pic = match purpose {
        Purpose::Jit => false,
        Purpose::Object {
            position_independent,
        } => position_independent,
    };
    let mut flags = settings::builder();
    let mut set = |name: &str, value: &str| {
        flags
            .set(name, value)
            .expect("names and values are those of this version of Cranelift");
    };
    set(
        "opt_level",
        match opt_level {
            OptLevel::None => "none",
            OptLevel::Less => "speed_and_size",
            OptLevel::Default | OptLevel::Aggressive => "speed",
        },
    );
    set("is_pic", if is_pic { "true" } else { "false" });
    // The CLIF verifier finds mistakes of this crate, not of its users.
    let verify = if cfg!(debug_assertions) {
        "true"
    } else {
        "false"
    };
    set("enable_verifier", verify);
    // Three integer registers for results, as LLVM has, and 128-bit integers.
    set("enable_llvm_abi_extensions", "true");
    // Large frames must not jump over the guard page.
    set("enable_probestack", "true");
    set("probestack_strategy", "inline");
    set("unwind_info", "true");
    let unsupported = |_| format!("target '{target}' is not supported");
    let mut builder = match (purpose, features) {
        (Purpose::Jit, None) => cranelift_native::builder().map_err(str::to_owned)?,
        _ => isa::lookup(target.triple.clone()).map_err(unsupported)?,
    };
    for feature in features.unwrap_or_default() {
        builder
            .enable(feature)
            .map_err(|error| format!("target '{target}' has no '{feature}': {error}"))?;
    }
    builder
        .finish(settings::Flags::new(flags))
        .map_err(|error| format!("target '{target}' is not supported: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_names_mean_linux_with_gnu_libraries() {
        for name in Target::SUPPORTED {
            let target: Target = name.parse().unwrap();
            let arch = name.split('-').next().unwrap();
            for short in [
                arch.to_owned(),
                format!("{arch}-linux"),
                format!("{arch}-linux-gnu"),
            ] {
                let named: Target = short.parse().unwrap();
                assert_eq!(
                    (&named, named.to_string()),
                    (&target, name.to_owned()),
                    "{short}"
                );
            }
        }
        let musl: Target = "aarch64-linux-musl".parse().unwrap();
        assert_eq!(musl.to_string(), "aarch64-unknown-linux-musl");
    }

    #[test]
    fn accepts_supported_targets_only() {
        for name in Target::SUPPORTED {
            let target: Target = name.parse().unwrap();
            assert!(
                build(
                    &target,
                    None,
                    OptLevel::Default,
                    Purpose::Object {
                        position_independent: true
                    }
                )
                .is_ok()
            );
        }
        for name in [
            "",
            "riscv64gc-unknown-linux-gnu",
            "aarch64-apple-darwin",
            "z80",
        ] {
            let refused = name.parse::<Target>().unwrap_err().to_string();
            assert!(
                refused.starts_with(&format!("unknown target '{name}'")),
                "{refused}"
            );
        }
    }

    #[test]
    fn the_host_can_be_compiled_for() {
        assert!(build(&Target::host(), None, OptLevel::None, Purpose::Jit).is_ok());
    }
}
