// A view belongs to the allocation it is a view of, whatever its address is.
func.func private @printI64(i64)
func.func private @printNewline()

func.func private @show(%m: memref<4xi64>) {
  %c1 = arith.constant 1 : index
  %v = memref.load %m[%c1] : memref<4xi64>
  call @printI64(%v) : (i64) -> ()
  call @printNewline() : () -> ()
  return
}

// A shifted view of one of two buffers lives on.
func.func private @shifted(%c: i1, %x: i64, %y: i64) {
  %c64 = arith.constant 64 : index
  %a = memref.alloc() : memref<128xi8>
  %b = memref.alloc() : memref<128xi8>
  %va = memref.view %a[%c64][] : memref<128xi8> to memref<4xi64>
  %vb = memref.view %b[%c64][] : memref<128xi8> to memref<4xi64>
  linalg.fill ins(%x : i64) outs(%va : memref<4xi64>)
  linalg.fill ins(%y : i64) outs(%vb : memref<4xi64>)
  cf.cond_br %c, ^first, ^second
^first:
  cf.br ^end(%va : memref<4xi64>)
^second:
  cf.br ^end(%vb : memref<4xi64>)
^end(%v: memref<4xi64>):
  call @show(%v) : (memref<4xi64>) -> ()
  return
}

func.func private @part(%n: index, %x: i64) -> memref<?xi64, strided<[2], offset: ?>> {
  %m = memref.alloc(%n) : memref<?xi64>
  linalg.fill ins(%x : i64) outs(%m : memref<?xi64>)
  %v = memref.subview %m[2] [2] [2] : memref<?xi64> to memref<2xi64, strided<[2], offset: 2>>
  %r = memref.cast %v : memref<2xi64, strided<[2], offset: 2>> to memref<?xi64, strided<[2], offset: ?>>
  return %r : memref<?xi64, strided<[2], offset: ?>>
}

func.func @main() {
  %true = arith.constant true
  %false = arith.constant false
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %x = arith.constant 7 : i64
  %y = arith.constant 9 : i64
  call @shifted(%true, %x, %y) : (i1, i64, i64) -> ()
  call @shifted(%false, %x, %y) : (i1, i64, i64) -> ()
  %p = call @part(%c8, %x) : (index, i64) -> memref<?xi64, strided<[2], offset: ?>>
  %v = memref.load %p[%c1] : memref<?xi64, strided<[2], offset: ?>>
  call @printI64(%v) : (i64) -> ()
  call @printNewline() : () -> ()
  return
}
