//! The cap of the search for writes that a copy loses: past it programs are rejected.

use std::fmt::Write as _;

use libtest_mimic::Failed;

use crate::support::in_process::freehold;

/// The test.
pub(super) fn add_tests(family: &mut crate::Family) {
    family.test(
        "operations in which lost writes are looked for",
        near_the_cap,
    );
    family.test(
        "calls behind which nothing is written, as many as there are",
        calls_that_are_read,
    );
}

/// Nothing is looked for behind a call in a straight line where no write is.
fn calls_that_are_read() -> Result<(), Failed> {
    let mut text = String::from(
        "func.func private @same(%m: memref<4xf32>) -> memref<4xf32> {\n  return %m : memref<4xf32>\n}\n\
         func.func @f(%i: index, %x: f32) {\n",
    );
    for n in 0..3_000 {
        let _ = writeln!(
            text,
            "  %a{n} = memref.alloc() : memref<4xf32>\n  memref.store %x, %a{n}[%i] : memref<4xf32>\n  \
             %r{n} = call @same(%a{n}) : (memref<4xf32>) -> memref<4xf32>\n  \
             %v{n} = memref.load %r{n}[%i] : memref<4xf32>"
        );
    }
    text.push_str("  return\n}\n");
    for pass in [
        "--ownership-based-buffer-deallocation",
        "--buffer-deallocation",
    ] {
        let found = freehold(&["opt", pass, "-"], text.clone());
        if found.status != 0 {
            return Err(format!("{pass}: {}", found.stderr).into());
        }
    }
    Ok(())
}

/// A buffer that is written through another name, and read `n` operations later. The search for the write
/// and that for the read pass by these operations once each.
fn program(n: usize) -> String {
    let mut text = String::from(
        "func.func @f(%n: index, %x: i64) -> i64 {\n  %c0 = arith.constant 0 : index\n  \
         %c1 = arith.constant 1 : index\n  %a = memref.alloc() : memref<2xi64>\n  \
         memref.store %x, %a[%c0] : memref<2xi64>\n  cf.br ^head(%c0, %a : index, memref<2xi64>)\n\
         ^head(%i: index, %p: memref<2xi64>):\n  %t = memref.alloc() : memref<2xi64>\n  \
         memref.store %x, %t[%c0] : memref<2xi64>\n  memref.store %x, %p[%c0] : memref<2xi64>\n  \
         %j = arith.addi %i, %c1 : index\n  %c = arith.cmpi ult, %j, %n : index\n  \
         cf.cond_br %c, ^head(%j, %t : index, memref<2xi64>), ^end\n^end:\n",
    );
    for i in 0..n {
        let _ = writeln!(text, "  %f{i} = arith.addi %i, %c1 : index");
    }
    text + "  %v = memref.load %a[%c0] : memref<2xi64>\n  return %v : i64\n}\n"
}

fn near_the_cap() -> Result<(), Failed> {
    let wrong = "writes through one of two names";
    let unknown = "the function is too large to tell whether a write is lost";
    let cases = [
        (1, None, wrong),
        (70_000, None, wrong),
        (400, Some(1_000), wrong),
        (500, Some(1_000), unknown),
        (2_000, Some(1_000), unknown),
        (1, Some(0), unknown),
    ];
    for (n, cap, message) in cases {
        let cap = cap.map(|cap: u64| format!("--cap-analyses={cap}"));
        let arguments = ["run", "-O0", "--dealloc=clone", "-", "--entry-point=f"];
        let inputs = ["--input=index=2", "--input=i64=3"];
        let cap = cap.as_deref();
        let arguments: Vec<&str> = arguments.into_iter().chain(inputs).chain(cap).collect();
        let found = freehold(&arguments, program(n));
        if !found.stderr.contains(message) || found.status != 1 {
            return Err(format!("{n} operations, {arguments:?}: {}", found.stderr).into());
        }
    }
    Ok(())
}
