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
//! The body is folded at each element, so the numbers are those that `canonicalize` would find. What is cheaper to compute
//! than to load stays if only structured operations need it: fusion computes it there. So does what has equal elements.

use std::sync::Arc;

use freehold_frontend::dialects::linalg::attributes::IteratorType;
use freehold_frontend::dialects::linalg::{self, interface};
use freehold_frontend::dialects::shared::const_fold::{dense_attr, element, splat_attr};
use freehold_frontend::dialects::{arith, tensor};
use freehold_frontend::ir::affine::{AffineExpr, AffineMap};
use freehold_frontend::ir::attrs::{Attr, AttrKind};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::{Block, Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::op_def::FoldResult;
use freehold_frontend::ir::types::{DYNAMIC, Type};
use rustc_hash::FxHashMap;

use super::results::is_on_tensors;
use crate::manage::options::pass_options;
use crate::manage::pass::{Anchor, PassContext, PassDef};

pass_options! {
    /// Options of the pass.
    pub struct Options {
        /// largest table in elements
        "max-elements" max_elements: u64 = 64,
        /// keep what takes at most this many operations for structured operations to compute
        "max-recomputed-ops" max_recomputed_ops: u64 = 4,
    }
}

/// The pass.
pub static PASS: PassDef<Options> = PassDef {
    name: "linalg-fold-constants",
    summary: "make small tables that are computed of constants constants",
    anchor: Anchor::Function,
    run,
};

fn run(ir: &mut Ir, context: &mut PassContext<'_, Options>) -> Result<(), Failed> {
    let mut tables = Tables {
        context: Arc::clone(ir.context()),
        max_elements: context.options.max_elements,
        known: FxHashMap::default(),
        order: Vec::new(),
    };
    for op in ir.walk(ir.root()) {
        tables.look_at(ir, op);
    }
    let mut n_folded = 0;
    // Tables that only folded ones need are not there any more once it is their turn.
    for &result in tables.order.iter().rev() {
        let Some(table) = tables.known.get(&result) else {
            continue;
        };
        let is_recomputed = ir.uses(result).iter().all(|use_| {
            linalg::is_structured(ir, use_.op)
                || (ir.results(use_.op).iter()).any(|result| tables.known.contains_key(result))
        });
        let is_cheap = table.n_ops <= context.options.max_recomputed_ops;
        let Some(op) = ir.defining_op(result) else {
            continue;
        };
        // Equal numbers are filled in where they are needed (`adler` was 0.85 times as fast with them in memory).
        if ir.has_no_uses(result) || is_splat(&tables.context, table.attr) {
            continue;
        }
        // Nothing is fused through a reshape.
        if is_cheap && is_recomputed && linalg::is_structured(ir, op) {
            continue;
        }
        n_folded += 1;
        let constant = arith::constant_attr(&mut Builder::before(ir, op), table.attr);
        ir.replace_op(op, &[constant]);
    }
    context.count("tables folded", n_folded);
    Ok(())
}

fn is_splat(context: &Context, attr: Attr) -> bool {
    match context.attr_kind(attr) {
        AttrKind::DenseElements(dense) => dense.splat,
        _ => false,
    }
}

/// A tensor that is known.
#[derive(Clone, Copy)]
struct Table {
    attr: Attr,
    /// How many operations each element takes.
    n_ops: u64,
}

struct Tables {
    context: Arc<Context>,
    max_elements: u64,
    /// What was found besides constants.
    known: FxHashMap<Value, Table>,
    /// The same in the order of the program.
    order: Vec<Value>,
}

impl Tables {
    fn look_at(&mut self, ir: &Ir, op: Op) {
        let [result] = *ir.results(op) else {
            return;
        };
        let table = if ir.is(op, &tensor::EXPAND_SHAPE) || ir.is(op, &tensor::COLLAPSE_SHAPE) {
            self.reshaped(ir, op, result)
        } else {
            self.computed(ir, op, result)
        };
        if let Some(table) = table {
            self.known.insert(result, table);
            self.order.push(result);
        }
    }

    /// A constant, or what is known to become one.
    fn table(&self, ir: &Ir, value: Value) -> Option<Table> {
        if let Some(&table) = self.known.get(&value) {
            return Some(table);
        }
        let op = ir.defined_by(value, &arith::CONSTANT)?;
        let attr = ir.attr(op, Name::VALUE)?;
        Some(Table { attr, n_ops: 0 })
    }

    /// How many elements tensors of this type have, if they are few.
    fn n_elements(&self, ty: Type) -> Option<usize> {
        let sizes = self.context.shape(ty)?;
        let n = sizes.iter().try_fold(1u64, |n, &size| {
            n.checked_mul(u64::try_from(size).ok().filter(|_| size != DYNAMIC)?)
        })?;
        usize::try_from(n)
            .ok()
            .filter(|_| (1..=self.max_elements).contains(&n))
    }

    fn reshaped(&self, ir: &Ir, op: Op, result: Value) -> Option<Table> {
        let source = *self.known.get(&ir.operand(op, 0))?;
        let ty = ir.value_type(result);
        self.n_elements(ty)?;
        let attr = dense_attr(&self.context, ty, |i| {
            element(&self.context, source.attr, i)
        })?;
        Some(Table { attr, ..source })
    }

    fn computed(&self, ir: &Ir, op: Op, result: Value) -> Option<Table> {
        if !linalg::is_structured(ir, op) || !is_on_tensors(ir, op) {
            return None;
        }
        let ty = ir.value_type(result);
        let n = self.n_elements(ty)?;
        let iterators = interface::iterator_types(ir, op);
        let n_inputs = interface::n_inputs(ir, op);
        let is_table = iterators.iter().all(|ty| *ty == IteratorType::Parallel)
            && !interface::payload_uses_operand(ir, op, n_inputs);
        let block = interface::body(ir, op).filter(|_| is_table)?;
        let inputs: Option<Vec<Table>> = interface::inputs(ir, op)
            .iter()
            .map(|&input| self.table(ir, input))
            .collect();
        let inputs = inputs?;
        let maps = interface::indexing_maps(ir, op);
        let (input_maps, output_map) = (&maps[..n_inputs], maps.get(n_inputs)?);
        let body = Body {
            ir,
            block,
            context: &self.context,
        };
        let sizes = self.context.shape(ty)?.to_vec();
        let mut numbers = vec![None; n];
        for (place, number) in numbers.iter_mut().enumerate() {
            let counters = counters(output_map, &subscripts(place, &sizes))?;
            let arguments: Option<Vec<Attr>> = (inputs.iter().zip(input_maps))
                .zip(interface::inputs(ir, op))
                .map(|((input, map), &value)| {
                    self.element_at(input.attr, ir.value_type(value), map, &counters)
                })
                .collect();
            *number = Some(body.evaluate(&arguments?, &counters)?);
        }
        let n_ops = ir
            .ops_in(block)
            .filter(|&op| !ir.is(op, &arith::CONSTANT))
            .count() as u64
            - 1;
        Some(Table {
            attr: dense_attr(&self.context, ty, |place| {
                element(&self.context, numbers[place]?, 0)
            })?,
            n_ops: n_ops + inputs.iter().map(|input| input.n_ops).sum::<u64>(),
        })
    }

    /// The element of a constant that iterations with these counters read, as an attribute of its own.
    fn element_at(&self, attr: Attr, ty: Type, map: &AffineMap, counters: &[i64]) -> Option<Attr> {
        let Some(sizes) = self.context.shape(ty) else {
            return Some(attr);
        };
        let at = map.evaluate(counters, &[])?;
        let mut place = 0usize;
        for (&at, &size) in at.iter().zip(sizes) {
            let at = usize::try_from(at).ok().filter(|_| at < size)?;
            place = place * usize::try_from(size).ok()? + at;
        }
        // An attribute of another kind has no elements to read.
        let AttrKind::DenseElements(_) = self.context.attr_kind(attr) else {
            return None;
        };
        let bits = element(&self.context, attr, place)?;
        let ty = self.context.element_type_or_self(ty);
        splat_attr(&self.context, ty, bits)
    }
}

/// The subscripts of element number `place`.
fn subscripts(mut place: usize, sizes: &[i64]) -> Vec<i64> {
    let mut subscripts = vec![0; sizes.len()];
    for (subscript, &size) in subscripts.iter_mut().zip(sizes).rev() {
        let size = size.max(1) as usize;
        *subscript = (place % size) as i64;
        place /= size;
    }
    subscripts
}

/// The counters of the iteration that writes there, if the map only permutes them.
fn counters(map: &AffineMap, subscripts: &[i64]) -> Option<Vec<i64>> {
    let mut counters = vec![None; map.n_dims as usize];
    for (result, &subscript) in map.results.iter().zip(subscripts) {
        let AffineExpr::Dim(dim) = *result else {
            return None;
        };
        *counters.get_mut(dim as usize)? = Some(subscript);
    }
    counters.into_iter().collect()
}

/// What is done for each element.
struct Body<'a> {
    ir: &'a Ir,
    block: Block,
    context: &'a Context,
}

impl Body<'_> {
    /// What the body yields for these arguments in this iteration.
    fn evaluate(&self, arguments: &[Attr], counters: &[i64]) -> Option<Attr> {
        let ir = self.ir;
        let mut known: FxHashMap<Value, Attr> = FxHashMap::default();
        known.extend(
            ir.block_args(self.block)
                .iter()
                .copied()
                .zip(arguments.iter().copied()),
        );
        let constant = |value: Value| {
            let op = ir.defined_by(value, &arith::CONSTANT)?;
            ir.attr(op, Name::VALUE)
        };
        for op in ir.ops_in(self.block) {
            let get = |value: &Value| known.get(value).copied().or_else(|| constant(*value));
            if ir.is(op, &linalg::YIELD) {
                return get(ir.operands(op).first()?);
            }
            let [result] = *ir.results(op) else {
                return None;
            };
            let attr = if ir.is(op, &linalg::INDEX) {
                let dim = self.context.attr_integer(ir.attr(op, Name::DIM)?)?;
                let counter = counters.get(usize::try_from(dim).ok()?)?;
                self.context.integer_attr(Type::INDEX, i128::from(*counter))
            } else {
                let operands: Vec<Option<Attr>> = ir.operands(op).iter().map(get).collect();
                let folded = ir.def(op).fold?(ir, op, &operands);
                match folded.first()? {
                    FoldResult::Attr(attr) => *attr,
                    FoldResult::Value(value) => get(value)?,
                }
            };
            known.insert(result, attr);
        }
        None
    }
}
