// A program in the llvm dialect runs as it is: structs and arrays as values and in memory, variables,
// functions by address and with any number of arguments, intrinsics.
//
// RUN: freehold run %s | FileCheck %s
// RUN: freehold run %s -O0 | FileCheck %s
// RUN: freehold run %s --check 2>&1 | FileCheck %s --check-prefixes=CHECK,CHECKED
//
// CHECKED: warning: memory that functions of the llvm dialect get from malloc and give back is their own

llvm.mlir.global internal constant @format("%d %s %.2f %.1f\0A\00")
llvm.mlir.global internal constant @word("words\00")
llvm.mlir.global internal @table(dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>) : !llvm.array<2 x array<3 x i32>>
llvm.mlir.global internal @pair() {alignment = 16 : i64} : !llvm.struct<(i8, f64, array<2 x i16>)> {
  %0 = llvm.mlir.zero : !llvm.struct<(i8, f64, array<2 x i16>)>
  %1 = llvm.mlir.constant(2.5 : f64) : f64
  %2 = llvm.mlir.constant(7 : i16) : i16
  %3 = llvm.insertvalue %1, %0[1] : !llvm.struct<(i8, f64, array<2 x i16>)>
  %4 = llvm.insertvalue %2, %3[2, 1] : !llvm.struct<(i8, f64, array<2 x i16>)>
  llvm.return %4 : !llvm.struct<(i8, f64, array<2 x i16>)>
}

llvm.func @printf(!llvm.ptr, ...) -> i32
llvm.func @fflush(!llvm.ptr) -> i32
llvm.func @malloc(i64) -> !llvm.ptr
llvm.func @free(!llvm.ptr)
llvm.func @printI64(i64)
llvm.func @printF64(f64)
llvm.func @printNewline()

llvm.func internal @show(%n: i64) {
  llvm.call @printI64(%n) : (i64) -> ()
  llvm.call @printNewline() : () -> ()
  llvm.return
}

llvm.func internal @swap(%p: !llvm.struct<(i64, f64)>) -> !llvm.struct<(f64, i64)> {
  %0 = llvm.extractvalue %p[0] : !llvm.struct<(i64, f64)>
  %1 = llvm.extractvalue %p[1] : !llvm.struct<(i64, f64)>
  %2 = llvm.mlir.undef : !llvm.struct<(f64, i64)>
  %3 = llvm.insertvalue %1, %2[0] : !llvm.struct<(f64, i64)>
  %4 = llvm.insertvalue %0, %3[1] : !llvm.struct<(f64, i64)>
  llvm.return %4 : !llvm.struct<(f64, i64)>
}

llvm.func internal @choose(%n: i32) -> i64 {
  %0 = llvm.mlir.constant(10 : i64) : i64
  %1 = llvm.mlir.constant(20 : i64) : i64
  llvm.switch %n : i32, ^bb1(%0 : i64) [
    3: ^bb1(%1 : i64),
    -1: ^bb2
  ]
^bb1(%x: i64):
  llvm.return %x : i64
^bb2:
  %2 = llvm.mlir.constant(30 : i64) : i64
  llvm.br ^bb1(%2 : i64)
}

// What is printed through C's streams comes at the end.
llvm.func @main() {
  %c0 = llvm.mlir.constant(0 : i64) : i64
  %c1 = llvm.mlir.constant(1 : i64) : i64
  %c2 = llvm.mlir.constant(2 : i64) : i64
  %c3 = llvm.mlir.constant(3 : i32) : i32
  %m1 = llvm.mlir.constant(-1 : i32) : i32

  // CHECK: {{^6$}}
  %table = llvm.mlir.addressof @table : !llvm.ptr
  %last = llvm.getelementptr %table[0, %c1, 2] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<2 x array<3 x i32>>
  %six = llvm.load %last : !llvm.ptr -> i32
  %six64 = llvm.sext %six : i32 to i64
  llvm.call @show(%six64) : (i64) -> ()

  // CHECK-NEXT: 7
  // CHECK-NEXT: 2.5
  %pair = llvm.mlir.addressof @pair : !llvm.ptr
  %whole = llvm.load %pair : !llvm.ptr -> !llvm.struct<(i8, f64, array<2 x i16>)>
  %seven = llvm.extractvalue %whole[2, 1] : !llvm.struct<(i8, f64, array<2 x i16>)>
  %seven64 = llvm.zext %seven : i16 to i64
  llvm.call @show(%seven64) : (i64) -> ()
  %half = llvm.extractvalue %whole[1] : !llvm.struct<(i8, f64, array<2 x i16>)>
  llvm.call @printF64(%half) : (f64) -> ()
  llvm.call @printNewline() : () -> ()

  // A struct on the stack, and one that a function gets and returns.
  // CHECK-NEXT: 2
  %slot = llvm.alloca %c2 x !llvm.struct<(i64, f64)> : (i64) -> !llvm.ptr
  %u = llvm.mlir.undef : !llvm.struct<(i64, f64)>
  %v = llvm.insertvalue %c2, %u[0] : !llvm.struct<(i64, f64)>
  %w = llvm.insertvalue %half, %v[1] : !llvm.struct<(i64, f64)>
  %second = llvm.getelementptr %slot[1] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(i64, f64)>
  llvm.store %w, %second : !llvm.struct<(i64, f64)>, !llvm.ptr
  %back = llvm.load %second : !llvm.ptr -> !llvm.struct<(i64, f64)>
  %swapped = llvm.call @swap(%back) : (!llvm.struct<(i64, f64)>) -> !llvm.struct<(f64, i64)>
  %two = llvm.extractvalue %swapped[1] : !llvm.struct<(f64, i64)>
  llvm.call @show(%two) : (i64) -> ()

  // CHECK-NEXT: 20
  // CHECK-NEXT: 30
  // CHECK-NEXT: 10
  %choose = llvm.mlir.addressof @choose : !llvm.ptr
  %20 = llvm.call %choose(%c3) : !llvm.ptr, (i32) -> i64
  llvm.call @show(%20) : (i64) -> ()
  %30 = llvm.call @choose(%m1) : (i32) -> i64
  llvm.call @show(%30) : (i64) -> ()
  %10 = llvm.call @choose(%six) : (i32) -> i64
  llvm.call @show(%10) : (i64) -> ()

  // CHECK-NEXT: 1
  // CHECK-NEXT: 127
  // CHECK-NEXT: 16909060
  // CHECK-NEXT: 9
  %i100 = llvm.mlir.constant(100 : i8) : i8
  %over = "llvm.intr.sadd.with.overflow"(%i100, %i100) : (i8, i8) -> !llvm.struct<(i8, i1)>
  %bit = llvm.extractvalue %over[1] : !llvm.struct<(i8, i1)>
  %bit64 = llvm.zext %bit : i1 to i64
  llvm.call @show(%bit64) : (i64) -> ()
  %sat = llvm.intr.sadd.sat(%i100, %i100) : (i8, i8) -> i8
  %sat64 = llvm.sext %sat : i8 to i64
  llvm.call @show(%sat64) : (i64) -> ()
  %bytes = llvm.mlir.constant(67305985 : i32) : i32
  %swap = llvm.intr.bswap(%bytes) : (i32) -> i32
  %swap64 = llvm.zext %swap : i32 to i64
  llvm.call @show(%swap64) : (i64) -> ()
  %ones = llvm.mlir.constant(dense<[1, 2, 3, 4]> : vector<4xi32>) : vector<4xi32>
  %mask = llvm.mlir.constant(dense<[false, true, true, true]> : vector<4xi1>) : vector<4xi1>
  %none = llvm.mlir.constant(0 : i32) : i32
  %four = llvm.mlir.constant(4 : i32) : i32
  %sum = "llvm.intr.vp.reduce.add"(%none, %ones, %mask, %four) : (i32, vector<4xi32>, vector<4xi1>, i32) -> i32
  %sum64 = llvm.zext %sum : i32 to i64
  llvm.call @show(%sum64) : (i64) -> ()

  // Elements under masks, by addresses of their own; bits of vectors lie next to each other.
  // CHECK-NEXT: 42
  // CHECK-NEXT: 14
  %c64 = llvm.mlir.constant(64 : i64) : i64
  %heap = llvm.call @malloc(%c64) : (i64) -> !llvm.ptr
  llvm.intr.masked.store %ones, %heap, %mask {alignment = 4 : i32} : vector<4xi32>, vector<4xi1> into !llvm.ptr
  llvm.store %six, %heap : i32, !llvm.ptr
  %order = llvm.mlir.constant(dense<[3, 0]> : vector<2xi32>) : vector<2xi32>
  %places = llvm.getelementptr %heap[%order] : (!llvm.ptr, vector<2xi32>) -> !llvm.vec<2 x ptr>, i32
  %all = llvm.mlir.constant(dense<true> : vector<2xi1>) : vector<2xi1>
  %zeros = llvm.mlir.zero : vector<2xi32>
  %got = llvm.intr.masked.gather %places, %all, %zeros {alignment = 4 : i32} : (!llvm.vec<2 x ptr>, vector<2xi1>, vector<2xi32>) -> vector<2xi32>
  %e0 = llvm.extractelement %got[%c0 : i64] : vector<2xi32>
  %e1 = llvm.extractelement %got[%c1 : i64] : vector<2xi32>
  %ten = llvm.mlir.constant(10 : i32) : i32
  %tens = llvm.mul %e0, %ten : i32
  %seq = llvm.sub %tens, %e1 : i32
  %eight = llvm.mlir.constant(8 : i32) : i32
  %ans = llvm.add %seq, %eight : i32
  %ans64 = llvm.zext %ans : i32 to i64
  llvm.call @show(%ans64) : (i64) -> ()
  llvm.store %mask, %heap : vector<4xi1>, !llvm.ptr
  %packed = llvm.load %heap : !llvm.ptr -> i8
  %packed64 = llvm.zext %packed : i8 to i64
  llvm.call @show(%packed64) : (i64) -> ()

  // CHECK-NEXT: 15
  // CHECK-NEXT: 20
  %cell = llvm.getelementptr %heap[8] : (!llvm.ptr) -> !llvm.ptr, i8
  %c15 = llvm.mlir.constant(15 : i64) : i64
  %c5 = llvm.mlir.constant(5 : i64) : i64
  llvm.store %c15, %cell : i64, !llvm.ptr
  %old = llvm.atomicrmw add %cell, %c5 seq_cst : !llvm.ptr, i64
  llvm.call @show(%old) : (i64) -> ()
  %xchg = llvm.cmpxchg %cell, %old, %c1 acq_rel monotonic : !llvm.ptr, i64
  %new = llvm.extractvalue %xchg[0] : !llvm.struct<(i64, i1)>
  llvm.call @show(%new) : (i64) -> ()
  llvm.call @free(%heap) : (!llvm.ptr) -> ()

  // CHECK-NEXT: 6 words 2.50 0.1
  %fmt = llvm.mlir.addressof @format : !llvm.ptr
  %wrd = llvm.mlir.addressof @word : !llvm.ptr
  %tenth = llvm.mlir.constant(0.1 : f64) : f64
  %n = llvm.call @printf(%fmt, %six, %wrd, %half, %tenth) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i32, !llvm.ptr, f64, f64) -> i32
  %null = llvm.mlir.zero : !llvm.ptr
  %f = llvm.call @fflush(%null) : (!llvm.ptr) -> i32
  llvm.return
}
