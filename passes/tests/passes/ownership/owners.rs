//! Programs in terms of owners, as MLIR-HLO's family makes them.

use super::{NEVER, NOT_ALWAYS, TWICE, USED, clean, errors};

/// `%r` is `%a`, or a new buffer that `%o` owns.
const OWNED_OR_NOT: &str = "
    %null = deallocation.null
    %r, %o = scf.if %c -> (memref<4xf32>, !deallocation.ownership) {
      scf.yield %a, %null : memref<4xf32>, !deallocation.ownership
    } else {
      %m = memref.alloc() : memref<4xf32>
      %p = deallocation.own %m : memref<4xf32>
      scf.yield %m, %p : memref<4xf32>, !deallocation.ownership
    }";

#[test]
fn owners() {
    let program = |retain: &str| {
        format!(
            "func.func @f(%a: memref<4xf32>, %c: i1) {{
               {OWNED_OR_NOT}
               func.call @use(%r) : (memref<4xf32>) -> ()
               {retain}
               return
             }}"
        )
    };
    clean(&program(
        "deallocation.retain() of(%o) : (!deallocation.ownership) -> ()",
    ));
    clean(&program(
        "%c0 = arith.constant 0 : index
         %b = deallocation.get_buffer %o : !deallocation.ownership
         %d = arith.cmpi ne, %b, %c0 : index
         scf.if %d {
           deallocation.free %o
         }",
    ));
    errors(
        &program(
            "%k = deallocation.retain(%r) of(%o)
               : (memref<4xf32>, !deallocation.ownership) -> !deallocation.ownership",
        ),
        &[NOT_ALWAYS],
    );
    errors(
        &program(
            "deallocation.free %o
             deallocation.retain() of(%o) : (!deallocation.ownership) -> ()",
        ),
        &[TWICE],
    );
    clean(
        "func.func @f(%a: memref<4xf32>) -> (memref<4xf32>, !deallocation.ownership) {
           %null = deallocation.null
           return %a, %null : memref<4xf32>, !deallocation.ownership
         }",
    );
}

/// A null owner says that the memory beside it is not to be given away.
#[test]
fn null_owners() {
    let program = |when: &str| {
        format!(
            "func.func @f(%a: memref<4xf32>, %c: i1) -> memref<4xf32> {{
               %c0 = arith.constant 0 : index
               {OWNED_OR_NOT}
               %b = deallocation.get_buffer %o : !deallocation.ownership
               %d = arith.cmpi {when}, %b, %c0 : index
               %s = scf.if %d -> (memref<4xf32>) {{
                 scf.yield %r : memref<4xf32>
               }} else {{
                 %k = bufferization.clone %r : memref<4xf32> to memref<4xf32>
                 scf.yield %k : memref<4xf32>
               }}
               return %s : memref<4xf32>
             }}"
        )
    };
    clean(&program("ne"));
    errors(
        &program("eq"),
        &[
            NEVER,
            "memory that the function does not own is returned, but the caller frees results",
        ],
    );
}

/// What is returned with an owner may be an argument, but only if the called
/// function can return that.
#[test]
fn results_that_may_be_arguments() {
    let program = |returned: &str, given: &str| {
        format!(
            "func.func private @same(%m: memref<4xf32>, %x: memref<4xf32>)
                 -> (memref<4xf32>, !deallocation.ownership) {{
               %null = deallocation.null
               {returned}
             }}
             func.func private @through(%m: memref<4xf32>, %x: memref<4xf32>)
                 -> (memref<4xf32>, !deallocation.ownership) {{
               %r, %o = func.call @same(%m, %x)
                 : (memref<4xf32>, memref<4xf32>) -> (memref<4xf32>, !deallocation.ownership)
               return %r, %o : memref<4xf32>, !deallocation.ownership
             }}
             func.func @f(%x: memref<4xf32>) {{
               %m = memref.alloc() : memref<4xf32>
               %p = deallocation.own %m : memref<4xf32>
               %r, %o = func.call @through({given})
                 : (memref<4xf32>, memref<4xf32>) -> (memref<4xf32>, !deallocation.ownership)
               deallocation.retain() of(%p) : (!deallocation.ownership) -> ()
               func.call @use(%r) : (memref<4xf32>) -> ()
               deallocation.retain() of(%o) : (!deallocation.ownership) -> ()
               return
             }}"
        )
    };
    let new = "%n = memref.alloc() : memref<4xf32>
               memref.copy %m, %n : memref<4xf32> to memref<4xf32>
               %o = deallocation.own %n : memref<4xf32>
               return %n, %o : memref<4xf32>, !deallocation.ownership";
    let first = "return %m, %null : memref<4xf32>, !deallocation.ownership";
    clean(&program(new, "%m, %x"));
    clean(&program(first, "%x, %m"));
    errors(&program(first, "%m, %x"), &[USED]);
}
