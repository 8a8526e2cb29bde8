// What executables are called with, and what they print: `--function`, `--input`, `--output`, `--max-elements`.
//
// REQUIRES: cc
// RUN: freehold compile %s --emit=exe -e scale -o %t
// RUN: %t --input=2x3xf32=1,2,3,4,5,6 --input=f32=10 | FileCheck %s --check-prefix=SCALE
// SCALE:      result #0: 2x3xf32
// SCALE-NEXT: {{\[\[}}10.0, 20.0, 30.0],
// SCALE-NEXT: [40.0, 50.0, 60.0]]
// RUN: %t --function=count_up --input=5xindex=0 | FileCheck %s --check-prefix=COUNT
// COUNT: argument #0: 5xindex = [0, 1, 2, 3, 4]
// RUN: %t --input=2x3xf32=random --input=f32=10 --output=@%t.npy
// RUN: freehold run %s -e scale --input=@%t.npy --input=f32=0.1 --max-elements=5 | FileCheck %s --check-prefix=RANDOM
// RANDOM: {{\[\[}}0.7666216,
// RUN: %t --help | FileCheck %s --check-prefix=HELP
// HELP:      Functions:
// HELP-NEXT:   scale(tensor<2x?xf32>, f32) -> tensor<2x?xf32>
// HELP-NEXT:   count_up(memref<?xindex>)
// HELP-NEXT:   floats(memref<4xf8E5M2>)
// HELP-NOT:  hidden

// What does not fit is an error that shows both types.
// RUN: not %t 2>&1 | FileCheck %s --check-prefix=NOTHING
// NOTHING: error: function 'scale' has 2 arguments (tensor<2x?xf32>, f32), not 0
// RUN: not %t --input=3x2xf32=0 --input=f32=1 2>&1 | FileCheck %s --check-prefix=SIZE
// SIZE: error: argument #0 of function 'scale' is tensor<2x?xf32>, not 3x2xf32
// RUN: not %t --input=2x2xf32=0 --input=f64=1 2>&1 | FileCheck %s --check-prefix=NUMBER
// RUN: not freehold run %s -e scale --input=2x2xf32=0 --input=f64=1 2>&1 | FileCheck %s --check-prefix=NUMBER
// NUMBER: error: argument #1 of function 'scale' is f32, not f64
// RUN: not %t --function=hidden 2>&1 | FileCheck %s --check-prefix=HIDDEN
// HIDDEN: error: entry point 'hidden' not found
// RUN: not %t --function=floats 2>&1 | FileCheck %s --check-prefix=FLOATS
// FLOATS: error: function 'floats' has an argument or result of type memref<4xf8E5M2>: 'freehold run' calls it, executables do not
// RUN: not %t --input=4xf8E5M2=1 2>&1 | FileCheck %s --check-prefix=F8
// F8: error: input '4xf8E5M2=1': elements of type f8E5M2 are read by 'freehold run' only
// RUN: not %t --input=@%t.npz 2>&1 | FileCheck %s --check-prefix=NPZ
// NPZ: error: input '@{{.*}}.npz': only 'freehold run' reads .npz
// Names of files are never shortened, long values are.
// RUN: not %t --input=@%t-and-a-name-that-is-longer-than-what-is-shown-of-values.npy 2>&1 | FileCheck %s --check-prefix=LONG
// RUN: not freehold run %s -e scale --input=@%t-and-a-name-that-is-longer-than-what-is-shown-of-values.npy 2>&1 | FileCheck %s --check-prefix=LONG
// LONG: error: input '@{{.*}}-and-a-name-that-is-longer-than-what-is-shown-of-values.npy': No such file
// RUN: not %t --input=3xf32=1000000000,1000000000,1000000000,1000000000,1000000000,1 2>&1 | FileCheck %s --check-prefix=VALUES
// VALUES: error: input '3xf32=1000000000,1000000000,1000000000,1000000000,1000000000...': 3xf32 has 3 elements, not 6
// RUN: not %t --output=@%t.npz 2>&1 | FileCheck %s --check-prefix=NPZ-OUT
// NPZ-OUT: error: expected @FILE.npy or -, not '@{{.*}}.npz': only 'freehold run' writes .npz
// RUN: not %t --time 2>&1 | FileCheck %s --check-prefix=TIME
// TIME: error: unexpected argument '--time': expected --function, --input, --output, --max-elements or --help; 'freehold run' measures time

// What executables read is no memory of the program, and results are freed.
// RUN: freehold compile %s --emit=exe -e scale --stats -o %t
// RUN: %t --input=2x3xf32=1 --input=f32=10 2>&1 | FileCheck %s --check-prefix=STATS
// STATS: result #0: 2x3xf32
// STATS: {{^}}allocations {{ *}}1{{$}}
// STATS: {{^}}live allocations at exit {{ *}}0{{$}}
// RUN: freehold compile %s --emit=exe -e scale --check=accesses -o %t
// RUN: %t --input=2x3xf32=1 --input=f32=10 2>&1 | FileCheck %s --check-prefix=CHECKED
// CHECKED: result #0: 2x3xf32
// CHECKED-NOT: error

func.func @scale(%x: tensor<2x?xf32>, %factor: f32) -> tensor<2x?xf32> {
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c1 : tensor<2x?xf32>
  %s = tensor.splat %factor[%n] : tensor<2x?xf32>
  %y = arith.mulf %x, %s : tensor<2x?xf32>
  return %y : tensor<2x?xf32>
}

func.func @count_up(%to: memref<?xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %to, %c0 : memref<?xindex>
  scf.for %i = %c0 to %n step %c1 {
    memref.store %i, %to[%i] : memref<?xindex>
  }
  return
}

func.func @floats(%x: memref<4xf8E5M2>) {
  return
}

func.func private @hidden(%x: f32) -> f32 {
  return %x : f32
}
