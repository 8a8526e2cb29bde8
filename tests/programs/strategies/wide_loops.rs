//! Loops that carry up to 64 buffers, of which selects and exchanges decide in every iteration who is
//! who: `scf.for`, `scf.while` and loops made of blocks, one inside of the other, with allocations
//! before and inside of them. What reaches one of many carried values is all of them, which is more
//! than an analysis can look at one by one.

use crate::support::generator::rng::Rng;

/// The program with this seed.
pub(crate) fn generate(seed: u64) -> String {
    let mut rng = Rng::new(seed);
    let wide = [rng.range(2, 5), rng.range(6, 20), rng.range(21, 64)];
    let width = *rng.pick(&wide);
    program(&mut rng, width)
}

/// A program whose outermost loop carries `width` buffers.
pub(crate) fn program(rng: &mut Rng, width: usize) -> String {
    let mut writer = Writer {
        text: String::new(),
        next: 0,
        size: ["?", "?", "5"][rng.below(3)],
    };
    writer.main(rng, width);
    writer.text
}

/// The statements of a program so far.
struct Writer {
    text: String,
    /// The number of the next value.
    next: usize,
    /// The only dimension of all buffers.
    size: &'static str,
}

#[derive(Clone, Copy, PartialEq)]
enum Loop {
    For,
    While,
    Blocks,
}

impl Writer {
    fn line(&mut self, line: &str) {
        self.text.push_str("  ");
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn name(&mut self) -> String {
        self.next += 1;
        format!("%v{}", self.next)
    }

    /// A new value that `operation` makes.
    fn value(&mut self, operation: &str) -> String {
        let name = self.name();
        self.line(&format!("{name} = {operation}"));
        name
    }

    fn types(&self, n: usize) -> String {
        vec![format!("memref<{}xi64>", self.size); n].join(", ")
    }

    fn main(&mut self, rng: &mut Rng, width: usize) {
        self.text.push_str(
            "func.func private @printI64(i64)\nfunc.func private @printNewline()\n\
             memref.global \"private\" @numbers : memref<4xindex> = dense<[1, 2, 3, 6]>\n\
             func.func @main() {\n",
        );
        for number in 0..3 {
            self.line(&format!("%c{number} = arith.constant {number} : index"));
        }
        self.line("%numbers = memref.get_global @numbers : memref<4xindex>");
        let size = self.value("memref.load %numbers[%c1] : memref<4xindex>");
        let shared = self.buffer(&size);
        let chance = rng.range(0, 60);
        let mut buffers = Vec::new();
        for _ in 0..width {
            let is_shared = rng.chance(chance / 4);
            buffers.push(match is_shared {
                true => shared.clone(),
                false => self.buffer(&size),
            });
        }
        let kind = *rng.pick(&[Loop::For, Loop::For, Loop::While, Loop::Blocks]);
        let results = self.nest(rng, kind, 0, &buffers, &size);
        for buffer in &results {
            let number = self.value(&format!(
                "memref.load {buffer}[%c0] : memref<{}xi64>",
                self.size
            ));
            self.line(&format!("func.call @printI64({number}) : (i64) -> ()"));
            self.line("func.call @printNewline() : () -> ()");
        }
        self.line("return");
        self.text.push_str("}\n");
    }

    /// A new buffer with a number in it that no other one has.
    fn buffer(&mut self, size: &str) -> String {
        let number = self.next;
        let size = if self.size == "?" { size } else { "" };
        let buffer = self.value(&format!("memref.alloc({size}) : memref<{}xi64>", self.size));
        let number = self.value(&format!("arith.constant {number} : i64"));
        self.line(&format!(
            "memref.store {number}, {buffer}[%c0] : memref<{}xi64>",
            self.size
        ));
        buffer
    }

    /// A loop that carries `buffers`; gives what they are afterwards.
    fn nest(
        &mut self,
        rng: &mut Rng,
        kind: Loop,
        depth: usize,
        buffers: &[String],
        size: &str,
    ) -> Vec<String> {
        let n = buffers.len();
        let end = rng.below(3);
        let end = self.value(&format!("memref.load %numbers[%c{end}] : memref<4xindex>"));
        let carried: Vec<String> = buffers.iter().map(|_| self.name()).collect();
        let counter = self.name();
        let results = self.name();
        let types = self.types(n);
        let pairs = |carried: &[String]| {
            let pairs = carried.iter().zip(buffers);
            let pairs: Vec<String> = pairs.map(|(to, from)| format!("{to} = {from}")).collect();
            pairs.join(", ")
        };
        let all: Vec<String> = (0..n).map(|i| format!("{results}#{i}")).collect();
        match kind {
            Loop::For => {
                self.line(&format!(
                    "{results}:{n} = scf.for {counter} = %c0 to {end} step %c1 iter_args({}) -> ({types}) {{",
                    pairs(&carried)
                ));
                let yielded = self.body(rng, depth, &counter, &carried, size);
                self.line(&format!("scf.yield {} : {types}", yielded.join(", ")));
                self.line("}");
                all
            }
            Loop::While => {
                self.line(&format!(
                    "{results}:{} = scf.while ({}, {counter} = %c0) : ({types}, index) -> ({types}, index) {{",
                    n + 1,
                    pairs(&carried)
                ));
                let more = self.value(&format!("arith.cmpi ult, {counter}, {end} : index"));
                self.line(&format!(
                    "scf.condition({more}) {}, {counter} : {types}, index",
                    carried.join(", ")
                ));
                let inner: Vec<String> = buffers.iter().map(|_| self.name()).collect();
                let arguments = inner
                    .iter()
                    .map(|name| format!("{name}: memref<{}xi64>", self.size));
                let arguments: Vec<String> = arguments.collect();
                let counter = self.name();
                self.line("} do {");
                self.line(&format!(
                    "^bb0({}, {counter}: index):",
                    arguments.join(", ")
                ));
                let yielded = self.body(rng, depth, &counter, &inner, size);
                let next = self.value(&format!("arith.addi {counter}, %c1 : index"));
                self.line(&format!(
                    "scf.yield {}, {next} : {types}, index",
                    yielded.join(", ")
                ));
                self.line("}");
                all
            }
            Loop::Blocks => {
                let arguments = carried
                    .iter()
                    .map(|name| format!("{name}: memref<{}xi64>", self.size));
                let arguments: Vec<String> = arguments.collect();
                self.line(&format!(
                    "cf.br ^head({}, %c0 : {types}, index)",
                    buffers.join(", ")
                ));
                let head = format!("^head({}, {counter}: index):", arguments.join(", "));
                self.line(&head);
                let more = self.value(&format!("arith.cmpi ult, {counter}, {end} : index"));
                self.line(&format!("cf.cond_br {more}, ^body, ^done"));
                self.line("^body:");
                let yielded = self.body(rng, depth, &counter, &carried, size);
                let next = self.value(&format!("arith.addi {counter}, %c1 : index"));
                self.line(&format!(
                    "cf.br ^head({}, {next} : {types}, index)",
                    yielded.join(", ")
                ));
                self.line("^done:");
                carried
            }
        }
    }

    /// What the carried buffers are in the next iteration.
    fn body(
        &mut self,
        rng: &mut Rng,
        depth: usize,
        counter: &str,
        carried: &[String],
        size: &str,
    ) -> Vec<String> {
        let low = self.value(&format!("arith.remui {counter}, %c2 : index"));
        let is_even = self.value(&format!("arith.cmpi eq, {low}, %c0 : index"));
        let is_late = self.value(&format!("arith.cmpi ugt, {counter}, %c1 : index"));
        let mut carried = carried.to_vec();
        if depth < 2 && rng.chance(40 - 15 * depth) {
            let n = rng.range(1, carried.len());
            let kind = *rng.pick(&[Loop::For, Loop::While]);
            let first = rng.below(carried.len() - n + 1);
            let inner = self.nest(rng, kind, depth + 1, &carried[first..first + n], size);
            carried.splice(first..first + n, inner);
        }
        let mut orders = [carried.clone(), carried.clone()];
        let doubles = rng.chance(40);
        for order in &mut orders {
            for last in (1..order.len()).rev() {
                order.swap(last, rng.below(last + 1));
            }
            if doubles {
                // Some twice, and so others not at all.
                for _ in 0..=order.len() / 8 {
                    let (from, to) = (rng.below(order.len()), rng.below(order.len()));
                    order[to] = order[from].clone();
                }
            }
        }
        for _ in 0..rng.range(0, 2) {
            let fresh = self.buffer(size);
            let order = rng.below(2);
            let place = rng.below(carried.len());
            orders[order][place] = fresh;
        }
        let [first, second] = orders;
        match rng.below(3) {
            0 => first,
            1 => {
                let conditions = [is_even, is_late];
                let pairs = first.into_iter().zip(second);
                pairs
                    .map(|(on_true, on_false)| {
                        let condition = &conditions[usize::from(rng.chance(15))];
                        self.value(&format!(
                            "arith.select {condition}, {on_true}, {on_false} : memref<{}xi64>",
                            self.size
                        ))
                    })
                    .collect()
            }
            _ => {
                let results = self.name();
                let types = self.types(first.len());
                self.line(&format!(
                    "{results}:{} = scf.if {is_even} -> ({types}) {{",
                    first.len()
                ));
                self.line(&format!("scf.yield {} : {types}", first.join(", ")));
                self.line("} else {");
                self.line(&format!("scf.yield {} : {types}", second.join(", ")));
                self.line("}");
                (0..first.len()).map(|i| format!("{results}#{i}")).collect()
            }
        }
    }
}
