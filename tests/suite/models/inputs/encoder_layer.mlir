// Made by benches/models/small.py of ONNX's encoder_layer.
// input: 1x3x4xf32=0.125730217,-0.132104859,0.640422642,0.104900114,-0.535669386,0.361595064,1.30400002,0.94708097,-0.703735232,-1.26542151,-0.623274446,0.0413259789
// result: 1x3x4xf32=-1.54274964,1.94744897,6.36585522,-0.883844852,-1.93934679,2.16774035,7.25877476,0.00414586067,-2.07064342,0.309060812,4.68478966,-0.734722972
#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map3 = affine_map<(d0, d1, d2) -> (d2)>
#map4 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map6 = affine_map<(d0, d1, d2, d3) -> ()>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map9 = affine_map<(d0, d1, d2) -> ()>
module {
  util.func public @encoder_layer$async(%arg0: !hal.buffer_view, %arg1: !hal.fence, %arg2: !hal.fence) -> !hal.buffer_view attributes {inlining_policy = #util.inline.never, iree.abi.model = "coarse-fences", iree.abi.stub} {
    %cst = arith.constant 0.000000e+00 : f32
    %c0_i64 = arith.constant 0 : i64
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant dense<0.707106769> : tensor<f32>
    %cst_2 = arith.constant dense<[2.32675648, 3.57833195, 1.45806396, 0.569637239]> : tensor<4xf32>
    %cst_3 = arith.constant dense<[1.318250e-01, 0.0385629237, 0.182725862, 0.00317437598]> : tensor<4xf32>
    %cst_4 = arith.constant dense<[[-0.258114725, 0.290242463, 0.216053426, -0.178419679], [-0.123651914, 0.359720349, 3.521580e-01, -0.246967122], [-0.18385686, -0.903395175, 0.839603722, -0.112145439], [0.668638706, 0.208732799, 0.971981406, 0.768554985]]> : tensor<4x4xf32>
    %cst_5 = arith.constant dense<[0.0318298452, 0.148076341, -0.0950123519, 0.125861809]> : tensor<4xf32>
    %cst_6 = arith.constant dense<[[-0.740211784, 0.171618178, 0.532438219, 0.111816071], [-0.183568746, -0.402780026, -0.171400011, 0.525562584], [0.445419729, -0.131065726, -0.623002172, 0.336998612], [-0.724936962, -0.26542744, -0.367414176, 0.371632606]]> : tensor<4x4xf32>
    %cst_7 = arith.constant dense<[0.0235949736, 0.0461854748, 0.0272407904, -0.0677930117]> : tensor<4xf32>
    %cst_8 = arith.constant dense<[[0.267737985, 0.706230164, -0.0183856208, 0.316797227], [-0.0629515945, 0.514277697, 0.333318323, 0.437909722], [0.174211502, 0.820001959, -0.180575296, -0.16708304], [-2.959300e-01, 0.305481344, -0.311200142, -0.32226631]]> : tensor<4x4xf32>
    %cst_9 = arith.constant dense<[0.0727474838, 0.116209574, 0.0574351475, -0.268310368]> : tensor<4xf32>
    %cst_10 = arith.constant dense<[[-0.476816237, -0.536744714, -0.603755593, -0.203883827], [0.908771634, -0.153699279, -0.367722899, 0.349411368], [0.0345858634, 0.0603405647, -0.343337059, -7.52233493E-4], [0.217268586, -0.955653309, -0.805112183, 0.542280257]]> : tensor<4x4xf32>
    %cst_11 = arith.constant dense<[0.0843004584, -0.0506656729, -0.10202039, -0.0185546633]> : tensor<4xf32>
    %cst_12 = arith.constant dense<[1.69365227, 8.400970e-01, 2.1511004, 0.632071853]> : tensor<4xf32>
    %cst_13 = arith.constant dense<[0.116628841, -0.0222620536, 0.0369415544, 0.138583049]> : tensor<4xf32>
    %cst_14 = arith.constant dense<[[-0.66796875, -1.737390e-01, -0.0784492492, 0.140990585, 0.776833355, 0.342763513, -0.748833299, -0.135486022, -0.446821719, -0.459523529, 1.01241386, -0.531485319, 0.11819759, -0.357606113, 0.430490464, 0.176851615], [0.063713856, -0.0380835682, 0.568858445, -0.465849936, -0.363469154, -5.583030e-01, 0.667273223, -0.146783188, -0.518700361, -0.209536701, 1.24982357, -0.0537364781, 0.425010294, 0.232590914, -0.00619164109, -0.346352488], [-0.167147622, -0.177226201, -1.1046381, 1.29506612, 0.462418139, 0.0581432544, -0.101674572, -0.39482218, 0.474810869, -0.0934279933, 0.239636272, -0.69374758, 0.189238265, 1.00015056, -0.144814432, 0.399977475], [0.0176668186, 0.552595258, 0.533712268, 0.030823186, -0.279792726, 0.143377081, 0.0208845139, -0.308951646, 0.228239417, 0.21616143, -0.444513291, -0.0557439476, 1.46056974, 0.408417255, 0.0488896556, 1.25554121]]> : tensor<4x16xf32>
    %cst_15 = arith.constant dense<[-0.0455403216, -0.247685418, -0.190694153, -0.151951104, 0.0260055047, 0.0976356267, -0.217019022, 0.111724369, -0.122773841, 0.0256434847, 0.0463919602, 0.0432329848, 7.547080e-04, 0.0170995519, -0.113982014, 0.0278216898]> : tensor<16xf32>
    %cst_16 = arith.constant dense<1.000000e+00> : tensor<f32>
    %cst_17 = arith.constant dense<5.000000e-01> : tensor<f32>
    %cst_18 = arith.constant dense<[[0.244913086, 0.231555656, 0.653213202, 0.270808131], [0.181606844, 0.415875137, 0.0602844097, -0.322469294], [-0.559964955, 0.319142729, 0.142007843, 0.211824238], [-0.0832187235, 0.0862073525, 0.47059539, 0.083708547], [-0.278879672, -0.107862428, 0.346277654, -0.272490263], [-0.64535737, -0.573488772, -0.334734738, 0.199848384], [2.211580e-02, -0.189319283, -0.321284145, -0.0284973271], [-0.0398989096, -0.140981734, -0.061313536, -0.190795451], [0.450805485, -0.591735363, 0.0305472147, -0.253601402], [0.176629111, -0.05877655, 0.0915053636, 0.132899061], [0.0513315611, 0.247760117, -0.347869426, 0.237924725], [-0.0547356121, 0.0951610953, 0.389133334, 0.281101704], [0.495976567, -0.562647939, -0.238970414, 0.241041914], [-0.282669544, -0.0456482023, 0.426968962, 2.186750e-01], [-0.240567163, 0.113451608, 0.161325127, 0.0168440957], [-0.0251265857, 0.0353893675, -0.375128418, 0.0316281058]]> : tensor<16x4xf32>
    %cst_19 = arith.constant dense<[-0.0966911092, 0.0393571071, 0.0429216959, -0.0892793238]> : tensor<4xf32>
    %cst_20 = arith.constant 4.000000e+00 : f32
    %cst_21 = arith.constant 9.99999974E-6 : f32
    %0 = hal.tensor.import wait(%arg1) => %arg0 : !hal.buffer_view -> tensor<1x3x4xf32>
    %1 = tensor.empty() : tensor<1x3x1xf32>
    %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<1x3x1xf32>) -> tensor<1x3x1xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%0 : tensor<1x3x4xf32>) outs(%2 : tensor<1x3x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %85 = arith.addf %in, %out : f32
      linalg.yield %85 : f32
    } -> tensor<1x3x1xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%3 : tensor<1x3x1xf32>) outs(%1 : tensor<1x3x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %85 = arith.divf %in, %cst_20 : f32
      linalg.yield %85 : f32
    } -> tensor<1x3x1xf32>
    %5 = tensor.empty() : tensor<1x3x4xf32>
    %collapsed = tensor.collapse_shape %4 [[0], [1, 2]] : tensor<1x3x1xf32> into tensor<1x3xf32>
    %6 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed : tensor<1x3xf32>) outs(%5 : tensor<1x3x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x3x4xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%0, %6 : tensor<1x3x4xf32>, tensor<1x3x4xf32>) outs(%5 : tensor<1x3x4xf32>) {
    ^bb0(%in: f32, %in_38: f32, %out: f32):
      %85 = arith.subf %in, %in_38 : f32
      linalg.yield %85 : f32
    } -> tensor<1x3x4xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%7, %7 : tensor<1x3x4xf32>, tensor<1x3x4xf32>) outs(%5 : tensor<1x3x4xf32>) {
    ^bb0(%in: f32, %in_38: f32, %out: f32):
      %85 = arith.mulf %in, %in_38 : f32
      linalg.yield %85 : f32
    } -> tensor<1x3x4xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%8 : tensor<1x3x4xf32>) outs(%2 : tensor<1x3x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %85 = arith.addf %in, %out : f32
      linalg.yield %85 : f32
    } -> tensor<1x3x1xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9 : tensor<1x3x1xf32>) outs(%1 : tensor<1x3x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %85 = arith.divf %in, %cst_20 : f32
      linalg.yield %85 : f32
    } -> tensor<1x3x1xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%10 : tensor<1x3x1xf32>) outs(%1 : tensor<1x3x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %85 = arith.addf %in, %cst_21 : f32
      linalg.yield %85 : f32
    } -> tensor<1x3x1xf32>
    %12 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11 : tensor<1x3x1xf32>) outs(%1 : tensor<1x3x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %85 = math.rsqrt %in : f32
      linalg.yield %85 : f32
    } -> tensor<1x3x1xf32>
    %collapsed_22 = tensor.collapse_shape %12 [[0], [1, 2]] : tensor<1x3x1xf32> into tensor<1x3xf32>
    %13 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed_22 : tensor<1x3xf32>) outs(%5 : tensor<1x3x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x3x4xf32>
    %14 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%7, %13 : tensor<1x3x4xf32>, tensor<1x3x4xf32>) outs(%5 : tensor<1x3x4xf32>) {
    ^bb0(%in: f32, %in_38: f32, %out: f32):
      %85 = arith.mulf %in, %in_38 : f32
      linalg.yield %85 : f32
    } -> tensor<1x3x4xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%14, %cst_2 : tensor<1x3x4xf32>, tensor<4xf32>) outs(%5 : tensor<1x3x4xf32>) {
    ^bb0(%in: f32, %in_38: f32, %out: f32):
      %85 = arith.mulf %in, %in_38 : f32
      linalg.yield %85 : f32
    } -> tensor<1x3x4xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15, %cst_3 : tensor<1x3x4xf32>, tensor<4xf32>) outs(%5 : tensor<1x3x4xf32>) {
    ^bb0(%in: f32, %in_38: f32, %out: f32):
      %85 = arith.addf %in, %in_38 : f32
      linalg.yield %85 : f32
    } -> tensor<1x3x4xf32>
    %17 = tensor.empty() : tensor<1x4x4xf32>
    %18 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_4 : tensor<4x4xf32>) outs(%17 : tensor<1x4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x4x4xf32>
    %19 = linalg.fill ins(%cst : f32) outs(%5 : tensor<1x3x4xf32>) -> tensor<1x3x4xf32>
    %20 = linalg.batch_matmul ins(%16, %18 : tensor<1x3x4xf32>, tensor<1x4x4xf32>) outs(%19 : tensor<1x3x4xf32>) -> tensor<1x3x4xf32>
    %21 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%20, %cst_5 : tensor<1x3x4xf32>, tensor<4xf32>) outs(%5 : tensor<1x3x4xf32>) {
    ^bb0(%in: f32, %in_38: f32, %out: f32):
      %85 = arith.addf %in, %in_38 : f32
      linalg.yield %85 : f32
    } -> tensor<1x3x4xf32>
    %expanded = tensor.expand_shape %21 [[0], [1], [2, 3]] output_shape [1, 3, 2, 2] : tensor<1x3x4xf32> into tensor<1x3x2x2xf32>
    %22 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_6 : tensor<4x4xf32>) outs(%17 : tensor<1x4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x4x4xf32>
    %23 = linalg.batch_matmul ins(%16, %22 : tensor<1x3x4xf32>, tensor<1x4x4xf32>) outs(%19 : tensor<1x3x4xf32>) -> tensor<1x3x4xf32>
    %24 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%23, %cst_7 : tensor<1x3x4xf32>, tensor<4xf32>) outs(%5 : tensor<1x3x4xf32>) {
    ^bb0(%in: f32, %in_38: f32, %out: f32):
      %85 = arith.addf %in, %in_38 : f32
      linalg.yield %85 : f32
    } -> tensor<1x3x4xf32>
    %expanded_23 = tensor.expand_shape %24 [[0], [1], [2, 3]] output_shape [1, 3, 2, 2] : tensor<1x3x4xf32> into tensor<1x3x2x2xf32>
    %25 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_8 : tensor<4x4xf32>) outs(%17 : tensor<1x4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x4x4xf32>
    %26 = linalg.batch_matmul ins(%16, %25 : tensor<1x3x4xf32>, tensor<1x4x4xf32>) outs(%19 : tensor<1x3x4xf32>) -> tensor<1x3x4xf32>
    %27 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%26, %cst_9 : tensor<1x3x4xf32>, tensor<4xf32>) outs(%5 : tensor<1x3x4xf32>) {
    ^bb0(%in: f32, %in_38: f32, %out: f32):
      %85 = arith.addf %in, %in_38 : f32
      linalg.yield %85 : f32
    } -> tensor<1x3x4xf32>
    %expanded_24 = tensor.expand_shape %27 [[0], [1], [2, 3]] output_shape [1, 3, 2, 2] : tensor<1x3x4xf32> into tensor<1x3x2x2xf32>
    %28 = tensor.empty() : tensor<1x2x3x2xf32>
    %transposed = linalg.transpose ins(%expanded : tensor<1x3x2x2xf32>) outs(%28 : tensor<1x2x3x2xf32>) permutation = [0, 2, 1, 3]
    %transposed_25 = linalg.transpose ins(%expanded_24 : tensor<1x3x2x2xf32>) outs(%28 : tensor<1x2x3x2xf32>) permutation = [0, 2, 1, 3]
    %29 = tensor.empty() : tensor<1x2x2x3xf32>
    %transposed_26 = linalg.transpose ins(%expanded_23 : tensor<1x3x2x2xf32>) outs(%29 : tensor<1x2x2x3xf32>) permutation = [0, 2, 3, 1]
    %collapsed_27 = tensor.collapse_shape %transposed [[0, 1], [2], [3]] : tensor<1x2x3x2xf32> into tensor<2x3x2xf32>
    %collapsed_28 = tensor.collapse_shape %transposed_26 [[0, 1], [2], [3]] : tensor<1x2x2x3xf32> into tensor<2x2x3xf32>
    %30 = tensor.empty() : tensor<2x3x3xf32>
    %31 = linalg.fill ins(%cst : f32) outs(%30 : tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
    %32 = linalg.batch_matmul ins(%collapsed_27, %collapsed_28 : tensor<2x3x2xf32>, tensor<2x2x3xf32>) outs(%31 : tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
    %expanded_29 = tensor.expand_shape %32 [[0, 1], [2], [3]] output_shape [1, 2, 3, 3] : tensor<2x3x3xf32> into tensor<1x2x3x3xf32>
    %33 = tensor.empty() : tensor<1x2x3x3xf32>
    %34 = linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_29, %cst_1 : tensor<1x2x3x3xf32>, tensor<f32>) outs(%33 : tensor<1x2x3x3xf32>) {
    ^bb0(%in: f32, %in_38: f32, %out: f32):
      %85 = arith.mulf %in, %in_38 : f32
      linalg.yield %85 : f32
    } -> tensor<1x2x3x3xf32>
    %35 = tensor.empty() : tensor<1x2x3xi64>
    %36 = linalg.fill ins(%c0_i64 : i64) outs(%35 : tensor<1x2x3xi64>) -> tensor<1x2x3xi64>
    %37 = tensor.empty() : tensor<1x2x3xf32>
    %38 = linalg.fill ins(%cst_0 : f32) outs(%37 : tensor<1x2x3xf32>) -> tensor<1x2x3xf32>
    %39:2 = linalg.generic {indexing_maps = [#map5, #map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%34 : tensor<1x2x3x3xf32>) outs(%38, %36 : tensor<1x2x3xf32>, tensor<1x2x3xi64>) {
    ^bb0(%in: f32, %out: f32, %out_38: i64):
      %85 = linalg.index 3 : index
      %86 = arith.index_cast %85 : index to i64
      %87 = arith.maximumf %in, %out : f32
      %88 = arith.cmpf ogt, %in, %out : f32
      %89 = arith.select %88, %86, %out_38 : i64
      linalg.yield %87, %89 : f32, i64
    } -> (tensor<1x2x3xf32>, tensor<1x2x3xi64>)
    %expanded_30 = tensor.expand_shape %39#0 [[0], [1], [2, 3]] output_shape [1, 2, 3, 1] : tensor<1x2x3xf32> into tensor<1x2x3x1xf32>
    %40 = linalg.generic {indexing_maps = [#map5, #map8, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%34, %expanded_30 : tensor<1x2x3x3xf32>, tensor<1x2x3x1xf32>) outs(%33 : tensor<1x2x3x3xf32>) {
    ^bb0(%in: f32, %in_38: f32, %out: f32):
      %85 = arith.subf %in, %in_38 : f32
      linalg.yield %85 : f32
    } -> tensor<1x2x3x3xf32>
    %41 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%40 : tensor<1x2x3x3xf32>) outs(%33 : tensor<1x2x3x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      %85 = math.exp %in : f32
      linalg.yield %85 : f32
    } -> tensor<1x2x3x3xf32>
    %42 = tensor.empty() : tensor<1x2x3x1xf32>
    %43 = linalg.fill ins(%cst : f32) outs(%42 : tensor<1x2x3x1xf32>) -> tensor<1x2x3x1xf32>
    %44 = linalg.generic {indexing_maps = [#map5, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%41 : tensor<1x2x3x3xf32>) outs(%43 : tensor<1x2x3x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %85 = arith.addf %in, %out : f32
      linalg.yield %85 : f32
    } -> tensor<1x2x3x1xf32>
    %45 = linalg.generic {indexing_maps = [#map5, #map8, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%41, %44 : tensor<1x2x3x3xf32>, tensor<1x2x3x1xf32>) outs(%33 : tensor<1x2x3x3xf32>) {
    ^bb0(%in: f32, %in_38: f32, %out: f32):
      %85 = arith.divf %in, %in_38 : f32
      linalg.yield %85 : f32
    } -> tensor<1x2x3x3xf32>
    %collapsed_31 = tensor.collapse_shape %45 [[0, 1], [2], [3]] : tensor<1x2x3x3xf32> into tensor<2x3x3xf32>
    %collapsed_32 = tensor.collapse_shape %transposed_25 [[0, 1], [2], [3]] : tensor<1x2x3x2xf32> into tensor<2x3x2xf32>
    %46 = tensor.empty() : tensor<2x3x2xf32>
    %47 = linalg.fill ins(%cst : f32) outs(%46 : tensor<2x3x2xf32>) -> tensor<2x3x2xf32>
    %48 = linalg.batch_matmul ins(%collapsed_31, %collapsed_32 : tensor<2x3x3xf32>, tensor<2x3x2xf32>) outs(%47 : tensor<2x3x2xf32>) -> tensor<2x3x2xf32>
    %expanded_33 = tensor.expand_shape %48 [[0, 1], [2], [3]] output_shape [1, 2, 3, 2] : tensor<2x3x2xf32> into tensor<1x2x3x2xf32>
    %49 = tensor.empty() : tensor<1x3x2x2xf32>
    %transposed_34 = linalg.transpose ins(%expanded_33 : tensor<1x2x3x2xf32>) outs(%49 : tensor<1x3x2x2xf32>) permutation = [0, 2, 1, 3]
    %collapsed_35 = tensor.collapse_shape %transposed_34 [[0], [1], [2, 3]] : tensor<1x3x2x2xf32> into tensor<1x3x4xf32>
    %50 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_10 : tensor<4x4xf32>) outs(%17 : tensor<1x4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x4x4xf32>
    %51 = linalg.batch_matmul ins(%collapsed_35, %50 : tensor<1x3x4xf32>, tensor<1x4x4xf32>) outs(%19 : tensor<1x3x4xf32>) -> tensor<1x3x4xf32>
    %52 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%51, %cst_11 : tensor<1x3x4xf32>, tensor<4xf32>) outs(%5 : tensor<1x3x4xf32>) {
    ^bb0(%in: f32, %in_38: f32, %out: f32):
      %85 = arith.addf %in, %in_38 : f32
      linalg.yield %85 : f32
    } -> tensor<1x3x4xf32>
    %53 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%0, %52 : tensor<1x3x4xf32>, tensor<1x3x4xf32>) outs(%5 : tensor<1x3x4xf32>) {
    ^bb0(%in: f32, %in_38: f32, %out: f32):
      %85 = arith.addf %in, %in_38 : f32
      linalg.yield %85 : f32
    } -> tensor<1x3x4xf32>
    %54 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%53 : tensor<1x3x4xf32>) outs(%2 : tensor<1x3x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %85 = arith.addf %in, %out : f32
      linalg.yield %85 : f32
    } -> tensor<1x3x1xf32>
    %55 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%54 : tensor<1x3x1xf32>) outs(%1 : tensor<1x3x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %85 = arith.divf %in, %cst_20 : f32
      linalg.yield %85 : f32
    } -> tensor<1x3x1xf32>
    %collapsed_36 = tensor.collapse_shape %55 [[0], [1, 2]] : tensor<1x3x1xf32> into tensor<1x3xf32>
    %56 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed_36 : tensor<1x3xf32>) outs(%5 : tensor<1x3x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x3x4xf32>
    %57 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%53, %56 : tensor<1x3x4xf32>, tensor<1x3x4xf32>) outs(%5 : tensor<1x3x4xf32>) {
    ^bb0(%in: f32, %in_38: f32, %out: f32):
      %85 = arith.subf %in, %in_38 : f32
      linalg.yield %85 : f32
    } -> tensor<1x3x4xf32>
    %58 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%57, %57 : tensor<1x3x4xf32>, tensor<1x3x4xf32>) outs(%5 : tensor<1x3x4xf32>) {
    ^bb0(%in: f32, %in_38: f32, %out: f32):
      %85 = arith.mulf %in, %in_38 : f32
      linalg.yield %85 : f32
    } -> tensor<1x3x4xf32>
    %59 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%58 : tensor<1x3x4xf32>) outs(%2 : tensor<1x3x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %85 = arith.addf %in, %out : f32
      linalg.yield %85 : f32
    } -> tensor<1x3x1xf32>
    %60 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%59 : tensor<1x3x1xf32>) outs(%1 : tensor<1x3x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %85 = arith.divf %in, %cst_20 : f32
      linalg.yield %85 : f32
    } -> tensor<1x3x1xf32>
    %61 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%60 : tensor<1x3x1xf32>) outs(%1 : tensor<1x3x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %85 = arith.addf %in, %cst_21 : f32
      linalg.yield %85 : f32
    } -> tensor<1x3x1xf32>
    %62 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%61 : tensor<1x3x1xf32>) outs(%1 : tensor<1x3x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %85 = math.rsqrt %in : f32
      linalg.yield %85 : f32
    } -> tensor<1x3x1xf32>
    %collapsed_37 = tensor.collapse_shape %62 [[0], [1, 2]] : tensor<1x3x1xf32> into tensor<1x3xf32>
    %63 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed_37 : tensor<1x3xf32>) outs(%5 : tensor<1x3x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x3x4xf32>
    %64 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%57, %63 : tensor<1x3x4xf32>, tensor<1x3x4xf32>) outs(%5 : tensor<1x3x4xf32>) {
    ^bb0(%in: f32, %in_38: f32, %out: f32):
      %85 = arith.mulf %in, %in_38 : f32
      linalg.yield %85 : f32
    } -> tensor<1x3x4xf32>
    %65 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%64, %cst_12 : tensor<1x3x4xf32>, tensor<4xf32>) outs(%5 : tensor<1x3x4xf32>) {
    ^bb0(%in: f32, %in_38: f32, %out: f32):
      %85 = arith.mulf %in, %in_38 : f32
      linalg.yield %85 : f32
    } -> tensor<1x3x4xf32>
    %66 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%65, %cst_13 : tensor<1x3x4xf32>, tensor<4xf32>) outs(%5 : tensor<1x3x4xf32>) {
    ^bb0(%in: f32, %in_38: f32, %out: f32):
      %85 = arith.addf %in, %in_38 : f32
      linalg.yield %85 : f32
    } -> tensor<1x3x4xf32>
    %67 = tensor.empty() : tensor<1x4x16xf32>
    %68 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_14 : tensor<4x16xf32>) outs(%67 : tensor<1x4x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x4x16xf32>
    %69 = tensor.empty() : tensor<1x3x16xf32>
    %70 = linalg.fill ins(%cst : f32) outs(%69 : tensor<1x3x16xf32>) -> tensor<1x3x16xf32>
    %71 = linalg.batch_matmul ins(%66, %68 : tensor<1x3x4xf32>, tensor<1x4x16xf32>) outs(%70 : tensor<1x3x16xf32>) -> tensor<1x3x16xf32>
    %72 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%71, %cst_15 : tensor<1x3x16xf32>, tensor<16xf32>) outs(%69 : tensor<1x3x16xf32>) {
    ^bb0(%in: f32, %in_38: f32, %out: f32):
      %85 = arith.addf %in, %in_38 : f32
      linalg.yield %85 : f32
    } -> tensor<1x3x16xf32>
    %73 = linalg.generic {indexing_maps = [#map, #map9, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%72, %cst_1 : tensor<1x3x16xf32>, tensor<f32>) outs(%69 : tensor<1x3x16xf32>) {
    ^bb0(%in: f32, %in_38: f32, %out: f32):
      %85 = arith.mulf %in, %in_38 : f32
      linalg.yield %85 : f32
    } -> tensor<1x3x16xf32>
    %74 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%73 : tensor<1x3x16xf32>) outs(%69 : tensor<1x3x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %85 = math.erf %in : f32
      linalg.yield %85 : f32
    } -> tensor<1x3x16xf32>
    %75 = linalg.generic {indexing_maps = [#map, #map9, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%74, %cst_16 : tensor<1x3x16xf32>, tensor<f32>) outs(%69 : tensor<1x3x16xf32>) {
    ^bb0(%in: f32, %in_38: f32, %out: f32):
      %85 = arith.addf %in, %in_38 : f32
      linalg.yield %85 : f32
    } -> tensor<1x3x16xf32>
    %76 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%72, %75 : tensor<1x3x16xf32>, tensor<1x3x16xf32>) outs(%69 : tensor<1x3x16xf32>) {
    ^bb0(%in: f32, %in_38: f32, %out: f32):
      %85 = arith.mulf %in, %in_38 : f32
      linalg.yield %85 : f32
    } -> tensor<1x3x16xf32>
    %77 = linalg.generic {indexing_maps = [#map, #map9, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%76, %cst_17 : tensor<1x3x16xf32>, tensor<f32>) outs(%69 : tensor<1x3x16xf32>) {
    ^bb0(%in: f32, %in_38: f32, %out: f32):
      %85 = arith.mulf %in, %in_38 : f32
      linalg.yield %85 : f32
    } -> tensor<1x3x16xf32>
    %78 = tensor.empty() : tensor<1x16x4xf32>
    %79 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_18 : tensor<16x4xf32>) outs(%78 : tensor<1x16x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x16x4xf32>
    %80 = linalg.batch_matmul ins(%77, %79 : tensor<1x3x16xf32>, tensor<1x16x4xf32>) outs(%19 : tensor<1x3x4xf32>) -> tensor<1x3x4xf32>
    %81 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%80, %cst_19 : tensor<1x3x4xf32>, tensor<4xf32>) outs(%5 : tensor<1x3x4xf32>) {
    ^bb0(%in: f32, %in_38: f32, %out: f32):
      %85 = arith.addf %in, %in_38 : f32
      linalg.yield %85 : f32
    } -> tensor<1x3x4xf32>
    %82 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%53, %81 : tensor<1x3x4xf32>, tensor<1x3x4xf32>) outs(%5 : tensor<1x3x4xf32>) {
    ^bb0(%in: f32, %in_38: f32, %out: f32):
      %85 = arith.addf %in, %in_38 : f32
      linalg.yield %85 : f32
    } -> tensor<1x3x4xf32>
    %83 = hal.tensor.barrier join(%82 : tensor<1x3x4xf32>) => %arg2 : !hal.fence
    %84 = hal.tensor.export %83 : tensor<1x3x4xf32> -> !hal.buffer_view
    util.return %84 : !hal.buffer_view
  }
  util.func public @encoder_layer(%arg0: !hal.buffer_view) -> !hal.buffer_view attributes {iree.abi.stub} {
    %0 = util.null : !hal.fence
    %c-1_i32 = arith.constant -1 : i32
    %c0 = arith.constant 0 : index
    %device_0 = hal.devices.get %c0 : !hal.device
    %fence = hal.fence.create device(%device_0 : !hal.device) flags("None") : !hal.fence
    %1 = util.call @encoder_layer$async(%arg0, %0, %fence) : (!hal.buffer_view, !hal.fence, !hal.fence) -> !hal.buffer_view
    %status = hal.fence.await until([%fence]) timeout_millis(%c-1_i32) flags("None") : i32
    util.return %1 : !hal.buffer_view
  }
}

