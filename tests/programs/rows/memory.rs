//! Buffers: allocations, elements, copies, frees.

use super::build::{Gen, Value};
use super::types::{Dim, Elem, Layout, Mem, Ty};

impl<'a> Gen<'a> {
    /// Sizes of a buffer or a tensor of at most 600 elements.
    pub(super) fn some_dims(&mut self, rank: usize, percent_open: usize) -> Vec<Dim> {
        let mut dims: Vec<Dim> = (0..rank).map(|_| self.dim(percent_open)).collect();
        while dims.iter().map(|dim| dim.size.max(1)).product::<i64>() > 600 {
            let at = self.rng.below(rank);
            dims[at] = Dim::fixed(2);
        }
        dims
    }

    pub(super) fn some_rank(&mut self) -> usize {
        *self.rng.pick(&[1, 2, 1, 2, 3, 0, 1, 2, 4, 3])
    }

    /// A type of a new buffer.
    pub(super) fn some_mem(&mut self) -> Mem {
        let rank = self.some_rank();
        let open = *self.rng.pick(&[0, 0, 30, 80]);
        let dims = self.some_dims(rank, open);
        let mut mem = Mem::new(dims, self.elem());
        if self.rng.chance(10) {
            mem.layout = self.some_layout(&mem);
        }
        mem
    }

    /// A layout of a new buffer: dimensions in any order, with gaps.
    fn some_layout(&mut self, mem: &Mem) -> Option<Layout> {
        if mem.n() == 0 || mem.n() > 200 || mem.dims.iter().any(|dim| dim.is_open) {
            return None;
        }
        let mut strides = vec![Dim::fixed(1); mem.rank()];
        let mut stride = 1;
        for at in self.permutation(mem.rank()) {
            strides[at] = Dim::fixed(stride);
            let gap = if self.rng.chance(40) { 1 } else { 0 };
            stride *= mem.dims[at].size + gap;
        }
        let offset = *self.rng.pick(&[0, 0, 1, 3]);
        Some(Layout {
            strides,
            offset: Dim::fixed(offset),
        })
    }

    /// A new buffer whose elements are all written.
    pub(super) fn allocated(&mut self, mem: Mem) -> Value {
        let is_closed = mem.layout.is_none() && mem.dims.iter().all(|dim| !dim.is_open);
        if is_closed && mem.n() <= 64 && self.rng.chance(5) {
            return self.shared_global(mem);
        }
        let is_heap = self.rng.chance(80) || mem.n() > 200 || self.repeats > 200;
        let value = self.allocate(mem, is_heap);
        // Nobody reads it before.
        self.roots[value.root].is_freed = true;
        self.initialize(&value);
        self.roots[value.root].is_freed = false;
        value
    }

    /// A global of its own, which functions may return as well.
    fn shared_global(&mut self, mem: Mem) -> Value {
        let ty = Ty::MemRef(mem.clone()).text();
        let sizes: Vec<i64> = mem.dims.iter().map(|dim| dim.size).collect();
        let contents = self.dense(&sizes, mem.elem);
        let name = self.own_global(&ty, &contents);
        let root = self.new_root(false);
        self.roots[root].is_handed = true;
        self.define_buffer(mem, root, format!("memref.get_global {name} : {ty}"))
    }

    pub(super) fn allocate(&mut self, mem: Mem, is_heap: bool) -> Value {
        let sizes = self.open_sizes(&mem.dims);
        let what = if is_heap { "alloc" } else { "alloca" };
        let align = if self.rng.chance(10) {
            " {alignment = 64 : i64}"
        } else {
            ""
        };
        let root = self.new_root(is_heap);
        let ty = Ty::MemRef(mem.clone()).text();
        self.define_buffer(mem, root, format!("memref.{what}{sizes}{align} : {ty}"))
    }

    fn initialize(&mut self, buffer: &Value) {
        let Some(mem) = buffer.ty.as_mem().cloned() else {
            return;
        };
        let (name, ty) = (&buffer.name, buffer.ty.text());
        if mem.n() == 0 {
            return;
        }
        let scalar = Ty::Scalar(mem.elem);
        match self.rng.below(4) {
            0 => {
                let value = self.value_of(&scalar);
                self.line(format!(
                    "linalg.fill ins({value} : {}) outs({name} : {ty})",
                    scalar.text()
                ));
            }
            1 if mem.n() <= 64 => {
                // From a global.
                let dims: Vec<Dim> = mem.dims.iter().map(|dim| Dim::fixed(dim.size)).collect();
                let shape: Vec<i64> = dims.iter().map(|dim| dim.size).collect();
                let fixed = Ty::MemRef(Mem::new(dims, mem.elem)).text();
                let contents = self.dense(&shape, mem.elem);
                let is_constant = self.rng.chance(30);
                let global = self.global(&fixed, &contents, is_constant);
                let source = self.fresh();
                self.line(format!("{source} = memref.get_global {global} : {fixed}"));
                self.line(format!("memref.copy {source}, {name} : {fixed} to {ty}"));
            }
            2 => {
                let dims: Vec<String> = (0..mem.rank()).map(|at| format!("d{at}")).collect();
                let dims = dims.join(", ");
                let parallel = vec!["\"parallel\""; mem.rank()].join(", ");
                self.line(format!(
                    "linalg.generic {{indexing_maps = [affine_map<({dims}) -> ({dims})>], \
                     iterator_types = [{parallel}]}} outs({name} : {ty}) {{"
                ));
                self.scope(|g| {
                    let out = g.fresh();
                    g.line(format!("^bb0({out} : {}):", scalar.text()));
                    let number = g.flat_index(&mem.dims);
                    let value = g.number_of(&number, mem.elem);
                    g.line(format!("linalg.yield {value} : {}", scalar.text()));
                });
                self.line("}");
            }
            _ => {
                let ends: Vec<i64> = mem.dims.iter().map(|dim| dim.size).collect();
                self.nest(&ends, |g, at| {
                    let number = g.mixed_index(at);
                    let value = g.number_of(&number, mem.elem);
                    let at = at.join(", ");
                    g.line(format!("memref.store {value}, {name}[{at}] : {ty}"));
                });
            }
        }
    }

    /// The position in a structured operation as one number.
    fn flat_index(&mut self, dims: &[Dim]) -> String {
        let mut at = Vec::new();
        for (number, dim) in dims.iter().enumerate() {
            let range = (0, (dim.size - 1).max(0));
            at.push(
                self.define_index(range, format!("linalg.index {number} : index"))
                    .name,
            );
        }
        self.mixed_index(&at)
    }

    /// Several indices as one number that tells them apart.
    pub(super) fn mixed_index(&mut self, at: &[String]) -> String {
        let Some((first, rest)) = at.split_first() else {
            return self.index(5).name;
        };
        let mut number = first.clone();
        for next in rest {
            let factor = self.rng.range(3, 7) as i64;
            let text = format!(
                "affine.apply affine_map<(d0, d1) -> (d0 * {factor} + d1)>({number}, {next})"
            );
            number = self.define(Ty::INDEX, text).name;
        }
        let text = format!("affine.apply affine_map<(d0) -> (d0 mod 97 - 20)>({number})");
        self.define_index((-20, 76), text).name
    }

    /// Loops over all elements.
    pub(super) fn nest(&mut self, ends: &[i64], body: impl FnOnce(&mut Self, &[String])) {
        type Body<'a, 'b> = Box<dyn FnOnce(&mut Gen<'a>, &[String]) + 'b>;
        fn go<'a>(g: &mut Gen<'a>, ends: &[i64], at: &mut Vec<String>, body: Body<'a, '_>) {
            let Some((&end, rest)) = ends.split_first() else {
                return body(g, at);
            };
            let counter = g.fresh();
            let is_affine = g.rng.chance(40);
            let head = match is_affine {
                true => format!("affine.for {counter} = 0 to {end} {{"),
                false => {
                    let (zero, end, one) = (g.index(0).name, g.number(end).name, g.index(1).name);
                    format!("scf.for {counter} = {zero} to {end} step {one} {{")
                }
            };
            g.line(head);
            g.scope(|g| {
                let mut value = g.value(counter.clone(), Ty::INDEX);
                value.range = Some((0, (end - 1).max(0)));
                value.is_dim = is_affine;
                g.values.push(value);
                at.push(counter);
                go(g, rest, at, body);
            });
            g.line("}");
        }
        go(self, ends, &mut Vec::new(), Box::new(body));
    }

    /// Loads an element of a buffer.
    pub(super) fn load(&mut self, buffer: &Value) -> String {
        let mem = buffer.ty.as_mem().expect("a buffer").clone();
        let at = self.places(&mem);
        let (what, at) = at;
        let text = format!("{what}.load {}[{at}] : {}", buffer.name, buffer.ty.text());
        self.define(Ty::Scalar(mem.elem), text).name
    }

    pub(super) fn store(&mut self, value: &str, buffer: &Value) {
        let mem = buffer.ty.as_mem().expect("a buffer").clone();
        let (what, at) = self.places(&mem);
        self.line(format!(
            "{what}.store {value}, {}[{at}] : {}",
            buffer.name,
            buffer.ty.text()
        ));
    }

    /// Where an element is, and the dialect whose operations take that.
    fn places(&mut self, mem: &Mem) -> (&'static str, String) {
        let dims: Vec<Value> = (self.values.iter())
            .filter(|value| {
                value.is_dim
                    && value
                        .range
                        .is_some_and(|(low, high)| low > -1000 && high < 1000)
            })
            .cloned()
            .collect();
        if self.rng.chance(40) && !dims.is_empty() {
            let mut texts = Vec::new();
            for dim in &mem.dims {
                let n = self.rng.range(1, 2);
                let chosen: Vec<&Value> =
                    (0..n).map(|_| &dims[self.rng.below(dims.len())]).collect();
                let ranges: Vec<_> = chosen.iter().filter_map(|value| value.range).collect();
                let (text, range) = self.affine_expression(&ranges);
                let mut text = self.bounded(text, range, dim.size);
                for (at, value) in chosen.iter().enumerate() {
                    text = text.replace(&format!("d{at}"), &value.name);
                }
                texts.push(text);
            }
            return ("affine", texts.join(", "));
        }
        let sizes: Vec<i64> = mem.dims.iter().map(|dim| dim.size).collect();
        ("memref", self.subscripts(&sizes).join(", "))
    }

    /// Stores something somewhere.
    pub(super) fn store_statement(&mut self) {
        if let Some(parallel) = &self.parallel
            && let Some((target, at)) = parallel.target.clone()
            && self.rng.chance(60)
        {
            let mem = target.ty.as_mem().expect("a buffer").clone();
            let at = at.join(", ");
            let (name, ty, elem) = (&target.name, target.ty.text(), Ty::Scalar(mem.elem));
            let mut value = self.value_of(&elem);
            if self.rng.chance(50) {
                let old = self
                    .define(elem.clone(), format!("memref.load {name}[{at}] : {ty}"))
                    .name;
                value = self.combined(&old, &value, mem.elem);
            }
            self.line(format!("memref.store {value}, {name}[{at}] : {ty}"));
            return;
        }
        let Some(buffer) = self.writable(0) else {
            return;
        };
        let elem = buffer.ty.elem();
        let scalar = Ty::Scalar(elem);
        match self.rng.below(10) {
            // The same place read and written.
            0..3 if self.can_read(&buffer) => {
                let mem = buffer.ty.as_mem().expect("a buffer").clone();
                let (what, at) = self.places(&mem);
                let ty = buffer.ty.text();
                let old = self.define(
                    scalar.clone(),
                    format!("{what}.load {}[{at}] : {ty}", buffer.name),
                );
                let other = self.value_of(&scalar);
                let value = self.combined(&old.name, &other, elem);
                self.line(format!(
                    "{what}.store {value}, {}[{at}] : {ty}",
                    buffer.name
                ));
            }
            3 if elem.is_int() && elem != Elem::Int(1) || elem.is_float() => self.atomic(&buffer),
            _ => {
                let value = self.value_of(&scalar);
                self.store(&value, &buffer);
            }
        }
    }

    /// Two numbers as one.
    pub(super) fn combined(&mut self, a: &str, b: &str, elem: Elem) -> String {
        let what = match elem {
            Elem::Int(_) | Elem::Index => *self.rng.pick(&[
                "arith.addi",
                "arith.muli",
                "arith.xori",
                "arith.subi",
                "arith.maxsi",
                "arith.minui",
            ]),
            Elem::Float(_) => *self.rng.pick(&[
                "arith.addf",
                "arith.mulf",
                "arith.subf",
                "arith.maximumf",
                "arith.minimumf",
            ]),
            Elem::Complex(_) => *self
                .rng
                .pick(&["complex.add", "complex.sub", "complex.mul"]),
        };
        let ty = Ty::Scalar(elem);
        let text = format!("{what} {a}, {b} : {}", ty.text());
        self.define(ty, text).name
    }

    fn atomic(&mut self, buffer: &Value) {
        let mem = buffer.ty.as_mem().expect("a buffer").clone();
        let sizes: Vec<i64> = mem.dims.iter().map(|dim| dim.size).collect();
        let at = self.subscripts(&sizes).join(", ");
        let scalar = Ty::Scalar(mem.elem);
        let (elem, ty, name) = (scalar.text(), buffer.ty.text(), &buffer.name);
        if self.rng.chance(40) {
            let result = self.fresh();
            self.line(format!(
                "{result} = memref.generic_atomic_rmw {name}[{at}] : {ty} {{"
            ));
            self.scope(|g| {
                let old = g.fresh();
                g.line(format!("^bb0({old} : {elem}):"));
                let value = g.value(old.clone(), scalar.clone());
                g.values.push(value);
                let other = g.constant(&scalar).name;
                let new = g.combined(&old, &other, mem.elem);
                g.line(format!("memref.atomic_yield {new} : {elem}"));
            });
            self.line("}");
            let value = self.value(result, scalar);
            self.values.push(value);
            return;
        }
        let kinds: &[&str] = match mem.elem.is_float() {
            true => &["addf", "mulf", "maximumf", "minimumf", "assign"],
            false => &[
                "addi", "muli", "maxs", "minu", "andi", "ori", "mins", "maxu", "assign",
            ],
        };
        let kind = *self.rng.pick(kinds);
        let value = self.value_of(&scalar);
        self.define(
            scalar,
            format!("memref.atomic_rmw {kind} {value}, {name}[{at}] : ({elem}, {ty}) -> {elem}"),
        );
    }

    /// A copy from one buffer to another.
    pub(super) fn copy_statement(&mut self) {
        let Some(source) = self.readable(0) else {
            return;
        };
        let Some(mem) = source.ty.as_mem().cloned() else {
            return;
        };
        let sizes: Vec<i64> = mem.dims.iter().map(|dim| dim.size).collect();
        let writable: Vec<String> = (self.values.iter())
            .filter(|value| {
                self.can_write(value) && value.root != source.root && value.root * source.root != 0
            })
            .map(|value| value.name.clone())
            .collect();
        let found = self.pick(|value| {
            writable.contains(&value.name)
                && value.ty.as_mem().is_some_and(|other| {
                    other.elem == mem.elem
                        && other
                            .dims
                            .iter()
                            .map(|dim| dim.size)
                            .eq(sizes.iter().copied())
                })
        });
        let target = match found {
            Some(target) => target,
            None if self.rng.chance(40) => {
                // A copy of its own.
                let (name, ty) = (&source.name, source.ty.text());
                let root = self.new_root(true);
                let clone = self.define_buffer(
                    mem,
                    root,
                    format!("bufferization.clone {name} : {ty} to {ty}"),
                );
                self.roots[clone.root].is_writable = false;
                return;
            }
            None => {
                let dims = mem.dims.clone();
                self.allocate(Mem::new(dims, mem.elem), true)
            }
        };
        let what = match self.rng.chance(60) {
            true => format!(
                "memref.copy {}, {} : {} to {}",
                source.name,
                target.name,
                source.ty.text(),
                target.ty.text()
            ),
            false => format!(
                "linalg.copy ins({} : {}) outs({} : {})",
                source.name,
                source.ty.text(),
                target.name,
                target.ty.text()
            ),
        };
        self.line(what);
    }

    /// A larger or smaller buffer with the same contents, in place of the old one.
    pub(super) fn realloc_statement(&mut self) {
        let first = self.roots.len();
        let size = self.rng.range(1, 12) as i64;
        let elem = self.elem();
        let old = self.allocated(Mem::new(vec![Dim::open(size)], elem));
        if !self.roots[old.root].is_heap || self.roots.len() != first + 1 {
            return;
        }
        let new_size = Dim::open(self.rng.range(1, 20) as i64);
        let n = self.size_value(new_size).name;
        let mem = Mem::new(vec![new_size], elem);
        let ty = old.ty.text();
        self.roots[old.root].is_freed = true;
        let root = self.new_root(true);
        let new = self.define_buffer(
            mem,
            root,
            format!("memref.realloc {}({n}) : {ty} to {ty}", old.name),
        );
        // What is new in it is not written yet.
        if new_size.size > size {
            let value = self.value_of(&Ty::Scalar(elem));
            let (from, to, one) = (
                self.number(size).name,
                self.number(new_size.size).name,
                self.index(1).name,
            );
            let counter = self.fresh();
            self.line(format!("scf.for {counter} = {from} to {to} step {one} {{"));
            self.line(format!(
                "  memref.store {value}, {}[{counter}] : {}",
                new.name,
                new.ty.text()
            ));
            self.line("}");
        }
    }

    /// Frees a buffer by hand.
    pub(super) fn free_statement(&mut self) {
        if self.buffers_flow {
            return;
        }
        let first = self.scope_root;
        let roots = &self.roots;
        let free: Vec<String> = (self.values.iter())
            .filter(|value| {
                value.root >= first.max(1)
                    && value.ty.as_mem().is_some_and(|mem| mem.layout.is_none())
                    && roots[value.root].is_heap
                    && !roots[value.root].is_freed
            })
            .map(|value| value.name.clone())
            .collect();
        if let Some(buffer) = self.pick(|value| free.contains(&value.name)) {
            // The first name of it is what was allocated.
            let base = (self.values.iter()).find(|value| value.root == buffer.root);
            let Some(base) = base.cloned() else { return };
            if base.ty.as_mem().is_none() {
                return;
            }
            self.roots[base.root].is_freed = true;
            self.line(format!("memref.dealloc {} : {}", base.name, base.ty.text()));
        }
    }

    /// A number that a buffer knows, or a promise about it.
    pub(super) fn fact(&mut self) {
        let Some(base) = self.readable(0) else { return };
        let Some(mem) = base.ty.as_mem().cloned() else {
            return;
        };
        let (name, ty) = (&base.name, base.ty.text());
        match self.rng.below(5) {
            4 => {
                // Buffers of two allocations, and a promise that they are.
                let roots: Vec<String> = (self.values.iter())
                    .filter(|value| {
                        self.can_read(value)
                            && value.root != 0
                            && base.root != 0
                            && value.root != base.root
                    })
                    .map(|value| value.name.clone())
                    .collect();
                let Some(other) = self.pick(|value| roots.contains(&value.name)) else {
                    return;
                };
                let Some(other_mem) = other.ty.as_mem().cloned() else {
                    return;
                };
                let result = self.fresh();
                self.line(format!(
                    "{result}:2 = memref.distinct_objects {name}, {} : {ty}, {}",
                    other.name,
                    other.ty.text()
                ));
                for (at, (mem, root)) in [(mem, base.root), (other_mem, other.root)]
                    .into_iter()
                    .enumerate()
                {
                    let mut value = self.value(format!("{result}#{at}"), Ty::MemRef(mem));
                    value.root = root;
                    self.values.push(value);
                }
            }
            0 | 1 if mem.rank() > 0 => {
                let at = self.rng.below(mem.rank());
                let size = mem.dims[at].size;
                let number = self.number(at as i64).name;
                self.define_index((size, size), format!("memref.dim {name}, {number} : {ty}"));
            }
            2 => {
                let n = mem.rank() as i64;
                self.define_index((n, n), format!("memref.rank {name} : {ty}"));
            }
            _ if mem.elem.width() >= 8 && mem.elem.width().is_power_of_two() => {
                let bytes = mem.elem.width() / 8;
                self.line(format!("memref.assume_alignment {name}, {bytes} : {ty}"));
            }
            _ => {}
        }
    }

    /// A buffer in an array of bytes.
    pub(super) fn view_of_bytes(&mut self) {
        let elem = *self
            .rng
            .pick(&[Elem::Int(32), Elem::Int(64), Elem::Int(16), Elem::Int(8)]);
        let size = i64::from(elem.width() / 8);
        let dims = {
            let rank = self.rng.range(1, 2);
            self.some_dims(rank, 30)
        };
        let n: i64 = dims.iter().map(|dim| dim.size).product();
        let shift = self.rng.range(0, 4) as i64 * 8;
        let bytes = self.allocate(
            Mem::new(vec![Dim::fixed(n * size + shift + 8)], Elem::Int(8)),
            true,
        );
        let zero = self.constant(&Ty::Scalar(Elem::Int(8))).name;
        self.line(format!(
            "linalg.fill ins({zero} : i8) outs({} : {})",
            bytes.name,
            bytes.ty.text()
        ));
        let at = self.number(shift).name;
        let open: Vec<String> = (dims.iter())
            .filter(|dim| dim.is_open)
            .map(|&dim| self.size_value(dim).name)
            .collect();
        let new = Mem::new(dims, elem);
        let text = format!(
            "memref.view {}[{at}][{}] : {} to {}",
            bytes.name,
            open.join(", "),
            bytes.ty.text(),
            Ty::MemRef(new.clone()).text()
        );
        self.define_buffer(new, bytes.root, text);
    }
}
