// A mask must have as many elements as what it masks.
//
// RUN: not freehold run %s 2>&1 | FileCheck %s

func.func @main() {
  %c2 = arith.constant 2 : index
  %v = arith.constant dense<1.0> : vector<8xf32>
  %mask = vector.create_mask %c2 : vector<4xi1>
  // CHECK: error: 'vector.mask' op cannot be lowered to native code
  %sum = vector.mask %mask { vector.reduction <add>, %v : vector<8xf32> into f32 } : vector<4xi1> -> f32
  vector.print %sum : f32
  return
}
