//! Our objects linked with objects of other compilers: C through the C
//! interface, LLVM by the calling convention of its lowering of MLIR.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use libtest_mimic::Trial;

use crate::common::{Machine, Module, aarch64, scratch};
use crate::needs;
use freehold_backend::Options;
use freehold_backend::isa::Target;

/// How to compile C, lower to machine code, and run for a target.
struct Toolchain {
    target: Target,
    cc: &'static str,
    link: &'static [&'static str],
    emulator: Option<&'static str>,
}

fn toolchain(machine: Machine) -> Toolchain {
    match machine {
        Machine::Host => Toolchain {
            target: Target::host(),
            cc: "cc",
            link: &[],
            emulator: None,
        },
        Machine::AArch64 => Toolchain {
            target: aarch64(),
            cc: "aarch64-linux-gnu-gcc",
            link: &["-static"],
            emulator: Some("qemu-aarch64"),
        },
    }
}

fn run(command: &mut Command) {
    let output = command.output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {errors}");
}

impl Toolchain {
    fn file(&self, name: &str) -> PathBuf {
        scratch(&format!("{}-{name}", self.target.triple().architecture))
    }

    /// Our object of a module.
    fn object(&self, name: &str, mlir: &str) -> PathBuf {
        let path = self.file(&format!("{name}.o"));
        let object = Module::parse(mlir).object(&Options::new(self.target.clone()));
        fs::write(&path, object).unwrap();
        path
    }

    /// LLVM's object of a module.
    fn llvm_object(&self, name: &str, mlir: &str) -> PathBuf {
        let [source, lowered, ir, object] =
            ["mlir", "llvm.mlir", "ll", "llvm.o"].map(|kind| self.file(&format!("{name}.{kind}")));
        fs::write(&source, mlir).unwrap();
        run(Command::new("mlir-opt-19")
            .args(["-expand-strided-metadata", "-finalize-memref-to-llvm"])
            .args(["-convert-complex-to-llvm", "-convert-func-to-llvm"])
            .args(["-convert-arith-to-llvm", "-convert-cf-to-llvm"])
            .args(["-reconcile-unrealized-casts", "-o"])
            .args([&lowered, &source]));
        run(Command::new("mlir-translate-19")
            .args(["--mlir-to-llvmir", "-o"])
            .args([&ir, &lowered]));
        let triple = format!("-mtriple={}", self.target);
        run(Command::new("llc-19")
            .args(["-O1", "-filetype=obj", "-relocation-model=pic"])
            .args([&triple, "-o"])
            .args([&object, &ir]));
        object
    }

    /// What a program linked from these objects and this C source prints.
    fn run(&self, name: &str, c: &str, objects: &[PathBuf]) -> String {
        let source = self.file(&format!("{name}.c"));
        fs::write(&source, c).unwrap();
        let program = self.file(name);
        run(Command::new(self.cc)
            .args(["-O1", "-Wall", "-Werror", "-o"])
            .args([&program, &source])
            .args(objects)
            .args(self.link)
            .arg("-lm"));
        let mut command = match self.emulator {
            Some(emulator) => {
                let mut command = Command::new(emulator);
                command.arg(&program);
                command
            }
            None => Command::new(&program),
        };
        let output = command.output().unwrap();
        assert!(output.status.success(), "{name}: {:?}", output.status);
        String::from_utf8(output.stdout).unwrap()
    }
}

const C_TYPES: &str = "
    #include <stdbool.h>
    #include <stdint.h>
    #include <stdio.h>
    #include <stdlib.h>
    struct memref1 { void *allocated, *aligned; int64_t offset, sizes[1], strides[1]; };
    struct memref2 { void *allocated, *aligned; int64_t offset, sizes[2], strides[2]; };
    struct unranked { int64_t rank; void *descriptor; };
";

fn c_calls_us_and_we_call_c(machine: Machine) {
    let mlir = "
        func.func private @c_sum(memref<?x?xf32, strided<[?, ?], offset: ?>>, i32) -> f32
            attributes {llvm.emit_c_interface}
        func.func private @c_make(index) -> memref<?xf32> attributes {llvm.emit_c_interface}
        func.func private @c_plain(i32, f64) -> f64
        func.func @sum_part(%m: memref<?x?xf32>, %i: index, %flag: i1) -> f32
            attributes {llvm.emit_c_interface} {
          %two = arith.constant 2 : i32
          %part = memref.subview %m[%i, 1][2, 2][1, 1]
            : memref<?x?xf32> to memref<2x2xf32, strided<[?, 1], offset: ?>>
          %any = memref.cast %part
            : memref<2x2xf32, strided<[?, 1], offset: ?>> to memref<?x?xf32, strided<[?, ?], offset: ?>>
          %sum = call @c_sum(%any, %two)
            : (memref<?x?xf32, strided<[?, ?], offset: ?>>, i32) -> f32
          %negative = arith.negf %sum : f32
          %result = arith.select %flag, %negative, %sum : f32
          return %result : f32
        }
        func.func @rows(%m: memref<?x?xf32>) -> (memref<?xf32, strided<[?], offset: ?>>, index)
            attributes {llvm.emit_c_interface} {
          %c0 = arith.constant 0 : index
          %n = memref.dim %m, %c0 : memref<?x?xf32>
          %column = memref.subview %m[0, 2][%n, 1][1, 1]
            : memref<?x?xf32> to memref<?xf32, strided<[?], offset: 2>>
          %cast = memref.cast %column
            : memref<?xf32, strided<[?], offset: 2>> to memref<?xf32, strided<[?], offset: ?>>
          return %cast, %n : memref<?xf32, strided<[?], offset: ?>>, index
        }
        func.func @made(%n: index) -> f32 attributes {llvm.emit_c_interface} {
          %m = call @c_make(%n) : (index) -> memref<?xf32>
          %c1 = arith.constant 1 : index
          %last = arith.subi %n, %c1 : index
          %r = memref.load %m[%last] : memref<?xf32>
          memref.dealloc %m : memref<?xf32>
          return %r : f32
        }
        func.func @rank(%u: memref<*xf32>) -> index attributes {llvm.emit_c_interface} {
          %r = memref.rank %u : memref<*xf32>
          return %r : index
        }
        func.func @conjugate(%z: complex<f64>) -> complex<f64> attributes {llvm.emit_c_interface} {
          %r = complex.conj %z : complex<f64>
          return %r : complex<f64>
        }
        func.func @plain(%a: i32) -> f64 {
          %x = arith.constant 0.5 : f64
          %r = call @c_plain(%a, %x) : (i32, f64) -> f64
          return %r : f64
        }";
    let c = format!(
        "{C_TYPES}
        float _mlir_ciface_sum_part(struct memref2 *, int64_t, bool);
        void _mlir_ciface_rows(void *, struct memref2 *);
        float _mlir_ciface_made(int64_t);
        int64_t _mlir_ciface_rank(struct unranked *);
        void _mlir_ciface_conjugate(double *, double, double);
        double plain(int);
        float _mlir_ciface_c_sum(struct memref2 *m, int scale) {{
          float sum = 0;
          for (int i = 0; i < m->sizes[0]; i++)
            for (int j = 0; j < m->sizes[1]; j++)
              sum += ((float *)m->aligned)[m->offset + i * m->strides[0] + j * m->strides[1]];
          return sum * scale;
        }}
        void _mlir_ciface_c_make(struct memref1 *out, int64_t n) {{
          float *data = malloc(n * sizeof(float));
          for (int i = 0; i < n; i++) data[i] = i * 10;
          *out = (struct memref1){{data, data, 0, {{n}}, {{1}}}};
        }}
        double c_plain(int a, double b) {{ return a + b; }}
        int main() {{
          float data[3][4];
          for (int i = 0; i < 12; i++) data[i / 4][i % 4] = i;
          struct memref2 m = {{data, data, 0, {{3, 4}}, {{4, 1}}}};
          printf(\"%g %g\\n\", _mlir_ciface_sum_part(&m, 1, false), _mlir_ciface_sum_part(&m, 0, true));
          struct {{ struct memref1 column; int64_t n; }} rows;
          _mlir_ciface_rows(&rows, &m);
          printf(\"%d %d %d %d %d\\n\", rows.column.aligned == data, (int)rows.column.offset,
                 (int)rows.column.sizes[0], (int)rows.column.strides[0], (int)rows.n);
          printf(\"%g\\n\", _mlir_ciface_made(5));
          struct unranked u = {{2, &m}};
          printf(\"%d\\n\", (int)_mlir_ciface_rank(&u));
          double z[2];
          _mlir_ciface_conjugate(z, 1.5, 2.5);
          printf(\"%g %g\\n\", z[0], z[1]);
          printf(\"%g\\n\", plain(3));
        }}"
    );
    let toolchain = toolchain(machine);
    {
        let object = toolchain.object("with-c", mlir);
        let printed = toolchain.run("with-c", &c, &[object]);
        assert_eq!(printed, "60 -28\n1 2 3 4 3\n40\n2\n1.5 -2.5\n3.5\n");
    }
}

/// Memrefs as plain pointers, in both directions, between arguments in registers and in memory.
fn bare_pointers(machine: Machine) {
    let mlir = "
        func.func private @c_scale(f32, memref<2x3xf32>, i64, memref<2xf64, strided<[2], offset: 1>>) -> i64
            attributes {llvm.bareptr}
        func.func @total(%k: i64, %m: memref<2x3xf32>, %f: f32, %z: complex<f64>, %a: index, %b: index, %c: index, %d: index,
                         %v: memref<2xf64, strided<[2], offset: 1>>)
            -> (f64, i64, i64, i64, i64, i64, i64, i64, i64, i64) attributes {llvm.bareptr} {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %c2 = arith.constant 2 : index
          %s = call @c_scale(%f, %m, %k, %v)
            : (f32, memref<2x3xf32>, i64, memref<2xf64, strided<[2], offset: 1>>) -> i64
          %x = memref.load %m[%c1, %c2] : memref<2x3xf32>
          %y = memref.load %v[%c1] : memref<2xf64, strided<[2], offset: 1>>
          %x64 = arith.extf %x : f32 to f64
          %r = arith.addf %x64, %y : f64
          %ab = arith.subi %a, %b : index
          %cd = arith.subi %c, %d : index
          %abi = arith.index_cast %ab : index to i64
          %cdi = arith.index_cast %cd : index to i64
          return %r, %s, %abi, %cdi, %k, %k, %k, %k, %k, %k : f64, i64, i64, i64, i64, i64, i64, i64, i64, i64
        }";
    let c = format!(
        "{C_TYPES}
        struct results {{ double r; int64_t s, ab, cd, k[6]; }};
        struct results total(int64_t, float *, float, double, double, int64_t, int64_t, int64_t, int64_t, double *);
        int64_t c_scale(float f, float *m, int64_t k, double *v) {{
          for (int i = 0; i < 6; i++) m[i] *= f;
          for (int i = 0; i < 4; i++) v[i] += k;
          return 4 * k;
        }}
        int main() {{
          float m[6] = {{1, 2, 3, 4, 5, 6}};
          double v[4] = {{10, 20, 30, 40}};
          struct results r = total(7, m, 2, 0, 0, 9, 4, 1, 3, v);
          printf(\"%g %d %d %d %d\\n\", r.r, (int)r.s, (int)r.ab, (int)r.cd, (int)r.k[5]);
        }}"
    );
    let toolchain = toolchain(machine);
    let object = toolchain.object("bare", mlir);
    // 6 * 2 + 40 + 7
    assert_eq!(toolchain.run("bare", &c, &[object]), "59 28 5 -2 7\n");
}

/// Functions of every shape, implemented by one compiler and called by the
/// other, in both directions. Returning more than two floats on x86-64 is where
/// LLVM's convention cannot be followed, so the shapes stop there.
fn llvm_calls_us_and_we_call_llvm(machine: Machine) {
    // Implementation of `@<side>_*`, used by the other side's `@<other>_calls`.
    let side = |own: &str, other: &str| {
        let library = "
        func.func @S_memref(%m: memref<?x?xf32>, %u: memref<*xf32>, %i: i1, %s: i8) -> memref<?xf32> {
          %c1 = arith.constant 1 : index
          %n = memref.dim %m, %c1 : memref<?x?xf32>
          %r = memref.alloc(%n) : memref<?xf32>
          %c0 = arith.constant 0 : index
          %x = memref.load %m[%c1, %c0] : memref<?x?xf32>
          %v = memref.cast %u : memref<*xf32> to memref<4xf32>
          %y = memref.load %v[%c1] : memref<4xf32>
          %sum = arith.addf %x, %y : f32
          %k = arith.sitofp %s : i8 to f32
          %scaled = arith.mulf %sum, %k : f32
          %z = arith.select %i, %scaled, %sum : f32
          memref.store %z, %r[%c0] : memref<?xf32>
          return %r : memref<?xf32>
        }
        func.func @S_three(%a: i64, %b: i8, %c: f32) -> (i64, f32, i16) {
          %b16 = arith.extsi %b : i8 to i16
          return %a, %c, %b16 : i64, f32, i16
        }
        func.func @S_many(%a: i64, %b: f64, %c: i1) -> (i64, f64, i1, i64, i64, i64, f32) {
          %f = arith.truncf %b : f64 to f32
          return %a, %b, %c, %a, %a, %a, %f : i64, f64, i1, i64, i64, i64, f32
        }
        func.func @S_nine(%a: i64) -> (i64, i64, i64, i64, i64, i64, i64, i64, i64) {
          return %a, %a, %a, %a, %a, %a, %a, %a, %a : i64, i64, i64, i64, i64, i64, i64, i64, i64
        }
        func.func @S_unranked(%m: memref<4xf32>) -> memref<*xf32> {
          %u = memref.cast %m : memref<4xf32> to memref<*xf32>
          return %u : memref<*xf32>
        }
        func.func @S_complex(%z: complex<f64>, %i: i128) -> (complex<f64>, i64) {
          %r = complex.add %z, %z : complex<f64>
          %t = arith.trunci %i : i128 to i64
          return %r, %t : complex<f64>, i64
        }
        func.func @S_half(%x: f16, %y: bf16) -> f16 {
          return %x : f16
        }
        func.func private @O_memref(memref<?x?xf32>, memref<*xf32>, i1, i8) -> memref<?xf32>
        func.func private @O_three(i64, i8, f32) -> (i64, f32, i16)
        func.func private @O_many(i64, f64, i1) -> (i64, f64, i1, i64, i64, i64, f32)
        func.func private @O_nine(i64) -> (i64, i64, i64, i64, i64, i64, i64, i64, i64)
        func.func private @O_unranked(memref<4xf32>) -> memref<*xf32>
        func.func private @O_complex(complex<f64>, i128) -> (complex<f64>, i64)
        func.func private @O_half(f16, bf16) -> f16
        func.func @S_calls() -> f64 {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %c2 = arith.constant 2 : index
          %c3 = arith.constant 3 : index
          %true = arith.constant true
          %f1 = arith.constant 1.25 : f32
          %f2 = arith.constant 2.5 : f32
          %i8 = arith.constant -3 : i8
          %i64 = arith.constant 1000 : i64
          %f64 = arith.constant 0.125 : f64
          %m = memref.alloc(%c2, %c3) : memref<?x?xf32>
          memref.store %f1, %m[%c1, %c0] : memref<?x?xf32>
          %four = memref.alloc() : memref<4xf32>
          memref.store %f2, %four[%c1] : memref<4xf32>
          %u = call @O_unranked(%four) : (memref<4xf32>) -> memref<*xf32>
          %r = call @O_memref(%m, %u, %true, %i8)
            : (memref<?x?xf32>, memref<*xf32>, i1, i8) -> memref<?xf32>
          %x = memref.load %r[%c0] : memref<?xf32>
          %x64 = arith.extf %x : f32 to f64
          %t:3 = call @O_three(%i64, %i8, %f2) : (i64, i8, f32) -> (i64, f32, i16)
          %t0 = arith.sitofp %t#0 : i64 to f64
          %t1 = arith.extf %t#1 : f32 to f64
          %t2 = arith.sitofp %t#2 : i16 to f64
          %n:7 = call @O_many(%i64, %f64, %true)
            : (i64, f64, i1) -> (i64, f64, i1, i64, i64, i64, f32)
          %n2 = arith.uitofp %n#2 : i1 to f64
          %n5 = arith.sitofp %n#5 : i64 to f64
          %n6 = arith.extf %n#6 : f32 to f64
          %q:9 = call @O_nine(%i64)
            : (i64) -> (i64, i64, i64, i64, i64, i64, i64, i64, i64)
          %q8 = arith.sitofp %q#8 : i64 to f64
          %z = complex.create %f64, %f64 : complex<f64>
          %wide = arith.constant 5 : i128
          %w:2 = call @O_complex(%z, %wide) : (complex<f64>, i128) -> (complex<f64>, i64)
          %im = complex.im %w#0 : complex<f64>
          %w1 = arith.sitofp %w#1 : i64 to f64
          %h = arith.constant 3.0 : f16
          %b = arith.constant 4.0 : bf16
          %hr = call @O_half(%h, %b) : (f16, bf16) -> f16
          %hbits = arith.bitcast %hr : f16 to i16
          %hint = arith.uitofp %hbits : i16 to f64
          %s0 = arith.addf %x64, %t0 : f64
          %s1 = arith.addf %s0, %t1 : f64
          %s2 = arith.addf %s1, %t2 : f64
          %s3 = arith.addf %s2, %n#1 : f64
          %s4 = arith.addf %s3, %n2 : f64
          %s5 = arith.addf %s4, %n5 : f64
          %s6 = arith.addf %s5, %n6 : f64
          %s7 = arith.addf %s6, %q8 : f64
          %s8 = arith.addf %s7, %im : f64
          %s9 = arith.addf %s8, %w1 : f64
          %s10 = arith.addf %s9, %hint : f64
          memref.dealloc %r : memref<?xf32>
          memref.dealloc %m : memref<?x?xf32>
          memref.dealloc %four : memref<4xf32>
          return %s10 : f64
        }";
        library
            .replace("@S_", &format!("@{own}_"))
            .replace("@O_", &format!("@{other}_"))
    };
    let c = format!(
        "{C_TYPES}
        double ours_calls(void);
        double theirs_calls(void);
        int main() {{ printf(\"%.6f %.6f\\n\", ours_calls(), theirs_calls()); }}"
    );
    let toolchain = toolchain(machine);
    {
        let objects = [
            toolchain.object("ours", &side("ours", "theirs")),
            toolchain.llvm_object("theirs", &side("theirs", "ours")),
        ];
        let printed = toolchain.run("with-llvm", &c, &objects);
        // -11.25 + 1000 + 2.5 - 3 + 0.125 + 1 + 1000 + 0.125 + 1000 + 0.25 + 5 + 0x4200
        assert_eq!(printed, "19890.750000 19890.750000\n");
    }
}

/// The tests of this module. They link no runtime.
pub(crate) fn tests() -> Vec<Trial> {
    const LLVM: [&str; 3] = ["mlir-opt-19", "mlir-translate-19", "llc-19"];
    const EMULATED: [&str; 2] = ["aarch64-linux-gnu-gcc", "qemu-aarch64"];
    let mut tests = Vec::new();
    for (machine, needs) in [(Machine::Host, &["cc"][..]), (Machine::AArch64, &EMULATED)] {
        let name = |test: &str| format!("interop::{test} ({machine:?})");
        let with_c: [(_, fn(Machine)); 2] = [
            ("c_calls_us_and_we_call_c", c_calls_us_and_we_call_c),
            ("bare_pointers", bare_pointers),
        ];
        for (test, run) in with_c {
            tests.push(needs::trial(name(test), needs, move || {
                run(machine);
                Ok(())
            }));
        }
        let needs = [needs, &LLVM].concat();
        tests.push(needs::trial(
            name("llvm_calls_us_and_we_call_llvm"),
            &needs,
            move || {
                llvm_calls_us_and_we_call_llvm(machine);
                Ok(())
            },
        ));
    }
    tests
}
