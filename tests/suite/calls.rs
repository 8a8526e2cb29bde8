//! Calling compiled functions from Rust: what fits is computed right, what does not is an error, and results
//! own their memory.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use freehold::backend::cpu::Cpu;
use freehold::backend::jit::{
    Argument, Buffer, ElementType, Jit, MemRefResult, ResultValue, load_or_compile,
};
use freehold::backend::{AllocMode, OptLevel, Options as CodeOptions};
use freehold::frontend::ir::diag::Diagnostics;
use freehold::{Check, Job, Level, Module, Options, Output, Product, Source, Stats, Threads};
use libtest_mimic::Trial;

use crate::needs::trials;

fn compile(text: &str) -> Jit {
    let module = Module::parse(text).unwrap_or_else(|error| panic!("{error}"));
    module
        .compile(&Options::default())
        .unwrap_or_else(|error| panic!("{error}"))
}

/// A function `name` that adds up the elements of a buffer of two dimensions.
fn sum(name: &str, ty: &str) -> String {
    format!(
        "func.func @{name}(%m: {ty}) -> f32 {{
           %c0 = arith.constant 0 : index
           %c1 = arith.constant 1 : index
           %zero = arith.constant 0.0 : f32
           %n0 = memref.dim %m, %c0 : {ty}
           %n1 = memref.dim %m, %c1 : {ty}
           %sum = scf.for %i = %c0 to %n0 step %c1 iter_args(%s = %zero) -> f32 {{
             %row = scf.for %j = %c0 to %n1 step %c1 iter_args(%t = %s) -> f32 {{
               %x = memref.load %m[%i, %j] : {ty}
               %next = arith.addf %t, %x : f32
               scf.yield %next : f32
             }}
             scf.yield %row : f32
           }}
           return %sum : f32
         }}\n"
    )
}

/// SplitMix64.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ z >> 31) as usize % n
    }
}

/// Random ranks, sizes, strides, offsets and types: an error, or the right sum, and never an access outside
/// of the slice.
fn buffers_fit_or_are_refused() {
    const LEN: usize = 40;
    let types = [
        ("fixed", "memref<2x3xf32>"),
        ("rows", "memref<?x?xf32>"),
        ("half_fixed", "memref<?x3xf32>"),
        ("strided", "memref<?x?xf32, strided<[?, ?], offset: ?>>"),
        ("columns", "memref<2x?xf32, strided<[1, 2]>>"),
        ("padded", "memref<?x?xf32, strided<[5, 1], offset: 2>>"),
    ];
    let text: String = types.iter().map(|(name, ty)| sum(name, ty)).collect();
    let jit = compile(&text);
    let mut random = Random(1);
    let (mut n_accepted, mut n_refused) = (0, 0);
    for _ in 0..4000 {
        let rank = [2, 2, 2, 2, 0, 1, 3][random.below(7)];
        let sizes: Vec<usize> = (0..rank)
            .map(|_| [2, 3, random.below(5)][random.below(3)])
            .collect();
        let mut strides: Vec<usize> = vec![1; rank];
        match random.below(5) {
            0 => strides
                .iter_mut()
                .for_each(|stride| *stride = random.below(8)),
            1 => (0..rank).for_each(|dim| strides[dim] = 1 << (rank - dim - 1)),
            2 if rank == 2 => strides = vec![5, 1],
            3 if rank == 2 => strides = vec![1, sizes[0]],
            _ => (1..rank)
                .rev()
                .for_each(|dim| strides[dim - 1] = strides[dim] * sizes[dim]),
        }
        let huge = random.below(50) == 0 && rank > 0;
        if huge {
            strides[0] = usize::MAX >> random.below(4);
        }
        let offset = random.below(6);
        let mut floats: Vec<f32> = (0..LEN).map(|n| n as f32).collect();
        let mut ints: Vec<i32> = vec![1; LEN];
        let is_float = random.below(6) != 0;
        let last: usize = sizes
            .iter()
            .zip(&strides)
            .fold(offset, |last, (&n, &stride)| {
                last.saturating_add(n.saturating_sub(1).saturating_mul(stride))
            });
        let is_empty = sizes.contains(&0);
        let made = catch_unwind(AssertUnwindSafe(|| match is_float {
            true => drop(Buffer::strided(&mut floats, offset, &sizes, &strides)),
            false => drop(Buffer::strided(&mut ints, offset, &sizes, &strides)),
        }));
        if made.is_err() {
            assert!(last >= LEN || huge, "{sizes:?} {strides:?} {offset}");
            continue;
        }
        let buffer = match is_float {
            true => Buffer::strided(&mut floats, offset, &sizes, &strides),
            false => Buffer::strided(&mut ints, offset, &sizes, &strides),
        };
        assert!(is_empty || last < LEN, "{sizes:?} {strides:?} {offset}");
        for (name, ty) in types {
            let outcome = jit.call(name, &[Argument::MemRef(&buffer)]);
            let matters = |dim: usize| !is_empty && sizes[dim] > 1;
            let is = |dim: usize, stride: usize| !matters(dim) || strides[dim] == stride;
            let fits = is_float
                && rank == 2
                && match name {
                    "fixed" => sizes == [2, 3] && is(0, 3) && is(1, 1),
                    "rows" => is(0, sizes[1]) && is(1, 1),
                    "half_fixed" => sizes[1] == 3 && is(0, 3) && is(1, 1),
                    "columns" => sizes[0] == 2 && is(0, 1) && is(1, 2),
                    "padded" => is(0, 5) && is(1, 1),
                    _ => true,
                };
            assert_eq!(outcome.is_ok(), fits, "{name} {ty}: {buffer}");
            match outcome {
                Ok(results) => {
                    let mut expected = 0.0;
                    for i in 0..sizes[0] {
                        for j in 0..sizes[1] {
                            expected += (offset + i * strides[0] + j * strides[1]) as f32;
                        }
                    }
                    assert_eq!(results[0].as_f32(), Some(expected), "{name}: {buffer}");
                    n_accepted += 1;
                }
                Err(error) => {
                    let error = error.to_string();
                    assert!(
                        error.contains(ty) && error.contains(&buffer.to_string()),
                        "{error}"
                    );
                    n_refused += 1;
                }
            }
        }
    }
    assert!(
        n_accepted > 1000 && n_refused > 1000,
        "{n_accepted} {n_refused}"
    );
}

fn null_and_bytes_are_checked() {
    let jit = compile(&(sum("rows", "memref<?x?xf32>") + &sum("fixed", "memref<2x3xf32>")));
    let null = Buffer::null::<f32>(2);
    assert_eq!(
        jit.call("rows", &[Argument::MemRef(&null)]).unwrap()[0].as_f32(),
        Some(0.0)
    );
    assert!(jit.call("fixed", &[Argument::MemRef(&null)]).is_err());
    let f32 = ElementType::from_name("f32").unwrap();
    let mut bytes = [0u8; 64];
    let start = bytes.as_ptr().align_offset(16);
    assert!(Buffer::of_bytes(&mut bytes[start..][..24], f32, &[2, 3], &[3, 1]).is_ok());
    assert!(Buffer::of_bytes(&mut bytes[start..][..23], f32, &[2, 3], &[3, 1]).is_err());
    assert!(Buffer::of_bytes(&mut bytes[start + 1..][..24], f32, &[2, 3], &[3, 1]).is_err());
    assert!(Buffer::of_bytes(&mut bytes[start..], f32, &[2, 3], &[3]).is_err());
    assert!(Buffer::of_bytes(&mut bytes[start..], f32, &[usize::MAX, 2], &[0, 0]).is_err());
    let i1 = ElementType::from_name("i1").unwrap();
    assert!(Buffer::of_bytes(&mut [1, 0, 1], i1, &[3], &[1]).is_ok());
    assert!(Buffer::of_bytes(&mut [1, 2, 1], i1, &[3], &[1]).is_err());
}

const PROGRAM: &str = "
    memref.global \"private\" constant @numbers : memref<3xf32> = dense<[1.0, 2.0, 3.0]>
    func.func @scaled(%m: tensor<?xf32>, %x: f32) -> tensor<?xf32> {
      %c0 = arith.constant 0 : index
      %n = tensor.dim %m, %c0 : tensor<?xf32>
      %to = tensor.empty(%n) : tensor<?xf32>
      %x0 = tensor.splat %x[%n] : tensor<?xf32>
      %r = linalg.mul ins(%m, %x0 : tensor<?xf32>, tensor<?xf32>) outs(%to : tensor<?xf32>) -> tensor<?xf32>
      return %r : tensor<?xf32>
    }
    func.func @same(%m: memref<?xf32>) -> (memref<?xf32>, memref<?xf32>) {
      return %m, %m : memref<?xf32>, memref<?xf32>
    }
    func.func @twice() -> (memref<4xi32>, memref<4xi32>) {
      %c7 = arith.constant 7 : i32
      %m = memref.alloc() : memref<4xi32>
      linalg.fill ins(%c7 : i32) outs(%m : memref<4xi32>)
      return %m, %m : memref<4xi32>, memref<4xi32>
    }
    func.func @global() -> memref<3xf32> {
      %m = memref.get_global @numbers : memref<3xf32>
      return %m : memref<3xf32>
    }
    func.func @add_one(%m: memref<?xf32>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %one = arith.constant 1.0 : f32
      %n = memref.dim %m, %c0 : memref<?xf32>
      scf.for %i = %c0 to %n step %c1 {
        %x = memref.load %m[%i] : memref<?xf32>
        %y = arith.addf %x, %one : f32
        memref.store %y, %m[%i] : memref<?xf32>
      }
      return
    }
    func.func @numbers_of_all_kinds(%a: i8, %b: i64, %c: i1, %d: f64, %e: index)
        -> (index, f64, i1, i64) {
      return %e, %d, %c, %b : index, f64, i1, i64
    }";

fn typed_functions_take_and_return_rust() {
    let jit = compile(PROGRAM);
    let scaled = jit.get::<(&[f32], f32), Vec<f32>>("scaled").unwrap();
    assert_eq!(scaled.call((&[1.0, 2.0], 2.0)).unwrap(), [2.0, 4.0]);
    assert!(scaled.call((&[], 2.0)).unwrap().is_empty());
    type Numbers = (i8, i64, bool, f64, usize);
    let all = jit
        .get::<Numbers, (usize, f64, bool, i64)>("numbers_of_all_kinds")
        .unwrap();
    assert_eq!(
        all.call((-3, i64::MIN, true, 0.5, 9)).unwrap(),
        (9, 0.5, true, i64::MIN)
    );
    let add_one = jit.get::<(&mut [f32],), ()>("add_one").unwrap();
    let mut data = [1.0, 2.0];
    add_one.call((&mut data,)).unwrap();
    add_one.call((&mut data,)).unwrap();
    assert_eq!(data, [3.0, 4.0]);

    // What is written to cannot be shared; what has another type is no such function.
    let error = jit.get::<(&[f32],), ()>("add_one").unwrap_err().to_string();
    assert!(error.contains("(memref<?xf32>) -> ()"), "{error}");
    assert!(jit.get::<(&[f64], f32), Vec<f32>>("scaled").is_err());
    assert!(jit.get::<(&[f32], f32), Vec<f64>>("scaled").is_err());
    assert!(jit.get::<(&[f32],), Vec<f32>>("scaled").is_err());
    assert!(jit.get::<(&[f32], f32), ()>("scaled").is_err());
    assert!(jit.get::<(), ()>("missing").is_err());
    let shared = Buffer::read_only(&data, &[2]);
    let error = jit
        .call("add_one", &[Argument::MemRef(&shared)])
        .unwrap_err()
        .to_string();
    assert_eq!(
        error,
        "argument #0 of function 'add_one' is memref<?xf32> and may be written to, but 2xf32 is read-only"
    );
}

/// Results own their memory, whatever the function returned: a new buffer, one twice, an argument, a global.
fn results_own_their_memory() {
    for mode in [AllocMode::Plain, AllocMode::Counting, AllocMode::Checking] {
        for through_pipeline in [true, false] {
            let mut module = Module::parse(PROGRAM).unwrap();
            let jit = if through_pipeline {
                let options = Options {
                    opt_level: Level::O0,
                    stats: (mode == AllocMode::Counting).then_some(Stats::Table),
                    check: (mode == AllocMode::Checking).then_some(Check::Frees),
                    ..Options::default()
                };
                module.compile(&options).unwrap()
            } else {
                let options = CodeOptions {
                    mode,
                    opt_level: OptLevel::None,
                    ..CodeOptions::host()
                };
                // What a program does that nobody adds copies to.
                module
                    .run_passes("builtin.module(native-pipeline{dealloc=none library=whole})")
                    .unwrap();
                module.jit(&options).unwrap()
            };
            let twice = jit
                .get::<(), (MemRefResult, MemRefResult)>("twice")
                .unwrap();
            let (a, b) = twice.call(()).unwrap();
            drop(a);
            assert_eq!(b.as_slice::<i32>().unwrap(), [7; 4]);
            drop(b);
            let global = jit.get::<(), MemRefResult>("global").unwrap();
            drop(global.call(()).unwrap());
            assert_eq!(
                global.call(()).unwrap().to_vec::<f32>().unwrap(),
                [1.0, 2.0, 3.0]
            );
            let mut data = [1.0f32, 2.0];
            let results = {
                let buffer = Buffer::new(&mut data, &[2]);
                jit.call("same", &[Argument::MemRef(&buffer)]).unwrap()
            };
            data.fill(5.0);
            for result in &results {
                assert_eq!(
                    result.as_memref().unwrap().to_vec::<f32>().unwrap(),
                    [1.0, 2.0]
                );
            }
            drop(jit);
            drop(results);
        }
    }
}

/// What the checker says of an access goes to the error stream, which is that of a process of its own here.
fn accesses_to_arguments_are_checked() {
    const INDEX: &str = "FREEHOLD_TEST_CHECKED_INDEX";
    if let Ok(index) = std::env::var(INDEX) {
        let module = Module::parse(
            "func.func @element(%m: memref<?xf32>, %i: i64) -> f32 {
               %at = arith.index_cast %i : i64 to index
               %x = memref.load %m[%at] : memref<?xf32>
               return %x : f32
             }",
        );
        let options = Options {
            check: Some(Check::Accesses),
            ..Options::default()
        };
        let jit = module.unwrap().compile(&options).unwrap();
        let element = jit.get::<(&[f32], i64), f32>("element").unwrap();
        // What is around the argument is none.
        let data: [f32; 12] = std::array::from_fn(|i| i as f32);
        let index: i64 = index.parse().unwrap();
        let found = element.call((&data[4..8], index)).unwrap();
        assert_eq!(found, data[(4 + index) as usize]);
        // Memory that was passed before is not known any more.
        let found = element.call((&data[..2], 1)).unwrap();
        assert_eq!(found, 1.0);
        return;
    }
    let outside = |offset: i64| {
        let what = "error: out of bounds read of 4 bytes";
        Some(format!("{what} at offset {offset} of a buffer of 16 bytes"))
    };
    for (index, error) in [
        (0, None),
        (3, None),
        (4, outside(16)),
        (7, outside(28)),
        (-1, outside(-4)),
    ] {
        let output = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "calls::accesses_to_arguments_are_checked"])
            .env(INDEX, index.to_string())
            .output()
            .unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        match error {
            Some(error) => assert!(said.contains(&error), "{index}: {said}"),
            None => assert!(!said.contains("error"), "{index}: {said}"),
        }
    }
}

fn eight_threads_call_one_function() {
    let jit = compile(PROGRAM);
    let scaled = jit.get::<(&[f32], f32), Vec<f32>>("scaled").unwrap();
    std::thread::scope(|scope| {
        for thread in 0..8u8 {
            let jit = &jit;
            scope.spawn(move || {
                for round in 0..500u16 {
                    let factor = f32::from(thread) + f32::from(round);
                    let result = scaled.call((&[1.0, 2.0, 3.0], factor)).unwrap();
                    assert_eq!(result, [factor, 2.0 * factor, 3.0 * factor]);
                    let results = jit.call("twice", &[]).unwrap();
                    assert_eq!(
                        results[0].as_memref().unwrap().as_slice::<i32>().unwrap(),
                        [7; 4]
                    );
                }
            });
        }
    });
}

/// What the compiler makes of parts of a function is called in ways of its own, so nobody else may call it.
fn only_functions_of_the_program_are_called() {
    let jit = compile(
        "func.func @add(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> attributes {llvm.emit_c_interface} {
           %sum = arith.addf %a, %b : tensor<?xf32>
           return %sum : tensor<?xf32>
         }",
    );
    assert_eq!(jit.function_names(), ["add"]);
    // The first one is there where processors have wide vectors.
    for name in ["add.wide0", "_mlir_ciface_add"] {
        assert!(jit.call(name, &[]).is_err(), "{name}");
        let ones = [1f32; 4];
        let buffer = Buffer::read_only(&ones, &[4]);
        let arguments = [Argument::MemRef(&buffer), Argument::MemRef(&buffer)];
        assert!(jit.call(name, &arguments).is_err(), "{name}");
    }
    let text = "func.func private @own(%m: memref<8xf32>) attributes {no_inline} {
           %x = arith.constant 1.0 : f32
           affine.parallel (%i) = (0) to (8) {
             memref.store %x, %m[%i] : memref<8xf32>
           }
           return
         }
         func.func @fill(%m: memref<8xf32>) {
           call @own(%m) : (memref<8xf32>) -> ()
           return
         }";
    let threads = Options {
        threads: Threads::new(2).unwrap(),
        ..Options::default()
    };
    let jit = Module::parse(text).unwrap().compile(&threads).unwrap();
    assert_eq!(jit.function_names(), ["fill", "own"]);
}

fn errors_say_where() {
    let error = Module::parse("func.func @f() {\n  %x = arith.constant 1 : i31\n  return %x\n}")
        .unwrap_err();
    let report = &error.reports()[0];
    assert_eq!(report.severity.word(), "error");
    let location = report.location.as_ref().unwrap();
    assert_eq!((location.file.as_str(), location.line), ("input.mlir", 3));
    assert!(error.to_string().starts_with("input.mlir:3:"), "{error}");
}

/// Handles go to other threads.
fn what_can_be_shared_is() {
    fn check<T: Send + Sync>() {}
    check::<Jit>();
    check::<MemRefResult>();
    check::<freehold::backend::jit::TypedFunction<'static, (&[f32],), f32>>();
}

/// What a cache has of a program computes what the program does, and what is damaged is compiled again.
fn kept_programs_are_taken_up_again() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("kept-programs");
    let _ = std::fs::remove_dir_all(&folder);
    let options = Options {
        cache: folder.to_str().unwrap().to_owned(),
        ..Options::default()
    };
    let job = Job::new(options, Output::Memory).unwrap();
    let text = sum("total", "memref<?x?xf32>");
    let check = || {
        let source = Source::new("input.mlir", text.as_str());
        let Ok(Product::Code(jit)) = job.run(source) else {
            panic!("no code");
        };
        let mut data = [1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0];
        let buffer = Buffer::new(&mut data, &[2, 3]);
        let results = jit.call("total", &[Argument::MemRef(&buffer)]).unwrap();
        assert_eq!(results[0].as_f32(), Some(21.0));
    };
    let files = || -> Vec<_> {
        let files = std::fs::read_dir(&folder).unwrap();
        files.map(|file| file.unwrap().path()).collect()
    };
    std::thread::scope(|scope| (0..4).for_each(|_| drop(scope.spawn(check))));
    let [file] = &files()[..] else {
        panic!("one program is one file: {:?}", files());
    };
    let whole = std::fs::read(file).unwrap();
    check();
    assert_eq!(std::fs::read(file).unwrap(), whole);
    for n in [0, 1, 30, whole.len() / 2, whole.len() - 1] {
        std::fs::write(file, &whole[..n]).unwrap();
        check();
        assert_eq!(std::fs::read(file).unwrap(), whole, "{n} bytes were left");
    }
}

/// Kernels and parts are made with the code, and are there again where the code is kept.
fn kept_code_makes_no_kernel() {
    let text = "func.func @scale(%a: memref<?xf32>, %b: memref<?xf32>) {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %n = memref.dim %a, %c0 : memref<?xf32>
        scf.for %i = %c0 to %n step %c1 {
          %x = memref.load %a[%i] : memref<?xf32>
          %y = arith.addf %x, %x : f32
          memref.store %y, %b[%i] : memref<?xf32>
        }
        return
      }";
    let mut module = Module::parse(text).unwrap();
    let pipeline = "builtin.module(native-pipeline{vector-bits=512})";
    module.run_passes(pipeline).unwrap();
    let options = CodeOptions {
        cpu: Some(Cpu::native().unwrap()),
        remarks: true,
        // Parts as well.
        part_ops: 4,
        ..CodeOptions::host()
    };
    let has_wide_vectors = options.vectors(true).register > 16;
    let mut saved = None;
    let mut remarks = Vec::new();
    for _ in 0..2 {
        let mut diagnostics = Diagnostics::new();
        let jit = load_or_compile(module.ir(), &options, &mut saved, &mut diagnostics).unwrap();
        let mut from: Vec<f32> = (0..100).map(|n| n as f32).collect();
        let mut to = vec![0.0f32; 100];
        let (from, into) = (Buffer::new(&mut from, &[100]), Buffer::new(&mut to, &[100]));
        let arguments = [Argument::MemRef(&from), Argument::MemRef(&into)];
        jit.call("scale", &arguments).unwrap();
        assert!((0..100).zip(&to).all(|(n, &x)| x == 2.0 * n as f32));
        remarks.push(diagnostics.iter().count());
    }
    assert_eq!(remarks[0] > 0, has_wide_vectors);
    assert_eq!(remarks[1], 0, "kernels were made for code that was there");
}

/// A model runs with sizes of the caller or fixed ones; what is no model is an error.
fn models_of_onnx_are_called() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/classifier.onnx");
    let call = |dim: &[&str], rows: usize| {
        let options = Options {
            dim: dim.iter().map(|&dim| dim.to_owned()).collect(),
            ..Options::default()
        };
        let jit = Module::from_onnx(&path).unwrap().compile(&options).unwrap();
        let mut x = vec![1.0f32; 4 * rows];
        let buffer = Buffer::new(&mut x, &[rows, 4]);
        let results = jit.call("main", &[Argument::MemRef(&buffer)]);
        let results = results.map_err(|error| error.to_string())?;
        let result = results.into_iter().find_map(ResultValue::into_memref);
        Ok::<_, String>(result.unwrap().to_vec::<f32>().unwrap())
    };
    let rows = call(&[], 3).unwrap();
    assert_eq!(rows.len(), 9);
    for row in rows.chunks(3) {
        assert!((row.iter().sum::<f32>() - 1.0).abs() < 1e-6, "{row:?}");
    }
    assert_eq!(call(&["batch=3"], 3).unwrap(), rows);
    assert!(call(&["batch=3"], 2).is_err());
    let other = path.with_file_name("mlp.mlir");
    let error = Module::from_onnx(other).err().unwrap().to_string();
    assert!(error.contains("is no ONNX model"), "{error}");
}

#[cfg(feature = "ndarray")]
fn arrays_of_ndarray_are_passed_where_they_are() {
    use ndarray::{Array1, Array2, ArrayView2, array};

    let text = sum("rows", "memref<?x?xf32>")
        + &sum("strided", "memref<?x?xf32, strided<[?, ?], offset: ?>>")
        + "func.func @matmul(%a: tensor<?x?xf64>, %b: tensor<?x?xf64>) -> tensor<?x?xf64> {
             %c0 = arith.constant 0 : index
             %c1 = arith.constant 1 : index
             %zero = arith.constant 0.0 : f64
             %n = tensor.dim %a, %c0 : tensor<?x?xf64>
             %m = tensor.dim %b, %c1 : tensor<?x?xf64>
             %e = tensor.empty(%n, %m) : tensor<?x?xf64>
             %z = linalg.fill ins(%zero : f64) outs(%e : tensor<?x?xf64>) -> tensor<?x?xf64>
             %r = linalg.matmul ins(%a, %b : tensor<?x?xf64>, tensor<?x?xf64>) outs(%z : tensor<?x?xf64>)
               -> tensor<?x?xf64>
             return %r : tensor<?x?xf64>
           }";
    let jit = compile(&text);
    let rows = jit.get::<(&Array2<f32>,), f32>("rows").unwrap();
    let a = array![[1.0f32, 2.0, 3.0], [4.0, 5.0, 6.0]];
    assert_eq!(rows.call((&a,)).unwrap(), 21.0);
    // Columns in memory are refused where rows are needed, and walked where they are not.
    let transposed = a.clone().reversed_axes();
    let error = rows.call((&transposed,)).unwrap_err().to_string();
    assert!(error.contains("row-major"), "{error}");
    let strided = jit.get::<(ArrayView2<'_, f32>,), f32>("strided").unwrap();
    assert_eq!(strided.call((transposed.view(),)).unwrap(), 21.0);
    assert_eq!(
        strided.call((a.slice(ndarray::s![..;-1, 1..]),)).unwrap(),
        16.0
    );
    let matmul = jit
        .get::<(&Array2<f64>, &Array2<f64>), Array2<f64>>("matmul")
        .unwrap();
    let (x, y) = (array![[1.0, 2.0], [3.0, 4.0]], array![[5.0], [6.0]]);
    assert_eq!(matmul.call((&x, &y)).unwrap(), array![[17.0], [39.0]]);
    assert!(jit.get::<(&Array1<f32>,), f32>("rows").is_err());
}

/// The tests of this module.
pub(crate) fn tests() -> Vec<Trial> {
    let tests = trials![
        buffers_fit_or_are_refused,
        null_and_bytes_are_checked,
        typed_functions_take_and_return_rust,
        results_own_their_memory,
        accesses_to_arguments_are_checked,
        eight_threads_call_one_function,
        only_functions_of_the_program_are_called,
        errors_say_where,
        what_can_be_shared_is,
        kept_programs_are_taken_up_again,
        kept_code_makes_no_kernel,
        models_of_onnx_are_called,
    ];
    #[cfg(feature = "ndarray")]
    let tests = [tests, trials![arrays_of_ndarray_are_passed_where_they_are]]
        .into_iter()
        .flatten()
        .collect();
    tests
}
