//! Operations that read and write memory.

use super::{COLUMNS, Dialect, ROWS, Ty, Writer};

impl Writer {
    /// Where a vector is in memory, within the edges or perhaps not.
    pub(super) fn place(&mut self, ty: &Ty, is_within: bool) -> Option<Vec<String>> {
        let along = |at: usize| ty.shape.len().checked_sub(at).map_or(1, |i| ty.shape[i]);
        if ty.shape.len() > 2 {
            return None;
        }
        let (rows, columns) = match ty.shape.len() {
            1 => (1, along(1)),
            _ => (along(2), along(1)),
        };
        let (most_rows, most_columns) = (ROWS.checked_sub(rows)?, COLUMNS.checked_sub(columns)?);
        if is_within {
            return Some(vec![self.index(most_rows), self.index(most_columns)]);
        }
        let most_rows = most_rows + (rows - 1).min(2);
        Some(vec![
            self.index(most_rows),
            self.index(most_columns + columns - 1),
        ])
    }

    pub(super) fn load(&mut self, ty: &Ty) -> String {
        let is_too_large = ty.shape.len() == 2 && (ty.shape[0] > ROWS || ty.shape[1] > COLUMNS);
        if ty.shape.len() > 2 || is_too_large {
            let flat = Ty {
                shape: vec![ty.n()],
                element: ty.element,
            };
            let loaded = self.load(&flat);
            let cast = format!(
                "vector.shape_cast {loaded} : {} to {}",
                flat.text(),
                ty.text()
            );
            return self.op(ty, &cast);
        }
        if ty.shape.len() == 1 && ty.n() > COLUMNS {
            // No row of memory is as long: two parts of it.
            let n = ty.n();
            let of = |n: usize| Ty {
                shape: vec![n],
                element: ty.element,
            };
            let parts = [of(n / 2), of(n - n / 2)];
            let [low, high] = [&parts[0], &parts[1]].map(|part| self.load(part));
            let all: Vec<String> = (0..n).map(|i| i.to_string()).collect();
            let join = format!(
                "vector.shuffle {low}, {high} [{}] : {}, {}",
                all.join(", "),
                parts[0].text(),
                parts[1].text()
            );
            return self.op(ty, &join);
        }
        let (memory, memory_ty) = self.memory(ty.element);
        let text = ty.text();
        let kind = self.rng.below(100);
        let zero = format!("%zero_{}", ty.element);
        let has_rows = ty.shape.len() == 1 || self.dialect == Dialect::Whole;
        if kind < 35 && has_rows {
            let at = self.place(ty, true).unwrap_or_default().join(", ");
            return self.op(
                ty,
                &format!("vector.load {memory}[{at}] : {memory_ty}, {text}"),
            );
        }
        if kind < 50 && ty.shape.len() == 1 {
            let mask = self.value(&ty.with("i1"));
            let other = self.filler(ty);
            let at = self.place(ty, true).unwrap_or_default().join(", ");
            let mask_ty = ty.with("i1").text();
            return self.op(ty, &format!(
                "vector.maskedload {memory}[{at}], {mask}, {other} : {memory_ty}, {mask_ty}, {text} into {text}"
            ));
        }
        if kind < 60 && self.dialect == Dialect::Whole {
            return self.gather(ty);
        }
        let is_within = self.rng.chance(50);
        let at = self.place(ty, is_within).unwrap_or_default().join(", ");
        let bounds = vec![is_within.to_string(); ty.shape.len()].join(", ");
        if ty.shape.len() == 2 && self.rng.chance(30) && ty.shape[1] <= ROWS && is_within {
            let turned = Ty {
                shape: vec![ty.shape[1], ty.shape[0]],
                element: ty.element,
            };
            let at = self.place(&turned, true).unwrap_or_default().join(", ");
            return self.op(ty, &format!(
                "vector.transfer_read {memory}[{at}], {zero} {{in_bounds = [true, true], permutation_map = affine_map<(d0, d1) -> (d1, d0)>}} : {memory_ty}, {text}"
            ));
        }
        if ty.shape.len() == 2 && self.rng.chance(20) && is_within {
            let map = *self.rng.pick(&[
                "(d0, d1) -> (0, d1)",
                "(d0, d1) -> (d0, 0)",
                "(d0, d1) -> (0, 0)",
            ]);
            // Dimensions that repeat an element need not say that they stay within memory.
            let bounds = match self.rng.chance(50) {
                true => "in_bounds = [true, true], ",
                false => "",
            };
            return self.op(ty, &format!(
                "vector.transfer_read {memory}[{at}], {zero} {{{bounds}permutation_map = affine_map<{map}>}} : {memory_ty}, {text}"
            ));
        }
        if ty.shape.len() == 1 && self.rng.chance(10) && self.dialect == Dialect::Whole {
            return self.op(ty, &format!(
                "vector.transfer_read {memory}[{at}], {zero} {{permutation_map = affine_map<(d0, d1) -> (0)>}} : {memory_ty}, {text}"
            ));
        }
        let mask = self.rng.chance(20) && self.dialect == Dialect::Whole;
        if mask {
            let mask = self.value(&ty.with("i1"));
            return self.op(ty, &format!(
                "vector.transfer_read {memory}[{at}], {zero}, {mask} {{in_bounds = [{bounds}]}} : {memory_ty}, {text}"
            ));
        }
        self.op(ty, &format!(
            "vector.transfer_read {memory}[{at}], {zero} {{in_bounds = [{bounds}]}} : {memory_ty}, {text}"
        ))
    }

    /// Something for elements that are left out.
    pub(super) fn filler(&mut self, ty: &Ty) -> String {
        let zero = format!("%zero_{}", ty.element);
        self.op(
            ty,
            &format!("vector.broadcast {zero} : {} to {}", ty.element, ty.text()),
        )
    }

    /// A vector of one dimension from rows one below the other.
    pub(super) fn column(&mut self, ty: &Ty) -> String {
        let column = Ty {
            shape: vec![ty.shape[0], 1],
            element: ty.element,
        };
        let Some(at) = self.place(&column, true) else {
            return self.value(ty);
        };
        let (memory, memory_ty) = self.memory(ty.element);
        let (element, text, at) = (ty.element, ty.text(), at.join(", "));
        self.op(ty, &format!(
            "vector.transfer_read {memory}[{at}], %zero_{element} {{in_bounds = [true], permutation_map = affine_map<(d0, d1) -> (d0)>}} : {memory_ty}, {text}"
        ))
    }

    pub(super) fn gather(&mut self, ty: &Ty) -> String {
        let index = *self.rng.pick(&["i32", "i64"]);
        let indices = self.indices(ty, index);
        let bits = ty.with("i1");
        let mask = match self.rng.chance(40) {
            true => self.op(
                &bits,
                &format!("arith.constant dense<true> : {}", bits.text()),
            ),
            false => self.value(&bits),
        };
        let other = self.filler(ty);
        let (memory, memory_ty) = self.memory(ty.element);
        let (text, mask_ty, index_ty) = (ty.text(), ty.with("i1").text(), ty.with(index).text());
        let row = self.index(ROWS - 1);
        let gather = format!(
            "vector.gather {memory}[{row}, %c0] [{indices}], {mask}, {other} : {memory_ty}, {index_ty}, {mask_ty}, {text} into {text}"
        );
        if self.rng.chance(25) {
            let outer = self.value(&ty.with("i1"));
            if self.rng.chance(30) {
                self.op(ty, &gather);
            }
            return self.op(
                ty,
                &format!("vector.mask {outer} {{ {gather} }} : {mask_ty} -> {text}"),
            );
        }
        self.op(ty, &gather)
    }

    /// Numbers that are columns.
    pub(super) fn indices(&mut self, ty: &Ty, index: &'static str) -> String {
        let ty = ty.with(index);
        let any = self.value(&ty);
        let limit = self.op(&ty, &format!("arith.constant dense<63> : {}", ty.text()));
        self.op(&ty, &format!("arith.andi {any}, {limit} : {}", ty.text()))
    }

    /// Stores a vector of one dimension.
    pub(super) fn store_whole(&mut self, ty: &Ty, value: &str) {
        let (memory, memory_ty) = self.memory(ty.element);
        if let Some(at) = self.place(ty, true) {
            let at = at.join(", ");
            let text = ty.text();
            self.line(&format!(
                "vector.store {value}, {memory}[{at}] : {memory_ty}, {text}"
            ));
        }
    }

    pub(super) fn store(&mut self) {
        let Some(ty) = self.some(|ty| ty.element != "i1" && ty.shape.len() <= 2) else {
            return;
        };
        let value = self.value(&ty);
        let (memory, memory_ty) = self.memory(ty.element);
        let text = ty.text();
        let mask_ty = ty.with("i1").text();
        let kind = self.rng.below(100);
        let Some(at) = self.place(&ty, true) else {
            return;
        };
        let at = at.join(", ");
        if kind < 40 {
            self.line(&format!(
                "vector.store {value}, {memory}[{at}] : {memory_ty}, {text}"
            ));
        } else if kind < 60 && ty.shape.len() == 1 {
            let mask = self.value(&ty.with("i1"));
            self.line(&format!(
                "vector.maskedstore {memory}[{at}], {mask}, {value} : {memory_ty}, {mask_ty}, {text}"
            ));
        } else if kind < 70 && ty.shape.len() == 1 && self.dialect == Dialect::Whole {
            // Each element has a place of its own.
            let index = ty.with(self.rng.pick::<&str>(&["i32", "i64"]));
            let places: Vec<String> = (0..ty.n()).map(|i| (i * 37 % 79).to_string()).collect();
            let indices = self.op(
                &index,
                &format!(
                    "arith.constant dense<[{}]> : {}",
                    places.join(", "),
                    index.text()
                ),
            );
            let mask = self.value(&ty.with("i1"));
            let row = self.index(ROWS - 1);
            self.line(&format!(
                "vector.scatter {memory}[{row}, %c0] [{indices}], {mask}, {value} : {memory_ty}, {}, {mask_ty}, {text}",
                index.text()
            ));
        } else {
            let is_within = self.rng.chance(50);
            let at = self.place(&ty, is_within).unwrap_or_default().join(", ");
            let bounds = vec![is_within.to_string(); ty.shape.len()].join(", ");
            let write = format!(
                "vector.transfer_write {value}, {memory}[{at}] {{in_bounds = [{bounds}]}} : {text}, {memory_ty}"
            );
            if self.rng.chance(20) && self.dialect == Dialect::Whole {
                let mask = self.value(&ty.with("i1"));
                self.line(&format!("vector.mask {mask} {{ {write} }} : {mask_ty}"));
            } else {
                self.line(&write);
            }
        }
    }
}
