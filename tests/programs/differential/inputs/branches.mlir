// A diamond of blocks: the buffer that lives on is the caller's on one side and new on the other.
func.func private @printI64(i64)
func.func private @printNewline()

func.func private @show(%m: memref<4xi64>) {
  %c1 = arith.constant 1 : index
  %v = memref.load %m[%c1] : memref<4xi64>
  call @printI64(%v) : (i64) -> ()
  call @printNewline() : () -> ()
  return
}

func.func private @pick(%given: memref<4xi64>, %c: i1, %x: i64) {
  cf.cond_br %c, ^new, ^join(%given : memref<4xi64>)
^new:
  %made = memref.alloc() : memref<4xi64>
  linalg.fill ins(%x : i64) outs(%made : memref<4xi64>)
  cf.br ^join(%made : memref<4xi64>)
^join(%m: memref<4xi64>):
  call @show(%m) : (memref<4xi64>) -> ()
  return
}

// One buffer is forwarded to a block and needed there under its own name as well.
func.func private @twice(%c: i1, %x: i64) {
  %m = memref.alloc() : memref<4xi64>
  linalg.fill ins(%x : i64) outs(%m : memref<4xi64>)
  cf.cond_br %c, ^a, ^b(%m : memref<4xi64>)
^a:
  %o = memref.alloc() : memref<4xi64>
  linalg.fill ins(%x : i64) outs(%o : memref<4xi64>)
  cf.br ^b(%o : memref<4xi64>)
^b(%p: memref<4xi64>):
  call @show(%p) : (memref<4xi64>) -> ()
  call @show(%m) : (memref<4xi64>) -> ()
  return
}

func.func @main() {
  %true = arith.constant true
  %false = arith.constant false
  %x = arith.constant 7 : i64
  %y = arith.constant 9 : i64
  %m = memref.alloc() : memref<4xi64>
  linalg.fill ins(%y : i64) outs(%m : memref<4xi64>)
  call @pick(%m, %true, %x) : (memref<4xi64>, i1, i64) -> ()
  call @pick(%m, %false, %x) : (memref<4xi64>, i1, i64) -> ()
  call @twice(%true, %x) : (i1, i64) -> ()
  call @twice(%false, %y) : (i1, i64) -> ()
  call @show(%m) : (memref<4xi64>) -> ()
  return
}
