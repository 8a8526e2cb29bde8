//! Bodies of `async.execute`: inside of each other, in groups, in loops and branches, that depend on each other, take and
//! yield values, and use buffers that others use when they have waited.
//!
//! A buffer is used by one body at a time, or by the code around when it has waited for all bodies that use it; so
//! programs print the same in whatever order bodies run. With [`generate_lost`], some tokens are never waited for, some
//! go round loops, some bodies yield buffers, and some functions go on by themselves: `run` waits or runs them in order, and
//! passes on their own say that they cannot tell.

use std::fmt::Write as _;

use super::writer::Writer;
use crate::support::generator::rng::Rng;

const BUFFER: &str = "memref<8xi64>";

/// Functions that go on by themselves, and one that starts bodies and waits for them.
const FUNCTIONS: &str = r"async.func private @later(%m: memref<8xi64>, %x: i64) -> (!async.token, !async.value<i64>) {
  %c3 = arith.constant 3 : index
  %old = memref.load %m[%c3] : memref<8xi64>
  %new = arith.addi %old, %x : i64
  memref.store %new, %m[%c3] : memref<8xi64>
  return %new : i64
}
func.func private @both(%m: memref<8xi64>, %n: memref<8xi64>, %x: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t0, %v0 = async.execute -> !async.value<i64> {
    %y = memref.load %m[%c1] : memref<8xi64>
    %z = arith.addi %y, %x : i64
    memref.store %z, %m[%c0] : memref<8xi64>
    async.yield %z : i64
  }
  %t1, %v1 = async.execute -> !async.value<i64> {
    %tmp = memref.alloc() : memref<8xi64>
    memref.copy %n, %tmp : memref<8xi64> to memref<8xi64>
    %y = memref.load %tmp[%c1] : memref<8xi64>
    %z = arith.muli %y, %x : i64
    memref.store %z, %n[%c0] : memref<8xi64>
    async.yield %z : i64
  }
  %a = async.await %v0 : !async.value<i64>
  %b = async.await %v1 : !async.value<i64>
  %c = arith.addi %a, %b : i64
  return %c : i64
}
";

/// The program with this seed, whose tokens are all waited for.
pub(crate) fn generate(seed: u64) -> String {
    program(seed, false)
}

/// The program with this seed, in which tokens get lost and values hold buffers.
pub(crate) fn generate_lost(seed: u64) -> String {
    program(seed, true)
}

fn program(seed: u64, loses: bool) -> String {
    let mut program = Program {
        rng: Rng::new(seed),
        out: Writer::default(),
        loses,
        buffers: Vec::new(),
        tasks: Vec::new(),
        sum: String::new(),
    };
    program.out.declare_print();
    program.out.text.push_str(FUNCTIONS);
    program.out.text.push_str("func.func @main() {\n");
    for number in 0..8 {
        program.line(&format!("%c{number} = arith.constant {number} : index"));
    }
    program.line("%c8 = arith.constant 8 : index");
    program.line("%seven = arith.constant 7 : i64");
    program.line("%yes = arith.constant true");
    program.line("%none = arith.constant 0 : i64");
    program.line(&format!("%shared = memref.alloc() : {BUFFER}"));
    program.line(&format!(
        "linalg.fill ins(%seven : i64) outs(%shared : {BUFFER})"
    ));
    program.sum = "%none".to_owned();
    for _ in 0..2 {
        program.allocate();
    }
    for _ in 0..program.rng.range(6, 16) {
        program.step();
    }
    program.finish();
    program.out.text
}

/// A body that nobody has waited for.
struct Task {
    token: String,
    value: Option<String>,
    /// The buffers that it uses.
    buffers: Vec<usize>,
}

struct Program {
    rng: Rng,
    out: Writer,
    loses: bool,
    buffers: Vec<String>,
    tasks: Vec<Task>,
    /// What was computed so far.
    sum: String,
}

impl Program {
    fn line(&mut self, line: &str) {
        self.out.line(line);
    }

    fn allocate(&mut self) {
        let buffer = self.out.value(&format!("memref.alloc() : {BUFFER}"));
        let sum = self.sum.clone();
        self.line(&format!(
            "linalg.fill ins({sum} : i64) outs({buffer} : {BUFFER})"
        ));
        self.buffers.push(buffer);
    }

    fn place(&mut self) -> String {
        format!("%c{}", self.rng.below(8))
    }

    /// A buffer that no body uses; a new one if there is none.
    fn free_buffer(&mut self) -> usize {
        let is_free =
            |&number: &usize| !self.tasks.iter().any(|task| task.buffers.contains(&number));
        let free: Vec<usize> = (0..self.buffers.len()).filter(is_free).collect();
        if free.is_empty() {
            self.allocate();
            return self.buffers.len() - 1;
        }
        *self.rng.pick(&free)
    }

    fn add(&mut self, value: &str) {
        let scaled = self
            .out
            .value(&format!("arith.muli {}, %seven : i64", self.sum));
        self.sum = self
            .out
            .value(&format!("arith.addi {scaled}, {value} : i64"));
    }

    /// What happens to a buffer in a body or elsewhere: gives a number.
    fn work(&mut self, buffer: &str, depth: usize) -> String {
        let (from, to) = (self.place(), self.place());
        let x = self
            .out
            .value(&format!("memref.load {buffer}[{from}] : {BUFFER}"));
        let y = self
            .out
            .value(&format!("memref.load %shared[{to}] : {BUFFER}"));
        let mut z = self.out.value(&format!("arith.addi {x}, {y} : i64"));
        match self.rng.below(if depth < 2 { 6 } else { 4 }) {
            0 => {
                let tmp = self.out.value(&format!("memref.alloc() : {BUFFER}"));
                self.line(&format!(
                    "memref.copy {buffer}, {tmp} : {BUFFER} to {BUFFER}"
                ));
                self.line(&format!("memref.store {z}, {tmp}[{from}] : {BUFFER}"));
                self.line(&format!(
                    "memref.copy {tmp}, {buffer} : {BUFFER} to {BUFFER}"
                ));
            }
            1 => {
                let number = self.out.fresh();
                self.line(&format!("scf.for %i{number} = %c0 to %c8 step %c1 {{"));
                let old = (self.out).value(&format!("memref.load {buffer}[%i{number}] : {BUFFER}"));
                let new = self.out.value(&format!("arith.addi {old}, {z} : i64"));
                self.line(&format!(
                    "memref.store {new}, {buffer}[%i{number}] : {BUFFER}"
                ));
                self.line("}");
            }
            4 => {
                // One inside of the other.
                let (token, value) = (self.out.name(), self.out.name());
                self.line(&format!(
                    "{token}, {value} = async.execute -> !async.value<i64> {{"
                ));
                let inner = self.work(buffer, depth + 1);
                self.line(&format!("async.yield {inner} : i64"));
                self.line("}");
                z = self
                    .out
                    .value(&format!("async.await {value} : !async.value<i64>"));
            }
            5 => {
                let token = self.out.name();
                self.line(&format!("{token} = async.execute {{"));
                self.work(buffer, depth + 1);
                self.line("async.yield");
                self.line("}");
                self.line(&format!("async.await {token} : !async.token"));
            }
            _ => {}
        }
        self.line(&format!("memref.store {z}, {buffer}[{to}] : {BUFFER}"));
        z
    }

    /// Starts a body, which may depend on one that nobody has waited for.
    fn execute(&mut self) {
        let mut buffers = vec![self.free_buffer()];
        let (mut dependency, mut operand) = (String::new(), String::new());
        let mut argument = None;
        if !self.tasks.is_empty() && self.rng.chance(50) {
            // Whatever may use the same buffers comes first.
            let number = self.rng.below(self.tasks.len());
            let used = self.tasks[number].buffers.clone();
            let mut before = Vec::new();
            for task in &self.tasks {
                if task.buffers.iter().any(|buffer| used.contains(buffer)) {
                    before.push(task.token.clone());
                }
            }
            dependency = format!("[{}] ", before.join(", "));
            if let Some(value) = self.tasks[number].value.clone()
                && self.rng.chance(60)
            {
                let name = self.out.name();
                operand = format!("({value} as {name}: !async.value<i64>) ");
                argument = Some(name);
            }
            buffers.extend(used);
        }
        let token = self.out.name();
        let value = self.rng.chance(60).then(|| self.out.name());
        let results = value
            .as_ref()
            .map_or(String::new(), |value| format!(", {value}"));
        let types = if value.is_some() {
            "-> !async.value<i64> "
        } else {
            ""
        };
        self.line(&format!(
            "{token}{results} = async.execute {dependency}{operand}{types}{{"
        ));
        let mut sum = argument.unwrap_or_else(|| "%seven".to_owned());
        for &buffer in &buffers {
            let buffer = self.buffers[buffer].clone();
            let x = self.work(&buffer, 0);
            sum = self.out.value(&format!("arith.addi {sum}, {x} : i64"));
        }
        match value {
            Some(_) => self.line(&format!("async.yield {sum} : i64")),
            None => self.line("async.yield"),
        }
        self.line("}");
        self.tasks.push(Task {
            token,
            value,
            buffers,
        });
    }

    fn wait(&mut self, task: &Task) {
        match &task.value {
            Some(value) => {
                let x = self
                    .out
                    .value(&format!("async.await {value} : !async.value<i64>"));
                self.add(&x);
            }
            None => self.line(&format!("async.await {} : !async.token", task.token)),
        }
    }

    fn step(&mut self) {
        match self.rng.below(if self.loses { 15 } else { 12 }) {
            0 => self.allocate(),
            1..=3 => self.execute(),
            4 | 5 if !self.tasks.is_empty() => {
                let number = self.rng.below(self.tasks.len());
                let task = self.tasks.remove(number);
                self.wait(&task);
            }
            6 => self.group_of_iterations(),
            7 => self.iterations(),
            8 if self.loses => {
                let buffer = self.free_buffer();
                let (token, value) = (self.out.name(), self.out.name());
                let (name, sum) = (self.buffers[buffer].clone(), self.sum.clone());
                self.line(&format!(
                    "{token}, {value} = async.call @later({name}, {sum}) : ({BUFFER}, i64) -> \
                     (!async.token, !async.value<i64>)"
                ));
                self.tasks.push(Task {
                    token,
                    value: Some(value),
                    buffers: vec![buffer],
                });
            }
            9 => {
                self.allocate();
                let (a, b) = (self.free_buffer(), self.buffers.len() - 1);
                if a != b {
                    let [a, b] = [a, b].map(|number| self.buffers[number].clone());
                    let sum = self.sum.clone();
                    let x = self.out.value(&format!(
                        "func.call @both({a}, {b}, {sum}) : ({BUFFER}, {BUFFER}, i64) -> i64"
                    ));
                    self.add(&x);
                }
            }
            10 => self.branch(),
            12 => self.carried(),
            13 => self.handed_on(),
            14 => {
                // Nobody waits; its buffers are used no more.
                let buffer = self.free_buffer();
                let name = self.buffers[buffer].clone();
                let token = self.out.name();
                self.line(&format!("{token} = async.execute {{"));
                self.work(&name, 0);
                self.line("async.yield");
                self.line("}");
                self.buffers[buffer] = self.out.value(&format!("memref.alloc() : {BUFFER}"));
                let (new, sum) = (self.buffers[buffer].clone(), self.sum.clone());
                self.line(&format!(
                    "linalg.fill ins({sum} : i64) outs({new} : {BUFFER})"
                ));
            }
            _ => {
                let buffer = self.free_buffer();
                let name = self.buffers[buffer].clone();
                let x = self.work(&name, 2);
                self.add(&x);
            }
        }
    }

    /// Iterations each write an element, and all are waited for behind the loop.
    fn group_of_iterations(&mut self) {
        let buffer = self.free_buffer();
        let name = self.buffers[buffer].clone();
        let (group, number) = (self.out.name(), self.out.fresh());
        let i = format!("%i{number}");
        self.line(&format!("{group} = async.create_group %c8 : !async.group"));
        self.line(&format!("scf.for {i} = %c0 to %c8 step %c1 {{"));
        let own = self.rng.chance(30).then(|| {
            let own = self.out.value(&format!("memref.alloc() : {BUFFER}"));
            self.out.line(&format!(
                "linalg.fill ins(%seven : i64) outs({own} : {BUFFER})"
            ));
            own
        });
        let has_own = own.is_some();
        let token = self.out.name();
        // Another body computes what is added, and only this one uses its value.
        let first = self
            .rng
            .chance(40)
            .then(|| (self.out.name(), self.out.name()));
        match &first {
            Some((first, value)) => self.line(&format!(
                "{first}, {value} = async.execute -> !async.value<i64> {{"
            )),
            None => self.line(&format!("{token} = async.execute {{")),
        }
        let mut sum = self
            .out
            .value(&format!("arith.index_cast {i} : index to i64"));
        if self.rng.chance(50) {
            let tmp = self.out.value(&format!("memref.alloc() : {BUFFER}"));
            self.line(&format!("memref.store {sum}, {tmp}[{i}] : {BUFFER}"));
            sum = self
                .out
                .value(&format!("memref.load {tmp}[{i}] : {BUFFER}"));
        }
        if let Some(own) = own {
            let x = self.work(&own, 1);
            sum = self.out.value(&format!("arith.addi {sum}, {x} : i64"));
        }
        if let Some((_, value)) = first {
            let argument = self.out.name();
            self.line(&format!("async.yield {sum} : i64"));
            self.line("}");
            self.line(&format!(
                "{token} = async.execute ({value} as {argument}: !async.value<i64>) {{"
            ));
            sum = argument;
        }
        let old = self
            .out
            .value(&format!("memref.load {name}[{i}] : {BUFFER}"));
        let new = self.out.value(&format!("arith.addi {old}, {sum} : i64"));
        self.line(&format!("memref.store {new}, {name}[{i}] : {BUFFER}"));
        self.line("async.yield");
        self.line("}");
        let rank = self.out.name();
        self.line(&format!(
            "{rank} = async.add_to_group {token}, {group} : !async.token"
        ));
        // Without this, a buffer of the iteration would be needed longer than it lives.
        if has_own && !self.loses {
            self.line(&format!("async.await {token} : !async.token"));
        }
        self.line("}");
        self.line(&format!("async.await_all {group}"));
        let x = self
            .out
            .value(&format!("memref.load {name}[%c3] : {BUFFER}"));
        self.add(&x);
    }

    /// Iterations wait for what they start, among others with buffers of their own.
    fn iterations(&mut self) {
        let buffer = self.free_buffer();
        let name = self.buffers[buffer].clone();
        let number = self.out.fresh();
        let (i, s) = (format!("%i{number}"), format!("%s{number}"));
        let result = self.out.name();
        let sum = self.sum.clone();
        self.line(&format!(
            "{result} = scf.for {i} = %c0 to %c4 step %c1 iter_args({s} = {sum}) -> i64 {{"
        ));
        let own = self.out.value(&format!("memref.alloc() : {BUFFER}"));
        self.line(&format!(
            "linalg.fill ins({s} : i64) outs({own} : {BUFFER})"
        ));
        let (first, second) = (self.out.name(), self.out.name());
        let (x, y) = (self.out.name(), self.out.name());
        self.line(&format!(
            "{first}, {x} = async.execute -> !async.value<i64> {{"
        ));
        let inner = self.work(&own, 1);
        self.line(&format!("async.yield {inner} : i64"));
        self.line("}");
        self.line(&format!(
            "{second}, {y} = async.execute -> !async.value<i64> {{"
        ));
        let inner = self.work(&name, 1);
        self.line(&format!("async.yield {inner} : i64"));
        self.line("}");
        let x = self
            .out
            .value(&format!("async.await {x} : !async.value<i64>"));
        let y = self
            .out
            .value(&format!("async.await {y} : !async.value<i64>"));
        let z = self.work(&own, 2);
        let both = self.out.value(&format!("arith.addi {x}, {y} : i64"));
        let all = self.out.value(&format!("arith.addi {both}, {z} : i64"));
        self.line(&format!("scf.yield {all} : i64"));
        self.line("}");
        self.sum = result;
    }

    fn branch(&mut self) {
        let buffer = self.free_buffer();
        let name = self.buffers[buffer].clone();
        let condition = (self.out).value(&format!("arith.cmpi slt, {}, %none : i64", self.sum));
        let result = self.out.name();
        self.line(&format!("{result} = scf.if {condition} -> i64 {{"));
        let (token, value) = (self.out.name(), self.out.name());
        self.line(&format!(
            "{token}, {value} = async.execute -> !async.value<i64> {{"
        ));
        let inner = self.work(&name, 1);
        self.line(&format!("async.yield {inner} : i64"));
        self.line("}");
        let x = self
            .out
            .value(&format!("async.await {value} : !async.value<i64>"));
        self.line(&format!("scf.yield {x} : i64"));
        self.line("} else {");
        let x = self.work(&name, 2);
        self.line(&format!("scf.yield {x} : i64"));
        self.line("}");
        self.add(&result);
    }

    /// A token goes round a loop: each body depends on the last one.
    fn carried(&mut self) {
        let buffer = self.free_buffer();
        let name = self.buffers[buffer].clone();
        let first = self.out.name();
        self.line(&format!("{first} = async.execute {{"));
        self.work(&name, 1);
        self.line("async.yield");
        self.line("}");
        let number = self.out.fresh();
        let last = self.out.name();
        self.line(&format!(
            "{last} = scf.for %i{number} = %c0 to %c4 step %c1 iter_args(%t{number} = {first}) -> !async.token {{"
        ));
        let token = self.out.name();
        self.line(&format!("{token} = async.execute [%t{number}] {{"));
        self.work(&name, 1);
        self.line("async.yield");
        self.line("}");
        self.line(&format!("scf.yield {token} : !async.token"));
        self.line("}");
        self.tasks.push(Task {
            token: last,
            value: None,
            buffers: vec![buffer],
        });
    }

    /// A body yields a buffer, which another one takes.
    fn handed_on(&mut self) {
        let (token, value) = (self.out.name(), self.out.name());
        let sum = self.sum.clone();
        self.line(&format!(
            "{token}, {value} = async.execute -> !async.value<{BUFFER}> {{"
        ));
        let made = self.out.value(&format!("memref.alloc() : {BUFFER}"));
        self.line(&format!(
            "linalg.fill ins({sum} : i64) outs({made} : {BUFFER})"
        ));
        self.line(&format!("async.yield {made} : {BUFFER}"));
        self.line("}");
        let (second, number, taken) = (self.out.name(), self.out.name(), self.out.name());
        self.line(&format!(
            "{second}, {number} = async.execute ({value} as {taken}: !async.value<{BUFFER}>) -> !async.value<i64> {{"
        ));
        let inner = self.work(&taken, 1);
        self.line(&format!("async.yield {inner} : i64"));
        self.line("}");
        let x = self
            .out
            .value(&format!("async.await {number} : !async.value<i64>"));
        self.add(&x);
        let again = self
            .out
            .value(&format!("async.await {value} : !async.value<{BUFFER}>"));
        let x = self.work(&again, 2);
        self.add(&x);
    }

    /// Waits for the rest and prints.
    fn finish(&mut self) {
        for task in std::mem::take(&mut self.tasks) {
            self.wait(&task);
        }
        let sum = self.sum.clone();
        self.out.print(&sum);
        for buffer in self.buffers.clone() {
            let x = self
                .out
                .value(&format!("memref.load {buffer}[%c2] : {BUFFER}"));
            self.out.print(&x);
        }
        let _ = writeln!(self.out.text, "  return\n}}");
    }
}
