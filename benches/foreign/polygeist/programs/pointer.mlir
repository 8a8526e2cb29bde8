// RESULT: result #0: f64 = 7.0
func.func private @through(%p: !llvm.ptr, %x: f64) {
  %c2 = arith.constant 2 : index
  %m = "polygeist.pointer2memref"(%p) : (!llvm.ptr) -> memref<?xf64>
  memref.store %x, %m[%c2] : memref<?xf64>
  return
}
func.func @main() -> f64 {
  %c2 = arith.constant 2 : index
  %n = arith.constant 8 : index
  %x = arith.constant 7.0 : f64
  %m = memref.alloc(%n) : memref<?xf64>
  %p = "polygeist.memref2pointer"(%m) : (memref<?xf64>) -> !llvm.ptr
  call @through(%p, %x) : (!llvm.ptr, f64) -> ()
  %b = "polygeist.pointer2memref"(%p) : (!llvm.ptr) -> memref<?xf64>
  %v = memref.load %b[%c2] : memref<?xf64>
  return %v : f64
}
