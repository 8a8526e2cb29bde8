// RUN: freehold run %s -O0 | FileCheck %s
// RUN: freehold run %s | FileCheck %s
// RUN: freehold interpret %s | FileCheck %s

// Numbers of this format have no bit for a sign: constants keep what they are, as numbers in memory do. Negative ones are
// none, and stay so. Powers are printed from 2^-127 on.
// CHECK: ( 126, 127, 128, 130 )
// CHECK-NEXT: ( 126, 127, 128, 130 )
// CHECK-NEXT: ( 126, 127, 128, 130 )
// CHECK-NEXT: ( 126, 127, 128, 130 )
// CHECK-NEXT: ( 255, 255, 255, 255 )
func.func @main() {
  %c0 = arith.constant 0 : index
  %x = arith.constant dense<[0.5, 1.0, 2.0, 8.0]> : vector<4xf8E8M0FNU>
  %y = arith.constant dense<[8.0, 2.0, 1.0, 0.5]> : vector<4xf8E8M0FNU>
  %m = memref.alloc() : memref<4xf8E8M0FNU>
  vector.store %x, %m[%c0] : memref<4xf8E8M0FNU>, vector<4xf8E8M0FNU>
  %z = vector.load %m[%c0] : memref<4xf8E8M0FNU>, vector<4xf8E8M0FNU>
  %absolute = math.absf %x : vector<4xf8E8M0FNU>
  func.call @show(%absolute) : (vector<4xf8E8M0FNU>) -> ()
  %loaded = math.absf %z : vector<4xf8E8M0FNU>
  func.call @show(%loaded) : (vector<4xf8E8M0FNU>) -> ()
  %signed = math.copysign %x, %y : vector<4xf8E8M0FNU>
  func.call @show(%signed) : (vector<4xf8E8M0FNU>) -> ()
  %loaded_signed = math.copysign %z, %y : vector<4xf8E8M0FNU>
  func.call @show(%loaded_signed) : (vector<4xf8E8M0FNU>) -> ()
  %negative = arith.negf %z : vector<4xf8E8M0FNU>
  %again = arith.negf %negative : vector<4xf8E8M0FNU>
  func.call @show(%again) : (vector<4xf8E8M0FNU>) -> ()
  return
}
func.func private @show(%x: vector<4xf8E8M0FNU>) {
  %bits = arith.bitcast %x : vector<4xf8E8M0FNU> to vector<4xi8>
  %wide = arith.extui %bits : vector<4xi8> to vector<4xi32>
  vector.print %wide : vector<4xi32>
  return
}
