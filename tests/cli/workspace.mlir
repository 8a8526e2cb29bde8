// Functions that allocate nothing: temporary memory and results are the caller's, or temporary memory is static. The
// objects need no malloc.
//
// REQUIRES: cc
// RUN: freehold compile %s --workspace=argument -o %T/workspace.o --stats 2>&1 | FileCheck %s --check-prefix=TABLE
// RUN: freehold compile %s --workspace=argument -o %T/workspace.o --stats=json 2>&1 | FileCheck %s --check-prefix=JSON
// RUN: freehold compile %s --workspace=argument -o %T/workspace.h
// RUN: FileCheck %s --input-file=%T/workspace.h --check-prefix=HEADER
// RUN: cc -std=c11 -Wall -Wextra -Werror -O2 -I %T %S/inputs/workspace.c %T/workspace.o -Wl,--wrap=malloc -o %t
// RUN: %t | FileCheck %s
// RUN: freehold compile %s --workspace=argument -O0 -o %T/workspace.o
// RUN: cc -std=c11 -Wall -Wextra -Werror -O2 -I %T %S/inputs/workspace.c %T/workspace.o -Wl,--wrap=malloc -o %t
// RUN: %t | FileCheck %s
//
// RUN: freehold compile %S/inputs/static-workspace.mlir --workspace=static -o %t.static
// RUN: freehold compile %S/inputs/static-workspace.mlir --workspace=static --emit=exe -o %t.static
// RUN: %t.static | FileCheck %s --check-prefix=STATIC
//
// RUN: not freehold compile %s --workspace=argument --emit=exe 2>&1 | FileCheck %s --check-prefix=EXE
// RUN: not freehold compile %s --workspace=static --check -o %t.o 2>&1 | FileCheck %s --check-prefix=CHECKED
// RUN: not freehold compile %s --workspace=static --threads=2 -o %t.o 2>&1 | FileCheck %s --check-prefix=THREADS

// TABLE:      workspace of {{.*}}bytes {{.*}}alignment
// TABLE-NEXT: gram {{ *}}32 {{ *}}64
// TABLE-NEXT: smooth {{ *}}of run time {{ *}}16
// JSON: {"workspaces":[{"alignment":64,"bytes":32,"function":"gram"},{"alignment":16,"bytes":null,"function":"smooth"}]}
// HEADER: #define GRAM_WORKSPACE_BYTES 32
// HEADER: #define GRAM_WORKSPACE_ALIGNMENT 64
// HEADER: int64_t _mlir_ciface_smooth_workspace_size(

// EXE: error: executables have no caller to supply a workspace: use --workspace=static
// CHECKED: error: --check watches allocations, and with --workspace there are none
// THREADS: error: threads need memory that is not of the workspace: leave out --threads

// CHECK: 10 12 12 16
// CHECK-NEXT: 2 3 4
// CHECK-NEXT: malloc was called 0 times
// STATIC: [2, {{ *}}4, {{ *}}6, {{ *}}8]

// A product with the transpose, which is a temporary.
func.func @gram(%x: tensor<2x4xf32>) -> tensor<2x2xf32> attributes {llvm.emit_c_interface} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x2xf32>
  %t = linalg.transpose ins(%x : tensor<2x4xf32>) outs(%e : tensor<4x2xf32>) permutation = [1, 0]
  %i = tensor.empty() : tensor<2x2xf32>
  %f = linalg.fill ins(%zero : f32) outs(%i : tensor<2x2xf32>) -> tensor<2x2xf32>
  %g = linalg.matmul ins(%x, %t : tensor<2x4xf32>, tensor<4x2xf32>) outs(%f : tensor<2x2xf32>) -> tensor<2x2xf32>
  return %g : tensor<2x2xf32>
}

// Means of neighbours, three times.
func.func @smooth(%x: memref<?xf32>) attributes {llvm.emit_c_interface} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %half = arith.constant 0.5 : f32
  %n = memref.dim %x, %c0 : memref<?xf32>
  %last = arith.subi %n, %c1 : index
  scf.for %k = %c0 to %c3 step %c1 {
    %old = memref.alloc(%n) : memref<?xf32>
    memref.copy %x, %old : memref<?xf32> to memref<?xf32>
    scf.for %i = %c1 to %last step %c1 {
      %before = arith.subi %i, %c1 : index
      %after = arith.addi %i, %c1 : index
      %a = memref.load %old[%before] : memref<?xf32>
      %b = memref.load %old[%after] : memref<?xf32>
      %s = arith.addf %a, %b : f32
      %m = arith.mulf %s, %half : f32
      memref.store %m, %x[%i] : memref<?xf32>
    }
  }
  return
}
