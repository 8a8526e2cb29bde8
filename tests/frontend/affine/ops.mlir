// Every operation of affine in custom form: printed as mlir-opt prints it, and the same after a
// detour through the generic form.

// RUN: freehold opt %s | freehold opt | FileCheck %s
// RUN: freehold opt %s --mlir-print-op-generic | freehold opt | FileCheck %s

// CHECK-DAG: #[[$MAP:.*]] = affine_map<(d0)[s0] -> (d0 + s0, d0 * 2)>
#map = affine_map<(d0)[s0] -> (d0 + s0, d0 * 2)>
// CHECK-DAG: #[[$SCALE:.*]] = affine_map<(d0) -> (d0 * 4 + 1)>
#scale = affine_map<(d0) -> (d0 * 4 + 1)>
// CHECK-DAG: #[[$SET:.*]] = affine_set<(d0)[s0] : (d0 - s0 >= 0, d0 mod 2 == 0)>
#set = affine_set<(d0)[s0] : (d0 - s0 >= 0, d0 mod 2 == 0)>

// CHECK-LABEL: func.func @memory
func.func @memory(%n: index, %m: memref<?x?xf32>, %t: memref<1xi32>) {
  // CHECK: affine.for %{{[^ ,)]+}} = 0 to 10 {
  affine.for %i = 0 to 10 {
    // CHECK: affine.for %{{[^ ,)]+}} = 0 to 20 {
    affine.for %j = 0 to 20 {
      // CHECK: affine.load %{{[^ ,)]+}}[%{{[^ ,)]+}} + 1, %{{[^ ,)]+}} * 2 + symbol(%{{[^ ,)]+}})] : memref<?x?xf32>
      %0 = affine.load %m[%i + 1, %j * 2 + symbol(%n)] : memref<?x?xf32>
      // CHECK: affine.store %{{[^ ,)]+}}, %{{[^ ,)]+}}[%{{[^ ,)]+}} mod 3, %{{[^ ,)]+}} floordiv 2] {note = 1 : i64} : memref<?x?xf32>
      affine.store %0, %m[%i mod 3, %j floordiv 2] {note = 1 : i64} : memref<?x?xf32>
      // CHECK: affine.prefetch %{{[^ ,)]+}}[%{{[^ ,)]+}}, %{{[^ ,)]+}}], read, locality<3>, data : memref<?x?xf32>
      affine.prefetch %m[%i, %j], read, locality<3>, data : memref<?x?xf32>
      // CHECK: affine.prefetch %{{[^ ,)]+}}[%{{[^ ,)]+}}, %{{[^ ,)]+}} - 1], write, locality<0>, instr : memref<?x?xf32>
      affine.prefetch %m[%i, %j - 1], write, locality<0>, instr : memref<?x?xf32>
      // CHECK: affine.vector_load %{{[^ ,)]+}}[%{{[^ ,)]+}}, %{{[^ ,)]+}}] : memref<?x?xf32>, vector<4xf32>
      %1 = affine.vector_load %m[%i, %j] : memref<?x?xf32>, vector<4xf32>
      // CHECK: affine.vector_store %{{[^ ,)]+}}, %{{[^ ,)]+}}[%{{[^ ,)]+}}, %{{[^ ,)]+}}] : memref<?x?xf32>, vector<4xf32>
      affine.vector_store %1, %m[%i, %j] : memref<?x?xf32>, vector<4xf32>
    } {note}
  }
  // CHECK: affine.dma_start %{{[^ ,)]+}}[%{{[^ ,)]+}}, 0], %{{[^ ,)]+}}[%{{[^ ,)]+}} + 7, %{{[^ ,)]+}}], %{{[^ ,)]+}}[0], %{{[^ ,)]+}} : memref<?x?xf32>, memref<?x?xf32>, memref<1xi32>
  affine.dma_start %m[%n, 0], %m[%n + 7, %n], %t[0], %n : memref<?x?xf32>, memref<?x?xf32>, memref<1xi32>
  // CHECK: affine.dma_start %{{[^ ,)]+}}[%{{[^ ,)]+}}, %{{[^ ,)]+}}], %{{[^ ,)]+}}[%{{[^ ,)]+}}, %{{[^ ,)]+}}], %{{[^ ,)]+}}[0], %{{[^ ,)]+}}, %{{[^ ,)]+}}, %{{[^ ,)]+}} : memref<?x?xf32>, memref<?x?xf32>, memref<1xi32>
  affine.dma_start %m[%n, %n], %m[%n, %n], %t[0], %n, %n, %n : memref<?x?xf32>, memref<?x?xf32>, memref<1xi32>
  // CHECK: affine.dma_wait %{{[^ ,)]+}}[0], %{{[^ ,)]+}} : memref<1xi32>
  affine.dma_wait %t[0], %n : memref<1xi32>
  return
}

// CHECK-LABEL: func.func @loops
// CHECK-SAME: (%[[N:.*]]: index, %[[K:.*]]: index, %[[X:.*]]: f32)
func.func @loops(%n: index, %k: index, %x: f32) -> f32 {
  // CHECK: affine.for %[[I:.*]] = 0 to 10 {
  affine.for %i = 0 to 10 {
    // CHECK-NEXT: affine.for %{{.*}} = max #[[$MAP]](%[[I]])[%[[N]]] to min #[[$MAP]](%[[I]])[%[[K]]] step 2 {
    affine.for %j = max #map(%i)[%n] to min #map(%i)[%k] step 2 {
    }
  }
  // CHECK: affine.for %{{.*}} = #[[$SCALE]](%[[N]]) to %[[K]] {
  affine.for %i = #scale(%n) to %k {
  }
  // CHECK: affine.for %{{.*}} = -5 to %[[N]] iter_args(%[[A:.*]] = %[[X]]) -> (f32) {
  %sum = affine.for %i = -5 to %n iter_args(%a = %x) -> (f32) {
    // CHECK-NEXT: affine.yield %[[A]] : f32
    affine.yield %a : f32
  }
  // CHECK: affine.parallel (%{{.*}}, %{{.*}}) = (0, 1) to (10, %[[N]]) step (1, 2) {
  affine.parallel (%i, %j) = (0, 1) to (10, %n) step (1, 2) {
  }
  // CHECK: affine.parallel (%{{.*}}, %{{.*}}) = (%[[N]], max(%[[K]], %[[N]] + 1)) to (min(%[[N]], %[[K]] * 2, 10), 100) reduce ("addf", "mulf") -> (f32, f32) {
  %two:2 = affine.parallel (%i, %j) = (%n, max(%k, %n + 1)) to (min(%n, %k * 2, 10), 100) reduce ("addf", "mulf") -> (f32, f32) {
    // CHECK-NEXT: affine.yield %[[X]], %[[X]] : f32, f32
    affine.yield %x, %x : f32, f32
  }
  return %sum : f32
}

// CHECK-LABEL: func.func @maps
// CHECK-SAME: (%[[N:.*]]: index, %[[K:.*]]: index, %[[X:.*]]: f32)
func.func @maps(%n: index, %k: index, %x: f32) -> f32 {
  // CHECK: affine.apply #[[$SCALE]](%[[N]])
  %0 = affine.apply #scale(%n)
  // CHECK: affine.min #[[$MAP]](%[[N]])[%[[K]]]
  %1 = affine.min #map(%n)[%k]
  // CHECK: affine.max #{{.*}}()[%[[K]]] {note}
  %2 = affine.max affine_map<()[s0] -> (s0, 7)>()[%k] {note}
  // CHECK: affine.delinearize_index %[[N]] into (%[[K]], %[[K]]) : index, index
  %3:2 = affine.delinearize_index %n into (%k, %k) : index, index
  // CHECK: affine.if #[[$SET]](%[[N]])[%[[K]]] {
  affine.if #set(%n)[%k] {
  // CHECK-NEXT: } else {
  } else {
  // CHECK-NEXT: } {note}
  } {note}
  // CHECK: %[[R:.*]] = affine.if #[[$SET]](%[[N]])[%[[K]]] -> f32 {
  %4 = affine.if #set(%n)[%k] -> f32 {
    // CHECK-NEXT: affine.yield %[[X]] : f32
    affine.yield %x : f32
  } else {
    // CHECK: affine.yield %{{[^ ,)]+}} : f32
    affine.yield %x : f32
  }
  return %4 : f32
}
