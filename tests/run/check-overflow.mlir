// A checked run finds what is written beyond a buffer that nobody reads, whoever frees it.
//
// RUN: not freehold run %s --dealloc=ownership --check -O0 2>&1 | FileCheck %s
// RUN: not freehold run %s --dealloc=ownership --check -O2 2>&1 | FileCheck %s
// RUN: not freehold run %s --dealloc=hlo --check -O0 2>&1 | FileCheck %s
// RUN: not freehold run %s --dealloc=hlo --check -O2 2>&1 | FileCheck %s
// RUN: not freehold run %s --dealloc=clone --check -O0 2>&1 | FileCheck %s
// RUN: not freehold run %s --dealloc=clone --check -O2 2>&1 | FileCheck %s
// RUN: not freehold run %s --dealloc=copy --check -O2 2>&1 | FileCheck %s
// RUN: not freehold run %s --dealloc=ownership --check=accesses -O2 2>&1 | FileCheck %s --check-prefix=ACCESS
// RUN: not freehold run %s --dealloc=hlo --check=accesses -O2 2>&1 | FileCheck %s --check-prefix=ACCESS
// RUN: not freehold run %s --dealloc=clone --check=accesses -O2 2>&1 | FileCheck %s --check-prefix=ACCESS
// RUN: not freehold run %s --dealloc=copy --check=accesses -O0 2>&1 | FileCheck %s --check-prefix=ACCESS

func.func @main() {
  %end = arith.constant 400 : index
  %value = arith.constant 3 : i32
  // CHECK: [[@LINE+1]]:13: error: buffer overflow: this buffer of 1600 bytes was written at offset 1600
  %buffer = memref.alloc() : memref<400xi32>
  // ACCESS: [[@LINE+1]]:3: error: out of bounds write of 4 bytes
  memref.store %value, %buffer[%end] : memref<400xi32>
  return
}
