// RUN: freehold opt --split-input-file --verify-diagnostics %s

func.func @yielded_type(%x: f32) {
  // expected-error @+1 {{'async.execute' op  along control flow edge from Region #0 to parent results: source type #0 'f32' should match input type #0 '!async.value<i32>'}}
  %t, %v = async.execute -> !async.value<i32> {
    async.yield %x : f32
  }
  return
}

// -----

func.func @yielded_count(%x: f32) {
  // expected-error @+1 {{'async.execute' op  region control flow edge from Region #0 to parent results: source has 0 operands, but target successor needs 1}}
  %t, %v = async.execute -> !async.value<f32> {
    async.yield
  }
  return
}

// -----

func.func @result(%x: f32) {
  // expected-error @+1 {{'async.execute' op result #1 must be variadic of async value type, but got 'f32'}}
  %t, %v = async.execute -> f32 {
    async.yield %x : f32
  }
  return
}

// -----

func.func @argument(%v: !async.value<f32>) {
  // expected-error @+1 {{'async.execute' op async body region argument types do not match the execute operation arguments types}}
  %0 = "async.execute"(%v) <{operandSegmentSizes = array<i32: 0, 1>}> ({
  ^bb0(%a: i32):
    "async.yield"() : () -> ()
  }) : (!async.value<f32>) -> !async.token
  return
}

// -----

func.func @token_operand(%t: !async.token) {
  // expected-error @+1 {{expected an async value type}}
  %0 = async.execute (%t as %u: !async.token) {
    async.yield
  }
  return
}

// -----

func.func @blocks() {
  // expected-error @+1 {{'async.execute' op expects region #0 to have 0 or 1 blocks}}
  %t = "async.execute"() <{operandSegmentSizes = array<i32: 0, 0>}> ({
    cf.br ^bb1
  ^bb1:
    "async.yield"() : () -> ()
  }) : () -> !async.token
  return
}

// -----

func.func @await_token(%t: !async.token) {
  // expected-error @+1 {{'async.await' op awaiting on a token must have empty result}}
  %0 = "async.await"(%t) : (!async.token) -> f32
  return
}

// -----

func.func @await_value(%v: !async.value<f32>) {
  // expected-error @+1 {{'async.await' op result type 'i32' does not match async value type 'f32'}}
  %0 = "async.await"(%v) : (!async.value<f32>) -> i32
  return
}

// -----

func.func @await_number(%x: f32) {
  // expected-error @+1 {{'async.await' op operand #0 must be async value type or async token type, but got 'f32'}}
  async.await %x : f32
  return
}

// -----

// expected-error @+1 {{'async.func' op result is expected to be at least of size 1, but got 0}}
async.func @no_result() {
  return
}

// -----

// expected-error @+1 {{'async.func' op result type must be async value type or async token type, but got 'f32'}}
async.func @number(%x: f32) -> f32 {
  return %x : f32
}

// -----

// expected-error @+1 {{'async.func' op  results' (optional) async token type is expected to appear as the 1st return value, but got 2}}
async.func @second(%x: f32) -> (!async.value<f32>, !async.token) {
  return %x : f32
}

// -----

async.func @returned() -> (!async.token, !async.value<f32>) {
  // expected-error @+1 {{'async.return' op operand types do not match the types returned from the parent FuncOp}}
  return
}

// -----

func.func @callee() {
  return
}
func.func @other_function() {
  // expected-error @+1 {{'async.call' op 'callee' does not reference a valid async function}}
  %0 = async.call @callee() : () -> !async.token
  return
}

// -----

async.func private @callee(f32) -> !async.token
func.func @operand_type(%x: i32) {
  // expected-error @+1 {{'async.call' op operand type mismatch: expected operand type 'f32', but provided 'i32' for operand number 0}}
  %0 = async.call @callee(%x) : (i32) -> !async.token
  return
}

// -----

async.func private @callee(f32) -> !async.token
func.func @result_type(%x: f32) {
  // expected-error @+3 {{'async.call' op result type mismatch at index 0}}
  // expected-note @+2 {{      op result types: '!async.value<f32>'}}
  // expected-note @+1 {{function result types: '!async.token'}}
  %0 = async.call @callee(%x) : (f32) -> !async.value<f32>
  return
}

// -----

async.func private @callee(f32) -> !async.token
func.func @operand_count() {
  // expected-error @+1 {{'async.call' op incorrect number of operands for callee}}
  %0 = async.call @callee() : () -> !async.token
  return
}

// -----

// expected-error @+1 {{'!async.foo' is no type of the dialect}}
func.func private @type(!async.foo)

// -----

// expected-error @+1 {{'!async.value' is no type of the dialect}}
func.func private @value(!async.value)

// -----

// expected-error @+1 {{'!async.coro.foo' is no type of the dialect}}
func.func private @coroutine(!async.coro.foo)

// -----

func.func @count(%t: !async.token) {
  // expected-error @+1 {{'async.runtime.drop_ref' op attribute 'count' failed to satisfy constraint: 64-bit signless integer attribute whose value is positive}}
  async.runtime.drop_ref %t {count = 0 : i64} : !async.token
  return
}

// -----

func.func @held(%v: !async.value<f32>) {
  // expected-error @+1 {{'async.runtime.load' op failed to verify that type of 'value' matches element type of 'storage'}}
  %0 = "async.runtime.load"(%v) : (!async.value<f32>) -> f64
  return
}

// -----

func.func @operand(%x: f32) {
  // expected-error @+1 {{'async.runtime.is_error' op operand #0 must be async value type or async token type or async group type, but got 'f32'}}
  %0 = async.runtime.is_error %x : f32
  return
}

// -----

func.func @no_value(%v: !async.value<f32>) {
  // expected-error @+1 {{expected an async value type}}
  %0 = async.runtime.load %v : f32
  return
}
