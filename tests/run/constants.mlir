// Constants whose elements stand in the metadata of the file, or between zeros.
//
// RUN: freehold run %s -O0 | FileCheck %s
// RUN: freehold run %s -O2 | FileCheck %s

memref.global "private" constant @blob : memref<3xi16> = dense_resource<three>

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index

  // CHECK: 258
  // CHECK-NEXT: -1
  %blob = memref.get_global @blob : memref<3xi16>
  %b0 = memref.load %blob[%c0] : memref<3xi16>
  %b2 = memref.load %blob[%c2] : memref<3xi16>
  vector.print %b0 : i16
  vector.print %b2 : i16

  // CHECK-NEXT: 1.5
  %tensor = arith.constant dense_resource<floats> : tensor<1x2xf32>
  %t = tensor.extract %tensor[%c0, %c1] : tensor<1x2xf32>
  vector.print %t : f32

  // CHECK-NEXT: ( 0, 7, 0, 0, 0, 8 )
  %sparse = arith.constant sparse<[[0, 1], [1, 2]], [7, 8]> : tensor<2x3xi32>
  %s0 = tensor.extract %sparse[%c0, %c0] : tensor<2x3xi32>
  %s1 = tensor.extract %sparse[%c0, %c1] : tensor<2x3xi32>
  %s2 = tensor.extract %sparse[%c0, %c2] : tensor<2x3xi32>
  %s3 = tensor.extract %sparse[%c1, %c0] : tensor<2x3xi32>
  %s4 = tensor.extract %sparse[%c1, %c1] : tensor<2x3xi32>
  %s5 = tensor.extract %sparse[%c1, %c2] : tensor<2x3xi32>
  %s = vector.from_elements %s0, %s1, %s2, %s3, %s4, %s5 : vector<6xi32>
  vector.print %s : vector<6xi32>

  // One value for several places.
  // CHECK-NEXT: ( 0, 2.5, 2.5 )
  %same = arith.constant sparse<[[1], [2]], 2.5> : tensor<3xf32>
  %f0 = tensor.extract %same[%c0] : tensor<3xf32>
  %f1 = tensor.extract %same[%c1] : tensor<3xf32>
  %f2 = tensor.extract %same[%c2] : tensor<3xf32>
  %f = vector.from_elements %f0, %f1, %f2 : vector<3xf32>
  vector.print %f : vector<3xf32>

  // No value at all.
  // CHECK-NEXT: 0
  %nothing = arith.constant sparse<> : tensor<2xi64>
  %n = tensor.extract %nothing[%c1] : tensor<2xi64>
  vector.print %n : i64

  // A private global without an initial value is memory that only this module sees.
  // CHECK-NEXT: 9
  %nine = arith.constant 9 : i32
  %own = memref.get_global @own : memref<2xi32>
  memref.store %nine, %own[%c1] : memref<2xi32>
  %o = memref.load %own[%c1] : memref<2xi32>
  vector.print %o : i32
  return
}

memref.global "private" @own : memref<2xi32>

// Nothing calls what is in a module of its own.
module {
  func.func @main() { return }
}

{-#
  dialect_resources: {
    builtin: {
      three: "0x0200000002010000FFFF",
      floats: "0x04000000000080BF0000C03F"
    }
  }
#-}
