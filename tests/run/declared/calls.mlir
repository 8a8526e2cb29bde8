// C functions stand for declared operations; their types become numbers.
// RUN: freehold run --irdl-file=%S/libc.irdl %s | FileCheck %s
// RUN: freehold run -O0 --irdl-file=%S/libc.irdl %s | FileCheck %s
// RUN: freehold opt --irdl-file=%S/libc.irdl --convert-declared-to-calls %s | FileCheck %s --check-prefix=CALLS

func.func private @printI64(i64)
func.func private @printNewline()

// CALLS-LABEL: func.func private @through(%{{.*}}: i64) -> i64
// CALLS-NOT:     c.pass
func.func private @through(%h: !c.handle) -> !c.handle {
  %0 = "c.pass"(%h) : (!c.handle) -> !c.handle
  return %0 : !c.handle
}

// CALLS-LABEL: func.func @main
func.func @main() {
  %n = arith.constant -7 : i64
  // CALLS: call @labs(%{{.*}}) : (i64) -> i64
  %a = "c.abs"(%n) {size = "l"} : (i64) -> i64
  call @printI64(%a) : (i64) -> ()
  call @printNewline() : () -> ()
  // CALLS: %[[THREE:.*]] = arith.constant -3 : i64
  // CALLS-NEXT: %[[H:.*]] = call @labs(%[[THREE]]) : (i64) -> i64
  %h = "c.open"() {number = -3 : i64} : () -> !c.handle
  %i = func.call @through(%h) : (!c.handle) -> !c.handle
  %b = "c.number"(%i) : (!c.handle) -> i64
  call @printI64(%b) : (i64) -> ()
  call @printNewline() : () -> ()
  return
}
// CALLS: func.func private @labs(i64) -> i64

// CHECK: 7
// CHECK-NEXT: 3
