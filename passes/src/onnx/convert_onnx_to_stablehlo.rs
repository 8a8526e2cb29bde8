//! `convert-onnx-to-stablehlo`: operators of ONNX become operations of StableHLO, linalg, tensor, scf and arith.
//!
//! Before:
//! ```mlir
//! %0 = "onnx.Add"(%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
//! ```
//! After:
//! ```mlir
//! %0 = stablehlo.add %a, %b : tensor<4xf32>
//! ```
//!
//! Operators are lowered in order, and the types of results follow from what was built: a model need not say them.
//! Sizes are numbers or values of type index, equal ones the same value, and small tensors of integers are known by
//! their elements (`ints`), so that computations of shapes become arithmetic on sizes. Bodies of
//! control flow are lowered where they are built, again for each attempt at the types that they carry.

use std::sync::LazyLock;

use freehold_frontend::dialects::{func, onnx};
use freehold_frontend::ir::attrs::Attr;
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::{Diagnostics, Failed};
use freehold_frontend::ir::entities::{Block, Op, Value};
use freehold_frontend::ir::location::Loc;
use freehold_frontend::ir::op_def::OpDef;
use freehold_frontend::ir::types::{DYNAMIC, Type, TypeKind};
use rustc_hash::{FxHashMap, FxHashSet};

use super::graph::{Cx, Scope};
use super::node::{Lowered, Node, Refused};
use super::sequences::{self, Held};
use super::sizes::Dim;
use super::{TABLES, control, elementwise, folds, inputs, microsoft, weights};
use crate::manage::options::pass_options;
use crate::manage::pass::{Anchor, PassDef};
use crate::rewrite::formula::order_left_open;
use crate::rewrite::functions;
use crate::rewrite::signature::Signature;

pass_options! {
    /// Options of the pass.
    pub struct Options {
        /// whether sums whose order no operator gives (norms, transforms) get the flag 'reassoc'
        "reassociate-fp-reductions" reassociate: bool = false,
    }
}

/// The pass.
pub static PASS: PassDef<Options> = PassDef {
    name: "convert-onnx-to-stablehlo",
    summary: "turn operators of ONNX into StableHLO, linalg, tensor, scf and arith",
    anchor: Anchor::Module,
    run: |ir, context| {
        let opset = opset_of(ir, ir.root());
        let mut n_lowered = 0;
        let mut result = Ok(());
        for stub in functions::functions(ir) {
            let Some(function) = ir.nested_mut(stub) else {
                continue;
            };
            let fastmath = order_left_open(function.context(), context.options.reassociate);
            match lower_function(function, opset, fastmath, &mut context.diagnostics) {
                Ok(n) => n_lowered += n,
                Err(failed) => result = Err(failed),
            }
        }
        context.count("operators lowered", n_lowered);
        result
    },
};

/// The newest version of operators.
const NEWEST: i64 = 28;

/// Builds what an operator computes and returns a value for each of its results.
pub(super) type Lower = fn(&mut Cx<'_>, &Node) -> Lowered;

/// A lowering of an operator.
pub(super) type Row = (&'static OpDef, Lower);

/// All lowerings by the names of operations.
static LOWERINGS: LazyLock<FxHashMap<&'static str, Lower>> = LazyLock::new(|| {
    let rows = TABLES.iter().copied().flatten().copied();
    let control = control::OPERATORS
        .iter()
        .map(|&def| (def, no_operator as Lower));
    let all = rows.chain(elementwise::formula_rows()).chain(control);
    all.map(|(def, lower)| (def.name, lower)).collect()
});

/// Operators with regions are lowered by [`control`].
fn no_operator(_: &mut Cx<'_>, _: &Node) -> Lowered {
    Err("it has no region".into())
}

pub(super) fn opset_of(ir: &Ir, op: Op) -> Option<i64> {
    let name = ir.context().intern_name("onnx.opset");
    let number = ir.context().attr_integer(ir.attr(op, name)?)?;
    i64::try_from(number).ok()
}

pub(super) fn is_onnx(ir: &Ir, op: Op) -> bool {
    ir.def(op).dialect() == "onnx"
}

/// What was refused, where, and what it is called.
pub(super) type Refusals = Vec<(Loc, String)>;

/// The lowering of a function.
pub(super) struct Driver {
    pub(super) refusals: Refusals,
    /// What was left out, as it would be wrong if it were taken.
    pub(super) warnings: Refusals,
    /// Values that were not computed because something before was refused.
    missing: FxHashSet<Value>,
    /// How many loops are around the node.
    pub(super) n_loops: usize,
}

/// The name of a node in an error: the operator, and the name of the node.
pub(super) fn describe(ir: &Ir, op: Op) -> String {
    let context = ir.context();
    let text = |name: &str| {
        let attr = ir.attr(op, context.intern_name(name))?;
        context.attr_string(attr)
    };
    let mut what = format!("'{}' op", ir.op_name(op));
    if let (Some(name), Some(domain)) = (text("function_name"), text("domain_name")) {
        what += &format!(" '{domain}.{name}'");
    }
    match text("onnx_node_name") {
        Some(name) if !name.is_empty() => what + &format!(" (node '{name}')"),
        _ => what,
    }
}

/// Lowers the operators of a function in front of them; `None` if there are none.
fn attempt<T>(
    ir: &mut Ir,
    opset: Option<i64>,
    fastmath: Option<Attr>,
    finish: impl FnOnce(&mut Cx<'_>, &mut Driver, &[Op]) -> T,
) -> Option<T> {
    let body = ir.root_block()?;
    let old: Vec<Op> = ir.ops_in(body).collect();
    let first = old.iter().copied().find(|&op| is_onnx(ir, op))?;
    let opset = opset.or_else(|| opset_of(ir, ir.root())).unwrap_or(NEWEST);
    let mut driver = Driver {
        refusals: Vec::new(),
        warnings: Vec::new(),
        missing: FxHashSet::default(),
        n_loops: 0,
    };
    let mut b = Builder::before(ir, first);
    b.set_fastmath(fastmath);
    let mut cx = Cx {
        b,
        values: FxHashMap::default(),
        held: FxHashMap::default(),
        folded: FxHashSet::default(),
        scope: Scope::default(),
        opset,
        n_random: 0,
    };
    inputs::note_sizes(&mut cx);
    lower_ops(&mut cx, &mut driver, &old);
    Some(finish(&mut cx, &mut driver, &old))
}

fn lower_function(
    ir: &mut Ir,
    opset: Option<i64>,
    fastmath: Option<Attr>,
    diagnostics: &mut Diagnostics,
) -> Result<u64, Failed> {
    weights::sink(ir);
    let outcome = attempt(ir, opset, fastmath, |cx, driver, old| {
        for &op in old {
            if !is_onnx(cx.b.ir, op) {
                cx.b.set_before(op);
                hand_over(cx, driver, op);
            }
        }
        let mut failed = None;
        for (loc, message) in driver.refusals.drain(..) {
            failed = Some(diagnostics.error(loc, message));
        }
        if let Some(failed) = failed {
            return Err(failed);
        }
        let mut said = FxHashSet::default();
        for (loc, message) in driver.warnings.drain(..) {
            if said.insert((loc, message.clone())) {
                diagnostics.warning(loc, message);
            }
        }
        let ir = &mut *cx.b.ir;
        let operators: Vec<Op> = old.iter().copied().filter(|&op| is_onnx(ir, op)).collect();
        for &op in operators.iter().rev() {
            ir.erase_op(op);
        }
        sweep(ir);
        store_result_types(ir);
        Ok(operators.len() as u64)
    });
    outcome.unwrap_or(Ok(0))
}

/// Gives the values of all functions of a module the types of what they are lowered to.
pub(super) fn infer(ir: &mut Ir) {
    let opset = opset_of(ir, ir.root());
    for stub in functions::functions(ir) {
        if let Some(function) = ir.nested_mut(stub) {
            attempt(function, opset, None, |cx, _, old| keep_types(cx, old));
        }
    }
}

/// Gives values the types of what they were lowered to, which goes away.
fn keep_types(cx: &mut Cx<'_>, old: &[Op]) {
    let mut values: Vec<(Value, Value)> = cx.values.iter().map(|(&x, &y)| (x, y)).collect();
    values.sort();
    for (value, made) in values {
        let op = cx.b.ir.defining_op(made);
        if op.is_none_or(|op| !cx.b.ir.is_erased(op)) {
            let ty = cx.b.ir.value_type(made);
            cx.b.ir.set_value_type(value, ty);
        }
    }
    let ir = &mut *cx.b.ir;
    let Some(body) = ir.root_block() else {
        return;
    };
    let known: FxHashSet<Op> = old.iter().copied().collect();
    let made: Vec<Op> = ir.ops_in(body).filter(|op| !known.contains(op)).collect();
    for &op in made.iter().rev() {
        ir.erase_op(op);
    }
    store_result_types(ir);
}

/// Lowers operators in front of which they stand, or where the builder is.
fn lower_ops(cx: &mut Cx<'_>, driver: &mut Driver, ops: &[Op]) {
    for &op in ops {
        if is_onnx(cx.b.ir, op) && !cx.b.ir.is(op, &onnx::YIELD) {
            cx.b.set_before(op);
            let loc = cx.b.ir.loc(op);
            cx.b.set_loc(loc);
            // What is refused is noted.
            let _ = lower_op(cx, driver, op);
        }
    }
}

/// The lowering of an operator, if there is one.
fn lowering_of(ir: &Ir, op: Op) -> Option<Lower> {
    if ir.is(op, &onnx::CUSTOM) {
        return microsoft::lowering(ir, op);
    }
    LOWERINGS.get(ir.op_name(op)).copied()
}

/// Lowers an operator where the builder is.
pub(super) fn lower_op(cx: &mut Cx<'_>, driver: &mut Driver, op: Op) -> Result<(), ()> {
    if cx.b.ir.is(op, &onnx::NO_VALUE) {
        return Ok(());
    }
    let operands = cx.b.ir.operands(op).to_vec();
    let is_missing = operands.iter().any(|value| driver.missing.contains(value));
    let lowering = lowering_of(cx.b.ir, op);
    let is_known = lowering.is_some() || sequences::OPERATORS.contains(&cx.b.ir.op_name(op));
    if is_missing && is_known {
        let results = cx.b.ir.results(op).to_vec();
        driver.missing.extend(results);
        return Err(());
    }
    let outcome = match (sequences::lower(cx, driver, op, &operands), lowering) {
        (Some(outcome), _) => outcome,
        (None, None) => Err(Refused("nothing lowers it".into())),
        (None, Some(lower)) => lower_known(cx, driver, op, &operands, lower)
            .map(|values| values.into_iter().map(Held::Tensor).collect()),
    };
    let results = cx.b.ir.results(op).to_vec();
    match outcome {
        Ok(values) => {
            for (result, held) in results.into_iter().zip(values) {
                // A body is lowered several times, and may give something else each time.
                cx.values.remove(&result);
                cx.held.remove(&result);
                match held {
                    Held::Tensor(value) => cx.values.insert(result, value).map(drop),
                    held => cx.held.insert(result, held).map(drop),
                };
            }
            Ok(())
        }
        Err(Refused(reason)) => {
            if !reason.is_empty() {
                let what = describe(cx.b.ir, op);
                let message = format!("{what} is not lowered: {reason}");
                driver.refusals.push((cx.b.ir.loc(op), message));
            }
            driver.missing.extend(results);
            Err(())
        }
    }
}

fn lower_known(
    cx: &mut Cx<'_>,
    driver: &mut Driver,
    op: Op,
    operands: &[Value],
    lower: Lower,
) -> Lowered {
    let mut lowered = Vec::new();
    for &operand in operands {
        let is_absent = matches!(
            cx.b.ir.context().type_kind(cx.b.ir.value_type(operand)),
            TypeKind::None
        );
        lowered.push(match cx.values.get(&operand) {
            Some(&value) => Some(value),
            None if is_absent => None,
            None => {
                let ty = cx.b.ir.value_type(operand);
                if cx.b.ir.context().shape(ty).is_none() {
                    return Err("the type of an operand is not that of a ranked tensor".into());
                }
                Some(operand)
            }
        });
    }
    let opset = opset_of(cx.b.ir, op).unwrap_or(cx.opset);
    let string = onnx::string_type(cx.b.ir.context());
    let node = Node::new(cx.b.ir, op, lowered, opset);
    let is_text = |ty: Type| ty == string;
    if node.all().iter().any(|&value| is_text(cx.element(value)))
        || node.elements.iter().flatten().any(|&ty| is_text(ty))
    {
        return Err("strings are not computed with".into());
    }
    if !cx.b.ir.regions(op).is_empty() {
        return super::control::lower(cx, driver, &node);
    }
    let values = match folds::fold(cx, &node) {
        Some(values) => values,
        None => lower(cx, &node)?,
    };
    // Later versions of other domains have more operands.
    if std::ptr::eq(node.def, &onnx::CUSTOM)
        && let Some(i) = node.unread()
    {
        return Err(format!("its operand #{i} is not lowered").into());
    }
    if let Some(i) = (values.len()..node.wanted.len()).find(|&i| node.is_wanted(i)) {
        return Err(format!("its result #{i} is not lowered").into());
    }
    for (i, &value) in values.iter().enumerate() {
        if let Some(Some(ty)) = node.elements.get(i)
            && node.is_wanted(i)
            && cx.element(value) != *ty
        {
            use freehold_frontend::syntax::printer::type_to_string;
            let context = cx.context();
            let [made, said] = [cx.element(value), *ty].map(|ty| type_to_string(&context, ty));
            return Err(format!("its result has elements of type {made}, not {said}").into());
        }
    }
    Ok(values)
}

/// Lowers the operators of a block of a region; returns what it hands on.
pub(super) fn lower_block(
    cx: &mut Cx<'_>,
    driver: &mut Driver,
    block: Block,
) -> Result<Vec<Value>, Refused> {
    let ops: Vec<Op> = cx.b.ir.ops_in(block).collect();
    // The errors of what is inside say enough.
    let silent = || Refused(String::new());
    let mut is_whole = true;
    let loc = cx.b.loc();
    for op in ops {
        if !is_onnx(cx.b.ir, op) {
            let message = format!("'{}' op is no operator of ONNX", cx.b.ir.op_name(op));
            return Err(message.into());
        }
        if cx.b.ir.is(op, &onnx::YIELD) {
            if !is_whole {
                return Err(silent());
            }
            cx.b.set_loc(loc);
            let operands = cx.b.ir.operands(op).to_vec();
            let values = operands.iter().map(|value| {
                let value = cx.values.get(value).copied().unwrap_or(*value);
                match cx.b.ir.context().shape(cx.b.ir.value_type(value)) {
                    Some(_) => Ok(value),
                    None => Err(Refused("a result is not that of a ranked tensor".into())),
                }
            });
            return values.collect();
        }
        let loc = cx.b.ir.loc(op);
        cx.b.set_loc(loc);
        is_whole &= lower_op(cx, driver, op).is_ok();
    }
    Err("its region has no end".into())
}

/// Gives an operation of another dialect the new values.
fn hand_over(cx: &mut Cx<'_>, driver: &mut Driver, op: Op) {
    let operands = cx.b.ir.operands(op).to_vec();
    let is_return = cx.b.ir.is(op, &func::RETURN);
    for (i, &operand) in operands.iter().enumerate() {
        if driver.missing.contains(&operand) {
            continue;
        }
        if is_return && cx.held.contains_key(&operand) {
            let message = format!("result #{i} of the model is a sequence or an optional value");
            driver.refusals.push((cx.b.ir.loc(op), message));
            continue;
        }
        let declared = match is_return {
            true => declared_result(cx.b.ir, i).unwrap_or(cx.b.ir.value_type(operand)),
            false => cx.b.ir.value_type(operand),
        };
        let Some(&value) = cx.values.get(&operand) else {
            continue;
        };
        let context = cx.context();
        let made = cx.b.ir.value_type(value);
        let value = match (context.shape(made), context.shape(declared)) {
            (Some(from), Some(to)) => {
                let may_be = |(&x, &y): (&i64, &i64)| x == y || x == DYNAMIC || y == DYNAMIC;
                let fits = from.len() == to.len() && from.iter().zip(to).all(may_be);
                if fits && context.element_type_or_self(declared) == cx.element(value) {
                    let dims = cx.dims(value);
                    let dims: Vec<Dim> = (to.iter().zip(dims))
                        .map(|(&size, dim)| match (size, dim) {
                            (DYNAMIC, dim) => dim,
                            (size, _) => Dim::Constant(size),
                        })
                        .collect();
                    cx.as_sized(value, &dims)
                } else {
                    value
                }
            }
            _ => value,
        };
        if !is_return && cx.b.ir.value_type(value) != declared {
            let message = format!(
                "'{}' op is given a value of another type",
                cx.b.ir.op_name(op)
            );
            driver.refusals.push((cx.b.ir.loc(op), message));
        }
        cx.b.ir.set_operand(op, i, value);
    }
}

fn declared_result(ir: &Ir, index: usize) -> Option<Type> {
    let signature = Signature::of(ir, ir.root())?;
    signature.results.get(index).map(|result| result.0)
}

/// Makes the types of the function's results those of what it returns.
fn store_result_types(ir: &mut Ir) {
    let root = ir.root();
    let end = ir.root_block().and_then(|body| ir.last_op(body));
    let (Some(end), Some(mut signature)) = (end, Signature::of(ir, root)) else {
        return;
    };
    if !ir.is(end, &func::RETURN) {
        return;
    }
    let mut is_changed = false;
    for (result, &value) in signature.results.iter_mut().zip(ir.operands(end)) {
        is_changed |= result.0 != ir.value_type(value);
        result.0 = ir.value_type(value);
    }
    if is_changed {
        signature.store(ir, root);
    }
}

/// Erases operations without effects and without uses.
fn sweep(ir: &mut Ir) {
    for op in ir.collect_ops(ir.root()).into_iter().rev() {
        if !ir.is_erased(op) && !ir.results(op).is_empty() && ir.is_unused(op) && is_pure(ir, op) {
            ir.erase_op(op);
        }
    }
}

/// Whether an operation only computes results.
fn is_pure(ir: &Ir, op: Op) -> bool {
    let dialect = ir.def(op).dialect();
    let is_ours = [
        "stablehlo",
        "chlo",
        "linalg",
        "tensor",
        "arith",
        "math",
        "scf",
        "builtin",
        "complex",
    ];
    is_ours.contains(&dialect) && ir.successors(op).is_empty()
}
