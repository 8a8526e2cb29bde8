// RUN: freehold opt %s --split-input-file --verify-diagnostics

func.func @bits() {
  // expected-error @+1 {{integer constant out of range for attribute}}
  %0 = arith.constant 1361129467683753853853498429727072845824 : i130
  return
}

// -----

func.func @least() {
  // expected-error @+1 {{integer constant out of range for attribute}}
  return {a = -680564733841876926926749214863536422913 : i130}
}

// -----

func.func @largest() {
  // expected-error @+1 {{integer constant out of range for attribute}}
  return {a = 680564733841876926926749214863536422912 : si130}
}
