// Made by benches/models/small.py of JAX's histogram.
// input: 50xi32=50,50,45,53,52,35,15,62,53,15,17,41,42,4,61,35,0,25,41,17,44,63,40,25,11,21,42,8,63,7,19,63,35,37,28,57,34,0,50,38,7,26,35,23,61,45,17,3,34,15
// input: 50xf32=0.486381412,-0.477391988,0.669339597,-1.38729453,1.66588843,-0.190931514,0.534348845,0.776551783,0.244750366,0.17981042,-1.34158468,-0.181981251,-0.542160869,0.00197963486,-2.69980907,-1.55722606,-0.292792618,0.259063393,-0.201088816,-1.10149908,-0.592833638,-0.429007351,-3.05770874,-0.786701381,-0.76177305,-0.671141386,0.318413705,-1.13097084,0.445367128,0.318816811,0.438584894,0.253831565,1.05017579,2.00446057,-0.19763568,-0.812139452,0.316821992,2.09252691,0.038608782,-0.222494602,-0.639844716,-1.07415998,-1.09516871,2.86283946,-0.709622681,-1.1942246,-0.250843316,0.739390552,-1.08799708,-0.732432663
// result: 64xf32=1.79973435,0,0,0.739390552,0.00197963486,0,0,-0.321027905,-1.13097084,0,0,-0.76177305,0,0,0,-0.0182734132,0,-2.69392705,0,0.438584894,0,-0.671141386,0,2.86283946,0,-0.527637959,-1.07415998,0,-0.19763568,0,0,0,0,0,-0.771175086,-1.79315054,0,2.00446057,-0.222494602,0,-3.05770874,-0.383070052,-0.223747164,0,-0.592833638,-0.524884999,0,0,0,0,0.0475982055,0,1.66588843,-1.14254415,0,0,0,-0.812139452,0,0,0,-3.4094317,0.776551783,0.270191342
#map = affine_map<(d0) -> (d0)>
module @jit_histogram {
  func.func public @main(%arg0: tensor<50xi32>, %arg1: tensor<50xf32>) -> tensor<64xf32> {
    %c64_i32 = arith.constant 64 : i32
    %c0_i32 = arith.constant 0 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64xf32>
    %0 = tensor.empty() : tensor<50xi1>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg0 : tensor<50xi32>) outs(%0 : tensor<50xi1>) {
    ^bb0(%in: i32, %out: i1):
      %7 = arith.cmpi slt, %in, %c0_i32 : i32
      linalg.yield %7 : i1
    } -> tensor<50xi1>
    %2 = tensor.empty() : tensor<50xi32>
    %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg0 : tensor<50xi32>) outs(%2 : tensor<50xi32>) {
    ^bb0(%in: i32, %out: i32):
      %7 = arith.addi %in, %c64_i32 : i32
      linalg.yield %7 : i32
    } -> tensor<50xi32>
    %4 = tensor.empty() : tensor<50xi32>
    %5 = linalg.generic {indexing_maps = [#map, #map, #map, #map], iterator_types = ["parallel"]} ins(%1, %3, %arg0 : tensor<50xi1>, tensor<50xi32>, tensor<50xi32>) outs(%4 : tensor<50xi32>) {
    ^bb0(%in: i1, %in_0: i32, %in_1: i32, %out: i32):
      %7 = arith.select %in, %in_0, %in_1 : i32
      linalg.yield %7 : i32
    } -> tensor<50xi32>
    %expanded = tensor.expand_shape %5 [[0, 1]] output_shape [50, 1] : tensor<50xi32> into tensor<50x1xi32>
    %6 = iree_linalg_ext.scatter dimension_map = [0] unique_indices(false) ins(%arg1, %expanded : tensor<50xf32>, tensor<50x1xi32>) outs(%cst : tensor<64xf32>) {
    ^bb0(%arg2: f32, %arg3: f32):
      %7 = arith.addf %arg3, %arg2 : f32
      iree_linalg_ext.yield %7 : f32
    } -> tensor<64xf32>
    return %6 : tensor<64xf32>
  }
}

