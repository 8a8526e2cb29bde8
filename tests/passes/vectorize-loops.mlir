// RUN: freehold opt %s --vectorize-loops --canonicalize --cse | FileCheck %s

// Four registers in an iteration as long as there are so many elements, the rest one by one, and
// before them, of many, as many as there are until stores are aligned. What is not known to be apart is compared
// first.
// CHECK-LABEL: func.func @saxpy
// CHECK-SAME:    (%[[A:.*]]: memref<?xf32>, %[[B:.*]]: memref<?xf32>, %[[F:.*]]: f32, %[[N:.*]]: index)
// CHECK-DAG:     %[[A_AT:.*]] = memref.extract_aligned_pointer_as_index %[[A]]
// CHECK-DAG:     %[[B_AT:.*]] = memref.extract_aligned_pointer_as_index %[[B]]
// CHECK:         %[[ONE_WAY:.*]] = arith.cmpi ule
// CHECK:         %[[OTHER_WAY:.*]] = arith.cmpi ule
// CHECK:         %[[APART:.*]] = arith.ori %[[ONE_WAY]], %[[OTHER_WAY]]
// CHECK:         %[[NEGATED:.*]] = arith.subi %c0, %[[B_AT]]
// CHECK:         %[[BYTES:.*]] = arith.andi %[[NEGATED]], %c15
// CHECK:         %[[PEELED:.*]] = arith.shrui %[[BYTES]], %c2
// CHECK:         %[[REST:.*]] = arith.andi %[[BYTES]], %c3
// CHECK:         %[[REACHED:.*]] = arith.cmpi eq, %[[REST]], %c0
// CHECK:         %[[SOME:.*]] = arith.select %[[REACHED]], %[[PEELED]], %c0
// CHECK:         %[[ALL:.*]] = arith.maxsi %[[N]], %c0
// CHECK:         %[[MANY:.*]] = arith.cmpi uge, %[[ALL]], %c64
// CHECK:         %[[FIRST:.*]] = arith.select %[[MANY]], %[[SOME]], %c0
// CHECK:         scf.for %{{.*}} = %c0 to %[[FIRST]] step %c1 {
// CHECK:           memref.load
// CHECK:         } {freehold.vectorized}
// CHECK:         %[[END:.*]] = arith.maxsi %[[N]], %[[FIRST]]
// CHECK:         %[[LEFT:.*]] = arith.subi %[[END]], %[[FIRST]]
// CHECK:         %[[WHOLE:.*]] = arith.andi %[[LEFT]], %c-16
// CHECK:         %[[LENGTH:.*]] = arith.select %[[APART]], %[[WHOLE]], %c0
// CHECK:         %[[MIDDLE:.*]] = arith.addi %[[FIRST]], %[[LENGTH]]
// CHECK:         scf.for %[[I:.*]] = %[[FIRST]] to %[[MIDDLE]] step %c16 {
// CHECK:           %[[X:.*]] = vector.load %[[A]][%[[I]]] : memref<?xf32>, vector<4xf32>
// CHECK:           %[[Y:.*]] = vector.load %[[B]][%[[I]]] : memref<?xf32>, vector<4xf32>
// CHECK:           %[[FS:.*]] = vector.broadcast %[[F]] : f32 to vector<4xf32>
// CHECK:           %[[S:.*]] = arith.mulf %[[X]], %[[FS]] : vector<4xf32>
// CHECK:           %[[R:.*]] = arith.addf %[[S]], %[[Y]] : vector<4xf32>
// CHECK:           vector.store %[[R]], %[[B]][%[[I]]] : memref<?xf32>, vector<4xf32>
// CHECK:           %[[I4:.*]] = arith.addi %[[I]], %c4
// CHECK:           vector.load %[[A]][%[[I4]]]
// CHECK:           vector.store %{{.*}}, %[[B]][%[[I4]]]
// CHECK:           %[[I8:.*]] = arith.addi %[[I]], %c8
// CHECK:           vector.store %{{.*}}, %[[B]][%[[I8]]]
// CHECK:           %[[I12:.*]] = arith.addi %[[I]], %c12
// CHECK:           vector.store %{{.*}}, %[[B]][%[[I12]]]
// CHECK-NOT:       vector.store
// CHECK:         } {freehold.disjoint, freehold.vectorized}
// CHECK:         scf.for %{{.*}} = %[[MIDDLE]] to %[[N]] step %c1 {
// CHECK:           memref.load
func.func @saxpy(%a: memref<?xf32>, %b: memref<?xf32>, %f: f32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<?xf32>
    %y = memref.load %b[%i] : memref<?xf32>
    %s = arith.mulf %x, %f : f32
    %r = arith.addf %s, %y : f32
    memref.store %r, %b[%i] : memref<?xf32>
  }
  return
}

// Nothing is left over, nothing to be compared: one loop.
// CHECK-LABEL: func.func @known
// CHECK-NOT:     arith.cmpi
// CHECK:         scf.for %{{.*}} = %c0 to %c64 step %c8
// CHECK:           vector.load %arg0[%{{.*}}] : memref<64xf64>, vector<2xf64>
// CHECK:           vector.store
// CHECK-NOT:     scf.for
// CHECK:         return
func.func @known(%a: memref<64xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %m = memref.alloc() : memref<64xf64>
  scf.for %i = %c0 to %c64 step %c1 {
    %x = memref.load %a[%i] : memref<64xf64>
    %y = math.sqrt %x : f64
    memref.store %y, %m[%i] : memref<64xf64>
  }
  memref.dealloc %m : memref<64xf64>
  return
}

// Where stores begin is known in an allocation: two elements before an aligned one.
// CHECK-LABEL: func.func @aligned_in_row
// CHECK-NOT:     memref.extract_aligned_pointer_as_index
// CHECK:         scf.for %{{.*}} = %c2 to %c4 step %c1 {
// CHECK:         scf.for %{{.*}} = %c4 to %c244 step %c16 {
// CHECK:         vector.store %{{.*}}, %{{.*}}[%{{.*}}, %c244]
// CHECK:         scf.for %{{.*}} = %c248 to %c250 step %c1 {
// CHECK:         memref.dealloc
func.func @aligned_in_row(%a: memref<8x256xf32>, %i: index) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c250 = arith.constant 250 : index
  %m = memref.alloc() : memref<8x256xf32>
  scf.for %j = %c2 to %c250 step %c1 {
    %x = memref.load %a[%i, %j] : memref<8x256xf32>
    memref.store %x, %m[%i, %j] : memref<8x256xf32>
  }
  memref.dealloc %m : memref<8x256xf32>
  return
}

// The sum of a product of matrices is computed for several columns at once; the rest of the
// columns in narrow vectors. Neighbours of the input may be read at any shift.
// CHECK-LABEL: func.func @matmul
// CHECK:         scf.for %[[I:.*]] = %c0 to %c40
// CHECK:           scf.for %[[J:.*]] = %c0 to %c32 step %c16 {
// CHECK:             scf.for %[[K:.*]] = %c0 to %c40
// CHECK-DAG:           %[[A:.*]] = memref.load %arg0[%[[I]], %[[K]]]
// CHECK-DAG:           %[[B:.*]] = vector.load %arg1[%[[K]], %[[J]]] : memref<40x40xf32>, vector<16xf32>
// CHECK-DAG:           %[[C:.*]] = vector.load %[[OUT:.*]][%[[I]], %[[J]]] : memref<40x40xf32>, vector<16xf32>
// CHECK:               vector.store %{{.*}}, %[[OUT]][%[[I]], %[[J]]]
// CHECK:           scf.for %{{.*}} = %c32 to %c40 step %c4 {
// CHECK:               vector.store %{{.*}} : memref<40x40xf32>, vector<4xf32>
// CHECK-NOT:     memref.store
// CHECK:         return
func.func @matmul(%a: memref<40x40xf32>, %b: memref<40x40xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 40 : index
  %c = memref.alloc() : memref<40x40xf32>
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      scf.for %k = %c0 to %n step %c1 {
        %x = memref.load %a[%i, %k] : memref<40x40xf32>
        %y = memref.load %b[%k, %j] : memref<40x40xf32>
        %z = memref.load %c[%i, %j] : memref<40x40xf32>
        %p = arith.mulf %x, %y : f32
        %s = arith.addf %z, %p : f32
        memref.store %s, %c[%i, %j] : memref<40x40xf32>
      }
    }
  }
  memref.dealloc %c : memref<40x40xf32>
  return
}

// An inner loop that will be written out leaves one register per iteration.
// CHECK-LABEL: func.func @window
// CHECK:         scf.for %[[J:.*]] = %c0 to %c32 step %c4 {
// CHECK:           scf.for %{{.*}} = %c0 to %c3
// CHECK:             vector.store %{{.*}} : memref<32xf32>, vector<4xf32>
// CHECK-NOT:     scf.for
// CHECK:         return
func.func @window(%a: memref<34xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %n = arith.constant 32 : index
  %c = memref.alloc() : memref<32xf32>
  scf.for %j = %c0 to %n step %c1 {
    scf.for %k = %c0 to %c3 step %c1 {
      %at = arith.addi %j, %k : index
      %x = memref.load %a[%at] : memref<34xf32>
      %z = memref.load %c[%j] : memref<32xf32>
      %s = arith.addf %z, %x : f32
      memref.store %s, %c[%j] : memref<32xf32>
    }
  }
  memref.dealloc %c : memref<32xf32>
  return
}

// A loop may carry values through the ones inside: they are in vectors as well.
// CHECK-LABEL: func.func @carried
// CHECK:         %[[R:.*]] = scf.for {{.*}} iter_args(%[[SUM:.*]] = %{{.*}}) -> (vector<16xf32>) {
// CHECK:           scf.yield %{{.*}} : vector<16xf32>
// CHECK:         vector.store %[[R]]
func.func @carried(%a: memref<20x32xf32>, %c: memref<32xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c20 = arith.constant 20 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant 0.0 : f32
  scf.for %j = %c0 to %c32 step %c1 {
    %r = scf.for %i = %c0 to %c20 step %c1 iter_args(%sum = %zero) -> (f32) {
      %x = memref.load %a[%i, %j] : memref<20x32xf32>
      %next = arith.addf %sum, %x : f32
      scf.yield %next : f32
    }
    memref.store %r, %c[%j] : memref<32xf32>
  }
  return
}

// Integers may be added in any order: a sum per lane, then one of all.
// CHECK-LABEL: func.func @sum_of_integers
// CHECK:         %[[SUMS:.*]] = scf.for %[[I:.*]] = %c0 to %{{.*}} step %c16 iter_args(%[[S:.*]] = %{{.*}}) -> (vector<16xi32>) {
// CHECK:           %[[X:.*]] = vector.load %arg0[%[[I]]]
// CHECK:           %[[NEXT:.*]] = arith.addi %[[S]], %[[X]] : vector<16xi32>
// CHECK:           scf.yield %[[NEXT]]
// CHECK:         %[[TOTAL:.*]] = vector.reduction <add>, %[[SUMS]] : vector<16xi32> into i32
// CHECK:         %[[START:.*]] = arith.addi %arg1, %[[TOTAL]]
// CHECK:         scf.for {{.*}} iter_args(%{{.*}} = %[[START]]) -> (i32) {
// CHECK:         } {freehold.vectorized}
func.func @sum_of_integers(%a: memref<?xi32>, %first: i32, %n: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %first) -> (i32) {
    %x = memref.load %a[%i] : memref<?xi32>
    %next = arith.addi %sum, %x : i32
    scf.yield %next : i32
  }
  return %r : i32
}

// Products of narrow integers are added in pairs.
// CHECK-LABEL: func.func @dot
// CHECK:         scf.for {{.*}} step %c16 iter_args(%[[S:.*]] = %{{.*}}) -> (vector<8xi32>) {
// CHECK:           %[[A:.*]] = arith.extsi %{{.*}} : vector<16xi8> to vector<16xi32>
// CHECK:           %[[B:.*]] = arith.extui %{{.*}} : vector<16xi8> to vector<16xi32>
// CHECK:           %[[P:.*]] = arith.muli %[[A]], %[[B]] : vector<16xi32>
// CHECK:           %[[EVEN:.*]], %[[ODD:.*]] = vector.deinterleave %[[P]] : vector<16xi32> -> vector<8xi32>
// CHECK:           %[[PAIRS:.*]] = arith.addi %[[EVEN]], %[[ODD]] : vector<8xi32>
// CHECK:           arith.addi %[[S]], %[[PAIRS]] : vector<8xi32>
// CHECK:         vector.reduction <add>, %{{.*}} : vector<8xi32> into i32
func.func @dot(%a: memref<?xi8>, %b: memref<?xi8>, %n: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero) -> (i32) {
    %x = memref.load %a[%i] : memref<?xi8>
    %y = memref.load %b[%i] : memref<?xi8>
    %wide_x = arith.extsi %x : i8 to i32
    %wide_y = arith.extui %y : i8 to i32
    %p = arith.muli %wide_x, %wide_y : i32
    %next = arith.addi %sum, %p : i32
    scf.yield %next : i32
  }
  return %r : i32
}

// The largest number may be looked for from the first one in every lane.
// CHECK-LABEL: func.func @largest
// CHECK:         %[[FIRST:.*]] = vector.broadcast %arg1 : f64 to vector<8xf64>
// CHECK:         %[[MOST:.*]] = scf.for %{{.*}} = %c0 to %c64 step %c8 iter_args(%{{.*}} = %[[FIRST]])
// CHECK:         %[[R:.*]] = vector.reduction <maximumf>, %[[MOST]]
// CHECK:         return %[[R]]
func.func @largest(%a: memref<64xf64>, %first: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 64 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%most = %first) -> (f64) {
    %x = memref.load %a[%i] : memref<64xf64>
    %next = arith.maximumf %x, %most : f64
    scf.yield %next : f64
  }
  return %r : f64
}

// What is left over goes on in narrower vectors, to which the wide ones are folded; all lanes are combined once.
// CHECK-LABEL: func.func @folded
// CHECK:         %[[WIDE:.*]]:2 = scf.for %{{.*}} = %c0 to %c96 step %c16
// CHECK-NOT:     vector.reduction
// CHECK-DAG:     %[[LOW:.*]] = vector.shuffle %[[WIDE]]#0, %[[WIDE]]#0 [0, 1, 2, 3, 4, 5, 6, 7]
// CHECK-DAG:     %[[HIGH:.*]] = vector.shuffle %[[WIDE]]#0, %[[WIDE]]#0 [8, 9, 10, 11, 12, 13, 14, 15]
// CHECK:         arith.maxsi %[[LOW]], %[[HIGH]] : vector<8xi32>
// CHECK-NOT:     vector.reduction
// CHECK:         scf.for %{{.*}} = %c96 to %c108 step %c4
// CHECK-COUNT-2: vector.reduction
// CHECK-NOT:     vector.reduction
// CHECK:         return
func.func @folded(%a: memref<108xi32>, %first: i32) -> (i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 108 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%most = %first, %sum = %first) -> (i32, i32) {
    %x = memref.load %a[%i] : memref<108xi32>
    %next = arith.maxsi %x, %most : i32
    %total = arith.addi %sum, %x : i32
    scf.yield %next, %total : i32, i32
  }
  return %r#0, %r#1 : i32, i32
}

// Floats are added in the order of the program, and a sum that something else looks at is not only a
// sum.
// CHECK-LABEL: func.func @in_order
// CHECK-NOT:     vector.
// CHECK:         return
func.func @in_order(%a: memref<64xf64>, %b: memref<64xi32>, %first: f64, %zero: i32) -> (f64, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 64 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %first) -> (f64) {
    %x = memref.load %a[%i] : memref<64xf64>
    %next = arith.addf %x, %sum : f64
    scf.yield %next : f64
  }
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero) -> (i32) {
    %x = memref.load %b[%i] : memref<64xi32>
    %next = arith.addi %x, %sum : i32
    memref.store %next, %b[%i] : memref<64xi32>
    scf.yield %next : i32
  }
  return %r, %s : f64, i32
}

// One of two numbers in each lane, where a comparison tells which.
// CHECK-LABEL: func.func @select
// CHECK:         scf.for
// CHECK:           %[[X:.*]] = vector.load %arg0[%{{.*}}] : memref<48xf32>, vector<4xf32>
// CHECK:           %[[N:.*]] = vector.load %arg1[%{{.*}}] : memref<48xi32>, vector<4xi32>
// CHECK:           %[[F:.*]] = arith.sitofp %[[N]] : vector<4xi32> to vector<4xf32>
// CHECK:           %[[LESS:.*]] = arith.cmpf olt, %[[X]], %[[F]] : vector<4xf32>
// CHECK:           %[[R:.*]] = arith.select %[[LESS]], %{{.*}}, %[[X]] : vector<4xi1>, vector<4xf32>
// CHECK:           vector.store %[[R]], %arg0
func.func @select(%a: memref<48xf32>, %n: memref<48xi32>, %low: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c48 = arith.constant 48 : index
  scf.for %i = %c0 to %c48 step %c1 {
    %x = memref.load %a[%i] : memref<48xf32>
    %y = memref.load %n[%i] : memref<48xi32>
    %f = arith.sitofp %y : i32 to f32
    %less = arith.cmpf olt, %x, %f : f32
    %r = arith.select %less, %low, %x : f32
    memref.store %r, %a[%i] : memref<48xf32>
  }
  return
}

// What is selected may have another size than what is compared; conditions may be combined, and be
// numbers.
// CHECK-LABEL: func.func @conditions
// CHECK:         scf.for %{{.*}} = %c0 to %{{.*}} step %c8 {
// CHECK:           %[[Y:.*]] = vector.load %arg1[%{{.*}}] : memref<48xf64>, vector<4xf64>
// CHECK:           %[[LESS:.*]] = arith.cmpf one, %[[Y]], %{{.*}} : vector<4xf64>
// CHECK:           arith.select %[[LESS]], %{{.*}}, %{{.*}} : vector<4xi1>, vector<4xf32>
// CHECK:         scf.for %{{.*}} = %c0 to %{{.*}} step %c16 {
// CHECK:           %[[BYTES:.*]] = vector.load %arg3[%{{.*}}] : memref<48xi8>, vector<16xi8>
// CHECK:           %[[WIDE:.*]] = vector.load %arg2[%{{.*}}] : memref<48xi64>, vector<16xi64>
// CHECK:           %[[A:.*]] = arith.cmpi slt, %[[WIDE]], %{{.*}} : vector<16xi64>
// CHECK:           %[[B:.*]] = arith.cmpi ult, %[[BYTES]], %{{.*}} : vector<16xi8>
// CHECK:           %[[BOTH:.*]] = arith.andi %[[A]], %[[B]] : vector<16xi1>
// CHECK:           %[[BIT:.*]] = arith.extui %[[BOTH]] : vector<16xi1> to vector<16xi8>
// CHECK:           vector.store %[[BIT]], %arg3
func.func @conditions(%a: memref<48xf32>, %b: memref<48xf64>, %n: memref<48xi64>, %m: memref<48xi8>, %x: i64, %y: i8) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c48 = arith.constant 48 : index
  %zero = arith.constant 0.0 : f64
  %f = arith.constant 0.0 : f32
  scf.for %i = %c0 to %c48 step %c1 {
    %y1 = memref.load %b[%i] : memref<48xf64>
    %other = arith.cmpf one, %y1, %zero : f64
    %z = memref.load %a[%i] : memref<48xf32>
    %r = arith.select %other, %z, %f : f32
    memref.store %r, %a[%i] : memref<48xf32>
  }
  scf.for %i = %c0 to %c48 step %c1 {
    %byte = memref.load %m[%i] : memref<48xi8>
    %wide = memref.load %n[%i] : memref<48xi64>
    %less = arith.cmpi slt, %wide, %x : i64
    %small = arith.cmpi ult, %byte, %y : i8
    %both = arith.andi %less, %small : i1
    %bit = arith.extui %both : i1 to i8
    memref.store %bit, %m[%i] : memref<48xi8>
  }
  return
}

// Sixteen bytes in a register, and what they are extended to in several; shifts are by the same number
// in all lanes. What is left over runs in vectors, too.
// CHECK-LABEL: func.func @blend
// CHECK:         scf.for %{{.*}} step %c16 {
// CHECK:           vector.load %arg0[%{{.*}}] : memref<?xi8>, vector<16xi8>
// CHECK:           arith.extui %{{.*}} : vector<16xi8> to vector<16xi16>
// CHECK:           arith.muli %{{.*}} : vector<16xi16>
// CHECK:           arith.shrui %{{.*}} : vector<16xi16>
// CHECK:           arith.trunci %{{.*}} : vector<16xi16> to vector<16xi8>
// CHECK:         scf.for
// CHECK:           memref.load
// CHECK:         scf.for {{.*}} step %c64
// CHECK-COUNT-4:   vector.store %{{.*}} : memref<?xi8>, vector<16xi8>
// CHECK:         scf.for {{.*}} step %c16
// CHECK-COUNT-1:   vector.store %{{.*}} : memref<?xi8>, vector<16xi8>
func.func @blend(%a: memref<?xi8>, %b: memref<?xi8>, %weight: i16, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : i16
  %out = memref.alloc(%n) : memref<?xi8>
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<?xi8>
    %wide = arith.extui %x : i8 to i16
    %product = arith.muli %wide, %weight : i16
    %shifted = arith.shrui %product, %c8 : i16
    %r = arith.trunci %shifted : i16 to i8
    memref.store %r, %out[%i] : memref<?xi8>
  }
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<?xi8>
    %y = memref.load %out[%i] : memref<?xi8>
    %r = arith.maxui %x, %y : i8
    memref.store %r, %b[%i] : memref<?xi8>
  }
  memref.dealloc %out : memref<?xi8>
  return
}

// Largest integers of 64 bits, shifts by numbers that differ, conversions for which there is no
// instruction, remainders of the loop counter.
// CHECK-LABEL: func.func @one_by_one
// CHECK-NOT:     vector.
// CHECK:         return
func.func @one_by_one(%n: memref<64xi64>, %m: memref<64xi32>, %b: memref<64xf64>, %x: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %c64 step %c1 {
    %y = memref.load %n[%i] : memref<64xi64>
    %r = arith.maxsi %y, %x : i64
    memref.store %r, %n[%i] : memref<64xi64>
  }
  scf.for %i = %c0 to %c64 step %c1 {
    %y = memref.load %m[%i] : memref<64xi32>
    %r = arith.shli %y, %y : i32
    memref.store %r, %m[%i] : memref<64xi32>
  }
  scf.for %i = %c0 to %c64 step %c1 {
    %y = memref.load %b[%i] : memref<64xf64>
    %r = arith.fptosi %y : f64 to i64
    memref.store %r, %n[%i] : memref<64xi64>
  }
  %sum = scf.for %i = %c0 to %c64 step %c1 iter_args(%before = %x) -> (i64) {
    %y = memref.load %n[%i] : memref<64xi64>
    %rest = arith.remui %i, %c64 : index
    %weight = arith.index_cast %rest : index to i64
    %term = arith.muli %weight, %y : i64
    %next = arith.addi %before, %term : i64
    scf.yield %next : i64
  }
  memref.store %sum, %n[%c0] : memref<64xi64>
  return
}

// What an iteration stores another one reads: none of these can run in vectors.
// CHECK-LABEL: func.func @carried_in_memory
// CHECK-NOT:     vector.
// CHECK:         return
func.func @carried_in_memory(%a: memref<64xf32>, %s: memref<f32>, %m: memref<8x8xf32, strided<[1, 1]>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %c63 = arith.constant 63 : index
  // The element before.
  scf.for %i = %c0 to %c63 step %c1 {
    %j = arith.addi %i, %c1 : index
    %x = memref.load %a[%i] : memref<64xf32>
    memref.store %x, %a[%j] : memref<64xf32>
  }
  // One element of all.
  scf.for %i = %c0 to %c63 step %c1 {
    %x = memref.load %a[%c7] : memref<64xf32>
    memref.store %x, %a[%i] : memref<64xf32>
  }
  // A sum.
  scf.for %i = %c0 to %c63 step %c1 {
    %x = memref.load %a[%i] : memref<64xf32>
    %y = memref.load %s[] : memref<f32>
    %z = arith.addf %x, %y : f32
    memref.store %z, %s[] : memref<f32>
  }
  // Rows that share elements.
  scf.for %i = %c0 to %c7 step %c1 {
    scf.for %j = %c0 to %c7 step %c1 {
      %k = arith.addi %i, %c1 : index
      %x = memref.load %m[%i, %j] : memref<8x8xf32, strided<[1, 1]>>
      memref.store %x, %m[%k, %j] : memref<8x8xf32, strided<[1, 1]>>
    }
  }
  return
}

// Elements that are not neighbours, types without vectors, operations that vectors gain nothing
// from, effects that are not known.
// CHECK-LABEL: func.func @not_worth_it
// CHECK-NOT:     vector.
// CHECK:         return
func.func @not_worth_it(%a: memref<64x64xf32>, %b: memref<64xi7>, %m: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c32 = arith.constant 32 : index
  %f = arith.constant 1.0 : f32
  scf.for %i = %c0 to %c32 step %c1 {
    memref.store %f, %a[%i, %c0] : memref<64x64xf32>
  }
  scf.for %i = %c0 to %c32 step %c1 {
    %j = arith.muli %i, %c2 : index
    memref.store %f, %m[%j] : memref<64xf32>
  }
  scf.for %i = %c0 to %c32 step %c2 {
    memref.store %f, %m[%i] : memref<64xf32>
  }
  scf.for %i = %c0 to %c3 step %c1 {
    memref.store %f, %m[%i] : memref<64xf32>
  }
  scf.for %i = %c0 to %c32 step %c1 {
    %x = memref.load %b[%i] : memref<64xi7>
    memref.store %x, %b[%i] : memref<64xi7>
  }
  scf.for %i = %c0 to %c32 step %c1 {
    %x = memref.load %m[%i] : memref<64xf32>
    %y = math.exp %x : f32
    memref.store %y, %m[%i] : memref<64xf32>
  }
  scf.for %i = %c0 to %c32 step %c1 {
    memref.store %f, %m[%i] : memref<64xf32>
    func.call @unknown() : () -> ()
  }
  return
}
func.func private @unknown()

// Nor where an index of which no more is known meets what is in vectors, whether or not somebody looks at the outcome.
// CHECK-LABEL: func.func @index_as_value
// CHECK-NOT: vector
// CHECK: return
func.func @index_as_value(%m: memref<?xi64>, %n: index) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%before = %zero) -> (i64) {
    %x = memref.load %m[%i] : memref<?xi64>
    %rest = arith.remui %i, %n : index
    %number = arith.index_cast %rest : index to i64
    %y = arith.muli %x, %number : i64
    %after = arith.addi %before, %y : i64
    scf.yield %after : i64
  }
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %m[%i] : memref<?xi64>
    %rest = arith.remui %i, %n : index
    %number = arith.index_cast %rest : index to i64
    %unused = arith.muli %x, %number : i64
    memref.store %x, %m[%i] : memref<?xi64>
  }
  return %sum : i64
}

// What an outer loop carries was there before its iteration allocates: nothing is compared.
// CHECK-LABEL: func.func @handed_on
// CHECK:         memref.alloc
// CHECK-NOT:     memref.extract_aligned_pointer_as_index
// CHECK:         vector.load
// CHECK:         vector.store
// CHECK-NOT:     memref.extract_aligned_pointer_as_index
// CHECK:         return
func.func @handed_on(%first: memref<16xf32>, %n: index) -> memref<16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c15 = arith.constant 15 : index
  %last = scf.for %step = %c0 to %n step %c1 iter_args(%old = %first) -> (memref<16xf32>) {
    %new = memref.alloc() : memref<16xf32>
    scf.for %i = %c0 to %c15 step %c1 {
      %next = arith.addi %i, %c1 : index
      %x = memref.load %old[%next] : memref<16xf32>
      %y = memref.load %old[%i] : memref<16xf32>
      %z = arith.addf %x, %y : f32
      memref.store %z, %new[%i] : memref<16xf32>
    }
    scf.yield %new : memref<16xf32>
  }
  return %last : memref<16xf32>
}

// One that was allocated before may be what is carried.
// CHECK-LABEL: func.func @handed_back
// CHECK:         memref.extract_aligned_pointer_as_index
func.func @handed_back(%n: index) -> memref<16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c15 = arith.constant 15 : index
  %spare = memref.alloc() : memref<16xf32>
  %first = memref.alloc() : memref<16xf32>
  %last:2 = scf.for %step = %c0 to %n step %c1 iter_args(%old = %first, %other = %spare) -> (memref<16xf32>, memref<16xf32>) {
    scf.for %i = %c0 to %c15 step %c1 {
      %next = arith.addi %i, %c1 : index
      %x = memref.load %old[%next] : memref<16xf32>
      memref.store %x, %spare[%i] : memref<16xf32>
    }
    scf.yield %other, %old : memref<16xf32>, memref<16xf32>
  }
  return %last#0 : memref<16xf32>
}
