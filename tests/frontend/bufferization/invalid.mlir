// What is wrong with bufferization operations, in mlir-opt's words.

// RUN: freehold opt %s --split-input-file --verify-diagnostics

func.func @manual_load(%m: memref<f32>) -> f32 {
  // expected-error @+1 {{'memref.load' op attribute 'bufferization.manual_deallocation' can be used only on ops that have an allocation and/or free side effect}}
  %x = memref.load %m[] {bufferization.manual_deallocation} : memref<f32>
  return %x : f32
}

// -----

// Allocations and releases may have it.
func.func @manual() {
  %m = memref.alloc() {bufferization.manual_deallocation} : memref<f32>
  %c = bufferization.clone %m {bufferization.manual_deallocation} : memref<f32> to memref<f32>
  memref.dealloc %c {bufferization.manual_deallocation} : memref<f32>
  memref.dealloc %m {bufferization.manual_deallocation} : memref<f32>
  return
}

// -----

func.func @unknown_attribute() {
  // expected-error @+1 {{attribute '"bufferization.colour"' not supported as an op attribute by the bufferization dialect}}
  %m = memref.alloc() {bufferization.colour} : memref<f32>
  return
}

// -----

func.func @conditions(%m: memref<f32>, %c: i1) {
  // expected-error @+1 {{'bufferization.dealloc' op must have the same number of conditions as memrefs to deallocate}}
  bufferization.dealloc (%m : memref<f32>) if (%c, %c)
  return
}

// -----

func.func @updated_conditions(%m: memref<f32>, %c: i1) {
  // expected-error @+1 {{'bufferization.dealloc' op must have the same number of updated conditions (results) as retained operands}}
  "bufferization.dealloc"(%m, %c, %m) <{operandSegmentSizes = array<i32: 1, 1, 1>}> : (memref<f32>, i1, memref<f32>) -> ()
  return
}

// -----

func.func @dealloc_of_number(%c: i1) {
  // expected-error @+1 {{'bufferization.dealloc' op operand #0 must be variadic of ranked or unranked memref of any type values, but got 'i1'}}
  bufferization.dealloc (%c : i1) if (%c)
  return
}

// -----

// mlir-opt accepts these two and fails when it lowers them.
func.func @clone_elements(%m: memref<4xf32>) {
  // expected-error @+1 {{'bufferization.clone' op requires the same element type for all operands and results}}
  %c = bufferization.clone %m : memref<4xf32> to memref<4xi32>
  return
}

// -----

func.func @clone_shape(%m: memref<4xf32>) {
  // expected-error @+1 {{'bufferization.clone' op requires the same shape for all operands and results}}
  %c = bufferization.clone %m : memref<4xf32> to memref<5xf32>
  return
}

// -----

func.func @sizes() {
  // expected-error @+1 {{expected 1 dynamic sizes}}
  %t = bufferization.alloc_tensor() : tensor<4x?xf32>
  return
}

// -----

func.func @sizes_of_copy(%t: tensor<?xf32>, %n: index) {
  // expected-error @+1 {{dynamic sizes not needed when copying a tensor}}
  %c = bufferization.alloc_tensor(%n) copy(%t) : tensor<?xf32>
  return
}

// -----

func.func @memref_type(%m: memref<4xf32>) {
  // expected-error @+1 {{'bufferization.to_tensor' op failed to verify that result type matches tensor equivalent of 'memref'}}
  %t = "bufferization.to_tensor"(%m) : (memref<4xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @tensor_type(%t: tensor<4xf32>) {
  // expected-error @+1 {{'bufferization.to_memref' op failed to verify that type of 'tensor' is the tensor equivalent of 'memref'}}
  %m = "bufferization.to_memref"(%t) : (tensor<4xf32>) -> memref<4xi32>
  return
}

// -----

func.func @writable(%t: tensor<4xf32>, %m: memref<4xf32>) {
  // expected-error @+1 {{'bufferization.materialize_in_destination' op 'writable' must be specified if and only if the destination is of memref type}}
  bufferization.materialize_in_destination %t in %m : (tensor<4xf32>, memref<4xf32>) -> ()
  return
}

// -----

func.func @restrict(%t: tensor<4xf32>) {
  // expected-error @+1 {{'bufferization.materialize_in_destination' op 'restrict' is valid only for memref destinations}}
  %r = bufferization.materialize_in_destination %t in restrict %t : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @destination_shape(%t: tensor<4xf32>, %m: memref<5xf32>) {
  // expected-error @+1 {{'bufferization.materialize_in_destination' op source/destination shapes are incompatible}}
  bufferization.materialize_in_destination %t in writable %m : (tensor<4xf32>, memref<5xf32>) -> ()
  return
}
