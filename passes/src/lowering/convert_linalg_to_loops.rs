//! `convert-linalg-to-loops`: structured operations on buffers become loop
//! nests of `scf.for` with loads, the body and stores.
//!
//! Before:
//! ```mlir
//! linalg.fill ins(%v : f32) outs(%m : memref<4xf32>)
//! ```
//! After:
//! ```mlir
//! scf.for %i = %c0 to %c4 step %c1 {
//!   memref.store %v, %m[%i] : memref<4xf32>
//! }
//! ```
//!
//! Loops keep their order. Operations on tensors stay as they are. With `collapse-short-rows`, the computation of each of
//! 256x3 elements is one loop of 768, if it takes long or elements are short: rows of three would not fill registers.

use freehold_frontend::dialects::affine::{self, MapAndOperands};
use freehold_frontend::dialects::linalg::attributes::IteratorType;
use freehold_frontend::dialects::{arith, linalg, memref, scf};
use freehold_frontend::ir::affine::{AffineExpr, AffineMap};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::cloning::IrMap;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::{Diagnostics, Failed};
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::{DYNAMIC, MemRefType};
use freehold_frontend::target::Element;
use rustc_hash::FxHashMap;

use super::lower_affine::expand_expr;
use super::softmax;
use crate::analysis::travels::base_of;
use crate::manage::options::pass_options;
use crate::manage::pass::{Anchor, PassContext, PassDef};
use crate::rewrite::elementary_functions::is_elementary;
use crate::rewrite::indices;
use crate::rewrite::structured::set_indexing_maps;

pass_options! {
    /// Options of the pass.
    pub struct Options {
        /// one loop over all elements, where rows have few of them, and elements take long to compute or are shorter than 32 bits
        "collapse-short-rows" collapse_short_rows: bool = false,
    }
}

/// The pass.
pub static PASS: PassDef<Options> = PassDef {
    name: "convert-linalg-to-loops",
    summary: "turn linalg operations on buffers into loops with loads and stores",
    anchor: Anchor::Function,
    run,
};

/// What loops and accesses structured operations become.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// `scf.for`
    Sequential,
    /// `scf.parallel` where iterations may run in any order
    Parallel,
    /// `affine.for`, where sizes may be bounds of one
    Affine,
}

fn run(ir: &mut Ir, context: &mut PassContext<'_, Options>) -> Result<(), Failed> {
    if context.options.collapse_short_rows {
        let mut views = FxHashMap::default();
        for op in ir.collect_ops(ir.root()) {
            collapse(ir, op, &mut views);
        }
    }
    lower_all(ir, Form::Sequential, &mut context.diagnostics)
}

/// Lowers all structured operations on buffers.
pub(super) fn lower_all(
    ir: &mut Ir,
    form: Form,
    diagnostics: &mut Diagnostics,
) -> Result<(), Failed> {
    for op in ir.collect_ops(ir.root()) {
        if ir.is_erased(op) || !ir.results(op).is_empty() {
            continue;
        }
        let problem = if ir.is(op, &linalg::SOFTMAX) {
            softmax::lower(ir, op)
                .is_none()
                .then_some("is defined for floats only")
        } else if linalg::is_structured(ir, op) {
            let problem = "has a loop whose number of iterations no operand tells";
            lower(ir, op, form).is_none().then_some(problem)
        } else {
            None
        };
        if let Some(problem) = problem {
            let message = format!("'{}' op {problem}", ir.op_name(op));
            return Err(diagnostics.error(ir.loc(op), message));
        }
    }
    Ok(())
}

/// The shortest row that fills a register, in elements.
const SHORT_ROW: i64 = 16;

/// Makes one dimension of all, if the operation does the same with each element of its operands, whose rows are shorter
/// than registers. `views` are the buffers that were collapsed before.
fn collapse(ir: &mut Ir, op: Op, views: &mut FxHashMap<Value, Value>) -> Option<()> {
    if !ir.is(op, &linalg::GENERIC) || !ir.results(op).is_empty() {
        return None;
    }
    let body = linalg::interface::body(ir, op)?;
    let iterators = linalg::interface::iterator_types(ir, op);
    // Without functions it is not worth that loops around the rows are not fused with it, unless rows are not taken apart
    // in registers (`loops/widen/interleaved.rs`).
    let is_short = |&operand: &Value| {
        let memref = ir.context().as_memref(ir.value_type(operand));
        let element = memref.and_then(|memref| Element::of(ir.context(), memref.element));
        element.is_some_and(|element| element.bytes() < 4)
    };
    let is_worth = ir.ops_in(body).any(|inner| is_elementary(ir, inner))
        || ir.operands(op).iter().any(is_short);
    let is_simple = iterators.len() > 1
        && (iterators.iter()).all(|&kind| kind == IteratorType::Parallel)
        && is_worth
        && ir
            .ops_in(body)
            .all(|inner| !ir.is(inner, &linalg::INDEX) && ir.regions(inner).is_empty());
    if !is_simple {
        return None;
    }
    let maps = linalg::indexing_maps(ir, op);
    let operands = ir.operands(op).to_vec();
    let mut sizes = None;
    for (&operand, map) in operands.iter().zip(&maps) {
        let ty = ir.value_type(operand);
        let Some(memref) = ir.context().as_memref(ty) else {
            ir.context().shape(ty).is_none().then_some(())?;
            continue;
        };
        let is_whole = memref.layout.is_none()
            && *map == AffineMap::identity(iterators.len())
            && !memref.shape.contains(&DYNAMIC)
            && memref.shape.last().is_some_and(|&n| n < SHORT_ROW)
            && sizes.get_or_insert_with(|| memref.shape.clone()) == &memref.shape;
        is_whole.then_some(())?;
    }
    let sizes = sizes?;
    let n_elements = (sizes.iter()).try_fold(1i64, |all, &n| all.checked_mul(n))?;
    for (index, &operand) in operands.iter().enumerate() {
        let Some(memref) = ir.context().as_memref(ir.value_type(operand)).cloned() else {
            continue;
        };
        let view = match views.get(&operand) {
            Some(&view) => view,
            None => {
                let row = MemRefType {
                    shape: Box::new([n_elements]),
                    ..memref
                };
                let ty = ir.context().memref_type(row);
                let group: Vec<i64> = (0..sizes.len() as i64).collect();
                let mut builder = Builder::after_value(ir, operand);
                let view = memref::build::collapse_shape(&mut builder, operand, &[group], ty);
                views.insert(operand, view);
                view
            }
        };
        ir.set_operand(op, index, view);
    }
    let row = |map: &AffineMap| match map.results.is_empty() {
        true => AffineMap {
            n_dims: 1,
            ..map.clone()
        },
        false => AffineMap::identity(1),
    };
    set_indexing_maps(ir, op, maps.iter().map(row).collect());
    let context = ir.context().clone();
    let parallel = context.array_attr(&[IteratorType::Parallel.to_attr(&context)]);
    ir.set_attr(op, Name::ITERATOR_TYPES, parallel);
    Some(())
}

/// Lowers one operation; `None` if the bounds of a loop are not known.
fn lower(ir: &mut Ir, op: Op, form: Form) -> Option<()> {
    let sizes = linalg::loop_sizes(ir, op);
    let maps = linalg::indexing_maps(ir, op);
    let operands: Vec<Value> = ir.operands(op).to_vec();
    let n_inputs = linalg::n_inputs(ir, op);
    let body = linalg::interface::body(ir, op)?;

    let may_be_apart = match form {
        Form::Parallel => independent_loops(ir, op, &maps),
        Form::Sequential | Form::Affine => vec![false; sizes.len()],
    };
    let mut builder = Builder::before(ir, op);
    let zero = arith::constant_index(&mut builder, 0);
    let one = arith::constant_index(&mut builder, 1);
    let mut bounds = Vec::new();
    let mut is_loop = Vec::new();
    for (size, may_be_apart) in sizes.into_iter().zip(may_be_apart) {
        let (operand, dim) = size?;
        // What happens once needs no loop around it.
        let happens_once = linalg::interface::shape(builder.ir, operand)[dim] == 1;
        is_loop.push(!happens_once);
        if !happens_once {
            let size = loop_size(&mut builder, operand, dim);
            bounds.push(([zero, size, one], may_be_apart));
        }
    }
    let is_affine = form == Form::Affine
        && (bounds.iter()).all(|([_, size, _], _)| affine::is_valid_symbol(builder.ir, *size));
    let nest = match is_affine {
        true => affine_nest(ir, op, &bounds),
        false => nest(ir, op, &bounds),
    };
    let mut counters = nest.variables.iter().copied();
    let counters: Vec<Value> = (is_loop.into_iter())
        .map(|is_loop| match is_loop {
            true => counters.next().unwrap_or(zero),
            false => zero,
        })
        .collect();
    let mut builder = Builder::before(ir, nest.anchor);
    let loc = builder.ir.loc(op);
    builder.set_loc(loc);

    let mut map = IrMap::default();
    for (index, (&operand, subscripts)) in operands.iter().zip(&maps).enumerate() {
        let Some(argument) = linalg::interface::matching_argument(builder.ir, op, index) else {
            continue;
        };
        if builder.ir.has_no_uses(argument) {
            continue;
        }
        let element = if builder.ir.is_memref(operand) {
            if is_affine {
                let indices = apply(&mut builder, subscripts, &counters);
                affine::build_load(&mut builder, operand, &indices)
            } else {
                let indices = expand(&mut builder, subscripts, &counters);
                let (buffer, indices) = at_source(&mut builder, operand, indices);
                memref::build::load(&mut builder, buffer, &indices)
            }
        } else {
            operand
        };
        map.values.insert(argument, element);
    }
    let inner: Vec<Op> = builder.ir.ops_in(body).collect();
    for inner_op in inner {
        if builder.ir.is(inner_op, &linalg::INDEX) {
            let dim = builder
                .ir
                .attr(inner_op, Name::DIM)
                .and_then(|attr| builder.ir.context().attr_integer(attr))?;
            let variable = *counters.get(usize::try_from(dim).ok()?)?;
            map.values.insert(builder.ir.result(inner_op, 0), variable);
        } else if builder.ir.is(inner_op, &linalg::YIELD) {
            let yielded: Vec<Value> = builder
                .ir
                .operands(inner_op)
                .iter()
                .map(|&v| map.value(v))
                .collect();
            for (&value, index) in yielded.iter().zip(n_inputs..) {
                if is_affine {
                    let indices = apply(&mut builder, &maps[index], &counters);
                    affine::build_store(&mut builder, value, operands[index], &indices);
                } else {
                    let indices = expand(&mut builder, &maps[index], &counters);
                    let (buffer, indices) = at_source(&mut builder, operands[index], indices);
                    memref::build::store(&mut builder, value, buffer, &indices);
                }
            }
        } else {
            let copy = builder.ir.clone_op(inner_op, &mut map);
            builder.insert(copy);
        }
    }
    hoist_constants(ir, &nest);
    ir.erase_op(op);
    Some(())
}

/// New loops around one another.
struct Nest {
    /// Before which the body goes.
    anchor: Op,
    /// What counts iterations, outermost first.
    variables: Vec<Value>,
    outermost: Option<Op>,
}

/// Lower bound, upper bound and step of a loop, and whether its iterations may run in any order.
type LoopBounds = ([Value; 3], bool);

/// Loops of `scf`; neighbours whose iterations may run in any order are one operation.
fn nest(ir: &mut Ir, op: Op, bounds: &[LoopBounds]) -> Nest {
    let loc = ir.loc(op);
    let mut nest = Nest {
        anchor: op,
        variables: Vec::new(),
        outermost: None,
    };
    for group in bounds.chunk_by(|a, b| a.1 && b.1) {
        let mut builder = Builder::before(ir, nest.anchor);
        builder.set_loc(loc);
        let new = match group {
            [([lower, upper, step], false)] => {
                let new = scf::build_for(&mut builder, *lower, *upper, *step, &[]);
                nest.variables.push(scf::For(new).induction_variable(ir));
                nest.anchor = scf::For(new).yield_op(ir);
                new
            }
            _ => {
                let [lower, upper, step] =
                    [0, 1, 2].map(|i| group.iter().map(|bound| bound.0[i]).collect::<Vec<_>>());
                let new = scf::build_parallel(&mut builder, &lower, &upper, &step, &[]);
                let body = scf::Parallel(new).body(ir);
                nest.variables.extend_from_slice(ir.block_args(body));
                nest.anchor = scf::Parallel(new).reduce_op(ir);
                new
            }
        };
        nest.outermost.get_or_insert(new);
    }
    nest
}

/// Loops of `affine` from zero.
fn affine_nest(ir: &mut Ir, op: Op, bounds: &[LoopBounds]) -> Nest {
    let loc = ir.loc(op);
    let mut nest = Nest {
        anchor: op,
        variables: Vec::new(),
        outermost: None,
    };
    for &([_, size, _], _) in bounds {
        let upper = AffineMap {
            n_dims: 0,
            n_symbols: 1,
            results: vec![AffineExpr::Symbol(0)],
        };
        let lower = MapAndOperands::new(AffineMap::constant(0), &[]);
        let upper = MapAndOperands::new(upper, &[size]).canonical(ir);
        let mut builder = Builder::before(ir, nest.anchor);
        builder.set_loc(loc);
        let new = affine::build_for(&mut builder, &lower, &upper, 1, &[]);
        let body = affine::For(new).body(ir);
        nest.variables.push(affine::For(new).induction_variable(ir));
        nest.anchor = ir
            .last_op(body)
            .expect("a loop that carries nothing is terminated");
        nest.outermost.get_or_insert(new);
    }
    nest
}

/// For each loop whether its iterations may run in any order: it is said to be parallel, each iteration writes elements
/// of its own, and what is written is not read at other places under the same name.
fn independent_loops(ir: &Ir, op: Op, maps: &[AffineMap]) -> Vec<bool> {
    let n_inputs = linalg::n_inputs(ir, op);
    let operands = ir.operands(op);
    let writes_twice = operands[n_inputs..].iter().enumerate().any(|(i, &output)| {
        let others = operands.iter().enumerate();
        others
            .filter(|&(index, _)| index != n_inputs + i)
            .any(|(index, &other)| {
                base_of(ir, other) == base_of(ir, output)
                    && !(other == output && maps[index] == maps[n_inputs + i])
            })
    });
    let iterators = linalg::interface::iterator_types(ir, op);
    let is_independent = |(dim, kind): (usize, &IteratorType)| {
        let own = AffineExpr::Dim(dim as u32);
        *kind == IteratorType::Parallel
            && !writes_twice
            && maps[n_inputs..]
                .iter()
                .all(|map| map.results.contains(&own))
    };
    iterators.iter().enumerate().map(is_independent).collect()
}

/// Limit for the reshapes of a buffer that an access looks through: two transpose dimensions of size 1.
const MAX_RESHAPES: usize = 4;

/// Where an element of a buffer is in the one that it is a reshape of, if only dimensions of size 1 were added or taken
/// away: loops see that it is the same buffer, and which elements are neighbours.
fn at_source(
    builder: &mut Builder<'_>,
    mut buffer: Value,
    mut indices: Vec<Value>,
) -> (Value, Vec<Value>) {
    for _ in 0..MAX_RESHAPES {
        let Some((source, at)) = at_reshaped(builder, buffer, &indices) else {
            break;
        };
        (buffer, indices) = (source, at);
    }
    (buffer, indices)
}

fn at_reshaped(
    builder: &mut Builder<'_>,
    buffer: Value,
    indices: &[Value],
) -> Option<(Value, Vec<Value>)> {
    let op = builder.ir.defining_op(buffer)?;
    let is_expand = builder.ir.is(op, &memref::EXPAND_SHAPE);
    let groups = match () {
        () if is_expand => memref::ExpandShape(op).reassociation(builder.ir),
        () if builder.ir.is(op, &memref::COLLAPSE_SHAPE) => {
            memref::CollapseShape(op).reassociation(builder.ir)
        }
        () => return None,
    };
    let source = builder.ir.operand(op, 0);
    // Loops along the last dimension run in vectors.
    let ends_with_one = |value| linalg::interface::shape(builder.ir, value).last() == Some(&1);
    if ends_with_one(source) && !ends_with_one(buffer) {
        return None;
    }
    let large = if is_expand { buffer } else { source };
    let shape = linalg::interface::shape(builder.ir, large).to_vec();
    let mut at = Vec::new();
    for (group, position) in groups.iter().zip(0..) {
        let mut long = group.iter().filter(|&&dim| shape[dim as usize] != 1);
        let long_dim = long.next();
        if long.next().is_some() {
            return None;
        }
        if is_expand {
            at.push(*indices.get(*long_dim.or(group.first())? as usize)?);
            continue;
        }
        let index: Value = *indices.get(position)?;
        for dim in group {
            at.push(match long_dim == Some(dim) {
                true => index,
                false => arith::constant_index(builder, 0),
            });
        }
    }
    // A reshape of one element has no groups.
    let rank = linalg::interface::rank(builder.ir, source);
    while at.len() < rank {
        at.push(arith::constant_index(builder, 0));
    }
    Some((source, at))
}

/// Moves the constants of the innermost body before the loops: for the passes after this one, the contents of a loop
/// change.
fn hoist_constants(ir: &mut Ir, nest: &Nest) {
    let Some(body) = ir
        .block_of(nest.anchor)
        .filter(|_| !nest.variables.is_empty())
    else {
        return;
    };
    let Some(outermost) = nest.outermost else {
        return;
    };
    for inner in ir.ops_in(body).collect::<Vec<Op>>() {
        if ir.is(inner, &arith::CONSTANT) {
            ir.move_op_before(inner, outermost);
        }
    }
}

/// The size of a dimension of a buffer, as a constant where it is known.
pub(super) fn loop_size(builder: &mut Builder<'_>, operand: Value, dim: usize) -> Value {
    match linalg::interface::shape(builder.ir, operand)[dim] {
        DYNAMIC => {
            // Loops over several buffers of one size are known to run equally often.
            let alloc =
                (builder.ir.defining_op(operand)).filter(|&op| builder.ir.is(op, &memref::ALLOC));
            let size =
                alloc.and_then(|alloc| memref::alloc::dynamic_size_of(builder.ir, alloc, dim));
            size.unwrap_or_else(|| {
                let dim = arith::constant_index(builder, dim as i64);
                memref::build::dim(builder, operand, dim)
            })
        }
        size => arith::constant_index(builder, size),
    }
}

fn expand(builder: &mut Builder<'_>, map: &AffineMap, variables: &[Value]) -> Vec<Value> {
    map.results
        .iter()
        .map(|expr| expand_expr(builder, expr, variables, &[]))
        .collect()
}

/// Subscripts as operands of affine accesses.
fn apply(builder: &mut Builder<'_>, map: &AffineMap, variables: &[Value]) -> Vec<Value> {
    let result = |expr: &AffineExpr, builder: &mut Builder<'_>| match *expr {
        AffineExpr::Dim(dim) => variables[dim as usize],
        _ => {
            let map = AffineMap {
                results: vec![expr.clone()],
                ..map.clone()
            };
            let composed = MapAndOperands::new(map, variables).canonical(builder.ir);
            indices::map_op(builder, &affine::APPLY, composed).materialize(builder)
        }
    };
    map.results
        .iter()
        .map(|expr| result(expr, builder))
        .collect()
}
