//! Products large enough for the library: of few rows or many, with a column more than registers hold, on layouts of all
//! kinds, of factors that are parts of one buffer, and where the result lies over itself or over a factor.

use super::Text;

impl Text {
    /// One or two products.
    pub(super) fn large_products(&mut self) {
        let elem = *self.rng.pick(&["i32", "f32", "i64", "f64", "f32"]);
        for _ in 0..self.rng.range(1, 2) {
            let n_rows = *self.rng.pick(&[1, 2, 3, 4, 9, 16, 17]);
            let n_columns = *self.rng.pick(&[9, 17, 16, 33, 31, 65, 40, 1]);
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
        if overlaps || self.rng.chance(25) {
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
        match self.rng.chance(50) {
            true => self.line(format!(
                "linalg.matmul ins({a}, {b} : {a_ty}, {b_ty}) outs({c} : {c_ty})"
            )),
            false => {
                let orders = ["d0, d1, d2", "d1, d0, d2"];
                let order = *self.rng.pick(&orders);
                let kinds = "\"parallel\", \"parallel\", \"reduction\"";
                self.line(format!(
                    "linalg.generic {{indexing_maps = [affine_map<({order}) -> (d0, d2)>, affine_map<({order}) -> (d2, d1)>, affine_map<({order}) -> (d0, d1)>], iterator_types = [{kinds}]}} ins({a}, {b} : {a_ty}, {b_ty}) outs({c} : {c_ty}) {{"
                ));
                let number = self.fresh();
                let [x, y, z] = ["x", "y", "z"].map(|letter| format!("%{letter}{}", &number[1..]));
                let suffix = if elem.starts_with('f') { "f" } else { "i" };
                self.inside(|t| {
                    t.line(format!("^bb0({x}: {elem}, {y}: {elem}, {z}: {elem}):"));
                    let product = t.def(format!("arith.mul{suffix} {x}, {y} : {elem}"));
                    let sum = t.def(format!("arith.add{suffix} {z}, {product} : {elem}"));
                    t.line(format!("linalg.yield {sum} : {elem}"));
                });
                self.line("}");
            }
        }
        let (name, n) = bases[2].clone();
        self.results.push((name, format!("memref<{n}x{elem}>")));
    }
}
