// RUN: freehold run %s -O0 --stats=json 2>&1 | FileCheck %s

// Buffers used one after the other are there one at a time, and a result that
// the function owns on every path is not cloned.
// CHECK: {"allocs": 5, "frees": 5, "bytes_allocated": 5120, "peak_bytes": 2048,

func.func @touch(%m: memref<256xf32>) {
  %c0 = arith.constant 0 : index
  %v = arith.constant 1.0 : f32
  memref.store %v, %m[%c0] : memref<256xf32>
  return
}

func.func @temporaries() {
  %a = memref.alloc() : memref<256xf32>
  call @touch(%a) : (memref<256xf32>) -> ()
  %b = memref.alloc() : memref<256xf32>
  call @touch(%b) : (memref<256xf32>) -> ()
  %c = memref.alloc() : memref<256xf32>
  call @touch(%c) : (memref<256xf32>) -> ()
  return
}

func.func @owned_either_way(%c: i1) -> memref<256xf32> {
  %a = memref.alloc() : memref<256xf32>
  %b = memref.alloc() : memref<256xf32>
  call @touch(%a) : (memref<256xf32>) -> ()
  call @touch(%b) : (memref<256xf32>) -> ()
  %r = scf.if %c -> (memref<256xf32>) {
    scf.yield %a : memref<256xf32>
  } else {
    scf.yield %b : memref<256xf32>
  }
  return %r : memref<256xf32>
}

func.func @main() {
  %c = arith.constant true
  call @temporaries() : () -> ()
  %r = call @owned_either_way(%c) : (i1) -> memref<256xf32>
  call @touch(%r) : (memref<256xf32>) -> ()
  return
}
