//! Programs that allocate, exchange, copy and free.

use std::fmt::Write as _;

/// What programs begin with: printing, and numbers that are known at run time only.
pub(super) const BEGIN: &str = "\
func.func private @printI64(i64)
func.func private @printNewline()
memref.global \"private\" @numbers : memref<4xindex> = dense<[1, 2, 3, 6]>
func.func private @show(%m: memref<?xi64>) {
  %c0 = arith.constant 0 : index
  %x = memref.load %m[%c0] : memref<?xi64>
  call @printI64(%x) : (i64) -> ()
  call @printNewline() : () -> ()
  return
}
";

/// What `@main` begins with.
pub(super) const MAIN: &str = "\
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %numbers = memref.get_global @numbers : memref<4xindex>
  %n = memref.load %numbers[%c2] : memref<4xindex>
  %true = arith.cmpi eq, %n, %c3 : index
  %false = arith.cmpi ne, %n, %c3 : index
";

/// A buffer called `name` that begins with `number`.
fn alloc(text: &mut String, name: &str, size: &str, number: usize) {
    let _ = writeln!(
        text,
        "  {name}_v = arith.constant {number} : i64\n  {name} = memref.alloc({size}) : memref<?xi64>\n  \
         memref.store {name}_v, {name}[%c0] : memref<?xi64>"
    );
}

fn show(text: &mut String, name: &str) {
    let _ = writeln!(text, "  call @show({name}) : (memref<?xi64>) -> ()");
}

fn list(n: usize, each: impl Fn(usize) -> String) -> String {
    let parts: Vec<String> = (0..n).map(each).collect();
    parts.join(", ")
}

/// A loop that carries `n` buffers; two ways to exchange them, one of which puts a new one in, take
/// turns.
pub(super) fn exchanged(n: usize) -> String {
    let mut text = format!("{BEGIN}{MAIN}");
    for i in 0..n {
        alloc(&mut text, &format!("%a{i}"), "%n", i);
    }
    let types = list(n, |_| "memref<?xi64>".into());
    let carried = list(n, |i| format!("%x{i} = %a{i}"));
    let _ = writeln!(
        text,
        "  %r:{n} = scf.for %i = %c0 to %n step %c1 iter_args({carried}) -> ({types}) {{\n  \
         %b = arith.remui %i, %c2 : index\n  %c = arith.cmpi eq, %b, %c0 : index"
    );
    alloc(&mut text, "%new", "%n", 77);
    for i in 0..n {
        let first = match i {
            0 => "%new".to_owned(),
            _ => format!("%x{}", (i + 1) % n),
        };
        let second = (i * 3 + 2) % n;
        let _ = writeln!(
            text,
            "  %s{i} = arith.select %c, {first}, %x{second} : memref<?xi64>"
        );
    }
    let _ = writeln!(
        text,
        "  scf.yield {} : {types}\n  }}",
        list(n, |i| format!("%s{i}"))
    );
    for i in 0..n {
        show(&mut text, &format!("%r#{i}"));
    }
    text + "  return\n}\n"
}

/// `n` branches inside each other, each of which hands on what the next one gives or lends its own.
pub(super) fn lent_in_turn(n: usize) -> String {
    let mut text = format!("{BEGIN}{MAIN}");
    alloc(&mut text, "%a", "%n", 1);
    alloc(&mut text, "%b", "%n", 2);
    for i in 0..n {
        let (x, y) = match i {
            0 => ("%a".to_owned(), "%b".to_owned()),
            _ => (format!("%r{}#0", i - 1), format!("%r{}#1", i - 1)),
        };
        let _ = writeln!(
            text,
            "  %r{i}:2 = scf.for %i{i} = %c0 to %n step %c1 iter_args(%x{i} = {x}, %y{i} = {y}) -> \
             (memref<?xi64>, memref<?xi64>) {{"
        );
        alloc(&mut text, &format!("%new{i}"), "%n", 10 + i);
        let _ = writeln!(
            text,
            "  %t{i}:2 = scf.if %{} -> (memref<?xi64>, memref<?xi64>) {{\n  \
             scf.yield %y{i}, %y{i} : memref<?xi64>, memref<?xi64>\n  }} else {{\n  \
             scf.yield %new{i}, %x{i} : memref<?xi64>, memref<?xi64>\n  }}\n  \
             scf.yield %t{i}#1, %t{i}#0 : memref<?xi64>, memref<?xi64>\n  }}",
            ["true", "false"][i % 2]
        );
    }
    show(&mut text, &format!("%r{}#0", n - 1));
    show(&mut text, &format!("%r{}#1", n - 1));
    text + "  return\n}\n"
}

/// A block argument that may be one of two buffers; which one, says the first of `n` and one more flags
/// beside it.
pub(super) fn flagged(n: usize) -> String {
    let mut text = format!("{BEGIN}{MAIN}");
    alloc(&mut text, "%kept", "%n", 1);
    let flags = |first: &str| {
        let others = list(n, |i| ["%true", "%false"][i % 2].to_owned());
        format!("{first}, {others}")
    };
    let types = list(n + 1, |_| "i1".into());
    let names = list(n + 1, |i| format!("%f{i}: i1"));
    let _ = writeln!(text, "  cf.cond_br %true, ^own, ^lent\n  ^own:");
    alloc(&mut text, "%a", "%n", 2);
    let _ = writeln!(
        text,
        "  cf.br ^join(%a, {} : memref<?xi64>, {types})\n  ^lent:\n  \
         cf.br ^join(%kept, {} : memref<?xi64>, {types})\n  ^join(%m: memref<?xi64>, {names}):",
        flags("%true"),
        flags("%false")
    );
    let _ = writeln!(
        text,
        "  cf.cond_br %f0, ^one, ^other\n  ^one:\n  call @show(%m) : (memref<?xi64>) -> ()\n  \
         cf.br ^end\n  ^other:\n  cf.br ^end\n  ^end:"
    );
    show(&mut text, "%m");
    show(&mut text, "%kept");
    text + "  return\n}\n"
}

/// `n` branches one after the other; each replaces a buffer or not, and a flag beside it says whether
/// anybody has.
pub(super) fn flags_in_turn(n: usize) -> String {
    let mut text = format!("{BEGIN}{MAIN}");
    alloc(&mut text, "%kept", "%n", 1);
    let _ = writeln!(
        text,
        "  %no = arith.constant false\n  %yes = arith.constant true"
    );
    let (mut buffer, mut flag) = ("%kept".to_owned(), "%no".to_owned());
    for i in 0..n {
        let condition = ["true", "false"][i % 2];
        let _ = writeln!(
            text,
            "  %r{i}:2 = scf.if %{condition} -> (memref<?xi64>, i1) {{"
        );
        alloc(&mut text, &format!("%new{i}"), "%n", 10 + i);
        let _ = writeln!(
            text,
            "  scf.yield %new{i}, %yes : memref<?xi64>, i1\n  }} else {{\n  \
             scf.yield {buffer}, {flag} : memref<?xi64>, i1\n  }}"
        );
        show(&mut text, &format!("%r{i}#0"));
        buffer = format!("%r{i}#0");
        flag = format!("%r{i}#1");
    }
    show(&mut text, "%kept");
    text + "  return\n}\n"
}

/// A function that gives the first of `n` buffers, after as many turns as it is told.
pub(super) fn recursive(n: usize) -> String {
    let types = list(n, |_| "memref<?xi64>".into());
    let mut text = format!(
        "{BEGIN}func.func private @turn(%k: index, {}) -> memref<?xi64> {{\n  \
         %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n  \
         %end = arith.cmpi eq, %k, %c0 : index\n  \
         %r = scf.if %end -> memref<?xi64> {{\n  scf.yield %m0 : memref<?xi64>\n  }} else {{\n  \
         %less = arith.subi %k, %c1 : index\n  \
         %x = func.call @turn(%less, {}) : (index, {types}) -> memref<?xi64>\n  \
         scf.yield %x : memref<?xi64>\n  }}\n  return %r : memref<?xi64>\n}}\n{MAIN}",
        list(n, |i| format!("%m{i}: memref<?xi64>")),
        list(n, |i| format!("%m{}", (i + 1) % n)),
    );
    for i in 0..n {
        alloc(&mut text, &format!("%a{i}"), "%n", i);
    }
    for k in 0..n {
        let _ = writeln!(
            text,
            "  %k{k} = arith.constant {k} : index\n  %r{k} = call @turn(%k{k}, {}) : (index, {types}) -> \
             memref<?xi64>",
            list(n, |i| format!("%a{i}"))
        );
        show(&mut text, &format!("%r{k}"));
    }
    text + "  return\n}\n"
}

/// `n` buffers that are there at once, and as many after them.
pub(super) fn one_after_the_other(n: usize) -> String {
    let mut text = format!("{BEGIN}{MAIN}");
    for round in ["a", "b"] {
        for i in 0..n {
            alloc(&mut text, &format!("%{round}{i}"), "%n", i);
        }
        for i in 0..n {
            show(&mut text, &format!("%{round}{i}"));
        }
    }
    text + "  return\n}\n"
}

/// A buffer that is copied to another one, with `n` operations in between.
pub(super) fn copied_far_away(n: usize) -> String {
    let mut text = format!("{BEGIN}{MAIN}");
    alloc(&mut text, "%b", "%n", 1);
    alloc(&mut text, "%a", "%n", 2);
    for i in 0..n {
        let _ = writeln!(text, "  %o{i} = arith.addi %n, %c{} : index", i % 4);
    }
    // The last thing before the copy looks at what the copy replaces.
    show(&mut text, "%b");
    let _ = writeln!(
        text,
        "  memref.copy %a, %b : memref<?xi64> to memref<?xi64>"
    );
    for i in 0..n {
        let _ = writeln!(text, "  %p{i} = arith.addi %n, %c{} : index", i % 4);
    }
    // What is copied changes afterwards.
    let _ = writeln!(text, "  memref.store %b_v, %a[%c0] : memref<?xi64>");
    show(&mut text, "%b");
    text + "  return\n}\n"
}

/// A buffer that is copied to another one and used `n` times.
pub(super) fn copied_and_used(n: usize) -> String {
    let mut text = format!("{BEGIN}{MAIN}");
    alloc(&mut text, "%a", "%n", 2);
    alloc(&mut text, "%b", "%n", 1);
    for _ in 0..n / 2 {
        let _ = writeln!(text, "  memref.store %a_v, %a[%c1] : memref<?xi64>");
    }
    let _ = writeln!(
        text,
        "  memref.copy %a, %b : memref<?xi64> to memref<?xi64>"
    );
    for _ in n / 2..n {
        let _ = writeln!(text, "  memref.store %b_v, %a[%c0] : memref<?xi64>");
    }
    show(&mut text, "%b");
    text + "  return\n}\n"
}

/// A clone that is written `n` times and freed unless its address is that of its source, as lowered
/// deallocations decide it.
pub(super) fn known_by_address(n: usize) -> String {
    let mut text = format!("{BEGIN}{MAIN}");
    alloc(&mut text, "%a", "%n", 2);
    text += "  %b = bufferization.clone %a : memref<?xi64> to memref<?xi64>\n";
    for _ in 0..n {
        text += "  memref.store %a_v, %b[%c1] : memref<?xi64>\n";
    }
    text += "  %c = scf.for %i = %c0 to %n step %c1 iter_args(%x = %b) -> (memref<?xi64>) {\n    \
             scf.yield %x : memref<?xi64>\n  }\n  \
             %of_a = memref.extract_aligned_pointer_as_index %a : memref<?xi64> -> index\n  \
             %of_c = memref.extract_aligned_pointer_as_index %c : memref<?xi64> -> index\n  \
             %apart = arith.cmpi ne, %of_a, %of_c : index\n  memref.dealloc %a : memref<?xi64>\n";
    show(&mut text, "%b");
    text + "  scf.if %apart {\n    memref.dealloc %b : memref<?xi64>\n  }\n  return\n}\n"
}

/// A tensor that is written, and before and after that read `n` times.
pub(super) fn tensor_with_uses(n: usize) -> String {
    let mut text = format!(
        "{BEGIN}{MAIN}  %v = arith.constant 5 : i64\n  %w = arith.constant 6 : i64\n  \
         %t = tensor.splat %v : tensor<4xi64>\n  %sum0 = arith.constant 0 : i64\n"
    );
    for i in 0..n - 1 {
        let _ = writeln!(
            text,
            "  %x{i} = tensor.extract %t[%c{}] : tensor<4xi64>\n  %sum{} = arith.addi %sum{i}, %x{i} : i64",
            i % 4,
            i + 1
        );
    }
    let _ = writeln!(
        text,
        "  %u = tensor.insert %w into %t[%n] : tensor<4xi64>\n  \
         %old = tensor.extract %t[%n] : tensor<4xi64>\n  %new = tensor.extract %u[%n] : tensor<4xi64>\n  \
         call @printI64(%old) : (i64) -> ()\n  call @printI64(%new) : (i64) -> ()\n  \
         call @printI64(%sum{}) : (i64) -> ()",
        n - 1
    );
    text + "  return\n}\n"
}

/// A tensor that is written in front of `n` branches, and read behind them.
pub(super) fn tensor_before_blocks(n: usize) -> String {
    let mut text = format!(
        "{BEGIN}{MAIN}  %v = arith.constant 5 : i64\n  %w = arith.constant 6 : i64\n  \
         %t = tensor.splat %v : tensor<4xi64>\n  cf.br ^start\n  ^start:\n  \
         %u = tensor.insert %w into %t[%n] : tensor<4xi64>\n  cf.br ^join0\n"
    );
    for i in 0..n {
        let _ = writeln!(
            text,
            "  ^join{i}:\n  cf.cond_br %true, ^left{i}, ^right{i}\n  ^left{i}:\n  \
             call @printI64(%v) : (i64) -> ()\n  cf.br ^join{}\n  ^right{i}:\n  \
             call @printI64(%w) : (i64) -> ()\n  cf.br ^join{}",
            i + 1,
            i + 1
        );
    }
    let _ = writeln!(
        text,
        "  ^join{n}:\n  %old = tensor.extract %t[%n] : tensor<4xi64>\n  \
         %new = tensor.extract %u[%n] : tensor<4xi64>\n  call @printI64(%old) : (i64) -> ()\n  \
         call @printI64(%new) : (i64) -> ()"
    );
    text + "  return\n}\n"
}

/// Buffers whose size is a product of `n` numbers.
pub(super) fn sized_by_product(n: usize) -> String {
    let mut text = format!("{BEGIN}{MAIN}  %p0 = arith.constant 1 : index\n");
    for i in 0..n {
        let _ = writeln!(
            text,
            "  %q{i} = memref.load %numbers[%c{}] : memref<4xindex>\n  \
             %p{} = arith.muli %p{i}, %q{i} : index",
            usize::from(i % 8 == 0),
            i + 1
        );
    }
    for (buffer, number) in [("%a", 1), ("%b", 2), ("%c", 3)] {
        alloc(&mut text, buffer, &format!("%p{n}"), number);
        show(&mut text, buffer);
    }
    text + "  return\n}\n"
}

/// Two buffers of each of `n` sizes.
pub(super) fn sized_differently(n: usize) -> String {
    let mut text = format!("{BEGIN}{MAIN}");
    for i in 0..n {
        let _ = writeln!(
            text,
            "  %q{i} = memref.load %numbers[%c{}] : memref<4xindex>",
            i % 4
        );
        alloc(&mut text, &format!("%a{i}"), &format!("%q{i}"), i);
        show(&mut text, &format!("%a{i}"));
        alloc(&mut text, &format!("%b{i}"), &format!("%q{i}"), i + 100);
        show(&mut text, &format!("%b{i}"));
    }
    text + "  return\n}\n"
}

/// `n` loops made of blocks, one inside of the other, with two buffers in the innermost one and one
/// around each.
pub(super) fn nested_cycles(n: usize) -> String {
    let mut text = format!("{BEGIN}{MAIN}");
    alloc(&mut text, "%k", "%n", 50);
    for i in 0..n {
        let _ = writeln!(
            text,
            "  cf.br ^head{i}(%c0 : index)\n  ^head{i}(%i{i}: index):\n  \
             %m{i} = arith.cmpi ult, %i{i}, %c1 : index\n  cf.cond_br %m{i}, ^body{i}, ^end{i}\n  ^body{i}:"
        );
        alloc(&mut text, &format!("%a{i}"), "%n", i);
        show(&mut text, &format!("%a{i}"));
    }
    for buffer in ["%x", "%y"] {
        alloc(&mut text, buffer, "%n", 60);
        show(&mut text, buffer);
    }
    for i in (0..n).rev() {
        let _ = writeln!(
            text,
            "  %j{i} = arith.addi %i{i}, %c1 : index\n  cf.br ^head{i}(%j{i} : index)\n  ^end{i}:"
        );
    }
    show(&mut text, "%k");
    text + "  return\n}\n"
}

/// `n` small buffers that are stored to in turn and read in turn.
pub(super) fn many(n: usize) -> String {
    let mut text = format!("{BEGIN}{MAIN}  %sum0 = arith.constant 0 : i64\n");
    for i in 0..n {
        let _ = writeln!(
            text,
            "  %v{i} = arith.constant {i} : i64\n  %a{i} = memref.alloc() : memref<2xi64>\n  \
             memref.store %v{i}, %a{i}[%c1] : memref<2xi64>"
        );
    }
    for i in 0..n {
        let _ = writeln!(
            text,
            "  %j{i} = arith.subi %n, %c2 : index\n  \
             %x{i} = memref.load %a{i}[%j{i}] : memref<2xi64>\n  %sum{} = arith.addi %sum{i}, %x{i} : i64",
            i + 1
        );
    }
    let _ = writeln!(text, "  call @printI64(%sum{n}) : (i64) -> ()");
    text + "  return\n}\n"
}

/// Two buffers that are stored to and read `n` times, through one view or another.
pub(super) fn used_often(n: usize) -> String {
    let mut text = format!(
        "{BEGIN}{MAIN}  %v0 = arith.constant 1 : i64\n  %a = memref.alloc() : memref<4xi64>\n  \
         %b = memref.alloc() : memref<4xi64>\n  memref.store %v0, %a[%n] : memref<4xi64>\n"
    );
    for i in 0..n / 2 {
        let _ = writeln!(
            text,
            "  memref.store %v{i}, %b[%n] : memref<4xi64>\n  %x{i} = memref.load %a[%n] : memref<4xi64>\n  \
             %v{} = arith.addi %x{i}, %v0 : i64\n  memref.store %v{}, %a[%n] : memref<4xi64>",
            i + 1,
            i + 1
        );
    }
    for _ in 0..n % 2 {
        let _ = writeln!(text, "  memref.store %v0, %a[%n] : memref<4xi64>");
    }
    let _ = writeln!(
        text,
        "  %x = memref.load %a[%n] : memref<4xi64>\n  call @printI64(%x) : (i64) -> ()"
    );
    text + "  return\n}\n"
}

/// A loop that carries a buffer and allocates the next one, and a larger allocation `n` operations behind it.
pub(super) fn peak_far_away(n: usize) -> String {
    let mut text = format!("{BEGIN}{MAIN}");
    let _ = writeln!(
        text,
        "  %v = arith.constant 5 : i64\n  %first = memref.alloc() : memref<8xi64>\n  \
         memref.store %v, %first[%c0] : memref<8xi64>\n  %far = memref.alloc() : memref<{}xi64>\n  \
         %last = scf.for %i = %c0 to %c3 step %c1 iter_args(%old = %first) -> (memref<8xi64>) {{\n    \
         %x = memref.load %old[%c0] : memref<8xi64>\n    \
         %large = memref.alloc() : memref<32xi64>\n    memref.store %x, %large[%i] : memref<32xi64>\n    \
         %y = memref.load %large[%i] : memref<32xi64>\n    \
         %z = arith.addi %y, %v : i64\n    %new = memref.alloc() : memref<8xi64>\n    \
         memref.store %z, %new[%c0] : memref<8xi64>\n    scf.yield %new : memref<8xi64>\n  }}",
        n + 1
    );
    for i in 0..n {
        let _ = writeln!(
            text,
            "  %c_{i} = arith.constant {i} : index\n  memref.store %v, %far[%c_{i}] : memref<{}xi64>",
            n + 1
        );
    }
    let _ = writeln!(
        text,
        "  %behind = memref.alloc() : memref<50xi64>\n  memref.store %v, %behind[%c0] : memref<50xi64>\n  \
         %a = memref.cast %last : memref<8xi64> to memref<?xi64>\n  %b = memref.cast %behind : memref<50xi64> to memref<?xi64>\n  \
         %c = memref.cast %far : memref<{}xi64> to memref<?xi64>",
        n + 1
    );
    for name in ["%a", "%b", "%c"] {
        show(&mut text, name);
    }
    text + "  return\n}\n"
}

/// A loop of `n` iterations whose buffers have the size of its counter.
pub(super) fn panels(n: usize) -> String {
    format!(
        "{BEGIN}{MAIN}  %end = arith.constant {n} : index\n  %v = arith.constant 5 : i64\n  \
         scf.for %i = %c0 to %end step %c1 {{\n    %size = arith.addi %i, %c1 : index\n    \
         %panel = memref.alloc(%size) : memref<?xi64>\n    %x = arith.index_cast %i : index to i64\n    \
         linalg.fill ins(%x : i64) outs(%panel : memref<?xi64>)\n    \
         %is_last = arith.cmpi sge, %size, %end : index\n    scf.if %is_last {{\n      \
         func.call @show(%panel) : (memref<?xi64>) -> ()\n    }}\n  }}\n  return\n}}\n"
    )
}

/// A loop with a buffer whose size takes `n` operations to compute.
pub(super) fn panel_of_long_formula(n: usize) -> String {
    let mut text = format!(
        "{BEGIN}{MAIN}  scf.for %i = %c0 to %c3 step %c1 {{\n  %s0 = arith.addi %i, %c1 : index\n"
    );
    for i in 1..n {
        // No two of them are one.
        let (op, last) = [("addi", 1), ("maxsi", 3)][i % 2];
        let _ = writeln!(text, "  %s{i} = arith.{op} %s{}, %c{last} : index", i - 1);
    }
    let _ = writeln!(
        text,
        "  %panel = memref.alloc(%s{}) : memref<?xi64>\n  %x = arith.index_cast %i : index to i64\n  \
         linalg.fill ins(%x : i64) outs(%panel : memref<?xi64>)\n  func.call @show(%panel) : (memref<?xi64>) -> ()\n  }}\n  return\n}}",
        n - 1
    );
    text
}

/// A loop that carries `n` buffers in turns, each of which is added to a part of another one.
pub(super) fn rotated(n: usize) -> String {
    let mut text = format!("{BEGIN}{MAIN}  %c32 = arith.constant 32 : index\n");
    for i in 0..n {
        let _ = writeln!(
            text,
            "  %v{i} = arith.constant {i} : i64\n  %a{i} = memref.alloc() : memref<32xi64>\n  \
             linalg.fill ins(%v{i} : i64) outs(%a{i} : memref<32xi64>)"
        );
    }
    let types = list(n, |_| "memref<32xi64>".into());
    let carried = list(n, |i| format!("%x{i} = %a{i}"));
    let turned = list(n, |i| format!("%x{}", (i + 1) % n));
    let _ = writeln!(
        text,
        "  %times = arith.constant {} : index\n  %all = memref.alloc() : memref<3x32xi64>\n  \
         linalg.fill ins(%v1 : i64) outs(%all : memref<3x32xi64>)\n  \
         %r:{n} = scf.for %i = %c0 to %times step %c1 iter_args({carried}) -> ({types}) {{\n    \
         %row = memref.subview %all[%c1, 0] [1, 32] [1, 1] : memref<3x32xi64> to memref<32xi64, strided<[1], offset: ?>>\n    \
         scf.for %j = %c0 to %c32 step %c1 {{\n      %u = memref.load %x0[%j] : memref<32xi64>\n      \
         %w = memref.load %row[%j] : memref<32xi64, strided<[1], offset: ?>>\n      %z = arith.addi %w, %w : i64\n      \
         %s = arith.xori %u, %z : i64\n      memref.store %s, %row[%j] : memref<32xi64, strided<[1], offset: ?>>\n      \
         memref.store %z, %x1[%j] : memref<32xi64>\n    }}\n    scf.yield {turned} : {types}\n  }}\n  \
         %m = memref.collapse_shape %all [[0, 1]] : memref<3x32xi64> into memref<96xi64>\n  \
         %p = memref.subview %m[33] [2] [1] : memref<96xi64> to memref<2xi64, strided<[1], offset: 33>>\n  \
         %q = memref.alloc(%c2) : memref<?xi64>\n  \
         %d = memref.cast %p : memref<2xi64, strided<[1], offset: 33>> to memref<?xi64, strided<[1], offset: 33>>\n  \
         memref.copy %d, %q : memref<?xi64, strided<[1], offset: 33>> to memref<?xi64>",
        n + 3
    );
    show(&mut text, "%q");
    let _ = writeln!(
        text,
        "  %e = memref.cast %r#0 : memref<32xi64> to memref<?xi64>"
    );
    show(&mut text, "%e");
    text + "  return\n}\n"
}
