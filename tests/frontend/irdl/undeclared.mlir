// Without a declaration, operations of other dialects are errors that say how to declare them, once each.
// RUN: freehold opt %s --verify-diagnostics

func.func @f(%a: i32) {
  // expected-error @+2 {{operation being parsed with an unregistered dialect. If this is intended, please use -allow-unregistered-dialect with the MLIR tool used}}
  // expected-note @+1 {{a file for --irdl-file declares it: irdl.dialect @foo { irdl.operation @bar { %any = irdl.any {freehold.each} irdl.operands(o0: %any, o1: %any) irdl.results(r0: %any) } }, with 'attributes}}
  %0 = "foo.bar"(%a, %a) : (i32, i32) -> i32
  // expected-error @+1 {{operation being parsed with an unregistered dialect}}
  "foo.bar"(%a) : (i32) -> ()
  return
}
