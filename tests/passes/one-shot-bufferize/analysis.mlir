// RUN: freehold opt %s --one-shot-bufferize="bufferize-function-boundaries test-analysis-only print-conflicts dump-alias-sets" | FileCheck %s
// RUN: freehold opt %s --one-shot-bufferize="bufferize-function-boundaries test-analysis-only dump-alias-sets" | FileCheck %s --check-prefix=SETS
// RUN: not freehold opt %s --one-shot-bufferize="print-conflicts" 2>&1 | FileCheck %s --check-prefix=CONFLICTS
// RUN: not freehold opt %s --one-shot-bufferize="dump-alias-sets" 2>&1 | FileCheck %s --check-prefix=DUMP
// RUN: not freehold opt %s --one-shot-bufferize="test-analysis-only copy-before-write" 2>&1 | FileCheck %s --check-prefix=COPIES
// RUN: not freehold opt %s --one-shot-bufferize="no-analysis-func-filter=f" 2>&1 | FileCheck %s --check-prefix=FILTER
// RUN: not freehold opt %s --one-shot-bufferize="must-infer-memory-space use-encoding-for-memory-space" 2>&1 | FileCheck %s --check-prefix=SPACES

// CONFLICTS: error: Invalid option: 'print-conflicts' requires 'test-analysis-only'
// DUMP: error: Invalid option: 'dump-alias-sets' requires 'test-analysis-only'
// COPIES: error: Invalid option: 'copy-before-write' cannot be used with 'test-analysis-only'
// FILTER: error: Invalid option: 'no-analysis-func-filter' requires 'bufferize-function-boundaries'
// SPACES: error: only one of 'must-infer-memory-space' and 'use-encoding-for-memory-space' are allowed

// Nobody writes to an argument.
// CHECK-LABEL: func.func @argument
// CHECK-SAME:      attributes {"W_0[NOT-WRITABLE: bbArg 0]", __bbarg_alias_set_attr__ = {{\[}}{{\[}}{{\[}}["%arg0"]]]]}
func.func @argument(%t: tensor<4xf32>, %x: f32, %i: index) -> tensor<4xf32> {
  %0 = tensor.insert %x into %t[%i] : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// Of two changes, the second one is made in place: the first would be in the way of what it reads.
// CHECK-LABEL: func.func @twice
// CHECK:         bufferization.alloc_tensor() {__opresult_alias_set_attr__ = {{\[}}["%inserted_0", "%1", "%0"]]}
// CHECK:         linalg.fill {"C_0[DEF: result 0]"
// CHECK:         tensor.insert {{.*}} {"C_0[CONFL-WRITE: 1]", __inplace_operands_attr__ = ["none", "false", "none"], __opresult_alias_set_attr__ = {{\[}}["%inserted"]]}
// CHECK:         tensor.insert {{.*}} {"C_0[READ: 1]", __inplace_operands_attr__ = ["none", "true", "none"], __opresult_alias_set_attr__ = {{\[}}["%inserted_0", "%1", "%0"]]}
// SETS-LABEL: func.func @twice
// SETS:         bufferization.alloc_tensor() {__opresult_alias_set_attr__ = {{\[}}["%inserted_0", "%1", "%0"]]}
// SETS:         linalg.fill {__inplace_operands_attr__ = ["none", "true"], __opresult_alias_set_attr__ = {{\[}}["%inserted_0", "%1", "%0"]]}
// SETS:         tensor.insert {{.*}} {__inplace_operands_attr__ = ["none", "false", "none"], __opresult_alias_set_attr__ = {{\[}}["%inserted"]]}
// SETS:         tensor.insert {{.*}} {__inplace_operands_attr__ = ["none", "true", "none"], __opresult_alias_set_attr__ = {{\[}}["%inserted_0", "%1", "%0"]]}
func.func @twice(%x: f32, %i: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %e = bufferization.alloc_tensor() : tensor<4xf32>
  %f = linalg.fill ins(%x : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %0 = tensor.insert %x into %f[%i] : tensor<4xf32>
  %1 = tensor.insert %x into %f[%i] : tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// A slice that is changed where it is; what a loop carries is another set than what it begins with.
// SETS-LABEL: func.func @slice
// SETS-SAME:      attributes {__bbarg_alias_set_attr__ = {{\[}}{{\[}}{{\[}}["%1", "%extracted_slice", "%inserted_slice", "%0", "%arg0"]]]]}
// SETS:         tensor.insert {{.*}} {__inplace_operands_attr__ = ["none", "true", "none"], __opresult_alias_set_attr__ = {{\[}}["%inserted", "%arg4"]]}
// SETS:         __bbarg_alias_set_attr__ = {{\[}}{{\[}}{{\[}}["%inserted", "%arg4"]]]], __inplace_operands_attr__ = ["none", "none", "none", "true"], __opresult_alias_set_attr__ = {{\[}}["%1", "%extracted_slice", "%inserted_slice", "%0", "%arg0"]]}
// SETS:         tensor.insert_slice {{.*}}__inplace_operands_attr__ = ["true", "true"]
func.func @slice(%t: tensor<4xf32> {bufferization.writable = true}, %x: f32, %n: index) -> (tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t) -> tensor<4xf32> {
    %0 = tensor.insert %x into %a[%i] : tensor<4xf32>
    scf.yield %0 : tensor<4xf32>
  }
  %s = tensor.extract_slice %r[0] [2] [1] : tensor<4xf32> to tensor<2xf32>
  %u = linalg.fill ins(%x : f32) outs(%s : tensor<2xf32>) -> tensor<2xf32>
  %v = tensor.insert_slice %u into %r[0] [2] [1] : tensor<2xf32> into tensor<4xf32>
  return %v : tensor<4xf32>
}
