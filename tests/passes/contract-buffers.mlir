// RUN: freehold opt %s --split-input-file --contract-buffers | FileCheck %s

// One row is used at a time. It is small, so it is on the stack.
// CHECK-LABEL: func.func @rows
// CHECK-NEXT:    %[[B:.*]] = memref.alloca() : memref<8xf32>
// CHECK:         scf.for %{{.*}}
// CHECK:           scf.for %[[J:.*]] =
// CHECK:             memref.store %{{.*}}, %[[B]][%[[J]]] : memref<8xf32>
// CHECK:             memref.load %[[B]][%{{.*}}] : memref<8xf32>
// CHECK-NOT:     memref.dealloc
func.func @rows(%x: memref<64x8xf32>, %y: memref<64x8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %b = memref.alloc() {alignment = 64 : i64} : memref<64x8xf32>
  scf.for %i = %c0 to %c64 step %c1 {
    scf.for %j = %c0 to %c8 step %c1 {
      %v = memref.load %x[%i, %j] : memref<64x8xf32>
      memref.store %v, %b[%i, %j] : memref<64x8xf32>
    }
    scf.for %j = %c0 to %c8 step %c1 {
      %v = memref.load %b[%i, %j] : memref<64x8xf32>
      memref.store %v, %y[%i, %j] : memref<64x8xf32>
    }
  }
  memref.dealloc %b : memref<64x8xf32>
  return
}

// -----

// Two loops count two dimensions, the second and the last one of three; vectors go along what is left.
// CHECK-LABEL: func.func @two_loops
// CHECK:         %[[B:.*]] = memref.alloc() {alignment = 64 : i64} : memref<512xf32>
// CHECK:         vector.store %{{.*}}, %[[B]][%{{.*}}] : memref<512xf32>, vector<4xf32>
// CHECK:         vector.load %[[B]][%{{.*}}] : memref<512xf32>, vector<4xf32>
// CHECK:         memref.dealloc %[[B]] : memref<512xf32>
func.func @two_loops(%v: vector<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c512 = arith.constant 512 : index
  %b = memref.alloc() {alignment = 64 : i64} : memref<4x4x512xf32>
  scf.for %i = %c0 to %c4 step %c1 {
    scf.for %j = %c0 to %c4 step %c1 {
      scf.for %k = %c0 to %c512 step %c4 {
        vector.store %v, %b[%j, %i, %k] : memref<4x4x512xf32>, vector<4xf32>
        %w = vector.load %b[%j, %i, %k] : memref<4x4x512xf32>, vector<4xf32>
      }
    }
  }
  memref.dealloc %b : memref<4x4x512xf32>
  return
}

// -----

// Not where something else reads other rows, where the loop around runs again, where the subscript is another
// one, nor along vectors.
// CHECK-LABEL: func.func @kept
// CHECK:         memref.alloc() : memref<4x8xf32>
// CHECK:         memref.alloc() : memref<4x8xf32>
// CHECK:         memref.alloc() : memref<4x8xf32>
// CHECK:         memref.alloc() : memref<8xf32>
func.func @kept(%v: vector<4xf32>, %x: f32, %o: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %a = memref.alloc() : memref<4x8xf32>
  scf.for %i = %c0 to %c4 step %c1 {
    memref.store %x, %a[%i, %c0] : memref<4x8xf32>
  }
  %l = memref.load %a[%c2, %c0] : memref<4x8xf32>
  memref.store %l, %o[%c0] : memref<8xf32>
  memref.dealloc %a : memref<4x8xf32>
  %b = memref.alloc() : memref<4x8xf32>
  scf.for %k = %c0 to %c2 step %c1 {
    scf.for %i = %c0 to %c4 step %c1 {
      %m = memref.load %b[%i, %c0] : memref<4x8xf32>
      memref.store %m, %o[%c1] : memref<8xf32>
      memref.store %x, %b[%i, %c0] : memref<4x8xf32>
    }
  }
  memref.dealloc %b : memref<4x8xf32>
  %c = memref.alloc() : memref<4x8xf32>
  scf.for %i = %c0 to %c4 step %c2 {
    %j = arith.subi %c2, %i : index
    memref.store %x, %c[%i, %c0] : memref<4x8xf32>
    memref.store %x, %c[%j, %c0] : memref<4x8xf32>
    %m = memref.load %c[%i, %c0] : memref<4x8xf32>
    memref.store %m, %o[%c1] : memref<8xf32>
  }
  memref.dealloc %c : memref<4x8xf32>
  %d = memref.alloc() : memref<8xf32>
  scf.for %i = %c0 to %c8 step %c4 {
    vector.store %v, %d[%i] : memref<8xf32>, vector<4xf32>
    %m = memref.load %d[%i] : memref<8xf32>
    memref.store %m, %o[%c1] : memref<8xf32>
  }
  memref.dealloc %d : memref<8xf32>
  return
}

// -----

// What an iteration allocates for itself is on the stack if it is small, unless somebody else sees it.
// CHECK-LABEL: func.func @in_loop
// CHECK:         memref.alloca() : memref<f32>
// CHECK:         scf.for
// CHECK-NEXT:      memref.alloc() : memref<512xf32>
// CHECK-NEXT:      memref.alloc() : memref<2xf32>
// CHECK-NOT:       memref.alloc
// CHECK:           memref.dealloc
// CHECK-NEXT:      memref.dealloc
// CHECK-NEXT:    }
func.func private @look(memref<2xf32>)
func.func @in_loop(%x: f32, %o: memref<8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() : memref<f32>
    %b = memref.alloc() : memref<512xf32>
    %c = memref.alloc() : memref<2xf32>
    memref.store %x, %a[] : memref<f32>
    memref.store %x, %b[%i] : memref<512xf32>
    func.call @look(%c) : (memref<2xf32>) -> ()
    %l = memref.load %a[] : memref<f32>
    memref.store %l, %o[%i] : memref<8xf32>
    memref.dealloc %a : memref<f32>
    memref.dealloc %b : memref<512xf32>
    memref.dealloc %c : memref<2xf32>
  }
  return
}

// Iterations that run at the same time have a buffer each.
// CHECK-LABEL: func.func @at_once
// CHECK-NOT:     alloca
// CHECK:         scf.parallel
// CHECK:           memref.alloc() : memref<8xf32>
// CHECK:           memref.alloc() : memref<8xf32>
// CHECK:           memref.dealloc
func.func @at_once(%x: f32, %y: memref<4x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  scf.parallel (%k) = (%c0) to (%c4) step (%c1) {
    %b = memref.alloc() : memref<64x8xf32>
    scf.for %i = %c0 to %c64 step %c1 {
      %s = memref.alloc() : memref<8xf32>
      scf.for %j = %c0 to %c8 step %c1 {
        memref.store %x, %b[%i, %j] : memref<64x8xf32>
        memref.store %x, %s[%j] : memref<8xf32>
      }
      %v = memref.load %b[%i, %c0] : memref<64x8xf32>
      %w = memref.load %s[%c1] : memref<8xf32>
      %sum = arith.addf %v, %w : f32
      memref.store %sum, %y[%k, %i] : memref<4x64xf32>
      memref.dealloc %s : memref<8xf32>
    }
    memref.dealloc %b : memref<64x8xf32>
  }
  return
}

// Views and copies use a small buffer of each iteration, and nothing keeps it.
// CHECK-LABEL: func.func @viewed
// CHECK:         %[[B:.*]] = memref.alloca() : memref<50xf32>
// CHECK:         scf.for
// CHECK-NEXT:      %[[V:.*]] = memref.subview %[[B]]
// CHECK:           memref.copy %{{.*}}, %[[V]]
// CHECK-NOT:       memref.dealloc
// CHECK:         return
func.func @viewed(%x: memref<50xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %b = memref.alloc() : memref<50xf32>
    %v = memref.subview %b[0] [49] [1] : memref<50xf32> to memref<49xf32, strided<[1]>>
    %w = memref.subview %x[1] [49] [1] : memref<50xf32> to memref<49xf32, strided<[1], offset: 1>>
    memref.copy %w, %v : memref<49xf32, strided<[1], offset: 1>> to memref<49xf32, strided<[1]>>
    %y = memref.load %b[%c0] : memref<50xf32>
    memref.store %y, %x[%i] : memref<50xf32>
    memref.dealloc %b : memref<50xf32>
  }
  return
}

// The next iteration needs this one.
// CHECK-LABEL: func.func @carried
// CHECK-NOT:     memref.alloca
// CHECK:         return
func.func @carried(%x: memref<50xf32>, %n: index) -> memref<50xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (memref<50xf32>) {
    %b = memref.alloc() : memref<50xf32>
    memref.copy %a, %b : memref<50xf32> to memref<50xf32>
    scf.yield %b : memref<50xf32>
  }
  return %r : memref<50xf32>
}

// -----

// Views and calls that keep no address may use what is on the stack, aligned as the program asked for.
// CHECK-LABEL: func.func @viewed
// CHECK:         memref.alloca() {alignment = 64 : i64} : memref<8xf32>
// CHECK:         scf.for
// CHECK:           memref.subview
// CHECK:           call @fill(
// CHECK-NOT:       memref.dealloc
// CHECK:         }
func.func private @fill(memref<4xf32, strided<[1], offset: 4>>)
func.func @viewed(%o: memref<8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
    %v = memref.subview %a[4] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 4>>
    func.call @fill(%v) {freehold.keeps_nothing} : (memref<4xf32, strided<[1], offset: 4>>) -> ()
    %x = memref.load %a[%c1] : memref<8xf32>
    memref.store %x, %o[%i] : memref<8xf32>
    memref.dealloc %a : memref<8xf32>
  }
  return
}

// The next iteration would still read what the last one had.
// CHECK-LABEL: func.func @handed_on
// CHECK-NOT:     memref.alloca
// CHECK:         return
func.func @handed_on(%first: memref<8xf32>, %o: memref<8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%b = %first) -> memref<8xf32> {
    %a = memref.alloc() : memref<8xf32>
    memref.copy %b, %a : memref<8xf32> to memref<8xf32>
    memref.dealloc %b : memref<8xf32>
    scf.yield %a : memref<8xf32>
  }
  memref.copy %last, %o : memref<8xf32> to memref<8xf32>
  memref.dealloc %last : memref<8xf32>
  return
}

// -----

// What asks for the address keeps nothing, whatever is done with the numbers, nor does what gathers.
// CHECK-LABEL: func.func @asked
// CHECK-COUNT-2: memref.alloca()
// CHECK:         scf.for
// CHECK-NOT:       memref.dealloc
// CHECK:         return
func.func @asked(%o: memref<8xf32>, %d: memref<?xindex>, %places: vector<8xi32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c63 = arith.constant 63 : index
  %mask = arith.constant dense<true> : vector<8xi1>
  %zero = arith.constant dense<0.0> : vector<8xf32>
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() : memref<8xf32>
    %b = memref.alloc() : memref<8xf32>
    %p = memref.extract_aligned_pointer_as_index %a : memref<8xf32> -> index
    %end = arith.addi %p, %n : index
    %rest = arith.andi %end, %c63 : index
    scf.for %j = %c0 to %rest step %c1 {
      memref.store %n, %d[%j] : memref<?xindex>
    }
    vector.store %zero, %a[%c0] : memref<8xf32>, vector<8xf32>
    vector.store %zero, %b[%c0] : memref<8xf32>, vector<8xf32>
    %x = vector.gather %a[%c0] [%places], %mask, %zero : memref<8xf32>, vector<8xi32>, vector<8xi1>, vector<8xf32> into vector<8xf32>
    vector.scatter %b[%c0] [%places], %mask, %x : memref<8xf32>, vector<8xi32>, vector<8xi1>, vector<8xf32>
    %y = memref.load %b[%c1] : memref<8xf32>
    memref.store %y, %o[%i] : memref<8xf32>
    memref.dealloc %a : memref<8xf32>
    memref.dealloc %b : memref<8xf32>
  }
  return
}

// -----

// An iteration that does two at once has two rows.
// CHECK-LABEL: func.func @two_rows
// CHECK:         %[[B:.*]] = memref.alloca() : memref<2x8xf32>
// CHECK:         scf.for
// CHECK:           scf.for
// CHECK:             memref.store %{{.*}}, %[[B]][%{{c0.*}}, %{{.*}}] : memref<2x8xf32>
// CHECK:             memref.store %{{.*}}, %[[B]][%{{c1.*}}, %{{.*}}] : memref<2x8xf32>
// CHECK:           memref.load %[[B]][%{{c1.*}}, %{{.*}}] : memref<2x8xf32>
// CHECK-NOT:     memref.dealloc
// CHECK:         return
func.func @two_rows(%x: f32, %y: memref<10xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %c10 = arith.constant 10 : index
  %b = memref.alloc() : memref<10x8xf32>
  scf.for %i = %c0 to %c10 step %c2 {
    %next = arith.addi %i, %c1 : index
    scf.for %j = %c0 to %c8 step %c1 {
      memref.store %x, %b[%i, %j] : memref<10x8xf32>
      memref.store %x, %b[%next, %j] : memref<10x8xf32>
    }
    %z = memref.load %b[%next, %c2] : memref<10x8xf32>
    memref.store %z, %y[%i] : memref<10xf32>
  }
  memref.dealloc %b : memref<10x8xf32>
  return
}

// -----

// The next iteration reads what this one stores behind its own rows.
// CHECK-LABEL: func.func @shared_row
// CHECK:         memref.alloc() : memref<12x8xf32>
// CHECK:         memref.dealloc
func.func @shared_row(%x: f32, %y: memref<10xf32>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c10 = arith.constant 10 : index
  %b = memref.alloc() : memref<12x8xf32>
  scf.for %i = %c0 to %c10 step %c2 {
    %next = arith.addi %i, %c2 : index
    memref.store %x, %b[%next, %c0] : memref<12x8xf32>
    %z = memref.load %b[%i, %c0] : memref<12x8xf32>
    memref.store %z, %y[%i] : memref<10xf32>
  }
  memref.dealloc %b : memref<12x8xf32>
  return
}

// -----

// How far iterations are apart is not known.
// CHECK-LABEL: func.func @any_step
// CHECK:         memref.alloc() : memref<12x8xf32>
// CHECK:         memref.dealloc
func.func @any_step(%x: f32, %y: memref<10xf32>, %step: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  %b = memref.alloc() : memref<12x8xf32>
  scf.for %i = %c0 to %c10 step %step {
    %next = arith.addi %i, %c1 : index
    memref.store %x, %b[%next, %c0] : memref<12x8xf32>
    memref.store %x, %b[%i, %c0] : memref<12x8xf32>
    %z = memref.load %b[%next, %c0] : memref<12x8xf32>
    memref.store %z, %y[%i] : memref<10xf32>
  }
  memref.dealloc %b : memref<12x8xf32>
  return
}
