// RUN: freehold opt %s --unroll-and-jam-loops --canonicalize --cse | FileCheck %s

// Four rows share the elements of %b. The buffers are compared first, and rows may be left over.
// CHECK-LABEL: func.func @matmul
// CHECK-SAME:    (%[[A:.*]]: memref<?x?xf32>, %[[B:.*]]: memref<?x?xf32>, %[[C:.*]]: memref<?x?xf32>, %[[N:.*]]: index)
// CHECK:         %[[REST:.*]] = arith.remui %{{.*}}, %c4
// CHECK:         %[[WHOLE:.*]] = arith.subi %{{.*}}, %[[REST]]
// CHECK:         %[[MIDDLE:.*]] = arith.select %{{.*}}, %[[WHOLE]], %c0
// CHECK:         scf.for %[[I:.*]] = %c0 to %[[MIDDLE]] step %c4 {
// CHECK-DAG:       %[[I1:.*]] = arith.addi %[[I]], %c1
// CHECK-DAG:       %[[I2:.*]] = arith.addi %[[I]], %c2
// CHECK-DAG:       %[[I3:.*]] = arith.addi %[[I]], %c3
// CHECK:           scf.for %[[J:.*]] = %c0 to %[[N]] step %c1 {
// CHECK-NEXT:        scf.for %[[K:.*]] = %c0 to %[[N]] step %c1 {
// CHECK-NEXT:          memref.load %[[A]][%[[I]], %[[K]]]
// CHECK-NEXT:          memref.load %[[A]][%[[I1]], %[[K]]]
// CHECK-NEXT:          memref.load %[[A]][%[[I2]], %[[K]]]
// CHECK-NEXT:          memref.load %[[A]][%[[I3]], %[[K]]]
// CHECK-NEXT:          %[[Y:.*]] = memref.load %[[B]][%[[K]], %[[J]]]
// CHECK-NEXT:          memref.load %[[C]][%[[I]], %[[J]]]
// CHECK-NEXT:          memref.load %[[C]][%[[I1]], %[[J]]]
// CHECK-NEXT:          memref.load %[[C]][%[[I2]], %[[J]]]
// CHECK-NEXT:          memref.load %[[C]][%[[I3]], %[[J]]]
// CHECK-COUNT-4:       arith.mulf %{{.*}}, %[[Y]]
// CHECK-COUNT-4:       arith.addf
// CHECK-NEXT:          memref.store %{{.*}}, %[[C]][%[[I]], %[[J]]]
// CHECK-NEXT:          memref.store %{{.*}}, %[[C]][%[[I1]], %[[J]]]
// CHECK-NEXT:          memref.store %{{.*}}, %[[C]][%[[I2]], %[[J]]]
// CHECK-NEXT:          memref.store %{{.*}}, %[[C]][%[[I3]], %[[J]]]
// CHECK-NEXT:        }
// CHECK-NEXT:      }
// CHECK-NEXT:    } {freehold.disjoint, freehold.jammed}
// CHECK-NEXT:    scf.for %{{.*}} = %[[MIDDLE]] to %[[N]] step %c1 {
// CHECK:         } {freehold.jammed}
func.func @matmul(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      scf.for %k = %c0 to %n step %c1 {
        %x = memref.load %a[%i, %k] : memref<?x?xf32>
        %y = memref.load %b[%k, %j] : memref<?x?xf32>
        %sum = memref.load %c[%i, %j] : memref<?x?xf32>
        %product = arith.mulf %x, %y : f32
        %next = arith.addf %sum, %product : f32
        memref.store %next, %c[%i, %j] : memref<?x?xf32>
      }
    }
  }
  return
}

// Rows times rows with gaps between their elements do not run in vectors: four columns and two rows at once. Nothing is left over, and
// what was allocated here is apart from everything else.
// CHECK-LABEL: func.func @transposed
// CHECK-NOT:     arith.select
// CHECK:         scf.for %[[I:.*]] = %c0 to %c8 step %c2 {
// CHECK:           scf.for %[[J:.*]] = %c0 to %c12 step %c4 {
// CHECK:             scf.for
// CHECK-COUNT-2:       memref.load %arg0
// CHECK-COUNT-4:       memref.load %arg1
// CHECK-COUNT-8:       arith.mulf
// CHECK-COUNT-8:       memref.store
// CHECK-NOT:       scf.for
// CHECK:         return
func.func @transposed(%a: memref<8x64xf32>, %b: memref<12x64xf32, strided<[128, 2]>>) -> memref<8x12xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c12 = arith.constant 12 : index
  %c64 = arith.constant 64 : index
  %c = memref.alloc() : memref<8x12xf32>
  scf.for %i = %c0 to %c8 step %c1 {
    scf.for %j = %c0 to %c12 step %c1 {
      scf.for %k = %c0 to %c64 step %c1 {
        %x = memref.load %a[%i, %k] : memref<8x64xf32>
        %y = memref.load %b[%j, %k] : memref<12x64xf32, strided<[128, 2]>>
        %sum = memref.load %c[%i, %j] : memref<8x12xf32>
        %product = arith.mulf %x, %y : f32
        %next = arith.addf %sum, %product : f32
        memref.store %next, %c[%i, %j] : memref<8x12xf32>
      }
    }
  }
  return %c : memref<8x12xf32>
}

// Sums that the inner loop carries; three iterations rather than four and two.
// CHECK-LABEL: func.func @carried
// CHECK:         scf.for %{{.*}} = %c0 to %c6 step %c3 {
// CHECK:           %[[SUMS:.*]]:3 = scf.for {{.*}} iter_args(%{{.*}} = %cst, %{{.*}} = %cst, %{{.*}} = %cst) -> (f32, f32, f32) {
// CHECK-COUNT-3:     arith.addf
// CHECK-NEXT:        scf.yield
// CHECK:           memref.store %[[SUMS]]#0
// CHECK-NEXT:      memref.store %[[SUMS]]#1
// CHECK-NEXT:      memref.store %[[SUMS]]#2
func.func @carried(%a: memref<6x100xf32, strided<[200, 2]>>) -> memref<6xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %c100 = arith.constant 100 : index
  %zero = arith.constant 0.0 : f32
  %out = memref.alloc() : memref<6xf32>
  scf.for %i = %c0 to %c6 step %c1 {
    %sum = scf.for %k = %c0 to %c100 step %c1 iter_args(%before = %zero) -> (f32) {
      %x = memref.load %a[%i, %k] : memref<6x100xf32, strided<[200, 2]>>
      %next = arith.addf %before, %x : f32
      scf.yield %next : f32
    }
    memref.store %sum, %out[%i] : memref<6xf32>
  }
  return %out : memref<6xf32>
}

// Below the diagonal each row has another length.
// CHECK-LABEL: func.func @triangle
// CHECK-NOT:     freehold.jammed
func.func @triangle(%a: memref<64x64xf32>, %x: memref<64xf32>) -> memref<64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %y = memref.alloc() : memref<64xf32>
  scf.for %i = %c0 to %c64 step %c1 {
    scf.for %k = %c0 to %i step %c1 {
      %f = memref.load %a[%i, %k] : memref<64x64xf32>
      %v = memref.load %x[%k] : memref<64xf32>
      %sum = memref.load %y[%i] : memref<64xf32>
      %product = arith.mulf %f, %v : f32
      %next = arith.addf %sum, %product : f32
      memref.store %next, %y[%i] : memref<64xf32>
    }
  }
  return %y : memref<64xf32>
}

// Each row needs the one before.
// CHECK-LABEL: func.func @recurrence
// CHECK-NOT:     freehold.jammed
func.func @recurrence(%a: memref<65x64xf32>) -> memref<65xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %y = memref.alloc() : memref<65xf32>
  scf.for %i = %c0 to %c64 step %c1 {
    %i1 = arith.addi %i, %c1 : index
    scf.for %k = %c0 to %c64 step %c1 {
      %f = memref.load %a[%i, %k] : memref<65x64xf32>
      %v = memref.load %y[%i] : memref<65xf32>
      %sum = memref.load %y[%i1] : memref<65xf32>
      %product = arith.mulf %f, %v : f32
      %next = arith.addf %sum, %product : f32
      memref.store %next, %y[%i1] : memref<65xf32>
    }
  }
  return %y : memref<65xf32>
}

// All rows add to one sum, in order.
// CHECK-LABEL: func.func @one_sum
// CHECK-NOT:     freehold.jammed
func.func @one_sum(%a: memref<64x64xf32>) -> memref<f32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %y = memref.alloc() : memref<f32>
  scf.for %i = %c0 to %c64 step %c1 {
    scf.for %k = %c0 to %c64 step %c1 {
      %f = memref.load %a[%i, %k] : memref<64x64xf32>
      %sum = memref.load %y[] : memref<f32>
      %next = arith.addf %sum, %f : f32
      memref.store %next, %y[] : memref<f32>
    }
  }
  return %y : memref<f32>
}

// The sums may all be in one place: who knows the stride?
// CHECK-LABEL: func.func @strided
// CHECK-NOT:     freehold.jammed
func.func @strided(%a: memref<64x64xf32>, %y: memref<64xf32, strided<[?]>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %c64 step %c1 {
    scf.for %k = %c0 to %c64 step %c1 {
      %f = memref.load %a[%i, %k] : memref<64x64xf32>
      %sum = memref.load %y[%i] : memref<64xf32, strided<[?]>>
      %next = arith.addf %sum, %f : f32
      memref.store %next, %y[%i] : memref<64xf32, strided<[?]>>
    }
  }
  return
}

// Every other element of a row of 128: known to be apart.
// CHECK-LABEL: func.func @spread
// CHECK:         step %c4
// CHECK-COUNT-4:     memref.store
// CHECK:         freehold.jammed
func.func @spread(%a: memref<64x64xf32>, %y: memref<64x64xf32, strided<[128, 2]>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %c64 step %c1 {
    scf.for %k = %c0 to %c64 step %c1 {
      %f = memref.load %a[%i, %k] : memref<64x64xf32>
      %sum = memref.load %y[%c1, %i] : memref<64x64xf32, strided<[128, 2]>>
      %next = arith.addf %sum, %f : f32
      memref.store %next, %y[%c1, %i] : memref<64x64xf32, strided<[128, 2]>>
    }
  }
  return
}

// Nothing is added up: rows of vectors are as good one by one.
// CHECK-LABEL: func.func @elementwise
// CHECK-NOT:     freehold.jammed
func.func @elementwise(%a: memref<64x64xf32>, %x: memref<64xf32>) -> memref<64x64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %y = memref.alloc() : memref<64x64xf32>
  scf.for %i = %c0 to %c64 step %c1 {
    scf.for %k = %c0 to %c64 step %c1 {
      %f = memref.load %a[%i, %k] : memref<64x64xf32>
      %v = memref.load %x[%k] : memref<64xf32>
      %product = arith.mulf %f, %v : f32
      memref.store %product, %y[%i, %k] : memref<64x64xf32>
    }
  }
  return %y : memref<64x64xf32>
}

// Columns are added up in vectors; rows would share nothing with each other.
// CHECK-LABEL: func.func @columns
// CHECK-NOT:     freehold.jammed
func.func @columns(%a: memref<8x64x32xf32>) -> memref<8x32xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %y = memref.alloc() : memref<8x32xf32>
  scf.for %i = %c0 to %c8 step %c1 {
    scf.for %j = %c0 to %c32 step %c1 {
      scf.for %k = %c0 to %c64 step %c1 {
        %f = memref.load %a[%i, %k, %j] : memref<8x64x32xf32>
        %sum = memref.load %y[%i, %j] : memref<8x32xf32>
        %next = arith.addf %sum, %f : f32
        memref.store %next, %y[%i, %j] : memref<8x32xf32>
      }
    }
  }
  return %y : memref<8x32xf32>
}

// Something unknown happens in between.
// CHECK-LABEL: func.func @call
// CHECK-NOT:     freehold.jammed
func.func private @unknown(f32)
func.func @call(%a: memref<64x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  scf.for %i = %c0 to %c64 step %c1 {
    %sum = scf.for %k = %c0 to %c64 step %c1 iter_args(%before = %zero) -> (f32) {
      %x = memref.load %a[%i, %k] : memref<64x64xf32>
      %next = arith.addf %before, %x : f32
      scf.yield %next : f32
    }
    func.call @unknown(%sum) : (f32) -> ()
  }
  return
}
