// Operators of ai.onnx.ml, ai.onnx.preview and ai.onnx.preview.training; the numbers are those of the reference evaluator.
// RUN: freehold run - < %s | FileCheck %s

module attributes {onnx.opset = 26 : i64} {
  func.func @main() -> (!onnx.Unknown, !onnx.Unknown, !onnx.Unknown, !onnx.Unknown, !onnx.Unknown) {
    %x = "onnx.Constant"() {value = dense<[[1.0], [3.0], [0x7FC00000]]> : tensor<3x1xf32>} : () -> tensor<3x1xf32>
    // Two trees; the second one is a leaf alone, and NaN takes the true branch of the first.
    // CHECK: result #0: 3x1xf32
    // CHECK-NEXT: 11.0
    // CHECK-NEXT: 12.0
    // CHECK-NEXT: 11.0
    %0 = "onnx.Custom"(%x) {function_name = "TreeEnsembleRegressor", domain_name = "ai.onnx.ml", n_targets = 1 : si64, nodes_treeids = [0, 0, 0, 1], nodes_nodeids = [0, 1, 2, 0], nodes_featureids = [0, 0, 0, 0], nodes_values = [2.0 : f32, 0.0 : f32, 0.0 : f32, 0.0 : f32], nodes_modes = ["BRANCH_LEQ", "LEAF", "LEAF", "LEAF"], nodes_truenodeids = [1, 0, 0, 0], nodes_falsenodeids = [2, 0, 0, 0], nodes_missing_value_tracks_true = [1, 0, 0, 0], target_treeids = [0, 0, 1], target_nodeids = [1, 2, 0], target_ids = [0, 0, 0], target_weights = [1.0 : f32, 2.0 : f32, 10.0 : f32]} : (tensor<3x1xf32>) -> !onnx.Unknown
    // CHECK: 4xi64 = [-1, 5, 5, 6]
    %keys = "onnx.Constant"() {value = dense<[0, 7, 7, 9]> : tensor<4xi64>} : () -> tensor<4xi64>
    %1 = "onnx.Custom"(%keys) {function_name = "LabelEncoder", domain_name = "ai.onnx.ml", keys_int64s = [7, 9], values_int64s = [5, 6]} : (tensor<4xi64>) -> !onnx.Unknown
    // CHECK: 7xf32 = [0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0]
    %words = "onnx.Constant"() {value = dense<[1, 1, 3, 3, 3, 7, 8, 6, 7, 5, 6, 8]> : tensor<12xi32>} : () -> tensor<12xi32>
    %2 = "onnx.TfIdfVectorizer"(%words) {min_gram_length = 2 : si64, max_gram_length = 2 : si64, max_skip_count = 0 : si64, mode = "TF", ngram_counts = [0, 4], ngram_indexes = [0, 1, 2, 3, 4, 5, 6], pool_int64s = [2, 3, 5, 4, 5, 6, 7, 8, 6, 7]} : (tensor<12xi32>) -> !onnx.Unknown
    // Scores that a graph hides but for the first column.
    // CHECK: result #3: 1x1x2x1xf32
    // CHECK-NEXT: 5.0
    // CHECK-NEXT: 5.0
    %q = "onnx.Constant"() {value = dense<[[[[1.0], [2.0]]]]> : tensor<1x1x2x1xf32>} : () -> tensor<1x1x2x1xf32>
    %v = "onnx.Constant"() {value = dense<[[[[5.0], [6.0]]]]> : tensor<1x1x2x1xf32>} : () -> tensor<1x1x2x1xf32>
    %mask = "onnx.Constant"() {value = dense<[[[[0.0, 0xFF800000], [0.0, 0xFF800000]]]]> : tensor<1x1x2x2xf32>} : () -> tensor<1x1x2x2xf32>
    %3 = "onnx.Custom"(%q, %q, %v) ({
    ^bb0(%scores: !onnx.Unknown):
      %sum = "onnx.Add"(%scores, %mask) : (!onnx.Unknown, tensor<1x1x2x2xf32>) -> !onnx.Unknown
      "onnx.Yield"(%sum) : (!onnx.Unknown) -> ()
    }) {function_name = "FlexAttention", domain_name = "ai.onnx.preview", graph_names = ["score_mod"]} : (tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>) -> !onnx.Unknown
    // CHECK: 2xf32 = [0.75, 1.5]
    %rate = "onnx.Constant"() {value = dense<0.5> : tensor<f32>} : () -> tensor<f32>
    %steps = "onnx.Constant"() {value = dense<0> : tensor<i64>} : () -> tensor<i64>
    %w = "onnx.Constant"() {value = dense<[1.0, 2.0]> : tensor<2xf32>} : () -> tensor<2xf32>
    %g = "onnx.Constant"() {value = dense<[0.5, 1.0]> : tensor<2xf32>} : () -> tensor<2xf32>
    %m = "onnx.Constant"() {value = dense<0.0> : tensor<2xf32>} : () -> tensor<2xf32>
    %4, %5 = "onnx.Custom"(%rate, %steps, %w, %g, %m) {function_name = "Momentum", domain_name = "ai.onnx.preview.training", alpha = 0.9 : f32, beta = 0.1 : f32, mode = "standard", norm_coefficient = 0.0 : f32} : (tensor<f32>, tensor<i64>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> (!onnx.Unknown, !onnx.Unknown)
    return %0, %1, %2, %3, %4 : !onnx.Unknown, !onnx.Unknown, !onnx.Unknown, !onnx.Unknown, !onnx.Unknown
  }
}
