// RUN: freehold run %s | FileCheck %s
// RUN: freehold opt %s | freehold run - | FileCheck %s

// What is at position -1 is poison; the other elements are not.
// CHECK:      ( 1, 6 )
// CHECK-NEXT: 3
func.func @main() {
  %v = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : vector<4xf32>
  %w = arith.constant dense<[5.0, 6.0, 7.0, 8.0]> : vector<4xf32>
  %f = arith.constant 9.0 : f32
  %p = vector.insert %f, %v [-1] : f32 into vector<4xf32>
  %e = vector.extract %v[-1] : f32 from vector<4xf32>
  %s = vector.shuffle %v, %w [0, -1, 5] : vector<4xf32>, vector<4xf32>
  %a = vector.extract %s[0] : f32 from vector<3xf32>
  %b = vector.extract %s[2] : f32 from vector<3xf32>
  %ab = vector.from_elements %a, %b : vector<2xf32>
  vector.print %ab : vector<2xf32>
  %c = vector.extract %v[2] : f32 from vector<4xf32>
  vector.print %c : f32
  return
}
