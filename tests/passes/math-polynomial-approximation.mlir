// RUN: freehold opt %s --math-polynomial-approximation | FileCheck %s
// RUN: freehold opt %s --math-polynomial-approximation=keep-branching | FileCheck %s --check-prefix=KEEP
// RUN: freehold opt %s --canonicalize | FileCheck %s --check-prefix=FOLD
// RUN: freehold opt %s --math-polynomial-approximation="fp=contract flush-denormals" | FileCheck %s --check-prefix=FLUSH

// CHECK-LABEL: func.func @scalar
// CHECK-NOT:     math
// CHECK:         arith.extf %{{.*}} : f32 to f64
// CHECK-COUNT-7: arith.mulf
// CHECK:         arith.shli
// CHECK:         arith.truncf %{{.*}} : f64 to f32
// CHECK-NEXT:    return
// Without subnormal numbers, results are scaled once, and nothing is kept from exponents that are too small.
// FLUSH-LABEL: func.func @scalar
// FLUSH-NOT:     math
// FLUSH-COUNT-2: arith.select
// FLUSH-NOT:     arith.select
// FLUSH:         return
func.func @scalar(%x: f32) -> f32 {
  %y = math.exp %x : f32
  return %y : f32
}

// CHECK-LABEL: func.func @vector
// CHECK-NOT:     math
// CHECK:         arith.divf %{{.*}} : vector<2x4xf64>
// CHECK:         arith.truncf %{{.*}} : vector<2x4xf64> to vector<2x4xf32>
func.func @vector(%x: vector<2x4xf32>) -> vector<2x4xf32> {
  %y = math.tanh %x : vector<2x4xf32>
  return %y : vector<2x4xf32>
}

// CHECK-LABEL: func.func @root
// CHECK:         %[[ROOT:.*]] = math.sqrt
// CHECK-NEXT:    %[[ONE:.*]] = arith.constant 1.0
// CHECK-NEXT:    arith.divf %[[ONE]], %[[ROOT]]
func.func @root(%x: f32) -> f32 {
  %y = math.rsqrt %x : f32
  return %y : f32
}

// CHECK-LABEL: func.func @sine
// CHECK-NOT:     math
// CHECK-COUNT-12: arith.cmpf olt
// CHECK:         arith.truncf %{{.*}} : vector<4xf64> to vector<4xf32>
func.func @sine(%x: vector<4xf32>) -> vector<4xf32> {
  %y = math.sin %x : vector<4xf32>
  return %y : vector<4xf32>
}

// Doubles are computed in doubles.
// CHECK-LABEL: func.func @doubles
// CHECK-NOT:     math
// CHECK-NOT:     f32
// CHECK:         return
func.func @doubles(%x: f64, %y: vector<8xf64>) -> (f64, vector<8xf64>, f64) {
  %0 = math.exp %x : f64
  %1 = math.log1p %y : vector<8xf64>
  %2 = math.powf %x, %x : f64
  return %0, %1, %2 : f64, vector<8xf64>, f64
}

// Other types and functions.
// CHECK-LABEL: func.func @calls
// CHECK:         math.exp %{{.*}} : f8E5M2
// CHECK:         math.atan
func.func @calls(%x: f8E5M2, %y: f64) -> (f8E5M2, f64) {
  %1 = math.exp %x : f8E5M2
  %2 = math.atan %y : f64
  return %1, %2 : f8E5M2, f64
}

// Halves are computed in singles, whose functions are computed in doubles.
// CHECK-LABEL: func.func @halves
// CHECK-NOT:     math
// CHECK:         arith.extf %{{.*}} : vector<8xbf16> to vector<8xf32>
// CHECK:         arith.extf %{{.*}} : vector<8xf32> to vector<8xf64>
// CHECK:         arith.truncf %{{.*}} : vector<8xf64> to vector<8xf32>
// CHECK:         arith.truncf %{{.*}} : vector<8xf32> to vector<8xbf16>
// CHECK-NOT:     math.powf
// CHECK:         return
func.func @halves(%x: vector<8xbf16>, %y: f16) -> (vector<8xbf16>, f16) {
  %0 = math.exp %x : vector<8xbf16>
  %1 = math.powf %y, %y : f16
  return %0, %1 : vector<8xbf16>, f16
}

// Inverses take roots.
// CHECK-LABEL: func.func @inverses
// CHECK-NOT:     math.a
// CHECK:         math.sqrt %{{.*}} : vector<8xf64>
// CHECK-NOT:     math.a
// CHECK:         return
func.func @inverses(%x: vector<8xf32>, %y: f32) -> (vector<8xf32>, vector<8xf32>, f32) {
  %0 = math.acos %x : vector<8xf32>
  %1 = math.atan2 %x, %0 : vector<8xf32>
  %2 = math.atanh %y : f32
  return %0, %1, %2 : vector<8xf32>, vector<8xf32>, f32
}

// What large arguments need is behind a branch; of a vector, if any lane is large.
// CHECK-LABEL: func.func @far
// CHECK:         %[[LARGE:.*]] = arith.cmpi ne
// CHECK:         %[[REDUCED:.*]]:3 = scf.if %[[LARGE]] -> (f64, f64, f64) {
// CHECK:         scf.if %{{.*}} -> (vector<2x4xf64>, vector<2x4xf64>, vector<2x4xf64>) {
// KEEP-LABEL: func.func @far
// KEEP-NEXT:    math.sin
// KEEP-NEXT:    math.tan
// KEEP-NEXT:    return
func.func @far(%x: f64, %y: vector<2x4xf64>) -> (f64, vector<2x4xf64>) {
  %0 = math.sin %x : f64
  %1 = math.tan %y : vector<2x4xf64>
  return %0, %1 : f64, vector<2x4xf64>
}

// Rows of scalable size are no row, and are not asked.
// CHECK-LABEL: func.func @scalable
// CHECK:         scf.if %{{.*}} -> (vector<[4]xf64>, vector<[4]xf64>, vector<[4]xf64>) {
// CHECK-NOT:     vector.shape_cast
// CHECK-NOT:     scf.if
// CHECK:         return
func.func @scalable(%x: vector<[4]xf64>, %y: vector<2x[4]xf64>) -> (vector<[4]xf64>, vector<2x[4]xf64>) {
  %0 = math.sin %x : vector<[4]xf64>
  %1 = math.sin %y : vector<2x[4]xf64>
  return %0, %1 : vector<[4]xf64>, vector<2x[4]xf64>
}

// What is exchanged atomically has no branches.
// CHECK-LABEL: func.func @atomic
// CHECK-NOT:     scf.if
// CHECK:         memref.atomic_yield
func.func @atomic(%a: memref<4xf64>, %i: index) -> f64 {
  %r = memref.generic_atomic_rmw %a[%i] : memref<4xf64> {
  ^bb0(%c: f64):
    %y = math.cos %c : f64
    memref.atomic_yield %y : f64
  }
  return %r : f64
}

// Constants are folded to what the operations compute.
// FOLD-LABEL: func.func @constant
// FOLD-NEXT:    %[[C:.*]] = arith.constant 2.0137527 : f32
// FOLD-NEXT:    return %[[C]]
func.func @constant() -> f32 {
  %c = arith.constant 0.7 : f32
  %y = math.exp %c : f32
  return %y : f32
}

// FOLD-LABEL: func.func @far_constant
// FOLD-NEXT:    %[[C:.*]] = arith.constant -4.6871659242546{{.*}}E-19 : f64
// FOLD-NEXT:    return %[[C]]
func.func @far_constant() -> f64 {
  %c = arith.constant 5.319372648326541e255 : f64
  %y = math.cos %c : f64
  return %y : f64
}

// Signs are copied by patterns.
// CHECK-LABEL: func.func @sign
// CHECK-DAG:     %[[SIZE:.*]] = arith.andi %{{.*}}, %{{.*}} : vector<4xi32>
// CHECK-DAG:     %[[SIGN:.*]] = arith.andi %{{.*}}, %{{.*}} : vector<4xi32>
// CHECK:         %[[BITS:.*]] = arith.ori %[[SIZE]], %[[SIGN]] : vector<4xi32>
// CHECK-NEXT:    arith.bitcast %[[BITS]] : vector<4xi32> to vector<4xf32>
func.func @sign(%x: vector<4xf32>, %y: vector<4xf32>) -> vector<4xf32> {
  %0 = math.copysign %x, %y : vector<4xf32>
  return %0 : vector<4xf32>
}

// What depends on the exponent alone is known if that is a constant: it is no integer, and positive.
// CHECK-LABEL: func.func @constant_exponent
// CHECK-NOT:     arith.extf %cst
// CHECK-COUNT-1: arith.extf
// CHECK-NOT:     arith.extf
// CHECK:         return
func.func @constant_exponent(%x: f32) -> f32 {
  %e = arith.constant 2.4 : f32
  %y = math.powf %x, %e : f32
  return %y : f32
}

// The remainder of a division becomes arithmetic in vectors only; that of doubles never does.
// CHECK-LABEL: func.func @remainders
// CHECK:         arith.remf %arg0, %arg0 : f32
// CHECK:         arith.remf %arg1, %arg1 : vector<4xf64>
// CHECK-NOT:     arith.remf
// CHECK:         arith.truncf %{{.*}} : vector<4xf64> to vector<4xf32>
// KEEP-LABEL:  func.func @remainders
// KEEP-COUNT-3:  arith.remf
func.func @remainders(%a: f32, %b: vector<4xf64>, %c: vector<4xf32>) -> (f32, vector<4xf64>, vector<4xf32>) {
  %0 = arith.remf %a, %a : f32
  %1 = arith.remf %b, %b : vector<4xf64>
  %2 = arith.remf %c, %c : vector<4xf32>
  return %0, %1, %2 : f32, vector<4xf64>, vector<4xf32>
}

// By a power of two, it is what is left of the fraction, with the sign of the first number.
// CHECK-LABEL: func.func @remainders_of_powers
// CHECK-SAME:    %[[X:.*]]: f32, %[[Y:.*]]: vector<4xf64>, %[[Z:.*]]: f32)
// CHECK:         %[[SCALED:.*]] = arith.mulf %[[X]], %{{.*}} : f32
// CHECK:         %[[WHOLE:.*]] = math.trunc %[[SCALED]]
// CHECK:         %[[MULTIPLE:.*]] = arith.mulf %[[WHOLE]], %{{.*}}
// CHECK:         %[[SIZE:.*]] = math.absf %[[X]]
// CHECK:         %[[SMALL:.*]] = arith.cmpf olt, %[[SIZE]], %{{.*}}
// CHECK:         %[[TAKEN:.*]] = arith.select %[[SMALL]], %[[MULTIPLE]], %[[X]]
// CHECK:         arith.subf %[[X]], %[[TAKEN]]
// CHECK:         math.trunc %{{.*}} : vector<4xf64>
// CHECK:         arith.remf %[[Z]]
func.func @remainders_of_powers(%x: f32, %y: vector<4xf64>, %z: f32) -> (f32, vector<4xf64>, f32) {
  %two = arith.constant -2.0 : f32
  %eighth = arith.constant 0.125 : f64
  %three = arith.constant 3.0 : f32
  %v = vector.broadcast %eighth : f64 to vector<4xf64>
  %0 = arith.remf %x, %two : f32
  %1 = arith.remf %y, %v : vector<4xf64>
  %2 = arith.remf %z, %three : f32
  return %0, %1, %2 : f32, vector<4xf64>, f32
}

// Integers become arithmetic in vectors only, and if floats hold them.
// CHECK-LABEL: func.func @integers
// CHECK:         arith.divsi %arg0, %arg0 : i32
// CHECK:         math.ctpop %arg0 : i32
// CHECK:         arith.remui %arg1, %arg1 : vector<4xi64>
// CHECK-NOT:     div{{[su]}}i
// CHECK:         arith.divf
// CHECK-NOT:     div{{[su]}}i
// CHECK:         arith.shrsi
// CHECK:         arith.shrsi
// CHECK-NOT:     math.ct
// CHECK:         return
func.func @integers(%a: i32, %b: vector<4xi64>, %c: vector<4xi32>) -> (i32, i32, vector<4xi64>, vector<4xi32>, vector<4xi32>, vector<4xi32>) {
  %eight = arith.constant dense<8> : vector<4xi32>
  %0 = arith.divsi %a, %a : i32
  %1 = math.ctpop %a : i32
  %2 = arith.remui %b, %b : vector<4xi64>
  %3 = arith.divsi %c, %c : vector<4xi32>
  %4 = arith.divsi %c, %eight : vector<4xi32>
  %5 = math.cttz %c : vector<4xi32>
  return %0, %1, %2, %3, %4, %5 : i32, i32, vector<4xi64>, vector<4xi32>, vector<4xi32>, vector<4xi32>
}

// Halves are rounded away from zero by what is left of the fraction.
// CHECK-LABEL: func.func @rounded
// CHECK-NOT:     math.round
// CHECK:         %[[WHOLE:.*]] = math.trunc %arg0 : f32
// CHECK:         %[[REST:.*]] = arith.subf %arg0, %[[WHOLE]]
// CHECK:         %[[SIZE:.*]] = math.absf %[[REST]]
// CHECK:         arith.cmpf oge, %[[SIZE]], %{{.*}}
// CHECK:         arith.select
// CHECK:         math.trunc %arg1 : vector<4xf16>
// CHECK-NOT:     math.round
// CHECK:         return
func.func @rounded(%x: f32, %y: vector<4xf16>) -> (f32, vector<4xf16>) {
  %0 = math.round %x : f32
  %1 = math.round %y : vector<4xf16>
  return %0, %1 : f32, vector<4xf16>
}
