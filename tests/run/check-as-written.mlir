// A checked run sees what the program does to memory even where nothing depends on it.
//
// RUN: not freehold run %s --dealloc=none -e twice --check -O0 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not freehold run %s --dealloc=none -e twice --check -O2 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not freehold run %s --dealloc=none -e twice --check=accesses 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not freehold run %s --dealloc=none -e forgotten --check -O0 2>&1 | FileCheck %s --check-prefix=LEAK
// RUN: not freehold run %s --dealloc=none -e forgotten --check -O2 2>&1 | FileCheck %s --check-prefix=LEAK
// RUN: not freehold run %s --dealloc=none -e forgotten --check=accesses 2>&1 | FileCheck %s --check-prefix=LEAK
// RUN: not freehold run %s --dealloc=none -e beyond --check -O0 2>&1 | FileCheck %s --check-prefix=BEYOND
// RUN: not freehold run %s --dealloc=none -e beyond --check -O2 2>&1 | FileCheck %s --check-prefix=BEYOND
// RUN: not freehold run %s --dealloc=none -e beyond --check=accesses 2>&1 | FileCheck %s --check-prefix=OUTSIDE
// RUN: not freehold run %s --dealloc=none -e late --check -O0 2>&1 | FileCheck %s --check-prefix=LATE
// RUN: not freehold run %s --dealloc=none -e late --check -O2 2>&1 | FileCheck %s --check-prefix=LATE
// RUN: not freehold run %s --dealloc=none -e late_read --check=accesses -O0 2>&1 | FileCheck %s --check-prefix=READ
// RUN: not freehold run %s --dealloc=none -e late_read --check=accesses -O2 2>&1 | FileCheck %s --check-prefix=READ
// RUN: not freehold run %s --dealloc=none -e in_loop --check -O2 2>&1 | FileCheck %s --check-prefix=LOOP

func.func @twice() {
  // TWICE: [[@LINE+3]]:3: error: double free
  %buffer = memref.alloc() : memref<4xi32>
  memref.dealloc %buffer : memref<4xi32>
  memref.dealloc %buffer : memref<4xi32>
  return
}

func.func @forgotten() {
  // LEAK: [[@LINE+1]]:13: error: memory leak: 16 bytes
  %buffer = memref.alloc() : memref<4xi32>
  return
}

func.func @beyond() {
  %seven = arith.constant 7 : index
  %value = arith.constant 3 : i32
  // BEYOND: [[@LINE+1]]:13: error: buffer overflow
  %buffer = memref.alloc() : memref<4xi32>
  // OUTSIDE: [[@LINE+1]]:3: error: out of bounds write of 4 bytes
  memref.store %value, %buffer[%seven] : memref<4xi32>
  memref.dealloc %buffer : memref<4xi32>
  return
}

func.func @late() {
  %two = arith.constant 2 : index
  %value = arith.constant 3 : i32
  // LATE: [[@LINE+1]]:13: error: write after free
  %buffer = memref.alloc() : memref<4xi32>
  memref.dealloc %buffer : memref<4xi32>
  memref.store %value, %buffer[%two] : memref<4xi32>
  return
}

func.func @late_read() {
  %two = arith.constant 2 : index
  %value = arith.constant 3 : i32
  %buffer = memref.alloc() : memref<4xi32>
  memref.store %value, %buffer[%two] : memref<4xi32>
  memref.dealloc %buffer : memref<4xi32>
  // READ: [[@LINE+1]]:11: error: use after free: read of 4 bytes
  %read = memref.load %buffer[%two] : memref<4xi32>
  return
}

// A loop whose stores are used where they are loaded again still makes them.
func.func @in_loop() {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %six = arith.constant 6 : index
  %value = arith.constant 3 : i32
  // LOOP: [[@LINE+1]]:13: error: buffer overflow
  %buffer = memref.alloc() : memref<4xi32>
  scf.for %i = %zero to %six step %one {
    memref.store %value, %buffer[%i] : memref<4xi32>
    %read = memref.load %buffer[%i] : memref<4xi32>
    vector.print %read : i32
  }
  memref.dealloc %buffer : memref<4xi32>
  return
}
