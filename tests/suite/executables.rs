//! Executables read `--function`, `--input`, `--output` and `--max-elements` as `freehold run` does: the same command
//! line prints the same, wrong ones too, on this machine and on AArch64.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use libtest_mimic::Trial;

use crate::needs::trials;
use crate::support::peer;

const AARCH64: &str = "aarch64-unknown-linux-gnu";

/// Types of which a function takes an array and a number, and returns both.
const TYPES: [&str; 17] = [
    "i1",
    "i5",
    "i7",
    "i8",
    "si8",
    "ui8",
    "i16",
    "ui16",
    "i33",
    "ui64",
    "index",
    "f16",
    "bf16",
    "f32",
    "f64",
    "complex<f32>",
    "complex<f64>",
];

fn program() -> String {
    let mut text = String::from(
        "func.func @add(%a: tensor<2x?xf32>, %b: tensor<2x?xf32>) -> tensor<2x?xf32> {
           %sum = arith.addf %a, %b : tensor<2x?xf32>
           return %sum : tensor<2x?xf32>
         }
         func.func @fill(%to: memref<?x2x2xf64>, %from: memref<f64>, %row: memref<2xf64, strided<[?], offset: ?>>) {
           %x = memref.load %from[] : memref<f64>
           linalg.fill ins(%x : f64) outs(%to : memref<?x2x2xf64>)
           %c1 = arith.constant 1 : index
           memref.store %x, %row[%c1] : memref<2xf64, strided<[?], offset: ?>>
           return
         }
         func.func @column(%m: memref<3x4xi16>) -> (memref<3xi16, strided<[4], offset: 1>>, i1) {
           %copy = memref.alloc() : memref<3x4xi16>
           memref.copy %m, %copy : memref<3x4xi16> to memref<3x4xi16>
           %column = memref.subview %copy[0, 1] [3, 1] [1, 1]
             : memref<3x4xi16> to memref<3xi16, strided<[4], offset: 1>>
           %true = arith.constant true
           return %column, %true : memref<3xi16, strided<[4], offset: 1>>, i1
         }
         func.func @wide(%x: i128) -> i128 { return %x : i128 }
         func.func @nothing() { return }
         func.func private @hidden(%x: f32) -> f32 { return %x : f32 }
         func.func @main() -> (tensor<2xf32>, i32) {
           %x = arith.constant dense<[0.1, 1.0e+20]> : tensor<2xf32>
           %y = arith.constant 0 : i32
           return %x, %y : tensor<2xf32>, i32
         }\n",
    );
    for (index, ty) in TYPES.iter().enumerate() {
        text += &format!(
            "func.func @f{index}(%a: tensor<?x{ty}>, %x: {ty}) -> (tensor<?x{ty}>, {ty}) {{
               return %a, %x : tensor<?x{ty}>, {ty}
             }}\n"
        );
    }
    text
}

/// Command lines that are right or wrong, without what depends on types.
const LINES: &[&str] = &[
    "--function=add --input=2x3xf32=1,2,3,4,5,6 --input=2x3xf32=0.5",
    "--function=add --input=2x3xf32=[[1,2,3],[4,5,6]] --input=2x3xf32=random",
    "--function=add --input=2x0xf32=[[],[]] --input=2x0xf32=[]",
    "--function=add --input 2x0xf32= --input 2x0xf32=",
    "--function=add --input=2x50xf32=random --input=2x50xf32=random:7 --max-elements=9",
    "--function=add --input=@rows.npy --input=@columns.npy",
    "--function=add --input=@big.npy --input=@columns.npy --output=@out.npy",
    "--function=add --input=@big.npy --input=@columns.npy --output=@./columns.npy",
    "--function=add --input=@read.npy --input=2x3xf32=0",
    "--function=fill --input=3x2x2xf64=0 --input=f64=1e-5 --input=2xf64=1,2",
    "--function=fill --input=9x2x2xf64=0 --input=f64=-0.0 --input=2xf64=1,2 --max-elements=3 --output=-",
    "--function=column --input=3x4xi16=0,1,2,3,4,5,6,7,8,9,10,11 --output=@out.npy",
    "--function=column --input=3x4xi16=-1 --output=- --output=@out.npy",
    "--max-elements=9",
    "--output=@out.npy --output=-",
    "--function=nothing",
    // Wrong ones.
    "--function=add",
    "--function=add --input=2x3xf32=1",
    "--function=nothing --input=2x3xf32=1",
    "--function=none",
    "--function=add --input=2x3xf32=1 --input=3x2xf32=1",
    "--function=add --input=2x3xf32=1 --input=6xf32=1",
    "--function=add --input=2x3x1xf32=1 --input=6xf32=1",
    "--function=add --input=2x3xf64=1 --input=2x3xf32=1",
    "--function=add --input=f32=1 --input=2x3xf32=1",
    "--function=fill --input=2x2x2xf64=0 --input=1xf64=1 --input=2xf64=1",
    "--function=add --input=2x3xf31=1 --input=2x3xf32=1",
    "--function=add --input=2x3=1 --input=2x3xf32=1",
    "--function=add --input=2ax3xf32=1 --input=2x3xf32=1",
    "--function=add --input=2x3xf32=1,2 --input=2x3xf32=1",
    "--function=add --input=2x3xf32=[[0.5]] --input=2x3xf32=1",
    "--function=add --input=2x3xf32=[1,2,3,4,5,6] --input=2x3xf32=1",
    "--function=add --input=2x3xf32=[[1,2],[3,4],[5,6]] --input=2x3xf32=1",
    "--function=add --input=2x3xf32=[[1,2,3],[4,5,6] --input=2x3xf32=1",
    "--function=add --input=2x3xf32=1,2,3],[4,5,6 --input=2x3xf32=1",
    "--function=add --input=2x3xf32=[[1,2,3],[4,5,6]]] --input=2x3xf32=1",
    "--function=add --input=2x0xf32=[ --input=2x0xf32=",
    "--function=add --input=2x3xf32=1,,2,3,4,5,6 --input=2x3xf32=1",
    "--function=add --input=2x3xf32=1,2,3,4,5,6, --input=2x3xf32=1",
    "--function=add --input=2x3xf32=1e39 --input=2x3xf32=1",
    "--function=add --input=2x3xf32=one --input=2x3xf32=1",
    "--function=add --input=2x3xf32=random:x --input=2x3xf32=1",
    "--function=add --input=2x3xf32=randomly --input=2x3xf32=1",
    "--function=add --input=99999999999x99999999999xf32=1 --input=2x3xf32=1",
    "--function=add --input=@nowhere.npy --input=2x3xf32=1",
    "--function=add --input=@. --input=2x3xf32=1",
    "--function=add --input=@doubles.npy --input=2x3xf32=1",
    "--function=add --input=0123456789012345678901234567890123456789012345678901234567890123456789 --input=f32=1",
    "--function=add --input=2x3xf32=1 --input=2x3xf32=1 --output=@out.npy --output=@out.npy",
    "--function=add --input=2x3xf32=1 --input=2x3xf32=1 --output=@nowhere/out.npy",
    "--function=f2 --input=@wide.npy --input=i7=1",
    "--function=f9 --input=1xui64=0 --input=i32=1",
    "--function=f9 --input=1xui64=0 --input=f32=1",
    "--function=f0 --input=1xi1=2 --input=i1=1",
    "--function=f15 --input=1xcomplex<f32>=(1 --input=complex<f32>=1",
];

/// Values of a type, some of them none.
fn values(ty: &str) -> &'static [&'static str] {
    match ty {
        "i1" => &["true,0,1", "-1"],
        _ if ty.starts_with("complex") => &["(1,-2.5),3,(nan,1e-3)", "(1,x)", "random:5"],
        _ if ty.contains('f') => &[
            "0.1,-3e5,1e-7,65504",
            "inf,-nan,+.5,5.,-Infinity",
            "1e16,1e15,0.00012,123456789",
            "0x10",
            "1e",
            "65519,65520",
            "1e309",
            "random",
        ],
        _ => &[
            "1,-2,0x7f",
            "-128,127",
            "255",
            "-1",
            "1.5",
            "16,-16",
            "18446744073709551615",
            "random:3",
        ],
    }
}

/// The file of an array as NumPy writes it.
fn npy(descr: &str, fortran_order: &str, shape: &str, elements: &[u8]) -> Vec<u8> {
    let dictionary =
        format!("{{'descr': '{descr}', 'fortran_order': {fortran_order}, 'shape': {shape}, }}");
    let header = format!("{dictionary:<117}\n");
    let mut file = b"\x93NUMPY\x01\x00".to_vec();
    file.extend((header.len() as u16).to_le_bytes());
    file.extend(header.bytes());
    file.extend(elements);
    file
}

fn write_inputs(folder: &Path) {
    let numbers = [1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0];
    let little: Vec<u8> = numbers.iter().flat_map(|x| x.to_le_bytes()).collect();
    let big: Vec<u8> = numbers.iter().flat_map(|x| x.to_be_bytes()).collect();
    let doubles: Vec<u8> = numbers
        .iter()
        .flat_map(|&x| f64::from(x).to_le_bytes())
        .collect();
    for (name, file) in [
        ("rows", npy("<f4", "False", "(2, 3)", &little)),
        ("columns", npy("<f4", "True", "(2, 3)", &little)),
        ("big", npy(">f4", "False", "(2, 3)", &big)),
        ("doubles", npy("<f8", "False", "(2, 3)", &doubles)),
        ("wide", npy("|i1", "False", "(2,)", &[1, 64])),
    ] {
        fs::write(folder.join(format!("{name}.npy")), file).unwrap();
    }
}

/// What is printed and returned, without the name of the program that complains, and the file that was written.
#[derive(PartialEq, Eq, Debug)]
struct Outcome {
    stdout: String,
    stderr: String,
    status: Option<i32>,
    file: Option<Vec<u8>>,
}

fn outcome(mut command: Command, folder: &Path, who: &str) -> Outcome {
    let Output {
        status,
        stdout,
        stderr,
    } = command.current_dir(folder).output().unwrap();
    let stderr = String::from_utf8(stderr).unwrap();
    let written = folder.join("out.npy");
    let file = fs::read(&written).ok();
    // Later lines read it.
    let kept = fs::rename(&written, folder.join("read.npy"));
    assert_eq!(kept.is_ok(), file.is_some());
    Outcome {
        stdout: String::from_utf8(stdout).unwrap(),
        stderr: stderr.replacen(who, "PROGRAM", 1),
        status: status.code(),
        file,
    }
}

struct Machine {
    name: &'static str,
    emulator: Option<PathBuf>,
    executable: PathBuf,
}

/// An executable of `program.mlir` in the folder.
pub(crate) fn compile(folder: &Path, name: &str, flags: &[&str]) -> PathBuf {
    let executable = folder.join(name);
    let output = Command::new(env!("CARGO_BIN_EXE_freehold"))
        .args(["compile", "--emit=exe", "-o"])
        .args([&executable, &folder.join("program.mlir")])
        .args(flags)
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    executable
}

fn here(folder: &Path) -> Machine {
    Machine {
        name: "here",
        emulator: None,
        executable: compile(folder, "here", &[]),
    }
}

fn aarch64(folder: &Path) -> Machine {
    Machine {
        name: "AArch64",
        emulator: Some(peer::tool("qemu-aarch64")),
        executable: compile(folder, "aarch64", &["--static", "--target", AARCH64]),
    }
}

fn executables_read_the_command_line_of_run() {
    reads_the_command_line_of_run("here", here);
}

fn executables_for_aarch64_read_the_command_line_of_run() {
    reads_the_command_line_of_run("aarch64", aarch64);
}

fn reads_the_command_line_of_run(name: &str, machine: fn(&Path) -> Machine) {
    let folder = std::env::temp_dir().join(format!("executables-{name}-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("program.mlir"), program()).unwrap();
    write_inputs(&folder);
    let machine = machine(&folder);
    let mut lines: Vec<String> = LINES.iter().map(|&line| line.to_owned()).collect();
    for (index, ty) in TYPES.iter().enumerate() {
        for values in values(ty) {
            let number = values
                .split(if ty.starts_with('c') { "zz" } else { "," })
                .next()
                .unwrap();
            let number = if ty.starts_with('c') { "(1,2)" } else { number };
            let n = if values.contains("random") {
                3
            } else {
                values.split(',').count()
            };
            let n = if ty.starts_with('c') { 3 } else { n };
            lines.push(format!(
                "--function=f{index} --input={n}x{ty}={values} --input={ty}={number}"
            ));
        }
    }
    let (mut n_right, mut wrong) = (0, Vec::new());
    for line in &lines {
        let words: Vec<&str> = line.split(' ').collect();
        let mut run = Command::new(env!("CARGO_BIN_EXE_freehold"));
        run.args(["run", "program.mlir", "--cache=cache"])
            .args(&words);
        let expected = outcome(run, &folder, "freehold run");
        n_right += usize::from(expected.status == Some(0));
        let executable = &machine.executable;
        let mut command = match &machine.emulator {
            Some(emulator) => Command::new(emulator),
            None => Command::new(executable),
        };
        command
            .args(machine.emulator.iter().map(|_| executable))
            .args(&words);
        let found = outcome(command, &folder, &executable.display().to_string());
        if found != expected {
            wrong.push(format!("{} {line}\n{expected:?}\n{found:?}", machine.name));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(
        n_right > lines.len() * 2 / 5 && n_right < lines.len() - 20,
        "{n_right} of {}",
        lines.len()
    );
    fs::remove_dir_all(&folder).unwrap();
}

/// The tests of this module.
pub(crate) fn tests() -> Vec<Trial> {
    trials![
        executables_read_the_command_line_of_run needs ["cc"],
        executables_for_aarch64_read_the_command_line_of_run needs ["aarch64"],
    ]
}
