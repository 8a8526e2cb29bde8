// The sizes that `expand_shape` is given have the product that it cuts up. A check that only prints lets the program go on.

// RUN: freehold opt %s --generate-runtime-verification=verbose-level=0 --test-cf-assert | freehold run - 2>&1 | FileCheck %s

func.func @cut(%m: memref<?x?xf32>, %a: index, %b: index) {
  %0 = memref.expand_shape %m [[0], [1, 2]] output_shape [%a, %b, 4] : memref<?x?xf32> into memref<?x?x4xf32>
  return
}

// CHECK:      begin
// CHECK-NEXT: ERROR: Runtime op verification failed
// CHECK-NEXT: ^ product of output dims in reassoc group does not equal input dim
// CHECK-NEXT: Location: loc({{.*}})
// CHECK-NEXT: ERROR: Runtime op verification failed
// CHECK-NEXT: ^ product of output dims in reassoc group does not equal input dim
// CHECK-NEXT: Location: loc({{.*}})
// CHECK-NEXT: end
func.func @main() {
  %n2 = arith.constant 2 : index
  %n3 = arith.constant 3 : index
  %m = memref.alloca() : memref<3x8xf32>
  %d = memref.cast %m : memref<3x8xf32> to memref<?x?xf32>
  vector.print str "begin\0A"
  func.call @cut(%d, %n3, %n2) : (memref<?x?xf32>, index, index) -> ()
  func.call @cut(%d, %n2, %n2) : (memref<?x?xf32>, index, index) -> ()
  func.call @cut(%d, %n3, %n3) : (memref<?x?xf32>, index, index) -> ()
  vector.print str "end\0A"
  return
}
