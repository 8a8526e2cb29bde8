//! Vectors in memory, and operations on vectors whose maps and regions rows do not say.

use freehold::frontend::ir::types::FloatKind;

use super::build::{Gen, Value};
use super::types::{Dim, Elem, Mem, Ty};

impl Gen<'_> {
    /// A shape of a vector.
    pub(super) fn vector_shape(&mut self) -> Vec<i64> {
        let rank = *self.rng.pick(&[1, 1, 1, 2, 2, 3]);
        let mut shape: Vec<i64> = (0..rank).map(|_| self.vector_size()).collect();
        while shape.iter().product::<i64>() > 64 {
            let at = self.rng.below(rank);
            shape[at] = 2;
        }
        shape
    }

    /// Reads a vector of this shape.
    pub(super) fn vector_read(&mut self, shape: &[i64], elem: Elem) -> Option<String> {
        let ty = Ty::Vector(shape.to_vec(), elem);
        let text = ty.text();
        let is_tensor = self.rng.chance(25);
        let source = match is_tensor {
            true => self.pick(|value| match &value.ty {
                Ty::Tensor(dims, e) => {
                    *e == elem && !dims.is_empty() && dims.iter().all(|dim| dim.size > 0)
                }
                _ => false,
            })?,
            false => {
                let readable: Vec<String> = (self.values.iter())
                    .filter(|value| self.can_read(value))
                    .map(|value| value.name.clone())
                    .collect();
                self.pick(|value| {
                    readable.contains(&value.name)
                        && value
                            .ty
                            .as_mem()
                            .is_some_and(|mem| mem.elem == elem && mem.rank() > 0 && mem.n() > 0)
                })?
            }
        };
        let (dims, is_contiguous) = match &source.ty {
            Ty::Tensor(dims, _) => (dims.clone(), false),
            Ty::MemRef(mem) => {
                let last = mem.strided().strides.last().copied();
                (mem.dims.clone(), last == Some(Dim::fixed(1)))
            }
            _ => return None,
        };
        let (name, source_ty) = (&source.name, source.ty.text());
        let fits = shape.len() <= dims.len()
            && (shape.iter().rev().zip(dims.iter().rev())).all(|(size, dim)| *size <= dim.size);
        if fits && is_contiguous && self.rng.chance(50) && elem_is_plain(elem) {
            let at = self.vector_places(&dims, shape).join(", ");
            if shape.len() == 1 && self.rng.chance(30) {
                let mask = self.mask(shape);
                let pass = self.value_of(&ty);
                let text = format!(
                    "vector.maskedload {name}[{at}], {mask}, {pass} : {source_ty}, vector<{}xi1>, {text} into {text}",
                    shape[0]
                );
                return Some(self.define(ty, text).name);
            }
            return Some(
                self.define(
                    ty,
                    format!("vector.load {name}[{at}] : {source_ty}, {text}"),
                )
                .name,
            );
        }
        if shape.len() == 1 && is_contiguous && self.rng.chance(25) && elem_is_plain(elem) {
            // Elements by a vector of indices, or one after the other.
            let n = shape[0];
            let mask = self.mask(shape);
            let pass = self.value_of(&ty);
            let size = dims.last()?.size;
            if self.rng.chance(60) {
                let zeros: Vec<String> = (0..dims.len() - 1)
                    .map(|at| self.subscript(dims[at].size))
                    .collect();
                let mut at = zeros;
                at.push(self.index(0).name);
                let numbers: Vec<String> = (0..n)
                    .map(|_| self.rng.below(size as usize).to_string())
                    .collect();
                let kind = *self.rng.pick(&["i32", "index", "i64"]);
                let indices = self.fresh();
                self.line(format!(
                    "{indices} = arith.constant dense<[{}]> : vector<{n}x{kind}>",
                    numbers.join(", ")
                ));
                let text = format!(
                    "vector.gather {name}[{}] [{indices}], {mask}, {pass} : {source_ty}, vector<{n}x{kind}>, vector<{n}xi1>, {text} into {text}",
                    at.join(", ")
                );
                return Some(self.define(ty, text).name);
            }
            if n <= size {
                let at = self.vector_places(&dims, shape).join(", ");
                let text = format!(
                    "vector.expandload {name}[{at}], {mask}, {pass} : {source_ty}, vector<{n}xi1>, {text} into {text}"
                );
                return Some(self.define(ty, text).name);
            }
        }
        if shape.len() > dims.len() && !self.rng.chance(30) {
            return None;
        }
        let (map, in_bounds, at) = self.transfer(&dims, shape, true)?;
        let pad = self.value_of(&Ty::Scalar(elem));
        let text = format!(
            "vector.transfer_read {name}[{}], {pad} {{in_bounds = [{}], permutation_map = {map}}} : {source_ty}, {text}",
            at.join(", "),
            in_bounds.join(", ")
        );
        Some(self.define(ty, text).name)
    }

    /// A map for a transfer, which dimensions are within bounds, and subscripts.
    fn transfer(
        &mut self,
        dims: &[Dim],
        shape: &[i64],
        reads: bool,
    ) -> Option<(String, Vec<String>, Vec<String>)> {
        let rank = dims.len();
        let is_minor = self.rng.chance(50) && shape.len() <= rank;
        let order = match is_minor {
            true => (0..rank).collect(),
            false => self.permutation(rank),
        };
        let mut chosen: Vec<Option<usize>> = Vec::new();
        let mut next = order[rank.saturating_sub(shape.len())..].iter();
        for _ in shape {
            let is_broadcast = reads && !is_minor && self.rng.chance(20);
            let at = match is_broadcast {
                true => None,
                false => next.next().copied(),
            };
            if at.is_none() && !reads {
                return None;
            }
            chosen.push(at);
        }
        let mut at: Vec<Option<String>> = vec![None; rank];
        let mut in_bounds = Vec::new();
        for (dim, &size) in chosen.iter().zip(shape) {
            let Some(dim) = *dim else {
                in_bounds.push("true".to_owned());
                continue;
            };
            let inside = size <= dims[dim].size && self.rng.chance(60);
            in_bounds.push(inside.to_string());
            at[dim] = Some(match inside {
                true => self.subscript(dims[dim].size - size + 1),
                false => self.subscript(dims[dim].size),
            });
        }
        let at = at
            .into_iter()
            .enumerate()
            .map(|(dim, at)| at.unwrap_or_else(|| self.subscript(dims[dim].size)))
            .collect();
        let results: Vec<String> = chosen
            .iter()
            .map(|dim| dim.map_or("0".to_owned(), |dim| format!("d{dim}")))
            .collect();
        let all: Vec<String> = (0..rank).map(|at| format!("d{at}")).collect();
        Some((
            format!(
                "affine_map<({}) -> ({})>",
                all.join(", "),
                results.join(", ")
            ),
            in_bounds,
            at,
        ))
    }

    fn vector_places(&mut self, dims: &[Dim], shape: &[i64]) -> Vec<String> {
        let outer = dims.len() - shape.len().min(dims.len());
        (0..dims.len())
            .map(|at| {
                let span = if at >= outer { shape[at - outer] } else { 1 };
                self.subscript(dims[at].size - span + 1)
            })
            .collect()
    }

    /// A mask of this shape.
    fn mask(&mut self, shape: &[i64]) -> String {
        let ty = Ty::Vector(shape.to_vec(), Elem::Int(1));
        match self.rng.below(4) {
            0 => {
                let sizes: Vec<String> = shape
                    .iter()
                    .map(|&size| self.rng.below(size as usize + 1).to_string())
                    .collect();
                // No dimension alone is empty.
                let sizes = if sizes.iter().any(|size| size == "0") {
                    vec!["0".to_owned(); sizes.len()]
                } else {
                    sizes
                };
                self.define(
                    ty.clone(),
                    format!(
                        "vector.constant_mask [{}] : {}",
                        sizes.join(", "),
                        ty.text()
                    ),
                )
                .name
            }
            1 | 2 => {
                let sizes: Vec<String> = shape
                    .iter()
                    .map(|&size| match self.rng.chance(70) {
                        true => self.subscript(size + 1),
                        false => self.any_index(),
                    })
                    .collect();
                self.define(
                    ty.clone(),
                    format!("vector.create_mask {} : {}", sizes.join(", "), ty.text()),
                )
                .name
            }
            _ => self.value_of(&ty),
        }
    }

    /// Writes a vector to a buffer or into a tensor.
    pub(super) fn vector_write(&mut self) {
        let Some(target) = self.writable(1) else {
            return;
        };
        let Some(mem) = target.ty.as_mem().cloned() else {
            return;
        };
        if matches!(mem.elem, Elem::Complex(_)) {
            return;
        }
        let shape: Vec<i64> = {
            let rank = self.rng.range(1, mem.rank().min(2));
            let mut shape = self.vector_shape();
            shape.resize(rank, 2);
            shape
        };
        if shape.iter().product::<i64>() > 64 {
            return;
        }
        let (name, target_ty) = (&target.name, target.ty.text());
        let ty = Ty::Vector(shape.clone(), mem.elem);
        let value = self.value_of(&ty);
        let text = ty.text();
        let is_contiguous = mem.strided().strides.last() == Some(&Dim::fixed(1));
        let fits =
            (shape.iter().rev().zip(mem.dims.iter().rev())).all(|(size, dim)| *size <= dim.size);
        let kind = self.rng.below(6);
        if fits && is_contiguous && kind < 4 && elem_is_plain(mem.elem) {
            let at = self.vector_places(&mem.dims, &shape).join(", ");
            let line = match kind {
                1 if shape.len() == 1 => {
                    let mask = self.mask(&shape);
                    format!(
                        "vector.maskedstore {name}[{at}], {mask}, {value} : {target_ty}, vector<{}xi1>, {text}",
                        shape[0]
                    )
                }
                2 if shape.len() == 1 => {
                    let mask = self.mask(&shape);
                    format!(
                        "vector.compressstore {name}[{at}], {mask}, {value} : {target_ty}, vector<{}xi1>, {text}",
                        shape[0]
                    )
                }
                3 if shape.len() == 1 => {
                    let n = shape[0];
                    let size = mem.dims.last().map_or(1, |dim| dim.size);
                    let mask = self.mask(&shape);
                    let mut at: Vec<String> = (0..mem.rank() - 1)
                        .map(|at| self.subscript(mem.dims[at].size))
                        .collect();
                    at.push(self.index(0).name);
                    // Each place once.
                    let first = self.rng.below((size - n + 1) as usize) as i64;
                    let order = self.permutation(n as usize);
                    let numbers: Vec<String> = order
                        .iter()
                        .map(|&at| (first + at as i64).to_string())
                        .collect();
                    let indices = self.fresh();
                    self.line(format!(
                        "{indices} = arith.constant dense<[{}]> : vector<{n}xi32>",
                        numbers.join(", ")
                    ));
                    format!(
                        "vector.scatter {name}[{}] [{indices}], {mask}, {value} : {target_ty}, vector<{n}xi32>, vector<{n}xi1>, {text}",
                        at.join(", ")
                    )
                }
                _ => format!("vector.store {value}, {name}[{at}] : {target_ty}, {text}"),
            };
            self.line(line);
            return;
        }
        let Some((map, in_bounds, at)) = self.transfer(&mem.dims, &shape, false) else {
            return;
        };
        self.line(format!(
            "vector.transfer_write {value}, {name}[{}] {{in_bounds = [{}], permutation_map = {map}}} : {text}, {target_ty}",
            at.join(", "),
            in_bounds.join(", ")
        ));
    }

    fn some_vector(&mut self, least: usize) -> Option<(Value, Vec<i64>, Elem)> {
        let value =
            self.pick(|value| matches!(&value.ty, Ty::Vector(shape, _) if shape.len() >= least))?;
        match &value.ty {
            Ty::Vector(shape, elem) => Some((value.clone(), shape.clone(), *elem)),
            _ => None,
        }
    }

    /// An operation on vectors.
    pub(super) fn vector_statement(&mut self) {
        match self.rng.below(14) {
            10 => self.memory_of_vectors(),
            11..14 => self.shaped_vector(),
            0..3 => self.vector_write(),
            3 | 4 => {
                let shape = self.vector_shape();
                let elem = self.vector_elem();
                self.vector_read(&shape, elem);
            }
            5 => self.contract(),
            6 => self.part_of_vector(),
            7 => self.masked(),
            8 => self.tensor_transfer(),
            _ => {
                let shape = self.vector_shape();
                let elem = self.vector_elem();
                self.value_of(&Ty::Vector(shape, elem));
            }
        }
    }

    /// Memory whose elements are vectors, or memory of numbers that is seen as one vector.
    fn memory_of_vectors(&mut self) {
        let shape = self.vector_shape();
        let elem = self.vector_elem();
        if shape.iter().product::<i64>() > 64 {
            return;
        }
        let vector = Ty::Vector(shape.clone(), elem).text();
        if self.parallel.is_some() {
            return;
        }
        // Rows are as long as their alignment, which is that of any allocation.
        let row = shape
            .last()
            .map_or(0, |last| last * i64::from(elem.width()) / 8);
        if self.rng.chance(40) && elem_is_plain(elem) && [1, 2, 4, 8, 16].contains(&row) {
            let dims = shape.iter().map(|&size| Dim::fixed(size)).collect();
            let buffer = self.allocated(Mem::new(dims, elem));
            let cast = self.fresh();
            let (name, ty) = (&buffer.name, buffer.ty.text());
            self.line(format!(
                "{cast} = vector.type_cast {name} : {ty} to memref<{vector}>"
            ));
            self.define(
                Ty::Vector(shape, elem),
                format!("memref.load {cast}[] : memref<{vector}>"),
            );
            return;
        }
        let n = self.rng.range(1, 5) as i64;
        let value = self.value_of(&Ty::Vector(shape.clone(), elem));
        let (memory, ty) = (self.fresh(), format!("memref<{n}x{vector}>"));
        let what = if self.rng.chance(60) {
            "alloc"
        } else {
            "alloca"
        };
        self.line(format!("{memory} = memref.{what}() : {ty}"));
        self.nest(&[n], |g, at| {
            let value = match g.rng.chance(50) {
                true => g.value_of(&Ty::Vector(shape.clone(), elem)),
                false => value.clone(),
            };
            g.line(format!("memref.store {value}, {memory}[{}] : {ty}", at[0]));
        });
        let at = self.subscript(n);
        let ty_of = Ty::Vector(shape.clone(), elem);
        self.define(ty_of, format!("memref.load {memory}[{at}] : {ty}"));
    }

    /// A part of a vector by subscripts that are known or not.
    fn part_of_vector(&mut self) {
        let Some((vector, shape, elem)) = self.some_vector(1) else {
            return;
        };
        if shape.contains(&0) {
            return;
        }
        let n = self.rng.range(1, shape.len());
        let at: Vec<String> = shape[..n]
            .iter()
            .map(|&size| match self.rng.chance(50) {
                true => self.subscript(size),
                false => self.rng.below(size as usize).to_string(),
            })
            .collect();
        let rest = match shape[n..].is_empty() {
            true => Ty::Scalar(elem),
            false => Ty::Vector(shape[n..].to_vec(), elem),
        };
        let (name, text, at) = (&vector.name, vector.ty.text(), at.join(", "));
        match self.rng.chance(50) {
            true => {
                self.define(
                    rest.clone(),
                    format!("vector.extract {name}[{at}] : {} from {text}", rest.text()),
                );
            }
            false => {
                let value = self.value_of(&rest);
                self.define(
                    vector.ty.clone(),
                    format!(
                        "vector.insert {value}, {name}[{at}] : {} into {text}",
                        rest.text()
                    ),
                );
            }
        }
    }

    fn contract(&mut self) {
        let elem = self.elem();
        if matches!(elem, Elem::Int(1) | Elem::Complex(_) | Elem::Index) {
            return;
        }
        let n = self.rng.range(1, 4);
        let sizes: Vec<i64> = (0..n).map(|_| self.vector_size().min(5)).collect();
        let is_reduction: Vec<bool> = (0..n).map(|at| at == 0 || self.rng.chance(40)).collect();
        // Where each loop stands: in both factors, or in one and the result.
        let (mut a, mut b, mut c) = (Vec::new(), Vec::new(), Vec::new());
        for (at, &reduces) in is_reduction.iter().enumerate() {
            match (reduces, self.rng.below(3)) {
                (true, _) => {
                    a.push(at);
                    b.push(at);
                }
                (false, 0) => {
                    a.push(at);
                    b.push(at);
                    c.push(at);
                }
                (false, 1) => {
                    a.push(at);
                    c.push(at);
                }
                (false, _) => {
                    b.push(at);
                    c.push(at);
                }
            }
        }
        let mixed = |g: &mut Self, list: Vec<usize>| -> Vec<usize> {
            let order = g.permutation(list.len());
            order.into_iter().map(|at| list[at]).collect()
        };
        let (a, b, c) = (mixed(self, a), mixed(self, b), mixed(self, c));
        let ty = |list: &[usize]| -> Ty {
            match list.is_empty() {
                true => Ty::Scalar(elem),
                false => Ty::Vector(list.iter().map(|&at| sizes[at]).collect(), elem),
            }
        };
        let (ta, tb, tc) = (ty(&a), ty(&b), ty(&c));
        for ty in [&ta, &tb, &tc] {
            if matches!(ty, Ty::Vector(shape, _) if shape.iter().product::<i64>() > 125) {
                return;
            }
        }
        let (va, vb, vc) = (self.value_of(&ta), self.value_of(&tb), self.value_of(&tc));
        let dims: Vec<String> = (0..n).map(|at| format!("d{at}")).collect();
        let map = |list: &[usize]| {
            let results: Vec<String> = list.iter().map(|at| format!("d{at}")).collect();
            format!(
                "affine_map<({}) -> ({})>",
                dims.join(", "),
                results.join(", ")
            )
        };
        let kinds: Vec<&str> = is_reduction
            .iter()
            .map(|&reduces| {
                if reduces {
                    "\"reduction\""
                } else {
                    "\"parallel\""
                }
            })
            .collect();
        let kind = match (elem.is_float(), self.rng.chance(75)) {
            (_, true) => "add",
            (true, _) => *self.rng.pick(&["mul", "minimumf", "maximumf", "minnumf"]),
            (false, _) => *self.rng.pick(&["mul", "minsi", "maxui", "and", "xor"]),
        };
        let text = format!(
            "vector.contract {{indexing_maps = [{}, {}, {}], iterator_types = [{}], kind = #vector.kind<{kind}>}} {va}, {vb}, {vc} : {}, {} into {}",
            map(&a),
            map(&b),
            map(&c),
            kinds.join(", "),
            ta.text(),
            tb.text(),
            tc.text()
        );
        self.define(tc, text);
    }

    /// An operation behind a mask.
    fn masked(&mut self) {
        let Some((value, shape, elem)) = self.some_vector(1) else {
            return;
        };
        let (name, text) = (&value.name, value.ty.text());
        if matches!(elem, Elem::Complex(_) | Elem::Index | Elem::Int(1)) {
            return;
        }
        let mask_ty = Ty::Vector(shape.clone(), Elem::Int(1)).text();
        // Without a zero, nothing stands for terms that are left out.
        let has_zero = elem != Elem::Float(FloatKind::F8E8M0FNU);
        if shape.len() == 1 && self.rng.chance(50) {
            let mask = self.mask(&shape);
            let kind = match elem.is_float() {
                true if has_zero => *self.rng.pick(&["add", "mul", "maximumf", "minnumf"]),
                true => *self.rng.pick(&["mul", "maximumf", "minnumf"]),
                false => *self.rng.pick(&["add", "mul", "minsi", "maxui", "or"]),
            };
            let start = self.value_of(&Ty::Scalar(elem));
            let ty = Ty::Scalar(elem);
            let out = ty.text();
            self.define(
                ty,
                format!("vector.mask {mask} {{ vector.reduction <{kind}>, {name}, {start} : {text} into {out} }} : {mask_ty} -> {out}"),
            );
            return;
        }
        let Some(target) = self.writable(shape.len()) else {
            return;
        };
        let Some(mem) = target.ty.as_mem().cloned() else {
            return;
        };
        if mem.elem != elem {
            return;
        }
        let mask = self.mask(&shape);
        let outer = mem.rank() - shape.len();
        let at = self
            .subscripts(&mem.dims.iter().map(|dim| dim.size).collect::<Vec<_>>())
            .join(", ");
        let dims: Vec<String> = (0..mem.rank()).map(|at| format!("d{at}")).collect();
        let map = format!(
            "affine_map<({}) -> ({})>",
            dims.join(", "),
            dims[outer..].join(", ")
        );
        let bounds = vec!["false"; shape.len()].join(", ");
        let (to, to_ty) = (&target.name, target.ty.text());
        self.line(format!(
            "vector.mask {mask} {{ vector.transfer_write {name}, {to}[{at}] {{in_bounds = [{bounds}], permutation_map = {map}}} : {text}, {to_ty} }} : {mask_ty}"
        ));
    }

    /// A slice of a tensor that a whole vector is read from, or written to before it goes back.
    fn slice_of_vector(&mut self, tensor: &Value, dims: &[Dim], elem: Elem) {
        if matches!(elem, Elem::Complex(_)) {
            return;
        }
        let sizes: Vec<i64> = (dims.iter())
            .map(|dim| self.rng.range(1, dim.size.min(4) as usize) as i64)
            .collect();
        let at: Vec<String> = (dims.iter().zip(&sizes))
            .map(|(dim, size)| self.subscript(dim.size - size + 1))
            .collect();
        let ones = vec!["1"; dims.len()].join(", ");
        let texts: Vec<String> = sizes.iter().map(i64::to_string).collect();
        let place = format!("[{}] [{}] [{ones}]", at.join(", "), texts.join(", "));
        let slice = Ty::Tensor(sizes.iter().map(|&size| Dim::fixed(size)).collect(), elem);
        let vector = Ty::Vector(sizes, elem);
        let bounds = vec!["true"; dims.len()].join(", ");
        let zero = self.index(0).name;
        let zeros = vec![zero.as_str(); dims.len()].join(", ");
        let (name, text) = (&tensor.name, tensor.ty.text());
        let (slice_text, vector_text) = (slice.text(), vector.text());
        let part = self.define(
            slice.clone(),
            format!("tensor.extract_slice {name}{place} : {text} to {slice_text}"),
        );
        let padding = self.value_of(&Ty::Scalar(elem));
        let read = self.define(
            vector.clone(),
            format!(
                "vector.transfer_read {}[{zeros}], {padding} {{in_bounds = [{bounds}]}} : {slice_text}, {vector_text}",
                part.name
            ),
        );
        let value = match self.rng.chance(50) {
            true => read.name,
            false => self.value_of(&vector),
        };
        let written = self.define(
            slice,
            format!(
                "vector.transfer_write {value}, {}[{zeros}] {{in_bounds = [{bounds}]}} : {vector_text}, {slice_text}",
                part.name
            ),
        );
        self.define(
            tensor.ty.clone(),
            format!(
                "tensor.insert_slice {} into {name}{place} : {slice_text} into {text}",
                written.name
            ),
        );
    }

    fn tensor_transfer(&mut self) {
        let tensor = self.pick(|value| matches!(&value.ty, Ty::Tensor(dims, _) if !dims.is_empty() && dims.iter().all(|dim| dim.size > 0)));
        let Some(tensor) = tensor else { return };
        let Ty::Tensor(dims, elem) = tensor.ty.clone() else {
            return;
        };
        if self.rng.chance(30) {
            return self.slice_of_vector(&tensor, &dims, elem);
        }
        let shape = {
            let rank = self.rng.range(1, dims.len().min(2));
            let mut shape = self.vector_shape();
            shape.resize(rank, 2);
            shape
        };
        if shape.iter().product::<i64>() > 64 {
            return;
        }
        let ty = Ty::Vector(shape.clone(), elem);
        let value = self.value_of(&ty);
        let Some((map, in_bounds, at)) = self.transfer(&dims, &shape, false) else {
            return;
        };
        let text = tensor.ty.text();
        self.define(
            tensor.ty.clone(),
            format!(
                "vector.transfer_write {value}, {}[{}] {{in_bounds = [{}], permutation_map = {map}}} : {}, {text}",
                tensor.name,
                at.join(", "),
                in_bounds.join(", "),
                ty.text()
            ),
        );
    }
}

/// Whether vectors of these are loaded as they lie.
fn elem_is_plain(elem: Elem) -> bool {
    match elem {
        Elem::Int(width) => [8, 16, 32, 64].contains(&width),
        Elem::Float(_) | Elem::Index => true,
        Elem::Complex(_) => false,
    }
}
