// Made by benches/models/small.py of JAX's spectrum.
// input: 2x16xf32=-0.432339996,-1.13009679,0.673843682,-1.10781455,2.01391554,0.924112022,-0.359262943,0.570515752,1.61158907,2.83396935,-0.923264682,1.06507373,0.517740607,-0.279551029,1.09219813,0.506774306,1.07624078,-0.525899053,-0.00249147671,0.394961149,0.0196023565,0.0165724382,-0.768416524,0.126379386,0.187646404,-0.0613099784,-0.0147479419,0.696460485,-0.658603072,0.696522772,-0.153483286,0.0561660901
// result: 2x9xf32=7.57740211,4.96469975,1.0424968,5.3168745,3.48458695,6.06345606,3.04211736,6.4934082,0.811436653,1.0856005,1.27080512,0.714388072,1.09857404,1.94017148,1.4977845,3.66089153,2.13126302,1.71410596
#map = affine_map<(d0, d1) -> (d1)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
module @jit_spectrum {
  func.func public @main(%arg0: tensor<2x16xf32>) -> tensor<2x9xf32> {
    %cst = arith.constant dense<[-0.000000e+00, -0.382683426, -0.707106769, -0.923879504, -1.000000e+00, -0.923879504, -0.707106769, -0.382683426]> : tensor<8xf32>
    %cst_0 = arith.constant dense<[1.000000e+00, 0.923879504, 0.707106769, 0.382683426, 6.12323426E-17, -0.382683426, -0.707106769, -0.923879504]> : tensor<8xf32>
    %c4 = arith.constant 4 : index
    %cst_1 = arith.constant dense<[-0.000000e+00, -0.707106769, -1.000000e+00, -0.707106769]> : tensor<4xf32>
    %cst_2 = arith.constant dense<[1.000000e+00, 0.707106769, 6.12323426E-17, -0.707106769]> : tensor<4xf32>
    %c3 = arith.constant 3 : index
    %cst_3 = arith.constant dense<[-0.000000e+00, -1.000000e+00]> : tensor<2xf32>
    %cst_4 = arith.constant dense<[1.000000e+00, 6.12323426E-17]> : tensor<2xf32>
    %c2 = arith.constant 2 : index
    %cst_5 = arith.constant dense<-0.000000e+00> : tensor<1xf32>
    %cst_6 = arith.constant dense<1.000000e+00> : tensor<1xf32>
    %c1 = arith.constant 1 : index
    %cst_7 = arith.constant dense<[0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15]> : tensor<16xi64>
    %cst_8 = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<2x16xf32>
    %1 = tensor.empty() : tensor<2x16xf32>
    %2:2 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst_7 : tensor<16xi64>) outs(%0, %1 : tensor<2x16xf32>, tensor<2x16xf32>) {
    ^bb0(%in: i64, %out: f32, %out_10: f32):
      %15 = linalg.index 0 : index
      %16 = arith.index_cast %in : i64 to index
      %extracted = tensor.extract %arg0[%15, %16] : tensor<2x16xf32>
      linalg.yield %extracted, %cst_8 : f32, f32
    } -> (tensor<2x16xf32>, tensor<2x16xf32>)
    %3:2 = iree_linalg_ext.fft ins(%c1, %cst_6, %cst_5 : index, tensor<1xf32>, tensor<1xf32>) outs(%2#0, %2#1 : tensor<2x16xf32>, tensor<2x16xf32>) : tensor<2x16xf32>, tensor<2x16xf32>
    %4:2 = iree_linalg_ext.fft ins(%c2, %cst_4, %cst_3 : index, tensor<2xf32>, tensor<2xf32>) outs(%3#0, %3#1 : tensor<2x16xf32>, tensor<2x16xf32>) : tensor<2x16xf32>, tensor<2x16xf32>
    %5:2 = iree_linalg_ext.fft ins(%c3, %cst_2, %cst_1 : index, tensor<4xf32>, tensor<4xf32>) outs(%4#0, %4#1 : tensor<2x16xf32>, tensor<2x16xf32>) : tensor<2x16xf32>, tensor<2x16xf32>
    %6:2 = iree_linalg_ext.fft ins(%c4, %cst_0, %cst : index, tensor<8xf32>, tensor<8xf32>) outs(%5#0, %5#1 : tensor<2x16xf32>, tensor<2x16xf32>) : tensor<2x16xf32>, tensor<2x16xf32>
    %extracted_slice = tensor.extract_slice %6#0[0, 0] [2, 9] [1, 1] : tensor<2x16xf32> to tensor<2x9xf32>
    %extracted_slice_9 = tensor.extract_slice %6#1[0, 0] [2, 9] [1, 1] : tensor<2x16xf32> to tensor<2x9xf32>
    %7 = tensor.empty() : tensor<2x9xf32>
    %8 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice : tensor<2x9xf32>) outs(%7 : tensor<2x9xf32>) {
    ^bb0(%in: f32, %out: f32):
      %15 = arith.mulf %in, %in : f32
      linalg.yield %15 : f32
    } -> tensor<2x9xf32>
    %9 = tensor.empty() : tensor<2x9xf32>
    %10 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice_9 : tensor<2x9xf32>) outs(%9 : tensor<2x9xf32>) {
    ^bb0(%in: f32, %out: f32):
      %15 = arith.mulf %in, %in : f32
      linalg.yield %15 : f32
    } -> tensor<2x9xf32>
    %11 = tensor.empty() : tensor<2x9xf32>
    %12 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%8, %10 : tensor<2x9xf32>, tensor<2x9xf32>) outs(%11 : tensor<2x9xf32>) {
    ^bb0(%in: f32, %in_10: f32, %out: f32):
      %15 = arith.addf %in, %in_10 : f32
      linalg.yield %15 : f32
    } -> tensor<2x9xf32>
    %13 = tensor.empty() : tensor<2x9xf32>
    %14 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%12 : tensor<2x9xf32>) outs(%13 : tensor<2x9xf32>) {
    ^bb0(%in: f32, %out: f32):
      %15 = math.sqrt %in : f32
      linalg.yield %15 : f32
    } -> tensor<2x9xf32>
    return %14 : tensor<2x9xf32>
  }
}

