// RUN: freehold reduce %s --test="! grep -q execute_region" | FileCheck %s

// Branches are cut off with blocks that hold regions, and one region is left.
// CHECK:         func.func @main
// CHECK:           scf.execute_region {
// CHECK-NEXT:        scf.yield
// CHECK-NEXT:      }
// CHECK-NOT:       scf.execute_region
// CHECK-NOT:       arith
func.func @main(%a: i32, %c: i1) -> i32 {
  %x = arith.divsi %a, %a : i32
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  return %x : i32
^bb2:
  cf.cond_br %c, ^bb3, ^bb4
^bb3:
  scf.execute_region {
    scf.yield
  }
  return %a : i32
^bb4:
  scf.execute_region {
    scf.yield
  }
  %y = arith.remsi %a, %x : i32
  return %y : i32
}
