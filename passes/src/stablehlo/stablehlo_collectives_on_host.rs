//! `stablehlo-collectives-on-host`: devices that are threads of one process exchange parts of tensors by calls of
//! `freehold.host`.
//!
//! Before, in a program for two devices:
//! ```mlir
//! %0 = "stablehlo.all_gather"(%x) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}
//!   : (tensor<3xf32>) -> tensor<6xf32>
//! ```
//! After:
//! ```mlir
//! %table = stablehlo.constant dense<[0, 2, 12, 24, 0, 0, 0, 1, 0, 1, 0, 0, 0, 1, 0, 1]> : tensor<16xi64>
//! %1 = stablehlo.custom_call @freehold.host(%x, %table) {backend_config = "-1", has_side_effect = true}
//!   : (tensor<3xf32>, tensor<16xi64>) -> tensor<2x3xf32>
//! %0 = stablehlo.reshape %1 : (tensor<2x3xf32>) -> tensor<6xf32>
//! ```
//!
//! All collectives are one exchange of blocks of bytes, with arithmetic on each device. The table has the number of the
//! exchange, the entries per device, the bytes of a block and of the result; then for each device its entries: the
//! device that a block comes from (-1: no entry), which of its blocks, and which block of the result. What has no entry
//! is zero. Groups add up in their own order, so all members have the same bits.

use std::cell::Cell;

use freehold_frontend::dialects::stablehlo::{communication, elementwise, regions, shapes};
use freehold_frontend::dialects::vhlo::elements;
use freehold_frontend::ir::attrs::{Attr, AttrKind, DenseElements};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::op_def::OpDef;
use freehold_frontend::ir::types::{Type, TypeKind};

use super::build::{element, shape, tensor_type};
use super::platform;
use super::stablehlo_call_host::TARGET;
use super::stablehlo_legalize_to_linalg::Unsupported;
use crate::manage::pass::{Anchor, PassContext, PassDef};
use crate::rewrite::functions;

/// The pass.
pub static PASS: PassDef = PassDef {
    name: "stablehlo-collectives-on-host",
    summary: "turn collectives into exchanges between threads of the process",
    anchor: Anchor::Module,
    run,
};

/// The number of the host's function that exchanges blocks.
pub const EXCHANGE: i64 = -1;
/// The number of the one that writes which device this is.
pub const OWN_NUMBER: i64 = -2;

type Lowered = Result<Vec<Value>, Unsupported>;
type Lower = fn(&mut Builder<'_>, Op, &Devices) -> Lowered;

/// The devices of a program.
struct Devices {
    replicas: usize,
    partitions: usize,
    /// How many exchanges there are so far.
    n_exchanges: Cell<i64>,
}

impl Devices {
    fn n(&self) -> usize {
        self.replicas.saturating_mul(self.partitions)
    }
}

const ROWS: &[(&OpDef, Lower)] = &[
    (&communication::ALL_GATHER, all_gather),
    (&communication::ALL_REDUCE, all_reduce),
    (&communication::ALL_TO_ALL, all_to_all),
    (&communication::COLLECTIVE_BROADCAST, broadcast),
    (&communication::COLLECTIVE_PERMUTE, permute),
    (&communication::PARTITION_ID, |b, op, devices| {
        own_number(b, op, devices.partitions > 1)
    }),
    (&communication::REDUCE_SCATTER, reduce_scatter),
    (&communication::REPLICA_ID, |b, op, devices| {
        own_number(b, op, devices.replicas > 1)
    }),
];

fn run(ir: &mut Ir, context: &mut PassContext<'_>) -> Result<(), Failed> {
    let [replicas, partitions] = platform::device_counts(ir);
    let devices = Devices {
        replicas,
        partitions,
        n_exchanges: Cell::new(0),
    };
    if devices.n() < 2 {
        return Ok(());
    }
    let refused = match replicas > 1 && partitions > 1 {
        true => Some("programs with several replicas of several partitions are not supported"),
        false => (devices.n() > platform::MAX_DEVICES).then_some("these are too many devices"),
    };
    if let Some(message) = refused {
        return Err(context.diagnostics.error(ir.loc(ir.root()), message));
    }
    for stub in functions::functions(ir) {
        let mut function = ir.take_nested(stub);
        let mut outcome = Ok(());
        for op in function.collect_ops(function.root()) {
            // Bodies go with their operations.
            if function.is_erased(op) {
                continue;
            }
            let row = ROWS.iter().find(|row| function.is(op, row.0));
            let Some((_, lower)) = row else { continue };
            match lower(&mut Builder::before(&mut function, op), op, &devices) {
                Ok(values) => function.replace_op(op, &values),
                Err(Unsupported(reason)) => {
                    let name = function.op_name(op);
                    let message = format!("'{name}' op is not lowered: {reason}");
                    outcome = Err(context.diagnostics.error(function.loc(op), message));
                    break;
                }
            }
        }
        ir.put_nested(stub, function);
        outcome?;
    }
    platform::set_devices(ir, [1, 1]);
    Ok(())
}

/// The groups of a collective: of all devices if none are named.
fn groups(b: &Builder<'_>, op: Op, devices: &Devices) -> Result<Vec<Vec<usize>>, Unsupported> {
    let context = b.ir.context();
    let attr =
        b.ir.attr(op, Name::REPLICA_GROUPS)
            .ok_or("it has no groups")?;
    let rows = context
        .attr_dense(attr)
        .and_then(|dense| context.shape(dense.ty));
    let n_columns = rows.and_then(|shape| shape.last().copied()).unwrap_or(0) as usize;
    let numbers = numbers(b, attr)?;
    if numbers.is_empty() {
        return Ok(vec![(0..devices.n()).collect()]);
    }
    let mut seen = vec![false; devices.n()];
    let mut groups = Vec::new();
    for row in numbers.chunks(n_columns.max(1)) {
        let mut group = Vec::new();
        for &number in row {
            // Shorter groups end with -1.
            let Ok(device) = usize::try_from(number) else {
                continue;
            };
            let place = seen
                .get_mut(device)
                .ok_or("a group names a device that is not there")?;
            if std::mem::replace(place, true) {
                return Err("a device is in two groups".into());
            }
            group.push(device);
        }
        groups.push(group);
    }
    match seen.iter().all(|&seen| seen) {
        true => Ok(groups),
        false => Err("a device is in no group".into()),
    }
}

/// The groups, which must have the same size.
fn equal_groups(
    b: &Builder<'_>,
    op: Op,
    devices: &Devices,
) -> Result<(Vec<Vec<usize>>, usize), Unsupported> {
    let groups = groups(b, op, devices)?;
    let n = groups[0].len();
    match groups.iter().all(|group| group.len() == n) {
        true => Ok((groups, n)),
        false => Err("its groups have several sizes".into()),
    }
}

fn numbers(b: &Builder<'_>, attr: Attr) -> Result<Vec<i64>, Unsupported> {
    let context = b.ir.context();
    let dense = context
        .attr_dense(attr)
        .ok_or("an attribute is no tensor of numbers")?;
    let n: i64 = context.shape(dense.ty).unwrap_or_default().iter().product();
    let flat = context.intern_attr(AttrKind::DenseElements(DenseElements {
        ty: tensor_type(context, &[n], Type::I64),
        splat: dense.splat,
        bytes: dense.bytes.clone(),
    }));
    if n == 0 {
        return Ok(Vec::new());
    }
    Ok(elements::integers(context, flat).ok_or("an attribute is no tensor of numbers")?)
}

/// The bytes that an element takes in memory.
fn element_bytes(b: &Builder<'_>, ty: Type) -> Result<usize, Unsupported> {
    let context = b.ir.context();
    let bits = match context.type_kind(ty) {
        TypeKind::Complex(part) => return Ok(2 * element_bytes(b, *part)?),
        TypeKind::Integer { width, .. } => *width,
        _ => context
            .float_kind(ty)
            .ok_or("its elements are no numbers")?
            .width(),
    };
    Ok(bits.div_ceil(8).next_power_of_two() as usize)
}

/// Blocks of a tensor come from other devices: `entries` has, for a device, where from, which block, and to which.
fn exchange(
    b: &mut Builder<'_>,
    value: Value,
    result: &[i64],
    n_blocks: usize,
    devices: &Devices,
    entries: impl Fn(usize) -> Vec<[i64; 3]>,
) -> Result<Value, Unsupported> {
    let context = b.context();
    let ty = tensor_type(&context, result, element(b.ir, value));
    if result.iter().any(|&n| n < 0) {
        return Err("its sizes are not known".into());
    }
    let n_elements = result.iter().product::<i64>() as usize;
    let bytes = n_elements * element_bytes(b, element(b.ir, value))?;
    let all: Vec<Vec<[i64; 3]>> = (0..devices.n()).map(entries).collect();
    let n_entries = all.iter().map(Vec::len).max().unwrap_or(0);
    let number = devices.n_exchanges.get();
    devices.n_exchanges.set(number + 1);
    let mut table = vec![
        number,
        n_entries as i64,
        (bytes / n_blocks.max(1)) as i64,
        bytes as i64,
    ];
    for mut own in all {
        own.resize(n_entries, [-1, 0, 0]);
        table.extend(own.as_flattened());
    }
    let table = constant(b, &[table.len() as i64], &table);
    let spec = b
        .spec(&regions::CUSTOM_CALL)
        .operands(&[value, table])
        .results(&[ty]);
    Ok(host_call(b, spec, EXCHANGE))
}

fn host_call(b: &mut Builder<'_>, spec: freehold_frontend::ir::edit::OpSpec, number: i64) -> Value {
    let context = b.context();
    let spec = spec
        .attr(Name::CALL_TARGET_NAME, context.string_attr(TARGET))
        .attr(
            Name::BACKEND_CONFIG,
            context.string_attr(&number.to_string()),
        )
        .attr(Name::HAS_SIDE_EFFECT, Attr::TRUE);
    let op = b.create(spec);
    b.ir.result(op, 0)
}

/// A constant of i64.
pub(super) fn constant(b: &mut Builder<'_>, shape: &[i64], numbers: &[i64]) -> Value {
    let context = b.context();
    let ty = tensor_type(&context, shape, Type::I64);
    let bytes: Vec<u8> = numbers
        .iter()
        .flat_map(|number| number.to_le_bytes())
        .collect();
    let value = context.intern_attr(AttrKind::DenseElements(DenseElements {
        ty,
        splat: false,
        bytes: bytes.into(),
    }));
    b.value_with_attr(&elementwise::CONSTANT, &[], ty, Name::VALUE, value)
}

pub(super) fn reshape(b: &mut Builder<'_>, value: Value, to: &[i64]) -> Value {
    if shape(b.ir, value) == to {
        return value;
    }
    let ty = tensor_type(b.ir.context(), to, element(b.ir, value));
    b.value(&shapes::RESHAPE, &[value], ty)
}

fn transpose(b: &mut Builder<'_>, value: Value, order: &[usize]) -> Value {
    if order.iter().enumerate().all(|(i, &at)| i == at) {
        return value;
    }
    let from = shape(b.ir, value);
    let to: Vec<i64> = order.iter().map(|&at| from[at]).collect();
    let ty = tensor_type(b.ir.context(), &to, element(b.ir, value));
    let order: Vec<i64> = order.iter().map(|&at| at as i64).collect();
    let order = b.ir.context().i64_array_attr(&order);
    b.value_with_attr(&shapes::TRANSPOSE, &[value], ty, Name::PERMUTATION, order)
}

/// Moves the first dimension in front of the one that then is at `at`.
fn first_to(b: &mut Builder<'_>, value: Value, at: usize) -> Value {
    let rank = shape(b.ir, value).len();
    let mut order: Vec<usize> = (1..rank).collect();
    order.insert(at, 0);
    transpose(b, value, &order)
}

/// Divides a dimension by `n`; the quotient is behind it.
fn split(b: &mut Builder<'_>, value: Value, dim: usize, n: usize) -> Result<Value, Unsupported> {
    let mut to = shape(b.ir, value);
    let n = n as i64;
    let size = to.get_mut(dim).ok_or("it has no such dimension")?;
    if *size % n != 0 {
        return Err("it divides a dimension that is no multiple".into());
    }
    *size /= n;
    to.insert(dim, n);
    Ok(reshape(b, value, &to))
}

/// The `n` parts of a dimension, as a first dimension.
fn parts(b: &mut Builder<'_>, value: Value, dim: usize, n: usize) -> Result<Value, Unsupported> {
    let value = split(b, value, dim, n)?;
    let rank = shape(b.ir, value).len();
    let mut order: Vec<usize> = (0..rank).filter(|&at| at != dim).collect();
    order.insert(0, dim);
    Ok(transpose(b, value, &order))
}

fn attr_of(b: &Builder<'_>, op: Op, name: Name) -> Result<usize, Unsupported> {
    let number =
        b.ir.attr(op, name)
            .and_then(|attr| b.ir.context().attr_integer(attr));
    let number = number.and_then(|number| usize::try_from(number).ok());
    Ok(number.ok_or("it lacks a number")?)
}

fn group_of(groups: &[Vec<usize>], device: usize) -> &[usize] {
    let found = groups.iter().find(|group| group.contains(&device));
    found.map_or(&[], Vec::as_slice)
}

fn rank_in(group: &[usize], device: usize) -> i64 {
    group.iter().position(|&other| other == device).unwrap_or(0) as i64
}

/// The value of every member of the group, as a first dimension.
fn gathered(
    b: &mut Builder<'_>,
    value: Value,
    (groups, n): (&[Vec<usize>], usize),
    devices: &Devices,
) -> Result<Value, Unsupported> {
    let mut to = shape(b.ir, value);
    to.insert(0, n as i64);
    exchange(b, value, &to, n, devices, |device| {
        let members = group_of(groups, device).iter().enumerate();
        members
            .map(|(at, &member)| [member as i64, 0, at as i64])
            .collect()
    })
}

/// Part `i` of a first dimension goes to member `i`, and one comes from each.
fn traded(
    b: &mut Builder<'_>,
    value: Value,
    (groups, n): (&[Vec<usize>], usize),
    devices: &Devices,
) -> Result<Value, Unsupported> {
    let to = shape(b.ir, value);
    exchange(b, value, &to, n, devices, |device| {
        let group = group_of(groups, device);
        let own = rank_in(group, device);
        let members = group.iter().enumerate();
        members
            .map(|(at, &member)| [member as i64, own, at as i64])
            .collect()
    })
}

fn all_gather(b: &mut Builder<'_>, op: Op, devices: &Devices) -> Lowered {
    let (groups, n) = equal_groups(b, op, devices)?;
    let dim = attr_of(b, op, Name::ALL_GATHER_DIM)?;
    let operands = b.ir.operands(op).to_vec();
    let each = operands.into_iter().map(|operand| {
        let all = gathered(b, operand, (&groups, n), devices)?;
        let mut to = shape(b.ir, operand);
        *to.get_mut(dim).ok_or("it has no such dimension")? *= n as i64;
        let all = first_to(b, all, dim);
        Ok(reshape(b, all, &to))
    });
    each.collect()
}

/// The operation that combines two numbers.
fn combiner(b: &Builder<'_>, op: Op) -> Result<&'static OpDef, Unsupported> {
    let reason = "its body is more than one operation on both numbers";
    let body =
        b.ir.regions(op)
            .first()
            .and_then(|&region| b.ir.single_block(region));
    let body = body.ok_or(reason)?;
    let ops: Vec<Op> = b.ir.ops_in(body).collect();
    let &[inner, end] = &ops[..] else {
        return Err(reason.into());
    };
    let [x, y] = *b.ir.block_args(body) else {
        return Err(reason.into());
    };
    let operands = b.ir.operands(inner);
    let is_of_both = operands == [x, y] || operands == [y, x];
    let [result] = *b.ir.results(inner) else {
        return Err(reason.into());
    };
    let known = [
        &elementwise::ADD,
        &elementwise::AND,
        &elementwise::MAXIMUM,
        &elementwise::MINIMUM,
        &elementwise::MULTIPLY,
        &elementwise::OR,
        &elementwise::XOR,
    ];
    let def = known.into_iter().find(|def| b.ir.is(inner, def));
    match def {
        Some(def) if is_of_both && b.ir.operands(end) == [result] => Ok(def),
        _ => Err(reason.into()),
    }
}

/// All parts of a first dimension, combined in their order.
fn combined(b: &mut Builder<'_>, value: Value, def: &'static OpDef) -> Value {
    let all = shape(b.ir, value);
    let ty = tensor_type(b.ir.context(), &all[1..], element(b.ir, value));
    let mut sum: Option<Value> = None;
    for i in 0..all[0] {
        let context = b.context();
        let (mut first, mut last) = (vec![0; all.len()], all.clone());
        (first[0], last[0]) = (i, i + 1);
        let mut piece = all.clone();
        piece[0] = 1;
        let spec = b
            .spec(&shapes::SLICE)
            .operands(&[value])
            .results(&[tensor_type(&context, &piece, element(b.ir, value))])
            .attr(Name::START_INDICES, context.i64_array_attr(&first))
            .attr(Name::LIMIT_INDICES, context.i64_array_attr(&last))
            .attr(Name::STRIDES, context.i64_array_attr(&vec![1; all.len()]));
        let part = b.create(spec);
        let part = b.ir.result(part, 0);
        let part = reshape(b, part, &all[1..]);
        sum = Some(match sum {
            Some(sum) => b.value(def, &[sum, part], ty),
            None => part,
        });
    }
    sum.unwrap_or(value)
}

fn all_reduce(b: &mut Builder<'_>, op: Op, devices: &Devices) -> Lowered {
    let (groups, n) = equal_groups(b, op, devices)?;
    let def = combiner(b, op)?;
    let operands = b.ir.operands(op).to_vec();
    let each = operands.into_iter().map(|operand| {
        let all = gathered(b, operand, (&groups, n), devices)?;
        Ok(combined(b, all, def))
    });
    each.collect()
}

fn reduce_scatter(b: &mut Builder<'_>, op: Op, devices: &Devices) -> Lowered {
    let (groups, n) = equal_groups(b, op, devices)?;
    let def = combiner(b, op)?;
    let dim = attr_of(b, op, Name::SCATTER_DIMENSION)?;
    let value = b.ir.operand(op, 0);
    let value = parts(b, value, dim, n)?;
    let value = traded(b, value, (&groups, n), devices)?;
    Ok(vec![combined(b, value, def)])
}

fn all_to_all(b: &mut Builder<'_>, op: Op, devices: &Devices) -> Lowered {
    let (groups, n) = equal_groups(b, op, devices)?;
    let from = attr_of(b, op, Name::SPLIT_DIMENSION)?;
    let to = attr_of(b, op, Name::CONCAT_DIMENSION)?;
    let operands = b.ir.operands(op).to_vec();
    let each = operands.into_iter().map(|operand| {
        let value = parts(b, operand, from, n)?;
        let value = traded(b, value, (&groups, n), devices)?;
        let mut result = shape(b.ir, value)[1..].to_vec();
        *result.get_mut(to).ok_or("it has no such dimension")? *= n as i64;
        let value = first_to(b, value, to);
        Ok(reshape(b, value, &result))
    });
    each.collect()
}

fn broadcast(b: &mut Builder<'_>, op: Op, devices: &Devices) -> Lowered {
    if b.ir.has_attr(op, Name::HAS_DYNAMIC_ROOT) {
        return Err("its root is not known".into());
    }
    let groups = groups(b, op, devices)?;
    let operands = b.ir.operands(op).to_vec();
    let each = operands.into_iter().map(|operand| {
        let to = shape(b.ir, operand);
        exchange(b, operand, &to, 1, devices, |device| {
            let first = group_of(&groups, device).first();
            first
                .map(|&first| [first as i64, 0, 0])
                .into_iter()
                .collect()
        })
    });
    each.collect()
}

fn permute(b: &mut Builder<'_>, op: Op, devices: &Devices) -> Lowered {
    let attr =
        b.ir.attr(op, Name::SOURCE_TARGET_PAIRS)
            .ok_or("it has no pairs")?;
    let pairs = numbers(b, attr)?;
    let n = devices.n() as i64;
    if pairs.iter().any(|number| !(0..n).contains(number)) {
        return Err("a pair names a device that is not there".into());
    }
    let value = b.ir.operand(op, 0);
    let to = shape(b.ir, value);
    let value = exchange(b, value, &to, 1, devices, |device| {
        let sources = pairs
            .chunks_exact(2)
            .filter(|pair| pair[1] == device as i64);
        sources.map(|pair| [pair[0], 0, 0]).collect()
    })?;
    Ok(vec![value])
}

fn own_number(b: &mut Builder<'_>, op: Op, is_one_of_many: bool) -> Lowered {
    let ty = b.ir.value_type(b.ir.result(op, 0));
    if is_one_of_many {
        let spec = b.spec(&regions::CUSTOM_CALL).results(&[ty]);
        return Ok(vec![host_call(b, spec, OWN_NUMBER)]);
    }
    let value =
        b.ir.context()
            .intern_attr(AttrKind::DenseElements(DenseElements {
                ty,
                splat: true,
                bytes: vec![0; 4].into(),
            }));
    Ok(vec![b.value_with_attr(
        &elementwise::CONSTANT,
        &[],
        ty,
        Name::VALUE,
        value,
    )])
}
