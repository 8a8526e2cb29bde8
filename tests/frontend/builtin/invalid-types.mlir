// What is wrong with types, in mlir-opt's words; invalid-peer.mlir runs
// mlir-opt on this file.

// RUN: freehold opt %s --split-input-file --verify-diagnostics

// -----

// expected-error @+1 {{invalid integer width}}
func.func @f(%a: i33333333333333) {
 return }

// -----

// expected-error @+1 {{integer bitwidth is limited to 16777215 bits}}
func.func @f(%a: i16777216) {
 return }

// -----

// expected-error @+1 {{expected ',' or '>' in memref type}}
func.func @f(%a: memref<4xi32) {
 return }

// -----

// expected-error @+1 {{expected 'x' in dimension list}}
func.func @f(%a: memref<4i32>) {
 return }

// -----

// expected-error @+1 {{expected non-function type}}
func.func @f(%a: memref<-4xi32>) {
 return }

// -----

// expected-error @+1 {{expected non-function type}}
func.func @f(%a: memref<4x>) {
 return }

// -----

// expected-error @+1 {{invalid dimension}}
func.func @f(%a: memref<99999999999999999999xi32>) {
 return }

// -----

// expected-error @+1 {{invalid memref element type}}
func.func @f(%a: memref<4xtensor<4xi32>>) {
 return }

// -----

// expected-error @+1 {{memref layout mismatch between rank and affine map: 1 != 2}}
func.func @f(%a: memref<4xi32, affine_map<(d0, d1) -> (d0)>>) {
 return }

// -----

// expected-error @+1 {{expected the number of strides to match the rank}}
func.func @f(%a: memref<4xi32, strided<[1, 2]>>) {
 return }

// -----

// expected-error @+1 {{expected ']'}}
func.func @f(%a: memref<4xi32, strided<[1>>) {
 return }

// -----

// expected-error @+1 {{expected ':' after 'offset'}}
func.func @f(%a: memref<4xi32, strided<[1], offset 3>>) {
 return }

// -----

// expected-error @+1 {{expected a 64-bit signed integer or '?'}}
func.func @f(%a: memref<4xi32, strided<[x]>>) {
 return }

// -----

// expected-error @+1 {{expected 'offset' after comma}}
func.func @f(%a: memref<4xi32, strided<[1], foo: 3>>) {
 return }

// -----

// expected-error @+1 {{multiple memory spaces specified in memref type}}
func.func @f(%a: memref<4xi32, 1, 2>) {
 return }

// -----

// expected-error @+1 {{expected memory space to be last in memref type}}
func.func @f(%a: memref<4xi32, 1, strided<[1]>>) {
 return }

// -----

// expected-error @+1 {{cannot have affine map for unranked memref type}}
func.func @f(%a: memref<*xi32, strided<[1]>>) {
 return }

// -----

// expected-error @+1 {{unsupported memory space Attribute}}
func.func @f(%a: memref<4xi32, 1.0>) {
 return }

// -----

// expected-error @+1 {{expected list element}}
func.func @f(%a: memref<4xi32,>) {
 return }

// -----

// expected-error @+1 {{expected 'x' in dimension list}}
func.func @f(%a: memref<*i32>) {
 return }

// -----

// expected-error @+1 {{expected non-function type}}
func.func @f(%a: vector<?xi32>) {
 return }

// -----

// expected-error @+1 {{vector types must have positive constant sizes}}
func.func @f(%a: vector<0xi32>) {
 return }

// -----

// expected-error @+1 {{expected non-function type}}
func.func @f(%a: vector<-1xi32>) {
 return }

// -----

// expected-error @+1 {{vector elements must be int/index/float type}}
func.func @f(%a: vector<4xmemref<1xi32>>) {
 return }

// -----

// expected-error @+1 {{missing ']' closing scalable dimension}}
func.func @f(%a: vector<[4xi32>) {
 return }

// -----

// expected-error @+1 {{expected non-function type}}
func.func @f(%a: vector<*xi32>) {
 return }

// -----

// expected-error @+1 {{invalid element type for complex}}
func.func @f(%a: complex<memref<1xi32>>) {
 return }

// -----

// expected-error @+1 {{invalid element type for complex}}
func.func @f(%a: complex<index>) {
 return }

// -----

// expected-error @+1 {{invalid tensor element type}}
func.func @f(%a: tensor<4xmemref<1xi32>>) {
 return }

// -----

// expected-error @+1 {{cannot apply encoding to unranked tensor}}
func.func @f(%a: tensor<*xi32, "x">) {
 return }

// -----

// expected-error @+1 {{expected '>' in tensor type}}
func.func @f(%a: tensor<4xi32 "x">) {
 return }

// -----

// expected-error @+1 {{expected '>' in tuple type}}
func.func @f(%a: tuple<i32) {
 return }

// -----

// expected-error @+1 {{expected non-function type}}
func.func @f(%a: foo) {
 return }

// -----

// expected-error @+1 {{undefined symbol alias id 'foo'}}
func.func @f(%a: !foo) {
 return }

// -----

// expected-error @+1 {{invalid type identifier}}
func.func @f(%a: !) {
 return }

// -----

// expected-error @+1 {{unbalanced '<' character in pretty dialect name}}
func.func @f(%a: !foo<bar) {
 return }

// -----

// expected-error @+1 {{unbalanced '<' character in pretty dialect name}}
func.func @f(%a: !foo<bar]>) {
 return }

// -----

// expected-error @+1 {{expected '->' in function type}}
func.func @f(%a: (i32)) {
 return }

// -----

// expected-error @+1 {{expected non-function type}}
func.func @f(%a: (i32) -> ) {
 return }

// -----

!a = i32
// expected-error @+1 {{redefinition of type alias id 'a'}}
!a = i64

// -----

// expected-error @+1 {{type names with a '.' are reserved for dialect-defined names}}
!a.b = i32

// -----

// expected-error @+1 {{expected '=' in type alias definition}}
!a i32

// -----

// expected-error @+1 {{expected non-function type}}
!a =
