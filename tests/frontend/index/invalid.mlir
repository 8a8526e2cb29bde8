// What is wrong with index operations, in mlir-opt's words.

// RUN: freehold opt %s --split-input-file --verify-diagnostics

func.func @predicate_keyword(%a: index) {
  // expected-error @+2 {{custom op 'index.cmp' failed to parse IndexCmpPredicateAttr parameter 'value' which is to be a `::mlir::index::IndexCmpPredicate`}}
  // expected-error @+1 {{custom op 'index.cmp' expected ::mlir::index::IndexCmpPredicate to be one of: eq, ne, slt, sle, sgt, sge, ult, ule, ugt, uge}}
  %0 = index.cmp foo(%a, %a)
  return
}

// -----

func.func @predicate_missing(%a: index) {
  // expected-error @+2 {{custom op 'index.cmp' failed to parse IndexCmpPredicateAttr parameter 'value' which is to be a `::mlir::index::IndexCmpPredicate`}}
  // expected-error @+1 {{custom op 'index.cmp' expected valid keyword}}
  %0 = index.cmp (%a, %a)
  return
}

// -----

func.func @constant_bool() {
  // expected-error @+1 {{'index.constant' op attribute 'value' failed to satisfy constraint: index attribute}}
  %0 = index.constant true
  return
}

// -----

func.func @bool_constant_number() {
  // expected-error @+1 {{integer constant out of range for attribute}}
  %0 = index.bool.constant 3
  return
}

// -----

func.func @cast_without_integer(%a: index) {
  // expected-error @+1 {{'index.casts' op operand type 'index' and result type 'index' are cast incompatible}}
  %0 = index.casts %a : index to index
  return
}

// -----

func.func @cast_to_float(%a: index) {
  // expected-error @+1 {{'index.casts' op result #0 must be integer or index, but got 'f32'}}
  %0 = index.casts %a : index to f32
  return
}

// -----

func.func @cast_without_index(%a: i32) {
  // expected-error @+1 {{'index.castu' op operand type 'i32' and result type 'i64' are cast incompatible}}
  %0 = index.castu %a : i32 to i64
  return
}

// -----

func.func @operand_type(%a: i32) {
  // expected-error @+1 {{'index.add' op operand #0 must be index, but got 'i32'}}
  %0 = "index.add"(%a, %a) : (i32, i32) -> index
  return
}
