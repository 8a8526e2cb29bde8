// An owner in the input frees, under every strategy.

// RUN: freehold run %s --check --stats=json 2>&1 | FileCheck %s
// RUN: freehold run %s --check --stats=json --dealloc=hlo 2>&1 | FileCheck %s
// RUN: freehold run %s --check --stats=json --dealloc=clone 2>&1 | FileCheck %s
// RUN: freehold run %s --check --stats=json --dealloc=copy -O0 2>&1 | FileCheck %s
// RUN: freehold run %s --check --stats=json --dealloc=none -O3 2>&1 | FileCheck %s
// RUN: freehold opt %s --hlo-deallocation-pipeline | freehold run - --check --stats=json --dealloc=hlo 2>&1 | FileCheck %s
// RUN: freehold opt %s --ownership-based-buffer-deallocation --buffer-deallocation --hlo-deallocate | FileCheck %s --check-prefix=SAME

// CHECK: 3
// CHECK-NEXT: {"allocs": 2, "frees": 2,

// SAME-LABEL: func.func private @owned
// SAME:         deallocation.own
// SAME-LABEL: func.func @main
// SAME:         call @owned
// SAME-NEXT:    call @owned
// SAME-NEXT:    memref.load
// SAME-NEXT:    deallocation.retain() of
// SAME-NEXT:    call @printI64
// SAME-NEXT:    call @printNewline
// SAME-NEXT:    return

func.func private @printI64(i64)
func.func private @printNewline()

func.func private @owned(%x: i64) -> (memref<4xi64>, !deallocation.ownership) attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xi64>
  memref.store %x, %a[%c0] : memref<4xi64>
  %o = deallocation.own %a : memref<4xi64>
  return %a, %o : memref<4xi64>, !deallocation.ownership
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %three = arith.constant 3 : i64
  %a:2 = call @owned(%three) : (i64) -> (memref<4xi64>, !deallocation.ownership)
  %b:2 = call @owned(%three) : (i64) -> (memref<4xi64>, !deallocation.ownership)
  %x = memref.load %a#0[%c0] : memref<4xi64>
  deallocation.retain() of(%a#1, %b#1) : (!deallocation.ownership, !deallocation.ownership) -> ()
  call @printI64(%x) : (i64) -> ()
  call @printNewline() : () -> ()
  return
}
