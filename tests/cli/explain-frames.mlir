// What is on the stack of a function, and what passes may add.
// RUN: freehold explain %s --max-stack-bytes=1024 | FileCheck %s
// RUN: freehold explain %s | FileCheck %s --check-prefix=PLAIN

// CHECK: :[[@LINE+2]]:1: remark: frame: 64 bytes of buffers; passes may put 448 more on the stack
// PLAIN: :[[@LINE+1]]:1: remark: frame: 64 bytes of buffers
func.func @leaf(%x: f32, %i: index) -> f32 {
  %a = memref.alloca() : memref<16xf32>
  memref.store %x, %a[%i] : memref<16xf32>
  %y = memref.load %a[%i] : memref<16xf32>
  return %y : f32
}

// CHECK: :[[@LINE+2]]:1: remark: frame: 0 bytes of buffers; passes may put 512 more on the stack
// PLAIN-NOT: remark
func.func @top(%x: f32, %i: index) -> f32 {
  %y = call @leaf(%x, %i) : (f32, index) -> f32
  return %y : f32
}
