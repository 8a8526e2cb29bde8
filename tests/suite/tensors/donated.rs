//! Results over arguments that callers donate are those of calls that donate nothing.
//!
//! Programs read their arguments in several orders, hand them on through loops, branches and slices, and return them, changed
//! or not, once or twice. What is not donated stays as it is.

use std::fmt::Write as _;

use freehold::backend::jit::{Argument, Buffer, Jit};
use freehold::passes::pipelines::native_pipeline::Dealloc;
use freehold::{Check, Level, Module, Options};

use super::CHECKED;
use crate::support::generator::rng::Rng;
use crate::support::{first_seed, n_programs};

/// The type of all tensors: square, so that they may be read in both orders.
const TENSOR: &str = "tensor<3x3xi32>";
const SIZES: [usize; 2] = [3, 3];
const N_ELEMENTS: usize = 9;

/// A program, its arguments, and which of them callers donate.
struct Program {
    text: String,
    donated: Vec<bool>,
    n_results: usize,
}

fn generate(rng: &mut Rng) -> Program {
    let n_arguments = rng.range(1, 4);
    let donated: Vec<bool> = (0..n_arguments).map(|_| rng.chance(70)).collect();
    let mut values: Vec<String> = (0..n_arguments).map(|n| format!("%a{n}")).collect();
    let mut body = String::new();
    for n in 0..rng.range(1, 7) {
        // What came last is used most.
        let any = |rng: &mut Rng| {
            let low = if rng.chance(50) { values.len() / 2 } else { 0 };
            values[rng.range(low, values.len() - 1)].clone()
        };
        let [x, y, z] = [any(rng), any(rng), any(rng)];
        let map = |rng: &mut Rng| if rng.chance(25) { "#turned" } else { "#same" };
        let maps = [map(rng), map(rng)];
        let op = rng.pick(&["addi", "muli", "subi", "maxsi"]);
        let generic = |to: &str, out: &str, from: [&str; 2], used: bool| {
            let second = if used { "%o" } else { "%q" };
            format!(
                "  {to} = linalg.generic {{indexing_maps = [{}, {}, #same], iterator_types = [\"parallel\", \"parallel\"]}}\n\
                 \x20     ins({}, {} : {TENSOR}, {TENSOR}) outs({out} : {TENSOR}) {{\n\
                 \x20   ^bb0(%p: i32, %q: i32, %o: i32):\n\
                 \x20     %r = arith.{op} %p, {second} : i32\n\
                 \x20     linalg.yield %r : i32\n\
                 \x20   }} -> {TENSOR}\n",
                maps[0], maps[1], from[0], from[1]
            )
        };
        let to = format!("%v{n}");
        match rng.below(8) {
            0..3 => {
                writeln!(body, "  %e{n} = tensor.empty() : {TENSOR}").unwrap();
                body += &generic(&to, &format!("%e{n}"), [&x, &y], false);
            }
            3 => body += &generic(&to, &z, [&x, &y], true),
            4 => writeln!(
                body,
                "  %s{n} = tensor.extract_slice {x}[1, 0] [2, 3] [1, 1] : {TENSOR} to tensor<2x3xi32>\n\
                 \x20 {to} = tensor.insert_slice %s{n} into {y}[0, 0] [2, 3] [1, 1] : tensor<2x3xi32> into {TENSOR}"
            )
            .unwrap(),
            5 => {
                writeln!(
                    body,
                    "  {to} = scf.for %i{n} = %c0 to %c3 step %c1 iter_args(%t{n} = {z}) -> ({TENSOR}) {{"
                )
                .unwrap();
                body += &generic(&format!("%u{n}"), &format!("%t{n}"), [&x, &format!("%t{n}")], true);
                writeln!(body, "  scf.yield %u{n} : {TENSOR}\n  }}").unwrap();
            }
            6 => writeln!(
                body,
                "  {to} = scf.if %flag -> ({TENSOR}) {{\n  scf.yield {x} : {TENSOR}\n  }} else {{\n  scf.yield {y} : {TENSOR}\n  }}"
            )
            .unwrap(),
            _ => writeln!(body, "  {to} = tensor.insert %c7 into {x}[%c1, %c0] : {TENSOR}").unwrap(),
        }
        values.push(to);
    }
    let n_results = rng.range(1, 4);
    let results: Vec<&str> = (0..n_results)
        .map(|_| {
            let low = rng.below(values.len());
            values[rng.range(low, values.len() - 1)].as_str()
        })
        .collect();
    let arguments: Vec<String> = (donated.iter().enumerate())
        .map(|(n, &donated)| {
            let attrs = match (donated, n % 2) {
                (true, 0) => " {jax.buffer_donor = true}",
                (true, _) => " {tf.aliasing_output = 0 : i32}",
                (false, _) => "",
            };
            format!("%a{n}: {TENSOR}{attrs}")
        })
        .collect();
    let types = vec![TENSOR; n_results].join(", ");
    let text = format!(
        "#same = affine_map<(i, j) -> (i, j)>\n#turned = affine_map<(i, j) -> (j, i)>\n\
         func.func @main({}, %flag: i1) -> ({types}) {{\n\
         \x20 %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n  %c3 = arith.constant 3 : index\n\
         \x20 %c7 = arith.constant 7 : i32\n{body}  return {} : {types}\n}}\n",
        arguments.join(", "),
        results.join(", ")
    );
    Program {
        text,
        donated,
        n_results,
    }
}

/// What a call returns, the arguments after it, and in how many results the memory of an argument is.
type Outcome = (Vec<Vec<i32>>, Vec<Vec<i32>>, usize);

fn call(jit: &Jit, program: &Program, flag: bool) -> Outcome {
    let mut arguments: Vec<Vec<i32>> = (0..program.donated.len() as i32)
        .map(|n| (0..N_ELEMENTS as i32).map(|i| 10 * n + i * i - 5).collect())
        .collect();
    let buffers: Vec<Buffer<'_>> = (arguments.iter_mut())
        .map(|data| Buffer::new(data, &SIZES))
        .collect();
    let mut passed: Vec<Argument<'_>> = buffers.iter().map(Argument::MemRef).collect();
    passed.push(Argument::Int(flag.into()));
    let function = jit.get_function("main").unwrap();
    let results = function.call_sharing(&passed).unwrap();
    let results: Vec<_> = (results.iter())
        .map(|result| result.as_memref().unwrap())
        .collect();
    let n_shared = results.iter().filter(|r| !r.owns_memory()).count();
    let values = results.iter().map(|r| r.to_vec::<i32>().unwrap()).collect();
    drop(passed);
    drop(buffers);
    (values, arguments, n_shared)
}

/// Random programs, with each strategy in turn.
pub(super) fn donated_arguments_hold_results() {
    let strategies = [
        Dealloc::Ownership,
        Dealloc::Hlo,
        Dealloc::Clone,
        Dealloc::Copy,
    ];
    let first = first_seed();
    let mut n_shared = 0;
    for n in first..first + n_programs(60) {
        let mut rng = Rng::new(9_000_000 + n);
        let program = generate(&mut rng);
        let text = &program.text;
        let dealloc = strategies[n as usize % strategies.len()];
        let compile = |donate: bool, dealloc, opt_level| {
            let options = Options {
                donate,
                dealloc,
                opt_level,
                check: Some(Check::Frees),
                ..Options::default()
            };
            let module = Module::parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
            module.compile(&options)
        };
        let plain = compile(false, Dealloc::Ownership, Level::O0);
        let plain = plain.unwrap_or_else(|error| panic!("{error}\n{text}"));
        for level in [Level::O0, Level::O2] {
            let jit = match compile(true, dealloc, level) {
                Ok(jit) => jit,
                // Copies could be told from the buffers; without donation, too.
                Err(_) if compile(false, dealloc, level).is_err() => continue,
                Err(error) => panic!("program {n}, {dealloc:?} {level:?}: {error}\n{text}"),
            };
            for flag in [false, true] {
                let _others_wait = CHECKED.lock().unwrap_or_else(|held| held.into_inner());
                let (expected, _, _) = call(&plain, &program, flag);
                let (shown, arguments, shared) = call(&jit, &program, flag);
                let misused = freehold_runtime::check::freehold_check_report() != 0;
                freehold_runtime::check::freehold_check_reset();
                let context = format!("program {n}, {dealloc:?} {level:?} {flag}\n{text}");
                assert_eq!(shown.len(), program.n_results, "{context}");
                assert_eq!(shown, expected, "{context}");
                assert!(!misused, "misused memory: {context}");
                for (index, argument) in arguments.iter().enumerate() {
                    let given = 10 * index as i32 - 5;
                    let is_kept = (argument.iter().zip(0..)).all(|(&x, i)| x == given + i * i);
                    assert!(is_kept || program.donated[index], "#{index}: {context}");
                }
                n_shared += shared;
            }
        }
    }
    assert!(n_shared > 0, "no result is in a donated argument");
}
