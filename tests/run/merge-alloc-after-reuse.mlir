// Buffers are merged when nothing else makes fewer of them: after loops have been fused and after
// MLIR-HLO's family has reused buffers and moved them out of loops. Merged before, each of these would
// need more allocations or more memory with merging than without.

// RUN: freehold run %s --dealloc=hlo | FileCheck %s
// RUN: freehold run %s --dealloc=hlo --merge-alloc --check | FileCheck %s
// RUN: freehold run %s --dealloc=hlo --merge-alloc=always --check | FileCheck %s
// RUN: freehold run %s --dealloc=hlo --stats=json 2>&1 | FileCheck %s --check-prefix=REUSED
// RUN: freehold run %s --dealloc=hlo --merge-alloc --stats=json 2>&1 | FileCheck %s --check-prefix=NEVER
// RUN: freehold run %s --dealloc=hlo --merge-alloc=always --stats=json 2>&1 | FileCheck %s --check-prefix=ALWAYS
// RUN: freehold run %s --dealloc=clone --merge-alloc | FileCheck %s
// RUN: freehold run %s --dealloc=clone --stats=json 2>&1 | FileCheck %s --check-prefix=FUSED
// RUN: freehold run %s --dealloc=clone --merge-alloc --stats=json 2>&1 | FileCheck %s --check-prefix=FUSED-MERGED

func.func private @printI64(i64)
func.func private @printNewline()

// The loop makes a new buffer in every iteration. Two that take turns are enough.
// CHECK: 1344
func.func @exchange(%n: index) attributes {passthrough = ["noinline"]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %seven = arith.constant 21 : i64
  %a = memref.alloc() : memref<1024xi64>
  linalg.fill ins(%seven : i64) outs(%a : memref<1024xi64>)
  %b = memref.alloc() : memref<1024xi64>
  linalg.fill ins(%seven : i64) outs(%b : memref<1024xi64>)
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b) -> (memref<1024xi64>, memref<1024xi64>) {
    %z = memref.alloc() : memref<1024xi64>
    linalg.add ins(%x, %x : memref<1024xi64>, memref<1024xi64>) outs(%z : memref<1024xi64>)
    scf.yield %z, %x : memref<1024xi64>, memref<1024xi64>
  }
  %p = memref.load %r#0[%c1] : memref<1024xi64>
  call @printI64(%p) : (i64) -> ()
  call @printNewline() : () -> ()
  return
}

// All buffers but the last one go away when the loops are fused, and that one is on the stack.
// CHECK: 1320
func.func @formula(%n: index) attributes {passthrough = ["noinline"]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %three = arith.constant 3 : i64
  %x = memref.alloc(%n) : memref<?xi64>
  linalg.fill ins(%three : i64) outs(%x : memref<?xi64>)
  %a = memref.alloc(%n) : memref<?xi64>
  linalg.mul ins(%x, %x : memref<?xi64>, memref<?xi64>) outs(%a : memref<?xi64>)
  %b = memref.alloc(%n) : memref<?xi64>
  linalg.mul ins(%a, %a : memref<?xi64>, memref<?xi64>) outs(%b : memref<?xi64>)
  %c = memref.alloc(%n) : memref<?xi64>
  linalg.add ins(%a, %b : memref<?xi64>, memref<?xi64>) outs(%c : memref<?xi64>)
  %d = memref.alloc(%n) : memref<?xi64>
  linalg.add ins(%b, %c : memref<?xi64>, memref<?xi64>) outs(%d : memref<?xi64>)
  %sum = memref.alloc(%n) : memref<?xi64>
  linalg.add ins(%c, %d : memref<?xi64>, memref<?xi64>) outs(%sum : memref<?xi64>)
  %e = memref.alloc(%n) : memref<?xi64>
  linalg.add ins(%sum, %x : memref<?xi64>, memref<?xi64>) outs(%e : memref<?xi64>)
  %zero = arith.constant 0 : i64
  %all = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (i64) {
    %v = memref.load %e[%i] : memref<?xi64>
    %t = arith.addi %s, %v : i64
    scf.yield %t : i64
  }
  call @printI64(%all) : (i64) -> ()
  call @printNewline() : () -> ()
  return
}

// REUSED: {"allocs": 1, {{.*}}"peak_bytes": 16384,
// NEVER: {"allocs": 1, {{.*}}"peak_bytes": 16384,
// ALWAYS: {"allocs": 1, {{.*}}"peak_bytes": 16384,
// FUSED: {"allocs": 1, {{.*}}"peak_bytes": 16384,
// FUSED-MERGED: {"allocs": 1, {{.*}}"peak_bytes": 16384,
func.func @main() {
  %c5 = arith.constant 5 : index
  %c6 = arith.constant 6 : index
  call @exchange(%c6) : (index) -> ()
  call @formula(%c5) : (index) -> ()
  return
}
