// RUN: freehold opt %s --merge-alloc --split-input-file --verify-diagnostics --allow-unregistered-dialect

// A buffer that no memory can hold.
func.func @overflow() {
  // expected-error @+1 {{'memref.alloc' op size in bytes does not fit into 63 bits}}
  %a = memref.alloc() : memref<4294967296x4294967296xf32>
  "x.use"(%a) : (memref<4294967296x4294967296xf32>) -> ()
  return
}

// -----

// Each fits, all together do not.
func.func @overflow_together() {
  %a = memref.alloc() : memref<4611686018427387904xi8>
  // expected-error @+1 {{'memref.alloc' op sum of buffer sizes does not fit into 63 bits}}
  %b = memref.alloc() : memref<4611686018427387904xi8>
  "x.use"(%a, %b) : (memref<4611686018427387904xi8>, memref<4611686018427387904xi8>) -> ()
  return
}

// -----

// Nothing to merge.
func.func @zero() {
  // expected-remark @+1 {{'memref.alloc' op of size zero is not merged}}
  %a = memref.alloc() : memref<4x0xf32>
  "x.use"(%a) : (memref<4x0xf32>) -> ()
  return
}
