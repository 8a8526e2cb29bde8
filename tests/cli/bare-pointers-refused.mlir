// Functions that cannot have bare pointers: types that say too little, and results.
//
// RUN: not freehold compile %s -o %t.o 2>&1 | FileCheck %s
// RUN: not freehold run %s 2>&1 | FileCheck %s

// CHECK: [[@LINE+1]]:1: error: function with bare pointers cannot take 'memref<?xf64>': a pointer does not say its sizes, strides and offset
func.func private @sizes(memref<?xf64>) attributes {llvm.bareptr}
// CHECK: [[@LINE+1]]:1: error: function with bare pointers cannot take 'memref<4xf64, strided<[?]>>'
func.func private @strides(memref<4xf64, strided<[?]>>) attributes {llvm.bareptr}
// CHECK: [[@LINE+1]]:1: error: function with bare pointers cannot take 'memref<4xf64, strided<[1], offset: ?>>'
func.func private @offset(memref<4xf64, strided<[1], offset: ?>>) attributes {llvm.bareptr}
// CHECK: [[@LINE+1]]:1: error: function with bare pointers cannot take 'memref<*xf64>'
func.func private @rank(memref<*xf64>) attributes {llvm.bareptr}
// CHECK: [[@LINE+1]]:1: error: function with bare pointers cannot return 'memref<4xf64>': the pointer would not say where the allocation begins
func.func @result(%m: memref<4xf64>) -> memref<4xf64> attributes {llvm.bareptr} {
  return %m : memref<4xf64>
}
func.func @main() {
  return
}
