// Completions and manual pages.
//
// RUN: freehold completions bash | FileCheck %s --check-prefix=BASH
// RUN: freehold completions fish | FileCheck %s --check-prefix=FISH
// RUN: freehold man %T/man
// RUN: FileCheck %s --check-prefix=MAN < %T/man/freehold-run.1
// RUN: FileCheck %s --check-prefix=OPT < %T/man/freehold-opt.1
// RUN: freehold completions bash | FileCheck %s --check-prefix=PASSES
// RUN: freehold completions zsh | FileCheck %s --check-prefix=PASSES
// RUN: not freehold man %s 2>&1 | FileCheck %s --check-prefix=NOT

// Passes are flags of `opt` and values of flags that print the IR.
// OPT: pass{{.*}}pipeline
// OPT: .SH PASSES
// OPT: one{{.*}}bufferize
// PASSES: canonicalize
// BASH: complete -F _freehold
// FISH: complete -c freehold
// MAN: .TH {{.*}}run
// MAN: merge
// NOT: error: cannot write to '
