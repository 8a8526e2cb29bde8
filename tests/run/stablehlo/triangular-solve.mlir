// Systems with triangular matrices, of each kind.
//
// RUN: freehold run - < %s | FileCheck %s
// RUN: freehold run - --check -O0 < %s | FileCheck %s

// The product of the matrix and the solution is the right side.
func.func private @left_lower() -> tensor<i1> {
  %1 = stablehlo.iota dim = 0 : tensor<4900xf32>
  %2 = stablehlo.constant dense<0.37> : tensor<4900xf32>
  %3 = stablehlo.constant dense<0.5> : tensor<4900xf32>
  %4 = stablehlo.multiply %1, %2 : tensor<4900xf32>
  %5 = stablehlo.multiply %4, %1 : tensor<4900xf32>
  %6 = stablehlo.add %5, %3 : tensor<4900xf32>
  %7 = stablehlo.sine %6 : tensor<4900xf32>
  %8 = stablehlo.reshape %7 : (tensor<4900xf32>) -> tensor<70x70xf32>
  %9 = stablehlo.constant dense<0.1> : tensor<70x70xf32>
  %10 = stablehlo.multiply %8, %9 : tensor<70x70xf32>
  %11 = stablehlo.iota dim = 0 : tensor<70x70xi32>
  %12 = stablehlo.iota dim = 1 : tensor<70x70xi32>
  %13 = stablehlo.compare EQ, %11, %12 : (tensor<70x70xi32>, tensor<70x70xi32>) -> tensor<70x70xi1>
  %14 = stablehlo.convert %13 : (tensor<70x70xi1>) -> tensor<70x70xf32>
  %15 = stablehlo.constant dense<2.0> : tensor<70x70xf32>
  %16 = stablehlo.multiply %14, %15 : tensor<70x70xf32>
  %17 = stablehlo.add %10, %16 : tensor<70x70xf32>
  %18 = stablehlo.iota dim = 0 : tensor<2800xf32>
  %19 = stablehlo.constant dense<0.6699999999999999> : tensor<2800xf32>
  %20 = stablehlo.constant dense<0.5> : tensor<2800xf32>
  %21 = stablehlo.multiply %18, %19 : tensor<2800xf32>
  %22 = stablehlo.multiply %21, %18 : tensor<2800xf32>
  %23 = stablehlo.add %22, %20 : tensor<2800xf32>
  %24 = stablehlo.sine %23 : tensor<2800xf32>
  %25 = stablehlo.reshape %24 : (tensor<2800xf32>) -> tensor<70x40xf32>
  %26 = "stablehlo.triangular_solve"(%17, %25) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<70x70xf32>, tensor<70x40xf32>) -> tensor<70x40xf32>
  %27 = stablehlo.iota dim = 0 : tensor<70x70xi32>
  %28 = stablehlo.iota dim = 1 : tensor<70x70xi32>
  %29 = stablehlo.compare GE, %27, %28 : (tensor<70x70xi32>, tensor<70x70xi32>) -> tensor<70x70xi1>
  %30 = stablehlo.constant dense<0.0> : tensor<70x70xf32>
  %31 = stablehlo.select %29, %17, %30 : tensor<70x70xi1>, tensor<70x70xf32>
  %32 = stablehlo.dot_general %31, %26, contracting_dims = [1] x [0] : (tensor<70x70xf32>, tensor<70x40xf32>) -> tensor<70x40xf32>
  %33 = stablehlo.subtract %32, %25 : tensor<70x40xf32>
  %34 = stablehlo.abs %33 : tensor<70x40xf32>
  %35 = stablehlo.constant dense<0.0> : tensor<f32>
  %36 = stablehlo.reduce(%34 init: %35) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<70x40xf32>, tensor<f32>) -> tensor<f32>
  %37 = stablehlo.constant dense<1.0e-4> : tensor<f32>
  %38 = stablehlo.compare LT, %36, %37 : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %38 : tensor<i1>
}

// The product of the matrix and the solution is the right side.
func.func private @left_upper_transposed() -> tensor<i1> {
  %1 = stablehlo.iota dim = 0 : tensor<2178xf64>
  %2 = stablehlo.constant dense<0.37> : tensor<2178xf64>
  %3 = stablehlo.constant dense<0.5> : tensor<2178xf64>
  %4 = stablehlo.multiply %1, %2 : tensor<2178xf64>
  %5 = stablehlo.multiply %4, %1 : tensor<2178xf64>
  %6 = stablehlo.add %5, %3 : tensor<2178xf64>
  %7 = stablehlo.sine %6 : tensor<2178xf64>
  %8 = stablehlo.reshape %7 : (tensor<2178xf64>) -> tensor<2x33x33xf64>
  %9 = stablehlo.constant dense<0.1> : tensor<2x33x33xf64>
  %10 = stablehlo.multiply %8, %9 : tensor<2x33x33xf64>
  %11 = stablehlo.iota dim = 1 : tensor<2x33x33xi32>
  %12 = stablehlo.iota dim = 2 : tensor<2x33x33xi32>
  %13 = stablehlo.compare EQ, %11, %12 : (tensor<2x33x33xi32>, tensor<2x33x33xi32>) -> tensor<2x33x33xi1>
  %14 = stablehlo.convert %13 : (tensor<2x33x33xi1>) -> tensor<2x33x33xf64>
  %15 = stablehlo.constant dense<2.0> : tensor<2x33x33xf64>
  %16 = stablehlo.multiply %14, %15 : tensor<2x33x33xf64>
  %17 = stablehlo.add %10, %16 : tensor<2x33x33xf64>
  %18 = stablehlo.iota dim = 0 : tensor<330xf64>
  %19 = stablehlo.constant dense<0.6699999999999999> : tensor<330xf64>
  %20 = stablehlo.constant dense<0.5> : tensor<330xf64>
  %21 = stablehlo.multiply %18, %19 : tensor<330xf64>
  %22 = stablehlo.multiply %21, %18 : tensor<330xf64>
  %23 = stablehlo.add %22, %20 : tensor<330xf64>
  %24 = stablehlo.sine %23 : tensor<330xf64>
  %25 = stablehlo.reshape %24 : (tensor<330xf64>) -> tensor<2x33x5xf64>
  %26 = "stablehlo.triangular_solve"(%17, %25) <{left_side = true, lower = false, transpose_a = #stablehlo<transpose TRANSPOSE>, unit_diagonal = false}> : (tensor<2x33x33xf64>, tensor<2x33x5xf64>) -> tensor<2x33x5xf64>
  %27 = stablehlo.iota dim = 1 : tensor<2x33x33xi32>
  %28 = stablehlo.iota dim = 2 : tensor<2x33x33xi32>
  %29 = stablehlo.compare LE, %27, %28 : (tensor<2x33x33xi32>, tensor<2x33x33xi32>) -> tensor<2x33x33xi1>
  %30 = stablehlo.constant dense<0.0> : tensor<2x33x33xf64>
  %31 = stablehlo.select %29, %17, %30 : tensor<2x33x33xi1>, tensor<2x33x33xf64>
  %32 = stablehlo.dot_general %31, %26, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<2x33x33xf64>, tensor<2x33x5xf64>) -> tensor<2x33x5xf64>
  %33 = stablehlo.subtract %32, %25 : tensor<2x33x5xf64>
  %34 = stablehlo.abs %33 : tensor<2x33x5xf64>
  %35 = stablehlo.constant dense<0.0> : tensor<f64>
  %36 = stablehlo.reduce(%34 init: %35) applies stablehlo.maximum across dimensions = [0, 1, 2] : (tensor<2x33x5xf64>, tensor<f64>) -> tensor<f64>
  %37 = stablehlo.constant dense<1.0e-12> : tensor<f64>
  %38 = stablehlo.compare LT, %36, %37 : (tensor<f64>, tensor<f64>) -> tensor<i1>
  return %38 : tensor<i1>
}

// The product of the matrix and the solution is the right side.
func.func private @right_upper() -> tensor<i1> {
  %1 = stablehlo.iota dim = 0 : tensor<1600xf32>
  %2 = stablehlo.constant dense<0.37> : tensor<1600xf32>
  %3 = stablehlo.constant dense<0.5> : tensor<1600xf32>
  %4 = stablehlo.multiply %1, %2 : tensor<1600xf32>
  %5 = stablehlo.multiply %4, %1 : tensor<1600xf32>
  %6 = stablehlo.add %5, %3 : tensor<1600xf32>
  %7 = stablehlo.sine %6 : tensor<1600xf32>
  %8 = stablehlo.reshape %7 : (tensor<1600xf32>) -> tensor<40x40xf32>
  %9 = stablehlo.iota dim = 0 : tensor<1600xf32>
  %10 = stablehlo.constant dense<0.23> : tensor<1600xf32>
  %11 = stablehlo.constant dense<1.5> : tensor<1600xf32>
  %12 = stablehlo.multiply %9, %10 : tensor<1600xf32>
  %13 = stablehlo.multiply %12, %9 : tensor<1600xf32>
  %14 = stablehlo.add %13, %11 : tensor<1600xf32>
  %15 = stablehlo.sine %14 : tensor<1600xf32>
  %16 = stablehlo.reshape %15 : (tensor<1600xf32>) -> tensor<40x40xf32>
  %17 = stablehlo.complex %8, %16 : tensor<40x40xcomplex<f32>>
  %18 = stablehlo.constant dense<(0.1, 0.0)> : tensor<40x40xcomplex<f32>>
  %19 = stablehlo.multiply %17, %18 : tensor<40x40xcomplex<f32>>
  %20 = stablehlo.iota dim = 0 : tensor<40x40xi32>
  %21 = stablehlo.iota dim = 1 : tensor<40x40xi32>
  %22 = stablehlo.compare EQ, %20, %21 : (tensor<40x40xi32>, tensor<40x40xi32>) -> tensor<40x40xi1>
  %23 = stablehlo.convert %22 : (tensor<40x40xi1>) -> tensor<40x40xcomplex<f32>>
  %24 = stablehlo.constant dense<(2.0, 0.0)> : tensor<40x40xcomplex<f32>>
  %25 = stablehlo.multiply %23, %24 : tensor<40x40xcomplex<f32>>
  %26 = stablehlo.add %19, %25 : tensor<40x40xcomplex<f32>>
  %27 = stablehlo.iota dim = 0 : tensor<120xf32>
  %28 = stablehlo.constant dense<0.6699999999999999> : tensor<120xf32>
  %29 = stablehlo.constant dense<0.5> : tensor<120xf32>
  %30 = stablehlo.multiply %27, %28 : tensor<120xf32>
  %31 = stablehlo.multiply %30, %27 : tensor<120xf32>
  %32 = stablehlo.add %31, %29 : tensor<120xf32>
  %33 = stablehlo.sine %32 : tensor<120xf32>
  %34 = stablehlo.reshape %33 : (tensor<120xf32>) -> tensor<3x40xf32>
  %35 = stablehlo.iota dim = 0 : tensor<120xf32>
  %36 = stablehlo.constant dense<0.53> : tensor<120xf32>
  %37 = stablehlo.constant dense<1.5> : tensor<120xf32>
  %38 = stablehlo.multiply %35, %36 : tensor<120xf32>
  %39 = stablehlo.multiply %38, %35 : tensor<120xf32>
  %40 = stablehlo.add %39, %37 : tensor<120xf32>
  %41 = stablehlo.sine %40 : tensor<120xf32>
  %42 = stablehlo.reshape %41 : (tensor<120xf32>) -> tensor<3x40xf32>
  %43 = stablehlo.complex %34, %42 : tensor<3x40xcomplex<f32>>
  %44 = "stablehlo.triangular_solve"(%26, %43) <{left_side = false, lower = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<40x40xcomplex<f32>>, tensor<3x40xcomplex<f32>>) -> tensor<3x40xcomplex<f32>>
  %45 = stablehlo.iota dim = 0 : tensor<40x40xi32>
  %46 = stablehlo.iota dim = 1 : tensor<40x40xi32>
  %47 = stablehlo.compare LE, %45, %46 : (tensor<40x40xi32>, tensor<40x40xi32>) -> tensor<40x40xi1>
  %48 = stablehlo.constant dense<(0.0, 0.0)> : tensor<40x40xcomplex<f32>>
  %49 = stablehlo.select %47, %26, %48 : tensor<40x40xi1>, tensor<40x40xcomplex<f32>>
  %50 = stablehlo.dot_general %44, %49, contracting_dims = [1] x [0] : (tensor<3x40xcomplex<f32>>, tensor<40x40xcomplex<f32>>) -> tensor<3x40xcomplex<f32>>
  %51 = stablehlo.subtract %50, %43 : tensor<3x40xcomplex<f32>>
  %52 = stablehlo.abs %51 : (tensor<3x40xcomplex<f32>>) -> tensor<3x40xf32>
  %53 = stablehlo.constant dense<0.0> : tensor<f32>
  %54 = stablehlo.reduce(%52 init: %53) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<3x40xf32>, tensor<f32>) -> tensor<f32>
  %55 = stablehlo.constant dense<1.0e-4> : tensor<f32>
  %56 = stablehlo.compare LT, %54, %55 : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %56 : tensor<i1>
}

// The product of the matrix and the solution is the right side.
func.func private @right_lower_adjoint() -> tensor<i1> {
  %1 = stablehlo.iota dim = 0 : tensor<98xf64>
  %2 = stablehlo.constant dense<0.37> : tensor<98xf64>
  %3 = stablehlo.constant dense<0.5> : tensor<98xf64>
  %4 = stablehlo.multiply %1, %2 : tensor<98xf64>
  %5 = stablehlo.multiply %4, %1 : tensor<98xf64>
  %6 = stablehlo.add %5, %3 : tensor<98xf64>
  %7 = stablehlo.sine %6 : tensor<98xf64>
  %8 = stablehlo.reshape %7 : (tensor<98xf64>) -> tensor<2x1x7x7xf64>
  %9 = stablehlo.iota dim = 0 : tensor<98xf64>
  %10 = stablehlo.constant dense<0.23> : tensor<98xf64>
  %11 = stablehlo.constant dense<1.5> : tensor<98xf64>
  %12 = stablehlo.multiply %9, %10 : tensor<98xf64>
  %13 = stablehlo.multiply %12, %9 : tensor<98xf64>
  %14 = stablehlo.add %13, %11 : tensor<98xf64>
  %15 = stablehlo.sine %14 : tensor<98xf64>
  %16 = stablehlo.reshape %15 : (tensor<98xf64>) -> tensor<2x1x7x7xf64>
  %17 = stablehlo.complex %8, %16 : tensor<2x1x7x7xcomplex<f64>>
  %18 = stablehlo.constant dense<(0.1, 0.0)> : tensor<2x1x7x7xcomplex<f64>>
  %19 = stablehlo.multiply %17, %18 : tensor<2x1x7x7xcomplex<f64>>
  %20 = stablehlo.iota dim = 2 : tensor<2x1x7x7xi32>
  %21 = stablehlo.iota dim = 3 : tensor<2x1x7x7xi32>
  %22 = stablehlo.compare EQ, %20, %21 : (tensor<2x1x7x7xi32>, tensor<2x1x7x7xi32>) -> tensor<2x1x7x7xi1>
  %23 = stablehlo.convert %22 : (tensor<2x1x7x7xi1>) -> tensor<2x1x7x7xcomplex<f64>>
  %24 = stablehlo.constant dense<(2.0, 0.0)> : tensor<2x1x7x7xcomplex<f64>>
  %25 = stablehlo.multiply %23, %24 : tensor<2x1x7x7xcomplex<f64>>
  %26 = stablehlo.add %19, %25 : tensor<2x1x7x7xcomplex<f64>>
  %27 = stablehlo.iota dim = 0 : tensor<56xf64>
  %28 = stablehlo.constant dense<0.6699999999999999> : tensor<56xf64>
  %29 = stablehlo.constant dense<0.5> : tensor<56xf64>
  %30 = stablehlo.multiply %27, %28 : tensor<56xf64>
  %31 = stablehlo.multiply %30, %27 : tensor<56xf64>
  %32 = stablehlo.add %31, %29 : tensor<56xf64>
  %33 = stablehlo.sine %32 : tensor<56xf64>
  %34 = stablehlo.reshape %33 : (tensor<56xf64>) -> tensor<2x1x4x7xf64>
  %35 = stablehlo.iota dim = 0 : tensor<56xf64>
  %36 = stablehlo.constant dense<0.53> : tensor<56xf64>
  %37 = stablehlo.constant dense<1.5> : tensor<56xf64>
  %38 = stablehlo.multiply %35, %36 : tensor<56xf64>
  %39 = stablehlo.multiply %38, %35 : tensor<56xf64>
  %40 = stablehlo.add %39, %37 : tensor<56xf64>
  %41 = stablehlo.sine %40 : tensor<56xf64>
  %42 = stablehlo.reshape %41 : (tensor<56xf64>) -> tensor<2x1x4x7xf64>
  %43 = stablehlo.complex %34, %42 : tensor<2x1x4x7xcomplex<f64>>
  %44 = "stablehlo.triangular_solve"(%26, %43) <{left_side = false, lower = true, transpose_a = #stablehlo<transpose ADJOINT>, unit_diagonal = true}> : (tensor<2x1x7x7xcomplex<f64>>, tensor<2x1x4x7xcomplex<f64>>) -> tensor<2x1x4x7xcomplex<f64>>
  %45 = stablehlo.iota dim = 2 : tensor<2x1x7x7xi32>
  %46 = stablehlo.iota dim = 3 : tensor<2x1x7x7xi32>
  %47 = stablehlo.compare GT, %45, %46 : (tensor<2x1x7x7xi32>, tensor<2x1x7x7xi32>) -> tensor<2x1x7x7xi1>
  %48 = stablehlo.constant dense<(0.0, 0.0)> : tensor<2x1x7x7xcomplex<f64>>
  %49 = stablehlo.select %47, %26, %48 : tensor<2x1x7x7xi1>, tensor<2x1x7x7xcomplex<f64>>
  %50 = stablehlo.iota dim = 2 : tensor<2x1x7x7xi32>
  %51 = stablehlo.iota dim = 3 : tensor<2x1x7x7xi32>
  %52 = stablehlo.compare EQ, %50, %51 : (tensor<2x1x7x7xi32>, tensor<2x1x7x7xi32>) -> tensor<2x1x7x7xi1>
  %53 = stablehlo.convert %52 : (tensor<2x1x7x7xi1>) -> tensor<2x1x7x7xcomplex<f64>>
  %54 = stablehlo.add %49, %53 : tensor<2x1x7x7xcomplex<f64>>
  %55 = stablehlo.real %54 : (tensor<2x1x7x7xcomplex<f64>>) -> tensor<2x1x7x7xf64>
  %56 = stablehlo.imag %54 : (tensor<2x1x7x7xcomplex<f64>>) -> tensor<2x1x7x7xf64>
  %57 = stablehlo.negate %56 : tensor<2x1x7x7xf64>
  %58 = stablehlo.complex %55, %57 : tensor<2x1x7x7xcomplex<f64>>
  %59 = stablehlo.dot_general %44, %58, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x1x4x7xcomplex<f64>>, tensor<2x1x7x7xcomplex<f64>>) -> tensor<2x1x4x7xcomplex<f64>>
  %60 = stablehlo.subtract %59, %43 : tensor<2x1x4x7xcomplex<f64>>
  %61 = stablehlo.abs %60 : (tensor<2x1x4x7xcomplex<f64>>) -> tensor<2x1x4x7xf64>
  %62 = stablehlo.constant dense<0.0> : tensor<f64>
  %63 = stablehlo.reduce(%61 init: %62) applies stablehlo.maximum across dimensions = [0, 1, 2, 3] : (tensor<2x1x4x7xf64>, tensor<f64>) -> tensor<f64>
  %64 = stablehlo.constant dense<1.0e-11> : tensor<f64>
  %65 = stablehlo.compare LT, %63, %64 : (tensor<f64>, tensor<f64>) -> tensor<i1>
  return %65 : tensor<i1>
}

// The product of the matrix and the solution is the right side.
func.func private @left_lower_adjoint() -> tensor<i1> {
  %1 = stablehlo.iota dim = 0 : tensor<1225xf64>
  %2 = stablehlo.constant dense<0.37> : tensor<1225xf64>
  %3 = stablehlo.constant dense<0.5> : tensor<1225xf64>
  %4 = stablehlo.multiply %1, %2 : tensor<1225xf64>
  %5 = stablehlo.multiply %4, %1 : tensor<1225xf64>
  %6 = stablehlo.add %5, %3 : tensor<1225xf64>
  %7 = stablehlo.sine %6 : tensor<1225xf64>
  %8 = stablehlo.reshape %7 : (tensor<1225xf64>) -> tensor<35x35xf64>
  %9 = stablehlo.iota dim = 0 : tensor<1225xf64>
  %10 = stablehlo.constant dense<0.23> : tensor<1225xf64>
  %11 = stablehlo.constant dense<1.5> : tensor<1225xf64>
  %12 = stablehlo.multiply %9, %10 : tensor<1225xf64>
  %13 = stablehlo.multiply %12, %9 : tensor<1225xf64>
  %14 = stablehlo.add %13, %11 : tensor<1225xf64>
  %15 = stablehlo.sine %14 : tensor<1225xf64>
  %16 = stablehlo.reshape %15 : (tensor<1225xf64>) -> tensor<35x35xf64>
  %17 = stablehlo.complex %8, %16 : tensor<35x35xcomplex<f64>>
  %18 = stablehlo.constant dense<(0.1, 0.0)> : tensor<35x35xcomplex<f64>>
  %19 = stablehlo.multiply %17, %18 : tensor<35x35xcomplex<f64>>
  %20 = stablehlo.iota dim = 0 : tensor<35x35xi32>
  %21 = stablehlo.iota dim = 1 : tensor<35x35xi32>
  %22 = stablehlo.compare EQ, %20, %21 : (tensor<35x35xi32>, tensor<35x35xi32>) -> tensor<35x35xi1>
  %23 = stablehlo.convert %22 : (tensor<35x35xi1>) -> tensor<35x35xcomplex<f64>>
  %24 = stablehlo.constant dense<(2.0, 0.0)> : tensor<35x35xcomplex<f64>>
  %25 = stablehlo.multiply %23, %24 : tensor<35x35xcomplex<f64>>
  %26 = stablehlo.add %19, %25 : tensor<35x35xcomplex<f64>>
  %27 = stablehlo.iota dim = 0 : tensor<70xf64>
  %28 = stablehlo.constant dense<0.6699999999999999> : tensor<70xf64>
  %29 = stablehlo.constant dense<0.5> : tensor<70xf64>
  %30 = stablehlo.multiply %27, %28 : tensor<70xf64>
  %31 = stablehlo.multiply %30, %27 : tensor<70xf64>
  %32 = stablehlo.add %31, %29 : tensor<70xf64>
  %33 = stablehlo.sine %32 : tensor<70xf64>
  %34 = stablehlo.reshape %33 : (tensor<70xf64>) -> tensor<35x2xf64>
  %35 = stablehlo.iota dim = 0 : tensor<70xf64>
  %36 = stablehlo.constant dense<0.53> : tensor<70xf64>
  %37 = stablehlo.constant dense<1.5> : tensor<70xf64>
  %38 = stablehlo.multiply %35, %36 : tensor<70xf64>
  %39 = stablehlo.multiply %38, %35 : tensor<70xf64>
  %40 = stablehlo.add %39, %37 : tensor<70xf64>
  %41 = stablehlo.sine %40 : tensor<70xf64>
  %42 = stablehlo.reshape %41 : (tensor<70xf64>) -> tensor<35x2xf64>
  %43 = stablehlo.complex %34, %42 : tensor<35x2xcomplex<f64>>
  %44 = "stablehlo.triangular_solve"(%26, %43) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose ADJOINT>, unit_diagonal = false}> : (tensor<35x35xcomplex<f64>>, tensor<35x2xcomplex<f64>>) -> tensor<35x2xcomplex<f64>>
  %45 = stablehlo.iota dim = 0 : tensor<35x35xi32>
  %46 = stablehlo.iota dim = 1 : tensor<35x35xi32>
  %47 = stablehlo.compare GE, %45, %46 : (tensor<35x35xi32>, tensor<35x35xi32>) -> tensor<35x35xi1>
  %48 = stablehlo.constant dense<(0.0, 0.0)> : tensor<35x35xcomplex<f64>>
  %49 = stablehlo.select %47, %26, %48 : tensor<35x35xi1>, tensor<35x35xcomplex<f64>>
  %50 = stablehlo.real %49 : (tensor<35x35xcomplex<f64>>) -> tensor<35x35xf64>
  %51 = stablehlo.imag %49 : (tensor<35x35xcomplex<f64>>) -> tensor<35x35xf64>
  %52 = stablehlo.negate %51 : tensor<35x35xf64>
  %53 = stablehlo.complex %50, %52 : tensor<35x35xcomplex<f64>>
  %54 = stablehlo.dot_general %53, %44, contracting_dims = [0] x [0] : (tensor<35x35xcomplex<f64>>, tensor<35x2xcomplex<f64>>) -> tensor<35x2xcomplex<f64>>
  %55 = stablehlo.subtract %54, %43 : tensor<35x2xcomplex<f64>>
  %56 = stablehlo.abs %55 : (tensor<35x2xcomplex<f64>>) -> tensor<35x2xf64>
  %57 = stablehlo.constant dense<0.0> : tensor<f64>
  %58 = stablehlo.reduce(%56 init: %57) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<35x2xf64>, tensor<f64>) -> tensor<f64>
  %59 = stablehlo.constant dense<1.0e-11> : tensor<f64>
  %60 = stablehlo.compare LT, %58, %59 : (tensor<f64>, tensor<f64>) -> tensor<i1>
  return %60 : tensor<i1>
}

// The product of the matrix and the solution is the right side.
func.func private @right_upper_transposed() -> tensor<i1> {
  %1 = stablehlo.iota dim = 0 : tensor<4096xf32>
  %2 = stablehlo.constant dense<0.37> : tensor<4096xf32>
  %3 = stablehlo.constant dense<0.5> : tensor<4096xf32>
  %4 = stablehlo.multiply %1, %2 : tensor<4096xf32>
  %5 = stablehlo.multiply %4, %1 : tensor<4096xf32>
  %6 = stablehlo.add %5, %3 : tensor<4096xf32>
  %7 = stablehlo.sine %6 : tensor<4096xf32>
  %8 = stablehlo.reshape %7 : (tensor<4096xf32>) -> tensor<64x64xf32>
  %9 = stablehlo.constant dense<0.1> : tensor<64x64xf32>
  %10 = stablehlo.multiply %8, %9 : tensor<64x64xf32>
  %11 = stablehlo.iota dim = 0 : tensor<64x64xi32>
  %12 = stablehlo.iota dim = 1 : tensor<64x64xi32>
  %13 = stablehlo.compare EQ, %11, %12 : (tensor<64x64xi32>, tensor<64x64xi32>) -> tensor<64x64xi1>
  %14 = stablehlo.convert %13 : (tensor<64x64xi1>) -> tensor<64x64xf32>
  %15 = stablehlo.constant dense<2.0> : tensor<64x64xf32>
  %16 = stablehlo.multiply %14, %15 : tensor<64x64xf32>
  %17 = stablehlo.add %10, %16 : tensor<64x64xf32>
  %18 = stablehlo.iota dim = 0 : tensor<4096xf32>
  %19 = stablehlo.constant dense<0.6699999999999999> : tensor<4096xf32>
  %20 = stablehlo.constant dense<0.5> : tensor<4096xf32>
  %21 = stablehlo.multiply %18, %19 : tensor<4096xf32>
  %22 = stablehlo.multiply %21, %18 : tensor<4096xf32>
  %23 = stablehlo.add %22, %20 : tensor<4096xf32>
  %24 = stablehlo.sine %23 : tensor<4096xf32>
  %25 = stablehlo.reshape %24 : (tensor<4096xf32>) -> tensor<64x64xf32>
  %26 = "stablehlo.triangular_solve"(%17, %25) <{left_side = false, lower = false, transpose_a = #stablehlo<transpose TRANSPOSE>, unit_diagonal = false}> : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %27 = stablehlo.iota dim = 0 : tensor<64x64xi32>
  %28 = stablehlo.iota dim = 1 : tensor<64x64xi32>
  %29 = stablehlo.compare LE, %27, %28 : (tensor<64x64xi32>, tensor<64x64xi32>) -> tensor<64x64xi1>
  %30 = stablehlo.constant dense<0.0> : tensor<64x64xf32>
  %31 = stablehlo.select %29, %17, %30 : tensor<64x64xi1>, tensor<64x64xf32>
  %32 = stablehlo.dot_general %26, %31, contracting_dims = [1] x [1] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %33 = stablehlo.subtract %32, %25 : tensor<64x64xf32>
  %34 = stablehlo.abs %33 : tensor<64x64xf32>
  %35 = stablehlo.constant dense<0.0> : tensor<f32>
  %36 = stablehlo.reduce(%34 init: %35) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<64x64xf32>, tensor<f32>) -> tensor<f32>
  %37 = stablehlo.constant dense<1.0e-4> : tensor<f32>
  %38 = stablehlo.compare LT, %36, %37 : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %38 : tensor<i1>
}

func.func private @exact() -> (tensor<2x1xf32>, tensor<1x2xf32>) {
  // The other triangle is not read.
  %a = stablehlo.constant dense<[[2.0, 99.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %b = stablehlo.constant dense<[[2.0], [11.0]]> : tensor<2x1xf32>
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<2x2xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
  %c = stablehlo.constant dense<[[7.0, 2.0]]> : tensor<1x2xf32>
  %1 = "stablehlo.triangular_solve"(%a, %c) <{left_side = false, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = true}> : (tensor<2x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
  return %0, %1 : tensor<2x1xf32>, tensor<1x2xf32>
}

func.func @main() -> (tensor<i1>, tensor<2x1xf32>, tensor<1x2xf32>) {
  %0 = call @left_lower() : () -> tensor<i1>
  %1 = call @left_upper_transposed() : () -> tensor<i1>
  %2 = call @right_upper() : () -> tensor<i1>
  %3 = call @right_lower_adjoint() : () -> tensor<i1>
  %4 = call @left_lower_adjoint() : () -> tensor<i1>
  %5 = call @right_upper_transposed() : () -> tensor<i1>
  %a0 = stablehlo.and %0, %1 : tensor<i1>
  %a1 = stablehlo.and %a0, %2 : tensor<i1>
  %a2 = stablehlo.and %a1, %3 : tensor<i1>
  %a3 = stablehlo.and %a2, %4 : tensor<i1>
  %a4 = stablehlo.and %a3, %5 : tensor<i1>
  %e:2 = call @exact() : () -> (tensor<2x1xf32>, tensor<1x2xf32>)
  return %a4, %e#0, %e#1 : tensor<i1>, tensor<2x1xf32>, tensor<1x2xf32>
}

// CHECK: result #0: i1 = true
// CHECK-NEXT: result #1: 2x1xf32
// CHECK-NEXT: {{\[\[}}1.0],
// CHECK-NEXT:  [2.0]]
// CHECK-NEXT: result #2: 1x2xf32
// CHECK-NEXT: {{\[\[}}1.0, 2.0]]
