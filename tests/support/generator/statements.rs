//! Writes the statements that have no parts.

use super::buffers::{Buffer, Need, State};
use super::emitter::Emitter;
use super::rng::Rng;
use super::shape::Writes;
use super::tree::{Kind, Node, static_type};
use super::types::{Element, MemRefType};

impl<'p> Emitter<'p> {
    pub(super) fn statements(&mut self, nodes: &'p [Node]) {
        for node in nodes {
            self.statement(node);
        }
    }

    pub(super) fn statement(&mut self, node: &'p Node) {
        if !self.afford(1) {
            return;
        }
        let mut rng = Rng::new(node.seed);
        let rng = &mut rng;
        match node.kind {
            Kind::Alloc => {
                let ty = self.some_type(rng);
                self.fresh(rng, &ty);
            }
            Kind::UnusedAlloc => self.unused_alloc(rng),
            Kind::Alloca => self.alloca(rng),
            Kind::GetGlobal => self.get_global(rng),
            Kind::Observe => self.observe(rng),
            Kind::Write => {
                if let Some(buffer) = self.choose(rng, |e, b| e.bases.allow(b, Need::Write)) {
                    self.write(rng, &buffer);
                }
            }
            Kind::Copy => self.copy(rng),
            Kind::Select => self.select(rng),
            Kind::View => self.view(rng),
            Kind::Clone => self.clone_buffer(rng),
            Kind::Call => self.call(rng),
            Kind::Recurse => self.recurse(rng),
            Kind::Dealloc => self.dealloc(rng),
            Kind::Realloc => self.realloc(rng),
            Kind::Atomic => self.atomic(rng),
            Kind::Return => self.early_return(rng),
            Kind::If => self.if_statement(rng, &node.parts),
            Kind::Switch => self.switch(rng, &node.parts),
            Kind::For => self.for_loop(rng, &node.parts),
            Kind::While => self.while_loop(rng, &node.parts),
            Kind::Parallel => self.parallel(rng, &node.parts),
            Kind::Scope => self.scope_statement(rng, &node.parts),
        }
    }

    /// A type that a buffer can be made of: a preferred one, or any.
    fn some_type(&mut self, rng: &mut Rng) -> MemRefType {
        if rng.chance(75) {
            return rng.pick(&self.program.palette).clone();
        }
        let mut ty = static_type(rng, self.shape);
        if self.shape.dynamic {
            for dim in &mut ty.dims {
                *dim = dim.filter(|_| rng.chance(70));
            }
        }
        ty
    }

    fn unused_alloc(&mut self, rng: &mut Rng) {
        let ty = self.some_type(rng).without_layout();
        let buffer = self.allocate(rng, "memref.alloc", &ty);
        if rng.chance(40) {
            self.fill(rng, &buffer);
        }
    }

    fn alloca(&mut self, rng: &mut Rng) {
        let ty = self.some_type(rng).without_layout();
        let mut buffer = self.allocate(rng, "memref.alloca", &ty);
        buffer.allocated_in = None;
        self.bases.get_mut(buffer.bases[0]).scope = Some(self.scope);
        self.fill(rng, &buffer);
        self.define(buffer);
    }

    fn get_global(&mut self, rng: &mut Rng) {
        if self.program.globals.is_empty() {
            return;
        }
        let number = rng.below(self.program.globals.len());
        let global = &self.program.globals[number];
        // Iterations that run in any order must not write to it.
        if self.region.parallel && !global.constant {
            return;
        }
        // Other functions see it: what they may write to, nobody may copy.
        let state = if global.constant {
            State::Frozen
        } else {
            State::Pinned
        };
        let base = match self.globals[number] {
            Some(base) => base,
            None => self.bases.add(state),
        };
        self.globals[number] = Some(base);
        let name = self.name('b');
        self.line(format_args!(
            "{name} = memref.get_global @g{number} : {}",
            global.ty
        ));
        let buffer = Buffer {
            name,
            ty: global.ty.clone(),
            actual: global.ty.dims.clone(),
            bases: vec![base],
            key: rng.next(),
            allocated_in: None,
        };
        self.define(buffer);
    }

    /// Makes the contents of a buffer a part of the result of the program.
    pub(super) fn observe(&mut self, rng: &mut Rng) {
        if self.region.parallel {
            return;
        }
        if let Some(buffer) = self.choose(rng, |e, b| e.bases.allow(b, Need::Read)) {
            let value = self.read(rng, &buffer);
            self.mix(&value);
        }
    }

    fn copy(&mut self, rng: &mut Rng) {
        let Some(target) = self.choose(rng, |e, b| {
            e.bases.allow(b, Need::Write) && b.count().is_some()
        }) else {
            return;
        };
        // Without a common allocation, so that nothing overlaps.
        let source = self.choose(rng, |e, b| {
            e.bases.allow(b, Need::Read)
                && b.ty.element == target.ty.element
                && b.actual == target.actual
                && !b.bases.iter().any(|base| target.bases.contains(base))
                // Static sizes must not contradict each other.
                && b.ty.rank() == target.ty.rank()
        });
        let Some(source) = source else {
            // Copy into a new buffer instead, the way bufferization does.
            if target.ty.is_identity() && target.ty.dims.iter().all(Option::is_some) {
                let copy = self.allocate(rng, "memref.alloc", &target.ty);
                self.copy_op(&target, &copy);
                self.define(copy);
            }
            return;
        };
        self.copy_op(&source, &target);
    }

    fn copy_op(&mut self, source: &Buffer, target: &Buffer) {
        self.line(format_args!(
            "memref.copy {}, {} : {} to {}",
            source.name, target.name, source.ty, target.ty
        ));
    }

    fn select(&mut self, rng: &mut Rng) {
        let need = self.merge_need();
        let Some(first) = self.choose(rng, |e, b| e.bases.allow(b, need)) else {
            return;
        };
        let second = self.choose(rng, |e, b| e.bases.allow(b, need) && b.ty == first.ty);
        let second = second.unwrap_or_else(|| first.clone());
        if self.shape.writes == Writes::Merges {
            self.bases.freeze(&first);
            self.bases.freeze(&second);
        }
        let condition = self.condition(rng);
        let name = self.name('b');
        let ty = first.ty.clone();
        self.line(format_args!(
            "{name} = arith.select {condition}, {}, {} : {ty}",
            first.name, second.name
        ));
        self.merged(rng, name, &ty, &[&first, &second]);
    }

    fn clone_buffer(&mut self, rng: &mut Rng) {
        // A clone has the type of its source, so only a layout that can be allocated will do.
        let Some(source) = self.choose(rng, |e, b| {
            e.bases.allow(b, Need::Freeze) && (b.ty.is_identity() || b.ty.is_most_dynamic())
        }) else {
            return;
        };
        let name = self.name('b');
        let ty = source.ty.clone();
        self.line(format_args!(
            "{name} = bufferization.clone {} : {ty} to {ty}",
            source.name
        ));
        // Neither is written from here on, and the clone may turn out to be its source.
        self.bases.freeze(&source);
        let own = self.bases.add(State::Frozen);
        let mut clone = self.merged(rng, name, &ty, &[&source]);
        clone.bases.push(own);
        if let Some(last) = self.pool.last_mut() {
            *last = clone;
        }
    }

    /// A buffer that the program may free here: allocated in this very statement list and usable.
    fn own_allocation(&self, rng: &mut Rng, fits: impl Fn(&Buffer) -> bool) -> Option<Buffer> {
        self.choose(rng, |e, b| {
            b.allocated_in == Some(e.list) && e.bases.allow(b, Need::Read) && fits(b)
        })
    }

    fn dealloc(&mut self, rng: &mut Rng) {
        let on_heap = |e: &Self, b: &Buffer| e.bases.get(b.bases[0]).scope.is_none();
        if let Some(buffer) = self.own_allocation(rng, |b| on_heap(self, b)) {
            self.line(format_args!(
                "memref.dealloc {} : {}",
                buffer.name, buffer.ty
            ));
            self.bases.kill(&buffer);
        }
    }

    fn realloc(&mut self, rng: &mut Rng) {
        let known_row =
            |b: &Buffer| b.ty.is_identity() && b.ty.rank() == 1 && b.actual[0].is_some();
        let Some(old) = self.own_allocation(rng, known_row) else {
            return;
        };
        let old_size = old.actual[0].unwrap_or(0);
        let new_size = rng.below(7) as u64;
        let mut ty = old.ty.clone();
        let name = self.name('b');
        let operand = if self.shape.dynamic && rng.chance(40) {
            ty.dims = vec![None];
            format!("({})", self.index(rng, new_size))
        } else {
            ty.dims = vec![Some(new_size)];
            String::new()
        };
        self.line(format_args!(
            "{name} = memref.realloc {}{operand} : {} to {ty}",
            old.name, old.ty
        ));
        self.bases.kill(&old);
        let base = self.bases.add(State::Free);
        let new = Buffer {
            name,
            ty,
            actual: vec![Some(new_size)],
            bases: vec![base],
            key: rng.next(),
            allocated_in: Some(self.list),
        };
        if new_size > old_size {
            let tail = self.row(rng, &new, old_size, new_size - old_size);
            self.fill(rng, &tail);
        }
        self.define(new);
    }

    /// The elements of a row from `offset` on; not in scope.
    fn row(&mut self, rng: &mut Rng, of: &Buffer, offset: u64, size: u64) -> Buffer {
        let ty = of.ty.subview(&[Some(offset)], &[Some(size)], &[1], &[]);
        let name = self.name('b');
        self.line(format_args!(
            "{name} = memref.subview {}[{offset}] [{size}] [1] : {} to {ty}",
            of.name, of.ty
        ));
        let row = self.alias(rng, of, name, ty, vec![Some(size)]);
        self.pool.pop();
        row
    }

    fn atomic(&mut self, rng: &mut Rng) {
        let Some(buffer) = self.choose(rng, |e, b| {
            let has_atomics = b.ty.element != Element::Index;
            e.bases.allow(b, Need::Write) && b.has_elements() && has_atomics
        }) else {
            return;
        };
        let Buffer { name, ty, .. } = &buffer;
        let position = self.position(rng, &buffer);
        let element = ty.element;
        if rng.chance(30) {
            let op = *rng.pick(&["read", "write"]);
            self.line(format_args!(
                "memref.prefetch {name}[{position}], {op}, locality<1>, data : {ty}"
            ));
            return;
        }
        if rng.chance(20) && ty.is_identity() {
            self.line(format_args!("memref.assume_alignment {name}, 1 : {ty}"));
            return;
        }
        let number = self.number(rng);
        let value = self.element(element, &number);
        let result = self.name('e');
        let element_name = element.name();
        if rng.chance(30) {
            let op = if element.is_float() { "addf" } else { "addi" };
            let (old, new) = (self.name('e'), self.name('e'));
            self.line(format_args!(
                "{result} = memref.generic_atomic_rmw {name}[{position}] : {ty} {{"
            ));
            self.line(format_args!("^bb0({old}: {element_name}):"));
            self.line(format_args!(
                "  {new} = arith.{op} {old}, {value} : {element_name}"
            ));
            self.line(format_args!("  memref.atomic_yield {new} : {element_name}"));
            self.line("}");
        } else {
            let kind = if element.is_float() {
                "addf"
            } else {
                rng.pick(&["addi", "assign", "ori", "andi", "maxs", "minu"])
            };
            self.line(format_args!(
                "{result} = memref.atomic_rmw {kind} {value}, {name}[{position}] : \
                 ({element_name}, {ty}) -> {element_name}"
            ));
        }
    }
}
