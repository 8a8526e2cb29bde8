// Quotients and remainders by constants, remainders of floats by powers of two, and rounded halves, in vectors and one by
// one.
//
// RUN: freehold interpret %s | FileCheck %s
// RUN: freehold run %s -O0 | FileCheck %s
// RUN: freehold run %s -O2 --vector-bits=128 | FileCheck %s
// RUN: freehold run %s -O2 --vector-bits=512 | FileCheck %s

// CHECK:      ( ( 0, 0, 0, 0 ), ( -128, -128, 0, 0 ), ( 48, 0, -128, 0 ), ( -66, 0, -128, 0 ), ( -18, 0, 126, 0 ), ( 18, -25, 126, 81 ), ( -48, -32, -128, 0 ), ( -127, 0, -128, 0 ) )
// CHECK-NEXT: ( ( 5376, 5376, 0, 0 ), ( 6784, -5504, -8192, 16384 ), ( 24112, 2560, 9088, -15104 ), ( -4096, 4096, 5376, 5376 ), ( -1554, -31927, 16254, 32257 ), ( 1554, 255, 16254, 7161 ), ( -24112, 255, 9088, 7416 ), ( 0, 24576, 5376, 5376 ) )
// CHECK-NEXT: ( ( 1796488960, 1796488960, 0, 0 ), ( 898248321, -1249247360, -7682, 16384 ), ( 1298309841, 1835159456, -55176, 115200 ), ( -4096, 68867, 1796488960, -1424736512 ), ( -356918673, 1483760640, -47625, 99072 ), ( 356918673, 0, -47625, 1796488960 ), ( -1298309841, 0, -55176, 1796488960 ), ( 0, 24321, 1796488960, -350994688 ) )
// CHECK-NEXT: ( 0, -2147483648, 1056964608, -1090519040, 1069547520, -1090519040, 1056964608, 1071644672, -1075838976, 1056964607, -1115711708, 1069547520, -1082130432, 0, 0, -2147483648, -1, 71362, -2147412286, 1065353216, -1082130432, 1061814272, -2147483648, 0, 1063339968, -1098907648, 1070554144, -1082298176, 1052267008, -1076006752, 1066192064, -1091525632 )
// CHECK-NEXT: ( 0, -2147483648, 0, -2147483648, 0, -2147483648, 0, 0, -2147483648, 1040187388, -1115711708, 0, -2147483648, 0, 0, -2147483648, -1, 71362, -2147412286, 0, -2147483648, 1025507328, -2147483648, 0, 1000595456, -2147483648, 1039516160, -1108638208, 1038174208, -1109980672, 1036831744, -1111322624 )
// CHECK-NEXT: ( 0, -2147483648, 1056964608, -1090519040, 1069547520, -1071644672, 1075838976, 1081081856, -1066401792, 1056964607, -1115711708, 1080033280, -1082130432, 0, 0, -2147483648, -1, 71362, -2147412286, 1077936128, -1069547520, 1061814272, -2147483648, 0, 1063339968, -1072693248, 1080536592, -1082298176, 1075251776, -1066485680, 1066192064, -1071770496 )
// CHECK-NEXT: ( 0, -2147483648, 1056964608, -1090519040, 1069547520, -1071644672, 1075838976, 1089994752, -1057488896, 1056964607, -1115711708, 1258291199, -889192447, 1266679808, 1816864768, -2147483648, -1, 71362, -2147412286, 1077936128, -1069547520, 1206984805, -1065353216, 1082130432, 1107526943, -1039597568, 1108245217, -1038879293, 1108963492, -1038161019, 1109681766, -1037442744 )
// CHECK-NEXT: ( 0, -2147483648, 1065353216, -1082130432, 1073741824, -1069547520, 1077936128, 1090519040, -1056964608, 0, -2147483648, 1258291200, -889192447, 1266679808, 1900671690, -10374682, 2139095040, 0, -2147483648, 1077936128, -1069547520, 1206984832, -1065353216, 1082130432, 1107558400, -1039663104, 1108344832, -1038876672, 1108869120, -1038090240, 1109655552, -1037565952 )

memref.global "private" constant @floats : memref<32xf32> = dense<[0.0, -0.0, 0.5, -0.5, 1.5, -2.5, 2.5, 7.75, -7.75, 0.4999999701976776, -0.0624, 8388607.5, -8388609.0, 16777217.0, 1.0e30, -3.0e38, 0x7F800000, 1.0e-40, -1.0e-40, 3.0, -3.0, 123456.789, -4.0, 4.0, 32.88, -34.25, 35.620000000000005, -36.99, 38.36, -39.730000000000004, 41.1, -42.470000000000006]>

func.func @divide_i8(%v: memref<256xi8>, %sums: memref<8x4xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c256 = arith.constant 256 : index
  %zero = arith.constant 0 : i8
  %one = arith.constant 1 : i8
  %k0 = arith.constant 1 : i8
  %i0 = arith.constant 0 : index
  %r0:4 = scf.for %i = %c0 to %c256 step %c1 iter_args(%a = %zero, %b = %zero, %c = %zero, %d = %zero) -> (i8, i8, i8, i8) {
    %x = memref.load %v[%i] : memref<256xi8>
    %n = arith.index_cast %i : index to i8
    %f = arith.ori %n, %one : i8
    %p = arith.divsi %x, %k0 : i8
    %q = arith.divui %x, %k0 : i8
    %r = arith.remsi %x, %k0 : i8
    %s = arith.remui %x, %k0 : i8
    %pf = arith.muli %p, %f : i8
    %qf = arith.muli %q, %f : i8
    %rf = arith.muli %r, %f : i8
    %sf = arith.muli %s, %f : i8
    %na = arith.addi %a, %pf : i8
    %nb = arith.addi %b, %qf : i8
    %nc = arith.addi %c, %rf : i8
    %nd = arith.addi %d, %sf : i8
    scf.yield %na, %nb, %nc, %nd : i8, i8, i8, i8
  }
  memref.store %r0#0, %sums[%i0, %c0] : memref<8x4xi8>
  memref.store %r0#1, %sums[%i0, %c1] : memref<8x4xi8>
  memref.store %r0#2, %sums[%i0, %c2] : memref<8x4xi8>
  memref.store %r0#3, %sums[%i0, %c3] : memref<8x4xi8>
  %k1 = arith.constant 2 : i8
  %i1 = arith.constant 1 : index
  %r1:4 = scf.for %i = %c0 to %c256 step %c1 iter_args(%a = %zero, %b = %zero, %c = %zero, %d = %zero) -> (i8, i8, i8, i8) {
    %x = memref.load %v[%i] : memref<256xi8>
    %n = arith.index_cast %i : index to i8
    %f = arith.ori %n, %one : i8
    %p = arith.divsi %x, %k1 : i8
    %q = arith.divui %x, %k1 : i8
    %r = arith.remsi %x, %k1 : i8
    %s = arith.remui %x, %k1 : i8
    %pf = arith.muli %p, %f : i8
    %qf = arith.muli %q, %f : i8
    %rf = arith.muli %r, %f : i8
    %sf = arith.muli %s, %f : i8
    %na = arith.addi %a, %pf : i8
    %nb = arith.addi %b, %qf : i8
    %nc = arith.addi %c, %rf : i8
    %nd = arith.addi %d, %sf : i8
    scf.yield %na, %nb, %nc, %nd : i8, i8, i8, i8
  }
  memref.store %r1#0, %sums[%i1, %c0] : memref<8x4xi8>
  memref.store %r1#1, %sums[%i1, %c1] : memref<8x4xi8>
  memref.store %r1#2, %sums[%i1, %c2] : memref<8x4xi8>
  memref.store %r1#3, %sums[%i1, %c3] : memref<8x4xi8>
  %k2 = arith.constant 8 : i8
  %i2 = arith.constant 2 : index
  %r2:4 = scf.for %i = %c0 to %c256 step %c1 iter_args(%a = %zero, %b = %zero, %c = %zero, %d = %zero) -> (i8, i8, i8, i8) {
    %x = memref.load %v[%i] : memref<256xi8>
    %n = arith.index_cast %i : index to i8
    %f = arith.ori %n, %one : i8
    %p = arith.divsi %x, %k2 : i8
    %q = arith.divui %x, %k2 : i8
    %r = arith.remsi %x, %k2 : i8
    %s = arith.remui %x, %k2 : i8
    %pf = arith.muli %p, %f : i8
    %qf = arith.muli %q, %f : i8
    %rf = arith.muli %r, %f : i8
    %sf = arith.muli %s, %f : i8
    %na = arith.addi %a, %pf : i8
    %nb = arith.addi %b, %qf : i8
    %nc = arith.addi %c, %rf : i8
    %nd = arith.addi %d, %sf : i8
    scf.yield %na, %nb, %nc, %nd : i8, i8, i8, i8
  }
  memref.store %r2#0, %sums[%i2, %c0] : memref<8x4xi8>
  memref.store %r2#1, %sums[%i2, %c1] : memref<8x4xi8>
  memref.store %r2#2, %sums[%i2, %c2] : memref<8x4xi8>
  memref.store %r2#3, %sums[%i2, %c3] : memref<8x4xi8>
  %k3 = arith.constant 64 : i8
  %i3 = arith.constant 3 : index
  %r3:4 = scf.for %i = %c0 to %c256 step %c1 iter_args(%a = %zero, %b = %zero, %c = %zero, %d = %zero) -> (i8, i8, i8, i8) {
    %x = memref.load %v[%i] : memref<256xi8>
    %n = arith.index_cast %i : index to i8
    %f = arith.ori %n, %one : i8
    %p = arith.divsi %x, %k3 : i8
    %q = arith.divui %x, %k3 : i8
    %r = arith.remsi %x, %k3 : i8
    %s = arith.remui %x, %k3 : i8
    %pf = arith.muli %p, %f : i8
    %qf = arith.muli %q, %f : i8
    %rf = arith.muli %r, %f : i8
    %sf = arith.muli %s, %f : i8
    %na = arith.addi %a, %pf : i8
    %nb = arith.addi %b, %qf : i8
    %nc = arith.addi %c, %rf : i8
    %nd = arith.addi %d, %sf : i8
    scf.yield %na, %nb, %nc, %nd : i8, i8, i8, i8
  }
  memref.store %r3#0, %sums[%i3, %c0] : memref<8x4xi8>
  memref.store %r3#1, %sums[%i3, %c1] : memref<8x4xi8>
  memref.store %r3#2, %sums[%i3, %c2] : memref<8x4xi8>
  memref.store %r3#3, %sums[%i3, %c3] : memref<8x4xi8>
  %k4 = arith.constant 7 : i8
  %i4 = arith.constant 4 : index
  %r4:4 = scf.for %i = %c0 to %c256 step %c1 iter_args(%a = %zero, %b = %zero, %c = %zero, %d = %zero) -> (i8, i8, i8, i8) {
    %x = memref.load %v[%i] : memref<256xi8>
    %n = arith.index_cast %i : index to i8
    %f = arith.ori %n, %one : i8
    %p = arith.divsi %x, %k4 : i8
    %q = arith.divui %x, %k4 : i8
    %r = arith.remsi %x, %k4 : i8
    %s = arith.remui %x, %k4 : i8
    %pf = arith.muli %p, %f : i8
    %qf = arith.muli %q, %f : i8
    %rf = arith.muli %r, %f : i8
    %sf = arith.muli %s, %f : i8
    %na = arith.addi %a, %pf : i8
    %nb = arith.addi %b, %qf : i8
    %nc = arith.addi %c, %rf : i8
    %nd = arith.addi %d, %sf : i8
    scf.yield %na, %nb, %nc, %nd : i8, i8, i8, i8
  }
  memref.store %r4#0, %sums[%i4, %c0] : memref<8x4xi8>
  memref.store %r4#1, %sums[%i4, %c1] : memref<8x4xi8>
  memref.store %r4#2, %sums[%i4, %c2] : memref<8x4xi8>
  memref.store %r4#3, %sums[%i4, %c3] : memref<8x4xi8>
  %k5 = arith.constant -7 : i8
  %i5 = arith.constant 5 : index
  %r5:4 = scf.for %i = %c0 to %c256 step %c1 iter_args(%a = %zero, %b = %zero, %c = %zero, %d = %zero) -> (i8, i8, i8, i8) {
    %x = memref.load %v[%i] : memref<256xi8>
    %n = arith.index_cast %i : index to i8
    %f = arith.ori %n, %one : i8
    %p = arith.divsi %x, %k5 : i8
    %q = arith.divui %x, %k5 : i8
    %r = arith.remsi %x, %k5 : i8
    %s = arith.remui %x, %k5 : i8
    %pf = arith.muli %p, %f : i8
    %qf = arith.muli %q, %f : i8
    %rf = arith.muli %r, %f : i8
    %sf = arith.muli %s, %f : i8
    %na = arith.addi %a, %pf : i8
    %nb = arith.addi %b, %qf : i8
    %nc = arith.addi %c, %rf : i8
    %nd = arith.addi %d, %sf : i8
    scf.yield %na, %nb, %nc, %nd : i8, i8, i8, i8
  }
  memref.store %r5#0, %sums[%i5, %c0] : memref<8x4xi8>
  memref.store %r5#1, %sums[%i5, %c1] : memref<8x4xi8>
  memref.store %r5#2, %sums[%i5, %c2] : memref<8x4xi8>
  memref.store %r5#3, %sums[%i5, %c3] : memref<8x4xi8>
  %k6 = arith.constant -8 : i8
  %i6 = arith.constant 6 : index
  %r6:4 = scf.for %i = %c0 to %c256 step %c1 iter_args(%a = %zero, %b = %zero, %c = %zero, %d = %zero) -> (i8, i8, i8, i8) {
    %x = memref.load %v[%i] : memref<256xi8>
    %n = arith.index_cast %i : index to i8
    %f = arith.ori %n, %one : i8
    %p = arith.divsi %x, %k6 : i8
    %q = arith.divui %x, %k6 : i8
    %r = arith.remsi %x, %k6 : i8
    %s = arith.remui %x, %k6 : i8
    %pf = arith.muli %p, %f : i8
    %qf = arith.muli %q, %f : i8
    %rf = arith.muli %r, %f : i8
    %sf = arith.muli %s, %f : i8
    %na = arith.addi %a, %pf : i8
    %nb = arith.addi %b, %qf : i8
    %nc = arith.addi %c, %rf : i8
    %nd = arith.addi %d, %sf : i8
    scf.yield %na, %nb, %nc, %nd : i8, i8, i8, i8
  }
  memref.store %r6#0, %sums[%i6, %c0] : memref<8x4xi8>
  memref.store %r6#1, %sums[%i6, %c1] : memref<8x4xi8>
  memref.store %r6#2, %sums[%i6, %c2] : memref<8x4xi8>
  memref.store %r6#3, %sums[%i6, %c3] : memref<8x4xi8>
  %k7 = arith.constant -128 : i8
  %i7 = arith.constant 7 : index
  %r7:4 = scf.for %i = %c0 to %c256 step %c1 iter_args(%a = %zero, %b = %zero, %c = %zero, %d = %zero) -> (i8, i8, i8, i8) {
    %x = memref.load %v[%i] : memref<256xi8>
    %n = arith.index_cast %i : index to i8
    %f = arith.ori %n, %one : i8
    %p = arith.divsi %x, %k7 : i8
    %q = arith.divui %x, %k7 : i8
    %r = arith.remsi %x, %k7 : i8
    %s = arith.remui %x, %k7 : i8
    %pf = arith.muli %p, %f : i8
    %qf = arith.muli %q, %f : i8
    %rf = arith.muli %r, %f : i8
    %sf = arith.muli %s, %f : i8
    %na = arith.addi %a, %pf : i8
    %nb = arith.addi %b, %qf : i8
    %nc = arith.addi %c, %rf : i8
    %nd = arith.addi %d, %sf : i8
    scf.yield %na, %nb, %nc, %nd : i8, i8, i8, i8
  }
  memref.store %r7#0, %sums[%i7, %c0] : memref<8x4xi8>
  memref.store %r7#1, %sums[%i7, %c1] : memref<8x4xi8>
  memref.store %r7#2, %sums[%i7, %c2] : memref<8x4xi8>
  memref.store %r7#3, %sums[%i7, %c3] : memref<8x4xi8>
  return
}

func.func @divide_i16(%v: memref<256xi16>, %sums: memref<8x4xi16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c256 = arith.constant 256 : index
  %zero = arith.constant 0 : i16
  %one = arith.constant 1 : i16
  %k0 = arith.constant 1 : i16
  %i0 = arith.constant 0 : index
  %r0:4 = scf.for %i = %c0 to %c256 step %c1 iter_args(%a = %zero, %b = %zero, %c = %zero, %d = %zero) -> (i16, i16, i16, i16) {
    %x = memref.load %v[%i] : memref<256xi16>
    %n = arith.index_cast %i : index to i16
    %f = arith.ori %n, %one : i16
    %p = arith.divsi %x, %k0 : i16
    %q = arith.divui %x, %k0 : i16
    %r = arith.remsi %x, %k0 : i16
    %s = arith.remui %x, %k0 : i16
    %pf = arith.muli %p, %f : i16
    %qf = arith.muli %q, %f : i16
    %rf = arith.muli %r, %f : i16
    %sf = arith.muli %s, %f : i16
    %na = arith.addi %a, %pf : i16
    %nb = arith.addi %b, %qf : i16
    %nc = arith.addi %c, %rf : i16
    %nd = arith.addi %d, %sf : i16
    scf.yield %na, %nb, %nc, %nd : i16, i16, i16, i16
  }
  memref.store %r0#0, %sums[%i0, %c0] : memref<8x4xi16>
  memref.store %r0#1, %sums[%i0, %c1] : memref<8x4xi16>
  memref.store %r0#2, %sums[%i0, %c2] : memref<8x4xi16>
  memref.store %r0#3, %sums[%i0, %c3] : memref<8x4xi16>
  %k1 = arith.constant 2 : i16
  %i1 = arith.constant 1 : index
  %r1:4 = scf.for %i = %c0 to %c256 step %c1 iter_args(%a = %zero, %b = %zero, %c = %zero, %d = %zero) -> (i16, i16, i16, i16) {
    %x = memref.load %v[%i] : memref<256xi16>
    %n = arith.index_cast %i : index to i16
    %f = arith.ori %n, %one : i16
    %p = arith.divsi %x, %k1 : i16
    %q = arith.divui %x, %k1 : i16
    %r = arith.remsi %x, %k1 : i16
    %s = arith.remui %x, %k1 : i16
    %pf = arith.muli %p, %f : i16
    %qf = arith.muli %q, %f : i16
    %rf = arith.muli %r, %f : i16
    %sf = arith.muli %s, %f : i16
    %na = arith.addi %a, %pf : i16
    %nb = arith.addi %b, %qf : i16
    %nc = arith.addi %c, %rf : i16
    %nd = arith.addi %d, %sf : i16
    scf.yield %na, %nb, %nc, %nd : i16, i16, i16, i16
  }
  memref.store %r1#0, %sums[%i1, %c0] : memref<8x4xi16>
  memref.store %r1#1, %sums[%i1, %c1] : memref<8x4xi16>
  memref.store %r1#2, %sums[%i1, %c2] : memref<8x4xi16>
  memref.store %r1#3, %sums[%i1, %c3] : memref<8x4xi16>
  %k2 = arith.constant 8 : i16
  %i2 = arith.constant 2 : index
  %r2:4 = scf.for %i = %c0 to %c256 step %c1 iter_args(%a = %zero, %b = %zero, %c = %zero, %d = %zero) -> (i16, i16, i16, i16) {
    %x = memref.load %v[%i] : memref<256xi16>
    %n = arith.index_cast %i : index to i16
    %f = arith.ori %n, %one : i16
    %p = arith.divsi %x, %k2 : i16
    %q = arith.divui %x, %k2 : i16
    %r = arith.remsi %x, %k2 : i16
    %s = arith.remui %x, %k2 : i16
    %pf = arith.muli %p, %f : i16
    %qf = arith.muli %q, %f : i16
    %rf = arith.muli %r, %f : i16
    %sf = arith.muli %s, %f : i16
    %na = arith.addi %a, %pf : i16
    %nb = arith.addi %b, %qf : i16
    %nc = arith.addi %c, %rf : i16
    %nd = arith.addi %d, %sf : i16
    scf.yield %na, %nb, %nc, %nd : i16, i16, i16, i16
  }
  memref.store %r2#0, %sums[%i2, %c0] : memref<8x4xi16>
  memref.store %r2#1, %sums[%i2, %c1] : memref<8x4xi16>
  memref.store %r2#2, %sums[%i2, %c2] : memref<8x4xi16>
  memref.store %r2#3, %sums[%i2, %c3] : memref<8x4xi16>
  %k3 = arith.constant 16384 : i16
  %i3 = arith.constant 3 : index
  %r3:4 = scf.for %i = %c0 to %c256 step %c1 iter_args(%a = %zero, %b = %zero, %c = %zero, %d = %zero) -> (i16, i16, i16, i16) {
    %x = memref.load %v[%i] : memref<256xi16>
    %n = arith.index_cast %i : index to i16
    %f = arith.ori %n, %one : i16
    %p = arith.divsi %x, %k3 : i16
    %q = arith.divui %x, %k3 : i16
    %r = arith.remsi %x, %k3 : i16
    %s = arith.remui %x, %k3 : i16
    %pf = arith.muli %p, %f : i16
    %qf = arith.muli %q, %f : i16
    %rf = arith.muli %r, %f : i16
    %sf = arith.muli %s, %f : i16
    %na = arith.addi %a, %pf : i16
    %nb = arith.addi %b, %qf : i16
    %nc = arith.addi %c, %rf : i16
    %nd = arith.addi %d, %sf : i16
    scf.yield %na, %nb, %nc, %nd : i16, i16, i16, i16
  }
  memref.store %r3#0, %sums[%i3, %c0] : memref<8x4xi16>
  memref.store %r3#1, %sums[%i3, %c1] : memref<8x4xi16>
  memref.store %r3#2, %sums[%i3, %c2] : memref<8x4xi16>
  memref.store %r3#3, %sums[%i3, %c3] : memref<8x4xi16>
  %k4 = arith.constant 7 : i16
  %i4 = arith.constant 4 : index
  %r4:4 = scf.for %i = %c0 to %c256 step %c1 iter_args(%a = %zero, %b = %zero, %c = %zero, %d = %zero) -> (i16, i16, i16, i16) {
    %x = memref.load %v[%i] : memref<256xi16>
    %n = arith.index_cast %i : index to i16
    %f = arith.ori %n, %one : i16
    %p = arith.divsi %x, %k4 : i16
    %q = arith.divui %x, %k4 : i16
    %r = arith.remsi %x, %k4 : i16
    %s = arith.remui %x, %k4 : i16
    %pf = arith.muli %p, %f : i16
    %qf = arith.muli %q, %f : i16
    %rf = arith.muli %r, %f : i16
    %sf = arith.muli %s, %f : i16
    %na = arith.addi %a, %pf : i16
    %nb = arith.addi %b, %qf : i16
    %nc = arith.addi %c, %rf : i16
    %nd = arith.addi %d, %sf : i16
    scf.yield %na, %nb, %nc, %nd : i16, i16, i16, i16
  }
  memref.store %r4#0, %sums[%i4, %c0] : memref<8x4xi16>
  memref.store %r4#1, %sums[%i4, %c1] : memref<8x4xi16>
  memref.store %r4#2, %sums[%i4, %c2] : memref<8x4xi16>
  memref.store %r4#3, %sums[%i4, %c3] : memref<8x4xi16>
  %k5 = arith.constant -7 : i16
  %i5 = arith.constant 5 : index
  %r5:4 = scf.for %i = %c0 to %c256 step %c1 iter_args(%a = %zero, %b = %zero, %c = %zero, %d = %zero) -> (i16, i16, i16, i16) {
    %x = memref.load %v[%i] : memref<256xi16>
    %n = arith.index_cast %i : index to i16
    %f = arith.ori %n, %one : i16
    %p = arith.divsi %x, %k5 : i16
    %q = arith.divui %x, %k5 : i16
    %r = arith.remsi %x, %k5 : i16
    %s = arith.remui %x, %k5 : i16
    %pf = arith.muli %p, %f : i16
    %qf = arith.muli %q, %f : i16
    %rf = arith.muli %r, %f : i16
    %sf = arith.muli %s, %f : i16
    %na = arith.addi %a, %pf : i16
    %nb = arith.addi %b, %qf : i16
    %nc = arith.addi %c, %rf : i16
    %nd = arith.addi %d, %sf : i16
    scf.yield %na, %nb, %nc, %nd : i16, i16, i16, i16
  }
  memref.store %r5#0, %sums[%i5, %c0] : memref<8x4xi16>
  memref.store %r5#1, %sums[%i5, %c1] : memref<8x4xi16>
  memref.store %r5#2, %sums[%i5, %c2] : memref<8x4xi16>
  memref.store %r5#3, %sums[%i5, %c3] : memref<8x4xi16>
  %k6 = arith.constant -8 : i16
  %i6 = arith.constant 6 : index
  %r6:4 = scf.for %i = %c0 to %c256 step %c1 iter_args(%a = %zero, %b = %zero, %c = %zero, %d = %zero) -> (i16, i16, i16, i16) {
    %x = memref.load %v[%i] : memref<256xi16>
    %n = arith.index_cast %i : index to i16
    %f = arith.ori %n, %one : i16
    %p = arith.divsi %x, %k6 : i16
    %q = arith.divui %x, %k6 : i16
    %r = arith.remsi %x, %k6 : i16
    %s = arith.remui %x, %k6 : i16
    %pf = arith.muli %p, %f : i16
    %qf = arith.muli %q, %f : i16
    %rf = arith.muli %r, %f : i16
    %sf = arith.muli %s, %f : i16
    %na = arith.addi %a, %pf : i16
    %nb = arith.addi %b, %qf : i16
    %nc = arith.addi %c, %rf : i16
    %nd = arith.addi %d, %sf : i16
    scf.yield %na, %nb, %nc, %nd : i16, i16, i16, i16
  }
  memref.store %r6#0, %sums[%i6, %c0] : memref<8x4xi16>
  memref.store %r6#1, %sums[%i6, %c1] : memref<8x4xi16>
  memref.store %r6#2, %sums[%i6, %c2] : memref<8x4xi16>
  memref.store %r6#3, %sums[%i6, %c3] : memref<8x4xi16>
  %k7 = arith.constant -32768 : i16
  %i7 = arith.constant 7 : index
  %r7:4 = scf.for %i = %c0 to %c256 step %c1 iter_args(%a = %zero, %b = %zero, %c = %zero, %d = %zero) -> (i16, i16, i16, i16) {
    %x = memref.load %v[%i] : memref<256xi16>
    %n = arith.index_cast %i : index to i16
    %f = arith.ori %n, %one : i16
    %p = arith.divsi %x, %k7 : i16
    %q = arith.divui %x, %k7 : i16
    %r = arith.remsi %x, %k7 : i16
    %s = arith.remui %x, %k7 : i16
    %pf = arith.muli %p, %f : i16
    %qf = arith.muli %q, %f : i16
    %rf = arith.muli %r, %f : i16
    %sf = arith.muli %s, %f : i16
    %na = arith.addi %a, %pf : i16
    %nb = arith.addi %b, %qf : i16
    %nc = arith.addi %c, %rf : i16
    %nd = arith.addi %d, %sf : i16
    scf.yield %na, %nb, %nc, %nd : i16, i16, i16, i16
  }
  memref.store %r7#0, %sums[%i7, %c0] : memref<8x4xi16>
  memref.store %r7#1, %sums[%i7, %c1] : memref<8x4xi16>
  memref.store %r7#2, %sums[%i7, %c2] : memref<8x4xi16>
  memref.store %r7#3, %sums[%i7, %c3] : memref<8x4xi16>
  return
}

func.func @divide_i32(%v: memref<256xi32>, %sums: memref<8x4xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c256 = arith.constant 256 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %k0 = arith.constant 1 : i32
  %i0 = arith.constant 0 : index
  %r0:4 = scf.for %i = %c0 to %c256 step %c1 iter_args(%a = %zero, %b = %zero, %c = %zero, %d = %zero) -> (i32, i32, i32, i32) {
    %x = memref.load %v[%i] : memref<256xi32>
    %n = arith.index_cast %i : index to i32
    %f = arith.ori %n, %one : i32
    %p = arith.divsi %x, %k0 : i32
    %q = arith.divui %x, %k0 : i32
    %r = arith.remsi %x, %k0 : i32
    %s = arith.remui %x, %k0 : i32
    %pf = arith.muli %p, %f : i32
    %qf = arith.muli %q, %f : i32
    %rf = arith.muli %r, %f : i32
    %sf = arith.muli %s, %f : i32
    %na = arith.addi %a, %pf : i32
    %nb = arith.addi %b, %qf : i32
    %nc = arith.addi %c, %rf : i32
    %nd = arith.addi %d, %sf : i32
    scf.yield %na, %nb, %nc, %nd : i32, i32, i32, i32
  }
  memref.store %r0#0, %sums[%i0, %c0] : memref<8x4xi32>
  memref.store %r0#1, %sums[%i0, %c1] : memref<8x4xi32>
  memref.store %r0#2, %sums[%i0, %c2] : memref<8x4xi32>
  memref.store %r0#3, %sums[%i0, %c3] : memref<8x4xi32>
  %k1 = arith.constant 2 : i32
  %i1 = arith.constant 1 : index
  %r1:4 = scf.for %i = %c0 to %c256 step %c1 iter_args(%a = %zero, %b = %zero, %c = %zero, %d = %zero) -> (i32, i32, i32, i32) {
    %x = memref.load %v[%i] : memref<256xi32>
    %n = arith.index_cast %i : index to i32
    %f = arith.ori %n, %one : i32
    %p = arith.divsi %x, %k1 : i32
    %q = arith.divui %x, %k1 : i32
    %r = arith.remsi %x, %k1 : i32
    %s = arith.remui %x, %k1 : i32
    %pf = arith.muli %p, %f : i32
    %qf = arith.muli %q, %f : i32
    %rf = arith.muli %r, %f : i32
    %sf = arith.muli %s, %f : i32
    %na = arith.addi %a, %pf : i32
    %nb = arith.addi %b, %qf : i32
    %nc = arith.addi %c, %rf : i32
    %nd = arith.addi %d, %sf : i32
    scf.yield %na, %nb, %nc, %nd : i32, i32, i32, i32
  }
  memref.store %r1#0, %sums[%i1, %c0] : memref<8x4xi32>
  memref.store %r1#1, %sums[%i1, %c1] : memref<8x4xi32>
  memref.store %r1#2, %sums[%i1, %c2] : memref<8x4xi32>
  memref.store %r1#3, %sums[%i1, %c3] : memref<8x4xi32>
  %k2 = arith.constant 8 : i32
  %i2 = arith.constant 2 : index
  %r2:4 = scf.for %i = %c0 to %c256 step %c1 iter_args(%a = %zero, %b = %zero, %c = %zero, %d = %zero) -> (i32, i32, i32, i32) {
    %x = memref.load %v[%i] : memref<256xi32>
    %n = arith.index_cast %i : index to i32
    %f = arith.ori %n, %one : i32
    %p = arith.divsi %x, %k2 : i32
    %q = arith.divui %x, %k2 : i32
    %r = arith.remsi %x, %k2 : i32
    %s = arith.remui %x, %k2 : i32
    %pf = arith.muli %p, %f : i32
    %qf = arith.muli %q, %f : i32
    %rf = arith.muli %r, %f : i32
    %sf = arith.muli %s, %f : i32
    %na = arith.addi %a, %pf : i32
    %nb = arith.addi %b, %qf : i32
    %nc = arith.addi %c, %rf : i32
    %nd = arith.addi %d, %sf : i32
    scf.yield %na, %nb, %nc, %nd : i32, i32, i32, i32
  }
  memref.store %r2#0, %sums[%i2, %c0] : memref<8x4xi32>
  memref.store %r2#1, %sums[%i2, %c1] : memref<8x4xi32>
  memref.store %r2#2, %sums[%i2, %c2] : memref<8x4xi32>
  memref.store %r2#3, %sums[%i2, %c3] : memref<8x4xi32>
  %k3 = arith.constant 1073741824 : i32
  %i3 = arith.constant 3 : index
  %r3:4 = scf.for %i = %c0 to %c256 step %c1 iter_args(%a = %zero, %b = %zero, %c = %zero, %d = %zero) -> (i32, i32, i32, i32) {
    %x = memref.load %v[%i] : memref<256xi32>
    %n = arith.index_cast %i : index to i32
    %f = arith.ori %n, %one : i32
    %p = arith.divsi %x, %k3 : i32
    %q = arith.divui %x, %k3 : i32
    %r = arith.remsi %x, %k3 : i32
    %s = arith.remui %x, %k3 : i32
    %pf = arith.muli %p, %f : i32
    %qf = arith.muli %q, %f : i32
    %rf = arith.muli %r, %f : i32
    %sf = arith.muli %s, %f : i32
    %na = arith.addi %a, %pf : i32
    %nb = arith.addi %b, %qf : i32
    %nc = arith.addi %c, %rf : i32
    %nd = arith.addi %d, %sf : i32
    scf.yield %na, %nb, %nc, %nd : i32, i32, i32, i32
  }
  memref.store %r3#0, %sums[%i3, %c0] : memref<8x4xi32>
  memref.store %r3#1, %sums[%i3, %c1] : memref<8x4xi32>
  memref.store %r3#2, %sums[%i3, %c2] : memref<8x4xi32>
  memref.store %r3#3, %sums[%i3, %c3] : memref<8x4xi32>
  %k4 = arith.constant 7 : i32
  %i4 = arith.constant 4 : index
  %r4:4 = scf.for %i = %c0 to %c256 step %c1 iter_args(%a = %zero, %b = %zero, %c = %zero, %d = %zero) -> (i32, i32, i32, i32) {
    %x = memref.load %v[%i] : memref<256xi32>
    %n = arith.index_cast %i : index to i32
    %f = arith.ori %n, %one : i32
    %p = arith.divsi %x, %k4 : i32
    %q = arith.divui %x, %k4 : i32
    %r = arith.remsi %x, %k4 : i32
    %s = arith.remui %x, %k4 : i32
    %pf = arith.muli %p, %f : i32
    %qf = arith.muli %q, %f : i32
    %rf = arith.muli %r, %f : i32
    %sf = arith.muli %s, %f : i32
    %na = arith.addi %a, %pf : i32
    %nb = arith.addi %b, %qf : i32
    %nc = arith.addi %c, %rf : i32
    %nd = arith.addi %d, %sf : i32
    scf.yield %na, %nb, %nc, %nd : i32, i32, i32, i32
  }
  memref.store %r4#0, %sums[%i4, %c0] : memref<8x4xi32>
  memref.store %r4#1, %sums[%i4, %c1] : memref<8x4xi32>
  memref.store %r4#2, %sums[%i4, %c2] : memref<8x4xi32>
  memref.store %r4#3, %sums[%i4, %c3] : memref<8x4xi32>
  %k5 = arith.constant -7 : i32
  %i5 = arith.constant 5 : index
  %r5:4 = scf.for %i = %c0 to %c256 step %c1 iter_args(%a = %zero, %b = %zero, %c = %zero, %d = %zero) -> (i32, i32, i32, i32) {
    %x = memref.load %v[%i] : memref<256xi32>
    %n = arith.index_cast %i : index to i32
    %f = arith.ori %n, %one : i32
    %p = arith.divsi %x, %k5 : i32
    %q = arith.divui %x, %k5 : i32
    %r = arith.remsi %x, %k5 : i32
    %s = arith.remui %x, %k5 : i32
    %pf = arith.muli %p, %f : i32
    %qf = arith.muli %q, %f : i32
    %rf = arith.muli %r, %f : i32
    %sf = arith.muli %s, %f : i32
    %na = arith.addi %a, %pf : i32
    %nb = arith.addi %b, %qf : i32
    %nc = arith.addi %c, %rf : i32
    %nd = arith.addi %d, %sf : i32
    scf.yield %na, %nb, %nc, %nd : i32, i32, i32, i32
  }
  memref.store %r5#0, %sums[%i5, %c0] : memref<8x4xi32>
  memref.store %r5#1, %sums[%i5, %c1] : memref<8x4xi32>
  memref.store %r5#2, %sums[%i5, %c2] : memref<8x4xi32>
  memref.store %r5#3, %sums[%i5, %c3] : memref<8x4xi32>
  %k6 = arith.constant -8 : i32
  %i6 = arith.constant 6 : index
  %r6:4 = scf.for %i = %c0 to %c256 step %c1 iter_args(%a = %zero, %b = %zero, %c = %zero, %d = %zero) -> (i32, i32, i32, i32) {
    %x = memref.load %v[%i] : memref<256xi32>
    %n = arith.index_cast %i : index to i32
    %f = arith.ori %n, %one : i32
    %p = arith.divsi %x, %k6 : i32
    %q = arith.divui %x, %k6 : i32
    %r = arith.remsi %x, %k6 : i32
    %s = arith.remui %x, %k6 : i32
    %pf = arith.muli %p, %f : i32
    %qf = arith.muli %q, %f : i32
    %rf = arith.muli %r, %f : i32
    %sf = arith.muli %s, %f : i32
    %na = arith.addi %a, %pf : i32
    %nb = arith.addi %b, %qf : i32
    %nc = arith.addi %c, %rf : i32
    %nd = arith.addi %d, %sf : i32
    scf.yield %na, %nb, %nc, %nd : i32, i32, i32, i32
  }
  memref.store %r6#0, %sums[%i6, %c0] : memref<8x4xi32>
  memref.store %r6#1, %sums[%i6, %c1] : memref<8x4xi32>
  memref.store %r6#2, %sums[%i6, %c2] : memref<8x4xi32>
  memref.store %r6#3, %sums[%i6, %c3] : memref<8x4xi32>
  %k7 = arith.constant -2147483648 : i32
  %i7 = arith.constant 7 : index
  %r7:4 = scf.for %i = %c0 to %c256 step %c1 iter_args(%a = %zero, %b = %zero, %c = %zero, %d = %zero) -> (i32, i32, i32, i32) {
    %x = memref.load %v[%i] : memref<256xi32>
    %n = arith.index_cast %i : index to i32
    %f = arith.ori %n, %one : i32
    %p = arith.divsi %x, %k7 : i32
    %q = arith.divui %x, %k7 : i32
    %r = arith.remsi %x, %k7 : i32
    %s = arith.remui %x, %k7 : i32
    %pf = arith.muli %p, %f : i32
    %qf = arith.muli %q, %f : i32
    %rf = arith.muli %r, %f : i32
    %sf = arith.muli %s, %f : i32
    %na = arith.addi %a, %pf : i32
    %nb = arith.addi %b, %qf : i32
    %nc = arith.addi %c, %rf : i32
    %nd = arith.addi %d, %sf : i32
    scf.yield %na, %nb, %nc, %nd : i32, i32, i32, i32
  }
  memref.store %r7#0, %sums[%i7, %c0] : memref<8x4xi32>
  memref.store %r7#1, %sums[%i7, %c1] : memref<8x4xi32>
  memref.store %r7#2, %sums[%i7, %c2] : memref<8x4xi32>
  memref.store %r7#3, %sums[%i7, %c3] : memref<8x4xi32>
  return
}

func.func @rest_two(%v: memref<32xf32>, %r: memref<32xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 32 : index
  %k = arith.constant 2.0 : f32
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %v[%i] : memref<32xf32>
    %y = arith.remf %x, %k : f32
    %nan = arith.cmpf uno, %y, %y : f32
    %b = arith.bitcast %y : f32 to i32
    %no = arith.constant -1 : i32
    %z = arith.select %nan, %no, %b : i32
    memref.store %z, %r[%i] : memref<32xi32>
  }
  return
}

func.func @rest_eighth(%v: memref<32xf32>, %r: memref<32xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 32 : index
  %k = arith.constant 0.125 : f32
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %v[%i] : memref<32xf32>
    %y = arith.remf %x, %k : f32
    %nan = arith.cmpf uno, %y, %y : f32
    %b = arith.bitcast %y : f32 to i32
    %no = arith.constant -1 : i32
    %z = arith.select %nan, %no, %b : i32
    memref.store %z, %r[%i] : memref<32xi32>
  }
  return
}

func.func @rest_four(%v: memref<32xf32>, %r: memref<32xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 32 : index
  %k = arith.constant -4.0 : f32
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %v[%i] : memref<32xf32>
    %y = arith.remf %x, %k : f32
    %nan = arith.cmpf uno, %y, %y : f32
    %b = arith.bitcast %y : f32 to i32
    %no = arith.constant -1 : i32
    %z = arith.select %nan, %no, %b : i32
    memref.store %z, %r[%i] : memref<32xi32>
  }
  return
}

func.func @rest_huge(%v: memref<32xf32>, %r: memref<32xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 32 : index
  %k = arith.constant 1237940039285380274899124224.0 : f32
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %v[%i] : memref<32xf32>
    %y = arith.remf %x, %k : f32
    %nan = arith.cmpf uno, %y, %y : f32
    %b = arith.bitcast %y : f32 to i32
    %no = arith.constant -1 : i32
    %z = arith.select %nan, %no, %b : i32
    memref.store %z, %r[%i] : memref<32xi32>
  }
  return
}

func.func @rounded(%v: memref<32xf32>, %r: memref<32xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 32 : index
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %v[%i] : memref<32xf32>
    %y = math.round %x : f32
    %b = arith.bitcast %y : f32 to i32
    memref.store %b, %r[%i] : memref<32xi32>
  }
  return
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  %v8 = memref.alloc() : memref<256xi8>
  %s8 = memref.alloc() : memref<8x4xi8>
  scf.for %i = %c0 to %c256 step %c1 {
    %n = arith.index_cast %i : index to i8
    %k = arith.constant 1 : i8
    %x = arith.muli %n, %k : i8
    memref.store %x, %v8[%i] : memref<256xi8>
  }
  call @divide_i8(%v8, %s8) : (memref<256xi8>, memref<8x4xi8>) -> ()
  %z8 = arith.constant 0 : i8
  %p8 = vector.transfer_read %s8[%c0, %c0], %z8 {in_bounds = [true, true]} : memref<8x4xi8>, vector<8x4xi8>
  vector.print %p8 : vector<8x4xi8>
  %v16 = memref.alloc() : memref<256xi16>
  %s16 = memref.alloc() : memref<8x4xi16>
  scf.for %i = %c0 to %c256 step %c1 {
    %n = arith.index_cast %i : index to i16
    %k = arith.constant 257 : i16
    %x = arith.muli %n, %k : i16
    memref.store %x, %v16[%i] : memref<256xi16>
  }
  call @divide_i16(%v16, %s16) : (memref<256xi16>, memref<8x4xi16>) -> ()
  %z16 = arith.constant 0 : i16
  %p16 = vector.transfer_read %s16[%c0, %c0], %z16 {in_bounds = [true, true]} : memref<8x4xi16>, vector<8x4xi16>
  vector.print %p16 : vector<8x4xi16>
  %v32 = memref.alloc() : memref<256xi32>
  %s32 = memref.alloc() : memref<8x4xi32>
  scf.for %i = %c0 to %c256 step %c1 {
    %n = arith.index_cast %i : index to i32
    %k = arith.constant 16843011 : i32
    %x = arith.muli %n, %k : i32
    memref.store %x, %v32[%i] : memref<256xi32>
  }
  call @divide_i32(%v32, %s32) : (memref<256xi32>, memref<8x4xi32>) -> ()
  %z32 = arith.constant 0 : i32
  %p32 = vector.transfer_read %s32[%c0, %c0], %z32 {in_bounds = [true, true]} : memref<8x4xi32>, vector<8x4xi32>
  vector.print %p32 : vector<8x4xi32>
  %floats = memref.get_global @floats : memref<32xf32>
  %no = arith.constant 0 : i32
  %r = memref.alloc() : memref<32xi32>
  call @rest_two(%floats, %r) : (memref<32xf32>, memref<32xi32>) -> ()
  %f0 = vector.transfer_read %r[%c0], %no {in_bounds = [true]} : memref<32xi32>, vector<32xi32>
  vector.print %f0 : vector<32xi32>
  call @rest_eighth(%floats, %r) : (memref<32xf32>, memref<32xi32>) -> ()
  %f1 = vector.transfer_read %r[%c0], %no {in_bounds = [true]} : memref<32xi32>, vector<32xi32>
  vector.print %f1 : vector<32xi32>
  call @rest_four(%floats, %r) : (memref<32xf32>, memref<32xi32>) -> ()
  %f2 = vector.transfer_read %r[%c0], %no {in_bounds = [true]} : memref<32xi32>, vector<32xi32>
  vector.print %f2 : vector<32xi32>
  call @rest_huge(%floats, %r) : (memref<32xf32>, memref<32xi32>) -> ()
  %f3 = vector.transfer_read %r[%c0], %no {in_bounds = [true]} : memref<32xi32>, vector<32xi32>
  vector.print %f3 : vector<32xi32>
  call @rounded(%floats, %r) : (memref<32xf32>, memref<32xi32>) -> ()
  %f4 = vector.transfer_read %r[%c0], %no {in_bounds = [true]} : memref<32xi32>, vector<32xi32>
  vector.print %f4 : vector<32xi32>
  return
}
