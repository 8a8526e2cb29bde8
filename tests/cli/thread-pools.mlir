// Parallel loops on as many threads as the program wants that calls them, or on its own ones: in a static library
// and in a shared one, which has a pool of its own.
//
// REQUIRES: cc
// RUN: freehold compile %s --threads=3 -o %T/pools.h
// RUN: FileCheck %s --input-file=%T/pools.h --check-prefix=HEADER
// RUN: freehold compile %s -o - --emit=header | FileCheck %s --check-prefix=ALONE
// RUN: freehold compile %s --threads=3 -o %T/libpools.a
// RUN: freehold compile %s --threads=3 -o %T/libpools.so
// RUN: cc -std=c11 -Wall -Wextra -Werror -O2 -I %T %S/inputs/thread-pools.c %T/libpools.a -rdynamic -lm -lpthread -ldl -o %t
// RUN: %t %T/libpools.so | FileCheck %s
// RUN: cc -x c++ -fsyntax-only -Wall -Werror %T/pools.h
//
// HEADER: void freehold_set_threads(int64_t threads);
// HEADER: void freehold_set_pool(freehold_pool pool, void *host);
// ALONE-NOT: freehold_set_threads
//
// CHECK: own threads: at most 3, right
// CHECK: one thread: at most 1, right
// CHECK: eight threads: at most 8, right
// CHECK: pool of the host: called with 3 threads, right
// CHECK: pool of the host: called with 5 threads, right
// CHECK: own threads again: not called, right
// CHECK: shared library: called with 3 threads, right
// CHECK: product of matrices: called, right

// Counted by the program, which says on which thread it was called.
func.func private @seen()

func.func @fill(%m: memref<?xf32>) attributes {llvm.emit_c_interface} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %m, %c0 : memref<?xf32>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    func.call @seen() : () -> ()
    %k = arith.index_cast %i : index to i32
    %x = arith.sitofp %k : i32 to f32
    memref.store %x, %m[%i] : memref<?xf32>
    scf.reduce
  }
  return
}

func.func @product(%a: memref<128x128xf32>, %b: memref<128x128xf32>, %c: memref<128x128xf32>) attributes {llvm.emit_c_interface} {
  linalg.matmul ins(%a, %b : memref<128x128xf32>, memref<128x128xf32>) outs(%c : memref<128x128xf32>)
  return
}
