// Loads, stores and arithmetic of complex numbers become those of their parts. What stays whole gets parts and gives
// them; parts of other formats than f32 and f64 and layouts without strides stay as they are.
//
// RUN: freehold opt --legalize-elements --canonicalize --cse %s | FileCheck %s
// RUN: freehold opt --legalize-elements %s | freehold opt --verify-each - -o %t
// RUN: freehold opt --legalize-elements=fp=contract --canonicalize --cse %s | FileCheck %s --check-prefix=CONTRACT

// CHECK-LABEL: func.func @multiply(
// CHECK-SAME: %[[A:.*]]: memref<?xcomplex<f64>, strided<[?], offset: ?>>, %[[I:.*]]: index, %[[C:.*]]: i1)
// CHECK-DAG: %[[TWO:.*]] = arith.constant 2.000000e+00 : f64
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[C1:.*]] = arith.constant 1 : index
// CHECK: %[[PARTS:.*]] = memref.bitcast %[[A]] : memref<?xcomplex<f64>, strided<[?], offset: ?>> to memref<?x2xf64, strided<[?, 1], offset: ?>>
// CHECK: %[[RE:.*]] = memref.load %[[PARTS]][%[[I]], %[[C0]]]
// CHECK: %[[IM:.*]] = memref.load %[[PARTS]][%[[I]], %[[C1]]]
// CHECK: %[[RR:.*]] = arith.mulf %[[RE]], %{{.*}} fastmath<contract> : f64
// CHECK: %[[II:.*]] = arith.mulf %[[IM]], %[[TWO]] fastmath<contract> : f64
// CHECK: %[[RI:.*]] = arith.mulf %[[RE]], %[[TWO]] fastmath<contract> : f64
// CHECK: %[[IR:.*]] = arith.mulf %[[IM]], %{{.*}} fastmath<contract> : f64
// CHECK: %[[Y_RE:.*]] = arith.subf %[[RR]], %[[II]] fastmath<contract> : f64
// CHECK: %[[Y_IM:.*]] = arith.addf %[[RI]], %[[IR]] fastmath<contract> : f64
// CHECK: %[[Z_RE:.*]] = arith.select %[[C]], %[[RE]], %[[Y_RE]] : f64
// CHECK: %[[Z_IM:.*]] = arith.select %[[C]], %[[IM]], %[[Y_IM]] : f64
// CHECK: %[[Z:.*]] = complex.create %[[Z_RE]], %[[Z_IM]] : complex<f64>
// CHECK: memref.store %[[Z_RE]], %[[PARTS]][%[[I]], %[[C0]]]
// CHECK: memref.store %[[Z_IM]], %[[PARTS]][%[[I]], %[[C1]]]
// CHECK: return %[[Z]]
func.func @multiply(%a: memref<?xcomplex<f64>, strided<[?], offset: ?>>, %i: index, %c: i1) -> complex<f64> {
  %x = memref.load %a[%i] : memref<?xcomplex<f64>, strided<[?], offset: ?>>
  %k = complex.constant [3.0, 2.0] : complex<f64>
  %y = complex.mul %x, %k fastmath<contract> : complex<f64>
  %z = arith.select %c, %x, %y : complex<f64>
  memref.store %z, %a[%i] : memref<?xcomplex<f64>, strided<[?], offset: ?>>
  return %z : complex<f64>
}

// CHECK-LABEL: func.func @whole(
// CHECK: %[[PARTS:.*]] = memref.bitcast %{{.*}} : memref<complex<f32>> to memref<2xf32>
// CHECK: %[[P:.*]] = complex.create
// CHECK: %[[Q:.*]] = complex.div %[[P]], %[[P]]
// CHECK: %[[RE:.*]] = complex.re %[[Q]]
// CHECK: %[[IM:.*]] = complex.im %[[Q]]
// CHECK: %[[R:.*]] = complex.create %{{.*}}, %[[IM]]
// CHECK: %[[E:.*]] = complex.exp %[[R]]
// CHECK: memref.store %{{.*}}, %[[PARTS]][%{{.*}}] : memref<2xf32>
// CHECK: memref.store %{{.*}}, %[[PARTS]][%{{.*}}] : memref<2xf32>
// CHECK: call @use(%[[R]])
func.func private @use(complex<f32>)
func.func @whole(%b: memref<complex<f32>>) {
  %p = memref.load %b[] : memref<complex<f32>>
  %q = complex.div %p, %p : complex<f32>
  %r = complex.conj %q : complex<f32>
  %s = complex.neg %r : complex<f32>
  %e = complex.exp %s : complex<f32>
  memref.store %e, %b[] : memref<complex<f32>>
  call @use(%s) : (complex<f32>) -> ()
  return
}

// CHECK-LABEL: func.func @others(
// CHECK-NOT: bitcast
// CHECK: return
func.func @others(%h: memref<4xcomplex<f16>>, %m: memref<4xcomplex<f32>, affine_map<(d0) -> (d0 floordiv 2, d0 mod 2)>>, %i: index) {
  %t = memref.load %h[%i] : memref<4xcomplex<f16>>
  memref.store %t, %h[%i] : memref<4xcomplex<f16>>
  %u = memref.load %m[%i] : memref<4xcomplex<f32>, affine_map<(d0) -> (d0 floordiv 2, d0 mod 2)>>
  %v = complex.add %u, %u : complex<f32>
  memref.store %v, %m[%i] : memref<4xcomplex<f32>, affine_map<(d0) -> (d0 floordiv 2, d0 mod 2)>>
  return
}

// Truth values are bytes in loops that may run in vectors, and only there.
// CHECK-LABEL: func.func @masked(
// CHECK-SAME: %[[MASK:.*]]: memref<?xi1>, %[[A:.*]]: memref<?xf32>, %[[OUT:.*]]: memref<?xi1, strided<[?], offset: ?>>, %{{.*}}: index)
// CHECK-DAG: %[[OUT_BYTES:.*]] = memref.bitcast %[[OUT]] : memref<?xi1, strided<[?], offset: ?>> to memref<?xi8, strided<[?], offset: ?>>
// CHECK-DAG: %[[BYTES:.*]] = memref.bitcast %[[MASK]] : memref<?xi1> to memref<?xi8>
// CHECK: scf.for
// CHECK: %[[BYTE:.*]] = memref.load %[[BYTES]][%{{.*}}] : memref<?xi8>
// CHECK: %[[BIT:.*]] = arith.andi %[[BYTE]], %{{.*}} : i8
// CHECK: %[[SET:.*]] = arith.cmpi ne, %[[BIT]], %{{.*}} : i8
// CHECK: arith.select %[[SET]],
// CHECK: %[[SMALL:.*]] = arith.cmpf olt,
// CHECK: %[[STORED:.*]] = arith.extui %[[SMALL]] : i1 to i8
// CHECK: memref.store %[[STORED]], %[[OUT_BYTES]]
// CHECK: memref.load %[[MASK]][%{{.*}}] : memref<?xi1>
func.func @masked(%mask: memref<?xi1>, %a: memref<?xf32>, %out: memref<?xi1, strided<[?], offset: ?>>, %n: index) -> i1 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  scf.for %i = %c0 to %n step %c1 {
    %m = memref.load %mask[%i] : memref<?xi1>
    %x = memref.load %a[%i] : memref<?xf32>
    %y = arith.select %m, %x, %zero : f32
    %s = arith.cmpf olt, %y, %x : f32
    memref.store %s, %out[%i] : memref<?xi1, strided<[?], offset: ?>>
  }
  %first = memref.load %mask[%c0] : memref<?xi1>
  return %first : i1
}

// Absolute values are computed from parts where policies allow it.
// CHECK-LABEL: func.func @absolute(
// CHECK: complex.abs
// CONTRACT-LABEL: func.func @absolute(
// CONTRACT-NOT: complex.abs
// CONTRACT: math.sqrt
// CONTRACT-NOT: complex.abs
// CONTRACT: return
func.func @absolute(%a: memref<?xcomplex<f32>>, %out: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %z = memref.load %a[%i] : memref<?xcomplex<f32>>
    %x = complex.abs %z : complex<f32>
    memref.store %x, %out[%i] : memref<?xf32>
  }
  return
}

// Truth values are compared and chosen by what there are instructions for; at one place, they are left to
// promote-loop-accesses.
// CHECK-LABEL: func.func @truths(
// CHECK: scf.for
// CHECK:   %[[S:.*]] = arith.cmpi slt
// CHECK:   %[[E:.*]] = arith.cmpi eq
// CHECK:   arith.xori %[[S]], %[[E]] : i1
// CHECK:   arith.select {{.*}} : i32
// CHECK:   memref.load %{{.*}}[] : memref<i1>
// CHECK:   memref.store %{{.*}}, %{{.*}}[] : memref<i1>
// CHECK: return
func.func @truths(%a: memref<?xi32>, %any: memref<i1>, %n: index, %n32: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %five = arith.constant 5 : i32
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<?xi32>
    %s = arith.cmpi slt, %x, %zero : i32
    %e = arith.cmpi eq, %x, %five : i32
    %ne = arith.cmpi ne, %s, %e : i1
    %g = arith.cmpi sgt, %x, %n32 : i32
    %eq = arith.cmpi eq, %ne, %g : i1
    %choice = arith.select %eq, %e, %s : i1
    %before = memref.load %any[] : memref<i1>
    %after = arith.ori %before, %choice : i1
    memref.store %after, %any[] : memref<i1>
  }
  return
}

// Truth values that are combined down the columns of a matrix are bytes: the loop over columns runs in vectors. Along
// rows, they stay.
// CHECK-LABEL: func.func @columns(
// CHECK:         scf.for
// CHECK:           scf.for
// CHECK:             memref.load %{{.*}} : memref<8xi8>
// CHECK:             memref.store %{{.*}} : memref<8xi8>
// CHECK:         scf.for
// CHECK:           scf.for
// CHECK:             memref.load %{{.*}} : memref<8xi1>
// CHECK:             memref.store %{{.*}} : memref<8xi1>
func.func @columns(%a: memref<8x8xf32>, %b: memref<8xf32>, %all: memref<8xi1>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %j = %c0 to %c8 step %c1 {
    scf.for %i = %c0 to %c8 step %c1 {
      %x = memref.load %a[%i, %j] : memref<8x8xf32>
      %y = memref.load %b[%i] : memref<8xf32>
      %m = memref.load %all[%j] : memref<8xi1>
      %c = arith.cmpf olt, %x, %y : f32
      %n = arith.andi %m, %c : i1
      memref.store %n, %all[%j] : memref<8xi1>
    }
  }
  scf.for %i = %c0 to %c8 step %c1 {
    scf.for %j = %c0 to %c8 step %c1 {
      %x = memref.load %a[%i, %j] : memref<8x8xf32>
      %y = memref.load %b[%j] : memref<8xf32>
      %m = memref.load %all[%i] : memref<8xi1>
      %c = arith.cmpf olt, %x, %y : f32
      %n = arith.andi %m, %c : i1
      memref.store %n, %all[%i] : memref<8xi1>
    }
  }
  return
}

// Registers convert bytes to floats of 32 bits, and these to floats of 16; floats of 16 to 64 in two steps. The low
// bits of larger integers become one, so that these are rounded once.
// CHECK-LABEL: func.func @conversions
// CHECK:           %[[WIDE:.*]] = arith.sitofp %{{.*}} : i8 to f32
// CHECK:           arith.truncf %[[WIDE]] : f32 to bf16
// CHECK:           %[[UNSIGNED:.*]] = arith.uitofp %{{.*}} : i16 to f32
// CHECK:           arith.truncf %[[UNSIGNED]] : f32 to f16
// CHECK:           %[[HALF:.*]] = arith.extf %{{.*}} : bf16 to f32
// CHECK:           arith.extf %[[HALF]] : f32 to f64
// CHECK:           %[[LOWEST:.*]] = arith.andi %[[NUMBER:.*]], %{{.*}} : i32
// CHECK:           %[[CARRIED:.*]] = arith.addi %[[LOWEST]], %{{.*}} : i32
// CHECK:           %[[BITS:.*]] = arith.ori %[[NUMBER]], %[[CARRIED]] : i32
// CHECK:           %[[ODD:.*]] = arith.andi %[[BITS]], %{{.*}} : i32
// CHECK:           %[[SHIFTED:.*]] = arith.addi %[[NUMBER]], %{{.*}} : i32
// CHECK:           %[[EXACT:.*]] = arith.cmpi ult, %[[SHIFTED]], %{{.*}} : i32
// CHECK:           %[[CHOSEN:.*]] = arith.select %[[EXACT]], %[[NUMBER]], %[[ODD]] : i32
// CHECK:           %[[SINGLE:.*]] = arith.sitofp %[[CHOSEN]] : i32 to f32
// CHECK:           arith.truncf %[[SINGLE]] : f32 to bf16
func.func @conversions(%bytes: memref<64xi8>, %shorts: memref<64xi16>, %numbers: memref<64xi32>, %a: memref<64xbf16>, %b: memref<64xf16>, %c: memref<64xf64>, %d: memref<64xbf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %c64 step %c1 {
    %x = memref.load %bytes[%i] : memref<64xi8>
    %y = arith.sitofp %x : i8 to bf16
    memref.store %y, %a[%i] : memref<64xbf16>
    %z = memref.load %shorts[%i] : memref<64xi16>
    %w = arith.uitofp %z : i16 to f16
    memref.store %w, %b[%i] : memref<64xf16>
    %v = arith.extf %y : bf16 to f64
    memref.store %v, %c[%i] : memref<64xf64>
    %n = memref.load %numbers[%i] : memref<64xi32>
    %m = arith.sitofp %n : i32 to bf16
    memref.store %m, %d[%i] : memref<64xbf16>
  }
  return
}
