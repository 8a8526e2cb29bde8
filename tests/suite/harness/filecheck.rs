//! FileCheck: a table of cases with known verdicts, random
//! cases, and both compared with LLVM's own FileCheck where it is installed.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use libtest_mimic::Trial;

use crate::needs::trials;
use crate::support::filecheck::{self, Options};
use crate::support::peer;
use crate::support::process::{self, Stderr};

/// A case: name, options, check file, text, and whether they match.
type Case = (
    &'static str,
    &'static [&'static str],
    &'static str,
    &'static str,
    bool,
);

#[rustfmt::skip]
const CASES: &[Case] = &[
    ("plain", &[], "CHECK: b\n", "a\nb\n", true),
    ("plain missing", &[], "CHECK: c\n", "a\nb\n", false),
    ("order matters", &[], "CHECK: b\nCHECK: a\n", "a\nb\n", false),
    ("match moves on", &[], "CHECK: a\nCHECK: a\n", "a\nb\n", false),
    ("same text twice", &[], "CHECK: a\nCHECK: a\n", "a a\n", true),
    ("anywhere in a line", &[], "# CHECK: b c", "a b c d", true),
    ("blanks are one space", &[], "CHECK: a   b\n", "a\t \tb\n", true),
    ("strict whitespace", &["--strict-whitespace"], "CHECK: a  b\n", "a b\n", false),
    ("carriage returns", &[], "CHECK: a{{$}}\r\nCHECK-NEXT: {{^}}b\r\n", "a\r\nb\r\n", true),
    ("next", &[], "CHECK: a\nCHECK-NEXT: b\n", "a\nb\n", true),
    ("next too far", &[], "CHECK: a\nCHECK-NEXT: c\n", "a\nb\nc\n", false),
    ("next on the same line", &[], "CHECK: a\nCHECK-NEXT: b\n", "a b\n", false),
    ("next takes the first match", &[], "CHECK: a\nCHECK-NEXT: b\n", "a b\nb\n", false),
    ("next first", &[], "CHECK-NEXT: a\n", "a\n", false),
    ("same", &[], "CHECK: a\nCHECK-SAME: b\n", "a b\n", true),
    ("same on another line", &[], "CHECK: a\nCHECK-SAME: b\n", "a\nb\n", false),
    ("empty", &[], "CHECK: a\nCHECK-EMPTY:\nCHECK-NEXT: b\n", "a\n\nb\n", true),
    ("empty missing", &[], "CHECK: a\nCHECK-EMPTY:\n", "a\nb\n", false),
    ("empty later", &[], "CHECK: a\nCHECK-EMPTY:\n", "a\nb\n\nc\n", false),
    ("empty with text", &[], "CHECK: a\nCHECK-EMPTY: x\n", "a\n\n", false),
    ("two empty lines", &[], "CHECK: a\nCHECK-EMPTY:\nCHECK-EMPTY:\n", "a\n\n\nb\n", true),
    ("not", &[], "CHECK: a\nCHECK-NOT: x\nCHECK: b\n", "a\nb\n", true),
    ("not between", &[], "CHECK: a\nCHECK-NOT: x\nCHECK: b\n", "a\nx\nb\n", false),
    ("not after", &[], "CHECK: a\nCHECK-NOT: x\nCHECK: b\n", "a\nb\nx\n", true),
    ("not at the end", &[], "CHECK: a\nCHECK-NOT: x\n", "a\nx\n", false),
    ("not at the start", &[], "CHECK-NOT: x\nCHECK: a\n", "x\na\n", false),
    ("only not", &[], "CHECK-NOT: x\n", "a\n", true),
    ("not with an undefined variable", &[], "CHECK-NOT: [[X]]\n", "a\n", false),
    ("dag", &[], "CHECK-DAG: b\nCHECK-DAG: a\n", "a\nb\n", true),
    ("dag without overlap", &[], "CHECK-DAG: a\nCHECK-DAG: a\n", "a\n", false),
    ("dag twice", &[], "CHECK-DAG: a{{.}}\nCHECK-DAG: a{{.}}\n", "ax\nay\n", true),
    ("dag before a match", &[], "CHECK-DAG: b\nCHECK-DAG: a\nCHECK: c\n", "b\nc\na\n", false),
    ("dag, not, dag", &[], "CHECK-DAG: a\nCHECK-NOT: x\nCHECK-DAG: b\n", "a\nx\nb\n", false),
    ("dag groups", &[], "CHECK-DAG: a\nCHECK-NOT: x\nCHECK-DAG: b\n", "a\nb\nx\n", true),
    ("dag defines", &[],
     "CHECK-DAG: [[A:v[0-9]+]] = one\nCHECK-DAG: [[B:v[0-9]+]] = two\nCHECK: [[A]], [[B]]\n",
     "v2 = two\nv1 = one\nv1, v2\n", true),
    ("count", &[], "CHECK-COUNT-3: a\nCHECK-NOT: a\n", "a\na\na\n", true),
    ("count too few", &[], "CHECK-COUNT-3: a\n", "a\na\n", false),
    ("count too many", &[], "CHECK-COUNT-2: a\nCHECK-NOT: a\n", "a\na\na\n", false),
    ("count not a number", &[], "CHECK-COUNT-x: a\n", "a\n", false),
    ("count zero", &[], "CHECK-COUNT-0: a\n", "a\n", false),
    ("label", &[], "CHECK-LABEL: f\nCHECK: a\nCHECK-LABEL: g\nCHECK: b\n", "f\na\ng\nb\n", true),
    ("label bounds the search", &[],
     "CHECK-LABEL: f\nCHECK: b\nCHECK-LABEL: g\n",
     "f\na\ng\nb\n", false),
    ("label bounds not", &[], "CHECK-LABEL: f\nCHECK-NOT: b\nCHECK-LABEL: g\n", "f\ng\nb\n", true),
    ("label missing", &[], "CHECK-LABEL: f\nCHECK-LABEL: h\n", "f\ng\n", false),
    ("label with variable", &[], "CHECK-LABEL: [[X:f]]\n", "f\n", false),
    ("label then next", &[], "CHECK-LABEL: f\nCHECK-NEXT: a\n", "f\na\n", true),
    ("label then dag", &[], "CHECK-LABEL: f\nCHECK-DAG: b\nCHECK-DAG: a\n", "f\na\nb\n", true),
    ("dag before label", &[], "CHECK-DAG: b\nCHECK-DAG: a\nCHECK-LABEL: f\n", "a\nb\nf\n", true),
    ("variable", &[], "CHECK: [[X:.*]] =\nCHECK: use [[X]]{{$}}\n", "%1 =\nuse %1\n", true),
    ("variable differs", &[],
     "CHECK: [[X:.*]] =\nCHECK: use [[X]]{{$}}\n",
     "%1 =\nuse %12\n", false),
    ("variable is literal", &[], "CHECK: x[[X:.*]]\nCHECK: y[[X]]\n", "x.*\nyab\n", false),
    ("variable undefined", &[], "CHECK: [[X]]\n", "a\n", false),
    ("variable redefined", &[],
     "CHECK: [[X:a]]\nCHECK: [[X:b]]\nCHECK: [[X]]\n",
     "a\nb\nb\n", true),
    ("used where defined", &[], "CHECK: [[X:[a-z]+]] = [[X]];\n", "ab = ab;\n", true),
    ("used where defined, backtracking", &[], "CHECK: %[[X:.*]], %[[X]];\n", "%1, %2, %2;\n", true),
    ("used where defined, differs", &[], "CHECK: [[X:[0-9]+]] = [[X]];\n", "1 = 2;\n", false),
    ("value and block names", &[], "CHECK: %[[A:.*]] = f ^bb[[B:[0-9]]]\n", "%0 = f ^bb1\n", true),
    ("bracket in a definition", &[], "CHECK: [[X:[^]]+]]]\nCHECK: [[X]]!\n", "ab]\nab!\n", false),
    ("three brackets", &[], "CHECK: [[[X:1]], 2]\nCHECK: [[X]]\n", "[1, 2]\n1\n", true),
    ("literal brackets", &[], "CHECK: dense<{{\\[\\[}}1]]>\n", "dense<[[1]]>\n", true),
    ("bad block", &[], "CHECK: dense<[[1, 2]]>\n", "dense<[[1, 2]]>\n", false),
    ("bad block end", &[], "CHECK: [[X\n", "x\n", false),
    ("global across labels", &["--enable-var-scope"],
     "CHECK: [[$G:a]]\nCHECK-LABEL: f\nCHECK: [[$G]]\nCHECK-LABEL: g\nCHECK: [[$G]]\n",
     "a\nf\na\ng\na\n", true),
    ("local is forgotten at a label", &["--enable-var-scope"],
     "CHECK-LABEL: f\nCHECK: [[L:a]]\nCHECK-LABEL: g\nCHECK: [[L]]\n",
     "f\na\ng\na\n", false),
    ("local is kept without scopes", &[],
     "CHECK-LABEL: f\nCHECK: [[L:a]]\nCHECK-LABEL: g\nCHECK: [[L]]\n",
     "f\na\ng\na\n", true),
    ("number is forgotten at a label", &["--enable-var-scope"],
     "CHECK: [[#N:]]\nCHECK-LABEL: g\nCHECK: [[#N]]\n", "1\ng\n1\n", false),
    ("number", &[], "CHECK: a[[#N:]]\nCHECK: b[[#N+1]]{{$}}\n", "a7\nb8\n", true),
    ("number differs", &[], "CHECK: a[[#N:]]\nCHECK: b[[#N+1]]{{$}}\n", "a7\nb9\n", false),
    ("any number", &[], "CHECK: a[[#]]b\n", "a123b\n", true),
    ("number expression", &[],
     "CHECK: [[#A:]] [[#B:]]\nCHECK: [[#mul(A,B)-(A+1)]].\n",
     "3 4\n8.\n", true),
    ("number functions", &[],
     "CHECK: [[#A:]]\nCHECK: [[#max(A,div(9,2))]] [[#min(A, 1)]]\n",
     "2\n4 1\n", true),
    ("number constraint", &[],
     "CHECK: [[#A:]]\nCHECK: [[#B:A+1]]\nCHECK: [[#B]]\n",
     "1\n2\n2\n", true),
    ("number equality", &[], "CHECK: [[#A:]]\nCHECK: [[#==A]]\n", "1\n1\n", true),
    ("number hex", &[], "CHECK: [[#%x,A:]]\nCHECK: [[#A+1]]\n", "1f\n20\n", true),
    ("number upper hex", &[], "CHECK: 0x[[#%X,A:]]\nCHECK: [[#%.4X,A]]\n", "0x1F\n001F\n", true),
    ("number with prefix", &[], "CHECK: [[#%#x,A:]]\nCHECK: [[#%u,A]]\n", "0x1f\n31\n", true),
    ("number signed", &[], "CHECK: [[#%d,A:]]\nCHECK: [[#A-1]]\n", "-3\n-4\n", true),
    ("number precision", &[], "CHECK: [[#%.3u,A:]]\nCHECK: [[#A+1]]\n", "007\n008\n", true),
    ("number format conflict", &[],
     "CHECK: [[#%x,A:]][[#%d,B:]]\nCHECK: [[#A+B]]\n",
     "a1\n1\n", false),
    ("number negative", &[], "CHECK: [[#A:]]\nCHECK: [[#A-2]]\n", "1\n-1\n", false),
    ("number on its own line", &[], "CHECK: [[#A:]] [[#A+1]]\n", "1 2\n", false),
    ("number undefined", &[], "CHECK: [[#A+1]]\n", "1\n", false),
    ("number bad operator", &[], "CHECK: [[#1*2]]\n", "2\n", false),
    ("number unknown function", &[], "CHECK: [[#pow(1,2)]]\n", "2\n", false),
    ("number and string of one name", &[], "CHECK: [[#A:]] [[A:x]]\n", "1 x\n", false),
    ("line", &[],
     "CHECK: line [[@LINE]]\nCHECK: line [[@LINE-1]]\nCHECK: [[#@LINE+10]]\n",
     "line 1\nline 1\n13\n", true),
    ("line bad", &[], "CHECK: [[@LINE*2]]\n", "2\n", false),
    ("define", &["-DX=a.b"], "CHECK: [[X]]\n", "a.b\n", true),
    ("define is literal", &["-DX=a.b"], "CHECK: [[X]]\n", "axb\n", false),
    ("define number", &["-D#N=5", "-D#M=N+1"], "CHECK: [[#N]] [[#M]]\n", "5 6\n", true),
    ("regex", &[], "CHECK: a{{[0-9]+}}b\n", "a12b\n", true),
    ("regex alternatives are grouped", &[], "CHECK: a{{b|c}}d\n", "acd\n", true),
    ("regex takes the longest", &[], "CHECK: {{a|ab|abc}}\nCHECK-SAME: {{^}}d\n", "abcd\n", true),
    ("regex ends at the line", &[], "CHECK: a{{.*}}b\n", "a\nb\n", false),
    ("negated class ends at the line", &[], "CHECK: a{{[^x]*}}b\n", "a\nb\n", false),
    ("space class crosses lines", &[], "CHECK: a{{[[:space:]]}}b\n", "a\nb\n", true),
    ("backslash in class", &[], "CHECK: {{[\\]+}}x\n", "\\\\x\n", true),
    ("backslash letter is the letter", &[], "CHECK: {{\\d}}\n", "5\n", false),
    ("lazy is an error", &[], "CHECK: {{a.*?b}}\n", "ab\n", false),
    ("empty alternative is an error", &[], "CHECK: {{a|}}\n", "a\n", false),
    ("unbalanced is an error", &[], "CHECK: {{(a}}\n", "a\n", false),
    ("empty group", &[], "CHECK: {{a()b}}\n", "ab\n", true),
    ("braces", &[], "CHECK: {{a{2,3}b}}\n", "aaab\n", true),
    ("braces too many", &[], "CHECK: {{^a{2,3}b}}\n", "aaaab\n", false),
    ("brace is ordinary", &[], "CHECK: {{a{b}}\n", "a{b\n", true),
    ("user backreference", &[], "CHECK: {{([ab])c\\1}}\n", "acb bcb\n", true),
    ("user backreference out of range", &[], "CHECK: {{(a|b)c\\2}}\n", "acb bcb\n", false),
    ("first and last of a class", &[], "CHECK: {{[]a-]+}}x\n", "]-a]x\n", true),
    ("line anchors", &[], "CHECK: {{^b$}}\n", "ab\nb\nbc\n", true),
    ("unterminated regex", &[], "CHECK: {{a\n", "a\n", false),
    ("empty regex", &[], "CHECK: {{}}a\n", "a\n", false),
    ("literal modifier", &[], "CHECK{LITERAL}: [[a]] {{b}}\n", "[[a]] {{b}}\n", true),
    ("literal next", &[], "CHECK: x\nCHECK-NEXT{LITERAL}: [[a]]\n", "x\n[[a]]\n", true),
    ("full lines", &["--match-full-lines"], "CHECK: a\n", "ab\na\n", true),
    ("full lines missing", &["--match-full-lines"], "CHECK: a\n", "ab\n", false),
    ("full lines ignore blanks", &["--match-full-lines"], "CHECK: a\n", "  a  \n", true),
    ("full lines not not", &["--match-full-lines"], "CHECK: b\nCHECK-NOT: a\n", "b\nxax\n", false),
    ("strict full lines", &["--match-full-lines", "--strict-whitespace"],
     "CHECK: a\n",
     " a\n", true),
    ("ignore case", &["--ignore-case"], "CHECK: aB{{[c-d]}}\n", "AbD\n", true),
    ("ignore case not where defined", &["--ignore-case"], "CHECK: [[X:.]]=[[X]]\n", "a=A\n", false),
    ("ignore case of values", &["--ignore-case"], "CHECK: [[X:.]]\nCHECK: [[X]]\n", "a\nA\n", true),
    ("prefix", &["--check-prefix=ABC"], "ABC: a\nCHECK: x\n", "a\n", true),
    ("two prefixes", &["--check-prefixes=A,B"], "A: a\nB-NEXT: b\n", "a\nb\n", true),
    ("unused prefix", &["--check-prefixes=A,B"], "A: a\n", "a\n", false),
    ("unused prefix allowed", &["--check-prefixes=A,B", "--allow-unused-prefixes"],
     "A: a\n",
     "a\n", true),
    ("longest prefix", &["--check-prefixes=CHECK,CHECK-X"],
     "CHECK-X: a\nCHECK: b\n",
     "a\nb\n", true),
    ("prefix inside a word", &[], "MYCHECK: x\nCHECK: a\n", "a\n", true),
    ("prefix with unknown suffix", &[], "CHECK-FOO: x\nCHECK: a\n", "a\n", true),
    ("same prefix twice", &["--check-prefixes=A,A"], "A: a\n", "a\n", false),
    ("no directive", &[], "nothing\n", "a\n", false),
    ("comment prefix", &[], "COM: CHECK: x\nCHECK: a\n", "a\n", true),
    ("run line", &[], "RUN: foo CHECK: x\nCHECK: a\n", "a\n", true),
    ("two directives in a line", &[], "CHECK: a CHECK-NEXT: b\n", "a\nb\n", false),
    ("misspelled", &[], "CHECK_NEXT: a\nCHECK: a\n", "a\n", false),
    ("bad combination", &[], "CHECK-NOT-DAG: a\nCHECK: a\n", "a\n", false),
    ("empty pattern", &[], "CHECK:\n", "a\n", false),
    ("empty text", &[], "CHECK-NOT: a\n", "", false),
    ("empty text allowed", &["--allow-empty"], "CHECK-NOT: a\n", "", true),
    ("implicit not", &["--implicit-check-not=x"], "CHECK: a\nCHECK: b\n", "a\nx\nb\n", false),
    ("implicit not at the end", &["--implicit-check-not=x"], "CHECK: a\n", "a\nx\n", false),
    ("implicit not is used up", &["--implicit-check-not=x"],
     "CHECK: a\nCHECK: x\n",
     "a\nx\n", true),
    ("implicit not alone", &["--implicit-check-not=x"], "nothing\n", "a\n", true),
    ("implicit regex", &["--implicit-check-not={{[0-9]}}"], "CHECK: a\n", "a 5\n", false),
];

/// Our verdict; an error is the report.
fn ours(arguments: &[&str], check_file: &str, text: &str) -> Result<(), String> {
    let mut arguments: Vec<String> = arguments.iter().map(|a| a.to_string()).collect();
    arguments.push("check".into());
    filecheck::check(text, check_file, &Options::parse(&arguments)?)
}

/// LLVM's FileCheck with a scratch directory for check files.
struct Llvm {
    program: PathBuf,
    directory: PathBuf,
}

impl Llvm {
    fn find(name: &str) -> Self {
        let program = peer::tool("FileCheck");
        let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        fs::create_dir_all(&directory).unwrap();
        Self { program, directory }
    }

    fn check(&self, arguments: &[&str], check_file: &str, text: &str) -> Result<(), String> {
        let file = self.directory.join("check");
        fs::write(&file, check_file).unwrap();
        let mut command = Command::new(&self.program);
        command.args(arguments).arg("--dump-input=never").arg(&file);
        let finished = process::run(
            &mut command,
            text.as_bytes(),
            Stderr::Separate,
            process::TIMEOUT,
        )?;
        match finished.status {
            0 => Ok(()),
            1 | 2 => Err(String::from_utf8_lossy(&finished.stderr).into_owned()),
            status => panic!("FileCheck ended with status {status} on\n{check_file}\n{text}"),
        }
    }
}

/// Runs the whole table and shows every wrong verdict.
fn assert_verdicts(check: impl Fn(&[&str], &str, &str) -> Result<(), String>) {
    let mut wrong = String::new();
    for (name, arguments, check_file, text, expected) in CASES {
        let result = check(arguments, check_file, text);
        if result.is_ok() != *expected {
            writeln!(wrong, "{name}: {result:?}").unwrap();
        }
    }
    assert!(wrong.is_empty(), "wrong verdicts:\n{wrong}");
}

fn table() {
    assert_verdicts(ours);
}

fn table_agrees_with_llvm() {
    let llvm = Llvm::find("filecheck-table");
    assert_verdicts(|arguments, check_file, text| llvm.check(arguments, check_file, text));
}

/// A small random number generator (xorshift), so that failures can be repeated.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n as u64) as usize
    }

    fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    fn pick<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.below(choices.len())]
    }
}

/// Text that looks a little like IR, over few words so that patterns match often.
fn random_text(random: &mut Random) -> String {
    let mut text = String::new();
    for _ in 0..2 + random.below(6) {
        match random.below(6) {
            0 => text.push_str(random.pick(&["f", "g"])),
            1 => {}
            _ => {
                let (x, y) = (random.below(4), random.below(12));
                let op = random.pick(&["op", "alloc", "free", "ab"]);
                write!(text, "%{x} = {op} %{y}").unwrap();
                if random.one_in(3) {
                    write!(text, ", %{x}").unwrap();
                }
            }
        }
        text.push('\n');
    }
    text
}

/// A pattern made of a line of `text` with parts replaced by expressions and variables. Uses are
/// mostly of variables that `before`, the check file so far, defines.
fn random_pattern(random: &mut Random, line: &str, before: &str, with_numbers: bool) -> String {
    let mut pattern = String::new();
    for word in line.split_inclusive(' ') {
        let piece = match random.below(40) {
            0..4 => "{{.*}}",
            4 => "{{[a-z]+|%[0-9]}}",
            5 => "{{%?[[:alnum:]]*}} ",
            6 => random.pick(&["{{^}}", "{{$}}", ""]),
            7..10 => random.pick(&["[[X:%[0-9]]] ", "%[[X:.*]] ", "[[$Y:a|ab|op]]", "[[X:.*]]"]),
            10..13 if before.contains("[[X:") || random.one_in(9) => {
                random.pick(&["[[X]]", "%[[X]]"])
            }
            10..13 if before.contains("[[$Y:") => "[[$Y]]",
            13..15 if with_numbers => random.pick(&["%[[#N:]]", "%[[#M:]]", "%[[#]] "]),
            15..17 if before.contains("[[#N:") => random.pick(&["%[[#N+1]]", "%[[#N]]"]),
            15..17 if before.contains("[[#M:") => random.pick(&["%[[#sub(M,1)]]", "%[[#M]]"]),
            _ => word,
        };
        pattern.push_str(piece);
    }
    if pattern.trim().is_empty() {
        "op".into()
    } else {
        pattern
    }
}

/// Directives that mostly follow `text` line by line.
fn random_check_file(random: &mut Random, text: &str, with_numbers: bool) -> String {
    let lines: Vec<&str> = text.lines().filter(|line| !line.is_empty()).collect();
    let mut check_file = String::new();
    let mut line = 0;
    for _ in 0..1 + random.below(5) {
        let source = lines.get(line).copied().unwrap_or("op %1");
        let pattern = random_pattern(random, source, &check_file, with_numbers);
        let label = random.pick(&["f", "g", "{{^f}}", "{{f|g}}", "op"]);
        let (suffix, pattern) = match random.below(14) {
            0..3 if line > 0 => ("-NEXT", pattern.as_str()),
            3..6 => ("-DAG", pattern.as_str()),
            6 => ("-NOT", pattern.as_str()),
            7 => ("-NOT", random.pick(&["free", "{{^g}}", "%9", "xyz"])),
            8 => ("-LABEL", label),
            9 if line > 0 || random.one_in(9) => ("-SAME", random.pick(&["%", "{{.*}}", "{{$}}"])),
            10 if random.one_in(4) => ("-EMPTY", ""),
            11 if random.one_in(4) => ("-COUNT-2", "{{[a-z]}}"),
            _ => ("", pattern.as_str()),
        };
        writeln!(check_file, "CHECK{suffix}: {pattern}").unwrap();
        line = if random.one_in(9) {
            random.below(8)
        } else {
            line + 1
        };
    }
    check_file
}

/// Compares verdicts on random cases; `FILECHECK_CASES` asks for more of them.
fn random_cases_agree_with_llvm() {
    let llvm = Llvm::find("filecheck-random");
    let n_cases = std::env::var("FILECHECK_CASES").map_or(200, |n| n.parse().unwrap());
    let option_sets: [&[&str]; 5] = [
        &[],
        &["--enable-var-scope"],
        &["--match-full-lines"],
        &["--implicit-check-not=free"],
        &["--ignore-case", "--implicit-check-not={{^G$}}"],
    ];
    let mut n_matching = 0;
    for seed in 1..=n_cases {
        let mut random = Random(u64::wrapping_mul(seed, 0x9E37_79B9_7F4A_7C15));
        let text = random_text(&mut random);
        let arguments = option_sets[random.below(option_sets.len())];
        // LLVM 19 does not forget numbers that are defined after the first label.
        let with_numbers = !arguments.contains(&"--enable-var-scope");
        let check_file = random_check_file(&mut random, &text, with_numbers);
        let (ours, llvms) = (
            ours(arguments, &check_file, &text),
            llvm.check(arguments, &check_file, &text),
        );
        n_matching += usize::from(ours.is_ok());
        assert_eq!(
            ours.is_ok(),
            llvms.is_ok(),
            "case {seed} {arguments:?}\n{check_file}----\n{text}----\nours: {ours:?}\nLLVM: {llvms:?}"
        );
    }
    // Both verdicts must occur, or the comparison says little.
    let percentage = n_matching * 100 / n_cases as usize;
    assert!(
        (10..90).contains(&percentage),
        "{percentage} % of the cases match"
    );
}

/// The parts of a message: the directive with its line, where the search began, what is close.
fn message_of_a_missing_string() {
    let check_file = "CHECK: %[[A:.*]] = alloc\nCHECK-NEXT: free %[[A]] : f32\n";
    let text = "%0 = alloc\n%1 = op\nfree %2 : f32\n";
    let report = ours(&[], check_file, text).unwrap_err();
    let expected = "\
check:2: error: CHECK-NEXT: expected string not found in input
  CHECK-NEXT: free %[[A]] : f32
output:1:11: note: scanning from here
  %0 = alloc
            ^
note: with \"A\" equal to \"0\"
output:3:1: note: possible intended match here
  free %2 : f32
  ^
";
    assert_eq!(report, expected);
}

fn message_of_an_excluded_string() {
    let report = ours(&[], "CHECK: a\nCHECK-NOT: b\n", "a\n  b\n").unwrap_err();
    let expected = "\
check:2: error: CHECK-NOT: excluded string found in input
  CHECK-NOT: b
output:2:2: note: found here
   b
   ^
";
    assert_eq!(report, expected);
}

fn message_of_a_wrong_line() {
    let report = ours(&[], "CHECK: a\nCHECK-NEXT: c\n", "a\nb\nc\n").unwrap_err();
    assert!(
        report.contains("CHECK-NEXT: is not on the line after the previous match"),
        "{report}"
    );
    assert!(
        report.contains("output:2:1: note: non-matching line after previous match"),
        "{report}"
    );
}

fn message_of_a_bad_check_file() {
    let report = ours(&[], "\nCHECK-NEXT: a\n", "a\n").unwrap_err();
    let expected = "\
check:2: error: found 'CHECK-NEXT' without previous 'CHECK: line
  CHECK-NEXT: a";
    assert_eq!(report, expected);
}

/// A part that fails does not hide failures after the next label.
fn every_part_is_checked() {
    let check_file = "CHECK-LABEL: f\nCHECK: x\nCHECK-LABEL: g\nCHECK: y\n";
    let report = ours(&[], check_file, "f\ng\n").unwrap_err();
    assert!(
        report.contains("check:2: error:") && report.contains("check:4: error:"),
        "{report}"
    );
}

/// Long texts and nested repetitions stay linear; backtracking is cut off.
fn no_pattern_takes_forever() {
    let text = "a".repeat(2000);
    assert!(ours(&[], "CHECK: {{(a*)*b}}\n", &text).is_err());
    let text = "a".repeat(60);
    let report = ours(&[], "CHECK: {{(a|a)*}}[[X:b]][[X]]\n", &text).unwrap_err();
    assert!(report.contains("backtracking"), "{report}");
}

fn options_are_parsed() {
    let parse = |line: &str| Options::parse(&line.split(' ').map(String::from).collect::<Vec<_>>());
    let options = parse("f.mlir --check-prefix A -check-prefixes=B,C -input-file=x").unwrap();
    assert_eq!(options.prefixes, ["A", "B", "C"]);
    assert_eq!(options.input_file.as_deref(), Some("x"));
    assert_eq!(options.check_name, "f.mlir");
    assert!(parse("f.mlir --chekc-prefix=A").is_err());
    assert!(parse("f.mlir g.mlir").is_err());
    assert!(parse("--check-prefix=A").is_err());
}

/// The tests of this module.
pub(crate) fn tests() -> Vec<Trial> {
    trials![
        table,
        table_agrees_with_llvm needs ["FileCheck"],
        random_cases_agree_with_llvm needs ["FileCheck"],
        message_of_a_missing_string,
        message_of_an_excluded_string,
        message_of_a_wrong_line,
        message_of_a_bad_check_file,
        every_part_is_checked,
        no_pattern_takes_forever,
        options_are_parsed,
    ]
}
