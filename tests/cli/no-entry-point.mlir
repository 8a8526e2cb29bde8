// Who names no function of the program gets to know those that there are.

// RUN: not freehold run %s 2>&1 | FileCheck %s --check-prefix=MAIN
// RUN: not freehold run %s -e thrid --input=i32=1 2>&1 | FileCheck %s --check-prefix=INPUT
// RUN: not freehold compile %s --emit=exe -o %t 2>&1 | FileCheck %s --check-prefix=COMPILE
// RUN: freehold compile %s --emit=exe -e first -o %t && not %t --function=none 2>&1 | FileCheck %s --check-prefix=EXE

// MAIN: freehold run: error: entry point 'main' not found; functions: 'first', 'second', 'third'{{$}}
// INPUT: freehold run: error: entry point 'thrid' not found; functions: 'first', 'second', 'third'{{$}}
// COMPILE: no-entry-point.mlir: error: entry point 'main' not found; functions: 'first', 'second', 'third'{{$}}
// EXE: error: entry point 'none' not found; functions: 'first', 'second', 'third'{{$}}
func.func @third(%x: i32) -> i32 { return %x : i32 }
func.func private @hidden() { return }
func.func @second() { return }
func.func @first() {
  call @hidden() : () -> ()
  return
}
func.func private @elsewhere()
