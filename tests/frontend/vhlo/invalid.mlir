// What the dialect does not have.
//
// RUN: freehold opt --split-input-file --verify-diagnostics %s

// expected-error @+1 {{unknown vhlo type: f31_v1}}
"builtin.module"() {a = !vhlo.f31_v1} : () -> ()

// -----

// expected-error @+1 {{unknown vhlo attribute: list_v1}}
"builtin.module"() {a = #vhlo.list_v1<[]>} : () -> ()

// -----

// expected-error @+1 {{expected one of: EQ, NE, GE, GT, LE, LT}}
"builtin.module"() {a = #vhlo<comparison_direction_v1 EG>} : () -> ()

// -----

// expected-error @+1 {{unregistered operation 'vhlo.constant_v99' found in dialect ('vhlo') that does not allow unknown operations}}
"vhlo.constant_v99"() : () -> ()
