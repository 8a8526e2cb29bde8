// RESULT: result #0: f32 = 32.0
func.func @main() -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 5 : index
  %x = arith.constant 1.0 : f32
  %first = "fir.allocmem"(%n) : (index) -> memref<?xf32>
  memref.store %x, %first[%c0] : memref<?xf32>
  %last = "fir.do_loop"(%c0, %n, %c1, %first) ({
  ^bb0(%i: index, %old: memref<?xf32>):
    %new = "fir.allocmem"(%n) : (index) -> memref<?xf32>
    %v = memref.load %old[%c0] : memref<?xf32>
    %w = arith.addf %v, %v : f32
    memref.store %w, %new[%c0] : memref<?xf32>
    "fir.result"(%new) : (memref<?xf32>) -> ()
  }) : (index, index, index, memref<?xf32>) -> memref<?xf32>
  %r = memref.load %last[%c0] : memref<?xf32>
  return %r : f32
}
