// What runs may be private: then its callers are not all known, and it returns what it is declared to return,
// here a copy of the global, which is freed.
// RUN: freehold run %s -e start --private-function-dynamic-ownership | FileCheck %s
// RUN: freehold run %s -e start --dealloc=hlo | FileCheck %s
// RUN: freehold compile %s -e start --private-function-dynamic-ownership --emit=exe -o %t && %t | FileCheck %s

// CHECK: 3
func.func private @printI64(i64)
func.func private @printNewline()
memref.global "private" constant @three : memref<i64> = dense<3>

func.func private @start() -> memref<i64> {
  %m = memref.get_global @three : memref<i64>
  %x = memref.load %m[] : memref<i64>
  call @printI64(%x) : (i64) -> ()
  call @printNewline() : () -> ()
  return %m : memref<i64>
}
