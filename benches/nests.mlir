// Nests of loops as people write them, in any order: microseconds per call of each function, least of a few runs.
//
// freehold run -O3 --no-library-calls benches/nests.mlir [--vector-bits=128]

func.func private @rtclock() -> f64
func.func private @printF64(f64)
func.func private @printNewline()
func.func private @rows_times_rows(%a: memref<256x256xf32>, %b: memref<256x256xf32>, %c: memref<256x256xf32>) attributes {passthrough = ["noinline"]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %c512 = arith.constant 512 : index
  %c1000 = arith.constant 1000 : index
  %c1024 = arith.constant 1024 : index
  scf.for %i = %c0 to %c256 step %c1 {
    scf.for %j = %c0 to %c256 step %c1 {
      scf.for %k = %c0 to %c256 step %c1 {
        %x = memref.load %a[%i, %k] : memref<256x256xf32>
        %y = memref.load %b[%j, %k] : memref<256x256xf32>
        %s = memref.load %c[%i, %j] : memref<256x256xf32>
        %p = arith.mulf %x, %y : f32
        %q = arith.addf %s, %p : f32
        memref.store %q, %c[%i, %j] : memref<256x256xf32>
      }
    }
  }
  return
}
func.func private @rows_times_rows_f64(%a: memref<256x256xf64>, %b: memref<256x256xf64>, %c: memref<256x256xf64>) attributes {passthrough = ["noinline"]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %c512 = arith.constant 512 : index
  %c1000 = arith.constant 1000 : index
  %c1024 = arith.constant 1024 : index
  scf.for %i = %c0 to %c256 step %c1 {
    scf.for %j = %c0 to %c256 step %c1 {
      scf.for %k = %c0 to %c256 step %c1 {
        %x = memref.load %a[%i, %k] : memref<256x256xf64>
        %y = memref.load %b[%j, %k] : memref<256x256xf64>
        %s = memref.load %c[%i, %j] : memref<256x256xf64>
        %p = arith.mulf %x, %y : f64
        %q = arith.addf %s, %p : f64
        memref.store %q, %c[%i, %j] : memref<256x256xf64>
      }
    }
  }
  return
}
func.func private @product_of_columns(%a: memref<256x256xf32>, %b: memref<256x256xf32>, %c: memref<256x256xf32>) attributes {passthrough = ["noinline"]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %c512 = arith.constant 512 : index
  %c1000 = arith.constant 1000 : index
  %c1024 = arith.constant 1024 : index
  scf.for %k = %c0 to %c256 step %c1 {
    scf.for %j = %c0 to %c256 step %c1 {
      scf.for %i = %c0 to %c256 step %c1 {
        %x = memref.load %a[%i, %k] : memref<256x256xf32>
        %y = memref.load %b[%k, %j] : memref<256x256xf32>
        %s = memref.load %c[%i, %j] : memref<256x256xf32>
        %p = arith.mulf %x, %y : f32
        %q = arith.addf %s, %p : f32
        memref.store %q, %c[%i, %j] : memref<256x256xf32>
      }
    }
  }
  return
}
func.func private @transpose_1000(%a: memref<1000x1000xf32>, %b: memref<1000x1000xf32>) attributes {passthrough = ["noinline"]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %c512 = arith.constant 512 : index
  %c1000 = arith.constant 1000 : index
  %c1024 = arith.constant 1024 : index
  scf.for %i = %c0 to %c1000 step %c1 {
    scf.for %j = %c0 to %c1000 step %c1 {
      %x = memref.load %a[%i, %j] : memref<1000x1000xf32>
      memref.store %x, %b[%j, %i] : memref<1000x1000xf32>
    }
  }
  return
}
func.func private @transpose_1024(%a: memref<1024x1024xf32>, %b: memref<1024x1024xf32>) attributes {passthrough = ["noinline"]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %c512 = arith.constant 512 : index
  %c1000 = arith.constant 1000 : index
  %c1024 = arith.constant 1024 : index
  scf.for %i = %c0 to %c1024 step %c1 {
    scf.for %j = %c0 to %c1024 step %c1 {
      %x = memref.load %a[%i, %j] : memref<1024x1024xf32>
      memref.store %x, %b[%j, %i] : memref<1024x1024xf32>
    }
  }
  return
}
func.func private @transpose_bytes(%a: memref<1024x1024xi8>, %b: memref<1024x1024xi8>) attributes {passthrough = ["noinline"]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %c512 = arith.constant 512 : index
  %c1000 = arith.constant 1000 : index
  %c1024 = arith.constant 1024 : index
  scf.for %i = %c0 to %c1024 step %c1 {
    scf.for %j = %c0 to %c1024 step %c1 {
      %x = memref.load %a[%i, %j] : memref<1024x1024xi8>
      memref.store %x, %b[%j, %i] : memref<1024x1024xi8>
    }
  }
  return
}
func.func private @column_walk(%a: memref<1024x1024xf32>, %b: memref<1024x1024xf32>) attributes {passthrough = ["noinline"]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %c512 = arith.constant 512 : index
  %c1000 = arith.constant 1000 : index
  %c1024 = arith.constant 1024 : index
  scf.for %j = %c0 to %c1024 step %c1 {
    scf.for %i = %c0 to %c1024 step %c1 {
      %x = memref.load %a[%i, %j] : memref<1024x1024xf32>
      %y = arith.addf %x, %x : f32
      memref.store %y, %b[%i, %j] : memref<1024x1024xf32>
    }
  }
  return
}
func.func private @matrix_vector(%a: memref<1024x1024xf32>, %b: memref<1024xf32>, %c: memref<1024xf32>) attributes {passthrough = ["noinline"]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %c512 = arith.constant 512 : index
  %c1000 = arith.constant 1000 : index
  %c1024 = arith.constant 1024 : index
  scf.for %i = %c0 to %c1024 step %c1 {
    scf.for %j = %c0 to %c1024 step %c1 {
      %x = memref.load %a[%i, %j] : memref<1024x1024xf32>
      %y = memref.load %b[%j] : memref<1024xf32>
      %s = memref.load %c[%i] : memref<1024xf32>
      %p = arith.mulf %x, %y : f32
      %q = arith.addf %s, %p : f32
      memref.store %q, %c[%i] : memref<1024xf32>
    }
  }
  return
}
func.func private @sums_of_rows(%a: memref<1024x1024xf32>, %b: memref<1024xf32>) attributes {passthrough = ["noinline"]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %c512 = arith.constant 512 : index
  %c1000 = arith.constant 1000 : index
  %c1024 = arith.constant 1024 : index
  scf.for %i = %c0 to %c1024 step %c1 {
    scf.for %j = %c0 to %c1024 step %c1 {
      %x = memref.load %a[%i, %j] : memref<1024x1024xf32>
      %s = memref.load %b[%i] : memref<1024xf32>
      %q = arith.addf %s, %x : f32
      memref.store %q, %b[%i] : memref<1024xf32>
    }
  }
  return
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %million = arith.constant 1.0e6 : f64
  %big = arith.constant 1.0e9 : f64
  %m0 = memref.alloc() {alignment = 64} : memref<256x256xf32>
  %v0 = arith.constant 0.5 : f32
  linalg.fill ins(%v0 : f32) outs(%m0 : memref<256x256xf32>)
  %m1 = memref.alloc() {alignment = 64} : memref<256x256xf32>
  %v1 = arith.constant 0.5 : f32
  linalg.fill ins(%v1 : f32) outs(%m1 : memref<256x256xf32>)
  %m2 = memref.alloc() {alignment = 64} : memref<256x256xf32>
  %v2 = arith.constant 0.5 : f32
  linalg.fill ins(%v2 : f32) outs(%m2 : memref<256x256xf32>)
  %n3 = arith.constant 6 : index
  %best3 = scf.for %i = %c0 to %n3 step %c1 iter_args(%b = %big) -> (f64) {
    %s = func.call @rtclock() : () -> f64
    func.call @rows_times_rows(%m0, %m1, %m2) : (memref<256x256xf32>, memref<256x256xf32>, memref<256x256xf32>) -> ()
    %e = func.call @rtclock() : () -> f64
    %d = arith.subf %e, %s : f64
    %mm = arith.minimumf %d, %b : f64
    scf.yield %mm : f64
  }
  %us3 = arith.mulf %best3, %million : f64
  func.call @printF64(%us3) : (f64) -> ()
  func.call @printNewline() : () -> ()
  memref.dealloc %m0 : memref<256x256xf32>
  memref.dealloc %m1 : memref<256x256xf32>
  memref.dealloc %m2 : memref<256x256xf32>
  %m3 = memref.alloc() {alignment = 64} : memref<256x256xf64>
  %v3 = arith.constant 0.5 : f64
  linalg.fill ins(%v3 : f64) outs(%m3 : memref<256x256xf64>)
  %m4 = memref.alloc() {alignment = 64} : memref<256x256xf64>
  %v4 = arith.constant 0.5 : f64
  linalg.fill ins(%v4 : f64) outs(%m4 : memref<256x256xf64>)
  %m5 = memref.alloc() {alignment = 64} : memref<256x256xf64>
  %v5 = arith.constant 0.5 : f64
  linalg.fill ins(%v5 : f64) outs(%m5 : memref<256x256xf64>)
  %n6 = arith.constant 6 : index
  %best6 = scf.for %i = %c0 to %n6 step %c1 iter_args(%b = %big) -> (f64) {
    %s = func.call @rtclock() : () -> f64
    func.call @rows_times_rows_f64(%m3, %m4, %m5) : (memref<256x256xf64>, memref<256x256xf64>, memref<256x256xf64>) -> ()
    %e = func.call @rtclock() : () -> f64
    %d = arith.subf %e, %s : f64
    %mm = arith.minimumf %d, %b : f64
    scf.yield %mm : f64
  }
  %us6 = arith.mulf %best6, %million : f64
  func.call @printF64(%us6) : (f64) -> ()
  func.call @printNewline() : () -> ()
  memref.dealloc %m3 : memref<256x256xf64>
  memref.dealloc %m4 : memref<256x256xf64>
  memref.dealloc %m5 : memref<256x256xf64>
  %m6 = memref.alloc() {alignment = 64} : memref<256x256xf32>
  %v6 = arith.constant 0.5 : f32
  linalg.fill ins(%v6 : f32) outs(%m6 : memref<256x256xf32>)
  %m7 = memref.alloc() {alignment = 64} : memref<256x256xf32>
  %v7 = arith.constant 0.5 : f32
  linalg.fill ins(%v7 : f32) outs(%m7 : memref<256x256xf32>)
  %m8 = memref.alloc() {alignment = 64} : memref<256x256xf32>
  %v8 = arith.constant 0.5 : f32
  linalg.fill ins(%v8 : f32) outs(%m8 : memref<256x256xf32>)
  %n9 = arith.constant 4 : index
  %best9 = scf.for %i = %c0 to %n9 step %c1 iter_args(%b = %big) -> (f64) {
    %s = func.call @rtclock() : () -> f64
    func.call @product_of_columns(%m6, %m7, %m8) : (memref<256x256xf32>, memref<256x256xf32>, memref<256x256xf32>) -> ()
    %e = func.call @rtclock() : () -> f64
    %d = arith.subf %e, %s : f64
    %mm = arith.minimumf %d, %b : f64
    scf.yield %mm : f64
  }
  %us9 = arith.mulf %best9, %million : f64
  func.call @printF64(%us9) : (f64) -> ()
  func.call @printNewline() : () -> ()
  memref.dealloc %m6 : memref<256x256xf32>
  memref.dealloc %m7 : memref<256x256xf32>
  memref.dealloc %m8 : memref<256x256xf32>
  %m9 = memref.alloc() {alignment = 64} : memref<1000x1000xf32>
  %v9 = arith.constant 0.5 : f32
  linalg.fill ins(%v9 : f32) outs(%m9 : memref<1000x1000xf32>)
  %m10 = memref.alloc() {alignment = 64} : memref<1000x1000xf32>
  %v10 = arith.constant 0.5 : f32
  linalg.fill ins(%v10 : f32) outs(%m10 : memref<1000x1000xf32>)
  %n11 = arith.constant 30 : index
  %best11 = scf.for %i = %c0 to %n11 step %c1 iter_args(%b = %big) -> (f64) {
    %s = func.call @rtclock() : () -> f64
    func.call @transpose_1000(%m9, %m10) : (memref<1000x1000xf32>, memref<1000x1000xf32>) -> ()
    %e = func.call @rtclock() : () -> f64
    %d = arith.subf %e, %s : f64
    %mm = arith.minimumf %d, %b : f64
    scf.yield %mm : f64
  }
  %us11 = arith.mulf %best11, %million : f64
  func.call @printF64(%us11) : (f64) -> ()
  func.call @printNewline() : () -> ()
  memref.dealloc %m9 : memref<1000x1000xf32>
  memref.dealloc %m10 : memref<1000x1000xf32>
  %m11 = memref.alloc() {alignment = 64} : memref<1024x1024xf32>
  %v11 = arith.constant 0.5 : f32
  linalg.fill ins(%v11 : f32) outs(%m11 : memref<1024x1024xf32>)
  %m12 = memref.alloc() {alignment = 64} : memref<1024x1024xf32>
  %v12 = arith.constant 0.5 : f32
  linalg.fill ins(%v12 : f32) outs(%m12 : memref<1024x1024xf32>)
  %n13 = arith.constant 30 : index
  %best13 = scf.for %i = %c0 to %n13 step %c1 iter_args(%b = %big) -> (f64) {
    %s = func.call @rtclock() : () -> f64
    func.call @transpose_1024(%m11, %m12) : (memref<1024x1024xf32>, memref<1024x1024xf32>) -> ()
    %e = func.call @rtclock() : () -> f64
    %d = arith.subf %e, %s : f64
    %mm = arith.minimumf %d, %b : f64
    scf.yield %mm : f64
  }
  %us13 = arith.mulf %best13, %million : f64
  func.call @printF64(%us13) : (f64) -> ()
  func.call @printNewline() : () -> ()
  memref.dealloc %m11 : memref<1024x1024xf32>
  memref.dealloc %m12 : memref<1024x1024xf32>
  %m13 = memref.alloc() {alignment = 64} : memref<1024x1024xi8>
  %v13 = arith.constant 3 : i8
  linalg.fill ins(%v13 : i8) outs(%m13 : memref<1024x1024xi8>)
  %m14 = memref.alloc() {alignment = 64} : memref<1024x1024xi8>
  %v14 = arith.constant 3 : i8
  linalg.fill ins(%v14 : i8) outs(%m14 : memref<1024x1024xi8>)
  %n15 = arith.constant 30 : index
  %best15 = scf.for %i = %c0 to %n15 step %c1 iter_args(%b = %big) -> (f64) {
    %s = func.call @rtclock() : () -> f64
    func.call @transpose_bytes(%m13, %m14) : (memref<1024x1024xi8>, memref<1024x1024xi8>) -> ()
    %e = func.call @rtclock() : () -> f64
    %d = arith.subf %e, %s : f64
    %mm = arith.minimumf %d, %b : f64
    scf.yield %mm : f64
  }
  %us15 = arith.mulf %best15, %million : f64
  func.call @printF64(%us15) : (f64) -> ()
  func.call @printNewline() : () -> ()
  memref.dealloc %m13 : memref<1024x1024xi8>
  memref.dealloc %m14 : memref<1024x1024xi8>
  %m15 = memref.alloc() {alignment = 64} : memref<1024x1024xf32>
  %v15 = arith.constant 0.5 : f32
  linalg.fill ins(%v15 : f32) outs(%m15 : memref<1024x1024xf32>)
  %m16 = memref.alloc() {alignment = 64} : memref<1024x1024xf32>
  %v16 = arith.constant 0.5 : f32
  linalg.fill ins(%v16 : f32) outs(%m16 : memref<1024x1024xf32>)
  %n17 = arith.constant 30 : index
  %best17 = scf.for %i = %c0 to %n17 step %c1 iter_args(%b = %big) -> (f64) {
    %s = func.call @rtclock() : () -> f64
    func.call @column_walk(%m15, %m16) : (memref<1024x1024xf32>, memref<1024x1024xf32>) -> ()
    %e = func.call @rtclock() : () -> f64
    %d = arith.subf %e, %s : f64
    %mm = arith.minimumf %d, %b : f64
    scf.yield %mm : f64
  }
  %us17 = arith.mulf %best17, %million : f64
  func.call @printF64(%us17) : (f64) -> ()
  func.call @printNewline() : () -> ()
  memref.dealloc %m15 : memref<1024x1024xf32>
  memref.dealloc %m16 : memref<1024x1024xf32>
  %m17 = memref.alloc() {alignment = 64} : memref<1024x1024xf32>
  %v17 = arith.constant 0.5 : f32
  linalg.fill ins(%v17 : f32) outs(%m17 : memref<1024x1024xf32>)
  %m18 = memref.alloc() {alignment = 64} : memref<1024xf32>
  %v18 = arith.constant 0.5 : f32
  linalg.fill ins(%v18 : f32) outs(%m18 : memref<1024xf32>)
  %m19 = memref.alloc() {alignment = 64} : memref<1024xf32>
  %v19 = arith.constant 0.5 : f32
  linalg.fill ins(%v19 : f32) outs(%m19 : memref<1024xf32>)
  %n20 = arith.constant 30 : index
  %best20 = scf.for %i = %c0 to %n20 step %c1 iter_args(%b = %big) -> (f64) {
    %s = func.call @rtclock() : () -> f64
    func.call @matrix_vector(%m17, %m18, %m19) : (memref<1024x1024xf32>, memref<1024xf32>, memref<1024xf32>) -> ()
    %e = func.call @rtclock() : () -> f64
    %d = arith.subf %e, %s : f64
    %mm = arith.minimumf %d, %b : f64
    scf.yield %mm : f64
  }
  %us20 = arith.mulf %best20, %million : f64
  func.call @printF64(%us20) : (f64) -> ()
  func.call @printNewline() : () -> ()
  memref.dealloc %m17 : memref<1024x1024xf32>
  memref.dealloc %m18 : memref<1024xf32>
  memref.dealloc %m19 : memref<1024xf32>
  %m20 = memref.alloc() {alignment = 64} : memref<1024x1024xf32>
  %v20 = arith.constant 0.5 : f32
  linalg.fill ins(%v20 : f32) outs(%m20 : memref<1024x1024xf32>)
  %m21 = memref.alloc() {alignment = 64} : memref<1024xf32>
  %v21 = arith.constant 0.5 : f32
  linalg.fill ins(%v21 : f32) outs(%m21 : memref<1024xf32>)
  %n22 = arith.constant 30 : index
  %best22 = scf.for %i = %c0 to %n22 step %c1 iter_args(%b = %big) -> (f64) {
    %s = func.call @rtclock() : () -> f64
    func.call @sums_of_rows(%m20, %m21) : (memref<1024x1024xf32>, memref<1024xf32>) -> ()
    %e = func.call @rtclock() : () -> f64
    %d = arith.subf %e, %s : f64
    %mm = arith.minimumf %d, %b : f64
    scf.yield %mm : f64
  }
  %us22 = arith.mulf %best22, %million : f64
  func.call @printF64(%us22) : (f64) -> ()
  func.call @printNewline() : () -> ()
  memref.dealloc %m20 : memref<1024x1024xf32>
  memref.dealloc %m21 : memref<1024xf32>
  return
}
