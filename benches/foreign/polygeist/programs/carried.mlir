// RESULT: result #0: f64 = 16.0
func.func @main() -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %one = arith.constant 1.0 : f64
  %first = memref.alloc(%c4, %c4) : memref<?x?xf64>
  linalg.fill ins(%one : f64) outs(%first : memref<?x?xf64>)
  %last = scf.for %i = %c0 to %c4 step %c1 iter_args(%old = %first) -> memref<?x?xf64> {
    %new = memref.alloc(%c4, %c4) : memref<?x?xf64>
    linalg.add ins(%old, %old : memref<?x?xf64>, memref<?x?xf64>) outs(%new : memref<?x?xf64>)
    scf.yield %new : memref<?x?xf64>
  }
  %row = "polygeist.subindex"(%last, %c1) : (memref<?x?xf64>, index) -> memref<?xf64, strided<[1], offset: ?>>
  %x = memref.load %row[%c0] : memref<?xf64, strided<[1], offset: ?>>
  return %x : f64
}
