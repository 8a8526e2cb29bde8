//! Objects need nothing but the C library unless a flag asks for more: `nm` lists what they leave undefined.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use libtest_mimic::Trial;

use crate::needs::trials;
use crate::support::generator::generate;
use crate::support::generator::shape::Shape;
use crate::support::{in_process, n_programs};

/// Names that C's libraries have.
const OF_C: &[&str] = &[
    "__assert_fail",
    "aligned_alloc",
    "free",
    "malloc",
    "memcpy",
    "memmove",
    "memset",
];

/// Programs with what could need a library: contractions, copies of any rank, assertions, parallel loops, several owners.
const PROGRAM: &str = r#"
func.func @product(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %n: index, %m: index) -> memref<?x?xf32> {
  %c = memref.alloc(%n, %m) : memref<?x?xf32>
  linalg.matmul ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>) outs(%c : memref<?x?xf32>)
  return %c : memref<?x?xf32>
}
func.func @unranked(%a: memref<*xf32>, %b: memref<*xf32>) -> memref<*xf32> {
  memref.copy %a, %b : memref<*xf32> to memref<*xf32>
  %0 = bufferization.clone %a : memref<*xf32> to memref<*xf32>
  return %0 : memref<*xf32>
}
func.func @owners(%c: i1, %x: memref<4xf32>) -> memref<4xf32> {
  cf.assert %c, "it holds"
  %s = scf.if %c -> memref<4xf32> {
    %q = memref.alloc() : memref<4xf32>
    scf.yield %q : memref<4xf32>
  } else {
    scf.yield %x : memref<4xf32>
  }
  return %s : memref<4xf32>
}
func.func @parallel(%a: memref<1000xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %x = memref.load %a[%i] : memref<1000xf32>
    %y = math.exp %x : f32
    memref.store %y, %a[%i] : memref<1000xf32>
    scf.reduce
  }
  return
}
"#;

/// What the object of a program leaves undefined.
fn undefined(text: &str, flags: &[&str]) -> Vec<String> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("objects");
    fs::create_dir_all(&folder).unwrap();
    let number = flags.iter().map(|flag| flag.len()).sum::<usize>() + text.len();
    let path: PathBuf = folder.join(format!("{number}.o"));
    let out = path.display().to_string();
    let mut words = vec!["compile", "--emit=obj", "-o", &out];
    words.extend_from_slice(flags);
    words.push("-");
    let output = in_process::freehold(&words, text);
    assert_eq!(output.status, 0, "{flags:?}: {}", output.stderr);
    let nm = Command::new("nm").arg("-u").arg(&path).output().unwrap();
    let text = String::from_utf8_lossy(&nm.stdout).into_owned();
    text.split_whitespace()
        .filter(|word| *word != "U")
        .map(str::to_owned)
        .collect()
}

fn plain_objects_need_only_c() {
    for flags in [
        &[][..],
        &["-O0"],
        &["--dealloc=hlo"],
        &["--dealloc=clone"],
        &["--dealloc=copy"],
        &["--merge-alloc=always"],
        &["--dealloc-lowering=generic"],
    ] {
        let undefined = undefined(PROGRAM, flags);
        let foreign: Vec<&String> = undefined
            .iter()
            .filter(|name| !OF_C.contains(&name.as_str()))
            .collect();
        assert!(foreign.is_empty(), "{flags:?}: {foreign:?}");
    }
}

/// What a program declares itself it asks for.
fn random_objects_need_only_c() {
    for seed in 0..n_programs(4) {
        let text = generate(seed, &Shape::ALL);
        for name in undefined(&text, &[]) {
            let is_known = OF_C.contains(&name.as_str()) || text.contains(&format!("@{name}("));
            assert!(is_known, "seed {seed}: {name}");
        }
    }
}

/// Flags that ask for the runtime get it.
fn flags_ask_for_the_runtime() {
    let counted = undefined(PROGRAM, &["--stats"]);
    assert!(
        counted.iter().any(|name| name.starts_with("freehold_")),
        "{counted:?}"
    );
}

/// The tests of this module.
pub(crate) fn tests() -> Vec<Trial> {
    trials![
        plain_objects_need_only_c needs ["nm"],
        random_objects_need_only_c needs ["nm"],
        flags_ask_for_the_runtime needs ["nm"],
    ]
}
