//! `linalg-fold-constants`: small tables that structured operations compute of constants and of where an element is are
//! constants.
//!
//! Before, of a program that packs bits:
//! ```mlir
//! %t = linalg.generic {... (d0) -> (d0)} outs(%e : tensor<8xi8>) {
//!   %i = linalg.index 0 : index
//!   %r = arith.subi %c7, %i : index
//!   %b = arith.index_castui %r : index to i8
//!   linalg.yield %b : i8
//! } -> tensor<8xi8>
//! %b = tensor.expand_shape %t [[0, 1]] output_shape [1, 8] : tensor<8xi8> into tensor<1x8xi8>
//! ```
//! After:
//! ```mlir
//! %b = arith.constant dense<[[7, 6, 5, 4, 3, 2, 1, 0]]> : tensor<1x8xi8>
//! ```
//! Operations are folded on all elements at once, so the numbers are those that `canonicalize` would find. What is cheaper
//! to compute than to load stays if only structured operations need it: fusion computes it there. So does what has equal
//! elements. Larger tables become constants where that saves divisions or functions (`rotary` is 1.6 times as fast with its
//! sines as constants, `lennard_jones` 0.3 times with a mask as one), and where products read them. What repeats a smaller
//! table stays.

use std::sync::Arc;

use freehold_frontend::dialects::linalg::attributes::IteratorType;
use freehold_frontend::dialects::linalg::{self, interface};
use freehold_frontend::dialects::shared::const_fold::{dense_attr, element};
use freehold_frontend::dialects::{arith, tensor};
use freehold_frontend::ir::affine::{AffineExpr, AffineMap};
use freehold_frontend::ir::attrs::{Attr, AttrKind};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::cloning::IrMap;
use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::{Block, Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::op_def::{FoldResult, Traits};
use freehold_frontend::ir::types::{DYNAMIC, Type, TypeKind};
use rustc_hash::{FxHashMap, FxHashSet};

use super::linalg_fuse_elementwise_ops::is_one_instruction;
use super::results::is_on_tensors;
use crate::analysis::contraction::adds_up_products;
use crate::manage::options::pass_options;
use crate::manage::pass::{Anchor, PassContext, PassDef};

pass_options! {
    /// Options of the pass.
    pub struct Options {
        /// largest table in elements that saves arithmetic alone
        "max-elements" max_elements: u64 = 64,
        /// largest table in elements that saves divisions or functions, or that products read
        "max-expensive-elements" max_expensive_elements: u64 = 1 << 18,
        /// keep what takes at most this many operations for structured operations to compute
        "max-recomputed-ops" max_recomputed_ops: u64 = 4,
    }
}

/// How many operations on elements are computed for one function: a hundredth of a second.
const MAX_WORK: u64 = 1 << 18;

/// The pass.
pub static PASS: PassDef<Options> = PassDef {
    name: "linalg-fold-constants",
    summary: "make tables that are computed of constants constants",
    anchor: Anchor::Function,
    run,
};

fn run(ir: &mut Ir, context: &mut PassContext<'_, Options>) -> Result<(), Failed> {
    let mut tables = Tables {
        context: Arc::clone(ir.context()),
        max_elements: (context.options.max_elements).max(context.options.max_expensive_elements),
        found: FxHashMap::default(),
        order: Vec::new(),
    };
    for op in ir.walk(ir.root()) {
        tables.look_at(ir, op);
    }
    let wanted = tables.wanted(ir, context.options);
    // Values of tables that become constants and of those that they are computed of.
    let mut needed: FxHashSet<Value> = wanted.clone();
    for &result in tables.order.iter().rev() {
        if needed.contains(&result) {
            needed.extend(inputs_of(ir, result));
        }
    }
    let mut known: FxHashMap<Value, Attr> = FxHashMap::default();
    let mut folded = Vec::new();
    for &result in &tables.order {
        if !needed.contains(&result) {
            continue;
        }
        let Some(attr) = value_of(ir, &tables.context, &known, result) else {
            continue;
        };
        known.insert(result, attr);
        // Equal numbers are filled in where they are needed (`adler` was 0.85 times as fast with them in memory).
        if wanted.contains(&result) && !is_splat(&tables.context, attr) {
            folded.push((result, attr));
        }
    }
    for &(result, attr) in &folded {
        if let Some(op) = ir.defining_op(result) {
            let constant = arith::constant_attr(&mut Builder::before(ir, op), attr);
            ir.replace_op(op, &[constant]);
        }
    }
    context.count("tables folded", folded.len() as u64);
    Ok(())
}

fn is_splat(context: &Context, attr: Attr) -> bool {
    match context.attr_kind(attr) {
        AttrKind::DenseElements(dense) => dense.splat,
        _ => false,
    }
}

/// The tensors of which an operation computes its elements.
fn inputs_of(ir: &Ir, result: Value) -> Vec<Value> {
    match ir.defining_op(result) {
        Some(op) if linalg::is_structured(ir, op) => interface::inputs(ir, op).to_vec(),
        Some(op) => ir.operands(op).iter().take(1).copied().collect(),
        None => Vec::new(),
    }
}

/// A tensor that can be computed.
#[derive(Clone, Copy)]
struct Table {
    n_elements: u64,
    /// How many operations each element takes.
    n_ops: u64,
    /// Whether one of these is a function or a division.
    is_expensive: bool,
    /// Whether it does little more than to repeat the elements of a smaller one.
    repeats: bool,
}

struct Tables {
    context: Arc<Context>,
    max_elements: u64,
    /// What was found besides constants.
    found: FxHashMap<Value, Table>,
    /// The same in the order of the program.
    order: Vec<Value>,
}

impl Tables {
    fn look_at(&mut self, ir: &Ir, op: Op) {
        let [result] = *ir.results(op) else {
            return;
        };
        let table = if is_reshape(ir, op) {
            self.reshaped(ir, op, result)
        } else {
            self.computed(ir, op, result)
        };
        if let Some(table) = table {
            self.found.insert(result, table);
            self.order.push(result);
        }
    }

    /// A constant, or what can become one.
    fn table(&self, ir: &Ir, value: Value) -> Option<Table> {
        if let Some(&table) = self.found.get(&value) {
            return Some(table);
        }
        ir.defined_by(value, &arith::CONSTANT)?;
        Some(Table {
            // Numbers have no type with sizes.
            n_elements: self.n_elements(ir.value_type(value)).unwrap_or(1),
            n_ops: 0,
            is_expensive: false,
            repeats: false,
        })
    }

    /// How many elements tensors of this type have, if they are few.
    fn n_elements(&self, ty: Type) -> Option<u64> {
        let sizes = self.context.shape(ty)?;
        let n = sizes.iter().try_fold(1u64, |n, &size| {
            n.checked_mul(u64::try_from(size).ok().filter(|_| size != DYNAMIC)?)
        })?;
        Some(n).filter(|n| (1..=self.max_elements).contains(n))
    }

    fn reshaped(&self, ir: &Ir, op: Op, result: Value) -> Option<Table> {
        let source = *self.found.get(&ir.operand(op, 0))?;
        self.n_elements(ir.value_type(result))?;
        Some(source)
    }

    fn computed(&self, ir: &Ir, op: Op, result: Value) -> Option<Table> {
        if !linalg::is_structured(ir, op) || !is_on_tensors(ir, op) {
            return None;
        }
        let n_elements = self.n_elements(ir.value_type(result))?;
        let iterators = interface::iterator_types(ir, op);
        let n_inputs = interface::n_inputs(ir, op);
        let is_table = iterators.iter().all(|ty| *ty == IteratorType::Parallel)
            && !interface::payload_uses_operand(ir, op, n_inputs);
        let block = interface::body(ir, op).filter(|_| is_table)?;
        let is_expensive = !ir.ops_in(block).all(|op| is_one_instruction(ir, op));
        let is_counted = |&op: &Op| !ir.is(op, &arith::CONSTANT) && !ir.is(op, &linalg::YIELD);
        let mut table = Table {
            n_elements,
            n_ops: ir.ops_in(block).filter(is_counted).count() as u64,
            is_expensive,
            repeats: false,
        };
        let mut largest = 0;
        for &input in interface::inputs(ir, op) {
            let input = self.table(ir, input)?;
            table.n_ops = table.n_ops.saturating_add(input.n_ops);
            table.is_expensive |= input.is_expensive;
            largest = largest.max(input.n_elements);
        }
        table.repeats = !is_expensive && n_elements > largest;
        Some(table)
    }

    /// What is to become a constant.
    fn wanted(&self, ir: &Ir, options: &Options) -> FxHashSet<Value> {
        let mut wanted: FxHashSet<Value> = FxHashSet::default();
        // What only tables need that are there no more.
        let mut unneeded: FxHashSet<Value> = FxHashSet::default();
        let mut work = 0u64;
        for &result in self.order.iter().rev() {
            let (Some(table), Some(op)) = (self.found.get(&result), ir.defining_op(result)) else {
                continue;
            };
            let mut users = ir.uses(result).iter().map(|use_| use_.op);
            let is_gone = |user: Op| match *ir.results(user) {
                [result] => wanted.contains(&result) || unneeded.contains(&result),
                _ => false,
            };
            if users.clone().all(is_gone) {
                unneeded.insert(result);
                continue;
            }
            let is_recomputed = users.clone().all(|user| {
                linalg::is_structured(ir, user)
                    || (ir.results(user).iter()).any(|result| self.found.contains_key(result))
            });
            // Nothing is fused through a reshape.
            let is_cheap = table.n_ops <= options.max_recomputed_ops
                && is_recomputed
                && linalg::is_structured(ir, op);
            let is_large = table.n_elements > options.max_elements;
            let saves_much = table.is_expensive
                || table.n_ops > 0 && users.any(|user| adds_up_products(ir, user));
            let fits =
                !is_large || saves_much && table.n_elements <= options.max_expensive_elements;
            let is_worth_it = if is_large { !table.repeats } else { !is_cheap };
            let new_work = table.n_elements.saturating_mul(table.n_ops.max(1));
            if fits && is_worth_it && work.saturating_add(new_work) <= MAX_WORK {
                work += new_work;
                wanted.insert(result);
            }
        }
        wanted
    }
}

fn is_reshape(ir: &Ir, op: Op) -> bool {
    ir.is(op, &tensor::EXPAND_SHAPE) || ir.is(op, &tensor::COLLAPSE_SHAPE)
}

/// The elements of a table whose inputs are constants or known.
fn value_of(
    ir: &mut Ir,
    context: &Context,
    known: &FxHashMap<Value, Attr>,
    result: Value,
) -> Option<Attr> {
    let constant = |ir: &Ir, value: Value| {
        known.get(&value).copied().or_else(|| {
            let op = ir.defined_by(value, &arith::CONSTANT)?;
            ir.attr(op, Name::VALUE)
        })
    };
    let (op, ty) = (ir.defining_op(result)?, ir.value_type(result));
    if is_reshape(ir, op) {
        let source = constant(ir, ir.operand(op, 0))?;
        return dense_attr(context, ty, |i| element(context, source, i));
    }
    let n_inputs = interface::n_inputs(ir, op);
    let maps = interface::indexing_maps(ir, op);
    let counters = counters(context.shape(ty)?, maps.get(n_inputs)?)?;
    let elements = Elements {
        context,
        n: counters.n_elements(),
    };
    let mut arguments = Vec::new();
    for (&input, map) in interface::inputs(ir, op).iter().zip(&maps) {
        let attr = constant(ir, input)?;
        arguments.push(elements.read(attr, ir.value_type(input), map, &counters)?);
    }
    let block = interface::body(ir, op)?;
    let body = Folding {
        ir,
        elements: &elements,
        before: op,
        copies: Vec::new(),
        map: IrMap::default(),
    };
    let attr = body.run(block, &arguments, &counters)?;
    dense_attr(context, ty, |place| element(context, attr, place))
}

/// The counters of the iterations that write the elements of a tensor, in the order of these.
struct Counters {
    /// Sizes of the tensor.
    sizes: Vec<i64>,
    /// Which dimension of it each loop is along.
    dims: Vec<usize>,
}

/// `None` if the map does more than to permute the loops.
fn counters(sizes: &[i64], map: &AffineMap) -> Option<Counters> {
    let mut dims = vec![None; map.n_dims as usize];
    for (at, result) in map.results.iter().enumerate() {
        let AffineExpr::Dim(dim) = *result else {
            return None;
        };
        *dims.get_mut(dim as usize)? = Some(at);
    }
    Some(Counters {
        sizes: sizes.to_vec(),
        dims: dims.into_iter().collect::<Option<_>>()?,
    })
}

impl Counters {
    fn n_elements(&self) -> usize {
        self.sizes.iter().map(|&size| size as usize).product()
    }

    /// Calls `f` with the counters of each iteration, as long as it returns something.
    fn for_each(&self, mut f: impl FnMut(&[i64]) -> Option<()>) -> Option<()> {
        let mut subscripts = vec![0; self.sizes.len()];
        let mut counters = vec![0; self.dims.len()];
        for _ in 0..self.n_elements() {
            for (counter, &dim) in counters.iter_mut().zip(&self.dims) {
                *counter = subscripts[dim];
            }
            f(&counters)?;
            for (subscript, &size) in subscripts.iter_mut().zip(&self.sizes).rev() {
                *subscript += 1;
                if *subscript < size {
                    break;
                }
                *subscript = 0;
            }
        }
        Some(())
    }
}

/// Values of a body in all iterations, as constants of one dimension.
struct Elements<'a> {
    context: &'a Context,
    n: usize,
}

impl Elements<'_> {
    fn ty(&self, element: Type) -> Type {
        self.context.intern_type(TypeKind::RankedTensor {
            shape: [self.n as i64].into(),
            element,
            encoding: None,
        })
    }

    /// A constant for all elements, of a number or of one that is it already.
    fn same(&self, attr: Attr) -> Option<Attr> {
        let context = self.context;
        let ty = context.attr_carried_type(attr)?;
        if context.shape(ty).is_some() {
            return Some(attr);
        }
        dense_attr(context, self.ty(ty), |_| element(context, attr, 0))
    }

    /// What the iterations read of a constant.
    fn read(&self, attr: Attr, ty: Type, map: &AffineMap, counters: &Counters) -> Option<Attr> {
        let context = self.context;
        let new = self.ty(context.element_type_or_self(ty));
        let Some(sizes) = context.shape(ty) else {
            return self.same(attr);
        };
        // An attribute of another kind has no elements to read.
        let AttrKind::DenseElements(_) = context.attr_kind(attr) else {
            return None;
        };
        let mut places = Vec::with_capacity(self.n);
        counters.for_each(|counters| {
            let at = map.evaluate(counters, &[])?;
            let mut place = 0usize;
            for (&at, &size) in at.iter().zip(sizes) {
                let at = usize::try_from(at).ok().filter(|_| at < size)?;
                place = place * usize::try_from(size).ok()? + at;
            }
            places.push(place);
            Some(())
        })?;
        dense_attr(context, new, |i| element(context, attr, places[i]))
    }
}

/// A body whose operations are folded on all elements.
struct Folding<'a> {
    ir: &'a mut Ir,
    elements: &'a Elements<'a>,
    /// Copies stand before this operation.
    before: Op,
    copies: Vec<Op>,
    /// What stands for values of the body.
    map: IrMap,
}

impl Folding<'_> {
    /// What the body yields. None of the copies is left.
    fn run(mut self, block: Block, arguments: &[Attr], counters: &Counters) -> Option<Attr> {
        for (at, &attr) in arguments.iter().enumerate() {
            self.stand_in(self.ir.block_args(block)[at], attr);
        }
        let yielded = self.yielded(block, counters);
        for op in self.copies.into_iter().rev() {
            self.ir.erase_op(op);
        }
        yielded
    }

    fn yielded(&mut self, block: Block, counters: &Counters) -> Option<Attr> {
        let ops: Vec<Op> = self.ir.ops_in(block).collect();
        for op in ops {
            if self.ir.is(op, &linalg::YIELD) {
                let value = *self.ir.operands(op).first()?;
                return self.constant(value);
            }
            let attr = self.folded(op, counters)?;
            let [result] = *self.ir.results(op) else {
                return None;
            };
            self.stand_in(result, attr);
        }
        None
    }

    /// Has a constant of all elements stand for a value of the body.
    fn stand_in(&mut self, value: Value, attr: Attr) -> Value {
        let copy = arith::constant_attr(&mut Builder::before(self.ir, self.before), attr);
        self.copies.extend(self.ir.defining_op(copy));
        self.map.values.insert(value, copy);
        copy
    }

    /// The numbers that a value of the body is.
    fn constant(&self, value: Value) -> Option<Attr> {
        let op = self
            .ir
            .defined_by(self.map.value(value), &arith::CONSTANT)?;
        self.ir.attr(op, Name::VALUE)
    }

    /// What an operation computes.
    fn folded(&mut self, op: Op, counters: &Counters) -> Option<Attr> {
        let elements = self.elements;
        let context = elements.context;
        if self.ir.is(op, &arith::CONSTANT) {
            return elements.same(self.ir.attr(op, Name::VALUE)?);
        }
        if self.ir.is(op, &linalg::INDEX) {
            let dim = usize::try_from(context.attr_integer(self.ir.attr(op, Name::DIM)?)?).ok()?;
            let mut numbers = Vec::with_capacity(elements.n);
            counters.for_each(|counters| {
                numbers.push(u128::from(*counters.get(dim)? as u64));
                Some(())
            })?;
            return dense_attr(context, elements.ty(Type::INDEX), |i| {
                numbers.get(i).copied()
            });
        }
        if !self.ir.has_trait(op, Traits::ELEMENTWISE) {
            return None;
        }
        // Numbers from outside of the body.
        for operand in self.ir.operands(op).to_vec() {
            if !self.map.values.contains_key(&operand) {
                let attr = elements.same(self.constant(operand)?)?;
                self.stand_in(operand, attr);
            }
        }
        let copy = self.ir.clone_op(op, &mut self.map);
        self.ir.insert_op_before(self.before, copy);
        self.copies.push(copy);
        let result = self.ir.result(copy, 0);
        let ty = elements.ty(self.ir.value_type(result));
        self.ir.set_value_type(result, ty);
        let operands: Vec<Option<Attr>> = (self.ir.operands(copy).iter())
            .map(|&operand| self.constant(operand))
            .collect();
        match self.ir.def(copy).fold?(self.ir, copy, &operands).first()? {
            FoldResult::Attr(attr) => elements.same(*attr),
            FoldResult::Value(value) => self.constant(*value),
        }
    }
}
