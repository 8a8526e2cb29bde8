// What is wrong with file metadata, in mlir-opt's words; invalid-peer.mlir
// runs mlir-opt on this file.

// RUN: freehold opt %s --split-input-file --verify-diagnostics

// -----

// expected-error @+1 {{unknown key 'foo' in file metadata dictionary}}
{-# foo: {} #-}

// -----

// expected-error @+1 {{dialect 'foo' is unknown}}
{-# dialect_resources: { foo: {} } #-}

// -----

// expected-error @+1 {{expected hex string blob for key 'a'}}
{-# dialect_resources: { builtin: { a: "x" } } #-}

// -----

// expected-error @+1 {{expected hex string blob for key 'a' to encode alignment in first 4 bytes}}
{-# dialect_resources: { builtin: { a: "0x00" } } #-}

// -----

// expected-error @+1 {{expected hex string blob for key 'a' to encode alignment in first 4 bytes, but got non-power-of-2 value: 3}}
{-# dialect_resources: { builtin: { a: "0x0300000000" } } #-}

// -----

// expected-error @+1 {{expected identifier key for 'resource' entry}}
{-# dialect_resources: { builtin: { 1: "0x0300000000" } } #-}

// -----

// expected-error @+1 {{expected ':'}}
{-# dialect_resources: { builtin: { a "0x0300000000" } } #-}

// -----

// expected-error @+1 {{expected '{'}}
{-# dialect_resources: { builtin: a } #-}

// -----

// expected-error @+1 {{expected identifier key in file metadata dictionary}}
{-# 1: 2 #-}

// -----

// expected-error @+1 {{expected ':'}}
{-# a
