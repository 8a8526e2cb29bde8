// Diagnostics in pipes have the source line and a caret, as those of LLVM's tools; other forms can be had.
//
// RUN: not freehold opt %s 2>&1 | FileCheck %s --check-prefix=HUMAN
// RUN: not freehold opt %s --error-format=short 2>&1 | FileCheck %s --check-prefix=SHORT
// RUN: not freehold --error-format=json run %s 2>&1 | FileCheck %s --check-prefix=JSON
// RUN: not freehold run %s --color=always 2>&1 | FileCheck %s --check-prefix=COLOR
// RUN: not freehold opt %S/inputs/three-errors.mlir --error-limit=1 2>&1 | FileCheck %s --check-prefix=LIMIT

// HUMAN: error-format.mlir:[[#@LINE+16]]:18: error: use of value '%x' expects different type than prior uses
// HUMAN-NEXT: {{^}}  memref.dealloc %x : memref<4xi32>{{$}}
// HUMAN-NEXT: {{^}}                 ^{{$}}
// HUMAN-NEXT: error-format.mlir:[[#@LINE+12]]:3: note: prior use here
// HUMAN-NEXT: {{^}}  %x = memref.alloc() : memref<4xf32>{{$}}
// HUMAN-NEXT: {{^}}  ^{{$}}
// SHORT: error: use of value
// SHORT-NEXT: note: prior use here
// SHORT-NOT: {{.}}
// JSON: {"column":18,"file":"{{.*}}error-format.mlir","line":[[#@LINE+7]],"message":"use of value '%x' expects
// JSON-SAME: "notes":[{"column":3,{{.*}}"severity":"note"}],"severity":"error"}
// COLOR: {{.\[1m.\[91m}}error
// LIMIT-COUNT-1: error:
// LIMIT: note: 2 more errors are not shown; --error-limit=0 shows all
func.func @main() {
  %x = memref.alloc() : memref<4xf32>
  memref.dealloc %x : memref<4xi32>
  return
}
