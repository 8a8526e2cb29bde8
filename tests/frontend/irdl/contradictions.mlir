// Declarations that contradict themselves are errors where they stand.
// RUN: not freehold opt --irdl-file=%s - < /dev/null 2>&1 | FileCheck %s
// RUN: not freehold run --irdl-file=%s - < /dev/null 2>&1 | FileCheck %s

irdl.dialect @wrong {
  // CHECK: contradictions.mlir:[[@LINE+1]]:3: error: 'irdl.operation' @number has an effect on 'n', which can only be a number
  irdl.operation @number attributes {freehold.effects = {n = "read"}} {
    %0 = irdl.is i32
    irdl.operands(n: %0)
  }
  // CHECK: :[[@LINE+1]]:3: error: 'irdl.operation' @nobody has no operand or result 'x', which 'freehold.effects' names; "*" is memory that is none of them
  irdl.operation @nobody attributes {freehold.effects = {x = "read"}}
  // CHECK: :[[@LINE+1]]:3: error: 'irdl.operation' @word has no effect 'reads': known are read, write, allocate, allocate_on_stack, free
  irdl.operation @word attributes {freehold.effects = {m = "reads"}} {
    %0 = irdl.base "!builtin.memref"
    irdl.operands(m: %0)
  }
  // CHECK: :[[@LINE+1]]:3: error: 'irdl.operation' @alias declares 'r' an alias of 'n', which is never a buffer
  irdl.operation @alias attributes {freehold.aliases = {r = "n"}} {
    %0 = irdl.base "!builtin.memref"
    %1 = irdl.is index
    irdl.operands(n: %1)
    irdl.results(r: %0)
  }
  // CHECK: :[[@LINE+1]]:3: error: 'irdl.operation' @both both allocates 'r' and declares it an alias of 'm'
  irdl.operation @both attributes {freehold.effects = {r = "allocate"}, freehold.aliases = {r = "m"}} {
    %0 = irdl.base "!builtin.memref"
    irdl.operands(m: %0)
    irdl.results(r: %0)
  }
  // CHECK: :[[@LINE+1]]:3: error: 'irdl.operation' @owner declares 'r' always owned, but 'freehold.effects' does not allocate it
  irdl.operation @owner attributes {freehold.effects = {}, freehold.ownership = {r = "always"}} {
    %0 = irdl.base "!builtin.memref"
    irdl.results(r: %0)
  }
  // CHECK: :[[@LINE+1]]:3: error: 'irdl.operation' @flag needs an i1 to tell who owns 'r', but 's' is never one
  irdl.operation @flag attributes {freehold.effects = {}, freehold.ownership = {r = "if s"}} {
    %0 = irdl.base "!builtin.memref"
    irdl.results(r: %0, s: %0)
  }
  // CHECK: :[[@LINE+1]]:3: error: 'irdl.operation' @region has no region 'body', which 'freehold.control' names
  irdl.operation @region attributes {freehold.control = ["parent -> body"]}
  // CHECK: :[[@LINE+1]]:3: error: 'irdl.operation' @terminator cannot both hand values to the operation around and branch
  irdl.operation @terminator attributes {freehold.branches = ["a"], freehold.yields} {
    %0 = irdl.any
    irdl.operands(a: variadic %0)
  }
  // CHECK: :[[@LINE+1]]:3: error: 'irdl.operation' @late frees 'm' and declares 'r' an alias of it
  irdl.operation @late attributes {freehold.effects = {m = "free"}, freehold.aliases = {r = "m"}} {
    %0 = irdl.base "!builtin.memref"
    irdl.operands(m: %0)
    irdl.results(r: %0)
  }
  // CHECK: :[[@LINE+1]]:3: error: 'irdl.operation' @twice hands 'a' to more than one successor
  irdl.operation @twice attributes {freehold.branches = ["a", "a"]} {
    %0 = irdl.any
    irdl.operands(a: variadic %0)
  }
  // CHECK: :[[@LINE+1]]:3: error: 'irdl.operation' @fixed hands 'a' to a successor, which takes any number: it has to be variadic
  irdl.operation @fixed attributes {freehold.branches = ["a"]} {
    %0 = irdl.any
    irdl.operands(a: %0)
  }
  // CHECK: :[[@LINE+1]]:3: error: 'irdl.operation' @open lacks a ')' in 'parent(m -> body' of 'freehold.control'
  irdl.operation @open attributes {freehold.control = ["parent(m -> body"]} {
    %0 = irdl.any
    %1 = irdl.region
    irdl.operands(m: %0)
    irdl.regions(body: %1)
  }
  // CHECK: :[[@LINE+1]]:3: error: 'irdl.operation' @endless has a result 'r', but 'freehold.control' says nothing of what goes to the parent
  irdl.operation @endless attributes {freehold.control = ["parent(m) -> body", "body -> body"]} {
    %0 = irdl.any
    %1 = irdl.region
    irdl.operands(m: %0)
    irdl.results(r: %0)
    irdl.regions(body: %1)
  }
  // CHECK: :[[@LINE+1]]:3: error: 'irdl.operation' @typo has no attribute 'freehold.effect': known are aliases, branches
  irdl.operation @typo attributes {freehold.effect = {}}
  // CHECK: :[[@LINE+2]]:10: error: 'irdl.c_pred' op is a test in C++, which only tools built with it can make
  irdl.operation @cxx {
    %0 = irdl.c_pred "$_self"
    irdl.operands(a: %0)
  }
  // CHECK: :[[@LINE+1]]:3: error: 'irdl.operation' @copies is no copy: that reads one operand and writes another, as 'freehold.effects' says
  irdl.operation @copies attributes {freehold.effects = {}, freehold.copy = {from = "a", to = "b"}} {
    %0 = irdl.base "!builtin.memref"
    %1 = irdl.is i32
    irdl.operands(a: %0, b: %1)
  }
  // CHECK: :[[@LINE+2]]:10: error: no registered type with name !builtin.nope
  irdl.operation @base {
    %0 = irdl.base "!builtin.nope"
    irdl.operands(a: %0)
  }
  // CHECK: :[[@LINE+1]]:3: error: 'irdl.operation' op contains a value named 'a' for both its operands and results
  irdl.operation @names {
    %0 = irdl.any
    irdl.operands(a: %0)
    irdl.results(a: %0)
  }
}
// CHECK: :[[@LINE+1]]:1: error: 'irdl.dialect' @memref declares a dialect that is known already
irdl.dialect @memref {
  irdl.operation @again
}
