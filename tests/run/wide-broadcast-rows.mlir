// A vector that is loaded and repeated as a row of a larger one is loaded as a whole, also in registers of 256 and 512
// bits, where a number that is repeated is loaded into all lanes.
//
// RUN: freehold run %s -O0 | FileCheck %s
// RUN: freehold run %s -O2 | FileCheck %s
// RUN: freehold run %s -O2 --vector-bits=128 | FileCheck %s
// RUN: freehold run %s -O3 --vector-bits=256 | FileCheck %s
// RUN: freehold compile %s --target=x86_64-unknown-linux-gnu --target-cpu=x86-64-v3 --emit=asm -o - \
// RUN:   | FileCheck %s --check-prefix=V3
// RUN: freehold compile %s --target=x86_64-unknown-linux-gnu --target-cpu=x86-64-v4 --emit=asm -o - \
// RUN:   | FileCheck %s --check-prefix=V4

// V3-LABEL: row.wide0
// V3-NOT: broadcast
// V3: vmovups ymm
// V3: vmovups [{{.*}}],ymm
// V4-LABEL: row.wide0
// V4-NOT: broadcast
// V4: vmovups ymm
func.func private @row(%a: memref<16xi32>, %b: memref<1x16xi32>) attributes {passthrough = ["noinline"]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.for %i = %c0 to %c2 step %c1 {
    %x = vector.load %a[%i] : memref<16xi32>, vector<8xi32>
    %y = vector.broadcast %x : vector<8xi32> to vector<1x8xi32>
    vector.store %y, %b[%c0, %i] : memref<1x16xi32>, vector<1x8xi32>
  }
  return
}

// In several registers.
// V3-LABEL: rows.wide0
// V4-LABEL: rows.wide0
func.func private @rows(%a: memref<64xf64>, %b: memref<2x64xf64>) attributes {passthrough = ["noinline"]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.for %i = %c0 to %c2 step %c1 {
    %x = vector.load %a[%i] : memref<64xf64>, vector<16xf64>
    %y = vector.broadcast %x : vector<16xf64> to vector<2x16xf64>
    vector.store %y, %b[%c0, %i] : memref<2x64xf64>, vector<2x16xf64>
  }
  return
}

// One number in all lanes.
// V3-LABEL: number.wide0
// V3: vpbroadcastd ymm{{[0-9]+}},[
func.func private @number(%a: memref<16xf32>, %b: memref<16xf32>) attributes {passthrough = ["noinline"]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.for %i = %c0 to %c2 step %c1 {
    %x = memref.load %a[%i] : memref<16xf32>
    %y = vector.broadcast %x : f32 to vector<8xf32>
    vector.store %y, %b[%i] : memref<16xf32>, vector<8xf32>
  }
  return
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0 : i32
  %zero_f64 = arith.constant 0.0 : f64
  %a = memref.alloc() : memref<16xi32>
  %b = memref.alloc() : memref<1x16xi32>
  %c = memref.alloc() : memref<64xf64>
  %d = memref.alloc() : memref<2x64xf64>
  %e = memref.alloc() : memref<16xf32>
  %f = memref.alloc() : memref<16xf32>
  linalg.fill ins(%zero : i32) outs(%b : memref<1x16xi32>)
  linalg.fill ins(%zero_f64 : f64) outs(%d : memref<2x64xf64>)
  affine.for %i = 0 to 16 {
    %n = arith.index_cast %i : index to i32
    memref.store %n, %a[%i] : memref<16xi32>
    %x = arith.sitofp %n : i32 to f32
    memref.store %x, %e[%i] : memref<16xf32>
  }
  affine.for %i = 0 to 64 {
    %n = arith.index_cast %i : index to i32
    %x = arith.sitofp %n : i32 to f64
    memref.store %x, %c[%i] : memref<64xf64>
  }
  func.call @row(%a, %b) : (memref<16xi32>, memref<1x16xi32>) -> ()
  // CHECK: ( 0, 1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 0, 0, 0, 0, 0 )
  %row = vector.load %b[%c0, %c0] : memref<1x16xi32>, vector<16xi32>
  vector.print %row : vector<16xi32>
  func.call @rows(%c, %d) : (memref<64xf64>, memref<2x64xf64>) -> ()
  // CHECK-NEXT: ( 8, 9, 10, 11, 12, 13, 14, 15, 16, 0 )
  %rows = vector.load %d[%c1, %c8] : memref<2x64xf64>, vector<10xf64>
  vector.print %rows : vector<10xf64>
  func.call @number(%e, %f) : (memref<16xf32>, memref<16xf32>) -> ()
  // CHECK-NEXT: ( 0, 1, 1, 1, 1, 1, 1, 1, 1 )
  %number = vector.load %f[%c0] : memref<16xf32>, vector<9xf32>
  vector.print %number : vector<9xf32>
  memref.dealloc %a : memref<16xi32>
  memref.dealloc %b : memref<1x16xi32>
  memref.dealloc %c : memref<64xf64>
  memref.dealloc %d : memref<2x64xf64>
  memref.dealloc %e : memref<16xf32>
  memref.dealloc %f : memref<16xf32>
  return
}
