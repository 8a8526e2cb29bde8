// A mask has as many elements as what it masks.
//
// RUN: freehold opt %s --verify-diagnostics --split-input-file

func.func @reduction(%v: vector<8xf32>, %mask: vector<4xi1>) -> f32 {
  // expected-error @+1 {{'vector.mask' op expects a 'vector<8xi1>' mask for the maskable operation}}
  %sum = vector.mask %mask { vector.reduction <add>, %v : vector<8xf32> into f32 } : vector<4xi1> -> f32
  return %sum : f32
}

// -----

func.func @contract(%a: vector<2x3xf32>, %b: vector<3x4xf32>, %c: vector<2x4xf32>, %mask: vector<2x4x2xi1>) -> vector<2x4xf32> {
  // expected-error @+1 {{'vector.mask' op expects a 'vector<2x4x3xi1>' mask for the maskable operation}}
  %0 = vector.mask %mask {
    vector.contract {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %b, %c
      : vector<2x3xf32>, vector<3x4xf32> into vector<2x4xf32>
  } : vector<2x4x2xi1> -> vector<2x4xf32>
  return %0 : vector<2x4xf32>
}

// -----

// The mask of a transfer has the order of dimensions of memory.
func.func @transfer(%m: memref<?x?xf32>, %mask: vector<4x2xi1>) -> vector<4x2xf32> {
  %c0 = arith.constant 0 : index
  %f = arith.constant 0.0 : f32
  // expected-error @+1 {{'vector.mask' op expects a 'vector<2x4xi1>' mask for the maskable operation}}
  %0 = vector.mask %mask {
    vector.transfer_read %m[%c0, %c0], %f {permutation_map = affine_map<(i, j) -> (j, i)>} : memref<?x?xf32>, vector<4x2xf32>
  } : vector<4x2xi1> -> vector<4x2xf32>
  return %0 : vector<4x2xf32>
}

// -----

func.func @outer(%a: vector<4xf32>, %b: vector<3xf32>, %mask: vector<3x4xi1>) -> vector<4x3xf32> {
  // expected-error @+1 {{'vector.mask' op expects a 'vector<4x3xi1>' mask for the maskable operation}}
  %0 = vector.mask %mask { vector.outerproduct %a, %b : vector<4xf32>, vector<3xf32> } : vector<3x4xi1> -> vector<4x3xf32>
  return %0 : vector<4x3xf32>
}

// -----

func.func @multi_reduction(%v: vector<4x8xf32>, %acc: vector<4xf32>, %mask: vector<4xi1>) -> vector<4xf32> {
  // expected-error @+1 {{'vector.mask' op expects a 'vector<4x8xi1>' mask for the maskable operation}}
  %0 = vector.mask %mask { vector.multi_reduction <add>, %v, %acc [1] : vector<4x8xf32> to vector<4xf32> } : vector<4xi1> -> vector<4xf32>
  return %0 : vector<4xf32>
}

// -----

func.func @gather(%m: memref<?xf32>, %indices: vector<4xi32>, %true: vector<4xi1>, %pass: vector<4xf32>, %mask: vector<8xi1>) -> vector<4xf32> {
  %c0 = arith.constant 0 : index
  // expected-error @+1 {{'vector.mask' op expects a 'vector<4xi1>' mask for the maskable operation}}
  %0 = vector.mask %mask {
    vector.gather %m[%c0][%indices], %true, %pass : memref<?xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  } : vector<8xi1> -> vector<4xf32>
  return %0 : vector<4xf32>
}

// -----

// Upstream does not look at the mask of a scatter.
func.func @scatter(%m: memref<?xf32>, %indices: vector<4xi32>, %true: vector<4xi1>, %v: vector<4xf32>, %mask: vector<8xi1>) {
  %c0 = arith.constant 0 : index
  // expected-error @+1 {{'vector.mask' op expects a 'vector<4xi1>' mask for the maskable operation}}
  vector.mask %mask {
    vector.scatter %m[%c0][%indices], %true, %v : memref<?xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32>
  } : vector<8xi1>
  return
}
