//! Executables and shared libraries: an object file, the runtime and the C library,
//! put together by the C compiler of the target.
//!
//! The linker driver is `$CC` if set (as it is, for any target), else
//! `<triple>-gcc` for another target than the host, else `clang --target` or `cc`.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;
use target_lexicon::BinaryFormat;

use crate::archive;
use crate::isa::{Arch, Target};

include!(env!("FREEHOLD_RUNTIME_OBJECTS"));

/// The runtime as an object file, if it could be built for this target.
pub fn runtime_object(target: &Target) -> Option<&'static [u8]> {
    match target.arch()? {
        Arch::X86_64 => RUNTIME_X86_64,
        Arch::AArch64 => RUNTIME_AARCH64,
    }
}

/// The runtime for a target, or why there is none.
pub(crate) fn runtime_for(target: &Target) -> Result<&'static [u8], String> {
    runtime_object(target).ok_or_else(|| missing_runtime(target))
}

/// Why there is no runtime for a target, as a message.
fn missing_runtime(target: &Target) -> String {
    let arch = match target.arch() {
        Some(Arch::AArch64) => "AARCH64",
        _ => "X86_64",
    };
    format!(
        "the runtime library is not available for target '{target}': install that target for \
         rustc, or name a rustc that has it in RUNTIME_RUSTC_{arch}, and build freehold again"
    )
}

/// Commands that can link for `target`, most preferred first.
fn linkers(target: &Target) -> Vec<Vec<OsString>> {
    if let Some(cc) = std::env::var_os("CC").filter(|cc| !cc.is_empty()) {
        return vec![vec![cc]];
    }
    let mut candidates: Vec<Vec<OsString>> = Vec::new();
    let triple = target.triple();
    if target.is_host() {
        candidates.push(vec!["cc".into()]);
        candidates.push(vec!["gcc".into()]);
        candidates.push(vec!["clang".into()]);
    } else {
        let (arch, env) = (triple.architecture, triple.environment);
        // Debian leaves the vendor out.
        candidates.push(vec![format!("{arch}-linux-{env}-gcc").into()]);
        candidates.push(vec![format!("{triple}-gcc").into()]);
        let target = format!("--target={triple}");
        candidates.push(vec!["clang".into(), target.into()]);
    }
    candidates
}

/// Options of [`link_executable`].
#[derive(Clone, Debug, Default)]
pub struct LinkOptions {
    /// Link everything into one file that needs no shared library.
    pub static_executable: bool,
    /// Shared libraries or objects to link as well.
    pub extra_inputs: Vec<PathBuf>,
    /// Commands to link with instead of the C compiler, most preferred first: those that know of a library.
    pub drivers: Vec<OsString>,
}

/// Why there is no executable. Displays as a message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LinkError {
    /// What went wrong, in the words of the linker if it ran.
    pub message: String,
    /// Symbols that nothing defines, in the order in which the linker named them.
    pub undefined: Vec<String>,
}

impl From<String> for LinkError {
    fn from(message: String) -> Self {
        let mut undefined: IndexSet<&str, FxBuildHasher> = IndexSet::default();
        // What GNU's linkers say, and LLVM's.
        for marker in ["undefined reference to `", "undefined symbol: "] {
            for found in message.split(marker).skip(1) {
                let end = found.find(['\'', '\n']).unwrap_or(found.len());
                undefined.insert(&found[..end]);
            }
        }
        Self {
            undefined: undefined.into_iter().map(str::to_owned).collect(),
            message,
        }
    }
}

impl fmt::Display for LinkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for LinkError {}

/// Links `object`, made by
/// [`compile_to_executable_object`](crate::object::compile_to_executable_object), to an
/// executable at `output`. The file appears only if linking succeeds.
///
/// # Errors
/// If there is no runtime or linker for the target, the linker failed, or a file
/// could not be written.
pub fn link_executable(
    object: &[u8],
    output: &Path,
    target: &Target,
    options: &LinkOptions,
) -> Result<(), LinkError> {
    let mut own: Vec<OsString> = options.extra_inputs.iter().map(OsString::from).collect();
    // Of the runtime, most programs need little.
    if target.triple().binary_format == BinaryFormat::Elf {
        own.push("-Wl,--gc-sections".into());
    }
    if options.static_executable {
        own.push("-static".into());
    }
    link(object, output, target, &options.drivers, |_| Ok(own))
}

/// Links `object`, made by [`compile_to_shared_object`](crate::object::compile_to_shared_object), to a
/// shared library at `output`, in which others see what the program exports, and of the runtime
/// nothing but its reports. Functions of the program that call each other do so whatever else in the
/// process has their names. What it needs besides the C library may be defined by who loads it.
///
/// # Errors
/// As above.
pub fn link_shared(object: &[u8], output: &Path, target: &Target) -> Result<(), LinkError> {
    link(object, output, target, &[], |folder| {
        let mut script = String::from("{\n  global:\n");
        for name in archive::defined_symbols(object)? {
            script += &format!("    \"{name}\";\n");
        }
        for name in DECLARED_IN_HEADERS {
            script += &format!("    {name};\n");
        }
        script += "  local: *;\n};\n";
        let path = folder.join("exports");
        fs::write(&path, script).map_err(|error| cannot_write(&path, &error))?;
        let option = |name: &str, value: &OsStr| {
            let mut option = OsString::from(name);
            option.push(value);
            option
        };
        let name = output.file_name().unwrap_or(output.as_os_str());
        Ok(vec![
            "-shared".into(),
            "-Wl,-Bsymbolic".into(),
            option("-Wl,-soname,", name),
            option("-Wl,--version-script=", path.as_os_str()),
        ])
    })
}

/// What headers declare of the runtime.
const DECLARED_IN_HEADERS: [&str; 4] = [
    "freehold_stats_report",
    "freehold_check_report",
    "freehold_set_threads",
    "freehold_set_pool",
];

/// Links `object` and the runtime with what `own` gives, for which there is a folder.
fn link(
    object: &[u8],
    output: &Path,
    target: &Target,
    drivers: &[OsString],
    own: impl FnOnce(&Path) -> Result<Vec<OsString>, String>,
) -> Result<(), LinkError> {
    // Devices and pipes (`/dev/null`) would be replaced.
    if fs::metadata(output).is_ok_and(|found| !found.is_file()) {
        return Err(format!("cannot write '{}': it is no file", output.display()).into());
    }
    let runtime = runtime_for(target)?;
    let folder = TemporaryFolder::beside(output)?;
    let write = |name: &str, contents: &[u8]| -> Result<PathBuf, String> {
        let path = folder.path.join(name);
        fs::write(&path, contents).map_err(|error| cannot_write(&path, &error))?;
        Ok(path)
    };
    let inputs = [write("program.o", object)?, write("runtime.o", runtime)?];
    let linked = folder.path.join("linked");
    let mut arguments: Vec<OsString> = inputs.iter().map(OsString::from).collect();
    arguments.extend(own(&folder.path)?);
    arguments.extend([
        "-lm".into(),
        "-pthread".into(),
        "-o".into(),
        OsString::from(&linked),
    ]);
    run_linker(target, drivers, &arguments)?;
    fs::rename(&linked, output).map_err(|error| cannot_write(output, &error).into())
}

fn run_linker(target: &Target, drivers: &[OsString], arguments: &[OsString]) -> Result<(), String> {
    let candidates = match drivers {
        [] => linkers(target),
        drivers => drivers.iter().map(|driver| vec![driver.clone()]).collect(),
    };
    for candidate in &candidates {
        let (program, own) = candidate.split_first().expect("commands have a program");
        let outcome = Command::new(program).args(own).args(arguments).output();
        match outcome {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => {
                return Err(format!("cannot run '{}': {error}", program.display()));
            }
            Ok(outcome) if outcome.status.success() => return Ok(()),
            Ok(outcome) => {
                let messages = String::from_utf8_lossy(&outcome.stderr);
                return Err(format!(
                    "linking with '{}' failed: {}",
                    program.display(),
                    messages.trim_end()
                ));
            }
        }
    }
    let tried: Vec<String> = candidates
        .iter()
        .map(|candidate| format!("'{}'", candidate[0].display()))
        .collect();
    Err(format!(
        "no linker for target '{target}' found (tried {}); name one in CC",
        tried.join(", ")
    ))
}

fn cannot_write(path: &Path, error: &std::io::Error) -> String {
    format!("cannot write '{}': {error}", path.display())
}

/// A folder that is deleted at the end.
struct TemporaryFolder {
    path: PathBuf,
}

impl TemporaryFolder {
    /// In the folder of `output`, so that the result can be renamed into place.
    fn beside(output: &Path) -> Result<Self, String> {
        let parent = match output.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        for attempt in 0..1000 {
            let name = format!(".freehold-{}-{attempt}", std::process::id());
            let path = parent.join(name);
            match fs::create_dir(&path) {
                Ok(()) => return Ok(Self { path }),
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(cannot_write(output, &error)),
            }
        }
        Err(format!(
            "cannot write '{}': too many temporary folders",
            output.display()
        ))
    }
}

impl Drop for TemporaryFolder {
    fn drop(&mut self) {
        // Nothing can be done about a folder that stays.
        let _ = fs::remove_dir_all(&self.path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn undefined_symbols_are_found_in_what_linkers_say() {
        let gnu = "program.o: in function `main':\nf: undefined reference to `a'\n\
                   g: undefined reference to `b.c'\nh: undefined reference to `a'";
        assert_eq!(LinkError::from(gnu.to_owned()).undefined, ["a", "b.c"]);
        let llvm = "ld.lld: error: undefined symbol: a\n>>> referenced by x";
        assert_eq!(LinkError::from(llvm.to_owned()).undefined, ["a"]);
        assert!(LinkError::from("no linker".to_owned()).undefined.is_empty());
    }

    #[test]
    fn a_missing_runtime_says_what_to_do() {
        let message = missing_runtime(&"aarch64-unknown-linux-gnu".parse().unwrap());
        assert!(message.contains("RUNTIME_RUSTC_AARCH64"), "{message}");
    }
}
