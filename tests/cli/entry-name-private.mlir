// A private function makes room for `main` if that gets its name: programs of JAX have private functions that are called
// as the one they are about, and so is their file.

// RUN: freehold compile %s -O0 --entry-name=fft --emit=mlir | FileCheck %s
// RUN: freehold compile %s -O0 --entry-name=fft_0 --emit=mlir | FileCheck %s --check-prefix=OTHER
// RUN: not freehold compile %s --entry-name=declared --emit=mlir 2>&1 | FileCheck %s --check-prefix=DECLARED

// CHECK-LABEL: func.func private @fft_1(
// OTHER-LABEL: func.func private @fft(
// DECLARED: [[#@LINE+15]]:1: error: 'main' cannot be called 'declared': there is such a symbol already; --entry-name names another one
func.func private @fft(%x: f32) -> f32 {
  %y = arith.addf %x, %x : f32
  return %y : f32
}

// CHECK-LABEL: func.func private @fft_0(
// OTHER-LABEL: func.func private @fft_0_0(
func.func private @fft_0(%x: f32) -> f32 {
  %y = arith.mulf %x, %x : f32
  return %y : f32
}

// CHECK-LABEL: func.func @fft(
// OTHER-LABEL: func.func @fft_0(
func.func @main(%x: f32) -> f32 {
  // CHECK: call @fft_1(
  // CHECK-SAME: uses = [@fft_1, [@fft_0]]
  // OTHER: call @fft(
  // OTHER-SAME: uses = [@fft, [@fft_0_0]]
  %y = call @fft(%x) {uses = [@fft, [@fft_0]]} : (f32) -> f32
  // CHECK: call @fft_0(
  // OTHER: call @fft_0_0(
  %z = call @fft_0(%y) : (f32) -> f32
  return %z : f32
}

func.func private @declared(f32)
