//! Buffers of any rank: cast from ranked ones, picked by selects and branches, carried by loops and
//! blocks, handed to functions and returned by them, and shown by their rank.

use std::fmt::Write as _;

use crate::support::generator::rng::Rng;

/// The program with this seed.
pub(crate) fn generate(seed: u64) -> String {
    let mut maker = Maker {
        rng: Rng::new(seed),
        text: String::new(),
        depth: 1,
        n_names: 0,
    };
    let n_functions = maker.rng.range(0, 3);
    let functions: String = (0..n_functions).map(|f| maker.function(f)).collect();
    let mut buffers = Vec::new();
    maker.allocate(&mut buffers);
    for _ in 0..maker.rng.range(4, 12) {
        maker.statement(&mut buffers, n_functions);
    }
    for buffer in &buffers {
        maker.show(buffer);
    }
    format!(
        "{PRELUDE}{functions}func.func @main() {{\n{CONSTANTS}{}  return\n}}\n",
        maker.text
    )
}

const CONSTANTS: &str = "  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n  \
                         %c3 = arith.constant 3 : index\n  %true = arith.constant true\n  \
                         %false = arith.constant false\n";

/// The types of buffers, which differ in rank.
const TYPES: [&str; 3] = ["memref<i64>", "memref<3xi64>", "memref<2x?xi64>"];

const ANY: &str = "memref<*xi64>";

/// `@show` prints a rank, a size if there is one, and an element.
const PRELUDE: &str = r#"func.func private @printI64(i64)
func.func private @printNewline()
func.func private @print(%x: i64) {
  call @printI64(%x) : (i64) -> ()
  call @printNewline() : () -> ()
  return
}
func.func private @show(%m: memref<*xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rank = memref.rank %m : memref<*xi64>
  %n = arith.index_cast %rank : index to i64
  call @print(%n) : (i64) -> ()
  scf.index_switch %rank
  case 0 {
    %a = memref.cast %m : memref<*xi64> to memref<i64>
    %x = memref.load %a[] : memref<i64>
    func.call @print(%x) : (i64) -> ()
    scf.yield
  }
  case 1 {
    %a = memref.cast %m : memref<*xi64> to memref<3xi64>
    %x = memref.load %a[%c1] : memref<3xi64>
    func.call @print(%x) : (i64) -> ()
    scf.yield
  }
  default {
    %size = memref.dim %m, %c1 : memref<*xi64>
    %s = arith.index_cast %size : index to i64
    func.call @print(%s) : (i64) -> ()
    %a = memref.cast %m : memref<*xi64> to memref<2x?xi64>
    %x = memref.load %a[%c1, %c0] : memref<2x?xi64>
    func.call @print(%x) : (i64) -> ()
  }
  return
}
"#;

struct Maker {
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

    fn block(&mut self) -> String {
        self.n_names += 1;
        format!("^b{}", self.n_names)
    }

    fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "{}{line}", "  ".repeat(self.depth));
    }

    fn pick(&mut self, values: &[String]) -> String {
        values[self.rng.below(values.len())].clone()
    }

    fn flag(&mut self) -> &'static str {
        if self.rng.chance(50) {
            "%true"
        } else {
            "%false"
        }
    }

    /// A function of a flag and a buffer that returns a buffer, and how it comes to it.
    fn function(&mut self, number: usize) -> String {
        let outside = std::mem::take(&mut self.text);
        let mut buffers = vec!["%m".to_owned()];
        for _ in 0..self.rng.range(1, 5) {
            self.statement(&mut buffers, number);
        }
        let (first, second) = (self.pick(&buffers), self.pick(&buffers));
        let result = match self.rng.below(3) {
            0 => first,
            1 => {
                let r = self.name();
                self.line(&format!("{r} = arith.select %c, {first}, {second} : {ANY}"));
                r
            }
            _ => self.branch("%c", &first, &second),
        };
        self.line(&format!("return {result} : {ANY}"));
        let body = std::mem::replace(&mut self.text, outside);
        let inline = match self.rng.chance(50) {
            true => " attributes {passthrough = [\"noinline\"]}",
            false => "",
        };
        format!(
            "func.func private @f{number}(%c: i1, %m: {ANY}) -> {ANY}{inline} \
             {{\n{CONSTANTS}{body}}}\n"
        )
    }

    /// A new buffer, with the same number in all its elements, as one of any rank.
    fn allocate(&mut self, buffers: &mut Vec<String>) {
        let (a, x, any) = (self.name(), self.name(), self.name());
        let value = self.rng.range(1, 90);
        let rank = self.rng.below(TYPES.len());
        let ty = TYPES[rank];
        let size = if rank == 2 { "%c3" } else { "" };
        self.line(&format!("{a} = memref.alloc({size}) : {ty}"));
        self.line(&format!("{x} = arith.constant {value} : i64"));
        self.line(&format!("linalg.fill ins({x} : i64) outs({a} : {ty})"));
        self.line(&format!("{any} = memref.cast {a} : {ty} to {ANY}"));
        buffers.push(any);
    }

    fn show(&mut self, buffer: &str) {
        self.line(&format!("func.call @show({buffer}) : ({ANY}) -> ()"));
    }

    /// One of two buffers, as an argument of a block if that may be, or a result.
    fn branch(&mut self, condition: &str, first: &str, second: &str) -> String {
        if self.depth == 1 && self.rng.chance(50) {
            let (then, otherwise, end) = (self.block(), self.block(), self.block());
            let r = self.name();
            self.line(&format!("cf.cond_br {condition}, {then}, {otherwise}"));
            self.line(&format!("{then}:"));
            let mut buffers = vec![first.to_owned()];
            self.allocate(&mut buffers);
            let one = self.pick(&buffers);
            self.line(&format!("cf.br {end}({one} : {ANY})"));
            self.line(&format!("{otherwise}:"));
            self.line(&format!("cf.br {end}({second} : {ANY})"));
            self.line(&format!("{end}({r}: {ANY}):"));
            return r;
        }
        let r = self.name();
        self.line(&format!("{r} = scf.if {condition} -> {ANY} {{"));
        self.depth += 1;
        let mut buffers = vec![first.to_owned()];
        if self.rng.chance(50) {
            self.allocate(&mut buffers);
        }
        let one = self.pick(&buffers);
        self.line(&format!("scf.yield {one} : {ANY}"));
        self.depth -= 1;
        self.line("} else {");
        self.depth += 1;
        self.line(&format!("scf.yield {second} : {ANY}"));
        self.depth -= 1;
        self.line("}");
        r
    }

    fn statement(&mut self, buffers: &mut Vec<String>, n_functions: usize) {
        match self.rng.below(7) {
            0 => self.allocate(buffers),
            1 => {
                let one = self.pick(buffers);
                self.show(&one);
            }
            2 => {
                let (a, b, r, c) = (
                    self.pick(buffers),
                    self.pick(buffers),
                    self.name(),
                    self.flag(),
                );
                self.line(&format!("{r} = arith.select {c}, {a}, {b} : {ANY}"));
                buffers.push(r);
            }
            3 => {
                let (a, b, c) = (self.pick(buffers), self.pick(buffers), self.flag());
                let r = self.branch(c, &a, &b);
                buffers.push(r);
            }
            4 if n_functions != 0 => {
                let (a, r, c) = (self.pick(buffers), self.name(), self.flag());
                let callee = self.rng.below(n_functions);
                self.line(&format!(
                    "{r} = func.call @f{callee}({c}, {a}) : (i1, {ANY}) -> {ANY}"
                ));
                buffers.push(r);
            }
            _ if self.depth < 3 => self.carry(buffers, n_functions),
            _ => self.allocate(buffers),
        }
    }

    /// Two buffers carried by a loop, which may change places.
    fn carry(&mut self, buffers: &mut Vec<String>, n_functions: usize) {
        let (a, b) = (self.pick(buffers), self.pick(buffers));
        let (r, i, x, y) = (self.name(), self.name(), self.name(), self.name());
        self.line(&format!(
            "{r}:2 = scf.for {i} = %c0 to %c3 step %c1 iter_args({x} = {a}, {y} = {b}) -> ({ANY}, {ANY}) {{"
        ));
        self.depth += 1;
        let mut inner = vec![x, y];
        for _ in 0..self.rng.range(0, 3) {
            self.statement(&mut inner, n_functions);
        }
        let (next, other) = (self.pick(&inner), self.pick(&inner));
        self.line(&format!("scf.yield {next}, {other} : {ANY}, {ANY}"));
        self.depth -= 1;
        self.line("}");
        buffers.push(format!("{r}#0"));
        buffers.push(format!("{r}#1"));
    }
}
