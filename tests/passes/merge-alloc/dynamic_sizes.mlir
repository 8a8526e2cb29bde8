// RUN: freehold opt %s --merge-alloc | FileCheck %s
// RUN: freehold opt %s --merge-alloc --merge-alloc | FileCheck %s
// RUN: freehold opt %s --merge-alloc --buffer-deallocation-pipeline --verify-ownership

// Buffers with the same sizes share where they do not live at once; what is left goes into an arena
// whose size is computed.
// CHECK-LABEL: func.func @same_sizes
// CHECK-SAME:    (%[[N:.*]]: index, %[[X:.*]]: memref<?xf32>)
// CHECK:         %[[C8:.*]] = arith.constant 8 : index
// CHECK:         %[[SIZE:.*]] = arith.muli %[[N]], %[[C8]] : index
// CHECK:         %[[ARENA:.*]] = memref.alloc(%[[SIZE]]) {alignment = 64 : i64} : memref<?xi8>
// CHECK:         %[[A:.*]] = memref.view %[[ARENA]][%{{.*}}][%[[N]]] : memref<?xi8> to memref<?xf32>
// CHECK:         memref.copy %[[X]], %[[A]]
// CHECK:         %[[B:.*]] = memref.view %[[ARENA]][%{{.*}}][%[[N]]] : memref<?xi8> to memref<?xf32>
// CHECK-NEXT:    call @step(%[[A]], %[[B]])
// CHECK-NEXT:    call @step(%[[B]], %[[A]])
// CHECK-NEXT:    memref.copy %[[A]], %[[X]]
// CHECK-NOT:     memref.alloc
func.func @same_sizes(%n: index, %x: memref<?xf32>) {
  %a = memref.alloc(%n) : memref<?xf32>
  memref.copy %x, %a : memref<?xf32> to memref<?xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  call @step(%a, %b) : (memref<?xf32>, memref<?xf32>) -> ()
  %c = memref.alloc(%n) : memref<?xf32>
  call @step(%b, %c) : (memref<?xf32>, memref<?xf32>) -> ()
  memref.copy %c, %x : memref<?xf32> to memref<?xf32>
  return
}

func.func private @step(memref<?xf32>, memref<?xf32>)

// Elementwise operations work in place.
// CHECK-LABEL: func.func @in_place
// CHECK:         %[[A:.*]] = memref.alloc(
// CHECK:         linalg.exp ins(%{{.*}} : memref<?xf32>) outs(%[[A]]
// CHECK:         linalg.add ins(%[[A]], %[[A]] : {{.*}}) outs(%[[A]]
// CHECK:         linalg.exp ins(%[[A]] : memref<?xf32>) outs(%[[X:.*]] :
func.func @in_place(%n: index, %x: memref<?xf32>) {
  %a = memref.alloc(%n) : memref<?xf32>
  linalg.exp ins(%x : memref<?xf32>) outs(%a : memref<?xf32>)
  %b = memref.alloc(%n) : memref<?xf32>
  linalg.add ins(%a, %a : memref<?xf32>, memref<?xf32>) outs(%b : memref<?xf32>)
  linalg.exp ins(%b : memref<?xf32>) outs(%x : memref<?xf32>)
  return
}

// Other types: an arena as large as the larger one. Other sizes, and iterations that may run at the
// same time: nothing is shared.
// CHECK-LABEL: func.func @different
// CHECK-SAME:    (%[[N:.*]]: index, %[[M:[^:]*]]: index,
// CHECK:         %[[SIZE:.*]] = arith.muli %[[N]], %{{.*}} : index
// CHECK:         %[[ARENA:.*]] = memref.alloc(%[[SIZE]]) {{.*}} : memref<?xi8>
// CHECK:         memref.view %[[ARENA]][%{{.*}}][%[[N]]] : memref<?xi8> to memref<?xf32>
// CHECK:         memref.alloc(%[[M]]) : memref<?xf32>
// CHECK:         memref.view %[[ARENA]][%{{.*}}][%[[N]]] : memref<?xi8> to memref<?xf64>
// CHECK:         scf.forall
// CHECK:           memref.alloc(%[[N]]) : memref<?xf32>
func.func @different(%n: index, %m: index, %x: memref<?xf32>, %y: memref<?xf64>) {
  %a = memref.alloc(%n) : memref<?xf32>
  memref.copy %x, %a : memref<?xf32> to memref<?xf32>
  %b = memref.alloc(%m) : memref<?xf32>
  memref.copy %x, %b : memref<?xf32> to memref<?xf32>
  %c = memref.alloc(%n) : memref<?xf64>
  memref.copy %y, %c : memref<?xf64> to memref<?xf64>
  scf.forall (%i) in (4) {
    %d = memref.alloc(%n) : memref<?xf32>
    memref.copy %x, %d : memref<?xf32> to memref<?xf32>
  }
  return
}

// The same product, written in different ways: 4, 8 and 1 bytes times n times m, the last one ten times.
// CHECK-LABEL: func.func @products
// CHECK-SAME:    (%[[N:.*]]: index, %[[M:[^:]*]]: index)
// CHECK:         %[[NM:.*]] = arith.muli %[[N]], %[[M]] : index
// CHECK:         %[[PRODUCT:.*]] = arith.muli %[[N]], %[[M]] : index
// CHECK:         %[[C22:.*]] = arith.constant 22 : index
// CHECK:         %[[SIZE:.*]] = arith.muli %[[PRODUCT]], %[[C22]] : index
// CHECK:         %[[ARENA:.*]] = memref.alloc(%[[SIZE]])
// CHECK-DAG:     memref.view %[[ARENA]][%{{.*}}][%[[M]], %[[N]]] : memref<?xi8> to memref<?x?xf32>
// CHECK-DAG:     memref.view %[[ARENA]][%{{.*}}][%[[NM]]] : memref<?xi8> to memref<?xf64>
// CHECK-DAG:     memref.view %[[ARENA]][%{{.*}}][%[[NM]]] : memref<?xi8> to memref<10x?xi8>
// CHECK:         return
func.func @products(%n: index, %m: index) {
  %nm = arith.muli %n, %m : index
  %a = memref.alloc(%m, %n) : memref<?x?xf32>
  %b = memref.alloc(%nm) : memref<?xf64>
  %c = memref.alloc(%nm) : memref<10x?xi8>
  call @use(%a, %b, %c) : (memref<?x?xf32>, memref<?xf64>, memref<10x?xi8>) -> ()
  return
}

func.func private @use(memref<?x?xf32>, memref<?xf64>, memref<10x?xi8>)

// Multiples of the product are multiples of the alignment if the product is.
// CHECK-LABEL: func.func @aligned
// CHECK-SAME:    (%[[N:.*]]: index, %[[X:.*]]: memref<?xf32>)
// CHECK:         %[[C31:.*]] = arith.constant 31 : index
// CHECK:         %[[SUM:.*]] = arith.addi %[[N]], %[[C31]] : index
// CHECK:         %[[MASK:.*]] = arith.constant -32 : index
// CHECK:         arith.andi %[[SUM]], %[[MASK]] : index
func.func @aligned(%n: index, %x: memref<?xf32>) {
  %a = memref.alloc(%n) {alignment = 32 : i64} : memref<?xf32>
  %b = memref.alloc(%n) {alignment = 16 : i64} : memref<?xf32>
  memref.copy %x, %a : memref<?xf32> to memref<?xf32>
  memref.copy %x, %b : memref<?xf32> to memref<?xf32>
  memref.copy %a, %b : memref<?xf32> to memref<?xf32>
  return
}

// The size of the first is known too late for an arena outside of the branch; nothing is merged.
// CHECK-LABEL: func.func @too_late
// CHECK-NOT:     memref.view
// CHECK:         return
func.func @too_late(%condition: i1, %x: memref<?xf32>, %y: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  scf.if %condition {
    %n = memref.dim %x, %c0 : memref<?xf32>
    %a = memref.alloc(%n) : memref<?xf32>
    memref.copy %x, %a : memref<?xf32> to memref<?xf32>
    %b = memref.alloc(%n) : memref<?xf64>
    memref.copy %y, %b : memref<?xf64> to memref<?xf64>
  }
  return
}
