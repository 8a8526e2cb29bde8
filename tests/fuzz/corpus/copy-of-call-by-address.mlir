// A function hands on what a call by address returned, which is a copy: a write through it was lost without an error.
func.func private @g1(%arg0: i1, %m: memref<1xi16>) -> memref<1xi16> {
  return %m : memref<1xi16>
}
func.func private @g2(%arg0: i1, %m: memref<1xi16>) -> memref<1xi16> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 7 : i16
  memref.store %z, %m[%c0] : memref<1xi16>
  return %m : memref<1xi16>
}
func.func private @f(%c: i1, %m: memref<1xi16>) -> memref<1xi16> {
  %a = constant @g1 : (i1, memref<1xi16>) -> memref<1xi16>
  %b = constant @g2 : (i1, memref<1xi16>) -> memref<1xi16>
  %s = arith.select %c, %a, %b : (i1, memref<1xi16>) -> memref<1xi16>
  %r = call_indirect %s(%c, %m) : (i1, memref<1xi16>) -> memref<1xi16>
  return %r : memref<1xi16>
}
memref.global "private" @flag : memref<1xi1> = dense<true>
func.func @main() -> i16 {
  %c0 = arith.constant 0 : index
  %fl = memref.get_global @flag : memref<1xi1>
  %c = memref.load %fl[%c0] : memref<1xi1>
  %x = arith.constant 36 : i16
  %y = arith.constant 1 : i16
  %m = memref.alloc() : memref<1xi16>
  memref.store %y, %m[%c0] : memref<1xi16>
  %r = call @f(%c, %m) : (i1, memref<1xi16>) -> memref<1xi16>
  memref.store %x, %r[%c0] : memref<1xi16>
  %v = memref.load %m[%c0] : memref<1xi16>
  return %v : i16
}
