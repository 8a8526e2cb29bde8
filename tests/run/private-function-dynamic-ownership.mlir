// Private functions return a flag per buffer instead of a copy: with the option all, else those that may return what they
// do not own. What is called through its address returns what it is declared to return.
// RUN: freehold run %s --merge-alloc=never --stats=json 2>&1 | FileCheck %s --check-prefixes=CHECK,BORROWED
// RUN: freehold run %s --private-function-dynamic-ownership --check 2>&1 | FileCheck %s
// RUN: freehold run %s --private-function-dynamic-ownership --merge-alloc=never --stats=json 2>&1 | FileCheck %s --check-prefixes=CHECK,FLAGS
// RUN: freehold run %s --private-function-dynamic-ownership -O0 --stats=json 2>&1 | FileCheck %s --check-prefixes=CHECK,FLAGS

func.func private @printI64(i64)
func.func private @printNewline()

func.func private @show(%m: memref<?xi64>) attributes {passthrough = ["noinline"]} {
  %c0 = arith.constant 0 : index
  %x = memref.load %m[%c0] : memref<?xi64>
  call @printI64(%x) : (i64) -> ()
  call @printNewline() : () -> ()
  return
}

// Its argument, or something new.
func.func private @either(%m: memref<?xi64>, %new: i1) -> memref<?xi64> {
  cf.cond_br %new, ^fresh, ^old
^fresh:
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = memref.alloc(%c1) : memref<?xi64>
  %x = memref.load %m[%c0] : memref<?xi64>
  %y = arith.addi %x, %x : i64
  memref.store %y, %r[%c0] : memref<?xi64>
  return %r : memref<?xi64>
^old:
  return %m : memref<?xi64>
}

// Its address is taken.
func.func private @same(%m: memref<?xi64>) -> memref<?xi64> {
  return %m : memref<?xi64>
}

func.func private @chosen() -> memref<?xi64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %true = arith.constant true
  %v = arith.constant 21 : i64
  %m = memref.alloc(%c1) : memref<?xi64>
  memref.store %v, %m[%c0] : memref<?xi64>
  %r = call @either(%m, %true) : (memref<?xi64>, i1) -> memref<?xi64>
  call @show(%r) : (memref<?xi64>) -> ()
  return %r : memref<?xi64>
}

// CHECK: 1
// CHECK-NEXT: 2
// CHECK-NEXT: 4
// CHECK-NEXT: 4
// CHECK-NEXT: 4
// CHECK-NEXT: 4
// CHECK-NEXT: 42
// BORROWED: "allocs": 5, {{.*}} "copies": 0,
// FLAGS: "allocs": 5, {{.*}} "copies": 0,
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c2 = arith.constant 2 : index
  %one = arith.constant 1 : i64
  %a = memref.alloc(%c1) : memref<?xi64>
  memref.store %one, %a[%c0] : memref<?xi64>
  call @show(%a) : (memref<?xi64>) -> ()
  %last = scf.for %i = %c0 to %c4 step %c1 iter_args(%m = %a) -> memref<?xi64> {
    %new = arith.cmpi slt, %i, %c2 : index
    %r = func.call @either(%m, %new) : (memref<?xi64>, i1) -> memref<?xi64>
    func.call @show(%r) : (memref<?xi64>) -> ()
    scf.yield %r : memref<?xi64>
  }
  %f = constant @same : (memref<?xi64>) -> memref<?xi64>
  %s = call_indirect %f(%last) : (memref<?xi64>) -> memref<?xi64>
  call @show(%s) : (memref<?xi64>) -> ()
  %c = call @chosen() : () -> memref<?xi64>
  return
}
