// Long sums by parts. All numbers are whole and small enough that every order gives the same.
//
// RUN: freehold run %s -O0 | FileCheck %s
// RUN: freehold run %s -O2 --fp=contract | FileCheck %s
// RUN: freehold run %s -O3 --fp=fast --threads=2 | FileCheck %s

func.func @main() {
  %i = stablehlo.iota dim = 0 : tensor<100003x3xi32>
  %j = stablehlo.iota dim = 1 : tensor<100003x3xi32>
  %seven = stablehlo.constant dense<7> : tensor<100003x3xi32>
  %k = stablehlo.add %i, %j : tensor<100003x3xi32>
  %r = stablehlo.remainder %k, %seven : tensor<100003x3xi32>
  %x = stablehlo.convert %r : (tensor<100003x3xi32>) -> tensor<100003x3xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  // Columns: 100,003 is prime.
  %columns = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<100003x3xf32>, tensor<f32>) -> tensor<3xf32>
  // CHECK: [300006, 300007, 300008]
  %c = bufferization.to_memref %columns : memref<3xf32>
  %cu = memref.cast %c : memref<3xf32> to memref<*xf32>
  call @printMemrefF32(%cu) : (memref<*xf32>) -> ()
  // Everything.
  %all = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<100003x3xf32>, tensor<f32>) -> tensor<f32>
  // CHECK: [900021]
  %a = bufferization.to_memref %all : memref<f32>
  %au = memref.cast %a : memref<f32> to memref<*xf32>
  call @printMemrefF32(%au) : (memref<*xf32>) -> ()
  // Products of columns.
  %gram = stablehlo.dot_general %x, %x, contracting_dims = [0] x [0] : (tensor<100003x3xf32>, tensor<100003x3xf32>) -> tensor<3x3xf32>
  %whole = stablehlo.convert %gram : (tensor<3x3xf32>) -> tensor<3x3xi32>
  %g = bufferization.to_memref %whole : memref<3x3xi32>
  %gu = memref.cast %g : memref<3x3xi32> to memref<*xi32>
  // CHECK: [1300026, 1000020, 800016]
  call @printMemrefI32(%gu) : (memref<*xi32>) -> ()
  return
}
func.func private @printMemrefF32(memref<*xf32>)
func.func private @printMemrefI32(memref<*xi32>)
