// A debugger stops at lines of this file and shows the calls on the stack: in an executable, and in
// what the JIT made.
//
// REQUIRES: cc, gdb
// RUN: freehold compile %s -g --emit=exe -o %t
// RUN: gdb -nx -batch -ex "break debugger.mlir:24" -ex run -ex backtrace -ex kill %t \
// RUN:   | FileCheck %s
// RUN: gdb -nx -batch -ex "set breakpoint pending on" -ex "break debugger.mlir:24" -ex run \
// RUN:   -ex backtrace -ex kill --args %freehold run %s -g | FileCheck %s
//
// Without -g there are names, and the stack is walked all the same.
// RUN: gdb -nx -batch -ex "set breakpoint pending on" -ex "break quotient_of" -ex run \
// RUN:   -ex backtrace -ex kill --args %freehold run %s | FileCheck %s --check-prefix=NAMES

// CHECK: Breakpoint 1, {{.*}}quotient_of () at {{.*}}debugger.mlir:24
// CHECK: 24{{.*}}arith.divsi
// CHECK: #0 {{.*}}quotient_of () at {{.*}}debugger.mlir:24
// CHECK-NEXT: #1 {{.*}}main () at {{.*}}debugger.mlir:31

// NAMES: #0 {{.*}} in quotient_of ()
// NAMES-NEXT: #1 {{.*}} in main ()

func.func private @quotient_of(%a: i32, %b: i32) -> i32 attributes {passthrough = ["noinline"]} {
  %c = arith.divsi %a, %b : i32
  return %c : i32
}

func.func @main() -> i32 {
  %c12 = arith.constant 12 : i32
  %c4 = arith.constant 4 : i32
  %c = call @quotient_of(%c12, %c4) : (i32, i32) -> i32
  return %c : i32
}
