// RUN: freehold opt %s --canonicalize --allow-unregistered-dialect --split-input-file | FileCheck %s

// A constant condition picks its block, which then has one predecessor and is merged.
// CHECK-LABEL: func.func @constant_condition
// CHECK-SAME:      (%[[A:.*]]: i32, %[[B:.*]]: i32)
// CHECK-NEXT:    return %[[A]] : i32
func.func @constant_condition(%a: i32, %b: i32) -> i32 {
  %true = arith.constant true
  cf.cond_br %true, ^then(%a : i32), ^else(%b : i32)
^then(%x: i32):
  return %x : i32
^else(%y: i32):
  return %y : i32
}

// -----

// A chain of blocks with one predecessor each becomes one block.
// CHECK-LABEL: func.func @chain
// CHECK-NEXT:    "x.first"()
// CHECK-NEXT:    %[[V:.*]] = "x.second"()
// CHECK-NEXT:    return %[[V]] : i32
func.func @chain() -> i32 {
  "x.first"() : () -> ()
  cf.br ^a
^a:
  %v = "x.second"() : () -> i32
  cf.br ^b(%v : i32)
^b(%w: i32):
  return %w : i32
}

// -----

// Blocks that only branch on are skipped, on both sides, and their operands composed.
// CHECK-LABEL: func.func @pass_through
// CHECK-SAME:      (%[[C:.*]]: i1, %[[A:.*]]: i32, %[[B:.*]]: i32)
// CHECK-NEXT:    %[[S:.*]] = arith.select %[[C]], %[[A]], %[[B]] : i32
// CHECK-NEXT:    return %[[S]] : i32
func.func @pass_through(%c: i1, %a: i32, %b: i32) -> i32 {
  cf.cond_br %c, ^left(%a : i32), ^right
^left(%x: i32):
  cf.br ^middle(%x : i32)
^middle(%y: i32):
  cf.br ^join(%y : i32)
^right:
  cf.br ^join(%b : i32)
^join(%z: i32):
  return %z : i32
}

// -----

// A block whose argument is used further on cannot be skipped.
// CHECK-LABEL: func.func @argument_used_elsewhere
// CHECK:         cf.cond_br %{{.*}}, ^bb2(%{{.*}} : i32), ^bb3
// CHECK:       ^bb2(%[[X:.*]]: i32):
// CHECK-NEXT:    "x.use"(%[[X]])
// CHECK-NEXT:    cf.br ^bb3
func.func @argument_used_elsewhere(%c: i1, %a: i32) {
  "x.op"()[^start, ^middle] : () -> ()
^start:
  cf.cond_br %c, ^left(%a : i32), ^middle
^left(%x: i32):
  "x.use"(%x) : (i32) -> ()
  cf.br ^middle
^middle:
  "x.end"()[^start, ^middle2] : () -> ()
^middle2:
  return
}

// -----

// Blocks that lead round in a circle stay an endless loop.
// CHECK-LABEL: func.func @endless
// CHECK-NEXT:    cf.br ^bb1
// CHECK-NEXT:  ^bb1:
// CHECK-NEXT:    cf.br ^bb1
func.func @endless() {
  cf.br ^a
^a:
  cf.br ^b
^b:
  cf.br ^c
^c:
  cf.br ^a
}

// -----

// The same, entered in two places, so that no block can be merged away.
// CHECK-LABEL: func.func @endless_with_two_entries
// CHECK:         cf.cond_br
func.func @endless_with_two_entries(%c: i1) {
  cf.cond_br %c, ^a, ^b
^a:
  cf.br ^b
^b:
  cf.br ^a
}

// -----

// Both sides go to one block: selects, as nobody else goes there.
// CHECK-LABEL: func.func @same_successor
// CHECK-SAME:      (%[[C:.*]]: i1, %[[A:.*]]: i32, %[[B:.*]]: memref<4xf32>, %[[D:.*]]: memref<4xf32>)
// CHECK-NEXT:    %[[S:.*]] = arith.select %[[C]], %[[B]], %[[D]] : memref<4xf32>
// CHECK-NEXT:    "x.use"(%[[A]], %[[S]])
func.func @same_successor(%c: i1, %a: i32, %b: memref<4xf32>, %d: memref<4xf32>) {
  cf.cond_br %c, ^join(%a, %b : i32, memref<4xf32>), ^join(%a, %d : i32, memref<4xf32>)
^join(%x: i32, %y: memref<4xf32>):
  "x.use"(%x, %y) : (i32, memref<4xf32>) -> ()
  return
}

// -----

// A second branch on the condition of the only predecessor is known.
// CHECK-LABEL: func.func @same_condition
// CHECK:         cf.cond_br %{{.*}}, ^bb1, ^bb2
// CHECK:       ^bb1:
// CHECK-NEXT:    "x.a"
// CHECK-NEXT:    return
// CHECK:       ^bb2:
// CHECK-NEXT:    "x.b"
// CHECK-NOT:     cond_br
func.func @same_condition(%c: i1) {
  cf.cond_br %c, ^a, ^b
^a:
  "x.a"() : () -> ()
  cf.cond_br %c, ^end, ^b
^b:
  "x.b"() : () -> ()
  "x.exit"() : () -> ()
^end:
  return
}

// -----

// In the blocks that a condition alone leads to, it is known.
// CHECK-LABEL: func.func @condition_in_successors
// CHECK-DAG:     %[[TRUE:.*]] = arith.constant true
// CHECK-DAG:     %[[FALSE:.*]] = arith.constant false
// CHECK:         "x.a"(%[[TRUE]])
// CHECK:         "x.b"(%[[FALSE]])
func.func @condition_in_successors(%c: i1) {
  cf.cond_br %c, ^a, ^b
^a:
  "x.a"(%c) : (i1) -> ()
  cf.br ^end
^b:
  "x.b"(%c) : (i1) -> ()
  cf.br ^end
^end:
  return
}

// -----

// CHECK-LABEL: func.func @assertions
// CHECK-SAME:      (%[[C:.*]]: i1)
// CHECK-NEXT:    cf.assert %[[C]], "unknown"
// CHECK-NEXT:    return
func.func @assertions(%c: i1) {
  %true = arith.constant true
  cf.assert %true, "known"
  cf.assert %c, "unknown"
  return
}

// -----

// A switch with only a default is a branch.
// CHECK-LABEL: func.func @only_default
// CHECK-NEXT:    "x.use"(%{{.*}})
// CHECK-NEXT:    return
func.func @only_default(%flag: i32) {
  cf.switch %flag : i32, [
    default: ^a(%flag : i32)
  ]
^a(%x: i32):
  "x.use"(%x) : (i32) -> ()
  return
}

// -----

// Cases that do what the default does are dropped.
// CHECK-LABEL: func.func @like_default
// CHECK:         cf.switch %{{.*}} : i32, [
// CHECK-NEXT:      default: ^bb1(%[[X:.*]] : i32),
// CHECK-NEXT:      10: ^bb2
// CHECK-NEXT:    ]
func.func @like_default(%flag: i32, %x: i32, %y: i32) {
  cf.switch %flag : i32, [
    default: ^a(%x : i32),
    42: ^a(%x : i32),
    10: ^b,
    17: ^a(%x : i32)
  ]
^a(%p: i32):
  "x.a"(%p) : (i32) -> ()
  return
^b:
  "x.b"() : () -> ()
  return
}

// -----

// A constant flag picks its case, or the default.
// CHECK-LABEL: func.func @constant_flag
// CHECK-NEXT:    "x.b"
// CHECK-NEXT:    return
func.func @constant_flag() {
  %flag = arith.constant -1 : i8
  cf.switch %flag : i8, [
    default: ^a,
    -1: ^b,
    1: ^a
  ]
^a:
  "x.a"() : () -> ()
  return
^b:
  %other = arith.constant 7 : i8
  cf.switch %other : i8, [
    default: ^c,
    -1: ^a,
    1: ^a
  ]
^c:
  "x.b"() : () -> ()
  return
}

// -----

// CHECK-LABEL: func.func @switch_pass_through
// CHECK:         cf.switch %{{.*}} : i32, [
// CHECK-NEXT:      default: ^bb1(%{{.*}} : i32),
// CHECK-NEXT:      43: ^bb2(%{{.*}} : i32),
// CHECK-NEXT:      44: ^bb1(%{{.*}} : i32)
// CHECK-NEXT:    ]
func.func @switch_pass_through(%flag: i32, %x: i32, %y: i32, %z: i32) {
  cf.switch %flag : i32, [
    default: ^skip(%x : i32),
    43: ^skip2(%y : i32),
    44: ^a(%z : i32)
  ]
^skip(%p: i32):
  cf.br ^a(%p : i32)
^skip2(%q: i32):
  cf.br ^b(%q : i32)
^a(%r: i32):
  "x.a"(%r) : (i32) -> ()
  return
^b(%s: i32):
  "x.b"(%s) : (i32) -> ()
  return
}

// -----

// A switch that a case of the same flag leads to is known.
// CHECK-LABEL: func.func @known_flag
// CHECK:         default: ^bb1,
// CHECK-NEXT:    42: ^bb2
// CHECK:       ^bb2:
// CHECK-NEXT:    "x.known"
// CHECK-NEXT:    "x.hit"
// CHECK-NOT:     "x.miss"
func.func @known_flag(%flag: i32) {
  cf.switch %flag : i32, [
    default: ^end,
    42: ^again
  ]
^end:
  "x.end"() : () -> ()
  return
^again:
  "x.known"() : () -> ()
  cf.switch %flag : i32, [
    default: ^miss,
    42: ^hit
  ]
^hit:
  "x.hit"() : () -> ()
  return
^miss:
  "x.miss"() : () -> ()
  return
}

// -----

// After the default, the cases before are excluded.
// CHECK-LABEL: func.func @excluded_cases
// CHECK:         "x.again"
// CHECK-NEXT:    cf.switch %{{.*}} : i32, [
// CHECK-NEXT:      default: ^bb3,
// CHECK-NEXT:      43: ^bb4
// CHECK-NEXT:    ]
func.func @excluded_cases(%flag: i32) {
  cf.switch %flag : i32, [
    default: ^again,
    42: ^end
  ]
^end:
  "x.end"() : () -> ()
  return
^again:
  "x.again"() : () -> ()
  cf.switch %flag : i32, [
    default: ^a,
    42: ^end,
    43: ^b
  ]
^a:
  "x.a"() : () -> ()
  return
^b:
  "x.b"() : () -> ()
  return
}
