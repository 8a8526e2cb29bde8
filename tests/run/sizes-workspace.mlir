// With a workspace, results are written to memory of the caller, which must be as large.
//
// RUN: freehold compile %s --emit=exe --workspace=static -o %t
// RUN: %t --function=affine --input=2x3xf32=1 --input=f32=2 --input=2x3xf32=3 --input=2x3xf32=0 | FileCheck %s
// RUN: not %t --function=affine --input=2x3xf32=1 --input=f32=2 --input=2x3xf32=3 --input=2x1xf32=0 2>&1 | FileCheck %s --check-prefix=SHORT
// RUN: not %t --function=affine --input=2x3xf32=1 --input=f32=2 --input=2x1xf32=3 --input=2x3xf32=0 2>&1 | FileCheck %s --check-prefix=MISFIT
// RUN: freehold compile %s --workspace=argument --emit=header -o - | FileCheck %s --check-prefix=HEADER

// CHECK: argument #3: 2x3xf32
// CHECK-NEXT: {{\[\[}}5.0, 5.0, 5.0],
// SHORT: error: function 'affine' cannot take such arguments: dimension 1 of argument #3 is 1 and must be dimension 1 of argument #0, which is 3
// MISFIT: error: function 'affine' cannot take such arguments: dimension 1 of argument #2 is 1 and must be dimension 1 of argument #0, which is 3
// HEADER: static inline int affine_checked(
// HEADER: freehold_require(a2->sizes[1], 1, a0->sizes[1], message, length
// HEADER: freehold_require(a3->sizes[1], 1, a0->sizes[1], message, length

func.func @main() {
  return
}
func.func @affine(%x: tensor<2x?xf32>, %scale: f32, %shift: tensor<2x?xf32>) -> tensor<2x?xf32> attributes {llvm.emit_c_interface} {
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c1 : tensor<2x?xf32>
  %s = tensor.splat %scale[%n] : tensor<2x?xf32>
  %scaled = arith.mulf %x, %s : tensor<2x?xf32>
  %y = arith.addf %scaled, %shift : tensor<2x?xf32>
  return %y : tensor<2x?xf32>
}
