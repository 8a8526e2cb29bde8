// What a structured operation does besides computing its result is done, whether or not something uses that.
//
// RUN: freehold run %s | FileCheck %s
// RUN: freehold run -O0 %s | FileCheck %s

func.func private @printF32(f32)
func.func private @printNewline()

#id = affine_map<(d0) -> (d0)>

func.func @main() {
  %c0 = arith.constant 0 : index
  %c = arith.constant dense<[1.0, 3.0]> : tensor<2xf32>
  %e = tensor.empty() : tensor<2xf32>
  // CHECK: 13
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%c : tensor<2xf32>) outs(%e : tensor<2xf32>) {
  ^bb0(%a: f32, %b: f32):
    func.call @printF32(%a) : (f32) -> ()
    linalg.yield %a : f32
  } -> tensor<2xf32>
  call @printNewline() : () -> ()
  // What another one uses is computed once, and before it.
  %f = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%c : tensor<2xf32>) outs(%e : tensor<2xf32>) {
  ^bb0(%a: f32, %b: f32):
    func.call @printF32(%a) : (f32) -> ()
    linalg.yield %a : f32
  } -> tensor<2xf32>
  %g = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%f : tensor<2xf32>) outs(%e : tensor<2xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %a : f32
    func.call @printF32(%s) : (f32) -> ()
    linalg.yield %s : f32
  } -> tensor<2xf32>
  // CHECK-NEXT: {{^}}1326
  %x = tensor.extract %g[%c0] : tensor<2xf32>
  call @printNewline() : () -> ()
  // CHECK-NEXT: {{^}}2{{$}}
  call @printF32(%x) : (f32) -> ()
  call @printNewline() : () -> ()
  return
}
