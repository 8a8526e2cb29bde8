//! Vectors: made of numbers, computed with element by element as numbers are, rearranged, reduced,
//! written to memory and read back; in the end their elements become one number.

use super::Ty::{F32, F64, Index, Int};
use super::{Generator, TYPES, Ty, Value};

/// Sizes of dimensions.
pub(super) type Shape = &'static [usize];

/// Some fill registers of 128 bits, some do not, some need several.
const SHAPES: [Shape; 11] = [
    &[1],
    &[2],
    &[3],
    &[4],
    &[4],
    &[8],
    &[16],
    &[32],
    &[5],
    &[2, 4],
    &[3, 2],
];

/// `vector<2x4xf32>`
pub(super) fn type_name(shape: &[usize], element: Ty) -> String {
    let sizes: String = shape.iter().map(|size| format!("{size}x")).collect();
    format!("vector<{sizes}{}>", element.name())
}

/// The numbers that statements on vectors take from outside.
struct Numbers {
    position: Value,
    /// Those that were in scope.
    scope: Vec<Value>,
    /// What reductions gave.
    reduced: Vec<Value>,
}

impl Generator {
    /// A few statements on vectors of one shape.
    pub(super) fn vectors(&mut self) {
        let shape = *self.rng.pick(&SHAPES);
        let mut made = Vec::new();
        for _ in 0..self.rng.range(2, 5) {
            let ty = *self.rng.pick(&TYPES);
            made.push(self.vector_of_numbers(shape, ty));
        }
        let mut numbers = Numbers {
            position: self.pick(Index),
            scope: std::mem::replace(&mut self.scope, made),
            reduced: Vec::new(),
        };
        self.shape = Some(shape);
        for _ in 0..self.rng.range(3, 9) {
            match self.rng.below(9) {
                0..=4 => self.elementwise(),
                5..=6 => self.rearrange(shape),
                7 => self.reduce(shape, &mut numbers),
                _ => self.vector_memory(shape, &numbers),
            }
        }
        self.shape = None;
        let vectors = std::mem::replace(&mut self.scope, numbers.scope);
        for value in numbers.reduced {
            self.publish(value);
        }
        for vector in vectors.iter().rev().take(4) {
            let elements = self.elements(shape, vector);
            for element in &elements {
                self.print(element);
            }
            let sum = self.checksum(&elements);
            self.publish(sum);
        }
    }

    fn vector_of_numbers(&mut self, shape: Shape, ty: Ty) -> Value {
        if self.rng.chance(20) {
            let value = self.pick(ty);
            return self.broadcast(shape, &value);
        }
        let length = shape.iter().product();
        let elements: Vec<String> = (0..length).map(|_| self.pick(ty).name).collect();
        let flat = type_name(&[length], ty);
        let text = format!("vector.from_elements {} : {flat}", elements.join(", "));
        let vector = self.define(ty, &text);
        self.cast_shape(&vector, &[length], shape)
    }

    /// A number in all elements. Floats in two dimensions are read from memory: where the peer
    /// computes constants of two dimensions while it compiles, it makes positive zeros of negative
    /// ones.
    pub(super) fn broadcast(&mut self, shape: Shape, number: &Value) -> Value {
        let ty = number.ty;
        let mut number = number.clone();
        if ty.is_float() && shape.len() == 2 {
            let memref = format!("memref<{}>", ty.name());
            let buffer = self.define(ty, &format!("memref.alloca() : {memref}"));
            self.line(&format!(
                "memref.store {}, {}[] : {memref}",
                number.name, buffer.name
            ));
            number = self.define(ty, &format!("memref.load {}[] : {memref}", buffer.name));
        }
        let text = format!(
            "vector.broadcast {} : {} to {}",
            number.name,
            ty.name(),
            type_name(shape, ty)
        );
        self.define(ty, &text)
    }

    fn cast_shape(&mut self, vector: &Value, from: &[usize], to: &[usize]) -> Value {
        if from == to {
            return vector.clone();
        }
        let (from, to) = (type_name(from, vector.ty), type_name(to, vector.ty));
        let text = format!("vector.shape_cast {} : {from} to {to}", vector.name);
        self.define(vector.ty, &text)
    }

    /// All elements, row by row.
    fn elements(&mut self, shape: Shape, vector: &Value) -> Vec<Value> {
        let length = shape.iter().product();
        let flat = self.cast_shape(vector, shape, &[length]);
        let ty = vector.ty;
        (0..length)
            .map(|index| self.extract(&flat, &[length], index, &ty.name()))
            .collect()
    }

    fn extract(&mut self, vector: &Value, shape: &[usize], index: usize, result: &str) -> Value {
        let from = type_name(shape, vector.ty);
        let text = format!(
            "vector.extract {}[{index}] : {result} from {from}",
            vector.name
        );
        self.define(vector.ty, &text)
    }

    /// Elements in other places; results have the shape that operands have.
    fn rearrange(&mut self, shape: Shape) {
        let ty = *self.rng.pick(&TYPES);
        let (a, b) = (self.pick(ty), self.pick(ty));
        let ty_name = type_name(shape, ty);
        let n = shape[0];
        let inner = match shape {
            [_] => ty.name(),
            [_, rest @ ..] => type_name(rest, ty),
            [] => return,
        };
        match self.rng.below(5) {
            0 => {
                let mask: Vec<String> = (0..n).map(|_| self.rng.below(2 * n).to_string()).collect();
                let text = format!(
                    "vector.shuffle {}, {} [{}] : {ty_name}, {ty_name}",
                    a.name,
                    b.name,
                    mask.join(", ")
                );
                self.add(ty, &text);
            }
            1 => {
                let (from, to) = (self.rng.below(n), self.rng.below(n));
                let element = self.extract(&a, shape, from, &inner);
                let text = format!(
                    "vector.insert {}, {}[{to}] : {inner} into {ty_name}",
                    element.name, b.name
                );
                self.add(ty, &text);
            }
            2 => {
                let from = self.rng.below(n);
                let element = self.extract(&a, shape, from, &inner);
                let text = format!("vector.broadcast {} : {inner} to {ty_name}", element.name);
                self.add(ty, &text);
            }
            3 if shape.len() == 1 => {
                let size = self.rng.range(1, n);
                let (from, to) = (self.rng.below(n - size + 1), self.rng.below(n - size + 1));
                let slice_name = type_name(&[size], ty);
                let text = format!(
                    "vector.extract_strided_slice {} {{offsets = [{from}], sizes = [{size}], \
                     strides = [1]}} : {ty_name} to {slice_name}",
                    a.name
                );
                let slice = self.define(ty, &text);
                let text = format!(
                    "vector.insert_strided_slice {}, {} {{offsets = [{to}], strides = [1]}} : \
                     {slice_name} into {ty_name}",
                    slice.name, b.name
                );
                self.add(ty, &text);
            }
            _ if shape.len() == 2 => {
                let turned_shape = [shape[1], shape[0]];
                let text = format!(
                    "vector.transpose {}, [1, 0] : {ty_name} to {}",
                    a.name,
                    type_name(&turned_shape, ty)
                );
                let turned = self.define(ty, &text);
                let back = self.cast_shape(&turned, &turned_shape, shape);
                self.publish(back);
            }
            _ => self.elementwise(),
        }
    }

    fn reduce(&mut self, shape: Shape, numbers: &mut Numbers) {
        // Sums of narrow floats round differently if they are computed in f32.
        let ty = loop {
            let ty = *self.rng.pick(&TYPES);
            if !ty.is_float() || matches!(ty, F32 | F64) {
                break ty;
            }
        };
        let kinds: &[&str] = match ty.is_float() {
            true => &["add", "mul", "minimumf", "maximumf"],
            false => &[
                "add", "mul", "and", "or", "xor", "minsi", "minui", "maxsi", "maxui",
            ],
        };
        let kind = *self.rng.pick(kinds);
        let vector = self.pick(ty);
        let length = shape.iter().product();
        let flat = self.cast_shape(&vector, shape, &[length]);
        // With a number to start from, the order of sums is that of the elements.
        let start = self.extract(&flat, &[length], 0, &ty.name());
        let text = format!(
            "vector.reduction <{kind}>, {}, {} : {} into {}",
            flat.name,
            start.name,
            type_name(&[length], ty),
            ty.name()
        );
        self.shape = None;
        let mut reduced = self.define(ty, &text);
        if kind.ends_with("mumf") {
            // The peer may give either zero.
            let zero = self.splat(ty, "0.0");
            let text = format!("arith.addf {}, {} : {}", reduced.name, zero.name, ty.name());
            reduced = self.define(ty, &text);
        }
        self.shape = Some(shape);
        numbers.reduced.push(reduced);
    }

    /// Two vectors one after the other in memory, and what one reads at some place of them.
    fn vector_memory(&mut self, shape: Shape, numbers: &Numbers) {
        let ty = loop {
            let ty = *self.rng.pick(&TYPES);
            // Those that fill bytes.
            if !matches!(ty, Int(1 | 5 | 33)) {
                break ty;
            }
        };
        let [n] = *shape else {
            return self.rearrange(shape);
        };
        let values = [self.pick(ty), self.pick(ty)];
        let other = self.pick(ty);
        let ty_name = type_name(shape, ty);
        let memref = format!("memref<{}x{}>", 2 * n, ty.name());
        let mask_name = type_name(shape, Int(1));
        self.shape = None;
        let buffer = self.define(ty, &format!("memref.alloca() : {memref}"));
        for (index, value) in values.iter().enumerate() {
            let at = self.number(Index, (index * n) as i64);
            self.line(&format!(
                "vector.store {}, {}[{}] : {memref}, {ty_name}",
                value.name, buffer.name, at.name
            ));
        }
        let bound = self.number(Index, n as i64 + 1);
        let at = self.define(
            Index,
            &format!("index.remu {}, {}", numbers.position.name, bound.name),
        );
        let address = format!("{}[{}]", buffer.name, at.name);
        let padding = self.constant(ty);
        self.shape = Some(shape);
        match self.rng.below(4) {
            0 => drop(self.add(ty, &format!("vector.load {address} : {memref}, {ty_name}"))),
            // Some of it lies behind the end.
            1 => {
                let text = format!(
                    "vector.transfer_read {}[{}], {} : {memref}, {ty_name}",
                    buffer.name, bound.name, padding.name
                );
                self.add(ty, &text);
            }
            2 => {
                let text = format!("vector.create_mask {} : {mask_name}", at.name);
                let mask = self.define(Int(1), &text);
                let text = format!(
                    "vector.maskedload {address}, {}, {} : {memref}, {mask_name}, {ty_name} into \
                     {ty_name}",
                    mask.name, other.name
                );
                self.add(ty, &text);
            }
            _ => {
                // The address is at most n, an index less than n.
                let indices = self.pick(Index);
                let mask = self.pick(Int(1));
                let bound = self.number(Index, n as i64);
                let index_name = type_name(shape, Index);
                let text = format!(
                    "arith.remui {}, {} : {index_name}",
                    indices.name, bound.name
                );
                let within = self.define(Index, &text);
                let text = format!(
                    "vector.gather {address} [{}], {}, {} : {memref}, {index_name}, {mask_name}, \
                     {ty_name} into {ty_name}",
                    within.name, mask.name, other.name
                );
                self.add(ty, &text);
            }
        }
    }
}
