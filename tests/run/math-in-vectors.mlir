// RUN: freehold run %s | FileCheck %s
// RUN: freehold run %s -O0 | FileCheck %s
// RUN: freehold run %s -O3 --check=accesses | FileCheck %s
// A kernel on wide vectors of several blocks stays in one part.
// RUN: freehold run %s --part-ops=1 | FileCheck %s

// A loop that runs in vectors computes the same bits as one function call per element, for numbers of
// all sizes, special ones included: each line says how many of 4,096 differ.

func.func private @printI64(i64)
func.func private @printNewline()

func.func private @erf(%x: f32) -> f32 attributes {passthrough = ["noinline"]} {
  %y = math.erf %x : f32
  return %y : f32
}
func.func private @exp(%x: f32) -> f32 attributes {passthrough = ["noinline"]} {
  %y = math.exp %x : f32
  return %y : f32
}
func.func private @exp2(%x: f32) -> f32 attributes {passthrough = ["noinline"]} {
  %y = math.exp2 %x : f32
  return %y : f32
}
func.func private @expm1(%x: f32) -> f32 attributes {passthrough = ["noinline"]} {
  %y = math.expm1 %x : f32
  return %y : f32
}
func.func private @log(%x: f32) -> f32 attributes {passthrough = ["noinline"]} {
  %y = math.log %x : f32
  return %y : f32
}
func.func private @log10(%x: f32) -> f32 attributes {passthrough = ["noinline"]} {
  %y = math.log10 %x : f32
  return %y : f32
}
func.func private @log1p(%x: f32) -> f32 attributes {passthrough = ["noinline"]} {
  %y = math.log1p %x : f32
  return %y : f32
}
func.func private @log2(%x: f32) -> f32 attributes {passthrough = ["noinline"]} {
  %y = math.log2 %x : f32
  return %y : f32
}
func.func private @tanh(%x: f32) -> f32 attributes {passthrough = ["noinline"]} {
  %y = math.tanh %x : f32
  return %y : f32
}
func.func private @rsqrt(%x: f32) -> f32 attributes {passthrough = ["noinline"]} {
  %y = math.rsqrt %x : f32
  return %y : f32
}
func.func private @powf(%x: f32, %e: f32) -> f32 attributes {passthrough = ["noinline"]} {
  %y = math.powf %x, %e : f32
  return %y : f32
}

// Both NaN, or the same bits.
func.func private @differ(%x: f32, %y: f32) -> i64 {
  %a = arith.bitcast %x : f32 to i32
  %b = arith.bitcast %y : f32 to i32
  %differ = arith.cmpi ne, %a, %b : i32
  %numbers = arith.cmpf ord, %x, %y : f32
  %x_nan = arith.cmpf uno, %x, %x : f32
  %y_nan = arith.cmpf uno, %y, %y : f32
  %one_nan = arith.xori %x_nan, %y_nan : i1
  %other = arith.andi %differ, %numbers : i1
  %any = arith.ori %other, %one_nan : i1
  %n = arith.extui %any : i1 to i64
  return %n : i64
}

func.func private @count(%xs: memref<4096xf32>, %ys: memref<4096xf32>) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 4096 : index
  %zero = arith.constant 0 : i64
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero) -> i64 {
    %x = memref.load %xs[%i] : memref<4096xf32>
    %y = memref.load %ys[%i] : memref<4096xf32>
    %d = func.call @differ(%x, %y) : (f32, f32) -> i64
    %next = arith.addi %sum, %d : i64
    scf.yield %next : i64
  }
  return %sum : i64
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 4096 : index
  %x = memref.alloc() : memref<4096xf32>
  %y = memref.alloc() : memref<4096xf32>
  %z = memref.alloc() : memref<4096xf32>
  %scale = arith.constant 1048583 : i32
  scf.for %i = %c0 to %n step %c1 {
    %k = arith.index_cast %i : index to i32
    %bits = arith.muli %k, %scale : i32
    %f = arith.bitcast %bits : i32 to f32
    memref.store %f, %x[%i] : memref<4096xf32>
  }
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.load %x[%i] : memref<4096xf32>
    %b = math.erf %a : f32
    memref.store %b, %y[%i] : memref<4096xf32>
  }
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.load %x[%i] : memref<4096xf32>
    %b = func.call @erf(%a) : (f32) -> f32
    memref.store %b, %z[%i] : memref<4096xf32>
  }
  // CHECK: {{^}}0{{$}}
  %n0 = call @count(%y, %z) : (memref<4096xf32>, memref<4096xf32>) -> i64
  call @printI64(%n0) : (i64) -> ()
  call @printNewline() : () -> ()
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.load %x[%i] : memref<4096xf32>
    %b = math.exp %a : f32
    memref.store %b, %y[%i] : memref<4096xf32>
  }
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.load %x[%i] : memref<4096xf32>
    %b = func.call @exp(%a) : (f32) -> f32
    memref.store %b, %z[%i] : memref<4096xf32>
  }
  // CHECK-NEXT: {{^}}0{{$}}
  %n1 = call @count(%y, %z) : (memref<4096xf32>, memref<4096xf32>) -> i64
  call @printI64(%n1) : (i64) -> ()
  call @printNewline() : () -> ()
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.load %x[%i] : memref<4096xf32>
    %b = math.exp2 %a : f32
    memref.store %b, %y[%i] : memref<4096xf32>
  }
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.load %x[%i] : memref<4096xf32>
    %b = func.call @exp2(%a) : (f32) -> f32
    memref.store %b, %z[%i] : memref<4096xf32>
  }
  // CHECK-NEXT: {{^}}0{{$}}
  %n2 = call @count(%y, %z) : (memref<4096xf32>, memref<4096xf32>) -> i64
  call @printI64(%n2) : (i64) -> ()
  call @printNewline() : () -> ()
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.load %x[%i] : memref<4096xf32>
    %b = math.expm1 %a : f32
    memref.store %b, %y[%i] : memref<4096xf32>
  }
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.load %x[%i] : memref<4096xf32>
    %b = func.call @expm1(%a) : (f32) -> f32
    memref.store %b, %z[%i] : memref<4096xf32>
  }
  // CHECK-NEXT: {{^}}0{{$}}
  %n3 = call @count(%y, %z) : (memref<4096xf32>, memref<4096xf32>) -> i64
  call @printI64(%n3) : (i64) -> ()
  call @printNewline() : () -> ()
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.load %x[%i] : memref<4096xf32>
    %b = math.log %a : f32
    memref.store %b, %y[%i] : memref<4096xf32>
  }
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.load %x[%i] : memref<4096xf32>
    %b = func.call @log(%a) : (f32) -> f32
    memref.store %b, %z[%i] : memref<4096xf32>
  }
  // CHECK-NEXT: {{^}}0{{$}}
  %n4 = call @count(%y, %z) : (memref<4096xf32>, memref<4096xf32>) -> i64
  call @printI64(%n4) : (i64) -> ()
  call @printNewline() : () -> ()
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.load %x[%i] : memref<4096xf32>
    %b = math.log10 %a : f32
    memref.store %b, %y[%i] : memref<4096xf32>
  }
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.load %x[%i] : memref<4096xf32>
    %b = func.call @log10(%a) : (f32) -> f32
    memref.store %b, %z[%i] : memref<4096xf32>
  }
  // CHECK-NEXT: {{^}}0{{$}}
  %n5 = call @count(%y, %z) : (memref<4096xf32>, memref<4096xf32>) -> i64
  call @printI64(%n5) : (i64) -> ()
  call @printNewline() : () -> ()
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.load %x[%i] : memref<4096xf32>
    %b = math.log1p %a : f32
    memref.store %b, %y[%i] : memref<4096xf32>
  }
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.load %x[%i] : memref<4096xf32>
    %b = func.call @log1p(%a) : (f32) -> f32
    memref.store %b, %z[%i] : memref<4096xf32>
  }
  // CHECK-NEXT: {{^}}0{{$}}
  %n6 = call @count(%y, %z) : (memref<4096xf32>, memref<4096xf32>) -> i64
  call @printI64(%n6) : (i64) -> ()
  call @printNewline() : () -> ()
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.load %x[%i] : memref<4096xf32>
    %b = math.log2 %a : f32
    memref.store %b, %y[%i] : memref<4096xf32>
  }
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.load %x[%i] : memref<4096xf32>
    %b = func.call @log2(%a) : (f32) -> f32
    memref.store %b, %z[%i] : memref<4096xf32>
  }
  // CHECK-NEXT: {{^}}0{{$}}
  %n7 = call @count(%y, %z) : (memref<4096xf32>, memref<4096xf32>) -> i64
  call @printI64(%n7) : (i64) -> ()
  call @printNewline() : () -> ()
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.load %x[%i] : memref<4096xf32>
    %b = math.tanh %a : f32
    memref.store %b, %y[%i] : memref<4096xf32>
  }
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.load %x[%i] : memref<4096xf32>
    %b = func.call @tanh(%a) : (f32) -> f32
    memref.store %b, %z[%i] : memref<4096xf32>
  }
  // CHECK-NEXT: {{^}}0{{$}}
  %n8 = call @count(%y, %z) : (memref<4096xf32>, memref<4096xf32>) -> i64
  call @printI64(%n8) : (i64) -> ()
  call @printNewline() : () -> ()
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.load %x[%i] : memref<4096xf32>
    %b = math.rsqrt %a : f32
    memref.store %b, %y[%i] : memref<4096xf32>
  }
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.load %x[%i] : memref<4096xf32>
    %b = func.call @rsqrt(%a) : (f32) -> f32
    memref.store %b, %z[%i] : memref<4096xf32>
  }
  // CHECK-NEXT: {{^}}0{{$}}
  %n9 = call @count(%y, %z) : (memref<4096xf32>, memref<4096xf32>) -> i64
  call @printI64(%n9) : (i64) -> ()
  call @printNewline() : () -> ()
  %e = arith.constant -1.5 : f32
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.load %x[%i] : memref<4096xf32>
    %b = math.powf %a, %e : f32
    memref.store %b, %y[%i] : memref<4096xf32>
  }
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.load %x[%i] : memref<4096xf32>
    %b = func.call @powf(%a, %e) : (f32, f32) -> f32
    memref.store %b, %z[%i] : memref<4096xf32>
  }
  // CHECK-NEXT: {{^}}0{{$}}
  %np = call @count(%y, %z) : (memref<4096xf32>, memref<4096xf32>) -> i64
  call @printI64(%np) : (i64) -> ()
  call @printNewline() : () -> ()
  return
}
