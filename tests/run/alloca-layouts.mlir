// RUN: freehold run -O0 %s | FileCheck %s
// RUN: freehold run -O2 %s | FileCheck %s

// Memory of the frame has room for the gaps of a layout: nothing that lies behind it is overwritten.

func.func private @printI64(i64)
func.func private @printNewline()

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %before = memref.alloca() : memref<4xi64>
  %gaps = memref.alloca() : memref<3x4xi64, strided<[40, 2], offset: 9>>
  %after = memref.alloca() : memref<4xi64>
  scf.for %i = %c0 to %c4 step %c1 {
    memref.store %one, %before[%i] : memref<4xi64>
    memref.store %one, %after[%i] : memref<4xi64>
  }
  scf.for %i = %c0 to %c3 step %c1 {
    scf.for %j = %c0 to %c4 step %c1 {
      memref.store %two, %gaps[%i, %j] : memref<3x4xi64, strided<[40, 2], offset: 9>>
    }
  }
  // CHECK:      1121
  // CHECK-NEXT: 1121
  // CHECK-NEXT: 1121
  // CHECK-NOT:  {{.}}
  scf.for %i = %c0 to %c3 step %c1 {
    %a = memref.load %before[%i] : memref<4xi64>
    %b = memref.load %after[%i] : memref<4xi64>
    %c = memref.load %gaps[%i, %i] : memref<3x4xi64, strided<[40, 2], offset: 9>>
    %d = memref.load %after[%c3] : memref<4xi64>
    func.call @printI64(%a) : (i64) -> ()
    func.call @printI64(%b) : (i64) -> ()
    func.call @printI64(%c) : (i64) -> ()
    func.call @printI64(%d) : (i64) -> ()
    func.call @printNewline() : () -> ()
  }
  return
}
