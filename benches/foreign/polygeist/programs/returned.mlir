// RESULT: result #0: f64 = 9.0
func.func private @row(%x: f64) -> memref<?xf64, strided<[1], offset: ?>> {
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %m = memref.alloc(%c4, %c4) : memref<?x?xf64>
  linalg.fill ins(%x : f64) outs(%m : memref<?x?xf64>)
  %row = "polygeist.subindex"(%m, %c2) : (memref<?x?xf64>, index) -> memref<?xf64, strided<[1], offset: ?>>
  return %row : memref<?xf64, strided<[1], offset: ?>>
}
func.func @main() -> f64 {
  %c0 = arith.constant 0 : index
  %x = arith.constant 9.0 : f64
  %row = call @row(%x) : (f64) -> memref<?xf64, strided<[1], offset: ?>>
  %v = memref.load %row[%c0] : memref<?xf64, strided<[1], offset: ?>>
  return %v : f64
}
