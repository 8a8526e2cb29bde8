//! Operations that the passes do not know, with interfaces and nothing else.
//!
//! The test registers a dialect of its own: a branch, an operation with regions and its terminator,
//! an allocation and a copy. Every way to free buffers has to free those that travel through them.
//! Then the test, which alone knows what the operations do, lowers them, and the program is run. The same dialect, declared
//! in a file of IRDL, gives the same.

use std::process::Command;
use std::sync::Arc;

use freehold_frontend::declare::declare;
use freehold_frontend::dialects::{self, arith, cf, memref, scf};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::constraints::{ANY, I1, MEMREF};
use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Diagnostics;
use freehold_frontend::ir::entities::{Block, Op, Region, Value};
use freehold_frontend::ir::interfaces::{
    BranchInterface, CopyInterface, OwnershipInterface, RegionBranchInterface, RegionPoint,
    RegionTerminatorInterface,
};
use freehold_frontend::ir::op_def::{DialectDef, OpDef, Traits, ValueSpec};
use freehold_frontend::ir::types::Type;
use freehold_frontend::syntax::parser::parse_source;
use freehold_frontend::syntax::printer::{PrintOptions, print};
use freehold_frontend::verify::verify;
use freehold_passes::manage::manager::{self, RunOptions};
use freehold_passes::registry;
use freehold_passes::rewrite::functions;
use libtest_mimic::Trial;

use crate::needs::trials;
use crate::support::native::{split_statistics, statistic};
use crate::support::process::{self, Stderr, TIMEOUT};

/// `"demo.pick"(%c, %a..., %b...)[^x, ^y]`: to `^x` with `%a...` if `%c` holds, else to `^y` with
/// `%b...`.
static PICK: OpDef = OpDef {
    name: "demo.pick",
    traits: Traits::TERMINATOR,
    operands: &[
        ValueSpec::one("condition", &I1),
        ValueSpec::variadic("first", &ANY),
        ValueSpec::variadic("second", &ANY),
    ],
    successors: (2, 2),
    branch: Some(&BranchInterface {
        successor_operands: |ir, op, index| ir.operand_group_range(op, index + 1),
        all_successor_operands: |ir, op| {
            let ranges = [1, 2].map(|group| ir.operand_group_range(op, group));
            ranges.into_iter().collect()
        },
        successor_of_operand: |ir, op, index| {
            let second = ir.operand_group_range(op, 2).start;
            match index.checked_sub(second) {
                Some(argument) => Some((1, argument)),
                None => Some((0, index.checked_sub(1)?)),
            }
        },
        append_successor_operands: |ir, op, index, values| {
            ir.append_to_operand_group(op, index + 1, values);
        },
        remove_successor_operand: |ir, op, index, argument| {
            let mut operands = ir.operand_group(op, index + 1).to_vec();
            operands.remove(argument);
            ir.set_operand_group(op, index + 1, &operands);
        },
    }),
    ..OpDef::PURE
};

/// `"demo.either"(%c, %a...) ({first}, {second}, {last})`: hands `%a...` to the first region if `%c`
/// holds, else to the second one; what these hand over goes to the last one, and what that hands
/// over is the results.
static EITHER: OpDef = OpDef {
    name: "demo.either",
    traits: Traits::RECURSIVE_EFFECTS,
    operands: &[
        ValueSpec::one("condition", &I1),
        ValueSpec::variadic("inputs", &ANY),
    ],
    results: &[ValueSpec::variadic("results", &ANY)],
    regions: (3, 3),
    region_branch: Some(&RegionBranchInterface {
        successors: |_, _, from, out| match from {
            RegionPoint::Parent => out.extend([RegionPoint::Region(0), RegionPoint::Region(1)]),
            RegionPoint::Region(2) => out.push(RegionPoint::Parent),
            RegionPoint::Region(_) => out.push(RegionPoint::Region(2)),
        },
        entry_operands: |ir, op, to| match to {
            RegionPoint::Region(0 | 1) => 1..ir.operands(op).len(),
            _ => 0..0,
        },
        successor_inputs: |ir, op, to| match to {
            RegionPoint::Parent => 0..ir.results(op).len(),
            RegionPoint::Region(index) => {
                let entry = ir.entry_block(ir.region(op, index));
                0..entry.map_or(0, |block| ir.block_args(block).len())
            }
        },
        forwarded_group: Some(1),
        is_repetitive: |_, _, _| false,
    }),
    ..OpDef::BASE
};

/// `"demo.hand_over"(%a...)`: ends a region of a `demo.either`.
static HAND_OVER: OpDef = OpDef {
    name: "demo.hand_over",
    traits: Traits::TERMINATOR.and(Traits::RETURN_LIKE),
    operands: &[ValueSpec::variadic("values", &ANY)],
    region_terminator: Some(&RegionTerminatorInterface {
        operands: |ir, op, _| 0..ir.operands(op).len(),
    }),
    ..OpDef::PURE
};

/// `"demo.buffer"()`: a new buffer.
static BUFFER: OpDef = OpDef {
    name: "demo.buffer",
    results: &[ValueSpec::one("buffer", &MEMREF)],
    effects: Some(|ir, op, out| out.allocate(ir.result(op, 0))),
    ..OpDef::BASE
};

/// `"demo.duplicate"(%from, %to)`: copies a buffer.
static DUPLICATE: OpDef = OpDef {
    name: "demo.duplicate",
    operands: &[
        ValueSpec::one("from", &MEMREF),
        ValueSpec::one("to", &MEMREF),
    ],
    effects: Some(|ir, op, out| {
        out.read(ir.operand(op, 0));
        out.write(ir.operand(op, 1));
    }),
    copy: Some(&CopyInterface {
        source: |ir, op| ir.operand(op, 0),
        target: |ir, op| ir.operand(op, 1),
    }),
    ..OpDef::BASE
};

/// `"demo.start"(%a)`: something that goes on with the buffer until its token is waited for.
static START: OpDef = OpDef {
    name: "demo.start",
    operands: &[ValueSpec::one("buffer", &MEMREF)],
    results: &[ValueSpec::one("token", &ANY)],
    effects: Some(|ir, op, out| out.read(ir.operand(op, 0))),
    ..OpDef::BASE
};

/// `"demo.wait"(%token)`: waits for it.
static WAIT: OpDef = OpDef {
    name: "demo.wait",
    operands: &[ValueSpec::one("token", &ANY)],
    ..OpDef::BASE
};

/// `"demo.function"() ({...}) {sym_name, function_type}`: a function of this dialect.
static FUNCTION: OpDef = OpDef {
    name: "demo.function",
    traits: Traits::OWNS_ARENA
        .and(Traits::FUNCTION)
        .and(Traits::AUTOMATIC_ALLOCATION_SCOPE),
    regions: (1, 1),
    ..OpDef::BASE
};

/// `"demo.leave"(%a...)`: returns from it.
static LEAVE: OpDef = OpDef {
    name: "demo.leave",
    traits: Traits::TERMINATOR.and(Traits::RETURN_LIKE),
    operands: &[ValueSpec::variadic("values", &ANY)],
    ..OpDef::PURE
};

/// `"demo.pair"()`: two new buffers.
static PAIR: OpDef = OpDef {
    name: "demo.pair",
    results: &[
        ValueSpec::one("first", &MEMREF),
        ValueSpec::one("second", &MEMREF),
    ],
    effects: Some(|ir, op, out| {
        out.allocate(ir.result(op, 0));
        out.allocate(ir.result(op, 1));
    }),
    ..OpDef::BASE
};

/// `"demo.consume"(%a)`: takes over a buffer and frees it.
static CONSUME: OpDef = OpDef {
    name: "demo.consume",
    operands: &[ValueSpec::one("buffer", &MEMREF)],
    effects: Some(|ir, op, out| out.free(ir.operand(op, 0))),
    ..OpDef::BASE
};

/// `"demo.maybe"(%c, %a)`: a new buffer like `%a` if `%c` holds, else `%a`; and that other one twice.
static MAYBE: OpDef = OpDef {
    name: "demo.maybe",
    operands: &[
        ValueSpec::one("condition", &I1),
        ValueSpec::one("buffer", &MEMREF),
    ],
    results: &[
        ValueSpec::one("result", &MEMREF),
        ValueSpec::one("operand", &MEMREF),
    ],
    effects: Some(|ir, op, out| out.read(ir.operand(op, 1))),
    ownership: Some(&OwnershipInterface {
        is_dynamic: |ir, op, result| ir.result(op, 0) == result,
        // Behind the operation, its operand says what it did.
        materialize: |b, op, _| {
            let condition = b.ir.operand(op, 0);
            b.value(&arith::ORI, &[condition, condition], Type::I1)
        },
    }),
    ..OpDef::BASE
};

static DEMO: DialectDef = DialectDef {
    namespace: "demo",
    ops: &[
        &PICK, &EITHER, &HAND_OVER, &BUFFER, &DUPLICATE, &START, &WAIT, &FUNCTION, &LEAVE, &PAIR,
        &CONSUME, &MAYBE,
    ],
    ..DialectDef::BASE
};

/// Calls every function both ways.
const PROGRAM: &str = r#"
func.func private @printI64(i64)
func.func private @printNewline()
func.func private @show(%m: memref<1xi64>) {
  %c0 = arith.constant 0 : index
  %x = memref.load %m[%c0] : memref<1xi64>
  call @printI64(%x) : (i64) -> ()
  call @printNewline() : () -> ()
  return
}

func.func private @set(%m: memref<1xi64>, %v: i64) {
  %c0 = arith.constant 0 : index
  memref.store %v, %m[%c0] : memref<1xi64>
  return
}

// A block gets a new buffer or the one of the caller.
func.func private @branch(%c: i1, %in: memref<1xi64>, %v: i64) {
  %a = "demo.buffer"() : () -> memref<1xi64>
  call @set(%a, %v) : (memref<1xi64>, i64) -> ()
  "demo.pick"(%c, %a, %in)[^bb1, ^bb2] <{operandSegmentSizes = array<i32: 1, 1, 1>}> : (i1, memref<1xi64>, memref<1xi64>) -> ()
^bb1(%x: memref<1xi64>):
  %b = "demo.buffer"() : () -> memref<1xi64>
  "demo.duplicate"(%x, %b) : (memref<1xi64>, memref<1xi64>) -> ()
  cf.br ^bb2(%b : memref<1xi64>)
^bb2(%y: memref<1xi64>):
  call @show(%y) : (memref<1xi64>) -> ()
  return
}

// One buffer goes through all regions to the caller.
func.func private @same_all_the_way(%c: i1, %v: i64) -> memref<1xi64> {
  %a = "demo.buffer"() : () -> memref<1xi64>
  call @set(%a, %v) : (memref<1xi64>, i64) -> ()
  %r = "demo.either"(%c, %a) ({
  ^bb0(%x: memref<1xi64>):
    "demo.hand_over"(%x) : (memref<1xi64>) -> ()
  }, {
  ^bb0(%x: memref<1xi64>):
    "demo.hand_over"(%x) : (memref<1xi64>) -> ()
  }, {
  ^bb0(%x: memref<1xi64>):
    "demo.hand_over"(%x) : (memref<1xi64>) -> ()
  }) : (i1, memref<1xi64>) -> memref<1xi64>
  return %r : memref<1xi64>
}

// The second region hands over a buffer of its own.
func.func private @replaced(%c: i1, %v: i64, %w: i64) -> memref<1xi64> {
  %a = "demo.buffer"() : () -> memref<1xi64>
  call @set(%a, %v) : (memref<1xi64>, i64) -> ()
  %r = "demo.either"(%c, %a) ({
  ^bb0(%x: memref<1xi64>):
    "demo.hand_over"(%x) : (memref<1xi64>) -> ()
  }, {
  ^bb0(%x: memref<1xi64>):
    %b = "demo.buffer"() : () -> memref<1xi64>
    func.call @set(%b, %w) : (memref<1xi64>, i64) -> ()
    "demo.hand_over"(%b) : (memref<1xi64>) -> ()
  }, {
  ^bb0(%x: memref<1xi64>):
    "demo.hand_over"(%x) : (memref<1xi64>) -> ()
  }) : (i1, memref<1xi64>) -> memref<1xi64>
  return %r : memref<1xi64>
}

// Buffers that no region hands over end in there, and unused results here.
func.func private @dropped(%c: i1, %in: memref<1xi64>, %v: i64) {
  %r:2 = "demo.either"(%c, %in) ({
  ^bb0(%x: memref<1xi64>):
    %t = "demo.buffer"() : () -> memref<1xi64>
    "demo.duplicate"(%x, %t) : (memref<1xi64>, memref<1xi64>) -> ()
    "demo.hand_over"(%t, %x) : (memref<1xi64>, memref<1xi64>) -> ()
  }, {
  ^bb0(%x: memref<1xi64>):
    %t = "demo.buffer"() : () -> memref<1xi64>
    func.call @set(%t, %v) : (memref<1xi64>, i64) -> ()
    func.call @show(%t) : (memref<1xi64>) -> ()
    "demo.hand_over"(%x, %x) : (memref<1xi64>, memref<1xi64>) -> ()
  }, {
  ^bb0(%x: memref<1xi64>, %y: memref<1xi64>):
    %t = "demo.buffer"() : () -> memref<1xi64>
    "demo.duplicate"(%x, %t) : (memref<1xi64>, memref<1xi64>) -> ()
    func.call @show(%t) : (memref<1xi64>) -> ()
    "demo.hand_over"(%x, %t) : (memref<1xi64>, memref<1xi64>) -> ()
  }) : (i1, memref<1xi64>) -> (memref<1xi64>, memref<1xi64>)
  call @show(%r#0) : (memref<1xi64>) -> ()
  return
}

// Of two new buffers one is returned, of two others one is taken over.
func.func private @second(%v: i64) -> memref<1xi64> {
  %a:2 = "demo.pair"() : () -> (memref<1xi64>, memref<1xi64>)
  call @set(%a#1, %v) : (memref<1xi64>, i64) -> ()
  %b:2 = "demo.pair"() : () -> (memref<1xi64>, memref<1xi64>)
  call @set(%b#1, %v) : (memref<1xi64>, i64) -> ()
  call @show(%b#1) : (memref<1xi64>) -> ()
  "demo.consume"(%b#0) : (memref<1xi64>) -> ()
  return %a#1 : memref<1xi64>
}

// The operation knows whether there is a new buffer; the other one is as long as it may be meant.
func.func private @maybe(%c: i1, %v: i64, %w: i64) {
  %a = "demo.buffer"() : () -> memref<1xi64>
  call @set(%a, %v) : (memref<1xi64>, i64) -> ()
  %r:2 = "demo.maybe"(%c, %a) : (i1, memref<1xi64>) -> (memref<1xi64>, memref<1xi64>)
  call @show(%r#0) : (memref<1xi64>) -> ()
  call @show(%r#1) : (memref<1xi64>) -> ()
  return
}

// The same, returned.
func.func private @maybe_returned(%c: i1, %v: i64) -> memref<1xi64> {
  %a = "demo.buffer"() : () -> memref<1xi64>
  call @set(%a, %v) : (memref<1xi64>, i64) -> ()
  %r:2 = "demo.maybe"(%c, %a) : (i1, memref<1xi64>) -> (memref<1xi64>, memref<1xi64>)
  return %r#0 : memref<1xi64>
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %v1 = arith.constant 1 : i64
  %v2 = arith.constant 2 : i64
  %v3 = arith.constant 3 : i64
  %v4 = arith.constant 4 : i64
  %v5 = arith.constant 5 : i64
  %in = memref.alloc() : memref<1xi64>
  call @set(%in, %v5) : (memref<1xi64>, i64) -> ()
  scf.for %i = %c0 to %c2 step %c1 {
    %c = arith.cmpi eq, %i, %c1 : index
    func.call @branch(%c, %in, %v1) : (i1, memref<1xi64>, i64) -> ()
    %a = func.call @same_all_the_way(%c, %v2) : (i1, i64) -> memref<1xi64>
    func.call @show(%a) : (memref<1xi64>) -> ()
    %b = func.call @replaced(%c, %v3, %v4) : (i1, i64, i64) -> memref<1xi64>
    func.call @show(%b) : (memref<1xi64>) -> ()
    func.call @dropped(%c, %in, %v4) : (i1, memref<1xi64>, i64) -> ()
    %d = func.call @second(%v1) : (i64) -> memref<1xi64>
    func.call @show(%d) : (memref<1xi64>) -> ()
    func.call @maybe(%c, %v2, %v3) : (i1, i64, i64) -> ()
    %e = func.call @maybe_returned(%c, %v3) : (i1, i64) -> memref<1xi64>
    func.call @show(%e) : (memref<1xi64>) -> ()
  }
  return
}
"#;

/// What it prints: first with the conditions false.
const EXPECTED: &str = "5\n2\n4\n4\n5\n5\n1\n1\n2\n2\n3\n\
                        1\n2\n3\n5\n5\n1\n1\n2\n2\n3\n";

/// The same dialect, declared.
const DECLARED: &str = include_str!("../frontend/irdl/inputs/demo.mlir");

/// Runs the program through `pipeline` and natively; gives allocations and copies, which are the same whether the dialect
/// is registered or declared.
fn run(pipeline: &str) -> (u64, u64) {
    let all: Vec<&DialectDef> = dialects::ALL.iter().copied().chain([&DEMO]).collect();
    let registered = run_with(Arc::new(Context::with_dialects(&all)), PROGRAM, pipeline);
    let mut diagnostics = Diagnostics::new();
    let (context, declared) = declare(
        Context::with_dialects(dialects::ALL),
        "declared.mlir",
        DECLARED,
        &mut diagnostics,
    );
    let said = diagnostics.render_plain(&context);
    assert!(declared.is_ok(), "{said}");
    // A declaration names the result that says who owns another one.
    let program = PROGRAM
        .replace("%r:2 = \"demo.maybe\"", "%r:3 = \"demo.maybe\"")
        .replace(
            "(%c, %a) : (i1, memref<1xi64>) -> (memref<1xi64>, memref<1xi64>)",
            "(%c, %a) : (i1, memref<1xi64>) -> (memref<1xi64>, memref<1xi64>, i1)",
        );
    assert_eq!(
        run_with(context, &program, pipeline),
        registered,
        "{pipeline}"
    );
    registered
}

fn run_with(context: Arc<Context>, program: &str, pipeline: &str) -> (u64, u64) {
    let file = context
        .add_source("demo.mlir", program, 1)
        .expect("the text is small");
    let mut diagnostics = Diagnostics::new();
    let said = |diagnostics: &Diagnostics| diagnostics.render_plain(&context);
    let parsed = parse_source(&context, &file, &mut diagnostics);
    let mut ir = parsed.unwrap_or_else(|_| panic!("{}", said(&diagnostics)));
    let mut pass = |ir: &mut Ir, pipeline: &str| {
        let pipeline = registry::parse(pipeline).expect("there is such a pipeline");
        let options = RunOptions {
            verify_each: true,
            ..RunOptions::default()
        };
        let outcome = manager::run(ir, &pipeline, options, &mut diagnostics);
        assert!(outcome.is_ok(), "{}", said(&diagnostics));
    };
    pass(&mut ir, pipeline);
    functions::map_functions(&mut ir, lower);
    let text = print(&ir, PrintOptions::default());
    let mut diagnostics = Diagnostics::new();
    let is_valid = verify(&ir, &mut diagnostics).is_ok();
    assert!(is_valid, "{}\n{text}", said(&diagnostics));

    let run = |flag: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_freehold"));
        command.args([
            "run",
            "-O0",
            "--dealloc=none",
            "--merge-alloc=never",
            flag,
            "-",
        ]);
        let finished = process::run(&mut command, text.as_bytes(), Stderr::Merged, TIMEOUT);
        let finished = finished.expect("freehold can be started");
        let output = String::from_utf8_lossy(&finished.stdout).into_owned();
        assert_eq!(finished.status, 0, "{pipeline}: {output}\n{text}");
        output
    };
    run("--check");
    let output = run("--stats=json");
    let (output, statistics) = split_statistics(&output);
    assert_eq!(output, EXPECTED, "{pipeline}:\n{text}");
    let number = |key| statistic(statistics, key).expect("it is counted");
    assert_eq!(number("allocs"), number("frees"), "{pipeline}:\n{text}");
    (number("allocs"), number("clones") + number("copies"))
}

/// Replaces the operations of the dialect by what they stand for.
fn lower(ir: &mut Ir) {
    for op in ir.collect_ops(ir.root()).into_iter().rev() {
        let operands: Vec<Value> = ir.operands(op).to_vec();
        if ir.op_name(op) == PICK.name {
            let targets: Vec<Block> = ir.successors(op).to_vec();
            let [first, second] = [1, 2].map(|group| ir.operand_group_range(op, group));
            let mut builder = Builder::before(ir, op);
            let on_true = (targets[0], &operands[first]);
            let on_false = (targets[1], &operands[second]);
            cf::build_cond_br(&mut builder, operands[0], on_true, on_false);
            ir.erase_op(op);
        } else if ir.op_name(op) == BUFFER.name {
            let ty = ir.value_type(ir.result(op, 0));
            let mut builder = Builder::before(ir, op);
            let buffer = memref::build::alloc(&mut builder, ty, &[]);
            ir.replace_op(op, &[buffer]);
        } else if ir.op_name(op) == DUPLICATE.name {
            let mut builder = Builder::before(ir, op);
            memref::build::copy(&mut builder, operands[0], operands[1]);
            ir.erase_op(op);
        } else if ir.op_name(op) == PAIR.name {
            let types = [0, 1].map(|index| ir.value_type(ir.result(op, index)));
            let mut builder = Builder::before(ir, op);
            let buffers = types.map(|ty| memref::build::alloc(&mut builder, ty, &[]));
            ir.replace_op(op, &buffers);
        } else if ir.op_name(op) == CONSUME.name {
            Builder::before(ir, op).op(&memref::DEALLOC, &operands, &[]);
            ir.erase_op(op);
        } else if ir.op_name(op) == MAYBE.name {
            lower_maybe(ir, op);
        } else if ir.op_name(op) == EITHER.name {
            lower_either(ir, op);
        }
    }
}

fn lower_maybe(ir: &mut Ir, op: Op) {
    let (condition, buffer) = (ir.operand(op, 0), ir.operand(op, 1));
    let ty = ir.value_type(buffer);
    let mut builder = Builder::before(ir, op);
    let choice = scf::build_if(&mut builder, condition, &[ty], true);
    for (index, is_new) in [(0, true), (1, false)] {
        let region = builder.ir.region(choice, index);
        let block = builder.ir.entry_block(region).expect("it has a block");
        builder.set_to_end(block);
        let mut result = buffer;
        if is_new {
            result = memref::build::alloc(&mut builder, ty, &[]);
            memref::build::copy(&mut builder, buffer, result);
        }
        scf::build_yield(&mut builder, &[result]);
    }
    let result = ir.result(choice, 0);
    let results = [result, buffer, condition];
    ir.replace_op(op, &results[..ir.results(op).len()]);
}

fn lower_either(ir: &mut Ir, op: Op) {
    let operands: Vec<Value> = ir.operands(op).to_vec();
    let next = ir.next_op(op).expect("it is no terminator");
    let rest = ir.split_block(next);
    for result in ir.results(op).to_vec() {
        let ty = ir.value_type(result);
        let argument = ir.append_block_arg(rest, ty);
        ir.replace_all_uses(result, argument);
    }
    let regions: Vec<Region> = ir.regions(op).to_vec();
    let entries: Vec<Block> = regions
        .iter()
        .map(|&region| ir.entry_block(region).expect("every region has a block"))
        .collect();
    for (index, target) in [(0, entries[2]), (1, entries[2]), (2, rest)] {
        let terminator = ir.last_op(entries[index]).expect("blocks have terminators");
        let values: Vec<Value> = ir.operands(terminator).to_vec();
        cf::build_br(&mut Builder::before(ir, terminator), target, &values);
        ir.erase_op(terminator);
        ir.move_blocks_before(regions[index], rest);
    }
    let mut builder = Builder::before(ir, op);
    let (first, second) = ((entries[0], &operands[1..]), (entries[1], &operands[1..]));
    cf::build_cond_br(&mut builder, operands[0], first, second);
    ir.erase_op(op);
}

fn copies_free_what_travels_through_them() {
    for form in ["clone", "copy"] {
        let (allocations, copies) = run(&format!(
            "builtin.module(buffer-deallocation{{introduce={form}}},verify-ownership)"
        ));
        let (fewer_allocations, fewer_copies) = run(&format!(
            "builtin.module(legacy-deallocation-pipeline{{introduce={form}}},verify-ownership)"
        ));
        assert!(fewer_allocations < allocations);
        assert!(fewer_copies < copies);
    }
}

fn owners_free_what_travels_through_them() {
    let (allocations, _) = run("builtin.module(buffer-deallocation-pipeline,verify-ownership)");
    let (fewer, _) = run("builtin.module(hlo-deallocation-pipeline)");
    assert!(fewer <= allocations);
}

/// What `pipeline` makes of `text`, in which `demo` operations are known and others need not be.
fn transformed(text: &str, pipeline: &str) -> String {
    let all: Vec<&DialectDef> = dialects::ALL.iter().copied().chain([&DEMO]).collect();
    let context = Context::with_dialects(&all).allow_unregistered_dialects(true);
    let context = Arc::new(context);
    let file = context
        .add_source("demo.mlir", text, 1)
        .expect("the text is small");
    let mut diagnostics = Diagnostics::new();
    let parsed = parse_source(&context, &file, &mut diagnostics);
    let mut ir = parsed.unwrap_or_else(|_| panic!("{}", diagnostics.render_plain(&context)));
    let pipeline = registry::parse(pipeline).expect("there is such a pipeline");
    let outcome = manager::run(&mut ir, &pipeline, RunOptions::default(), &mut diagnostics);
    assert!(outcome.is_ok(), "{}", diagnostics.render_plain(&context));
    print(&ir, PrintOptions::default())
}

/// Every way to free buffers.
const FAMILIES: [&str; 3] = [
    "builtin.module(ownership-based-buffer-deallocation)",
    "builtin.module(func.func(buffer-deallocation))",
    "builtin.module(hlo-deallocate)",
];

/// A registered operation is treated like one that nobody knows.
fn tokens_keep_their_buffers() {
    let text = "func.func private @other()\n\
                func.func @f() {\n\
                  %a = memref.alloc() : memref<2xf32>\n\
                  %t = \"demo.start\"(%a) : (memref<2xf32>) -> !demo.token\n\
                  \"demo.wait\"(%t) : (!demo.token) -> ()\n\
                  call @other() : () -> ()\n\
                  return\n\
                }\n";
    for pipeline in FAMILIES {
        let known = transformed(text, pipeline);
        let unknown = transformed(&text.replace("\"demo.", "\"nobody."), pipeline);
        assert_eq!(known, unknown.replace("\"nobody.", "\"demo."), "{pipeline}");
        let after = known.split("demo.wait").nth(1).expect("it is still there");
        let freed = after
            .find("dealloc")
            .expect("the buffer is freed behind it");
        assert!(freed < after.find("call @other").expect("it is still there"));
    }
}

/// Functions of other dialects get their buffers freed like those of `func`.
fn other_functions_free_their_buffers() {
    let text = "\"demo.function\"() ({\n\
                  %a = memref.alloc() : memref<2xf32>\n\
                  %b = memref.alloc() : memref<2xf32>\n\
                  \"demo.leave\"(%b) : (memref<2xf32>) -> ()\n\
                }) {sym_name = \"f\", function_type = () -> memref<2xf32>} : () -> ()\n";
    for pipeline in [FAMILIES[0], FAMILIES[2]] {
        let text = transformed(text, pipeline);
        let n_frees = text.matches("bufferization.dealloc").count()
            + text.matches("deallocation.retain").count();
        assert_eq!(n_frees, 1, "{pipeline}: {text}");
    }
}

/// The tests of this module.
pub(crate) fn tests() -> Vec<Trial> {
    trials![
        copies_free_what_travels_through_them,
        owners_free_what_travels_through_them,
        tokens_keep_their_buffers,
        other_functions_free_their_buffers,
    ]
}
