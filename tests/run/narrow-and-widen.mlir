// A number of eight bits goes from one function of the runtime to the next in a register, whose upper bits count.
//
// RUN: freehold run %s --function=f32 "--input=8xf32=[1.0, nan, -0.0, inf, -inf, -3.0, 1e30, -1e-30]" | FileCheck %s
// RUN: freehold run %s --function=f32 "--input=8xf32=[1.0, nan, -0.0, inf, -inf, -3.0, 1e30, -1e-30]" -O0 | FileCheck %s
// RUN: freehold run %s --function=f64 "--input=8xf64=[1.0, nan, -0.0, inf, -inf, -3.0, 1e30, -1e-30]" | FileCheck %s
// RUN: freehold run %s --function=f64 "--input=8xf64=[1.0, nan, -0.0, inf, -inf, -3.0, 1e30, -1e-30]" -O0 | FileCheck %s

// CHECK: result #0: 8xf{{32|64}} = [1.0, NaN, 0.0, NaN, NaN, -3.0, NaN, 0.0]
// CHECK-NEXT: result #1: 8xf{{32|64}} = [1.0, NaN, 0.0, NaN, NaN, -3.0, NaN, 0.0]
// CHECK-NEXT: result #2: 8xf{{32|64}} = [1.0, NaN, 0.0, NaN, NaN, -3.0, NaN, 0.0]
// CHECK-NEXT: result #3: 8xf{{32|64}} = [1.0, NaN, -0.0, NaN, NaN, -3.0, NaN, -0.0]
// CHECK-NEXT: result #4: 8xf{{32|64}} = [1.0, NaN, -0.0, inf, -inf, -3.0, inf, -0.0]
// CHECK-NEXT: result #5: 8xf{{32|64}} = [1.0, NaN, -0.0, inf, -inf, -3.0, inf, -0.0]
func.func @f32(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %n0 = arith.truncf %x : tensor<8xf32> to tensor<8xf8E5M2FNUZ>
  %w0 = arith.extf %n0 : tensor<8xf8E5M2FNUZ> to tensor<8xf32>
  %n1 = arith.truncf %x : tensor<8xf32> to tensor<8xf8E4M3FNUZ>
  %w1 = arith.extf %n1 : tensor<8xf8E4M3FNUZ> to tensor<8xf32>
  %n2 = arith.truncf %x : tensor<8xf32> to tensor<8xf8E4M3B11FNUZ>
  %w2 = arith.extf %n2 : tensor<8xf8E4M3B11FNUZ> to tensor<8xf32>
  %n3 = arith.truncf %x : tensor<8xf32> to tensor<8xf8E4M3FN>
  %w3 = arith.extf %n3 : tensor<8xf8E4M3FN> to tensor<8xf32>
  %n4 = arith.truncf %x : tensor<8xf32> to tensor<8xf8E4M3>
  %w4 = arith.extf %n4 : tensor<8xf8E4M3> to tensor<8xf32>
  %n5 = arith.truncf %x : tensor<8xf32> to tensor<8xf8E5M2>
  %w5 = arith.extf %n5 : tensor<8xf8E5M2> to tensor<8xf32>
  return %w0, %w1, %w2, %w3, %w4, %w5 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}
func.func @f64(%x: tensor<8xf64>) -> (tensor<8xf64>, tensor<8xf64>, tensor<8xf64>, tensor<8xf64>, tensor<8xf64>, tensor<8xf64>) {
  %n0 = arith.truncf %x : tensor<8xf64> to tensor<8xf8E5M2FNUZ>
  %w0 = arith.extf %n0 : tensor<8xf8E5M2FNUZ> to tensor<8xf64>
  %n1 = arith.truncf %x : tensor<8xf64> to tensor<8xf8E4M3FNUZ>
  %w1 = arith.extf %n1 : tensor<8xf8E4M3FNUZ> to tensor<8xf64>
  %n2 = arith.truncf %x : tensor<8xf64> to tensor<8xf8E4M3B11FNUZ>
  %w2 = arith.extf %n2 : tensor<8xf8E4M3B11FNUZ> to tensor<8xf64>
  %n3 = arith.truncf %x : tensor<8xf64> to tensor<8xf8E4M3FN>
  %w3 = arith.extf %n3 : tensor<8xf8E4M3FN> to tensor<8xf64>
  %n4 = arith.truncf %x : tensor<8xf64> to tensor<8xf8E4M3>
  %w4 = arith.extf %n4 : tensor<8xf8E4M3> to tensor<8xf64>
  %n5 = arith.truncf %x : tensor<8xf64> to tensor<8xf8E5M2>
  %w5 = arith.extf %n5 : tensor<8xf8E5M2> to tensor<8xf64>
  return %w0, %w1, %w2, %w3, %w4, %w5 : tensor<8xf64>, tensor<8xf64>, tensor<8xf64>, tensor<8xf64>, tensor<8xf64>, tensor<8xf64>
}
