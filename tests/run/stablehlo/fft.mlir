// Fourier transforms: powers of two, other lengths, with large prime factors, real and of several dimensions.
//
// RUN: freehold run - < %s | FileCheck %s
// RUN: freehold run - --check -O0 < %s | FileCheck %s

// The results are the sums that define them, and come back.
func.func private @length_8() -> (tensor<i1>, tensor<i1>, tensor<i1>, tensor<i1>) {
  %1 = stablehlo.iota dim = 0 : tensor<160xf64>
  %2 = stablehlo.constant dense<0.47> : tensor<160xf64>
  %3 = stablehlo.constant dense<0.5> : tensor<160xf64>
  %4 = stablehlo.multiply %1, %2 : tensor<160xf64>
  %5 = stablehlo.multiply %4, %1 : tensor<160xf64>
  %6 = stablehlo.add %5, %3 : tensor<160xf64>
  %7 = stablehlo.sine %6 : tensor<160xf64>
  %8 = stablehlo.reshape %7 : (tensor<160xf64>) -> tensor<20x8xf64>
  %9 = stablehlo.iota dim = 0 : tensor<160xf64>
  %10 = stablehlo.constant dense<0.33> : tensor<160xf64>
  %11 = stablehlo.constant dense<1.5> : tensor<160xf64>
  %12 = stablehlo.multiply %9, %10 : tensor<160xf64>
  %13 = stablehlo.multiply %12, %9 : tensor<160xf64>
  %14 = stablehlo.add %13, %11 : tensor<160xf64>
  %15 = stablehlo.sine %14 : tensor<160xf64>
  %16 = stablehlo.reshape %15 : (tensor<160xf64>) -> tensor<20x8xf64>
  %17 = stablehlo.complex %8, %16 : tensor<20x8xcomplex<f64>>
  %18 = stablehlo.fft %17, type = FFT, length = [8] : (tensor<20x8xcomplex<f64>>) -> tensor<20x8xcomplex<f64>>
  %19 = stablehlo.iota dim = 0 : tensor<8x8xi32>
  %20 = stablehlo.iota dim = 1 : tensor<8x8xi32>
  %21 = stablehlo.multiply %19, %20 : tensor<8x8xi32>
  %22 = stablehlo.constant dense<8> : tensor<8x8xi32>
  %23 = stablehlo.remainder %21, %22 : tensor<8x8xi32>
  %24 = stablehlo.convert %23 : (tensor<8x8xi32>) -> tensor<8x8xf64>
  %25 = stablehlo.constant dense<-0.7853981633974483> : tensor<8x8xf64>
  %26 = stablehlo.multiply %24, %25 : tensor<8x8xf64>
  %27 = stablehlo.cosine %26 : tensor<8x8xf64>
  %28 = stablehlo.sine %26 : tensor<8x8xf64>
  %29 = stablehlo.complex %27, %28 : tensor<8x8xcomplex<f64>>
  %30 = stablehlo.dot_general %17, %29, contracting_dims = [1] x [1] : (tensor<20x8xcomplex<f64>>, tensor<8x8xcomplex<f64>>) -> tensor<20x8xcomplex<f64>>
  %31 = stablehlo.subtract %18, %30 : tensor<20x8xcomplex<f64>>
  %32 = stablehlo.abs %31 : (tensor<20x8xcomplex<f64>>) -> tensor<20x8xf64>
  %33 = stablehlo.constant dense<0.0> : tensor<f64>
  %34 = stablehlo.reduce(%32 init: %33) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<20x8xf64>, tensor<f64>) -> tensor<f64>
  %35 = stablehlo.constant dense<1.0e-11> : tensor<f64>
  %36 = stablehlo.compare LT, %34, %35 : (tensor<f64>, tensor<f64>) -> tensor<i1>
  %37 = stablehlo.fft %18, type = IFFT, length = [8] : (tensor<20x8xcomplex<f64>>) -> tensor<20x8xcomplex<f64>>
  %38 = stablehlo.subtract %37, %17 : tensor<20x8xcomplex<f64>>
  %39 = stablehlo.abs %38 : (tensor<20x8xcomplex<f64>>) -> tensor<20x8xf64>
  %40 = stablehlo.constant dense<0.0> : tensor<f64>
  %41 = stablehlo.reduce(%39 init: %40) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<20x8xf64>, tensor<f64>) -> tensor<f64>
  %42 = stablehlo.constant dense<1.0e-12> : tensor<f64>
  %43 = stablehlo.compare LT, %41, %42 : (tensor<f64>, tensor<f64>) -> tensor<i1>
  %44 = stablehlo.iota dim = 0 : tensor<160xf64>
  %45 = stablehlo.constant dense<0.5700000000000001> : tensor<160xf64>
  %46 = stablehlo.constant dense<0.5> : tensor<160xf64>
  %47 = stablehlo.multiply %44, %45 : tensor<160xf64>
  %48 = stablehlo.multiply %47, %44 : tensor<160xf64>
  %49 = stablehlo.add %48, %46 : tensor<160xf64>
  %50 = stablehlo.sine %49 : tensor<160xf64>
  %51 = stablehlo.reshape %50 : (tensor<160xf64>) -> tensor<20x8xf64>
  %52 = stablehlo.fft %51, type = RFFT, length = [8] : (tensor<20x8xf64>) -> tensor<20x5xcomplex<f64>>
  %53 = stablehlo.convert %51 : (tensor<20x8xf64>) -> tensor<20x8xcomplex<f64>>
  %54 = stablehlo.iota dim = 0 : tensor<5x8xi32>
  %55 = stablehlo.iota dim = 1 : tensor<5x8xi32>
  %56 = stablehlo.multiply %54, %55 : tensor<5x8xi32>
  %57 = stablehlo.constant dense<8> : tensor<5x8xi32>
  %58 = stablehlo.remainder %56, %57 : tensor<5x8xi32>
  %59 = stablehlo.convert %58 : (tensor<5x8xi32>) -> tensor<5x8xf64>
  %60 = stablehlo.constant dense<-0.7853981633974483> : tensor<5x8xf64>
  %61 = stablehlo.multiply %59, %60 : tensor<5x8xf64>
  %62 = stablehlo.cosine %61 : tensor<5x8xf64>
  %63 = stablehlo.sine %61 : tensor<5x8xf64>
  %64 = stablehlo.complex %62, %63 : tensor<5x8xcomplex<f64>>
  %65 = stablehlo.dot_general %53, %64, contracting_dims = [1] x [1] : (tensor<20x8xcomplex<f64>>, tensor<5x8xcomplex<f64>>) -> tensor<20x5xcomplex<f64>>
  %66 = stablehlo.subtract %52, %65 : tensor<20x5xcomplex<f64>>
  %67 = stablehlo.abs %66 : (tensor<20x5xcomplex<f64>>) -> tensor<20x5xf64>
  %68 = stablehlo.constant dense<0.0> : tensor<f64>
  %69 = stablehlo.reduce(%67 init: %68) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<20x5xf64>, tensor<f64>) -> tensor<f64>
  %70 = stablehlo.constant dense<1.0e-11> : tensor<f64>
  %71 = stablehlo.compare LT, %69, %70 : (tensor<f64>, tensor<f64>) -> tensor<i1>
  %72 = stablehlo.fft %52, type = IRFFT, length = [8] : (tensor<20x5xcomplex<f64>>) -> tensor<20x8xf64>
  %73 = stablehlo.subtract %72, %51 : tensor<20x8xf64>
  %74 = stablehlo.abs %73 : tensor<20x8xf64>
  %75 = stablehlo.constant dense<0.0> : tensor<f64>
  %76 = stablehlo.reduce(%74 init: %75) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<20x8xf64>, tensor<f64>) -> tensor<f64>
  %77 = stablehlo.constant dense<1.0e-12> : tensor<f64>
  %78 = stablehlo.compare LT, %76, %77 : (tensor<f64>, tensor<f64>) -> tensor<i1>
  return %36, %43, %71, %78 : tensor<i1>, tensor<i1>, tensor<i1>, tensor<i1>
}

// The results are the sums that define them, and come back.
func.func private @length_60() -> (tensor<i1>, tensor<i1>, tensor<i1>, tensor<i1>) {
  %1 = stablehlo.iota dim = 0 : tensor<180xf64>
  %2 = stablehlo.constant dense<0.47> : tensor<180xf64>
  %3 = stablehlo.constant dense<0.5> : tensor<180xf64>
  %4 = stablehlo.multiply %1, %2 : tensor<180xf64>
  %5 = stablehlo.multiply %4, %1 : tensor<180xf64>
  %6 = stablehlo.add %5, %3 : tensor<180xf64>
  %7 = stablehlo.sine %6 : tensor<180xf64>
  %8 = stablehlo.reshape %7 : (tensor<180xf64>) -> tensor<3x60xf64>
  %9 = stablehlo.iota dim = 0 : tensor<180xf64>
  %10 = stablehlo.constant dense<0.33> : tensor<180xf64>
  %11 = stablehlo.constant dense<1.5> : tensor<180xf64>
  %12 = stablehlo.multiply %9, %10 : tensor<180xf64>
  %13 = stablehlo.multiply %12, %9 : tensor<180xf64>
  %14 = stablehlo.add %13, %11 : tensor<180xf64>
  %15 = stablehlo.sine %14 : tensor<180xf64>
  %16 = stablehlo.reshape %15 : (tensor<180xf64>) -> tensor<3x60xf64>
  %17 = stablehlo.complex %8, %16 : tensor<3x60xcomplex<f64>>
  %18 = stablehlo.fft %17, type = FFT, length = [60] : (tensor<3x60xcomplex<f64>>) -> tensor<3x60xcomplex<f64>>
  %19 = stablehlo.iota dim = 0 : tensor<60x60xi32>
  %20 = stablehlo.iota dim = 1 : tensor<60x60xi32>
  %21 = stablehlo.multiply %19, %20 : tensor<60x60xi32>
  %22 = stablehlo.constant dense<60> : tensor<60x60xi32>
  %23 = stablehlo.remainder %21, %22 : tensor<60x60xi32>
  %24 = stablehlo.convert %23 : (tensor<60x60xi32>) -> tensor<60x60xf64>
  %25 = stablehlo.constant dense<-0.10471975511965977> : tensor<60x60xf64>
  %26 = stablehlo.multiply %24, %25 : tensor<60x60xf64>
  %27 = stablehlo.cosine %26 : tensor<60x60xf64>
  %28 = stablehlo.sine %26 : tensor<60x60xf64>
  %29 = stablehlo.complex %27, %28 : tensor<60x60xcomplex<f64>>
  %30 = stablehlo.dot_general %17, %29, contracting_dims = [1] x [1] : (tensor<3x60xcomplex<f64>>, tensor<60x60xcomplex<f64>>) -> tensor<3x60xcomplex<f64>>
  %31 = stablehlo.subtract %18, %30 : tensor<3x60xcomplex<f64>>
  %32 = stablehlo.abs %31 : (tensor<3x60xcomplex<f64>>) -> tensor<3x60xf64>
  %33 = stablehlo.constant dense<0.0> : tensor<f64>
  %34 = stablehlo.reduce(%32 init: %33) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<3x60xf64>, tensor<f64>) -> tensor<f64>
  %35 = stablehlo.constant dense<1.0e-11> : tensor<f64>
  %36 = stablehlo.compare LT, %34, %35 : (tensor<f64>, tensor<f64>) -> tensor<i1>
  %37 = stablehlo.fft %18, type = IFFT, length = [60] : (tensor<3x60xcomplex<f64>>) -> tensor<3x60xcomplex<f64>>
  %38 = stablehlo.subtract %37, %17 : tensor<3x60xcomplex<f64>>
  %39 = stablehlo.abs %38 : (tensor<3x60xcomplex<f64>>) -> tensor<3x60xf64>
  %40 = stablehlo.constant dense<0.0> : tensor<f64>
  %41 = stablehlo.reduce(%39 init: %40) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<3x60xf64>, tensor<f64>) -> tensor<f64>
  %42 = stablehlo.constant dense<1.0e-12> : tensor<f64>
  %43 = stablehlo.compare LT, %41, %42 : (tensor<f64>, tensor<f64>) -> tensor<i1>
  %44 = stablehlo.iota dim = 0 : tensor<180xf64>
  %45 = stablehlo.constant dense<0.5700000000000001> : tensor<180xf64>
  %46 = stablehlo.constant dense<0.5> : tensor<180xf64>
  %47 = stablehlo.multiply %44, %45 : tensor<180xf64>
  %48 = stablehlo.multiply %47, %44 : tensor<180xf64>
  %49 = stablehlo.add %48, %46 : tensor<180xf64>
  %50 = stablehlo.sine %49 : tensor<180xf64>
  %51 = stablehlo.reshape %50 : (tensor<180xf64>) -> tensor<3x60xf64>
  %52 = stablehlo.fft %51, type = RFFT, length = [60] : (tensor<3x60xf64>) -> tensor<3x31xcomplex<f64>>
  %53 = stablehlo.convert %51 : (tensor<3x60xf64>) -> tensor<3x60xcomplex<f64>>
  %54 = stablehlo.iota dim = 0 : tensor<31x60xi32>
  %55 = stablehlo.iota dim = 1 : tensor<31x60xi32>
  %56 = stablehlo.multiply %54, %55 : tensor<31x60xi32>
  %57 = stablehlo.constant dense<60> : tensor<31x60xi32>
  %58 = stablehlo.remainder %56, %57 : tensor<31x60xi32>
  %59 = stablehlo.convert %58 : (tensor<31x60xi32>) -> tensor<31x60xf64>
  %60 = stablehlo.constant dense<-0.10471975511965977> : tensor<31x60xf64>
  %61 = stablehlo.multiply %59, %60 : tensor<31x60xf64>
  %62 = stablehlo.cosine %61 : tensor<31x60xf64>
  %63 = stablehlo.sine %61 : tensor<31x60xf64>
  %64 = stablehlo.complex %62, %63 : tensor<31x60xcomplex<f64>>
  %65 = stablehlo.dot_general %53, %64, contracting_dims = [1] x [1] : (tensor<3x60xcomplex<f64>>, tensor<31x60xcomplex<f64>>) -> tensor<3x31xcomplex<f64>>
  %66 = stablehlo.subtract %52, %65 : tensor<3x31xcomplex<f64>>
  %67 = stablehlo.abs %66 : (tensor<3x31xcomplex<f64>>) -> tensor<3x31xf64>
  %68 = stablehlo.constant dense<0.0> : tensor<f64>
  %69 = stablehlo.reduce(%67 init: %68) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<3x31xf64>, tensor<f64>) -> tensor<f64>
  %70 = stablehlo.constant dense<1.0e-11> : tensor<f64>
  %71 = stablehlo.compare LT, %69, %70 : (tensor<f64>, tensor<f64>) -> tensor<i1>
  %72 = stablehlo.fft %52, type = IRFFT, length = [60] : (tensor<3x31xcomplex<f64>>) -> tensor<3x60xf64>
  %73 = stablehlo.subtract %72, %51 : tensor<3x60xf64>
  %74 = stablehlo.abs %73 : tensor<3x60xf64>
  %75 = stablehlo.constant dense<0.0> : tensor<f64>
  %76 = stablehlo.reduce(%74 init: %75) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<3x60xf64>, tensor<f64>) -> tensor<f64>
  %77 = stablehlo.constant dense<1.0e-12> : tensor<f64>
  %78 = stablehlo.compare LT, %76, %77 : (tensor<f64>, tensor<f64>) -> tensor<i1>
  return %36, %43, %71, %78 : tensor<i1>, tensor<i1>, tensor<i1>, tensor<i1>
}

// The results are the sums that define them, and come back.
func.func private @length_64() -> (tensor<i1>, tensor<i1>, tensor<i1>, tensor<i1>) {
  %1 = stablehlo.iota dim = 0 : tensor<64xf64>
  %2 = stablehlo.constant dense<0.47> : tensor<64xf64>
  %3 = stablehlo.constant dense<0.5> : tensor<64xf64>
  %4 = stablehlo.multiply %1, %2 : tensor<64xf64>
  %5 = stablehlo.multiply %4, %1 : tensor<64xf64>
  %6 = stablehlo.add %5, %3 : tensor<64xf64>
  %7 = stablehlo.sine %6 : tensor<64xf64>
  %8 = stablehlo.reshape %7 : (tensor<64xf64>) -> tensor<1x64xf64>
  %9 = stablehlo.iota dim = 0 : tensor<64xf64>
  %10 = stablehlo.constant dense<0.33> : tensor<64xf64>
  %11 = stablehlo.constant dense<1.5> : tensor<64xf64>
  %12 = stablehlo.multiply %9, %10 : tensor<64xf64>
  %13 = stablehlo.multiply %12, %9 : tensor<64xf64>
  %14 = stablehlo.add %13, %11 : tensor<64xf64>
  %15 = stablehlo.sine %14 : tensor<64xf64>
  %16 = stablehlo.reshape %15 : (tensor<64xf64>) -> tensor<1x64xf64>
  %17 = stablehlo.complex %8, %16 : tensor<1x64xcomplex<f64>>
  %18 = stablehlo.fft %17, type = FFT, length = [64] : (tensor<1x64xcomplex<f64>>) -> tensor<1x64xcomplex<f64>>
  %19 = stablehlo.iota dim = 0 : tensor<64x64xi32>
  %20 = stablehlo.iota dim = 1 : tensor<64x64xi32>
  %21 = stablehlo.multiply %19, %20 : tensor<64x64xi32>
  %22 = stablehlo.constant dense<64> : tensor<64x64xi32>
  %23 = stablehlo.remainder %21, %22 : tensor<64x64xi32>
  %24 = stablehlo.convert %23 : (tensor<64x64xi32>) -> tensor<64x64xf64>
  %25 = stablehlo.constant dense<-0.09817477042468103> : tensor<64x64xf64>
  %26 = stablehlo.multiply %24, %25 : tensor<64x64xf64>
  %27 = stablehlo.cosine %26 : tensor<64x64xf64>
  %28 = stablehlo.sine %26 : tensor<64x64xf64>
  %29 = stablehlo.complex %27, %28 : tensor<64x64xcomplex<f64>>
  %30 = stablehlo.dot_general %17, %29, contracting_dims = [1] x [1] : (tensor<1x64xcomplex<f64>>, tensor<64x64xcomplex<f64>>) -> tensor<1x64xcomplex<f64>>
  %31 = stablehlo.subtract %18, %30 : tensor<1x64xcomplex<f64>>
  %32 = stablehlo.abs %31 : (tensor<1x64xcomplex<f64>>) -> tensor<1x64xf64>
  %33 = stablehlo.constant dense<0.0> : tensor<f64>
  %34 = stablehlo.reduce(%32 init: %33) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<1x64xf64>, tensor<f64>) -> tensor<f64>
  %35 = stablehlo.constant dense<1.0e-11> : tensor<f64>
  %36 = stablehlo.compare LT, %34, %35 : (tensor<f64>, tensor<f64>) -> tensor<i1>
  %37 = stablehlo.fft %18, type = IFFT, length = [64] : (tensor<1x64xcomplex<f64>>) -> tensor<1x64xcomplex<f64>>
  %38 = stablehlo.subtract %37, %17 : tensor<1x64xcomplex<f64>>
  %39 = stablehlo.abs %38 : (tensor<1x64xcomplex<f64>>) -> tensor<1x64xf64>
  %40 = stablehlo.constant dense<0.0> : tensor<f64>
  %41 = stablehlo.reduce(%39 init: %40) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<1x64xf64>, tensor<f64>) -> tensor<f64>
  %42 = stablehlo.constant dense<1.0e-12> : tensor<f64>
  %43 = stablehlo.compare LT, %41, %42 : (tensor<f64>, tensor<f64>) -> tensor<i1>
  %44 = stablehlo.iota dim = 0 : tensor<64xf64>
  %45 = stablehlo.constant dense<0.5700000000000001> : tensor<64xf64>
  %46 = stablehlo.constant dense<0.5> : tensor<64xf64>
  %47 = stablehlo.multiply %44, %45 : tensor<64xf64>
  %48 = stablehlo.multiply %47, %44 : tensor<64xf64>
  %49 = stablehlo.add %48, %46 : tensor<64xf64>
  %50 = stablehlo.sine %49 : tensor<64xf64>
  %51 = stablehlo.reshape %50 : (tensor<64xf64>) -> tensor<1x64xf64>
  %52 = stablehlo.fft %51, type = RFFT, length = [64] : (tensor<1x64xf64>) -> tensor<1x33xcomplex<f64>>
  %53 = stablehlo.convert %51 : (tensor<1x64xf64>) -> tensor<1x64xcomplex<f64>>
  %54 = stablehlo.iota dim = 0 : tensor<33x64xi32>
  %55 = stablehlo.iota dim = 1 : tensor<33x64xi32>
  %56 = stablehlo.multiply %54, %55 : tensor<33x64xi32>
  %57 = stablehlo.constant dense<64> : tensor<33x64xi32>
  %58 = stablehlo.remainder %56, %57 : tensor<33x64xi32>
  %59 = stablehlo.convert %58 : (tensor<33x64xi32>) -> tensor<33x64xf64>
  %60 = stablehlo.constant dense<-0.09817477042468103> : tensor<33x64xf64>
  %61 = stablehlo.multiply %59, %60 : tensor<33x64xf64>
  %62 = stablehlo.cosine %61 : tensor<33x64xf64>
  %63 = stablehlo.sine %61 : tensor<33x64xf64>
  %64 = stablehlo.complex %62, %63 : tensor<33x64xcomplex<f64>>
  %65 = stablehlo.dot_general %53, %64, contracting_dims = [1] x [1] : (tensor<1x64xcomplex<f64>>, tensor<33x64xcomplex<f64>>) -> tensor<1x33xcomplex<f64>>
  %66 = stablehlo.subtract %52, %65 : tensor<1x33xcomplex<f64>>
  %67 = stablehlo.abs %66 : (tensor<1x33xcomplex<f64>>) -> tensor<1x33xf64>
  %68 = stablehlo.constant dense<0.0> : tensor<f64>
  %69 = stablehlo.reduce(%67 init: %68) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<1x33xf64>, tensor<f64>) -> tensor<f64>
  %70 = stablehlo.constant dense<1.0e-11> : tensor<f64>
  %71 = stablehlo.compare LT, %69, %70 : (tensor<f64>, tensor<f64>) -> tensor<i1>
  %72 = stablehlo.fft %52, type = IRFFT, length = [64] : (tensor<1x33xcomplex<f64>>) -> tensor<1x64xf64>
  %73 = stablehlo.subtract %72, %51 : tensor<1x64xf64>
  %74 = stablehlo.abs %73 : tensor<1x64xf64>
  %75 = stablehlo.constant dense<0.0> : tensor<f64>
  %76 = stablehlo.reduce(%74 init: %75) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<1x64xf64>, tensor<f64>) -> tensor<f64>
  %77 = stablehlo.constant dense<1.0e-12> : tensor<f64>
  %78 = stablehlo.compare LT, %76, %77 : (tensor<f64>, tensor<f64>) -> tensor<i1>
  return %36, %43, %71, %78 : tensor<i1>, tensor<i1>, tensor<i1>, tensor<i1>
}

// The results are the sums that define them, and come back.
func.func private @length_13() -> (tensor<i1>, tensor<i1>, tensor<i1>, tensor<i1>) {
  %1 = stablehlo.iota dim = 0 : tensor<26xf64>
  %2 = stablehlo.constant dense<0.47> : tensor<26xf64>
  %3 = stablehlo.constant dense<0.5> : tensor<26xf64>
  %4 = stablehlo.multiply %1, %2 : tensor<26xf64>
  %5 = stablehlo.multiply %4, %1 : tensor<26xf64>
  %6 = stablehlo.add %5, %3 : tensor<26xf64>
  %7 = stablehlo.sine %6 : tensor<26xf64>
  %8 = stablehlo.reshape %7 : (tensor<26xf64>) -> tensor<2x13xf64>
  %9 = stablehlo.iota dim = 0 : tensor<26xf64>
  %10 = stablehlo.constant dense<0.33> : tensor<26xf64>
  %11 = stablehlo.constant dense<1.5> : tensor<26xf64>
  %12 = stablehlo.multiply %9, %10 : tensor<26xf64>
  %13 = stablehlo.multiply %12, %9 : tensor<26xf64>
  %14 = stablehlo.add %13, %11 : tensor<26xf64>
  %15 = stablehlo.sine %14 : tensor<26xf64>
  %16 = stablehlo.reshape %15 : (tensor<26xf64>) -> tensor<2x13xf64>
  %17 = stablehlo.complex %8, %16 : tensor<2x13xcomplex<f64>>
  %18 = stablehlo.fft %17, type = FFT, length = [13] : (tensor<2x13xcomplex<f64>>) -> tensor<2x13xcomplex<f64>>
  %19 = stablehlo.iota dim = 0 : tensor<13x13xi32>
  %20 = stablehlo.iota dim = 1 : tensor<13x13xi32>
  %21 = stablehlo.multiply %19, %20 : tensor<13x13xi32>
  %22 = stablehlo.constant dense<13> : tensor<13x13xi32>
  %23 = stablehlo.remainder %21, %22 : tensor<13x13xi32>
  %24 = stablehlo.convert %23 : (tensor<13x13xi32>) -> tensor<13x13xf64>
  %25 = stablehlo.constant dense<-0.483321946706122> : tensor<13x13xf64>
  %26 = stablehlo.multiply %24, %25 : tensor<13x13xf64>
  %27 = stablehlo.cosine %26 : tensor<13x13xf64>
  %28 = stablehlo.sine %26 : tensor<13x13xf64>
  %29 = stablehlo.complex %27, %28 : tensor<13x13xcomplex<f64>>
  %30 = stablehlo.dot_general %17, %29, contracting_dims = [1] x [1] : (tensor<2x13xcomplex<f64>>, tensor<13x13xcomplex<f64>>) -> tensor<2x13xcomplex<f64>>
  %31 = stablehlo.subtract %18, %30 : tensor<2x13xcomplex<f64>>
  %32 = stablehlo.abs %31 : (tensor<2x13xcomplex<f64>>) -> tensor<2x13xf64>
  %33 = stablehlo.constant dense<0.0> : tensor<f64>
  %34 = stablehlo.reduce(%32 init: %33) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<2x13xf64>, tensor<f64>) -> tensor<f64>
  %35 = stablehlo.constant dense<1.0e-11> : tensor<f64>
  %36 = stablehlo.compare LT, %34, %35 : (tensor<f64>, tensor<f64>) -> tensor<i1>
  %37 = stablehlo.fft %18, type = IFFT, length = [13] : (tensor<2x13xcomplex<f64>>) -> tensor<2x13xcomplex<f64>>
  %38 = stablehlo.subtract %37, %17 : tensor<2x13xcomplex<f64>>
  %39 = stablehlo.abs %38 : (tensor<2x13xcomplex<f64>>) -> tensor<2x13xf64>
  %40 = stablehlo.constant dense<0.0> : tensor<f64>
  %41 = stablehlo.reduce(%39 init: %40) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<2x13xf64>, tensor<f64>) -> tensor<f64>
  %42 = stablehlo.constant dense<1.0e-12> : tensor<f64>
  %43 = stablehlo.compare LT, %41, %42 : (tensor<f64>, tensor<f64>) -> tensor<i1>
  %44 = stablehlo.iota dim = 0 : tensor<26xf64>
  %45 = stablehlo.constant dense<0.5700000000000001> : tensor<26xf64>
  %46 = stablehlo.constant dense<0.5> : tensor<26xf64>
  %47 = stablehlo.multiply %44, %45 : tensor<26xf64>
  %48 = stablehlo.multiply %47, %44 : tensor<26xf64>
  %49 = stablehlo.add %48, %46 : tensor<26xf64>
  %50 = stablehlo.sine %49 : tensor<26xf64>
  %51 = stablehlo.reshape %50 : (tensor<26xf64>) -> tensor<2x13xf64>
  %52 = stablehlo.fft %51, type = RFFT, length = [13] : (tensor<2x13xf64>) -> tensor<2x7xcomplex<f64>>
  %53 = stablehlo.convert %51 : (tensor<2x13xf64>) -> tensor<2x13xcomplex<f64>>
  %54 = stablehlo.iota dim = 0 : tensor<7x13xi32>
  %55 = stablehlo.iota dim = 1 : tensor<7x13xi32>
  %56 = stablehlo.multiply %54, %55 : tensor<7x13xi32>
  %57 = stablehlo.constant dense<13> : tensor<7x13xi32>
  %58 = stablehlo.remainder %56, %57 : tensor<7x13xi32>
  %59 = stablehlo.convert %58 : (tensor<7x13xi32>) -> tensor<7x13xf64>
  %60 = stablehlo.constant dense<-0.483321946706122> : tensor<7x13xf64>
  %61 = stablehlo.multiply %59, %60 : tensor<7x13xf64>
  %62 = stablehlo.cosine %61 : tensor<7x13xf64>
  %63 = stablehlo.sine %61 : tensor<7x13xf64>
  %64 = stablehlo.complex %62, %63 : tensor<7x13xcomplex<f64>>
  %65 = stablehlo.dot_general %53, %64, contracting_dims = [1] x [1] : (tensor<2x13xcomplex<f64>>, tensor<7x13xcomplex<f64>>) -> tensor<2x7xcomplex<f64>>
  %66 = stablehlo.subtract %52, %65 : tensor<2x7xcomplex<f64>>
  %67 = stablehlo.abs %66 : (tensor<2x7xcomplex<f64>>) -> tensor<2x7xf64>
  %68 = stablehlo.constant dense<0.0> : tensor<f64>
  %69 = stablehlo.reduce(%67 init: %68) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<2x7xf64>, tensor<f64>) -> tensor<f64>
  %70 = stablehlo.constant dense<1.0e-11> : tensor<f64>
  %71 = stablehlo.compare LT, %69, %70 : (tensor<f64>, tensor<f64>) -> tensor<i1>
  %72 = stablehlo.fft %52, type = IRFFT, length = [13] : (tensor<2x7xcomplex<f64>>) -> tensor<2x13xf64>
  %73 = stablehlo.subtract %72, %51 : tensor<2x13xf64>
  %74 = stablehlo.abs %73 : tensor<2x13xf64>
  %75 = stablehlo.constant dense<0.0> : tensor<f64>
  %76 = stablehlo.reduce(%74 init: %75) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<2x13xf64>, tensor<f64>) -> tensor<f64>
  %77 = stablehlo.constant dense<1.0e-12> : tensor<f64>
  %78 = stablehlo.compare LT, %76, %77 : (tensor<f64>, tensor<f64>) -> tensor<i1>
  return %36, %43, %71, %78 : tensor<i1>, tensor<i1>, tensor<i1>, tensor<i1>
}

// The results are the sums that define them, and come back.
func.func private @length_1() -> (tensor<i1>, tensor<i1>, tensor<i1>, tensor<i1>) {
  %1 = stablehlo.iota dim = 0 : tensor<4xf64>
  %2 = stablehlo.constant dense<0.47> : tensor<4xf64>
  %3 = stablehlo.constant dense<0.5> : tensor<4xf64>
  %4 = stablehlo.multiply %1, %2 : tensor<4xf64>
  %5 = stablehlo.multiply %4, %1 : tensor<4xf64>
  %6 = stablehlo.add %5, %3 : tensor<4xf64>
  %7 = stablehlo.sine %6 : tensor<4xf64>
  %8 = stablehlo.reshape %7 : (tensor<4xf64>) -> tensor<4x1xf64>
  %9 = stablehlo.iota dim = 0 : tensor<4xf64>
  %10 = stablehlo.constant dense<0.33> : tensor<4xf64>
  %11 = stablehlo.constant dense<1.5> : tensor<4xf64>
  %12 = stablehlo.multiply %9, %10 : tensor<4xf64>
  %13 = stablehlo.multiply %12, %9 : tensor<4xf64>
  %14 = stablehlo.add %13, %11 : tensor<4xf64>
  %15 = stablehlo.sine %14 : tensor<4xf64>
  %16 = stablehlo.reshape %15 : (tensor<4xf64>) -> tensor<4x1xf64>
  %17 = stablehlo.complex %8, %16 : tensor<4x1xcomplex<f64>>
  %18 = stablehlo.fft %17, type = FFT, length = [1] : (tensor<4x1xcomplex<f64>>) -> tensor<4x1xcomplex<f64>>
  %19 = stablehlo.iota dim = 0 : tensor<1x1xi32>
  %20 = stablehlo.iota dim = 1 : tensor<1x1xi32>
  %21 = stablehlo.multiply %19, %20 : tensor<1x1xi32>
  %22 = stablehlo.constant dense<1> : tensor<1x1xi32>
  %23 = stablehlo.remainder %21, %22 : tensor<1x1xi32>
  %24 = stablehlo.convert %23 : (tensor<1x1xi32>) -> tensor<1x1xf64>
  %25 = stablehlo.constant dense<-6.283185307179586> : tensor<1x1xf64>
  %26 = stablehlo.multiply %24, %25 : tensor<1x1xf64>
  %27 = stablehlo.cosine %26 : tensor<1x1xf64>
  %28 = stablehlo.sine %26 : tensor<1x1xf64>
  %29 = stablehlo.complex %27, %28 : tensor<1x1xcomplex<f64>>
  %30 = stablehlo.dot_general %17, %29, contracting_dims = [1] x [1] : (tensor<4x1xcomplex<f64>>, tensor<1x1xcomplex<f64>>) -> tensor<4x1xcomplex<f64>>
  %31 = stablehlo.subtract %18, %30 : tensor<4x1xcomplex<f64>>
  %32 = stablehlo.abs %31 : (tensor<4x1xcomplex<f64>>) -> tensor<4x1xf64>
  %33 = stablehlo.constant dense<0.0> : tensor<f64>
  %34 = stablehlo.reduce(%32 init: %33) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<4x1xf64>, tensor<f64>) -> tensor<f64>
  %35 = stablehlo.constant dense<1.0e-11> : tensor<f64>
  %36 = stablehlo.compare LT, %34, %35 : (tensor<f64>, tensor<f64>) -> tensor<i1>
  %37 = stablehlo.fft %18, type = IFFT, length = [1] : (tensor<4x1xcomplex<f64>>) -> tensor<4x1xcomplex<f64>>
  %38 = stablehlo.subtract %37, %17 : tensor<4x1xcomplex<f64>>
  %39 = stablehlo.abs %38 : (tensor<4x1xcomplex<f64>>) -> tensor<4x1xf64>
  %40 = stablehlo.constant dense<0.0> : tensor<f64>
  %41 = stablehlo.reduce(%39 init: %40) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<4x1xf64>, tensor<f64>) -> tensor<f64>
  %42 = stablehlo.constant dense<1.0e-12> : tensor<f64>
  %43 = stablehlo.compare LT, %41, %42 : (tensor<f64>, tensor<f64>) -> tensor<i1>
  %44 = stablehlo.iota dim = 0 : tensor<4xf64>
  %45 = stablehlo.constant dense<0.5700000000000001> : tensor<4xf64>
  %46 = stablehlo.constant dense<0.5> : tensor<4xf64>
  %47 = stablehlo.multiply %44, %45 : tensor<4xf64>
  %48 = stablehlo.multiply %47, %44 : tensor<4xf64>
  %49 = stablehlo.add %48, %46 : tensor<4xf64>
  %50 = stablehlo.sine %49 : tensor<4xf64>
  %51 = stablehlo.reshape %50 : (tensor<4xf64>) -> tensor<4x1xf64>
  %52 = stablehlo.fft %51, type = RFFT, length = [1] : (tensor<4x1xf64>) -> tensor<4x1xcomplex<f64>>
  %53 = stablehlo.convert %51 : (tensor<4x1xf64>) -> tensor<4x1xcomplex<f64>>
  %54 = stablehlo.iota dim = 0 : tensor<1x1xi32>
  %55 = stablehlo.iota dim = 1 : tensor<1x1xi32>
  %56 = stablehlo.multiply %54, %55 : tensor<1x1xi32>
  %57 = stablehlo.constant dense<1> : tensor<1x1xi32>
  %58 = stablehlo.remainder %56, %57 : tensor<1x1xi32>
  %59 = stablehlo.convert %58 : (tensor<1x1xi32>) -> tensor<1x1xf64>
  %60 = stablehlo.constant dense<-6.283185307179586> : tensor<1x1xf64>
  %61 = stablehlo.multiply %59, %60 : tensor<1x1xf64>
  %62 = stablehlo.cosine %61 : tensor<1x1xf64>
  %63 = stablehlo.sine %61 : tensor<1x1xf64>
  %64 = stablehlo.complex %62, %63 : tensor<1x1xcomplex<f64>>
  %65 = stablehlo.dot_general %53, %64, contracting_dims = [1] x [1] : (tensor<4x1xcomplex<f64>>, tensor<1x1xcomplex<f64>>) -> tensor<4x1xcomplex<f64>>
  %66 = stablehlo.subtract %52, %65 : tensor<4x1xcomplex<f64>>
  %67 = stablehlo.abs %66 : (tensor<4x1xcomplex<f64>>) -> tensor<4x1xf64>
  %68 = stablehlo.constant dense<0.0> : tensor<f64>
  %69 = stablehlo.reduce(%67 init: %68) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<4x1xf64>, tensor<f64>) -> tensor<f64>
  %70 = stablehlo.constant dense<1.0e-11> : tensor<f64>
  %71 = stablehlo.compare LT, %69, %70 : (tensor<f64>, tensor<f64>) -> tensor<i1>
  %72 = stablehlo.fft %52, type = IRFFT, length = [1] : (tensor<4x1xcomplex<f64>>) -> tensor<4x1xf64>
  %73 = stablehlo.subtract %72, %51 : tensor<4x1xf64>
  %74 = stablehlo.abs %73 : tensor<4x1xf64>
  %75 = stablehlo.constant dense<0.0> : tensor<f64>
  %76 = stablehlo.reduce(%74 init: %75) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<4x1xf64>, tensor<f64>) -> tensor<f64>
  %77 = stablehlo.constant dense<1.0e-12> : tensor<f64>
  %78 = stablehlo.compare LT, %76, %77 : (tensor<f64>, tensor<f64>) -> tensor<i1>
  return %36, %43, %71, %78 : tensor<i1>, tensor<i1>, tensor<i1>, tensor<i1>
}

// The results are the sums that define them, and come back.
func.func private @length_34() -> (tensor<i1>, tensor<i1>, tensor<i1>, tensor<i1>) {
  %1 = stablehlo.iota dim = 0 : tensor<68xf64>
  %2 = stablehlo.constant dense<0.47> : tensor<68xf64>
  %3 = stablehlo.constant dense<0.5> : tensor<68xf64>
  %4 = stablehlo.multiply %1, %2 : tensor<68xf64>
  %5 = stablehlo.multiply %4, %1 : tensor<68xf64>
  %6 = stablehlo.add %5, %3 : tensor<68xf64>
  %7 = stablehlo.sine %6 : tensor<68xf64>
  %8 = stablehlo.reshape %7 : (tensor<68xf64>) -> tensor<2x34xf64>
  %9 = stablehlo.iota dim = 0 : tensor<68xf64>
  %10 = stablehlo.constant dense<0.33> : tensor<68xf64>
  %11 = stablehlo.constant dense<1.5> : tensor<68xf64>
  %12 = stablehlo.multiply %9, %10 : tensor<68xf64>
  %13 = stablehlo.multiply %12, %9 : tensor<68xf64>
  %14 = stablehlo.add %13, %11 : tensor<68xf64>
  %15 = stablehlo.sine %14 : tensor<68xf64>
  %16 = stablehlo.reshape %15 : (tensor<68xf64>) -> tensor<2x34xf64>
  %17 = stablehlo.complex %8, %16 : tensor<2x34xcomplex<f64>>
  %18 = stablehlo.fft %17, type = FFT, length = [34] : (tensor<2x34xcomplex<f64>>) -> tensor<2x34xcomplex<f64>>
  %19 = stablehlo.iota dim = 0 : tensor<34x34xi32>
  %20 = stablehlo.iota dim = 1 : tensor<34x34xi32>
  %21 = stablehlo.multiply %19, %20 : tensor<34x34xi32>
  %22 = stablehlo.constant dense<34> : tensor<34x34xi32>
  %23 = stablehlo.remainder %21, %22 : tensor<34x34xi32>
  %24 = stablehlo.convert %23 : (tensor<34x34xi32>) -> tensor<34x34xf64>
  %25 = stablehlo.constant dense<-0.18479956785822313> : tensor<34x34xf64>
  %26 = stablehlo.multiply %24, %25 : tensor<34x34xf64>
  %27 = stablehlo.cosine %26 : tensor<34x34xf64>
  %28 = stablehlo.sine %26 : tensor<34x34xf64>
  %29 = stablehlo.complex %27, %28 : tensor<34x34xcomplex<f64>>
  %30 = stablehlo.dot_general %17, %29, contracting_dims = [1] x [1] : (tensor<2x34xcomplex<f64>>, tensor<34x34xcomplex<f64>>) -> tensor<2x34xcomplex<f64>>
  %31 = stablehlo.subtract %18, %30 : tensor<2x34xcomplex<f64>>
  %32 = stablehlo.abs %31 : (tensor<2x34xcomplex<f64>>) -> tensor<2x34xf64>
  %33 = stablehlo.constant dense<0.0> : tensor<f64>
  %34 = stablehlo.reduce(%32 init: %33) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<2x34xf64>, tensor<f64>) -> tensor<f64>
  %35 = stablehlo.constant dense<1.0e-11> : tensor<f64>
  %36 = stablehlo.compare LT, %34, %35 : (tensor<f64>, tensor<f64>) -> tensor<i1>
  %37 = stablehlo.fft %18, type = IFFT, length = [34] : (tensor<2x34xcomplex<f64>>) -> tensor<2x34xcomplex<f64>>
  %38 = stablehlo.subtract %37, %17 : tensor<2x34xcomplex<f64>>
  %39 = stablehlo.abs %38 : (tensor<2x34xcomplex<f64>>) -> tensor<2x34xf64>
  %40 = stablehlo.constant dense<0.0> : tensor<f64>
  %41 = stablehlo.reduce(%39 init: %40) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<2x34xf64>, tensor<f64>) -> tensor<f64>
  %42 = stablehlo.constant dense<1.0e-12> : tensor<f64>
  %43 = stablehlo.compare LT, %41, %42 : (tensor<f64>, tensor<f64>) -> tensor<i1>
  %44 = stablehlo.iota dim = 0 : tensor<68xf64>
  %45 = stablehlo.constant dense<0.5700000000000001> : tensor<68xf64>
  %46 = stablehlo.constant dense<0.5> : tensor<68xf64>
  %47 = stablehlo.multiply %44, %45 : tensor<68xf64>
  %48 = stablehlo.multiply %47, %44 : tensor<68xf64>
  %49 = stablehlo.add %48, %46 : tensor<68xf64>
  %50 = stablehlo.sine %49 : tensor<68xf64>
  %51 = stablehlo.reshape %50 : (tensor<68xf64>) -> tensor<2x34xf64>
  %52 = stablehlo.fft %51, type = RFFT, length = [34] : (tensor<2x34xf64>) -> tensor<2x18xcomplex<f64>>
  %53 = stablehlo.convert %51 : (tensor<2x34xf64>) -> tensor<2x34xcomplex<f64>>
  %54 = stablehlo.iota dim = 0 : tensor<18x34xi32>
  %55 = stablehlo.iota dim = 1 : tensor<18x34xi32>
  %56 = stablehlo.multiply %54, %55 : tensor<18x34xi32>
  %57 = stablehlo.constant dense<34> : tensor<18x34xi32>
  %58 = stablehlo.remainder %56, %57 : tensor<18x34xi32>
  %59 = stablehlo.convert %58 : (tensor<18x34xi32>) -> tensor<18x34xf64>
  %60 = stablehlo.constant dense<-0.18479956785822313> : tensor<18x34xf64>
  %61 = stablehlo.multiply %59, %60 : tensor<18x34xf64>
  %62 = stablehlo.cosine %61 : tensor<18x34xf64>
  %63 = stablehlo.sine %61 : tensor<18x34xf64>
  %64 = stablehlo.complex %62, %63 : tensor<18x34xcomplex<f64>>
  %65 = stablehlo.dot_general %53, %64, contracting_dims = [1] x [1] : (tensor<2x34xcomplex<f64>>, tensor<18x34xcomplex<f64>>) -> tensor<2x18xcomplex<f64>>
  %66 = stablehlo.subtract %52, %65 : tensor<2x18xcomplex<f64>>
  %67 = stablehlo.abs %66 : (tensor<2x18xcomplex<f64>>) -> tensor<2x18xf64>
  %68 = stablehlo.constant dense<0.0> : tensor<f64>
  %69 = stablehlo.reduce(%67 init: %68) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<2x18xf64>, tensor<f64>) -> tensor<f64>
  %70 = stablehlo.constant dense<1.0e-11> : tensor<f64>
  %71 = stablehlo.compare LT, %69, %70 : (tensor<f64>, tensor<f64>) -> tensor<i1>
  %72 = stablehlo.fft %52, type = IRFFT, length = [34] : (tensor<2x18xcomplex<f64>>) -> tensor<2x34xf64>
  %73 = stablehlo.subtract %72, %51 : tensor<2x34xf64>
  %74 = stablehlo.abs %73 : tensor<2x34xf64>
  %75 = stablehlo.constant dense<0.0> : tensor<f64>
  %76 = stablehlo.reduce(%74 init: %75) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<2x34xf64>, tensor<f64>) -> tensor<f64>
  %77 = stablehlo.constant dense<1.0e-12> : tensor<f64>
  %78 = stablehlo.compare LT, %76, %77 : (tensor<f64>, tensor<f64>) -> tensor<i1>
  return %36, %43, %71, %78 : tensor<i1>, tensor<i1>, tensor<i1>, tensor<i1>
}

// The results are the sums that define them, and come back.
func.func private @length_97() -> (tensor<i1>, tensor<i1>, tensor<i1>, tensor<i1>) {
  %1 = stablehlo.iota dim = 0 : tensor<97xf64>
  %2 = stablehlo.constant dense<0.47> : tensor<97xf64>
  %3 = stablehlo.constant dense<0.5> : tensor<97xf64>
  %4 = stablehlo.multiply %1, %2 : tensor<97xf64>
  %5 = stablehlo.multiply %4, %1 : tensor<97xf64>
  %6 = stablehlo.add %5, %3 : tensor<97xf64>
  %7 = stablehlo.sine %6 : tensor<97xf64>
  %8 = stablehlo.reshape %7 : (tensor<97xf64>) -> tensor<1x97xf64>
  %9 = stablehlo.iota dim = 0 : tensor<97xf64>
  %10 = stablehlo.constant dense<0.33> : tensor<97xf64>
  %11 = stablehlo.constant dense<1.5> : tensor<97xf64>
  %12 = stablehlo.multiply %9, %10 : tensor<97xf64>
  %13 = stablehlo.multiply %12, %9 : tensor<97xf64>
  %14 = stablehlo.add %13, %11 : tensor<97xf64>
  %15 = stablehlo.sine %14 : tensor<97xf64>
  %16 = stablehlo.reshape %15 : (tensor<97xf64>) -> tensor<1x97xf64>
  %17 = stablehlo.complex %8, %16 : tensor<1x97xcomplex<f64>>
  %18 = stablehlo.fft %17, type = FFT, length = [97] : (tensor<1x97xcomplex<f64>>) -> tensor<1x97xcomplex<f64>>
  %19 = stablehlo.iota dim = 0 : tensor<97x97xi32>
  %20 = stablehlo.iota dim = 1 : tensor<97x97xi32>
  %21 = stablehlo.multiply %19, %20 : tensor<97x97xi32>
  %22 = stablehlo.constant dense<97> : tensor<97x97xi32>
  %23 = stablehlo.remainder %21, %22 : tensor<97x97xi32>
  %24 = stablehlo.convert %23 : (tensor<97x97xi32>) -> tensor<97x97xf64>
  %25 = stablehlo.constant dense<-0.06477510625958337> : tensor<97x97xf64>
  %26 = stablehlo.multiply %24, %25 : tensor<97x97xf64>
  %27 = stablehlo.cosine %26 : tensor<97x97xf64>
  %28 = stablehlo.sine %26 : tensor<97x97xf64>
  %29 = stablehlo.complex %27, %28 : tensor<97x97xcomplex<f64>>
  %30 = stablehlo.dot_general %17, %29, contracting_dims = [1] x [1] : (tensor<1x97xcomplex<f64>>, tensor<97x97xcomplex<f64>>) -> tensor<1x97xcomplex<f64>>
  %31 = stablehlo.subtract %18, %30 : tensor<1x97xcomplex<f64>>
  %32 = stablehlo.abs %31 : (tensor<1x97xcomplex<f64>>) -> tensor<1x97xf64>
  %33 = stablehlo.constant dense<0.0> : tensor<f64>
  %34 = stablehlo.reduce(%32 init: %33) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<1x97xf64>, tensor<f64>) -> tensor<f64>
  %35 = stablehlo.constant dense<1.0e-11> : tensor<f64>
  %36 = stablehlo.compare LT, %34, %35 : (tensor<f64>, tensor<f64>) -> tensor<i1>
  %37 = stablehlo.fft %18, type = IFFT, length = [97] : (tensor<1x97xcomplex<f64>>) -> tensor<1x97xcomplex<f64>>
  %38 = stablehlo.subtract %37, %17 : tensor<1x97xcomplex<f64>>
  %39 = stablehlo.abs %38 : (tensor<1x97xcomplex<f64>>) -> tensor<1x97xf64>
  %40 = stablehlo.constant dense<0.0> : tensor<f64>
  %41 = stablehlo.reduce(%39 init: %40) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<1x97xf64>, tensor<f64>) -> tensor<f64>
  %42 = stablehlo.constant dense<1.0e-12> : tensor<f64>
  %43 = stablehlo.compare LT, %41, %42 : (tensor<f64>, tensor<f64>) -> tensor<i1>
  %44 = stablehlo.iota dim = 0 : tensor<97xf64>
  %45 = stablehlo.constant dense<0.5700000000000001> : tensor<97xf64>
  %46 = stablehlo.constant dense<0.5> : tensor<97xf64>
  %47 = stablehlo.multiply %44, %45 : tensor<97xf64>
  %48 = stablehlo.multiply %47, %44 : tensor<97xf64>
  %49 = stablehlo.add %48, %46 : tensor<97xf64>
  %50 = stablehlo.sine %49 : tensor<97xf64>
  %51 = stablehlo.reshape %50 : (tensor<97xf64>) -> tensor<1x97xf64>
  %52 = stablehlo.fft %51, type = RFFT, length = [97] : (tensor<1x97xf64>) -> tensor<1x49xcomplex<f64>>
  %53 = stablehlo.convert %51 : (tensor<1x97xf64>) -> tensor<1x97xcomplex<f64>>
  %54 = stablehlo.iota dim = 0 : tensor<49x97xi32>
  %55 = stablehlo.iota dim = 1 : tensor<49x97xi32>
  %56 = stablehlo.multiply %54, %55 : tensor<49x97xi32>
  %57 = stablehlo.constant dense<97> : tensor<49x97xi32>
  %58 = stablehlo.remainder %56, %57 : tensor<49x97xi32>
  %59 = stablehlo.convert %58 : (tensor<49x97xi32>) -> tensor<49x97xf64>
  %60 = stablehlo.constant dense<-0.06477510625958337> : tensor<49x97xf64>
  %61 = stablehlo.multiply %59, %60 : tensor<49x97xf64>
  %62 = stablehlo.cosine %61 : tensor<49x97xf64>
  %63 = stablehlo.sine %61 : tensor<49x97xf64>
  %64 = stablehlo.complex %62, %63 : tensor<49x97xcomplex<f64>>
  %65 = stablehlo.dot_general %53, %64, contracting_dims = [1] x [1] : (tensor<1x97xcomplex<f64>>, tensor<49x97xcomplex<f64>>) -> tensor<1x49xcomplex<f64>>
  %66 = stablehlo.subtract %52, %65 : tensor<1x49xcomplex<f64>>
  %67 = stablehlo.abs %66 : (tensor<1x49xcomplex<f64>>) -> tensor<1x49xf64>
  %68 = stablehlo.constant dense<0.0> : tensor<f64>
  %69 = stablehlo.reduce(%67 init: %68) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<1x49xf64>, tensor<f64>) -> tensor<f64>
  %70 = stablehlo.constant dense<1.0e-11> : tensor<f64>
  %71 = stablehlo.compare LT, %69, %70 : (tensor<f64>, tensor<f64>) -> tensor<i1>
  %72 = stablehlo.fft %52, type = IRFFT, length = [97] : (tensor<1x49xcomplex<f64>>) -> tensor<1x97xf64>
  %73 = stablehlo.subtract %72, %51 : tensor<1x97xf64>
  %74 = stablehlo.abs %73 : tensor<1x97xf64>
  %75 = stablehlo.constant dense<0.0> : tensor<f64>
  %76 = stablehlo.reduce(%74 init: %75) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<1x97xf64>, tensor<f64>) -> tensor<f64>
  %77 = stablehlo.constant dense<1.0e-12> : tensor<f64>
  %78 = stablehlo.compare LT, %76, %77 : (tensor<f64>, tensor<f64>) -> tensor<i1>
  return %36, %43, %71, %78 : tensor<i1>, tensor<i1>, tensor<i1>, tensor<i1>
}

// The results are the sums that define them, and come back.
func.func private @length_128() -> (tensor<i1>, tensor<i1>, tensor<i1>, tensor<i1>) {
  %1 = stablehlo.iota dim = 0 : tensor<640xf64>
  %2 = stablehlo.constant dense<0.47> : tensor<640xf64>
  %3 = stablehlo.constant dense<0.5> : tensor<640xf64>
  %4 = stablehlo.multiply %1, %2 : tensor<640xf64>
  %5 = stablehlo.multiply %4, %1 : tensor<640xf64>
  %6 = stablehlo.add %5, %3 : tensor<640xf64>
  %7 = stablehlo.sine %6 : tensor<640xf64>
  %8 = stablehlo.reshape %7 : (tensor<640xf64>) -> tensor<5x128xf64>
  %9 = stablehlo.iota dim = 0 : tensor<640xf64>
  %10 = stablehlo.constant dense<0.33> : tensor<640xf64>
  %11 = stablehlo.constant dense<1.5> : tensor<640xf64>
  %12 = stablehlo.multiply %9, %10 : tensor<640xf64>
  %13 = stablehlo.multiply %12, %9 : tensor<640xf64>
  %14 = stablehlo.add %13, %11 : tensor<640xf64>
  %15 = stablehlo.sine %14 : tensor<640xf64>
  %16 = stablehlo.reshape %15 : (tensor<640xf64>) -> tensor<5x128xf64>
  %17 = stablehlo.complex %8, %16 : tensor<5x128xcomplex<f64>>
  %18 = stablehlo.fft %17, type = FFT, length = [128] : (tensor<5x128xcomplex<f64>>) -> tensor<5x128xcomplex<f64>>
  %19 = stablehlo.iota dim = 0 : tensor<128x128xi32>
  %20 = stablehlo.iota dim = 1 : tensor<128x128xi32>
  %21 = stablehlo.multiply %19, %20 : tensor<128x128xi32>
  %22 = stablehlo.constant dense<128> : tensor<128x128xi32>
  %23 = stablehlo.remainder %21, %22 : tensor<128x128xi32>
  %24 = stablehlo.convert %23 : (tensor<128x128xi32>) -> tensor<128x128xf64>
  %25 = stablehlo.constant dense<-0.04908738521234052> : tensor<128x128xf64>
  %26 = stablehlo.multiply %24, %25 : tensor<128x128xf64>
  %27 = stablehlo.cosine %26 : tensor<128x128xf64>
  %28 = stablehlo.sine %26 : tensor<128x128xf64>
  %29 = stablehlo.complex %27, %28 : tensor<128x128xcomplex<f64>>
  %30 = stablehlo.dot_general %17, %29, contracting_dims = [1] x [1] : (tensor<5x128xcomplex<f64>>, tensor<128x128xcomplex<f64>>) -> tensor<5x128xcomplex<f64>>
  %31 = stablehlo.subtract %18, %30 : tensor<5x128xcomplex<f64>>
  %32 = stablehlo.abs %31 : (tensor<5x128xcomplex<f64>>) -> tensor<5x128xf64>
  %33 = stablehlo.constant dense<0.0> : tensor<f64>
  %34 = stablehlo.reduce(%32 init: %33) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<5x128xf64>, tensor<f64>) -> tensor<f64>
  %35 = stablehlo.constant dense<1.0e-11> : tensor<f64>
  %36 = stablehlo.compare LT, %34, %35 : (tensor<f64>, tensor<f64>) -> tensor<i1>
  %37 = stablehlo.fft %18, type = IFFT, length = [128] : (tensor<5x128xcomplex<f64>>) -> tensor<5x128xcomplex<f64>>
  %38 = stablehlo.subtract %37, %17 : tensor<5x128xcomplex<f64>>
  %39 = stablehlo.abs %38 : (tensor<5x128xcomplex<f64>>) -> tensor<5x128xf64>
  %40 = stablehlo.constant dense<0.0> : tensor<f64>
  %41 = stablehlo.reduce(%39 init: %40) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<5x128xf64>, tensor<f64>) -> tensor<f64>
  %42 = stablehlo.constant dense<1.0e-12> : tensor<f64>
  %43 = stablehlo.compare LT, %41, %42 : (tensor<f64>, tensor<f64>) -> tensor<i1>
  %44 = stablehlo.iota dim = 0 : tensor<640xf64>
  %45 = stablehlo.constant dense<0.5700000000000001> : tensor<640xf64>
  %46 = stablehlo.constant dense<0.5> : tensor<640xf64>
  %47 = stablehlo.multiply %44, %45 : tensor<640xf64>
  %48 = stablehlo.multiply %47, %44 : tensor<640xf64>
  %49 = stablehlo.add %48, %46 : tensor<640xf64>
  %50 = stablehlo.sine %49 : tensor<640xf64>
  %51 = stablehlo.reshape %50 : (tensor<640xf64>) -> tensor<5x128xf64>
  %52 = stablehlo.fft %51, type = RFFT, length = [128] : (tensor<5x128xf64>) -> tensor<5x65xcomplex<f64>>
  %53 = stablehlo.convert %51 : (tensor<5x128xf64>) -> tensor<5x128xcomplex<f64>>
  %54 = stablehlo.iota dim = 0 : tensor<65x128xi32>
  %55 = stablehlo.iota dim = 1 : tensor<65x128xi32>
  %56 = stablehlo.multiply %54, %55 : tensor<65x128xi32>
  %57 = stablehlo.constant dense<128> : tensor<65x128xi32>
  %58 = stablehlo.remainder %56, %57 : tensor<65x128xi32>
  %59 = stablehlo.convert %58 : (tensor<65x128xi32>) -> tensor<65x128xf64>
  %60 = stablehlo.constant dense<-0.04908738521234052> : tensor<65x128xf64>
  %61 = stablehlo.multiply %59, %60 : tensor<65x128xf64>
  %62 = stablehlo.cosine %61 : tensor<65x128xf64>
  %63 = stablehlo.sine %61 : tensor<65x128xf64>
  %64 = stablehlo.complex %62, %63 : tensor<65x128xcomplex<f64>>
  %65 = stablehlo.dot_general %53, %64, contracting_dims = [1] x [1] : (tensor<5x128xcomplex<f64>>, tensor<65x128xcomplex<f64>>) -> tensor<5x65xcomplex<f64>>
  %66 = stablehlo.subtract %52, %65 : tensor<5x65xcomplex<f64>>
  %67 = stablehlo.abs %66 : (tensor<5x65xcomplex<f64>>) -> tensor<5x65xf64>
  %68 = stablehlo.constant dense<0.0> : tensor<f64>
  %69 = stablehlo.reduce(%67 init: %68) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<5x65xf64>, tensor<f64>) -> tensor<f64>
  %70 = stablehlo.constant dense<1.0e-11> : tensor<f64>
  %71 = stablehlo.compare LT, %69, %70 : (tensor<f64>, tensor<f64>) -> tensor<i1>
  %72 = stablehlo.fft %52, type = IRFFT, length = [128] : (tensor<5x65xcomplex<f64>>) -> tensor<5x128xf64>
  %73 = stablehlo.subtract %72, %51 : tensor<5x128xf64>
  %74 = stablehlo.abs %73 : tensor<5x128xf64>
  %75 = stablehlo.constant dense<0.0> : tensor<f64>
  %76 = stablehlo.reduce(%74 init: %75) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<5x128xf64>, tensor<f64>) -> tensor<f64>
  %77 = stablehlo.constant dense<1.0e-12> : tensor<f64>
  %78 = stablehlo.compare LT, %76, %77 : (tensor<f64>, tensor<f64>) -> tensor<i1>
  return %36, %43, %71, %78 : tensor<i1>, tensor<i1>, tensor<i1>, tensor<i1>
}

// The results come back, and have the length of the numbers.
func.func private @length_5005() -> (tensor<i1>, tensor<i1>) {
  %1 = stablehlo.iota dim = 0 : tensor<5005xf64>
  %2 = stablehlo.constant dense<0.47> : tensor<5005xf64>
  %3 = stablehlo.constant dense<0.5> : tensor<5005xf64>
  %4 = stablehlo.multiply %1, %2 : tensor<5005xf64>
  %5 = stablehlo.multiply %4, %1 : tensor<5005xf64>
  %6 = stablehlo.add %5, %3 : tensor<5005xf64>
  %7 = stablehlo.sine %6 : tensor<5005xf64>
  %8 = stablehlo.reshape %7 : (tensor<5005xf64>) -> tensor<1x5005xf64>
  %9 = stablehlo.iota dim = 0 : tensor<5005xf64>
  %10 = stablehlo.constant dense<0.33> : tensor<5005xf64>
  %11 = stablehlo.constant dense<1.5> : tensor<5005xf64>
  %12 = stablehlo.multiply %9, %10 : tensor<5005xf64>
  %13 = stablehlo.multiply %12, %9 : tensor<5005xf64>
  %14 = stablehlo.add %13, %11 : tensor<5005xf64>
  %15 = stablehlo.sine %14 : tensor<5005xf64>
  %16 = stablehlo.reshape %15 : (tensor<5005xf64>) -> tensor<1x5005xf64>
  %17 = stablehlo.complex %8, %16 : tensor<1x5005xcomplex<f64>>
  %18 = stablehlo.fft %17, type = FFT, length = [5005] : (tensor<1x5005xcomplex<f64>>) -> tensor<1x5005xcomplex<f64>>
  %19 = stablehlo.fft %18, type = IFFT, length = [5005] : (tensor<1x5005xcomplex<f64>>) -> tensor<1x5005xcomplex<f64>>
  %20 = stablehlo.subtract %19, %17 : tensor<1x5005xcomplex<f64>>
  %21 = stablehlo.abs %20 : (tensor<1x5005xcomplex<f64>>) -> tensor<1x5005xf64>
  %22 = stablehlo.constant dense<0.0> : tensor<f64>
  %23 = stablehlo.reduce(%21 init: %22) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<1x5005xf64>, tensor<f64>) -> tensor<f64>
  %24 = stablehlo.constant dense<1.0e-12> : tensor<f64>
  %25 = stablehlo.compare LT, %23, %24 : (tensor<f64>, tensor<f64>) -> tensor<i1>
  %26 = stablehlo.iota dim = 0 : tensor<5005xf64>
  %27 = stablehlo.constant dense<0.5700000000000001> : tensor<5005xf64>
  %28 = stablehlo.constant dense<0.5> : tensor<5005xf64>
  %29 = stablehlo.multiply %26, %27 : tensor<5005xf64>
  %30 = stablehlo.multiply %29, %26 : tensor<5005xf64>
  %31 = stablehlo.add %30, %28 : tensor<5005xf64>
  %32 = stablehlo.sine %31 : tensor<5005xf64>
  %33 = stablehlo.reshape %32 : (tensor<5005xf64>) -> tensor<1x5005xf64>
  %34 = stablehlo.fft %33, type = RFFT, length = [5005] : (tensor<1x5005xf64>) -> tensor<1x2503xcomplex<f64>>
  %35 = stablehlo.fft %34, type = IRFFT, length = [5005] : (tensor<1x2503xcomplex<f64>>) -> tensor<1x5005xf64>
  %36 = stablehlo.subtract %35, %33 : tensor<1x5005xf64>
  %37 = stablehlo.abs %36 : tensor<1x5005xf64>
  %38 = stablehlo.constant dense<0.0> : tensor<f64>
  %39 = stablehlo.reduce(%37 init: %38) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<1x5005xf64>, tensor<f64>) -> tensor<f64>
  %40 = stablehlo.constant dense<1.0e-12> : tensor<f64>
  %41 = stablehlo.compare LT, %39, %40 : (tensor<f64>, tensor<f64>) -> tensor<i1>
  return %25, %41 : tensor<i1>, tensor<i1>
}

// The results come back, and have the length of the numbers.
func.func private @length_8192() -> (tensor<i1>, tensor<i1>) {
  %1 = stablehlo.iota dim = 0 : tensor<8192xf64>
  %2 = stablehlo.constant dense<0.47> : tensor<8192xf64>
  %3 = stablehlo.constant dense<0.5> : tensor<8192xf64>
  %4 = stablehlo.multiply %1, %2 : tensor<8192xf64>
  %5 = stablehlo.multiply %4, %1 : tensor<8192xf64>
  %6 = stablehlo.add %5, %3 : tensor<8192xf64>
  %7 = stablehlo.sine %6 : tensor<8192xf64>
  %8 = stablehlo.reshape %7 : (tensor<8192xf64>) -> tensor<1x8192xf64>
  %9 = stablehlo.iota dim = 0 : tensor<8192xf64>
  %10 = stablehlo.constant dense<0.33> : tensor<8192xf64>
  %11 = stablehlo.constant dense<1.5> : tensor<8192xf64>
  %12 = stablehlo.multiply %9, %10 : tensor<8192xf64>
  %13 = stablehlo.multiply %12, %9 : tensor<8192xf64>
  %14 = stablehlo.add %13, %11 : tensor<8192xf64>
  %15 = stablehlo.sine %14 : tensor<8192xf64>
  %16 = stablehlo.reshape %15 : (tensor<8192xf64>) -> tensor<1x8192xf64>
  %17 = stablehlo.complex %8, %16 : tensor<1x8192xcomplex<f64>>
  %18 = stablehlo.fft %17, type = FFT, length = [8192] : (tensor<1x8192xcomplex<f64>>) -> tensor<1x8192xcomplex<f64>>
  %19 = stablehlo.fft %18, type = IFFT, length = [8192] : (tensor<1x8192xcomplex<f64>>) -> tensor<1x8192xcomplex<f64>>
  %20 = stablehlo.subtract %19, %17 : tensor<1x8192xcomplex<f64>>
  %21 = stablehlo.abs %20 : (tensor<1x8192xcomplex<f64>>) -> tensor<1x8192xf64>
  %22 = stablehlo.constant dense<0.0> : tensor<f64>
  %23 = stablehlo.reduce(%21 init: %22) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<1x8192xf64>, tensor<f64>) -> tensor<f64>
  %24 = stablehlo.constant dense<1.0e-12> : tensor<f64>
  %25 = stablehlo.compare LT, %23, %24 : (tensor<f64>, tensor<f64>) -> tensor<i1>
  %26 = stablehlo.iota dim = 0 : tensor<8192xf64>
  %27 = stablehlo.constant dense<0.5700000000000001> : tensor<8192xf64>
  %28 = stablehlo.constant dense<0.5> : tensor<8192xf64>
  %29 = stablehlo.multiply %26, %27 : tensor<8192xf64>
  %30 = stablehlo.multiply %29, %26 : tensor<8192xf64>
  %31 = stablehlo.add %30, %28 : tensor<8192xf64>
  %32 = stablehlo.sine %31 : tensor<8192xf64>
  %33 = stablehlo.reshape %32 : (tensor<8192xf64>) -> tensor<1x8192xf64>
  %34 = stablehlo.fft %33, type = RFFT, length = [8192] : (tensor<1x8192xf64>) -> tensor<1x4097xcomplex<f64>>
  %35 = stablehlo.fft %34, type = IRFFT, length = [8192] : (tensor<1x4097xcomplex<f64>>) -> tensor<1x8192xf64>
  %36 = stablehlo.subtract %35, %33 : tensor<1x8192xf64>
  %37 = stablehlo.abs %36 : tensor<1x8192xf64>
  %38 = stablehlo.constant dense<0.0> : tensor<f64>
  %39 = stablehlo.reduce(%37 init: %38) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<1x8192xf64>, tensor<f64>) -> tensor<f64>
  %40 = stablehlo.constant dense<1.0e-12> : tensor<f64>
  %41 = stablehlo.compare LT, %39, %40 : (tensor<f64>, tensor<f64>) -> tensor<i1>
  return %25, %41 : tensor<i1>, tensor<i1>
}

// Transforms of several dimensions come back.
func.func private @two() -> (tensor<i1>, tensor<i1>) {
  %1 = stablehlo.iota dim = 0 : tensor<480xf32>
  %2 = stablehlo.constant dense<0.47> : tensor<480xf32>
  %3 = stablehlo.constant dense<0.5> : tensor<480xf32>
  %4 = stablehlo.multiply %1, %2 : tensor<480xf32>
  %5 = stablehlo.multiply %4, %1 : tensor<480xf32>
  %6 = stablehlo.add %5, %3 : tensor<480xf32>
  %7 = stablehlo.sine %6 : tensor<480xf32>
  %8 = stablehlo.reshape %7 : (tensor<480xf32>) -> tensor<2x12x20xf32>
  %9 = stablehlo.iota dim = 0 : tensor<480xf32>
  %10 = stablehlo.constant dense<0.33> : tensor<480xf32>
  %11 = stablehlo.constant dense<1.5> : tensor<480xf32>
  %12 = stablehlo.multiply %9, %10 : tensor<480xf32>
  %13 = stablehlo.multiply %12, %9 : tensor<480xf32>
  %14 = stablehlo.add %13, %11 : tensor<480xf32>
  %15 = stablehlo.sine %14 : tensor<480xf32>
  %16 = stablehlo.reshape %15 : (tensor<480xf32>) -> tensor<2x12x20xf32>
  %17 = stablehlo.complex %8, %16 : tensor<2x12x20xcomplex<f32>>
  %18 = stablehlo.fft %17, type = FFT, length = [12, 20] : (tensor<2x12x20xcomplex<f32>>) -> tensor<2x12x20xcomplex<f32>>
  %19 = stablehlo.fft %18, type = IFFT, length = [12, 20] : (tensor<2x12x20xcomplex<f32>>) -> tensor<2x12x20xcomplex<f32>>
  %20 = stablehlo.subtract %19, %17 : tensor<2x12x20xcomplex<f32>>
  %21 = stablehlo.abs %20 : (tensor<2x12x20xcomplex<f32>>) -> tensor<2x12x20xf32>
  %22 = stablehlo.constant dense<0.0> : tensor<f32>
  %23 = stablehlo.reduce(%21 init: %22) applies stablehlo.maximum across dimensions = [0, 1, 2] : (tensor<2x12x20xf32>, tensor<f32>) -> tensor<f32>
  %24 = stablehlo.constant dense<1.0e-5> : tensor<f32>
  %25 = stablehlo.compare LT, %23, %24 : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %26 = stablehlo.iota dim = 0 : tensor<480xf32>
  %27 = stablehlo.constant dense<0.5700000000000001> : tensor<480xf32>
  %28 = stablehlo.constant dense<0.5> : tensor<480xf32>
  %29 = stablehlo.multiply %26, %27 : tensor<480xf32>
  %30 = stablehlo.multiply %29, %26 : tensor<480xf32>
  %31 = stablehlo.add %30, %28 : tensor<480xf32>
  %32 = stablehlo.sine %31 : tensor<480xf32>
  %33 = stablehlo.reshape %32 : (tensor<480xf32>) -> tensor<2x12x20xf32>
  %34 = stablehlo.fft %33, type = RFFT, length = [12, 20] : (tensor<2x12x20xf32>) -> tensor<2x12x11xcomplex<f32>>
  %35 = stablehlo.fft %34, type = IRFFT, length = [12, 20] : (tensor<2x12x11xcomplex<f32>>) -> tensor<2x12x20xf32>
  %36 = stablehlo.subtract %35, %33 : tensor<2x12x20xf32>
  %37 = stablehlo.abs %36 : tensor<2x12x20xf32>
  %38 = stablehlo.constant dense<0.0> : tensor<f32>
  %39 = stablehlo.reduce(%37 init: %38) applies stablehlo.maximum across dimensions = [0, 1, 2] : (tensor<2x12x20xf32>, tensor<f32>) -> tensor<f32>
  %40 = stablehlo.constant dense<1.0e-5> : tensor<f32>
  %41 = stablehlo.compare LT, %39, %40 : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %25, %41 : tensor<i1>, tensor<i1>
}

// Transforms of several dimensions come back.
func.func private @three() -> (tensor<i1>, tensor<i1>) {
  %1 = stablehlo.iota dim = 0 : tensor<408xf32>
  %2 = stablehlo.constant dense<0.47> : tensor<408xf32>
  %3 = stablehlo.constant dense<0.5> : tensor<408xf32>
  %4 = stablehlo.multiply %1, %2 : tensor<408xf32>
  %5 = stablehlo.multiply %4, %1 : tensor<408xf32>
  %6 = stablehlo.add %5, %3 : tensor<408xf32>
  %7 = stablehlo.sine %6 : tensor<408xf32>
  %8 = stablehlo.reshape %7 : (tensor<408xf32>) -> tensor<6x17x4xf32>
  %9 = stablehlo.iota dim = 0 : tensor<408xf32>
  %10 = stablehlo.constant dense<0.33> : tensor<408xf32>
  %11 = stablehlo.constant dense<1.5> : tensor<408xf32>
  %12 = stablehlo.multiply %9, %10 : tensor<408xf32>
  %13 = stablehlo.multiply %12, %9 : tensor<408xf32>
  %14 = stablehlo.add %13, %11 : tensor<408xf32>
  %15 = stablehlo.sine %14 : tensor<408xf32>
  %16 = stablehlo.reshape %15 : (tensor<408xf32>) -> tensor<6x17x4xf32>
  %17 = stablehlo.complex %8, %16 : tensor<6x17x4xcomplex<f32>>
  %18 = stablehlo.fft %17, type = FFT, length = [6, 17, 4] : (tensor<6x17x4xcomplex<f32>>) -> tensor<6x17x4xcomplex<f32>>
  %19 = stablehlo.fft %18, type = IFFT, length = [6, 17, 4] : (tensor<6x17x4xcomplex<f32>>) -> tensor<6x17x4xcomplex<f32>>
  %20 = stablehlo.subtract %19, %17 : tensor<6x17x4xcomplex<f32>>
  %21 = stablehlo.abs %20 : (tensor<6x17x4xcomplex<f32>>) -> tensor<6x17x4xf32>
  %22 = stablehlo.constant dense<0.0> : tensor<f32>
  %23 = stablehlo.reduce(%21 init: %22) applies stablehlo.maximum across dimensions = [0, 1, 2] : (tensor<6x17x4xf32>, tensor<f32>) -> tensor<f32>
  %24 = stablehlo.constant dense<1.0e-5> : tensor<f32>
  %25 = stablehlo.compare LT, %23, %24 : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %26 = stablehlo.iota dim = 0 : tensor<408xf32>
  %27 = stablehlo.constant dense<0.5700000000000001> : tensor<408xf32>
  %28 = stablehlo.constant dense<0.5> : tensor<408xf32>
  %29 = stablehlo.multiply %26, %27 : tensor<408xf32>
  %30 = stablehlo.multiply %29, %26 : tensor<408xf32>
  %31 = stablehlo.add %30, %28 : tensor<408xf32>
  %32 = stablehlo.sine %31 : tensor<408xf32>
  %33 = stablehlo.reshape %32 : (tensor<408xf32>) -> tensor<6x17x4xf32>
  %34 = stablehlo.fft %33, type = RFFT, length = [6, 17, 4] : (tensor<6x17x4xf32>) -> tensor<6x17x3xcomplex<f32>>
  %35 = stablehlo.fft %34, type = IRFFT, length = [6, 17, 4] : (tensor<6x17x3xcomplex<f32>>) -> tensor<6x17x4xf32>
  %36 = stablehlo.subtract %35, %33 : tensor<6x17x4xf32>
  %37 = stablehlo.abs %36 : tensor<6x17x4xf32>
  %38 = stablehlo.constant dense<0.0> : tensor<f32>
  %39 = stablehlo.reduce(%37 init: %38) applies stablehlo.maximum across dimensions = [0, 1, 2] : (tensor<6x17x4xf32>, tensor<f32>) -> tensor<f32>
  %40 = stablehlo.constant dense<1.0e-5> : tensor<f32>
  %41 = stablehlo.compare LT, %39, %40 : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %25, %41 : tensor<i1>, tensor<i1>
}

func.func private @exact() -> (tensor<4xcomplex<f32>>, tensor<2x2xcomplex<f32>>) {
  %a = stablehlo.constant dense<[(1.0, 0.0), (2.0, 0.0), (3.0, 0.0), (4.0, 0.0)]> : tensor<4xcomplex<f32>>
  %0 = stablehlo.fft %a, type = FFT, length = [4] : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  %b = stablehlo.reshape %a : (tensor<4xcomplex<f32>>) -> tensor<2x2xcomplex<f32>>
  %1 = stablehlo.fft %b, type = FFT, length = [2, 2] : (tensor<2x2xcomplex<f32>>) -> tensor<2x2xcomplex<f32>>
  return %0, %1 : tensor<4xcomplex<f32>>, tensor<2x2xcomplex<f32>>
}

func.func @main() -> (tensor<i1>, tensor<4xcomplex<f32>>, tensor<2x2xcomplex<f32>>) {
  %0:4 = call @length_8() : () -> (tensor<i1>, tensor<i1>, tensor<i1>, tensor<i1>)
  %1:4 = call @length_60() : () -> (tensor<i1>, tensor<i1>, tensor<i1>, tensor<i1>)
  %2:4 = call @length_64() : () -> (tensor<i1>, tensor<i1>, tensor<i1>, tensor<i1>)
  %3:4 = call @length_13() : () -> (tensor<i1>, tensor<i1>, tensor<i1>, tensor<i1>)
  %4:4 = call @length_1() : () -> (tensor<i1>, tensor<i1>, tensor<i1>, tensor<i1>)
  %5:4 = call @length_34() : () -> (tensor<i1>, tensor<i1>, tensor<i1>, tensor<i1>)
  %6:4 = call @length_97() : () -> (tensor<i1>, tensor<i1>, tensor<i1>, tensor<i1>)
  %7:4 = call @length_128() : () -> (tensor<i1>, tensor<i1>, tensor<i1>, tensor<i1>)
  %8:2 = call @length_5005() : () -> (tensor<i1>, tensor<i1>)
  %9:2 = call @length_8192() : () -> (tensor<i1>, tensor<i1>)
  %10:2 = call @two() : () -> (tensor<i1>, tensor<i1>)
  %11:2 = call @three() : () -> (tensor<i1>, tensor<i1>)
  %a0 = stablehlo.and %0#0, %0#1 : tensor<i1>
  %a1 = stablehlo.and %a0, %0#2 : tensor<i1>
  %a2 = stablehlo.and %a1, %0#3 : tensor<i1>
  %a3 = stablehlo.and %a2, %1#0 : tensor<i1>
  %a4 = stablehlo.and %a3, %1#1 : tensor<i1>
  %a5 = stablehlo.and %a4, %1#2 : tensor<i1>
  %a6 = stablehlo.and %a5, %1#3 : tensor<i1>
  %a7 = stablehlo.and %a6, %2#0 : tensor<i1>
  %a8 = stablehlo.and %a7, %2#1 : tensor<i1>
  %a9 = stablehlo.and %a8, %2#2 : tensor<i1>
  %a10 = stablehlo.and %a9, %2#3 : tensor<i1>
  %a11 = stablehlo.and %a10, %3#0 : tensor<i1>
  %a12 = stablehlo.and %a11, %3#1 : tensor<i1>
  %a13 = stablehlo.and %a12, %3#2 : tensor<i1>
  %a14 = stablehlo.and %a13, %3#3 : tensor<i1>
  %a15 = stablehlo.and %a14, %4#0 : tensor<i1>
  %a16 = stablehlo.and %a15, %4#1 : tensor<i1>
  %a17 = stablehlo.and %a16, %4#2 : tensor<i1>
  %a18 = stablehlo.and %a17, %4#3 : tensor<i1>
  %a19 = stablehlo.and %a18, %5#0 : tensor<i1>
  %a20 = stablehlo.and %a19, %5#1 : tensor<i1>
  %a21 = stablehlo.and %a20, %5#2 : tensor<i1>
  %a22 = stablehlo.and %a21, %5#3 : tensor<i1>
  %a23 = stablehlo.and %a22, %6#0 : tensor<i1>
  %a24 = stablehlo.and %a23, %6#1 : tensor<i1>
  %a25 = stablehlo.and %a24, %6#2 : tensor<i1>
  %a26 = stablehlo.and %a25, %6#3 : tensor<i1>
  %a27 = stablehlo.and %a26, %7#0 : tensor<i1>
  %a28 = stablehlo.and %a27, %7#1 : tensor<i1>
  %a29 = stablehlo.and %a28, %7#2 : tensor<i1>
  %a30 = stablehlo.and %a29, %7#3 : tensor<i1>
  %a31 = stablehlo.and %a30, %8#0 : tensor<i1>
  %a32 = stablehlo.and %a31, %8#1 : tensor<i1>
  %a33 = stablehlo.and %a32, %9#0 : tensor<i1>
  %a34 = stablehlo.and %a33, %9#1 : tensor<i1>
  %a35 = stablehlo.and %a34, %10#0 : tensor<i1>
  %a36 = stablehlo.and %a35, %10#1 : tensor<i1>
  %a37 = stablehlo.and %a36, %11#0 : tensor<i1>
  %a38 = stablehlo.and %a37, %11#1 : tensor<i1>
  %e:2 = call @exact() : () -> (tensor<4xcomplex<f32>>, tensor<2x2xcomplex<f32>>)
  return %a38, %e#0, %e#1 : tensor<i1>, tensor<4xcomplex<f32>>, tensor<2x2xcomplex<f32>>
}

// CHECK: result #0: i1 = true
// CHECK-NEXT: result #1: 4xcomplex<f32> = [(10.0, 0.0), (-2.0, 2.0), (-2.0, 0.0), (-2.0, -2.0)]
// CHECK-NEXT: result #2: 2x2xcomplex<f32>
// CHECK-NEXT: {{\[\[}}(10.0, 0.0), (-2.0, 0.0)],
// CHECK-NEXT:  [(-4.0, 0.0), (0.0, 0.0)]]
