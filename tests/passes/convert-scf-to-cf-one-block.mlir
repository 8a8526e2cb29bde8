// Where an operation around has one block only, there is no place for more.
//
// RUN: freehold opt %s --convert-scf-to-cf --split-input-file --verify-diagnostics
// RUN: freehold opt %s --convert-scf-to-cf=rotate-loops --split-input-file --verify-diagnostics

func.func @parallel(%l: index, %u: index, %s: index) {
  // expected-error @+1 {{'affine.parallel' op expects region #0 to have 0 or 1 blocks}}
  affine.parallel (%i) = (0) to (8) {
    scf.for %j = %l to %u step %s {
    }
  }
  return
}

// -----

func.func @otherwise(%c: i1, %i: index) {
  // expected-error @+1 {{'affine.if' op expects region #1 to have 0 or 1 blocks}}
  affine.if affine_set<(d0) : (d0 >= 0)>(%i) {
  } else {
    scf.if %c {
    }
  }
  return
}
