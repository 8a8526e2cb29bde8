// Programs of the vector dialect as people write them run in registers of 256 and 512 bits, with the same results
// as in parts of 128 bits and without optimization: transfers beyond the edge, masks, gathers, outer products,
// contractions, shuffles, floats of 16 bits, straight-line code.
//
// RUN: freehold compile %s --target=x86_64-unknown-linux-gnu --emit=asm -o - --target-cpu=x86-64-v4 \
// RUN:   | FileCheck %s --check-prefix=V4
// RUN: freehold compile %s --target=x86_64-unknown-linux-gnu --emit=asm -o - --target-cpu=x86-64-v3 \
// RUN:   | FileCheck %s --check-prefix=V3
// RUN: freehold compile %s --target=x86_64-unknown-linux-gnu --emit=asm -o - --target-cpu=x86-64-v4 --fp=contract \
// RUN:   | FileCheck %s --check-prefix=FUSED
// RUN: freehold compile %s --target=x86_64-unknown-linux-gnu --target-cpu=x86-64-v4 --remarks -o %t.o 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REMARK
// RUN: freehold run %s | FileCheck %s
// RUN: freehold run %s --vector-bits=256 | FileCheck %s
// RUN: freehold run %s --vector-bits=128 | FileCheck %s
// RUN: freehold run %s -O0 | FileCheck %s

// What lies beyond the edge is not accessed: lanes are compared with what is left.
// V4-LABEL: edge.wide0
// V4: vpcmp{{.*}}ud k{{[0-9]}},zmm
// V4: vmovups zmm{{[0-9]+}}{k{{[0-9]}}}{z},
// V4: vmovups [{{.*}}]{k{{[0-9]}}},zmm
// V3-LABEL: edge.wide0
// V3: vmaskmovps ymm
func.func private @edge(%a: memref<?xf32>, %b: memref<?xf32>) attributes {passthrough = ["noinline"]} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0.0 : f32
  %n = memref.dim %a, %c0 : memref<?xf32>
  scf.for %i = %c0 to %n step %c16 {
    %x = vector.transfer_read %a[%i], %zero : memref<?xf32>, vector<16xf32>
    %y = arith.addf %x, %x : vector<16xf32>
    vector.transfer_write %y, %b[%i] : vector<16xf32>, memref<?xf32>
  }
  return
}

// Elements anywhere in memory, under two masks.
// V4-LABEL: pick.wide0
// V4: vgatherdps zmm{{[0-9]+}}{k{{[0-9]}}},[{{.*}}+zmm
// V3-LABEL: pick.wide0
// V3: vgatherdps ymm
func.func private @pick(%places: memref<?xi32>, %a: memref<?xf32>, %b: memref<?xf32>) attributes {passthrough = ["noinline"]} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %n = memref.dim %places, %c0 : memref<?xi32>
  %minus = arith.constant dense<-1.0> : vector<16xf32>
  %limit = arith.constant dense<40> : vector<16xi32>
  scf.for %i = %c0 to %n step %c16 {
    %at = vector.load %places[%i] : memref<?xi32>, vector<16xi32>
    %known = arith.cmpi ult, %at, %limit : vector<16xi32>
    %rest = arith.subi %n, %i : index
    %there = vector.create_mask %rest : vector<16xi1>
    %x = vector.mask %there { vector.gather %a[%c0] [%at], %known, %minus : memref<?xf32>, vector<16xi32>, vector<16xi1>, vector<16xf32> into vector<16xf32> } : vector<16xi1> -> vector<16xf32>
    vector.store %x, %b[%i] : memref<?xf32>, vector<16xf32>
  }
  return
}

// Four rows of accumulators are four registers.
// V4-LABEL: product.wide0
// V4: vmulps zmm
// V4: vaddps zmm
// FUSED-LABEL: product.wide0
// FUSED-NOT: vmulps
// FUSED: vfmadd231ps zmm
// V3-LABEL: product.wide0
// V3: vmulps ymm
func.func private @product(%a: memref<4x?xf32>, %b: memref<?x16xf32>, %c: memref<4x16xf32>) attributes {passthrough = ["noinline"]} {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f32
  %n = memref.dim %b, %c0 : memref<?x16xf32>
  %init = vector.transfer_read %c[%c0, %c0], %zero {in_bounds = [true, true]} : memref<4x16xf32>, vector<4x16xf32>
  %sum = scf.for %k = %c0 to %n step %c2 iter_args(%before = %init) -> (vector<4x16xf32>) {
    %l = vector.transfer_read %a[%c0, %k], %zero {in_bounds = [true, true]} : memref<4x?xf32>, vector<4x2xf32>
    %r = vector.transfer_read %b[%k, %c0], %zero {in_bounds = [true, true]} : memref<?x16xf32>, vector<2x16xf32>
    %next = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %l, %r, %before : vector<4x2xf32>, vector<2x16xf32> into vector<4x16xf32>
    scf.yield %next : vector<4x16xf32>
  }
  vector.transfer_write %sum, %c[%c0, %c0] {in_bounds = [true, true]} : vector<4x16xf32>, memref<4x16xf32>
  return
}

// Straight-line code is a kernel if there is enough of it.
// V4-LABEL: straight.wide0
// V4: vpermt2d zmm
// V4: vcvtps2ph ymm
// V3-LABEL: straight.wide0
// V3: vpermd ymm
// V3: vcvtps2ph xmm
// REMARK: remark: this code runs in vectors of 512 bits
func.func private @straight(%a: memref<64xf32>, %h: memref<64xf16>, %at: index) attributes {passthrough = ["noinline"]} {
  %x0 = vector.load %a[%at] : memref<64xf32>, vector<16xf32>
  %rev = vector.shuffle %x0, %x0 [15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0] : vector<16xf32>, vector<16xf32>
  %c = vector.shape_cast %rev : vector<16xf32> to vector<4x4xf32>
  %t = vector.transpose %c, [1, 0] : vector<4x4xf32> to vector<4x4xf32>
  %f = vector.shape_cast %t : vector<4x4xf32> to vector<16xf32>
  %s = arith.addf %f, %rev : vector<16xf32>
  %small = arith.truncf %s : vector<16xf32> to vector<16xf16>
  %twice = arith.addf %small, %small : vector<16xf16>
  %zero = arith.constant dense<0.0> : vector<16xf16>
  %is_more = arith.cmpf ogt, %twice, %zero : vector<16xf16>
  %kept = arith.select %is_more, %twice, %small : vector<16xi1>, vector<16xf16>
  vector.store %kept, %h[%at] : memref<64xf16>, vector<16xf16>
  return
}

// Vectors of bits in memory, and one bit in a byte.
func.func private @bits(%a: memref<?xf32>, %whole: memref<4xvector<16xi1>>, %bytes: memref<64xi1>) attributes {passthrough = ["noinline"]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %limit = arith.constant dense<20.0> : vector<16xf32>
  scf.for %i = %c0 to %c4 step %c1 {
    %at = arith.muli %i, %c16 : index
    %x = vector.load %a[%at] : memref<?xf32>, vector<16xf32>
    %m = arith.cmpf ogt, %x, %limit : vector<16xf32>
    memref.store %m, %whole[%i] : memref<4xvector<16xi1>>
    vector.store %m, %bytes[%at] : memref<64xi1>, vector<16xi1>
    %again = vector.load %bytes[%at] : memref<64xi1>, vector<16xi1>
    %y = arith.select %again, %limit, %x : vector<16xi1>, vector<16xf32>
    vector.store %y, %a[%at] : memref<?xf32>, vector<16xf32>
  }
  return
}

func.func private @printF32(f32)
func.func private @printI64(i64)
func.func private @printNewline()

func.func private @print(%a: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %n = memref.dim %a, %c0 : memref<?xf32>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%before = %zero) -> (f32) {
    %x = memref.load %a[%i] : memref<?xf32>
    %k = arith.index_cast %i : index to i32
    %f = arith.sitofp %k : i32 to f32
    %p = arith.mulf %x, %f : f32
    %next = arith.addf %before, %p : f32
    scf.yield %next : f32
  }
  call @printF32(%sum) : (f32) -> ()
  call @printNewline() : () -> ()
  return
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %n = arith.constant 64 : index
  %n_odd = arith.constant 61 : index
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc(%n) : memref<?xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  %places = memref.alloc(%n) : memref<?xi32>
  scf.for %i = %c0 to %n step %c1 {
    %k = arith.index_cast %i : index to i32
    %y = arith.sitofp %k : i32 to f32
    memref.store %y, %a[%i] : memref<?xf32>
    memref.store %zero, %b[%i] : memref<?xf32>
    %seven = arith.constant 7 : i32
    %at = arith.muli %k, %seven : i32
    %c59 = arith.constant 59 : i32
    %place = arith.remui %at, %c59 : i32
    memref.store %place, %places[%i] : memref<?xi32>
  }
  %odd_a = memref.subview %a[0] [%n_odd] [1] : memref<?xf32> to memref<?xf32>
  %odd_b = memref.subview %b[0] [%n_odd] [1] : memref<?xf32> to memref<?xf32>
  call @edge(%odd_a, %odd_b) : (memref<?xf32>, memref<?xf32>) -> ()
  // CHECK: 147620
  call @print(%b) : (memref<?xf32>) -> ()
  call @pick(%places, %a, %b) : (memref<?xi32>, memref<?xf32>, memref<?xf32>) -> ()
  // CHECK: 26409
  call @print(%b) : (memref<?xf32>) -> ()
  %l = memref.alloc(%c7) : memref<4x?xf32>
  %six = arith.constant 6 : index
  %left = memref.subview %l[0, 0] [4, %six] [1, 1] : memref<4x?xf32> to memref<4x?xf32, strided<[?, 1]>>
  %lhs = memref.alloc(%six) : memref<4x?xf32>
  %rhs = memref.alloc(%six) : memref<?x16xf32>
  %c = memref.alloc() : memref<4x16xf32>
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  scf.for %i = %c0 to %c4 step %c1 {
    scf.for %k = %c0 to %six step %c1 {
      %x = memref.load %a[%k] : memref<?xf32>
      %y = memref.load %a[%i] : memref<?xf32>
      %z = arith.mulf %x, %y : f32
      memref.store %z, %lhs[%i, %k] : memref<4x?xf32>
    }
    scf.for %j = %c0 to %c16 step %c1 {
      memref.store %zero, %c[%i, %j] : memref<4x16xf32>
    }
  }
  scf.for %k = %c0 to %six step %c1 {
    scf.for %j = %c0 to %c16 step %c1 {
      %x = memref.load %a[%j] : memref<?xf32>
      memref.store %x, %rhs[%k, %j] : memref<?x16xf32>
    }
  }
  call @product(%lhs, %rhs, %c) : (memref<4x?xf32>, memref<?x16xf32>, memref<4x16xf32>) -> ()
  %flat = memref.collapse_shape %c [[0, 1]] : memref<4x16xf32> into memref<64xf32>
  %any = memref.cast %flat : memref<64xf32> to memref<?xf32>
  // CHECK: 514800
  call @print(%any) : (memref<?xf32>) -> ()
  %fixed = memref.alloc() : memref<64xf32>
  %halves = memref.alloc() : memref<64xf16>
  %zero16 = arith.constant 0.0 : f16
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<?xf32>
    memref.store %x, %fixed[%i] : memref<64xf32>
    memref.store %zero16, %halves[%i] : memref<64xf16>
  }
  call @straight(%fixed, %halves, %c7) : (memref<64xf32>, memref<64xf16>, index) -> ()
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %halves[%i] : memref<64xf16>
    %y = arith.extf %x : f16 to f32
    memref.store %y, %fixed[%i] : memref<64xf32>
  }
  %as_rows = memref.cast %fixed : memref<64xf32> to memref<?xf32>
  // CHECK: 12456
  call @print(%as_rows) : (memref<?xf32>) -> ()
  %whole = memref.alloc() : memref<4xvector<16xi1>>
  %bytes = memref.alloc() : memref<64xi1>
  call @bits(%a, %whole, %bytes) : (memref<?xf32>, memref<4xvector<16xi1>>, memref<64xi1>) -> ()
  // CHECK: 38990
  call @print(%a) : (memref<?xf32>) -> ()
  // CHECK: 65504
  %row = memref.load %whole[%c1] : memref<4xvector<16xi1>>
  %number = vector.bitcast %row : vector<16xi1> to vector<1xi16>
  %bits = vector.extract %number[0] : i16 from vector<1xi16>
  %wide = arith.extui %bits : i16 to i64
  call @printI64(%wide) : (i64) -> ()
  call @printNewline() : () -> ()
  return
}
