// The printed pipeline does what `run` does where a public function returns an argument that its caller has too: writes
// through one name are seen through the other one.
//
// RUN: freehold run %s --dealloc=hlo -O0 --check | FileCheck %s
// RUN: freehold opt %s --hlo-deallocation-pipeline=keep-public-signatures=true | freehold run --dealloc=none -O0 --check - | FileCheck %s
// RUN: freehold opt %s --hlo-deallocation-pipeline=keep-public-signatures=true | freehold run --dealloc=clone -O0 --check - | FileCheck %s

func.func @same(%m: memref<2xi64>) -> memref<2xi64> {
  return %m : memref<2xi64>
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %m = memref.alloc() : memref<2xi64>
  memref.store %one, %m[%c0] : memref<2xi64>
  %r = call @same(%m) : (memref<2xi64>) -> memref<2xi64>
  memref.store %two, %r[%c0] : memref<2xi64>
  // CHECK: 2
  %x = memref.load %m[%c0] : memref<2xi64>
  vector.print %x : i64
  memref.store %one, %m[%c0] : memref<2xi64>
  // CHECK-NEXT: 1
  %y = memref.load %r[%c0] : memref<2xi64>
  vector.print %y : i64
  return
}
