// Types of the quant dialect: text as it is, and the same from bytecode.
// REQUIRES: mlir-opt-22

// RUN: freehold opt %s | FileCheck %s
// RUN: mlir-opt-22 --emit-bytecode %s | freehold opt - | FileCheck %s
// RUN: mlir-opt-22 --emit-bytecode %s | freehold opt --emit-bytecode --emit-bytecode-version=4 - | mlir-opt-22 | FileCheck %s

// CHECK: @any(tensor<?x!quant.any<i8<-8:7>:f32>>, tensor<2x!quant.any<u4>>)
func.func private @any(tensor<?x!quant.any<i8<-8:7>:f32>>, tensor<2x!quant.any<u4>>)
// CHECK: @calibrated(!quant.calibrated<f32<-0.998:1.232100e+00>>)
func.func private @calibrated(!quant.calibrated<f32<-0.998:1.232100e+00>>)
// CHECK: @tensor(tensor<4x!quant.uniform<i8:f32, 5.000000e-01:3>>, tensor<3x!quant.uniform<u16:f16, 1.000000e-01>>)
func.func private @tensor(tensor<4x!quant.uniform<i8:f32, 5.000000e-01:3>>, tensor<3x!quant.uniform<u16:f16, 1.000000e-01>>)
// CHECK: @axis(tensor<4x2x!quant.uniform<u8<1:200>:f32:1, {5.000000e-01:3,2.500000e-01}>>)
func.func private @axis(tensor<4x2x!quant.uniform<u8<1:200>:f32:1, {5.000000e-01:3,2.500000e-01}>>)
// CHECK: @blocks(tensor<4x2x!quant.uniform<i8:f32:{0:2, 1:1}, {{[{][{]}}1.000000e+00, 2.000000e+00}, {5.000000e-01:-3, 2.500000e-01}}>>)
func.func private @blocks(tensor<4x2x!quant.uniform<i8:f32:{0:2, 1:1}, {{1.000000e+00, 2.000000e+00}, {5.000000e-01:-3, 2.500000e-01}}>>)
// CHECK: @same(tensor<4x2x!quant.uniform<i4:f32:{0:2, 1:1}, {{[{][{]}}2.000000e+00:1, 2.000000e+00:1}, {2.000000e+00:1, 2.000000e+00:1}}>>)
func.func private @same(tensor<4x2x!quant.uniform<i4:f32:{0:2, 1:1}, {{2.000000e+00:1, 2.000000e+00:1}, {2.000000e+00:1, 2.000000e+00:1}}>>)
// CHECK: @digits(!quant.uniform<i4:f32, 0.1234567891234:-3>)
func.func private @digits(!quant.uniform<i4:f32, 0.1234567891234:-3>)
