// What is no program of the dialect.
//
// RUN: freehold opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{'!llvm.nothing<i32>' is no type of the dialect}}
llvm.func @type(!llvm.nothing<i32>)

// -----

llvm.func @position(%s: !llvm.struct<(i32, i64)>) {
  // expected-error @+1 {{the position is not in the container}}
  %0 = llvm.extractvalue %s[2] : !llvm.struct<(i32, i64)>
  llvm.return
}

// -----

llvm.func @index(%p: !llvm.ptr, %i: i64) {
  // expected-error @+1 {{'llvm.getelementptr' op expected index to a struct to be constant}}
  %0 = llvm.getelementptr %p[0, %i] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.struct<(i32, i64)>
  llvm.return
}

// -----

llvm.func @f(i32)
llvm.func @call(%x: i64) {
  // expected-error @+1 {{'llvm.call' op operand type mismatch for operand 0: i64 != i32}}
  llvm.call @f(%x) : (i64) -> ()
  llvm.return
}

// -----

llvm.func @call() {
  // expected-error @+1 {{'llvm.call' op 'g' does not reference a symbol in the current scope}}
  llvm.call @g() : () -> ()
  llvm.return
}

// -----

// expected-error @+1 {{'llvm.mlir.global' op requires an i8 array type of the length equal to that of the string attribute}}
llvm.mlir.global internal @s("abc") : !llvm.array<4 x i8>

// -----

func.func @element(%v: vector<4xf32>, %i: i32) -> vector<4xf32> {
  // expected-error @+1 {{'llvm.extractelement' op failed to verify that result type matches vector element type}}
  %0 = "llvm.extractelement"(%v, %i) : (vector<4xf32>, i32) -> vector<4xf32>
  return %0 : vector<4xf32>
}

// -----

func.func @inserted(%v: vector<4xf32>, %i: i32) -> vector<4xf32> {
  // expected-error @+1 {{'llvm.insertelement' op failed to verify that argument type matches vector element type}}
  %0 = "llvm.insertelement"(%v, %v, %i) : (vector<4xf32>, vector<4xf32>, i32) -> vector<4xf32>
  return %0 : vector<4xf32>
}

// -----

// expected-error @+1 {{mismatch between the number of ctors and the number of priorities}}
llvm.mlir.global_ctors {ctors = [@first, @second], priorities = [0 : i32]}

// -----

// expected-error @+1 {{ctors, priorities, and data must have the same number of elements}}
llvm.mlir.global_ctors ctors = [@first, @second], priorities = [0 : i32, 1 : i32], data = [#llvm.zero]

// -----

// expected-error @+1 {{'llvm.mlir.global_ctors' op 'first' does not reference a valid LLVM function}}
llvm.mlir.global_ctors {ctors = [@first], priorities = [0 : i32]}

// -----

// expected-error @+1 {{'llvm.mlir.global_dtors' op 'first' does not have a definition}}
llvm.mlir.global_dtors {dtors = [@first], priorities = [0 : i32]}
llvm.func @first()

// -----

// expected-error @+1 {{'llvm.mlir.global_dtors' op requires attribute 'dtors'}}
llvm.mlir.global_dtors {ctors = [@first], priorities = [0 : i32]}

// -----

// expected-error @+1 {{'llvm.mlir.global_dtors' op attribute 'priorities' failed to satisfy constraint: 32-bit integer array attribute}}
llvm.mlir.global_dtors {dtors = [@first], priorities = [0 : i64]}
