// Shapes, element types and bodies that do not fit.

// RUN: freehold opt %s --split-input-file --verify-diagnostics

func.func @g1(%s: memref<10x16x3xf32>, %i: memref<4x5x2xi64>, %o: memref<4x5x3xf32>) {
  // expected-error @+1 {{'iree_linalg_ext.gather' op dimension map is invalid: it must be a permutation of the first dimensions of the source value}}
  iree_linalg_ext.gather dimension_map = [1, 2] ins(%s, %i : memref<10x16x3xf32>, memref<4x5x2xi64>) outs(%o : memref<4x5x3xf32>)
  return
}

// -----

func.func @g2(%s: memref<10x16xf32>, %i: memref<4xi64>, %o: memref<4x10xf32>) {
  // expected-error @+1 {{'iree_linalg_ext.gather' op dimension map is invalid: it must be a permutation of the first dimensions of the source value}}
  iree_linalg_ext.gather dimension_map = [1] ins(%s, %i : memref<10x16xf32>, memref<4xi64>) outs(%o : memref<4x10xf32>)
  return
}

// -----

func.func @g3(%s: memref<10x16xf32>, %i: memref<4x1xi64>, %o: memref<4x10xf32>) {
  // expected-error @+1 {{'iree_linalg_ext.gather' op shape of output value dim#1 must match source value at dim#1}}
  iree_linalg_ext.gather dimension_map = [0] ins(%s, %i : memref<10x16xf32>, memref<4x1xi64>) outs(%o : memref<4x10xf32>)
  return
}

// -----

func.func @g4(%s: memref<10x16xf32>, %i: memref<4x1xf32>, %o: memref<4x16xf32>) {
  // expected-error @+1 {{'iree_linalg_ext.gather' op expected indices to be of rank 1 or greater and of integer or index element type}}
  iree_linalg_ext.gather dimension_map = [0] ins(%s, %i : memref<10x16xf32>, memref<4x1xf32>) outs(%o : memref<4x16xf32>)
  return
}

// -----

func.func @g5(%s: memref<10x16xf32>, %i: memref<4x1xi32>, %o: memref<4x16xi32>) {
  // expected-error @+1 {{'iree_linalg_ext.gather' op expected source/output element types to be identical}}
  iree_linalg_ext.gather dimension_map = [0] ins(%s, %i : memref<10x16xf32>, memref<4x1xi32>) outs(%o : memref<4x16xi32>)
  return
}

// -----

func.func @g6(%s: memref<10x16xf32>, %i: memref<5x1xi32>, %o: memref<4x16xf32>) {
  // expected-error @+1 {{'iree_linalg_ext.gather' op mismatch in shape of indices and output value at dim#0}}
  iree_linalg_ext.gather dimension_map = [0] ins(%s, %i : memref<10x16xf32>, memref<5x1xi32>) outs(%o : memref<4x16xf32>)
  return
}

// -----

func.func @g7(%s: memref<10x16xf32>, %i: memref<4x2xi32>, %o: memref<4x16xf32>) {
  // expected-error @+1 {{'iree_linalg_ext.gather' op expected as many coordinates per position as the dimension map has: 1}}
  iree_linalg_ext.gather dimension_map = [0] ins(%s, %i : memref<10x16xf32>, memref<4x2xi32>) outs(%o : memref<4x16xf32>)
  return
}

// -----

func.func @g8(%s: memref<10x16xf32>, %i: memref<4x2xi32>, %o: memref<4x16xf32>) {
  // expected-error @+1 {{'iree_linalg_ext.gather' op dimension map is invalid: it must be a permutation of the first dimensions of the source value}}
  iree_linalg_ext.gather dimension_map = [0, 0] ins(%s, %i : memref<10x16xf32>, memref<4x2xi32>) outs(%o : memref<4x16xf32>)
  return
}

// -----

func.func @g9(%s: memref<10x16xf32>, %i: memref<4x?xi32>, %o: memref<4x16xf32>) {
  // expected-error @+1 {{'iree_linalg_ext.gather' op expected as many coordinates per position as the dimension map has: 1}}
  iree_linalg_ext.gather dimension_map = [0] ins(%s, %i : memref<10x16xf32>, memref<4x?xi32>) outs(%o : memref<4x16xf32>)
  return
}

// -----

func.func @g11(%s: memref<10x16xf32>, %i: memref<i32>, %o: memref<16xf32>) {
  // expected-error @+1 {{'iree_linalg_ext.gather' op expected indices to be of rank 1 or greater and of integer or index element type}}
  iree_linalg_ext.gather dimension_map = [0] ins(%s, %i : memref<10x16xf32>, memref<i32>) outs(%o : memref<16xf32>)
  return
}

// -----

func.func @s1(%s: memref<4x3xf32>, %i: memref<4x2xi32>, %o: memref<8x16x3xf32>) {
  // expected-error @+1 {{'iree_linalg_ext.scatter' op dimension map is invalid: it must be a permutation of the first dimensions of the original value}}
  iree_linalg_ext.scatter dimension_map = [2, 0] unique_indices(true) ins(%s, %i : memref<4x3xf32>, memref<4x2xi32>) outs(%o : memref<8x16x3xf32>) {
  ^bb0(%a: f32, %b: f32):
    iree_linalg_ext.yield %a : f32
  }
  return
}

// -----

func.func @s2(%s: memref<4x5xf32>, %i: memref<4x1xi32>, %o: memref<8x3xf32>) {
  // expected-error @+1 {{'iree_linalg_ext.scatter' op shape of update value dim#1 must match original value at dim#1}}
  iree_linalg_ext.scatter dimension_map = [0] unique_indices(true) ins(%s, %i : memref<4x5xf32>, memref<4x1xi32>) outs(%o : memref<8x3xf32>) {
  ^bb0(%a: f32, %b: f32):
    iree_linalg_ext.yield %a : f32
  }
  return
}

// -----

func.func @s3(%s: memref<4x3xf32>, %i: memref<4x1xi32>, %o: memref<8x3xf32>) {
  // expected-error @+1 {{'iree_linalg_ext.scatter' op region block should have 2 arguments, but got 1}}
  iree_linalg_ext.scatter dimension_map = [0] unique_indices(true) ins(%s, %i : memref<4x3xf32>, memref<4x1xi32>) outs(%o : memref<8x3xf32>) {
  ^bb0(%a: f32):
    iree_linalg_ext.yield %a : f32
  }
  return
}

// -----

func.func @s4(%s: memref<4x3xf32>, %i: memref<4x1xi32>, %o: memref<8x3xf32>) {
  // expected-error @+1 {{'iree_linalg_ext.scatter' op region block argument #1 should be of type 'f32' but got 'f64'}}
  iree_linalg_ext.scatter dimension_map = [0] unique_indices(true) ins(%s, %i : memref<4x3xf32>, memref<4x1xi32>) outs(%o : memref<8x3xf32>) {
  ^bb0(%a: f32, %b: f64):
    iree_linalg_ext.yield %a : f32
  }
  return
}

// -----

func.func @s5(%s: memref<4x3xf32>, %i: memref<4x1xi32>, %o: memref<8x3xf32>) {
  // expected-error @+1 {{'iree_linalg_ext.scatter' op should yield a value of type 'f32' but yields 'i32'}}
  iree_linalg_ext.scatter dimension_map = [0] unique_indices(true) ins(%s, %i : memref<4x3xf32>, memref<4x1xi32>) outs(%o : memref<8x3xf32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.constant 1 : i32
    iree_linalg_ext.yield %c : i32
  }
  return
}

// -----

func.func @s6(%s: memref<4x2xf32>, %i: memref<4x1xi32>, %o: memref<8x3xf32>) {
  // expected-error @+1 {{'iree_linalg_ext.scatter' op shape of update value dim#1 must match original value at dim#1}}
  iree_linalg_ext.scatter dimension_map = [0] unique_indices(true) ins(%s, %i : memref<4x2xf32>, memref<4x1xi32>) outs(%o : memref<8x3xf32>) {
  ^bb0(%a: f32, %b: f32):
    iree_linalg_ext.yield %a : f32
  }
  return
}

// -----

func.func @s7(%s: memref<4x3xi32>, %i: memref<4x1xi32>, %o: memref<8x3xf32>) {
  // expected-error @+1 {{'iree_linalg_ext.scatter' op region block argument #0 should be of type 'i32' but got 'f32'}}
  iree_linalg_ext.scatter dimension_map = [0] unique_indices(true) ins(%s, %i : memref<4x3xi32>, memref<4x1xi32>) outs(%o : memref<8x3xf32>) {
  ^bb0(%a: f32, %b: f32):
    iree_linalg_ext.yield %a : f32
  }
  return
}

// -----

func.func @s8(%s: memref<4x3xf32>, %i: memref<4x2xi32>, %o: memref<8x3xf32>) {
  // expected-error @+1 {{'iree_linalg_ext.scatter' op expected as many coordinates per position as the dimension map has: 1}}
  iree_linalg_ext.scatter dimension_map = [0] unique_indices(true) ins(%s, %i : memref<4x3xf32>, memref<4x2xi32>) outs(%o : memref<8x3xf32>) {
  ^bb0(%a: f32, %b: f32):
    iree_linalg_ext.yield %a : f32
  }
  return
}

// -----

func.func @s9(%s: memref<5x3xf32>, %i: memref<4x1xi32>, %o: memref<8x3xf32>) {
  // expected-error @+1 {{'iree_linalg_ext.scatter' op mismatch in shape of indices and update value at dim#0}}
  iree_linalg_ext.scatter dimension_map = [0] unique_indices(true) ins(%s, %i : memref<5x3xf32>, memref<4x1xi32>) outs(%o : memref<8x3xf32>) {
  ^bb0(%a: f32, %b: f32):
    iree_linalg_ext.yield %a : f32
  }
  return
}

// -----

func.func @o1(%x: memref<2x10xf32>) {
  // expected-error @+1 {{'iree_linalg_ext.sort' op dimension must be within [0, 2)}}
  iree_linalg_ext.sort dimension(2) outs(%x : memref<2x10xf32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.cmpf ogt, %a, %b : f32
    iree_linalg_ext.yield %c : i1
  }
  return
}

// -----

func.func @o2(%x: memref<2x10xf32>, %y: memref<2x9xf32>) {
  // expected-error @+1 {{'iree_linalg_ext.sort' op expected operand 1 to have same shape as other operands}}
  iree_linalg_ext.sort dimension(1) outs(%x, %y : memref<2x10xf32>, memref<2x9xf32>) {
  ^bb0(%a: f32, %b: f32, %aa: f32, %bb: f32):
    %c = arith.cmpf ogt, %a, %b : f32
    iree_linalg_ext.yield %c : i1
  }
  return
}

// -----

func.func @o3(%x: memref<2x10xf32>) {
  // expected-error @+1 {{'iree_linalg_ext.sort' op region block argument #1 should be of type 'f32' but got 'f64'}}
  iree_linalg_ext.sort dimension(1) outs(%x : memref<2x10xf32>) {
  ^bb0(%a: f32, %b: f64):
    %c = arith.cmpf ogt, %a, %a : f32
    iree_linalg_ext.yield %c : i1
  }
  return
}

// -----

func.func @o4(%x: memref<2x10xf32>) {
  // expected-error @+1 {{'iree_linalg_ext.sort' op region block should have 2 arguments, but got 1}}
  iree_linalg_ext.sort dimension(1) outs(%x : memref<2x10xf32>) {
  ^bb0(%a: f32):
    %c = arith.cmpf ogt, %a, %a : f32
    iree_linalg_ext.yield %c : i1
  }
  return
}

// -----

func.func @o5(%x: memref<2x10xf32>) {
  // expected-error @+1 {{'iree_linalg_ext.sort' op should yield a value of type 'i1' but yields 'f32'}}
  iree_linalg_ext.sort dimension(1) outs(%x : memref<2x10xf32>) {
  ^bb0(%a: f32, %b: f32):
    iree_linalg_ext.yield %a : f32
  }
  return
}

// -----

func.func @o6(%x: memref<2x10xf32>) {
  // expected-error @+1 {{'iree_linalg_ext.sort' op should yield exactly one value but yields 0}}
  iree_linalg_ext.sort dimension(1) outs(%x : memref<2x10xf32>) {
  ^bb0(%a: f32, %b: f32):
    iree_linalg_ext.yield
  }
  return
}

// -----

func.func @o7(%x: memref<2x10xf32>, %y: memref<10xf32>) {
  // expected-error @+1 {{'iree_linalg_ext.sort' op expected operand 1 to be rank 2, same as other operands}}
  iree_linalg_ext.sort dimension(0) outs(%x, %y : memref<2x10xf32>, memref<10xf32>) {
  ^bb0(%a: f32, %b: f32, %aa: f32, %bb: f32):
    %c = arith.cmpf ogt, %a, %b : f32
    iree_linalg_ext.yield %c : i1
  }
  return
}

// -----

func.func @k1(%x: memref<2x10xf32>, %v: memref<2x3xf32>, %i: memref<2x3xf32>) {
  // expected-error @+1 {{'iree_linalg_ext.topk' op output index must have integer or index element type, but got 'f32'}}
  iree_linalg_ext.topk dimension(1) ins(%x : memref<2x10xf32>) outs(%v, %i : memref<2x3xf32>, memref<2x3xf32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.cmpf ogt, %a, %b : f32
    iree_linalg_ext.yield %c : i1
  }
  return
}

// -----

func.func @k2(%x: memref<2x10xf32>, %v: memref<2x3xf32>, %i: memref<2x4xi32>) {
  // expected-error @+1 {{'iree_linalg_ext.topk' op output indices/values shape must match}}
  iree_linalg_ext.topk dimension(1) ins(%x : memref<2x10xf32>) outs(%v, %i : memref<2x3xf32>, memref<2x4xi32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.cmpf ogt, %a, %b : f32
    iree_linalg_ext.yield %c : i1
  }
  return
}

// -----

func.func @k3(%x: memref<2x10xf32>, %v: memref<3x3xf32>, %i: memref<3x3xi32>) {
  // expected-error @+1 {{'iree_linalg_ext.topk' op incompatible input/output shapes}}
  iree_linalg_ext.topk dimension(1) ins(%x : memref<2x10xf32>) outs(%v, %i : memref<3x3xf32>, memref<3x3xi32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.cmpf ogt, %a, %b : f32
    iree_linalg_ext.yield %c : i1
  }
  return
}

// -----

func.func @k4(%x: memref<2x10xf32>, %v: memref<2x3xf32>, %i: memref<2x3xi32>) {
  // expected-error @+1 {{'iree_linalg_ext.topk' op dimension must be within [0, 2)}}
  iree_linalg_ext.topk dimension(2) ins(%x : memref<2x10xf32>) outs(%v, %i : memref<2x3xf32>, memref<2x3xi32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.cmpf ogt, %a, %b : f32
    iree_linalg_ext.yield %c : i1
  }
  return
}

// -----

func.func @k5(%x: memref<2x10xf32>, %v: memref<2x3xf64>, %i: memref<2x3xi32>) {
  // expected-error @+1 {{'iree_linalg_ext.topk' op expected input/output value types to be identical}}
  iree_linalg_ext.topk dimension(1) ins(%x : memref<2x10xf32>) outs(%v, %i : memref<2x3xf64>, memref<2x3xi32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.cmpf ogt, %a, %b : f32
    iree_linalg_ext.yield %c : i1
  }
  return
}

// -----

func.func @k6(%x: memref<2x10xf32>, %v: memref<2x3xf32>, %i: memref<2x3xi32>) {
  // expected-error @+1 {{'iree_linalg_ext.topk' op region block should have 2 arguments, but got 1}}
  iree_linalg_ext.topk dimension(1) ins(%x : memref<2x10xf32>) outs(%v, %i : memref<2x3xf32>, memref<2x3xi32>) {
  ^bb0(%a: f32):
    %c = arith.cmpf ogt, %a, %a : f32
    iree_linalg_ext.yield %c : i1
  }
  return
}

// -----

func.func @k7(%x: memref<2x10xf32>, %v: memref<2x3xf32>, %i: memref<2x3xi32>) {
  // expected-error @+1 {{'iree_linalg_ext.topk' op should yield a value of type 'i1' but yields 'f32'}}
  iree_linalg_ext.topk dimension(1) ins(%x : memref<2x10xf32>) outs(%v, %i : memref<2x3xf32>, memref<2x3xi32>) {
  ^bb0(%a: f32, %b: f32):
    iree_linalg_ext.yield %a : f32
  }
  return
}

// -----

func.func @k8(%x: memref<2x10xf32>, %v: memref<2x3xf32>) {
  // expected-error @+1 {{custom op 'iree_linalg_ext.topk' expected 2 operands in 'outs', but got 1}}
  iree_linalg_ext.topk dimension(1) ins(%x : memref<2x10xf32>) outs(%v : memref<2x3xf32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.cmpf ogt, %a, %a : f32
    iree_linalg_ext.yield %c : i1
  }
  return
}

// -----

func.func @c1(%x: memref<4x5xf32>, %o: memref<4x5xf32>, %acc: memref<4xf32>) {
  // expected-error @+1 {{'iree_linalg_ext.scan' op incompatible input/accumulator shapes}}
  iree_linalg_ext.scan dimension(0) inclusive(false) ins(%x : memref<4x5xf32>) outs(%o, %acc : memref<4x5xf32>, memref<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    iree_linalg_ext.yield %a : f32
  }
  return
}

// -----

func.func @c2(%x: memref<4x5xf32>, %o: memref<4x6xf32>, %acc: memref<5xf32>) {
  // expected-error @+1 {{'iree_linalg_ext.scan' op incompatible input/output shapes}}
  iree_linalg_ext.scan dimension(0) inclusive(false) ins(%x : memref<4x5xf32>) outs(%o, %acc : memref<4x6xf32>, memref<5xf32>) {
  ^bb0(%a: f32, %b: f32):
    iree_linalg_ext.yield %a : f32
  }
  return
}

// -----

func.func @c3(%x: memref<4x5xf32>, %o: memref<4x5xf32>, %acc: memref<5xf64>) {
  // expected-error @+1 {{'iree_linalg_ext.scan' op expected input/accumulator element types to be identical}}
  iree_linalg_ext.scan dimension(0) inclusive(false) ins(%x : memref<4x5xf32>) outs(%o, %acc : memref<4x5xf32>, memref<5xf64>) {
  ^bb0(%a: f32, %b: f32):
    iree_linalg_ext.yield %a : f32
  }
  return
}

// -----

func.func @c4(%x: memref<4x5xf32>, %o: memref<4x5xf32>, %acc: memref<5xf32>) {
  // expected-error @+1 {{'iree_linalg_ext.scan' op dimension must be within [0, 2)}}
  iree_linalg_ext.scan dimension(3) inclusive(false) ins(%x : memref<4x5xf32>) outs(%o, %acc : memref<4x5xf32>, memref<5xf32>) {
  ^bb0(%a: f32):
    iree_linalg_ext.yield %a : f32
  }
  return
}

// -----

func.func @f1(%r: memref<2x6xf32>, %m: memref<2x6xf32>) {
  %c = arith.constant 1 : index
  // expected-error @+1 {{'iree_linalg_ext.fft' op only powers of 2 are handled currently}}
  iree_linalg_ext.fft ins(%c : index) outs(%r, %m : memref<2x6xf32>, memref<2x6xf32>)
  return
}

// -----

func.func @f2(%r: memref<2x8xf32>, %m: memref<2x8xf32>) {
  %c = arith.constant 1 : index
  // expected-error @+1 {{'iree_linalg_ext.fft' op expected to carry real and imag coeff inputs}}
  iree_linalg_ext.fft ins(%c, %r : index, memref<2x8xf32>) outs(%r, %m : memref<2x8xf32>, memref<2x8xf32>)
  return
}

// -----

func.func @f3(%r: memref<2x8xf32>, %m: memref<2x4xf32>) {
  %c = arith.constant 1 : index
  // expected-error @+1 {{'iree_linalg_ext.fft' op expected real and imag outputs to have the same shape and type}}
  iree_linalg_ext.fft ins(%c : index) outs(%r, %m : memref<2x8xf32>, memref<2x4xf32>)
  return
}

// -----

func.func @f4(%r: memref<2x8xf32>) {
  %c = arith.constant 1 : index
  // expected-error @+1 {{custom op 'iree_linalg_ext.fft' expected 2 operands in 'outs', but got 1}}
  iree_linalg_ext.fft ins(%c : index) outs(%r : memref<2x8xf32>)
  return
}

// -----

func.func @a1(%x: memref<2x10xf32>, %v: memref<3xf32>, %i: memref<2xi64>) {
  // expected-error @+1 {{'iree_linalg_ext.arg_compare' op output indices/values shape must match}}
  iree_linalg_ext.arg_compare dimension(1) ins(%x : memref<2x10xf32>) outs(%v, %i : memref<3xf32>, memref<2xi64>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.cmpf ogt, %a, %b : f32
    iree_linalg_ext.yield %c : i1
  }
  return
}

// -----

func.func @a2(%x: memref<2x10xf32>, %v: memref<2xf32>, %i: memref<2xf32>) {
  // expected-error @+1 {{'iree_linalg_ext.arg_compare' op output index must have integer or index element type, but got 'f32'}}
  iree_linalg_ext.arg_compare dimension(1) ins(%x : memref<2x10xf32>) outs(%v, %i : memref<2xf32>, memref<2xf32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.cmpf ogt, %a, %b : f32
    iree_linalg_ext.yield %c : i1
  }
  return
}

// -----

func.func @a3(%x: memref<2x10xf32>, %v: memref<2xf64>, %i: memref<2xi32>) {
  // expected-error @+1 {{'iree_linalg_ext.arg_compare' op input and output value element types must match. Input type: 'f32', output value type: 'f64'}}
  iree_linalg_ext.arg_compare dimension(1) ins(%x : memref<2x10xf32>) outs(%v, %i : memref<2xf64>, memref<2xi32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.cmpf ogt, %a, %b : f32
    iree_linalg_ext.yield %c : i1
  }
  return
}

// -----

func.func @a4(%x: memref<2x10xf32>, %v: memref<2xf32>, %i: memref<2xi32>) {
  // expected-error @+1 {{'iree_linalg_ext.arg_compare' op dimension must be within [0, 2)}}
  iree_linalg_ext.arg_compare dimension(2) ins(%x : memref<2x10xf32>) outs(%v, %i : memref<2xf32>, memref<2xi32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.cmpf ogt, %a, %b : f32
    iree_linalg_ext.yield %c : i1
  }
  return
}

// -----

func.func @a5(%x: memref<2x10xf32>, %v: memref<2xf32>, %i: memref<2xi32>) {
  // expected-error @+1 {{'iree_linalg_ext.arg_compare' op region block should have 2 arguments, but got 1}}
  iree_linalg_ext.arg_compare dimension(1) ins(%x : memref<2x10xf32>) outs(%v, %i : memref<2xf32>, memref<2xi32>) {
  ^bb0(%a: f32):
    %c = arith.cmpf ogt, %a, %a : f32
    iree_linalg_ext.yield %c : i1
  }
  return
}

// -----

func.func @a6(%x: memref<2x10xf32>, %ii: memref<2x9xi32>, %v: memref<2xf32>, %i: memref<2xi32>) {
  // expected-error @+1 {{'iree_linalg_ext.arg_compare' op input indices/values shape must match}}
  iree_linalg_ext.arg_compare dimension(1) ins(%x, %ii : memref<2x10xf32>, memref<2x9xi32>) outs(%v, %i : memref<2xf32>, memref<2xi32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.cmpf ogt, %a, %a : f32
    iree_linalg_ext.yield %c : i1
  }
  return
}

// -----

func.func @a7(%x: memref<2x10xf32>, %ii: memref<2x10xi32>, %v: memref<2xf32>, %i: memref<2xi64>) {
  // expected-error @+1 {{'iree_linalg_ext.arg_compare' op input and output index element types must match. Input index type: 'i32', output index type: 'i64'}}
  iree_linalg_ext.arg_compare dimension(1) ins(%x, %ii : memref<2x10xf32>, memref<2x10xi32>) outs(%v, %i : memref<2xf32>, memref<2xi64>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.cmpf ogt, %a, %a : f32
    iree_linalg_ext.yield %c : i1
  }
  return
}

// -----

func.func @reverse(%a: memref<3x5xi32>, %o: memref<3x5xi32>) {
  // expected-error @+1 {{'iree_linalg_ext.reverse' op expected dimensions numbers are all unique}}
  iree_linalg_ext.reverse dimensions(dense<1> : tensor<2xi64>) ins(%a : memref<3x5xi32>) outs(%o : memref<3x5xi32>)
  return
}

// -----

func.func @reverse_many(%a: memref<3x5xi32>, %o: memref<3x5xi32>) {
  // expected-error @+1 {{'iree_linalg_ext.reverse' op expected dimensions to be 64-bit integers, one for each at most}}
  iree_linalg_ext.reverse dimensions(dense<1> : tensor<1000000000000xi64>) ins(%a : memref<3x5xi32>) outs(%o : memref<3x5xi32>)
  return
}

// -----

func.func @mixed(%a: tensor<4x5xf32>, %o: memref<4x5xf32>, %acc: memref<5xf32>) {
  // expected-error @+1 {{'iree_linalg_ext.scan' op expected all operands to be tensors or all to be buffers}}
  iree_linalg_ext.scan dimension(0) inclusive(false) ins(%a : tensor<4x5xf32>) outs(%o, %acc : memref<4x5xf32>, memref<5xf32>) {
  ^bb0(%x: f32, %y: f32):
    iree_linalg_ext.yield %x : f32
  }
  return
}

// -----

func.func @no_results(%a: tensor<4xf32>) {
  // expected-error @+1 {{'iree_linalg_ext.sort' op expected the number of results (0) to be equal to the number of output tensors (1)}}
  iree_linalg_ext.sort dimension(0) outs(%a : tensor<4xf32>) {
  ^bb0(%x: f32, %y: f32):
    %c = arith.cmpf ogt, %x, %y : f32
    iree_linalg_ext.yield %c : i1
  }
  return
}
