//! The machine: functions, frames, blocks, and what stops a program.

use std::io::Write;
use std::rc::Rc;
use std::sync::Arc;

use freehold_frontend::dialects::async_;
use freehold_frontend::ir::attrs::{Attr, AttrKind};
use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Block, Op, Region, Value as Id};
use freehold_frontend::ir::location::Loc;
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::op_def::Traits;
use freehold_frontend::ir::types::Type;
use rustc_hash::FxHashMap;

use crate::memory::{Memory, Origin, Wrong};
use crate::table::{self, Handler};
use crate::value::{Array, Kind, MemRef, Scalar, Value};

/// Why a program did not end as it should.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FaultKind {
    /// What it does is not defined.
    Undefined,
    /// It accesses memory that it may not access, or frees what it may not free.
    Memory,
    /// An assertion does not hold.
    Assertion,
    /// It does something that is not interpreted.
    Unsupported,
    /// It takes more steps, memory or calls than it may.
    Limit,
}

/// What stopped a program.
#[derive(Clone, Debug)]
pub struct Fault {
    /// What kind of fault it is.
    pub kind: FaultKind,
    /// At which operation.
    pub loc: Option<Loc>,
    /// The fault, with the values.
    pub message: String,
    /// Other places that matter.
    pub notes: Vec<(Loc, String)>,
    /// The poison that was looked at, whose place is not among the notes yet.
    pub(crate) poison: Option<u32>,
    /// Whether it ends only the body of `async.execute` or `async.func` that it is in.
    pub(crate) is_of_body: bool,
}

impl Fault {
    pub(crate) fn new(kind: FaultKind, message: impl Into<String>) -> Box<Self> {
        Box::new(Self {
            kind,
            loc: None,
            message: message.into(),
            notes: Vec::new(),
            poison: None,
            is_of_body: false,
        })
    }
}

impl From<Wrong> for Box<Fault> {
    fn from(wrong: Wrong) -> Self {
        let mut fault = Fault::new(FaultKind::Memory, wrong.message);
        fault.notes = wrong.notes;
        fault
    }
}

pub(crate) type Res<T = ()> = Result<T, Box<Fault>>;

/// A fault of undefined behaviour.
pub(crate) fn undefined<T>(message: impl Into<String>) -> Res<T> {
    Err(Fault::new(FaultKind::Undefined, message))
}

/// A fault of an access that is not allowed.
pub(crate) fn wrong_access<T>(message: impl Into<String>) -> Res<T> {
    Err(Fault::new(FaultKind::Memory, message))
}

/// A fault of something that is not interpreted.
pub(crate) fn unsupported<T>(message: impl Into<String>) -> Res<T> {
    Err(Fault::new(FaultKind::Unsupported, message))
}

/// How much a program may do.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Operations.
    pub steps: u64,
    /// Bytes that are allocated at the same time.
    pub bytes: u64,
    /// Bytes of the stack of the thread that interprets, of which a part is kept.
    pub stack: usize,
}

/// A function, ready to run: what interprets each of its operations.
pub(crate) struct Function<'a> {
    pub(crate) ir: &'a Ir,
    handlers: Vec<Option<Handler>>,
}

/// Values of one call.
pub(crate) struct Frame<'a> {
    pub(crate) ir: &'a Ir,
    function: Rc<Function<'a>>,
    values: Vec<Value>,
    /// Where a branch goes, with the arguments of that block.
    pub(crate) next: Option<(Block, Vec<Value>)>,
    /// The operation at work.
    pub(crate) loc: Loc,
    /// How many bodies of `async` around the operation at work are of this call.
    pub(crate) n_bodies: usize,
}

/// How a region was left.
pub(crate) struct Exit {
    /// The terminator, if there is one.
    pub(crate) op: Option<Op>,
    /// Its operands.
    pub(crate) values: Vec<Value>,
}

/// A symbol of the module.
#[derive(Clone, Copy)]
pub(crate) enum Symbol<'a> {
    Function(&'a Ir),
    Other(&'a Ir, Op),
}

/// What interprets a program.
pub(crate) struct Machine<'a> {
    pub(crate) context: &'a Arc<Context>,
    pub(crate) symbols: FxHashMap<String, Symbol<'a>>,
    functions: FxHashMap<String, Rc<Function<'a>>>,
    handlers: FxHashMap<usize, Handler>,
    pub(crate) memory: Memory,
    /// Variables of the module, where they lie or what they hold.
    pub(crate) globals: FxHashMap<String, Value>,
    pub(crate) output: &'a mut dyn Write,
    pub(crate) steps: u64,
    limits: Limits,
    stack_base: usize,
    /// Where poison comes from.
    pub(crate) poisons: Vec<(Loc, String)>,
    poison_ids: FxHashMap<(Loc, String), u32>,
    /// Allocations of the scopes that are open.
    pub(crate) scoped: Vec<usize>,
    /// The calls that are running.
    pub(crate) calls: Vec<Loc>,
    /// Parts of tensors that iterations of `scf.forall` give back, per loop.
    pub(crate) inserts: Vec<Vec<crate::dialects::scf::Insert>>,
    /// Groups of `async`: how many they are for, and the bodies in them.
    pub(crate) groups: Vec<(i64, Vec<usize>)>,
    /// Whether the program asks for errors of bodies, so that a failed assertion ends only its body.
    pub(crate) asks_for_errors: bool,
    /// Counters of structured operations around, innermost last.
    pub(crate) counters: Vec<Vec<i64>>,
}

#[inline(never)]
fn stack_address() -> usize {
    let here = 0u8;
    std::hint::black_box(std::ptr::from_ref(&here)).addr()
}

impl<'a> Machine<'a> {
    pub(crate) fn new(module: &'a Ir, limits: Limits, output: &'a mut dyn Write) -> Self {
        let mut machine = Self {
            context: module.context(),
            symbols: FxHashMap::default(),
            functions: FxHashMap::default(),
            handlers: table::handlers(),
            memory: Memory {
                limit: limits.bytes,
                ..Memory::default()
            },
            globals: FxHashMap::default(),
            output,
            steps: 0,
            limits,
            stack_base: stack_address(),
            poisons: vec![(Loc::UNKNOWN, "poison".to_owned())],
            poison_ids: FxHashMap::default(),
            scoped: Vec::new(),
            calls: Vec::new(),
            inserts: Vec::new(),
            groups: Vec::new(),
            asks_for_errors: crate::dialects::async_::asks_for_errors(module),
            counters: Vec::new(),
        };
        machine.add_symbols(module, "");
        machine
    }

    fn add_symbols(&mut self, module: &'a Ir, prefix: &str) {
        let Some(block) = module.root_block() else {
            return;
        };
        for op in module.ops_in(block) {
            let Some(name) = module.symbol_name(op) else {
                continue;
            };
            let name = format!("{prefix}{name}");
            match module.nested(op) {
                Some(nested) if nested.has_trait(nested.root(), Traits::FUNCTION) => {
                    self.symbols.insert(name, Symbol::Function(nested));
                }
                Some(nested) => {
                    let prefix = format!("{name}::");
                    self.add_symbols(nested, &prefix);
                }
                None => {
                    self.symbols.insert(name, Symbol::Other(module, op));
                }
            }
        }
    }

    /// A function that has a body.
    pub(crate) fn function(&mut self, name: &str) -> Option<Rc<Function<'a>>> {
        if let Some(function) = self.functions.get(name) {
            return Some(Rc::clone(function));
        }
        let Some(&Symbol::Function(ir)) = self.symbols.get(name) else {
            return None;
        };
        ir.root_block()?;
        let mut handlers = vec![None; ir.n_ops()];
        for op in ir.walk(ir.root()) {
            let row = std::ptr::from_ref(ir.def(op)).addr();
            let index = cranelift_index(op);
            if let Some(slot) = handlers.get_mut(index) {
                let declared = ir.def(op).declared;
                let of_file = declared.map(|_| crate::dialects::declared::interpret as Handler);
                *slot = self.handlers.get(&row).copied().or(of_file);
            }
        }
        let function = Rc::new(Function { ir, handlers });
        self.functions.insert(name.to_owned(), Rc::clone(&function));
        Some(function)
    }

    /// Calls a function by name.
    pub(crate) fn call(&mut self, name: &str, arguments: &[Value], loc: Loc) -> Res<Vec<Value>> {
        let Some(function) = self.function(name) else {
            return crate::external::call(self, name, arguments);
        };
        self.check_stack()?;
        let ir = function.ir;
        let mut frame = Frame {
            ir,
            values: vec![Value::Unset; ir.n_values()],
            function,
            next: None,
            loc,
            n_bodies: usize::from(ir.is(ir.root(), &async_::FUNC)),
        };
        self.calls.push(loc);
        let counters = std::mem::take(&mut self.counters);
        let exit = self.region(&mut frame, ir.region(ir.root(), 0), arguments)?;
        self.counters = counters;
        self.calls.pop();
        Ok(exit.values)
    }

    /// Fails if the stack of the interpreter gets short.
    pub(crate) fn check_stack(&self) -> Res {
        const KEPT: usize = 1 << 20;
        let used = self.stack_base.abs_diff(stack_address());
        if used + KEPT > self.limits.stack {
            return Err(Fault::new(
                FaultKind::Limit,
                format!(
                    "calls and regions are nested too deeply: {} calls are running",
                    self.calls.len()
                ),
            ));
        }
        Ok(())
    }

    /// Runs a region until a terminator leaves it.
    pub(crate) fn region(
        &mut self,
        frame: &mut Frame<'a>,
        region: Region,
        arguments: &[Value],
    ) -> Res<Exit> {
        let ir = frame.ir;
        let Some(entry) = ir.entry_block(region) else {
            return Ok(Exit {
                op: None,
                values: Vec::new(),
            });
        };
        let scope = ir.has_trait(ir.region_owner(region), Traits::AUTOMATIC_ALLOCATION_SCOPE);
        let first = self.scoped.len();
        let exit = self.blocks(frame, entry, arguments)?;
        if scope {
            for number in self.scoped.split_off(first) {
                self.memory.end(number, frame.loc);
            }
        }
        Ok(exit)
    }

    /// Runs blocks, beginning with `block`.
    fn blocks(&mut self, frame: &mut Frame<'a>, block: Block, arguments: &[Value]) -> Res<Exit> {
        let ir = frame.ir;
        let mut block = block;
        frame.set_arguments(block, arguments);
        loop {
            let mut current = ir.first_op(block);
            let mut left = None;
            while let Some(op) = current {
                self.steps += 1;
                if self.steps > self.limits.steps {
                    let mut fault = Fault::new(
                        FaultKind::Limit,
                        format!("more than {} operations", self.limits.steps),
                    );
                    fault.loc = Some(ir.loc(op));
                    return Err(fault);
                }
                frame.loc = ir.loc(op);
                if let Err(mut fault) = self.operation(frame, op) {
                    if let Some(id) = fault.poison.take() {
                        fault.notes.push(self.poisons[id as usize].clone());
                    }
                    if fault.loc.is_none() {
                        fault.loc = Some(ir.loc(op));
                        for &call in self.calls.iter().rev().take(8) {
                            if call != Loc::UNKNOWN {
                                fault.notes.push((call, "called from here".to_owned()));
                            }
                        }
                    }
                    return Err(fault);
                }
                current = ir.next_op(op);
                left = Some(op);
            }
            if let Some((next, values)) = frame.next.take() {
                block = next;
                frame.set_arguments(block, &values);
                continue;
            }
            let op = left.filter(|&op| ir.has_trait(op, Traits::TERMINATOR));
            let values = match op {
                Some(op) => ir.operands(op).iter().map(|&id| frame.get(id)).collect(),
                None => Vec::new(),
            };
            return Ok(Exit { op, values });
        }
    }

    fn operation(&mut self, frame: &mut Frame<'a>, op: Op) -> Res {
        let ir = frame.ir;
        let handler = frame.function.handlers[cranelift_index(op)];
        match handler {
            Some(handler) => handler(self, frame, op),
            None if ir.has_trait(op, Traits::RETURN_LIKE)
                || ir.has_trait(op, Traits::TERMINATOR)
                    && table::is_plain_terminator(ir.def(op)) =>
            {
                Ok(())
            }
            None => unsupported(format!("operation '{}' is not interpreted", ir.op_name(op))),
        }
    }

    /// Poison with its reason.
    pub(crate) fn poison(&mut self, loc: Loc, reason: impl Into<String>) -> Scalar {
        let key = (loc, reason.into());
        if let Some(&id) = self.poison_ids.get(&key) {
            return Scalar::Poison(id);
        }
        let id = self.poisons.len() as u32;
        self.poisons.push(key.clone());
        self.poison_ids.insert(key, id);
        Scalar::Poison(id)
    }

    /// The bits of a number where it has to be defined.
    pub(crate) fn defined(&self, scalar: Scalar, what: &str) -> Res<u128> {
        match scalar {
            Scalar::Bits(bits) => Ok(bits),
            Scalar::Poison(id) => {
                let (loc, reason) = &self.poisons[id as usize];
                let mut fault = Fault::new(FaultKind::Undefined, format!("{what} is poison"));
                if *loc != Loc::UNKNOWN {
                    fault.notes.push((*loc, reason.clone()));
                }
                Err(fault)
            }
            Scalar::Uninit(number) => {
                let mut fault =
                    Fault::new(FaultKind::Undefined, format!("{what} was never written"));
                if let Some(allocation) = self.memory.allocations.get(number as usize) {
                    fault
                        .notes
                        .push((allocation.loc, "its memory was allocated here".to_owned()));
                }
                Err(fault)
            }
        }
    }

    /// Makes an allocation.
    pub(crate) fn allocate(
        &mut self,
        size: u64,
        alignment: u64,
        origin: Origin,
        loc: Loc,
    ) -> Res<u64> {
        let Some(address) = self.memory.allocate(size, alignment, origin, loc) else {
            return Err(Fault::new(
                FaultKind::Limit,
                format!(
                    "allocation of {size} bytes: more than {} bytes at the same time",
                    self.limits.bytes
                ),
            ));
        };
        if origin == Origin::Stack {
            self.scoped.push(self.memory.allocations.len() - 1);
        }
        Ok(address)
    }

    /// The kind of numbers of a type.
    pub(crate) fn kind(&self, ty: Type) -> Res<Kind> {
        let element = self.context.element_type_or_self(ty);
        match Kind::of(self.context, element) {
            Some(Kind::Float(kind) | Kind::Complex(kind)) if !crate::float::is_known(kind) => {
                unsupported(format!(
                    "numbers of type {} are not interpreted",
                    kind.keyword()
                ))
            }
            Some(kind) => Ok(kind),
            None => unsupported(format!(
                "values of type '{}' are not interpreted",
                freehold_frontend::syntax::printer::type_to_string(self.context, ty)
            )),
        }
    }
}

/// The number of an operation in its arena.
fn cranelift_index(op: Op) -> usize {
    op.as_u32() as usize
}

impl<'a> Frame<'a> {
    fn set_arguments(&mut self, block: Block, values: &[Value]) {
        for (&id, value) in self.ir.block_args(block).iter().zip(values) {
            self.values[id.as_u32() as usize] = value.clone();
        }
    }

    /// The value of `id`.
    pub(crate) fn get(&self, id: Id) -> Value {
        self.values[id.as_u32() as usize].clone()
    }

    /// The value of `id`, looked at.
    pub(crate) fn see(&self, id: Id) -> &Value {
        &self.values[id.as_u32() as usize]
    }

    /// Sets the value of `id`.
    pub(crate) fn put(&mut self, id: Id, value: Value) {
        self.values[id.as_u32() as usize] = value;
    }

    /// Sets result number `index`.
    pub(crate) fn set(&mut self, op: Op, index: usize, value: Value) {
        let id = self.ir.result(op, index);
        self.put(id, value);
    }

    /// Sets all results.
    pub(crate) fn set_all(&mut self, op: Op, values: Vec<Value>) {
        for (index, value) in values.into_iter().enumerate() {
            if index < self.ir.results(op).len() {
                self.set(op, index, value);
            }
        }
    }

    /// Operand number `index`.
    pub(crate) fn operand(&self, op: Op, index: usize) -> &Value {
        self.see(self.ir.operand(op, index))
    }

    /// The operands of a group.
    pub(crate) fn group(&self, op: Op, group: usize) -> Vec<Value> {
        let ids = self.ir.operand_group(op, group);
        ids.iter().map(|&id| self.get(id)).collect()
    }

    /// Operand number `index`, a number.
    pub(crate) fn scalar(&self, op: Op, index: usize) -> Res<Scalar> {
        as_scalar(self.operand(op, index))
    }

    /// Operand number `index`, a memref.
    pub(crate) fn memref(&self, op: Op, index: usize) -> Res<Rc<MemRef>> {
        as_memref(self.operand(op, index))
    }

    /// Operand number `index`, a vector or a tensor.
    pub(crate) fn array(&self, op: Op, index: usize) -> Res<Rc<Array>> {
        as_array(self.operand(op, index))
    }

    /// The type of operand number `index`.
    pub(crate) fn operand_type(&self, op: Op, index: usize) -> Type {
        self.ir.value_type(self.ir.operand(op, index))
    }

    /// The type of result number `index`.
    pub(crate) fn result_type(&self, op: Op, index: usize) -> Type {
        self.ir.value_type(self.ir.result(op, index))
    }

    /// An attribute.
    pub(crate) fn attr(&self, op: Op, name: Name) -> Option<Attr> {
        self.ir.attr(op, name)
    }

    /// An attribute that is an integer.
    pub(crate) fn int_attr(&self, op: Op, name: Name) -> Option<i128> {
        self.ir.context().attr_integer(self.attr(op, name)?)
    }

    /// An attribute that is a list of integers; empty if it is missing.
    pub(crate) fn ints(&self, op: Op, name: Name) -> Vec<i64> {
        self.attr(op, name)
            .map_or(Vec::new(), |attr| ints_of(self.ir.context(), attr))
    }
}

/// The integers of a list.
pub(crate) fn ints_of(context: &Context, attr: Attr) -> Vec<i64> {
    match context.attr_kind(attr) {
        AttrKind::Array(elements) => elements
            .iter()
            .filter_map(|&element| context.attr_integer(element))
            .map(|value| value as i64)
            .collect(),
        AttrKind::DenseArray { element, bytes } => {
            let size = context.element_byte_size(*element).unwrap_or(8) as usize;
            bytes
                .chunks_exact(size)
                .map(|chunk| {
                    let mut buffer = [0; 16];
                    buffer[..size].copy_from_slice(chunk);
                    crate::value::signed(u128::from_le_bytes(buffer), size as u32 * 8) as i64
                })
                .collect()
        }
        AttrKind::DenseElements(dense) => match crate::constant::elements(context, dense) {
            Some((shape, elements)) => {
                let width = Kind::of(context, context.element_type_or_self(dense.ty))
                    .map_or(64, Kind::width);
                let _ = shape;
                elements
                    .into_iter()
                    .filter_map(Scalar::bits)
                    .map(|bits| crate::value::signed(bits, width) as i64)
                    .collect()
            }
            None => Vec::new(),
        },
        _ => Vec::new(),
    }
}

pub(crate) fn as_scalar(value: &Value) -> Res<Scalar> {
    match value {
        Value::Scalar(scalar) => Ok(*scalar),
        other => unsupported(format!("a number is expected, not {}", describe(other))),
    }
}

pub(crate) fn as_memref(value: &Value) -> Res<Rc<MemRef>> {
    match value {
        Value::MemRef(memref) => Ok(Rc::clone(memref)),
        Value::Scalar(Scalar::Poison(id)) => {
            let mut fault = Fault::new(FaultKind::Undefined, "a memref is poison");
            fault.poison = Some(*id);
            Err(fault)
        }
        other => unsupported(format!("a memref is expected, not {}", describe(other))),
    }
}

pub(crate) fn as_array(value: &Value) -> Res<Rc<Array>> {
    match value {
        Value::Array(array) => Ok(Rc::clone(array)),
        other => unsupported(format!(
            "a vector or tensor is expected, not {}",
            describe(other)
        )),
    }
}

fn describe(value: &Value) -> &'static str {
    match value {
        Value::Unset => "a value that is not computed",
        Value::Scalar(_) => "a number",
        Value::Array(_) => "a vector or tensor",
        Value::MemRef(_) => "a memref",
        Value::Function(_) => "a function",
        Value::Tuple(_) => "a tuple",
        Value::Token => "a token",
    }
}

impl Machine<'_> {
    /// The index in operand number `index`, which has to be defined.
    pub(crate) fn index(&self, frame: &Frame<'_>, op: Op, index: usize) -> Res<i64> {
        let scalar = frame.scalar(op, index)?;
        Ok(self.defined(scalar, "an index")? as i64)
    }

    /// The indices in these values.
    pub(crate) fn indices(&self, values: &[Value]) -> Res<Vec<i64>> {
        values
            .iter()
            .map(|value| Ok(self.defined(as_scalar(value)?, "an index")? as i64))
            .collect()
    }

    /// The condition in a value.
    pub(crate) fn condition(&self, value: &Value) -> Res<bool> {
        Ok(self.defined(as_scalar(value)?, "a condition")? & 1 == 1)
    }

    /// A list that mixes numbers and operands of a group.
    pub(crate) fn mixed(
        &self,
        frame: &Frame<'_>,
        op: Op,
        group: usize,
        name: Name,
    ) -> Res<Vec<i64>> {
        let statics = frame.ints(op, name);
        let mut dynamics = self.indices(&frame.group(op, group))?.into_iter();
        Ok(statics
            .into_iter()
            .map(|number| match number {
                freehold_frontend::ir::types::DYNAMIC => dynamics.next().unwrap_or(0),
                number => number,
            })
            .collect())
    }
}
