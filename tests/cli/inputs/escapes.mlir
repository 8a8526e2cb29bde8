func.func @main(%box: memref<memref<4xf32>>) {
  %m = memref.alloc() : memref<4xf32>
  memref.store %m, %box[] : memref<memref<4xf32>>
  return
}
