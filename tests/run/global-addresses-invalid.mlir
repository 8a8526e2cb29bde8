// Addresses of what is not there, or where there is no room, are errors.
//
// RUN: not freehold run %s 2>&1 | FileCheck %s
//
// CHECK: [[@LINE+1]]:1: error: 'memref.global' op begins with addresses that are not there
memref.global "private" @unknown : memref<8xi8> = dense<0> {freehold.addresses = [[0, @nothing, 0]]}
// CHECK: [[@LINE+1]]:1: error: 'memref.global' op begins with addresses that are not there
memref.global "private" @outside : memref<8xi8> = dense<0> {freehold.addresses = [[1, @outside, 0]]}
// CHECK: [[@LINE+1]]:1: error: 'memref.global' op begins with addresses that are not there
memref.global "private" @malformed : memref<8xi8> = dense<0> {freehold.addresses = [@outside]}

func.func @main() {
  %0 = memref.get_global @unknown : memref<8xi8>
  %1 = memref.get_global @outside : memref<8xi8>
  %2 = memref.get_global @malformed : memref<8xi8>
  return
}
