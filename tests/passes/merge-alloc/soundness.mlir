// RUN: freehold opt %s --merge-alloc --allow-unregistered-dialect | FileCheck %s

// What could go wrong, and must not.

// Two buffers are used in sibling loops inside of another loop: both live through the outer one.
// CHECK-LABEL: func.func @sibling_loops
// CHECK:         memref.alloc() {{.*}} : memref<128xi8>
func.func @sibling_loops(%n: index, %zero: index, %one: index) {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  scf.for %i = %zero to %n step %one {
    scf.for %j = %zero to %n step %one {
      "x.use"(%a) : (memref<16xf32>) -> ()
    }
    scf.for %j = %zero to %n step %one {
      "x.use"(%b) : (memref<16xf32>) -> ()
    }
  }
  return
}

// A condition of a while loop repeats as its body does.
// CHECK-LABEL: func.func @while_condition
// CHECK:         memref.alloc() {{.*}} : memref<128xi8>
func.func @while_condition() {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  scf.while : () -> () {
    %c = "x.use"(%a) : (memref<16xf32>) -> i1
    scf.condition(%c)
  } do {
    "x.use"(%b) : (memref<16xf32>) -> ()
    scf.yield
  }
  return
}

// What is stored in memory or becomes something else is left alone.
// CHECK-LABEL: func.func @escapes
// CHECK-COUNT-5: memref.alloc() : memref<4xf32>
// CHECK-NOT:     memref.view
func.func @escapes(%holder: memref<memref<4xf32>>) {
  %a = memref.alloc() : memref<4xf32>
  memref.store %a, %holder[] : memref<memref<4xf32>>
  %b = memref.alloc() : memref<4xf32>
  %t = bufferization.to_tensor %b : memref<4xf32>
  %c = memref.alloc() : memref<4xf32>
  %p = "x.pointer"(%c) : (memref<4xf32>) -> !x.ptr
  %d = memref.alloc() : memref<4xf32>
  "x.later"() ({
    "x.use"(%d) : (memref<4xf32>) -> ()
    %e = memref.alloc() : memref<4xf32>
    "x.use"(%e) : (memref<4xf32>) -> ()
    "x.end"() : () -> ()
  }) : () -> ()
  return
}

// Branches exclude each other, so buffers used in one each may share.
// CHECK-LABEL: func.func @exclusive
// CHECK:         memref.alloc() {{.*}} : memref<64xi8>
func.func @exclusive(%cond: i1) {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  scf.if %cond {
    "x.use"(%a) : (memref<16xf32>) -> ()
    "x.use"(%a) : (memref<16xf32>) -> ()
  } else {
    "x.use"(%b) : (memref<16xf32>) -> ()
    "x.use"(%b) : (memref<16xf32>) -> ()
  }
  return
}

// A buffer allocated in a branch and used after it lives in between; of the two, only one is there.
// CHECK-LABEL: func.func @out_of_branch
// CHECK:         memref.alloc() {{.*}} : memref<128xi8>
func.func @out_of_branch(%cond: i1) {
  %r = scf.if %cond -> (memref<16xf32>) {
    %a = memref.alloc() : memref<16xf32>
    "x.use"(%a) : (memref<16xf32>) -> ()
    scf.yield %a : memref<16xf32>
  } else {
    %b = memref.alloc() : memref<16xf32>
    "x.use"(%b) : (memref<16xf32>) -> ()
    scf.yield %b : memref<16xf32>
  }
  %c = memref.alloc() : memref<16xf32>
  "x.use"(%c) : (memref<16xf32>) -> ()
  "x.use"(%r) : (memref<16xf32>) -> ()
  return
}

// Several blocks: the two branches may share, what is used after them may not.
// CHECK-LABEL: func.func @blocks
// CHECK:         memref.alloc() {{.*}} : memref<128xi8>
// CHECK:         cf.cond_br
func.func @blocks(%cond: i1) {
  %a = memref.alloc() : memref<16xf32>
  "x.use"(%a) : (memref<16xf32>) -> ()
  cf.cond_br %cond, ^then, ^else
^then:
  %b = memref.alloc() : memref<16xf32>
  "x.use"(%b) : (memref<16xf32>) -> ()
  "x.use"(%b) : (memref<16xf32>) -> ()
  cf.br ^end
^else:
  %c = memref.alloc() : memref<16xf32>
  "x.use"(%c) : (memref<16xf32>) -> ()
  "x.use"(%c) : (memref<16xf32>) -> ()
  cf.br ^end
^end:
  "x.use"(%a) : (memref<16xf32>) -> ()
  return
}

// A loop made of blocks: what is used in it and comes from outside lives through all of it.
// CHECK-LABEL: func.func @loop_of_blocks
// CHECK:         memref.alloc() {{.*}} : memref<192xi8>
func.func @loop_of_blocks(%cond: i1) {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  cf.br ^loop
^loop:
  "x.use"(%a) : (memref<16xf32>) -> ()
  %c = memref.alloc() : memref<16xf32>
  "x.use"(%c) : (memref<16xf32>) -> ()
  "x.use"(%c) : (memref<16xf32>) -> ()
  "x.use"(%b) : (memref<16xf32>) -> ()
  cf.cond_br %cond, ^loop, ^end
^end:
  return
}

// The buffer of one iteration is used in the next, where a new one is made: two at once.
// CHECK-LABEL: func.func @two_instances
// CHECK:         memref.alloc() {{.*}} : memref<64xi8>
// CHECK:       ^bb1(
// CHECK:         memref.alloc() : memref<16xf32>
func.func @two_instances(%cond: i1) {
  %a = memref.alloc() : memref<16xf32>
  cf.br ^loop(%a : memref<16xf32>)
^loop(%last: memref<16xf32>):
  %b = memref.alloc() : memref<16xf32>
  "x.use"(%b, %last) : (memref<16xf32>, memref<16xf32>) -> ()
  cf.cond_br %cond, ^loop(%b : memref<16xf32>), ^end
^end:
  return
}

// A region with blocks that loop counts as a loop for what is allocated outside.
// CHECK-LABEL: func.func @execute_region
// CHECK:         memref.alloc() {{.*}} : memref<128xi8>
func.func @execute_region(%cond: i1) {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  scf.execute_region {
    cf.br ^loop
  ^loop:
    "x.use"(%a) : (memref<16xf32>) -> ()
    cf.br ^more
  ^more:
    "x.use"(%b) : (memref<16xf32>) -> ()
    cf.cond_br %cond, ^loop, ^end
  ^end:
    scf.yield
  }
  return
}

// An operation may access its operands while its regions run.
// CHECK-LABEL: func.func @body_and_operand
// CHECK:         memref.alloc() {{.*}} : memref<128xi8>
func.func @body_and_operand(%i: index) {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      outs(%a : memref<16xf32>) {
  ^bb0(%old: f32):
    %x = memref.load %b[%i] : memref<16xf32>
    linalg.yield %x : f32
  }
  return
}

// A transfer goes on after the operation that starts it.
// CHECK-LABEL: func.func @transfer
// CHECK-NOT:     memref.view
// CHECK:         return
func.func @transfer(%x: memref<16xf32, 1>, %tag: memref<1xi32>, %i: index, %n: index) {
  %a = memref.alloc() : memref<16xf32>
  memref.dma_start %x[%i], %a[%i], %n, %tag[%i] : memref<16xf32, 1>, memref<16xf32>, memref<1xi32>
  return
}

// A reduction runs at the very end of an iteration, where nothing can be freed after it.
// CHECK-LABEL: func.func @reduction
// CHECK:         memref.alloc() : memref<16xf32>
func.func @reduction(%n: index, %zero: index, %one: index, %f: f32) -> f32 {
  %r = scf.parallel (%i) = (%zero) to (%n) step (%one) init (%f) -> f32 {
    %a = memref.alloc() : memref<16xf32>
    memref.store %f, %a[%zero] : memref<16xf32>
    scf.reduce(%f : f32) {
    ^bb0(%x: f32, %y: f32):
      %v = memref.load %a[%zero] : memref<16xf32>
      %s = arith.addf %x, %v : f32
      scf.reduce.return %s : f32
    }
  }
  return %r : f32
}

// Growing a buffer frees it.
// CHECK-LABEL: func.func @realloc
// CHECK:         memref.alloc() : memref<4xf32>
// CHECK-NOT:     memref.view
// CHECK:         return
func.func @realloc(%n: index) {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.realloc %a(%n) : memref<4xf32> to memref<?xf32>
  "x.use"(%b) : (memref<?xf32>) -> ()
  memref.dealloc %b : memref<?xf32>
  return
}

// An unknown operation with a region may run it at any time, later as well.
// CHECK-LABEL: func.func @unknown_region
// CHECK:         memref.alloc() : memref<4xf32>
// CHECK:         memref.alloc() {{.*}} : memref<64xi8>
// CHECK:         return
func.func @unknown_region() {
  %a = memref.alloc() : memref<4xf32>
  "x.run"() ({
    "x.use"(%a) : (memref<4xf32>) -> ()
    "x.end"() : () -> ()
  }) : () -> ()
  %b = memref.alloc() : memref<4xf32>
  "x.use"(%b) : (memref<4xf32>) -> ()
  return
}
