//! What the command does to the processes and devices around it: pipes that nobody reads, full devices, names of files
//! that are no text, and signals.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, OpenOptions};
use std::io::{BufRead as _, BufReader, Read as _};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use libtest_mimic::Trial;

use crate::needs::trials;

/// Prints numbers as long as anybody reads them.
const ENDLESS: &str = "
func.func private @printI64(i64)
func.func private @printNewline()
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %most = arith.constant 9000000000000000000 : index
  scf.for %i = %c0 to %most step %c1 {
    %v = arith.index_cast %i : index to i64
    func.call @printI64(%v) : (i64) -> ()
    func.call @printNewline() : () -> ()
  }
  return
}";

const SHORT: &str = "
func.func private @printI64(i64)
func.func @main() {
  %v = arith.constant 3 : i64
  call @printI64(%v) : (i64) -> ()
  return
}";

const SIGPIPE: i32 = 13;

fn freehold() -> Command {
    Command::new(env!("CARGO_BIN_EXE_freehold"))
}

/// A folder that goes with this value.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
            .join("processes")
            .join(name);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    fn write(&self, name: impl AsRef<OsStr>, text: &str) -> PathBuf {
        let path = self.0.join(name.as_ref());
        fs::write(&path, text).unwrap();
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

const FLOAT: &str = "
func.func @main() -> f32 {
  %x = arith.constant 42.0 : f32
  return %x : f32
}";

/// Links to the command with the names of upstream's tools take the command lines of these, and standard input.
fn links_are_upstreams_tools() {
    let folder = Folder::new("links");
    let file = folder.write("float.mlir", FLOAT);
    let output = |name: &str, arguments: &[&str]| {
        let link = folder.0.join(name);
        std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_freehold"), &link).unwrap();
        let mut command = Command::new(link);
        let output = command
            .args(arguments)
            .stdin(File::open(&file).unwrap())
            .output();
        String::from_utf8(output.unwrap().stdout).unwrap()
    };
    for name in ["mlir-runner", "mlir-cpu-runner"] {
        assert_eq!(output(name, &["--O2"]), "4.200000e+01\n");
    }
    for (name, arguments, message) in [
        (
            "mlir-runner",
            ["-e", "none"],
            "Error: entry point not found\n",
        ),
        (
            "mlir-cpu-runner",
            ["-entry-point-result=i32", "-O1"],
            "Error: only single i32 function result supported\n",
        ),
    ] {
        let mut command = Command::new(folder.0.join(name));
        let output = command.args(arguments).stdin(File::open(&file).unwrap());
        let output = output.output().unwrap();
        assert_eq!(output.status.code(), Some(1));
        assert_eq!(String::from_utf8(output.stderr).unwrap(), message);
    }
    let text = output("mlir-opt", &["-canonicalize"]);
    assert!(text.contains("arith.constant 4.200000e+01"), "{text}");
}

/// The signal that ends a command whose output is read no further than its first line.
fn signal_after_one_line(mut command: Command) -> Option<i32> {
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap());
    lines.read_line(&mut String::new()).unwrap();
    drop(lines);
    child.wait().unwrap().signal()
}

fn pipes_that_nobody_reads_end_programs() {
    let folder = Folder::new("pipes");
    let endless = folder.write("endless.mlir", ENDLESS);
    let mut run = freehold();
    run.arg("run").arg(&endless);
    assert_eq!(signal_after_one_line(run), Some(SIGPIPE));
}

fn pipes_that_nobody_reads_are_no_internal_errors() {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let output = freehold()
        .args(["completions", "bash"])
        .stdout(writer)
        .output()
        .unwrap();
    assert_eq!(output.status.signal(), Some(SIGPIPE));
    assert!(output.stderr.is_empty(), "{output:?}");
}

/// Every command with output, and executables, say that a device is full.
fn full_devices_are_errors() {
    let full = || OpenOptions::new().write(true).open("/dev/full").unwrap();
    let folder = Folder::new("full");
    let short = folder.write("short.mlir", SHORT);
    let program = short.to_str().unwrap();
    let executable = folder.0.join("short");
    let compiled = freehold()
        .args(["compile", program, "--emit=exe", "-o"])
        .arg(&executable)
        .status();
    assert!(compiled.unwrap().success());
    let mut commands: Vec<(String, Command)> = [
        &["run", program][..],
        &["run", "--stats", program],
        &["opt", program],
        &["compile", program, "-o", "-"],
        &["compile", program, "--emit=asm", "-o", "-"],
        &["import", program],
        &["compare", program, "--runs=1"],
        &["completions", "bash"],
        &["--help"],
        &["--version"],
    ]
    .iter()
    .map(|words| {
        let mut command = freehold();
        command.args(*words);
        (words.join(" "), command)
    })
    .collect();
    commands.push(("short".to_owned(), Command::new(&executable)));
    for (name, mut command) in commands {
        let output = command.stdout(full()).output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{name}: {stderr}");
        assert!(
            stderr.contains("No space left on device"),
            "{name}: {stderr}"
        );
        assert!(
            !stderr.contains("internal compiler error"),
            "{name}: {stderr}"
        );
    }
    // What cannot be a file is not replaced by one.
    for (emit, device) in [
        ("obj", "/dev/full"),
        ("exe", "/dev/full"),
        ("shared", "/dev/null"),
    ] {
        let output = freehold()
            .args(["compile", program, &format!("--emit={emit}"), "-o", device])
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(1), "{emit}: {output:?}");
        assert!(!fs::metadata(device).unwrap().is_file(), "{emit}");
    }
}

/// Files whose names are no text are read and written under these names.
fn names_need_not_be_text() {
    let folder = Folder::new("names");
    let name = |ending: &[u8]| OsStr::from_bytes(&[b"na\xffme", ending].concat()).to_owned();
    folder.write(name(b".mlir"), SHORT);
    let (program, output) = (name(b".mlir"), name(b".out"));
    let word = OsString::from;
    let joined = |flag: &str, name: &OsStr| {
        let mut word = OsString::from(flag);
        word.push(name);
        word
    };
    for (words, written) in [
        (vec![word("run"), program.clone()], None),
        (vec![word("explain"), program.clone()], None),
        (vec![word("compile"), program.clone()], Some(name(b".o"))),
        (
            vec![word("opt"), program.clone(), word("-o"), output.clone()],
            Some(output.clone()),
        ),
        (
            vec![word("opt"), joined("-o=", &output), program.clone()],
            Some(output.clone()),
        ),
        (
            vec![word("import"), program.clone(), word("-o"), output.clone()],
            Some(output.clone()),
        ),
        (
            vec![
                word("compile"),
                word("-emit=exe"),
                program.clone(),
                word("-o"),
                output.clone(),
            ],
            Some(output.clone()),
        ),
    ] {
        if let Some(written) = &written {
            let _ = fs::remove_file(folder.0.join(written));
        }
        let ran = freehold()
            .current_dir(&folder.0)
            .args(&words)
            .output()
            .unwrap();
        assert!(ran.status.success(), "{words:?}: {ran:?}");
        let is_there = written
            .as_ref()
            .is_none_or(|name| folder.0.join(name).is_file());
        assert!(is_there, "{words:?} did not write {written:?}");
    }
    // Where the name is part of a text, it is refused.
    for words in [
        vec![word("run"), word("few.mlir"), joined("--input=@", &output)],
        vec![
            word("run"),
            program.clone(),
            joined("-shared-libs=", &output),
        ],
        vec![
            word("opt"),
            program.clone(),
            word("--pass-pipeline"),
            output.clone(),
        ],
    ] {
        let ran = freehold()
            .current_dir(&folder.0)
            .args(&words)
            .output()
            .unwrap();
        assert_eq!(ran.status.code(), Some(2), "{words:?}: {ran:?}");
    }
}

/// `compare` takes the programs that it runs with it, however it ends.
fn compare_ends_its_children() {
    let folder = Folder::new("signals");
    let endless = folder.write("endless.mlir", ENDLESS);
    for signal in ["TERM", "KILL"] {
        let mut compare = freehold()
            .arg("compare")
            .arg(&endless)
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let until = |what: &str, mut is_so: Box<dyn FnMut() -> bool>| {
            let start = Instant::now();
            while !is_so() {
                assert!(
                    start.elapsed() < Duration::from_secs(30),
                    "{signal}: never {what}"
                );
                std::thread::sleep(Duration::from_millis(10));
            }
        };
        let id = compare.id();
        // It runs compiled code once it has used its processor for a while.
        until(
            "runs",
            Box::new(move || child_of(id).is_some_and(|child| ticks(child) > 100)),
        );
        let child = child_of(id).unwrap();
        let kill = Command::new("sh")
            .args(["-c", &format!("kill -{signal} {id}")])
            .status();
        assert!(kill.unwrap().success());
        compare.wait().unwrap();
        until(
            "ends",
            Box::new(move || state(child).is_none_or(|state| "ZX".contains(state))),
        );
    }
}

/// The fields of `/proc/ID/stat` behind the name.
fn stat(id: u32) -> Option<Vec<String>> {
    let text = fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    let (_, fields) = text.rsplit_once(") ")?;
    Some(fields.split(' ').map(str::to_owned).collect())
}

fn state(id: u32) -> Option<char> {
    stat(id)?.first()?.chars().next()
}

/// How long a process ran, in hundredths of a second.
fn ticks(id: u32) -> u64 {
    let user = stat(id).and_then(|fields| fields.get(11)?.parse().ok());
    user.unwrap_or(0)
}

fn child_of(parent: u32) -> Option<u32> {
    let ids = fs::read_dir("/proc").unwrap().flatten();
    let mut ids = ids.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    ids.find(|&id| stat(id).is_some_and(|fields| fields.get(1) == Some(&parent.to_string())))
}

/// A program that the checks have found fault with ends as one, though it crashes then.
fn crashes_after_memory_errors_are_memory_errors() {
    let folder = Folder::new("wild");
    let wild = folder.write(
        "wild.mlir",
        "func.func @main() {
           %i = arith.constant 100000000000 : index
           %a = memref.alloc() : memref<4xf32>
           %v = arith.constant 1.0 : f32
           memref.store %v, %a[%i] : memref<4xf32>
           return
         }",
    );
    for (check, status) in [("--check=accesses", 3), ("--check=frees", 1)] {
        let output = freehold()
            .args(["run", "-O0", check])
            .arg(&wild)
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(status), "{output:?}");
    }
}

/// A file of zeros is refused by its first bytes, however long it is.
fn zeros_are_refused_at_once() {
    let folder = Folder::new("zeros");
    let zeros = folder.0.join("zeros");
    // It takes no space.
    File::create(&zeros).unwrap().set_len(1 << 30).unwrap();
    for command in [
        "run", "opt", "compile", "explain", "import", "plan", "compare",
    ] {
        let start = Instant::now();
        let Output { status, stderr, .. } = freehold().arg(command).arg(&zeros).output().unwrap();
        let stderr = String::from_utf8(stderr).unwrap();
        assert_eq!(status.code(), Some(1), "{command}: {stderr}");
        assert!(
            stderr.contains("zeros: error: input is neither text nor MLIR bytecode"),
            "{command}: {stderr}"
        );
        assert!(start.elapsed() < Duration::from_secs(1), "{command}");
    }
    let mut run = freehold();
    run.args(["run", "-"]).stdin(File::open(&zeros).unwrap());
    let mut child = run.stderr(Stdio::piped()).spawn().unwrap();
    let mut stderr = String::new();
    child
        .stderr
        .take()
        .unwrap()
        .read_to_string(&mut stderr)
        .unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(1));
    assert!(
        stderr.starts_with("<stdin>: error: input is neither"),
        "{stderr}"
    );
}

/// The tests of this module.
pub(crate) fn tests() -> Vec<Trial> {
    trials![
        pipes_that_nobody_reads_end_programs,
        pipes_that_nobody_reads_are_no_internal_errors,
        full_devices_are_errors needs ["cc"],
        names_need_not_be_text needs ["cc"],
        compare_ends_its_children needs ["proc"],
        crashes_after_memory_errors_are_memory_errors,
        zeros_are_refused_at_once,
        links_are_upstreams_tools,
    ]
}
