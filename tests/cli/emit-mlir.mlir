// `--emit=mlir` prints what code is generated from: buffers freed, loops lowered. It compiles to the same code.

// RUN: freehold compile %s --emit=mlir | FileCheck %s
// RUN: freehold compile %s -o %t.mlir && FileCheck %s < %t.mlir
// RUN: freehold compile %t.mlir --emit=asm -o %t.1.s && freehold compile %s --emit=asm -o %t.2.s && diff %t.1.s %t.2.s

// CHECK-LABEL: func.func @first
// CHECK:         memref.alloc
// CHECK-NOT:     scf.for
// CHECK:         memref.dealloc
func.func @first(%n: index, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %all = memref.alloc(%n) : memref<?xf32>
  scf.for %i = %c0 to %n step %c1 {
    memref.store %x, %all[%i] : memref<?xf32>
  }
  %value = memref.load %all[%c0] : memref<?xf32>
  return %value : f32
}
