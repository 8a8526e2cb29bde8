// A slice of the first elements of rows has gaps between its rows, which a type of unknown sizes does not show: as an
// argument of a function, as what a loop carries or as what a branch hands on, it is copied or keeps its strides.
//
// RUN: freehold run %s --function=called --input=3x3xf32=1,2,3,4,5,6,7,8,9 | FileCheck %s --check-prefix=CALLED
// RUN: freehold run %s --function=called --input=3x3xf32=1,2,3,4,5,6,7,8,9 -O0 | FileCheck %s --check-prefix=CALLED
// CALLED: 6xf32 = [1.0, 2.0, 4.0, 5.0, 7.0, 8.0]
//
// RUN: freehold run %s --function=repeated --input=3x4xf32=1,2,3,4,5,6,7,8,9,10,11,12 --input=index=2 | FileCheck %s --check-prefix=REPEATED
// RUN: freehold run %s --function=repeated --input=3x4xf32=1,2,3,4,5,6,7,8,9,10,11,12 --input=index=2 -O0 | FileCheck %s --check-prefix=REPEATED
// REPEATED: 6xf32 = [1.0, 2.0, 5.0, 6.0, 9.0, 10.0]
//
// RUN: freehold run %s --function=while --input=3x4xf32=1,2,3,4,5,6,7,8,9,10,11,12 --input=index=2 | FileCheck %s --check-prefix=REPEATED
//
// RUN: freehold run %s --function=chosen --input=3x3xf32=1,2,3,4,5,6,7,8,9 --input=index=1 | FileCheck %s --check-prefix=CALLED
// RUN: freehold run %s --function=chosen --input=3x3xf32=1,2,3,4,5,6,7,8,9 --input=index=1 -O0 | FileCheck %s --check-prefix=CALLED

func.func private @flat(%a: tensor<?x?xf32>) -> tensor<?xf32> attributes {no_inline} {
  %r = tensor.collapse_shape %a [[0, 1]] : tensor<?x?xf32> into tensor<?xf32>
  return %r : tensor<?xf32>
}

func.func private @shorter(%a: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %a, %c0 : tensor<?x?xf32>
  %m = tensor.dim %a, %c1 : tensor<?x?xf32>
  %less = arith.subi %m, %c1 : index
  %e = tensor.extract_slice %a[0, 0] [%n, %less] [1, 1] : tensor<?x?xf32> to tensor<?x?xf32>
  return %e : tensor<?x?xf32>
}

func.func @called(%a: tensor<?x?xf32>) -> tensor<?xf32> {
  %e = call @shorter(%a) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %r = call @flat(%e) : (tensor<?x?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

func.func @repeated(%a: tensor<?x?xf32>, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%t = %a) -> tensor<?x?xf32> {
    %e = func.call @shorter(%t) : (tensor<?x?xf32>) -> tensor<?x?xf32>
    scf.yield %e : tensor<?x?xf32>
  }
  %r = tensor.collapse_shape %last [[0, 1]] : tensor<?x?xf32> into tensor<?xf32>
  return %r : tensor<?xf32>
}

func.func @while(%a: tensor<?x?xf32>, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %last:2 = scf.while (%t = %a, %i = %c0) : (tensor<?x?xf32>, index) -> (tensor<?x?xf32>, index) {
    %more = arith.cmpi slt, %i, %n : index
    scf.condition(%more) %t, %i : tensor<?x?xf32>, index
  } do {
  ^bb0(%t: tensor<?x?xf32>, %i: index):
    %e = func.call @shorter(%t) : (tensor<?x?xf32>) -> tensor<?x?xf32>
    %next = arith.addi %i, %c1 : index
    scf.yield %e, %next : tensor<?x?xf32>, index
  }
  %r = tensor.collapse_shape %last#0 [[0, 1]] : tensor<?x?xf32> into tensor<?xf32>
  return %r : tensor<?xf32>
}

func.func @chosen(%a: tensor<?x?xf32>, %n: index) -> tensor<?xf32> {
  %c1 = arith.constant 1 : index
  %is_one = arith.cmpi eq, %n, %c1 : index
  %part = scf.if %is_one -> tensor<?x?xf32> {
    %e = func.call @shorter(%a) : (tensor<?x?xf32>) -> tensor<?x?xf32>
    scf.yield %e : tensor<?x?xf32>
  } else {
    scf.yield %a : tensor<?x?xf32>
  }
  %r = tensor.collapse_shape %part [[0, 1]] : tensor<?x?xf32> into tensor<?xf32>
  return %r : tensor<?xf32>
}
