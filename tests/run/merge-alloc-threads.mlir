// Buffers of the iterations of a parallel loop are allocated once per part of the loop, of which there are at most four
// per thread, and not once per iteration.

// RUN: freehold run %s --threads=1 --stats 2>&1 | FileCheck %s --check-prefixes=CHECK,ONE
// RUN: freehold run %s --threads=2 --stats 2>&1 | FileCheck %s --check-prefixes=CHECK,TWO
// RUN: freehold run %s --threads=2 --merge-alloc=never --stats 2>&1 | FileCheck %s --check-prefixes=CHECK,NEVER
// RUN: freehold run %s --threads=3 --check | FileCheck %s
// RUN: freehold run %s --threads=3 --merge-alloc --check=accesses | FileCheck %s

// CHECK: 64064
// ONE: allocations{{ +}}1{{$}}
// TWO: allocations{{ +[2-9]$}}
// NEVER: allocations{{ +}}1001{{$}}
func.func private @printI64(i64)
func.func private @printNewline()

func.func private @sum(%m: memref<64xi64>) -> i64 attributes {passthrough = ["noinline"]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0 : i64
  %sum = scf.for %i = %c0 to %c64 step %c1 iter_args(%s = %zero) -> i64 {
    %x = memref.load %m[%i] : memref<64xi64>
    %y = arith.addi %x, %s : i64
    scf.yield %y : i64
  }
  return %sum : i64
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c999 = arith.constant 999 : index
  %c1000 = arith.constant 1000 : index
  %out = memref.alloc() : memref<1000xi64>
  scf.parallel (%i) = (%c0) to (%c1000) step (%c1) {
    %t = memref.alloc() : memref<64xi64>
    %x = arith.index_cast %i : index to i64
    linalg.fill ins(%x : i64) outs(%t : memref<64xi64>)
    %s = func.call @sum(%t) : (memref<64xi64>) -> i64
    memref.store %s, %out[%i] : memref<1000xi64>
  }
  %a = memref.load %out[%c999] : memref<1000xi64>
  %b = memref.load %out[%c1] : memref<1000xi64>
  %c = arith.addi %a, %b : i64
  %d = arith.addi %c, %b : i64
  call @printI64(%d) : (i64) -> ()
  call @printNewline() : () -> ()
  return
}
