// Integers of widths that no processor has are the nearest ones of floats that do not fit, as in APFloat.

// RUN: freehold run %s | FileCheck %s
// RUN: freehold run -O0 %s | FileCheck %s

func.func @show(%x: f64) {
  %0 = arith.fptosi %x : f64 to i5
  %1 = arith.fptoui %x : f64 to i5
  %2 = arith.fptosi %x : f64 to i40
  %3 = arith.extsi %0 : i5 to i64
  %4 = arith.extui %1 : i5 to i64
  %5 = arith.extsi %2 : i40 to i64
  %6 = vector.from_elements %3, %4, %5 : vector<3xi64>
  vector.print %6 : vector<3xi64>
  return
}

// CHECK:      ( 7, 7, 7 )
// CHECK-NEXT: ( 15, 31, 100 )
// CHECK-NEXT: ( -16, 0, -100 )
// CHECK-NEXT: ( 15, 31, 549755813887 )
// CHECK-NEXT: ( 0, 0, 0 )
func.func @main() {
  %a = arith.constant 7.75 : f64
  %b = arith.constant 100.0 : f64
  %c = arith.constant -100.0 : f64
  %d = arith.constant 1.0e300 : f64
  %e = arith.constant 0x7ff8000000000000 : f64
  func.call @show(%a) : (f64) -> ()
  func.call @show(%b) : (f64) -> ()
  func.call @show(%c) : (f64) -> ()
  func.call @show(%d) : (f64) -> ()
  func.call @show(%e) : (f64) -> ()
  return
}
