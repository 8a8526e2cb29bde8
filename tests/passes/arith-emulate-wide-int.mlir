// RUN: freehold opt %s --arith-emulate-wide-int | FileCheck %s
// RUN: freehold opt %s --arith-emulate-wide-int=widest-int-supported=64 | FileCheck %s --check-prefix=KEPT
// RUN: freehold run %s | FileCheck %s --check-prefix=PRINTED
// RUN: freehold opt %s --arith-emulate-wide-int | freehold run - | FileCheck %s --check-prefix=PRINTED
// RUN: freehold opt %s --arith-emulate-wide-int | freehold interpret - | FileCheck %s --check-prefix=PRINTED

// KEPT-LABEL: func.func private @add(%arg0: i64, %arg1: i64) -> i64
// KEPT-NEXT:    arith.addi %arg0, %arg1 : i64

// Functions take and return pairs.
// CHECK-LABEL: func.func private @add(%arg0: vector<2xi32>, %arg1: vector<2xi32>) -> vector<2xi32>
// CHECK:         arith.addui_extended %{{.*}} : i32, i1
// CHECK:         %[[R:.*]] = vector.insert %{{.*}} [1] : i32 into vector<2xi32>
// CHECK:         return %[[R]] : vector<2xi32>
func.func private @add(%a: i64, %b: i64) -> i64 {
  %0 = arith.addi %a, %b : i64
  return %0 : i64
}

// Vectors have pairs along one more dimension; other types stay.
// CHECK-LABEL: func.func private @lanes(%arg0: vector<3x2xi32>, %arg1: memref<4xi64>, %arg2: tensor<4xi64>, %arg3: index)
// CHECK:         arith.xori %{{.*}} : vector<3x1xi32>
func.func private @lanes(%a: vector<3xi64>, %m: memref<4xi64>, %t: tensor<4xi64>, %n: index) -> vector<3xi64> {
  %0 = arith.xori %a, %a : vector<3xi64>
  return %0 : vector<3xi64>
}

// Loops pass pairs on.
// CHECK-LABEL: func.func private @power(%arg0: vector<2xi32>, %arg1: index) -> vector<2xi32>
// CHECK:         scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}) -> (vector<2xi32>)
// CHECK:           arith.mului_extended %{{.*}} : i32
// CHECK:           scf.yield %{{.*}} : vector<2xi32>
func.func private @power(%a: i64, %n: index) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i64
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %one) -> i64 {
    %0 = arith.muli %x, %a : i64
    scf.yield %0 : i64
  }
  return %r : i64
}

// So do branches.
// CHECK-LABEL: func.func private @least(%arg0: vector<2xi32>, %arg1: vector<2xi32>) -> vector<2xi32>
// CHECK:         cf.cond_br %{{.*}}, ^bb1(%arg0 : vector<2xi32>), ^bb1(%arg1 : vector<2xi32>)
// CHECK:       ^bb1(%{{.*}}: vector<2xi32>):
func.func private @least(%a: i64, %b: i64) -> i64 {
  %less = arith.cmpi slt, %a, %b : i64
  cf.cond_br %less, ^end(%a : i64), ^end(%b : i64)
^end(%x: i64):
  return %x : i64
}

// PRINTED:      -2147483648
// PRINTED-NEXT: 0
// PRINTED-NEXT: -1745902275
// PRINTED-NEXT: -675143270
// PRINTED-NEXT: -5
// PRINTED-NEXT: -1
// PRINTED-NEXT: 605032704

// Functions of the llvm dialect stay, unless they have arithmetic to emulate.
// CHECK-LABEL: llvm.func @malloc(i64) -> !llvm.ptr
// CHECK-LABEL: llvm.func @twice(%arg0: i64) -> i64
// CHECK-NEXT:    llvm.add %arg0, %arg0 : i64
// CHECK-LABEL: llvm.func @square(%arg0: i32) -> i32
// CHECK:         arith.mului_extended %{{.*}} : i32
llvm.func @malloc(i64) -> !llvm.ptr
llvm.func @twice(%x: i64) -> i64 {
  %0 = llvm.add %x, %x : i64
  llvm.return %0 : i64
}
llvm.func @square(%x: i32) -> i32 {
  %0 = arith.extsi %x : i32 to i64
  %1 = arith.muli %0, %0 : i64
  %2 = arith.trunci %1 : i64 to i32
  llvm.return %2 : i32
}

func.func @main() {
  %c13 = arith.constant 13 : index
  %big = arith.constant 2147483647 : i64
  %one = arith.constant 1 : i64
  %low = arith.constant -5 : i64
  %seven = arith.constant 77 : i64
  %sum = call @add(%big, %one) : (i64, i64) -> i64
  call @show(%sum) : (i64) -> ()
  %power = call @power(%seven, %c13) : (i64, index) -> i64
  call @show(%power) : (i64) -> ()
  %least = call @least(%seven, %low) : (i64, i64) -> i64
  call @show(%least) : (i64) -> ()
  %x = arith.constant 70000 : i32
  %square = llvm.call @square(%x) : (i32) -> i32
  vector.print %square : i32
  return
}
func.func private @show(%x: i64) {
  %c32 = arith.constant 32 : i64
  %low = arith.trunci %x : i64 to i32
  vector.print %low : i32
  %shifted = arith.shrui %x, %c32 : i64
  %high = arith.trunci %shifted : i64 to i32
  vector.print %high : i32
  return
}
