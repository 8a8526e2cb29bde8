//! Buffers of two or three dimensions whose layouts are maps, of permutations, offsets and strides, some of them known at
//! run time only: moved, copied, returned, viewed, filled in part, and read element by element.

use std::fmt::Write as _;

use super::writer::Writer;
use crate::support::generator::rng::Rng;

/// The program with this seed.
pub(crate) fn generate(seed: u64) -> String {
    let mut program = Program {
        rng: Rng::new(seed),
        head: String::new(),
        out: Writer::default(),
        sizes: Vec::new(),
    };
    program.out.declare_print();
    program.write();
    program.head + &program.out.text
}

/// A view of a row-major buffer whose dimensions are in another order.
#[derive(Clone)]
struct View {
    /// Which dimension of the buffer each one is.
    order: Vec<usize>,
    ty: String,
}

struct Program {
    rng: Rng,
    /// Aliases of attributes.
    head: String,
    out: Writer,
    /// The sizes of the buffer.
    sizes: Vec<usize>,
}

/// `?x?`
fn unknown(rank: usize) -> String {
    vec!["?"; rank].join("x")
}

/// The type of a row-major buffer.
fn plain(rank: usize) -> String {
    format!("memref<{}xi64>", unknown(rank))
}

/// The type of memory with any strides.
fn any(shape: &str) -> String {
    let rank = shape.split('x').count();
    format!(
        "memref<{shape}xi64, strided<[{}], offset: ?>>",
        vec!["?"; rank].join(", ")
    )
}

impl Program {
    fn rank(&self) -> usize {
        self.sizes.len()
    }

    /// The strides of the buffer.
    fn strides(&self) -> Vec<usize> {
        (1..=self.rank())
            .map(|dim| self.sizes[dim..].iter().product())
            .collect()
    }

    /// Any way to say how such a view lies in memory; what a type says after its element.
    fn layout(&mut self, order: &[usize]) -> String {
        let rank = self.rank();
        let known = self.strides();
        let dims: Vec<String> = (0..rank).map(|dim| format!("d{dim}")).collect();
        // Dimensions of the view, outermost in memory first.
        let mut in_memory: Vec<usize> = (0..rank).collect();
        in_memory.sort_by_key(|&dim| order[dim]);
        let innermost = in_memory[rank - 1];
        let strides: Vec<usize> = order.iter().map(|&dim| known[dim]).collect();
        let arguments = dims.join(", ");
        // A sum with a multiple of each dimension.
        let sum = |term: &dyn Fn(usize) -> String| {
            in_memory
                .iter()
                .map(|&dim| term(dim))
                .collect::<Vec<_>>()
                .join(" + ")
        };
        let symbols = |n: usize| {
            (0..n)
                .map(|i| format!("s{i}"))
                .collect::<Vec<_>>()
                .join(", ")
        };
        let symbolic = |dim: usize| match dim == innermost {
            true => format!("d{dim}"),
            false => {
                let place = in_memory.iter().position(|&other| other == dim);
                format!("d{dim} * s{}", place.unwrap_or(0))
            }
        };
        let list =
            |number: &dyn Fn(usize) -> String| (0..rank).map(number).collect::<Vec<_>>().join(", ");
        let map = match self.rng.below(11) {
            0 => format!(
                "affine_map<({arguments})[{}] -> ({})>",
                symbols(rank - 1),
                sum(&symbolic)
            ),
            1 => format!(
                "affine_map<({arguments})[{}] -> ({} + s{})>",
                symbols(rank),
                sum(&symbolic),
                rank - 1
            ),
            2 => format!(
                "affine_map<({arguments})[{}] -> ({} + s{rank})>",
                symbols(rank + 1),
                sum(&|dim| format!("d{dim} * s{dim}"))
            ),
            3 | 4 => format!(
                "affine_map<({arguments}) -> ({})>",
                sum(&|dim| format!("d{dim} * {}", strides[dim]))
            ),
            5 | 6 => {
                let dims: Vec<String> = in_memory.iter().map(|dim| format!("d{dim}")).collect();
                format!("affine_map<({arguments}) -> ({})>", dims.join(", "))
            }
            // Divisions that come to multiples.
            7 => format!(
                "affine_map<({arguments})[{}] -> ({})>",
                symbols(rank - 1),
                sum(&|dim| match dim == innermost {
                    true => format!("(d{dim} * 4) floordiv 4 + (d{dim} * 6) mod 3"),
                    false => symbolic(dim),
                })
            ),
            8 => format!(
                "affine_map<({arguments}) -> ({})>",
                sum(&|dim| match dim == innermost {
                    true => format!("d{dim} floordiv 1 + (d{dim} * 4) mod 2"),
                    false => format!("(d{dim} * {}) ceildiv 2", 2 * strides[dim]),
                })
            ),
            9 => format!(
                "strided<[{}], offset: ?>",
                list(&|dim| if dim == innermost {
                    "1".to_owned()
                } else {
                    "?".to_owned()
                })
            ),
            _ => format!("strided<[{}]>", list(&|dim| strides[dim].to_string())),
        };
        let name = format!("#l{}", self.out.fresh());
        let _ = writeln!(self.head, "{name} = {map}");
        name
    }

    fn write(&mut self) {
        let rank = *self.rng.pick(&[2, 3, 3]);
        self.sizes = (0..rank).map(|_| self.rng.range(1, 4)).collect();
        let mut functions = Vec::new();
        for _ in 0..self.rng.range(1, 3) {
            functions.push(self.function());
        }
        self.out.text.push_str("func.func @main() {\n");
        for (name, number) in [("c0", 0), ("c1", 1)] {
            self.out
                .line(&format!("%{name} = arith.constant {number} : index"));
        }
        for (dim, size) in self.sizes.clone().into_iter().enumerate() {
            self.out
                .line(&format!("%n{dim} = arith.constant {size} : index"));
        }
        self.out.line("%true = arith.constant true");
        let plain = plain(rank);
        let all: Vec<usize> = (0..rank).collect();
        let m = self.alloc(&all);
        self.open_loops(&all);
        let mut place = "%i0".to_owned();
        for dim in 1..rank {
            let row = self
                .out
                .value(&format!("arith.muli {place}, %n{dim} : index"));
            place = self
                .out
                .value(&format!("arith.addi {row}, %i{dim} : index"));
        }
        let number = self
            .out
            .value(&format!("arith.index_cast {place} : index to i64"));
        let at = self.counters();
        self.out
            .line(&format!("memref.store {number}, {m}[{at}] : {plain}"));
        self.close_loops();
        for (name, View { order, ty }) in functions {
            let view = self.out.value(&format!(
                "func.call @{name}({m}, %true) : ({plain}, i1) -> {ty}"
            ));
            self.print(&view, &ty, &order);
            if self.rng.chance(50) {
                // As it is in a row of memory.
                let copy = self.alloc(&order);
                self.out
                    .line(&format!("memref.copy {view}, {copy} : {ty} to {plain}"));
                self.print(&copy, &plain, &order);
                self.out
                    .line(&format!("memref.copy {copy}, {view} : {plain} to {ty}"));
                self.print(&view, &ty, &order);
            }
        }
        self.out.line("return");
        self.out.text.push_str("}\n");
    }

    /// A row-major buffer with these dimensions.
    fn alloc(&mut self, order: &[usize]) -> String {
        let sizes: Vec<String> = order.iter().map(|dim| format!("%n{dim}")).collect();
        let (sizes, ty) = (sizes.join(", "), plain(order.len()));
        self.out.value(&format!("memref.alloc({sizes}) : {ty}"))
    }

    /// Begins a loop for each of these dimensions of the buffer.
    fn open_loops(&mut self, order: &[usize]) {
        for (place, dim) in order.iter().enumerate() {
            self.out
                .line(&format!("scf.for %i{place} = %c0 to %n{dim} step %c1 {{"));
        }
    }

    fn close_loops(&mut self) {
        for _ in 0..self.rank() {
            self.out.line("}");
        }
    }

    /// The counters of all loops.
    fn counters(&self) -> String {
        let counters: Vec<String> = (0..self.rank()).map(|dim| format!("%i{dim}")).collect();
        counters.join(", ")
    }

    fn print(&mut self, buffer: &str, ty: &str, order: &[usize]) {
        self.open_loops(order);
        let at = self.counters();
        let read = self
            .out
            .value(&format!("memref.load {buffer}[{at}] : {ty}"));
        self.out.print(&read);
        self.close_loops();
    }

    /// A function that returns its argument, maybe transposed, in some layout; by way of copies or not. Gives its
    /// name and what it returns.
    fn function(&mut self) -> (String, View) {
        let rank = self.rank();
        let name = format!("f{}", self.out.fresh());
        let mut order: Vec<usize> = (0..rank).collect();
        if self.rng.chance(70) {
            for dim in 1..rank {
                let other = self.rng.below(dim + 1);
                order.swap(dim, other);
            }
        }
        let layout = self.layout(&order);
        let shape = match self.rng.chance(40) {
            true => {
                let sizes: Vec<String> = order
                    .iter()
                    .map(|&dim| self.sizes[dim].to_string())
                    .collect();
                sizes.join("x")
            }
            false => unknown(rank),
        };
        let ty = format!("memref<{shape}xi64, {layout}>");
        let plain = plain(rank);
        let _ = writeln!(
            self.out.text,
            "func.func private @{name}(%m: {plain}, %c: i1) -> {ty} attributes {{no_inline}} {{"
        );
        let strides: Vec<&str> = (order.iter())
            .map(|&dim| if dim + 1 == rank { "1" } else { "?" })
            .collect();
        let transposed = format!(
            "memref<{}xi64, strided<[{}]>>",
            unknown(rank),
            strides.join(", ")
        );
        let dims: Vec<String> = (0..rank).map(|dim| format!("d{dim}")).collect();
        let permuted: Vec<String> = order.iter().map(|dim| format!("d{dim}")).collect();
        let is_transposed = order.iter().enumerate().any(|(place, &dim)| place != dim);
        let (source, source_type) = match is_transposed {
            true => {
                let (dims, permuted) = (dims.join(", "), permuted.join(", "));
                let transpose = format!(
                    "memref.transpose %m ({dims}) -> ({permuted}) : {plain} to {transposed}"
                );
                (self.out.value(&transpose), transposed)
            }
            false => ("%m".to_owned(), plain),
        };
        let any = any(&shape);
        let viewed = self
            .out
            .value(&format!("memref.cast {source} : {source_type} to {any}"));
        let mut result = self
            .out
            .value(&format!("memref.cast {viewed} : {any} to {ty}"));
        // Not after it was cloned, or it would not be said who sees it.
        if self.rng.chance(40) {
            self.fill_part(&result, &ty, &order);
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
        (name, View { order, ty })
    }

    /// Gives a part of the buffer other numbers, sometimes after that was copied.
    fn fill_part(&mut self, buffer: &str, ty: &str, order: &[usize]) {
        let rank = self.rank();
        let offsets: Vec<usize> = (order.iter())
            .map(|&dim| self.rng.below(self.sizes[dim]))
            .collect();
        let sizes: Vec<String> = (order.iter().zip(&offsets))
            .map(|(&dim, offset)| (self.sizes[dim] - offset).to_string())
            .collect();
        let offsets: Vec<String> = offsets.iter().map(usize::to_string).collect();
        let whole = any(&unknown(rank));
        let part = any(&sizes.join("x"));
        let strided = self
            .out
            .value(&format!("memref.cast {buffer} : {ty} to {whole}"));
        let view = self.out.value(&format!(
            "memref.subview {strided}[{}] [{}] [{}] : {whole} to {part}",
            offsets.join(", "),
            sizes.join(", "),
            vec!["1"; rank].join(", ")
        ));
        let number = self.rng.range(100, 200);
        let number = self.out.value(&format!("arith.constant {number} : i64"));
        let copies = self.rng.chance(40);
        let plain = format!("memref<{}xi64>", sizes.join("x"));
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
            let at = vec![at; rank].join(", ");
            let read = self
                .out
                .value(&format!("memref.load {copy}[{at}] : {plain}"));
            self.out.print(&read);
        }
    }
}
