// RUN: freehold opt %s --canonicalize --allow-unregistered-dialect --split-input-file | FileCheck %s

// A constant condition leaves one of the regions.
// CHECK-LABEL: func.func @if_constant
// CHECK-NEXT:    %[[A:.*]] = "x.a"() : () -> i32
// CHECK-NEXT:    "x.use"(%[[A]])
// CHECK-NEXT:    return
func.func @if_constant() {
  %true = arith.constant true
  %false = arith.constant false
  %r = scf.if %true -> i32 {
    %a = "x.a"() : () -> i32
    scf.yield %a : i32
  } else {
    %b = "x.b"() : () -> i32
    scf.yield %b : i32
  }
  "x.use"(%r) : (i32) -> ()
  scf.if %false {
    "x.never"() : () -> ()
  }
  return
}

// -----

// A negated condition swaps the regions.
// CHECK-LABEL: func.func @if_negated
// CHECK-SAME:      (%[[C:.*]]: i1)
// CHECK-NEXT:    scf.if %[[C]] {
// CHECK-NEXT:      "x.b"
// CHECK-NEXT:    } else {
// CHECK-NEXT:      "x.a"
func.func @if_negated(%c: i1) {
  %true = arith.constant true
  %n = arith.xori %c, %true : i1
  scf.if %n {
    "x.a"() : () -> ()
  } else {
    "x.b"() : () -> ()
  }
  return
}

// -----

// Unused results go, from nested operations too.
// CHECK-LABEL: func.func @if_unused_results
// CHECK:         %[[R:.*]] = scf.if %{{.*}} -> (i32) {
// CHECK-NEXT:      %[[I:.*]] = scf.if %{{.*}} -> (i32) {
// CHECK-NEXT:        "x.effect"
// CHECK-NEXT:        "x.v0"
// CHECK-NEXT:        %[[V1:.*]] = "x.v1"
// CHECK-NEXT:        scf.yield %[[V1]] : i32
// CHECK:         return %[[R]] : i32
func.func @if_unused_results(%c: i1, %d: i1) -> i32 {
  %r:2 = scf.if %c -> (i32, i32) {
    %i:2 = scf.if %d -> (i32, i32) {
      "x.effect"() : () -> ()
      %v0 = "x.v0"() : () -> i32
      %v1 = "x.v1"() : () -> i32
      scf.yield %v0, %v1 : i32, i32
    } else {
      %v2 = "x.v2"() : () -> i32
      scf.yield %v2, %v2 : i32, i32
    }
    scf.yield %i#0, %i#1 : i32, i32
  } else {
    %v3 = "x.v3"() : () -> i32
    scf.yield %v3, %v3 : i32, i32
  }
  return %r#1 : i32
}

// -----

// Values from outside are selected; equal ones are taken as they are.
// CHECK-LABEL: func.func @if_to_select
// CHECK-SAME:      (%[[C:.*]]: i1, %[[A:.*]]: memref<4xf32>, %[[B:.*]]: memref<4xf32>)
// CHECK-NEXT:    %[[S:.*]] = arith.select %[[C]], %[[A]], %[[B]] : memref<4xf32>
// CHECK-NEXT:    %[[R:.*]] = scf.if %[[C]] -> (i32) {
// CHECK:         return %[[S]], %[[R]], %[[A]]
func.func @if_to_select(%c: i1, %a: memref<4xf32>, %b: memref<4xf32>) -> (memref<4xf32>, i32, memref<4xf32>) {
  %r:3 = scf.if %c -> (memref<4xf32>, i32, memref<4xf32>) {
    %v = "x.v"() : () -> i32
    scf.yield %a, %v, %a : memref<4xf32>, i32, memref<4xf32>
  } else {
    %w = "x.w"() : () -> i32
    scf.yield %b, %w, %a : memref<4xf32>, i32, memref<4xf32>
  }
  return %r#0, %r#1, %r#2 : memref<4xf32>, i32, memref<4xf32>
}

// -----

// CHECK-LABEL: func.func @if_empty
// CHECK-NEXT:    scf.if %{{.*}} {
// CHECK-NEXT:      "x.a"
// CHECK-NEXT:    }
// CHECK-NEXT:    return
func.func @if_empty(%c: i1) {
  scf.if %c {
    "x.a"() : () -> ()
  } else {
  }
  scf.if %c {
  } else {
  }
  return
}

// -----

// Inside its regions, the condition is known.
// CHECK-LABEL: func.func @if_condition_inside
// CHECK-DAG:     %[[TRUE:.*]] = arith.constant true
// CHECK-DAG:     %[[FALSE:.*]] = arith.constant false
// CHECK:         "x.a"(%[[TRUE]])
// CHECK:         "x.inner"(%[[FALSE]])
func.func @if_condition_inside(%c: i1, %d: i1) {
  scf.if %c {
    "x.a"(%c) : (i1) -> ()
  } else {
    "x.b"() : () -> ()
    scf.if %d {
      "x.inner"(%c) : (i1) -> ()
    }
  }
  return
}

// -----

// Yielding true or false is the condition, or its negation.
// CHECK-LABEL: func.func @if_yields_condition
// CHECK-SAME:      (%[[C:.*]]: i1)
// CHECK:         %[[N:.*]] = arith.xori %[[C]], %{{.*}} : i1
// CHECK:         "x.use"(%[[C]], %[[N]])
func.func @if_yields_condition(%c: i1) {
  %r:2 = scf.if %c -> (i1, i1) {
    "x.a"() : () -> ()
    %true = arith.constant true
    %false = arith.constant false
    scf.yield %true, %false : i1, i1
  } else {
    "x.b"() : () -> ()
    %true = arith.constant true
    %false = arith.constant false
    scf.yield %false, %true : i1, i1
  }
  "x.use"(%r#0, %r#1) : (i1, i1) -> ()
  return
}

// -----

// Neighbours on one condition, or on its negation, are one.
// CHECK-LABEL: func.func @if_neighbours
// CHECK-SAME:      (%[[C:.*]]: i1)
// CHECK-NEXT:    scf.if %[[C]] {
// CHECK-NEXT:      %[[A:.*]] = "x.a"
// CHECK-NEXT:      "x.use"(%[[A]])
// CHECK-NEXT:    } else {
// CHECK-NEXT:      %[[B:.*]] = "x.b"
// CHECK-NEXT:      "x.other"(%[[B]])
// CHECK-NEXT:      "x.third"
// CHECK-NEXT:    }
// CHECK-NEXT:    return
func.func @if_neighbours(%c: i1) {
  %true = arith.constant true
  %n = arith.xori %c, %true : i1
  %r = scf.if %c -> i32 {
    %a = "x.a"() : () -> i32
    scf.yield %a : i32
  } else {
    %b = "x.b"() : () -> i32
    scf.yield %b : i32
  }
  scf.if %c {
    "x.use"(%r) : (i32) -> ()
  } else {
    "x.other"(%r) : (i32) -> ()
  }
  scf.if %n {
    "x.third"() : () -> ()
  }
  return
}

// -----

// The results of both are results of the one.
// CHECK-LABEL: func.func @if_neighbours_with_results
// CHECK:         %[[R:.*]]:2 = scf.if
// CHECK:           scf.yield %{{.*}}, %{{.*}} : i32, i32
// CHECK:         return %[[R]]#0, %[[R]]#1
func.func @if_neighbours_with_results(%c: i1) -> (i32, i32) {
  %r = scf.if %c -> i32 {
    %a = "x.a"() : () -> i32
    scf.yield %a : i32
  } else {
    %b = "x.b"() : () -> i32
    scf.yield %b : i32
  }
  %s = scf.if %c -> i32 {
    %a = "x.c"(%r) : (i32) -> i32
    scf.yield %a : i32
  } else {
    %b = "x.d"(%r) : (i32) -> i32
    scf.yield %b : i32
  }
  return %r, %s : i32, i32
}

// -----

// One that is all there is in another.
// CHECK-LABEL: func.func @if_nested
// CHECK-SAME:      (%[[C:.*]]: i1, %[[D:.*]]: i1)
// CHECK-NEXT:    %[[BOTH:.*]] = arith.andi %[[C]], %[[D]] : i1
// CHECK-NEXT:    scf.if %[[BOTH]] {
// CHECK-NEXT:      "x.a"
// CHECK-NEXT:    }
// CHECK-NEXT:    return
func.func @if_nested(%c: i1, %d: i1) {
  scf.if %c {
    scf.if %d {
      "x.a"() : () -> ()
    }
  }
  return
}

// -----

// With results: the same else value, and a value selected by the outer condition.
// CHECK-LABEL: func.func @if_nested_with_results
// CHECK-SAME:      (%[[C:.*]]: i1, %[[D:.*]]: i1, %[[X:.*]]: i32, %[[Y:.*]]: i32)
// CHECK-DAG:     %[[BOTH:.*]] = arith.andi %[[C]], %[[D]] : i1
// CHECK-DAG:     %[[S:.*]] = arith.select %[[C]], %[[Y]], %[[X]] : i32
// CHECK:         %[[R:.*]] = scf.if %[[BOTH]] -> (i32) {
// CHECK-NEXT:      %[[V:.*]] = "x.v"
// CHECK-NEXT:      scf.yield %[[V]] : i32
// CHECK-NEXT:    } else {
// CHECK-NEXT:      scf.yield %[[X]] : i32
// CHECK-NEXT:    }
// CHECK:         return %[[R]], %[[S]]
func.func @if_nested_with_results(%c: i1, %d: i1, %x: i32, %y: i32) -> (i32, i32) {
  %r:2 = scf.if %c -> (i32, i32) {
    %i = scf.if %d -> i32 {
      %v = "x.v"() : () -> i32
      scf.yield %v : i32
    } else {
      scf.yield %x : i32
    }
    scf.yield %i, %y : i32, i32
  } else {
    scf.yield %x, %x : i32, i32
  }
  return %r#0, %r#1 : i32, i32
}

// -----

// Values a loop only hands round, or that nobody looks at, are not carried.
// CHECK-LABEL: func.func @for_unchanged_values
// CHECK-SAME:      (%[[LB:.*]]: index, %[[UB:.*]]: index, %[[STEP:.*]]: index, %[[A:.*]]: i32, %[[B:.*]]: i32)
// CHECK-NEXT:    %[[R:.*]] = scf.for %{{.*}} = %[[LB]] to %[[UB]] step %[[STEP]] iter_args(%[[X:.*]] = %[[B]]) -> (i32) {
// CHECK-NEXT:      "x.use"(%[[A]])
// CHECK-NEXT:      %[[N:.*]] = "x.next"(%[[X]])
// CHECK-NEXT:      scf.yield %[[N]] : i32
// CHECK-NEXT:    } {note}
// CHECK-NEXT:    return %[[A]], %[[R]], %[[B]]
func.func @for_unchanged_values(%lb: index, %ub: index, %step: index, %a: i32, %b: i32) -> (i32, i32, i32) {
  %r:4 = scf.for %i = %lb to %ub step %step iter_args(%p = %a, %q = %b, %u = %b, %v = %a) -> (i32, i32, i32, i32) {
    "x.use"(%p) : (i32) -> ()
    %n = "x.next"(%q) : (i32) -> i32
    scf.yield %p, %n, %b, %n : i32, i32, i32, i32
  } {note}
  return %r#0, %r#1, %r#2 : i32, i32, i32
}

// -----

// Loops that run not at all, once, or to no effect.
// CHECK-LABEL: func.func @for_trivial
// CHECK-SAME:      (%[[N:.*]]: index, %[[X:.*]]: i32)
// CHECK-DAG:     %[[C4:.*]] = arith.constant 4 : index
// CHECK-DAG:     %[[C7:.*]] = arith.constant 7 : i32
// CHECK-NOT:     scf.for
// CHECK:         %[[ONCE:.*]] = "x.once"(%[[C4]], %[[X]])
// CHECK-NEXT:    return %[[X]], %[[ONCE]], %[[C7]]
func.func @for_trivial(%n: index, %x: i32) -> (i32, i32, i32) {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %seven = arith.constant 7 : i32
  %never = scf.for %i = %n to %n step %c1 iter_args(%p = %x) -> i32 {
    %v = "x.never"(%p) : (i32) -> i32
    scf.yield %v : i32
  }
  scf.for %i = %c5 to %c4 step %c1 {
    "x.never"() : () -> ()
  }
  %once = scf.for %i = %c4 to %c5 step %c4 iter_args(%p = %x) -> i32 {
    %v = "x.once"(%i, %p) : (index, i32) -> i32
    scf.yield %v : i32
  }
  %idle = scf.for %i = %c1 to %c5 step %c1 iter_args(%p = %x) -> i32 {
    scf.yield %seven : i32
  }
  return %never, %once, %idle : i32, i32, i32
}

// -----

// The distance is known although the bounds are not.
// CHECK-LABEL: func.func @for_known_distance
// CHECK-NOT:     scf.for
// CHECK:         "x.once"(%{{.*}})
func.func @for_known_distance(%n: index) {
  %c4 = arith.constant 4 : index
  %m = arith.addi %n, %c4 : index
  scf.for %i = %n to %m step %c4 {
    "x.once"(%i) : (index) -> ()
  }
  return
}

// -----

// The extremes of a narrow type are far apart, not a negative distance.
// CHECK-LABEL: func.func @for_extreme_bounds
// CHECK:         scf.for
func.func @for_extreme_bounds() {
  %lb = arith.constant -128 : i8
  %ub = arith.constant 127 : i8
  %step = arith.constant 1 : i8
  scf.for %i = %lb to %ub step %step : i8 {
    "x.body"(%i) : (i8) -> ()
  }
  return
}

// -----

// A carried value that comes back unchanged through the other region.
// CHECK-LABEL: func.func @while_invariant_argument
// CHECK-SAME:      (%[[A:.*]]: i32, %[[B:.*]]: i32)
// CHECK:         scf.while (%[[X:.*]] = %[[B]]) : (i32) -> i32 {
// CHECK-NEXT:      %[[C:.*]] = "x.test"(%[[A]], %[[X]])
// CHECK-NEXT:      scf.condition(%[[C]]) %[[X]] : i32
// CHECK:         ^bb0(%[[Y:.*]]: i32):
// CHECK-NEXT:      %[[N:.*]] = "x.next"(%[[A]], %[[Y]])
// CHECK-NEXT:      scf.yield %[[N]] : i32
func.func @while_invariant_argument(%a: i32, %b: i32) -> (i32, i32) {
  %r:2 = scf.while (%p = %a, %q = %b) : (i32, i32) -> (i32, i32) {
    %c = "x.test"(%p, %q) : (i32, i32) -> i1
    scf.condition(%c) %p, %q : i32, i32
  } do {
  ^bb0(%p: i32, %q: i32):
    %n = "x.next"(%p, %q) : (i32, i32) -> i32
    scf.yield %p, %n : i32, i32
  }
  return %r#0, %r#1 : i32, i32
}

// -----

// Inside the loop the condition holds; values from outside and unused ones are not forwarded.
// CHECK-LABEL: func.func @while_results
// CHECK-SAME:      (%[[A:.*]]: i32)
// CHECK:         %[[TRUE:.*]] = arith.constant true
// CHECK:         scf.while : () -> () {
// CHECK-NEXT:      %[[C:.*]] = "x.test"
// CHECK-NEXT:      %{{.*}} = "x.value"
// CHECK-NEXT:      scf.condition(%[[C]])
// CHECK-NEXT:    } do {
// CHECK-NEXT:      "x.use"(%[[A]], %[[TRUE]])
// CHECK-NEXT:      scf.yield
// CHECK-NEXT:    }
// CHECK-NEXT:    return %[[A]]
func.func @while_results(%a: i32) -> i32 {
  %r:3 = scf.while : () -> (i32, i32, i1) {
    %c = "x.test"() : () -> i1
    %v = "x.value"() : () -> i32
    scf.condition(%c) %a, %v, %c : i32, i32, i1
  } do {
  ^bb0(%p: i32, %q: i32, %h: i1):
    "x.use"(%p, %h) : (i32, i1) -> ()
    scf.yield
  }
  return %r#0 : i32
}

// -----

// The comparison that kept the loop going has a known outcome inside.
// CHECK-LABEL: func.func @while_comparison
// CHECK-DAG:     %[[TRUE:.*]] = arith.constant true
// CHECK-DAG:     %[[FALSE:.*]] = arith.constant false
// CHECK:         "x.use"(%{{.*}}, %[[TRUE]], %[[FALSE]])
func.func @while_comparison(%a: i32, %n: i32) -> i32 {
  %r = scf.while (%p = %a) : (i32) -> i32 {
    %c = arith.cmpi slt, %p, %n : i32
    scf.condition(%c) %p : i32
  } do {
  ^bb0(%p: i32):
    %again = arith.cmpi slt, %p, %n : i32
    %opposite = arith.cmpi sge, %p, %n : i32
    %next = "x.use"(%p, %again, %opposite) : (i32, i1, i1) -> i32
    scf.yield %next : i32
  }
  return %r : i32
}

// -----

// One value forwarded twice, and one that is carried for nothing.
// CHECK-LABEL: func.func @while_duplicates
// CHECK:         %[[R:.*]] = scf.while (%[[P:.*]] = %{{.*}}) : (i32) -> i32 {
// CHECK:           scf.condition(%{{.*}}) %[[P]] : i32
// CHECK:         return %[[R]], %[[R]]
func.func @while_duplicates(%a: i32, %b: i32) -> (i32, i32) {
  %r:2 = scf.while (%p = %a, %q = %b) : (i32, i32) -> (i32, i32) {
    %c = "x.test"(%p) : (i32) -> i1
    scf.condition(%c) %p, %p : i32, i32
  } do {
  ^bb0(%x: i32, %y: i32):
    %n = "x.next"(%x, %y) : (i32, i32) -> i32
    scf.yield %n, %n : i32, i32
  }
  return %r#0, %r#1 : i32, i32
}

// -----

// Values that are only handed on are handed on in order.
// CHECK-LABEL: func.func @while_order
// CHECK:         %[[R:.*]]:2 = scf.while (%[[P:.*]] = %{{.*}}, %[[Q:.*]] = %{{.*}}) : (i32, i64) -> (i32, i64) {
// CHECK:           scf.condition(%{{.*}}) %[[P]], %[[Q]] : i32, i64
// CHECK:         ^bb0(%[[Y:.*]]: i32, %[[X:.*]]: i64):
// CHECK:           "x.next"(%[[X]], %[[Y]])
// CHECK:         return %[[R]]#1, %[[R]]#0
func.func @while_order(%a: i32, %b: i64) -> (i64, i32) {
  %r:2 = scf.while (%p = %a, %q = %b) : (i32, i64) -> (i64, i32) {
    %c = "x.test"() : () -> i1
    scf.condition(%c) %q, %p : i64, i32
  } do {
  ^bb0(%x: i64, %y: i32):
    %n:2 = "x.next"(%x, %y) : (i64, i32) -> (i32, i64)
    scf.yield %n#0, %n#1 : i32, i64
  }
  return %r#0, %r#1 : i64, i32
}

// -----

// A region with one block is inlined anywhere.
// CHECK-LABEL: func.func @execute_region_one_block
// CHECK:         scf.if
// CHECK-NEXT:      %[[V:.*]] = "x.v"
// CHECK-NEXT:      "x.use"(%[[V]])
func.func @execute_region_one_block(%c: i1) {
  scf.if %c {
    %r = scf.execute_region -> i32 {
      %v = "x.v"() : () -> i32
      scf.yield %v : i32
    }
    "x.use"(%r) : (i32) -> ()
  }
  return
}

// -----

// Several blocks are inlined into a function, also when there are several such regions.
// CHECK-LABEL: func.func @execute_region_blocks
// CHECK:         cf.cond_br %{{.*}}, ^bb1, ^bb2
// CHECK:       ^bb1:
// CHECK-NEXT:    %[[A:.*]] = "x.a"
// CHECK-NEXT:    cf.br ^bb3(%[[A]] : i32)
// CHECK:       ^bb2:
// CHECK-NEXT:    %[[B:.*]] = "x.b"
// CHECK-NEXT:    cf.br ^bb3(%[[B]] : i32)
// CHECK:       ^bb3(%[[R:.*]]: i32):
// CHECK-NEXT:    "x.use"(%[[R]])
// CHECK-NEXT:    cf.cond_br %{{.*}}, ^bb4, ^bb5
func.func @execute_region_blocks(%c: i1) {
  %r = scf.execute_region -> i32 {
    cf.cond_br %c, ^a, ^b
  ^a:
    %v = "x.a"() : () -> i32
    cf.br ^c(%v : i32)
  ^b:
    %w = "x.b"() : () -> i32
    cf.br ^c(%w : i32)
  ^c(%u: i32):
    scf.yield %u : i32
  }
  "x.use"(%r) : (i32) -> ()
  scf.execute_region {
    cf.cond_br %c, ^a, ^b
  ^a:
    "x.d"() : () -> ()
    scf.yield
  ^b:
    scf.yield
  }
  return
}

// -----

// Inside another region there may be no blocks.
// CHECK-LABEL: func.func @execute_region_in_loop
// CHECK:         scf.for
// CHECK-NEXT:      scf.execute_region
func.func @execute_region_in_loop(%c: i1, %lb: index, %ub: index, %step: index) {
  scf.for %i = %lb to %ub step %step {
    scf.execute_region {
      cf.cond_br %c, ^a, ^b
    ^a:
      "x.a"() : () -> ()
      scf.yield
    ^b:
      scf.yield
    }
  }
  return
}

// -----

// Results that nobody uses go away with what only leads to them; the region stays.
// CHECK-LABEL: func.func @execute_region_unused_results
// CHECK:         scf.for
// CHECK-NEXT:      %[[R:.*]] = scf.execute_region -> i32 {
// CHECK-NEXT:        cf.cond_br %{{.*}}, ^bb1, ^bb2
// CHECK:           ^bb1:
// CHECK-NEXT:        %[[A:.*]] = "x.a"() : () -> i32
// CHECK-NEXT:        scf.yield %[[A]] : i32
// CHECK:           ^bb2:
// CHECK-NEXT:        %[[B:.*]] = "x.b"() : () -> i32
// CHECK-NEXT:        scf.yield %[[B]] : i32
// CHECK:           "x.use"(%[[R]])
func.func @execute_region_unused_results(%c: i1, %lb: index, %ub: index, %step: index, %n: i64) {
  scf.for %i = %lb to %ub step %step {
    %r:3 = scf.execute_region -> (i64, i32, i64) {
      cf.cond_br %c, ^a, ^b
    ^a:
      %v = "x.a"() : () -> i32
      %w = arith.addi %n, %n : i64
      scf.yield %w, %v, %n : i64, i32, i64
    ^b:
      %x = "x.b"() : () -> i32
      scf.yield %n, %x, %n : i64, i32, i64
    }
    "x.use"(%r#1) : (i32) -> ()
  }
  return
}

// -----

// CHECK-LABEL: func.func @index_switch_constant
// CHECK-NEXT:    "x.five"
// CHECK-NEXT:    %[[D:.*]] = "x.default"
// CHECK-NEXT:    return %[[D]]
func.func @index_switch_constant() -> i32 {
  %c5 = arith.constant 5 : index
  %c6 = arith.constant 6 : index
  scf.index_switch %c5
  case 2 {
    "x.two"() : () -> ()
    scf.yield
  }
  case 5 {
    "x.five"() : () -> ()
    scf.yield
  }
  default {
  }
  %r = scf.index_switch %c6 -> i32
  case 5 {
    %v = "x.five"() : () -> i32
    scf.yield %v : i32
  }
  default {
    %v = "x.default"() : () -> i32
    scf.yield %v : i32
  }
  return %r : i32
}

// -----

// Dimensions that run once are replaced by their lower bound.
// CHECK-LABEL: func.func @parallel_one_trip_dimension
// CHECK-SAME:      (%[[N:.*]]: index)
// CHECK-DAG:     %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG:     %[[C1:.*]] = arith.constant 1 : index
// CHECK:         scf.parallel (%[[J:.*]]) = (%[[C0]]) to (%[[N]]) step (%[[C1]]) {
// CHECK-NEXT:      "x.use"(%[[C0]], %[[J]], %[[C1]])
func.func @parallel_one_trip_dimension(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.parallel (%i, %j, %k) = (%c0, %c0, %c1) to (%c1, %n, %c2) step (%c1, %c1, %c1) {
    "x.use"(%i, %j, %k) : (index, index, index) -> ()
  }
  return
}

// -----

// If all run once, the reductions are applied to the initial values.
// CHECK-LABEL: func.func @parallel_one_trip
// CHECK-SAME:      (%[[A:.*]]: f32, %[[B:.*]]: f32)
// CHECK:         %[[V:.*]] = "x.v"
// CHECK:         %[[S:.*]] = arith.addf %[[A]], %[[V]]
// CHECK:         %[[P:.*]] = arith.mulf %[[B]], %[[V]]
// CHECK-NEXT:    return %[[S]], %[[P]]
func.func @parallel_one_trip(%a: f32, %b: f32) -> (f32, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.parallel (%i) = (%c0) to (%c1) step (%c1) init (%a, %b) -> (f32, f32) {
    %v = "x.v"(%i) : (index) -> f32
    scf.reduce(%v, %v : f32, f32) {
    ^bb0(%l: f32, %r: f32):
      %s = arith.addf %l, %r : f32
      scf.reduce.return %s : f32
    }, {
    ^bb0(%l: f32, %r: f32):
      %p = arith.mulf %l, %r : f32
      scf.reduce.return %p : f32
    }
  }
  return %r#0, %r#1 : f32, f32
}

// -----

// CHECK-LABEL: func.func @parallel_no_trip
// CHECK-SAME:      (%[[A:.*]]: f32)
// CHECK-NEXT:    return %[[A]]
func.func @parallel_no_trip(%a: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.parallel (%i) = (%c1) to (%c0) step (%c1) init (%a) -> f32 {
    %v = "x.v"(%i) : (index) -> f32
    scf.reduce(%v : f32) {
    ^bb0(%l: f32, %r: f32):
      scf.reduce.return %l : f32
    }
  }
  return %r : f32
}

// -----

// A nest of parallel loops is one, unless the inner bounds depend on the outer.
// CHECK-LABEL: func.func @parallel_nest
// CHECK-SAME:      (%[[N:.*]]: index, %[[M:.*]]: index)
// CHECK:         scf.parallel (%[[I:.*]], %[[J:.*]]) = (%[[N]], %[[M]]) to (%[[M]], %[[N]]) step (%[[N]], %[[N]]) {
// CHECK-NEXT:      "x.use"(%[[I]], %[[J]])
// CHECK-NEXT:      scf.reduce
// CHECK-NEXT:    }
// CHECK-NEXT:    scf.parallel (%[[K:.*]]) =
// CHECK-NEXT:      scf.parallel (%{{.*}}) = (%[[K]])
func.func @parallel_nest(%n: index, %m: index) {
  scf.parallel (%i) = (%n) to (%m) step (%n) {
    scf.parallel (%j) = (%m) to (%n) step (%n) {
      "x.use"(%i, %j) : (index, index) -> ()
    }
  }
  scf.parallel (%i) = (%n) to (%m) step (%n) {
    scf.parallel (%j) = (%i) to (%n) step (%n) {
      "x.use"(%i, %j) : (index, index) -> ()
    }
  }
  return
}

// -----

// CHECK-LABEL: func.func @forall_bounds
// CHECK-SAME:      (%[[N:.*]]: index)
// CHECK-NEXT:    %[[C3:.*]] = arith.constant 3 : index
// CHECK-NEXT:    scf.forall (%[[I:.*]]) in (%[[N]]) {
// CHECK-NEXT:      "x.use"(%[[I]], %[[C3]])
// CHECK-NEXT:    }
// CHECK-NEXT:    scf.forall (%{{.*}}) in (4) {
// CHECK:         return
func.func @forall_bounds(%n: index) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  scf.forall (%i, %j) = (0, 3) to (%n, %c4) step (1, 1) {
    "x.use"(%i, %j) : (index, index) -> ()
  }
  scf.forall (%i) in (%c4) {
    "x.body"(%i) : (index) -> ()
  }
  scf.forall (%i) in (%c0) {
    "x.never"(%i) : (index) -> ()
  }
  return
}

// -----

// CHECK-LABEL: func.func @forall_one_trip
// CHECK-NOT:     scf.forall
// CHECK:         "x.once"
func.func @forall_one_trip() {
  scf.forall (%i) in (1) {
    "x.once"(%i) : (index) -> ()
  }
  return
}
