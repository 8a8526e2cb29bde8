// Declarations that a program contradicts are errors where they stand, with the operation.
// RUN: not freehold opt --irdl-file=%S/inputs/misfits.mlir %s 2>&1 | FileCheck %s

func.func @free(%n: i32, %m: memref<4xf32>) {
  // CHECK: misfits.mlir:4:3: error: 'misfit.free' op is declared to free 'value', but that is of type 'i32'
  // CHECK: contradicts-program.mlir:[[@LINE+1]]:3: note: see the operation
  "misfit.free"(%n) : (i32) -> ()
  "misfit.free"(%m) : (memref<4xf32>) -> ()
  return
}

func.func @same(%m: memref<4xf32>) {
  // CHECK: misfits.mlir:8:3: error: 'misfit.same' op declares 'out' to be 'in', but their types are different
  %0 = "misfit.same"(%m) : (memref<4xf32>) -> memref<8xf32>
  return
}

func.func @loop(%m: memref<4xf32>) {
  // CHECK: misfits.mlir:13:3: error: 'misfit.loop' op {{.*}}along control flow edge from parent operands to Region #0: source type #0 'memref<4xf32>' should match input type #0 'memref<8xf32>'
  // CHECK: note: see the operation
  %0 = "misfit.loop"(%m) ({
  ^bb0(%x: memref<8xf32>):
    "misfit.yield"(%x) : (memref<8xf32>) -> ()
  }) : (memref<4xf32>) -> memref<8xf32>
  return
}
