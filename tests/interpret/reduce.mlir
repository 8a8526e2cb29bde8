// RUN: freehold reduce %s --test="! grep -q divsi" 2>%t.err | FileCheck %s
// RUN: FileCheck %s --check-prefix=COUNT < %t.err
// RUN: not freehold reduce %s --test="! grep -q remsi" 2>&1 | FileCheck %s --check-prefix=NOT
// RUN: not freehold reduce %s --wrong 2>&1 | FileCheck %s --check-prefix=NOT
// RUN: not freehold reduce %s 2>&1 | FileCheck %s --check-prefix=USAGE

// The command says with a status other than 0 that a program is interesting, as for mlir-reduce.

// COUNT: reduced {{[0-9]+}} lines to {{[0-9]}} in {{[0-9]+}} tests
// NOT: error: the program is not interesting to begin with
// USAGE: --test <COMMAND>|--crash|--wrong

// CHECK-NOT:  memref
// CHECK:      func.func @main
// CHECK-NOT:  scf
// CHECK:      arith.divsi
// CHECK-NOT:  call
// CHECK:      return
func.func private @other(%x: i32) -> i32 {
  %y = arith.muli %x, %x : i32
  return %y : i32
}

func.func @main() -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  %zero = arith.constant 0 : i32
  %three = arith.constant 3 : i32
  %m = memref.alloc() : memref<10xi32>
  scf.for %i = %c0 to %c10 step %c1 {
    %k = arith.index_cast %i : index to i32
    memref.store %k, %m[%i] : memref<10xi32>
  }
  %sum = scf.for %i = %c0 to %c10 step %c1 iter_args(%s = %zero) -> i32 {
    %x = memref.load %m[%i] : memref<10xi32>
    %even = arith.andi %x, %three : i32
    %is = arith.cmpi eq, %even, %zero : i32
    %y = scf.if %is -> i32 {
      %q = arith.divsi %x, %three : i32
      scf.yield %q : i32
    } else {
      %q = func.call @other(%x) : (i32) -> i32
      scf.yield %q : i32
    }
    %next = arith.addi %s, %y : i32
    scf.yield %next : i32
  }
  return %sum : i32
}
