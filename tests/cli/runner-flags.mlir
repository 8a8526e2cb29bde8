// What upstream's runner takes: levels with two dashes, listeners, an object file besides, one module only.

// RUN: freehold run %s --O3 --enable-gdb-listener=false --enable-perf-listener --entry-point-result=f32 | FileCheck %s
// RUN: freehold run %s -dump-object-file -object-filename=%t.o -entry-point-result=f32 | FileCheck %s
// RUN: nm %t.o | FileCheck %s --check-prefix=OBJECT
// RUN: cat %s | freehold run --entry-point-result=f32 | FileCheck %s
// RUN: not freehold run %s --no-implicit-module 2>&1 | FileCheck %s --check-prefix=MODULE
// RUN: not freehold run %s -dump-object-file -object-filename=%t.none/a.o 2>&1 | FileCheck %s --check-prefix=FOLDER

// CHECK:  4.200000e+01
// OBJECT: T main
// MODULE: Error: top-level op must be a symbol table.
// FOLDER: a.o': No such file or directory
func.func @main() -> f32 {
  %0 = arith.constant 42.0 : f32
  return %0 : f32
}
