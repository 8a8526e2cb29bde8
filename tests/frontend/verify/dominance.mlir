// Values must be defined before their uses, on every path.

// RUN: freehold opt %s --split-input-file --verify-diagnostics --allow-unregistered-dialect

func.func @same_block(%b: i32) {
  // expected-error @+1 {{operand #1 does not dominate this use}}
  "x.use"(%b, %a) : (i32, i32) -> ()
  // expected-note @+1 {{operand defined here (op in the same block)}}
  %a = "x.def"() : () -> i32
  return
}

// -----

func.func @from_an_unreachable_block() {
  // expected-error @+1 {{operand #0 does not dominate this use}}
  "x.use"(%a) : (i32) -> ()
  return
^unreachable:
  // expected-note @+1 {{operand defined here (op in the same region)}}
  %a = "x.def"() : () -> i32
  return
}

// -----

func.func @own_result() {
  // expected-error @+2 {{operand #0 does not dominate this use}}
  // expected-note @+1 {{operand defined here (op in the same block)}}
  %a = "x.def"(%a) : (i32) -> i32
  return
}

// -----

func.func @own_region() {
  // expected-note @+1 {{operand defined here (op in a parent region)}}
  %a = "x.def"() ({
    // expected-error @+1 {{operand #0 does not dominate this use}}
    "x.use"(%a) : (i32) -> ()
  }) : () -> i32
  return
}

// -----

func.func @one_branch_only(%c: i1) {
  cf.cond_br %c, ^left, ^join
^left:
  // expected-note @+1 {{operand defined here (op in the same region)}}
  %a = "x.def"() : () -> i32
  cf.br ^join
^join:
  // expected-error @+1 {{operand #0 does not dominate this use}}
  "x.use"(%a) : (i32) -> ()
  return
}

// -----

// expected-note @+1 {{operand defined as a block argument (block #1 in the same region)}}
func.func @argument_of_one_branch(%c: i1) {
  cf.cond_br %c, ^left(%c : i1), ^join
^left(%a: i1):
  cf.br ^join
^join:
  // expected-error @+1 {{operand #1 does not dominate this use}}
  "x.use"(%c, %a) : (i1, i1) -> ()
  return
}

// -----

func.func @from_an_outer_block(%c: i1) {
  cf.cond_br %c, ^left, ^right
^left:
  // expected-note @+1 {{operand defined here (op in a parent region)}}
  %a = "x.def"() : () -> i32
  return
^right:
  scf.if %c {
    // expected-error @+1 {{operand #0 does not dominate this use}}
    "x.use"(%a) : (i32) -> ()
  }
  return
}

// -----

// A loop: what is defined in its head is known in its body, not the other way.
func.func @loop(%c: i1) {
  cf.br ^head
^head:
  %a = "x.def"() : () -> i32
  // expected-error @+1 {{operand #0 does not dominate this use}}
  "x.use"(%b) : (i32) -> ()
  cf.cond_br %c, ^body, ^exit
^body:
  // expected-note @+1 {{operand defined here (op in the same region)}}
  %b = "x.def"(%a) : (i32) -> i32
  cf.br ^head
^exit:
  "x.use"(%a) : (i32) -> ()
  return
}

// -----

// In blocks that nothing leads to, everything goes.
func.func @unreachable(%c: i1) {
  return
^first:
  %a = "x.def"(%b) : (i32) -> i32
  %b = "x.def"(%a) : (i32) -> i32
  cf.br ^second
^second:
  "x.use"(%a) : (i32) -> ()
  cf.br ^first
}

// -----

// So it does in modules, whose operations have no order.
"x.use"(%a) : (i32) -> ()
%a = "x.def"() : () -> i32

// -----

// The definition is read before the operation that uses it is complete.
func.func @in_own_region() {
  // expected-error @+1 {{operand #0 does not dominate this use}}
  scf.if %true {
    // expected-note @+1 {{operand defined here (op in a child region)}}
    %true = arith.constant true
  }
  return
}
