// Which of several buffers a value is, is known at run time only.
func.func private @printI64(i64)
func.func private @printNewline()

func.func private @show(%m: memref<2xi64>) {
  %c1 = arith.constant 1 : index
  %v = memref.load %m[%c1] : memref<2xi64>
  call @printI64(%v) : (i64) -> ()
  call @printNewline() : () -> ()
  return
}

// One of two new buffers is returned, the other one is not needed any more.
func.func @choose(%c: i1, %x: i64, %y: i64) -> memref<2xi64> {
  %a = memref.alloc() : memref<2xi64>
  %b = memref.alloc() : memref<2xi64>
  linalg.fill ins(%x : i64) outs(%a : memref<2xi64>)
  linalg.fill ins(%y : i64) outs(%b : memref<2xi64>)
  %r = arith.select %c, %a, %b : memref<2xi64>
  return %r : memref<2xi64>
}

// The caller owns what it gets, so an argument has to be copied.
func.func @mine_or_yours(%given: memref<2xi64>, %c: i1, %x: i64) -> memref<2xi64> {
  %r = scf.if %c -> (memref<2xi64>) {
    %made = memref.alloc() : memref<2xi64>
    linalg.fill ins(%x : i64) outs(%made : memref<2xi64>)
    scf.yield %made : memref<2xi64>
  } else {
    scf.yield %given : memref<2xi64>
  }
  return %r : memref<2xi64>
}

// Owned on every path, though by different names.
func.func @either(%c: i1, %x: i64) -> memref<2xi64> {
  %a = memref.alloc() : memref<2xi64>
  linalg.fill ins(%x : i64) outs(%a : memref<2xi64>)
  %r = scf.if %c -> (memref<2xi64>) {
    scf.yield %a : memref<2xi64>
  } else {
    %b = memref.alloc() : memref<2xi64>
    %v = arith.addi %x, %x : i64
    linalg.fill ins(%v : i64) outs(%b : memref<2xi64>)
    scf.yield %b : memref<2xi64>
  }
  return %r : memref<2xi64>
}

func.func @main() {
  %true = arith.constant true
  %false = arith.constant false
  %x = arith.constant 7 : i64
  %y = arith.constant 9 : i64
  %m = memref.alloc() : memref<2xi64>
  linalg.fill ins(%y : i64) outs(%m : memref<2xi64>)
  %0 = call @choose(%true, %x, %y) : (i1, i64, i64) -> memref<2xi64>
  call @show(%0) : (memref<2xi64>) -> ()
  %1 = call @choose(%false, %x, %y) : (i1, i64, i64) -> memref<2xi64>
  call @show(%1) : (memref<2xi64>) -> ()
  %2 = call @mine_or_yours(%m, %true, %x) : (memref<2xi64>, i1, i64) -> memref<2xi64>
  call @show(%2) : (memref<2xi64>) -> ()
  %3 = call @mine_or_yours(%m, %false, %x) : (memref<2xi64>, i1, i64) -> memref<2xi64>
  call @show(%3) : (memref<2xi64>) -> ()
  %4 = call @either(%true, %x) : (i1, i64) -> memref<2xi64>
  call @show(%4) : (memref<2xi64>) -> ()
  %5 = call @either(%false, %x) : (i1, i64) -> memref<2xi64>
  call @show(%5) : (memref<2xi64>) -> ()
  call @show(%m) : (memref<2xi64>) -> ()
  return
}
