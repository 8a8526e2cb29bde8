//! Every spelling of types, attributes, flags, locations and aliases, for both versions of MLIR.
//!
//! The pieces of all file tests, as mlir-opt writes them in generic form, are changed at random
//! (`mutations.rs`). Of what mlir-opt still accepts, Freehold reads the generic form and the custom one that
//! mlir-opt prints, and prints both for that version, in custom and in generic form. mlir-opt's generic form of all
//! of that is what it was.

mod mutations;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use libtest_mimic::Failed;
use regex::Regex;

use crate::support::generator::rng::Rng;
use crate::support::in_process::freehold;
use crate::support::{first_seed, n_programs, peer};
use freehold::exit;

/// How many programs are tried for each version.
const PROGRAMS: u64 = 20;

/// Programs that one mlir-opt process gets.
const BATCH: usize = 40;

/// Longer pieces say nothing more.
const MAX_PIECE_BYTES: usize = 20_000;

/// What separates pieces.
const SPLIT: &str = "// -----";

const GENERIC: [&str; 3] = [
    "--mlir-print-op-generic",
    "--mlir-print-local-scope",
    "--mlir-print-debuginfo",
];

/// Operations that mlir-opt knows in custom form and Freehold does not, or only what it compiles of them; the
/// location of an implied terminator with a region. Of dialects that mlir-opt does not know, it accepts anything.
const LEFT_OUT: [&str; 12] = [
    "test.",
    "async.",
    "llvm.",
    "mpi.",
    "scf.forall",
    "stablehlo",
    "chlo",
    "vhlo",
    "sdy.",
    "onnx.",
    "irdl.",
    "transform.",
];

/// What is read as another operation, or has numbers in generic form that mean one thing to MLIR 19 and another to
/// MLIR 22, which does not write them when it is told so.
const LEFT_OUT_22: [&str; 4] = [
    "linalg.contract",
    "linalg.elementwise",
    "atomic_rmw",
    "affine.parallel",
];

/// Rules that mlir-opt does not have, or the one of MLIR 22 does not.
const STRICTER: [&str; 7] = [
    "'bufferization.clone' op requires the same",
    "'vector.broadcast' op dimension mismatch ([",
    "'vector.mask' op expects a '",
    "'vector.matrix_multiply' op expected lhs to have",
    // It takes a tensor for a number.
    "'vector.outerproduct' op expected 1-d vector for operand #2",
    "'scf.parallel' op expects as many lower and upper bounds as steps",
    "'affine.parallel' op result type cannot match reduction attribute",
];

pub(crate) fn family() -> super::Family {
    let mut family = super::Family::new("spellings");
    for version in ["19", "22"] {
        let needs = format!("mlir-opt-{version}");
        family.test_with(&[&needs], format!("mlir-{version}"), move || test(version));
    }
    family
}

fn test(version: &'static str) -> Result<(), Failed> {
    let program = peer::tool(&format!("mlir-opt-{version}"));
    let mlir_opt = MlirOpt { program, version };
    let mut pieces = pieces();
    if version == "22" {
        pieces.retain(|piece| !LEFT_OUT_22.iter().any(|word| piece.contains(word)));
    }
    let mut rng = Rng::new(first_seed() ^ u64::from(version == "22"));
    let n_wanted = n_programs(PROGRAMS) as usize;
    let mut n_done = 0;
    let mut wrong = Vec::new();
    while n_done < n_wanted {
        let originals: Vec<&str> = (0..BATCH).map(|_| rng.pick(&pieces).as_str()).collect();
        let plain = mlir_opt.print(&originals, &GENERIC[..2]);
        let usable = plain
            .iter()
            .filter(|text| !text.is_empty() && text.len() < MAX_PIECE_BYTES);
        let mutants: Vec<String> = usable
            .map(|text| mutations::mutate(&mut rng, text))
            .collect();
        let outcome = mlir_opt.compare(&mutants)?;
        n_done += outcome.n_accepted;
        wrong.extend(outcome.wrong);
    }
    if !wrong.is_empty() {
        let message = format!(
            "{} of {n_done} programs:\n{}",
            wrong.len(),
            wrong.join("\n\n")
        );
        return Err(message.into());
    }
    Ok(())
}

/// The pieces of all files here and in `examples/`.
fn pieces() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    for folder in ["tests", "examples"] {
        collect(&root.join(folder), &mut files);
    }
    files.sort();
    let texts = files
        .iter()
        .filter_map(|file| fs::read_to_string(file).ok());
    let pieces = texts.flat_map(|text| text.split(SPLIT).map(str::to_owned).collect::<Vec<_>>());
    let is_left_out = |piece: &String| LEFT_OUT.iter().any(|word| piece.contains(word));
    pieces
        .filter(|piece| piece.len() < MAX_PIECE_BYTES && !is_left_out(piece))
        .collect()
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, files);
        } else if path
            .extension()
            .is_some_and(|extension| extension == "mlir")
        {
            files.push(path);
        }
    }
}

/// A version of mlir-opt.
struct MlirOpt {
    program: PathBuf,
    version: &'static str,
}

/// What became of some programs.
struct Outcome {
    n_accepted: usize,
    wrong: Vec<String>,
}

impl MlirOpt {
    /// What it prints for each text; nothing for those that it rejects.
    fn print(&self, texts: &[&str], flags: &[&str]) -> Vec<String> {
        let mut arguments = vec!["--split-input-file", "--allow-unregistered-dialect"];
        arguments.extend(flags);
        let all = peer::run(
            &self.program,
            &arguments,
            &texts.join(&format!("\n{SPLIT}\n")),
        );
        let all = all.map(|finished| String::from_utf8_lossy(&finished.stdout).into_owned());
        let printed: Vec<_> = all
            .unwrap_or_default()
            .split(SPLIT)
            .map(normalize)
            .collect();
        if printed.len() == texts.len() {
            return printed;
        }
        // It crashed.
        match texts {
            [_] => vec![String::new()],
            _ => {
                let (first, second) = texts.split_at(texts.len() / 2);
                let mut printed = self.print(first, flags);
                printed.extend(self.print(second, flags));
                printed
            }
        }
    }

    /// What Freehold prints for `text` in both forms, or what it says.
    fn ours(&self, text: &str) -> [Result<String, String>; 2] {
        let version = format!("--mlir-version={}", self.version);
        let arguments = [
            "opt",
            "-",
            &version,
            "--allow-unregistered-dialect",
            "--mlir-print-debuginfo",
        ];
        [
            &arguments[..],
            &[&arguments[..], &["--mlir-print-op-generic"]].concat(),
        ]
        .map(|arguments| {
            let output = freehold(arguments, text);
            match output.status {
                exit::OK => Ok(output.stdout),
                _ => Err(output.stderr),
            }
        })
    }

    fn compare(&self, mutants: &[String]) -> Result<Outcome, Failed> {
        let mutants: Vec<&str> = mutants.iter().map(String::as_str).collect();
        let meant = self.print(&mutants, &GENERIC);
        let accepted = mutants
            .iter()
            .zip(meant)
            .filter(|(_, meant)| !meant.is_empty());
        let (accepted, meant): (Vec<&str>, Vec<String>) = accepted.unzip();
        let custom = self.print(&accepted, &["--mlir-print-debuginfo"]);
        let custom: Vec<&str> = custom.iter().map(String::as_str).collect();
        // It cannot read all that it prints.
        let meant_by_custom = self.print(&custom, &GENERIC);
        let mut outcome = Outcome {
            n_accepted: accepted.len(),
            wrong: Vec::new(),
        };
        // What was read, of which program, and what is printed of that: `false` is custom form.
        let mut printed: Vec<(&str, usize, bool, String)> = Vec::new();
        for i in 0..accepted.len() {
            let is_readable = !meant_by_custom[i].is_empty();
            for input in [Some(accepted[i]), is_readable.then_some(custom[i])]
                .into_iter()
                .flatten()
            {
                for (is_generic, text) in [false, true].into_iter().zip(self.ours(input)) {
                    match text {
                        Ok(_) if !is_generic && !is_readable => {}
                        Ok(text) => printed.push((input, i, is_generic, text)),
                        Err(message) if STRICTER.iter().any(|rule| message.contains(rule)) => {}
                        Err(message) => outcome.wrong.push(format!("not read: {message}\n{input}")),
                    }
                }
            }
        }
        let texts: Vec<&str> = printed.iter().map(|entry| entry.3.as_str()).collect();
        let found = texts
            .chunks(BATCH)
            .flat_map(|texts| self.print(texts, &GENERIC));
        for (&(input, i, is_generic, _), found) in printed.iter().zip(found) {
            if !means(&found, &meant[i], &meant_by_custom[i]) {
                let form = if is_generic { "generic" } else { "custom" };
                let difference = difference(&meant[i], &found);
                outcome
                    .wrong
                    .push(format!("{form} form: {difference}\n{input}"));
            }
        }
        Ok(outcome)
    }
}

/// Whether each line is what was meant, or what mlir-opt itself keeps of that in custom form: it leaves out the
/// `kind` of a `vector.outerproduct` without accumulator, for one.
fn means(found: &str, meant: &str, meant_by_custom: &str) -> bool {
    let n_lines = |text: &str| text.lines().count();
    let all_lines = meant.lines().zip(meant_by_custom.lines());
    found == meant
        || n_lines(found) == n_lines(meant)
            && n_lines(found) == n_lines(meant_by_custom)
            && found
                .lines()
                .zip(all_lines)
                .all(|(line, (a, b))| line == a || line == b)
}

/// The first lines that differ.
fn difference(meant: &str, found: &str) -> String {
    let differs = meant.lines().zip(found.lines()).find(|(a, b)| a != b);
    match differs {
        _ if found.is_empty() => "rejected by mlir-opt".to_owned(),
        Some((meant, found)) => format!("meant\n{meant}\nis\n{found}"),
        None => "lines are missing".to_owned(),
    }
}

/// Text without comments and without locations that custom form cannot have: places in what was read, and those of
/// block arguments and terminators that are implied.
fn normalize(text: &str) -> String {
    static PLACES: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r#"loc\("(?:within split at [^"]*|<stdin>)":[0-9]+:[0-9]+\)|"(?:within split at [^"]*|<stdin>)":[0-9]+:[0-9]+"#)
            .expect("it is valid")
    });
    static ARGUMENTS: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"(?m)^\s*\^bb.*$").expect("it is valid"));
    static ARGUMENT_LOCATION: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r" loc\(.*?\)+(,|\):)").expect("it is valid"));
    let text = peer::normalize(text);
    let text = PLACES.replace_all(&text, "loc(unknown)");
    static IMPLIED: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r#"(?m)("[a-z_]+\.(?:yield|reduce|forall\.in_parallel|return)"\(\).* : \(\) -> \(\)) loc\(.*$"#)
            .expect("it is valid")
    });
    let text = IMPLIED.replace_all(&text, "$1");
    // Elements that are repeated along a dimension are never out of bounds: MLIR 19 has that said, MLIR 22 says nothing.
    static REPEATED: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?m)in_bounds = \[[a-z, ]*\](.*permutation_map = affine_map<\([^)]*\) -> \((?:[^)]*, )?0[,)])")
            .expect("it is valid")
    });
    let text = REPEATED.replace_all(&text, "$1");
    let text = ARGUMENTS.replace_all(&text, |line: &regex::Captures<'_>| {
        ARGUMENT_LOCATION.replace_all(&line[0], "$1").into_owned()
    });
    text.into_owned()
}
