// RESULT: result #0: f32 = 6.0
func.func @main() -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 4 : index
  %x = arith.constant 3.0 : f32
  %first = "fir.allocmem"(%n) : (index) -> memref<?xf32>
  memref.store %x, %first[%c0] : memref<?xf32>
  %last = "fir.do_loop"(%c0, %n, %c1, %first) ({
  ^bb0(%i: index, %old: memref<?xf32>):
    %even = arith.remui %i, %n : index
    %c = arith.cmpi eq, %even, %c1 : index
    %next = scf.if %c -> memref<?xf32> {
      %new = "fir.allocmem"(%n) : (index) -> memref<?xf32>
      %v = memref.load %old[%c0] : memref<?xf32>
      %w = arith.addf %v, %v : f32
      memref.store %w, %new[%c0] : memref<?xf32>
      scf.yield %new : memref<?xf32>
    } else {
      scf.yield %first : memref<?xf32>
    }
    %b = "fir.embox"(%next) : (memref<?xf32>) -> !fir.box
    %m = "fir.box_addr"(%b) : (!fir.box) -> memref<?xf32>
    %u = memref.load %m[%c0] : memref<?xf32>
    memref.store %u, %first[%c1] : memref<?xf32>
    "fir.result"(%next) : (memref<?xf32>) -> ()
  }) : (index, index, index, memref<?xf32>) -> memref<?xf32>
  %a = memref.load %last[%c0] : memref<?xf32>
  %b = memref.load %first[%c1] : memref<?xf32>
  %r = arith.addf %a, %b : f32
  return %r : f32
}
