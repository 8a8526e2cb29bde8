// RUN: freehold opt %s --check-sizes --split-input-file | FileCheck %s

// What callers know is theirs to ensure.
// CHECK:       #[[$SAME:.*]] = affine_map<()[s0, s1] -> (s0, s1)>
// CHECK-LABEL: func.func @add
// CHECK-SAME:    attributes {freehold.requires = [
// CHECK-SAME:      [#[[$SAME]], "equal", [1, 0, 0, 0]], [#[[$SAME]], "equal", [2, 0, 0, 0]]]}
// CHECK-NEXT:    linalg.add
func.func @add(%a: memref<?xf32>, %b: memref<?xf32>, %c: memref<?xf32>) {
  linalg.add ins(%a, %b : memref<?xf32>, memref<?xf32>) outs(%c : memref<?xf32>)
  return
}

// -----

// Sizes that become static, and numbers of type index.
// CHECK:       #[[$FOUR:.*]] = affine_map<()[s0] -> (s0, 4)>
// CHECK:       #[[$TWICE:.*]] = affine_map<()[s0, s1] -> (s0 * 2, s1)>
// CHECK-LABEL: func.func @numbers
// CHECK-SAME:    freehold.requires = [
// CHECK-SAME:      [#[[$FOUR]], "equal", [0, 0]], [#[[$TWICE]], "equal", [2, -1, 1, 0]]]
// CHECK-NOT:     cf.assert
func.func @numbers(%a: tensor<?xf32>, %b: tensor<?xf32>, %n: index) -> (tensor<4xf32>, tensor<?xf32>) {
  %c2 = arith.constant 2 : index
  %0 = tensor.cast %a : tensor<?xf32> to tensor<4xf32>
  %m = arith.muli %n, %c2 : index
  %e = tensor.empty(%m) : tensor<?xf32>
  %1 = linalg.exp ins(%b : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  return %0, %1 : tensor<4xf32>, tensor<?xf32>
}

// -----

// A window is large enough for its last element, unless there is none.
// CHECK:       #[[$WINDOW:.*]] = affine_map<()[s0, s1, s2] -> (s0, s1 * 2 + s2 * 3 - 4, s1, s2)>
// CHECK-LABEL: func.func @window
// CHECK-SAME:    freehold.requires = {{\[\[}}#[[$WINDOW]], "at_least", [0, 0, 2, 0, 1, 0]]]
func.func @window(%a: memref<?xf32>, %k: memref<?xf32>, %o: memref<?xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i * 2 + j * 3)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i)>],
                  iterator_types = ["parallel", "reduction"]}
      ins(%a, %k : memref<?xf32>, memref<?xf32>) outs(%o : memref<?xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %0 = arith.mulf %x, %y : f32
    %1 = arith.addf %0, %z : f32
    linalg.yield %1 : f32
  }
  return
}

// -----

// Sizes that follow from each other leave nothing behind.
// CHECK-LABEL: func.func @known
// CHECK-NOT:     freehold.requires
// CHECK-NOT:     cf.assert
// CHECK:         return
func.func @known(%a: tensor<?x?xf32>, %n: index) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d0 = tensor.dim %a, %c0 : tensor<?x?xf32>
  %d1 = tensor.dim %a, %c1 : tensor<?x?xf32>
  %e = tensor.empty(%d0, %d1) : tensor<?x?xf32>
  %0 = linalg.exp ins(%a : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %flat = tensor.collapse_shape %0 [[0, 1]] : tensor<?x?xf32> into tensor<?xf32>
  %back = tensor.expand_shape %flat [[0, 1]] output_shape [%d0, %d1] : tensor<?xf32> into tensor<?x?xf32>
  %1 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %back) -> tensor<?x?xf32> {
    %2 = linalg.add ins(%x, %a : tensor<?x?xf32>, tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
    %3 = linalg.copy ins(%2 : tensor<?x?xf32>) outs(%x : tensor<?x?xf32>) -> tensor<?x?xf32>
    scf.yield %3 : tensor<?x?xf32>
  }
  return %1 : tensor<?x?xf32>
}

// -----

// What is computed inside, or may not run, is asserted, once for each block.
// CHECK-LABEL: func.func @inside
// CHECK-NOT:     freehold.requires
// CHECK:         scf.if
// CHECK:           %[[D:.*]] = memref.dim %arg0
// CHECK:           %[[EQ:.*]] = arith.cmpi eq, %arg1, %[[D]] : index
// CHECK-NEXT:      cf.assert %[[EQ]], "dimension #0 of operand #1 of 'memref.copy' is incompatible with dimension #0 of operand #0"
// CHECK-NEXT:      memref.copy
// CHECK-NEXT:      memref.copy
func.func @inside(%x: memref<?xf32>, %n: index, %c: i1) {
  %e = memref.alloc(%n) : memref<?xf32>
  scf.if %c {
    memref.copy %x, %e : memref<?xf32> to memref<?xf32>
    memref.copy %x, %e : memref<?xf32> to memref<?xf32>
  }
  return
}

// -----

// Types without sizes say nothing about those that are passed.
// CHECK-LABEL: func.func @ranked
// CHECK-NOT:     freehold.requires
// CHECK:         %[[R:.*]] = memref.rank %arg0 : memref<*xf32>
// CHECK:         arith.cmpi eq, %[[R]], %{{.*}} : index
// CHECK-NEXT:    cf.assert
// CHECK:         memref.dim %arg0, %{{.*}} : memref<*xf32>
// CHECK:         cf.assert
// CHECK-NEXT:    %{{.*}} = memref.cast
func.func @ranked(%a: memref<*xf32>) -> memref<?x4xf32> {
  %0 = memref.cast %a : memref<*xf32> to memref<?x4xf32>
  return %0 : memref<?x4xf32>
}

// -----

// Remainders are as large as the loop or the divisor lets them.
// CHECK-LABEL: func.func @remainder
// CHECK:         arith.minsi
// CHECK:         arith.cmpi sge
// CHECK:         cf.assert
// CHECK:         linalg.generic
func.func @remainder(%a: memref<?xf32>, %o: memref<?xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i) -> (i mod 4)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%a : memref<?xf32>) outs(%o : memref<?xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  }
  return
}

// -----

// Calls have to ensure what their callees require.
// CHECK-LABEL: func.func @caller
// CHECK-SAME:    freehold.requires = {{\[\[}}#{{.*}}, "equal", [1, 0, 0, 0]]]
// CHECK-LABEL: func.func private @callee
// CHECK-SAME:    freehold.requires = {{\[\[}}#{{.*}}, "equal", [1, 0, 0, 0]]]
// CHECK-LABEL: func.func @unknown_sizes
// CHECK:         cf.assert %{{.*}}, "dimension #0 of operand #1 of 'func.call' has an incompatible size"
// CHECK-NEXT:    call @callee
func.func @caller(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %0 = call @callee(%a, %b) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func private @callee(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %0 = linalg.add ins(%a, %b : tensor<?xf32>, tensor<?xf32>) outs(%a : tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func private @made() -> tensor<?xf32>
func.func @unknown_sizes() -> tensor<?xf32> {
  %a = call @made() : () -> tensor<?xf32>
  %b = call @made() : () -> tensor<?xf32>
  %0 = call @callee(%a, %b) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// Functions that call themselves, and those called through values, check for themselves.
// CHECK-LABEL: func.func @recursive
// CHECK-NOT:     freehold.requires
// CHECK:         cf.assert
// CHECK:         linalg.add
// CHECK-LABEL: func.func private @as_value
// CHECK-NOT:     freehold.requires
// CHECK:         cf.assert
// CHECK:         linalg.add
func.func @recursive(%a: memref<?xf32>, %b: memref<?xf32>, %again: i1) {
  linalg.add ins(%a, %a : memref<?xf32>, memref<?xf32>) outs(%b : memref<?xf32>)
  scf.if %again {
    %false = arith.constant false
    func.call @recursive(%a, %b, %false) : (memref<?xf32>, memref<?xf32>, i1) -> ()
  }
  return
}
func.func private @as_value(%a: memref<?xf32>, %b: memref<?xf32>) {
  linalg.add ins(%a, %a : memref<?xf32>, memref<?xf32>) outs(%b : memref<?xf32>)
  return
}
func.func @takes_value() -> ((memref<?xf32>, memref<?xf32>) -> ()) {
  %f = constant @as_value : (memref<?xf32>, memref<?xf32>) -> ()
  return %f : (memref<?xf32>, memref<?xf32>) -> ()
}
