// Random bits: those that XLA makes of the same state, and the state behind them.

// RUN: freehold run - --check=accesses < %s | FileCheck %s
// RUN: freehold run - -O0 < %s | FileCheck %s

// CHECK: result #0: 2xui64 = [81985529216486895, 4]
// CHECK: result #1: 3x4xui32
// CHECK-NEXT: {{\[\[}}2968789339, 3784990900, 188576916, 2901984476],
// CHECK-NEXT: [2862930057, 1798685940, 1973758215, 3554510355],
// CHECK-NEXT: [902882801, 2396094436, 2083461592, 42261475]]
// CHECK: result #2: 5xui32 = [2968789339, 3784990900, 188576916, 2901984476, 2862930057]
// CHECK: result #3: 3xui64 = [16256412134126395739, 12463928418108273812, 7725297290937948297]
// CHECK: result #4: 5xui8 = [91, 180, 148, 220, 137]
// CHECK: result #5: 2xui64 = [81985529216486895, 1]
// CHECK: result #6: 3x3xui32
// CHECK-NEXT: {{\[\[}}172511636, 1103493126, 3598856174],
// CHECK-NEXT: [948282324, 1105943027, 812877280],
// CHECK-NEXT: [1535849353, 2724394620, 1879495268]]
// CHECK: result #7: 3xui64 = [5, 1, 8]
// CHECK: result #8: 3xui64 = [673940803635876895, 10955916776920449873, 4998200121197870631]
// CHECK: result #9: 5xui16 = [20884, 63494, 12270, 41940, 23027]

func.func private @state() -> tensor<2xui64> attributes {passthrough = ["noinline"]} {
  %0 = stablehlo.constant dense<[81985529216486895, 18446744073709551614]> : tensor<2xui64>
  return %0 : tensor<2xui64>
}

func.func private @three_fry() -> (tensor<2xui64>, tensor<3x4xui32>, tensor<5xui32>, tensor<3xui64>, tensor<5xui8>) {
  %s = call @state() : () -> tensor<2xui64>
  %0, %1 = stablehlo.rng_bit_generator %s, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x4xui32>)
  %2, %3 = stablehlo.rng_bit_generator %s, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<5xui32>)
  %4, %5 = stablehlo.rng_bit_generator %s, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3xui64>)
  %6, %7 = stablehlo.rng_bit_generator %s, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<5xui8>)
  return %0, %1, %3, %5, %7 : tensor<2xui64>, tensor<3x4xui32>, tensor<5xui32>, tensor<3xui64>, tensor<5xui8>
}

func.func private @philox() -> (tensor<2xui64>, tensor<3x3xui32>, tensor<3xui64>, tensor<3xui64>, tensor<5xui16>) {
  %s = call @state() : () -> tensor<2xui64>
  %t = stablehlo.constant dense<[5, 18446744073709551615, 7]> : tensor<3xui64>
  %0, %1 = stablehlo.rng_bit_generator %s, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x3xui32>)
  %2, %3 = stablehlo.rng_bit_generator %t, algorithm = DEFAULT : (tensor<3xui64>) -> (tensor<3xui64>, tensor<3xui64>)
  %4, %5 = stablehlo.rng_bit_generator %s, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<5xui16>)
  return %0, %1, %2, %3, %5 : tensor<2xui64>, tensor<3x3xui32>, tensor<3xui64>, tensor<3xui64>, tensor<5xui16>
}

func.func @main() -> (tensor<2xui64>, tensor<3x4xui32>, tensor<5xui32>, tensor<3xui64>, tensor<5xui8>, tensor<2xui64>, tensor<3x3xui32>, tensor<3xui64>, tensor<3xui64>, tensor<5xui16>) {
  %0:5 = call @three_fry() : () -> (tensor<2xui64>, tensor<3x4xui32>, tensor<5xui32>, tensor<3xui64>, tensor<5xui8>)
  %1:5 = call @philox() : () -> (tensor<2xui64>, tensor<3x3xui32>, tensor<3xui64>, tensor<3xui64>, tensor<5xui16>)
  return %0#0, %0#1, %0#2, %0#3, %0#4, %1#0, %1#1, %1#2, %1#3, %1#4 : tensor<2xui64>, tensor<3x4xui32>, tensor<5xui32>, tensor<3xui64>, tensor<5xui8>, tensor<2xui64>, tensor<3x3xui32>, tensor<3xui64>, tensor<3xui64>, tensor<5xui16>
}
