// A function hands on what a call returns, one buffer or two, and frees it on another path: it cannot say in flags which
// results are owned, and its callers compare them.
//
// RUN: freehold run %s --check | FileCheck %s
// RUN: freehold run %s --check --private-function-dynamic-ownership | FileCheck %s
// RUN: freehold run %s -O0 --check --private-function-dynamic-ownership --dealloc-lowering=runtime | FileCheck %s
//
// CHECK: 77

func.func private @printI64(i64)

func.func private @again(%x: i64) -> (memref<4xi64>, memref<4xi64>) attributes {no_inline} {
  %n = memref.alloc() : memref<4xi64>
  linalg.fill ins(%x : i64) outs(%n : memref<4xi64>)
  return %n, %n : memref<4xi64>, memref<4xi64>
}

func.func private @f1(%x: i64, %c: i1) -> (memref<4xi64>, memref<4xi64>) attributes {no_inline} {
  %0:2 = call @again(%x) : (i64) -> (memref<4xi64>, memref<4xi64>)
  %p = memref.extract_aligned_pointer_as_index %0#0 : memref<4xi64> -> index {freehold.allocated}
  %q = memref.extract_aligned_pointer_as_index %0#1 : memref<4xi64> -> index {freehold.allocated}
  %other = arith.cmpi ne, %p, %q : index
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  return %0#0, %0#1 : memref<4xi64>, memref<4xi64>
^bb2:
  memref.dealloc %0#0 : memref<4xi64>
  scf.if %other {
    memref.dealloc %0#1 : memref<4xi64>
  }
  %a = memref.alloc() : memref<4xi64>
  %b = memref.alloc() : memref<4xi64>
  linalg.fill ins(%x : i64) outs(%a : memref<4xi64>)
  linalg.fill ins(%x : i64) outs(%b : memref<4xi64>)
  return %a, %b : memref<4xi64>, memref<4xi64>
}
func.func @main() {
  %x = arith.constant 7 : i64
  %true = arith.constant true
  %c0 = arith.constant 0 : index
  %r:2 = call @f1(%x, %true) : (i64, i1) -> (memref<4xi64>, memref<4xi64>)
  %v = memref.load %r#0[%c0] : memref<4xi64>
  %w = memref.load %r#1[%c0] : memref<4xi64>
  call @printI64(%v) : (i64) -> ()
  call @printI64(%w) : (i64) -> ()
  return
}
