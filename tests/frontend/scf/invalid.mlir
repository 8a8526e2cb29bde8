// What is wrong with structured control flow, in mlir-opt's words.

// RUN: freehold opt %s --split-input-file --verify-diagnostics --allow-unregistered-dialect

func.func @if_without_else(%c: i1, %a: i32) {
  // expected-error @+1 {{'scf.if' op must have an else block if defining values}}
  %r = scf.if %c -> i32 {
    scf.yield %a : i32
  }
  return
}

// -----

func.func @if_yields_nothing(%c: i1, %a: i32) {
  // expected-error @+1 {{'scf.if' op  region control flow edge from Region #0 to parent results: source has 0 operands, but target successor needs 1}}
  %r = scf.if %c -> i32 {
  } else {
    scf.yield %a : i32
  }
  return
}

// -----

func.func @if_yields_other(%c: i1, %a: i32, %f: f32) {
  // expected-error @+1 {{'scf.if' op  along control flow edge from Region #1 to parent results: source type #0 'f32' should match input type #0 'i32'}}
  %r = scf.if %c -> i32 {
    scf.yield %a : i32
  } else {
    scf.yield %f : f32
  }
  return
}

// -----

func.func @if_argument(%c: i1) {
  // expected-error @+1 {{'scf.if' op region #0 should have no arguments}}
  scf.if %c {
  ^bb0(%x: i32):
    scf.yield
  }
  return
}

// -----

func.func @if_blocks(%c: i1) {
  // expected-error @+1 {{'scf.if' op expects region #0 to have 0 or 1 blocks}}
  scf.if %c {
    cf.br ^next
  ^next:
    scf.yield
  }
  return
}

// -----

func.func @if_no_then(%c: i1) {
  // expected-error @+1 {{'scf.if' op region #0 ('thenRegion') failed to verify constraint: region with 1 blocks}}
  "scf.if"(%c) ({}, {}) : (i1) -> ()
  return
}

// -----

func.func @if_terminator(%c: i1) {
  // expected-error @+2 {{'scf.if' op expects regions to end with 'scf.yield', found 'x.end'}}
  // expected-note @+1 {{in custom textual format, the absence of terminator implies 'scf.yield'}}
  "scf.if"(%c) ({
    "x.end"() : () -> ()
  }, {}) : (i1) -> ()
  return
}

// -----

func.func @for_results(%i: index, %a: i32) {
  // expected-error @+1 {{custom op 'scf.for' mismatch in number of loop-carried values and defined values}}
  scf.for %k = %i to %i step %i iter_args(%p = %a) -> (i32, i32) {
  }
  return
}

// -----

func.func @for_bound_types(%i: index, %a: i32) {
  // expected-error @+1 {{'scf.for' op failed to verify that all of {lowerBound, upperBound, step} have same type}}
  "scf.for"(%i, %i, %a) ({
  ^bb0(%k: index):
    scf.yield
  }) : (index, index, i32) -> ()
  return
}

// -----

func.func @for_float(%f: f32) {
  // expected-error @+1 {{'scf.for' op operand #0 must be signless integer or index, but got 'f32'}}
  scf.for %k = %f to %f step %f : f32 {
  }
  return
}

// -----

func.func @for_induction_variable(%i: index) {
  // expected-error @+1 {{'scf.for' op expected induction variable to be same type as bounds and step}}
  "scf.for"(%i, %i, %i) ({
  ^bb0(%k: i32):
    scf.yield
  }) : (index, index, index) -> ()
  return
}

// -----

func.func @for_no_induction_variable(%i: index) {
  // expected-error @+1 {{'scf.for' op expected body to have an argument for the induction variable}}
  "scf.for"(%i, %i, %i) ({
    scf.yield
  }) : (index, index, index) -> ()
  return
}

// -----

func.func @for_init_count(%i: index, %a: i32) {
  // expected-error @+1 {{'scf.for' op different number of inits and region iter_args: 1 != 0}}
  %r = "scf.for"(%i, %i, %i, %a) ({
  ^bb0(%k: index):
    scf.yield %a : i32
  }) : (index, index, index, i32) -> i32
  return
}

// -----

func.func @for_init_type(%i: index, %a: i32) {
  // expected-error @+1 {{'scf.for' op 0-th init and 0-th region iter_arg have different type: 'i32' != 'i64'}}
  %r = "scf.for"(%i, %i, %i, %a) ({
  ^bb0(%k: index, %p: i64):
    scf.yield %a : i32
  }) : (index, index, index, i32) -> i32
  return
}

// -----

func.func @for_yield_type(%i: index, %a: i32) {
  // expected-error @+1 {{'scf.for' op 0-th region iter_arg and 0-th yielded value have different type: 'i32' != 'index'}}
  %r = scf.for %k = %i to %i step %i iter_args(%p = %a) -> i32 {
    scf.yield %k : index
  }
  return
}

// -----

func.func @for_yield_count(%i: index, %a: i32) {
  // expected-error @+1 {{'scf.for' op  region control flow edge from Region #0 to Region #0: source has 0 operands, but target successor needs 1}}
  %r = scf.for %k = %i to %i step %i iter_args(%p = %a) -> i32 {
  }
  return
}

// -----

func.func @while_types(%a: i32) {
  // expected-error @+1 {{custom op 'scf.while' expected as many input types as operands (expected 1 got 2)}}
  scf.while (%x = %a) : (i32, i32) -> () {
  } do {
  }
  return
}

// -----

func.func @while_before_terminator() {
  // expected-error @+1 {{'scf.while' op expects the 'before' region to terminate with 'scf.condition'}}
  scf.while : () -> () {
    // expected-note @+1 {{terminator here}}
    scf.yield
  } do {
    scf.yield
  }
  return
}

// -----

func.func @while_after_terminator(%c: i1) {
  // expected-error @+1 {{'scf.while' op expects the 'after' region to terminate with 'scf.yield'}}
  scf.while : () -> () {
    scf.condition(%c)
  } do {
    // expected-note @+1 {{terminator here}}
    scf.condition(%c)
  }
  return
}

// -----

func.func @while_condition_values(%c: i1, %a: i32) {
  // expected-error @+1 {{'scf.while' op  region control flow edge from Region #0 to parent results: source has 1 operands, but target successor needs 0}}
  scf.while : () -> () {
    scf.condition(%c) %a : i32
  } do {
    scf.yield
  }
  return
}

// -----

func.func @while_no_after(%c: i1) {
  // expected-error @+1 {{'scf.while' op region #1 ('after') failed to verify constraint: region with 1 blocks}}
  "scf.while"() ({
    scf.condition(%c)
  }, {
  }) : () -> ()
  return
}

// -----

func.func @condition_parent(%c: i1) {
  // expected-error @+1 {{'scf.condition' op expects parent op 'scf.while'}}
  scf.condition(%c)
}

// -----

func.func @yield_parent() {
  // expected-error @+1 {{'scf.yield' op expects parent op to be one of 'scf.execute_region, scf.for, scf.if, scf.index_switch, scf.while'}}
  scf.yield
}

// -----

func.func @execute_region_empty() {
  // expected-error @+1 {{'scf.execute_region' op region needs to have at least one block}}
  scf.execute_region {
  }
  return
}

// -----

func.func @execute_region_argument() {
  // expected-error @+1 {{'scf.execute_region' op region cannot have any arguments}}
  scf.execute_region {
  ^bb0(%x: i32):
    scf.yield
  }
  return
}

// -----

func.func @execute_region_yields(%c: i1, %a: i32, %f: f32) {
  // expected-error @+1 {{'scf.execute_region' op  along control flow edge from Region #0 to parent results operands mismatch between return-like terminators}}
  %r = scf.execute_region -> i32 {
    cf.cond_br %c, ^left, ^right
  ^left:
    scf.yield %a : i32
  ^right:
    scf.yield %f : f32
  }
  return
}

// -----

func.func @index_switch_cases(%i: index) {
  // expected-error @+1 {{'scf.index_switch' op has 1 case regions but 2 case values}}
  "scf.index_switch"(%i) <{cases = array<i64: 1, 2>}> ({
    scf.yield
  }, {
    scf.yield
  }) : (index) -> ()
  return
}

// -----

func.func @index_switch_duplicate(%i: index) {
  // expected-error @+1 {{'scf.index_switch' op has duplicate case value: 1}}
  scf.index_switch %i
  case 1 {
    scf.yield
  }
  case 1 {
    scf.yield
  }
  default {
  }
  return
}

// -----

func.func @index_switch_yield_count(%i: index, %a: i32) {
  // expected-error @+1 {{'scf.index_switch' op expected each region to return 0 values, but case region #0 returns 1}}
  scf.index_switch %i
  case 1 {
    // expected-note @+1 {{see yield operation here}}
    scf.yield %a : i32
  }
  default {
  }
  return
}

// -----

func.func @index_switch_yield_type(%i: index, %f: f32) {
  // expected-error @+1 {{'scf.index_switch' op expected result #0 of each region to be 'i32'}}
  %r = scf.index_switch %i -> i32
  default {
    // expected-note @+1 {{default region returns 'f32' here}}
    scf.yield %f : f32
  }
  return
}

// -----

func.func @index_switch_no_default(%i: index) {
  // expected-error @+1 {{'scf.index_switch' op expected 1 or more regions}}
  "scf.index_switch"(%i) <{cases = array<i64>}> : (index) -> ()
  return
}

// -----

func.func @parallel_count(%i: index) {
  // expected-error @+1 {{custom op 'scf.parallel' expected 1 operands}}
  scf.parallel (%k) = (%i, %i) to (%i) step (%i) {
  }
  return
}

// -----

func.func @parallel_step(%i: index) {
  %c0 = arith.constant 0 : index
  // expected-error @+1 {{'scf.parallel' op constant step operand must be positive}}
  scf.parallel (%k) = (%i) to (%i) step (%c0) {
  }
  return
}

// -----

func.func @parallel_no_loops() {
  // expected-error @+1 {{'scf.parallel' op needs at least one tuple element for lowerBound, upperBound and step}}
  scf.parallel () = () to () step () {
  }
  return
}

// -----

// mlir-opt takes this for a loop.
func.func @parallel_missing_bound(%i: index) {
  // expected-error @+1 {{'scf.parallel' op expects as many lower and upper bounds as steps}}
  "scf.parallel"(%i, %i) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>}> ({
  ^bb0(%k: index):
    scf.reduce
  }) : (index, index) -> ()
  return
}

// -----

func.func @parallel_arguments(%i: index) {
  // expected-error @+1 {{'scf.parallel' op expects the same number of induction variables: 0 as bound and step values: 1}}
  "scf.parallel"(%i, %i, %i) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
    scf.reduce
  }) : (index, index, index) -> ()
  return
}

// -----

func.func @parallel_no_reduction(%i: index, %f: f32) {
  // expected-error @+1 {{'scf.parallel' op expects number of results: 1 to be the same as number of reductions: 0}}
  %r = scf.parallel (%k) = (%i) to (%i) step (%i) init (%f) -> f32 {
  }
  return
}

// -----

func.func @parallel_reduction_type(%i: index, %f: f32, %a: i32) {
  %r = scf.parallel (%k) = (%i) to (%i) step (%i) init (%f) -> f32 {
    // expected-error @+1 {{'scf.reduce' op expects type of 0-th reduction operand: 'i32' to be the same as the 0-th result type: 'f32'}}
    scf.reduce(%a : i32) {
    ^bb0(%l: i32, %r: i32):
      scf.reduce.return %l : i32
    }
  }
  return
}

// -----

func.func @reduce_arguments(%i: index, %f: f32) {
  %r = scf.parallel (%k) = (%i) to (%i) step (%i) init (%f) -> f32 {
    // expected-error @+1 {{'scf.reduce' op expected two block arguments with type 'f32' in the 0-th reduction region}}
    scf.reduce(%f : f32) {
    ^bb0(%l: f32):
      scf.reduce.return %l : f32
    }
  }
  return
}

// -----

func.func @reduce_terminator(%i: index, %f: f32) {
  %r = scf.parallel (%k) = (%i) to (%i) step (%i) init (%f) -> f32 {
    // expected-error @+1 {{'scf.reduce' op reduction bodies must be terminated with an 'scf.reduce.return' op}}
    scf.reduce(%f : f32) {
    ^bb0(%l: f32, %r: f32):
      "x.end"() : () -> ()
    }
  }
  return
}

// -----

func.func @reduce_return_type(%i: index, %f: f32, %a: i32) {
  %r = scf.parallel (%k) = (%i) to (%i) step (%i) init (%f) -> f32 {
    scf.reduce(%f : f32) {
    ^bb0(%l: f32, %r: f32):
      // expected-error @+1 {{'scf.reduce.return' op must have type 'f32' (the type of the reduction inputs)}}
      scf.reduce.return %a : i32
    }
  }
  return
}

// -----

func.func @reduce_parent() {
  // expected-error @+1 {{'scf.reduce' op expects parent op 'scf.parallel'}}
  scf.reduce
}

// -----

func.func @forall_bounds(%i: index) {
  // expected-error @+1 {{'scf.forall' op region expects 2 arguments}}
  scf.forall (%k) = (0, 0) to (4, 4) step (1, 1) {
  }
  return
}

// -----

func.func @forall_lists() {
  // expected-error @+1 {{expected 1 upper bound values, got 2}}
  scf.forall (%k) = (0) to (4, 4) step (1) {
  }
  return
}

// -----

func.func @forall_in_parallel() {
  scf.forall (%k) in (4) {
    // expected-error @+1 {{'scf.forall.in_parallel' op expected only tensor.parallel_insert_slice ops}}
    scf.forall.in_parallel {
      "x.op"() : () -> ()
    }
  }
  return
}

// -----

func.func @forall_mapping() {
  // expected-error @+1 {{'scf.forall' op mapping attribute size must match op rank}}
  scf.forall (%k) in (4) {
  } {mapping = [#gpu.block<x>, #gpu.block<y>]}
  return
}

// -----

func.func @forall_other_mapping() {
  // expected-error @+1 {{'scf.forall' op attribute 'mapping' failed to satisfy constraint: Device Mapping array attribute}}
  scf.forall (%k) in (4) {
  } {mapping = [1]}
  return
}

// -----

func.func @inserts_elsewhere(%in: tensor<1xf32>, %out: tensor<100xf32>, %n: index) {
  %0 = scf.forall (%i) in (%n) shared_outs(%o = %out) -> (tensor<100xf32>) {
    scf.forall.in_parallel {
      // expected-error @+1 {{'tensor.parallel_insert_slice' op may only insert into an output block argument}}
      tensor.parallel_insert_slice %in into %out[%i] [1] [1] : tensor<1xf32> into tensor<100xf32>
    }
  }
  return
}
