// RUN: freehold opt %s --affine-parallelize | FileCheck %s
// RUN: freehold opt %s --affine-parallelize=parallel-reductions | FileCheck %s --check-prefix=REDUCE

// CHECK-LABEL: func.func @product
// CHECK:         affine.parallel (%[[I:.*]]) = (0) to (8) {
// CHECK-NEXT:      affine.parallel (%[[J:.*]]) = (0) to (symbol(%arg3)) {
// CHECK-NEXT:        affine.for %[[K:.*]] = 0 to 8 {
func.func @product(%a: memref<8x8xf32> {llvm.noalias}, %b: memref<8x?xf32> {llvm.noalias}, %c: memref<8x?xf32> {llvm.noalias}, %n: index) {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to %n {
      affine.for %k = 0 to 8 {
        %0 = affine.load %a[%i, %k] : memref<8x8xf32>
        %1 = affine.load %b[%k, %j] : memref<8x?xf32>
        %2 = affine.load %c[%i, %j] : memref<8x?xf32>
        %3 = arith.mulf %0, %1 : f32
        %4 = arith.addf %2, %3 : f32
        affine.store %4, %c[%i, %j] : memref<8x?xf32>
      }
    }
  }
  return
}

// Blocks of a row: other blocks are other elements. The rest of a division by two is not understood.
// CHECK-LABEL: func.func @blocks
// CHECK:         affine.parallel
// CHECK:           affine.for
// CHECK:         affine.for
func.func @blocks(%m: memref<64xf32>, %f: f32) {
  affine.for %i = 0 to 64 step 4 {
    affine.for %j = 0 to 4 {
      %v = affine.load %m[%i + %j] : memref<64xf32>
      affine.store %f, %m[%i] : memref<64xf32>
    }
  }
  affine.for %i = 0 to 64 {
    affine.store %f, %m[%i mod 2] : memref<64xf32>
  }
  return
}

// The next iteration reads; two arguments may be one buffer (upstream makes this parallel); a call.
// CHECK-LABEL: func.func @kept
// CHECK-NOT:     affine.parallel
// CHECK-COUNT-3: affine.for
func.func @kept(%m: memref<9xf32>, %o: memref<9xf32>) {
  affine.for %i = 0 to 8 {
    %v = affine.load %m[%i] : memref<9xf32>
    affine.store %v, %m[%i + 1] : memref<9xf32>
  }
  affine.for %i = 0 to 8 {
    %v = affine.load %m[%i + 1] : memref<9xf32>
    affine.store %v, %o[%i] : memref<9xf32>
  }
  affine.for %i = 0 to 8 {
    func.call @use() : () -> ()
  }
  return
}
func.func private @use()

// Rows that overlap: another row is no other element. Rows of a part with steps, turned around, are.
// CHECK-LABEL: func.func @rows
// CHECK-NOT:     affine.parallel
// CHECK-COUNT-2: affine.for
// CHECK:         memref.transpose
// CHECK-NEXT:    affine.parallel
// CHECK-NEXT:      affine.parallel
func.func @rows(%m: memref<32xf32>, %n: memref<?x?xf32>, %f: f32) {
  %o = memref.reinterpret_cast %m to offset: [0], sizes: [8, 17], strides: [1, 1]
      : memref<32xf32> to memref<8x17xf32, strided<[1, 1]>>
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 17 {
      affine.store %f, %o[%i, %j] : memref<8x17xf32, strided<[1, 1]>>
    }
  }
  %p = memref.subview %n[0, 0] [8, 8] [1, 2] : memref<?x?xf32> to memref<8x8xf32, strided<[?, 2]>>
  %t = memref.transpose %p (i, j) -> (j, i) : memref<8x8xf32, strided<[?, 2]>> to memref<8x8xf32, strided<[2, ?]>>
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 {
      affine.store %f, %t[%i, %j] : memref<8x8xf32, strided<[2, ?]>>
    }
  }
  return
}

// With parallel-reductions, so do loops that combine values in any order. Sums of floats have one, unless flags say otherwise.
// REDUCE-LABEL: func.func @combined
// REDUCE-SAME:    (%[[M:.*]]: memref<8xi32>, %[[START:.*]]: i32)
// REDUCE:         %[[R:.*]]:2 = affine.parallel (%[[I:.*]]) = (0) to (8) reduce ("addi", "andi") -> (i32, i32) {
// REDUCE-NEXT:      %[[X:.*]] = affine.load %[[M]][%[[I]]] : memref<8xi32>
// REDUCE-NEXT:      affine.yield %[[X]], %[[X]] : i32, i32
// REDUCE-NEXT:    }
// REDUCE-NEXT:    arith.addi %[[START]], %[[R]]#0 : i32
// REDUCE-NEXT:    arith.andi %[[START]], %[[R]]#1 : i32
// CHECK-LABEL: func.func @combined
// CHECK-NOT:     affine.parallel
// CHECK:         return
func.func @combined(%m: memref<8xi32>, %start: i32) -> (i32, i32) {
  %s:2 = affine.for %i = 0 to 8 iter_args(%sum = %start, %bits = %start) -> (i32, i32) {
    %x = affine.load %m[%i] : memref<8xi32>
    %next = arith.addi %x, %sum : i32
    %other = arith.andi %bits, %x : i32
    affine.yield %next, %other : i32, i32
  }
  return %s#0, %s#1 : i32, i32
}

// REDUCE-LABEL: func.func @floats
// REDUCE:         affine.for
// REDUCE:         affine.parallel (%{{.*}}) = (0) to (8) reduce ("addf") -> (f32) {
func.func @floats(%m: memref<8xf32>, %start: f32) -> (f32, f32) {
  %s = affine.for %i = 0 to 8 iter_args(%sum = %start) -> f32 {
    %x = affine.load %m[%i] : memref<8xf32>
    %next = arith.addf %sum, %x : f32
    affine.yield %next : f32
  }
  %t = affine.for %i = 0 to 8 iter_args(%sum = %start) -> f32 {
    %x = affine.load %m[%i] : memref<8xf32>
    %next = arith.addf %sum, %x fastmath<reassoc> : f32
    affine.yield %next : f32
  }
  return %s, %t : f32, f32
}

// The verifier has no largest of signless integers.
// REDUCE-LABEL: func.func @largest
// REDUCE:         affine.for
func.func @largest(%m: memref<8xi32>, %start: i32) -> i32 {
  %s = affine.for %i = 0 to 8 iter_args(%most = %start) -> i32 {
    %x = affine.load %m[%i] : memref<8xi32>
    %next = arith.maxsi %most, %x : i32
    affine.yield %next : i32
  }
  return %s : i32
}
