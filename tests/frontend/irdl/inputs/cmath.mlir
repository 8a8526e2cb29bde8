irdl.dialect @cm {
  irdl.type @complex {
    %0 = irdl.is f32
    %1 = irdl.is f64
    %2 = irdl.any_of(%0, %1)
    irdl.parameters(elem: %2)
  }
  irdl.type @plain
  irdl.attribute @tag {
    %0 = irdl.any
    irdl.parameters(value: %0)
  }
  irdl.operation @norm {
    %0 = irdl.any
    %1 = irdl.parametric @cm::@complex<%0>
    irdl.operands(in: %1)
    irdl.results(out: %0)
  }
  irdl.operation @groups {
    %0 = irdl.any
    %b = irdl.base "!builtin.memref"
    %c = irdl.base @cm::@complex
    %n = irdl.any_of(%b, %c)
    irdl.operands(a: variadic %n, b: optional %b)
    irdl.results(r: variadic %0, s: variadic %0)
  }
  irdl.operation @few {
    %0 = irdl.any
    irdl.operands(a: %0, b: optional %0)
  }
  irdl.operation @many {
    %0 = irdl.any
    irdl.operands(a: %0, b: variadic %0)
  }
  irdl.operation @three {
    %0 = irdl.is 3 : i32
    irdl.attributes {"x" = %0}
  }
  irdl.operation @number {
    %0 = irdl.base "#builtin.integer"
    irdl.attributes {"x" = %0}
  }
  irdl.operation @regions {
    %0 = irdl.any
    %1 = irdl.is i32
    %r = irdl.region(%0, %1)
    %s = irdl.region with size 1
    irdl.regions(a: %r, b: %s)
  }
  irdl.operation @both {
    %0 = irdl.is i32
    %1 = irdl.is i64
    %2 = irdl.all_of(%0, %1)
    irdl.operands(a: %2)
  }
  irdl.operation @end
}
