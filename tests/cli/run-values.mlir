// What a function is called with, and what it returns: `--function`, `--input`, `--output`.
//
// RUN: freehold run %s --function=add --input=2x3xf32=1,2,3,4,5,6 --input=2x3xf32=0.5 --max-elements=6 | FileCheck %s --check-prefix=ADD
// ADD:      result #0: 2x3xf32
// ADD-NEXT: {{\[\[}}1.5, 2.5, 3.5],
// ADD-NEXT: [4.5, 5.5, 6.5]]

// Numbers, several results, and a dynamic size.
// RUN: freehold run %s -e several --input=3xi32=[1,-2,3] --input=i1=true --input=f64=1e-3 | FileCheck %s --check-prefix=SEVERAL
// SEVERAL:      result #0: 3xi32 = [1, -2, 3]
// SEVERAL-NEXT: result #1: i1 = true
// SEVERAL-NEXT: result #2: f64 = 0.001
// SEVERAL-NEXT: result #3: complex<f32> = (1.0, 2.0)
// SEVERAL-NEXT: result #4: 2xi8 = [1, 2]
// SEVERAL-NOT:  argument

// A memref that is written to is shown as it is afterwards, one that is only read is not.
// RUN: freehold run %s -e scale --input=4xf64=1,2,3,4 --input=4xf64=0 --repeat=3 | FileCheck %s --check-prefix=SCALE
// SCALE-NOT: argument #0
// SCALE: argument #1: 4xf64 = [2.0, 4.0, 6.0, 8.0]

// The layout that the type asks for is made of the input.
// RUN: freehold run %s -e columns --input=2x3xi16=1,2,3,4,5,6 | FileCheck %s --check-prefix=COLUMNS
// COLUMNS: result #0: 6xi16 = [1, 4, 2, 5, 3, 6]

// Files of NumPy, with several arrays too.
// RUN: freehold run %s -e several --input=3xi32=7 --input=i1=0 --input=f64=2 --output=@%t.npy --output=- --output=@%t.npz | FileCheck %s --check-prefix=FILES
// FILES-NOT: result #0
// FILES: result #1: i1 = false
// FILES-NOT: result
// RUN: freehold run %s -e add_i32 --input=@%t.npy --input=@%t.npy | FileCheck %s --check-prefix=READ
// READ: result #0: 3xi32 = [14, 14, 14]
// RUN: freehold run %s -e double --input=@%t.npz:result2 | FileCheck %s --check-prefix=NAMED
// NAMED: result #0: f64 = 4.0

// Made up, the same each time. Of much, the edges are shown.
// RUN: freehold run %s --function=add --input=2x3xf32=random --input=2x3xf32=random:7 --output=@%t.npy
// RUN: freehold run %s --function=add --input=@%t.npy --input=2x3xf32=0 --max-elements=5 | FileCheck %s --check-prefix=RANDOM
// RANDOM: result #0: 2x3xf32

// RUN: freehold run %s -e double --input=f64=2 --time --repeat=5 2>&1 | FileCheck %s --check-prefix=TIME
// TIME: time: median {{[0-9.]+(m|n|µ)?s}}, {{.*}} to {{.*}}, 5 calls after 2
// RUN: freehold run %s -e double --input=f64=2 --entry-point-result=f64 | FileCheck %s --check-prefix=ENTRY
// ENTRY: 4.000000e+00

// RUN: freehold run %s -e several --input=3xi32=1 --input=i1=1 --input=f64=2 --check | FileCheck %s --check-prefix=CHECKED
// RUN: freehold run %s -e several --input=3xi32=1 --input=i1=1 --input=f64=2 --dealloc=hlo -O0 | FileCheck %s --check-prefix=CHECKED
// RUN: freehold run %s -e several --input=3xi32=1 --input=i1=1 --input=f64=2 --dealloc=copy | FileCheck %s --check-prefix=CHECKED
// CHECKED: result #4: 2xi8 = [1, 2]

// What does not fit is an error that shows both types, before anything runs.
// RUN: not freehold run %s -e add 2>&1 | FileCheck %s --check-prefix=COUNT
// COUNT: error: function 'add' has 2 arguments (tensor<2x3xf32>, tensor<2x3xf32>), not 0
// RUN: not freehold run %s -e add --input=2x3xf32=1 --input=3x2xf32=1 2>&1 | FileCheck %s --check-prefix=SIZE
// SIZE: error: argument #1 of function 'add' is tensor<2x3xf32>, not 3x2xf32
// RUN: not freehold run %s -e add --input=2x3xf32=1 --input=6xf32=1 2>&1 | FileCheck %s --check-prefix=RANK
// RANK: error: argument #1 of function 'add' is tensor<2x3xf32>, not 6xf32
// RUN: not freehold run %s -e add --input=2x3xf64=1 --input=2x3xf32=1 2>&1 | FileCheck %s --check-prefix=TYPE
// TYPE: error: argument #0 of function 'add' is tensor<2x3xf32>, not 2x3xf64
// RUN: not freehold run %s -e double --input=1xf64=1 2>&1 | FileCheck %s --check-prefix=NUMBER
// NUMBER: error: argument #0 of function 'double' is f64, not 1xf64
// RUN: not freehold run %s -e several --input=3xi32=1 --input=i8=1 --input=f64=1 2>&1 | FileCheck %s --check-prefix=INTEGER
// INTEGER: error: argument #1 of function 'several' is i1, not i8
// RUN: not freehold run %s -e diagonal --input=2x2xf32=1 2>&1 | FileCheck %s --check-prefix=LAYOUT
// LAYOUT: error: memref<2x2xf32, strided<[1, 1]>> is not a layout for 2x2xf32
// RUN: not freehold run %s -e double --input=f64=x 2>&1 | FileCheck %s --check-prefix=VALUE
// VALUE: error: input 'f64=x': 'x' is no value of type f64
// RUN: not freehold run %s -e double --input=@%t.nowhere.npy 2>&1 | FileCheck %s --check-prefix=FILE
// FILE: error: input '@{{.*}}': No such file
// RUN: not freehold run %s -e double --input=f64=1 --output=out 2>&1 | FileCheck %s --check-prefix=OUTPUT
// OUTPUT: error: expected @FILE.npy, @FILE.npz or -, not 'out'

func.func @add(%a: tensor<2x3xf32>, %b: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %sum = arith.addf %a, %b : tensor<2x3xf32>
  return %sum : tensor<2x3xf32>
}

func.func @add_i32(%a: tensor<?xi32>, %b: tensor<?xi32>) -> tensor<?xi32> {
  %sum = arith.addi %a, %b : tensor<?xi32>
  return %sum : tensor<?xi32>
}

func.func @several(%a: memref<?xi32>, %flag: i1, %x: f64)
    -> (memref<?xi32>, i1, f64, complex<f32>, vector<2xi8>) {
  %c = complex.constant [1.0 : f32, 2.0 : f32] : complex<f32>
  %v = arith.constant dense<[1, 2]> : vector<2xi8>
  return %a, %flag, %x, %c, %v : memref<?xi32>, i1, f64, complex<f32>, vector<2xi8>
}

func.func @scale(%from: memref<4xf64>, %to: memref<4xf64>) {
  affine.for %i = 0 to 4 {
    %x = affine.load %from[%i] : memref<4xf64>
    %before = affine.load %to[%i] : memref<4xf64>
    %twice = arith.addf %x, %x : f64
    %sum = arith.addf %twice, %before : f64
    affine.store %sum, %to[%i] : memref<4xf64>
  }
  return
}

// The elements in the order in which they are in memory.
func.func @columns(%a: memref<2x3xi16, strided<[1, 2], offset: 4>>) -> memref<6xi16> {
  %flat = memref.reinterpret_cast %a to offset: [4], sizes: [6], strides: [1]
    : memref<2x3xi16, strided<[1, 2], offset: 4>> to memref<6xi16, strided<[1], offset: 4>>
  %out = memref.alloc() : memref<6xi16>
  memref.copy %flat, %out : memref<6xi16, strided<[1], offset: 4>> to memref<6xi16>
  return %out : memref<6xi16>
}

func.func @diagonal(%a: memref<2x2xf32, strided<[1, 1]>>) {
  return
}

func.func @double(%x: f64) -> f64 {
  %twice = arith.addf %x, %x : f64
  return %twice : f64
}
