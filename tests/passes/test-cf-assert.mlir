// RUN: freehold opt %s --test-cf-assert | freehold run - | FileCheck %s

// CHECK:      one is wrong
// CHECK-NOT:  two
// CHECK:      done
func.func @main() {
  %false = arith.constant false
  %true = arith.constant true
  cf.assert %false, "one is wrong"
  cf.assert %true, "two is right"
  vector.print str "done\0A"
  return
}
