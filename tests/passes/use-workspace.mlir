// RUN: freehold opt %s --use-workspace --split-input-file | FileCheck %s
// RUN: freehold opt %s --use-workspace="mode=static" --split-input-file | FileCheck %s --check-prefix=STATIC

// Two buffers that live at other times have the same bytes; the caller plans what the private function needs.
// CHECK:       func.func private @callee(%arg0: memref<64xf32>, %[[LENT:.*]]: memref<256xi8>)
// CHECK-SAME:    freehold.workspace_bytes = 256
// CHECK:         memref.view %[[LENT]]
// CHECK:       func.func @caller(%arg0: memref<64xf32>, %[[W:.*]]: memref<512xi8>)
// CHECK-SAME:    freehold.workspace_alignment = 16 : i64, freehold.workspace_bytes = 512
// CHECK-NOT:     alloc
// CHECK:         return
// STATIC:      memref.global "private" @caller_workspace : memref<512xi8> = uninitialized {alignment = 16 : i64}
// STATIC:      func.func @caller(%arg0: memref<64xf32>) attributes
// STATIC:        memref.get_global @caller_workspace
func.func private @callee(%x: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32>
  memref.copy %x, %a : memref<64xf32> to memref<64xf32>
  memref.copy %a, %x : memref<64xf32> to memref<64xf32>
  memref.dealloc %a : memref<64xf32>
  return
}
func.func @caller(%x: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32>
  memref.copy %x, %a : memref<64xf32> to memref<64xf32>
  call @callee(%a) : (memref<64xf32>) -> ()
  memref.copy %a, %x : memref<64xf32> to memref<64xf32>
  memref.dealloc %a : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  memref.copy %x, %b : memref<64xf32> to memref<64xf32>
  memref.copy %b, %x : memref<64xf32> to memref<64xf32>
  memref.dealloc %b : memref<64xf32>
  return
}

// -----

// How a function is called does not depend on whether it needs anything. A buffer without elements has an address.
// CHECK: func.func @nothing(%arg0: memref<0xi8>)
// CHECK: func.func @no_elements(%arg0: memref<0xf32>, %{{.*}}: memref<{{[1-9][0-9]*}}xi8>)
// CHECK-NOT: alloc
// CHECK: func.func private @internal(
// STATIC-NOT: global "private" @nothing
// STATIC: func.func @nothing()
func.func @nothing() {
  return
}
func.func @no_elements(%x: memref<0xf32>) {
  %a = memref.alloc() : memref<0xf32>
  memref.copy %x, %a : memref<0xf32> to memref<0xf32>
  memref.dealloc %a : memref<0xf32>
  return
}
func.func private @internal() {
  call @nothing() : () -> ()
  return
}
