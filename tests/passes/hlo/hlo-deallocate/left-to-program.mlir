// RUN: freehold opt %s --split-input-file --hlo-deallocate | FileCheck %s
// RUN: freehold opt %s --split-input-file --hlo-deallocate --verify-diagnostics -o /dev/null

// A buffer that the program frees under conditions of its own, and uses afterwards where it has not,
// is the program's own matter.

// CHECK-LABEL: func.func @no_else
// CHECK-NOT: deallocation
// CHECK: return
func.func @no_else(%c: i1) -> i32 {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  %true = arith.constant true
  %not_c = arith.xori %c, %true : i1
  // expected-remark @+1 {{the program frees this buffer itself, under conditions: nothing is added}}
  %a = memref.alloc() : memref<2xi32>
  scf.if %c {
    // expected-note @+1 {{freed here}}
    memref.dealloc %a : memref<2xi32>
  }
  %v = scf.if %c -> (i32) {
    scf.yield %zero : i32
  } else {
    %w = memref.load %a[%c0] : memref<2xi32>
    scf.yield %w : i32
  }
  scf.if %not_c {
    // expected-note @+1 {{freed here}}
    memref.dealloc %a : memref<2xi32>
  }
  return %v : i32
}

// -----

// CHECK-LABEL: func.func @other_branch
// CHECK-NOT: deallocation
// CHECK: return
func.func @other_branch(%c: i1) -> i32 {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  // expected-remark @+1 {{the program frees this buffer itself, under conditions: nothing is added}}
  %a = memref.alloc() : memref<2xi32>
  scf.if %c {
    // expected-note @+1 {{freed here}}
    memref.dealloc %a : memref<2xi32>
  } else {
    vector.print str "kept"
  }
  %v = scf.if %c -> (i32) {
    scf.yield %zero : i32
  } else {
    %w = memref.load %a[%c0] : memref<2xi32>
    // expected-note @+1 {{freed here}}
    memref.dealloc %a : memref<2xi32>
    scf.yield %w : i32
  }
  return %v : i32
}

// -----

// Two selects of the same condition free both buffers.
// CHECK-LABEL: func.func @selected
// CHECK-NOT: deallocation
// CHECK: return
func.func @selected(%c: i1) -> i32 {
  %c0 = arith.constant 0 : index
  // expected-remark @+1 {{the program frees this buffer itself, under conditions: nothing is added}}
  %a = memref.alloc() : memref<2xi32>
  %b = memref.alloc() : memref<2xi32>
  %s = arith.select %c, %a, %b : memref<2xi32>
  %t = arith.select %c, %b, %a : memref<2xi32>
  // expected-note @+2 {{freed here}}
  // expected-note @+1 {{freed here}}
  memref.dealloc %s : memref<2xi32>
  %v = memref.load %t[%c0] : memref<2xi32>
  // expected-note @+2 {{freed here}}
  // expected-note @+1 {{freed here}}
  memref.dealloc %t : memref<2xi32>
  return %v : i32
}
