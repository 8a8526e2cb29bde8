// Operations of the dialect in custom and generic form.
//
// RUN: freehold opt %s > %t.once
// RUN: freehold opt %t.once | diff %t.once -
// RUN: freehold opt %s --mlir-print-op-generic | freehold opt - | diff %t.once -
// RUN: FileCheck %s < %t.once

// CHECK: llvm.mlir.global internal constant @str("hello\00")
llvm.mlir.global internal constant @str("hello\00") {addr_space = 0 : i32, dso_local}
llvm.mlir.global external @ext() : i32
llvm.mlir.global internal @table() {alignment = 16 : i64} : !llvm.struct<(ptr, array<2 x i32>)> {
  %0 = llvm.mlir.addressof @str : !llvm.ptr
  %1 = llvm.mlir.zero : !llvm.struct<(ptr, array<2 x i32>)>
  %2 = llvm.insertvalue %0, %1[0] : !llvm.struct<(ptr, array<2 x i32>)>
  llvm.return %2 : !llvm.struct<(ptr, array<2 x i32>)>
}

// CHECK: llvm.func @printf(!llvm.ptr, ...) -> i32
llvm.func @printf(!llvm.ptr, ...) -> i32
llvm.func internal fastcc @f(%arg0: !llvm.ptr {llvm.noalias}, %arg1: i32) -> (i32 {llvm.signext}) attributes {passthrough = ["noinline"]} {
  %0 = llvm.mlir.addressof @str : !llvm.ptr
  %1 = llvm.call @printf(%0, %arg1) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i32) -> i32
  %2 = llvm.mlir.addressof @f : !llvm.ptr
  // CHECK: llvm.call %{{.*}}(%{{.*}}) : !llvm.ptr, (!llvm.ptr, i32) -> i32
  %3 = llvm.call %2(%0, %1) : !llvm.ptr, (!llvm.ptr, i32) -> i32
  %4 = llvm.call fastcc @f(%0, %1) : (!llvm.ptr, i32) -> i32
  %5 = llvm.add %3, %4 overflow<nsw, nuw> : i32
  %6 = llvm.sitofp %5 : i32 to f32
  %7 = llvm.fadd %6, %6 {fastmathFlags = #llvm.fastmath<nnan, contract>} : f32
  %8 = llvm.icmp "slt" %5, %4 : i32
  llvm.cond_br %8 weights([1, 2]), ^bb1, ^bb2(%5 : i32)
^bb1:
  llvm.switch %5 : i32, ^bb3 [
    3: ^bb3,
    -4: ^bb2(%4 : i32)
  ]
^bb2(%9: i32):
  // CHECK: llvm.getelementptr inbounds %{{.*}}[0, 1, %{{.*}}]
  %10 = llvm.getelementptr inbounds %0[0, 1, %9] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.struct<(i32, array<4 x i8>)>
  %11 = llvm.load volatile %10 {alignment = 1 : i64} : !llvm.ptr -> i8
  llvm.store %11, %10 atomic seq_cst {alignment = 1 : i64} : i8, !llvm.ptr
  %c = llvm.cmpxchg %10, %11, %11 acq_rel monotonic : !llvm.ptr, i8
  %d = llvm.atomicrmw add %10, %11 seq_cst : !llvm.ptr, i8
  llvm.unreachable
^bb3:
  llvm.fence seq_cst
  %12 = llvm.mlir.constant(1.0 : f32) : f32
  %v = llvm.mlir.constant(dense<1.0> : vector<4xf32>) : vector<4xf32>
  %13 = llvm.intr.exp(%12) {fastmathFlags = #llvm.fastmath<fast>} : (f32) -> f32
  %14 = llvm.zext %8 : i1 to i32
  %15 = "llvm.intr.ctlz"(%14) <{is_zero_poison = false}> : (i32) -> i32
  %16 = llvm.intr.fma(%v, %v, %v) : (vector<4xf32>, vector<4xf32>, vector<4xf32>) -> vector<4xf32>
  %o = "llvm.intr.uadd.with.overflow"(%14, %14) : (i32, i32) -> !llvm.struct<(i32, i1)>
  %p = llvm.intr.sadd.sat(%14, %14) : (i32, i32) -> i32
  %m2 = llvm.mlir.undef : vector<4xi1>
  "llvm.intr.masked.compressstore"(%v, %0, %m2) : (vector<4xf32>, !llvm.ptr, vector<4xi1>) -> ()
  %e = "llvm.intr.masked.expandload"(%0, %m2, %v) : (!llvm.ptr, vector<4xi1>, vector<4xf32>) -> vector<4xf32>
  "llvm.intr.assume"(%8) : (i1) -> ()
  %ll = llvm.intr.expect %8, %8 : i1
  llvm.intr.lifetime.start 4, %0 : !llvm.ptr
  "llvm.intr.trap"() : () -> ()
  %m = llvm.mlir.undef : vector<4xi1>
  %lm = llvm.intr.get.active.lane.mask %14, %14 : i32, i32 to vector<4xi1>
  "llvm.intr.prefetch"(%0) <{cache = 1 : i32, hint = 3 : i32, rw = 0 : i32}> : (!llvm.ptr) -> ()
  %fq = llvm.freeze %14 : i32
  %ps = llvm.mlir.poison : i32
  llvm.return %15 : i32
}

// CHECK-LABEL: llvm.func @variadic(%{{.*}}: i32, %{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr, ...)
llvm.func @variadic(%x: i32, %list: !llvm.ptr, %other: !llvm.ptr, ...) {
  // CHECK-NEXT: llvm.intr.vastart %[[LIST:.*]] : !llvm.ptr
  llvm.intr.vastart %list : !llvm.ptr
  // CHECK-NEXT: llvm.intr.vacopy %[[LIST]] to %{{.*}} : !llvm.ptr, !llvm.ptr
  llvm.intr.vacopy %list to %other : !llvm.ptr, !llvm.ptr
  // CHECK-NEXT: llvm.intr.vaend %[[LIST]] : !llvm.ptr
  llvm.intr.vaend %list : !llvm.ptr
  llvm.return
}

// CHECK: llvm.mlir.global_ctors {ctors = [@at_start], priorities = [3 : i32]}
llvm.mlir.global_ctors {ctors = [@at_start], priorities = [3 : i32]}
// CHECK: llvm.mlir.global_dtors {dtors = [@at_start], priorities = [65535 : i32]}
llvm.mlir.global_dtors {dtors = [@at_start], priorities = [65535 : i32]}
llvm.func @at_start() {
  llvm.return
}
