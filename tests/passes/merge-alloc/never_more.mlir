// `never-more`: an arena is made only where one of its buffers is allocated for sure.

// RUN: freehold opt %s --merge-alloc="alignment=16 never-more=true" --allow-unregistered-dialect | FileCheck %s

// In a branch that may not be taken, and in a loop that may not run.
// CHECK-LABEL: func.func @inside
// CHECK:         scf.if
// CHECK-NEXT:      memref.alloc() {alignment = 16 : i64} : memref<32xi8>
// CHECK-NOT:       memref.alloc
// CHECK:         scf.for
// CHECK-NEXT:      memref.alloc() {alignment = 16 : i64} : memref<32xi8>
// CHECK-NOT:       memref.alloc
func.func @inside(%c: i1, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.if %c {
    %a = memref.alloc() : memref<4xi64>
    "x.use"(%a) : (memref<4xi64>) -> ()
    %b = memref.alloc() : memref<4xi64>
    "x.use"(%b) : (memref<4xi64>) -> ()
  }
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() : memref<4xi64>
    "x.use"(%a) : (memref<4xi64>) -> ()
    %b = memref.alloc() : memref<4xi64>
    "x.use"(%b) : (memref<4xi64>) -> ()
  }
  return
}

// One buffer is needed anyway, so all can be in the arena; so it is if both branches have one, or the loop
// runs.
// CHECK-LABEL: func.func @outside
// CHECK-COUNT-1: memref.alloc
// CHECK-NOT:     memref.alloc
// CHECK-LABEL: func.func @either
// CHECK:         memref.alloc() {alignment = 16 : i64} : memref<32xi8>
// CHECK-NOT:     memref.alloc
// CHECK-LABEL: func.func @runs
// CHECK:         memref.alloc() {alignment = 16 : i64} : memref<32xi8>
// CHECK-NEXT:    scf.for
// CHECK-NOT:     memref.alloc
func.func @outside(%c: i1) {
  %a = memref.alloc() : memref<4xi64>
  "x.use"(%a) : (memref<4xi64>) -> ()
  scf.if %c {
    %b = memref.alloc() : memref<4xi64>
    "x.use"(%b) : (memref<4xi64>) -> ()
  }
  return
}
func.func @either(%c: i1) {
  scf.if %c {
    %a = memref.alloc() : memref<4xi64>
    "x.use"(%a) : (memref<4xi64>) -> ()
  } else {
    %b = memref.alloc() : memref<4xi64>
    "x.use"(%b) : (memref<4xi64>) -> ()
  }
  return
}
func.func @runs() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  scf.for %i = %c0 to %c3 step %c1 {
    %a = memref.alloc() : memref<4xi64>
    "x.use"(%a) : (memref<4xi64>) -> ()
    %b = memref.alloc() : memref<4xi64>
    "x.use"(%b) : (memref<4xi64>) -> ()
  }
  return
}

// What leaves the branch that allocates it stays as it is.
// CHECK-LABEL: func.func @leaves
// CHECK-COUNT-2: memref.alloc()
// CHECK:         scf.yield %alloc
func.func @leaves(%c: i1, %other: memref<4xi64>) {
  %r = scf.if %c -> (memref<4xi64>) {
    %a = memref.alloc() : memref<4xi64>
    "x.use"(%a) : (memref<4xi64>) -> ()
    %b = memref.alloc() : memref<4xi64>
    "x.use"(%a, %b) : (memref<4xi64>, memref<4xi64>) -> ()
    scf.yield %b : memref<4xi64>
  } else {
    scf.yield %other : memref<4xi64>
  }
  "x.use"(%r) : (memref<4xi64>) -> ()
  return
}
