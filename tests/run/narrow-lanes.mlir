// Loops over narrow integers, and conversions between all sizes: the same in registers as one by one, and as
// MLIR's own runner has it. Each number is a sum over all elements of a result, weighted by their places.
//
// RUN: freehold run %s | FileCheck %s
// RUN: freehold run -O0 %s | FileCheck %s
// RUN: freehold compile --emit=exe %s -o %t
// RUN: %t | FileCheck %s

func.func private @printI64(i64)
func.func private @printNewline()
func.func @fill_i8(%m: memref<100xi8>, %seed: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 100 : index
  %factor = arith.constant 6364136223846793005 : i64
  %shift = arith.constant 56 : i64
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%x = %seed) -> (i64) {
    %y = arith.muli %x, %factor : i64
    %z = arith.addi %y, %seed : i64
    %high = arith.shrsi %z, %shift : i64
    %low = arith.trunci %high : i64 to i8
    memref.store %low, %m[%i] : memref<100xi8>
    scf.yield %z : i64
  }
  return
}
func.func @show_i8(%m: memref<100xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 100 : index
  %zero = arith.constant 0 : i64
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (i64) {
    %x = memref.load %m[%i] : memref<100xi8>
    %wide = arith.extsi %x : i8 to i64
    %k = arith.index_cast %i : index to i64
    %term = arith.muli %k, %wide : i64
    %next = arith.addi %s, %term : i64
    scf.yield %next : i64
  }
  call @printI64(%sum) : (i64) -> ()
  call @printNewline() : () -> ()
  return
}
func.func @fill_i16(%m: memref<100xi16>, %seed: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 100 : index
  %factor = arith.constant 6364136223846793005 : i64
  %shift = arith.constant 48 : i64
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%x = %seed) -> (i64) {
    %y = arith.muli %x, %factor : i64
    %z = arith.addi %y, %seed : i64
    %high = arith.shrsi %z, %shift : i64
    %low = arith.trunci %high : i64 to i16
    memref.store %low, %m[%i] : memref<100xi16>
    scf.yield %z : i64
  }
  return
}
func.func @show_i16(%m: memref<100xi16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 100 : index
  %zero = arith.constant 0 : i64
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (i64) {
    %x = memref.load %m[%i] : memref<100xi16>
    %wide = arith.extsi %x : i16 to i64
    %k = arith.index_cast %i : index to i64
    %term = arith.muli %k, %wide : i64
    %next = arith.addi %s, %term : i64
    scf.yield %next : i64
  }
  call @printI64(%sum) : (i64) -> ()
  call @printNewline() : () -> ()
  return
}
func.func @fill_i32(%m: memref<100xi32>, %seed: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 100 : index
  %factor = arith.constant 6364136223846793005 : i64
  %shift = arith.constant 32 : i64
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%x = %seed) -> (i64) {
    %y = arith.muli %x, %factor : i64
    %z = arith.addi %y, %seed : i64
    %high = arith.shrsi %z, %shift : i64
    %low = arith.trunci %high : i64 to i32
    memref.store %low, %m[%i] : memref<100xi32>
    scf.yield %z : i64
  }
  return
}
func.func @show_i32(%m: memref<100xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 100 : index
  %zero = arith.constant 0 : i64
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (i64) {
    %x = memref.load %m[%i] : memref<100xi32>
    %wide = arith.extsi %x : i32 to i64
    %k = arith.index_cast %i : index to i64
    %term = arith.muli %k, %wide : i64
    %next = arith.addi %s, %term : i64
    scf.yield %next : i64
  }
  call @printI64(%sum) : (i64) -> ()
  call @printNewline() : () -> ()
  return
}
func.func @fill_i64(%m: memref<100xi64>, %seed: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 100 : index
  %factor = arith.constant 6364136223846793005 : i64
  %shift = arith.constant 1 : i64
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%x = %seed) -> (i64) {
    %y = arith.muli %x, %factor : i64
    %z = arith.addi %y, %seed : i64
    %high = arith.shrsi %z, %shift : i64
    memref.store %high, %m[%i] : memref<100xi64>
    scf.yield %z : i64
  }
  return
}
func.func @show_i64(%m: memref<100xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 100 : index
  %zero = arith.constant 0 : i64
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (i64) {
    %x = memref.load %m[%i] : memref<100xi64>
    %k = arith.index_cast %i : index to i64
    %term = arith.muli %k, %x : i64
    %next = arith.addi %s, %term : i64
    scf.yield %next : i64
  }
  call @printI64(%sum) : (i64) -> ()
  call @printNewline() : () -> ()
  return
}
// Arithmetic of 8 bits.
func.func @arithmetic_i8(%b0: memref<100xi8>, %b1: memref<100xi8>, %out: memref<100xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 100 : index
  %five = arith.constant 5 : i8
  %three = arith.constant 3 : i8
  scf.for %i = %c0 to %n step %c1 {
    %x0 = memref.load %b0[%i] : memref<100xi8>
    %x1 = memref.load %b1[%i] : memref<100xi8>
    %v1 = arith.addi %x0, %x1 : i8
    %v2 = arith.subi %x0, %x1 : i8
    %v3 = arith.muli %v1, %five : i8
    %v4 = arith.xori %v3, %v2 : i8
    %v5 = arith.muli %x0, %x1 : i8
    %v6 = arith.muli %v4, %five : i8
    %v7 = arith.xori %v6, %v5 : i8
    %v8 = arith.andi %x0, %x1 : i8
    %v9 = arith.muli %v7, %five : i8
    %v10 = arith.xori %v9, %v8 : i8
    %v11 = arith.ori %x0, %x1 : i8
    %v12 = arith.muli %v10, %five : i8
    %v13 = arith.xori %v12, %v11 : i8
    %v14 = arith.xori %x0, %x1 : i8
    %v15 = arith.muli %v13, %five : i8
    %v16 = arith.xori %v15, %v14 : i8
    %v17 = arith.maxsi %x0, %x1 : i8
    %v18 = arith.muli %v16, %five : i8
    %v19 = arith.xori %v18, %v17 : i8
    %v20 = arith.maxui %x0, %x1 : i8
    %v21 = arith.muli %v19, %five : i8
    %v22 = arith.xori %v21, %v20 : i8
    %v23 = arith.minsi %x0, %x1 : i8
    %v24 = arith.muli %v22, %five : i8
    %v25 = arith.xori %v24, %v23 : i8
    %v26 = arith.minui %x0, %x1 : i8
    %v27 = arith.muli %v25, %five : i8
    %v28 = arith.xori %v27, %v26 : i8
    %v29 = arith.shli %x0, %three : i8
    %v30 = arith.muli %v28, %five : i8
    %v31 = arith.xori %v30, %v29 : i8
    %v32 = arith.shrsi %x0, %three : i8
    %v33 = arith.muli %v31, %five : i8
    %v34 = arith.xori %v33, %v32 : i8
    %v35 = arith.shrui %x0, %three : i8
    %v36 = arith.muli %v34, %five : i8
    %v37 = arith.xori %v36, %v35 : i8
    %v38 = math.absi %x1 : i8
    %v39 = arith.muli %v37, %five : i8
    %v40 = arith.xori %v39, %v38 : i8
    %r = arith.addi %v40, %five : i8
    memref.store %r, %out[%i] : memref<100xi8>
  }
  return
}
// Arithmetic of 16 bits.
func.func @arithmetic_i16(%b0: memref<100xi16>, %b1: memref<100xi16>, %out: memref<100xi16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 100 : index
  %five = arith.constant 5 : i16
  %three = arith.constant 3 : i16
  scf.for %i = %c0 to %n step %c1 {
    %x0 = memref.load %b0[%i] : memref<100xi16>
    %x1 = memref.load %b1[%i] : memref<100xi16>
    %v1 = arith.addi %x0, %x1 : i16
    %v2 = arith.subi %x0, %x1 : i16
    %v3 = arith.muli %v1, %five : i16
    %v4 = arith.xori %v3, %v2 : i16
    %v5 = arith.muli %x0, %x1 : i16
    %v6 = arith.muli %v4, %five : i16
    %v7 = arith.xori %v6, %v5 : i16
    %v8 = arith.andi %x0, %x1 : i16
    %v9 = arith.muli %v7, %five : i16
    %v10 = arith.xori %v9, %v8 : i16
    %v11 = arith.ori %x0, %x1 : i16
    %v12 = arith.muli %v10, %five : i16
    %v13 = arith.xori %v12, %v11 : i16
    %v14 = arith.xori %x0, %x1 : i16
    %v15 = arith.muli %v13, %five : i16
    %v16 = arith.xori %v15, %v14 : i16
    %v17 = arith.maxsi %x0, %x1 : i16
    %v18 = arith.muli %v16, %five : i16
    %v19 = arith.xori %v18, %v17 : i16
    %v20 = arith.maxui %x0, %x1 : i16
    %v21 = arith.muli %v19, %five : i16
    %v22 = arith.xori %v21, %v20 : i16
    %v23 = arith.minsi %x0, %x1 : i16
    %v24 = arith.muli %v22, %five : i16
    %v25 = arith.xori %v24, %v23 : i16
    %v26 = arith.minui %x0, %x1 : i16
    %v27 = arith.muli %v25, %five : i16
    %v28 = arith.xori %v27, %v26 : i16
    %v29 = arith.shli %x0, %three : i16
    %v30 = arith.muli %v28, %five : i16
    %v31 = arith.xori %v30, %v29 : i16
    %v32 = arith.shrsi %x0, %three : i16
    %v33 = arith.muli %v31, %five : i16
    %v34 = arith.xori %v33, %v32 : i16
    %v35 = arith.shrui %x0, %three : i16
    %v36 = arith.muli %v34, %five : i16
    %v37 = arith.xori %v36, %v35 : i16
    %v38 = math.absi %x1 : i16
    %v39 = arith.muli %v37, %five : i16
    %v40 = arith.xori %v39, %v38 : i16
    %r = arith.addi %v40, %five : i16
    memref.store %r, %out[%i] : memref<100xi16>
  }
  return
}
// Integers of all sizes as such of 8 bits.
func.func @to_i8(%b0: memref<100xi8>, %b1: memref<100xi16>, %b2: memref<100xi32>, %b3: memref<100xi64>, %out: memref<100xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 100 : index
  %five = arith.constant 5 : i8
  scf.for %i = %c0 to %n step %c1 {
    %x0 = memref.load %b0[%i] : memref<100xi8>
    %x1 = memref.load %b1[%i] : memref<100xi16>
    %x2 = memref.load %b2[%i] : memref<100xi32>
    %x3 = memref.load %b3[%i] : memref<100xi64>
    %v1 = arith.addi %x0, %five : i8
    %v2 = arith.trunci %x1 : i16 to i8
    %v3 = arith.muli %v1, %five : i8
    %v4 = arith.xori %v3, %v2 : i8
    %v5 = arith.trunci %x2 : i32 to i8
    %v6 = arith.muli %v4, %five : i8
    %v7 = arith.xori %v6, %v5 : i8
    %v8 = arith.trunci %x3 : i64 to i8
    %v9 = arith.muli %v7, %five : i8
    %v10 = arith.xori %v9, %v8 : i8
    %r = arith.addi %v10, %five : i8
    memref.store %r, %out[%i] : memref<100xi8>
  }
  return
}
// Integers of all sizes as such of 16 bits.
func.func @to_i16(%b0: memref<100xi8>, %b1: memref<100xi16>, %b2: memref<100xi32>, %b3: memref<100xi64>, %out: memref<100xi16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 100 : index
  %five = arith.constant 5 : i16
  scf.for %i = %c0 to %n step %c1 {
    %x0 = memref.load %b0[%i] : memref<100xi8>
    %x1 = memref.load %b1[%i] : memref<100xi16>
    %x2 = memref.load %b2[%i] : memref<100xi32>
    %x3 = memref.load %b3[%i] : memref<100xi64>
    %v1 = arith.extsi %x0 : i8 to i16
    %v2 = arith.extui %x0 : i8 to i16
    %v3 = arith.muli %v1, %five : i16
    %v4 = arith.xori %v3, %v2 : i16
    %v5 = arith.addi %x1, %five : i16
    %v6 = arith.muli %v4, %five : i16
    %v7 = arith.xori %v6, %v5 : i16
    %v8 = arith.trunci %x2 : i32 to i16
    %v9 = arith.muli %v7, %five : i16
    %v10 = arith.xori %v9, %v8 : i16
    %v11 = arith.trunci %x3 : i64 to i16
    %v12 = arith.muli %v10, %five : i16
    %v13 = arith.xori %v12, %v11 : i16
    %r = arith.addi %v13, %five : i16
    memref.store %r, %out[%i] : memref<100xi16>
  }
  return
}
// Integers of all sizes as such of 32 bits.
func.func @to_i32(%b0: memref<100xi8>, %b1: memref<100xi16>, %b2: memref<100xi32>, %b3: memref<100xi64>, %out: memref<100xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 100 : index
  %five = arith.constant 5 : i32
  scf.for %i = %c0 to %n step %c1 {
    %x0 = memref.load %b0[%i] : memref<100xi8>
    %x1 = memref.load %b1[%i] : memref<100xi16>
    %x2 = memref.load %b2[%i] : memref<100xi32>
    %x3 = memref.load %b3[%i] : memref<100xi64>
    %v1 = arith.extsi %x0 : i8 to i32
    %v2 = arith.extui %x0 : i8 to i32
    %v3 = arith.muli %v1, %five : i32
    %v4 = arith.xori %v3, %v2 : i32
    %v5 = arith.extsi %x1 : i16 to i32
    %v6 = arith.muli %v4, %five : i32
    %v7 = arith.xori %v6, %v5 : i32
    %v8 = arith.extui %x1 : i16 to i32
    %v9 = arith.muli %v7, %five : i32
    %v10 = arith.xori %v9, %v8 : i32
    %v11 = arith.addi %x2, %five : i32
    %v12 = arith.muli %v10, %five : i32
    %v13 = arith.xori %v12, %v11 : i32
    %v14 = arith.trunci %x3 : i64 to i32
    %v15 = arith.muli %v13, %five : i32
    %v16 = arith.xori %v15, %v14 : i32
    %r = arith.addi %v16, %five : i32
    memref.store %r, %out[%i] : memref<100xi32>
  }
  return
}
// Integers of all sizes as such of 64 bits.
func.func @to_i64(%b0: memref<100xi8>, %b1: memref<100xi16>, %b2: memref<100xi32>, %b3: memref<100xi64>, %out: memref<100xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 100 : index
  %five = arith.constant 5 : i64
  scf.for %i = %c0 to %n step %c1 {
    %x0 = memref.load %b0[%i] : memref<100xi8>
    %x1 = memref.load %b1[%i] : memref<100xi16>
    %x2 = memref.load %b2[%i] : memref<100xi32>
    %x3 = memref.load %b3[%i] : memref<100xi64>
    %v1 = arith.extsi %x0 : i8 to i64
    %v2 = arith.extui %x0 : i8 to i64
    %v3 = arith.muli %v1, %five : i64
    %v4 = arith.xori %v3, %v2 : i64
    %v5 = arith.extsi %x1 : i16 to i64
    %v6 = arith.muli %v4, %five : i64
    %v7 = arith.xori %v6, %v5 : i64
    %v8 = arith.extui %x1 : i16 to i64
    %v9 = arith.muli %v7, %five : i64
    %v10 = arith.xori %v9, %v8 : i64
    %v11 = arith.extsi %x2 : i32 to i64
    %v12 = arith.muli %v10, %five : i64
    %v13 = arith.xori %v12, %v11 : i64
    %v14 = arith.extui %x2 : i32 to i64
    %v15 = arith.muli %v13, %five : i64
    %v16 = arith.xori %v15, %v14 : i64
    %v17 = arith.addi %x3, %five : i64
    %v18 = arith.muli %v16, %five : i64
    %v19 = arith.xori %v18, %v17 : i64
    %r = arith.addi %v19, %five : i64
    memref.store %r, %out[%i] : memref<100xi64>
  }
  return
}
// Integers as f32.
func.func @to_f32(%b0: memref<100xi8>, %b1: memref<100xi16>, %b2: memref<100xi32>, %out: memref<100xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 100 : index
  scf.for %i = %c0 to %n step %c1 {
    %x0 = memref.load %b0[%i] : memref<100xi8>
    %x1 = memref.load %b1[%i] : memref<100xi16>
    %x2 = memref.load %b2[%i] : memref<100xi32>
    %v1 = arith.sitofp %x0 : i8 to f32
    %v2 = arith.uitofp %x0 : i8 to f32
    %s2 = arith.addf %v1, %v2 : f32
    %v3 = arith.sitofp %x1 : i16 to f32
    %s3 = arith.addf %s2, %v3 : f32
    %v4 = arith.uitofp %x1 : i16 to f32
    %s4 = arith.addf %s3, %v4 : f32
    %v5 = arith.sitofp %x2 : i32 to f32
    %s5 = arith.addf %s4, %v5 : f32
    %v6 = arith.uitofp %x2 : i32 to f32
    %s6 = arith.addf %s5, %v6 : f32
    %r = arith.bitcast %s6 : f32 to i32
    memref.store %r, %out[%i] : memref<100xi32>
  }
  return
}
// Integers as f64.
func.func @to_f64(%b0: memref<100xi8>, %b1: memref<100xi16>, %b2: memref<100xi32>, %out: memref<100xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 100 : index
  scf.for %i = %c0 to %n step %c1 {
    %x0 = memref.load %b0[%i] : memref<100xi8>
    %x1 = memref.load %b1[%i] : memref<100xi16>
    %x2 = memref.load %b2[%i] : memref<100xi32>
    %v1 = arith.sitofp %x0 : i8 to f64
    %v2 = arith.uitofp %x0 : i8 to f64
    %s2 = arith.addf %v1, %v2 : f64
    %v3 = arith.sitofp %x1 : i16 to f64
    %s3 = arith.addf %s2, %v3 : f64
    %v4 = arith.uitofp %x1 : i16 to f64
    %s4 = arith.addf %s3, %v4 : f64
    %v5 = arith.sitofp %x2 : i32 to f64
    %s5 = arith.addf %s4, %v5 : f64
    %v6 = arith.uitofp %x2 : i32 to f64
    %s6 = arith.addf %s5, %v6 : f64
    %r = arith.bitcast %s6 : f64 to i64
    memref.store %r, %out[%i] : memref<100xi64>
  }
  return
}
// Floats as integers.
func.func @from_f32(%b0: memref<100xi8>, %b1: memref<100xi16>, %out: memref<100xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 100 : index
  %scale = arith.constant 0.37 : f32
  %five = arith.constant 5 : i32
  scf.for %i = %c0 to %n step %c1 {
    %x0 = memref.load %b0[%i] : memref<100xi8>
    %x1 = memref.load %b1[%i] : memref<100xi16>
    %f = arith.sitofp %x0 : i8 to f32
    %g = arith.mulf %f, %scale : f32
    %u0 = arith.uitofp %x1 : i16 to f32
    %u = arith.mulf %u0, %scale : f32
    %a = arith.fptosi %g : f32 to i8
    %b = arith.fptosi %g : f32 to i16
    %c = arith.fptosi %u : f32 to i32
    %d = arith.fptoui %u : f32 to i16
    %a8 = arith.extsi %a : i8 to i32
    %b8 = arith.extui %b : i16 to i32
    %d8 = arith.extui %d : i16 to i32
    %s0 = arith.muli %a8, %five : i32
    %s1 = arith.xori %s0, %b8 : i32
    %s2 = arith.muli %s1, %five : i32
    %s3 = arith.xori %s2, %c : i32
    %s4 = arith.muli %s3, %five : i32
    %r = arith.xori %s4, %d8 : i32
    memref.store %r, %out[%i] : memref<100xi32>
  }
  return
}
// F64 to F32 and back.
func.func @sizes_of_floats(%b0: memref<100xi32>, %out: memref<100xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 100 : index
  %third = arith.constant 0.3333333333333 : f64
  scf.for %i = %c0 to %n step %c1 {
    %x0 = memref.load %b0[%i] : memref<100xi32>
    %f = arith.sitofp %x0 : i32 to f64
    %g = arith.mulf %f, %third : f64
    %h = arith.truncf %g : f64 to f32
    %w = arith.extf %h : f32 to f64
    %s = arith.addf %w, %g : f64
    %r = arith.bitcast %s : f64 to i64
    memref.store %r, %out[%i] : memref<100xi64>
  }
  return
}
// Comparisons of 8 bits.
func.func @compare_i8(%b0: memref<100xi8>, %b1: memref<100xi8>, %b2: memref<100xi16>, %out: memref<100xi16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 100 : index
  %five = arith.constant 5 : i16
  %seven = arith.constant 7 : i16
  scf.for %i = %c0 to %n step %c1 {
    %x0 = memref.load %b0[%i] : memref<100xi8>
    %x1 = memref.load %b1[%i] : memref<100xi8>
    %x2 = memref.load %b2[%i] : memref<100xi16>
    %v1 = arith.cmpi eq, %x0, %x1 : i8
    %v2 = arith.select %v1, %x2, %seven : i16
    %v3 = arith.cmpi ne, %x0, %x1 : i8
    %v4 = arith.select %v3, %x2, %seven : i16
    %v5 = arith.muli %v2, %five : i16
    %v6 = arith.xori %v5, %v4 : i16
    %v7 = arith.cmpi slt, %x0, %x1 : i8
    %v8 = arith.select %v7, %x2, %seven : i16
    %v9 = arith.muli %v6, %five : i16
    %v10 = arith.xori %v9, %v8 : i16
    %v11 = arith.cmpi sle, %x0, %x1 : i8
    %v12 = arith.select %v11, %x2, %seven : i16
    %v13 = arith.muli %v10, %five : i16
    %v14 = arith.xori %v13, %v12 : i16
    %v15 = arith.cmpi sgt, %x0, %x1 : i8
    %v16 = arith.select %v15, %x2, %seven : i16
    %v17 = arith.muli %v14, %five : i16
    %v18 = arith.xori %v17, %v16 : i16
    %v19 = arith.cmpi sge, %x0, %x1 : i8
    %v20 = arith.select %v19, %x2, %seven : i16
    %v21 = arith.muli %v18, %five : i16
    %v22 = arith.xori %v21, %v20 : i16
    %v23 = arith.cmpi ult, %x0, %x1 : i8
    %v24 = arith.select %v23, %x2, %seven : i16
    %v25 = arith.muli %v22, %five : i16
    %v26 = arith.xori %v25, %v24 : i16
    %v27 = arith.cmpi ule, %x0, %x1 : i8
    %v28 = arith.select %v27, %x2, %seven : i16
    %v29 = arith.muli %v26, %five : i16
    %v30 = arith.xori %v29, %v28 : i16
    %v31 = arith.cmpi ugt, %x0, %x1 : i8
    %v32 = arith.select %v31, %x2, %seven : i16
    %v33 = arith.muli %v30, %five : i16
    %v34 = arith.xori %v33, %v32 : i16
    %v35 = arith.cmpi uge, %x0, %x1 : i8
    %v36 = arith.select %v35, %x2, %seven : i16
    %v37 = arith.muli %v34, %five : i16
    %v38 = arith.xori %v37, %v36 : i16
    %v39 = arith.cmpi slt, %x0, %x1 : i8
    %v40 = arith.cmpi ult, %x2, %seven : i16
    %v41 = arith.xori %v39, %v40 : i1
    %v42 = arith.andi %v41, %v39 : i1
    %v43 = arith.extui %v41 : i1 to i16
    %v44 = arith.muli %v38, %five : i16
    %v45 = arith.xori %v44, %v43 : i16
    %v46 = arith.extsi %v42 : i1 to i16
    %v47 = arith.muli %v45, %five : i16
    %v48 = arith.xori %v47, %v46 : i16
    %r = arith.addi %v48, %five : i16
    memref.store %r, %out[%i] : memref<100xi16>
  }
  return
}
// Comparisons of 16 bits.
func.func @compare_i16(%b0: memref<100xi16>, %b1: memref<100xi16>, %b2: memref<100xi16>, %out: memref<100xi16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 100 : index
  %five = arith.constant 5 : i16
  %seven = arith.constant 7 : i16
  scf.for %i = %c0 to %n step %c1 {
    %x0 = memref.load %b0[%i] : memref<100xi16>
    %x1 = memref.load %b1[%i] : memref<100xi16>
    %x2 = memref.load %b2[%i] : memref<100xi16>
    %v1 = arith.cmpi eq, %x0, %x1 : i16
    %v2 = arith.select %v1, %x2, %seven : i16
    %v3 = arith.cmpi ne, %x0, %x1 : i16
    %v4 = arith.select %v3, %x2, %seven : i16
    %v5 = arith.muli %v2, %five : i16
    %v6 = arith.xori %v5, %v4 : i16
    %v7 = arith.cmpi slt, %x0, %x1 : i16
    %v8 = arith.select %v7, %x2, %seven : i16
    %v9 = arith.muli %v6, %five : i16
    %v10 = arith.xori %v9, %v8 : i16
    %v11 = arith.cmpi sle, %x0, %x1 : i16
    %v12 = arith.select %v11, %x2, %seven : i16
    %v13 = arith.muli %v10, %five : i16
    %v14 = arith.xori %v13, %v12 : i16
    %v15 = arith.cmpi sgt, %x0, %x1 : i16
    %v16 = arith.select %v15, %x2, %seven : i16
    %v17 = arith.muli %v14, %five : i16
    %v18 = arith.xori %v17, %v16 : i16
    %v19 = arith.cmpi sge, %x0, %x1 : i16
    %v20 = arith.select %v19, %x2, %seven : i16
    %v21 = arith.muli %v18, %five : i16
    %v22 = arith.xori %v21, %v20 : i16
    %v23 = arith.cmpi ult, %x0, %x1 : i16
    %v24 = arith.select %v23, %x2, %seven : i16
    %v25 = arith.muli %v22, %five : i16
    %v26 = arith.xori %v25, %v24 : i16
    %v27 = arith.cmpi ule, %x0, %x1 : i16
    %v28 = arith.select %v27, %x2, %seven : i16
    %v29 = arith.muli %v26, %five : i16
    %v30 = arith.xori %v29, %v28 : i16
    %v31 = arith.cmpi ugt, %x0, %x1 : i16
    %v32 = arith.select %v31, %x2, %seven : i16
    %v33 = arith.muli %v30, %five : i16
    %v34 = arith.xori %v33, %v32 : i16
    %v35 = arith.cmpi uge, %x0, %x1 : i16
    %v36 = arith.select %v35, %x2, %seven : i16
    %v37 = arith.muli %v34, %five : i16
    %v38 = arith.xori %v37, %v36 : i16
    %v39 = arith.cmpi slt, %x0, %x1 : i16
    %v40 = arith.cmpi ult, %x2, %seven : i16
    %v41 = arith.xori %v39, %v40 : i1
    %v42 = arith.andi %v41, %v39 : i1
    %v43 = arith.extui %v41 : i1 to i16
    %v44 = arith.muli %v38, %five : i16
    %v45 = arith.xori %v44, %v43 : i16
    %v46 = arith.extsi %v42 : i1 to i16
    %v47 = arith.muli %v45, %five : i16
    %v48 = arith.xori %v47, %v46 : i16
    %r = arith.addi %v48, %five : i16
    memref.store %r, %out[%i] : memref<100xi16>
  }
  return
}
// Comparisons of 32 bits.
func.func @compare_i32(%b0: memref<100xi32>, %b1: memref<100xi32>, %b2: memref<100xi16>, %out: memref<100xi16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 100 : index
  %five = arith.constant 5 : i16
  %seven = arith.constant 7 : i16
  scf.for %i = %c0 to %n step %c1 {
    %x0 = memref.load %b0[%i] : memref<100xi32>
    %x1 = memref.load %b1[%i] : memref<100xi32>
    %x2 = memref.load %b2[%i] : memref<100xi16>
    %v1 = arith.cmpi eq, %x0, %x1 : i32
    %v2 = arith.select %v1, %x2, %seven : i16
    %v3 = arith.cmpi ne, %x0, %x1 : i32
    %v4 = arith.select %v3, %x2, %seven : i16
    %v5 = arith.muli %v2, %five : i16
    %v6 = arith.xori %v5, %v4 : i16
    %v7 = arith.cmpi slt, %x0, %x1 : i32
    %v8 = arith.select %v7, %x2, %seven : i16
    %v9 = arith.muli %v6, %five : i16
    %v10 = arith.xori %v9, %v8 : i16
    %v11 = arith.cmpi sle, %x0, %x1 : i32
    %v12 = arith.select %v11, %x2, %seven : i16
    %v13 = arith.muli %v10, %five : i16
    %v14 = arith.xori %v13, %v12 : i16
    %v15 = arith.cmpi sgt, %x0, %x1 : i32
    %v16 = arith.select %v15, %x2, %seven : i16
    %v17 = arith.muli %v14, %five : i16
    %v18 = arith.xori %v17, %v16 : i16
    %v19 = arith.cmpi sge, %x0, %x1 : i32
    %v20 = arith.select %v19, %x2, %seven : i16
    %v21 = arith.muli %v18, %five : i16
    %v22 = arith.xori %v21, %v20 : i16
    %v23 = arith.cmpi ult, %x0, %x1 : i32
    %v24 = arith.select %v23, %x2, %seven : i16
    %v25 = arith.muli %v22, %five : i16
    %v26 = arith.xori %v25, %v24 : i16
    %v27 = arith.cmpi ule, %x0, %x1 : i32
    %v28 = arith.select %v27, %x2, %seven : i16
    %v29 = arith.muli %v26, %five : i16
    %v30 = arith.xori %v29, %v28 : i16
    %v31 = arith.cmpi ugt, %x0, %x1 : i32
    %v32 = arith.select %v31, %x2, %seven : i16
    %v33 = arith.muli %v30, %five : i16
    %v34 = arith.xori %v33, %v32 : i16
    %v35 = arith.cmpi uge, %x0, %x1 : i32
    %v36 = arith.select %v35, %x2, %seven : i16
    %v37 = arith.muli %v34, %five : i16
    %v38 = arith.xori %v37, %v36 : i16
    %v39 = arith.cmpi slt, %x0, %x1 : i32
    %v40 = arith.cmpi ult, %x2, %seven : i16
    %v41 = arith.xori %v39, %v40 : i1
    %v42 = arith.andi %v41, %v39 : i1
    %v43 = arith.extui %v41 : i1 to i16
    %v44 = arith.muli %v38, %five : i16
    %v45 = arith.xori %v44, %v43 : i16
    %v46 = arith.extsi %v42 : i1 to i16
    %v47 = arith.muli %v45, %five : i16
    %v48 = arith.xori %v47, %v46 : i16
    %r = arith.addi %v48, %five : i16
    memref.store %r, %out[%i] : memref<100xi16>
  }
  return
}
// Comparisons of 64 bits.
func.func @compare_i64(%b0: memref<100xi64>, %b1: memref<100xi64>, %b2: memref<100xi16>, %out: memref<100xi16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 100 : index
  %five = arith.constant 5 : i16
  %seven = arith.constant 7 : i16
  scf.for %i = %c0 to %n step %c1 {
    %x0 = memref.load %b0[%i] : memref<100xi64>
    %x1 = memref.load %b1[%i] : memref<100xi64>
    %x2 = memref.load %b2[%i] : memref<100xi16>
    %v1 = arith.cmpi eq, %x0, %x1 : i64
    %v2 = arith.select %v1, %x2, %seven : i16
    %v3 = arith.cmpi ne, %x0, %x1 : i64
    %v4 = arith.select %v3, %x2, %seven : i16
    %v5 = arith.muli %v2, %five : i16
    %v6 = arith.xori %v5, %v4 : i16
    %v7 = arith.cmpi slt, %x0, %x1 : i64
    %v8 = arith.select %v7, %x2, %seven : i16
    %v9 = arith.muli %v6, %five : i16
    %v10 = arith.xori %v9, %v8 : i16
    %v11 = arith.cmpi sle, %x0, %x1 : i64
    %v12 = arith.select %v11, %x2, %seven : i16
    %v13 = arith.muli %v10, %five : i16
    %v14 = arith.xori %v13, %v12 : i16
    %v15 = arith.cmpi sgt, %x0, %x1 : i64
    %v16 = arith.select %v15, %x2, %seven : i16
    %v17 = arith.muli %v14, %five : i16
    %v18 = arith.xori %v17, %v16 : i16
    %v19 = arith.cmpi sge, %x0, %x1 : i64
    %v20 = arith.select %v19, %x2, %seven : i16
    %v21 = arith.muli %v18, %five : i16
    %v22 = arith.xori %v21, %v20 : i16
    %v23 = arith.cmpi ult, %x0, %x1 : i64
    %v24 = arith.select %v23, %x2, %seven : i16
    %v25 = arith.muli %v22, %five : i16
    %v26 = arith.xori %v25, %v24 : i16
    %v27 = arith.cmpi ule, %x0, %x1 : i64
    %v28 = arith.select %v27, %x2, %seven : i16
    %v29 = arith.muli %v26, %five : i16
    %v30 = arith.xori %v29, %v28 : i16
    %v31 = arith.cmpi ugt, %x0, %x1 : i64
    %v32 = arith.select %v31, %x2, %seven : i16
    %v33 = arith.muli %v30, %five : i16
    %v34 = arith.xori %v33, %v32 : i16
    %v35 = arith.cmpi uge, %x0, %x1 : i64
    %v36 = arith.select %v35, %x2, %seven : i16
    %v37 = arith.muli %v34, %five : i16
    %v38 = arith.xori %v37, %v36 : i16
    %v39 = arith.cmpi slt, %x0, %x1 : i64
    %v40 = arith.cmpi ult, %x2, %seven : i16
    %v41 = arith.xori %v39, %v40 : i1
    %v42 = arith.andi %v41, %v39 : i1
    %v43 = arith.extui %v41 : i1 to i16
    %v44 = arith.muli %v38, %five : i16
    %v45 = arith.xori %v44, %v43 : i16
    %v46 = arith.extsi %v42 : i1 to i16
    %v47 = arith.muli %v45, %five : i16
    %v48 = arith.xori %v47, %v46 : i16
    %r = arith.addi %v48, %five : i16
    memref.store %r, %out[%i] : memref<100xi16>
  }
  return
}
// Sums of products, of all combinations of signs.
func.func @dot_signed(%b0: memref<100xi8>, %b1: memref<100xi8>, %out: memref<100xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 100 : index
  %zero = arith.constant 0 : i32
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (i32) {
    %x = memref.load %b0[%i] : memref<100xi8>
    %y = memref.load %b1[%i] : memref<100xi8>
    %a = arith.extsi %x : i8 to i32
    %b = arith.extsi %y : i8 to i32
    %p = arith.muli %a, %b : i32
    %t = arith.addi %s, %p : i32
    scf.yield %t : i32
  }
  memref.store %sum, %out[%c1] : memref<100xi32>
  return
}
func.func @dot_unsigned(%b0: memref<100xi8>, %b1: memref<100xi8>, %out: memref<100xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 100 : index
  %zero = arith.constant 0 : i32
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (i32) {
    %x = memref.load %b0[%i] : memref<100xi8>
    %y = memref.load %b1[%i] : memref<100xi8>
    %a = arith.extui %x : i8 to i32
    %b = arith.extui %y : i8 to i32
    %p = arith.muli %a, %b : i32
    %t = arith.addi %s, %p : i32
    scf.yield %t : i32
  }
  memref.store %sum, %out[%c1] : memref<100xi32>
  return
}
func.func @dot_mixed(%b0: memref<100xi8>, %b1: memref<100xi8>, %out: memref<100xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 100 : index
  %zero = arith.constant 0 : i32
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (i32) {
    %x = memref.load %b0[%i] : memref<100xi8>
    %y = memref.load %b1[%i] : memref<100xi8>
    %a = arith.extui %x : i8 to i32
    %b = arith.extsi %y : i8 to i32
    %p = arith.muli %a, %b : i32
    %t = arith.addi %s, %p : i32
    scf.yield %t : i32
  }
  memref.store %sum, %out[%c1] : memref<100xi32>
  return
}
func.func @dot_i16(%b0: memref<100xi16>, %b1: memref<100xi16>, %out: memref<100xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 100 : index
  %zero = arith.constant 0 : i32
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (i32) {
    %x = memref.load %b0[%i] : memref<100xi16>
    %y = memref.load %b1[%i] : memref<100xi16>
    %a = arith.extsi %x : i16 to i32
    %b = arith.extsi %y : i16 to i32
    %p = arith.muli %a, %b : i32
    %t = arith.addi %s, %p : i32
    scf.yield %t : i32
  }
  memref.store %sum, %out[%c1] : memref<100xi32>
  return
}
func.func @dot_u16(%b0: memref<100xi16>, %b1: memref<100xi16>, %out: memref<100xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 100 : index
  %zero = arith.constant 0 : i32
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (i32) {
    %x = memref.load %b0[%i] : memref<100xi16>
    %y = memref.load %b1[%i] : memref<100xi16>
    %a = arith.extui %x : i16 to i32
    %b = arith.extui %y : i16 to i32
    %p = arith.muli %a, %b : i32
    %t = arith.addi %s, %p : i32
    scf.yield %t : i32
  }
  memref.store %sum, %out[%c1] : memref<100xi32>
  return
}
func.func @dot_wide(%b0: memref<100xi8>, %b1: memref<100xi16>, %out: memref<100xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 100 : index
  %zero = arith.constant 0 : i64
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (i64) {
    %x = memref.load %b0[%i] : memref<100xi8>
    %y = memref.load %b1[%i] : memref<100xi16>
    %a = arith.extsi %x : i8 to i64
    %b = arith.extui %y : i16 to i64
    %p = arith.muli %a, %b : i64
    %t = arith.addi %s, %p : i64
    scf.yield %t : i64
  }
  memref.store %sum, %out[%c1] : memref<100xi64>
  return
}
func.func @dot_to_16(%b0: memref<100xi8>, %b1: memref<100xi8>, %out: memref<100xi16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 100 : index
  %zero = arith.constant 0 : i16
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (i16) {
    %x = memref.load %b0[%i] : memref<100xi8>
    %y = memref.load %b1[%i] : memref<100xi8>
    %a = arith.extsi %x : i8 to i16
    %b = arith.extui %y : i8 to i16
    %p = arith.muli %a, %b : i16
    %t = arith.addi %s, %p : i16
    scf.yield %t : i16
  }
  memref.store %sum, %out[%c1] : memref<100xi16>
  return
}
func.func @reduce_maxsi_i8(%b0: memref<100xi8>, %out: memref<100xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 100 : index
  %first = arith.constant 17 : i8
  %bit = arith.constant 1 : i8
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %first) -> (i8) {
    %x = memref.load %b0[%i] : memref<100xi8>
    %y = arith.ori %x, %bit : i8
    %t = arith.maxsi %s, %y : i8
    scf.yield %t : i8
  }
  memref.store %sum, %out[%c1] : memref<100xi8>
  return
}
func.func @reduce_minui_i16(%b0: memref<100xi16>, %out: memref<100xi16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 100 : index
  %first = arith.constant 17 : i16
  %bit = arith.constant 1 : i16
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %first) -> (i16) {
    %x = memref.load %b0[%i] : memref<100xi16>
    %y = arith.ori %x, %bit : i16
    %t = arith.minui %s, %y : i16
    scf.yield %t : i16
  }
  memref.store %sum, %out[%c1] : memref<100xi16>
  return
}
func.func @reduce_muli_i8(%b0: memref<100xi8>, %out: memref<100xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 100 : index
  %first = arith.constant 17 : i8
  %bit = arith.constant 1 : i8
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %first) -> (i8) {
    %x = memref.load %b0[%i] : memref<100xi8>
    %y = arith.ori %x, %bit : i8
    %t = arith.muli %s, %y : i8
    scf.yield %t : i8
  }
  memref.store %sum, %out[%c1] : memref<100xi8>
  return
}
func.func @reduce_xori_i16(%b0: memref<100xi16>, %out: memref<100xi16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 100 : index
  %first = arith.constant 17 : i16
  %bit = arith.constant 1 : i16
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %first) -> (i16) {
    %x = memref.load %b0[%i] : memref<100xi16>
    %y = arith.ori %x, %bit : i16
    %t = arith.xori %s, %y : i16
    scf.yield %t : i16
  }
  memref.store %sum, %out[%c1] : memref<100xi16>
  return
}
func.func @main() {
  %seed_i8_0 = arith.constant 12345678901 : i64
  %i8_0 = memref.alloc() : memref<100xi8>
  call @fill_i8(%i8_0, %seed_i8_0) : (memref<100xi8>, i64) -> ()
  %seed_i8_1 = arith.constant 13333333222 : i64
  %i8_1 = memref.alloc() : memref<100xi8>
  call @fill_i8(%i8_1, %seed_i8_1) : (memref<100xi8>, i64) -> ()
  %zero_i8 = arith.constant 0 : i8
  %i8_out = memref.alloc() : memref<100xi8>
  linalg.fill ins(%zero_i8 : i8) outs(%i8_out : memref<100xi8>)
  %seed_i16_0 = arith.constant 14320987543 : i64
  %i16_0 = memref.alloc() : memref<100xi16>
  call @fill_i16(%i16_0, %seed_i16_0) : (memref<100xi16>, i64) -> ()
  %seed_i16_1 = arith.constant 15308641864 : i64
  %i16_1 = memref.alloc() : memref<100xi16>
  call @fill_i16(%i16_1, %seed_i16_1) : (memref<100xi16>, i64) -> ()
  %seed_i16_2 = arith.constant 16296296185 : i64
  %i16_2 = memref.alloc() : memref<100xi16>
  call @fill_i16(%i16_2, %seed_i16_2) : (memref<100xi16>, i64) -> ()
  %zero_i16 = arith.constant 0 : i16
  %i16_out = memref.alloc() : memref<100xi16>
  linalg.fill ins(%zero_i16 : i16) outs(%i16_out : memref<100xi16>)
  %seed_i32_0 = arith.constant 17283950506 : i64
  %i32_0 = memref.alloc() : memref<100xi32>
  call @fill_i32(%i32_0, %seed_i32_0) : (memref<100xi32>, i64) -> ()
  %seed_i32_1 = arith.constant 18271604827 : i64
  %i32_1 = memref.alloc() : memref<100xi32>
  call @fill_i32(%i32_1, %seed_i32_1) : (memref<100xi32>, i64) -> ()
  %zero_i32 = arith.constant 0 : i32
  %i32_out = memref.alloc() : memref<100xi32>
  linalg.fill ins(%zero_i32 : i32) outs(%i32_out : memref<100xi32>)
  %seed_i64_0 = arith.constant 19259259148 : i64
  %i64_0 = memref.alloc() : memref<100xi64>
  call @fill_i64(%i64_0, %seed_i64_0) : (memref<100xi64>, i64) -> ()
  %seed_i64_1 = arith.constant 20246913469 : i64
  %i64_1 = memref.alloc() : memref<100xi64>
  call @fill_i64(%i64_1, %seed_i64_1) : (memref<100xi64>, i64) -> ()
  %zero_i64 = arith.constant 0 : i64
  %i64_out = memref.alloc() : memref<100xi64>
  linalg.fill ins(%zero_i64 : i64) outs(%i64_out : memref<100xi64>)
  // CHECK: 56995
  call @arithmetic_i8(%i8_0, %i8_1, %i8_out) : (memref<100xi8>, memref<100xi8>, memref<100xi8>) -> ()
  call @show_i8(%i8_out) : (memref<100xi8>) -> ()
  // CHECK-NEXT: 3411352
  call @arithmetic_i16(%i16_0, %i16_1, %i16_out) : (memref<100xi16>, memref<100xi16>, memref<100xi16>) -> ()
  call @show_i16(%i16_out) : (memref<100xi16>) -> ()
  // CHECK-NEXT: 37073
  call @to_i8(%i8_0, %i16_0, %i32_0, %i64_0, %i8_out) : (memref<100xi8>, memref<100xi16>, memref<100xi32>, memref<100xi64>, memref<100xi8>) -> ()
  call @show_i8(%i8_out) : (memref<100xi8>) -> ()
  // CHECK-NEXT: -19426239
  call @to_i16(%i8_0, %i16_0, %i32_0, %i64_0, %i16_out) : (memref<100xi8>, memref<100xi16>, memref<100xi32>, memref<100xi64>, memref<100xi16>) -> ()
  call @show_i16(%i16_out) : (memref<100xi16>) -> ()
  // CHECK-NEXT: 275216866345
  call @to_i32(%i8_0, %i16_0, %i32_0, %i64_0, %i32_out) : (memref<100xi8>, memref<100xi16>, memref<100xi32>, memref<100xi64>, memref<100xi32>) -> ()
  call @show_i32(%i32_out) : (memref<100xi32>) -> ()
  // CHECK-NEXT: -859775555794573444
  call @to_i64(%i8_0, %i16_0, %i32_0, %i64_0, %i64_out) : (memref<100xi8>, memref<100xi16>, memref<100xi32>, memref<100xi64>, memref<100xi64>) -> ()
  call @show_i64(%i64_out) : (memref<100xi64>) -> ()
  // CHECK-NEXT: 6552075168721
  call @to_f32(%i8_0, %i16_0, %i32_0, %i32_out) : (memref<100xi8>, memref<100xi16>, memref<100xi32>, memref<100xi32>) -> ()
  call @show_i32(%i32_out) : (memref<100xi32>) -> ()
  // CHECK-NEXT: -9168311450614104064
  call @to_f64(%i8_0, %i16_0, %i32_0, %i64_out) : (memref<100xi8>, memref<100xi16>, memref<100xi32>, memref<100xi64>) -> ()
  call @show_i64(%i64_out) : (memref<100xi64>) -> ()
  // CHECK-NEXT: -2841513376
  call @from_f32(%i8_0, %i16_0, %i32_out) : (memref<100xi8>, memref<100xi16>, memref<100xi32>) -> ()
  call @show_i32(%i32_out) : (memref<100xi32>) -> ()
  // CHECK-NEXT: -5501312104877227553
  call @sizes_of_floats(%i32_0, %i64_out) : (memref<100xi32>, memref<100xi64>) -> ()
  call @show_i64(%i64_out) : (memref<100xi64>) -> ()
  // CHECK-NEXT: 2303446
  call @compare_i8(%i8_0, %i8_1, %i16_0, %i16_out) : (memref<100xi8>, memref<100xi8>, memref<100xi16>, memref<100xi16>) -> ()
  call @show_i16(%i16_out) : (memref<100xi16>) -> ()
  // CHECK-NEXT: 6009672
  call @compare_i16(%i16_0, %i16_1, %i16_2, %i16_out) : (memref<100xi16>, memref<100xi16>, memref<100xi16>, memref<100xi16>) -> ()
  call @show_i16(%i16_out) : (memref<100xi16>) -> ()
  // CHECK-NEXT: 11390664
  call @compare_i32(%i32_0, %i32_1, %i16_0, %i16_out) : (memref<100xi32>, memref<100xi32>, memref<100xi16>, memref<100xi16>) -> ()
  call @show_i16(%i16_out) : (memref<100xi16>) -> ()
  // CHECK-NEXT: 26935018
  call @compare_i64(%i64_0, %i64_1, %i16_0, %i16_out) : (memref<100xi64>, memref<100xi64>, memref<100xi16>, memref<100xi16>) -> ()
  call @show_i16(%i16_out) : (memref<100xi16>) -> ()
  // CHECK-NEXT: -2839970715
  call @dot_signed(%i8_0, %i8_1, %i32_out) : (memref<100xi8>, memref<100xi8>, memref<100xi32>) -> ()
  call @show_i32(%i32_out) : (memref<100xi32>) -> ()
  // CHECK-NEXT: -2838469787
  call @dot_unsigned(%i8_0, %i8_1, %i32_out) : (memref<100xi8>, memref<100xi8>, memref<100xi32>) -> ()
  call @show_i32(%i32_out) : (memref<100xi32>) -> ()
  // CHECK-NEXT: -2840052123
  call @dot_mixed(%i8_0, %i8_1, %i32_out) : (memref<100xi8>, memref<100xi8>, memref<100xi32>) -> ()
  call @show_i32(%i32_out) : (memref<100xi32>) -> ()
  // CHECK-NEXT: -3159395121
  call @dot_i16(%i16_0, %i16_1, %i32_out) : (memref<100xi16>, memref<100xi16>, memref<100xi32>) -> ()
  call @show_i32(%i32_out) : (memref<100xi32>) -> ()
  // CHECK-NEXT: -4985359153
  call @dot_u16(%i16_0, %i16_1, %i32_out) : (memref<100xi16>, memref<100xi16>, memref<100xi32>) -> ()
  call @show_i32(%i32_out) : (memref<100xi32>) -> ()
  // CHECK-NEXT: -1018646981920439781
  call @dot_wide(%i8_0, %i16_0, %i64_out) : (memref<100xi8>, memref<100xi16>, memref<100xi64>) -> ()
  call @show_i64(%i64_out) : (memref<100xi64>) -> ()
  // CHECK-NEXT: 26923647
  call @dot_to_16(%i8_0, %i8_1, %i16_out) : (memref<100xi8>, memref<100xi8>, memref<100xi16>) -> ()
  call @show_i16(%i16_out) : (memref<100xi16>) -> ()
  // CHECK-NEXT: 37166
  call @reduce_maxsi_i8(%i8_0, %i8_out) : (memref<100xi8>, memref<100xi8>) -> ()
  call @show_i8(%i8_out) : (memref<100xi8>) -> ()
  // CHECK-NEXT: 26951967
  call @reduce_minui_i16(%i16_0, %i16_out) : (memref<100xi16>, memref<100xi16>) -> ()
  call @show_i16(%i16_out) : (memref<100xi16>) -> ()
  // CHECK-NEXT: 37148
  call @reduce_muli_i8(%i8_0, %i8_out) : (memref<100xi8>, memref<100xi8>) -> ()
  call @show_i8(%i8_out) : (memref<100xi8>) -> ()
  // CHECK-NEXT: 26940711
  call @reduce_xori_i16(%i16_0, %i16_out) : (memref<100xi16>, memref<100xi16>) -> ()
  call @show_i16(%i16_out) : (memref<100xi16>) -> ()
  memref.dealloc %i8_0 : memref<100xi8>
  memref.dealloc %i8_1 : memref<100xi8>
  memref.dealloc %i8_out : memref<100xi8>
  memref.dealloc %i16_0 : memref<100xi16>
  memref.dealloc %i16_1 : memref<100xi16>
  memref.dealloc %i16_2 : memref<100xi16>
  memref.dealloc %i16_out : memref<100xi16>
  memref.dealloc %i32_0 : memref<100xi32>
  memref.dealloc %i32_1 : memref<100xi32>
  memref.dealloc %i32_out : memref<100xi32>
  memref.dealloc %i64_0 : memref<100xi64>
  memref.dealloc %i64_1 : memref<100xi64>
  memref.dealloc %i64_out : memref<100xi64>
  return
}
