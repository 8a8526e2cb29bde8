//! The parser and printer as a whole: recovery after errors, deep nesting, and
//! random damage to the repository's own test files.
//!
//! What single constructs look like is in `tests/frontend/builtin/*.mlir`.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use freehold_frontend::dialects;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Diagnostics;
use freehold_frontend::syntax::parser::parse_source;
use freehold_frontend::syntax::printer::{PrintOptions, print};
use freehold_frontend::verify::verify;

/// What parsing `text` gives, and what it reports, without file names.
fn parse(text: &str) -> (Option<Ir>, String) {
    let context = Arc::new(dialects::context().allow_unregistered_dialects(true));
    let file = context.add_source("x", text, 1).expect("the text is small");
    let mut diagnostics = Diagnostics::new();
    let ir = parse_source(&context, &file, &mut diagnostics).ok();
    let report = diagnostics.render_plain(&context).replace("x:", "");
    (ir, report)
}

fn check_report(text: &str, expected: &[&str]) {
    let (ir, report) = parse(text);
    assert!(ir.is_none(), "accepted: {text}");
    let lines: Vec<&str> = report.lines().collect();
    assert_eq!(lines, expected, "for\n{text}");
}

fn text_of(ir: &Ir, generic: bool) -> String {
    let options = PrintOptions {
        generic,
        ..PrintOptions::default()
    };
    print(ir, options)
}

#[test]
fn reports_every_operation_that_does_not_parse() {
    check_report(
        "func.func @f(%a: i32, %c: i1) {
  %b = arith.addi %a, : i32
  %d = arith.muli %b, %b : i32
  scf.if %c {
    memref.load %m[
    %e = arith.subi %a, %a : i32
  }
  cf.br ^nowhere
}
func.func @g( {
  return
}
module {
  func.func @h() -> {
  }
  nonsense
}
func.func @i() {
  return
}
",
        &[
            "2:22: error: expected SSA operand",
            "6:7: error: expected ']'",
            "8:9: error: reference to an undefined block",
            "10:14: error: expected non-function type",
            "14:20: error: expected non-function type",
            "16:3: error: custom op 'nonsense' is unknown (tried 'builtin.nonsense' as well)",
        ],
    );
}

#[test]
fn what_does_not_parse_still_defines_its_results() {
    check_report(
        "func.func @f() -> i32 {
  %a:2 = \"other.op\"( : () -> (i32, i32)
  %b = arith.addi %a#0, %a#1 : i32
  return %b : i32
}
",
        &["2:21: error: expected ')' to end operand list"],
    );
}

#[test]
fn names_of_values_and_blocks_are_checked_per_region() {
    check_report(
        "func.func @f(%c: i1) {
  cf.br ^a
^b:
  cf.br ^c
}
",
        &[
            "2:9: error: reference to an undefined block",
            "4:9: error: reference to an undefined block",
        ],
    );
    check_report(
        "func.func @f(%c: i1) {
  scf.if %c {
    %x = arith.constant 1 : i32
  }
  \"other.use\"(%x, %y) : (i32, i64) -> ()
  return
}
",
        &[
            "5:15: error: use of undeclared SSA value name",
            "5:19: error: use of undeclared SSA value name",
        ],
    );
}

#[test]
fn ends_of_text_are_reported_once() {
    check_report(
        "func.func @f() {\n  return",
        &["2:8: error: expected operation name in quotes"],
    );
    check_report(
        "\"other.op\"() {a = \"unterminated",
        &["1:32: error: expected '\"' in string literal"],
    );
    check_report(
        "\"other.op\"() {a = !other.t<[}",
        &["1:27: error: unbalanced '[' character in pretty dialect name"],
    );
    check_report(
        "\"other.op\"() {a = !other.t<[",
        &["1:28: error: unexpected nul or EOF in pretty dialect name"],
    );
}

#[test]
fn stray_bytes_are_reported() {
    check_report(
        "\"other.op\"() {a = 1 \x01} : () -> ()",
        &["1:21: error: unexpected character"],
    );
    check_report("é", &["1:1: error: unexpected character"]);
    check_report("\u{feff}", &["1:1: error: unexpected character"]);
}

#[test]
fn operations_of_no_dialect_are_unknown() {
    check_report(
        "func.func @f(%x: tensor<8xf32>) {\n  %0 = linalg.map { exp } ins(%x : tensor<8xf32>) outs(%x : tensor<8xf32>)\n}",
        &["2:21: error: custom op 'exp' is unknown"],
    );
}

#[test]
fn long_lists_of_errors_end() {
    let (ir, report) = parse(&"\"other.op\"(\n".repeat(10_000));
    assert!(ir.is_none());
    assert!(report.lines().count() <= 100);
}

/// Texts that nest `n` deep, one per construct.
fn nested_texts(n: usize) -> Vec<(&'static str, String)> {
    let op = |attribute: String| format!("\"other.op\"() {{a = {attribute}}} : () -> ()");
    let wrap = |open: &str, inner: &str, close: &str| {
        format!("{}{inner}{}", open.repeat(n), close.repeat(n))
    };
    let function = |body: String| format!("func.func @f(%c: i1) {{\n{body}\nreturn\n}}");
    let map = |expr: String| op(format!("affine_map<(d0)[s0] -> ({expr})>"));
    vec![
        ("modules", wrap("module {\n", "", "}\n")),
        (
            "generic regions",
            wrap("\"other.op\"() ({\n", "", "}) : () -> ()\n"),
        ),
        ("ifs", function(wrap("scf.if %c {\n", "", "}\n"))),
        (
            "regions that run",
            function(wrap(
                "scf.execute_region {\n",
                "\"other.op\"() : () -> ()\n",
                "scf.yield\n}\n",
            )),
        ),
        ("tuples", op(wrap("tuple<", "i32", ">"))),
        ("memrefs", op(wrap("memref<1x", "i32", ">"))),
        ("functions", op(wrap("() -> (", "i32", ")"))),
        ("arrays", op(wrap("[", "", "]"))),
        ("dictionaries", op(wrap("{a = ", "1", "}"))),
        (
            "dense",
            op(format!(
                "dense<{}> : tensor<{}i32>",
                wrap("[", "1", "]"),
                "1x".repeat(n)
            )),
        ),
        (
            "dialect types",
            op(format!("!other<{}>", wrap("<", "", ">"))),
        ),
        ("parentheses", map(wrap("(", "d0", ")"))),
        ("minus signs", map(wrap("-", "d0", ""))),
        ("sums", map(vec!["s0 mod 3"; n + 1].join(" + "))),
        ("products", map(vec!["s0"; n + 1].join(" * "))),
        (
            "call sites",
            format!(
                "\"other.op\"() : () -> () loc({})",
                wrap("callsite(", "\"a\"", " at \"b\")")
            ),
        ),
    ]
}

#[test]
fn nesting_is_limited() {
    // As much stack as the tests of other crates may have, in a debug build.
    let worker = thread::Builder::new().stack_size(8 << 20);
    let worker = worker.spawn(|| {
        for (what, text) in nested_texts(300) {
            let (ir, report) = parse(&text);
            let ir = ir.unwrap_or_else(|| panic!("{what}: {report}"));
            let printed = text_of(&ir, false);
            let again = parse(&printed).0.unwrap_or_else(|| panic!("{what}"));
            assert_eq!(text_of(&again, false), printed, "{what}");
        }
        for n in [990, 1010, 20_000] {
            for (what, text) in nested_texts(n) {
                let (_, report) = parse(&text);
                if n > 1000 && what != "dialect types" {
                    assert!(report.contains("nesting is too deep"), "{what}: {report}");
                }
            }
        }
    });
    worker
        .expect("a thread can be started")
        .join()
        .expect("nothing overflows the stack");
}

/// All `.mlir` files below `folder`, in the order of their names.
fn mlir_files(folder: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            mlir_files(&path, files);
        } else if path
            .extension()
            .is_some_and(|extension| extension == "mlir")
        {
            files.push(path);
        }
    }
}

/// The pieces of the repository's test files.
fn corpus() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files = Vec::new();
    mlir_files(&root.join("tests"), &mut files);
    mlir_files(&root.join("examples"), &mut files);
    let mut pieces = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(&file).expect("test files are text");
        pieces.extend(text.split("// -----").map(str::to_owned));
    }
    pieces
}

/// Whether `text` parses and verifies; if it does, what is printed in either
/// form must read back to the same text.
fn check_round_trip(text: &str) -> bool {
    let Some(ir) = parse(text).0 else {
        return false;
    };
    let generic = text_of(&ir, true);
    if verify(&ir, &mut Diagnostics::new()).is_err() {
        return false;
    }
    let custom = text_of(&ir, false);
    // The custom form may leave out what has its default value, so it need not
    // lead back to the same generic form.
    let read = |printed: &str| match parse(printed) {
        (Some(ir), _) => ir,
        (None, report) => panic!("{report}\nfor\n{printed}\nfrom\n{text}"),
    };
    check_same_text(&custom, &text_of(&read(&custom), false), text);
    // The generic form does not tell which version it was read from.
    let from_generic = read(&generic);
    let version = ir.context().version_read();
    from_generic.context().note_version(version);
    check_same_text(&custom, &text_of(&from_generic, false), text);
    check_same_text(&generic, &text_of(&read(&generic), true), text);
    true
}

fn check_same_text(before: &str, after: &str, source: &str) {
    let differs = |lines: &(&str, &str)| lines.0 != lines.1;
    if let Some((before, after)) = before.lines().zip(after.lines()).find(differs) {
        panic!("printed\n{before}\nread and printed again\n{after}\nfrom\n{source}");
    }
    assert_eq!(
        before.len(),
        after.len(),
        "lines are missing, from\n{source}"
    );
}

#[test]
fn printed_text_reads_back() {
    let n_checked = corpus()
        .iter()
        .filter(|text| check_round_trip(text))
        .count();
    assert!(n_checked > 100, "only {n_checked} pieces are valid");
}

/// A small generator of numbers (xorshift), so that failures can be repeated.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n.max(1) as u64) as usize
    }
}

/// `text` with a few random changes: bytes replaced, pieces dropped, doubled
/// or taken from `other`.
fn damage(random: &mut Random, text: &str, other: &str) -> String {
    const BYTES: &[u8] = b"()[]{}<>,:=-+*%#@!^\"\\/.?0x1azi \n\0\xc3_|$";
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..=random.below(4) {
        let at = random.below(bytes.len());
        let end = (at + random.below(20)).min(bytes.len());
        match random.below(5) {
            0 => bytes.insert(at, BYTES[random.below(BYTES.len())]),
            1 if at < bytes.len() => bytes[at] = BYTES[random.below(BYTES.len())],
            2 => drop(bytes.drain(at..end)),
            3 => {
                let piece = bytes[at..end].to_vec();
                let to = random.below(bytes.len());
                bytes.splice(to..to, piece);
            }
            _ => {
                let from = random.below(other.len());
                let to = (from + random.below(40)).min(other.len());
                bytes.splice(at..end, other.as_bytes()[from..to].iter().copied());
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[test]
fn damaged_text_is_no_trouble() {
    let number = |name| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let deadline = Instant::now() + Duration::from_secs(number("FUZZ_SECONDS").unwrap_or(1));
    let mut random = Random(number("FUZZ_SEED").unwrap_or(1) | 1 << 40);
    let corpus = corpus();
    let worker = thread::Builder::new().stack_size(64 << 20);
    let worker = worker.spawn(move || {
        while Instant::now() < deadline {
            let text = &corpus[random.below(corpus.len())];
            let other = &corpus[random.below(corpus.len())];
            let damaged = damage(&mut random, text, other);
            let checked = std::panic::catch_unwind(|| check_round_trip(&damaged));
            assert!(checked.is_ok(), "trouble with\n{damaged}");
        }
    });
    worker
        .expect("a thread can be started")
        .join()
        .expect("no text makes trouble");
}
