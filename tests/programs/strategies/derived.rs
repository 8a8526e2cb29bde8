//! Addresses of buffers as numbers: computed with, compared, carried around loops, kept in memory and
//! given to functions, beside functions that are called by their address and call each other.
//!
//! Only what does not depend on where buffers lie is printed: remainders by the alignment that was asked
//! for, and whether two buffers that are both still looked at are the same.

use std::fmt::Write as _;

use crate::support::generator::rng::Rng;

/// The program with this seed, in which addresses stay beside their buffers.
pub(crate) fn generate(seed: u64) -> String {
    program(seed, Addresses::Stay)
}

/// The program with this seed, in which addresses also come along where buffers are handed on. Whoever
/// copies buffers there makes them addresses of something else.
pub(crate) fn generate_carried(seed: u64) -> String {
    program(seed, Addresses::GoAlong)
}

/// The program with this seed, in which addresses also outlive their buffers: these are not freed. If they were, one that
/// is allocated later would have the same address.
pub(crate) fn generate_outlived(seed: u64) -> String {
    program(seed, Addresses::Outlive)
}

/// Where addresses go.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Addresses {
    Stay,
    GoAlong,
    Outlive,
}

fn program(seed: u64, addresses: Addresses) -> String {
    let mut maker = Maker {
        addresses,
        rng: Rng::new(seed),
        text: String::new(),
        depth: 1,
        n_names: 0,
    };
    let mut buffers = Vec::new();
    maker.allocate(&mut buffers);
    for _ in 0..maker.rng.range(4, 12) {
        maker.statement(&mut buffers);
    }
    for buffer in &buffers {
        maker.show(buffer);
    }
    format!(
        "{PRELUDE}func.func @main() {{\n{CONSTANTS}{}  return\n}}\n",
        maker.text
    )
}

const CONSTANTS: &str = "  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n  \
                         %c3 = arith.constant 3 : index\n";

/// What programs call. `@even` and `@odd` take turns in handing a buffer on, and allocate one when they
/// are done; they are also called by their addresses, which nobody can see through. `@made` returns the address of a
/// buffer without it.
const PRELUDE: &str = r#"func.func private @printI64(i64)
func.func private @printNewline()
func.func private @show(%x: i64) {
  call @printI64(%x) : (i64) -> ()
  call @printNewline() : () -> ()
  return
}
func.func private @is_same(%p: index, %q: index) -> i64 attributes {passthrough = ["noinline"]} {
  %e = arith.cmpi eq, %p, %q : index
  %x = arith.extui %e : i1 to i64
  return %x : i64
}
func.func private @made() -> index attributes {passthrough = ["noinline"]} {
  %a = memref.alloc() {alignment = 64} : memref<2xi64>
  %p = memref.extract_aligned_pointer_as_index %a : memref<2xi64> -> index
  return %p : index
}
func.func private @even(%n: index, %a: memref<2xi64>) -> memref<2xi64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %done = arith.cmpi eq, %n, %c0 : index
  %r = scf.if %done -> (memref<2xi64>) {
    %b = memref.alloc() {alignment = 64} : memref<2xi64>
    memref.copy %a, %b : memref<2xi64> to memref<2xi64>
    scf.yield %b : memref<2xi64>
  } else {
    %m = arith.subi %n, %c1 : index
    %b = func.call @odd(%m, %a) : (index, memref<2xi64>) -> memref<2xi64>
    scf.yield %b : memref<2xi64>
  }
  return %r : memref<2xi64>
}
func.func private @odd(%n: index, %a: memref<2xi64>) -> memref<2xi64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %done = arith.cmpi eq, %n, %c0 : index
  cf.cond_br %done, ^last, ^again
^last:
  %b = memref.alloc() {alignment = 64} : memref<2xi64>
  %x = memref.load %a[%c1] : memref<2xi64>
  memref.store %x, %b[%c0] : memref<2xi64>
  memref.store %x, %b[%c1] : memref<2xi64>
  return %b : memref<2xi64>
^again:
  %m = arith.subi %n, %c1 : index
  %r = call @even(%m, %a) : (index, memref<2xi64>) -> memref<2xi64>
  return %r : memref<2xi64>
}
"#;

struct Maker {
    addresses: Addresses,
    rng: Rng,
    text: String,
    depth: usize,
    n_names: usize,
}

impl Maker {
    fn name(&mut self) -> String {
        self.n_names += 1;
        format!("%v{}", self.n_names)
    }

    fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "{}{line}", "  ".repeat(self.depth));
    }

    fn pick(&mut self, values: &[String]) -> String {
        values[self.rng.below(values.len())].clone()
    }

    fn allocate(&mut self, buffers: &mut Vec<String>) {
        let (a, x) = (self.name(), self.name());
        let value = self.rng.range(1, 90);
        self.line(&format!(
            "{a} = memref.alloc() {{alignment = 64}} : memref<2xi64>"
        ));
        self.line(&format!("{x} = arith.constant {value} : i64"));
        self.line(&format!("memref.store {x}, {a}[%c0] : memref<2xi64>"));
        self.line(&format!("memref.store {x}, {a}[%c1] : memref<2xi64>"));
        buffers.push(a);
    }

    fn show(&mut self, buffer: &str) {
        let x = self.name();
        self.line(&format!("{x} = memref.load {buffer}[%c1] : memref<2xi64>"));
        self.print(&x);
    }

    fn print(&mut self, value: &str) {
        self.line(&format!("func.call @show({value}) : (i64) -> ()"));
    }

    fn address(&mut self, buffer: &str) -> String {
        let p = self.name();
        self.line(&format!(
            "{p} = memref.extract_aligned_pointer_as_index {buffer} : memref<2xi64> -> index"
        ));
        p
    }

    /// Prints whether two addresses are equal.
    fn compare(&mut self, p: &str, q: &str) {
        let x = self.name();
        if self.rng.chance(30) {
            self.line(&format!(
                "{x} = func.call @is_same({p}, {q}) : (index, index) -> i64"
            ));
        } else {
            let e = self.name();
            self.line(&format!("{e} = arith.cmpi eq, {p}, {q} : index"));
            self.line(&format!("{x} = arith.extui {e} : i1 to i64"));
        }
        self.print(&x);
    }

    fn statement(&mut self, buffers: &mut Vec<String>) {
        if self.addresses == Addresses::Outlive && self.rng.chance(40) {
            return self.outlive(buffers);
        }
        match self.rng.below(9) {
            0 => self.allocate(buffers),
            // The remainder is a number that was made from an address.
            1 => {
                // Copies are aligned as usual.
                let mut one = Vec::new();
                self.allocate(&mut one);
                let p = self.address(&one[0].clone());
                let (n, r, x) = (self.name(), self.name(), self.name());
                self.line(&format!("{n} = arith.constant 64 : index"));
                self.line(&format!("{r} = arith.remui {p}, {n} : index"));
                self.line(&format!("{x} = arith.index_cast {r} : index to i64"));
                self.print(&x);
            }
            // One that nothing else looks at any more, and one that may get its memory.
            2 => {
                let mut pair = Vec::new();
                self.allocate(&mut pair);
                let p = self.address(&pair[0].clone());
                let there = self.name();
                self.line(&format!("{there} = arith.addi {p}, %c3 : index"));
                self.allocate(&mut pair);
                let q = self.address(&pair[1].clone());
                let back = self.name();
                self.line(&format!("{back} = arith.subi {there}, %c3 : index"));
                self.compare(&back, &q);
            }
            3 => {
                let (a, b) = (self.pick(buffers), self.pick(buffers));
                let (p, q) = (self.address(&a), self.address(&b));
                self.compare(&p, &q);
            }
            // In memory, and found there again.
            4 => {
                let (places, found) = (self.name(), self.name());
                let mut pair = Vec::new();
                self.allocate(&mut pair);
                let p = self.address(&pair[0].clone());
                self.line(&format!("{places} = memref.alloc() : memref<1xindex>"));
                self.line(&format!(
                    "memref.store {p}, {places}[%c0] : memref<1xindex>"
                ));
                self.allocate(&mut pair);
                self.line(&format!(
                    "{found} = memref.load {places}[%c0] : memref<1xindex>"
                ));
                let q = self.address(&pair[1].clone());
                self.compare(&found, &q);
                self.compare(&found, &p);
            }
            5 if self.addresses == Addresses::GoAlong => self.around_a_loop(buffers),
            6 if self.addresses == Addresses::GoAlong => self.out_of_a_branch(buffers),
            7 => self.call_by_address(buffers),
            _ if self.depth < 3 => {
                let i = self.name();
                self.line(&format!("scf.for {i} = %c0 to %c3 step %c1 {{"));
                self.depth += 1;
                let mut inner = buffers.clone();
                for _ in 0..self.rng.range(1, 4) {
                    self.statement(&mut inner);
                }
                self.depth -= 1;
                self.line("}");
            }
            _ => self.allocate(buffers),
        }
    }

    /// An address goes around a loop, with a buffer or without.
    fn around_a_loop(&mut self, buffers: &mut Vec<String>) {
        let a = self.pick(buffers);
        let p = self.address(&a);
        let (r, i, x, m) = (self.name(), self.name(), self.name(), self.name());
        self.line(&format!(
            "{r}:2 = scf.for {i} = %c0 to %c3 step %c1 iter_args({x} = {p}, {m} = {a}) \
             -> (index, memref<2xi64>) {{"
        ));
        self.depth += 1;
        let mut inner = Vec::new();
        self.allocate(&mut inner);
        let q = self.address(&inner[0].clone());
        self.compare(&x, &q);
        let next = match self.rng.chance(50) {
            true => m,
            false => inner[0].clone(),
        };
        // Always the address of the buffer that comes along.
        let n = self.address(&next);
        self.line(&format!("scf.yield {n}, {next} : index, memref<2xi64>"));
        self.depth -= 1;
        self.line("}");
        let mut later = Vec::new();
        self.allocate(&mut later);
        let q = self.address(&later[0].clone());
        self.compare(&format!("{r}#0"), &q);
        buffers.push(format!("{r}#1"));
    }

    /// A buffer and its address leave a branch.
    fn out_of_a_branch(&mut self, buffers: &mut Vec<String>) {
        let a = self.pick(buffers);
        let (c, r) = (self.name(), self.name());
        let value = self.rng.chance(50);
        self.line(&format!("{c} = arith.constant {value}"));
        self.line(&format!("{r}:2 = scf.if {c} -> (memref<2xi64>, index) {{"));
        self.depth += 1;
        let mut inner = Vec::new();
        self.allocate(&mut inner);
        let p = self.address(&inner[0].clone());
        self.line(&format!(
            "scf.yield {}, {p} : memref<2xi64>, index",
            inner[0]
        ));
        self.depth -= 1;
        self.line("} else {");
        self.depth += 1;
        let p = self.address(&a);
        self.line(&format!("scf.yield {a}, {p} : memref<2xi64>, index"));
        self.depth -= 1;
        self.line("}");
        let mut later = Vec::new();
        self.allocate(&mut later);
        let q = self.address(&later[0].clone());
        self.compare(&format!("{r}#1"), &q);
        if self.rng.chance(50) {
            buffers.push(format!("{r}#0"));
        }
    }

    /// Prints whether a buffer that is allocated now has this address.
    fn compare_with_new(&mut self, address: &str) {
        let mut later = Vec::new();
        self.allocate(&mut later);
        let q = self.address(&later[0].clone());
        self.compare(address, &q);
    }

    /// The address of a buffer leaves the function, a branch, or a loop without it, or stays in memory that lives longer.
    fn outlive(&mut self, buffers: &mut [String]) {
        let new_address = |maker: &mut Self| {
            let mut inner = Vec::new();
            maker.allocate(&mut inner);
            maker.address(&inner[0].clone())
        };
        match self.rng.below(4) {
            0 => {
                let p = self.name();
                self.line(&format!("{p} = func.call @made() : () -> index"));
                self.compare_with_new(&p);
            }
            1 => {
                let a = self.pick(buffers);
                let (x, n, c, r) = (self.name(), self.name(), self.name(), self.name());
                self.line(&format!("{x} = memref.load {a}[%c0] : memref<2xi64>"));
                let value = self.rng.range(1, 90);
                self.line(&format!("{n} = arith.constant {value} : i64"));
                self.line(&format!("{c} = arith.cmpi slt, {x}, {n} : i64"));
                self.line(&format!("{r} = scf.if {c} -> (index) {{"));
                for branch in 0..2 {
                    self.depth += 1;
                    let p = new_address(self);
                    self.line(&format!("scf.yield {p} : index"));
                    self.depth -= 1;
                    self.line(["} else {", "}"][branch]);
                }
                self.compare_with_new(&r);
            }
            2 => {
                let first = new_address(self);
                let (r, i, x) = (self.name(), self.name(), self.name());
                self.line(&format!(
                    "{r} = scf.for {i} = %c0 to %c3 step %c1 iter_args({x} = {first}) -> (index) {{"
                ));
                self.depth += 1;
                let p = new_address(self);
                self.compare(&x, &p);
                self.line(&format!("scf.yield {p} : index"));
                self.depth -= 1;
                self.line("}");
                self.compare_with_new(&r);
            }
            _ => {
                let (places, i, found) = (self.name(), self.name(), self.name());
                self.line(&format!("{places} = memref.alloc() : memref<3xindex>"));
                self.line(&format!("scf.for {i} = %c0 to %c3 step %c1 {{"));
                self.depth += 1;
                let p = new_address(self);
                self.line(&format!(
                    "memref.store {p}, {places}[{i}] : memref<3xindex>"
                ));
                self.depth -= 1;
                self.line("}");
                self.line(&format!(
                    "{found} = memref.load {places}[%c1] : memref<3xindex>"
                ));
                self.compare_with_new(&found);
            }
        }
    }

    fn call_by_address(&mut self, buffers: &mut Vec<String>) {
        let a = self.pick(buffers);
        let (n, f, r) = (self.name(), self.name(), self.name());
        let depth = self.rng.below(4);
        let callee = if self.rng.chance(50) { "even" } else { "odd" };
        self.line(&format!("{n} = arith.constant {depth} : index"));
        if self.rng.chance(60) {
            let ty = "(index, memref<2xi64>) -> memref<2xi64>";
            self.line(&format!("{f} = func.constant @{callee} : {ty}"));
            self.line(&format!("{r} = func.call_indirect {f}({n}, {a}) : {ty}"));
        } else {
            self.line(&format!(
                "{r} = func.call @{callee}({n}, {a}) : (index, memref<2xi64>) -> memref<2xi64>"
            ));
        }
        buffers.push(r);
    }
}
