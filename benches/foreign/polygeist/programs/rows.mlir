// RESULT: result #0: f64 = 60.0
func.func @main() -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 20 : index
  %x = arith.constant 3.0 : f64
  %zero = arith.constant 0.0 : f64
  %m = memref.alloc(%n, %n) : memref<?x?xf64>
  scf.for %i = %c0 to %n step %c1 {
    %row = "polygeist.subindex"(%m, %i) : (memref<?x?xf64>, index) -> memref<?xf64, strided<[1], offset: ?>>
    memref.store %x, %row[%c1] : memref<?xf64, strided<[1], offset: ?>>
  }
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> f64 {
    %row = "polygeist.subindex"(%m, %i) : (memref<?x?xf64>, index) -> memref<?xf64, strided<[1], offset: ?>>
    %v = memref.load %row[%c1] : memref<?xf64, strided<[1], offset: ?>>
    %t = arith.addf %s, %v : f64
    scf.yield %t : f64
  }
  return %sum : f64
}
