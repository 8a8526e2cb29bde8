// Views of one buffer that overlap in part, in a function that does not know it:
// what it computes into a buffer of its own before it copies the result must not
// be computed in place.
//
// RUN: freehold run %s --dealloc=none | FileCheck %s
// RUN: freehold run %s --dealloc=clone | FileCheck %s
// RUN: freehold run %s --dealloc=copy -O0 | FileCheck %s
// RUN: freehold run %s --dealloc=ownership --merge-alloc | FileCheck %s
// RUN: freehold run %s --dealloc=hlo | FileCheck %s
// RUN: freehold opt %s --copy-removal | freehold run --dealloc=none - | FileCheck %s
//
// Each element is twice the one before it.
// CHECK: 12468
// Each element is the one before it.
// CHECK-NEXT: 11246
// Each element is the one at the other end.
// CHECK-NEXT: 64211

func.func private @printI64(i64)
func.func private @printNewline()

func.func private @twice(%in: memref<4xi64, strided<[1], offset: ?>>, %out: memref<4xi64, strided<[1], offset: ?>>) {
  %t = memref.alloc() : memref<4xi64>
  linalg.add ins(%in, %in : memref<4xi64, strided<[1], offset: ?>>, memref<4xi64, strided<[1], offset: ?>>)
      outs(%t : memref<4xi64>)
  memref.copy %t, %out : memref<4xi64> to memref<4xi64, strided<[1], offset: ?>>
  return
}

func.func private @move(%in: memref<4xi64>, %out: memref<4xi64>) {
  %t = memref.alloc() : memref<4xi64>
  memref.copy %in, %t : memref<4xi64> to memref<4xi64>
  linalg.copy ins(%t : memref<4xi64>) outs(%out : memref<4xi64>)
  return
}

func.func private @reverse(%in: memref<5xi64>, %out: memref<5xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %t = memref.alloc() : memref<5xi64>
  scf.for %i = %c0 to %c5 step %c1 {
    %j = arith.subi %c4, %i : index
    %x = memref.load %in[%j] : memref<5xi64>
    memref.store %x, %t[%i] : memref<5xi64>
  }
  memref.copy %t, %out : memref<5xi64> to memref<5xi64>
  return
}

func.func private @show(%m: memref<5xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  scf.for %i = %c0 to %c5 step %c1 {
    %x = memref.load %m[%i] : memref<5xi64>
    func.call @printI64(%x) : (i64) -> ()
  }
  func.call @printNewline() : () -> ()
  return
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %c8 = arith.constant 8 : index
  %bytes = memref.alloc() : memref<40xi8>
  %all = memref.view %bytes[%c0][] : memref<40xi8> to memref<5xi64>
  scf.for %i = %c0 to %c5 step %c1 {
    %n = arith.addi %i, %c1 : index
    %x = arith.index_cast %n : index to i64
    memref.store %x, %all[%i] : memref<5xi64>
  }
  %head = memref.subview %all[0] [4] [1] : memref<5xi64> to memref<4xi64, strided<[1]>>
  %tail = memref.subview %all[1] [4] [1] : memref<5xi64> to memref<4xi64, strided<[1], offset: 1>>
  %in = memref.cast %head : memref<4xi64, strided<[1]>> to memref<4xi64, strided<[1], offset: ?>>
  %out = memref.cast %tail : memref<4xi64, strided<[1], offset: 1>> to memref<4xi64, strided<[1], offset: ?>>
  call @twice(%in, %out) : (memref<4xi64, strided<[1], offset: ?>>, memref<4xi64, strided<[1], offset: ?>>) -> ()
  call @show(%all) : (memref<5xi64>) -> ()
  %p = memref.view %bytes[%c0][] : memref<40xi8> to memref<4xi64>
  %q = memref.view %bytes[%c8][] : memref<40xi8> to memref<4xi64>
  call @move(%p, %q) : (memref<4xi64>, memref<4xi64>) -> ()
  call @show(%all) : (memref<5xi64>) -> ()
  call @reverse(%all, %all) : (memref<5xi64>, memref<5xi64>) -> ()
  call @show(%all) : (memref<5xi64>) -> ()
  return
}
