// Functions that return what they made, what they got from others, and both.
func.func private @printI64(i64)
func.func private @printNewline()

func.func private @show(%m: memref<2xi64>) {
  %c1 = arith.constant 1 : index
  %v = memref.load %m[%c1] : memref<2xi64>
  call @printI64(%v) : (i64) -> ()
  call @printNewline() : () -> ()
  return
}

func.func private @make(%x: i64) -> memref<2xi64> {
  %m = memref.alloc() : memref<2xi64>
  linalg.fill ins(%x : i64) outs(%m : memref<2xi64>)
  return %m : memref<2xi64>
}

func.func private @pair(%x: i64, %y: i64) -> (memref<2xi64>, memref<2xi64>) {
  %a = call @make(%x) : (i64) -> memref<2xi64>
  %b = call @make(%y) : (i64) -> memref<2xi64>
  return %a, %b : memref<2xi64>, memref<2xi64>
}

// The sum of the numbers below, one buffer per call.
func.func private @sum(%n: i64) -> memref<2xi64> {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %c0 = arith.constant 0 : index
  %done = arith.cmpi eq, %n, %zero : i64
  %r = scf.if %done -> (memref<2xi64>) {
    %m = func.call @make(%zero) : (i64) -> memref<2xi64>
    scf.yield %m : memref<2xi64>
  } else {
    %less = arith.subi %n, %one : i64
    %rest = func.call @sum(%less) : (i64) -> memref<2xi64>
    %v = memref.load %rest[%c0] : memref<2xi64>
    %all = arith.addi %v, %n : i64
    %m = func.call @make(%all) : (i64) -> memref<2xi64>
    scf.yield %m : memref<2xi64>
  }
  return %r : memref<2xi64>
}

func.func @main() {
  %x = arith.constant 7 : i64
  %y = arith.constant 9 : i64
  %p:2 = call @pair(%x, %y) : (i64, i64) -> (memref<2xi64>, memref<2xi64>)
  call @show(%p#0) : (memref<2xi64>) -> ()
  call @show(%p#1) : (memref<2xi64>) -> ()
  %s = call @sum(%y) : (i64) -> memref<2xi64>
  call @show(%s) : (memref<2xi64>) -> ()
  return
}
