//! Buffers whose layouts are maps, of permutations, offsets and strides, some of them known at run time only: moved,
//! copied, returned, viewed, filled in part, and read element by element.

use std::fmt::Write as _;

use super::writer::Writer;
use crate::support::generator::rng::Rng;

/// The program with this seed.
pub(crate) fn generate(seed: u64) -> String {
    let mut program = Program {
        rng: Rng::new(seed),
        head: String::new(),
        out: Writer::default(),
    };
    program.out.declare_print();
    program.write();
    program.head + &program.out.text
}

/// A layout: the permutation of dimensions, outermost in memory first, and what its type says of it.
#[derive(Clone)]
struct Layout {
    /// What type aliases in the text call it.
    name: String,
    order: [usize; 2],
}

struct Program {
    rng: Rng,
    /// Aliases of attributes.
    head: String,
    out: Writer,
}

impl Program {
    /// Any way to say how rows of this length lie one after the other, or the same transposed.
    fn layout(&mut self, is_transposed: bool, length: usize) -> Layout {
        let name = format!("#l{}", self.out.fresh());
        let (outer, inner) = match is_transposed {
            false => ("d0", "d1"),
            true => ("d1", "d0"),
        };
        let map = match self.rng.below(9) {
            0 => format!("affine_map<(d0, d1)[s0] -> ({outer} * s0 + {inner})>"),
            1 => format!("affine_map<(d0, d1)[s0, s1] -> ({outer} * s0 + {inner} + s1)>"),
            2 => "affine_map<(d0, d1)[s0, s1, s2] -> (d0 * s0 + d1 * s1 + s2)>".to_owned(),
            // Divisions that come to multiples.
            7 => format!(
                "affine_map<(d0, d1)[s0] -> ({outer} * s0 + ({inner} * 4) floordiv 4 + ({outer} * 6) mod 3)>"
            ),
            8 => format!(
                "affine_map<(d0, d1) -> (({outer} * {}) ceildiv 2 + {inner} floordiv 1 + ({inner} * 4) mod 2)>",
                2 * length
            ),
            3 => format!("affine_map<(d0, d1) -> ({outer} * {length} + {inner})>"),
            4 => format!("affine_map<(d0, d1) -> ({outer}, {inner})>"),
            5 => match is_transposed {
                false => "strided<[?, 1], offset: ?>".to_owned(),
                true => "strided<[1, ?], offset: ?>".to_owned(),
            },
            _ => match is_transposed {
                false => format!("strided<[{length}, 1]>"),
                true => format!("strided<[1, {length}]>"),
            },
        };
        let _ = writeln!(self.head, "{name} = {map}");
        let order = if is_transposed { [1, 0] } else { [0, 1] };
        Layout { name, order }
    }

    fn write(&mut self) {
        let sizes = [self.rng.range(1, 4), self.rng.range(1, 4)];
        let mut functions = Vec::new();
        for _ in 0..self.rng.range(1, 3) {
            functions.push(self.function(sizes));
        }
        self.out.text.push_str("func.func @main() {\n");
        for (name, number) in [
            ("c0", 0),
            ("c1", 1),
            ("rows", sizes[0]),
            ("columns", sizes[1]),
        ] {
            self.out
                .line(&format!("%{name} = arith.constant {number} : index"));
        }
        self.out.line("%true = arith.constant true");
        let plain = "memref<?x?xi64>";
        let m = self
            .out
            .value(&format!("memref.alloc(%rows, %columns) : {plain}"));
        self.out.line("scf.for %i = %c0 to %rows step %c1 {");
        self.out.line("scf.for %j = %c0 to %columns step %c1 {");
        let row = self.out.value("arith.muli %i, %columns : index");
        let place = self.out.value(&format!("arith.addi {row}, %j : index"));
        let number = self
            .out
            .value(&format!("arith.index_cast {place} : index to i64"));
        self.out
            .line(&format!("memref.store {number}, {m}[%i, %j] : {plain}"));
        self.out.line("}");
        self.out.line("}");
        for (name, layout, ty) in functions {
            let view = self.out.value(&format!(
                "func.call @{name}({m}, %true) : ({plain}, i1) -> {ty}"
            ));
            let bounds = layout.order.map(|dim| ["%rows", "%columns"][dim]);
            self.print(&view, &ty, bounds);
            if self.rng.chance(50) {
                // As it is in a row of memory.
                let copy = self.out.value(&format!(
                    "memref.alloc({}, {}) : {plain}",
                    bounds[0], bounds[1]
                ));
                self.out
                    .line(&format!("memref.copy {view}, {copy} : {ty} to {plain}"));
                self.print(&copy, plain, bounds);
                self.out
                    .line(&format!("memref.copy {copy}, {view} : {plain} to {ty}"));
                self.print(&view, &ty, bounds);
            }
        }
        self.out.line("return");
        self.out.text.push_str("}\n");
    }

    fn print(&mut self, buffer: &str, ty: &str, [rows, columns]: [&str; 2]) {
        self.out
            .line(&format!("scf.for %i = %c0 to {rows} step %c1 {{"));
        self.out
            .line(&format!("scf.for %j = %c0 to {columns} step %c1 {{"));
        let read = self
            .out
            .value(&format!("memref.load {buffer}[%i, %j] : {ty}"));
        self.out.print(&read);
        self.out.line("}");
        self.out.line("}");
    }

    /// A function that returns its argument, maybe transposed, in some layout; by way of copies or not. Gives its
    /// name, the layout, and the type of its result.
    fn function(&mut self, sizes: [usize; 2]) -> (String, Layout, String) {
        let name = format!("f{}", self.out.fresh());
        let is_transposed = self.rng.chance(60);
        let [rows, columns] = sizes;
        let layout = self.layout(is_transposed, columns);
        let is_static = self.rng.chance(40);
        let shape = match (is_static, is_transposed) {
            (false, _) => "?x?".to_owned(),
            (true, false) => format!("{rows}x{columns}"),
            (true, true) => format!("{columns}x{rows}"),
        };
        // A transposed view has the sizes in the other order, and so has its layout.
        let ty = format!("memref<{shape}xi64, {}>", layout.name);
        let plain = "memref<?x?xi64>";
        let _ = writeln!(
            self.out.text,
            "func.func private @{name}(%m: {plain}, %c: i1) -> {ty} attributes {{no_inline}} {{"
        );
        let any = format!("memref<{shape}xi64, strided<[?, ?], offset: ?>>");
        let source = match is_transposed {
            true => self.out.value(&format!(
                "memref.transpose %m (i, j) -> (j, i) : {plain} to memref<?x?xi64, strided<[1, ?]>>"
            )),
            false => "%m".to_owned(),
        };
        let source_type = match is_transposed {
            true => "memref<?x?xi64, strided<[1, ?]>>",
            false => plain,
        };
        let viewed = self
            .out
            .value(&format!("memref.cast {source} : {source_type} to {any}"));
        let mut result = self
            .out
            .value(&format!("memref.cast {viewed} : {any} to {ty}"));
        // Not after it was cloned, or it would not be said who sees it.
        if self.rng.chance(40) {
            self.fill_part(&result, &ty, &layout, sizes);
        }
        if self.rng.chance(40) {
            result = self
                .out
                .value(&format!("bufferization.clone {result} : {ty} to {ty}"));
        }
        if self.rng.chance(30) {
            let other = self
                .out
                .value(&format!("bufferization.clone {result} : {ty} to {ty}"));
            result = match self.rng.chance(50) {
                true => self
                    .out
                    .value(&format!("arith.select %c, {other}, {result} : {ty}")),
                false => {
                    let value = self.out.name();
                    self.out.line(&format!("{value} = scf.if %c -> ({ty}) {{"));
                    self.out.line(&format!("scf.yield {result} : {ty}"));
                    self.out.line("} else {");
                    self.out.line(&format!("scf.yield {other} : {ty}"));
                    self.out.line("}");
                    value
                }
            };
        }
        self.out.line(&format!("return {result} : {ty}"));
        self.out.text.push_str("}\n");
        (name, layout, ty)
    }

    /// Gives a part of the buffer other numbers, sometimes after that was copied.
    fn fill_part(&mut self, buffer: &str, ty: &str, layout: &Layout, sizes: [usize; 2]) {
        let [rows, columns] = layout.order.map(|dim| sizes[dim]);
        let (row, column) = (self.rng.below(rows), self.rng.below(columns));
        let [height, width] = [rows - row, columns - column];
        let any = "memref<?x?xi64, strided<[?, ?], offset: ?>>";
        let part = format!("memref<{height}x{width}xi64, strided<[?, ?], offset: ?>>");
        let strided = self
            .out
            .value(&format!("memref.cast {buffer} : {ty} to {any}"));
        let view = self.out.value(&format!(
            "memref.subview {strided}[{row}, {column}] [{height}, {width}] [1, 1] : {any} to {part}"
        ));
        let number = self.rng.range(100, 200);
        let number = self.out.value(&format!("arith.constant {number} : i64"));
        let copies = self.rng.chance(40);
        let plain = format!("memref<{height}x{width}xi64>");
        let copy = match copies {
            true => self.out.value(&format!("memref.alloc() : {plain}")),
            false => String::new(),
        };
        if copies {
            self.out
                .line(&format!("memref.copy {view}, {copy} : {part} to {plain}"));
        }
        self.out.line(&format!(
            "linalg.fill ins({number} : i64) outs({view} : {part})"
        ));
        if copies {
            let at = self.out.value("arith.constant 0 : index");
            let read = self
                .out
                .value(&format!("memref.load {copy}[{at}, {at}] : {plain}"));
            self.out.print(&read);
        }
    }
}
