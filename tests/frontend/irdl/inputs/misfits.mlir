// Fits some programs and not others.

irdl.dialect @misfit {
  irdl.operation @free attributes {freehold.effects = {value = "free"}} {
    %0 = irdl.any {freehold.each}
    irdl.operands(value: %0)
  }
  irdl.operation @same attributes {freehold.effects = {}, freehold.same = {out = "in"}} {
    %0 = irdl.base "!builtin.memref" {freehold.each}
    %1 = irdl.base "!builtin.memref" {freehold.each}
    irdl.operands(in: %0) irdl.results(out: %1)
  }
  irdl.operation @loop attributes {
    freehold.traits = ["recursive_effects"],
    freehold.control = ["parent(init) -> body", "body -> body", "body -> parent"]
  } {
    %any = irdl.any {freehold.each}
    irdl.operands(init: variadic %any)
    irdl.results(out: variadic %any)
    %r = irdl.region
    irdl.regions(body: %r)
  }
  irdl.operation @yield attributes {freehold.effects = {}, freehold.yields} {
    %any = irdl.any {freehold.each}
    irdl.operands(values: variadic %any)
  }
}
