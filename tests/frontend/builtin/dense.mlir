// Attributes with many elements.

// RUN: freehold opt %s --allow-unregistered-dialect | freehold opt --allow-unregistered-dialect | FileCheck %s
// RUN: freehold opt %s --allow-unregistered-dialect --mlir-print-op-generic | freehold opt --allow-unregistered-dialect | FileCheck %s

// Equal elements become one that stands for all.
// CHECK-LABEL: "dense.integers"
// CHECK-SAME:  a = dense<1> : tensor<4xi32>, b = dense<[1, 2, 3]> : tensor<3xi32>, c = dense<{{\[}}[1, 2], [3, 4]]> : tensor<2x2xi8>, d = dense<1> : tensor<3xi32>, e = dense<5> : tensor<1xi32>,
// CHECK-SAME:  f = dense<5> : tensor<i32>, g = dense<[1, 2]> : tensor<2xindex>, h = dense<[1, -1, 300]> : tensor<3xi17>, i = dense<[1, -1]> : tensor<2xi65>, j = dense<[-1, 5]> : tensor<2xi129>, k = dense<[255, 0]> : tensor<2xui8>
"dense.integers"() {
  a = dense<1> : tensor<4xi32>, b = dense<[1,2,3]> : tensor<3xi32>, c = dense<[[1,2],[3,4]]> : tensor<2x2xi8>,
  d = dense<[1,1,1]> : tensor<3xi32>, e = dense<[5]> : tensor<1xi32>, f = dense<5> : tensor<i32>, g = dense<[1,2]> : tensor<2xindex>,
  h = dense<[1,-1,300]> : tensor<3xi17>, i = dense<[1,-1]> : tensor<2xi65>, j = dense<[-1, 5]> : tensor<2xi129>, k = dense<[255, 0]> : tensor<2xui8>
} : () -> ()

// CHECK-LABEL: "dense.empty"
// CHECK-SAME:  a = dense<> : tensor<0xi32>, b = dense<> : tensor<0xi32>, c = dense<5> : tensor<0xi32>, d = dense<> : tensor<2x0xi32>
"dense.empty"() {a = dense<> : tensor<0xi32>, b = dense<[]> : tensor<0xi32>, c = dense<5> : tensor<0xi32>, d = dense<[[],[]]> : tensor<2x0xi32>} : () -> ()

// CHECK-LABEL: "dense.bools"
// CHECK-SAME:  a = dense<true> : tensor<2xi1>, b = dense<[true, false]> : tensor<2xi1>, c = dense<[true, false, true]> : vector<3xi1>
"dense.bools"() {a = dense<true> : tensor<2xi1>, b = dense<[true,false]> : tensor<2xi1>, c = dense<[1,0,1]> : vector<3xi1>} : () -> ()

// CHECK-LABEL: "dense.floats"
// CHECK-SAME:  a = dense<[1.000000e+00, 2.500000e+00, -0.000000e+00]> : tensor<3xf32>, b = dense<0x7FC00000> : tensor<2xf32>, c = dense<[0x7F800000, 1.000000e+00]> : vector<2xf32>, d = dense<1.000000e+00> : memref<2xf32>
"dense.floats"() {a = dense<[1.0, 2.5, -0.0]> : tensor<3xf32>, b = dense<0x7FC00000> : tensor<2xf32>, c = dense<[0x7F800000, 1.0]> : vector<2xf32>, d = dense<1.0> : memref<2xf32>} : () -> ()

// CHECK-LABEL: "dense.complex"
// CHECK-SAME:  a = dense<(1.000000e+00,2.000000e+00)> : tensor<2xcomplex<f32>>, b = dense<[(1.000000e+00,2.000000e+00), (3.000000e+00,4.000000e+00)]> : tensor<2xcomplex<f64>>,
// CHECK-SAME:  c = dense<(1,2)> : tensor<complex<i32>>, d = dense<(1,1)> : tensor<2xcomplex<i8>>
"dense.complex"() {
  a = dense<(1.0, 2.0)> : tensor<2xcomplex<f32>>, b = dense<[(1.0,2.0),(3.0,4.0)]> : tensor<2xcomplex<f64>>,
  c = dense<(1,2)> : tensor<complex<i32>>, d = dense<[(1,1),(1,1)]> : tensor<2xcomplex<i8>>
} : () -> ()

// CHECK-LABEL: "dense.strings"
// CHECK-SAME:  a = dense<["a", "b\0A"]> : tensor<2x!other.string>, b = dense<"abc"> : tensor<3x!other.string>, c = dense<"a"> : tensor<2x!other.string>
"dense.strings"() {a = dense<["a","b\n"]> : tensor<2x!other.string>, b = dense<"abc"> : tensor<3x!other.string>, c = dense<["a","a"]> : tensor<2x!other.string>} : () -> ()

// Blobs hold elements byte by byte, booleans eight to a byte; one element in
// a blob stands for all.
// CHECK-LABEL: "dense.blobs"
// CHECK-SAME:  a = dense<[1, 2, 3, 4]> : tensor<4xi32>, b = dense<1> : tensor<4xi32>, c = dense<true> : tensor<6xi1>, d = dense<false> : tensor<60xi1>, e = dense<true> : tensor<8xi1>,
// CHECK-SAME:  f = dense<[-1, 1]> : tensor<2xi17>
"dense.blobs"() {
  a = dense<"0x01000000020000000300000004000000"> : tensor<4xi32>, b = dense<"0x01000000"> : tensor<4xi32>,
  c = dense<"0x3F"> : tensor<6xi1>, d = dense<"0x00"> : tensor<60xi1>, e = dense<"0xFF"> : tensor<8xi1>, f = dense<"0xFFFF01010000"> : tensor<2xi17>
} : () -> ()

// More than a hundred elements are written as a blob.
// CHECK-LABEL: "dense.large"
// CHECK-SAME:  a = dense<"0x0102030405060708090A0102030405060708090A0102030405060708090A0102030405060708090A0102030405060708090A0102030405060708090A0102030405060708090A0102030405060708090A0102030405060708090A0102030405060708090AFF"> : tensor<101xi8>
// CHECK-SAME:  b = dense<"0x0100000001000000010000000100000001"> : tensor<129xi1>
"dense.large"() {
  a = dense<[1,2,3,4,5,6,7,8,9,10,1,2,3,4,5,6,7,8,9,10,1,2,3,4,5,6,7,8,9,10,1,2,3,4,5,6,7,8,9,10,1,2,3,4,5,6,7,8,9,10,1,2,3,4,5,6,7,8,9,10,1,2,3,4,5,6,7,8,9,10,1,2,3,4,5,6,7,8,9,10,1,2,3,4,5,6,7,8,9,10,1,2,3,4,5,6,7,8,9,10,-1]> : tensor<101xi8>,
  b = dense<"0x0100000001000000010000000100000001"> : tensor<129xi1>
} : () -> ()

// CHECK-LABEL: "dense.sparse"
// CHECK-SAME:  a = sparse<{{\[}}[0, 0], [1, 2]], [1, 5]> : tensor<3x4xi32>, b = sparse<0, 5> : tensor<2x2xi32>, c = sparse<> : tensor<2x2xi32>, d = sparse<[0, 3], 5> : tensor<5xi32>
"dense.sparse"() {
  a = sparse<[[0,0],[1,2]], [1,5]> : tensor<3x4xi32>, b = sparse<[[0,0]], 5> : tensor<2x2xi32>, c = sparse<> : tensor<2x2xi32>, d = sparse<[0,3], 5> : tensor<5xi32>
} : () -> ()

// CHECK-LABEL: "dense.arrays"
// CHECK-SAME:  a = array<i32: 1, -2>, b = array<i64>, c = array<i1: true, false>, d = array<f32: 1.000000e+00, 0x7FC00000>, e = array<i8: -1, -1>, f = array<ui8: 255>, g = array<bf16: 1.000000e+00>
"dense.arrays"() {
  a = array<i32: 1, -2>, b = array<i64>, c = array<i1: true, false>, d = array<f32: 1.0, 0x7FC00000>,
  e = array<i8: -1, 255>, f = array<ui8: 255>, g = array<bf16: 1.0>
} : () -> ()
