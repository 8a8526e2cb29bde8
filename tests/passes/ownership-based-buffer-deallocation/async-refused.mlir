// Where a body may outlive its buffers, no pass that frees guesses.

// RUN: freehold opt %s --ownership-based-buffer-deallocation --split-input-file --verify-diagnostics
// RUN: freehold opt %s --hlo-deallocate --split-input-file --verify-diagnostics
// RUN: freehold opt %s --buffer-deallocation --split-input-file --verify-diagnostics

func.func @lost(%x: f32, %i: index) {
  %a = memref.alloc() : memref<4xf32>
  // expected-error @+1 {{'async.execute' op may use buffers after they are freed, as nothing in its block waits for its token: '--run-async-in-order' makes a program without it}}
  %t = async.execute {
    memref.store %x, %a[%i] : memref<4xf32>
    async.yield
  }
  return
}

// -----

func.func @sometimes(%x: f32, %i: index, %c: i1) {
  %a = memref.alloc() : memref<4xf32>
  // expected-error @+1 {{may use buffers after they are freed}}
  %t = async.execute {
    memref.store %x, %a[%i] : memref<4xf32>
    async.yield
  }
  scf.if %c {
    async.await %t : !async.token
  }
  return
}

// -----

// The group is waited for when the buffer is gone.
func.func @iteration(%x: f32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %g = async.create_group %n : !async.group
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() : memref<4xf32>
    // expected-error @+1 {{may use buffers after they are freed}}
    %t = async.execute {
      memref.store %x, %a[%c0] : memref<4xf32>
      async.yield
    }
    %r = async.add_to_group %t, %g : !async.token
  }
  async.await_all %g
  return
}

// -----

func.func @value() {
  // expected-error @+1 {{'async.execute' op hands on a buffer, which would have no owner: '--run-async-in-order' makes a program without it}}
  %t, %v = async.execute -> !async.value<memref<4xf32>> {
    %a = memref.alloc() : memref<4xf32>
    async.yield %a : memref<4xf32>
  }
  async.await %t : !async.token
  return
}

// -----

async.func private @f(memref<4xf32>) -> !async.token
func.func @call() {
  %a = memref.alloc() : memref<4xf32>
  // expected-error @+1 {{'async.call' op keeps its buffers for an unknown time: '--async-func-to-async-runtime' makes a body of it}}
  %t = async.call @f(%a) : (memref<4xf32>) -> !async.token
  async.await %t : !async.token
  return
}
