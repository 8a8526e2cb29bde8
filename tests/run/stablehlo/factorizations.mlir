// Custom calls of linear algebra, as JAX emits them for platforms without LAPACK, and those for eigenvalues and singular values.
//
// RUN: freehold run - < %s | FileCheck %s
// RUN: freehold run - --check -O0 < %s | FileCheck %s

// Q has orthogonal columns, and Q * R is the matrix.
func.func private @qr_blocks() -> (tensor<i1>, tensor<i1>) {
  %1 = stablehlo.iota dim = 0 : tensor<2800xf32>
  %2 = stablehlo.constant dense<0.47> : tensor<2800xf32>
  %3 = stablehlo.constant dense<0.5> : tensor<2800xf32>
  %4 = stablehlo.multiply %1, %2 : tensor<2800xf32>
  %5 = stablehlo.multiply %4, %1 : tensor<2800xf32>
  %6 = stablehlo.add %5, %3 : tensor<2800xf32>
  %7 = stablehlo.sine %6 : tensor<2800xf32>
  %8 = stablehlo.reshape %7 : (tensor<2800xf32>) -> tensor<70x40xf32>
  %9:2 = stablehlo.custom_call @Qr(%8) {backend_config = ""} : (tensor<70x40xf32>) -> (tensor<70x40xf32>, tensor<40xf32>)
  %10 = stablehlo.custom_call @ProductOfElementaryHouseholderReflectors(%9#0, %9#1) {backend_config = ""} : (tensor<70x40xf32>, tensor<40xf32>) -> tensor<70x40xf32>
  %11 = stablehlo.slice %9#0 [0:40, 0:40] : (tensor<70x40xf32>) -> tensor<40x40xf32>
  %12 = stablehlo.iota dim = 0 : tensor<40x40xi32>
  %13 = stablehlo.iota dim = 1 : tensor<40x40xi32>
  %14 = stablehlo.compare LE, %12, %13 : (tensor<40x40xi32>, tensor<40x40xi32>) -> tensor<40x40xi1>
  %15 = stablehlo.constant dense<0.0> : tensor<40x40xf32>
  %16 = stablehlo.select %14, %11, %15 : tensor<40x40xi1>, tensor<40x40xf32>
  %17 = stablehlo.dot_general %10, %16, contracting_dims = [1] x [0] : (tensor<70x40xf32>, tensor<40x40xf32>) -> tensor<70x40xf32>
  %18 = stablehlo.subtract %17, %8 : tensor<70x40xf32>
  %19 = stablehlo.abs %18 : tensor<70x40xf32>
  %20 = stablehlo.constant dense<0.0> : tensor<f32>
  %21 = stablehlo.reduce(%19 init: %20) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<70x40xf32>, tensor<f32>) -> tensor<f32>
  %22 = stablehlo.constant dense<1.0e-4> : tensor<f32>
  %23 = stablehlo.compare LT, %21, %22 : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %24 = stablehlo.dot_general %10, %10, contracting_dims = [0] x [0] : (tensor<70x40xf32>, tensor<70x40xf32>) -> tensor<40x40xf32>
  %25 = stablehlo.iota dim = 0 : tensor<40x40xi32>
  %26 = stablehlo.iota dim = 1 : tensor<40x40xi32>
  %27 = stablehlo.compare EQ, %25, %26 : (tensor<40x40xi32>, tensor<40x40xi32>) -> tensor<40x40xi1>
  %28 = stablehlo.convert %27 : (tensor<40x40xi1>) -> tensor<40x40xf32>
  %29 = stablehlo.subtract %24, %28 : tensor<40x40xf32>
  %30 = stablehlo.abs %29 : tensor<40x40xf32>
  %31 = stablehlo.constant dense<0.0> : tensor<f32>
  %32 = stablehlo.reduce(%30 init: %31) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<40x40xf32>, tensor<f32>) -> tensor<f32>
  %33 = stablehlo.constant dense<1.0e-4> : tensor<f32>
  %34 = stablehlo.compare LT, %32, %33 : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %23, %34 : tensor<i1>, tensor<i1>
}

// Q has orthogonal columns, and Q * R is the matrix.
func.func private @qr_wide() -> (tensor<i1>, tensor<i1>) {
  %1 = stablehlo.iota dim = 0 : tensor<90xf64>
  %2 = stablehlo.constant dense<0.47> : tensor<90xf64>
  %3 = stablehlo.constant dense<0.5> : tensor<90xf64>
  %4 = stablehlo.multiply %1, %2 : tensor<90xf64>
  %5 = stablehlo.multiply %4, %1 : tensor<90xf64>
  %6 = stablehlo.add %5, %3 : tensor<90xf64>
  %7 = stablehlo.sine %6 : tensor<90xf64>
  %8 = stablehlo.reshape %7 : (tensor<90xf64>) -> tensor<2x5x9xf64>
  %9:2 = stablehlo.custom_call @Qr(%8) {backend_config = ""} : (tensor<2x5x9xf64>) -> (tensor<2x5x9xf64>, tensor<2x5xf64>)
  %10 = stablehlo.slice %9#0 [0:2, 0:5, 0:5] : (tensor<2x5x9xf64>) -> tensor<2x5x5xf64>
  %11 = stablehlo.custom_call @ProductOfElementaryHouseholderReflectors(%10, %9#1) {backend_config = ""} : (tensor<2x5x5xf64>, tensor<2x5xf64>) -> tensor<2x5x5xf64>
  %12 = stablehlo.iota dim = 1 : tensor<2x5x9xi32>
  %13 = stablehlo.iota dim = 2 : tensor<2x5x9xi32>
  %14 = stablehlo.compare LE, %12, %13 : (tensor<2x5x9xi32>, tensor<2x5x9xi32>) -> tensor<2x5x9xi1>
  %15 = stablehlo.constant dense<0.0> : tensor<2x5x9xf64>
  %16 = stablehlo.select %14, %9#0, %15 : tensor<2x5x9xi1>, tensor<2x5x9xf64>
  %17 = stablehlo.dot_general %11, %16, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x5x5xf64>, tensor<2x5x9xf64>) -> tensor<2x5x9xf64>
  %18 = stablehlo.subtract %17, %8 : tensor<2x5x9xf64>
  %19 = stablehlo.abs %18 : tensor<2x5x9xf64>
  %20 = stablehlo.constant dense<0.0> : tensor<f64>
  %21 = stablehlo.reduce(%19 init: %20) applies stablehlo.maximum across dimensions = [0, 1, 2] : (tensor<2x5x9xf64>, tensor<f64>) -> tensor<f64>
  %22 = stablehlo.constant dense<1.0e-12> : tensor<f64>
  %23 = stablehlo.compare LT, %21, %22 : (tensor<f64>, tensor<f64>) -> tensor<i1>
  %24 = stablehlo.dot_general %11, %11, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<2x5x5xf64>, tensor<2x5x5xf64>) -> tensor<2x5x5xf64>
  %25 = stablehlo.iota dim = 1 : tensor<2x5x5xi32>
  %26 = stablehlo.iota dim = 2 : tensor<2x5x5xi32>
  %27 = stablehlo.compare EQ, %25, %26 : (tensor<2x5x5xi32>, tensor<2x5x5xi32>) -> tensor<2x5x5xi1>
  %28 = stablehlo.convert %27 : (tensor<2x5x5xi1>) -> tensor<2x5x5xf64>
  %29 = stablehlo.subtract %24, %28 : tensor<2x5x5xf64>
  %30 = stablehlo.abs %29 : tensor<2x5x5xf64>
  %31 = stablehlo.constant dense<0.0> : tensor<f64>
  %32 = stablehlo.reduce(%30 init: %31) applies stablehlo.maximum across dimensions = [0, 1, 2] : (tensor<2x5x5xf64>, tensor<f64>) -> tensor<f64>
  %33 = stablehlo.constant dense<1.0e-12> : tensor<f64>
  %34 = stablehlo.compare LT, %32, %33 : (tensor<f64>, tensor<f64>) -> tensor<i1>
  return %23, %34 : tensor<i1>, tensor<i1>
}

// Q has orthogonal columns, and Q * R is the matrix.
func.func private @qr_complex() -> (tensor<i1>, tensor<i1>) {
  %1 = stablehlo.iota dim = 0 : tensor<1225xf32>
  %2 = stablehlo.constant dense<0.47> : tensor<1225xf32>
  %3 = stablehlo.constant dense<0.5> : tensor<1225xf32>
  %4 = stablehlo.multiply %1, %2 : tensor<1225xf32>
  %5 = stablehlo.multiply %4, %1 : tensor<1225xf32>
  %6 = stablehlo.add %5, %3 : tensor<1225xf32>
  %7 = stablehlo.sine %6 : tensor<1225xf32>
  %8 = stablehlo.reshape %7 : (tensor<1225xf32>) -> tensor<35x35xf32>
  %9 = stablehlo.iota dim = 0 : tensor<1225xf32>
  %10 = stablehlo.constant dense<0.33> : tensor<1225xf32>
  %11 = stablehlo.constant dense<1.5> : tensor<1225xf32>
  %12 = stablehlo.multiply %9, %10 : tensor<1225xf32>
  %13 = stablehlo.multiply %12, %9 : tensor<1225xf32>
  %14 = stablehlo.add %13, %11 : tensor<1225xf32>
  %15 = stablehlo.sine %14 : tensor<1225xf32>
  %16 = stablehlo.reshape %15 : (tensor<1225xf32>) -> tensor<35x35xf32>
  %17 = stablehlo.complex %8, %16 : tensor<35x35xcomplex<f32>>
  %18:2 = stablehlo.custom_call @Qr(%17) {backend_config = ""} : (tensor<35x35xcomplex<f32>>) -> (tensor<35x35xcomplex<f32>>, tensor<35xcomplex<f32>>)
  %19 = stablehlo.custom_call @ProductOfElementaryHouseholderReflectors(%18#0, %18#1) {backend_config = ""} : (tensor<35x35xcomplex<f32>>, tensor<35xcomplex<f32>>) -> tensor<35x35xcomplex<f32>>
  %20 = stablehlo.iota dim = 0 : tensor<35x35xi32>
  %21 = stablehlo.iota dim = 1 : tensor<35x35xi32>
  %22 = stablehlo.compare LE, %20, %21 : (tensor<35x35xi32>, tensor<35x35xi32>) -> tensor<35x35xi1>
  %23 = stablehlo.constant dense<(0.0, 0.0)> : tensor<35x35xcomplex<f32>>
  %24 = stablehlo.select %22, %18#0, %23 : tensor<35x35xi1>, tensor<35x35xcomplex<f32>>
  %25 = stablehlo.dot_general %19, %24, contracting_dims = [1] x [0] : (tensor<35x35xcomplex<f32>>, tensor<35x35xcomplex<f32>>) -> tensor<35x35xcomplex<f32>>
  %26 = stablehlo.subtract %25, %17 : tensor<35x35xcomplex<f32>>
  %27 = stablehlo.abs %26 : (tensor<35x35xcomplex<f32>>) -> tensor<35x35xf32>
  %28 = stablehlo.constant dense<0.0> : tensor<f32>
  %29 = stablehlo.reduce(%27 init: %28) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<35x35xf32>, tensor<f32>) -> tensor<f32>
  %30 = stablehlo.constant dense<1.0e-4> : tensor<f32>
  %31 = stablehlo.compare LT, %29, %30 : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %32 = stablehlo.real %19 : (tensor<35x35xcomplex<f32>>) -> tensor<35x35xf32>
  %33 = stablehlo.imag %19 : (tensor<35x35xcomplex<f32>>) -> tensor<35x35xf32>
  %34 = stablehlo.negate %33 : tensor<35x35xf32>
  %35 = stablehlo.complex %32, %34 : tensor<35x35xcomplex<f32>>
  %36 = stablehlo.dot_general %35, %19, contracting_dims = [0] x [0] : (tensor<35x35xcomplex<f32>>, tensor<35x35xcomplex<f32>>) -> tensor<35x35xcomplex<f32>>
  %37 = stablehlo.iota dim = 0 : tensor<35x35xi32>
  %38 = stablehlo.iota dim = 1 : tensor<35x35xi32>
  %39 = stablehlo.compare EQ, %37, %38 : (tensor<35x35xi32>, tensor<35x35xi32>) -> tensor<35x35xi1>
  %40 = stablehlo.convert %39 : (tensor<35x35xi1>) -> tensor<35x35xcomplex<f32>>
  %41 = stablehlo.subtract %36, %40 : tensor<35x35xcomplex<f32>>
  %42 = stablehlo.abs %41 : (tensor<35x35xcomplex<f32>>) -> tensor<35x35xf32>
  %43 = stablehlo.constant dense<0.0> : tensor<f32>
  %44 = stablehlo.reduce(%42 init: %43) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<35x35xf32>, tensor<f32>) -> tensor<f32>
  %45 = stablehlo.constant dense<1.0e-4> : tensor<f32>
  %46 = stablehlo.compare LT, %44, %45 : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %31, %46 : tensor<i1>, tensor<i1>
}

// Vectors are orthogonal, and values times vectors are the matrix times vectors.
func.func private @eigh_real() -> (tensor<i1>, tensor<i1>) {
  %1 = stablehlo.iota dim = 0 : tensor<2025xf32>
  %2 = stablehlo.constant dense<0.47> : tensor<2025xf32>
  %3 = stablehlo.constant dense<0.5> : tensor<2025xf32>
  %4 = stablehlo.multiply %1, %2 : tensor<2025xf32>
  %5 = stablehlo.multiply %4, %1 : tensor<2025xf32>
  %6 = stablehlo.add %5, %3 : tensor<2025xf32>
  %7 = stablehlo.sine %6 : tensor<2025xf32>
  %8 = stablehlo.reshape %7 : (tensor<2025xf32>) -> tensor<45x45xf32>
  %9 = stablehlo.transpose %8, dims = [1, 0] : (tensor<45x45xf32>) -> tensor<45x45xf32>
  %10 = stablehlo.add %8, %9 : tensor<45x45xf32>
  %11 = stablehlo.iota dim = 0 : tensor<45x45xi32>
  %12 = stablehlo.iota dim = 1 : tensor<45x45xi32>
  %13 = stablehlo.compare GE, %11, %12 : (tensor<45x45xi32>, tensor<45x45xi32>) -> tensor<45x45xi1>
  %14 = stablehlo.constant dense<0.0> : tensor<45x45xf32>
  %15 = stablehlo.select %13, %10, %14 : tensor<45x45xi1>, tensor<45x45xf32>
  %16:2 = stablehlo.custom_call @Eigh(%15) {backend_config = "1,1,100,1e-6"} : (tensor<45x45xf32>) -> (tensor<45x45xf32>, tensor<45xf32>)
  %17 = stablehlo.dot_general %10, %16#0, contracting_dims = [1] x [0] : (tensor<45x45xf32>, tensor<45x45xf32>) -> tensor<45x45xf32>
  %18 = stablehlo.broadcast_in_dim %16#1, dims = [1] : (tensor<45xf32>) -> tensor<45x45xf32>
  %19 = stablehlo.multiply %16#0, %18 : tensor<45x45xf32>
  %20 = stablehlo.subtract %17, %19 : tensor<45x45xf32>
  %21 = stablehlo.abs %20 : tensor<45x45xf32>
  %22 = stablehlo.constant dense<0.0> : tensor<f32>
  %23 = stablehlo.reduce(%21 init: %22) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<45x45xf32>, tensor<f32>) -> tensor<f32>
  %24 = stablehlo.constant dense<1.0e-3> : tensor<f32>
  %25 = stablehlo.compare LT, %23, %24 : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %26 = stablehlo.dot_general %16#0, %16#0, contracting_dims = [0] x [0] : (tensor<45x45xf32>, tensor<45x45xf32>) -> tensor<45x45xf32>
  %27 = stablehlo.iota dim = 0 : tensor<45x45xi32>
  %28 = stablehlo.iota dim = 1 : tensor<45x45xi32>
  %29 = stablehlo.compare EQ, %27, %28 : (tensor<45x45xi32>, tensor<45x45xi32>) -> tensor<45x45xi1>
  %30 = stablehlo.convert %29 : (tensor<45x45xi1>) -> tensor<45x45xf32>
  %31 = stablehlo.subtract %26, %30 : tensor<45x45xf32>
  %32 = stablehlo.abs %31 : tensor<45x45xf32>
  %33 = stablehlo.constant dense<0.0> : tensor<f32>
  %34 = stablehlo.reduce(%32 init: %33) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<45x45xf32>, tensor<f32>) -> tensor<f32>
  %35 = stablehlo.constant dense<1.0e-3> : tensor<f32>
  %36 = stablehlo.compare LT, %34, %35 : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %25, %36 : tensor<i1>, tensor<i1>
}

// Vectors are orthogonal, and values times vectors are the matrix times vectors.
func.func private @eigh_complex() -> (tensor<i1>, tensor<i1>) {
  %1 = stablehlo.iota dim = 0 : tensor<72xf64>
  %2 = stablehlo.constant dense<0.47> : tensor<72xf64>
  %3 = stablehlo.constant dense<0.5> : tensor<72xf64>
  %4 = stablehlo.multiply %1, %2 : tensor<72xf64>
  %5 = stablehlo.multiply %4, %1 : tensor<72xf64>
  %6 = stablehlo.add %5, %3 : tensor<72xf64>
  %7 = stablehlo.sine %6 : tensor<72xf64>
  %8 = stablehlo.reshape %7 : (tensor<72xf64>) -> tensor<2x6x6xf64>
  %9 = stablehlo.iota dim = 0 : tensor<72xf64>
  %10 = stablehlo.constant dense<0.33> : tensor<72xf64>
  %11 = stablehlo.constant dense<1.5> : tensor<72xf64>
  %12 = stablehlo.multiply %9, %10 : tensor<72xf64>
  %13 = stablehlo.multiply %12, %9 : tensor<72xf64>
  %14 = stablehlo.add %13, %11 : tensor<72xf64>
  %15 = stablehlo.sine %14 : tensor<72xf64>
  %16 = stablehlo.reshape %15 : (tensor<72xf64>) -> tensor<2x6x6xf64>
  %17 = stablehlo.complex %8, %16 : tensor<2x6x6xcomplex<f64>>
  %18 = stablehlo.real %17 : (tensor<2x6x6xcomplex<f64>>) -> tensor<2x6x6xf64>
  %19 = stablehlo.imag %17 : (tensor<2x6x6xcomplex<f64>>) -> tensor<2x6x6xf64>
  %20 = stablehlo.negate %19 : tensor<2x6x6xf64>
  %21 = stablehlo.complex %18, %20 : tensor<2x6x6xcomplex<f64>>
  %22 = stablehlo.transpose %21, dims = [0, 2, 1] : (tensor<2x6x6xcomplex<f64>>) -> tensor<2x6x6xcomplex<f64>>
  %23 = stablehlo.add %17, %22 : tensor<2x6x6xcomplex<f64>>
  %24 = stablehlo.iota dim = 1 : tensor<2x6x6xi32>
  %25 = stablehlo.iota dim = 2 : tensor<2x6x6xi32>
  %26 = stablehlo.compare GE, %24, %25 : (tensor<2x6x6xi32>, tensor<2x6x6xi32>) -> tensor<2x6x6xi1>
  %27 = stablehlo.constant dense<(0.0, 0.0)> : tensor<2x6x6xcomplex<f64>>
  %28 = stablehlo.select %26, %23, %27 : tensor<2x6x6xi1>, tensor<2x6x6xcomplex<f64>>
  %29:2 = stablehlo.custom_call @Eigh(%28) {backend_config = "1,1,100,1e-6"} : (tensor<2x6x6xcomplex<f64>>) -> (tensor<2x6x6xcomplex<f64>>, tensor<2x6xf64>)
  %30 = stablehlo.dot_general %23, %29#0, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x6x6xcomplex<f64>>, tensor<2x6x6xcomplex<f64>>) -> tensor<2x6x6xcomplex<f64>>
  %31 = stablehlo.convert %29#1 : (tensor<2x6xf64>) -> tensor<2x6xcomplex<f64>>
  %32 = stablehlo.broadcast_in_dim %31, dims = [0, 2] : (tensor<2x6xcomplex<f64>>) -> tensor<2x6x6xcomplex<f64>>
  %33 = stablehlo.multiply %29#0, %32 : tensor<2x6x6xcomplex<f64>>
  %34 = stablehlo.subtract %30, %33 : tensor<2x6x6xcomplex<f64>>
  %35 = stablehlo.abs %34 : (tensor<2x6x6xcomplex<f64>>) -> tensor<2x6x6xf64>
  %36 = stablehlo.constant dense<0.0> : tensor<f64>
  %37 = stablehlo.reduce(%35 init: %36) applies stablehlo.maximum across dimensions = [0, 1, 2] : (tensor<2x6x6xf64>, tensor<f64>) -> tensor<f64>
  %38 = stablehlo.constant dense<1.0e-11> : tensor<f64>
  %39 = stablehlo.compare LT, %37, %38 : (tensor<f64>, tensor<f64>) -> tensor<i1>
  %40 = stablehlo.real %29#0 : (tensor<2x6x6xcomplex<f64>>) -> tensor<2x6x6xf64>
  %41 = stablehlo.imag %29#0 : (tensor<2x6x6xcomplex<f64>>) -> tensor<2x6x6xf64>
  %42 = stablehlo.negate %41 : tensor<2x6x6xf64>
  %43 = stablehlo.complex %40, %42 : tensor<2x6x6xcomplex<f64>>
  %44 = stablehlo.dot_general %43, %29#0, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<2x6x6xcomplex<f64>>, tensor<2x6x6xcomplex<f64>>) -> tensor<2x6x6xcomplex<f64>>
  %45 = stablehlo.iota dim = 1 : tensor<2x6x6xi32>
  %46 = stablehlo.iota dim = 2 : tensor<2x6x6xi32>
  %47 = stablehlo.compare EQ, %45, %46 : (tensor<2x6x6xi32>, tensor<2x6x6xi32>) -> tensor<2x6x6xi1>
  %48 = stablehlo.convert %47 : (tensor<2x6x6xi1>) -> tensor<2x6x6xcomplex<f64>>
  %49 = stablehlo.subtract %44, %48 : tensor<2x6x6xcomplex<f64>>
  %50 = stablehlo.abs %49 : (tensor<2x6x6xcomplex<f64>>) -> tensor<2x6x6xf64>
  %51 = stablehlo.constant dense<0.0> : tensor<f64>
  %52 = stablehlo.reduce(%50 init: %51) applies stablehlo.maximum across dimensions = [0, 1, 2] : (tensor<2x6x6xf64>, tensor<f64>) -> tensor<f64>
  %53 = stablehlo.constant dense<1.0e-11> : tensor<f64>
  %54 = stablehlo.compare LT, %52, %53 : (tensor<f64>, tensor<f64>) -> tensor<i1>
  return %39, %54 : tensor<i1>, tensor<i1>
}

// The product of what it is decomposed into is the matrix.
func.func private @svd_tall() -> (tensor<i1>, tensor<i1>, tensor<i1>) {
  %1 = stablehlo.iota dim = 0 : tensor<1320xf32>
  %2 = stablehlo.constant dense<0.47> : tensor<1320xf32>
  %3 = stablehlo.constant dense<0.5> : tensor<1320xf32>
  %4 = stablehlo.multiply %1, %2 : tensor<1320xf32>
  %5 = stablehlo.multiply %4, %1 : tensor<1320xf32>
  %6 = stablehlo.add %5, %3 : tensor<1320xf32>
  %7 = stablehlo.sine %6 : tensor<1320xf32>
  %8 = stablehlo.reshape %7 : (tensor<1320xf32>) -> tensor<40x33xf32>
  %9:3 = stablehlo.custom_call @Svd(%8) : (tensor<40x33xf32>) -> (tensor<33xf32>, tensor<40x33xf32>, tensor<33x33xf32>)
  %10 = stablehlo.broadcast_in_dim %9#0, dims = [1] : (tensor<33xf32>) -> tensor<40x33xf32>
  %11 = stablehlo.multiply %9#1, %10 : tensor<40x33xf32>
  %12 = stablehlo.dot_general %11, %9#2, contracting_dims = [1] x [0] : (tensor<40x33xf32>, tensor<33x33xf32>) -> tensor<40x33xf32>
  %13 = stablehlo.subtract %12, %8 : tensor<40x33xf32>
  %14 = stablehlo.abs %13 : tensor<40x33xf32>
  %15 = stablehlo.constant dense<0.0> : tensor<f32>
  %16 = stablehlo.reduce(%14 init: %15) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<40x33xf32>, tensor<f32>) -> tensor<f32>
  %17 = stablehlo.constant dense<1.0e-3> : tensor<f32>
  %18 = stablehlo.compare LT, %16, %17 : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %19 = stablehlo.dot_general %9#1, %9#1, contracting_dims = [0] x [0] : (tensor<40x33xf32>, tensor<40x33xf32>) -> tensor<33x33xf32>
  %20 = stablehlo.iota dim = 0 : tensor<33x33xi32>
  %21 = stablehlo.iota dim = 1 : tensor<33x33xi32>
  %22 = stablehlo.compare EQ, %20, %21 : (tensor<33x33xi32>, tensor<33x33xi32>) -> tensor<33x33xi1>
  %23 = stablehlo.convert %22 : (tensor<33x33xi1>) -> tensor<33x33xf32>
  %24 = stablehlo.subtract %19, %23 : tensor<33x33xf32>
  %25 = stablehlo.abs %24 : tensor<33x33xf32>
  %26 = stablehlo.constant dense<0.0> : tensor<f32>
  %27 = stablehlo.reduce(%25 init: %26) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<33x33xf32>, tensor<f32>) -> tensor<f32>
  %28 = stablehlo.constant dense<1.0e-3> : tensor<f32>
  %29 = stablehlo.compare LT, %27, %28 : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %30 = stablehlo.dot_general %9#2, %9#2, contracting_dims = [1] x [1] : (tensor<33x33xf32>, tensor<33x33xf32>) -> tensor<33x33xf32>
  %31 = stablehlo.subtract %30, %23 : tensor<33x33xf32>
  %32 = stablehlo.abs %31 : tensor<33x33xf32>
  %33 = stablehlo.constant dense<0.0> : tensor<f32>
  %34 = stablehlo.reduce(%32 init: %33) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<33x33xf32>, tensor<f32>) -> tensor<f32>
  %35 = stablehlo.constant dense<1.0e-3> : tensor<f32>
  %36 = stablehlo.compare LT, %34, %35 : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %18, %29, %36 : tensor<i1>, tensor<i1>, tensor<i1>
}

// The product of what it is decomposed into is the matrix.
func.func private @svd_wide() -> (tensor<i1>, tensor<i1>, tensor<i1>) {
  %1 = stablehlo.iota dim = 0 : tensor<28xf64>
  %2 = stablehlo.constant dense<0.47> : tensor<28xf64>
  %3 = stablehlo.constant dense<0.5> : tensor<28xf64>
  %4 = stablehlo.multiply %1, %2 : tensor<28xf64>
  %5 = stablehlo.multiply %4, %1 : tensor<28xf64>
  %6 = stablehlo.add %5, %3 : tensor<28xf64>
  %7 = stablehlo.sine %6 : tensor<28xf64>
  %8 = stablehlo.reshape %7 : (tensor<28xf64>) -> tensor<4x7xf64>
  %9 = stablehlo.iota dim = 0 : tensor<28xf64>
  %10 = stablehlo.constant dense<0.33> : tensor<28xf64>
  %11 = stablehlo.constant dense<1.5> : tensor<28xf64>
  %12 = stablehlo.multiply %9, %10 : tensor<28xf64>
  %13 = stablehlo.multiply %12, %9 : tensor<28xf64>
  %14 = stablehlo.add %13, %11 : tensor<28xf64>
  %15 = stablehlo.sine %14 : tensor<28xf64>
  %16 = stablehlo.reshape %15 : (tensor<28xf64>) -> tensor<4x7xf64>
  %17 = stablehlo.complex %8, %16 : tensor<4x7xcomplex<f64>>
  %18:3 = stablehlo.custom_call @Svd(%17) : (tensor<4x7xcomplex<f64>>) -> (tensor<4xf64>, tensor<4x4xcomplex<f64>>, tensor<4x7xcomplex<f64>>)
  %19 = stablehlo.convert %18#0 : (tensor<4xf64>) -> tensor<4xcomplex<f64>>
  %20 = stablehlo.broadcast_in_dim %19, dims = [1] : (tensor<4xcomplex<f64>>) -> tensor<4x4xcomplex<f64>>
  %21 = stablehlo.multiply %18#1, %20 : tensor<4x4xcomplex<f64>>
  %22 = stablehlo.dot_general %21, %18#2, contracting_dims = [1] x [0] : (tensor<4x4xcomplex<f64>>, tensor<4x7xcomplex<f64>>) -> tensor<4x7xcomplex<f64>>
  %23 = stablehlo.subtract %22, %17 : tensor<4x7xcomplex<f64>>
  %24 = stablehlo.abs %23 : (tensor<4x7xcomplex<f64>>) -> tensor<4x7xf64>
  %25 = stablehlo.constant dense<0.0> : tensor<f64>
  %26 = stablehlo.reduce(%24 init: %25) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<4x7xf64>, tensor<f64>) -> tensor<f64>
  %27 = stablehlo.constant dense<1.0e-11> : tensor<f64>
  %28 = stablehlo.compare LT, %26, %27 : (tensor<f64>, tensor<f64>) -> tensor<i1>
  %29 = stablehlo.real %18#1 : (tensor<4x4xcomplex<f64>>) -> tensor<4x4xf64>
  %30 = stablehlo.imag %18#1 : (tensor<4x4xcomplex<f64>>) -> tensor<4x4xf64>
  %31 = stablehlo.negate %30 : tensor<4x4xf64>
  %32 = stablehlo.complex %29, %31 : tensor<4x4xcomplex<f64>>
  %33 = stablehlo.dot_general %32, %18#1, contracting_dims = [0] x [0] : (tensor<4x4xcomplex<f64>>, tensor<4x4xcomplex<f64>>) -> tensor<4x4xcomplex<f64>>
  %34 = stablehlo.iota dim = 0 : tensor<4x4xi32>
  %35 = stablehlo.iota dim = 1 : tensor<4x4xi32>
  %36 = stablehlo.compare EQ, %34, %35 : (tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xi1>
  %37 = stablehlo.convert %36 : (tensor<4x4xi1>) -> tensor<4x4xcomplex<f64>>
  %38 = stablehlo.subtract %33, %37 : tensor<4x4xcomplex<f64>>
  %39 = stablehlo.abs %38 : (tensor<4x4xcomplex<f64>>) -> tensor<4x4xf64>
  %40 = stablehlo.constant dense<0.0> : tensor<f64>
  %41 = stablehlo.reduce(%39 init: %40) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<4x4xf64>, tensor<f64>) -> tensor<f64>
  %42 = stablehlo.constant dense<1.0e-11> : tensor<f64>
  %43 = stablehlo.compare LT, %41, %42 : (tensor<f64>, tensor<f64>) -> tensor<i1>
  %44 = stablehlo.real %18#2 : (tensor<4x7xcomplex<f64>>) -> tensor<4x7xf64>
  %45 = stablehlo.imag %18#2 : (tensor<4x7xcomplex<f64>>) -> tensor<4x7xf64>
  %46 = stablehlo.negate %45 : tensor<4x7xf64>
  %47 = stablehlo.complex %44, %46 : tensor<4x7xcomplex<f64>>
  %48 = stablehlo.dot_general %18#2, %47, contracting_dims = [1] x [1] : (tensor<4x7xcomplex<f64>>, tensor<4x7xcomplex<f64>>) -> tensor<4x4xcomplex<f64>>
  %49 = stablehlo.subtract %48, %37 : tensor<4x4xcomplex<f64>>
  %50 = stablehlo.abs %49 : (tensor<4x4xcomplex<f64>>) -> tensor<4x4xf64>
  %51 = stablehlo.constant dense<0.0> : tensor<f64>
  %52 = stablehlo.reduce(%50 init: %51) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<4x4xf64>, tensor<f64>) -> tensor<f64>
  %53 = stablehlo.constant dense<1.0e-11> : tensor<f64>
  %54 = stablehlo.compare LT, %52, %53 : (tensor<f64>, tensor<f64>) -> tensor<i1>
  return %28, %43, %54 : tensor<i1>, tensor<i1>, tensor<i1>
}

// Values times vectors are the matrix times vectors, from both sides.
func.func private @eig_real() -> (tensor<i1>, tensor<i1>) {
  %1 = stablehlo.iota dim = 0 : tensor<144xf64>
  %2 = stablehlo.constant dense<0.47> : tensor<144xf64>
  %3 = stablehlo.constant dense<0.5> : tensor<144xf64>
  %4 = stablehlo.multiply %1, %2 : tensor<144xf64>
  %5 = stablehlo.multiply %4, %1 : tensor<144xf64>
  %6 = stablehlo.add %5, %3 : tensor<144xf64>
  %7 = stablehlo.sine %6 : tensor<144xf64>
  %8 = stablehlo.reshape %7 : (tensor<144xf64>) -> tensor<12x12xf64>
  %9:3 = stablehlo.custom_call @Eig(%8) {backend_config = "left,right"} : (tensor<12x12xf64>) -> (tensor<12xcomplex<f64>>, tensor<12x12xcomplex<f64>>, tensor<12x12xcomplex<f64>>)
  %10 = stablehlo.convert %8 : (tensor<12x12xf64>) -> tensor<12x12xcomplex<f64>>
  %11 = stablehlo.dot_general %10, %9#2, contracting_dims = [1] x [0] : (tensor<12x12xcomplex<f64>>, tensor<12x12xcomplex<f64>>) -> tensor<12x12xcomplex<f64>>
  %12 = stablehlo.broadcast_in_dim %9#0, dims = [1] : (tensor<12xcomplex<f64>>) -> tensor<12x12xcomplex<f64>>
  %13 = stablehlo.multiply %9#2, %12 : tensor<12x12xcomplex<f64>>
  %14 = stablehlo.subtract %11, %13 : tensor<12x12xcomplex<f64>>
  %15 = stablehlo.abs %14 : (tensor<12x12xcomplex<f64>>) -> tensor<12x12xf64>
  %16 = stablehlo.constant dense<0.0> : tensor<f64>
  %17 = stablehlo.reduce(%15 init: %16) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<12x12xf64>, tensor<f64>) -> tensor<f64>
  %18 = stablehlo.constant dense<1.0e-10> : tensor<f64>
  %19 = stablehlo.compare LT, %17, %18 : (tensor<f64>, tensor<f64>) -> tensor<i1>
  %20 = stablehlo.real %9#1 : (tensor<12x12xcomplex<f64>>) -> tensor<12x12xf64>
  %21 = stablehlo.imag %9#1 : (tensor<12x12xcomplex<f64>>) -> tensor<12x12xf64>
  %22 = stablehlo.negate %21 : tensor<12x12xf64>
  %23 = stablehlo.complex %20, %22 : tensor<12x12xcomplex<f64>>
  %24 = stablehlo.dot_general %23, %10, contracting_dims = [0] x [0] : (tensor<12x12xcomplex<f64>>, tensor<12x12xcomplex<f64>>) -> tensor<12x12xcomplex<f64>>
  %25 = stablehlo.broadcast_in_dim %9#0, dims = [0] : (tensor<12xcomplex<f64>>) -> tensor<12x12xcomplex<f64>>
  %26 = stablehlo.transpose %23, dims = [1, 0] : (tensor<12x12xcomplex<f64>>) -> tensor<12x12xcomplex<f64>>
  %27 = stablehlo.multiply %26, %25 : tensor<12x12xcomplex<f64>>
  %28 = stablehlo.subtract %24, %27 : tensor<12x12xcomplex<f64>>
  %29 = stablehlo.abs %28 : (tensor<12x12xcomplex<f64>>) -> tensor<12x12xf64>
  %30 = stablehlo.constant dense<0.0> : tensor<f64>
  %31 = stablehlo.reduce(%29 init: %30) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<12x12xf64>, tensor<f64>) -> tensor<f64>
  %32 = stablehlo.constant dense<1.0e-10> : tensor<f64>
  %33 = stablehlo.compare LT, %31, %32 : (tensor<f64>, tensor<f64>) -> tensor<i1>
  return %19, %33 : tensor<i1>, tensor<i1>
}

// Values times vectors are the matrix times vectors, from both sides.
func.func private @eig_complex() -> (tensor<i1>, tensor<i1>) {
  %1 = stablehlo.iota dim = 0 : tensor<25xf32>
  %2 = stablehlo.constant dense<0.47> : tensor<25xf32>
  %3 = stablehlo.constant dense<0.5> : tensor<25xf32>
  %4 = stablehlo.multiply %1, %2 : tensor<25xf32>
  %5 = stablehlo.multiply %4, %1 : tensor<25xf32>
  %6 = stablehlo.add %5, %3 : tensor<25xf32>
  %7 = stablehlo.sine %6 : tensor<25xf32>
  %8 = stablehlo.reshape %7 : (tensor<25xf32>) -> tensor<5x5xf32>
  %9 = stablehlo.iota dim = 0 : tensor<25xf32>
  %10 = stablehlo.constant dense<0.33> : tensor<25xf32>
  %11 = stablehlo.constant dense<1.5> : tensor<25xf32>
  %12 = stablehlo.multiply %9, %10 : tensor<25xf32>
  %13 = stablehlo.multiply %12, %9 : tensor<25xf32>
  %14 = stablehlo.add %13, %11 : tensor<25xf32>
  %15 = stablehlo.sine %14 : tensor<25xf32>
  %16 = stablehlo.reshape %15 : (tensor<25xf32>) -> tensor<5x5xf32>
  %17 = stablehlo.complex %8, %16 : tensor<5x5xcomplex<f32>>
  %18:3 = stablehlo.custom_call @Eig(%17) {backend_config = "left,right"} : (tensor<5x5xcomplex<f32>>) -> (tensor<5xcomplex<f32>>, tensor<5x5xcomplex<f32>>, tensor<5x5xcomplex<f32>>)
  %19 = stablehlo.dot_general %17, %18#2, contracting_dims = [1] x [0] : (tensor<5x5xcomplex<f32>>, tensor<5x5xcomplex<f32>>) -> tensor<5x5xcomplex<f32>>
  %20 = stablehlo.broadcast_in_dim %18#0, dims = [1] : (tensor<5xcomplex<f32>>) -> tensor<5x5xcomplex<f32>>
  %21 = stablehlo.multiply %18#2, %20 : tensor<5x5xcomplex<f32>>
  %22 = stablehlo.subtract %19, %21 : tensor<5x5xcomplex<f32>>
  %23 = stablehlo.abs %22 : (tensor<5x5xcomplex<f32>>) -> tensor<5x5xf32>
  %24 = stablehlo.constant dense<0.0> : tensor<f32>
  %25 = stablehlo.reduce(%23 init: %24) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<5x5xf32>, tensor<f32>) -> tensor<f32>
  %26 = stablehlo.constant dense<1.0e-4> : tensor<f32>
  %27 = stablehlo.compare LT, %25, %26 : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %28 = stablehlo.real %18#1 : (tensor<5x5xcomplex<f32>>) -> tensor<5x5xf32>
  %29 = stablehlo.imag %18#1 : (tensor<5x5xcomplex<f32>>) -> tensor<5x5xf32>
  %30 = stablehlo.negate %29 : tensor<5x5xf32>
  %31 = stablehlo.complex %28, %30 : tensor<5x5xcomplex<f32>>
  %32 = stablehlo.dot_general %31, %17, contracting_dims = [0] x [0] : (tensor<5x5xcomplex<f32>>, tensor<5x5xcomplex<f32>>) -> tensor<5x5xcomplex<f32>>
  %33 = stablehlo.broadcast_in_dim %18#0, dims = [0] : (tensor<5xcomplex<f32>>) -> tensor<5x5xcomplex<f32>>
  %34 = stablehlo.transpose %31, dims = [1, 0] : (tensor<5x5xcomplex<f32>>) -> tensor<5x5xcomplex<f32>>
  %35 = stablehlo.multiply %34, %33 : tensor<5x5xcomplex<f32>>
  %36 = stablehlo.subtract %32, %35 : tensor<5x5xcomplex<f32>>
  %37 = stablehlo.abs %36 : (tensor<5x5xcomplex<f32>>) -> tensor<5x5xf32>
  %38 = stablehlo.constant dense<0.0> : tensor<f32>
  %39 = stablehlo.reduce(%37 init: %38) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<5x5xf32>, tensor<f32>) -> tensor<f32>
  %40 = stablehlo.constant dense<1.0e-4> : tensor<f32>
  %41 = stablehlo.compare LT, %39, %40 : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %27, %41 : tensor<i1>, tensor<i1>
}

// The product of the factors is the matrix with its rows in another order.
func.func private @lu_blocks() -> tensor<i1> {
  %1 = stablehlo.iota dim = 0 : tensor<4900xf32>
  %2 = stablehlo.constant dense<0.47> : tensor<4900xf32>
  %3 = stablehlo.constant dense<0.5> : tensor<4900xf32>
  %4 = stablehlo.multiply %1, %2 : tensor<4900xf32>
  %5 = stablehlo.multiply %4, %1 : tensor<4900xf32>
  %6 = stablehlo.add %5, %3 : tensor<4900xf32>
  %7 = stablehlo.sine %6 : tensor<4900xf32>
  %8 = stablehlo.reshape %7 : (tensor<4900xf32>) -> tensor<70x70xf32>
  %9:3 = stablehlo.custom_call @LuDecomposition(%8) {api_version = 2 : i32, backend_config = ""} : (tensor<70x70xf32>) -> (tensor<70x70xf32>, tensor<70xi32>, tensor<70xi32>)
  %10 = stablehlo.iota dim = 0 : tensor<70x70xi32>
  %11 = stablehlo.iota dim = 1 : tensor<70x70xi32>
  %12 = stablehlo.compare GT, %10, %11 : (tensor<70x70xi32>, tensor<70x70xi32>) -> tensor<70x70xi1>
  %13 = stablehlo.constant dense<0.0> : tensor<70x70xf32>
  %14 = stablehlo.select %12, %9#0, %13 : tensor<70x70xi1>, tensor<70x70xf32>
  %15 = stablehlo.iota dim = 0 : tensor<70x70xi32>
  %16 = stablehlo.iota dim = 1 : tensor<70x70xi32>
  %17 = stablehlo.compare EQ, %15, %16 : (tensor<70x70xi32>, tensor<70x70xi32>) -> tensor<70x70xi1>
  %18 = stablehlo.convert %17 : (tensor<70x70xi1>) -> tensor<70x70xf32>
  %19 = stablehlo.add %14, %18 : tensor<70x70xf32>
  %20 = stablehlo.iota dim = 0 : tensor<70x70xi32>
  %21 = stablehlo.iota dim = 1 : tensor<70x70xi32>
  %22 = stablehlo.compare LE, %20, %21 : (tensor<70x70xi32>, tensor<70x70xi32>) -> tensor<70x70xi1>
  %23 = stablehlo.constant dense<0.0> : tensor<70x70xf32>
  %24 = stablehlo.select %22, %9#0, %23 : tensor<70x70xi1>, tensor<70x70xf32>
  %25 = stablehlo.dot_general %19, %24, contracting_dims = [1] x [0] : (tensor<70x70xf32>, tensor<70x70xf32>) -> tensor<70x70xf32>
  %26 = stablehlo.broadcast_in_dim %9#2, dims = [0] : (tensor<70xi32>) -> tensor<70x70xi32>
  %27 = stablehlo.iota dim = 1 : tensor<70x70xi32>
  %28 = stablehlo.compare EQ, %26, %27 : (tensor<70x70xi32>, tensor<70x70xi32>) -> tensor<70x70xi1>
  %29 = stablehlo.convert %28 : (tensor<70x70xi1>) -> tensor<70x70xf32>
  %30 = stablehlo.dot_general %29, %8, contracting_dims = [1] x [0] : (tensor<70x70xf32>, tensor<70x70xf32>) -> tensor<70x70xf32>
  %31 = stablehlo.subtract %25, %30 : tensor<70x70xf32>
  %32 = stablehlo.abs %31 : tensor<70x70xf32>
  %33 = stablehlo.constant dense<0.0> : tensor<f32>
  %34 = stablehlo.reduce(%32 init: %33) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<70x70xf32>, tensor<f32>) -> tensor<f32>
  %35 = stablehlo.constant dense<1.0e-4> : tensor<f32>
  %36 = stablehlo.compare LT, %34, %35 : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %36 : tensor<i1>
}

// The product of the factors is the matrix with its rows in another order.
func.func private @lu_tall() -> tensor<i1> {
  %1 = stablehlo.iota dim = 0 : tensor<36xf64>
  %2 = stablehlo.constant dense<0.47> : tensor<36xf64>
  %3 = stablehlo.constant dense<0.5> : tensor<36xf64>
  %4 = stablehlo.multiply %1, %2 : tensor<36xf64>
  %5 = stablehlo.multiply %4, %1 : tensor<36xf64>
  %6 = stablehlo.add %5, %3 : tensor<36xf64>
  %7 = stablehlo.sine %6 : tensor<36xf64>
  %8 = stablehlo.reshape %7 : (tensor<36xf64>) -> tensor<9x4xf64>
  %9 = stablehlo.iota dim = 0 : tensor<36xf64>
  %10 = stablehlo.constant dense<0.33> : tensor<36xf64>
  %11 = stablehlo.constant dense<1.5> : tensor<36xf64>
  %12 = stablehlo.multiply %9, %10 : tensor<36xf64>
  %13 = stablehlo.multiply %12, %9 : tensor<36xf64>
  %14 = stablehlo.add %13, %11 : tensor<36xf64>
  %15 = stablehlo.sine %14 : tensor<36xf64>
  %16 = stablehlo.reshape %15 : (tensor<36xf64>) -> tensor<9x4xf64>
  %17 = stablehlo.complex %8, %16 : tensor<9x4xcomplex<f64>>
  %18:3 = stablehlo.custom_call @LuDecomposition(%17) {api_version = 2 : i32, backend_config = ""} : (tensor<9x4xcomplex<f64>>) -> (tensor<9x4xcomplex<f64>>, tensor<4xi32>, tensor<9xi32>)
  %19 = stablehlo.iota dim = 0 : tensor<9x4xi32>
  %20 = stablehlo.iota dim = 1 : tensor<9x4xi32>
  %21 = stablehlo.compare GT, %19, %20 : (tensor<9x4xi32>, tensor<9x4xi32>) -> tensor<9x4xi1>
  %22 = stablehlo.constant dense<(0.0, 0.0)> : tensor<9x4xcomplex<f64>>
  %23 = stablehlo.select %21, %18#0, %22 : tensor<9x4xi1>, tensor<9x4xcomplex<f64>>
  %24 = stablehlo.iota dim = 0 : tensor<9x4xi32>
  %25 = stablehlo.iota dim = 1 : tensor<9x4xi32>
  %26 = stablehlo.compare EQ, %24, %25 : (tensor<9x4xi32>, tensor<9x4xi32>) -> tensor<9x4xi1>
  %27 = stablehlo.convert %26 : (tensor<9x4xi1>) -> tensor<9x4xcomplex<f64>>
  %28 = stablehlo.add %23, %27 : tensor<9x4xcomplex<f64>>
  %29 = stablehlo.slice %18#0 [0:4, 0:4] : (tensor<9x4xcomplex<f64>>) -> tensor<4x4xcomplex<f64>>
  %30 = stablehlo.iota dim = 0 : tensor<4x4xi32>
  %31 = stablehlo.iota dim = 1 : tensor<4x4xi32>
  %32 = stablehlo.compare LE, %30, %31 : (tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xi1>
  %33 = stablehlo.constant dense<(0.0, 0.0)> : tensor<4x4xcomplex<f64>>
  %34 = stablehlo.select %32, %29, %33 : tensor<4x4xi1>, tensor<4x4xcomplex<f64>>
  %35 = stablehlo.dot_general %28, %34, contracting_dims = [1] x [0] : (tensor<9x4xcomplex<f64>>, tensor<4x4xcomplex<f64>>) -> tensor<9x4xcomplex<f64>>
  %36 = stablehlo.broadcast_in_dim %18#2, dims = [0] : (tensor<9xi32>) -> tensor<9x9xi32>
  %37 = stablehlo.iota dim = 1 : tensor<9x9xi32>
  %38 = stablehlo.compare EQ, %36, %37 : (tensor<9x9xi32>, tensor<9x9xi32>) -> tensor<9x9xi1>
  %39 = stablehlo.convert %38 : (tensor<9x9xi1>) -> tensor<9x9xcomplex<f64>>
  %40 = stablehlo.dot_general %39, %17, contracting_dims = [1] x [0] : (tensor<9x9xcomplex<f64>>, tensor<9x4xcomplex<f64>>) -> tensor<9x4xcomplex<f64>>
  %41 = stablehlo.subtract %35, %40 : tensor<9x4xcomplex<f64>>
  %42 = stablehlo.abs %41 : (tensor<9x4xcomplex<f64>>) -> tensor<9x4xf64>
  %43 = stablehlo.constant dense<0.0> : tensor<f64>
  %44 = stablehlo.reduce(%42 init: %43) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<9x4xf64>, tensor<f64>) -> tensor<f64>
  %45 = stablehlo.constant dense<1.0e-12> : tensor<f64>
  %46 = stablehlo.compare LT, %44, %45 : (tensor<f64>, tensor<f64>) -> tensor<i1>
  return %46 : tensor<i1>
}

// The product of the factors is the matrix with its rows in another order.
func.func private @lu_wide() -> tensor<i1> {
  %1 = stablehlo.iota dim = 0 : tensor<1320xf64>
  %2 = stablehlo.constant dense<0.47> : tensor<1320xf64>
  %3 = stablehlo.constant dense<0.5> : tensor<1320xf64>
  %4 = stablehlo.multiply %1, %2 : tensor<1320xf64>
  %5 = stablehlo.multiply %4, %1 : tensor<1320xf64>
  %6 = stablehlo.add %5, %3 : tensor<1320xf64>
  %7 = stablehlo.sine %6 : tensor<1320xf64>
  %8 = stablehlo.reshape %7 : (tensor<1320xf64>) -> tensor<33x40xf64>
  %9:3 = stablehlo.custom_call @LuDecomposition(%8) {api_version = 2 : i32, backend_config = ""} : (tensor<33x40xf64>) -> (tensor<33x40xf64>, tensor<33xi32>, tensor<33xi32>)
  %10 = stablehlo.slice %9#0 [0:33, 0:33] : (tensor<33x40xf64>) -> tensor<33x33xf64>
  %11 = stablehlo.iota dim = 0 : tensor<33x33xi32>
  %12 = stablehlo.iota dim = 1 : tensor<33x33xi32>
  %13 = stablehlo.compare GT, %11, %12 : (tensor<33x33xi32>, tensor<33x33xi32>) -> tensor<33x33xi1>
  %14 = stablehlo.constant dense<0.0> : tensor<33x33xf64>
  %15 = stablehlo.select %13, %10, %14 : tensor<33x33xi1>, tensor<33x33xf64>
  %16 = stablehlo.iota dim = 0 : tensor<33x33xi32>
  %17 = stablehlo.iota dim = 1 : tensor<33x33xi32>
  %18 = stablehlo.compare EQ, %16, %17 : (tensor<33x33xi32>, tensor<33x33xi32>) -> tensor<33x33xi1>
  %19 = stablehlo.convert %18 : (tensor<33x33xi1>) -> tensor<33x33xf64>
  %20 = stablehlo.add %15, %19 : tensor<33x33xf64>
  %21 = stablehlo.iota dim = 0 : tensor<33x40xi32>
  %22 = stablehlo.iota dim = 1 : tensor<33x40xi32>
  %23 = stablehlo.compare LE, %21, %22 : (tensor<33x40xi32>, tensor<33x40xi32>) -> tensor<33x40xi1>
  %24 = stablehlo.constant dense<0.0> : tensor<33x40xf64>
  %25 = stablehlo.select %23, %9#0, %24 : tensor<33x40xi1>, tensor<33x40xf64>
  %26 = stablehlo.dot_general %20, %25, contracting_dims = [1] x [0] : (tensor<33x33xf64>, tensor<33x40xf64>) -> tensor<33x40xf64>
  %27 = stablehlo.broadcast_in_dim %9#2, dims = [0] : (tensor<33xi32>) -> tensor<33x33xi32>
  %28 = stablehlo.iota dim = 1 : tensor<33x33xi32>
  %29 = stablehlo.compare EQ, %27, %28 : (tensor<33x33xi32>, tensor<33x33xi32>) -> tensor<33x33xi1>
  %30 = stablehlo.convert %29 : (tensor<33x33xi1>) -> tensor<33x33xf64>
  %31 = stablehlo.dot_general %30, %8, contracting_dims = [1] x [0] : (tensor<33x33xf64>, tensor<33x40xf64>) -> tensor<33x40xf64>
  %32 = stablehlo.subtract %26, %31 : tensor<33x40xf64>
  %33 = stablehlo.abs %32 : tensor<33x40xf64>
  %34 = stablehlo.constant dense<0.0> : tensor<f64>
  %35 = stablehlo.reduce(%33 init: %34) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<33x40xf64>, tensor<f64>) -> tensor<f64>
  %36 = stablehlo.constant dense<1.0e-12> : tensor<f64>
  %37 = stablehlo.compare LT, %35, %36 : (tensor<f64>, tensor<f64>) -> tensor<i1>
  return %37 : tensor<i1>
}

func.func private @exact() -> (tensor<2x2xf32>, tensor<2xi32>, tensor<2xi32>) {
  %a = stablehlo.constant dense<[[1.0, 3.0], [2.0, 4.0]]> : tensor<2x2xf32>
  %0:3 = stablehlo.custom_call @LuDecomposition(%a) : (tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2xi32>, tensor<2xi32>)
  return %0#0, %0#1, %0#2 : tensor<2x2xf32>, tensor<2xi32>, tensor<2xi32>
}

func.func @main() -> (tensor<i1>, tensor<2x2xf32>, tensor<2xi32>, tensor<2xi32>) {
  %0:2 = call @qr_blocks() : () -> (tensor<i1>, tensor<i1>)
  %1:2 = call @qr_wide() : () -> (tensor<i1>, tensor<i1>)
  %2:2 = call @qr_complex() : () -> (tensor<i1>, tensor<i1>)
  %3:2 = call @eigh_real() : () -> (tensor<i1>, tensor<i1>)
  %4:2 = call @eigh_complex() : () -> (tensor<i1>, tensor<i1>)
  %5:3 = call @svd_tall() : () -> (tensor<i1>, tensor<i1>, tensor<i1>)
  %6:3 = call @svd_wide() : () -> (tensor<i1>, tensor<i1>, tensor<i1>)
  %7:2 = call @eig_real() : () -> (tensor<i1>, tensor<i1>)
  %8:2 = call @eig_complex() : () -> (tensor<i1>, tensor<i1>)
  %9 = call @lu_blocks() : () -> tensor<i1>
  %10 = call @lu_tall() : () -> tensor<i1>
  %11 = call @lu_wide() : () -> tensor<i1>
  %a0 = stablehlo.and %0#0, %0#1 : tensor<i1>
  %a1 = stablehlo.and %a0, %1#0 : tensor<i1>
  %a2 = stablehlo.and %a1, %1#1 : tensor<i1>
  %a3 = stablehlo.and %a2, %2#0 : tensor<i1>
  %a4 = stablehlo.and %a3, %2#1 : tensor<i1>
  %a5 = stablehlo.and %a4, %3#0 : tensor<i1>
  %a6 = stablehlo.and %a5, %3#1 : tensor<i1>
  %a7 = stablehlo.and %a6, %4#0 : tensor<i1>
  %a8 = stablehlo.and %a7, %4#1 : tensor<i1>
  %a9 = stablehlo.and %a8, %5#0 : tensor<i1>
  %a10 = stablehlo.and %a9, %5#1 : tensor<i1>
  %a11 = stablehlo.and %a10, %5#2 : tensor<i1>
  %a12 = stablehlo.and %a11, %6#0 : tensor<i1>
  %a13 = stablehlo.and %a12, %6#1 : tensor<i1>
  %a14 = stablehlo.and %a13, %6#2 : tensor<i1>
  %a15 = stablehlo.and %a14, %7#0 : tensor<i1>
  %a16 = stablehlo.and %a15, %7#1 : tensor<i1>
  %a17 = stablehlo.and %a16, %8#0 : tensor<i1>
  %a18 = stablehlo.and %a17, %8#1 : tensor<i1>
  %a19 = stablehlo.and %a18, %9 : tensor<i1>
  %a20 = stablehlo.and %a19, %10 : tensor<i1>
  %a21 = stablehlo.and %a20, %11 : tensor<i1>
  %e:3 = call @exact() : () -> (tensor<2x2xf32>, tensor<2xi32>, tensor<2xi32>)
  return %a21, %e#0, %e#1, %e#2 : tensor<i1>, tensor<2x2xf32>, tensor<2xi32>, tensor<2xi32>
}

// CHECK: result #0: i1 = true
// CHECK-NEXT: result #1: 2x2xf32
// CHECK-NEXT: {{\[\[}}2.0, 4.0],
// CHECK-NEXT:  [0.5, 1.0]]
// CHECK-NEXT: result #2: 2xi32 = [1, 1]
// CHECK-NEXT: result #3: 2xi32 = [1, 0]
