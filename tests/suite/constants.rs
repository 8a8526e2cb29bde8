//! Programs that are nearly all constants, as models are: what they compute, what their objects hold, and how
//! much memory it takes to compile them.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use libtest_mimic::Trial;

use crate::needs::trials;
use crate::support::in_process;
use freehold::exit;

/// How constants are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Spelling {
    Dense,
    Resource,
}

/// A program that adds up the last elements of `constants`, tensors of f32 in hexadecimal digits.
fn program(spelling: Spelling, constants: &[String]) -> String {
    let mut text = "func.func @main() -> f32 {\n  %s0 = arith.constant 0.0 : f32\n".to_owned();
    let mut resources = Vec::new();
    for (i, digits) in constants.iter().enumerate() {
        let n = digits.len() / 8;
        let ty = format!("tensor<{n}xf32>");
        let value = match spelling {
            Spelling::Dense => format!("dense<\"0x{digits}\">"),
            Spelling::Resource => {
                resources.push(format!("w{i}: \"0x04000000{digits}\""));
                format!("dense_resource<w{i}>")
            }
        };
        let last = n - 1;
        let (before, after) = (i, i + 1);
        write!(
            text,
            "  %w{i} = arith.constant {value} : {ty}\n  %i{i} = arith.constant {last} : index\n  \
             %x{i} = tensor.extract %w{i}[%i{i}] : {ty}\n  %s{after} = arith.addf %s{before}, %x{i} : f32\n"
        )
        .unwrap();
    }
    writeln!(text, "  return %s{} : f32\n}}", constants.len()).unwrap();
    if spelling == Spelling::Resource {
        let resources = resources.join(", ");
        writeln!(
            text,
            "{{-# dialect_resources: {{ builtin: {{ {resources} }} }} #-}}"
        )
        .unwrap();
    }
    text
}

/// The digits of `n` different floats, of which the last one is `last`.
fn floats(n: u32, last: f32) -> String {
    let bytes = (1..n).map(|i| i.wrapping_mul(2_654_435_761) & 0x3fff_ffff);
    let values = bytes.chain([last.to_bits()]);
    values.fold(String::new(), |mut digits, bits| {
        write!(digits, "{:08X}", bits.swap_bytes()).unwrap();
        digits
    })
}

/// A file that is there as long as this is.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        /// Tests run at the same time.
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("freehold-constants-{}-{number}-{name}", std::process::id());
        Self(std::env::temp_dir().join(name))
    }

    fn path(&self) -> &str {
        self.0.to_str().unwrap()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // It need not have been written.
        let _ = fs::remove_file(&self.0);
    }
}

fn run(text: &str) -> String {
    let command = ["run", "-", "--entry-point-result=f32"];
    let output = in_process::freehold(&command, text);
    // What compiled code prints goes to the stream of the process: only the status and messages are seen.
    assert_eq!(output.status, exit::OK, "{:.300}", output.stderr);
    output.stdout
}

fn object(text: &str) -> Vec<u8> {
    let file = Scratch::new("object.o");
    // Loads from known places of constants are folded otherwise.
    let output = in_process::freehold(&["compile", "-", "-O0", "-o", file.path()], text);
    assert_eq!(output.status, exit::OK, "{:.300}", output.stderr);
    fs::read(&file.0).unwrap()
}

/// What the digits spell is what the program sees, whether they are few or many, in large letters or small ones.
fn elements_are_those_of_the_text() {
    for n in [3, 255, 256, 257, 20_000] {
        for spelling in [Spelling::Dense, Spelling::Resource] {
            let constants = [floats(n, 1.5), floats(n + 1, 2.0).to_lowercase()];
            let text = program(spelling, &constants);
            assert_eq!(run(&text).trim(), "3.500000e+00", "{spelling:?} {n}");
            let bytes: Vec<u8> = (0..constants[0].len() / 2)
                .map(|i| u8::from_str_radix(&constants[0][2 * i..2 * i + 2], 16).unwrap())
                .collect();
            let object = object(&text);
            let found = object.windows(bytes.len()).any(|window| window == bytes);
            assert!(found, "{spelling:?} {n}");
        }
    }
}

/// Equal constants are in an object once, whatever they are called.
fn equal_constants_are_one() {
    for spelling in [Spelling::Dense, Spelling::Resource] {
        for n in [100, 40_000] {
            let constant = floats(n, 1.0);
            let once = object(&program(spelling, std::slice::from_ref(&constant)));
            let thrice = object(&program(
                spelling,
                &[constant.clone(), constant.clone(), constant],
            ));
            let more = thrice.len() - once.len();
            assert!(more < 400, "{spelling:?} {n}: {more} bytes");
        }
    }
}

/// Places behind long strings are those in the file, and what is wrong with blobs is said.
fn bad_blobs_are_diagnostics() {
    let long = floats(1000, 1.0);
    let dense = |digits: &str, ty: &str| {
        format!(
            "func.func @main() -> {ty} {{\n  %0 = arith.constant dense<\"0x{digits}\"> : {ty} return %0 : \
             {ty}\n}}\n"
        )
    };
    let resource = |entry: &str| {
        format!(
            "func.func @main() -> tensor<1000xf32> {{\n  %0 = arith.constant dense_resource<w> : \
             tensor<1000xf32>\n  return %0 : tensor<1000xf32>\n}}\n{{-# dialect_resources: {{ builtin: {{ w: \
             {entry} }} }} #-}}\n"
        )
    };
    let column =
        "  %0 = arith.constant dense<\"0x".len() + long.len() + "\"> : tensor<1000xf32> ".len() + 1;
    for (text, message) in [
        (
            dense(&long, "tensor<1000xf32>").replace("return %0", "return %1"),
            format!(
                "<stdin>:2:{}: error: use of undeclared SSA value name",
                column + "return ".len()
            ),
        ),
        (
            dense(&long, "tensor<999xf32>"),
            "elements hex data size is invalid for provided type: 'tensor<999xf32>'".to_owned(),
        ),
        (
            dense(&long[8..], "tensor<1000xf32>"),
            "elements hex data size is invalid for provided type: 'tensor<1000xf32>'".to_owned(),
        ),
        (
            dense(&long[1..], "tensor<1000xf32>"),
            "expected string containing hex digits starting with `0x`".to_owned(),
        ),
        (
            resource(&format!("\"0x04000000{}\"", &long[8..])),
            "resource 'w' has 3996 bytes, but its type takes 4000".to_owned(),
        ),
        (
            resource(&format!("\"0x04000000{long}00\"")),
            "resource 'w' has 4001 bytes, but its type takes 4000".to_owned(),
        ),
        (
            resource(&format!("\"0x03000000{long}\"")),
            "but got non-power-of-2 value: 3".to_owned(),
        ),
        (
            resource(&format!("\"0x04000000{long}0\"")),
            "expected hex string blob for key 'w'".to_owned(),
        ),
        (
            resource(&format!("\"0x04000000{long}")),
            "expected '\"' in string literal".to_owned(),
        ),
        (
            resource("\"0x0400\""),
            "to encode alignment in first 4 bytes".to_owned(),
        ),
        (
            resource("\"0x04000000\"").replace("{ w: ", "{ v: "),
            "the file has no resource 'w'".to_owned(),
        ),
    ] {
        let output = in_process::freehold(&["compile", "-", "-o", "/dev/null"], text.as_str());
        assert_eq!(output.status, exit::FAILURE, "{message}");
        assert!(
            output.stderr.contains(&message),
            "{message}: {:.500}",
            output.stderr
        );
    }
}

/// The most memory that a process took so far, in bytes.
fn peak(process: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kilobytes << 10)
}

/// What is done with a program.
#[derive(Clone, Copy, Debug)]
enum Task {
    Object,
    Library,
    Run,
}

/// The most memory that a task with `text` takes, or `None` where that cannot be seen.
fn peak_of(task: Task, text: &str) -> Option<u64> {
    let input = Scratch::new("program.mlir");
    let output = Scratch::new(match task {
        Task::Library => "program.a",
        Task::Object | Task::Run => "program.o",
    });
    fs::write(&input.0, text).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_freehold"));
    match task {
        Task::Object | Task::Library => {
            command.args(["compile", input.path(), "-o", output.path()])
        }
        Task::Run => command.args(["run", input.path(), "--entry-point-result=f32"]),
    };
    let mut compiler = command.stdout(Stdio::null()).spawn().unwrap();
    let mut most = None;
    loop {
        most = most.max(peak(compiler.id()));
        if let Some(status) = compiler.try_wait().unwrap() {
            assert!(status.success());
            return most;
        }
        thread::sleep(Duration::from_millis(1));
    }
}

/// What a large program takes beyond what a small one takes is at most one and a half times its text, be
/// that many constants or one.
fn compiling_takes_memory_for_half_the_text_more() {
    let one = floats(8_000_000, 1.0);
    let few: Vec<String> = (0..8)
        .map(|i| format!("{}0000{i:02}3F", &one[..one.len() / 8]))
        .collect();
    let text = |spelling, constants: &[String]| {
        [
            program(spelling, &[floats(3, 1.0)]),
            program(spelling, constants),
        ]
    };
    for (task, [small, large]) in [
        (Task::Object, text(Spelling::Dense, &few)),
        (Task::Object, text(Spelling::Resource, &few)),
        (Task::Library, text(Spelling::Dense, &few)),
        (Task::Run, text(Spelling::Resource, &[one])),
    ] {
        let most = large.len() as u64 * 3 / 2;
        let [small, large] = [small, large].map(|text| peak_of(task, &text).unwrap());
        assert!(
            large - small <= most,
            "{task:?}: {large} after {small}, not {most} more"
        );
    }
}

/// The tests of this module.
pub(crate) fn tests() -> Vec<Trial> {
    trials![
        elements_are_those_of_the_text,
        equal_constants_are_one,
        bad_blobs_are_diagnostics,
        compiling_takes_memory_for_half_the_text_more needs ["proc"],
    ]
}
