//! Tensors whose memory may become that of others: slices that are changed and put back, destinations that others read
//! in between, inputs read in another order; reductions that are almost the same, or in another order; windows with
//! gaps; parts of what is put together.

use super::Text;

impl Text {
    /// One of these.
    pub(super) fn tensor_shapes(&mut self) {
        match self.rng.below(9) {
            0..4 => self.destinations(),
            4 | 5 => self.almost_equal_reductions(),
            6 => self.windows(),
            7 => self.parts_together(),
            _ => self.rows_together(),
        }
    }

    fn numbered_tensor(&mut self, sizes: &[i64], elem: &str) -> (String, String) {
        let shape: Vec<String> = sizes.iter().map(i64::to_string).collect();
        let ty = format!("tensor<{}x{elem}>", shape.join("x"));
        let number = self.fresh();
        let result = format!("%t{}", &number[1..]);
        let at: Vec<String> = (0..sizes.len())
            .map(|dim| format!("{result}i{dim}"))
            .collect();
        let arguments: Vec<String> = at.iter().map(|name| format!("{name}: index")).collect();
        let factors: Vec<i64> = (0..sizes.len())
            .map(|_| self.rng.range(1, 9) as i64)
            .collect();
        self.line(format!("{result} = tensor.generate {{"));
        self.inside(|t| {
            t.line(format!("^bb0({}):", arguments.join(", ")));
            let mut sum = t.index(1);
            for (name, factor) in at.iter().zip(factors) {
                let factor = t.index(factor);
                let scaled = t.def(format!("arith.muli {sum}, {factor} : index"));
                sum = t.def(format!("arith.addi {scaled}, {name} : index"));
            }
            let value = t.number_of(&sum, elem);
            t.line(format!("tensor.yield {value} : {elem}"));
        });
        self.line(format!("}} : {ty}"));
        (result, ty)
    }

    /// Square tensors, and blocks of them.
    fn destinations(&mut self) {
        let (n, k) = (*self.rng.pick(&[4, 5, 6]), *self.rng.pick(&[2, 3]));
        let sizes = [n, k];
        let tys = sizes.map(|n| format!("tensor<{n}x{n}xi32>"));
        let mut there: [Vec<String>; 2] = [Vec::new(), Vec::new()];
        for at in 0..2 {
            let tensor = self.numbered_tensor(&[sizes[at]; 2], "i32");
            there[at].push(tensor.0);
        }
        let same = "affine_map<(d0, d1) -> (d0, d1)>";
        let turned = "affine_map<(d0, d1) -> (d1, d0)>";
        let mut last_slice: Option<(i64, String)> = None;
        for _ in 0..self.rng.range(4, 9) {
            let at = self.rng.below(2);
            let last = |t: &mut Self, list: &[String]| {
                let first = if t.rng.chance(60) { list.len() - 1 } else { 0 };
                list[t.rng.range(first, list.len() - 1)].clone()
            };
            let ty = &tys[at];
            match self.rng.below(8) {
                0 | 1 => {
                    let whole = last(self, &there[0]);
                    let offset = self.rng.below((n - k + 1) as usize) as i64;
                    let name = self.def(format!(
                        "tensor.extract_slice {whole}[{offset}, {offset}] [{k}, {k}] [1, 1] : {} to {}",
                        tys[0], tys[1]
                    ));
                    last_slice = Some((offset, whole));
                    there[1].push(name);
                }
                2 | 3 => {
                    let part = last(self, &there[1]);
                    let (offset, whole) = match &last_slice {
                        Some((offset, whole)) if self.rng.chance(80) => (*offset, whole.clone()),
                        _ => (
                            self.rng.below((n - k + 1) as usize) as i64,
                            last(self, &there[0]),
                        ),
                    };
                    let name = self.def(format!(
                        "tensor.insert_slice {part} into {whole}[{offset}, {offset}] [{k}, {k}] [1, 1] : {} into {}",
                        tys[1], tys[0]
                    ));
                    there[0].push(name);
                }
                kind => {
                    let n_inputs = self.rng.range(1, 2);
                    let inputs: Vec<String> =
                        (0..n_inputs).map(|_| last(self, &there[at])).collect();
                    let out = match self.rng.chance(50) {
                        true => self.def(format!("tensor.empty() : {ty}")),
                        false => last(self, &there[at]),
                    };
                    let reads_out = !out.starts_with("%v") || there[at].contains(&out);
                    let reads_out = reads_out && self.rng.chance(40);
                    let mut maps: Vec<&str> = (0..n_inputs)
                        .map(|_| if self.rng.chance(25) { turned } else { same })
                        .collect();
                    maps.push(if kind == 7 && self.rng.chance(30) {
                        turned
                    } else {
                        same
                    });
                    let number = self.fresh();
                    let name = format!("%t{}", &number[1..]);
                    self.line(format!(
                        "{name} = linalg.generic {{indexing_maps = [{}], iterator_types = [\"parallel\", \"parallel\"]}} ins({} : {}) outs({out} : {ty}) {{",
                        maps.join(", "),
                        inputs.join(", "),
                        vec![ty.as_str(); n_inputs].join(", ")
                    ));
                    self.inside(|t| {
                        let arguments: Vec<String> =
                            (0..=n_inputs).map(|at| format!("{name}a{at}")).collect();
                        let list: Vec<String> =
                            arguments.iter().map(|it| format!("{it}: i32")).collect();
                        t.line(format!("^bb0({}):", list.join(", ")));
                        let by = t.constant("i32");
                        let mut value = t.mixed(&arguments[0], &by, "i32");
                        let n = if reads_out { n_inputs + 1 } else { n_inputs };
                        for other in &arguments[1..n] {
                            value = t.mixed(&value, other, "i32");
                        }
                        t.line(format!("linalg.yield {value} : i32"));
                    });
                    self.line(format!("}} -> {ty}"));
                    there[at].push(name);
                }
            }
        }
        for at in 0..2 {
            let last = there[at].len() - 1;
            self.results
                .push((there[at][last].clone(), tys[at].clone()));
        }
        if self.rng.chance(40) {
            let more = self.rng.pick(&there[0]).clone();
            self.results.push((more, tys[0].clone()));
        }
        const BUFFERIZE: &str = "one-shot-bufferize{bufferize-function-boundaries=true}";
        for _ in 0..2 {
            let before = *self.rng.pick(&[
                "",
                "eliminate-empty-tensors,",
                "canonicalize,eliminate-empty-tensors,",
            ]);
            let after = *self.rng.pick(&[
                "",
                ",buffer-deallocation-pipeline",
                ",buffer-deallocation-pipeline,merge-alloc",
            ]);
            self.pipelines.push(format!("{before}{BUFFERIZE}{after}"));
        }
    }

    /// Reductions of one tensor, each of which is the one before but for something.
    fn almost_equal_reductions(&mut self) {
        let rank = *self.rng.pick(&[2, 3, 3]);
        let elem = *self.rng.pick(&["i32", "f32", "i64"]);
        let sizes: Vec<i64> = (0..rank).map(|_| self.rng.range(2, 5) as i64).collect();
        let (mut source, ty) = self.numbered_tensor(&sizes, elem);
        let list = |names: &[String]| names.join(", ");
        let dims: Vec<String> = (0..rank).map(|dim| format!("d{dim}")).collect();
        let identity = format!("affine_map<({}) -> ({})>", list(&dims), list(&dims));
        if self.rng.chance(75) {
            // What is computed beside it.
            let empty = self.def(format!("tensor.empty() : {ty}"));
            let number = self.fresh();
            let name = format!("%t{}", &number[1..]);
            self.line(format!(
                "{name} = linalg.generic {{indexing_maps = [{identity}, {identity}], iterator_types = [{}]}} ins({source} : {ty}) outs({empty} : {ty}) {{",
                vec!["\"parallel\""; rank].join(", ")
            ));
            self.inside(|t| {
                t.line(format!("^bb0({name}x: {elem}, {name}y: {elem}):"));
                let by = t.constant(elem);
                let x = format!("{name}x");
                let value = t.mixed(&x, &by, elem);
                t.line(format!("linalg.yield {value} : {elem}"));
            });
            self.line(format!("}} -> {ty}"));
            source = name;
        }
        let mut order: Vec<usize> = (0..rank).collect();
        for at in 0..rank {
            let other = self.rng.range(at, rank - 1);
            order.swap(at, other);
        }
        let n_sums = self.rng.range(1, rank);
        let mut sums: Vec<usize> = (0..rank).collect();
        let first = self.rng.below(rank);
        sums.rotate_left(first);
        sums.truncate(n_sums);
        // Loop `dim` goes along this dimension of the operand.
        let size_of = |dim: usize| {
            order
                .iter()
                .position(|&it| it == dim)
                .map_or(1, |at| sizes[at])
        };
        let kept: Vec<usize> = (0..rank).filter(|dim| !sums.contains(dim)).collect();
        let shape: String = kept
            .iter()
            .map(|&dim| format!("{}x", size_of(dim)))
            .collect();
        let out_ty = format!("tensor<{shape}{elem}>");
        let is_float = elem == "f32";
        let init = self.constant(elem);
        let empty = self.def(format!("tensor.empty() : {out_ty}"));
        let filled = self.def(format!(
            "linalg.fill ins({init} : {elem}) outs({empty} : {out_ty}) -> {out_ty}"
        ));
        let mut constant = self.rng.range(2, 9);
        let mut compared = *self.rng.pick(&["lt", "gt", "ge"]);
        let kind = self.rng.below(4);
        for round in 0..self.rng.range(1, 3) {
            if round > 0 {
                match self.rng.below(3) {
                    0 => constant = self.rng.range(2, 9),
                    1 => compared = *self.rng.pick(&["lt", "gt", "ge"]),
                    _ => {}
                }
            }
            let read: Vec<String> = order.iter().map(|&dim| dims[dim].clone()).collect();
            let write: Vec<String> = kept.iter().map(|&dim| dims[dim].clone()).collect();
            let kinds: Vec<&str> = (0..rank)
                .map(|dim| {
                    if sums.contains(&dim) {
                        "\"reduction\""
                    } else {
                        "\"parallel\""
                    }
                })
                .collect();
            let number = self.fresh();
            let name = format!("%t{}", &number[1..]);
            self.line(format!(
                "{name} = linalg.generic {{indexing_maps = [affine_map<({all}) -> ({})>, affine_map<({all}) -> ({})>], iterator_types = [{}]}} ins({source} : {ty}) outs({filled} : {out_ty}) {{",
                list(&read),
                list(&write),
                kinds.join(", "),
                all = list(&dims)
            ));
            self.inside(|t| {
                t.line(format!("^bb0({name}x: {elem}, {name}y: {elem}):"));
                let (x, y) = (format!("{name}x"), format!("{name}y"));
                let suffix = if is_float { "f" } else { "i" };
                let dot = if is_float { ".0" } else { "" };
                let by = t.def(format!("arith.constant {constant}{dot} : {elem}"));
                let value = match kind {
                    0 => {
                        // What depends on the order.
                        let scaled = t.def(format!("arith.mul{suffix} {y}, {by} : {elem}"));
                        t.def(format!("arith.add{suffix} {scaled}, {x} : {elem}"))
                    }
                    1 => {
                        let compare = match is_float {
                            true => format!("cmpf o{compared}"),
                            false => format!("cmpi s{compared}"),
                        };
                        let c = t.def(format!("arith.{compare}, {x}, {by} : {elem}"));
                        let chosen = t.def(format!("arith.select {c}, {x}, {by} : {elem}"));
                        t.def(format!("arith.add{suffix} {y}, {chosen} : {elem}"))
                    }
                    2 => t.def(format!("arith.sub{suffix} {x}, {y} : {elem}")),
                    _ => {
                        let scaled = t.def(format!("arith.mul{suffix} {x}, {by} : {elem}"));
                        t.def(format!("arith.add{suffix} {y}, {scaled} : {elem}"))
                    }
                };
                t.line(format!("linalg.yield {value} : {elem}"));
            });
            self.line(format!("}} -> {out_ty}"));
            self.results.push((name, out_ty.clone()));
        }
        self.pipelines
            .push("linalg-interchange-reductions".to_owned());
        self.pipelines.push("linalg-cse-reductions".to_owned());
        self.pipelines
            .push("linalg-split-reductions{fp=fast max-chain=1}".to_owned());
        self.pipelines
            .push("linalg-fuse-elementwise-ops".to_owned());
    }

    /// The largest of each window, or sums, with gaps between elements and between windows.
    fn windows(&mut self) {
        let elem = *self.rng.pick(&["i32", "f32", "f32"]);
        let is_float = elem == "f32";
        let rank = 2;
        let mut read = Vec::new();
        let (mut extents, mut outs, mut input) = (Vec::new(), Vec::new(), Vec::new());
        for dim in 0..rank {
            let (size, step) = (self.rng.range(3, 6) as i64, *self.rng.pick(&[1, 2, 1, 3]));
            let (stride, n) = (*self.rng.pick(&[1, 1, 2]), self.rng.range(2, 5) as i64);
            read.push(format!("d{dim} * {stride} + d{} * {step}", dim + rank));
            extents.push(size);
            outs.push(n);
            input.push((n - 1) * stride + (size - 1) * step + 1);
        }
        let (source, ty) = self.numbered_tensor(&input, elem);
        let window_ty = format!("tensor<{}x{}x{elem}>", extents[0], extents[1]);
        let window = self.def(format!("tensor.empty() : {window_ty}"));
        let out_ty = format!("tensor<{}x{}x{elem}>", outs[0], outs[1]);
        let names: &[&str] = if is_float {
            &["maximumf", "minimumf", "addf"]
        } else {
            &["maxsi", "minsi", "addi", "maxui"]
        };
        let what = *self.rng.pick(names);
        let init = self.constant(elem);
        let empty = self.def(format!("tensor.empty() : {out_ty}"));
        let filled = self.def(format!(
            "linalg.fill ins({init} : {elem}) outs({empty} : {out_ty}) -> {out_ty}"
        ));
        let number = self.fresh();
        let name = format!("%t{}", &number[1..]);
        self.line(format!(
            "{name} = linalg.generic {{indexing_maps = [affine_map<(d0, d1, d2, d3) -> ({})>, affine_map<(d0, d1, d2, d3) -> (d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1)>], iterator_types = [\"parallel\", \"parallel\", \"reduction\", \"reduction\"]}} ins({source}, {window} : {ty}, {window_ty}) outs({filled} : {out_ty}) {{",
            read.join(", ")
        ));
        self.inside(|t| {
            t.line(format!(
                "^bb0({name}x: {elem}, {name}w: {elem}, {name}y: {elem}):"
            ));
            let value = t.def(format!("arith.{what} {name}y, {name}x : {elem}"));
            t.line(format!("linalg.yield {value} : {elem}"));
        });
        self.line(format!("}} -> {out_ty}"));
        self.results.push((name, out_ty));
        self.pipelines.push("linalg-separate-windows".to_owned());
        self.pipelines
            .push("canonicalize,linalg-separate-windows".to_owned());
    }

    /// Tensors that are put together, and parts of what comes of that.
    fn parts_together(&mut self) {
        let rank = self.rng.range(1, 2);
        let other = self.rng.range(2, 4) as i64;
        let shape = |n: i64| if rank == 1 { vec![n] } else { vec![n, other] };
        let sizes: Vec<i64> = (0..self.rng.range(2, 3))
            .map(|_| self.rng.range(2, 6) as i64)
            .collect();
        let all: i64 = sizes.iter().sum();
        let text = |n: i64| match rank {
            1 => format!("tensor<{n}xi32>"),
            _ => format!("tensor<{n}x{other}xi32>"),
        };
        let mut parts = Vec::new();
        for &size in &sizes {
            parts.push(self.numbered_tensor(&shape(size), "i32"));
        }
        let row = if rank == 1 {
            String::new()
        } else {
            ", 0".to_owned()
        };
        let (columns, ones) = if rank == 1 {
            (String::new(), "1")
        } else {
            (format!(", {other}"), "1, 1")
        };
        let ty = text(all);
        let whole = match self.rng.chance(50) {
            true => {
                let names: Vec<&str> = parts.iter().map(|part| part.0.as_str()).collect();
                let types: Vec<&str> = parts.iter().map(|part| part.1.as_str()).collect();
                self.def(format!(
                    "tensor.concat dim(0) {} : ({}) -> {ty}",
                    names.join(", "),
                    types.join(", ")
                ))
            }
            false => {
                let mut last = self.def(format!("tensor.empty() : {ty}"));
                let mut at = 0;
                for (&size, (name, part)) in sizes.iter().zip(&parts) {
                    last = self.def(format!(
                        "tensor.insert_slice {name} into {last}[{at}{row}] [{size}{columns}] [{ones}] : {part} into {ty}"
                    ));
                    at += size;
                }
                last
            }
        };
        for _ in 0..self.rng.range(1, 3) {
            // Mostly within a part.
            let which = self.rng.below(sizes.len());
            let start: i64 = sizes[..which].iter().sum();
            let first = self.rng.below(sizes[which] as usize) as i64;
            let room = if self.rng.chance(80) {
                sizes[which] - first
            } else {
                all - start - first
            };
            let n = self.rng.range(1, room as usize) as i64;
            let at = start + first;
            let part = self.def(format!(
                "tensor.extract_slice {whole}[{at}{row}] [{n}{columns}] [{ones}] : {ty} to {}",
                text(n)
            ));
            self.results.push((part, text(n)));
        }
        for before in ["", "canonicalize,"] {
            self.pipelines
                .push(format!("{before}linalg-bubble-up-slices"));
        }
    }

    /// Rows or columns that are put together, mostly in order, and combined one by one.
    fn rows_together(&mut self) {
        let (n, length) = (self.rng.range(2, 4), self.rng.range(2, 5) as i64);
        let are_columns = self.rng.chance(30);
        let turned = |row: i64, column: i64| match are_columns {
            true => [column, row],
            false => [row, column],
        };
        let [height, width] = turned(n as i64, length);
        let ty = format!("tensor<{height}x{width}xi32>");
        let [row_height, row_width] = turned(1, length);
        let mut order: Vec<usize> = (0..n).collect();
        if self.rng.chance(30) {
            order.swap(0, n - 1);
        }
        let mut whole = self.def(format!("tensor.empty() : {ty}"));
        for at in order {
            let (row, row_ty) = self.numbered_tensor(&[row_height, row_width], "i32");
            let [top, left] = turned(at as i64, 0);
            whole = self.def(format!(
                "tensor.insert_slice {row} into {whole}[{top}, {left}] [{row_height}, {row_width}] [1, 1] : {row_ty} into {ty}"
            ));
        }
        let (weights, weights_ty) = self.numbered_tensor(&[n as i64], "i32");
        let (start, start_ty) = self.numbered_tensor(&[length], "i32");
        let [reduced, kept] = if are_columns { [1, 0] } else { [0, 1] };
        let map = |dims: &str| format!("affine_map<(d0, d1) -> ({dims})>");
        let maps = [
            map("d0, d1"),
            map(&format!("d{reduced}")),
            map(&format!("d{kept}")),
        ];
        let mut kinds = ["\"parallel\""; 2];
        kinds[reduced] = "\"reduction\"";
        let counter = self.rng.below(2);
        let number = self.fresh();
        let result = format!("%t{}", &number[1..]);
        self.line(format!(
            "{result} = linalg.generic {{indexing_maps = [{}], iterator_types = [{}]}} ins({whole}, {weights} : {ty}, {weights_ty}) outs({start} : {start_ty}) {{",
            maps.join(", "),
            kinds.join(", ")
        ));
        self.inside(|t| {
            let [x, w, old] = ["x", "w", "o"].map(|name| format!("{result}{name}"));
            t.line(format!("^bb0({x}: i32, {w}: i32, {old}: i32):"));
            // The order matters.
            let mut new = t.def(format!("arith.subi {x}, {old} : i32"));
            new = t.def(format!("arith.muli {new}, {w} : i32"));
            if t.rng.chance(60) {
                let at = t.def(format!("linalg.index {counter} : index"));
                let at = t.def(format!("arith.index_cast {at} : index to i32"));
                new = t.def(format!("arith.xori {new}, {at} : i32"));
            }
            t.line(format!("linalg.yield {new} : i32"));
        });
        self.line(format!("}} -> {start_ty}"));
        self.results.push((result, start_ty));
        if self.rng.chance(10) {
            self.results.push((whole, ty));
        }
        for before in ["", "canonicalize,"] {
            self.pipelines
                .push(format!("{before}linalg-bubble-up-slices"));
        }
    }
}
