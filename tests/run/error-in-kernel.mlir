// RUN: not freehold run %s -O2 2>&1 | FileCheck %s --implicit-check-not=internal

// An error in a kernel, which is a function of its own, is one error.
// CHECK: error: 'arith.scaling_truncf' op cannot be lowered to native code with this rounding mode
#map = affine_map<(d0, d1) -> (d0)>
#map1 = affine_map<(d0, d1) -> (d0 * 2)>
#map2 = affine_map<(d0, d1) -> (d1)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @main() -> memref<?x?xf16> {
    %cst = arith.constant 0.000000e+00 : f16
    %alloc = memref.alloc() : memref<16xcomplex<f32>>
    %c1 = arith.constant 1 : index
    %alloc_0 = memref.alloc() : memref<31xi1>
    %c8 = arith.constant 8 : index
    %alloc_1 = memref.alloc(%c8) : memref<?xi1>
    %alloc_2 = memref.alloc(%c1, %c8) : memref<?x?xf16>
    %alloc_3 = memref.alloc() : memref<16x8xf16>
    linalg.generic {indexing_maps = [#map, #map1, #map2, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%alloc, %alloc_0, %alloc_1 : memref<16xcomplex<f32>>, memref<31xi1>, memref<?xi1>) outs(%alloc_2, %alloc_3 : memref<?x?xf16>, memref<16x8xf16>) {
    ^bb0(%in: complex<f32>, %in_4: i1, %in_5: i1, %out: f16, %out_6: f16):
      %cst_7 = arith.constant 0.000000e+00 : f64
      %0 = arith.scaling_truncf %cst_7, %cst_7 toward_zero : f64, f64 to f16
      linalg.yield %0, %cst : f16, f16
    }
    return %alloc_2 : memref<?x?xf16>
  }
}
