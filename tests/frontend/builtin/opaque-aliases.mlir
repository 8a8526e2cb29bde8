// Aliases in the text of types and attributes of other dialects: the text is kept, and what they
// stand for stands in their places, since nothing would keep their definitions.

// RUN: freehold opt %s | FileCheck %s
// RUN: freehold opt %s | freehold opt | FileCheck %s

#root = #llvm.tbaa_root<id = "#root!e">
#type = #llvm.tbaa_type_desc<id = "int", members = {<#root, 0>}>
#tag = #llvm.tbaa_tag<base_type = #type, access_type = #type, offset = 0>
!e = i32
!row = !llvm.array<4 x !e>
!m = memref<4x!e>

// CHECK-NOT: !e =
// CHECK-LABEL: func.func @load
func.func @load(%m: !m, %i: index) -> !e {
  // CHECK: tbaa = [#llvm.tbaa_tag<base_type = #llvm.tbaa_type_desc<id = "int", members = {<#llvm.tbaa_root<id = "#root!e">, 0>}>, access_type = #llvm.tbaa_type_desc<id = "int", members = {<#llvm.tbaa_root<id = "#root!e">, 0>}>, offset = 0>]
  %0 = memref.load %m[%i] {tbaa = [#tag]} : !m
  return %0 : !e
}

// CHECK: func.func private @types(!llvm.array<2 x array<4 x i32>>, !llvm.struct<(i32, memref<4xi32>)>)
func.func private @types(!llvm.array<2 x !row>, !llvm.struct<(!e, !m)>)
