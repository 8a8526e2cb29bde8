// Buffers whose address is looked at are where they are as long as a number that depends on it is used.

// RUN: freehold opt %s --mark-allocation-free-calls --merge-alloc | FileCheck %s

func.func private @freehold_fill_bytes(index, index, i64)
func.func private @printI64(i64)

// The library writes through the address, so both buffers are live at the second call.
// CHECK-LABEL: func.func @both
// CHECK:         memref.alloc() {alignment = 64 : i64} : memref<128xi8>
// CHECK-NOT:     memref.alloc
// CHECK:         call @freehold_fill_bytes
// CHECK-NOT:     __mergealloc
func.func @both(%v: i64) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %a = memref.alloc() : memref<8xi64>
  %pa = memref.extract_aligned_pointer_as_index %a : memref<8xi64> -> index
  %b = memref.alloc() : memref<8xi64>
  memref.store %v, %b[%c0] : memref<8xi64>
  call @freehold_fill_bytes(%pa, %c64, %v) : (index, index, i64) -> ()
  %x = memref.load %b[%c0] : memref<8xi64>
  call @printI64(%x) : (i64) -> ()
  return
}

// One after the other.
// CHECK-LABEL: func.func @one
// CHECK:         memref.alloc() {alignment = 64 : i64} : memref<64xi8>
// CHECK-NOT:     memref.alloc
func.func @one(%v: i64) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %a = memref.alloc() : memref<8xi64>
  %pa = memref.extract_aligned_pointer_as_index %a : memref<8xi64> -> index
  %after = arith.addi %pa, %c0 : index
  call @freehold_fill_bytes(%after, %c64, %v) : (index, index, i64) -> ()
  %b = memref.alloc() : memref<8xi64>
  memref.store %v, %b[%c0] : memref<8xi64>
  %x = memref.load %b[%c0] : memref<8xi64>
  call @printI64(%x) : (i64) -> ()
  return
}

// The counter of a loop may be an address, and so may what a loop carries or a block is given.
// CHECK-LABEL: func.func @flows
// CHECK:         memref.alloc() {alignment = 64 : i64} : memref<128xi8>
// CHECK-NOT:     memref.alloc
func.func @flows(%v: i64, %n: index) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %a = memref.alloc() : memref<8xi64>
  %pa = memref.extract_aligned_pointer_as_index %a : memref<8xi64> -> index
  %b = memref.alloc() : memref<8xi64>
  memref.store %v, %b[%c0] : memref<8xi64>
  %end = arith.addi %pa, %c8 : index
  %last = scf.for %at = %pa to %end step %c8 iter_args(%old = %c0) -> (index) {
    scf.yield %at : index
  }
  cf.br ^next(%last : index)
^next(%to: index):
  call @freehold_fill_bytes(%to, %c8, %v) : (index, index, i64) -> ()
  %x = memref.load %b[%c0] : memref<8xi64>
  call @printI64(%x) : (i64) -> ()
  return
}

// What is stored, or known to other functions, cannot be followed.
// CHECK-LABEL: func.func @escapes
// CHECK-COUNT-3: memref.alloc() : memref<8xi64>
func.func @escapes(%numbers: memref<4xindex>) -> index {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<8xi64>
  %pa = memref.extract_aligned_pointer_as_index %a : memref<8xi64> -> index
  memref.store %pa, %numbers[%c0] : memref<4xindex>
  %b = memref.alloc() : memref<8xi64>
  %pb = memref.extract_aligned_pointer_as_index %b : memref<8xi64> -> index
  %number = arith.index_cast %pb : index to i64
  call @keep(%number) : (i64) -> ()
  %c = memref.alloc() : memref<8xi64>
  %pc = memref.extract_aligned_pointer_as_index %c : memref<8xi64> -> index
  return %pc : index
}

func.func private @keep(i64)
