// A declared alias may be less than a buffer, so strategies that copy return copies of it and free the buffer itself.
//
// RUN: freehold opt --irdl-file=%S/inputs/mirror.mlir --pass-pipeline="builtin.module(buffer-deallocation{introduce=copy},verify-ownership)" %s | FileCheck %s

// CHECK-LABEL: func.func @twice
// CHECK:         %[[A:.*]] = memref.alloc() : memref<2xi8>
// CHECK:         %[[S:.*]] = "mirror.select"(%{{.*}}, %[[A]], %[[A]])
// CHECK:         memref.copy %[[S]], %[[FIRST:.*]] :
// CHECK:         memref.copy %{{.*}}, %[[SECOND:.*]] :
// CHECK:         memref.dealloc %[[A]]
// CHECK:         return %[[FIRST]], %[[SECOND]]
func.func @twice(%c: i1, %x: i8) -> (memref<2xi8>, memref<?xi8>) {
  %a = memref.alloc() : memref<2xi8>
  linalg.fill ins(%x : i8) outs(%a : memref<2xi8>)
  %s = "mirror.select"(%c, %a, %a) : (i1, memref<2xi8>, memref<2xi8>) -> memref<2xi8>
  %v = memref.cast %s : memref<2xi8> to memref<?xi8>
  return %s, %v : memref<2xi8>, memref<?xi8>
}
