// Made by benches/models/small.py of JAX's lstm.
// input: 5x2x3xf32=-1.10333848,-0.725024641,-0.781805277,0.26697585,-0.248580724,0.126483053,0.843042552,0.857936561,0.475183636,-0.45076859,-0.754932284,-0.814814091,-0.343854845,-0.0513800941,-0.972273648,-1.13448751,0.30570522,-1.85168505,-0.177053511,0.425825655,-0.985355616,-1.11295414,-0.760626018,0.648024619,-0.129831359,-1.8695972,-0.423349112,1.01389682,0.983715355,0.630041957
// input: 2x3xf32=-0.801931441,-1.32435894,-0.248361617,0.420445234,1.13604653,0.109706402
// input: 2x3xf32=1.05311573,1.77649128,-2.5532918,-0.137965068,1.01371944,1.35214186
// input: 3x12xf32=-0.572349191,-0.374619097,0.157575339,-0.209634647,0.210246488,0.322929442,-0.577412546,0.406825513,-0.238259465,0.837633967,0.291475564,-0.215595767,0.0805951133,0.0859911665,0.131807238,0.557304204,0.213137612,0.664255023,0.253688037,-0.0710964352,-0.609763145,-0.624215901,0.0819149911,0.276391447,0.577322245,-0.245320678,0.0311095808,-0.325191349,-0.168933347,-0.911779523,0.295536995,-0.289042115,-0.0290781055,0.178293183,0.135635391,-0.525692761
// input: 3x12xf32=-0.237889484,0.252313405,0.415741652,0.412368685,0.72713846,-0.154075757,0.217670873,-0.146488667,-0.569939435,-0.281543642,0.0544649363,-0.366069883,-0.0765884072,0.44810003,0.228180677,0.228937462,0.138048977,-0.0701103136,-0.747097135,0.396583438,-0.602664053,0.0864340141,-0.0433566906,0.0549089722,0.100934707,-0.133537024,0.360393405,-0.51404053,0.316761822,-0.676778793,0.474532932,-0.203587115,0.149620965,0.603222132,-0.865072966,-0.125851274
// input: 12xf32=-0.00682677981,1.04614329,0.741588414,0.723956525,1.6187762,-1.20555818,-0.62695545,-1.32066321,-0.107752509,0.99876368,-0.0219478868,0.495880067
// result: 5x2x3xf32=0.380612791,0.182295322,-0.226667628,-0.3657538,0.154866353,-0.18083626,0.200658858,-0.106064528,-0.342692971,-0.423062056,-0.159543186,0.149609938,-0.0177694634,-0.344620347,-0.255852014,-0.256833434,-0.253352076,0.286356747,-0.125306264,-0.449816704,-0.199239865,-0.0986316651,-0.32421428,0.241953894,-0.341892242,-0.439884633,0.24402909,-0.231121317,-0.529158413,-0.162005797
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d1)>
#map2 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
module @jit_lstm {
  func.func public @main(%arg0: tensor<5x2x3xf32>, %arg1: tensor<2x3xf32>, %arg2: tensor<2x3xf32>, %arg3: tensor<3x12xf32>, %arg4: tensor<3x12xf32>, %arg5: tensor<12xf32>) -> tensor<5x2x3xf32> {
    %cst = arith.constant 1.000000e+00 : f32
    %cst_0 = arith.constant 0.000000e+00 : f32
    %c4 = arith.constant 4 : index
    %c0 = arith.constant 0 : index
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<5x2x3xf32>
    %c0_i32 = arith.constant 0 : i32
    %c5_i32 = arith.constant 5 : i32
    %c1_i32 = arith.constant 1 : i32
    %0:3 = scf.for %arg6 = %c0_i32 to %c5_i32 step %c1_i32 iter_args(%arg7 = %arg1, %arg8 = %arg2, %arg9 = %cst_1) -> (tensor<2x3xf32>, tensor<2x3xf32>, tensor<5x2x3xf32>)  : i32 {
      %1 = arith.index_cast %arg6 : i32 to index
      %2 = arith.maxsi %1, %c0 : index
      %3 = arith.minsi %2, %c4 : index
      %extracted_slice = tensor.extract_slice %arg0[%3, 0, 0] [1, 2, 3] [1, 1, 1] : tensor<5x2x3xf32> to tensor<1x2x3xf32>
      %collapsed = tensor.collapse_shape %extracted_slice [[0, 1], [2]] : tensor<1x2x3xf32> into tensor<2x3xf32>
      %4 = tensor.empty() : tensor<2x12xf32>
      %5 = linalg.fill ins(%cst_0 : f32) outs(%4 : tensor<2x12xf32>) -> tensor<2x12xf32>
      %6 = linalg.matmul ins(%collapsed, %arg3 : tensor<2x3xf32>, tensor<3x12xf32>) outs(%5 : tensor<2x12xf32>) -> tensor<2x12xf32>
      %7 = tensor.empty() : tensor<2x12xf32>
      %8 = linalg.fill ins(%cst_0 : f32) outs(%7 : tensor<2x12xf32>) -> tensor<2x12xf32>
      %9 = linalg.matmul ins(%arg7, %arg4 : tensor<2x3xf32>, tensor<3x12xf32>) outs(%8 : tensor<2x12xf32>) -> tensor<2x12xf32>
      %10 = tensor.empty() : tensor<2x12xf32>
      %11 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%6, %9 : tensor<2x12xf32>, tensor<2x12xf32>) outs(%10 : tensor<2x12xf32>) {
      ^bb0(%in: f32, %in_6: f32, %out: f32):
        %57 = arith.addf %in, %in_6 : f32
        linalg.yield %57 : f32
      } -> tensor<2x12xf32>
      %12 = tensor.empty() : tensor<2x12xf32>
      %13 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%arg5 : tensor<12xf32>) outs(%12 : tensor<2x12xf32>) {
      ^bb0(%in: f32, %out: f32):
        linalg.yield %in : f32
      } -> tensor<2x12xf32>
      %14 = tensor.empty() : tensor<2x12xf32>
      %15 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%11, %13 : tensor<2x12xf32>, tensor<2x12xf32>) outs(%14 : tensor<2x12xf32>) {
      ^bb0(%in: f32, %in_6: f32, %out: f32):
        %57 = arith.addf %in, %in_6 : f32
        linalg.yield %57 : f32
      } -> tensor<2x12xf32>
      %extracted_slice_2 = tensor.extract_slice %15[0, 0] [2, 3] [1, 1] : tensor<2x12xf32> to tensor<2x3xf32>
      %extracted_slice_3 = tensor.extract_slice %15[0, 3] [2, 3] [1, 1] : tensor<2x12xf32> to tensor<2x3xf32>
      %extracted_slice_4 = tensor.extract_slice %15[0, 6] [2, 3] [1, 1] : tensor<2x12xf32> to tensor<2x3xf32>
      %extracted_slice_5 = tensor.extract_slice %15[0, 9] [2, 3] [1, 1] : tensor<2x12xf32> to tensor<2x3xf32>
      %16 = tensor.empty() : tensor<2x3xf32>
      %17 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice_3 : tensor<2x3xf32>) outs(%16 : tensor<2x3xf32>) {
      ^bb0(%in: f32, %out: f32):
        %57 = arith.negf %in : f32
        linalg.yield %57 : f32
      } -> tensor<2x3xf32>
      %18 = tensor.empty() : tensor<2x3xf32>
      %19 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%17 : tensor<2x3xf32>) outs(%18 : tensor<2x3xf32>) {
      ^bb0(%in: f32, %out: f32):
        %57 = math.exp %in : f32
        linalg.yield %57 : f32
      } -> tensor<2x3xf32>
      %20 = tensor.empty() : tensor<2x3xf32>
      %21 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%19 : tensor<2x3xf32>) outs(%20 : tensor<2x3xf32>) {
      ^bb0(%in: f32, %out: f32):
        %57 = arith.addf %in, %cst : f32
        linalg.yield %57 : f32
      } -> tensor<2x3xf32>
      %22 = tensor.empty() : tensor<2x3xf32>
      %23 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%21 : tensor<2x3xf32>) outs(%22 : tensor<2x3xf32>) {
      ^bb0(%in: f32, %out: f32):
        %57 = arith.divf %cst, %in : f32
        linalg.yield %57 : f32
      } -> tensor<2x3xf32>
      %24 = tensor.empty() : tensor<2x3xf32>
      %25 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%23, %arg8 : tensor<2x3xf32>, tensor<2x3xf32>) outs(%24 : tensor<2x3xf32>) {
      ^bb0(%in: f32, %in_6: f32, %out: f32):
        %57 = arith.mulf %in, %in_6 : f32
        linalg.yield %57 : f32
      } -> tensor<2x3xf32>
      %26 = tensor.empty() : tensor<2x3xf32>
      %27 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice_2 : tensor<2x3xf32>) outs(%26 : tensor<2x3xf32>) {
      ^bb0(%in: f32, %out: f32):
        %57 = arith.negf %in : f32
        linalg.yield %57 : f32
      } -> tensor<2x3xf32>
      %28 = tensor.empty() : tensor<2x3xf32>
      %29 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%27 : tensor<2x3xf32>) outs(%28 : tensor<2x3xf32>) {
      ^bb0(%in: f32, %out: f32):
        %57 = math.exp %in : f32
        linalg.yield %57 : f32
      } -> tensor<2x3xf32>
      %30 = tensor.empty() : tensor<2x3xf32>
      %31 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%29 : tensor<2x3xf32>) outs(%30 : tensor<2x3xf32>) {
      ^bb0(%in: f32, %out: f32):
        %57 = arith.addf %in, %cst : f32
        linalg.yield %57 : f32
      } -> tensor<2x3xf32>
      %32 = tensor.empty() : tensor<2x3xf32>
      %33 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%31 : tensor<2x3xf32>) outs(%32 : tensor<2x3xf32>) {
      ^bb0(%in: f32, %out: f32):
        %57 = arith.divf %cst, %in : f32
        linalg.yield %57 : f32
      } -> tensor<2x3xf32>
      %34 = tensor.empty() : tensor<2x3xf32>
      %35 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice_4 : tensor<2x3xf32>) outs(%34 : tensor<2x3xf32>) {
      ^bb0(%in: f32, %out: f32):
        %57 = math.tanh %in : f32
        linalg.yield %57 : f32
      } -> tensor<2x3xf32>
      %36 = tensor.empty() : tensor<2x3xf32>
      %37 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%33, %35 : tensor<2x3xf32>, tensor<2x3xf32>) outs(%36 : tensor<2x3xf32>) {
      ^bb0(%in: f32, %in_6: f32, %out: f32):
        %57 = arith.mulf %in, %in_6 : f32
        linalg.yield %57 : f32
      } -> tensor<2x3xf32>
      %38 = tensor.empty() : tensor<2x3xf32>
      %39 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%25, %37 : tensor<2x3xf32>, tensor<2x3xf32>) outs(%38 : tensor<2x3xf32>) {
      ^bb0(%in: f32, %in_6: f32, %out: f32):
        %57 = arith.addf %in, %in_6 : f32
        linalg.yield %57 : f32
      } -> tensor<2x3xf32>
      %40 = tensor.empty() : tensor<2x3xf32>
      %41 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice_5 : tensor<2x3xf32>) outs(%40 : tensor<2x3xf32>) {
      ^bb0(%in: f32, %out: f32):
        %57 = arith.negf %in : f32
        linalg.yield %57 : f32
      } -> tensor<2x3xf32>
      %42 = tensor.empty() : tensor<2x3xf32>
      %43 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%41 : tensor<2x3xf32>) outs(%42 : tensor<2x3xf32>) {
      ^bb0(%in: f32, %out: f32):
        %57 = math.exp %in : f32
        linalg.yield %57 : f32
      } -> tensor<2x3xf32>
      %44 = tensor.empty() : tensor<2x3xf32>
      %45 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%43 : tensor<2x3xf32>) outs(%44 : tensor<2x3xf32>) {
      ^bb0(%in: f32, %out: f32):
        %57 = arith.addf %in, %cst : f32
        linalg.yield %57 : f32
      } -> tensor<2x3xf32>
      %46 = tensor.empty() : tensor<2x3xf32>
      %47 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%45 : tensor<2x3xf32>) outs(%46 : tensor<2x3xf32>) {
      ^bb0(%in: f32, %out: f32):
        %57 = arith.divf %cst, %in : f32
        linalg.yield %57 : f32
      } -> tensor<2x3xf32>
      %48 = tensor.empty() : tensor<2x3xf32>
      %49 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%39 : tensor<2x3xf32>) outs(%48 : tensor<2x3xf32>) {
      ^bb0(%in: f32, %out: f32):
        %57 = math.tanh %in : f32
        linalg.yield %57 : f32
      } -> tensor<2x3xf32>
      %50 = tensor.empty() : tensor<2x3xf32>
      %51 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%47, %49 : tensor<2x3xf32>, tensor<2x3xf32>) outs(%50 : tensor<2x3xf32>) {
      ^bb0(%in: f32, %in_6: f32, %out: f32):
        %57 = arith.mulf %in, %in_6 : f32
        linalg.yield %57 : f32
      } -> tensor<2x3xf32>
      %52 = tensor.empty() : tensor<1x2x3xf32>
      %53 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%51 : tensor<2x3xf32>) outs(%52 : tensor<1x2x3xf32>) {
      ^bb0(%in: f32, %out: f32):
        linalg.yield %in : f32
      } -> tensor<1x2x3xf32>
      %54 = arith.index_cast %arg6 : i32 to index
      %55 = arith.maxsi %54, %c0 : index
      %56 = arith.minsi %55, %c4 : index
      %inserted_slice = tensor.insert_slice %53 into %arg9[%56, 0, 0] [1, 2, 3] [1, 1, 1] : tensor<1x2x3xf32> into tensor<5x2x3xf32>
      scf.yield %51, %39, %inserted_slice : tensor<2x3xf32>, tensor<2x3xf32>, tensor<5x2x3xf32>
    }
    return %0#2 : tensor<5x2x3xf32>
  }
}

