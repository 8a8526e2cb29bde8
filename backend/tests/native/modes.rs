//! Allocation modes, and where their reports point.

use libtest_mimic::Trial;

use crate::common::{Module, aarch64};
use crate::needs::trials;
use freehold_backend::text::{TextKind, compile_to_text};
use freehold_backend::{AllocMode, Options, StatsFormat};
use freehold_frontend::ir::diag::Diagnostics;

const PROGRAM: &str = "func.func @main() {
  %n = arith.constant 10 : index
  %a = memref.alloc(%n) : memref<?xf32>
  %b = memref.alloc() {alignment = 64} : memref<4xi64>
  %c = memref.alloc(%n) : memref<?xf32>
  memref.copy %a, %c : memref<?xf32> to memref<?xf32>
  memref.dealloc %a : memref<?xf32>
  memref.dealloc %b : memref<4xi64>
  return
}";

fn options(mode: AllocMode) -> Options {
    Options {
        mode,
        stats: Some(StatsFormat::Json),
        ..Options::host()
    }
}

fn counting_counts() {
    let module = Module::parse(PROGRAM);
    let output = module.run_native(&options(AllocMode::Counting), "count");
    let report = String::from_utf8(output.stderr).unwrap();
    for entry in [
        "\"allocs\": 3",
        "\"frees\": 2",
        "\"bytes_allocated\": 112",
        "\"live_bytes_at_exit\": 40",
        "\"copies\": 1",
        "\"bytes_copied\": 40",
    ] {
        assert!(report.contains(entry), "{entry} in {report}");
    }
}

fn checking_finds_the_leak() {
    let module = Module::parse(PROGRAM);
    let output = module.run_native(&options(AllocMode::Checking), "check");
    assert_eq!(output.status.code(), Some(3));
    let report = String::from_utf8(output.stderr).unwrap();
    assert!(report.contains("test.mlir:5:8"), "{report}");
    assert!(report.contains("\"live_bytes_at_exit\": 40"), "{report}");
}

fn checked_accesses_find_late_reads() {
    let module = Module::parse(
        "func.func @main() -> i32 {
           %c0 = arith.constant 0 : index
           %m = memref.alloc() : memref<4xi32>
           memref.dealloc %m : memref<4xi32>
           %v = memref.load %m[%c0] : memref<4xi32>
           %zero = arith.subi %v, %v : i32
           return %zero : i32
         }",
    );
    for (check_accesses, status) in [(false, 0), (true, 3)] {
        let options = Options {
            check_accesses,
            ..options(AllocMode::Checking)
        };
        let output = module.run_native(&options, &format!("late-read-{check_accesses}"));
        assert_eq!(output.status.code(), Some(status));
        let report = String::from_utf8(output.stderr).unwrap();
        assert_eq!(
            report.contains("test.mlir:5:17"),
            check_accesses,
            "{report}"
        );
    }
}

/// Objects in plain mode need nothing but the C library.
fn plain_objects_stand_alone() {
    let module = Module::parse(PROGRAM);
    let object = module.object(&Options::host());
    assert!(!object.windows(9).any(|window| window == b"freehold_"));
}

fn text_shows_the_code() {
    let module = Module::parse(PROGRAM);
    let mut targets = vec![Options::host()];
    targets.push(Options::new(aarch64()));
    for options in targets {
        for (kind, expected) in [
            (TextKind::Clif, "iconst.i64 40"),
            (TextKind::Assembly, "main:"),
        ] {
            let mut diagnostics = Diagnostics::new();
            let text = compile_to_text(&module.ir, kind, &options, &mut diagnostics).unwrap();
            assert!(text.contains(expected), "{text}");
        }
    }
}

/// The same module gives the same bytes, however its functions are scheduled.
fn output_is_deterministic() {
    let functions: String = (0..50)
        .map(|i| {
            format!(
                "func.func @f{i}(%x: f32) -> f32 {{
                   %y = math.sin %x : f32
                   %m = memref.alloc() : memref<{}xf32>
                   memref.dealloc %m : memref<{}xf32>
                   return %y : f32
                 }}\n",
                i + 1,
                i + 1
            )
        })
        .collect();
    let module = Module::parse(&functions);
    let options = options(AllocMode::Counting);
    let first = module.object(&options);
    for _ in 0..3 {
        assert!(module.object(&options) == first);
    }
}

fn aarch64_programs_count_too() {
    let module = Module::parse(PROGRAM);
    let options = Options {
        target: aarch64(),
        ..options(AllocMode::Counting)
    };
    let path = module.executable(&options, "count");
    let output = std::process::Command::new("qemu-aarch64")
        .arg(path)
        .output()
        .unwrap();
    let report = String::from_utf8(output.stderr).unwrap();
    assert!(report.contains("\"allocs\": 3"), "{report}");
}

/// The tests of this module.
pub(crate) fn tests() -> Vec<Trial> {
    trials![
        counting_counts,
        checking_finds_the_leak,
        checked_accesses_find_late_reads,
        plain_objects_stand_alone,
        text_shows_the_code,
        output_is_deterministic,
        aarch64_programs_count_too needs ["aarch64"],
    ]
}
