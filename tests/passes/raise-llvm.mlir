// Functions of the llvm dialect become functions of func; pointers and structs stay.
//
// RUN: freehold opt %s --raise-llvm | FileCheck %s

// CHECK: memref.global "private" constant @text : memref<3xi8> = dense<[104, 105, 0]> {alignment = 1 : i64}
llvm.mlir.global internal constant @text("hi\00")

// CHECK: func.func private @puts(!llvm.ptr) -> i32
llvm.func @puts(!llvm.ptr) -> i32

// Flags are those of arith, and attributes for LLVM go.
// CHECK-LABEL: func.func private @numbers(
// CHECK-SAME: %[[A:.*]]: i32, %[[X:.*]]: f32) -> f32
llvm.func internal @numbers(%a: i32, %x: f32) -> f32 attributes {llvm.emit_c_interface, passthrough = ["noinline"]} {
  // CHECK-NEXT: %[[SUM:.*]] = arith.addi %[[A]], %[[A]] overflow<nsw> : i32
  // CHECK-NEXT: %[[LESS:.*]] = arith.cmpi slt, %[[SUM]], %[[A]] : i32
  // CHECK-NEXT: %[[F:.*]] = arith.addf %[[X]], %[[X]] fastmath<reassoc,nnan> : f32
  // CHECK-NEXT: %[[S:.*]] = arith.select %[[LESS]], %[[F]], %[[X]] : f32
  // CHECK-NEXT: return %[[S]] : f32
  %0 = llvm.add %a, %a overflow<nsw> : i32
  %1 = llvm.icmp "slt" %0, %a : i32
  %2 = llvm.fadd %x, %x {fastmathFlags = #llvm.fastmath<nnan, reassoc>} : f32
  %3 = llvm.select %1, %2, %x : i1, f32
  llvm.return %3 : f32
}

// CHECK-LABEL: func.func @memory()
llvm.func @memory() {
  // CHECK: memref.alloca() {alignment = 4 : i64} : memref<12xi8>
  // CHECK: memref.get_global @text : memref<3xi8>
  // CHECK: call @puts(%{{.*}}) : (!llvm.ptr) -> i32
  // CHECK: llvm.store
  %c3 = llvm.mlir.constant(3 : i32) : i32
  %0 = llvm.alloca %c3 x f32 : (i32) -> !llvm.ptr
  %1 = llvm.mlir.addressof @text : !llvm.ptr
  %2 = llvm.call @puts(%1) : (!llvm.ptr) -> i32
  llvm.store %2, %0 : i32, !llvm.ptr
  llvm.return
}
