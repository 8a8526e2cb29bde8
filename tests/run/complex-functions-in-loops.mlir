// Hyperbolic tangents and powers of complex numbers in loops: the same at the ends of the range by every policy.
//
// RUN: freehold run %s | FileCheck %s
// RUN: freehold run -O3 --fp=contract --vector-bits=256 %s | FileCheck %s

func.func private @show(%a: memref<16xcomplex<f32>>, %i: index) attributes {passthrough = ["noinline"]} {
  %x = memref.load %a[%i] : memref<16xcomplex<f32>>
  %re = complex.re %x : complex<f32>
  %im = complex.im %x : complex<f32>
  vector.print %re : f32
  vector.print %im : f32
  return
}

func.func private @tangents(%a: memref<16xcomplex<f32>>, %n: index) attributes {passthrough = ["noinline"]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<16xcomplex<f32>>
    %y = complex.tanh %x : complex<f32>
    memref.store %y, %a[%i] : memref<16xcomplex<f32>>
  }
  return
}

func.func private @powers(%a: memref<16xcomplex<f32>>, %w: memref<16xcomplex<f32>>, %n: index) attributes {passthrough = ["noinline"]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<16xcomplex<f32>>
    %z = memref.load %w[%i] : memref<16xcomplex<f32>>
    %y = complex.pow %x, %z : complex<f32>
    memref.store %y, %a[%i] : memref<16xcomplex<f32>>
  }
  return
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c16 = arith.constant 16 : index
  %zero = complex.constant [0.0 : f32, 0.0 : f32] : complex<f32>
  %infinite = complex.constant [0xFF800000 : f32, 0x7F800000 : f32] : complex<f32>
  %large = complex.constant [-50.0 : f32, 1.0 : f32] : complex<f32>
  %real = complex.constant [0.5 : f32, -0.0 : f32] : complex<f32>
  %i = complex.constant [0.0 : f32, 1.0 : f32] : complex<f32>
  %two = complex.constant [2.0 : f32, 0.0 : f32] : complex<f32>
  %minus = complex.constant [-1.0 : f32, 0.0 : f32] : complex<f32>
  %a = memref.alloca() : memref<16xcomplex<f32>>
  %w = memref.alloca() : memref<16xcomplex<f32>>
  scf.for %k = %c0 to %c16 step %c1 {
    memref.store %zero, %a[%k] : memref<16xcomplex<f32>>
    memref.store %zero, %w[%k] : memref<16xcomplex<f32>>
  }
  memref.store %infinite, %a[%c0] : memref<16xcomplex<f32>>
  memref.store %large, %a[%c1] : memref<16xcomplex<f32>>
  memref.store %real, %a[%c2] : memref<16xcomplex<f32>>
  call @tangents(%a, %c16) : (memref<16xcomplex<f32>>, index) -> ()
  // CHECK:      {{^}}-1{{$}}
  // CHECK-NEXT: {{^}}{{-?}}0{{$}}
  // CHECK-NEXT: {{^}}-1{{$}}
  // CHECK-NEXT: {{^}}6.72623e-44{{$}}
  // CHECK-NEXT: {{^}}0.462117{{$}}
  // CHECK-NEXT: {{^}}-0{{$}}
  // CHECK-NEXT: {{^}}0{{$}}
  // CHECK-NEXT: {{^}}0{{$}}
  call @show(%a, %c0) : (memref<16xcomplex<f32>>, index) -> ()
  call @show(%a, %c1) : (memref<16xcomplex<f32>>, index) -> ()
  call @show(%a, %c2) : (memref<16xcomplex<f32>>, index) -> ()
  call @show(%a, %c3) : (memref<16xcomplex<f32>>, index) -> ()
  memref.store %i, %a[%c0] : memref<16xcomplex<f32>>
  memref.store %i, %w[%c0] : memref<16xcomplex<f32>>
  memref.store %zero, %a[%c1] : memref<16xcomplex<f32>>
  memref.store %two, %w[%c1] : memref<16xcomplex<f32>>
  memref.store %zero, %a[%c2] : memref<16xcomplex<f32>>
  memref.store %minus, %w[%c2] : memref<16xcomplex<f32>>
  memref.store %zero, %a[%c3] : memref<16xcomplex<f32>>
  call @powers(%a, %w, %c16) : (memref<16xcomplex<f32>>, memref<16xcomplex<f32>>, index) -> ()
  // i to the power of i is exp(-pi / 2); of zero there are zero, no number and, to the power of zero, one.
  // CHECK-NEXT: {{^}}0.20788{{$}}
  // CHECK-NEXT: {{^}}{{-?}}0{{$}}
  // CHECK-NEXT: {{^}}0{{$}}
  // CHECK-NEXT: {{^}}{{-?}}0{{$}}
  // CHECK-NEXT: {{^}}{{-?}}nan{{$}}
  // CHECK-NEXT: {{^}}{{-?}}nan{{$}}
  // CHECK-NEXT: {{^}}1{{$}}
  // CHECK-NEXT: {{^}}0{{$}}
  call @show(%a, %c0) : (memref<16xcomplex<f32>>, index) -> ()
  call @show(%a, %c1) : (memref<16xcomplex<f32>>, index) -> ()
  call @show(%a, %c2) : (memref<16xcomplex<f32>>, index) -> ()
  call @show(%a, %c3) : (memref<16xcomplex<f32>>, index) -> ()
  return
}
