// RUN: freehold opt %s --buffer-deallocation --verify-each | FileCheck %s
// RUN: freehold opt %s --buffer-deallocation --buffer-deallocation --verify-each | FileCheck %s
// RUN: freehold opt %s --buffer-deallocation | freehold run - --dealloc=none --check | FileCheck %s --check-prefix=OUT
// RUN: freehold opt %s --buffer-deallocation=introduce=copy | freehold run - --dealloc=none --check | FileCheck %s --check-prefix=OUT
// RUN: freehold run %s --dealloc=clone --check | FileCheck %s --check-prefix=OUT

// Copies of what the program frees itself: none of them reads freed memory.

func.func private @printF32(f32)
func.func private @printNewline()

// What is freed for sure has nothing to copy: the argument gets another buffer, which
// nobody reads.
// CHECK-LABEL: func.func @unread
// CHECK-SAME:      (%{{.*}}: i1, %{{.*}}: f32, %[[N:.*]]: index)
// CHECK:         %[[A:.*]] = memref.alloc(%[[N]])
// CHECK:       ^bb1:
// CHECK-NEXT:    memref.dealloc %[[A]]
// CHECK-NEXT:    %[[NEW:.*]] = memref.alloc(%[[N]])
// CHECK-NEXT:    cf.br ^bb3(%[[NEW]]
// CHECK:       ^bb2:
// CHECK-NEXT:    memref.dealloc %[[A]]
// CHECK-NEXT:    %[[B:.*]] = memref.alloc(%[[N]])
// CHECK-NEXT:    memref.store %{{.*}}, %[[B]]
// CHECK-NEXT:    %[[COPY:.*]] = bufferization.clone %[[B]]
// CHECK-NEXT:    memref.dealloc %[[B]]
// CHECK-NEXT:    cf.br ^bb3(%[[COPY]]
// CHECK:       ^bb3(%[[X:.*]]: memref<?xf32>):
// CHECK-NEXT:    memref.dealloc %[[X]]
// CHECK-NEXT:    return
func.func @unread(%c: i1, %v: f32, %n: index) {
  %i = arith.constant 0 : index
  %a = memref.alloc(%n) : memref<?xf32>
  memref.store %v, %a[%i] : memref<?xf32>
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  memref.dealloc %a : memref<?xf32>
  cf.br ^bb3(%a : memref<?xf32>)
^bb2:
  memref.dealloc %a : memref<?xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  memref.store %v, %b[%i] : memref<?xf32>
  cf.br ^bb3(%b : memref<?xf32>)
^bb3(%x: memref<?xf32>):
  return
}

// The same where the argument is read if it is the other buffer. The way on which
// the program does not free gets a free.
// CHECK-LABEL: func.func @read_if_there
// CHECK:         %[[A:.*]] = memref.alloc
// CHECK:       ^bb1:
// CHECK-NEXT:    memref.dealloc %[[A]]
// CHECK-NEXT:    %[[NEW:.*]] = memref.alloc()
// CHECK-NEXT:    cf.br ^bb3(%[[NEW]]
// CHECK:       ^bb2:
// CHECK-NEXT:    memref.dealloc %[[A]]
// CHECK-NEXT:    %[[B:.*]] = memref.alloc
// CHECK:       ^bb5:
// CHECK-NEXT:    memref.dealloc %{{.*}} : memref<2xf32>
// CHECK-NEXT:    return
func.func @read_if_there(%c: i1, %v: f32) {
  %i = arith.constant 0 : index
  %a = memref.alloc() : memref<2xf32>
  memref.store %v, %a[%i] : memref<2xf32>
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  memref.dealloc %a : memref<2xf32>
  cf.br ^bb3(%a : memref<2xf32>)
^bb2:
  %b = memref.alloc() : memref<2xf32>
  memref.store %v, %b[%i] : memref<2xf32>
  cf.br ^bb3(%b : memref<2xf32>)
^bb3(%x: memref<2xf32>):
  cf.cond_br %c, ^bb5, ^bb4
^bb4:
  %r = memref.load %x[%i] : memref<2xf32>
  func.call @printF32(%r) : (f32) -> ()
  func.call @printNewline() : () -> ()
  cf.br ^bb5
^bb5:
  return
}

// Only the program knows whether %a is there when it is handed on, so all that %x may
// be is left to it.
// CHECK-LABEL: func.func @freed_under_a_condition
// CHECK-NOT:     bufferization.clone
// CHECK:         memref.dealloc
// CHECK-NOT:     bufferization.clone
// CHECK:       ^bb6:
// CHECK-NEXT:    memref.dealloc
// CHECK-NEXT:    cf.br ^bb7
// CHECK:       ^bb7:
// CHECK-NEXT:    return
func.func @freed_under_a_condition(%c: i1, %d: i1, %v: f32) {
  %i = arith.constant 0 : index
  %a = memref.alloc() : memref<2xf32>
  memref.store %v, %a[%i] : memref<2xf32>
  scf.if %d {
    memref.dealloc %a : memref<2xf32>
  }
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  cf.br ^bb3(%a : memref<2xf32>)
^bb2:
  scf.if %d {
  } else {
    memref.dealloc %a : memref<2xf32>
  }
  %b = memref.alloc() : memref<2xf32>
  memref.store %v, %b[%i] : memref<2xf32>
  cf.br ^bb3(%b : memref<2xf32>)
^bb3(%x: memref<2xf32>):
  cf.cond_br %d, ^bb5, ^bb4
^bb4:
  %r = memref.load %x[%i] : memref<2xf32>
  func.call @printF32(%r) : (f32) -> ()
  func.call @printNewline() : () -> ()
  cf.br ^bb6
^bb5:
  cf.cond_br %c, ^bb7, ^bb6
^bb6:
  memref.dealloc %x : memref<2xf32>
  cf.br ^bb7
^bb7:
  return
}

// In every iteration %a is another buffer, which is freed after it was copied.
// CHECK-LABEL: func.func @freed_in_each_iteration
// CHECK:       ^bb1(%{{.*}}: index):
// CHECK-NEXT:    %[[A:.*]] = memref.alloc
// CHECK:       ^bb2:
// CHECK-NEXT:    %[[COPY:.*]] = bufferization.clone %[[A]]
// CHECK-NEXT:    cf.br ^bb4(%[[COPY]]
// CHECK:       ^bb4(%[[X:.*]]: memref<2xf32>):
// CHECK-NEXT:    memref.load %[[X]]
// CHECK-NEXT:    memref.dealloc %[[X]]
func.func @freed_in_each_iteration(%c: i1, %v: f32, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  cf.br ^bb1(%zero : index)
^bb1(%i: index):
  %a = memref.alloc() : memref<2xf32>
  memref.store %v, %a[%zero] : memref<2xf32>
  cf.cond_br %c, ^bb2, ^bb3
^bb2:
  cf.br ^bb4(%a : memref<2xf32>)
^bb3:
  %b = memref.alloc() : memref<2xf32>
  memref.store %v, %b[%zero] : memref<2xf32>
  cf.br ^bb4(%b : memref<2xf32>)
^bb4(%x: memref<2xf32>):
  %r = memref.load %x[%zero] : memref<2xf32>
  func.call @printF32(%r) : (f32) -> ()
  func.call @printNewline() : () -> ()
  scf.if %c {
    memref.dealloc %a : memref<2xf32>
  } else {
    memref.dealloc %a : memref<2xf32>
  }
  %next = arith.addi %i, %one : index
  %again = arith.cmpi ult, %next, %n : index
  cf.cond_br %again, ^bb1(%next : index), ^bb5
^bb5:
  return
}

// The same with buffers that are not put on the stack.
func.func @large_freed_in_each_iteration(%c: i1, %v: f32, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  cf.br ^bb1(%zero : index)
^bb1(%i: index):
  %a = memref.alloc() : memref<2000xf32>
  memref.store %v, %a[%zero] : memref<2000xf32>
  cf.cond_br %c, ^bb2, ^bb3
^bb2:
  cf.br ^bb4(%a : memref<2000xf32>)
^bb3:
  %b = memref.alloc() : memref<2000xf32>
  memref.store %v, %b[%zero] : memref<2000xf32>
  cf.br ^bb4(%b : memref<2000xf32>)
^bb4(%x: memref<2000xf32>):
  %r = memref.load %x[%zero] : memref<2000xf32>
  func.call @printF32(%r) : (f32) -> ()
  func.call @printNewline() : () -> ()
  scf.if %c {
    memref.dealloc %a : memref<2000xf32>
  } else {
    memref.dealloc %a : memref<2000xf32>
  }
  %next = arith.addi %i, %one : index
  %again = arith.cmpi ult, %next, %n : index
  cf.cond_br %again, ^bb1(%next : index), ^bb5
^bb5:
  return
}

// OUT: 1.5
// OUT-NEXT: 1.5
// OUT-NEXT: 1.5
// OUT-NEXT: 1.5
// OUT-NEXT: 1.5
// OUT-NEXT: 1.5
// OUT-NEXT: 1.5
// OUT-NEXT: 1.5
// OUT-NEXT: 1.5
// OUT-NEXT: 1.5
// OUT-NEXT: 1.5
// OUT-NOT: 1.5
func.func @main() {
  %true = arith.constant true
  %false = arith.constant false
  %v = arith.constant 1.5 : f32
  %n = arith.constant 2 : index
  call @unread(%true, %v, %n) : (i1, f32, index) -> ()
  call @unread(%false, %v, %n) : (i1, f32, index) -> ()
  call @read_if_there(%true, %v) : (i1, f32) -> ()
  call @read_if_there(%false, %v) : (i1, f32) -> ()
  call @freed_under_a_condition(%true, %true, %v) : (i1, i1, f32) -> ()
  call @freed_under_a_condition(%true, %false, %v) : (i1, i1, f32) -> ()
  call @freed_under_a_condition(%false, %true, %v) : (i1, i1, f32) -> ()
  call @freed_under_a_condition(%false, %false, %v) : (i1, i1, f32) -> ()
  call @freed_in_each_iteration(%true, %v, %n) : (i1, f32, index) -> ()
  call @freed_in_each_iteration(%false, %v, %n) : (i1, f32, index) -> ()
  call @large_freed_in_each_iteration(%true, %v, %n) : (i1, f32, index) -> ()
  call @large_freed_in_each_iteration(%false, %v, %n) : (i1, f32, index) -> ()
  return
}
