// Functions that compute in f32 have the limits of those that compute in f64, and are near to them: signs of zero,
// results too small for an exponent of their own, infinities and NaN, whatever its payload.
//
// RUN: freehold run --fp=contract - < %s | FileCheck %s
// RUN: freehold run --fp=fast -O0 - < %s | FileCheck %s
// RUN: freehold run - < %s | FileCheck %s
// RUN: freehold opt --math-polynomial-approximation %s | FileCheck %s --check-prefix=FORM

// With the flag, one function computes in f32.
// FORM-LABEL: func.func private @flag
// FORM-NOT: arith.extf
// FORM: arith.extf
// FORM-NOT: arith.extf
// FORM: return
func.func private @flag(%x: f32) -> (f32, f32) {
  %0 = math.tanh %x fastmath<afn> : f32
  %1 = math.tanh %x : f32
  return %0, %1 : f32, f32
}

// Whether both are equal with the same sign, both NaN, or near.
func.func private @same(%a: f32, %b: f32) -> i1 {
  %one = arith.constant 1.0 : f32
  %inverse_a = arith.divf %one, %a : f32
  %inverse_b = arith.divf %one, %b : f32
  %equal = arith.cmpf oeq, %a, %b : f32
  %same_sign = arith.cmpf oeq, %inverse_a, %inverse_b : f32
  %exact = arith.andi %equal, %same_sign : i1
  %a_is_nan = arith.cmpf uno, %a, %a : f32
  %b_is_nan = arith.cmpf uno, %b, %b : f32
  %nan = arith.andi %a_is_nan, %b_is_nan : i1
  %difference = arith.subf %a, %b : f32
  %size = math.absf %difference : f32
  %scale = arith.constant 1.0e-6 : f32
  %size_b = math.absf %b : f32
  %limit = arith.mulf %size_b, %scale : f32
  // One unit of the smallest numbers.
  %least = arith.constant 1.5e-45 : f32
  %bound = arith.maximumf %limit, %least : f32
  %near = arith.cmpf olt, %size, %bound : f32
  %0 = arith.ori %exact, %nan : i1
  %1 = arith.ori %0, %near : i1
  return %1 : i1
}

memref.global "private" constant @arguments : memref<16xf32> = dense<[0.0, -0.0, 1.0, -1.0, 0.5, 88.7, 88.73, -87.5, -100.0, -104.5, 1.0e-40, 3.0e38, 0x7F800000, 0xFF800000, 0x7FC00000, 0x7F800001]>

func.func private @exp() -> memref<16xi1> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 16 : index
  %x = memref.get_global @arguments : memref<16xf32>
  %ones = memref.alloc() : memref<16xi1>
  %short = memref.alloc() : memref<16xf32>
  scf.for %i = %c0 to %n step %c1 {
    %number = memref.load %x[%i] : memref<16xf32>
    %result = math.exp %number fastmath<afn> : f32
    memref.store %result, %short[%i] : memref<16xf32>
  }
  scf.for %i = %c0 to %n step %c1 {
    %number = memref.load %x[%i] : memref<16xf32>
    %result = memref.load %short[%i] : memref<16xf32>
    %long = arith.extf %number : f32 to f64
    %exact = func.call @exp_of_double(%long) : (f64) -> f64
    %rounded = arith.truncf %exact : f64 to f32
    %same = func.call @same(%result, %rounded) : (f32, f32) -> i1
    memref.store %same, %ones[%i] : memref<16xi1>
  }
  memref.dealloc %short : memref<16xf32>
  return %ones : memref<16xi1>
}

func.func private @exp_of_double(%x: f64) -> f64 {
  %0 = math.exp %x : f64
  return %0 : f64
}

func.func private @log() -> memref<16xi1> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 16 : index
  %x = memref.get_global @arguments : memref<16xf32>
  %ones = memref.alloc() : memref<16xi1>
  %short = memref.alloc() : memref<16xf32>
  scf.for %i = %c0 to %n step %c1 {
    %number = memref.load %x[%i] : memref<16xf32>
    %result = math.log %number fastmath<afn> : f32
    memref.store %result, %short[%i] : memref<16xf32>
  }
  scf.for %i = %c0 to %n step %c1 {
    %number = memref.load %x[%i] : memref<16xf32>
    %result = memref.load %short[%i] : memref<16xf32>
    %long = arith.extf %number : f32 to f64
    %exact = func.call @log_of_double(%long) : (f64) -> f64
    %rounded = arith.truncf %exact : f64 to f32
    %same = func.call @same(%result, %rounded) : (f32, f32) -> i1
    memref.store %same, %ones[%i] : memref<16xi1>
  }
  memref.dealloc %short : memref<16xf32>
  return %ones : memref<16xi1>
}

func.func private @log_of_double(%x: f64) -> f64 {
  %0 = math.log %x : f64
  return %0 : f64
}

func.func private @log1p() -> memref<16xi1> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 16 : index
  %x = memref.get_global @arguments : memref<16xf32>
  %ones = memref.alloc() : memref<16xi1>
  %short = memref.alloc() : memref<16xf32>
  scf.for %i = %c0 to %n step %c1 {
    %number = memref.load %x[%i] : memref<16xf32>
    %result = math.log1p %number fastmath<afn> : f32
    memref.store %result, %short[%i] : memref<16xf32>
  }
  scf.for %i = %c0 to %n step %c1 {
    %number = memref.load %x[%i] : memref<16xf32>
    %result = memref.load %short[%i] : memref<16xf32>
    %long = arith.extf %number : f32 to f64
    %exact = func.call @log1p_of_double(%long) : (f64) -> f64
    %rounded = arith.truncf %exact : f64 to f32
    %same = func.call @same(%result, %rounded) : (f32, f32) -> i1
    memref.store %same, %ones[%i] : memref<16xi1>
  }
  memref.dealloc %short : memref<16xf32>
  return %ones : memref<16xi1>
}

func.func private @log1p_of_double(%x: f64) -> f64 {
  %0 = math.log1p %x : f64
  return %0 : f64
}

func.func private @tanh() -> memref<16xi1> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 16 : index
  %x = memref.get_global @arguments : memref<16xf32>
  %ones = memref.alloc() : memref<16xi1>
  %short = memref.alloc() : memref<16xf32>
  scf.for %i = %c0 to %n step %c1 {
    %number = memref.load %x[%i] : memref<16xf32>
    %result = math.tanh %number fastmath<afn> : f32
    memref.store %result, %short[%i] : memref<16xf32>
  }
  scf.for %i = %c0 to %n step %c1 {
    %number = memref.load %x[%i] : memref<16xf32>
    %result = memref.load %short[%i] : memref<16xf32>
    %long = arith.extf %number : f32 to f64
    %exact = func.call @tanh_of_double(%long) : (f64) -> f64
    %rounded = arith.truncf %exact : f64 to f32
    %same = func.call @same(%result, %rounded) : (f32, f32) -> i1
    memref.store %same, %ones[%i] : memref<16xi1>
  }
  memref.dealloc %short : memref<16xf32>
  return %ones : memref<16xi1>
}

func.func private @tanh_of_double(%x: f64) -> f64 {
  %0 = math.tanh %x : f64
  return %0 : f64
}

func.func private @erf() -> memref<16xi1> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 16 : index
  %x = memref.get_global @arguments : memref<16xf32>
  %ones = memref.alloc() : memref<16xi1>
  %short = memref.alloc() : memref<16xf32>
  scf.for %i = %c0 to %n step %c1 {
    %number = memref.load %x[%i] : memref<16xf32>
    %result = math.erf %number fastmath<afn> : f32
    memref.store %result, %short[%i] : memref<16xf32>
  }
  scf.for %i = %c0 to %n step %c1 {
    %number = memref.load %x[%i] : memref<16xf32>
    %result = memref.load %short[%i] : memref<16xf32>
    %long = arith.extf %number : f32 to f64
    %exact = func.call @erf_of_double(%long) : (f64) -> f64
    %rounded = arith.truncf %exact : f64 to f32
    %same = func.call @same(%result, %rounded) : (f32, f32) -> i1
    memref.store %same, %ones[%i] : memref<16xi1>
  }
  memref.dealloc %short : memref<16xf32>
  return %ones : memref<16xi1>
}

func.func private @erf_of_double(%x: f64) -> f64 {
  %0 = math.erf %x : f64
  return %0 : f64
}

// CHECK: result #0: 16xi1 = [true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true]
// CHECK-NEXT: result #1: 16xi1 = [true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true]
// CHECK-NEXT: result #2: 16xi1 = [true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true]
// CHECK-NEXT: result #3: 16xi1 = [true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true]
// CHECK-NEXT: result #4: 16xi1 = [true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true]
func.func @main() -> (memref<16xi1>, memref<16xi1>, memref<16xi1>, memref<16xi1>, memref<16xi1>) {
  %0 = func.call @exp() : () -> memref<16xi1>
  %1 = func.call @log() : () -> memref<16xi1>
  %2 = func.call @log1p() : () -> memref<16xi1>
  %3 = func.call @tanh() : () -> memref<16xi1>
  %4 = func.call @erf() : () -> memref<16xi1>
  return %0, %1, %2, %3, %4 : memref<16xi1>, memref<16xi1>, memref<16xi1>, memref<16xi1>, memref<16xi1>
}
