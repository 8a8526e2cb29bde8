// Callers that write to a copy of their own buffer would see it: each pass that makes such copies says so.
//
// RUN: freehold opt %s --ownership-based-buffer-deallocation --verify-diagnostics
// RUN: freehold opt %s --ownership-based-buffer-deallocation=borrowed-results --verify-diagnostics
// RUN: freehold opt %s --ownership-based-buffer-deallocation=private-function-dynamic-ownership --verify-diagnostics
// RUN: freehold opt %s --buffer-deallocation-pipeline --verify-diagnostics
// RUN: freehold opt %s --buffer-deallocation --verify-diagnostics
// RUN: freehold opt %s --legacy-deallocation-pipeline --verify-diagnostics
// RUN: freehold opt %s --hlo-deallocate --verify-diagnostics
// RUN: freehold opt %s --hlo-deallocate=keep-public-signatures --verify-diagnostics
// RUN: freehold opt %s --hlo-deallocation-pipeline --verify-diagnostics
// RUN: freehold opt %s --hlo-deallocation-pipeline=keep-public-signatures --verify-diagnostics

module @nested {
  func.func private @first(%m: memref<4xi64>, %n: memref<4xi64>) -> memref<4xi64> {
    return %m : memref<4xi64>
  }
  func.func private @second(%m: memref<4xi64>, %n: memref<4xi64>) -> memref<4xi64> {
    return %n : memref<4xi64>
  }
  func.func @by_address(%c: i1) -> i64 {
    %f = constant @first : (memref<4xi64>, memref<4xi64>) -> memref<4xi64>
    %g = constant @second : (memref<4xi64>, memref<4xi64>) -> memref<4xi64>
    %h = arith.select %c, %f, %g : (memref<4xi64>, memref<4xi64>) -> memref<4xi64>
    %i = arith.constant 2 : index
    %three = arith.constant 3 : i64
    %nine = arith.constant 9 : i64
    %m = memref.alloc() : memref<4xi64>
    memref.store %three, %m[%i] : memref<4xi64>
    // expected-note@+1 {{copied here}}
    %r = call_indirect %h(%m, %m) : (memref<4xi64>, memref<4xi64>) -> memref<4xi64>
    // expected-error@+1 {{'memref.store' op writes through one of two names of a buffer that has to be copied, and the other one is read afterwards}}
    memref.store %nine, %r[%i] : memref<4xi64>
    // expected-note@+1 {{read here}}
    %v = memref.load %m[%i] : memref<4xi64>
    return %v : i64
  }
  // Nobody can tell.
  func.func @read_only(%c: i1, %m: memref<4xi64>) -> i64 {
    %f = constant @first : (memref<4xi64>, memref<4xi64>) -> memref<4xi64>
    %g = constant @second : (memref<4xi64>, memref<4xi64>) -> memref<4xi64>
    %h = arith.select %c, %f, %g : (memref<4xi64>, memref<4xi64>) -> memref<4xi64>
    %i = arith.constant 2 : index
    %r = call_indirect %h(%m, %m) : (memref<4xi64>, memref<4xi64>) -> memref<4xi64>
    %v = memref.load %r[%i] : memref<4xi64>
    %w = memref.load %m[%i] : memref<4xi64>
    %s = arith.addi %v, %w : i64
    return %s : i64
  }
  // What an iteration made is another buffer than what the call returned before, unless the call stands between the
  // allocation and the write.
  func.func @in_loop(%c: i1, %first: memref<4xi64>) -> i64 {
    %f = constant @first : (memref<4xi64>, memref<4xi64>) -> memref<4xi64>
    %g = constant @second : (memref<4xi64>, memref<4xi64>) -> memref<4xi64>
    %h = arith.select %c, %f, %g : (memref<4xi64>, memref<4xi64>) -> memref<4xi64>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %zero = arith.constant 0 : i64
    %sum, %last = scf.for %i = %c0 to %c4 step %c1 iter_args(%s = %zero, %m = %first) -> (i64, memref<4xi64>) {
      %r = func.call_indirect %h(%m, %first) : (memref<4xi64>, memref<4xi64>) -> memref<4xi64>
      %new = memref.alloc() : memref<4xi64>
      memref.store %s, %new[%c1] : memref<4xi64>
      %v = memref.load %r[%c1] : memref<4xi64>
      %t = arith.addi %s, %v : i64
      scf.yield %t, %new : i64, memref<4xi64>
    }
    return %sum : i64
  }
  func.func @in_loop_behind(%c: i1) -> i64 {
    %f = constant @first : (memref<4xi64>, memref<4xi64>) -> memref<4xi64>
    %g = constant @second : (memref<4xi64>, memref<4xi64>) -> memref<4xi64>
    %h = arith.select %c, %f, %g : (memref<4xi64>, memref<4xi64>) -> memref<4xi64>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %zero = arith.constant 0 : i64
    %sum = scf.for %i = %c0 to %c4 step %c1 iter_args(%s = %zero) -> (i64) {
      %new = memref.alloc() : memref<4xi64>
      // expected-note@+1 {{copied here}}
      %r = func.call_indirect %h(%new, %new) : (memref<4xi64>, memref<4xi64>) -> memref<4xi64>
      // expected-error@+1 {{'memref.store' op writes through one of two names of a buffer that has to be copied, and the other one is read afterwards}}
      memref.store %s, %new[%c1] : memref<4xi64>
      // expected-note@+1 {{read here}}
      %v = memref.load %r[%c1] : memref<4xi64>
      %t = arith.addi %s, %v : i64
      scf.yield %t : i64
    }
    return %sum : i64
  }
  func.func private @write_both(%m: memref<4xi64>, %n: memref<4xi64>) {
    %i = arith.constant 1 : index
    %nine = arith.constant 9 : i64
    memref.store %nine, %m[%i] : memref<4xi64>
    memref.store %nine, %n[%i] : memref<4xi64>
    return
  }
  // Through the new buffer and through what the call was given.
  func.func @in_loop_both(%c: i1, %first: memref<4xi64>) -> i64 {
    %f = constant @first : (memref<4xi64>, memref<4xi64>) -> memref<4xi64>
    %g = constant @second : (memref<4xi64>, memref<4xi64>) -> memref<4xi64>
    %h = arith.select %c, %f, %g : (memref<4xi64>, memref<4xi64>) -> memref<4xi64>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %zero = arith.constant 0 : i64
    %sum, %last = scf.for %i = %c0 to %c4 step %c1 iter_args(%s = %zero, %m = %first) -> (i64, memref<4xi64>) {
      // expected-note@+1 {{copied here}}
      %r = func.call_indirect %h(%m, %first) : (memref<4xi64>, memref<4xi64>) -> memref<4xi64>
      %new = memref.alloc() : memref<4xi64>
      // expected-error@+1 {{'func.call' op writes through one of two names of a buffer that has to be copied, and the other one is read afterwards}}
      func.call @write_both(%new, %m) : (memref<4xi64>, memref<4xi64>) -> ()
      // expected-note@+1 {{read here}}
      %v = memref.load %r[%c1] : memref<4xi64>
      %t = arith.addi %s, %v : i64
      scf.yield %t, %new : i64, memref<4xi64>
    }
    return %sum : i64
  }
}
