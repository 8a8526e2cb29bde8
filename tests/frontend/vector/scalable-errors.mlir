// Scalable dimensions that get lost, and sizes that do not fit.

// RUN: freehold opt %s --split-input-file --verify-diagnostics

func.func @reduction(%v: vector<4x[6]xf32>, %acc: vector<6xf32>) {
  // expected-error @+1 {{'vector.multi_reduction' op destination type 'vector<6xf32>' is incompatible with source type 'vector<4x[6]xf32>'}}
  %0 = vector.multi_reduction <add>, %v, %acc [0] : vector<4x[6]xf32> to vector<6xf32>
  return
}

// -----

func.func @shuffle(%v: vector<[4]xf32>) {
  // expected-error @+1 {{'vector.shuffle' op operand #0 must be fixed-length vector of any type values, but got 'vector<[4]xf32>'}}
  %0 = vector.shuffle %v, %v [0, 1] : vector<[4]xf32>, vector<[4]xf32>
  return
}

// -----

func.func @outer_product(%a: vector<4xf32>, %b: vector<[4]xf32>) {
  // expected-error @+1 {{'vector.outerproduct' op expected either both or only #2 operand dim to be scalable}}
  %0 = vector.outerproduct %b, %a : vector<[4]xf32>, vector<4xf32>
  return
}

// -----

func.func @type_cast(%a: memref<?x8xi1>) {
  // expected-error @+1 {{'vector.type_cast' op operand #0 must be statically shaped memref of any type values, but got 'memref<?x8xi1>'}}
  %0 = vector.type_cast %a : memref<?x8xi1> to memref<?xvector<8xi1>>
  return
}

// -----

func.func @broadcast(%a: vector<[4]xf32>) {
  // expected-error @+1 {{'vector.broadcast' op dimension mismatch ([4] vs. 4)}}
  %0 = vector.broadcast %a : vector<[4]xf32> to vector<2x4xf32>
  return
}

// -----

func.func @multiply(%a: vector<4xf32>, %b: vector<4xi32>) {
  // expected-error @+1 {{'vector.matrix_multiply' op failed to verify that rhs operand and result have same element type}}
  %0 = vector.matrix_multiply %a, %b {lhs_rows = 2 : i32, lhs_columns = 2 : i32, rhs_columns = 2 : i32} : (vector<4xf32>, vector<4xi32>) -> vector<4xf32>
  return
}

// -----

// mlir-opt takes this and leaves it to LLVM to find out.
func.func @sizes(%a: vector<4xf32>) {
  // expected-error @+1 {{'vector.matrix_multiply' op expected lhs to have 3 x 2 elements, but it has 4}}
  %0 = vector.matrix_multiply %a, %a {lhs_rows = 3 : i32, lhs_columns = 2 : i32, rhs_columns = 2 : i32} : (vector<4xf32>, vector<4xf32>) -> vector<4xf32>
  return
}

// -----

func.func @part(%a: vector<4xf32>, %s: vector<[4]xf32>) {
  // expected-error @+1 {{'vector.scalable.insert' op failed to verify that position is a multiple of the source length.}}
  %0 = vector.scalable.insert %a, %s[3] : vector<4xf32> into vector<[4]xf32>
  return
}

// -----

func.func @warp(%a: vector<4xf32>, %lane: index) {
  // expected-error @+1 {{'vector.warp_execute_on_lane_0' op incompatible distribution dimensions from 'vector<64xf32>' to 'vector<4xf32>' with warp size = 32}}
  vector.warp_execute_on_lane_0(%lane)[32] args(%a : vector<4xf32>) {
  ^bb0(%all: vector<64xf32>):
  }
  return
}

// -----

func.func @kind(%v: vector<8xf32>) {
  // expected-error @+1 {{invalid kind of attribute specified}}
  %0 = vector.reduction #vector.punctuation<comma>, %v : vector<8xf32> into f32
  return
}
