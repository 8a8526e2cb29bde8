//! Loops that go over memory in vectors with masks, so that the last vector has fewer elements: masked loads and stores,
//! transfers and reductions under masks, in several functions.

use freehold::frontend::ir::types::FloatKind;

use super::build::Gen;
use super::edges::View;
use super::long::MOST;
use super::types::{Dim, Elem, Mem, Ty};

/// A vector that a body has, and what it is of.
#[derive(Clone)]
struct Lanes {
    name: String,
    elem: Elem,
}

impl Gen<'_> {
    /// Functions with such loops, each of which is called, and one in the body.
    pub(super) fn masked_loops(&mut self) {
        for _ in 0..self.rng.below(3) {
            self.masked_function();
        }
        let elem = self.masked_elem();
        let n = self.long_size();
        let buffers = [(); 2].map(|()| self.numbered(&[n], elem));
        self.masked_loop(&buffers, n, elem);
    }

    fn masked_elem(&mut self) -> Elem {
        const ALL: [Elem; 8] = [
            Elem::Float(FloatKind::F32),
            Elem::Float(FloatKind::F32),
            Elem::Float(FloatKind::F64),
            Elem::Int(8),
            Elem::Int(16),
            Elem::Int(32),
            Elem::Int(64),
            Elem::Float(FloatKind::F16),
        ];
        *self.rng.pick(&ALL)
    }

    /// A buffer whose elements tell where they are.
    pub(super) fn numbered(&mut self, sizes: &[i64], elem: Elem) -> View {
        let dims: Vec<Dim> = sizes.iter().map(|&size| Dim::fixed(size)).collect();
        let is_heap = self.rng.chance(85);
        let value = self.allocate(Mem::new(dims, elem), is_heap);
        let buffer = View {
            name: value.name,
            ty: value.ty.text(),
        };
        self.nest(sizes, |g, at| {
            let number = g.mixed_index(at);
            let value = g.number_of(&number, elem);
            g.store_to(&value, &buffer, at);
        });
        buffer
    }

    /// A function that goes over two buffers up to a number that is passed, and its calls.
    fn masked_function(&mut self) {
        if self.n_functions > 4 {
            return;
        }
        self.n_functions += 1;
        let (number, n) = (self.n_functions, self.long_size());
        let elem = self.masked_elem();
        let rounds = self.rng.range(1, 2);
        let given: Vec<[View; 2]> = (0..rounds)
            .map(|_| [(); 2].map(|()| self.numbered(&[n], elem)))
            .collect();
        let mut inner = self.callee();
        let [a, b, end] = [(); 3].map(|()| inner.fresh());
        let ty = given[0][0].ty.clone();
        let buffers = [&a, &b].map(|name| View {
            name: name.clone(),
            ty: ty.clone(),
        });
        let mut value = inner.value(end.clone(), Ty::INDEX);
        value.range = Some((0, n));
        inner.values.push(value);
        inner.masked_body(&buffers, n, &end, elem);
        let visibility = if self.rng.chance(60) { "private " } else { "" };
        let text = format!(
            "func.func {visibility}@f{number}({a}: {ty}, {b}: {ty}, {end}: index) {{\n{}  return\n}}\n",
            inner.out
        );
        self.end_callee(inner, &text);
        for [a, b] in &given {
            let end = match self.rng.chance(50) {
                true => self.number(n).name,
                false => {
                    let less = self.rng.below(n as usize + 1) as i64;
                    self.number(less).name
                }
            };
            self.line(format!(
                "func.call @f{number}({}, {}, {end}) : ({ty}, {ty}, index) -> ()",
                a.name, b.name
            ));
        }
    }

    /// The same here, up to the last element.
    fn masked_loop(&mut self, buffers: &[View; 2], n: i64, elem: Elem) {
        let end = self.number(n).name;
        self.masked_body(buffers, n, &end, elem);
    }

    /// `scf.for` in steps of a vector, with the first elements of the rest in each.
    fn masked_body(&mut self, buffers: &[View; 2], n: i64, end: &str, elem: Elem) {
        if n * self.repeats > MOST {
            return;
        }
        let lanes = *self.rng.pick(&[4, 8, 16, 8, 4, 2, 3, 5, 32]);
        let scalar = Ty::Scalar(elem);
        let (ty, init) = (scalar.text(), self.constant(&scalar).name);
        let sums = self.rng.chance(50);
        // A second mask that all iterations share.
        let shared = (self.rng.chance(35)).then(|| {
            let number = self.rng.below(lanes as usize + 1) as i64;
            let number = self.number(number).name;
            self.mask_up_to(&number, lanes)
        });
        let extra = (self.rng.chance(40)).then(|| {
            let elem = self.masked_elem();
            (self.numbered(&[n], elem), elem)
        });
        let (zero, step) = (self.index(0).name, self.index(lanes).name);
        let (counter, result, sum) = (self.fresh(), self.fresh(), self.fresh());
        let head = format!("scf.for {counter} = {zero} to {end} step {step}");
        self.line(match sums {
            true => format!("{result} = {head} iter_args({sum} = {init}) -> ({ty}) {{"),
            false => format!("{head} {{"),
        });
        let before = self.repeats;
        self.repeats *= (n / lanes).max(1);
        self.scope(|g| {
            g.counter(&counter, (0, n - 1), false);
            let rest = match g.rng.chance(50) {
                true => format!("arith.subi {end}, {counter} : index"),
                false => {
                    let rest = g.define(Ty::INDEX, format!("arith.subi {end}, {counter} : index"));
                    format!("arith.minsi {}, {step} : index", rest.name)
                }
            };
            let rest = g.define(Ty::INDEX, rest).name;
            let mask = g.mask_up_to(&rest, lanes);
            let mut masks = vec![mask.clone()];
            // Those that go beyond the end.
            let mut wide = vec![g.constant_bits(lanes)];
            wide.extend(shared.clone());
            if g.rng.chance(30) {
                masks.push(g.masks_and(&mask, &wide[0], lanes));
            }
            if let Some(shared) = &shared {
                masks.push(g.masks_and(&mask, shared, lanes));
            }
            let mut found: Vec<Lanes> = Vec::new();
            for buffer in buffers {
                found.push(g.masked_read(buffer, &counter, &masks, elem, lanes));
            }
            if g.rng.chance(30) {
                found.push(g.read_beyond(&buffers[1], &counter, &wide, elem, lanes));
            }
            if g.rng.chance(25) {
                found.push(g.gathered(&buffers[1], n, &masks, &wide, elem, lanes));
            }
            if let Some((buffer, elem)) = &extra {
                found.push(g.masked_read(buffer, &counter, &masks, *elem, lanes));
            }
            // What is chosen by numbers, of one size or another.
            for _ in 0..g.rng.below(3) {
                let by = g.rng.pick(&found).clone();
                let chosen = g.mask_of(&by, lanes);
                let base = g.rng.pick(&masks).clone();
                masks.push(g.masks_and(&base, &chosen, lanes));
            }
            for _ in 0..g.rng.range(1, 3) {
                let some = g.rng.pick(&found).clone();
                let same: Vec<Lanes> = (found.iter().filter(|it| it.elem == some.elem))
                    .cloned()
                    .collect();
                let other = g.rng.pick(&same).clone();
                let ty = Ty::Vector(vec![lanes], some.elem);
                let name = match g.rng.chance(25) {
                    true => {
                        let mask = g.rng.pick(&masks).clone();
                        let text = format!(
                            "arith.select {mask}, {}, {} : vector<{lanes}xi1>, {}",
                            some.name,
                            other.name,
                            ty.text()
                        );
                        g.define(ty, text).name
                    }
                    false => g.combined_vectors(&some, &other, lanes),
                };
                found.push(Lanes { name, ..some });
            }
            let mut total = sum.clone();
            if sums {
                let of: Vec<Lanes> = (found.iter().filter(|it| it.elem == elem))
                    .cloned()
                    .collect();
                let what = g.rng.pick(&of).clone();
                let mask = g.rng.pick(&masks).clone();
                total = g.masked_sum(&what, &mask, &sum, lanes);
            }
            let of: Vec<Lanes> = (found.iter().filter(|it| it.elem == elem))
                .cloned()
                .collect();
            for _ in 0..g.rng.range(1, 2) {
                let what = of[g.rng.range(of.len() / 2, of.len() - 1)].clone();
                let mask = g.rng.pick(&masks).clone();
                let buffer = &buffers[g.rng.below(2)];
                g.masked_write(&what, buffer, &counter, &mask, lanes);
            }
            if let Some((buffer, other)) = &extra {
                let of: Vec<Lanes> = (found.iter().filter(|it| it.elem == *other))
                    .cloned()
                    .collect();
                let what = g.rng.pick(&of).clone();
                let mask = g.rng.pick(&masks).clone();
                g.masked_write(&what, buffer, &counter, &mask, lanes);
            }
            if g.rng.chance(20) {
                let what = g.rng.pick(&of).clone();
                let at = g.beside(&counter);
                let mask = g.rng.pick(&wide).clone();
                let (name, memory) = (&buffers[0].name, &buffers[0].ty);
                let (value, text) = (&what.name, Ty::Vector(vec![lanes], elem).text());
                let write = format!(
                    "vector.transfer_write {value}, {name}[{at}] {{in_bounds = [false]}} : {text}, {memory}"
                );
                let line = match g.rng.chance(50) {
                    true => format!("vector.mask {mask} {{ {write} }} : vector<{lanes}xi1>"),
                    false => write,
                };
                g.line(line);
            }
            if sums {
                g.line(format!("scf.yield {total} : {ty}"));
            }
        });
        self.repeats = before;
        self.line("}");
        if sums {
            let zero = self.index(0).name;
            self.store_to(&result, &buffers[0], &[zero]);
        }
    }

    /// A mask of any bits, most often not the first one.
    fn constant_bits(&mut self, lanes: i64) -> String {
        let bits: Vec<&str> = (0..lanes)
            .map(|_| if self.rng.chance(60) { "true" } else { "false" })
            .collect();
        let ty = Ty::Vector(vec![lanes], Elem::Int(1));
        let text = format!(
            "arith.constant dense<[{}]> : {}",
            bits.join(", "),
            ty.text()
        );
        self.define(ty, text).name
    }

    /// A place before a counter or behind it.
    fn beside(&mut self, counter: &str) -> String {
        let by = *self.rng.pick(&[1, 2, 3, 5]);
        let by = self.number(by).name;
        let what = *self.rng.pick(&["subi", "subi", "addi"]);
        let text = format!("arith.{what} {counter}, {by} : index");
        self.define(Ty::INDEX, text).name
    }

    /// Reads lanes some of which may be before or behind the buffer, with any mask or none.
    fn read_beyond(
        &mut self,
        buffer: &View,
        counter: &str,
        masks: &[String],
        elem: Elem,
        lanes: i64,
    ) -> Lanes {
        let ty = Ty::Vector(vec![lanes], elem);
        let (name, memory, text) = (&buffer.name, &buffer.ty, ty.text());
        let at = self.beside(counter);
        let padding = self.constant(&Ty::Scalar(elem)).name;
        let read = format!(
            "vector.transfer_read {name}[{at}], {padding} {{in_bounds = [false]}} : {memory}, {text}"
        );
        let (mask, bits) = (self.rng.pick(masks).clone(), format!("vector<{lanes}xi1>"));
        // The same without a mask, too.
        let plain = (self.rng.chance(30)).then(|| Lanes {
            name: self.define(ty.clone(), &read).name,
            elem,
        });
        let line = match self.rng.below(3) {
            0 => read,
            1 => format!("vector.mask {mask} {{ {read} }} : {bits} -> {text}"),
            _ => {
                // What is masked off is another number than what is outside.
                let other = self.constant(&Ty::Scalar(elem)).name;
                let pass = self.fresh();
                self.line(format!(
                    "{pass} = vector.broadcast {other} : {} to {text}",
                    elem.text()
                ));
                format!("vector.mask {mask}, {pass} {{ {read} }} : {bits} -> {text}")
            }
        };
        let name = self.define(ty, line).name;
        let masked = Lanes { name, elem };
        match plain {
            Some(plain) => Lanes {
                name: self.combined_vectors(&plain, &masked, lanes),
                elem,
            },
            None => masked,
        }
    }

    /// Elements at any places, with a mask of their own and one around.
    fn gathered(
        &mut self,
        buffer: &View,
        n: i64,
        masks: &[String],
        own: &[String],
        elem: Elem,
        lanes: i64,
    ) -> Lanes {
        let ty = Ty::Vector(vec![lanes], elem);
        let (name, memory, text) = (&buffer.name, &buffer.ty, ty.text());
        let numbers: Vec<String> = (0..lanes)
            .map(|_| self.rng.below(n as usize).to_string())
            .collect();
        let (indices, pass, zero) = (self.fresh(), self.fresh(), self.index(0).name);
        self.line(format!(
            "{indices} = arith.constant dense<[{}]> : vector<{lanes}xi32>",
            numbers.join(", ")
        ));
        let padding = self.constant(&Ty::Scalar(elem)).name;
        self.line(format!(
            "{pass} = vector.broadcast {padding} : {} to {text}",
            elem.text()
        ));
        let (mask, own) = (self.rng.pick(masks).clone(), self.rng.pick(own).clone());
        let bits = format!("vector<{lanes}xi1>");
        let gather = format!(
            "vector.gather {name}[{zero}] [{indices}], {own}, {pass} : {memory}, vector<{lanes}xi32>, {bits}, {text} into {text}"
        );
        let line = match self.rng.below(3) {
            0 => gather,
            1 => format!("vector.mask {mask} {{ {gather} }} : {bits} -> {text}"),
            _ => format!("vector.mask {mask}, {pass} {{ {gather} }} : {bits} -> {text}"),
        };
        let name = self.define(ty, line).name;
        Lanes { name, elem }
    }

    fn mask_up_to(&mut self, number: &str, lanes: i64) -> String {
        let ty = Ty::Vector(vec![lanes], Elem::Int(1));
        let text = format!("vector.create_mask {number} : {}", ty.text());
        self.define(ty, text).name
    }

    fn masks_and(&mut self, a: &str, b: &str, lanes: i64) -> String {
        let ty = Ty::Vector(vec![lanes], Elem::Int(1));
        let text = format!("arith.andi {a}, {b} : {}", ty.text());
        self.define(ty, text).name
    }

    /// Which lanes have numbers that compare with a constant.
    fn mask_of(&mut self, lanes: &Lanes, n: i64) -> String {
        let ty = Ty::Vector(vec![n], lanes.elem).text();
        let of_floats = lanes.elem.is_float();
        let limit = self.fresh();
        let number = *self.rng.pick(&[3, 0, -5, 20]);
        let number = if of_floats {
            format!("{number}.0")
        } else {
            number.to_string()
        };
        self.line(format!("{limit} = arith.constant dense<{number}> : {ty}"));
        let compare = match of_floats {
            true => format!("cmpf {}", self.rng.pick(&["olt", "une", "ugt", "oge"])),
            false => format!("cmpi {}", self.rng.pick(&["slt", "ne", "ugt", "sge"])),
        };
        let mask = Ty::Vector(vec![n], Elem::Int(1));
        self.define(
            mask,
            format!("arith.{compare}, {}, {limit} : {ty}", lanes.name),
        )
        .name
    }

    fn combined_vectors(&mut self, a: &Lanes, b: &Lanes, lanes: i64) -> String {
        let ty = Ty::Vector(vec![lanes], a.elem);
        let what = match a.elem.is_float() {
            true => *self.rng.pick(&["addf", "mulf", "subf", "maximumf"]),
            false => *self
                .rng
                .pick(&["addi", "muli", "xori", "subi", "minsi", "maxui"]),
        };
        let text = format!("arith.{what} {}, {} : {}", a.name, b.name, ty.text());
        self.define(ty, text).name
    }

    fn masked_sum(&mut self, what: &Lanes, mask: &str, sum: &str, lanes: i64) -> String {
        let kind = match what.elem.is_float() {
            true => *self
                .rng
                .pick(&["add", "add", "mul", "maximumf", "minimumf"]),
            false => *self
                .rng
                .pick(&["add", "add", "mul", "minsi", "maxui", "xor", "and"]),
        };
        let (ty, name) = (Ty::Vector(vec![lanes], what.elem).text(), &what.name);
        let scalar = Ty::Scalar(what.elem);
        let out = scalar.text();
        let text = format!(
            "vector.mask {mask} {{ vector.reduction <{kind}>, {name}, {sum} : {ty} into {out} }} : vector<{lanes}xi1> -> {out}"
        );
        self.define(scalar, text).name
    }

    /// Reads lanes from a place on: behind a mask, or a transfer that ends with the buffer.
    fn masked_read(
        &mut self,
        buffer: &View,
        at: &str,
        masks: &[String],
        elem: Elem,
        lanes: i64,
    ) -> Lanes {
        let ty = Ty::Vector(vec![lanes], elem);
        let (name, memory, text) = (&buffer.name, &buffer.ty, ty.text());
        let mask = self.rng.pick(masks).clone();
        let bits = format!("vector<{lanes}xi1>");
        let padding = self.constant(&Ty::Scalar(elem)).name;
        let text = match self.rng.below(6) {
            0..3 => {
                let pass = self.fresh();
                self.line(format!(
                    "{pass} = vector.broadcast {padding} : {} to {text}",
                    elem.text()
                ));
                format!(
                    "vector.maskedload {name}[{at}], {mask}, {pass} : {memory}, {bits}, {text} into {text}"
                )
            }
            3 | 4 => {
                // A place is within bounds if its lane is not masked off.
                let inside = if self.rng.chance(50) { "true" } else { "false" };
                format!(
                    "vector.mask {mask} {{ vector.transfer_read {name}[{at}], {padding} {{in_bounds = [{inside}]}} : {memory}, {text} }} : {bits} -> {text}"
                )
            }
            _ => format!(
                "vector.transfer_read {name}[{at}], {padding} {{in_bounds = [false]}} : {memory}, {text}"
            ),
        };
        let name = self.define(ty, text).name;
        Lanes { name, elem }
    }

    fn masked_write(&mut self, what: &Lanes, buffer: &View, at: &str, mask: &str, lanes: i64) {
        let (name, memory) = (&buffer.name, &buffer.ty);
        let (text, bits) = (
            Ty::Vector(vec![lanes], what.elem).text(),
            format!("vector<{lanes}xi1>"),
        );
        let value = &what.name;
        let line = match self.rng.below(6) {
            0..4 => format!(
                "vector.maskedstore {name}[{at}], {mask}, {value} : {memory}, {bits}, {text}"
            ),
            _ => {
                let inside = if self.rng.chance(50) { "true" } else { "false" };
                format!(
                    "vector.mask {mask} {{ vector.transfer_write {value}, {name}[{at}] {{in_bounds = [{inside}]}} : {text}, {memory} }} : {bits}"
                )
            }
        };
        self.line(line);
    }
}
