//! Lowers one function: its blocks in an order in which definitions come before
//! uses, and every operation through the table of its dialect.
//!
//! MLIR's blocks become CLIF blocks and its block arguments CLIF block
//! parameters, so SSA form is kept as it is. Blocks that cannot be reached are
//! left out.

use std::rc::Rc;

use cranelift_codegen::ir::{
    self as clif, ExtFuncData, ExternalName, GlobalValueData, InstBuilder, SourceLoc, TrapCode,
    UserExternalName, types,
};
use cranelift_entity::{EntityRef, SecondaryMap};
use cranelift_frontend::FunctionBuilder;
use freehold_frontend::diag::{Diagnostics, Failed};
use freehold_frontend::dialects::vector::is_vector;
use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Block, Op, Value};
use freehold_frontend::ir::location::Loc;
use freehold_frontend::ir::types::Type;
use rustc_hash::FxHashMap;

use super::frame::FramePlan;
use super::integer::Sign;
use super::value::{Descriptor, Index, Lowered};
use super::vector::{ActiveMask, Parts};
use super::{lowering_of, unsupported_op};
use crate::abi::FunctionAbi;
use crate::compile::{LocalData, References, namespace};
use crate::external::External;
use crate::isa::Purpose;
use crate::program::{Function, FunctionId, GlobalId, Linkage, Program, unsupported_type};
use crate::repr::{Layout, Repr, Scalar};

/// Traps where control cannot come.
pub(crate) const TRAP_UNREACHABLE: TrapCode = TrapCode::unwrap_user(1);

/// CLIF numbers the parameters of a block in 16 bits.
pub(crate) const MAX_PARAMS: usize = 60_000;

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
    /// What the code refers to outside of the function.
    pub(crate) references: &'a mut References,
    /// Reports.
    pub(crate) diagnostics: &'a mut Diagnostics,
    values: SecondaryMap<Value, Option<Lowered>>,
    blocks: SecondaryMap<Block, Option<clif::Block>>,
    reprs: FxHashMap<Type, Option<Repr>>,
    function_refs: FxHashMap<FunctionId, clif::FuncRef>,
    global_refs: FxHashMap<GlobalId, clif::GlobalValue>,
    external_refs: FxHashMap<&'static str, clif::FuncRef>,
    /// The memory that each allocation has for itself, if it has.
    pub(super) alias_regions: FxHashMap<Op, Option<clif::AliasRegion>>,
    /// Whether vector operands stand for one of their elements at the moment.
    pub(super) in_element: bool,
    /// Which elements an operation inside of `vector.mask` works on.
    pub(super) active_mask: Option<ActiveMask>,
    /// Integers in vectors that were loaded with twice as many bits as well.
    pub(super) wide_loads: FxHashMap<Value, (Sign, Parts)>,
    /// Memory for accesses that are left out.
    pub(super) scratch_slot: Option<clif::StackSlot>,
    /// Slots for structs of results, by size.
    pub(super) results_slots: FxHashMap<u32, clif::StackSlot>,
}

impl<'a, 'f> Lowering<'a, 'f> {
    /// Prepares to lower `function`, whose body is in `ir`, into `b`.
    pub(crate) fn new(
        program: &'a Program<'a>,
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
            references,
            diagnostics,
            values: SecondaryMap::with_capacity(ir.n_values()),
            blocks: SecondaryMap::with_capacity(ir.n_blocks()),
            reprs: FxHashMap::default(),
            function_refs: FxHashMap::default(),
            global_refs: FxHashMap::default(),
            external_refs: FxHashMap::default(),
            alias_regions: FxHashMap::default(),
            in_element: false,
            active_mask: None,
            wide_loads: FxHashMap::default(),
            scratch_slot: None,
            results_slots: FxHashMap::default(),
        }
    }

    /// Lowers the body of the function `function`.
    pub(crate) fn lower_body(&mut self, function: &Function<'_>) -> Result<(), Failed> {
        let entry = self
            .ir
            .root_block()
            .expect("only functions with a body are lowered");
        let order = reverse_postorder(self.ir, entry);
        self.frame = FramePlan::of(self.ir, &order);
        let mut result = self.create_blocks(&order);
        let entry_block = self.clif_block(entry);
        self.b.append_block_params_for_function_params(entry_block);
        self.b.switch_to_block(entry_block);
        self.receive_arguments(function, entry_block);
        self.open_frame();
        for &block in &order {
            if block != entry {
                let clif_block = self.clif_block(block);
                self.b.switch_to_block(clif_block);
            }
            for op in self.ir.ops_in(block) {
                self.b.set_srcloc(SourceLoc::new(op.index() as u32));
                result = result.and(self.lower_op(op));
            }
            if !self.is_terminated() {
                // Only after an error.
                self.b.ins().trap(TRAP_UNREACHABLE);
            }
        }
        self.b.seal_all_blocks();
        result
    }

    /// Lowers one operation.
    pub(crate) fn lower_op(&mut self, op: Op) -> Result<(), Failed> {
        let lowered = match lowering_of(self.ir.def(op)) {
            Some(_) if self.is_elementwise_on_vectors(op) => self.lower_elementwise(op),
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

    /// Whether the current block has its terminator.
    fn is_terminated(&self) -> bool {
        let Some(block) = self.b.current_block() else {
            return true;
        };
        let last = self.b.func.layout.last_inst(block);
        last.is_some_and(|inst| self.b.func.dfg.insts[inst].opcode().is_terminator())
    }

    /// Creates all blocks and what their arguments become. The entry block gets
    /// the parameters of the function instead.
    fn create_blocks(&mut self, order: &[Block]) -> Result<(), Failed> {
        let mut result = Ok(());
        for (i, &block) in order.iter().enumerate() {
            let clif_block = self.b.create_block();
            self.blocks[block] = Some(clif_block);
            if i == 0 {
                continue;
            }
            for &argument in self.ir.block_args(block) {
                let Some(repr) = self.repr_of_type(self.ir.value_type(argument)) else {
                    result = Err(self.unsupported_value(argument));
                    self.set(argument, Lowered::Missing);
                    continue;
                };
                let types = self.block_param_types(&repr);
                if self.b.func.dfg.num_block_params(clif_block) + types.len() > MAX_PARAMS {
                    let loc = self.ir.value_loc(argument);
                    result = Err(self.diagnostics.error(loc, "block has too many arguments"));
                    self.set(argument, Lowered::Missing);
                    continue;
                }
                let params: Vec<clif::Value> = types
                    .into_iter()
                    .map(|ty| self.b.append_block_param(clif_block, ty))
                    .collect();
                let lowered = self.with_block_params(&repr, &params);
                self.set(argument, lowered);
            }
        }
        result
    }

    /// Makes the arguments of the function out of its parameters.
    fn receive_arguments(&mut self, function: &Function<'_>, entry: clif::Block) {
        let mut params = self.b.block_params(entry).to_vec();
        if self.abi.indirect {
            self.result_pointer = Some(params.remove(0));
        }
        let arguments = self.received(function.inputs, &params);
        let block = self.ir.root_block().expect("the function has a body");
        for (&argument, lowered) in self.ir.block_args(block).iter().zip(arguments) {
            self.set(argument, lowered);
        }
    }

    // Values.

    /// Records what `value` became.
    pub(crate) fn set(&mut self, value: Value, lowered: Lowered) {
        self.values[value] = Some(lowered);
    }

    /// Records the scalar that the only result of `op` became.
    pub(crate) fn set_result(&mut self, op: Op, value: clif::Value) {
        self.set(self.ir.result(op, 0), Lowered::Scalar(value));
    }

    /// What `value` became.
    pub(crate) fn get(&self, value: Value) -> Result<&Lowered, Failed> {
        match &self.values[value] {
            // An error was reported where it is defined.
            None | Some(Lowered::Missing) => Err(Failed),
            Some(lowered) => Ok(lowered),
        }
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
        if self.in_element && is_vector(self.context, ty) {
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
        let ty = freehold_frontend::syntax::printer::type_to_string(self.context, ty);
        self.op_error(
            op,
            &format!("cannot be lowered to native code on type '{ty}'"),
        )
    }

    /// Reports that the type of `value` is not supported.
    fn unsupported_value(&mut self, value: Value) -> Failed {
        let (loc, ty) = (self.ir.value_loc(value), self.ir.value_type(value));
        match self.ir.defining_op(value) {
            Some(op) => self.unsupported_on(op, ty),
            None => unsupported_type(self.context, loc, ty, self.diagnostics),
        }
    }

    // References.

    /// The CLIF block of a reachable block.
    pub(crate) fn clif_block(&self, block: Block) -> clif::Block {
        self.blocks[block].expect("blocks are created before they are lowered")
    }

    /// Whether near code can be called with a short relocation.
    fn is_near(&self, linkage: Linkage) -> bool {
        match self.program.purpose {
            // All code of the JIT is in one piece; the C library may be far.
            Purpose::Jit => linkage != Linkage::Import,
            // Linkers make calls of imports and of preemptible functions go through the PLT.
            Purpose::Object { .. } => true,
        }
    }

    fn import(
        &mut self,
        namespace: u32,
        index: u32,
        signature: clif::Signature,
        colocated: bool,
    ) -> clif::FuncRef {
        let func = &mut *self.b.func;
        let name = func.declare_imported_user_function(UserExternalName { namespace, index });
        let signature = func.import_signature(signature);
        func.import_function(ExtFuncData {
            name: ExternalName::user(name),
            signature,
            colocated,
            patchable: false,
        })
    }

    /// A function of the program, to be called.
    pub(crate) fn function_ref(&mut self, id: FunctionId) -> clif::FuncRef {
        if let Some(&known) = self.function_refs.get(&id) {
            return known;
        }
        let function = &self.program.functions[id];
        let near = self.is_near(function.linkage);
        let signature = function.abi.signature.clone();
        let reference = self.import(namespace::FUNCTION, id.as_u32(), signature, near);
        self.function_refs.insert(id, reference);
        reference
    }

    /// The address of a function of the program.
    pub(crate) fn function_address(&mut self, id: FunctionId) -> clif::Value {
        let function = &self.program.functions[id];
        let near = function.linkage == Linkage::Local;
        let signature = function.abi.signature.clone();
        let reference = self.import(namespace::FUNCTION, id.as_u32(), signature, near);
        self.b.ins().func_addr(types::I64, reference)
    }

    /// A function of the C library or the runtime.
    pub(crate) fn external_ref(&mut self, external: &'static External) -> clif::FuncRef {
        if let Some(&known) = self.external_refs.get(external.name) {
            return known;
        }
        let index = self.references.external(external);
        let abi = FunctionAbi::plain(self.program.call_conv(), external.params, external.results);
        let near = self.is_near(Linkage::Import);
        let reference = self.import(namespace::EXTERNAL, index, abi.signature, near);
        self.external_refs.insert(external.name, reference);
        reference
    }

    /// The address of a global.
    pub(crate) fn global_address(&mut self, id: GlobalId) -> clif::Value {
        let global = match self.global_refs.get(&id) {
            Some(&known) => known,
            None => {
                let near = self.program.globals[id].linkage == Linkage::Local
                    && self.program.purpose != Purpose::Jit;
                let global = self.symbol(namespace::GLOBAL, id.as_u32(), near);
                self.global_refs.insert(id, global);
                global
            }
        };
        self.b.ins().symbol_value(types::I64, global)
    }

    /// The address of constant data that only this function refers to.
    pub(crate) fn local_data(&mut self, data: LocalData) -> clif::Value {
        let index = self.references.data(data);
        let near = self.program.purpose != Purpose::Jit;
        let symbol = self.symbol(namespace::LOCAL_DATA, index, near);
        self.b.ins().symbol_value(types::I64, symbol)
    }

    fn symbol(&mut self, namespace: u32, index: u32, colocated: bool) -> clif::GlobalValue {
        let func = &mut *self.b.func;
        let name = func.declare_imported_user_function(UserExternalName { namespace, index });
        func.create_global_value(GlobalValueData::Symbol {
            name: ExternalName::user(name),
            offset: 0.into(),
            colocated,
            tls: false,
        })
    }

    /// The address of the runtime's description of `loc`, or null.
    pub(crate) fn site(&mut self, loc: Loc) -> clif::Value {
        match self.references.site(self.context, loc) {
            Some(index) => {
                let near = self.program.purpose != Purpose::Jit;
                let symbol = self.symbol(namespace::LOCAL_DATA, index, near);
                self.b.ins().symbol_value(types::I64, symbol)
            }
            None => self.b.ins().iconst(types::I64, 0),
        }
    }
}

/// The blocks reachable from `entry`, each before the blocks it dominates.
fn reverse_postorder(ir: &Ir, entry: Block) -> Vec<Block> {
    let mut visited: SecondaryMap<Block, bool> = SecondaryMap::with_capacity(ir.n_blocks());
    let mut order = Vec::new();
    let mut stack = vec![(entry, 0)];
    visited[entry] = true;
    while let Some((block, next)) = stack.last_mut() {
        match ir.block_successors(*block).get(*next) {
            Some(&successor) => {
                *next += 1;
                if !visited[successor] {
                    visited[successor] = true;
                    stack.push((successor, 0));
                }
            }
            None => {
                order.push(*block);
                stack.pop();
            }
        }
    }
    order.reverse();
    order
}
