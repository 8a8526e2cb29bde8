// Options stand under the headings that they belong to.

// RUN: freehold run --help | FileCheck %s --check-prefix=JIT
// RUN: freehold compile --help | FileCheck %s --check-prefix=COMPILE

// JIT: {{^}}Options:
// JIT: --shared-libs
// JIT: {{^}}Memory:
// JIT: --dealloc
// JIT: {{^}}Code:
// JIT: --target-cpu
// JIT: {{^}}Checks and reports:
// JIT: --check
// JIT: {{^}}Passes:
// JIT: --mlir-print-ir-after-all
// JIT: {{^}}Call:
// JIT: --entry-point
// JIT: --input

// COMPILE: {{^}}Options:
// COMPILE: {{^ +}}-o
// COMPILE: --emit
// COMPILE: {{^}}Memory:
// COMPILE: {{^}}Code:
// COMPILE: --target
// COMPILE: {{^}}Passes:
// COMPILE-NOT: {{^ +}}-o
// COMPILE-NOT: --target
// COMPILE-NOT: --emit
