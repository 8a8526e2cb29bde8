// Instructions on another processor, counted in its emulator; all lowerings give the same result.

// REQUIRES: aarch64
// RUN: freehold bench dealloc --max=4 --alias=50 --conditions=50 --target=aarch64 --json=%t.json | FileCheck %s
// RUN: FileCheck %s --check-prefix=JSON < %t.json
// RUN: not freehold bench dealloc --max=1 --target=aarch64 --peer 2>&1 | FileCheck %s --check-prefix=PEER

// CHECK: auto instructions
// CHECK: 1 x 1, 50%, 50%
// CHECK: 4 x 4, 50%, 50%
// JSON: "instructions": {{[0-9]+}}
// PEER: cannot be used with
