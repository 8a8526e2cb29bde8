// Variables that begin with addresses of others: of a whole one, of its middle, of themselves, and in structs.
//
// RUN: freehold run %s | FileCheck %s
// RUN: freehold opt %s --raise-llvm | FileCheck %s --check-prefix=RAISED
//
// CHECK: 11
// CHECK-NEXT: 33
// CHECK-NEXT: 5
// CHECK-NEXT: 22
// CHECK-NEXT: 1
// CHECK-NEXT: 44
// CHECK-NEXT: 6
// CHECK-NEXT: 7
//
// RAISED: memref.global "private" @to_first
// RAISED-SAME: freehold.addresses = {{\[\[}}0, @numbers, 0]]
// RAISED: @pair
// RAISED-SAME: freehold.addresses = {{\[\[}}8, @numbers, 4]]

llvm.mlir.global internal @numbers(dense<[11, 22, 33, 44]> : tensor<4xi32>) : !llvm.array<4 x i32>

llvm.mlir.global internal constant @to_first() : !llvm.ptr {
  %0 = llvm.mlir.addressof @numbers : !llvm.ptr
  llvm.return %0 : !llvm.ptr
}

llvm.mlir.global internal @to_third() : !llvm.ptr {
  %0 = llvm.mlir.addressof @numbers : !llvm.ptr
  %1 = llvm.getelementptr %0[0, 2] : (!llvm.ptr) -> !llvm.ptr, !llvm.array<4 x i32>
  llvm.return %1 : !llvm.ptr
}

llvm.mlir.global internal @pair() : !llvm.struct<(i32, ptr)> {
  %0 = llvm.mlir.undef : !llvm.struct<(i32, ptr)>
  %1 = llvm.mlir.constant(5 : i32) : i32
  %2 = llvm.insertvalue %1, %0[0] : !llvm.struct<(i32, ptr)>
  %3 = llvm.mlir.addressof @numbers : !llvm.ptr
  // The second one takes the place of the first.
  %4 = llvm.insertvalue %3, %2[1] : !llvm.struct<(i32, ptr)>
  %5 = llvm.getelementptr %3[1] : (!llvm.ptr) -> !llvm.ptr, i32
  %6 = llvm.insertvalue %5, %4[1] : !llvm.struct<(i32, ptr)>
  llvm.return %6 : !llvm.struct<(i32, ptr)>
}

llvm.mlir.global external @circle() : !llvm.ptr {
  %0 = llvm.mlir.addressof @circle : !llvm.ptr
  llvm.return %0 : !llvm.ptr
}

// To the end of something large, and from the middle of it.
llvm.mlir.global internal @large() : !llvm.struct<(array<100000 x i8>, ptr)> {
  %0 = llvm.mlir.zero : !llvm.struct<(array<100000 x i8>, ptr)>
  %1 = llvm.mlir.addressof @numbers : !llvm.ptr
  %2 = llvm.getelementptr %1[0, 3] : (!llvm.ptr) -> !llvm.ptr, !llvm.array<4 x i32>
  %3 = llvm.insertvalue %2, %0[1] : !llvm.struct<(array<100000 x i8>, ptr)>
  llvm.return %3 : !llvm.struct<(array<100000 x i8>, ptr)>
}

llvm.func @printI64(i64)
llvm.func @printNewline()

llvm.func @print(%x: i32) {
  %0 = llvm.sext %x : i32 to i64
  llvm.call @printI64(%0) : (i64) -> ()
  llvm.call @printNewline() : () -> ()
  llvm.return
}

llvm.func @main() {
  %first = llvm.mlir.addressof @to_first : !llvm.ptr
  %0 = llvm.load %first : !llvm.ptr -> !llvm.ptr
  %1 = llvm.load %0 : !llvm.ptr -> i32
  llvm.call @print(%1) : (i32) -> ()
  %third = llvm.mlir.addressof @to_third : !llvm.ptr
  %2 = llvm.load %third : !llvm.ptr -> !llvm.ptr
  %3 = llvm.load %2 : !llvm.ptr -> i32
  llvm.call @print(%3) : (i32) -> ()
  %pair = llvm.mlir.addressof @pair : !llvm.ptr
  %4 = llvm.load %pair : !llvm.ptr -> !llvm.struct<(i32, ptr)>
  %5 = llvm.extractvalue %4[0] : !llvm.struct<(i32, ptr)>
  llvm.call @print(%5) : (i32) -> ()
  %6 = llvm.extractvalue %4[1] : !llvm.struct<(i32, ptr)>
  %7 = llvm.load %6 : !llvm.ptr -> i32
  llvm.call @print(%7) : (i32) -> ()
  %circle = llvm.mlir.addressof @circle : !llvm.ptr
  %8 = llvm.load %circle : !llvm.ptr -> !llvm.ptr
  %9 = llvm.icmp "eq" %8, %circle : !llvm.ptr
  %10 = llvm.zext %9 : i1 to i32
  llvm.call @print(%10) : (i32) -> ()
  %large = llvm.mlir.addressof @large : !llvm.ptr
  %11 = llvm.getelementptr %large[0, 1] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(array<100000 x i8>, ptr)>
  %12 = llvm.load %11 : !llvm.ptr -> !llvm.ptr
  %13 = llvm.load %12 : !llvm.ptr -> i32
  llvm.call @print(%13) : (i32) -> ()
  // What the two ways write is seen from the other side.
  %numbers = llvm.mlir.addressof @numbers : !llvm.ptr
  %c6 = llvm.mlir.constant(6 : i32) : i32
  %c7 = llvm.mlir.constant(7 : i32) : i32
  llvm.store %c6, %numbers : i32, !llvm.ptr
  %14 = llvm.load %0 : !llvm.ptr -> i32
  llvm.call @print(%14) : (i32) -> ()
  llvm.store %c7, %0 : i32, !llvm.ptr
  %15 = llvm.load %numbers : !llvm.ptr -> i32
  llvm.call @print(%15) : (i32) -> ()
  llvm.return
}
