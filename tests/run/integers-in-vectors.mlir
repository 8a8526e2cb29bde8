// Quotients and remainders of 8, 16 and 32 bits, and counts of bits, of all bytes and of numbers next to powers of two, in
// vectors and one by one.
//
// RUN: freehold run %s -O0 | FileCheck %s
// RUN: freehold run %s -O2 --vector-bits=128 | FileCheck %s
// RUN: freehold run %s -O2 --vector-bits=256 | FileCheck %s
// RUN: freehold run %s -O2 --vector-bits=512 | FileCheck %s
// RUN: freehold compile %s -O2 --vector-bits=512 --emit=mlir -o - | FileCheck %s --check-prefix=VECTORS

// CHECK:      ( -29, 28, 38, 38 )
// CHECK-NEXT: ( -1565, -11266, 26575, -15718 )
// CHECK-NEXT: ( -1561801581, -2134889133, -1680708267, 1019577565 )
// CHECK-NEXT: ( 0, -19, -19 )
// CHECK-NEXT: ( 11952, 2586, 17604 )
// CHECK-NEXT: ( 43369, 13675, 82318 )
// CHECK-NEXT: ( 171132, 93599, 345474 )

// VECTORS-LABEL: func.func{{.*}}@divide_i8
// VECTORS-NOT: arith.{{div|rem}}{{[su]}}i
// VECTORS: arith.divf {{.*}} : vector<
func.func @divide_i8(%v: memref<256xi8>, %d: memref<512xi8>, %sums: memref<4xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c256 = arith.constant 256 : index
  %zero = arith.constant 0 : i8
  %one = arith.constant 1 : i8
  %least = arith.constant -128 : i8
  %minus = arith.constant -1 : i8
  %r:4 = scf.for %j = %c0 to %c256 step %c1 iter_args(%a = %zero, %b = %zero, %c = %zero, %e = %zero) -> (i8, i8, i8, i8) {
    %s:4 = scf.for %i = %c0 to %c256 step %c1 iter_args(%sa = %zero, %sb = %zero, %sc = %zero, %se = %zero) -> (i8, i8, i8, i8) {
      %x = memref.load %v[%i] : memref<256xi8>
      %ij = arith.addi %i, %j : index
      %y0 = memref.load %d[%ij] : memref<512xi8>
      %is_zero = arith.cmpi eq, %y0, %zero : i8
      %y = arith.select %is_zero, %one, %y0 : i8
      %is_least = arith.cmpi eq, %x, %least : i8
      %is_minus = arith.cmpi eq, %y, %minus : i8
      %overflows = arith.andi %is_least, %is_minus : i1
      %z = arith.select %overflows, %one, %y : i8
      %n = arith.index_cast %i : index to i32
      %m = arith.trunci %n : i32 to i8
      %f = arith.ori %m, %one : i8
      %p = arith.divsi %x, %z : i8
      %q = arith.divui %x, %y : i8
      %k = arith.remsi %x, %z : i8
      %l = arith.remui %x, %y : i8
      %pf = arith.muli %p, %f : i8
      %qf = arith.muli %q, %f : i8
      %kf = arith.muli %k, %f : i8
      %lf = arith.muli %l, %f : i8
      %ta = arith.addi %sa, %pf : i8
      %tb = arith.addi %sb, %qf : i8
      %tc = arith.addi %sc, %kf : i8
      %te = arith.addi %se, %lf : i8
      scf.yield %ta, %tb, %tc, %te : i8, i8, i8, i8
    }
    %three = arith.constant 3 : i8
    %a3 = arith.muli %a, %three : i8
    %b3 = arith.muli %b, %three : i8
    %c33 = arith.muli %c, %three : i8
    %e3 = arith.muli %e, %three : i8
    %na = arith.addi %a3, %s#0 : i8
    %nb = arith.addi %b3, %s#1 : i8
    %nc = arith.addi %c33, %s#2 : i8
    %ne = arith.addi %e3, %s#3 : i8
    scf.yield %na, %nb, %nc, %ne : i8, i8, i8, i8
  }
  memref.store %r#0, %sums[%c0] : memref<4xi8>
  memref.store %r#1, %sums[%c1] : memref<4xi8>
  memref.store %r#2, %sums[%c2] : memref<4xi8>
  memref.store %r#3, %sums[%c3] : memref<4xi8>
  return
}

// VECTORS-LABEL: func.func{{.*}}@divide_i16
// VECTORS-NOT: arith.{{div|rem}}{{[su]}}i
// VECTORS: arith.divf {{.*}} : vector<
func.func @divide_i16(%v: memref<256xi16>, %d: memref<512xi16>, %sums: memref<4xi16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c256 = arith.constant 256 : index
  %zero = arith.constant 0 : i16
  %one = arith.constant 1 : i16
  %least = arith.constant -32768 : i16
  %minus = arith.constant -1 : i16
  %r:4 = scf.for %j = %c0 to %c256 step %c1 iter_args(%a = %zero, %b = %zero, %c = %zero, %e = %zero) -> (i16, i16, i16, i16) {
    %s:4 = scf.for %i = %c0 to %c256 step %c1 iter_args(%sa = %zero, %sb = %zero, %sc = %zero, %se = %zero) -> (i16, i16, i16, i16) {
      %x = memref.load %v[%i] : memref<256xi16>
      %ij = arith.addi %i, %j : index
      %y0 = memref.load %d[%ij] : memref<512xi16>
      %is_zero = arith.cmpi eq, %y0, %zero : i16
      %y = arith.select %is_zero, %one, %y0 : i16
      %is_least = arith.cmpi eq, %x, %least : i16
      %is_minus = arith.cmpi eq, %y, %minus : i16
      %overflows = arith.andi %is_least, %is_minus : i1
      %z = arith.select %overflows, %one, %y : i16
      %n = arith.index_cast %i : index to i32
      %m = arith.trunci %n : i32 to i16
      %f = arith.ori %m, %one : i16
      %p = arith.divsi %x, %z : i16
      %q = arith.divui %x, %y : i16
      %k = arith.remsi %x, %z : i16
      %l = arith.remui %x, %y : i16
      %pf = arith.muli %p, %f : i16
      %qf = arith.muli %q, %f : i16
      %kf = arith.muli %k, %f : i16
      %lf = arith.muli %l, %f : i16
      %ta = arith.addi %sa, %pf : i16
      %tb = arith.addi %sb, %qf : i16
      %tc = arith.addi %sc, %kf : i16
      %te = arith.addi %se, %lf : i16
      scf.yield %ta, %tb, %tc, %te : i16, i16, i16, i16
    }
    %three = arith.constant 3 : i16
    %a3 = arith.muli %a, %three : i16
    %b3 = arith.muli %b, %three : i16
    %c33 = arith.muli %c, %three : i16
    %e3 = arith.muli %e, %three : i16
    %na = arith.addi %a3, %s#0 : i16
    %nb = arith.addi %b3, %s#1 : i16
    %nc = arith.addi %c33, %s#2 : i16
    %ne = arith.addi %e3, %s#3 : i16
    scf.yield %na, %nb, %nc, %ne : i16, i16, i16, i16
  }
  memref.store %r#0, %sums[%c0] : memref<4xi16>
  memref.store %r#1, %sums[%c1] : memref<4xi16>
  memref.store %r#2, %sums[%c2] : memref<4xi16>
  memref.store %r#3, %sums[%c3] : memref<4xi16>
  return
}

// VECTORS-LABEL: func.func{{.*}}@divide_i32
// VECTORS-NOT: arith.{{div|rem}}{{[su]}}i
// VECTORS: arith.divf {{.*}} : vector<
func.func @divide_i32(%v: memref<256xi32>, %d: memref<512xi32>, %sums: memref<4xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c256 = arith.constant 256 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %least = arith.constant -2147483648 : i32
  %minus = arith.constant -1 : i32
  %r:4 = scf.for %j = %c0 to %c256 step %c1 iter_args(%a = %zero, %b = %zero, %c = %zero, %e = %zero) -> (i32, i32, i32, i32) {
    %s:4 = scf.for %i = %c0 to %c256 step %c1 iter_args(%sa = %zero, %sb = %zero, %sc = %zero, %se = %zero) -> (i32, i32, i32, i32) {
      %x = memref.load %v[%i] : memref<256xi32>
      %ij = arith.addi %i, %j : index
      %y0 = memref.load %d[%ij] : memref<512xi32>
      %is_zero = arith.cmpi eq, %y0, %zero : i32
      %y = arith.select %is_zero, %one, %y0 : i32
      %is_least = arith.cmpi eq, %x, %least : i32
      %is_minus = arith.cmpi eq, %y, %minus : i32
      %overflows = arith.andi %is_least, %is_minus : i1
      %z = arith.select %overflows, %one, %y : i32
      %n = arith.index_cast %i : index to i32
      %m = arith.addi %n, %n : i32
      %f = arith.ori %m, %one : i32
      %p = arith.divsi %x, %z : i32
      %q = arith.divui %x, %y : i32
      %k = arith.remsi %x, %z : i32
      %l = arith.remui %x, %y : i32
      %pf = arith.muli %p, %f : i32
      %qf = arith.muli %q, %f : i32
      %kf = arith.muli %k, %f : i32
      %lf = arith.muli %l, %f : i32
      %ta = arith.addi %sa, %pf : i32
      %tb = arith.addi %sb, %qf : i32
      %tc = arith.addi %sc, %kf : i32
      %te = arith.addi %se, %lf : i32
      scf.yield %ta, %tb, %tc, %te : i32, i32, i32, i32
    }
    %three = arith.constant 3 : i32
    %a3 = arith.muli %a, %three : i32
    %b3 = arith.muli %b, %three : i32
    %c33 = arith.muli %c, %three : i32
    %e3 = arith.muli %e, %three : i32
    %na = arith.addi %a3, %s#0 : i32
    %nb = arith.addi %b3, %s#1 : i32
    %nc = arith.addi %c33, %s#2 : i32
    %ne = arith.addi %e3, %s#3 : i32
    scf.yield %na, %nb, %nc, %ne : i32, i32, i32, i32
  }
  memref.store %r#0, %sums[%c0] : memref<4xi32>
  memref.store %r#1, %sums[%c1] : memref<4xi32>
  memref.store %r#2, %sums[%c2] : memref<4xi32>
  memref.store %r#3, %sums[%c3] : memref<4xi32>
  return
}

// VECTORS-LABEL: func.func{{.*}}@count_i8
// VECTORS-NOT: math.ct
// VECTORS: arith.shrui {{.*}} : vector<
func.func @count_i8(%v: memref<256xi8>, %sums: memref<3xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c256 = arith.constant 256 : index
  %zero = arith.constant 0 : i8
  %s:3 = scf.for %i = %c0 to %c256 step %c1 iter_args(%a = %zero, %b = %zero, %c = %zero) -> (i8, i8, i8) {
    %x = memref.load %v[%i] : memref<256xi8>
    %p = math.ctpop %x : i8
    %q = math.cttz %x : i8
    %r = math.ctlz %x : i8
    %pp = arith.muli %p, %p : i8
    %qq = arith.muli %q, %q : i8
    %rr = arith.muli %r, %r : i8
    %na = arith.addi %a, %pp : i8
    %nb = arith.addi %b, %qq : i8
    %nc = arith.addi %c, %rr : i8
    scf.yield %na, %nb, %nc : i8, i8, i8
  }
  memref.store %s#0, %sums[%c0] : memref<3xi8>
  memref.store %s#1, %sums[%c1] : memref<3xi8>
  memref.store %s#2, %sums[%c2] : memref<3xi8>
  return
}

// VECTORS-LABEL: func.func{{.*}}@count_i16
// VECTORS-NOT: math.ct
// VECTORS: arith.shrui {{.*}} : vector<
func.func @count_i16(%v: memref<256xi16>, %sums: memref<3xi16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c256 = arith.constant 256 : index
  %zero = arith.constant 0 : i16
  %s:3 = scf.for %i = %c0 to %c256 step %c1 iter_args(%a = %zero, %b = %zero, %c = %zero) -> (i16, i16, i16) {
    %x = memref.load %v[%i] : memref<256xi16>
    %p = math.ctpop %x : i16
    %q = math.cttz %x : i16
    %r = math.ctlz %x : i16
    %pp = arith.muli %p, %p : i16
    %qq = arith.muli %q, %q : i16
    %rr = arith.muli %r, %r : i16
    %na = arith.addi %a, %pp : i16
    %nb = arith.addi %b, %qq : i16
    %nc = arith.addi %c, %rr : i16
    scf.yield %na, %nb, %nc : i16, i16, i16
  }
  memref.store %s#0, %sums[%c0] : memref<3xi16>
  memref.store %s#1, %sums[%c1] : memref<3xi16>
  memref.store %s#2, %sums[%c2] : memref<3xi16>
  return
}

// VECTORS-LABEL: func.func{{.*}}@count_i32
// VECTORS-NOT: math.ct
// VECTORS: arith.shrui {{.*}} : vector<
func.func @count_i32(%v: memref<256xi32>, %sums: memref<3xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c256 = arith.constant 256 : index
  %zero = arith.constant 0 : i32
  %s:3 = scf.for %i = %c0 to %c256 step %c1 iter_args(%a = %zero, %b = %zero, %c = %zero) -> (i32, i32, i32) {
    %x = memref.load %v[%i] : memref<256xi32>
    %p = math.ctpop %x : i32
    %q = math.cttz %x : i32
    %r = math.ctlz %x : i32
    %pp = arith.muli %p, %p : i32
    %qq = arith.muli %q, %q : i32
    %rr = arith.muli %r, %r : i32
    %na = arith.addi %a, %pp : i32
    %nb = arith.addi %b, %qq : i32
    %nc = arith.addi %c, %rr : i32
    scf.yield %na, %nb, %nc : i32, i32, i32
  }
  memref.store %s#0, %sums[%c0] : memref<3xi32>
  memref.store %s#1, %sums[%c1] : memref<3xi32>
  memref.store %s#2, %sums[%c2] : memref<3xi32>
  return
}

// VECTORS-LABEL: func.func{{.*}}@count_i64
// VECTORS-NOT: math.ct
// VECTORS: arith.shrui {{.*}} : vector<
func.func @count_i64(%v: memref<256xi64>, %sums: memref<3xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c256 = arith.constant 256 : index
  %zero = arith.constant 0 : i64
  %s:3 = scf.for %i = %c0 to %c256 step %c1 iter_args(%a = %zero, %b = %zero, %c = %zero) -> (i64, i64, i64) {
    %x = memref.load %v[%i] : memref<256xi64>
    %p = math.ctpop %x : i64
    %q = math.cttz %x : i64
    %r = math.ctlz %x : i64
    %pp = arith.muli %p, %p : i64
    %qq = arith.muli %q, %q : i64
    %rr = arith.muli %r, %r : i64
    %na = arith.addi %a, %pp : i64
    %nb = arith.addi %b, %qq : i64
    %nc = arith.addi %c, %rr : i64
    scf.yield %na, %nb, %nc : i64, i64, i64
  }
  memref.store %s#0, %sums[%c0] : memref<3xi64>
  memref.store %s#1, %sums[%c1] : memref<3xi64>
  memref.store %s#2, %sums[%c2] : memref<3xi64>
  return
}

// VECTORS-LABEL: func.func{{.*}}@main
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c255 = arith.constant 255 : index
  %c256 = arith.constant 256 : index
  %c512 = arith.constant 512 : index
  %v8 = memref.alloc() : memref<256xi8>
  %d8 = memref.alloc() : memref<512xi8>
  %sums8 = memref.alloc() : memref<4xi8>
  %counts8 = memref.alloc() : memref<3xi8>
  %v16 = memref.alloc() : memref<256xi16>
  %d16 = memref.alloc() : memref<512xi16>
  %sums16 = memref.alloc() : memref<4xi16>
  %counts16 = memref.alloc() : memref<3xi16>
  %v32 = memref.alloc() : memref<256xi32>
  %d32 = memref.alloc() : memref<512xi32>
  %sums32 = memref.alloc() : memref<4xi32>
  %counts32 = memref.alloc() : memref<3xi32>
  %v64 = memref.alloc() : memref<256xi64>
  %d64 = memref.alloc() : memref<512xi64>
  %sums64 = memref.alloc() : memref<4xi64>
  %counts64 = memref.alloc() : memref<3xi64>
  scf.for %i = %c0 to %c512 step %c1 {
    %low = arith.andi %i, %c255 : index
    %n8 = arith.index_cast %low : index to i8
    memref.store %n8, %d8[%i] : memref<512xi8>
    %n16 = arith.index_cast %low : index to i16
    %mask16 = arith.constant 15 : i16
    %by16 = arith.constant 4 : i16
    %one16 = arith.constant 1 : i16
    %middle16 = arith.constant 8 : i16
    %bit16 = arith.andi %n16, %mask16 : i16
    %power16 = arith.shli %one16, %bit16 : i16
    %more16 = arith.shrui %n16, %by16 : i16
    %off16 = arith.subi %more16, %middle16 : i16
    %x16 = arith.addi %power16, %off16 : i16
    memref.store %x16, %d16[%i] : memref<512xi16>
    %n32 = arith.index_cast %low : index to i32
    %mask32 = arith.constant 31 : i32
    %by32 = arith.constant 5 : i32
    %one32 = arith.constant 1 : i32
    %middle32 = arith.constant 4 : i32
    %bit32 = arith.andi %n32, %mask32 : i32
    %power32 = arith.shli %one32, %bit32 : i32
    %more32 = arith.shrui %n32, %by32 : i32
    %off32 = arith.subi %more32, %middle32 : i32
    %x32 = arith.addi %power32, %off32 : i32
    memref.store %x32, %d32[%i] : memref<512xi32>
    %n64 = arith.index_cast %low : index to i64
    %mask64 = arith.constant 63 : i64
    %by64 = arith.constant 6 : i64
    %one64 = arith.constant 1 : i64
    %middle64 = arith.constant 2 : i64
    %bit64 = arith.andi %n64, %mask64 : i64
    %power64 = arith.shli %one64, %bit64 : i64
    %more64 = arith.shrui %n64, %by64 : i64
    %off64 = arith.subi %more64, %middle64 : i64
    %x64 = arith.addi %power64, %off64 : i64
    memref.store %x64, %d64[%i] : memref<512xi64>
  }
  %first8 = memref.subview %d8[0] [256] [1] : memref<512xi8> to memref<256xi8, strided<[1]>>
  memref.copy %first8, %v8 : memref<256xi8, strided<[1]>> to memref<256xi8>
  %first16 = memref.subview %d16[0] [256] [1] : memref<512xi16> to memref<256xi16, strided<[1]>>
  memref.copy %first16, %v16 : memref<256xi16, strided<[1]>> to memref<256xi16>
  %first32 = memref.subview %d32[0] [256] [1] : memref<512xi32> to memref<256xi32, strided<[1]>>
  memref.copy %first32, %v32 : memref<256xi32, strided<[1]>> to memref<256xi32>
  %first64 = memref.subview %d64[0] [256] [1] : memref<512xi64> to memref<256xi64, strided<[1]>>
  memref.copy %first64, %v64 : memref<256xi64, strided<[1]>> to memref<256xi64>
  call @divide_i8(%v8, %d8, %sums8) : (memref<256xi8>, memref<512xi8>, memref<4xi8>) -> ()
  %zsums8 = arith.constant 0 : i8
  %psums8 = vector.transfer_read %sums8[%c0], %zsums8 {in_bounds = [true]} : memref<4xi8>, vector<4xi8>
  vector.print %psums8 : vector<4xi8>
  call @divide_i16(%v16, %d16, %sums16) : (memref<256xi16>, memref<512xi16>, memref<4xi16>) -> ()
  %zsums16 = arith.constant 0 : i16
  %psums16 = vector.transfer_read %sums16[%c0], %zsums16 {in_bounds = [true]} : memref<4xi16>, vector<4xi16>
  vector.print %psums16 : vector<4xi16>
  call @divide_i32(%v32, %d32, %sums32) : (memref<256xi32>, memref<512xi32>, memref<4xi32>) -> ()
  %zsums32 = arith.constant 0 : i32
  %psums32 = vector.transfer_read %sums32[%c0], %zsums32 {in_bounds = [true]} : memref<4xi32>, vector<4xi32>
  vector.print %psums32 : vector<4xi32>
  call @count_i8(%v8, %counts8) : (memref<256xi8>, memref<3xi8>) -> ()
  %zcounts8 = arith.constant 0 : i8
  %pcounts8 = vector.transfer_read %counts8[%c0], %zcounts8 {in_bounds = [true]} : memref<3xi8>, vector<3xi8>
  vector.print %pcounts8 : vector<3xi8>
  call @count_i16(%v16, %counts16) : (memref<256xi16>, memref<3xi16>) -> ()
  %zcounts16 = arith.constant 0 : i16
  %pcounts16 = vector.transfer_read %counts16[%c0], %zcounts16 {in_bounds = [true]} : memref<3xi16>, vector<3xi16>
  vector.print %pcounts16 : vector<3xi16>
  call @count_i32(%v32, %counts32) : (memref<256xi32>, memref<3xi32>) -> ()
  %zcounts32 = arith.constant 0 : i32
  %pcounts32 = vector.transfer_read %counts32[%c0], %zcounts32 {in_bounds = [true]} : memref<3xi32>, vector<3xi32>
  vector.print %pcounts32 : vector<3xi32>
  call @count_i64(%v64, %counts64) : (memref<256xi64>, memref<3xi64>) -> ()
  %zcounts64 = arith.constant 0 : i64
  %pcounts64 = vector.transfer_read %counts64[%c0], %zcounts64 {in_bounds = [true]} : memref<3xi64>, vector<3xi64>
  vector.print %pcounts64 : vector<3xi64>
  return
}
