// Structured operations on tensors, tiles, loops, branches, and the way to memory and back.
//
// RUN: freehold run %s --check | FileCheck %s
// RUN: freehold run %s --check=accesses --dealloc=hlo | FileCheck %s
// RUN: freehold run %s --check --dealloc=clone --merge-alloc | FileCheck %s
// RUN: freehold run %s --check --dealloc=copy | FileCheck %s
// RUN: freehold run %s --dealloc=none -O0 | FileCheck %s
// RUN: freehold run %s --check --threads=2 | FileCheck %s

func.func private @show1(%t: tensor<?xi32>) {
  %c0 = arith.constant 0 : index
  %none = arith.constant -1 : i32
  %v = vector.transfer_read %t[%c0], %none : tensor<?xi32>, vector<6xi32>
  vector.print %v : vector<6xi32>
  return
}

func.func private @show(%t: tensor<?x?xi32>) {
  %c0 = arith.constant 0 : index
  %none = arith.constant -1 : i32
  %v = vector.transfer_read %t[%c0, %c0], %none : tensor<?x?xi32>, vector<4x5xi32>
  vector.print %v : vector<4x5xi32>
  return
}

func.func private @iota(%n: index, %m: index) -> tensor<?x?xi32> {
  %e = tensor.empty(%n, %m) : tensor<?x?xi32>
  %m32 = arith.index_cast %m : index to i32
  %t = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>],
    iterator_types = ["parallel", "parallel"]
  } outs(%e : tensor<?x?xi32>) {
  ^bb0(%b: i32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %i32 = arith.index_cast %i : index to i32
    %j32 = arith.index_cast %j : index to i32
    %r = arith.muli %i32, %m32 : i32
    %s = arith.addi %r, %j32 : i32
    linalg.yield %s : i32
  } -> tensor<?x?xi32>
  return %t : tensor<?x?xi32>
}

func.func private @structured(%n: index, %m: index, %x: i32) {
  %a = call @iota(%n, %m) : (index, index) -> tensor<?x?xi32>
  %b = call @iota(%m, %n) : (index, index) -> tensor<?x?xi32>
  %e = tensor.empty(%n, %n) : tensor<?x?xi32>
  %c0_i32 = arith.constant 0 : i32
  %z = linalg.fill ins(%c0_i32 : i32) outs(%e : tensor<?x?xi32>) -> tensor<?x?xi32>
  %p = linalg.matmul ins(%a, %b : tensor<?x?xi32>, tensor<?x?xi32>) outs(%z : tensor<?x?xi32>) -> tensor<?x?xi32>
  call @show(%p) : (tensor<?x?xi32>) -> ()
  // The zeros again: nothing was written to them.
  call @show(%z) : (tensor<?x?xi32>) -> ()
  %te = tensor.empty(%m, %n) : tensor<?x?xi32>
  %t = linalg.transpose ins(%a : tensor<?x?xi32>) outs(%te : tensor<?x?xi32>) permutation = [1, 0]
  call @show(%t) : (tensor<?x?xi32>) -> ()
  %s = linalg.add ins(%b, %t : tensor<?x?xi32>, tensor<?x?xi32>) outs(%t : tensor<?x?xi32>) -> tensor<?x?xi32>
  call @show(%s) : (tensor<?x?xi32>) -> ()
  %re = tensor.empty(%m) : tensor<?xi32>
  %rz = linalg.fill ins(%x : i32) outs(%re : tensor<?xi32>) -> tensor<?xi32>
  %r = linalg.reduce ins(%s : tensor<?x?xi32>) outs(%rz : tensor<?xi32>) dimensions = [1]
    (%in: i32, %acc: i32) {
      %sum = arith.addi %in, %acc : i32
      linalg.yield %sum : i32
    }
  call @show1(%r) : (tensor<?xi32>) -> ()
  %be = tensor.empty(%m, %n) : tensor<?x?xi32>
  %bc = linalg.broadcast ins(%r : tensor<?xi32>) outs(%be : tensor<?x?xi32>) dimensions = [1]
  call @show(%bc) : (tensor<?x?xi32>) -> ()
  %mapped = linalg.map { arith.muli } ins(%bc, %bc : tensor<?x?xi32>, tensor<?x?xi32>) outs(%bc : tensor<?x?xi32>)
  call @show(%mapped) : (tensor<?x?xi32>) -> ()
  return
}

// Tiles of a tensor are taken out, changed and put back.
func.func private @tiles(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %t = call @iota(%n, %n) : (index, index) -> tensor<?x?xi32>
  %r = scf.for %i = %c0 to %n step %c2 iter_args(%a = %t) -> (tensor<?x?xi32>) {
    %s = scf.for %j = %c0 to %n step %c2 iter_args(%b = %a) -> (tensor<?x?xi32>) {
      %tile = tensor.extract_slice %b[%i, %j] [2, 2] [1, 1] : tensor<?x?xi32> to tensor<2x2xi32>
      %e = tensor.empty() : tensor<2x2xi32>
      %u = linalg.transpose ins(%tile : tensor<2x2xi32>) outs(%e : tensor<2x2xi32>) permutation = [1, 0]
      %v = linalg.mul ins(%u, %tile : tensor<2x2xi32>, tensor<2x2xi32>) outs(%tile : tensor<2x2xi32>) -> tensor<2x2xi32>
      %w = linalg.add ins(%v, %v : tensor<2x2xi32>, tensor<2x2xi32>) outs(%v : tensor<2x2xi32>) -> tensor<2x2xi32>
      %in = tensor.insert_slice %w into %b[%i, %j] [2, 2] [1, 1] : tensor<2x2xi32> into tensor<?x?xi32>
      scf.yield %in : tensor<?x?xi32>
    }
    scf.yield %s : tensor<?x?xi32>
  }
  call @show(%r) : (tensor<?x?xi32>) -> ()
  call @show(%t) : (tensor<?x?xi32>) -> ()
  return
}

func.func private @parallel_tiles(%n: index) {
  %c2 = arith.constant 2 : index
  %t = call @iota(%n, %n) : (index, index) -> tensor<?x?xi32>
  %k = arith.divui %n, %c2 : index
  %r = scf.forall (%i, %j) in (%k, %k) shared_outs(%o = %t) -> (tensor<?x?xi32>) {
    %x = arith.muli %i, %c2 : index
    %y = arith.muli %j, %c2 : index
    %tile = tensor.extract_slice %o[%x, %y] [2, 2] [1, 1] : tensor<?x?xi32> to tensor<2x2xi32>
    %v = linalg.mul ins(%tile, %tile : tensor<2x2xi32>, tensor<2x2xi32>) outs(%tile : tensor<2x2xi32>) -> tensor<2x2xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %v into %o[%x, %y] [2, 2] [1, 1] : tensor<2x2xi32> into tensor<?x?xi32>
    }
  }
  call @show(%r) : (tensor<?x?xi32>) -> ()
  return
}

func.func private @buffers(%n: index, %x: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = bufferization.alloc_tensor(%n) : tensor<?xi32>
  %f = linalg.fill ins(%x : i32) outs(%e : tensor<?xi32>) -> tensor<?xi32>
  %g = bufferization.alloc_tensor() copy(%f) : tensor<?xi32>
  %h = tensor.insert %x into %g[%c0] : tensor<?xi32>
  call @show1(%h) : (tensor<?xi32>) -> ()
  %m = memref.alloc(%n) : memref<?xi32>
  bufferization.materialize_in_destination %h in restrict writable %m : (tensor<?xi32>, memref<?xi32>) -> ()
  %y = memref.load %m[%c1] : memref<?xi32>
  vector.print %y : i32
  %t = bufferization.to_tensor %m restrict : memref<?xi32>
  %d = tensor.dim %t, %c0 : tensor<?xi32>
  vector.print %d : index
  %em = tensor.empty(%d) : tensor<?xi32>
  %mm = bufferization.materialize_in_destination %t in %em : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
  %i = tensor.insert %x into %mm[%c1] : tensor<?xi32>
  call @show1(%i) : (tensor<?xi32>) -> ()
  %v = arith.constant dense<[7, 8]> : vector<2xi32>
  %w = vector.transfer_write %v, %i[%c1] : vector<2xi32>, tensor<?xi32>
  call @show1(%w) : (tensor<?xi32>) -> ()
  %mw = bufferization.to_memref %w : memref<?xi32>
  memref.store %x, %mw[%c0] : memref<?xi32>
  %q = memref.load %mw[%c1] : memref<?xi32>
  vector.print %q : i32
  return
}

func.func private @switch(%k: index, %x: i32) {
  %c0 = arith.constant 0 : index
  %t = tensor.splat %x : tensor<3xi32>
  %r = scf.index_switch %k -> tensor<3xi32>
  case 0 {
    %u = tensor.insert %x into %t[%c0] : tensor<3xi32>
    scf.yield %u : tensor<3xi32>
  }
  default {
    %y = arith.addi %x, %x : i32
    %u = tensor.insert %y into %t[%c0] : tensor<3xi32>
    scf.yield %u : tensor<3xi32>
  }
  %e = scf.execute_region -> tensor<3xi32> {
    %one = arith.constant 1 : i32
    %w = tensor.insert %one into %r[%c0] : tensor<3xi32>
    scf.yield %w : tensor<3xi32>
  }
  %d = tensor.cast %r : tensor<3xi32> to tensor<?xi32>
  func.call @show1(%d) : (tensor<?xi32>) -> ()
  %f = tensor.cast %e : tensor<3xi32> to tensor<?xi32>
  func.call @show1(%f) : (tensor<?xi32>) -> ()
  return
}

// CHECK: ( ( 10, 13, -1, -1, -1 ), ( 28, 40, -1, -1, -1 ), ( -1, -1, -1, -1, -1 ), ( -1, -1, -1, -1, -1 ) )
// CHECK-NEXT: ( ( 0, 0, -1, -1, -1 ), ( 0, 0, -1, -1, -1 ), ( -1, -1, -1, -1, -1 ), ( -1, -1, -1, -1, -1 ) )
// CHECK-NEXT: ( ( 0, 3, -1, -1, -1 ), ( 1, 4, -1, -1, -1 ), ( 2, 5, -1, -1, -1 ), ( -1, -1, -1, -1, -1 ) )
// CHECK-NEXT: ( ( 0, 4, -1, -1, -1 ), ( 3, 7, -1, -1, -1 ), ( 6, 10, -1, -1, -1 ), ( -1, -1, -1, -1, -1 ) )
// CHECK-NEXT: ( 9, 15, 21, -1, -1, -1 )
// CHECK-NEXT: ( ( 9, 9, -1, -1, -1 ), ( 15, 15, -1, -1, -1 ), ( 21, 21, -1, -1, -1 ), ( -1, -1, -1, -1, -1 ) )
// CHECK-NEXT: ( ( 81, 81, -1, -1, -1 ), ( 225, 225, -1, -1, -1 ), ( 441, 441, -1, -1, -1 ), ( -1, -1, -1, -1, -1 ) )
// CHECK-NEXT: ( ( 0, 8, 8, 36, -1 ), ( 8, 50, 36, 98, -1 ), ( 128, 216, 200, 308, -1 ), ( 216, 338, 308, 450, -1 ) )
// CHECK-NEXT: ( ( 0, 1, 2, 3, -1 ), ( 4, 5, 6, 7, -1 ), ( 8, 9, 10, 11, -1 ), ( 12, 13, 14, 15, -1 ) )
// CHECK-NEXT: ( ( 0, 1, 4, 9, -1 ), ( 16, 25, 36, 49, -1 ), ( 64, 81, 100, 121, -1 ), ( 144, 169, 196, 225, -1 ) )
// CHECK-NEXT: ( 5, 5, 5, 5, -1, -1 )
// CHECK-NEXT: 5
// CHECK-NEXT: 4
// CHECK-NEXT: ( 5, 5, 5, 5, -1, -1 )
// CHECK-NEXT: ( 5, 7, 8, 5, -1, -1 )
// CHECK-NEXT: 7
// CHECK-NEXT: ( 5, 5, 5, -1, -1, -1 )
// CHECK-NEXT: ( 1, 5, 5, -1, -1, -1 )
// CHECK-NEXT: ( 10, 5, 5, -1, -1, -1 )
// CHECK-NEXT: ( 1, 5, 5, -1, -1, -1 )
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %x = arith.constant 5 : i32
  call @structured(%c2, %c3, %x) : (index, index, i32) -> ()
  call @tiles(%c4) : (index) -> ()
  call @parallel_tiles(%c4) : (index) -> ()
  call @buffers(%c4, %x) : (index, i32) -> ()
  call @switch(%c0, %x) : (index, i32) -> ()
  call @switch(%c1, %x) : (index, i32) -> ()
  return
}
