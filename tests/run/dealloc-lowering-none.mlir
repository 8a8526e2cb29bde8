// The lowering that was asked for is that of the program's own deallocs, in objects too, whatever else is freed.

// RUN: freehold compile %s --dealloc=none --dealloc-lowering=generic --mlir-print-ir-after=bufferization-lower-deallocations -o %t.o 2>&1 | FileCheck %s --check-prefix=HELPER
// RUN: freehold compile %s --dealloc=clone --dealloc-lowering=generic --mlir-print-ir-after=bufferization-lower-deallocations -o %t.o 2>&1 | FileCheck %s --check-prefix=HELPER
// RUN: freehold compile %s --dealloc=none --dealloc-lowering=specialized --emit=clif -o - | FileCheck %s --check-prefix=INLINE
// RUN: freehold compile %s --dealloc=none --dealloc-lowering=runtime --mlir-print-ir-after=bufferization-lower-deallocations -o %t.o 2>&1 | FileCheck %s --check-prefix=RUNTIME
// RUN: freehold run %s --dealloc=none --dealloc-lowering=generic --check | FileCheck %s
// RUN: freehold run %s --dealloc=none --dealloc-lowering=runtime --check | FileCheck %s
// RUN: freehold run %s --dealloc=none --dealloc-lowering=specialized --check -O0 | FileCheck %s
// RUN: freehold run %s --dealloc=copy --dealloc-lowering=generic --check | FileCheck %s
// RUN: freehold run %s --dealloc=clone --dealloc-lowering=runtime --check | FileCheck %s

// HELPER: call @dealloc_helper
// INLINE-NOT: dealloc_helper
// RUNTIME: call @freehold_dealloc_helper

func.func private @printI64(i64)
func.func private @printNewline()

// CHECK: 1
func.func @main() {
  %c0 = arith.constant 0 : index
  %true = arith.constant true
  %x = arith.constant 1 : i64
  %a = memref.alloc() {bufferization.manual_deallocation} : memref<2xi64>
  %b = memref.alloc() {bufferization.manual_deallocation} : memref<2xi64>
  memref.store %x, %b[%c0] : memref<2xi64>
  %0 = bufferization.dealloc (%a, %b : memref<2xi64>, memref<2xi64>) if (%true, %true) retain (%b : memref<2xi64>)
  %y = memref.load %b[%c0] : memref<2xi64>
  call @printI64(%y) : (i64) -> ()
  call @printNewline() : () -> ()
  bufferization.dealloc (%b : memref<2xi64>) if (%0)
  return
}
