// Slices lie in other strides than whole tensors: where functions, casts and buffers want
// row-major memory, they get a copy.
//
// RUN: freehold run %s --check | FileCheck %s
// RUN: freehold run %s --check=accesses --dealloc=hlo -O0 | FileCheck %s
// RUN: freehold run %s --check --dealloc=clone | FileCheck %s
// RUN: freehold run %s --check --dealloc=copy | FileCheck %s
// RUN: freehold run %s --dealloc=none -O0 | FileCheck %s
// RUN: freehold opt %s --one-shot-bufferize | freehold run --check - | FileCheck %s
// RUN: freehold opt %s --one-shot-bufferize="bufferize-function-boundaries" | freehold run --check - | FileCheck %s

func.func private @show(%t: tensor<3xi32>) attributes {passthrough = ["noinline"]} {
  %c0 = arith.constant 0 : index
  %p = arith.constant 0 : i32
  %v = vector.transfer_read %t[%c0], %p {in_bounds = [true]} : tensor<3xi32>, vector<3xi32>
  vector.print %v : vector<3xi32>
  return
}

// Counts from zero.
func.func private @numbers() -> tensor<4x6xi32> {
  %c6 = arith.constant 6 : index
  %t = tensor.generate {
  ^bb0(%i: index, %j: index):
    %row = arith.muli %i, %c6 : index
    %n = arith.addi %row, %j : index
    %e = arith.index_cast %n : index to i32
    tensor.yield %e : i32
  } : tensor<4x6xi32>
  return %t : tensor<4x6xi32>
}

func.func private @first_to_last(%t: tensor<3xi32>) -> tensor<3xi32> attributes {passthrough = ["noinline"]} {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %x = tensor.extract %t[%c0] : tensor<3xi32>
  %r = tensor.insert %x into %t[%c2] : tensor<3xi32>
  return %r : tensor<3xi32>
}

// Arguments at offsets that are known, with strides that are, and at others.
func.func private @slices_as_arguments(%i: index) {
  %t = call @numbers() : () -> tensor<4x6xi32>
  %row = tensor.extract_slice %t[1, 2] [1, 3] [1, 1] : tensor<4x6xi32> to tensor<3xi32>
  %column = tensor.extract_slice %t[0, 5] [3, 1] [1, 1] : tensor<4x6xi32> to tensor<3xi32>
  %every_other = tensor.extract_slice %t[%i, 1] [1, 3] [1, 2] : tensor<4x6xi32> to tensor<3xi32>
  call @show(%row) : (tensor<3xi32>) -> ()
  call @show(%column) : (tensor<3xi32>) -> ()
  call @show(%every_other) : (tensor<3xi32>) -> ()
  %changed = call @first_to_last(%column) : (tensor<3xi32>) -> tensor<3xi32>
  call @show(%changed) : (tensor<3xi32>) -> ()
  call @show(%column) : (tensor<3xi32>) -> ()
  return
}

// The same of a constant, which is not written.
func.func private @slice_of_constant() {
  %t = arith.constant dense<[90, 91, 92, 93, 94]> : tensor<5xi32>
  %s = tensor.extract_slice %t[2] [3] [1] : tensor<5xi32> to tensor<3xi32>
  call @show(%s) : (tensor<3xi32>) -> ()
  return
}

func.func private @show_second(%t: tensor<?xi32>) attributes {passthrough = ["noinline"]} {
  %c1 = arith.constant 1 : index
  %x = tensor.extract %t[%c1] : tensor<?xi32>
  vector.print %x : i32
  return
}

// A slice that was made one dimension, and then one of unknown size.
func.func private @cast_of_collapsed_slice() {
  %t = call @numbers() : () -> tensor<4x6xi32>
  %e = tensor.expand_shape %t [[0], [1, 2]] output_shape [4, 2, 3] : tensor<4x6xi32> into tensor<4x2x3xi32>
  %s = tensor.extract_slice %e[3, 1, 1] [1, 1, 2] [1, 1, 1] : tensor<4x2x3xi32> to tensor<1x1x2xi32>
  %c = tensor.collapse_shape %s [[0, 1, 2]] : tensor<1x1x2xi32> into tensor<2xi32>
  %d = tensor.cast %c : tensor<2xi32> to tensor<?xi32>
  call @show_second(%d) : (tensor<?xi32>) -> ()
  return
}

func.func private @same(%t: tensor<3xi32>) -> tensor<3xi32> attributes {passthrough = ["noinline"]} {
  return %t : tensor<3xi32>
}

func.func private @store_and_sum(%t: tensor<3xi32>, %m: memref<3xi32>, %i: index) -> i32 attributes {passthrough = ["noinline"]} {
  %x = tensor.extract %t[%i] : tensor<3xi32>
  %y = memref.load %m[%i] : memref<3xi32>
  %s = arith.addi %x, %y : i32
  memref.store %s, %m[%i] : memref<3xi32>
  return %s : i32
}

// What a call returns becomes a buffer, which other operations on buffers read and write.
func.func private @buffer_of_call(%i: index) {
  %t = arith.constant dense<[5, 6, 7]> : tensor<3xi32>
  %r = call @same(%t) : (tensor<3xi32>) -> tensor<3xi32>
  %m = bufferization.to_memref %r : memref<3xi32>
  %s = call @store_and_sum(%t, %m, %i) : (tensor<3xi32>, memref<3xi32>, index) -> i32
  vector.print %s : i32
  %x = memref.load %m[%i] : memref<3xi32>
  %y = tensor.extract %t[%i] : tensor<3xi32>
  %d = arith.subi %x, %y : i32
  vector.print %d : i32
  return
}

// The buffer of what a branch yields, which is cloned.
func.func private @clone_of_branch(%c: i1, %i: index) {
  %x = arith.constant 40 : i32
  %a = memref.alloc() : memref<3xi32>
  linalg.fill ins(%x : i32) outs(%a : memref<3xi32>)
  %t = bufferization.to_tensor %a restrict : memref<3xi32>
  %r = scf.if %c -> (tensor<3xi32>) {
    %y = arith.constant 41 : i32
    %n = tensor.insert %y into %t[%i] : tensor<3xi32>
    scf.yield %n : tensor<3xi32>
  } else {
    scf.yield %t : tensor<3xi32>
  }
  %m = bufferization.to_memref %r : memref<3xi32>
  %k = bufferization.clone %m : memref<3xi32> to memref<3xi32>
  %v = memref.load %k[%i] : memref<3xi32>
  vector.print %v : i32
  return
}

// A buffer in a layout that no cast gives.
func.func private @buffer_with_gaps(%i: index) {
  %t = arith.constant dense<[15, 16, 17]> : tensor<3xi32>
  %m = bufferization.to_memref %t : memref<3xi32, strided<[2], offset: 1>>
  %v = memref.load %m[%i] : memref<3xi32, strided<[2], offset: 1>>
  vector.print %v : i32
  return
}

func.func @main() {
  %true = arith.constant true
  %false = arith.constant false
  %c1 = arith.constant 1 : index
  // CHECK:      ( 8, 9, 10 )
  // CHECK-NEXT: ( 5, 11, 17 )
  // CHECK-NEXT: ( 7, 9, 11 )
  // CHECK-NEXT: ( 5, 11, 5 )
  // CHECK-NEXT: ( 5, 11, 17 )
  call @slices_as_arguments(%c1) : (index) -> ()
  // CHECK-NEXT: ( 92, 93, 94 )
  call @slice_of_constant() : () -> ()
  // CHECK-NEXT: {{^}}23{{$}}
  call @cast_of_collapsed_slice() : () -> ()
  // CHECK-NEXT: {{^}}12{{$}}
  // CHECK-NEXT: {{^}}6{{$}}
  call @buffer_of_call(%c1) : (index) -> ()
  // CHECK-NEXT: {{^}}41{{$}}
  // CHECK-NEXT: {{^}}40{{$}}
  call @clone_of_branch(%true, %c1) : (i1, index) -> ()
  call @clone_of_branch(%false, %c1) : (i1, index) -> ()
  // CHECK-NEXT: {{^}}16{{$}}
  call @buffer_with_gaps(%c1) : (index) -> ()
  return
}
