//! Values on demand: of any type, and indices within bounds.

use super::build::Gen;
use super::types::{Elem, Ty};

impl Gen<'_> {
    /// A value of a type: one that is there, or a new one.
    pub(super) fn value_of(&mut self, ty: &Ty) -> String {
        if self.rng.chance(80)
            && let Some(found) = self.pick(|value| value.ty == *ty)
        {
            return found.name;
        }
        self.make(ty)
    }

    /// A new value of a type.
    fn make(&mut self, ty: &Ty) -> String {
        match ty {
            Ty::Scalar(elem) => self.make_scalar(*elem),
            Ty::Vector(shape, elem) => self.make_vector(shape.clone(), *elem),
            Ty::Tensor(dims, elem) => self.make_tensor(dims.clone(), *elem),
            Ty::MemRef(mem) => self.allocated(mem.clone()).name,
        }
    }

    fn make_scalar(&mut self, elem: Elem) -> String {
        let ty = Ty::Scalar(elem);
        if self.rng.chance(30)
            && let Some(name) = self.loaded(elem)
        {
            return name;
        }
        if self.rng.chance(60) {
            let index = self.pick(|value| value.range.is_some());
            if let Some(index) = index
                && elem != Elem::Index
            {
                return self.number_of(&index.name, elem);
            }
        }
        if elem == Elem::Int(1) && self.rng.chance(70) {
            let (a, b) = (self.any_index(), self.any_index());
            let predicate = *self.rng.pick(&["eq", "ne", "slt", "sle", "ult", "uge"]);
            return self
                .define(ty, format!("arith.cmpi {predicate}, {a}, {b} : index"))
                .name;
        }
        if elem == Elem::Index && self.rng.chance(50) {
            return self.subscript(16);
        }
        self.constant(&ty).name
    }

    /// Any index.
    pub(super) fn any_index(&mut self) -> String {
        match self.pick(|value| value.ty == Ty::INDEX) {
            Some(value) if self.rng.chance(85) => value.name,
            _ => self.index(3).name,
        }
    }

    /// An index as a number of another kind.
    pub(super) fn number_of(&mut self, index: &str, elem: Elem) -> String {
        let ty = Ty::Scalar(elem);
        match elem {
            Elem::Index => index.to_owned(),
            Elem::Int(_) => {
                let cast = *self.rng.pick(&["index_cast", "index_castui"]);
                self.define(
                    ty.clone(),
                    format!("arith.{cast} {index} : index to {}", ty.text()),
                )
                .name
            }
            Elem::Float(_) => {
                let int = Ty::Scalar(Elem::Int(32));
                let cast = self.define(int, format!("arith.index_cast {index} : index to i32"));
                let text = format!("arith.sitofp {} : i32 to {}", cast.name, ty.text());
                self.define(ty, text).name
            }
            Elem::Complex(kind) => {
                let part = self.number_of(index, Elem::Float(kind));
                let other = self.value_of(&Ty::Scalar(Elem::Float(kind)));
                let text = format!("complex.create {part}, {other} : {}", ty.text());
                self.define(ty, text).name
            }
        }
    }

    /// An element of a buffer or a tensor in scope.
    fn loaded(&mut self, elem: Elem) -> Option<String> {
        if self.rng.chance(30) {
            let tensor = self.pick(|value| match &value.ty {
                Ty::Tensor(dims, e) => *e == elem && dims.iter().all(|dim| dim.size > 0),
                _ => false,
            })?;
            let Ty::Tensor(dims, _) = &tensor.ty else {
                return None;
            };
            let at: Vec<String> = dims.iter().map(|dim| self.subscript(dim.size)).collect();
            let text = format!(
                "tensor.extract {}[{}] : {}",
                tensor.name,
                at.join(", "),
                tensor.ty.text()
            );
            return Some(self.define(Ty::Scalar(elem), text).name);
        }
        let buffer = self.readable(0).filter(|buffer| buffer.ty.elem() == elem)?;
        Some(self.load(&buffer))
    }

    fn make_vector(&mut self, shape: Vec<i64>, elem: Elem) -> String {
        let ty = Ty::Vector(shape.clone(), elem);
        let scalar = Ty::Scalar(elem);
        match self.rng.below(6) {
            0 => {
                let value = self.value_of(&scalar);
                let text = format!(
                    "vector.broadcast {value} : {} to {}",
                    elem.text(),
                    ty.text()
                );
                self.define(ty, text).name
            }
            1 if shape.iter().product::<i64>() <= 8 => {
                let n = shape.iter().product::<i64>();
                let values: Vec<String> = (0..n).map(|_| self.value_of(&scalar)).collect();
                let text = format!("vector.from_elements {} : {}", values.join(", "), ty.text());
                self.define(ty, text).name
            }
            2 | 3 => match self.vector_read(&shape, elem) {
                Some(name) => name,
                None => self.constant(&ty).name,
            },
            _ => self.constant(&ty).name,
        }
    }

    /// An index from 0 up to `size`, not included.
    pub(super) fn subscript(&mut self, size: i64) -> String {
        let size = size.max(1);
        for _ in 0..4 {
            match self.rng.below(10) {
                // One that is there.
                0..3 => {
                    let fits = |range: Option<(i64, i64)>| {
                        range.is_some_and(|(low, high)| low >= 0 && high < size)
                    };
                    let found = match self.rng.chance(80) {
                        true => {
                            self.pick(|value| fits(value.range) && !value.name.starts_with("%c"))
                        }
                        false => self.pick(|value| fits(value.range)),
                    };
                    if let Some(found) = found {
                        return found.name;
                    }
                }
                3..7 => {
                    if let Some(name) = self.affine_subscript(size) {
                        return name;
                    }
                }
                7 => {
                    if let Some(name) = self.split_subscript(size) {
                        return name;
                    }
                }
                8 => {
                    if let Some(name) = self.other_subscript(size) {
                        return name;
                    }
                }
                _ => {
                    let number = self.rng.below(size.min(64) as usize) as i64;
                    return self.number(number).name;
                }
            }
        }
        let number = self.rng.below(size.min(64) as usize) as i64;
        self.number(number).name
    }

    /// Counters and other indices with small ranges.
    fn counters(&mut self, n: usize) -> Vec<(String, (i64, i64))> {
        let mut found: Vec<(String, (i64, i64))> = Vec::new();
        for _ in 0..n {
            let value = self.pick(|value| {
                value
                    .range
                    .is_some_and(|(low, high)| low > -1000 && high < 1000)
                    && !value.name.starts_with("%c")
            });
            if let Some(value) = value
                && found.iter().all(|(name, _)| *name != value.name)
            {
                found.push((value.name, value.range.unwrap_or_default()));
            }
        }
        found
    }

    /// An affine expression of `n` dimensions with ranges: its text and its range.
    pub(super) fn affine_expression(&mut self, ranges: &[(i64, i64)]) -> (String, (i64, i64)) {
        let mut text = String::new();
        let mut range = (0, 0);
        if let [a, b] = ranges
            && self.rng.chance(20)
        {
            let (text, range) = match self.rng.chance(50) {
                true => ("d0 - d1", (a.0 - b.1, a.1 - b.0)),
                false => ("d1 - d0", (b.0 - a.1, b.1 - a.0)),
            };
            return (text.to_owned(), range);
        }
        for (at, &(low, high)) in ranges.iter().enumerate() {
            let factor = *self.rng.pick(&[1, 1, 1, 2, -1, 3, 4, -2]);
            let (mut term, mut ends) = (format!("d{at}"), (low, high));
            match self.rng.below(10) {
                0 => {
                    let by = self.rng.range(2, 4) as i64;
                    term = format!("({term} floordiv {by})");
                    ends = (low.div_euclid(by), high.div_euclid(by));
                }
                1 => {
                    let by = self.rng.range(2, 8) as i64;
                    term = format!("({term} mod {by})");
                    ends = (0, by - 1);
                }
                2 => {
                    let by = self.rng.range(2, 4) as i64;
                    term = format!("({term} ceildiv {by})");
                    ends = (-(-low).div_euclid(by), -(-high).div_euclid(by));
                }
                3 => {
                    // The greatest remainder is one more of these.
                    let by = self.rng.range(2, 8) as i64;
                    term = format!("(({term} mod {by}) floordiv {})", by - 1);
                    ends = (0, 1);
                }
                _ => {}
            }
            let (a, b) = (ends.0 * factor, ends.1 * factor);
            range = (range.0 + a.min(b), range.1 + a.max(b));
            let plus = if text.is_empty() { "" } else { " + " };
            text += &match factor {
                1 => format!("{plus}{term}"),
                _ => format!("{plus}{term} * {factor}"),
            };
        }
        if text.is_empty() || self.rng.chance(40) {
            let add = self.rng.range(0, 6) as i64 - 2;
            text += &match text.is_empty() {
                true => add.to_string(),
                false => format!(" + {add}"),
            };
            range = (range.0 + add, range.1 + add);
        }
        (text, range)
    }

    /// Makes an expression stay within bounds.
    pub(super) fn bounded(&mut self, text: String, range: (i64, i64), size: i64) -> String {
        let (low, high) = range;
        if low >= 0 && high < size {
            return text;
        }
        if high - low < size && self.rng.chance(70) {
            return match low {
                0.. => format!("{text} - {low}"),
                _ => format!("{text} + {}", -low),
            };
        }
        format!("({text}) mod {size}")
    }

    fn affine_subscript(&mut self, size: i64) -> Option<String> {
        let n = self.rng.range(1, 3);
        let counters = self.counters(n);
        if counters.is_empty() {
            return None;
        }
        let ranges: Vec<_> = counters.iter().map(|(_, range)| *range).collect();
        let (text, range) = self.affine_expression(&ranges);
        let text = self.bounded(text, range, size);
        let range = match text.contains(") mod") || range.0 < 0 || range.1 >= size {
            true => (0, size - 1),
            false => range,
        };
        let dims: Vec<String> = (0..counters.len()).map(|at| format!("d{at}")).collect();
        let names: Vec<String> = counters.into_iter().map(|(name, _)| name).collect();
        let text = format!(
            "affine.apply affine_map<({}) -> ({text})>({})",
            dims.join(", "),
            names.join(", ")
        );
        Some(self.define_index(range, text).name)
    }

    /// A subscript from `affine.min`, `max`, or of numbers put together and taken apart.
    fn split_subscript(&mut self, size: i64) -> Option<String> {
        let (a, range) = self.counters(1).pop()?;
        match self.rng.below(4) {
            0 if range.0 >= 0 => {
                let text = format!("affine.min affine_map<(d0) -> (d0, {})>({a})", size - 1);
                Some(self.define_index((0, size - 1), text).name)
            }
            1 if range.1 < size => {
                let text = format!("affine.max affine_map<(d0) -> (d0, 0)>({a})");
                Some(self.define_index((0, size - 1), text).name)
            }
            2 if range.0 >= 0 => {
                let name = self.fresh();
                let high = range.1 / size + 1;
                self.line(format!(
                    "{name}:2 = affine.delinearize_index {a} into ({high}, {size}) : index, index"
                ));
                let mut value = self.value(format!("{name}#1"), Ty::INDEX);
                value.range = Some((0, size - 1));
                self.values.push(value);
                Some(format!("{name}#1"))
            }
            _ => {
                let small = self.subscript(2.min(size));
                let by = size / 2;
                if by == 0 || range.0 < 0 || range.1 >= by {
                    return Some(small);
                }
                let text = format!("affine.linearize_index [{small}, {a}] by (2, {by}) : index");
                Some(self.define_index((0, size - 1), text).name)
            }
        }
    }

    /// A subscript of operations that are not affine, or written out.
    fn other_subscript(&mut self, size: i64) -> Option<String> {
        let counters = self.counters(2);
        let (a, ar) = counters.first()?.clone();
        let (b, br) = counters.last()?.clone();
        let (text, range) = match self.rng.below(6) {
            0 => {
                let ends = [ar.0 * br.0, ar.0 * br.1, ar.1 * br.0, ar.1 * br.1];
                let low = *ends.iter().min()?;
                let high = *ends.iter().max()?;
                (format!("arith.muli {a}, {b} : index"), (low, high))
            }
            1 => (
                format!("arith.addi {a}, {b} : index"),
                (ar.0 + br.0, ar.1 + br.1),
            ),
            2 => (
                format!("arith.subi {a}, {b} : index"),
                (ar.0 - br.1, ar.1 - br.0),
            ),
            3 if ar.0 >= 0 && br.0 >= 0 => {
                let most = (ar.1.max(br.1) as u64 + 1).next_power_of_two() as i64 - 1;
                (format!("arith.xori {a}, {b} : index"), (0, most))
            }
            4 if ar.0 >= 0 => {
                let by = self.number(2).name;
                (format!("arith.divui {a}, {by} : index"), (0, ar.1 / 2))
            }
            _ => (
                format!("arith.maxsi {a}, {b} : index"),
                (ar.0.max(br.0), ar.1.max(br.1)),
            ),
        };
        let value = self.define_index(range, text);
        if range.0 >= 0 && range.1 < size {
            return Some(value.name);
        }
        let by = self.number(size).name;
        let most = self.number(size - 1).name;
        let name = value.name;
        Some(match self.rng.below(3) {
            0 => {
                let zero = self.index(0).name;
                let least = self.define_index(
                    (0, range.1.max(0)),
                    format!("arith.maxsi {name}, {zero} : index"),
                );
                self.define_index(
                    (0, size - 1),
                    format!("arith.minsi {}, {most} : index", least.name),
                )
                .name
            }
            1 => {
                self.define_index((0, size - 1), format!("arith.minui {name}, {most} : index"))
                    .name
            }
            _ => {
                self.define_index((0, size - 1), format!("arith.remui {name}, {by} : index"))
                    .name
            }
        })
    }

    /// One subscript for each size.
    pub(super) fn subscripts(&mut self, sizes: &[i64]) -> Vec<String> {
        sizes.iter().map(|&size| self.subscript(size)).collect()
    }
}
