//! Loops over tensors of which parts leave them: products of slices, sums of what no iteration changes, parts that are taken
//! out and put back, results that nothing uses. Reductions beside each other, in the order of loops of their inputs.

use freehold::frontend::ir::types::FloatKind;

use super::build::Gen;
use super::types::{Dim, Elem, Ty};

/// An operand of a structured operation: its name and type, and the dimensions that are its subscripts.
struct Part {
    name: String,
    ty: Ty,
    dims: Vec<usize>,
}

impl Part {
    fn new(name: &str, ty: &Ty, dims: &[usize]) -> Self {
        Self {
            name: name.to_owned(),
            ty: ty.clone(),
            dims: dims.to_vec(),
        }
    }
}

impl Gen<'_> {
    /// One of these.
    pub(super) fn carried_tensors(&mut self) {
        match self.rng.below(9) {
            0..3 => self.sliced_products(),
            3 | 4 => self.reductions(),
            5 | 6 => self.parts_of_carried(),
            7 => self.unused_result(),
            _ => self.slices_in_slices(),
        }
    }

    fn carried_elem(&mut self) -> Elem {
        *self.rng.pick(&[
            Elem::Float(FloatKind::F32),
            Elem::Float(FloatKind::F32),
            Elem::Float(FloatKind::F64),
            Elem::Int(32),
            Elem::Int(64),
        ])
    }

    fn tensor_ty(sizes: &[i64], elem: Elem) -> Ty {
        Ty::Tensor(sizes.iter().map(|&size| Dim::fixed(size)).collect(), elem)
    }

    /// A tensor whose elements tell where they are.
    fn numbered_tensor(&mut self, sizes: &[i64], elem: Elem) -> String {
        let ty = Self::tensor_ty(sizes, elem);
        let (result, text, scalar) = (self.fresh(), ty.text(), elem.text());
        let at: Vec<String> = sizes.iter().map(|_| self.fresh()).collect();
        let arguments: Vec<String> = at.iter().map(|name| format!("{name}: index")).collect();
        self.line(format!("{result} = tensor.generate {{"));
        self.scope(|g| {
            g.line(format!("^bb0({}):", arguments.join(", ")));
            let number = g.mixed_index(&at);
            let value = g.number_of(&number, elem);
            g.line(format!("tensor.yield {value} : {scalar}"));
        });
        self.line(format!("}} : {text}"));
        result
    }

    /// An empty tensor with one number in it.
    fn filled(&mut self, number: &str, ty: &Ty) -> String {
        let (empty, filled, text) = (self.fresh(), self.fresh(), ty.text());
        self.line(format!("{empty} = tensor.empty() : {text}"));
        self.line(format!(
            "{filled} = linalg.fill ins({number} : {}) outs({empty} : {text}) -> {text}",
            ty.elem().text()
        ));
        filled
    }

    /// `linalg.generic` with these loops, of which some add up.
    fn structured_op(
        &mut self,
        n_loops: usize,
        sums: &[usize],
        inputs: &[Part],
        output: &Part,
        body: impl FnOnce(&mut Self, &[String]) -> String,
    ) -> String {
        let loops: Vec<String> = (0..n_loops).map(|at| format!("d{at}")).collect();
        let map = |part: &Part| {
            let results: Vec<&str> = part.dims.iter().map(|&dim| &*loops[dim]).collect();
            format!(
                "affine_map<({}) -> ({})>",
                loops.join(", "),
                results.join(", ")
            )
        };
        let maps: Vec<String> = inputs.iter().chain([output]).map(map).collect();
        let kinds: Vec<&str> = (0..n_loops)
            .map(|at| match sums.contains(&at) {
                true => "\"reduction\"",
                false => "\"parallel\"",
            })
            .collect();
        let names: Vec<&str> = inputs.iter().map(|part| &*part.name).collect();
        let types: Vec<String> = inputs.iter().map(|part| part.ty.text()).collect();
        let (result, text) = (self.fresh(), output.ty.text());
        let ins = match inputs.is_empty() {
            true => String::new(),
            false => format!("ins({} : {}) ", names.join(", "), types.join(", ")),
        };
        self.line(format!(
            "{result} = linalg.generic {{indexing_maps = [{}], iterator_types = [{}]}} {ins}outs({} : {text}) {{",
            maps.join(", "),
            kinds.join(", "),
            output.name
        ));
        let arguments: Vec<String> = (0..=inputs.len()).map(|_| self.fresh()).collect();
        let list: Vec<String> = (arguments.iter().zip(inputs.iter().chain([output])))
            .map(|(name, part)| format!("{name}: {}", part.ty.elem().text()))
            .collect();
        self.scope(|g| {
            g.line(format!("^bb0({}):", list.join(", ")));
            let value = body(g, &arguments);
            g.line(format!(
                "linalg.yield {value} : {}",
                output.ty.elem().text()
            ));
        });
        self.line(format!("}} -> {text}"));
        result
    }

    /// Elementwise, of two tensors of one type.
    fn both(&mut self, a: &str, b: &str, ty: &Ty) -> String {
        let rank = match ty {
            Ty::Tensor(dims, _) => dims.len(),
            _ => 0,
        };
        let dims: Vec<usize> = (0..rank).collect();
        let empty = self.fresh();
        self.line(format!("{empty} = tensor.empty() : {}", ty.text()));
        let elem = ty.elem();
        let parts = [Part::new(a, ty, &dims), Part::new(b, ty, &dims)];
        self.structured_op(rank, &[], &parts, &Part::new(&empty, ty, &dims), |g, x| {
            g.combined(&x[0], &x[1], elem)
        })
    }

    /// A loop that multiplies slices of a tensor by another one, and adds up what it does not change.
    fn sliced_products(&mut self) {
        self.passes.insert("linalg-hoist-products");
        self.passes.insert("linalg-hoist-invariants");
        let elem = self.carried_elem();
        let n = self.rng.range(2, 6) as i64;
        let k = if self.rng.chance(40) {
            n
        } else {
            self.rng.range(2, 6) as i64
        };
        let m = if self.rng.chance(30) {
            n
        } else {
            self.rng.range(2, 6) as i64
        };
        let along = usize::from(self.rng.chance(40));
        let sizes = if along == 0 { [n, k] } else { [k, n] };
        let (all, slice) = (Self::tensor_ty(&sizes, elem), Self::tensor_ty(&[k], elem));
        let transposed = self.rng.chance(40);
        let weight_sizes = if transposed { [m, k] } else { [k, m] };
        let weights_ty = Self::tensor_ty(&weight_sizes, elem);
        let sums_ty = Self::tensor_ty(&[m], elem);
        let source = self.numbered_tensor(&sizes, elem);
        let weights = self.numbered_tensor(&weight_sizes, elem);
        let init = self.numbered_tensor(&[m], elem);
        let n_iterations = n + *self.rng.pick(&[0, 0, 0, 1, -1]);
        let zero = self.constant(&Ty::Scalar(elem)).name;
        let (from, to, one) = (
            self.index(0).name,
            self.index(n_iterations).name,
            self.index(1).name,
        );
        let (result, counter, old) = (self.fresh(), self.fresh(), self.fresh());
        let text = sums_ty.text();
        let has_products = self.rng.chance(75);
        let swapped = self.rng.chance(30);
        self.line(format!(
            "{result} = scf.for {counter} = {from} to {to} step {one} iter_args({old} = {init}) -> ({text}) {{"
        ));
        self.scope(|g| {
            g.counter(&counter, (0, n_iterations - 1), false);
            let mut new = old.clone();
            if has_products {
                let place = match g.rng.below(5) {
                    0 => g.index(n - 1).name,
                    1 => g.subscript(n),
                    _ if n_iterations > n => {
                        let text =
                            format!("affine.min affine_map<(d0) -> (d0, {})>({counter})", n - 1);
                        g.define_index((0, n - 1), text).name
                    }
                    2 => {
                        let text = format!(
                            "affine.apply affine_map<(d0) -> ({} - d0)>({counter})",
                            n - 1
                        );
                        g.define_index((0, n - 1), text).name
                    }
                    _ => counter.clone(),
                };
                let (offsets, shape) = match along {
                    0 => (format!("{place}, 0"), format!("1, {k}")),
                    _ => (format!("0, {place}"), format!("{k}, 1")),
                };
                let part = g.define(
                    slice.clone(),
                    format!(
                        "tensor.extract_slice {source}[{offsets}] [{shape}] [1, 1] : {} to {}",
                        all.text(),
                        slice.text()
                    ),
                );
                let filled = g.filled(&zero, &sums_ty);
                let mut parts = vec![
                    Part::new(&part.name, &slice, &[1]),
                    Part::new(
                        &weights,
                        &weights_ty,
                        if transposed { &[0, 1] } else { &[1, 0] },
                    ),
                ];
                if swapped {
                    parts.reverse();
                }
                let product = g.structured_op(
                    2,
                    &[1],
                    &parts,
                    &Part::new(&filled, &sums_ty, &[0]),
                    |g, x| {
                        let product = g.product(&x[0], &x[1], elem);
                        g.added(&x[2], &product, elem)
                    },
                );
                new = g.both(&new, &product, &sums_ty);
            }
            if !has_products || g.rng.chance(40) {
                // Of what no iteration changes, by way of something that is computed here as well.
                let squares = g.both(&weights, &weights, &weights_ty);
                let filled = g.filled(&zero, &sums_ty);
                let parts = [Part::new(
                    if g.rng.chance(60) { &squares } else { &weights },
                    &weights_ty,
                    if transposed { &[0, 1] } else { &[1, 0] },
                )];
                let sum = g.structured_op(
                    2,
                    &[1],
                    &parts,
                    &Part::new(&filled, &sums_ty, &[0]),
                    |g, x| g.added(&x[1], &x[0], elem),
                );
                new = g.both(&new, &sum, &sums_ty);
            }
            g.line(format!("scf.yield {new} : {text}"));
        });
        self.line("}");
        let value = self.value(result, sums_ty);
        self.values.push(value);
    }

    /// Reductions of what is computed beside them, in another order of loops, and almost the same once more.
    fn reductions(&mut self) {
        self.passes.insert("linalg-interchange-reductions");
        self.passes.insert("linalg-cse-reductions");
        // All sums are exact.
        self.passes
            .insert("linalg-split-reductions{fp=fast max-chain=1}");
        let elem = self.carried_elem();
        let rank = *self.rng.pick(&[2, 3, 3]);
        let sizes: Vec<i64> = (0..rank).map(|_| self.rng.range(2, 5) as i64).collect();
        let ty = Self::tensor_ty(&sizes, elem);
        let source = self.numbered_tensor(&sizes, elem);
        let computed = self.both(&source, &source, &ty);
        let order = self.permutation(rank);
        let n_sums = self.rng.range(1, rank);
        let mut sums = self.permutation(rank);
        sums.truncate(n_sums);
        let kept: Vec<usize> = (0..rank).filter(|dim| !sums.contains(dim)).collect();
        // Loop `dim` goes along this dimension of the input.
        let size_of = |dim: usize| {
            order
                .iter()
                .position(|&it| it == dim)
                .map_or(1, |at| sizes[at])
        };
        let out_sizes: Vec<i64> = kept.iter().map(|&dim| size_of(dim)).collect();
        let out = Self::tensor_ty(&out_sizes, elem);
        let counted = (self.rng.chance(50)).then(|| self.rng.below(rank));
        let mut number = self.constant(&Ty::Scalar(elem)).name;
        let third = (elem.is_float() && self.rng.chance(70)).then(|| {
            let text = format!("arith.constant 3.0 : {}", elem.text());
            self.define(Ty::Scalar(elem), text).name
        });
        let ops = ["add", "sub", "mul"];
        let mut op = *self.rng.pick(&ops);
        let other = self
            .rng
            .chance(60)
            .then(|| self.numbered_tensor(&sizes, elem));
        for round in 0..self.rng.range(1, 2) {
            let mut input = computed.clone();
            let mut counts = counted;
            if round > 0 {
                match self.rng.below(5) {
                    0 => number = self.constant(&Ty::Scalar(elem)).name,
                    1 => op = *self.rng.pick(&ops),
                    2 => counts = Some(self.rng.below(rank)),
                    3 => {
                        if let Some(other) = &other {
                            input.clone_from(other);
                        }
                    }
                    _ => {}
                }
            }
            let filled = self.filled(&number, &out);
            let parts = [Part::new(&input, &ty, &order)];
            let output = Part::new(&filled, &out, &kept);
            let result = self.structured_op(rank, &sums, &parts, &output, |g, x| {
                let mut value = x[0].clone();
                if let Some(third) = &third {
                    // What is rounded shows the order.
                    let text = format!("arith.divf {value}, {third} : {}", elem.text());
                    value = g.define(Ty::Scalar(elem), text).name;
                }
                if let Some(dim) = counts {
                    let index = g.define_index((0, 4), format!("linalg.index {dim} : index"));
                    let index = g.number_of(&index.name, elem);
                    value = g.product(&value, &index, elem);
                }
                let suffix = if elem.is_float() { "f" } else { "i" };
                let text = format!("arith.{op}{suffix} {}, {value} : {}", x[1], elem.text());
                g.define(Ty::Scalar(elem), text).name
            });
            let value = self.value(result, out.clone());
            self.values.push(value);
        }
    }

    /// Parts of a carried tensor that iterations take out, change and put back, beside each other or over each other.
    fn parts_of_carried(&mut self) {
        self.passes.insert("loop-invariant-subset-hoisting");
        let elem = self.carried_elem();
        let (n, k) = (*self.rng.pick(&[8, 9, 12]), *self.rng.pick(&[3, 4]));
        let (ty, part) = (Self::tensor_ty(&[n], elem), Self::tensor_ty(&[k], elem));
        let init = self.numbered_tensor(&[n], elem);
        let (text, part_text) = (ty.text(), part.text());
        let times = self.rng.range(1, 4) as i64;
        let (from, to, one) = (
            self.index(0).name,
            self.number(times).name,
            self.index(1).name,
        );
        let (result, counter, old) = (self.fresh(), self.fresh(), self.fresh());
        let first = self.rng.below((n - k) as usize) as i64;
        let second = match self.rng.below(3) {
            0 => (first + k).min(n - k),
            1 => (first + k - 1).min(n - k),
            _ => self.rng.below((n - k) as usize + 1) as i64,
        };
        let places: Vec<String> = [first, second]
            .iter()
            .map(|&at| match self.rng.chance(70) {
                true => at.to_string(),
                false => self.number(at).name,
            })
            .collect();
        self.line(format!(
            "{result} = scf.for {counter} = {from} to {to} step {one} iter_args({old} = {init}) -> ({text}) {{"
        ));
        self.scope(|g| {
            g.counter(&counter, (0, times), false);
            let mut last = old.clone();
            for _ in 0..g.rng.range(1, 3) {
                let at = places[g.rng.below(2)].clone();
                let put = if g.rng.chance(85) {
                    at.clone()
                } else {
                    places[g.rng.below(2)].clone()
                };
                let [taken, next] = [(); 2].map(|()| g.fresh());
                g.line(format!(
                    "{taken} = tensor.extract_slice {last}[{at}] [{k}] [1] : {text} to {part_text}"
                ));
                if g.rng.chance(30) {
                    // Another part is read in between.
                    let other = places[g.rng.below(2)].clone();
                    let read = g.fresh();
                    g.line(format!(
                        "{read} = tensor.extract_slice {last}[{other}] [{k}] [1] : {text} to {part_text}"
                    ));
                    let changed = g.both(&taken, &read, &part);
                    g.line(format!(
                        "{next} = tensor.insert_slice {changed} into {last}[{put}] [{k}] [1] : {part_text} into {text}"
                    ));
                } else {
                    let changed = g.both(&taken, &taken, &part);
                    g.line(format!(
                        "{next} = tensor.insert_slice {changed} into {last}[{put}] [{k}] [1] : {part_text} into {text}"
                    ));
                }
                last = next;
            }
            g.line(format!("scf.yield {last} : {text}"));
        });
        self.line("}");
        let value = self.value(result, ty);
        self.values.push(value);
    }

    /// A loop one of whose tensors is used by nothing behind it, but by iterations.
    fn unused_result(&mut self) {
        self.passes.insert("simplify-tensor-loops");
        let elem = self.carried_elem();
        let n = self.rng.range(2, 6) as i64;
        let (ty, scalar) = (Self::tensor_ty(&[n], elem), Ty::Scalar(elem));
        let inits = [(); 2].map(|()| self.numbered_tensor(&[n], elem));
        let text = ty.text();
        let times = self.rng.range(2, 4) as i64;
        let (from, to, one) = (
            self.index(0).name,
            self.number(times).name,
            self.index(1).name,
        );
        let (result, counter, a, b) = (self.fresh(), self.fresh(), self.fresh(), self.fresh());
        self.line(format!(
            "{result}:2 = scf.for {counter} = {from} to {to} step {one} iter_args({a} = {}, {b} = {}) -> ({text}, {text}) {{",
            inits[0], inits[1]
        ));
        self.scope(|g| {
            g.counter(&counter, (0, times), false);
            let at = g.index(0).name;
            let next = g.both(&a, &inits[1], &ty);
            let mut other = g.both(&b, &inits[0], &ty);
            if g.rng.chance(70) {
                let read = if g.rng.chance(50) { &a } else { &next };
                let number = g
                    .define(
                        scalar.clone(),
                        format!("tensor.extract {read}[{at}] : {text}"),
                    )
                    .name;
                let inserted = g.fresh();
                g.line(format!(
                    "{inserted} = tensor.insert {number} into {other}[{at}] : {text}"
                ));
                other = inserted;
            }
            g.line(format!("scf.yield {next}, {other} : {text}, {text}"));
        });
        self.line("}");
        let value = self.value(format!("{result}#1"), ty);
        self.values.push(value);
    }

    /// Slices that are put into slices, which they fill or not, and vectors that are read beyond a slice.
    fn slices_in_slices(&mut self) {
        self.passes.insert("fold-tensor-subset-ops");
        let elem = self.carried_elem();
        let n = *self.rng.pick(&[8, 9, 12]);
        let (k, l) = (self.rng.range(3, 5) as i64, self.rng.range(1, 3) as i64);
        let [whole, part, small] = [n, k, l].map(|size| Self::tensor_ty(&[size], elem));
        let [a, b, c] = [l, k, n].map(|size| self.numbered_tensor(&[size], elem));
        let [texts, parts, smalls] = [&whole, &part, &small].map(Ty::text);
        let [inner, outer] = [k - l, n - k].map(|most| self.rng.below(most as usize + 1));
        let put = self.fresh();
        self.line(format!(
            "{put} = tensor.insert_slice {a} into {b}[{inner}] [{l}] [1] : {smalls} into {parts}"
        ));
        self.define(
            whole.clone(),
            format!("tensor.insert_slice {put} into {c}[{outer}] [{k}] [1] : {parts} into {texts}"),
        );
        let slice = self.fresh();
        self.line(format!(
            "{slice} = tensor.extract_slice {c}[{outer}] [{k}] [1] : {texts} to {parts}"
        ));
        let at = self.subscript(k);
        let padding = self.constant(&Ty::Scalar(elem)).name;
        let lanes = *self.rng.pick(&[2, 4, 3]);
        let vector = Ty::Vector(vec![lanes], elem);
        self.define(
            vector.clone(),
            format!(
                "vector.transfer_read {slice}[{at}], {padding} {{in_bounds = [false]}} : {parts}, {}",
                vector.text()
            ),
        );
    }
}
