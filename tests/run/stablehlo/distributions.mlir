// Numbers of a distribution: where they lie, how they are spread, and that each operation has its own. All is true.

// RUN: freehold run - --check=accesses < %s | FileCheck %s
// RUN: freehold run - -O0 < %s | FileCheck %s

// CHECK-COUNT-7: true

// From 2 up to 5, without 5.
func.func private @uniform() -> (tensor<i1>, tensor<i1>, tensor<i1>) {
  %a = stablehlo.constant dense<2.0> : tensor<f32>
  %b = stablehlo.constant dense<5.0> : tensor<f32>
  %shape = stablehlo.constant dense<[64, 64]> : tensor<2xi64>
  %0 = stablehlo.rng %a, %b, %shape, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<64x64xf32>
  %1 = stablehlo.reduce(%0 init: %b) applies stablehlo.minimum across dimensions = [0, 1] : (tensor<64x64xf32>, tensor<f32>) -> tensor<f32>
  %2 = stablehlo.compare GE, %1, %a : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %3 = stablehlo.reduce(%0 init: %a) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<64x64xf32>, tensor<f32>) -> tensor<f32>
  %4 = stablehlo.compare LT, %3, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
  // The mean.
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %n = stablehlo.constant dense<4096.0> : tensor<f32>
  %middle = stablehlo.constant dense<3.5> : tensor<f32>
  %most = stablehlo.constant dense<0.05> : tensor<f32>
  %5 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<64x64xf32>, tensor<f32>) -> tensor<f32>
  %6 = stablehlo.divide %5, %n : tensor<f32>
  %7 = stablehlo.subtract %6, %middle : tensor<f32>
  %8 = stablehlo.abs %7 : tensor<f32>
  %9 = stablehlo.compare LT, %8, %most : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %2, %4, %9 : tensor<i1>, tensor<i1>, tensor<i1>
}

// All integers from -3 to 3 occur, and no others; two operations differ.
func.func private @integers() -> (tensor<i1>, tensor<i1>, tensor<i1>) {
  %a = stablehlo.constant dense<-3> : tensor<i8>
  %b = stablehlo.constant dense<4> : tensor<i8>
  %shape = stablehlo.constant dense<200> : tensor<1xi64>
  %0 = stablehlo.rng %a, %b, %shape, distribution = UNIFORM : (tensor<i8>, tensor<i8>, tensor<1xi64>) -> tensor<200xi8>
  %1 = stablehlo.reduce(%0 init: %b) applies stablehlo.minimum across dimensions = [0] : (tensor<200xi8>, tensor<i8>) -> tensor<i8>
  %2 = stablehlo.compare EQ, %1, %a : (tensor<i8>, tensor<i8>) -> tensor<i1>
  %3 = stablehlo.reduce(%0 init: %a) applies stablehlo.maximum across dimensions = [0] : (tensor<200xi8>, tensor<i8>) -> tensor<i8>
  %last = stablehlo.constant dense<3> : tensor<i8>
  %4 = stablehlo.compare EQ, %3, %last : (tensor<i8>, tensor<i8>) -> tensor<i1>
  %5 = stablehlo.rng %a, %b, %shape, distribution = UNIFORM : (tensor<i8>, tensor<i8>, tensor<1xi64>) -> tensor<200xi8>
  %6 = stablehlo.compare NE, %0, %5 : (tensor<200xi8>, tensor<200xi8>) -> tensor<200xi1>
  %no = stablehlo.constant dense<false> : tensor<i1>
  %7 = stablehlo.reduce(%6 init: %no) applies stablehlo.or across dimensions = [0] : (tensor<200xi1>, tensor<i1>) -> tensor<i1>
  return %2, %4, %7 : tensor<i1>, tensor<i1>, tensor<i1>
}

// Two thirds lie within a standard deviation.
func.func private @normal() -> tensor<i1> {
  %mean = stablehlo.constant dense<10.0> : tensor<f64>
  %deviation = stablehlo.constant dense<2.0> : tensor<f64>
  %shape = stablehlo.constant dense<3000> : tensor<1xi64>
  %0 = stablehlo.rng %mean, %deviation, %shape, distribution = NORMAL : (tensor<f64>, tensor<f64>, tensor<1xi64>) -> tensor<3000xf64>
  %means = stablehlo.broadcast_in_dim %mean, dims = [] : (tensor<f64>) -> tensor<3000xf64>
  %deviations = stablehlo.broadcast_in_dim %deviation, dims = [] : (tensor<f64>) -> tensor<3000xf64>
  %1 = stablehlo.subtract %0, %means : tensor<3000xf64>
  %2 = stablehlo.abs %1 : tensor<3000xf64>
  %3 = stablehlo.compare LT, %2, %deviations : (tensor<3000xf64>, tensor<3000xf64>) -> tensor<3000xi1>
  %4 = stablehlo.convert %3 : (tensor<3000xi1>) -> tensor<3000xi32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %5 = stablehlo.reduce(%4 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<3000xi32>, tensor<i32>) -> tensor<i32>
  // 68.3 of 100 are 2048.
  %expected = stablehlo.constant dense<2048> : tensor<i32>
  %most = stablehlo.constant dense<100> : tensor<i32>
  %6 = stablehlo.subtract %5, %expected : tensor<i32>
  %7 = stablehlo.abs %6 : tensor<i32>
  %8 = stablehlo.compare LT, %7, %most : (tensor<i32>, tensor<i32>) -> tensor<i1>
  return %8 : tensor<i1>
}

func.func @main() -> (tensor<i1>, tensor<i1>, tensor<i1>, tensor<i1>, tensor<i1>, tensor<i1>, tensor<i1>) {
  %0:3 = call @uniform() : () -> (tensor<i1>, tensor<i1>, tensor<i1>)
  %1:3 = call @integers() : () -> (tensor<i1>, tensor<i1>, tensor<i1>)
  %2 = call @normal() : () -> tensor<i1>
  return %0#0, %0#1, %0#2, %1#0, %1#1, %1#2, %2 : tensor<i1>, tensor<i1>, tensor<i1>, tensor<i1>, tensor<i1>, tensor<i1>, tensor<i1>
}
