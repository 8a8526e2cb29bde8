// RUN: freehold run --check=accesses %s | FileCheck %s
// RUN: freehold run --dealloc=clone --check=accesses %s | FileCheck %s
// RUN: freehold run --dealloc=copy --check=accesses %s | FileCheck %s
// RUN: freehold run --dealloc=none %s 2>&1 | FileCheck %s --check-prefix=WARNING
// RUN: freehold run --dealloc=hlo %s 2>&1 | FileCheck %s --check-prefix=WARNING
// RUN: not freehold run --dealloc=none --check=accesses -O0 %s 2>&1 | FileCheck %s --check-prefix=REPORT
// RUN: not freehold run --dealloc=none --check=accesses %s 2>&1 | FileCheck %s --check-prefix=REPORT
// RUN: not freehold run --dealloc=hlo --check=accesses %s 2>&1 | FileCheck %s --check-prefix=REPORT

// A function that returns its own stack memory returns a copy of it, or there is a warning.
// CHECK: 11, 12
// WARNING: returned-stack-memory.mlir:30:3: warning: stack memory is returned, which is gone then
// What reads it then is reported where accesses are checked.
// REPORT: returned-stack-memory.mlir:38:8: error: use after free: read of 8 bytes at offset 0 of a freed buffer of 32 bytes
// REPORT-NEXT: returned-stack-memory.mlir:27:8: note: allocated here
// REPORT-NEXT: returned-stack-memory.mlir:23:1: note: freed here
// REPORT-NEXT: returned-stack-memory.mlir:39:8: error: use after free: read of 8 bytes at offset 0 of a freed buffer of 32 bytes
// REPORT-NEXT: returned-stack-memory.mlir:27:8: note: allocated here
// REPORT-NEXT: returned-stack-memory.mlir:23:1: note: freed here
// REPORT-NEXT: memory check: 2 errors
func.func private @printI64(i64)
func.func private @printComma()
func.func private @one_more(%x: i64) -> memref<?xi64> attributes {passthrough = ["noinline"]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : i64
  %y = arith.addi %x, %c1 : i64
  %m = memref.alloca() : memref<4xi64>
  memref.store %y, %m[%c0] : memref<4xi64>
  %r = memref.cast %m : memref<4xi64> to memref<?xi64>
  return %r : memref<?xi64>
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %c10 = arith.constant 10 : i64
  %c11 = arith.constant 11 : i64
  %m = call @one_more(%c10) : (i64) -> memref<?xi64>
  %n = call @one_more(%c11) : (i64) -> memref<?xi64>
  %x = memref.load %m[%c0] : memref<?xi64>
  %y = memref.load %n[%c0] : memref<?xi64>
  call @printI64(%x) : (i64) -> ()
  call @printComma() : () -> ()
  call @printI64(%y) : (i64) -> ()
  return
}
