// RUN: freehold opt %s --stablehlo-legalize-to-linalg | FileCheck %s

// A long row becomes 32 parts, each searched on its own, then their results and what is left over.
// CHECK-LABEL: func.func @long
// CHECK:         %[[MAIN:.*]] = tensor.extract_slice %{{.*}}[0] [992] [1] : tensor<1000xf32> to tensor<992xf32>
// CHECK:         tensor.expand_shape %[[MAIN]] {{\[\[}}0, 1]] output_shape [32, 31] : tensor<992xf32> into tensor<32x31xf32>
// CHECK:         arith.constant 31 : i32
// CHECK:         linalg.generic {{.*}}iterator_types = ["parallel", "reduction"]} ins(%{{.*}}, %{{.*}} : tensor<32x31xf32>, tensor<32x31xi32>)
// CHECK:         linalg.generic {{.*}}iterator_types = ["reduction"]} ins(%{{.*}}, %{{.*}} : tensor<32xf32>, tensor<32xi32>)
// CHECK:         arith.constant 992 : i32
// CHECK:         linalg.generic {{.*}}iterator_types = ["reduction"]} ins(%{{.*}}, %{{.*}} : tensor<8xf32>, tensor<8xi32>)
func.func @long(%x: tensor<1000xf32>) -> tensor<i32> {
  %i = stablehlo.iota dim = 0 : tensor<1000xi32>
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %r:2 = stablehlo.reduce(%x init: %low), (%i init: %zero) across dimensions = [0] : (tensor<1000xf32>, tensor<1000xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
   reducer(%a: tensor<f32>, %b: tensor<f32>) (%j: tensor<i32>, %k: tensor<i32>) {
    %more = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %y = stablehlo.select %more, %a, %b : tensor<i1>, tensor<f32>
    %z = stablehlo.select %more, %j, %k : tensor<i1>, tensor<i32>
    stablehlo.return %y, %z : tensor<f32>, tensor<i32>
  }
  return %r#1 : tensor<i32>
}

// Truth values are searched as integers.
// CHECK-LABEL: func.func @truths
// CHECK:         arith.extui %{{.*}} : i1 to i8
// CHECK:         linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<20x100xi8>, tensor<20x100xi32>)
// CHECK:           arith.cmpi ugt, %{{.*}}, %{{.*}} : i8
// CHECK:         arith.cmpi ne, %{{.*}}, %{{.*}} : i8
func.func @truths(%x: tensor<20x100xi1>) -> (tensor<20xi1>, tensor<20xi32>) {
  %i = stablehlo.iota dim = 1 : tensor<20x100xi32>
  %low = stablehlo.constant dense<false> : tensor<i1>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %r:2 = stablehlo.reduce(%x init: %low), (%i init: %zero) across dimensions = [1] : (tensor<20x100xi1>, tensor<20x100xi32>, tensor<i1>, tensor<i32>) -> (tensor<20xi1>, tensor<20xi32>)
   reducer(%a: tensor<i1>, %b: tensor<i1>) (%j: tensor<i32>, %k: tensor<i32>) {
    %more = stablehlo.compare GT, %a, %b : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %y = stablehlo.select %more, %a, %b : tensor<i1>, tensor<i1>
    %z = stablehlo.select %more, %j, %k : tensor<i1>, tensor<i32>
    stablehlo.return %y, %z : tensor<i1>, tensor<i32>
  }
  return %r#0, %r#1 : tensor<20xi1>, tensor<20xi32>
}

// What is computed with may be rounded in another order: the row stays whole. So do truth values that choose.
// CHECK-LABEL: func.func @sums
// CHECK-NOT:     tensor.expand_shape
// CHECK-NOT:     arith.extui
func.func @sums(%x: tensor<1000xf32>, %m: tensor<1000xi1>) -> (tensor<f32>, tensor<i1>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %no = stablehlo.constant dense<false> : tensor<i1>
  %r:2 = stablehlo.reduce(%x init: %zero), (%m init: %no) across dimensions = [0] : (tensor<1000xf32>, tensor<1000xi1>, tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<i1>)
   reducer(%a: tensor<f32>, %b: tensor<f32>) (%j: tensor<i1>, %k: tensor<i1>) {
    %sum = stablehlo.add %a, %b : tensor<f32>
    %y = stablehlo.select %k, %sum, %a : tensor<i1>, tensor<f32>
    %z = stablehlo.or %j, %k : tensor<i1>
    stablehlo.return %y, %z : tensor<f32>, tensor<i1>
  }
  return %r#0, %r#1 : tensor<f32>, tensor<i1>
}

// Rows of unknown length stay whole.
// CHECK-LABEL: func.func @unknown
// CHECK-NOT:     tensor.expand_shape
// CHECK:         linalg.generic {{.*}}iterator_types = ["parallel", "reduction"]}
func.func @unknown(%x: tensor<?x?xf32>, %i: tensor<?x?xi32>) -> tensor<?xi32> {
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %r:2 = stablehlo.reduce(%x init: %low), (%i init: %zero) across dimensions = [1] : (tensor<?x?xf32>, tensor<?x?xi32>, tensor<f32>, tensor<i32>) -> (tensor<?xf32>, tensor<?xi32>)
   reducer(%a: tensor<f32>, %b: tensor<f32>) (%j: tensor<i32>, %k: tensor<i32>) {
    %more = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %y = stablehlo.select %more, %a, %b : tensor<i1>, tensor<f32>
    %z = stablehlo.select %more, %j, %k : tensor<i1>, tensor<i32>
    stablehlo.return %y, %z : tensor<f32>, tensor<i32>
  }
  return %r#1 : tensor<?xi32>
}
