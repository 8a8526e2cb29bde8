// RUN: freehold opt %s --split-input-file --verify-diagnostics --ownership-based-buffer-deallocation
// RUN: freehold opt %s --split-input-file --verify-diagnostics --buffer-deallocation

// What the caller, the module or the stack owns is not freed, whatever operation says so.

func.func @argument(%m: memref<4xi32>, %fresh: i1) {
  // expected-error @+1 {{memory free side-effect on MemRef value not supported!}}
  bufferization.dealloc (%m : memref<4xi32>) if (%fresh)
  return
}

// -----

func.func @second_entry(%m: memref<4xi32>, %c: i1) {
  %a = memref.alloc() : memref<4xi32>
  // expected-error @+1 {{memory free side-effect on MemRef value not supported!}}
  bufferization.dealloc (%a, %m : memref<4xi32>, memref<4xi32>) if (%c, %c)
  return
}

// -----

func.func @view_of_argument(%m: memref<4xi32>, %c: i1) {
  %v = memref.cast %m : memref<4xi32> to memref<?xi32>
  // expected-error @+1 {{memory free side-effect on MemRef value not supported!}}
  bufferization.dealloc (%v : memref<?xi32>) if (%c)
  return
}

// -----

memref.global "private" @table : memref<4xi32> = dense<7>
func.func @of_the_module(%c: i1) {
  %m = memref.get_global @table : memref<4xi32>
  // expected-error @+1 {{memory free side-effect on MemRef value not supported!}}
  bufferization.dealloc (%m : memref<4xi32>) if (%c)
  return
}

// -----

func.func @on_the_stack(%c: i1) {
  %m = memref.alloca() : memref<4xi32>
  // expected-error @+1 {{memory free side-effect on MemRef value not supported!}}
  memref.dealloc %m : memref<4xi32>
  return
}

// -----

// An entry that is never freed does no harm.
func.func @never(%m: memref<4xi32>) {
  %false = arith.constant false
  bufferization.dealloc (%m : memref<4xi32>) if (%false)
  return
}
