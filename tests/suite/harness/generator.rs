//! The generator of random programs, and what makes them smaller.

use libtest_mimic::Trial;

use crate::needs::trials;
use crate::support::generator::shape::Shape;
use crate::support::generator::shrink::minimize;
use crate::support::generator::tree::{Kind, Node, grow};
use crate::support::generator::{generate, render};
use crate::support::peer;

/// The number of programs of each shape that are tried here.
const PROGRAMS: u64 = 15;

fn equal_seeds_give_equal_programs() {
    for (_, shape) in Shape::NAMED {
        assert_eq!(generate(7, &shape), generate(7, &shape));
        assert_ne!(generate(7, &shape), generate(8, &shape));
    }
}

/// mlir-opt finds nothing wrong with any program, shrunken or not.
fn programs_are_valid() {
    let mlir_opt = peer::tool("mlir-opt-19");
    for (name, shape) in Shape::NAMED {
        let mut texts = Vec::new();
        for seed in 0..PROGRAMS {
            texts.push(generate(seed, &shape));
            texts.push(generate(seed, &shape.quiet()));
            // Each half of the statements is a program as well.
            let mut program = grow(seed, &shape);
            for function in &mut program.functions {
                let mut keep = true;
                function.body.retain(|_| {
                    keep = !keep;
                    keep
                });
            }
            texts.push(render(&program));
        }
        let all = texts.join("\n// -----\n");
        let result = peer::run_ok(&mlir_opt, &["--split-input-file"], &all);
        assert!(result.is_ok(), "{name}: {}", result.unwrap_err());
    }
}

/// Each kind of statement that a shape has does occur in it.
fn everything_occurs() {
    let spellings = [
        "memref.alloc(",
        "memref.alloca(",
        "memref.get_global @g",
        "memref.copy",
        "arith.select",
        "memref.subview",
        "memref.collapse_shape",
        "memref.expand_shape",
        "memref.reinterpret_cast",
        "memref.view",
        "memref.transpose",
        "memref.extract_strided_metadata",
        "memref<*x",
        "bufferization.clone",
        "func.call @f",
        "func.call_indirect",
        "memref.dealloc",
        "memref.realloc",
        "memref.atomic_rmw",
        "memref.generic_atomic_rmw",
        "scf.if",
        "scf.index_switch",
        "scf.for",
        "scf.while",
        "scf.parallel",
        "scf.forall",
        "scf.execute_region",
        "memref.alloca_scope",
        "cf.br",
        "cf.cond_br",
        "cf.switch",
        "memref<0x",
    ];
    let all: String = (0..300)
        .map(|seed| generate(seed, &Shape::FREEING))
        .collect();
    for spelling in spellings {
        assert!(all.contains(spelling), "no {spelling}");
    }
}

/// What stays is what the test looks for, and what that needs.
fn minimizing_leaves_little() {
    let wanted = |text: &str| text.contains("scf.while") && text.contains("bufferization.clone");
    let seed = (0..)
        .find(|&seed| wanted(&generate(seed, &Shape::MIXED)))
        .unwrap();
    let small = minimize(grow(seed, &Shape::MIXED), wanted);
    assert!(wanted(&render(&small)));
    let kinds: Vec<Kind> = small
        .functions
        .iter()
        .flat_map(|function| flatten(&function.body))
        .collect();
    assert!(kinds.len() <= 3, "{kinds:?}\n{}", render(&small));
}

/// The kinds of all statements, nested ones included.
fn flatten(nodes: &[Node]) -> Vec<Kind> {
    nodes
        .iter()
        .flat_map(|node| {
            let mut kinds = vec![node.kind];
            kinds.extend(node.parts.iter().flat_map(|part| flatten(part)));
            kinds
        })
        .collect()
}

/// The tests of this module.
pub(crate) fn tests() -> Vec<Trial> {
    trials![
        equal_seeds_give_equal_programs,
        programs_are_valid needs ["mlir-opt-19"],
        everything_occurs,
        minimizing_leaves_little,
    ]
}
