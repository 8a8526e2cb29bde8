//! `stablehlo-legalize-called-computations`: calls whose body is a function become linalg, where all functions
//! are at hand: reductions over windows of run-time sizes, with lists of sizes as operands, and the greatest elements that
//! JAX's `approx_max_k` finds.
//!
//! Before:
//! ```mlir
//! %0 = stablehlo.custom_call @stablehlo.dynamic_reduce_window(%x, %init, %sizes, %strides, %ones, %ones, %padding)
//!     {called_computations = [@add]} : (tensor<?xf32>, tensor<f32>, tensor<1xi32>, ...) -> tensor<?xf32>
//! ```
//! After: `iree_linalg_ext.scan` where the window holds all elements up to each one, else `linalg.generic`; a branch if
//! only the run knows. For `ApproxTopK`, the first elements of an `iree_linalg_ext.sort`.

use freehold_frontend::dialects::stablehlo::windows::WindowDimension;
use freehold_frontend::dialects::stablehlo::{elementwise, regions, shapes};
use freehold_frontend::dialects::{arith, scf, tensor};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::cloning::IrMap;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::{DYNAMIC, Type, TypeKind};

use super::body::Body;
use super::build::{as_signless, extract, shape};
use super::moves::to_index;
use super::products::numbers_of;
use super::reductions::{Window, inputs_and_inits, reduce_windows, result_types};
use super::sorting::approx_top_k;
use super::stablehlo_legalize_to_linalg::{Unsupported, replace};
use crate::manage::pass::{Anchor, PassContext, PassDef};
use crate::rewrite::functions;
use crate::rewrite::sizes::{Dim, Sizes, c};

/// The pass.
pub static PASS: PassDef = PassDef {
    name: "stablehlo-legalize-called-computations",
    summary: "turn JAX's calls that have a function as their body into linalg: reductions over windows of run-time sizes, ApproxTopK",
    anchor: Anchor::Module,
    run,
};

/// Lowers a call whose function is in the region of an operation.
type LowerCall = fn(&mut Builder<'_>, Op, &Body) -> Result<Vec<Value>, Unsupported>;

/// The targets of such calls.
const TARGETS: &[(&str, LowerCall)] = &[
    ("ApproxTopK", approx_top_k),
    ("stablehlo.dynamic_reduce_window", reduce_dynamic_windows),
];

/// The operands behind inputs and initial values: sizes, strides, dilations of the operand and of the window, padding.
const N_LISTS: usize = 5;

fn run(ir: &mut Ir, context: &mut PassContext<'_>) -> Result<(), Failed> {
    for stub in functions::functions(ir) {
        let calls = ir.nested(stub).map(calls_in).unwrap_or_default();
        if calls.is_empty() {
            continue;
        }
        let mut function = ir.take_nested(stub);
        let failed = calls.into_iter().find_map(|(call, with_body)| {
            let lowered = lower(ir, &mut function, call, with_body);
            lowered.err().map(|reason| (function.loc(call), reason))
        });
        ir.put_nested(stub, function);
        if let Some((loc, Unsupported(reason))) = failed {
            let message = format!("'stablehlo.custom_call' op is not lowered: {reason}");
            return Err(context.diagnostics.error(loc, message));
        }
    }
    Ok(())
}

fn calls_in(function: &Ir) -> Vec<(Op, LowerCall)> {
    let context = function.context();
    let call = |op: Op| {
        let target = function.attr(op, Name::CALL_TARGET_NAME)?;
        let target = context.attr_string(target)?;
        let &(_, lower) = TARGETS.iter().find(|known| known.0 == target)?;
        function
            .is(op, &regions::CUSTOM_CALL)
            .then_some((op, lower))
    };
    function.walk(function.root()).filter_map(call).collect()
}

fn lower(
    module: &Ir,
    function: &mut Ir,
    call: Op,
    with_body: LowerCall,
) -> Result<(), Unsupported> {
    let context = function.context().clone();
    let callee = function
        .attr(call, Name::CALLED_COMPUTATIONS)
        .and_then(|attr| context.attr_array(attr))
        .and_then(|names| names.first().copied());
    let callee = callee
        .and_then(|name| context.attr_flat_symbol(name))
        .and_then(|name| {
            let mut all = functions::functions(module).into_iter();
            all.find(|&stub| module.symbol_name(stub) == Some(name))
        })
        .and_then(|stub| module.nested(stub))
        .filter(|callee| callee.root_block().is_some())
        .ok_or("its body is no other function of the module")?;

    // A copy of the body, as long as it is read.
    let mut b = Builder::before(function, call);
    let spec = b.spec(&scf::EXECUTE_REGION).regions(1);
    let holder = b.create(spec);
    let to = b.ir.region(holder, 0);
    let body = callee.region(callee.root(), 0);
    b.ir.import_region(callee, body, to, &mut IrMap::default());
    let block = b.ir.single_block(to);
    let lowered = match block {
        Some(block) => Body::prepare(&mut b, block).and_then(|body| with_body(&mut b, call, &body)),
        None => Err("its body has several blocks".into()),
    };
    function.erase_op(holder);
    replace(function, call, &lowered?);
    Ok(())
}

fn reduce_dynamic_windows(
    b: &mut Builder<'_>,
    call: Op,
    body: &Body,
) -> Result<Vec<Value>, Unsupported> {
    let operands = b.ir.operands(call).to_vec();
    let n = b.ir.results(call).len();
    if n == 0 || operands.len() != 2 * n + N_LISTS {
        return Err("it has another number of operands than of results and lists".into());
    }
    let rank = shape(b.ir, operands[0]).len();
    let types = result_types(b.ir, call);
    let inits = operands[n..2 * n]
        .iter()
        .map(|&init| scalar_itself(b.ir, init));
    let inits: Vec<Value> = inits.collect();
    let (inputs, inits) = inputs_and_inits(b, &operands[..n], &inits, &types);
    let sum = &mut Sizes::default();
    let mut lists = Vec::with_capacity(N_LISTS);
    for (i, &list) in operands[2 * n..].iter().enumerate() {
        let wanted = if i + 1 == N_LISTS { 2 * rank } else { rank };
        let list = elements(b, sum, list)?;
        if list.len() != wanted {
            return Err("its lists are of another length than its dimensions ask for".into());
        }
        lists.push(list);
    }
    let mut known = lists[1..4].iter().map(|list| {
        let numbers = list.iter().map(|&number| match number {
            Dim::Constant(number @ 1..) => Ok(number),
            Dim::Constant(_) => Err("its strides and dilations are not positive"),
            Dim::Value(_) => Err("its strides and dilations are known only at run time"),
        });
        numbers.collect::<Result<Vec<i64>, _>>()
    });
    let mut next = || known.next().unwrap_or(Ok(Vec::new()));
    let (strides, base_dilations, dilations) = (next()?, next()?, next()?);
    let of = (0..rank).map(|dim| WindowDimension {
        size: DYNAMIC,
        stride: strides[dim],
        low: 0,
        high: 0,
        base_dilation: base_dilations[dim],
        dilation: dilations[dim],
        is_reversed: false,
    });
    let window = Window {
        of: of.collect(),
        sizes: lists[0].clone(),
        margins: lists[4]
            .chunks_exact(2)
            .map(|pair| [pair[0], pair[1]])
            .collect(),
    };
    reduce_windows(b, sum, &inputs, &inits, &types, &window, body)
}

/// JAX broadcasts scalars to scalars.
fn scalar_itself(ir: &Ir, value: Value) -> Value {
    match ir.defined_by(value, &shapes::BROADCAST_IN_DIM) {
        Some(op) if shape(ir, ir.operand(op, 0)).is_empty() => ir.operand(op, 0),
        _ => value,
    }
}

/// The elements of a list of integers in order, numbers where they are known: JAX concatenates sizes one by one.
fn elements(b: &mut Builder<'_>, sum: &mut Sizes, list: Value) -> Result<Vec<Dim>, Unsupported> {
    let context = b.context();
    let sizes = shape(b.ir, list);
    if sizes.contains(&DYNAMIC) {
        return Err("the length of a list of sizes is known only at run time".into());
    }
    let attr = arith::as_constant_attr(b.ir, list).or_else(|| {
        let constant = b.ir.defined_by(list, &elementwise::CONSTANT)?;
        b.ir.attr(constant, Name::VALUE)
    });
    if let Some(numbers) = attr.and_then(|attr| numbers_of(&context, attr)) {
        return Ok(numbers.into_iter().map(c).collect());
    }
    if let Some(op) = b.ir.defining_op(list) {
        let operands = b.ir.operands(op).to_vec();
        let is_first = |b: &Builder<'_>, name| {
            let attr = b.ir.attr(op, name);
            attr.and_then(|attr| context.attr_integer(attr)) == Some(0)
        };
        if b.ir.is(op, &shapes::RESHAPE)
            || b.ir.is(op, &elementwise::CONVERT) && is_list_of_integers(b, operands[0])
        {
            return elements(b, sum, operands[0]);
        }
        if b.ir.is(op, &shapes::CONCATENATE) && is_first(b, Name::DIMENSION) {
            let mut all = Vec::new();
            for operand in operands {
                all.extend(elements(b, sum, operand)?);
            }
            return Ok(all);
        }
        if b.ir.is(op, &shapes::GET_DIMENSION_SIZE) {
            let dim = b.ir.attr(op, Name::DIMENSION);
            let dim = dim.and_then(|attr| context.attr_integer(attr)).unwrap_or(0);
            let dim = arith::constant_index(b, dim as i64);
            return Ok(vec![
                b.value(&tensor::DIM, &[operands[0], dim], Type::INDEX)
                    .into(),
            ]);
        }
        // The last addition of a margin: `n - 1` is to be known as one less than `n`.
        if b.ir.is(op, &elementwise::ADD) && sizes.is_empty() {
            let (x, y) = (
                elements(b, sum, operands[0])?,
                elements(b, sum, operands[1])?,
            );
            return Ok(vec![sum.add(b, x[0], y[0])]);
        }
    }
    let list = as_signless(b, list);
    let n: i64 = sizes.iter().product();
    let element = |b: &mut Builder<'_>, mut place: i64| {
        let mut places = Vec::new();
        for &size in sizes.iter().rev() {
            places.push(arith::constant_index(b, place % size));
            place /= size;
        }
        places.reverse();
        let number = extract(b, list, &places);
        Dim::Value(to_index(b, number))
    };
    Ok((0..n).map(|place| element(b, place)).collect())
}

fn is_list_of_integers(b: &Builder<'_>, list: Value) -> bool {
    let context = b.ir.context();
    let element = context.element_type_or_self(b.ir.value_type(list));
    matches!(
        context.type_kind(element),
        TypeKind::Integer { width: 8.., .. }
    )
}
