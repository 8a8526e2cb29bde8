// Iterations put a slice of one output, as it was before, into another one, behind what changes it: also changed by an
// operation, and under the name of a view.
//
// RUN: freehold run %s | FileCheck %s
// RUN: freehold run %s -O0 | FileCheck %s
// RUN: freehold run %s --dealloc=hlo | FileCheck %s
// RUN: freehold interpret %s | FileCheck %s

// CHECK:      ( 1, 1, 1, 1 )
// CHECK-NEXT: ( 1, 1, 1, 1 )
// CHECK-NEXT: ( 5, 5, 5, 5 )
// CHECK-NEXT: ( 1, 1, 1, 1 )
func.func @main() {
  %a = call @put() : () -> tensor<4xi32>
  %b = call @put_view() : () -> tensor<4xi32>
  %c:2 = call @put_changed() : () -> (tensor<4xi32>, tensor<4xi32>)
  call @print(%a) : (tensor<4xi32>) -> ()
  call @print(%b) : (tensor<4xi32>) -> ()
  call @print(%c#0) : (tensor<4xi32>) -> ()
  call @print(%c#1) : (tensor<4xi32>) -> ()
  return
}

func.func @print(%t: tensor<4xi32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  %v = vector.transfer_read %t[%c0], %zero {in_bounds = [true]} : tensor<4xi32>, vector<4xi32>
  vector.print %v : vector<4xi32>
  return
}

func.func @put() -> tensor<4xi32> {
  %one = arith.constant dense<1> : tensor<4xi32>
  %zero = arith.constant dense<0> : tensor<4xi32>
  %r:2 = scf.forall (%i) in (4) shared_outs(%x = %one, %y = %zero) -> (tensor<4xi32>, tensor<4xi32>) {
    %s = tensor.extract_slice %x[%i] [1] [1] : tensor<4xi32> to tensor<1xi32>
    %z = arith.constant dense<7> : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %z into %x[%i] [1] [1] : tensor<1xi32> into tensor<4xi32>
      tensor.parallel_insert_slice %s into %y[%i] [1] [1] : tensor<1xi32> into tensor<4xi32>
    }
  }
  return %r#1 : tensor<4xi32>
}

func.func @put_view() -> tensor<4xi32> {
  %one = arith.constant dense<1> : tensor<4xi32>
  %zero = arith.constant dense<0> : tensor<4xi32>
  %r:2 = scf.forall (%i) in (4) shared_outs(%x = %one, %y = %zero) -> (tensor<4xi32>, tensor<4xi32>) {
    %s = tensor.extract_slice %x[%i] [1] [1] : tensor<4xi32> to tensor<1xi32>
    %e = tensor.expand_shape %s [[0, 1]] output_shape [1, 1] : tensor<1xi32> into tensor<1x1xi32>
    %v = tensor.collapse_shape %e [[0, 1]] : tensor<1x1xi32> into tensor<1xi32>
    %z = arith.constant dense<7> : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %z into %x[%i] [1] [1] : tensor<1xi32> into tensor<4xi32>
      tensor.parallel_insert_slice %v into %y[%i] [1] [1] : tensor<1xi32> into tensor<4xi32>
    }
  }
  return %r#1 : tensor<4xi32>
}

func.func @put_changed() -> (tensor<4xi32>, tensor<4xi32>) {
  %one = arith.constant dense<1> : tensor<4xi32>
  %zero = arith.constant dense<0> : tensor<4xi32>
  %four = arith.constant 4 : i32
  %r:2 = scf.forall (%i) in (4) shared_outs(%x = %one, %y = %zero) -> (tensor<4xi32>, tensor<4xi32>) {
    %s = tensor.extract_slice %x[%i] [1] [1] : tensor<4xi32> to tensor<1xi32>
    %c = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%s : tensor<1xi32>) {
    ^bb0(%o: i32):
      %n = arith.addi %o, %four : i32
      linalg.yield %n : i32
    } -> tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %c into %x[%i] [1] [1] : tensor<1xi32> into tensor<4xi32>
      tensor.parallel_insert_slice %s into %y[%i] [1] [1] : tensor<1xi32> into tensor<4xi32>
    }
  }
  return %r#0, %r#1 : tensor<4xi32>, tensor<4xi32>
}
