//! Loops that carry tensors.

use freehold_frontend::dialects::{arith, scf};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::entities::Value;
use freehold_frontend::ir::types::Type;

use super::stablehlo_legalize_to_linalg::Unsupported;

/// What loops do: from where they are and what they carry to what they carry on.
pub(super) type Step<'s> =
    &'s mut dyn FnMut(&mut Builder<'_>, &[Value], &[Value]) -> Result<Vec<Value>, Unsupported>;

/// A nest of loops over ranges, outermost first, that carry values.
pub(super) fn loops(
    b: &mut Builder<'_>,
    ranges: &[[Value; 2]],
    carried: &[Value],
    step: Step<'_>,
) -> Result<Vec<Value>, Unsupported> {
    let one = arith::constant_index(b, 1);
    let mut variables = Vec::new();
    nest(b, ranges, one, &mut variables, carried, step)
}

fn nest(
    b: &mut Builder<'_>,
    ranges: &[[Value; 2]],
    one: Value,
    variables: &mut Vec<Value>,
    carried: &[Value],
    step: Step<'_>,
) -> Result<Vec<Value>, Unsupported> {
    let Some((&[lower, upper], rest)) = ranges.split_first() else {
        return step(b, variables, carried);
    };
    let new = scf::build_for(b, lower, upper, one, carried);
    let view = scf::For(new);
    variables.push(view.induction_variable(b.ir));
    let carried = view.iter_args(b.ir).to_vec();
    let block = view.body(b.ir);
    let mut inner = b.inside(block);
    let values = nest(&mut inner, rest, one, variables, &carried, step)?;
    scf::build_yield(&mut inner, &values);
    Ok(b.ir.results(new).to_vec())
}

/// What `then` makes of values under a condition; elsewhere they stay.
pub(super) fn guarded(
    b: &mut Builder<'_>,
    condition: Value,
    carried: &[Value],
    then: &mut dyn FnMut(&mut Builder<'_>) -> Result<Vec<Value>, Unsupported>,
) -> Result<Vec<Value>, Unsupported> {
    let types: Vec<Type> = carried
        .iter()
        .map(|&value| b.ir.value_type(value))
        .collect();
    let branch = scf::build_if(b, condition, &types, true);
    let view = scf::If(branch);
    let blocks = [Some(view.then_block(b.ir)), view.else_block(b.ir)];
    for (i, block) in blocks.into_iter().flatten().enumerate() {
        let mut inner = b.inside(block);
        let values = match i {
            0 => then(&mut inner)?,
            _ => carried.to_vec(),
        };
        scf::build_yield(&mut inner, &values);
    }
    Ok(b.ir.results(branch).to_vec())
}
