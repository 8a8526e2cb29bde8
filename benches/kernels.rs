//! How fast generated code is: numeric kernels, ours and the peer's in turns.
//!
//! Each kernel is one program that both sides compile and run: ours through
//! `freehold run -O3`, with vectors of each width, under each floating-point policy
//! and on two threads, theirs through `mlir-opt-19` and `mlir-cpu-runner-19 -O3`.
//! The program takes the time itself, around each call of the kernel, and prints
//! the least one and a checksum of what was computed.
//!
//! `cargo bench --bench kernels` prints the table; `-- NAME...` only the rows whose
//! name contains one of the words; `-- text NAME` prints programs.

mod support;

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use support::{FREEHOLD, PEER_LIBRARIES, PEER_LOWERING, Scratch, argument, line, row, table};

fn main() {
    let arguments = support::arguments();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let chosen = |kernel: &Kernel, words: &[&str]| {
        words.is_empty() || words.iter().any(|word| kernel.name.contains(word))
    };
    let kernels = kernels();
    if let ["text", words @ ..] = &words[..] {
        for kernel in kernels.iter().filter(|kernel| chosen(kernel, words)) {
            line(&kernel.program());
        }
        return;
    }
    let has_peer = ["mlir-opt-19", "mlir-cpu-runner-19"]
        .into_iter()
        .all(support::is_installed);
    if !has_peer {
        line("mlir-opt-19 or mlir-cpu-runner-19 is not installed: ours only");
    }
    let scratch = Scratch::new();
    let mut columns = vec!["kernel"];
    columns.extend(WAYS.iter().map(|(name, _)| *name));
    columns.extend(["", "MLIR 19", "ratio", "results"]);
    table(&columns);
    for kernel in kernels.iter().filter(|kernel| chosen(kernel, &words)) {
        measure(kernel, &scratch, has_peer);
    }
}

/// How a kernel is compiled: vectors as wide as the processor has, and bits as without optimization, unless flags
/// say otherwise.
static WAYS: &[(&str, &[&str])] = &[
    ("128 bits", &["--vector-bits=128"]),
    ("256 bits", &["--vector-bits=256"]),
    ("all bits", &[]),
    ("contract", &["--fp=contract"]),
    ("2 threads", &["--threads=2"]),
    ("contract, 2 threads", &["--fp=contract", "--threads=2"]),
];

/// The way that is compared with the peer.
const STRICT: usize = 2;

/// What a run of a program printed.
#[derive(Clone, Copy)]
struct Outcome {
    seconds: f64,
    checksum: f64,
}

/// Runs all sides three times in turns and prints the row.
fn measure(kernel: &Kernel, scratch: &Scratch, has_peer: bool) {
    let input = scratch.write("kernel.mlir", &kernel.program());
    let lowered = scratch.path("lowered.mlir");
    if has_peer {
        lower_for_peer(&input, &lowered);
    }
    let (input, lowered) = (argument(&input), argument(&lowered));
    let mut ours: Vec<Option<Outcome>> = vec![None; WAYS.len()];
    let mut theirs = None;
    for _ in 0..3 {
        for ((_, flags), best) in WAYS.iter().zip(&mut ours) {
            if !kernel.takes(flags) {
                continue;
            }
            let mut command = Command::new(FREEHOLD);
            command.args(["run", "-O3", &input]).args(kernel.flags);
            improve(best, run(command.args(*flags)));
        }
        if has_peer {
            let flags = ["-e", "main", "-entry-point-result=void", "-O3"];
            let mut command = Command::new("mlir-cpu-runner-19");
            improve(
                &mut theirs,
                run(command.args(flags).args([PEER_LIBRARIES, &lowered])),
            );
        }
    }
    let Some(strict) = ours[STRICT] else { return };
    let rate = kernel.work / strict.seconds / 1e9;
    let mut cells = vec![kernel.name.clone()];
    cells.extend(ours.iter().map(|ours| match ours {
        Some(ours) => show(ours.seconds),
        None => "-".to_owned(),
    }));
    cells.push(format!("{rate:.1} {}/s", kernel.unit));
    match theirs {
        Some(theirs) => cells.extend([
            show(theirs.seconds),
            format!("{:.2}x", theirs.seconds / strict.seconds),
            agreement(strict.checksum, theirs.checksum),
        ]),
        None => cells.extend(["-", "-", "-"].map(str::to_owned)),
    }
    row(&cells);
}

/// Keeps the faster one.
fn improve(best: &mut Option<Outcome>, now: Outcome) {
    if best.is_none_or(|best| now.seconds < best.seconds) {
        *best = Some(now);
    }
}

fn show(seconds: f64) -> String {
    match seconds {
        s if s < 1e-3 => format!("{:.1} us", s * 1e6),
        s if s < 1.0 => format!("{:.2} ms", s * 1e3),
        s => format!("{s:.2} s"),
    }
}

/// How far apart two checksums are.
fn agreement(ours: f64, theirs: f64) -> String {
    if ours.to_bits() == theirs.to_bits() {
        return "same bits".to_owned();
    }
    let distance = (ours - theirs).abs() / theirs.abs().max(f64::MIN_POSITIVE);
    format!("{distance:.1e} apart")
}

fn lower_for_peer(input: &Path, output: &Path) {
    let status = Command::new("mlir-opt-19")
        .args([argument(input), "-o".to_owned(), argument(output)])
        .args(PEER_LOWERING)
        .status();
    let status = status.expect("mlir-opt-19 can be started");
    assert!(status.success(), "mlir-opt-19 refuses {}", input.display());
}

fn run(command: &mut Command) -> Outcome {
    let output = command.output().expect("the command can be started");
    let text = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    let mut bits = text.split_whitespace().map(|word| word.parse::<i64>());
    match (bits.next(), bits.next()) {
        (Some(Ok(seconds)), Some(Ok(checksum))) => Outcome {
            seconds: f64::from_bits(seconds as u64),
            checksum: f64::from_bits(checksum as u64),
        },
        _ => panic!("{command:?} printed {text:?} and {errors}"),
    }
}

/// A kernel and the buffers it works on.
struct Kernel {
    name: String,
    /// What one call does, in `unit`.
    work: f64,
    /// `GB`, `GFLOP` or `GOP`, per second in the table.
    unit: &'static str,
    /// How many times are taken.
    calls: usize,
    /// How often it is called each time: clocks may count microseconds.
    repeats: usize,
    /// The element type of all buffers but the result.
    element: &'static str,
    /// The element type of the result.
    result: &'static str,
    /// Sizes of the buffers, its arguments `%a`, `%b`, ...; the last one is the result.
    buffers: Vec<Vec<usize>>,
    /// The body of the function.
    body: String,
    /// Flags of `freehold run`.
    flags: &'static [&'static str],
}

impl Kernel {
    /// Whether its own flags say nothing else than these.
    fn takes(&self, flags: &[&str]) -> bool {
        let name = |flag: &&str| flag.split('=').next().map(str::to_owned);
        let own: Vec<_> = self.flags.iter().map(name).collect();
        flags.iter().all(|flag| !own.contains(&name(flag)))
    }

    /// The element type of a buffer.
    fn element(&self, index: usize) -> &'static str {
        match index + 1 == self.buffers.len() {
            true => self.result,
            false => self.element,
        }
    }

    /// The names of the buffers and their types.
    fn arguments(&self) -> Vec<(char, String)> {
        let types = self.buffers.iter().enumerate().map(|(i, shape)| {
            let sizes: String = shape.iter().map(|size| format!("{size}x")).collect();
            format!("memref<{sizes}{}>", self.element(i))
        });
        ('a'..='z').zip(types).collect()
    }

    /// The whole program.
    fn program(&self) -> String {
        let element = self.element;
        let arguments = self.arguments();
        let list = |part: &dyn Fn(&(char, String)) -> String| {
            arguments.iter().map(part).collect::<Vec<_>>().join(", ")
        };
        let mut text = PRELUDE.to_owned();
        for ty in [self.element, self.result] {
            let init = init(ty);
            if !text.contains(&init) {
                text += &init;
            }
        }
        text += &checksum(self.result);
        let mut put = |text_line: &str| {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{text_line}");
        };
        let parameters = list(&|(name, ty)| format!("%{name}: {ty}"));
        // LLVM would see through repeated calls, and leave copies out.
        let attributes = "attributes {passthrough = [\"noinline\"]}";
        put(&format!("func.func @kernel({parameters}) {attributes} {{"));
        put(&self.body.replace("!e", element));
        put("  return\n}\nfunc.func @main() {");
        for (seed, ((name, ty), shape)) in arguments.iter().zip(&self.buffers).enumerate() {
            let element = self.element(seed);
            let n: usize = shape.iter().product();
            let dims: Vec<String> = (0..shape.len()).map(|dim| dim.to_string()).collect();
            put(&format!("  %{name} = memref.alloc() : {ty}"));
            put(&match shape.len() {
                0 => format!(
                    "  %{name}_flat = memref.expand_shape %{name} [] output_shape [1] : {ty} into memref<1x{element}>"
                ),
                _ => format!(
                    "  %{name}_flat = memref.collapse_shape %{name} [[{}]] : {ty} into memref<{n}x{element}>",
                    dims.join(", ")
                ),
            });
            put(&format!(
                "  %{name}_all = memref.cast %{name}_flat : memref<{n}x{element}> to memref<?x{element}>
  %seed{seed} = arith.constant {seed} : index
  func.call @init_{element}(%{name}_all, %seed{seed}) : (memref<?x{element}>, index) -> ()"
            ));
        }
        let names = list(&|(name, _)| format!("%{name}"));
        let types = list(&|(_, ty)| ty.clone());
        let repeats = self.repeats;
        let result = arguments.last().map_or('a', |(name, _)| *name);
        put(&format!(
            "  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %calls = arith.constant {} : index
  %repeats = arith.constant {repeats} : index
  %per_sample = arith.constant {repeats}.0 : f64
  %long = arith.constant 1.0e+30 : f64
  %least = scf.for %i = %zero to %calls step %one iter_args(%before = %long) -> (f64) {{
    %start = func.call @rtclock() : () -> f64
    scf.for %j = %zero to %repeats step %one {{
      func.call @kernel({names}) : ({types}) -> ()
    }}
    %end = func.call @rtclock() : () -> f64
    %total = arith.subf %end, %start : f64
    %time = arith.divf %total, %per_sample : f64
    %less = arith.minimumf %time, %before : f64
    scf.yield %less : f64
  }}
  func.call @print_bits(%least) : (f64) -> ()
  %sum = func.call @checksum(%{result}_all) : (memref<?x{}>) -> f64
  func.call @print_bits(%sum) : (f64) -> ()
  return
}}",
            self.calls, self.result
        ));
        text
    }
}

/// What every program has.
const PRELUDE: &str = "\
func.func private @rtclock() -> f64
func.func private @printI64(i64)
func.func private @printNewline()
func.func @print_bits(%value: f64) {
  %bits = arith.bitcast %value : f64 to i64
  func.call @printI64(%bits) : (i64) -> ()
  func.call @printNewline() : () -> ()
  return
}
";

/// A function that writes values to start from.
fn init(element: &str) -> String {
    let value = match element {
        "i32" => "%value = arith.addi %int, %int : i32",
        _ if element.starts_with('i') => "%value = arith.trunci %int : i32 to !e",
        _ => {
            "%scale = arith.constant 0.001953125 : !e
    %float = arith.sitofp %int : i32 to !e
    %value = arith.mulf %float, %scale : !e"
        }
    };
    let text = "\
func.func @init_!e(%m: memref<?x!e>, %seed: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %prime = arith.constant 1009 : index
  %factor = arith.constant 37 : index
  %n = memref.dim %m, %zero : memref<?x!e>
  scf.for %i = %zero to %n step %one {
    %mixed = arith.muli %i, %factor : index
    %seeded = arith.addi %mixed, %seed : index
    %small = arith.remui %seeded, %prime : index
    %int = arith.index_cast %small : index to i32
    VALUE
    memref.store %value, %m[%i] : memref<?x!e>
  }
  return
}
";
    text.replace("VALUE", value).replace("!e", element)
}

/// A function for a number that depends on every element and its place.
fn checksum(element: &str) -> String {
    let widen = match element {
        "f64" => "return %value : f64",
        "f32" => "%wide = arith.extf %value : !e to f64\n  return %wide : f64",
        _ => "%wide = arith.sitofp %value : !e to f64\n  return %wide : f64",
    };
    let text = "\
func.func @widen(%value: !e) -> f64 {
  WIDEN
}
func.func @checksum(%m: memref<?x!e>) -> f64 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %period = arith.constant 7 : index
  %start = arith.constant 0.0 : f64
  %n = memref.dim %m, %zero : memref<?x!e>
  %sum = scf.for %i = %zero to %n step %one iter_args(%before = %start) -> (f64) {
    %value = memref.load %m[%i] : memref<?x!e>
    %wide = func.call @widen(%value) : (!e) -> f64
    %phase = arith.remui %i, %period : index
    %next = arith.addi %phase, %one : index
    %int = arith.index_cast %next : index to i32
    %weight = arith.sitofp %int : i32 to f64
    %term = arith.mulf %wide, %weight : f64
    %after = arith.addf %before, %term : f64
    scf.yield %after : f64
  }
  return %sum : f64
}
";
    text.replace("WIDEN", widen).replace("!e", element)
}

fn kernels() -> Vec<Kernel> {
    let mut kernels = Vec::new();
    for (n, calls) in [(1 << 12, 40), (1 << 20, 40), (1 << 24, 8)] {
        kernels.extend(vectors(n, calls));
    }
    kernels.extend([
        transpose(1024),
        stencil(1024),
        convolution(),
        convolution_2d(),
        softmax(512, 512),
        blend(1024),
        dot(1 << 16),
        narrow_matmul(256),
    ]);
    for element in ["f32", "f64"] {
        for (n, calls) in [(64, 20), (128, 20), (256, 10), (512, 3), (1024, 2)] {
            kernels.push(matmul(n, calls, element));
        }
    }
    let no_library = |kernel: Kernel| Kernel {
        name: format!("{}, no library", kernel.name),
        flags: &["--no-library-calls"],
        ..kernel
    };
    for (n, calls) in [(64, 20), (256, 10), (512, 3)] {
        for element in ["f32", "f64"] {
            kernels.push(no_library(matmul(n, calls, element)));
        }
    }
    kernels.push(no_library(matmul_transposed(256)));
    kernels.push(no_library(batch_matmul()));
    kernels.push(no_library(quantized_matmul(256)));
    kernels.push(no_library(matvec(1024)));
    for flags in [&["--threads=1"], &["--threads=2"]] {
        for kernel in threaded() {
            let name = format!("{}, {}", kernel.name, flags[0]);
            let name = name.replace("--threads=", "threads: ");
            kernels.push(Kernel {
                name,
                flags,
                ..kernel
            });
        }
    }
    kernels
}

/// A kernel whose work is the bytes it moves.
fn moving(name: &str, bytes: usize, calls: usize, buffers: Vec<Vec<usize>>, body: &str) -> Kernel {
    Kernel {
        name: name.to_owned(),
        work: bytes as f64,
        unit: "GB",
        calls,
        repeats: (1 << 25) / bytes.clamp(1, 1 << 25),
        element: "f32",
        result: "f32",
        buffers,
        body: body.to_owned(),
        flags: &[],
    }
}

/// Kernels that go through vectors of `n` elements once.
fn vectors(n: usize, calls: usize) -> Vec<Kernel> {
    let v = format!("memref<{n}xf32>");
    let bytes = 4 * n;
    let label = |name: &str| format!("{name}, {} KB", bytes / 1024);
    let loop_head = format!(
        "  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n = arith.constant {n} : index"
    );
    let generic = |ins: &str, types: &str, outs: &str, body: &str| {
        let maps = "affine_map<(i) -> (i)>, ".repeat(ins.matches('%').count() + 1);
        format!(
            "  linalg.generic {{indexing_maps = [{}], iterator_types = [\"parallel\"]}}
    ins({ins} : {types}) outs({outs} : {v}) {{
{body}
  }}",
            maps.trim_end_matches(", ")
        )
    };
    let unary = |from: &str, to: &str, body: &str| {
        let block = format!("  ^bb0(%x: f32, %y: f32):\n{body}");
        generic(from, &v, to, &block)
    };
    vec![
        moving(
            &label("fill"),
            bytes,
            calls,
            vec![vec![n]],
            &format!(
                "  %value = arith.constant 3.5 : f32
  linalg.fill ins(%value : f32) outs(%a : {v})"
            ),
        ),
        moving(
            &label("copy"),
            2 * bytes,
            calls,
            vec![vec![n]; 2],
            &format!("  linalg.copy ins(%a : {v}) outs(%b : {v})"),
        ),
        moving(
            &label("saxpy"),
            3 * bytes,
            calls,
            vec![vec![n]; 2],
            &format!(
                "{loop_head}
  %factor = arith.constant 0.5 : f32
  scf.for %i = %zero to %n step %one {{
    %x = memref.load %a[%i] : {v}
    %y = memref.load %b[%i] : {v}
    %scaled = arith.mulf %x, %factor : f32
    %sum = arith.addf %scaled, %y : f32
    memref.store %sum, %b[%i] : {v}
  }}"
            ),
        ),
        moving(
            &label("elementwise chain"),
            7 * bytes,
            calls,
            vec![vec![n]; 3],
            &[
                unary(
                    "%a",
                    "%c",
                    "    %r = arith.mulf %x, %x : f32\n    linalg.yield %r : f32",
                ),
                generic(
                    "%b, %c",
                    &format!("{v}, {v}"),
                    "%c",
                    "  ^bb0(%x: f32, %y: f32, %o: f32):
    %r = arith.addf %x, %y : f32
    linalg.yield %r : f32",
                ),
                unary(
                    "%c",
                    "%c",
                    "    %low = arith.constant 0.75 : f32
    %r = arith.maximumf %x, %low : f32
    linalg.yield %r : f32",
                ),
            ]
            .join("\n"),
        ),
        moving(
            &label("reduction"),
            bytes,
            calls,
            vec![vec![n], vec![]],
            &format!(
                "  linalg.generic {{indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = [\"reduction\"]}}
    ins(%a : {v}) outs(%b : memref<f32>) {{
  ^bb0(%x: f32, %sum: f32):
    %r = arith.addf %sum, %x : f32
    linalg.yield %r : f32
  }}"
            ),
        ),
    ]
}

fn transpose(n: usize) -> Kernel {
    let m = format!("memref<{n}x{n}xf32>");
    moving(
        &format!("transpose, {n}x{n}"),
        8 * n * n,
        20,
        vec![vec![n, n]; 2],
        &format!("  linalg.transpose ins(%a : {m}) outs(%b : {m}) permutation = [1, 0]"),
    )
}

/// The mean of each element and its four neighbours.
fn stencil(n: usize) -> Kernel {
    let m = format!("memref<{n}x{n}xf32>");
    let last = n - 1;
    moving(
        &format!("stencil of five points, {n}x{n}"),
        8 * n * n,
        20,
        vec![vec![n, n]; 2],
        &format!(
            "  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %last = arith.constant {last} : index
  %fifth = arith.constant 0.2 : f32
  scf.for %i = %one to %last step %one {{
    scf.for %j = %one to %last step %one {{
      %up = arith.subi %i, %one : index
      %down = arith.addi %i, %one : index
      %left = arith.subi %j, %one : index
      %right = arith.addi %j, %one : index
      %m = memref.load %a[%i, %j] : {m}
      %u = memref.load %a[%up, %j] : {m}
      %d = memref.load %a[%down, %j] : {m}
      %l = memref.load %a[%i, %left] : {m}
      %r = memref.load %a[%i, %right] : {m}
      %s0 = arith.addf %m, %u : f32
      %s1 = arith.addf %s0, %d : f32
      %s2 = arith.addf %s1, %l : f32
      %s3 = arith.addf %s2, %r : f32
      %mean = arith.mulf %s3, %fifth : f32
      memref.store %mean, %b[%i, %j] : {m}
    }}
  }}"
        ),
    )
}

/// A kernel whose work is arithmetic.
fn computing(
    name: &str,
    flops: usize,
    calls: usize,
    buffers: Vec<Vec<usize>>,
    body: &str,
) -> Kernel {
    Kernel {
        unit: "GFLOP",
        ..moving(name, flops, calls, buffers, body)
    }
}

fn convolution() -> Kernel {
    computing(
        "conv2d nhwc, 28x28x32 to 32, 3x3",
        2 * 28 * 28 * 32 * 32 * 9,
        10,
        vec![
            vec![1, 30, 30, 32],
            vec![3, 3, 32, 32],
            vec![1, 28, 28, 32],
        ],
        "  linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%a, %b : memref<1x30x30x32xf32>, memref<3x3x32x32xf32>) outs(%c : memref<1x28x28x32xf32>)",
    )
}

fn convolution_2d() -> Kernel {
    computing(
        "conv2d, 256x256, 3x3",
        2 * 254 * 254 * 9,
        20,
        vec![vec![256, 256], vec![3, 3], vec![254, 254]],
        "  linalg.conv_2d ins(%a, %b : memref<256x256xf32>, memref<3x3xf32>) outs(%c : memref<254x254xf32>)",
    )
}

fn matmul(n: usize, calls: usize, element: &'static str) -> Kernel {
    let m = format!("memref<{n}x{n}x!e>");
    Kernel {
        element,
        result: element,
        ..computing(
            &format!("matmul {element}, {n}"),
            2 * n * n * n,
            calls,
            vec![vec![n, n]; 3],
            &format!("  linalg.matmul ins(%a, %b : {m}, {m}) outs(%c : {m})"),
        )
    }
}

/// Two images of bytes, one fading into the other.
fn blend(n: usize) -> Kernel {
    let m = format!("memref<{n}x{n}xi8>");
    Kernel {
        element: "i8",
        result: "i8",
        ..moving(
            &format!("blend of bytes, {n}x{n}"),
            3 * n * n,
            20,
            vec![vec![n, n]; 3],
            &format!(
                "  linalg.generic {{indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = [\"parallel\", \"parallel\"]}}
    ins(%a, %b : {m}, {m}) outs(%c : {m}) {{
  ^bb0(%x: i8, %y: i8, %o: i8):
    %weight = arith.constant 77 : i16
    %other = arith.constant 179 : i16
    %eight = arith.constant 8 : i16
    %wide_x = arith.extui %x : i8 to i16
    %wide_y = arith.extui %y : i8 to i16
    %first = arith.muli %wide_x, %weight : i16
    %second = arith.muli %wide_y, %other : i16
    %sum = arith.addi %first, %second : i16
    %high = arith.shrui %sum, %eight : i16
    %r = arith.trunci %high : i16 to i8
    linalg.yield %r : i8
  }}"
            ),
        )
    }
}

/// A sum of products of bytes.
fn dot(n: usize) -> Kernel {
    let v = format!("memref<{n}xi8>");
    Kernel {
        element: "i8",
        result: "i32",
        unit: "GOP",
        ..moving(
            &format!("dot i8 to i32, {n}"),
            2 * n,
            20,
            vec![vec![n], vec![n], vec![]],
            &format!("  linalg.dot ins(%a, %b : {v}, {v}) outs(%c : memref<i32>)"),
        )
    }
}

/// A product of matrices of bytes.
fn narrow_matmul(n: usize) -> Kernel {
    let m = format!("memref<{n}x{n}x!e>");
    Kernel {
        element: "i8",
        result: "i32",
        unit: "GOP",
        ..moving(
            &format!("matmul i8 to i32, {n}"),
            2 * n * n * n,
            10,
            vec![vec![n, n]; 3],
            &format!("  linalg.matmul ins(%a, %b : {m}, {m}) outs(%c : memref<{n}x{n}xi32>)"),
        )
    }
}

/// The rows of one matrix times those of another one.
fn matmul_transposed(n: usize) -> Kernel {
    let m = format!("memref<{n}x{n}xf32>");
    computing(
        &format!("matmul transposed f32, {n}"),
        2 * n * n * n,
        10,
        vec![vec![n, n]; 3],
        &format!("  linalg.matmul_transpose_b ins(%a, %b : {m}, {m}) outs(%c : {m})"),
    )
}

/// Products of matrices as one `linalg.generic`.
fn batch_matmul() -> Kernel {
    let m = "memref<8x96x96xf32>";
    computing(
        "generic batch matmul f32, 8x96",
        2 * 8 * 96 * 96 * 96,
        10,
        vec![vec![8, 96, 96]; 3],
        &format!(
            "  linalg.generic {{indexing_maps = [affine_map<(n, i, j, k) -> (n, i, k)>, affine_map<(n, i, j, k) -> (n, k, j)>, affine_map<(n, i, j, k) -> (n, i, j)>],
      iterator_types = [\"parallel\", \"parallel\", \"parallel\", \"reduction\"]}}
    ins(%a, %b : {m}, {m}) outs(%c : {m}) {{
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %p = arith.mulf %x, %y : f32
    %r = arith.addf %sum, %p : f32
    linalg.yield %r : f32
  }}"
        ),
    )
}

/// A product of matrices of bytes that stand for numbers around 3.
fn quantized_matmul(n: usize) -> Kernel {
    let m = format!("memref<{n}x{n}xi8>");
    Kernel {
        name: format!("quantized matmul, {n}"),
        body: format!(
            "  %offset = arith.constant 3 : i32
  linalg.quantized_matmul ins(%a, %b, %offset, %offset : {m}, {m}, i32, i32) outs(%c : memref<{n}x{n}xi32>)"
        ),
        ..narrow_matmul(n)
    }
}

fn matvec(n: usize) -> Kernel {
    let (m, v) = (format!("memref<{n}x{n}xf32>"), format!("memref<{n}xf32>"));
    computing(
        &format!("matvec f32, {n}"),
        2 * n * n,
        20,
        vec![vec![n, n], vec![n], vec![n]],
        &format!("  linalg.matvec ins(%a, %b : {m}, {v}) outs(%c : {v})"),
    )
}

/// Parallel loops.
fn threaded() -> Vec<Kernel> {
    let n = 1 << 20;
    let v = format!("memref<{n}xf32>");
    let loop_head = format!(
        "  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n = arith.constant {n} : index"
    );
    let math = moving(
        "parallel exp and sin of a million",
        8 * n,
        5,
        vec![vec![n]; 2],
        &format!(
            "{loop_head}
  scf.parallel (%i) = (%zero) to (%n) step (%one) {{
    %x = memref.load %a[%i] : {v}
    %sine = math.sin %x : f32
    %r = math.exp %sine : f32
    memref.store %r, %b[%i] : {v}
  }}"
        ),
    );
    let rows = stencil(1024);
    let stencil = Kernel {
        name: format!("parallel {}", rows.name),
        body: rows.body.replacen(
            "scf.for %i = %one to %last step %one",
            "scf.parallel (%i) = (%one) to (%last) step (%one)",
            1,
        ),
        ..rows
    };
    let reduction = moving(
        "parallel sum of a million integers",
        4 * n,
        20,
        vec![vec![n], vec![]],
        &format!(
            "{loop_head}
  %none = arith.constant 0 : i64
  %sum = scf.parallel (%i) = (%zero) to (%n) step (%one) init (%none) -> i64 {{
    %x = memref.load %a[%i] : {v}
    %scale = arith.constant 512.0 : f32
    %scaled = arith.mulf %x, %scale : f32
    %number = arith.fptosi %scaled : f32 to i64
    scf.reduce(%number : i64) {{
    ^bb0(%s: i64, %t: i64):
      %both = arith.addi %s, %t : i64
      scf.reduce.return %both : i64
    }}
  }}
  %float = arith.sitofp %sum : i64 to f32
  memref.store %float, %b[] : memref<f32>"
        ),
    );
    vec![math, stencil, reduction]
}

/// Rows of `columns` numbers, each to probabilities.
fn softmax(rows: usize, columns: usize) -> Kernel {
    let m = format!("memref<{rows}x{columns}xf32>");
    let v = format!("memref<{rows}xf32>");
    let step = |inputs: &str, types: &str, output: &str, over_rows: bool, body: &str| {
        let maps = match over_rows {
            true => "affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>",
            false => {
                "affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>"
            }
        };
        let second = if over_rows { "reduction" } else { "parallel" };
        format!(
            "  linalg.generic {{indexing_maps = [{maps}], iterator_types = [\"parallel\", \"{second}\"]}}
    ins({inputs} : {types}) outs({output}) {{
{body}
  }}"
        )
    };
    let both = format!("{m}, {v}");
    let body = [
        format!(
            "  %low = arith.constant -1.0e+30 : f32
  %none = arith.constant 0.0 : f32
  linalg.fill ins(%low : f32) outs(%b : {v})"
        ),
        step(
            "%a",
            &m,
            &format!("%b : {v}"),
            true,
            "  ^bb0(%x: f32, %most: f32):
    %r = arith.maximumf %x, %most : f32
    linalg.yield %r : f32",
        ),
        step(
            "%a, %b",
            &both,
            &format!("%d : {m}"),
            false,
            "  ^bb0(%x: f32, %most: f32, %o: f32):
    %less = arith.subf %x, %most : f32
    %r = math.exp %less : f32
    linalg.yield %r : f32",
        ),
        format!("  linalg.fill ins(%none : f32) outs(%c : {v})"),
        step(
            "%d",
            &m,
            &format!("%c : {v}"),
            true,
            "  ^bb0(%x: f32, %sum: f32):
    %r = arith.addf %x, %sum : f32
    linalg.yield %r : f32",
        ),
        step(
            "%d, %c",
            &both,
            &format!("%d : {m}"),
            false,
            "  ^bb0(%x: f32, %sum: f32, %o: f32):
    %r = arith.divf %x, %sum : f32
    linalg.yield %r : f32",
        ),
    ]
    .join("\n");
    moving(
        &format!("softmax, {rows}x{columns}"),
        8 * rows * columns,
        20,
        vec![
            vec![rows, columns],
            vec![rows],
            vec![rows],
            vec![rows, columns],
        ],
        &body,
    )
}
