// Tensors put together, and taken apart by positions that are computed.
//
// RUN: freehold run %s --check=accesses | FileCheck %s
// RUN: freehold run %s --check --dealloc=hlo -O0 | FileCheck %s

func.func private @show(%t: tensor<?x?xi32>) {
  %c0 = arith.constant 0 : index
  %none = arith.constant -1 : i32
  %v = vector.transfer_read %t[%c0, %c0], %none : tensor<?x?xi32>, vector<4x4xi32>
  vector.print %v : vector<4x4xi32>
  return
}

func.func private @joined(%n: index, %a: tensor<?x?xi32>, %b: tensor<?x2xi32>) {
  %0 = tensor.concat dim(1) %a, %b : (tensor<?x?xi32>, tensor<?x2xi32>) -> tensor<?x?xi32>
  call @show(%0) : (tensor<?x?xi32>) -> ()
  %c = tensor.cast %b : tensor<?x2xi32> to tensor<2x2xi32>
  %1 = tensor.concat dim(0) %c, %c : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<4x2xi32>
  %2 = tensor.cast %1 : tensor<4x2xi32> to tensor<?x?xi32>
  call @show(%2) : (tensor<?x?xi32>) -> ()
  return
}

// Rows 2, 0 and 0 of a matrix; then single elements.
func.func private @gathered(%t: tensor<3x2xi32>) {
  %rows = arith.constant dense<[[2], [0], [0]]> : tensor<3x1xindex>
  %0 = tensor.gather %t[%rows] gather_dims([0]) : (tensor<3x2xi32>, tensor<3x1xindex>) -> tensor<3x2xi32>
  %1 = tensor.cast %0 : tensor<3x2xi32> to tensor<?x?xi32>
  call @show(%1) : (tensor<?x?xi32>) -> ()
  %kept = tensor.gather %t[%rows] gather_dims([0]) : (tensor<3x2xi32>, tensor<3x1xindex>) -> tensor<3x1x2xi32>
  %flat = tensor.collapse_shape %kept [[0, 1], [2]] : tensor<3x1x2xi32> into tensor<3x2xi32>
  %2 = tensor.cast %flat : tensor<3x2xi32> to tensor<?x?xi32>
  call @show(%2) : (tensor<?x?xi32>) -> ()
  %at = arith.constant dense<[[[2, 1], [0, 0]]]> : tensor<1x2x2xindex>
  %3 = tensor.gather %t[%at] gather_dims([0, 1]) : (tensor<3x2xi32>, tensor<1x2x2xindex>) -> tensor<1x2xi32>
  %4 = tensor.cast %3 : tensor<1x2xi32> to tensor<?x?xi32>
  call @show(%4) : (tensor<?x?xi32>) -> ()
  return
}

// CHECK: ( ( 1, 3, 4, -1 ), ( 2, 5, 6, -1 ), ( -1, -1, -1, -1 ), ( -1, -1, -1, -1 ) )
// CHECK-NEXT: ( ( 3, 4, -1, -1 ), ( 5, 6, -1, -1 ), ( 3, 4, -1, -1 ), ( 5, 6, -1, -1 ) )
// CHECK-NEXT: ( ( 5, 6, -1, -1 ), ( 1, 2, -1, -1 ), ( 1, 2, -1, -1 ), ( -1, -1, -1, -1 ) )
// CHECK-NEXT: ( ( 5, 6, -1, -1 ), ( 1, 2, -1, -1 ), ( 1, 2, -1, -1 ), ( -1, -1, -1, -1 ) )
// CHECK-NEXT: ( ( 6, 1, -1, -1 ), ( -1, -1, -1, -1 ), ( -1, -1, -1, -1 ), ( -1, -1, -1, -1 ) )
func.func @main() {
  %c2 = arith.constant 2 : index
  %a = arith.constant dense<[[1], [2]]> : tensor<2x1xi32>
  %b = arith.constant dense<[[3, 4], [5, 6]]> : tensor<2x2xi32>
  %ad = tensor.cast %a : tensor<2x1xi32> to tensor<?x?xi32>
  %bd = tensor.cast %b : tensor<2x2xi32> to tensor<?x2xi32>
  call @joined(%c2, %ad, %bd) : (index, tensor<?x?xi32>, tensor<?x2xi32>) -> ()
  %t = arith.constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi32>
  call @gathered(%t) : (tensor<3x2xi32>) -> ()
  return
}
