// An operation whose types become numbers needs a function, unless it does nothing but hand its operands on.
// RUN: not freehold run --irdl-file=%S/no-function.irdl %s 2>&1 | FileCheck %s

func.func @main() {
  %h = "d.open"() : () -> !d.handle
  // CHECK: [[@LINE+2]]:{{.*}}: error: 'd.move' op has values of declared types and no function
  // CHECK-SAME: its declaration needs 'freehold.c_function', or 'freehold.effects = {}' with 'freehold.same' for all results
  %i = "d.move"(%h) : (!d.handle) -> !d.handle
  return
}
