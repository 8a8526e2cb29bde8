// One mistake is one error, also where the function with it was inlined.
// RUN: not freehold opt %s --native-pipeline=workspace=argument 2>&1 | FileCheck %s
// RUN: not freehold opt %s --native-pipeline="workspace=argument optimize=false" 2>&1 | FileCheck %s

// CHECK:     'memref.alloc' op cannot be part of a workspace: its size is not known when the function begins
// CHECK-NOT: error

func.func private @use(memref<?xf32>)

func.func @grow(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %row = memref.alloc(%i) : memref<?xf32>
    func.call @use(%row) : (memref<?xf32>) -> ()
  }
  return
}

func.func @main(%n: index) {
  call @grow(%n) : (index) -> ()
  return
}

func.func @twice(%n: index) {
  call @main(%n) : (index) -> ()
  call @grow(%n) : (index) -> ()
  return
}
