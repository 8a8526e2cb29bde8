// RUN: freehold run %s --check | FileCheck %s
// RUN: freehold run %s --check -O0 | FileCheck %s
// RUN: freehold run %s --check --merge-alloc | FileCheck %s
// RUN: freehold run %s --stats 2>&1 | FileCheck %s --check-prefix=STATS

// A chain of elementwise operations with a broadcast and a mask is one loop: nothing but its result is allocated.
// STATS: {{^}}allocations{{ +}}1{{$}}

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
func.func private @printMemrefF32(tensor<*xf32>)

func.func private @chain(%x: tensor<3x4xf32>, %b: tensor<3xf32>) -> tensor<3x4xf32> attributes {passthrough = ["noinline"]} {
  %e = tensor.empty() : tensor<3x4xf32>
  %zero = arith.constant dense<0.0> : tensor<3x4xf32>
  %wide = linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]} ins(%b : tensor<3xf32>) outs(%e : tensor<3x4xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<3x4xf32>
  %0 = arith.subf %x, %wide : tensor<3x4xf32>
  %mask = arith.cmpf ogt, %0, %zero : tensor<3x4xf32>
  %1 = math.exp %0 : tensor<3x4xf32>
  %2 = arith.select %mask, %0, %1 : tensor<3x4xi1>, tensor<3x4xf32>
  return %2 : tensor<3x4xf32>
}

// CHECK: 1,{{ +}}1,{{ +}}2,{{ +}}3]
// CHECK-NEXT: 0.367879,{{ +}}1,{{ +}}1,{{ +}}2]
// CHECK-NEXT: 0.135335,{{ +}}0.367879,{{ +}}1,{{ +}}1]
func.func @main() {
  %x = arith.constant dense<[[0.0, 1.0, 2.0, 3.0], [0.0, 1.0, 2.0, 3.0], [0.0, 1.0, 2.0, 3.0]]> : tensor<3x4xf32>
  %b = arith.constant dense<[0.0, 1.0, 2.0]> : tensor<3xf32>
  %y = call @chain(%x, %b) : (tensor<3x4xf32>, tensor<3xf32>) -> tensor<3x4xf32>
  %any = tensor.cast %y : tensor<3x4xf32> to tensor<*xf32>
  call @printMemrefF32(%any) : (tensor<*xf32>) -> ()
  return
}
