// Completions and manual pages.
//
// RUN: freehold completions bash | FileCheck %s --check-prefix=BASH
// RUN: freehold completions fish | FileCheck %s --check-prefix=FISH
// RUN: freehold man %T/man
// RUN: FileCheck %s --check-prefix=MAN < %T/man/freehold-run.1
// RUN: not freehold man %s 2>&1 | FileCheck %s --check-prefix=NOT

// BASH: complete -F _freehold
// FISH: complete -c freehold
// MAN: .TH {{.*}}run
// MAN: merge
// NOT: error: cannot write to '
