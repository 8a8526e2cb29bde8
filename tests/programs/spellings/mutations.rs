//! Random spellings of a program in generic form: other types, sizes, flags and kinds, attributes and locations
//! of every kind, aliases. Most of what comes out is valid, since the same text is replaced everywhere.

use std::sync::LazyLock;

use regex::{Captures, Regex};

use crate::support::generator::rng::Rng;

const FLOATS: [&str; 11] = [
    "f16", "bf16", "f32", "f64", "f80", "f128", "tf32", "f8E5M2", "f8E4M3FN", "f8E4M3", "f8E3M4",
];
const INTEGERS: [&str; 14] = [
    "i1", "i3", "i8", "i16", "i17", "i32", "i64", "i128", "i200", "si8", "ui16", "si64", "ui3",
    "index",
];
const FASTMATH: [&str; 7] = ["reassoc", "nnan", "ninf", "nsz", "arcp", "contract", "afn"];
const KINDS: [&str; 13] = [
    "add", "mul", "minui", "minsi", "minnumf", "maxui", "maxsi", "maxnumf", "and", "or", "xor",
    "maximumf", "minimumf",
];
const SIZES: [&str; 8] = ["0", "1", "2", "3", "7", "16", "100", "?"];
const LOCATIONS: [&str; 8] = [
    "loc(\"a.mlir\":3:4)",
    "loc(unknown)",
    "loc(\"n\")",
    "loc(\"n\"(\"f\":1:2))",
    "loc(fused[\"a\", \"b\":1:1])",
    "loc(fused<{a = 1}>[\"x\"])",
    "loc(callsite(\"f\" at \"g\":2:2))",
    "loc(callsite(\"f\" at fused[\"q\", unknown]))",
];
/// Attributes of every kind, one list per kind.
const ATTRIBUTES: [&[&str]; 14] = [
    &[
        "unit",
        "true",
        "false",
        "3",
        "-1",
        "7 : index",
        "-128 : i8",
        "255 : ui8",
        "-5 : si64",
    ],
    &[
        "9223372036854775808 : i128",
        "-57896044618658097711785492504343953926634992332820282019728792003956564819968 : i256",
    ],
    &[
        "1.0 : f32",
        "-0.0 : f32",
        "0x7FC00000 : f32",
        "1.0e-45 : f32",
        "0xFF800000 : f32",
        "3.14159274 : f32",
    ],
    &[
        "1.5 : bf16",
        "0x7E00 : f16",
        "0x7FF0000000000001 : f64",
        "2.0 : f8E5M2",
        "1.0 : f8E4M3FN",
        "1.0 : tf32",
        "1.0 : f80",
        "1.0 : f128",
        "0.5 : f8E4M3B11FNUZ",
    ],
    &[
        "\"a\\22b\\\\\\0A\\E2\\82\\AC\"",
        "\"\"",
        "\"x\" : i32",
        "\"dense<\"",
    ],
    &[
        "i7",
        "vector<[4]x2xf32>",
        "tensor<*xi3>",
        "memref<?x4xf32, strided<[?, 1], offset: ?>, 2 : i32>",
        "memref<*xf16, \"space\">",
        "(i32, index) -> (f32)",
        "tuple<i1, tuple<>>",
        "complex<f16>",
        "none",
        "tensor<2x?xf32, #test.enc>",
        "memref<4xf32, affine_map<(d0) -> (d0 floordiv 2, d0 mod 2)>>",
        "!test.type<1, \"a>\">",
        "vector<f32>",
        "tensor<0x1xi1>",
        "() -> ()",
    ],
    &["@a", "@a::@\"b c\"::@d", "@\"1\""],
    &[
        "affine_map<(d0, d1)[s0] -> (d0 + s0 * 2, d1 ceildiv 3, (d0 mod 4) floordiv 2)>",
        "affine_map<() -> ()>",
        "affine_map<()[s0] -> (-s0)>",
        "affine_map<(d0) -> (d0 * -1 + 5)>",
        "affine_set<(d0)[s0] : (d0 - s0 >= 0, d0 == 0)>",
        "affine_set<() : (1 == 0)>",
    ],
    &[
        "dense<1> : tensor<2x3xi8>",
        "dense<[[1, -2], [3, 4]]> : vector<2x2xi64>",
        "dense<\"0x0102\"> : tensor<2xi8>",
        "dense<[true, false]> : tensor<2xi1>",
        "dense<(1.0, -2.0)> : tensor<2xcomplex<f32>>",
        "dense<> : tensor<0xf32>",
        "dense<[0x7FC00000, 1.0]> : tensor<2xf32>",
        "dense<[\"a\", \"b\"]> : tensor<2x!test.s>",
        "dense<[1, 2, 3]> : tensor<3xi17>",
        "dense<[(1, 2), (3, 4)]> : tensor<2xcomplex<i8>>",
        "dense<-1> : tensor<4xindex>",
    ],
    &[
        "sparse<[[0, 1]], [5]> : tensor<2x2xi32>",
        "sparse<[], []> : tensor<4xf32>",
        "sparse<0, 1.0> : tensor<4xf32>",
    ],
    &[
        "array<i32>",
        "array<i1: true, false>",
        "array<i64: 1, -2>",
        "array<f32: 1.0, 0x7FC00000>",
        "array<i8: -1, 127>",
        "array<f64: 1.0>",
    ],
    &[
        "strided<[1, ?], offset: 3>",
        "strided<[]>",
        "strided<[?], offset: ?>",
    ],
    &[
        "#test.foo",
        "#test.bar<a, [1, 2], \"x\">",
        "#test<opaque>",
        "#arith.fastmath<nnan,afn>",
        "#vector.kind<xor>",
        "distinct[0]<1 : i64>",
        "distinct[1]<@a>",
    ],
    &[
        "loc(\"a.c\":1:2)",
        "loc(unknown)",
        "loc(fused<\"m\">[\"x\", \"y\":3:4])",
        "loc(callsite(\"f\" at \"g\":1:1))",
    ],
];

/// Replaces what `pattern` finds by what `replacement` makes of it.
fn replace(text: &mut String, pattern: &Regex, replacement: impl FnMut(&Captures<'_>) -> String) {
    *text = pattern.replace_all(text, replacement).into_owned();
}

/// Replaces in each line what `pattern` finds, but not in bodies of structured operations: custom form leaves out
/// those that the name says.
fn edit_lines(
    text: &mut String,
    pattern: &Regex,
    mut replacement: impl FnMut(&Captures<'_>) -> String,
) {
    let has_bodies = text.contains("\"linalg.");
    let lines = text
        .lines()
        .map(|line| match has_bodies && line.starts_with("      ") {
            true => line.to_owned(),
            false => pattern.replace_all(line, &mut replacement).into_owned(),
        });
    *text = lines.collect::<Vec<_>>().join("\n");
}

fn regex(pattern: &str) -> Regex {
    Regex::new(pattern).expect("the pattern is valid")
}

macro_rules! pattern {
    ($pattern:expr) => {{
        static PATTERN: LazyLock<Regex> = LazyLock::new(|| regex($pattern));
        &*PATTERN
    }};
}

/// Another spelling of `text`, or another program like it.
pub(super) fn mutate(rng: &mut Rng, text: &str) -> String {
    let mut text = text.to_owned();
    for _ in 0..rng.range(1, 4) {
        match rng.below(12) {
            0 => {
                let old = *rng.pick(&FLOATS[..4]);
                let new: &str = rng.pick::<&str>(&FLOATS);
                replace_type(&mut text, old, new);
            }
            1 => {
                let old = *rng.pick(&["i1", "i8", "i16", "i32", "i64", "index"]);
                let new: &str = rng.pick::<&str>(&INTEGERS);
                replace_type(&mut text, old, new);
            }
            2 => {
                if let Some(old) = pick_match(rng, &text, pattern!(r"\b([0-9]+)x")) {
                    let new = *rng.pick(&SIZES);
                    replace(&mut text, &regex(&format!(r"([<x]){old}x")), |found| {
                        format!("{}{new}x", &found[1])
                    });
                }
            }
            3 => {
                if let Some(size) = pick_match(rng, &text, pattern!(r"vector<([0-9]+)x")) {
                    text = text.replace(&format!("vector<{size}x"), &format!("vector<[{size}]x"));
                }
            }
            4 => replace(&mut text, pattern!(r"#arith\.fastmath<[\w,]*>"), |_| {
                let flags: Vec<_> = FASTMATH.into_iter().filter(|_| rng.chance(40)).collect();
                let flags = if flags.is_empty() {
                    "fast".to_owned()
                } else {
                    flags.join(",")
                };
                format!("#arith.fastmath<{flags}>")
            }),
            5 => replace(&mut text, pattern!(r"#arith\.overflow<[\w, ]*>"), |_| {
                format!(
                    "#arith.overflow<{}>",
                    rng.pick(&["none", "nsw", "nuw", "nsw, nuw"])
                )
            }),
            6 => replace(&mut text, pattern!(r"#vector\.kind<\w+>"), |_| {
                format!("#vector.kind<{}>", rng.pick(&KINDS))
            }),
            7 => replace(&mut text, pattern!(r"predicate = [0-9]+ : i64"), |_| {
                format!("predicate = {} : i64", rng.below(16))
            }),
            8 => replace(&mut text, pattern!(r" = (?:true|false)\b"), |_| {
                format!(" = {}", rng.pick(&["true", "false"]))
            }),
            9 => edit_lines(&mut text, pattern!(r"(\)|>) : \("), |found| {
                match rng.chance(30) {
                    true => format!("{} {{{}}} : (", &found[1], attributes(rng)),
                    false => found[0].to_owned(),
                }
            }),
            10 => edit_lines(
                &mut text,
                pattern!(r"^.*\) -> .*[\w>)]$"),
                |found| match rng.chance(30) {
                    true => format!("{} {}", &found[0], rng.pick(&LOCATIONS)),
                    false => found[0].to_owned(),
                },
            ),
            _ => add_alias(rng, &mut text),
        }
    }
    text
}

/// Makes another type of one everywhere, also as the element of a shaped type.
fn replace_type(text: &mut String, old: &str, new: &str) {
    let pattern = regex(&format!(r"([<( ]|[0-9?\]*]x){old}([>), ]|$)"));
    // Neighbours share what stands between them.
    for _ in 0..2 {
        replace(text, &pattern, |found| {
            format!("{}{new}{}", &found[1], &found[2])
        });
    }
}

fn pick_match(rng: &mut Rng, text: &str, pattern: &Regex) -> Option<String> {
    let mut found: Vec<&str> = pattern
        .captures_iter(text)
        .filter_map(|found| Some(found.get(1)?.as_str()))
        .collect();
    found.sort_unstable();
    found.dedup();
    match found.is_empty() {
        true => None,
        false => Some((*rng.pick(&found)).to_owned()),
    }
}

/// An alias for a type or an attribute, used wherever that stands.
fn add_alias(rng: &mut Rng, text: &mut String) {
    let (sigil, pattern) = match rng.chance(50) {
        true => ('!', pattern!("((?:memref|tensor|vector)<[^<>\"]*>)")),
        false => (
            '#',
            pattern!("((?:affine_map|affine_set|strided)<[^<>\"]*(?:->[^<>\"]*)?>)"),
        ),
    };
    if let Some(meaning) = pick_match(rng, text, pattern) {
        let name = format!("{sigil}alias_{}", rng.below(1000));
        *text = format!("{name} = {meaning}\n{}", text.replace(&meaning, &name));
    }
}

/// One or two attributes of any kind, some of them nested.
fn attributes(rng: &mut Rng) -> String {
    let names = ["test.a", "zzz", "\"q r\""];
    let first = rng.below(names.len());
    let entries = (first..names.len().min(first + 2))
        .map(|i| format!("{} = {}", names[i], attribute(rng, 0)));
    entries.collect::<Vec<_>>().join(", ")
}

fn attribute(rng: &mut Rng, depth: usize) -> String {
    match rng.below(ATTRIBUTES.len() + 2) {
        0 if depth < 3 => {
            let elements: Vec<_> = (0..rng.below(4))
                .map(|_| attribute(rng, depth + 1))
                .collect();
            format!("[{}]", elements.join(", "))
        }
        1 if depth < 3 => {
            let names = ["a", "b.c", "\"x y\"", "\"0\""];
            let entries = names[..rng.below(5)]
                .iter()
                .map(|name| format!("{name} = {}", attribute(rng, depth + 1)));
            format!("{{{}}}", entries.collect::<Vec<_>>().join(", "))
        }
        n => (*rng.pick(ATTRIBUTES[n.saturating_sub(2)])).to_owned(),
    }
}
