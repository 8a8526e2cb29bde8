// An ONNX model is told by its first bytes and shown as operations of the `onnx` dialect; dimensions that it names may
// get sizes. `run` compiles for those of its inputs, and for any size where they do not fit.
//
// RUN: freehold import %S/../../examples/classifier.onnx | FileCheck %s
// RUN: freehold import %S/../../examples/classifier.onnx --dim batch=2 | FileCheck %s --check-prefix=SIZED
// RUN: freehold import %S/../../examples/classifier.onnx --dim x=2x4 | FileCheck %s --check-prefix=INPUT
// RUN: freehold opt %S/../../examples/classifier.onnx | FileCheck %s
// RUN: freehold opt - < %S/../../examples/classifier.onnx | FileCheck %s
// RUN: not freehold import %S/../../examples/classifier.onnx --dim rows=2 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not freehold import %S/../../examples/classifier.onnx --dim batch=two 2>&1 | FileCheck %s --check-prefix=NO-SIZE
// RUN: not freehold run %S/../../examples/classifier.onnx --input=y=1x4xf32=1 2>&1 | FileCheck %s --check-prefix=NO-INPUT
// RUN: freehold run %S/../../examples/classifier.onnx --input=x=2x4xf32=1 --mlir-print-ir-before=check-sizes 2>&1 | FileCheck %s --check-prefix=PASSED
// RUN: freehold run %S/../../examples/classifier.onnx --input=2x4xf32=1 --dynamic-shapes --mlir-print-ir-before=check-sizes 2>&1 | FileCheck %s --check-prefix=DYNAMIC
// RUN: not freehold run %S/../../examples/classifier.onnx --input=2x5xf32=1 2>&1 | FileCheck %s --check-prefix=NO-FIT
// RUN: not freehold import %S/inputs/broken.onnx 2>&1 | FileCheck %s --check-prefix=BROKEN
//
// CHECK: module attributes {onnx.opset = 17 : i64}
// CHECK: func.func @main(%[[X:.*]]: tensor<?x4xf32> {onnx.dim_params = "0:batch", onnx.name = "x"})
// CHECK-SAME: -> (tensor<?x3xf32> {onnx.dim_params = "0:batch", onnx.name = "probabilities"})
// CHECK: "onnx.Gemm"(%[[X]], %{{.*}}, %{{.*}}) {onnx_node_name = "first"}
// CHECK: "onnx.Softmax"(%{{.*}}) {axis = 1 : si64, onnx_node_name = "softmax"} : (!onnx.Unknown) -> tensor<?x3xf32>
// SIZED: @main(%{{.*}}: tensor<2x4xf32> {onnx.name = "x"}) -> (tensor<2x3xf32> {onnx.name = "probabilities"})
// INPUT: @main(%{{.*}}: tensor<2x4xf32> {onnx.name = "x"}) -> (tensor<2x3xf32>
// UNKNOWN: classifier.onnx: error: the model has no dimension or input 'rows': its dimensions are [batch], its inputs [x]
// NO-SIZE: error: expected --dim=NAME=SIZE or --dim=INPUT=SIZExSIZE, not 'batch=two'
// NO-INPUT: error: there is no input 'y': the inputs are x
// PASSED: @main(%{{.*}}: tensor<2x4xf32> {onnx.name = "x"}) -> (tensor<2x3xf32>
// PASSED: result #0 'probabilities': 2x3xf32
// DYNAMIC: @main(%{{.*}}: tensor<?x4xf32> {{.*}}) -> (tensor<?x3xf32>
// DYNAMIC: result #0 'probabilities': 2x3xf32
// NO-FIT-NOT: do not fit
// NO-FIT: error: argument #0 of function 'main' is tensor<?x4xf32>, not 2x5xf32
// BROKEN: broken.onnx: error: input is not a whole ONNX model
