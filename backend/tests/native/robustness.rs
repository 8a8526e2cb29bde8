//! Valid modules that are strange in some way: either code or a diagnostic
//! comes out, for every target.

use libtest_mimic::Trial;

use crate::common::{Module, aarch64};
use crate::needs::trials;
use freehold_backend::Options;
use freehold_backend::object::compile_to_object;
use freehold_frontend::ir::diag::Diagnostics;

/// The diagnostics of compiling for both targets; empty if all is well.
fn compile(text: &str) -> String {
    let module = Module::parse(text);
    let reports = [Options::host(), Options::new(aarch64())].map(|options| {
        let mut diagnostics = Diagnostics::new();
        let result = compile_to_object(&module.ir, &[], &options, &mut diagnostics);
        assert_eq!(result.is_err(), diagnostics.has_errors());
        diagnostics.render_plain(&module.context)
    });
    assert_eq!(reports[0], reports[1]);
    reports[0].clone()
}

/// `body` inside of a function.
fn compile_body(body: &str) -> String {
    compile(&format!("func.func @f(%i: index) {{\n{body}\nreturn\n}}"))
}

fn types_without_a_native_form() {
    for ty in [
        "vector<[4]xf32>",
        "tensor<4xf32>",
        "none",
        "tuple<i32>",
        "i0",
        "i129",
        "f80",
        "f128",
        "complex<f80>",
        "memref<4xf32, affine_map<(d0) -> (d0 floordiv 2)>>",
    ] {
        let errors = compile(&format!("func.func @f(%a: {ty}) {{ return }}"));
        assert!(
            errors.contains("cannot be lowered to native code"),
            "{ty}: {errors}"
        );
        let declared = compile(&format!("func.func private @f() -> {ty}"));
        assert!(
            declared.contains("cannot be lowered to native code"),
            "{ty}: {declared}"
        );
    }
}

fn operations_on_types_without_a_native_form() {
    for body in [
        "%0 = arith.constant dense<0.0> : vector<[4]xf32>\n%1 = arith.addf %0, %0 : vector<[4]xf32>",
        "%0 = arith.constant dense<1> : tensor<2xi32>",
        "%0 = ub.poison : tensor<4xf32>\ncf.br ^a(%0 : tensor<4xf32>)\n^a(%1: tensor<4xf32>):",
        "%0 = arith.constant 0 : i0\n%1 = arith.cmpi eq, %0, %0 : i0",
        "%0 = arith.constant 1.0 : f128\n%1 = math.sin %0 : f128",
        "%0 = arith.constant 1.0 : tf32\n%1 = arith.negf %0 : tf32",
        "%t = arith.constant true\n%0 = builtin.unrealized_conversion_cast %t : i1 to i32",
        "%t = arith.constant true\n%0:2 = builtin.unrealized_conversion_cast %t : i1 to i1, i1",
        "%m = memref.alloc(%i)[%i] : memref<?xf32, affine_map<(d0)[s0] -> (d0 + s0)>>",
        "%m = memref.alloc() : memref<4xi128>
         %v = arith.constant 1 : i128
         %r = memref.atomic_rmw addi %v, %m[%i] : (i128, memref<4xi128>) -> i128",
        "%x = arith.constant 1.0 : f64\n%r = arith.truncf %x downward : f64 to f16",
        "scf.for %j = %i to %i step %i { }",
    ] {
        let errors = compile_body(body);
        assert!(
            errors.contains("cannot be lowered to native code"),
            "{body}: {errors}"
        );
    }
}

fn unusual_but_fine() {
    for body in [
        "%m = memref.alloc() : memref<0xf32>\nmemref.dealloc %m : memref<0xf32>",
        "%m = memref.alloc() : memref<4xvector<4xi1>>
         %v = memref.load %m[%i] : memref<4xvector<4xi1>>",
        "%m = memref.alloc() : memref<2x0x3xi1>\n%r = memref.rank %m : memref<2x0x3xi1>",
        "%m = memref.alloca() : memref<1000000000xf64>",
        "%m = memref.alloc() : memref<9223372036854775807x9223372036854775807xf64>",
        "%m = memref.alloc() : memref<4xi256>\nmemref.dealloc %m : memref<4xi256>",
        "%m = memref.alloc() : memref<4xf32>
         %c = arith.constant -9223372036854775808 : index
         %v = memref.load %m[%c] : memref<4xf32>
         %d = memref.dim %m, %c : memref<4xf32>",
        "%m = memref.alloc()[%i] : memref<3xf32, strided<[-2], offset: ?>>",
        "%m = memref.alloc(%i, %i)[%i, %i, %i] : memref<?x?xf32, strided<[?, ?], offset: ?>>",
        "%f = arith.constant false\ncf.assert %f, \"\\00\\FF\"",
        "cf.br ^end\n^dead:\ncf.br ^dead2\n^dead2:\ncf.br ^dead\n^end:",
        "%c = arith.constant 0 : i32\n%d = arith.divsi %c, %c : i32",
        "%x = arith.constant 0 : i64
         cf.switch %x : i64, [default: ^a, -1: ^a, 9223372036854775807: ^a, 0: ^a]\n^a:",
        "%x = arith.constant 0 : i100
         cf.switch %x : i100, [default: ^a, 5: ^a]\n^a:",
        "%a = arith.constant 1 : i128\n%b = arith.minui %a, %a : i128\n%c = arith.divui %a, %b : i128",
        "%m = memref.alloca() {alignment = 4096} : memref<4xi8>
         %c = memref.cast %m : memref<4xi8> to memref<*xi8>
         %r = memref.dim %c, %i : memref<*xi8>",
    ] {
        assert_eq!(compile_body(body), "", "{body}");
    }
}

fn modules_of_other_things() {
    // Nobody can call what is inside; upstream leaves it out as well.
    assert_eq!(compile("module { module @inner { } }"), "");
    let clash = compile(
        "func.func @_mlir_ciface_f() { return }
         func.func @f() attributes {llvm.emit_c_interface} { return }",
    );
    assert!(
        clash.contains("redefinition of symbol named '_mlir_ciface_f'"),
        "{clash}"
    );
    let zero = compile("func.func private @\"a\\00b\"()");
    assert!(zero.contains("cannot appear in an object file"), "{zero}");
    assert_eq!(compile("module { }"), "");
    assert_eq!(compile("func.func @\"strange name \\22\"() { return }"), "");
}

fn globals_of_all_kinds() {
    for ok in [
        "memref.global @a : memref<2xcomplex<f32>> = dense<(1.0, 2.0)>",
        "memref.global @b : memref<100000000000xf32> = dense<0.0>",
        "memref.global @c : memref<2xi256> = dense<1>",
        "memref.global @d : memref<0xf32> = dense<>",
        "memref.global @e : memref<2xbf16> = dense<[1.0, 2.0]>",
        "memref.global @f : memref<index> = dense<-1>",
        "memref.global @g : memref<4xvector<2xf32>> = uninitialized",
        "memref.global \"private\" @h : memref<4xf32>",
    ] {
        assert_eq!(compile(ok), "", "{ok}");
    }
    for bad in [
        "memref.global @a : memref<9223372036854775807x9xf32> = uninitialized",
        "memref.global @b : memref<2xf32> = dense<1.0> {alignment = 1099511627776}",
    ] {
        let errors = compile(bad);
        assert!(errors.contains("'memref.global' op"), "{bad}: {errors}");
    }
}

fn limits_are_diagnostics() {
    let many = |n: usize| {
        let params: Vec<String> = (0..n).map(|i| format!("%a{i}: i32")).collect();
        params.join(", ")
    };
    let errors = compile(&format!("func.func @f({}) {{ return }}", many(70_000)));
    assert!(errors.contains("too many arguments"), "{errors}");
    let args = vec!["%x"; 70_000].join(", ");
    let types = vec!["i32"; 70_000].join(", ");
    let errors = compile(&format!(
        "func.func @f(%x: i32) {{\ncf.br ^a({args} : {types})\n^a({}):\nreturn\n}}",
        many(70_000)
    ));
    assert!(errors.contains("too many arguments"), "{errors}");
}

/// The tests of this module.
pub(crate) fn tests() -> Vec<Trial> {
    trials![
        types_without_a_native_form,
        operations_on_types_without_a_native_form,
        unusual_but_fine,
        modules_of_other_things,
        globals_of_all_kinds,
        limits_are_diagnostics,
    ]
}
