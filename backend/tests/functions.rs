//! Calls, results, recursion and what cannot be compiled.

mod common;

use common::{Module, for_loop, host_options};
use freehold_backend::jit::{Argument, ResultKind};
use freehold_frontend::dialects::{arith, cf, func};
use freehold_frontend::ir::edit::OpSpec;
use freehold_frontend::ir::location::Loc;
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::Type;
use freehold_frontend::op_def::UNREGISTERED;

#[test]
fn recursion() {
    // fib(n) = n < 2 ? n : fib(n - 1) + fib(n - 2)
    let mut module = Module::new();
    module.function("fib", &[Type::I64], &[Type::I64], |b, args| {
        let region = b.ir.region(b.ir.root(), 0);
        let small = b.ir.append_block(region, &[]);
        let large = b.ir.append_block(region, &[]);
        let two = arith::constant_int(b, Type::I64, 2);
        let predicate = arith::CmpIPredicate::Slt.to_attr(&b.context());
        let is_small = b.value_with_attr(
            &arith::CMPI,
            &[args[0], two],
            Type::I1,
            Name::PREDICATE,
            predicate,
        );
        cf::build_cond_br(b, is_small, (small, &[]), (large, &[]));
        b.set_to_end(small);
        func::build_return(b, &[args[0]]);
        b.set_to_end(large);
        let terms = [1, 2].map(|k| {
            let k = arith::constant_int(b, Type::I64, k);
            let n = b.value(&arith::SUBI, &[args[0], k], Type::I64);
            let call = func::build_call(b, "fib", &[Type::I64], &[n]);
            b.ir.result(call, 0)
        });
        let sum = b.value(&arith::ADDI, &terms, Type::I64);
        func::build_return(b, &[sum]);
    });
    for options in host_options() {
        let jit = module.jit(&options);
        let result = jit.call("fib", &[Argument::Int(20)]).unwrap();
        assert_eq!(result[0].as_int(), Some(6765));
    }
}

/// Any number of results, of types that need different registers, through a call.
#[test]
fn many_results() {
    for n in [0, 1, 2, 3, 4, 8, 9, 40] {
        let mut module = Module::new();
        let kinds = [
            Type::I64,
            Type::F32,
            Type::I1,
            Type::F64,
            module.context.integer_type(128),
        ];
        let types: Vec<Type> = (0..n).map(|i| kinds[i % kinds.len()]).collect();
        let reversed: Vec<Type> = types.iter().rev().copied().collect();
        module.function("reverse", &types, &reversed, |b, args| {
            let args: Vec<_> = args.iter().rev().copied().collect();
            func::build_return(b, &args);
        });
        module.function("twice", &types, &types, |b, args| {
            let call = func::build_call(b, "reverse", &reversed, args);
            let back: Vec<_> = b.ir.results(call).iter().rev().copied().collect();
            func::build_return(b, &back);
        });
        let arguments: Vec<Argument<'_>> = (0..n)
            .map(|i| match types[i] {
                Type::F32 => Argument::F32(i as f32 + 0.5),
                Type::F64 => Argument::F64(-(i as f64)),
                Type::I1 => Argument::Int(i as i128 % 2),
                _ => Argument::Int((i as i128 % 8 - 3) << 60),
            })
            .collect();
        for options in host_options() {
            let results = module.jit(&options).call("twice", &arguments).unwrap();
            assert_eq!(results.len(), n);
            for (argument, result) in arguments.iter().zip(results) {
                match argument {
                    Argument::Int(value) => {
                        let expected = if *value == 1 { -1 } else { *value };
                        assert_eq!(result.as_int(), Some(expected));
                    }
                    Argument::F32(value) => assert_eq!(result.as_f32(), Some(*value)),
                    Argument::F64(value) => assert_eq!(result.as_f64(), Some(*value)),
                    _ => unreachable!(),
                }
            }
        }
    }
}

#[test]
fn entry_points_are_checked() {
    let mut module = Module::new();
    module.function("main", &[], &[Type::I32], |b, _| {
        let zero = arith::constant_int(b, Type::I32, 0);
        let sum = for_loop(b, 10, zero, |b, i, sum| {
            let i = b.value(&arith::INDEX_CAST, &[i], Type::I32);
            b.value(&arith::ADDI, &[sum, i], Type::I32)
        });
        func::build_return(b, &[sum]);
    });
    module.function("takes", &[Type::I32], &[], |b, _| {
        func::build_return(b, &[]);
    });
    module.declare("nowhere", &[], &[]);
    let jit = module.jit(&host_options()[1]);
    assert_eq!(
        jit.run_entry("main", ResultKind::I32),
        Ok(freehold_backend::jit::EntryResult::I32(45))
    );
    assert!(jit.run_entry("main", ResultKind::Void).is_ok());
    for (name, kind) in [
        ("main", ResultKind::F32),
        ("takes", ResultKind::Void),
        ("nowhere", ResultKind::Void),
        ("missing", ResultKind::Void),
    ] {
        assert!(jit.run_entry(name, kind).is_err(), "{name}");
    }
    assert_eq!(module.run_native("entry"), 45);
    if let Some(status) = module.run_aarch64("entry") {
        assert_eq!(status, 45);
    }
}

#[test]
fn unsupported_operations_are_named() {
    let mut module = Module::new();
    module.function("f", &[], &[], |b, _| {
        let mut spec = OpSpec::new(&UNREGISTERED, Loc::UNKNOWN);
        spec.unregistered_name = b.context().intern_name("some.thing");
        b.create(spec);
        func::build_return(b, &[]);
    });
    let wide = module.context.integer_type(256);
    module.declare("g", &[wide], &[]);
    let errors = module.jit_errors();
    assert!(errors.contains("type 'i256' cannot be lowered"), "{errors}");
}

#[test]
fn undefined_symbols_are_reported() {
    let mut module = Module::new();
    module.declare("no_such_symbol_anywhere", &[], &[]);
    module.declare("unused", &[], &[]);
    module.function("main", &[], &[], |b, _| {
        func::build_call(b, "no_such_symbol_anywhere", &[], &[]);
        func::build_return(b, &[]);
    });
    let errors = module.jit_errors();
    assert!(
        errors.contains("undefined symbol 'no_such_symbol_anywhere'"),
        "{errors}"
    );
    assert!(!errors.contains("unused"), "{errors}");
}
