// RUN: not freehold opt %s --split-input-file --memref-emulate-wide-int 2>&1 | FileCheck %s

// CHECK: error: 'memref.load' op takes a value of type memref<4xi64> from outside of what 'memref-emulate-wide-int' changes
func.func @argument(%m: memref<4xi64>, %i: index) {
  %0 = memref.load %m[%i] : memref<4xi64>
  return
}

// -----

// CHECK: error: 'memref.load' op makes a value of type i64 that 'func.return' takes, which 'memref-emulate-wide-int' does not change
func.func @result(%i: index) -> i64 {
  %m = memref.alloc() : memref<4xi64>
  %0 = memref.load %m[%i] : memref<4xi64>
  return %0 : i64
}

// -----

// CHECK: error: 'arith.divsi' op cannot be emulated: no halves are known for it
func.func @division(%x: i32) {
  %a = arith.extsi %x : i32 to i64
  %0 = arith.divsi %a, %a : i64
  return
}

// -----

// CHECK: error: 'arith.extsi' op cannot be emulated: i128 has no halves of 32 bits
func.func @too_wide(%x: i32) {
  %a = arith.extsi %x : i32 to i128
  return
}

// -----

// CHECK: error: 'arith.sitofp' op cannot be emulated: the halves would be rounded, and their sum once more
func.func @rounded(%x: i32) -> f32 {
  %a = arith.extsi %x : i32 to i64
  %0 = arith.sitofp %a : i64 to f32
  return %0 : f32
}

// -----

// CHECK: error: 'memref.atomic_rmw' op cannot be emulated: no halves are known for it
func.func @atomic(%x: i32, %i: index) {
  %m = memref.alloc() : memref<4xi64>
  %a = arith.extsi %x : i32 to i64
  %0 = memref.atomic_rmw addi %a, %m[%i] : (i64, memref<4xi64>) -> i64
  return
}

// -----

// CHECK: error: 'memref.reshape' op cannot be emulated: no halves are known for it
func.func @shape(%m: memref<4xf32>) -> memref<2x2xf32> {
  %s = memref.alloc() : memref<2xi64>
  %0 = memref.reshape %m(%s) : (memref<4xf32>, memref<2xi64>) -> memref<2x2xf32>
  return %0 : memref<2x2xf32>
}
