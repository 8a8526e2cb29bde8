// RUN: not freehold opt %s --split-input-file 2>&1 | FileCheck %s

// CHECK: error: name of operation is empty
irdl.dialect @d {
  irdl.operation @"" {
    %0 = irdl.any
    irdl.operands(x: %0)
  }
}

// -----

// CHECK: error: name of type should not contain uppercase letters
irdl.dialect @d {
  irdl.type @T
}

// -----

// CHECK: error: name of attribute must contain only lowercase letters, digits and underscores
irdl.dialect @d {
  irdl.attribute @"a-b"
}

// -----

// CHECK: error: name of operation should not contain leading or double underscores
irdl.dialect @d {
  irdl.operation @a__b
}

// -----

// CHECK: error: 'irdl.dialect' op invalid dialect name
irdl.dialect @"" {
}

// -----

// CHECK: error: name of dialect should not contain uppercase letters
irdl.dialect @Dialect {
}
