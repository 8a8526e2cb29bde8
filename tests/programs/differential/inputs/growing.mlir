// memref.realloc: the old buffer is gone, and nothing is copied that is not needed.
func.func private @printI64(i64)
func.func private @printNewline()

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %x = arith.constant 7 : i64
  %start = memref.alloc(%c1) : memref<?xi64>
  linalg.fill ins(%x : i64) outs(%start : memref<?xi64>)
  %r:2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%m = %start, %size = %c1)
      -> (memref<?xi64>, index) {
    %double = arith.muli %size, %c2 : index
    %new = memref.realloc %m(%double) : memref<?xi64> to memref<?xi64>
    %v = memref.load %new[%c0] : memref<?xi64>
    %w = arith.addi %v, %x : i64
    memref.store %w, %new[%c0] : memref<?xi64>
    scf.yield %new, %double : memref<?xi64>, index
  }
  %v = memref.load %r#0[%c0] : memref<?xi64>
  func.call @printI64(%v) : (i64) -> ()
  func.call @printNewline() : () -> ()
  return
}
