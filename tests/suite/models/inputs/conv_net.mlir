// Made by benches/models/small.py of ONNX's conv_net.
// input: 1x3x8x8xf32=0.125730217,-0.132104859,0.640422642,0.104900114,-0.535669386,0.361595064,1.30400002,0.94708097,-0.703735232,-1.26542151,-0.623274446,0.0413259789,-2.3250308,-0.218791664,-1.245911,-0.73226738,-0.544259012,-0.316300154,0.411630541,1.04251337,-0.12853466,1.36646342,-0.66519469,0.351510078,0.903470159,0.0940122977,-0.743499279,-0.921725392,-0.457725823,0.22019513,-1.00961816,-0.209175572,-0.159225017,0.540845573,0.214659125,0.355372697,-0.653828621,-0.129613638,0.783975482,1.49343109,-1.25906551,1.51392376,1.34587538,0.781311393,0.264455616,-0.313922822,1.45802069,1.96025836,1.80163491,1.31510377,0.35738042,-1.20831859,-0.0044541331,0.656474948,-1.28836143,0.395122051,0.429863691,0.696042717,-1.18411791,-0.661702573,-0.436435252,-1.16980195,1.73936784,-0.495910734,0.328969628,-0.258572549,1.58347285,1.32036102,0.633352637,-2.20350981,0.0520289727,0.683686197,1.00396156,-0.617907047,1.82201135,-1.32043099,-0.661528051,0.935050011,0.0490546152,2.00239253,0.188519195,-0.633194089,-0.377563506,-1.09114611,-1.27768016,0.630411506,0.581165791,1.29455876,-0.75460577,1.68910742,-0.287387699,1.57440829,-0.432785839,-0.735483289,0.249785379,1.03145313,0.16100958,-0.585528851,-1.34121966,-1.40152025,0.502682865,0.989713013,-0.164294586,-1.0743649,0.873042166,-1.28039396,-0.713068068,0.621017873,-2.25014114,0.386369586,-0.58164084,0.1092797,-0.0757015273,0.202114388,0.694171965,-0.758369744,1.420982,0.726093769,0.843732655,1.16486394,0.787588239,0.84407866,0.0755936131,-1.42677391,-0.135045096,-0.76951462,-1.42274177,0.258452803,-0.568549454,-1.02980447,-1.04300106,0.26841709,0.358671963,1.32245743,-0.0139146689,1.04183972,1.40226483,1.15016568,-2.36530399,1.22868371,0.339619994,0.423771352,0.371227413,0.382757157,0.319414228,-0.358913302,-1.90163529,-0.108914725,-0.803731859,1.08016336,-0.288766503,0.0834753588,-0.849605978,-0.510622442,-0.011533062,-1.48537517,0.300685108,-0.106072254,-1.18571985,-2.39823294,0.513052106,-0.297584027,-0.530008435,-0.236154631,1.81647599,-0.0498009697,0.0866192654,-1.48707283,1.64733911,0.917487979,1.06693482,0.0476727299,0.916654766,0.370946825,0.613189101,-0.152192965,-1.47388792,1.02885437,-1.93495965,-0.239936665,-0.204522491,-1.04286015,0.613123119,-0.200329706,-0.43686834,0.519841731,-0.47657904,1.38898003,0.351455063,-0.474332988,-1.94426501,-1.30775321
// result: 1x10xf32=-0.0961613059,-0.230524957,-0.174769342,-0.127686709,0.167183399,0.221096128,-0.0656468794,0.118911028,0.172564805,-0.0514276437
#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, 0)>
#map2 = affine_map<(d0, d1) -> (d0, d1)>
#map3 = affine_map<(d0, d1) -> (d1)>
module {
  util.func public @conv_net$async(%arg0: !hal.buffer_view, %arg1: !hal.fence, %arg2: !hal.fence) -> !hal.buffer_view attributes {inlining_policy = #util.inline.never, iree.abi.model = "coarse-fences", iree.abi.stub} {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant dense<[[[[-0.334529519, -0.257237017, -0.261945099], [-0.0676687509, -0.445056528, -0.0363532826], [-0.184218854, 0.171973437, 0.184145331]], [[0.267940223, 0.147699699, -0.0102055855], [0.165467426, 0.289729983, -0.125784323], [0.117462136, -0.00821258221, 0.277131349]], [[-0.161060527, -0.0580326729, 0.0697320923], [0.0496733449, -0.315511912, 0.0693119094], [-0.0228048936, -0.0461394936, -0.0298878197]]], [[[0.0421411246, -0.349565506, 0.298772335], [-0.165784523, -0.431351453, -0.0157759991], [0.280492246, -0.0998048037, 0.298543125]], [[0.299633622, -0.166032836, -0.474412709], [-0.237711027, 0.228521436, -0.157187879], [-0.290730029, -0.257439464, 3.46687702E-5]], [[-5.024580e-03, 0.167825118, 0.190342754], [-0.179411411, -0.030168226, -0.218225822], [0.0138353659, -0.221434578, -0.230988517]]]]> : tensor<2x3x3x3xf32>
    %cst_2 = arith.constant dense<[[[[0.257938057, -0.0778474361, 0.415483117], [-0.0812603682, -0.083349727, -9.884820e-02], [0.147477463, 0.0440612547, 0.323249727]], [[-0.130425751, 0.0684097856, 0.456781954], [-0.0566585064, 0.125538036, 0.370496184], [0.130448416, -0.149554297, -0.486100554]]], [[[0.564074099, 0.10142605, 0.297109514], [-0.11226818, 0.428620249, 0.122456603], [0.0117373699, -0.212560356, 0.0867819711]], [[-0.11467623, -5.250720e-02, -0.382429481], [-0.115624674, 0.0376838483, -0.294817835], [0.0174175743, 0.156339869, -0.0723040103]]]]> : tensor<2x2x3x3xf32>
    %cst_3 = arith.constant dense<[[[[-0.261041701, 0.480853707, 0.0418634973], [-0.316321462, -0.210112885, 0.0230009761], [0.144478396, -0.31634897, 0.167663708]], [[-0.32368806, -0.187239245, 0.201077893], [0.400928885, -0.0199658368, -0.0729589537], [0.298846692, -0.252667844, 6.550680e-02]]], [[[0.054976508, 0.237899423, 0.0703756139], [-0.0627897456, 0.144851908, -0.265533894], [0.19187966, -0.15855138, -0.214575306]], [[-0.0866550877, 0.0108426437, 0.167486712], [-0.0501269586, 0.173411533, 0.229829147], [-0.02492759, -0.231352866, 0.216787413]]], [[[0.0649237782, -0.498555899, -0.232941866], [0.0337435342, -0.323361218, -0.16061227], [-0.403739631, 0.094814442, 0.0569262914]], [[4.151320e-02, 0.341172904, -0.0831090137], [-0.0681604221, 0.476100475, -0.306616336], [0.171865344, -0.309971213, 0.0556860231]]], [[[0.498694748, 0.063959226, -0.181920379], [0.561965108, -0.128179923, -0.0486009829], [0.0717411861, -0.316445649, 0.262831181]], [[0.381560713, 0.178842813, 0.0778668374], [-0.0351898037, 0.209005579, -0.742480576], [-0.0294086337, 0.0603694133, -0.467993945]]]]> : tensor<4x2x3x3xf32>
    %cst_4 = arith.constant dense<[[-0.229965821, -0.307188421, -0.198819473, 0.27921927, -0.0649153218, 0.495546788, 0.825195729, -0.215130627, 0.489853859, -0.196472391], [-0.633248746, -0.634421765, -0.159564823, -0.949550449, 0.249655247, 0.755340516, -0.582531035, -0.167157039, 0.771779179, 0.173615992], [0.097833313, -0.130766988, 0.509329379, 0.164621159, -0.542093873, -1.21604669, -1.34084618, 0.328835726, -0.133042246, 0.724064886], [0.254997253, -0.636018515, 0.145194471, 0.595930815, -0.450878352, -0.254371196, 0.87049359, -8.731960e-01, -0.545143485, 0.525019944]]> : tensor<4x10xf32>
    %cst_5 = arith.constant dense<[0.0198995732, -0.114249088, -0.145524547, 0.0463454761, 0.121426955, 0.0826584548, 0.0411185324, 0.149547324, 0.0311142802, -0.0832477211]> : tensor<10xf32>
    %cst_6 = arith.constant dense<[[[[0.0785838813]], [[-0.0114142606]]]]> : tensor<1x2x1x1xf32>
    %cst_7 = arith.constant dense<[[[[0.554589927]], [[1.24449193]]]]> : tensor<1x2x1x1xf32>
    %cst_8 = arith.constant 9.99999974E-6 : f32
    %cst_9 = arith.constant dense<[[[[2.62342191]], [[0.532388866]]]]> : tensor<1x2x1x1xf32>
    %cst_10 = arith.constant dense<[[[[0.0643178597]], [[0.253809839]]]]> : tensor<1x2x1x1xf32>
    %cst_11 = arith.constant dense<[[[[-0.0300451387]], [[-0.0419405103]]]]> : tensor<1x2x1x1xf32>
    %cst_12 = arith.constant dense<[[[[6.439970e-01]], [[0.569570065]]]]> : tensor<1x2x1x1xf32>
    %cst_13 = arith.constant dense<[[[[1.12078416]], [[1.12012422]]]]> : tensor<1x2x1x1xf32>
    %cst_14 = arith.constant dense<[[[[0.0941142291]], [[-0.153450504]]]]> : tensor<1x2x1x1xf32>
    %cst_15 = arith.constant dense<[[[[-0.0182098318]], [[0.00384224392]], [[-0.059109129]], [[0.0969853922]]]]> : tensor<1x4x1x1xf32>
    %cst_16 = arith.constant dense<[[[[1.80454838]], [[2.02169967]], [[2.40565228]], [[1.99328065]]]]> : tensor<1x4x1x1xf32>
    %cst_17 = arith.constant dense<[[[[0.926167309]], [[6.275050e-01]], [[5.345660e-01]], [[0.601391256]]]]> : tensor<1x4x1x1xf32>
    %cst_18 = arith.constant dense<[[[[0.0575137027]], [[0.0457962528]], [[-0.103735201]], [[-0.011696198]]]]> : tensor<1x4x1x1xf32>
    %0 = hal.tensor.import wait(%arg1) => %arg0 : !hal.buffer_view -> tensor<1x3x8x8xf32>
    %padded = tensor.pad %0 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg3: index, %arg4: index, %arg5: index, %arg6: index):
      tensor.yield %cst : f32
    } : tensor<1x3x8x8xf32> to tensor<1x3x10x10xf32>
    %1 = tensor.empty() : tensor<1x2x4x4xf32>
    %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
    %3 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>} ins(%padded, %cst_1 : tensor<1x3x10x10xf32>, tensor<2x3x3x3xf32>) outs(%2 : tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
    %4 = tensor.empty() : tensor<1x2x1x1xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_7 : tensor<1x2x1x1xf32>) outs(%4 : tensor<1x2x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %44 = arith.addf %in, %cst_8 : f32
      linalg.yield %44 : f32
    } -> tensor<1x2x1x1xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%5 : tensor<1x2x1x1xf32>) outs(%4 : tensor<1x2x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %44 = math.rsqrt %in : f32
      linalg.yield %44 : f32
    } -> tensor<1x2x1x1xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%3, %cst_6 : tensor<1x2x4x4xf32>, tensor<1x2x1x1xf32>) outs(%1 : tensor<1x2x4x4xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %44 = arith.subf %in, %in_21 : f32
      linalg.yield %44 : f32
    } -> tensor<1x2x4x4xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%7, %6 : tensor<1x2x4x4xf32>, tensor<1x2x1x1xf32>) outs(%1 : tensor<1x2x4x4xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %44 = arith.mulf %in, %in_21 : f32
      linalg.yield %44 : f32
    } -> tensor<1x2x4x4xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%8, %cst_9 : tensor<1x2x4x4xf32>, tensor<1x2x1x1xf32>) outs(%1 : tensor<1x2x4x4xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %44 = arith.mulf %in, %in_21 : f32
      linalg.yield %44 : f32
    } -> tensor<1x2x4x4xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%9, %cst_10 : tensor<1x2x4x4xf32>, tensor<1x2x1x1xf32>) outs(%1 : tensor<1x2x4x4xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %44 = arith.addf %in, %in_21 : f32
      linalg.yield %44 : f32
    } -> tensor<1x2x4x4xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%10 : tensor<1x2x4x4xf32>) outs(%1 : tensor<1x2x4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %44 = arith.cmpf ugt, %in, %cst : f32
      %45 = arith.select %44, %in, %cst : f32
      linalg.yield %45 : f32
    } -> tensor<1x2x4x4xf32>
    %12 = tensor.empty() : tensor<1x2x2x2xf32>
    %13 = linalg.fill ins(%cst_0 : f32) outs(%12 : tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
    %14 = tensor.empty() : tensor<2x2xf32>
    %15 = linalg.pooling_nchw_max {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>} ins(%11, %14 : tensor<1x2x4x4xf32>, tensor<2x2xf32>) outs(%13 : tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
    %padded_19 = tensor.pad %15 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg3: index, %arg4: index, %arg5: index, %arg6: index):
      tensor.yield %cst : f32
    } : tensor<1x2x2x2xf32> to tensor<1x2x4x4xf32>
    %16 = linalg.fill ins(%cst : f32) outs(%12 : tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
    %17 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%padded_19, %cst_2 : tensor<1x2x4x4xf32>, tensor<2x2x3x3xf32>) outs(%16 : tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
    %18 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_12 : tensor<1x2x1x1xf32>) outs(%4 : tensor<1x2x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %44 = arith.addf %in, %cst_8 : f32
      linalg.yield %44 : f32
    } -> tensor<1x2x1x1xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%18 : tensor<1x2x1x1xf32>) outs(%4 : tensor<1x2x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %44 = math.rsqrt %in : f32
      linalg.yield %44 : f32
    } -> tensor<1x2x1x1xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%17, %cst_11 : tensor<1x2x2x2xf32>, tensor<1x2x1x1xf32>) outs(%12 : tensor<1x2x2x2xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %44 = arith.subf %in, %in_21 : f32
      linalg.yield %44 : f32
    } -> tensor<1x2x2x2xf32>
    %21 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%20, %19 : tensor<1x2x2x2xf32>, tensor<1x2x1x1xf32>) outs(%12 : tensor<1x2x2x2xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %44 = arith.mulf %in, %in_21 : f32
      linalg.yield %44 : f32
    } -> tensor<1x2x2x2xf32>
    %22 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%21, %cst_13 : tensor<1x2x2x2xf32>, tensor<1x2x1x1xf32>) outs(%12 : tensor<1x2x2x2xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %44 = arith.mulf %in, %in_21 : f32
      linalg.yield %44 : f32
    } -> tensor<1x2x2x2xf32>
    %23 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%22, %cst_14 : tensor<1x2x2x2xf32>, tensor<1x2x1x1xf32>) outs(%12 : tensor<1x2x2x2xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %44 = arith.addf %in, %in_21 : f32
      linalg.yield %44 : f32
    } -> tensor<1x2x2x2xf32>
    %24 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%15, %23 : tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>) outs(%12 : tensor<1x2x2x2xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %44 = arith.addf %in, %in_21 : f32
      linalg.yield %44 : f32
    } -> tensor<1x2x2x2xf32>
    %25 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%24 : tensor<1x2x2x2xf32>) outs(%12 : tensor<1x2x2x2xf32>) {
    ^bb0(%in: f32, %out: f32):
      %44 = arith.cmpf ugt, %in, %cst : f32
      %45 = arith.select %44, %in, %cst : f32
      linalg.yield %45 : f32
    } -> tensor<1x2x2x2xf32>
    %padded_20 = tensor.pad %25 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg3: index, %arg4: index, %arg5: index, %arg6: index):
      tensor.yield %cst : f32
    } : tensor<1x2x2x2xf32> to tensor<1x2x4x4xf32>
    %26 = tensor.empty() : tensor<1x4x1x1xf32>
    %27 = linalg.fill ins(%cst : f32) outs(%26 : tensor<1x4x1x1xf32>) -> tensor<1x4x1x1xf32>
    %28 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>} ins(%padded_20, %cst_3 : tensor<1x2x4x4xf32>, tensor<4x2x3x3xf32>) outs(%27 : tensor<1x4x1x1xf32>) -> tensor<1x4x1x1xf32>
    %29 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_16 : tensor<1x4x1x1xf32>) outs(%26 : tensor<1x4x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %44 = arith.addf %in, %cst_8 : f32
      linalg.yield %44 : f32
    } -> tensor<1x4x1x1xf32>
    %30 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%29 : tensor<1x4x1x1xf32>) outs(%26 : tensor<1x4x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %44 = math.rsqrt %in : f32
      linalg.yield %44 : f32
    } -> tensor<1x4x1x1xf32>
    %31 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%28, %cst_15 : tensor<1x4x1x1xf32>, tensor<1x4x1x1xf32>) outs(%26 : tensor<1x4x1x1xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %44 = arith.subf %in, %in_21 : f32
      linalg.yield %44 : f32
    } -> tensor<1x4x1x1xf32>
    %32 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%31, %30 : tensor<1x4x1x1xf32>, tensor<1x4x1x1xf32>) outs(%26 : tensor<1x4x1x1xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %44 = arith.mulf %in, %in_21 : f32
      linalg.yield %44 : f32
    } -> tensor<1x4x1x1xf32>
    %33 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%32, %cst_17 : tensor<1x4x1x1xf32>, tensor<1x4x1x1xf32>) outs(%26 : tensor<1x4x1x1xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %44 = arith.mulf %in, %in_21 : f32
      linalg.yield %44 : f32
    } -> tensor<1x4x1x1xf32>
    %34 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%33, %cst_18 : tensor<1x4x1x1xf32>, tensor<1x4x1x1xf32>) outs(%26 : tensor<1x4x1x1xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %44 = arith.addf %in, %in_21 : f32
      linalg.yield %44 : f32
    } -> tensor<1x4x1x1xf32>
    %35 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%34 : tensor<1x4x1x1xf32>) outs(%26 : tensor<1x4x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %44 = arith.cmpf ugt, %in, %cst : f32
      %45 = arith.select %44, %in, %cst : f32
      linalg.yield %45 : f32
    } -> tensor<1x4x1x1xf32>
    %36 = tensor.empty() : tensor<1x1xf32>
    %37 = linalg.pooling_nchw_sum {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%35, %36 : tensor<1x4x1x1xf32>, tensor<1x1xf32>) outs(%27 : tensor<1x4x1x1xf32>) -> tensor<1x4x1x1xf32>
    %collapsed = tensor.collapse_shape %37 [[0], [1, 2, 3]] : tensor<1x4x1x1xf32> into tensor<1x4xf32>
    %38 = tensor.empty() : tensor<1x10xf32>
    %39 = linalg.fill ins(%cst : f32) outs(%38 : tensor<1x10xf32>) -> tensor<1x10xf32>
    %40 = linalg.matmul ins(%collapsed, %cst_4 : tensor<1x4xf32>, tensor<4x10xf32>) outs(%39 : tensor<1x10xf32>) -> tensor<1x10xf32>
    %41 = linalg.generic {indexing_maps = [#map2, #map3, #map2], iterator_types = ["parallel", "parallel"]} ins(%40, %cst_5 : tensor<1x10xf32>, tensor<10xf32>) outs(%38 : tensor<1x10xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %44 = arith.addf %in, %in_21 : f32
      linalg.yield %44 : f32
    } -> tensor<1x10xf32>
    %42 = hal.tensor.barrier join(%41 : tensor<1x10xf32>) => %arg2 : !hal.fence
    %43 = hal.tensor.export %42 : tensor<1x10xf32> -> !hal.buffer_view
    util.return %43 : !hal.buffer_view
  }
  util.func public @conv_net(%arg0: !hal.buffer_view) -> !hal.buffer_view attributes {iree.abi.stub} {
    %0 = util.null : !hal.fence
    %c-1_i32 = arith.constant -1 : i32
    %c0 = arith.constant 0 : index
    %device_0 = hal.devices.get %c0 : !hal.device
    %fence = hal.fence.create device(%device_0 : !hal.device) flags("None") : !hal.fence
    %1 = util.call @conv_net$async(%arg0, %0, %fence) : (!hal.buffer_view, !hal.fence, !hal.fence) -> !hal.buffer_view
    %status = hal.fence.await until([%fence]) timeout_millis(%c-1_i32) flags("None") : i32
    util.return %1 : !hal.buffer_view
  }
}

