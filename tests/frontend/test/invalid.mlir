// RUN: freehold opt %s --split-input-file --verify-diagnostics

func.func @missing_value(%a: memref<4xf32>) {
  // expected-error @+1 {{'test.region_if' op  region control flow edge from Region #0 to Region #2: source has 0 operands, but target successor needs 1}}
  %r = test.region_if %a : memref<4xf32> -> (memref<4xf32>) then {
  ^bb0(%x: memref<4xf32>):
    test.region_if_yield
  } else {
  ^bb0(%x: memref<4xf32>):
    test.region_if_yield %x : memref<4xf32>
  } join {
  ^bb0(%x: memref<4xf32>):
    test.region_if_yield %x : memref<4xf32>
  }
  return
}

// -----

func.func @parent() {
  // expected-error @+1 {{'test.region_if_yield' op expects parent op 'test.region_if'}}
  test.region_if_yield
  return
}

// -----

func.func @no_memref(%a: i32) {
  // expected-error @+1 {{'test.memref_user' op operand #0 must be variadic of ranked or unranked memref of any type values, but got 'i32'}}
  test.memref_user(%a) : (i32)
  return
}
