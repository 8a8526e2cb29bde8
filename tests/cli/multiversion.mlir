// Objects with versions of their code for several processors: the last one that the processor can run is
// chosen when the object is loaded, callers see one function, and memory is shared.
//
// REQUIRES: cc, qemu-x86_64
// RUN: freehold compile %s --emit=exe --target=x86_64-unknown-linux-gnu --fp=contract --multiversion=v2,v3,v4 \
// RUN:   --entry-point=fused -o %t
// RUN: qemu-x86_64 -cpu Nehalem %t --input=f32=1.0001 2>/dev/null | FileCheck %s --check-prefix=ROUNDED
// RUN: qemu-x86_64 -cpu Haswell %t --input=f32=1.0001 2>/dev/null | FileCheck %s --check-prefix=FUSED
// RUN: qemu-x86_64 -cpu Haswell %t --function=sum --input=index=4 2>/dev/null | FileCheck %s --check-prefix=SUM
// RUN: %t --function=sum --input=index=4 | FileCheck %s --check-prefix=SUM
// ROUNDED: f32 = 0.0{{$}}
// FUSED: f32 = {{-?[0-9.]+e-}}
// SUM: f32 = 8.0{{$}}
//
// The last one that fits is run, even if an earlier one wants more.
// RUN: freehold compile %s --emit=exe --target=x86_64-unknown-linux-gnu --fp=contract --multiversion=haswell,v2 \
// RUN:   --entry-point=fused -o %t
// RUN: qemu-x86_64 -cpu Nehalem %t --input=f32=1.0001 2>/dev/null | FileCheck %s --check-prefix=ROUNDED
// RUN: qemu-x86_64 -cpu Haswell %t --input=f32=1.0001 2>/dev/null | FileCheck %s --check-prefix=ROUNDED
//
// C calls versions of libraries, of objects linked statically, and before the constructors of the object.
// RUN: freehold compile %s --target=x86_64-unknown-linux-gnu --fp=contract --multiversion=v3 --emit=header -o %T/versions.h
// RUN: freehold compile %s --target=x86_64-unknown-linux-gnu --fp=contract --multiversion=v3 -g -o %t.o
// RUN: cc -std=c11 -Wall -Wextra -Werror -I %T %S/inputs/versions.c %t.o -lm -o %t.c
// RUN: qemu-x86_64 -cpu Haswell %t.c 2>/dev/null | FileCheck %s --check-prefix=C
// RUN: cc -static -std=c11 -I %T %S/inputs/versions.c %t.o -lm -o %t.static
// RUN: qemu-x86_64 -cpu Haswell %t.static 2>/dev/null | FileCheck %s --check-prefix=C
// RUN: freehold compile %s --target=x86_64-unknown-linux-gnu --fp=contract --multiversion=v3 -o %T/libversions.so
// RUN: cc -fPIC -std=c11 -I %T %S/inputs/versions.c %T/libversions.so -Wl,-rpath,%T -lm -o %t.shared
// RUN: qemu-x86_64 -cpu Haswell %t.shared 2>/dev/null | FileCheck %s --check-prefix=C
// C: before: 1 calls
// C-NEXT: after: 2 calls, fused
//
// RUN: not freehold compile %s --multiversion=v9 -o - 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: freehold compile: error: unknown CPU 'v9' for target '{{.*}}': known are native, generic,
// RUN: not freehold compile %S/inputs/version-names.mlir --multiversion=v3 -o - 2>&1 | FileCheck %s --check-prefix=NAMES
// NAMES: version-names.mlir:4:1: error: symbol named 'f.v3' is that of a version of another one
// RUN: not freehold compile %s --multiversion=v2,v2 -o - 2>&1 | FileCheck %s --check-prefix=TWICE
// TWICE: freehold compile: error: --multiversion has 'v2' twice
// RUN: not freehold compile %s --target=aarch64-unknown-linux-gnu --multiversion=v2 -o - 2>&1 \
// RUN:   | FileCheck %s --check-prefix=ELSEWHERE
// ELSEWHERE: freehold compile: error: --multiversion is for x86-64 and Linux
// RUN: not freehold compile %s --multiversion=v2 --workspace=static -o - 2>&1 | FileCheck %s --check-prefix=WORKSPACE
// WORKSPACE: freehold compile: error: versions may want workspaces of different sizes: leave out --multiversion
// RUN: not freehold compile %s --multiversion=v2 --emit=asm 2>&1 | FileCheck %s --check-prefix=TEXT
// TEXT: freehold compile: error: --multiversion is for code that is loaded, and not for text

// One for all versions, whichever runs first.
memref.global @calls : memref<i64> = dense<0>
memref.global "private" constant @weights : memref<4xf32> = dense<[1.0, 2.0, 3.0, 2.0]>

// The square of a number less its rounded square: zero unless products are added unrounded.
func.func @fused(%x: f32) -> f32 {
  %m = memref.get_global @calls : memref<i64>
  %n = memref.load %m[] : memref<i64>
  %one = arith.constant 1 : i64
  %next = arith.addi %n, %one : i64
  memref.store %next, %m[] : memref<i64>
  %y = func.call @square(%x) : (f32) -> f32
  %negative = arith.negf %y : f32
  %product = arith.mulf %x, %x : f32
  %z = arith.addf %product, %negative : f32
  return %z : f32
}

func.func private @square(%x: f32) -> f32 attributes {passthrough = ["noinline"]} {
  %y = arith.mulf %x, %x : f32
  return %y : f32
}

func.func @sum(%n: index) -> f32 attributes {llvm.emit_c_interface} {
  %w = memref.get_global @weights : memref<4xf32>
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> f32 {
    %x = memref.load %w[%i] : memref<4xf32>
    %next = arith.addf %acc, %x : f32
    scf.yield %next : f32
  }
  return %sum : f32
}
