//! Random programs, mostly wrong ones: what the checker says of each buffer
//! must be what goes wrong with it on some simulated path.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Diagnostics;
use freehold_frontend::ir::location::Loc;

use super::simulate::all_problems;
use super::{Options, PRELUDE, check, parse};

/// Paths that are simulated per program.
const MAX_PATHS: usize = 200;

/// A small generator of random numbers (xorshift).
struct Random(u64);

impl Random {
    fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 33) % n as u64) as usize
    }
}

/// Writes one function.
struct Writer {
    random: Random,
    text: String,
    n_names: usize,
    memrefs: Vec<String>,
    bools: Vec<String>,
    /// Whether addresses are compared.
    compares: bool,
}

const T: &str = "memref<4xf32>";

impl Writer {
    fn function(seed: u64) -> Self {
        let mut writer = Self {
            random: Random::new(seed),
            text: String::new(),
            n_names: 0,
            memrefs: vec!["%arg".into()],
            bools: vec!["%c".into(), "%true".into(), "%false".into()],
            compares: false,
        };
        writer.line("%true = arith.constant true");
        writer.line("%false = arith.constant false");
        writer.line("%c0 = arith.constant 0 : index");
        writer.line("%c1 = arith.constant 1 : index");
        let n = 3 + writer.random.below(8);
        writer.statements(n, 0);
        let result = if writer.random.below(3) == 0 {
            let value = writer.memref();
            writer.line(&format!("return {value} : {T}"));
            format!(" -> {T}")
        } else {
            writer.line("return");
            String::new()
        };
        writer.text = format!(
            "func.func @f(%arg: {T}, %c: i1, %n: index){result} {{\n{}}}\n",
            writer.text
        );
        writer
    }

    fn line(&mut self, line: &str) {
        writeln!(self.text, "  {line}").unwrap();
    }

    fn name(&mut self) -> String {
        self.n_names += 1;
        format!("%v{}", self.n_names)
    }

    fn memref(&mut self) -> String {
        // Rather a recent one.
        let n = self.memrefs.len();
        let at = self.random.below(n).max(self.random.below(n));
        self.memrefs[at].clone()
    }

    fn bool(&mut self) -> String {
        let n = self.bools.len();
        let at = self.random.below(n).max(self.random.below(n));
        self.bools[at].clone()
    }

    fn statements(&mut self, n: usize, depth: usize) {
        for _ in 0..n {
            self.statement(depth);
        }
    }

    /// What is defined inside is not visible afterwards.
    fn scope(&mut self, n: usize, depth: usize) -> (String, String) {
        let (n_memrefs, n_bools) = (self.memrefs.len(), self.bools.len());
        self.statements(n, depth);
        let result = (self.memref(), self.bool());
        self.memrefs.truncate(n_memrefs);
        self.bools.truncate(n_bools);
        result
    }

    fn statement(&mut self, depth: usize) {
        let kind = self.random.below(if depth == 0 {
            21
        } else if depth < 3 {
            17
        } else {
            13
        });
        match kind {
            0..=2 => {
                let name = self.name();
                match self.random.below(5) {
                    0 => {
                        let source = self.memref();
                        self.line(&format!(
                            "{name} = bufferization.clone {source} : {T} to {T}"
                        ));
                    }
                    1 => self.line(&format!("{name} = func.call @make() : () -> {T}")),
                    _ => self.line(&format!("{name} = memref.alloc() : {T}")),
                }
                self.memrefs.push(name);
            }
            3 => {
                let value = self.memref();
                self.line(&format!("memref.dealloc {value} : {T}"));
            }
            4 | 5 => {
                let (value, condition) = (self.memref(), self.bool());
                self.line(&format!(
                    "scf.if {condition} {{\n memref.dealloc {value} : {T}\n}}"
                ));
            }
            6 => {
                let value = self.memref();
                self.line(&format!("func.call @use({value}) : ({T}) -> ()"));
            }
            7 => {
                let (name, c, a, b) = (self.name(), self.bool(), self.memref(), self.memref());
                self.line(&format!("{name} = arith.select {c}, {a}, {b} : {T}"));
                self.memrefs.push(name);
            }
            8 | 9 => {
                let (name, a, b) = (self.name(), self.bool(), self.bool());
                match self.random.below(5) {
                    0 => self.line(&format!("{name} = func.call @cond() : () -> i1")),
                    1 => self.line(&format!("{name} = arith.andi {a}, {b} : i1")),
                    2 => self.line(&format!("{name} = arith.ori {a}, {b} : i1")),
                    _ => self.line(&format!("{name} = arith.xori {a}, {b} : i1")),
                }
                self.bools.push(name);
            }
            10 => self.comparison(),
            11 | 12 => self.dealloc(),
            13 | 14 => self.branch(depth),
            15 => self.for_loop(depth),
            16 => self.while_loop(depth),
            17..=19 => self.diamond(depth),
            _ => self.block_loop(depth),
        }
    }

    fn comparison(&mut self) {
        self.compares = true;
        let pointer = "memref.extract_aligned_pointer_as_index";
        let (a, b) = (self.memref(), self.memref());
        let (p, q, name) = (self.name(), self.name(), self.name());
        let predicate = ["eq", "ne"][self.random.below(2)];
        self.line(&format!("{p} = {pointer} {a} : {T} -> index"));
        self.line(&format!("{q} = {pointer} {b} : {T} -> index"));
        self.line(&format!(
            "{name} = arith.cmpi {predicate}, {p}, {q} : index"
        ));
        self.bools.push(name);
    }

    fn dealloc(&mut self) {
        self.compares = true;
        let (n_entries, n_retained) = (1 + self.random.below(3), self.random.below(3));
        let entries: Vec<String> = (0..n_entries).map(|_| self.memref()).collect();
        let conditions: Vec<String> = (0..n_entries).map(|_| self.bool()).collect();
        let retained: Vec<String> = (0..n_retained).map(|_| self.memref()).collect();
        let types = |n: usize| vec![T; n].join(", ");
        let mut line = format!(
            "bufferization.dealloc ({} : {}) if ({})",
            entries.join(", "),
            types(n_entries),
            conditions.join(", ")
        );
        if n_retained > 0 {
            let name = self.name();
            line = format!(
                "{name}:{n_retained} = {line} retain ({} : {})",
                retained.join(", "),
                types(n_retained)
            );
            self.bools
                .extend((0..n_retained).map(|i| format!("{name}#{i}")));
        }
        self.line(&line);
    }

    fn branch(&mut self, depth: usize) {
        let condition = self.bool();
        let n = 1 + self.random.below(3);
        if self.random.below(2) == 0 {
            self.line(&format!("scf.if {condition} {{"));
            self.scope(n, depth + 1);
            self.line("}");
            return;
        }
        let (m, o) = (self.name(), self.name());
        self.line(&format!("{m}, {o} = scf.if {condition} -> ({T}, i1) {{"));
        let (a, b) = self.scope(n, depth + 1);
        self.line(&format!("scf.yield {a}, {b} : {T}, i1\n}} else {{"));
        let (a, b) = self.scope(n / 2, depth + 1);
        self.line(&format!("scf.yield {a}, {b} : {T}, i1\n}}"));
        self.memrefs.push(m);
        self.bools.push(o);
    }

    fn for_loop(&mut self, depth: usize) {
        let (m, o, x, y, i) = (
            self.name(),
            self.name(),
            self.name(),
            self.name(),
            self.name(),
        );
        let (init, flag) = (self.memref(), self.bool());
        self.line(&format!(
            "{m}, {o} = scf.for {i} = %c0 to %n step %c1 iter_args({x} = {init}, {y} = {flag}) -> ({T}, i1) {{"
        ));
        let n = self.random.below(4);
        let (n_memrefs, n_bools) = (self.memrefs.len(), self.bools.len());
        self.memrefs.push(x);
        self.bools.push(y);
        let (a, b) = self.scope(n, depth + 1);
        self.memrefs.truncate(n_memrefs);
        self.bools.truncate(n_bools);
        // Names of the scope are not visible, those of the loop are.
        self.line(&format!("scf.yield {a}, {b} : {T}, i1\n}}"));
        self.memrefs.push(m);
        self.bools.push(o);
    }

    fn while_loop(&mut self, depth: usize) {
        let (m, x, y, c) = (self.name(), self.name(), self.name(), self.name());
        let init = self.memref();
        self.line(&format!("{m} = scf.while ({x} = {init}) : ({T}) -> {T} {{"));
        let (n_memrefs, n_bools) = (self.memrefs.len(), self.bools.len());
        self.memrefs.push(x);
        let n = self.random.below(2);
        let (a, _) = self.scope(n, depth + 1);
        self.line(&format!("{c} = func.call @cond() : () -> i1"));
        self.line(&format!(
            "scf.condition({c}) {a} : {T}\n}} do {{\n^bb0({y}: {T}):"
        ));
        self.memrefs.truncate(n_memrefs);
        self.memrefs.push(y);
        let n = self.random.below(3);
        let (a, _) = self.scope(n, depth + 1);
        self.line(&format!("scf.yield {a} : {T}\n}}"));
        self.memrefs.truncate(n_memrefs);
        self.bools.truncate(n_bools);
        self.memrefs.push(m);
    }

    fn diamond(&mut self, depth: usize) {
        let (m, o, x) = (self.name(), self.name(), self.name());
        let label = m.replace('%', "^");
        let (condition, passed) = (self.bool(), self.memref());
        self.line(&format!(
            "cf.cond_br {condition}, {label}a({passed} : {T}), {label}b\n{label}a({x}: {T}):"
        ));
        let n_memrefs = self.memrefs.len();
        self.memrefs.push(x);
        let n = self.random.below(3);
        let (a, b) = self.scope(n, depth + 1);
        self.memrefs.truncate(n_memrefs);
        self.line(&format!("cf.br {label}c({a}, {b} : {T}, i1)\n{label}b:"));
        let n = self.random.below(3);
        let (a, b) = self.scope(n, depth + 1);
        self.line(&format!(
            "cf.br {label}c({a}, {b} : {T}, i1)\n{label}c({m}: {T}, {o}: i1):"
        ));
        self.memrefs.push(m);
        self.bools.push(o);
    }

    fn block_loop(&mut self, depth: usize) {
        let (m, o) = (self.name(), self.name());
        let label = m.replace('%', "^");
        let (init, flag, condition) = (self.memref(), self.bool(), self.name());
        self.line(&format!(
            "cf.br {label}h({init}, {flag} : {T}, i1)\n{label}h({m}: {T}, {o}: i1):"
        ));
        self.memrefs.push(m);
        self.bools.push(o);
        self.line(&format!("{condition} = func.call @cond() : () -> i1"));
        self.line(&format!(
            "cf.cond_br {condition}, {label}b, {label}x\n{label}b:"
        ));
        let n = 1 + self.random.below(3);
        let (a, b) = self.scope(n, depth + 1);
        self.line(&format!("cf.br {label}h({a}, {b} : {T}, i1)\n{label}x:"));
    }
}

/// What the checker says, in the words of the simulation.
fn said(module: &Ir, options: &Options) -> (BTreeSet<(Loc, &'static str)>, bool, String) {
    let mut diagnostics = Diagnostics::new();
    check(module, options, &mut diagnostics);
    let mut is_sure = true;
    let mut said = BTreeSet::new();
    for diagnostic in diagnostics.iter() {
        let kinds = [
            ("never freed", "leak"),
            ("not freed on every path", "leak"),
            ("freed twice", "twice"),
            ("used after", "used"),
            ("returned after", "returned"),
            ("could not prove", "unknown"),
            ("is freed", "foreign"),
            ("caller frees", "foreign"),
        ];
        let kind = kinds
            .iter()
            .find(|kind| diagnostic.message.contains(kind.0))
            .unwrap()
            .1;
        if kind == "unknown" {
            is_sure = false;
        } else {
            said.insert((diagnostic.loc, kind));
        }
    }
    (said, is_sure, diagnostics.render_plain(module.context()))
}

/// Compares the checker with all paths of programs with these seeds.
fn compare(seeds: std::ops::Range<u64>) {
    let (mut n_more, mut n_compared) = (0, 0);
    for seed in seeds {
        let writer = Writer::function(seed);
        let module = parse(&format!("{PRELUDE}{}", writer.text));
        let (said, is_sure, rendered) = said(&module, &Options::default());
        let block = module.root_block().unwrap();
        let function = module
            .ops_in(block)
            .last()
            .and_then(|op| module.nested(op))
            .unwrap();
        let (problems, is_cut) = all_problems(function, MAX_PATHS);
        let problems: BTreeSet<(Loc, &'static str)> = problems
            .into_iter()
            .map(|(op, kind)| (function.loc(op), kind))
            .collect();
        let missed: Vec<_> = problems.difference(&said).collect();
        assert!(
            missed.is_empty() || !is_sure,
            "seed {seed}: missed {missed:?}\n{}\n{rendered}",
            writer.text
        );
        let more: Vec<_> = said.difference(&problems).collect();
        if is_cut {
            continue;
        }
        n_compared += 1;
        // Two pieces of memory, neither of which is tracked, may be equal or
        // not to the checker, and all foreign memory is one.
        assert!(
            more.is_empty() || writer.compares,
            "seed {seed}: {more:?}\n{}\n{rendered}",
            writer.text
        );
        n_more += usize::from(more.iter().any(|problem| problem.1 != "foreign"));
    }
    // Nearly always the checker is exact all the same.
    assert!(
        n_more * 8 < n_compared,
        "{n_more} of {n_compared} said too much"
    );
}

/// `OWNERSHIP_SEEDS=1000..2000 cargo test -p freehold-passes random_programs`
/// compares others.
#[test]
fn random_programs() {
    let seeds = std::env::var("OWNERSHIP_SEEDS").unwrap_or_else(|_| "0..80".into());
    let (first, last) = seeds.split_once("..").unwrap();
    compare(first.parse().unwrap()..last.parse().unwrap());
}
