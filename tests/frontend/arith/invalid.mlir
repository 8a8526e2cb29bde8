// What is wrong with arith operations, in mlir-opt's words.

// RUN: freehold opt %s --split-input-file --verify-diagnostics

func.func @operand_type(%a: i32, %b: f32) {
  // expected-error @+1 {{'arith.addi' op operand #1 must be signless-integer-like, but got 'f32'}}
  %0 = "arith.addi"(%a, %b) : (i32, f32) -> i32
  return
}

// -----

func.func @different_operands(%a: i32, %b: i64) {
  // expected-error @+1 {{'arith.addi' op requires the same type for all operands and results}}
  %0 = "arith.addi"(%a, %b) : (i32, i64) -> i32
  return
}

// -----

func.func @different_result(%a: i32, %b: i64) {
  // expected-error @+1 {{'arith.addi' op requires the same type for all operands and results}}
  %0 = "arith.addi"(%a, %a) : (i32, i32) -> i64
  return
}

// -----

func.func @missing_operand(%a: i32, %b: i64) {
  // expected-error @+1 {{'arith.addi' op expected 2 operands, but found 1}}
  %0 = "arith.addi"(%a) : (i32) -> i64
  return
}

// -----

func.func @overflow_attribute(%a: i32, %b: i64) {
  // expected-error @+1 {{'arith.addi' op attribute 'overflowFlags' failed to satisfy constraint: Integer overflow arith flags}}
  %0 = "arith.addi"(%a, %a) {overflowFlags = 1 : i32} : (i32, i32) -> i32
  return
}

// -----

func.func @overflow_keyword(%a: i32, %b: i64) {
  // expected-error @+2 {{custom op 'arith.addi' failed to parse Arith_IntegerOverflowAttr parameter 'value' which is to be a `::mlir::arith::IntegerOverflowFlags`}}
  // expected-error @+1 {{custom op 'arith.addi' expected ::mlir::arith::IntegerOverflowFlags to be one of: none, nsw, nuw}}
  %0 = arith.addi %a, %a overflow<foo> : i32
  return
}

// -----

func.func @fastmath_keyword(%a: f32) {
  // expected-error @+2 {{custom op 'arith.addf' failed to parse Arith_FastMathAttr parameter 'value' which is to be a `::mlir::arith::FastMathFlags`}}
  // expected-error @+1 {{custom op 'arith.addf' expected ::mlir::arith::FastMathFlags to be one of: none, reassoc, nnan, ninf, nsz, arcp, contract, afn, fast}}
  %0 = arith.addf %a, %a fastmath<foo> : f32
  return
}

// -----

func.func @fastmath_without_flags(%a: f32) {
  // expected-error @+1 {{expected '<'}}
  %0 = arith.addf %a, %a fastmath : f32
  return
}

// -----

func.func @predicate_missing(%a: i32, %b: i64) {
  // expected-error @+1 {{'arith.cmpi' op requires attribute 'predicate'}}
  %0 = "arith.cmpi"(%a, %a) : (i32, i32) -> i1
  return
}

// -----

func.func @predicate_number(%a: i32, %b: i64) {
  // expected-error @+1 {{'arith.cmpi' op attribute 'predicate' failed to satisfy constraint: allowed 64-bit signless integer cases: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9}}
  %0 = "arith.cmpi"(%a, %a) {predicate = 11} : (i32, i32) -> i1
  return
}

// -----

func.func @predicate_keyword(%a: i32, %b: i64) {
  // expected-error @+1 {{custom op 'arith.cmpi' expected string or keyword containing one of the following enum values for attribute 'predicate' [eq, ne, slt, sle, sgt, sge, ult, ule, ugt, uge]}}
  %0 = arith.cmpi foo, %a, %a : i32
  return
}

// -----

func.func @compared_operands(%a: i32, %b: i64) {
  // expected-error @+1 {{'arith.cmpi' op requires all operands to have the same type}}
  %0 = "arith.cmpi"(%a, %b) {predicate = 1 : i64} : (i32, i64) -> i1
  return
}

// -----

func.func @compared_result(%a: i32, %b: i64) {
  // expected-error @+1 {{'arith.cmpi' op result #0 must be bool-like, but got 'i2'}}
  %0 = "arith.cmpi"(%a, %a) {predicate = 1 : i64} : (i32, i32) -> i2
  return
}

// -----

func.func @compared_result_shape(%a: i32, %b: i64) {
  // expected-error @+1 {{'arith.cmpi' op failed to verify that result type has i1 element type and same shape as operands}}
  %0 = "arith.cmpi"(%a, %a) {predicate = 1 : i64} : (i32, i32) -> vector<4xi1>
  return
}

// -----

func.func @compared_floats(%a: f32) {
  // expected-error @+1 {{custom op 'arith.cmpi' 'lhs' must be signless-integer-like, but got 'f32'}}
  %0 = arith.cmpi slt, %a, %a : f32
  return
}

// -----

func.func @compared_integers(%a: i32) {
  // expected-error @+1 {{custom op 'arith.cmpf' 'lhs' must be floating-point-like, but got 'i32'}}
  %0 = arith.cmpf olt, %a, %a : i32
  return
}

// -----

func.func @rounding_keyword(%a: f32) {
  // expected-error @+1 {{expected ':'}}
  %0 = arith.truncf %a foo : f32 to f16
  return
}

// -----

func.func @truncation_to_wider(%a: f32) {
  // expected-error @+1 {{'arith.truncf' op operand type 'f32' and result type 'f64' are cast incompatible}}
  %0 = arith.truncf %a : f32 to f64
  return
}

// -----

func.func @extension_to_narrower(%a: i64) {
  // expected-error @+1 {{'arith.extui' op operand type 'i64' and result type 'i32' are cast incompatible}}
  %0 = arith.extui %a : i64 to i32
  return
}

// -----

func.func @cast_to_vector(%a: i64) {
  // expected-error @+1 {{'arith.extui' op requires the same shape for all operands and results}}
  %0 = arith.extui %a : i64 to vector<4xi65>
  return
}

// -----

func.func @cast_to_other_sizes(%a: tensor<?x4xi32>) {
  // expected-error @+1 {{'arith.extui' op failed to verify that input and output have the same tensor dimensions}}
  %0 = arith.extui %a : tensor<?x4xi32> to tensor<4x4xi64>
  return
}

// -----

func.func @index_cast_without_index(%a: i64) {
  // expected-error @+1 {{'arith.index_cast' op operand type 'i64' and result type 'i32' are cast incompatible}}
  %0 = arith.index_cast %a : i64 to i32
  return
}

// -----

func.func @index_cast_of_index(%a: index) {
  // expected-error @+1 {{'arith.index_cast' op operand type 'index' and result type 'index' are cast incompatible}}
  %0 = arith.index_cast %a : index to index
  return
}

// -----

func.func @index_cast_of_float(%a: f32) {
  // expected-error @+1 {{'arith.index_cast' op operand #0 must be signless-integer-like or memref of signless-integer, but got 'f32'}}
  %0 = arith.index_cast %a : f32 to index
  return
}

// -----

func.func @bitcast_width(%a: f32) {
  // expected-error @+1 {{'arith.bitcast' op operand type 'f32' and result type 'i64' are cast incompatible}}
  %0 = arith.bitcast %a : f32 to i64
  return
}

// -----

func.func @bitcast_of_index(%a: index) {
  // expected-error @+1 {{'arith.bitcast' op operand type 'index' and result type 'i64' are cast incompatible}}
  %0 = arith.bitcast %a : index to i64
  return
}

// -----

func.func @conversion_of_index(%a: index) {
  // expected-error @+1 {{'arith.sitofp' op operand #0 must be signless-fixed-width-integer-like, but got 'index'}}
  %0 = arith.sitofp %a : index to f32
  return
}

// -----

func.func @constant_string() {
  // expected-error @+1 {{'arith.constant' op value must be an integer, float, or elements attribute}}
  %0 = arith.constant "text"
  return
}

// -----

func.func @constant_without_type() {
  // expected-error @+1 {{custom op 'arith.constant' invalid kind of attribute specified}}
  %0 = arith.constant unit
  return
}

// -----

func.func @constant_signed() {
  // expected-error @+1 {{'arith.constant' op integer return type must be signless}}
  %0 = arith.constant 3 : si32
  return
}

// -----

func.func @constant_of_other_type() {
  // expected-error @+1 {{'arith.constant' op failed to verify that all of {value, result} have same type}}
  %0 = "arith.constant"() {value = 3 : i32} : () -> i64
  return
}

// -----

func.func @constant_scalable() {
  // expected-error @+1 {{'arith.constant' op intializing scalable vectors with elements attribute is not supported unless it's a vector splat}}
  %0 = arith.constant dense<[1.0, 2.0]> : vector<[2]xf32>
  return
}

// -----

func.func @select_by_index(%a: index, %b: f32) {
  // expected-error @+1 {{'arith.select' op operand #0 must be bool-like, but got 'index'}}
  %0 = arith.select %a, %b, %b : index, f32
  return
}

// -----

func.func @select_types(%a: i1, %b: f32) {
  // expected-error @+1 {{'arith.select' op failed to verify that all of {true_value, false_value, result} have same type}}
  %0 = "arith.select"(%a, %b, %a) : (i1, f32, i1) -> f32
  return
}

// -----

func.func @select_shapes(%a: vector<2xi1>, %b: vector<4xf32>) {
  // expected-error @+1 {{'arith.select' op failed to verify that condition is signless i1 or has matching shape}}
  %0 = arith.select %a, %b, %b : vector<2xi1>, vector<4xf32>
  return
}

// -----

func.func @select_tensor_of_vector(%a: tensor<4xi1>, %b: vector<4xf32>) {
  // expected-error @+1 {{'arith.select' op all non-scalar operands/results must have the same shape and base type}}
  %0 = arith.select %a, %b, %b : tensor<4xi1>, vector<4xf32>
  return
}

// -----

func.func @select_buffer(%a: tensor<4xi1>, %b: memref<4xf32>) {
  // expected-error @+1 {{'arith.select' op if an operand is non-scalar, then there must be at least one non-scalar result}}
  %0 = arith.select %a, %b, %b : tensor<4xi1>, memref<4xf32>
  return
}

// -----

func.func @select_scalar_by_vector(%a: vector<4xi1>, %b: f32) {
  // expected-error @+1 {{'arith.select' op failed to verify that condition is signless i1 or has matching shape}}
  %0 = arith.select %a, %b, %b : vector<4xi1>, f32
  return
}

// -----

func.func @results(%a: i32) {
  // expected-error @+1 {{operation defines 2 results but was provided 1 to bind}}
  %0 = arith.addui_extended %a, %a : i32, i1
  return
}

// -----

func.func @extended_types(%a: i32, %b: i64) {
  // expected-error @+1 {{'arith.mului_extended' op failed to verify that all of {lhs, rhs, low, high} have same type}}
  %0:2 = "arith.mului_extended"(%a, %a) : (i32, i32) -> (i32, i64)
  return
}
