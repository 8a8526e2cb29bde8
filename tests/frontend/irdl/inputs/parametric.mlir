// A type of two parameters, and operands that give it one and three.
irdl.dialect @pairs {
  irdl.type @pair {
    %0 = irdl.any
    %1 = irdl.any
    irdl.parameters(first: %0, second: %1)
  }
  irdl.operation @few {
    %0 = irdl.any
    %1 = irdl.parametric @pairs::@pair<%0>
    irdl.operands(pair: %1)
  }
  irdl.operation @many {
    %0 = irdl.any
    %1 = irdl.parametric @pairs::@pair<%0, %0, %0>
    irdl.operands(pair: %1)
  }
}
