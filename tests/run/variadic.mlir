// A function that takes any number of arguments reads them: from registers and from memory, integers and floats, twice
// by a copy, and by handing them to a function of C.
//
// REQUIRES: x86-64-v3
// RUN: freehold run - < %s | FileCheck %s
// RUN: freehold run - -O0 < %s | FileCheck %s
// RUN: freehold compile %s --emit=exe -o %t && %t | FileCheck %s
// RUN: not freehold compile %s --target=aarch64-unknown-linux-gnu -o %t.o 2>&1 | FileCheck %s --check-prefix=OTHER
//
// OTHER: error: function that takes any number of arguments can only be defined for x86-64

llvm.mlir.global internal constant @format("%d %d %g %d %d %d %d %g %d\0A\00")
llvm.func @vprintf(!llvm.ptr, !llvm.ptr) -> i32
llvm.func @printI64(i64)
llvm.func @printF64(f64)
llvm.func @printNewline()
llvm.func @fflush(!llvm.ptr) -> i32

// A 32-bit integer, by the rules of the System V ABI.
llvm.func internal @next(%list: !llvm.ptr) -> i32 {
  %limit = llvm.mlir.constant(48 : i32) : i32
  %eight = llvm.mlir.constant(8 : i32) : i32
  %used = llvm.load %list : !llvm.ptr -> i32
  %in_register = llvm.icmp "ult" %used, %limit : i32
  llvm.cond_br %in_register, ^register, ^memory
^register:
  %area_at = llvm.getelementptr %list[16] : (!llvm.ptr) -> !llvm.ptr, i8
  %area = llvm.load %area_at : !llvm.ptr -> !llvm.ptr
  %offset = llvm.zext %used : i32 to i64
  %saved = llvm.getelementptr %area[%offset] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %more = llvm.add %used, %eight : i32
  llvm.store %more, %list : i32, !llvm.ptr
  llvm.br ^end(%saved : !llvm.ptr)
^memory:
  %stack_at = llvm.getelementptr %list[8] : (!llvm.ptr) -> !llvm.ptr, i8
  %stack = llvm.load %stack_at : !llvm.ptr -> !llvm.ptr
  %rest = llvm.getelementptr %stack[8] : (!llvm.ptr) -> !llvm.ptr, i8
  llvm.store %rest, %stack_at : !llvm.ptr, !llvm.ptr
  llvm.br ^end(%stack : !llvm.ptr)
^end(%at: !llvm.ptr):
  %value = llvm.load %at : !llvm.ptr -> i32
  llvm.return %value : i32
}

// The sum of `n` integers, each counted twice.
llvm.func @twice(%n: i32, ...) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %zero = llvm.mlir.constant(0 : i32) : i32
  %list = llvm.alloca %one x !llvm.array<1 x struct<(i32, i32, ptr, ptr)>> {alignment = 16 : i64} : (i32) -> !llvm.ptr
  %other = llvm.alloca %one x !llvm.array<1 x struct<(i32, i32, ptr, ptr)>> {alignment = 16 : i64} : (i32) -> !llvm.ptr
  llvm.intr.vastart %list : !llvm.ptr
  llvm.intr.vacopy %list to %other : !llvm.ptr, !llvm.ptr
  llvm.br ^loop(%zero, %zero : i32, i32)
^loop(%i: i32, %sum: i32):
  %goes_on = llvm.icmp "slt" %i, %n : i32
  llvm.cond_br %goes_on, ^body, ^end
^body:
  %a = llvm.call @next(%list) : (!llvm.ptr) -> i32
  %b = llvm.call @next(%other) : (!llvm.ptr) -> i32
  %ab = llvm.add %a, %b : i32
  %new = llvm.add %sum, %ab : i32
  %next = llvm.add %i, %one : i32
  llvm.br ^loop(%next, %new : i32, i32)
^end:
  llvm.intr.vaend %other : !llvm.ptr
  llvm.intr.vaend %list : !llvm.ptr
  llvm.return %sum : i32
}

// Named arguments of both kinds, one more of each than registers are left for.
llvm.func @print(%x: f64, %format: !llvm.ptr, ...) {
  %one = llvm.mlir.constant(1 : i32) : i32
  %list = llvm.alloca %one x !llvm.array<1 x struct<(i32, i32, ptr, ptr)>> {alignment = 16 : i64} : (i32) -> !llvm.ptr
  llvm.intr.vastart %list : !llvm.ptr
  %n = llvm.call @vprintf(%format, %list) : (!llvm.ptr, !llvm.ptr) -> i32
  llvm.intr.vaend %list : !llvm.ptr
  %null = llvm.mlir.zero : !llvm.ptr
  %flushed = llvm.call @fflush(%null) : (!llvm.ptr) -> i32
  llvm.return
}

// Nothing comes before the list, which the caller has; it is read here.
llvm.func @first(%list: !llvm.ptr, ...) -> i32 {
  llvm.intr.vastart %list : !llvm.ptr
  %a = llvm.call @next(%list) : (!llvm.ptr) -> i32
  llvm.intr.vaend %list : !llvm.ptr
  llvm.return %a : i32
}

llvm.func @main() {
  %i1 = llvm.mlir.constant(1 : i32) : i32
  %i2 = llvm.mlir.constant(20 : i32) : i32
  %i3 = llvm.mlir.constant(300 : i32) : i32
  %i4 = llvm.mlir.constant(4000 : i32) : i32
  %i9 = llvm.mlir.constant(9 : i32) : i32
  %f1 = llvm.mlir.constant(1.5 : f64) : f64
  %f2 = llvm.mlir.constant(2.25 : f64) : f64
  // CHECK: 17324
  %sum = llvm.call @twice(%i9, %i1, %i1, %i2, %i2, %i3, %i4, %i4, %i3, %i2) vararg(!llvm.func<i32 (i32, ...)>) : (i32, i32, i32, i32, i32, i32, i32, i32, i32, i32) -> i32
  %wide = llvm.sext %sum : i32 to i64
  llvm.call @printI64(%wide) : (i64) -> ()
  llvm.call @printNewline() : () -> ()
  // CHECK-NEXT: 300
  %list = llvm.alloca %i1 x !llvm.array<1 x struct<(i32, i32, ptr, ptr)>> {alignment = 16 : i64} : (i32) -> !llvm.ptr
  %one = llvm.call @first(%list, %i3, %i1) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i32, i32) -> i32
  %one_wide = llvm.sext %one : i32 to i64
  llvm.call @printI64(%one_wide) : (i64) -> ()
  llvm.call @printNewline() : () -> ()
  %null = llvm.mlir.zero : !llvm.ptr
  %flushed = llvm.call @fflush(%null) : (!llvm.ptr) -> i32
  // CHECK-NEXT: 1 20 1.5 300 4000 9 20 2.25 1
  %format = llvm.mlir.addressof @format : !llvm.ptr
  llvm.call @print(%f2, %format, %i1, %i2, %f1, %i3, %i4, %i9, %i2, %f2, %i1) vararg(!llvm.func<void (f64, ptr, ...)>) : (f64, !llvm.ptr, i32, i32, f64, i32, i32, i32, i32, f64, i32) -> ()
  llvm.return
}
