// `freehold plan` with a program: its arenas and other allocations, as a table, a picture and JSON.

// RUN: freehold plan %s --svg %t.svg --json %t.json | FileCheck %s --check-prefix=TABLE
// RUN: FileCheck %s --input-file=%t.svg --check-prefix=SVG
// RUN: FileCheck %s --input-file=%t.json --check-prefix=JSON
// RUN: not freehold plan %s --capacity=100 2>&1 | FileCheck %s --check-prefix=CAPACITY
// CAPACITY: freehold plan: error: of a program, only --svg and --json can be written: leave out the other options
// RUN: not freehold plan %S/target-cpu.mlir --svg %t.svg 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: target-cpu.mlir: error: no allocations are merged, so there is no arena to draw
// RUN: not freehold plan no-such-file.mlir 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: error: cannot open input file 'no-such-file.mlir': No such file or directory
//
// What the pass leaves in the program.
// RUN: freehold opt %s --merge-alloc="annotate-plan never-grow" | FileCheck %s --check-prefix=ATTRIBUTES
// ATTRIBUTES: memref.alloc() {__mergealloc_arena = 2048 : i64, alignment = 64 : i64} : memref<2048xi8>
// ATTRIBUTES: memref.view {{.*}} {__mergealloc_buffer = array<i64: 0, 1024, {{[0-9]+, [0-9]+}}>}
// ATTRIBUTES: memref.view {{.*}} {__mergealloc_buffer = array<i64: 1024, 1024, {{[0-9]+, [0-9]+}}>}
// ATTRIBUTES: memref.view {{.*}} {__mergealloc_buffer = array<i64: 0, 512, {{[0-9]+, [0-9]+}}>}

// TABLE:      function at type bytes buffers lower bound
// TABLE-NEXT: layers plan-program.mlir:[[# @LINE + 8]] memref<2048xi8> 2048 3 2048
// TABLE-NEXT: rows plan-program.mlir:[[# @LINE + 23]] memref<?xf32> of run time - -
// SVG:         <title>@layers: 2048 bytes, lower bound 2048: 3 buffers</title>
// SVG-COUNT-3: <title>plan-program.mlir:{{[0-9]+}}: memref&lt;
// JSON:      "allocations": [
// JSON:        "function": "rows"
// JSON:      "arenas": [
// JSON:        "offset": 1024
func.func @layers(%x: memref<16x16xf32>, %w: memref<16x16xf32>, %v: memref<16x8xf32>, %y: memref<16x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<16x16xf32>
  linalg.fill ins(%zero : f32) outs(%a : memref<16x16xf32>)
  linalg.matmul ins(%x, %w : memref<16x16xf32>, memref<16x16xf32>) outs(%a : memref<16x16xf32>)
  %b = memref.alloc() : memref<16x16xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<16x16xf32>)
  linalg.matmul ins(%a, %w : memref<16x16xf32>, memref<16x16xf32>) outs(%b : memref<16x16xf32>)
  %c = memref.alloc() : memref<16x8xf32>
  linalg.fill ins(%zero : f32) outs(%c : memref<16x8xf32>)
  linalg.matmul ins(%b, %v : memref<16x16xf32>, memref<16x8xf32>) outs(%c : memref<16x8xf32>)
  linalg.exp ins(%c : memref<16x8xf32>) outs(%y : memref<16x8xf32>)
  return
}

func.func @rows(%n: index) -> memref<?xf32> {
  %m = memref.alloc(%n) : memref<?xf32>
  return %m : memref<?xf32>
}
