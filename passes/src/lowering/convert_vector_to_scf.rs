//! `convert-vector-to-scf`: transfers of boxes of memory become loops over transfers of rows, and transfers of rows that do
//! not lie in one piece become loops over elements.
//!
//! Before:
//! ```mlir
//! %v = vector.transfer_read %m[%i, %j], %p {in_bounds = [true, false]} : memref<?x?xf32>, vector<4x9xf32>
//! ```
//! After:
//! ```mlir
//! %rows = memref.alloca() : memref<vector<4x9xf32>>
//! %cast = vector.type_cast %rows : memref<vector<4x9xf32>> to memref<4xvector<9xf32>>
//! scf.for %k = %c0 to %c4 step %c1 {
//!   %at = affine.apply affine_map<(d0)[s0] -> (d0 + s0)>(%k)[%i]
//!   %row = vector.transfer_read %m[%at, %j], %p : memref<?x?xf32>, vector<9xf32>
//!   memref.store %row, %cast[%k] : memref<4xvector<9xf32>>
//! }
//! %v = memref.load %rows[] : memref<vector<4x9xf32>>
//! ```
//!
//! With `full-unroll` there is no loop, and the rows are parts of a vector. A row that may lie beyond the edge is
//! compared with the size, without a sign: what begins before the memory is outside, too. Upstream compares with a sign.
//!
//! Transfers of tensors, of scalable vectors, inside of `vector.mask` and with masks whose first dimension is not that of
//! the vector stay as they are; the backend compiles all of them.

use freehold_frontend::dialects::affine::{self, MapAndOperands};
use freehold_frontend::dialects::arith::CmpIPredicate;
use freehold_frontend::dialects::memref::offset_size_stride::{dynamic_values, static_values};
use freehold_frontend::dialects::memref::{self, MixedIndex};
use freehold_frontend::dialects::shared::const_fold;
use freehold_frontend::dialects::vector::{self, Transfer};
use freehold_frontend::dialects::{arith, scf};
use freehold_frontend::ir::affine::{AffineExpr, AffineMap};
use freehold_frontend::ir::attrs::{Attr, AttrKind};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::{DYNAMIC, MemRefType, Type, TypeKind};

use crate::manage::options::pass_options;
use crate::manage::pass::{Anchor, PassContext, PassDef};
use crate::rewrite::indices;
use crate::rewrite::stack_memory::stack_block;

pass_options! {
    /// Options of the pass.
    pub struct Options {
        /// make straight-line code instead of loops
        "full-unroll" full_unroll: bool = false,
        /// keep transfers of vectors of this many dimensions
        "target-rank" target_rank: u32 = 1,
        /// accepted: transfers of tensors stay as they are
        "lower-tensors" lower_tensors: bool = false,
        /// accepted: scalable vectors stay as they are
        "lower-scalable" lower_scalable: bool = false,
    }
}

/// The pass.
pub static PASS: PassDef<Options> = PassDef {
    name: "convert-vector-to-scf",
    summary: "turn vector transfers of several dimensions into loops over rows",
    anchor: Anchor::Function,
    run,
};

fn run(ir: &mut Ir, context: &mut PassContext<'_, Options>) -> Result<(), Failed> {
    let is_transfer =
        |ir: &Ir, op: Op| ir.is(op, &vector::TRANSFER_READ) || ir.is(op, &vector::TRANSFER_WRITE);
    let ops = ir.collect_ops(ir.root());
    let mut todo: Vec<Op> = ops.into_iter().filter(|&op| is_transfer(ir, op)).collect();
    todo.reverse();
    let mut n_lowered = 0;
    while let Some(op) = todo.pop() {
        let Some(transfer) = Plan::of(ir, op) else {
            continue;
        };
        let rank = transfer.shape.len();
        let new = if rank > (context.options.target_rank as usize).max(1) {
            match context.options.full_unroll {
                true => transfer.unroll(ir),
                false => transfer.loop_over_rows(ir),
            }
        } else if rank == 1 && !transfer.is_contiguous(ir) {
            transfer.loop_over_elements(ir);
            Vec::new()
        } else {
            continue;
        };
        todo.extend(new.into_iter().rev());
        n_lowered += 1;
    }
    context.count("transfers lowered", n_lowered);
    Ok(())
}

/// A transfer that can be split along its first dimension.
struct Plan {
    op: Op,
    is_read: bool,
    memory: Value,
    indices: Vec<Value>,
    padding: Option<Value>,
    mask: Option<Value>,
    /// Sizes of the vector.
    shape: Vec<i64>,
    element: Type,
    /// For each dimension of the vector that of memory, or none where elements repeat.
    dims: Vec<Option<usize>>,
    in_bounds: Vec<bool>,
}

impl Plan {
    fn of(ir: &Ir, op: Op) -> Option<Self> {
        let view = Transfer(op);
        let context = ir.context();
        let memory = view.source(ir);
        let ty = ir.value_type(view.vector(ir));
        let of_memory = context.as_memref(ir.value_type(memory))?;
        let is_vector = |ty| matches!(context.type_kind(ty), TypeKind::Vector { .. });
        let parent = ir.parent_op(op)?;
        if is_vector(of_memory.element)
            || vector::scalable_of(context, ty).contains(&true)
            || ir.is(parent, &vector::MASK)
        {
            return None;
        }
        let dims = view.dims(ir);
        let first = dims.first()?;
        // A mask has the dimensions of memory that are used, in the order of memory.
        if view.mask(ir).is_some() && (dims.contains(&None) || dims.iter().any(|dim| dim < first)) {
            return None;
        }
        Some(Self {
            op,
            is_read: ir.is(op, &vector::TRANSFER_READ),
            memory,
            indices: view.indices(ir).to_vec(),
            padding: view.padding(ir),
            mask: view.mask(ir),
            shape: context.shape(ty)?.to_vec(),
            element: context.element_type_or_self(ty),
            in_bounds: (0..dims.len())
                .map(|dim| view.is_in_bounds(ir, dim))
                .collect(),
            dims,
        })
    }

    /// Whether the elements of a row are neighbours in memory.
    fn is_contiguous(&self, ir: &Ir) -> bool {
        let Some(ty) = ir.context().as_memref(ir.value_type(self.memory)) else {
            return false;
        };
        let strides = ir.context().memref_strides(ty);
        let last_is_one = strides.is_some_and(|(strides, _)| strides.last() == Some(&1));
        last_is_one && self.dims == [Some(ty.shape.len().wrapping_sub(1))]
    }

    fn vector_type(&self, ir: &Ir, shape: &[i64]) -> Type {
        vector::vector_type(ir.context(), shape, self.element)
    }

    /// The indices of row `at` of the first dimension.
    fn indices_at(&self, b: &mut Builder<'_>, at: MixedIndex) -> Vec<Value> {
        let mut list = self.indices.clone();
        if let Some(dim) = self.dims[0] {
            list[dim] = match at {
                MixedIndex::Constant(0) => list[dim],
                MixedIndex::Constant(number) => {
                    let expr = AffineExpr::Symbol(0).add(AffineExpr::Constant(number));
                    indices::apply(b, expr, &[list[dim].into()]).materialize(b)
                }
                MixedIndex::Value(counter) => {
                    let map = AffineMap {
                        n_dims: 2,
                        n_symbols: 0,
                        results: vec![AffineExpr::Dim(0).add(AffineExpr::Dim(1))],
                    };
                    // Symbols are what may be one.
                    let sum = MapAndOperands::new(map, &[counter, list[dim]]).canonical(b.ir);
                    match sum.map.results[..] {
                        [AffineExpr::Dim(0)] => sum.operands[0],
                        _ => indices::map_op(b, &affine::APPLY, sum).materialize(b),
                    }
                }
            };
        }
        list
    }

    /// Whether row `at` lies in memory; none if it does for certain.
    fn is_inside(&self, b: &mut Builder<'_>, at: MixedIndex) -> Option<Value> {
        let dim = self.dims[0].filter(|_| !self.in_bounds[0])?;
        let number = arith::constant_index(b, dim as i64);
        let shape =
            b.ir.context()
                .shape(b.ir.value_type(self.memory))
                .unwrap_or_default();
        let size = match shape[dim] {
            DYNAMIC => memref::build::dim(b, self.memory, number),
            size => arith::constant_index(b, size),
        };
        let index = self.indices_at(b, at)[dim];
        Some(arith::compare(b, CmpIPredicate::Ugt, size, index))
    }

    /// The mask of row `at`.
    fn mask_at(&self, b: &mut Builder<'_>, at: MixedIndex) -> Option<Value> {
        let ty = vector::vector_type(b.ir.context(), &self.shape[1..], Type::I1);
        Some(extract(b, self.mask?, at, ty))
    }

    /// Reads row `at`, or writes `row` there.
    fn transfer(&self, b: &mut Builder<'_>, at: MixedIndex, row: Option<Value>) -> Op {
        let context = b.context();
        let indices = self.indices_at(b, at);
        let mask = self.mask_at(b, at);
        let old = Transfer(self.op);
        let n_dims =
            b.ir.context()
                .shape(b.ir.value_type(self.memory))
                .map_or(0, <[i64]>::len);
        let results = self.dims[1..].iter().map(|dim| match dim {
            Some(dim) => AffineExpr::Dim(*dim as u32),
            None => AffineExpr::Constant(0),
        });
        let map = AffineMap {
            n_dims: n_dims as u32,
            n_symbols: 0,
            results: results.collect(),
        };
        let in_bounds: Vec<Attr> = self.in_bounds[1..]
            .iter()
            .map(|&is| Attr::bool(is))
            .collect();
        let (def, mut operands, n) = match row {
            None => (
                &vector::TRANSFER_READ,
                vec![self.memory],
                [1, indices.len(), 1],
            ),
            Some(row) => (
                &vector::TRANSFER_WRITE,
                vec![row, self.memory],
                [1, 1, indices.len()],
            ),
        };
        operands.extend(indices);
        operands.extend(old.padding(b.ir));
        operands.extend(mask);
        let sizes = [n[0], n[1], n[2], usize::from(mask.is_some())].map(|n| n as i32);
        let mut spec = b
            .spec(def)
            .operands(&operands)
            .attr(Name::OPERAND_SEGMENT_SIZES, context.i32_array_attr(&sizes))
            .attr(Name::PERMUTATION_MAP, context.affine_map_attr(map))
            .attr(Name::IN_BOUNDS, context.array_attr(&in_bounds));
        if row.is_none() {
            spec = spec.results(&[self.vector_type(b.ir, &self.shape[1..])]);
        }
        b.create(spec)
    }

    fn padded(&self, b: &mut Builder<'_>, shape: &[i64]) -> Option<Value> {
        let ty = self.vector_type(b.ir, shape);
        let padding = self.padding?;
        Some(match arith::as_constant_attr(b.ir, padding) {
            Some(attr) if splat_of(b, ty, attr).is_some() => {
                let splat = splat_of(b, ty, attr)?;
                arith::constant_attr(b, splat)
            }
            _ => b.value(&vector::BROADCAST, &[padding], ty),
        })
    }

    fn loop_over_rows(&self, ir: &mut Ir) -> Vec<Op> {
        let whole_type = self.vector_type(ir, &self.shape);
        let row_type = self.vector_type(ir, &self.shape[1..]);
        let context = ir.context().clone();
        let [whole, rows] = [(&[][..], whole_type), (&self.shape[..1], row_type)]
            .map(|(shape, element)| context.memref_type(MemRefType::identity(shape, element)));
        let block = stack_block(ir, self.op);
        let loc = ir.loc(self.op);
        let mut b = Builder::at_start(ir, block);
        b.set_loc(loc);
        let buffer = memref::build::alloca(&mut b, whole, &[]);
        let mut b = Builder::before(ir, self.op);
        if !self.is_read {
            let value = Transfer(self.op).vector(b.ir);
            memref::build::store(&mut b, value, buffer, &[]);
        }
        let cast = b.value(&vector::TYPE_CAST, &[buffer], rows);
        let zero = arith::constant_index(&mut b, 0);
        let size = arith::constant_index(&mut b, self.shape[0]);
        let one = arith::constant_index(&mut b, 1);
        let repeat = scf::build_for(&mut b, zero, size, one, &[]);
        let counter = scf::For(repeat).induction_variable(b.ir);
        let end = scf::For(repeat).yield_op(b.ir);
        b.set_before(end);
        let mut new = Vec::new();
        let is_inside = self.is_inside(&mut b, counter.into());
        let condition = is_inside.map(|inside| scf::build_if(&mut b, inside, &[], self.is_read));
        if let Some(condition) = condition {
            let end = scf::If(condition).then_yield(b.ir);
            b.set_before(end);
        }
        if self.is_read {
            let read = self.transfer(&mut b, counter.into(), None);
            let row = b.ir.result(read, 0);
            memref::build::store(&mut b, row, cast, &[counter]);
            new.push(read);
            if let Some(end) = condition.and_then(|condition| scf::If(condition).else_yield(b.ir)) {
                b.set_before(end);
                if let Some(row) = self.padded(&mut b, &self.shape[1..]) {
                    memref::build::store(&mut b, row, cast, &[counter]);
                }
            }
            let mut b = Builder::before(ir, self.op);
            let value = memref::build::load(&mut b, buffer, &[]);
            ir.replace_op(self.op, &[value]);
        } else {
            let row = memref::build::load(&mut b, cast, &[counter]);
            new.push(self.transfer(&mut b, counter.into(), Some(row)));
            ir.erase_op(self.op);
        }
        new
    }

    fn unroll(&self, ir: &mut Ir) -> Vec<Op> {
        let row_type = self.vector_type(ir, &self.shape[1..]);
        let whole_type = self.vector_type(ir, &self.shape);
        let value = Transfer(self.op).vector(ir);
        let mut new = Vec::new();
        let mut b = Builder::before(ir, self.op);
        let mut rows = match self.is_read {
            true => self.padded(&mut b, &self.shape),
            false => None,
        };
        for k in 0..self.shape[0] {
            let at = MixedIndex::Constant(k);
            b.set_before(self.op);
            let inside = self.is_inside(&mut b, at);
            let condition = inside.map(|inside| {
                let types = rows.map(|_| whole_type);
                scf::build_if(&mut b, inside, types.as_slice(), rows.is_some())
            });
            match condition {
                Some(condition) if rows.is_some() => {
                    let block = scf::If(condition).then_block(b.ir);
                    b.set_to_end(block);
                }
                Some(condition) => {
                    let end = scf::If(condition).then_yield(b.ir);
                    b.set_before(end);
                }
                None => {}
            }
            let Some(before) = rows else {
                let row = extract(&mut b, value, at, row_type);
                new.push(self.transfer(&mut b, at, Some(row)));
                continue;
            };
            let read = self.transfer(&mut b, at, None);
            new.push(read);
            let row = b.ir.result(read, 0);
            let mut after = insert(&mut b, row, before, at);
            if let Some(condition) = condition {
                scf::build_yield(&mut b, &[after]);
                if let Some(block) = scf::If(condition).else_block(b.ir) {
                    b.set_to_end(block);
                    scf::build_yield(&mut b, &[before]);
                }
                after = b.ir.result(condition, 0);
            }
            rows = Some(after);
        }
        match rows {
            Some(rows) => ir.replace_op(self.op, &[rows]),
            None => ir.erase_op(self.op),
        }
        new
    }

    fn loop_over_elements(&self, ir: &mut Ir) {
        let ty = self.vector_type(ir, &self.shape);
        let value = Transfer(self.op).vector(ir);
        let mut b = Builder::before(ir, self.op);
        let zero = arith::constant_index(&mut b, 0);
        let size = arith::constant_index(&mut b, self.shape[0]);
        let one = arith::constant_index(&mut b, 1);
        let start = self.padded(&mut b, &self.shape);
        let repeat = scf::build_for(&mut b, zero, size, one, start.as_slice());
        let counter = scf::For(repeat).induction_variable(b.ir);
        let body = scf::For(repeat).body(b.ir);
        match start {
            Some(_) => b.set_to_end(body),
            None => {
                let end = scf::For(repeat).yield_op(b.ir);
                b.set_before(end);
            }
        }
        let carried = start.map(|_| scf::For(repeat).iter_args(b.ir)[0]);
        let at = MixedIndex::Value(counter);
        let mut conditions = Vec::new();
        if let Some(mask) = self.mask {
            conditions.push(extract(&mut b, mask, at, Type::I1));
        }
        conditions.extend(self.is_inside(&mut b, at));
        let all = conditions
            .into_iter()
            .reduce(|a, c| b.value(&arith::ANDI, &[a, c], Type::I1));
        let condition = all.map(|all| {
            let types = carried.map(|_| ty);
            scf::build_if(&mut b, all, types.as_slice(), carried.is_some())
        });
        if let Some(condition) = condition {
            match carried {
                Some(_) => {
                    let block = scf::If(condition).then_block(b.ir);
                    b.set_to_end(block);
                }
                None => {
                    let end = scf::If(condition).then_yield(b.ir);
                    b.set_before(end);
                }
            }
        }
        let indices = self.indices_at(&mut b, at);
        let Some(carried) = carried else {
            let element = extract(&mut b, value, at, self.element);
            memref::build::store(&mut b, element, self.memory, &indices);
            ir.erase_op(self.op);
            return;
        };
        let element = memref::build::load(&mut b, self.memory, &indices);
        let mut next = insert(&mut b, element, carried, at);
        if let Some(condition) = condition {
            scf::build_yield(&mut b, &[next]);
            if let Some(block) = scf::If(condition).else_block(b.ir) {
                b.set_to_end(block);
                scf::build_yield(&mut b, &[carried]);
            }
            next = b.ir.result(condition, 0);
            b.set_to_end(body);
        }
        scf::build_yield(&mut b, &[next]);
        let result = ir.result(repeat, 0);
        ir.replace_op(self.op, &[result]);
    }
}

/// Part `at` of a vector, of this type.
fn extract(b: &mut Builder<'_>, vector: Value, at: MixedIndex, ty: Type) -> Value {
    let mut operands = vec![vector];
    operands.extend(dynamic_values(&[at]));
    let position = i64_array(b, &static_values(&[at]));
    b.value_with_attr(
        &vector::EXTRACT,
        &operands,
        ty,
        Name::STATIC_POSITION,
        position,
    )
}

/// `whole` with `part` at place `at`.
fn insert(b: &mut Builder<'_>, part: Value, whole: Value, at: MixedIndex) -> Value {
    let ty = b.ir.value_type(whole);
    let mut operands = vec![part, whole];
    operands.extend(dynamic_values(&[at]));
    let position = i64_array(b, &static_values(&[at]));
    b.value_with_attr(
        &vector::INSERT,
        &operands,
        ty,
        Name::STATIC_POSITION,
        position,
    )
}

fn i64_array(b: &Builder<'_>, values: &[i64]) -> Attr {
    b.ir.context().i64_array_attr(values)
}

/// The constant of type `ty` whose elements are all `attr`.
fn splat_of(b: &Builder<'_>, ty: Type, attr: Attr) -> Option<Attr> {
    let context = b.ir.context();
    match *context.attr_kind(attr) {
        AttrKind::Float { bits, .. } => const_fold::splat_attr(context, ty, bits),
        AttrKind::Integer { value, .. } => const_fold::splat_attr(context, ty, value as u128),
        _ => None,
    }
}
