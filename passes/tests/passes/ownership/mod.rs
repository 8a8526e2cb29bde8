//! Correct programs and broken ones, with what is said about them.

use std::sync::Arc;

use freehold_frontend::dialects;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Diagnostics;
use freehold_frontend::syntax::parser::parse_source;
use freehold_frontend::verify::verify;

use freehold_passes::check::ownership::{Options, Verdict, check};

mod owners;
mod random;
mod simulate;

/// Functions that the programs below call.
const PRELUDE: &str = "
    func.func private @use(memref<4xf32>)
    func.func private @make() -> memref<4xf32>
    func.func private @make2() -> (memref<4xf32>, memref<4xf32>)
    func.func private @cond() -> i1
";

fn parse(text: &str) -> Ir {
    let context = Arc::new(dialects::context().allow_unregistered_dialects(true));
    let mut diagnostics = Diagnostics::new();
    let source = context.add_source("test", text, 1).unwrap();
    let ir = parse_source(&context, &source, &mut diagnostics);
    let ir = ir.and_then(|ir| verify(&ir, &mut diagnostics).map(|()| ir));
    match ir {
        Ok(ir) => ir,
        Err(_) => panic!("{}\n{text}", diagnostics.render_plain(&context)),
    }
}

/// Verdict and messages, without notes.
fn run(text: &str, options: &Options) -> (Verdict, Vec<String>, String) {
    let ir = parse(text);
    let mut diagnostics = Diagnostics::new();
    let verdict = check(&ir, options, &mut diagnostics);
    let messages = diagnostics.iter().map(|d| d.message.clone()).collect();
    (verdict, messages, diagnostics.render_plain(ir.context()))
}

#[track_caller]
fn expect_with(options: &Options, body: &str, verdict: Verdict, messages: &[&str]) {
    let (found, said, rendered) = run(&format!("{PRELUDE}\n{body}"), options);
    assert_eq!(
        (found, said),
        (verdict, messages.iter().map(|&m| m.to_owned()).collect()),
        "\n{rendered}"
    );
}

/// The program is correct, and that is proved.
#[track_caller]
fn clean(body: &str) {
    expect_with(&Options::default(), body, Verdict::Clean, &[]);
}

/// The program is wrong, and this is said about it.
#[track_caller]
fn errors(body: &str, messages: &[&str]) {
    expect_with(&Options::default(), body, Verdict::Errors, messages);
}

/// Nothing can be said about the program.
#[track_caller]
fn unknown(body: &str) {
    let message = "could not prove that the buffer allocated here is freed exactly once";
    expect_with(&Options::default(), body, Verdict::Unknown, &[message]);
}

const NEVER: &str = "buffer allocated here is never freed";
const NOT_ALWAYS: &str = "buffer allocated here is not freed on every path";
const TWICE: &str = "buffer allocated here is freed twice";
const USED: &str = "buffer allocated here is used after it is freed";
const RETURNED: &str = "buffer allocated here is returned after it is freed";

#[test]
fn straight_lines() {
    clean(
        "func.func @f() {
           %m = memref.alloc() : memref<4xf32>
           call @use(%m) : (memref<4xf32>) -> ()
           memref.dealloc %m : memref<4xf32>
           return
         }",
    );
    errors(
        "func.func @f() {
           %m = memref.alloc() : memref<4xf32>
           call @use(%m) : (memref<4xf32>) -> ()
           return
         }",
        &[NEVER],
    );
    errors(
        "func.func @f() {
           %m = memref.alloc() : memref<4xf32>
           memref.dealloc %m : memref<4xf32>
           memref.dealloc %m : memref<4xf32>
           return
         }",
        &[TWICE],
    );
    errors(
        "func.func @f() {
           %m = memref.alloc() : memref<4xf32>
           memref.dealloc %m : memref<4xf32>
           call @use(%m) : (memref<4xf32>) -> ()
           return
         }",
        &[USED],
    );
    errors(
        "func.func @f() -> memref<4xf32> {
           %m = memref.alloc() : memref<4xf32>
           memref.dealloc %m : memref<4xf32>
           return %m : memref<4xf32>
         }",
        &[RETURNED],
    );
}

#[test]
fn views_are_what_they_are_views_of() {
    clean(
        "func.func @f() -> memref<2xf32, strided<[1], offset: 2>> {
           %m = memref.alloc() : memref<4xf32>
           %v = memref.subview %m[2] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1], offset: 2>>
           return %v : memref<2xf32, strided<[1], offset: 2>>
         }",
    );
    clean(
        "func.func @f() {
           %m = memref.alloc() : memref<4xf32>
           %c = memref.cast %m : memref<4xf32> to memref<?xf32>
           %b, %o, %s, %t = memref.extract_strided_metadata %c
             : memref<?xf32> -> memref<f32>, index, index, index
           memref.dealloc %b : memref<f32>
           %d = memref.cast %m : memref<4xf32> to memref<?xf32>
           return
         }",
    );
    errors(
        "func.func @f() {
           %m = memref.alloc() : memref<4xf32>
           %c = memref.cast %m : memref<4xf32> to memref<?xf32>
           memref.dealloc %c : memref<?xf32>
           call @use(%m) : (memref<4xf32>) -> ()
           return
         }",
        &[USED],
    );
}

#[test]
fn foreign_memory_is_neither_freed_nor_returned() {
    errors(
        "func.func @f(%m: memref<4xf32>) {
           memref.dealloc %m : memref<4xf32>
           return
         }",
        &["an argument is freed"],
    );
    errors(
        "func.func @f(%m: memref<4xf32>) -> memref<2xf32, strided<[1]>> {
           %v = memref.subview %m[0] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1]>>
           return %v : memref<2xf32, strided<[1]>>
         }",
        &["an argument is returned, but the caller frees results"],
    );
    errors(
        "memref.global @g : memref<4xf32> = dense<0.0>
         func.func @f() -> memref<4xf32> {
           %m = memref.get_global @g : memref<4xf32>
           return %m : memref<4xf32>
         }",
        &["memory of static duration is returned, but the caller frees results"],
    );
    errors(
        "func.func @f(%c: i1) {
           %s = memref.alloca() : memref<4xf32>
           %m = memref.alloc() : memref<4xf32>
           %x = arith.select %c, %s, %m : memref<4xf32>
           memref.dealloc %x : memref<4xf32>
           return
         }",
        &[NOT_ALWAYS, "memory that the function does not own is freed"],
    );
    clean(
        "func.func @f(%a: memref<4xf32>, %c: i1) -> memref<4xf32> {
           %r = scf.if %c -> memref<4xf32> {
             %m = memref.alloc() : memref<4xf32>
             scf.yield %m : memref<4xf32>
           } else {
             %m = bufferization.clone %a : memref<4xf32> to memref<4xf32>
             scf.yield %m : memref<4xf32>
           }
           return %r : memref<4xf32>
         }",
    );
    clean(
        "func.func @f(%a: memref<4xf32>) {
           memref.dealloc %a {bufferization.manual_deallocation} : memref<4xf32>
           return
         }",
    );
}

#[test]
fn branches_between_blocks() {
    clean(
        "func.func @f(%c: i1) {
           %m = memref.alloc() : memref<4xf32>
           cf.cond_br %c, ^a, ^b
         ^a:
           memref.dealloc %m : memref<4xf32>
           return
         ^b:
           call @use(%m) : (memref<4xf32>) -> ()
           memref.dealloc %m : memref<4xf32>
           return
         }",
    );
    errors(
        "func.func @f(%c: i1) {
           %m = memref.alloc() : memref<4xf32>
           cf.cond_br %c, ^a, ^b
         ^a:
           memref.dealloc %m : memref<4xf32>
           cf.br ^b
         ^b:
           call @use(%m) : (memref<4xf32>) -> ()
           memref.dealloc %m : memref<4xf32>
           return
         }",
        &[USED],
    );
    // The same condition twice.
    clean(
        "func.func @f(%c: i1) {
           %m = memref.alloc() : memref<4xf32>
           cf.cond_br %c, ^a, ^b
         ^a:
           memref.dealloc %m : memref<4xf32>
           cf.br ^b
         ^b:
           cf.cond_br %c, ^d, ^e
         ^e:
           memref.dealloc %m : memref<4xf32>
           cf.br ^d
         ^d:
           return
         }",
    );
    errors(
        "func.func @f(%c: i1) {
           %m = memref.alloc() : memref<4xf32>
           cf.cond_br %c, ^a, ^b
         ^a:
           memref.dealloc %m : memref<4xf32>
           cf.br ^b
         ^b:
           cf.cond_br %c, ^e, ^d
         ^e:
           memref.dealloc %m : memref<4xf32>
           cf.br ^d
         ^d:
           return
         }",
        &[NOT_ALWAYS, TWICE],
    );
    clean(
        "func.func @f(%n: i32) {
           %m = memref.alloc() : memref<4xf32>
           %f = arith.constant false
           cf.switch %n : i32, [default: ^a, 1: ^b(%m : memref<4xf32>), 2: ^b(%m : memref<4xf32>)]
         ^a:
           %k = memref.alloc() : memref<4xf32>
           memref.dealloc %m : memref<4xf32>
           cf.br ^b(%k : memref<4xf32>)
         ^b(%x: memref<4xf32>):
           memref.dealloc %x : memref<4xf32>
           return
         }",
    );
    // A program that stops needs to free nothing.
    clean(
        "func.func @f(%c: i1) {
           %m = memref.alloc() : memref<4xf32>
           cf.cond_br %c, ^a, ^b
         ^a:
           memref.dealloc %m : memref<4xf32>
           return
         ^b:
           \"test.abort\"() : () -> ()
         }",
    );
}

#[test]
fn ownership_flags() {
    let program = |first: &str, second: &str, condition: &str| {
        format!(
            "func.func @f(%a: memref<4xf32>, %c: i1) {{
               %true = arith.constant true
               %false = arith.constant false
               cf.cond_br %c, ^a, ^b(%a, %{first} : memref<4xf32>, i1)
             ^a:
               %m = memref.alloc() : memref<4xf32>
               cf.br ^b(%m, %{second} : memref<4xf32>, i1)
             ^b(%x: memref<4xf32>, %o: i1):
               call @use(%x) : (memref<4xf32>) -> ()
               %not = arith.xori %o, %true : i1
               scf.if %{condition} {{
                 memref.dealloc %x : memref<4xf32>
               }}
               return
             }}"
        )
    };
    clean(&program("false", "true", "o"));
    clean(&program("true", "false", "not"));
    let foreign = "memory that the function does not own is freed";
    errors(&program("true", "true", "o"), &[foreign]);
    errors(&program("false", "false", "o"), &[NOT_ALWAYS]);
    errors(&program("false", "true", "not"), &[NOT_ALWAYS, foreign]);
}

#[test]
fn select_and_comparison_of_addresses() {
    let program = |predicate: &str| {
        format!(
            "func.func @f(%c: i1) {{
               %m = memref.alloc() : memref<4xf32>
               %k = memref.alloc() : memref<4xf32>
               %x = arith.select %c, %m, %k : memref<4xf32>
               %p = memref.extract_aligned_pointer_as_index %m : memref<4xf32> -> index
               %q = memref.extract_aligned_pointer_as_index %x : memref<4xf32> -> index
               %d = arith.cmpi {predicate}, %p, %q : index
               memref.dealloc %x : memref<4xf32>
               scf.if %d {{
                 memref.dealloc %m : memref<4xf32>
               }} else {{
                 memref.dealloc %k : memref<4xf32>
               }}
               return
             }}"
        )
    };
    clean(&program("ne"));
    errors(&program("eq"), &[NOT_ALWAYS, TWICE, NOT_ALWAYS, TWICE]);
}

#[test]
fn loops() {
    let program = |in_loop: &str, yielded: &str, after: &str| {
        format!(
            "func.func @f(%n: index) {{
               %c0 = arith.constant 0 : index
               %c1 = arith.constant 1 : index
               %m = memref.alloc() : memref<4xf32>
               %r = scf.for %i = %c0 to %n step %c1 iter_args(%b = %m) -> memref<4xf32> {{
                 %t = memref.alloc() : memref<4xf32>
                 {in_loop}
                 scf.yield {yielded} : memref<4xf32>
               }}
               {after}
               return
             }}"
        )
    };
    let free = |value: &str| format!("memref.dealloc {value} : memref<4xf32>");
    clean(&program(&free("%b"), "%t", &free("%r")));
    clean(&program(&free("%t"), "%b", &free("%r")));
    clean(&program(&free("%t"), "%b", &free("%m")));
    errors(&program("", "%t", &free("%r")), &[NOT_ALWAYS, NOT_ALWAYS]);
    errors(&program("", "%b", &free("%r")), &[NEVER]);
    errors(&program(&free("%b"), "%t", ""), &[NOT_ALWAYS, NOT_ALWAYS]);
    errors(&program(&free("%b"), "%b", ""), &[NOT_ALWAYS, TWICE, NEVER]);
    errors(
        &program(&free("%t"), "%t", &free("%r")),
        &[NOT_ALWAYS, TWICE],
    );
    let use_then_free = format!("{}\nfunc.call @use(%b) : (memref<4xf32>) -> ()", free("%b"));
    errors(&program(&use_then_free, "%t", &free("%r")), &[USED, USED]);
}

#[test]
fn loops_of_blocks() {
    let program = |free_in_loop: &str| {
        format!(
            "func.func @f() {{
               %m = memref.alloc() : memref<4xf32>
               cf.br ^head(%m : memref<4xf32>)
             ^head(%b: memref<4xf32>):
               %c = call @cond() : () -> i1
               cf.cond_br %c, ^body, ^exit
             ^body:
               %t = memref.alloc() : memref<4xf32>
               {free_in_loop}
               cf.br ^head(%t : memref<4xf32>)
             ^exit:
               memref.dealloc %b : memref<4xf32>
               return
             }}"
        )
    };
    clean(&program("memref.dealloc %b : memref<4xf32>"));
    errors(&program(""), &[NOT_ALWAYS, NOT_ALWAYS]);
    // Allocating in a circle that never ends.
    errors(
        "func.func @f() {
           cf.br ^loop
         ^loop:
           %m = memref.alloc() : memref<4xf32>
           cf.br ^loop
         }",
        &[NEVER],
    );
}

#[test]
fn while_loops() {
    let program = |free: &str| {
        format!(
            "func.func @f() {{
               %m = memref.alloc() : memref<4xf32>
               %r = scf.while (%b = %m) : (memref<4xf32>) -> memref<4xf32> {{
                 %c = func.call @cond() : () -> i1
                 scf.condition(%c) %b : memref<4xf32>
               }} do {{
               ^bb0(%x: memref<4xf32>):
                 %t = memref.alloc() : memref<4xf32>
                 {free}
                 scf.yield %t : memref<4xf32>
               }}
               memref.dealloc %r : memref<4xf32>
               return
             }}"
        )
    };
    clean(&program("memref.dealloc %x : memref<4xf32>"));
    errors(&program(""), &[NOT_ALWAYS, NOT_ALWAYS]);
}

#[test]
fn loops_of_threads() {
    let program = |free: &str| {
        format!(
            "func.func @f(%n: index) {{
               %m = memref.alloc() : memref<4xf32>
               scf.forall (%i) in (%n) {{
                 %t = memref.alloc() : memref<4xf32>
                 %r = scf.while (%x = %n) : (index) -> index {{
                   %c = func.call @cond() : () -> i1
                   scf.condition(%c) %x : index
                 }} do {{
                 ^bb0(%y: index):
                   func.call @use(%t) : (memref<4xf32>) -> ()
                   scf.yield %y : index
                 }}
                 {free}
               }}
               call @use(%m) : (memref<4xf32>) -> ()
               memref.dealloc %m : memref<4xf32>
               return
             }}"
        )
    };
    clean(&program("memref.dealloc %t : memref<4xf32>"));
    errors(&program(""), &[NEVER]);
    errors(
        &program("memref.dealloc %m : memref<4xf32> memref.dealloc %t : memref<4xf32>"),
        &[TWICE, USED],
    );
}

#[test]
fn dealloc_operations() {
    let program = |conditions: &str| {
        format!(
            "func.func @f(%c: i1) {{
               %true = arith.constant true
               %false = arith.constant false
               %m = memref.alloc() : memref<4xf32>
               %k = memref.alloc() : memref<4xf32>
               %x = arith.select %c, %m, %k : memref<4xf32>
               %o:1 = bufferization.dealloc (%m, %k : memref<4xf32>, memref<4xf32>)
                 if ({conditions}) retain (%x : memref<4xf32>)
               call @use(%x) : (memref<4xf32>) -> ()
               bufferization.dealloc (%x : memref<4xf32>) if (%o#0)
               return
             }}"
        )
    };
    clean(&program("%true, %true"));
    errors(&program("%true, %false"), &[NOT_ALWAYS]);
    errors(&program("%c, %c"), &[NOT_ALWAYS, NOT_ALWAYS]);
    // The first entry that holds frees, wherever it is in the list.
    clean(
        "func.func @f() {
           %true = arith.constant true
           %false = arith.constant false
           %m = memref.alloc() : memref<4xf32>
           bufferization.dealloc (%m, %m, %m : memref<4xf32>, memref<4xf32>, memref<4xf32>)
             if (%false, %true, %true)
           return
         }",
    );
    errors(
        "func.func @f(%a: memref<4xf32>, %c: i1) {
           bufferization.dealloc (%a : memref<4xf32>) if (%c)
           return
         }",
        &["an argument is freed"],
    );
}

#[test]
fn results_of_calls() {
    clean(
        "func.func @f() {
           %m = call @make() : () -> memref<4xf32>
           memref.dealloc %m : memref<4xf32>
           return
         }",
    );
    errors(
        "func.func @f() {
           %m = call @make() : () -> memref<4xf32>
           return
         }",
        &["buffer returned by this call is never freed"],
    );
    // Nothing is known of the function: both results may be one buffer.
    errors(
        "func.func @f() {
           %m:2 = call @make2() : () -> (memref<4xf32>, memref<4xf32>)
           memref.dealloc %m#0 : memref<4xf32>
           memref.dealloc %m#1 : memref<4xf32>
           return
         }",
        &["buffer returned by this call is freed twice; two results may be the same buffer"],
    );
    clean(
        "func.func @f() {
           %true = arith.constant true
           %m:2 = call @make2() : () -> (memref<4xf32>, memref<4xf32>)
           bufferization.dealloc (%m#0, %m#1 : memref<4xf32>, memref<4xf32>) if (%true, %true)
           return
         }",
    );
    let program = |second: &str| {
        format!(
            "func.func private @two() -> (memref<4xf32>, memref<4xf32>) {{
               %a = memref.alloc() : memref<4xf32>
               %b = memref.alloc() : memref<4xf32>
               {second}
             }}
             func.func private @again() -> (memref<4xf32>, memref<4xf32>) {{
               %m:2 = call @two() : () -> (memref<4xf32>, memref<4xf32>)
               return %m#1, %m#0 : memref<4xf32>, memref<4xf32>
             }}
             func.func @f() {{
               %m:2 = call @again() : () -> (memref<4xf32>, memref<4xf32>)
               memref.dealloc %m#0 : memref<4xf32>
               memref.dealloc %m#1 : memref<4xf32>
               return
             }}"
        )
    };
    clean(&program("return %a, %b : memref<4xf32>, memref<4xf32>"));
    errors(
        &program(
            "memref.dealloc %b : memref<4xf32>
             return %a, %a : memref<4xf32>, memref<4xf32>",
        ),
        &["buffer returned by this call is freed twice; two results may be the same buffer"],
    );
}

#[test]
fn ownership_decided_at_run_time() {
    let options = Options {
        private_function_dynamic_ownership: true,
        ..Options::default()
    };
    let program = |flag: &str, condition: &str| {
        format!(
            "func.func private @pick(%a: memref<4xf32>, %c: i1) -> (memref<4xf32>, i1) {{
               %true = arith.constant true
               %false = arith.constant false
               cf.cond_br %c, ^a, ^b
             ^a:
               return %a, %false : memref<4xf32>, i1
             ^b:
               %m = memref.alloc() : memref<4xf32>
               return %m, %{flag} : memref<4xf32>, i1
             }}
             func.func @f(%c: i1) {{
               %true = arith.constant true
               %a = memref.alloc() : memref<4xf32>
               %r:2 = call @pick(%a, %c) : (memref<4xf32>, i1) -> (memref<4xf32>, i1)
               call @use(%r#0) : (memref<4xf32>) -> ()
               scf.if {condition} {{
                 memref.dealloc %r#0 : memref<4xf32>
               }}
               memref.dealloc %a : memref<4xf32>
               return
             }}"
        )
    };
    expect_with(&options, &program("true", "%r#1"), Verdict::Clean, &[]);
    expect_with(
        &options,
        &program("false", "%r#1"),
        Verdict::Errors,
        &[NEVER],
    );
    expect_with(
        &options,
        &program("true", "%true"),
        Verdict::Errors,
        &[TWICE],
    );
    expect_with(
        &options,
        &program("true", "%c"),
        Verdict::Errors,
        &[
            TWICE,
            "buffer returned by this call is not freed on every path",
        ],
    );
}

#[test]
fn realloc() {
    clean(
        "func.func @f() {
           %m = memref.alloc() : memref<4xf32>
           %r = memref.realloc %m : memref<4xf32> to memref<8xf32>
           memref.dealloc %r : memref<8xf32>
           return
         }",
    );
    errors(
        "func.func @f() {
           %m = memref.alloc() : memref<4xf32>
           %r = memref.realloc %m : memref<4xf32> to memref<8xf32>
           memref.dealloc %m : memref<4xf32>
           memref.dealloc %r : memref<8xf32>
           return
         }",
        &[TWICE],
    );
}

#[test]
fn what_is_not_modelled_is_unknown() {
    unknown(
        "func.func @f(%mm: memref<1xmemref<4xf32>>) {
           %c0 = arith.constant 0 : index
           %m = memref.alloc() : memref<4xf32>
           memref.store %m, %mm[%c0] : memref<1xmemref<4xf32>>
           return
         }",
    );
    unknown(
        "func.func @f(%flags: memref<i1>) {
           %m = memref.alloc() : memref<4xf32>
           %c = memref.load %flags[] : memref<i1>
           scf.if %c {
             memref.dealloc %m : memref<4xf32>
           }
           return
         }",
    );
    // An unknown operation may return an alias.
    errors(
        "func.func @f() {
           %m = memref.alloc() : memref<4xf32>
           %x = \"test.unknown\"(%m) : (memref<4xf32>) -> memref<4xf32>
           memref.dealloc %m : memref<4xf32>
           call @use(%x) : (memref<4xf32>) -> ()
           return
         }",
        &[USED],
    );
    let strict = Options {
        strict: true,
        ..Options::default()
    };
    expect_with(
        &strict,
        "func.func @f(%p: memref<index>) {
           %m = memref.alloc() : memref<4xf32>
           %a = memref.extract_aligned_pointer_as_index %m : memref<4xf32> -> index
           memref.store %a, %p[] : memref<index>
           memref.dealloc %m : memref<4xf32>
           return
         }",
        Verdict::Errors,
        &["could not prove that the buffer allocated here is freed exactly once"],
    );
}

#[test]
fn asserted_conditions_hold() {
    clean(
        "func.func @f(%c: i1) {
           %m = memref.alloc() : memref<4xf32>
           cf.assert %c, \"\"
           scf.if %c {
             memref.dealloc %m : memref<4xf32>
           }
           return
         }",
    );
}

/// Many flags that have nothing to do with each other are no problem.
#[test]
fn independent_choices_do_not_multiply() {
    let mut body = String::from(
        "func.func @f(%a: memref<4xf32>) {\n%true = arith.constant true\n%false = arith.constant false\n",
    );
    for i in 0..60 {
        body += &format!(
            "%c{i} = func.call @cond() : () -> i1
             %r{i}, %o{i} = scf.if %c{i} -> (memref<4xf32>, i1) {{
               %m = memref.alloc() : memref<4xf32>
               scf.yield %m, %true : memref<4xf32>, i1
             }} else {{
               scf.yield %a, %false : memref<4xf32>, i1
             }}\n"
        );
    }
    for i in 0..60 {
        body += &format!("func.call @use(%r{i}) : (memref<4xf32>) -> ()\n");
    }
    for i in 0..60 {
        body += &format!("scf.if %o{i} {{\n memref.dealloc %r{i} : memref<4xf32>\n}}\n");
    }
    clean(&format!("{body} return\n}}"));
}

/// Too many cases end with a doubt, not with a long wait.
#[test]
fn states_are_limited() {
    let mut body = String::from("func.func @f() {\n%m = memref.alloc() : memref<4xf32>\n");
    for i in 0..40 {
        body += &format!("%c{i} = func.call @cond() : () -> i1\n");
        body += &format!("%k{i} = memref.alloc() : memref<4xf32>\n");
        body += &format!(
            "%x{i} = scf.if %c{i} -> memref<4xf32> {{
               scf.yield %m : memref<4xf32>
             }} else {{
               scf.yield %k{i} : memref<4xf32>
             }}\n"
        );
    }
    for i in 0..40 {
        body += &format!("scf.if %c{i} {{\n memref.dealloc %k{i} : memref<4xf32>\n}}\n");
        body += &format!("scf.if %c{i} {{\n}} else {{ memref.dealloc %x{i} : memref<4xf32>\n}}\n");
    }
    unknown(&format!(
        "{body} memref.dealloc %m : memref<4xf32>\n return\n}}"
    ));
}

/// Deep nesting does not overflow the stack.
#[test]
fn deep_nesting() {
    let mut body = String::from("func.func @f(%c: i1) {\n%m = memref.alloc() : memref<4xf32>\n");
    for _ in 0..200 {
        body += "scf.if %c {\n";
    }
    body += "func.call @use(%m) : (memref<4xf32>) -> ()\n";
    body += &"}\n".repeat(200);
    clean(&format!(
        "{body} memref.dealloc %m : memref<4xf32>\n return\n}}"
    ));
}

#[test]
fn the_path_is_shown() {
    let text = format!(
        "{PRELUDE}
func.func @f(%c: i1) {{
  %m = memref.alloc() : memref<4xf32>
  cf.cond_br %c, ^a, ^b
^a:
  memref.dealloc %m : memref<4xf32>
  cf.br ^b
^b:
  call @use(%m) : (memref<4xf32>) -> ()
  cf.cond_br %c, ^d, ^e
^d:
  return
^e:
  memref.dealloc %m : memref<4xf32>
  return
}}"
    );
    let expected = "\
test:8:8: error: buffer allocated here is used after it is freed
test:9:3: note: branch taken here: condition is true
test:11:3: note: freed here
test:14:3: note: used here
";
    assert_eq!(run(&text, &Options::default()).2, expected);
}

/// Frees on one side of a first branch and, where `repeated` does not hold, on
/// the other side of a second one.
fn compared_twice(first: &str, between: &str, repeated: &str) -> String {
    format!(
        "func.func @f(%i: index, %n: index, %d: i1) {{
           %c8 = arith.constant 8 : index
           %other8 = arith.constant 8 : index
           %m = memref.alloc() : memref<4xf32>
           {first}
           scf.if %c {{
             memref.dealloc %m : memref<4xf32>
           }}
           {between}
           {repeated}
           cf.cond_br %r, ^bb1, ^bb2
         ^bb1:
           memref.dealloc %m : memref<4xf32>
           cf.br ^bb2
         ^bb2:
           return
         }}"
    )
}

#[test]
fn comparisons_are_known_by_their_negation() {
    let pairs = [
        ("eq, %i, %n", "ne, %i, %n"),
        ("eq, %i, %n", "ne, %n, %i"),
        ("slt, %i, %n", "sge, %i, %n"),
        ("slt, %i, %n", "sle, %n, %i"),
        ("sgt, %i, %n", "sle, %i, %n"),
        ("uge, %i, %n", "ult, %i, %n"),
        ("ule, %n, %i", "ult, %i, %n"),
        ("ult, %i, %c8", "uge, %i, %other8"),
    ];
    for (first, second) in pairs {
        let first = format!("%c = arith.cmpi {first} : index");
        let second = format!("%r = arith.cmpi {second} : index");
        clean(&compared_twice(&first, "", &second));
        clean(&compared_twice(&first, "cf.br ^next\n^next:", &second));
        let flipped = "%t = arith.constant true %r = arith.xori %same, %t : i1";
        let again = first.replace("%c =", "%same =");
        clean(&compared_twice(&first, "", &format!("{again} {flipped}")));
    }
    let first = "%c = arith.cmpi slt, %i, %n : index";
    for second in ["slt, %i, %n", "sgt, %i, %n", "uge, %i, %n", "sge, %n, %i"] {
        let second = format!("%r = arith.cmpi {second} : index");
        let text = format!("{PRELUDE}\n{}", compared_twice(first, "", &second));
        let (verdict, _, rendered) = run(&text, &Options::default());
        assert_eq!(verdict, Verdict::Errors, "{text}\n{rendered}");
    }
    // Neither branch says anything about what the other one compares.
    errors(
        "func.func @f(%i: index, %n: index, %d: i1) {
           %m = memref.alloc() : memref<4xf32>
           scf.if %d {
             %c = arith.cmpi slt, %i, %n : index
             scf.if %c {
               memref.dealloc %m : memref<4xf32>
             }
           } else {
             %c = arith.cmpi sge, %i, %n : index
             scf.if %c {
               memref.dealloc %m : memref<4xf32>
             }
           }
           return
         }",
        &[NOT_ALWAYS],
    );
}
