// Tensors are values: whatever is written in place, nobody sees a tensor change.
//
// RUN: freehold run %s --check | FileCheck %s
// RUN: freehold run %s --check=accesses --dealloc=hlo | FileCheck %s
// RUN: freehold run %s --check --dealloc=clone | FileCheck %s
// RUN: freehold run %s --check --dealloc=copy | FileCheck %s
// RUN: freehold run %s --dealloc=none -O0 | FileCheck %s

func.func private @show(%t: tensor<4xi32>) {
  %c0 = arith.constant 0 : index
  %p = arith.constant 0 : i32
  %v = vector.transfer_read %t[%c0], %p {in_bounds = [true]} : tensor<4xi32>, vector<4xi32>
  vector.print %v : vector<4xi32>
  return
}

func.func private @numbers() -> tensor<4xi32> {
  %c = arith.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  return %c : tensor<4xi32>
}

// The tensor before an insert is read after it.
func.func private @read_after_insert(%i: index, %x: i32) {
  %t = call @numbers() : () -> tensor<4xi32>
  %r = tensor.insert %x into %t[%i] : tensor<4xi32>
  call @show(%r) : (tensor<4xi32>) -> ()
  call @show(%t) : (tensor<4xi32>) -> ()
  return
}

// A constant is written, in every call anew.
func.func private @write_constant(%i: index, %x: i32) {
  %t = arith.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %r = tensor.insert %x into %t[%i] : tensor<4xi32>
  call @show(%r) : (tensor<4xi32>) -> ()
  return
}

// An argument is written, which the caller reads afterwards.
func.func private @write_argument(%t: tensor<4xi32>, %i: index, %x: i32) -> tensor<4xi32> {
  %r = tensor.insert %x into %t[%i] : tensor<4xi32>
  return %r : tensor<4xi32>
}

// The same where the callee is allowed to write to it.
func.func private @write_own(%t: tensor<4xi32> {bufferization.writable = true}, %i: index, %x: i32) -> tensor<4xi32> {
  %r = tensor.insert %x into %t[%i] : tensor<4xi32>
  return %r : tensor<4xi32>
}

func.func private @identity(%t: tensor<4xi32>) -> tensor<4xi32> {
  return %t : tensor<4xi32>
}

// Both branches give the same tensor, and the results are written separately.
func.func private @same_in_branches(%c: i1, %i: index, %x: i32) {
  %t = call @numbers() : () -> tensor<4xi32>
  %a, %b = scf.if %c -> (tensor<4xi32>, tensor<4xi32>) {
    scf.yield %t, %t : tensor<4xi32>, tensor<4xi32>
  } else {
    %n = tensor.insert %x into %t[%i] : tensor<4xi32>
    scf.yield %n, %t : tensor<4xi32>, tensor<4xi32>
  }
  %a2 = tensor.insert %x into %a[%i] : tensor<4xi32>
  call @show(%a2) : (tensor<4xi32>) -> ()
  call @show(%b) : (tensor<4xi32>) -> ()
  call @show(%t) : (tensor<4xi32>) -> ()
  return
}

// A loop whose tensors change places.
func.func private @swap(%n: index, %x: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = call @numbers() : () -> tensor<4xi32>
  %a, %b = scf.for %k = %c0 to %n step %c1 iter_args(%a = %t, %b = %t) -> (tensor<4xi32>, tensor<4xi32>) {
    %w = tensor.insert %x into %a[%k] : tensor<4xi32>
    scf.yield %b, %w : tensor<4xi32>, tensor<4xi32>
  }
  call @show(%a) : (tensor<4xi32>) -> ()
  call @show(%b) : (tensor<4xi32>) -> ()
  call @show(%t) : (tensor<4xi32>) -> ()
  return
}

// A tensor from outside of the loop is written in every iteration.
func.func private @write_outer(%n: index, %x: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = call @numbers() : () -> tensor<4xi32>
  scf.for %k = %c0 to %n step %c1 {
    %w = tensor.insert %x into %t[%k] : tensor<4xi32>
    func.call @show(%w) : (tensor<4xi32>) -> ()
  }
  return
}

// The last iteration's tensor is kept while the next one writes.
func.func private @keep_previous(%n: index, %x: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = call @numbers() : () -> tensor<4xi32>
  %a, %b = scf.for %k = %c0 to %n step %c1 iter_args(%a = %t, %old = %t) -> (tensor<4xi32>, tensor<4xi32>) {
    %w = tensor.insert %x into %a[%k] : tensor<4xi32>
    scf.yield %w, %a : tensor<4xi32>, tensor<4xi32>
  }
  call @show(%a) : (tensor<4xi32>) -> ()
  call @show(%b) : (tensor<4xi32>) -> ()
  return
}

// A slice is read after the tensor that it was taken from was overwritten.
func.func private @slice_then_write(%i: index, %x: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = call @numbers() : () -> tensor<4xi32>
  %s = tensor.extract_slice %t[1] [2] [1] : tensor<4xi32> to tensor<2xi32>
  %r = tensor.insert %x into %t[%i] : tensor<4xi32>
  %f = linalg.fill ins(%x : i32) outs(%r : tensor<4xi32>) -> tensor<4xi32>
  %e0 = tensor.extract %s[%c0] : tensor<2xi32>
  %e1 = tensor.extract %s[%c1] : tensor<2xi32>
  vector.print %e0 : i32
  vector.print %e1 : i32
  call @show(%f) : (tensor<4xi32>) -> ()
  return
}

// A part of a tensor is put elsewhere into the same tensor.
func.func private @overlap() {
  %t = call @numbers() : () -> tensor<4xi32>
  %s = tensor.extract_slice %t[0] [3] [1] : tensor<4xi32> to tensor<3xi32>
  %r = tensor.insert_slice %s into %t[1] [3] [1] : tensor<3xi32> into tensor<4xi32>
  call @show(%r) : (tensor<4xi32>) -> ()
  return
}

// One of two tensors is chosen and written; both are read.
func.func private @choose(%c: i1, %i: index, %x: i32) {
  %t = call @numbers() : () -> tensor<4xi32>
  %u = tensor.insert %x into %t[%i] : tensor<4xi32>
  %s = arith.select %c, %t, %u : tensor<4xi32>
  %c3 = arith.constant 3 : index
  %w = tensor.insert %x into %s[%c3] : tensor<4xi32>
  call @show(%w) : (tensor<4xi32>) -> ()
  call @show(%s) : (tensor<4xi32>) -> ()
  call @show(%t) : (tensor<4xi32>) -> ()
  call @show(%u) : (tensor<4xi32>) -> ()
  return
}

// An operation reads what it also writes, in another order.
func.func private @reverse() {
  %t = call @numbers() : () -> tensor<4xi32>
  %r = linalg.generic {
    indexing_maps = [affine_map<(i) -> (3 - i)>, affine_map<(i) -> (i)>],
    iterator_types = ["parallel"]
  } ins(%t : tensor<4xi32>) outs(%t : tensor<4xi32>) {
  ^bb0(%a: i32, %b: i32):
    %s = arith.muli %a, %b : i32
    linalg.yield %s : i32
  } -> tensor<4xi32>
  call @show(%r) : (tensor<4xi32>) -> ()
  return
}

// The body of an operation reads the output as a whole.
func.func private @captured() {
  %t = call @numbers() : () -> tensor<4xi32>
  %r = linalg.generic {
    indexing_maps = [affine_map<(i) -> (i)>],
    iterator_types = ["parallel"]
  } outs(%t : tensor<4xi32>) {
  ^bb0(%b: i32):
    %c0 = arith.constant 0 : index
    %first = tensor.extract %t[%c0] : tensor<4xi32>
    %s = arith.addi %first, %b : i32
    linalg.yield %s : i32
  } -> tensor<4xi32>
  call @show(%r) : (tensor<4xi32>) -> ()
  return
}

// Iterations see the output as it was before all of them.
func.func private @parallel() {
  %t = call @numbers() : () -> tensor<4xi32>
  %r = scf.forall (%i) in (4) shared_outs(%o = %t) -> (tensor<4xi32>) {
    %c3 = arith.constant 3 : index
    %j = arith.subi %c3, %i : index
    %s = tensor.extract_slice %o[%j] [1] [1] : tensor<4xi32> to tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xi32> into tensor<4xi32>
    }
  }
  call @show(%r) : (tensor<4xi32>) -> ()
  return
}

// Blocks: a tensor goes along two edges and is read after both.
func.func private @blocks(%c: i1, %i: index, %x: i32) {
  %t = call @numbers() : () -> tensor<4xi32>
  cf.cond_br %c, ^a(%t : tensor<4xi32>), ^b(%t : tensor<4xi32>)
^a(%p: tensor<4xi32>):
  %w = tensor.insert %x into %p[%i] : tensor<4xi32>
  cf.br ^b(%w : tensor<4xi32>)
^b(%q: tensor<4xi32>):
  call @show(%q) : (tensor<4xi32>) -> ()
  call @show(%t) : (tensor<4xi32>) -> ()
  return
}

// A loop of blocks that writes a tensor from before it, and one that it carries.
func.func private @block_loop(%n: index, %x: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = call @numbers() : () -> tensor<4xi32>
  cf.br ^head(%c0, %t : index, tensor<4xi32>)
^head(%k: index, %carried: tensor<4xi32>):
  %more = arith.cmpi slt, %k, %n : index
  cf.cond_br %more, ^body, ^exit
^body:
  %w = tensor.insert %x into %carried[%k] : tensor<4xi32>
  %z = tensor.insert %x into %t[%k] : tensor<4xi32>
  call @show(%z) : (tensor<4xi32>) -> ()
  %next = arith.addi %k, %c1 : index
  cf.br ^head(%next, %w : index, tensor<4xi32>)
^exit:
  call @show(%carried) : (tensor<4xi32>) -> ()
  return
}

func.func private @while(%x: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %t = call @numbers() : () -> tensor<4xi32>
  %k, %r = scf.while (%k = %c0, %a = %t) : (index, tensor<4xi32>) -> (index, tensor<4xi32>) {
    %more = arith.cmpi slt, %k, %c3 : index
    %w = tensor.insert %x into %a[%k] : tensor<4xi32>
    scf.condition(%more) %k, %w : index, tensor<4xi32>
  } do {
  ^bb0(%k: index, %a: tensor<4xi32>):
    %next = arith.addi %k, %c1 : index
    %e = tensor.extract %a[%k] : tensor<4xi32>
    %w = tensor.insert %e into %t[%next] : tensor<4xi32>
    scf.yield %next, %w : index, tensor<4xi32>
  }
  call @show(%r) : (tensor<4xi32>) -> ()
  return
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %x = arith.constant 9 : i32
  %y = arith.constant 7 : i32
  %true = arith.constant true
  %false = arith.constant false
  // CHECK: ( 1, 2, 9, 4 )
  // CHECK-NEXT: ( 1, 2, 3, 4 )
  call @read_after_insert(%c2, %x) : (index, i32) -> ()
  // CHECK-NEXT: ( 9, 2, 3, 4 )
  // CHECK-NEXT: ( 1, 2, 3, 7 )
  call @write_constant(%c0, %x) : (index, i32) -> ()
  call @write_constant(%c3, %y) : (index, i32) -> ()
  // CHECK-NEXT: ( 9, 2, 3, 4 )
  // CHECK-NEXT: ( 1, 2, 7, 4 )
  // CHECK-NEXT: ( 1, 2, 3, 4 )
  // CHECK-NEXT: ( 1, 2, 3, 4 )
  // CHECK-NEXT: ( 7, 2, 3, 4 )
  %t = call @numbers() : () -> tensor<4xi32>
  %r = call @write_argument(%t, %c0, %x) : (tensor<4xi32>, index, i32) -> tensor<4xi32>
  %o = call @write_own(%t, %c2, %y) : (tensor<4xi32>, index, i32) -> tensor<4xi32>
  %s = call @identity(%t) : (tensor<4xi32>) -> tensor<4xi32>
  %z = tensor.insert %y into %s[%c0] : tensor<4xi32>
  call @show(%r) : (tensor<4xi32>) -> ()
  call @show(%o) : (tensor<4xi32>) -> ()
  call @show(%t) : (tensor<4xi32>) -> ()
  call @show(%s) : (tensor<4xi32>) -> ()
  call @show(%z) : (tensor<4xi32>) -> ()
  // CHECK-NEXT: ( 1, 9, 3, 4 )
  // CHECK-NEXT: ( 1, 2, 3, 4 )
  // CHECK-NEXT: ( 1, 2, 3, 4 )
  // CHECK-NEXT: ( 7, 2, 3, 4 )
  // CHECK-NEXT: ( 1, 2, 3, 4 )
  // CHECK-NEXT: ( 1, 2, 3, 4 )
  %c1 = arith.constant 1 : index
  call @same_in_branches(%true, %c1, %x) : (i1, index, i32) -> ()
  call @same_in_branches(%false, %c0, %y) : (i1, index, i32) -> ()
  // CHECK-NEXT: ( 1, 9, 3, 4 )
  // CHECK-NEXT: ( 9, 2, 9, 4 )
  // CHECK-NEXT: ( 1, 2, 3, 4 )
  call @swap(%c3, %x) : (index, i32) -> ()
  // CHECK-NEXT: ( 9, 2, 3, 4 )
  // CHECK-NEXT: ( 1, 9, 3, 4 )
  // CHECK-NEXT: ( 1, 2, 9, 4 )
  call @write_outer(%c3, %x) : (index, i32) -> ()
  // CHECK-NEXT: ( 9, 9, 9, 4 )
  // CHECK-NEXT: ( 9, 9, 3, 4 )
  call @keep_previous(%c3, %x) : (index, i32) -> ()
  // CHECK-NEXT: 2
  // CHECK-NEXT: 3
  // CHECK-NEXT: ( 9, 9, 9, 9 )
  call @slice_then_write(%c2, %x) : (index, i32) -> ()
  // CHECK-NEXT: ( 1, 1, 2, 3 )
  call @overlap() : () -> ()
  // CHECK-NEXT: ( 1, 2, 3, 9 )
  // CHECK-NEXT: ( 1, 2, 3, 4 )
  // CHECK-NEXT: ( 1, 2, 3, 4 )
  // CHECK-NEXT: ( 9, 2, 3, 4 )
  // CHECK-NEXT: ( 7, 2, 3, 7 )
  // CHECK-NEXT: ( 7, 2, 3, 4 )
  // CHECK-NEXT: ( 1, 2, 3, 4 )
  // CHECK-NEXT: ( 7, 2, 3, 4 )
  call @choose(%true, %c0, %x) : (i1, index, i32) -> ()
  call @choose(%false, %c0, %y) : (i1, index, i32) -> ()
  // CHECK-NEXT: ( 4, 6, 6, 4 )
  call @reverse() : () -> ()
  // CHECK-NEXT: ( 2, 3, 4, 5 )
  call @captured() : () -> ()
  // CHECK-NEXT: ( 4, 3, 2, 1 )
  call @parallel() : () -> ()
  // CHECK-NEXT: ( 9, 2, 3, 4 )
  // CHECK-NEXT: ( 1, 2, 3, 4 )
  // CHECK-NEXT: ( 1, 2, 3, 4 )
  // CHECK-NEXT: ( 1, 2, 3, 4 )
  call @blocks(%true, %c0, %x) : (i1, index, i32) -> ()
  call @blocks(%false, %c0, %x) : (i1, index, i32) -> ()
  // CHECK-NEXT: ( 9, 2, 3, 4 )
  // CHECK-NEXT: ( 1, 9, 3, 4 )
  // CHECK-NEXT: ( 9, 9, 3, 4 )
  call @block_loop(%c2, %x) : (index, i32) -> ()
  // CHECK-NEXT: ( 1, 2, 3, 9 )
  call @while(%x) : (i32) -> ()
  return
}
