// Floats of four and six bits, and of eight that are an exponent and nothing else: rounded up, to the nearest and down, where the
// sign goes. The numbers are those of the package onnx.
// RUN: freehold run - < %s | FileCheck %s

module attributes {onnx.opset = 24 : i64} {
  func.func @main() -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) {
    %x = "onnx.Constant"() {value = dense<[0.0, 0.124, 1.0, 1.1, 1.5, -3.0, 3.0e38, 1.0e-40, 0x7F800000]> : tensor<9xf32>} : () -> tensor<9xf32>
    // CHECK: 9xf32 = [5.877{{[0-9]*}}e-39, 0.125, 1.0, 2.0, 2.0, 4.0, 1.7014118e38, 1.1754944e-38, NaN]
    %0 = "onnx.Cast"(%x) {to = f8E8M0FNU} : (tensor<9xf32>) -> tensor<9xf8E8M0FNU>
    %1 = "onnx.Cast"(%0) {to = f32} : (tensor<9xf8E8M0FNU>) -> tensor<*xf32>
    // CHECK: 9xf32 = [5.877{{[0-9]*}}e-39, 0.125, 1.0, 1.0, 2.0, 4.0, NaN, 5.877{{[0-9]*}}e-39, NaN]
    %2 = "onnx.Cast"(%x) {round_mode = "nearest", saturate = 0 : si64, to = f8E8M0FNU} : (tensor<9xf32>) -> tensor<9xf8E8M0FNU>
    %3 = "onnx.Cast"(%2) {to = f32} : (tensor<9xf8E8M0FNU>) -> tensor<*xf32>
    // CHECK: 9xf32 = [5.877{{[0-9]*}}e-39, 0.0625, 1.0, 1.0, 1.0, 2.0, 1.7014118e38, 5.877{{[0-9]*}}e-39, NaN]
    %4 = "onnx.Cast"(%x) {round_mode = "down", to = f8E8M0FNU} : (tensor<9xf32>) -> tensor<9xf8E8M0FNU>
    %5 = "onnx.Cast"(%4) {to = f32} : (tensor<9xf8E8M0FNU>) -> tensor<*xf32>
    // CHECK: 8xf32 = [0.0, 0.0, 0.5, 1.0, 1.0, 4.0, -6.0, 6.0]
    %y = "onnx.Constant"() {value = dense<[0.0, 0.25, 0.3, 0.75, 1.25, 5.0, -7.0, 100.0]> : tensor<8xf32>} : () -> tensor<8xf32>
    %6 = "onnx.Cast"(%y) {to = f4E2M1FN} : (tensor<8xf32>) -> tensor<8xf4E2M1FN>
    %7 = "onnx.Cast"(%6) {to = f32} : (tensor<8xf4E2M1FN>) -> tensor<*xf32>
    // CHECK: 8xf32 = [0.0, 0.0, 1.0, 2.0, 2.0, 8.0, -12.0, 12.0]
    %two = "onnx.Constant"() {value = dense<2.0> : tensor<f32>} : () -> tensor<f32>
    %half = "onnx.Constant"() {value = dense<0.5> : tensor<f32>} : () -> tensor<f32>
    %8 = "onnx.DequantizeLinear"(%6, %two) : (tensor<8xf4E2M1FN>, tensor<f32>) -> tensor<*xf32>
    // CHECK: 8xf32 = [0.0, 0.25, 0.25, 0.75, 1.25, 5.0, -7.0, 7.5]
    %9 = "onnx.Cast"(%y) {to = f6E2M3FN} : (tensor<8xf32>) -> tensor<8xf6E2M3FN>
    %10 = "onnx.Cast"(%9) {to = f32} : (tensor<8xf6E2M3FN>) -> tensor<*xf32>
    // CHECK: 8xf32 = [0.0, 1.0, 1.25, 3.0, 5.0, 20.0, -28.0, 56.0]
    %11 = "onnx.QuantizeLinear"(%y, %half) {output_dtype = 28 : si64} : (tensor<8xf32>, tensor<f32>) -> tensor<8xf6E3M2FN>
    %12 = "onnx.DequantizeLinear"(%11, %two) : (tensor<8xf6E3M2FN>, tensor<f32>) -> tensor<*xf32>
    return %1, %3, %5, %7, %8, %10, %12 : tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>
  }
}
