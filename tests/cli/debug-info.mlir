// The lines of this file in object files, for both targets.
//
// REQUIRES: llvm-dwarfdump-19
// RUN: freehold compile %s -g -o %t.o
// RUN: llvm-dwarfdump-19 --verify %t.o | FileCheck %s --check-prefix=VERIFY
// RUN: llvm-dwarfdump-19 --debug-info %t.o | FileCheck %s
// RUN: llvm-dwarfdump-19 --debug-line %t.o | FileCheck %s --check-prefix=LINE
// RUN: freehold compile %s -g --target=aarch64-unknown-linux-gnu -o %t.o
// RUN: llvm-dwarfdump-19 --verify %t.o | FileCheck %s --check-prefix=VERIFY
// RUN: llvm-dwarfdump-19 --debug-info %t.o | FileCheck %s
// RUN: llvm-dwarfdump-19 --debug-line %t.o | FileCheck %s --check-prefix=LINE
// VERIFY: No errors.

// Without the flag there is nothing.
// RUN: freehold compile %s -o %t.o
// RUN: llvm-dwarfdump-19 --debug-info --debug-line %t.o | FileCheck %s --check-prefix=NONE
// NONE-NOT: freehold
// NONE-NOT: Line

// CHECK: DW_TAG_compile_unit
// CHECK-DAG: DW_AT_producer ("freehold
// CHECK-DAG: DW_AT_name ("{{.*}}debug-info.mlir")
// CHECK-DAG: DW_AT_comp_dir ("/
// CHECK: DW_TAG_subprogram
// CHECK-NEXT: DW_AT_name ("scale")
// CHECK: DW_AT_decl_file ("{{.*}}debug-info.mlir")
// CHECK-NEXT: DW_AT_decl_line ([[@LINE+3]])
// CHECK-NEXT: DW_AT_external
// LINE: 0x{{0+}} [[@LINE+1]] 1 1 0 0 {{.*}}is_stmt
func.func @scale(%m: memref<?xf32>, %n: index, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %m[%i] : memref<?xf32>
    // LINE: [[@LINE+1]] 10 1 0 0 {{.*}}is_stmt
    %y = arith.mulf %x, %f : f32
    // LINE: [[@LINE+1]] 5 1 0 0 {{.*}}is_stmt
    memref.store %y, %m[%i] : memref<?xf32>
  }
  return
}

// Locations that are spelled out win: here the program was made by a front end.
// CHECK: DW_AT_name ("kernel")
// CHECK: DW_AT_decl_file ("{{.*}}kernel.py")
// CHECK-NEXT: DW_AT_decl_line (7)
// CHECK-NOT: DW_AT_external
// LINE: 7 5 2 0 0 {{.*}}is_stmt
// LINE: 8 9 2 0 0 {{.*}}is_stmt prologue_end
func.func private @kernel(%a: i32, %b: i32) -> i32 attributes {passthrough = ["noinline"]} {
  %c = arith.divsi %a, %b : i32 loc("division"("kernel.py":8:9))
  return %c : i32 loc(unknown)
} loc("kernel.py":7:5)

// CHECK: DW_AT_name ("main")
func.func @main() -> i32 {
  %c12 = arith.constant 12 : i32
  %c4 = arith.constant 4 : i32
  %c = call @kernel(%c12, %c4) : (i32, i32) -> i32
  return %c : i32
}
// LINE: end_sequence
