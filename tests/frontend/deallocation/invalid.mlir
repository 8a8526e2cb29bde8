// RUN: freehold opt %s --split-input-file --verify-diagnostics

func.func @own_number(%x: index) {
  // expected-error @+1 {{invalid kind of type specified}}
  %0 = deallocation.own %x : index
  return
}

// -----

func.func @buffer_of_tensor(%m: tensor<2xf32>) {
  // expected-error @+1 {{'deallocation.get_buffer' op operand #0 must be ranked or unranked memref of any type values or ownership indicator, but got 'tensor<2xf32>'}}
  %0 = deallocation.get_buffer %m : tensor<2xf32>
  return
}

// -----

func.func @from_buffer_of_bits(%x: i64) {
  // expected-error @+1 {{'deallocation.from_buffer' op operand #0 must be index, but got 'i64'}}
  %0 = deallocation.from_buffer %x : i64
  return
}

// -----

func.func @retain_number(%m: memref<4xf32>, %x: index) {
  // expected-error @+1 {{'deallocation.retain' op operand #1 must be variadic of ownership indicator, but got 'index'}}
  deallocation.retain(%m) of(%x) : (memref<4xf32>, index) -> ()
  return
}
