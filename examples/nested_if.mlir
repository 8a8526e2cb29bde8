// A loop that carries a buffer and replaces it in every third iteration. The
// buffer of the last replacement is freed in the iteration that replaces it;
// no iteration clones.
//
// RUN: freehold run %s | FileCheck %s
// RUN: freehold run %s --merge-alloc --check | FileCheck %s
// RUN: freehold run %s --check --stats=json 2>&1 | FileCheck %s --check-prefix=STATS

// CHECK: 30

// STATS: "allocs": 5, "frees": 5
// STATS-SAME: "clones": 0

func.func private @printI64(i64)
func.func private @printNewline()

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c10 = arith.constant 10 : index
  %zero = arith.constant 0 : i64
  %first = memref.alloc() : memref<1xi64>
  memref.store %zero, %first[%c0] : memref<1xi64>
  %last = scf.for %i = %c0 to %c10 step %c1 iter_args(%acc = %first) -> (memref<1xi64>) {
    %rest = arith.remui %i, %c3 : index
    %replace = arith.cmpi eq, %rest, %c0 : index
    %v = memref.load %acc[%c0] : memref<1xi64>
    %i64 = arith.index_cast %i : index to i64
    %sum = arith.addi %v, %i64 : i64
    %next = scf.if %replace -> (memref<1xi64>) {
      %new = memref.alloc() : memref<1xi64>
      %double = arith.addi %v, %i64 : i64
      memref.store %double, %new[%c0] : memref<1xi64>
      scf.yield %new : memref<1xi64>
    } else {
      %is_odd = arith.cmpi eq, %rest, %c1 : index
      scf.if %is_odd {
        memref.store %sum, %acc[%c0] : memref<1xi64>
      }
      scf.yield %acc : memref<1xi64>
    }
    scf.yield %next : memref<1xi64>
  }
  %result = memref.load %last[%c0] : memref<1xi64>
  call @printI64(%result) : (i64) -> ()
  call @printNewline() : () -> ()
  return
}
