//! Models of JAX and ONNX, in small sizes, against what JAX and ONNX Runtime compute: `benches/models/small.py`
//! makes the files in `models/inputs/`, which begin with the arguments and the results.

use std::fs;
use std::path::{Path, PathBuf};

use libtest_mimic::Trial;

use crate::needs::trials;
use crate::support::in_process;
use freehold::backend::jit::{Argument, Buffer};
use freehold::{Module, Options, exit};

/// Levels and which allocations are merged.
const MODES: [&[&str]; 8] = [
    &["-O0", "--check"],
    &["-O0", "--merge-alloc"],
    &["-O0", "--merge-alloc=always"],
    &["-O2", "--merge-alloc=never"],
    &["-O2"],
    &["-O3", "--merge-alloc=never"],
    &["-O3"],
    &["-O3", "--merge-alloc=always"],
];

/// The largest difference, relative to the largest value of a result.
const TOLERANCE: f64 = 1e-5;

/// A model, its arguments and what it computes.
struct Model {
    path: PathBuf,
    text: String,
    inputs: Vec<String>,
    results: Vec<String>,
}

impl Model {
    fn read(path: PathBuf) -> Self {
        let text = fs::read_to_string(&path).unwrap();
        let comments = |key: &str| -> Vec<String> {
            let found = text.lines().filter_map(|line| line.strip_prefix(key));
            found.map(str::to_owned).collect()
        };
        Self {
            inputs: comments("// input: "),
            results: comments("// result: "),
            path,
            text,
        }
    }

    fn name(&self) -> &str {
        self.path
            .file_stem()
            .and_then(|name| name.to_str())
            .unwrap()
    }

    /// The function that it is.
    fn function(&self) -> &str {
        // Programs of JAX are all called `main`.
        let is_main = self.text.contains("func.func public @main(");
        if is_main { "main" } else { self.name() }
    }

    /// What the library computes, in the form of [`printed`].
    fn call(&self) -> Vec<(String, Vec<f64>)> {
        let module = Module::parse(&self.text).unwrap();
        let jit = module.compile(&Options::default()).unwrap();
        let inputs: Vec<Input> = self.inputs.iter().map(|text| Input::read(text)).collect();
        let buffers: Vec<Buffer<'_>> = inputs.iter().map(Input::buffer).collect();
        let arguments: Vec<Argument<'_>> = buffers.iter().map(Argument::MemRef).collect();
        let results = jit.call(self.function(), &arguments).unwrap();
        let values = results.iter().map(|result| {
            let memref = result.as_memref().unwrap();
            let sizes: String = memref.sizes().iter().map(|n| format!("{n}x")).collect();
            match memref.to_vec::<f32>() {
                Some(floats) => (
                    format!("{sizes}f32"),
                    floats.iter().map(|&x| as_printed(x)).collect(),
                ),
                None => {
                    let integers = memref.to_vec::<i32>().unwrap();
                    (
                        format!("{sizes}i32"),
                        integers.into_iter().map(f64::from).collect(),
                    )
                }
            }
        });
        values.collect()
    }

    /// What it prints.
    fn run(&self, mode: &[&str]) -> String {
        let function = format!("--function={}", self.function());
        let inputs: Vec<String> = (self.inputs.iter())
            .map(|input| format!("--input={input}"))
            .collect();
        let mut words = vec!["run", "-", &function, "--max-elements=100000"];
        words.extend(mode);
        words.extend(inputs.iter().map(String::as_str));
        let output = in_process::freehold(&words, self.text.as_str());
        let name = self.name();
        assert_eq!(
            output.status,
            exit::OK,
            "{name} {mode:?}: {}",
            output.stderr
        );
        output.stdout
    }
}

/// An argument of the library.
enum Input {
    Floats(Vec<f32>, Vec<usize>),
    Integers(Vec<i32>, Vec<usize>),
}

impl Input {
    fn read(text: &str) -> Self {
        let (ty, elements) = text.split_once('=').unwrap();
        let (sizes, element) = ty.rsplit_once('x').unwrap();
        let sizes = sizes.split('x').map(|size| size.parse().unwrap()).collect();
        let words = elements.split(',');
        match element {
            "f32" => Self::Floats(words.map(|word| word.parse().unwrap()).collect(), sizes),
            "i32" => Self::Integers(words.map(|word| word.parse().unwrap()).collect(), sizes),
            _ => panic!("{ty}"),
        }
    }

    fn buffer(&self) -> Buffer<'_> {
        match self {
            Self::Floats(data, sizes) => Buffer::read_only(data, sizes),
            Self::Integers(data, sizes) => Buffer::read_only(data, sizes),
        }
    }
}

/// The types and elements of results, as `run` prints them.
fn printed(text: &str) -> Vec<(String, Vec<f64>)> {
    let mut results: Vec<(String, Vec<f64>)> = Vec::new();
    for line in text.lines() {
        let elements = match line.strip_prefix("result #") {
            Some(rest) => {
                let (_, rest) = rest.split_once(": ").unwrap();
                let (ty, elements) = rest.split_once(" = ").unwrap_or((rest, ""));
                results.push((ty.to_owned(), Vec::new()));
                elements
            }
            None => line,
        };
        let words = elements.split(['[', ']', ',', ' ']);
        let values = words.filter(|word| !word.is_empty());
        let (_, result) = results.last_mut().unwrap();
        result.extend(values.map(|word| word.parse::<f64>().unwrap()));
    }
    results
}

/// The shortest number that is read as this float, which is what `run` prints.
fn as_printed(float: f32) -> f64 {
    float.to_string().parse().unwrap()
}

fn expected(result: &str) -> (String, Vec<f64>) {
    let (ty, elements) = result.split_once('=').unwrap();
    let elements = elements.split(',').map(|word| word.parse().unwrap());
    (ty.to_owned(), elements.collect())
}

/// The largest difference relative to the largest value; integers are equal or not.
fn error(ty: &str, found: &[f64], expected: &[f64]) -> f64 {
    assert_eq!(found.len(), expected.len());
    let differences = found.iter().zip(expected).map(|(a, b)| (a - b).abs());
    let largest = differences.fold(0.0, f64::max);
    let scale = expected
        .iter()
        .fold(0.0, |most: f64, value| most.max(value.abs()));
    match ty.contains("xf") {
        true if scale > 0.0 => largest / scale,
        _ => largest,
    }
}

fn models_compute_what_their_frameworks_do() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suite/models/inputs");
    let files = fs::read_dir(folder).unwrap();
    let mut models: Vec<_> = files
        .map(|file| Model::read(file.unwrap().path()))
        .collect();
    models.sort_by(|a, b| a.path.cmp(&b.path));
    assert!(models.len() >= 13);
    for model in &models {
        let name = model.name();
        let plain = model.run(MODES[0]);
        let results = printed(&plain);
        assert_eq!(results.len(), model.results.len(), "{name}");
        for ((ty, found), result) in results.iter().zip(&model.results) {
            let (expected_type, expected) = expected(result);
            assert_eq!(*ty, expected_type, "{name}");
            let error = error(ty, found, &expected);
            assert!(error <= TOLERANCE, "{name}: error {error}\n{plain}");
        }
        assert_eq!(model.call(), results, "{name}: the library");
        // The same bits at every level, wherever buffers are.
        for mode in &MODES[1..] {
            assert_eq!(model.run(mode), plain, "{name} {mode:?}");
        }
    }
}

/// The tests of this module.
pub(crate) fn tests() -> Vec<Trial> {
    trials![models_compute_what_their_frameworks_do,]
}
