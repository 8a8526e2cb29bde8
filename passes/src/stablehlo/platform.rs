//! What JAX says of the machine that a program is for: how many devices divide its tensors, and the platforms that it
//! was exported for. Entry points of programs for several platforms take the number of one first.

use std::sync::Arc;

use freehold_frontend::dialects::stablehlo::elementwise::CONSTANT;
use freehold_frontend::ir::attrs::{AttrKind, DenseElements};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::{Diagnostics, Failed};
use freehold_frontend::ir::entities::Op;
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::Type;

use crate::rewrite::functions;
use crate::rewrite::signature::Signature;

/// The attributes in which a program says how many devices run it: replicas, and partitions of each.
const COUNTS: [&str; 2] = ["mhlo.num_replicas", "mhlo.num_partitions"];

/// The most devices that threads of one process are.
pub(super) const MAX_DEVICES: usize = 1 << 10;

/// How many replicas of how many partitions a program is for.
pub fn device_counts(ir: &Ir) -> [usize; 2] {
    let context = ir.context();
    COUNTS.map(|name| {
        let n = ir.attr(ir.root(), context.intern_name(name));
        let n = n.and_then(|attr| context.attr_integer(attr));
        n.and_then(|n| usize::try_from(n).ok()).unwrap_or(1).max(1)
    })
}

/// Says how many replicas of how many partitions a program is for.
pub fn set_devices(ir: &mut Ir, counts: [usize; 2]) {
    let context = Arc::clone(ir.context());
    let root = ir.root();
    for (name, n) in COUNTS.into_iter().zip(counts) {
        let n = context.integer_attr(Type::I32, n as i128);
        ir.set_attr(root, context.intern_name(name), n);
    }
}

/// Fails if a program is to be divided among several devices.
///
/// # Errors
/// If it is.
pub fn expect_one_device(ir: &Ir, diagnostics: &mut Diagnostics) -> Result<(), Failed> {
    for (name, n) in COUNTS.into_iter().zip(device_counts(ir)) {
        if n > 1 {
            let message = format!("'{name}' is {n}: programs run on one device here");
            return Err(diagnostics.error(ir.loc(ir.root()), message));
        }
    }
    Ok(())
}

/// What the argument of JAX is called.
const PLATFORM_INDEX: &str = "_platform_index";

/// Gives public functions the number of the processor among `platforms` in the place of their first argument, if that
/// asks for it.
pub fn choose(ir: &mut Ir, platforms: &[String]) {
    let Some(index) = platforms.iter().position(|platform| platform == "cpu") else {
        return;
    };
    for stub in functions::functions(ir) {
        if !ir.is_private(stub) && asks_for_platform(ir, stub) {
            let mut function = ir.take_nested(stub);
            choose_in(&mut function, index);
            ir.put_nested(stub, function);
        }
    }
}

fn asks_for_platform(ir: &Ir, function: Op) -> bool {
    let context = ir.context();
    let Some(signature) = Signature::of(ir, function) else {
        return false;
    };
    let name = context.intern_name("jax.global_constant");
    let constant = signature
        .inputs
        .first()
        .and_then(|&(_, attrs)| context.dict_get(attrs, name));
    constant.and_then(|attr| context.attr_string(attr)) == Some(PLATFORM_INDEX)
}

fn choose_in(function: &mut Ir, index: usize) {
    let root = function.root();
    let Some((mut signature, entry)) = Signature::of(function, root).zip(function.root_block())
    else {
        return;
    };
    let (ty, _) = signature.inputs.remove(0);
    signature.store(function, root);
    let argument = function.block_args(entry)[0];
    if let Some(first) = function.first_op(entry) {
        let context = function.context().clone();
        let width = context
            .integer_width(context.element_type_or_self(ty))
            .unwrap_or(32);
        let bytes = (index as u64).to_le_bytes()[..width.div_ceil(8) as usize].to_vec();
        let value = context.intern_attr(AttrKind::DenseElements(DenseElements {
            ty,
            splat: true,
            bytes: bytes.into(),
        }));
        let mut b = Builder::before(function, first);
        let spec = b.spec(&CONSTANT).results(&[ty]).attr(Name::VALUE, value);
        let constant = b.create(spec);
        let constant = b.ir.result(constant, 0);
        function.replace_all_uses(argument, constant);
    }
    function.remove_block_arg(entry, 0);
}
