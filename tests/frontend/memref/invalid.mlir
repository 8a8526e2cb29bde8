// What is wrong with memref operations, in mlir-opt's words.

// RUN: freehold opt %s --split-input-file --verify-diagnostics

func.func @alloc_sizes(%n: index) {
  // expected-error @+1 {{'memref.alloc' op dimension operand count does not equal memref dynamic dimension count}}
  memref.alloc() : memref<4x?xf32>
  return
}

// -----

func.func @alloc_symbols() {
  // expected-error @+1 {{'memref.alloc' op symbol operand count does not equal memref symbol count: expected 2, got 0}}
  memref.alloc() : memref<4xf32, strided<[?], offset: ?>>
  return
}

// -----

func.func @alloc_scalar() {
  // expected-error @+1 {{custom op 'memref.alloc' invalid kind of type specified}}
  memref.alloc() : f32
  return
}

// -----

func.func @alloc_alignment() {
  // expected-error @+1 {{'memref.alloc' op attribute 'alignment' failed to satisfy constraint: 64-bit signless integer attribute whose minimum value is 0}}
  memref.alloc() {alignment = -8 : i64} : memref<4xf32>
  return
}

// -----

module {
  // expected-error @+1 {{'memref.alloca' op requires an ancestor op with AutomaticAllocationScope trait}}
  memref.alloca() : memref<4xf32>
}

// -----

func.func @scope_arguments() {
  // expected-error @+1 {{'memref.alloca_scope' op region should have no arguments}}
  "memref.alloca_scope"() ({
  ^bb0(%x: i32):
    "memref.alloca_scope.return"() : () -> ()
  }) : () -> ()
  return
}

// -----

func.func @scope_return() {
  // expected-error @+1 {{'memref.alloca_scope.return' op expects parent op 'memref.alloca_scope'}}
  memref.alloca_scope.return
}

// -----

func.func @realloc_needs_size(%m: memref<4xf32>) {
  // expected-error @+1 {{missing dimension operand for result type 'memref<?xf32>'}}
  memref.realloc %m : memref<4xf32> to memref<?xf32>
  return
}

// -----

func.func @realloc_needs_no_size(%m: memref<4xf32>, %n: index) {
  // expected-error @+1 {{unnecessary dimension operand for result type 'memref<8xf32>'}}
  memref.realloc %m(%n) : memref<4xf32> to memref<8xf32>
  return
}

// -----

func.func @realloc_elements(%m: memref<4xf32>) {
  // expected-error @+1 {{different element types specified for source memref type 'memref<4xf32>' and result memref type 'memref<8xi32>'}}
  memref.realloc %m : memref<4xf32> to memref<8xi32>
  return
}

// -----

func.func @realloc_space(%m: memref<4xf32>) {
  // expected-error @+1 {{different memory spaces specified for source memref type 'memref<4xf32>' and result memref type 'memref<8xf32, 1>'}}
  memref.realloc %m : memref<4xf32> to memref<8xf32, 1>
  return
}

// -----

func.func @realloc_layout(%m: memref<4xf32, strided<[2]>>) {
  // expected-error @+1 {{unsupported layout for source memref type 'memref<4xf32, strided<[2]>>'}}
  memref.realloc %m : memref<4xf32, strided<[2]>> to memref<8xf32>
  return
}

// -----

func.func @realloc_rank(%m: memref<4x4xf32>) {
  // expected-error @+1 {{'memref.realloc' op operand #0 must be 1D memref of any type values, but got 'memref<4x4xf32>'}}
  memref.realloc %m : memref<4x4xf32> to memref<8xf32>
  return
}

// -----

func.func @load_indices(%m: memref<4x4xf32>, %i: index) {
  // expected-error @+1 {{'memref.load' op incorrect number of indices for load, expected 2 but got 1}}
  memref.load %m[%i] : memref<4x4xf32>
  return
}

// -----

func.func @load_type(%m: memref<4xf32>, %i: index) {
  // expected-error @+1 {{'memref.load' op failed to verify that result type matches element type of 'memref'}}
  "memref.load"(%m, %i) : (memref<4xf32>, index) -> i32
  return
}

// -----

func.func @store_indices(%m: memref<4xf32>, %x: f32) {
  // expected-error @+1 {{'memref.store' op store index operand count not equal to memref rank}}
  memref.store %x, %m[] : memref<4xf32>
  return
}

// -----

func.func @store_type(%m: memref<f32>, %x: i32) {
  // expected-error @+1 {{'memref.store' op failed to verify that type of 'value' matches element type of 'memref'}}
  "memref.store"(%x, %m) : (i32, memref<f32>) -> ()
  return
}

// -----

func.func @copy_elements(%a: memref<4xf32>, %b: memref<4xi32>) {
  // expected-error @+1 {{'memref.copy' op requires the same element type for all operands}}
  memref.copy %a, %b : memref<4xf32> to memref<4xi32>
  return
}

// -----

func.func @copy_shape(%a: memref<4xf32>, %b: memref<5xf32>) {
  // expected-error @+1 {{'memref.copy' op requires the same shape for all operands}}
  memref.copy %a, %b : memref<4xf32> to memref<5xf32>
  return
}

// -----

func.func @prefetch_direction(%m: memref<f32>) {
  // expected-error @+1 {{custom op 'memref.prefetch' rw specifier has to be 'read' or 'write'}}
  memref.prefetch %m[], sideways, locality<0>, data : memref<f32>
  return
}

// -----

func.func @prefetch_cache(%m: memref<f32>) {
  // expected-error @+1 {{custom op 'memref.prefetch' cache type has to be 'data' or 'instr'}}
  memref.prefetch %m[], read, locality<0>, gold : memref<f32>
  return
}

// -----

func.func @prefetch_locality(%m: memref<f32>) {
  // expected-error @+1 {{'memref.prefetch' op attribute 'localityHint' failed to satisfy constraint: 32-bit signless integer attribute whose minimum value is 0 whose maximum value is 3}}
  memref.prefetch %m[], read, locality<4>, data : memref<f32>
  return
}

// -----

func.func @prefetch_indices(%m: memref<4xf32>) {
  // expected-error @+1 {{'memref.prefetch' op too few indices}}
  memref.prefetch %m[], read, locality<0>, data : memref<4xf32>
  return
}

// -----

func.func @alignment(%m: memref<4xf32>) {
  // expected-error @+1 {{'memref.assume_alignment' op alignment must be power of 2}}
  memref.assume_alignment %m, 12 : memref<4xf32>
  return
}

// -----

func.func @atomic_keyword(%m: memref<f32>, %x: f32) {
  // expected-error @+1 {{custom op 'memref.atomic_rmw' expected string or keyword containing one of the following enum values for attribute 'kind' [addf, addi, assign, maximumf, maxs, maxu, minimumf, mins, minu, mulf, muli, ori, andi, maxnumf, minnumf, xori]}}
  memref.atomic_rmw nand %x, %m[] : (f32, memref<f32>) -> f32
  return
}

// -----

func.func @atomic_float(%m: memref<f32>, %x: f32) {
  // expected-error @+1 {{'memref.atomic_rmw' op with kind 'addi' expects an integer type}}
  memref.atomic_rmw addi %x, %m[] : (f32, memref<f32>) -> f32
  return
}

// -----

func.func @atomic_integer(%m: memref<i32>, %x: i32) {
  // expected-error @+1 {{'memref.atomic_rmw' op with kind 'addf' expects a floating-point type}}
  memref.atomic_rmw addf %x, %m[] : (i32, memref<i32>) -> i32
  return
}

// -----

func.func @atomic_rank(%m: memref<4xf32>, %x: f32) {
  // expected-error @+1 {{'memref.atomic_rmw' op expects the number of subscripts to be equal to memref rank}}
  memref.atomic_rmw addf %x, %m[] : (f32, memref<4xf32>) -> f32
  return
}

// -----

func.func @atomic_element(%m: memref<f32>, %x: i32) {
  // expected-error @+1 {{'memref.atomic_rmw' op failed to verify that value type matches element type of memref}}
  memref.atomic_rmw addi %x, %m[] : (i32, memref<f32>) -> i32
  return
}

// -----

func.func @atomic_body_type(%m: memref<f32>, %x: i32) {
  memref.generic_atomic_rmw %m[] : memref<f32> {
  ^bb0(%old: f32):
    // expected-error @+1 {{'memref.atomic_yield' op types mismatch between yield op: 'i32' and its parent: 'f32'}}
    memref.atomic_yield %x : i32
  }
  return
}

// -----

func.func @atomic_body_argument(%m: memref<f32>, %x: f32) {
  // expected-error @+1 {{'memref.generic_atomic_rmw' op expected block argument of the same type result type}}
  memref.generic_atomic_rmw %m[] : memref<f32> {
  ^bb0(%old: i32):
    memref.atomic_yield %x : f32
  }
  return
}

// -----

func.func @atomic_body_effects(%m: memref<f32>, %x: f32) {
  memref.generic_atomic_rmw %m[] : memref<f32> {
  ^bb0(%old: f32):
    // expected-error @+1 {{body of 'memref.generic_atomic_rmw' should contain only operations with no side effects}}
    memref.store %x, %m[] : memref<f32>
    memref.atomic_yield %x : f32
  }
  return
}

// -----

func.func @cast_shape(%m: memref<4xf32>) {
  // expected-error @+1 {{'memref.cast' op operand type 'memref<4xf32>' and result type 'memref<5xf32>' are cast incompatible}}
  memref.cast %m : memref<4xf32> to memref<5xf32>
  return
}

// -----

func.func @cast_stride(%m: memref<4xf32, strided<[2]>>) {
  // expected-error @+1 {{'memref.cast' op operand type 'memref<4xf32, strided<[2]>>' and result type 'memref<4xf32>' are cast incompatible}}
  memref.cast %m : memref<4xf32, strided<[2]>> to memref<4xf32>
  return
}

// -----

func.func @cast_unranked(%m: memref<*xf32>) {
  // expected-error @+1 {{'memref.cast' op operand type 'memref<*xf32>' and result type 'memref<*xf32>' are cast incompatible}}
  memref.cast %m : memref<*xf32> to memref<*xf32>
  return
}

// -----

func.func @space_cast(%m: memref<4xf32>) {
  // expected-error @+1 {{'memref.memory_space_cast' op operand type 'memref<4xf32>' and result type 'memref<?xf32, 1>' are cast incompatible}}
  memref.memory_space_cast %m : memref<4xf32> to memref<?xf32, 1>
  return
}

// -----

func.func @subview_lists(%m: memref<4x4xf32>) {
  // expected-error @+1 {{expected mixed offsets rank to match mixed sizes rank (1 vs 2) so the rank of the result type is well-formed.}}
  memref.subview %m[0] [1, 1] [1, 1] : memref<4x4xf32> to memref<1x1xf32, strided<[4, 1]>>
  return
}

// -----

func.func @subview_rank(%m: memref<4x4xf32>) {
  // expected-error @+1 {{expected 2 offset values, got 1}}
  memref.subview %m[0] [1] [1] : memref<4x4xf32> to memref<1xf32, strided<[1]>>
  return
}

// -----

func.func @subview_negative(%m: memref<4xf32>) {
  // expected-error @+1 {{expected offsets to be non-negative, but got -1}}
  memref.subview %m[-1] [1] [1] : memref<4xf32> to memref<1xf32, strided<[1], offset: ?>>
  return
}

// -----

func.func @subview_sizes(%m: memref<4x4xf32>) {
  // expected-error @+1 {{expected result type to be 'memref<2x2xf32, strided<[4, 1]>>' or a rank-reduced version. (mismatch of result sizes)}}
  memref.subview %m[0, 0] [2, 2] [1, 1] : memref<4x4xf32> to memref<2x3xf32, strided<[4, 1]>>
  return
}

// -----

func.func @subview_layout(%m: memref<4x4xf32>) {
  // expected-error @+1 {{expected result type to be 'memref<2x2xf32, strided<[4, 1], offset: 4>>' or a rank-reduced version. (mismatch of result layout)}}
  memref.subview %m[1, 0] [2, 2] [1, 1] : memref<4x4xf32> to memref<2x2xf32, strided<[4, 1], offset: 1>>
  return
}

// -----

func.func @subview_dropped_stride(%m: memref<4x4xf32>) {
  // expected-error @+1 {{expected result type to be 'memref<4x1xf32, strided<[4, 1]>>' or a rank-reduced version. (mismatch of result layout)}}
  memref.subview %m[0, 0] [4, 1] [1, 1] : memref<4x4xf32> to memref<4xf32, strided<[1]>>
  return
}

// -----

func.func @subview_elements(%m: memref<4xf32>) {
  // expected-error @+1 {{expected result element type to be 'f32'}}
  memref.subview %m[0] [1] [1] : memref<4xf32> to memref<1xi32, strided<[1]>>
  return
}

// -----

func.func @subview_more_dims(%m: memref<4xf32>) {
  // expected-error @+1 {{expected result rank to be smaller or equal to the source rank.}}
  memref.subview %m[0] [1] [1] : memref<4xf32> to memref<1x1xf32, strided<[1, 1]>>
  return
}

// -----

func.func @subview_not_strided(%m: memref<4xf32, affine_map<(d0) -> (d0 mod 2)>>) {
  // expected-error @+1 {{base type 'memref<4xf32, affine_map<(d0) -> (d0 mod 2)>>' is not strided}}
  memref.subview %m[0] [1] [1] : memref<4xf32, affine_map<(d0) -> (d0 mod 2)>> to memref<1xf32>
  return
}

// -----

func.func @view_sizes(%b: memref<64xi8>, %n: index) {
  // expected-error @+1 {{incorrect number of size operands for type 'memref<?xf32>'}}
  memref.view %b[%n][] : memref<64xi8> to memref<?xf32>
  return
}

// -----

func.func @view_space(%b: memref<64xi8>, %n: index) {
  // expected-error @+1 {{different memory spaces specified for base memref type 'memref<64xi8>' and view memref type 'memref<4xf32, 1>'}}
  memref.view %b[%n][] : memref<64xi8> to memref<4xf32, 1>
  return
}

// -----

func.func @view_layout(%b: memref<64xi8>, %n: index) {
  // expected-error @+1 {{unsupported map for result memref type 'memref<4xf32, strided<[2]>>'}}
  memref.view %b[%n][] : memref<64xi8> to memref<4xf32, strided<[2]>>
  return
}

// -----

func.func @reinterpret_size(%m: memref<4xf32>) {
  // expected-error @+1 {{expected result type with size = 2 instead of 3 in dim = 0}}
  memref.reinterpret_cast %m to offset: [0], sizes: [2], strides: [1] : memref<4xf32> to memref<3xf32>
  return
}

// -----

func.func @reinterpret_offset(%m: memref<4xf32>) {
  // expected-error @+1 {{expected result type with offset = 1 instead of 0}}
  memref.reinterpret_cast %m to offset: [1], sizes: [2], strides: [1] : memref<4xf32> to memref<2xf32>
  return
}

// -----

func.func @reinterpret_stride(%m: memref<4xf32>) {
  // expected-error @+1 {{expected result type with stride = 2 instead of 1 in dim = 0}}
  memref.reinterpret_cast %m to offset: [0], sizes: [2], strides: [2] : memref<4xf32> to memref<2xf32>
  return
}

// -----

func.func @reinterpret_elements(%m: memref<4xf32>) {
  // expected-error @+1 {{different element types specified for source type 'memref<4xf32>' and result memref type 'memref<2xi32>'}}
  memref.reinterpret_cast %m to offset: [0], sizes: [2], strides: [1] : memref<4xf32> to memref<2xi32>
  return
}

// -----

func.func @reshape_length(%m: memref<4xf32>, %s: memref<2xindex>) {
  // expected-error @+1 {{'memref.reshape' op length of shape operand differs from the result's memref rank}}
  memref.reshape %m(%s) : (memref<4xf32>, memref<2xindex>) -> memref<4xf32>
  return
}

// -----

func.func @reshape_dynamic_length(%m: memref<4xf32>, %s: memref<?xindex>) {
  // expected-error @+1 {{'memref.reshape' op cannot use shape operand with dynamic length to reshape to statically-ranked memref type}}
  memref.reshape %m(%s) : (memref<4xf32>, memref<?xindex>) -> memref<4xf32>
  return
}

// -----

func.func @reshape_elements(%m: memref<4xf32>, %s: memref<1xindex>) {
  // expected-error @+1 {{'memref.reshape' op element types of source and destination memref types should be the same}}
  memref.reshape %m(%s) : (memref<4xf32>, memref<1xindex>) -> memref<4xi32>
  return
}

// -----

func.func @expand_groups(%m: memref<4x4xf32>) {
  // expected-error @+1 {{'memref.expand_shape' op invalid number of reassociation groups: found 1, expected 2}}
  memref.expand_shape %m [[0, 1, 2]] output_shape [2, 2, 4] : memref<4x4xf32> into memref<2x2x4xf32>
  return
}

// -----

func.func @expand_size(%m: memref<4xf32>) {
  // expected-error @+1 {{'memref.expand_shape' op collapsed dim size (4) must equal reassociation group size (6)}}
  memref.expand_shape %m [[0, 1]] output_shape [2, 3] : memref<4xf32> into memref<2x3xf32>
  return
}

// -----

func.func @expand_type(%m: memref<4xf32>) {
  // expected-error @+1 {{'memref.expand_shape' op expected expanded type to be 'memref<2x2xf32>' but found 'memref<2x2xf32, strided<[2, 1]>>'}}
  memref.expand_shape %m [[0, 1]] output_shape [2, 2] : memref<4xf32> into memref<2x2xf32, strided<[2, 1]>>
  return
}

// -----

func.func @expand_output_shape(%m: memref<4xf32>, %n: index) {
  // expected-error @+1 {{'memref.expand_shape' op invalid output shape provided at pos 0}}
  memref.expand_shape %m [[0, 1]] output_shape [%n, 2] : memref<4xf32> into memref<2x2xf32>
  return
}

// -----

func.func @collapse_order(%m: memref<4x4xf32>) {
  // expected-error @+1 {{'memref.collapse_shape' op reassociation indices must be contiguous}}
  memref.collapse_shape %m [[1, 0]] : memref<4x4xf32> into memref<16xf32>
  return
}

// -----

func.func @collapse_contiguous(%m: memref<4x4xf32, strided<[8, 1]>>) {
  // expected-error @+1 {{'memref.collapse_shape' op invalid source layout map or collapsing non-contiguous dims}}
  memref.collapse_shape %m [[0, 1]] : memref<4x4xf32, strided<[8, 1]>> into memref<16xf32, strided<[1]>>
  return
}

// -----

func.func @collapse_dynamic(%m: memref<?x4xf32>) {
  // expected-error @+1 {{'memref.collapse_shape' op collapsed dim (0) must be dynamic if and only if reassociation group is dynamic}}
  memref.collapse_shape %m [[0, 1]] : memref<?x4xf32> into memref<16xf32>
  return
}

// -----

func.func @collapse_scalar(%m: memref<2xf32>) {
  // expected-error @+1 {{'memref.collapse_shape' op rank 0 memrefs can only be extended/collapsed with/from ones}}
  memref.collapse_shape %m [] : memref<2xf32> into memref<f32>
  return
}

// -----

func.func @transpose_map(%m: memref<4x4xf32>) {
  // expected-error @+1 {{'memref.transpose' op expected a permutation map}}
  memref.transpose %m (i, j) -> (i, i) : memref<4x4xf32> to memref<4x4xf32>
  return
}

// -----

func.func @transpose_type(%m: memref<4x8xf32>) {
  // expected-error @+1 {{'memref.transpose' op result type 'memref<8x4xf32>' is not equivalent to the canonical transposed input type 'memref<8x4xf32, affine_map<(d0, d1) -> (d0 + d1 * 8)>>'}}
  memref.transpose %m (i, j) -> (j, i) : memref<4x8xf32> to memref<8x4xf32>
  return
}

// -----

func.func @dim_of_scalar(%m: memref<f32>, %i: index) {
  // expected-error @+1 {{'memref.dim' op operand #0 must be unranked.memref of any type values or non-0-ranked.memref of any type values, but got 'memref<f32>'}}
  memref.dim %m, %i : memref<f32>
  return
}

// -----

func.func @get_global_unknown() {
  // expected-error @+1 {{'memref.get_global' op 'nothing' does not reference a valid global memref}}
  memref.get_global @nothing : memref<4xf32>
  return
}

// -----

memref.global @g : memref<4xf32>
func.func @get_global_type() {
  // expected-error @+1 {{'memref.get_global' op result type 'memref<5xf32>' does not match type 'memref<4xf32>' of the global memref @g}}
  memref.get_global @g : memref<5xf32>
  return
}

// -----

// expected-error @+1 {{custom op 'memref.global' type should be static shaped memref, but got 'memref<?xf32>'}}
memref.global @dynamic : memref<?xf32>

// -----

// expected-error @+1 {{'memref.global' op initial value expected to be of type 'tensor<2xf32>', but was of type 'tensor<3xf32>'}}
"memref.global"() <{sym_name = "shape", type = memref<2xf32>, initial_value = dense<1.0> : tensor<3xf32>}> : () -> ()

// -----

// expected-error @+1 {{'memref.global' op initial value should be a unit or elements attribute, but got 1 : i32}}
"memref.global"() <{sym_name = "number", type = memref<2xf32>, initial_value = 1 : i32}> : () -> ()

// -----

// expected-error @+1 {{'memref.global' op visibility expected to be one of ["public", "private", "nested"], but got "hidden"}}
memref.global "hidden" @visibility : memref<2xf32>

// -----

// expected-error @+1 {{alignment attribute value 12 is not a power of 2}}
memref.global @alignment : memref<2xf32> {alignment = 12 : i64}

// -----

func.func @dma_source(%i: index) {
  // expected-error @+1 {{'memref.dma_start' op expected source to be of memref type}}
  "memref.dma_start"(%i, %i, %i, %i) : (index, index, index, index) -> ()
  return
}

// -----

func.func @dma_strides(%m: memref<f32>, %i: index) {
  // expected-error @+1 {{custom op 'memref.dma_start' expected two stride related operands}}
  memref.dma_start %m[], %m[], %i, %m[], %i : memref<f32>, memref<f32>, memref<f32>
  return
}

// -----

func.func @dma_tag(%m: memref<4xi32>, %i: index) {
  // expected-error @+1 {{'memref.dma_wait' op expected tagIndices to have the same number of elements as the tagMemRef rank, expected 1, but got 2}}
  memref.dma_wait %m[%i, %i], %i : memref<4xi32>
  return
}
