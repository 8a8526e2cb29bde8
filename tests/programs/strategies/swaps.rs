//! Loops that carry a few buffers, exchange them, and now and then replace one by a new one, which may ask
//! for an alignment; whether it has that is printed.

use std::fmt::Write as _;

use crate::support::generator::rng::Rng;

/// The program with this seed.
pub(crate) fn generate(seed: u64) -> String {
    let mut rng = Rng::new(seed);
    let buffers = rng.range(2, 4);
    let types = vec!["memref<3xi64>"; buffers].join(", ");
    let mut text = String::from(
        "func.func private @printI64(i64)\nfunc.func private @printNewline()\n\
         func.func @main() {\n  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n",
    );
    let _ = writeln!(text, "  %end = arith.constant {} : index", rng.range(0, 5));
    let asked = match rng.below(3) {
        0 => 4096,
        _ => 1,
    };
    let alignment = |is_asked: bool| match asked {
        4096 if is_asked => " {alignment = 4096 : i64}",
        _ => "",
    };
    let are_all_aligned = rng.chance(30);
    let _ = writeln!(text, "  %below = arith.constant {} : index", asked - 1);
    for number in 0..buffers {
        let _ = writeln!(
            text,
            "  %v{number} = arith.constant {} : i64\n  %a{number} = memref.alloc(){} : memref<3xi64>\n  \
             memref.store %v{number}, %a{number}[%c0] : memref<3xi64>",
            number + 3,
            alignment(are_all_aligned),
        );
    }
    let carried: Vec<String> = (0..buffers).map(|n| format!("%x{n} = %a{n}")).collect();
    let _ = writeln!(
        text,
        "  %r:{buffers} = scf.for %i = %c0 to %end step %c1 iter_args({}) -> ({types}) {{",
        carried.join(", ")
    );
    let fresh = rng.chance(50);
    if fresh {
        let _ = writeln!(
            text,
            "    %n = memref.alloc(){} : memref<3xi64>\n    %w = arith.index_cast %i : index to i64\n    \
             memref.store %w, %n[%c0] : memref<3xi64>\n    \
             %p = memref.extract_aligned_pointer_as_index %n : memref<3xi64> -> index\n    \
             %rest = arith.andi %p, %below : index\n    %is = arith.cmpi eq, %rest, %c0 : index\n    \
             %has = arith.extui %is : i1 to i64\n    func.call @printI64(%has) : (i64) -> ()\n    func.call @printNewline() : () -> ()",
            alignment(true),
        );
    }
    let mut order: Vec<String> = (0..buffers).map(|n| format!("%x{n}")).collect();
    for last in (1..buffers).rev() {
        order.swap(last, rng.below(last + 1));
    }
    if fresh {
        let place = rng.below(buffers);
        order[place] = "%n".into();
    }
    let _ = writeln!(text, "    scf.yield {} : {types}\n  }}", order.join(", "));
    for number in 0..buffers {
        let _ = writeln!(
            text,
            "  %l{number} = memref.load %r#{number}[%c0] : memref<3xi64>\n  \
             call @printI64(%l{number}) : (i64) -> ()\n  call @printNewline() : () -> ()"
        );
    }
    text + "  return\n}\n"
}
