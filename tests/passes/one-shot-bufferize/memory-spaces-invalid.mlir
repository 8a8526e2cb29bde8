// RUN: freehold opt %s --one-shot-bufferize="bufferize-function-boundaries must-infer-memory-space" --split-input-file --verify-diagnostics

func.func @empty(%x: f32, %i: index) -> f32 {
  // expected-error @+1 {{could not infer memory space}}
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%x : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %p = tensor.extract %f[%i] : tensor<4xf32>
  return %p : f32
}

// -----

// expected-error @+1 {{could not infer memory space}}
func.func @argument(%t: tensor<4xf32>, %i: index) -> f32 {
  %p = tensor.extract %t[%i] : tensor<4xf32>
  return %p : f32
}

// -----

// expected-error @+1 {{could not infer memory space}}
func.func private @declaration(tensor<4xf32>)

// -----

func.func @constant(%i: index) -> f32 {
  // expected-error @+1 {{could not infer memory space}}
  %t = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %q = tensor.extract %t[%i] : tensor<2xf32>
  return %q : f32
}

// -----

func.func @branches(%c: i1, %i: index) -> f32 {
  %e = bufferization.alloc_tensor() {memory_space = 1 : i64} : tensor<4xf32>
  %f = bufferization.alloc_tensor() {memory_space = 2 : i64} : tensor<4xf32>
  // expected-error @+1 {{inconsistent memory space on then/else branches}}
  %t = scf.if %c -> tensor<4xf32> { scf.yield %e : tensor<4xf32> } else { scf.yield %f : tensor<4xf32> }
  %q = tensor.extract %t[%i] : tensor<4xf32>
  return %q : f32
}

// -----

func.func @select(%c: i1, %i: index) -> f32 {
  %e = bufferization.alloc_tensor() {memory_space = 1 : i64} : tensor<4xf32>
  %f = bufferization.alloc_tensor() {memory_space = 2 : i64} : tensor<4xf32>
  // expected-error @+1 {{inconsistent memory space on true/false operands}}
  %t = arith.select %c, %e, %f : tensor<4xf32>
  %q = tensor.extract %t[%i] : tensor<4xf32>
  return %q : f32
}

// -----

func.func @loop(%i: index) -> f32 {
  %e = bufferization.alloc_tensor() {memory_space = 1 : i64} : tensor<4xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{init_arg and yielded value bufferize to inconsistent memory spaces}}
  %r = scf.for %j = %c0 to %i step %c1 iter_args(%a = %e) -> tensor<4xf32> {
    %f = bufferization.alloc_tensor() {memory_space = 2 : i64} : tensor<4xf32>
    scf.yield %f : tensor<4xf32>
  }
  %q = tensor.extract %r[%i] : tensor<4xf32>
  return %q : f32
}
