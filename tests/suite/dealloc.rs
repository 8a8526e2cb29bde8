//! What `bufferization.dealloc` frees and who owns the rest afterwards, for every lowering, as
//! native code: all operations of up to six operands, random larger ones, and odd ones.
//!
//! The buffers belong to the test: instead of freeing them, the code adds one to their first
//! element, once the pass has placed the frees.

use std::fmt::Write as _;
use std::sync::Arc;

use freehold::backend::Options;
use freehold::backend::jit::{Argument, Buffer, Jit, compile_to_jit};
use freehold::frontend::dialects;
use freehold::frontend::ir::context::Context;
use freehold::frontend::ir::data::Ir;
use freehold::frontend::ir::diag::Diagnostics;
use freehold::frontend::syntax::parser::parse_source;
use freehold::frontend::syntax::printer::{PrintOptions, print};
use freehold::frontend::verify::verify;
use freehold::passes::manage::manager::{self, RunOptions};
use freehold::passes::registry;
use libtest_mimic::Trial;

use crate::needs::trials;

const LOWERINGS: [&str; 4] = ["auto use-runtime", "generic", "specialized", "runtime"];

/// What the code does instead of freeing: it counts, and leaves null alone.
const FREED: &str = "
func.func private @freehold_probe_freed(index)
func.func @freed_at(%p: index) {
  %c0 = arith.constant 0 : index
  %some = arith.cmpi ne, %p, %c0 : index
  scf.if %some {
    func.call @freehold_probe_freed(%p) : (index) -> ()
  }
  return
}
func.func @freed(%m: memref<?xi64>) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i64
  %p = deallocation.get_buffer %m : memref<?xi64>
  %some = arith.cmpi ne, %p, %c0 : index
  scf.if %some {
    %before = memref.load %m[%c0] : memref<?xi64>
    %after = arith.addi %before, %one : i64
    memref.store %after, %m[%c0] : memref<?xi64>
  }
  return
}
";

fn run_passes(context: &Arc<Context>, text: &str, pipeline: &str) -> Ir {
    let mut diagnostics = Diagnostics::new();
    let source = context.add_source("test.mlir", text, 1).unwrap();
    let mut ir = parse_source(context, &source, &mut diagnostics)
        .map_err(|_| diagnostics.render_plain(context))
        .unwrap();
    let pipeline = registry::parse(&format!("builtin.module({pipeline})")).unwrap();
    verify(&ir, &mut diagnostics)
        .and_then(|()| manager::run(&mut ir, &pipeline, RunOptions::default(), &mut diagnostics))
        .map_err(|_| diagnostics.render_plain(context))
        .unwrap();
    ir
}

/// The functions of `text`, with frees that only count.
fn compile(text: &str, lowering: &str) -> Jit {
    let context = Arc::new(dialects::context());
    let pass = format!("bufferization-lower-deallocations{{lowering={lowering}}}");
    let lowered = print(&run_passes(&context, text, &pass), PrintOptions::default());
    let mut counting = String::new();
    for line in lowered.lines() {
        let freed = line.trim_start();
        let _ = if let Some(rest) = freed.strip_prefix("memref.dealloc ") {
            let value = rest.split(' ').next().unwrap();
            writeln!(
                counting,
                "func.call @freed({value}) : (memref<?xi64>) -> ()"
            )
        } else if let Some(owner) = freed.strip_prefix("deallocation.free ") {
            writeln!(
                counting,
                "%freed = deallocation.get_buffer {owner} : !deallocation.ownership\n\
                 func.call @freed_at(%freed) : (index) -> ()"
            )
        } else {
            writeln!(counting, "{line}")
        };
    }
    let counting = counting.replacen("module {", &format!("module {{{FREED}"), 1);
    let pipeline = "convert-scf-to-cf,canonicalize,cse";
    let ir = run_passes(&context, &counting, pipeline);
    let mut diagnostics = Diagnostics::new();
    compile_to_jit(&ir, &Options::host(), &mut diagnostics)
        .map_err(|_| diagnostics.render_plain(&context))
        .unwrap()
}

/// A function `@name` around one operation. Retained buffers are seen through shifted views.
fn function(name: &str, n: usize, m: usize) -> String {
    let list = |count: usize, item: &dyn Fn(usize) -> String| -> String {
        (0..count).map(item).collect::<Vec<_>>().join(", ")
    };
    let arguments = [
        list(n, &|i| format!("%e{i}: memref<?xi64>")),
        list(m, &|i| format!("%b{i}: memref<?xi64>")),
        list(n, &|i| format!("%c{i}: i1")),
    ];
    let given: Vec<String> = arguments.into_iter().filter(|a| !a.is_empty()).collect();
    let arguments = given.join(", ");
    let entries = list(n, &|i| format!("%e{i}"));
    operation(
        name,
        &arguments,
        &entries,
        &list(n, &|i| format!("%c{i}")),
        m,
        n,
    )
}

/// The text of a function whose entries and conditions are as given and whose retained buffers
/// are views of `%b0` to `%b{m - 1}`.
fn operation(
    name: &str,
    arguments: &str,
    entries: &str,
    conditions: &str,
    m: usize,
    n: usize,
) -> String {
    let view = "memref<1xi64, strided<[1], offset: 1>>";
    let types = |count: usize, ty: &str| vec![ty; count].join(", ");
    let mut text = format!("func.func @{name}({arguments})");
    if m > 0 {
        let _ = write!(text, " -> ({})", types(m, "i1"));
    }
    text += " {\n";
    for j in 0..m {
        let _ = writeln!(
            text,
            "  %r{j} = memref.subview %b{j}[1] [1] [1] : memref<?xi64> to {view}"
        );
    }
    text += "  ";
    if m > 0 {
        let _ = write!(text, "%o:{m} = ");
    }
    text += "bufferization.dealloc";
    if n > 0 {
        let memrefs = types(n, "memref<?xi64>");
        let _ = write!(text, " ({entries} : {memrefs}) if ({conditions})");
    }
    let numbered = |prefix: &str| -> String {
        let names: Vec<String> = (0..m).map(|j| format!("{prefix}{j}")).collect();
        names.join(", ")
    };
    if m > 0 {
        let _ = write!(text, " retain ({} : {})", numbered("%r"), types(m, view));
        let _ = write!(text, "\n  return {} : {}", numbered("%o#"), types(m, "i1"));
    } else {
        text += "\n  return";
    }
    text + "\n}\n"
}

/// One more than the largest number of a buffer.
fn n_buffers(entries: &[usize], retained: &[usize]) -> usize {
    1 + entries.iter().chain(retained).max().copied().unwrap_or(0)
}

/// What the operation means: how often each buffer is freed, and which retained ones are owned.
/// Buffers are numbers; number 0 is null.
fn reference(entries: &[usize], conditions: &[bool], retained: &[usize]) -> (Vec<i64>, Vec<bool>) {
    let mut freed = vec![0; n_buffers(entries, retained)];
    for (&entry, &condition) in entries.iter().zip(conditions) {
        if condition && entry != 0 && !retained.contains(&entry) && freed[entry] == 0 {
            freed[entry] = 1;
        }
    }
    let all = || entries.iter().zip(conditions);
    let owned = |r| all().any(|(&entry, &condition)| entry == r && condition);
    (freed, retained.iter().map(|&r| owned(r)).collect())
}

/// Runs `@name` on these operands and says what it did, like [`reference`].
fn run(
    jit: &Jit,
    name: &str,
    entries: &[usize],
    conditions: &[bool],
    retained: &[usize],
) -> (Vec<i64>, Vec<bool>) {
    let mut memory = vec![[0i64; 2]; n_buffers(entries, retained)];
    let mut buffers: Vec<Buffer<'_>> = memory
        .iter_mut()
        .map(|cells| Buffer::new(cells, &[2]))
        .collect();
    buffers[0] = Buffer::null::<i64>(1);
    let memrefs = entries.iter().chain(retained);
    let arguments: Vec<Argument<'_>> = memrefs
        .map(|&buffer| Argument::MemRef(&buffers[buffer]))
        .chain(conditions.iter().map(|&c| Argument::Int(c.into())))
        .collect();
    let owned = jit.call(name, &arguments).unwrap();
    let owned = owned.iter().map(|v| v.as_int() != Some(0)).collect();
    (memory.iter().map(|cells| cells[0]).collect(), owned)
}

/// All lists of `length` buffers that differ in more than the names of buffers; 0 is null.
fn alias_patterns(length: usize) -> Vec<Vec<usize>> {
    let mut patterns = vec![Vec::new()];
    for _ in 0..length {
        patterns = patterns
            .into_iter()
            .flat_map(|pattern| {
                let fresh = pattern.iter().max().map_or(0, |&max| max) + 1;
                (0..=fresh).map(move |next| {
                    let mut longer: Vec<usize> = pattern.clone();
                    longer.push(next);
                    longer
                })
            })
            .collect();
    }
    patterns
}

fn all_operations_of_up_to_six_operands() {
    let shapes: Vec<(usize, usize)> = (0..=6)
        .flat_map(|n| (0..=6 - n).map(move |m| (n, m)))
        .collect();
    let text: String = shapes
        .iter()
        .map(|&(n, m)| function(&format!("f{n}_{m}"), n, m))
        .collect();
    let compiled = LOWERINGS.map(|lowering| (lowering, compile(&text, lowering)));
    let mut n_cases = 0;
    for (n, m) in shapes {
        let name = format!("f{n}_{m}");
        for pattern in alias_patterns(n + m) {
            let (entries, retained) = pattern.split_at(n);
            for bits in 0..1 << n {
                let conditions: Vec<bool> = (0..n).map(|i| bits >> i & 1 != 0).collect();
                let expected = reference(entries, &conditions, retained);
                for (lowering, jit) in &compiled {
                    let found = run(jit, &name, entries, &conditions, retained);
                    assert_eq!(
                        found, expected,
                        "{lowering}: {entries:?} {conditions:?} {retained:?}"
                    );
                }
                n_cases += 1;
            }
        }
    }
    // Bell numbers of n + m + 1 times two to the n.
    assert_eq!(n_cases, 126_047);
}

/// A small generator of numbers.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(0x5851_f42d_4c95_7f2d)
            .wrapping_add(0x1405_7b7e_f767_814f);
        ((self.0 >> 33) as usize) % bound
    }
}

fn random_operations_of_moderate_size() {
    let mut random = Random(3);
    let shapes: Vec<(usize, usize)> = (0..24)
        .map(|_| (random.below(20), random.below(16)))
        .collect();
    random_operations(&shapes, &LOWERINGS, &mut random);
}

/// As many that no word has a bit for each.
fn random_operations_of_many_operands() {
    let shapes = [(66, 3), (100, 61), (300, 0), (5, 70)];
    random_operations(&shapes, &["generic", "runtime"], &mut Random(4));
}

fn random_operations(shapes: &[(usize, usize)], lowerings: &[&str], random: &mut Random) {
    let text: String = shapes
        .iter()
        .enumerate()
        .map(|(k, &(n, m))| function(&format!("f{k}"), n, m))
        .collect();
    for lowering in lowerings {
        let jit = compile(&text, lowering);
        for (k, &(n, m)) in shapes.iter().enumerate() {
            for _ in 0..40 {
                let different = 1 + random.below(2 * (n + m) + 20);
                let mut buffers =
                    |count| -> Vec<usize> { (0..count).map(|_| random.below(different)).collect() };
                let (entries, retained) = (buffers(n), buffers(m));
                let conditions: Vec<bool> = (0..n).map(|_| random.below(3) > 0).collect();
                assert_eq!(
                    run(&jit, &format!("f{k}"), &entries, &conditions, &retained),
                    reference(&entries, &conditions, &retained),
                    "{lowering}: {entries:?} {conditions:?} {retained:?}"
                );
            }
        }
    }
}

/// More entries than there is room for on the stack: the runtime lends memory.
fn more_entries_than_the_stack_holds() {
    const POOL: usize = 40;
    let mut random = Random(5);
    let mut text = String::new();
    let mut cases = Vec::new();
    for (k, (n, m)) in [(8300, 10), (40, 5)].into_iter().enumerate() {
        let entries: Vec<usize> = (0..n).map(|_| random.below(POOL)).collect();
        let flags: Vec<usize> = (0..n).map(|_| random.below(4)).collect();
        let list = |items: &[usize], prefix: &str| -> String {
            let names: Vec<String> = items.iter().map(|i| format!("{prefix}{i}")).collect();
            names.join(", ")
        };
        let pool: Vec<usize> = (0..POOL).collect();
        let memrefs = list(&pool, "%b").replace(',', ": memref<?xi64>,");
        let arguments = format!("{memrefs}: memref<?xi64>, %c0: i1, %c1: i1, %c2: i1, %c3: i1");
        let (entry_names, flag_names) = (list(&entries, "%b"), list(&flags, "%c"));
        text += &operation(
            &format!("f{k}"),
            &arguments,
            &entry_names,
            &flag_names,
            m,
            n,
        );
        cases.push((entries, flags, (0..m).collect::<Vec<_>>()));
    }
    let lowerings = ["auto use-runtime", "generic use-runtime", "generic"];
    for lowering in lowerings {
        let jit = compile(&text, lowering);
        for (k, (entries, flags, retained)) in cases.iter().enumerate() {
            for bits in 0..16 {
                let conditions: Vec<bool> =
                    flags.iter().map(|flag| bits >> flag & 1 != 0).collect();
                let (freed, owned) = reference(entries, &conditions, retained);
                let mut memory = vec![[0i64; 2]; POOL];
                let mut buffers: Vec<Buffer<'_>> = memory
                    .iter_mut()
                    .map(|cells| Buffer::new(cells, &[2]))
                    .collect();
                buffers[0] = Buffer::null::<i64>(1);
                let arguments: Vec<Argument<'_>> = buffers
                    .iter()
                    .map(Argument::MemRef)
                    .chain((0..4).map(|flag| Argument::Int(bits >> flag & 1)))
                    .collect();
                let found = jit.call(&format!("f{k}"), &arguments).unwrap();
                let found: Vec<bool> = found.iter().map(|v| v.as_int() != Some(0)).collect();
                assert_eq!(found, owned, "{lowering} {k}");
                let counts: Vec<i64> = memory.iter().map(|cells| cells[0]).collect();
                assert_eq!(counts[..freed.len()], freed, "{lowering} {k}");
            }
        }
    }
    for lowering in lowerings {
        let context = Arc::new(dialects::context());
        let pass = format!("bufferization-lower-deallocations{{lowering={lowering}}}");
        let lowered = print(&run_passes(&context, &text, &pass), PrintOptions::default());
        let calls = lowered.matches("call @freehold_take_scratch").count();
        assert_eq!(calls, 1, "arrays of 70 KB do not go on the stack");
    }
}

/// Entries and conditions that are made in any order, after one another or by one operation, in
/// this block or another one: each is written to the list once both are there.
fn operands_made_in_any_order() {
    let mut text = String::from("func.func private @both(%a: i1, %b: i1) -> (i1, i1) {\n");
    text += "  return %a, %b : i1, i1\n}\n";
    let memrefs = |prefix: &str, count: usize| -> String {
        let names: Vec<String> = (0..count)
            .map(|i| format!("%{prefix}{i}: memref<?xi64>"))
            .collect();
        names.join(", ")
    };
    let conditions: Vec<String> = (0..5).map(|i| format!("%a{i}: i1")).collect();
    let _ = write!(
        text,
        "func.func @f({}, {}, {}) -> (i1, i1) {{
          %true = arith.constant true
          %false = arith.constant false
          %c3 = arith.andi %a3, %a3 : i1
          %x2 = memref.cast %e2 : memref<?xi64> to memref<2xi64>
          %y2 = memref.cast %x2 : memref<2xi64> to memref<?xi64>
          %both:2 = func.call @both(%a0, %a1) : (i1, i1) -> (i1, i1)
          %pair:2 = scf.if %a4 -> (memref<?xi64>, i1) {{
            %o = bufferization.dealloc (%e6, %e7 : memref<?xi64>, memref<?xi64>) if (%false, %a0)
              retain (%e7 : memref<?xi64>)
            scf.yield %e0, %o : memref<?xi64>, i1
          }} else {{
            scf.yield %e0, %a0 : memref<?xi64>, i1
          }}
          %o:2 = bufferization.dealloc (%pair#0, %e1, %y2, %e3, %e4, %e5, %e6
            : memref<?xi64>, memref<?xi64>, memref<?xi64>, memref<?xi64>, memref<?xi64>, memref<?xi64>,
              memref<?xi64>) if (%pair#1, %both#1, %a2, %c3, %true, %a4, %false)
            retain (%b0, %b1 : memref<?xi64>, memref<?xi64>)
          return %o#0, %o#1 : i1, i1
        }}",
        memrefs("e", 8),
        memrefs("b", 2),
        conditions.join(", ")
    );
    let mut random = Random(7);
    for lowering in LOWERINGS {
        let jit = compile(&text, lowering);
        for _ in 0..200 {
            // The last entry is not among the others: it is retained by the inner operation.
            let mut entries: Vec<usize> = (0..7).map(|_| random.below(6)).collect();
            let retained: Vec<usize> = (0..2).map(|_| random.below(6)).collect();
            let given: Vec<bool> = (0..5).map(|_| random.below(2) > 0).collect();
            let conditions = [
                given[0], given[1], given[2], given[3], true, given[4], false,
            ];
            let expected = reference(&entries, &conditions, &retained);
            entries.push(6);
            let mut found = run(&jit, "f", &entries, &given, &retained);
            found.0.truncate(expected.0.len());
            assert_eq!(
                found, expected,
                "{lowering}: {entries:?} {given:?} {retained:?}"
            );
        }
    }
}

/// The tests of this module.
pub(crate) fn tests() -> Vec<Trial> {
    trials![
        all_operations_of_up_to_six_operands,
        random_operations_of_moderate_size,
        random_operations_of_many_operands,
        more_entries_than_the_stack_holds,
        operands_made_in_any_order,
    ]
}
