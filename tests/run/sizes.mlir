// Sizes known at run time that do not fit are errors before anything runs, or where they are computed.
//
// RUN: freehold run %s --function=add --input=8xf32=1 --input=8xf32=2 --input=8xf32=0 | FileCheck %s --check-prefix=FITS
// RUN: not freehold run %s --function=add --input=8xf32=1 --input=8xf32=2 --input=1xf32=0 2>&1 | FileCheck %s --check-prefix=ADD
// RUN: not freehold run %s --function=affine --input=2x5xf32=1 --input=f32=1 --input=2x1xf32=1 2>&1 | FileCheck %s --check-prefix=AFFINE
// RUN: not freehold run %s --function=conv --input=5x5xf32=1 --input=3x3xf32=1 --input=4x3xf32=0 2>&1 | FileCheck %s --check-prefix=CONV
// RUN: freehold run %s --function=conv --input=1x1xf32=1 --input=3x3xf32=1 --input=0x3xf32=0 | FileCheck %s --check-prefix=EMPTY
// RUN: freehold run %s --function=inside --input=4xf32=1 --input=index=3 --input=i1=false | FileCheck %s --check-prefix=UNUSED
// RUN: not freehold run %s --function=inside --input=4xf32=1 --input=index=3 --input=i1=true 2>&1 | FileCheck %s --check-prefix=INSIDE
// RUN: not freehold run %s --function=four --input=5xf32=1 2>&1 | FileCheck %s --check-prefix=FOUR

// RUN: freehold run %s --function=remainder --input=2xf32=7 --input=2xf32=0 | FileCheck %s --check-prefix=REMAINDER
// RUN: not freehold run %s --function=remainder --input=2xf32=7 --input=3xf32=0 2>&1 | FileCheck %s --check-prefix=REFUSED
// RUN: not freehold run %s --function=ranked --input=4xf32=7 2>&1 | FileCheck %s --check-prefix=RANK
// RUN: not freehold run %s --function=unranked_copy --input=4xf32=7 --input=3xf32=7 2>&1 | FileCheck %s --check-prefix=UNRANKED
// RUN: freehold compile %s --emit=exe -o %t
// RUN: %t --function=add --input=8xf32=1 --input=8xf32=2 --input=8xf32=0 | FileCheck %s --check-prefix=FITS
// RUN: not %t --function=add --input=8xf32=1 --input=8xf32=2 --input=1xf32=0 2>&1 | FileCheck %s --check-prefix=ADD
// RUN: not %t --function=conv --input=5x5xf32=1 --input=3x3xf32=1 --input=4x3xf32=0 2>&1 | FileCheck %s --check-prefix=CONV
// RUN: %t --function=conv --input=1x1xf32=1 --input=3x3xf32=1 --input=0x3xf32=0 | FileCheck %s --check-prefix=EMPTY
// RUN: not %t --function=four --input=5xf32=1 2>&1 | FileCheck %s --check-prefix=FOUR
// RUN: freehold compile %s --emit=exe --target=x86_64-unknown-linux-gnu --multiversion=v3 -o %t
// RUN: not %t --function=add --input=8xf32=1 --input=8xf32=2 --input=1xf32=0 2>&1 | FileCheck %s --check-prefix=ADD

// FITS: argument #2: 8xf32 = [3.0, 3.0, 3.0, 3.0, 3.0, 3.0, 3.0, 3.0]
// ADD: error: function 'add' cannot take such arguments: dimension 0 of argument #2 is 1 and must be dimension 0 of argument #0, which is 8
// AFFINE: error: function 'affine' cannot take such arguments: dimension 1 of argument #2 is 1 and must be dimension 1 of argument #0, which is 5
// CONV: error: function 'conv' cannot take such arguments: dimension 0 of argument #0 is 5 and must be at least (dimension 0 of argument #2) + (dimension 0 of argument #1) - 1, which is 6
// EMPTY: result #0: 0x3xf32 = []
// UNUSED: result #0: f32 = 0.0
// INSIDE: sizes.mlir:[[@LINE+32]]:5: error: assertion failed: dimension #0 of operand #1 of 'memref.copy' is incompatible with dimension #0 of operand #0
// FOUR: error: function 'four' cannot take such arguments: dimension 0 of argument #0 is 5 and must be 4
// REMAINDER: argument #1: 2xf32 = [7.0, 7.0]
// REFUSED: assertion failed: dimension #0 of operand #0 of 'linalg.generic' has an incompatible size
// RANK: assertion failed: dimension #0 of operand #0 of 'memref.cast' has an incompatible size
// UNRANKED: error: memref.copy of memrefs with different shapes

func.func @main() {
  return
}
func.func @add(%a: memref<?xf32>, %b: memref<?xf32>, %c: memref<?xf32>) {
  linalg.add ins(%a, %b : memref<?xf32>, memref<?xf32>) outs(%c : memref<?xf32>)
  return
}
func.func @conv(%x: tensor<?x?xf32>, %k: tensor<?x?xf32>, %o: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = linalg.conv_2d ins(%x, %k : tensor<?x?xf32>, tensor<?x?xf32>) outs(%o : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
func.func @affine(%x: tensor<2x?xf32>, %scale: f32, %shift: tensor<2x?xf32>) -> tensor<2x?xf32> {
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c1 : tensor<2x?xf32>
  %s = tensor.splat %scale[%n] : tensor<2x?xf32>
  %scaled = arith.mulf %x, %s : tensor<2x?xf32>
  %y = arith.addf %scaled, %shift : tensor<2x?xf32>
  return %y : tensor<2x?xf32>
}
func.func @inside(%x: memref<?xf32>, %n: index, %c: i1) -> f32 {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %e = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%zero : f32) outs(%e : memref<?xf32>)
  scf.if %c {
    memref.copy %x, %e : memref<?xf32> to memref<?xf32>
  }
  %v = memref.load %e[%c0] : memref<?xf32>
  return %v : f32
}
func.func @remainder(%a: memref<?xf32>, %o: memref<?xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i) -> (i mod 4)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%a : memref<?xf32>) outs(%o : memref<?xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  }
  return
}
func.func @ranked(%a: memref<*xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %0 = memref.cast %a : memref<*xf32> to memref<?x4xf32>
  %v = memref.load %0[%c0, %c0] : memref<?x4xf32>
  return %v : f32
}
func.func @unranked_copy(%a: memref<*xf32>, %b: memref<*xf32>) {
  memref.copy %a, %b : memref<*xf32> to memref<*xf32>
  return
}
func.func @four(%x: tensor<?xf32>) -> tensor<4xf32> {
  %r = tensor.cast %x : tensor<?xf32> to tensor<4xf32>
  return %r : tensor<4xf32>
}
