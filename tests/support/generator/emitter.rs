//! Writes the text of one function: names, scopes, indices, conditions, and the search for a buffer
//! that fits. What each statement does lives in [`super::statements`], [`super::views`],
//! [`super::control`] and [`super::functions`].

use std::collections::BTreeSet;
use std::fmt::{Display, Write as _};

use super::buffers::{BaseId, Bases, Buffer, Need, State, union};
use super::functions::Summary;
use super::prelude::{self, Helper};
use super::rng::{Rng, scramble};
use super::shape::{Shape, Writes};
use super::tree::{Function, Program};
use super::types::{Element, MemRefType};

/// The state of writing a function.
pub(super) struct Emitter<'p> {
    pub(super) program: &'p Program,
    pub(super) shape: &'p Shape,
    pub(super) function: &'p Function,
    /// What is known of the functions that may be called, by their place in the program.
    pub(super) summaries: &'p [Option<Summary>],
    pub(super) helpers: &'p mut BTreeSet<Helper>,
    pub(super) text: String,
    pub(super) indent: usize,
    n_names: usize,
    n_blocks: usize,
    n_lists: usize,
    n_scopes: usize,
    /// The buffers in scope; likewise below.
    pub(super) pool: Vec<Buffer>,
    /// Values of type index, and the number if known.
    pub(super) indices: Vec<(String, Option<u64>)>,
    /// Values of type i1.
    pub(super) conditions: Vec<String>,
    pub(super) bases: Bases,
    /// The bases of the globals, made when first used.
    pub(super) globals: Vec<Option<BaseId>>,
    /// The innermost statement list.
    pub(super) list: usize,
    /// The innermost automatic allocation scope.
    pub(super) scope: usize,
    pub(super) region: Region,
    /// How often the statement that is being written runs at most, in one call of the function.
    pub(super) repeats: u64,
    /// How many statements a call of the function executes at most, other calls included.
    pub(super) cost: u64,
    /// How many calls of the function itself were written.
    pub(super) self_calls: u32,
    /// The values of each return.
    pub(super) returns: Vec<Vec<Buffer>>,
}

/// What the innermost region allows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Region {
    /// It may have several blocks.
    pub(super) blocks: bool,
    /// A `return` may end a block.
    pub(super) returns: bool,
    /// It runs in no particular order: nothing outside may be changed.
    pub(super) parallel: bool,
}

/// Functions whose calls would run longer than this are not called.
const MAX_COST: u64 = 20_000;

impl<'p> Emitter<'p> {
    pub(super) fn new(
        program: &'p Program,
        function: &'p Function,
        summaries: &'p [Option<Summary>],
        helpers: &'p mut BTreeSet<Helper>,
    ) -> Self {
        Self {
            program,
            shape: &program.shape,
            function,
            summaries,
            helpers,
            text: String::new(),
            indent: 2,
            n_names: 0,
            n_blocks: 0,
            n_lists: 1,
            n_scopes: 1,
            pool: Vec::new(),
            indices: Vec::new(),
            conditions: Vec::new(),
            bases: Bases::default(),
            globals: vec![None; program.globals.len()],
            list: 0,
            scope: 0,
            region: Region {
                blocks: true,
                returns: true,
                parallel: false,
            },
            repeats: 1,
            cost: 0,
            self_calls: 0,
            returns: Vec::new(),
        }
    }

    // Text.

    pub(super) fn line(&mut self, line: impl Display) {
        let _ = writeln!(self.text, "{:indent$}{line}", "", indent = self.indent);
    }

    /// A new value name. The first letter tells people what kind of value it is.
    pub(super) fn name(&mut self, kind: char) -> String {
        self.n_names += 1;
        format!("%{kind}{}", self.n_names)
    }

    /// A new block name.
    pub(super) fn block(&mut self) -> String {
        self.n_blocks += 1;
        format!("^bb{}", self.n_blocks)
    }

    /// Starts a block.
    pub(super) fn start_block(&mut self, name: &str, arguments: &[String]) {
        self.indent -= 2;
        if arguments.is_empty() {
            self.line(format_args!("{name}:"));
        } else {
            self.line(format_args!("{name}({}):", arguments.join(", ")));
        }
        self.indent += 2;
    }

    pub(super) fn use_helper(&mut self, helper: Helper) -> String {
        self.helpers.insert(helper);
        helper.name()
    }

    // Scopes.

    /// Writes a statement list of its own; what it defines is out of scope afterwards.
    pub(super) fn nested<R>(&mut self, write: impl FnOnce(&mut Self) -> R) -> R {
        let outer = (
            self.pool.len(),
            self.indices.len(),
            self.conditions.len(),
            self.list,
        );
        self.list = self.n_lists;
        self.n_lists += 1;
        let result = write(self);
        self.pool.truncate(outer.0);
        self.indices.truncate(outer.1);
        self.conditions.truncate(outer.2);
        self.list = outer.3;
        result
    }

    /// Like [`Self::nested`], for an indented region with one block.
    pub(super) fn region<R>(&mut self, write: impl FnOnce(&mut Self) -> R) -> R {
        let outer = self.region;
        self.region.blocks = false;
        self.region.returns = false;
        self.indent += 2;
        let result = self.nested(write);
        self.indent -= 2;
        self.region = outer;
        result
    }

    /// Writes what is inside an automatic allocation scope, whose number `write` gets.
    pub(super) fn automatic_scope<R>(&mut self, write: impl FnOnce(&mut Self, usize) -> R) -> R {
        let outer = self.scope;
        self.scope = self.n_scopes;
        self.n_scopes += 1;
        let scope = self.scope;
        let result = write(self, scope);
        self.scope = outer;
        result
    }

    /// Writes what runs up to `times` times as often as what is around it.
    pub(super) fn repeated<R>(&mut self, times: u64, write: impl FnOnce(&mut Self) -> R) -> R {
        let outer = self.repeats;
        self.repeats *= times;
        let result = write(self);
        self.repeats = outer;
        result
    }

    /// Accounts for something that costs `cost` here; false when the program would run too long.
    pub(super) fn afford(&mut self, cost: u64) -> bool {
        let total = self.cost.saturating_add(cost.saturating_mul(self.repeats));
        let affordable = total <= MAX_COST;
        if affordable {
            self.cost = total;
        }
        affordable
    }

    // Scalars.

    pub(super) fn constant(&mut self, value: u64) -> String {
        let name = self.name('k');
        self.line(format_args!("{name} = arith.constant {value} : index"));
        name
    }

    /// An index that has `value`, which the compiler sees or does not see.
    pub(super) fn index(&mut self, rng: &mut Rng, value: u64) -> String {
        let constant = self.constant(value);
        if !self.shape.dynamic || value > 7 || rng.chance(50) {
            return constant;
        }
        let sizes = self.use_helper(Helper::Sizes);
        let (table, name) = (self.name('t'), self.name('k'));
        self.line(format_args!(
            "{table} = memref.get_global {sizes} : memref<8xindex>"
        ));
        self.line(format_args!(
            "{name} = memref.load {table}[{constant}] : memref<8xindex>"
        ));
        name
    }

    /// A small number of type index that a size can be, and the number if known.
    pub(super) fn size(&mut self, rng: &mut Rng) -> (String, Option<u64>) {
        if !self.indices.is_empty() && rng.chance(40) {
            let choice = rng.below(self.indices.len());
            return self.indices[choice].clone();
        }
        let smallest = u64::from(!(self.shape.empty && rng.chance(10)));
        let value = smallest + rng.below(5) as u64;
        (self.index(rng, value), Some(value))
    }

    /// How often a loop runs, from 0 to 3 times.
    pub(super) fn trip_count(&mut self, rng: &mut Rng) -> (String, u64) {
        let count = rng.below(4) as u64;
        (self.index(rng, count), count)
    }

    /// A value of type i1.
    pub(super) fn condition(&mut self, rng: &mut Rng) -> String {
        if !self.conditions.is_empty() && rng.chance(30) {
            return rng.pick(&self.conditions).clone();
        }
        let name = self.name('c');
        if self.region.parallel || (!self.indices.is_empty() && rng.chance(30)) {
            let (lhs, rhs) = (self.size(rng).0, self.size(rng).0);
            let predicate = rng.pick(&["eq", "ne", "ult", "ule", "sgt"]);
            self.line(format_args!(
                "{name} = arith.cmpi {predicate}, {lhs}, {rhs} : index"
            ));
        } else {
            let coin = self.use_helper(Helper::Coin);
            self.line(format_args!("{name} = func.call {coin}() : () -> i1"));
        }
        if rng.chance(30) {
            self.conditions.push(name.clone());
        }
        name
    }

    /// A value of type i64.
    pub(super) fn number(&mut self, rng: &mut Rng) -> String {
        if rng.chance(30)
            && let Some(buffer) = self.choose(rng, |e, b| e.bases.allow(b, Need::Read))
        {
            return self.read(rng, &buffer);
        }
        let name = self.name('x');
        let value = rng.below(100);
        self.line(format_args!("{name} = arith.constant {value} : i64"));
        name
    }

    /// Adds a value of type i64 to the checksum.
    pub(super) fn mix(&mut self, value: &str) {
        let mix = self.use_helper(Helper::Mix);
        self.line(format_args!("func.call {mix}({value}) : (i64) -> ()"));
    }

    // Reading and writing.

    /// Indices of an element of a buffer that has elements, as in `%k1, %k2`.
    pub(super) fn position(&mut self, rng: &mut Rng, buffer: &Buffer) -> String {
        let sizes: Vec<_> = buffer.actual.iter().flatten().copied().collect();
        let indices: Vec<_> = sizes
            .iter()
            .map(|&size| {
                let value = rng.below(size as usize) as u64;
                self.index(rng, value)
            })
            .collect();
        indices.join(", ")
    }

    /// Reads an element, or all of them, and gives an i64.
    pub(super) fn read(&mut self, rng: &mut Rng, buffer: &Buffer) -> String {
        let rank = buffer.ty.rank();
        let result = self.name('x');
        if rank == 0 || (buffer.has_elements() && rng.chance(40)) {
            let position = self.position(rng, buffer);
            let element = self.name('e');
            let Buffer { name, ty, .. } = buffer;
            self.line(format_args!(
                "{element} = memref.load {name}[{position}] : {ty}"
            ));
            for line in prelude::to_i64(ty.element, &element, &result) {
                self.line(line);
            }
            return result;
        }
        let element = buffer.ty.element;
        let ty = MemRefType::most_dynamic(element, rank);
        let name = self.cast_name(buffer, &ty);
        if rng.chance(70) {
            let sum = self.use_helper(Helper::Sum(element, rank));
            self.line(format_args!(
                "{result} = func.call {sum}({name}) : ({ty}) -> i64"
            ));
        } else {
            let peek = self.use_helper(Helper::Peek(element, rank));
            let at = self.size(rng).0;
            self.line(format_args!(
                "{result} = func.call {peek}({name}, {at}) : ({ty}, index) -> i64"
            ));
        }
        result
    }

    /// Writes an element.
    pub(super) fn write(&mut self, rng: &mut Rng, buffer: &Buffer) {
        let number = self.number(rng);
        let Buffer { name, ty, .. } = buffer;
        let rank = ty.rank();
        if rank == 0 || (buffer.has_elements() && rng.chance(50)) {
            let position = self.position(rng, buffer);
            let element = self.element(ty.element, &number);
            self.line(format_args!(
                "memref.store {element}, {name}[{position}] : {ty}"
            ));
            return;
        }
        let poke = self.use_helper(Helper::Poke(ty.element, rank));
        let dynamic = MemRefType::most_dynamic(ty.element, rank);
        let name = self.cast_name(buffer, &dynamic);
        let at = self.size(rng).0;
        self.line(format_args!(
            "func.call {poke}({name}, {at}, {number}) : ({dynamic}, index, i64) -> ()"
        ));
    }

    /// Writes all elements.
    pub(super) fn fill(&mut self, rng: &mut Rng, buffer: &Buffer) {
        let Buffer { name, ty, .. } = buffer;
        let number = self.number(rng);
        let rank = ty.rank();
        match buffer.count() {
            Some(0) => {}
            Some(count) if rank <= 1 && (rank == 0 || (count <= 3 && rng.chance(50))) => {
                let element = self.element(ty.element, &number);
                for position in 0..count {
                    let at = if rank == 0 {
                        String::new()
                    } else {
                        self.constant(position)
                    };
                    self.line(format_args!("memref.store {element}, {name}[{at}] : {ty}"));
                }
            }
            _ => {
                let fill = self.use_helper(Helper::Fill(ty.element, rank));
                let dynamic = MemRefType::most_dynamic(ty.element, rank);
                let name = self.cast_name(buffer, &dynamic);
                self.line(format_args!(
                    "func.call {fill}({name}, {number}) : ({dynamic}, i64) -> ()"
                ));
            }
        }
    }

    /// Turns an i64 into an element.
    pub(super) fn element(&mut self, element: Element, number: &str) -> String {
        let name = self.name('e');
        for line in prelude::from_i64(element, number, &name) {
            self.line(line);
        }
        name
    }

    // Buffers.

    /// Brings a new buffer into scope.
    pub(super) fn define(&mut self, buffer: Buffer) -> Buffer {
        self.pool.push(buffer.clone());
        buffer
    }

    /// A value that is based on the same allocations as `of`.
    pub(super) fn alias(
        &mut self,
        rng: &mut Rng,
        of: &Buffer,
        name: String,
        ty: MemRefType,
        actual: Vec<Option<u64>>,
    ) -> Buffer {
        self.define(Buffer {
            name,
            ty,
            actual,
            bases: of.bases.clone(),
            key: rng.next(),
            allocated_in: None,
        })
    }

    /// The value of type `ty` that one of `incoming` ends up in.
    pub(super) fn merged(
        &mut self,
        rng: &mut Rng,
        name: String,
        ty: &MemRefType,
        incoming: &[&Buffer],
    ) -> Buffer {
        let mut actual = ty.dims.clone();
        for (dim, size) in actual.iter_mut().enumerate() {
            let first = incoming.first().and_then(|buffer| buffer.actual[dim]);
            if incoming.iter().all(|buffer| buffer.actual[dim] == first) {
                *size = size.or(first);
            }
        }
        self.define(Buffer {
            name,
            ty: ty.clone(),
            actual,
            bases: union(incoming.iter().map(|buffer| &buffer.bases)),
            key: rng.next(),
            allocated_in: None,
        })
    }

    /// A buffer in scope that `fits`, if any. The choice depends on the seed and on the buffers that
    /// fit, but not on how many others there are.
    pub(super) fn choose(
        &self,
        rng: &mut Rng,
        fits: impl Fn(&Self, &Buffer) -> bool,
    ) -> Option<Buffer> {
        let draw = rng.next();
        self.pool
            .iter()
            .filter(|buffer| fits(self, buffer))
            .max_by_key(|buffer| scramble(draw ^ buffer.key))
            .cloned()
    }

    fn cast_name(&mut self, buffer: &Buffer, ty: &MemRefType) -> String {
        if buffer.ty == *ty {
            return buffer.name.clone();
        }
        let name = self.name('b');
        let Buffer {
            name: from,
            ty: from_ty,
            ..
        } = buffer;
        self.line(format_args!(
            "{name} = memref.cast {from} : {from_ty} to {ty}"
        ));
        name
    }

    pub(super) fn cast(&mut self, rng: &mut Rng, buffer: &Buffer, ty: &MemRefType) -> Buffer {
        if buffer.ty == *ty {
            return buffer.clone();
        }
        let name = self.cast_name(buffer, ty);
        let actual = buffer.actual.clone();
        self.alias(rng, buffer, name, ty.clone(), actual)
    }

    /// `memref.alloc` or `memref.alloca` of a type without layout, without writing its elements.
    pub(super) fn allocate(&mut self, rng: &mut Rng, op: &str, ty: &MemRefType) -> Buffer {
        let mut sizes = Vec::new();
        let mut actual = ty.dims.clone();
        for size in actual.iter_mut().filter(|size| size.is_none()) {
            let (name, value) = self.size(rng);
            sizes.push(name);
            *size = value;
        }
        let name = self.name('b');
        let attributes = if rng.chance(10) {
            " {alignment = 64 : i64}"
        } else {
            ""
        };
        self.line(format_args!(
            "{name} = {op}({}){attributes} : {ty}",
            sizes.join(", ")
        ));
        let base = self.bases.add(State::Free);
        Buffer {
            name,
            ty: ty.clone(),
            actual,
            bases: vec![base],
            key: rng.next(),
            allocated_in: Some(self.list),
        }
    }

    /// A new, filled buffer in scope.
    pub(super) fn allocate_filled(&mut self, rng: &mut Rng, ty: &MemRefType) -> Buffer {
        let buffer = self.allocate(rng, "memref.alloc", ty);
        self.fill(rng, &buffer);
        self.define(buffer)
    }

    /// Whether [`Self::fresh`] can make a buffer of this type.
    pub(super) fn can_make(ty: &MemRefType) -> bool {
        let static_row = ty.rank() == 1
            && ty.strided().offset.is_some()
            && ty.strided().strides[0].is_some()
            && ty.dims[0].is_some();
        ty.is_identity() || ty.is_most_dynamic() || static_row
    }

    /// A value of type `ty` that is based on a new allocation.
    pub(super) fn fresh(&mut self, rng: &mut Rng, ty: &MemRefType) -> Buffer {
        if ty.is_identity() {
            return self.allocate_filled(rng, ty);
        }
        if ty.is_most_dynamic() {
            let whole = self.allocate_filled(rng, &ty.without_layout());
            return self.cast(rng, &whole, ty);
        }
        // A row with a static layout is a part of a larger one.
        let strided = ty.strided();
        let (offset, stride) = (strided.offset.unwrap_or(0), strided.strides[0].unwrap_or(1));
        let size = ty.dims[0].unwrap_or(0);
        let whole = MemRefType::identity(ty.element, vec![Some(offset + size * stride)]);
        let whole = self.allocate_filled(rng, &whole);
        let name = self.name('b');
        self.line(format_args!(
            "{name} = memref.subview {}[{offset}] [{size}] [{stride}] : {} to {ty}",
            whole.name, whole.ty
        ));
        self.alias(rng, &whole, name, ty.clone(), vec![Some(size)])
    }

    /// A value of type `ty` for `request`: one in scope, one that can be cast, or a new one.
    pub(super) fn obtain(&mut self, rng: &mut Rng, ty: &MemRefType, request: &Request) -> Buffer {
        let fits = |e: &Self, b: &Buffer| request.allows(&e.bases, b);
        let found = self.choose(rng, |e, b| b.ty == *ty && fits(e, b));
        let cast = self.choose(rng, |e, b| {
            b.ty != *ty && b.ty.casts_to(ty, &b.actual) && fits(e, b)
        });
        let (make, prefer_cast) = (rng.chance(20), rng.chance(30));
        let buffer = match (found, cast) {
            _ if make => self.fresh(rng, ty),
            (Some(found), None) => found,
            (Some(found), Some(_)) if !prefer_cast => found,
            (_, Some(cast)) => self.cast(rng, &cast, ty),
            (None, None) => self.fresh(rng, ty),
        };
        if request.need.freezes() {
            self.bases.freeze(&buffer);
        }
        buffer
    }

    /// What is needed of buffers that control flow brings together.
    pub(super) fn merge_need(&self) -> Need {
        match self.shape.writes {
            Writes::Calls => Need::Read,
            Writes::Merges => Need::Freeze,
        }
    }

    /// The types of up to `most` buffers that a construct passes on.
    pub(super) fn carried_types(&mut self, rng: &mut Rng, most: usize) -> Vec<MemRefType> {
        let n = rng.below(most + 1);
        (0..n)
            .map(|_| {
                let known = self.choose(rng, |_, b| Self::can_make(&b.ty));
                match known {
                    Some(buffer) if rng.chance(50) => buffer.ty,
                    _ => rng.pick(&self.program.palette).clone(),
                }
            })
            .collect()
    }
}

/// What a buffer is wanted for.
#[derive(Clone, Debug)]
pub(super) struct Request {
    pub(super) need: Need,
    /// The automatic allocation scope that the value leaves.
    pub(super) leaving: Option<usize>,
    /// Allocations that it must have nothing to do with.
    pub(super) avoid: Vec<BaseId>,
}

impl Request {
    pub(super) fn new(need: Need) -> Self {
        Self {
            need,
            leaving: None,
            avoid: Vec::new(),
        }
    }

    pub(super) fn leaving(need: Need, scope: Option<usize>) -> Self {
        Self {
            leaving: scope,
            ..Self::new(need)
        }
    }

    fn allows(&self, bases: &Bases, buffer: &Buffer) -> bool {
        bases.allow(buffer, self.need)
            && self
                .leaving
                .is_none_or(|scope| bases.outlives(buffer, scope))
            && !buffer.bases.iter().any(|base| self.avoid.contains(base))
    }
}
