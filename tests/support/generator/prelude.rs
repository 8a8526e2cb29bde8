//! The functions that generated programs are built on: filling and reading whole buffers, the
//! checksum, and a source of decisions that no compiler can foresee.
//!
//! Only what a program uses becomes part of it.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::types::{Element, MemRefType};

/// A helper function; those on memrefs take the most dynamic type of their element and rank.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Helper {
    /// `@sizes`, a table where index k holds k, which is not a constant.
    Sizes,
    /// `@coin() -> i1`
    Coin,
    /// `@mix(i64)` adds a number to the checksum.
    Mix,
    /// `@fill_T_rank(memref, i64)` writes every element.
    Fill(Element, usize),
    /// `@sum_T_rank(memref) -> i64` reads every element.
    Sum(Element, usize),
    /// `@peek_T_rank(memref, index) -> i64` reads an element, if there is one.
    Peek(Element, usize),
    /// `@poke_T_rank(memref, index, i64)` writes an element, if there is one.
    Poke(Element, usize),
}

impl Helper {
    /// The name of its symbol.
    pub(crate) fn name(self) -> String {
        let named = |verb: &str, element: Element, rank: usize| {
            format!("@{verb}_{}_{rank}", element.name())
        };
        match self {
            Self::Sizes => "@sizes".into(),
            Self::Coin => "@coin".into(),
            Self::Mix => "@mix".into(),
            Self::Fill(element, rank) => named("fill", element, rank),
            Self::Sum(element, rank) => named("sum", element, rank),
            Self::Peek(element, rank) => named("peek", element, rank),
            Self::Poke(element, rank) => named("poke", element, rank),
        }
    }
}

/// The declarations and definitions that a program with these helpers starts with.
pub(crate) fn text(helpers: &BTreeSet<Helper>) -> String {
    let mut text = String::from(BASE);
    for &helper in helpers {
        match helper {
            Helper::Sizes => text.push_str(SIZES),
            Helper::Coin => text.push_str(COIN),
            Helper::Mix => text.push_str(MIX),
            Helper::Fill(element, rank) => fill(&mut text, element, rank),
            Helper::Sum(element, rank) => sum(&mut text, element, rank),
            Helper::Peek(element, rank) => peek(&mut text, element, rank),
            Helper::Poke(element, rank) => poke(&mut text, element, rank),
        }
    }
    text
}

/// Element 0 is the checksum, element 1 what the next coin is tossed with.
const BASE: &str = "\
memref.global \"private\" @state : memref<2xi64> = dense<[1, 88172645463325252]>
func.func private @printI64(i64)
func.func private @printNewline()

func.func private @dump() {
  %state = memref.get_global @state : memref<2xi64>
  %c0 = arith.constant 0 : index
  %sum = memref.load %state[%c0] : memref<2xi64>
  call @printI64(%sum) : (i64) -> ()
  call @printNewline() : () -> ()
  return
}
";

const SIZES: &str = "
memref.global \"private\" @sizes : memref<8xindex> = dense<[0, 1, 2, 3, 4, 5, 6, 7]>
";

const COIN: &str = "
func.func private @coin() -> i1 {
  %state = memref.get_global @state : memref<2xi64>
  %c1 = arith.constant 1 : index
  %factor = arith.constant 6364136223846793005 : i64
  %summand = arith.constant 1442695040888963407 : i64
  %shift = arith.constant 40 : i64
  %old = memref.load %state[%c1] : memref<2xi64>
  %product = arith.muli %old, %factor : i64
  %new = arith.addi %product, %summand : i64
  memref.store %new, %state[%c1] : memref<2xi64>
  %shifted = arith.shrui %new, %shift : i64
  %coin = arith.trunci %shifted : i64 to i1
  return %coin : i1
}
";

const MIX: &str = "
func.func private @mix(%value: i64) {
  %state = memref.get_global @state : memref<2xi64>
  %c0 = arith.constant 0 : index
  %factor = arith.constant 31 : i64
  %old = memref.load %state[%c0] : memref<2xi64>
  %product = arith.muli %old, %factor : i64
  %new = arith.addi %product, %value : i64
  memref.store %new, %state[%c0] : memref<2xi64>
  return
}
";

/// Lines that turn the value `from` of type i64 into the element `to`. Floats get small integers.
pub(crate) fn from_i64(element: Element, from: &str, to: &str) -> Vec<String> {
    let name = element.name();
    match element {
        Element::I8 | Element::I16 | Element::I32 => {
            vec![format!("{to} = arith.trunci {from} : i64 to {name}")]
        }
        Element::I64 => vec![
            format!("{to}_zero = arith.constant 0 : i64"),
            format!("{to} = arith.addi {from}, {to}_zero : i64"),
        ],
        Element::Index => vec![format!("{to} = arith.index_cast {from} : i64 to index")],
        Element::F32 | Element::F64 => vec![
            format!("{to}_mask = arith.constant 65535 : i64"),
            format!("{to}_low = arith.andi {from}, {to}_mask : i64"),
            format!("{to} = arith.sitofp {to}_low : i64 to {name}"),
        ],
    }
}

/// Lines that turn the element `from` into the value `to` of type i64.
pub(crate) fn to_i64(element: Element, from: &str, to: &str) -> Vec<String> {
    let name = element.name();
    match element {
        Element::I8 | Element::I16 | Element::I32 => {
            vec![format!("{to} = arith.extsi {from} : {name} to i64")]
        }
        Element::I64 => vec![
            format!("{to}_zero = arith.constant 0 : i64"),
            format!("{to} = arith.addi {from}, {to}_zero : i64"),
        ],
        Element::Index => vec![format!("{to} = arith.index_cast {from} : index to i64")],
        Element::F32 | Element::F64 => {
            vec![format!("{to} = arith.fptosi {from} : {name} to i64")]
        }
    }
}

/// Writes a function line by line.
struct Lines<'t> {
    text: &'t mut String,
    indent: usize,
}

impl Lines<'_> {
    fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "{:indent$}{line}", "", indent = self.indent);
    }

    fn lines(&mut self, lines: &[String]) {
        for line in lines {
            self.line(line);
        }
    }

    /// The sizes `%d0`, `%d1`, ... of the parameter `%m`.
    fn dims(&mut self, ty: &MemRefType) {
        for dim in 0..ty.rank() {
            self.line(&format!("%c{dim} = arith.constant {dim} : index"));
            self.line(&format!("%d{dim} = memref.dim %m, %c{dim} : {ty}"));
        }
    }

    /// Opens a loop over each dimension with `%i0`, `%i1`, ... and computes `%n`, a number that
    /// differs from element to element.
    fn open_loops(&mut self, rank: usize, carried: bool) {
        self.line("%one = arith.constant 1 : index");
        self.line("%eight = arith.constant 8 : index");
        for dim in 0..rank {
            let head = format!("scf.for %i{dim} = %c0 to %d{dim} step %one");
            if carried {
                let outer = if dim == 0 {
                    "%zero".into()
                } else {
                    format!("%a{}", dim - 1)
                };
                self.line(&format!(
                    "%r{dim} = {head} iter_args(%a{dim} = {outer}) -> (i64) {{"
                ));
            } else {
                self.line(&format!("{head} {{"));
            }
            self.indent += 2;
        }
        self.line("%n0 = arith.addi %i0, %one : index");
        for dim in 1..rank {
            let before = dim - 1;
            self.line(&format!("%m{dim} = arith.muli %n{before}, %eight : index"));
            self.line(&format!("%n{dim} = arith.addi %m{dim}, %i{dim} : index"));
        }
        self.line(&format!(
            "%n = arith.index_cast %n{} : index to i64",
            rank - 1
        ));
    }

    fn close_loops(&mut self, rank: usize, carried: Option<&str>) {
        for dim in (0..rank).rev() {
            if let Some(value) = carried {
                let inner = format!("%r{}", dim + 1);
                let value = if dim == rank - 1 { value } else { &inner };
                self.line(&format!("scf.yield {value} : i64"));
            }
            self.indent -= 2;
            self.line("}");
        }
    }

    /// Computes `%p0`, `%p1`, ..., the indices of an element that `%at` selects, and `%some`:
    /// whether there is one.
    fn position(&mut self, rank: usize) {
        self.line("%one = arith.constant 1 : index");
        self.line("%total0 = arith.addi %c0, %one : index");
        for dim in 0..rank {
            let next = dim + 1;
            // A dimension of size zero must not be divided by.
            self.line(&format!("%s{dim} = arith.maxui %d{dim}, %one : index"));
            let rest = if dim == 0 {
                "%at".into()
            } else {
                format!("%q{}", dim - 1)
            };
            self.line(&format!("%p{dim} = arith.remui {rest}, %s{dim} : index"));
            self.line(&format!("%q{dim} = arith.divui {rest}, %s{dim} : index"));
            self.line(&format!(
                "%total{next} = arith.muli %total{dim}, %d{dim} : index"
            ));
        }
        self.line(&format!("%some = arith.cmpi ne, %total{rank}, %c0 : index"));
    }
}

/// `prefix0, prefix1, ...`
fn list(prefix: &str, rank: usize) -> String {
    let names: Vec<_> = (0..rank).map(|dim| format!("{prefix}{dim}")).collect();
    names.join(", ")
}

/// Writes a function with the body that `body` writes.
fn function(text: &mut String, signature: &str, body: impl FnOnce(&mut Lines)) {
    let _ = writeln!(text, "\nfunc.func private {signature} {{");
    body(&mut Lines { text, indent: 2 });
    text.push_str("}\n");
}

fn fill(text: &mut String, element: Element, rank: usize) {
    let ty = MemRefType::most_dynamic(element, rank);
    let name = Helper::Fill(element, rank).name();
    function(text, &format!("{name}(%m: {ty}, %seed: i64)"), |lines| {
        lines.dims(&ty);
        lines.open_loops(rank, false);
        lines.line("%seven = arith.constant 7 : i64");
        lines.line("%scaled = arith.muli %n, %seven : i64");
        lines.line("%value = arith.addi %seed, %scaled : i64");
        lines.lines(&from_i64(element, "%value", "%e"));
        lines.line(&format!("memref.store %e, %m[{}] : {ty}", list("%i", rank)));
        lines.close_loops(rank, None);
        lines.line("return");
    });
}

fn sum(text: &mut String, element: Element, rank: usize) {
    let ty = MemRefType::most_dynamic(element, rank);
    let name = Helper::Sum(element, rank).name();
    function(text, &format!("{name}(%m: {ty}) -> i64"), |lines| {
        lines.dims(&ty);
        lines.line("%zero = arith.constant 0 : i64");
        lines.open_loops(rank, true);
        lines.line(&format!("%e = memref.load %m[{}] : {ty}", list("%i", rank)));
        lines.lines(&to_i64(element, "%e", "%v"));
        // The position counts, or exchanged elements would go unnoticed.
        lines.line("%scaled = arith.muli %v, %n : i64");
        lines.line(&format!("%sum = arith.addi %a{}, %scaled : i64", rank - 1));
        lines.close_loops(rank, Some("%sum"));
        lines.line("return %r0 : i64");
    });
}

fn peek(text: &mut String, element: Element, rank: usize) {
    let ty = MemRefType::most_dynamic(element, rank);
    let name = Helper::Peek(element, rank).name();
    let signature = format!("{name}(%m: {ty}, %at: index) -> i64");
    function(text, &signature, |lines| {
        lines.dims(&ty);
        lines.position(rank);
        lines.line("%r = scf.if %some -> (i64) {");
        lines.indent += 2;
        lines.line(&format!("%e = memref.load %m[{}] : {ty}", list("%p", rank)));
        lines.lines(&to_i64(element, "%e", "%v"));
        lines.line("scf.yield %v : i64");
        lines.indent -= 2;
        lines.line("} else {");
        lines.line("  %none = arith.constant -1 : i64");
        lines.line("  scf.yield %none : i64");
        lines.line("}");
        lines.line("return %r : i64");
    });
}

fn poke(text: &mut String, element: Element, rank: usize) {
    let ty = MemRefType::most_dynamic(element, rank);
    let name = Helper::Poke(element, rank).name();
    let signature = format!("{name}(%m: {ty}, %at: index, %v: i64)");
    function(text, &signature, |lines| {
        lines.dims(&ty);
        lines.position(rank);
        lines.line("scf.if %some {");
        lines.indent += 2;
        lines.lines(&from_i64(element, "%v", "%e"));
        lines.line(&format!("memref.store %e, %m[{}] : {ty}", list("%p", rank)));
        lines.indent -= 2;
        lines.line("}");
        lines.line("return");
    });
}
