//! Collective operations as what they are made of: exchanges of blocks between devices, and arithmetic on each device.
//!
//! An exchange gives every device blocks of what others have. Who the others are stands in a table; how blocks get
//! from one to another is up to a [`Transport`]: threads of one process, or processes of MPI. Groups add up in their own
//! order, so all members have the same bits.

use freehold_frontend::dialects::stablehlo::attributes::ChannelHandle;
use freehold_frontend::dialects::stablehlo::{communication, elementwise, reductions, shapes};
use freehold_frontend::dialects::vhlo::elements;
use freehold_frontend::ir::attrs::{Attr, AttrKind, DenseElements};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::cloning::IrMap;
use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::{Diagnostics, Failed};
use freehold_frontend::ir::edit::OpSpec;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::op_def::OpDef;
use freehold_frontend::ir::types::{Type, TypeKind};

use super::build::{element, shape, tensor_type};
use super::stablehlo_legalize_to_linalg::Unsupported;

pub(super) type Lowered = Result<Vec<Value>, Unsupported>;

/// A block that a device gets: the device that it comes from, which of its blocks, and which block of the result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Entry {
    pub(super) from: usize,
    pub(super) source: usize,
    pub(super) target: usize,
}

/// An exchange of blocks.
pub(super) struct Exchange {
    /// What each device brings.
    pub(super) value: Value,
    /// The shape of what each gets.
    pub(super) result: Vec<i64>,
    /// The blocks of the result. Those without an entry are zero.
    pub(super) n_blocks: usize,
    /// What each device gets.
    pub(super) entries: Vec<Vec<Entry>>,
}

/// How devices exchange blocks.
pub(super) trait Transport {
    /// Builds an exchange, and returns what this device gets.
    fn exchange(&self, b: &mut Builder<'_>, exchange: &Exchange) -> Result<Value, Unsupported>;

    /// The number of this device.
    fn own_number(&self, b: &mut Builder<'_>) -> Value;

    /// The sum, or what `def` makes of two numbers, over all devices, if the transport has a way to it that does not
    /// depend on an order.
    fn reduce(&self, b: &mut Builder<'_>, def: &'static OpDef, value: Value) -> Option<Value> {
        let _ = (b, def, value);
        None
    }

    /// Whether large reductions are divided among the devices of a group: each then gets less.
    fn reduces_in_parts(&self, bytes: usize) -> bool {
        let _ = bytes;
        false
    }
}

/// The devices of a program, and how they exchange.
pub(super) struct Devices<'t> {
    pub(super) replicas: usize,
    pub(super) partitions: usize,
    pub(super) transport: &'t dyn Transport,
}

type Lower = fn(&mut Builder<'_>, Op, &Devices<'_>) -> Lowered;

/// The operations that several devices take part in.
const ROWS: &[(&OpDef, Lower)] = &[
    (&communication::ALL_GATHER, all_gather),
    (&communication::ALL_REDUCE, all_reduce),
    (&communication::ALL_TO_ALL, all_to_all),
    (&communication::COLLECTIVE_BROADCAST, broadcast),
    (&communication::COLLECTIVE_PERMUTE, permute),
    (&communication::CROSS_REPLICA_SUM, cross_replica_sum),
    (&communication::PARTITION_ID, |b, op, devices| {
        devices.own_number(b, op, 1, devices.partitions)
    }),
    (&communication::REDUCE_SCATTER, reduce_scatter),
    (&communication::REPLICA_ID, |b, op, devices| {
        devices.own_number(b, op, devices.partitions, devices.replicas)
    }),
];

/// Whether an operation is one that several devices take part in.
pub(super) fn is_collective(ir: &Ir, op: Op) -> bool {
    ROWS.iter().any(|row| ir.is(op, row.0))
}

/// Lowers the collective operations of a function.
pub(super) fn lower(
    function: &mut Ir,
    devices: &Devices<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<u64, Failed> {
    let mut n = 0;
    for op in function.collect_ops(function.root()) {
        // Bodies go with their operations.
        if function.is_erased(op) {
            continue;
        }
        let row = ROWS.iter().find(|row| function.is(op, row.0));
        let Some((_, lower)) = row else { continue };
        match lower(&mut Builder::before(function, op), op, devices) {
            Ok(values) => function.replace_op(op, &values),
            Err(Unsupported(reason)) => {
                let name = function.op_name(op);
                let message = format!("'{name}' op is not lowered: {reason}");
                return Err(diagnostics.error(function.loc(op), message));
            }
        }
        n += 1;
    }
    Ok(n)
}

/// How replicas of partitions count as devices where groups name them.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// Groups of replicas; every partition by itself.
    Replicas,
    /// Groups of replicas with all of their partitions.
    ReplicasWithPartitions,
    /// Groups of partitions; every replica by itself.
    Partitions,
    /// Groups of devices.
    Devices,
}

impl Devices<'_> {
    pub(super) fn n(&self) -> usize {
        self.replicas.saturating_mul(self.partitions)
    }

    /// The groups that lists of a mode stand for. An empty list of lists is one of all.
    fn groups(&self, lists: Vec<Vec<usize>>, mode: Mode) -> Result<Vec<Vec<usize>>, Unsupported> {
        let n = match mode {
            Mode::Replicas | Mode::ReplicasWithPartitions => self.replicas,
            Mode::Partitions => self.partitions,
            Mode::Devices => self.n(),
        };
        let lists = match lists.is_empty() {
            true => vec![(0..n).collect()],
            false => lists,
        };
        if lists.iter().flatten().any(|&number| number >= n) {
            return Err("a group names a device that is not there".into());
        }
        let device = |replica: usize, partition: usize| replica * self.partitions + partition;
        let mut groups = Vec::new();
        for list in lists {
            match mode {
                Mode::Replicas => groups.extend((0..self.partitions).map(|partition| {
                    list.iter()
                        .map(|&replica| device(replica, partition))
                        .collect()
                })),
                Mode::ReplicasWithPartitions => groups.push(
                    (0..self.partitions)
                        .flat_map(|partition| {
                            list.iter().map(move |&replica| device(replica, partition))
                        })
                        .collect(),
                ),
                Mode::Partitions => groups.extend((0..self.replicas).map(|replica| {
                    list.iter()
                        .map(|&partition| device(replica, partition))
                        .collect()
                })),
                Mode::Devices => groups.push(list),
            }
        }
        Ok(groups)
    }

    /// Which of `n` this device is, if each run of `n_same` consecutive devices counts as one.
    fn own_number(&self, b: &mut Builder<'_>, op: Op, n_same: usize, n: usize) -> Lowered {
        let ty = b.ir.value_type(b.ir.result(op, 0));
        if n == 1 {
            return Ok(vec![number(b, ty, 0)]);
        }
        let mut value = self.transport.own_number(b);
        if n_same > 1 {
            let n_same = number(b, ty, n_same);
            value = b.value(&elementwise::DIVIDE, &[value, n_same], ty);
        }
        if n_same * n < self.n() {
            let n = number(b, ty, n);
            value = b.value(&elementwise::REMAINDER, &[value, n], ty);
        }
        Ok(vec![value])
    }
}

/// A constant of 32 bits.
fn number(b: &mut Builder<'_>, ty: Type, number: usize) -> Value {
    let context = b.context();
    let value = context.intern_attr(AttrKind::DenseElements(DenseElements {
        ty,
        splat: true,
        bytes: (number as u32).to_le_bytes().to_vec().into(),
    }));
    b.value_with_attr(&elementwise::CONSTANT, &[], ty, Name::VALUE, value)
}

/// The operation says that its groups are of devices.
pub(super) fn among_devices(context: &Context, spec: OpSpec) -> OpSpec {
    among_partitions(context, spec).attr(Name::USE_GLOBAL_DEVICE_IDS, Attr::UNIT)
}

/// The operation, of those that count so, says that its groups are of partitions.
pub(super) fn among_partitions(context: &Context, spec: OpSpec) -> OpSpec {
    let channel = ChannelHandle { handle: 1, kind: 1 };
    spec.attr(Name::CHANNEL_HANDLE, channel.to_attr(context))
}

fn mode(ir: &Ir, op: Op) -> Mode {
    let channel = ir.attr(op, Name::CHANNEL_HANDLE);
    let channel = channel.and_then(|attr| ChannelHandle::from_attr(ir.context(), attr));
    let has_channel = channel.is_some_and(|channel| channel.handle > 0);
    let counts_partitions = [
        &communication::ALL_TO_ALL,
        &communication::COLLECTIVE_BROADCAST,
        &communication::COLLECTIVE_PERMUTE,
    ];
    match has_channel {
        _ if ir.has_attr(op, Name::USE_GLOBAL_DEVICE_IDS) => Mode::Devices,
        false => Mode::Replicas,
        true if counts_partitions.iter().any(|def| ir.is(op, def)) => Mode::Partitions,
        true => Mode::ReplicasWithPartitions,
    }
}

/// The groups of a collective.
fn groups(b: &Builder<'_>, op: Op, devices: &Devices<'_>) -> Result<Vec<Vec<usize>>, Unsupported> {
    let context = b.ir.context();
    let attr =
        b.ir.attr(op, Name::REPLICA_GROUPS)
            .ok_or("it has no groups")?;
    let rows = context
        .attr_dense(attr)
        .and_then(|dense| context.shape(dense.ty));
    let n_columns = rows.and_then(|shape| shape.last().copied()).unwrap_or(0) as usize;
    let numbers = numbers(b, attr)?;
    // Shorter groups end with -1.
    let lists: Vec<Vec<usize>> = (numbers.chunks(n_columns.max(1)))
        .map(|row| {
            row.iter()
                .filter_map(|&number| usize::try_from(number).ok())
                .collect()
        })
        .collect();
    let groups = devices.groups(lists, mode(b.ir, op))?;
    let mut seen = vec![false; devices.n()];
    for &device in groups.iter().flatten() {
        if std::mem::replace(&mut seen[device], true) {
            return Err("a device is in two groups".into());
        }
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
    devices: &Devices<'_>,
) -> Result<(Vec<Vec<usize>>, usize), Unsupported> {
    let groups = groups(b, op, devices)?;
    let n = groups[0].len();
    match groups.iter().all(|group| group.len() == n) {
        true => Ok((groups, n)),
        false => Err("its groups have several sizes".into()),
    }
}

pub(super) fn numbers(b: &Builder<'_>, attr: Attr) -> Result<Vec<i64>, Unsupported> {
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
pub(super) fn element_bytes(b: &Builder<'_>, ty: Type) -> Result<usize, Unsupported> {
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

/// Blocks of a tensor come from other devices: `entries` has, for a device, what it gets.
fn exchange(
    b: &mut Builder<'_>,
    value: Value,
    result: &[i64],
    n_blocks: usize,
    devices: &Devices<'_>,
    entries: impl Fn(usize) -> Vec<Entry>,
) -> Result<Value, Unsupported> {
    if result.iter().any(|&n| n < 0) || shape(b.ir, value).iter().any(|&n| n < 0) {
        return Err("its sizes are not known".into());
    }
    let exchange = Exchange {
        value,
        result: result.to_vec(),
        n_blocks,
        entries: (0..devices.n()).map(entries).collect(),
    };
    devices.transport.exchange(b, &exchange)
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

fn rank_in(group: &[usize], device: usize) -> usize {
    group.iter().position(|&other| other == device).unwrap_or(0)
}

/// The value of every member of the group, as a first dimension.
fn gathered(
    b: &mut Builder<'_>,
    value: Value,
    (groups, n): (&[Vec<usize>], usize),
    devices: &Devices<'_>,
) -> Result<Value, Unsupported> {
    let mut to = shape(b.ir, value);
    to.insert(0, n as i64);
    exchange(b, value, &to, n, devices, |device| {
        let members = group_of(groups, device).iter().enumerate();
        members
            .map(|(target, &from)| Entry {
                from,
                source: 0,
                target,
            })
            .collect()
    })
}

/// Part `i` of a first dimension goes to member `i`, and one comes from each.
fn traded(
    b: &mut Builder<'_>,
    value: Value,
    (groups, n): (&[Vec<usize>], usize),
    devices: &Devices<'_>,
) -> Result<Value, Unsupported> {
    let to = shape(b.ir, value);
    exchange(b, value, &to, n, devices, |device| {
        let group = group_of(groups, device);
        let own = rank_in(group, device);
        let members = group.iter().enumerate();
        members
            .map(|(target, &from)| Entry {
                from,
                source: own,
                target,
            })
            .collect()
    })
}

fn all_gather(b: &mut Builder<'_>, op: Op, devices: &Devices<'_>) -> Lowered {
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

/// What combines two numbers.
#[derive(Clone, Copy)]
enum Combiner {
    /// An operation on both.
    Operation(&'static OpDef),
    /// The body of this operation.
    Body(Op),
}

impl Combiner {
    fn of(b: &Builder<'_>, op: Op) -> Result<Self, Unsupported> {
        let body =
            b.ir.regions(op)
                .first()
                .and_then(|&region| b.ir.single_block(region));
        let body = body.ok_or("it has no body of one block")?;
        let &[x, y] = b.ir.block_args(body) else {
            return Err("its body is not one of two numbers".into());
        };
        let ops: Vec<Op> = b.ir.ops_in(body).collect();
        let of_both = |op: Op| b.ir.operands(op) == [x, y] || b.ir.operands(op) == [y, x];
        if let &[inner, end] = &ops[..]
            && of_both(inner)
            && b.ir.results(inner) == b.ir.operands(end)
            && let Some(def) = COMBINING.into_iter().find(|def| b.ir.is(inner, def))
        {
            return Ok(Self::Operation(def));
        }
        let elements =
            b.ir.operands(op)
                .iter()
                .map(|&operand| element(b.ir, operand));
        let wanted = element(b.ir, x);
        match elements.into_iter().all(|element| element == wanted) {
            true => Ok(Self::Body(op)),
            false => Err("its body is on other elements than it has".into()),
        }
    }

    fn apply(self, b: &mut Builder<'_>, x: Value, y: Value) -> Value {
        let ty = b.ir.value_type(x);
        match self {
            Self::Operation(def) => b.value(def, &[x, y], ty),
            Self::Body(op) => {
                let context = b.context();
                let dimensions: Vec<i64> = (0..shape(b.ir, x).len() as i64).collect();
                let spec = b
                    .spec(&reductions::MAP)
                    .operands(&[x, y])
                    .results(&[ty])
                    .attr(Name::DIMENSIONS, context.i64_array_attr(&dimensions))
                    .regions(1);
                let map = b.create(spec);
                let (from, to) = (b.ir.region(op, 0), b.ir.region(map, 0));
                b.ir.clone_region_into(from, to, &mut IrMap::default());
                b.ir.result(map, 0)
            }
        }
    }
}

/// Operations on two numbers that need no body of their own.
const COMBINING: [&OpDef; 7] = [
    &elementwise::ADD,
    &elementwise::AND,
    &elementwise::MAXIMUM,
    &elementwise::MINIMUM,
    &elementwise::MULTIPLY,
    &elementwise::OR,
    &elementwise::XOR,
];

/// A part of a tensor.
fn slice(b: &mut Builder<'_>, value: Value, first: &[i64], last: &[i64]) -> Value {
    let context = b.context();
    let sizes: Vec<i64> = first
        .iter()
        .zip(last)
        .map(|(first, last)| last - first)
        .collect();
    let spec = b
        .spec(&shapes::SLICE)
        .operands(&[value])
        .results(&[tensor_type(&context, &sizes, element(b.ir, value))])
        .attr(Name::START_INDICES, context.i64_array_attr(first))
        .attr(Name::LIMIT_INDICES, context.i64_array_attr(last))
        .attr(Name::STRIDES, context.i64_array_attr(&vec![1; first.len()]));
    let part = b.create(spec);
    b.ir.result(part, 0)
}

/// All parts of a first dimension, combined in their order.
fn combined(b: &mut Builder<'_>, value: Value, combiner: Combiner) -> Value {
    let all = shape(b.ir, value);
    let mut sum: Option<Value> = None;
    for i in 0..all[0] {
        let (mut first, mut last) = (vec![0; all.len()], all.clone());
        (first[0], last[0]) = (i, i + 1);
        let part = slice(b, value, &first, &last);
        let part = reshape(b, part, &all[1..]);
        sum = Some(match sum {
            Some(sum) => combiner.apply(b, sum, part),
            None => part,
        });
    }
    sum.unwrap_or(value)
}

/// What a combiner makes of what the members of a group have, on each.
fn reduced(
    b: &mut Builder<'_>,
    value: Value,
    combiner: Combiner,
    (groups, n): (&[Vec<usize>], usize),
    devices: &Devices<'_>,
) -> Result<Value, Unsupported> {
    let sizes = shape(b.ir, value);
    if sizes.iter().any(|&n| n < 0) {
        return Err("its sizes are not known".into());
    }
    if let (Combiner::Operation(def), true) = (combiner, n == devices.n())
        && let Some(value) = devices.transport.reduce(b, def, value)
    {
        return Ok(value);
    }
    let n_elements: i64 = sizes.iter().product();
    let bytes = n_elements as usize * element_bytes(b, element(b.ir, value))?;
    if n == 1 || !devices.transport.reduces_in_parts(bytes) {
        let all = gathered(b, value, (groups, n), devices)?;
        return Ok(combined(b, all, combiner));
    }
    // Each member combines one part, and all get all of them.
    let n_each = (n_elements as u64).div_ceil(n as u64) as i64;
    let flat = reshape(b, value, &[n_elements]);
    let flat = padded(b, flat, n_each * n as i64)?;
    let parts = reshape(b, flat, &[n as i64, n_each]);
    let all = traded(b, parts, (groups, n), devices)?;
    let own = combined(b, all, combiner);
    let all = gathered(b, own, (groups, n), devices)?;
    let flat = reshape(b, all, &[n_each * n as i64]);
    let flat = match n_each * n as i64 == n_elements {
        true => flat,
        false => slice(b, flat, &[0], &[n_elements]),
    };
    Ok(reshape(b, flat, &sizes))
}

/// A list with zeros behind it, of this length.
fn padded(b: &mut Builder<'_>, list: Value, length: i64) -> Result<Value, Unsupported> {
    let behind = length - shape(b.ir, list)[0];
    if behind == 0 {
        return Ok(list);
    }
    let context = b.context();
    let ty = element(b.ir, list);
    let zero = zeros(b, &[], ty)?;
    let spec = b
        .spec(&shapes::PAD)
        .operands(&[list, zero])
        .results(&[tensor_type(&context, &[length], ty)])
        .attr(Name::EDGE_PADDING_LOW, context.i64_array_attr(&[0]))
        .attr(Name::EDGE_PADDING_HIGH, context.i64_array_attr(&[behind]))
        .attr(Name::INTERIOR_PADDING, context.i64_array_attr(&[0]));
    let op = b.create(spec);
    Ok(b.ir.result(op, 0))
}

/// A constant of zeros of any type: all of their bits are zero.
pub(super) fn zeros(b: &mut Builder<'_>, sizes: &[i64], ty: Type) -> Result<Value, Unsupported> {
    let context = b.context();
    let n_bytes = element_bytes(b, ty)?;
    let ty = tensor_type(&context, sizes, ty);
    let value = context.intern_attr(AttrKind::DenseElements(DenseElements {
        ty,
        splat: true,
        bytes: vec![0; n_bytes].into(),
    }));
    Ok(b.value_with_attr(&elementwise::CONSTANT, &[], ty, Name::VALUE, value))
}

fn all_reduce(b: &mut Builder<'_>, op: Op, devices: &Devices<'_>) -> Lowered {
    let (groups, n) = equal_groups(b, op, devices)?;
    let combiner = Combiner::of(b, op)?;
    let operands = b.ir.operands(op).to_vec();
    let each = operands
        .into_iter()
        .map(|operand| reduced(b, operand, combiner, (&groups, n), devices));
    each.collect()
}

fn cross_replica_sum(b: &mut Builder<'_>, op: Op, devices: &Devices<'_>) -> Lowered {
    let (groups, n) = equal_groups(b, op, devices)?;
    let operand = b.ir.operand(op, 0);
    let add = Combiner::Operation(&elementwise::ADD);
    Ok(vec![reduced(b, operand, add, (&groups, n), devices)?])
}

fn reduce_scatter(b: &mut Builder<'_>, op: Op, devices: &Devices<'_>) -> Lowered {
    let (groups, n) = equal_groups(b, op, devices)?;
    let combiner = Combiner::of(b, op)?;
    let dim = attr_of(b, op, Name::SCATTER_DIMENSION)?;
    let value = b.ir.operand(op, 0);
    let value = parts(b, value, dim, n)?;
    let value = traded(b, value, (&groups, n), devices)?;
    Ok(vec![combined(b, value, combiner)])
}

fn all_to_all(b: &mut Builder<'_>, op: Op, devices: &Devices<'_>) -> Lowered {
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

fn broadcast(b: &mut Builder<'_>, op: Op, devices: &Devices<'_>) -> Lowered {
    if b.ir.has_attr(op, Name::HAS_DYNAMIC_ROOT) {
        return Err("its root is not known".into());
    }
    let groups = groups(b, op, devices)?;
    let operands = b.ir.operands(op).to_vec();
    let each = operands.into_iter().map(|operand| {
        let to = shape(b.ir, operand);
        exchange(b, operand, &to, 1, devices, |device| {
            let first = group_of(&groups, device).first();
            let entry = first.map(|&from| Entry {
                from,
                source: 0,
                target: 0,
            });
            entry.into_iter().collect()
        })
    });
    each.collect()
}

fn permute(b: &mut Builder<'_>, op: Op, devices: &Devices<'_>) -> Lowered {
    let attr =
        b.ir.attr(op, Name::SOURCE_TARGET_PAIRS)
            .ok_or("it has no pairs")?;
    let numbers = numbers(b, attr)?;
    let lists = numbers.iter().map(|&number| usize::try_from(number).ok());
    let lists: Option<Vec<usize>> = lists.collect();
    let lists = lists.ok_or("a pair names a device that is not there")?;
    let lists: Vec<Vec<usize>> = lists.chunks_exact(2).map(<[usize]>::to_vec).collect();
    // Without pairs, no device receives anything.
    let pairs = match lists.is_empty() {
        true => Vec::new(),
        false => devices.groups(lists, mode(b.ir, op))?,
    };
    let is_once = |at: usize| {
        let mut seen: Vec<usize> = pairs.iter().map(|pair| pair[at]).collect();
        seen.sort_unstable();
        seen.windows(2).all(|two| two[0] != two[1])
    };
    if !is_once(0) || !is_once(1) {
        return Err("a device is in two pairs".into());
    }
    let value = b.ir.operand(op, 0);
    let to = shape(b.ir, value);
    let value = exchange(b, value, &to, 1, devices, |device| {
        let sources = pairs.iter().filter(|pair| pair[1] == device);
        let entries = sources.map(|pair| Entry {
            from: pair[0],
            source: 0,
            target: 0,
        });
        entries.collect()
    })?;
    Ok(vec![value])
}
