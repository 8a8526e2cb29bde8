// RUN: freehold opt %s --verify-ownership --verify-diagnostics --split-input-file

// What is stored in a memref of memrefs is not followed.
func.func @escapes(%where: memref<1xmemref<4xf32>>) {
  %c0 = arith.constant 0 : index
  // expected-remark @+1 {{could not prove that the buffer allocated here is freed exactly once}}
  %buf = memref.alloc() : memref<4xf32>
  // expected-note @+1 {{a reference is stored where it cannot be followed}}
  memref.store %buf, %where[%c0] : memref<1xmemref<4xf32>>
  return
}

// -----

// Nor are flags that are kept in memory.
func.func @flag(%flags: memref<i1>) {
  // expected-remark @+1 {{could not prove that the buffer allocated here is freed exactly once}}
  %buf = memref.alloc() : memref<4xf32>
  %own = memref.load %flags[] : memref<i1>
  // expected-note @+1 {{what happens here depends on a flag loaded from memory}}
  scf.if %own {
    memref.dealloc %buf : memref<4xf32>
  }
  return
}

// -----

// The second buffer may get the address of the first one, which is compared too
// late: then it is not freed.
func.func @same_address_again() {
  // expected-remark @+1 {{could not prove that the buffer allocated here is freed exactly once}}
  %first = memref.alloc() : memref<4xf32>
  %p = memref.extract_aligned_pointer_as_index %first : memref<4xf32> -> index
  memref.dealloc %first : memref<4xf32>
  %second = memref.alloc() : memref<4xf32>
  %q = memref.extract_aligned_pointer_as_index %second : memref<4xf32> -> index
  // expected-note @+1 {{its address is compared here after it was freed, and may belong to another buffer}}
  %differ = arith.cmpi ne, %p, %q : index
  scf.if %differ {
    memref.dealloc %second : memref<4xf32>
  }
  return
}

// -----

// What the caller does with the pointer is not known.
func.func @returned_pointer() -> index {
  // expected-remark @+1 {{could not prove that the buffer allocated here is freed exactly once}}
  %buf = memref.alloc() : memref<4xf32>
  %p = memref.extract_aligned_pointer_as_index %buf : memref<4xf32> -> index
  memref.dealloc %buf : memref<4xf32>
  // expected-note @+1 {{a reference is stored where it cannot be followed}}
  return %p : index
}
