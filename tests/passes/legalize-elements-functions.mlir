// Functions of complex numbers are computed from their parts where policies allow it, in loops that may run in vectors.
//
// RUN: freehold opt --legalize-elements=fp=contract --canonicalize --cse %s | FileCheck %s
// RUN: freehold opt --legalize-elements --canonicalize --cse %s | FileCheck %s --check-prefix=STRICT
// RUN: freehold run -O2 --fp=contract %s | FileCheck %s --check-prefix=VALUE

// CHECK-LABEL: func.func @power(
// CHECK-NOT: complex.exp
// CHECK: math.exp
// CHECK: math.cos
// CHECK: math.sin
// STRICT-LABEL: func.func @power(
// STRICT: complex.exp
func.func @power(%a: memref<100xcomplex<f32>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c100 = arith.constant 100 : index
  scf.for %i = %c0 to %c100 step %c1 {
    %x = memref.load %a[%i] : memref<100xcomplex<f32>>
    %y = complex.exp %x : complex<f32>
    memref.store %y, %a[%i] : memref<100xcomplex<f32>>
  }
  return
}

// CHECK-LABEL: func.func @logarithm(
// CHECK: math.log {{.*}} : f64
// CHECK: math.atan2 {{.*}} : f32
// STRICT-LABEL: func.func @logarithm(
// STRICT: complex.log
func.func @logarithm(%a: memref<100xcomplex<f32>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c100 = arith.constant 100 : index
  scf.for %i = %c0 to %c100 step %c1 {
    %x = memref.load %a[%i] : memref<100xcomplex<f32>>
    %y = complex.log %x : complex<f32>
    memref.store %y, %a[%i] : memref<100xcomplex<f32>>
  }
  return
}

// Nothing is more precise than doubles.
// CHECK-LABEL: func.func @logarithm_of_doubles(
// CHECK: complex.log
func.func @logarithm_of_doubles(%a: memref<100xcomplex<f64>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c100 = arith.constant 100 : index
  scf.for %i = %c0 to %c100 step %c1 {
    %x = memref.load %a[%i] : memref<100xcomplex<f64>>
    %y = complex.log %x : complex<f64>
    memref.store %y, %a[%i] : memref<100xcomplex<f64>>
  }
  return
}

// CHECK-LABEL: func.func @root(
// CHECK-NOT: complex.sqrt
// CHECK: math.sqrt
// STRICT-LABEL: func.func @root(
// STRICT: complex.sqrt
func.func @root(%a: memref<100xcomplex<f32>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c100 = arith.constant 100 : index
  scf.for %i = %c0 to %c100 step %c1 {
    %x = memref.load %a[%i] : memref<100xcomplex<f32>>
    %y = complex.sqrt %x : complex<f32>
    memref.store %y, %a[%i] : memref<100xcomplex<f32>>
  }
  return
}

// CHECK-LABEL: func.func @tangent(
// CHECK-NOT: complex.tanh
// CHECK: math.expm1 {{.*}} : f64
// STRICT-LABEL: func.func @tangent(
// STRICT: complex.tanh
func.func @tangent(%a: memref<100xcomplex<f32>>, %w: complex<f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c100 = arith.constant 100 : index
  scf.for %i = %c0 to %c100 step %c1 {
    %x = memref.load %a[%i] : memref<100xcomplex<f32>>
    %y = complex.tanh %x : complex<f32>
    memref.store %y, %a[%i] : memref<100xcomplex<f32>>
  }
  return
}

// CHECK-LABEL: func.func @others(
// CHECK-NOT: complex.tan
// CHECK-NOT: complex.expm1
// CHECK-NOT: complex.sign
// CHECK: return
// STRICT-LABEL: func.func @others(
// STRICT: complex.tan
// STRICT: complex.expm1
// STRICT: complex.sign
func.func @others(%a: memref<100xcomplex<f32>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c100 = arith.constant 100 : index
  scf.for %i = %c0 to %c100 step %c1 {
    %x = memref.load %a[%i] : memref<100xcomplex<f32>>
    %y = complex.tan %x : complex<f32>
    %z = complex.expm1 %y : complex<f32>
    %w = complex.sign %z : complex<f32>
    memref.store %w, %a[%i] : memref<100xcomplex<f32>>
  }
  return
}

// CHECK-LABEL: func.func @power_of(
// CHECK-NOT: complex.pow
// CHECK: math.atan2 {{.*}} : f32
// CHECK: math.log {{.*}} : f64
// CHECK: math.exp {{.*}} : f64
// STRICT-LABEL: func.func @power_of(
// STRICT: complex.pow
func.func @power_of(%a: memref<100xcomplex<f32>>, %w: complex<f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c100 = arith.constant 100 : index
  scf.for %i = %c0 to %c100 step %c1 {
    %x = memref.load %a[%i] : memref<100xcomplex<f32>>
    %y = complex.pow %x, %w : complex<f32>
    memref.store %y, %a[%i] : memref<100xcomplex<f32>>
  }
  return
}

// CHECK-LABEL: func.func @power_of_doubles(
// CHECK: complex.pow
func.func @power_of_doubles(%a: memref<100xcomplex<f64>>, %w: complex<f64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c100 = arith.constant 100 : index
  scf.for %i = %c0 to %c100 step %c1 {
    %x = memref.load %a[%i] : memref<100xcomplex<f64>>
    %y = complex.pow %x, %w : complex<f64>
    memref.store %y, %a[%i] : memref<100xcomplex<f64>>
  }
  return
}

// A division by a real number is one of both parts.
// CHECK-LABEL: func.func @by_real(
// CHECK-NOT: complex.div
// CHECK: arith.divf %{{.*}}, %arg1 : f32
// CHECK: arith.divf %{{.*}}, %arg1 : f32
// CHECK: complex.div
// STRICT-LABEL: func.func @by_real(
// STRICT: complex.div
func.func @by_real(%x: complex<f32>, %y: f32, %z: f32) -> (complex<f32>, complex<f32>) {
  %zero = arith.constant 0.0 : f32
  %real = complex.create %y, %zero : complex<f32>
  %p = complex.div %x, %real : complex<f32>
  %other = complex.create %y, %z : complex<f32>
  %q = complex.div %x, %other : complex<f32>
  return %p, %q : complex<f32>, complex<f32>
}

// Outside of loops they are calls.
// CHECK-LABEL: func.func @alone(
// CHECK: complex.sqrt
func.func @alone(%x: complex<f32>) -> complex<f32> {
  %y = complex.sqrt %x : complex<f32>
  return %y : complex<f32>
}

// The root of the largest numbers does not overflow, and the power of minus infinity is zero.
// VALUE:      1.90298e+19
// VALUE-NEXT: 7.88239e+18
// VALUE-NEXT: 0
// VALUE-NEXT: 0
// VALUE-NEXT: 0.693147
// VALUE-NEXT: 1.5708
// VALUE-NEXT: 0.74931
// VALUE-NEXT: 0.662219
// VALUE-NEXT: 0
// VALUE-NEXT: 0.5
// VALUE-NEXT: {{-?}}nan
// VALUE-NEXT: inf
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c100 = arith.constant 100 : index
  %large = complex.constant [3.0e38 : f32, 3.0e38 : f32] : complex<f32>
  %least = complex.constant [0xFF800000 : f32, 0x7F800000 : f32] : complex<f32>
  %turned = complex.constant [0.0 : f32, 2.0 : f32] : complex<f32>
  %a = memref.alloca() : memref<100xcomplex<f32>>
  %b = memref.alloca() : memref<100xcomplex<f32>>
  %c = memref.alloca() : memref<100xcomplex<f32>>
  scf.for %i = %c0 to %c100 step %c1 {
    memref.store %large, %a[%i] : memref<100xcomplex<f32>>
    memref.store %least, %b[%i] : memref<100xcomplex<f32>>
    memref.store %turned, %c[%i] : memref<100xcomplex<f32>>
  }
  func.call @root(%a) : (memref<100xcomplex<f32>>) -> ()
  func.call @power(%b) : (memref<100xcomplex<f32>>) -> ()
  func.call @logarithm(%c) : (memref<100xcomplex<f32>>) -> ()
  %x = memref.load %a[%c1] : memref<100xcomplex<f32>>
  %y = memref.load %b[%c1] : memref<100xcomplex<f32>>
  %z = memref.load %c[%c1] : memref<100xcomplex<f32>>
  %x_re = complex.re %x : complex<f32>
  vector.print %x_re : f32
  %x_im = complex.im %x : complex<f32>
  vector.print %x_im : f32
  %y_re = complex.re %y : complex<f32>
  vector.print %y_re : f32
  %y_im = complex.im %y : complex<f32>
  vector.print %y_im : f32
  %z_re = complex.re %z : complex<f32>
  vector.print %z_re : f32
  %z_im = complex.im %z : complex<f32>
  vector.print %z_im : f32
  %half = complex.constant [0.5 : f32, 0.25 : f32] : complex<f32>
  scf.for %i = %c0 to %c100 step %c1 {
    memref.store %half, %c[%i] : memref<100xcomplex<f32>>
  }
  func.call @others(%c) : (memref<100xcomplex<f32>>) -> ()
  %s = memref.load %c[%c1] : memref<100xcomplex<f32>>
  %s_re = complex.re %s : complex<f32>
  vector.print %s_re : f32
  %s_im = complex.im %s : complex<f32>
  vector.print %s_im : f32
  %four = arith.constant 4.0 : f32
  %zero = arith.constant 0.0 : f32
  %p, %q = func.call @by_real(%turned, %four, %four) : (complex<f32>, f32, f32) -> (complex<f32>, complex<f32>)
  %p_re = complex.re %p : complex<f32>
  vector.print %p_re : f32
  %p_im = complex.im %p : complex<f32>
  vector.print %p_im : f32
  %n, %m = func.call @by_real(%turned, %zero, %four) : (complex<f32>, f32, f32) -> (complex<f32>, complex<f32>)
  %n_re = complex.re %n : complex<f32>
  vector.print %n_re : f32
  %n_im = complex.im %n : complex<f32>
  vector.print %n_im : f32
  return
}
