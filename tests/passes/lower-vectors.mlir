// RUN: freehold opt --pass-pipeline='builtin.module(lower-vectors)' %s | FileCheck %s
// RUN: freehold opt --pass-pipeline='builtin.module(native-pipeline)' --mlir-print-ir-after=lower-vectors %s 2>&1 \
// RUN:   | FileCheck %s --check-prefix=SEEN

// Operations that others stand for are gone before code is generated.
// SEEN-NOT: vector.splat
// SEEN: vector.broadcast

// CHECK-LABEL: @splat
// CHECK: vector.broadcast %{{.*}} : f32 to vector<4xf32>
func.func @splat(%x: f32) -> vector<4xf32> {
  %0 = vector.splat %x : vector<4xf32>
  return %0 : vector<4xf32>
}

// CHECK-LABEL: @fma
// CHECK: math.fma %{{.*}}, %{{.*}}, %{{.*}} : vector<4xf32>
func.func @fma(%a: vector<4xf32>, %b: vector<4xf32>) -> vector<4xf32> {
  %0 = vector.fma %a, %b, %a : vector<4xf32>
  return %0 : vector<4xf32>
}

// Positions are natural numbers.
// CHECK-LABEL: @elements
// CHECK: %[[P:.*]] = arith.index_castui %{{.*}} : i8 to index
// CHECK: %[[Q:.*]] = arith.minui %[[P]], %{{.*}} : index
// CHECK: arith.muli %[[Q]], %{{.*}} : index
// CHECK: memref.load %{{.*}} : memref<200xf32>
// CHECK: memref.store %{{.*}} : memref<200xf32>
func.func @elements(%v: vector<200xf32>, %i: i8, %j: index) -> vector<200xf32> {
  %0 = vector.extractelement %v[%i : i8] : vector<200xf32>
  %1 = vector.insertelement %0, %v[%j : index] : vector<200xf32>
  return %1 : vector<200xf32>
}

// CHECK-LABEL: @transpose
// CHECK: %[[A:.*]] = vector.shape_cast %{{.*}} : vector<8xf32> to vector<2x4xf32>
// CHECK: %[[B:.*]] = vector.transpose %[[A]], [1, 0] : vector<2x4xf32> to vector<4x2xf32>
// CHECK: vector.shape_cast %[[B]] : vector<4x2xf32> to vector<8xf32>
func.func @transpose(%m: vector<8xf32>) -> vector<8xf32> {
  %0 = vector.flat_transpose %m {rows = 4 : i32, columns = 2 : i32} : vector<8xf32> -> vector<8xf32>
  return %0 : vector<8xf32>
}

// Columns of the result are rows of the contraction.
// CHECK-LABEL: @product
// CHECK: %[[Z:.*]] = arith.constant dense<-0.000000e+00> : vector<4x2xf32>
// CHECK: %[[L:.*]] = vector.shuffle %arg0, %arg0 [0, 1, 0, 1, 0, 1, 0, 1] : vector<6xf32>, vector<6xf32>
// CHECK: %[[R:.*]] = vector.shuffle %arg1, %arg1 [0, 0, 3, 3, 6, 6, 9, 9] : vector<12xf32>, vector<12xf32>
// CHECK: %[[P:.*]] = arith.mulf %[[L]], %[[R]] : vector<8xf32>
// CHECK: arith.addf %{{.*}}, %[[P]] : vector<8xf32>
// CHECK-NOT: vector.contract
func.func @product(%a: vector<6xf32>, %b: vector<12xf32>) -> vector<8xf32> {
  %0 = vector.matrix_multiply %a, %b {lhs_rows = 2 : i32, lhs_columns = 3 : i32, rhs_columns = 4 : i32}
    : (vector<6xf32>, vector<12xf32>) -> vector<8xf32>
  return %0 : vector<8xf32>
}

// CHECK-LABEL: @integers
// CHECK: arith.constant dense<0> : vector<1x2xi32>
// CHECK: arith.muli %{{.*}}, %{{.*}} : vector<2xi32>
func.func @integers(%a: vector<6xi32>, %b: vector<3xi32>) -> vector<2xi32> {
  %0 = vector.matrix_multiply %a, %b {lhs_rows = 2 : i32, lhs_columns = 3 : i32, rhs_columns = 1 : i32}
    : (vector<6xi32>, vector<3xi32>) -> vector<2xi32>
  return %0 : vector<2xi32>
}

#row = affine_map<(i, j, k) -> (i, k)>
#column = affine_map<(i, j, k) -> (k, j)>
#result = affine_map<(i, j, k) -> (i, j)>

// Rows that fill registers are vectors of their own.
// CHECK-LABEL: @contract
// CHECK-COUNT-2: vector.extract %arg2[{{[01]}}] : vector<8xf32> from vector<2x8xf32>
// CHECK: %[[A:.*]] = vector.shuffle %{{.*}}, %{{.*}} [0, 0, 0, 0, 0, 0, 0, 0] : vector<4xf32>, vector<4xf32>
// CHECK: %[[B:.*]] = vector.shuffle %{{.*}}, %{{.*}} [0, 1, 2, 3, 4, 5, 6, 7] : vector<16xf32>, vector<16xf32>
// CHECK: arith.mulf %[[A]], %[[B]] : vector<8xf32>
// CHECK: vector.insert %{{.*}}, %{{.*}}[1] : vector<8xf32> into vector<2x8xf32>
func.func @contract(%a: vector<2x2xf32>, %b: vector<2x8xf32>, %c: vector<2x8xf32>) -> vector<2x8xf32> {
  %0 = vector.contract {indexing_maps = [#row, #column, #result], iterator_types = ["parallel", "parallel", "reduction"]}
    %a, %b, %c : vector<2x2xf32>, vector<2x8xf32> into vector<2x8xf32>
  return %0 : vector<2x8xf32>
}

// CHECK-LABEL: @outer_product
// CHECK: %[[X:.*]] = vector.broadcast %arg1 : i32 to vector<4xi32>
// CHECK: %[[P:.*]] = arith.muli %arg0, %[[X]] : vector<4xi32>
// CHECK: arith.maxsi %arg2, %[[P]] : vector<4xi32>
func.func @outer_product(%a: vector<4xi32>, %x: i32, %c: vector<4xi32>) -> vector<4xi32> {
  %0 = vector.outerproduct %a, %x, %c {kind = #vector.kind<maxsi>} : vector<4xi32>, i32
  return %0 : vector<4xi32>
}

// CHECK-LABEL: @sums
// CHECK: %[[A:.*]] = vector.shuffle %{{.*}} [0, 2, 4, 6]
// CHECK: %[[S:.*]] = arith.addi %arg1, %[[A]] : vector<4xi8>
// CHECK: %[[B:.*]] = vector.shuffle %{{.*}} [1, 3, 5, 7]
// CHECK: arith.addi %[[S]], %[[B]] : vector<4xi8>
func.func @sums(%a: vector<4x2xi8>, %c: vector<4xi8>) -> vector<4xi8> {
  %0 = vector.multi_reduction <add>, %a, %c [1] : vector<4x2xi8> to vector<4xi8>
  return %0 : vector<4xi8>
}

// One number is made of all products, half and half, which a mask may leave out; factors become as wide as sums.
// CHECK-LABEL: @dot
// CHECK: %[[A:.*]] = arith.extsi %arg0 : vector<4xi8> to vector<4xi32>
// CHECK: %[[P:.*]] = arith.muli %[[A]], %{{.*}} : vector<4xi32>
// CHECK: %[[S:.*]] = arith.select %arg2, %[[P]], %{{.*}} : vector<4xi1>, vector<4xi32>
// CHECK: %[[L:.*]] = vector.shuffle %[[S]], %[[S]] [0, 1] : vector<4xi32>, vector<4xi32>
// CHECK: %[[H:.*]] = vector.shuffle %[[S]], %[[S]] [2, 3] : vector<4xi32>, vector<4xi32>
// CHECK: arith.addi %[[L]], %[[H]] : vector<2xi32>
// CHECK: %[[T:.*]] = vector.extract %{{.*}}[0] : i32 from vector<1xi32>
// CHECK: arith.addi %arg1, %[[T]] : i32
func.func @dot(%a: vector<4xi8>, %c: i32, %m: vector<4xi1>) -> i32 {
  %0 = vector.mask %m { vector.contract {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> ()>],
    iterator_types = ["reduction"]} %a, %a, %c : vector<4xi8>, vector<4xi8> into i32 } : vector<4xi1> -> i32
  return %0 : i32
}

// Transfers, gathers and scatters take masks.
// CHECK-LABEL: @accesses
// CHECK: %[[R:.*]] = vector.transfer_read %arg0[%{{.*}}], %{{.*}}, %arg1 {in_bounds = [true]} : memref<?xf32>, vector<4xf32>
// CHECK: %[[S:.*]] = arith.select %arg1, %[[R]], %arg3 : vector<4xi1>, vector<4xf32>
// CHECK: %[[M:.*]] = arith.andi %arg4, %arg1 : vector<4xi1>
// CHECK: vector.gather %arg0[%{{.*}}] [%arg2], %[[M]], %[[S]]
// CHECK: vector.transfer_write %{{.*}}, %arg0[%{{.*}}], %arg1 {in_bounds = [true]} : vector<4xf32>, memref<?xf32>
// CHECK-NOT: vector.mask
func.func @accesses(%a: memref<?xf32>, %m: vector<4xi1>, %at: vector<4xindex>, %v: vector<4xf32>, %n: vector<4xi1>) {
  %c0 = arith.constant 0 : index
  %x = arith.constant 1.0 : f32
  %0 = vector.mask %m, %v { vector.transfer_read %a[%c0], %x {in_bounds = [true]} : memref<?xf32>, vector<4xf32> } : vector<4xi1> -> vector<4xf32>
  %1 = vector.mask %m { vector.gather %a[%c0] [%at], %n, %0 : memref<?xf32>, vector<4xindex>, vector<4xi1>, vector<4xf32> into vector<4xf32> } : vector<4xi1> -> vector<4xf32>
  vector.mask %m { vector.transfer_write %1, %a[%c0] {in_bounds = [true]} : vector<4xf32>, memref<?xf32> } : vector<4xi1>
  return
}

// What may be beyond an edge is masked: indices that may be negative take a second mask. Dimensions are read in the
// order of memory.
// CHECK-LABEL: @edges
// CHECK: scf.for %[[I:[a-z0-9]+]] =
// CHECK: %[[N:.*]] = memref.dim %arg0, %{{.*}}
// CHECK: %[[REST:.*]] = arith.subi %[[N]], %[[I]] : index
// CHECK: %[[M:.*]] = vector.create_mask %{{.*}}, %[[REST]] : vector<2x4xi1>
// CHECK: %[[R:.*]] = vector.transfer_read %arg0[%{{.*}}, %[[I]]], %{{.*}}, %[[M]] {in_bounds = [true, true]} : memref<2x?xf32>, vector<2x4xf32>
// CHECK: %[[T:.*]] = vector.transpose %[[R]], [1, 0] : vector<2x4xf32> to vector<4x2xf32>
// CHECK: %[[B:.*]] = vector.shape_cast %[[T]] : vector<4x2xf32> to vector<4x1x2xf32>
// CHECK: vector.broadcast %[[B]] : vector<4x1x2xf32> to vector<4x3x2xf32>
// CHECK: %[[REST:.*]] = arith.subi %{{.*}}, %arg2 : index
// CHECK: %[[BEFORE:.*]] = arith.subi %{{.*}}, %arg2 : index
// CHECK: %[[LOW:.*]] = vector.create_mask %[[BEFORE]] : vector<4xi1>
// CHECK: %[[HIGH:.*]] = vector.create_mask %[[REST]] : vector<4xi1>
// CHECK: %[[EITHER:.*]] = arith.ori %[[HIGH]], %[[LOW]] : vector<4xi1>
// CHECK: %[[WITHIN:.*]] = arith.xori %[[EITHER]], %[[LOW]] : vector<4xi1>
// CHECK: vector.transfer_write %arg3, %arg1[%arg2], %[[WITHIN]] {in_bounds = [true]} : vector<4xf32>, memref<8xf32>
func.func @edges(%a: memref<2x?xf32>, %b: memref<8xf32>, %i: index, %v: vector<4xf32>) -> vector<4x3x2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %x = arith.constant 1.0 : f32
  %init = arith.constant dense<0.0> : vector<4x3x2xf32>
  %n = memref.dim %a, %c1 : memref<2x?xf32>
  %r = scf.for %j = %c0 to %n step %c4 iter_args(%s = %init) -> (vector<4x3x2xf32>) {
    %0 = vector.transfer_read %a[%c0, %j], %x {in_bounds = [false, true, false], permutation_map = affine_map<(d0, d1) -> (d1, 0, d0)>}
      : memref<2x?xf32>, vector<4x3x2xf32>
    %1 = arith.addf %s, %0 : vector<4x3x2xf32>
    scf.yield %1 : vector<4x3x2xf32>
  }
  vector.transfer_write %v, %b[%i] : vector<4xf32>, memref<8xf32>
  return %r : vector<4x3x2xf32>
}

// Elements of memory that are vectors are loaded and stored whole.
// CHECK-LABEL: @whole
// CHECK: %[[E:.*]] = memref.load %arg0[%{{.*}}] : memref<4xvector<2xf32>>
// CHECK: memref.store %[[E]], %arg0[%{{.*}}] : memref<4xvector<2xf32>>
func.func @whole(%a: memref<4xvector<2xf32>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = vector.load %a[%c0] : memref<4xvector<2xf32>>, vector<2xf32>
  vector.store %0, %a[%c1] : memref<4xvector<2xf32>>, vector<2xf32>
  return
}

// Masks of known sizes and numbers from zero on are constants.
// CHECK-LABEL: @constants
// CHECK-DAG: arith.constant dense<{{\[}}[true, true, false], [false, false, false]]> : vector<2x3xi1>
// CHECK-DAG: arith.constant dense<[0, 1, 2, 3]> : vector<4xindex>
// CHECK-DAG: arith.constant dense<true> : vector<i1>
func.func @constants() -> (vector<2x3xi1>, vector<4xindex>, vector<i1>) {
  %0 = vector.constant_mask [1, 2] : vector<2x3xi1>
  %1 = vector.step : vector<4xindex>
  %2 = vector.constant_mask [1] : vector<i1>
  return %0, %1, %2 : vector<2x3xi1>, vector<4xindex>, vector<i1>
}

// The first slice of an inclusive scan is that of the source.
// CHECK-LABEL: @inclusive
// CHECK: %[[F:.*]] = vector.shape_cast %arg0 : vector<2x4xf32> to vector<8xf32>
// CHECK: %[[A:.*]] = vector.shuffle %[[F]], %[[F]] [0, 1, 2, 3]
// CHECK: %[[B:.*]] = vector.shuffle %[[F]], %[[F]] [4, 5, 6, 7]
// CHECK: %[[S:.*]] = arith.addf %[[A]], %[[B]] : vector<4xf32>
// CHECK: %[[R:.*]] = vector.shuffle %[[A]], %[[S]] [0, 1, 2, 3, 4, 5, 6, 7]
// CHECK: %[[V:.*]] = vector.shape_cast %[[R]] : vector<8xf32> to vector<2x4xf32>
// CHECK: return %[[V]], %[[S]]
func.func @inclusive(%v: vector<2x4xf32>, %i: vector<4xf32>) -> (vector<2x4xf32>, vector<4xf32>) {
  %0:2 = vector.scan <add>, %v, %i {inclusive = true, reduction_dim = 0 : i64} : vector<2x4xf32>, vector<4xf32>
  return %0#0, %0#1 : vector<2x4xf32>, vector<4xf32>
}

// CHECK-LABEL: @exclusive
// CHECK: %[[A:.*]] = vector.shuffle %{{.*}}, %{{.*}} [0, 3] : vector<6xi32>
// CHECK: %[[S:.*]] = arith.muli %arg1, %[[A]] : vector<2xi32>
// CHECK: %[[B:.*]] = vector.shuffle %{{.*}}, %{{.*}} [1, 4] : vector<6xi32>
// CHECK: %[[T:.*]] = arith.muli %[[S]], %[[B]] : vector<2xi32>
// CHECK: vector.shuffle %{{.*}}, %[[T]] [0, 1, 2, 3, 4, 5] : vector<4xi32>, vector<2xi32>
// CHECK: vector.shuffle %{{.*}}, %{{.*}} [0, 2, 4, 1, 3, 5] : vector<6xi32>
func.func @exclusive(%v: vector<2x3xi32>, %i: vector<2xi32>) -> (vector<2x3xi32>, vector<2xi32>) {
  %0:2 = vector.scan <mul>, %v, %i {inclusive = false, reduction_dim = 1 : i64} : vector<2x3xi32>, vector<2xi32>
  return %0#0, %0#1 : vector<2x3xi32>, vector<2xi32>
}

// Floats are added one after the other; of three blocks, the elements at the same places are multiplied first.
// CHECK-LABEL: @reductions
// CHECK: vector.reduction <add>, %arg0, %arg1 : vector<4xf32> into f32
// CHECK: %[[A:.*]] = vector.shuffle %arg2, %arg2 [0, 1]
// CHECK: %[[B:.*]] = vector.shuffle %arg2, %arg2 [2, 3]
// CHECK: %[[P:.*]] = arith.muli %[[A]], %[[B]] : vector<2xi16>
// CHECK: %[[C:.*]] = vector.shuffle %arg2, %arg2 [4, 5]
// CHECK: arith.muli %[[P]], %[[C]] : vector<2xi16>
// CHECK: vector.extract %{{.*}}[0] : i16 from vector<1xi16>
func.func @reductions(%v: vector<4xf32>, %x: f32, %w: vector<6xi16>) -> (f32, i16) {
  %0 = vector.reduction <add>, %v, %x : vector<4xf32> into f32
  %1 = vector.reduction <mul>, %w : vector<6xi16> into i16
  return %0, %1 : f32, i16
}

// Vectors are stored for positions that turn out when the program runs; memory is that of the function.
// CHECK-LABEL: @positions
// CHECK: %[[M:.*]] = memref.alloca() : memref<8xf32>
// CHECK: %[[N:.*]] = memref.alloca() : memref<8xf32>
// CHECK: scf.for
// CHECK: %[[F:.*]] = vector.shape_cast %arg0 : vector<2x4xf32> to vector<8xf32>
// CHECK: vector.store %[[F]], %[[N]][%{{.*}}] : memref<8xf32>, vector<8xf32>
// CHECK: %[[I:.*]] = arith.minui %arg1, %{{.*}} : index
// CHECK: %[[D:.*]] = arith.muli %[[I]], %{{.*}} : index
// CHECK: %[[P:.*]] = arith.addi %{{.*}}, %[[D]] : index
// CHECK: %[[R:.*]] = vector.load %[[N]][%[[P]]] : memref<8xf32>, vector<4xf32>
// CHECK: vector.store %{{.*}}, %[[M]]
// CHECK: memref.store %{{.*}}, %[[M]][%{{.*}}] : memref<8xf32>
// CHECK: vector.load %[[M]][%{{.*}}] : memref<8xf32>, vector<8xf32>
func.func @positions(%v: vector<2x4xf32>, %i: index, %n: index, %x: f32) -> vector<2x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %j = %c0 to %n step %c1 iter_args(%s = %v) -> (vector<2x4xf32>) {
    %row = vector.extract %v[%i] : vector<4xf32> from vector<2x4xf32>
    %first = vector.extract %row[0] : f32 from vector<4xf32>
    %y = arith.addf %first, %x : f32
    %next = vector.insert %y, %s[1, %i] : f32 into vector<2x4xf32>
    scf.yield %next : vector<2x4xf32>
  }
  return %r : vector<2x4xf32>
}

// Iterations that run at once have memory of their own.
// CHECK-LABEL: @parallel
// CHECK: scf.parallel
// CHECK: memref.alloca() : memref<4xf32>
// CHECK: memref.load
func.func @parallel(%v: vector<4xf32>, %n: index, %out: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %x = vector.extract %v[%i] : f32 from vector<4xf32>
    memref.store %x, %out[%i] : memref<?xf32>
    scf.reduce
  }
  return
}

// Floats that may be regrouped are added half by half.
// CHECK-LABEL: @regrouped
// CHECK-NOT: vector.reduction
// CHECK: vector.shuffle %arg0, %arg0 [0, 1, 2, 3]
// CHECK: vector.shuffle %arg0, %arg0 [4, 5, 6, 7]
// CHECK: arith.addf %{{.*}} : vector<4xf32>
// CHECK: arith.addf %{{.*}} : vector<2xf32>
// CHECK: arith.addf %{{.*}} : vector<1xf32>
// CHECK: arith.mulf %{{.*}} : vector<2xf64>
// CHECK: vector.reduction <add>, %arg0 fastmath<nnan>
func.func @regrouped(%v: vector<8xf32>, %w: vector<4xf64>) -> (f32, f64, f32) {
  %0 = vector.reduction <add>, %v fastmath<reassoc> : vector<8xf32> into f32
  %1 = vector.reduction <mul>, %w fastmath<fast> : vector<4xf64> into f64
  %2 = vector.reduction <add>, %v fastmath<nnan> : vector<8xf32> into f32
  return %0, %1, %2 : f32, f64, f32
}
