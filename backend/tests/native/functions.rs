//! Calls, results, recursion and what cannot be compiled.

use std::fmt::Write as _;

use libtest_mimic::Trial;

use crate::common::{Machine, Module, everywhere, host_options};
use crate::needs::trials;
use freehold_backend::jit::{Argument, EntryResult, ResultKind};

fn recursion() {
    let module = Module::parse(
        "func.func @fib(%n: i64) -> i64 {
           %one = arith.constant 1 : i64
           %two = arith.constant 2 : i64
           %small = arith.cmpi slt, %n, %two : i64
           cf.cond_br %small, ^done(%n : i64), ^more
         ^more:
           %n1 = arith.subi %n, %one : i64
           %n2 = arith.subi %n, %two : i64
           %a = call @fib(%n1) : (i64) -> i64
           %b = call @fib(%n2) : (i64) -> i64
           %sum = arith.addi %a, %b : i64
           cf.br ^done(%sum : i64)
         ^done(%result: i64):
           return %result : i64
         }",
    );
    for options in host_options() {
        let result = module.jit(&options).call("fib", &[Argument::Int(20)]);
        assert_eq!(result.unwrap()[0].as_int(), Some(6765));
    }
}

/// Any number of results, of types that need different registers, through a call.
fn many_results() {
    const KINDS: [&str; 5] = ["i64", "f32", "i1", "f64", "i128"];
    for n in [0, 1, 2, 3, 4, 8, 9, 40] {
        let types: Vec<&str> = (0..n).map(|i| KINDS[i % KINDS.len()]).collect();
        let list = |types: &[&str]| types.join(", ");
        let reversed: Vec<&str> = types.iter().rev().copied().collect();
        let params: Vec<String> = (0..n).map(|i| format!("%a{i}: {}", types[i])).collect();
        let forwards: Vec<String> = (0..n).map(|i| format!("%a{i}")).collect();
        let backwards: Vec<&str> = forwards.iter().rev().map(String::as_str).collect();
        let results: Vec<String> = (0..n).rev().map(|i| format!("%r#{i}")).collect();
        let (params, arguments) = (params.join(", "), forwards.join(", "));
        let mut text = String::new();
        writeln!(
            text,
            "func.func @reverse({params}) -> ({}) {{",
            list(&reversed)
        )
        .unwrap();
        let colon = if n == 0 { "" } else { ":" };
        writeln!(
            text,
            "  return {} {colon} {}\n}}",
            list(&backwards),
            list(&reversed)
        )
        .unwrap();
        writeln!(text, "func.func @twice({params}) -> ({}) {{", list(&types)).unwrap();
        let bind = if n == 0 {
            String::new()
        } else {
            format!("%r:{n} =")
        };
        let signature = format!("({}) -> ({})", list(&types), list(&reversed));
        writeln!(text, "  {bind} call @reverse({arguments}) : {signature}").unwrap();
        let results = results.join(", ");
        let results = if n == 1 { "%r#0".to_owned() } else { results };
        writeln!(text, "  return {results} {colon} {}\n}}", list(&types)).unwrap();
        let module = Module::parse(&text);

        let arguments: Vec<Argument<'_>> = (0..n)
            .map(|i| match types[i] {
                "f32" => Argument::F32(i as f32 + 0.5),
                "f64" => Argument::F64(-(i as f64)),
                "i1" => Argument::Int(i as i128 % 2),
                _ => Argument::Int((i as i128 % 8 - 3) << 60),
            })
            .collect();
        for options in host_options() {
            let results = module.jit(&options).call("twice", &arguments).unwrap();
            assert_eq!(results.len(), n);
            for (argument, result) in arguments.iter().zip(results) {
                match argument {
                    // The number 1 of type i1 is -1.
                    Argument::Int(1) => assert_eq!(result.as_int(), Some(-1)),
                    Argument::Int(value) => assert_eq!(result.as_int(), Some(*value)),
                    Argument::F32(value) => assert_eq!(result.as_f32(), Some(*value)),
                    Argument::F64(value) => assert_eq!(result.as_f64(), Some(*value)),
                    _ => unreachable!(),
                }
            }
        }
    }
}

fn functions_are_values(machine: Machine) {
    let module = Module::parse(
        "func.func private @add(%a: i32, %b: i32) -> i32 {
           %r = arith.addi %a, %b : i32
           return %r : i32
         }
         func.func @mul(%a: i32, %b: i32) -> i32 {
           %r = arith.muli %a, %b : i32
           return %r : i32
         }
         func.func @main() -> i32 {
           %t = arith.constant true
           %c3 = arith.constant 3 : i32
           %c4 = arith.constant 4 : i32
           %add = constant @add : (i32, i32) -> i32
           %mul = constant @mul : (i32, i32) -> i32
           %f = arith.select %t, %add, %mul : (i32, i32) -> i32
           %x = call_indirect %f(%c3, %c4) : (i32, i32) -> i32
           %y = call_indirect %mul(%x, %c3) : (i32, i32) -> i32
           %c21 = arith.constant 21 : i32
           %z = arith.subi %y, %c21 : i32
           return %z : i32
         }",
    );
    module.expect_zero(machine, "function-values");
}

fn switches() {
    let module = Module::parse(
        "func.func @pick(%flag: i7) -> i32 {
           %a = arith.constant 10 : i32
           %b = arith.constant 20 : i32
           cf.switch %flag : i7, [
             default: ^other,
             -1: ^result(%a : i32),
             5: ^result(%b : i32),
             63: ^other
           ]
         ^other:
           %c = arith.constant 30 : i32
           cf.br ^result(%c : i32)
         ^result(%r: i32):
           return %r : i32
         }",
    );
    for options in host_options() {
        let jit = module.jit(&options);
        for (flag, expected) in [(-1, 10), (127, 10), (5, 20), (63, 30), (0, 30), (-64, 30)] {
            let result = jit.call("pick", &[Argument::Int(flag)]).unwrap();
            assert_eq!(result[0].as_int(), Some(expected), "{flag}");
        }
    }
}

fn entry_points_are_checked() {
    let module = Module::parse(
        "func.func @main() -> i32 {
           %c45 = arith.constant 45 : i32
           return %c45 : i32
         }
         func.func @takes(%a: i32) { return }
         func.func private @nowhere()",
    );
    let jit = module.jit(&host_options()[1]);
    let result = jit.run_entry("main", ResultKind::I32);
    assert_eq!(result, Ok(EntryResult::I32(45)));
    assert_eq!(
        jit.run_entry("main", ResultKind::Void),
        Ok(EntryResult::Void)
    );
    for (name, kind) in [
        ("main", ResultKind::F32),
        ("takes", ResultKind::Void),
        ("nowhere", ResultKind::Void),
        ("missing", ResultKind::Void),
    ] {
        assert!(jit.run_entry(name, kind).is_err(), "{name}");
    }
    let options = &host_options()[1];
    assert_eq!(module.run_native(options, "entry").status.code(), Some(45));
}

fn assertions_stop_the_program() {
    let module = Module::parse(
        "func.func @main() {
           %f = arith.constant false
           cf.assert %f, \"no good\"
           return
         }",
    );
    let outcome = module.run_native(&host_options()[1], "assert");
    assert_ne!(outcome.status.code(), Some(0));
    let errors = String::from_utf8_lossy(&outcome.stderr).into_owned();
    assert!(
        errors.contains("no good") && errors.contains("test.mlir:3:12"),
        "{errors}"
    );
}

fn everything_unsupported_is_named_at_once() {
    let module = Module::parse("func.func @f(%a: tensor<4xf32>) { return }");
    let errors = module.jit_errors();
    assert_eq!(
        errors,
        "test.mlir:1:1: error: type 'tensor<4xf32>' cannot be lowered to native code\n"
    );
    let module = Module::parse(
        "func.func @g(%m: memref<4xi256>) {
           \"some.thing\"() : () -> ()
           %c = arith.constant 0 : index
           %v = memref.load %m[%c] : memref<4xi256>
           %w = arith.addi %v, %v : i256
           %x = arith.constant 1.0 : f80
           \"other.thing\"(%x) : (f80) -> ()
           return
         }",
    );
    assert_eq!(
        module.jit_errors(),
        "test.mlir:2:12: error: 'some.thing' op cannot be lowered to native code\n\
         test.mlir:4:17: error: 'memref.load' op cannot be lowered to native code on type 'i256'\n\
         test.mlir:5:17: error: 'arith.addi' op cannot be lowered to native code on type 'i256'\n\
         test.mlir:6:17: error: 'arith.constant' op cannot be lowered to native code on type 'f80'\n\
         test.mlir:7:12: error: 'other.thing' op cannot be lowered to native code\n"
    );
}

fn undefined_symbols_are_reported_where_they_are_declared() {
    let module = Module::parse(
        "func.func private @unused()
         func.func private @no_such_symbol_anywhere()
         func.func @main() {
           call @no_such_symbol_anywhere() : () -> ()
           return
         }",
    );
    let errors = module.jit_errors();
    let expected = "test.mlir:2:10: error: undefined symbol 'no_such_symbol_anywhere': ";
    assert!(
        errors.starts_with(expected) && !errors.contains("unused"),
        "{errors}"
    );
}

/// A private function may have the name of a C function that its body calls.
fn private_names_do_not_capture(machine: Machine) {
    let module = Module::parse(
        "func.func private @atan2(%x: f32) -> f32 {
           %y = math.atan2 %x, %x : f32
           return %y : f32
         }
         func.func private @malloc() -> i32 {
           %m = memref.alloc() : memref<4xi32>
           %c0 = arith.constant 0 : index
           %v = arith.constant 0 : i32
           memref.store %v, %m[%c0] : memref<4xi32>
           %r = memref.load %m[%c0] : memref<4xi32>
           memref.dealloc %m : memref<4xi32>
           return %r : i32
         }
         func.func @main() -> i32 {
           %one = arith.constant 1.0 : f32
           %angle = call @atan2(%one) : (f32) -> f32
           %bad = arith.cmpf oge, %angle, %one : f32
           %wide = arith.extui %bad : i1 to i32
           %zero = call @malloc() : () -> i32
           %result = arith.addi %wide, %zero : i32
           return %result : i32
         }",
    );
    module.expect_zero(machine, "capture");
}

/// The tests of this module.
pub(crate) fn tests() -> Vec<Trial> {
    [
        trials![
            recursion,
            many_results,
            switches,
            entry_points_are_checked,
            assertions_stop_the_program,
            everything_unsupported_is_named_at_once,
            undefined_symbols_are_reported_where_they_are_declared,
        ],
        everywhere![functions_are_values, private_names_do_not_capture,],
    ]
    .into_iter()
    .flatten()
    .collect()
}
