// Buffers that the program frees on some paths only: the others free them as well.
//
// RUN: freehold opt %s --hlo-deallocate | FileCheck %s
// RUN: freehold run %s -O0 --dealloc=hlo --check | FileCheck %s --check-prefix=RESULT
// RUN: freehold run %s -O2 --dealloc=hlo --check | FileCheck %s --check-prefix=RESULT
// RUN: freehold opt %s --hlo-deallocation-pipeline | freehold run -O0 --dealloc=none --check - | FileCheck %s --check-prefix=RESULT
//
// RESULT: 5{{$}}
// RESULT-NEXT: 7{{$}}
// RESULT-NEXT: 8{{$}}
// RESULT-NEXT: 9{{$}}
// RESULT-NEXT: 6{{$}}
// RESULT-NEXT: 11{{$}}
// RESULT-NEXT: 12{{$}}
// RESULT-NEXT: 13{{$}}
// RESULT-NEXT: 13{{$}}

func.func private @printI64(i64)
func.func private @printNewline()

func.func private @show(%m: memref<2xi64>) {
  %c0 = arith.constant 0 : index
  %v = memref.load %m[%c0] : memref<2xi64>
  call @printI64(%v) : (i64) -> ()
  call @printNewline() : () -> ()
  return
}

func.func private @make(%x: i64) -> memref<2xi64> {
  %c0 = arith.constant 0 : index
  %m = memref.alloc() : memref<2xi64>
  memref.store %x, %m[%c0] : memref<2xi64>
  return %m : memref<2xi64>
}

// A choice without an else gets one.
// CHECK-LABEL: func.func private @no_else(
// CHECK:         scf.if
// CHECK-NEXT:      func.call @show
// CHECK-NEXT:      memref.dealloc
// CHECK-NEXT:    } else {
// CHECK:           deallocation.retain() of(
// CHECK:         }
// CHECK-NEXT:    return
func.func private @no_else(%c: i1, %x: i64) {
  %c0 = arith.constant 0 : index
  %m = memref.alloc() : memref<2xi64>
  memref.store %x, %m[%c0] : memref<2xi64>
  scf.if %c {
    func.call @show(%m) : (memref<2xi64>) -> ()
    memref.dealloc %m : memref<2xi64>
  }
  return
}

// The other branch is done with the buffer as well, and yields something else.
// CHECK-LABEL: func.func private @not_yielded(
// CHECK:         scf.if
// CHECK:           memref.dealloc
// CHECK:         } else {
// CHECK:           deallocation.retain() of(
// CHECK:         }
func.func private @not_yielded(%c: i1, %x: i64) {
  %c0 = arith.constant 0 : index
  %m = memref.alloc() : memref<2xi64>
  memref.store %x, %m[%c0] : memref<2xi64>
  %v = scf.if %c -> (i64) {
    memref.dealloc %m : memref<2xi64>
    scf.yield %x : i64
  } else {
    %w = memref.load %m[%c0] : memref<2xi64>
    %two = arith.constant 2 : i64
    %y = arith.addi %w, %two : i64
    scf.yield %y : i64
  }
  call @printI64(%v) : (i64) -> ()
  call @printNewline() : () -> ()
  return
}

// Choices in each other, of several branches.
// CHECK-LABEL: func.func private @nested(
// CHECK:         scf.index_switch
// CHECK:           deallocation.retain() of(
// CHECK:         return
func.func private @nested(%k: index, %c: i1, %x: i64) {
  %c0 = arith.constant 0 : index
  %m = memref.alloc() : memref<2xi64>
  memref.store %x, %m[%c0] : memref<2xi64>
  scf.index_switch %k
  case 0 {
    scf.if %c {
      func.call @show(%m) : (memref<2xi64>) -> ()
      memref.dealloc %m : memref<2xi64>
    }
    scf.yield
  }
  case 1 {
    func.call @show(%m) : (memref<2xi64>) -> ()
    scf.yield
  }
  default {
    memref.dealloc %m : memref<2xi64>
    scf.yield
  }
  return
}

// What a select picks is freed by the program, what it leaves by the pass.
// CHECK-LABEL: func.func private @picked(
// CHECK:         scf.if %{{.*}} {
// CHECK-DAG:       memref.dealloc %{{.*}}
// CHECK-DAG:       deallocation.retain() of(
// CHECK:         } else {
// CHECK-DAG:       memref.dealloc %{{.*}}
// CHECK-DAG:       deallocation.retain() of(
// CHECK:         }
func.func private @picked(%c: i1, %x: i64) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i64
  %y = arith.addi %x, %one : i64
  %a = memref.alloc() : memref<2xi64>
  %b = memref.alloc() : memref<2xi64>
  memref.store %x, %a[%c0] : memref<2xi64>
  memref.store %y, %b[%c0] : memref<2xi64>
  %s = arith.select %c, %a, %b : memref<2xi64>
  call @show(%s) : (memref<2xi64>) -> ()
  memref.dealloc %s : memref<2xi64>
  return
}

// The same of three.
// CHECK-LABEL: func.func private @picked_of_three(
// CHECK:         scf.if
// CHECK:           scf.if
// CHECK:           } else {
// CHECK:         } else {
func.func private @picked_of_three(%c: i1, %d: i1, %x: i64) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<2xi64>
  %b = memref.alloc() : memref<2xi64>
  %m = memref.alloc() : memref<2xi64>
  memref.store %x, %a[%c0] : memref<2xi64>
  memref.store %x, %b[%c0] : memref<2xi64>
  memref.store %x, %m[%c0] : memref<2xi64>
  %s = arith.select %c, %a, %b : memref<2xi64>
  %t = arith.select %d, %s, %m : memref<2xi64>
  call @show(%t) : (memref<2xi64>) -> ()
  memref.dealloc %t : memref<2xi64>
  return
}

// What the program frees comes without an owner.
// CHECK-LABEL: func.func private @result(
// CHECK:         %[[R:.*]] = call @make
// CHECK-NOT:     deallocation.{{own |retain|free}}
// CHECK:         memref.dealloc %[[R]] :
// CHECK-NEXT:    return
func.func private @result(%x: i64) {
  %m = call @make(%x) : (i64) -> memref<2xi64>
  call @show(%m) : (memref<2xi64>) -> ()
  memref.dealloc %m : memref<2xi64>
  return
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %yes = arith.constant true
  %no = arith.constant false
  %v5 = arith.constant 5 : i64
  %v6 = arith.constant 6 : i64
  %v8 = arith.constant 8 : i64
  %v9 = arith.constant 9 : i64
  %v11 = arith.constant 11 : i64
  %v13 = arith.constant 13 : i64
  call @no_else(%yes, %v5) : (i1, i64) -> ()
  call @no_else(%no, %v5) : (i1, i64) -> ()
  call @not_yielded(%no, %v5) : (i1, i64) -> ()
  call @not_yielded(%yes, %v8) : (i1, i64) -> ()
  call @nested(%c0, %yes, %v9) : (index, i1, i64) -> ()
  call @nested(%c0, %no, %v9) : (index, i1, i64) -> ()
  call @nested(%c1, %no, %v6) : (index, i1, i64) -> ()
  call @nested(%c2, %no, %v6) : (index, i1, i64) -> ()
  call @picked(%yes, %v11) : (i1, i64) -> ()
  call @picked(%no, %v11) : (i1, i64) -> ()
  call @picked_of_three(%no, %yes, %v13) : (i1, i1, i64) -> ()
  call @result(%v13) : (i64) -> ()
  return
}
