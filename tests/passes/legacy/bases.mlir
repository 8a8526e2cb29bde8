// A copy of a view has no elements in front of it.
// RUN: freehold opt %s --buffer-deallocation --split-input-file --verify-diagnostics > /dev/null

func.func private @coin() -> i1

func.func @in_front() -> f32 {
  %c = call @coin() : () -> i1
  %v = scf.if %c -> (memref<2xf32, strided<[2], offset: 1>>) {
    %a = memref.alloc() : memref<5xf32>
    %s = memref.subview %a[1] [2] [2] : memref<5xf32> to memref<2xf32, strided<[2], offset: 1>>
    // expected-note @+1 {{copied here}}
    scf.yield %s : memref<2xf32, strided<[2], offset: 1>>
  } else {
    %b = memref.alloc() : memref<5xf32>
    %s = memref.subview %b[1] [2] [2] : memref<5xf32> to memref<2xf32, strided<[2], offset: 1>>
    scf.yield %s : memref<2xf32, strided<[2], offset: 1>>
  }
  %base, %offset, %size, %stride = memref.extract_strided_metadata %v : memref<2xf32, strided<[2], offset: 1>> -> memref<f32>, index, index, index
  // expected-error @+1 {{'memref.load' op accesses an element in front of a view that has to be copied}}
  %x = memref.load %base[] : memref<f32>
  return %x : f32
}

// -----

func.func private @coin() -> i1

func.func @first() -> f32 {
  %c = call @coin() : () -> i1
  %v = scf.if %c -> (memref<2xf32, strided<[2]>>) {
    %a = memref.alloc() : memref<5xf32>
    %s = memref.subview %a[0] [2] [2] : memref<5xf32> to memref<2xf32, strided<[2]>>
    scf.yield %s : memref<2xf32, strided<[2]>>
  } else {
    %b = memref.alloc() : memref<5xf32>
    %s = memref.subview %b[0] [2] [2] : memref<5xf32> to memref<2xf32, strided<[2]>>
    scf.yield %s : memref<2xf32, strided<[2]>>
  }
  %base, %offset, %size, %stride = memref.extract_strided_metadata %v : memref<2xf32, strided<[2]>> -> memref<f32>, index, index, index
  %x = memref.load %base[] : memref<f32>
  return %x : f32
}
