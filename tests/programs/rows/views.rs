//! Other names for buffers and for parts of them: slices, also backwards, transpositions, other shapes.

use super::build::{Gen, Value};
use super::types::{Dim, Elem, Layout, Mem, Ty};

impl Gen<'_> {
    /// Another name for a buffer or for a part of it.
    pub(super) fn view_statement(&mut self) {
        let Some(base) = self.readable(0) else {
            return;
        };
        let Some(mem) = base.ty.as_mem().cloned() else {
            return;
        };
        match self.rng.below(14) {
            0..6 if matches!(mem.elem, Elem::Complex(_)) => self.bitcast(&base, &mem),
            0..5 => self.subview(&base, &mem),
            5 | 6 => self.transposed(&base, &mem),
            7 => self.collapsed(&base, &mem),
            8 => self.expanded(&base, &mem),
            9 => self.cast(&base, &mem),
            10 => self.reinterpreted(&base, &mem),
            11 => self.view_of_bytes(),
            12 => self.rebuilt(&base, &mem),
            _ => self.reshaped(&base, &mem),
        }
    }

    fn subview(&mut self, base: &Value, mem: &Mem) {
        let layout = mem.strided();
        let mut offset = layout.offset;
        let (mut offsets, mut sizes, mut strides) = (Vec::new(), Vec::new(), Vec::new());
        let (mut dims, mut new_strides) = (Vec::new(), Vec::new());
        let reduce = self.rng.chance(25);
        for (dim, stride) in mem.dims.iter().zip(&layout.strides) {
            let step: i64 = *self.rng.pick(&[1, 1, 1, 1, 2, 3, -1, -2]);
            let from = self.rng.below(dim.size as usize) as i64;
            let most = match step > 0 {
                true => (dim.size - from + step - 1) / step,
                false => from / -step + 1,
            };
            let size = match reduce && self.rng.chance(40) {
                true => 1,
                false if self.rng.chance(30) => most,
                false => self.rng.range(1, most.max(1) as usize) as i64,
            };
            let given = |g: &mut Self, number: i64| -> (String, Dim) {
                match g.rng.chance(30) {
                    // Folds find out what some of them are.
                    true => (g.number(number).name, Dim::open(number)),
                    false => (number.to_string(), Dim::fixed(number)),
                }
            };
            let (offset_text, offset_dim) = given(self, from);
            let (size_text, size_dim) = match size {
                1 if reduce => ("1".to_owned(), Dim::fixed(1)),
                _ => given(self, size),
            };
            let (stride_text, stride_dim) = match self.rng.chance(80) {
                true => (step.to_string(), Dim::fixed(step)),
                false => given(self, step),
            };
            offsets.push(offset_text);
            sizes.push(size_text);
            strides.push(stride_text);
            if offset_dim != Dim::fixed(0) {
                offset = offset.plus(offset_dim.times(*stride));
            }
            if !(reduce && size == 1 && size_dim == Dim::fixed(1)) {
                dims.push(size_dim);
                new_strides.push(stride_dim.times(*stride));
            }
        }
        let new = Mem {
            dims,
            elem: mem.elem,
            layout: Some(Layout {
                strides: new_strides,
                offset,
            }),
        };
        let text = format!(
            "memref.subview {}[{}] [{}] [{}] : {} to {}",
            base.name,
            offsets.join(", "),
            sizes.join(", "),
            strides.join(", "),
            base.ty.text(),
            Ty::MemRef(new.clone()).text()
        );
        self.define_buffer(new, base.root, text);
    }

    fn transposed(&mut self, base: &Value, mem: &Mem) {
        if mem.rank() < 2 {
            return;
        }
        let layout = mem.strided();
        let order = self.permutation(mem.rank());
        let dims: Vec<String> = (0..mem.rank()).map(|at| format!("d{at}")).collect();
        let results: Vec<String> = order.iter().map(|at| format!("d{at}")).collect();
        let new = Mem {
            dims: order.iter().map(|&at| mem.dims[at]).collect(),
            elem: mem.elem,
            layout: Some(Layout {
                strides: order.iter().map(|&at| layout.strides[at]).collect(),
                offset: layout.offset,
            }),
        };
        let text = format!(
            "memref.transpose {} ({}) -> ({}) : {} to {}",
            base.name,
            dims.join(", "),
            results.join(", "),
            base.ty.text(),
            Ty::MemRef(new.clone()).text()
        );
        self.define_buffer(new, base.root, text);
    }

    /// Complex numbers as rows of two floats.
    fn bitcast(&mut self, base: &Value, mem: &Mem) {
        let Elem::Complex(kind) = mem.elem else {
            return;
        };
        let two = Dim::fixed(2);
        let with = |dims: &[Dim], last| dims.iter().copied().chain([last]).collect::<Vec<Dim>>();
        let new = Mem {
            dims: with(&mem.dims, two),
            elem: Elem::Float(kind),
            layout: mem.layout.as_ref().map(|layout| {
                let strides: Vec<Dim> = (layout.strides.iter()).map(|s| s.times(two)).collect();
                Layout {
                    strides: with(&strides, Dim::fixed(1)),
                    offset: layout.offset.times(two),
                }
            }),
        };
        let (from, to) = (base.ty.text(), Ty::MemRef(new.clone()).text());
        let text = format!("memref.bitcast {} : {from} to {to}", base.name);
        self.define_buffer(new, base.root, text);
    }

    pub(super) fn permutation(&mut self, n: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..n).collect();
        for at in (1..n).rev() {
            let other = self.rng.below(at + 1);
            order.swap(at, other);
        }
        order
    }

    /// Groups of neighbours, as a reassociation.
    pub(super) fn groups(&mut self, n: usize) -> Vec<Vec<usize>> {
        let mut groups: Vec<Vec<usize>> = Vec::new();
        for at in 0..n {
            match groups.last_mut() {
                Some(last) if self.rng.chance(60) => last.push(at),
                _ => groups.push(vec![at]),
            }
        }
        groups
    }

    fn collapsed(&mut self, base: &Value, mem: &Mem) {
        if mem.layout.is_some() || mem.rank() < 2 {
            return;
        }
        let groups = self.groups(mem.rank());
        let dims: Vec<Dim> = (groups.iter())
            .map(|group| {
                group
                    .iter()
                    .fold(Dim::fixed(1), |all, &at| all.times(mem.dims[at]))
            })
            .collect();
        let new = Mem::new(dims, mem.elem);
        let text = format!(
            "memref.collapse_shape {} {} : {} into {}",
            base.name,
            groups_text(&groups),
            base.ty.text(),
            Ty::MemRef(new.clone()).text()
        );
        self.define_buffer(new, base.root, text);
    }

    fn expanded(&mut self, base: &Value, mem: &Mem) {
        if mem.layout.is_some() || mem.rank() == 0 {
            return;
        }
        let (groups, dims) = self.split_dims(&mem.dims);
        let shape: Vec<String> = (dims.iter())
            .map(|&dim| match dim.is_open {
                true => self.size_value(dim).name,
                false => dim.size.to_string(),
            })
            .collect();
        let new = Mem::new(dims, mem.elem);
        let text = format!(
            "memref.expand_shape {} {} output_shape [{}] : {} into {}",
            base.name,
            groups_text(&groups),
            shape.join(", "),
            base.ty.text(),
            Ty::MemRef(new.clone()).text()
        );
        self.define_buffer(new, base.root, text);
    }

    /// Dimensions split in several, and which come from one.
    pub(super) fn split_dims(&mut self, dims: &[Dim]) -> (Vec<Vec<usize>>, Vec<Dim>) {
        let (mut groups, mut new): (Vec<Vec<usize>>, Vec<Dim>) = (Vec::new(), Vec::new());
        for dim in dims {
            let factors: Vec<i64> = (1..=dim.size).filter(|by| dim.size % by == 0).collect();
            let first = new.len();
            if factors.is_empty() || self.rng.chance(30) {
                new.push(*dim);
            } else {
                let by = *self.rng.pick(&factors);
                let rest = Dim {
                    size: dim.size / by,
                    is_open: dim.is_open,
                };
                match self.rng.chance(50) {
                    true => new.extend([rest, Dim::fixed(by)]),
                    false => new.extend([Dim::fixed(by), rest]),
                }
            }
            groups.push((first..new.len()).collect());
        }
        (groups, new)
    }

    fn cast(&mut self, base: &Value, mem: &Mem) {
        let ty = base.ty.text();
        if self.rng.chance(25) {
            // By a type that says nothing.
            let any = format!("memref<*x{}>", mem.elem.text());
            let unranked = self.fresh();
            self.line(format!(
                "{unranked} = memref.cast {} : {ty} to {any}",
                base.name
            ));
            self.define_buffer(
                mem.clone(),
                base.root,
                format!("memref.cast {unranked} : {any} to {ty}"),
            );
            return;
        }
        let mut new = mem.clone();
        let change = |g: &mut Self, dim: &mut Dim| {
            if g.rng.chance(40) {
                dim.is_open = !dim.is_open;
            }
        };
        for dim in &mut new.dims {
            change(self, dim);
        }
        if let Some(layout) = &mut new.layout {
            for stride in &mut layout.strides {
                change(self, stride);
            }
            change(self, &mut layout.offset);
        }
        let text = format!(
            "memref.cast {} : {ty} to {}",
            base.name,
            Ty::MemRef(new.clone()).text()
        );
        self.define_buffer(new, base.root, text);
    }

    fn reinterpreted(&mut self, base: &Value, mem: &Mem) {
        if mem.layout.is_some() || mem.n() == 0 {
            return;
        }
        // Any box that is inside.
        let n = mem.n();
        let mut offset = self.rng.below(n as usize) as i64;
        let mut left = n - 1 - offset;
        let (mut dims, mut strides) = (Vec::new(), Vec::new());
        for _ in 0..self.rng.range(1, 3) {
            let stride = *self.rng.pick(&[1, 2, 3, 4, 8, 1]);
            let most = (left / stride + 1).min(9);
            let size = self.rng.range(1, most.max(1) as usize) as i64;
            left -= (size - 1) * stride;
            dims.push((size, self.rng.chance(30)));
            let is_backward = self.rng.chance(20);
            let step = if is_backward { -stride } else { stride };
            if is_backward {
                offset += (size - 1) * stride;
            }
            strides.push((step, self.rng.chance(30)));
        }
        let offset = (offset, self.rng.chance(30));
        let texts = |g: &mut Self, all: &[(i64, bool)]| -> String {
            let text = |&(number, is_open): &(i64, bool)| match is_open && number <= 63 {
                true => g.number(number).name,
                false => number.to_string(),
            };
            all.iter().map(text).collect::<Vec<_>>().join(", ")
        };
        let (o, s, t) = (
            texts(self, &[offset]),
            texts(self, &dims),
            texts(self, &strides),
        );
        let dim = |&(size, is_open): &(i64, bool)| Dim {
            size,
            is_open: is_open && size <= 63,
        };
        let new = Mem {
            dims: dims.iter().map(dim).collect(),
            elem: mem.elem,
            layout: Some(Layout {
                strides: strides.iter().map(dim).collect(),
                offset: dim(&offset),
            }),
        };
        let text = format!(
            "memref.reinterpret_cast {} to offset: [{o}], sizes: [{s}], strides: [{t}] : {} to {}",
            base.name,
            base.ty.text(),
            Ty::MemRef(new.clone()).text()
        );
        self.define_buffer(new, base.root, text);
    }

    /// The same buffer, put together from its parts.
    fn rebuilt(&mut self, base: &Value, mem: &Mem) {
        let (ty, n) = (base.ty.text(), mem.rank());
        let part = format!("memref<{}>", mem.elem.text());
        let names: Vec<String> = (0..4).map(|_| self.fresh()).collect();
        let mut head = vec![names[0].clone(), names[1].clone()];
        if n > 0 {
            head.push(format!("{}:{n}", names[2]));
            head.push(format!("{}:{n}", names[3]));
        }
        let indices = vec!["index"; 2 * n + 1].join(", ");
        self.line(format!(
            "{} = memref.extract_strided_metadata {} : {ty} -> {part}, {indices}",
            head.join(", "),
            base.name
        ));
        let layout = mem.strided();
        for at in 0..n {
            for (name, number) in [
                (&names[2], mem.dims[at].size),
                (&names[3], layout.strides[at].size),
            ] {
                let mut value = self.value(
                    if n == 1 {
                        name.clone()
                    } else {
                        format!("{name}#{at}")
                    },
                    Ty::INDEX,
                );
                value.range = Some((number, number));
                self.values.push(value);
            }
        }
        let texts = |dims: &[Dim], name: &str| -> String {
            let text = |(at, dim): (usize, &Dim)| match dim.is_open {
                true if n == 1 => name.to_owned(),
                true => format!("{name}#{at}"),
                false => dim.size.to_string(),
            };
            dims.iter()
                .enumerate()
                .map(text)
                .collect::<Vec<_>>()
                .join(", ")
        };
        let offset = match layout.offset.is_open {
            true => names[1].clone(),
            false => layout.offset.size.to_string(),
        };
        let (sizes, strides) = (
            texts(&mem.dims, &names[2]),
            texts(&layout.strides, &names[3]),
        );
        let new = Mem {
            layout: Some(layout),
            ..mem.clone()
        };
        let text = format!(
            "memref.reinterpret_cast {} to offset: [{offset}], sizes: [{sizes}], strides: [{strides}] : {part} to {}",
            names[0],
            Ty::MemRef(new.clone()).text()
        );
        self.define_buffer(new, base.root, text);
    }

    /// Another shape from a buffer of sizes.
    fn reshaped(&mut self, base: &Value, mem: &Mem) {
        if mem.layout.is_some() || mem.rank() == 0 || mem.n() == 0 {
            return;
        }
        let (_, dims) = self.split_dims(&mem.dims);
        let order = self.permutation(dims.len());
        let dims: Vec<Dim> = order.iter().map(|&at| dims[at]).collect();
        let n = dims.len();
        let shape_ty = format!("memref<{n}xindex>");
        let shape = self.fresh();
        self.line(format!("{shape} = memref.alloca() : {shape_ty}"));
        for (at, dim) in dims.iter().enumerate() {
            let (size, at) = (self.number(dim.size).name, self.index(at as i64).name);
            self.line(format!("memref.store {size}, {shape}[{at}] : {shape_ty}"));
        }
        let new = Mem::new(dims, mem.elem);
        let text = format!(
            "memref.reshape {}({shape}) : ({}, {shape_ty}) -> {}",
            base.name,
            base.ty.text(),
            Ty::MemRef(new.clone()).text()
        );
        self.define_buffer(new, base.root, text);
    }
}

/// A reassociation as text.
pub(super) fn groups_text(groups: &[Vec<usize>]) -> String {
    let text = |group: &Vec<usize>| {
        let numbers: Vec<String> = group.iter().map(usize::to_string).collect();
        format!("[{}]", numbers.join(", "))
    };
    let all: Vec<String> = groups.iter().map(text).collect();
    format!("[{}]", all.join(", "))
}
