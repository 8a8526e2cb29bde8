// Shapes of code that Flang makes: temporaries of expressions, boxes of them, loops that carry arrays.
// RUN: freehold opt --irdl-file=%S/fir.irdl --buffer-deallocation-pipeline --verify-ownership %s | FileCheck %s
// RUN: freehold opt --irdl-file=%S/fir.irdl --hlo-deallocation-pipeline --verify-ownership %s -o %t
// RUN: freehold opt --irdl-file=%S/fir.irdl --pass-pipeline="builtin.module(buffer-deallocation{introduce=copy},verify-ownership)" %s -o %t

// The box keeps the temporary.
// CHECK-LABEL: func.func @boxed
// CHECK:         %[[T:.*]] = "fir.allocmem"
// CHECK:         "fir.box_addr"
// CHECK-NEXT:    memref.load
// CHECK-NEXT:    memref.dealloc %[[T]]
func.func @boxed(%n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %t = "fir.allocmem"(%n) : (index) -> memref<?xf32>
  %b = "fir.embox"(%t) : (memref<?xf32>) -> !fir.box<!fir.array<?xf32>>
  %m = "fir.box_addr"(%b) : (!fir.box<!fir.array<?xf32>>) -> memref<?xf32>
  %x = memref.load %m[%c0] : memref<?xf32>
  return %x : f32
}

// Each iteration frees what it was given.
// CHECK-LABEL: func.func @carried
// CHECK:         %[[FIRST:.*]] = "fir.allocmem"
// CHECK:         %[[LAST:.*]] = "fir.do_loop"(%{{.*}}, %[[FIRST]]) ({
// CHECK:         ^bb0(%{{.*}}: index, %[[OLD:.*]]: memref<?xf32>):
// CHECK:           %[[NEW:.*]] = "fir.allocmem"
// CHECK:           memref.dealloc %[[OLD]]
// CHECK:           "fir.result"(%[[NEW]])
// CHECK:         return %[[LAST]]
func.func @carried(%n: index) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = arith.constant 1.0 : f32
  %first = "fir.allocmem"(%n) : (index) -> memref<?xf32>
  %last = "fir.do_loop"(%c0, %n, %c1, %first) ({
  ^bb0(%i: index, %old: memref<?xf32>):
    %new = "fir.allocmem"(%n) : (index) -> memref<?xf32>
    %v = memref.load %old[%c0] : memref<?xf32>
    memref.store %v, %new[%c0] : memref<?xf32>
    "fir.result"(%new) : (memref<?xf32>) -> ()
  }) : (index, index, index, memref<?xf32>) -> memref<?xf32>
  return %last : memref<?xf32>
}

// What the program frees stays freed there.
// CHECK-LABEL: func.func @freed
// CHECK:         "fir.freemem"
// CHECK-NOT:     memref.dealloc
// CHECK:         return
func.func @freed(%n: index) {
  %t = "fir.allocmem"(%n) : (index) -> memref<?xf32>
  "fir.freemem"(%t) : (memref<?xf32>) -> ()
  return
}
