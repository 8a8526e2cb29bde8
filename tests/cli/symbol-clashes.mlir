// Names that are taken, by the runtime or by what generated code calls.
//
// RUN: not freehold compile %s --emit=exe -o %t 2>&1 | FileCheck %s
// RUN: not freehold compile %s --emit=lib -o %t 2>&1 | FileCheck %s
// RUN: not cat %t
// RUN: not freehold compile %s --emit=obj -o %t 2>&1 | FileCheck %s --check-prefix=OBJ
// In memory, the compiler's own calls go to the C library.
// RUN: freehold run %s | FileCheck %s --check-prefix=MEMORY
// RUN: not cat %t
// RUN: not freehold compile %s --emit=exe -e other -o %t 2>&1 | FileCheck %s --check-prefix=MAIN

// Objects are not linked with the runtime.
// CHECK: [[@LINE+2]]:1: error: redefinition of symbol named 'printI64', which the runtime defines
// OBJ-NOT: printI64
func.func @printI64(%x: i64) {
  return
}

// OBJ: [[@LINE+1]]:1: error: redefinition of symbol named 'malloc', which generated code expects
func.func @malloc(%n: index) -> memref<?xi8> {
  %m = memref.alloc(%n) : memref<?xi8>
  return %m : memref<?xi8>
}

// The compiler calls it something else.
func.func private @free(%m: memref<?xi8>) {
  return
}

// MAIN: error: redefinition of symbol named 'main'
func.func @main() -> f64 {
  %x = arith.constant 2.0 : f64
  %n = arith.constant 3 : index
  %m = call @malloc(%n) : (index) -> memref<?xi8>
  %y = call @atan2(%x) : (f64) -> f64
  return %y : f64
}

func.func @other() {
  return
}

// MEMORY: result #0: f64 = 1.1
func.func @atan2(%x: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %y = math.atan2 %x, %one : f64
  return %y : f64
}
