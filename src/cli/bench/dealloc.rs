//! `freehold bench dealloc`: the cost of a `bufferization.dealloc` by lowering, number of operands,
//! how many of them are the same buffer and how many conditions hold.

use std::io::{self, Write};
use std::path::PathBuf;

use super::emulated::{Counted, Emulator};
use super::operation::{Compiled, Operands, Ran, Work};
use super::peer::{Peer, Tool};
use super::write_result;
use freehold_backend::isa::Target;
use serde_json::{Value, json};

use crate::cli::exit;
use crate::cli::io::Io;
use crate::cli::plot::{Chart, Series, html_table, page, short, text_table};
use crate::cli::progress::Progress;

/// The command line of `bench dealloc`.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Largest number of entries and of retained buffers
    #[arg(long, default_value = "4096", value_parser = clap::value_parser!(u32).range(1..=4096))]
    max: u32,
    /// Measurements of each case
    #[arg(long, default_value = "9", value_parser = clap::value_parser!(u32).range(1..=1000))]
    samples: u32,
    /// Percentage of operands that are a buffer named before, separated by commas
    #[arg(long, default_value = "0,50", value_delimiter = ',', value_parser = clap::value_parser!(u8).range(0..=100))]
    alias: Vec<u8>,
    /// Percentage of conditions that hold, separated by commas
    #[arg(long, default_value = "100,50", value_delimiter = ',', value_parser = clap::value_parser!(u8).range(0..=100))]
    conditions: Vec<u8>,
    /// Also measure the lowering of mlir-opt-19, compiled by clang-19 -O3 and by llc-19 -O3
    #[arg(long)]
    peer: bool,
    /// Count instructions on this target in its emulator, QEMU's user mode, instead of measuring time here: aarch64 or x86_64
    #[arg(long, value_name = "TRIPLE", conflicts_with_all = ["peer", "svg", "html"])]
    target: Option<Target>,
    /// Write all numbers as JSON; `-` is standard output
    #[arg(long)]
    json: Option<PathBuf>,
    /// Write nanoseconds per operand against their number as a chart
    #[arg(long)]
    svg: Option<PathBuf>,
    /// Write a page with charts and tables
    #[arg(long)]
    html: Option<PathBuf>,
}

/// A measurement: its name, the body of the function, and how it is compiled.
const KINDS: [Kind; 8] = [
    Kind::ours("auto", "auto use-runtime"),
    Kind::ours("generic", "generic use-runtime"),
    Kind::ours("specialized", "specialized"),
    Kind::ours("runtime", "runtime"),
    Kind {
        name: "loop",
        work: Work::Nothing,
        maker: Maker::Ours("auto"),
    },
    Kind {
        name: "clang -O3",
        work: Work::Dealloc,
        maker: Maker::Peer(Tool::Clang),
    },
    Kind {
        name: "llc -O3",
        work: Work::Dealloc,
        maker: Maker::Peer(Tool::Llc),
    },
    Kind {
        name: "clang's loop",
        work: Work::Nothing,
        maker: Maker::Peer(Tool::Clang),
    },
];

/// One thing to measure.
#[derive(Debug)]
struct Kind {
    name: &'static str,
    work: Work,
    maker: Maker,
}

/// What makes machine code.
#[derive(Clone, Copy, Debug)]
enum Maker {
    /// A lowering of ours, as the options of the pass name it.
    Ours(&'static str),
    /// The peer's lowering.
    Peer(Tool),
}

impl Kind {
    const fn ours(name: &'static str, options: &'static str) -> Self {
        Self {
            name,
            work: Work::Dealloc,
            maker: Maker::Ours(options),
        }
    }

    fn is_peer(&self) -> bool {
        matches!(self.maker, Maker::Peer(_))
    }

    /// Whether it would take minutes to compile.
    fn is_too_large(&self, n: usize, m: usize) -> bool {
        match self.maker {
            Maker::Ours("specialized") => n * (m + n / 2) > MAX_SPECIALIZED_COMPARISONS,
            Maker::Ours(_) => false,
            Maker::Peer(_) => n + m > MAX_PEER_OPERANDS,
        }
    }
}

/// Beyond, inline code would take minutes to compile.
const MAX_SPECIALIZED_COMPARISONS: usize = 4096;

/// Beyond, the peer takes minutes to compile.
const MAX_PEER_OPERANDS: usize = 2048;

/// At least this long is one sample.
const SAMPLE_NANOSECONDS: u64 = 1_000_000;

/// About as many operands as there are rows of them: they stay in the first cache.
const ROW_OPERANDS: usize = 512;

/// One case of one lowering.
struct Measurement {
    kind: &'static Kind,
    n: usize,
    m: usize,
    alias: u8,
    conditions: u8,
    /// Nanoseconds per execution: the middle of all samples, how far the middle half is apart,
    /// and the least.
    median: f64,
    spread: f64,
    least: f64,
    code_bytes: Option<usize>,
    /// Heap allocations in each execution.
    allocations: f64,
    /// Depends on everything that one execution of each row does.
    result: i128,
}

/// Numbers of entries and retained buffers: as many of both, and one against many.
fn shapes(max: usize) -> Vec<(usize, usize)> {
    let sizes = || {
        (0..=12)
            .map(|power| 1usize << power)
            .filter(move |&n| n <= max)
    };
    let large = || sizes().filter(|&n| n >= 16 && n.trailing_zeros() % 4 == 0);
    sizes()
        .map(|n| (n, n))
        .chain(large().map(|n| (n, 1)))
        .chain(large().map(|m| (1, m)))
        .collect()
}

/// A small generator of numbers, the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(0x5851_f42d_4c95_7f2d)
            .wrapping_add(0x1405_7b7e_f767_814f);
        (self.0 >> 33) % bound
    }

    fn percent(&mut self, percentage: u8) -> bool {
        self.below(100) < percentage.into()
    }
}

/// Which buffer each operand is, and which conditions hold.
fn operands(n: usize, m: usize, alias: u8, conditions: u8) -> Operands {
    let mut random = Random(((n << 16) + (m << 4)) as u64);
    let rows = (ROW_OPERANDS / (n + m)).clamp(1, 64);
    let mut pattern: Vec<i64> = Vec::with_capacity(rows * (n + m));
    for _ in 0..rows {
        let start = pattern.len();
        for i in 0..n + m {
            let earlier = i > 0 && random.percent(alias);
            pattern.push(match earlier {
                true => pattern[start + random.below(i as u64) as usize],
                false => i as i64,
            });
        }
    }
    Operands {
        n,
        m,
        rows,
        pattern,
        conditions: (0..rows * n).map(|_| random.percent(conditions)).collect(),
    }
}

/// Runs the command; returns the exit status.
pub(super) fn run(args: &Args, io: &mut Io) -> io::Result<u8> {
    let outcome = match &args.target {
        None => measure_all(args, io).map(|all| report(args, &all, io)),
        Some(target) => count_all(args, target, io).map(|all| report_counts(args, &all, io)),
    };
    match outcome {
        Ok(status) => status,
        Err(message) => {
            writeln!(io.stderr, "freehold bench: error: {}", message.trim_end())?;
            Ok(exit::FAILURE)
        }
    }
}

/// One case of one lowering in an emulator.
struct Count {
    kind: &'static Kind,
    n: usize,
    m: usize,
    alias: u8,
    conditions: u8,
    counted: Counted,
}

/// Beyond, an emulator that writes a line per instruction takes minutes.
const MAX_COUNTED_OPERANDS: usize = 256;

/// Every lowering of ours on every case, in an emulator.
fn count_all(args: &Args, target: &Target, io: &Io) -> Result<Vec<Count>, String> {
    let emulator = Emulator::new(target)?;
    let mut shapes = shapes(args.max as usize);
    shapes.retain(|&(n, m)| n.max(m) <= MAX_COUNTED_OPERANDS);
    let progress = Progress::steps(shapes.len(), io);
    let mut all = Vec::new();
    for (n, m) in shapes {
        progress.step(&format!("count {n} x {m}"));
        for &alias in &args.alias {
            for &conditions in &args.conditions {
                let operands = operands(n, m, alias, conditions);
                for kind in KINDS.iter().filter(|kind| !kind.is_too_large(n, m)) {
                    let Maker::Ours(lowering) = kind.maker else {
                        continue;
                    };
                    all.push(Count {
                        kind,
                        n,
                        m,
                        alias,
                        conditions,
                        counted: emulator.count(&operands, kind.work, lowering)?,
                    });
                }
            }
        }
    }
    Ok(all)
}

/// Prints and writes the counts. Lowerings that disagree are an error.
fn report_counts(args: &Args, all: &[Count], io: &mut Io) -> io::Result<u8> {
    let kinds = || KINDS.iter().filter(|kind| !kind.is_peer());
    let mut head = vec!["entries x retained, same, true".to_owned()];
    head.extend(kinds().map(|kind| format!("{} instructions", kind.name)));
    let mut rows = vec![head];
    let mut status = exit::OK;
    let same = |a: &Count, b: &Count| {
        (a.n, a.m, a.alias, a.conditions) == (b.n, b.m, b.alias, b.conditions)
    };
    for group in all.chunk_by(same) {
        let case = &group[0];
        let mut row = vec![format!(
            "{} x {}, {}%, {}%",
            case.n, case.m, case.alias, case.conditions
        )];
        for kind in kinds() {
            let found = group.iter().find(|count| count.kind.name == kind.name);
            let text = found.map(|count| short(count.counted.instructions));
            row.push(text.unwrap_or_else(|| "-".to_owned()));
        }
        rows.push(row);
        let mut deallocs = (group.iter()).filter(|count| count.kind.work == Work::Dealloc);
        let expected = deallocs.next().map(|count| &count.counted.result);
        if let Some(wrong) = deallocs.find(|count| Some(&count.counted.result) != expected) {
            writeln!(
                io.stderr,
                "freehold bench: error: lowering {} of {} x {} gives other results",
                wrong.kind.name, wrong.n, wrong.m
            )?;
            status = exit::FAILURE;
        }
    }
    write!(io.stdout, "{}", text_table(&rows))?;
    let one = |count: &Count| {
        json!({
            "lowering": count.kind.name,
            "entries": count.n,
            "retained": count.m,
            "alias_percent": count.alias,
            "true_percent": count.conditions,
            "instructions": count.counted.instructions,
        })
    };
    let json = format!("{:#}\n", Value::Array(all.iter().map(one).collect()));
    Ok(status.max(write_result(args.json.as_ref(), &json, io)?))
}

/// Every lowering on every case.
fn measure_all(args: &Args, io: &Io) -> Result<Vec<Measurement>, String> {
    let shapes = shapes(args.max as usize);
    let peer = args.peer.then(Peer::new).transpose()?;
    let kinds = || KINDS.iter().filter(|kind| args.peer || !kind.is_peer());
    let progress = Progress::steps(shapes.len() * (kinds().count() + 1), io);
    let mut all = Vec::new();
    for &(n, m) in &shapes {
        let mut subjects = Vec::new();
        for kind in kinds() {
            progress.step(&format!("compile {} {n} x {m}", kind.name));
            if kind.is_too_large(n, m) {
                continue;
            }
            subjects.push(Subject::compile(kind, n, m, peer.as_ref())?);
        }
        progress.step(&format!("measure {n} x {m}"));
        for &alias in &args.alias {
            for &conditions in &args.conditions {
                all.extend(measure(args, &subjects, n, m, alias, conditions)?);
            }
        }
    }
    Ok(all)
}

/// One thing that is measured, compiled for one size.
struct Subject {
    kind: &'static Kind,
    code: Compiled,
    /// The same with its allocations counted, if `code` does not count them.
    counted: Option<Compiled>,
}

impl Subject {
    fn compile(
        kind: &'static Kind,
        n: usize,
        m: usize,
        peer: Option<&Peer>,
    ) -> Result<Self, String> {
        match (kind.maker, peer) {
            (Maker::Ours(lowering), _) => Ok(Self {
                kind,
                code: Compiled::ours(n, m, kind.work, lowering)?,
                counted: None,
            }),
            (Maker::Peer(tool), Some(peer)) => {
                let code = peer.compile(n, m, kind.work, tool)?;
                Ok(Self {
                    kind,
                    code: code.timed,
                    counted: Some(code.counted),
                })
            }
            (Maker::Peer(_), None) => Err("the peer was not asked for".into()),
        }
    }
}

/// All lowerings of one operation on the same operands, sample by sample in turns: what else happens
/// on the machine meanwhile happens to all of them.
fn measure(
    args: &Args,
    subjects: &[Subject],
    n: usize,
    m: usize,
    alias: u8,
    conditions: u8,
) -> Result<Vec<Measurement>, String> {
    let mut operands = operands(n, m, alias, conditions);
    let per_round = operands.rows as f64;
    let mut rounds = Vec::new();
    let mut all = Vec::new();
    for subject in subjects {
        let counted = subject.counted.as_ref().unwrap_or(&subject.code);
        let Ran {
            result,
            allocations,
            ..
        } = counted.run(1, &mut operands)?;
        // Warming up finds how many rounds a sample needs.
        let mut enough = 1;
        while subject.code.run(enough, &mut operands)?.nanoseconds < SAMPLE_NANOSECONDS
            && enough < 1 << 24
        {
            enough *= 2;
        }
        rounds.push(enough);
        all.push(Measurement {
            kind: subject.kind,
            n,
            m,
            alias,
            conditions,
            median: 0.0,
            spread: 0.0,
            least: 0.0,
            code_bytes: subject.code.code_bytes,
            allocations: allocations as f64 / per_round,
            result,
        });
    }
    let mut times = vec![Vec::new(); subjects.len()];
    for _ in 0..args.samples {
        for ((subject, times), &rounds) in subjects.iter().zip(&mut times).zip(&rounds) {
            let time = subject.code.run(rounds, &mut operands)?.nanoseconds as f64;
            times.push(time / (rounds as f64 * per_round));
        }
    }
    for (measurement, mut times) in all.iter_mut().zip(times) {
        times.sort_by(f64::total_cmp);
        let quantile = |quarters: usize| times[(times.len() - 1) * quarters / 4];
        measurement.median = quantile(2);
        measurement.spread = quantile(3) - quantile(1);
        measurement.least = times[0];
    }
    Ok(all)
}

/// Prints and writes the results. Lowerings of ours that disagree are an error.
fn report(args: &Args, all: &[Measurement], io: &mut Io) -> io::Result<u8> {
    let rows = table(args, all);
    write!(io.stdout, "{}", text_table(&rows))?;
    let charts = charts(args, all);
    let mut body = String::from(
        "<p>Each chart shows what one operand of a <code>bufferization.dealloc</code> costs, by the way it is lowered: \
         the lower the better, and a flat line means that the cost per operand does not grow with their number. Both \
         axes are logarithmic. <i>loop</i> is the loop that measures, with nothing in it.</p>\n",
    );
    body.push_str("<div class=\"charts\">\n");
    for chart in &charts {
        body.push_str(&chart.html());
    }
    body.push_str("</div>\n");
    body.push_str(&html_table(&rows));
    let first = charts.first().map(Chart::svg).unwrap_or_default();
    let mut status = exit::OK;
    for (path, text) in [
        (&args.json, json(all)),
        (&args.svg, first),
        (&args.html, page("What a dealloc costs", &body)),
    ] {
        status = status.max(write_result(path.as_ref(), &text, io)?);
    }
    for group in all.chunk_by(same_case) {
        let deallocs = group.iter().filter(|f| f.kind.work == Work::Dealloc);
        let mut ours = deallocs.filter(|found| !found.kind.is_peer());
        let expected = ours.next().map(|found| found.result);
        if let Some(wrong) = ours.find(|found| Some(found.result) != expected) {
            writeln!(
                io.stderr,
                "freehold bench: error: lowering {} of {} x {} gives other results",
                wrong.kind.name, wrong.n, wrong.m
            )?;
            status = exit::FAILURE;
        }
    }
    Ok(status)
}

fn same_case(a: &Measurement, b: &Measurement) -> bool {
    (a.n, a.m, a.alias, a.conditions) == (b.n, b.m, b.alias, b.conditions)
}

/// One row per case: nanoseconds per execution of every lowering, and code sizes.
fn table(args: &Args, all: &[Measurement]) -> Vec<Vec<String>> {
    let kinds: Vec<&Kind> = KINDS
        .iter()
        .filter(|kind| args.peer || !kind.is_peer())
        .collect();
    let mut head = vec!["entries x retained, same, true".to_owned()];
    head.extend(kinds.iter().map(|kind| format!("{} ns", kind.name)));
    if args.peer {
        head.extend(["clang / auto", "llc / auto", "peer's result"].map(str::to_owned));
    }
    head.extend(["code bytes", "allocations"].map(str::to_owned));
    let mut rows = vec![head];
    let mut cases: Vec<&Measurement> = Vec::new();
    for found in all {
        if !cases.iter().any(|case| same_case(case, found)) {
            cases.push(found);
        }
    }
    for case in cases {
        let find = |kind: &Kind| {
            let mut same = all.iter().filter(|found| same_case(found, case));
            same.find(|found| found.kind.name == kind.name)
        };
        let mut row = vec![format!(
            "{} x {}, {}%, {}%",
            case.n, case.m, case.alias, case.conditions
        )];
        let or_dash = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
        for kind in &kinds {
            let found = find(kind);
            let text = found.map(|f| format!("{} ±{}", short(f.median), short(f.spread / 2.0)));
            row.push(or_dash(text));
        }
        let deallocs: Vec<Option<&Measurement>> = kinds
            .iter()
            .filter(|kind| kind.work == Work::Dealloc)
            .map(|kind| find(kind))
            .collect();
        if args.peer {
            let peers = || {
                let peers = kinds.iter().filter(|kind| kind.is_peer());
                peers.filter(|kind| kind.work == Work::Dealloc)
            };
            for peer in peers() {
                let ratio = find(peer).zip(deallocs[0]);
                let ratio = ratio.map(|(peer, ours)| peer.median / ours.median);
                row.push(or_dash(ratio.map(|ratio| format!("{ratio:.1}"))));
            }
            let same = peers().filter_map(|peer| find(peer)).next();
            let same = same.map(|peer| match peer.result == case.result {
                true => "same".to_owned(),
                false => "differs".to_owned(),
            });
            row.push(or_dash(same));
        }
        let join = |text: fn(&Measurement) -> Option<String>| {
            let texts = deallocs.iter().map(|found| or_dash(found.and_then(text)));
            texts.collect::<Vec<_>>().join("/")
        };
        row.push(join(|found| {
            found.code_bytes.map(|bytes| bytes.to_string())
        }));
        row.push(join(|found| Some(short(found.allocations))));
        rows.push(row);
    }
    rows
}

/// Nanoseconds per operand against their number, one chart per kind of operands.
fn charts(args: &Args, all: &[Measurement]) -> Vec<Chart> {
    let mut charts = Vec::new();
    for &alias in &args.alias {
        for &conditions in &args.conditions {
            let mut series: Vec<Series> = Vec::new();
            let square =
                |f: &&Measurement| f.n == f.m && f.alias == alias && f.conditions == conditions;
            for found in all.iter().filter(square) {
                let point = (found.n as f64, found.median / (found.n + found.m) as f64);
                match series.iter_mut().find(|s| s.name == found.kind.name) {
                    Some(known) => known.points.push(point),
                    None => series.push(Series {
                        name: found.kind.name.to_owned(),
                        points: vec![point],
                        steps: false,
                    }),
                }
            }
            charts.push(Chart {
                title: format!(
                    "n entries, n retained; {alias}% same buffers, {conditions}% true conditions"
                ),
                x_label: "n",
                y_label: "nanoseconds per operand",
                logarithmic: true,
                reach: (0.0, 0.0),
                series,
            });
        }
    }
    charts
}

fn json(all: &[Measurement]) -> String {
    let one = |found: &Measurement| {
        json!({
            "lowering": found.kind.name,
            "entries": found.n,
            "retained": found.m,
            "alias_percent": found.alias,
            "true_percent": found.conditions,
            "median_ns": found.median,
            "spread_ns": found.spread,
            "least_ns": found.least,
            "code_bytes": found.code_bytes,
            "allocations": found.allocations,
        })
    };
    format!("{:#}\n", Value::Array(all.iter().map(one).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measures_every_lowering_and_finds_them_equal() {
        let args = Args {
            max: 8,
            samples: 2,
            alias: vec![50],
            conditions: vec![50],
            peer: false,
            target: None,
            json: None,
            svg: None,
            html: None,
        };
        let mut io = Io::captured("");
        let all = measure_all(&args, &io).unwrap();
        let n_ours = KINDS.iter().filter(|kind| !kind.is_peer()).count();
        assert_eq!(all.len(), 4 * n_ours);
        assert!(
            all.iter()
                .all(|found| found.median > 0.0 && found.allocations == 0.0)
        );
        assert_eq!(report(&args, &all, &mut io).unwrap(), exit::OK);
        let entries: Value = serde_json::from_str(&json(&all)).unwrap();
        let entries = entries.as_array().unwrap();
        let is_runtime = |entry: &Value| entry["lowering"] == "runtime" && entry["entries"] == 8;
        assert!(entries.iter().any(is_runtime));
        assert!(
            charts(&args, &all)[0]
                .html()
                .contains("</span>specialized<")
        );
    }
}
