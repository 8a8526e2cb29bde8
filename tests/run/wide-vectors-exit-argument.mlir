// A block on wide vectors that goes back to the header of the loop around it: the arguments of the header are read in
// the block, as they are in this iteration, and get other values behind it.
//
// RUN: freehold run %s -O0 --vector-bits=256 | FileCheck %s
// RUN: freehold run %s -O0 --codegen-level=1 --vector-bits=256 | FileCheck %s
// RUN: freehold run %s -O0 --vector-bits=128 | FileCheck %s

func.func private @nothing() attributes {no_inline} {
  return
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %buffer = memref.alloc() : memref<16xf64>
  %one = arith.constant dense<1.0> : vector<16xf64>
  %hundred = arith.constant dense<100.0> : vector<16xf64>
  vector.store %one, %buffer[%c0] : memref<16xf64>, vector<16xf64>
  cf.br ^header(%c0, %c1 : index, index)
^header(%i: index, %sum: index):
  %more = arith.cmpi slt, %i, %c3 : index
  cf.cond_br %more, ^inner(%c0 : index), ^end
^inner(%j: index):
  %again = arith.cmpi slt, %j, %i : index
  cf.cond_br %again, ^body, ^vectors
^body:
  // A kernel calls nothing, so the outer loop is none.
  call @nothing() : () -> ()
  %j1 = arith.addi %j, %c1 : index
  cf.br ^inner(%j1 : index)
^vectors:
  %v = vector.load %buffer[%c0] : memref<16xf64>, vector<16xf64>
  %a = arith.addf %v, %hundred : vector<16xf64>
  %b = arith.mulf %a, %v : vector<16xf64>
  %c = arith.subf %b, %a : vector<16xf64>
  %d = arith.mulf %c, %hundred : vector<16xf64>
  %e = arith.divf %d, %hundred : vector<16xf64>
  %f = arith.addf %e, %v : vector<16xf64>
  %g = arith.subf %f, %e : vector<16xf64>
  %h = arith.addf %g, %one : vector<16xf64>
  %k = arith.mulf %h, %one : vector<16xf64>
  %l = arith.divf %k, %one : vector<16xf64>
  %m = arith.addf %l, %one : vector<16xf64>
  %n = arith.subf %m, %one : vector<16xf64>
  %o = arith.mulf %n, %one : vector<16xf64>
  %p = arith.divf %o, %one : vector<16xf64>
  %q = arith.addf %p, %one : vector<16xf64>
  %r = arith.subf %q, %one : vector<16xf64>
  vector.store %r, %buffer[%c0] : memref<16xf64>, vector<16xf64>
  %next = arith.addi %i, %c1 : index
  %twice = arith.addi %sum, %sum : index
  cf.br ^header(%next, %twice : index, index)
^end:
  // CHECK: 8
  // CHECK-NEXT: ( 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4 )
  vector.print %sum : index
  %result = vector.load %buffer[%c0] : memref<16xf64>, vector<16xf64>
  vector.print %result : vector<16xf64>
  return
}
