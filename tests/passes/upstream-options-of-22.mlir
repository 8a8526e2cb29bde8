// Options of MLIR 22 by the names that they have there.
//
// RUN: freehold opt %s --pass-pipeline="builtin.module(inline{max-iterations=2},func.func(canonicalize{test-convergence},mem2reg{region-simplify=false},remove-dead-values{canonicalize=false},convert-scf-to-cf{allow-pattern-rollback=false},resolve-shaped-type-result-dims{error-on-pattern-iteration-limit},resolve-ranked-shaped-type-result-dims{error-on-pattern-iteration-limit}))" | FileCheck %s
// RUN: freehold opt %s --generate-runtime-verification=verbose-level=0 | FileCheck %s --check-prefix=SHORT
// RUN: freehold opt %s --affine-loop-unroll=cleanup-unroll | FileCheck %s --check-prefix=CLEANUP
// RUN: freehold opt %s --affine-loop-unroll=unroll-factor=-1 | FileCheck %s --check-prefix=CLEANUP
// RUN: not freehold opt %s --canonicalize="test-convergence max-iterations=1" 2>&1 | FileCheck %s --check-prefix=LIMIT

// LIMIT: error: 'canonicalize' does not converge within 'max-iterations'

// CHECK-LABEL: func.func @load
// CHECK: memref.load
// SHORT-LABEL: func.func @load
// SHORT: cf.assert %{{.*}}, "ERROR: Runtime op verification failed\0A^ out-of-bounds access\0ALocation: loc({{.*}})"
func.func @load(%m: memref<?xf32>, %i: index) -> f32 {
  %v = memref.load %m[%i] : memref<?xf32>
  return %v : f32
}

// CLEANUP-LABEL: func.func @eleven
// CLEANUP-NOT: affine.for
// CLEANUP-COUNT-11: affine.store
// CLEANUP-NEXT: return
func.func @eleven(%m: memref<11xf32>, %v: f32) {
  affine.for %i = 0 to 11 {
    affine.store %v, %m[%i] : memref<11xf32>
  }
  return
}

// CHECK-LABEL: func.func @blocks
func.func @blocks(%c: i1) -> i32 {
  %true = arith.constant true
  cf.cond_br %true, ^a, ^b
^a:
  cf.br ^c
^b:
  cf.br ^c
^c:
  %one = arith.constant 1 : i32
  return %one : i32
}
