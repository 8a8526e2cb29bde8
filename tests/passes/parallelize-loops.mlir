// RUN: freehold opt %s --parallelize-loops | FileCheck %s
// RUN: freehold opt %s --parallelize-loops="min-work=1000" | FileCheck %s --check-prefix=LITTLE
// RUN: freehold run %s --threads=2 -e main --entry-point-result=f32 | FileCheck %s --check-prefix=RESULT
// RUN: freehold run %s --threads=1 -e main --entry-point-result=f32 | FileCheck %s --check-prefix=RESULT

// The allocation is apart from what the caller has, and there is enough to do.
// CHECK-LABEL: func.func @rows
// CHECK-NOT:     scf.if
// CHECK:         scf.parallel (%[[I:.*]]) =
// CHECK-NEXT:      scf.for
// CHECK:           scf.reduce
// CHECK:         } {freehold.disjoint}
func.func @rows(%a: memref<1024x512xf32>) -> memref<1024x512xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c512 = arith.constant 512 : index
  %c1024 = arith.constant 1024 : index
  %m = memref.alloc() : memref<1024x512xf32>
  scf.for %i = %c0 to %c1024 step %c1 {
    scf.for %j = %c0 to %c512 step %c1 {
      %x = memref.load %a[%i, %j] : memref<1024x512xf32>
      %y = math.exp %x : f32
      memref.store %y, %m[%i, %j] : memref<1024x512xf32>
    }
  }
  return %m : memref<1024x512xf32>
}

// What is not known is compared before the loop: the buffers of a caller, and a number of iterations.
// CHECK-LABEL: func.func @unknown
// CHECK:         %[[APART:.*]] = arith.ori
// CHECK:         %[[LONG:.*]] = arith.cmpi sge
// CHECK:         %[[BOTH:.*]] = arith.andi %[[APART]], %[[LONG]]
// CHECK:         scf.if %[[BOTH]] {
// CHECK-NEXT:      scf.parallel
// CHECK:         } else {
// CHECK-NEXT:      scf.for
func.func @unknown(%a: memref<?xf32>, %b: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<?xf32>
    %y = math.exp %x : f32
    memref.store %y, %b[%i] : memref<?xf32>
  }
  return
}

// Each iteration needs the one before: the loop inside becomes parallel.
// CHECK-LABEL: func.func @steps
// CHECK:         scf.for
// CHECK-NEXT:      scf.parallel
func.func @steps(%m: memref<2000000xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %n = arith.constant 2000000 : index
  scf.for %i = %c0 to %c9 step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %x = memref.load %m[%j] : memref<2000000xf32>
      %y = arith.mulf %x, %x : f32
      memref.store %y, %m[%j] : memref<2000000xf32>
    }
  }
  return
}

// A sum that is carried, a neighbour's element, and one place for all stay in order.
// CHECK-LABEL: func.func @in_order
// CHECK-NOT:     scf.parallel
// LITTLE-LABEL: func.func @in_order
// LITTLE-NOT:     scf.parallel
func.func @in_order(%m: memref<2000000xf32>, %one: memref<f32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 2000000 : index
  %zero = arith.constant 0.0 : f32
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%before = %zero) -> (f32) {
    %x = memref.load %m[%i] : memref<2000000xf32>
    %after = arith.addf %before, %x : f32
    scf.yield %after : f32
  }
  scf.for %i = %c1 to %n step %c1 {
    %k = arith.subi %i, %c1 : index
    %x = memref.load %m[%k] : memref<2000000xf32>
    memref.store %x, %m[%i] : memref<2000000xf32>
  }
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %m[%i] : memref<2000000xf32>
    memref.store %x, %one[] : memref<f32>
  }
  return %sum : f32
}

// CHECK-LABEL: func.func @main
// CHECK-NOT:     scf.parallel
// LITTLE-LABEL: func.func @main
// LITTLE:         scf.parallel
func.func @main() -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 1024 : index
  %c7 = arith.constant 7 : index
  %c300 = arith.constant 300 : index
  %half = arith.constant 0.5 : f32
  %a = memref.alloc() : memref<1024x512xf32>
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %c1 step %c1 {
      memref.store %half, %a[%i, %c300] : memref<1024x512xf32>
    }
  }
  %m = call @rows(%a) : (memref<1024x512xf32>) -> memref<1024x512xf32>
  %x = memref.load %m[%c7, %c300] : memref<1024x512xf32>
  // RESULT: 1.64872
  return %x : f32
}
