// Options with values that make no sense.

// RUN: not freehold opt %s --merge-alloc="alignment=0" 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: not freehold opt %s --merge-alloc="alignment=-64" 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: not freehold opt %s --merge-alloc="alignment=48" 2>&1 | FileCheck %s --check-prefix=ODD
// RUN: not freehold opt %s --merge-alloc="planner-options=best" 2>&1 | FileCheck %s --check-prefix=PLANNER
// RUN: not freehold opt %s --merge-alloc="node-budget=-1" 2>&1 | FileCheck %s --check-prefix=BUDGET
// ZERO: error: 'func.func' op alignment of merge-alloc must be a power of two, but got 0
// NEGATIVE: error: 'func.func' op alignment of merge-alloc must be a power of two, but got -64
// ODD: error: 'func.func' op alignment of merge-alloc must be a power of two, but got 48
// PLANNER: error: 'func.func' op Unrecognized planner option
// BUDGET: error: 'func.func' op node budget of merge-alloc must not be negative, but got -1
func.func @f() {
  %a = memref.alloc() : memref<4xf32>
  return
}
