// RUN: freehold run %s | FileCheck %s
// RUN: freehold run -O0 %s | FileCheck %s
// RUN: freehold run -O3 --dealloc=hlo %s | FileCheck %s
// RUN: freehold run -e f --input=4xui16=1,2,3,65535 --input=4xui16=1,1,1,2 %s | FileCheck %s --check-prefix=ARRAY
// RUN: freehold compile --emit=header -o - %s | FileCheck %s --check-prefix=HEADER

// ARRAY: result #0: 4xui16 = [2, 3, 4, 1]
// HEADER: f(uint16_t *
func.func @f(%a: tensor<4xui16>, %b: tensor<4xui16>) -> tensor<4xui16> {
  %0 = builtin.unrealized_conversion_cast %a : tensor<4xui16> to tensor<4xi16>
  %1 = builtin.unrealized_conversion_cast %b : tensor<4xui16> to tensor<4xi16>
  %2 = arith.addi %0, %1 : tensor<4xi16>
  %3 = builtin.unrealized_conversion_cast %2 : tensor<4xi16> to tensor<4xui16>
  return %3 : tensor<4xui16>
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %a = arith.constant dense<[1, 2, 3, 255]> : tensor<4xui8>
  %signless = builtin.unrealized_conversion_cast %a : tensor<4xui8> to tensor<4xi8>
  %wide = arith.extui %signless : tensor<4xi8> to tensor<4xi16>
  %b = builtin.unrealized_conversion_cast %wide : tensor<4xi16> to tensor<4xui16>
  %r = call @f(%b, %b) : (tensor<4xui16>, tensor<4xui16>) -> tensor<4xui16>
  %last = tensor.extract %r[%c3] : tensor<4xui16>
  // CHECK: 510
  vector.print %last : ui16
  // As newer versions of MLIR write booleans: a byte each.
  %flags = arith.constant dense<"0x01000101"> : tensor<4xi1>
  %flag = tensor.extract %flags[%c0] : tensor<4xi1>
  // CHECK: 1
  vector.print %flag : i1
  %m = memref.alloc() : memref<2xui8>
  %x = tensor.extract %a[%c3] : tensor<4xui8>
  memref.store %x, %m[%c0] : memref<2xui8>
  %y = memref.load %m[%c0] : memref<2xui8>
  // CHECK: 255
  vector.print %y : ui8
  %z = builtin.unrealized_conversion_cast %y : ui8 to i8
  // CHECK: -1
  vector.print %z : i8
  return
}
