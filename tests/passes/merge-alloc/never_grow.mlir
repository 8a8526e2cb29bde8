// RUN: freehold opt %s --merge-alloc="never-grow" --allow-unregistered-dialect | FileCheck %s

// Merging only where the peak of the whole program cannot become higher.

// Both buffers live at once, and nothing else is allocated meanwhile.
// CHECK-LABEL: func.func @alone
// CHECK:         memref.alloc() {{.*}} : memref<128xi8>
func.func @alone(%x: memref<16xf32>, %y: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  memref.copy %x, %a : memref<16xf32> to memref<16xf32>
  memref.copy %x, %b : memref<16xf32> to memref<16xf32>
  memref.copy %a, %y : memref<16xf32> to memref<16xf32>
  memref.copy %b, %y : memref<16xf32> to memref<16xf32>
  return
}

// When the call allocates, only one of the three would be left without merging.
// CHECK-LABEL: func.func @call_later
// CHECK-COUNT-3: memref.alloc() : memref<16xf32>
func.func @call_later(%x: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  memref.copy %x, %a : memref<16xf32> to memref<16xf32>
  memref.copy %x, %b : memref<16xf32> to memref<16xf32>
  memref.copy %a, %x : memref<16xf32> to memref<16xf32>
  memref.copy %b, %x : memref<16xf32> to memref<16xf32>
  %c = memref.alloc() : memref<16xf32>
  memref.copy %x, %c : memref<16xf32> to memref<16xf32>
  call @f() : () -> ()
  memref.copy %c, %x : memref<16xf32> to memref<16xf32>
  return
}

func.func private @f()

// Nothing may be needed at all.
// CHECK-LABEL: func.func @branch
// CHECK-NOT:     memref.view
// CHECK:         return
func.func @branch(%c: i1, %x: memref<16xf32>) {
  scf.if %c {
    %a = memref.alloc() : memref<16xf32>
    memref.copy %x, %a : memref<16xf32> to memref<16xf32>
    memref.copy %a, %x : memref<16xf32> to memref<16xf32>
  }
  return
}

// Padding costs memory.
// CHECK-LABEL: func.func @padding
// CHECK-NOT:     memref.view
// CHECK:         return
func.func @padding(%x: memref<3xi8>) {
  %a = memref.alloc() : memref<3xi8>
  memref.copy %x, %a : memref<3xi8> to memref<3xi8>
  memref.copy %a, %x : memref<3xi8> to memref<3xi8>
  return
}
