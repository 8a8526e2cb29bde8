// RESULT: result #0: f32 = 5.0
func.func private @temporary(%b: !fir.box) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %m = "fir.box_addr"(%b) : (!fir.box) -> memref<?xf32>
  %n = memref.dim %m, %c0 : memref<?xf32>
  %u = memref.load %m[%c0] : memref<?xf32>
  %o = "fir.allocmem"(%n) : (index) -> memref<?xf32>
  memref.store %u, %o[%c0] : memref<?xf32>
  return %o : memref<?xf32>
}
func.func @main() -> f32 {
  %c0 = arith.constant 0 : index
  %n = arith.constant 3 : index
  %x = arith.constant 5.0 : f32
  %t = "fir.allocmem"(%n) : (index) -> memref<?xf32>
  memref.store %x, %t[%c0] : memref<?xf32>
  %b = "fir.embox"(%t) : (memref<?xf32>) -> !fir.box
  %m = func.call @temporary(%b) : (!fir.box) -> memref<?xf32>
  %v = memref.load %m[%c0] : memref<?xf32>
  return %v : f32
}
