// Tensors, buffers, vectors and scalars of signed and unsigned integers, as converters write them around
// arithmetic that knows no signs: a cast to as many bits is the same memory.

// RUN: freehold run %s | FileCheck %s
// RUN: freehold run %s -O0 --check | FileCheck %s
// RUN: freehold run %s -O3 --check=accesses | FileCheck %s
// RUN: freehold run %s --dealloc=hlo --check | FileCheck %s
// RUN: freehold run %s --dealloc=clone --check | FileCheck %s
// RUN: freehold run %s --dealloc=copy --check | FileCheck %s
// RUN: freehold run %s -e add --input=4xui16=1,2,65535,4 --input=4xui16=1,1,1,1 | FileCheck %s --check-prefix=ADD
// RUN: freehold run %s -O0 -e narrow --input=2xui8=200,100 | FileCheck %s --check-prefix=NARROW
// RUN: freehold run %s -O3 -e narrow --input=2xui8=200,100 | FileCheck %s --check-prefix=NARROW

#id = affine_map<(d0) -> (d0)>

// ADD: [2, 3, 0, 5]
func.func @add(%a: tensor<4xui16>, %b: tensor<4xui16>) -> tensor<4xui16> {
  %0 = builtin.unrealized_conversion_cast %a : tensor<4xui16> to tensor<4xi16>
  %1 = builtin.unrealized_conversion_cast %b : tensor<4xui16> to tensor<4xi16>
  %e = tensor.empty() : tensor<4xi16>
  %2 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%0, %1 : tensor<4xi16>, tensor<4xi16>) outs(%e : tensor<4xi16>) {
  ^bb0(%x: i16, %y: i16, %z: i16):
    %s = arith.addi %x, %y : i16
    linalg.yield %s : i16
  } -> tensor<4xi16>
  %3 = builtin.unrealized_conversion_cast %2 : tensor<4xi16> to tensor<4xui16>
  return %3 : tensor<4xui16>
}

// Elements may be unsigned in the body as well.
// NARROW: [144, 44]
func.func @narrow(%a: tensor<2xui8>) -> tensor<2xui8> {
  %e = tensor.empty() : tensor<2xui8>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : tensor<2xui8>) outs(%e : tensor<2xui8>) {
  ^bb0(%x: ui8, %z: ui8):
    %y = builtin.unrealized_conversion_cast %x : ui8 to i8
    %c = arith.constant 200 : i8
    %s = arith.addi %y, %c : i8
    %u = builtin.unrealized_conversion_cast %s : i8 to ui8
    linalg.yield %u : ui8
  } -> tensor<2xui8>
  return %0 : tensor<2xui8>
}

// What was there before is looked at after a change under another name.
func.func private @change(%t: tensor<3xi32>, %n: i32) -> (tensor<3xi32>, tensor<3xi32>) {
  %c1 = arith.constant 1 : index
  %u = builtin.unrealized_conversion_cast %t : tensor<3xi32> to tensor<3xsi32>
  %s = builtin.unrealized_conversion_cast %n : i32 to si32
  %i = tensor.insert %s into %u[%c1] : tensor<3xsi32>
  %r = builtin.unrealized_conversion_cast %i : tensor<3xsi32> to tensor<3xi32>
  %d = tensor.insert %n into %t[%c1] : tensor<3xi32>
  %e = tensor.insert %n into %d[%c1] : tensor<3xi32>
  return %r, %t : tensor<3xi32>, tensor<3xi32>
}

// CHECK: ( 1, 9, 3 )
// CHECK-NEXT: ( 1, 2, 3 )
// CHECK-NEXT: ( 7, 8 )
func.func @main() {
  %c0 = arith.constant 0 : index
  %p = arith.constant 0 : i32
  %n = arith.constant 9 : i32
  %t = arith.constant dense<[1, 2, 3]> : tensor<3xi32>
  %r:2 = call @change(%t, %n) : (tensor<3xi32>, i32) -> (tensor<3xi32>, tensor<3xi32>)
  %a = vector.transfer_read %r#0[%c0], %p {in_bounds = [true]} : tensor<3xi32>, vector<3xi32>
  %b = vector.transfer_read %r#1[%c0], %p {in_bounds = [true]} : tensor<3xi32>, vector<3xi32>
  vector.print %a : vector<3xi32>
  vector.print %b : vector<3xi32>
  %v = arith.constant dense<[7, 8]> : vector<2xi32>
  %u = builtin.unrealized_conversion_cast %v : vector<2xi32> to vector<2xui32>
  %w = builtin.unrealized_conversion_cast %u : vector<2xui32> to vector<2xi32>
  vector.print %w : vector<2xi32>
  return
}
