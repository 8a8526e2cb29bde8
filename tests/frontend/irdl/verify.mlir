// Operations, types and attributes of a file of declarations, in the words of upstream's --irdl-file.
// RUN: freehold opt --irdl-file=%S/inputs/cmath.mlir --split-input-file --verify-diagnostics %s

func.func @valid(%a: !cm.complex<f32>, %m: memref<2xf32>, %p: !cm.plain) attributes {tag = #cm.tag<3>} {
  %0 = "cm.norm"(%a) : (!cm.complex<f32>) -> f32
  "cm.groups"(%a, %m) {operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 0, 0>} : (!cm.complex<f32>, memref<2xf32>) -> ()
  "cm.three"() {x = 3 : i32} : () -> ()
  "cm.many"(%p) : (!cm.plain) -> ()
  return
}

// -----

func.func @count(%a: !cm.complex<f32>) {
  // expected-error @+1 {{op expects exactly 1 operands, but got 2}}
  %0 = "cm.norm"(%a, %a) : (!cm.complex<f32>, !cm.complex<f32>) -> f32
  return
}

// -----

func.func @other_type(%a: !cm.complex<f32>) {
  // expected-error @+1 {{expected 'f32' but got 'f64'}}
  %0 = "cm.norm"(%a) : (!cm.complex<f32>) -> f64
  return
}

// -----

func.func @other_base(%a: i32) {
  // expected-error @+1 {{expected base type 'cm.complex' but got 'i32'}}
  %0 = "cm.norm"(%a) : (i32) -> f64
  return
}

// -----

// expected-error @+1 {{'i32' does not satisfy the constraint}}
func.func private @parameter(!cm.complex<i32>)

// -----

// expected-error @+1 {{expected 1 type arguments, but had 0}}
func.func private @no_parameter(!cm.complex)

// -----

// expected-error @+1 {{expected 1 type arguments, but had 2}}
func.func private @parameters(!cm.complex<f32, f32>)

// -----

// expected-error @+1 {{'!cm.nope' is no type of the dialect: to declare it, write 'irdl.type @nope' in 'irdl.dialect @cm'}}
func.func private @unknown_type(!cm.nope)

// -----

func.func @unknown(%a: i32) {
  // expected-error @+1 {{unregistered operation 'cm.xx' found in dialect ('cm') that does not allow unknown operations}}
  "cm.xx"(%a) : (i32) -> ()
  return
}

// -----

func.func @no_segments(%m: memref<2xf32>) {
  // expected-error @+1 {{'operandSegmentSizes' attribute is expected but not provided}}
  "cm.groups"(%m) {resultSegmentSizes = array<i32: 0, 0>} : (memref<2xf32>) -> ()
  return
}

// -----

func.func @segments(%m: memref<2xf32>) {
  // expected-error @+1 {{sum of elements in 'operandSegmentSizes' attribute must be equal to the number of operands}}
  "cm.groups"(%m) {operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 0, 0>} : (memref<2xf32>) -> ()
  return
}

// -----

func.func @segment(%m: memref<2xf32>) {
  // expected-error @+1 {{element 1 in 'operandSegmentSizes' attribute must be equal to 0 or 1}}
  "cm.groups"(%m, %m) {operandSegmentSizes = array<i32: 0, 2>, resultSegmentSizes = array<i32: 0, 0>} : (memref<2xf32>, memref<2xf32>) -> ()
  return
}

// -----

func.func @no_choice(%a: i32) {
  // expected-error @+1 {{'i32' does not satisfy the constraint}}
  "cm.groups"(%a) {operandSegmentSizes = array<i32: 1, 0>, resultSegmentSizes = array<i32: 0, 0>} : (i32) -> ()
  return
}

// -----

func.func @attributes() {
  // expected-error @+1 {{'cm.three' op attribute "x" is expected but not provided}}
  "cm.three"() : () -> ()
  // expected-error @+1 {{expected '3 : i32' but got '4 : i32'}}
  "cm.three"() {x = 4 : i32} : () -> ()
  // expected-error @+1 {{expected base attribute 'builtin.integer' but got 'builtin.string'}}
  "cm.number"() {x = "e"} : () -> ()
  return
}

// -----

func.func @regions() {
  // expected-error @+1 {{'cm.regions' op unexpected number of regions: expected 2 but got 1}}
  "cm.regions"() ({}) : () -> ()
  // expected-error @+1 {{expected region 0 to have 2 arguments but got 0}}
  "cm.regions"() ({}, {}) : () -> ()
  // expected-error @+1 {{expected region 1 to have 1 block(s) but got 0}}
  "cm.regions"() ({
  ^bb0(%a: f32, %b: i32):
    "cm.end"() : () -> ()
  }, {}) : () -> ()
  return
}

// -----

func.func @both(%a: i32) {
  // expected-error @+1 {{expected 'i64' but got 'i32'}}
  "cm.both"(%a) : (i32) -> ()
  return
}

// -----

func.func @optional(%a: i32) {
  // expected-error @+1 {{op expects at least 1 operands, but got 0}}
  "cm.few"() : () -> ()
  // expected-error @+1 {{op expects at most 2 operands, but got 3}}
  "cm.few"(%a, %a, %a) : (i32, i32, i32) -> ()
  // expected-error @+1 {{op expects at least 1 operands, but got 0}}
  "cm.many"() : () -> ()
  return
}
