// Libraries named on the command line come before the runtime; LLVM's spelling of the flags works.
//
// REQUIRES: mlir-runner-libraries
// RUN: freehold run %s -shared-libs=%mlir_c_runner_utils,%mlir_runner_utils \
// RUN:   -e sorted -entry-point-result=i64 | FileCheck %s
// RUN: not freehold run %s -shared-libs=/nonexistent/lib.so -e sorted 2>&1 \
// RUN:   | FileCheck %s --check-prefix=MISSING
// RUN: not freehold run %s -e sorted -entry-point-result=i64 2>&1 \
// RUN:   | FileCheck %s --check-prefix=UNDEFINED

// MISSING: error: cannot load shared library '/nonexistent/lib.so'

func.func private @printMemrefI64(memref<*xi64>) attributes {llvm.emit_c_interface}
func.func private @stdSortI64(index, memref<?xi64>) attributes {llvm.emit_c_interface}
// The runtime has no sparse tensors.
// UNDEFINED: [[@LINE+1]]:1: error: undefined symbol 'delSparseTensor'
func.func private @delSparseTensor(index)

// CHECK: sizes = [4] strides = [1] data =
// CHECK-NEXT: [-7, 0, 3, 12]
// CHECK: 12
func.func @sorted() -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %m = memref.alloc() : memref<4xi64>
  %a = arith.constant 3 : i64
  %b = arith.constant 12 : i64
  %c = arith.constant -7 : i64
  %d = arith.constant 0 : i64
  memref.store %a, %m[%c0] : memref<4xi64>
  memref.store %b, %m[%c1] : memref<4xi64>
  memref.store %c, %m[%c2] : memref<4xi64>
  memref.store %d, %m[%c3] : memref<4xi64>
  %any = memref.cast %m : memref<4xi64> to memref<?xi64>
  call @stdSortI64(%c4, %any) : (index, memref<?xi64>) -> ()
  %unranked = memref.cast %m : memref<4xi64> to memref<*xi64>
  call @printMemrefI64(%unranked) : (memref<*xi64>) -> ()
  // Deleting no tensor does nothing.
  call @delSparseTensor(%c0) : (index) -> ()
  %last = memref.load %m[%c3] : memref<4xi64>
  return %last : i64
}
