// Variables that the code generator cannot make.
//
// RUN: freehold opt %s --raise-llvm --split-input-file --verify-diagnostics

// expected-error @+1 {{'llvm.mlir.global' op is one variable for each thread ('thread_local'), which is not supported}}
llvm.mlir.global internal thread_local @mine(42 : i32) : i32

// -----

llvm.func @to()
// expected-error @+1 {{'llvm.mlir.global' op begins with a value that is not known before the program runs, such as the address of a function}}
llvm.mlir.global internal @from() : !llvm.ptr {
  %0 = llvm.mlir.addressof @to : !llvm.ptr
  llvm.return %0 : !llvm.ptr
}

// -----

llvm.mlir.global external @elsewhere() : i64
// expected-error @+1 {{'llvm.mlir.global' op begins with a value that is not known before the program runs}}
llvm.mlir.global internal @from() : !llvm.ptr {
  %0 = llvm.mlir.addressof @elsewhere : !llvm.ptr
  llvm.return %0 : !llvm.ptr
}

// -----

// expected-error @+1 {{'llvm.mlir.global' op begins with the resource 'w', which the file does not have in this size}}
llvm.mlir.global internal @missing(dense_resource<w> : tensor<4xf32>) : !llvm.array<4 x f32>

// -----

// expected-error @+1 {{'llvm.mlir.global' op begins with the resource 'w', which the file does not have in this size}}
llvm.mlir.global internal @short(dense_resource<w> : tensor<4xf32>) : !llvm.array<4 x f32>
{-#
  dialect_resources: { builtin: { w: "0x040000000000803F" } }
#-}
