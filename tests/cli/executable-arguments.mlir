// Executables without anything to pass or to show take no arguments, and say so instead of leaving them out.
//
// REQUIRES: cc
// RUN: freehold compile %s --emit=exe -o %t
// RUN: %t | FileCheck %s
// RUN: not %t --input=2xf32=1 2>&1 | FileCheck %s --check-prefix=REFUSED
//
// CHECK: 7
// REFUSED: error: this executable takes no arguments, but got '--input=2xf32=1'{{$}}
// REFUSED-NOT: 7

func.func private @printI64(i64)

func.func @main() {
  %x = arith.constant 7 : i64
  call @printI64(%x) : (i64) -> ()
  return
}
