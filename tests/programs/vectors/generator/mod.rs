//! Random functions on vectors, and modules that call them.

mod accesses;
mod arithmetic;
mod dimensions;

use std::fmt::Write as _;
use std::ops::Range;

use crate::support::generator::rng::Rng;

/// What programs may have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Dialect {
    Whole,
    /// What MLIR's lowering to LLVM gives the same bits.
    SameInLlvm,
}

/// The types of elements in memory; there is a memref of each.
const ELEMENTS: [&str; 8] = ["f32", "f64", "i8", "i16", "i32", "i64", "f16", "bf16"];

/// Rows and columns of memory.
const ROWS: usize = 12;
const COLUMNS: usize = 80;

/// Iterations of a loop.
const TRIPS: usize = 3;

/// The sizes of vectors.
const SHAPES: [&[usize]; 28] = [
    &[4],
    &[8],
    &[8],
    &[16],
    &[16],
    &[16],
    &[32],
    &[64],
    &[2],
    &[3],
    &[2, 8],
    &[4, 8],
    &[4, 16],
    &[2, 2, 8],
    &[4, 4],
    &[2, 2],
    &[3, 4],
    &[1, 8],
    &[1, 16],
    &[1, 32],
    &[8, 1],
    &[1],
    &[2, 16],
    &[2, 3, 4],
    &[2, 1, 8],
    &[1, 1, 16],
    &[1, 2, 2, 4],
    &[3, 8],
];

/// A vector, and what its elements are.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Ty {
    shape: Vec<usize>,
    element: &'static str,
}

impl Ty {
    fn n(&self) -> usize {
        self.shape.iter().product()
    }

    fn is_float(&self) -> bool {
        self.element.contains('f')
    }

    fn bits(&self) -> usize {
        bits(self.element)
    }

    fn with(&self, element: &'static str) -> Self {
        Self {
            shape: self.shape.clone(),
            element,
        }
    }

    fn text(&self) -> String {
        let sizes: Vec<String> = self.shape.iter().map(|size| format!("{size}x")).collect();
        format!("vector<{}{}>", sizes.concat(), self.element)
    }
}

fn bits(element: &str) -> usize {
    element
        .trim_start_matches(|c: char| !c.is_ascii_digit())
        .parse()
        .unwrap_or(64)
}

/// How a function sees the memory of an element type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Layout {
    Static,
    Dynamic,
    Strided,
}

impl Layout {
    fn text(self, element: &str) -> String {
        match self {
            Self::Static => format!("memref<{ROWS}x{COLUMNS}x{element}>"),
            Self::Dynamic => format!("memref<?x?x{element}>"),
            Self::Strided => format!("memref<?x?x{element}, strided<[?, 1], offset: ?>>"),
        }
    }
}

struct Writer {
    rng: Rng,
    dialect: Dialect,
    text: String,
    /// Memory of the function's own, which it allocates first.
    allocas: String,
    n_values: usize,
    /// What is at hand, by type.
    values: Vec<(Ty, String)>,
    layouts: Vec<Layout>,
    /// The types that loads and conversions have: few, so that operations find operands.
    elements: Vec<&'static str>,
    /// The counter of the loop, or a constant.
    counter: &'static str,
}

impl Writer {
    fn name(&mut self) -> String {
        self.n_values += 1;
        format!("%v{}", self.n_values)
    }

    fn line(&mut self, text: &str) {
        let _ = writeln!(self.text, "    {text}");
    }

    /// Adds an operation with a result.
    fn op(&mut self, ty: &Ty, text: &str) -> String {
        let name = self.name();
        self.line(&format!("{name} = {text}"));
        self.values.push((ty.clone(), name.clone()));
        name
    }

    fn ty(&mut self) -> Ty {
        // MLIR's lowering of several dimensions leaves operations that have none.
        let shapes = match self.dialect {
            Dialect::Whole => &SHAPES[..],
            Dialect::SameInLlvm => &SHAPES[..10],
        };
        Ty {
            shape: self.rng.pick(shapes).to_vec(),
            element: self.rng.pick::<&str>(&self.elements),
        }
    }

    /// A value of a type: one that is there, or a new one.
    fn value(&mut self, ty: &Ty) -> String {
        let known: Vec<String> = (self.values.iter())
            .filter(|(known, _)| known == ty)
            .map(|(_, name)| name.clone())
            .collect();
        if !known.is_empty() && self.rng.chance(85) {
            return self.rng.pick(&known).clone();
        }
        if ty.element == "i1" {
            return self.mask(ty);
        }
        self.load(ty)
    }

    /// A type that something has.
    fn some(&mut self, accepts: impl Fn(&Ty) -> bool) -> Option<Ty> {
        let known: Vec<Ty> = (self.values.iter())
            .filter(|(ty, _)| accepts(ty))
            .map(|(ty, _)| ty.clone())
            .collect();
        match known.is_empty() {
            true => None,
            false => Some(self.rng.pick(&known).clone()),
        }
    }

    fn memory(&self, element: &str) -> (String, String) {
        let index = ELEMENTS
            .iter()
            .position(|&known| known == element)
            .unwrap_or(0);
        (format!("%m_{element}"), self.layouts[index].text(element))
    }

    /// An index: a constant, or more than the counter.
    fn index(&mut self, most: usize) -> String {
        let room = most.saturating_sub(TRIPS);
        if room == 0 || self.rng.chance(30) {
            let number = self.rng.below(most + 1);
            return format!("%c{number}");
        }
        let plus = self.rng.below(room + 1);
        let name = self.name();
        let counter = self.counter;
        self.line(&format!("{name} = arith.addi {counter}, %c{plus} : index"));
        name
    }

    fn mask(&mut self, ty: &Ty) -> String {
        let text = ty.text();
        let kind = self.rng.below(100);
        if kind < 25 {
            let bounds: Vec<String> = (ty.shape.iter())
                .map(|&size| format!("%c{}", self.rng.below(size + 2)))
                .collect();
            return self.op(
                ty,
                &format!("vector.create_mask {} : {text}", bounds.join(", ")),
            );
        }
        if kind < 40 {
            let bounds: Vec<String> = (ty.shape.iter())
                .map(|&size| self.rng.range(1, size).to_string())
                .collect();
            return self.op(
                ty,
                &format!("vector.constant_mask [{}] : {text}", bounds.join(", ")),
            );
        }
        let of = ty.with(self.rng.pick::<&str>(&self.elements));
        let (a, b) = (self.value(&of), self.value(&of));
        let compare = match of.is_float() {
            true => {
                let all = [
                    "oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq", "ugt", "ult", "une",
                    "uno",
                ];
                format!(
                    "arith.cmpf {}, {a}, {b} : {}",
                    self.rng.pick(&all),
                    of.text()
                )
            }
            false => {
                let all = [
                    "eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge",
                ];
                format!(
                    "arith.cmpi {}, {a}, {b} : {}",
                    self.rng.pick(&all),
                    of.text()
                )
            }
        };
        self.op(ty, &compare)
    }

    /// Operations that put elements elsewhere.
    fn movement(&mut self) {
        let is_any = self.rng.chance(15);
        let Some(from) = self.some(|ty| is_any || ty.element != "i1") else {
            return;
        };
        let value = self.value(&from);
        let text = from.text();
        let shaped = |shape: Vec<usize>| Ty {
            shape,
            element: from.element,
        };
        let last = from.shape[from.shape.len() - 1];
        if self.dialect == Dialect::Whole && self.rng.chance(45) {
            return self.move_rows(&from, &value);
        }
        match self.rng.below(11) {
            0 if from.shape.len() == 1 => {
                let other = self.value(&from);
                let n = *self.rng.pick(&[2, 4, 8, 16, 32]);
                let places: Vec<String> = (0..n)
                    .map(|_| self.rng.below(2 * last).to_string())
                    .collect();
                let to = shaped(vec![n]);
                self.op(
                    &to,
                    &format!(
                        "vector.shuffle {value}, {other} [{}] : {text}, {text}",
                        places.join(", ")
                    ),
                );
            }
            1 => {
                let mut sizes = from.shape.clone();
                sizes.reverse();
                let places: Vec<String> = (0..sizes.len()).rev().map(|i| i.to_string()).collect();
                let to = shaped(sizes);
                self.op(
                    &to,
                    &format!(
                        "vector.transpose {value}, [{}] : {text} to {}",
                        places.join(", "),
                        to.text()
                    ),
                );
            }
            2 if from.n() % 4 == 0 && self.dialect == Dialect::Whole => {
                let n = from.n();
                let to = shaped(
                    self.rng
                        .pick(&[vec![n], vec![n / 4, 4], vec![2, n / 2]])
                        .clone(),
                );
                if to != from {
                    self.op(
                        &to,
                        &format!("vector.shape_cast {value} : {text} to {}", to.text()),
                    );
                }
            }
            3 if last >= 2 && from.shape.len() == 1 => {
                let n = self
                    .rng
                    .range(1, last - 1)
                    .next_power_of_two()
                    .min(last / 2)
                    .max(1);
                let at = self.rng.below(last - n + 1);
                let to = shaped(vec![n]);
                let part = self.op(&to, &format!(
                    "vector.extract_strided_slice {value} {{offsets = [{at}], sizes = [{n}], strides = [1]}} : {text} to {}",
                    to.text()
                ));
                let at = self.rng.below(last - n + 1);
                self.op(&from, &format!(
                    "vector.insert_strided_slice {part}, {value} {{offsets = [{at}], strides = [1]}} : {} into {text}",
                    to.text()
                ));
            }
            4 if from.shape.len() == 1 && last <= 32 => {
                let other = self.value(&from);
                let to = shaped(vec![2 * last]);
                let both = self.op(
                    &to,
                    &format!(
                        "vector.interleave {value}, {other} : {text} -> {}",
                        to.text()
                    ),
                );
                let (even, odd) = (self.name(), self.name());
                self.line(&format!(
                    "{even}, {odd} = vector.deinterleave {both} : {} -> {text}",
                    to.text()
                ));
                self.values.push((from.clone(), odd));
            }
            5 | 6 if self.dialect == Dialect::Whole && self.rng.chance(60) => {
                self.position(&value, &from);
            }
            5 | 6 => {
                let at: Vec<String> = (from.shape.iter())
                    .map(|&size| self.rng.below(size).to_string())
                    .collect();
                let at = at.join(", ");
                let element = self.name();
                let ty = from.element;
                self.line(&format!(
                    "{element} = vector.extract {value}[{at}] : {ty} from {text}"
                ));
                let other = self.value(&from);
                if self.rng.chance(50) {
                    self.op(
                        &from,
                        &format!("vector.insert {element}, {other} [{at}] : {ty} into {text}"),
                    );
                } else {
                    self.op(
                        &from,
                        &format!("vector.broadcast {element} : {ty} to {text}"),
                    );
                }
            }
            7 if from.shape.len() >= 2 => {
                let row = shaped(from.shape[1..].to_vec());
                let at = self.rng.below(from.shape[0]);
                let part = self.op(
                    &row,
                    &format!("vector.extract {value}[{at}] : {} from {text}", row.text()),
                );
                let at = self.rng.below(from.shape[0]);
                self.op(
                    &from,
                    &format!(
                        "vector.insert {part}, {value} [{at}] : {} into {text}",
                        row.text()
                    ),
                );
            }
            8 if from.shape.len() == 1 && from.n() <= 16 && self.dialect == Dialect::Whole => {
                let to = shaped(vec![*self.rng.pick(&[2, 4]), last]);
                self.op(
                    &to,
                    &format!("vector.broadcast {value} : {text} to {}", to.text()),
                );
            }
            _ => {}
        }
    }

    /// An element at a position that turns out at run time, in the vector or not: what is outside is poison, which a
    /// selection leaves out.
    fn position(&mut self, value: &str, from: &Ty) {
        let (text, element) = (from.text(), from.element);
        let [number, at, size, is_inside] = [(); 4].map(|()| self.name());
        let factor = self.name();
        let times = *self.rng.pick(&[1, 3, 1_000_000_000_i64]);
        self.line(&format!("{factor} = arith.constant {times} : index"));
        let counter = self.counter;
        self.line(&format!(
            "{number} = arith.muli {counter}, {factor} : index"
        ));
        self.line(&format!("{at} = arith.subi {number}, %c1 : index"));
        self.line(&format!(
            "{size} = arith.constant {} : index",
            from.shape[0]
        ));
        self.line(&format!(
            "{is_inside} = arith.cmpi ult, {at}, {size} : index"
        ));
        let rest = |first: &str| {
            let zeros = from.shape[1..].iter().map(|_| "0".to_owned());
            let all: Vec<String> = [first.to_owned()].into_iter().chain(zeros).collect();
            all.join(", ")
        };
        let [there, first, chosen, changed] = [(); 4].map(|()| self.name());
        self.line(&format!(
            "{there} = vector.extract {value}[{}] : {element} from {text}",
            rest(&at)
        ));
        self.line(&format!(
            "{first} = vector.extract {value}[{}] : {element} from {text}",
            rest("0")
        ));
        self.line(&format!(
            "{chosen} = arith.select {is_inside}, {there}, {first} : {element}"
        ));
        let other = self.value(from);
        self.line(&format!(
            "{changed} = vector.insert {chosen}, {other} [{}] : {element} into {text}",
            rest(&at)
        ));
        self.op(
            from,
            &format!("arith.select {is_inside}, {changed}, {other} : {text}"),
        );
    }

    /// Reductions and products.
    fn sums(&mut self) {
        let Some(ty) = self.some(|ty| ty.element != "i1") else {
            return;
        };
        let kinds: &[&str] = match ty.is_float() {
            true => &["add", "mul", "maximumf", "minimumf"],
            false => &[
                "add", "mul", "and", "or", "xor", "maxsi", "maxui", "minsi", "minui",
            ],
        };
        let kind = *self.rng.pick(kinds);
        let value = self.value(&ty);
        let text = ty.text();
        if self.dialect == Dialect::Whole && self.rng.chance(50) {
            return self.combination(&ty, &value);
        }
        if ty.shape.len() == 1 {
            // Sums of floats have another order in LLVM, as tree or so.
            let element = self.name();
            let of = ty.element;
            let is_sum = ty.is_float() && (kind == "add" || kind == "mul");
            if is_sum && (ty.bits() < 32 || self.dialect == Dialect::SameInLlvm) {
                return;
            }
            self.line(&format!(
                "{element} = vector.reduction <{kind}>, {value} : {text} into {of}"
            ));
            self.op(&ty, &format!("vector.broadcast {element} : {of} to {text}"));
            return;
        }
        if ty.shape.len() != 2 || self.dialect == Dialect::SameInLlvm {
            return;
        }
        let (m, n) = (ty.shape[0], ty.shape[1]);
        let vector = |n: usize| Ty {
            shape: vec![n],
            element: ty.element,
        };
        let (rows, columns) = (vector(m), vector(n));
        match self.rng.below(3) {
            0 => {
                let dim = self.rng.below(2);
                let total = if dim == 0 { &columns } else { &rows };
                let first = self.value(total);
                self.op(
                    total,
                    &format!(
                        "vector.multi_reduction <{kind}>, {value}, {first} [{dim}] : {text} to {}",
                        total.text()
                    ),
                );
            }
            1 => {
                let a = match self.rng.chance(50) {
                    true => self.column(&rows),
                    false => self.value(&rows),
                };
                let b = self.value(&columns);
                self.op(&ty, &format!(
                    "vector.outerproduct {a}, {b}, {value} {{kind = #vector.kind<{kind}>}} : {}, {}",
                    rows.text(),
                    columns.text()
                ));
            }
            _ => {
                let k = *self.rng.pick(&[2, 4]);
                let matrix = |a: usize, b: usize| Ty {
                    shape: vec![a, b],
                    element: ty.element,
                };
                let is_turned = self.rng.chance(40);
                let a = matrix(m, k);
                let b = if is_turned {
                    matrix(n, k)
                } else {
                    matrix(k, n)
                };
                let map = if is_turned { "(n, k)" } else { "(k, n)" };
                let (lhs, rhs) = (self.value(&a), self.value(&b));
                self.op(&ty, &format!(
                    "vector.contract {{indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> {map}>, affine_map<(m, n, k) -> (m, n)>], iterator_types = [\"parallel\", \"parallel\", \"reduction\"], kind = #vector.kind<add>}} {lhs}, {rhs}, {value} : {}, {} into {text}",
                    a.text(),
                    b.text()
                ));
            }
        }
    }

    fn step(&mut self) {
        match self.rng.below(100) {
            0..12 => {
                let ty = self.ty();
                self.load(&ty);
            }
            12..42 => self.arithmetic(),
            42..45 => self.constants(),
            45..50 => self.mask_logic(),
            50..60 => self.conversion(),
            60..78 => self.movement(),
            78..88 => self.sums(),
            88..98 => self.store(),
            _ => {
                if let Some(ty) = self.some(|ty| ty.element != "i1" || ty.shape.len() < 3) {
                    self.memory_of_vectors(&ty);
                }
            }
        }
    }
}

/// A function on all memory.
fn function(seed: u64, dialect: Dialect) -> String {
    let mut rng = Rng::new(seed.wrapping_mul(0x5851_f42d_4c95_7f2d) ^ 0x7665_6374);
    let layouts = ELEMENTS.map(|_| *rng.pick(&[Layout::Static, Layout::Dynamic, Layout::Strided]));
    let has_loop = rng.chance(60);
    let elements = (0..3).map(|_| *rng.pick(&ELEMENTS)).collect();
    let mut w = Writer {
        rng,
        dialect,
        text: String::new(),
        allocas: String::new(),
        n_values: 0,
        values: Vec::new(),
        layouts: layouts.to_vec(),
        elements,
        counter: "%c1",
    };
    let args: Vec<String> = (ELEMENTS.iter().zip(layouts))
        .map(|(element, layout)| format!("%m_{element}: {}", layout.text(element)))
        .collect();
    let mut head = format!("func.func private @f{seed}({}) {{\n", args.join(", "));
    for n in 0..=COLUMNS {
        let _ = writeln!(head, "    %c{n} = arith.constant {n} : index");
    }
    for element in ELEMENTS {
        let zero = if element.contains('f') { "0.0" } else { "0" };
        let _ = writeln!(
            head,
            "    %zero_{element} = arith.constant {zero} : {element}"
        );
    }
    let carried: Vec<Ty> = (0..w.rng.below(4)).map(|_| w.ty()).collect();
    let mut inits = Vec::new();
    for ty in &carried {
        inits.push(w.load(ty));
    }
    let before = w.values.len();
    let n_steps = w.rng.range(6, 30);
    let mut tail = String::new();
    if has_loop {
        let names: Vec<String> = (0..carried.len()).map(|i| format!("%carried{i}")).collect();
        let types: Vec<String> = carried.iter().map(Ty::text).collect();
        let pairs: Vec<String> = names
            .iter()
            .zip(&inits)
            .map(|(a, b)| format!("{a} = {b}"))
            .collect();
        let results = match carried.len() {
            0 => String::new(),
            n => format!("%all:{n} = "),
        };
        let iter_args = match carried.is_empty() {
            true => String::new(),
            false => format!(" iter_args({}) -> ({})", pairs.join(", "), types.join(", ")),
        };
        w.line(&format!(
            "{results}scf.for %i = %c0 to %c{TRIPS} step %c1{iter_args} {{"
        ));
        w.counter = "%i";
        for (ty, name) in carried.iter().zip(names) {
            w.values.push((ty.clone(), name));
        }
        for _ in 0..n_steps {
            w.step();
        }
        w.store();
        let next: Vec<String> = carried.iter().map(|ty| w.value(ty)).collect();
        if !carried.is_empty() {
            w.line(&format!(
                "scf.yield {} : {}",
                next.join(", "),
                types.join(", ")
            ));
        }
        w.line("}");
        w.values.truncate(before);
        for (i, ty) in carried.iter().enumerate() {
            w.values.push((ty.clone(), format!("%all#{i}")));
        }
        w.counter = "%c1";
        w.store();
        w.store();
    } else {
        for _ in 0..n_steps {
            w.step();
        }
        w.store();
        w.store();
    }
    tail.push_str("    return\n}\n");
    format!("{head}{}{}{tail}", w.allocas, w.text)
}

/// A module that calls the functions of these seeds, and prints all memory after each.
pub(crate) fn module(seeds: Range<u64>, dialect: Dialect) -> String {
    let mut text = String::new();
    for seed in seeds.clone() {
        text.push_str(&function(seed, dialect));
    }
    for element in ELEMENTS {
        text.push_str(&fill_and_print(element));
    }
    text.push_str("func.func private @printI64(i64)\nfunc.func private @printNewline()\nfunc.func @main() {\n");
    for element in ELEMENTS {
        let _ = writeln!(
            text,
            "    %whole_{element} = memref.alloc() : memref<{}x{}x{element}>",
            ROWS + 1,
            COLUMNS + 3
        );
    }
    for seed in seeds {
        // The same numbers as in `function`.
        let mut rng = Rng::new(seed.wrapping_mul(0x5851_f42d_4c95_7f2d) ^ 0x7665_6374);
        let layouts =
            ELEMENTS.map(|_| *rng.pick(&[Layout::Static, Layout::Dynamic, Layout::Strided]));
        let mut names = Vec::new();
        let mut types = Vec::new();
        for (element, layout) in ELEMENTS.iter().zip(layouts) {
            let plain = format!("memref<{ROWS}x{COLUMNS}x{element}>");
            let whole = format!("memref<{}x{}x{element}>", ROWS + 1, COLUMNS + 3);
            let name = format!("%a{seed}_{element}");
            let (offset, ty) = (seed % 4, layout.text(element));
            if layout == Layout::Strided {
                let part = format!("strided<[{}, 1], offset: {offset}>", COLUMNS + 3);
                let part = format!("memref<{ROWS}x{COLUMNS}x{element}, {part}>");
                let _ = writeln!(
                    text,
                    "    {name}_part = memref.subview %whole_{element}[0, {offset}] [{ROWS}, {COLUMNS}] [1, 1] : {whole} to {part}"
                );
                let _ = writeln!(
                    text,
                    "    {name} = memref.cast {name}_part : {part} to {ty}"
                );
            } else {
                let _ = writeln!(text, "    {name}_part = memref.alloc() : {plain}");
                let _ = writeln!(
                    text,
                    "    {name} = memref.cast {name}_part : {plain} to {ty}"
                );
            }
            let view = Layout::Strided.text(element);
            let _ = writeln!(
                text,
                "    {name}_view = memref.cast {name} : {ty} to {view}"
            );
            let _ = writeln!(
                text,
                "    func.call @fill_{element}({name}_view) : ({view}) -> ()"
            );
            names.push(name);
            types.push(ty);
        }
        let _ = writeln!(
            text,
            "    func.call @f{seed}({}) : ({}) -> ()",
            names.join(", "),
            types.join(", ")
        );
        for (name, element) in names.iter().zip(ELEMENTS) {
            let view = Layout::Strided.text(element);
            let _ = writeln!(
                text,
                "    func.call @print_{element}({name}_view) : ({view}) -> ()"
            );
        }
    }
    text.push_str("    return\n}\n");
    text
}

/// Functions that fill the memory of a type, and print a hash of each of its rows.
fn fill_and_print(element: &str) -> String {
    let memory = Layout::Strided.text(element);
    let n = bits(element);
    // From a number between -500 and 499, and its bits.
    let (make, take) = match (element.contains('f'), n) {
        (true, _) => {
            let narrow = match n {
                64 => format!(
                    "      %number = arith.sitofp %small : i64 to f64\n      %element = arith.mulf %number, %quarter : {element}\n"
                ),
                _ => format!(
                    "      %number = arith.sitofp %small : i64 to {element}\n      %element = arith.mulf %number, %quarter : {element}\n"
                ),
            };
            let wide = match n {
                64 => "      %wide = arith.addi %bits, %c0_i64 : i64\n".to_owned(),
                _ => format!("      %wide = arith.extui %bits : i{n} to i64\n"),
            };
            // All that are not a number are the same.
            let take = format!(
                "      %is_nan = arith.cmpf uno, %element, %element : {element}\n      %any = arith.bitcast %element : {element} to i{n}\n      %minus = arith.constant -1 : i{n}\n      %bits = arith.select %is_nan, %minus, %any : i{n}\n{wide}"
            );
            (narrow, take)
        }
        (false, 64) => (
            "      %element = arith.addi %hash, %c0_i64 : i64\n".to_owned(),
            "      %wide = arith.addi %element, %c0_i64 : i64\n".to_owned(),
        ),
        (false, _) => (
            format!("      %element = arith.trunci %hash : i64 to {element}\n"),
            format!("      %wide = arith.extui %element : {element} to i64\n"),
        ),
    };
    let quarter = match element.contains('f') {
        true => format!("    %quarter = arith.constant 0.25 : {element}\n"),
        false => String::new(),
    };
    let constants = format!(
        "    %c0 = arith.constant 0 : index\n    %c1 = arith.constant 1 : index\n    %rows = arith.constant {ROWS} : index\n    %columns = arith.constant {COLUMNS} : index\n    %c0_i64 = arith.constant 0 : i64\n    %c1000 = arith.constant 1000 : i64\n    %c500 = arith.constant 500 : i64\n    %factor = arith.constant 6364136223846793005 : i64\n    %c29 = arith.constant 29 : i64\n{quarter}"
    );
    format!(
        "func.func private @fill_{element}(%m: {memory}) {{\n{constants}\
    scf.for %i = %c0 to %rows step %c1 {{\n    scf.for %j = %c0 to %columns step %c1 {{\n\
      %row = arith.muli %i, %columns : index\n      %at = arith.addi %row, %j : index\n      %n = arith.index_cast %at : index to i64\n\
      %n1 = arith.addi %n, %c29 : i64\n      %product = arith.muli %n1, %factor : i64\n      %high = arith.shrui %product, %c29 : i64\n      %hash = arith.xori %product, %high : i64\n\
      %rest = arith.remui %hash, %c1000 : i64\n      %small = arith.subi %rest, %c500 : i64\n{make}\
      memref.store %element, %m[%i, %j] : {memory}\n    }}\n    }}\n    return\n}}\n\
func.func private @print_{element}(%m: {memory}) {{\n{constants}\
    scf.for %i = %c0 to %rows step %c1 {{\n    %sum = scf.for %j = %c0 to %columns step %c1 iter_args(%before = %c0_i64) -> (i64) {{\n\
      %element = memref.load %m[%i, %j] : {memory}\n{take}\
      %product = arith.muli %before, %factor : i64\n      %next = arith.addi %product, %wide : i64\n\
      scf.yield %next : i64\n    }}\n    func.call @printI64(%sum) : (i64) -> ()\n    func.call @printNewline() : () -> ()\n    }}\n    return\n}}\n"
    )
}
