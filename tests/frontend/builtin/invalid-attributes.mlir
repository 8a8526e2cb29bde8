// What is wrong with attributes, in mlir-opt's words; invalid-peer.mlir
// runs mlir-opt on this file.

// RUN: freehold opt %s --split-input-file --verify-diagnostics

// -----

#a = 1
// expected-error @+1 {{redefinition of attribute alias id 'a'}}
#a = 2

// -----

// expected-error @+1 {{attribute names with a '.' are reserved for dialect-defined names}}
#a.b = 1

// -----

// expected-error @+1 {{expected '=' in attribute alias definition}}
#a 1

// -----

// expected-error @+1 {{expected attribute value}}
#a = foo

// -----

// expected-error @+1 {{undefined symbol alias id 'b'}}
module attributes {a = #b} {}

// -----

// expected-error @+1 {{duplicate key 'a' in dictionary attribute}}
module attributes {a = 1, a = 2} {}

// -----

// expected-error @+1 {{expected '}' in attribute dictionary}}
module attributes {a = 1 b = 2} {}

// -----

// expected-error @+1 {{expected attribute value}}
module attributes {a = } {}

// -----

// expected-error @+1 {{expected attribute name}}
module attributes {1 = 2} {}

// -----

// expected-error @+1 {{expected valid attribute name}}
module attributes {"" = 2} {}

// -----

// expected-error @+1 {{expected attribute value}}
module attributes {a = [1, } {}

// -----

// expected-error @+1 {{expected ',' or ']'}}
module attributes {a = [1 2]} {}

// -----

// expected-error @+1 {{expected constant integer or floating point value}}
module attributes {a = -} {}

// -----

// expected-error @+1 {{expected constant integer or floating point value}}
module attributes {a = -x} {}

// -----

// expected-error @+2 {{unexpected decimal integer literal for a floating point value}}
// expected-note @+1 {{add a trailing dot to make the literal a float}}
module attributes {a = 1 : f32} {}

// -----

// expected-error @+1 {{hexadecimal float literal should not have a leading minus}}
module attributes {a = -0x1 : f32} {}

// -----

// expected-error @+1 {{hexadecimal float constant out of range for type}}
module attributes {a = 0x1FFFFFFFF : f32} {}

// -----

// expected-error @+1 {{floating point value not valid for specified type}}
module attributes {a = 1.0 : i32} {}

// -----

// expected-error @+1 {{integer literal not valid for specified type}}
module attributes {a = 1 : tensor<i32>} {}

// -----

// expected-error @+1 {{integer constant out of range for attribute}}
module attributes {a = 256 : i8} {}

// -----

// expected-error @+1 {{integer constant out of range for attribute}}
module attributes {a = -129 : i8} {}

// -----

// expected-error @+1 {{integer constant out of range for attribute}}
module attributes {a = 128 : si8} {}

// -----

// expected-error @+1 {{negative integer literal not valid for unsigned integer type}}
module attributes {a = -1 : ui8} {}

// -----

// expected-error @+1 {{integer constant out of range for attribute}}
module attributes {a = -0 : i8} {}

// -----

// expected-error @+1 {{integer constant out of range for attribute}}
module attributes {a = 9223372036854775808 : index} {}

// -----

// expected-error @+1 {{integer constant out of range for attribute}}
module attributes {a = 18446744073709551616} {}

// -----

// expected-error @+1 {{tensor literal is invalid; ranks are not consistent between elements}}
module attributes {a = dense<[1,[2]]> : tensor<2xi32>} {}

// -----

// expected-error @+1 {{inferred shape of elements literal ([2]) does not match type ([3])}}
module attributes {a = dense<[1,2]> : tensor<3xi32>} {}

// -----

// expected-error @+1 {{elements literal must be a shaped type}}
module attributes {a = dense<[1,2]> : i32} {}

// -----

// expected-error @+1 {{elements literal type must have static shape}}
module attributes {a = dense<[1,2]> : tensor<?xi32>} {}

// -----

// expected-error @+1 {{elements literal type must have static shape}}
module attributes {a = dense<[1,2]> : tensor<*xi32>} {}

// -----

// expected-error @+1 {{expected integer elements, but parsed floating-point}}
module attributes {a = dense<1.0> : tensor<2xi32>} {}

// -----

// expected-error @+1 {{expected floating-point elements, but parsed integer}}
module attributes {a = dense<1> : tensor<2xf32>} {}

// -----

// expected-error @+1 {{expected i1 type for 'true' or 'false' values}}
module attributes {a = dense<true> : tensor<2xi32>} {}

// -----

// expected-error @+1 {{expected unsigned integer elements, but parsed negative value}}
module attributes {a = dense<-1> : tensor<2xui32>} {}

// -----

// expected-error @+1 {{integer constant out of range for type}}
module attributes {a = dense<300> : tensor<2xi8>} {}

// -----

// expected-error @+1 {{parsed zero elements, but type ('tensor<2xi8>') expected at least 1}}
module attributes {a = dense<> : tensor<2xi8>} {}

// -----

// expected-error @+1 {{expected string containing hex digits starting with `0x`}}
module attributes {a = dense<"0x0"> : tensor<2xi8>} {}

// -----

// expected-error @+1 {{elements hex data size is invalid for provided type: 'tensor<2xi8>'}}
module attributes {a = dense<"0x000000"> : tensor<2xi8>} {}

// -----

// expected-error @+1 {{expected string containing hex digits starting with `0x`}}
module attributes {a = dense<"abc"> : tensor<2xi8>} {}

// -----

// expected-error @+1 {{integer constant out of range for type}}
module attributes {a = dense<["a"]> : tensor<1xi8>} {}

// -----

// expected-error @+1 {{expected ',' between complex elements}}
module attributes {a = dense<(1 2)> : tensor<1xcomplex<i8>>} {}

// -----

// expected-error @+1 {{expected ')' after complex elements}}
module attributes {a = dense<(1,2> : tensor<1xcomplex<i8>>} {}

// -----

// expected-error @+1 {{inferred shape of elements literal ([2]) does not match type ([1])}}
module attributes {a = dense<[(1,2),(1,2)]> : tensor<1xcomplex<i8>>} {}

// -----

// expected-error @+1 {{expected element literal of primitive type}}
module attributes {a = dense<x> : tensor<1xi8>} {}

// -----

// expected-error @+1 {{expected element literal of primitive type}}
module attributes {a = dense<-> : tensor<1xi8>} {}

// -----

// expected-error @+1 {{expected '<' after 'dense'}}
module attributes {a = dense 1 : tensor<1xi8>} {}

// -----

// expected-error @+1 {{expected '>'}}
module attributes {a = dense<1 : tensor<1xi8>} {}

// -----

// expected-error @+1 {{expected ':'}}
module attributes {a = dense<1>} {}

// -----

// expected-error @+1 {{expected shape ([2, 2]); inferred shape of indices literal ([1, 2]); inferred shape of values literal ([2])}}
module attributes {a = sparse<[[0,0]], [1,2]> : tensor<2x2xi8>} {}

// -----

// expected-error @+1 {{expected shape ([2, 2]); inferred shape of indices literal ([1, 3]); inferred shape of values literal ([1])}}
module attributes {a = sparse<[[0,0,0]], [1]> : tensor<2x2xi8>} {}

// -----

// expected-error @+1 {{sparse index #0 is not contained within the value shape, with index=[0, 2], and type='tensor<2x2xi8>'}}
module attributes {a = sparse<[[0,2]], [1]> : tensor<2x2xi8>} {}

// -----

// expected-error @+1 {{expected 1-d tensor for sparse element values}}
module attributes {a = sparse<[[0,0]], [[1]]> : tensor<2x2xi8>} {}

// -----

// expected-error @+1 {{element type bitwidth must be a multiple of 8}}
module attributes {a = array<i7: 1>} {}

// -----

// expected-error @+1 {{integer constant out of range}}
module attributes {a = array<i8: 300>} {}

// -----

// expected-error @+1 {{expected i1 type for 'true' or 'false' values}}
module attributes {a = array<i8: true>} {}

// -----

// expected-error @+1 {{expected integer literal}}
module attributes {a = array<i8: x>} {}

// -----

// expected-error @+1 {{expected ':' after dense array type}}
module attributes {a = array<i8 1>} {}

// -----

// expected-error @+1 {{expected '>' to close an array attribute}}
module attributes {a = array<i8: 1} {}

// -----

// expected-error @+2 {{unexpected decimal integer literal for a floating point value}}
// expected-note @+1 {{add a trailing dot to make the literal a float}}
module attributes {a = array<f32: 1>} {}

// -----

// expected-error @+1 {{expected '<' after 'array'}}
module attributes {a = array 1} {}

// -----

// expected-error @+1 {{@ identifier expected to start with letter or '_'}}
module attributes {a = @} {}

// -----

// expected-error @+1 {{@ identifier expected to start with letter or '_'}}
module attributes {a = @1} {}

// -----

// expected-error @+1 {{expected nested symbol reference identifier}}
module attributes {a = @a::b} {}

// -----

// expected-error @+1 {{expected '}' in attribute dictionary}}
module attributes {a = @a:b} {}

// -----

// expected-error @+1 {{use of undeclared identifier}}
module attributes {a = affine_map<(d0) -> (d1)>} {}

// -----

// expected-error @+1 {{expected ')' in affine map range}}
module attributes {a = affine_map<(d0) -> (d0} {}

// -----

// expected-error @+1 {{expected '->' or ':'}}
module attributes {a = affine_map<(d0) (d0)>} {}

// -----

// expected-error @+1 {{non-affine expression: right operand of mod has to be either a constant or symbolic}}
module attributes {a = affine_map<(d0) -> (d0 mod d0)>} {}

// -----

// expected-error @+1 {{non-affine expression: right operand of floordiv has to be either a constant or symbolic}}
module attributes {a = affine_map<(d0) -> (d0 floordiv d0)>} {}

// -----

// expected-error @+1 {{non-affine expression: right operand of ceildiv has to be either a constant or symbolic}}
module attributes {a = affine_map<(d0) -> (d0 ceildiv d0)>} {}

// -----

// expected-error @+1 {{no expression inside parentheses}}
module attributes {a = affine_map<(d0) -> (())>} {}

// -----

// expected-error @+1 {{expected ')' in affine map range}}
module attributes {a = affine_map<(d0) -> ((d0)>} {}

// -----

// expected-error @+2 {{expected affine expression}}
// expected-error @+1 {{missing operand of negation}}
module attributes {a = affine_map<(d0) -> (-)>} {}

// -----

// expected-error @+2 {{missing right operand of binary operator}}
// expected-error @+1 {{missing operand of negation}}
module attributes {a = affine_map<(d0) -> (d0 - -)>} {}

// -----

// expected-error @+1 {{missing left operand of binary operator}}
module attributes {a = affine_map<(d0) -> (* 2)>} {}

// -----

// expected-error @+1 {{use of undeclared identifier}}
module attributes {a = affine_map<(d0) -> (mod 2)>} {}

// -----

// expected-error @+1 {{expected ')' in affine map range}}
module attributes {a = affine_map<(d0) -> (d0 2)>} {}

// -----

// expected-error @+1 {{redefinition of identifier 's0'}}
module attributes {a = affine_map<(d0)[s0, s0] -> (d0)>} {}

// -----

// expected-error @+1 {{redefinition of identifier 'd0'}}
module attributes {a = affine_map<(d0)[d0] -> (d0)>} {}

// -----

// expected-error @+1 {{expected bare identifier}}
module attributes {a = affine_map<(1) -> (d0)>} {}

// -----

// expected-error @+1 {{expected '(' in dimensional identifier list}}
module attributes {a = affine_map<d0 -> (d0)>} {}

// -----

// expected-error @+1 {{expected AffineMap, but got IntegerSet}}
module attributes {a = affine_map<(d0) : (d0 >= 0)>} {}

// -----

// expected-error @+1 {{expected IntegerSet, but got AffineMap}}
module attributes {a = affine_set<(d0) -> (d0)>} {}

// -----

// expected-error @+1 {{expected affine expression}}
module attributes {a = affine_set<(d0) : (d0 >= )>} {}

// -----

// expected-error @+1 {{expected '== affine-expr' or '>= affine-expr' at end of affine constraint}}
module attributes {a = affine_set<(d0) : (d0 = 0)>} {}

// -----

// expected-error @+1 {{expected '(' in integer set constraint list}}
module attributes {a = affine_set<(d0) : d0 == 0>} {}

// -----

// expected-error @+1 {{expected location instance}}
module attributes {a = loc(} {}

// -----

// expected-error @+1 {{expected integer line number in FileLineColLoc}}
module attributes {a = loc("a":x:1)} {}

// -----

// expected-error @+1 {{expected ':' in FileLineColLoc}}
module attributes {a = loc("a":1)} {}

// -----

// expected-error @+1 {{expected integer column number in FileLineColLoc}}
module attributes {a = loc("a":1:x)} {}

// -----

// expected-error @+1 {{expected ')' in inline location}}
module attributes {a = loc("a"("b")} {}

// -----

// expected-error @+1 {{expected ')' after child location of NameLoc}}
module attributes {a = loc("a"("b"} {}

// -----

// expected-error @+1 {{expected 'at' in callsite location}}
module attributes {a = loc(callsite("a" "b"))} {}

// -----

// expected-error @+1 {{expected ')' in inline location}}
module attributes {a = loc(callsite("a" at "b")} {}

// -----

// expected-error @+1 {{expected '(' in callsite location}}
module attributes {a = loc(callsite "a")} {}

// -----

// expected-error @+1 {{expected ']' in fused location}}
module attributes {a = loc(fused["a")} {}

// -----

// expected-error @+1 {{expected '>' after fused location metadata}}
module attributes {a = loc(fused<"a"["a"])} {}

// -----

// expected-error @+1 {{expected location instance}}
module attributes {a = loc(foo)} {}

// -----

// expected-error @+1 {{undefined symbol alias id 'x'}}
module attributes {a = loc(#x)} {}

// -----

// expected-error @+1 {{expected distinct ID}}
module attributes {a = distinct[x]<>} {}

// -----

// expected-error @+1 {{expected '[' after 'distinct'}}
module attributes {a = distinct 0<>} {}

// -----

// expected-error @+1 {{expected '<' after distinct ID}}
module attributes {a = distinct[0] 1} {}

// -----

// expected-error @+1 {{expected ']' to close distinct ID}}
module attributes {a = distinct[0<>} {}

// -----

// expected-error @+1 {{expected '>' to close distinct attribute}}
module attributes {a = distinct[0]<1} {}

// -----

// expected-error @+1 {{referenced attribute does not match previous definition: 1 : i64}}
module attributes {a = distinct[0]<1>, b = distinct[0]<2>} {}

// -----

// expected-error @+1 {{expected identifier key for 'resource' entry}}
module attributes {a = dense_resource<1> : tensor<1xi8>} {}

// -----

// expected-error @+1 {{`dense_resource` expected a shaped type}}
module attributes {a = dense_resource<a> : i8} {}

// -----

// expected-error @+1 {{expected ':'}}
module attributes {a = dense_resource<a>} {}

// -----

// expected-error @+1 {{expected '<' after 'dense_resource'}}
module attributes {a = dense_resource a} {}

// -----

// expected-error @+1 {{expected '<' after 'strided'}}
module attributes {a = strided 1} {}

// -----

// expected-error @+1 {{expected '['}}
module attributes {a = strided<1>} {}

// -----

// expected-error @+1 {{expected '}' in attribute dictionary}}
module attributes {a = {b = 1} {}

// -----

// expected-error @+1 {{expected non-function type}}
module attributes {a = "x" : } {}

// -----

// expected-error @+1 {{expected '}' in attribute dictionary}}
module attributes {a = unit x} {}
