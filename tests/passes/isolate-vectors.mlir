// Operations on vectors wider than 128 bits get blocks of their own, up to what does not go along with them.
//
// RUN: freehold opt %s --isolate-vectors | FileCheck %s

func.func private @next(index) -> index

// CHECK-LABEL: func.func @calls
// CHECK:         call @next
// CHECK-NEXT:    cf.br ^bb1
// CHECK-NEXT:  ^bb1:
// CHECK-NEXT:    vector.load
// CHECK-NEXT:    vector.store
// CHECK-NEXT:    cf.br ^bb2
// CHECK-NEXT:  ^bb2:
// CHECK-NEXT:    call @next
// CHECK-NEXT:    cf.br ^bb3
// CHECK-NEXT:  ^bb3:
// CHECK-NEXT:    vector.load
// CHECK-NEXT:    arith.addi
// CHECK-NEXT:    vector.store
// CHECK-NEXT:    cf.br ^bb4
// CHECK-NEXT:  ^bb4:
// CHECK-NEXT:    return
func.func @calls(%a: memref<64xf32>, %i: index) {
  %j = func.call @next(%i) : (index) -> index
  %x = vector.load %a[%j] : memref<64xf32>, vector<16xf32>
  vector.store %x, %a[%i] : memref<64xf32>, vector<16xf32>
  %k = func.call @next(%j) : (index) -> index
  %y = vector.load %a[%k] : memref<64xf32>, vector<16xf32>
  %l = arith.addi %k, %j : index
  vector.store %y, %a[%l] : memref<64xf32>, vector<16xf32>
  return
}

// What fits into 128 bits stays.
// CHECK-LABEL: func.func @narrow
// CHECK-NOT:     cf.br
func.func @narrow(%a: memref<64xf32>, %i: index) {
  %x = vector.load %a[%i] : memref<64xf32>, vector<4xf32>
  vector.store %x, %a[%i] : memref<64xf32>, vector<4xf32>
  return
}
