// RUN: freehold opt %s --split-input-file --verify-diagnostics

func.func @no_maps(%a: memref<3x4xf32>, %c: memref<3x5xf32>) {
  // expected-error @+1 {{expected 'indexing_maps'}}
  linalg.contract ins(%a, %a : memref<3x4xf32>, memref<3x4xf32>) outs(%c : memref<3x5xf32>)
  return
}

// -----

#m = affine_map<(i, j, k) -> (i, k)>
func.func @few_maps(%a: memref<3x4xf32>, %c: memref<3x5xf32>) {
  // expected-error @+1 {{expected 3 indexing maps}}
  linalg.contract indexing_maps = [#m, #m] ins(%a, %a : memref<3x4xf32>, memref<3x4xf32>) outs(%c : memref<3x5xf32>)
  return
}

// -----

func.func @kind(%a: memref<3xf32>) {
  // expected-error @+1 {{expected the kind of an elementwise operation}}
  linalg.elementwise kind=#linalg.elementwise_kind<sine> ins(%a : memref<3xf32>) outs(%a : memref<3xf32>)
  return
}

// -----

func.func @inputs(%a: memref<3xf32>) {
  // expected-error @+1 {{expected 2 inputs and one output}}
  linalg.elementwise kind=#linalg.elementwise_kind<add> ins(%a : memref<3xf32>) outs(%a : memref<3xf32>)
  return
}

// -----

// In generic form it is a linalg.generic, which says what is missing.
func.func @generic_form(%a: memref<3xf32>) {
  // expected-error @+1 {{'linalg.generic' op requires attribute 'indexing_maps'}}
  "linalg.contract"(%a, %a) <{operandSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  }) : (memref<3xf32>, memref<3xf32>) -> ()
  return
}
