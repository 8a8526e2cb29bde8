// Every kind of type, as written and as printed back.

// RUN: freehold opt %s --allow-unregistered-dialect | freehold opt --allow-unregistered-dialect | FileCheck %s
// RUN: freehold opt %s --allow-unregistered-dialect --mlir-print-op-generic | freehold opt --allow-unregistered-dialect | FileCheck %s

!row = memref<4xi32>
!pair = tuple<i1, !row>

// Integers may have any width up to 24 bits of it; signs are part of the type.
// CHECK-LABEL: "types.scalars"
// CHECK-SAME:  [i1, i32, si8, ui16, i16777215, i0, index, none]
"types.scalars"() {t = [i1, i32, si8, ui16, i16777215, i0, index, none]} : () -> ()

// CHECK-LABEL: "types.floats"
// CHECK-SAME:  [f16, bf16, tf32, f32, f64, f80, f128, f8E5M2, f8E4M3FN, f8E5M2FNUZ, f8E4M3FNUZ, f8E4M3B11FNUZ]
"types.floats"() {t = [f16, bf16, tf32, f32, f64, f80, f128, f8E5M2, f8E4M3FN, f8E5M2FNUZ, f8E4M3FNUZ, f8E4M3B11FNUZ]} : () -> ()

// CHECK-LABEL: "types.compound"
// CHECK-SAME:  [complex<f32>, complex<i8>, tuple<>, tuple<i32>, tuple<i32, tuple<f32, tensor<*xi8>>>]
"types.compound"() {t = [complex<f32>, complex<i8>, tuple<>, tuple<i32>, tuple<i32, tuple<f32, tensor<*xi8>>>]} : () -> ()

// CHECK-LABEL: "types.vectors"
// CHECK-SAME:  [vector<4xf32>, vector<f32>, vector<[4]xf32>, vector<2x[4]x3xi8>, vector<4xindex>]
"types.vectors"() {t = [vector<4xf32>, vector<f32>, vector<[4]xf32>, vector<2x[4]x3xi8>, vector<4xindex>]} : () -> ()

// A zero followed by `x` is no hexadecimal number here.
// CHECK-LABEL: "types.tensors"
// CHECK-SAME:  [tensor<f32>, tensor<4x?xf32>, tensor<*xf32>, tensor<0x0xf32>, tensor<0x8xf32>,
// CHECK-SAME:   tensor<4xf32, "encoding">, tensor<4xf32, #other.encoding<a = 1>>, tensor<?xvector<4xf32>>, tensor<?xcomplex<f32>>]
"types.tensors"() {t = [tensor<f32>, tensor<4x?xf32>, tensor<*xf32>, tensor<0x0xf32>, tensor<0x8xf32>, tensor<4xf32, "encoding">, tensor<4xf32, #other.encoding<a = 1>>, tensor<?xvector<4xf32>>, tensor<?xcomplex<f32>>]} : () -> ()

// Memory space 0 is the default and not mentioned.
// CHECK-LABEL: "types.memrefs"
// CHECK-SAME:  [memref<f32>, memref<4x?xf32>, memref<*xf32>, memref<*xf32, 1>, memref<4xf32>, memref<4xf32, 3>, memref<4xf32, 3 : i32>, memref<4xf32>, memref<4xf32, "near">, memref<4xf32, {a = 1 : i64}>,
// CHECK-SAME:   memref<4xf32, #gpu.address_space<workgroup>>, memref<0x1xf32>, memref<4xmemref<4xf32>>, memref<4xvector<4xf32>>, memref<3xcomplex<f32>>]
"types.memrefs"() {t = [memref<f32>, memref<4x?xf32>, memref<*xf32>, memref<*xf32, 1>, memref<4xf32, 0>, memref<4xf32, 3>, memref<4xf32, 3 : i32>, memref<4xf32, 0 : i32>, memref<4xf32, "near">, memref<4xf32, {a = 1}>, memref<4xf32, #gpu.address_space<workgroup>>, memref<0x1xf32>, memref<4xmemref<4xf32>>, memref<4xvector<4xf32>>, memref<3xcomplex<f32>>]} : () -> ()

// The identity layout is not mentioned, however it was written.
// CHECK-LABEL: "types.layouts"
// CHECK-SAME:  [memref<4xf32, strided<[1]>>, memref<4x4xf32, strided<[4, 1], offset: ?>>, memref<4x4xf32, strided<[?, -1], offset: 3>, 2>,
// CHECK-SAME:   memref<4x5xf32>, memref<4x6xf32, #map>, memref<4x7xf32, #map1, 1>]
"types.layouts"() {t = [memref<4xf32, strided<[1]>>, memref<4x4xf32, strided<[4, 1], offset: ?>>, memref<4x4xf32, strided<[?, -1], offset: 3>, 2>, memref<4x5xf32, affine_map<(d0, d1) -> (d0, d1)>>, memref<4x6xf32, affine_map<(d0, d1) -> (d1, d0)>>, memref<4x7xf32, affine_map<(d0, d1)[s0] -> (d1 * 4 + d0 + s0)>, 1>]} : () -> ()

// A lone function result is put into parentheses.
// CHECK-LABEL: "types.functions"
// CHECK-SAME:  [() -> (), (i32) -> i32, (i32) -> (), () -> (i32, i32), (() -> ()) -> (() -> ())]
"types.functions"() {t = [() -> (), (i32) -> i32, (i32) -> (), () -> (i32, i32), (() -> ()) -> (() -> ())]} : () -> ()

// Types of dialects without a row here are text.
// CHECK-LABEL: "types.dialects"
// CHECK-SAME:  [!other.a, !other.b<c>, !other.d, !other.e<f, "x>", [1], {a = (b)}>, !other<"string">, !other<e -> f>, !other.g< spaced  out >, !llvm.ptr]
"types.dialects"() {t = [!other.a, !other.b<c>, !other<d>, !other.e<f, "x>", [1], {a = (b)}>, !other<"string">, !other<e -> f>, !other.g< spaced  out >, !llvm.ptr]} : () -> ()

// CHECK-LABEL: "types.aliases"
// CHECK-SAME:  [memref<4xi32>, tuple<i1, memref<4xi32>>]
"types.aliases"() {t = [!row, !pair]} : () -> ()
