// Loops and branches. Counting loops become scf.for, others scf.while; what they hand on of rank 0 are scalars.
//
// RUN: freehold run - < %s | FileCheck %s
// RUN: freehold run - --check -O0 < %s | FileCheck %s
// RUN: freehold opt --stablehlo-legalize-to-linalg %s | FileCheck --check-prefix=LOWERED %s

// LOWERED-LABEL: func.func private @count
// LOWERED: scf.for
// LOWERED-LABEL: func.func private @halve
// LOWERED: scf.while
func.func private @count(%n: tensor<i32>, %x: tensor<3xf32>) -> (tensor<i32>, tensor<3xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0:3 = stablehlo.while(%i = %zero, %m = %n, %sum = %x) : tensor<i32>, tensor<i32>, tensor<3xf32>
  cond {
    %go = stablehlo.compare LT, %i, %m : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %go : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %number = stablehlo.convert %i : (tensor<i32>) -> tensor<f32>
    %all = stablehlo.broadcast_in_dim %number, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %next_sum = stablehlo.add %sum, %all : tensor<3xf32>
    %next = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %next, %m, %next_sum : tensor<i32>, tensor<i32>, tensor<3xf32>
  }
  return %0#0, %0#2 : tensor<i32>, tensor<3xf32>
}

func.func private @halve(%x: tensor<ui32>) -> (tensor<ui32>, tensor<i32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.while(%v = %x, %steps = %zero) : tensor<ui32>, tensor<i32>
  cond {
    %limit = stablehlo.constant dense<1> : tensor<ui32>
    %go = stablehlo.compare GT, %v, %limit : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
    stablehlo.return %go : tensor<i1>
  } do {
    %two = stablehlo.constant dense<2> : tensor<ui32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %half = stablehlo.divide %v, %two : tensor<ui32>
    %next = stablehlo.add %steps, %one : tensor<i32>
    stablehlo.return %half, %next : tensor<ui32>, tensor<i32>
  }
  return %0#0, %0#1 : tensor<ui32>, tensor<i32>
}

func.func private @square(%x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = stablehlo.multiply %x, %x : tensor<3xf32>
  return %0 : tensor<3xf32>
}

func.func private @choose(%which: tensor<i32>, %x: tensor<3xf32>) -> (tensor<3xf32>, tensor<f32>) {
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %two = stablehlo.constant dense<2.0> : tensor<f32>
  %0:2 = "stablehlo.case"(%which) ({
    stablehlo.return %x, %one : tensor<3xf32>, tensor<f32>
  }, {
    %1 = stablehlo.negate %x : tensor<3xf32>
    stablehlo.return %1, %two : tensor<3xf32>, tensor<f32>
  }, {
    %1 = stablehlo.composite "test.square" %x {decomposition = @square} : (tensor<3xf32>) -> tensor<3xf32>
    stablehlo.return %1, %two : tensor<3xf32>, tensor<f32>
  }) : (tensor<i32>) -> (tensor<3xf32>, tensor<f32>)
  return %0#0, %0#1 : tensor<3xf32>, tensor<f32>
}

func.func @main() -> (tensor<i32>, tensor<3xf32>, tensor<i32>, tensor<3xf32>, tensor<ui32>, tensor<i32>, tensor<3xf32>, tensor<3xf32>, tensor<f32>, tensor<3xf32>) {
  %x = stablehlo.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %five = stablehlo.constant dense<5> : tensor<i32>
  %less = stablehlo.constant dense<-5> : tensor<i32>
  %big = stablehlo.constant dense<4000000000> : tensor<ui32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %0:2 = call @count(%five, %x) : (tensor<i32>, tensor<3xf32>) -> (tensor<i32>, tensor<3xf32>)
  // No iteration: the counter stays as it was.
  %1:2 = call @count(%less, %x) : (tensor<i32>, tensor<3xf32>) -> (tensor<i32>, tensor<3xf32>)
  %2:2 = call @halve(%big) : (tensor<ui32>) -> (tensor<ui32>, tensor<i32>)
  // Numbers without a branch take the last one.
  %3:2 = call @choose(%less, %x) : (tensor<i32>, tensor<3xf32>) -> (tensor<3xf32>, tensor<f32>)
  %4:2 = call @choose(%one, %x) : (tensor<i32>, tensor<3xf32>) -> (tensor<3xf32>, tensor<f32>)
  %yes = stablehlo.constant dense<true> : tensor<i1>
  %5 = "stablehlo.if"(%yes) ({
    %6 = stablehlo.add %x, %x : tensor<3xf32>
    stablehlo.return %6 : tensor<3xf32>
  }, {
    stablehlo.return %x : tensor<3xf32>
  }) : (tensor<i1>) -> tensor<3xf32>
  %7 = stablehlo.optimization_barrier %5 : tensor<3xf32>
  return %0#0, %0#1, %1#0, %1#1, %2#0, %2#1, %3#0, %4#0, %4#1, %7 : tensor<i32>, tensor<3xf32>, tensor<i32>, tensor<3xf32>, tensor<ui32>, tensor<i32>, tensor<3xf32>, tensor<3xf32>, tensor<f32>, tensor<3xf32>
}

// CHECK:      result #0: i32 = 5
// CHECK-NEXT: result #1: 3xf32 = [11.0, 12.0, 13.0]
// CHECK-NEXT: result #2: i32 = 0
// CHECK-NEXT: result #3: 3xf32 = [1.0, 2.0, 3.0]
// CHECK-NEXT: result #4: ui32 = 1
// CHECK-NEXT: result #5: i32 = 31
// CHECK-NEXT: result #6: 3xf32 = [1.0, 4.0, 9.0]
// CHECK-NEXT: result #7: 3xf32 = [-1.0, -2.0, -3.0]
// CHECK-NEXT: result #8: f32 = 2.0
// CHECK-NEXT: result #9: 3xf32 = [2.0, 4.0, 6.0]
