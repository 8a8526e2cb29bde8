// Whoever runs a function frees the buffers that it returns, each once, so that they are no leaks. A
// global is not to be freed. Executables do not: they end, and reading the program from standard input keeps them out here.
//
// RUN: freehold run - --dealloc=none --check < %s
// RUN: freehold run - --dealloc=ownership --check < %s
// RUN: freehold run - --dealloc=hlo --check -O0 < %s
// RUN: freehold run - --dealloc=clone --check=accesses < %s
// RUN: freehold run - --dealloc=ownership --stats=json < %s 2>&1 | FileCheck %s
// RUN: freehold run - --dealloc=none -e constant --check < %s
// RUN: freehold run - --dealloc=none -e constant --stats < %s
// RUN: freehold run - --dealloc=none -e unranked --check < %s

// CHECK: "live_allocs_at_exit": 0
func.func @main() -> (memref<4xi32>, i32, memref<?xf32>) {
  %size = arith.constant 3 : index
  %number = arith.constant 1 : i32
  %a = memref.alloc() : memref<4xi32>
  %b = memref.alloc(%size) : memref<?xf32>
  return %a, %number, %b : memref<4xi32>, i32, memref<?xf32>
}

memref.global "private" constant @numbers : memref<2xi32> = dense<[1, 2]>

func.func @constant() -> (memref<2xi32>, memref<2xi32>, memref<2xi32>) {
  %numbers = memref.get_global @numbers : memref<2xi32>
  %a = memref.alloc() : memref<2xi32>
  return %a, %numbers, %a : memref<2xi32>, memref<2xi32>, memref<2xi32>
}

func.func @unranked() -> memref<*xi32> {
  %a = memref.alloc() : memref<2xi32>
  %any = memref.cast %a : memref<2xi32> to memref<*xi32>
  return %any : memref<*xi32>
}
