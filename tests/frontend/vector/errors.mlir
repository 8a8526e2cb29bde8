// RUN: freehold opt %s --split-input-file --verify-diagnostics

func.func @broadcast(%v: vector<2xf32>) {
  // expected-error @+1 {{'vector.broadcast' op dimension mismatch (2 vs. 4)}}
  %0 = vector.broadcast %v : vector<2xf32> to vector<4xf32>
  return
}

// -----

func.func @broadcast_rank(%v: vector<2x2xf32>) {
  // expected-error @+1 {{'vector.broadcast' op source rank higher than destination rank}}
  %0 = vector.broadcast %v : vector<2x2xf32> to vector<4xf32>
  return
}

// -----

func.func @shape_cast(%v: vector<2x2xf32>) {
  // expected-error @+1 {{'vector.shape_cast' op source/result number of elements must match}}
  %0 = vector.shape_cast %v : vector<2x2xf32> to vector<3xf32>
  return
}

// -----

func.func @transpose(%v: vector<2x3xf32>) {
  // expected-error @+1 {{'vector.transpose' op duplicate position index: 0}}
  %0 = vector.transpose %v, [0, 0] : vector<2x3xf32> to vector<2x3xf32>
  return
}

// -----

func.func @shuffle(%v: vector<2xf32>) {
  // expected-error @+1 {{'vector.shuffle' op mask index #2 out of range}}
  %0 = vector.shuffle %v, %v [0, 4] : vector<2xf32>, vector<2xf32>
  return
}

// -----

func.func @slice(%v: vector<4xf32>) {
  // expected-error @+1 {{'vector.extract_strided_slice' op expected sum(offsets, sizes) dimension 0 to be confined to [1, 5)}}
  %0 = vector.extract_strided_slice %v {offsets = [2], sizes = [3], strides = [1]} : vector<4xf32> to vector<3xf32>
  return
}

// -----

func.func @reduction(%v: vector<2x2xf32>) {
  // expected-error @+1 {{'vector.reduction' op unsupported reduction rank: 2}}
  %0 = vector.reduction <add>, %v : vector<2x2xf32> into f32
  return
}

// -----

func.func @kind(%v: vector<2xf32>) {
  // expected-error @+1 {{'vector.reduction' op unsupported reduction type ''f32'' for kind 'xor'}}
  %0 = vector.reduction <xor>, %v : vector<2xf32> into f32
  return
}

// -----

func.func @indices(%m: memref<?x?xf32>, %i: index, %f: f32) {
  // expected-error @+1 {{'vector.transfer_read' op requires 2 indices}}
  %0 = vector.transfer_read %m[%i], %f : memref<?x?xf32>, vector<4xf32>
  return
}

// -----

func.func @mask_size() {
  // expected-error @+1 {{'vector.constant_mask' op array attr of size out of bounds of vector result dimension size}}
  %0 = vector.constant_mask [5] : vector<4xi1>
  return
}

// -----

func.func @print() {
  // expected-error @+1 {{'vector.print' op failed to verify that `source` or `punctuation` are not set when printing strings}}
  vector.print str "text" punctuation <comma>
  return
}

// -----

func.func @contract_to_scalar(%a: vector<3x2xf32>, %b: vector<2xf32>, %c: f32) {
  // expected-error @+1 {{'vector.contract' op invalid accumulator/result vector shape}}
  %0 = vector.contract {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> ()>], iterator_types = ["reduction", "reduction"]} %a, %b, %c : vector<3x2xf32>, vector<2xf32> into f32
  return
}

// -----

func.func @contract_to_vector_without_dims(%a: vector<2xf32>, %c: vector<f32>) {
  // expected-error @+1 {{'vector.contract' op invalid accumulator/result vector shape}}
  %0 = vector.contract {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]} %a, %a, %c : vector<2xf32>, vector<2xf32> into vector<f32>
  return
}

// -----

func.func @broadcast_tensor(%t: tensor<4xf32>) {
  // expected-error @+1 {{'vector.broadcast' op source type is not a vector}}
  %0 = "vector.broadcast"(%t) : (tensor<4xf32>) -> vector<4xf32>
  return
}

// -----

func.func @outerproduct_tensor(%v: vector<4xf32>, %t: tensor<2xf32>) {
  // expected-error @+1 {{'vector.outerproduct' op expected 1-d vector for operand #2}}
  %0 = "vector.outerproduct"(%v, %t) <{kind = #vector.kind<add>}> : (vector<4xf32>, tensor<2xf32>) -> vector<4xf32>
  return
}

// -----

func.func @shuffle_without_dimensions(%a: vector<f32>, %b: vector<f32>) {
  // expected-error @+1 {{'vector.shuffle' op rank mismatch}}
  %0 = "vector.shuffle"(%a, %b) <{mask = [0]}> : (vector<f32>, vector<f32>) -> vector<f32>
  return
}
