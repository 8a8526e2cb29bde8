// Nobody knows where an unregistered terminator hands its operands on, so no family frees before it.

// RUN: freehold opt %s --allow-unregistered-dialect --ownership-based-buffer-deallocation --verify-diagnostics --split-input-file
// RUN: freehold opt %s --allow-unregistered-dialect --buffer-deallocation --verify-diagnostics --split-input-file
// RUN: freehold opt %s --allow-unregistered-dialect --hlo-deallocate --verify-diagnostics --split-input-file

func.func @returns(%m: memref<2xf32>) -> memref<2xf32> {
  %a = memref.alloc() : memref<2xf32>
  // expected-error @+1 {{Terminators must implement either BranchOpInterface or RegionBranchTerminatorOpInterface (but not both)!}}
  "foo.return"(%a) : (memref<2xf32>) -> ()
}

// -----

func.func @in_region() {
  scf.execute_region {
    %a = memref.alloc() : memref<2xf32>
    // expected-error @+1 {{Terminators must implement either BranchOpInterface or RegionBranchTerminatorOpInterface (but not both)!}}
    "foo.yield"(%a) : (memref<2xf32>) -> ()
  }
  return
}

// -----

func.func @branches() {
  %a = memref.alloc() : memref<2xf32>
  // expected-error @+1 {{Terminators must implement either BranchOpInterface or RegionBranchTerminatorOpInterface (but not both)!}}
  "foo.br"(%a)[^bb1] : (memref<2xf32>) -> ()
^bb1:
  return
}

// -----

// One that hands nothing on is like any other.
func.func @nothing() {
  %a = memref.alloc() : memref<2xf32>
  "foo.use"(%a) : (memref<2xf32>) -> ()
  "foo.return"() : () -> ()
}
