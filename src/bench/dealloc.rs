//! `freehold bench dealloc`: the cost of a `bufferization.dealloc` by lowering, number of operands,
//! how many of them are the same buffer and how many conditions hold.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::PathBuf;

use super::operation::Compiled;
use super::peer::{Peer, Tool};
use super::{Progress, write_result};
use crate::plot::{Chart, Series, html_table, json_string, page, short, text_table};
use crate::{Io, exit};

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

/// The lowerings of ours, as the pass option names them.
const LOWERINGS: [(&str, &str); 4] = [
    ("auto", "auto use-runtime"),
    ("generic", "generic"),
    ("specialized", "specialized"),
    ("runtime", "runtime"),
];

/// The peer's, by what makes machine code of it.
const PEERS: [(&str, Tool); 2] = [("clang -O3", Tool::Clang), ("llc -O3", Tool::Llc)];

/// Beyond, inline code would take minutes to compile.
const MAX_SPECIALIZED_COMPARISONS: usize = 4096;

/// Beyond, the peer takes minutes to compile.
const MAX_PEER_OPERANDS: usize = 2048;

/// At least this long is one sample.
const SAMPLE_NANOSECONDS: u64 = 1_000_000;

/// One case of one lowering.
struct Measurement {
    lowering: &'static str,
    n: usize,
    m: usize,
    alias: u8,
    conditions: u8,
    /// Nanoseconds per execution: the middle of all samples, and how far the middle half is apart.
    median: f64,
    spread: f64,
    code_bytes: Option<usize>,
    /// Heap allocations in each execution, by the machine code.
    allocations: usize,
    /// Depends on everything that one execution does.
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
fn operands(n: usize, m: usize, alias: u8, conditions: u8) -> (Vec<i64>, Vec<bool>) {
    let mut random = Random(((n << 16) + (m << 4)) as u64);
    let mut pattern: Vec<i64> = Vec::with_capacity(n + m);
    for i in 0..n + m {
        let earlier = i > 0 && random.percent(alias);
        pattern.push(match earlier {
            true => pattern[random.below(i as u64) as usize],
            false => i as i64,
        });
    }
    let conditions = (0..n).map(|_| random.percent(conditions)).collect();
    (pattern, conditions)
}

/// Runs the command; returns the exit status.
pub(super) fn run(args: &Args, io: &mut Io) -> io::Result<u8> {
    let outcome = measure_all(args, io);
    Progress::clear(io)?;
    match outcome? {
        Ok(all) => report(args, &all, io),
        Err(message) => {
            writeln!(io.stderr, "freehold bench: error: {}", message.trim_end())?;
            Ok(exit::FAILURE)
        }
    }
}

/// Every lowering on every case.
fn measure_all(args: &Args, io: &mut Io) -> io::Result<Result<Vec<Measurement>, String>> {
    let shapes = shapes(args.max as usize);
    let peer = match args.peer.then(Peer::new).transpose() {
        Ok(peer) => peer,
        Err(message) => return Ok(Err(message)),
    };
    let n_peers = if args.peer { PEERS.len() } else { 0 };
    let mut progress = Progress::new(shapes.len() * (LOWERINGS.len() + n_peers));
    let mut all = Vec::new();
    for &(n, m) in &shapes {
        for (name, options) in LOWERINGS {
            progress.step(&format!("{name} {n} x {m}"), io)?;
            if name == "specialized" && n * (m + n / 2) > MAX_SPECIALIZED_COMPARISONS {
                continue;
            }
            let compiled = Compiled::ours(n, m, options);
            match compiled.and_then(|compiled| measure(args, name, n, m, &compiled)) {
                Ok(measured) => all.extend(measured),
                Err(message) => return Ok(Err(message)),
            }
        }
        if let Some(peer) = &peer {
            for (name, tool) in PEERS {
                progress.step(&format!("{name} {n} x {m}"), io)?;
                if n + m > MAX_PEER_OPERANDS {
                    continue;
                }
                let compiled = peer.compile(n, m, tool);
                match compiled.and_then(|compiled| measure(args, name, n, m, &compiled)) {
                    Ok(measured) => all.extend(measured),
                    Err(message) => return Ok(Err(message)),
                }
            }
        }
    }
    Ok(Ok(all))
}

/// One lowering of one operation on all operands.
fn measure(
    args: &Args,
    lowering: &'static str,
    n: usize,
    m: usize,
    compiled: &Compiled,
) -> Result<Vec<Measurement>, String> {
    let mut all = Vec::new();
    for &alias in &args.alias {
        for &conditions in &args.conditions {
            let (mut pattern, mut flags) = operands(n, m, alias, conditions);
            let mut run = |calls| compiled.run(calls, &mut pattern, &mut flags);
            let (_, result) = run(1)?;
            // Warming up finds how many calls a sample needs.
            let mut calls = 1;
            while run(calls)?.0 < SAMPLE_NANOSECONDS && calls < 1 << 24 {
                calls *= 2;
            }
            let mut times = Vec::new();
            for _ in 0..args.samples {
                times.push(run(calls)?.0 as f64 / calls as f64);
            }
            times.sort_by(f64::total_cmp);
            let quantile = |quarters: usize| times[(times.len() - 1) * quarters / 4];
            all.push(Measurement {
                lowering,
                n,
                m,
                alias,
                conditions,
                median: quantile(2),
                spread: quantile(3) - quantile(1),
                code_bytes: compiled.code_bytes,
                allocations: compiled.allocations,
                result,
            });
        }
    }
    Ok(all)
}

/// Prints and writes the results. Lowerings of ours that disagree are an error.
fn report(args: &Args, all: &[Measurement], io: &mut Io) -> io::Result<u8> {
    let rows = table(args, all);
    write!(io.stdout, "{}", text_table(&rows))?;
    let charts = charts(args, all);
    let mut body = String::new();
    for chart in &charts {
        body.push_str(&chart.svg());
    }
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
        let mut ours = group.iter().filter(|found| !is_peer(found));
        let expected = ours.next().map(|found| found.result);
        if let Some(wrong) = ours.find(|found| Some(found.result) != expected) {
            writeln!(
                io.stderr,
                "freehold bench: error: lowering {} of {} x {} gives other results",
                wrong.lowering, wrong.n, wrong.m
            )?;
            status = exit::FAILURE;
        }
    }
    Ok(status)
}

fn is_peer(found: &Measurement) -> bool {
    PEERS.iter().any(|(name, _)| *name == found.lowering)
}

fn same_case(a: &Measurement, b: &Measurement) -> bool {
    (a.n, a.m, a.alias, a.conditions) == (b.n, b.m, b.alias, b.conditions)
}

/// One row per case: nanoseconds per execution of every lowering, and code sizes.
fn table(args: &Args, all: &[Measurement]) -> Vec<Vec<String>> {
    let mut names: Vec<&str> = LOWERINGS.iter().map(|(name, _)| *name).collect();
    if args.peer {
        names.extend(PEERS.map(|(name, _)| name));
    }
    let mut head = vec!["entries x retained, same, true".to_owned()];
    head.extend(names.iter().map(|name| format!("{name} ns")));
    if args.peer {
        head.push("clang / auto".to_owned());
        head.push("llc / auto".to_owned());
        head.push("peer's result".to_owned());
    }
    head.push("code bytes".to_owned());
    head.push("allocations".to_owned());
    let mut rows = vec![head];
    let mut cases: Vec<&Measurement> = Vec::new();
    for found in all {
        if !cases.iter().any(|case| same_case(case, found)) {
            cases.push(found);
        }
    }
    for case in cases {
        let found: Vec<Option<&Measurement>> = names
            .iter()
            .map(|name| {
                all.iter()
                    .find(|f| same_case(f, case) && f.lowering == *name)
            })
            .collect();
        let mut row = vec![format!(
            "{} x {}, {}%, {}%",
            case.n, case.m, case.alias, case.conditions
        )];
        let or_dash = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
        for &found in &found {
            let text = found.map(|f| format!("{} ±{}", short(f.median), short(f.spread / 2.0)));
            row.push(or_dash(text));
        }
        if args.peer {
            let peer = found[LOWERINGS.len()];
            for peer in &found[LOWERINGS.len()..] {
                let ratio = peer
                    .zip(found[0])
                    .map(|(peer, ours)| peer.median / ours.median);
                row.push(or_dash(ratio.map(|ratio| format!("{ratio:.1}"))));
            }
            let same = peer.map(|peer| match peer.result == case.result {
                true => "same".to_owned(),
                false => "differs".to_owned(),
            });
            row.push(or_dash(same));
        }
        let join = |value: fn(&Measurement) -> Option<usize>| {
            let texts = found.iter().map(|found| match found.and_then(value) {
                Some(number) => number.to_string(),
                None => "-".to_owned(),
            });
            texts.collect::<Vec<_>>().join("/")
        };
        row.push(join(|found| found.code_bytes));
        row.push(join(|found| Some(found.allocations)));
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
                match series.iter_mut().find(|s| s.name == found.lowering) {
                    Some(known) => known.points.push(point),
                    None => series.push(Series {
                        name: found.lowering.to_owned(),
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
                series,
            });
        }
    }
    charts
}

fn json(all: &[Measurement]) -> String {
    let mut out = String::from("[");
    for (i, found) in all.iter().enumerate() {
        let code = found
            .code_bytes
            .map_or("null".to_owned(), |n| n.to_string());
        // Writing to a string cannot fail.
        let _ = write!(
            out,
            "{}\n{{\"lowering\": {}, \"entries\": {}, \"retained\": {}, \"alias_percent\": {}, \
             \"true_percent\": {}, \"median_ns\": {:.3}, \"spread_ns\": {:.3}, \"code_bytes\": {code}, \
             \"allocations\": {}}}",
            if i == 0 { "" } else { "," },
            json_string(found.lowering),
            found.n,
            found.m,
            found.alias,
            found.conditions,
            found.median,
            found.spread,
            found.allocations
        );
    }
    out + "\n]\n"
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
            json: None,
            svg: None,
            html: None,
        };
        let mut io = Io::captured("");
        let all = measure_all(&args, &mut io).unwrap().unwrap();
        assert_eq!(all.len(), 4 * LOWERINGS.len());
        assert!(
            all.iter()
                .all(|found| found.median > 0.0 && found.allocations == 0)
        );
        assert_eq!(report(&args, &all, &mut io).unwrap(), exit::OK);
        assert!(json(&all).contains("\"lowering\": \"runtime\", \"entries\": 8"));
        assert!(charts(&args, &all)[0].svg().contains(">specialized<"));
    }
}
