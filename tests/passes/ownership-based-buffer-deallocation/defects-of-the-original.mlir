// Programs that the original pass rejects, miscompiles or crashes on. Each function says what is special about it;
// @main runs all of them and prints their results.

// RUN: freehold run %s --check | FileCheck %s
// RUN: freehold opt %s --buffer-deallocation-pipeline --verify-each --verify-ownership | freehold run - --dealloc=none --check | FileCheck %s
// RUN: freehold opt %s --buffer-deallocation-pipeline=private-function-dynamic-ownership=true --verify-each | freehold run - --dealloc=none --check | FileCheck %s

// CHECK: 42, 42, 42, 42,
// CHECK-NEXT: 7, 7, 7, 7, 7,
// CHECK-NEXT: 84, 42, 42, 42, 42, 42, 42,
// CHECK-NEXT: 42, 42, 42, 42, 42, 42, 42,
// CHECK-NEXT: 42, 42, 42,

// The result of an operation with regions is used in a later block.
func.func @region_result_in_later_block(%c: i1, %v: i32) -> i32 {
  %i = arith.constant 0 : index
  %a = memref.alloc() : memref<2xi32>
  %r = scf.if %c -> (memref<2xi32>) {
    %b = memref.alloc() : memref<2xi32>
    scf.yield %b : memref<2xi32>
  } else {
    scf.yield %a : memref<2xi32>
  }
  memref.store %v, %r[%i] : memref<2xi32>
  cf.br ^bb1
^bb1:
  %x = memref.load %r[%i] : memref<2xi32>
  return %x : i32
}

// An operation with regions and scalar results in a function of several blocks.
func.func @scalar_region_result_between_blocks(%c: i1, %v: i32) -> i32 {
  %i = arith.constant 0 : index
  %a = memref.alloc() : memref<2xi32>
  memref.store %v, %a[%i] : memref<2xi32>
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  %x = scf.if %c -> (i32) {
    %y = memref.load %a[%i] : memref<2xi32>
    scf.yield %y : i32
  } else {
    scf.yield %v : i32
  }
  cf.br ^bb3(%x : i32)
^bb2:
  cf.br ^bb3(%v : i32)
^bb3(%z: i32):
  return %z : i32
}

// A view that begins in the middle of its buffer: freeing goes by the
// allocation, not by the first element. Returned, yielded, and beside its base.
func.func @shifted_view_returned(%shift: index) -> memref<4xi8> {
  %a = memref.alloc() : memref<16xi8>
  %v = memref.view %a[%shift][] : memref<16xi8> to memref<4xi8>
  return %v : memref<4xi8>
}

func.func @shifted_view_yielded(%c: i1, %shift: index) -> memref<4xi8> {
  %a = memref.alloc() : memref<16xi8>
  %b = memref.alloc() : memref<4xi8>
  %r = scf.if %c -> (memref<4xi8>) {
    %v = memref.view %a[%shift][] : memref<16xi8> to memref<4xi8>
    scf.yield %v : memref<4xi8>
  } else {
    scf.yield %b : memref<4xi8>
  }
  return %r : memref<4xi8>
}

func.func @shifted_view_beside_base(%shift: index) -> (memref<4xi8>, memref<16xi8>) {
  %a = memref.alloc() : memref<16xi8>
  %v = memref.view %a[%shift][] : memref<16xi8> to memref<4xi8>
  return %v, %a : memref<4xi8>, memref<16xi8>
}

// Handed to one successor, and needed as it is in that or another one.
func.func @forwarded_and_live(%c: i1, %v: i32) -> i32 {
  %i = arith.constant 0 : index
  %a = memref.alloc() : memref<2xi32>
  %b = memref.alloc() : memref<2xi32>
  memref.store %v, %a[%i] : memref<2xi32>
  memref.store %v, %b[%i] : memref<2xi32>
  cf.cond_br %c, ^bb1(%a : memref<2xi32>), ^bb2
^bb1(%p: memref<2xi32>):
  %x = memref.load %p[%i] : memref<2xi32>
  %y = memref.load %a[%i] : memref<2xi32>
  %s = arith.addi %x, %y : i32
  return %s : i32
^bb2:
  %z = memref.load %b[%i] : memref<2xi32>
  return %z : i32
}

// Both edges of a branch lead to one block, with different buffers.
func.func @both_edges(%c: i1, %v: i32) -> i32 {
  %i = arith.constant 0 : index
  %a = memref.alloc() : memref<2xi32>
  %b = memref.alloc() : memref<2xi32>
  memref.store %v, %a[%i] : memref<2xi32>
  memref.store %v, %b[%i] : memref<2xi32>
  cf.cond_br %c, ^bb1(%a : memref<2xi32>), ^bb1(%b : memref<2xi32>)
^bb1(%p: memref<2xi32>):
  %x = memref.load %p[%i] : memref<2xi32>
  return %x : i32
}

// A loop that carries a buffer from one iteration to the next.
func.func @affine_loop(%v: i32) -> i32 {
  %i = arith.constant 0 : index
  %a = memref.alloc() : memref<2xi32>
  memref.store %v, %a[%i] : memref<2xi32>
  %r = affine.for %k = 0 to 4 iter_args(%p = %a) -> (memref<2xi32>) {
    %b = memref.alloc() : memref<2xi32>
    memref.copy %p, %b : memref<2xi32> to memref<2xi32>
    affine.yield %b : memref<2xi32>
  }
  %x = memref.load %r[%i] : memref<2xi32>
  return %x : i32
}

// The same, made of blocks.
func.func @block_loop(%n: index, %v: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<2xi32>
  memref.store %v, %a[%c0] : memref<2xi32>
  cf.br ^bb1(%c0, %a : index, memref<2xi32>)
^bb1(%k: index, %p: memref<2xi32>):
  %more = arith.cmpi ult, %k, %n : index
  cf.cond_br %more, ^bb2, ^bb3
^bb2:
  %b = memref.alloc() : memref<2xi32>
  memref.copy %p, %b : memref<2xi32> to memref<2xi32>
  %next = arith.addi %k, %c1 : index
  cf.br ^bb1(%next, %b : index, memref<2xi32>)
^bb3:
  %x = memref.load %p[%c0] : memref<2xi32>
  return %x : i32
}

// cf.switch, with buffers for some of its blocks.
func.func @switch(%flag: i32, %v: i32) -> i32 {
  %i = arith.constant 0 : index
  %a = memref.alloc() : memref<2xi32>
  %b = memref.alloc() : memref<2xi32>
  memref.store %v, %a[%i] : memref<2xi32>
  memref.store %v, %b[%i] : memref<2xi32>
  cf.switch %flag : i32, [
    default: ^bb1(%a : memref<2xi32>),
    1: ^bb1(%b : memref<2xi32>),
    2: ^bb2
  ]
^bb1(%p: memref<2xi32>):
  %x = memref.load %p[%i] : memref<2xi32>
  return %x : i32
^bb2:
  %y = memref.load %a[%i] : memref<2xi32>
  return %y : i32
}

// A region with blocks of its own.
func.func @execute_region(%c: i1, %v: i32) -> i32 {
  %i = arith.constant 0 : index
  %r = scf.execute_region -> memref<2xi32> {
    %a = memref.alloc() : memref<2xi32>
    memref.store %v, %a[%i] : memref<2xi32>
    cf.cond_br %c, ^bb1, ^bb2
  ^bb1:
    scf.yield %a : memref<2xi32>
  ^bb2:
    %b = memref.alloc() : memref<2xi32>
    memref.copy %a, %b : memref<2xi32> to memref<2xi32>
    scf.yield %b : memref<2xi32>
  }
  %x = memref.load %r[%i] : memref<2xi32>
  return %x : i32
}

// Hints and atomics.
func.func @hints_and_atomics(%v: i32) -> i32 {
  %i = arith.constant 0 : index
  %a = memref.alloc() : memref<2xi32>
  memref.store %v, %a[%i] : memref<2xi32>
  memref.assume_alignment %a, 4 : memref<2xi32>
  memref.prefetch %a[%i], read, locality<3>, data : memref<2xi32>
  %old = memref.atomic_rmw addi %v, %a[%i] : (i32, memref<2xi32>) -> i32
  %new = memref.generic_atomic_rmw %a[%i] : memref<2xi32> {
  ^bb0(%current: i32):
    %less = arith.subi %current, %v : i32
    memref.atomic_yield %less : i32
  }
  %x = memref.load %a[%i] : memref<2xi32>
  return %x : i32
}

// An argument whose layout nothing can be allocated with is returned.
func.func @strided_argument(%m: memref<2xi32, strided<[2], offset: 1>>) -> memref<2xi32, strided<[2], offset: 1>> {
  return %m : memref<2xi32, strided<[2], offset: 1>>
}

// The result of a private function is used in a later block.
func.func private @private_callee(%m: memref<2xi32>) -> memref<2xi32> {
  return %m : memref<2xi32>
}
func.func @call_result_in_later_block(%v: i32) -> i32 {
  %i = arith.constant 0 : index
  %a = memref.alloc() : memref<2xi32>
  memref.store %v, %a[%i] : memref<2xi32>
  %r = call @private_callee(%a) : (memref<2xi32>) -> memref<2xi32>
  cf.br ^bb1
^bb1:
  %x = memref.load %r[%i] : memref<2xi32>
  return %x : i32
}

// A buffer seen as one of another memory space, and back: retained, yielded and
// chosen, it is still that buffer.
func.func @memory_spaces(%c: i1, %v: i32) -> memref<2xi32, 1> {
  %i = arith.constant 0 : index
  %a = memref.alloc() : memref<2xi32>
  %b = memref.alloc() : memref<2xi32>
  memref.store %v, %a[%i] : memref<2xi32>
  memref.store %v, %b[%i] : memref<2xi32>
  %there = memref.memory_space_cast %a : memref<2xi32> to memref<2xi32, 1>
  %back = memref.memory_space_cast %there : memref<2xi32, 1> to memref<2xi32>
  %one = arith.select %c, %back, %b : memref<2xi32>
  %r = scf.if %c -> (memref<2xi32, 1>) {
    %cast = memref.memory_space_cast %one : memref<2xi32> to memref<2xi32, 1>
    scf.yield %cast : memref<2xi32, 1>
  } else {
    scf.yield %there : memref<2xi32, 1>
  }
  %x = memref.load %one[%i] : memref<2xi32>
  memref.store %x, %r[%i] : memref<2xi32, 1>
  return %r : memref<2xi32, 1>
}

// Already freed, in one branch.
func.func @partly_freed(%c: i1, %v: i32) {
  %i = arith.constant 0 : index
  %a = memref.alloc() : memref<2xi32>
  scf.if %c {
    memref.dealloc %a : memref<2xi32>
  } else {
    memref.store %v, %a[%i] : memref<2xi32>
  }
  return
}

func.func private @printI64(i64)
func.func private @printComma()
func.func private @printNewline()

func.func @show(%value: i32) {
  %wide = arith.extsi %value : i32 to i64
  call @printI64(%wide) : (i64) -> ()
  call @printComma() : () -> ()
  return
}

func.func @main() {
  %true = arith.constant true
  %false = arith.constant false
  %v = arith.constant 42 : i32
  %flag = arith.constant 1 : i32
  %shift = arith.constant 5 : index
  %n = arith.constant 3 : index
  %byte = arith.constant 7 : i8
  %i = arith.constant 0 : index
  %0 = call @region_result_in_later_block(%true, %v) : (i1, i32) -> i32
  call @show(%0) : (i32) -> ()
  %1 = call @region_result_in_later_block(%false, %v) : (i1, i32) -> i32
  call @show(%1) : (i32) -> ()
  %2 = call @scalar_region_result_between_blocks(%true, %v) : (i1, i32) -> i32
  call @show(%2) : (i32) -> ()
  %3 = call @scalar_region_result_between_blocks(%false, %v) : (i1, i32) -> i32
  call @show(%3) : (i32) -> ()
  call @printNewline() : () -> ()
  %4 = call @shifted_view_returned(%shift) : (index) -> memref<4xi8>
  memref.store %byte, %4[%i] : memref<4xi8>
  %byte1 = memref.load %4[%i] : memref<4xi8>
  %wide1 = arith.extui %byte1 : i8 to i32
  call @show(%wide1) : (i32) -> ()
  %5 = call @shifted_view_yielded(%true, %shift) : (i1, index) -> memref<4xi8>
  memref.store %byte, %5[%i] : memref<4xi8>
  %byte2 = memref.load %5[%i] : memref<4xi8>
  %wide2 = arith.extui %byte2 : i8 to i32
  call @show(%wide2) : (i32) -> ()
  %6 = call @shifted_view_yielded(%false, %shift) : (i1, index) -> memref<4xi8>
  memref.store %byte, %6[%i] : memref<4xi8>
  %byte3 = memref.load %6[%i] : memref<4xi8>
  %wide3 = arith.extui %byte3 : i8 to i32
  call @show(%wide3) : (i32) -> ()
  %7:2 = call @shifted_view_beside_base(%shift) : (index) -> (memref<4xi8>, memref<16xi8>)
  memref.store %byte, %7#0[%i] : memref<4xi8>
  %byte4 = memref.load %7#0[%i] : memref<4xi8>
  %wide4 = arith.extui %byte4 : i8 to i32
  call @show(%wide4) : (i32) -> ()
  memref.store %byte, %7#1[%i] : memref<16xi8>
  %byte5 = memref.load %7#1[%i] : memref<16xi8>
  %wide5 = arith.extui %byte5 : i8 to i32
  call @show(%wide5) : (i32) -> ()
  call @printNewline() : () -> ()
  %8 = call @forwarded_and_live(%true, %v) : (i1, i32) -> i32
  call @show(%8) : (i32) -> ()
  %9 = call @forwarded_and_live(%false, %v) : (i1, i32) -> i32
  call @show(%9) : (i32) -> ()
  %10 = call @both_edges(%true, %v) : (i1, i32) -> i32
  call @show(%10) : (i32) -> ()
  %11 = call @both_edges(%false, %v) : (i1, i32) -> i32
  call @show(%11) : (i32) -> ()
  %12 = call @affine_loop(%v) : (i32) -> i32
  call @show(%12) : (i32) -> ()
  %13 = call @block_loop(%n, %v) : (index, i32) -> i32
  call @show(%13) : (i32) -> ()
  %14 = call @block_loop(%i, %v) : (index, i32) -> i32
  call @show(%14) : (i32) -> ()
  call @printNewline() : () -> ()
  %15 = call @switch(%flag, %v) : (i32, i32) -> i32
  call @show(%15) : (i32) -> ()
  %16 = call @switch(%v, %v) : (i32, i32) -> i32
  call @show(%16) : (i32) -> ()
  %two = arith.constant 2 : i32
  %17 = call @switch(%two, %v) : (i32, i32) -> i32
  call @show(%17) : (i32) -> ()
  %18 = call @execute_region(%true, %v) : (i1, i32) -> i32
  call @show(%18) : (i32) -> ()
  %19 = call @execute_region(%false, %v) : (i1, i32) -> i32
  call @show(%19) : (i32) -> ()
  %20 = call @hints_and_atomics(%v) : (i32) -> i32
  call @show(%20) : (i32) -> ()
  %21 = call @call_result_in_later_block(%v) : (i32) -> i32
  call @show(%21) : (i32) -> ()
  call @printNewline() : () -> ()
  %23 = call @memory_spaces(%true, %v) : (i1, i32) -> memref<2xi32, 1>
  memref.store %v, %23[%i] : memref<2xi32, 1>
  %last23 = memref.load %23[%i] : memref<2xi32, 1>
  call @show(%last23) : (i32) -> ()
  %24 = call @memory_spaces(%false, %v) : (i1, i32) -> memref<2xi32, 1>
  memref.store %v, %24[%i] : memref<2xi32, 1>
  %last24 = memref.load %24[%i] : memref<2xi32, 1>
  call @show(%last24) : (i32) -> ()
  call @partly_freed(%true, %v) : (i1, i32) -> ()
  call @partly_freed(%false, %v) : (i1, i32) -> ()
  %buffer = memref.alloc() : memref<5xi32>
  %part = memref.subview %buffer[1] [2] [2] : memref<5xi32> to memref<2xi32, strided<[2], offset: 1>>
  %22 = call @strided_argument(%part) : (memref<2xi32, strided<[2], offset: 1>>) -> memref<2xi32, strided<[2], offset: 1>>
  memref.store %v, %22[%i] : memref<2xi32, strided<[2], offset: 1>>
  %last22 = memref.load %22[%i] : memref<2xi32, strided<[2], offset: 1>>
  call @show(%last22) : (i32) -> ()
  call @printNewline() : () -> ()
  return
}
