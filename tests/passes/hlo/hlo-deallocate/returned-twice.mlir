// RUN: freehold opt %s --hlo-deallocate --verify-diagnostics

// What frees its buffers itself may return one of them twice: `@f` does where %c is true, and so does `@g`, which compares
// what it gets and hands it on. `@main` would free both results.
func.func private @f(%c: i1) -> (memref<4xi64>, memref<4xi64>) {
  %a = memref.alloc() : memref<4xi64>
  %b = memref.alloc() : memref<4xi64>
  %s = arith.select %c, %a, %b : memref<4xi64>
  %pa = memref.extract_aligned_pointer_as_index %a : memref<4xi64> -> index {freehold.allocated}
  %pb = memref.extract_aligned_pointer_as_index %b : memref<4xi64> -> index {freehold.allocated}
  %ps = memref.extract_aligned_pointer_as_index %s : memref<4xi64> -> index {freehold.allocated}
  %other = arith.cmpi ne, %pb, %ps : index
  scf.if %other {
    memref.dealloc %b : memref<4xi64>
  }
  return %s, %a : memref<4xi64>, memref<4xi64>
}

func.func private @g(%c: i1) -> (memref<4xi64>, memref<4xi64>) {
  %0:2 = call @f(%c) : (i1) -> (memref<4xi64>, memref<4xi64>)
  // expected-note @+1 {{the callee frees here}}
  %p0 = memref.extract_aligned_pointer_as_index %0#0 : memref<4xi64> -> index {freehold.allocated}
  %p1 = memref.extract_aligned_pointer_as_index %0#1 : memref<4xi64> -> index {freehold.allocated}
  %same = arith.cmpi eq, %p0, %p1 : index
  %differ = arith.cmpi ne, %p0, %p1 : index
  %owned = arith.ori %same, %differ : i1
  %second = scf.if %owned -> (memref<4xi64>) {
    scf.yield %0#1 : memref<4xi64>
  } else {
    %copy = bufferization.clone %0#1 : memref<4xi64> to memref<4xi64>
    scf.yield %copy : memref<4xi64>
  }
  return %second, %0#0 : memref<4xi64>, memref<4xi64>
}

func.func @main() {
  %true = arith.constant true
  // expected-error @+1 {{'func.call' op may return one buffer twice: functions that free buffers themselves need callers that do}}
  %0:2 = call @g(%true) : (i1) -> (memref<4xi64>, memref<4xi64>)
  return
}
