// RUN: freehold run %s --check | FileCheck %s
// RUN: freehold run %s --check --dealloc=clone | FileCheck %s
// RUN: freehold run %s --check --dealloc=copy | FileCheck %s
// RUN: freehold run %s --check --dealloc=hlo | FileCheck %s
// RUN: freehold run %s --check --merge-alloc | FileCheck %s

// Programs may compute with addresses: the alignment that was asked for, whether two are apart, and
// whether one that was kept in memory is still the same.

func.func private @printI64(i64)
func.func private @printNewline()

func.func @main() {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %a = memref.alloc() {alignment = 128} : memref<3xi64>
  %b = memref.alloc() {alignment = 128} : memref<3xi64>
  %places = memref.alloc() : memref<1xindex>
  %p = memref.extract_aligned_pointer_as_index %a : memref<3xi64> -> index
  %q = memref.extract_aligned_pointer_as_index %b : memref<3xi64> -> index
  memref.store %p, %places[%c0] : memref<1xindex>
  // CHECK: 0
  %rest = arith.remui %p, %c128 : index
  %rest64 = arith.index_cast %rest : index to i64
  call @printI64(%rest64) : (i64) -> ()
  call @printNewline() : () -> ()
  // CHECK-NEXT: 0
  %same = arith.cmpi eq, %p, %q : index
  %same64 = arith.extui %same : i1 to i64
  call @printI64(%same64) : (i64) -> ()
  call @printNewline() : () -> ()
  // CHECK-NEXT: 1
  %found = memref.load %places[%c0] : memref<1xindex>
  %again = arith.cmpi eq, %p, %found : index
  %again64 = arith.extui %again : i1 to i64
  call @printI64(%again64) : (i64) -> ()
  call @printNewline() : () -> ()
  return
}
