//! `freehold compare`: one program under every way to free its buffers, side by side.
//!
//! Each strategy runs in processes of its own, so that none sees what another leaked or destroyed:
//! once counting memory, for the numbers and the curve, and a few times without, for the times.
//! `run --profile` is how those processes say what they saw.

use std::ffi::OsString;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use freehold_passes::manage::options::{OptionKind, OptionValue as _};
use freehold_passes::pipelines::native_pipeline::{Dealloc, MergeAlloc};
use serde_json::{Value, json};

use crate::cli::flags::{self, Flags, Takes};
use crate::cli::io::Io;
use crate::cli::plot::{Chart, Series, html_table, page, short, text_table};
use crate::cli::process::{self, Finished, without_addresses};
use crate::cli::profile::Profile;
use crate::cli::{arenas, exit, session};
use crate::job::{Job, Output, Source};
use crate::options::Options;

/// The command line of `compare`.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// The program
    file: PathBuf,
    /// The function to run
    #[arg(
        short = 'e',
        long = "entry-point",
        visible_alias = "function",
        default_value = "main"
    )]
    entry_point: String,
    /// The next argument of the function, as `run` takes it
    #[arg(long = "input", value_name = "TYPE=VALUES|@FILE")]
    inputs: Vec<String>,
    #[command(flatten)]
    flags: Flags<Flagged>,
    /// Number of timed runs of each program
    #[arg(long, default_value = "3", value_parser = clap::value_parser!(u32).range(1..=1000))]
    runs: u32,
    /// Time limit for each program, in seconds
    #[arg(long, default_value = "60")]
    timeout: u64,
    /// Write an HTML page with the table and memory use over time
    #[arg(long)]
    html: Option<PathBuf>,
    /// Write the numbers as JSON; `-` is standard output, the table then goes to standard error
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// The options of `compare`: those that hold for all strategies.
#[derive(Clone, Debug)]
struct Flagged;

impl Takes for Flagged {
    fn takes(name: &str) -> bool {
        ["opt-level", "fp", "private-function-dynamic-ownership"].contains(&name)
    }
}

/// One way to free buffers.
struct Strategy {
    name: String,
    options: Options,
}

impl Strategy {
    /// Whether allocations are merged.
    fn merges(&self) -> bool {
        self.options.merge_alloc != Some(MergeAlloc::Nothing)
    }
}

/// All there are. The first leaves everything to the program and is what others are compared with.
fn strategies(options: &Options) -> Vec<Strategy> {
    let OptionKind::Choice(words) = Dealloc::KIND else {
        unreachable!("strategies are words");
    };
    let mut kinds: Vec<Dealloc> = words
        .iter()
        .filter_map(|word| Dealloc::read(word.word))
        .collect();
    kinds.sort_by_key(|&kind| kind != Dealloc::Nothing);
    let merging = [
        (MergeAlloc::Nothing, ""),
        (MergeAlloc::NeverGrow, " + merge-alloc"),
    ];
    let ways = kinds
        .into_iter()
        .flat_map(|kind| merging.map(|merging| (kind, merging)));
    ways.map(|(dealloc, (merge_alloc, suffix))| Strategy {
        name: format!("{}{suffix}", dealloc.text()),
        options: Options {
            dealloc,
            merge_alloc: Some(merge_alloc),
            ..options.clone()
        },
    })
    .collect()
}

/// What a process did.
struct Run {
    /// Without addresses, which are never the same.
    stdout: Vec<u8>,
    /// What went wrong, in a few words.
    failure: Option<String>,
    profile: Profile,
}

/// The figures of one strategy.
struct Outcome {
    strategy: Strategy,
    counted: Run,
    timed: Vec<Run>,
}

impl Outcome {
    fn failure(&self) -> Option<&str> {
        let runs = std::iter::once(&self.counted).chain(&self.timed);
        runs.filter_map(|run| run.failure.as_deref()).next()
    }

    /// The middle of the times of all runs, in nanoseconds.
    fn median(&self, key: &str) -> Option<f64> {
        let mut times: Vec<u64> = self
            .timed
            .iter()
            .filter_map(|run| run.profile.get(key))
            .collect();
        times.sort_unstable();
        times.get(times.len() / 2).map(|&time| time as f64)
    }
}

/// Runs the command; returns the exit status.
pub(crate) fn run(args: &Args, io: &mut Io) -> io::Result<u8> {
    let mut outputs = [&args.html, &args.json].into_iter();
    let input = args.file.as_os_str();
    // An unreadable program fails once, and not in every process.
    let loaded = outputs
        .try_for_each(|output| session::keep_input(output.as_deref(), input))
        .and_then(|()| session::load_source(input, io))
        .and_then(|input| {
            let job = Job::new(args.flags.options.clone(), Output::Memory)?;
            Ok(job.read_for_one_device(Source::new(input.name, input.text)))
        });
    let read = match loaded {
        Ok(read) => read,
        Err(message) => {
            writeln!(io.stderr, "{message}")?;
            return Ok(exit::FAILURE);
        }
    };
    if read.lowered.is_none() {
        session::report(&read.diagnostics, &read.context, io)?;
        return Ok(exit::FAILURE);
    }
    let mut outcomes = Vec::new();
    for strategy in strategies(&args.flags.options) {
        match run_strategy(args, strategy, &io.again) {
            Ok(outcome) => outcomes.push(outcome),
            Err(message) => {
                writeln!(io.stderr, "freehold compare: error: {message}")?;
                return Ok(exit::FAILURE);
            }
        }
    }
    let rows = table(&outcomes);
    let to_error = args.json.as_deref() == Some(Path::new("-"));
    let report = if to_error {
        &mut io.stderr
    } else {
        &mut io.stdout
    };
    write!(report, "{}", text_table(&rows))?;
    let mut failures: Vec<(String, Vec<&str>)> = Vec::new();
    for outcome in &outcomes {
        let Some(failure) = outcome.failure() else {
            continue;
        };
        let name = &*outcome.strategy.name;
        match failures.iter_mut().find(|(known, _)| known == failure) {
            Some((_, names)) => names.push(name),
            None => failures.push((failure.to_owned(), vec![name])),
        }
    }
    for (failure, names) in failures {
        let names = match names.len() == outcomes.len() {
            true => "all".to_owned(),
            false => names.join(", "),
        };
        writeln!(report, "{names}: {failure}")?;
    }
    let reference = reference(&outcomes);
    let body = match &args.html {
        Some(_) => html(&outcomes, &rows) + &arena_part(args, &outcomes)?,
        None => String::new(),
    };
    let name = args.file.file_name().map(Path::new).unwrap_or(&args.file);
    let title = format!("{}: memory by strategy", name.display());
    for (path, text) in [
        (&args.html, page(&title, &body)),
        (&args.json, json(&outcomes, reference)),
    ] {
        if let Some(path) = path
            && let Err(message) = session::write_output(Some(path), text.as_bytes(), io)
        {
            writeln!(io.stderr, "{message}")?;
            return Ok(exit::FAILURE);
        }
    }
    let all_equal = outcomes.iter().all(|outcome| is_equal(outcome, reference));
    Ok(if all_equal { exit::OK } else { exit::FAILURE })
}

/// What others are compared with: the program that frees nothing, unless that alone goes wrong, say
/// because memory or time are not enough for it.
fn reference(outcomes: &[Outcome]) -> &Outcome {
    let mut right = outcomes.iter().filter(|o| o.failure().is_none());
    right.next().unwrap_or(&outcomes[0])
}

/// Whether a program printed the same, without going wrong, as the one for reference.
fn is_equal(outcome: &Outcome, reference: &Outcome) -> bool {
    let same = |run: &Run| run.failure.is_none() && run.stdout == reference.counted.stdout;
    same(&outcome.counted) && outcome.timed.iter().all(same)
}

fn run_strategy(args: &Args, strategy: Strategy, again: &[OsString]) -> Result<Outcome, String> {
    let mut timed = Vec::new();
    let counted = run_once(args, &strategy, true, again)?;
    for _ in 0..args.runs {
        if counted.failure.is_none() {
            timed.push(run_once(args, &strategy, false, again)?);
        }
    }
    Ok(Outcome {
        strategy,
        counted,
        timed,
    })
}

fn run_once(
    args: &Args,
    strategy: &Strategy,
    counting: bool,
    again: &[OsString],
) -> Result<Run, String> {
    let failed = |error: io::Error| format!("cannot run '{}': {error}", strategy.name);
    let mut command = process::again(again).map_err(failed)?;
    let name = format!("freehold-compare-{}.profile", std::process::id());
    let profile_path = std::env::temp_dir().join(name);
    let mut profile_flag = OsString::from("--profile=");
    profile_flag.push(&profile_path);
    command
        .arg("run")
        .args(flags::words(&strategy.options))
        .args(["-e", &args.entry_point])
        .args(args.inputs.iter().map(|input| format!("--input={input}")))
        // All of its results are compared.
        .arg(format!("--max-elements={}", usize::MAX))
        .arg(profile_flag)
        .args(counting.then_some("--stats=json"))
        .arg("--")
        .arg(&args.file);
    let timeout = Duration::from_secs(args.timeout);
    let Finished {
        status,
        stdout,
        stderr,
    } = process::finish(command, timeout).map_err(failed)?;
    let failure = match status {
        None => Some(format!("stopped after {} seconds", args.timeout)),
        Some(status) if status.success() => None,
        Some(status) => Some(format!("{}{status}", first_line(&stderr))),
    };
    let text = fs::read_to_string(&profile_path).unwrap_or_default();
    // It need not exist.
    let _ = fs::remove_file(&profile_path);
    Ok(Run {
        stdout: without_addresses(&stdout),
        failure,
        profile: Profile::parse(&text),
    })
}

/// The first line of an error, to be followed by more.
fn first_line(stderr: &[u8]) -> String {
    let text = String::from_utf8_lossy(stderr);
    match text.lines().next() {
        Some(line) if !line.starts_with('{') => format!("{line}; "),
        _ => String::new(),
    }
}

/// A counter: its name, and its key in profiles.
const COUNTS: [(&str, &str); 8] = [
    ("allocations", "allocs"),
    ("frees", "frees"),
    ("clones", "clones"),
    ("copies", "copies"),
    ("bytes copied", "bytes_copied"),
    ("peak bytes", "peak_bytes"),
    ("leaked bytes", "live_bytes"),
    ("code bytes", "code_bytes"),
];

/// How a strategy did, in a word.
fn verdict(outcome: &Outcome, reference: &Outcome) -> &'static str {
    match (outcome.failure(), is_equal(outcome, reference)) {
        (Some(_), _) => "failed",
        (None, true) => "equal",
        (None, false) => "differs",
    }
}

/// The table as JSON: an object per strategy; unknown values are null.
fn json(outcomes: &[Outcome], reference: &Outcome) -> String {
    let one = |outcome: &Outcome| {
        let mut object = json!({
            "strategy": outcome.strategy.name,
            "result": verdict(outcome, reference),
            "failure": outcome.failure(),
            "compile_ms": outcome.median("compile_ns").map(|time| time / 1e6),
            "run_ms": outcome.median("run_ns").map(|time| time / 1e6),
        });
        for (title, key) in COUNTS {
            object[title.replace(' ', "_")] = json!(outcome.counted.profile.get(key));
        }
        object
    };
    format!("{:#}\n", Value::Array(outcomes.iter().map(one).collect()))
}

/// One row per strategy.
fn table(outcomes: &[Outcome]) -> Vec<Vec<String>> {
    let mut head = vec!["strategy".to_owned(), "result".to_owned()];
    head.extend(COUNTS.map(|(title, _)| title.to_owned()));
    head.extend(["compile ms", "run ms"].map(str::to_owned));
    let mut rows = vec![head];
    let reference = reference(outcomes);
    for outcome in outcomes {
        let mut row = vec![
            outcome.strategy.name.clone(),
            verdict(outcome, reference).to_owned(),
        ];
        for (_, key) in COUNTS {
            let count = outcome.counted.profile.get(key);
            row.push(count.map_or_else(|| "-".to_owned(), |count| count.to_string()));
        }
        for key in ["compile_ns", "run_ns"] {
            let time = outcome.median(key);
            row.push(time.map_or_else(|| "-".to_owned(), |time| format!("{:.3}", time / 1e6)));
        }
        rows.push(row);
    }
    rows
}

/// The arenas of strategies that merge allocations, for a page.
fn arena_part(args: &Args, outcomes: &[Outcome]) -> io::Result<String> {
    let mut body = String::from(
        "<h2>Arenas</h2>\n<p>Where allocations are merged, each box is a buffer: as wide as it lives, in steps of the \
         program, as high as it has bytes, at its offset. Other allocations are in the tables.</p>\n",
    );
    for outcome in outcomes.iter().filter(|outcome| outcome.strategy.merges()) {
        let Ok(job) = Job::new(outcome.strategy.options.clone(), Output::Memory) else {
            continue;
        };
        let job = job.entry(&args.entry_point);
        // What a strategy refuses is said by its run.
        let mut unheard = Io::captured("");
        if let Some(memory) = arenas::planned(job, args.file.as_os_str(), &mut unheard)? {
            body += &format!("<h3>{}</h3>\n{}", outcome.strategy.name, memory.html());
        }
    }
    Ok(body)
}

/// The part of a page with the table and a chart for each way.
fn html(outcomes: &[Outcome], rows: &[Vec<String>]) -> String {
    let curve = |outcome: &Outcome| {
        let mut bytes = 0i64;
        let mut points = vec![(0.0, 0.0)];
        // Not by time: that is another one in each run, and most of it is between two of these.
        for (index, &(_, delta)) in (1..).zip(&outcome.counted.profile.events) {
            bytes += delta;
            points.push((f64::from(index), bytes.max(0) as f64));
        }
        points
    };
    let curves: Vec<_> = outcomes.iter().map(curve).collect();
    let reach = (curves.iter().flatten()).fold((1.0f64, 1.0f64), |reach, point| {
        (reach.0.max(point.0), reach.1.max(point.1))
    });
    let mut body =
        String::from("<p>Each row is a way to free the buffers of the program, as measured.</p>\n");
    body.push_str(&html_table(rows));
    body.push_str(
        "<h2>Memory</h2>\n<p>The bytes that are allocated and not freed yet, after each allocation and each free of \
         one run: the lower the better, and what is left at the end is leaked. All charts have the same scale.</p>\n\
         <div class=\"charts\">\n",
    );
    for (outcome, points) in outcomes.iter().zip(curves) {
        let count = |key| outcome.counted.profile.get(key).unwrap_or(0);
        let name = &outcome.strategy.name;
        let leaked = match count("live_bytes") {
            0 => String::new(),
            bytes => format!(", {} leaked", short(bytes as f64)),
        };
        let chart = Chart {
            title: format!(
                "{name}: peak {} bytes{leaked}",
                short(count("peak_bytes") as f64)
            ),
            x_label: "allocations and frees, in order",
            y_label: "bytes in use",
            logarithmic: false,
            reach,
            series: vec![Series {
                name: name.clone(),
                points,
                steps: true,
            }],
        };
        body.push_str(&chart.html());
    }
    body + "</div>\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_do_not_count() {
        let text = b"Unranked Memref base@ = 0x5f3a rank = 1\n0x7f base@ = 0x";
        assert_eq!(
            without_addresses(text),
            b"Unranked Memref base@ = 0x rank = 1\n0x7f base@ = 0x"
        );
    }
}
