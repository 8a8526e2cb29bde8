//! Loops over buffers that nobody can tell apart when compiling.

use std::fmt::Write as _;

use super::buffers::{BEGIN, MAIN};

fn list(n: usize, each: impl Fn(usize) -> String) -> String {
    let parts: Vec<String> = (0..n).map(each).collect();
    parts.join(", ")
}

/// A program whose `@work` gets `n` buffers of 64 numbers, of which the first two are one.
fn with_buffers(n: usize, body: &str) -> String {
    let types = list(n, |_| "memref<64xi64>".into());
    let mut text = format!(
        "{BEGIN}func.func private @work({}) attributes {{passthrough = [\"noinline\"]}} {{\n  \
         %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n  \
         %c2 = arith.constant 2 : index\n  %c48 = arith.constant 48 : index\n  \
         %numbers = memref.get_global @numbers : memref<4xindex>\n  \
         %n = memref.load %numbers[%c2] : memref<4xindex>\n{body}  return\n}}\n{MAIN}  \
         %c64 = arith.constant 64 : index\n  %zero = arith.constant 0 : i64\n",
        list(n, |i| format!("%m{i}: memref<64xi64>")),
    );
    for i in 0..n {
        let _ = writeln!(
            text,
            "  %a{i} = memref.alloc() : memref<64xi64>\n  scf.for %i = %c0 to %c64 step %c1 {{\n  \
             %x = arith.index_cast %i : index to i64\n  %k = arith.constant {} : i64\n  \
             %y = arith.muli %x, %k : i64\n  memref.store %y, %a{i}[%i] : memref<64xi64>\n  }}",
            i + 3
        );
    }
    let _ = writeln!(
        text,
        "  call @work({}) : ({types}) -> ()",
        list(n, |i| format!("%a{}", if i == 1 { 0 } else { i }))
    );
    for i in 0..n {
        let _ = writeln!(
            text,
            "  %s{i} = scf.for %i = %c0 to %c64 step %c1 iter_args(%t = %zero) -> (i64) {{\n  \
             %x = memref.load %a{i}[%i] : memref<64xi64>\n  %j = arith.index_cast %i : index to i64\n  \
             %h = arith.xori %x, %j : i64\n  %u = arith.addi %t, %h : i64\n  scf.yield %u : i64\n  }}\n  \
             call @printI64(%s{i}) : (i64) -> ()\n  call @printNewline() : () -> ()"
        );
    }
    text + "  return\n}\n"
}

const LOOP: &str = "  scf.for %i = %c0 to %c48 step %c1 {\n";

/// Two loops whose subscripts are sums of `n` numbers and the counter.
pub(super) fn sums_in_subscripts(n: usize) -> String {
    let mut body = String::new();
    for (from, to) in [(2, 1), (0, 2)] {
        body.push_str(LOOP);
        let _ = writeln!(body, "  %p0 = arith.addi %i, %c0 : index");
        for k in 0..n {
            let _ = writeln!(body, "  %p{} = arith.addi %p{k}, %c1 : index", k + 1);
        }
        let _ = writeln!(
            body,
            "  %x = memref.load %m{from}[%p{n}] : memref<64xi64>\n  \
             memref.store %x, %m{to}[%p{}] : memref<64xi64>\n  }}",
            n - 1
        );
    }
    with_buffers(3, &body)
}

/// Two loops in a row that read and write `n` buffers.
pub(super) fn over_buffers(n: usize) -> String {
    let mut body = String::new();
    for turn in 0..2 {
        body.push_str(LOOP);
        for k in 0..n {
            let to = (k + turn + 1) % n;
            let _ = writeln!(
                body,
                "  %x{k} = memref.load %m{k}[%i] : memref<64xi64>\n  \
                 memref.store %x{k}, %m{to}[%i] : memref<64xi64>"
            );
        }
        body.push_str("  }\n");
    }
    with_buffers(n, &body)
}

/// Two loops in a row of `n` operations each, and one with a loop of `n` operations in it.
pub(super) fn with_operations(n: usize) -> String {
    let statements = |from: usize, to: usize, counter: &str| {
        let mut body = format!("  %x0 = memref.load %m{from}[%{counter}] : memref<64xi64>\n");
        for k in 0..n.saturating_sub(4) {
            let _ = writeln!(body, "  %x{} = arith.addi %x{k}, %x0 : i64", k + 1);
        }
        let last = n.saturating_sub(4);
        let _ = writeln!(
            body,
            "  %j = arith.addi %{counter}, %c1 : index\n  \
             memref.store %x{last}, %m{to}[%j] : memref<64xi64>\n  }}"
        );
        body
    };
    let body = format!(
        "{LOOP}{}{LOOP}{}{LOOP}  scf.for %k = %c0 to %n step %c1 {{\n{}  }}\n",
        statements(0, 1, "i"),
        statements(1, 2, "i"),
        statements(2, 0, "k")
    );
    with_buffers(3, &body)
}

/// A loop of `n` iterations inside of another one.
pub(super) fn of_length(n: usize) -> String {
    let body = format!(
        "  %end = arith.constant {n} : index\n{LOOP}  scf.for %k = %c0 to %end step %c1 {{\n  \
         %x = memref.load %m0[%k] : memref<64xi64>\n  %y = memref.load %m2[%i] : memref<64xi64>\n  \
         %z = arith.addi %x, %y : i64\n  %j = arith.addi %k, %c1 : index\n  \
         memref.store %z, %m1[%j] : memref<64xi64>\n  }}\n  }}\n"
    );
    with_buffers(3, &body)
}

/// A parallel loop of `n` iterations that adds something up.
pub(super) fn reduction(n: usize) -> String {
    let body = format!(
        "  %end = arith.constant {n} : index\n  %c63 = arith.constant 63 : index\n  \
         %zero = arith.constant 0 : i64\n  \
         %sum = scf.parallel (%i) = (%c0) to (%end) step (%c1) init (%zero) -> i64 {{\n  \
         %p = arith.andi %i, %c63 : index\n  %x = memref.load %m0[%p] : memref<64xi64>\n  \
         %q = arith.index_cast %i : index to i64\n  %y = arith.xori %x, %q : i64\n  \
         scf.reduce(%y : i64) {{\n  ^bb0(%a: i64, %b: i64):\n  %c = arith.addi %a, %b : i64\n  \
         scf.reduce.return %c : i64\n  }}\n  }}\n  memref.store %sum, %m2[%c0] : memref<64xi64>\n"
    );
    with_buffers(3, &body)
}

/// A loop that loads `n` places which stay the same, and stores to what may be the same buffer.
pub(super) fn fixed_places(n: usize) -> String {
    let mut body = String::new();
    for k in 0..n {
        let _ = writeln!(body, "  %p{k} = arith.constant {k} : index");
    }
    for to in [1, 2] {
        body.push_str(LOOP);
        let _ = writeln!(body, "  %s0 = memref.load %m0[%i] : memref<64xi64>");
        for k in 0..n {
            let _ = writeln!(
                body,
                "  %x{k} = memref.load %m0[%p{k}] : memref<64xi64>\n  %s{} = arith.addi %s{k}, %x{k} : i64",
                k + 1
            );
        }
        let _ = writeln!(
            body,
            "  memref.store %s{n}, %m{to}[%i] : memref<64xi64>\n  }}"
        );
    }
    with_buffers(3, &body)
}

/// Stores to `n` places and loads of them, twice, with stores to what may be the same buffer between.
pub(super) fn stored_places(n: usize) -> String {
    let mut body = String::from(LOOP);
    for k in 0..n {
        let _ = writeln!(body, "  %p{k} = arith.constant {k} : index");
    }
    let _ = writeln!(body, "  %v0 = memref.load %m2[%i] : memref<64xi64>");
    for k in 0..n {
        let _ = writeln!(
            body,
            "  memref.store %v0, %m0[%p{k}] : memref<64xi64>\n  memref.store %v0, %m2[%p{k}] : memref<64xi64>"
        );
    }
    for k in 0..n {
        let _ = writeln!(
            body,
            "  %x{k} = memref.load %m0[%p{k}] : memref<64xi64>\n  %v{} = arith.addi %v{k}, %x{k} : i64\n  \
             memref.store %v{}, %m1[%p{}] : memref<64xi64>",
            k + 1,
            k + 1,
            (k + 1) % n
        );
    }
    body.push_str("  }\n");
    with_buffers(3, &body)
}

/// A buffer of its own that is stored to `n` times; one place is read.
pub(super) fn unread(n: usize) -> String {
    let mut body = String::from("  %own = memref.alloc() : memref<64xi64>\n");
    let _ = writeln!(body, "  %v = memref.load %m0[%c1] : memref<64xi64>");
    for _ in 0..n - 1 {
        let _ = writeln!(body, "  memref.store %v, %own[%n] : memref<64xi64>");
    }
    body.push_str(
        "  %x = memref.load %own[%n] : memref<64xi64>\n  memref.store %x, %m2[%c0] : memref<64xi64>\n",
    );
    with_buffers(3, &body)
}

/// Two blocks of `n` operations that do the same, but for the last one if `n` is odd.
pub(super) fn equal_blocks(n: usize) -> String {
    let mut body =
        String::from("  %c = arith.cmpi eq, %n, %c1 : index\n  cf.cond_br %c, ^bb1, ^bb2\n");
    for block in 1..=2 {
        let _ = writeln!(
            body,
            "  ^bb{block}:\n  %x{block}_0 = memref.load %m0[%n] : memref<64xi64>"
        );
        for k in 0..n - 3 {
            let _ = writeln!(
                body,
                "  %x{block}_{} = arith.addi %x{block}_{k}, %x{block}_0 : i64",
                k + 1
            );
        }
        let place = if n % 2 == 1 && block == 2 {
            "%c2"
        } else {
            "%c1"
        };
        let _ = writeln!(
            body,
            "  memref.store %x{block}_{}, %m2[{place}] : memref<64xi64>\n  cf.br ^bb3",
            n - 3
        );
    }
    body.push_str("  ^bb3:\n");
    with_buffers(3, &body)
}
