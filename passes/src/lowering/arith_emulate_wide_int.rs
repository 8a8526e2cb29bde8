//! `arith-emulate-wide-int`: integers that are twice as wide as what a target has are pairs of halves, in arithmetic and
//! wherever functions and control flow pass them on.
//!
//! Before (with `widest-int-supported=32`):
//! ```mlir
//! func.func @f(%x: i64, %y: i64) -> i64 {
//!   %0 = arith.ori %x, %y : i64
//!   return %0 : i64
//! }
//! ```
//! After:
//! ```mlir
//! func.func @f(%x: vector<2xi32>, %y: vector<2xi32>) -> vector<2xi32> {
//!   %a = vector.extract %x[0] : i32 from vector<2xi32>
//!   ...
//!   return %0 : vector<2xi32>
//! }
//! ```
//!
//! As with upstream's pass, functions take and return pairs, and arithmetic that is not emulated is an error. Unlike upstream's,
//! branches and loops pass pairs on; functions of the llvm dialect without such arithmetic stay. Where pairs would mean something else, which upstream's output hides, it is an error:
//! `vector.print` would print halves, and functions that are only declared are code that expects whole integers.

use freehold_frontend::dialects::{cf, func, llvm, scf};
use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::{Block, Op, Value};
use freehold_frontend::ir::location::Loc;
use freehold_frontend::ir::op_def::OpDef;
use freehold_frontend::ir::types::{Type, TypeKind};
use freehold_frontend::syntax::printer::type_to_string;

use super::memref_emulate_wide_int::{Width, can_be_halved, is_wide, not_halved};
use crate::manage::options::pass_options;
use crate::manage::pass::{Anchor, PassContext, PassDef};
use crate::rewrite::functions;
use crate::rewrite::halves::{self, Halves};
use crate::rewrite::signature::Signature;

pass_options! {
    /// Options of the pass.
    pub struct Options {
        /// bits of the widest integers that stay as they are: 8, 16, 32 or 64
        "widest-int-supported" widest: Width = Width(32),
    }
}

/// The pass.
pub static PASS: PassDef<Options> = PassDef {
    name: "arith-emulate-wide-int",
    summary: "make wide integers pairs of halves",
    anchor: Anchor::Module,
    run,
};

/// Operations that only pass values on.
static CARRIERS: &[&OpDef] = &[
    &cf::BR,
    &cf::COND_BR,
    &cf::SWITCH,
    &func::CALL,
    &func::FUNC,
    &func::RETURN,
    &scf::CONDITION,
    &scf::EXECUTE_REGION,
    &scf::FOR,
    &scf::IF,
    &scf::INDEX_SWITCH,
    &scf::WHILE,
    &scf::YIELD,
];

fn run(ir: &mut Ir, context: &mut PassContext<'_, Options>) -> Result<(), Failed> {
    let bits = context.options.widest.0;
    if let Some((loc, message)) = reason_against(ir, bits) {
        return Err(context.diagnostics.error(loc, message));
    }
    let n_emulated = emulate(ir, bits);
    context.count("operations emulated", n_emulated);
    Ok(())
}

/// Whether a value of this type is or consists of integers of more than `bits` bits. Buffers and tensors stay as they are.
fn is_wide_number(context: &Context, ty: Type, bits: u32) -> bool {
    match context.type_kind(ty) {
        TypeKind::Function { inputs, results } => {
            (inputs.iter().chain(results)).any(|&ty| is_wide_number(context, ty, bits))
        }
        TypeKind::MemRef(_) | TypeKind::UnrankedMemRef { .. } => false,
        _ => is_wide(context, ty, bits),
    }
}

/// Emulates all of an arena and of those inside of it, and says how many operations were emulated.
fn emulate(ir: &mut Ir, bits: u32) -> u64 {
    let nested = functions::stubs(ir, |ir, op| {
        ir.nested(op).is_some_and(|nested| !stays(nested, bits))
    });
    let inside = functions::map_nested(ir, nested, false, |ir| emulate(ir, bits));
    let context = ir.context().clone();
    let pair = |ty| match is_wide_number(&context, ty, bits) {
        true => halves::pair_type(&context, ty, bits),
        false => ty,
    };
    if let Some(mut signature) = Signature::of(ir, ir.root()) {
        let types = signature.inputs.iter_mut().chain(&mut signature.results);
        types.for_each(|(ty, _)| *ty = pair(*ty));
        let root = ir.root();
        signature.store(ir, root);
    }
    let mut carried = Vec::new();
    let mut emulated = Vec::new();
    for op in ir.collect_ops(ir.root()) {
        carried.extend(arguments(ir, op));
        if is_arithmetic(ir, op, bits) {
            // As they are: those that are rewritten before have others.
            let types = ir.operands(op).iter().map(|&value| ir.value_type(value));
            emulated.push((op, types.collect::<Vec<Type>>()));
        } else {
            carried.extend(ir.results(op).iter().copied());
        }
    }
    for value in carried {
        let (ty, new) = (ir.value_type(value), pair(ir.value_type(value)));
        if new != ty {
            ir.set_value_type(value, new);
        }
    }
    let n_emulated = emulated.len() as u64;
    for (op, types) in emulated {
        let values = Halves { bits }.emulate(ir, op, &types);
        ir.replace_op(op, &values);
    }
    n_emulated + inside.into_iter().sum::<u64>()
}

/// Whether a function of the llvm dialect has no arithmetic to emulate. It stays: who calls it with wide integers is told.
fn stays(ir: &Ir, bits: u32) -> bool {
    ir.is(ir.root(), &llvm::FUNC) && !ir.walk(ir.root()).any(|op| is_arithmetic(ir, op, bits))
}

/// The arguments of the blocks of an operation.
fn arguments(ir: &Ir, op: Op) -> Vec<Value> {
    let regions = ir.regions(op).iter();
    let blocks: Vec<Block> = regions.flat_map(|&region| ir.blocks_in(region)).collect();
    (blocks.iter())
        .flat_map(|&block| ir.block_args(block))
        .copied()
        .collect()
}

/// Whether an operation computes with wide integers.
fn is_arithmetic(ir: &Ir, op: Op, bits: u32) -> bool {
    ir.def(op).dialect() == "arith"
        && (ir.operands(op).iter())
            .chain(ir.results(op))
            .any(|&value| is_wide_number(ir.context(), ir.value_type(value), bits))
}

/// The first operation, here or inside, that keeps the program from being emulated, and why.
fn reason_against(ir: &Ir, bits: u32) -> Option<(Loc, String)> {
    ir.walk(ir.root()).find_map(|op| match ir.nested(op) {
        Some(nested) if stays(nested, bits) => None,
        Some(nested) => reason_against(nested, bits),
        None => Some((ir.loc(op), reason_against_op(ir, op, bits)?)),
    })
}

fn reason_against_op(ir: &Ir, op: Op, bits: u32) -> Option<String> {
    let context = ir.context();
    let name = ir.op_name(op);
    let wide = |&ty: &Type| is_wide_number(context, ty, bits);
    let declared = Signature::of(ir, op).map_or_else(Vec::new, |signature| {
        let values = signature.inputs.into_iter().chain(signature.results);
        values.map(|(ty, _)| ty).filter(wide).collect()
    });
    if let Some(&ty) = declared.first()
        && ir.root_block().is_none()
    {
        return Some(format!(
            "'{name}' op is only declared: what '{}' stands for expects {} and not halves",
            ir.symbol_name(op).unwrap_or_default(),
            type_to_string(context, ty)
        ));
    }
    let values = ir.operands(op).iter().chain(ir.results(op)).copied();
    let types: Vec<Type> = (values.chain(arguments(ir, op)))
        .map(|value| ir.value_type(value))
        .chain(declared)
        .filter(wide)
        .collect();
    let &first = types.first()?;
    if is_arithmetic(ir, op, bits) {
        if let Err(reason) = (Halves { bits }).can_emulate(ir, op) {
            return Some(format!("'{name}' op cannot be emulated: {reason}"));
        }
    } else if !CARRIERS.iter().any(|def| ir.is(op, def)) || reads_wide(ir, op, bits) {
        return Some(format!(
            "'{name}' op works on a value of type {}, which '{}' does not change there",
            type_to_string(context, first),
            PASS.name
        ));
    }
    let ty = types
        .into_iter()
        .find(|&ty| !can_be_halved(context, ty, bits))?;
    Some(not_halved(ir, op, ty, bits))
}

/// Whether an operation that passes values on reads a wide one, too: the bounds of a loop or the flag of a switch.
fn reads_wide(ir: &Ir, op: Op, bits: u32) -> bool {
    let reads_first = ir.is(op, &scf::FOR) || ir.is(op, &cf::SWITCH);
    reads_first && is_wide_number(ir.context(), ir.value_type(ir.operand(op, 0)), bits)
}
