//! Buffers some of which end where others begin: loops of all kinds that read what was made before them and make buffers of
//! their own behind that, blocks that hand buffers to each other, views beside what they are of, columns that are copied
//! one by one.

use super::build::Gen;
use super::edges::View;
use super::long::MOST;
use super::types::Ty;

impl Gen<'_> {
    /// One of these.
    pub(super) fn meeting_buffers(&mut self) {
        if self.parallel.is_some() || self.repeats > 4 {
            return;
        }
        match self.rng.below(9) {
            0..3 => self.read_by_loop(),
            3 | 4 => self.through_blocks(),
            5 | 6 => self.column_copies(),
            _ => self.beside_views(),
        }
    }

    /// A buffer that a loop alone reads, at the beginning of each iteration, and others that live behind that.
    fn read_by_loop(&mut self) {
        let (n, elem) = (*self.rng.pick(&[4, 8, 9, 5]), self.between_elem());
        self.merging_passes();
        let first = self.numbered(&[n], elem);
        let read = self.temporary(&[n], elem);
        self.moved_elements(&first, &read, &[n], elem);
        let kept = self.numbered(&[n], elem);
        let trips = self.rng.range(2, 3) as i64;
        let (zero, end, one) = (
            self.index(0).name,
            self.opaque(trips).name,
            self.index(1).name,
        );
        let before = self.repeats;
        self.repeats *= trips;
        let body = |g: &mut Self| {
            let early = g.temporary(&[n], elem);
            g.moved_elements(&read, &early, &[n], elem);
            let late = match g.rng.chance(50) {
                true => {
                    let late = g.temporary(&[n], elem);
                    g.moved_elements(&early, &late, &[n], elem);
                    late
                }
                false => early,
            };
            g.nest(&[n], |g, at| {
                let (a, b) = (g.load_from(&kept, elem, at), g.load_from(&late, elem, at));
                let sum = g.combined(&a, &b, elem);
                g.store_to(&sum, &kept, at);
            });
        };
        let names: Vec<String> = (0..4).map(|_| self.fresh()).collect();
        let [counter, next, goes_on, result] = &names[..] else {
            return;
        };
        match self.rng.below(4) {
            0 => {
                self.line(format!("scf.for {counter} = {zero} to {end} step {one} {{"));
                self.scope(|g| {
                    g.counter(counter, (0, trips), false);
                    body(g);
                });
                self.line("}");
            }
            1 => {
                self.line(format!(
                    "{result} = scf.while ({counter} = {zero}) : (index) -> index {{"
                ));
                self.scope(|g| {
                    g.counter(counter, (0, trips), false);
                    body(g);
                    g.line(format!("{next} = arith.addi {counter}, {one} : index"));
                    g.line(format!("{goes_on} = arith.cmpi slt, {next}, {end} : index"));
                    g.line(format!("scf.condition({goes_on}) {next} : index"));
                });
                self.line("} do {");
                let again = self.fresh();
                self.line(format!("^bb0({again}: index):"));
                self.line(format!("  scf.yield {again} : index"));
                self.line("}");
            }
            // A block that branches to itself, or two that branch to each other.
            kind => {
                let labels: Vec<String> =
                    (0..3).map(|_| self.fresh().replace("%v", "^b")).collect();
                self.line("scf.execute_region {");
                self.scope(|g| {
                    g.line(format!("cf.br {}({zero} : index)", labels[0]));
                    g.line(format!("{}({counter}: index):", labels[0]));
                    g.scope(|g| {
                        g.counter(counter, (0, trips), false);
                        body(g);
                        g.line(format!("{next} = arith.addi {counter}, {one} : index"));
                        g.line(format!("{goes_on} = arith.cmpi slt, {next}, {end} : index"));
                        if kind == 2 {
                            g.line(format!("cf.br {}", labels[1]));
                            g.line(format!("{}:", labels[1]));
                            if g.rng.chance(50) {
                                body(g);
                            }
                        }
                        g.line(format!(
                            "cf.cond_br {goes_on}, {}({next} : index), {}",
                            labels[0], labels[2]
                        ));
                    });
                    g.line(format!("{}:", labels[2]));
                    g.line("scf.yield");
                });
                self.line("}");
            }
        }
        self.repeats = before;
    }

    /// Blocks in a circle that hand on a buffer: each round makes a new one of the last one.
    fn through_blocks(&mut self) {
        let (n, elem) = (*self.rng.pick(&[4, 3, 8]), self.between_elem());
        self.buffers_flow = true;
        let first = self.numbered(&[n], elem);
        let kept = self.numbered(&[n], elem);
        let ty = first.ty.clone();
        let trips = self.rng.range(1, 4) as i64;
        let what = *self.rng.pick(&["alloc", "alloca"]);
        let (zero, end, one) = (
            self.index(0).name,
            self.opaque(trips).name,
            self.index(1).name,
        );
        let n_blocks = self.rng.range(1, 3);
        let labels: Vec<String> = (0..=n_blocks)
            .map(|_| self.fresh().replace("%v", "^b"))
            .collect();
        let [counter, old, next, goes_on] = [(); 4].map(|()| self.fresh());
        let made = self.rng.below(n_blocks);
        let before = self.repeats;
        self.repeats *= trips * n;
        self.line("scf.execute_region {");
        self.scope(|g| {
            g.line(format!(
                "cf.br {}({zero}, {} : index, {ty})",
                labels[0], first.name
            ));
            g.line(format!("{}({counter}: index, {old}: {ty}):", labels[0]));
            g.scope(|g| {
                g.counter(&counter, (0, trips), false);
                let last = View {
                    name: old.clone(),
                    ty: ty.clone(),
                };
                let mut handed = old.clone();
                for (at, label) in labels[..n_blocks].iter().enumerate() {
                    if at > 0 {
                        g.line(format!("cf.br {label}"));
                        g.line(format!("{label}:"));
                    }
                    if at == made {
                        let new = View {
                            name: g.fresh(),
                            ty: ty.clone(),
                        };
                        g.line(format!("{} = memref.{what}() : {ty}", new.name));
                        g.moved_elements(&last, &new, &[n], elem);
                        handed.clone_from(&new.name);
                        // What was there before is still what it was.
                        g.nest(&[n], |g, at| {
                            let values = [&kept, &last, &new].map(|it| g.load_from(it, elem, at));
                            let sum = g.combined(&values[0], &values[1], elem);
                            let sum = g.combined(&sum, &values[2], elem);
                            g.store_to(&sum, &kept, at);
                        });
                    }
                }
                g.line(format!("{next} = arith.addi {counter}, {one} : index"));
                g.line(format!("{goes_on} = arith.cmpi slt, {next}, {end} : index"));
                g.line(format!(
                    "cf.cond_br {goes_on}, {}({next}, {handed} : index, {ty}), {}",
                    labels[0], labels[n_blocks]
                ));
            });
            g.line(format!("{}:", labels[n_blocks]));
            g.line("scf.yield");
        });
        self.line("}");
        self.repeats = before;
    }

    /// Columns of a buffer of short rows, each copied from a buffer that may end there.
    fn column_copies(&mut self) {
        let (n, elem) = (*self.rng.pick(&[4, 8, 9, 32]), self.between_elem());
        let width = *self.rng.pick(&[2, 2, 3, 4]);
        if n * width * 4 * self.repeats > MOST {
            return;
        }
        self.passes.insert("buffer-deallocation-pipeline");
        self.passes.insert("merge-column-copies");
        let (scalar, column) = (elem.text(), [n, 1]);
        let first = self.numbered(&column, elem);
        let kept = self.numbered(&[n, width], elem);
        let rows = self.temporary(&[n, width], elem);
        // One that is read before it is written must be something.
        if self.rng.chance(50) {
            self.nest(&[n, width], |g, at| {
                let number = g.mixed_index(at);
                let value = g.number_of(&number, elem);
                g.store_to(&value, &rows, at);
            });
        }
        let sources: Vec<View> = (0..width)
            .map(|_| {
                let source = self.temporary(&column, elem);
                self.moved_elements(&first, &source, &column, elem);
                source
            })
            .collect();
        let order = self.permutation(width as usize);
        let mut written: Vec<View> = Vec::new();
        for &at in &order {
            let view = self.fresh();
            let ty = match at {
                0 => format!("memref<{n}x1x{scalar}, strided<[{width}, 1]>>"),
                _ => format!("memref<{n}x1x{scalar}, strided<[{width}, 1], offset: {at}>>"),
            };
            self.line(format!(
                "{view} = memref.subview {}[0, {at}] [{n}, 1] [1, 1] : {} to {ty}",
                rows.name, rows.ty
            ));
            let mut source = View {
                name: sources[at].name.clone(),
                ty: sources[at].ty.clone(),
            };
            if !written.is_empty() && self.rng.chance(20) {
                // Another column, which was written before.
                let other = self.rng.pick(&written).clone();
                source = other;
            }
            self.line(format!(
                "memref.copy {}, {view} : {} to {ty}",
                source.name, source.ty
            ));
            written.push(View { name: view, ty });
        }
        self.moved_elements(&rows, &kept, &[n, width], elem);
    }

    /// An operation on a buffer that ends there, and on a view of it with its elements in another order.
    fn beside_views(&mut self) {
        let (n, elem) = (*self.rng.pick(&[4, 8, 5]), self.between_elem());
        self.merging_passes();
        let sizes = [n, n];
        let first = self.numbered(&sizes, elem);
        let kept = self.numbered(&sizes, elem);
        let [from, to] = [(); 2].map(|()| self.temporary(&sizes, elem));
        self.moved_elements(&first, &from, &sizes, elem);
        let scalar = elem.text();
        let view = self.fresh();
        let (ty, text) = match self.rng.below(3) {
            0 => {
                let ty = format!("memref<{n}x{n}x{scalar}, strided<[1, {n}]>>");
                let text = format!(
                    "memref.transpose {} (d0, d1) -> (d1, d0) : {} to {ty}",
                    from.name, from.ty
                );
                (ty, text)
            }
            1 => {
                let (end, row) = (n * n - 1, -n);
                let ty = format!("memref<{n}x{n}x{scalar}, strided<[{row}, -1], offset: {end}>>");
                let text = format!(
                    "memref.reinterpret_cast {} to offset: [{end}], sizes: [{n}, {n}], strides: [{row}, -1] : {} to {ty}",
                    from.name, from.ty
                );
                (ty, text)
            }
            _ => {
                let ty = format!("memref<{n}x{n}x{scalar}>");
                let text = format!("memref.cast {} : {} to {ty}", from.name, from.ty);
                (ty, text)
            }
        };
        self.line(format!("{view} = {text}"));
        // The plain one may be the first input or the second, or there is only the view.
        let plain = (from.name.clone(), from.ty.clone());
        let inputs = match self.rng.below(3) {
            0 => vec![(view, ty), plain],
            1 => vec![plain, (view, ty)],
            _ => vec![(view, ty)],
        };
        let same = "affine_map<(d0, d1) -> (d0, d1)>";
        let maps = vec![same; inputs.len() + 1].join(", ");
        let (names, types): (Vec<String>, Vec<String>) = inputs.into_iter().unzip();
        self.line(format!(
            "linalg.generic {{indexing_maps = [{maps}], iterator_types = [\"parallel\", \"parallel\"]}} ins({} : {}) outs({} : {}) {{",
            names.join(", "),
            types.join(", "),
            to.name,
            to.ty
        ));
        self.scope(|g| {
            let arguments: Vec<String> = (0..=names.len()).map(|_| g.fresh()).collect();
            let list: Vec<String> = (arguments.iter())
                .map(|name| format!("{name}: {scalar}"))
                .collect();
            g.line(format!("^bb0({}):", list.join(", ")));
            let by = g.constant(&Ty::Scalar(elem)).name;
            let mut value = g.combined(&arguments[0], &by, elem);
            if names.len() > 1 {
                value = g.combined(&value, &arguments[1], elem);
            }
            g.line(format!("linalg.yield {value} : {scalar}"));
        });
        self.line("}");
        self.moved_elements(&to, &kept, &sizes, elem);
    }
}
