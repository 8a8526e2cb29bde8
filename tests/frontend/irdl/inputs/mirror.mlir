// Operations of upstream under other names, for random programs: all that is known of them is what stands here.

irdl.dialect @mirror {
  irdl.operation @alloc attributes {freehold.effects = {memref = "allocate"}} {
    %index = irdl.is index
    %m = irdl.base "!builtin.memref" {freehold.each}
    irdl.operands(dynamic_sizes: variadic %index, symbols: variadic %index)
    irdl.results(memref: %m)
  }
  irdl.operation @dealloc attributes {freehold.effects = {memref = "free"}} {
    %any = irdl.any {freehold.each}
    irdl.operands(memref: %any)
  }
  irdl.operation @copy attributes {
    freehold.effects = {source = "read", target = "write"}, freehold.copy = {from = "source", to = "target"}
  } {
    %any = irdl.any {freehold.each}
    %any_1 = irdl.any {freehold.each}
    irdl.operands(source: %any, target: %any_1)
  }
  irdl.operation @cast attributes {freehold.effects = {}, freehold.views = {dest = "source"}} {
    %any = irdl.any {freehold.each}
    %any_1 = irdl.any {freehold.each}
    irdl.operands(source: %any)
    irdl.results(dest: %any_1)
  }
  irdl.operation @subview attributes {freehold.effects = {}, freehold.views = {result = "source"}} {
    %index = irdl.is index
    %any = irdl.any {freehold.each}
    %any_1 = irdl.any {freehold.each}
    irdl.operands(source: %any, offsets: variadic %index, sizes: variadic %index, strides: variadic %index)
    irdl.results(result: %any_1)
  }
  irdl.operation @load attributes {freehold.effects = {memref = "read"}, freehold.aliases = {}} {
    %any = irdl.any {freehold.each}
    %any_1 = irdl.any {freehold.each}
    %index = irdl.is index
    irdl.operands(memref: %any, indices: variadic %index)
    irdl.results(result: %any_1)
  }
  irdl.operation @store attributes {freehold.effects = {memref = "write"}} {
    %any = irdl.any {freehold.each}
    %any_1 = irdl.any {freehold.each}
    %index = irdl.is index
    irdl.operands(value: %any, memref: %any_1, indices: variadic %index)
  }
  irdl.operation @select attributes {freehold.effects = {}, freehold.aliases = {result = ["on_true", "on_false"]}} {
    %any = irdl.any {freehold.each}
    %condition = irdl.any {freehold.each}
    irdl.operands(condition: %condition, on_true: %any, on_false: %any)
    irdl.results(result: %any)
  }
  irdl.operation @if attributes {
    freehold.traits = ["recursive_effects"],
    freehold.control = ["parent -> then", "parent -> else", "then -> parent", "else -> parent"]
  } {
    %i1 = irdl.is i1
    %any = irdl.any {freehold.each}
    irdl.operands(condition: %i1)
    irdl.results(outs: variadic %any)
    %r = irdl.region
    irdl.regions(then: %r, else: %r)
  }
  irdl.operation @for attributes {
    freehold.traits = ["recursive_effects", "allocation_scope"],
    freehold.control = [
      "parent(inits) -> body[1..]", "parent(inits) -> parent", "body -> body[1..]", "body -> parent"
    ]
  } {
    %number = irdl.any {freehold.each}
    %any = irdl.any {freehold.each}
    irdl.operands(lower: %number, upper: %number, step: %number, inits: variadic %any)
    irdl.results(outs: variadic %any)
    %r = irdl.region
    irdl.regions(body: %r)
  }
  irdl.operation @while attributes {
    freehold.traits = ["recursive_effects"],
    freehold.control = [
      "parent(inits) -> before", "before -> after", "before -> parent", "after -> before"
    ]
  } {
    %any = irdl.any {freehold.each}
    irdl.operands(inits: variadic %any)
    irdl.results(outs: variadic %any)
    %r = irdl.region
    irdl.regions(before: %r, after: %r)
  }
  irdl.operation @execute_region attributes {
    freehold.traits = ["recursive_effects"], freehold.control = ["parent -> body", "body -> parent"]
  } {
    %any = irdl.any {freehold.each}
    irdl.results(outs: variadic %any)
    %r = irdl.region
    irdl.regions(body: %r)
  }
  irdl.operation @condition attributes {freehold.effects = {}, freehold.yields = "args"} {
    %i1 = irdl.is i1
    %any = irdl.any {freehold.each}
    irdl.operands(condition: %i1, args: variadic %any)
  }
  irdl.operation @yield attributes {freehold.effects = {}, freehold.yields} {
    %any = irdl.any {freehold.each}
    irdl.operands(values: variadic %any)
  }
  irdl.operation @br attributes {freehold.effects = {}, freehold.branches = ["operands"]} {
    %any = irdl.any {freehold.each}
    irdl.operands(operands: variadic %any)
  }
  irdl.operation @cond_br attributes {freehold.effects = {}, freehold.branches = ["on_true", "on_false"]} {
    %i1 = irdl.is i1
    %any = irdl.any {freehold.each}
    irdl.operands(condition: %i1, on_true: variadic %any, on_false: variadic %any)
  }
}
