// RUN: freehold opt %s --split-input-file --stablehlo-partition --verify-diagnostics

module attributes {mhlo.num_partitions = 2 : i32} {
  // expected-error @+1 {{shardings of GSPMD ('mhlo.sharding') are not supported}}
  func.func @main(%x: tensor<4xf32> {mhlo.sharding = "{devices=[2]<=[2]}"}) -> tensor<4xf32> {
    return %x : tensor<4xf32>
  }
}
