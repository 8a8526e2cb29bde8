// The result of an operation with regions is used in a block after it.
func.func private @printI64(i64)
func.func private @printNewline()

func.func private @show(%m: memref<2xi64>) {
  %c1 = arith.constant 1 : index
  %v = memref.load %m[%c1] : memref<2xi64>
  call @printI64(%v) : (i64) -> ()
  call @printNewline() : () -> ()
  return
}

func.func private @later(%given: memref<2xi64>, %c: i1, %d: i1, %x: i64) {
  %r = scf.if %c -> (memref<2xi64>) {
    %made = memref.alloc() : memref<2xi64>
    linalg.fill ins(%x : i64) outs(%made : memref<2xi64>)
    scf.yield %made : memref<2xi64>
  } else {
    scf.yield %given : memref<2xi64>
  }
  cf.cond_br %d, ^use, ^end
^use:
  call @show(%r) : (memref<2xi64>) -> ()
  cf.br ^end
^end:
  call @show(%given) : (memref<2xi64>) -> ()
  return
}

func.func @main() {
  %true = arith.constant true
  %false = arith.constant false
  %x = arith.constant 7 : i64
  %y = arith.constant 9 : i64
  %m = memref.alloc() : memref<2xi64>
  linalg.fill ins(%y : i64) outs(%m : memref<2xi64>)
  call @later(%m, %true, %true, %x) : (memref<2xi64>, i1, i1, i64) -> ()
  call @later(%m, %true, %false, %x) : (memref<2xi64>, i1, i1, i64) -> ()
  call @later(%m, %false, %true, %x) : (memref<2xi64>, i1, i1, i64) -> ()
  return
}
