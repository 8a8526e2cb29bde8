//! The state of lowering one function, which all lowerings get: what values,
//! types and blocks became, and where errors go.

use std::rc::Rc;

use cranelift_codegen::ir::{self as clif, InstBuilder, TrapCode, types};
use cranelift_frontend::FunctionBuilder;
use freehold_frontend::dialects::vector::is_vector;
use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::{Diagnostics, Failed};
use freehold_frontend::ir::entities::{Block, Op, Value};
use freehold_frontend::ir::location::Loc;
use freehold_frontend::ir::op_def::{OpDef, Traits};
use freehold_frontend::ir::types::Type;
use rustc_hash::FxHashMap;

use super::frame_plan::FramePlan;
use super::held::{Descriptor, Index, Lowered};
use super::symbols::Symbols;
use super::vector_state::VectorState;
use crate::abi::FunctionAbi;
use crate::external::External;
use crate::program::{
    Function, FunctionId, GlobalId, Program, unsupported_op, unsupported_type, why_no_code_for,
};
use crate::references::{LocalData, References};
use crate::repr::{Layout, Repr, Scalar};

/// Traps where control cannot come.
pub(crate) const TRAP_UNREACHABLE: TrapCode = TrapCode::unwrap_user(1);

/// Lowers one operation. Reports what it cannot lower.
pub(crate) type LowerFn = fn(&mut Lowering<'_, '_>, Op) -> Result<(), Failed>;
/// The lowerings of a dialect.
pub(crate) type LoweringTable = &'static [(&'static OpDef, LowerFn)];

/// How operations are lowered, for those that have operations inside or are lowered
/// like others.
pub(crate) struct Lowerings {
    rows: FxHashMap<usize, LowerFn>,
    /// Elementwise operations on vectors.
    on_vectors: LowerFn,
}

impl Lowerings {
    /// Those of the tables.
    pub(crate) fn new(
        tables: impl Iterator<Item = (&'static OpDef, LowerFn)>,
        on_vectors: LowerFn,
    ) -> Self {
        let rows = tables.map(|(def, lower)| (std::ptr::from_ref(def).addr(), lower));
        Self {
            rows: rows.collect(),
            on_vectors,
        }
    }

    /// The function that lowers operations of this row, if there is one.
    pub(crate) fn of(&self, def: &'static OpDef) -> Option<LowerFn> {
        self.rows.get(&std::ptr::from_ref(def).addr()).copied()
    }
}

/// The state of lowering one function.
pub(crate) struct Lowering<'a, 'f> {
    /// The arena of the function.
    pub(crate) ir: &'a Ir,
    /// Types and attributes.
    pub(crate) context: &'a Context,
    /// All functions and globals.
    pub(crate) program: &'a Program<'a>,
    /// Where instructions go.
    pub(crate) b: FunctionBuilder<'f>,
    /// Calling convention of this function.
    pub(crate) abi: &'a FunctionAbi,
    /// The pointer to the struct of results, if there is one.
    pub(crate) result_pointer: Option<clif::Value>,
    /// Stack memory.
    pub(crate) frame: FramePlan,
    /// Reports.
    pub(crate) diagnostics: &'a mut Diagnostics,
    /// How each operation is lowered.
    pub(crate) lowerings: &'static Lowerings,
    symbols: Symbols<'a>,
    /// What values of the part became. There are many parts of large functions, so these are no tables of all values
    /// and blocks.
    values: FxHashMap<Value, Lowered>,
    blocks: FxHashMap<Block, clif::Block>,
    reprs: FxHashMap<Type, Option<Repr>>,
    /// The memory that each allocation has for itself, if it has.
    pub(super) alias_regions: FxHashMap<Op, Option<clif::AliasRegion>>,
    /// State of vectors.
    pub(super) vector: VectorState,
    /// Slots for structs of results, by size.
    pub(super) results_slots: FxHashMap<u32, clif::StackSlot>,
}

impl<'a, 'f> Lowering<'a, 'f> {
    /// Prepares to lower `function`, whose body is in `ir`, into `b`.
    pub(crate) fn new(
        program: &'a Program<'a>,
        lowerings: &'static Lowerings,
        function: &'a Function<'a>,
        ir: &'a Ir,
        b: FunctionBuilder<'f>,
        references: &'a mut References,
        diagnostics: &'a mut Diagnostics,
    ) -> Self {
        Self {
            ir,
            context: program.context,
            program,
            b,
            abi: &function.abi,
            result_pointer: None,
            frame: FramePlan::default(),
            diagnostics,
            lowerings,
            symbols: Symbols::new(program, references),
            values: FxHashMap::default(),
            blocks: FxHashMap::default(),
            reprs: FxHashMap::default(),
            alias_regions: FxHashMap::default(),
            vector: VectorState::default(),
            results_slots: FxHashMap::default(),
        }
    }

    /// Lowers one operation.
    pub(crate) fn lower_op(&mut self, op: Op) -> Result<(), Failed> {
        let lowered = match self.lowerings.of(self.ir.def(op)) {
            Some(_) if self.is_elementwise_on_vectors(op) => (self.lowerings.on_vectors)(self, op),
            Some(lower) => lower(self, op),
            None => Err(unsupported_op(self.ir, op, self.diagnostics)),
        };
        if lowered.is_err() {
            for &result in self.ir.results(op) {
                self.set(result, Lowered::Missing);
            }
        }
        lowered
    }

    /// Whether `op` computes vectors element by element.
    fn is_elementwise_on_vectors(&self, op: Op) -> bool {
        let is_vector = |value| is_vector(self.context, self.ir.value_type(value));
        self.ir.has_trait(op, Traits::ELEMENTWISE)
            && self.ir.results(op).iter().any(|&result| is_vector(result))
    }

    // Values.

    /// Records what `value` became.
    pub(crate) fn set(&mut self, value: Value, lowered: Lowered) {
        self.values.insert(value, lowered);
    }

    /// Records the scalar that the only result of `op` became.
    pub(crate) fn set_result(&mut self, op: Op, value: clif::Value) {
        self.set(self.ir.result(op, 0), Lowered::Scalar(value));
    }

    /// What `value` became.
    pub(crate) fn get(&self, value: Value) -> Result<&Lowered, Failed> {
        match self.values.get(&value) {
            // An error was reported where it is defined.
            None | Some(Lowered::Missing) => Err(Failed),
            Some(lowered) => Ok(lowered),
        }
    }

    /// The operation that defines `value`, if its operands are available here: in a part of a function, only values
    /// made or used there are.
    pub(crate) fn defining_op(&self, value: Value) -> Option<Op> {
        let op = self.ir.defining_op(value)?;
        let mut operands = self.ir.operands(op).iter();
        operands
            .all(|operand| self.values.contains_key(operand))
            .then_some(op)
    }

    /// The CLIF value of a scalar.
    pub(crate) fn scalar(&mut self, value: Value) -> Result<clif::Value, Failed> {
        match *self.get(value)? {
            Lowered::Scalar(value) => Ok(value),
            Lowered::Constant(scalar, bits) => Ok(self.constant(scalar, bits)),
            _ => Err(self.unsupported_value(value)),
        }
    }

    /// The CLIF value of scalar operand `index` of `op`.
    pub(crate) fn operand(&mut self, op: Op, index: usize) -> Result<clif::Value, Failed> {
        self.scalar(self.ir.operand(op, index))
    }

    /// A number of type index.
    pub(crate) fn index(&mut self, value: Value) -> Result<Index, Failed> {
        match *self.get(value)? {
            Lowered::Constant(_, bits) => Ok(Index::Const(bits as i64)),
            _ => self.scalar(value).map(Index::Value),
        }
    }

    /// Numbers of type index.
    pub(crate) fn indices<C: FromIterator<Index>>(
        &mut self,
        values: &[Value],
    ) -> Result<C, Failed> {
        values.iter().map(|&value| self.index(value)).collect()
    }

    /// The descriptor of a ranked memref.
    pub(crate) fn memref(&mut self, value: Value) -> Result<Rc<Descriptor>, Failed> {
        match self.get(value)? {
            Lowered::MemRef(descriptor) => Ok(Rc::clone(descriptor)),
            _ => Err(self.unsupported_value(value)),
        }
    }

    /// Rank and descriptor pointer of an unranked memref.
    pub(crate) fn unranked(&mut self, value: Value) -> Result<(Index, clif::Value), Failed> {
        match *self.get(value)? {
            Lowered::Unranked { rank, descriptor } => Ok((rank, descriptor)),
            _ => Err(self.unsupported_value(value)),
        }
    }

    // Types.

    /// How values of `ty` are held, if they are supported.
    pub(crate) fn repr_of_type(&mut self, ty: Type) -> Option<Repr> {
        let context = self.context;
        self.reprs
            .entry(ty)
            .or_insert_with(|| Repr::of(context, ty))
            .clone()
    }

    /// How `value` is held; reports unsupported types.
    pub(crate) fn repr(&mut self, value: Value) -> Result<Repr, Failed> {
        let mut ty = self.ir.value_type(value);
        if self.vector.in_element && is_vector(self.context, ty) {
            ty = self.context.element_type_or_self(ty);
        }
        self.repr_of_type(ty)
            .ok_or_else(|| self.unsupported_value(value))
    }

    /// The scalar type of `value`; reports others.
    pub(crate) fn scalar_type(&mut self, value: Value) -> Result<Scalar, Failed> {
        match self.repr(value)? {
            Repr::Scalar(scalar) => Ok(scalar),
            _ => Err(self.unsupported_value(value)),
        }
    }

    /// The scalar type of the first result of `op`.
    pub(crate) fn result_type(&mut self, op: Op) -> Result<Scalar, Failed> {
        self.scalar_type(self.ir.result(op, 0))
    }

    /// What the type of a ranked memref says.
    pub(crate) fn layout(&mut self, value: Value) -> Result<Rc<Layout>, Failed> {
        match self.repr(value)? {
            Repr::MemRef(layout) => Ok(layout),
            _ => Err(self.unsupported_value(value)),
        }
    }

    // Reports.

    /// Reports `'op' op message`.
    pub(crate) fn op_error(&mut self, op: Op, message: &str) -> Failed {
        let message = format!("'{}' op {message}", self.ir.op_name(op));
        self.diagnostics.error(self.ir.loc(op), message)
    }

    /// Reports that this operation is not supported on this type.
    pub(crate) fn unsupported_on(&mut self, op: Op, ty: Type) -> Failed {
        let reason = why_no_code_for(self.context, ty);
        let ty = freehold_frontend::syntax::printer::type_to_string(self.context, ty);
        self.op_error(
            op,
            &format!("cannot be lowered to native code on type '{ty}'{reason}"),
        )
    }

    /// Reports that the type of `value` is not supported.
    pub(crate) fn unsupported_value(&mut self, value: Value) -> Failed {
        let (loc, ty) = (self.ir.value_loc(value), self.ir.value_type(value));
        match self.ir.defining_op(value) {
            Some(op) => self.unsupported_on(op, ty),
            None => unsupported_type(self.context, loc, ty, self.diagnostics),
        }
    }

    // Blocks.

    /// Records what `block` became.
    pub(crate) fn set_block(&mut self, block: Block, lowered: clif::Block) {
        self.blocks.insert(block, lowered);
    }

    /// The CLIF block of a reachable block.
    pub(crate) fn clif_block(&self, block: Block) -> clif::Block {
        let block = self.blocks.get(&block).copied();
        block.expect("blocks are created before they are lowered")
    }

    // References.

    /// A function of the program, to be called.
    pub(crate) fn function_ref(&mut self, id: FunctionId) -> clif::FuncRef {
        self.symbols.function(self.b.func, id)
    }

    /// The address of a function of the program.
    pub(crate) fn function_address(&mut self, id: FunctionId) -> clif::Value {
        let reference = self.symbols.addressed_function(self.b.func, id);
        self.b.ins().func_addr(types::I64, reference)
    }

    /// A function of the C library or the runtime.
    pub(crate) fn external_ref(&mut self, external: &'static External) -> clif::FuncRef {
        self.symbols.external(self.b.func, external)
    }

    /// The address of a global.
    pub(crate) fn global_address(&mut self, id: GlobalId) -> clif::Value {
        let global = self.symbols.global(self.b.func, id);
        self.b.ins().symbol_value(types::I64, global)
    }

    /// The address of constant data that only this function refers to.
    pub(crate) fn local_data(&mut self, data: LocalData) -> clif::Value {
        let symbol = self.symbols.local_data(self.b.func, data);
        self.b.ins().symbol_value(types::I64, symbol)
    }

    /// The address of the runtime's description of `loc`, or null.
    pub(crate) fn site(&mut self, loc: Loc) -> clif::Value {
        match self.symbols.site(self.b.func, loc) {
            Some(symbol) => self.b.ins().symbol_value(types::I64, symbol),
            None => self.b.ins().iconst(types::I64, 0),
        }
    }
}
