//! The cap of the search for writes that a copy loses: past it they are not seen.

use std::fmt::Write as _;

use libtest_mimic::Failed;

use crate::support::in_process::freehold;

/// The test.
pub(super) fn add_tests(family: &mut crate::Family) {
    family.test(
        "operations in which lost writes are looked for",
        near_the_cap,
    );
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
    for (n, is_seen) in [(1, true), (32_700, true), (32_800, false), (70_000, false)] {
        let found = freehold(&["opt", "-", "--buffer-deallocation"], program(n));
        let is_error = found.stderr.contains("writes through one of two names");
        if is_error != is_seen || (found.status != 0) != is_seen {
            return Err(format!("{n} operations: {}", found.stderr).into());
        }
    }
    Ok(())
}
