// RUN: not freehold opt --irdl-file=%S/inputs/parametric.mlir --split-input-file %s 2>&1 | FileCheck %s

// CHECK: :5:3: error: attribute 'pairs.pair' expects 2 parameters but got 1
func.func @few(%x: !pairs.pair<i32, i64>) {
  "pairs.few"(%x) : (!pairs.pair<i32, i64>) -> ()
  return
}

// -----

// CHECK: error: attribute 'pairs.pair' expects 2 parameters but got 3
func.func @many(%x: !pairs.pair<i32, i64>) {
  "pairs.many"(%x) : (!pairs.pair<i32, i64>) -> ()
  return
}
