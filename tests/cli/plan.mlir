// `freehold plan`: the report on standard output, the plan in a file.

// RUN: freehold plan %S/inputs/five.csv -o %t.csv --svg %t.svg | FileCheck %s
// RUN: cat %t.csv | FileCheck %s --check-prefix=CSV
// RUN: cat %t.svg | FileCheck %s --check-prefix=SVG
// CHECK:      planner optimal
// CHECK-NEXT: buffers 5
// CHECK-NEXT: peak 120
// CHECK-NEXT: lower bound 120
// CHECK-NEXT: gap 0 (0.00 %), proved: the most that is live at once
// CSV:      id,lower,upper,size,offset
// CSV-NEXT: a,0,3,100,0
// CSV-NEXT: b,1,5,20,100
// CSV-NEXT: c,3,9,60,0
// CSV-NEXT: d,4,8,40,60
// CSV-NEXT: e,5,9,20,100
// SVG: <svg xmlns=
// SVG: peak 120, lower bound 120, proved
// SVG-COUNT-5: <title>buffer

// With the plan on standard output, the report goes to standard error; a plan is read again.
// RUN: cat %t.csv | freehold plan - -o - --planner=cost-model | FileCheck %s --check-prefix=STDOUT
// STDOUT-NOT: peak
// STDOUT:     {{^}}id,lower,upper,size,offset{{$}}
// STDOUT:     {{^}}a,0,3,100,0{{$}}

// A capacity that cannot be kept.
// RUN: freehold plan %S/inputs/five.csv --capacity=120 | FileCheck %s --check-prefix=KEPT
// RUN: not freehold plan %S/inputs/five.csv --capacity=119 | FileCheck %s --check-prefix=EXCEEDED
// KEPT:     capacity 120, kept
// EXCEEDED: capacity 119, exceeded, as by every plan

// Bad input is named by line and column.
// RUN: not freehold plan %S/inputs/malformed.csv 2>&1 | FileCheck %s --check-prefix=MALFORMED
// RUN: not freehold plan %S/inputs/overflow.csv 2>&1 | FileCheck %s --check-prefix=OVERFLOW
// RUN: not freehold plan %S/inputs/missing_column.csv 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: not freehold plan %S/inputs/no_such_file.csv 2>&1 | FileCheck %s --check-prefix=NOFILE
// RUN: not freehold plan %S/inputs/five.csv --planner=best 2>&1 | FileCheck %s --check-prefix=USAGE
// RUN: not freehold plan %S/inputs/five.csv --capacity=-1 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// MALFORMED: malformed.csv:2:7: error: expected an integer, but got 'x'
// OVERFLOW:  overflow.csv:3:1: error: sum of buffer sizes does not fit into 63 bits
// MISSING:   missing_column.csv:1:1: error: expected a column 'upper'
// NOFILE:    error: cannot open input file
// USAGE:     invalid value 'best'
// NEGATIVE:  invalid digit found in string
