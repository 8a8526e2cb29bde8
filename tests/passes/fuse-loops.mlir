// RUN: freehold opt %s --fuse-loops --canonicalize --cse | FileCheck %s

// One loop; the second one uses what the first one stores, and only the last store is left.
// CHECK-LABEL: func.func @chain
// CHECK:         %[[B:.*]] = memref.alloc(%arg1)
// CHECK:         scf.for %[[I:.*]] = %c0 to %arg1 step %c1 {
// CHECK-NEXT:      %[[X:.*]] = memref.load %arg0[%[[I]]]
// CHECK-NEXT:      %[[Y:.*]] = arith.mulf %[[X]], %[[X]]
// CHECK-NEXT:      %[[Z:.*]] = arith.addf %[[Y]], %[[X]]
// CHECK-NEXT:      memref.store %[[Z]], %[[B]][%[[I]]]
// CHECK-NEXT:    }
// CHECK-NEXT:    return %[[B]]
func.func @chain(%a: memref<?xf32>, %n: index) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %b = memref.alloc(%n) : memref<?xf32>
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<?xf32>
    %y = arith.mulf %x, %x : f32
    memref.store %y, %b[%i] : memref<?xf32>
  }
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %size = memref.dim %b, %zero : memref<?xf32>
  scf.for %i = %zero to %size step %one {
    %x = memref.load %b[%i] : memref<?xf32>
    %y = memref.load %a[%i] : memref<?xf32>
    %z = arith.addf %x, %y : f32
    memref.store %z, %b[%i] : memref<?xf32>
  }
  return %b : memref<?xf32>
}

// Buffers that only lead from one loop to the next one go away, so that the third loop becomes part
// of the others as well: no allocation must move over a free that remains.
// CHECK-LABEL: func.func @buffers
// CHECK-COUNT-1: memref.alloc
// CHECK:         scf.for
// CHECK-NEXT:      memref.load
// CHECK-NEXT:      arith.mulf
// CHECK-NEXT:      arith.addf
// CHECK-NEXT:      arith.subf
// CHECK-NEXT:      memref.store
// CHECK-NEXT:    }
// CHECK-NEXT:    return
func.func @buffers(%a: memref<?xf32>, %n: index) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %b = memref.alloc(%n) : memref<?xf32>
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<?xf32>
    %y = arith.mulf %x, %x : f32
    memref.store %y, %b[%i] : memref<?xf32>
  }
  %d = memref.dim %b, %c0 : memref<?xf32>
  %c = memref.alloc(%d) : memref<?xf32>
  scf.for %i = %c0 to %d step %c1 {
    %x = memref.load %b[%i] : memref<?xf32>
    %y = arith.addf %x, %x : f32
    memref.store %y, %c[%i] : memref<?xf32>
  }
  memref.dealloc %b : memref<?xf32>
  %d2 = memref.dim %c, %c0 : memref<?xf32>
  %e = memref.alloc(%d2) : memref<?xf32>
  scf.for %i = %c0 to %d2 step %c1 {
    %x = memref.load %c[%i] : memref<?xf32>
    %y = arith.subf %x, %x : f32
    memref.store %y, %e[%i] : memref<?xf32>
  }
  memref.dealloc %c : memref<?xf32>
  return %e : memref<?xf32>
}

// The free of a buffer that is read elsewhere stays, and what is allocated behind it stays behind it.
// CHECK-LABEL: func.func @peak
// CHECK:         memref.alloc
// CHECK:         scf.for
// CHECK:         memref.dealloc
// CHECK-NEXT:    memref.alloc
// CHECK-NEXT:    scf.for
func.func @peak(%a: memref<?xf32>, %n: index) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %b = memref.alloc(%n) : memref<?xf32>
  func.call @look(%b) : (memref<?xf32>) -> ()
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<?xf32>
    memref.store %x, %b[%i] : memref<?xf32>
  }
  memref.dealloc %b : memref<?xf32>
  %c = memref.alloc(%n) : memref<?xf32>
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<?xf32>
    memref.store %x, %c[%i] : memref<?xf32>
  }
  return %c : memref<?xf32>
}
func.func private @look(memref<?xf32>)

// Buffers that may overlap are compared; if they do, the loops run as they were.
// CHECK-LABEL: func.func @unknown
// CHECK:         %[[APART:.*]] = arith.ori
// CHECK:         scf.if %[[APART]] {
// CHECK-NEXT:      scf.for
// CHECK-NEXT:        %[[X:.*]] = memref.load %arg0
// CHECK-NEXT:        %[[Y:.*]] = arith.mulf %[[X]], %[[X]]
// CHECK-NEXT:        %[[Z:.*]] = arith.addf %[[Y]], %[[X]]
// CHECK-NEXT:        memref.store %[[Z]], %arg1
// CHECK-NEXT:      } {freehold.disjoint}
// CHECK-NEXT:    } else {
// CHECK-NEXT:      scf.for
// CHECK:           } {freehold.fused}
// CHECK-NEXT:      scf.for
// CHECK:           } {freehold.fused}
// CHECK-NEXT:    }
// CHECK-NEXT:    return
func.func @unknown(%a: memref<?xf32>, %b: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<?xf32>
    %y = arith.mulf %x, %x : f32
    memref.store %y, %b[%i] : memref<?xf32>
  }
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %b[%i] : memref<?xf32>
    %y = memref.load %a[%i] : memref<?xf32>
    %z = arith.addf %x, %y : f32
    memref.store %z, %b[%i] : memref<?xf32>
  }
  return
}

// Nests, from the outside in: the counter need not be the last subscript.
// CHECK-LABEL: func.func @nests
// CHECK:         scf.for %[[I:.*]] =
// CHECK-NEXT:      scf.for %[[J:.*]] =
// CHECK-NEXT:        %[[X:.*]] = memref.load %arg0[%[[I]], %[[J]]]
// CHECK-NEXT:        %[[Y:.*]] = arith.mulf %[[X]], %[[X]]
// CHECK-NEXT:        memref.store %[[Y]], %{{.*}}[%[[I]], %[[J]]]
// CHECK-NEXT:        %[[Z:.*]] = arith.addf %[[X]], %[[Y]]
// CHECK-NEXT:        memref.store %[[Z]], %{{.*}}[%[[I]], %[[J]]]
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:    return
func.func @nests(%a: memref<?x8xf32>, %n: index) -> (memref<?x8xf32>, memref<?x8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %b = memref.alloc(%n) : memref<?x8xf32>
  %c = memref.alloc(%n) : memref<?x8xf32>
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %c8 step %c1 {
      %x = memref.load %a[%i, %j] : memref<?x8xf32>
      %y = arith.mulf %x, %x : f32
      memref.store %y, %b[%i, %j] : memref<?x8xf32>
    }
  }
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %c8 step %c1 {
      %x = memref.load %a[%i, %j] : memref<?x8xf32>
      %y = memref.load %b[%i, %j] : memref<?x8xf32>
      %z = arith.addf %x, %y : f32
      memref.store %z, %c[%i, %j] : memref<?x8xf32>
    }
  }
  return %b, %c : memref<?x8xf32>, memref<?x8xf32>
}

// A row is summed up before it is divided: only the loops around become one.
// CHECK-LABEL: func.func @rows
// CHECK:         scf.for
// CHECK-NEXT:      scf.for
// CHECK:           }
// CHECK-NEXT:      scf.for
// CHECK:           }
// CHECK-NEXT:    }
// CHECK-NEXT:    return
func.func @rows(%n: index, %m: index) -> (memref<?xf32>, memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = memref.alloc(%n) : memref<?xf32>
  %a = memref.alloc(%n, %m) : memref<?x?xf32>
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %m step %c1 {
      %x = memref.load %a[%i, %j] : memref<?x?xf32>
      %t = memref.load %s[%i] : memref<?xf32>
      %y = arith.addf %x, %t : f32
      memref.store %y, %s[%i] : memref<?xf32>
    }
  }
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %m step %c1 {
      %x = memref.load %a[%i, %j] : memref<?x?xf32>
      %t = memref.load %s[%i] : memref<?xf32>
      %y = arith.divf %x, %t : f32
      memref.store %y, %a[%i, %j] : memref<?x?xf32>
    }
  }
  return %s, %a : memref<?xf32>, memref<?x?xf32>
}

// Both carry a value. What is made of the first result stays behind the loop.
// CHECK-LABEL: func.func @carried
// CHECK:         %[[R:.*]]:2 = scf.for {{.*}} iter_args(%[[P:.*]] = %arg3, %[[Q:.*]] = %arg3) -> (i32, i32) {
// CHECK-NEXT:      %[[X:.*]] = memref.load %arg0
// CHECK-NEXT:      memref.store %[[X]], %arg1
// CHECK-NEXT:      %[[Y:.*]] = arith.addi %[[X]], %[[P]]
// CHECK-NEXT:      %[[Z:.*]] = arith.muli %[[X]], %[[Q]]
// CHECK-NEXT:      scf.yield %[[Y]], %[[Z]]
// CHECK-NEXT:    }
// CHECK-NEXT:    %[[T:.*]] = arith.addi %[[R]]#0, %arg3
// CHECK-NEXT:    return %[[T]], %[[R]]#1
func.func @carried(%a: memref<?xi32>, %b: memref<?xi32>, %n: index, %z: i32) -> (i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%p = %z) -> (i32) {
    %x = memref.load %a[%i] : memref<?xi32>
    memref.store %x, %b[%i] : memref<?xi32>
    %y = arith.addi %x, %p : i32
    scf.yield %y : i32
  }
  %t = arith.addi %s, %z : i32
  %u = scf.for %i = %c0 to %n step %c1 iter_args(%p = %z) -> (i32) {
    %x = memref.load %b[%i] : memref<?xi32>
    %y = arith.muli %x, %p : i32
    scf.yield %y : i32
  }
  return %t, %u : i32, i32
}

// Carried values with buffers to compare: both branches have them.
// CHECK-LABEL: func.func @carried_unknown
// CHECK:         %[[R:.*]]:2 = scf.if %{{.*}} -> (i32, i32) {
// CHECK-NEXT:      %[[F:.*]]:2 = scf.for
// CHECK:           scf.yield %[[F]]#0, %[[F]]#1
// CHECK-NEXT:    } else {
// CHECK-NEXT:      %[[S:.*]] = scf.for
// CHECK:           %[[U:.*]] = scf.for
// CHECK:           scf.yield %[[S]], %[[U]]
// CHECK-NEXT:    }
// CHECK-NEXT:    return %[[R]]#0, %[[R]]#1
func.func @carried_unknown(%a: memref<?xi32>, %b: memref<?xi32>, %n: index, %z: i32) -> (i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%p = %z) -> (i32) {
    %x = memref.load %a[%i] : memref<?xi32>
    %y = arith.addi %x, %p : i32
    scf.yield %y : i32
  }
  %u = scf.for %i = %c0 to %n step %c1 iter_args(%p = %z) -> (i32) {
    %x = memref.load %a[%i] : memref<?xi32>
    %y = arith.muli %x, %p : i32
    memref.store %x, %b[%i] : memref<?xi32>
    scf.yield %y : i32
  }
  return %s, %u : i32, i32
}

// Rows of known strides that are not neighbours: all other subscripts must be the same.
// CHECK-LABEL: func.func @strided
// CHECK-COUNT-1: scf.for
// CHECK-NOT:     scf.for
// CHECK:         return
func.func @strided(%a: memref<?x8xf32, strided<[?, 2], offset: ?>>, %row: index, %n: index, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    memref.store %f, %a[%row, %i] : memref<?x8xf32, strided<[?, 2], offset: ?>>
  }
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%row, %i] : memref<?x8xf32, strided<[?, 2], offset: ?>>
    %y = arith.addf %x, %x : f32
    memref.store %y, %a[%row, %i] : memref<?x8xf32, strided<[?, 2], offset: ?>>
  }
  return
}

// Pairs that stay two loops each. A dependence would be turned around:
// the second loop reads what a later iteration of the first one stores,
// CHECK-LABEL: func.func @reads_later
// CHECK-COUNT-2: scf.for
func.func @reads_later(%a: memref<?xf32>, %n: index, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    memref.store %f, %a[%i] : memref<?xf32>
  }
  scf.for %i = %c0 to %n step %c1 {
    %j = arith.addi %i, %c1 : index
    %x = memref.load %a[%j] : memref<?xf32>
    memref.store %x, %a[%j] : memref<?xf32>
  }
  return
}

// or stores what a later one reads,
// CHECK-LABEL: func.func @stores_later
// CHECK-COUNT-2: scf.for
func.func @stores_later(%a: memref<?xf32>, %n: index, %f: f32) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %b = memref.alloc(%n) : memref<?xf32>
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<?xf32>
    memref.store %x, %b[%i] : memref<?xf32>
  }
  scf.for %i = %c0 to %n step %c1 {
    %j = arith.addi %i, %c1 : index
    memref.store %f, %a[%j] : memref<?xf32>
  }
  return %b : memref<?xf32>
}

// or all elements are in one place, because the stride may be zero,
// CHECK-LABEL: func.func @stride
// CHECK-COUNT-2: scf.for
func.func @stride(%a: memref<?xf32, strided<[?], offset: ?>>, %n: index, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<?xf32, strided<[?], offset: ?>>
    %y = arith.addf %x, %f : f32
    memref.store %y, %a[%i] : memref<?xf32, strided<[?], offset: ?>>
  }
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<?xf32, strided<[?], offset: ?>>
    %y = arith.mulf %x, %f : f32
    memref.store %y, %a[%i] : memref<?xf32, strided<[?], offset: ?>>
  }
  return
}

// or rows may share elements.
// CHECK-LABEL: func.func @other_row
// CHECK-COUNT-2: scf.for
func.func @other_row(%a: memref<?x8xf32, strided<[?, 1], offset: ?>>, %p: index, %q: index, %n: index, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    memref.store %f, %a[%p, %i] : memref<?x8xf32, strided<[?, 1], offset: ?>>
  }
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%q, %i] : memref<?x8xf32, strided<[?, 1], offset: ?>>
    memref.store %x, %a[%q, %i] : memref<?x8xf32, strided<[?, 1], offset: ?>>
  }
  return
}

// The second loop needs the result of the first one, directly or not.
// CHECK-LABEL: func.func @result
// CHECK-COUNT-2: scf.for
func.func @result(%a: memref<?xi32>, %n: index, %z: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%p = %z) -> (i32) {
    %x = memref.load %a[%i] : memref<?xi32>
    %y = arith.addi %x, %p : i32
    scf.yield %y : i32
  }
  %t = arith.addi %s, %z : i32
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<?xi32>
    %y = arith.addi %x, %t : i32
    memref.store %y, %a[%i] : memref<?xi32>
  }
  return
}

// Other ranges.
// CHECK-LABEL: func.func @ranges
// CHECK-COUNT-3: scf.for
func.func @ranges(%a: memref<?xf32>, %n: index, %m: index, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    memref.store %f, %a[%i] : memref<?xf32>
  }
  scf.for %i = %c1 to %n step %c1 {
    memref.store %f, %a[%i] : memref<?xf32>
  }
  scf.for %i = %c1 to %m step %c1 {
    memref.store %f, %a[%i] : memref<?xf32>
  }
  return
}

// Something else happens: inside, or between.
// CHECK-LABEL: func.func @effects
// CHECK-COUNT-3: scf.for
func.func @effects(%a: memref<?xf32>, %n: index, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    memref.store %f, %a[%i] : memref<?xf32>
    func.call @anything() : () -> ()
  }
  scf.for %i = %c0 to %n step %c1 {
    memref.store %f, %a[%i] : memref<?xf32>
  }
  func.call @anything() : () -> ()
  scf.for %i = %c0 to %n step %c1 {
    memref.store %f, %a[%i] : memref<?xf32>
  }
  return
}
func.func private @anything()

// A load between them from where the first one stores.
// CHECK-LABEL: func.func @load_between
// CHECK:         scf.for
// CHECK:         memref.load %arg0[%c0]
// CHECK:         scf.for
func.func @load_between(%a: memref<?xf32>, %n: index, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    memref.store %f, %a[%i] : memref<?xf32>
  }
  %x = memref.load %a[%c0] : memref<?xf32>
  scf.for %i = %c0 to %n step %c1 {
    memref.store %x, %a[%i] : memref<?xf32>
  }
  return
}

// Of these, one cannot run in vectors, and keeps the other one from it.
// CHECK-LABEL: func.func @vectors
// CHECK-COUNT-2: scf.for
func.func @vectors(%a: memref<?xf64>, %n: index, %f: f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    memref.store %f, %a[%i] : memref<?xf64>
  }
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<?xf64>
    %y = math.atan %x : f64
    memref.store %y, %a[%i] : memref<?xf64>
  }
  return
}

// Elementary functions will be arithmetic, which runs in vectors.
// CHECK-LABEL: func.func @functions
// CHECK-COUNT-1: scf.for
// CHECK-NOT:     scf.for
// CHECK:         return
func.func @functions(%a: memref<?xf32>, %n: index, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    memref.store %f, %a[%i] : memref<?xf32>
  }
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<?xf32>
    %y = math.exp %x : f32
    memref.store %y, %a[%i] : memref<?xf32>
  }
  return
}

// What is filled for a loop behind goes before both.
// CHECK-LABEL: func.func @filled_between
// CHECK:         %[[S:.*]] = memref.alloc() : memref<8xf32>
// CHECK:         scf.for
// CHECK-NEXT:      memref.store %{{.*}}, %[[S]]
// CHECK:         scf.for
// CHECK-NEXT:      scf.for
// CHECK-NOT:       memref.store %{{.*}} : memref<?x8xf32>
// CHECK:           memref.store %{{.*}}, %[[S]]
// CHECK-NOT:     scf.for
// CHECK:         return %[[S]]
func.func @filled_between(%a: memref<?x8xf32>, %n: index, %f: f32) -> memref<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %t = memref.alloc(%n) : memref<?x8xf32>
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %c8 step %c1 {
      %x = memref.load %a[%i, %j] : memref<?x8xf32>
      %y = arith.mulf %x, %x : f32
      memref.store %y, %t[%i, %j] : memref<?x8xf32>
    }
  }
  %s = memref.alloc() : memref<8xf32>
  scf.for %j = %c0 to %c8 step %c1 {
    memref.store %f, %s[%j] : memref<8xf32>
  }
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %c8 step %c1 {
      %x = memref.load %t[%i, %j] : memref<?x8xf32>
      %y = memref.load %s[%j] : memref<8xf32>
      %z = arith.addf %x, %y : f32
      memref.store %z, %s[%j] : memref<8xf32>
    }
  }
  memref.dealloc %t : memref<?x8xf32>
  return %s : memref<8xf32>
}

// Nothing in common; or all of a matrix in each iteration.
// CHECK-LABEL: func.func @not_worth_it
// CHECK-COUNT-8: scf.for
func.func @not_worth_it(%a: memref<64x64xf32>, %v: memref<64xf32>, %f: f32) -> (memref<64x64xf32>, memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %s = memref.alloc() : memref<64x64xf32>
  %t = memref.alloc() : memref<64xf32>
  scf.for %i = %c0 to %c64 step %c1 {
    memref.store %f, %v[%i] : memref<64xf32>
  }
  scf.for %i = %c0 to %c64 step %c1 {
    memref.store %f, %t[%i] : memref<64xf32>
  }
  scf.for %i = %c0 to %c64 step %c1 {
    scf.for %j = %c0 to %c64 step %c1 {
      scf.for %k = %c0 to %c64 step %c1 {
        %x = memref.load %a[%k, %j] : memref<64x64xf32>
        memref.store %x, %s[%i, %j] : memref<64x64xf32>
      }
    }
  }
  scf.for %i = %c0 to %c64 step %c1 {
    scf.for %j = %c0 to %c64 step %c1 {
      scf.for %k = %c0 to %c64 step %c1 {
        %x = memref.load %a[%j, %k] : memref<64x64xf32>
        memref.store %x, %s[%i, %j] : memref<64x64xf32>
      }
    }
  }
  return %s, %t : memref<64x64xf32>, memref<64xf32>
}

// Sums that start with what a loop of its own fills in become one nest, each with its first value.
// CHECK-LABEL: func.func @sums
// CHECK:         scf.for %[[I:.*]] = %c0 to %arg1
// CHECK-NEXT:      memref.store %arg2, %[[S:.*]][%[[I]]]
// CHECK-NEXT:      memref.store %cst, %[[T:.*]][%[[I]]]
// CHECK-NEXT:      scf.for
// CHECK-COUNT-2:     memref.store
// CHECK:         return %[[S]], %[[T]]
func.func @sums(%a: memref<?x64xf32>, %n: index, %f: f32) -> (memref<?xf32>, memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %one = arith.constant 1.0 : f32
  %s = memref.alloc(%n) : memref<?xf32>
  scf.for %i = %c0 to %n step %c1 {
    memref.store %f, %s[%i] : memref<?xf32>
  }
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %c64 step %c1 {
      %x = memref.load %a[%i, %j] : memref<?x64xf32>
      %y = memref.load %s[%i] : memref<?xf32>
      %z = arith.addf %x, %y : f32
      memref.store %z, %s[%i] : memref<?xf32>
    }
  }
  %t = memref.alloc(%n) : memref<?xf32>
  scf.for %i = %c0 to %n step %c1 {
    memref.store %one, %t[%i] : memref<?xf32>
  }
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %c64 step %c1 {
      %x = memref.load %a[%i, %j] : memref<?x64xf32>
      %y = memref.load %t[%i] : memref<?xf32>
      %z = arith.mulf %x, %y : f32
      memref.store %z, %t[%i] : memref<?xf32>
    }
  }
  return %s, %t : memref<?xf32>, memref<?xf32>
}

// Not if the elements of several sums are neighbours, if the ranges differ, or if the buffer is read in between.
// CHECK-LABEL: func.func @sums_of_columns
// CHECK-COUNT-8: scf.for
func.func @sums_of_columns(%a: memref<64x64xf32>, %n: index, %f: f32, %g: memref<64xf32>) -> (memref<64xf32>, memref<64xf32>, memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %s = memref.alloc() : memref<64xf32>
  scf.for %i = %c0 to %c64 step %c1 {
    memref.store %f, %s[%i] : memref<64xf32>
  }
  scf.for %i = %c0 to %c64 step %c1 {
    scf.for %j = %c0 to %c64 step %c1 {
      %x = memref.load %a[%j, %i] : memref<64x64xf32>
      %y = memref.load %s[%i] : memref<64xf32>
      %z = arith.addf %x, %y : f32
      memref.store %z, %s[%i] : memref<64xf32>
    }
  }
  %t = memref.alloc() : memref<64xf32>
  scf.for %i = %c0 to %c64 step %c1 {
    memref.store %f, %t[%i] : memref<64xf32>
  }
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %c64 step %c1 {
      %x = memref.load %g[%j] : memref<64xf32>
      %y = memref.load %t[%i] : memref<64xf32>
      %z = arith.addf %x, %y : f32
      memref.store %z, %t[%i] : memref<64xf32>
    }
  }
  %u = memref.alloc() : memref<64xf32>
  scf.for %i = %c0 to %c64 step %c1 {
    memref.store %f, %u[%i] : memref<64xf32>
  }
  memref.copy %u, %g : memref<64xf32> to memref<64xf32>
  scf.for %i = %c0 to %c64 step %c1 {
    scf.for %j = %c0 to %c64 step %c1 {
      %x = memref.load %a[%i, %j] : memref<64x64xf32>
      %y = memref.load %u[%i] : memref<64xf32>
      %z = arith.addf %x, %y : f32
      memref.store %z, %u[%i] : memref<64xf32>
    }
  }
  return %s, %t, %u : memref<64xf32>, memref<64xf32>, memref<64xf32>
}

// An allocation moves over a free if a buffer of which each iteration needs a part of its own is larger: that goes away here.
// CHECK-LABEL: func.func @contracted(
// CHECK-COUNT-2: memref.alloc()
// CHECK-NEXT:    scf.for
// CHECK:           scf.for
// CHECK-NOT:     scf.for
// CHECK:         memref.dealloc
// CHECK:         return
func.func @contracted(%a: memref<8x8xf32>, %f: f32) -> memref<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %b = memref.alloc() : memref<8x8xf32>
  %t = memref.alloc() : memref<8xf32>
  scf.for %i = %c0 to %c8 step %c1 {
    memref.store %f, %t[%i] : memref<8xf32>
    scf.for %j = %c0 to %c8 step %c1 {
      %x = memref.load %a[%i, %j] : memref<8x8xf32>
      memref.store %x, %b[%i, %j] : memref<8x8xf32>
      %y = memref.load %t[%i] : memref<8xf32>
      %z = arith.maximumf %x, %y : f32
      memref.store %z, %t[%i] : memref<8xf32>
    }
  }
  memref.dealloc %t : memref<8xf32>
  %s = memref.alloc() : memref<8xf32>
  scf.for %i = %c0 to %c8 step %c1 {
    memref.store %f, %s[%i] : memref<8xf32>
    scf.for %j = %c0 to %c8 step %c1 {
      %x = memref.load %b[%i, %j] : memref<8x8xf32>
      %y = memref.load %s[%i] : memref<8xf32>
      %z = arith.addf %x, %y : f32
      memref.store %z, %s[%i] : memref<8xf32>
    }
  }
  memref.dealloc %b : memref<8x8xf32>
  return %s : memref<8xf32>
}

// Not if that buffer is needed behind the loops as well.
// CHECK-LABEL: func.func @kept_for_later(
// CHECK-COUNT-2: scf.for
// CHECK:         memref.dealloc
// CHECK:         memref.alloc()
// CHECK-COUNT-2: scf.for
func.func @kept_for_later(%a: memref<8x8xf32>, %f: f32) -> memref<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %b = memref.alloc() : memref<8x8xf32>
  %t = memref.alloc() : memref<8xf32>
  scf.for %i = %c0 to %c8 step %c1 {
    memref.store %f, %t[%i] : memref<8xf32>
    scf.for %j = %c0 to %c8 step %c1 {
      %x = memref.load %a[%i, %j] : memref<8x8xf32>
      memref.store %x, %b[%i, %j] : memref<8x8xf32>
      %y = memref.load %t[%i] : memref<8xf32>
      %z = arith.maximumf %x, %y : f32
      memref.store %z, %t[%i] : memref<8xf32>
    }
  }
  memref.dealloc %t : memref<8xf32>
  %s = memref.alloc() : memref<8xf32>
  scf.for %i = %c0 to %c8 step %c1 {
    memref.store %f, %s[%i] : memref<8xf32>
    scf.for %j = %c0 to %c8 step %c1 {
      %x = memref.load %b[%i, %j] : memref<8x8xf32>
      %y = memref.load %s[%i] : memref<8xf32>
      %z = arith.addf %x, %y : f32
      memref.store %z, %s[%i] : memref<8xf32>
    }
  }
  %last = memref.load %b[%c1, %c1] : memref<8x8xf32>
  memref.store %last, %s[%c0] : memref<8xf32>
  memref.dealloc %b : memref<8x8xf32>
  return %s : memref<8xf32>
}

// Nor if it is smaller than what is allocated.
// CHECK-LABEL: func.func @larger(
// CHECK:         scf.for
// CHECK:         memref.dealloc
// CHECK:         memref.alloc()
// CHECK:         scf.for
func.func @larger(%a: memref<8xf32>, %f: f32) -> memref<8x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %b = memref.alloc() : memref<8xf32>
  %t = memref.alloc() : memref<8xf32>
  scf.for %i = %c0 to %c8 step %c1 {
    %x = memref.load %a[%i] : memref<8xf32>
    memref.store %x, %b[%i] : memref<8xf32>
    %y = memref.load %t[%i] : memref<8xf32>
    %z = arith.addf %x, %y : f32
    memref.store %z, %t[%i] : memref<8xf32>
  }
  memref.dealloc %t : memref<8xf32>
  %s = memref.alloc() : memref<8x8xf32>
  scf.for %i = %c0 to %c8 step %c1 {
    %x = memref.load %b[%i] : memref<8xf32>
    memref.store %x, %s[%c1, %i] : memref<8x8xf32>
  }
  memref.dealloc %b : memref<8xf32>
  return %s : memref<8x8xf32>
}

// Nor if a row that is stored would be added up by itself, which waits for each addition.
// CHECK-LABEL: func.func @added_up(
// CHECK:         scf.for
// CHECK:         memref.dealloc
// CHECK:         memref.alloc()
// CHECK:         scf.for
func.func @added_up(%a: memref<64x64xf32>, %f: f32) -> memref<64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %b = memref.alloc() : memref<64x64xf32>
  %t = memref.alloc() : memref<64xf32>
  memref.store %f, %t[%c0] : memref<64xf32>
  scf.for %i = %c0 to %c64 step %c1 {
    scf.for %j = %c0 to %c64 step %c1 {
      %x = memref.load %a[%i, %j] : memref<64x64xf32>
      %y = memref.load %t[%j] : memref<64xf32>
      %z = arith.mulf %x, %y : f32
      memref.store %z, %b[%i, %j] : memref<64x64xf32>
    }
  }
  memref.dealloc %t : memref<64xf32>
  %s = memref.alloc() : memref<64xf32>
  scf.for %i = %c0 to %c64 step %c1 {
    memref.store %f, %s[%i] : memref<64xf32>
    scf.for %j = %c0 to %c64 step %c1 {
      %x = memref.load %b[%i, %j] : memref<64x64xf32>
      %y = memref.load %s[%i] : memref<64xf32>
      %z = arith.maximumf %x, %y : f32
      memref.store %z, %s[%i] : memref<64xf32>
    }
  }
  memref.dealloc %b : memref<64x64xf32>
  return %s : memref<64xf32>
}

// What is transposed, block by block, stays a nest of its own: rows of it would be columns of what it reads.
// CHECK-LABEL: func.func @transposed
// CHECK:         scf.for
// CHECK-NEXT:      scf.for
// CHECK:           }
// CHECK-NEXT:    }
// CHECK-NEXT:    scf.for
// CHECK-NEXT:      scf.for
func.func @transposed(%a: memref<200x200xf32>, %f: f32) -> memref<200x200xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c200 = arith.constant 200 : index
  %r = memref.alloc() : memref<200x200xf32>
  scf.for %i = %c0 to %c200 step %c1 {
    scf.for %j = %c0 to %c200 step %c1 {
      %x = memref.load %a[%j, %i] : memref<200x200xf32>
      memref.store %x, %r[%i, %j] : memref<200x200xf32>
    }
  }
  scf.for %i = %c0 to %c200 step %c1 {
    scf.for %j = %c0 to %c200 step %c1 {
      %x = memref.load %r[%i, %j] : memref<200x200xf32>
      %y = arith.addf %x, %f : f32
      memref.store %y, %r[%i, %j] : memref<200x200xf32>
    }
  }
  return %r : memref<200x200xf32>
}
