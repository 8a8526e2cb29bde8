// Slices of elementwise operations are computed where nothing needs the whole.
// RUN: freehold opt --linalg-bubble-up-slices --split-input-file %s | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d1)>

// Both columns, one of them twice. The constant gets smaller.
// CHECK-LABEL: func.func @columns
// CHECK: tensor.extract_slice %arg0[0, 0] [64, 1] [1, 1] : tensor<64x2xf32> to tensor<64x1xf32>
// CHECK: tensor.extract_slice %arg1[0] [1] [1] : tensor<2xf32> to tensor<1xf32>
// CHECK: arith.constant dense<2.000000e+00> : tensor<64x1xf32>
// CHECK: arith.mulf
// CHECK: tensor.extract_slice %arg0[0, 1] [64, 1] [1, 1] : tensor<64x2xf32> to tensor<64x1xf32>
// CHECK: tensor.extract_slice %arg1[1] [1] [1] : tensor<2xf32> to tensor<1xf32>
// CHECK: arith.mulf
// CHECK-NOT: arith.mulf
// CHECK: return
func.func @columns(%x: tensor<64x2xf32>, %scale: tensor<2xf32>) -> tensor<64x1xf32> {
  %two = arith.constant dense<2.0> : tensor<64x2xf32>
  %empty = tensor.empty() : tensor<64x2xf32>
  %s = linalg.generic {indexing_maps = [#id, #row, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %scale, %two : tensor<64x2xf32>, tensor<2xf32>, tensor<64x2xf32>) outs(%empty : tensor<64x2xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %out: f32):
    %p = arith.mulf %a, %b : f32
    %q = arith.addf %p, %c : f32
    linalg.yield %q : f32
  } -> tensor<64x2xf32>
  %first = tensor.extract_slice %s[0, 0] [64, 1] [1, 1] : tensor<64x2xf32> to tensor<64x1xf32>
  %second = tensor.extract_slice %s[0, 1] [64, 1] [1, 1] : tensor<64x2xf32> to tensor<64x1xf32>
  %again = tensor.extract_slice %s[0, 1] [64, 1] [1, 1] : tensor<64x2xf32> to tensor<64x1xf32>
  %e = tensor.empty() : tensor<64x1xf32>
  %r = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%first, %second, %again : tensor<64x1xf32>, tensor<64x1xf32>, tensor<64x1xf32>) outs(%e : tensor<64x1xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %out: f32):
    %p = arith.subf %a, %b : f32
    %q = arith.addf %p, %c : f32
    linalg.yield %q : f32
  } -> tensor<64x1xf32>
  return %r : tensor<64x1xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#swap = affine_map<(d0, d1) -> (d1, d0)>

// Counters go on from where the slice begins, through maps that exchange dimensions.
// CHECK: affine_map<(d0, d1) -> (d0 + 8)>
// CHECK-LABEL: func.func @counters
// CHECK: tensor.extract_slice %arg0[3, 8] [2, 8] [1, 1] : tensor<8x32xi64> to tensor<2x8xi64>
// CHECK: linalg.generic
// CHECK: affine.apply
// CHECK: -> tensor<2x8xi64>
func.func @counters(%x: tensor<8x32xi64>) -> tensor<2x8xi64> {
  %empty = tensor.empty() : tensor<8x32xi64>
  %s = linalg.generic {indexing_maps = [#swap, #swap], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<8x32xi64>) outs(%empty : tensor<8x32xi64>) {
  ^bb0(%a: i64, %out: i64):
    %i = linalg.index 0 : index
    %n = arith.index_cast %i : index to i64
    %q = arith.addi %a, %n : i64
    linalg.yield %q : i64
  } -> tensor<8x32xi64>
  %part = tensor.extract_slice %s[3, 8] [2, 8] [1, 1] : tensor<8x32xi64> to tensor<2x8xi64>
  %e = tensor.empty() : tensor<2x8xi64>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%part : tensor<2x8xi64>) outs(%e : tensor<2x8xi64>) {
  ^bb0(%a: i64, %out: i64):
    %q = arith.muli %a, %a : i64
    linalg.yield %q : i64
  } -> tensor<2x8xi64>
  return %r : tensor<2x8xi64>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>

// Rows of a concatenation that is transposed are its parts.
// CHECK-LABEL: func.func @stacked
// CHECK-NOT: tensor.insert_slice
// CHECK: linalg.transpose ins(%arg1 : tensor<1x8xf32>)
// CHECK-NOT: tensor.insert_slice
// CHECK: return
func.func @stacked(%x: tensor<1x8xf32>, %y: tensor<1x8xf32>) -> tensor<8x1xf32> {
  %empty = tensor.empty() : tensor<2x8xf32>
  %0 = tensor.insert_slice %x into %empty[0, 0] [1, 8] [1, 1] : tensor<1x8xf32> into tensor<2x8xf32>
  %1 = tensor.insert_slice %y into %0[1, 0] [1, 8] [1, 1] : tensor<1x8xf32> into tensor<2x8xf32>
  %e = tensor.empty() : tensor<8x2xf32>
  %t = linalg.transpose ins(%1 : tensor<2x8xf32>) outs(%e : tensor<8x2xf32>) permutation = [1, 0]
  %part = tensor.extract_slice %t[0, 1] [8, 1] [1, 1] : tensor<8x2xf32> to tensor<8x1xf32>
  %f = tensor.empty() : tensor<8x1xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%part : tensor<8x1xf32>) outs(%f : tensor<8x1xf32>) {
  ^bb0(%a: f32, %out: f32):
    %q = arith.mulf %a, %a : f32
    linalg.yield %q : f32
  } -> tensor<8x1xf32>
  return %r : tensor<8x1xf32>
}

// -----

#id = affine_map<(d0) -> (d0)>
#square = affine_map<(d0, d1) -> (d0, d1)>

// Left as they are: slices that overlap so that more would be computed, and one whose whole is needed.
// CHECK-LABEL: func.func @neighbours
// CHECK: math.exp
// CHECK: -> tensor<64xf32>
// CHECK: tensor.extract_slice
// CHECK: tensor.extract_slice
func.func @neighbours(%x: tensor<64xf32>) -> tensor<63xf32> {
  %empty = tensor.empty() : tensor<64xf32>
  %s = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<64xf32>) outs(%empty : tensor<64xf32>) {
  ^bb0(%a: f32, %out: f32):
    %q = math.exp %a : f32
    linalg.yield %q : f32
  } -> tensor<64xf32>
  %first = tensor.extract_slice %s[0] [63] [1] : tensor<64xf32> to tensor<63xf32>
  %second = tensor.extract_slice %s[1] [63] [1] : tensor<64xf32> to tensor<63xf32>
  %e = tensor.empty() : tensor<63xf32>
  %r = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
      ins(%first, %second : tensor<63xf32>, tensor<63xf32>) outs(%e : tensor<63xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %q = arith.subf %b, %a : f32
    linalg.yield %q : f32
  } -> tensor<63xf32>
  return %r : tensor<63xf32>
}

// CHECK-LABEL: func.func @whole
// CHECK: math.exp
// CHECK: -> tensor<64xf32>
// CHECK: tensor.extract_slice
func.func @whole(%x: tensor<64xf32>) -> (tensor<8xf32>, tensor<64xf32>) {
  %empty = tensor.empty() : tensor<64xf32>
  %s = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<64xf32>) outs(%empty : tensor<64xf32>) {
  ^bb0(%a: f32, %out: f32):
    %q = math.exp %a : f32
    linalg.yield %q : f32
  } -> tensor<64xf32>
  %first = tensor.extract_slice %s[0] [8] [1] : tensor<64xf32> to tensor<8xf32>
  %e = tensor.empty() : tensor<8xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%first : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %out: f32):
    %q = arith.mulf %a, %a : f32
    linalg.yield %q : f32
  } -> tensor<8xf32>
  return %r, %s : tensor<8xf32>, tensor<64xf32>
}

// A product would read the slice from memory anyway.
// CHECK-LABEL: func.func @product
// CHECK: math.exp
// CHECK: -> tensor<8x8xf32>
// CHECK: tensor.extract_slice
// CHECK: linalg.matmul
func.func @product(%x: tensor<8x8xf32>, %w: tensor<4x8xf32>, %z: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %empty = tensor.empty() : tensor<8x8xf32>
  %s = linalg.generic {indexing_maps = [#square, #square], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<8x8xf32>) outs(%empty : tensor<8x8xf32>) {
  ^bb0(%a: f32, %out: f32):
    %q = math.exp %a : f32
    linalg.yield %q : f32
  } -> tensor<8x8xf32>
  %first = tensor.extract_slice %s[0, 0] [8, 4] [1, 1] : tensor<8x8xf32> to tensor<8x4xf32>
  %r = linalg.matmul ins(%first, %w : tensor<8x4xf32>, tensor<4x8xf32>) outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

// -----

// Of what is filled, too; a fill has a scalar for all places.
// CHECK-LABEL: func.func @filled
// CHECK:         %[[OUT:.*]] = tensor.empty() : tensor<4x1xf32>
// CHECK:         %[[PART:.*]] = linalg.fill ins(%arg1 : f32) outs(%[[OUT]] : tensor<4x1xf32>)
// CHECK-NOT:     tensor<4x2xf32>
// CHECK:         linalg.generic {{.*}} ins(%arg0, %[[PART]]
#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @filled(%x: tensor<4x1xf32>, %v: f32) -> tensor<4x1xf32> {
  %e = tensor.empty() : tensor<4x2xf32>
  %0 = linalg.fill ins(%v : f32) outs(%e : tensor<4x2xf32>) -> tensor<4x2xf32>
  %1 = tensor.extract_slice %0[0, 1] [4, 1] [1, 1] : tensor<4x2xf32> to tensor<4x1xf32>
  %f = tensor.empty() : tensor<4x1xf32>
  %2 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %1 : tensor<4x1xf32>, tensor<4x1xf32>) outs(%f : tensor<4x1xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.maximumf %a, %b : f32
    linalg.yield %m : f32
  } -> tensor<4x1xf32>
  return %2 : tensor<4x1xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#weights = affine_map<(d0, d1) -> (d0)>
#row = affine_map<(d0, d1) -> (d1)>

// A reduction of concatenated rows reads them, in their order, and the weights one by one.
// CHECK: affine_map<(d0) -> (0, d0)>
// CHECK-LABEL: func.func @rows
// CHECK-NOT: tensor.insert_slice
// CHECK: tensor.extract_slice %arg2[0] [1] [1] : tensor<2xf32> to tensor<1xf32>
// CHECK: tensor.extract_slice %arg2[1] [1] [1] : tensor<2xf32> to tensor<1xf32>
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel"]{{.*}} ins(%arg0, %arg1, %{{.*}}, %{{.*}}, %{{.*}} : tensor<1x64xf32>, tensor<1x64xf32>, tensor<1xf32>, tensor<1xf32>, tensor<64xf32>)
// CHECK-NEXT: ^bb0(%[[a:[^:]*]]: f32, %[[b:[^:]*]]: f32, %[[v:[^:]*]]: f32, %[[w:[^:]*]]: f32, %[[start:[^:]*]]: f32
// CHECK-NEXT: %[[p:.*]] = arith.divf %[[a]], %[[v]]
// CHECK-NEXT: %[[first:.*]] = arith.addf %[[start]], %[[p]]
// CHECK-NEXT: %[[q:.*]] = arith.divf %[[b]], %[[w]]
// CHECK-NEXT: %[[sum:.*]] = arith.addf %[[first]], %[[q]]
// CHECK-NEXT: linalg.yield %[[sum]]
func.func @rows(%a: tensor<1x64xf32>, %b: tensor<1x64xf32>, %w: tensor<2xf32>) -> tensor<64xf32> {
  %zero = arith.constant 0.0 : f32
  %none = tensor.empty() : tensor<2x64xf32>
  %one = tensor.insert_slice %a into %none[0, 0] [1, 64] [1, 1] : tensor<1x64xf32> into tensor<2x64xf32>
  %both = tensor.insert_slice %b into %one[1, 0] [1, 64] [1, 1] : tensor<1x64xf32> into tensor<2x64xf32>
  %empty = tensor.empty() : tensor<64xf32>
  %start = linalg.fill ins(%zero : f32) outs(%empty : tensor<64xf32>) -> tensor<64xf32>
  %sum = linalg.generic {indexing_maps = [#id, #weights, #row], iterator_types = ["reduction", "parallel"]}
      ins(%both, %w : tensor<2x64xf32>, tensor<2xf32>) outs(%start : tensor<64xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %p = arith.divf %x, %y : f32
    %s = arith.addf %out, %p : f32
    linalg.yield %s : f32
  } -> tensor<64xf32>
  return %sum : tensor<64xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#column = affine_map<(d0, d1) -> (d0)>

// Columns behind something elementwise, with their numbers; what is there already is read.
// CHECK: affine_map<(d0) -> (d0, 0)>
// CHECK-LABEL: func.func @columns_and_places
// CHECK-NOT: tensor.insert_slice
// CHECK: math.absf
// CHECK: math.absf
// CHECK: %[[found:.*]]:2 = linalg.generic {{.*}}iterator_types = ["parallel"]{{.*}}%arg2, %arg3 :
// CHECK: arith.constant 0 : index
// CHECK: arith.constant 1 : index
// CHECK: linalg.yield
// CHECK: return %[[found]]#0, %[[found]]#1
func.func @columns_and_places(%a: tensor<64x1xf32>, %b: tensor<64x1xf32>, %largest: tensor<64xf32>, %place: tensor<64xindex>)
    -> (tensor<64xf32>, tensor<64xindex>) {
  %none = tensor.empty() : tensor<64x2xf32>
  %one = tensor.insert_slice %a into %none[0, 0] [64, 1] [1, 1] : tensor<64x1xf32> into tensor<64x2xf32>
  %both = tensor.insert_slice %b into %one[0, 1] [64, 1] [1, 1] : tensor<64x1xf32> into tensor<64x2xf32>
  %absolute = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%both : tensor<64x2xf32>) outs(%none : tensor<64x2xf32>) {
  ^bb0(%x: f32, %out: f32):
    %y = math.absf %x : f32
    linalg.yield %y : f32
  } -> tensor<64x2xf32>
  %r:2 = linalg.generic {indexing_maps = [#id, #column, #column], iterator_types = ["parallel", "reduction"]}
      ins(%absolute : tensor<64x2xf32>) outs(%largest, %place : tensor<64xf32>, tensor<64xindex>) {
  ^bb0(%x: f32, %old: f32, %at: index):
    %i = linalg.index 1 : index
    %more = arith.cmpf ogt, %x, %old : f32
    %new = arith.select %more, %x, %old : f32
    %to = arith.select %more, %i, %at : index
    linalg.yield %new, %to : f32, index
  } -> (tensor<64xf32>, tensor<64xindex>)
  return %r#0, %r#1 : tensor<64xf32>, tensor<64xindex>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d1)>

// Of two rows at a time, the parts stay together.
// CHECK-LABEL: func.func @pairs
// CHECK-COUNT-2: tensor.insert_slice
// CHECK: iterator_types = ["reduction", "parallel"]
func.func @pairs(%a: tensor<2x64xi32>, %b: tensor<2x64xi32>, %start: tensor<64xi32>) -> tensor<64xi32> {
  %none = tensor.empty() : tensor<4x64xi32>
  %one = tensor.insert_slice %a into %none[0, 0] [2, 64] [1, 1] : tensor<2x64xi32> into tensor<4x64xi32>
  %both = tensor.insert_slice %b into %one[2, 0] [2, 64] [1, 1] : tensor<2x64xi32> into tensor<4x64xi32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["reduction", "parallel"]}
      ins(%both : tensor<4x64xi32>) outs(%start : tensor<64xi32>) {
  ^bb0(%x: i32, %out: i32):
    %s = arith.addi %out, %x : i32
    linalg.yield %s : i32
  } -> tensor<64xi32>
  return %sum : tensor<64xi32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d1)>

// All of the concatenation is needed: as it is.
// CHECK-LABEL: func.func @needed
// CHECK-COUNT-2: tensor.insert_slice
// CHECK: iterator_types = ["reduction", "parallel"]
func.func @needed(%a: tensor<1x64xi32>, %b: tensor<1x64xi32>, %start: tensor<64xi32>) -> (tensor<64xi32>, tensor<2x64xi32>) {
  %none = tensor.empty() : tensor<2x64xi32>
  %one = tensor.insert_slice %a into %none[0, 0] [1, 64] [1, 1] : tensor<1x64xi32> into tensor<2x64xi32>
  %both = tensor.insert_slice %b into %one[1, 0] [1, 64] [1, 1] : tensor<1x64xi32> into tensor<2x64xi32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["reduction", "parallel"]}
      ins(%both : tensor<2x64xi32>) outs(%start : tensor<64xi32>) {
  ^bb0(%x: i32, %out: i32):
    %s = arith.addi %out, %x : i32
    linalg.yield %s : i32
  } -> tensor<64xi32>
  return %sum, %both : tensor<64xi32>, tensor<2x64xi32>
}

// Rows are read where they are, whichever was put there first.
// CHECK-LABEL: func.func @last_row_first
// CHECK-NOT: tensor.insert_slice
// CHECK: ins(%arg1, %arg0, %arg2 :
func.func @last_row_first(%a: tensor<1x64xi32>, %b: tensor<1x64xi32>, %start: tensor<64xi32>) -> tensor<64xi32> {
  %none = tensor.empty() : tensor<2x64xi32>
  %one = tensor.insert_slice %a into %none[1, 0] [1, 64] [1, 1] : tensor<1x64xi32> into tensor<2x64xi32>
  %both = tensor.insert_slice %b into %one[0, 0] [1, 64] [1, 1] : tensor<1x64xi32> into tensor<2x64xi32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["reduction", "parallel"]}
      ins(%both : tensor<2x64xi32>) outs(%start : tensor<64xi32>) {
  ^bb0(%x: i32, %out: i32):
    %s = arith.subi %out, %x : i32
    linalg.yield %s : i32
  } -> tensor<64xi32>
  return %sum : tensor<64xi32>
}
