//! Loops that carry a few buffers, exchange them, and now and then replace one by a new one.

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
    for number in 0..buffers {
        let _ = writeln!(
            text,
            "  %v{number} = arith.constant {} : i64\n  %a{number} = memref.alloc() : memref<3xi64>\n  \
             memref.store %v{number}, %a{number}[%c0] : memref<3xi64>",
            number + 3
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
        text.push_str(
            "    %n = memref.alloc() : memref<3xi64>\n    %w = arith.index_cast %i : index to i64\n    \
             memref.store %w, %n[%c0] : memref<3xi64>\n",
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
