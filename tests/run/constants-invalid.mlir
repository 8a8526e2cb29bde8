// A constant whose elements are not in the file, or are too few.
//
// RUN: not freehold run %s 2>&1 | FileCheck %s

// CHECK: [[@LINE+1]]:1: error: the file has no resource 'absent'
memref.global "private" constant @absent : memref<3xi16> = dense_resource<absent>
// CHECK: [[@LINE+1]]:1: error: resource 'short' has 2 bytes, but its type takes 6
memref.global "private" constant @short : memref<3xi16> = dense_resource<short>

func.func @main() {
  %absent = memref.get_global @absent : memref<3xi16>
  %short = memref.get_global @short : memref<3xi16>
  return
}

{-#
  dialect_resources: {
    builtin: {
      short: "0x020000000201"
    }
  }
#-}
