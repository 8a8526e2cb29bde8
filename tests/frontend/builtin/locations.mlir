// Locations: of operations, of arguments, as attributes; aliases that are
// used before they are defined.

// RUN: freehold opt %s --allow-unregistered-dialect --mlir-print-debuginfo | freehold opt --allow-unregistered-dialect --mlir-print-debuginfo | FileCheck %s
// RUN: freehold opt %s --allow-unregistered-dialect --mlir-print-debuginfo --mlir-print-op-generic | freehold opt --allow-unregistered-dialect --mlir-print-debuginfo | FileCheck %s
// RUN: freehold opt %s --allow-unregistered-dialect | FileCheck %s --check-prefix=PLAIN

// PLAIN-NOT: loc(

// Locations of arguments come first: nothing in the file could refer to them later.
// CHECK:       #[[ARG:.*]] = loc("arg.mlir":7:8)

// CHECK-LABEL: func.func @f
// CHECK-SAME:  (%{{.*}}: i32 loc("arg.mlir":7:8))
func.func @f(%a: i32 loc("arg.mlir":7:8)) {
  // CHECK-NEXT: "locs.file"() : () -> () loc(#[[FILE:.*]])
  "locs.file"() : () -> () loc("a.mlir":1:2)
  // CHECK-NEXT: "locs.name"() : () -> () loc(#[[NAME:.*]])
  "locs.name"() : () -> () loc("name")
  // CHECK-NEXT: "locs.child"() : () -> () loc(#[[CHILD:.*]])
  "locs.child"() : () -> () loc("outer"("a.mlir":1:2))
  // CHECK-NEXT: "locs.call"() : () -> () loc(#[[CALL:.*]])
  "locs.call"() : () -> () loc(callsite("callee" at "caller.mlir":3:4))
  // CHECK-NEXT: "locs.fused"() : () -> () loc(#[[FUSED:.*]])
  "locs.fused"() : () -> () loc(fused<"why">["name", unknown, "a.mlir":1:2, "name"])
  // CHECK-NEXT: "locs.unknown"() : () -> () loc(#[[UNKNOWN:.*]])
  "locs.unknown"() : () -> () loc(unknown)
  // CHECK-NEXT: "locs.alias"() : () -> () loc(#[[ALIAS:.*]])
  "locs.alias"() : () -> () loc(#later)
  // CHECK-NEXT: return loc(#[[CHILD]])
  return loc(#earlier)
// CHECK-NEXT:  } loc(#[[FUNC:.*]])
} loc(fused["only"])

// CHECK: } loc(#{{.*}})

#later = loc("later.mlir":5:6)
#earlier = loc("outer"("a.mlir":1:2))

// CHECK-DAG: #[[FILE]] = loc("a.mlir":1:2)
// CHECK-DAG: #[[NAME]] = loc("name")
// CHECK-DAG: #[[CHILD]] = loc("outer"(#[[FILE]]))
// CHECK-DAG: #[[CALL]] = loc(callsite(#[[CALLEE:.*]] at #[[CALLER:.*]]))
// CHECK-DAG: #[[FUSED]] = loc(fused<"why">[#[[NAME]], #[[FILE]]])
// CHECK-DAG: #[[UNKNOWN]] = loc(unknown)
// CHECK-DAG: #[[ALIAS]] = loc("later.mlir":5:6)
// CHECK-DAG: #[[FUNC]] = loc("only")
