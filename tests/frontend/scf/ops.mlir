// Every operation in custom form: printed as mlir-opt prints it, and the same
// after a detour through the generic form.

// RUN: freehold opt %s --allow-unregistered-dialect | freehold opt --allow-unregistered-dialect | FileCheck %s
// RUN: freehold opt %s --allow-unregistered-dialect --mlir-print-op-generic | freehold opt --allow-unregistered-dialect | FileCheck %s
// RUN: freehold opt %s --allow-unregistered-dialect --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC

// CHECK-LABEL: func.func @ifs
// CHECK-SAME:      (%[[C:.*]]: i1, %[[A:.*]]: i32, %[[F:.*]]: f32)
// CHECK-NEXT:    scf.if %[[C]] {
// CHECK-NEXT:    }
// CHECK-NEXT:    scf.if %[[C]] {
// CHECK-NEXT:      "x.a"
// CHECK-NEXT:    } else {
// CHECK-NEXT:    } {note}
// CHECK-NEXT:    %{{.*}}:2 = scf.if %[[C]] -> (i32, f32) {
// CHECK-NEXT:      scf.yield %[[A]], %[[F]] : i32, f32
// CHECK-NEXT:    } else {
// CHECK-NEXT:      scf.yield {note} %[[A]], %[[F]] : i32, f32
// CHECK-NEXT:    }
// GENERIC:     "scf.if"(%{{.*}}) ({
// GENERIC-NEXT:  "scf.yield"() : () -> ()
// GENERIC-NEXT: }, {
// GENERIC-NEXT: }) : (i1) -> ()
func.func @ifs(%c: i1, %a: i32, %f: f32) {
  scf.if %c {
  }
  scf.if %c {
    "x.a"() : () -> ()
    scf.yield
  } else {
  } {note}
  %r:2 = scf.if %c -> (i32, f32) {
    scf.yield %a, %f : i32, f32
  } else {
    scf.yield {note} %a, %f : i32, f32
  }
  return
}

// CHECK-LABEL: func.func @fors
// CHECK-SAME:      (%[[LB:.*]]: index, %[[UB:.*]]: index, %[[STEP:.*]]: index, %[[A:.*]]: i32)
// CHECK-NEXT:    scf.for %{{.*}} = %[[LB]] to %[[UB]] step %[[STEP]] {
// CHECK-NEXT:    } {note}
// CHECK-NEXT:    scf.for %{{.*}} = %[[A]] to %[[A]] step %[[A]] : i32 {
// CHECK-NEXT:    }
// CHECK-NEXT:    %{{.*}}:2 = scf.for %[[I:.*]] = %[[LB]] to %[[UB]] step %[[STEP]] iter_args(%[[P:.*]] = %[[A]], %[[Q:.*]] = %[[UB]]) -> (i32, index) {
// CHECK-NEXT:      scf.yield %[[P]], %[[I]] : i32, index
// CHECK-NEXT:    }
// GENERIC:     "scf.for"(%{{.*}}, %{{.*}}, %{{.*}}) ({
// GENERIC-NEXT: ^bb0(%{{.*}}: index):
// GENERIC-NEXT:  "scf.yield"() : () -> ()
// GENERIC-NEXT: }) {note} : (index, index, index) -> ()
func.func @fors(%lb: index, %ub: index, %step: index, %a: i32) {
  scf.for %i = %lb to %ub step %step {
  } {note}
  scf.for %i = %a to %a step %a : i32 {
    scf.yield
  }
  %r:2 = scf.for %i = %lb to %ub step %step iter_args(%p = %a, %q = %ub) -> (i32, index) {
    scf.yield %p, %i : i32, index
  }
  return
}

// CHECK-LABEL: func.func @whiles
// CHECK-SAME:      (%[[C:.*]]: i1, %[[A:.*]]: i32)
// CHECK-NEXT:    scf.while : () -> () {
// CHECK-NEXT:      scf.condition(%[[C]])
// CHECK-NEXT:    } do {
// CHECK-NEXT:      scf.yield
// CHECK-NEXT:    }
// CHECK-NEXT:    %{{.*}}:2 = scf.while (%[[P:.*]] = %[[A]]) : (i32) -> (i32, i1) {
// CHECK-NEXT:      scf.condition(%[[C]]) {note} %[[P]], %[[C]] : i32, i1
// CHECK-NEXT:    } do {
// CHECK-NEXT:    ^bb0(%[[X:.*]]: i32, %{{.*}}: i1):
// CHECK-NEXT:      scf.yield %[[X]] : i32
// CHECK-NEXT:    } attributes {note}
func.func @whiles(%c: i1, %a: i32) {
  scf.while : () -> () {
    scf.condition(%c)
  } do {
    scf.yield
  }
  %r:2 = scf.while (%p = %a) : (i32) -> (i32, i1) {
    scf.condition(%c) {note} %p, %c : i32, i1
  } do {
  ^bb0(%x: i32, %y: i1):
    scf.yield %x : i32
  } attributes {note}
  return
}

// CHECK-LABEL: func.func @execute_regions
// CHECK-NEXT:    scf.execute_region {
// CHECK-NEXT:      scf.yield
// CHECK-NEXT:    }
// CHECK-NEXT:    %{{.*}} = scf.execute_region -> i32 {
// CHECK-NEXT:      cf.br ^bb1(%{{.*}} : i32)
// CHECK-NEXT:    ^bb1(%[[X:.*]]: i32):  // pred: ^bb0
// CHECK-NEXT:      scf.yield %[[X]] : i32
// CHECK-NEXT:    } {note}
// CHECK-NEXT:    %{{.*}}:2 = scf.execute_region -> (i32, i32) {
func.func @execute_regions(%a: i32) {
  scf.execute_region {
    scf.yield
  }
  %r = scf.execute_region -> i32 {
    cf.br ^next(%a : i32)
  ^next(%x: i32):
    scf.yield %x : i32
  } {note}
  %s:2 = scf.execute_region -> (i32, i32) {
    scf.yield %a, %a : i32, i32
  }
  return
}

// CHECK-LABEL: func.func @index_switches
// CHECK-SAME:      (%[[I:.*]]: index, %[[A:.*]]: i32, %[[F:.*]]: f32)
// CHECK-NEXT:    scf.index_switch %[[I]]
// CHECK-NEXT:    default {
// CHECK-NEXT:    }
// CHECK-NEXT:    %{{.*}}:2 = scf.index_switch %[[I]] {note} -> i32, f32
// CHECK-NEXT:    case 2 {
// CHECK-NEXT:      scf.yield %[[A]], %[[F]] : i32, f32
// CHECK-NEXT:    }
// CHECK-NEXT:    case -3 {
// CHECK-NEXT:      "x.minus_three"
// CHECK-NEXT:      scf.yield %[[A]], %[[F]] : i32, f32
// CHECK-NEXT:    }
// CHECK-NEXT:    default {
// CHECK-NEXT:      "x.default"
// CHECK-NEXT:      scf.yield %[[A]], %[[F]] : i32, f32
// CHECK-NEXT:    }
// GENERIC:     "scf.index_switch"(%{{.*}}) <{cases = array<i64: 2, -3>}> ({
// GENERIC-NEXT:  "x.default"
func.func @index_switches(%i: index, %a: i32, %f: f32) {
  scf.index_switch %i
  default {
  }
  %r:2 = scf.index_switch %i {note} -> i32, f32
  case 2 {
    scf.yield %a, %f : i32, f32
  }
  case -3 {
    "x.minus_three"() : () -> ()
    scf.yield %a, %f : i32, f32
  }
  default {
    "x.default"() : () -> ()
    scf.yield %a, %f : i32, f32
  }
  return
}

// CHECK-LABEL: func.func @parallels
// CHECK-SAME:      (%[[I:.*]]: index, %[[F:.*]]: f32)
// CHECK-NEXT:    scf.parallel (%{{.*}}, %{{.*}}) = (%[[I]], %[[I]]) to (%[[I]], %[[I]]) step (%[[I]], %[[I]]) {
// CHECK-NEXT:      scf.reduce
// CHECK-NEXT:    }
// CHECK-NEXT:    %{{.*}}:2 = scf.parallel (%{{.*}}) = (%[[I]]) to (%[[I]]) step (%[[I]]) init (%[[F]], %[[F]]) -> (f32, f32) {
// CHECK-NEXT:      scf.reduce(%[[F]], %[[F]] : f32, f32) {
// CHECK-NEXT:      ^bb0(%[[L:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT:        scf.reduce.return %[[L]] {note} : f32
// CHECK-NEXT:      }, {
// CHECK-NEXT:      ^bb0(%{{.*}}: f32, %[[R:.*]]: f32):
// CHECK-NEXT:        scf.reduce.return %[[R]] : f32
// CHECK-NEXT:      } {note}
// CHECK-NEXT:    } {note}
// GENERIC:     "scf.parallel"(%{{.*}}) <{operandSegmentSizes = array<i32: 2, 2, 2, 0>}> ({
func.func @parallels(%i: index, %f: f32) {
  scf.parallel (%a, %b) = (%i, %i) to (%i, %i) step (%i, %i) {
  }
  %r:2 = scf.parallel (%a) = (%i) to (%i) step (%i) init (%f, %f) -> (f32, f32) {
    scf.reduce(%f, %f : f32, f32) {
    ^bb0(%x: f32, %y: f32):
      scf.reduce.return %x {note} : f32
    }, {
    ^bb0(%x: f32, %y: f32):
      scf.reduce.return %y : f32
    } {note}
  } {note}
  return
}

// CHECK-LABEL: func.func @foralls
// CHECK-SAME:      (%[[I:.*]]: index, %[[T:.*]]: tensor<4xf32>)
// CHECK-NEXT:    scf.forall (%{{.*}}, %{{.*}}) in (%[[I]], 4) {
// CHECK-NEXT:    }
// CHECK-NEXT:    scf.forall (%{{.*}}, %{{.*}}) = (0, %[[I]]) to (%[[I]], 4) step (1, 2) {
// CHECK-NEXT:      "x.body"
// CHECK-NEXT:    } {mapping = [#gpu.block<x>, #gpu.block<y>]}
// CHECK-NEXT:    %{{.*}} = scf.forall (%{{.*}}) in (4) shared_outs(%{{.*}} = %[[T]]) -> (tensor<4xf32>) {
// CHECK-NEXT:      scf.forall.in_parallel {
// CHECK-NEXT:      } {note}
// CHECK-NEXT:    }
// GENERIC:     "scf.forall"(%{{.*}}) <{operandSegmentSizes = array<i32: 0, 1, 0, 0>, staticLowerBound = array<i64: 0, 0>, staticStep = array<i64: 1, 1>, staticUpperBound = array<i64: -9223372036854775808, 4>}> ({
// GENERIC-NEXT: ^bb0(%{{.*}}: index, %{{.*}}: index):
// GENERIC-NEXT:  "scf.forall.in_parallel"() ({
// GENERIC-NEXT:  ^bb0:
// GENERIC-NEXT:  }) : () -> ()
func.func @foralls(%i: index, %t: tensor<4xf32>) {
  scf.forall (%a, %b) in (%i, 4) {
  }
  scf.forall (%a, %b) = (0, %i) to (%i, 4) step (1, 2) {
    "x.body"(%a) : (index) -> ()
    scf.forall.in_parallel {
    }
  } {mapping = [#gpu.block<x>, #gpu.block<y>]}
  %r = scf.forall (%a) in (4) shared_outs(%o = %t) -> (tensor<4xf32>) {
    scf.forall.in_parallel {
    } {note}
  }
  return
}
