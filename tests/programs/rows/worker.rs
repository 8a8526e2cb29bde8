//! A process that tries programs one after the other, and the one that watches it.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, BufRead, BufReader, Write as _};
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;
use std::{env, fs, thread};

use super::oracle::{self, Verdict};
use super::printed;
use super::program::Program;
use super::refusals;
use super::table::Table;
use crate::support::generator::rng::Rng;

/// The variable that makes a process try programs: what kind, the first one, and the one after the last; or `these` and
/// their numbers.
const CHILD: &str = "FREEHOLD_ROWS_CHILD";
/// How long a program may take.
const TIMEOUT: Duration = Duration::from_secs(60);
/// In how many ways a program is compiled, and in how many it is changed by passes.
const WAYS: usize = 5;
/// As much as commands have.
const STACK_BYTES: usize = 256 << 20;

/// The folder for what is wrong.
fn folder() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("rows")
}

/// What programs are tried.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Programs {
    /// New ones, by seed.
    New,
    /// Those that were wrong once, by their place in the folder.
    Corpus,
}

/// The programs that were wrong once.
pub(super) fn corpus() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz/corpus");
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    files.sort();
    files
}

/// Tries these programs.
pub(super) fn run(programs: Programs, seeds: Range<u64>) -> Result<(), String> {
    let folder = folder();
    fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let mut next = seeds.start;
    let mut wrong = Vec::new();
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    while next < seeds.end {
        let mut watched = Watched::start(programs, next..seeds.end)?;
        let end = watched.follow(&mut counts, &mut wrong);
        let (seed, at) = (watched.seed, watched.at.clone());
        match end {
            End::Done => break,
            End::Crashed(how) | End::Hung(how) => {
                wrong.push(format!("seed {seed}: {how} at {at}\n{}", watched.errors()));
                next = seed + 1;
            }
        }
    }
    if let Ok(path) = env::var("FREEHOLD_ROWS_REPORT") {
        fs::write(format!("{path}-{}", seeds.start), report(&counts, &wrong))
            .map_err(|error| error.to_string())?;
    }
    let n = |name: &str| counts.get(name).copied().unwrap_or(0);
    let all = n("compared") + n("undefined") + n("unknown") + n("invalid") + n("wrong");
    if wrong.is_empty() && all > 50 && n("compared") * 10 < all * 7 {
        wrong.push(format!(
            "only {} of {all} programs are defined:\n{}",
            n("compared"),
            report(&counts, &[])
        ));
    }
    let of_files = [
        "compared file",
        "undefined file",
        "unknown file",
        "invalid file",
    ]
    .map(n);
    let all: u64 = of_files.iter().sum();
    if wrong.is_empty() && all > 30 && of_files[0] * 3 < all {
        let n = of_files[0];
        wrong.push(format!("only {n} of {all} programs of files are defined"));
    }
    match wrong.is_empty() {
        true => Ok(()),
        false => Err(format!(
            "{} wrong, programs in {}\n{}",
            wrong.len(),
            folder.display(),
            wrong.join("\n")
        )),
    }
}

/// What was tried, as a page.
fn report(counts: &BTreeMap<String, u64>, wrong: &[String]) -> String {
    let mut text = String::from("# Programs made of rows\n\n");
    let nothing = oracle::coverable().into_iter().map(|name| (name, 0));
    let mut all: BTreeMap<String, u64> = nothing.collect();
    all.extend(counts.iter().map(|(name, n)| (name.clone(), *n)));
    for (name, n) in all {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "- {name}: {n}");
    }
    let _ = writeln!(text, "\n## Wrong: {}\n", wrong.len());
    for wrong in wrong {
        let _ = writeln!(text, "```\n{wrong}\n```\n");
    }
    text
}

enum End {
    Done,
    Crashed(String),
    Hung(String),
}

/// A child.
struct Watched {
    child: Child,
    lines: mpsc::Receiver<String>,
    errors: PathBuf,
    seed: u64,
    at: String,
}

impl Watched {
    fn start(programs: Programs, seeds: Range<u64>) -> Result<Self, String> {
        let errors = folder().join(format!("errors-{}-{}", std::process::id(), seeds.start));
        let file = fs::File::create(&errors).map_err(|error| error.to_string())?;
        let kind = if programs == Programs::New {
            "new"
        } else {
            "corpus"
        };
        let program = env::current_exe().map_err(|error| error.to_string())?;
        let mut child = Command::new(program)
            .env(CHILD, format!("{kind} {} {}", seeds.start, seeds.end))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(file)
            .spawn()
            .map_err(|error| error.to_string())?;
        let stdout = child.stdout.take().ok_or("the child has no output")?;
        let (sender, lines) = mpsc::channel();
        thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Ok(Self {
            child,
            lines,
            errors,
            seed: seeds.start,
            at: String::new(),
        })
    }

    /// Reads what the child says until it ends.
    fn follow(&mut self, counts: &mut BTreeMap<String, u64>, wrong: &mut Vec<String>) -> End {
        loop {
            match self.lines.recv_timeout(TIMEOUT) {
                Ok(line) => {
                    let (word, rest) = line.split_once(' ').unwrap_or((&line, ""));
                    match word {
                        "seed" => self.seed = rest.parse().unwrap_or(self.seed),
                        "at" => rest.clone_into(&mut self.at),
                        "count" => *counts.entry(rest.to_owned()).or_default() += 1,
                        "wrong" => wrong.push(format!("seed {}: {rest}", self.seed)),
                        "done" => {
                            let _ = self.child.wait();
                            return End::Done;
                        }
                        _ => {}
                    }
                }
                Err(mpsc::RecvTimeoutError::Timeout) => {
                    let _ = self.child.kill();
                    let _ = self.child.wait();
                    return End::Hung("hangs".to_owned());
                }
                Err(mpsc::RecvTimeoutError::Disconnected) => {
                    let status = self
                        .child
                        .wait()
                        .map_or_else(|error| error.to_string(), |status| status.to_string());
                    return End::Crashed(status);
                }
            }
        }
    }

    /// What it said before it ended.
    fn errors(&self) -> String {
        let text = fs::read_to_string(&self.errors).unwrap_or_default();
        let lines: Vec<&str> = text
            .lines()
            .filter(|line| !line.trim().is_empty())
            .collect();
        lines[..lines.len().min(12)].join("\n")
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = fs::remove_file(&self.errors);
    }
}

/// In a child process, tries programs and never returns. To be called before anything else.
pub(crate) fn serve_if_asked() {
    let Ok(seeds) = env::var(CHILD) else { return };
    let words: Vec<&str> = seeds.split(' ').collect();
    let number = |word: &str| word.parse::<u64>().ok();
    let (programs, seeds): (Programs, Vec<u64>) = match words[..] {
        // Some of the new ones, by name.
        ["these", ref seeds @ ..] => (
            Programs::New,
            seeds.iter().copied().filter_map(number).collect(),
        ),
        [kind, first, end] => {
            let (Some(first), Some(end)) = (number(first), number(end)) else {
                return;
            };
            let programs = match kind {
                "new" => Programs::New,
                _ => Programs::Corpus,
            };
            (programs, (first..end).collect())
        }
        _ => return,
    };
    let worker = thread::Builder::new()
        .stack_size(STACK_BYTES)
        .spawn(move || serve(programs, seeds));
    let status = match worker.map(thread::JoinHandle::join) {
        Ok(Ok(())) => 0,
        _ => 101,
    };
    std::process::exit(status);
}

/// Says something to the parent.
fn say(line: &str) {
    let mut output = io::stdout().lock();
    // Without a parent there is nobody to tell.
    if writeln!(output, "{line}")
        .and_then(|()| output.flush())
        .is_err()
    {
        std::process::exit(0);
    }
}

fn serve(programs: Programs, seeds: Vec<u64>) {
    let table = Table::new();
    for seed in seeds {
        say(&format!("seed {seed}"));
        say("at generation");
        match programs {
            Programs::New => one(seed, &Program::new(seed, &table)),
            Programs::Corpus => {
                let files = corpus();
                let text = files.get(seed as usize).map(fs::read_to_string);
                let Some(Ok(text)) = text else { continue };
                one(seed, &Program::known(text));
            }
        }
    }
    say("done");
}

fn one(seed: u64, program: &Program) {
    let path = folder().join(format!("{seed}.mlir"));
    // A crash leaves it there.
    let _ = fs::write(&path, &program.text);
    let mut rng = Rng::new(seed ^ 0x7761_7973);
    let mut at = String::new();
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        oracle::check(program, &mut rng, WAYS, |how| {
            how.clone_into(&mut at);
            say(&format!("at {how}"));
        })
    }));
    let mut verdict = outcome.unwrap_or_else(|payload| {
        let text = payload.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| payload.downcast_ref::<&str>().copied());
        Verdict::Wrong {
            how: at,
            what: format!("panics: {}", text.unwrap_or("")),
        }
    });
    // An executable takes as long as many programs.
    let percent = if oracle::is_reported() { 40 } else { 6 };
    if let (Verdict::Compared { n, .. }, Some(results)) = (&mut verdict, &program.results)
        && rng.chance(percent)
    {
        let text = printed::printing(&program.text, results);
        let note = &mut |how: &str| say(&format!("at {how}"));
        match printed::check(&text, &folder(), &mut rng, note) {
            Ok(compared) => *n += usize::from(compared),
            Err((how, what)) => {
                let _ = fs::write(folder().join(format!("{seed}-printed.mlir")), &text);
                verdict = Verdict::Wrong { how, what };
            }
        }
    }
    let first = |text: &str| text.lines().next().unwrap_or("").to_owned();
    let mut keep = env::var_os("FREEHOLD_ROWS_KEEP").is_some();
    // Whether those of files are valid and defined is chance.
    let kind = if program.is_of_file { " file" } else { "" };
    match verdict {
        Verdict::Compared {
            n,
            refused,
            covered,
        } => {
            for what in covered {
                say(&format!("count {what}"));
            }
            say(&format!("count compared{kind}"));
            for _ in 0..n {
                say("count comparisons");
            }
            for name in &program.operations {
                say(&format!("count op {name}"));
            }
            let is_new = |why: &&String| !program.is_of_file && !refusals::is_known(why);
            if let Some(why) = refused.iter().find(is_new) {
                say("count wrong");
                say(&format!("wrong refused {}", why.replace('\n', " ")));
                keep = true;
            }
            for why in refused {
                let why = why
                    .rsplit_once("error: ")
                    .map_or(why.as_str(), |(_, why)| why);
                say(&format!("count refused: {}", first(why)));
            }
        }
        Verdict::Invalid(why) => {
            say(&format!("count invalid{kind}"));
            say(&format!(
                "count invalid: {}",
                first(why.split_once("error: ").map_or(&why, |(_, why)| why))
            ));
        }
        Verdict::Undefined(why) => {
            say(&format!("count undefined{kind}"));
            say(&format!("count undefined: {}", first(&why)));
        }
        Verdict::Unknown(why) => {
            say(&format!("count unknown{kind}"));
            say(&format!("count unknown: {}", first(&why)));
        }
        Verdict::Wrong { how, what } => {
            say("count wrong");
            say(&format!("wrong {how}: {}", what.replace('\n', " ")));
            keep = true;
        }
    }
    if !keep {
        let _ = fs::remove_file(&path);
    }
}
