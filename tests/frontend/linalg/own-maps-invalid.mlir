// Maps that are those of no convolution and no contraction.
//
// RUN: freehold opt %s --split-input-file --verify-diagnostics

// -----

func.func @f(%a: tensor<4x4xf32>, %b: tensor<2x2xf32>, %o: tensor<3x3xf32>) -> tensor<3x3xf32> {
  // expected-error @+1 {{unexpected loop dimension for convolution op}}
  %r = linalg.conv_2d {linalg.memoized_indexing_maps = [affine_map<(h,w,kh,kw) -> (h,w)>, affine_map<(h,w,kh,kw) -> (kh,kw)>, affine_map<(h,w,kh,kw) -> (h,w)>]} ins(%a, %b : tensor<4x4xf32>, tensor<2x2xf32>) outs(%o : tensor<3x3xf32>) -> tensor<3x3xf32>
  return %r : tensor<3x3xf32>
}

// -----

func.func @f(%a: tensor<4x4xf32>, %b: tensor<2x2xf32>, %o: tensor<3x3xf32>) -> tensor<3x3xf32> {
  // expected-error @+1 {{expected all iterators used to access outputs to be parallel}}
  %r = linalg.conv_2d {linalg.memoized_indexing_maps = [affine_map<(h,w,kh,kw) -> (h+kh,w+kw)>, affine_map<(h,w,kh,kw) -> (h,w)>, affine_map<(h,w,kh,kw) -> (kh,kw)>]} ins(%a, %b : tensor<4x4xf32>, tensor<2x2xf32>) outs(%o : tensor<3x3xf32>) -> tensor<3x3xf32>
  return %r : tensor<3x3xf32>
}

// -----

func.func @f(%a: tensor<4x4xf32>, %b: tensor<2x2xf32>, %o: tensor<3x3xf32>) -> tensor<3x3xf32> {
  // expected-error @+1 {{unexpected input index map for convolutions}}
  %r = linalg.conv_2d {linalg.memoized_indexing_maps = [affine_map<(h,w,kh,kw) -> (h+kh+1,w+kw)>, affine_map<(h,w,kh,kw) -> (kh,kw)>, affine_map<(h,w,kh,kw) -> (h,w)>]} ins(%a, %b : tensor<4x4xf32>, tensor<2x2xf32>) outs(%o : tensor<3x3xf32>) -> tensor<3x3xf32>
  return %r : tensor<3x3xf32>
}

// -----

func.func @f(%a: tensor<4x4xf32>, %b: tensor<2x2xf32>, %o: tensor<3x3xf32>) -> tensor<3x3xf32> {
  // expected-error @+1 {{unexpected input index map for convolutions}}
  %r = linalg.conv_2d {linalg.memoized_indexing_maps = [affine_map<(h,w,kh,kw) -> (h+kh,w floordiv 2 + kw)>, affine_map<(h,w,kh,kw) -> (kh,kw)>, affine_map<(h,w,kh,kw) -> (h,w)>]} ins(%a, %b : tensor<4x4xf32>, tensor<2x2xf32>) outs(%o : tensor<3x3xf32>) -> tensor<3x3xf32>
  return %r : tensor<3x3xf32>
}

// -----

func.func @f(%a: tensor<4x4xf32>, %b: tensor<2x2xf32>, %o: tensor<3x3xf32>) -> tensor<3x3xf32> {
  // expected-error @+1 {{unexpected input index map for convolutions}}
  %r = linalg.conv_2d {linalg.memoized_indexing_maps = [affine_map<(h,w,kh,kw) -> (h+kh,0)>, affine_map<(h,w,kh,kw) -> (kh,kw)>, affine_map<(h,w,kh,kw) -> (h,w)>]} ins(%a, %b : tensor<4x4xf32>, tensor<2x2xf32>) outs(%o : tensor<3x3xf32>) -> tensor<3x3xf32>
  return %r : tensor<3x3xf32>
}

// -----

func.func @f(%a: tensor<4x4xf32>, %b: tensor<2x2xf32>, %o: tensor<3x3xf32>) -> tensor<3x3xf32> {
  // expected-error @+1 {{unexpected input index map for convolutions}}
  %r = linalg.conv_2d {linalg.memoized_indexing_maps = [affine_map<(h,w,kh,kw) -> (h+kh,h+kw)>, affine_map<(h,w,kh,kw) -> (kh,kw)>, affine_map<(h,w,kh,kw) -> (h,w)>]} ins(%a, %b : tensor<4x4xf32>, tensor<2x2xf32>) outs(%o : tensor<3x3xf32>) -> tensor<3x3xf32>
  return %r : tensor<3x3xf32>
}

// -----

func.func @f(%a: tensor<4x4xf32>, %b: tensor<2x2xf32>, %o: tensor<3x3xf32>) -> tensor<3x3xf32> {
  // expected-error @+1 {{expected output/filter indexing maps to be projected permutations}}
  %r = linalg.conv_2d {linalg.memoized_indexing_maps = [affine_map<(h,w,kh,kw) -> (h+kh,w+kw)>, affine_map<(h,w,kh,kw) -> (kh,kw+1)>, affine_map<(h,w,kh,kw) -> (h,w)>]} ins(%a, %b : tensor<4x4xf32>, tensor<2x2xf32>) outs(%o : tensor<3x3xf32>) -> tensor<3x3xf32>
  return %r : tensor<3x3xf32>
}

// -----

func.func @f(%a: tensor<4x4xf32>, %b: tensor<2x2xf32>, %o: tensor<3x3xf32>) -> tensor<3x3xf32> {
  // expected-error @+1 {{expected output/filter indexing maps to be projected permutations}}
  %r = linalg.conv_2d {linalg.memoized_indexing_maps = [affine_map<(h,w,kh,kw) -> (h+kh,w+kw)>, affine_map<(h,w,kh,kw) -> (kh,kw)>, affine_map<(h,w,kh,kw) -> (h,h)>]} ins(%a, %b : tensor<4x4xf32>, tensor<2x2xf32>) outs(%o : tensor<3x3xf32>) -> tensor<3x3xf32>
  return %r : tensor<3x3xf32>
}

// -----

func.func @f(%a: tensor<1x4x4x1xf32>, %b: tensor<2x2xf32>, %o: tensor<1x3x3x1xf32>) -> tensor<1x3x3x1xf32> {
  // expected-error @+1 {{unexpected input index map for convolutions}}
  %r = linalg.pooling_nhwc_sum {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>, linalg.memoized_indexing_maps = [affine_map<(n,h,w,c,kh,kw) -> (n,h+kh,w+kw,n)>, affine_map<(n,h,w,c,kh,kw) -> (kh,kw)>, affine_map<(n,h,w,c,kh,kw) -> (n,h,w,c)>]} ins(%a, %b : tensor<1x4x4x1xf32>, tensor<2x2xf32>) outs(%o : tensor<1x3x3x1xf32>) -> tensor<1x3x3x1xf32>
  return %r : tensor<1x3x3x1xf32>
}

// -----

func.func @f(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>, %o: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-error @+1 {{expected indexing maps to be projected permutations}}
  %r = linalg.matmul {linalg.memoized_indexing_maps = [affine_map<(m,n,k) -> (k,k)>, affine_map<(m,n,k) -> (k,n)>, affine_map<(m,n,k) -> (m,n)>]} ins(%a, %b : tensor<4x4xf32>, tensor<4x4xf32>) outs(%o : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}
