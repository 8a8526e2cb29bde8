// One buffer at a time is enough, in one block and in the branches of an if.
func.func private @printI64(i64)
func.func private @printNewline()

func.func private @show(%m: memref<64xi64>) {
  %c1 = arith.constant 1 : index
  %v = memref.load %m[%c1] : memref<64xi64>
  call @printI64(%v) : (i64) -> ()
  call @printNewline() : () -> ()
  return
}

func.func private @chain(%c: i1, %x: i64) {
  %a = memref.alloc() : memref<64xi64>
  linalg.fill ins(%x : i64) outs(%a : memref<64xi64>)
  call @show(%a) : (memref<64xi64>) -> ()
  %b = memref.alloc() : memref<64xi64>
  linalg.fill ins(%x : i64) outs(%b : memref<64xi64>)
  call @show(%b) : (memref<64xi64>) -> ()
  %d = memref.alloc() : memref<64xi64>
  scf.if %c {
    linalg.fill ins(%x : i64) outs(%d : memref<64xi64>)
    func.call @show(%d) : (memref<64xi64>) -> ()
    %e = memref.alloc() : memref<64xi64>
    linalg.fill ins(%x : i64) outs(%e : memref<64xi64>)
    func.call @show(%e) : (memref<64xi64>) -> ()
  } else {
    %e = memref.alloc() : memref<64xi64>
    linalg.fill ins(%x : i64) outs(%e : memref<64xi64>)
    %f = memref.alloc() : memref<64xi64>
    memref.copy %e, %f : memref<64xi64> to memref<64xi64>
    func.call @show(%f) : (memref<64xi64>) -> ()
  }
  return
}

func.func @main() {
  %true = arith.constant true
  %false = arith.constant false
  %x = arith.constant 7 : i64
  call @chain(%true, %x) : (i1, i64) -> ()
  call @chain(%false, %x) : (i1, i64) -> ()
  return
}
