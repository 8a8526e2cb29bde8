// Clones and copies of buffers have the layout of their type, whatever spells it: a map, strides that are known
// for some dimensions only, an offset.

// RUN: freehold run %s -O0 --check | FileCheck %s
// RUN: freehold run %s -O0 --dealloc=copy --check | FileCheck %s
// RUN: freehold run %s -O2 --dealloc=clone --check | FileCheck %s
// RUN: freehold run %s -O2 --dealloc=hlo --check=accesses | FileCheck %s
// RUN: freehold run %s -O2 --merge-alloc=always --check | FileCheck %s

#transposed = affine_map<(i, j)[s] -> (j * s + i)>

func.func private @map(%m: memref<?x?xi32>) -> memref<?x?xi32, #transposed> {
  %t = memref.transpose %m (i, j) -> (j, i) : memref<?x?xi32> to memref<?x?xi32, #transposed>
  return %t : memref<?x?xi32, #transposed>
}

func.func private @strides(%m: memref<?x?xi32>) -> memref<?x?xi32, strided<[1, ?]>> {
  %t = memref.transpose %m (i, j) -> (j, i) : memref<?x?xi32> to memref<?x?xi32, strided<[1, ?]>>
  return %t : memref<?x?xi32, strided<[1, ?]>>
}

// The second row.
func.func private @offset(%m: memref<?x?xi32>, %n: index) -> memref<?xi32, strided<[?], offset: 3>> {
  %base, %o, %sizes:2, %strides:2 = memref.extract_strided_metadata %m : memref<?x?xi32> -> memref<i32>, index, index, index, index, index
  %c = memref.reinterpret_cast %base to offset: [3], sizes: [%n], strides: [%strides#1] : memref<i32> to memref<?xi32, strided<[?], offset: 3>>
  return %c : memref<?xi32, strided<[?], offset: 3>>
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %m = memref.alloc(%c2, %c3) : memref<?x?xi32>
  scf.for %i = %c0 to %c2 step %c1 {
    scf.for %j = %c0 to %c3 step %c1 {
      %r = arith.muli %i, %c3 : index
      %s = arith.addi %r, %j : index
      %x = arith.index_cast %s : index to i32
      memref.store %x, %m[%i, %j] : memref<?x?xi32>
    }
  }
  // CHECK:      0
  // CHECK-NEXT: 3
  // CHECK-NEXT: 1
  // CHECK-NEXT: 4
  // CHECK-NEXT: 2
  // CHECK-NEXT: 5
  %a = call @map(%m) : (memref<?x?xi32>) -> memref<?x?xi32, #transposed>
  scf.for %i = %c0 to %c3 step %c1 {
    scf.for %j = %c0 to %c2 step %c1 {
      %x = memref.load %a[%i, %j] : memref<?x?xi32, #transposed>
      vector.print %x : i32
    }
  }
  // CHECK-NEXT: 0
  // CHECK-NEXT: 3
  // CHECK-NEXT: 1
  // CHECK-NEXT: 4
  // CHECK-NEXT: 2
  // CHECK-NEXT: 5
  %b = call @strides(%m) : (memref<?x?xi32>) -> memref<?x?xi32, strided<[1, ?]>>
  scf.for %i = %c0 to %c3 step %c1 {
    scf.for %j = %c0 to %c2 step %c1 {
      %x = memref.load %b[%i, %j] : memref<?x?xi32, strided<[1, ?]>>
      vector.print %x : i32
    }
  }
  // CHECK-NEXT: 3
  // CHECK-NEXT: 4
  %c = call @offset(%m, %c2) : (memref<?x?xi32>, index) -> memref<?xi32, strided<[?], offset: 3>>
  scf.for %i = %c0 to %c2 step %c1 {
    %x = memref.load %c[%i] : memref<?xi32, strided<[?], offset: 3>>
    vector.print %x : i32
  }
  return
}
