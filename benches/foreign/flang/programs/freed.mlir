// RESULT: result #0: f32 = 4.0
func.func @main() -> f32 {
  %c0 = arith.constant 0 : index
  %n = arith.constant 3 : index
  %x = arith.constant 4.0 : f32
  %t = "fir.allocmem"(%n) : (index) -> memref<?xf32>
  memref.store %x, %t[%c0] : memref<?xf32>
  %v = memref.load %t[%c0] : memref<?xf32>
  "fir.freemem"(%t) : (memref<?xf32>) -> ()
  return %v : f32
}
