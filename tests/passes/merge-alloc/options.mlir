// Options with values that make no sense.

// RUN: not freehold opt %s --merge-alloc="alignment=0" 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: not freehold opt %s --merge-alloc="alignment=-64" 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: not freehold opt %s --merge-alloc="alignment=4294967296" 2>&1 | FileCheck %s --check-prefix=LARGE
// RUN: not freehold opt %s --merge-alloc="alignment=48" 2>&1 | FileCheck %s --check-prefix=ODD
// RUN: not freehold opt %s --merge-alloc="planner-options=best" 2>&1 | FileCheck %s --check-prefix=PLANNER
// RUN: not freehold opt %s --merge-alloc="node-budget=-1" 2>&1 | FileCheck %s --check-prefix=BUDGET
// ZERO: freehold opt: in '--merge-alloc': <Pass-Options-Parser>: '0' value invalid for option alignment: expected an integer from 1 to 1073741824
// NEGATIVE: '-64' value invalid for option alignment: expected an integer from 1 to 1073741824
// LARGE: '4294967296' value invalid for option alignment: expected an integer from 1 to 1073741824
// ODD: error: 'func.func' op alignment of merge-alloc must be a power of two, but got 48
// PLANNER: error: 'func.func' op Unrecognized planner option 'best': known are optimal, cost-model, size-first, greedy
// BUDGET: '-1' value invalid for option node-budget: expected an integer from 0
func.func @f() {
  %a = memref.alloc() : memref<4xf32>
  return
}
