//! Buffers that are read between writes: rows and places of a loop, and buffers that end where others begin, whose elements
//! are read in another order than they are written.

use freehold::frontend::ir::types::FloatKind;

use super::build::Gen;
use super::edges::View;
use super::long::MOST;
use super::types::{Dim, Elem, Mem, Ty};

impl Gen<'_> {
    /// One of these.
    pub(super) fn read_between(&mut self) {
        match self.rng.below(9) {
            0 | 1 => self.rows_between(),
            2 => self.place_between(),
            3 | 4 => self.handed_on(),
            _ => self.temporaries(),
        }
    }

    pub(super) fn between_elem(&mut self) -> Elem {
        match self.rng.chance(60) {
            true => Elem::Float(FloatKind::F32),
            false => self.lane_elem(),
        }
    }

    /// A loop over whole rows that loads elements again, between stores and behind them.
    fn rows_between(&mut self) {
        let (n, elem) = (self.long_size(), self.between_elem());
        let width: i64 = *self.rng.pick(&[2, 2, 3, 4]);
        let sizes = [n, width];
        let rows = self.numbered(&sizes, elem);
        let other = self.numbered(&sizes, elem);
        let kept = self.numbered(&[n], elem);
        self.passes.insert("vectorize-loops");
        let scalar = Ty::Scalar(elem);
        let order = self.permutation(width as usize);
        let inner = (self.rng.chance(25)).then(|| *self.rng.pick(&[9, 17, 20]));
        let times = (inner.is_none() && self.rng.chance(25)).then(|| self.rng.range(1, 3) as i64);
        let before = self.repeats;
        self.repeats *= n * times.unwrap_or(1);
        self.nest(&[n], |g, at| {
            let place = |g: &mut Self, part: usize| [at[0].clone(), g.index(part as i64).name];
            let any = |g: &mut Self| g.rng.below(width as usize);
            let mut last = {
                let part = any(g);
                let from = if g.rng.chance(70) { &rows } else { &other };
                let place = place(g, part);
                g.load_from(from, elem, &place)
            };
            if let Some(times) = times {
                // Rows are written in a loop of their own.
                let (zero, end, one) = (g.index(0).name, g.number(times).name, g.index(1).name);
                let counter = g.fresh();
                g.line(format!("scf.for {counter} = {zero} to {end} step {one} {{"));
                g.scope(|g| {
                    let mut last = last.clone();
                    for &part in &order {
                        let read = any(g);
                        let from = place(g, read);
                        let loaded = g.load_from(&other, elem, &from);
                        last = g.combined(&last, &loaded, elem);
                        let to = place(g, part);
                        g.store_to(&last, &rows, &to);
                    }
                });
                g.line("}");
            }
            for (number, &part) in order.iter().enumerate() {
                if times.is_some() {
                    break;
                }
                if g.rng.chance(40) {
                    // What was stored, what will be, or what stays.
                    let read = any(g);
                    let at = place(g, read);
                    let loaded = g.load_from(&rows, elem, &at);
                    last = g.combined(&last, &loaded, elem);
                }
                if number > 0
                    && let Some(n) = inner
                {
                    g.sum_over(n, elem, vec![scalar.clone()], true);
                    let sum = g.last_name();
                    last = g.combined(&last, &sum, elem);
                }
                let by = g.constant(&scalar).name;
                last = g.combined(&last, &by, elem);
                let to = place(g, part);
                g.store_to(&last, &rows, &to);
            }
            for _ in 0..g.rng.below(3) + usize::from(times.is_some()) {
                let read = any(g);
                let from = place(g, read);
                let loaded = g.load_from(&rows, elem, &from);
                last = g.combined(&last, &loaded, elem);
            }
            g.store_to(&last, &kept, &at[..1]);
        });
        self.repeats = before;
    }

    /// A loop with one place, or two, that it loads before it stores there, or behind that.
    fn place_between(&mut self) {
        let (n, elem) = (self.long_size(), self.between_elem());
        let places = self.numbered(&[2], elem);
        let [source, kept] = [(); 2].map(|()| self.numbered(&[n], elem));
        self.passes.insert("promote-loop-accesses");
        let scalar = Ty::Scalar(elem);
        self.nest(&[n], |g, at| {
            let [here, there] = [0, 1].map(|n| [g.index(n).name]);
            let mut value = g.load_from(&source, elem, &at[..1]);
            for _ in 0..g.rng.range(1, 3) {
                let at = if g.rng.chance(80) { &here } else { &there };
                let loaded = g.load_from(&places, elem, at);
                value = g.combined(&loaded, &value, elem);
            }
            g.store_to(&value, &places, &here);
            for _ in 0..g.rng.below(3) {
                let at = if g.rng.chance(80) { &here } else { &there };
                value = g.load_from(&places, elem, at);
                if g.rng.chance(40) {
                    let by = g.constant(&scalar).name;
                    value = g.combined(&value, &by, elem);
                }
            }
            g.store_to(&value, &kept, &at[..1]);
        });
    }

    /// A buffer that nothing but what follows knows.
    pub(super) fn temporary(&mut self, sizes: &[i64], elem: Elem) -> View {
        let dims = sizes.iter().map(|&size| Dim::fixed(size)).collect();
        let value = self.allocate(Mem::new(dims, elem), true);
        self.values.retain(|other| other.name != value.name);
        View {
            name: value.name,
            ty: value.ty.text(),
        }
    }

    /// Buffers each of which is computed of the one before, in a loop of its own or with others in one.
    fn temporaries(&mut self) {
        let elem = self.between_elem();
        let side = *self.rng.pick(&[4, 8, 5, 16]);
        self.merging_passes();
        let sizes: Vec<i64> = match self.rng.chance(55) {
            true => vec![side, side],
            false => vec![self.long_size()],
        };
        let n: i64 = sizes.iter().product();
        if n * self.repeats > MOST / 4 {
            return;
        }
        let mut last = self.numbered(&sizes, elem);
        let kept = self.numbered(&sizes, elem);
        if self.rng.chance(40) {
            return self.temporary_in_loop(&last, &kept, &sizes, elem);
        }
        let steps = self.rng.range(2, 4);
        let before = self.repeats;
        self.repeats *= n;
        for step in 0..steps {
            let next = match step + 1 == steps {
                true => View {
                    name: kept.name.clone(),
                    ty: kept.ty.clone(),
                },
                false => self.temporary(&sizes, elem),
            };
            if self.rng.chance(40) {
                self.mapped(&last, &next, &sizes, elem);
            } else if sizes.len() == 1 && elem_is_number(elem) && self.rng.chance(40) {
                self.in_windows(&last, &next, sizes[0], elem);
            } else {
                self.moved_elements(&last, &next, &sizes, elem);
            }
            last = next;
        }
        self.repeats = before;
    }

    /// Passes that have buffers share memory, once others have freed them.
    pub(super) fn merging_passes(&mut self) {
        const PASSES: [&str; 5] = [
            "merge-alloc",
            "merge-alloc{never-grow=true}",
            "merge-alloc",
            "reuse-loop-buffers",
            "reuse-loop-buffers{always=true}",
        ];
        self.passes.insert("buffer-deallocation-pipeline");
        self.passes.insert(*self.rng.pick(&PASSES));
    }

    /// A loop each of whose iterations makes a buffer of the one that the last one made.
    fn handed_on(&mut self) {
        let (n, elem) = (*self.rng.pick(&[4, 8, 9, 17]), self.between_elem());
        if n * 4 * self.repeats > MOST {
            return;
        }
        self.merging_passes();
        self.buffers_flow = true;
        let first = self.numbered(&[n], elem);
        let kept = self.numbered(&[n], elem);
        let (ty, times) = (first.ty.clone(), self.rng.below(5) as i64);
        // A buffer that nothing else knows, or one that stays.
        let init = match self.rng.chance(60) {
            true => {
                let copy = self.temporary(&[n], elem);
                self.line(format!(
                    "memref.copy {}, {} : {ty} to {ty}",
                    first.name, copy.name
                ));
                copy
            }
            false => View {
                name: first.name.clone(),
                ty: ty.clone(),
            },
        };
        let (from, to, one) = (
            self.index(0).name,
            self.number(times).name,
            self.index(1).name,
        );
        let (result, counter, old) = (self.fresh(), self.fresh(), self.fresh());
        let spare = self.rng.chance(40);
        self.line(format!(
            "{result} = scf.for {counter} = {from} to {to} step {one} iter_args({old} = {}) -> ({ty}) {{",
            init.name
        ));
        let before = self.repeats;
        self.repeats *= 4 * n;
        let carried = View {
            name: old,
            ty: ty.clone(),
        };
        self.scope(|g| {
            g.counter(&counter, (0, times), false);
            let mut last = carried;
            if spare {
                let between = g.temporary(&[n], elem);
                g.moved_elements(&last, &between, &[n], elem);
                if g.rng.chance(50) {
                    g.moved_elements(&between, &kept, &[n], elem);
                }
                last = between;
            }
            let new = g.temporary(&[n], elem);
            g.moved_elements(&last, &new, &[n], elem);
            let yielded = if g.rng.chance(85) { &new } else { &last };
            g.line(format!("scf.yield {} : {ty}", yielded.name));
        });
        self.repeats = before;
        self.line("}");
        let last = View { name: result, ty };
        self.moved_elements(&last, &kept, &[n], elem);
    }

    /// Elements in the same order, in reverse, transposed, or with others beside them.
    pub(super) fn moved_elements(&mut self, from: &View, to: &View, sizes: &[i64], elem: Elem) {
        let kind = self.rng.below(6);
        let again = self.rng.chance(30);
        self.nest(sizes, |g, at| {
            let mut read: Vec<String> = at.to_vec();
            match kind {
                0 => read.reverse(),
                1 | 2 => {
                    let which = g.rng.below(sizes.len());
                    let end = sizes[which] - 1;
                    let text = match kind {
                        1 => format!("affine_map<(d0) -> ({end} - d0)>"),
                        _ => format!("affine_map<(d0) -> ((d0 + 1) mod {})>", sizes[which]),
                    };
                    let text = format!("affine.apply {text}({})", at[which]);
                    read[which] = g.define_index((0, end), text).name;
                }
                _ => {}
            }
            let mut value = g.load_from(from, elem, &read);
            let scalar = Ty::Scalar(elem);
            let by = g.constant(&scalar).name;
            value = g.combined(&value, &by, elem);
            g.store_to(&value, to, at);
            if again {
                let more = g.load_from(from, elem, &read);
                let value = g.combined(&value, &more, elem);
                g.store_to(&value, to, at);
            }
        });
    }

    /// The same as one operation.
    fn mapped(&mut self, from: &View, to: &View, sizes: &[i64], elem: Elem) {
        let dims: Vec<String> = (0..sizes.len()).map(|at| format!("d{at}")).collect();
        let mut read = dims.clone();
        if self.rng.chance(50) {
            read.reverse();
        }
        let (all, read) = (dims.join(", "), read.join(", "));
        let parallel = vec!["\"parallel\""; sizes.len()].join(", ");
        let (scalar, a, b) = (elem.text(), self.fresh(), self.fresh());
        self.line(format!(
            "linalg.generic {{indexing_maps = [affine_map<({all}) -> ({read})>, affine_map<({all}) -> ({all})>], \
             iterator_types = [{parallel}]}} ins({} : {}) outs({} : {}) {{",
            from.name, from.ty, to.name, to.ty
        ));
        self.scope(|g| {
            g.line(format!("^bb0({a} : {scalar}, {b} : {scalar}):"));
            let by = g.constant(&Ty::Scalar(elem)).name;
            let new = g.combined(&a, &by, elem);
            g.line(format!("linalg.yield {new} : {scalar}"));
        });
        self.line("}");
    }

    /// Vectors of four elements, in steps of as many or of fewer.
    fn in_windows(&mut self, from: &View, to: &View, n: i64, elem: Elem) {
        let lanes = 4;
        let (zero, end) = (self.index(0).name, self.index(n - lanes + 1).name);
        let steps: Vec<i64> = match self.rng.chance(80) {
            true => (1..=lanes).filter(|step| (n - lanes) % step == 0).collect(),
            false => (1..=lanes).collect(),
        };
        let step = *self.rng.pick(&steps);
        if (n - lanes) % step != 0 {
            // Those that no vector writes.
            self.moved_elements(from, to, &[n], elem);
        }
        let step = self.index(step).name;
        let (counter, ty) = (self.fresh(), Ty::Vector(vec![lanes], elem));
        let text = ty.text();
        self.line(format!(
            "scf.for {counter} = {zero} to {end} step {step} {{"
        ));
        self.scope(|g| {
            g.counter(&counter, (0, n - lanes), false);
            let loaded = g.fresh();
            g.line(format!(
                "{loaded} = vector.load {}[{counter}] : {}, {text}",
                from.name, from.ty
            ));
            let what = if elem.is_float() {
                "arith.addf"
            } else {
                "arith.addi"
            };
            let sum = g.fresh();
            g.line(format!("{sum} = {what} {loaded}, {loaded} : {text}"));
            g.line(format!(
                "vector.store {sum}, {}[{counter}] : {}, {text}",
                to.name, to.ty
            ));
        });
        self.line("}");
    }

    /// A buffer that each iteration writes and reads at its own place, and perhaps at another one.
    fn temporary_in_loop(&mut self, from: &View, to: &View, sizes: &[i64], elem: Elem) {
        self.passes.insert("contract-buffers");
        let n: i64 = sizes.iter().product();
        let temporary = self.temporary(sizes, elem);
        let first = self.constant(&Ty::Scalar(elem)).name;
        let is_filled = self.rng.chance(50);
        let before = self.repeats;
        self.repeats *= n;
        if is_filled {
            self.nest(sizes, |g, at| g.store_to(&first, &temporary, at));
        }
        self.nest(sizes, |g, at| {
            let loaded = g.load_from(from, elem, at);
            g.store_to(&loaded, &temporary, at);
            let mut value = g.load_from(&temporary, elem, at);
            if g.rng.chance(50) {
                // The first one is written by then.
                let mut other = at.to_vec();
                let which = g.rng.below(other.len());
                other[which] = match is_filled {
                    true => g.subscript(sizes[which]),
                    false => g.index(0).name,
                };
                let more = g.load_from(&temporary, elem, &other);
                value = g.combined(&value, &more, elem);
            }
            g.store_to(&value, to, at);
        });
        self.repeats = before;
    }
}

/// Whether there is a sum of vectors of these.
fn elem_is_number(elem: Elem) -> bool {
    matches!(elem, Elem::Float(_) | Elem::Int(8 | 16 | 32 | 64))
}
