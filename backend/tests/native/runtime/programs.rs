//! C programs on the runtime object, in counting and checking mode: exit status and output.

use std::path::PathBuf;
use std::process::{Command, Output};

use libtest_mimic::Trial;

use super::{aarch64_object, compile_c, host_object};
use crate::needs::trials;

const JSON: &str = "{\"allocs\": 3, \"frees\": 2, \"bytes_allocated\": 138, \"peak_bytes\": 128, \
                    \"live_allocs_at_exit\": 1, \"live_bytes_at_exit\": 28, \"clones\": 1, \
                    \"copies\": 1, \"bytes_copied\": 14, \"foreign_frees\": 1}\n";

const TABLE: &str = "\
allocations                        3
frees                              2
bytes allocated                  138
peak bytes                       128
live allocations at exit           1
live bytes at exit                28
clones                             1
copies                             1
bytes copied                      14
foreign frees                      1
";

const ERRORS: &str = "\
prog.mlir:22:5: error: double free of 64 bytes
prog.mlir:20:5: note: allocated here
prog.mlir:21:5: note: first freed here
prog.mlir:30:5: error: buffer overflow: this buffer of 10 bytes was written at offset 10
prog.mlir:31:5: note: found when it was freed here
prog.mlir:50:5: error: out of bounds write of 4 bytes at offset 64 of a buffer of 64 bytes
prog.mlir:12:5: note: allocated here
prog.mlir:51:5: error: invalid free: the pointer is at offset 8 of a buffer of 64 bytes, not at its start
prog.mlir:12:5: note: allocated here
prog.mlir:52:5: error: external function returned a buffer it does not own
prog.mlir:12:5: note: allocated here
error: invalid free: the pointer was never allocated
prog.mlir:40:5: error: write after free: this buffer of 16 bytes was written at offset 3 after it was freed
prog.mlir:41:5: note: freed here
prog.mlir:12:5: error: memory leak: 64 bytes allocated here were never freed
memory check: 8 errors
";

/// A program and how to start it.
struct Program {
    path: PathBuf,
    emulator: Option<&'static str>,
}

impl Program {
    fn run(&self, mode: &str) -> Output {
        let mut command = match &self.emulator {
            Some(emulator) => Command::new(emulator),
            None => Command::new(&self.path),
        };
        if self.emulator.is_some() {
            command.arg(&self.path);
        }
        command
            .arg(mode)
            .output()
            .expect("the program was just built")
    }

    #[track_caller]
    fn check(&self, mode: &str, status: i32, stderr: &str) {
        let output = self.run(mode);
        assert_eq!(String::from_utf8_lossy(&output.stderr), stderr, "{mode}");
        assert_eq!(output.status.code(), Some(status), "{mode}");
    }

    /// The program stops itself with this message.
    #[track_caller]
    fn check_abort(&self, mode: &str, stderr: &str) {
        let output = self.run(mode);
        assert_eq!(output.status.code(), None, "{mode} did not abort");
        let text = String::from_utf8_lossy(&output.stderr);
        // An emulator adds its own message.
        assert!(text.starts_with(stderr), "{mode}: {text}");
    }

    fn check_all(&self) {
        self.check("json", 0, JSON);
        self.check("table", 0, TABLE);
        assert_eq!(self.run("json").stdout, b"stdout first\n");
        self.check("clean", 0, "");
        self.check("errors", 3, ERRORS);
        self.check("reset", 0, ERRORS);
        self.check("threads", 0, "");
        self.check("helpers", 0, "");
        self.check_abort(
            "assert",
            "prog.mlir:7:5: error: assertion failed: index out of range\n",
        );
        assert_eq!(self.run("assert").stdout, b"printed before");
        let out_of_memory = "error: out of memory: cannot allocate";
        self.check_abort(
            "huge",
            &format!("prog.mlir:8:5: {out_of_memory} {} bytes\n", u64::MAX / 4),
        );
        self.check_abort(
            "huge-check",
            &format!("prog.mlir:9:5: {out_of_memory} {} bytes\n", u64::MAX / 2),
        );
    }
}

fn on_this_machine() {
    let arguments = [host_object().into(), "-pthread".into()];
    Program {
        path: compile_c("cc", "modes", "host", &arguments),
        emulator: None,
    }
    .check_all();
}

fn on_aarch64() {
    let object = aarch64_object();
    let arguments = [object.into(), "-pthread".into(), "-static".into()];
    Program {
        path: compile_c("aarch64-linux-gnu-gcc", "modes", "aarch64", &arguments),
        emulator: Some("qemu-aarch64"),
    }
    .check_all();
}

/// The tests of this module.
pub(crate) fn tests() -> Vec<Trial> {
    trials![
        on_this_machine needs ["cc"],
        on_aarch64 needs ["aarch64"],
    ]
}
