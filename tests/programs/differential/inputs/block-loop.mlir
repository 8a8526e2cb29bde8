// A loop made of blocks that replaces its buffer, and a switch in it.
func.func private @printI64(i64)
func.func private @printNewline()

func.func private @show(%m: memref<2xi64>) {
  %c1 = arith.constant 1 : index
  %v = memref.load %m[%c1] : memref<2xi64>
  call @printI64(%v) : (i64) -> ()
  call @printNewline() : () -> ()
  return
}

func.func @main() {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %five = arith.constant 5 : i32
  %x = arith.constant 7 : i64
  %first = memref.alloc() : memref<2xi64>
  linalg.fill ins(%x : i64) outs(%first : memref<2xi64>)
  cf.br ^head(%zero, %first : i32, memref<2xi64>)
^head(%i: i32, %m: memref<2xi64>):
  %goes_on = arith.cmpi ult, %i, %five : i32
  cf.cond_br %goes_on, ^body, ^end
^body:
  call @show(%m) : (memref<2xi64>) -> ()
  cf.switch %i : i32, [
    default: ^next(%m : memref<2xi64>),
    1: ^new,
    3: ^next(%first : memref<2xi64>)
  ]
^new:
  %made = memref.alloc() : memref<2xi64>
  %wide = arith.extui %i : i32 to i64
  linalg.fill ins(%wide : i64) outs(%made : memref<2xi64>)
  cf.br ^next(%made : memref<2xi64>)
^next(%n: memref<2xi64>):
  %j = arith.addi %i, %one : i32
  cf.br ^head(%j, %n : i32, memref<2xi64>)
^end:
  call @show(%m) : (memref<2xi64>) -> ()
  return
}
