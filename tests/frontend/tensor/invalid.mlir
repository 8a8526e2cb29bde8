// What is wrong with tensor operations, in mlir-opt's words.

// RUN: freehold opt %s --split-input-file --verify-diagnostics

func.func @empty() {
  // expected-error @+1 {{'tensor.empty' op incorrect number of dynamic sizes, has 0, expected 1}}
  %0 = tensor.empty() : tensor<?x4xf32>
  return
}

// -----

func.func @empty_2() {
  // expected-error @+1 {{custom op 'tensor.empty' invalid kind of type specified}}
  %0 = tensor.empty() : tensor<*xf32>
  return
}

// -----

func.func @dim(%n: index, %u: tensor<f32>) {
  // expected-error @+1 {{'tensor.dim' op operand #0 must be non-0-ranked or unranked tensor, but got 'tensor<f32>'}}
  %0 = tensor.dim %u, %n : tensor<f32>
  return
}

// -----

func.func @extract(%n: index, %t: tensor<?x4xf32>) {
  // expected-error @+1 {{'tensor.extract' op incorrect number of indices for extract_element}}
  %0 = tensor.extract %t[%n] : tensor<?x4xf32>
  return
}

// -----

func.func @insert(%n: index, %t: tensor<?x4xf32>, %v: f32) {
  // expected-error @+1 {{'tensor.insert' op incorrect number of indices}}
  %0 = tensor.insert %v into %t[%n] : tensor<?x4xf32>
  return
}

// -----

func.func @insert_2(%n: index, %t: tensor<?x4xf32>, %v: i32) {
  // expected-error @+1 {{'tensor.insert' op failed to verify that scalar type matches element type of dest}}
  %0 = "tensor.insert"(%v, %t, %n, %n) : (i32, tensor<?x4xf32>, index, index) -> tensor<?x4xf32>
  return
}

// -----

func.func @insert_3(%n: index, %t: tensor<?x4xf32>, %v: f32) {
  // expected-error @+1 {{'tensor.insert' op failed to verify that result type matches type of dest}}
  %0 = "tensor.insert"(%v, %t, %n, %n) : (f32, tensor<?x4xf32>, index, index) -> tensor<4x4xf32>
  return
}

// -----

func.func @extract_2(%n: index, %t: tensor<?x4xf32>) {
  // expected-error @+1 {{'tensor.extract' op failed to verify that result type matches element type of tensor}}
  %0 = "tensor.extract"(%t, %n, %n) : (tensor<?x4xf32>, index, index) -> i32
  return
}

// -----

func.func @extract_slice(%t: tensor<?x4xf32>) {
  // expected-error @+1 {{expected 2 offset values, got 1}}
  %0 = tensor.extract_slice %t[0] [1] [1] : tensor<?x4xf32> to tensor<1xf32>
  return
}

// -----

func.func @extract_slice_2(%t: tensor<?x4xf32>) {
  // expected-error @+1 {{expected type to be 'tensor<1x2xf32>' or a rank-reduced version. (size mismatch)}}
  %0 = tensor.extract_slice %t[0, 0] [1, 2] [1, 1] : tensor<?x4xf32> to tensor<3xf32>
  return
}

// -----

func.func @extract_slice_3(%t: tensor<?x4xf32>) {
  // expected-error @+1 {{expected rank to be smaller or equal to the other rank.}}
  %0 = tensor.extract_slice %t[0, 0] [1, 2] [1, 1] : tensor<?x4xf32> to tensor<1x1x2xf32>
  return
}

// -----

func.func @extract_slice_4(%t: tensor<?x4xf32>) {
  // expected-error @+1 {{expected element type to be 'f32'}}
  %0 = tensor.extract_slice %t[0, 0] [1, 2] [1, 1] : tensor<?x4xf32> to tensor<1x2xi32>
  return
}

// -----

func.func @insert_slice(%t: tensor<?x4xf32>, %u: tensor<2xf32>) {
  // expected-error @+1 {{expected type to be 'tensor<1x3xf32>' or a rank-reduced version. (size mismatch)}}
  %0 = tensor.insert_slice %u into %t[0, 0] [1, 3] [1, 1] : tensor<2xf32> into tensor<?x4xf32>
  return
}

// -----

func.func @insert_slice_2(%t: tensor<?x4xf32>, %u: tensor<2xf32>) {
  // expected-error @+1 {{'tensor.insert_slice' op failed to verify that expected result type to match dest type}}
  %0 = "tensor.insert_slice"(%u, %t) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: 1, 2>, static_strides = array<i64: 1, 1>}> : (tensor<2xf32>, tensor<?x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @cast(%t: tensor<?x4xf32>) {
  // expected-error @+1 {{'tensor.cast' op operand type 'tensor<?x4xf32>' and result type 'tensor<?x5xf32>' are cast incompatible}}
  %0 = tensor.cast %t : tensor<?x4xf32> to tensor<?x5xf32>
  return
}

// -----

func.func @collapse_shape(%t: tensor<?x4xf32>) {
  // expected-error @+1 {{'tensor.collapse_shape' op expected reassociation map #0 to have size equal to the expanded rank (2), but it is  1.}}
  %0 = tensor.collapse_shape %t [[0]] : tensor<?x4xf32> into tensor<?xf32>
  return
}

// -----

func.func @collapse_shape_2(%t: tensor<?x4xf32>) {
  // expected-error @+1 {{'tensor.collapse_shape' op expected dimension 0 of collapsed type to be dynamic since one or more of the corresponding dimensions in the expanded type is dynamic}}
  %0 = tensor.collapse_shape %t [[0, 1]] : tensor<?x4xf32> into tensor<4xf32>
  return
}

// -----

func.func @collapse_shape_3(%t: tensor<?x4xf32>) {
  // expected-error @+1 {{'tensor.collapse_shape' op expected reassociation map #0 to be valid and contiguous.}}
  %0 = tensor.collapse_shape %t [[1, 0]] : tensor<?x4xf32> into tensor<?xf32>
  return
}

// -----

func.func @expand_shape(%u: tensor<4xf32>) {
  // expected-error @+1 {{'tensor.expand_shape' op expected dimension 0 of collapsed type to be static value of 6}}
  %0 = tensor.expand_shape %u [[0, 1]] output_shape [2, 3] : tensor<4xf32> into tensor<2x3xf32>
  return
}

// -----

func.func @expand_shape_2(%u: tensor<4xf32>) {
  // expected-error @+1 {{'tensor.expand_shape' op expected number of static shape dims to be equal to the output rank (2) but found 1 inputs instead}}
  %0 = tensor.expand_shape %u [[0, 1]] output_shape [2] : tensor<4xf32> into tensor<2x2xf32>
  return
}

// -----

func.func @collapse_shape_4(%u: tensor<4xf32>) {
  // expected-error @+1 {{'tensor.collapse_shape' op expected the expanded type, 'tensor<4xf32>' to have a higher (or same) rank than the collapsed type, 'tensor<2x2xf32>'.}}
  %0 = tensor.collapse_shape %u [[0, 1]] : tensor<4xf32> into tensor<2x2xf32>
  return
}

// -----

func.func @from_elements(%n: index, %v: f32) {
  // expected-error @+1 {{'tensor.from_elements' op failed to verify that operand types match result element type}}
  %0 = "tensor.from_elements"(%v, %n) : (f32, index) -> tensor<2xf32>
  return
}

// -----

func.func @from_elements_2(%v: f32) {
  // expected-error @+1 {{'tensor.from_elements' op result #0 must be statically shaped tensor of any type values, but got 'tensor<?xf32>'}}
  %0 = "tensor.from_elements"(%v, %v) : (f32, f32) -> tensor<?xf32>
  return
}

// -----

func.func @generate(%v: f32) {
  // expected-error @+1 {{must have as many index operands as dynamic extents in the result type}}
  %11 = tensor.generate {
  ^bb0(%i: index, %j: index):
    tensor.yield %v : f32
  } : tensor<?x4xf32>
  return
}

// -----

func.func @generate_2(%n: index, %v: f32) {
  // expected-error @+1 {{must have one body argument per input dimension}}
  %11 = tensor.generate %n {
  ^bb0(%i: index):
    tensor.yield %v : f32
  } : tensor<?x4xf32>
  return
}

// -----

func.func @generate_3(%n: index, %v: f32) {
  // expected-error @+1 {{all body arguments must be index}}
  %11 = tensor.generate %n {
  ^bb0(%i: index, %j: i32):
    tensor.yield %v : f32
  } : tensor<?x4xf32>
  return
}

// -----

func.func @generate_4(%n: index) {
  // expected-error @+1 {{'tensor.generate' op body must be terminated with a `yield` operation of the tensor element type}}
  %11 = tensor.generate %n {
  ^bb0(%i: index, %j: index):
    tensor.yield %i : index
  } : tensor<?x4xf32>
  return
}

// -----

func.func @pad(%t: tensor<?x4xf32>, %v: f32) {
  // expected-error @+1 {{failed to infer expectedType from sourceType 'tensor<?x4xf32>', specified resultType is 'tensor<?x?xf32>'}}
  %12 = tensor.pad %t low[1] high[0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %v : f32
  } : tensor<?x4xf32> to tensor<?x?xf32>
  return
}

// -----

func.func @pad_2(%t: tensor<?x4xf32>, %v: f32) {
  // expected-error @+1 {{specified type 'tensor<?x7xf32>' does not match the inferred type 'tensor<?x5xf32>'}}
  %12 = tensor.pad %t low[1, 1] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %v : f32
  } : tensor<?x4xf32> to tensor<?x7xf32>
  return
}

// -----

func.func @pad_3(%t: tensor<?x4xf32>, %v: f32) {
  // expected-error @+1 {{expected the block to have 2 arguments}}
  %12 = tensor.pad %t low[1, 1] high[0, 0] {
  ^bb0(%i: index):
    tensor.yield %v : f32
  } : tensor<?x4xf32> to tensor<?x5xf32>
  return
}

// -----

func.func @pad_4(%t: tensor<?x4xf32>, %v: f32) {
  // expected-error @+1 {{'tensor.pad' op expected block argument 2 to be an index}}
  %12 = tensor.pad %t low[1, 1] high[0, 0] {
  ^bb0(%i: index, %j: i32):
    tensor.yield %v : f32
  } : tensor<?x4xf32> to tensor<?x5xf32>
  return
}

// -----

func.func @pad_5(%t: tensor<?x4xf32>) {
  // expected-error @+1 {{'tensor.pad' op expected yield type to match shape element type}}
  %12 = tensor.pad %t low[1, 1] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %i : index
  } : tensor<?x4xf32> to tensor<?x5xf32>
  return
}

// -----

func.func @pad_6(%t: tensor<?x4xf32>, %v: f32) {
  // expected-error @+1 {{specified type 'tensor<?xf32>' does not match the inferred type 'tensor<?x5xf32>'}}
  %12 = tensor.pad %t low[1, 1] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %v : f32
  } : tensor<?x4xf32> to tensor<?xf32>
  return
}

// -----

func.func @splat(%v: f32) {
  // expected-error @+1 {{'tensor.splat' op incorrect number of dynamic sizes, has 0, expected 1}}
  %12 = tensor.splat %v : tensor<?xf32>
  return
}

// -----

func.func @splat_2(%v: f32) {
  // expected-error @+1 {{'tensor.splat' op failed to verify that operand type matches element type of result}}
  %12 = "tensor.splat"(%v) : (f32) -> tensor<4xi32>
  return
}

// -----

func.func @reshape(%t: tensor<?x4xf32>, %u: tensor<4xi32>) {
  // expected-error @+1 {{'tensor.reshape' op length of shape operand differs from the result's tensor rank}}
  %12 = tensor.reshape %t(%u) : (tensor<?x4xf32>, tensor<4xi32>) -> tensor<4xf32>
  return
}

// -----

func.func @reshape_2(%t: tensor<4x4xf32>, %u: tensor<1xi32>) {
  // expected-error @+1 {{'tensor.reshape' op source and destination tensor should have the same number of elements}}
  %12 = tensor.reshape %t(%u) : (tensor<4x4xf32>, tensor<1xi32>) -> tensor<4xf32>
  return
}

// -----

func.func @reshape_3(%t: tensor<4x4xf32>, %u: tensor<1xi32>) {
  // expected-error @+1 {{'tensor.reshape' op element types of source and destination tensor types should be the same}}
  %12 = tensor.reshape %t(%u) : (tensor<4x4xf32>, tensor<1xi32>) -> tensor<16xi32>
  return
}

// -----

func.func @reshape_4(%t: tensor<4x4xf32>, %u: tensor<?xi32>) {
  // expected-error @+1 {{'tensor.reshape' op cannot use shape operand with dynamic length to reshape to statically-ranked tensor type}}
  %12 = tensor.reshape %t(%u) : (tensor<4x4xf32>, tensor<?xi32>) -> tensor<16xf32>
  return
}

// -----

func.func @bitcast(%t: tensor<4x4xf32>) {
  // expected-error @+1 {{'tensor.bitcast' op operand type 'tensor<4x4xf32>' and result type 'tensor<4x4xi16>' are cast incompatible}}
  %12 = tensor.bitcast %t : tensor<4x4xf32> to tensor<4x4xi16>
  return
}

// -----

func.func @bitcast_2(%t: tensor<4x4xf32>) {
  // expected-error @+1 {{'tensor.bitcast' op operand type 'tensor<4x4xf32>' and result type 'tensor<4x5xi32>' are cast incompatible}}
  %12 = tensor.bitcast %t : tensor<4x4xf32> to tensor<4x5xi32>
  return
}

// -----

func.func @concat(%t: tensor<4x4xf32>) {
  // expected-error @+1 {{'tensor.concat' op concatenation dim must be less than the tensor rank}}
  %12 = tensor.concat dim(2) %t, %t : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
  return
}

// -----

func.func @concat_2(%t: tensor<4x4xf32>) {
  // expected-error @+1 {{'tensor.concat' op result type 'tensor<8x4xf32>'does not match inferred shape 'tensor<4x8xf32>' static sizes}}
  %12 = tensor.concat dim(1) %t, %t : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
  return
}

// -----

func.func @concat_3(%t: tensor<4x4xf32>, %u: tensor<?xf32>) {
  // expected-error @+1 {{'tensor.concat' op rank of concatenated inputs must match result rank}}
  %12 = tensor.concat dim(1) %t, %u : (tensor<4x4xf32>, tensor<?xf32>) -> tensor<8x4xf32>
  return
}

// -----

func.func @concat_4(%t: tensor<4x4xf32>, %u: tensor<5x4xf32>) {
  // expected-error @+1 {{'tensor.concat' op static concatenation size mismatch along non-concatenated dimension 0}}
  %12 = tensor.concat dim(1) %t, %u : (tensor<4x4xf32>, tensor<5x4xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @concat_5() {
  // expected-error @+1 {{'tensor.concat' op requires at least one input}}
  %12 = "tensor.concat"() {dim = 0 : i64} : () -> tensor<4x8xf32>
  return
}

// -----

func.func @packing_1(%a: tensor<16x32xf32>, %b: tensor<2x4x8x8xf32>) {
  // expected-error @+1 {{invalid zero tile factor}}
  %0 = tensor.pack %a inner_dims_pos = [0, 1] inner_tiles = [0, 8] into %b : tensor<16x32xf32> -> tensor<2x4x8x8xf32>
  return
}

// -----

func.func @packing_2(%a: tensor<16x32xf32>, %b: tensor<2x4x8x8xf32>) {
  // expected-error @+1 {{invalid inner_dims_pos vector}}
  %0 = tensor.pack %a inner_dims_pos = [0, 2] inner_tiles = [8, 8] into %b : tensor<16x32xf32> -> tensor<2x4x8x8xf32>
  return
}

// -----

func.func @packing_3(%a: tensor<16x32xf32>, %b: tensor<2x4x8x8xf32>) {
  // expected-error @+1 {{invalid inner_dims_pos vector}}
  %0 = tensor.pack %a inner_dims_pos = [0, 0] inner_tiles = [8, 8] into %b : tensor<16x32xf32> -> tensor<2x4x8x8xf32>
  return
}

// -----

func.func @packing_4(%a: tensor<16x32xf32>, %b: tensor<2x4x8x8xf32>) {
  // expected-error @+1 {{invalid outer_dims_perm vector}}
  %0 = tensor.pack %a outer_dims_perm = [0, 2] inner_dims_pos = [0, 1] inner_tiles = [8, 8] into %b : tensor<16x32xf32> -> tensor<2x4x8x8xf32>
  return
}

// -----

func.func @packing_5(%a: tensor<16x32xf32>, %b: tensor<2x4x8x8xf32>) {
  // expected-error @+1 {{outer_dims_perm must be a permutation or empty}}
  %0 = tensor.pack %a outer_dims_perm = [0] inner_dims_pos = [0, 1] inner_tiles = [8, 8] into %b : tensor<16x32xf32> -> tensor<2x4x8x8xf32>
  return
}

// -----

func.func @packing_6(%a: tensor<16x32xf32>, %b: tensor<2x4x8x8xf32>) {
  // expected-error @+1 {{tiling factors must equal the number of dimensions to tile}}
  %0 = tensor.pack %a inner_dims_pos = [0, 1] inner_tiles = [8] into %b : tensor<16x32xf32> -> tensor<2x4x8x8xf32>
  return
}

// -----

func.func @packing_7(%a: tensor<16x32xf32>, %b: tensor<2x4x8x8xf32>) {
  // expected-error @+1 {{tiling factors must be less than or equal to the input rank for pack or output rank for unpack}}
  %0 = tensor.pack %a inner_dims_pos = [0, 1] inner_tiles = [8, 8, 8] into %b : tensor<16x32xf32> -> tensor<2x4x8x8xf32>
  return
}

// -----

func.func @packing_8(%a: tensor<16x32xf32>, %b: tensor<2x4x8x8xf32>) {
  // expected-error @+1 {{packed rank must equal unpacked rank + tiling factors}}
  %0 = tensor.pack %a inner_dims_pos = [0] inner_tiles = [8] into %b : tensor<16x32xf32> -> tensor<2x4x8x8xf32>
  return
}

// -----

func.func @packing_9(%a: tensor<16x32xf32>, %b: tensor<2x3x8x8xf32>) {
  // expected-error @+1 {{the shape of output is not large enough to hold the packed data. Expected at least 'tensor<2x4x8x8xf32>', got 'tensor<2x3x8x8xf32>'}}
  %0 = tensor.pack %a inner_dims_pos = [0, 1] inner_tiles = [8, 8] into %b : tensor<16x32xf32> -> tensor<2x3x8x8xf32>
  return
}

// -----

func.func @packing_10(%a: tensor<16x32xf32>, %b: tensor<4x4x8x4xf32>) {
  // expected-error @+1 {{the shape of output is not large enough to hold the packed data. Expected at least 'tensor<4x4x4x8xf32>', got 'tensor<4x4x8x4xf32>'}}
  %0 = tensor.pack %a inner_dims_pos = [0, 1] inner_tiles = [4, 8] into %b : tensor<16x32xf32> -> tensor<4x4x8x4xf32>
  return
}

// -----

func.func @packing_11(%a: tensor<15x32xf32>, %b: tensor<2x4x8x8xf32>) {
  // expected-error @+1 {{'tensor.pack' op invalid tile factor or output size provided. Only full tiles are supported when padding_value is not set}}
  %0 = tensor.pack %a inner_dims_pos = [0, 1] inner_tiles = [8, 8] into %b : tensor<15x32xf32> -> tensor<2x4x8x8xf32>
  return
}

// -----

func.func @packing_12(%a: tensor<16x32xf32>, %b: tensor<2x4x8x8xf32>, %z: i32) {
  // expected-error @+1 {{'tensor.pack' op expected padding_value has 'f32' but got: 'i32'}}
  %0 = tensor.pack %a padding_value(%z : i32) inner_dims_pos = [0, 1] inner_tiles = [8, 8] into %b : tensor<16x32xf32> -> tensor<2x4x8x8xf32>
  return
}

// -----

func.func @packing_13(%a: tensor<16x32xf32>, %b: tensor<2x4x8x8xf32>) {
  // expected-error @+1 {{invalid zero tile factor}}
  %0 = tensor.unpack %b inner_dims_pos = [0, 1] inner_tiles = [8, 0] into %a : tensor<2x4x8x8xf32> -> tensor<16x32xf32>
  return
}

// -----

func.func @packing_14(%a: tensor<17x32xf32>, %b: tensor<2x4x8x8xf32>) {
  // expected-error @+1 {{the shape of output is not large enough to hold the packed data. Expected at least 'tensor<3x4x8x8xf32>', got 'tensor<2x4x8x8xf32>'}}
  %0 = tensor.unpack %b inner_dims_pos = [0, 1] inner_tiles = [8, 8] into %a : tensor<2x4x8x8xf32> -> tensor<17x32xf32>
  return
}

// -----

func.func @packing_15(%a: tensor<16x32xf32>, %b: tensor<2x4x8x8xf32>) {
  // expected-error @+1 {{'tensor.pack' op failed to verify that result type matches type of dest}}
  %0 = "tensor.pack"(%a, %b) {inner_dims_pos = array<i64: 0, 1>, static_inner_tiles=array<i64: 8, 8>, operandSegmentSizes = array<i32: 1,1,0,0>} : (tensor<16x32xf32>, tensor<2x4x8x8xf32>) -> tensor<?x4x8x8xf32>
  return
}

// -----

func.func @packing_16(%a: tensor<16x32xf32>, %b: tensor<2x4x8x8xf32>) {
  // expected-error @+1 {{mismatch in inner tile sizes specified and shaped of tiled dimension in the packed type}}
  %0 = tensor.pack %a inner_dims_pos = [0, 1] inner_tiles = [-8, 8] into %b : tensor<16x32xf32> -> tensor<2x4x8x8xf32>
  return
}

// -----

func.func @positions_17(%a: tensor<16x32xf32>, %i: tensor<3x1xindex>) {
  // expected-error @+1 {{'tensor.gather' op gather_dims value must be smaller than source rank}}
  %4 = tensor.gather %a[%i] gather_dims([2]) unique : (tensor<16x32xf32>, tensor<3x1xindex>) -> tensor<3x16x1xf32>
  return
}

// -----

func.func @positions_18(%a: tensor<16x32xf32>, %i: tensor<3x1xindex>) {
  // expected-error @+1 {{'tensor.gather' op gather_dims value must be non-negative}}
  %4 = tensor.gather %a[%i] gather_dims([-1]) unique : (tensor<16x32xf32>, tensor<3x1xindex>) -> tensor<3x16x1xf32>
  return
}

// -----

func.func @positions_19(%a: tensor<16x32xf32>, %i: tensor<3x2xindex>) {
  // expected-error @+1 {{'tensor.gather' op gather_dims values must be strictly increasing}}
  %4 = tensor.gather %a[%i] gather_dims([1, 0]) unique : (tensor<16x32xf32>, tensor<3x2xindex>) -> tensor<3x1x1xf32>
  return
}

// -----

func.func @positions_20(%a: tensor<16x32xf32>, %i: tensor<3x1xindex>) {
  // expected-error @+1 {{'tensor.gather' op result type mismatch: expected 'tensor<3x16x1xf32>' or its rank-reduced variant 'tensor<3x16xf32>' (got: 'tensor<3x17x1xf32>')}}
  %4 = tensor.gather %a[%i] gather_dims([1]) unique : (tensor<16x32xf32>, tensor<3x1xindex>) -> tensor<3x17x1xf32>
  return
}

// -----

func.func @positions_21(%a: tensor<16x32xf32>, %i: tensor<3x3xindex>) {
  // expected-error @+1 {{'tensor.gather' op gather_dims overflow source rank}}
  %4 = tensor.gather %a[%i] gather_dims([0, 1, 2]) unique : (tensor<16x32xf32>, tensor<3x3xindex>) -> tensor<3x17x1xf32>
  return
}

// -----

func.func @positions_22(%a: tensor<16x32xf32>, %i: tensor<3x1xindex>) {
  // expected-error @+1 {{'tensor.gather' op gather_dims must be non-empty}}
  %4 = tensor.gather %a[%i] gather_dims([]) unique : (tensor<16x32xf32>, tensor<3x1xindex>) -> tensor<3x17x1xf32>
  return
}

// -----

func.func @positions_23(%a: tensor<16x32xf32>, %i: tensor<3x1xf32>) {
  // expected-error @+1 {{'tensor.gather' op operand #1 must be ranked tensor of signless integer or index values, but got 'tensor<3x1xf32>'}}
  %4 = tensor.gather %a[%i] gather_dims([0]) unique : (tensor<16x32xf32>, tensor<3x1xf32>) -> tensor<3x1x32xf32>
  return
}

// -----

func.func @positions_24(%a: tensor<16x32xf32>, %s: tensor<3x16xf32>, %i: tensor<3x1xindex>) {
  // expected-error @+1 {{'tensor.scatter' op requires 'unique' attribute to be set}}
  %4 = tensor.scatter %s into %a[%i] scatter_dims([1]) : (tensor<3x16xf32>, tensor<16x32xf32>, tensor<3x1xindex>) -> tensor<16x32xf32>
  return
}

// -----

func.func @positions_25(%a: tensor<16x32xf32>, %s: tensor<3x17xf32>, %i: tensor<3x1xindex>) {
  // expected-error @+1 {{'tensor.scatter' op source type mismatch: expected 'tensor<3x16x1xf32>' or its rank-reduced variant 'tensor<3x16xf32>' (got: 'tensor<3x17xf32>')}}
  %4 = tensor.scatter %s into %a[%i] scatter_dims([1]) unique : (tensor<3x17xf32>, tensor<16x32xf32>, tensor<3x1xindex>) -> tensor<16x32xf32>
  return
}

// -----

func.func @positions_26(%a: tensor<16x32xf32>, %s: tensor<3x16xf32>, %i: tensor<3x1xindex>) {
  // expected-error @+1 {{'tensor.scatter' op scatter_dims value must be smaller than dest rank}}
  %4 = tensor.scatter %s into %a[%i] scatter_dims([3]) unique : (tensor<3x16xf32>, tensor<16x32xf32>, tensor<3x1xindex>) -> tensor<16x32xf32>
  return
}

// -----

func.func @positions_27(%a: tensor<?x32xf32>, %i: tensor<?x1xindex>) {
  // expected-error @+1 {{'tensor.gather' op result type mismatch: expected 'tensor<?x?x1xf32>' or its rank-reduced variant 'tensor<?x?xf32>' (got: 'tensor<?x3x1xf32>')}}
  %4 = tensor.gather %a[%i] gather_dims([1]) unique : (tensor<?x32xf32>, tensor<?x1xindex>) -> tensor<?x3x1xf32>
  return
}

// -----

func.func @packing_28(%a: tensor<?x32xf32>, %b: tensor<?x4x8x8xf32>) {
  // expected-error @+1 {{mismatch in inner tile sizes specified and shaped of tiled dimension in the packed type}}
  %0 = tensor.pack %a inner_dims_pos = [0, 1] inner_tiles = [-8, 8] into %b : tensor<?x32xf32> -> tensor<?x4x8x8xf32>
  return
}

// -----

func.func @packing_29(%a: tensor<16x32xf32>, %b: tensor<2x4x8x8xf32>, %z: index) {
  // expected-error @+1 {{mismatch in inner tile sizes specified and shaped of tiled dimension in the packed type}}
  %0 = tensor.pack %a inner_dims_pos = [0, 1] inner_tiles = [%z, 8] into %b : tensor<16x32xf32> -> tensor<2x4x8x8xf32>
  return
}
