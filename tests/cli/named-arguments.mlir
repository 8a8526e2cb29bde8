// Arguments and results that have names, as those of ONNX models do: inputs are given by name or in order, results are
// shown under theirs, and C has them as far as they are names there.
//
// RUN: freehold run %s --input=b=2xf32=10,20 --input=a=2xf32=1,2 | FileCheck %s
// RUN: freehold run %s --input=b=2xf32=10,20 --input=2xf32=1,2 | FileCheck %s
// RUN: freehold run %s --cache=%t.cache --input=2xf32=1,2 --input=2xf32=10,20 | FileCheck %s
// RUN: freehold run %s --cache=%t.cache --input=b=2xf32=10,20 --input=a=2xf32=1,2 | FileCheck %s
// RUN: freehold run %s --input=2xf32=1,2 --input=2xf32=10,20 --output=@%t.npz
// RUN: not freehold run %s --input=b=2xf32=1 --input=b=2xf32=1 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not freehold run %s --input=b=2xf32=1 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: not freehold run %s --dim batch=1 2>&1 | FileCheck %s --check-prefix=NO-MODEL
// RUN: freehold compile %s -o - --emit=header --entry-name=sub | FileCheck %s --check-prefix=HEADER
//
// CHECK: result #0 'difference': 2xf32 = [-9.0, -18.0]
// CHECK-NEXT: result #1 'sizes:0': 2xf32 = [11.0, 22.0]
// TWICE: error: input 'b' is given twice
// MISSING: error: input 'a' is not given
// NO-MODEL: error: --dim is for ONNX models, whose dimensions may have names
// HEADER: freehold_memref_f32_1d difference;
// HEADER-NEXT: freehold_memref_f32_1d sizes_0;
// HEADER: int sub_checked({{.*}} *result, const freehold_array *a, const freehold_array *b, char *message

func.func @main(%a: tensor<?xf32> {onnx.name = "a"}, %b: tensor<?xf32> {onnx.name = "b"})
    -> (tensor<?xf32> {onnx.name = "difference"}, tensor<?xf32> {onnx.name = "sizes:0"}) {
  %d = arith.subf %a, %b : tensor<?xf32>
  %s = arith.addf %a, %b : tensor<?xf32>
  return %d, %s : tensor<?xf32>, tensor<?xf32>
}
