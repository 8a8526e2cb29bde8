// A buffer of each iteration's size, in a function that another one calls.

func.func private @use(memref<?xf32>)
func.func @grow(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %row = memref.alloc(%i) : memref<?xf32>
    func.call @use(%row) : (memref<?xf32>) -> ()
  }
  return
}
func.func @main(%n: index) {
  call @grow(%n) : (index) -> ()
  return
}
