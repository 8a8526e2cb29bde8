// RESULT: result #0: f64 = 5.0
func.func private @pick(%m: memref<?x?xf64>, %o: memref<?xf64, strided<[1], offset: ?>>, %c: i1) -> f64 {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %row = "polygeist.subindex"(%m, %c3) : (memref<?x?xf64>, index) -> memref<?xf64, strided<[1], offset: ?>>
  %r = scf.if %c -> memref<?xf64, strided<[1], offset: ?>> {
    scf.yield %row : memref<?xf64, strided<[1], offset: ?>>
  } else {
    scf.yield %o : memref<?xf64, strided<[1], offset: ?>>
  }
  %x = memref.load %r[%c0] : memref<?xf64, strided<[1], offset: ?>>
  return %x : f64
}
func.func @main() -> f64 {
  %c0 = arith.constant 0 : index
  %n = arith.constant 6 : index
  %true = arith.constant true
  %false = arith.constant false
  %two = arith.constant 2.0 : f64
  %three = arith.constant 3.0 : f64
  %m = memref.alloc(%n, %n) : memref<?x?xf64>
  linalg.fill ins(%two : f64) outs(%m : memref<?x?xf64>)
  %o = memref.alloc(%n) : memref<?xf64>
  linalg.fill ins(%three : f64) outs(%o : memref<?xf64>)
  %s = memref.cast %o : memref<?xf64> to memref<?xf64, strided<[1], offset: ?>>
  %a = call @pick(%m, %s, %true) : (memref<?x?xf64>, memref<?xf64, strided<[1], offset: ?>>, i1) -> f64
  %b = call @pick(%m, %s, %false) : (memref<?x?xf64>, memref<?xf64, strided<[1], offset: ?>>, i1) -> f64
  %r = arith.addf %a, %b : f64
  return %r : f64
}
