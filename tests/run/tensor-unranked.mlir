// Tensors of any rank: their buffers are copied whatever lies behind them.
//
// RUN: freehold run %s --check | FileCheck %s
// RUN: freehold run %s --check=accesses --dealloc=hlo -O0 | FileCheck %s
// RUN: freehold run %s --check --dealloc=clone | FileCheck %s
// RUN: freehold run %s --check --dealloc=copy | FileCheck %s
// RUN: freehold run %s --dealloc=none -O0 | FileCheck %s
// RUN: freehold opt %s --one-shot-bufferize | freehold run --check - | FileCheck %s

// Whether this writes to what it gets nobody knows here.
func.func private @printMemrefI32(tensor<*xi32>)

// A constant, which a function outside must not write.
func.func private @constant() {
  %t = arith.constant dense<[1, 2, 3]> : tensor<3xi32>
  %u = tensor.cast %t : tensor<3xi32> to tensor<*xi32>
  call @printMemrefI32(%u) : (tensor<*xi32>) -> ()
  return
}

// A tensor that is cast twice is the same after the first of the two calls.
func.func private @cast_twice() {
  %x = arith.constant 4 : i32
  %e = tensor.empty() : tensor<3xi32>
  %t = linalg.fill ins(%x : i32) outs(%e : tensor<3xi32>) -> tensor<3xi32>
  %u = tensor.cast %t : tensor<3xi32> to tensor<*xi32>
  call @printMemrefI32(%u) : (tensor<*xi32>) -> ()
  %v = tensor.cast %t : tensor<3xi32> to tensor<*xi32>
  call @printMemrefI32(%v) : (tensor<*xi32>) -> ()
  return
}

func.func private @show_rank(%t: tensor<*xi32>) attributes {passthrough = ["noinline"]} {
  %r = tensor.rank %t : tensor<*xi32>
  vector.print %r : index
  return
}

func.func private @same(%t: tensor<*xi32>) -> tensor<*xi32> attributes {passthrough = ["noinline"]} {
  return %t : tensor<*xi32>
}

// Every other column, through a function that returns what it takes.
func.func private @slice_through_call(%i: index) {
  %t = arith.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %s = tensor.extract_slice %t[0, %i] [2, 2] [1, 2] : tensor<2x3xi32> to tensor<2x2xi32>
  %u = tensor.cast %s : tensor<2x2xi32> to tensor<*xi32>
  call @show_rank(%u) : (tensor<*xi32>) -> ()
  %v = call @same(%u) : (tensor<*xi32>) -> tensor<*xi32>
  %w = tensor.cast %v : tensor<*xi32> to tensor<?x2xi32>
  %c1 = arith.constant 1 : index
  %e = tensor.extract %w[%c1, %c1] : tensor<?x2xi32>
  vector.print %e : i32
  return
}

// Reshapes read the elements in their order, not the memory.
func.func private @reshape_slice(%i: index) {
  %t = arith.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %shape = arith.constant dense<[1, 4]> : tensor<2xindex>
  %s = tensor.extract_slice %t[0, %i] [2, 2] [1, 2] : tensor<2x3xi32> to tensor<2x2xi32>
  %u = tensor.cast %s : tensor<2x2xi32> to tensor<*xi32>
  %r = tensor.reshape %u(%shape) : (tensor<*xi32>, tensor<2xindex>) -> tensor<1x4xi32>
  %v = tensor.cast %r : tensor<1x4xi32> to tensor<*xi32>
  call @printMemrefI32(%v) : (tensor<*xi32>) -> ()
  return
}

func.func private @reshape_argument(%u: tensor<*xi32>) attributes {passthrough = ["noinline"]} {
  %shape = arith.constant dense<4> : tensor<1xindex>
  %r = tensor.reshape %u(%shape) : (tensor<*xi32>, tensor<1xindex>) -> tensor<4xi32>
  %v = tensor.cast %r : tensor<4xi32> to tensor<*xi32>
  call @printMemrefI32(%v) : (tensor<*xi32>) -> ()
  return
}

// Branches and loops carry tensors of different ranks.
func.func private @carried(%c: i1, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = arith.constant dense<[7, 8]> : tensor<2xi32>
  %b = arith.constant dense<9> : tensor<i32>
  %u = tensor.cast %a : tensor<2xi32> to tensor<*xi32>
  %v = tensor.cast %b : tensor<i32> to tensor<*xi32>
  %r = scf.if %c -> tensor<*xi32> {
    scf.yield %u : tensor<*xi32>
  } else {
    scf.yield %v : tensor<*xi32>
  }
  call @printMemrefI32(%r) : (tensor<*xi32>) -> ()
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%k = %v) -> tensor<*xi32> {
    scf.yield %u : tensor<*xi32>
  }
  call @show_rank(%s) : (tensor<*xi32>) -> ()
  %t = arith.select %c, %v, %s : tensor<*xi32>
  call @show_rank(%t) : (tensor<*xi32>) -> ()
  return
}

// A copy of no known rank that the program asks for.
func.func private @copied(%u: tensor<*xi32>) attributes {passthrough = ["noinline"]} {
  %c = bufferization.alloc_tensor() copy(%u) : tensor<*xi32>
  %t = tensor.cast %c : tensor<*xi32> to tensor<2x2xi32>
  %c1 = arith.constant 1 : index
  %e = tensor.extract %t[%c1, %c1] : tensor<2x2xi32>
  vector.print %e : i32
  return
}

func.func @main() {
  %true = arith.constant true
  %false = arith.constant false
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK:      rank = 1 offset = 0 sizes = [3] strides = [1] data =
  // CHECK-NEXT: {{\[}}1,  2,  3]
  call @constant() : () -> ()
  // CHECK:      [4,  4,  4]
  // CHECK:      [4,  4,  4]
  call @cast_twice() : () -> ()
  // CHECK-NEXT: {{^}}2{{$}}
  // CHECK-NEXT: {{^}}6{{$}}
  call @slice_through_call(%c0) : (index) -> ()
  // CHECK:      [1, 4]
  // CHECK-NEXT: {{\[}}[1,   3,   4,   6]]
  call @reshape_slice(%c0) : (index) -> ()
  %t = arith.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %s = tensor.extract_slice %t[0, 1] [2, 2] [1, 1] : tensor<2x3xi32> to tensor<2x2xi32>
  %u = tensor.cast %s : tensor<2x2xi32> to tensor<*xi32>
  // CHECK:      [2,  3,  5,  6]
  call @reshape_argument(%u) : (tensor<*xi32>) -> ()
  // CHECK-NEXT: {{^}}6{{$}}
  call @copied(%u) : (tensor<*xi32>) -> ()
  // CHECK:      [7,  8]
  // CHECK-NEXT: {{^}}1{{$}}
  // CHECK-NEXT: {{^}}0{{$}}
  call @carried(%true, %c1) : (i1, index) -> ()
  // CHECK:      [9]
  // CHECK-NEXT: {{^}}0{{$}}
  // CHECK-NEXT: {{^}}0{{$}}
  call @carried(%false, %c0) : (i1, index) -> ()
  return
}
