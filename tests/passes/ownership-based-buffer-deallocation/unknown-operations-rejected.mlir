// RUN: freehold opt %s --allow-unregistered-dialect --ownership-based-buffer-deallocation=reject-unknown-effects=true --verify-diagnostics

func.func @unknown(%n: index) {
  %a = memref.alloc(%n) : memref<?xf32>
  // expected-error @+1 {{ops with unknown memory side effects are not supported}}
  "some.use"(%a) : (memref<?xf32>) -> ()
  return
}
