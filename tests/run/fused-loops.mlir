// With `--fp=contract`, loops add products without rounding them, in vectors of any width and in what is left
// over alike; with `strict`, products are rounded.
//
// RUN: freehold run %s --fp=contract | FileCheck %s --check-prefix=FUSED
// RUN: freehold run %s --fp=contract --vector-bits=128 | FileCheck %s --check-prefix=FUSED
// RUN: freehold run %s --fp=fast -O1 | FileCheck %s --check-prefix=FUSED
// RUN: freehold run %s | FileCheck %s
// RUN: freehold run %s --part-ops=1 | FileCheck %s
// RUN: freehold run %s --fp=contract -O0 | FileCheck %s
// RUN: freehold compile %s --fp=contract --target=x86_64-unknown-linux-gnu --target-cpu=x86-64-v4 \
// RUN:   --emit=asm -o - | FileCheck %s --check-prefix=V4
// RUN: freehold compile %s --fp=contract --target=x86_64-unknown-linux-gnu --emit=asm -o - \
// RUN:   | FileCheck %s --check-prefix=ANY
// RUN: freehold compile %s --fp=contract --target=aarch64-unknown-linux-gnu --emit=asm -o - \
// RUN:   | FileCheck %s --check-prefix=NEON

// Without FMA, nothing calls a library for it.
// ANY-LABEL: axpb
// ANY-NOT: fma
// ANY: mulps
// V4-LABEL: axpb.wide0
// V4: vfmadd{{[0-9]+}}ps zmm
// NEON-LABEL: axpb:
// NEON: fmla v{{[0-9]+}}.4s
func.func private @axpb(%a: memref<?xf32>, %b: memref<?xf32>, %n: index) attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<?xf32>
    %y = memref.load %b[%i] : memref<?xf32>
    %p = arith.mulf %x, %x : f32
    %q = arith.subf %p, %y : f32
    memref.store %q, %b[%i] : memref<?xf32>
  }
  return
}

// (1 + 2^-12)^2 - (1 + 2^-11) is 2^-24, which a rounded product has lost.
func.func private @printI64(i64)
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 77 : index
  %x = arith.constant 1.000244140625 : f32
  %y = arith.constant 1.00048828125 : f32
  %a = memref.alloc(%n) : memref<?xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  scf.for %i = %c0 to %n step %c1 {
    memref.store %x, %a[%i] : memref<?xf32>
    memref.store %y, %b[%i] : memref<?xf32>
  }
  func.call @axpb(%a, %b, %n) : (memref<?xf32>, memref<?xf32>, index) -> ()
  %zero = arith.constant 0 : i64
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%old = %zero) -> (i64) {
    %z = memref.load %b[%i] : memref<?xf32>
    %none = arith.constant 0.0 : f32
    %is = arith.cmpf one, %z, %none : f32
    %one = arith.extui %is : i1 to i64
    %new = arith.addi %old, %one : i64
    scf.yield %new : i64
  }
  // CHECK: {{^}}0
  // FUSED: {{^}}77
  func.call @printI64(%sum) : (i64) -> ()
  return
}
