//! Whoever asks, the same options are the same job: the command line, the library, and keywords of Python, which the
//! package hands to the library by their names.

use std::fs;
use std::path::Path;

use crate::needs::trials;
use crate::support::in_process;
use freehold::passes::manage::options::{OptionKind, OptionRow, OptionValue as _};
use freehold::{Job, Options, Output};
use libtest_mimic::Trial;

/// Options that decide about passes; objects that count are linked with the runtime library. All others are for reading, machine code and what is written.
const FOR_PASSES: &[&str] = &[
    "allocator",
    "check",
    "dealloc",
    "dealloc-lowering",
    "deallocator",
    "donate",
    "flush-denormals",
    "fp",
    "matrix-default-layout",
    "max-stack-bytes",
    "merge-alloc",
    "mpi",
    "no-library-calls",
    "no-size-checks",
    "opt-level",
    "private-function-dynamic-ownership",
    "remarks",
    "stats",
    "target",
    "target-cpu",
    "target-features",
    "threads",
    "vector-bits",
    "workspace",
];

/// Values that are not the default.
fn values(row: &OptionRow) -> Vec<&'static str> {
    let named: &[&str] = match row.kind {
        OptionKind::Bool => &["true"],
        OptionKind::Choice(words) => {
            let words = words.iter().map(|word| word.word);
            return words.filter(|&word| word != row.default).collect();
        }
        _ => match row.name {
            "cache" => &["folder"],
            "allocator" | "deallocator" => &["pool"],
            "cap-analyses" | "part-ops" => &["1000"],
            "dim" => &["batch=1", "batch=1,width=2"],
            "entry-name" => &["model"],
            "ignore-dialect" => &["foo", "foo,bar"],
            "irdl-file" => &["dialects.mlir"],
            "max-stack-bytes" => &["4096"],
            "multiversion" => &["v3", "v2,v4"],
            "shared-libs" => &["liba.so,libb.so"],
            "target" => &["aarch64-unknown-linux-gnu"],
            "target-cpu" => &["generic", "x86-64-v3", "x86-64-v4"],
            "target-features" => &["-fma"],
            "threads" => &["auto", "2"],
            name => panic!("this test has no value for '{name}'"),
        },
    };
    named.to_vec()
}

/// The option without which this one is an error.
fn goes_with(name: &str) -> Option<&'static str> {
    match name {
        "allocator" => Some("deallocator"),
        "deallocator" => Some("allocator"),
        _ => None,
    }
}

/// How a command line writes an option.
fn flag(row: &OptionRow, value: &str) -> String {
    match (row.name, row.kind) {
        ("opt-level", _) => format!("-O{value}"),
        ("debug-info", _) => "-g".to_owned(),
        (name, OptionKind::Bool) => format!("--{name}"),
        (name, _) => format!("--{name}={value}"),
    }
}

/// What `--dump-pass-pipeline` prints, if the command takes the flags. The program is none, so nothing is compiled.
fn of_command(command: &[&str], flags: &[String]) -> Option<String> {
    let mut words = command.to_vec();
    words.extend(flags.iter().map(String::as_str));
    words.extend(["--dump-pass-pipeline", "-"]);
    let errors = in_process::freehold(&words, "no program").stderr;
    match errors.contains("error: unexpected argument") {
        true => None,
        false => Some(printed(&errors).unwrap_or_else(|| panic!("{words:?}: {errors}"))),
    }
}

fn printed(text: &str) -> Option<String> {
    let (_, rest) = text.split_once("Pass Manager with ")?;
    rest.lines().nth(1).map(str::to_owned)
}

/// What the package for Python makes of keywords.
fn of_keywords(keywords: &[(String, &str)], output: Output) -> String {
    let mut options = Options::default();
    for (name, value) in keywords {
        options.set_named(name, value).unwrap();
    }
    Job::new(options, output).unwrap().pipeline().to_string()
}

/// Each option with each value, for code here and for an object file, alone and with a processor that has more.
fn the_same_options_are_the_same_passes() {
    let mut for_passes = Vec::new();
    for row in Options::all() {
        let mut is_taken = false;
        for value in values(&row) {
            for (command, output) in [("run", Output::Memory), ("compile", Output::Object)] {
                for cpu in [None, Some("x86-64-v3")] {
                    let keyword = row.name.replace('-', "_");
                    let mut keywords = vec![(keyword, value)];
                    let mut flags = vec![flag(&row, value)];
                    if let Some(other) = goes_with(row.name) {
                        keywords.push((other.to_owned(), value));
                        flags.push(format!("--{other}={value}"));
                    }
                    let n_own = keywords.len();
                    let wide = cpu.filter(|_| !row.name.starts_with("target"));
                    if let Some(cpu) = wide {
                        keywords.push(("target_cpu".to_owned(), cpu));
                        flags.push(format!("--target-cpu={cpu}"));
                    }
                    let Some(of_command) = of_command(&[command], &flags) else {
                        continue;
                    };
                    is_taken = true;
                    let of_keywords = of_keywords(&keywords, output);
                    assert_eq!(of_command, of_keywords, "{command} {flags:?}");
                    let default = self::of_keywords(&keywords[n_own..], output);
                    if of_keywords != default && !for_passes.contains(&row.name) {
                        for_passes.push(row.name);
                    }
                }
            }
        }
        assert!(is_taken, "no command takes '{}'", row.name);
    }
    for_passes.sort_unstable();
    assert_eq!(for_passes, FOR_PASSES);
}

/// Everything that can be made is described alike.
fn the_same_outputs_are_the_same_passes() {
    let OptionKind::Choice(words) = Output::KIND else {
        panic!("outputs are words");
    };
    for output in words.iter().filter_map(|word| Output::read(word.word)) {
        if output == Output::Memory {
            continue;
        }
        let emit = format!("--emit={}", output.text());
        let flags = [
            emit,
            "--fp=contract".to_owned(),
            "--target-cpu=x86-64-v3".to_owned(),
        ];
        let keywords = [("fp", "contract"), ("target_cpu", "x86-64-v3")];
        let keywords = keywords.map(|(name, value)| (name.to_owned(), value));
        let of_command = of_command(&["compile", "-o", "nowhere"], &flags).unwrap();
        assert_eq!(of_command, of_keywords(&keywords, output), "{flags:?}");
    }
}

/// Type checkers know the keywords of the package.
fn python_knows_all_keywords() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let stubs = fs::read_to_string(root.join("python/freehold/__init__.pyi")).unwrap();
    let (_, rest) = stubs.split_once("class Options(").unwrap();
    let fields = rest
        .lines()
        .skip(1)
        .take_while(|line| line.starts_with("    "));
    let fields: Vec<&str> = fields
        .filter_map(|line| line.trim().split(':').next())
        .collect();
    let names: Vec<String> = (Options::all().iter())
        .map(|row| row.name.replace('-', "_"))
        .collect();
    assert_eq!(fields, names);
}

fn wrong_options_are_refused() {
    let mut options = Options::default();
    for (name, value, message) in [
        (
            "fp",
            "loose",
            "fp is one of strict, contract, fast, not loose",
        ),
        ("opt_level", "4", "opt_level is one of 0, 1, 2, 3, not 4"),
        (
            "threads",
            "0",
            "threads is an integer from 1 to 1024, or auto, not 0",
        ),
        ("fpp", "strict", "there is no option 'fpp'"),
    ] {
        let error = options.set_named(name, value).unwrap_err();
        assert_eq!(error.to_string(), message);
    }
    let nowhere = Options {
        target: "z80".to_owned(),
        ..Options::default()
    };
    assert!(Job::new(nowhere, Output::Object).is_err());
}

/// The tests of this module.
pub(crate) fn tests() -> Vec<Trial> {
    trials![
        the_same_options_are_the_same_passes,
        the_same_outputs_are_the_same_passes,
        python_knows_all_keywords,
        wrong_options_are_refused
    ]
}
