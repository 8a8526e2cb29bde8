// RUN: freehold opt %s --run-async-in-order --split-input-file --verify-diagnostics

func.func @leaves(%n: index) -> !async.group {
  %g = async.create_group %n : !async.group
  // expected-error @+1 {{'func.return' op hands on an async group, which stays where it is made}}
  return %g : !async.group
}

// -----

// expected-error @+1 {{'async.func' op has to be lowered by '--async-func-to-async-runtime' before}}
async.func private @f() -> !async.token
