// Upstream's lowerings to LLVM leave what the backend compiles, and say so once.
// RUN: freehold opt %s --convert-scf-to-cf --convert-arith-to-llvm --finalize-memref-to-llvm="index-bitwidth=64" --convert-func-to-llvm --reconcile-unrealized-casts 2>&1 | FileCheck %s
// RUN: freehold opt %s --pass-pipeline="builtin.module(func.func(convert-scf-to-cf,convert-arith-to-llvm),convert-func-to-llvm)" 2>&1 | FileCheck %s --check-prefix=PIPELINE
// RUN: freehold opt %s --convert-func-to-llvm=use-bare-ptr-memref-call-conv=1 2>&1 | FileCheck %s --check-prefix=BARE
// RUN: not freehold opt %s --convert-arith-to-llvm=index-bitwidth=32 2>&1 | FileCheck %s --check-prefix=WIDTH
// RUN: freehold opt %s --convert-arith-to-apfloat --convert-math-to-apfloat --convert-arith-extf-to-lut --math-expand-ops=ops=powf,tanh --math-extend-to-supported-types=target-type=f32 --arith-emulate-unsupported-floats="source-types=bf16 target-type=f32" 2>&1 | FileCheck %s --check-prefix=FLOATS
// RUN: freehold opt %s --affine-expand-index-ops --affine-expand-index-ops-as-affine --lower-vector-multi-reduction=lowering-strategy=inner-reduction --lower-vector-to-from-elements-to-shuffle-tree 2>&1 | FileCheck %s --check-prefix=VECTORS

// VECTORS:    freehold opt: remark: '--affine-expand-index-ops' and 3 more leave these operations as they are
// FLOATS:     freehold opt: remark: '--convert-arith-to-apfloat' and 5 more leave these operations as they are
// CHECK:      freehold opt: remark: '--convert-arith-to-llvm' and 3 more leave these operations as they are: 'freehold run' and 'freehold compile' need no such pass
// CHECK-NOT:  remark
// CHECK-LABEL: func.func @f
// CHECK:         cf.br
// CHECK:         arith.addi
// PIPELINE:   remark: '--convert-arith-to-llvm' and 1 more leave
// BARE:       func.func @f(%{{.*}}: index, %{{.*}}: memref<?xindex>) attributes {llvm.bareptr}
// WIDTH:      '32' value invalid for option index-bitwidth: expected 0 or 64, as indices have 64 bits
func.func @f(%n: index, %m: memref<?xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %s = arith.addi %i, %n : index
    memref.store %s, %m[%i] : memref<?xindex>
  }
  return
}
