irdl.dialect @demo {
  irdl.type @token
  irdl.operation @buffer attributes {freehold.effects = {buffer = "allocate"}} {
    %m = irdl.base "!builtin.memref" {freehold.each}
    irdl.results(buffer: %m)
  }
  irdl.operation @pick attributes {freehold.effects = {}, freehold.branches = ["first", "second"]} {
    %i1 = irdl.is i1
    %any = irdl.any {freehold.each}
    irdl.operands(condition: %i1, first: variadic %any, second: variadic %any)
  }
  irdl.operation @either attributes {
    freehold.traits = ["recursive_effects"],
    freehold.control = ["parent(inputs) -> a", "parent(inputs) -> b", "a -> c", "b -> c", "c -> parent"]
  } {
    %i1 = irdl.is i1
    %any = irdl.any {freehold.each}
    irdl.operands(condition: %i1, inputs: variadic %any)
    irdl.results(outs: variadic %any)
    %r = irdl.region
    irdl.regions(a: %r, b: %r, c: %r)
  }
  irdl.operation @hand_over attributes {freehold.effects = {}, freehold.yields} {
    %any = irdl.any {freehold.each}
    irdl.operands(values: variadic %any)
  }
  irdl.operation @duplicate attributes {
    freehold.effects = {from = "read", to = "write"}, freehold.copy = {from = "from", to = "to"}
  } {
    %m = irdl.base "!builtin.memref" {freehold.each}
    irdl.operands(from: %m, to: %m)
  }
  irdl.operation @start attributes {
    freehold.effects = {buffer = "read"}, freehold.keeps = {token = "buffer"}
  } {
    %m = irdl.base "!builtin.memref" {freehold.each}
    %t = irdl.base @demo::@token
    irdl.operands(buffer: %m)
    irdl.results(token: %t)
  }
  irdl.operation @wait {
    %t = irdl.base @demo::@token
    irdl.operands(token: %t)
  }
  irdl.operation @pair attributes {freehold.effects = {a = "allocate", b = "allocate"}} {
    %m = irdl.base "!builtin.memref" {freehold.each}
    irdl.results(a: %m, b: %m)
  }
  irdl.operation @consume attributes {freehold.effects = {buffer = "free"}} {
    %m = irdl.base "!builtin.memref" {freehold.each}
    irdl.operands(buffer: %m)
  }
  irdl.operation @maybe attributes {
    freehold.effects = {buffer = "read"}, freehold.aliases = {result = "buffer", operand = "buffer"},
    freehold.ownership = {result = "if owned"}
  } {
    %m = irdl.base "!builtin.memref" {freehold.each}
    %i1 = irdl.is i1
    irdl.operands(condition: %i1, buffer: %m)
    irdl.results(result: %m, operand: %m, owned: %i1)
  }
}
