// Reductions whose order does not matter run on several threads, others in order: results are the same
// to the bit with any number of threads.
//
// RUN: freehold run %s | FileCheck %s
// RUN: freehold run %s --threads=4 | FileCheck %s
// RUN: freehold run %s --threads=3 -O0 | FileCheck %s
// RUN: freehold run %s --threads=2 --check=accesses | FileCheck %s
// RUN: freehold run %s --threads=1000 -g | FileCheck %s

func.func private @printI64(i64)
func.func private @printF64(f64)
func.func private @printNewline()

// Of n numbers, in steps, with results of all kinds.
func.func @integers(%a: memref<?xi64>, %from: index, %n: index, %step: index) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %ten = arith.constant 10 : i64
  %all:9 = scf.parallel (%i) = (%from) to (%n) step (%step)
      init (%ten, %one, %zero, %zero, %zero, %ten, %ten, %ten, %ten)
      -> (i64, i64, i64, i64, i64, i64, i64, i64, i64) {
    %x = memref.load %a[%i] : memref<?xi64>
    %odd = arith.ori %x, %one : i64
    %high = arith.andi %x, %ten : i64
    scf.reduce(%x, %odd, %x, %high, %x, %x, %x, %x, %x : i64, i64, i64, i64, i64, i64, i64, i64, i64) {
    ^bb0(%l: i64, %r: i64):
      %v = arith.addi %l, %r : i64
      scf.reduce.return %v : i64
    }, {
    ^bb0(%l: i64, %r: i64):
      %v = arith.muli %r, %l : i64
      scf.reduce.return %v : i64
    }, {
    ^bb0(%l: i64, %r: i64):
      %v = arith.xori %l, %r : i64
      scf.reduce.return %v : i64
    }, {
    ^bb0(%l: i64, %r: i64):
      %v = arith.ori %l, %r : i64
      scf.reduce.return %v : i64
    }, {
    ^bb0(%l: i64, %r: i64):
      %v = arith.andi %l, %r : i64
      scf.reduce.return %v : i64
    }, {
    ^bb0(%l: i64, %r: i64):
      %v = arith.maxsi %l, %r : i64
      scf.reduce.return %v : i64
    }, {
    ^bb0(%l: i64, %r: i64):
      %v = arith.minsi %l, %r : i64
      scf.reduce.return %v : i64
    }, {
    ^bb0(%l: i64, %r: i64):
      %v = arith.maxui %l, %r : i64
      scf.reduce.return %v : i64
    }, {
    ^bb0(%l: i64, %r: i64):
      %v = arith.minui %l, %r : i64
      scf.reduce.return %v : i64
    }
  }
  call @printI64(%all#0) : (i64) -> ()
  call @printNewline() : () -> ()
  call @printI64(%all#1) : (i64) -> ()
  call @printNewline() : () -> ()
  call @printI64(%all#2) : (i64) -> ()
  call @printNewline() : () -> ()
  call @printI64(%all#3) : (i64) -> ()
  call @printNewline() : () -> ()
  call @printI64(%all#4) : (i64) -> ()
  call @printNewline() : () -> ()
  call @printI64(%all#5) : (i64) -> ()
  call @printNewline() : () -> ()
  call @printI64(%all#6) : (i64) -> ()
  call @printNewline() : () -> ()
  call @printI64(%all#7) : (i64) -> ()
  call @printNewline() : () -> ()
  call @printI64(%all#8) : (i64) -> ()
  call @printNewline() : () -> ()
  return
}

// Largest and smallest over two dimensions; a sum in order.
func.func @floats(%a: memref<37x41xf64>, %low: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c37 = arith.constant 37 : index
  %c41 = arith.constant 41 : index
  %zero = arith.constant 0.0 : f64
  %most, %least = scf.parallel (%i, %j) = (%low, %c0) to (%c37, %c41) step (%c2, %c1)
      init (%zero, %zero) -> (f64, f64) {
    %x = memref.load %a[%i, %j] : memref<37x41xf64>
    scf.reduce(%x, %x : f64, f64) {
    ^bb0(%l: f64, %r: f64):
      %v = arith.maximumf %l, %r : f64
      scf.reduce.return %v : f64
    }, {
    ^bb0(%l: f64, %r: f64):
      %v = arith.minimumf %l, %r : f64
      scf.reduce.return %v : f64
    }
  }
  %sum = scf.parallel (%i, %j) = (%low, %c0) to (%c37, %c41) step (%c2, %c1) init (%zero) -> f64 {
    %x = memref.load %a[%i, %j] : memref<37x41xf64>
    scf.reduce(%x : f64) {
    ^bb0(%l: f64, %r: f64):
      %v = arith.addf %l, %r : f64
      scf.reduce.return %v : f64
    }
  }
  call @printF64(%most) : (f64) -> ()
  call @printNewline() : () -> ()
  call @printF64(%least) : (f64) -> ()
  call @printNewline() : () -> ()
  call @printF64(%sum) : (f64) -> ()
  call @printNewline() : () -> ()
  return
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %n = arith.constant 100000 : index
  %factor = arith.constant 6364136223846793005 : i64
  %bits = arith.constant 20 : i64
  %a = memref.alloc(%n) : memref<?xi64>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %number = arith.index_cast %i : index to i64
    %mixed = arith.muli %number, %factor : i64
    %value = arith.shrsi %mixed, %bits : i64
    memref.store %value, %a[%i] : memref<?xi64>
  }
  // CHECK: -71313494568236
  // CHECK-NEXT: 3677544487333573435
  // CHECK-NEXT: -3831480024494
  // CHECK-NEXT: 10
  // CHECK-NEXT: 0
  // CHECK-NEXT: 8795964451839
  // CHECK-NEXT: -8795876153460
  // CHECK-NEXT: -301289928
  // CHECK-NEXT: 0
  call @integers(%a, %c0, %n, %c1) : (memref<?xi64>, index, index, index) -> ()
  // CHECK-NEXT: -12453543322438
  // CHECK-NEXT: 8469044147264298903
  // CHECK-NEXT: 4670890556358
  // CHECK-NEXT: 10
  // CHECK-NEXT: 0
  // CHECK-NEXT: 8795920302649
  // CHECK-NEXT: -8795832004271
  // CHECK-NEXT: -690878235
  // CHECK-NEXT: 10
  call @integers(%a, %c5, %n, %c3) : (memref<?xi64>, index, index, index) -> ()
  // CHECK-NEXT: 7916574494694
  // CHECK-NEXT: -5407714367649129157
  // CHECK-NEXT: -8710176616414
  // CHECK-NEXT: 10
  // CHECK-NEXT: 0
  // CHECK-NEXT: 6685067006757
  // CHECK-NEXT: -5453559518830
  // CHECK-NEXT: -5453559518830
  // CHECK-NEXT: 10
  // A few, one and none.
  call @integers(%a, %c1, %c5, %c1) : (memref<?xi64>, index, index, index) -> ()
  // CHECK-NEXT: 615753743974
  // CHECK-NEXT: 615753743965
  // CHECK-NEXT: 615753743964
  // CHECK-NEXT: 8
  // CHECK-NEXT: 0
  // CHECK-NEXT: 615753743964
  // CHECK-NEXT: 10
  // CHECK-NEXT: 615753743964
  // CHECK-NEXT: 10
  call @integers(%a, %c3, %c5, %c3) : (memref<?xi64>, index, index, index) -> ()
  // CHECK-NEXT: 10
  // CHECK-NEXT: 1
  // CHECK-NEXT: 0
  // CHECK-NEXT: 0
  // CHECK-NEXT: 0
  // CHECK-NEXT: 10
  // CHECK-NEXT: 10
  // CHECK-NEXT: 10
  // CHECK-NEXT: 10
  call @integers(%a, %c5, %c3, %c1) : (memref<?xi64>, index, index, index) -> ()
  memref.dealloc %a : memref<?xi64>

  %grid = memref.alloc() : memref<37x41xf64>
  %c37 = arith.constant 37 : index
  %c41 = arith.constant 41 : index
  %scale = arith.constant 0.1 : f64
  %middle = arith.constant 700.0 : f64
  scf.parallel (%i, %j) = (%c0, %c0) to (%c37, %c41) step (%c1, %c1) {
    %row = arith.muli %i, %c41 : index
    %at = arith.addi %row, %j : index
    %number = arith.index_cast %at : index to i64
    %float = arith.sitofp %number : i64 to f64
    %moved = arith.subf %float, %middle : f64
    %value = arith.mulf %moved, %scale : f64
    memref.store %value, %grid[%i, %j] : memref<37x41xf64>
  }
  // CHECK-NEXT: 81.6
  // CHECK-NEXT: -70
  // CHECK-NEXT: 4518.2
  call @floats(%grid, %c0) : (memref<37x41xf64>, index) -> ()
  // CHECK-NEXT: 0
  // CHECK-NEXT: 0
  // CHECK-NEXT: 0
  call @floats(%grid, %c37) : (memref<37x41xf64>, index) -> ()
  memref.dealloc %grid : memref<37x41xf64>

  // Many times, and inside of other loops, in order or parallel.
  %zero = arith.constant 0 : i64
  %times = arith.constant 500 : index
  %sum = scf.for %t = %c0 to %times step %c1 iter_args(%before = %zero) -> (i64) {
    %inner = scf.parallel (%i) = (%c0) to (%times) step (%c1) init (%before) -> i64 {
      %part = scf.parallel (%j) = (%c0) to (%c5) step (%c1) init (%zero) -> i64 {
        %product = arith.muli %i, %j : index
        %term = arith.addi %product, %t : index
        %value = arith.index_cast %term : index to i64
        scf.reduce(%value : i64) {
        ^bb0(%l: i64, %r: i64):
          %v = arith.addi %l, %r : i64
          scf.reduce.return %v : i64
        }
      }
      scf.reduce(%part : i64) {
      ^bb0(%l: i64, %r: i64):
        %v = arith.addi %l, %r : i64
        scf.reduce.return %v : i64
      }
    }
    scf.yield %inner : i64
  }
  // CHECK-NEXT: 935625000
  call @printI64(%sum) : (i64) -> ()
  call @printNewline() : () -> ()
  return
}
