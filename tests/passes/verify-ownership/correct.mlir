// RUN: freehold opt %s --verify-ownership | FileCheck %s
// RUN: freehold opt %s --verify-ownership=strict -o /dev/null
// RUN: freehold opt %s --verify-ownership=strict --bufferization-lower-deallocations --verify-ownership=strict -o /dev/null

func.func private @use(memref<4xf32>)

// Nothing is changed.
// CHECK-LABEL: func.func @flag
// CHECK:         scf.if %{{[^ ]+}} {
// CHECK-NEXT:      memref.dealloc
func.func @flag(%arg: memref<4xf32>, %c: i1) {
  %true = arith.constant true
  %false = arith.constant false
  %r:2 = scf.if %c -> (memref<4xf32>, i1) {
    %buf = memref.alloc() : memref<4xf32>
    scf.yield %buf, %true : memref<4xf32>, i1
  } else {
    scf.yield %arg, %false : memref<4xf32>, i1
  }
  call @use(%r#0) : (memref<4xf32>) -> ()
  scf.if %r#1 {
    memref.dealloc %r#0 : memref<4xf32>
  }
  return
}

// Which of two buffers lives on is known at run time only.
// CHECK-LABEL: func.func @retain
func.func @retain(%c: i1) -> memref<4xf32> {
  %true = arith.constant true
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  %r = arith.select %c, %a, %b : memref<4xf32>
  %o = bufferization.dealloc (%a, %b : memref<4xf32>, memref<4xf32>) if (%true, %true)
    retain (%r : memref<4xf32>)
  return %r : memref<4xf32>
}

// The loop-carried buffer is the argument at first, a buffer of the loop later.
// CHECK-LABEL: func.func @loop
func.func @loop(%arg: memref<4xf32>, %n: index) {
  %true = arith.constant true
  %false = arith.constant false
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%m = %arg, %own = %false)
      -> (memref<4xf32>, i1) {
    %t = memref.alloc() : memref<4xf32>
    func.call @use(%m) : (memref<4xf32>) -> ()
    %o = bufferization.dealloc (%m, %t : memref<4xf32>, memref<4xf32>) if (%own, %true)
      retain (%t : memref<4xf32>)
    scf.yield %t, %o : memref<4xf32>, i1
  }
  call @use(%r#0) : (memref<4xf32>) -> ()
  bufferization.dealloc (%r#0 : memref<4xf32>) if (%r#1)
  return
}
