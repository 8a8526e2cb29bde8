// RUN: freehold opt %s --split-input-file --verify-diagnostics

func.func @other_attribute() {
  // expected-error @+1 {{custom op 'ub.poison' invalid kind of attribute specified}}
  %a = ub.poison <3> : i32
  return
}

// -----

func.func @other_attribute_generic() {
  // expected-error @+1 {{'ub.poison' op attribute 'value' failed to satisfy constraint: PoisonAttrInterface instance}}
  %a = "ub.poison"() <{value = 3 : i32}> : () -> i32
  return
}
