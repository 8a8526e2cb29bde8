// A sum of small numbers and a great one: each order of the additions loses other digits.
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 64 : index
  %m = memref.alloc() : memref<64xf32>
  %big = arith.constant 1.0e8 : f32
  %three = arith.constant 3.0 : f32
  scf.for %i = %c0 to %n step %c1 {
    memref.store %three, %m[%i] : memref<64xf32>
  }
  memref.store %big, %m[%c0] : memref<64xf32>
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%a = %three) -> f32 {
    %v = memref.load %m[%i] : memref<64xf32>
    %t = arith.addf %a, %v : f32
    scf.yield %t : f32
  }
  %d = arith.subf %s, %big : f32
  vector.print %d : f32
  memref.dealloc %m : memref<64xf32>
  return
}
