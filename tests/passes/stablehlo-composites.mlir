// RUN: freehold opt %s --stablehlo-legalize-to-linalg | FileCheck %s

// Composites of version 1 that are named like operations of CHLO are these, if they fit: as JAX hands them to plugins.
// CHECK-LABEL: func.func @composites
// CHECK:         iree_linalg_ext.topk
// CHECK:         math.erf
// CHECK:         call @largest
// CHECK:         call @error_function
// CHECK:         call @largest_at
func.func @composites(%x: tensor<4x100xf32>) -> (tensor<4x3xf32>, tensor<4x3xi32>, tensor<4x100xf32>, tensor<4x3xf32>, tensor<4x3xi32>, tensor<4x100xf32>, tensor<4x3xi64>) {
  %0:2 = stablehlo.composite "chlo.top_k" %x {composite_attributes = {k = 3 : i64}, decomposition = @largest, version = 1 : i32} : (tensor<4x100xf32>) -> (tensor<4x3xf32>, tensor<4x3xi32>)
  %1 = stablehlo.composite "chlo.erf" %x {decomposition = @error_function, version = 1 : i32} : (tensor<4x100xf32>) -> tensor<4x100xf32>
  // Another number than the results have, and another version.
  %2:2 = stablehlo.composite "chlo.top_k" %x {composite_attributes = {k = 4 : i64}, decomposition = @largest, version = 1 : i32} : (tensor<4x100xf32>) -> (tensor<4x3xf32>, tensor<4x3xi32>)
  %3 = stablehlo.composite "chlo.erf" %x {decomposition = @error_function, version = 2 : i32} : (tensor<4x100xf32>) -> tensor<4x100xf32>
  // Places of another type.
  %4:2 = stablehlo.composite "chlo.top_k" %x {composite_attributes = {k = 3 : i64}, decomposition = @largest_at, version = 1 : i32} : (tensor<4x100xf32>) -> (tensor<4x3xf32>, tensor<4x3xi64>)
  return %0#0, %0#1, %1, %2#0, %2#1, %3, %4#1 : tensor<4x3xf32>, tensor<4x3xi32>, tensor<4x100xf32>, tensor<4x3xf32>, tensor<4x3xi32>, tensor<4x100xf32>, tensor<4x3xi64>
}
func.func private @largest(tensor<4x100xf32>) -> (tensor<4x3xf32>, tensor<4x3xi32>)
func.func private @error_function(tensor<4x100xf32>) -> tensor<4x100xf32>
func.func private @largest_at(tensor<4x100xf32>) -> (tensor<4x3xf32>, tensor<4x3xi64>)
