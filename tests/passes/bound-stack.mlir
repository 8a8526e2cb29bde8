// A chain of calls keeps to the limit, whichever functions are on it.
// RUN: freehold opt %s --bound-stack=max-stack-bytes=1200 | FileCheck %s
// RUN: freehold opt %s --bound-stack=max-stack-bytes=1200 --promote-buffers-to-stack | FileCheck %s --check-prefix=PROMOTED

// CHECK: func.func @leaf() attributes {freehold.stack_bytes = 400 : i64}
// PROMOTED-LABEL: func.func @leaf
// PROMOTED:         memref.alloca() : memref<64xf32>
// PROMOTED:         memref.alloc() : memref<64xf64>
// PROMOTED:         memref.alloca() : memref<16xf64>
func.func @leaf() {
  %c0 = arith.constant 0 : index
  %x = arith.constant 0.0 : f32
  %y = arith.constant 0.0 : f64
  %a = memref.alloc() : memref<64xf32>
  memref.store %x, %a[%c0] : memref<64xf32>
  memref.dealloc %a : memref<64xf32>
  %b = memref.alloc() : memref<64xf64>
  memref.store %y, %b[%c0] : memref<64xf64>
  memref.dealloc %b : memref<64xf64>
  %c = memref.alloc() : memref<16xf64>
  memref.store %y, %c[%c0] : memref<16xf64>
  memref.dealloc %c : memref<16xf64>
  return
}

// CHECK: func.func @middle() attributes {freehold.stack_bytes = 400 : i64}
func.func @middle() {
  call @leaf() : () -> ()
  return
}

// CHECK: func.func @top() attributes {freehold.stack_bytes = 400 : i64}
func.func @top() {
  call @middle() : () -> ()
  call @leaf() : () -> ()
  return
}

// The longest chain that it is part of has two functions.
// CHECK: func.func @short() attributes {freehold.stack_bytes = 600 : i64}
func.func @short() {
  call @other() : () -> ()
  return
}

// CHECK: func.func @other() attributes {freehold.stack_bytes = 600 : i64}
func.func @other() {
  return
}

// Nobody knows how often these are on a chain.
// CHECK: func.func @even(%{{.*}}: i1) attributes {freehold.stack_bytes = 0 : i64}
func.func @even(%c: i1) {
  scf.if %c {
    func.call @odd(%c) : (i1) -> ()
  }
  return
}

// CHECK: func.func @odd(%{{.*}}: i1) attributes {freehold.stack_bytes = 0 : i64}
// PROMOTED-LABEL: func.func @odd
// PROMOTED:         memref.alloc() : memref<4xf32>
func.func @odd(%c: i1) {
  %c0 = arith.constant 0 : index
  %x = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<4xf32>
  memref.store %x, %a[%c0] : memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  func.call @even(%c) : (i1) -> ()
  return
}

// A function in front of a circle is on a chain with what comes behind it.
// CHECK: func.func @before(%{{.*}}: i1) attributes {freehold.stack_bytes = 1200 : i64}
func.func @before(%c: i1) {
  func.call @odd(%c) : (i1) -> ()
  return
}
