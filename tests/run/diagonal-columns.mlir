// Lanes go through rows of their own only where all of these rows are the same in each iteration of the loop inside:
// not along diagonals, which have its counter in more than one subscript.
//
// RUN: freehold run %s -O0 | FileCheck %s
// RUN: freehold run %s -O1 | FileCheck %s
// RUN: freehold run %s -O2 --vector-bits=128 | FileCheck %s
// RUN: freehold run %s -O3 | FileCheck %s
// RUN: freehold run %s -O3 --vector-bits=256 | FileCheck %s

// b[i, k] = a[i + k, k]
func.func private @shifted(%a: memref<16x8xf32>, %b: memref<8x8xf32>) attributes {passthrough = ["noinline"]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    scf.for %k = %c0 to %c8 step %c1 {
      %row = arith.addi %i, %k : index
      %x = memref.load %a[%row, %k] : memref<16x8xf32>
      memref.store %x, %b[%i, %k] : memref<8x8xf32>
    }
  }
  return
}

// b[i, k] = a[k, i, k]
func.func private @loaded(%a: memref<8x8x8xf32>, %b: memref<8x8xf32>) attributes {passthrough = ["noinline"]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    scf.for %k = %c0 to %c8 step %c1 {
      %x = memref.load %a[%k, %i, %k] : memref<8x8x8xf32>
      memref.store %x, %b[%i, %k] : memref<8x8xf32>
    }
  }
  return
}

// a[k, i, k] = b[k, i]
func.func private @stored(%a: memref<8x8x8xf32>, %b: memref<8x8xf32>) attributes {passthrough = ["noinline"]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    scf.for %k = %c0 to %c8 step %c1 {
      %x = memref.load %b[%k, %i] : memref<8x8xf32>
      memref.store %x, %a[%k, %i, %k] : memref<8x8x8xf32>
    }
  }
  return
}

// The diagonal of each matrix of a batch.
func.func private @diagonals(%a: tensor<2x2x2xf64>) -> tensor<2x2xf64> attributes {passthrough = ["noinline"]} {
  %empty = tensor.empty() : tensor<2x2xf64>
  %result = linalg.generic {
    indexing_maps = [affine_map<(b, i) -> (b, i)>],
    iterator_types = ["parallel", "parallel"]
  } outs(%empty : tensor<2x2xf64>) {
  ^bb0(%out: f64):
    %b = linalg.index 0 : index
    %i = linalg.index 1 : index
    %x = tensor.extract %a[%b, %i, %i] : tensor<2x2x2xf64>
    linalg.yield %x : f64
  } -> tensor<2x2xf64>
  return %result : tensor<2x2xf64>
}

func.func private @printF64(f64)
func.func private @printNewline()

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %a = memref.alloc() : memref<16x8xf32>
  %b = memref.alloc() : memref<8x8xf32>
  affine.for %i = 0 to 16 {
    affine.for %j = 0 to 8 {
      %number = affine.apply affine_map<(d0, d1) -> (d0 * 10 + d1)>(%i, %j)
      %bits = arith.index_cast %number : index to i32
      %x = arith.sitofp %bits : i32 to f32
      memref.store %x, %a[%i, %j] : memref<16x8xf32>
    }
  }
  func.call @shifted(%a, %b) : (memref<16x8xf32>, memref<8x8xf32>) -> ()
  // CHECK: ( 10, 21, 32, 43, 54, 65, 76, 87 )
  %shifted = vector.load %b[%c1, %c0] : memref<8x8xf32>, vector<8xf32>
  vector.print %shifted : vector<8xf32>

  %cube = memref.alloc() : memref<8x8x8xf32>
  affine.for %p = 0 to 8 {
    affine.for %i = 0 to 8 {
      affine.for %j = 0 to 8 {
        %number = affine.apply affine_map<(d0, d1, d2) -> (d0 * 100 + d1 * 10 + d2)>(%p, %i, %j)
        %bits = arith.index_cast %number : index to i32
        %x = arith.sitofp %bits : i32 to f32
        memref.store %x, %cube[%p, %i, %j] : memref<8x8x8xf32>
      }
    }
  }
  func.call @loaded(%cube, %b) : (memref<8x8x8xf32>, memref<8x8xf32>) -> ()
  // CHECK-NEXT: ( 30, 131, 232, 333, 434, 535, 636, 737 )
  %loaded = vector.load %b[%c3, %c0] : memref<8x8xf32>, vector<8xf32>
  vector.print %loaded : vector<8xf32>

  // Row i of these is 10 i and more.
  affine.for %i = 0 to 8 {
    %row = vector.load %a[%i, %c0] : memref<16x8xf32>, vector<8xf32>
    vector.store %row, %b[%i, %c0] : memref<8x8xf32>, vector<8xf32>
  }
  func.call @stored(%cube, %b) : (memref<8x8x8xf32>, memref<8x8xf32>) -> ()
  // CHECK-NEXT: ( 200, 201, 20, 203, 204, 205, 206, 207 )
  %stored = vector.load %cube[%c2, %c0, %c0] : memref<8x8x8xf32>, vector<8xf32>
  vector.print %stored : vector<8xf32>
  memref.dealloc %a : memref<16x8xf32>
  memref.dealloc %b : memref<8x8xf32>
  memref.dealloc %cube : memref<8x8x8xf32>

  // CHECK-NEXT: 0
  // CHECK-NEXT: 3
  // CHECK-NEXT: 4
  // CHECK-NEXT: 7
  %batch = arith.constant dense<[[[0.0, 1.0], [2.0, 3.0]], [[4.0, 5.0], [6.0, 7.0]]]> : tensor<2x2x2xf64>
  %diagonals = func.call @diagonals(%batch) : (tensor<2x2x2xf64>) -> tensor<2x2xf64>
  scf.for %i = %c0 to %c2 step %c1 {
    scf.for %j = %c0 to %c2 step %c1 {
      %x = tensor.extract %diagonals[%i, %j] : tensor<2x2xf64>
      func.call @printF64(%x) : (f64) -> ()
      func.call @printNewline() : () -> ()
    }
  }
  return
}
