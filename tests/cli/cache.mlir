// Compiled programs are kept in a folder: the second run takes up the code of the first one; another function,
// level or text has a file of its own.
//
// RUN: freehold run %s --cache=%t.cache -e triple --input=4xf32=1,2,3,4 | FileCheck %s
// RUN: freehold run %s --cache=%t.cache -e triple --input=4xf32=1,2,3,4 | FileCheck %s
// RUN: freehold run %s --cache=%t.cache -O0 -e triple --input=4xf32=1,2,3,4 | FileCheck %s
// RUN: freehold run %s --cache=%t.cache | FileCheck %s --check-prefix=TABLE
// RUN: freehold run %s --cache=%t.cache | FileCheck %s --check-prefix=TABLE
//
// Nothing is kept where memory is counted.
// RUN: freehold run %s --cache=%t.cache --stats=json 2>&1 | FileCheck %s --check-prefix=TABLE
//
// RUN: not freehold run %s --cache=%t.cache -e triple --input=4xi32=1 2>&1 | FileCheck %s --check-prefix=WRONG
// RUN: freehold run %s --cache=/dev/null/x 2>&1 | FileCheck %s --check-prefixes=NOWHERE,TABLE
//
// CHECK: result #0: 4xf32 = [3.0, 6.0, 9.0, 12.0]
// NOWHERE: warning: cannot write to the cache: {{.*}}
// TABLE: 7
// WRONG: argument #0 of function 'triple' is tensor<?xf32>, not 4xi32

memref.global "private" constant @table : memref<2xi64> = dense<[5, 7]>

func.func @triple(%x: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %three = arith.constant 3.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %threes = tensor.splat %three[%n] : tensor<?xf32>
  %y = arith.mulf %x, %threes : tensor<?xf32>
  return %y : tensor<?xf32>
}

func.func @main() {
  %c1 = arith.constant 1 : index
  %m = memref.get_global @table : memref<2xi64>
  %x = memref.load %m[%c1] : memref<2xi64>
  vector.print %x : i64
  return
}
