// What is wrong with affine operations, in mlir-opt's words.

// RUN: freehold opt %s --split-input-file --verify-diagnostics

#map = affine_map<(d0)[s0] -> (d0 + s0)>
#two = affine_map<(d0) -> (d0, d0)>
#set = affine_set<(d0)[s0] : (d0 - s0 >= 0)>
func.func @apply_operands(%n: index, %m: memref<?xf32>, %f: f32) {
  // expected-error @+1 {{custom op 'affine.apply' dimension or symbol index mismatch}}
  %0 = affine.apply #map(%n)
  return
}

// -----

#map = affine_map<(d0)[s0] -> (d0 + s0)>
#two = affine_map<(d0) -> (d0, d0)>
#set = affine_set<(d0)[s0] : (d0 - s0 >= 0)>
func.func @apply_results(%n: index, %m: memref<?xf32>, %f: f32) {
  // expected-error @+1 {{'affine.apply' op requires one result}}
  %0:2 = affine.apply #two(%n)
  return
}

// -----

#map = affine_map<(d0)[s0] -> (d0 + s0)>
#two = affine_map<(d0) -> (d0, d0)>
#set = affine_set<(d0)[s0] : (d0 - s0 >= 0)>
func.func @min_operands(%n: index, %m: memref<?xf32>, %f: f32) {
  // expected-error @+1 {{'affine.min' op operand count and affine map dimension and symbol count must match}}
  %0 = affine.min #map(%n)
  return
}

// -----

func.func @load_rank(%n: index, %m: memref<?xf32>, %f: f32) {
  // expected-error @+1 {{'affine.load' op affine map num results must equal memref rank}}
  %0 = affine.load %m[%n, %n] : memref<?xf32>
  return
}

// -----

func.func @load_scalar(%n: index, %m: memref<?xf32>, %f: f32) {
  // expected-error @+1 {{custom op 'affine.load' invalid kind of type specified}}
  %0 = affine.load %m[%n] : f32
  return
}

// -----

func.func @load_type(%n: index, %m: memref<?xf32>, %f: f32) {
  // expected-error @+1 {{'affine.load' op result type must match element type of memref}}
  %0 = "affine.load"(%m, %n) {map = affine_map<(d0) -> (d0)>} : (memref<?xf32>, index) -> f64
  return
}

// -----

func.func @load_index(%n: index, %m: memref<?xf32>, %i: memref<?xindex>) {
  scf.for %j = %n to %n step %n {
    // expected-error @+1 {{'affine.load' op index must be a valid dimension or symbol identifier}}
    %0 = affine.load %m[%j] : memref<?xf32>
  }
  return
}

// -----

func.func @store_type(%n: index, %m: memref<?xf32>, %f: f32) {
  // expected-error @+1 {{'affine.store' op value to store must have the same type as memref element type}}
  "affine.store"(%n, %m, %n) {map = affine_map<(d0) -> (d0)>} : (index, memref<?xf32>, index) -> ()
  return
}

// -----

func.func @store_subscripts(%n: index, %m: memref<?xf32>, %f: f32) {
  // expected-error @+1 {{'affine.store' op expects as many subscripts as affine map inputs}}
  "affine.store"(%f, %m, %n, %n) {map = affine_map<(d0) -> (d0)>} : (f32, memref<?xf32>, index, index) -> ()
  return
}

// -----

func.func @vector_type(%n: index, %m: memref<?xf32>, %f: f32) {
  // expected-error @+1 {{'affine.vector_load' op requires memref and vector types of the same elemental type}}
  %0 = affine.vector_load %m[%n] : memref<?xf32>, vector<4xf64>
  return
}

// -----

#map = affine_map<(d0)[s0] -> (d0 + s0)>
#two = affine_map<(d0) -> (d0, d0)>
#set = affine_set<(d0)[s0] : (d0 - s0 >= 0)>
func.func @for_bounds(%n: index, %m: memref<?xf32>, %f: f32) {
  // expected-error @+1 {{custom op 'affine.for' lower loop bound affine map with multiple results requires 'max' prefix}}
  affine.for %i = #two(%n) to 10 {
  }
  return
}

// -----

#map = affine_map<(d0)[s0] -> (d0 + s0)>
#two = affine_map<(d0) -> (d0, d0)>
#set = affine_set<(d0)[s0] : (d0 - s0 >= 0)>
func.func @for_dims(%n: index, %m: memref<?xf32>, %f: f32) {
  // expected-error @+1 {{custom op 'affine.for' dim operand count and affine map dim count must match}}
  affine.for %i = #map(%n, %n) to 10 {
  }
  return
}

// -----

#map = affine_map<(d0)[s0] -> (d0 + s0)>
#two = affine_map<(d0) -> (d0, d0)>
#set = affine_set<(d0)[s0] : (d0 - s0 >= 0)>
func.func @for_symbols(%n: index, %m: memref<?xf32>, %f: f32) {
  // expected-error @+1 {{custom op 'affine.for' symbol operand count and affine map symbol count must match}}
  affine.for %i = 0 to #map(%n) {
  }
  return
}

// -----

#map = affine_map<(d0)[s0] -> (d0 + s0)>
#two = affine_map<(d0) -> (d0, d0)>
#set = affine_set<(d0)[s0] : (d0 - s0 >= 0)>
func.func @for_symbol(%n: index, %m: memref<?xf32>) {
  affine.for %i = 0 to 10 {
    // expected-error @+1 {{'affine.for' op operand cannot be used as a symbol}}
    affine.for %j = 0 to #map(%n)[%i] {
    }
  }
  return
}

// -----

#map = affine_map<(d0)[s0] -> (d0 + s0)>
#two = affine_map<(d0) -> (d0, d0)>
#set = affine_set<(d0)[s0] : (d0 - s0 >= 0)>
func.func @for_dimension(%n: index, %m: memref<?xf32>) {
  scf.for %i = %n to %n step %n {
    // expected-error @+1 {{'affine.for' op operand cannot be used as a dimension id}}
    affine.for %j = 0 to #map(%i)[%n] {
    }
  }
  return
}

// -----

func.func @for_step(%n: index, %m: memref<?xf32>, %f: f32) {
  // expected-error @+1 {{custom op 'affine.for' expected step to be representable as a positive signed integer}}
  affine.for %i = 0 to 10 step -1 {
  }
  return
}

// -----

func.func @for_results(%n: index, %m: memref<?xf32>, %f: f32) {
  // expected-error @+1 {{custom op 'affine.for' mismatch between the number of loop-carried values and results}}
  %0 = affine.for %i = 0 to 10 iter_args(%a = %f) -> (f32, f32) {
  }
  return
}

// -----

#map = affine_map<(d0)[s0] -> (d0 + s0)>
#two = affine_map<(d0) -> (d0, d0)>
#set = affine_set<(d0)[s0] : (d0 - s0 >= 0)>
func.func @if_operands(%n: index, %m: memref<?xf32>, %f: f32) {
  // expected-error @+1 {{custom op 'affine.if' symbol operand count and integer set symbol count must match}}
  affine.if #set(%n) {
  }
  return
}

// -----

func.func @parallel_reduction(%n: index, %m: memref<?xf32>, %f: f32) {
  // expected-error @+1 {{custom op 'affine.parallel' invalid reduction value: "foo"}}
  %0 = affine.parallel (%i) = (0) to (10) reduce ("foo") -> (f32) {
  }
  return
}

// -----

func.func @parallel_reductions(%n: index, %m: memref<?xf32>, %f: f32) {
  // expected-error @+1 {{'affine.parallel' op a reduction must be specified for each output}}
  %0 = affine.parallel (%i) = (0) to (10) -> (f32) {
    affine.yield %f : f32
  }
  return
}

// -----

func.func @parallel_result(%n: index, %m: memref<?xf32>, %f: f32) {
  // expected-error @+1 {{'affine.parallel' op result type cannot match reduction attribute}}
  %0 = affine.parallel (%i) = (0) to (10) reduce ("addi") -> (f32) {
    affine.yield %f : f32
  }
  return
}

// -----

func.func @parallel_steps(%n: index, %m: memref<?xf32>, %f: f32) {
  // expected-error @+1 {{custom op 'affine.parallel' steps must be constant integers}}
  affine.parallel (%i) = (0) to (10) step (%n) {
  }
  return
}

// -----

func.func @parallel_dims(%n: index, %m: memref<?xf32>, %f: f32) {
  // expected-error @+1 {{'affine.parallel' op the number of region arguments (2) and the number of map groups for lower (1) and upper bound (1), and the number of steps (2) must all match}}
  affine.parallel (%i, %j) = (0) to (10) {
  }
  return
}

// -----

func.func @prefetch_direction(%n: index, %m: memref<?xf32>, %f: f32) {
  // expected-error @+1 {{custom op 'affine.prefetch' rw specifier has to be 'read' or 'write'}}
  affine.prefetch %m[%n], rw, locality<3>, data : memref<?xf32>
  return
}

// -----

func.func @prefetch_locality(%n: index, %m: memref<?xf32>, %f: f32) {
  // expected-error @+1 {{'affine.prefetch' op attribute 'localityHint' failed to satisfy constraint: 32-bit signless integer attribute whose minimum value is 0 whose maximum value is 3}}
  affine.prefetch %m[%n], read, locality<7>, data : memref<?xf32>
  return
}

// -----

func.func @delinearize_results(%n: index, %m: memref<?xf32>, %f: f32) {
  // expected-error @+1 {{'affine.delinearize_index' op should return an index for each basis element}}
  %0 = affine.delinearize_index %n into (%n, %n) : index
  return
}
