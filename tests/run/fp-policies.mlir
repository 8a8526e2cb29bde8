// What --fp allows shows in the bits: a sum in order, a product with a rest that rounding would lose, and both
// at once. Threads do not change them.
//
// RUN: freehold run %s | FileCheck %s --check-prefix=STRICT
// RUN: freehold run %s -O0 --fp=fast | FileCheck %s --check-prefix=STRICT
// RUN: freehold run %s --fp=contract --no-library-calls | FileCheck %s --check-prefix=CONTRACT
// RUN: freehold run %s --fp=fast --vector-bits=128 | FileCheck %s --check-prefix=FAST
// RUN: freehold run %s --fp=fast --vector-bits=128 --threads=auto | FileCheck %s --check-prefix=FAST
// RUN: not freehold run %s --fp=loose 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not freehold compile %s --threads=many 2>&1 | FileCheck %s --check-prefix=MANY
//
// UNKNOWN: error: invalid value 'loose' for '--fp <POLICY>'
// UNKNOWN-NEXT: [possible values: strict, contract, fast]
// MANY: error: invalid value 'many' for '--threads <THREADS>': expected an integer from 1 to 1024, or auto

func.func private @printF32(f32)
func.func private @printNewline()

// In order, 4000 times 0.1 is off by 0.015; in 16 lanes, by 0.001. Wider registers have more lanes.
// STRICT: 400.015
// CONTRACT: 400.015
// FAST: 400.001
func.func @sum() {
  %tenth = arith.constant 0.1 : f32
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %m = memref.alloc() : memref<1x4000xf32>
  %r = memref.alloc() : memref<1xf32>
  linalg.fill ins(%tenth : f32) outs(%m : memref<1x4000xf32>)
  linalg.fill ins(%zero : f32) outs(%r : memref<1xf32>)
  linalg.reduce { arith.addf } ins(%m : memref<1x4000xf32>) outs(%r : memref<1xf32>) dimensions = [1]
  %x = memref.load %r[%c0] : memref<1xf32>
  call @printF32(%x) : (f32) -> ()
  call @printNewline() : () -> ()
  return
}

// (1 + 2^-12)^2 - 1 - 2^-11 is 2^-24, which is lost where the product is rounded.
// STRICT-NEXT: 0
// CONTRACT-NEXT: 5.96046e-08
// FAST-NEXT: 5.96046e-08
func.func @product() {
  %one = arith.constant 1.000244140625 : f32
  %minus = arith.constant -1.00048828125 : f32
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<64x1xf32>
  %b = memref.alloc() : memref<1x64xf32>
  %c = memref.alloc() : memref<64x64xf32>
  linalg.fill ins(%one : f32) outs(%a : memref<64x1xf32>)
  linalg.fill ins(%one : f32) outs(%b : memref<1x64xf32>)
  linalg.fill ins(%minus : f32) outs(%c : memref<64x64xf32>)
  linalg.matmul ins(%a, %b : memref<64x1xf32>, memref<1x64xf32>) outs(%c : memref<64x64xf32>)
  %x = memref.load %c[%c0, %c0] : memref<64x64xf32>
  call @printF32(%x) : (f32) -> ()
  call @printNewline() : () -> ()
  return
}

func.func @main() {
  call @sum() : () -> ()
  call @product() : () -> ()
  return
}
