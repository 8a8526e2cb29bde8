// RUN: freehold run --ignore-dialect=transform %s | FileCheck %s

// Scripts go over lines in any way.
// CHECK: 1
func.func @main() {
  %c = arith.constant 1 : i32
  vector.print %c : i32
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @match(
      %entry: !transform.any_op {transform.readonly}) -> !transform.any_op {
    transform.match.operation_name %entry ["linalg.mmt4d"] : !transform.any_op
    transform.yield %entry : !transform.any_op
  }
  transform.named_sequence @main(
      %root: !transform.any_op,
      %other:
        !transform.any_op
  ) attributes {some = "thing",
                other = 1 : i32} {
    transform.foreach_match in %root
        @match -> @match
      : (!transform.any_op)
        -> !transform.any_op
    transform.yield
  }
  func.func private @declared()
}
