// RUN: freehold opt %s --merge-alloc --allow-unregistered-dialect | FileCheck %s
// RUN: freehold opt %s --merge-alloc --merge-alloc --allow-unregistered-dialect | FileCheck %s

// A network of four layers: the first and the third buffer share, the returned one stays.
// CHECK-LABEL: func.func @network
// CHECK:         %[[ARENA:.*]] = memref.alloc() {alignment = 64 : i64} : memref<131072xi8>
// CHECK:         %[[O0:.*]] = arith.constant 0 : index
// CHECK:         memref.view %[[ARENA]][%[[O0]]][] : memref<131072xi8> to memref<128x128xf32>
// CHECK:         %[[O1:.*]] = arith.constant 65536 : index
// CHECK:         memref.view %[[ARENA]][%[[O1]]][] : memref<131072xi8> to memref<128x128xf32>
// CHECK:         %[[O2:.*]] = arith.constant 0 : index
// CHECK:         memref.view %[[ARENA]][%[[O2]]][] : memref<131072xi8> to memref<128x128xf32>
// CHECK:         %[[D:.*]] = memref.alloc() : memref<128x128xf32>
// CHECK:         return %[[D]]
func.func @network(%x: memref<128x128xf32>, %y: memref<128x128xf32>) -> memref<128x128xf32> {
  %a = memref.alloc() : memref<128x128xf32>
  linalg.matmul ins(%x, %y : memref<128x128xf32>, memref<128x128xf32>) outs(%a : memref<128x128xf32>)
  %b = memref.alloc() : memref<128x128xf32>
  linalg.matmul ins(%a, %y : memref<128x128xf32>, memref<128x128xf32>) outs(%b : memref<128x128xf32>)
  %c = memref.alloc() : memref<128x128xf32>
  linalg.matmul ins(%b, %y : memref<128x128xf32>, memref<128x128xf32>) outs(%c : memref<128x128xf32>)
  %d = memref.alloc() : memref<128x128xf32>
  linalg.matmul ins(%c, %y : memref<128x128xf32>, memref<128x128xf32>) outs(%d : memref<128x128xf32>)
  return %d : memref<128x128xf32>
}

// One buffer is returned and stays; of the others, one spans another, the last comes after both.
// CHECK-LABEL: func.func @returned_stays
// CHECK:         %[[KEPT:.*]] = memref.alloc() : memref<8x64xf32>
// CHECK:         memref.alloc() {{.*}} : memref<4096xi8>
// CHECK:         arith.constant 0 : index
// CHECK:         arith.constant 2048 : index
// CHECK:         arith.constant 0 : index
// CHECK:         return %[[KEPT]]
func.func @returned_stays() -> memref<8x64xf32> {
  %b = memref.alloc() : memref<8x64xf32>
  "x.use"(%b) : (memref<8x64xf32>) -> ()
  %c = memref.alloc() : memref<8x64xf32>
  "x.use"(%c) : (memref<8x64xf32>) -> ()
  %d = memref.alloc() : memref<8x64xf32>
  "x.use"(%d) : (memref<8x64xf32>) -> ()
  "x.use"(%c) : (memref<8x64xf32>) -> ()
  %e = memref.alloc() : memref<8x64xf32>
  "x.use"(%e) : (memref<8x64xf32>) -> ()
  return %b : memref<8x64xf32>
}

// Sizes and element types differ.
// CHECK-LABEL: func.func @mixed_sizes
// CHECK:         memref.alloc() {{.*}} : memref<3072xi8>
// CHECK:         arith.constant 0 : index
// CHECK:         memref.view {{.*}} to memref<8x64xf32>
// CHECK:         arith.constant 2048 : index
// CHECK:         memref.view {{.*}} to memref<64xf32>
// CHECK:         arith.constant 2048 : index
// CHECK:         memref.view {{.*}} to memref<128xf64>
// CHECK:         arith.constant 0 : index
// CHECK:         memref.view {{.*}} to memref<8x64xf32>
func.func @mixed_sizes() {
  %c = memref.alloc() : memref<8x64xf32>
  "x.use"(%c) : (memref<8x64xf32>) -> ()
  %d = memref.alloc() : memref<64xf32>
  "x.use"(%d) : (memref<64xf32>) -> ()
  %e = memref.alloc() : memref<128xf64>
  "x.use"(%e) : (memref<128xf64>) -> ()
  "x.use"(%c) : (memref<8x64xf32>) -> ()
  %f = memref.alloc() : memref<8x64xf32>
  "x.use"(%f) : (memref<8x64xf32>) -> ()
  return
}

// A loop uses two buffers from outside, which live through all of it, and two of its own.
// CHECK-LABEL: func.func @loop
// CHECK:         memref.alloc() {{.*}} : memref<6144xi8>
// CHECK:         arith.constant 0 : index
// CHECK:         memref.view
// CHECK:         arith.constant 2048 : index
// CHECK:         memref.view
// CHECK:         scf.for
// CHECK:           arith.constant 4096 : index
// CHECK:           memref.view
// CHECK:           arith.constant 4096 : index
// CHECK:           memref.view
func.func @loop(%n: index, %zero: index, %one: index) {
  %f = memref.alloc() : memref<8x64xf32>
  %g = memref.alloc() : memref<8x64xf32>
  scf.for %i = %zero to %n step %one {
    "x.use"(%f) : (memref<8x64xf32>) -> ()
    "x.use"(%g) : (memref<8x64xf32>) -> ()
    %h = memref.alloc() : memref<8x64xf32>
    "x.use"(%h) : (memref<8x64xf32>) -> ()
    %j = memref.alloc() : memref<8x64xf32>
    "x.use"(%j) : (memref<8x64xf32>) -> ()
  }
  return
}

// One arena per memory space.
// CHECK-LABEL: func.func @memory_spaces
// CHECK-DAG:     memref.alloc() {alignment = 64 : i64} : memref<4096xi8>
// CHECK-DAG:     memref.alloc() {alignment = 64 : i64} : memref<1280xi8, "private">
// CHECK-DAG:     memref.alloc() {alignment = 64 : i64} : memref<3584xi8, "workgroup">
// CHECK-DAG:     memref.view {{.*}} : memref<1280xi8, "private"> to memref<256xf32, "private">
func.func @memory_spaces() {
  %a = memref.alloc() : memref<8x64xf32>
  %b = memref.alloc() : memref<8x64xf32>
  "x.use"(%a, %b) : (memref<8x64xf32>, memref<8x64xf32>) -> ()
  %c = memref.alloc() : memref<256xf32, "private">
  %d = memref.alloc() : memref<64xf32, "private">
  "x.use"(%c, %d) : (memref<256xf32, "private">, memref<64xf32, "private">) -> ()
  %e = memref.alloc() : memref<8x64xf32, "workgroup">
  %f = memref.alloc() : memref<384xf32, "workgroup">
  "x.use"(%f) : (memref<384xf32, "workgroup">) -> ()
  "x.use"(%e) : (memref<8x64xf32, "workgroup">) -> ()
  "x.use"(%f) : (memref<384xf32, "workgroup">) -> ()
  return
}

// The body of a parallel loop is a scope of its own; what is outside lives through the loop.
// CHECK-LABEL: func.func @forall
// CHECK:         %[[OUTER:.*]] = memref.alloc() {{.*}} : memref<64xi8>
// CHECK:         memref.view %[[OUTER]]
// CHECK:         scf.forall
// CHECK:           %[[MIDDLE:.*]] = memref.alloc() {{.*}} : memref<64xi8>
// CHECK:           memref.view %[[MIDDLE]]
// CHECK:           memref.view %[[MIDDLE]]
// CHECK:           scf.forall
// CHECK:             %[[INNER:.*]] = memref.alloc() {{.*}} : memref<64xi8>
// CHECK:             memref.view %[[INNER]]
func.func @forall() {
  %a = memref.alloc() : memref<2xf32>
  scf.forall (%i) = (0) to (16) step (2) {
    %b = memref.alloc() : memref<8xf32>
    "x.use"(%a) : (memref<2xf32>) -> ()
    %c = memref.alloc() : memref<4xf32>
    scf.forall (%j) in (4) {
      %d = memref.alloc() : memref<16xf32>
      "x.use"(%b, %d) : (memref<8xf32>, memref<16xf32>) -> ()
    }
    "x.use"(%c) : (memref<4xf32>) -> ()
  }
  return
}

// Several induction variables, bounds known at run time only, and sibling loops: no arena is shared
// between iterations, whatever the bounds.
// CHECK-LABEL: func.func @forall_siblings
// CHECK-NOT:     memref.alloc
// CHECK:         scf.forall
// CHECK:           memref.alloc() {{.*}} : memref<64xi8>
// CHECK:           scf.forall
// CHECK:             scf.for
// CHECK-NEXT:          arith.constant 0
// CHECK-NEXT:          memref.view
// CHECK:         scf.forall
// CHECK:           memref.alloc() {{.*}} : memref<64xi8>
func.func @forall_siblings(%n: index, %zero: index, %one: index) {
  scf.forall (%i, %k) = (0, 0) to (16, %n) step (4, 1) {
    %a = memref.alloc() : memref<4xf32>
    scf.forall (%j) in (4) {
      "x.use"(%a) : (memref<4xf32>) -> ()
      scf.for %l = %zero to %n step %one {
        %b = memref.alloc() : memref<2xf32>
        "x.use"(%b) : (memref<2xf32>) -> ()
      }
    }
  }
  scf.forall (%i) in (8) {
    %c = memref.alloc() : memref<8xf32>
    scf.forall (%j) in (4) {
      "x.use"(%c) : (memref<8xf32>) -> ()
    }
  }
  return
}

// A loop hands on a buffer from outside, which lives until the last use of the result.
// CHECK-LABEL: func.func @yielded_by_loop
// CHECK:         memref.alloc() {{.*}} : memref<128xi8>
// CHECK:         %[[A:.*]] = memref.view
// CHECK:         scf.for {{.*}} iter_args(%{{.*}} = %[[A]])
// CHECK:         arith.constant 64 : index
// CHECK:         memref.view
func.func @yielded_by_loop(%n: index, %zero: index, %one: index) {
  %a = memref.alloc() : memref<4xf32>
  %r = scf.for %i = %zero to %n step %one iter_args(%m = %a) -> (memref<4xf32>) {
    scf.yield %m : memref<4xf32>
  }
  %b = memref.alloc() : memref<4xf32>
  "x.use"(%b, %r) : (memref<4xf32>, memref<4xf32>) -> ()
  return
}

// One buffer of run-time size needs no arena.
// CHECK-LABEL: func.func @dynamic
// CHECK:         memref.alloc(%{{.*}}) : memref<?xf32>
func.func @dynamic(%n: index) {
  scf.forall (%i) in (4) {
    %a = memref.alloc(%n) : memref<?xf32>
    "x.use"(%a) : (memref<?xf32>) -> ()
  }
  return
}

// Elements have the size that they have in memory.
// CHECK-LABEL: func.func @element_types
// CHECK:         memref.alloc() {{.*}} : memref<896xi8>
func.func @element_types() {
  %a = memref.alloc() : memref<64xi1>
  %b = memref.alloc() : memref<32xi12>
  %c = memref.alloc() : memref<16xi24>
  %d = memref.alloc() : memref<8xi65>
  %e = memref.alloc() : memref<8xindex>
  %f = memref.alloc() : memref<8xcomplex<f32>>
  %g = memref.alloc() : memref<4xvector<4xf32>>
  %h = memref.alloc() : memref<i8>
  %i = memref.alloc() : memref<64xf8E4M3FN>
  %j = memref.alloc() : memref<32xbf16>
  %k = memref.alloc() : memref<12xi33>
  %l = memref.alloc() : memref<4xf80>
  "x.use"(%a, %b, %c, %d, %e, %f) : (memref<64xi1>, memref<32xi12>, memref<16xi24>, memref<8xi65>, memref<8xindex>, memref<8xcomplex<f32>>) -> ()
  "x.use"(%a, %b, %c, %d, %e, %f, %g, %h, %i, %j, %k, %l) : (memref<64xi1>, memref<32xi12>, memref<16xi24>, memref<8xi65>, memref<8xindex>, memref<8xcomplex<f32>>, memref<4xvector<4xf32>>, memref<i8>, memref<64xf8E4M3FN>, memref<32xbf16>, memref<12xi33>, memref<4xf80>) -> ()
  return
}

// An alignment above the usual one is kept, and the arena has it too.
// CHECK-LABEL: func.func @alignment
// CHECK:         memref.alloc() {alignment = 256 : i64} : memref<320xi8>
// CHECK:         arith.constant 256 : index
// CHECK:         memref.view {{.*}} to memref<16xf32>
// CHECK:         arith.constant 0 : index
// CHECK:         memref.view {{.*}} to memref<64xf32>
func.func @alignment() {
  %a = memref.alloc() {alignment = 32 : i64} : memref<16xf32>
  %b = memref.alloc() {alignment = 256 : i64} : memref<64xf32>
  "x.use"(%b, %a) : (memref<64xf32>, memref<16xf32>) -> ()
  return
}

// So is one that the function relies on.
// CHECK-LABEL: func.func @assumed_alignment
// CHECK:         memref.alloc() {alignment = 128 : i64} : memref<64xi8>
func.func @assumed_alignment() {
  %a = memref.alloc() : memref<16xf32>
  memref.assume_alignment %a, 128 : memref<16xf32>
  "x.use"(%a) : (memref<16xf32>) -> ()
  return
}

// Nothing to merge: elements with gaps between them, at an offset, several in the same place, or where a map says.
// CHECK-LABEL: func.func @layout
// CHECK-COUNT-4: memref.alloc() : memref<{{.*}}strided
// CHECK:         memref.alloc() : memref<4x8xf32, #
func.func @layout() {
  %a = memref.alloc() : memref<4xf32, strided<[2]>>
  "x.use"(%a) : (memref<4xf32, strided<[2]>>) -> ()
  %b = memref.alloc() : memref<4xf32, strided<[1], offset: 1>>
  "x.use"(%b) : (memref<4xf32, strided<[1], offset: 1>>) -> ()
  %c = memref.alloc() : memref<4x4xf32, strided<[1, 1]>>
  "x.use"(%c) : (memref<4x4xf32, strided<[1, 1]>>) -> ()
  %d = memref.alloc() : memref<4x2xf32, strided<[0, 1]>>
  "x.use"(%d) : (memref<4x2xf32, strided<[0, 1]>>) -> ()
  %e = memref.alloc() : memref<4x8xf32, affine_map<(d0, d1) -> (d1, d0)>>
  "x.use"(%e) : (memref<4x8xf32, affine_map<(d0, d1) -> (d1, d0)>>) -> ()
  return
}

// Elements in another order fill as many bytes.
// CHECK-LABEL: func.func @order_of_elements
// CHECK:         %[[ARENA:.*]] = memref.alloc() {alignment = 64 : i64} : memref<128xi8>
// CHECK:         %[[A:.*]] = memref.view %[[ARENA]][%{{.*}}][] : memref<128xi8> to memref<32xf32>
// CHECK-NEXT:    memref.reinterpret_cast %[[A]] to offset: [0], sizes: [4, 8], strides: [1, 4] : memref<32xf32> to memref<4x8xf32, strided<[1, 4]>>
// CHECK:         memref.reinterpret_cast %{{.*}} to offset: [0], sizes: [4, 1, 8], strides: [8, 3, 1] : memref<32xf32> to memref<4x1x8xf32, strided<[8, 3, 1]>>
func.func @order_of_elements() {
  %a = memref.alloc() : memref<4x8xf32, strided<[1, 4]>>
  "x.use"(%a) : (memref<4x8xf32, strided<[1, 4]>>) -> ()
  %c = memref.alloc() : memref<4x1x8xf32, strided<[8, 3, 1]>>
  "x.use"(%c) : (memref<4x1x8xf32, strided<[8, 3, 1]>>) -> ()
  return
}


// Several dimensions, used in a parallel loop inside of the one that allocates them.
// CHECK-LABEL: func.func @two_dimensions
// CHECK-NOT:     memref.alloc
// CHECK:         scf.forall
// CHECK-NEXT:      memref.alloc() {alignment = 64 : i64} : memref<192xi8>
// CHECK:           scf.forall
// CHECK-NEXT:        memref.alloc() {alignment = 64 : i64} : memref<128xi8>
func.func @two_dimensions() {
  scf.forall (%i) in (16) {
    %a = memref.alloc() : memref<2x4xf32>
    %b = memref.alloc() : memref<4x8xf32>
    scf.forall (%j, %k) in (2, 4) {
      %c = memref.alloc() : memref<2x16xf32>
      "x.use"(%a, %b, %c) : (memref<2x4xf32>, memref<4x8xf32>, memref<2x16xf32>) -> ()
    }
  }
  return
}

// What is never accessed needs no room of its own.
// CHECK-LABEL: func.func @never_accessed
// CHECK:         memref.alloc() {alignment = 64 : i64} : memref<64xi8>
// CHECK-NOT:     memref.alloc
// CHECK:         return
func.func @never_accessed() {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  "x.use"(%b) : (memref<16xf32>) -> ()
  return
}

// An alignment that divides the usual one is kept by it, and so is one of a loop's buffer.
// CHECK-LABEL: func.func @smaller_alignment
// CHECK:         memref.alloc() {alignment = 64 : i64} : memref<128xi8>
// CHECK-NOT:     memref.alloc
// CHECK:         return
func.func @smaller_alignment(%n: index, %zero: index, %one: index) {
  %a = memref.alloc() {alignment = 32 : i64} : memref<f32>
  scf.for %i = %zero to %n step %one {
    %b = memref.alloc() {alignment = 8 : i64} : memref<f32>
    "x.use"(%a, %b) : (memref<f32>, memref<f32>) -> ()
  }
  return
}
