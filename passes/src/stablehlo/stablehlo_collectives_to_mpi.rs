//! `stablehlo-collectives-to-mpi`: devices that are processes of MPI exchange parts of tensors by messages.
//!
//! Before:
//! ```mlir
//! module attributes {mhlo.num_partitions = 2 : i32} {
//!   func.func @f() -> tensor<ui32> {
//!     %0 = stablehlo.partition_id : tensor<ui32>
//!     return %0 : tensor<ui32>
//!   }
//! }
//! ```
//! After:
//! ```mlir
//! module attributes {freehold.processes = 2 : i32, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
//!   func.func @f() -> tensor<ui32> {
//!     mpi.init {freehold.once}
//!     %comm = mpi.comm_world : !mpi.comm
//!     %size = mpi.comm_size(%comm) : i32
//!     %c2_i32 = arith.constant 2 : i32
//!     %right = arith.cmpi eq, %size, %c2_i32 : i32
//!     cf.assert %right, "the program is for 2 processes: start it with mpirun -n 2"
//!     %rank = mpi.comm_rank(%comm) : i32
//!     %0 = tensor.from_elements %rank : tensor<i32>
//!     %1 = builtin.unrealized_conversion_cast %0 : tensor<i32> to tensor<ui32>
//!     return %1 : tensor<ui32>
//!   }
//! }
//! ```
//!
//! A process gets each block by an `mpi.irecv`, and what a block is for stands in a constant table with a number per
//! process. Groups of all processes gather small tensors by `mpi.allgather`. Sums and the like are formed by each
//! process in the order of the group, large ones in parts which are then gathered: so the bits of a result depend on
//! the number of processes and on nothing else. Integers, where no order counts, are left to `mpi.allreduce`.
//!
//! Waits stand right behind, as if transfers blocked, since tensors know no time; `delay-mpi-waits` moves them when
//! there are buffers.

use std::cell::Cell;
use std::sync::Arc;

use freehold_frontend::dialects::arith::{self, CmpIPredicate};
use freehold_frontend::dialects::memref::{MixedIndex, OffsetSizeStride, build};
use freehold_frontend::dialects::stablehlo::elementwise;
use freehold_frontend::dialects::{bufferization, cf, mpi, tensor};
use freehold_frontend::ir::attrs::{Attr, AttrKind, DenseElements};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::{Diagnostics, Failed};
use freehold_frontend::ir::entities::Value;
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::op_def::OpDef;
use freehold_frontend::ir::types::{MemRefType, Signedness, Type, TypeKind};

use super::build::{
    as_signless, cast, element, empty, from_scalar, reshape, shape, signless, tensor_type,
};
use super::collectives::{self, Devices, Entry, Exchange, Transport, zeros};
use super::platform;
use super::stablehlo_legalize_to_linalg::Unsupported;
use crate::manage::pass::{Anchor, PassContext, PassDef};
use crate::rewrite::functions;
use crate::rewrite::mpi::{ONCE, OPTIONAL_PEER, PROCESSES};

/// The pass.
pub static PASS: PassDef = PassDef {
    name: "stablehlo-collectives-to-mpi",
    summary: "turn collectives into messages between processes of MPI",
    anchor: Anchor::Module,
    run,
};

/// Sums of at least as many bytes are formed in parts, and such tensors are gathered by messages, which other work can
/// overlap. About the size at which Open MPI and MPICH change from messages that are copied to ones that are not.
const MIN_LARGE_BYTES: usize = 4096;

/// Messages between two processes arrive in the order in which they are sent, and all processes run one program.
const TAG: i128 = 0;

fn run(ir: &mut Ir, context: &mut PassContext<'_>) -> Result<(), Failed> {
    let [replicas, partitions] = platform::device_counts(ir);
    let n = replicas.saturating_mul(partitions);
    if n < 2 {
        return Ok(());
    }
    if n > platform::MAX_DEVICES {
        let message = "these are too many devices";
        return Err(context.diagnostics.error(ir.loc(ir.root()), message));
    }
    let mut n_lowered = 0;
    for stub in functions::functions(ir) {
        let mut function = ir.take_nested(stub);
        let lowered = lower(
            &mut function,
            [replicas, partitions],
            &mut context.diagnostics,
        );
        ir.put_nested(stub, function);
        n_lowered += lowered?;
    }
    context.count("operations converted", n_lowered);
    platform::set_devices(ir, [1, 1]);
    // Replicas have arguments and results of their own.
    if replicas == 1 {
        let (root, context) = (ir.root(), Arc::clone(ir.context()));
        let number = context.integer_attr(Type::I32, n as i128);
        ir.set_attr(root, context.intern_name(PROCESSES), number);
    }
    Ok(())
}

fn lower(
    function: &mut Ir,
    [replicas, partitions]: [usize; 2],
    diagnostics: &mut Diagnostics,
) -> Result<u64, Failed> {
    let first = function
        .walk(function.root())
        .find(|&op| collectives::is_collective(function, op));
    let (Some(first), Some(entry)) = (first, function.root_block()) else {
        return Ok(0);
    };
    let loc = function.loc(first);
    let mut b = Builder::at_start(function, entry);
    b.set_loc(loc);
    let processes = Processes::build(&mut b, replicas * partitions);
    let devices = Devices {
        replicas,
        partitions,
        transport: &processes,
    };
    collectives::lower(function, &devices, diagnostics)
}

/// Processes of MPI, and what this one knows of itself.
struct Processes {
    n: usize,
    comm: Value,
    rank: Value,
    /// The rank as an index, once a table was asked.
    index: Cell<Option<Value>>,
}

impl Processes {
    fn build(b: &mut Builder<'_>, n: usize) -> Self {
        let context = b.context();
        let once = context.intern_name(ONCE);
        let spec = b.spec(&mpi::INIT).attr(once, Attr::UNIT);
        b.create(spec);
        let comm = b.value(&mpi::COMM_WORLD, &[], mpi::comm_type(&context));
        let size = b.value(&mpi::COMM_SIZE, &[comm], Type::I32);
        let wanted = arith::constant_int(b, Type::I32, n as i128);
        let is_right = arith::compare(b, CmpIPredicate::Eq, size, wanted);
        let message = format!("the program is for {n} processes: start it with mpirun -n {n}");
        let message = context.string_attr(&message);
        let spec = b
            .spec(&cf::ASSERT)
            .operands(&[is_right])
            .attr(Name::MSG, message);
        b.create(spec);
        let rank = b.value(&mpi::COMM_RANK, &[comm], Type::I32);
        Self {
            n,
            comm,
            rank,
            index: Cell::new(None),
        }
    }

    /// The rank as an index.
    fn index(&self, b: &mut Builder<'_>) -> Value {
        if let Some(index) = self.index.get() {
            return index;
        }
        let place = b.insert_point();
        let definer =
            b.ir.defining_op(self.rank)
                .expect("an operation asks for it");
        b.set_after(definer);
        let index = b.value(&arith::INDEX_CAST, &[self.rank], Type::INDEX);
        b.set_insert_point(place);
        self.index.set(Some(index));
        index
    }

    /// The number that a table has for this process.
    fn own(&self, b: &mut Builder<'_>, numbers: &[i64]) -> Value {
        if numbers.iter().all(|&number| number == numbers[0]) {
            return arith::constant_int(b, Type::I32, numbers[0].into());
        }
        if numbers
            .iter()
            .zip(0..)
            .all(|(&number, rank)| number == rank)
        {
            return self.rank;
        }
        let context = b.context();
        let bytes = numbers.iter().flat_map(|&n| (n as i32).to_le_bytes());
        let table = context.intern_attr(AttrKind::DenseElements(DenseElements {
            ty: tensor_type(&context, &[self.n as i64], Type::I32),
            splat: false,
            bytes: bytes.collect::<Vec<u8>>().into(),
        }));
        let table = arith::constant_attr(b, table);
        let index = self.index(b);
        b.value(&tensor::EXTRACT, &[table, index], Type::I32)
    }

    /// Block of a buffer: the row that a table has for this process.
    fn block(&self, b: &mut Builder<'_>, buffer: Value, numbers: &[i64]) -> Value {
        let memref = b.ir.context().as_memref(b.ir.value_type(buffer)).cloned();
        let sizes = memref.expect("it is a buffer with a rank").shape;
        // Whoever takes no part may have any block.
        let mut known = numbers.iter().filter(|&&number| number >= 0);
        let first = known.next().copied().unwrap_or(0);
        let offset = match sizes[0] == 1 || known.all(|&number| number == first) {
            true => MixedIndex::Constant(first),
            false => {
                let rows: Vec<i64> = numbers.iter().map(|&number| number.max(0)).collect();
                let row = self.own(b, &rows);
                MixedIndex::Value(b.value(&arith::INDEX_CAST, &[row], Type::INDEX))
            }
        };
        if sizes[0] == 1 {
            return buffer;
        }
        let constant = MixedIndex::Constant;
        let lists = OffsetSizeStride {
            offsets: vec![offset, constant(0)],
            sizes: vec![constant(1), constant(sizes[1])],
            strides: vec![constant(1), constant(1)],
        };
        build::subview(b, buffer, &lists, None)
    }

    /// Begins a transfer of what the rounds say: of each process its peer (-1 for none) and the block.
    fn begin(
        &self,
        b: &mut Builder<'_>,
        def: &'static OpDef,
        buffer: Value,
        round: &[Option<(usize, usize)>],
    ) -> Value {
        let context = b.context();
        let number = |peer: Option<usize>| peer.map_or(-1, |peer| peer as i64);
        let peers: Vec<i64> = (round.iter())
            .map(|entry| number(entry.map(|entry| entry.0)))
            .collect();
        let blocks: Vec<i64> = (round.iter())
            .map(|entry| number(entry.map(|entry| entry.1)))
            .collect();
        let block = self.block(b, buffer, &blocks);
        let tag = arith::constant_int(b, Type::I32, TAG);
        let peer = self.own(b, &peers);
        let mut spec = b
            .spec(def)
            .operands(&[block, tag, peer, self.comm])
            .results(&[mpi::request_type(&context)]);
        if peers.contains(&-1) {
            spec = spec.attr(context.intern_name(OPTIONAL_PEER), Attr::UNIT);
        }
        let op = b.create(spec);
        b.ir.result(op, 0)
    }
}

/// Rounds of transfers: of each process its peer and a block.
type Round = Vec<Option<(usize, usize)>>;

/// Lists of one length: who has less takes no part in the last rounds.
fn rounds(lists: &[Vec<(usize, usize)>]) -> Vec<Round> {
    let n = lists.iter().map(Vec::len).max().unwrap_or(0);
    (0..n)
        .map(|round| lists.iter().map(|list| list.get(round).copied()).collect())
        .collect()
}

impl Transport for Processes {
    fn exchange(&self, b: &mut Builder<'_>, exchange: &Exchange) -> Result<Value, Unsupported> {
        let context = b.context();
        let ty = tensor_type(&context, &exchange.result, element(b.ir, exchange.value));
        let n_blocks = exchange.n_blocks as i64;
        let n_elements: i64 = exchange.result.iter().product();
        let own = as_signless(b, exchange.value);
        if n_elements == 0 {
            let nothing = empty(b, signless(&context, ty));
            return Ok(cast(b, nothing, ty));
        }
        let block = n_elements / n_blocks;
        let n_own: i64 = shape(b.ir, own).iter().product();
        let flat = reshape(b, own, &[n_own / block, block]);
        let sent = buffer_of(b, flat);
        let bytes = collectives::element_bytes(b, element(b.ir, own))? * block as usize;
        let received = MemRefType::identity(&[n_blocks, block], element(b.ir, own));
        let received = build::alloc(b, context.memref_type(received), &[]);
        // Nearest peers first: then all first ones are the processes themselves, or none is its own.
        let mut entries = exchange.entries.clone();
        for (device, own) in entries.iter_mut().enumerate() {
            own.sort_by_key(|entry| (entry.from + self.n - device) % self.n);
        }
        if n_own == block && self.is_gathering(exchange) && bytes < MIN_LARGE_BYTES {
            b.op(&mpi::ALLGATHER, &[sent, received, self.comm], &[]);
        } else {
            self.transfer(b, sent, received, &entries, n_blocks)?;
        }
        let whole = contents(b, received);
        let whole = reshape(b, whole, &exchange.result);
        Ok(cast(b, whole, ty))
    }

    fn own_number(&self, b: &mut Builder<'_>) -> Value {
        let context = b.context();
        let number = context.intern_type(TypeKind::Integer {
            width: 32,
            signedness: Signedness::Unsigned,
        });
        let value = from_scalar(b, self.rank);
        cast(b, value, tensor_type(&context, &[], number))
    }

    fn reduce(&self, b: &mut Builder<'_>, def: &'static OpDef, value: Value) -> Option<Value> {
        let context = b.context();
        let ty = b.ir.value_type(value);
        let width = context.integer_width(element(b.ir, value))?;
        if ![8, 16, 32, 64].contains(&width) {
            return None;
        }
        // What does not ask for signs.
        let words = [
            (&elementwise::ADD, "MPI_SUM"),
            (&elementwise::MULTIPLY, "MPI_PROD"),
            (&elementwise::AND, "MPI_BAND"),
            (&elementwise::OR, "MPI_BOR"),
            (&elementwise::XOR, "MPI_BXOR"),
        ];
        let &(_, word) = words.iter().find(|row| std::ptr::eq(row.0, def))?;
        let reduction = mpi::Reduction::named(word)?.to_attr(&context);
        let own = as_signless(b, value);
        let n: i64 = shape(b.ir, own).iter().product();
        let sizes = shape(b.ir, own);
        let flat = reshape(b, own, &[n]);
        let sent = buffer_of(b, flat);
        let received = MemRefType::identity(&[n], element(b.ir, own));
        let received = build::alloc(b, context.memref_type(received), &[]);
        let spec = b
            .spec(&mpi::ALLREDUCE)
            .operands(&[sent, received, self.comm])
            .attr(Name::OP, reduction);
        b.create(spec);
        let all = contents(b, received);
        let all = reshape(b, all, &sizes);
        Some(cast(b, all, ty))
    }

    fn reduces_in_parts(&self, bytes: usize) -> bool {
        bytes >= MIN_LARGE_BYTES
    }
}

impl Processes {
    /// Whether every process gets what all have, in the order of their ranks.
    fn is_gathering(&self, exchange: &Exchange) -> bool {
        let in_order = |own: &Vec<Entry>| {
            own.len() == self.n
                && (own.iter().enumerate())
                    .all(|(rank, entry)| entry.from == rank && entry.target == rank)
        };
        exchange.entries.iter().all(in_order)
    }

    fn transfer(
        &self,
        b: &mut Builder<'_>,
        sent: Value,
        received: Value,
        entries: &[Vec<Entry>],
        n_blocks: i64,
    ) -> Result<(), Unsupported> {
        let mut entries = entries.to_vec();
        if entries.iter().any(|own| own.len() < n_blocks as usize) {
            let memref = b.ir.context().as_memref(b.ir.value_type(received)).cloned();
            let memref = memref.expect("it is a buffer with a rank");
            let zero = zeros(b, &memref.shape, memref.element)?;
            let zero = buffer_of(b, zero);
            build::copy(b, zero, received);
        }
        // What all have themselves is copied.
        let has_own = |(device, own): (usize, &Vec<Entry>)| {
            own.first().is_some_and(|entry| entry.from == device)
        };
        if entries.iter().enumerate().all(has_own) {
            let first: Vec<Entry> = entries.iter_mut().map(|own| own.remove(0)).collect();
            let sources: Vec<i64> = first.iter().map(|entry| entry.source as i64).collect();
            let targets: Vec<i64> = first.iter().map(|entry| entry.target as i64).collect();
            let source = self.block(b, sent, &sources);
            let target = self.block(b, received, &targets);
            build::copy(b, source, target);
        }
        let receives: Vec<Vec<(usize, usize)>> = (entries.iter())
            .map(|own| own.iter().map(|entry| (entry.from, entry.target)).collect())
            .collect();
        let mut sends: Vec<Vec<(usize, usize)>> = vec![Vec::new(); self.n];
        for distance in 0..self.n {
            for (from, sends) in sends.iter_mut().enumerate() {
                let to = (from + self.n - distance) % self.n;
                let wanted = entries[to].iter().filter(|entry| entry.from == from);
                sends.extend(wanted.map(|entry| (to, entry.source)));
            }
        }
        let mut requests = Vec::new();
        for round in rounds(&receives) {
            requests.push(self.begin(b, &mpi::IRECV, received, &round));
        }
        for round in rounds(&sends) {
            requests.push(self.begin(b, &mpi::ISEND, sent, &round));
        }
        for request in requests {
            b.op(&mpi::WAIT, &[request], &[]);
        }
        Ok(())
    }
}

/// The elements of a tensor, as a buffer to read.
fn buffer_of(b: &mut Builder<'_>, tensor: Value) -> Value {
    let ty = MemRefType::identity(&shape(b.ir, tensor), element(b.ir, tensor));
    let ty = b.ir.context().memref_type(ty);
    b.value_with_attr(
        &bufferization::TO_MEMREF,
        &[tensor],
        ty,
        Name::READ_ONLY,
        Attr::UNIT,
    )
}

/// What was received, as a tensor that owns it.
fn contents(b: &mut Builder<'_>, buffer: Value) -> Value {
    let context = Arc::clone(&b.context());
    let ty = context.tensor_type_of(b.ir.value_type(buffer));
    let spec = b
        .spec(&bufferization::TO_TENSOR)
        .operands(&[buffer])
        .results(&[ty.expect("the buffer has a rank")])
        .attr(Name::RESTRICT, Attr::UNIT)
        .attr(Name::WRITABLE, Attr::UNIT);
    let op = b.create(spec);
    b.ir.result(op, 0)
}
