// RUN: freehold run %s | FileCheck %s
// RUN: freehold run -O0 %s | FileCheck %s
// RUN: freehold compile --target=aarch64-unknown-linux-gnu --emit=asm %s -o - | FileCheck %s --check-prefix=ARM
// RUN: freehold compile --target=x86_64-unknown-linux-gnu --emit=asm %s -o - | FileCheck %s --check-prefix=INTEL

// Every predicate on registers of floats, NaNs and zeros of both signs among them, and of integers, for all
// processors. A bit of the number printed is an element.
// ARM: fcmgt
// INTEL-NOT: cmp{{[a-z]*}}ps
// INTEL: pcmpgtd
func.func private @printI64(i64)
func.func private @printNewline()
memref.global "private" constant @x : memref<8xf32> = dense<[1.0, 2.0, 0x7FC00000, 0.0, -0.0, 3.0, 0x7FC00000, 5.0]>
memref.global "private" constant @y : memref<8xf32> = dense<[2.0, 1.0, 1.0, -0.0, 0.0, 3.0, 0x7FC00000, 0x7FC00000]>
memref.global "private" constant @i : memref<8xi32> = dense<[1, -1, 0, 2147483647, -2147483648, 5, 5, -7]>
memref.global "private" constant @j : memref<8xi32> = dense<[2, 1, 0, -2147483648, 2147483647, 4, 6, -7]>
func.func @show(%bits: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %two = arith.constant 2 : i32
  %r:2 = scf.for %k = %c0 to %c8 step %c1 iter_args(%sum = %zero, %weight = %one) -> (i32, i32) {
    %n = memref.load %bits[%k] : memref<8xi32>
    %bit = arith.subi %n, %two : i32
    %term = arith.muli %bit, %weight : i32
    %next = arith.addi %sum, %term : i32
    %twice = arith.muli %weight, %two : i32
    scf.yield %next, %twice : i32, i32
  }
  %wide = arith.extui %r#0 : i32 to i64
  call @printI64(%wide) : (i64) -> ()
  call @printNewline() : () -> ()
  return
}
func.func @cmpf_oeq(%r: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %yes = arith.constant 3 : i32
  %no = arith.constant 2 : i32
  %a = memref.get_global @x : memref<8xf32>
  %b = memref.get_global @y : memref<8xf32>
  scf.for %k = %c0 to %c8 step %c1 {
    %x = memref.load %a[%k] : memref<8xf32>
    %y = memref.load %b[%k] : memref<8xf32>
    %c = arith.cmpf oeq, %x, %y : f32
    %n = arith.select %c, %yes, %no : i32
    memref.store %n, %r[%k] : memref<8xi32>
  }
  call @show(%r) : (memref<8xi32>) -> ()
  return
}
func.func @cmpf_ogt(%r: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %yes = arith.constant 3 : i32
  %no = arith.constant 2 : i32
  %a = memref.get_global @x : memref<8xf32>
  %b = memref.get_global @y : memref<8xf32>
  scf.for %k = %c0 to %c8 step %c1 {
    %x = memref.load %a[%k] : memref<8xf32>
    %y = memref.load %b[%k] : memref<8xf32>
    %c = arith.cmpf ogt, %x, %y : f32
    %n = arith.select %c, %yes, %no : i32
    memref.store %n, %r[%k] : memref<8xi32>
  }
  call @show(%r) : (memref<8xi32>) -> ()
  return
}
func.func @cmpf_oge(%r: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %yes = arith.constant 3 : i32
  %no = arith.constant 2 : i32
  %a = memref.get_global @x : memref<8xf32>
  %b = memref.get_global @y : memref<8xf32>
  scf.for %k = %c0 to %c8 step %c1 {
    %x = memref.load %a[%k] : memref<8xf32>
    %y = memref.load %b[%k] : memref<8xf32>
    %c = arith.cmpf oge, %x, %y : f32
    %n = arith.select %c, %yes, %no : i32
    memref.store %n, %r[%k] : memref<8xi32>
  }
  call @show(%r) : (memref<8xi32>) -> ()
  return
}
func.func @cmpf_olt(%r: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %yes = arith.constant 3 : i32
  %no = arith.constant 2 : i32
  %a = memref.get_global @x : memref<8xf32>
  %b = memref.get_global @y : memref<8xf32>
  scf.for %k = %c0 to %c8 step %c1 {
    %x = memref.load %a[%k] : memref<8xf32>
    %y = memref.load %b[%k] : memref<8xf32>
    %c = arith.cmpf olt, %x, %y : f32
    %n = arith.select %c, %yes, %no : i32
    memref.store %n, %r[%k] : memref<8xi32>
  }
  call @show(%r) : (memref<8xi32>) -> ()
  return
}
func.func @cmpf_ole(%r: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %yes = arith.constant 3 : i32
  %no = arith.constant 2 : i32
  %a = memref.get_global @x : memref<8xf32>
  %b = memref.get_global @y : memref<8xf32>
  scf.for %k = %c0 to %c8 step %c1 {
    %x = memref.load %a[%k] : memref<8xf32>
    %y = memref.load %b[%k] : memref<8xf32>
    %c = arith.cmpf ole, %x, %y : f32
    %n = arith.select %c, %yes, %no : i32
    memref.store %n, %r[%k] : memref<8xi32>
  }
  call @show(%r) : (memref<8xi32>) -> ()
  return
}
func.func @cmpf_one(%r: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %yes = arith.constant 3 : i32
  %no = arith.constant 2 : i32
  %a = memref.get_global @x : memref<8xf32>
  %b = memref.get_global @y : memref<8xf32>
  scf.for %k = %c0 to %c8 step %c1 {
    %x = memref.load %a[%k] : memref<8xf32>
    %y = memref.load %b[%k] : memref<8xf32>
    %c = arith.cmpf one, %x, %y : f32
    %n = arith.select %c, %yes, %no : i32
    memref.store %n, %r[%k] : memref<8xi32>
  }
  call @show(%r) : (memref<8xi32>) -> ()
  return
}
func.func @cmpf_ord(%r: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %yes = arith.constant 3 : i32
  %no = arith.constant 2 : i32
  %a = memref.get_global @x : memref<8xf32>
  %b = memref.get_global @y : memref<8xf32>
  scf.for %k = %c0 to %c8 step %c1 {
    %x = memref.load %a[%k] : memref<8xf32>
    %y = memref.load %b[%k] : memref<8xf32>
    %c = arith.cmpf ord, %x, %y : f32
    %n = arith.select %c, %yes, %no : i32
    memref.store %n, %r[%k] : memref<8xi32>
  }
  call @show(%r) : (memref<8xi32>) -> ()
  return
}
func.func @cmpf_ueq(%r: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %yes = arith.constant 3 : i32
  %no = arith.constant 2 : i32
  %a = memref.get_global @x : memref<8xf32>
  %b = memref.get_global @y : memref<8xf32>
  scf.for %k = %c0 to %c8 step %c1 {
    %x = memref.load %a[%k] : memref<8xf32>
    %y = memref.load %b[%k] : memref<8xf32>
    %c = arith.cmpf ueq, %x, %y : f32
    %n = arith.select %c, %yes, %no : i32
    memref.store %n, %r[%k] : memref<8xi32>
  }
  call @show(%r) : (memref<8xi32>) -> ()
  return
}
func.func @cmpf_ugt(%r: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %yes = arith.constant 3 : i32
  %no = arith.constant 2 : i32
  %a = memref.get_global @x : memref<8xf32>
  %b = memref.get_global @y : memref<8xf32>
  scf.for %k = %c0 to %c8 step %c1 {
    %x = memref.load %a[%k] : memref<8xf32>
    %y = memref.load %b[%k] : memref<8xf32>
    %c = arith.cmpf ugt, %x, %y : f32
    %n = arith.select %c, %yes, %no : i32
    memref.store %n, %r[%k] : memref<8xi32>
  }
  call @show(%r) : (memref<8xi32>) -> ()
  return
}
func.func @cmpf_uge(%r: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %yes = arith.constant 3 : i32
  %no = arith.constant 2 : i32
  %a = memref.get_global @x : memref<8xf32>
  %b = memref.get_global @y : memref<8xf32>
  scf.for %k = %c0 to %c8 step %c1 {
    %x = memref.load %a[%k] : memref<8xf32>
    %y = memref.load %b[%k] : memref<8xf32>
    %c = arith.cmpf uge, %x, %y : f32
    %n = arith.select %c, %yes, %no : i32
    memref.store %n, %r[%k] : memref<8xi32>
  }
  call @show(%r) : (memref<8xi32>) -> ()
  return
}
func.func @cmpf_ult(%r: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %yes = arith.constant 3 : i32
  %no = arith.constant 2 : i32
  %a = memref.get_global @x : memref<8xf32>
  %b = memref.get_global @y : memref<8xf32>
  scf.for %k = %c0 to %c8 step %c1 {
    %x = memref.load %a[%k] : memref<8xf32>
    %y = memref.load %b[%k] : memref<8xf32>
    %c = arith.cmpf ult, %x, %y : f32
    %n = arith.select %c, %yes, %no : i32
    memref.store %n, %r[%k] : memref<8xi32>
  }
  call @show(%r) : (memref<8xi32>) -> ()
  return
}
func.func @cmpf_ule(%r: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %yes = arith.constant 3 : i32
  %no = arith.constant 2 : i32
  %a = memref.get_global @x : memref<8xf32>
  %b = memref.get_global @y : memref<8xf32>
  scf.for %k = %c0 to %c8 step %c1 {
    %x = memref.load %a[%k] : memref<8xf32>
    %y = memref.load %b[%k] : memref<8xf32>
    %c = arith.cmpf ule, %x, %y : f32
    %n = arith.select %c, %yes, %no : i32
    memref.store %n, %r[%k] : memref<8xi32>
  }
  call @show(%r) : (memref<8xi32>) -> ()
  return
}
func.func @cmpf_une(%r: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %yes = arith.constant 3 : i32
  %no = arith.constant 2 : i32
  %a = memref.get_global @x : memref<8xf32>
  %b = memref.get_global @y : memref<8xf32>
  scf.for %k = %c0 to %c8 step %c1 {
    %x = memref.load %a[%k] : memref<8xf32>
    %y = memref.load %b[%k] : memref<8xf32>
    %c = arith.cmpf une, %x, %y : f32
    %n = arith.select %c, %yes, %no : i32
    memref.store %n, %r[%k] : memref<8xi32>
  }
  call @show(%r) : (memref<8xi32>) -> ()
  return
}
func.func @cmpf_uno(%r: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %yes = arith.constant 3 : i32
  %no = arith.constant 2 : i32
  %a = memref.get_global @x : memref<8xf32>
  %b = memref.get_global @y : memref<8xf32>
  scf.for %k = %c0 to %c8 step %c1 {
    %x = memref.load %a[%k] : memref<8xf32>
    %y = memref.load %b[%k] : memref<8xf32>
    %c = arith.cmpf uno, %x, %y : f32
    %n = arith.select %c, %yes, %no : i32
    memref.store %n, %r[%k] : memref<8xi32>
  }
  call @show(%r) : (memref<8xi32>) -> ()
  return
}
func.func @cmpi_eq(%r: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %yes = arith.constant 3 : i32
  %no = arith.constant 2 : i32
  %a = memref.get_global @i : memref<8xi32>
  %b = memref.get_global @j : memref<8xi32>
  scf.for %k = %c0 to %c8 step %c1 {
    %x = memref.load %a[%k] : memref<8xi32>
    %y = memref.load %b[%k] : memref<8xi32>
    %c = arith.cmpi eq, %x, %y : i32
    %n = arith.select %c, %yes, %no : i32
    memref.store %n, %r[%k] : memref<8xi32>
  }
  call @show(%r) : (memref<8xi32>) -> ()
  return
}
func.func @cmpi_ne(%r: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %yes = arith.constant 3 : i32
  %no = arith.constant 2 : i32
  %a = memref.get_global @i : memref<8xi32>
  %b = memref.get_global @j : memref<8xi32>
  scf.for %k = %c0 to %c8 step %c1 {
    %x = memref.load %a[%k] : memref<8xi32>
    %y = memref.load %b[%k] : memref<8xi32>
    %c = arith.cmpi ne, %x, %y : i32
    %n = arith.select %c, %yes, %no : i32
    memref.store %n, %r[%k] : memref<8xi32>
  }
  call @show(%r) : (memref<8xi32>) -> ()
  return
}
func.func @cmpi_slt(%r: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %yes = arith.constant 3 : i32
  %no = arith.constant 2 : i32
  %a = memref.get_global @i : memref<8xi32>
  %b = memref.get_global @j : memref<8xi32>
  scf.for %k = %c0 to %c8 step %c1 {
    %x = memref.load %a[%k] : memref<8xi32>
    %y = memref.load %b[%k] : memref<8xi32>
    %c = arith.cmpi slt, %x, %y : i32
    %n = arith.select %c, %yes, %no : i32
    memref.store %n, %r[%k] : memref<8xi32>
  }
  call @show(%r) : (memref<8xi32>) -> ()
  return
}
func.func @cmpi_sle(%r: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %yes = arith.constant 3 : i32
  %no = arith.constant 2 : i32
  %a = memref.get_global @i : memref<8xi32>
  %b = memref.get_global @j : memref<8xi32>
  scf.for %k = %c0 to %c8 step %c1 {
    %x = memref.load %a[%k] : memref<8xi32>
    %y = memref.load %b[%k] : memref<8xi32>
    %c = arith.cmpi sle, %x, %y : i32
    %n = arith.select %c, %yes, %no : i32
    memref.store %n, %r[%k] : memref<8xi32>
  }
  call @show(%r) : (memref<8xi32>) -> ()
  return
}
func.func @cmpi_sgt(%r: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %yes = arith.constant 3 : i32
  %no = arith.constant 2 : i32
  %a = memref.get_global @i : memref<8xi32>
  %b = memref.get_global @j : memref<8xi32>
  scf.for %k = %c0 to %c8 step %c1 {
    %x = memref.load %a[%k] : memref<8xi32>
    %y = memref.load %b[%k] : memref<8xi32>
    %c = arith.cmpi sgt, %x, %y : i32
    %n = arith.select %c, %yes, %no : i32
    memref.store %n, %r[%k] : memref<8xi32>
  }
  call @show(%r) : (memref<8xi32>) -> ()
  return
}
func.func @cmpi_sge(%r: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %yes = arith.constant 3 : i32
  %no = arith.constant 2 : i32
  %a = memref.get_global @i : memref<8xi32>
  %b = memref.get_global @j : memref<8xi32>
  scf.for %k = %c0 to %c8 step %c1 {
    %x = memref.load %a[%k] : memref<8xi32>
    %y = memref.load %b[%k] : memref<8xi32>
    %c = arith.cmpi sge, %x, %y : i32
    %n = arith.select %c, %yes, %no : i32
    memref.store %n, %r[%k] : memref<8xi32>
  }
  call @show(%r) : (memref<8xi32>) -> ()
  return
}
func.func @cmpi_ult(%r: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %yes = arith.constant 3 : i32
  %no = arith.constant 2 : i32
  %a = memref.get_global @i : memref<8xi32>
  %b = memref.get_global @j : memref<8xi32>
  scf.for %k = %c0 to %c8 step %c1 {
    %x = memref.load %a[%k] : memref<8xi32>
    %y = memref.load %b[%k] : memref<8xi32>
    %c = arith.cmpi ult, %x, %y : i32
    %n = arith.select %c, %yes, %no : i32
    memref.store %n, %r[%k] : memref<8xi32>
  }
  call @show(%r) : (memref<8xi32>) -> ()
  return
}
func.func @cmpi_ule(%r: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %yes = arith.constant 3 : i32
  %no = arith.constant 2 : i32
  %a = memref.get_global @i : memref<8xi32>
  %b = memref.get_global @j : memref<8xi32>
  scf.for %k = %c0 to %c8 step %c1 {
    %x = memref.load %a[%k] : memref<8xi32>
    %y = memref.load %b[%k] : memref<8xi32>
    %c = arith.cmpi ule, %x, %y : i32
    %n = arith.select %c, %yes, %no : i32
    memref.store %n, %r[%k] : memref<8xi32>
  }
  call @show(%r) : (memref<8xi32>) -> ()
  return
}
func.func @cmpi_ugt(%r: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %yes = arith.constant 3 : i32
  %no = arith.constant 2 : i32
  %a = memref.get_global @i : memref<8xi32>
  %b = memref.get_global @j : memref<8xi32>
  scf.for %k = %c0 to %c8 step %c1 {
    %x = memref.load %a[%k] : memref<8xi32>
    %y = memref.load %b[%k] : memref<8xi32>
    %c = arith.cmpi ugt, %x, %y : i32
    %n = arith.select %c, %yes, %no : i32
    memref.store %n, %r[%k] : memref<8xi32>
  }
  call @show(%r) : (memref<8xi32>) -> ()
  return
}
func.func @cmpi_uge(%r: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %yes = arith.constant 3 : i32
  %no = arith.constant 2 : i32
  %a = memref.get_global @i : memref<8xi32>
  %b = memref.get_global @j : memref<8xi32>
  scf.for %k = %c0 to %c8 step %c1 {
    %x = memref.load %a[%k] : memref<8xi32>
    %y = memref.load %b[%k] : memref<8xi32>
    %c = arith.cmpi uge, %x, %y : i32
    %n = arith.select %c, %yes, %no : i32
    memref.store %n, %r[%k] : memref<8xi32>
  }
  call @show(%r) : (memref<8xi32>) -> ()
  return
}
// CHECK: {{^}}56{{$}}
// CHECK-NEXT: {{^}}2{{$}}
// CHECK-NEXT: {{^}}58{{$}}
// CHECK-NEXT: {{^}}1{{$}}
// CHECK-NEXT: {{^}}57{{$}}
// CHECK-NEXT: {{^}}3{{$}}
// CHECK-NEXT: {{^}}59{{$}}
// CHECK-NEXT: {{^}}252{{$}}
// CHECK-NEXT: {{^}}198{{$}}
// CHECK-NEXT: {{^}}254{{$}}
// CHECK-NEXT: {{^}}197{{$}}
// CHECK-NEXT: {{^}}253{{$}}
// CHECK-NEXT: {{^}}199{{$}}
// CHECK-NEXT: {{^}}196{{$}}
// CHECK-NEXT: {{^}}132{{$}}
// CHECK-NEXT: {{^}}123{{$}}
// CHECK-NEXT: {{^}}83{{$}}
// CHECK-NEXT: {{^}}215{{$}}
// CHECK-NEXT: {{^}}40{{$}}
// CHECK-NEXT: {{^}}172{{$}}
// CHECK-NEXT: {{^}}73{{$}}
// CHECK-NEXT: {{^}}205{{$}}
// CHECK-NEXT: {{^}}50{{$}}
// CHECK-NEXT: {{^}}182{{$}}
func.func @main() {
  %r = memref.alloc() : memref<8xi32>
  call @cmpf_oeq(%r) : (memref<8xi32>) -> ()
  call @cmpf_ogt(%r) : (memref<8xi32>) -> ()
  call @cmpf_oge(%r) : (memref<8xi32>) -> ()
  call @cmpf_olt(%r) : (memref<8xi32>) -> ()
  call @cmpf_ole(%r) : (memref<8xi32>) -> ()
  call @cmpf_one(%r) : (memref<8xi32>) -> ()
  call @cmpf_ord(%r) : (memref<8xi32>) -> ()
  call @cmpf_ueq(%r) : (memref<8xi32>) -> ()
  call @cmpf_ugt(%r) : (memref<8xi32>) -> ()
  call @cmpf_uge(%r) : (memref<8xi32>) -> ()
  call @cmpf_ult(%r) : (memref<8xi32>) -> ()
  call @cmpf_ule(%r) : (memref<8xi32>) -> ()
  call @cmpf_une(%r) : (memref<8xi32>) -> ()
  call @cmpf_uno(%r) : (memref<8xi32>) -> ()
  call @cmpi_eq(%r) : (memref<8xi32>) -> ()
  call @cmpi_ne(%r) : (memref<8xi32>) -> ()
  call @cmpi_slt(%r) : (memref<8xi32>) -> ()
  call @cmpi_sle(%r) : (memref<8xi32>) -> ()
  call @cmpi_sgt(%r) : (memref<8xi32>) -> ()
  call @cmpi_sge(%r) : (memref<8xi32>) -> ()
  call @cmpi_ult(%r) : (memref<8xi32>) -> ()
  call @cmpi_ule(%r) : (memref<8xi32>) -> ()
  call @cmpi_ugt(%r) : (memref<8xi32>) -> ()
  call @cmpi_uge(%r) : (memref<8xi32>) -> ()
  memref.dealloc %r : memref<8xi32>
  return
}
