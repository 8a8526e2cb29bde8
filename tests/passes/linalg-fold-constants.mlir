// Small tables become constants, and larger ones that save much; what is as cheap where it is needed stays.
//
// RUN: freehold opt %s --linalg-fold-constants --canonicalize --split-input-file | FileCheck %s
// RUN: freehold opt %s --linalg-fold-constants=max-expensive-elements=100 --split-input-file | FileCheck %s --check-prefix=AT
// RUN: freehold opt %s --linalg-fold-constants=max-expensive-elements=99 --split-input-file | FileCheck %s --check-prefix=ABOVE

// The numbers from seven down, through a reshape that nothing is fused through.
// CHECK-LABEL: func.func @reversed
// CHECK-DAG:     arith.constant dense<{{\[\[}}7, 6, 5, 4, 3, 2, 1, 0]]> : tensor<1x8xi8>
// CHECK-NOT:     linalg.index
// CHECK:         return
func.func @reversed(%x: tensor<1x8xi8>) -> tensor<1x8xi8> {
  %c7 = arith.constant 7 : index
  %e = tensor.empty() : tensor<8xi8>
  %t = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%e : tensor<8xi8>) {
  ^bb0(%out: i8):
    %i = linalg.index 0 : index
    %r = arith.subi %c7, %i : index
    %b = arith.index_cast %r : index to i8
    linalg.yield %b : i8
  } -> tensor<8xi8>
  %u = tensor.expand_shape %t [[0, 1]] output_shape [1, 8] : tensor<8xi8> into tensor<1x8xi8>
  %o = tensor.empty() : tensor<1x8xi8>
  %s = linalg.add ins(%x, %u : tensor<1x8xi8>, tensor<1x8xi8>) outs(%o : tensor<1x8xi8>) -> tensor<1x8xi8>
  return %s : tensor<1x8xi8>
}

// -----

// Maps of constants, and of what was found: the transposed sum of both, with an output that is transposed too.
// CHECK-LABEL: func.func @maps
// CHECK-NEXT:    %[[T:.*]] = arith.constant dense<{{\[\[}}1.100000e+01, 1.300000e+01, 1.500000e+01], [2.200000e+01, 2.400000e+01, 2.600000e+01]]> : tensor<2x3xf32>
// CHECK-NEXT:    return %[[T]]
func.func @maps() -> tensor<2x3xf32> {
  %a = arith.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %b = arith.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %e = tensor.empty() : tensor<2x3xf32>
  %t = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (j, i)>],
    iterator_types = ["parallel", "parallel"]
  } ins(%a, %b : tensor<3x2xf32>, tensor<2xf32>) outs(%e : tensor<2x3xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  } -> tensor<2x3xf32>
  return %t : tensor<2x3xf32>
}

// -----

// What takes few operations stays if structured operations alone need it, and so does what is large, unknown, reads
// its old elements, or cannot be folded.
// CHECK-LABEL: func.func @stays
// CHECK:         linalg.generic
// CHECK:         linalg.add
// CHECK-COUNT-3: linalg.generic
// CHECK:         return
func.func @stays(%x: tensor<4xi64>, %old: tensor<4xi64>, %f: f64) -> (tensor<4xi64>, tensor<65xi64>, tensor<4xi64>, tensor<4xf64>) {
  %e = tensor.empty() : tensor<4xi64>
  %cheap = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%e : tensor<4xi64>) {
  ^bb0(%out: i64):
    %i = linalg.index 0 : index
    %b = arith.index_cast %i : index to i64
    linalg.yield %b : i64
  } -> tensor<4xi64>
  %s = linalg.add ins(%x, %cheap : tensor<4xi64>, tensor<4xi64>) outs(%e : tensor<4xi64>) -> tensor<4xi64>
  %l = tensor.empty() : tensor<65xi64>
  %large = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%l : tensor<65xi64>) {
  ^bb0(%out: i64):
    %i = linalg.index 0 : index
    %b = arith.index_cast %i : index to i64
    linalg.yield %b : i64
  } -> tensor<65xi64>
  %reads = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%old : tensor<4xi64>) {
  ^bb0(%out: i64):
    %i = linalg.index 0 : index
    %b = arith.index_cast %i : index to i64
    %c = arith.addi %b, %out : i64
    linalg.yield %c : i64
  } -> tensor<4xi64>
  %g = tensor.empty() : tensor<4xf64>
  %unknown = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%g : tensor<4xf64>) {
  ^bb0(%out: f64):
    linalg.yield %f : f64
  } -> tensor<4xf64>
  return %s, %large, %reads, %unknown : tensor<4xi64>, tensor<65xi64>, tensor<4xi64>, tensor<4xf64>
}

// -----

// A division by zero is no number.
// CHECK-LABEL: func.func @no_number
// CHECK:         arith.divsi
func.func @no_number() -> tensor<4xi64> {
  %c12 = arith.constant 12 : i64
  %e = tensor.empty() : tensor<4xi64>
  %t = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%e : tensor<4xi64>) {
  ^bb0(%out: i64):
    %i = linalg.index 0 : index
    %b = arith.index_cast %i : index to i64
    %d = arith.divsi %c12, %b : i64
    linalg.yield %d : i64
  } -> tensor<4xi64>
  return %t : tensor<4xi64>
}

// -----

// Equal elements are filled in where they are needed.
// CHECK-LABEL: func.func @equal
// CHECK:         linalg.fill
// CHECK:         return
func.func @equal() -> tensor<2x2xi64> {
  %c3 = arith.constant 3 : i64
  %e = tensor.empty() : tensor<4xi64>
  %t = linalg.fill ins(%c3 : i64) outs(%e : tensor<4xi64>) -> tensor<4xi64>
  %u = tensor.expand_shape %t [[0, 1]] output_shape [2, 2] : tensor<4xi64> into tensor<2x2xi64>
  return %u : tensor<2x2xi64>
}

// -----

// Functions and divisions are computed when compiling; what repeats their table is not.
// AT-LABEL:    func.func @sines
// AT-NOT:        math.sin
// AT:            return
// ABOVE-LABEL: func.func @sines
// ABOVE:         math.sin
// CHECK-LABEL: func.func @sines
// CHECK-DAG:     %[[T:.*]] = arith.constant dense<[0.000000e+00, 0.841470957, {{.*}}]> : tensor<100xf32>
// CHECK-NOT:     math.sin
// CHECK:         linalg.generic
// CHECK-SAME:      ins(%[[T]] : tensor<100xf32>)
// CHECK-NOT:     linalg.generic
// CHECK:         return
func.func @sines() -> tensor<8x100xf32> {
  %e = tensor.empty() : tensor<100xf32>
  %t = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%e : tensor<100xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %b = arith.index_cast %i : index to i64
    %x = arith.sitofp %b : i64 to f32
    linalg.yield %x : f32
  } -> tensor<100xf32>
  %s = linalg.generic {
    indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]
  } ins(%t : tensor<100xf32>) outs(%e : tensor<100xf32>) {
  ^bb0(%x: f32, %out: f32):
    %y = math.sin %x : f32
    linalg.yield %y : f32
  } -> tensor<100xf32>
  %o = tensor.empty() : tensor<8x100xf32>
  %r = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]
  } ins(%s : tensor<100xf32>) outs(%o : tensor<8x100xf32>) {
  ^bb0(%x: f32, %out: f32):
    linalg.yield %x : f32
  } -> tensor<8x100xf32>
  return %r : tensor<8x100xf32>
}

// -----

// Weights that are scaled: of 72 elements for a product, and for a sum that can scale them itself.
// CHECK-LABEL: func.func @weights
// CHECK-DAG:     %[[W:.*]] = arith.constant dense<{{\[\[}}5.000000e-01, 1.000000e+00, {{.*}}]]> : tensor<8x9xf32>
// CHECK-DAG:     %[[V:.*]] = arith.constant dense<{{\[\[}}1, 2, {{.*}}]]> : tensor<4x18xi8>
// CHECK:         linalg.matmul ins(%{{.*}}, %[[W]] : tensor<2x8xf32>, tensor<8x9xf32>)
// CHECK:         linalg.generic
// CHECK-SAME:      ins(%[[V]] : tensor<4x18xi8>)
// CHECK:         linalg.add
// CHECK:         return
func.func @weights(%x: tensor<2x8xf32>, %old: tensor<2x9xf32>, %y: tensor<4x18xf32>) -> (tensor<2x9xf32>, tensor<4x18xf32>) {
  %w = arith.constant dense<"0x0102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F202122232425262728292A2B2C2D2E2F303132333435363738393A3B3C3D3E3F404142434445464748"> : tensor<8x9xi8>
  %v = arith.constant dense<"0x0102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F202122232425262728292A2B2C2D2E2F303132333435363738393A3B3C3D3E3F404142434445464748"> : tensor<4x18xi8>
  %scale = arith.constant 0.5 : f32
  %e = tensor.empty() : tensor<8x9xf32>
  %s = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]
  } ins(%w : tensor<8x9xi8>) outs(%e : tensor<8x9xf32>) {
  ^bb0(%n: i8, %out: f32):
    %f = arith.sitofp %n : i8 to f32
    %m = arith.mulf %f, %scale : f32
    linalg.yield %m : f32
  } -> tensor<8x9xf32>
  %p = linalg.matmul ins(%x, %s : tensor<2x8xf32>, tensor<8x9xf32>) outs(%old : tensor<2x9xf32>) -> tensor<2x9xf32>
  %g = tensor.empty() : tensor<4x18xf32>
  %t = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]
  } ins(%v : tensor<4x18xi8>) outs(%g : tensor<4x18xf32>) {
  ^bb0(%n: i8, %out: f32):
    %f = arith.sitofp %n : i8 to f32
    %m = arith.mulf %f, %scale : f32
    linalg.yield %m : f32
  } -> tensor<4x18xf32>
  %q = linalg.add ins(%y, %t : tensor<4x18xf32>, tensor<4x18xf32>) outs(%g : tensor<4x18xf32>) -> tensor<4x18xf32>
  return %p, %q : tensor<2x9xf32>, tensor<4x18xf32>
}

// -----

// Functions of doubles that are the C library's are computed when the program runs, with its last bit.
// CHECK-LABEL: func.func @library
// CHECK:         linalg.map { math.acosh } ins(%{{.*}} : tensor<2xf64>)
// CHECK-NOT:     math.acosh
// CHECK:         return
func.func @library() -> (tensor<2xf64>, tensor<2xf32>) {
  %a = arith.constant dense<[2.0, 3.0]> : tensor<2xf64>
  %b = arith.constant dense<[2.0, 3.0]> : tensor<2xf32>
  %e = tensor.empty() : tensor<2xf64>
  %f = tensor.empty() : tensor<2xf32>
  %s = linalg.map { math.acosh } ins(%a : tensor<2xf64>) outs(%e : tensor<2xf64>)
  %t = linalg.map { math.acosh } ins(%b : tensor<2xf32>) outs(%f : tensor<2xf32>)
  return %s, %t : tensor<2xf64>, tensor<2xf32>
}

// -----

// Tables of more than 2^18 operations take too long to compile.
// CHECK-LABEL: func.func @too_much
// CHECK:         math.sin
// CHECK:         return
func.func @too_much() -> tensor<65537xf32> {
  %e = tensor.empty() : tensor<65537xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%e : tensor<65537xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %b = arith.index_cast %i : index to i64
    %x = arith.sitofp %b : i64 to f32
    %y = math.sin %x : f32
    linalg.yield %y : f32
  } -> tensor<65537xf32>
  return %s : tensor<65537xf32>
}
