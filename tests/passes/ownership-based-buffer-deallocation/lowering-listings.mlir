// RUN: freehold opt %s --lower-deallocations=lowering=generic | FileCheck %s --check-prefix=GENERIC
// RUN: freehold opt %s --lower-deallocations | FileCheck %s --check-prefix=INLINE
// RUN: freehold run %s --dealloc=none --dealloc-lowering=generic --check --stats=json 2>&1 | FileCheck %s --check-prefix=RESULT
// RUN: freehold run %s --dealloc=none --dealloc-lowering=specialized --check --stats=json 2>&1 | FileCheck %s --check-prefix=RESULT
// RUN: freehold run %s --dealloc=none --check --stats=json 2>&1 | FileCheck %s --check-prefix=RESULT

// The three lowerings that the documentation of the original lists, and what
// they compute. Ours tell buffers apart by their allocated pointers, where the
// original compares aligned ones, and the arrays of the general form are on the
// stack, where the original allocates five.

// One buffer, nothing retained: one condition.
// INLINE-LABEL: func.func @one(
// INLINE-NEXT:    scf.if %arg1 {
// INLINE-NEXT:      memref.dealloc %arg0 : memref<2xf32>
// INLINE-NEXT:    }
// INLINE-NEXT:    return
func.func @one(%m: memref<2xf32>, %c: i1) {
  bufferization.dealloc (%m : memref<2xf32>) if (%c)
  return
}

// One buffer, several retained ones: as many comparisons, no helper.
// INLINE-LABEL: func.func @one_of_several(
// INLINE-DAG:     %[[M:.*]] = memref.extract_aligned_pointer_as_index %arg0 : {{.*}} {freehold.allocated}
// INLINE-DAG:     %[[R0:.*]] = memref.extract_aligned_pointer_as_index %arg2 : {{.*}} {freehold.allocated}
// INLINE-DAG:     %[[R1:.*]] = memref.extract_aligned_pointer_as_index %arg3 : {{.*}} {freehold.allocated}
// INLINE:         %[[NE0:.*]] = arith.cmpi ne, %[[M]], %[[R0]] : index
// INLINE-NEXT:    %[[FREE0:.*]] = arith.andi %arg1, %[[NE0]] : i1
// INLINE:         %[[EQ0:.*]] = arith.xori %[[NE0]], %{{.*}} : i1
// INLINE-NEXT:    %[[OWN0:.*]] = arith.andi %[[EQ0]], %arg1 : i1
// INLINE:         %[[NE1:.*]] = arith.cmpi ne, %[[M]], %[[R1]] : index
// INLINE-NEXT:    %[[FREE1:.*]] = arith.andi %[[FREE0]], %[[NE1]] : i1
// INLINE:         %[[EQ1:.*]] = arith.xori %[[NE1]], %{{.*}} : i1
// INLINE-NEXT:    %[[OWN1:.*]] = arith.andi %[[EQ1]], %arg1 : i1
// INLINE-NEXT:    scf.if %[[FREE1]] {
// INLINE-NEXT:      memref.dealloc %arg0
// INLINE-NEXT:    }
// INLINE-NEXT:    return %[[OWN0]], %[[OWN1]] : i1, i1
func.func @one_of_several(%m: memref<2xf32>, %c: i1, %r0: memref<1xf32>, %r1: memref<2xf32>) -> (i1, i1) {
  %own:2 = bufferization.dealloc (%m : memref<2xf32>) if (%c) retain (%r0, %r1 : memref<1xf32>, memref<2xf32>)
  return %own#0, %own#1 : i1, i1
}

// Several of each: a helper function decides, which the module has once.
// GENERIC-LABEL: func.func @several(
// GENERIC-DAG:     %[[ENTRIES:.*]] = memref.alloca() : memref<2xindex>
// GENERIC-DAG:     %[[RETAINED:.*]] = memref.alloca() : memref<2xindex>
// GENERIC-NOT:     memref.alloc(
// GENERIC:         %[[M0:.*]] = memref.extract_aligned_pointer_as_index %arg0 : {{.*}} {freehold.allocated}
// GENERIC-NEXT:    memref.store %[[M0]], %{{.*}} : memref<2xindex>
// GENERIC-NEXT:    memref.store %arg2, %{{.*}} : memref<2xi1>
// GENERIC:         %[[M1:.*]] = memref.extract_aligned_pointer_as_index %arg1 : {{.*}} {freehold.allocated}
// GENERIC:         memref.store %arg3, %{{.*}} : memref<2xi1>
// GENERIC:         memref.extract_aligned_pointer_as_index %arg4 : {{.*}} {freehold.allocated}
// GENERIC:         memref.extract_aligned_pointer_as_index %arg5 : {{.*}} {freehold.allocated}
// GENERIC:         call @dealloc_helper(
// GENERIC:         %[[FREE0:.*]] = memref.load %[[FREES:.*]][%{{.*}}] : memref<2xi1>
// GENERIC-NEXT:    scf.if %[[FREE0]] {
// GENERIC-NEXT:      memref.dealloc %arg0 : memref<2xf32>
// GENERIC:         %[[FREE1:.*]] = memref.load %[[FREES]][%{{.*}}] : memref<2xi1>
// GENERIC-NEXT:    scf.if %[[FREE1]] {
// GENERIC-NEXT:      memref.dealloc %arg1 : memref<5xf32>
// GENERIC:         %[[OWN0:.*]] = memref.load %[[OWNS:.*]][%{{.*}}] : memref<2xi1>
// GENERIC:         %[[OWN1:.*]] = memref.load %[[OWNS]][%{{.*}}] : memref<2xi1>
// GENERIC-NEXT:    return %[[OWN0]], %[[OWN1]]
func.func @several(%m0: memref<2xf32>, %m1: memref<5xf32>, %c0: i1, %c1: i1, %r0: memref<1xf32>, %r1: memref<2xf32>) -> (i1, i1) {
  %own:2 = bufferization.dealloc (%m0, %m1 : memref<2xf32>, memref<5xf32>) if (%c0, %c1) retain (%r0, %r1 : memref<1xf32>, memref<2xf32>)
  return %own#0, %own#1 : i1, i1
}

func.func private @printI64(i64)
func.func private @printNewline()

// Prints bits as a number, the first one first.
func.func @show(%first: i1, %second: i1) {
  %ten = arith.constant 10 : i64
  %a = arith.extui %first : i1 to i64
  %b = arith.extui %second : i1 to i64
  %tens = arith.muli %a, %ten : i64
  %both = arith.addi %tens, %b : i64
  call @printI64(%both) : (i64) -> ()
  call @printNewline() : () -> ()
  return
}

// Nothing retained is the buffer: it is freed. One is: that one is owned now.
// RESULT:      {{^}}0{{$}}
// RESULT-NEXT: {{^}}1{{$}}
// Both entries are one buffer, and the condition of the first is false: the
// second is freed all the same (the original leaks it).
// RESULT-NEXT: {{^}}0{{$}}
// The first is retained and owned; the second is freed.
// RESULT-NEXT: {{^}}10{{$}}
// RESULT-NEXT: "allocs": 8, "frees": 8
func.func @main() {
  %true = arith.constant true
  %false = arith.constant false
  %a = memref.alloc() : memref<2xf32>
  %b = memref.alloc() : memref<1xf32>
  %c = memref.alloc() : memref<2xf32>
  %0:2 = call @one_of_several(%a, %true, %b, %c) : (memref<2xf32>, i1, memref<1xf32>, memref<2xf32>) -> (i1, i1)
  call @show(%0#0, %0#1) : (i1, i1) -> ()
  %1:2 = call @one_of_several(%c, %true, %b, %c) : (memref<2xf32>, i1, memref<1xf32>, memref<2xf32>) -> (i1, i1)
  call @show(%1#0, %1#1) : (i1, i1) -> ()
  call @one(%c, %true) : (memref<2xf32>, i1) -> ()

  %d = memref.alloc() : memref<5xf32>
  %part = memref.subview %d[1] [2] [1] : memref<5xf32> to memref<2xf32, strided<[1], offset: 1>>
  %base, %offset, %size, %stride = memref.extract_strided_metadata %part
    : memref<2xf32, strided<[1], offset: 1>> -> memref<f32>, index, index, index
  %same = memref.reinterpret_cast %base to offset: [0], sizes: [2], strides: [1] : memref<f32> to memref<2xf32>
  %e = memref.alloc() : memref<2xf32>
  %2:2 = call @several(%same, %d, %false, %true, %b, %e) : (memref<2xf32>, memref<5xf32>, i1, i1, memref<1xf32>, memref<2xf32>) -> (i1, i1)
  call @show(%2#0, %2#1) : (i1, i1) -> ()

  %f = memref.alloc() : memref<5xf32>
  %g = memref.alloc() : memref<2xf32>
  %h = memref.alloc() : memref<2xf32>
  %base_g, %og, %sg, %tg = memref.extract_strided_metadata %g : memref<2xf32> -> memref<f32>, index, index, index
  %view_g = memref.reinterpret_cast %base_g to offset: [0], sizes: [1], strides: [1] : memref<f32> to memref<1xf32>
  %3:2 = call @several(%g, %f, %true, %true, %view_g, %h) : (memref<2xf32>, memref<5xf32>, i1, i1, memref<1xf32>, memref<2xf32>) -> (i1, i1)
  call @show(%3#0, %3#1) : (i1, i1) -> ()
  call @one(%g, %3#0) : (memref<2xf32>, i1) -> ()

  bufferization.dealloc (%b, %e, %h : memref<1xf32>, memref<2xf32>, memref<2xf32>) if (%true, %true, %true)
  return
}
