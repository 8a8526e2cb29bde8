//! `freehold plan`: chooses offsets for the buffers of a CSV file, or shows those in the arenas of a program.

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use freehold_passes::planner::csv::Table;
use freehold_passes::planner::{Instance, NAMES, Options, Plan, Proof, Watch, planner};
use serde_json::{Value, json};

use crate::cli::io::Io;
use crate::cli::plot::arena::Arena;
use crate::cli::plot::text_table;
use crate::cli::progress::Progress;
use crate::cli::{arenas, exit, session};
use crate::job::{Job, Output};

/// The command line of `plan`.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Buffers in MiniMalloc's format: columns id, lower, upper, size and maybe alignment and gaps;
    /// `-` is standard input. Or a program, bytecode, an ONNX model or in a file that ends in .mlir: its memory
    /// plan at -O2
    file: OsString,
    /// Output: the file with a column `offset` added; `-` is standard output, the report
    /// then goes to standard error
    #[arg(short = 'o')]
    output: Option<PathBuf>,
    /// Capacity of the arena in bytes; `optimal` stops once the plan fits
    #[arg(long)]
    capacity: Option<u64>,
    /// Planning algorithm
    #[arg(long, default_value = NAMES[0], value_parser = NAMES)]
    planner: String,
    /// Node budget of the search of `optimal` [default: 200000, unlimited with --time-limit]
    #[arg(long, visible_alias = "nodes")]
    node_budget: Option<u64>,
    /// Approximate time limit for the search of `optimal`, in seconds
    #[arg(long, value_name = "SECONDS")]
    time_limit: Option<u64>,
    /// Draw the plan as SVG: time across, offsets up. Of a program, the largest arena
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Of an ONNX model, sizes of dimensions that it names, as batch=1, or of an input, as x=1x3x224x224; may be repeated
    #[arg(long, value_name = "NAME=SIZE", value_delimiter = ',')]
    dim: Vec<String>,
    /// Write the plan, or the memory of the program, with all facts about it as JSON; `-` is standard output, the
    /// report then goes to standard error
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// Runs the command; returns the exit status. That is a failure if the plan exceeds the capacity.
pub(crate) fn run(args: &Args, io: &mut Io) -> io::Result<u8> {
    let ending = Path::new(&args.file).extension();
    let is_program =
        ending.is_some_and(|ending| ending == "mlir") || session::is_binary(&args.file);
    let planned = match is_program {
        true => plan_program(args, io),
        false => plan(args, io),
    };
    match planned {
        Ok((report, status)) => {
            let outputs = [&args.output, &args.json];
            let to_error = outputs.contains(&&Some(PathBuf::from("-")));
            let stream = if to_error {
                &mut io.stderr
            } else {
                &mut io.stdout
            };
            stream.write_all(report.as_bytes())?;
            Ok(status)
        }
        Err(message) => {
            writeln!(io.stderr, "{message}")?;
            Ok(exit::FAILURE)
        }
    }
}

/// Shows the memory plan of a program; as [`plan`].
fn plan_program(args: &Args, io: &mut Io) -> Result<(String, u8), String> {
    let has_budget = args.node_budget.is_some() || args.time_limit.is_some();
    let has_wishes = args.capacity.is_some() || args.planner != NAMES[0] || has_budget;
    if args.output.is_some() || has_wishes {
        let message =
            "of a program, only --svg and --json can be written: leave out the other options";
        return Err(format!("freehold plan: error: {message}"));
    }
    for output in [&args.svg, &args.json] {
        session::keep_input(output.as_deref(), &args.file)?;
    }
    let options = crate::options::Options {
        dim: args.dim.clone(),
        ..Default::default()
    };
    let job = Job::new(options, Output::Memory);
    let job = job.map_err(|error| format!("freehold plan: error: {error}"))?;
    let memory = arenas::planned(job, &args.file, io).map_err(|error| error.to_string())?;
    let Some(memory) = memory else {
        return Ok((String::new(), exit::FAILURE));
    };
    if let Some(path) = &args.svg {
        let picture = memory.largest_picture();
        let picture = picture.ok_or_else(|| {
            let name = args.file.display();
            format!("{name}: error: no allocations are merged, so there is no arena to draw")
        })?;
        session::write_output(Some(path), picture.as_bytes(), io)?;
    }
    if let Some(path) = &args.json {
        let text = format!("{:#}\n", memory.json());
        session::write_output(Some(path), text.as_bytes(), io)?;
    }
    Ok((text_table(&memory.rows()), exit::OK))
}

/// Plans and writes the files; gives the report and the exit status, or the line to print.
fn plan(args: &Args, io: &mut Io) -> Result<(String, u8), String> {
    for output in [&args.output, &args.svg, &args.json] {
        session::keep_input(output.as_deref(), &args.file)?;
    }
    let input = session::load(&args.file, io)?;
    let table = Table::parse(&input.text).map_err(|error| {
        format!(
            "{}:{}:{}: error: {}",
            input.name, error.line, error.column, error.message
        )
    })?;
    let instance = table.instance.clone().with_capacity(args.capacity);
    let time_limit = args.time_limit.map(Duration::from_secs);
    let default_nodes = match time_limit {
        Some(_) => u64::MAX,
        None => Options::default().node_budget,
    };
    let watch = Arc::new(Watch::default());
    let options = Options {
        node_budget: args.node_budget.unwrap_or(default_nodes),
        time_limit,
        watch: Some(Arc::clone(&watch)),
    };
    let planner = planner(&args.planner, &options).expect("the command line admits known names");
    let so_far = || {
        let [nodes, peak, bound] =
            [&watch.nodes, &watch.peak, &watch.lower_bound].map(|n| n.load(Ordering::Relaxed));
        format!("{nodes} nodes, peak {peak}, lower bound {bound}")
    };
    let plan = Progress::time(io)
        .during(so_far, || planner.plan(&instance))
        .map_err(|error| format!("{}: error: {error}", input.name))?;
    if let Some(path) = &args.output {
        session::write_output(Some(path), table.with_offsets(&plan).as_bytes(), io)?;
    }
    if let Some(path) = &args.svg {
        let names: Vec<&str> = table.ids().collect();
        let picture = Arena::of_plan(&instance, &plan, &names).draw();
        session::write_file(path, picture.as_bytes())?;
    }
    if let Some(path) = &args.json {
        let text = format!("{:#}\n", json(&args.planner, &table, &instance, &plan));
        session::write_output(Some(path), text.as_bytes(), io)?;
    }
    let status = match plan.fits(&instance) {
        true => exit::OK,
        false => exit::FAILURE,
    };
    Ok((report(&args.planner, &instance, &plan), status))
}

/// What [`report`] says, and where each buffer is.
fn json(planner: &str, table: &Table, instance: &Instance, plan: &Plan) -> Value {
    let buffers = table.ids().zip(instance.buffers()).zip(&plan.offsets);
    let buffers = buffers.map(|((id, buffer), offset)| {
        json!({
            "id": id,
            "lower": buffer.lower,
            "upper": buffer.upper,
            "size": buffer.size,
            "alignment": buffer.alignment,
            "offset": offset,
        })
    });
    json!({
        "planner": planner,
        "peak": plan.peak,
        "lower_bound": plan.lower_bound,
        "proved": plan.proved(),
        "nodes": plan.nodes,
        "capacity": instance.capacity(),
        "fits": plan.fits(instance),
        "buffers": buffers.collect::<Vec<_>>(),
    })
}

fn report(planner: &str, instance: &Instance, plan: &Plan) -> String {
    let percent = 100.0 * plan.gap() as f64 / (plan.lower_bound as f64).max(1.0);
    let proof = match plan.proof {
        Proof::Bound => "proved: the most that is live at once",
        Proof::Exhaustion => "proved: lower peaks were all excluded",
        Proof::None => "not proved: a better plan may exist",
    };
    let mut report = format!(
        "planner      {planner}\n\
         buffers      {}\n\
         peak         {}\n\
         lower bound  {}\n\
         gap          {} ({percent:.2} %), {proof}\n\
         nodes        {}\n",
        instance.buffers().len(),
        plan.peak,
        plan.lower_bound,
        plan.gap(),
        plan.nodes
    );
    if let Some(capacity) = instance.capacity() {
        let verdict = match plan.fits(instance) {
            true => "kept",
            false if plan.lower_bound > capacity => "exceeded, as by every plan",
            false => "exceeded",
        };
        report += &format!("capacity     {capacity}, {verdict}\n");
    }
    report
}
