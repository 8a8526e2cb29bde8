// RUN: freehold reduce %s --test="! grep -q execute_region" | FileCheck %s

// A branch is cut off, with blocks that hold regions.
// CHECK:      module {
// CHECK-NEXT:   func.func
// CHECK-NEXT:     scf.execute_region {
// CHECK-NEXT:       scf.yield
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
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
