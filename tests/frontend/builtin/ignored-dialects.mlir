// What means nothing to a program that is compiled is kept, or left out if that is said.

// RUN: freehold opt %s --ignore-dialect=transform --ignore-dialect=mine | FileCheck %s
// RUN: freehold run %s --ignore-dialect=transform --ignore-dialect=mine --entry-point-result=i32 | FileCheck %s --check-prefix=OUT
// RUN: not freehold opt %s --ignore-dialect=mine 2>&1 | FileCheck %s --check-prefix=ERROR

// ERROR: error: Dialect `transform' not found for custom op 'transform.named_sequence': `--ignore-dialect=transform` leaves such scripts out

// CHECK: module attributes {dlti.dl_spec = #dlti.dl_spec<{{.*}}>, mine.note = #mine.note<1>, transform.with_named_sequence}
// CHECK-NOT: transform.
// CHECK-NOT: mine.
// OUT: 42
module attributes {dlti.dl_spec = #dlti.dl_spec<#dlti.dl_entry<index, 64>>, mine.note = #mine.note<1>, transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.matmul"]} in %arg0 : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
  "mine.script"() ({
    "mine.end"() : () -> ()
  }) : () -> ()
  // CHECK: func.func @main
  func.func @main() -> i32 {
    %0 = arith.constant {tune.knob = 4 : i64} 42 : i32
    mine.mark "here"
    return %0 : i32
  }
}
