// What passes leave goes to a folder, a file per pass.

// RUN: freehold opt %s --canonicalize --cse --convert-linalg-to-loops --mlir-print-ir-after-all --mlir-print-ir-tree-dir=%T/opt 2>&1 | FileCheck %s --check-prefix=NOTHING
// RUN: FileCheck %s --check-prefix=CSE < %T/opt/builtin_module_no-symbol-name/func_func_main/1_cse.mlir
// RUN: freehold run %s --mlir-print-ir-before=raise-llvm --mlir-print-ir-tree-dir=%T/run
// RUN: FileCheck %s --check-prefix=RAISE < %T/run/builtin_module_no-symbol-name/0_raise-llvm.mlir
// RUN: freehold compile %s -o %t.o --mlir-print-ir-after-all --mlir-print-ir-tree-dir %T/compile
// RUN: FileCheck %s --check-prefix=RAISE < %T/compile/builtin_module_no-symbol-name/0_raise-llvm.mlir
// RUN: not freehold run %s --mlir-print-ir-after-all --mlir-print-ir-tree-dir=%s/folder 2>&1 | FileCheck %s --check-prefix=NOT

// NOTHING-NOT: IR Dump
// CSE: // -----// IR Dump After cse //----- //
// CSE-NEXT: func.func @main()
// RAISE: IR Dump {{.*}} raise-llvm
// NOT: error: cannot make folder '{{.*}}print-ir-tree.mlir/folder/{{.*}}': Not a directory
func.func @main() {
  return
}
