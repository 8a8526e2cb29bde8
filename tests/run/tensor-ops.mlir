// What every operation on tensors computes.
//
// RUN: freehold run %s --check | FileCheck %s
// RUN: freehold run %s --check=accesses --dealloc=hlo | FileCheck %s
// RUN: freehold run %s --check --dealloc=clone --merge-alloc | FileCheck %s
// RUN: freehold run %s --check --dealloc=copy | FileCheck %s
// RUN: freehold run %s --dealloc=none -O0 | FileCheck %s
// RUN: freehold run %s --check --threads=2 | FileCheck %s

// Elements beyond the end print as -1.
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
  %t = tensor.generate %n, %m {
  ^bb0(%i: index, %j: index):
    %r = arith.muli %i, %m : index
    %s = arith.addi %r, %j : index
    %x = arith.index_cast %s : index to i32
    tensor.yield %x : i32
  } : tensor<?x?xi32>
  return %t : tensor<?x?xi32>
}

func.func private @create(%x: i32, %n: index) {
  %e = tensor.from_elements %x, %x, %x : tensor<3xi32>
  %e1 = tensor.cast %e : tensor<3xi32> to tensor<?xi32>
  call @show1(%e1) : (tensor<?xi32>) -> ()
  %s = tensor.splat %x[%n] : tensor<?xi32>
  call @show1(%s) : (tensor<?xi32>) -> ()
  %z = tensor.from_elements %x : tensor<i32>
  %z0 = tensor.extract %z[] : tensor<i32>
  vector.print %z0 : i32
  %d = arith.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %d1 = tensor.cast %d : tensor<2x2xi32> to tensor<?x?xi32>
  call @show(%d1) : (tensor<?x?xi32>) -> ()
  %t = call @iota(%n, %n) : (index, index) -> tensor<?x?xi32>
  call @show(%t) : (tensor<?x?xi32>) -> ()
  %rank = tensor.rank %t : tensor<?x?xi32>
  vector.print %rank : index
  return
}

func.func private @slices(%n: index, %o: index, %x: i32) {
  %c1 = arith.constant 1 : index
  %t = call @iota(%n, %n) : (index, index) -> tensor<?x?xi32>
  %a = tensor.extract_slice %t[%o, 0] [2, %n] [1, 1] : tensor<?x?xi32> to tensor<2x?xi32>
  %a1 = tensor.cast %a : tensor<2x?xi32> to tensor<?x?xi32>
  call @show(%a1) : (tensor<?x?xi32>) -> ()
  // A row, without the dimension of size 1.
  %row = tensor.extract_slice %t[%o, 0] [1, %n] [1, 1] : tensor<?x?xi32> to tensor<?xi32>
  call @show1(%row) : (tensor<?xi32>) -> ()
  // A column, every second element, into another tensor.
  %col = tensor.extract_slice %t[0, %o] [2, 1] [2, 1] : tensor<?x?xi32> to tensor<2xi32>
  %u = tensor.insert_slice %col into %t[%o, 0] [1, 2] [1, 1] : tensor<2xi32> into tensor<?x?xi32>
  call @show(%u) : (tensor<?x?xi32>) -> ()
  call @show(%t) : (tensor<?x?xi32>) -> ()
  %w = tensor.insert %x into %u[%o, %c1] : tensor<?x?xi32>
  call @show(%w) : (tensor<?x?xi32>) -> ()
  return
}

func.func private @reshapes(%n: index, %m: index) {
  %t = call @iota(%n, %m) : (index, index) -> tensor<?x?xi32>
  %flat = tensor.collapse_shape %t [[0, 1]] : tensor<?x?xi32> into tensor<?xi32>
  call @show1(%flat) : (tensor<?xi32>) -> ()
  %back = tensor.expand_shape %flat [[0, 1]] output_shape [%m, 2] : tensor<?xi32> into tensor<?x2xi32>
  %back1 = tensor.cast %back : tensor<?x2xi32> to tensor<?x?xi32>
  call @show(%back1) : (tensor<?x?xi32>) -> ()
  // Of a slice, whose rows are not next to each other.
  %s = tensor.extract_slice %t[0, 1] [2, 2] [1, 1] : tensor<?x?xi32> to tensor<2x2xi32>
  %sf = tensor.collapse_shape %s [[0, 1]] : tensor<2x2xi32> into tensor<4xi32>
  %sd = tensor.cast %sf : tensor<4xi32> to tensor<?xi32>
  call @show1(%sd) : (tensor<?xi32>) -> ()
  %shape = arith.constant dense<[4, 1]> : tensor<2xindex>
  %r = tensor.reshape %s(%shape) : (tensor<2x2xi32>, tensor<2xindex>) -> tensor<?x?xi32>
  call @show(%r) : (tensor<?x?xi32>) -> ()
  return
}

func.func private @unranked(%t: tensor<*xi32>) {
  %rank = tensor.rank %t : tensor<*xi32>
  vector.print %rank : index
  %r = tensor.cast %t : tensor<*xi32> to tensor<?xi32>
  call @show1(%r) : (tensor<?xi32>) -> ()
  return
}

func.func private @pads(%n: index, %l: index, %x: i32) {
  %t = call @iota(%n, %n) : (index, index) -> tensor<?x?xi32>
  %p = tensor.pad %t low[1, %l] high[0, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %x : i32
  } : tensor<?x?xi32> to tensor<?x?xi32>
  call @show(%p) : (tensor<?x?xi32>) -> ()
  %d = arith.constant dense<[1, 2]> : tensor<2xi32>
  %q = tensor.pad %d low[1] high[2] {
  ^bb0(%i: index):
    %v = arith.index_cast %i : index to i32
    tensor.yield %v : i32
  } : tensor<2xi32> to tensor<5xi32>
  %qd = tensor.cast %q : tensor<5xi32> to tensor<?xi32>
  call @show1(%qd) : (tensor<?xi32>) -> ()
  return
}

// CHECK: ( 5, 5, 5, -1, -1, -1 )
// CHECK-NEXT: ( 5, 5, 5, 5, -1, -1 )
// CHECK-NEXT: 5
// CHECK-NEXT: ( ( 1, 2, -1, -1, -1 ), ( 3, 4, -1, -1, -1 ), ( -1, -1, -1, -1, -1 ), ( -1, -1, -1, -1, -1 ) )
// CHECK-NEXT: ( ( 0, 1, 2, 3, -1 ), ( 4, 5, 6, 7, -1 ), ( 8, 9, 10, 11, -1 ), ( 12, 13, 14, 15, -1 ) )
// CHECK-NEXT: 2
// CHECK-NEXT: ( ( 3, 4, 5, -1, -1 ), ( 6, 7, 8, -1, -1 ), ( -1, -1, -1, -1, -1 ), ( -1, -1, -1, -1, -1 ) )
// CHECK-NEXT: ( 3, 4, 5, -1, -1, -1 )
// CHECK-NEXT: ( ( 0, 1, 2, -1, -1 ), ( 1, 7, 5, -1, -1 ), ( 6, 7, 8, -1, -1 ), ( -1, -1, -1, -1, -1 ) )
// CHECK-NEXT: ( ( 0, 1, 2, -1, -1 ), ( 3, 4, 5, -1, -1 ), ( 6, 7, 8, -1, -1 ), ( -1, -1, -1, -1, -1 ) )
// CHECK-NEXT: ( ( 0, 1, 2, -1, -1 ), ( 1, 5, 5, -1, -1 ), ( 6, 7, 8, -1, -1 ), ( -1, -1, -1, -1, -1 ) )
// CHECK-NEXT: ( 0, 1, 2, 3, 4, 5 )
// CHECK-NEXT: ( ( 0, 1, -1, -1, -1 ), ( 2, 3, -1, -1, -1 ), ( 4, 5, -1, -1, -1 ), ( -1, -1, -1, -1, -1 ) )
// CHECK-NEXT: ( 1, 2, 4, 5, -1, -1 )
// CHECK-NEXT: ( ( 1, -1, -1, -1, -1 ), ( 2, -1, -1, -1, -1 ), ( 4, -1, -1, -1, -1 ), ( 5, -1, -1, -1, -1 ) )
// CHECK-NEXT: 1
// CHECK-NEXT: ( 3, 1, 2, -1, -1, -1 )
// CHECK-NEXT: ( ( 5, 5, 5, 5, 5 ), ( 5, 5, 0, 1, 5 ), ( 5, 5, 2, 3, 5 ), ( -1, -1, -1, -1, -1 ) )
// CHECK-NEXT: ( 0, 1, 2, 3, 4, -1 )
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %x = arith.constant 5 : i32
  call @create(%x, %c4) : (i32, index) -> ()
  call @slices(%c3, %c1, %x) : (index, index, i32) -> ()
  call @reshapes(%c2, %c3) : (index, index) -> ()
  %d = arith.constant dense<[3, 1, 2]> : tensor<3xi32>
  %u = tensor.cast %d : tensor<3xi32> to tensor<*xi32>
  call @unranked(%u) : (tensor<*xi32>) -> ()
  call @pads(%c2, %c2, %x) : (index, index, i32) -> ()
  return
}
