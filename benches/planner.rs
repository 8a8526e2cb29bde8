//! Quality and speed of the memory planners: a Markdown table of peak / lower bound and seconds.
//!
//! `cargo bench -p freehold-passes --bench planner` measures generated instances: rectangles of
//! buffers that fit without a gap, long chains, many brief and many simultaneous buffers. `-- FILE.csv...` measures files in MiniMalloc's
//! format instead; `-- --capacity N` and `-- --node-budget N` are handed to the planners.

use std::io::Write;
use std::time::Instant;

use freehold_passes::check::memory_plan::{PlacedBuffer, check_intervals};
use freehold_passes::planner::csv::Table;
use freehold_passes::planner::{Instance, NAMES, Options, generate, planner};

fn main() {
    let mut options = Options::default();
    let mut capacity = None;
    let mut files = Vec::new();
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        let mut number = || {
            let text = args.next().expect("an option has a value");
            text.parse::<u64>().expect("the value is a number")
        };
        match arg.as_str() {
            // Cargo says so.
            "--bench" => {}
            "--capacity" => capacity = Some(number()),
            "--node-budget" => options.node_budget = number(),
            _ => files.push(arg),
        }
    }
    let instances: Vec<(String, Instance)> = if files.is_empty() {
        generated()
    } else {
        files
            .iter()
            .map(|file| (name_of(file), read(file)))
            .collect()
    };

    let mut out = std::io::stdout().lock();
    let mut row = |text: String| writeln!(out, "{text}").expect("the output can be written");
    let names = NAMES.join(" | s | ");
    row(format!(
        "| instance | buffers | bound | {names} | s | proved |"
    ));
    row(format!(
        "|---|---|---|{}---|",
        "---|---|".repeat(NAMES.len())
    ));
    for (name, instance) in instances {
        let instance = instance.with_capacity(capacity);
        let (mut cells, mut proved, mut bound) = (String::new(), String::new(), 0);
        for planner_name in NAMES {
            let planner = planner(planner_name, &options).expect("the name is in the list");
            let start = Instant::now();
            let plan = planner.plan(&instance).expect("the instance has a plan");
            let seconds = start.elapsed().as_secs_f64();
            let placed: Vec<_> = (instance.buffers().iter().zip(&plan.offsets))
                .map(|(b, &offset)| PlacedBuffer {
                    lower: b.lower,
                    upper: b.upper,
                    size: b.size,
                    alignment: b.alignment,
                    offset,
                })
                .collect();
            assert_eq!(
                check_intervals(&placed, plan.peak),
                [],
                "{name}: {planner_name}"
            );
            bound = bound.max(plan.lower_bound);
            let ratio = plan.peak as f64 / plan.lower_bound as f64;
            cells += &format!(" {ratio:.4} | {seconds:.3} |");
            if planner_name == NAMES[0] {
                proved = format!("{:?}, {} nodes", plan.proof, plan.nodes);
            }
        }
        let n = instance.buffers().len();
        row(format!("| {name} | {n} | {bound} |{cells} {proved} |"));
    }
}

fn generated() -> Vec<(String, Instance)> {
    let mut instances = Vec::new();
    for (seed, n, percent_missing) in [(1, 150, 0), (2, 200, 0), (3, 300, 0), (4, 200, 5)] {
        let buffers = generate::packed(seed, n, percent_missing);
        instances.push((format!("packed-{n}-{percent_missing}"), buffers));
    }
    for n in [100, 400, 2000, 10_000] {
        instances.push((format!("chain-{n}"), generate::chain(n as u64, n)));
    }
    instances.push(("brief-10000".to_owned(), generate::brief(1, 10_000)));
    let simultaneous = generate::simultaneous(1, 50_000);
    instances.push(("simultaneous-50000".to_owned(), simultaneous));
    let instance = |buffers| Instance::new(buffers).expect("the generators are right");
    instances
        .into_iter()
        .map(|(name, buffers)| (name, instance(buffers)))
        .collect()
}

fn read(file: &str) -> Instance {
    let text = std::fs::read_to_string(file).expect("the file can be read");
    match Table::parse(&text) {
        Ok(table) => table.instance,
        Err(error) => panic!("{file}:{}:{}: {}", error.line, error.column, error.message),
    }
}

fn name_of(file: &str) -> String {
    file.rsplit('/').next().unwrap_or(file).to_owned()
}
