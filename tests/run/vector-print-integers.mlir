// `vector.print` of integers of every width and signedness: truth values are 1 and 0, with a sign as well.

// RUN: freehold run %s | FileCheck %s
// RUN: freehold run -O0 %s | FileCheck %s

// CHECK: ( 1, 0, 1, 0 )
// CHECK-NEXT: ( 1, 0, 1, 0 )
// CHECK-NEXT: ( 1, 0, 1, 0 )
// CHECK-NEXT: 1
// CHECK-NEXT: ( -1, 2, -3, 7 )
// CHECK-NEXT: ( -1, 2, -3, 7 )
// CHECK-NEXT: ( 255, 2, 253, 7 )
// CHECK-NEXT: ( -1, 2, -30000, 7 )
// CHECK-NEXT: ( -1, 2, -30000, 7 )
// CHECK-NEXT: ( 65535, 2, 35536, 7 )
// CHECK-NEXT: ( -1, 2, -3000000, 7 )
// CHECK-NEXT: ( -1, 2, -3000000, 7 )
// CHECK-NEXT: ( 4294967295, 2, 4291967296, 7 )
// CHECK-NEXT: ( -1, 2, -300000000000, 7 )
// CHECK-NEXT: ( -1, 2, -300000000000, 7 )
// CHECK-NEXT: ( 18446744073709551615, 2, 18446743773709551616, 7 )
// CHECK-NEXT: ( -1, 2, -3, 7 )
// CHECK-NEXT: ( -1, 2, -3, 7 )
// CHECK-NEXT: ( 15, 2, 13, 7 )
// CHECK-NEXT: ( 18446744073709551615, 2 )
// CHECK-NEXT: ( ( 1, 0 ), ( 0, 1 ) )
func.func @main() {
  %1 = arith.constant dense<[true, false, true, false]> : vector<4xi1>
  %s = vector.bitcast %1 : vector<4xi1> to vector<4xsi1>
  %u = vector.bitcast %1 : vector<4xi1> to vector<4xui1>
  vector.print %1 : vector<4xi1>
  vector.print %s : vector<4xsi1>
  vector.print %u : vector<4xui1>
  %b1 = arith.constant true
  vector.print %b1 : i1
  %2 = arith.constant dense<[-1, 2, -3, 7]> : vector<4xi8>
  %s2 = vector.bitcast %2 : vector<4xi8> to vector<4xsi8>
  %u2 = vector.bitcast %2 : vector<4xi8> to vector<4xui8>
  vector.print %2 : vector<4xi8>
  vector.print %s2 : vector<4xsi8>
  vector.print %u2 : vector<4xui8>
  %3 = arith.constant dense<[-1, 2, -30000, 7]> : vector<4xi16>
  %s3 = vector.bitcast %3 : vector<4xi16> to vector<4xsi16>
  %u3 = vector.bitcast %3 : vector<4xi16> to vector<4xui16>
  vector.print %3 : vector<4xi16>
  vector.print %s3 : vector<4xsi16>
  vector.print %u3 : vector<4xui16>
  %4 = arith.constant dense<[-1, 2, -3000000, 7]> : vector<4xi32>
  %s4 = vector.bitcast %4 : vector<4xi32> to vector<4xsi32>
  %u4 = vector.bitcast %4 : vector<4xi32> to vector<4xui32>
  vector.print %4 : vector<4xi32>
  vector.print %s4 : vector<4xsi32>
  vector.print %u4 : vector<4xui32>
  %5 = arith.constant dense<[-1, 2, -300000000000, 7]> : vector<4xi64>
  %s5 = vector.bitcast %5 : vector<4xi64> to vector<4xsi64>
  %u5 = vector.bitcast %5 : vector<4xi64> to vector<4xui64>
  vector.print %5 : vector<4xi64>
  vector.print %s5 : vector<4xsi64>
  vector.print %u5 : vector<4xui64>
  %6 = arith.constant dense<[-1, 2, -3, 7]> : vector<4xi4>
  %s6 = vector.bitcast %6 : vector<4xi4> to vector<4xsi4>
  %u6 = vector.bitcast %6 : vector<4xi4> to vector<4xui4>
  vector.print %6 : vector<4xi4>
  vector.print %s6 : vector<4xsi4>
  vector.print %u6 : vector<4xui4>
  %7 = arith.constant dense<[-1, 2]> : vector<2xindex>
  vector.print %7 : vector<2xindex>
  %8 = arith.constant dense<[[true, false], [false, true]]> : vector<2x2xi1>
  vector.print %8 : vector<2x2xi1>
  return
}
