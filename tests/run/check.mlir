// What the memory checker sees: frees always, loads and stores on request.
//
// RUN: not freehold run %s -O0 --dealloc=none --check 2>&1 | FileCheck %s --check-prefix=FREES
// RUN: not freehold run %s -O0 --dealloc=none --check=accesses --stats=json 2>&1 \
// RUN:   | FileCheck %s

func.func @main() {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32

  %a = memref.alloc() : memref<4xf32>

  // FREES-NOT: use after free
  // FREES: [[@LINE+2]]:13: error: memory leak
  // FREES-NEXT: memory check: 1 error
  %leaked = memref.alloc() : memref<4xf32>
  memref.store %one, %a[%c0] : memref<4xf32>
  memref.dealloc %a : memref<4xf32>

  // A late read leaves no trace in memory.
  // CHECK: [[@LINE+3]]:11: error: use after free: read of 4 bytes
  // CHECK: memory check: 2 errors
  // CHECK: "allocs": 2, "frees": 1
  %late = memref.load %a[%c0] : memref<4xf32>
  memref.store %late, %leaked[%c0] : memref<4xf32>
  return
}
