// The command line without a subcommand. Usage errors go to stderr with exit status 2.

// RUN: freehold --version | FileCheck %s --check-prefix=VERSION
// RUN: freehold --help | FileCheck %s --check-prefix=HELP
// RUN: not freehold 2>&1 | FileCheck %s --check-prefix=HELP
// RUN: not freehold --no-such-flag 2>&1 | FileCheck %s --check-prefix=BAD

// VERSION: {{^}}freehold {{[0-9]+\.[0-9]+\.[0-9]+}} (reads the text of MLIR 19 and 22){{$}}

// HELP:      Compiles MLIR on tensors and memrefs to native code
// HELP:      Usage: freehold
// HELP:      --version

// BAD: error: unexpected argument '--no-such-flag' found
// BAD: Usage: freehold
