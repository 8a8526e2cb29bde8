//! `freehold reduce`: makes a program smaller while it stays interesting.
//!
//! A round goes through all kinds of [`Cut`]s. Of each it tries to make many at once, then half as many, and so on; what
//! is not valid, or not interesting any more, is dropped. Rounds go on until one changes nothing.

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Diagnostics;
use freehold_frontend::syntax::printer::{self, PrintOptions};
use freehold_frontend::verify::verify;
use rayon::prelude::*;

use crate::cli::blame::CodeCheck;
use crate::cli::call::HEADING;
use crate::cli::cuts::{CUTS, Cut, shrink_numbers};
use crate::cli::flags::{self, Flags, RunInProcess, Takes};
use crate::cli::io::Io;
use crate::cli::{exit, process, session};
use crate::error;
use crate::job::{Job, Output, Source};
use crate::options::Options;

/// The command line of `reduce`.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// The program
    file: OsString,
    #[command(flatten)]
    flags: Flags<Flagged>,
    #[command(flatten)]
    criterion: Criterion,
    /// Where the smaller program goes; - for standard output
    #[arg(short = 'o', value_name = "FILE", default_value = "-")]
    output: PathBuf,
    /// The function to run for --wrong and --crash
    #[arg(
        help_heading = HEADING,
        short = 'e',
        long = "entry-point",
        visible_alias = "function",
        default_value = "main"
    )]
    entry_point: String,
    /// The next argument of the function, as for `run`; random ones if there are none
    #[arg(help_heading = HEADING, long = "input", value_name = "TYPE=VALUES|@FILE")]
    inputs: Vec<String>,
    /// Give up on a test after this many seconds; it is not interesting then
    #[arg(long, value_name = "SECONDS", default_value = "20")]
    timeout: u64,
    /// Stop after this many seconds with what there is then
    #[arg(long, value_name = "SECONDS", default_value = "600")]
    max_time: u64,
}

/// What makes a program interesting.
#[derive(clap::Args, Debug)]
#[group(required = true, multiple = false)]
struct Criterion {
    /// A command that gets the name of a file with the program as its last argument; the program is interesting if its
    /// exit status is not 0, as for mlir-reduce
    #[arg(long, value_name = "COMMAND")]
    test: Option<String>,
    /// Interesting is what crashes `freehold run`: an internal error, or a signal
    #[arg(long)]
    crash: bool,
    /// Interesting is what is defined and for which machine code and interpreter differ
    #[arg(long)]
    wrong: bool,
}

/// The options of `reduce`: those of `run` but the cache.
#[derive(Clone, Debug)]
struct Flagged;

impl Takes for Flagged {
    fn takes(name: &str) -> bool {
        RunInProcess::takes(name) && name != "cache"
    }
}

/// How programs are tested.
struct Tester<'a> {
    args: &'a Args,
    job: &'a Job,
    options: &'a Options,
    again: &'a [OsString],
    folder: PathBuf,
    n_files: AtomicUsize,
    n_tests: AtomicUsize,
    deadline: Instant,
}

/// Runs the command; returns the exit status.
pub(crate) fn run(args: &Args, io: &mut Io) -> io::Result<u8> {
    let options = args.flags.options.clone();
    let job = match Job::new(options.clone(), Output::Memory) {
        Ok(job) => job,
        Err(error) => {
            writeln!(io.stderr, "freehold reduce: error: {error}")?;
            return Ok(exit::USAGE);
        }
    };
    let input = match session::load_program(&args.file, io) {
        Ok(input) => input,
        Err(message) => {
            writeln!(io.stderr, "{message}")?;
            return Ok(exit::FAILURE);
        }
    };
    let read = job.read_for_one_device(Source::new(input.name, input.text));
    session::report(&read.diagnostics, &read.context, io)?;
    let Some(module) = read.lowered.map(|lowered| lowered.ir) else {
        return Ok(exit::FAILURE);
    };
    let folder = std::env::temp_dir().join(format!("freehold-reduce-{}", std::process::id()));
    if let Err(error) = std::fs::create_dir_all(&folder) {
        let (folder, reason) = (folder.display(), error::reason(&error));
        writeln!(
            io.stderr,
            "freehold reduce: error: cannot make folder '{folder}': {reason}"
        )?;
        return Ok(exit::FAILURE);
    }
    let tester = Tester {
        args,
        job: &job,
        options: &options,
        again: &io.again,
        folder: folder.clone(),
        n_files: AtomicUsize::new(0),
        n_tests: AtomicUsize::new(0),
        deadline: Instant::now() + Duration::from_secs(args.max_time),
    };
    let text = printer::print(&module, PrintOptions::default());
    let smallest = match tester.is_interesting(&text) {
        false => None,
        true => Some(tester.reduce(module, text.clone())),
    };
    let n_tests = tester.n_tests.load(Ordering::Relaxed);
    // Leftovers of it do no harm.
    let _ = std::fs::remove_dir_all(&folder);
    let Some(smallest) = smallest else {
        writeln!(
            io.stderr,
            "freehold reduce: error: the program is not interesting to begin with"
        )?;
        return Ok(exit::FAILURE);
    };
    let lines = |text: &str| text.lines().count();
    writeln!(
        io.stderr,
        "reduced {} lines to {} in {n_tests} tests",
        lines(&text),
        lines(&smallest)
    )?;
    let smallest = format!("{}\n", smallest.trim_end());
    if let Err(message) = session::write_output(Some(&args.output), smallest.as_bytes(), io) {
        writeln!(io.stderr, "{message}")?;
        return Ok(exit::FAILURE);
    }
    Ok(exit::OK)
}

impl Tester<'_> {
    fn parse(&self, text: &str) -> Option<Ir> {
        let read = self.job.read_for_one_device(Source::new("program", text));
        read.lowered.map(|lowered| lowered.ir)
    }

    fn is_over(&self) -> bool {
        Instant::now() >= self.deadline
    }

    /// Whether a program is interesting.
    fn is_interesting(&self, text: &str) -> bool {
        self.n_tests.fetch_add(1, Ordering::Relaxed);
        let number = self.n_files.fetch_add(1, Ordering::Relaxed);
        let path = self.folder.join(format!("{number}.mlir"));
        if std::fs::write(&path, text).is_err() {
            return false;
        }
        let holds = self.holds(&path, text).unwrap_or(false);
        let _ = std::fs::remove_file(&path);
        holds
    }

    fn holds(&self, path: &Path, text: &str) -> io::Result<bool> {
        let timeout = Duration::from_secs(self.args.timeout);
        if let Some(test) = &self.args.criterion.test {
            let mut command = Command::new("sh");
            command
                .arg("-c")
                .arg(format!("{test} \"$1\""))
                .arg("sh")
                .arg(path);
            let finished = process::finish(command, timeout)?;
            return Ok(finished.status.is_some_and(|status| !status.success()));
        }
        if self.args.criterion.crash {
            let mut command = process::again(self.again)?;
            command
                .arg("run")
                .args(flags::words(self.options))
                .args(["-e", &self.args.entry_point])
                .args(
                    self.args
                        .inputs
                        .iter()
                        .map(|input| format!("--input={input}")),
                )
                .arg("--")
                .arg(path);
            let finished = process::finish(command, timeout)?;
            return Ok(finished.status.is_some_and(is_crash));
        }
        let Some(module) = self.parse(text) else {
            return Ok(false);
        };
        let check = CodeCheck {
            file: path.as_os_str(),
            entry: &self.args.entry_point,
            inputs: &self.args.inputs,
            options: self.options,
        };
        Ok(matches!(check.compare(&module, self.again), Ok(Some(_))))
    }

    /// The smallest program that is found.
    fn reduce(&self, mut module: Ir, mut text: String) -> String {
        loop {
            let before = text.len();
            for cut in CUTS {
                self.make_cuts(cut, &mut module, &mut text);
            }
            self.shrink(&mut module, &mut text);
            if text.len() >= before || self.is_over() {
                return text;
            }
        }
    }

    /// Makes as many cuts of one kind as there can be.
    fn make_cuts(&self, cut: &Cut, module: &mut Ir, text: &mut String) {
        let mut size = (cut.places)(module).max(1);
        while size >= 1 && !self.is_over() {
            let mut start = 0;
            loop {
                let n = (cut.places)(module);
                if start >= n || self.is_over() {
                    break;
                }
                // Some at the same time; the first one that stays interesting is taken.
                let n_threads = rayon::current_num_threads();
                let starts: Vec<usize> = (0..n_threads)
                    .map(|index| start + index * size)
                    .filter(|&start| start < n)
                    .collect();
                let tried: Vec<Option<(Ir, String)>> = starts
                    .par_iter()
                    .map(|&start| self.try_cut(cut, module, text, start, size))
                    .collect();
                match tried
                    .into_iter()
                    .enumerate()
                    .find_map(|(at, tried)| Some((at, tried?)))
                {
                    Some((at, (smaller, smaller_text))) => {
                        *module = smaller;
                        *text = smaller_text;
                        // Those before did not work; what was behind has moved up.
                        start = starts[at];
                    }
                    None => start += size * starts.len(),
                }
            }
            size /= 2;
        }
    }

    fn try_cut(
        &self,
        cut: &Cut,
        module: &Ir,
        text: &str,
        start: usize,
        size: usize,
    ) -> Option<(Ir, String)> {
        let mut smaller = module.deep_clone();
        let places: Vec<usize> = (start..start + size).collect();
        (cut.make)(&mut smaller, &places);
        let mut diagnostics = Diagnostics::new();
        verify(&smaller, &mut diagnostics).ok()?;
        let printed = printer::print(&smaller, PrintOptions::default());
        let is_smaller = printed.len() < text.len() || cut.is_simpler && printed != text;
        (is_smaller && self.is_interesting(&printed)).then_some((smaller, printed))
    }

    /// Makes sizes and other numbers smaller, all of the same at once.
    fn shrink(&self, module: &mut Ir, text: &mut String) {
        for candidate in shrink_numbers(text) {
            if self.is_over() {
                return;
            }
            let Some(changed) = candidate(text) else {
                continue;
            };
            let Some(smaller) = self.parse(&changed) else {
                continue;
            };
            let printed = printer::print(&smaller, PrintOptions::default());
            if printed.len() <= text.len() && printed != *text && self.is_interesting(&printed) {
                *module = smaller;
                *text = printed;
            }
        }
    }
}

/// Whether a process ended by a bug.
fn is_crash(status: ExitStatus) -> bool {
    status
        .code()
        .is_none_or(|code| code == i32::from(exit::INTERNAL_ERROR))
}
