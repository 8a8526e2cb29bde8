// Objects call the allocator of the program that they are linked with, and nothing else.
//
// REQUIRES: cc, nm
// RUN: freehold compile %s --allocator=pool_get --deallocator=pool_put -o %t.o
// RUN: nm -u %t.o | FileCheck %s --check-prefix=SYMBOLS
// RUN: freehold compile %s --allocator=pool_get --deallocator=pool_put --emit=header -o %T/allocator.h
// RUN: FileCheck %s --check-prefix=HEADER < %T/allocator.h
// RUN: cc -std=c11 -Wall -Wextra -Werror -I %T %S/inputs/allocator.c %t.o -o %t
// RUN: %t | FileCheck %s
// RUN: freehold compile %s --allocator=pool_get --deallocator=pool_put --aligned-alloc --dealloc-lowering=generic -O0 -o %t.aligned.o
// RUN: cc -std=c11 -Wall -Wextra -Werror -DALIGNED -I %T %S/inputs/allocator.c %t.aligned.o -o %t
// RUN: %t | FileCheck %s
// RUN: freehold compile %s --aligned-alloc -o %t.c.o
// RUN: nm -u %t.c.o | FileCheck %s --check-prefix=ALIGNED
// RUN: not freehold compile %s --allocator=pool_get -o %t.o 2>&1 | FileCheck %s --check-prefix=PAIR
// RUN: not freehold compile %s --allocator=1 --deallocator=f -o %t.o 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not freehold compile %s --allocator=f --deallocator=g --emit=exe -o %t.exe 2>&1 | FileCheck %s --check-prefix=EXE
// RUN: not freehold compile %s --allocator=f --deallocator=g --check -o %t.o 2>&1 | FileCheck %s --check-prefix=CHECKED
// RUN: not freehold compile %s --allocator=sum --deallocator=g -o %t.o 2>&1 | FileCheck %s --check-prefix=TAKEN

// SYMBOLS-NOT: malloc
// SYMBOLS-NOT: free
// SYMBOLS: U pool_get
// SYMBOLS: U pool_put
// SYMBOLS-NOT: alloc
// ALIGNED-NOT: U malloc
// ALIGNED: U aligned_alloc
// HEADER-NOT: freehold_free
// HEADER: Frees the allocated pointers of results
// HEADER-NEXT: void pool_put(void *);
// PAIR: error: --allocator and --deallocator go together
// NAME: error: --allocator: '1' is no name of a C function
// EXE: error: --allocator is for code that other programs call: not with --emit=exe
// CHECKED: error: --allocator takes the place of what --check and --stats look at
// TAKEN: error: redefinition of symbol named 'sum', which generated code expects
// CHECK: sums 10 10, aligned
// CHECK-NEXT: nothing is left

// A buffer that malloc would not align enough, one that it does, one returned, and one that may be either.
func.func @sum(%x: memref<4xf32>) -> f32 attributes {llvm.emit_c_interface} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  %total = memref.alloc() : memref<f32>
  %copy = memref.alloc(%c4) {alignment = 128} : memref<?xf32>
  %low = memref.cast %x : memref<4xf32> to memref<?xf32>
  memref.copy %low, %copy : memref<?xf32> to memref<?xf32>
  memref.store %zero, %total[] : memref<f32>
  scf.for %i = %c0 to %c4 step %c1 {
    %old = memref.load %total[] : memref<f32>
    %v = memref.load %copy[%i] : memref<?xf32>
    %new = arith.addf %old, %v : f32
    memref.store %new, %total[] : memref<f32>
  }
  %result = memref.load %total[] : memref<f32>
  return %result : f32
}

func.func @choose(%x: memref<4xf32>, %own: i1) -> memref<4xf32> attributes {llvm.emit_c_interface} {
  %a = memref.alloc() {alignment = 64} : memref<4xf32>
  %b = memref.alloc() {alignment = 256} : memref<4xf32>
  memref.copy %x, %a : memref<4xf32> to memref<4xf32>
  memref.copy %x, %b : memref<4xf32> to memref<4xf32>
  %r = arith.select %own, %a, %b : memref<4xf32>
  return %r : memref<4xf32>
}
