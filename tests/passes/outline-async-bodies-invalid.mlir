// RUN: freehold opt %s --outline-async-bodies --split-input-file --verify-diagnostics

func.func @value(%x: f32) {
  // expected-error @+1 {{'async.execute' op has to be lowered by '--async-func-to-async-runtime --run-async-in-order=threads=N' before}}
  %t, %v = async.execute -> !async.value<f32> {
    async.yield %x : f32
  }
  return
}

// -----

func.func @error() -> i1 {
  %t = async.execute {
    async.yield
  }
  // expected-error @+1 {{'async.runtime.is_error' op has to be lowered by '--async-func-to-async-runtime --run-async-in-order=threads=N' before}}
  %e = async.runtime.is_error %t : !async.token
  return %e : i1
}
