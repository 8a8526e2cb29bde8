// Our text of the files beside this one is mlir-opt's, byte by byte.

// REQUIRES: mlir-opt-19
// RUN: mlir-opt-19 %S/types.mlir --allow-unregistered-dialect > %t.theirs
// RUN: freehold opt %S/types.mlir --allow-unregistered-dialect > %t.ours
// RUN: diff -B %t.theirs %t.ours
// RUN: mlir-opt-19 %S/dense.mlir --allow-unregistered-dialect > %t.theirs
// RUN: freehold opt %S/dense.mlir --allow-unregistered-dialect > %t.ours
// RUN: diff -B %t.theirs %t.ours
// RUN: mlir-opt-19 %S/affine.mlir --allow-unregistered-dialect > %t.theirs
// RUN: freehold opt %S/affine.mlir --allow-unregistered-dialect > %t.ours
// RUN: diff -B %t.theirs %t.ours
// RUN: mlir-opt-19 %S/generic.mlir --allow-unregistered-dialect > %t.theirs
// RUN: freehold opt %S/generic.mlir --allow-unregistered-dialect > %t.ours
// RUN: diff -B %t.theirs %t.ours
// RUN: mlir-opt-19 %S/generic.mlir --allow-unregistered-dialect --mlir-print-op-generic > %t.theirs
// RUN: freehold opt %S/generic.mlir --allow-unregistered-dialect --mlir-print-op-generic > %t.ours
// RUN: diff -B %t.theirs %t.ours
// RUN: mlir-opt-19 %S/names.mlir > %t.theirs
// RUN: freehold opt %S/names.mlir > %t.ours
// RUN: diff -B %t.theirs %t.ours
// RUN: mlir-opt-19 %S/names.mlir --mlir-print-op-generic > %t.theirs
// RUN: freehold opt %S/names.mlir --mlir-print-op-generic > %t.ours
// RUN: diff -B %t.theirs %t.ours
// RUN: mlir-opt-19 %S/names.mlir --mlir-print-debuginfo > %t.theirs
// RUN: freehold opt %S/names.mlir --mlir-print-debuginfo > %t.ours
// RUN: diff -B %t.theirs %t.ours
// RUN: mlir-opt-19 %S/locations.mlir --allow-unregistered-dialect --mlir-print-debuginfo > %t.theirs
// RUN: freehold opt %S/locations.mlir --allow-unregistered-dialect --mlir-print-debuginfo > %t.ours
// RUN: diff -B %t.theirs %t.ours
// RUN: mlir-opt-19 %S/metadata.mlir --allow-unregistered-dialect > %t.theirs
// RUN: freehold opt %S/metadata.mlir --allow-unregistered-dialect > %t.ours
// RUN: diff -B %t.theirs %t.ours
// RUN: mlir-opt-19 %S/ops.mlir --allow-unregistered-dialect > %t.theirs
// RUN: freehold opt %S/ops.mlir --allow-unregistered-dialect > %t.ours
// RUN: diff -B %t.theirs %t.ours

// Numbers that no decimal literal stands for are written as bits by us and
// rounded by mlir-opt's parser: compared by what mlir-opt reads.
// RUN: mlir-opt-19 %S/attributes.mlir --allow-unregistered-dialect > %t.theirs
// RUN: freehold opt %S/attributes.mlir --allow-unregistered-dialect | mlir-opt-19 --allow-unregistered-dialect > %t.ours
// RUN: diff -B %t.theirs %t.ours
