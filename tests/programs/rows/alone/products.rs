//! Products large enough for the library: of few rows or many, with a column more than registers hold, on layouts of all
//! kinds, of factors that are parts of one buffer, and where the result lies over itself or over a factor.

use super::Text;

impl Text {
    /// One or two products.
    pub(super) fn large_products(&mut self) {
        let elem = *self.rng.pick(&["i32", "f32", "f64", "f32"]);
        match self.rng.below(24) {
            0..4 => self.products_of_lanes(elem),
            4..10 => self.products_of_bytes(),
            // Each takes as long as many others.
            10 => self.rows_of_a_large_factor(),
            _ => {}
        }
        for _ in 0..self.rng.below(3) {
            let n_rows = *self.rng.pick(&[1, 2, 3, 4, 9, 16, 17]);
            let n_columns = *self.rng.pick(&[9, 17, 16, 33, 31, 65, 128, 1, 4]);
            let least = 4200 / (n_rows * n_columns) + 1;
            let inner = least.max(*self.rng.pick(&[5, 16, 33, 70, 130]));
            if inner * n_rows * n_columns > 9_000 {
                continue;
            }
            self.large_product([n_rows, n_columns, inner], elem);
        }
        if self.results.is_empty() {
            self.large_product([4, 33, 40], elem);
        }
        self.pipelines.push("convert-linalg-to-loops".to_owned());
    }

    /// Sums of products of elements that are neighbours in the result and in one factor or both, where some lanes are
    /// left behind the last register.
    fn products_of_lanes(&mut self, elem: &str) {
        let n = *self.rng.pick(&[17, 33, 9, 65, 31, 16, 5, 25]);
        let rows = *self.rng.pick(&[1, 2, 3, 5]);
        let inner = 4200 / (n * rows) + self.rng.below(3) as i64 + 1;
        let is_splat = self.rng.chance(40);
        let a = self.numbered(rows * inner * n, elem);
        let b_n = if is_splat {
            rows * inner
        } else {
            rows * inner * n
        };
        let b = self.numbered(b_n, elem);
        let c = self.numbered(rows * n, elem);
        let flat = |n: i64| format!("memref<{n}x{elem}>");
        let a_ty = format!("memref<{rows}x{inner}x{n}x{elem}>");
        let (b_ty, b_groups) = match is_splat {
            true => (format!("memref<{rows}x{inner}x{elem}>"), "[[0, 1]]"),
            false => (a_ty.clone(), "[[0, 1, 2]]"),
        };
        let c_ty = format!("memref<{rows}x{n}x{elem}>");
        let b_sizes = match is_splat {
            true => format!("[{rows}, {inner}]"),
            false => format!("[{rows}, {inner}, {n}]"),
        };
        let a = self.def(format!(
            "memref.expand_shape {a} [[0, 1, 2]] output_shape [{rows}, {inner}, {n}] : {} into {a_ty}",
            flat(rows * inner * n)
        ));
        let b = self.def(format!(
            "memref.expand_shape {b} {b_groups} output_shape {b_sizes} : {} into {b_ty}",
            flat(b_n)
        ));
        let whole = c.clone();
        let c = self.def(format!(
            "memref.expand_shape {c} [[0, 1]] output_shape [{rows}, {n}] : {} into {c_ty}",
            flat(rows * n)
        ));
        let b_map = if is_splat { "d0, d2" } else { "d0, d2, d1" };
        self.line(format!(
            "linalg.generic {{indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2, d1)>, affine_map<(d0, d1, d2) -> ({b_map})>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = [\"parallel\", \"parallel\", \"reduction\"]}} ins({a}, {b} : {a_ty}, {b_ty}) outs({c} : {c_ty}) {{"
        ));
        self.add_product(elem);
        self.results.push((whole, flat(rows * n)));
    }

    /// The body of a `linalg.generic` that adds products up, and its end.
    fn add_product(&mut self, elem: &str) {
        let suffix = if elem.starts_with('f') { "f" } else { "i" };
        let number = self.fresh();
        let [x, y, z] = ["x", "y", "z"].map(|letter| format!("%{letter}{}", &number[1..]));
        self.inside(|t| {
            t.line(format!("^bb0({x}: {elem}, {y}: {elem}, {z}: {elem}):"));
            let product = t.def(format!("arith.mul{suffix} {x}, {y} : {elem}"));
            let sum = t.def(format!("arith.add{suffix} {z}, {product} : {elem}"));
            t.line(format!("linalg.yield {sum} : {elem}"));
        });
        self.line("}");
    }

    /// One row or two, or as many columns, times a factor that fits no cache, most of which is one number.
    fn rows_of_a_large_factor(&mut self) {
        let (elem, width) = *self.rng.pick(&[("f64", 8), ("f32", 4), ("f64", 8)]);
        let (rows, columns) = (
            *self.rng.pick(&[1, 1, 2]),
            *self.rng.pick(&[128, 256, 130, 136]),
        );
        let inner = (1 << 20) / (width * columns) + self.rng.range(1, 9);
        let mut factors = Vec::new();
        for (n, m) in [(rows, inner), (inner, columns), (rows, columns)] {
            let ty = format!("memref<{n}x{m}x{elem}>");
            let name = self.def(format!("memref.alloc() : {ty}"));
            let number = if n == rows && m == columns {
                0
            } else {
                self.rng.range(1, 3)
            };
            let number = self.def(format!("arith.constant {number}.0 : {elem}"));
            self.line(format!(
                "linalg.fill ins({number} : {elem}) outs({name} : {ty})"
            ));
            factors.push((name, ty));
            if n == rows && m == columns {
                break;
            }
            let (name, ty) = factors[factors.len() - 1].clone();
            for _ in 0..4 {
                let at = [n, m].map(|n| self.rng.below(n) as i64);
                let at = at.map(|at| self.index(at));
                let number = self.rng.range(2, 9);
                let number = self.def(format!("arith.constant {number}.0 : {elem}"));
                self.line(format!(
                    "memref.store {number}, {name}[{}, {}] : {ty}",
                    at[0], at[1]
                ));
            }
        }
        let [(a, a_ty), (b, b_ty), (c, c_ty)] = &factors[..] else {
            return;
        };
        self.line(format!(
            "linalg.matmul ins({a}, {b} : {a_ty}, {b_ty}) outs({c} : {c_ty})"
        ));
        self.results.push((c.clone(), c_ty.clone()));
    }

    /// A product of bytes less numbers that may be larger than bytes are.
    fn products_of_bytes(&mut self) {
        let (rows, columns, inner) = (
            *self.rng.pick(&[4, 5, 9, 16]),
            *self.rng.pick(&[8, 16, 17, 33]),
            *self.rng.pick(&[64, 65, 90]),
        );
        let is_natural = self.rng.chance(40);
        let mut factors = Vec::new();
        let elems = [0, 1].map(|_| *self.rng.pick(&["i8", "i8", "i16"]));
        for (elem, n, m) in [(elems[0], rows, inner), (elems[1], inner, columns)] {
            let ty = format!("memref<{}x{elem}>", n * m);
            let flat = self.numbered(n * m, elem);
            let shaped = format!("memref<{n}x{m}x{elem}>");
            let name = self.def(format!(
                "memref.expand_shape {flat} [[0, 1]] output_shape [{n}, {m}] : {ty} into {shaped}"
            ));
            let is_wide = elem == "i16" && self.rng.chance(70);
            let zeros: &[i64] = if is_wide {
                &[0]
            } else {
                &[0, 3, -128, 127, 255, 256, -300, 1000, 32768, 40000]
            };
            let zero = *self.rng.pick(zeros);
            let zero = self.def(format!("arith.constant {zero} : i32"));
            factors.push((name, shaped, zero));
        }
        let c_ty = format!("memref<{rows}x{columns}xi32>");
        let c = self.def(format!("memref.alloc() : {c_ty}"));
        let init = self.rng.below(2);
        let init = self.def(format!("arith.constant {init} : i32"));
        self.line(format!("linalg.fill ins({init} : i32) outs({c} : {c_ty})"));
        let [(a, a_ty, a_zero), (b, b_ty, b_zero)] = &factors[..] else {
            return;
        };
        if !is_natural && elems == ["i8"; 2] {
            self.line(format!(
                "linalg.quantized_matmul ins({a}, {b}, {a_zero}, {b_zero} : {a_ty}, {b_ty}, i32, i32) outs({c} : {c_ty})"
            ));
        } else {
            let number = self.fresh();
            let [x, y, z] = ["x", "y", "z"].map(|letter| format!("%{letter}{}", &number[1..]));
            self.line(format!(
                "linalg.generic {{indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = [\"parallel\", \"parallel\", \"reduction\"]}} ins({a}, {b} : {a_ty}, {b_ty}) outs({c} : {c_ty}) {{"
            ));
            self.inside(|t| {
                t.line(format!(
                    "^bb0({x}: {}, {y}: {}, {z}: i32):",
                    elems[0], elems[1]
                ));
                let wide =
                    [(&x, a_zero, elems[0]), (&y, b_zero, elems[1])].map(|(x, zero, elem)| {
                        let what = match is_natural && elem == "i8" {
                            true => "extui",
                            false => "extsi",
                        };
                        let wide = t.def(format!("arith.{what} {x} : {elem} to i32"));
                        t.def(format!("arith.subi {wide}, {zero} : i32"))
                    });
                let product = t.def(format!("arith.muli {}, {} : i32", wide[0], wide[1]));
                let sum = t.def(format!("arith.addi {z}, {product} : i32"));
                t.line(format!("linalg.yield {sum} : i32"));
            });
            self.line("}");
        }
        self.results.push((c, c_ty));
    }

    /// A matrix in a buffer, with rows or columns next to each other: its name and type.
    fn laid_out(
        &mut self,
        base: &(String, i64),
        sizes: [i64; 2],
        elem: &str,
        is_result: bool,
    ) -> (String, String) {
        let [rows, columns] = sizes;
        let strides = match self.rng.below(8) {
            0 | 1 if !is_result || self.rng.chance(40) => [1, rows],
            2 => [columns + 3, 1],
            3 => [2 * columns, 2],
            4 if is_result && columns > 1 => [columns - 1, 1],
            _ => [columns, 1],
        };
        let extent = (rows - 1) * strides[0] + (columns - 1) * strides[1] + 1;
        let (name, room) = base;
        let offset = match self.rng.chance(40) {
            true => self.rng.below(8) as i64,
            false => 0,
        };
        let offset = offset.min(room - extent);
        let layout = match offset {
            0 => format!("strided<[{}, {}]>", strides[0], strides[1]),
            _ => format!(
                "strided<[{}, {}], offset: {offset}>",
                strides[0], strides[1]
            ),
        };
        let ty = format!("memref<{rows}x{columns}x{elem}, {layout}>");
        let view = self.def(format!(
            "memref.reinterpret_cast {name} to offset: [{offset}], sizes: [{rows}, {columns}], strides: [{}, {}] : memref<{room}x{elem}> to {ty}",
            strides[0], strides[1]
        ));
        (view, ty)
    }

    fn large_product(&mut self, [n_rows, n_columns, inner]: [i64; 3], elem: &str) {
        let shapes = [[n_rows, inner], [inner, n_columns], [n_rows, n_columns]];
        let room = |[rows, columns]: [i64; 2]| 2 * rows * (columns + 3) + 8;
        // The result may be where a factor is.
        let shared = self.rng.chance(20).then(|| self.rng.below(2));
        let mut bases: Vec<(String, i64)> = Vec::new();
        for at in 0..3 {
            let base = match shared {
                Some(factor) if at == 2 => bases[factor].clone(),
                _ => {
                    let n = match shared {
                        Some(factor) if at == factor => room(shapes[at]).max(room(shapes[2])),
                        _ => room(shapes[at]),
                    };
                    (self.numbered(n, elem), n)
                }
            };
            bases.push(base);
        }
        let mut views = Vec::new();
        for at in 0..3 {
            views.push(self.laid_out(&bases[at].clone(), shapes[at], elem, at == 2));
        }
        let [(a, a_ty), (b, b_ty), (c, c_ty)] = &views[..] else {
            return;
        };
        // Operations of linalg may not write where they read, nor one place twice.
        let overlaps =
            shared.is_some() || c_ty.contains(&format!("strided<[{}, 1]", n_columns - 1));
        if !overlaps && self.rng.chance(50) {
            // The result holds nothing yet.
            let dot = if elem.starts_with('f') { ".0" } else { "" };
            let zero = self.def(format!("arith.constant 0{dot} : {elem}"));
            self.line(format!(
                "linalg.fill ins({zero} : {elem}) outs({c} : {c_ty})"
            ));
        }
        if !overlaps && self.rng.chance(20) {
            let zero = self.index(0);
            let ends = [n_rows, n_columns, inner].map(|n| self.index(n));
            let (a, a_ty, b, b_ty, c, c_ty) = (
                a.clone(),
                a_ty.clone(),
                b.clone(),
                b_ty.clone(),
                c.clone(),
                c_ty.clone(),
            );
            let suffix = if elem.starts_with('f') { "f" } else { "i" };
            self.for_loop(&zero, &ends[0], |t, i| {
                t.for_loop(&zero, &ends[1], |t, j| {
                    t.for_loop(&zero, &ends[2], |t, k| {
                        let x = t.def(format!("memref.load {a}[{i}, {k}] : {a_ty}"));
                        let y = t.def(format!("memref.load {b}[{k}, {j}] : {b_ty}"));
                        let z = t.def(format!("memref.load {c}[{i}, {j}] : {c_ty}"));
                        let product = t.def(format!("arith.mul{suffix} {x}, {y} : {elem}"));
                        let sum = t.def(format!("arith.add{suffix} {z}, {product} : {elem}"));
                        t.line(format!("memref.store {sum}, {c}[{i}, {j}] : {c_ty}"));
                    });
                });
            });
            let (name, n) = bases[2].clone();
            self.results.push((name, format!("memref<{n}x{elem}>")));
            return;
        }
        match !overlaps && self.rng.chance(50) {
            true => self.line(format!(
                "linalg.matmul ins({a}, {b} : {a_ty}, {b_ty}) outs({c} : {c_ty})"
            )),
            false => {
                let orders = ["d0, d1, d2", "d1, d0, d2"];
                let order = *self.rng.pick(&orders);
                // In order, what is written is read again.
                let kinds = match overlaps {
                    true => ["\"reduction\""; 3].join(", "),
                    false => "\"parallel\", \"parallel\", \"reduction\"".to_owned(),
                };
                let order = if overlaps { orders[0] } else { order };
                self.line(format!(
                    "linalg.generic {{indexing_maps = [affine_map<({order}) -> (d0, d2)>, affine_map<({order}) -> (d2, d1)>, affine_map<({order}) -> (d0, d1)>], iterator_types = [{kinds}]}} ins({a}, {b} : {a_ty}, {b_ty}) outs({c} : {c_ty}) {{"
                ));
                self.add_product(elem);
            }
        }
        let (name, n) = bases[2].clone();
        self.results.push((name, format!("memref<{n}x{elem}>")));
    }
}
