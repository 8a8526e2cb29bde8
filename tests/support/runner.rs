//! Runs the `RUN:` lines of a test file, in the manner of LLVM's lit.
//!
//! ```mlir
//! // RUN: freehold opt %s --buffer-hoisting | FileCheck %s
//! // RUN: not freehold opt %s --no-such-flag 2>&1 | FileCheck %s --check-prefix=BAD
//! // REQUIRES: mlir-opt-19
//! ```
//!
//! `%s` is the file, `%S` its folder, `%t` a path for temporary files that no other test uses, `%T`
//! the folder of that, `%%` a percent sign, `%freehold` our program for others to run,
//! `%mlir_runner_utils` and `%mlir_c_runner_utils` MLIR's runner libraries; a `\` at the end continues
//! a line in the next `RUN:`.
//! `freehold` runs inside the test process, except for subcommands that execute native code and
//! after `env NAME=VALUE`; a program that hangs is killed. `FileCheck` is ours. `not` wants a command to fail, `not --crash`
//! wants it to crash. Every command of a pipeline must succeed, and none prints a diagnostic twice for one place.
//!
//! [`TestFile::on_aarch64`] is the same test with every `freehold run` replaced by an AArch64
//! executable in an emulator.

mod shell;

use std::env;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use freehold::Io;

use super::filecheck;
use super::needs::{self, AARCH64};
use super::peer;
use super::process::{self, Finished, Stderr};
use super::stream::Buffer;
use super::{effort, test_dialect};
use shell::Target;

/// The other programs that RUN lines may call. A program at `%t` may be called as well.
const PROGRAMS: [&str; 13] = [
    "aarch64-linux-gnu-gcc",
    "cat",
    "cc",
    "diff",
    "gdb",
    "llvm-dwarfdump-19",
    "mlir-cpu-runner-19",
    "mlir-opt-19",
    "mlir-opt-22",
    "nm",
    "perf",
    "qemu-aarch64",
    "qemu-x86_64",
];

/// Subcommands that execute native code, which prints to the streams of its process and may hang.
const CHILD_SUBCOMMANDS: [&str; 3] = ["bench", "reduce", "run"];

/// From this exit status on, a command counts as crashed: 128 plus a signal.
const FIRST_CRASH_STATUS: i32 = 128;

/// A file with RUN lines.
#[derive(Debug)]
pub(crate) struct TestFile {
    path: PathBuf,
    runs: Vec<Run>,
    requires: Vec<String>,
    timeout: Duration,
    /// Where to put executables, if programs run as AArch64 executables.
    aarch64: Option<PathBuf>,
}

/// A RUN line, continuation lines included.
#[derive(Clone, Debug)]
struct Run {
    line: usize,
    script: shell::Script,
    /// The line after substitution.
    text: String,
}

impl TestFile {
    /// Reads the RUN lines of `text`, the file at `path`; `None` when there are none. Temporary
    /// files go to `scratch`, which belongs to this test alone.
    pub(crate) fn parse(path: &Path, text: &str, scratch: &Path) -> Result<Option<Self>, String> {
        let mut runs = Vec::new();
        let mut requires = Vec::new();
        let mut pending: Option<(usize, String)> = None;
        for (index, line) in text.lines().enumerate() {
            let located = |message: String| format!("{}:{}: {message}", path.display(), index + 1);
            if let Some(names) = keyword(line, "REQUIRES:") {
                for name in names.split(',').map(str::trim) {
                    if !needs::is_known(name) {
                        return Err(located(format!("unknown requirement '{name}'")));
                    }
                    requires.push(name.to_string());
                }
            }
            let Some(command) = keyword(line, "RUN:") else {
                continue;
            };
            let (start, mut text) = pending.take().unwrap_or((index + 1, String::new()));
            if let Some(head) = command.strip_suffix('\\') {
                text.push_str(head);
                pending = Some((start, text));
                continue;
            }
            text.push_str(command);
            let text = substitute(&text, path, scratch);
            let script = shell::parse(&text).map_err(located)?;
            runs.push(Run {
                line: start,
                script,
                text,
            });
        }
        if let Some((line, _)) = pending {
            return Err(format!(
                "{}:{line}: RUN line is not continued",
                path.display()
            ));
        }
        let timeout = process::TIMEOUT;
        let file = Self {
            path: path.into(),
            runs,
            requires,
            timeout,
            aarch64: None,
        };
        Ok(Some(file).filter(|file| !file.runs.is_empty()))
    }

    /// Sets the time after which a command is killed.
    pub(crate) fn with_timeout(self, timeout: Duration) -> Self {
        Self { timeout, ..self }
    }

    /// The test with its `freehold run` commands on AArch64, executables going to `scratch`; only
    /// the RUN lines that have such a command, and `None` if there are none. What `run` can do and
    /// `compile` cannot stays with this machine. As emulation is slow, of many such lines a change
    /// is tried on the first and the last.
    pub(crate) fn on_aarch64(&self, scratch: &Path) -> Option<Self> {
        let is_native = |command: &shell::Command| {
            let words = Expected::of(&command.words).words;
            words.starts_with(&["freehold".into(), "run".into()])
                && !words.iter().any(|word| is_jit_flag(word) || word == "-")
        };
        let mut runs: Vec<Run> = (self.runs.iter())
            .filter(|run| run.script.iter().flatten().any(is_native))
            .cloned()
            .collect();
        if effort() == 1 && runs.len() > 2 {
            runs.drain(1..runs.len() - 1);
        }
        Some(Self {
            path: self.path.clone(),
            runs,
            requires: [self.requires.as_slice(), &["aarch64".into()]].concat(),
            timeout: self.timeout,
            aarch64: Some(scratch.into()),
        })
        .filter(|file| !file.runs.is_empty())
    }

    /// What the test needs.
    pub(crate) fn requires(&self) -> &[String] {
        &self.requires
    }

    /// The words of all commands of RUN lines.
    pub(crate) fn commands(&self) -> impl Iterator<Item = &[String]> {
        let commands = self.runs.iter().flat_map(|run| run.script.iter().flatten());
        commands.map(|command| command.words.as_slice())
    }

    /// Runs the RUN lines one after the other; the error is a report for people.
    pub(crate) fn execute(&self) -> Result<(), String> {
        for run in &self.runs {
            for pipeline in &run.script {
                self.run_pipeline(pipeline).map_err(|failure| {
                    let path = self.path.display();
                    format!(
                        "{path}:{}: RUN line failed\n$ {}\n{failure}",
                        run.line,
                        run.text.trim()
                    )
                })?;
            }
        }
        Ok(())
    }

    fn run_pipeline(&self, pipeline: &[shell::Command]) -> Result<(), String> {
        let mut piped = Vec::new();
        for command in pipeline {
            let name = command.words.join(" ");
            let stdin = match &command.stdin {
                Some(file) => fs::read(file).map_err(|error| format!("{file}: {error}"))?,
                None => std::mem::take(&mut piped),
            };
            let expected = Expected::of(&command.words);
            let merged = command.stderr == command.stdout;
            let stderr = if merged {
                Stderr::Merged
            } else {
                Stderr::Separate
            };
            let finished = self
                .run_command(expected.words, &stdin, stderr)
                .map_err(|error| format!("{name}\n{error}"))?;
            if let Err(wrong) = expected.check(finished.status) {
                return Err(describe(&name, &wrong, &finished));
            }
            if expected
                .words
                .first()
                .is_some_and(|word| word == "freehold")
                && let Some(line) = repeated(&finished)
            {
                let wrong = format!("every diagnostic once, not twice\n  {line}");
                return Err(describe(&name, &wrong, &finished));
            }
            for (target, text) in [
                (&command.stdout, finished.stdout),
                (&command.stderr, finished.stderr),
            ] {
                match target {
                    Target::Pipe => piped.extend(text),
                    Target::Report => {}
                    // Merged streams arrive as standard output.
                    Target::File { .. } if merged && text.is_empty() => {}
                    Target::File { path, append } => write_file(path, *append, &text)?,
                }
            }
        }
        Ok(())
    }

    fn run_command(
        &self,
        words: &[String],
        stdin: &[u8],
        stderr: Stderr,
    ) -> Result<Finished, String> {
        let (program, arguments) = words
            .split_first()
            .ok_or("expected a command after 'not'")?;
        let file = match program.as_str() {
            "FileCheck" => return file_check(arguments, stdin),
            "freehold" => {
                let subcommand = arguments.first().map_or("", String::as_str);
                if let Some(scratch) = self.aarch64.as_deref().filter(|_| subcommand == "run") {
                    return self.run_on_aarch64(&arguments[1..], scratch, stderr);
                }
                if !CHILD_SUBCOMMANDS.contains(&subcommand) {
                    return run_in_process(words, stdin, stderr, self.timeout);
                }
                PathBuf::from(env!("CARGO_BIN_EXE_freehold"))
            }
            "env" => {
                let (name, value) = (arguments.first())
                    .and_then(|assignment| assignment.split_once('='))
                    .ok_or("expected one assignment after 'env'")?;
                if arguments.get(1).is_none_or(|program| program != "freehold") {
                    return Err("expected 'freehold' after the assignment".into());
                }
                let mut command = Command::new(env!("CARGO_BIN_EXE_freehold"));
                command.env(name, value).args(&arguments[2..]);
                return process::run(&mut command, stdin, stderr, self.timeout);
            }
            // Something that an earlier command made.
            path if path.starts_with('/') => PathBuf::from(path),
            name if PROGRAMS.contains(&name) => {
                peer::find(name).ok_or_else(|| format!("{name} is not installed: add REQUIRES"))?
            }
            name => {
                return Err(format!(
                    "'{name}' is not among the programs that RUN lines may call"
                ));
            }
        };
        process::run(
            Command::new(file).args(arguments),
            stdin,
            stderr,
            self.timeout,
        )
    }

    /// `freehold run` with these arguments, as an AArch64 executable.
    fn run_on_aarch64(
        &self,
        arguments: &[String],
        scratch: &Path,
        stderr: Stderr,
    ) -> Result<Finished, String> {
        let program = scratch.join("aarch64-program");
        let target = format!("--target={AARCH64}");
        let mut words: Vec<String> = ["freehold", "compile", "--emit=exe", "--static", &target]
            .map(String::from)
            .into();
        words.extend(["-o".into(), program.display().to_string()]);
        words.extend_from_slice(arguments);
        let compiled = run_in_process(&words, b"", stderr, self.timeout)?;
        if compiled.status != 0 {
            return Ok(compiled);
        }
        let emulator = peer::find("qemu-aarch64").ok_or("qemu-aarch64 is not installed")?;
        let mut command = Command::new(emulator);
        let ran = process::run(command.arg(program), b"", stderr, self.timeout)?;
        // `run` says what the compiler has to say first.
        Ok(Finished {
            status: ran.status,
            stdout: [compiled.stdout, ran.stdout].concat(),
            stderr: [compiled.stderr, ran.stderr].concat(),
        })
    }
}

/// A diagnostic that is printed twice for one place.
pub(crate) fn repeated(finished: &Finished) -> Option<String> {
    let is_diagnostic = |line: &&str| {
        let marks = [": error: ", ": warning: ", ": remark: "];
        let place = marks.iter().find_map(|mark| line.split_once(mark));
        place.is_some_and(|(place, _)| {
            let mut numbers = place.rsplit(':').take(2);
            let is_number =
                |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
            place.contains(':') && numbers.all(is_number)
        })
    };
    // With both streams in one, diagnostics are in the first.
    [&finished.stdout, &finished.stderr]
        .into_iter()
        .find_map(|stream| {
            let text = String::from_utf8_lossy(stream);
            let mut lines: Vec<&str> = text.lines().filter(is_diagnostic).collect();
            lines.sort_unstable();
            let pair = lines.windows(2).find(|pair| pair[0] == pair[1])?;
            Some(pair[0].to_owned())
        })
}

/// What `freehold run` knows and `freehold compile` does not.
const JIT_FLAGS: [&str; 9] = [
    "entry-point-result",
    "input",
    "max-elements",
    "output",
    "perf",
    "repeat",
    "shared-libs",
    "time",
    "function",
];

fn is_jit_flag(word: &str) -> bool {
    let flag = word.trim_start_matches('-');
    flag != word && JIT_FLAGS.iter().any(|name| flag.starts_with(name))
}

fn aarch64() -> freehold::backend::isa::Target {
    AARCH64.parse().expect("this target is supported")
}

/// The text after `keyword` on a line.
fn keyword<'a>(line: &'a str, keyword: &str) -> Option<&'a str> {
    let at = line.find(keyword)?;
    let before = line[..at].trim();
    // Comment marks only: prose may mention the keyword.
    before
        .chars()
        .all(|c| matches!(c, '/' | '#' | ';'))
        .then(|| line[at + keyword.len()..].trim())
}

fn substitute(line: &str, path: &Path, scratch: &Path) -> String {
    let library = |name: &str| peer::find(name).unwrap_or_else(|| name.into());
    let values = [
        ("%", "%".into()),
        ("freehold", env!("CARGO_BIN_EXE_freehold").into()),
        ("S", path.parent().unwrap_or(Path::new("")).into()),
        ("T", scratch.into()),
        ("mlir_c_runner_utils", library("libmlir_c_runner_utils.so")),
        ("mlir_runner_utils", library("libmlir_runner_utils.so")),
        ("s", path.into()),
        ("t", scratch.join("t")),
    ];
    let mut result = String::new();
    let mut rest = line;
    while let Some((before, after)) = rest.split_once('%') {
        result.push_str(before);
        let value = values
            .iter()
            .find_map(|(code, value)| Some((value, after.strip_prefix(code)?)));
        match value {
            Some((value, after)) => {
                result.push_str(&value.to_string_lossy());
                rest = after;
            }
            None => {
                result.push('%');
                rest = after;
            }
        }
    }
    result + rest
}

/// A command without its `not`, and how it must end.
struct Expected<'a> {
    words: &'a [String],
    negated: bool,
    crash: bool,
}

impl<'a> Expected<'a> {
    fn of(words: &'a [String]) -> Self {
        let is = |index: usize, word: &str| words.get(index).is_some_and(|w| w == word);
        let negated = is(0, "not");
        let crash = negated && is(1, "--crash");
        Self {
            words: &words[usize::from(negated) + usize::from(crash)..],
            negated,
            crash,
        }
    }

    fn check(&self, status: i32) -> Result<(), String> {
        let crashed = status >= FIRST_CRASH_STATUS;
        let wanted = match (self.negated, self.crash) {
            (false, _) if status != 0 => "success",
            (true, false) if status == 0 || crashed => "a failure that is no crash",
            (true, true) if !crashed => "a crash",
            _ => return Ok(()),
        };
        Err(format!("exit status {status}, expected {wanted}"))
    }
}

fn file_check(arguments: &[String], stdin: &[u8]) -> Result<Finished, String> {
    let options = filecheck::Options::parse(arguments)?;
    let read = |file: &str| fs::read(file).map_err(|error| format!("{file}: {error}"));
    let check_file = String::from_utf8_lossy(&read(&options.check_name)?).into_owned();
    let text = match &options.input_file {
        Some(file) => read(file)?,
        None => stdin.to_vec(),
    };
    let text = String::from_utf8_lossy(&text);
    let result = filecheck::check(&text, &check_file, &options);
    let (status, stdout, stderr) = match result {
        Ok(()) => (0, Vec::new(), Vec::new()),
        // What was searched goes with the report, since it is no longer there to look at.
        Err(report) => (1, numbered(&text).into_bytes(), report.into_bytes()),
    };
    Ok(Finished {
        status,
        stdout,
        stderr,
    })
}

fn run_in_process(
    words: &[String],
    stdin: &[u8],
    stderr: Stderr,
    timeout: Duration,
) -> Result<Finished, String> {
    let output = Buffer::default();
    let errors = if stderr == Stderr::Merged {
        output.clone()
    } else {
        Buffer::default()
    };
    let mut io = Io {
        stdout: Box::new(output.clone()),
        stderr: Box::new(errors.clone()),
        ..Io::captured(stdin)
    };
    let arguments: Vec<OsString> = words.iter().map(OsString::from).collect();
    let (sender, receiver) = mpsc::channel();
    // A thread cannot be killed: one that hangs stays until the test process ends.
    thread::spawn(move || sender.send(test_dialect::main_with(&arguments, &mut io)));
    let status = receiver
        .recv_timeout(timeout)
        .map_err(|_| format!("no answer within {} s", timeout.as_secs()))?;
    let stdout = output.take();
    Ok(Finished {
        status: status.into(),
        stdout,
        stderr: errors.take(),
    })
}

fn write_file(path: &str, append: bool, text: &[u8]) -> Result<(), String> {
    if let Some(folder) = Path::new(path).parent() {
        fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    fs::OpenOptions::new()
        .create(true)
        .write(true)
        .append(append)
        .truncate(!append)
        .open(path)
        .and_then(|mut file| file.write_all(text))
        .map_err(|error| format!("{path}: {error}"))
}

/// Says how a command ended and what it printed.
fn describe(name: &str, wrong: &str, finished: &Finished) -> String {
    const MAX_LINES: usize = 400;
    let mut report = format!("{name}\n{wrong}\n");
    for (stream, text) in [("stderr", &finished.stderr), ("stdout", &finished.stdout)] {
        if text.is_empty() {
            continue;
        }
        let text = String::from_utf8_lossy(text);
        let _ = writeln!(report, "---- {stream}");
        for line in text.lines().take(MAX_LINES) {
            let _ = writeln!(report, "{line}");
        }
        let n_more = text.lines().count().saturating_sub(MAX_LINES);
        if n_more > 0 {
            let _ = writeln!(report, "... and {n_more} lines more");
        }
    }
    report
}

/// `text` with line numbers.
fn numbered(text: &str) -> String {
    let mut result = String::new();
    for (index, line) in text.lines().enumerate() {
        let _ = writeln!(result, "{:>5}  {line}", index + 1);
    }
    result
}
