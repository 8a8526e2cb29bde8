// Heat in a plate that is divided into strips of rows: each process has 64 of them, and exchanges rows with its
// neighbors while it works on those inside. The result is the heat in the whole plate after 100 steps.
// Run it with `mpirun -n 4 freehold run examples/mpi/stencil.mlir`.
func.func @step(%a: memref<66x256xf64>, %b: memref<66x256xf64>, %first: index, %end: index) {
  %c1 = arith.constant 1 : index
  %c255 = arith.constant 255 : index
  %k = arith.constant 2.5e-01 : f64
  scf.for %i = %first to %end step %c1 {
    %above = arith.subi %i, %c1 : index
    %below = arith.addi %i, %c1 : index
    scf.for %j = %c1 to %c255 step %c1 {
      %left = arith.subi %j, %c1 : index
      %right = arith.addi %j, %c1 : index
      %n = memref.load %a[%above, %j] : memref<66x256xf64>
      %s = memref.load %a[%below, %j] : memref<66x256xf64>
      %w = memref.load %a[%i, %left] : memref<66x256xf64>
      %e = memref.load %a[%i, %right] : memref<66x256xf64>
      %0 = arith.addf %n, %s : f64
      %1 = arith.addf %w, %e : f64
      %2 = arith.addf %0, %1 : f64
      %3 = arith.mulf %2, %k : f64
      memref.store %3, %b[%i, %j] : memref<66x256xf64>
    }
  }
  return
}

func.func @main() -> f64 {
  mpi.init
  %comm = mpi.comm_world : !mpi.comm
  %rank = mpi.comm_rank(%comm) : i32
  %size = mpi.comm_size(%comm) : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %c65 = arith.constant 65 : index
  %c66 = arith.constant 66 : index
  %c100 = arith.constant 100 : index
  %c256 = arith.constant 256 : index
  %down = arith.constant 1 : i32
  %up = arith.constant 2 : i32
  %zero = arith.constant 0.0 : f64
  %a = memref.alloc() : memref<66x256xf64>
  %b = memref.alloc() : memref<66x256xf64>
  // Row i of the plate begins with the heat i.
  %number = arith.index_cast %rank : i32 to index
  %before = arith.muli %number, %c64 : index
  scf.for %i = %c0 to %c66 step %c1 {
    %row = arith.addi %before, %i : index
    %int = arith.index_cast %row : index to i64
    %heat = arith.sitofp %int : i64 to f64
    scf.for %j = %c0 to %c256 step %c1 {
      memref.store %heat, %a[%i, %j] : memref<66x256xf64>
      memref.store %heat, %b[%i, %j] : memref<66x256xf64>
    }
  }
  %n = arith.index_cast %size : i32 to index
  %last = arith.subi %n, %c1 : index
  %has_above = arith.cmpi ne, %number, %c0 : index
  %has_below = arith.cmpi ne, %number, %last : index
  %minus = arith.constant -1 : i32
  %plus = arith.constant 1 : i32
  // Without a neighbor, a process exchanges rows with itself, and throws away what it gets.
  %above = arith.addi %rank, %minus : i32
  %below = arith.addi %rank, %plus : i32
  %to_above = arith.select %has_above, %above, %rank : i32
  %to_below = arith.select %has_below, %below, %rank : i32
  %got_above = memref.alloc() : memref<256xf64>
  %got_below = memref.alloc() : memref<256xf64>
  %end:2 = scf.for %t = %c0 to %c100 step %c1 iter_args(%x = %a, %y = %b) -> (memref<66x256xf64>, memref<66x256xf64>) {
    %first = memref.subview %x[1, 0] [1, 256] [1, 1] : memref<66x256xf64> to memref<256xf64, strided<[1], offset: 256>>
    %final = memref.subview %x[64, 0] [1, 256] [1, 1] : memref<66x256xf64> to memref<256xf64, strided<[1], offset: 16384>>
    %tag_above = arith.select %has_above, %down, %up : i32
    %tag_below = arith.select %has_below, %up, %down : i32
    %r0 = mpi.irecv(%got_above, %tag_above, %to_above, %comm) : memref<256xf64>, i32, i32 -> !mpi.request
    %r1 = mpi.irecv(%got_below, %tag_below, %to_below, %comm) : memref<256xf64>, i32, i32 -> !mpi.request
    %s0 = mpi.isend(%first, %up, %to_above, %comm) : memref<256xf64, strided<[1], offset: 256>>, i32, i32 -> !mpi.request
    %s1 = mpi.isend(%final, %down, %to_below, %comm) : memref<256xf64, strided<[1], offset: 16384>>, i32, i32 -> !mpi.request
    // Rows that need nothing of others.
    func.call @step(%x, %y, %c2, %c64) : (memref<66x256xf64>, memref<66x256xf64>, index, index) -> ()
    mpi.wait(%r0) : !mpi.request
    mpi.wait(%r1) : !mpi.request
    mpi.wait(%s0) : !mpi.request
    mpi.wait(%s1) : !mpi.request
    scf.if %has_above {
      scf.for %j = %c0 to %c256 step %c1 {
        %v = memref.load %got_above[%j] : memref<256xf64>
        memref.store %v, %x[%c0, %j] : memref<66x256xf64>
      }
    }
    scf.if %has_below {
      scf.for %j = %c0 to %c256 step %c1 {
        %v = memref.load %got_below[%j] : memref<256xf64>
        memref.store %v, %x[%c65, %j] : memref<66x256xf64>
      }
    }
    func.call @step(%x, %y, %c1, %c2) : (memref<66x256xf64>, memref<66x256xf64>, index, index) -> ()
    func.call @step(%x, %y, %c64, %c65) : (memref<66x256xf64>, memref<66x256xf64>, index, index) -> ()
    scf.yield %y, %x : memref<66x256xf64>, memref<66x256xf64>
  }
  %sum = scf.for %i = %c1 to %c65 step %c1 iter_args(%outer = %zero) -> f64 {
    %row = scf.for %j = %c0 to %c256 step %c1 iter_args(%inner = %outer) -> f64 {
      %v = memref.load %end#0[%i, %j] : memref<66x256xf64>
      %s = arith.addf %inner, %v : f64
      scf.yield %s : f64
    }
    scf.yield %row : f64
  }
  %own = memref.alloc() : memref<f64>
  %all = memref.alloc() : memref<f64>
  memref.store %sum, %own[] : memref<f64>
  mpi.allreduce(%own, %all, MPI_SUM, %comm) : memref<f64>, memref<f64>
  %heat = memref.load %all[] : memref<f64>
  mpi.finalize
  return %heat : f64
}
