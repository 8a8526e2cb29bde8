irdl.dialect @t {
  irdl.operation @fill attributes {
    freehold.effects = {from = "read", into = ["read", "write"]}, freehold.destination = {out = "into"}
  } {
    %any = irdl.any {freehold.each}
    %any_1 = irdl.any {freehold.each}
    irdl.operands(from: %any, into: %any_1)
    irdl.results(out: optional %any_1)
  }
  irdl.operation @measure attributes {
    freehold.effects = {into = "write"}, freehold.destination = {out = "into"}
  } {
    %n = irdl.is index
    %memref = irdl.base "!builtin.memref" {freehold.each}
    %tensor = irdl.base "!builtin.tensor"
    irdl.operands(size: optional %n, into: optional %memref)
    irdl.results(out: optional %tensor)
  }
  irdl.operation @make attributes {freehold.effects = {out = "allocate"}} {
    %any = irdl.any {freehold.each}
    irdl.results(out: %any)
  }
  irdl.operation @vague {
    %any = irdl.any {freehold.each}
    irdl.operands(in: %any)
    irdl.results(out: %any)
  }
  irdl.operation @unplaced attributes {freehold.effects = {in = "read"}} {
    %any = irdl.any {freehold.each}
    %any_1 = irdl.any {freehold.each}
    irdl.operands(in: %any)
    irdl.results(out: %any_1)
  }
}
