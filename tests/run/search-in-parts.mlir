// The place of the largest of 1,000 numbers, which are searched in parts: the first of equal ones, and the first that is
// no number; of truth values the first that holds.
//
// RUN: freehold run %s | FileCheck %s
// RUN: freehold run %s -O0 | FileCheck %s
// RUN: freehold run %s -O3 --fp=contract | FileCheck %s
//
// CHECK: 0
// CHECK-NEXT: 999
// CHECK-NEXT: 400
// CHECK-NEXT: 250
// CHECK-NEXT: 31
// CHECK-NEXT: 599

func.func private @largest(%x: tensor<1000xf32>) -> tensor<i32> {
  %i = stablehlo.iota dim = 0 : tensor<1000xi32>
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %r:2 = stablehlo.reduce(%x init: %low), (%i init: %zero) across dimensions = [0] : (tensor<1000xf32>, tensor<1000xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
   reducer(%a: tensor<f32>, %b: tensor<f32>) (%j: tensor<i32>, %k: tensor<i32>) {
    %more = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %none = stablehlo.compare NE, %a, %a : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %keep = stablehlo.or %more, %none : tensor<i1>
    %same = stablehlo.compare EQ, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %less = stablehlo.compare LT, %j, %k : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %first = stablehlo.and %same, %less : tensor<i1>
    %kept = stablehlo.or %keep, %first : tensor<i1>
    %y = stablehlo.select %keep, %a, %b : tensor<i1>, tensor<f32>
    %z = stablehlo.select %kept, %j, %k : tensor<i1>, tensor<i32>
    stablehlo.return %y, %z : tensor<f32>, tensor<i32>
  }
  return %r#1 : tensor<i32>
}
func.func private @first(%x: tensor<1000xi1>) -> tensor<i32> {
  %i = stablehlo.iota dim = 0 : tensor<1000xi32>
  %low = stablehlo.constant dense<false> : tensor<i1>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %r:2 = stablehlo.reduce(%x init: %low), (%i init: %zero) across dimensions = [0] : (tensor<1000xi1>, tensor<1000xi32>, tensor<i1>, tensor<i32>) -> (tensor<i1>, tensor<i32>)
   reducer(%a: tensor<i1>, %b: tensor<i1>) (%j: tensor<i32>, %k: tensor<i32>) {
    %more = stablehlo.compare GE, %a, %b : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %y = stablehlo.select %more, %a, %b : tensor<i1>, tensor<i1>
    %z = stablehlo.select %more, %j, %k : tensor<i1>, tensor<i32>
    stablehlo.return %y, %z : tensor<i1>, tensor<i32>
  }
  return %r#1 : tensor<i32>
}
// The loops that count the places are in another order than the dimensions.
func.func private @last_of_row() -> tensor<2xi32> {
  %x = stablehlo.constant dense<1.0> : tensor<2x600xf32>
  %e = tensor.empty() : tensor<2x600xi32>
  %i = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<2x600xi32>) {
  ^bb0(%o: i32):
    %n = linalg.index 0 : index
    %c = arith.index_cast %n : index to i32
    linalg.yield %c : i32
  } -> tensor<2x600xi32>
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %r:2 = stablehlo.reduce(%x init: %low), (%i init: %zero) across dimensions = [1] : (tensor<2x600xf32>, tensor<2x600xi32>, tensor<f32>, tensor<i32>) -> (tensor<2xf32>, tensor<2xi32>)
   reducer(%a: tensor<f32>, %b: tensor<f32>) (%j: tensor<i32>, %k: tensor<i32>) {
    %more = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %y = stablehlo.select %more, %a, %b : tensor<i1>, tensor<f32>
    %z = stablehlo.select %more, %j, %k : tensor<i1>, tensor<i32>
    stablehlo.return %y, %z : tensor<f32>, tensor<i32>
  }
  return %r#1 : tensor<2xi32>
}
func.func private @show(%x: tensor<i32>) {
  %v = tensor.extract %x[] : tensor<i32>
  vector.print %v : i32
  return
}
func.func @main() {
  %ones = arith.constant dense<1.0> : tensor<1000xf32>
  %c250 = arith.constant 250 : index
  %c400 = arith.constant 400 : index
  %c700 = arith.constant 700 : index
  %c999 = arith.constant 999 : index
  %c31 = arith.constant 31 : index
  %two = arith.constant 2.0 : f32
  %nan = arith.constant 0x7FC00000 : f32
  %true = arith.constant true
  %0 = call @largest(%ones) : (tensor<1000xf32>) -> tensor<i32>
  call @show(%0) : (tensor<i32>) -> ()
  %last = tensor.insert %two into %ones[%c999] : tensor<1000xf32>
  %1 = call @largest(%last) : (tensor<1000xf32>) -> tensor<i32>
  call @show(%1) : (tensor<i32>) -> ()
  %twice = tensor.insert %two into %last[%c400] : tensor<1000xf32>
  %2 = call @largest(%twice) : (tensor<1000xf32>) -> tensor<i32>
  call @show(%2) : (tensor<i32>) -> ()
  %one_nan = tensor.insert %nan into %twice[%c700] : tensor<1000xf32>
  %nans = tensor.insert %nan into %one_nan[%c250] : tensor<1000xf32>
  %3 = call @largest(%nans) : (tensor<1000xf32>) -> tensor<i32>
  call @show(%3) : (tensor<i32>) -> ()
  %none = arith.constant dense<false> : tensor<1000xi1>
  %some = tensor.insert %true into %none[%c31] : tensor<1000xi1>
  %both = tensor.insert %true into %some[%c999] : tensor<1000xi1>
  %4 = call @first(%both) : (tensor<1000xi1>) -> tensor<i32>
  call @show(%4) : (tensor<i32>) -> ()
  %5 = call @last_of_row() : () -> tensor<2xi32>
  %6 = tensor.extract_slice %5[1] [1] [1] : tensor<2xi32> to tensor<i32>
  call @show(%6) : (tensor<i32>) -> ()
  return
}
