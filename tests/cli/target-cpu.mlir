// What code is compiled for: named as LLVM names it, unknown names listed, and a processor that lacks what
// an executable needs is told so at its start.
//
// REQUIRES: cc, qemu-x86_64
// RUN: not freehold run %s --target-cpu=8086 2>&1 | FileCheck %s --check-prefix=CPU
// CPU: freehold run: error: unknown CPU '8086' for target '{{.*}}': known are native, generic,
// RUN: not freehold compile %s --target-cpu=native --target-features=+sse5 -o - 2>&1 \
// RUN:   | FileCheck %s --check-prefix=FEATURE
// FEATURE: freehold compile: error: unknown CPU feature 'sse5' for target '{{.*}}': known are
// RUN: not freehold compile %s --target-features=avx -o - 2>&1 | FileCheck %s --check-prefix=SIGN
// SIGN: freehold compile: error: expected '+' or '-' in front of CPU feature 'avx'
// RUN: not freehold compile %s --target=aarch64-unknown-linux-gnu --target-cpu=haswell -o - 2>&1 \
// RUN:   | FileCheck %s --check-prefix=OTHER
// OTHER: error: unknown CPU 'haswell' for target 'aarch64-unknown-linux-gnu': known are native, generic, cortex-a53
//
// RUN: freehold run %s | FileCheck %s
// RUN: freehold run %s --target-cpu=generic | FileCheck %s
// RUN: freehold compile %s --target=x86_64-unknown-linux-gnu --emit=asm -o - \
// RUN:   | FileCheck %s --check-prefix=GENERIC
// RUN: freehold compile %s --target=x86_64-unknown-linux-gnu --emit=asm -o - --target-cpu=x86-64-v3 \
// RUN:   | FileCheck %s --check-prefix=V3
// RUN: freehold compile %s --target=x86_64-unknown-linux-gnu --emit=asm -o - --target-cpu=x86-64-v3 \
// RUN:   --target-features=-fma | FileCheck %s --check-prefix=GENERIC
//
// RUN: freehold compile %s --emit=exe --target=x86_64-unknown-linux-gnu --target-cpu=x86-64-v3 -o %t
// RUN: qemu-x86_64 -cpu max %t 2>/dev/null | FileCheck %s
// RUN: not qemu-x86_64 -cpu Nehalem %t 2>&1 | FileCheck %s --check-prefix=LACKS
// LACKS: freehold: this processor lacks what the program was compiled for: lzcnt bmi bmi2 avx f16c fma avx2
// LACKS-NOT: 8.75

// A function of the program may have the name of one that the check calls, as long as nobody else sees it.
func.func private @write(%x: f32) -> f32 attributes {passthrough = ["noinline"]} {
  // GENERIC-NOT: vfmadd
  // V3: vfmadd
  %y = math.fma %x, %x, %x : f32
  return %y : f32
}

func.func private @printF32(f32)
func.func private @printNewline()

// CHECK: 8.75
func.func @main() {
  %x = arith.constant 2.5 : f32
  %y = call @write(%x) : (f32) -> f32
  call @printF32(%y) : (f32) -> ()
  call @printNewline() : () -> ()
  return
}
