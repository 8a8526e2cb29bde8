// RUN: freehold opt %s --buffer-hoisting --verify-each --allow-unregistered-dialect | FileCheck %s

// Up to the dominator of all uses, the block argument included.
// CHECK-LABEL: func.func @branch
// CHECK-NEXT:    %[[A:.*]] = memref.alloc() : memref<2xf32>
// CHECK-NEXT:    cf.cond_br
// CHECK-NOT:     memref.alloc
func.func @branch(%c: i1, %arg1: memref<2xf32>, %arg2: memref<2xf32>) {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  cf.br ^bb3(%arg1 : memref<2xf32>)
^bb2:
  %a = memref.alloc() : memref<2xf32>
  "use"(%a) : (memref<2xf32>) -> ()
  cf.br ^bb3(%a : memref<2xf32>)
^bb3(%x: memref<2xf32>):
  memref.copy %x, %arg2 : memref<2xf32> to memref<2xf32>
  return
}

// The size is known no earlier than ^bb2.
// CHECK-LABEL: func.func @dynamic
// CHECK:       ^bb2(%[[N:.*]]: index):
// CHECK-NEXT:    memref.alloc(%[[N]])
func.func @dynamic(%c: i1, %arg1: memref<?xf32>, %arg2: memref<?xf32>, %arg3: index) {
  cf.cond_br %c, ^bb1, ^bb2(%arg3 : index)
^bb1:
  cf.br ^bb3(%arg1 : memref<?xf32>)
^bb2(%n: index):
  %a = memref.alloc(%n) : memref<?xf32>
  "use"(%a) : (memref<?xf32>) -> ()
  cf.br ^bb3(%a : memref<?xf32>)
^bb3(%x: memref<?xf32>):
  memref.copy %x, %arg2 : memref<?xf32> to memref<?xf32>
  return
}

// A size that is computed on the way stops the allocation below it.
// CHECK-LABEL: func.func @computed_size
// CHECK:       ^bb1:
// CHECK-NEXT:    %[[N:.*]] = arith.addi
// CHECK-NEXT:    %[[A:.*]] = memref.alloc(%[[N]])
// CHECK-NEXT:    cf.cond_br
func.func @computed_size(%c: i1, %n: index, %m: memref<?xf32>) {
  cf.cond_br %c, ^bb1, ^bb4(%m : memref<?xf32>)
^bb1:
  %sum = arith.addi %n, %n : index
  cf.cond_br %c, ^bb2, ^bb3
^bb2:
  %a = memref.alloc(%sum) : memref<?xf32>
  cf.br ^bb4(%a : memref<?xf32>)
^bb3:
  cf.br ^bb4(%m : memref<?xf32>)
^bb4(%x: memref<?xf32>):
  "use"(%x) : (memref<?xf32>) -> ()
  return
}

// Out of regions when the result is used outside; the order stays.
// CHECK-LABEL: func.func @regions
// CHECK-NEXT:    %[[A:.*]] = memref.alloc() : memref<2xf32>
// CHECK-NEXT:    %[[B:.*]] = memref.alloc() : memref<2xf32>
// CHECK-NEXT:    scf.if
// CHECK-NEXT:      scf.yield %[[A]]
// CHECK-NEXT:    } else {
// CHECK-NEXT:      scf.yield %[[B]]
func.func @regions(%c: i1) {
  %r = scf.if %c -> memref<2xf32> {
    %a = memref.alloc() : memref<2xf32>
    scf.yield %a : memref<2xf32>
  } else {
    %b = memref.alloc() : memref<2xf32>
    scf.yield %b : memref<2xf32>
  }
  "use"(%r) : (memref<2xf32>) -> ()
  return
}

// What is used in one place only stays there.
// CHECK-LABEL: func.func @local
// CHECK-NEXT:    scf.if
// CHECK-NEXT:      memref.alloc
func.func @local(%c: i1) {
  scf.if %c {
    %a = memref.alloc() : memref<2xf32>
    "use"(%a) : (memref<2xf32>) -> ()
  }
  return
}

// Never out of loops: each iteration has a buffer of its own.
// CHECK-LABEL: func.func @loops
// CHECK:         scf.for
// CHECK-NEXT:      memref.alloc
// CHECK:         scf.parallel
// CHECK-NEXT:      %[[B:.*]] = memref.alloc
// CHECK-NEXT:      scf.if
func.func @loops(%l: index, %u: index, %s: index, %m: memref<2xf32>, %c: i1) {
  %r = scf.for %i = %l to %u step %s iter_args(%x = %m) -> memref<2xf32> {
    %a = memref.alloc() : memref<2xf32>
    scf.yield %a : memref<2xf32>
  }
  "use"(%r) : (memref<2xf32>) -> ()
  scf.parallel (%i) = (%l) to (%u) step (%s) {
    %t = scf.if %c -> memref<2xf32> {
      %b = memref.alloc() : memref<2xf32>
      scf.yield %b : memref<2xf32>
    } else {
      scf.yield %m : memref<2xf32>
    }
    "use"(%t) : (memref<2xf32>) -> ()
  }
  return
}

// Nor out of loops made of blocks: ^bb2 may go up to ^bb1, not to ^bb0.
// CHECK-LABEL: func.func @block_loop
// CHECK-NEXT:    cf.br ^bb1
// CHECK:       ^bb1(%{{.*}}: memref<2xf32>):
// CHECK-NEXT:    %[[A:.*]] = memref.alloc
// CHECK-NEXT:    cf.cond_br
func.func @block_loop(%m: memref<2xf32>, %c: i1) {
  cf.br ^bb1(%m : memref<2xf32>)
^bb1(%x: memref<2xf32>):
  cf.cond_br %c, ^bb2, ^bb3(%x : memref<2xf32>)
^bb2:
  %a = memref.alloc() : memref<2xf32>
  cf.cond_br %c, ^bb1(%a : memref<2xf32>), ^bb3(%a : memref<2xf32>)
^bb3(%y: memref<2xf32>):
  "use"(%y) : (memref<2xf32>) -> ()
  return
}

// A buffer that the program frees would leak where it does not need it.
// CHECK-LABEL: func.func @freed
// CHECK-NEXT:    cf.cond_br
func.func @freed(%c: i1) {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  %a = memref.alloc() : memref<2xf32>
  cf.br ^bb3(%a : memref<2xf32>)
^bb2:
  %b = memref.alloc() : memref<2xf32>
  cf.br ^bb3(%b : memref<2xf32>)
^bb3(%x: memref<2xf32>):
  memref.dealloc %x : memref<2xf32>
  return
}

// Nothing happens in blocks that control does not reach.
// CHECK-LABEL: func.func @unreachable
func.func @unreachable(%m: memref<2xf32>) {
  return
^bb1:
  %a = memref.alloc() : memref<2xf32>
  cf.br ^bb2(%a : memref<2xf32>)
^bb2(%x: memref<2xf32>):
  return
}

// Stack memory ends with its scope and stays in it.
// CHECK-LABEL: func.func @alloca
// CHECK:         scf.if
// CHECK-NEXT:      memref.alloca
func.func @alloca(%c: i1, %m: memref<2xf32>) {
  %r = scf.if %c -> memref<2xf32> {
    %a = memref.alloca() : memref<2xf32>
    scf.yield %a : memref<2xf32>
  } else {
    scf.yield %m : memref<2xf32>
  }
  "use"(%r) : (memref<2xf32>) -> ()
  return
}
