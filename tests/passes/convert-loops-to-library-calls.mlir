// RUN: freehold opt %s --convert-loops-to-library-calls="min-bytes=256" --canonicalize --cse | FileCheck %s
// RUN: freehold opt %s --convert-loops-to-library-calls=min-bytes=1 | FileCheck %s --check-prefix=SHORT
// RUN: freehold run %s | FileCheck %s --check-prefix=OUT
// RUN: freehold run %s --no-library-calls | FileCheck %s --check-prefix=OUT
// RUN: freehold run %s --check=accesses | FileCheck %s --check-prefix=OUT

// Address, bytes, and the number twice in eight of them. It is known that the loop is long.
// CHECK-LABEL: func.func @fill
// CHECK-DAG:     %[[BITS:.*]] = arith.constant 4611686019501129728 : i64
// CHECK-DAG:     %[[AT:.*]] = memref.extract_aligned_pointer_as_index %arg0
// CHECK:         call @freehold_fill_bytes(%[[AT]], %c512, %[[BITS]])
// CHECK-NOT:     scf.for
// CHECK:         return
func.func @fill(%a: memref<128xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  scf.for %i = %c0 to %c128 step %c1 {
    %f = arith.constant 2.0 : f32
    memref.store %f, %a[%i] : memref<128xf32>
  }
  return
}

// Rows of a part of a matrix whose length is not known: the loop stays for short ones. The library
// starts where the first iteration would.
// CHECK-LABEL: func.func @rows
// CHECK:         scf.for
// CHECK:           %[[N:.*]] = arith.subi %arg3, %arg2
// CHECK:           %[[LONG:.*]] = arith.cmpi sge, %[[N]], %c128
// CHECK:           %[[RUNS:.*]] = arith.cmpi slt, %arg2, %arg3
// CHECK:           %[[BOTH:.*]] = arith.andi %[[LONG]], %[[RUNS]]
// CHECK:           scf.if %[[BOTH]] {
// CHECK:             %[[COLUMN:.*]] = arith.addi %arg2, %c3
// CHECK:             call @freehold_fill_bytes(
// CHECK:           } else {
// CHECK:             scf.for
// CHECK:               memref.store %arg1, %arg0
func.func @rows(%a: memref<?x?xi16, strided<[?, 1], offset: ?>>, %x: i16, %lo: index, %hi: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %n = memref.dim %a, %c0 : memref<?x?xi16, strided<[?, 1], offset: ?>>
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %lo to %hi step %c1 {
      %k = arith.addi %j, %c3 : index
      memref.store %x, %a[%i, %k] : memref<?x?xi16, strided<[?, 1], offset: ?>>
    }
  }
  return
}

// A copy, if both share nothing.
// CHECK-LABEL: func.func @copy
// CHECK-DAG:     %[[A:.*]] = memref.extract_aligned_pointer_as_index %arg0
// CHECK-DAG:     %[[B:.*]] = memref.extract_aligned_pointer_as_index %arg1
// CHECK:         %[[APART:.*]] = arith.ori
// CHECK:         scf.if %[[APART]] {
// CHECK:           func.call @freehold_copy_bytes(%[[B]], %[[A]], %c512)
// CHECK:         } else {
// CHECK:           scf.for
func.func @copy(%a: memref<64xf64>, %b: memref<64xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %c64 step %c1 {
    %x = memref.load %a[%i] : memref<64xf64>
    memref.store %x, %b[%i] : memref<64xf64>
  }
  return
}

// Short loops stay, unless they are asked for.
// CHECK-LABEL: func.func @short
// CHECK-NOT:     call
// CHECK:         return
// SHORT-LABEL: func.func @short
// SHORT:         call @freehold_fill_bytes
// SHORT-NOT:     scf.for
// SHORT:         return
func.func @short(%a: memref<8xi8>, %x: i8) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    memref.store %x, %a[%i] : memref<8xi8>
  }
  return
}

// Whole rows lie behind each other: one call for all of them, from the row on that the nest begins with.
// CHECK-LABEL: func.func @matrix
// CHECK-NOT:     scf.for
// CHECK:         call @freehold_fill_bytes(%{{.*}}, %c1280, %{{.*}})
// CHECK-NOT:     scf.for
// CHECK:         return
func.func @matrix(%a: memref<4x16x32xf32>, %at: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c12 = arith.constant 12 : index
  %c32 = arith.constant 32 : index
  %f = arith.constant 2.0 : f32
  scf.for %i = %c2 to %c12 step %c1 {
    scf.for %j = %c0 to %c32 step %c1 {
      memref.store %f, %a[%at, %i, %j] : memref<4x16x32xf32>
    }
  }
  return
}

// The number of rows is not known.
// CHECK-LABEL: func.func @matrices
// CHECK:         %[[N:.*]] = memref.dim
// CHECK:         %[[ROWS:.*]] = arith.muli %[[N]], %c64
// CHECK:         arith.cmpi sge, %[[ROWS]], %c64
// CHECK:         func.call @freehold_copy_bytes(
// CHECK:       } else {
// CHECK-COUNT-2: scf.for
func.func @matrices(%a: memref<?x64xi32>, %b: memref<?x64xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %n = memref.dim %a, %c0 : memref<?x64xi32>
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %c64 step %c1 {
      %x = memref.load %a[%i, %j] : memref<?x64xi32>
      memref.store %x, %b[%i, %j] : memref<?x64xi32>
    }
  }
  return
}

// Parts of rows, rows in another order, and rows that differ: a call for each row.
// CHECK-LABEL: func.func @parts
// CHECK:         scf.for
// CHECK:           func.call @freehold_fill_bytes(
// CHECK:         scf.for
// CHECK:           func.call @freehold_fill_bytes(
// CHECK:         scf.for
// CHECK:           func.call @freehold_fill_bytes(
// CHECK:         return
func.func @parts(%a: memref<64x80xf32>, %rows: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c80 = arith.constant 80 : index
  %f = arith.constant 2.0 : f32
  scf.for %i = %c0 to %c64 step %c1 {
    scf.for %j = %c1 to %c80 step %c1 {
      memref.store %f, %a[%i, %j] : memref<64x80xf32>
    }
  }
  scf.for %i = %c0 to %c32 step %c1 {
    %k = arith.muli %i, %c2 : index
    scf.for %j = %c0 to %c80 step %c1 {
      memref.store %f, %a[%k, %j] : memref<64x80xf32>
    }
  }
  scf.for %i = %c0 to %c64 step %c1 {
    %x = memref.load %rows[%i] : memref<64xf32>
    scf.for %j = %c0 to %c80 step %c1 {
      memref.store %x, %a[%i, %j] : memref<64x80xf32>
    }
  }
  return
}

// None of these do the same in every iteration, for neighbours, and nothing else.
// CHECK-LABEL: func.func @others
// CHECK-NOT:     call @freehold
// CHECK:         return
func.func @others(%a: memref<512xi32>, %b: memref<512xi32>, %m: memref<256x256xi32>, %i1: memref<512xi1>, %x: i32, %f: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c200 = arith.constant 200 : index
  // Every other element.
  scf.for %i = %c0 to %c200 step %c2 {
    memref.store %x, %a[%i] : memref<512xi32>
  }
  scf.for %i = %c0 to %c200 step %c1 {
    %j = arith.muli %i, %c2 : index
    memref.store %x, %a[%j] : memref<512xi32>
  }
  // A column, and a diagonal.
  scf.for %i = %c0 to %c200 step %c1 {
    memref.store %x, %m[%i, %c0] : memref<256x256xi32>
  }
  scf.for %i = %c0 to %c200 step %c1 {
    memref.store %x, %m[%i, %i] : memref<256x256xi32>
  }
  // Backwards.
  scf.for %i = %c0 to %c200 step %c1 {
    %j = arith.subi %c200, %i : index
    memref.store %x, %a[%j] : memref<512xi32>
  }
  // What was just written.
  scf.for %i = %c0 to %c200 step %c1 {
    %j = arith.addi %i, %c1 : index
    %y = memref.load %a[%i] : memref<512xi32>
    memref.store %y, %a[%j] : memref<512xi32>
  }
  // One element to all.
  scf.for %i = %c0 to %c200 step %c1 {
    %y = memref.load %b[%c1] : memref<512xi32>
    memref.store %y, %a[%i] : memref<512xi32>
  }
  // Something else besides.
  scf.for %i = %c0 to %c200 step %c1 {
    %y = memref.load %b[%i] : memref<512xi32>
    %z = arith.addi %y, %x : i32
    memref.store %y, %a[%i] : memref<512xi32>
    func.call @take(%z) : (i32) -> ()
  }
  // Numbers that differ, and bits, of which a byte holds one.
  scf.for %i = %c0 to %c200 step %c1 {
    %y = arith.index_cast %i : index to i32
    memref.store %y, %a[%i] : memref<512xi32>
  }
  scf.for %i = %c0 to %c200 step %c1 {
    memref.store %f, %i1[%i] : memref<512xi1>
  }
  return
}
func.func @take(%x: i32) {
  return
}

// A multiple of one vector is added to another one: target, source, number of elements, factor.
// CHECK-LABEL: func.func @axpy
// CHECK-DAG:     %[[TO:.*]] = memref.extract_aligned_pointer_as_index %arg1
// CHECK-DAG:     %[[FROM:.*]] = memref.extract_aligned_pointer_as_index %arg0
// CHECK:         scf.if
// CHECK:           call @freehold_axpy_f32(%[[TO]], %[[FROM]], %c128, %arg2)
// CHECK:         } else {
// CHECK:           scf.for
// CHECK:             arith.mulf
func.func @axpy(%a: memref<128xf32>, %b: memref<128xf32>, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  scf.for %i = %c0 to %c128 step %c1 {
    %x = memref.load %a[%i] : memref<128xf32>
    %y = memref.load %b[%i] : memref<128xf32>
    %p = arith.mulf %f, %x : f32
    %s = arith.addf %p, %y : f32
    memref.store %s, %b[%i] : memref<128xf32>
  }
  return
}

// The factor is a constant of the loop; the buffers are known to be apart.
// CHECK-LABEL: func.func @axpy_f64
// CHECK-NOT:     scf
// CHECK:         call @freehold_axpy_f64({{.*}}, {{.*}}, %c128, %cst
func.func @axpy_f64(%a: memref<128xf64>) -> memref<128xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %b = memref.alloc() : memref<128xf64>
  scf.for %i = %c0 to %c128 step %c1 {
    %f = arith.constant 2.5 : f64
    %x = memref.load %a[%i] : memref<128xf64>
    %y = memref.load %b[%i] : memref<128xf64>
    %p = arith.mulf %x, %f : f64
    %s = arith.addf %y, %p : f64
    memref.store %s, %b[%i] : memref<128xf64>
  }
  return %b : memref<128xf64>
}

// Not so: a third vector, another place of the target, one buffer, the product of what is loaded, the
// sum times the factor.
// CHECK-LABEL: func.func @no_axpy
// CHECK-NOT:     call
// CHECK:         return
func.func @no_axpy(%a: memref<?xf32>, %b: memref<?xf32>, %c: memref<?xf32>, %f: f32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<?xf32>
    %y = memref.load %b[%i] : memref<?xf32>
    %p = arith.mulf %f, %x : f32
    %s = arith.addf %p, %y : f32
    memref.store %s, %c[%i] : memref<?xf32>
  }
  scf.for %i = %c0 to %n step %c1 {
    %j = arith.addi %i, %c1 : index
    %x = memref.load %a[%i] : memref<?xf32>
    %y = memref.load %b[%j] : memref<?xf32>
    %p = arith.mulf %f, %x : f32
    %s = arith.addf %p, %y : f32
    memref.store %s, %b[%i] : memref<?xf32>
  }
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %b[%i] : memref<?xf32>
    %y = memref.load %b[%i] : memref<?xf32>
    %p = arith.mulf %f, %x : f32
    %s = arith.addf %p, %y : f32
    memref.store %s, %b[%i] : memref<?xf32>
  }
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<?xf32>
    %y = memref.load %b[%i] : memref<?xf32>
    %p = arith.mulf %x, %x : f32
    %s = arith.addf %p, %y : f32
    memref.store %s, %b[%i] : memref<?xf32>
  }
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<?xf32>
    %y = memref.load %b[%i] : memref<?xf32>
    %s = arith.addf %x, %y : f32
    %p = arith.mulf %f, %s : f32
    memref.store %p, %b[%i] : memref<?xf32>
  }
  return
}

// OUT:      2, 2, 9, 9, 9, 2
// OUT-NEXT: 7, 7, 2, 2, 9, 7
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c202 = arith.constant 202 : index
  %c203 = arith.constant 203 : index
  %c300 = arith.constant 300 : index
  %two = arith.constant 2 : i16
  %seven = arith.constant 7 : i16
  %nine = arith.constant 9 : i16
  %m = memref.alloc() : memref<300xi16>
  scf.for %i = %c0 to %c300 step %c1 {
    memref.store %two, %m[%i] : memref<300xi16>
  }
  scf.for %i = %c2 to %c203 step %c1 {
    memref.store %nine, %m[%i] : memref<300xi16>
  }
  call @print(%m, %c0, %c1, %c2, %c4, %c202, %c203) : (memref<300xi16>, index, index, index, index, index, index) -> ()
  %n = memref.alloc() : memref<300xi16>
  scf.for %i = %c0 to %c300 step %c1 {
    memref.store %seven, %n[%i] : memref<300xi16>
  }
  scf.for %i = %c0 to %c202 step %c1 {
    %x = memref.load %m[%i] : memref<300xi16>
    %j = arith.addi %i, %c2 : index
    memref.store %x, %n[%j] : memref<300xi16>
  }
  %c204 = arith.constant 204 : index
  call @print(%n, %c0, %c1, %c2, %c3, %c4, %c204) : (memref<300xi16>, index, index, index, index, index, index) -> ()
  memref.dealloc %m : memref<300xi16>
  memref.dealloc %n : memref<300xi16>
  return
}
func.func @print(%m: memref<300xi16>, %a: index, %b: index, %c: index, %d: index, %e: index, %f: index) {
  call @show(%m, %a) : (memref<300xi16>, index) -> ()
  call @show(%m, %b) : (memref<300xi16>, index) -> ()
  call @show(%m, %c) : (memref<300xi16>, index) -> ()
  call @show(%m, %d) : (memref<300xi16>, index) -> ()
  call @show(%m, %e) : (memref<300xi16>, index) -> ()
  call @show(%m, %f) : (memref<300xi16>, index) -> ()
  call @printNewline() : () -> ()
  return
}
func.func @show(%m: memref<300xi16>, %at: index) {
  %x = memref.load %m[%at] : memref<300xi16>
  %wide = arith.extsi %x : i16 to i64
  call @printI64(%wide) : (i64) -> ()
  call @printComma() : () -> ()
  return
}
func.func private @printI64(i64)
func.func private @printComma()
func.func private @printNewline()
