// RUN: freehold run %s --check --stats=json 2>&1 | FileCheck %s
// RUN: freehold opt %s --buffer-deallocation-pipeline --verify-ownership=strict -o /dev/null

// The example of the documentation of the original as native code, on all four
// ways through it: the allocation is forwarded or not, and copied to or not.

func.func @example(%memref: memref<?xi8>, %n: index, %select_cond: i1, %br_cond: i1) {
  %alloc = memref.alloc(%n) : memref<?xi8>
  %alloca = memref.alloca(%n) : memref<?xi8>
  %seven = arith.constant 7 : i8
  linalg.fill ins(%seven : i8) outs(%alloc : memref<?xi8>)
  %select = arith.select %select_cond, %alloc, %alloca : memref<?xi8>
  cf.cond_br %br_cond, ^bb1(%alloc : memref<?xi8>), ^bb1(%memref : memref<?xi8>)
^bb1(%bbarg: memref<?xi8>):
  memref.copy %bbarg, %select : memref<?xi8> to memref<?xi8>
  %zero = arith.constant 0 : index
  %x = memref.load %select[%zero] : memref<?xi8>
  %wide = arith.extsi %x : i8 to i64
  call @printI64(%wide) : (i64) -> ()
  call @printNewline() : () -> ()
  return
}

func.func private @printI64(i64)
func.func private @printNewline()

// CHECK:      {{^}}5{{$}}
// CHECK-NEXT: {{^}}7{{$}}
// CHECK-NEXT: {{^}}5{{$}}
// CHECK-NEXT: {{^}}7{{$}}
// CHECK-NEXT: "allocs": 5, "frees": 5
func.func @main() {
  %true = arith.constant true
  %false = arith.constant false
  %n = arith.constant 3 : index
  %five = arith.constant 5 : i8
  %m = memref.alloc(%n) : memref<?xi8>
  linalg.fill ins(%five : i8) outs(%m : memref<?xi8>)
  call @example(%m, %n, %false, %false) : (memref<?xi8>, index, i1, i1) -> ()
  call @example(%m, %n, %false, %true) : (memref<?xi8>, index, i1, i1) -> ()
  call @example(%m, %n, %true, %false) : (memref<?xi8>, index, i1, i1) -> ()
  call @example(%m, %n, %true, %true) : (memref<?xi8>, index, i1, i1) -> ()
  return
}
