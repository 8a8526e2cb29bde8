// RUN: freehold opt %s --mem2reg --mlir-version=22 | FileCheck %s

// CHECK-LABEL: func.func @line
// CHECK-NEXT:    return %arg0
func.func @line(%x: i32) -> i32 {
  %a = memref.alloca() : memref<i32>
  memref.store %x, %a[] : memref<i32>
  %v = memref.load %a[] : memref<i32>
  return %v : i32
}

// Where two blocks meet the value becomes an argument; on the way that writes nothing it is poison.
// CHECK-LABEL: func.func @blocks
// CHECK-NEXT:    %[[P:.*]] = ub.poison : i32
// CHECK-NEXT:    cf.cond_br %arg0, ^bb1, ^bb2(%[[P]] : i32)
// CHECK-NEXT:  ^bb1:
// CHECK-NEXT:    cf.br ^bb2(%arg1 : i32)
// CHECK-NEXT:  ^bb2(%[[V:.*]]: i32):
// CHECK-NEXT:    return %[[V]]
func.func @blocks(%c: i1, %x: i32) -> i32 {
  %a = memref.alloca() : memref<i32>
  cf.cond_br %c, ^a, ^b
^a:
  memref.store %x, %a[] : memref<i32>
  cf.br ^b
^b:
  %v = memref.load %a[] : memref<i32>
  return %v : i32
}

// Round a loop.
// CHECK-LABEL: func.func @loop
// CHECK:         cf.br ^bb1(%arg1 : i32)
// CHECK-NEXT:  ^bb1(%[[V:.*]]: i32):
// CHECK-NEXT:    %[[W:.*]] = arith.addi %[[V]], %arg1
// CHECK-NEXT:    cf.cond_br %arg0, ^bb1(%[[W]] : i32), ^bb2
// CHECK:         return %[[W]]
func.func @loop(%c: i1, %x: i32) -> i32 {
  %a = memref.alloca() : memref<i32>
  memref.store %x, %a[] : memref<i32>
  cf.br ^head
^head:
  %v = memref.load %a[] : memref<i32>
  %w = arith.addi %v, %x : i32
  memref.store %w, %a[] : memref<i32>
  cf.cond_br %c, ^head, ^end
^end:
  %r = memref.load %a[] : memref<i32>
  return %r : i32
}

// Accesses in another region, the address stored elsewhere, two elements.
// CHECK-LABEL: func.func @kept
// CHECK-COUNT-3: memref.alloca
// CHECK:         return
func.func @kept(%c: i1, %x: i32, %m: memref<1xmemref<i32>>) {
  %c0 = arith.constant 0 : index
  %a = memref.alloca() : memref<i32>
  scf.if %c {
    memref.store %x, %a[] : memref<i32>
  }
  %b = memref.alloca() : memref<i32>
  memref.store %b, %m[%c0] : memref<1xmemref<i32>>
  %d = memref.alloca() : memref<2xi32>
  memref.store %x, %d[%c0] : memref<2xi32>
  return
}
