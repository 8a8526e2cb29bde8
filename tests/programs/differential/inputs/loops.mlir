// Loops that hand a buffer from one iteration to the next.
func.func private @printI64(i64)
func.func private @printNewline()

func.func private @show(%m: memref<?xi64>) {
  %c0 = arith.constant 0 : index
  %v = memref.load %m[%c0] : memref<?xi64>
  call @printI64(%v) : (i64) -> ()
  call @printNewline() : () -> ()
  return
}

// A new buffer each time; the first one is the caller's.
func.func private @replace(%first: memref<?xi64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i64
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%m = %first) -> (memref<?xi64>) {
    %size = memref.dim %m, %c0 : memref<?xi64>
    %larger = arith.addi %size, %c1 : index
    %new = memref.alloc(%larger) : memref<?xi64>
    %v = memref.load %m[%c0] : memref<?xi64>
    %w = arith.addi %v, %one : i64
    linalg.fill ins(%w : i64) outs(%new : memref<?xi64>)
    scf.yield %new : memref<?xi64>
  }
  call @show(%last) : (memref<?xi64>) -> ()
  return
}

// Two buffers change places, and one of them is needed after the loop.
func.func private @swap(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %x = arith.constant 3 : i64
  %y = arith.constant 5 : i64
  %a = memref.alloc(%c4) : memref<?xi64>
  %b = memref.alloc(%c4) : memref<?xi64>
  linalg.fill ins(%x : i64) outs(%a : memref<?xi64>)
  linalg.fill ins(%y : i64) outs(%b : memref<?xi64>)
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a, %q = %b)
      -> (memref<?xi64>, memref<?xi64>) {
    scf.yield %q, %p : memref<?xi64>, memref<?xi64>
  }
  call @show(%r#0) : (memref<?xi64>) -> ()
  return
}

// Grows until it is large enough.
func.func private @grow(%n: index) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %x = arith.constant 8 : i64
  %start = memref.alloc(%c2) : memref<?xi64>
  linalg.fill ins(%x : i64) outs(%start : memref<?xi64>)
  %end = scf.while (%m = %start) : (memref<?xi64>) -> memref<?xi64> {
    %size = memref.dim %m, %c0 : memref<?xi64>
    %goes_on = arith.cmpi ult, %size, %n : index
    scf.condition(%goes_on) %m : memref<?xi64>
  } do {
  ^bb0(%m: memref<?xi64>):
    %size = memref.dim %m, %c0 : memref<?xi64>
    %double = arith.muli %size, %c2 : index
    %v = memref.load %m[%c0] : memref<?xi64>
    %w = arith.addi %v, %v : i64
    %new = memref.alloc(%double) : memref<?xi64>
    linalg.fill ins(%w : i64) outs(%new : memref<?xi64>)
    scf.yield %new : memref<?xi64>
  }
  call @show(%end) : (memref<?xi64>) -> ()
  return
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %c20 = arith.constant 20 : index
  %y = arith.constant 9 : i64
  %m = memref.alloc(%c3) : memref<?xi64>
  linalg.fill ins(%y : i64) outs(%m : memref<?xi64>)
  call @replace(%m, %c0) : (memref<?xi64>, index) -> ()
  call @replace(%m, %c3) : (memref<?xi64>, index) -> ()
  call @swap(%c0) : (index) -> ()
  call @swap(%c3) : (index) -> ()
  call @grow(%c20) : (index) -> ()
  call @grow(%c0) : (index) -> ()
  call @show(%m) : (memref<?xi64>) -> ()
  return
}
