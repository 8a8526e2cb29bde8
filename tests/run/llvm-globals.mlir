// Variables of the llvm dialect that begin with a resource of the file.
//
// RUN: freehold run %s | FileCheck %s
// RUN: freehold run %s -O0 | FileCheck %s
// CHECK: 3
// CHECK-NEXT: 513

llvm.mlir.global internal constant @floats(dense_resource<w> : tensor<4xf32>) : !llvm.array<4 x f32>
llvm.mlir.global internal @nested(dense_resource<v> : tensor<2x2xi8>) : !llvm.array<2 x array<2 x i8>>

llvm.func @printF32(f32)
llvm.func @printI64(i64)
llvm.func @printNewline()

llvm.func @main() {
  %floats = llvm.mlir.addressof @floats : !llvm.ptr
  %third = llvm.getelementptr %floats[2] : (!llvm.ptr) -> !llvm.ptr, f32
  %x = llvm.load %third : !llvm.ptr -> f32
  llvm.call @printF32(%x) : (f32) -> ()
  llvm.call @printNewline() : () -> ()
  %nested = llvm.mlir.addressof @nested : !llvm.ptr
  %first = llvm.load %nested : !llvm.ptr -> i16
  %n = llvm.zext %first : i16 to i64
  llvm.call @printI64(%n) : (i64) -> ()
  llvm.call @printNewline() : () -> ()
  llvm.return
}

{-#
  dialect_resources: {
    builtin: {
      v: "0x0400000001020304",
      w: "0x040000000000803F000000400000404000008040"
    }
  }
#-}
