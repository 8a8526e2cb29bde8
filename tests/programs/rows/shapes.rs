//! Operations on vectors of which rows do not say how shapes go together: drawn from rows, they are never valid.

use super::build::Gen;
use super::types::{Elem, Ty};

impl Gen<'_> {
    /// One of them.
    pub(super) fn shaped_vector(&mut self) {
        match self.rng.below(7) {
            0 | 1 => self.scan(),
            2 | 3 => self.slice_of_slice(),
            4 => self.interleaved(),
            5 => self.flat_product(),
            _ => self.bits(),
        }
    }

    /// Elements that can be added and multiplied.
    fn number_elem(&mut self) -> Elem {
        match self.vector_elem() {
            Elem::Int(1) | Elem::Index => Elem::Int(32),
            elem => elem,
        }
    }

    fn scan(&mut self) {
        let (shape, elem) = (self.vector_shape(), self.number_elem());
        let dim = self.rng.below(shape.len());
        let mut kept = shape.clone();
        kept.remove(dim);
        // The verifier wants a dimension that is left.
        if kept.is_empty() {
            return;
        }
        let what = match elem {
            Elem::Float(_) => *self.rng.pick(&["add", "mul", "minimumf", "maximumf"]),
            _ => *self.rng.pick(&["add", "mul", "minsi", "maxui", "xor"]),
        };
        let (whole, initial) = (Ty::Vector(shape, elem), Ty::Vector(kept, elem));
        let (source, start) = (self.value_of(&whole), self.value_of(&initial));
        let (head, parts) = self.results(2);
        let is_inclusive = self.rng.chance(50);
        self.line(format!(
            "{head}vector.scan <{what}>, {source}, {start} {{inclusive = {is_inclusive}, reduction_dim = {dim} : i64}} : {}, {}",
            whole.text(),
            initial.text()
        ));
        for (part, ty) in parts.into_iter().zip([whole, initial]) {
            let value = self.value(part, ty);
            self.values.push(value);
        }
    }

    fn slice_of_slice(&mut self) {
        let (shape, elem) = (self.vector_shape(), self.vector_elem());
        let whole = Ty::Vector(shape.clone(), elem);
        // The trailing dimensions may be left out.
        let n = self.rng.range(1, shape.len());
        let (mut offsets, mut sizes) = (Vec::new(), Vec::new());
        for &size in &shape[..n] {
            let part = self.rng.range(1, size as usize) as i64;
            sizes.push(part);
            offsets.push(self.rng.below((size - part + 1) as usize) as i64);
        }
        let part: Vec<i64> = sizes.iter().chain(&shape[n..]).copied().collect();
        let part = Ty::Vector(part, elem);
        let list = |numbers: &[i64]| {
            let texts: Vec<String> = numbers.iter().map(i64::to_string).collect();
            texts.join(", ")
        };
        let value = self.value_of(&whole);
        if self.rng.chance(50) {
            let text = format!(
                "vector.extract_strided_slice {value} {{offsets = [{}], sizes = [{}], strides = [{}]}} : {} to {}",
                list(&offsets),
                list(&sizes),
                list(&vec![1; n]),
                whole.text(),
                part.text()
            );
            self.define(part, text);
        } else {
            // Of an insertion, all dimensions have an offset, and those that are whole are zero.
            offsets.resize(shape.len(), 0);
            let inserted = self.value_of(&part);
            let text = format!(
                "vector.insert_strided_slice {inserted}, {value} {{offsets = [{}], strides = [{}]}} : {} into {}",
                list(&offsets),
                list(&vec![1; shape.len()]),
                part.text(),
                whole.text()
            );
            self.define(whole, text);
        }
    }

    fn interleaved(&mut self) {
        let (mut shape, elem) = (self.vector_shape(), self.vector_elem());
        let Some(last) = shape.last_mut() else { return };
        let half = *last;
        *last = half * 2;
        let whole = Ty::Vector(shape.clone(), elem);
        if let Some(last) = shape.last_mut() {
            *last = half;
        }
        let part = Ty::Vector(shape, elem);
        let value = self.value_of(&whole);
        let (head, parts) = self.results(2);
        self.line(format!(
            "{head}vector.deinterleave {value} : {} -> {}",
            whole.text(),
            part.text()
        ));
        for name in parts {
            let value = self.value(name, part.clone());
            self.values.push(value);
        }
    }

    /// A product of matrices that are stored by columns in flat vectors.
    fn flat_product(&mut self) {
        let elem = self.number_elem();
        let [rows, inner, columns] = [(); 3].map(|()| self.rng.range(1, 5) as i64);
        let [lhs, rhs, result] =
            [rows * inner, inner * columns, rows * columns].map(|n| Ty::Vector(vec![n], elem));
        let (a, b) = (self.value_of(&lhs), self.value_of(&rhs));
        let text = format!(
            "vector.matrix_multiply {a}, {b} {{lhs_rows = {rows} : i32, lhs_columns = {inner} : i32, rhs_columns = {columns} : i32}} : ({}, {}) -> {}",
            lhs.text(),
            rhs.text(),
            result.text()
        );
        self.define(result, text);
    }

    /// The bits of numbers as other numbers. Those of floats stay where they are, as those of NaN are nobody's.
    fn bits(&mut self) {
        let mut shape = self.vector_shape();
        let from = *self.rng.pick(&[8, 16, 32, 64]);
        let to = *self.rng.pick(&[8, 16, 32, 64]);
        let to_elem = match to {
            16 if self.rng.chance(30) => Elem::Float(freehold::frontend::ir::types::FloatKind::F16),
            32 if self.rng.chance(40) => Elem::Float(freehold::frontend::ir::types::FloatKind::F32),
            64 if self.rng.chance(40) => Elem::Float(freehold::frontend::ir::types::FloatKind::F64),
            _ => Elem::Int(to),
        };
        if from == to && self.rng.chance(50) {
            let (source, target) = (Ty::Scalar(Elem::Int(from)), Ty::Scalar(to_elem));
            let value = self.value_of(&source);
            let text = format!(
                "arith.bitcast {value} : {} to {}",
                source.text(),
                target.text()
            );
            self.define(target, text);
            return;
        }
        if self.rng.chance(40) {
            return self.packed_bits(shape);
        }
        let Some(last) = shape.last_mut() else { return };
        *last *= i64::from(to.max(from) / from);
        let source = Ty::Vector(shape.clone(), Elem::Int(from));
        if let Some(last) = shape.last_mut() {
            *last = *last * i64::from(from) / i64::from(to);
        }
        let target = Ty::Vector(shape, to_elem);
        let value = self.value_of(&source);
        let text = format!(
            "vector.bitcast {value} : {} to {}",
            source.text(),
            target.text()
        );
        self.define(target, text);
    }

    /// Elements of odd widths from bits that they share bytes of, and the other way round.
    fn packed_bits(&mut self, mut shape: Vec<i64>) {
        let (odd, even) = (
            *self.rng.pick(&[3, 4, 5, 6, 12, 24]),
            *self.rng.pick(&[1, 8, 16, 32]),
        );
        // As many elements of one as have the bits of some of the other.
        let bits = (1..)
            .map(|n| n * odd)
            .find(|bits| bits % even == 0)
            .unwrap_or(odd * even);
        let mut sized = |width: u32| {
            if let Some(last) = shape.last_mut() {
                *last = i64::from(bits / width);
            }
            shape.clone()
        };
        let (packed, bytes) = (
            Ty::Vector(sized(odd), Elem::Int(odd)),
            Ty::Vector(sized(even), Elem::Int(even)),
        );
        let wide = match &packed {
            Ty::Vector(sizes, _) => Ty::Vector(sizes.clone(), Elem::Int(32)),
            _ => return,
        };
        let value = self.value_of(&wide);
        let mut cast = |row: &str, value: &str, from: &Ty, to: &Ty| {
            let text = format!("{row} {value} : {} to {}", from.text(), to.text());
            self.define(to.clone(), text).name
        };
        let value = cast("arith.trunci", &value, &wide, &packed);
        let value = cast("vector.bitcast", &value, &packed, &bytes);
        let value = cast("vector.bitcast", &value, &bytes, &packed);
        cast("arith.extsi", &value, &packed, &wide);
    }
}
