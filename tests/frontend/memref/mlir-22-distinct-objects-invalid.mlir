// RUN: freehold opt %s --split-input-file --verify-diagnostics

func.func @swapped(%a: memref<4xf32>, %b: memref<?xi8>) {
  // expected-error @+1 {{'memref.distinct_objects' op operand types and result types must match}}
  %0:2 = "memref.distinct_objects"(%a, %b) : (memref<4xf32>, memref<?xi8>) -> (memref<?xi8>, memref<4xf32>)
  return
}

// -----

func.func @fewer(%a: memref<4xf32>, %b: memref<?xi8>) {
  // expected-error @+1 {{'memref.distinct_objects' op operand types and result types must match}}
  %0 = "memref.distinct_objects"(%a, %b) : (memref<4xf32>, memref<?xi8>) -> (memref<4xf32>)
  return
}

// -----

func.func @none() {
  // expected-error @+1 {{'memref.distinct_objects' op expected at least one operand}}
  "memref.distinct_objects"() : () -> ()
  return
}

// -----

func.func @no_memref(%a: index) {
  // expected-error @+1 {{'memref.distinct_objects' op operand #0 must be variadic of memref of any type values, but got 'index'}}
  %0 = memref.distinct_objects %a : index
  return
}
