// RUN: freehold opt %s --run-async-in-order --split-input-file --verify-diagnostics

func.func @leaves(%n: index) -> !async.group {
  %g = async.create_group %n : !async.group
  // expected-error @+1 {{'func.return' op hands on an async group, which stays where it is made}}
  return %g : !async.group
}

// -----

// expected-error @+1 {{'async.func' op has to be lowered by '--async-func-to-async-runtime' before}}
async.func private @f() -> !async.token

// -----

func.func @coroutine() {
  // expected-error @+1 {{'async.coro.id' op is what is left of a body in a coroutine: programs run as they are before '--async-to-async-runtime' of MLIR}}
  %id = async.coro.id
  return
}

// -----

// Nobody would own the buffer of a body that failed before it.
func.func @buffer(%c: i1) -> i1 {
  %t, %v = async.execute -> !async.value<memref<4xf32>> {
    cf.assert %c, "no"
    // expected-error @+1 {{'async.execute' op hands on a buffer or a tensor behind an assertion, which would have no owner where it fails: a program with it cannot ask for errors}}
    %m = memref.alloc() : memref<4xf32>
    async.yield %m : memref<4xf32>
  }
  %e = async.runtime.is_error %t : !async.token
  return %e : i1
}

// -----

func.func @while(%c: i1) -> i1 {
  %t = async.execute {
    // expected-error @+1 {{'scf.while' op has an assertion or a wait inside: a failure there cannot become an error of the body around it}}
    scf.while : () -> () {
      cf.assert %c, "no"
      scf.condition(%c)
    } do {
      scf.yield
    }
    async.yield
  }
  %e = async.runtime.is_error %t : !async.token
  return %e : i1
}
