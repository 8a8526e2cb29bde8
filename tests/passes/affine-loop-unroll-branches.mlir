// RUN: freehold opt %s --affine-loop-unroll | FileCheck %s

// What an iteration carries is used inside of a branch, whose result the next one carries.
// CHECK-LABEL: func.func @carried_into_branch
// CHECK:         affine.for {{.*}} iter_args(%[[A:.*]] = %arg0)
// CHECK:           %[[S:.*]] = scf.if
// CHECK:             call @use(%[[A]])
// CHECK:           scf.if
// CHECK:             call @use(%[[S]])
func.func private @coin() -> i1
func.func private @use(memref<?xi32>)
func.func @carried_into_branch(%b: memref<?xi32>, %n: index) -> memref<?xi32> {
  %r = affine.for %i = 0 to %n iter_args(%a = %b) -> (memref<?xi32>) {
    %c = func.call @coin() : () -> i1
    %s = scf.if %c -> (memref<?xi32>) {
      func.call @use(%a) : (memref<?xi32>) -> ()
      scf.yield %a : memref<?xi32>
    } else {
      scf.yield %b : memref<?xi32>
    }
    affine.yield %s : memref<?xi32>
  }
  return %r : memref<?xi32>
}
