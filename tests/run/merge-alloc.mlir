// Programs whose buffers must not share bytes, though each is used for a short time only.

// RUN: freehold run %s | FileCheck %s
// RUN: freehold run %s --merge-alloc | FileCheck %s
// RUN: freehold run %s --merge-alloc --check | FileCheck %s
// RUN: freehold run %s --merge-alloc=always --check | FileCheck %s
// RUN: freehold run %s -O0 --merge-alloc=always --stats=json 2>&1 | FileCheck %s --check-prefix=STATS

// Each function with buffers needs one allocation.
// STATS: {"allocs": 4, "frees": 4,

func.func private @printI64(i64)
func.func private @printNewline()

// Contents are carried round the outer loop: 0 + 1 + 2 in one buffer, the same times ten in the other.
// CHECK: 3
// CHECK: 30
func.func @sibling_loops() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0 : i64
  %ten = arith.constant 10 : i64
  %a = memref.alloc() : memref<1xi64>
  %b = memref.alloc() : memref<1xi64>
  memref.store %zero, %a[%c0] : memref<1xi64>
  memref.store %zero, %b[%c0] : memref<1xi64>
  scf.for %i = %c0 to %c3 step %c1 {
    %n = arith.index_cast %i : index to i64
    scf.for %j = %c0 to %c1 step %c1 {
      %old = memref.load %a[%c0] : memref<1xi64>
      %new = arith.addi %old, %n : i64
      memref.store %new, %a[%c0] : memref<1xi64>
    }
    scf.for %j = %c0 to %c1 step %c1 {
      %old = memref.load %b[%c0] : memref<1xi64>
      %times = arith.muli %n, %ten : i64
      %new = arith.addi %old, %times : i64
      memref.store %new, %b[%c0] : memref<1xi64>
    }
  }
  %x = memref.load %a[%c0] : memref<1xi64>
  call @printI64(%x) : (i64) -> ()
  call @printNewline() : () -> ()
  %y = memref.load %b[%c0] : memref<1xi64>
  call @printI64(%y) : (i64) -> ()
  call @printNewline() : () -> ()
  return
}

// The same with a loop made of blocks.
// CHECK: 3
// CHECK: 30
func.func @loop_of_blocks() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : i64
  %c3 = arith.constant 3 : i64
  %zero = arith.constant 0 : i64
  %ten = arith.constant 10 : i64
  %a = memref.alloc() : memref<1xi64>
  %b = memref.alloc() : memref<1xi64>
  memref.store %zero, %a[%c0] : memref<1xi64>
  memref.store %zero, %b[%c0] : memref<1xi64>
  cf.br ^first(%zero : i64)
^first(%i: i64):
  %old_a = memref.load %a[%c0] : memref<1xi64>
  %new_a = arith.addi %old_a, %i : i64
  memref.store %new_a, %a[%c0] : memref<1xi64>
  cf.br ^second
^second:
  %old_b = memref.load %b[%c0] : memref<1xi64>
  %times = arith.muli %i, %ten : i64
  %new_b = arith.addi %old_b, %times : i64
  memref.store %new_b, %b[%c0] : memref<1xi64>
  %next = arith.addi %i, %c1 : i64
  %more = arith.cmpi slt, %next, %c3 : i64
  cf.cond_br %more, ^first(%next : i64), ^end
^end:
  %x = memref.load %a[%c0] : memref<1xi64>
  call @printI64(%x) : (i64) -> ()
  call @printNewline() : () -> ()
  %y = memref.load %b[%c0] : memref<1xi64>
  call @printI64(%y) : (i64) -> ()
  call @printNewline() : () -> ()
  return
}

// A view of unknown rank keeps its buffer alive.
// CHECK: 7
func.func @unranked() {
  %c0 = arith.constant 0 : index
  %seven = arith.constant 7 : i64
  %nine = arith.constant 9 : i64
  %a = memref.alloc() : memref<1xi64>
  memref.store %seven, %a[%c0] : memref<1xi64>
  %u = memref.cast %a : memref<1xi64> to memref<*xi64>
  %b = memref.alloc() : memref<1xi64>
  memref.store %nine, %b[%c0] : memref<1xi64>
  %r = memref.cast %u : memref<*xi64> to memref<1xi64>
  %x = memref.load %r[%c0] : memref<1xi64>
  call @printI64(%x) : (i64) -> ()
  call @printNewline() : () -> ()
  return
}

// In place: each step overwrites what it read.
// CHECK: 12
func.func @in_place() {
  %c0 = arith.constant 0 : index
  %three = arith.constant 3 : i64
  %a = memref.alloc() : memref<4xi64>
  linalg.fill ins(%three : i64) outs(%a : memref<4xi64>)
  %b = memref.alloc() : memref<4xi64>
  linalg.add ins(%a, %a : memref<4xi64>, memref<4xi64>) outs(%b : memref<4xi64>)
  %c = memref.alloc() : memref<4xi64>
  memref.copy %b, %c : memref<4xi64> to memref<4xi64>
  %d = memref.alloc() : memref<4xi64>
  linalg.add ins(%c, %c : memref<4xi64>, memref<4xi64>) outs(%d : memref<4xi64>)
  %x = memref.load %d[%c0] : memref<4xi64>
  call @printI64(%x) : (i64) -> ()
  call @printNewline() : () -> ()
  return
}

func.func @main() {
  call @sibling_loops() : () -> ()
  call @loop_of_blocks() : () -> ()
  call @unranked() : () -> ()
  call @in_place() : () -> ()
  return
}
