//! Inputs that are huge, deep or nothing at all: a result or a diagnostic, and
//! never a panic, an overflow of the stack or half a file.
//!
//! Nothing here is timed. What would take quadratic time does not end.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use libtest_mimic::Trial;

use crate::needs::trials;
use crate::support::in_process;
use freehold::exit;

/// Deep, wide or many enough to break what recurses or is quadratic.
const MANY: usize = 100_000;

/// Runs a command; gives its exit status, output and diagnostics.
fn freehold(arguments: &[&str], stdin: impl Into<Vec<u8>>) -> (u8, String, String) {
    let output = in_process::freehold(arguments, stdin);
    (output.status, output.stdout, output.stderr)
}

/// Checks that `text` gets this diagnostic.
fn rejected(text: impl Into<Vec<u8>>, message: &str) {
    let (status, stdout, stderr) = freehold(&["opt", "-"], text);
    assert_eq!(status, exit::FAILURE, "{message}: {stderr:.300}");
    assert_eq!(stdout, "", "{message}");
    assert!(stderr.contains(message), "{message}: {stderr:.300}");
}

fn accepted(arguments: &[&str], text: &str) -> String {
    let (status, stdout, stderr) = freehold(arguments, text);
    assert_eq!(status, exit::OK, "{stderr:.300}");
    stdout
}

/// `open` and `close` around `inner`, `MANY` times.
fn nested(before: &str, open: &str, inner: &str, close: &str, after: &str) -> String {
    [
        before,
        &open.repeat(MANY),
        inner,
        &close.repeat(MANY),
        after,
    ]
    .concat()
}

fn deep_nesting_is_a_diagnostic() {
    let too_deep = "error: nesting is too deep";
    for text in [
        nested(
            "func.func @f(%c: i1) {",
            "scf.if %c {\n",
            "",
            "}\n",
            "return }",
        ),
        nested("func.func @f(%c: i1) {", "scf.if %c {\n", "", "", ""),
        nested("", "\"test.op\"() ({\n", "", "}) : () -> ()\n", ""),
        nested("", "module {\n", "", "}\n", ""),
        nested("module attributes {test.a = ", "[", "", "]", "} {}"),
        nested("module attributes {test.a = ", "[", "", "", ""),
        nested("module attributes {test.a = ", "{a = ", "1", "}", "} {}"),
        nested(
            "module attributes {test.a = dense<",
            "[",
            "1",
            "]",
            "> : tensor<1xi32>} {}",
        ),
        nested("func.func private @f(", "tuple<", "i1", ">", ")"),
        nested("func.func private @f(", "complex<", "f32", ">", ")"),
        nested("func.func private @f(", "(", "i1", ") -> i1", ")"),
        nested("func.func private @f(", "memref<1x", "f32", ">", ")"),
        nested(
            "func.func private @f(memref<4xf32, affine_map<(d0) -> (",
            "(",
            "d0",
            ")",
            ")>>)",
        ),
        nested(
            "func.func private @f(memref<4xf32, affine_map<(d0) -> (",
            "-",
            "d0",
            "",
            ")>>)",
        ),
        nested("module {} loc(", "callsite(\"a\" at ", "\"b\"", ")", ")"),
        nested("module {} loc(", "fused[", "\"b\"", "]", ")"),
    ] {
        rejected(text, too_deep);
    }
}

fn chains_of_aliases_are_followed() {
    let mut attributes = "#a0 = 1 : i32\n".to_owned();
    let mut types = "!t0 = i32\n".to_owned();
    for i in 0..MANY {
        attributes += &format!("#a{} = [#a{i}]\n", i + 1);
        types += &format!("!t{} = tuple<!t{i}>\n", i + 1);
    }
    attributes += &format!("module attributes {{test.a = #a{MANY}}} {{}}\n");
    types += &format!("func.func private @f(!t{MANY})\n");
    let printed = accepted(&["opt", "-"], &attributes);
    assert_eq!(printed.matches('[').count(), MANY);
    let printed = accepted(&["opt", "-"], &types);
    assert_eq!(printed.matches("tuple<").count(), MANY);
}

fn aliases_that_double_are_a_diagnostic() {
    let mut attributes = "#a0 = 1 : i32\n".to_owned();
    let mut types = "!t0 = i32\n".to_owned();
    for i in 0..60 {
        attributes += &format!("#a{} = [#a{i}, #a{i}]\n", i + 1);
        types += &format!("!t{} = tuple<!t{i}, !t{i}>\n", i + 1);
    }
    rejected(attributes, "error: alias stands for too many others");
    rejected(types, "error: alias stands for too many others");
}

fn long_functions() {
    let mut values = "func.func @f(%a: i32) -> i32 {\n%0 = arith.addi %a, %a : i32\n".to_owned();
    let mut blocks = "func.func @f() {\ncf.br ^b0\n".to_owned();
    for i in 0..MANY {
        values += &format!("%{} = arith.addi %{i}, %a : i32\n", i + 1);
        blocks += &format!("^b{i}:\ncf.br ^b{}\n", i + 1);
    }
    values += &format!("return %{MANY} : i32\n}}\n");
    blocks += &format!("^b{MANY}:\nreturn\n}}\n");
    for text in [values, blocks] {
        for flag in ["--canonicalize", "--cse", "--buffer-deallocation-pipeline"] {
            accepted(&["opt", "-", flag], &text);
        }
    }
}

/// A workspace is as large as buffers of 1,500 sizes that are there at once.
fn workspaces_of_many_sizes() {
    let mut text =
        "func.func @f(%x: f32, %n: index) {\n  %c0 = arith.constant 0 : index\n".to_owned();
    for i in 0..1500 {
        let _ = writeln!(
            text,
            "  %k{i} = arith.constant {i} : index\n  %s{i} = arith.addi %n, %k{i} : index\n  \
             %a{i} = memref.alloc(%s{i}) : memref<?xf32>\n  memref.store %x, %a{i}[%c0] : memref<?xf32>"
        );
    }
    for i in 0..1500 {
        let _ = writeln!(
            text,
            "  %v{i} = memref.load %a{i}[%c0] : memref<?xf32>\n  memref.dealloc %a{i} : memref<?xf32>"
        );
    }
    text += "  return\n}\n";
    let printed = accepted(&["opt", "-", "--use-workspace"], &text);
    assert!(printed.contains("func.func @f_workspace_size(%arg0: f32, %arg1: index) -> index"));
}

fn nested_as_deep_as_allowed() {
    let depth = 900;
    let mut text = "func.func @f(%c: i1, %n: index) {\n".to_owned();
    for level in 0..depth {
        text += &format!("scf.if %c {{\n%m{level} = memref.alloc(%n) : memref<?xf32>\n");
    }
    text += &"}\n".repeat(depth);
    text += "return\n}\n";
    for flag in ["--canonicalize", "--buffer-deallocation-pipeline"] {
        accepted(&["opt", "-", flag], &text);
    }
    accepted(&["compile", "-", "--emit=clif", "-o", "-"], &text);
}

/// Branches of ONNX are lowered once however deep they are; bodies of loops are tried several times, and have a limit.
fn branches_and_loops_of_onnx() {
    let program = |depth: usize, open: &dyn Fn(usize) -> String, close: &str, inner: &str| {
        format!(
            "func.func @main(%c: tensor<i1>, %n: tensor<i64>, %x: tensor<4xf32>) -> tensor<4xf32> {{
               {}{inner}{}
               return %r : tensor<4xf32>
             }}",
            (0..depth).map(open).collect::<String>(),
            close.repeat(depth),
        )
    };
    let add = "%r = \"onnx.Add\"(%x, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>\n";
    let end = "\"onnx.Yield\"(%r) : (tensor<4xf32>) -> ()";
    let branches = program(
        100,
        &|_| "%r = \"onnx.If\"(%c) ({\n".to_owned(),
        &format!(
            "{end}\n}}, {{\n\"onnx.Yield\"(%x) : (tensor<4xf32>) -> ()\n}}) : (tensor<i1>) -> tensor<4xf32>\n"
        ),
        add,
    );
    let pass = ["opt", "-", "--convert-onnx-to-stablehlo"];
    let printed = accepted(&pass, &branches);
    assert_eq!(printed.matches("stablehlo.add").count(), 1);
    assert_eq!(printed.matches("scf.if").count(), 100);
    let loops = |depth| {
        let open = |level| {
            format!(
                "%r = \"onnx.Loop\"(%n, %c, %x) ({{
                 ^bb0(%i{level}: tensor<i64>, %go{level}: tensor<i1>, %y{level}: tensor<4xf32>):\n"
            )
        };
        let close = "\"onnx.Yield\"(%c, %r) : (tensor<i1>, tensor<4xf32>) -> ()
            }) : (tensor<i64>, tensor<i1>, tensor<4xf32>) -> tensor<4xf32>\n";
        program(depth, &open, close, add)
    };
    accepted(&pass, &loops(6));
    let (status, _, stderr) = freehold(&pass, loops(7));
    assert_eq!(status, exit::FAILURE);
    assert!(
        stderr.contains("it stands in 6 other loops"),
        "{stderr:.300}"
    );
}

fn two_hundred_megabytes() {
    let size = 200_000_000;
    rejected(
        ["module attributes {test.a = \"", &"x".repeat(size)].concat(),
        "error: expected '\"' in string literal",
    );
    let comments = "// nothing\n".repeat(size / 11);
    assert_eq!(accepted(&["opt", "-"], &comments), "module {\n}\n");
}

fn nothing_at_all() {
    assert_eq!(accepted(&["opt", "-"], ""), "module {\n}\n");
    accepted(&["compile", "-", "--emit=asm", "-o", "-"], "");
    let (status, _, stderr) = freehold(&["run", "-"], "");
    assert_eq!(status, exit::FAILURE);
    assert!(stderr.contains("entry point 'main' not found"), "{stderr}");
}

fn bytes_that_are_no_text() {
    rejected(
        b"module {\n  \xff\xfe\n}".to_vec(),
        "<stdin>:2:3: error: input is not valid UTF-8",
    );
    // A NUL is white space, as upstream has it; other control characters are not.
    accepted(&["opt", "-"], "module {\u{0} }");
    rejected(
        "module {\u{1} }",
        "<stdin>:1:9: error: unexpected character",
    );
    rejected(
        "module { \"a\n\" }",
        "error: expected '\"' in string literal",
    );
}

fn wrong_usage() {
    for arguments in [
        &["opt", "-", "-"][..],
        &["opt", "-", "--no-such-pass"],
        &["opt", "-", "--canonicalize=no-such-option=1"],
        &["opt", "-", "--pass-pipeline=builtin.module(no-such-pass)"],
        &["opt", "-", "--pass-pipeline=builtin.module("],
        &["run", "-", "--dealloc=sometimes"],
        &["run", "-", "-O9"],
        &["compile", "-", "--emit=poem"],
        &["no-such-command"],
    ] {
        let (status, stdout, stderr) = freehold(arguments, "");
        assert_eq!(status, exit::USAGE, "{arguments:?}: {stderr}");
        assert_eq!(stdout, "", "{arguments:?}");
        assert!(!stderr.is_empty(), "{arguments:?}");
    }
}

/// A folder for outputs.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&folder).expect("the target folder takes a folder");
    folder
}

fn outputs_that_cannot_be_written() {
    let folder = folder("unwritable");
    let text = "func.func @main() { return }";
    for output in [folder.join("no-such-folder").join("out"), folder.clone()] {
        let output = output.to_str().expect("the path is text");
        for command in ["opt", "compile"] {
            let (status, _, stderr) = freehold(&[command, "-", "-o", output], text);
            assert_eq!(status, exit::FAILURE, "{command} {output}: {stderr}");
            assert!(
                stderr.contains("error: cannot open output file"),
                "{stderr}"
            );
        }
    }
    for input in [
        "no-such-file.mlir",
        folder.to_str().expect("the path is text"),
    ] {
        let (status, _, stderr) = freehold(&["opt", input], "");
        assert_eq!(status, exit::FAILURE, "{input}: {stderr}");
        assert!(stderr.contains("error: cannot open input file"), "{stderr}");
    }
}

/// What was in a file stays there when there is nothing to replace it with.
fn failures_leave_outputs_alone() {
    let output = folder("kept").join("out");
    fs::write(&output, "before").expect("the target folder takes a file");
    let path = output.to_str().expect("the path is text");
    for command in ["opt", "compile"] {
        let (status, ..) = freehold(&[command, "-", "-o", path], "func.func @f() { oops");
        assert_eq!(status, exit::FAILURE);
        assert_eq!(fs::read_to_string(&output).expect("it is there"), "before");
    }
    let n_files = fs::read_dir(folder("kept")).expect("it is there").count();
    assert_eq!(n_files, 1, "temporary files are left");
}

/// The tests of this module.
pub(crate) fn tests() -> Vec<Trial> {
    trials![
        deep_nesting_is_a_diagnostic,
        chains_of_aliases_are_followed,
        aliases_that_double_are_a_diagnostic,
        long_functions,
        workspaces_of_many_sizes,
        nested_as_deep_as_allowed,
        branches_and_loops_of_onnx,
        two_hundred_megabytes,
        nothing_at_all,
        bytes_that_are_no_text,
        wrong_usage,
        outputs_that_cannot_be_written,
        failures_leave_outputs_alone,
    ]
}
