// What keeps a program from being linked is said before anything is written.
//
// REQUIRES: cc
// RUN: not freehold compile %s --emit=exe -o %t 2>&1 | FileCheck %s
// RUN: not cat %t
// RUN: not freehold run %s 2>&1 | FileCheck %s --check-prefix=JIT
//
// RUN: not env CC=/nonexistent/cc freehold compile %s --emit=exe -o %t 2>&1 \
// RUN:   | FileCheck %s --check-prefix=LINKER
// RUN: not cat %t
// LINKER: error: no linker for target '{{.*}}' found (tried '/nonexistent/cc'); name one in CC
//
// RUN: not freehold compile %s --target=sparc-sun-solaris -o %t 2>&1 \
// RUN:   | FileCheck %s --check-prefix=TARGET
// RUN: not cat %t
// TARGET: error: unknown target 'sparc-sun-solaris': supported are x86_64-unknown-linux-gnu and
//
// RUN: not freehold compile %s --emit=exe -e nowhere -o %t 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NO-ENTRY
// RUN: not freehold compile %s --emit=exe -e missing -o %t 2>&1 \
// RUN:   | FileCheck %s --check-prefix=EXTERNAL-ENTRY
// RUN: not cat %t
// NO-ENTRY: error: entry point 'nowhere' not found

// CHECK: [[@LINE+3]]:1: error: undefined symbol 'missing': defined neither in the module nor in
// JIT: [[@LINE+2]]:1: error: undefined symbol 'missing': defined neither in the module nor in
// EXTERNAL-ENTRY: [[@LINE+1]]:1: error: entry point 'missing' is declared but not defined
func.func private @missing()

// CHECK: [[@LINE+1]]:1: error: undefined symbol '_mlir_ciface_gone'
func.func private @gone(memref<4xf32>) attributes {llvm.emit_c_interface}

// Nobody needs this one.
// CHECK-NOT: unused
func.func private @unused()

// CHECK: [[@LINE+2]]:1: error: undefined symbol 'table'
// JIT: [[@LINE+1]]:1: error: undefined symbol 'table'
memref.global @table : memref<4xf32>

func.func @main() {
  call @missing() : () -> ()
  %table = memref.get_global @table : memref<4xf32>
  call @gone(%table) : (memref<4xf32>) -> ()
  return
}
