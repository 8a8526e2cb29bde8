//! Functions that grow and shrink a buffer under conditions, in loops and between blocks, and free
//! it themselves, also under conditions, return it, or leave it to be freed.

use std::fmt::Write as _;

use crate::support::generator::rng::Rng;

const BUFFER: &str = "memref<?xi64>";

/// The program with this seed.
pub(crate) fn generate(seed: u64) -> String {
    let mut rng = Rng::new(seed);
    let mut program = String::from(
        "func.func private @printI64(i64)\nfunc.func private @printNewline()\n\
         func.func private @print(%x: i64) {\n  call @printI64(%x) : (i64) -> ()\n  \
         call @printNewline() : () -> ()\n  return\n}\n",
    );
    let mut main = String::from("func.func @main() {\n");
    for number in 0..rng.range(1, 2) {
        let mut function = Function {
            rng: Rng::new(rng.next()),
            text: String::new(),
            names: 0,
            indent: 1,
            frees: rng.chance(75),
        };
        let is_returned = function.body();
        let result = if is_returned { BUFFER } else { "()" };
        let inlining = match rng.chance(50) {
            true => " attributes {passthrough = [\"noinline\"]}",
            false => "",
        };
        let _ = write!(
            program,
            "func.func private @f{number}(%g0: i1, %g1: i1, %n0: index, %n1: index, %end: index) \
             -> {result}{inlining} {{\n{}}}\n",
            function.text
        );
        for call in 0..rng.range(1, 3) {
            let id = format!("{number}_{call}");
            for (name, ty, bound) in [
                ("g0", "i1", 1),
                ("g1", "i1", 1),
                ("n0", "index", 9),
                ("n1", "index", 9),
                ("end", "index", 3),
            ] {
                let value = match ty {
                    "i1" => rng.chance(50).to_string(),
                    _ if bound == 3 => format!("{} : index", rng.below(4)),
                    _ => format!("{} : index", rng.range(2, bound)),
                };
                let _ = writeln!(main, "  %{name}_{id} = arith.constant {value}");
            }
            let call = format!(
                "call @f{number}(%g0_{id}, %g1_{id}, %n0_{id}, %n1_{id}, %end_{id}) \
                 : (i1, i1, index, index, index) -> {result}"
            );
            if is_returned {
                let _ = writeln!(main, "  %r_{id} = {call}");
                if rng.chance(60) {
                    let _ = writeln!(main, "  memref.dealloc %r_{id} : {BUFFER}");
                }
            } else {
                let _ = writeln!(main, "  {call}");
            }
        }
    }
    program + &main + "  return\n}\n"
}

/// One function: at any time one name is the buffer, whose first two elements have values.
struct Function {
    rng: Rng,
    text: String,
    names: usize,
    indent: usize,
    /// Whether it frees what it replaces, and what is left in the end or returned.
    frees: bool,
}

impl Function {
    fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "{}{line}", "  ".repeat(self.indent));
    }

    fn name(&mut self) -> String {
        self.names += 1;
        format!("%v{}", self.names)
    }

    /// Whether the buffer is returned.
    fn body(&mut self) -> bool {
        for (name, value) in [("c0", 0), ("c1", 1), ("c5", 5)] {
            self.line(&format!("%{name} = arith.constant {value} : index"));
        }
        let mut buffer = self.fresh();
        for _ in 0..self.rng.range(1, 4) {
            self.access(&buffer);
            buffer = match self.rng.below(9) {
                0..5 => self.change(&buffer, 2),
                5..7 => self.diamond(&buffer),
                _ => self.block_loop(&buffer),
            };
        }
        self.access(&buffer);
        match self.rng.below(10) {
            0..3 => {
                self.line(&format!("return {buffer} : {BUFFER}"));
                return true;
            }
            _ if !self.frees => {}
            3..6 => {
                let condition = self.condition();
                self.line(&format!("scf.if {condition} {{"));
                self.nested(|f| {
                    f.access(&buffer);
                    f.line(&format!("memref.dealloc {buffer} : {BUFFER}"));
                });
                self.line("} else {");
                self.nested(|f| f.line(&format!("memref.dealloc {buffer} : {BUFFER}")));
                self.line("}");
            }
            _ => self.line(&format!("memref.dealloc {buffer} : {BUFFER}")),
        }
        self.line("return");
        false
    }

    fn nested<T>(&mut self, body: impl FnOnce(&mut Self) -> T) -> T {
        self.indent += 1;
        let result = body(self);
        self.indent -= 1;
        result
    }

    fn condition(&mut self) -> &'static str {
        if self.rng.chance(50) { "%g0" } else { "%g1" }
    }

    fn size(&mut self) -> &'static str {
        ["%n0", "%n1", "%c5"][self.rng.below(3)]
    }

    /// A new buffer.
    fn fresh(&mut self) -> String {
        let (buffer, value) = (self.name(), self.name());
        let size = self.size();
        self.line(&format!("{buffer} = memref.alloc({size}) : {BUFFER}"));
        let number = self.rng.below(100);
        self.line(&format!("{value} = arith.constant {number} : i64"));
        for index in ["%c0", "%c1"] {
            self.line(&format!(
                "memref.store {value}, {buffer}[{index}] : {BUFFER}"
            ));
        }
        buffer
    }

    /// Prints an element and changes it, or prints how many there are.
    fn access(&mut self, buffer: &str) {
        let [element, sum] = [(); 2].map(|()| self.name());
        if self.rng.chance(30) {
            self.line(&format!("{element} = memref.dim {buffer}, %c0 : {BUFFER}"));
            self.line(&format!(
                "{sum} = arith.index_cast {element} : index to i64"
            ));
        } else {
            let index = ["%c0", "%c1"][self.rng.below(2)];
            self.line(&format!(
                "{element} = memref.load {buffer}[{index}] : {BUFFER}"
            ));
            self.line(&format!("{sum} = arith.addi {element}, {element} : i64"));
            self.line(&format!("memref.store {sum}, {buffer}[{index}] : {BUFFER}"));
        }
        self.line(&format!("func.call @print({sum}) : (i64) -> ()"));
    }

    fn realloc(&mut self, buffer: &str) -> String {
        let new = self.name();
        let size = self.size();
        self.line(&format!(
            "{new} = memref.realloc {buffer}({size}) : {BUFFER} to {BUFFER}"
        ));
        new
    }

    /// The buffer as it is, or another one instead of it, by operations nested `depth` deep.
    fn change(&mut self, buffer: &str, depth: usize) -> String {
        match self.rng.below(if depth == 0 { 4 } else { 8 }) {
            0 => buffer.to_owned(),
            1 if self.frees => {
                self.access(buffer);
                self.line(&format!("memref.dealloc {buffer} : {BUFFER}"));
                self.fresh()
            }
            1..4 => self.realloc(buffer),
            4..7 => {
                let (result, condition) = (self.name(), self.condition());
                self.line(&format!("{result} = scf.if {condition} -> {BUFFER} {{"));
                for branch in 0..2 {
                    self.nested(|f| {
                        let changed = f.change(buffer, depth - 1);
                        f.line(&format!("scf.yield {changed} : {BUFFER}"));
                    });
                    self.line(if branch == 0 { "} else {" } else { "}" });
                }
                result
            }
            _ => {
                let [result, carried, index] = [(); 3].map(|()| self.name());
                self.line(&format!(
                    "{result} = scf.for {index} = %c0 to %end step %c1 \
                     iter_args({carried} = {buffer}) -> ({BUFFER}) {{"
                ));
                self.nested(|f| {
                    let changed = f.change(&carried, depth - 1);
                    f.access(&changed);
                    f.line(&format!("scf.yield {changed} : {BUFFER}"));
                });
                self.line("}");
                result
            }
        }
    }

    fn label(&mut self) -> String {
        self.name().replace('%', "^")
    }

    /// Two blocks that meet, each of which may change the buffer.
    fn diamond(&mut self, buffer: &str) -> String {
        let [left, right, end] = [(); 3].map(|()| self.label());
        let condition = self.condition();
        self.line(&format!("cf.cond_br {condition}, {left}, {right}"));
        for block in [left, right] {
            self.line(&format!("{block}:"));
            let changed = self.change(buffer, 1);
            self.line(&format!("cf.br {end}({changed} : {BUFFER})"));
        }
        let result = self.name();
        self.line(&format!("{end}({result}: {BUFFER}):"));
        result
    }

    /// A loop of blocks that carries the buffer.
    fn block_loop(&mut self, buffer: &str) -> String {
        let [head, body, end] = [(); 3].map(|()| self.label());
        let [carried, index, goes_on, next] = [(); 4].map(|()| self.name());
        self.line(&format!("cf.br {head}({buffer}, %c0 : {BUFFER}, index)"));
        self.line(&format!("{head}({carried}: {BUFFER}, {index}: index):"));
        self.line(&format!(
            "{goes_on} = arith.cmpi ult, {index}, %end : index"
        ));
        self.line(&format!("cf.cond_br {goes_on}, {body}, {end}"));
        self.line(&format!("{body}:"));
        let changed = self.change(&carried, 1);
        self.line(&format!("{next} = arith.addi {index}, %c1 : index"));
        self.line(&format!(
            "cf.br {head}({changed}, {next} : {BUFFER}, index)"
        ));
        self.line(&format!("{end}:"));
        carried
    }
}
