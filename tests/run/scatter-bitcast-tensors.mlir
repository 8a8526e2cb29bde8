// Slices put into a tensor at positions that another one holds, and elements whose bits are read as another type.
//
// RUN: freehold run %s | FileCheck %s
// RUN: freehold run %s -O0 --check | FileCheck %s
// RUN: freehold run %s -O3 --dealloc=hlo --check | FileCheck %s

func.func @print(%t: tensor<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = tensor.dim %t, %c0 : tensor<?x?xf32>
  %b = tensor.dim %t, %c1 : tensor<?x?xf32>
  scf.for %i = %c0 to %a step %c1 {
    scf.for %j = %c0 to %b step %c1 {
      %x = tensor.extract %t[%i, %j] : tensor<?x?xf32>
      vector.print %x : f32 punctuation <comma>
    }
  }
  vector.print punctuation <newline>
  return
}

func.func @main() {
  %dest = arith.constant dense<0.0> : tensor<3x4xf32>
  %rows = arith.constant dense<[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]]> : tensor<2x4xf32>

  // Rows, in another order.
  %two = arith.constant dense<[[2], [0]]> : tensor<2x1xi32>
  %v0 = tensor.scatter %rows into %dest[%two] scatter_dims([0]) unique
    : (tensor<2x4xf32>, tensor<3x4xf32>, tensor<2x1xi32>) -> tensor<3x4xf32>
  %d0 = tensor.cast %v0 : tensor<3x4xf32> to tensor<?x?xf32>
  // CHECK: 5, 6, 7, 8, 0, 0, 0, 0, 1, 2, 3, 4,
  call @print(%d0) : (tensor<?x?xf32>) -> ()

  // Single elements at two positions each; the destination stays what it was.
  %elements = arith.constant dense<[10.0, 20.0, 30.0]> : tensor<3xf32>
  %places = arith.constant dense<[[0, 0], [1, 2], [2, 3]]> : tensor<3x2xindex>
  %v1 = tensor.scatter %elements into %dest[%places] scatter_dims([0, 1]) unique
    : (tensor<3xf32>, tensor<3x4xf32>, tensor<3x2xindex>) -> tensor<3x4xf32>
  %d1 = tensor.cast %v1 : tensor<3x4xf32> to tensor<?x?xf32>
  // CHECK: 10, 0, 0, 0, 0, 0, 20, 0, 0, 0, 0, 30,
  call @print(%d1) : (tensor<?x?xf32>) -> ()
  %destd = tensor.cast %dest : tensor<3x4xf32> to tensor<?x?xf32>
  // CHECK: 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
  call @print(%destd) : (tensor<?x?xf32>) -> ()

  // Columns that keep their dimension, two positions in a row of positions, sizes known at run time.
  %columns = arith.constant dense<[[[[1.0], [2.0], [3.0]], [[4.0], [5.0], [6.0]]]]> : tensor<1x2x3x1xf32>
  %columnsd = tensor.cast %columns : tensor<1x2x3x1xf32> to tensor<1x?x?x1xf32>
  %at = arith.constant dense<[[[3], [1]]]> : tensor<1x2x1xindex>
  %atd = tensor.cast %at : tensor<1x2x1xindex> to tensor<1x?x1xindex>
  %v2 = tensor.scatter %columnsd into %destd[%atd] scatter_dims([1]) unique
    : (tensor<1x?x?x1xf32>, tensor<?x?xf32>, tensor<1x?x1xindex>) -> tensor<?x?xf32>
  // CHECK: 0, 4, 0, 1, 0, 5, 0, 2, 0, 6, 0, 3,
  call @print(%v2) : (tensor<?x?xf32>) -> ()

  // Indices that are no `index`, gathered.
  %g = tensor.gather %v0[%two] gather_dims([0]) : (tensor<3x4xf32>, tensor<2x1xi32>) -> tensor<2x4xf32>
  %gd = tensor.cast %g : tensor<2x4xf32> to tensor<?x?xf32>
  // CHECK: 1, 2, 3, 4, 5, 6, 7, 8,
  call @print(%gd) : (tensor<?x?xf32>) -> ()

  // Bits.
  %bits = arith.constant dense<[[0x3F800000, 0x40000000]]> : tensor<1x2xi32>
  %v3 = tensor.bitcast %bits : tensor<1x2xi32> to tensor<1x2xf32>
  %d3 = tensor.cast %v3 : tensor<1x2xf32> to tensor<?x?xf32>
  // CHECK: 1, 2,
  call @print(%d3) : (tensor<?x?xf32>) -> ()
  %v4 = tensor.bitcast %d3 : tensor<?x?xf32> to tensor<1x2xui32>
  %v5 = tensor.bitcast %v4 : tensor<1x2xui32> to tensor<1x?xf32>
  %d5 = tensor.cast %v5 : tensor<1x?xf32> to tensor<?x?xf32>
  // CHECK: 1, 2,
  call @print(%d5) : (tensor<?x?xf32>) -> ()
  return
}
