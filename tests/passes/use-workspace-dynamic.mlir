// RUN: freehold opt %s --use-workspace --canonicalize | FileCheck %s

// Sizes are computed when the function begins, wherever they are used. Buffers of one product share their bytes, and
// begin after those of known size.
// CHECK:       func.func @f(%[[X:.*]]: memref<?x?xf32>, %[[W:.*]]: memref<?xi8>) attributes {freehold.workspace_alignment = 16 : i64, llvm.emit_c_interface} {
// CHECK:         scf.for
// CHECK:           memref.view %[[W]][%c0][] : memref<?xi8> to memref<4xf32>
// CHECK:           memref.view %[[W]][%c16][%[[N:.*]]] : memref<?xi8> to memref<?xf32>
// CHECK:           memref.view %[[W]][%c16][%[[N]]] : memref<?xi8> to memref<?xf32>
// CHECK:       func.func @f_workspace_size(%[[X:.*]]: memref<?x?xf32>) -> index attributes {llvm.emit_c_interface} {
// CHECK:         %[[D:.*]] = memref.dim %[[X]], %c1
// CHECK:         %[[N:.*]] = arith.addi %[[D]], %c1
// CHECK:         %[[BYTES:.*]] = arith.muli %[[N]], %c4
// CHECK:         %[[ALL:.*]] = arith.addi %[[BYTES]], %c16
// CHECK:         return %[[ALL]]
func.func @f(%x: memref<?x?xf32>) attributes {llvm.emit_c_interface} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?x?xf32>
  scf.for %i = %c0 to %n step %c1 {
    %m = memref.dim %x, %c1 : memref<?x?xf32>
    %more = arith.addi %m, %c1 : index
    %s = memref.alloc() : memref<4xf32>
    %a = memref.alloc(%more) : memref<?xf32>
    %v = memref.load %x[%i, %c0] : memref<?x?xf32>
    memref.store %v, %a[%c0] : memref<?xf32>
    %u = memref.load %a[%c0] : memref<?xf32>
    memref.dealloc %a : memref<?xf32>
    memref.store %u, %s[%c0] : memref<4xf32>
    %b = memref.alloc(%more) : memref<?xf32>
    %w = memref.load %s[%c0] : memref<4xf32>
    memref.store %w, %b[%c0] : memref<?xf32>
    %t = memref.load %b[%c0] : memref<?xf32>
    memref.store %t, %x[%i, %c0] : memref<?x?xf32>
    memref.dealloc %b : memref<?xf32>
    memref.dealloc %s : memref<4xf32>
  }
  return
}
