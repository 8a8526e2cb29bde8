//! `func`: calls, returns and function addresses.

use cranelift_codegen::ir::{self as clif, InstBuilder, MemFlagsData, types};
use freehold_frontend::dialects::func;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::types::{Type, TypeKind};

use super::calls::Target;
use super::function::Lowering;
use super::function::LoweringTable;
use super::held::{Index, Lowered};
use crate::abi::{C_INTERFACE_PREFIX, CELL, FunctionAbi};
use crate::external;
use crate::options::AllocMode;
use crate::program::{AsyncBody, Body, FunctionId, unsupported_type};
use crate::repr::Repr;

/// The lowerings of this dialect. `func.func` itself is not an operation of a body.
pub(super) static TABLE: LoweringTable = &[
    (&func::CALL, lower_call),
    (&func::CALL_INDIRECT, lower_call_indirect),
    (&func::CONSTANT, lower_constant),
    (&func::RETURN, lower_return),
];

impl Lowering<'_, '_> {
    /// The parameters that pass `operands`.
    fn arguments(&mut self, operands: &[Value]) -> Result<Vec<clif::Value>, Failed> {
        let mut args = Vec::new();
        for &operand in operands {
            let repr = self.repr(operand)?;
            let value = self.get(operand)?.clone();
            self.push_arguments(&value, &repr, &mut args);
        }
        Ok(args)
    }

    fn call(
        &mut self,
        op: Op,
        target: Target,
        abi: &FunctionAbi,
        operands: &[Value],
    ) -> Result<(), Failed> {
        let args = self.arguments(operands)?;
        let results = self.ir.results(op);
        let tys: Vec<Type> = results.iter().map(|&v| self.ir.value_type(v)).collect();
        let lowered = self.call_function(target, abi, &tys, args);
        for (&result, mut lowered) in results.iter().zip(lowered) {
            if let Lowered::Unranked { rank, descriptor } = lowered {
                lowered = self.receive_unranked(op, rank, descriptor);
            }
            self.set(result, lowered);
        }
        Ok(())
    }

    /// Lets the runtime call `part` with parts of the range that `op` passes first.
    fn call_in_parallel(&mut self, op: Op, part: FunctionId) -> Result<(), Failed> {
        let args = self.arguments(self.ir.operands(op))?;
        let (range, others) = args.split_at(2);
        let context = self.store_arguments(others);
        let part = self.function_address(part);
        let threads = i64::from(self.program.threads);
        let threads = self.b.ins().iconst(types::I64, threads);
        self.call_external(
            &external::PARALLEL,
            &[part, context, range[0], range[1], threads],
        );
        Ok(())
    }

    /// Puts arguments into stack memory and returns its address.
    fn store_arguments(&mut self, args: &[clif::Value]) -> clif::Value {
        let slot = self.stack_slot(CELL * args.len().max(1) as u32);
        let context = self.b.ins().stack_addr(types::I64, slot, 0);
        for (i, &argument) in args.iter().enumerate() {
            let offset = CELL as i32 * i as i32;
            let flags = MemFlagsData::trusted();
            self.b.ins().store(flags, argument, context, offset);
        }
        context
    }

    /// Lets the runtime run `body` with a copy of the arguments, now or later.
    fn call_later(
        &mut self,
        op: Op,
        AsyncBody { body, may_wait }: AsyncBody,
    ) -> Result<(), Failed> {
        let args = self.arguments(self.ir.operands(op))?;
        let context = self.store_arguments(&args);
        let body = self.function_address(body);
        let number = |value: u32| i64::from(value);
        let size = number(CELL * args.len() as u32);
        let size = self.b.ins().iconst(types::I64, size);
        let threads = number(self.program.threads);
        let threads = self.b.ins().iconst(types::I64, threads);
        let may_wait = self.b.ins().iconst(types::I64, i64::from(may_wait));
        let args = [body, context, size, threads, may_wait];
        let token = self.call_external1(&external::ASYNC_START, &args);
        self.set(self.ir.result(op, 0), Lowered::Scalar(token));
        Ok(())
    }

    /// The callee returned a descriptor on the heap: moves it to the frame.
    fn receive_unranked(&mut self, op: Op, rank: Index, descriptor: clif::Value) -> Lowered {
        let size = self.descriptor_bytes(rank);
        let own = self.frame_memory(op, size, 8);
        self.copy_bytes(own, descriptor, size);
        self.call_external(&external::FREE, &[descriptor]);
        Lowered::Unranked {
            rank,
            descriptor: own,
        }
    }

    /// The descriptor lives in this frame: copies it to the heap for the caller.
    fn return_unranked(&mut self, rank: Index, descriptor: clif::Value) -> Lowered {
        let size = self.descriptor_bytes(rank);
        let copy = self.allocate(size);
        self.copy_bytes(copy, descriptor, size);
        Lowered::Unranked {
            rank,
            descriptor: copy,
        }
    }

    /// In checking mode, tells the runtime of buffers that foreign code returned.
    fn announce_foreign_results(&mut self, op: Op) -> Result<(), Failed> {
        let site = self.site(self.ir.loc(op));
        for &result in self.ir.results(op) {
            let allocated = match self.get(result)? {
                Lowered::MemRef(descriptor) => {
                    let allocated = descriptor.allocated;
                    self.index_value(allocated)
                }
                &Lowered::Unranked { descriptor, .. } => {
                    let flags = MemFlagsData::trusted();
                    self.b.ins().load(types::I64, flags, descriptor, 0)
                }
                _ => continue,
            };
            self.call_external(&external::CHECK_FOREIGN_RESULT, &[allocated, site]);
        }
        Ok(())
    }
}

fn lower_call(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    let view = func::Call::cast(cx.ir, op).expect("the table maps this row to this function");
    let Some(id) = cx.program.function(view.callee_name(cx.ir)) else {
        let message = format!("refers to unknown function '{}'", view.callee_name(cx.ir));
        return Err(cx.op_error(op, &message));
    };
    if let Some(part) = cx.program.parallel_part(id) {
        return cx.call_in_parallel(op, part);
    }
    if let Some(body) = cx.program.async_body(id) {
        return cx.call_later(op, body);
    }
    let function = cx.function_ref(id);
    let program = cx.program;
    let callee = &program.functions[id];
    cx.call(
        op,
        Target::Direct(function),
        &callee.abi,
        cx.ir.operands(op),
    )?;
    // Memory lent by the runtime is not an allocation.
    let lends_scratch = external::TAKE_SCRATCH
        .name
        .strip_prefix(C_INTERFACE_PREFIX)
        .is_some_and(|name| callee.link_name == name);
    let is_foreign = !matches!(callee.body, Body::Definition(_)) && !lends_scratch;
    if is_foreign && program.mode == AllocMode::Checking {
        cx.announce_foreign_results(op)?;
    }
    Ok(())
}

fn lower_call_indirect(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    let callee = cx.ir.operand(op, 0);
    let context = cx.context;
    let TypeKind::Function { inputs, results } = context.type_kind(cx.ir.value_type(callee)) else {
        return Err(cx.unsupported_on(op, cx.ir.value_type(callee)));
    };
    let address = cx.scalar(callee)?;
    let abi = match cx.program.abi_of(inputs, results) {
        Ok(abi) => abi,
        Err(ty) => return Err(unsupported_type(context, cx.ir.loc(op), ty, cx.diagnostics)),
    };
    cx.call(
        op,
        Target::Indirect(address),
        &abi,
        &cx.ir.operands(op)[1..],
    )
}

fn lower_constant(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    let view = func::Constant::cast(cx.ir, op).expect("the table maps this row to this function");
    let Some(id) = cx.program.function(view.function_name(cx.ir)) else {
        let message = format!("refers to unknown function '{}'", view.function_name(cx.ir));
        return Err(cx.op_error(op, &message));
    };
    let address = cx.function_address(id);
    cx.set_result(op, address);
    Ok(())
}

fn lower_return(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    let mut values: Vec<(Lowered, Repr)> = Vec::new();
    for &operand in cx.ir.operands(op) {
        let repr = cx.repr(operand)?;
        let mut value = cx.get(operand)?.clone();
        if let Lowered::Unranked { rank, descriptor } = value {
            value = cx.return_unranked(rank, descriptor);
        }
        values.push((value, repr));
    }
    cx.return_values(&values);
    Ok(())
}
