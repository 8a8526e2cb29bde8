//! Loops over views whose elements are a few apart: every second, third or fourth element of a row, or a column. Several
//! of them may be parts of one buffer, and what is stored fills it or leaves gaps.

use freehold::frontend::ir::types::FloatKind;

use super::build::Gen;
use super::edges::View;
use super::long::MOST;
use super::types::{Elem, Ty};

/// Rows of a buffer, of which views have every second to fifth element.
struct Rows {
    buffer: View,
    elem: Elem,
    /// How many rows, of how many elements; no rows are one without a dimension.
    sizes: Vec<i64>,
}

impl Gen<'_> {
    /// Some of these loops, and the pass that they are for.
    pub(super) fn stepped_loops(&mut self) {
        self.passes.insert("vectorize-loops");
        for _ in 0..self.rng.range(1, 2) {
            self.stepped_loop();
        }
    }

    fn stepped_elem(&mut self) -> Elem {
        const ALL: [Elem; 10] = [
            Elem::Float(FloatKind::F32),
            Elem::Float(FloatKind::F32),
            Elem::Float(FloatKind::F64),
            Elem::Float(FloatKind::F64),
            Elem::Int(32),
            Elem::Int(64),
            Elem::Int(16),
            Elem::Int(8),
            Elem::Int(1),
            Elem::Float(FloatKind::F16),
        ];
        *self.rng.pick(&ALL)
    }

    /// Rows whose elements tell where they are.
    fn rows_of(&mut self, sizes: &[i64], elem: Elem) -> Rows {
        Rows {
            buffer: self.numbered(sizes, elem),
            elem,
            sizes: sizes.to_vec(),
        }
    }

    /// `n` elements of each row from `first` on that are `step` apart.
    fn every(&mut self, rows: &Rows, n: i64, first: i64, step: i64) -> View {
        let (name, from) = (&rows.buffer.name, &rows.buffer.ty);
        let elem = rows.elem.text();
        let view = self.fresh();
        // Folds find out what some of them are.
        let is_open = self.rng.chance(10);
        let (offset, place) = match is_open {
            true => (self.number(first).name, "?".to_owned()),
            false => (first.to_string(), first.to_string()),
        };
        let (ty, text) = match rows.sizes[..] {
            [count, length] => {
                let ty = format!(
                    "memref<{count}x{n}x{elem}, strided<[{length}, {step}], offset: {place}>>"
                );
                let text = match self.rng.chance(70) {
                    true => format!(
                        "memref.subview {name}[0, {offset}] [{count}, {n}] [1, {step}] : {from} to {ty}"
                    ),
                    false => format!(
                        "memref.reinterpret_cast {name} to offset: [{offset}], sizes: [{count}, {n}], strides: [{length}, {step}] : {from} to {ty}"
                    ),
                };
                (ty, text)
            }
            _ => {
                let ty = format!("memref<{n}x{elem}, strided<[{step}], offset: {place}>>");
                let text = match self.rng.chance(70) {
                    true => {
                        format!("memref.subview {name}[{offset}] [{n}] [{step}] : {from} to {ty}")
                    }
                    false => format!(
                        "memref.reinterpret_cast {name} to offset: [{offset}], sizes: [{n}], strides: [{step}] : {from} to {ty}"
                    ),
                };
                (ty, text)
            }
        };
        self.line(format!("{view} = {text}"));
        View { name: view, ty }
    }

    /// Sizes of a buffer of which views have `n` elements that are `step` apart: with the end of the last one, or more.
    fn stepped_sizes(&mut self, count: Option<i64>, n: i64, step: i64, first: i64) -> Vec<i64> {
        let least = first + (n - 1) * step + 1;
        let length = match self.rng.below(3) {
            0 => least,
            1 => least.max(n * step),
            _ => n * step + step,
        };
        count.into_iter().chain([length]).collect()
    }

    fn stepped_loop(&mut self) {
        let n = self.long_size();
        let count = (self.rng.chance(35)).then(|| *self.rng.pick(&[1, 2, 3, 5]));
        if n * count.unwrap_or(1) * self.repeats > MOST {
            return;
        }
        let step = *self.rng.pick(&[2, 2, 2, 3, 3, 4, 4, 5]);
        let elem = self.stepped_elem();
        let first = self.rng.below(step as usize) as i64;
        let sizes = self.stepped_sizes(count, n, step, first);
        let rows = self.rows_of(&sizes, elem);
        let mut sources = vec![(self.every(&rows, n, first, step), elem)];
        let length = sizes[sizes.len() - 1];
        for _ in 0..self.rng.below(3) {
            // Of the same buffer, or of another one.
            if self.rng.chance(50) {
                let most = length - 1 - (n - 1) * step;
                let other = self.rng.below(most as usize + 1) as i64;
                sources.push((self.every(&rows, n, other, step), elem));
                continue;
            }
            let (other, by) = (self.stepped_elem(), *self.rng.pick(&[1, step, 2, 4]));
            let sizes = self.stepped_sizes(count, n, by, 0);
            let others = self.rows_of(&sizes, other);
            sources.push((self.every(&others, n, 0, by), other));
        }
        // What is stored: rows as they lie, every second to fifth element, or all of them by several views.
        let kind = self.rng.below(8);
        if kind == 0 {
            return self.stepped_sum(count, n, &sources);
        }
        let into = match self.rng.chance(60) {
            true => elem,
            false => self.stepped_elem(),
        };
        let by = match kind {
            1..4 => 1,
            _ => *self.rng.pick(&[2, 2, 3, 4]),
        };
        let in_place = kind == 7 && into == elem && self.rng.chance(60);
        let (target, by) = match in_place {
            true => (rows, step),
            false => {
                let sizes: Vec<i64> = count.into_iter().chain([n * by]).collect();
                (self.rows_of(&sizes, into), by)
            }
        };
        let length = target.sizes[target.sizes.len() - 1];
        let fits = length - 1 - (n - 1) * by;
        let mut firsts: Vec<i64> = (0..=fits.min(by - 1)).collect();
        if by > 1 && self.rng.chance(40) {
            firsts = vec![*self.rng.pick(&firsts)];
        }
        let start = self.rng.below(firsts.len());
        firsts.rotate_left(start);
        let targets: Vec<View> = (firsts.iter())
            .map(|&first| self.every(&target, n, first, by))
            .collect();
        let ends: Vec<i64> = count.into_iter().chain([n]).collect();
        let before = self.repeats;
        self.repeats *= n * count.unwrap_or(1);
        self.nest(&ends, |g, at| {
            for target in &targets {
                let value = g.stepped_value(&sources, into, at);
                if g.rng.chance(12) {
                    g.load_from(target, into, at);
                }
                g.store_to(&value, target, at);
            }
        });
        self.repeats = before;
    }

    /// A number made of what is loaded from these at one place.
    fn stepped_value(&mut self, sources: &[(View, Elem)], into: Elem, at: &[String]) -> String {
        let mut found: Option<String> = None;
        let first = self.rng.below(sources.len());
        for n in 0..sources.len() {
            let (view, elem) = &sources[(first + n) % sources.len()];
            if n > 0 && self.rng.chance(25) {
                continue;
            }
            let loaded = self.load_from(view, *elem, at);
            let Some(value) = self.as_elem(&loaded, *elem, into) else {
                continue;
            };
            found = Some(match found {
                None => value,
                Some(before) => self.combined(&before, &value, into),
            });
        }
        match found {
            Some(found) if self.rng.chance(70) => found,
            Some(found) => {
                let other = self.computed(into);
                self.combined(&found, &other, into)
            }
            None => self.computed(into),
        }
    }

    /// A number as one of another type, if there is a way.
    fn as_elem(&mut self, name: &str, from: Elem, to: Elem) -> Option<String> {
        if from == to {
            return Some(name.to_owned());
        }
        if let (Elem::Float(_), Elem::Int(_)) = (from, to) {
            // What is beyond the least and the greatest number is not defined.
            let ty = from.text();
            let zero = self.define(Ty::Scalar(from), format!("arith.constant 1.0 : {ty}"));
            let truth = self.define(
                Ty::BOOL,
                format!("arith.cmpf ogt, {name}, {} : {ty}", zero.name),
            );
            return self.as_elem(&truth.name, Elem::Int(1), to);
        }
        let before = self.last_name();
        self.converted(name, from, to);
        let last = self.last_name();
        (last != before).then_some(last)
    }

    /// Sums of what these have, one for each row or one for all.
    fn stepped_sum(&mut self, count: Option<i64>, n: i64, sources: &[(View, Elem)]) {
        let elem = sources[0].1;
        let sums = self.rows_of(&[count.unwrap_or(1)], elem);
        let before = self.repeats;
        self.repeats *= n * count.unwrap_or(1);
        self.nest(&[count.unwrap_or(1)], |g, at| {
            let (zero, end, one) = (g.index(0).name, g.number(n).name, g.index(1).name);
            let init = g.load_from(&sums.buffer, elem, at);
            let (sum, old, j, ty) = (g.fresh(), g.fresh(), g.fresh(), elem.text());
            g.line(format!(
                "{sum} = scf.for {j} = {zero} to {end} step {one} iter_args({old} = {init}) -> ({ty}) {{"
            ));
            g.scope(|g| {
                g.counter(&j, (0, n - 1), false);
                let place: Vec<String> = match count {
                    Some(_) => vec![at[0].clone(), j.clone()],
                    None => vec![j.clone()],
                };
                let value = g.stepped_value(sources, elem, &place);
                let value = g.combined(&old, &value, elem);
                g.line(format!("scf.yield {value} : {ty}"));
            });
            g.line("}");
            g.store_to(&sum, &sums.buffer, at);
        });
        self.repeats = before;
    }
}
