//! Programs that print what they return, as numbers that have the same bits everywhere: for executables, those of other
//! processors under an emulator, and workspaces.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use freehold::frontend::ir::types::FloatKind;
use freehold_interpret::Outcome;

use super::oracle;
use super::types::{Elem, Ty};
use crate::has_aarch64_runtime;
use crate::support::generator::rng::Rng;
use crate::support::peer;
use crate::support::process::{self, Finished, Stderr};

/// The program with a `main` that prints what the old one returns.
pub(super) fn printing(text: &str, results: &[Ty]) -> String {
    let mut writer = Writer {
        out: String::new(),
        next: 0,
        indent: 1,
    };
    let types: Vec<String> = results.iter().map(Ty::text).collect();
    let list = types.join(", ");
    match results.len() {
        0 => writer.line("func.call @rows() : () -> ()"),
        n => writer.line(&format!("%r:{n} = func.call @rows() : () -> ({list})")),
    }
    writer.line("%zero = arith.constant 0 : index");
    writer.line("%one = arith.constant 1 : index");
    for (at, ty) in results.iter().enumerate() {
        writer.value(&format!("%r#{at}"), ty);
    }
    let rows = text.replacen("func.func @main(", "func.func private @rows(", 1);
    format!(
        "{rows}func.func @main() {{\n{}  func.return\n}}\n",
        writer.out
    )
}

struct Writer {
    out: String,
    next: usize,
    indent: usize,
}

impl Writer {
    fn line(&mut self, text: &str) {
        self.out += &"  ".repeat(self.indent);
        self.out += text;
        self.out.push('\n');
    }

    fn define(&mut self, text: &str) -> String {
        self.next += 1;
        let name = format!("%p{}", self.next);
        self.line(&format!("{name} = {text}"));
        name
    }

    fn print(&mut self, name: &str) {
        self.line(&format!("vector.print {name} : i64"));
    }

    fn value(&mut self, name: &str, ty: &Ty) {
        let text = ty.text();
        match ty {
            Ty::Scalar(elem) => self.number(name, *elem),
            Ty::Vector(shape, elem) => {
                let n: i64 = shape.iter().product();
                let flat = format!("vector<{n}x{}>", elem.text());
                let all = self.define(&format!("vector.shape_cast {name} : {text} to {flat}"));
                for at in 0..n {
                    let number = self.define(&format!(
                        "vector.extract {all}[{at}] : {} from {flat}",
                        elem.text()
                    ));
                    self.number(&number, *elem);
                }
            }
            Ty::Tensor(dims, elem) => {
                self.elements(name, &text, ("tensor", "extract"), dims.len(), *elem)
            }
            Ty::MemRef(mem) => {
                self.elements(name, &text, ("memref", "load"), mem.rank(), mem.elem);
            }
        }
    }

    /// Prints sizes and elements.
    fn elements(&mut self, name: &str, ty: &str, what: (&str, &str), rank: usize, elem: Elem) {
        let mut at = Vec::new();
        for dim in 0..rank {
            let number = self.define(&format!("arith.constant {dim} : index"));
            let size = self.define(&format!("{}.dim {name}, {number} : {ty}", what.0));
            self.number(&size, Elem::Index);
            self.next += 1;
            let counter = format!("%p{}", self.next);
            self.line(&format!("scf.for {counter} = %zero to {size} step %one {{"));
            self.indent += 1;
            at.push(counter);
        }
        let place = at.join(", ");
        let number = self.define(&format!("{}.{} {name}[{place}] : {ty}", what.0, what.1));
        self.number(&number, elem);
        for _ in 0..rank {
            self.indent -= 1;
            self.line("}");
        }
    }

    fn number(&mut self, name: &str, elem: Elem) {
        match elem {
            Elem::Index => {
                let cast = self.define(&format!("arith.index_cast {name} : index to i64"));
                self.print(&cast);
            }
            Elem::Int(64) => self.print(name),
            Elem::Int(width) if width < 64 => {
                let wide = self.define(&format!("arith.extui {name} : i{width} to i64"));
                self.print(&wide);
            }
            Elem::Int(width) => {
                let by = self.define(&format!("arith.constant 64 : i{width}"));
                let high = self.define(&format!("arith.shrui {name}, {by} : i{width}"));
                for part in [name, &high] {
                    let part = self.define(&format!("arith.trunci {part} : i{width} to i64"));
                    self.print(&part);
                }
            }
            Elem::Float(kind) => {
                let is_nan = self.is_nan(name, kind);
                self.float(name, kind, &is_nan);
            }
            Elem::Complex(kind) => {
                let ty = elem.text();
                let parts =
                    ["re", "im"].map(|part| self.define(&format!("complex.{part} {name} : {ty}")));
                // Which part is NaN is nobody's.
                let nans = [0, 1].map(|at: usize| self.is_nan(&parts[at], kind));
                let any = self.define(&format!("arith.ori {}, {} : i1", nans[0], nans[1]));
                for part in &parts {
                    self.float(part, kind, &any);
                }
            }
        }
    }

    fn is_nan(&mut self, name: &str, kind: FloatKind) -> String {
        let ty = kind.keyword();
        self.define(&format!("arith.cmpf uno, {name}, {name} : {ty}"))
    }

    /// Prints the bits; NaN has one sort of them.
    fn float(&mut self, name: &str, kind: FloatKind, is_nan: &str) {
        let (ty, width) = (kind.keyword(), kind.width());
        let bits = self.define(&format!("arith.bitcast {name} : {ty} to i{width}"));
        let wide = match width {
            64 => bits,
            _ => self.define(&format!("arith.extui {bits} : i{width} to i64")),
        };
        let nan = self.define("arith.constant -1 : i64");
        let chosen = self.define(&format!("arith.select {is_nan}, {nan}, {wide} : i64"));
        self.print(&chosen);
    }
}

/// Ways to make an executable: flags, and what runs it.
const WAYS: &[(&[&str], &[&str])] = &[
    (&["--workspace=static"], &[]),
    (&["--workspace=static", "--dealloc=hlo"], &[]),
    (&["--static", "-O0"], &[]),
    (&["--static", "--threads=2"], &[]),
    (
        &["--static", "--target=aarch64-unknown-linux-gnu"],
        &["qemu-aarch64"],
    ),
    (
        &["--static", "--target=aarch64-unknown-linux-gnu", "-O3"],
        &["qemu-aarch64"],
    ),
    (
        &[
            "--static",
            "--target=aarch64-unknown-linux-gnu",
            "-O0",
            "--dealloc=hlo",
        ],
        &["qemu-aarch64"],
    ),
];

fn run(command: &mut Command) -> Result<Finished, String> {
    process::run(command, &[], Stderr::Separate, process::TIMEOUT)
}

/// Compiles an executable of the program in one way and runs it. Whether it was compared; how it was made, and what
/// is wrong, if it does something else.
pub(super) fn check(
    text: &str,
    folder: &Path,
    rng: &mut Rng,
    note: &mut dyn FnMut(&str),
) -> Result<bool, (String, String)> {
    let (flags, runner) = *rng.pick(WAYS);
    if !runner.is_empty() && (!has_aarch64_runtime() || peer::find(runner[0]).is_none())
        || peer::find("cc").is_none()
    {
        return Ok(false);
    }
    let how = format!("executable {}", flags.join(" "));
    note(&how);
    let wrong = |what: String| Err((how.clone(), what));
    let Ok(module) = oracle::parse(text) else {
        return Ok(false);
    };
    let mut expected = Vec::new();
    let outcome: Outcome = oracle::interpret_to(&module, &mut expected);
    if outcome.fault.is_some() {
        return Ok(false);
    }
    let path = |end: &str| -> PathBuf { folder.join(format!("{}.{end}", std::process::id())) };
    let (source, program) = (path("mlir"), path("exe"));
    fs::write(&source, text).map_err(|error| (how.clone(), error.to_string()))?;
    let mut compile = Command::new(env!("CARGO_BIN_EXE_freehold"));
    compile.arg("compile").arg(&source).args(flags);
    compile.args(["--emit=exe", "-o"]).arg(&program);
    let compiled = match run(&mut compile) {
        Ok(compiled) => compiled,
        Err(what) => return wrong(what),
    };
    if compiled.status != 0 {
        let said = String::from_utf8_lossy(&compiled.stderr).into_owned();
        return match said.contains("internal") || compiled.status > 2 {
            true => wrong(said),
            false => Ok(false),
        };
    }
    let mut command = Command::new(runner.first().map_or(program.as_os_str(), OsStr::new));
    if !runner.is_empty() {
        command.arg(&program);
    }
    let finished = run(&mut command);
    let _ = fs::remove_file(&program);
    let finished = match finished {
        Ok(finished) => finished,
        Err(what) => return wrong(what),
    };
    if finished.status != 0 {
        return wrong(format!(
            "the executable ends with status {}",
            finished.status
        ));
    }
    let stdout = finished.stdout;
    if stdout == expected {
        return Ok(true);
    }
    let lines = |bytes: &[u8]| -> Vec<String> {
        String::from_utf8_lossy(bytes)
            .lines()
            .map(str::to_owned)
            .collect()
    };
    let (old, new) = (lines(&expected), lines(&stdout));
    let at = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    wrong(format!(
        "line {} of the output is {:?}, not {:?}",
        at + 1,
        new.get(at),
        old.get(at)
    ))
}
