// The calls that JAX makes where only the run knows how many: the greatest elements, random bits, and numbers of a
// distribution.

// RUN: freehold run %s --function=greatest --input=2x4xf32=3,1,4,1,5,9,2,6 --input=i32=2 --check | FileCheck %s --check-prefix=GREATEST
// RUN: freehold run %s --function=greatest --input=2x0xf32= --input=i32=0 --check | FileCheck %s --check-prefix=NOTHING
// RUN: not freehold run %s --function=greatest --input=1x2xf32=3,1 --input=i32=3 2>&1 | FileCheck %s --check-prefix=TOO-MANY
// RUN: freehold run %s --function=bits --input=i32=3 --input=i32=3 --check | FileCheck %s --check-prefix=BITS
// RUN: freehold run %s --function=bits --input=i32=0 --input=i32=3 -O0 | FileCheck %s --check-prefix=NO-BITS
// RUN: freehold run %s --function=wide --input=i32=3 --check | FileCheck %s --check-prefix=WIDE
// RUN: freehold run %s --function=pairs --input=i32=4 --input=i32=3 --check | FileCheck %s --check-prefix=EVEN
// RUN: freehold run %s --function=pairs --input=i32=3 --input=i32=5 -O0 | FileCheck %s --check-prefix=ODD
// RUN: freehold run %s --function=same --input=2xi64=3,5 --check | FileCheck %s --check-prefix=SAME

// GREATEST:      result #0: 2x2xf32
// GREATEST-NEXT: {{\[\[}}4.0, 3.0],
// GREATEST-NEXT: [9.0, 6.0]]
// GREATEST:      result #1: 2x2xi32
// GREATEST-NEXT: {{\[\[}}2, 0],
// GREATEST-NEXT: [1, 3]]
// NOTHING:  result #0: 2x0xf32
// TOO-MANY: the number of elements that top_k is to find is larger than a row
func.func @greatest(%x: tensor<?x?xf32>, %k: tensor<i32>) -> (tensor<?x?xf32>, tensor<?x?xi32>) {
  %0:2 = stablehlo.custom_call @stablehlo.dynamic_top_k(%x, %k) {api_version = 2 : i32} : (tensor<?x?xf32>, tensor<i32>) -> (tensor<?x?xf32>, tensor<?x?xi32>)
  return %0#0, %0#1 : tensor<?x?xf32>, tensor<?x?xi32>
}

// As many of the same bits as `random.mlir` has.
// BITS: result #0: 2xui64 = [81985529216486895, 1]
// BITS: result #1: 3x3xui32
// BITS-NEXT: {{\[\[}}172511636, 1103493126, 3598856174],
// BITS-NEXT: [948282324, 1105943027, 812877280],
// BITS-NEXT: [1535849353, 2724394620, 1879495268]]
// NO-BITS: result #0: 2xui64 = [81985529216486895, 18446744073709551614]
// NO-BITS: result #1: 0x3xui32
func.func @bits(%n: tensor<i32>, %m: tensor<i32>) -> (tensor<2xui64>, tensor<?x?xui32>) {
  %s = stablehlo.constant dense<[81985529216486895, 18446744073709551614]> : tensor<2xui64>
  %0 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %1 = stablehlo.reshape %m : (tensor<i32>) -> tensor<1xi32>
  %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %3:2 = stablehlo.custom_call @stablehlo.dynamic_rng_bit_generator(%s, %2) {api_version = 2 : i32, rng_algorithm = #stablehlo<rng_algorithm DEFAULT>} : (tensor<2xui64>, tensor<2xi32>) -> (tensor<2xui64>, tensor<?x?xui32>)
  return %3#0, %3#1 : tensor<2xui64>, tensor<?x?xui32>
}

// WIDE: result #0: 3xui64 = [673940803635876895, 10955916776920449873, 4998200121197870631]
func.func @wide(%n: tensor<i32>) -> tensor<?xui64> {
  %s = stablehlo.constant dense<[5, 18446744073709551615, 7]> : tensor<3xui64>
  %0 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %1:2 = stablehlo.custom_call @stablehlo.dynamic_rng_bit_generator(%s, %0) {api_version = 2 : i32, rng_algorithm = #stablehlo<rng_algorithm PHILOX>} : (tensor<3xui64>, tensor<1xi32>) -> (tensor<3xui64>, tensor<?xui64>)
  return %1#1 : tensor<?xui64>
}

// Threefry gives two neighbours at once: along the first dimension of even size, else along the largest. The same numbers
// come where the sizes are known.
// EVEN: result #0: 2xui64 = [81985529216486895, 4]
// EVEN: result #1: 4x3xui32
// EVEN-NEXT: {{\[\[}}2968789339, 188576916, 2862930057],
// EVEN-NEXT: [3784990900, 2901984476, 1798685940],
// EVEN-NEXT: [1973758215, 902882801, 2083461592],
// EVEN-NEXT: [3554510355, 2396094436, 42261475]]
// ODD: result #0: 2xui64 = [81985529216486895, 7]
// ODD: result #1: 3x5xui32
// ODD-NEXT: {{\[\[}}2968789339, 3784990900, 188576916, 2901984476, 2862930057],
// ODD-NEXT: [1973758215, 3554510355, 902882801, 2396094436, 2083461592],
// ODD-NEXT: [3732519869, 387185944, 2963079838, 2105865281, 1822680882]]
func.func @pairs(%n: tensor<i32>, %m: tensor<i32>) -> (tensor<2xui64>, tensor<?x?xui32>) {
  %s = stablehlo.constant dense<[81985529216486895, 18446744073709551614]> : tensor<2xui64>
  %0 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %1 = stablehlo.reshape %m : (tensor<i32>) -> tensor<1xi32>
  %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %3:2 = stablehlo.custom_call @stablehlo.dynamic_rng_bit_generator(%s, %2) {api_version = 2 : i32, rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>} : (tensor<2xui64>, tensor<2xi32>) -> (tensor<2xui64>, tensor<?x?xui32>)
  return %3#0, %3#1 : tensor<2xui64>, tensor<?x?xui32>
}

// The numbers are within bounds, and as many as the sizes say.
// SAME: result #0: i1 = true
// SAME: result #1: 3x5xf32
func.func @same(%sizes: tensor<2xi64>) -> (tensor<i1>, tensor<?x?xf32>) {
  %a = stablehlo.constant dense<2.0> : tensor<f32>
  %b = stablehlo.constant dense<3.0> : tensor<f32>
  %x = stablehlo.rng %a, %b, %sizes, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<?x?xf32>
  %least = stablehlo.reduce(%x init: %b) applies stablehlo.minimum across dimensions = [0, 1] : (tensor<?x?xf32>, tensor<f32>) -> tensor<f32>
  %most = stablehlo.reduce(%x init: %a) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<?x?xf32>, tensor<f32>) -> tensor<f32>
  %0 = stablehlo.compare GE, %least, %a : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %1 = stablehlo.compare LT, %most, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %2 = stablehlo.compare LT, %least, %most : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %3 = stablehlo.and %0, %1 : tensor<i1>
  %4 = stablehlo.and %3, %2 : tensor<i1>
  return %4, %x : tensor<i1>, tensor<?x?xf32>
}
