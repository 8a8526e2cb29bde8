// RUN: freehold run %s --interpret-each --dealloc=hlo
// RUN: freehold run %s --interpret-each
// RUN: freehold opt %s --canonicalize --cse --interpret-each -o %t.mlir
// RUN: not freehold opt %S/inputs/sum.mlir --set-fastmath-flags --vectorize-loops --interpret-each -o %t.mlir 2>&1 | FileCheck %s --check-prefix=BLAME
// RUN: not freehold opt %s --ownership-based-buffer-deallocation --interpret-each -o %t.mlir 2>&1 | FileCheck %s --check-prefix=COPY
// RUN: freehold opt %s --canonicalize --cse --opt-bisect-limit=1 -o %t.mlir 2>&1 | FileCheck %s --check-prefix=HALF
// RUN: freehold run %s -O2 --opt-bisect-limit=0 2>&1 | FileCheck %s --check-prefix=LIMIT
// RUN: freehold run %s -O2 --opt-bisect-limit=-1 2>&1 | FileCheck %s --check-prefix=ALL

// With flags that allow it, a sum in vectors loses other digits: that is a change of what the program does.

// BLAME: error: pass 'vectorize-loops' changes what 'main' does: it printed '0' and prints '240'
// BLAME: note: called with: -e main
// BLAME: note: the program before: {{.*}}before.mlir
// BLAME: note: the program after: {{.*}}after.mlir

// By the pass alone functions return what the caller frees, so the write below would go to a copy.

// COPY: error: 'memref.store' op writes through one of two names of a buffer that has to be copied

// HALF: BISECT: running pass (1) canonicalize
// HALF: BISECT: NOT running pass (2) cse

// LIMIT: BISECT: NOT running pass (1)
// LIMIT-NOT: BISECT: running

// ALL-NOT: NOT running

func.func private @same(%m: memref<4xi64>, %c: i1) -> memref<4xi64> {
  %other = memref.alloc() : memref<4xi64>
  %s = arith.select %c, %m, %other : memref<4xi64>
  return %s : memref<4xi64>
}

func.func @main() {
  %c2 = arith.constant 2 : index
  %three = arith.constant 3 : i64
  %nine = arith.constant 9 : i64
  %m = memref.alloc() : memref<4xi64>
  memref.store %three, %m[%c2] : memref<4xi64>
  %true = arith.constant true
  %r = call @same(%m, %true) : (memref<4xi64>, i1) -> memref<4xi64>
  memref.store %nine, %r[%c2] : memref<4xi64>
  %v = memref.load %m[%c2] : memref<4xi64>
  vector.print %v : i64
  return
}
