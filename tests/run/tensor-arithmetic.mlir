// Arithmetic on whole tensors.
//
// RUN: freehold run %s --check | FileCheck %s
// RUN: freehold run %s --check=accesses --dealloc=hlo -O0 | FileCheck %s

func.func private @show(%t: tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %none = arith.constant -1.0 : f32
  %v = vector.transfer_read %t[%c0], %none : tensor<?xf32>, vector<4xf32>
  vector.print %v : vector<4xf32>
  return
}

// CHECK: ( 1, -2, 3, 4 )
// CHECK-NEXT: ( 1, 2, 3, 4 )
// CHECK-NEXT: ( 2, -4, 3, 4 )
func.func @main() {
  %a = arith.constant dense<[1.0, -2.0, 3.0, 4.0]> : tensor<4xf32>
  %b = arith.constant dense<2.0> : tensor<4xf32>
  %0 = arith.mulf %a, %b : tensor<4xf32>
  %1 = arith.subf %0, %a : tensor<4xf32>
  %2 = math.absf %1 : tensor<4xf32>
  %3 = arith.cmpf olt, %1, %b : tensor<4xf32>
  %4 = arith.select %3, %0, %2 : tensor<4xi1>, tensor<4xf32>
  %5 = arith.fptosi %4 : tensor<4xf32> to tensor<4xi32>
  %6 = arith.sitofp %5 : tensor<4xi32> to tensor<4xf32>
  %c1 = tensor.cast %1 : tensor<4xf32> to tensor<?xf32>
  call @show(%c1) : (tensor<?xf32>) -> ()
  %c2 = tensor.cast %2 : tensor<4xf32> to tensor<?xf32>
  call @show(%c2) : (tensor<?xf32>) -> ()
  %c4 = tensor.cast %6 : tensor<4xf32> to tensor<?xf32>
  call @show(%c4) : (tensor<?xf32>) -> ()
  return
}
