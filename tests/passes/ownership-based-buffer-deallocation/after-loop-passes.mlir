// RUN: freehold opt %s --vectorize-loops --ownership-based-buffer-deallocation --verify-ownership --verify-diagnostics | FileCheck %s
// RUN: freehold opt %s --vectorize-loops --buffer-deallocation --verify-ownership --verify-diagnostics | FileCheck %s --check-prefix=COPY
// RUN: freehold opt %s --vectorize-loops --hlo-deallocation-pipeline --verify-diagnostics
// RUN: freehold opt %s --convert-linalg-to-library-calls=min-products=1 --ownership-based-buffer-deallocation --verify-ownership --verify-diagnostics | FileCheck %s --check-prefix=CALL
// RUN: freehold opt %s --convert-linalg-to-library-calls=min-products=1 --buffer-deallocation --verify-ownership --verify-diagnostics
// RUN: freehold opt %s --convert-linalg-to-library-calls=min-products=1 --hlo-deallocation-pipeline --verify-diagnostics
// RUN: freehold opt %s --convert-loops-to-library-calls --ownership-based-buffer-deallocation --verify-ownership --verify-diagnostics
// RUN: freehold opt %s --fuse-loops --unroll-and-jam-loops --vectorize-loops --hoist-loop-loads --ownership-based-buffer-deallocation --verify-ownership --verify-diagnostics
// RUN: freehold opt %s --outline-parallel-loops --vectorize-loops --buffer-deallocation-pipeline --verify-ownership --verify-diagnostics

// Passes on loops compare addresses, and call functions with them. Buffers are freed behind that as if
// they were not there.

func.func private @make() -> memref<?xf32>
func.func private @other()

// CHECK-LABEL: func.func @apart
// CHECK:         memref.extract_aligned_pointer_as_index
// CHECK:         vector.load
// CHECK:         bufferization.dealloc
// CHECK:         call @other
// COPY-LABEL:  func.func @apart
// COPY:          memref.dealloc
// COPY:          call @other
func.func @apart(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = call @make() : () -> memref<?xf32>
  %b = call @make() : () -> memref<?xf32>
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<?xf32>
    %y = arith.addf %x, %x : f32
    memref.store %y, %b[%i] : memref<?xf32>
  }
  call @other() : () -> ()
  return
}

// CALL-LABEL: func.func @product
// CALL:         call @freehold_contract_f32
// CALL:         bufferization.dealloc
// CALL:         call @other
func.func @product(%a: memref<8x8xf32>) {
  %z = arith.constant 0.0 : f32
  %b = memref.alloc() : memref<8x8xf32>
  linalg.fill ins(%z : f32) outs(%b : memref<8x8xf32>)
  linalg.matmul ins(%a, %a : memref<8x8xf32>, memref<8x8xf32>) outs(%b : memref<8x8xf32>)
  call @other() : () -> ()
  return
}

func.func @total(%n: index, %a: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k = arith.constant 3.0 : f32
  %b = memref.alloc(%n) : memref<?xf32>
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<?xf32>
    memref.store %x, %b[%i] : memref<?xf32>
  }
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %b[%i] : memref<?xf32>
    %y = memref.load %a[%i] : memref<?xf32>
    %t = arith.mulf %x, %k : f32
    %s = arith.addf %y, %t : f32
    memref.store %s, %a[%i] : memref<?xf32>
  }
  call @other() : () -> ()
  return
}
