// A store whose place is written again behind a branch stays if anything may read it in between.
//
// RUN: freehold run %s --dealloc=none -O0 | FileCheck %s
// RUN: freehold run %s --dealloc=none -O1 | FileCheck %s
// RUN: freehold run %s --dealloc=none -O2 | FileCheck %s
// RUN: freehold run %s --dealloc=none -O3 | FileCheck %s
// RUN: freehold run %s --dealloc=none -O0 --codegen-level=2 | FileCheck %s
// RUN: freehold run %s --dealloc=none -O2 --codegen-level=0 | FileCheck %s
// RUN: freehold run %s --dealloc=hlo -O2 | FileCheck %s
// RUN: freehold run %s -O2 --check | FileCheck %s

func.func private @show(%cell: memref<i32>) attributes {passthrough = ["noinline"]} {
  %value = memref.load %cell[] : memref<i32>
  vector.print %value : i32
  return
}

// A new buffer per round, shown in the body and overwritten behind the loop.
func.func private @call_in_loop(%rounds: index) attributes {passthrough = ["noinline"]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %early = arith.constant 7 : i32
  %late = arith.constant 9 : i32
  cf.br ^head(%c0 : index)
^head(%i: index):
  %cell = memref.alloc() : memref<i32>
  memref.store %early, %cell[] : memref<i32>
  %more = arith.cmpi ult, %i, %rounds : index
  cf.cond_br %more, ^body, ^exit
^body:
  func.call @show(%cell) : (memref<i32>) -> ()
  memref.dealloc %cell : memref<i32>
  %next = arith.addi %i, %c1 : index
  cf.br ^head(%next : index)
^exit:
  memref.store %late, %cell[] : memref<i32>
  func.call @show(%cell) : (memref<i32>) -> ()
  memref.dealloc %cell : memref<i32>
  return
}

// The same place in every round; the call stands in one of three cases.
func.func private @call_in_switch(%rounds: index, %cell: memref<i32>) attributes {passthrough = ["noinline"]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %late = arith.constant -1 : i32
  cf.br ^head(%c0 : index)
^head(%i: index):
  %early = arith.index_cast %i : index to i32
  memref.store %early, %cell[] : memref<i32>
  cf.switch %early : i32, [default: ^exit, 0: ^quiet, 1: ^loud]
^quiet:
  cf.br ^again
^loud:
  func.call @show(%cell) : (memref<i32>) -> ()
  cf.br ^again
^again:
  %next = arith.addi %i, %c1 : index
  cf.br ^head(%next : index)
^exit:
  memref.store %late, %cell[] : memref<i32>
  func.call @show(%cell) : (memref<i32>) -> ()
  return
}

// No call: another store, which may go anywhere, and then a load.
func.func private @load_in_loop(%rounds: index, %cells: memref<?xi32>, %other: memref<i32>) -> i32 attributes {passthrough = ["noinline"]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %early = arith.constant 5 : i32
  %late = arith.constant 100 : i32
  cf.br ^head(%c0, %zero : index, i32)
^head(%i: index, %sum: i32):
  memref.store %early, %cells[%i] : memref<?xi32>
  %more = arith.cmpi ult, %i, %rounds : index
  cf.cond_br %more, ^body, ^exit
^body:
  memref.store %late, %other[] : memref<i32>
  %value = memref.load %cells[%i] : memref<?xi32>
  %next_sum = arith.addi %sum, %value : i32
  %next = arith.addi %i, %c1 : index
  cf.br ^head(%next, %next_sum : index, i32)
^exit:
  memref.store %late, %cells[%i] : memref<?xi32>
  return %sum : i32
}

// Memory that only loads and stores see, so that it has an alias region: all that the loop stores
// but what the last store overwrites is read behind it.
func.func private @region(%rounds: index) -> i32 attributes {passthrough = ["noinline"]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %early = arith.constant 3 : i32
  %late = arith.constant 40 : i32
  %cells = memref.alloc() : memref<8xi32>
  cf.br ^head(%c0 : index)
^head(%i: index):
  memref.store %early, %cells[%i] : memref<8xi32>
  %more = arith.cmpi ult, %i, %rounds : index
  cf.cond_br %more, ^body, ^exit
^body:
  %next = arith.addi %i, %c1 : index
  cf.br ^head(%next : index)
^exit:
  memref.store %late, %cells[%i] : memref<8xi32>
  %a = memref.load %cells[%c0] : memref<8xi32>
  %b = memref.load %cells[%c1] : memref<8xi32>
  %c = memref.load %cells[%c2] : memref<8xi32>
  %ab = arith.addi %a, %b : i32
  %abc = arith.addi %ab, %c : i32
  memref.dealloc %cells : memref<8xi32>
  return %abc : i32
}

func.func @main() {
  %c2 = arith.constant 2 : index

  // CHECK: 7
  // CHECK-NEXT: 7
  // CHECK-NEXT: 9
  func.call @call_in_loop(%c2) : (index) -> ()

  // CHECK-NEXT: 1
  // CHECK-NEXT: -1
  %cell = memref.alloca() : memref<i32>
  func.call @call_in_switch(%c2, %cell) : (index, memref<i32>) -> ()

  // CHECK-NEXT: 10
  %cells = memref.alloca() : memref<4xi32>
  %any = memref.cast %cells : memref<4xi32> to memref<?xi32>
  %sum = func.call @load_in_loop(%c2, %any, %cell) : (index, memref<?xi32>, memref<i32>) -> i32
  vector.print %sum : i32

  // CHECK-NEXT: 46
  %region = func.call @region(%c2) : (index) -> i32
  vector.print %region : i32
  return
}
