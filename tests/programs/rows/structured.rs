//! Structured operations on buffers and on tensors.

use super::build::{Gen, Value};
use super::types::{Dim, Elem, Mem, Ty};

/// An operand of a structured operation: the expressions of its map, and its sizes.
struct Access {
    map: Vec<String>,
    dims: Vec<Dim>,
}

impl Gen<'_> {
    pub(super) fn structured(&mut self) {
        let on_tensors = self.parallel.is_some() || self.rng.chance(50);
        match self.rng.below(10) {
            0..6 => self.generic(on_tensors),
            6 | 7 => self.contraction(on_tensors),
            8 => self.moved(on_tensors),
            _ => self.reduced(on_tensors),
        }
    }

    /// What a structured operation of a type takes: a buffer or a tensor with these sizes.
    pub(super) fn operand(&mut self, dims: Vec<Dim>, elem: Elem, on_tensors: bool) -> Value {
        let sizes = |dims: &[Dim]| -> Vec<i64> { dims.iter().map(|dim| dim.size).collect() };
        let wanted = sizes(&dims);
        let readable: Vec<String> = (self.values.iter())
            .filter(|value| !on_tensors && self.can_read(value))
            .map(|value| value.name.clone())
            .collect();
        let found = self.pick(|value| match &value.ty {
            Ty::Tensor(dims, e) => on_tensors && *e == elem && sizes(dims) == wanted,
            Ty::MemRef(mem) => {
                readable.contains(&value.name) && mem.elem == elem && sizes(&mem.dims) == wanted
            }
            _ => false,
        });
        if let Some(found) = found
            && self.rng.chance(85)
        {
            return found;
        }
        match on_tensors {
            true => {
                let ty = Ty::Tensor(dims, elem);
                let name = self.value_of(&ty);
                self.value(name, ty)
            }
            false => self.allocated(Mem::new(dims, elem)),
        }
    }

    /// What a structured operation writes to: not what it reads.
    pub(super) fn destination(
        &mut self,
        dims: Vec<Dim>,
        elem: Elem,
        on_tensors: bool,
        ins: &[Value],
    ) -> Value {
        if on_tensors {
            return self.operand(dims, elem, true);
        }
        let wanted: Vec<i64> = dims.iter().map(|dim| dim.size).collect();
        let writable: Vec<String> = (self.values.iter())
            .filter(|value| {
                self.can_write(value)
                    && self.can_read(value)
                    && value.root != 0
                    && ins
                        .iter()
                        .all(|other| other.root != value.root && other.root != 0)
            })
            .map(|value| value.name.clone())
            .collect();
        let found = self.pick(|value| {
            writable.contains(&value.name)
                && value.ty.as_mem().is_some_and(|mem| {
                    mem.elem == elem
                        && mem
                            .dims
                            .iter()
                            .map(|dim| dim.size)
                            .eq(wanted.iter().copied())
                })
        });
        match found {
            Some(found) if self.rng.chance(85) => found,
            _ => self.allocated(Mem::new(dims, elem)),
        }
    }

    /// `ins(...) outs(...)`.
    pub(super) fn ins_outs(ins: &[Value], outs: &[Value]) -> String {
        let list = |values: &[Value]| {
            let names: Vec<&str> = values.iter().map(|value| value.name.as_str()).collect();
            let types: Vec<String> = values.iter().map(|value| value.ty.text()).collect();
            format!("{} : {}", names.join(", "), types.join(", "))
        };
        match ins.is_empty() {
            true => format!("outs({})", list(outs)),
            false => format!("ins({}) outs({})", list(ins), list(outs)),
        }
    }

    /// `%x = ` for operations on tensors, and what is put in scope behind them.
    pub(super) fn structured_results(
        &mut self,
        outs: &[Value],
        on_tensors: bool,
    ) -> (String, Vec<Value>) {
        if !on_tensors {
            return (String::new(), Vec::new());
        }
        let name = self.fresh();
        if let [out] = outs {
            let value = self.value(name.clone(), out.ty.clone());
            return (format!("{name} = "), vec![value]);
        }
        let value = |(at, out): (usize, &Value)| self.value(format!("{name}#{at}"), out.ty.clone());
        let values = outs.iter().enumerate().map(value).collect();
        (format!("{name}:{} = ", outs.len()), values)
    }

    /// Allocations that a body may not read: iterations are parallel, and others write them.
    fn written_roots(outs: &[Value], on_tensors: bool) -> Vec<usize> {
        match on_tensors {
            true => Vec::new(),
            false => outs.iter().map(|out| out.root).chain([0]).collect(),
        }
    }

    /// A map of some of the loops, in any order, or with sums of two of them; what it reaches.
    fn access(&mut self, extents: &[i64], is_plain: bool) -> Access {
        let n = extents.len();
        let order = self.permutation(n);
        let keep = match is_plain {
            true => n,
            false => self.rng.range(1.min(n), n),
        };
        let (mut map, mut dims) = (Vec::new(), Vec::new());
        let open = self.rng.chance(20);
        for &at in order.iter().take(keep) {
            let mut text = format!("d{at}");
            let mut size = extents[at];
            let mut is_open = open && size <= 60;
            if !is_plain && n > 1 && self.rng.chance(12) {
                let other = self.rng.below(n);
                let factor = self.rng.range(1, 2) as i64;
                text = match factor {
                    1 => format!("d{at} + d{other}"),
                    _ => format!("d{at} * {factor} + d{other}"),
                };
                size = (extents[at] - 1) * factor + extents[other];
                is_open = false;
            }
            map.push(text);
            dims.push(Dim { size, is_open });
        }
        if !is_plain && self.rng.chance(6) && n > 0 {
            // A diagonal, or an edge.
            let at = self.rng.below(n);
            let (text, size) = match self.rng.chance(60) {
                true => (format!("d{at}"), extents[at]),
                false => ("0".to_owned(), 1),
            };
            map.push(text);
            dims.push(Dim::fixed(size));
        }
        Access { map, dims }
    }

    fn map_text(n_loops: usize, map: &[String]) -> String {
        let dims: Vec<String> = (0..n_loops).map(|at| format!("d{at}")).collect();
        format!("affine_map<({}) -> ({})>", dims.join(", "), map.join(", "))
    }

    fn generic(&mut self, on_tensors: bool) {
        // The first operand is one that is there, and gives the loops.
        let first = match on_tensors {
            true => self.pick(|value| matches!(&value.ty, Ty::Tensor(dims, _) if dims.iter().all(|dim| dim.size > 0))),
            false => self.readable(1),
        };
        let mut ins: Vec<Value> = Vec::new();
        let mut maps: Vec<Vec<String>> = Vec::new();
        let mut extents: Vec<i64> = Vec::new();
        if let Some(first) = first {
            let sizes: Vec<i64> = match &first.ty {
                Ty::Tensor(dims, _) => dims.iter().map(|dim| dim.size).collect(),
                Ty::MemRef(mem) => mem.dims.iter().map(|dim| dim.size).collect(),
                _ => return,
            };
            let order = self.permutation(sizes.len());
            let mut at_loop = vec![0; sizes.len()];
            for (number, &at) in order.iter().enumerate() {
                at_loop[at] = number;
                extents.push(sizes[at]);
            }
            maps.push(at_loop.iter().map(|number| format!("d{number}")).collect());
            ins.push(first);
        }
        if extents.is_empty() || self.rng.chance(40) && extents.len() < 4 {
            let size = self.size().clamp(1, 9);
            extents.push(size);
        }
        let n = extents.len();
        let total: i64 = extents.iter().product();
        if total > 4000 || total * self.repeats > 60_000 || total == 0 {
            return;
        }
        for _ in 0..self.rng.range(0, 2) {
            let access = self.access(&extents, false);
            if access.dims.iter().map(|dim| dim.size).product::<i64>() > 4000 {
                continue;
            }
            let elem = self.elem();
            ins.push(self.operand(access.dims, elem, on_tensors));
            maps.push(access.map);
        }
        let n_outs = if self.rng.chance(15) { 2 } else { 1 };
        let mut outs = Vec::new();
        let mut out_loops: Vec<bool> = vec![true; n];
        let keep = if self.rng.chance(60) {
            n
        } else {
            self.rng.range(0, n)
        };
        let order = self.permutation(n);
        for (number, &at) in order.iter().enumerate() {
            out_loops[at] = number < keep;
        }
        for _ in 0..n_outs {
            let order = self.permutation(n);
            let kept: Vec<usize> = order.into_iter().filter(|&at| out_loops[at]).collect();
            let map: Vec<String> = kept.iter().map(|at| format!("d{at}")).collect();
            let open = self.rng.chance(20);
            let dims: Vec<Dim> = (kept.iter())
                .map(|&at| Dim {
                    size: extents[at],
                    is_open: open && extents[at] <= 60,
                })
                .collect();
            let elem = self.elem();
            let both: Vec<Value> = ins.iter().chain(&outs).cloned().collect();
            outs.push(self.destination(dims, elem, on_tensors, &both));
            maps.push(map);
        }
        // Each loop needs an operand that says how long it is.
        let known = |at: usize, maps: &[Vec<String>]| {
            maps.iter().any(|map| map.contains(&format!("d{at}")))
        };
        let missing: Vec<usize> = (0..n).filter(|&at| !known(at, &maps)).collect();
        if !missing.is_empty() {
            let dims = missing.iter().map(|&at| Dim::fixed(extents[at])).collect();
            let elem = self.elem();
            let operand = self.operand(dims, elem, on_tensors);
            if outs
                .iter()
                .any(|out| !on_tensors && (out.root == operand.root || operand.root == 0))
            {
                return;
            }
            let at = ins.len();
            ins.push(operand);
            maps.insert(at, missing.iter().map(|at| format!("d{at}")).collect());
        }
        let kinds: Vec<&str> = (out_loops.iter())
            .map(|&is_out| {
                if is_out {
                    "\"parallel\""
                } else {
                    "\"reduction\""
                }
            })
            .collect();
        let maps: Vec<String> = maps.iter().map(|map| Self::map_text(n, map)).collect();
        let (head, results) = self.structured_results(&outs, on_tensors);
        self.line(format!(
            "{head}linalg.generic {{indexing_maps = [{}], iterator_types = [{}]}} {} {{",
            maps.join(", "),
            kinds.join(", "),
            Self::ins_outs(&ins, &outs)
        ));
        let scalars: Vec<Ty> = ins
            .iter()
            .chain(&outs)
            .map(|value| Ty::Scalar(value.ty.elem()))
            .collect();
        let has_reduction = keep < n;
        let written = Self::written_roots(&outs, on_tensors);
        written
            .iter()
            .for_each(|&root| self.roots[root].is_freed = true);
        self.scope(|g| {
            let names: Vec<String> = scalars.iter().map(|_| g.fresh()).collect();
            let arguments: Vec<String> = names
                .iter()
                .zip(&scalars)
                .map(|(name, ty)| format!("{name} : {}", ty.text()))
                .collect();
            g.line(format!("^bb0({}):", arguments.join(", ")));
            for (name, ty) in names.iter().zip(&scalars) {
                let value = g.value(name.clone(), ty.clone());
                g.values.push(value);
            }
            if g.rng.chance(25) && n > 0 {
                let at = g.rng.below(n);
                g.define_index((0, extents[at] - 1), format!("linalg.index {at} : index"));
            }
            for _ in 0..g.rng.range(1, 4) {
                g.scalar_operation();
            }
            let yielded: Vec<String> = outs
                .iter()
                .enumerate()
                .map(|(at, out)| {
                    let elem = out.ty.elem();
                    let value = g.value_of(&Ty::Scalar(elem));
                    match has_reduction || g.rng.chance(30) {
                        true => g.combined(&names[ins.len() + at], &value, elem),
                        false => value,
                    }
                })
                .collect();
            let types: Vec<String> = outs.iter().map(|out| out.ty.elem().text()).collect();
            g.line(format!(
                "linalg.yield {} : {}",
                yielded.join(", "),
                types.join(", ")
            ));
        });
        written
            .iter()
            .for_each(|&root| self.roots[root].is_freed = false);
        let tail = match on_tensors {
            false => "}".to_owned(),
            true => {
                let types: Vec<String> = outs.iter().map(|out| out.ty.text()).collect();
                match types.len() {
                    1 => format!("}} -> {}", types[0]),
                    _ => format!("}} -> ({})", types.join(", ")),
                }
            }
        };
        self.line(tail);
        self.values.extend(results);
    }

    /// Transposes and broadcasts.
    fn moved(&mut self, on_tensors: bool) {
        let source = match on_tensors {
            true => self.pick(|value| matches!(&value.ty, Ty::Tensor(dims, _) if !dims.is_empty())),
            false => self.readable(1),
        };
        let Some(source) = source else { return };
        let dims = match &source.ty {
            Ty::Tensor(dims, _) => dims.clone(),
            Ty::MemRef(mem) => mem.dims.clone(),
            _ => return,
        };
        let elem = source.ty.elem();
        let text = |numbers: &[usize]| {
            numbers
                .iter()
                .map(usize::to_string)
                .collect::<Vec<_>>()
                .join(", ")
        };
        let (what, attr, new) = match self.rng.chance(60) {
            true => {
                let order = self.permutation(dims.len());
                let new: Vec<Dim> = order.iter().map(|&at| dims[at]).collect();
                (
                    "transpose",
                    format!("permutation = [{}]", text(&order)),
                    new,
                )
            }
            false => {
                let at = self.rng.below(dims.len() + 1);
                let mut new = dims.clone();
                new.insert(at, Dim::fixed(self.rng.range(1, 4) as i64));
                ("broadcast", format!("dimensions = [{at}]"), new)
            }
        };
        if new.iter().map(|dim| dim.size).product::<i64>() > 2000 {
            return;
        }
        let out = self.destination(new.clone(), elem, on_tensors, std::slice::from_ref(&source));
        // These want sizes that are open in both or in none.
        if match &out.ty {
            Ty::Tensor(dims, _) => *dims != new,
            Ty::MemRef(mem) => mem.dims != new,
            _ => true,
        } {
            return;
        }
        let outs = [out];
        let (head, results) = self.structured_results(&outs, on_tensors);
        let list = Self::ins_outs(&[source], &outs).replace(" : ", ":");
        self.line(format!("{head}linalg.{what} {list} {attr}"));
        self.values.extend(results);
    }

    /// Reductions and maps by name.
    fn reduced(&mut self, on_tensors: bool) {
        let source = match on_tensors {
            true => self.pick(|value| matches!(&value.ty, Ty::Tensor(dims, _) if !dims.is_empty())),
            false => self.readable(1),
        };
        let Some(source) = source else { return };
        let dims = match &source.ty {
            Ty::Tensor(dims, _) => dims.clone(),
            Ty::MemRef(mem) => mem.dims.clone(),
            _ => return,
        };
        if dims.iter().map(|dim| dim.size).product::<i64>() * self.repeats > 60_000 {
            return;
        }
        let elem = source.ty.elem();
        let scalar = Ty::Scalar(elem);
        let is_map = self.rng.chance(40);
        let kept: Vec<bool> = dims.iter().map(|_| is_map || self.rng.chance(50)).collect();
        let new: Vec<Dim> = dims
            .iter()
            .zip(&kept)
            .filter(|(_, kept)| **kept)
            .map(|(dim, _)| *dim)
            .collect();
        let gone: Vec<String> = (0..dims.len())
            .filter(|&at| !kept[at])
            .map(|at| at.to_string())
            .collect();
        let out = self.destination(new.clone(), elem, on_tensors, std::slice::from_ref(&source));
        // These want sizes that are open in both or in none.
        if match &out.ty {
            Ty::Tensor(dims, _) => *dims != new,
            Ty::MemRef(mem) => mem.dims != new,
            _ => true,
        } {
            return;
        }
        let outs = [out];
        let written = Self::written_roots(&outs, on_tensors);
        let (head, results) = self.structured_results(&outs, on_tensors);
        let ty = scalar.text();
        let (a, b) = (self.fresh(), self.fresh());
        let list = Self::ins_outs(&[source], &outs).replace(" : ", ":");
        match is_map {
            true => self.line(format!("{head}linalg.map {list}")),
            false => self.line(format!(
                "{head}linalg.reduce {list} dimensions = [{}]",
                gone.join(", ")
            )),
        }
        self.indent += 1;
        match is_map {
            true => self.line(format!("({a} : {ty}) {{")),
            false => self.line(format!("({a} : {ty}, {b} : {ty}) {{")),
        }
        written
            .iter()
            .for_each(|&root| self.roots[root].is_freed = true);
        self.scope(|g| {
            let value = g.value(a.clone(), scalar.clone());
            g.values.push(value);
            let other = match is_map {
                true => g.value_of(&scalar),
                false => b.clone(),
            };
            let new = g.combined(&a, &other, elem);
            g.line(format!("linalg.yield {new} : {ty}"));
        });
        written
            .iter()
            .for_each(|&root| self.roots[root].is_freed = false);
        self.line("}");
        self.indent -= 1;
        self.values.extend(results);
    }

    // Tensors.

    pub(super) fn make_tensor(&mut self, dims: Vec<Dim>, elem: Elem) -> String {
        let ty = Ty::Tensor(dims.clone(), elem);
        let scalar = Ty::Scalar(elem);
        let text = ty.text();
        let n: i64 = dims.iter().map(|dim| dim.size).product();
        let is_open = dims.iter().any(|dim| dim.is_open);
        let is_complex = matches!(elem, Elem::Complex(_));
        match self.rng.below(6) {
            0 if !is_complex => {
                let value = self.value_of(&scalar);
                let open: Vec<String> = dims
                    .iter()
                    .filter(|dim| dim.is_open)
                    .map(|&dim| self.size_value(dim).name)
                    .collect();
                let open = if open.is_empty() {
                    String::new()
                } else {
                    format!("[{}]", open.join(", "))
                };
                self.define(ty, format!("tensor.splat {value}{open} : {text}"))
                    .name
            }
            1 => {
                let value = self.value_of(&scalar);
                let open = self.open_sizes(&dims);
                let empty = self
                    .define(ty.clone(), format!("tensor.empty{open} : {text}"))
                    .name;
                self.values.pop();
                self.define(
                    ty,
                    format!(
                        "linalg.fill ins({value} : {}) outs({empty} : {text}) -> {text}",
                        scalar.text()
                    ),
                )
                .name
            }
            2 => {
                let open: Vec<String> = dims
                    .iter()
                    .filter(|dim| dim.is_open)
                    .map(|&dim| self.size_value(dim).name)
                    .collect();
                let result = self.fresh();
                self.line(format!("{result} = tensor.generate {} {{", open.join(", ")));
                self.scope(|g| {
                    let names: Vec<String> = dims.iter().map(|_| g.fresh()).collect();
                    let arguments: Vec<String> =
                        names.iter().map(|name| format!("{name} : index")).collect();
                    g.line(format!("^bb0({}):", arguments.join(", ")));
                    for (name, dim) in names.iter().zip(&dims) {
                        let mut value = g.value(name.clone(), Ty::INDEX);
                        value.range = Some((0, (dim.size - 1).max(0)));
                        g.values.push(value);
                    }
                    let number = match names.is_empty() {
                        true => g.index(3).name,
                        false => g.any_index(),
                    };
                    let value = g.number_of(&number, elem);
                    g.line(format!("tensor.yield {value} : {}", scalar.text()));
                });
                self.line(format!("}} : {text}"));
                let value = self.value(result.clone(), ty);
                self.values.push(value);
                result
            }
            3 if !is_open && n <= 12 && n > 0 => {
                let values: Vec<String> = (0..n).map(|_| self.value_of(&scalar)).collect();
                self.define(
                    ty,
                    format!("tensor.from_elements {} : {text}", values.join(", ")),
                )
                .name
            }
            _ => {
                let fixed: Vec<Dim> = dims.iter().map(|dim| Dim::fixed(dim.size)).collect();
                let constant = self.constant(&Ty::Tensor(fixed, elem));
                match is_open {
                    true => {
                        self.define(
                            ty,
                            format!(
                                "tensor.cast {} : {} to {text}",
                                constant.name,
                                constant.ty.text()
                            ),
                        )
                        .name
                    }
                    false => constant.name,
                }
            }
        }
    }

    /// A tensor of which each element is a function of one of another.
    pub(super) fn mapped_tensor(&mut self, source: &Value) -> String {
        let ty = source.ty.clone();
        let scalar = Ty::Scalar(ty.elem());
        let (text, elem) = (ty.text(), scalar.text());
        let result = self.fresh();
        let (a, b) = (self.fresh(), self.fresh());
        let out = self.value_of(&ty);
        self.line(format!(
            "{result} = linalg.generic {{indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], \
             iterator_types = [\"parallel\"]}} ins({} : {text}) outs({out} : {text}) {{",
            source.name
        ));
        self.scope(|g| {
            g.line(format!("^bb0({a} : {elem}, {b} : {elem}):"));
            let value = g.value(a.clone(), scalar.clone());
            g.values.push(value);
            let other = g.value_of(&scalar);
            let new = g.combined(&a, &other, scalar.elem());
            g.line(format!("linalg.yield {new} : {elem}"));
        });
        self.line(format!("}} -> {text}"));
        let value = self.value(result.clone(), ty);
        self.values.push(value);
        result
    }

    fn tensor_in_scope(&mut self) -> Option<(Value, Vec<Dim>)> {
        let tensor = self.pick(|value| matches!(&value.ty, Ty::Tensor(..)))?;
        match &tensor.ty {
            Ty::Tensor(dims, _) => Some((tensor.clone(), dims.clone())),
            _ => None,
        }
    }

    /// Offsets, sizes and strides of a slice: their texts and the sizes.
    fn slice(&mut self, dims: &[Dim]) -> (String, Vec<Dim>) {
        let (mut o, mut s, mut t, mut new) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for dim in dims {
            let step = *self.rng.pick(&[1, 1, 1, 2]);
            let from = self.rng.below(dim.size.max(1) as usize) as i64;
            let most = (dim.size - from + step - 1) / step;
            let size = if most <= 0 {
                0
            } else {
                self.rng.range(1, most as usize) as i64
            };
            let is_open = self.rng.chance(25) && size < 60;
            o.push(match self.rng.chance(40) {
                true => self.subscript((from + 1).min(dim.size - (size - 1) * step).max(1)),
                false => from.to_string(),
            });
            s.push(if is_open {
                self.opaque(size).name
            } else {
                size.to_string()
            });
            t.push(step.to_string());
            new.push(Dim { size, is_open });
        }
        (
            format!("[{}] [{}] [{}]", o.join(", "), s.join(", "), t.join(", ")),
            new,
        )
    }

    /// An operation of the tensor dialect.
    pub(super) fn tensor_statement(&mut self) {
        let Some((tensor, dims)) = self.tensor_in_scope() else {
            let rank = self.rng.range(1, 3);
            let dims = self.some_dims(rank, 20);
            let elem = self.elem();
            self.make_tensor(dims, elem);
            return;
        };
        let (name, text, elem) = (tensor.name.clone(), tensor.ty.text(), tensor.ty.elem());
        let n: i64 = dims.iter().map(|dim| dim.size).product();
        match self.rng.below(12) {
            0 | 1 => {
                let (slice, new) = self.slice(&dims);
                let ty = Ty::Tensor(new, elem);
                self.define(
                    ty.clone(),
                    format!(
                        "tensor.extract_slice {name}{slice} : {text} to {}",
                        ty.text()
                    ),
                );
            }
            2 | 3 => {
                let (slice, new) = self.slice(&dims);
                let ty = Ty::Tensor(new, elem);
                let value = self.value_of(&ty);
                self.define(
                    tensor.ty,
                    format!(
                        "tensor.insert_slice {value} into {name}{slice} : {} into {text}",
                        ty.text()
                    ),
                );
            }
            4 if n > 0 => {
                let at: Vec<String> = dims.iter().map(|dim| self.subscript(dim.size)).collect();
                let value = self.value_of(&Ty::Scalar(elem));
                self.define(
                    tensor.ty,
                    format!(
                        "tensor.insert {value} into {name}[{}] : {text}",
                        at.join(", ")
                    ),
                );
            }
            5 if dims.len() > 1 => {
                let groups = self.groups(dims.len());
                let new: Vec<Dim> = (groups.iter())
                    .map(|group| {
                        group
                            .iter()
                            .fold(Dim::fixed(1), |all, &at| all.times(dims[at]))
                    })
                    .collect();
                let ty = Ty::Tensor(new, elem);
                let groups = super::views::groups_text(&groups);
                self.define(
                    ty.clone(),
                    format!(
                        "tensor.collapse_shape {name} {groups} : {text} into {}",
                        ty.text()
                    ),
                );
            }
            6 if !dims.is_empty() => {
                let (groups, new) = self.split_dims(&dims);
                let shape: Vec<String> = new
                    .iter()
                    .map(|&dim| match dim.is_open {
                        true => self.size_value(dim).name,
                        false => dim.size.to_string(),
                    })
                    .collect();
                let ty = Ty::Tensor(new, elem);
                let groups = super::views::groups_text(&groups);
                self.define(
                    ty.clone(),
                    format!(
                        "tensor.expand_shape {name} {groups} output_shape [{}] : {text} into {}",
                        shape.join(", "),
                        ty.text()
                    ),
                );
            }
            7 => {
                let (mut low, mut high, mut new) = (Vec::new(), Vec::new(), Vec::new());
                for dim in &dims {
                    let (a, b) = (self.rng.below(3) as i64, self.rng.below(3) as i64);
                    let is_open = dim.is_open || self.rng.chance(15);
                    low.push(if is_open && !dim.is_open {
                        self.opaque(a).name
                    } else {
                        a.to_string()
                    });
                    high.push(b.to_string());
                    new.push(Dim {
                        size: dim.size + a + b,
                        is_open,
                    });
                }
                let ty = Ty::Tensor(new, elem);
                let value = self.value_of(&Ty::Scalar(elem));
                let arguments: Vec<String> = dims
                    .iter()
                    .map(|_| format!("{} : index", self.fresh()))
                    .collect();
                let result = self.fresh();
                self.line(format!(
                    "{result} = tensor.pad {name} low[{}] high[{}] {{",
                    low.join(", "),
                    high.join(", ")
                ));
                self.line(format!("^bb0({}):", arguments.join(", ")));
                self.line(format!("  tensor.yield {value} : {}", elem.text()));
                self.line(format!("}} : {text} to {}", ty.text()));
                let value = self.value(result, ty);
                self.values.push(value);
            }
            8 if !dims.is_empty() => {
                let at = self.rng.below(dims.len());
                let mut other = dims.clone();
                other[at] = Dim::fixed(self.rng.range(1, 4) as i64);
                let other_ty = Ty::Tensor(other.clone(), elem);
                let value = self.value_of(&other_ty);
                let mut new = dims.clone();
                new[at] = dims[at].plus(other[at]);
                let ty = Ty::Tensor(new, elem);
                self.define(
                    ty.clone(),
                    format!(
                        "tensor.concat dim({at}) {name}, {value} : ({text}, {}) -> {}",
                        other_ty.text(),
                        ty.text()
                    ),
                );
            }
            9 => {
                let new: Vec<Dim> = dims
                    .iter()
                    .map(|dim| Dim {
                        is_open: self.rng.chance(50),
                        ..*dim
                    })
                    .collect();
                let ty = Ty::Tensor(new, elem);
                self.define(
                    ty.clone(),
                    format!("tensor.cast {name} : {text} to {}", ty.text()),
                );
            }
            10 if !dims.is_empty() => {
                let at = self.rng.below(dims.len());
                let size = dims[at].size;
                let number = self.index(at as i64).name;
                self.define_index(
                    (size, size),
                    format!("tensor.dim {name}, {number} : {text}"),
                );
            }
            11 if self.parallel.is_none() => {
                // From and to buffers.
                let mem = Mem::new(dims, elem);
                let ty = Ty::MemRef(mem.clone());
                if self.rng.chance(50) {
                    let root = self.new_root(false);
                    self.roots[root].is_writable = false;
                    self.define_buffer(
                        mem,
                        root,
                        format!("bufferization.to_memref {name} read_only : {}", ty.text()),
                    );
                } else {
                    let root = self.new_root(true);
                    self.roots[root].is_writable = false;
                    let sizes = self.open_sizes(&mem.dims);
                    let buffer = self.define_buffer(
                        mem,
                        root,
                        format!("memref.alloc{sizes} : {}", ty.text()),
                    );
                    self.line(format!("bufferization.materialize_in_destination {name} in writable {} : ({text}, {}) -> ()", buffer.name, ty.text()));
                }
            }
            _ => {
                if let Some((other, other_dims)) = self.tensor_in_scope()
                    && other.ty == tensor.ty
                    && !other_dims.is_empty()
                {
                    let flag = self.value_of(&Ty::BOOL);
                    self.define(
                        tensor.ty,
                        format!("arith.select {flag}, {name}, {} : {text}", other.name),
                    );
                }
            }
        }
    }
}
