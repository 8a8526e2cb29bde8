//! Functions that return new buffers, of sizes that callers know or do not know, at several returns; no buffer under two
//! names.

use std::fmt::Write as _;

use crate::support::generator::rng::Rng;

/// A buffer that functions return.
#[derive(Clone, Copy)]
struct Kind {
    ty: &'static str,
    /// The sizes of its allocation, of the arguments `%n` and `%m` and of constants.
    sizes: &'static str,
}

const KINDS: [Kind; 6] = [
    Kind {
        ty: "memref<4xi64>",
        sizes: "",
    },
    Kind {
        ty: "memref<?xi64>",
        sizes: "%n",
    },
    Kind {
        ty: "memref<?x?xi64>",
        sizes: "%d, %n",
    },
    Kind {
        ty: "memref<?x3xi64>",
        sizes: "%five",
    },
    Kind {
        ty: "memref<2x?xi64>",
        sizes: "%d",
    },
    // Nobody but the function knows this one.
    Kind {
        ty: "memref<?xi64>",
        sizes: "%sum",
    },
];

/// The program with this seed.
pub(super) fn generate(seed: u64) -> String {
    let mut rng = Rng::new(seed);
    let mut text = String::from("func.func private @printI64(i64)\n");
    let n_functions = rng.range(1, 4);
    let mut functions: Vec<Vec<Kind>> = Vec::new();
    for at in 0..n_functions {
        let n_known = match rng.chance(15) {
            true => KINDS.len(),
            false => KINDS.len() - 1,
        };
        let results: Vec<Kind> = (0..rng.range(1, 4))
            .map(|_| *rng.pick(&KINDS[..n_known]))
            .collect();
        function(&mut text, at, &results, &mut rng);
        functions.push(results);
    }
    main(&mut text, &functions, &mut rng);
    text
}

/// A function that fills what it returns, here or there.
fn function(text: &mut String, at: usize, results: &[Kind], rng: &mut Rng) {
    let types: Vec<&str> = results.iter().map(|kind| kind.ty).collect();
    let types = types.join(", ");
    // Writing to a string cannot fail, here and below.
    let _ = write!(
        text,
        "func.func private @f{at}(%c: i1, %x: i64, %n: index, %m: memref<?x2xi64>) -> ({types}) {{
  %c0 = arith.constant 0 : index
  %five = arith.constant 5 : index
  %d = memref.dim %m, %c0 : memref<?x2xi64>
  %sum = arith.addi %n, %five : index
"
    );
    let early: Vec<bool> = results.iter().map(|_| rng.chance(50)).collect();
    let make = |text: &mut String, index: usize, name: &str, rng: &mut Rng| {
        let Kind { ty, sizes } = results[index];
        let number = rng.below(100);
        let _ = write!(
            text,
            "  %{name}{index} = memref.alloc({sizes}) : {ty}
  %k{name}{index} = arith.constant {number} : i64
  %v{name}{index} = arith.addi %x, %k{name}{index} : i64
  linalg.fill ins(%v{name}{index} : i64) outs(%{name}{index} : {ty})
"
        );
    };
    for index in (0..results.len()).filter(|&index| early[index]) {
        make(text, index, "a", rng);
    }
    let blocks: &[&str] = match rng.chance(60) {
        true => {
            text.push_str("  cf.cond_br %c, ^p, ^q\n");
            &["p", "q"]
        }
        false => &[""],
    };
    for &block in blocks {
        if !block.is_empty() {
            let _ = writeln!(text, "^{block}:");
        }
        let late = format!("b{block}");
        for index in (0..results.len()).filter(|&index| !early[index]) {
            make(text, index, &late, rng);
        }
        let names: Vec<String> = (0..results.len())
            .map(|index| match early[index] {
                true => format!("%a{index}"),
                false => format!("%{late}{index}"),
            })
            .collect();
        let _ = writeln!(text, "  return {} : {types}", names.join(", "));
    }
    text.push_str("}\n");
}

/// Calls functions in a loop and prints what they return, some of it after a change.
fn main(text: &mut String, functions: &[Vec<Kind>], rng: &mut Rng) {
    let _ = write!(
        text,
        "func.func @main() {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %x = arith.constant {} : i64
  scf.for %i = %c0 to %c3 step %c1 {{
    %n = arith.addi %i, %c1 : index
    %c = arith.cmpi eq, %i, %c1 : index
    %m = memref.alloc(%n) : memref<?x2xi64>
",
        rng.below(100)
    );
    for call in 0..rng.range(1, 5) {
        let at = rng.below(functions.len());
        let results = &functions[at];
        let types: Vec<&str> = results.iter().map(|kind| kind.ty).collect();
        let n_results = results.len();
        let _ = writeln!(
            text,
            "    %r{call}:{n_results} = func.call @f{at}(%c, %x, %n, %m) : (i1, i64, index, memref<?x2xi64>) -> ({})",
            types.join(", ")
        );
        for (index, kind) in results.iter().enumerate() {
            let rank = kind.ty.matches('x').count();
            let place = vec!["%c0"; rank].join(", ");
            let ty = kind.ty;
            if rng.chance(50) {
                let _ = writeln!(
                    text,
                    "    memref.store %x, %r{call}#{index}[{place}] : {ty}"
                );
            }
            let _ = write!(
                text,
                "    %e{call}_{index} = memref.load %r{call}#{index}[{place}] : {ty}
    func.call @printI64(%e{call}_{index}) : (i64) -> ()
    %s{call}_{index} = memref.dim %r{call}#{index}, %c0 : {ty}
    %t{call}_{index} = arith.index_cast %s{call}_{index} : index to i64
    func.call @printI64(%t{call}_{index}) : (i64) -> ()
"
            );
        }
    }
    text.push_str("  }\n  return\n}\n");
}
