// Options of passes and pipelines that do not exist, and numbers out of their range.

// RUN: not freehold opt %s --ownership-based-buffer-deallocation=private-function-dynamic-ownershp 2>&1 | FileCheck %s --check-prefix=MISSPELT
// RUN: not freehold opt %s --buffer-deallocation-pipeline=private-function-dynamic-owner 2>&1 | FileCheck %s --check-prefix=PIPELINE
// RUN: not freehold opt %s --pass-pipeline='builtin.module(cse{max-iterations=2})' 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not freehold opt %s --promote-buffers-to-stack="max-alloc-size-in-bytes=-1" 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: not freehold opt %s --promote-buffers-to-stack="max-rank-of-allocated-memref=4294967296" 2>&1 | FileCheck %s --check-prefix=LARGE
// RUN: not freehold opt %s --hlo-deallocation-pipeline="max-stack-bytes=-1" 2>&1 | FileCheck %s --check-prefix=STACK
// RUN: freehold opt %s --promote-buffers-to-stack="max-alloc-size-in-bytes=4294967295" | FileCheck %s

// MISSPELT: freehold opt: in '--ownership-based-buffer-deallocation': <Pass-Options-Parser>: no such option private-function-dynamic-ownershp; did you mean 'private-function-dynamic-ownership'?
// PIPELINE: <Pass-Options-Parser>: no such option private-function-dynamic-owner; did you mean 'private-function-dynamic-ownership'?
// NONE: <Pass-Options-Parser>: no such option max-iterations{{$}}
// NEGATIVE: <Pass-Options-Parser>: '-1' value invalid for option max-alloc-size-in-bytes: expected an integer from 0 to 4294967295
// LARGE: '4294967296' value invalid for option max-rank-of-allocated-memref: expected an integer from 0 to 4294967295
// STACK: <Pass-Options-Parser>: '-1' value invalid for option max-stack-bytes: expected an integer from 0{{$}}
// CHECK-LABEL: func.func @f
func.func @f() {
  return
}
