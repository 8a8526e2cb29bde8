// RUN: freehold opt %s --merge-alloc --allow-unregistered-dialect | FileCheck %s
// RUN: freehold opt %s --merge-alloc --merge-alloc --allow-unregistered-dialect | FileCheck %s

// Which operation an arena belongs to.

// The body of an affine loop is a scope: it has an arena in each iteration.
// CHECK-LABEL: func.func @affine_loop
// CHECK-NOT:     memref.alloc
// CHECK:         affine.for
// CHECK-NEXT:      memref.alloc() {{.*}} : memref<64xi8>
// CHECK-NOT:       memref.alloc
// CHECK:         affine.parallel
// CHECK-NEXT:      memref.alloc() {{.*}} : memref<64xi8>
func.func @affine_loop(%x: memref<8xf32>) {
  affine.for %i = 0 to 8 {
    %a = memref.alloc() : memref<16xf32>
    "x.use"(%a) : (memref<16xf32>) -> ()
    %b = memref.alloc() : memref<8xf32>
    "x.use"(%b) : (memref<8xf32>) -> ()
  }
  affine.parallel (%i) = (0) to (8) {
    %a = memref.alloc() : memref<8xf32>
    "x.use"(%a) : (memref<8xf32>) -> ()
  }
  return
}

// So is this.
// CHECK-LABEL: func.func @alloca_scope
// CHECK:         memref.alloc() {{.*}} : memref<64xi8>
// CHECK:         memref.alloca_scope
// CHECK-NEXT:      memref.alloc() {{.*}} : memref<64xi8>
func.func @alloca_scope() {
  %a = memref.alloc() : memref<16xf32>
  memref.alloca_scope {
    %b = memref.alloc() : memref<8xf32>
    "x.use"(%a, %b) : (memref<16xf32>, memref<8xf32>) -> ()
  }
  return
}

// While loops, branches and scf.for are none. The buffers of one iteration are gone in the next.
// CHECK-LABEL: func.func @no_scopes
// CHECK:         memref.alloc() {{.*}} : memref<64xi8>
// CHECK-NEXT:    scf.while
// CHECK-NOT:     memref.alloc
func.func @no_scopes(%c: i1, %n: index, %zero: index, %one: index) {
  scf.while : () -> () {
    %a = memref.alloc() : memref<16xf32>
    "x.use"(%a) : (memref<16xf32>) -> ()
    scf.condition(%c)
  } do {
    %b = memref.alloc() : memref<16xf32>
    "x.use"(%b) : (memref<16xf32>) -> ()
    scf.yield
  }
  scf.for %i = %zero to %n step %one {
    scf.if %c {
      %d = memref.alloc() : memref<16xf32>
      "x.use"(%d) : (memref<16xf32>) -> ()
    }
  }
  return
}

// Each case yields a buffer of its own. One of them runs, so all may have the same bytes.
// CHECK-LABEL: func.func @index_switch
// CHECK:         memref.alloc() {{.*}} : memref<64xi8>
// CHECK-NOT:     memref.alloc
func.func @index_switch(%case: index) {
  %r = scf.index_switch %case -> memref<16xf32>
  case 1 {
    %a = memref.alloc() : memref<16xf32>
    "x.use"(%a) : (memref<16xf32>) -> ()
    scf.yield %a : memref<16xf32>
  }
  case 2 {
    %b = memref.alloc() : memref<16xf32>
    "x.use"(%b) : (memref<16xf32>) -> ()
    scf.yield %b : memref<16xf32>
  }
  default {
    %d = memref.alloc() : memref<16xf32>
    "x.use"(%d) : (memref<16xf32>) -> ()
    scf.yield %d : memref<16xf32>
  }
  "x.use"(%r) : (memref<16xf32>) -> ()
  return
}

// Parallel loops in parallel loops, some with bounds known at run time only or with a sequential loop in
// between: each buffer is in an arena of the iteration that allocates it.
// CHECK-LABEL: func.func @parallel_loops
// CHECK-NOT:     memref.alloc
// CHECK:         scf.forall (%{{.*}}) in (4)
// CHECK-NEXT:      memref.alloc() {{.*}} : memref<64xi8>
// CHECK-NOT:     memref.alloc
// CHECK:         scf.parallel
// CHECK-NEXT:      memref.alloc() {{.*}} : memref<128xi8>
// CHECK-NOT:     memref.alloc
func.func @parallel_loops(%n: index, %zero: index, %one: index) {
  scf.forall (%i) in (16) {
    scf.forall (%j) in (%n) {
      scf.forall (%k) in (4) {
        %a = memref.alloc() : memref<16xf32>
        scf.forall (%l) in (2) {
          "x.use"(%a) : (memref<16xf32>) -> ()
        }
      }
    }
    scf.for %j = %zero to %n step %one {
      scf.parallel (%k) = (%zero) to (%n) step (%one) {
        %a = memref.alloc() : memref<32xf32>
        scf.forall (%l) in (2) {
          "x.use"(%a) : (memref<32xf32>) -> ()
        }
      }
    }
  }
  return
}

// A forall around a forall around a loop that yields a buffer of the function.
// CHECK-LABEL: func.func @yielded_inside
// CHECK:         memref.alloc() {{.*}} : memref<64xi8>
// CHECK:         scf.forall
// CHECK-NEXT:      memref.alloc() {{.*}} : memref<64xi8>
// CHECK:           scf.forall
// CHECK-NEXT:        memref.alloc() {{.*}} : memref<64xi8>
func.func @yielded_inside(%n: index, %zero: index, %one: index) {
  %f = memref.alloc() : memref<4xf32>
  scf.forall (%i) in (16) {
    %a = memref.alloc() : memref<4xf32>
    scf.forall (%j) in (4) {
      %b = memref.alloc() : memref<8xf32>
      "x.use"(%a, %b) : (memref<4xf32>, memref<8xf32>) -> ()
      %r = scf.for %k = %zero to %n step %one iter_args(%m = %f) -> (memref<4xf32>) {
        scf.yield %m : memref<4xf32>
      }
      "x.use"(%r) : (memref<4xf32>) -> ()
    }
  }
  return
}

// Pointers, tasks of unknown operations, and regions of them are left alone.
// CHECK-LABEL: func.func @pointers
// CHECK-COUNT-3: memref.alloc() : memref<16xf32>
// CHECK:         memref.alloc() : memref<1xmemref<16xf32>>
// CHECK-NEXT:    memref.alloc() : memref<16xf32>
// CHECK-NOT:     memref.view
func.func @pointers(%zero: index) {
  %a = memref.alloc() : memref<16xf32>
  %p = builtin.unrealized_conversion_cast %a : memref<16xf32> to !llvm.ptr
  "x.use"(%p) : (!llvm.ptr) -> ()
  %b = memref.alloc() : memref<16xf32>
  %address = memref.extract_aligned_pointer_as_index %b : memref<16xf32> -> index
  "x.use"(%address) : (index) -> ()
  %c = memref.alloc() : memref<16xf32>
  %token = "other.execute"() ({
    "x.use"(%c) : (memref<16xf32>) -> ()
    "other.yield"() : () -> ()
  }) : () -> !other.token
  %d = memref.alloc() : memref<1xmemref<16xf32>>
  %e = memref.alloc() : memref<16xf32>
  memref.store %e, %d[%zero] : memref<1xmemref<16xf32>>
  return
}
