// RUN: freehold opt %s --arith-emulate-wide-int --split-input-file --verify-diagnostics

// No halves are known for divisions.
func.func @divide(%a: i64, %b: i64) -> i64 {
  // expected-error @+1 {{'arith.divsi' op cannot be emulated: no halves are known for it}}
  %0 = arith.divsi %a, %b : i64
  return %0 : i64
}

// -----

// It would print halves.
func.func @print(%a: i64) {
  // expected-error @+1 {{'vector.print' op works on a value of type i64, which 'arith-emulate-wide-int' does not change there}}
  vector.print %a : i64
  return
}

// -----

// expected-error @+1 {{'func.func' op is only declared: what 'other' stands for expects i64 and not halves}}
func.func private @other(i64)

// -----

func.func @buffer(%m: memref<4xi64>, %i: index) -> i64 {
  // expected-error @+1 {{'memref.load' op works on a value of type i64, which 'arith-emulate-wide-int' does not change there}}
  %0 = memref.load %m[%i] : memref<4xi64>
  return %0 : i64
}

// -----

// expected-error @+1 {{'func.func' op cannot be emulated: i128 has no halves of 32 bits}}
func.func @wider(%a: i128) -> i128 {
  return %a : i128
}

// -----

// expected-error @+1 {{'func.func' op cannot be emulated: (i64) -> () has no halves of 32 bits}}
func.func @function(%f: (i64) -> ()) {
  return
}

// -----

func.func @counter(%n: i64) {
  // expected-error @+1 {{'scf.for' op works on a value of type i64, which 'arith-emulate-wide-int' does not change there}}
  scf.for %i = %n to %n step %n : i64 {
  }
  return
}

// -----

// Vectors of a number of elements that nobody knows have no dimension for halves.
func.func @scalable(%a: vector<[4]xi32>) -> vector<[4]xi32> {
  // expected-error @+1 {{'arith.extui' op cannot be emulated: vector<[4]xi64> has no halves of 32 bits}}
  %0 = arith.extui %a : vector<[4]xi32> to vector<[4]xi64>
  %1 = arith.trunci %0 : vector<[4]xi64> to vector<[4]xi32>
  return %1 : vector<[4]xi32>
}

// -----

// A function of the llvm dialect stays, and is not called with halves.
llvm.func @f(%a: i64) -> i64 {
  %0 = llvm.add %a, %a : i64
  llvm.return %0 : i64
}
func.func @caller(%a: i64) -> i64 {
  // expected-error @+1 {{'llvm.call' op works on a value of type i64, which 'arith-emulate-wide-int' does not change there}}
  %0 = llvm.call @f(%a) : (i64) -> i64
  return %0 : i64
}
