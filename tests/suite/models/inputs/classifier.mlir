// Made by benches/models/small.py of ONNX's classifier.
// input: 2x5xf32=0.125730217,-0.132104859,0.640422642,0.104900114,-0.535669386,0.361595064,1.30400002,0.94708097,-0.703735232,-1.26542151
// result: 2x10xf32=0.0952967331,0.0994360596,0.110442258,0.112572946,0.100290947,0.103771545,0.0969976932,0.0870603397,0.0943970308,0.0997344702,0.0954544544,0.0998798609,0.112885714,0.109419048,0.0968611985,0.104864582,0.0973096266,0.0847380534,0.0949664712,0.103620932
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d1)>
#map2 = affine_map<(d0, d1) -> (d0)>
#map3 = affine_map<(d0, d1) -> (d0, 0)>
module {
  util.func public @classifier$async(%arg0: !hal.buffer_view, %arg1: !hal.fence, %arg2: !hal.fence) -> !hal.buffer_view attributes {inlining_policy = #util.inline.never, iree.abi.model = "coarse-fences", iree.abi.stub} {
    %cst = arith.constant 0.000000e+00 : f32
    %c0_i64 = arith.constant 0 : i64
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant dense<[[-0.493427962, -0.324240863, -0.349633932, 0.119395234, -0.111168683, 0.056564942, 0.377020091], [0.38368088, 0.212508589, -0.201589853, -0.337615967, -0.364395946, -0.153776571, -0.0229778774], [-4.348140e-01, -0.507358253, 0.136715531, -0.828098714, -0.0791807324, 0.190435022, -0.440664411], [-0.497728229, -0.340162307, 0.289805412, -0.0580623485, -0.83610928, -0.189327478, 0.453428447], [0.439930886, 0.281763315, -0.106463134, -0.825082182, 0.0758374631, -0.0786996483, 0.0343459435]]> : tensor<5x7xf32>
    %cst_2 = arith.constant dense<[0.154230416, 0.0183683541, 0.027633382, 0.0605097488, -0.0256568901, -0.0664356351, -7.373730e-02]> : tensor<7xf32>
    %cst_3 = arith.constant dense<[[0.289886087, 0.19070299, -0.185031176], [0.435677886, 0.0696707517, -0.506554961], [0.229000717, -0.0527206324, -0.502239883], [0.194834962, -0.130328387, -0.148291558], [0.222959697, -0.828685879, -0.482774109], [-0.160453543, 0.0941749811, -0.251386911], [-0.376723707, -0.397778541, -0.0443326458]]> : tensor<7x3xf32>
    %cst_4 = arith.constant dense<[0.0675019919, -0.145000204, -0.208037898]> : tensor<3xf32>
    %cst_5 = arith.constant dense<[[-0.171690211, -0.220558271, -0.524800122, 0.353189856, 0.46455425, -0.325722307, -0.198869109, 0.32910651, -0.247806028, -0.8101058], [-0.0390105434, -0.522058904, 0.187800527, -0.291662306, -0.109207094, 0.299883425, -0.0720643401, -0.366049439, -0.581078172, 0.993660211], [0.638900757, -0.868134319, -0.607623875, 0.337179512, -0.339692593, 0.00875460077, 0.469969809, 0.0743564218, -0.0746031105, -0.273432612]]> : tensor<3x10xf32>
    %cst_6 = arith.constant dense<[-0.00864226092, 0.0386684276, 0.173476666, 0.106500313, -0.0199447032, 0.0916564688, 0.0117142396, -0.148138314, -0.0106651504, 0.0994687154]> : tensor<10xf32>
    %0 = hal.tensor.import wait(%arg1) => %arg0 : !hal.buffer_view -> tensor<2x5xf32>
    %1 = tensor.empty() : tensor<2x7xf32>
    %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<2x7xf32>) -> tensor<2x7xf32>
    %3 = linalg.matmul ins(%0, %cst_1 : tensor<2x5xf32>, tensor<5x7xf32>) outs(%2 : tensor<2x7xf32>) -> tensor<2x7xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%3, %cst_2 : tensor<2x7xf32>, tensor<7xf32>) outs(%1 : tensor<2x7xf32>) {
    ^bb0(%in: f32, %in_7: f32, %out: f32):
      %28 = arith.addf %in, %in_7 : f32
      linalg.yield %28 : f32
    } -> tensor<2x7xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%4 : tensor<2x7xf32>) outs(%1 : tensor<2x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      %28 = arith.cmpf ugt, %in, %cst : f32
      %29 = arith.select %28, %in, %cst : f32
      linalg.yield %29 : f32
    } -> tensor<2x7xf32>
    %6 = tensor.empty() : tensor<2x3xf32>
    %7 = linalg.fill ins(%cst : f32) outs(%6 : tensor<2x3xf32>) -> tensor<2x3xf32>
    %8 = linalg.matmul ins(%5, %cst_3 : tensor<2x7xf32>, tensor<7x3xf32>) outs(%7 : tensor<2x3xf32>) -> tensor<2x3xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%8, %cst_4 : tensor<2x3xf32>, tensor<3xf32>) outs(%6 : tensor<2x3xf32>) {
    ^bb0(%in: f32, %in_7: f32, %out: f32):
      %28 = arith.addf %in, %in_7 : f32
      linalg.yield %28 : f32
    } -> tensor<2x3xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%9 : tensor<2x3xf32>) outs(%6 : tensor<2x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      %28 = arith.cmpf ugt, %in, %cst : f32
      %29 = arith.select %28, %in, %cst : f32
      linalg.yield %29 : f32
    } -> tensor<2x3xf32>
    %11 = tensor.empty() : tensor<2x10xf32>
    %12 = linalg.fill ins(%cst : f32) outs(%11 : tensor<2x10xf32>) -> tensor<2x10xf32>
    %13 = linalg.matmul ins(%10, %cst_5 : tensor<2x3xf32>, tensor<3x10xf32>) outs(%12 : tensor<2x10xf32>) -> tensor<2x10xf32>
    %14 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%13, %cst_6 : tensor<2x10xf32>, tensor<10xf32>) outs(%11 : tensor<2x10xf32>) {
    ^bb0(%in: f32, %in_7: f32, %out: f32):
      %28 = arith.addf %in, %in_7 : f32
      linalg.yield %28 : f32
    } -> tensor<2x10xf32>
    %15 = tensor.empty() : tensor<2xi64>
    %16 = linalg.fill ins(%c0_i64 : i64) outs(%15 : tensor<2xi64>) -> tensor<2xi64>
    %17 = tensor.empty() : tensor<2xf32>
    %18 = linalg.fill ins(%cst_0 : f32) outs(%17 : tensor<2xf32>) -> tensor<2xf32>
    %19:2 = linalg.generic {indexing_maps = [#map, #map2, #map2], iterator_types = ["parallel", "reduction"]} ins(%14 : tensor<2x10xf32>) outs(%18, %16 : tensor<2xf32>, tensor<2xi64>) {
    ^bb0(%in: f32, %out: f32, %out_7: i64):
      %28 = linalg.index 1 : index
      %29 = arith.index_cast %28 : index to i64
      %30 = arith.maximumf %in, %out : f32
      %31 = arith.cmpf ogt, %in, %out : f32
      %32 = arith.select %31, %29, %out_7 : i64
      linalg.yield %30, %32 : f32, i64
    } -> (tensor<2xf32>, tensor<2xi64>)
    %expanded = tensor.expand_shape %19#0 [[0, 1]] output_shape [2, 1] : tensor<2xf32> into tensor<2x1xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel"]} ins(%14, %expanded : tensor<2x10xf32>, tensor<2x1xf32>) outs(%11 : tensor<2x10xf32>) {
    ^bb0(%in: f32, %in_7: f32, %out: f32):
      %28 = arith.subf %in, %in_7 : f32
      linalg.yield %28 : f32
    } -> tensor<2x10xf32>
    %21 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%20 : tensor<2x10xf32>) outs(%11 : tensor<2x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      %28 = math.exp %in : f32
      linalg.yield %28 : f32
    } -> tensor<2x10xf32>
    %22 = tensor.empty() : tensor<2x1xf32>
    %23 = linalg.fill ins(%cst : f32) outs(%22 : tensor<2x1xf32>) -> tensor<2x1xf32>
    %24 = linalg.generic {indexing_maps = [#map, #map3], iterator_types = ["parallel", "reduction"]} ins(%21 : tensor<2x10xf32>) outs(%23 : tensor<2x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %28 = arith.addf %in, %out : f32
      linalg.yield %28 : f32
    } -> tensor<2x1xf32>
    %25 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel"]} ins(%21, %24 : tensor<2x10xf32>, tensor<2x1xf32>) outs(%11 : tensor<2x10xf32>) {
    ^bb0(%in: f32, %in_7: f32, %out: f32):
      %28 = arith.divf %in, %in_7 : f32
      linalg.yield %28 : f32
    } -> tensor<2x10xf32>
    %26 = hal.tensor.barrier join(%25 : tensor<2x10xf32>) => %arg2 : !hal.fence
    %27 = hal.tensor.export %26 : tensor<2x10xf32> -> !hal.buffer_view
    util.return %27 : !hal.buffer_view
  }
  util.func public @classifier(%arg0: !hal.buffer_view) -> !hal.buffer_view attributes {iree.abi.stub} {
    %0 = util.null : !hal.fence
    %c-1_i32 = arith.constant -1 : i32
    %c0 = arith.constant 0 : index
    %device_0 = hal.devices.get %c0 : !hal.device
    %fence = hal.fence.create device(%device_0 : !hal.device) flags("None") : !hal.fence
    %1 = util.call @classifier$async(%arg0, %0, %fence) : (!hal.buffer_view, !hal.fence, !hal.fence) -> !hal.buffer_view
    %status = hal.fence.await until([%fence]) timeout_millis(%c-1_i32) flags("None") : i32
    util.return %1 : !hal.buffer_view
  }
}

