//! Instruction selection: from the operations of some blocks to instructions on virtual registers.
//!
//! Arithmetic on integers that are not in vectors (indices, mostly) is done where something wants it, at the
//! outermost place where its operands are known, once. Operations on vectors and memory stay in order.
//! A scalar float lives in lane 0: instructions on whole registers compute the same bits there.

mod convert;
mod elementwise;
mod general;
mod halves;
mod mask;
mod memory;
mod moves;
mod pairs;
mod permute;
mod reduce;
mod rotations;
mod scattered;
mod tiles;
mod views;

use freehold_frontend::dialects::{arith, cf, memref, vector};
use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Block as IrBlock, Op, Value};
use freehold_frontend::ir::location::Loc;
use freehold_frontend::ir::op_def::OpDef;
use freehold_frontend::ir::types::{Type, TypeKind};
use freehold_frontend::target::Element;
use iced_x86::Code;
use regalloc2::{Block, VReg};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use self::general::{Known, Number};
use self::permute::Pool;
use self::rotations::Rotation;
use super::code::{Builder, GENERAL, Inst, Lir, Memory, Operand, Size, Terminator, VECTOR};
use super::constants;
use super::forms::Form;
use super::level::Level;
use super::refusal::{Reason, Refusal};
use crate::repr::{Repr, dynamic_fields};
use crate::split::{Part, VALUE_SIZE};

/// How vectors of a type are held: each row, or all rows together if one does not fill registers, in registers
/// of the largest size that it fills. Vectors smaller than a register are in the first lanes of one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Shape {
    element: Element,
    /// Elements of the vector.
    n: usize,
    /// Elements of a row: the last dimension.
    row: usize,
    size: Size,
}

impl Shape {
    /// `None` if the vector does not fill registers.
    fn new(element: Element, row: usize, n: usize, widest: Size) -> Option<Self> {
        let size_of_elements = |n: usize| n.checked_mul(element.bytes());
        let bytes = match size_of_elements(row)? {
            bytes if bytes != 0 && bytes.is_multiple_of(Size::X.bytes()) => bytes,
            _ => size_of_elements(n)?,
        };
        let mut sizes = [Size::Z, Size::Y, Size::X].into_iter();
        let fits = |&size: &Size| size <= widest && bytes.is_multiple_of(size.bytes());
        let size = match bytes {
            0 => return None,
            1..16 => Size::X,
            _ => sizes.find(fits)?,
        };
        Some(Self {
            element,
            n,
            row,
            size,
        })
    }

    /// One element.
    fn one(element: Element) -> Self {
        Self {
            element,
            n: 1,
            row: 1,
            size: Size::X,
        }
    }

    /// All lanes of one register.
    fn one_register(self) -> Self {
        let n = self.per_register();
        Self { n, row: n, ..self }
    }

    /// Whether no register has elements of several rows.
    fn is_of_rows(self) -> bool {
        self.row == self.n || (self.row * self.element.bytes()).is_multiple_of(self.size.bytes())
    }

    /// Whether rows are not one behind the other in memory of such vectors, where their bytes are a power of two.
    fn has_gaps(self) -> bool {
        self.row != self.n && !(self.row * self.element.bytes()).is_power_of_two()
    }

    /// Elements of a register.
    fn per_register(self) -> usize {
        self.size.bytes() / self.element.bytes()
    }

    fn n_registers(self) -> usize {
        // A float is alone in its register.
        self.n.div_ceil(self.per_register())
    }
}

type Registers = SmallVec<[VReg; 4]>;

/// A vector of `i1`: with AVX-512 bits of mask registers, else lanes of ones and zeros.
#[derive(Clone, Debug)]
struct Mask {
    parts: Registers,
    /// The vector whose lanes those of the parts belong to.
    shape: Shape,
}

/// What a value became.
#[derive(Clone, Debug)]
enum Held {
    /// An integer, zero-extended.
    Number(Number),
    /// A float.
    Float(VReg),
    /// A vector.
    Lanes(Registers),
    /// A vector of which each element is in all lanes of a register of its own.
    Elements(Registers),
    /// A vector of `i1`.
    Mask(Mask),
    /// A vector of `i1` that is made where something wants it, for the lanes at hand.
    Later,
    /// A vector of `i1` as bytes of one and zero.
    Bytes(Registers, Shape),
    /// The outcome of comparing two floats, as a mask of one lane.
    Bit(VReg, Element),
}

/// Elements of vectors that come from outside one by one, and go there: bounds code.
const MAX_PLACES: usize = 128;

/// The largest number of registers of a vector: more do not exist.
const MAX_REGISTERS: usize = 32;

/// What selects instructions for an operation.
type Selection = fn(&mut Select<'_>, Op) -> Result<(), Refusal>;

/// Operations that do something besides computing a result, or where the result is depends on it.
static STATEMENTS: &[(&OpDef, Selection)] = &[
    (&cf::BR, |cx, op| cx.jump(op)),
    (&cf::COND_BR, |cx, op| cx.branch(op)),
    (&memref::LOAD, |cx, op| cx.load(op)),
    (&memref::STORE, |cx, op| cx.store(op)),
    (&vector::GATHER, |cx, op| cx.gather(op)),
    (&vector::LOAD, |cx, op| cx.load(op)),
    (&vector::MASKED_LOAD, |cx, op| cx.load(op)),
    (&vector::MASKED_STORE, |cx, op| cx.store(op)),
    (&vector::SCATTER, |cx, op| cx.scatter(op)),
    (&vector::STORE, |cx, op| cx.store(op)),
    (&vector::TRANSFER_READ, |cx, op| cx.load(op)),
    (&vector::TRANSFER_WRITE, |cx, op| cx.store(op)),
];

/// Selects instructions for the blocks of `part`.
pub(super) fn select(ir: &Ir, part: &Part, level: Level) -> Result<Lir, Refusal> {
    let mut builder = Builder::default();
    let entry = builder.block();
    let memory = builder.argument(entry);
    let mut cx = Select {
        ir,
        context: ir.context(),
        level,
        b: builder,
        entry,
        current: entry,
        blocks: FxHashMap::default(),
        held: FxHashMap::default(),
        places: FxHashMap::default(),
        known: FxHashMap::default(),
        splats: FxHashMap::default(),
        done: FxHashSet::default(),
        pairs: FxHashMap::default(),
        rotations: FxHashMap::default(),
        words: FxHashSet::default(),
        memory,
        loc: None,
        is_left_over: false,
        op: ir.root(),
    };
    cx.function(part)?;
    constants::read_where_used(&mut cx.b, level.n_vector_registers());
    let unfinished = Refusal {
        op: cx.op,
        why: Reason::OpenBlock,
    };
    cx.b.finish().ok_or(unfinished)
}

struct Select<'a> {
    ir: &'a Ir,
    context: &'a Context,
    level: Level,
    b: Builder,
    entry: Block,
    /// Where instructions go that stay in order.
    current: Block,
    /// What blocks became; behind those with two successors there are the blocks of the edges.
    blocks: FxHashMap<IrBlock, Block>,
    held: FxHashMap<Value, Held>,
    /// Where inputs are in memory.
    places: FxHashMap<Value, u32>,
    /// Registers that hold what was computed once.
    known: FxHashMap<Known, VReg>,
    /// Known splats, and their width.
    splats: FxHashMap<VReg, Size>,
    /// Operations that were done together with others.
    done: FxHashSet<Op>,
    /// The factors of products of which neighbours are added.
    pairs: FxHashMap<Op, [Value; 2]>,
    /// What rotates bits, in place of two shifts and what joins them.
    rotations: FxHashMap<Op, Rotation>,
    /// Those factors, which are wanted in 16 bits.
    words: FxHashSet<Value>,
    /// The argument: where inputs are and outputs go.
    memory: VReg,
    loc: Option<Loc>,
    /// Whether the block at hand is a loop on scalars.
    is_left_over: bool,
    /// The operation at hand, for refusals.
    op: Op,
}

/// Whether a block is a loop on scalars of an unknown number of iterations: those that vectors leave over.
fn is_left_over(ir: &Ir, block: IrBlock) -> bool {
    let context = ir.context();
    let mut results = ir.ops_in(block).flat_map(|op| ir.results(op));
    let ends_anywhere = || {
        let last = ir.last_op(block)?;
        let condition = ir.defining_op(*ir.operands(last).first()?)?;
        let mut sides = ir.operands(condition).iter();
        Some(sides.all(|&side| arith::as_constant_index(ir, side).is_none()))
    };
    ir.block_successors(block).contains(&block)
        && ends_anywhere() == Some(true)
        && !results.any(|&result| vector::is_vector(context, ir.value_type(result)))
}

impl<'a> Select<'a> {
    fn function(&mut self, part: &Part) -> Result<(), Refusal> {
        let ir = self.ir;
        let first = part.blocks[0];
        let mut place = 0;
        for &input in part.inputs.iter().chain(ir.block_args(first)) {
            self.places.insert(input, place);
            place += self.n_places(input)?;
        }
        // What enters the first block comes from memory once, but is another value there.
        let initial: Vec<Held> = (ir.block_args(first).iter())
            .map(|&argument| self.load_input(argument))
            .collect::<Result<_, _>>()?;
        for &argument in ir.block_args(first) {
            self.places.remove(&argument);
        }
        for &block in &part.blocks {
            let machine = self.b.block();
            self.blocks.insert(block, machine);
            for _ in 1..ir.block_successors(block).len() {
                self.b.block();
                self.b.block();
            }
        }
        let exit = self.b.block();
        self.blocks.insert(part.exit, exit);
        for &block in part.blocks.iter().chain([&part.exit]) {
            self.create_params(block)?;
        }
        // The exit may be the header of a loop around the blocks: until control gets there, its arguments are inputs.
        let at_exit: Vec<(Value, Held)> = (ir.block_args(part.exit).iter())
            .filter_map(|argument| self.held.remove_entry(argument))
            .collect();
        let mut args = Vec::new();
        for (held, &argument) in initial.iter().zip(ir.block_args(first)) {
            self.push_registers(held, argument, &mut args)?;
        }
        let start = self.blocks[&first];
        self.b.terminate(self.entry, Terminator::Jump(start, args));
        for op in part.blocks.iter().flat_map(|&block| ir.ops_in(block)) {
            self.find_pairs(op);
            self.find_rotation(op);
        }
        for &block in &part.blocks {
            self.current = self.blocks[&block];
            self.is_left_over = is_left_over(ir, block);
            for op in ir.ops_in(block) {
                self.op = op;
                self.loc = Some(ir.loc(op));
                self.operation(op)?;
            }
        }
        self.loc = None;
        self.current = exit;
        let mut place = 0;
        for &output in &part.outputs {
            self.store_output(output, place)?;
            place += self.n_places(output)?;
        }
        self.held.extend(at_exit);
        for &argument in ir.block_args(part.exit) {
            self.store_output(argument, place)?;
            place += self.n_places(argument)?;
        }
        self.b.terminate(exit, Terminator::Return);
        Ok(())
    }

    fn refuse<T>(&self, why: Reason) -> Result<T, Refusal> {
        Err(Refusal { op: self.op, why })
    }

    fn ty(&self, value: Value) -> Type {
        self.ir.value_type(value)
    }

    /// How a vector or a float is held; `None` for other types.
    fn shape(&self, ty: Type) -> Option<Shape> {
        if let TypeKind::Vector {
            shape,
            scalable,
            element,
        } = self.context.type_kind(ty)
        {
            if scalable.contains(&true) {
                return None;
            }
            let size = |n: i64| usize::try_from(n).ok();
            let row = size(shape.last().copied().unwrap_or(1))?;
            let n = size(shape.iter().product())?;
            let element = Element::of(self.context, *element)?;
            let shape = Shape::new(element, row, n, self.level.widest)?;
            return (shape.n_registers() <= MAX_REGISTERS).then_some(shape);
        }
        match Element::of(self.context, ty)? {
            Element::Int(_) => None,
            element => Some(Shape::one(element)),
        }
    }

    fn shape_of(&self, value: Value) -> Result<Shape, Refusal> {
        match self.shape(self.ty(value)) {
            Some(shape) => Ok(shape),
            None => self.refuse(Reason::NoRegisters),
        }
    }

    /// Whether this is a type of vectors of `i1`, and the number of elements.
    fn mask_lanes(&self, ty: Type) -> Option<usize> {
        match self.context.type_kind(ty) {
            TypeKind::Vector { shape, element, .. } if *element == Type::I1 => {
                usize::try_from(shape.iter().product::<i64>()).ok()
            }
            _ => None,
        }
    }

    // Values that come from outside and go there.

    /// How many places a value takes in the memory of the argument.
    fn n_places(&self, value: Value) -> Result<u32, Refusal> {
        match Repr::of(self.context, self.ty(value)) {
            Some(Repr::Scalar(_)) => Ok(1),
            Some(Repr::MemRef(layout)) => {
                Ok(dynamic_fields(&layout).filter(|&dynamic| dynamic).count() as u32)
            }
            // Parts of 16 bytes lie one after the other.
            Some(Repr::Vector(repr)) if repr.n_parts() <= MAX_PLACES => Ok(repr.n_parts() as u32),
            _ => self.refuse(Reason::LiveType),
        }
    }

    fn place(&self, place: u32, bytes: usize) -> Memory {
        Memory::at(self.memory, (VALUE_SIZE * place) as i32 + bytes as i32)
    }

    /// Loads an input, at the beginning.
    fn load_input(&mut self, value: Value) -> Result<Held, Refusal> {
        let Some(&place) = self.places.get(&value) else {
            return self.refuse(Reason::UnknownValue);
        };
        let before = std::mem::replace(&mut self.current, self.entry);
        let ty = self.ty(value);
        let held = if let Some(n) = self.mask_lanes(ty) {
            let shape = self.byte_shape(ty, n)?;
            let registers = self.load_scattered(place, shape)?;
            Ok(Held::Bytes(registers, shape))
        } else if let Some(shape) = self
            .shape(ty)
            .filter(|&shape| self.is_scattered(value, shape))
        {
            let registers = self.load_scattered(place, shape)?;
            Ok(self.as_held(shape, registers))
        } else if let Some(shape) = self.shape(ty) {
            let registers = (0..shape.n_registers())
                .map(|i| {
                    let memory = self.place(place, i * shape.size.bytes());
                    match shape.n {
                        1 => self.load_some(shape, memory),
                        _ => self.load_register(shape.size, memory),
                    }
                })
                .collect::<Result<Registers, _>>();
            registers.map(|registers| self.as_held(shape, registers))
        } else {
            let memory = self.place(place, 0);
            self.load_number(ty, memory).map(Held::Number)
        };
        self.current = before;
        held
    }

    fn as_held(&self, shape: Shape, registers: Registers) -> Held {
        match shape.n {
            1 => Held::Float(registers[0]),
            _ => Held::Lanes(registers),
        }
    }

    /// Whether Cranelift has a vector as elements: each is in a place of its own.
    fn is_scattered(&self, value: Value, shape: Shape) -> bool {
        let repr = Repr::of(self.context, self.ty(value));
        shape.n != 1 && matches!(repr, Some(Repr::Vector(repr)) if repr.lanes == 1)
    }

    /// Loads elements that are in places of their own: they are put next to each other in the first places.
    fn load_scattered(&mut self, place: u32, shape: Shape) -> Result<Registers, Refusal> {
        let (ty, bytes) = (self.integer_type(shape), shape.element.bytes());
        for i in 0..shape.n {
            let element = self.place(place + i as u32, 0);
            let number = self.load_number(ty, element)?;
            let memory = self.place(place, i * bytes);
            self.store_number(ty, number, memory)?;
        }
        (0..shape.n_registers())
            .map(|i| {
                let memory = self.place(place, i * shape.size.bytes());
                self.load_some(shape, memory)
            })
            .collect()
    }

    /// Stores elements to places of their own.
    fn store_scattered(
        &mut self,
        place: u32,
        shape: Shape,
        registers: &[VReg],
    ) -> Result<(), Refusal> {
        let (ty, bytes) = (self.integer_type(shape), shape.element.bytes());
        for (i, &register) in registers.iter().enumerate() {
            let memory = self.place(place, i * shape.size.bytes());
            self.store_some(shape, register, memory)?;
        }
        for i in (0..shape.n).rev() {
            let memory = self.place(place, i * bytes);
            let number = self.load_number(ty, memory)?;
            let element = self.place(place + i as u32, 0);
            self.store_number(ty, number, element)?;
        }
        Ok(())
    }

    /// The type of integers as large as elements.
    fn integer_type(&self, shape: Shape) -> Type {
        self.context.integer_type(shape.element.bits())
    }

    fn store_output(&mut self, value: Value, place: u32) -> Result<(), Refusal> {
        if self.mask_lanes(self.ty(value)).is_some() {
            let (registers, shape) = self.mask_bytes(value)?;
            return self.store_scattered(place, shape, &registers);
        }
        if let Some(shape) = self.shape(self.ty(value)) {
            if self.is_scattered(value, shape) {
                let registers = self.lanes(value)?;
                return self.store_scattered(place, shape, &registers);
            }
            for (i, register) in self.lanes(value)?.into_iter().enumerate() {
                let memory = self.place(place, i * shape.size.bytes());
                match shape.n {
                    1 => self.store_some(shape, register, memory)?,
                    _ => self.store_register(shape.size, register, memory)?,
                }
            }
            return Ok(());
        }
        if self.ir.is_memref(value) {
            return self.refuse(Reason::LocalMemref);
        }
        let ty = self.ty(value);
        let number = self.number(value)?;
        let memory = self.place(place, 0);
        self.store_number(ty, number, memory)
    }

    // Blocks.

    fn create_params(&mut self, block: IrBlock) -> Result<(), Refusal> {
        let machine = self.blocks[&block];
        for &argument in self.ir.block_args(block) {
            let ty = self.ty(argument);
            let held = if let Some(n) = self.mask_lanes(ty) {
                let shape = self.byte_shape(ty, n)?;
                let registers = (0..shape.n_registers())
                    .map(|_| self.b.param(machine, VECTOR))
                    .collect();
                Held::Bytes(registers, shape)
            } else if let Some(shape) = self.shape(ty) {
                let registers = (0..shape.n_registers())
                    .map(|_| self.b.param(machine, VECTOR))
                    .collect();
                self.as_held(shape, registers)
            } else if self.int_width(ty).is_some() {
                Held::Number(Number::Register(self.b.param(machine, GENERAL)))
            } else {
                return self.refuse(Reason::BlockArgument);
            };
            self.held.insert(argument, held);
        }
        Ok(())
    }

    /// Appends the registers of what becomes of the block argument `argument`.
    fn push_registers(
        &mut self,
        held: &Held,
        argument: Value,
        args: &mut Vec<VReg>,
    ) -> Result<(), Refusal> {
        match held {
            Held::Number(number) => args.push(self.register(*number)),
            Held::Float(register) => args.push(*register),
            Held::Lanes(registers) => args.extend(registers),
            Held::Bytes(registers, _) => args.extend(registers),
            Held::Elements(_) | Held::Mask(_) | Held::Later | Held::Bit(..) => {
                let number = self.number(argument)?;
                args.push(self.register(number));
            }
        }
        Ok(())
    }

    /// The registers that travel to successor `index` of `op`.
    fn successor_args(&mut self, op: Op, index: usize) -> Result<(Block, Vec<VReg>), Refusal> {
        let ir = self.ir;
        let Some(&block) = self.blocks.get(&ir.successors(op)[index]) else {
            return self.refuse(Reason::WayOut);
        };
        let mut args = Vec::new();
        for &operand in ir.successor_operands(op, index) {
            let held = match self.shape(self.ty(operand)) {
                None if self.mask_lanes(self.ty(operand)).is_some() => {
                    let (registers, shape) = self.mask_bytes(operand)?;
                    Held::Bytes(registers, shape)
                }
                Some(shape) => {
                    let registers = self.lanes(operand)?;
                    self.as_held(shape, registers)
                }
                None => Held::Number(self.number(operand)?),
            };
            self.push_registers(&held, operand, &mut args)?;
        }
        Ok((block, args))
    }

    fn jump(&mut self, op: Op) -> Result<(), Refusal> {
        let (block, args) = self.successor_args(op, 0)?;
        self.b
            .terminate(self.current, Terminator::Jump(block, args));
        Ok(())
    }

    fn branch(&mut self, op: Op) -> Result<(), Refusal> {
        let [first, second] = [1, 2].map(|i| Block::new(self.current.index() + i));
        for (index, edge) in [first, second].into_iter().enumerate() {
            let (block, args) = self.successor_args(op, index)?;
            self.b.terminate(edge, Terminator::Jump(block, args));
        }
        let (compare, condition) = self.condition(self.ir.operand(op, 0))?;
        // Last, because others may still be put into this block.
        self.b.push_last(self.current, compare);
        let branch = Terminator::Branch(condition, first, second);
        self.b.terminate(self.current, branch);
        Ok(())
    }

    // Operations.

    fn operation(&mut self, op: Op) -> Result<(), Refusal> {
        let ir = self.ir;
        let is = |def| ir.is(op, def);
        if self.done.contains(&op) || is(&arith::CONSTANT) {
            return Ok(());
        }
        if let Some((_, select)) = STATEMENTS.iter().find(|&&(def, _)| is(def)) {
            return select(self, op);
        }
        if self.makes_view(op) {
            return Ok(());
        }
        if let Some(metadata) = memref::ExtractStridedMetadata::cast(ir, op)
            && ir.has_no_uses(metadata.base_buffer(ir))
        {
            return Ok(());
        }
        if ir.results(op).is_empty() || !ir.regions(op).is_empty() {
            return self.refuse(Reason::Operation);
        }
        let result = ir.result(op, 0);
        let is_element = |&value: &Value| !vector::is_vector(self.context, self.ty(value));
        let is_splat = is(&vector::BROADCAST);
        if self.waits(result)
            || !(is_splat && is_element(&ir.operand(op, 0))) && self.move_elements(op)?
        {
            return Ok(());
        }
        if ir.results(op).len() != 1 {
            return self.refuse(Reason::Operation);
        }
        let is_number = self.int_width(self.ty(result)).is_some();
        if is_number && let Some(arithmetic) = general::arithmetic(ir, op) {
            // Computed where something wants it; a float may be in a register here only.
            if matches!(arithmetic, general::Arithmetic::FloatBits) {
                // Cranelift's code is better where scalars are worked on each time (`ctc`, benches/models, took 1.14
                // times as long), or compared as integers in memory (`ranking`, 1.18).
                if !self.is_left_over || ir.defined_by(ir.operand(op, 0), &memref::LOAD).is_some() {
                    return self.refuse(Reason::ScalarBits);
                }
                self.number(result)?;
            }
            return Ok(());
        }
        let held = self.elementwise(op)?;
        self.held.insert(result, held);
        Ok(())
    }

    /// The registers of a vector or a float.
    fn lanes(&mut self, value: Value) -> Result<Registers, Refusal> {
        match self.held.get(&value) {
            Some(Held::Lanes(registers)) => return Ok(registers.clone()),
            Some(Held::Float(register)) => return Ok(Registers::from_slice(&[*register])),
            Some(Held::Elements(_)) => {
                // Where it is wanted so, which need not be where it is wanted next.
                let shape = self.shape_of(value)?;
                let mut pool = None;
                let places = self.add_to_pool(&mut pool, value)?;
                let mut pool = pool.unwrap_or_else(|| Pool::new(shape.element.bits()));
                return self.pick_all(&mut pool, &places, shape);
            }
            Some(_) => return self.refuse(Reason::OtherKind),
            None => {}
        }
        if self.waits(value)
            && let Some(op) = self.ir.defining_op(value)
        {
            self.move_elements(op)?;
            return self.lanes(value);
        }
        let held = match arith::as_constant_attr(self.ir, value) {
            Some(attr) => self.constant_lanes(value, attr)?,
            None => self.load_input(value)?,
        };
        self.held.insert(value, held);
        self.lanes(value)
    }

    // Instructions.

    fn push(&mut self, mut inst: Inst) {
        inst.loc = self.loc;
        self.b.push(self.current, inst);
    }

    fn code(&self, form: &'static Form, size: Size) -> Result<Code, Refusal> {
        match form.code(self.level.has_avx512, size) {
            Some(code) => Ok(code),
            None => self.refuse(Reason::NoInstruction),
        }
    }

    /// `form` on registers of one size, with a last operand that is a number if there is one.
    fn vector_op(
        &mut self,
        form: &'static Form,
        size: Size,
        sources: &[VReg],
        byte: Option<u8>,
    ) -> Result<VReg, Refusal> {
        let code = self.code(form, size)?;
        let result = self.b.register(VECTOR, self.current);
        let mut operands: SmallVec<[Operand; 4]> = SmallVec::new();
        operands.push(Operand::Def(result, size));
        operands.extend(sources.iter().map(|&source| Operand::Use(source, size)));
        operands.extend(byte.map(Operand::Byte));
        self.push(Inst::new(code, &operands));
        Ok(result)
    }

    /// `form` on registers of two sizes.
    fn resizing_op(
        &mut self,
        form: &'static Form,
        size: Size,
        (to, from): (Size, Size),
        source: VReg,
        byte: Option<u8>,
    ) -> Result<VReg, Refusal> {
        let code = self.code(form, size)?;
        let result = self.b.register(VECTOR, self.current);
        let mut inst = Inst::new(
            code,
            &[Operand::Def(result, to), Operand::Use(source, from)],
        );
        inst.operands.extend(byte.map(Operand::Byte));
        self.push(inst);
        Ok(result)
    }
}
