// Loops that are there several times become one function.

// RUN: freehold opt %s --outline-equal-loops=min-saved-ops=1 | FileCheck %s
// RUN: freehold opt %s --outline-equal-loops=min-saved-ops=1 --mlir-pass-statistics -o %t.out 2>&1 \
// RUN:   | FileCheck %s --check-prefix=STATISTICS
// STATISTICS: 7 loops replaced by calls
// RUN: freehold opt %s --outline-equal-loops | FileCheck %s --check-prefix=SMALL
// SMALL-NOT: call @{{.*}}_loops_
// RUN: freehold opt %s --outline-equal-loops=min-saved-ops=1 --verify-ownership -o %t.out
// RUN: freehold opt %s --outline-equal-loops=min-saved-ops=1 | freehold run - | FileCheck %s --check-prefix=OUT

// Other buffers and numbers are arguments, constants are copied. The name that is taken is left alone.
// CHECK-LABEL: func.func @scale
// CHECK-SAME:    (%[[A:.*]]: memref<4x4xf32>, %[[B:.*]]: memref<4x4xf32>, %[[X:.*]]: f32, %[[Y:.*]]: f32)
// CHECK-NOT:     scf.for
// CHECK:         call @scale_loops_1(%[[A]], %[[X]]) : (memref<4x4xf32>, f32) -> ()
// CHECK:         call @scale_loops_1(%[[B]], %[[Y]]) : (memref<4x4xf32>, f32) -> ()
// CHECK-NOT:     scf.for
// CHECK:         return
func.func @scale(%a: memref<4x4xf32>, %b: memref<4x4xf32>, %x: f32, %y: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    scf.for %j = %c0 to %c4 step %c1 {
      %old = memref.load %a[%i, %j] : memref<4x4xf32>
      %twice = arith.addf %old, %old : f32
      %new = arith.mulf %twice, %x : f32
      memref.store %new, %a[%i, %j] : memref<4x4xf32>
    }
  }
  scf.for %k = %c0 to %c4 step %c1 {
    scf.for %l = %c0 to %c4 step %c1 {
      %old = memref.load %b[%k, %l] : memref<4x4xf32>
      %twice = arith.addf %old, %old : f32
      %new = arith.mulf %twice, %y : f32
      memref.store %new, %b[%k, %l] : memref<4x4xf32>
    }
  }
  return
}
func.func private @scale_loops_0()

// The same function for other functions. What loops return, calls return.
// CHECK-LABEL: func.func @again
// CHECK:         call @scale_loops_1(%arg0, %arg1) : (memref<4x4xf32>, f32) -> ()
// CHECK:         %[[ROW:.*]] = arith.addi
// CHECK:         %[[FIRST:.*]] = call @again_loops_2(%arg0, %arg2) : (memref<4x4xf32>, index) -> f32
// CHECK:         %[[SECOND:.*]] = call @again_loops_2(%arg0, %[[ROW]]) : (memref<4x4xf32>, index) -> f32
// CHECK:         return %[[FIRST]], %[[SECOND]]
func.func @again(%a: memref<4x4xf32>, %x: f32, %row: index) -> (f32, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  scf.for %k = %c0 to %c4 step %c1 {
    scf.for %l = %c0 to %c4 step %c1 {
      %old = memref.load %a[%k, %l] : memref<4x4xf32>
      %twice = arith.addf %old, %old : f32
      %new = arith.mulf %twice, %x : f32
      memref.store %new, %a[%k, %l] : memref<4x4xf32>
    }
  }
  %other = arith.addi %row, %c1 : index
  %first = scf.for %i = %c0 to %c4 step %c1 iter_args(%sum = %zero) -> f32 {
    %e = memref.load %a[%row, %i] : memref<4x4xf32>
    %square = arith.mulf %e, %e : f32
    %odd = arith.addf %square, %e : f32
    %twice = arith.addf %odd, %odd : f32
    %half = arith.subf %twice, %e : f32
    %next = arith.addf %sum, %half : f32
    scf.yield %next : f32
  }
  %second = scf.for %i = %c0 to %c4 step %c1 iter_args(%sum = %zero) -> f32 {
    %e = memref.load %a[%other, %i] : memref<4x4xf32>
    %square = arith.mulf %e, %e : f32
    %odd = arith.addf %square, %e : f32
    %twice = arith.addf %odd, %odd : f32
    %half = arith.subf %twice, %e : f32
    %next = arith.addf %sum, %half : f32
    scf.yield %next : f32
  }
  return %first, %second : f32, f32
}

// Other attributes, other constants, operands in another order, another value where one was used twice.
// CHECK-LABEL: func.func @different
// CHECK-COUNT-5: scf.for
// CHECK-NOT:     call
// CHECK:         return
func.func @different(%a: memref<8xi32>, %x: i32, %y: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    %e = memref.load %a[%i] : memref<8xi32>
    %1 = arith.addi %e, %x : i32
    %2 = arith.muli %1, %1 : i32
    %3 = arith.subi %2, %x : i32
    %4 = arith.cmpi slt, %3, %x : i32
    %5 = arith.select %4, %1, %2 : i32
    memref.store %5, %a[%i] : memref<8xi32>
  }
  scf.for %i = %c0 to %c8 step %c1 {
    %e = memref.load %a[%i] : memref<8xi32>
    %1 = arith.addi %e, %x : i32
    %2 = arith.muli %1, %1 : i32
    %3 = arith.subi %2, %x : i32
    %4 = arith.cmpi sgt, %3, %x : i32
    %5 = arith.select %4, %1, %2 : i32
    memref.store %5, %a[%i] : memref<8xi32>
  }
  scf.for %i = %c0 to %c8 step %c2 {
    %e = memref.load %a[%i] : memref<8xi32>
    %1 = arith.addi %e, %x : i32
    %2 = arith.muli %1, %1 : i32
    %3 = arith.subi %2, %x : i32
    %4 = arith.cmpi slt, %3, %x : i32
    %5 = arith.select %4, %1, %2 : i32
    memref.store %5, %a[%i] : memref<8xi32>
  }
  scf.for %i = %c0 to %c8 step %c1 {
    %e = memref.load %a[%i] : memref<8xi32>
    %1 = arith.addi %e, %x : i32
    %2 = arith.muli %1, %1 : i32
    %3 = arith.subi %x, %2 : i32
    %4 = arith.cmpi slt, %3, %x : i32
    %5 = arith.select %4, %1, %2 : i32
    memref.store %5, %a[%i] : memref<8xi32>
  }
  scf.for %i = %c0 to %c8 step %c1 {
    %e = memref.load %a[%i] : memref<8xi32>
    %1 = arith.addi %e, %x : i32
    %2 = arith.muli %1, %1 : i32
    %3 = arith.subi %2, %y : i32
    %4 = arith.cmpi slt, %3, %x : i32
    %5 = arith.select %4, %1, %2 : i32
    memref.store %5, %a[%i] : memref<8xi32>
  }
  return
}

// Vectors are not passed, and what is short is not worth a call.
// CHECK-LABEL: func.func @kept
// CHECK-COUNT-4: scf.for
// CHECK-NOT:     call
// CHECK:         return
func.func @kept(%a: memref<8xf32>, %v: vector<8xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    %e = vector.load %a[%c0] : memref<8xf32>, vector<8xf32>
    %1 = arith.addf %e, %v : vector<8xf32>
    %2 = arith.mulf %1, %1 : vector<8xf32>
    %3 = arith.subf %2, %v : vector<8xf32>
    %4 = arith.divf %3, %v : vector<8xf32>
    %5 = arith.addf %4, %e : vector<8xf32>
    vector.store %5, %a[%c0] : memref<8xf32>, vector<8xf32>
  }
  scf.for %i = %c0 to %c8 step %c1 {
    %e = vector.load %a[%c0] : memref<8xf32>, vector<8xf32>
    %1 = arith.addf %e, %v : vector<8xf32>
    %2 = arith.mulf %1, %1 : vector<8xf32>
    %3 = arith.subf %2, %v : vector<8xf32>
    %4 = arith.divf %3, %v : vector<8xf32>
    %5 = arith.addf %4, %e : vector<8xf32>
    vector.store %5, %a[%c0] : memref<8xf32>, vector<8xf32>
  }
  scf.for %i = %c0 to %c8 step %c1 {
    memref.store %x, %a[%i] : memref<8xf32>
  }
  scf.for %i = %c0 to %c8 step %c1 {
    memref.store %x, %a[%i] : memref<8xf32>
  }
  return
}

// What is on the stack is gone when a function returns.
// CHECK-LABEL: func.func @on_the_stack
// CHECK-COUNT-4: scf.for
// CHECK:         call @show_two
func.func @on_the_stack(%a: memref<8xf32>, %b: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %one = arith.constant 1.0 : f32
  %r = scf.for %i = %c0 to %c8 step %c1 iter_args(%old = %a) -> (memref<8xf32>) {
    %new = memref.alloca() : memref<8xf32>
    scf.for %j = %c0 to %c8 step %c1 {
      %x = memref.load %old[%j] : memref<8xf32>
      %y = arith.addf %x, %one : f32
      memref.store %y, %new[%j] : memref<8xf32>
    }
    scf.yield %new : memref<8xf32>
  }
  %s = scf.for %i = %c0 to %c8 step %c1 iter_args(%old = %b) -> (memref<8xf32>) {
    %new = memref.alloca() : memref<8xf32>
    scf.for %j = %c0 to %c8 step %c1 {
      %x = memref.load %old[%j] : memref<8xf32>
      %y = arith.addf %x, %one : f32
      memref.store %y, %new[%j] : memref<8xf32>
    }
    scf.yield %new : memref<8xf32>
  }
  call @show_two(%r, %s) : (memref<8xf32>, memref<8xf32>) -> ()
  return
}

func.func @show_two(%a: memref<8xf32>, %b: memref<8xf32>) {
  return
}

// What is around loops goes along with them. Inside of another loop they stay.
// CHECK-LABEL: func.func @around
// CHECK-COUNT-2: call @around_loops_3(
// CHECK:         scf.for
// CHECK-NOT:     call
// CHECK:         return
func.func @around(%a: memref<8xi32>, %x: i32, %p: i1, %q: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.if %p {
    scf.for %i = %c0 to %c8 step %c1 {
      %e = memref.load %a[%i] : memref<8xi32>
      %1 = arith.addi %e, %x : i32
      %2 = arith.muli %1, %1 : i32
      memref.store %2, %a[%i] : memref<8xi32>
    }
  }
  scf.if %q {
    scf.for %i = %c0 to %c8 step %c1 {
      %e = memref.load %a[%i] : memref<8xi32>
      %1 = arith.addi %e, %x : i32
      %2 = arith.muli %1, %1 : i32
      memref.store %2, %a[%i] : memref<8xi32>
    }
  }
  scf.for %k = %c0 to %c8 step %c1 {
    scf.if %q {
      scf.for %i = %c0 to %c8 step %c1 {
        %e = memref.load %a[%i] : memref<8xi32>
        %1 = arith.addi %e, %x : i32
        %2 = arith.muli %1, %1 : i32
        memref.store %2, %a[%i] : memref<8xi32>
      }
    }
  }
  return
}
// CHECK: func.func private @scale_loops_1(%[[M:.*]]: memref<4x4xf32>, %[[F:.*]]: f32) {
// CHECK:   memref.load %[[M]]
// CHECK:   arith.mulf %{{.*}}, %[[F]]
// CHECK: func.func private @again_loops_2(
// CHECK:   %[[SUM:.*]] = scf.for
// CHECK:   return %[[SUM]] : f32
// CHECK: func.func private @around_loops_3(

// OUT: 6, 48, 24,
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %three = arith.constant 3.0 : f32
  %a = memref.alloc() : memref<4x4xf32>
  %b = memref.alloc() : memref<4x4xf32>
  scf.for %i = %c0 to %c4 step %c1 {
    scf.for %j = %c0 to %c4 step %c1 {
      memref.store %one, %a[%i, %j] : memref<4x4xf32>
      memref.store %two, %b[%i, %j] : memref<4x4xf32>
    }
  }
  call @scale(%a, %b, %three, %three) : (memref<4x4xf32>, memref<4x4xf32>, f32, f32) -> ()
  %first, %second = call @again(%b, %one, %c1) : (memref<4x4xf32>, f32, index) -> (f32, f32)
  %x = memref.load %a[%c1, %c1] : memref<4x4xf32>
  %y = memref.load %b[%c1, %c1] : memref<4x4xf32>
  call @show(%x) : (f32) -> ()
  %more = arith.addf %y, %y : f32
  call @show(%more) : (f32) -> ()
  call @show(%y) : (f32) -> ()
  memref.dealloc %a : memref<4x4xf32>
  memref.dealloc %b : memref<4x4xf32>
  return
}
func.func @show(%x: f32) {
  call @printF32(%x) : (f32) -> ()
  call @printComma() : () -> ()
  return
}
func.func private @printF32(f32)
func.func private @printComma()
