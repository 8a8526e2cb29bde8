// An operation of a dialect that is not known is one error, although its arguments begin lines.
//
// RUN: not freehold opt %s 2>&1 | FileCheck %s --implicit-check-not=error:

// CHECK: foreign-dialect-lines.mlir:[[@LINE+2]]:3: error: Dialect `transform' not found for custom op 'transform.named_sequence'
module {
  transform.named_sequence @match(
      %entry: !transform.any_op {transform.readonly},
      %other : !transform.any_op) -> !transform.any_op {
    transform.yield %entry : !transform.any_op
  }
  // What follows is read.
  // CHECK: foreign-dialect-lines.mlir:[[@LINE+1]]:3: error: Dialect `mine' not found for custom op 'mine.op'
  mine.op
}
