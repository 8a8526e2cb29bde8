// Canonicalization agrees with mlir-opt's, operation by operation. Where ours
// does more, canonicalize.mlir says so.

// REQUIRES: mlir-opt-19
// RUN: mlir-opt-19 %s --canonicalize --allow-unregistered-dialect > %t.theirs
// RUN: freehold opt %s --canonicalize --allow-unregistered-dialect | mlir-opt-19 --allow-unregistered-dialect > %t.ours
// RUN: diff %t.theirs %t.ours

memref.global "private" constant @g : memref<4xi32> = dense<[1,2,3,4]>

func.func @load_global() -> i32 {
  %c1 = arith.constant 1 : index
  %0 = memref.get_global @g : memref<4xi32>
  %1 = memref.load %0[%c1] : memref<4xi32>
  return %1 : i32
}

func.func @transpose_cast(%a: memref<4x5xf32>) -> memref<?x?xf32, strided<[1, ?]>> {
  %c = memref.cast %a : memref<4x5xf32> to memref<?x?xf32>
  %t = memref.transpose %c (i, j) -> (j, i) : memref<?x?xf32> to memref<?x?xf32, strided<[1, ?]>>
  return %t : memref<?x?xf32, strided<[1, ?]>>
}

func.func @castcast(%a: memref<4x5xf32>) -> memref<?x5xf32> {
  %c = memref.cast %a : memref<4x5xf32> to memref<?x?xf32>
  %t = memref.cast %c : memref<?x?xf32> to memref<?x5xf32>
  return %t : memref<?x5xf32>
}

func.func @transpose_twice(%a: memref<4x5xf32>) -> memref<4x5xf32, strided<[5, 1]>> {
  %c = memref.transpose %a (i, j) -> (j, i) : memref<4x5xf32> to memref<5x4xf32, strided<[1, 5]>>
  %t = memref.transpose %c (i, j) -> (j, i) : memref<5x4xf32, strided<[1, 5]>> to memref<4x5xf32, strided<[5, 1]>>
  return %t : memref<4x5xf32, strided<[5, 1]>>
}

func.func @transpose_id(%a: memref<4x5xf32>) -> memref<4x5xf32> {
  %c = memref.transpose %a (i, j) -> (i, j) : memref<4x5xf32> to memref<4x5xf32>
  return %c : memref<4x5xf32>
}

func.func @dim_reshape(%a: memref<*xf32>, %s: memref<?xi32>, %i: index) -> (index, index) {
  %c0 = arith.constant 0 : index
  %e = memref.reshape %a(%s) : (memref<*xf32>, memref<?xi32>) -> memref<*xf32>
  %d = memref.dim %e, %c0 : memref<*xf32>
  %d2 = memref.dim %e, %i : memref<*xf32>
  return %d, %d2 : index, index
}

func.func @expand_expand(%a: memref<?x5xf32>, %n: index) -> memref<?x2x2x5xf32> {
  %e = memref.expand_shape %a [[0, 1], [2]] output_shape [%n, 4, 5] : memref<?x5xf32> into memref<?x4x5xf32>
  %e2 = memref.expand_shape %e [[0], [1, 2], [3]] output_shape [%n, 2, 2, 5] : memref<?x4x5xf32> into memref<?x2x2x5xf32>
  return %e2 : memref<?x2x2x5xf32>
}

func.func @collapse_collapse(%a: memref<?x2x2x5xf32>) -> memref<?x5xf32> {
  %e = memref.collapse_shape %a [[0], [1, 2], [3]] : memref<?x2x2x5xf32> into memref<?x4x5xf32>
  %e2 = memref.collapse_shape %e [[0, 1], [2]] : memref<?x4x5xf32> into memref<?x5xf32>
  return %e2 : memref<?x5xf32>
}

func.func @collapse_expand_same(%a: memref<?x5xf32>, %n: index) -> memref<?x5xf32> {
  %e = memref.expand_shape %a [[0, 1], [2]] output_shape [%n, 4, 5] : memref<?x5xf32> into memref<?x4x5xf32>
  %e2 = memref.collapse_shape %e [[0, 1], [2]] : memref<?x4x5xf32> into memref<?x5xf32>
  return %e2 : memref<?x5xf32>
}

func.func @collapse_expand_less(%a: memref<?x5xf32>, %n: index) -> memref<?xf32> {
  %e = memref.expand_shape %a [[0, 1], [2]] output_shape [%n, 4, 5] : memref<?x5xf32> into memref<?x4x5xf32>
  %e2 = memref.collapse_shape %e [[0, 1, 2]] : memref<?x4x5xf32> into memref<?xf32>
  return %e2 : memref<?xf32>
}

func.func @expand_collapse_more(%a: memref<?x4x5xf32>, %n: index) -> memref<?x4x5x1xf32> {
  %e = memref.collapse_shape %a [[0, 1], [2]] : memref<?x4x5xf32> into memref<?x5xf32>
  %e2 = memref.expand_shape %e [[0, 1], [2, 3]] output_shape [%n, 4, 5, 1] : memref<?x5xf32> into memref<?x4x5x1xf32>
  return %e2 : memref<?x4x5x1xf32>
}

func.func @expand_collapse_less(%a: memref<?x4x5xf32>, %n: index) -> memref<?x20xf32> {
  %e = memref.collapse_shape %a [[0, 1, 2]] : memref<?x4x5xf32> into memref<?xf32>
  %e2 = memref.expand_shape %e [[0, 1]] output_shape [%n, 20] : memref<?xf32> into memref<?x20xf32>
  return %e2 : memref<?x20xf32>
}

func.func @collapse_cast(%a: memref<8x4x5xf32>, %n: index) -> memref<?x5xf32> {
  %a1 = memref.cast %a : memref<8x4x5xf32> to memref<?x4x5xf32>
  %e = memref.collapse_shape %a1 [[0, 1], [2]] : memref<?x4x5xf32> into memref<?x5xf32>
  return %e : memref<?x5xf32>
}

func.func @expand_cast(%a: memref<8x5xf32>, %n: index) -> memref<?x4x5xf32> {
  %a1 = memref.cast %a : memref<8x5xf32> to memref<?x5xf32>
  %e = memref.expand_shape %a1 [[0, 1], [2]] output_shape [%n, 4, 5] : memref<?x5xf32> into memref<?x4x5xf32>
  return %e : memref<?x4x5xf32>
}

func.func @expand_const(%a: memref<?x5xf32>) -> memref<?x4x5xf32> {
  %n = arith.constant 3 : index
  %e = memref.expand_shape %a [[0, 1], [2]] output_shape [%n, 4, 5] : memref<?x5xf32> into memref<?x4x5xf32>
  return %e : memref<?x4x5xf32>
}

func.func @rc_const(%a: memref<?xf32>) -> memref<?x?xf32, strided<[?, ?], offset: ?>> {
  %n = arith.constant 3 : index
  %e = memref.reinterpret_cast %a to offset: [%n], sizes: [%n, %n], strides: [%n, %n] : memref<?xf32> to memref<?x?xf32, strided<[?, ?], offset: ?>>
  return %e : memref<?x?xf32, strided<[?, ?], offset: ?>>
}

func.func @esm_cast(%a: memref<4x5xf32>) -> (memref<f32>, index, index, index, index, index) {
  %a1 = memref.cast %a : memref<4x5xf32> to memref<?x?xf32, strided<[?, ?], offset: ?>>
  %b, %o, %s:2, %t:2 = memref.extract_strided_metadata %a1 : memref<?x?xf32, strided<[?, ?], offset: ?>> -> memref<f32>, index, index, index, index, index
  return %b, %o, %s#0, %s#1, %t#0, %t#1 : memref<f32>, index, index, index, index, index
}

func.func @esm(%a: memref<4x?xf32>) -> (memref<f32>, index, index, index, index, index) {
  %b, %o, %s:2, %t:2 = memref.extract_strided_metadata %a : memref<4x?xf32> -> memref<f32>, index, index, index, index, index
  return %b, %o, %s#0, %s#1, %t#0, %t#1 : memref<f32>, index, index, index, index, index
}

func.func @rcesm(%a: memref<4x?xf32>) -> memref<4x?xf32, strided<[?, 1], offset: ?>> {
  %b, %o, %s:2, %t:2 = memref.extract_strided_metadata %a : memref<4x?xf32> -> memref<f32>, index, index, index, index, index
  %r = memref.reinterpret_cast %b to offset: [%o], sizes: [4, %s#1], strides: [%t#0, 1] : memref<f32> to memref<4x?xf32, strided<[?, 1], offset: ?>>
  return %r : memref<4x?xf32, strided<[?, 1], offset: ?>>
}

func.func @sv_const(%a: memref<?x?xf32>, %m: index) -> memref<?x?xf32, strided<[?, ?], offset: ?>> {
  %n = arith.constant 3 : index
  %z = arith.constant 0 : index
  %o = arith.constant 1 : index
  %e = memref.subview %a[%z, %m] [%n, %m] [%o, %n] : memref<?x?xf32> to memref<?x?xf32, strided<[?, ?], offset: ?>>
  return %e : memref<?x?xf32, strided<[?, ?], offset: ?>>
}

func.func @sv_cast(%a: memref<8x8xf32>, %m: index) -> memref<4x?xf32, strided<[?, 1], offset: ?>> {
  %c = memref.cast %a : memref<8x8xf32> to memref<?x?xf32>
  %e = memref.subview %c[0, 0] [4, %m] [1, 1] : memref<?x?xf32> to memref<4x?xf32, strided<[?, 1]>>
  %d = memref.cast %e : memref<4x?xf32, strided<[?, 1]>> to memref<4x?xf32, strided<[?, 1], offset: ?>>
  return %d : memref<4x?xf32, strided<[?, 1], offset: ?>>
}

func.func @sv_trivial_rr(%a: memref<1x4xf32>) -> memref<4xf32, strided<[1]>> {
  %e = memref.subview %a[0, 0] [1, 4] [1, 1] : memref<1x4xf32> to memref<4xf32, strided<[1]>>
  return %e : memref<4xf32, strided<[1]>>
}

func.func @sv_trivial(%a: memref<1x4xf32>) -> memref<1x4xf32, strided<[4, 1]>> {
  %e = memref.subview %a[0, 0] [1, 4] [1, 1] : memref<1x4xf32> to memref<1x4xf32, strided<[4, 1]>>
  return %e : memref<1x4xf32, strided<[4, 1]>>
}

func.func @sv_neg(%a: memref<?xf32>) -> memref<?xf32, strided<[1], offset: ?>> {
  %n = arith.constant -3 : index
  %e = memref.subview %a[%n] [%n] [1] : memref<?xf32> to memref<?xf32, strided<[1], offset: ?>>
  return %e : memref<?xf32, strided<[1], offset: ?>>
}

func.func @view_const(%a: memref<?xi8>, %m: index) -> memref<?x?xf32> {
  %n = arith.constant 3 : index
  %e = memref.view %a[%n][%n, %m] : memref<?xi8> to memref<?x?xf32>
  return %e : memref<?x?xf32>
}

func.func @view_cast(%a: memref<8xi8>, %m: index) -> memref<?x?xf32> {
  %al = memref.alloc() : memref<8xi8>
  %al1 = memref.cast %al : memref<8xi8> to memref<?xi8>
  %e = memref.view %al1[%m][%m, %m] : memref<?xi8> to memref<?x?xf32>
  return %e : memref<?x?xf32>
}

func.func @alloc_neg() -> memref<?xi8> {
  %n = arith.constant -3 : index
  %al = memref.alloc(%n) {alignment = 8 : i64} : memref<?xi8>
  return %al : memref<?xi8>
}

func.func @copy_empty(%a: memref<0x4xi8>, %b: memref<?x4xi8>, %c: memref<?x4xi8>, %d: memref<3x4xi8>) {
  memref.copy %a, %b : memref<0x4xi8> to memref<?x4xi8>
  memref.copy %b, %b : memref<?x4xi8> to memref<?x4xi8>
  %x = memref.cast %d : memref<3x4xi8> to memref<?x4xi8>
  memref.copy %x, %b : memref<?x4xi8> to memref<?x4xi8>
  %y = memref.cast %b : memref<?x4xi8> to memref<3x4xi8>
  memref.copy %d, %y : memref<3x4xi8> to memref<3x4xi8>
  memref.copy %y, %d : memref<3x4xi8> to memref<3x4xi8>
  %z = memref.cast %b : memref<?x4xi8> to memref<*xi8>
  memref.dealloc %z : memref<*xi8>
  return
}

func.func @scope(%n: index, %c: i1) -> index {
  %r = memref.alloca_scope -> (index) {
     %x = arith.addi %n, %n : index
     memref.alloca_scope.return %x : index
  }
  scf.if %c {
  memref.alloca_scope {
     %x = memref.alloca(%n) : memref<?xf32>
     "unregistered.use"(%x) : (memref<?xf32>) -> ()
     memref.alloca_scope.return
  }
  }
  memref.alloca_scope {
     %x = memref.alloca(%n) : memref<?xf32>
     "unregistered.use"(%x) : (memref<?xf32>) -> ()
     memref.alloca_scope.return
  }
  return %r : index
}

func.func @mscast(%a: memref<4xf32>) -> (memref<4xf32, 2>, memref<4xf32>) {
   %0 = memref.memory_space_cast %a : memref<4xf32> to memref<4xf32, 1>
   %1 = memref.memory_space_cast %0 : memref<4xf32, 1> to memref<4xf32, 2>
   %2 = memref.memory_space_cast %1 : memref<4xf32, 2> to memref<4xf32>
   return %1, %2 : memref<4xf32, 2>, memref<4xf32>
}

func.func @esm_rc(%a: memref<?xf32>, %n: index, %m: index) -> (memref<f32>, index, index, index) {
  %e = memref.reinterpret_cast %a to offset: [%n], sizes: [%m], strides: [%n] : memref<?xf32> to memref<?xf32, strided<[?], offset: ?>>
  %b, %o, %s:1, %t:1 = memref.extract_strided_metadata %e : memref<?xf32, strided<[?], offset: ?>> -> memref<f32>, index, index, index
  return %b, %o, %s, %t : memref<f32>, index, index, index
}

func.func @rc_same(%a: memref<4xf32>) -> memref<4xf32> {
  %e = memref.reinterpret_cast %a to offset: [0], sizes: [4], strides: [1] : memref<4xf32> to memref<4xf32>
  return %e : memref<4xf32>
}

func.func @rc_rc(%a: memref<4xf32>) -> memref<8xf32> {
  %e = memref.reinterpret_cast %a to offset: [4], sizes: [4], strides: [1] : memref<4xf32> to memref<4xf32, strided<[1], offset: 4>>
  %f = memref.reinterpret_cast %e to offset: [0], sizes: [8], strides: [1] : memref<4xf32, strided<[1], offset: 4>> to memref<8xf32>
  return %f : memref<8xf32>
}

func.func @clone_cast(%a: memref<4xf32>) -> (memref<?xf32>) {
  %c = memref.cast %a : memref<4xf32> to memref<?xf32>
  %0 = bufferization.clone %c : memref<?xf32> to memref<?xf32>
  return %0 : memref<?xf32>
}

func.func @rank(%a: memref<4xf32>, %b: memref<*xf32>) -> (index, index) {
  %0 = memref.rank %a : memref<4xf32>
  %1 = memref.rank %b : memref<*xf32>
  return %0, %1 : index, index
}

func.func @dim_oob(%a: memref<4xf32>) -> (index) {
  %c5 = arith.constant 5 : index
  %0 = memref.dim %a, %c5 : memref<4xf32>
  return %0 : index
}

func.func @sv_sv(%a: memref<?xf32>, %n: index) -> (memref<?xf32, strided<[1], offset: ?>>) {
  %s = memref.subview %a[%n][%n][1] : memref<?xf32> to memref<?xf32, strided<[1], offset: ?>>
  %t = memref.subview %s[0][%n][1] : memref<?xf32, strided<[1], offset: ?>> to memref<?xf32, strided<[1], offset: ?>>
  return %t :  memref<?xf32, strided<[1], offset: ?>>
}

func.func @nested_alloca(%n: index, %c: i1) {
  scf.if %c {
  memref.alloca_scope {
     scf.for %i = %n to %n step %n {
       %x = memref.alloca(%n) : memref<?xf32>
       "unregistered.use"(%x) : (memref<?xf32>) -> ()
     }
     memref.alloca_scope.return
  }
  }
  return
}

func.func @getglobal_dead() {
 %0 = memref.get_global @g : memref<4xi32>
 return
}

func.func @scope_in_if(%n: index, %c: i1) {
  scf.if %c {
    memref.alloca_scope {
      %x = memref.alloca(%n) : memref<?xf32>
      "unregistered.use"(%x) : (memref<?xf32>) -> ()
    }
  }
  return
}

func.func @scope_not_last(%n: index, %c: i1) {
  scf.if %c {
    memref.alloca_scope {
      %x = memref.alloca(%n) : memref<?xf32>
      "unregistered.use"(%x) : (memref<?xf32>) -> ()
    }
  }
  "unregistered.other"() : () -> ()
  return
}

func.func @scope_size_inside(%n: index, %c: i1) {
  scf.if %c {
    %m = "unregistered.size"() : () -> index
    memref.alloca_scope {
      %x = memref.alloca(%m) : memref<?xf32>
      "unregistered.use"(%x) : (memref<?xf32>) -> ()
    }
  }
  return
}

func.func @scope_in_for(%n: index, %c: i1, %z: index) {
  scf.for %i = %z to %n step %n {
    memref.alloca_scope {
      %x = memref.alloca(%n) : memref<?xf32>
      "unregistered.use"(%x) : (memref<?xf32>) -> ()
    }
  }
  return
}

func.func @scope_in_while(%n: index, %c: i1, %z: index) {
  scf.while : () -> () {
    %d = "unregistered.c"() : () -> i1
    scf.condition(%d)
  } do {
    memref.alloca_scope {
      %x = memref.alloca(%n) : memref<?xf32>
      "unregistered.use"(%x) : (memref<?xf32>) -> ()
    }
    scf.yield
  }
  return
}

func.func @scope_in_blocks(%n: index, %c: i1, %z: index) {
  cf.br ^a
^a:
  memref.alloca_scope {
      %x = memref.alloca(%n) : memref<?xf32>
      "unregistered.use"(%x) : (memref<?xf32>) -> ()
  }
  cf.cond_br %c, ^a, ^b
^b:
  return
}
