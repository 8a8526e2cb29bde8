// RUN: freehold opt --convert-to-signless %s | FileCheck %s

// Casts that keep the bits go, and so do the signs in types of values, functions and constants.
// CHECK: memref.global "private" constant @g : memref<2xi8> = dense<[-1, 1]>
memref.global "private" constant @g : memref<2xui8> = dense<[255, 1]>

// CHECK-LABEL: func.func @f(
// CHECK-SAME: %[[X:.*]]: tensor<4xi16>) -> tensor<4xi16>
// CHECK-SAME: freehold.declared_type = (tensor<4xui16>) -> tensor<4xui16>
// CHECK-NEXT: %[[Y:.*]] = arith.addi %[[X]], %[[X]] : tensor<4xi16>
// CHECK-NEXT: return %[[Y]]
func.func @f(%x: tensor<4xui16>) -> tensor<4xui16> {
  %0 = builtin.unrealized_conversion_cast %x : tensor<4xui16> to tensor<4xi16>
  %1 = arith.addi %0, %0 : tensor<4xi16>
  %2 = tensor.bitcast %1 : tensor<4xi16> to tensor<4xui16>
  return %2 : tensor<4xui16>
}

// CHECK-LABEL: func.func @loops(
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}) -> (memref<?xi32>)
// CHECK-NOT: si32
func.func @loops(%m: memref<?xsi32>, %n: index) -> memref<?xsi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %m) -> (memref<?xsi32>) {
    %b = memref.alloc(%n) : memref<?xsi32>
    scf.yield %b : memref<?xsi32>
  }
  return %r : memref<?xsi32>
}

// Printing reads the sign off the type.
// CHECK-LABEL: func.func @prints(
// CHECK-SAME: %[[X:.*]]: i8)
// CHECK: %[[U:.*]] = builtin.unrealized_conversion_cast %[[X]] : i8 to ui8
// CHECK-NEXT: vector.print %[[U]] : ui8
func.func @prints(%x: ui8) {
  vector.print %x : ui8
  return
}

// A cast to another width or kind is another thing.
// CHECK-LABEL: func.func @other(
// CHECK: builtin.unrealized_conversion_cast %{{.*}} : i16 to f16
func.func @other(%x: ui16) -> f16 {
  %0 = builtin.unrealized_conversion_cast %x : ui16 to f16
  return %0 : f16
}
