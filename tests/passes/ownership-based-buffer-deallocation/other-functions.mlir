// RUN: freehold opt %s --allow-unregistered-dialect --ownership-based-buffer-deallocation --verify-diagnostics

// Only functions are worked on; that others are not is said.

// expected-remark @+1 {{'other.func' op is not a function: its buffers are not freed}}
"other.func"() ({
  %a = memref.alloc() : memref<4xf32>
  "other.return"() : () -> ()
}) {sym_name = "f"} : () -> ()

func.func @g() {
  return
}
