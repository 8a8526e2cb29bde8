// Made by benches/models/small.py of JAX's embedding.
// input: 13x6xf32=-0.37002477,0.994078696,0.415857494,-0.618163705,0.672140777,-1.45004952,0.59348464,-0.561829746,0.631453097,0.439090639,-0.767248809,0.528368771,0.341927677,-0.646143079,2.00115061,0.801959932,-1.18206525,-0.987981915,0.316831678,0.312044263,-0.726856053,1.21587789,0.0970171168,-0.862683356,-0.374597698,-0.178793401,-1.55331063,-0.83221215,-1.80991197,-0.293556184,0.612639546,-1.28585064,0.322086275,-1.18266702,-0.163625702,-0.516166031,-1.21218324,-0.549098492,-1.22546923,0.293510735,0.0461755246,1.19996345,-1.46325326,1.09277594,-0.0787573382,0.405361742,-0.188466787,1.54696786,1.3860178,1.06850696,0.259456754,-2.33781528,0.556328118,-0.0327591784,-0.13396959,0.434559673,1.19345963,0.267270267,-0.466425866,-0.777740836,0.370070875,1.09856963,0.547977209,0.457838416,-0.45099467,-1.23589909,0.946046889,0.60636425,-1.82761693,-0.717186391,1.00136995,1.06779659,-0.640877187,2.25346375,1.40172875,0.955311298,-0.127678543,-1.39124
// input: 4x5xi32=9,12,11,6,12,12,12,1,5,7,3,4,8,10,7,2,8,11,2,7
// result: 4x6xf32=-1.36351204,2.40719557,0.812245905,1.4156388,0.119026229,-0.796021819,-0.950896204,1.38687146,2.5632987,1.45348322,-1.24775267,-0.844205379,0.286695182,2.51215506,-0.86127305,-0.0119127333,-0.954843819,-0.946788073,1.3803916,0.990214348,1.15381753,0.118093133,-0.575053155,0.156164944
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map3 = affine_map<(d0, d1, d2) -> (d0, d2, d1)>
#map4 = affine_map<(d0, d1, d2) -> (d0, d1)>
module @jit_embedding {
  func.func public @main(%arg0: tensor<13x6xf32>, %arg1: tensor<4x5xi32>) -> tensor<4x6xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %c13_i32 = arith.constant 13 : i32
    %c0_i32 = arith.constant 0 : i32
    %0 = tensor.empty() : tensor<4x5xi1>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<4x5xi32>) outs(%0 : tensor<4x5xi1>) {
    ^bb0(%in: i32, %out: i1):
      %13 = arith.cmpi slt, %in, %c0_i32 : i32
      linalg.yield %13 : i1
    } -> tensor<4x5xi1>
    %2 = tensor.empty() : tensor<4x5xi32>
    %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<4x5xi32>) outs(%2 : tensor<4x5xi32>) {
    ^bb0(%in: i32, %out: i32):
      %13 = arith.addi %in, %c13_i32 : i32
      linalg.yield %13 : i32
    } -> tensor<4x5xi32>
    %4 = tensor.empty() : tensor<4x5xi32>
    %5 = linalg.generic {indexing_maps = [#map, #map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%1, %3, %arg1 : tensor<4x5xi1>, tensor<4x5xi32>, tensor<4x5xi32>) outs(%4 : tensor<4x5xi32>) {
    ^bb0(%in: i1, %in_0: i32, %in_1: i32, %out: i32):
      %13 = arith.select %in, %in_0, %in_1 : i32
      linalg.yield %13 : i32
    } -> tensor<4x5xi32>
    %expanded = tensor.expand_shape %5 [[0], [1, 2]] output_shape [4, 5, 1] : tensor<4x5xi32> into tensor<4x5x1xi32>
    %6 = tensor.empty() : tensor<4x5x1x6xf32>
    %7 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded : tensor<4x5x1xi32>) outs(%6 : tensor<4x5x1x6xf32>) {
    ^bb0(%in: i32, %out: f32):
      %13 = arith.index_cast %in : i32 to index
      %14 = linalg.index 3 : index
      %extracted = tensor.extract %arg0[%13, %14] : tensor<13x6xf32>
      linalg.yield %extracted : f32
    } -> tensor<4x5x1x6xf32>
    %8 = tensor.empty() : tensor<4x5x1x6xf32>
    %9 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%7 : tensor<4x5x1x6xf32>) outs(%8 : tensor<4x5x1x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %13 = math.tanh %in : f32
      linalg.yield %13 : f32
    } -> tensor<4x5x1x6xf32>
    %collapsed = tensor.collapse_shape %9 [[0], [1], [2, 3]] : tensor<4x5x1x6xf32> into tensor<4x5x6xf32>
    %10 = tensor.empty() : tensor<4x6xf32>
    %11 = linalg.fill ins(%cst : f32) outs(%10 : tensor<4x6xf32>) -> tensor<4x6xf32>
    %12 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "reduction"]} ins(%collapsed : tensor<4x5x6xf32>) outs(%11 : tensor<4x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %13 = arith.addf %out, %in : f32
      linalg.yield %13 : f32
    } -> tensor<4x6xf32>
    return %12 : tensor<4x6xf32>
  }
}

