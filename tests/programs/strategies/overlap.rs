//! Views of one buffer that overlap in part, under elementwise operations, loops and copies in functions
//! that do not know it.

use std::fmt::Write as _;

use crate::support::generator::rng::Rng;

/// How many elements the buffer has that all views are of.
const LENGTH: usize = 12;

/// The program with this seed.
pub(crate) fn generate(seed: u64) -> String {
    let mut rng = Rng::new(seed);
    let mut functions = String::new();
    let mut body = String::new();
    for step in 0..rng.range(1, 4) {
        let length = rng.range(2, 6);
        let is_strided = rng.chance(60);
        let ty = match is_strided {
            true => format!("memref<{length}xi64, strided<[?], offset: ?>>"),
            false => format!("memref<{length}xi64>"),
        };
        let views: Vec<String> = (0..3).map(|n| format!("%view{step}_{n}")).collect();
        for view in &views {
            make_view(&mut body, &mut rng, view, length, is_strided, &ty);
        }
        let _ = writeln!(
            body,
            "  call @step{step}({}) : ({ty}, {ty}, {ty}) -> ()",
            views.join(", ")
        );
        let _ = writeln!(
            functions,
            "func.func private @step{step}(%a: {ty}, %b: {ty}, %out: {ty}) {{\n  \
             %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n  \
             %end = arith.constant {length} : index"
        );
        step_body(&mut functions, &mut rng, length, &ty);
        functions.push_str("  return\n}\n");
    }
    let bytes = LENGTH * 8;
    format!(
        "func.func private @printI64(i64)\nfunc.func private @printNewline()\n{functions}\
         func.func @main() {{\n  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n  \
         %end = arith.constant {LENGTH} : index\n  %bytes = memref.alloc() : memref<{bytes}xi8>\n  \
         %all = memref.view %bytes[%c0][] : memref<{bytes}xi8> to memref<{LENGTH}xi64>\n  \
         scf.for %i = %c0 to %end step %c1 {{\n    %n = arith.addi %i, %c1 : index\n    \
         %x = arith.index_cast %n : index to i64\n    \
         memref.store %x, %all[%i] : memref<{LENGTH}xi64>\n  }}\n{body}  \
         scf.for %i = %c0 to %end step %c1 {{\n    %x = memref.load %all[%i] : memref<{LENGTH}xi64>\n    \
         func.call @printI64(%x) : (i64) -> ()\n    func.call @printNewline() : () -> ()\n  }}\n  \
         return\n}}\n"
    )
}

/// Takes a view of the buffer somewhere.
fn make_view(
    text: &mut String,
    rng: &mut Rng,
    view: &str,
    length: usize,
    is_strided: bool,
    ty: &str,
) {
    let bytes = LENGTH * 8;
    let first = rng.below(LENGTH - length + 1);
    let _ = writeln!(text, "  {view}_o = arith.constant {first} : index");
    if !is_strided || rng.chance(25) {
        let plain = format!("memref<{length}xi64>");
        let name = match is_strided {
            true => format!("{view}_v"),
            false => view.to_owned(),
        };
        let _ = writeln!(
            text,
            "  {view}_s = arith.constant {} : index\n  \
             {name} = memref.view %bytes[{view}_s][] : memref<{bytes}xi8> to {plain}",
            first * 8
        );
        if is_strided {
            let _ = writeln!(text, "  {view} = memref.cast {name} : {plain} to {ty}");
        }
    } else if rng.chance(50) {
        // Forwards or backwards, with or without gaps.
        let widest = (LENGTH - 1) / (length - 1);
        let distance = rng.range(1, widest.min(2));
        let span = distance * (length - 1);
        let first = rng.below(LENGTH - span);
        let (offset, stride) = match rng.chance(50) {
            true => (first, format!("{distance}")),
            false => (first + span, format!("-{distance}")),
        };
        let _ = writeln!(
            text,
            "  {view}_f = arith.constant {offset} : index\n  \
             {view}_d = arith.constant {stride} : index\n  \
             {view} = memref.reinterpret_cast %all to offset: [{view}_f], sizes: [{length}], \
             strides: [{view}_d] : memref<{LENGTH}xi64> to {ty}"
        );
    } else {
        let _ = writeln!(
            text,
            "  {view}_v = memref.subview %all[{view}_o] [{length}] [1] : memref<{LENGTH}xi64> to \
             memref<{length}xi64, strided<[1], offset: ?>>\n  \
             {view} = memref.cast {view}_v : memref<{length}xi64, strided<[1], offset: ?>> to {ty}"
        );
    }
}

/// What a function does to `%a`, `%b` and `%out`.
fn step_body(text: &mut String, rng: &mut Rng, length: usize, ty: &str) {
    let plain = format!("memref<{length}xi64>");
    if rng.chance(20) {
        // In order, whatever overlaps.
        loop_over(text, rng, ("%a", ty), ("%b", ty), ("%out", ty), "direct");
        return;
    }
    // A buffer of the type of the views, so that no copy needs other strides.
    let (temporary, symbols) = match ty == plain || rng.chance(40) {
        true => (plain.as_str(), ""),
        false => (ty, "[%c1, %c0]"),
    };
    let n_temporaries = rng.range(1, 2);
    for number in 0..n_temporaries {
        let _ = writeln!(text, "  %t{number} = memref.alloc(){symbols} : {temporary}");
    }
    let last = format!("%t{}", n_temporaries - 1);
    compute(
        text,
        rng,
        ("%a", ty),
        ("%b", ty),
        ("%t0", temporary),
        "first",
    );
    if n_temporaries == 2 {
        let other = *rng.pick(&[("%a", ty), ("%b", ty), ("%out", ty), ("%t0", temporary)]);
        compute(
            text,
            rng,
            ("%t0", temporary),
            other,
            (&last, temporary),
            "second",
        );
    }
    copy(text, rng, (&last, temporary), ("%out", ty));
    if rng.chance(30) {
        // What was computed is looked at again.
        compute(
            text,
            rng,
            ("%b", ty),
            ("%out", ty),
            (&last, temporary),
            "third",
        );
        copy(text, rng, (&last, temporary), ("%a", ty));
    }
}

/// A buffer and its type.
type Typed<'a> = (&'a str, &'a str);

fn copy(text: &mut String, rng: &mut Rng, from: Typed<'_>, to: Typed<'_>) {
    let _ = match rng.chance(50) {
        true => writeln!(
            text,
            "  memref.copy {}, {} : {} to {}",
            from.0, to.0, from.1, to.1
        ),
        false => writeln!(
            text,
            "  linalg.copy ins({} : {}) outs({} : {})",
            from.0, from.1, to.0, to.1
        ),
    };
}

/// Computes each element of `out` from the elements of `a` and `b` in the same place, or those of
/// `out` from others.
fn compute(
    text: &mut String,
    rng: &mut Rng,
    a: Typed<'_>,
    b: Typed<'_>,
    out: Typed<'_>,
    label: &str,
) {
    let operands = format!("{}, {} : {}, {}", a.0, b.0, a.1, b.1);
    let (name, ty) = out;
    let _ = match rng.below(5) {
        0 => writeln!(text, "  linalg.add ins({operands}) outs({name} : {ty})"),
        1 => writeln!(
            text,
            "  linalg.generic {{indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, \
             affine_map<(i) -> (i)>], iterator_types = [\"parallel\"]}}\n      \
             ins({operands}) outs({name} : {ty}) {{\n  ^bb0(%x: i64, %y: i64, %z: i64):\n    \
             %s = arith.addi %x, %x : i64\n    %u = arith.xori %s, %y : i64\n    \
             linalg.yield %u : i64\n  }}"
        ),
        2 => writeln!(
            text,
            "  linalg.map ins({operands}) outs({name} : {ty})\n    (%x: i64, %y: i64) {{\n      \
             %s = arith.subi %x, %y : i64\n      linalg.yield %s : i64\n    }}"
        ),
        3 => writeln!(text, "  memref.copy {}, {name} : {} to {ty}", a.0, a.1),
        _ => {
            loop_over(text, rng, a, b, out, label);
            Ok(())
        }
    };
}

/// The same as a loop, forwards or backwards.
fn loop_over(
    text: &mut String,
    rng: &mut Rng,
    a: Typed<'_>,
    b: Typed<'_>,
    out: Typed<'_>,
    label: &str,
) {
    let subscript = match rng.chance(30) {
        true => "%j",
        false => "%i",
    };
    let _ = writeln!(
        text,
        "  %{label} = arith.subi %end, %c1 : index\n  scf.for %i = %c0 to %end step %c1 {{\n    \
         %j = arith.subi %{label}, %i : index\n    %x = memref.load {}[%i] : {}\n    \
         %y = memref.load {}[{subscript}] : {}\n    %s = arith.addi %x, %y : i64\n    \
         memref.store %s, {}[%i] : {}\n  }}",
        a.0, a.1, b.0, b.1, out.0, out.1
    );
}
