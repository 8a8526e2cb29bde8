// RUN: freehold opt %s --buffer-results-to-out-params --split-input-file --verify-diagnostics

// expected-error @+1 {{cannot create out param for result with unsupported layout}}
func.func @layout(%m: memref<4xf32, strided<[2], offset: 1>>) -> memref<4xf32, strided<[2], offset: 1>> {
  return %m : memref<4xf32, strided<[2], offset: 1>>
}

// -----

func.func @dynamic(%n: index) -> memref<?xf32> {
  %a = memref.alloc(%n) : memref<?xf32>
  return %a : memref<?xf32>
}
func.func @caller(%n: index) {
  // expected-error @+1 {{cannot create out param for dynamically shaped result}}
  %r = call @dynamic(%n) : (index) -> memref<?xf32>
  return
}
