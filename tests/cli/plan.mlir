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
// SVG-COUNT-5: <title>buffer {{[a-e]}}

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

// The search is over once the capacity is kept, or time or nodes are used up.
// RUN: freehold plan %S/inputs/tight.csv | FileCheck %s --check-prefix=BEST
// RUN: freehold plan %S/inputs/tight.csv --capacity=98 | FileCheck %s --check-prefix=AT-ONCE
// RUN: freehold plan %S/inputs/tight.csv --time-limit=0 | FileCheck %s --check-prefix=AT-ONCE
// RUN: freehold plan %S/inputs/tight.csv --nodes=0 | FileCheck %s --check-prefix=AT-ONCE
// BEST:    peak 92
// AT-ONCE: peak 98
// AT-ONCE: nodes 0

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

// In its gaps a buffer needs no bytes; lines may end as on Windows.
// RUN: freehold plan %S/inputs/gaps.csv -o %t.gaps.csv --svg %t.gaps.svg | FileCheck %s --check-prefix=GAPS
// RUN: cat %t.gaps.csv | FileCheck %s --check-prefix=GAPS-CSV
// RUN: cat %t.gaps.svg | FileCheck %s --check-prefix=GAPS-SVG
// GAPS:          buffers 4
// GAPS-NEXT:     peak 110
// GAPS-CSV:      {{^}}id,lower,upper,size,gaps,offset{{$}}
// GAPS-CSV-NEXT: {{^}}weights,0,10,100,2-4 5-8,{{[0-9]+$}}
// GAPS-SVG-COUNT-3: <title>buffer weights

// RUN: not freehold plan %S/inputs/duplicate.csv 2>&1 | FileCheck %s --check-prefix=DUPLICATE
// RUN: not freehold plan %S/inputs/header_only.csv 2>&1 | FileCheck %s --check-prefix=HEADER
// RUN: not freehold plan %S/inputs/empty.csv 2>&1 | FileCheck %s --check-prefix=EMPTY
// RUN: not freehold plan %S/inputs/bad_gap.csv 2>&1 | FileCheck %s --check-prefix=GAP
// RUN: not freehold plan %S/inputs/negative.csv 2>&1 | FileCheck %s --check-prefix=SIZE
// RUN: not freehold plan %S/inputs/five.csv --capacity=18446744073709551616 2>&1 | FileCheck %s --check-prefix=CAPACITY
// RUN: not freehold plan %S/inputs/five.csv --node-budget=-1 2>&1 | FileCheck %s --check-prefix=NODES
// DUPLICATE: duplicate.csv:4:1: error: id 'a' is that of the buffer in line 2 already
// HEADER:    header_only.csv:2:1: error: expected a line for each buffer, but there is none
// EMPTY:     empty.csv:1:1: error: expected a line with the names of the columns
// GAP:       bad_gap.csv:3:10: error: gap '3-2' ends before it starts
// SIZE:      negative.csv:3:7: error: size is negative
// CAPACITY:  number too large to fit in target type
// NODES:     invalid digit found in string

// The same as JSON.
// RUN: not freehold plan %S/inputs/five.csv --json=- --capacity=119 2>/dev/null | FileCheck %s --check-prefix=JSON
// JSON-DAG: "peak": 120
// JSON-DAG: "fits": false
// JSON-DAG: "proved": true
// JSON-DAG: "id": "e"
