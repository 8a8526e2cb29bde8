//! Sizes known at run time: every structured operation is called with random sizes that fit or do not. A call is an
//! error if and only if they do not, results are those of code without optimization, and nothing outside of an argument
//! is read or written: around each lie elements that would show. Executables refuse the same calls.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use freehold::backend::jit::{Argument, Buffer, Jit, ResultValue};
use freehold::frontend::dialects::linalg;
use freehold::frontend::dialects::linalg::description::Index;
use freehold::frontend::dialects::linalg::named::named_op;
use freehold::{Level, Module, Options};
use libtest_mimic::Trial;

use crate::executables::compile;
use crate::needs::trials;
use crate::support::generator::rng::Rng;
use crate::support::n_programs;

/// Elements before and behind each argument.
const MARGIN: usize = 64;
/// Loops run less often than this.
const MAX_EXTENT: usize = 5;

/// A dimension of an argument.
#[derive(Clone, Debug)]
enum Dim {
    /// The size of a loop.
    Loop(usize),
    /// Room for sums of loop counters with factors, and a number.
    Window(Vec<(usize, usize)>, usize),
    /// This many times the size of a loop.
    Multiple(usize, usize),
}

/// A function, and what its arguments are to each other.
struct Case {
    name: String,
    n_loops: usize,
    /// The element type and the dimensions of each argument; nothing is a number.
    arguments: Vec<(&'static str, Option<Vec<Dim>>)>,
    writes_last: bool,
    text: String,
}

/// `tensor<?x?xf32>`
fn shaped(kind: &str, element: &str, rank: usize) -> String {
    format!("{kind}<{}{element}>", "?x".repeat(rank))
}

/// What operands may be: inputs, then outputs.
const TYPINGS: [&[&str]; 7] = [
    &["f32"],
    &["i32"],
    &["i8", "i8", "i32", "i32", "i32"],
    &["i1", "f32", "f32", "f32"],
    &["f32", "i32"],
    &["i32", "f32"],
    &["f64", "f64", "i32", "f32"],
];

impl Case {
    /// `linalg.name` on tensors or buffers, of operands with these subscripts.
    fn named(name: &str, maps: &[Option<Vec<Dim>>], attributes: &str, kind: &str) -> Option<Self> {
        let n_loops = loops_of(maps);
        TYPINGS.iter().find_map(|typing| {
            let elements: Vec<&'static str> = (0..maps.len())
                .map(|at| typing[at.min(typing.len() - 1)])
                .collect();
            let types: Vec<String> = (maps.iter().zip(&elements))
                .map(|(map, element)| match map {
                    Some(dims) => shaped(kind, element, dims.len()),
                    None => (*element).to_owned(),
                })
                .collect();
            let is_buffer = kind == "memref";
            let symbol = format!("{}_{kind}", name.replace('.', "_"));
            let parameters: Vec<String> = (types.iter().enumerate())
                .map(|(at, ty)| format!("%a{at}: {ty}"))
                .collect();
            let last = types.len() - 1;
            let values: Vec<String> = (0..last).map(|at| format!("%a{at}")).collect();
            let (ins, out) = (values.join(", "), &types[last]);
            let in_types = types[..last].join(", ");
            let mut text = format!("func.func @{symbol}({})", parameters.join(", "));
            if !is_buffer {
                let _ = write!(text, " -> {out}");
            }
            text += " {\n  ";
            if !is_buffer {
                text += "%r = ";
            }
            let _ = write!(
                text,
                "{name} {attributes} ins({ins} : {in_types}) outs(%a{last} : {out})"
            );
            match is_buffer {
                true => text += "\n  return\n}\n",
                false => {
                    let _ = write!(text, " -> {out}\n  return %r : {out}\n}}\n");
                }
            }
            Module::parse(&text).ok()?;
            Some(Self {
                name: symbol,
                n_loops,
                arguments: elements.into_iter().zip(maps.iter().cloned()).collect(),
                writes_last: is_buffer,
                text,
            })
        })
    }

    /// A function of f32 arguments with these dimensions.
    fn written(name: &str, maps: &[&[Dim]], text: &str) -> Self {
        let maps: Vec<_> = maps.iter().map(|dims| Some(dims.to_vec())).collect();
        Self {
            name: name.to_owned(),
            n_loops: loops_of(&maps),
            arguments: maps.into_iter().map(|map| ("f32", map)).collect(),
            writes_last: text.contains("memref"),
            text: format!("func.func @{name}{text}\n"),
        }
    }

    /// Whether arguments of these sizes fit.
    fn fits(&self, sizes: &[Vec<usize>]) -> bool {
        let mut loops = vec![None; self.n_loops];
        let dims = || {
            let dims = (self.arguments.iter().zip(sizes))
                .filter_map(|((_, dims), sizes)| Some(dims.as_ref()?.iter().zip(sizes)));
            dims.flatten()
        };
        for (dim, &size) in dims() {
            match *dim {
                Dim::Loop(at) => match loops[at] {
                    None => loops[at] = Some(size),
                    Some(known) if known != size => return false,
                    Some(_) => {}
                },
                Dim::Multiple(at, factor) => {
                    if size % factor != 0 || loops[at].is_some_and(|known| known * factor != size) {
                        return false;
                    }
                    loops[at] = Some(size / factor);
                }
                Dim::Window(..) => {}
            }
        }
        let loops: Vec<usize> = loops.into_iter().map(Option::unwrap_or_default).collect();
        if loops.contains(&0) {
            return true;
        }
        dims().all(|(dim, &size)| match dim {
            Dim::Window(terms, number) => {
                let last: usize = terms.iter().map(|&(at, by)| (loops[at] - 1) * by).sum();
                size > last + number
            }
            _ => true,
        })
    }

    /// Random sizes, which fit as often as not.
    fn sizes(&self, rng: &mut Rng) -> Vec<Vec<usize>> {
        let loops: Vec<usize> = (0..self.n_loops).map(|_| rng.below(MAX_EXTENT)).collect();
        let is_changed = rng.below(2) == 0;
        let mut size = |dim: &Dim| {
            let fitting = match dim {
                Dim::Loop(at) => loops[*at],
                Dim::Multiple(at, factor) => loops[*at] * factor,
                Dim::Window(terms, number) => {
                    let last = terms
                        .iter()
                        .map(|&(at, by)| loops[at].saturating_sub(1) * by);
                    last.sum::<usize>() + number + 1 + rng.below(2)
                }
            };
            match is_changed && rng.below(4) == 0 {
                true => rng.below(2 * MAX_EXTENT),
                false => fitting,
            }
        };
        let arguments = self.arguments.iter();
        let dims = arguments.map(|(_, dims)| dims.as_deref().unwrap_or_default());
        dims.map(|dims| dims.iter().map(&mut size).collect())
            .collect()
    }
}

fn loops_of(maps: &[Option<Vec<Dim>>]) -> usize {
    let dims = maps.iter().flatten().flatten();
    let loops = dims.flat_map(|dim| match dim {
        Dim::Loop(at) | Dim::Multiple(at, _) => vec![*at],
        Dim::Window(terms, _) => terms.iter().map(|&(at, _)| at).collect(),
    });
    loops.max().map_or(0, |last| last + 1)
}

/// Every named operation, on tensors and on buffers, and other operations on several sizes.
fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    let mut without = Vec::new();
    for &def in linalg::DIALECT.ops {
        let Some(named) = named_op(def) else {
            continue;
        };
        let (mut n_windows, mut maps) = (0, Vec::new());
        let n_operands = named.indices.n_inputs() + 1;
        match named.indices.n_loops() {
            None => {
                let all = |at| (at == n_operands - 1 || def.name != "linalg.fill").then(both);
                maps.extend((0..n_operands).map(all));
            }
            Some(_) => {
                for map in named.indices.maps() {
                    let dims = map.iter().map(|index| match *index {
                        Index::D(at) => Dim::Loop(at.into()),
                        Index::Sum(a, b) => Dim::Window(vec![(a.into(), 1), (b.into(), 1)], 0),
                        Index::Window(a, b, n) => {
                            n_windows = n_windows.max(usize::from(n) + 1);
                            Dim::Window(vec![(a.into(), 2), (b.into(), 3)], 0)
                        }
                    });
                    let dims: Vec<Dim> = dims.collect();
                    // Without dimensions, inputs are numbers.
                    let is_output = maps.len() == n_operands - 1;
                    maps.push((is_output || !dims.is_empty()).then_some(dims));
                }
            }
        }
        let attributes = match n_windows {
            0 => String::new(),
            n => format!(
                "{{strides = dense<2> : tensor<{n}xi64>, dilations = dense<3> : tensor<{n}xi64>}}"
            ),
        };
        for kind in ["tensor", "memref"] {
            match Case::named(def.name, &maps, &attributes, kind) {
                Some(case) => cases.push(case),
                None => without.push(def.name),
            }
        }
    }
    assert_eq!(without, Vec::<&str>::new(), "operations without a program");
    cases.extend(written());
    cases
}

/// Two dimensions.
fn both() -> Vec<Dim> {
    vec![Dim::Loop(0), Dim::Loop(1)]
}

fn written() -> Vec<Case> {
    use Dim::{Loop, Multiple, Window};
    let (i, j, k) = (Loop(0), Loop(1), Loop(2));
    let square = [i.clone(), j.clone()];
    let t2 = "tensor<?x?xf32>";
    let generic = |inputs: &str, maps: &str, body: &str| {
        format!(
            "({inputs}) -> {t2} {{
               %r = linalg.generic {{indexing_maps = [{maps}, affine_map<(i, j) -> (i, j)>],
                   iterator_types = [\"parallel\", \"parallel\"]}}
                 {body}
               return %r : {t2}
             }}"
        )
    };
    let one = format!("%a: {t2}, %o: {t2}");
    let of_one = format!(
        "ins(%a : {t2}) outs(%o : {t2}) {{
           ^bb0(%x: f32, %y: f32):
             linalg.yield %x : f32
           }} -> {t2}"
    );
    vec![
        Case::written(
            "elementwise",
            &[&square, &square, &square],
            &format!(
                "(%a: {t2}, %b: {t2}, %c: {t2}) -> {t2} {{
                   %0 = arith.mulf %a, %b : {t2}
                   %1 = arith.addf %0, %c : {t2}
                   %2 = math.absf %1 : {t2}
                   return %2 : {t2}
                 }}"
            ),
        ),
        Case::written(
            "transposed",
            &[&[j.clone(), i.clone()], &square],
            &generic(&one, "affine_map<(i, j) -> (j, i)>", &of_one),
        ),
        Case::written(
            "diagonal",
            &[&[i.clone(), i.clone()], &square],
            &generic(&one, "affine_map<(i, j) -> (i, i)>", &of_one),
        ),
        Case::written(
            "shifted",
            &[
                &[Window(vec![(0, 2), (1, 1)], 3), Window(vec![(1, 3)], 0)],
                &square,
            ],
            &generic(&one, "affine_map<(i, j) -> (i * 2 + j + 3, j * 3)>", &of_one),
        ),
        Case::written(
            "copied",
            &[&square, &square],
            "(%a: memref<?x?xf32>, %b: memref<?x?xf32>) {
               memref.copy %a, %b : memref<?x?xf32> to memref<?x?xf32>
               return
             }",
        ),
        Case::written(
            "concatenated",
            &[&[i.clone(), k.clone()], &[j.clone(), k.clone()]],
            &format!(
                "(%a: {t2}, %b: {t2}) -> {t2} {{
                   %r = tensor.concat dim(0) %a, %b : ({t2}, {t2}) -> {t2}
                   return %r : {t2}
                 }}"
            ),
        ),
        Case::written(
            "expanded",
            &[&[Multiple(0, 4)], &[i.clone(), Loop(1)]],
            &format!(
                "(%a: tensor<?xf32>, %b: {t2}) -> {t2} {{
                   %c0 = arith.constant 0 : index
                   %c4 = arith.constant 4 : index
                   %n = tensor.dim %a, %c0 : tensor<?xf32>
                   %m = arith.divui %n, %c4 : index
                   %e = tensor.expand_shape %a [[0, 1]] output_shape [%m, 4] : tensor<?xf32> into tensor<?x4xf32>
                   %s = linalg.reduce {{ arith.addf }} ins(%b : {t2}) outs(%v : tensor<?xf32>) dimensions = [1]
                   return %b : {t2}
                 }}"
            )
            .replace(
                "%s = linalg.reduce { arith.addf } ins(%b : tensor<?x?xf32>) outs(%v : tensor<?xf32>) dimensions = [1]",
                "%z = tensor.empty(%m) : tensor<?xf32>
                 %s = linalg.reduce { arith.addf } ins(%e : tensor<?x4xf32>) outs(%z : tensor<?xf32>) dimensions = [1]
                 %u = linalg.broadcast ins(%s : tensor<?xf32>) outs(%b : tensor<?x?xf32>) dimensions = [1]",
            ),
        ),
        Case::written(
            "called",
            &[&square[..1], &square[..1], &[Multiple(0, 2)]],
            "(%a: tensor<?xf32>, %b: tensor<?xf32>, %c: tensor<?xf32>) -> tensor<?xf32> {
               %0 = call @sum(%a, %b) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
               %1 = tensor.concat dim(0) %a, %b : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
               %2 = call @sum(%1, %c) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
               return %2 : tensor<?xf32>
             }
             func.func private @sum(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
               %0 = arith.addf %a, %b : tensor<?xf32>
               return %0 : tensor<?xf32>
             }",
        ),
        Case::written(
            "sliced",
            &[&[Window(vec![(0, 2)], 1), Window(vec![(1, 1)], 0)], &[i, j]],
            &format!(
                "(%a: {t2}, %b: {t2}) -> {t2} {{
                   %c0 = arith.constant 0 : index
                   %c1 = arith.constant 1 : index
                   %n = tensor.dim %b, %c0 : {t2}
                   %m = tensor.dim %b, %c1 : {t2}
                   %s = tensor.extract_slice %a[1, 0] [%n, %m] [2, 1] : {t2} to {t2}
                   %0 = arith.addf %s, %b : {t2}
                   return %0 : {t2}
                 }}"
            ),
        ),
    ]
}

/// An argument among elements that nobody may touch.
enum Data {
    F32(Vec<f32>),
    F64(Vec<f64>),
    I32(Vec<i32>),
    I8(Vec<i8>),
    I1(Vec<bool>),
}

impl Data {
    fn new(element: &str, n: usize, rng: &mut Rng) -> Self {
        let inside = |at: usize| (MARGIN..MARGIN + n).contains(&at);
        let all = 0..n + 2 * MARGIN;
        match element {
            "f32" => Self::F32(
                all.map(|at| {
                    if inside(at) {
                        1.0 + rng.below(4) as f32
                    } else {
                        f32::NAN
                    }
                })
                .collect(),
            ),
            "f64" => Self::F64(all.map(|at| at as f64).collect()),
            "i32" => Self::I32(
                all.map(|at| {
                    if inside(at) {
                        1 + rng.below(4) as i32
                    } else {
                        i32::MIN
                    }
                })
                .collect(),
            ),
            "i8" => Self::I8(
                all.map(|at| {
                    if inside(at) {
                        rng.below(4) as i8
                    } else {
                        i8::MIN
                    }
                })
                .collect(),
            ),
            _ => Self::I1(all.map(|_| rng.below(2) == 0).collect()),
        }
    }

    fn n(&self) -> usize {
        let len = match self {
            Self::F32(data) => data.len(),
            Self::F64(data) => data.len(),
            Self::I32(data) => data.len(),
            Self::I8(data) => data.len(),
            Self::I1(data) => data.len(),
        };
        len - 2 * MARGIN
    }

    fn buffer(&mut self, sizes: &[usize]) -> Buffer<'_> {
        let inside = MARGIN..MARGIN + self.n();
        match self {
            Self::F32(data) => Buffer::new(&mut data[inside], sizes),
            Self::F64(data) => Buffer::new(&mut data[inside], sizes),
            Self::I32(data) => Buffer::new(&mut data[inside], sizes),
            Self::I8(data) => Buffer::new(&mut data[inside], sizes),
            Self::I1(data) => Buffer::new(&mut data[inside], sizes),
        }
    }

    fn number(&self) -> Argument<'static> {
        match self {
            Self::F32(data) => Argument::F32(data[MARGIN]),
            Self::F64(data) => Argument::F64(data[MARGIN]),
            Self::I32(data) => Argument::Int(data[MARGIN].into()),
            Self::I8(data) => Argument::Int(data[MARGIN].into()),
            Self::I1(data) => Argument::Int(data[MARGIN].into()),
        }
    }

    /// All elements as bits.
    fn bits(&self) -> Vec<u32> {
        match self {
            Self::F32(data) => data.iter().map(|x| x.to_bits()).collect(),
            Self::F64(data) => data.iter().map(|&x| x as u32).collect(),
            Self::I32(data) => data.iter().map(|&x| x as u32).collect(),
            Self::I8(data) => data.iter().map(|&x| x as u32).collect(),
            Self::I1(data) => data.iter().map(|&x| x.into()).collect(),
        }
    }
}

/// What a call returned: results as bits, and arguments.
type Outcome = Result<(Vec<u32>, Vec<Vec<u32>>), String>;

fn call(jit: &Jit, case: &Case, sizes: &[Vec<usize>], seed: u64) -> Outcome {
    let mut rng = Rng::new(seed);
    let mut data: Vec<Data> = (case.arguments.iter().zip(sizes))
        .map(|((element, dims), sizes)| {
            let n = if dims.is_some() {
                sizes.iter().product()
            } else {
                1
            };
            Data::new(element, n, &mut rng)
        })
        .collect();
    let before: Vec<Vec<u32>> = data.iter().map(Data::bits).collect();
    let mut buffers: Vec<Result<Buffer<'_>, Argument<'static>>> = Vec::new();
    for ((data, (_, dims)), sizes) in data.iter_mut().zip(&case.arguments).zip(sizes) {
        buffers.push(match dims {
            Some(_) => Ok(data.buffer(sizes)),
            None => Err(data.number()),
        });
    }
    let arguments: Vec<Argument<'_>> = (buffers.iter())
        .map(|buffer| match buffer {
            Ok(buffer) => Argument::MemRef(buffer),
            Err(number) => *number,
        })
        .collect();
    let results = jit.call(&case.name, &arguments);
    let results = results.map_err(|error| error.to_string());
    drop(arguments);
    drop(buffers);
    let after: Vec<Vec<u32>> = data.iter().map(Data::bits).collect();
    let last = data.len() - 1;
    for (at, (before, after)) in before.iter().zip(&after).enumerate() {
        let n = data[at].n();
        let is_written = case.writes_last && at == last && results.is_ok();
        let kept = if is_written { MARGIN } else { before.len() };
        assert_eq!(before[..kept], after[..kept], "{} {sizes:?}", case.name);
        assert_eq!(
            before[MARGIN + n..],
            after[MARGIN + n..],
            "{} {sizes:?}",
            case.name
        );
    }
    let mut bits = Vec::new();
    for result in results?.into_iter().filter_map(ResultValue::into_memref) {
        match result.to_vec::<f32>() {
            Some(floats) => {
                assert!(
                    floats.iter().all(|x| !x.is_nan()),
                    "{} {sizes:?}",
                    case.name
                );
                bits.extend(floats.iter().map(|x| x.to_bits()));
            }
            None => {
                bits.extend((result.to_vec::<i32>().unwrap_or_default().iter()).map(|&x| x as u32))
            }
        }
    }
    if let Some(Data::F32(floats)) = data.last().filter(|_| case.writes_last) {
        let inside = &floats[MARGIN..floats.len() - MARGIN];
        assert!(
            inside.iter().all(|x| !x.is_nan()),
            "{} {sizes:?}",
            case.name
        );
    }
    Ok((bits, after))
}

fn sizes_fit_or_are_refused() {
    let cases = cases();
    let text: String = cases.iter().map(|case| case.text.as_str()).collect();
    let compile = |opt_level| {
        let module = Module::parse(&text).unwrap_or_else(|error| panic!("{error}"));
        let options = Options {
            opt_level,
            ..Options::default()
        };
        module
            .compile(&options)
            .unwrap_or_else(|error| panic!("{error}"))
    };
    let (plain, fast) = (compile(Level::O0), compile(Level::O2));
    let mut rng = Rng::new(1);
    let (mut n_right, mut n_refused) = (0, 0);
    for round in 0..n_programs(4000) {
        let case = rng.pick(&cases);
        let sizes = case.sizes(&mut rng);
        let outcomes = [&plain, &fast].map(|jit| call(jit, case, &sizes, round));
        let fits = case.fits(&sizes);
        let [expected, found] = outcomes;
        assert_eq!(
            (expected.is_ok(), found.is_ok()),
            (fits, fits),
            "{} {sizes:?}: {expected:?} {found:?}\n{}",
            case.name,
            case.text
        );
        match (expected, found) {
            (Ok(expected), Ok(found)) => {
                assert_eq!(expected, found, "{} {sizes:?}\n{}", case.name, case.text);
                n_right += 1;
            }
            (_, error) => {
                let error = error.unwrap_err();
                assert!(error.contains("cannot take such arguments"), "{error}");
                n_refused += 1;
            }
        }
    }
    assert!(n_right > 1000 && n_refused > 1000, "{n_right} {n_refused}");
}

/// Calls a function of an executable, each argument filled with a number. `buffer` is memory for the result.
fn run(
    executable: &Path,
    case: &Case,
    sizes: &[Vec<usize>],
    buffer: Option<(&'static str, &[usize])>,
) -> Output {
    let mut command = Command::new(executable);
    command.arg(format!("--function={}", case.name));
    let arguments = (case.arguments.iter().map(|(element, _)| *element))
        .zip(sizes.iter().map(Vec::as_slice))
        .chain(buffer);
    for (at, (element, sizes)) in arguments.enumerate() {
        let mut input = String::new();
        for size in sizes {
            let _ = write!(input, "{size}x");
        }
        let value = if element == "i1" { 1 } else { at + 2 };
        command.arg(format!("--input={input}{element}={value}"));
    }
    command.output().unwrap()
}

/// Executables, those that choose among versions, and those that write results to memory of the caller refuse what does
/// not fit, and compute what code without optimization does.
fn executables_refuse_what_does_not_fit() {
    let folder = std::env::temp_dir().join(format!("sizes-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let write = |cases: &[Case]| {
        let text: String = cases.iter().map(|case| case.text.as_str()).collect();
        let text = format!("func.func @main() {{ return }}\n{text}");
        fs::write(folder.join("program.mlir"), text).unwrap();
    };
    let mut cases = cases();
    write(&cases);
    let plain = compile(&folder, "plain", &["-O0"]);
    let fast = match cfg!(target_arch = "x86_64") {
        true => compile(&folder, "versions", &["--multiversion=v3"]),
        false => compile(&folder, "fast", &[]),
    };
    let mut rng = Rng::new(2);
    let n = n_programs(400);
    for _ in 0..n / 2 {
        let case = rng.pick(&cases);
        let sizes = case.sizes(&mut rng);
        let outputs = [&plain, &fast].map(|executable| run(executable, case, &sizes, None));
        assert_outputs(case, &sizes, case.fits(&sizes), &outputs);
    }

    // What is written above allocates inside.
    cases.truncate(cases.len() - written().len());
    write(&cases);
    let plain = compile(&folder, "plain", &["-O0", "--workspace=static"]);
    let fast = compile(&folder, "fast", &["--workspace=static"]);
    for _ in 0..n / 2 {
        let case = rng.pick(&cases);
        let sizes = case.sizes(&mut rng);
        let (out, _) = case.arguments[case.arguments.len() - 1];
        let mut result = sizes[sizes.len() - 1].clone();
        let has_result = !case.writes_last;
        let mut fits = case.fits(&sizes);
        if has_result && !result.is_empty() && rng.below(4) == 0 {
            let at = rng.below(result.len());
            fits &= result[at] == 3;
            result[at] = 3;
        }
        let buffer = has_result.then_some((out, result.as_slice()));
        let outputs = [&plain, &fast].map(|executable| run(executable, case, &sizes, buffer));
        assert_outputs(case, &sizes, fits, &outputs);
    }
    fs::remove_dir_all(&folder).unwrap();
}

fn assert_outputs(case: &Case, sizes: &[Vec<usize>], fits: bool, outputs: &[Output; 2]) {
    for output in outputs {
        let error = String::from_utf8_lossy(&output.stderr);
        let is_refused = error.contains("cannot take such arguments");
        assert_eq!(
            (output.status.code(), is_refused),
            (Some((!fits).into()), !fits),
            "{} {sizes:?}: {output:?}\n{}",
            case.name,
            case.text
        );
    }
    let [expected, found] = outputs;
    assert_eq!(expected.stdout, found.stdout, "{} {sizes:?}", case.name);
}

/// The tests.
pub(crate) fn tests() -> Vec<Trial> {
    trials![
        sizes_fit_or_are_refused,
        executables_refuse_what_does_not_fit needs ["cc"],
    ]
}
