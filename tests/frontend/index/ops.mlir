// Every operation of index in custom form: printed as mlir-opt prints it, and the same after a
// detour through the generic form.

// RUN: freehold opt %s | freehold opt | FileCheck %s
// RUN: freehold opt %s --mlir-print-op-generic | freehold opt | FileCheck %s

// CHECK-LABEL: func.func @index
func.func @index(%a: index, %b: index, %i: i32) {
  // CHECK: index.add %{{[^ ,)]+}}, %{{[^ ,)]+}}
  %0 = index.add %a, %b
  // CHECK: index.sub %{{[^ ,)]+}}, %{{[^ ,)]+}}
  %1 = index.sub %a, %b
  // CHECK: index.mul %{{[^ ,)]+}}, %{{[^ ,)]+}}
  %2 = index.mul %a, %b
  // CHECK: index.divs %{{[^ ,)]+}}, %{{[^ ,)]+}}
  %3 = index.divs %a, %b
  // CHECK: index.divu %{{[^ ,)]+}}, %{{[^ ,)]+}}
  %4 = index.divu %a, %b
  // CHECK: index.ceildivs %{{[^ ,)]+}}, %{{[^ ,)]+}}
  %5 = index.ceildivs %a, %b
  // CHECK: index.ceildivu %{{[^ ,)]+}}, %{{[^ ,)]+}}
  %6 = index.ceildivu %a, %b
  // CHECK: index.floordivs %{{[^ ,)]+}}, %{{[^ ,)]+}}
  %7 = index.floordivs %a, %b
  // CHECK: index.rems %{{[^ ,)]+}}, %{{[^ ,)]+}}
  %8 = index.rems %a, %b
  // CHECK: index.remu %{{[^ ,)]+}}, %{{[^ ,)]+}}
  %9 = index.remu %a, %b
  // CHECK: index.maxs %{{[^ ,)]+}}, %{{[^ ,)]+}}
  %10 = index.maxs %a, %b
  // CHECK: index.maxu %{{[^ ,)]+}}, %{{[^ ,)]+}}
  %11 = index.maxu %a, %b
  // CHECK: index.mins %{{[^ ,)]+}}, %{{[^ ,)]+}}
  %12 = index.mins %a, %b
  // CHECK: index.minu %{{[^ ,)]+}}, %{{[^ ,)]+}}
  %13 = index.minu %a, %b
  // CHECK: index.shl %{{[^ ,)]+}}, %{{[^ ,)]+}}
  %14 = index.shl %a, %b
  // CHECK: index.shrs %{{[^ ,)]+}}, %{{[^ ,)]+}}
  %15 = index.shrs %a, %b
  // CHECK: index.shru %{{[^ ,)]+}}, %{{[^ ,)]+}}
  %16 = index.shru %a, %b
  // CHECK: index.and %{{[^ ,)]+}}, %{{[^ ,)]+}}
  %17 = index.and %a, %b
  // CHECK: index.or %{{[^ ,)]+}}, %{{[^ ,)]+}}
  %18 = index.or %a, %b
  // CHECK: index.xor %{{[^ ,)]+}}, %{{[^ ,)]+}}
  %19 = index.xor %a, %b
  // CHECK: index.casts %{{[^ ,)]+}} : index to i32
  %20 = index.casts %a : index to i32
  // CHECK: index.castu %{{[^ ,)]+}} {note} : i32 to index
  %21 = index.castu %i {note} : i32 to index
  // CHECK: index.cmp slt(%{{[^ ,)]+}}, %{{[^ ,)]+}})
  %22 = index.cmp slt(%a, %b)
  // CHECK: index.cmp uge(%{{[^ ,)]+}}, %{{[^ ,)]+}}) {note = 1 : i64}
  %23 = index.cmp uge(%a, %b) {note = 1 : i64}
  // CHECK: index.sizeof
  %24 = index.sizeof
  // CHECK: %idx42 = index.constant 42
  %idx42 = index.constant 42
  %idx-1 = index.constant {note} -1
  // CHECK: %true = index.bool.constant true
  %true = index.bool.constant true
  // CHECK: %false = index.bool.constant false
  %false = index.bool.constant false
  return
}
