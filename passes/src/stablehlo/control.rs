//! Control flow, calls of what has a name only, and collectives as they are on one device.
//!
//! Tensors of rank 0 that loops and branches hand on become scalars, and loops that count become `scf.for`.

use freehold_frontend::dialects::arith::CmpIPredicate;
use freehold_frontend::dialects::scf::{self, For, If, While};
use freehold_frontend::dialects::stablehlo::{communication, regions as rows};
use freehold_frontend::dialects::{arith, chlo, func, tensor};
use freehold_frontend::ir::attrs::{AttrKind, Dict};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::builtin;
use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Block, Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::op_def::OpDef;
use freehold_frontend::ir::types::{DYNAMIC, Type, TypeKind};

use super::build::{as_signless, cast, extract_scalar, from_scalar, signless};
use super::collectives;
use super::factorizations;
use super::products::zeros;
use super::random;
use super::reductions::body_of;
use super::requirements;
use super::scalar;
use super::sorting;
use super::stablehlo_legalize_to_linalg::{Lower, Row, Unsupported};
use crate::rewrite::tensors::empty_like;

pub(super) const ROWS: &[Row] = &[
    (&rows::CASE, lower_case),
    (&rows::COMPOSITE, lower_composite),
    (&rows::CUSTOM_CALL, lower_custom_call),
    (&rows::IF, lower_if),
    (&rows::OPTIMIZATION_BARRIER, |b, op| {
        Ok(b.ir.operands(op).to_vec())
    }),
    (&rows::WHILE, lower_while),
    (&communication::ALL_GATHER, lower_collective),
    (&communication::ALL_REDUCE, lower_collective),
    (&communication::ALL_TO_ALL, lower_collective),
    (&communication::COLLECTIVE_BROADCAST, lower_collective),
    (&communication::COLLECTIVE_PERMUTE, lower_permute),
    (&communication::CROSS_REPLICA_SUM, lower_collective),
    (&communication::PARTITION_ID, lower_own_number),
    (&communication::REDUCE_SCATTER, lower_collective),
    (&communication::REPLICA_ID, lower_own_number),
];

type Lowered = Result<Vec<Value>, Unsupported>;

/// Whether the regions of an operation hold operations on tensors.
pub(super) fn has_branches(ir: &Ir, op: Op) -> bool {
    [&rows::CASE, &rows::IF, &rows::WHILE]
        .iter()
        .any(|row| ir.is(op, row))
}

/// The type in which loops and branches hand on values of a type: scalars for tensors of rank 0.
fn carried_type(context: &Context, ty: Type) -> Type {
    match context.type_kind(ty) {
        TypeKind::RankedTensor { shape, element, .. } if shape.is_empty() => {
            signless(context, *element)
        }
        _ => ty,
    }
}

fn to_carried(b: &mut Builder<'_>, value: Value) -> Value {
    match carried_type(b.ir.context(), b.ir.value_type(value)) == b.ir.value_type(value) {
        true => value,
        false => {
            let value = as_signless(b, value);
            extract_scalar(b, value)
        }
    }
}

fn from_carried(b: &mut Builder<'_>, value: Value, ty: Type) -> Value {
    match b.ir.value_type(value) == ty {
        true => value,
        false => {
            let tensor = from_scalar(b, value);
            cast(b, tensor, ty)
        }
    }
}

/// The types of all results, and those in which they are handed on.
fn result_types(ir: &Ir, op: Op) -> (Vec<Type>, Vec<Type>) {
    let types: Vec<Type> = ir
        .results(op)
        .iter()
        .map(|&result| ir.value_type(result))
        .collect();
    let carried = types
        .iter()
        .map(|&ty| carried_type(ir.context(), ty))
        .collect();
    (types, carried)
}

/// The results of `op` as values of `types`.
fn results_as(b: &mut Builder<'_>, op: Op, types: &[Type]) -> Vec<Value> {
    let results = b.ir.results(op).to_vec();
    results
        .iter()
        .zip(types)
        .map(|(&result, &ty)| from_carried(b, result, ty))
        .collect()
}

/// Moves the operations of a block to the end of another one, whose arguments (or other values) take the place of its
/// own. Returns what it handed on, without its terminator.
fn move_body(b: &mut Builder<'_>, from: Block, to: Block, arguments: &[Value]) -> Vec<Value> {
    let old = b.ir.block_args(from).to_vec();
    let mut inner = b.inside(to);
    for (&old, &new) in old.iter().zip(arguments) {
        let ty = inner.ir.value_type(old);
        let new = from_carried(&mut inner, new, ty);
        inner.ir.replace_all_uses(old, new);
    }
    b.ir.move_block_contents_to_end(from, to);
    let Some(last) = b.ir.last_op(to) else {
        return Vec::new();
    };
    let values = b.ir.operands(last).to_vec();
    b.ir.erase_op(last);
    values
}

/// Ends a block with the values as they are handed on.
fn end_with_yield(b: &mut Builder<'_>, block: Block, values: &[Value]) {
    let mut inner = b.inside(block);
    let values: Vec<Value> = values
        .iter()
        .map(|&value| to_carried(&mut inner, value))
        .collect();
    scf::build_yield(&mut inner, &values);
}

/// Moves a branch into an empty block.
fn move_branch(b: &mut Builder<'_>, op: Op, index: usize, to: Block) -> Result<(), Unsupported> {
    let from = body_of(b.ir, op, index)?;
    // Without results the block is terminated already.
    if let Some(terminator) = b.ir.last_op(to) {
        b.ir.erase_op(terminator);
    }
    let values = move_body(b, from, to, &[]);
    end_with_yield(b, to, &values);
    Ok(())
}

fn lower_if(b: &mut Builder<'_>, op: Op) -> Lowered {
    let condition = b.ir.operand(op, 0);
    let condition = extract_scalar(b, condition);
    let (types, carried) = result_types(b.ir, op);
    let choice = If(scf::build_if(b, condition, &carried, true));
    let blocks = [Some(choice.then_block(b.ir)), choice.else_block(b.ir)];
    for (i, block) in blocks.into_iter().enumerate() {
        move_branch(b, op, i, block.ok_or("it has no second branch")?)?;
    }
    Ok(results_as(b, choice.0, &types))
}

fn lower_case(b: &mut Builder<'_>, op: Op) -> Lowered {
    let number = b.ir.operand(op, 0);
    let number = extract_scalar(b, number);
    let number = b.value(&arith::INDEX_CAST, &[number], Type::INDEX);
    let (types, carried) = result_types(b.ir, op);
    let n = b.ir.regions(op).len();
    // The last branch is for all numbers that have none.
    let cases: Vec<i64> = (0..n as i64 - 1).collect();
    let switch = scf::build_index_switch(b, number, &cases, &carried);
    for i in 0..n {
        // The first region of the switch is the default.
        let region = b.ir.region(switch, (i + 1) % n);
        let block = b.ir.entry_block(region).ok_or("it has no branch")?;
        move_branch(b, op, i, block)?;
    }
    Ok(results_as(b, switch, &types))
}

fn lower_while(b: &mut Builder<'_>, op: Op) -> Lowered {
    let (condition, body) = (body_of(b.ir, op, 0)?, body_of(b.ir, op, 1)?);
    if let Some(counter) = Counter::of(b.ir, op, condition, body) {
        return lower_counting_loop(b, op, body, &counter);
    }
    let (types, carried) = result_types(b.ir, op);
    let inits = b.ir.operands(op).to_vec();
    let inits: Vec<Value> = inits.iter().map(|&init| to_carried(b, init)).collect();
    let new = While(scf::build_while(b, &carried, &inits));
    let (before, after) = (new.before_block(b.ir), new.after_block(b.ir));
    let arguments = b.ir.block_args(before).to_vec();
    let decision = move_body(b, condition, before, &arguments);
    let mut inner = b.inside(before);
    let decision = extract_scalar(&mut inner, decision[0]);
    scf::build_condition(&mut inner, decision, &arguments);
    let arguments = b.ir.block_args(after).to_vec();
    let values = move_body(b, body, after, &arguments);
    end_with_yield(b, after, &values);
    Ok(results_as(b, new.0, &types))
}

/// The operand of a loop that counts its iterations: one is added as long as it is less than a bound.
struct Counter {
    index: usize,
    /// A constant, a scalar or tensor from outside, or an operand of the loop that does not change.
    bound: Bound,
    unsigned: bool,
}

#[derive(Clone, Copy)]
enum Bound {
    /// A constant of the type of the counter.
    Constant(i128),
    /// A tensor of rank 0 outside of the loop.
    Tensor(Value),
}

/// The tensor of rank 0 whose element a scalar is.
fn tensor_of_scalar(ir: &Ir, scalar: Value) -> Option<Value> {
    let op = ir.defined_by(scalar, &tensor::EXTRACT)?;
    let [tensor] = *ir.operands(op) else {
        return None;
    };
    Some(without_cast(ir, tensor))
}

fn without_cast(ir: &Ir, value: Value) -> Value {
    match ir.defined_by(value, &builtin::UNREALIZED_CONVERSION_CAST) {
        Some(cast) => ir.operand(cast, 0),
        None => value,
    }
}

/// The scalar that a tensor of rank 0 was made of.
fn scalar_of_tensor(ir: &Ir, tensor: Value) -> Option<Value> {
    let op = ir.defined_by(without_cast(ir, tensor), &tensor::FROM_ELEMENTS)?;
    match *ir.operands(op) {
        [scalar] => Some(scalar),
        _ => None,
    }
}

impl Counter {
    fn of(ir: &Ir, op: Op, condition: Block, body: Block) -> Option<Self> {
        let harmless = [
            &arith::CONSTANT,
            &arith::CMPI,
            &tensor::EXTRACT,
            &tensor::FROM_ELEMENTS,
            &builtin::UNREALIZED_CONVERSION_CAST,
            &rows::RETURN,
        ];
        if !ir
            .ops_in(condition)
            .all(|op| harmless.iter().any(|row| ir.is(op, row)))
        {
            return None;
        }
        let decision = ir.operand(ir.last_op(condition)?, 0);
        let comparison = ir.defined_by(scalar_of_tensor(ir, decision)?, &arith::CMPI)?;
        let unsigned = match CmpIPredicate::of(ir, comparison)? {
            CmpIPredicate::Slt => false,
            CmpIPredicate::Ult => true,
            _ => return None,
        };
        let [counter, bound] = *ir.operands(comparison) else {
            return None;
        };
        let width = ir.context().integer_width(ir.value_type(counter))?;
        // An index has 64 bits and a sign.
        if width > 64 || (unsigned && width == 64) {
            return None;
        }
        let position = |block: Block, scalar: Value| {
            let tensor = tensor_of_scalar(ir, scalar)?;
            ir.block_args(block)
                .iter()
                .position(|&argument| argument == tensor)
        };
        let index = position(condition, counter)?;
        let returned = ir.operands(ir.last_op(body)?);
        let is_kept = |index: usize| returned[index] == ir.block_args(body)[index];
        let bound = match arith::as_constant_int(ir, bound) {
            Some(number) => Bound::Constant(number),
            None => match position(condition, bound) {
                Some(other) if is_kept(other) => Bound::Tensor(ir.operand(op, other)),
                Some(_) => return None,
                None => Bound::Tensor(tensor_of_scalar(ir, bound)?),
            },
        };
        let next = ir.defined_by(scalar_of_tensor(ir, returned[index])?, &arith::ADDI)?;
        let [x, y] = *ir.operands(next) else {
            return None;
        };
        let is_counter = |value| position(body, value) == Some(index);
        let is_one = |value| arith::as_constant_int(ir, value) == Some(1);
        let counts = (is_counter(x) && is_one(y)) || (is_one(x) && is_counter(y));
        counts.then_some(Self {
            index,
            bound,
            unsigned,
        })
    }
}

/// A loop whose counter is the only thing that its condition reads.
fn lower_counting_loop(b: &mut Builder<'_>, op: Op, body: Block, counter: &Counter) -> Lowered {
    let (types, _) = result_types(b.ir, op);
    let inits = b.ir.operands(op).to_vec();
    let first = to_carried(b, inits[counter.index]);
    let ty = b.ir.value_type(first);
    let bound = match counter.bound {
        Bound::Constant(number) => arith::constant_int(b, ty, number),
        Bound::Tensor(tensor) => to_carried(b, tensor),
    };
    let (to_index, greatest) = match counter.unsigned {
        true => (&arith::INDEX_CASTUI, &arith::MAXUI),
        false => (&arith::INDEX_CAST, &arith::MAXSI),
    };
    let [lower, upper] = [first, bound].map(|number| b.value(to_index, &[number], Type::INDEX));
    let step = arith::constant_index(b, 1);
    let others: Vec<usize> = (0..inits.len()).filter(|&i| i != counter.index).collect();
    let carried: Vec<Value> = others.iter().map(|&i| to_carried(b, inits[i])).collect();
    let new = For(scf::build_for(b, lower, upper, step, &carried));
    let block = new.body(b.ir);
    if let Some(terminator) = b.ir.last_op(block) {
        b.ir.erase_op(terminator);
    }
    let induction_variable = new.induction_variable(b.ir);
    let mut arguments = new.iter_args(b.ir).to_vec();
    let mut inner = b.inside(block);
    let number = inner.value(to_index, &[induction_variable], ty);
    arguments.insert(counter.index, number);
    let mut values = move_body(b, body, block, &arguments);
    values.remove(counter.index);
    end_with_yield(b, block, &values);
    let mut results = b.ir.results(new.0).to_vec();
    let last = b.value(greatest, &[first, bound], ty);
    results.insert(counter.index, last);
    Ok(results
        .iter()
        .zip(&types)
        .map(|(&result, &ty)| from_carried(b, result, ty))
        .collect())
}

/// What the operation of CHLO that a composite stands for becomes, or a call of the function that says what it computes.
fn lower_composite(b: &mut Builder<'_>, op: Op) -> Lowered {
    if let Some((def, lower)) = chlo_operation(b.ir, op) {
        let context = b.context();
        let mut spec = (b.spec(def))
            .operands(b.ir.operands(op))
            .results(&result_types(b.ir, op).0);
        if let Some(attributes) = composite_attributes(b.ir, op) {
            for &(name, attr) in context.dict(attributes) {
                spec = spec.attr(name, attr);
            }
        }
        let known = b.create(spec);
        let lowered = lower(b, known);
        b.ir.erase_op(known);
        return lowered;
    }
    let callee =
        b.ir.attr(op, Name::DECOMPOSITION)
            .ok_or("it has no decomposition")?;
    let operands = b.ir.operands(op).to_vec();
    let (types, _) = result_types(b.ir, op);
    let spec = b
        .spec(&func::CALL)
        .operands(&operands)
        .results(&types)
        .attr(Name::CALLEE, callee);
    let call = b.create(spec);
    Ok(b.ir.results(call).to_vec())
}

fn composite_attributes(ir: &Ir, op: Op) -> Option<Dict> {
    match *ir
        .context()
        .attr_kind(ir.attr(op, Name::COMPOSITE_ATTRIBUTES)?)
    {
        AttrKind::Dictionary(attributes) => Some(attributes),
        _ => None,
    }
}

/// The operation that a composite of this name and of version 1 stands for, if it is one like those that JAX hands to
/// plugins instead of operations of CHLO: elementwise functions of one type, and the greatest elements of rows.
fn chlo_operation(ir: &Ir, op: Op) -> Option<(&'static OpDef, Lower)> {
    let context = ir.context();
    let name = context.attr_string(ir.attr(op, Name::NAME)?)?;
    if context.attr_integer(ir.attr(op, Name::VERSION)?) != Some(1) {
        return None;
    }
    let attributes = composite_attributes(ir, op).map(|attributes| context.dict(attributes));
    let attributes = attributes.unwrap_or_default();
    let (operands, results) = (ir.operands(op), ir.results(op));
    if name == chlo::TOP_K.name {
        let (&[operand], &[values, places], &[(Name::K, k)]) = (operands, results, attributes)
        else {
            return None;
        };
        let types = [operand, values, places].map(|value| ir.value_type(value));
        let [of_operand, of_values, of_places] = types.map(|ty| context.shape(ty));
        let [element, of_value, of_place] = types.map(|ty| context.element_type_or_self(ty));
        let is_number =
            context.float_kind(element).is_some() || context.integer_width(element).is_some();
        let (Some([rows @ .., n]), Some([found @ .., k_found])) = (of_operand, of_values) else {
            return None;
        };
        let fits = rows == found
            && of_places == of_values
            && (of_value, of_place) == (element, Type::I32)
            && is_number
            && context.attr_integer(k) == Some(i128::from(*k_found))
            && (*n == DYNAMIC || *n >= *k_found);
        return fits.then_some((&chlo::TOP_K, sorting::top_k));
    }
    let def = scalar::rows().find(|def| def.name == name && name.starts_with("chlo."))?;
    let &[result] = results else { return None };
    let ty = ir.value_type(result);
    let kind = context.float_kind(context.element_type_or_self(ty));
    let is_float = kind.is_some_and(|kind| kind.width() >= 16);
    let fits = operands.len() == def.operands.len()
        && operands.iter().all(|&operand| ir.value_type(operand) == ty);
    (is_float && fits && attributes.is_empty()).then_some((def, scalar::lower_elementwise))
}

/// Custom calls that say where a tensor should be, and change nothing on one device.
const ANNOTATIONS: &[&str] = &[
    "LayoutConstraint",
    "MoveToDevice",
    "MoveToHost",
    "SPMDFullToShardShape",
    "SPMDShardToFullShape",
    "Sharding",
    "annotate_device_placement",
    "xla.sdy.FuncResultSharding",
    "xla.sdy.GlobalToLocalShape",
    "xla.sdy.LocalToGlobalShape",
];

fn lower_custom_call(b: &mut Builder<'_>, op: Op) -> Lowered {
    let context = b.context();
    let target =
        b.ir.attr(op, Name::CALL_TARGET_NAME)
            .and_then(|attr| context.attr_string(attr));
    let target = target.ok_or("it has no target")?;
    let mut calls = [
        factorizations::CUSTOM_CALLS,
        random::CUSTOM_CALLS,
        sorting::CUSTOM_CALLS,
    ]
    .into_iter()
    .flatten();
    if let Some(&(_, lower)) = calls.find(|call| call.0 == target) {
        return lower(b, op);
    }
    // It is there so that what it takes is computed, as far as anybody looks.
    if target == "dce_sink" {
        return Ok(Vec::new());
    }
    if target == "shape_assertion" {
        return lower_shape_assertion(b, op);
    }
    let operands = b.ir.operands(op).to_vec();
    let (types, _) = result_types(b.ir, op);
    let is_same = operands.len() == types.len()
        && operands
            .iter()
            .zip(&types)
            .all(|(&x, &ty)| b.ir.value_type(x) == ty);
    match (ANNOTATIONS.contains(&target), is_same) {
        (true, true) => Ok(operands),
        (true, false) => Err(Unsupported(format!(
            "'{target}' divides its operand among devices"
        ))),
        (false, _) => Err(Unsupported(format!(
            "nothing is known of the target '{target}'"
        ))),
    }
}

/// What JAX asks of the sizes of arguments: a condition, and a message with places for the sizes that are the other
/// operands.
fn lower_shape_assertion(b: &mut Builder<'_>, op: Op) -> Lowered {
    let context = b.context();
    let &condition = b.ir.operands(op).first().ok_or("it has no condition")?;
    let name = context.intern_name("error_message");
    let message =
        b.ir.attr(op, name)
            .and_then(|attr| context.attr_string(attr));
    let mut message = message
        .unwrap_or("sizes of arguments do not go together")
        .to_owned();
    for i in 0..b.ir.operands(op).len() {
        message = message
            .replace(&format!("(= {{{i}}})"), "")
            .replace(&format!("{{{i}}}"), "?");
    }
    let ty = b.ir.value_type(condition);
    if b.ir.context().shape(ty) != Some(&[]) {
        return Err("its condition is no scalar".into());
    }
    let condition = extract_scalar(b, condition);
    requirements::assert(b, condition, &message);
    Ok(Vec::new())
}

/// Collectives among groups of one device hand on what that device has.
fn lower_collective(b: &mut Builder<'_>, op: Op) -> Lowered {
    let operands = b.ir.operands(op).to_vec();
    let (types, _) = result_types(b.ir, op);
    let is_same = operands.len() == types.len()
        && operands
            .iter()
            .zip(&types)
            .all(|(&x, &ty)| may_be(b.ir, x, ty));
    let context = b.context();
    let groups =
        b.ir.attr(op, Name::REPLICA_GROUPS)
            .and_then(|attr| context.attr_dense(attr));
    let sizes = groups.and_then(|groups| context.shape(groups.ty));
    // No groups are one of all devices, and there is one.
    let is_alone = sizes.is_none_or(|sizes| sizes.iter().product::<i64>() <= 1);
    match is_same && is_alone {
        true => Ok(operands),
        false => Err("it needs more devices than one".into()),
    }
}

/// Whether a tensor may have this type, as far as sizes are known.
fn may_be(ir: &Ir, value: Value, ty: Type) -> bool {
    let context = ir.context();
    let own = ir.value_type(value);
    let fits = |(&x, &y): (&i64, &i64)| x == y || x == DYNAMIC || y == DYNAMIC;
    match (context.shape(own), context.shape(ty)) {
        (Some(x), Some(y)) => {
            let is_same = context.element_type_or_self(own) == context.element_type_or_self(ty);
            is_same && x.len() == y.len() && x.iter().zip(y).all(fits)
        }
        _ => own == ty,
    }
}

/// The only device sends to itself, or to none, and then has zeros.
fn lower_permute(b: &mut Builder<'_>, op: Op) -> Lowered {
    let pairs = b.ir.attr(op, Name::SOURCE_TARGET_PAIRS);
    let pairs = pairs.ok_or("it has no pairs")?;
    match *collectives::numbers(b, pairs)? {
        [0, 0] => Ok(vec![b.ir.operand(op, 0)]),
        [] => {
            let (ty, like) = (b.ir.value_type(b.ir.result(op, 0)), b.ir.operand(op, 0));
            let out = empty_like(b, ty, like);
            Ok(vec![zeros(b, op, out)?])
        }
        _ => Err("it needs more devices than one".into()),
    }
}

/// Puts the members of tuples in the place of what takes them from these, and removes tuples that nothing takes.
pub(super) fn open_tuples(ir: &mut Ir) {
    let all: Vec<Op> = ir.walk(ir.root()).collect();
    let is_member = |&op: &Op| ir.is(op, &rows::GET_TUPLE_ELEMENT);
    let members: Vec<Op> = all.iter().copied().filter(is_member).collect();
    let is_tuple = |&op: &Op| ir.is(op, &rows::TUPLE);
    let tuples: Vec<Op> = all.into_iter().filter(is_tuple).collect();
    for op in members {
        let index = ir.attr(op, Name::INDEX);
        let index = index.and_then(|attr| ir.context().attr_integer(attr));
        let tuple = ir.defined_by(ir.operand(op, 0), &rows::TUPLE);
        let member = tuple.and_then(|tuple| {
            let index = usize::try_from(index?).ok()?;
            ir.operands(tuple).get(index).copied()
        });
        if let Some(member) = member {
            ir.replace_op(op, &[member]);
        }
    }
    for op in tuples.into_iter().rev() {
        if ir.is_unused(op) {
            ir.erase_op(op);
        }
    }
}

fn lower_own_number(b: &mut Builder<'_>, _: Op) -> Lowered {
    let zero = arith::constant_int(b, Type::I32, 0);
    Ok(vec![from_scalar(b, zero)])
}
