//! Operations on vectors of any number of dimensions: moves of whole rows, and what adds up along some dimensions.

use std::fmt::Write as _;

use super::{Ty, Writer};

/// Vectors have at most so many elements, which bounds the code.
const MOST: usize = 128;

impl Writer {
    /// An operation on `ty` whose result is put at hand.
    fn unary(&mut self, to: &Ty, operation: &str, value: &str, from: &Ty) {
        let (from, text) = (from.text(), to.text());
        self.op(
            to,
            &format!("{operation} : {from} to {text}").replace("$", value),
        );
    }

    /// Puts elements of a vector elsewhere, row by row.
    pub(super) fn move_rows(&mut self, from: &Ty, value: &str) {
        let shaped = |shape: Vec<usize>| Ty {
            shape,
            element: from.element,
        };
        let (text, rank) = (from.text(), from.shape.len());
        let last = from.shape[rank - 1];
        match self.rng.below(9) {
            // To more rows, and rows of one element to longer ones.
            0..=2 => {
                let mut shape = from.shape.clone();
                for size in &mut shape {
                    if *size == 1 && self.rng.chance(50) {
                        *size = *self.rng.pick(&[2, 3, 4, 8]);
                    }
                }
                for _ in 0..self.rng.below(3) {
                    shape.insert(0, *self.rng.pick(&[1, 1, 2, 3, 4]));
                }
                let to = shaped(shape);
                if to.n() <= MOST && to != *from {
                    self.unary(&to, "vector.broadcast $", value, from);
                }
            }
            3 => {
                let mut order: Vec<usize> = (0..rank).collect();
                for i in (1..rank).rev() {
                    order.swap(i, self.rng.below(i + 1));
                }
                let to = shaped(order.iter().map(|&dim| from.shape[dim]).collect());
                let order: Vec<String> = order.iter().map(usize::to_string).collect();
                let order = order.join(", ");
                self.unary(&to, &format!("vector.transpose $, [{order}]"), value, from);
            }
            // Dimensions of one element more or less.
            4 => {
                let mut shape = from.shape.clone();
                match shape.iter().position(|&size| size == 1) {
                    Some(unit) if rank > 1 && self.rng.chance(60) => {
                        shape.remove(unit);
                    }
                    _ => shape.insert(self.rng.below(rank + 1), 1),
                }
                let to = shaped(shape);
                self.unary(&to, "vector.shape_cast $", value, from);
            }
            // A part of some dimensions, which is put elsewhere.
            5 if rank >= 2 => {
                let n = self.rng.range(1, rank);
                let sizes: Vec<usize> = (from.shape[..n].iter())
                    .map(|&size| self.rng.range(1, size))
                    .collect();
                let place = |w: &mut Self| -> String {
                    let starts = sizes.iter().zip(&from.shape);
                    let starts: Vec<String> = starts
                        .map(|(&size, &all)| w.rng.below(all - size + 1).to_string())
                        .collect();
                    starts.join(", ")
                };
                let to = shaped([&sizes[..], &from.shape[n..]].concat());
                let list = |numbers: Vec<String>| numbers.join(", ");
                let (at, ones) = (place(self), list(vec!["1".to_owned(); n]));
                let text_sizes = list(sizes.iter().map(usize::to_string).collect());
                let part = self.op(&to, &format!(
                    "vector.extract_strided_slice {value} {{offsets = [{at}], sizes = [{text_sizes}], strides = [{ones}]}} : {text} to {}",
                    to.text()
                ));
                let mut all_at: Vec<String> = vec![place(self)];
                all_at.extend(vec!["0".to_owned(); rank - n]);
                let ones = list(vec!["1".to_owned(); rank]);
                self.op(from, &format!(
                    "vector.insert_strided_slice {part}, {value} {{offsets = [{}], strides = [{ones}]}} : {} into {text}",
                    all_at.join(", "),
                    to.text()
                ));
            }
            6 if rank >= 2 => {
                let n = self.rng.range(1, rank - 1);
                let row = shaped(from.shape[n..].to_vec());
                let at: Vec<String> = (from.shape[..n].iter())
                    .map(|&size| self.rng.below(size).to_string())
                    .collect();
                let at = at.join(", ");
                let row_text = row.text();
                let extract = format!("vector.extract {value}[{at}] : {row_text} from {text}");
                let part = self.op(&row, &extract);
                let other = self.value(&row);
                let row = match self.rng.chance(50) {
                    true => part,
                    false => other,
                };
                let insert =
                    format!("vector.insert {row}, {value} [{at}] : {row_text} into {text}");
                self.op(from, &insert);
            }
            7 if rank >= 2 => {
                let rows = from.shape[0];
                let n = *self.rng.pick(&[1, 2, 4]);
                let places: Vec<String> = (0..n)
                    .map(|_| self.rng.below(2 * rows).to_string())
                    .collect();
                let other = self.value(from);
                let to = shaped([&[n], &from.shape[1..]].concat());
                self.op(
                    &to,
                    &format!(
                        "vector.shuffle {value}, {other} [{}] : {text}, {text}",
                        places.join(", ")
                    ),
                );
            }
            8 if rank >= 2 && 2 * from.n() <= MOST => {
                let other = self.value(from);
                let mut shape = from.shape.clone();
                shape[rank - 1] = 2 * last;
                let to = shaped(shape);
                let to_text = to.text();
                let interleave =
                    format!("vector.interleave {value}, {other} : {text} -> {to_text}");
                let both = self.op(&to, &interleave);
                let (even, odd) = (self.name(), self.name());
                self.line(&format!(
                    "{even}, {odd} = vector.deinterleave {both} : {to_text} -> {text}"
                ));
                self.values.push((from.clone(), odd));
            }
            _ => {}
        }
    }

    /// Memory of vectors, which is read and written as that of vectors of more dimensions and of fewer.
    pub(super) fn memory_of_vectors(&mut self, ty: &Ty) {
        let (slots, rows) = (self.rng.range(1, 3), self.rng.range(1, 4));
        if slots * rows * ty.n() > 2 * MOST {
            return;
        }
        // Elements that are no whole bytes lie bit by bit.
        let odd = ["i3", "i4", "i7", "i12", "i24", "i33", "i63"];
        let odd: Vec<&str> = (odd.into_iter())
            .filter(|odd| super::bits(odd) < ty.bits() && !ty.is_float())
            .collect();
        let narrow = match odd.is_empty() || self.rng.chance(75) {
            true => ty.clone(),
            false => ty.with(self.rng.pick::<&str>(&odd)),
        };
        let whole = Ty {
            shape: [&[rows], &ty.shape[..]].concat(),
            element: narrow.element,
        };
        let (text, narrow_text, whole_text) = (ty.text(), narrow.text(), whole.text());
        let narrowed = |w: &mut Self| {
            let value = w.value(ty);
            match narrow == *ty {
                true => value,
                false => w.unnamed(&format!("arith.trunci {value} : {text} to {narrow_text}")),
            }
        };
        let of_rows = format!("memref<{slots}x{rows}x{narrow_text}>");
        let of_whole = format!("memref<{slots}x{whole_text}>");
        let memory = self.name();
        let _ = writeln!(self.allocas, "    {memory} = memref.alloca() : {of_rows}");
        let cast = self.name();
        let _ = writeln!(
            self.allocas,
            "    {cast} = vector.type_cast {memory} : {of_rows} to {of_whole}"
        );
        for slot in 0..slots {
            for row in 0..rows {
                let value = narrowed(self);
                self.line(&format!(
                    "memref.store {value}, {memory}[%c{slot}, %c{row}] : {of_rows}"
                ));
            }
        }
        let mut loaded = Vec::new();
        let (slot, row) = (self.rng.below(slots), self.rng.below(rows));
        let all = self.unnamed(&format!("memref.load {cast}[%c{slot}] : {of_whole}"));
        let extract = format!("vector.extract {all}[{row}] : {narrow_text} from {whole_text}");
        loaded.push(self.unnamed(&extract));
        let (value, row, slot) = (narrowed(self), self.rng.below(rows), self.rng.below(slots));
        let insert =
            format!("vector.insert {value}, {all} [{row}] : {narrow_text} into {whole_text}");
        let changed = self.unnamed(&insert);
        self.line(&format!(
            "memref.store {changed}, {cast}[%c{slot}] : {of_whole}"
        ));
        let (slot, row) = (self.rng.below(slots), self.rng.below(rows));
        loaded.push(self.unnamed(&format!(
            "memref.load {memory}[%c{slot}, %c{row}] : {of_rows}"
        )));
        for value in loaded {
            match narrow == *ty {
                true => self.values.push((ty.clone(), value)),
                false => {
                    let sign = *self.rng.pick(&["arith.extsi", "arith.extui"]);
                    self.op(ty, &format!("{sign} {value} : {narrow_text} to {text}"));
                }
            }
        }
    }

    /// Adds an operation whose result is not put at hand.
    fn unnamed(&mut self, text: &str) -> String {
        let name = self.name();
        self.line(&format!("{name} = {text}"));
        name
    }

    /// `operation` with a mask of the shape of `masked` around it, or without; its result is a scalar if it has no
    /// dimensions. Sometimes the same operation stands before it without a mask.
    fn perhaps_masked(&mut self, operation: &str, masked: &Ty, result: &[usize]) -> String {
        if self.rng.chance(65) {
            return operation.to_owned();
        }
        let to = Ty {
            shape: result.to_vec(),
            element: masked.element,
        };
        let is_scalar = result.is_empty();
        if self.rng.chance(30) {
            let all = self.unnamed(operation);
            match is_scalar {
                true => {
                    let broadcast = format!(
                        "vector.broadcast {all} : {} to {}",
                        masked.element,
                        masked.text()
                    );
                    self.op(masked, &broadcast);
                }
                false => self.values.push((to.clone(), all)),
            }
        }
        let result = match is_scalar {
            true => masked.element.to_owned(),
            false => to.text(),
        };
        let bits = masked.with("i1");
        let mask = self.value(&bits);
        format!(
            "vector.mask {mask} {{ {operation} }} : {} -> {result}",
            bits.text()
        )
    }

    /// A number of an element type.
    fn number(&mut self, of: &Ty) -> String {
        let (value, text) = (self.value(of), of.text());
        let at: Vec<String> = (of.shape.iter())
            .map(|&size| self.rng.below(size).to_string())
            .collect();
        let name = self.name();
        let (at, element) = (at.join(", "), of.element);
        self.line(&format!(
            "{name} = vector.extract {value}[{at}] : {element} from {text}"
        ));
        name
    }

    /// A result along `shape`, which is a scalar if there are no dimensions left; a scalar is put into a vector of
    /// type `ty`.
    fn accumulate(
        &mut self,
        ty: &Ty,
        shape: Vec<usize>,
        operation: impl Fn(&mut Self, &str, &str) -> String,
    ) {
        if shape.is_empty() {
            let (first, element) = (self.number(ty), ty.element);
            let text = operation(self, &first, element);
            let name = self.name();
            self.line(&format!("{name} = {text}"));
            let broadcast = format!("vector.broadcast {name} : {element} to {}", ty.text());
            self.op(ty, &broadcast);
            return;
        }
        let to = Ty {
            shape,
            element: ty.element,
        };
        let first = self.value(&to);
        let text = operation(self, &first, &to.text());
        self.op(&to, &text);
    }

    /// Reductions and contractions along any dimensions, to scalars as well, of some elements or all.
    pub(super) fn combination(&mut self, ty: &Ty, value: &str) {
        let kinds: &[&str] = match ty.is_float() {
            true => &["add", "mul", "maximumf", "minimumf", "maxnumf", "minnumf"],
            false => &[
                "add", "mul", "and", "or", "xor", "maxsi", "maxui", "minsi", "minui",
            ],
        };
        let kind = *self.rng.pick(kinds);
        let (text, rank) = (ty.text(), ty.shape.len());
        match self.rng.below(4) {
            0 if rank == 1 => {
                let (first, of) = (self.number(ty), ty.element);
                let first = match self.rng.chance(50) {
                    true => format!(", {first}"),
                    false => String::new(),
                };
                let reduction =
                    format!("vector.reduction <{kind}>, {value}{first} : {text} into {of}");
                let reduction = self.perhaps_masked(&reduction, ty, &[]);
                let name = self.name();
                self.line(&format!("{name} = {reduction}"));
                self.op(ty, &format!("vector.broadcast {name} : {of} to {text}"));
            }
            0 | 1 => {
                let reduced: Vec<usize> = (0..rank).filter(|_| self.rng.chance(60)).collect();
                let kept = (0..rank).filter(|dim| !reduced.contains(dim));
                let shape: Vec<usize> = kept.map(|dim| ty.shape[dim]).collect();
                let dims: Vec<String> = reduced.iter().map(usize::to_string).collect();
                let dims = dims.join(", ");
                self.accumulate(ty, shape.clone(), |w, first, to| {
                    let reduction = format!(
                        "vector.multi_reduction <{kind}>, {value}, {first} [{dims}] : {text} to {to}"
                    );
                    w.perhaps_masked(&reduction, ty, &shape)
                });
            }
            2 if rank == 1 => {
                let (factor, of) = (self.number(ty), ty.element);
                let sum = self.value(ty);
                self.op(ty, &format!(
                    "vector.outerproduct {value}, {factor}, {sum} {{kind = #vector.kind<{kind}>}} : {text}, {of}"
                ));
            }
            // Each loop is one of the first factor's dimensions; the other one and the result have some of them.
            _ if ty.n() <= 64 => {
                let result: Vec<usize> = (0..rank).filter(|_| self.rng.chance(40)).collect();
                // To a scalar, both have all loops.
                let mut other: Vec<usize> = (0..rank)
                    .filter(|_| result.is_empty() || self.rng.chance(70))
                    .collect();
                if other.is_empty() {
                    return;
                }
                if self.rng.chance(30) {
                    other.reverse();
                }
                let of = |dims: &[usize]| Ty {
                    shape: dims.iter().map(|&dim| ty.shape[dim]).collect(),
                    element: ty.element,
                };
                let rhs_ty = of(&other);
                let rhs = self.value(&rhs_ty);
                let name = |dim: &usize| format!("d{dim}");
                let list = |dims: &[usize]| dims.iter().map(name).collect::<Vec<_>>().join(", ");
                let all: Vec<usize> = (0..rank).collect();
                let map =
                    |dims: &[usize]| format!("affine_map<({}) -> ({})>", list(&all), list(dims));
                let iterators: Vec<&str> = (0..rank)
                    .map(|dim| match result.contains(&dim) {
                        true => "\"parallel\"",
                        false => "\"reduction\"",
                    })
                    .collect();
                let attributes = format!(
                    "{{indexing_maps = [{}, {}, {}], iterator_types = [{}], kind = #vector.kind<{kind}>}}",
                    map(&all),
                    map(&other),
                    map(&result),
                    iterators.join(", ")
                );
                let rhs_text = rhs_ty.text();
                self.accumulate(ty, of(&result).shape, |w, first, to| {
                    let contract = format!(
                        "vector.contract {attributes} {value}, {rhs}, {first} : {text}, {rhs_text} into {to}"
                    );
                    w.perhaps_masked(&contract, ty, &of(&result).shape)
                });
            }
            _ => {}
        }
    }
}
