// RUN: freehold run %s | FileCheck %s
// RUN: freehold run -O0 %s | FileCheck %s

// Operations of LLVM in functions of `func`, as left where only a part was lowered.
llvm.func @twice(%x: i32) -> i32 {
  %two = llvm.mlir.constant(2 : i32) : i32
  %y = llvm.mul %x, %two : i32
  llvm.return %y : i32
}
func.func @main() {
  %a = llvm.mlir.constant(3 : i32) : i32
  %b = llvm.mlir.constant(2 : i32) : i32
  %c = llvm.add %a, %b : i32
  %d = llvm.intr.smax(%c, %a) : (i32, i32) -> i32
  // CHECK: 5
  vector.print %d : i32
  %less = llvm.icmp "slt" %d, %a : i32
  %e = llvm.select %less, %d, %a : i1, i32
  // CHECK-NEXT: 3
  vector.print %e : i32
  %f = llvm.call @twice(%e) : (i32) -> i32
  // CHECK-NEXT: 6
  vector.print %f : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %p = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  llvm.store %f, %p : i32, !llvm.ptr
  %g = llvm.load %p : !llvm.ptr -> i32
  // CHECK-NEXT: 6
  vector.print %g : i32
  %x = llvm.mlir.constant(4.0 : f32) : f32
  %h = llvm.intr.sqrt(%x) : (f32) -> f32
  %i = llvm.fmul %h, %h : f32
  %j = llvm.fptosi %i : f32 to i32
  // CHECK-NEXT: 4
  vector.print %j : i32
  return
}
