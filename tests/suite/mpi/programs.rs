//! Random programs of several processes, which exchange buffers with their neighbors in a ring.
//!
//! A program is a list of functions that each return a checksum. Every process runs the same statements, so what one
//! sends, its neighbors receive. Requests are waited for later, in another order, in branches, in loops that carry them,
//! and in callees; buffers are used as soon as that is allowed. Each function is written twice: with waits where they
//! were drawn, and with waits right behind the start.

use std::fmt::Write as _;

use crate::support::generator::rng::Rng;

/// A buffer of 8 `i32`, and what a transfer does with it.
#[derive(Clone)]
struct Buffer {
    name: String,
    /// Transfers that read it.
    n_readers: usize,
    is_written: bool,
}

/// A transfer that is not waited for.
#[derive(Clone)]
struct Pending {
    request: String,
    buffer: usize,
    is_written: bool,
}

struct Writer<'r> {
    rng: &'r mut Rng,
    text: String,
    depth: usize,
    n_names: usize,
    buffers: Vec<Buffer>,
    pending: Vec<Pending>,
    /// Waits stand right behind what starts a transfer.
    blocking: bool,
}

/// The functions that all programs have.
const COMMON: &str = r#"
func.func private @make(%x: i32) -> memref<8xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %m = memref.alloc() : memref<8xi32>
  scf.for %i = %c0 to %c8 step %c1 {
    %n = arith.index_cast %i : index to i32
    %k = arith.constant 7 : i32
    %0 = arith.muli %n, %k : i32
    %1 = arith.addi %0, %x : i32
    memref.store %1, %m[%i] : memref<8xi32>
  }
  return %m : memref<8xi32>
}
func.func private @sum(%m: memref<8xi32>) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %z = arith.constant 0 : i32
  %k = arith.constant 31 : i32
  %s = scf.for %i = %c0 to %c8 step %c1 iter_args(%a = %z) -> i32 {
    %v = memref.load %m[%i] : memref<8xi32>
    %0 = arith.muli %a, %k : i32
    %1 = arith.addi %0, %v : i32
    scf.yield %1 : i32
  }
  return %s : i32
}
func.func private @change(%m: memref<8xi32>, %x: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    %v = memref.load %m[%i] : memref<8xi32>
    %0 = arith.xori %v, %x : i32
    memref.store %0, %m[%i] : memref<8xi32>
  }
  return
}
func.func private @wait_in_callee(%r: !mpi.request) {
  mpi.wait(%r) : !mpi.request
  return
}
func.func private @wait_if(%c: i1, %r: !mpi.request, %other: !mpi.request) {
  scf.if %c {
    mpi.wait(%r) : !mpi.request
    mpi.wait(%other) : !mpi.request
  } else {
    mpi.wait(%other) : !mpi.request
    mpi.wait(%r) : !mpi.request
  }
  return
}
func.func private @send_from_callee(%m: memref<8xi32>, %to: i32, %comm: !mpi.comm) -> !mpi.request {
  %tag = arith.constant 3 : i32
  %r = mpi.isend(%m, %tag, %to, %comm) : memref<8xi32>, i32, i32 -> !mpi.request
  return %r : !mpi.request
}
func.func private @receive_in_callee(%from: i32, %comm: !mpi.comm) -> (memref<8xi32>, !mpi.request) {
  %tag = arith.constant 3 : i32
  %m = memref.alloc() : memref<8xi32>
  %r = mpi.irecv(%m, %tag, %from, %comm) : memref<8xi32>, i32, i32 -> !mpi.request
  return %m, %r : memref<8xi32>, !mpi.request
}
"#;

/// A program of `n` functions whose checksums `@main` combines and prints.
pub(super) fn program(seed: u64, n: usize, blocking: bool) -> String {
    let mut text = String::from(COMMON);
    let mut main = String::from(
        "func.func @main() -> i32 {\n  mpi.init\n  %comm = mpi.comm_world : !mpi.comm\n  \
         %rank = mpi.comm_rank(%comm) : i32\n  %size = mpi.comm_size(%comm) : i32\n  \
         %one = arith.constant 1 : i32\n  %k = arith.constant 1000003 : i32\n  \
         %a = arith.addi %rank, %one : i32\n  %next = arith.remui %a, %size : i32\n  \
         %b = arith.addi %rank, %size : i32\n  %c = arith.subi %b, %one : i32\n  \
         %before = arith.remui %c, %size : i32\n  %x0 = arith.constant 1 : i32\n",
    );
    for i in 0..n {
        let mut rng = Rng::new(seed.wrapping_mul(1000).wrapping_add(i as u64));
        text += &function(&mut rng, i, blocking);
        let _ = writeln!(
            main,
            "  %f{i} = func.call @f{i}(%rank, %next, %before, %comm) : (i32, i32, i32, !mpi.comm) -> i32\n  \
             %m{i} = arith.muli %x{i}, %k : i32\n  %x{} = arith.addi %m{i}, %f{i} : i32",
            i + 1
        );
    }
    let _ = write!(main, "  mpi.finalize\n  return %x{n} : i32\n}}\n");
    text + &main
}

fn function(rng: &mut Rng, number: usize, blocking: bool) -> String {
    let mut writer = Writer {
        rng,
        text: String::new(),
        depth: 1,
        n_names: 0,
        buffers: Vec::new(),
        pending: Vec::new(),
        blocking,
    };
    writer.make();
    let n = writer.rng.range(4, 12);
    for _ in 0..n {
        writer.statement();
    }
    while !writer.pending.is_empty() {
        writer.wait_one();
    }
    let mut sum = "%zero".to_owned();
    for i in 0..writer.buffers.len() {
        sum = writer.add_sum(i, &sum);
    }
    format!(
        "func.func private @f{number}(%rank: i32, %next: i32, %before: i32, %comm: !mpi.comm) -> i32 {{\n  \
         %zero = arith.constant 0 : i32\n  %tag = arith.constant 3 : i32\n  %c0 = arith.constant 0 : index\n  \
         %c1 = arith.constant 1 : index\n  %c3 = arith.constant 3 : index\n  %yes = arith.constant true\n  \
         %no = arith.constant false\n{}  return {sum} : i32\n}}\n",
        writer.text
    )
}

impl Writer<'_> {
    fn name(&mut self) -> String {
        self.n_names += 1;
        format!("%v{}", self.n_names)
    }

    fn line(&mut self, text: &str) {
        let _ = writeln!(self.text, "{}{text}", "  ".repeat(self.depth));
    }

    fn new_buffer(&mut self, name: String) -> usize {
        self.buffers.push(Buffer {
            name,
            n_readers: 0,
            is_written: false,
        });
        self.buffers.len() - 1
    }

    /// A new buffer that depends on the process.
    fn make(&mut self) -> usize {
        let (x, salt, m) = (self.name(), self.name(), self.name());
        let number = self.rng.below(1000);
        self.line(&format!("{salt} = arith.constant {number} : i32"));
        self.line(&format!("{x} = arith.addi %rank, {salt} : i32"));
        self.line(&format!(
            "{m} = func.call @make({x}) : (i32) -> memref<8xi32>"
        ));
        self.new_buffer(m)
    }

    /// A buffer that no transfer writes.
    fn readable(&mut self) -> Option<usize> {
        let all: Vec<usize> = (0..self.buffers.len())
            .filter(|&i| !self.buffers[i].is_written)
            .collect();
        (!all.is_empty()).then(|| *self.rng.pick(&all))
    }

    /// A buffer that no transfer uses.
    fn writable(&mut self) -> Option<usize> {
        let is_free = |buffer: &Buffer| !buffer.is_written && buffer.n_readers == 0;
        let all: Vec<usize> = (0..self.buffers.len())
            .filter(|&i| is_free(&self.buffers[i]))
            .collect();
        (!all.is_empty()).then(|| *self.rng.pick(&all))
    }

    fn wait_text(&mut self, request: &str) {
        match self.rng.below(4) {
            0 => self.line(&format!(
                "func.call @wait_in_callee({request}) : (!mpi.request) -> ()"
            )),
            _ => self.line(&format!("mpi.wait({request}) : !mpi.request")),
        }
    }

    fn start(&mut self, request: String, buffer: usize, is_written: bool) {
        match is_written {
            true => self.buffers[buffer].is_written = true,
            false => self.buffers[buffer].n_readers += 1,
        }
        self.pending.push(Pending {
            request,
            buffer,
            is_written,
        });
    }

    fn end(&mut self, pending: &Pending) {
        let buffer = &mut self.buffers[pending.buffer];
        match pending.is_written {
            true => buffer.is_written = false,
            false => buffer.n_readers -= 1,
        }
    }

    /// Sends a buffer to the next process and receives one from the one before.
    fn exchange(&mut self) {
        let Some(source) = self.readable() else {
            return;
        };
        let sent = self.buffers[source].name.clone();
        let (target, r, s) = (self.name(), self.name(), self.name());
        if self.rng.below(3) == 0 {
            self.line(&format!(
                "{target}, {r} = func.call @receive_in_callee(%before, %comm) : (i32, !mpi.comm) -> (memref<8xi32>, !mpi.request)"
            ));
        } else {
            self.line(&format!("{target} = memref.alloc() : memref<8xi32>"));
            self.line(&format!(
                "{r} = mpi.irecv({target}, %tag, %before, %comm) : memref<8xi32>, i32, i32 -> !mpi.request"
            ));
        }
        if self.rng.below(3) == 0 {
            self.line(&format!(
                "{s} = func.call @send_from_callee({sent}, %next, %comm) : (memref<8xi32>, i32, !mpi.comm) -> !mpi.request"
            ));
        } else {
            self.line(&format!(
                "{s} = mpi.isend({sent}, %tag, %next, %comm) : memref<8xi32>, i32, i32 -> !mpi.request"
            ));
        }
        let target = self.new_buffer(target);
        if self.blocking {
            self.line(&format!("mpi.wait({r}) : !mpi.request"));
            self.line(&format!("mpi.wait({s}) : !mpi.request"));
        }
        self.start(r, target, true);
        self.start(s, source, false);
    }

    fn wait_one(&mut self) {
        let at = self.rng.below(self.pending.len());
        let pending = self.pending.remove(at);
        // Draws the same numbers in both forms.
        let before = self.text.len();
        self.wait_text(&pending.request);
        if self.blocking {
            self.text.truncate(before);
        }
        self.end(&pending);
    }

    /// Two requests are waited for in an order that depends on a condition.
    fn wait_two(&mut self) {
        if self.pending.len() < 2 {
            return;
        }
        let first = self.pending.remove(0);
        let second = self.pending.remove(0);
        let condition = self.condition();
        let (a, b) = (&first.request, &second.request);
        let text = match self.rng.below(2) {
            0 => format!(
                "func.call @wait_if({condition}, {a}, {b}) : (i1, !mpi.request, !mpi.request) -> ()"
            ),
            _ => format!(
                "scf.if {condition} {{\n mpi.wait({a}) : !mpi.request\n mpi.wait({b}) : !mpi.request\n}} else {{\n \
                 mpi.wait({b}) : !mpi.request\n mpi.wait({a}) : !mpi.request\n}}"
            ),
        };
        if !self.blocking {
            self.line(&text);
        }
        self.end(&first);
        self.end(&second);
    }

    /// A condition that is the same in all processes, and that no pass knows.
    fn condition(&mut self) -> String {
        let (number, bit) = (self.name(), self.name());
        let text = match self.rng.below(3) {
            0 => format!("{number} = arith.cmpi sge, %rank, %zero : i32"),
            1 => format!("{number} = arith.cmpi slt, %rank, %zero : i32"),
            _ => format!("{number} = arith.cmpi sge, %next, %zero : i32"),
        };
        self.line(&text);
        self.line(&format!("{bit} = arith.andi {number}, %yes : i1"));
        bit
    }

    fn add_sum(&mut self, buffer: usize, sum: &str) -> String {
        let (own, all) = (self.name(), self.name());
        let name = self.buffers[buffer].name.clone();
        self.line(&format!(
            "{own} = func.call @sum({name}) : (memref<8xi32>) -> i32"
        ));
        self.line(&format!("{all} = arith.addi {sum}, {own} : i32"));
        all
    }

    fn change(&mut self) {
        let Some(buffer) = self.writable() else {
            return;
        };
        let name = self.buffers[buffer].name.clone();
        let number = self.rng.below(1000);
        let x = self.name();
        self.line(&format!("{x} = arith.constant {number} : i32"));
        self.line(&format!(
            "func.call @change({name}, {x}) : (memref<8xi32>, i32) -> ()"
        ));
    }

    /// One buffer becomes a sum that another is changed by.
    fn combine(&mut self) {
        let (Some(from), Some(to)) = (self.readable(), self.writable()) else {
            return;
        };
        let (from, to) = (
            self.buffers[from].name.clone(),
            self.buffers[to].name.clone(),
        );
        let sum = self.name();
        self.line(&format!(
            "{sum} = func.call @sum({from}) : (memref<8xi32>) -> i32"
        ));
        self.line(&format!(
            "func.call @change({to}, {sum}) : (memref<8xi32>, i32) -> ()"
        ));
    }

    /// Both branches start a transfer; which buffer is sent depends on the condition.
    fn branch(&mut self) {
        let condition = self.condition();
        let (Some(one), Some(other)) = (self.readable(), self.readable()) else {
            return;
        };
        let (one, other) = (
            self.buffers[one].name.clone(),
            self.buffers[other].name.clone(),
        );
        let (target, r, s) = (self.name(), self.name(), self.name());
        self.line(&format!("{target} = memref.alloc() : memref<8xi32>"));
        self.line(&format!(
            "{r} = mpi.irecv({target}, %tag, %before, %comm) : memref<8xi32>, i32, i32 -> !mpi.request"
        ));
        let sends = |buffer: &str| {
            format!(
                "%s = mpi.isend({buffer}, %tag, %next, %comm) : memref<8xi32>, i32, i32 -> !mpi.request"
            )
        };
        if self.blocking {
            self.line(&format!(
                "scf.if {condition} {{\n{}\nmpi.wait(%s) : !mpi.request\n}} else {{\n{}\nmpi.wait(%s) : !mpi.request\n}}\nmpi.wait({r}) : !mpi.request",
                sends(&one),
                sends(&other)
            ));
            let target = self.new_buffer(target);
            self.start(r, target, true);
        } else {
            self.line(&format!(
                "{s} = scf.if {condition} -> !mpi.request {{\n{}\nscf.yield %s : !mpi.request\n}} else {{\n{}\nscf.yield %s : !mpi.request\n}}",
                sends(&one),
                sends(&other)
            ));
            self.line(&format!("mpi.wait({s}) : !mpi.request"));
            let target = self.new_buffer(target);
            self.start(r, target, true);
        }
    }

    /// A loop that carries a transfer: each iteration waits for the one that the last one started.
    fn carry(&mut self) {
        let Some(sent) = self.readable() else { return };
        let sent = self.buffers[sent].name.clone();
        let (a, ra, sa, end) = (self.name(), self.name(), self.name(), self.name());
        let send = |s: &str| {
            format!(
                "{s} = mpi.isend({sent}, %tag, %next, %comm) : memref<8xi32>, i32, i32 -> !mpi.request"
            )
        };
        let receive = |m: &str, r: &str| {
            format!(
                "{m} = memref.alloc() : memref<8xi32>\n\
                 {r} = mpi.irecv({m}, %tag, %before, %comm) : memref<8xi32>, i32, i32 -> !mpi.request"
            )
        };
        let use_it = format!(
            "mpi.wait(%r) : !mpi.request\n%t = func.call @sum(%new) : (memref<8xi32>) -> i32\n\
             func.call @change({a}, %t) : (memref<8xi32>, i32) -> ()"
        );
        let (first, body) = (receive(&a, &ra), receive("%new", "%r"));
        let (start, again) = (send(&sa), send("%s2"));
        let text = match self.blocking {
            true => format!(
                "{first}\n{start}\nmpi.wait({ra}) : !mpi.request\nmpi.wait({sa}) : !mpi.request\n\
                 scf.for %i = %c0 to %c3 step %c1 {{\n{body}\n{again}\nmpi.wait(%s2) : !mpi.request\n{use_it}\n}}"
            ),
            false => format!(
                "{first}\n{start}\nmpi.wait({ra}) : !mpi.request\n\
                 {end} = scf.for %i = %c0 to %c3 step %c1 iter_args(%s = {sa}) -> (!mpi.request) {{\n\
                 {body}\nmpi.wait(%s) : !mpi.request\n{again}\n{use_it}\n\
                 scf.yield %s2 : !mpi.request\n}}\nmpi.wait({end}) : !mpi.request"
            ),
        };
        self.line(&text);
        self.new_buffer(a);
    }

    /// Both branches make the buffer that they send, of two types, and hand on the request alone.
    fn branch_makes(&mut self) {
        let condition = self.condition();
        let (target, r, s) = (self.name(), self.name(), self.name());
        self.line(&format!(
            "{target} = memref.alloc() : memref<8xi32>\n\
             {r} = mpi.irecv({target}, %tag, %before, %comm) : memref<8xi32>, i32, i32 -> !mpi.request"
        ));
        let is_dynamic = self.rng.below(2) == 0;
        let send = |number: i32, ty: &str| {
            let cast = match ty {
                "memref<8xi32>" => String::new(),
                _ => format!("%b = memref.cast %a : memref<8xi32> to {ty}\n"),
            };
            let buffer = if cast.is_empty() { "%a" } else { "%b" };
            format!(
                "%n = arith.constant {number} : i32\n%x = arith.addi %rank, %n : i32\n\
                 %a = func.call @make(%x) : (i32) -> memref<8xi32>\n{cast}\
                 %s = mpi.isend({buffer}, %tag, %next, %comm) : {ty}, i32, i32 -> !mpi.request"
            )
        };
        let one = send(self.rng.below(1000) as i32, "memref<8xi32>");
        let ty = if is_dynamic {
            "memref<?xi32>"
        } else {
            "memref<8xi32>"
        };
        let other = send(self.rng.below(1000) as i32, ty);
        let text = match self.blocking {
            true => format!(
                "scf.if {condition} {{\n{one}\nmpi.wait(%s) : !mpi.request\n}} else {{\n{other}\n\
                 mpi.wait(%s) : !mpi.request\n}}\nmpi.wait({r}) : !mpi.request"
            ),
            false => format!(
                "{s} = scf.if {condition} -> !mpi.request {{\n{one}\nscf.yield %s : !mpi.request\n}} else {{\n\
                 {other}\nscf.yield %s : !mpi.request\n}}\nmpi.wait({s}) : !mpi.request"
            ),
        };
        self.line(&text);
        let target = self.new_buffer(target);
        self.start(r, target, true);
    }

    /// Both branches make the buffer that they receive into, and hand it on with its request.
    fn branch_receives(&mut self) {
        let condition = self.condition();
        let Some(sent) = self.readable() else { return };
        let sent = self.buffers[sent].name.clone();
        let (r, s) = (self.name(), self.name());
        let receive = "%m = memref.alloc() : memref<8xi32>\n\
             %r = mpi.irecv(%m, %tag, %before, %comm) : memref<8xi32>, i32, i32 -> !mpi.request\n\
             scf.yield %r, %m : !mpi.request, memref<8xi32>";
        let other = "%m, %r = func.call @receive_in_callee(%before, %comm) : (i32, !mpi.comm) -> (memref<8xi32>, !mpi.request)\n\
             scf.yield %r, %m : !mpi.request, memref<8xi32>";
        let other = if self.rng.below(2) == 0 {
            receive
        } else {
            other
        };
        self.line(&format!(
            "{r}:2 = scf.if {condition} -> (!mpi.request, memref<8xi32>) {{\n{receive}\n}} else {{\n{other}\n}}\n\
             {s} = mpi.isend({sent}, %tag, %next, %comm) : memref<8xi32>, i32, i32 -> !mpi.request\n\
             mpi.wait({s}) : !mpi.request"
        ));
        if self.blocking {
            self.line(&format!("mpi.wait({r}#0) : !mpi.request"));
        }
        let target = self.new_buffer(format!("{r}#1"));
        self.start(format!("{r}#0"), target, true);
    }

    /// A loop carries the transfer of a buffer that the iteration made.
    fn carry_made(&mut self) {
        let (a, ra, m, sa, end) = (
            self.name(),
            self.name(),
            self.name(),
            self.name(),
            self.name(),
        );
        let make = |m: &str, s: &str| {
            format!(
                "{m} = func.call @make(%rank) : (i32) -> memref<8xi32>\n\
                 {s} = mpi.isend({m}, %tag, %next, %comm) : memref<8xi32>, i32, i32 -> !mpi.request"
            )
        };
        let receive = |m: &str, r: &str| {
            format!(
                "{m} = memref.alloc() : memref<8xi32>\n\
                 {r} = mpi.irecv({m}, %tag, %before, %comm) : memref<8xi32>, i32, i32 -> !mpi.request"
            )
        };
        let use_it = format!(
            "mpi.wait(%r) : !mpi.request\n%t = func.call @sum(%new) : (memref<8xi32>) -> i32\n\
             func.call @change({a}, %t) : (memref<8xi32>, i32) -> ()"
        );
        let (first, body) = (receive(&a, &ra), receive("%new", "%r"));
        let (start, again) = (make(&m, &sa), make("%m2", "%s2"));
        let wait = if self.rng.below(2) == 0 {
            "mpi.wait(%s) : !mpi.request"
        } else {
            "func.call @wait_in_callee(%s) : (!mpi.request) -> ()"
        };
        let text = match self.blocking {
            true => format!(
                "{first}\n{start}\nmpi.wait({ra}) : !mpi.request\nmpi.wait({sa}) : !mpi.request\n\
                 scf.for %i = %c0 to %c3 step %c1 {{\n{body}\n{again}\nmpi.wait(%s2) : !mpi.request\n{use_it}\n}}"
            ),
            false => format!(
                "{first}\n{start}\nmpi.wait({ra}) : !mpi.request\n\
                 {end} = scf.for %i = %c0 to %c3 step %c1 iter_args(%s = {sa}) -> (!mpi.request) {{\n\
                 {body}\n{wait}\n{again}\n{use_it}\n\
                 scf.yield %s2 : !mpi.request\n}}\nmpi.wait({end}) : !mpi.request"
            ),
        };
        self.line(&text);
        self.new_buffer(a);
    }

    /// A loop carries a transfer and the buffer that it fills; each iteration uses what the last one received.
    fn carry_received(&mut self) {
        let Some(sent) = self.readable() else { return };
        let sent = self.buffers[sent].name.clone();
        let (sum, a, ra, sa, end) = (
            self.name(),
            self.name(),
            self.name(),
            self.name(),
            self.name(),
        );
        let exchange = |m: &str, r: &str, s: &str| {
            format!(
                "{m} = memref.alloc() : memref<8xi32>\n\
                 {r} = mpi.irecv({m}, %tag, %before, %comm) : memref<8xi32>, i32, i32 -> !mpi.request\n\
                 {s} = mpi.isend({sent}, %tag, %next, %comm) : memref<8xi32>, i32, i32 -> !mpi.request\n\
                 mpi.wait({s}) : !mpi.request"
            )
        };
        let (first, body) = (exchange(&a, &ra, &sa), exchange("%new", "%r2", "%s2"));
        let acc = format!("{sum} = func.call @make(%rank) : (i32) -> memref<8xi32>");
        let (before, inside, last) = match self.blocking {
            true => (
                format!("mpi.wait({ra}) : !mpi.request"),
                ("", "mpi.wait(%r2) : !mpi.request"),
                String::new(),
            ),
            false => (
                String::new(),
                ("mpi.wait(%r) : !mpi.request", ""),
                format!("mpi.wait({end}#0) : !mpi.request"),
            ),
        };
        self.line(&format!(
            "{acc}\n{first}\n{before}\n\
             {end}:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%r = {ra}, %b = {a}) -> (!mpi.request, memref<8xi32>) {{\n\
             {}\n%t = func.call @sum(%b) : (memref<8xi32>) -> i32\n\
             func.call @change({sum}, %t) : (memref<8xi32>, i32) -> ()\n{body}\n{}\n\
             scf.yield %r2, %new : !mpi.request, memref<8xi32>\n}}\n{last}",
            inside.0, inside.1
        ));
        self.new_buffer(sum);
        self.new_buffer(format!("{end}#1"));
    }

    fn statement(&mut self) {
        match self.rng.below(20) {
            0 => {
                self.make();
            }
            1..=4 => self.exchange(),
            5..=7 if !self.pending.is_empty() => self.wait_one(),
            8 => self.wait_two(),
            9..=10 => self.change(),
            11..=12 => self.combine(),
            13 => self.branch(),
            14 => self.carry(),
            15 => self.branch_makes(),
            16 => self.branch_receives(),
            17 => self.carry_made(),
            18 => self.carry_received(),
            _ => self.exchange(),
        }
    }
}
