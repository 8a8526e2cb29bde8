//! A program that is being written: its text, the values in scope and what is known of them.

use std::collections::BTreeSet;

use freehold::frontend::ir::types::FloatKind;

use super::table::Table;
use super::types::{Dim, Elem, Mem, Ty};
use crate::support::generator::rng::Rng;

/// The largest number that `@numbers` has.
pub(super) const MOST_NUMBER: i64 = 63;

/// A value in scope.
#[derive(Clone, Debug)]
pub(super) struct Value {
    pub(super) name: String,
    pub(super) ty: Ty,
    /// Of an index: the least and the greatest that it may be.
    pub(super) range: Option<(i64, i64)>,
    /// Whether affine operations take it as a dimension.
    pub(super) is_dim: bool,
    /// Of a memref: the allocation. 0 is one of several.
    pub(super) root: usize,
}

/// What is known of an allocation.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Root {
    /// Whether somebody may write to it.
    pub(super) is_writable: bool,
    /// Whether it is allocated, so that programs may free it and `main` may return it.
    pub(super) is_heap: bool,
    /// Whether branches, loops and functions may hand it on.
    pub(super) is_handed: bool,
    pub(super) is_freed: bool,
}

/// What iterations of a parallel loop may do.
#[derive(Clone, Debug)]
pub(super) struct Parallel {
    /// Allocations from here on are those of one iteration.
    pub(super) first_root: usize,
    /// The buffer that an iteration writes to, and where.
    pub(super) target: Option<(Value, Vec<String>)>,
}

/// Kinds of numbers that a program has.
#[derive(Clone, Debug)]
pub(super) struct Palette {
    pub(super) elems: Vec<Elem>,
    pub(super) sizes: Vec<i64>,
    pub(super) vectors: Vec<i64>,
}

/// The writer.
pub(super) struct Gen<'a> {
    pub(super) rng: Rng,
    pub(super) table: &'a Table,
    pub(super) out: String,
    pub(super) indent: usize,
    pub(super) values: Vec<Value>,
    pub(super) roots: Vec<Root>,
    next: usize,
    pub(super) palette: Palette,
    pub(super) globals: Vec<(String, String)>,
    pub(super) functions: String,
    pub(super) n_functions: usize,
    pub(super) parallel: Option<Parallel>,
    /// How deep statements are in each other.
    pub(super) depth: usize,
    /// Whether memrefs go through branches, loops or calls.
    pub(super) buffers_flow: bool,
    /// Inside of `affine` loops of this function only: whether values are symbols.
    pub(super) is_top: bool,
    /// Operations that were written.
    pub(super) written: BTreeSet<String>,
    /// How often loops around repeat what is written.
    pub(super) repeats: i64,
    /// Allocations from here on are of the region that is written.
    pub(super) scope_root: usize,
    /// Passes that what is written is for.
    pub(super) passes: BTreeSet<&'static str>,
}

impl<'a> Gen<'a> {
    pub(super) fn new(seed: u64, table: &'a Table) -> Self {
        let mut rng = Rng::new(seed ^ 0x726f_7773);
        let palette = palette(&mut rng);
        Self {
            rng,
            table,
            out: String::new(),
            indent: 1,
            values: Vec::new(),
            roots: vec![Root::default()],
            next: 0,
            palette,
            globals: Vec::new(),
            functions: String::new(),
            n_functions: 0,
            parallel: None,
            depth: 0,
            buffers_flow: false,
            is_top: true,
            written: BTreeSet::new(),
            repeats: 1,
            scope_root: 1,
            passes: BTreeSet::new(),
        }
    }

    pub(super) fn fresh(&mut self) -> String {
        self.next += 1;
        format!("%v{}", self.next)
    }

    pub(super) fn line(&mut self, text: impl AsRef<str>) {
        let text = text.as_ref();
        self.note(text);
        for _ in 0..self.indent {
            self.out += "  ";
        }
        self.out += text;
        self.out.push('\n');
    }

    /// Notes which operation a line has.
    fn note(&mut self, text: &str) {
        let text = text.trim_start();
        let rest = match text.split_once(" = ") {
            Some((before, rest)) if before.starts_with('%') && !before.contains('(') => rest,
            _ => text,
        };
        let name = rest.trim_start_matches('"');
        let end = name.find(|c: char| !(c.is_alphanumeric() || c == '.' || c == '_'));
        let name = &name[..end.unwrap_or(name.len())];
        if name.contains('.') {
            self.written.insert(name.to_owned());
        }
    }

    /// Writes the operation that defines a value.
    pub(super) fn define(&mut self, ty: Ty, text: impl AsRef<str>) -> Value {
        let name = self.fresh();
        self.line(format!("{name} = {}", text.as_ref()));
        let value = self.value(name, ty);
        self.values.push(value.clone());
        value
    }

    pub(super) fn value(&self, name: String, ty: Ty) -> Value {
        Value {
            name,
            ty,
            range: None,
            is_dim: false,
            root: 0,
        }
    }

    /// The same of a buffer of this allocation.
    pub(super) fn define_buffer(&mut self, mem: Mem, root: usize, text: impl AsRef<str>) -> Value {
        let mut value = self.define(Ty::MemRef(mem), text);
        value.root = root;
        if let Some(last) = self.values.last_mut() {
            last.root = root;
        }
        value
    }

    /// The same of an index in a range.
    pub(super) fn define_index(&mut self, range: (i64, i64), text: impl AsRef<str>) -> Value {
        let mut value = self.define(Ty::INDEX, text);
        value.range = Some(range);
        if let Some(last) = self.values.last_mut() {
            last.range = Some(range);
        }
        value
    }

    pub(super) fn new_root(&mut self, is_heap: bool) -> usize {
        self.roots.push(Root {
            is_writable: true,
            is_heap,
            is_handed: is_heap,
            is_freed: false,
        });
        self.roots.len() - 1
    }

    /// One of the values that this holds for; recent ones more often.
    pub(super) fn pick(&mut self, holds: impl Fn(&Value) -> bool) -> Option<Value> {
        let found: Vec<usize> = (0..self.values.len())
            .filter(|&at| holds(&self.values[at]))
            .collect();
        if found.is_empty() {
            return None;
        }
        let first = match self.rng.chance(50) {
            true => found.len().saturating_sub(4),
            false => 0,
        };
        let at = self.rng.range(first, found.len() - 1);
        Some(self.values[found[at]].clone())
    }

    /// Whether a buffer may be read here.
    pub(super) fn can_read(&self, value: &Value) -> bool {
        if value.ty.as_mem().is_none() || self.roots[value.root].is_freed {
            return false;
        }
        match &self.parallel {
            Some(Parallel {
                target: Some((target, _)),
                first_root,
            }) => value.root >= *first_root || value.root != 0 && value.root != target.root,
            _ => true,
        }
    }

    /// Whether a buffer may be written here.
    pub(super) fn can_write(&self, value: &Value) -> bool {
        let root = &self.roots[value.root];
        let is_ours = (self.parallel.as_ref()).is_none_or(|it| value.root >= it.first_root);
        value.ty.as_mem().is_some()
            && is_ours
            && !root.is_freed
            && (value.root == 0 || root.is_writable)
    }

    /// A buffer of rank at least `least` to read.
    pub(super) fn readable(&mut self, least: usize) -> Option<Value> {
        let found: Vec<String> = (self.values.iter())
            .filter(|value| self.can_read(value))
            .map(|value| value.name.clone())
            .collect();
        self.pick(|value| {
            value
                .ty
                .as_mem()
                .is_some_and(|mem| mem.rank() >= least && mem.n() > 0)
                && found.contains(&value.name)
        })
    }

    /// The same to write.
    pub(super) fn writable(&mut self, least: usize) -> Option<Value> {
        let found: Vec<String> = (self.values.iter())
            .filter(|value| self.can_write(value))
            .map(|value| value.name.clone())
            .collect();
        self.pick(|value| {
            value
                .ty
                .as_mem()
                .is_some_and(|mem| mem.rank() >= least && mem.n() > 0)
                && found.contains(&value.name)
        })
    }

    /// Writes a region: what it defines is not seen behind it.
    pub(super) fn scope<T>(&mut self, write: impl FnOnce(&mut Self) -> T) -> T {
        let (n, is_top) = (self.values.len(), self.is_top);
        let scope_root = std::mem::replace(&mut self.scope_root, self.roots.len());
        self.indent += 1;
        self.depth += 1;
        self.is_top = false;
        let outcome = write(self);
        self.depth -= 1;
        self.indent -= 1;
        self.is_top = is_top;
        self.scope_root = scope_root;
        self.values.truncate(n);
        outcome
    }

    /// A global with these contents.
    pub(super) fn global(&mut self, ty: &str, contents: &str, is_constant: bool) -> String {
        let constant = if is_constant { "constant " } else { "" };
        let key = format!("{constant}@NAME : {ty} = {contents}");
        let at = (self.globals.iter()).position(|(_, other)| *other == key);
        let at = at.unwrap_or_else(|| {
            self.globals.push((ty.to_owned(), key));
            self.globals.len() - 1
        });
        format!("@g{at}")
    }

    /// The same of one that nothing else uses.
    pub(super) fn own_global(&mut self, ty: &str, contents: &str) -> String {
        let at = self.globals.len();
        let key = format!("@NAME : {ty} = {contents}");
        self.globals.push((ty.to_owned(), key));
        format!("@g{at}")
    }

    pub(super) fn globals_text(&self) -> String {
        let line = |(at, (_, key)): (usize, &(String, String))| {
            format!(
                "memref.global \"private\" {}\n",
                key.replace("@NAME", &format!("@g{at}"))
            )
        };
        self.globals.iter().enumerate().map(line).collect()
    }

    // Numbers.

    pub(super) fn elem(&mut self) -> Elem {
        *self.rng.pick(&self.palette.elems.clone())
    }

    /// What vectors may have.
    pub(super) fn vector_elem(&mut self) -> Elem {
        match self.elem() {
            Elem::Complex(kind) => Elem::Float(kind),
            elem => elem,
        }
    }

    pub(super) fn size(&mut self) -> i64 {
        *self.rng.pick(&self.palette.sizes.clone())
    }

    pub(super) fn vector_size(&mut self) -> i64 {
        *self.rng.pick(&self.palette.vectors.clone())
    }

    pub(super) fn dim(&mut self, percent: usize) -> Dim {
        let size = self.size();
        match self.rng.chance(percent) {
            true => Dim::open(size),
            false => Dim::fixed(size),
        }
    }

    /// A literal, without its type.
    pub(super) fn literal(&mut self, elem: Elem) -> String {
        match elem {
            Elem::Int(1) => (*self.rng.pick(&["true", "false"])).to_owned(),
            Elem::Int(width) => {
                let width = width.min(127);
                let least = -(1i128 << (width - 1));
                let special = [0, 1, -1, least, -least - 1, 2, 3];
                let number = match self.rng.below(10) {
                    0..4 => special[self.rng.below(special.len())].max(least),
                    4..8 => self.rng.range(0, 20) as i128 - 6,
                    _ => i128::from(self.rng.next() as i64),
                };
                let shift = 128 - width;
                (number << shift >> shift).to_string()
            }
            Elem::Index => match self.rng.chance(85) {
                true => self.rng.below(17).to_string(),
                false => (*self.rng.pick(&[-1, i64::MAX, i64::MIN, -5])).to_string(),
            },
            Elem::Float(kind) => self.float_literal(kind),
            Elem::Complex(kind) => {
                let parts = [self.float_literal(kind), self.float_literal(kind)];
                format!("({}, {})", parts[0], parts[1])
            }
        }
    }

    fn float_literal(&mut self, kind: FloatKind) -> String {
        if self.rng.chance(75) {
            // Every format has these.
            const NUMBERS: [&str; 12] = [
                "0.0", "1.0", "-1.0", "0.5", "2.0", "-1.5", "3.0", "-4.0", "0.25", "6.0", "-0.75",
                "8.0",
            ];
            return (*self.rng.pick(&NUMBERS)).to_owned();
        }
        let (nan, infinity, one_bit): (u64, u64, u64) = match kind {
            FloatKind::F64 => (0x7ff8 << 48, 0x7ff0 << 48, 1),
            FloatKind::F32 => (0x7fc0_0000, 0x7f80_0000, 1),
            FloatKind::F16 => (0x7e00, 0x7c00, 1),
            FloatKind::BF16 => (0x7fc0, 0x7f80, 1),
            _ => return "-2.0".to_owned(),
        };
        let width = kind.width();
        let sign = 1u64 << (width - 1);
        let bits = match self.rng.below(8) {
            0 => nan,
            1 => infinity,
            2 => infinity | sign,
            3 => sign,
            4 => one_bit,
            5 => infinity - 1,
            _ => {
                let bits = self.rng.next() >> (64 - width);
                // No number that is none.
                if bits & infinity == infinity {
                    bits ^ (infinity & !(infinity << 1))
                } else {
                    bits
                }
            }
        };
        format!("0x{bits:0digits$X}", digits = width as usize / 4)
    }

    /// A `dense` attribute for a shape.
    pub(super) fn dense(&mut self, shape: &[i64], elem: Elem) -> String {
        let n: i64 = shape.iter().product();
        if n == 0 || self.rng.chance(15) {
            return format!("dense<{}>", self.literal(elem));
        }
        let literals: Vec<String> = (0..n).map(|_| self.literal(elem)).collect();
        format!("dense<{}>", nested(shape, &literals))
    }

    pub(super) fn constant(&mut self, ty: &Ty) -> Value {
        let text = match ty {
            Ty::Scalar(Elem::Complex(_)) => {
                let text = self.literal(ty.elem());
                let (re, im) = text
                    .trim_matches(['(', ')'])
                    .split_once(", ")
                    .unwrap_or_default();
                let part = Elem::Float(match ty.elem() {
                    Elem::Complex(kind) => kind,
                    _ => FloatKind::F32,
                });
                let part = part.text();
                format!(
                    "complex.constant [{re} : {part}, {im} : {part}] : {}",
                    ty.text()
                )
            }
            Ty::Scalar(elem) => {
                let literal = self.literal(*elem);
                match elem {
                    Elem::Int(1) => format!("arith.constant {literal}"),
                    _ => format!("arith.constant {literal} : {}", ty.text()),
                }
            }
            Ty::Vector(shape, elem) => {
                format!(
                    "arith.constant {} : {}",
                    self.dense(shape, *elem),
                    ty.text()
                )
            }
            Ty::Tensor(dims, elem) => {
                let shape: Vec<i64> = dims.iter().map(|dim| dim.size).collect();
                format!(
                    "arith.constant {} : {}",
                    self.dense(&shape, *elem),
                    ty.text()
                )
            }
            Ty::MemRef(_) => unreachable!("buffers are allocated"),
        };
        self.define(ty.clone(), text)
    }

    /// A constant index.
    pub(super) fn index(&mut self, number: i64) -> Value {
        let found = self
            .pick(|value| value.range == Some((number, number)) && value.name.starts_with("%c"));
        // Sometimes there are equal ones.
        if let Some(found) = found
            && !self.rng.chance(15)
        {
            return found;
        }
        self.next += 1;
        let name = format!("%c{}_{}", self.next, number.unsigned_abs());
        self.line(format!("{name} = arith.constant {number} : index"));
        let mut value = self.value(name, Ty::INDEX);
        value.range = Some((number, number));
        value.is_dim = true;
        self.values.push(value.clone());
        value
    }

    /// An index that only generated programs know to be this number.
    pub(super) fn opaque(&mut self, number: i64) -> Value {
        let number = number.clamp(0, MOST_NUMBER);
        if self.rng.chance(60)
            && let Some(found) = self.pick(|value| {
                value.range == Some((number, number)) && !value.name.starts_with("%c")
            })
        {
            return found;
        }
        let numbers: Vec<String> = (0..=MOST_NUMBER).map(|number| number.to_string()).collect();
        let ty = format!("memref<{}xindex>", MOST_NUMBER + 1);
        let contents = format!("dense<[{}]>", numbers.join(", "));
        let name = self.global(&ty, &contents, false);
        let global = self.fresh();
        self.line(format!("{global} = memref.get_global {name} : {ty}"));
        let at = self.index(number);
        let is_top = self.is_top;
        let mut value = self.define_index(
            (number, number),
            format!("memref.load {global}[{}] : {ty}", at.name),
        );
        value.is_dim = is_top;
        if let Some(last) = self.values.last_mut() {
            last.is_dim = is_top;
        }
        value
    }

    /// An index that is this number, constant or not.
    pub(super) fn number(&mut self, number: i64) -> Value {
        match (0..=MOST_NUMBER).contains(&number) && self.rng.chance(40) {
            true => self.opaque(number),
            false => self.index(number),
        }
    }

    /// The value of a size that a type leaves open.
    pub(super) fn size_value(&mut self, dim: Dim) -> Value {
        match (0..=MOST_NUMBER).contains(&dim.size) {
            true => self.opaque(dim.size),
            false => self.index(dim.size),
        }
    }

    /// The operands for all sizes that a type leaves open, with parentheses.
    pub(super) fn open_sizes(&mut self, dims: &[Dim]) -> String {
        let open: Vec<String> = (dims.iter())
            .filter(|dim| dim.is_open)
            .map(|&dim| self.size_value(dim).name)
            .collect();
        format!("({})", open.join(", "))
    }
}

/// Literals as nested lists.
pub(super) fn nested(shape: &[i64], literals: &[String]) -> String {
    let Some((&first, rest)) = shape.split_first() else {
        return literals.first().cloned().unwrap_or_default();
    };
    let step = literals.len() / (first.max(1) as usize);
    let parts: Vec<String> = (0..first as usize)
        .map(|at| nested(rest, &literals[at * step..(at + 1) * step]))
        .collect();
    format!("[{}]", parts.join(", "))
}

fn palette(rng: &mut Rng) -> Palette {
    const ELEMS: [Elem; 26] = [
        Elem::Float(FloatKind::F32),
        Elem::Int(64),
        Elem::Float(FloatKind::F64),
        Elem::Int(32),
        Elem::Int(8),
        Elem::Float(FloatKind::F32),
        Elem::Int(16),
        Elem::Index,
        Elem::Int(1),
        Elem::Float(FloatKind::F16),
        Elem::Float(FloatKind::BF16),
        Elem::Int(7),
        Elem::Complex(FloatKind::F32),
        Elem::Int(128),
        Elem::Float(FloatKind::F8E4M3FN),
        Elem::Float(FloatKind::F8E5M2),
        Elem::Float(FloatKind::F8E4M3FNUZ),
        Elem::Complex(FloatKind::F64),
        Elem::Float(FloatKind::F4E2M1FN),
        Elem::Float(FloatKind::F8E8M0FNU),
        Elem::Int(3),
        Elem::Int(33),
        Elem::Int(24),
        Elem::Int(12),
        Elem::Int(63),
        Elem::Int(48),
    ];
    const SIZES: [i64; 14] = [4, 8, 3, 5, 16, 2, 7, 1, 12, 9, 6, 17, 32, 0];
    const VECTORS: [i64; 8] = [4, 8, 2, 3, 16, 1, 5, 6];
    fn some<T: Copy>(rng: &mut Rng, all: &[T], n: usize) -> Vec<T> {
        // The first ones more often.
        let pick = |rng: &mut Rng| all[rng.below(all.len()).min(rng.below(all.len()))];
        (0..n).map(|_| pick(rng)).collect()
    }
    let n = rng.range(2, 4);
    Palette {
        elems: some(rng, &ELEMS, n),
        sizes: some(rng, &SIZES, 3),
        vectors: some(rng, &VECTORS, 2),
    }
}
