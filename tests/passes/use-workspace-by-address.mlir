// RUN: not freehold opt %s --use-workspace 2>&1 | FileCheck %s
// RUN: freehold opt %s --use-workspace=mode=static | FileCheck %s --check-prefix=STATIC

// Who calls it by its address has no workspace for it; static memory it does not need.
// CHECK: error: function 'negate' is called by its address, so its callers cannot supply a workspace
// STATIC: func.func @negate(%arg0: memref<4xf32>)
func.func @negate(%x: memref<4xf32>) {
  linalg.negf ins(%x : memref<4xf32>) outs(%x : memref<4xf32>)
  return
}

func.func private @hidden() -> ((memref<4xf32>) -> ()) {
  %f = func.constant @negate : (memref<4xf32>) -> ()
  return %f : (memref<4xf32>) -> ()
}
