// RESULT: result #0: f32 = 2.0
func.func @main() -> f32 {
  %c1 = arith.constant 1 : index
  %n = arith.constant 10 : index
  %x = arith.constant 2.0 : f32
  %t = "fir.allocmem"(%n) : (index) -> memref<?xf32>
  memref.store %x, %t[%c1] : memref<?xf32>
  %b = "fir.embox"(%t) : (memref<?xf32>) -> !fir.box
  %m = "fir.box_addr"(%b) : (!fir.box) -> memref<?xf32>
  %v = memref.load %m[%c1] : memref<?xf32>
  return %v : f32
}
