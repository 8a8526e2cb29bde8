// A token of one of several buffers that are freed together: an error, which names the operand.
// RUN: freehold opt --irdl-file=%S/inputs/demo.mlir --ownership-based-buffer-deallocation --verify-diagnostics %s
// RUN: freehold opt --irdl-file=%S/inputs/demo.mlir --buffer-deallocation --verify-diagnostics %s
// RUN: freehold opt --irdl-file=%S/inputs/demo.mlir --hlo-deallocate --verify-diagnostics %s

func.func @one_of_two(%c: i1) -> (memref<1xi64>, !demo.token) {
  // expected-note @+1 {{this buffer is freed together with others: the program has to do so itself}}
  %a = "demo.buffer"() : () -> memref<1xi64>
  %b = "demo.buffer"() : () -> memref<1xi64>
  %one = arith.select %c, %a, %b : memref<1xi64>
  %t = "demo.start"(%a) : (memref<1xi64>) -> !demo.token
  // expected-error @+1 {{'func.return' op operand #1 is made of a buffer that may be freed while it is in use}}
  return %one, %t : memref<1xi64>, !demo.token
}
