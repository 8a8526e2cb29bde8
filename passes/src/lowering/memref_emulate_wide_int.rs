//! `memref-emulate-wide-int`: buffers of integers that are twice as wide as what a target has hold pairs of halves, and
//! arithmetic on loaded values works on the halves.
//!
//! Before (with `widest-int-supported=32`):
//! ```mlir
//! %m = memref.alloc() : memref<4xi64>
//! memref.store %x, %m[%i] : memref<4xi64>
//! %y = memref.load %m[%i] : memref<4xi64>
//! %z = arith.trunci %y : i64 to i32
//! ```
//! After:
//! ```mlir
//! %m = memref.alloc() : memref<4xvector<2xi32>>
//! memref.store %x, %m[%i] : memref<4xvector<2xi32>>
//! %y = memref.load %m[%i] : memref<4xvector<2xi32>>
//! %z = vector.extract %y[0] : i32 from vector<2xi32>
//! ```
//!
//! As upstream's pass, it changes operations of arith and memref: a wide integer or buffer that another operation makes or
//! takes (a function's argument, a loop's value) is an error, and so is arithmetic that is not emulated. Unlike upstream's,
//! it takes the other operations of memref on such buffers (`dealloc`, `dim`, `subview`), and it keeps the upper half in
//! casts from and to `index`, which has 64 bits, and shifts by zero are defined. Conversions to floats that would round twice are errors.

use freehold_frontend::dialects::{arith, memref};
use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::{Op, Value, ValueDef};
use freehold_frontend::ir::op_def::OpDef;
use freehold_frontend::ir::types::{Signedness, Type, TypeKind};
use freehold_frontend::syntax::printer::type_to_string;
use rustc_hash::FxHashSet;

use crate::manage::options::{OptionKind, OptionValue, pass_options};
use crate::manage::pass::{Anchor, PassContext, PassDef};
use crate::rewrite::halves::{self, Halves};

/// The width of a half.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Width(pub(super) u32);

impl OptionValue for Width {
    const KIND: OptionKind = OptionKind::Other("8, 16, 32 or 64");

    fn read(text: &str) -> Option<Self> {
        let bits = text.parse().ok()?;
        matches!(bits, 8 | 16 | 32 | 64).then_some(Self(bits))
    }

    fn text(&self) -> String {
        self.0.to_string()
    }
}

pass_options! {
    /// Options of the pass.
    pub struct Options {
        /// bits of the widest integers that stay as they are: 8, 16, 32 or 64
        "widest-int-supported" widest: Width = Width(32),
    }
}

/// The pass.
pub static PASS: PassDef<Options> = PassDef {
    name: "memref-emulate-wide-int",
    summary: "let buffers of wide integers hold pairs of halves",
    anchor: Anchor::Function,
    run,
};

/// Operations that keep what they do, whatever is in the buffer.
static OF_BUFFERS: &[&OpDef] = &[
    &memref::ALLOC,
    &memref::ALLOCA,
    &memref::ASSUME_ALIGNMENT,
    &memref::CAST,
    &memref::COLLAPSE_SHAPE,
    &memref::COPY,
    &memref::DEALLOC,
    &memref::DIM,
    &memref::EXPAND_SHAPE,
    &memref::EXTRACT_STRIDED_METADATA,
    &memref::LOAD,
    &memref::MEMORY_SPACE_CAST,
    &memref::PREFETCH,
    &memref::RANK,
    &memref::REALLOC,
    &memref::REINTERPRET_CAST,
    &memref::STORE,
    &memref::SUBVIEW,
    &memref::TRANSPOSE,
];

fn run(ir: &mut Ir, context: &mut PassContext<'_, Options>) -> Result<(), Failed> {
    let bits = context.options.widest.0;
    let ops: Vec<Op> = (ir.walk(ir.root()))
        .filter(|&op| op != ir.root() && is_wide_op(ir, op, bits))
        .collect();
    let emulated: FxHashSet<Op> = ops.iter().copied().collect();
    if let Some((op, message)) = ops
        .iter()
        .find_map(|&op| Some((op, reason_against(ir, op, bits, &emulated)?)))
    {
        return Err(context.diagnostics.error(ir.loc(op), message));
    }
    let halves = Halves { bits };
    // Types of operands as they were: those that are rewritten before have others.
    let ops: Vec<(Op, Vec<Type>)> = ops
        .into_iter()
        .map(|op| {
            let types = ir.operands(op).iter().map(|&value| ir.value_type(value));
            (op, types.collect())
        })
        .collect();
    let n_emulated = ops.len() as u64;
    for (op, types) in ops {
        if is_of_buffers(ir, op) {
            for result in ir.results(op).to_vec() {
                let ty = replaced_type(ir.context(), ir.value_type(result), bits);
                ir.set_value_type(result, ty);
            }
        } else {
            let values = halves.emulate(ir, op, &types);
            ir.replace_op(op, &values);
        }
    }
    context.count("operations emulated", n_emulated);
    Ok(())
}

/// Whether an operation of arith or memref works on integers, or buffers of integers, of more than `bits` bits.
fn is_wide_op(ir: &Ir, op: Op, bits: u32) -> bool {
    matches!(ir.def(op).dialect(), "arith" | "memref")
        && (ir.operands(op).iter())
            .chain(ir.results(op))
            .any(|&value| is_wide(ir.context(), ir.value_type(value), bits))
}

fn is_of_buffers(ir: &Ir, op: Op) -> bool {
    OF_BUFFERS.iter().any(|def| ir.is(op, def))
        || ir.is(op, &arith::SELECT) && ir.is_memref(ir.result(op, 0))
}

/// The type of the integers that a value consists of.
fn integer(context: &Context, ty: Type) -> Type {
    let element = context.element_type_or_self(ty);
    context.element_type_or_self(element)
}

/// Whether a value consists of integers of more than `bits` bits. Tensors stay as they are.
pub(super) fn is_wide(context: &Context, ty: Type, bits: u32) -> bool {
    if is_tensor(context, ty) {
        return false;
    }
    let element = integer(context, ty);
    matches!(context.type_kind(element), TypeKind::Integer { width, .. } if *width > bits)
}

fn is_tensor(context: &Context, ty: Type) -> bool {
    matches!(
        context.type_kind(ty),
        TypeKind::RankedTensor { .. } | TypeKind::UnrankedTensor(_)
    )
}

/// What a type becomes: a vector with one more dimension of two halves, or a buffer of such.
fn replaced_type(context: &Context, ty: Type, bits: u32) -> Type {
    if !is_wide(context, ty, bits) {
        return ty;
    }
    match context.type_kind(ty) {
        TypeKind::MemRef(_) | TypeKind::UnrankedMemRef { .. } => {
            let element = context.element_type_or_self(ty);
            context.with_element_type(ty, halves::pair_type(context, element, bits))
        }
        _ => halves::pair_type(context, ty, bits),
    }
}

/// Why an operation cannot be emulated.
fn reason_against(ir: &Ir, op: Op, bits: u32, emulated: &FxHashSet<Op>) -> Option<String> {
    let context = ir.context();
    let name = ir.op_name(op);
    let pass = PASS.name;
    let text = |ty| type_to_string(context, ty);
    if !is_of_buffers(ir, op)
        && let Err(reason) = (Halves { bits }).can_emulate(ir, op)
    {
        return Some(format!("'{name}' op cannot be emulated: {reason}"));
    }
    for &value in ir.operands(op).iter().chain(ir.results(op)) {
        let ty = ir.value_type(value);
        if is_wide(context, ty, bits) && !can_be_halved(context, ty, bits) {
            return Some(not_halved(ir, op, ty, bits));
        }
    }
    let wide = |&&value: &&Value| is_wide(context, ir.value_type(value), bits);
    for &operand in ir.operands(op).iter().filter(wide) {
        let is_emulated = match ir.value_def(operand) {
            ValueDef::Result(maker, _) => emulated.contains(&maker),
            ValueDef::Argument(..) => false,
        };
        if !is_emulated {
            return Some(format!(
                "'{name}' op takes a value of type {} from outside of what '{pass}' changes",
                text(ir.value_type(operand))
            ));
        }
    }
    for &result in ir.results(op).iter().filter(wide) {
        let user = (ir.uses(result).iter()).find(|user| !emulated.contains(&user.op));
        if let Some(user) = user {
            return Some(format!(
                "'{name}' op makes a value of type {} that '{}' takes, which '{pass}' does not change",
                text(ir.value_type(result)),
                ir.op_name(user.op)
            ));
        }
    }
    None
}

/// That an operation has a value of a type that cannot be halved.
pub(super) fn not_halved(ir: &Ir, op: Op, ty: Type, bits: u32) -> String {
    let (name, ty) = (ir.op_name(op), type_to_string(ir.context(), ty));
    format!("'{name}' op cannot be emulated: {ty} has no halves of {bits} bits")
}

/// Whether the integers that a value consists of have twice as many bits, and how many they are is known.
pub(super) fn can_be_halved(context: &Context, ty: Type, bits: u32) -> bool {
    let is_scalable = |ty| matches!(context.type_kind(ty), TypeKind::Vector { scalable, .. } if scalable.contains(&true));
    let element = context.element_type_or_self(ty);
    let is_right = matches!(
        context.type_kind(integer(context, ty)),
        TypeKind::Integer { width, signedness: Signedness::Signless } if *width == 2 * bits
    );
    is_right && !is_scalable(ty) && !is_scalable(element)
}
