// Made by benches/models/small.py of JAX's heat.
// input: 9x11xf32=-0.359668463,1.20367515,1.39686811,0.317235917,0.414134204,-0.489549816,-0.914120734,-0.900360644,-0.998431265,0.929204822,-0.0562919155,0.12827909,-0.639970422,-1.08781719,-1.20195413,-0.841569185,0.599156737,0.0184400827,-0.456771642,-0.239278406,-1.42733538,1.23068249,-1.21641541,0.0423817821,2.13697505,-2.55119038,-1.40695953,-0.723706007,0.116551638,-1.71487629,-0.235279486,-0.0284276772,0.170522183,-2.38837337,0.646435618,1.59686828,0.436599165,-0.723116338,-0.613433361,-2.64630818,0.476002455,1.50306749,0.650162101,-2.9772644,-0.425976783,-0.102856427,-0.483529061,1.0332247,-1.74428463,-0.717755795,0.595575273,0.990928292,0.169142783,1.0552789,0.520186961,-1.059268,1.2935195,-0.505667806,-1.63057244,0.438035995,1.81427193,0.959172726,0.997332513,0.190638617,-2.46500492,0.680028617,0.157527819,-2.64112639,-0.651852727,-0.879684687,1.06112659,0.123376481,0.298221856,0.242715627,-1.32805574,-1.96382248,0.0571666658,-0.293380052,-0.0142507525,-0.166370586,-0.499217123,0.555186927,0.191839606,-0.622883916,-1.89960408,-2.59002757,-1.44070852,-0.153245643,0.911289215,-0.419966161,0.677221417,1.16079974,2.37996745,0.287066877,1.49441755,0.234372228,-1.23864496,-2.27064323,0.297239065
// result: 9x11xf32=-0.359668463,1.20367515,1.39686811,0.317235917,0.414134204,-0.489549816,-0.914120734,-0.900360644,-0.998431265,0.929204822,-0.0562919155,0.12827909,0.318142056,0.419992536,0.12839523,-0.0309475381,-0.372640103,-0.566413045,-0.548969924,-0.352956682,0.420259386,1.23068249,-1.21641541,-0.489076734,-0.15154849,-0.137496099,-0.211854562,-0.332284808,-0.393212706,-0.374636263,-0.302079678,-0.141285181,0.170522183,-2.38837337,-0.943039,-0.412042052,-0.255993515,-0.237533182,-0.254802674,-0.260858029,-0.27673921,-0.391574144,-0.893497646,-2.9772644,-0.425976783,-0.540744126,-0.341318309,-0.20791097,-0.145998955,-0.123313703,-0.11883153,-0.143673733,-0.179206073,-0.120776951,0.520186961,-1.059268,-0.493985385,-0.23304759,-0.0663431063,0.0315611325,0.0432841666,0.0136247259,-0.0751724839,-0.131256983,0.0315905176,0.680028617,0.157527819,-0.134549081,0.00375362695,0.201877996,0.341729939,0.256478041,0.178472698,-0.0613859072,-0.295297772,-0.281727046,0.0571666658,-0.293380052,-0.1561618,0.268469065,0.624438226,0.945385635,0.494821429,0.531285882,0.00353621668,-0.617306709,-0.847529769,-0.153245643,0.911289215,-0.419966161,0.677221417,1.16079974,2.37996745,0.287066877,1.49441755,0.234372228,-1.23864496,-2.27064323,0.297239065
#map = affine_map<(d0, d1) -> (d0, d1)>
module @jit_heat {
  func.func public @main(%arg0: tensor<9x11xf32>) -> tensor<9x11xf32> {
    %cst = arith.constant 1.000000e-01 : f32
    %cst_0 = arith.constant 4.000000e+00 : f32
    %c0_i32 = arith.constant 0 : i32
    %c20_i32 = arith.constant 20 : i32
    %c1_i32 = arith.constant 1 : i32
    %0 = scf.for %arg1 = %c0_i32 to %c20_i32 step %c1_i32 iter_args(%arg2 = %arg0) -> (tensor<9x11xf32>)  : i32 {
      %extracted_slice = tensor.extract_slice %arg2[1, 1] [7, 9] [1, 1] : tensor<9x11xf32> to tensor<7x9xf32>
      %extracted_slice_1 = tensor.extract_slice %arg2[0, 1] [7, 9] [1, 1] : tensor<9x11xf32> to tensor<7x9xf32>
      %extracted_slice_2 = tensor.extract_slice %arg2[2, 1] [7, 9] [1, 1] : tensor<9x11xf32> to tensor<7x9xf32>
      %1 = tensor.empty() : tensor<7x9xf32>
      %2 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice_1, %extracted_slice_2 : tensor<7x9xf32>, tensor<7x9xf32>) outs(%1 : tensor<7x9xf32>) {
      ^bb0(%in: f32, %in_5: f32, %out: f32):
        %15 = arith.addf %in, %in_5 : f32
        linalg.yield %15 : f32
      } -> tensor<7x9xf32>
      %extracted_slice_3 = tensor.extract_slice %arg2[1, 0] [7, 9] [1, 1] : tensor<9x11xf32> to tensor<7x9xf32>
      %3 = tensor.empty() : tensor<7x9xf32>
      %4 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%2, %extracted_slice_3 : tensor<7x9xf32>, tensor<7x9xf32>) outs(%3 : tensor<7x9xf32>) {
      ^bb0(%in: f32, %in_5: f32, %out: f32):
        %15 = arith.addf %in, %in_5 : f32
        linalg.yield %15 : f32
      } -> tensor<7x9xf32>
      %extracted_slice_4 = tensor.extract_slice %arg2[1, 2] [7, 9] [1, 1] : tensor<9x11xf32> to tensor<7x9xf32>
      %5 = tensor.empty() : tensor<7x9xf32>
      %6 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%4, %extracted_slice_4 : tensor<7x9xf32>, tensor<7x9xf32>) outs(%5 : tensor<7x9xf32>) {
      ^bb0(%in: f32, %in_5: f32, %out: f32):
        %15 = arith.addf %in, %in_5 : f32
        linalg.yield %15 : f32
      } -> tensor<7x9xf32>
      %7 = tensor.empty() : tensor<7x9xf32>
      %8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice : tensor<7x9xf32>) outs(%7 : tensor<7x9xf32>) {
      ^bb0(%in: f32, %out: f32):
        %15 = arith.mulf %in, %cst_0 : f32
        linalg.yield %15 : f32
      } -> tensor<7x9xf32>
      %9 = tensor.empty() : tensor<7x9xf32>
      %10 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%6, %8 : tensor<7x9xf32>, tensor<7x9xf32>) outs(%9 : tensor<7x9xf32>) {
      ^bb0(%in: f32, %in_5: f32, %out: f32):
        %15 = arith.subf %in, %in_5 : f32
        linalg.yield %15 : f32
      } -> tensor<7x9xf32>
      %11 = tensor.empty() : tensor<7x9xf32>
      %12 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%10 : tensor<7x9xf32>) outs(%11 : tensor<7x9xf32>) {
      ^bb0(%in: f32, %out: f32):
        %15 = arith.mulf %in, %cst : f32
        linalg.yield %15 : f32
      } -> tensor<7x9xf32>
      %13 = tensor.empty() : tensor<7x9xf32>
      %14 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice, %12 : tensor<7x9xf32>, tensor<7x9xf32>) outs(%13 : tensor<7x9xf32>) {
      ^bb0(%in: f32, %in_5: f32, %out: f32):
        %15 = arith.addf %in, %in_5 : f32
        linalg.yield %15 : f32
      } -> tensor<7x9xf32>
      %inserted_slice = tensor.insert_slice %14 into %arg2[1, 1] [7, 9] [1, 1] : tensor<7x9xf32> into tensor<9x11xf32>
      scf.yield %inserted_slice : tensor<9x11xf32>
    }
    return %0 : tensor<9x11xf32>
  }
}

