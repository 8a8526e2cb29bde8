//! What `target.rs` calls whole, neither emitter splits into elements.

use std::collections::BTreeSet;
use std::sync::Arc;

use freehold_backend::Options;
use freehold_backend::cpu::Cpu;
use freehold_backend::isa::Target;
use freehold_backend::text::{TextKind, compile_to_text};
use freehold_frontend::dialects::{self, vector};
use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::diag::Diagnostics;
use freehold_frontend::ir::op_def::OpDef;
use freehold_frontend::syntax::parser::parse_source;
use freehold_frontend::target::{Element, whole_operations};
use freehold_frontend::verify::verify;
use libtest_mimic::Trial;

use super::common::Module;
use crate::needs::trials;

/// Targets, processors, features, and bits of vectors.
const PROCESSORS: [(&str, &str, &str, u32); 8] = [
    ("x86_64", "generic", "", 128),
    ("x86_64", "x86-64-v2", "", 128),
    ("x86_64", "x86-64-v3", "", 128),
    ("x86_64", "x86-64-v3", "", 256),
    ("x86_64", "x86-64-v3", "-fma,-f16c", 256),
    ("x86_64", "x86-64-v4", "", 256),
    ("x86_64", "sapphirerapids", "", 512),
    ("aarch64", "generic", "", 128),
];

fn spelled(element: Element) -> String {
    match element {
        Element::Int(bits) => format!("i{bits}"),
        Element::F16 => "f16".to_owned(),
        Element::BF16 => "bf16".to_owned(),
        Element::F32 => "f32".to_owned(),
        Element::F64 => "f64".to_owned(),
    }
}

fn bits(element: &str) -> usize {
    match element {
        // Compared as these.
        "i1" => 32,
        "bf16" => 16,
        _ => element[1..].parse().unwrap(),
    }
}

/// A loop that does an operation with `n` operands on vectors of which the smallest fill a register of 512 bits, if
/// there is one of these types.
fn function(
    context: &Arc<Context>,
    name: &str,
    def: &OpDef,
    n: usize,
    [from, to]: [&str; 2],
    is_uniform: bool,
) -> Option<String> {
    let lanes = 512 / bits(from).min(bits(to));
    let operation = def.name;
    let vector = |element: &str| format!("vector<{lanes}x{element}>");
    let mut names: Vec<String> = (0..n).map(|i| format!("%x{i}")).collect();
    let mut types = vec![vector(from); n];
    let mut body = String::new();
    // Masks are the outcomes of comparisons.
    let mask = |name: &str| {
        format!(
            "%l = vector.load %ints[%i] : memref<?xi32>, {0}\n{name} = arith.cmpi slt, %l, %l : {0}\n",
            vector("i32")
        )
    };
    if operation == "arith.select" {
        types[0] = vector("i1");
        body += &mask("%x0");
    } else if from == "i1" {
        body += &mask("%x0");
    }
    for (i, ty) in types.iter().enumerate() {
        if is_uniform && i == 1 {
            body += &format!("%x1 = vector.broadcast %s : {from} to {ty}\n");
        } else if *ty != vector("i1") {
            body += &format!("%x{i} = vector.load %from[%i] : memref<?x{from}>, {ty}\n");
        }
    }
    let attrs = match operation {
        "arith.cmpi" | "arith.cmpf" => " {predicate = 2 : i64}",
        _ => "",
    };
    body += &format!(
        "%r = \"{operation}\"({}){attrs} : ({}) -> {}\n",
        names.join(", "),
        types.join(", "),
        vector(to)
    );
    let mut stored = to;
    if to == "i1" {
        stored = from;
        names = vec!["%r".to_owned(), "%x0".to_owned(), "%x1".to_owned()];
        body += &format!(
            "%q = arith.select {} : {}, {}\n",
            names.join(", "),
            vector("i1"),
            vector(from)
        );
    }
    let result = if to == "i1" { "%q" } else { "%r" };
    let source = if from == "i1" { "i8" } else { from };
    let text = format!(
        "func.func @{name}(%from: memref<?x{source}>, %to: memref<?x{stored}>, %ints: memref<?xi32>, %n: index, %s: {source}) {{
%zero = arith.constant 0 : index
%lanes = arith.constant {lanes} : index
cf.br ^body(%zero : index)
^body(%i: index):
{body}vector.store {result}, %to[%i] : memref<?x{stored}>, {}
%next = arith.addi %i, %lanes : index
%again = arith.cmpi slt, %next, %n : index
cf.cond_br %again, ^body(%next : index), ^end
^end:
return
}}
",
        vector(stored)
    );
    is_valid(context, &text).then_some(text)
}

fn is_valid(context: &Arc<Context>, text: &str) -> bool {
    let mut diagnostics = Diagnostics::new();
    let file = context.add_source("test.mlir", text, 1).unwrap();
    let parsed = parse_source(context, &file, &mut diagnostics);
    parsed.is_ok_and(|ir| verify(&ir, &mut diagnostics).is_ok())
}

/// A module with all operations on all elements, each in a function with a name of its own.
fn everything() -> (Module, BTreeSet<String>) {
    let context = Arc::new(dialects::context());
    let mut all: Vec<&OpDef> = whole_operations().collect();
    all.dedup_by(|a, b| std::ptr::eq(*a, *b));
    let elements = Element::ALL.map(spelled).into_iter();
    let elements: Vec<String> = elements.chain(["i1".to_owned()]).collect();
    let (mut text, mut operations) = (String::new(), BTreeSet::new());
    for def in all {
        for (from, to) in elements
            .iter()
            .flat_map(|a| elements.iter().map(move |b| (a, b)))
        {
            let name = format!("{}_{from}_{to}", def.name.replace('.', "_"));
            // Numbers of bits, of all lanes and of each one.
            let is_shift = def.name.starts_with("arith.sh");
            for is_uniform in [false, true].into_iter().take(1 + usize::from(is_shift)) {
                let name = if is_uniform {
                    format!("{name}_uniform")
                } else {
                    name.clone()
                };
                let mut all = 1..=3;
                let function =
                    all.find_map(|n| function(&context, &name, def, n, [from, to], is_uniform));
                if let Some(function) = function {
                    text += &function;
                    operations.insert(def.name.to_owned());
                }
            }
        }
    }
    (Module::parse(&text), operations)
}

fn nothing_whole_is_split() {
    let (module, operations) = everything();
    for def in whole_operations() {
        assert!(
            operations.contains(def.name),
            "no program with {}",
            def.name
        );
    }
    let mut wrong = String::new();
    for (arch, cpu, features, bits) in PROCESSORS {
        let target: Target = arch.parse().unwrap();
        let mut options = Options::new(target.clone());
        options.cpu = Some(Cpu::named(&target, cpu, features).unwrap());
        options.vector_bits = bits;
        options.remarks = true;
        let vectors = options.vectors(false);
        assert_eq!(vectors.register, u64::from(bits) / 8);
        let mut diagnostics = Diagnostics::new();
        let clif = compile_to_text(&module.ir, TextKind::Clif, &options, &mut diagnostics);
        let clif = clif.unwrap_or_else(|_| panic!("{}", diagnostics.render_plain(&module.context)));
        let mut n_whole = 0;
        for op in module.ir.ops_in(module.ir.root_block().unwrap()) {
            let ir = module.ir.nested(op).unwrap();
            let name = ir.symbol_name(ir.root()).unwrap().to_owned();
            let whole = ir.walk(ir.root()).filter(|&op| {
                let is_listed = whole_operations().any(|def| ir.is(op, def));
                is_listed && vector::is_vector(ir.context(), ir.value_type(ir.result(op, 0)))
            });
            // All of them: comparisons and selections are there only for others.
            if !whole.into_iter().all(|op| {
                vectors.do_whole(ir, op, |v| ir.defined_by(v, &vector::BROADCAST).is_some())
            }) {
                continue;
            }
            n_whole += 1;
            let is_split = match bits {
                128 => text_of(&clif, &name).contains("extractlane"),
                _ => !clif.contains(&format!("{name}.wide0")),
            };
            if is_split {
                wrong += &format!("{name} for {cpu}{features} with {bits} bits\n");
            }
        }
        assert!(n_whole > 100, "only {n_whole} for {cpu}");
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// What CLIF has of a function.
fn text_of<'a>(clif: &'a str, name: &str) -> &'a str {
    let start = clif.find(&format!("; {name}\n"));
    let rest = &clif[start.unwrap_or_else(|| panic!("no code of {name}"))..];
    rest.find("\n; ").map_or(rest, |end| &rest[..end])
}

pub(crate) fn tests() -> Vec<Trial> {
    trials![nothing_whole_is_split]
}
